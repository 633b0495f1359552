# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["detach", "does not require grad"]
# cure_any = ["requires_grad"]

D = T.nn.Sequential(T.nn.Linear(2, 4), T.nn.LeakyReLU(0.2), T.nn.Linear(4, 1))
G = T.nn.Linear(1, 2)

def penalty(real, fake):
    alpha = T.rand(real.shape[0], 1)
    mixed = (alpha * real + (1 - alpha) * fake).detach()  # guilty
    scores = D(mixed)
    g = T.autograd.grad(scores, mixed, grad_outputs=T.ones_like(scores), create_graph=True)[0]
    return ((g.norm(2, dim=1) - 1) ** 2).mean()

real = T.randn(4, 2)
fake = G(T.randn(4, 1))
gp = penalty(real, fake)
gp.backward()
