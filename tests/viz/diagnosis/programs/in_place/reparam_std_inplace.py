# says_any = ["in place"]
# cure_any = ["write `std = std.clamp("]

mu = T.zeros(2, requires_grad=True)
logvar = T.zeros(2, requires_grad=True)
std = T.exp(0.5 * logvar)
z = mu + std * T.ones(2)
std.clamp_(max=1.0)  # guilty
kl = (std ** 2 + mu ** 2).sum()
(z.sum() + kl).backward()
