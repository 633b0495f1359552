# subject = "Invalid calls of backward() and autograd.grad()"
# says_any = ["single number", "one number"]
# cure_any = ["out.sum()", "out.mean()"]

model = T.nn.Linear(3, 2)
out = model(T.ones(4, 3))
out.backward()  # guilty
