# subject = "The history ended before the loss"
# says_any = ["constant", "does not depend", "linear"]
# never = ["slope.requires_grad_()", "requires_grad_()"]

x = T.tensor(2.0, requires_grad=True)
y = 3 * x
(slope,) = T.autograd.grad(y, x, create_graph=True)  # guilty
slope.backward()
