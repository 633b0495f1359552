# says_any = ["create_graph", "detach"]
# cure_any = ["create_graph=true", "leave .detach() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

w = T.ones(2, requires_grad=True)
def inner(w, x):
    loss = ((w * x).sum() - 1) ** 2
    g = T.autograd.grad(loss, w)[0]  # guilty
    return w.detach() - 0.1 * g
fast = inner(w, T.ones(2))
outer = (fast * fast).sum()
outer.backward()
