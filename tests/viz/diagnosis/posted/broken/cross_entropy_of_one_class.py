import torch

torch.manual_seed(0)
model = torch.nn.Linear(6, 1)
loss_fn = torch.nn.CrossEntropyLoss()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(10, 6)
y = torch.zeros(10, dtype=torch.long)
for i in range(5):
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    print(loss.item())
