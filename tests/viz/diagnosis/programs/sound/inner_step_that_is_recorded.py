w = T.ones(2, requires_grad=True)
inner = (w * w).sum()
(g,) = T.autograd.grad(inner, w, create_graph=True)
fast = w - 0.1 * g
loss = (fast * fast).sum()
loss.backward()
