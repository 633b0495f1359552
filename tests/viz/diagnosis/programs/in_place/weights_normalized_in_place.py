# says_any = ["in place"]
# cure_any = ["write `out = out.mul(2)"]

lin = T.nn.Linear(3, 3)
out = lin(T.ones(2, 3, requires_grad=True)).tanh()
lin.weight.data.div_(lin.weight.data.norm())
out.mul_(2)  # guilty
out.sum().backward()
