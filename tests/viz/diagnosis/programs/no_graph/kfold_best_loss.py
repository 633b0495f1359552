# says_any = ["detach"]
# cure_any = ["leave .detach() out"]
# never = ["best.requires_grad_()"]

model = T.nn.Linear(2, 1)
best = None
for k in range(2):
    out = model(T.ones(2, 2) * (k + 1))
    loss = out.pow(2).mean()
    if best is None or loss < best:
        best = loss.detach()  # guilty
best.backward()
