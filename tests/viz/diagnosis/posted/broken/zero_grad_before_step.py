import torch

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
loss_function = torch.nn.MSELoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
data = torch.randn(32, 3)
goal = (data ** 2).sum(1, keepdim=True)
losses = []


def train(epochs=10):
    global loss
    for epoch in range(epochs):
        predicted = net(data)
        loss = loss_function(predicted, goal)
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
        losses.append(loss.item())


train()
