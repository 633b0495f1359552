# subject = "The history ended before the loss"
# ask = "viz.explain(w, loss)"
# says_any = ["argmax"]

w = T.ones(3, requires_grad=True)
p = (w * 2).argmax().float()  # guilty
loss = (p - 1) ** 2
loss.requires_grad_()
loss.backward()
