# subject = "Calls that autograd refuses"
# ask = "viz.explain(model.weight)"
# says_any = ["it holds other tensors"]
# cure_any = ["make the optimizer"]

import copy

model = T.nn.Linear(2, 1)
optimizer = T.optim.SGD(model.parameters(), lr=0.1)  # guilty
model = copy.deepcopy(model)
for i in range(2):
    optimizer.zero_grad()
    loss = model(T.ones(3, 2)).mean()
    loss.backward()
    optimizer.step()
