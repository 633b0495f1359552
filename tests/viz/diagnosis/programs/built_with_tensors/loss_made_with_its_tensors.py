# subject = "Losses that are made and not called"
# says_any = ["takes the tensors for options"]
# cure_any = ["t.nn.mseloss()(made, y)"]
# [repair]
# old = "T.nn.MSELoss(made, y)"
# new = "T.nn.MSELoss()(made, y)"
# quoted = true

net = T.nn.Linear(2, 1)
x, y = T.randn(4, 2), T.randn(4, 1)
made = net(x)
loss = T.nn.MSELoss(made, y)  # guilty
loss.backward()
