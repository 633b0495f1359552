# says_any = ["detach()"]
# cure_any = ["leave .detach() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

w = T.ones(2, requires_grad=True)
outs = []
for i in range(3):
    o = (w * i).detach()  # guilty
    outs.append(o)
loss = T.stack(outs).sum()
loss.backward()
