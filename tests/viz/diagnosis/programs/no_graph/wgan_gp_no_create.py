# says_any = ["create_graph"]
# cure_any = ["create_graph=true"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

D = T.nn.Linear(2, 1)
x = T.ones(3, 2).requires_grad_()
d = T.tanh(D(x)).sum()
d.backward(retain_graph=True)  # guilty
penalty = (x.grad.norm() - 1) ** 2
penalty.backward()
