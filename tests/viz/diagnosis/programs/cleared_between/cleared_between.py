# subject = "No error, but no training"
# ask = "viz.explain(model.weight)"
# says_any = ["between", "before the step"]
# cure_any = ["before backward", "after optimizer.step()", "after `optimizer.step()`"]

model = T.nn.Linear(3, 1)
optimizer = T.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    loss = model(T.ones(2, 3)).pow(2).mean()
    loss.backward()
    optimizer.zero_grad()  # guilty
    optimizer.step()
