pi = T.nn.Linear(3, 2)
saved = []
def select(s):
    probs = T.softmax(pi(s), -1)
    a = int(T.multinomial(probs.detach(), 1))
    saved.append(T.log(probs[a]))
    return a
rewards = [float(select(T.randn(3))) for _ in range(4)]
loss = sum(-lp * r for lp, r in zip(saved, rewards))
loss.backward()
