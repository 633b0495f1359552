# ask = "viz.explain(running)"
# says_any = ["keeps"]
# cure_any = [".item()"]

model = T.nn.Linear(2, 1)
opt = T.optim.SGD(model.parameters(), lr=0.1)
running = 0.
for epoch in range(2):
    for i in range(2):
        opt.zero_grad()
        loss = T.tanh(model(T.ones(2, 2))).mean()
        loss.backward()
        opt.step()
        running += loss * 2  # guilty
