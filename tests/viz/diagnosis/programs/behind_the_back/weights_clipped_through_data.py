# ask = "viz.explain(model.weight)"
# says_any = ["does not see"]
# cure_any = ["after backward()"]

model = T.nn.Linear(2, 1)
head = T.ones(1, requires_grad=True)
for step in range(2):
    loss = (T.tanh(model(T.ones(3, 2))) * head).mean()
    head.data.clamp_(-0.5, 0.5)  # guilty
    loss.backward()
