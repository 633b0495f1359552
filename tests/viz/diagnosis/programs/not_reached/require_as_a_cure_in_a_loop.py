# subject = "The history ended before the loss"
# ask = "viz.explain(model.weight, loss)"
# says_any = ["detach()"]
# cure_any = ["without .detach()", "leave out .detach()", "leave .detach() out"]

model = T.nn.Linear(4, 3)
optimizer = T.optim.SGD(model.parameters(), lr=0.1)
x = T.randn(8, 4)
y = T.ones(8)
for epoch in range(2):
    optimizer.zero_grad()
    guess = model(x).detach().max(1)[0]  # guilty
    loss = ((guess - y) ** 2).mean()
    loss.requires_grad = True
    loss.backward()
    optimizer.step()
