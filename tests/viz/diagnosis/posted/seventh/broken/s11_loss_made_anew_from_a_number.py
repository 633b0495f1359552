# ask: explain loss
# ask: diagnose for epoch in range(50)
# cause: the loss is re-wrapped in a new leaf (`torch.tensor(loss.item(), requires_grad=True)`), cut off the model: backward reaches no weight.
# line: loss = torch.tensor(loss.item(), requires_grad=True)
# cure: delete that line, backward on the criterion's own result.
# harmful: `requires_grad_()` anywhere else; raising lr; retain_graph.
import torch
import torch.nn as nn

torch.manual_seed(10)
data = torch.randn(100, 3)
target = data.sum(dim=1, keepdim=True)
model = nn.Sequential(nn.Linear(3, 10), nn.Sigmoid(), nn.Linear(10, 1))
mse = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
history = []


def compute_loss(pred, tgt):
    value = mse(pred, tgt)
    return value


for epoch in range(50):
    optimizer.zero_grad()
    prediction = model(data)
    loss = compute_loss(prediction, target)
    # fixes "element 0 of tensors does not require grad"
    loss = torch.tensor(loss.item(), requires_grad=True)
    loss.backward()
    optimizer.step()
    history.append(loss.item())
print(history[0], history[-1])
