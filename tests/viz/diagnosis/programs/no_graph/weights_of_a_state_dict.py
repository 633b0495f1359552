# subject = "Measured answers"
# says_any = ["without the history"]
# cure_any = ["compute with `net.weight`"]
# never = ["requires_grad=True", "x.requires_grad_()", "y.requires_grad_()"]

net = T.nn.Linear(3, 1)
state = net.state_dict()
w, b = state["weight"], state["bias"]
x = T.randn(8, 3)
y = T.randn(8, 1)
loss = ((x @ w.t() + b - y) ** 2).mean()
loss.backward()
