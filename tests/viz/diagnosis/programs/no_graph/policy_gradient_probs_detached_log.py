# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["detach"]
# cure_any = ["leave .detach() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

pi = T.nn.Sequential(T.nn.Linear(3, 8), T.nn.ReLU(), T.nn.Linear(8, 2))
opt = T.optim.Adam(pi.parameters())
saved = []
def select(s):
    probs = T.softmax(pi(s), -1)
    a = int(T.multinomial(probs, 1))
    saved.append(T.log(probs[a]).detach())  # guilty
    return a
rewards = [float(select(T.randn(3))) for _ in range(4)]
loss = sum(-lp * r for lp, r in zip(saved, rewards))
opt.zero_grad()
loss.backward()
