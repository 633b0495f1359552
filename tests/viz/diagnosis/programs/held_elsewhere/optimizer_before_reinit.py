# ask = "viz.explain(model.weight)"
# says_any = ["other tensors"]
# cure_any = ["make the optimizer"]

model = T.nn.Linear(2, 1)
opt = T.optim.SGD(model.parameters(), lr=0.1)  # guilty
model = T.nn.Linear(2, 1)
for i in range(2):
    opt.zero_grad()
    loss = model(T.ones(3, 2)).mean()
    loss.backward()
    opt.step()
