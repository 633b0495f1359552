# says_any = ["requires grad"]
# cure_any = ["requires_grad"]
# never = ["loss.requires_grad_()"]

def init(n):
    return {"w": T.randn(n), "b": T.zeros(1)}  # guilty
def forward(p, x):
    return (p["w"] * x).sum() + p["b"]
params = init(3)
loss = forward(params, T.ones(3)).sum()
loss.backward()
