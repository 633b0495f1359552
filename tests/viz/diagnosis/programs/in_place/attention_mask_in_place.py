# says_any = ["in place"]
# cure_any = ["clone", "t.where", "masked_fill"]

def attend(q, k, mask):
    s = T.exp(q @ k.t())
    s[mask] = 0  # guilty
    return s / s.sum()
q = T.ones(2, 2, requires_grad=True)
k = T.ones(2, 2)
out = attend(q, k, T.tensor([[True, False], [False, False]]))
out[0].sum().backward()
