# subject = "No error, but no training"
# says_any = ["in place"]
# cure_any = ["without"]
# [repair]
# old = "inplace=True"
# new = "inplace=False"

model = T.nn.Sequential(T.nn.Linear(3, 3), T.nn.Sigmoid(), T.nn.ReLU(inplace=True))
loss = model(T.ones(2, 3)).sum()
loss.backward()
