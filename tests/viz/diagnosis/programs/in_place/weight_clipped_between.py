# subject = "Something was changed in place"
# says_any = ["in place"]
# cure_any = ["after backward", "clone"]

model = T.nn.Sequential(T.nn.Linear(2, 2), T.nn.Linear(2, 1))
x = T.ones(1, 2)
loss = model(x).pow(2).sum()
with T.no_grad():
    for p in model.parameters():
        p.clamp_(-0.1, 0.1)  # guilty
loss.backward()
