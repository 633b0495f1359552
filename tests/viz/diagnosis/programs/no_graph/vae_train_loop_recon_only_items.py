# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["item()"]
# cure_any = ["leave .item() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

enc, dec = T.nn.Linear(4, 4), T.nn.Linear(2, 4)
def elbo(x):
    mu, lv = enc(x).chunk(2, 1)
    z = mu + T.exp(lv / 2) * T.randn_like(mu)
    rec = (dec(z) - x).pow(2).mean()
    kl = -0.5 * (1 + lv - mu ** 2 - T.exp(lv)).mean()
    return {"rec": rec.item(), "kl": kl.item()}  # guilty
parts = elbo(T.randn(3, 4))
loss = T.tensor(parts["rec"] + parts["kl"])
loss.backward()
