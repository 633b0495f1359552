# subject = "Gradients of gradients"
# ask = "viz.explain(x, loss)"

v = T.ones(2, requires_grad=True)
(w * v).sum().backward()
loss = (w.grad * w).sum()
