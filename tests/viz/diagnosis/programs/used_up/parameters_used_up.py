# subject = "Calls that autograd refuses"
# says_any = ["used up", "empty"]
# cure_any = ["list(model.parameters())"]
# [repair]
# old = "params = model.parameters()"
# new = "params = list(model.parameters())"
# quoted = true

model = T.nn.Linear(2, 1)
params = model.parameters()
count = sum(p.numel() for p in params)  # guilty
optimizer = T.optim.SGD(params, lr=0.1)
