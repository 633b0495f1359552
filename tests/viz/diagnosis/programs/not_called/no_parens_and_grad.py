# ask = "viz.explain(model.weight)"
# says_any = ["parentheses"]

model = T.nn.Linear(2, 1)
opt = T.optim.SGD(model.parameters(), lr=0.1)
loss = model(T.ones(1, 2)).pow(2).sum()
opt.zero_grad
loss.backward  # guilty
opt.step()
