import torch

area = torch.tensor([[50.0], [80.0], [120.0], [200.0], [35.0]])
price = torch.tensor([[150.0], [230.0], [340.0], [610.0], [100.0]])

model = torch.nn.Linear(1, 1)
torch.nn.init.constant_(model.weight, 0.2)
criterion = torch.nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(30):
    loss = criterion(model(area), price)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 5 == 0:
        print(epoch, loss.item())
