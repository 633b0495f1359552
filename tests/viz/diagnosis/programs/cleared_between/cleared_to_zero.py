# subject = "No error, but no training"
# ask = "viz.explain(model.weight)"
# says_any = ["between"]
# cure_any = ["before backward"]

model = T.nn.Linear(3, 1)
optimizer = T.optim.SGD(model.parameters(), lr=0.1)
for step in range(2):
    loss = model(T.ones(2, 3)).pow(2).mean()
    loss.backward()
    optimizer.zero_grad(set_to_none=False)  # guilty
    optimizer.step()
