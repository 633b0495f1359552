# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["indices"]
# cure_any = ["softmax"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Diffusion(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = T.nn.Linear(3, 3)
        self.betas = T.nn.Parameter(T.linspace(0.1, 0.5, 4))
    def sample_t(self, n):
        p = T.softmax(self.betas, 0)
        return T.multinomial(p, n) if n < 3 else T.zeros(n).long()  # guilty
d = Diffusion()
t = d.sample_t(2)
loss = (t.float() / 4).mean()
loss.backward()
