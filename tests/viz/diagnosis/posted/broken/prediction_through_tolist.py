import torch

torch.manual_seed(0)
rows = torch.randn(12, 3)
answers = rows.mean(dim=1)
model = torch.nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(5):
    predictions = torch.tensor([model(row).item() for row in rows], requires_grad=True)
    loss = torch.mean((predictions - answers) ** 2)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
