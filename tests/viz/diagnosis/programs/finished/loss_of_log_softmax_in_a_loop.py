# subject = "Measured answers"
# says_any = ["used as it should be"]
# never = ["retain_graph"]
# ask = "viz.explain(loss)"

model = T.nn.Linear(3, 5)
x = T.randn(4, 3)
y = T.tensor([0, 1, 2, 3])
for e in range(2):
    logp = T.log_softmax(model(x), 1)
    loss = -logp[T.arange(4), y].mean()
    loss.backward()  # guilty
