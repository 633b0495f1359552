# says_any = ["detach()"]
# cure_any = ["leave .detach() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

w = T.ones(2, requires_grad=True)
objective = lambda v: (v.detach() ** 2).sum()  # guilty
loss = objective(w)
loss.backward()
