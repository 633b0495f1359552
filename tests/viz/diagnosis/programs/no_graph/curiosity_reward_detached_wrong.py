# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["detach"]
# cure_any = ["leave .detach() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class ICM(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = T.nn.Linear(3, 2)
        self.fwd = T.nn.Linear(3, 2)
    @staticmethod
    def gap(a, b):
        return (a - b).pow(2).sum(1).detach()  # guilty
    def forward(self, s, s2, act):
        z, z2 = self.enc(s), self.enc(s2)
        return self.gap(self.fwd(T.cat([z, act], 1)), z2)
icm = ICM()
reward = icm(T.randn(4, 3), T.randn(4, 3), T.randn(4, 1))
loss = reward.mean()
loss.backward()
