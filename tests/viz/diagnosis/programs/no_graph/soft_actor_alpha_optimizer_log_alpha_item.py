# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["item()"]
# cure_any = ["leave .item() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

log_alpha = T.zeros(1, requires_grad=True)
opt = T.optim.Adam([log_alpha], lr=1e-3)
class Temp:
    @property
    def alpha(self):
        return log_alpha.exp().item()  # guilty
temp = Temp()
entropy = T.tensor([0.3, 0.2])
loss = (temp.alpha * (entropy - 0.5)).mean()
opt.zero_grad()
loss.backward()
