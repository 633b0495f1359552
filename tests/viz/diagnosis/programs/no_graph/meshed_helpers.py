# says_any = ["item()"]
# cure_any = ["leave .item() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

def to_list(t):
    return [v.item() for v in t]  # guilty
def smooth(values):
    return [0.5 * (a + b) for a, b in zip(values, values[1:])]
def objective(w):
    raw = w * 2
    values = smooth(to_list(raw))
    return T.tensor(values).sum()
w = T.ones(4, requires_grad=True)
score = objective(w)
score.backward()
