# subject = "Calls that autograd refuses"
# says_any = ["history", "records"]
# cure_any = ["out.detach().numpy()"]
# [repair]
# old = "out.numpy()"
# new = "out.detach().numpy()"

model = T.nn.Linear(2, 1)
out = model(T.ones(3, 2))
points = out.numpy()  # guilty
