# subject = "No error, but no training"
# ask = "viz.explain(total)"
# says_any = ["keeps"]
# cure_any = ["total += loss.item()", "loss.item()"]
# [repair]
# old = "total += loss"
# new = "total += loss.item()"
# quoted = true

model = T.nn.Linear(3, 1)
optimizer = T.optim.SGD(model.parameters(), lr=0.1)
total = 0.0
for step in range(4):
    optimizer.zero_grad()
    loss = T.tanh(model(T.ones(2, 3))).mean()
    loss.backward()
    optimizer.step()
    total += loss  # guilty
