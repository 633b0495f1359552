# question: With class weights the network always predicts class 0.
# ask: explain loss
# ask: diagnose step
# cause: the class weights are zero for classes 1 and 2, so their samples do not count
# line: weights = torch.tensor([1.0, 0.0, 0.0])
# cure: weights above zero for each class, such as inverse frequencies
# harmful: more epochs
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(26)
weights = torch.tensor([1.0, 0.0, 0.0])
criterion = nn.CrossEntropyLoss(weight=weights)
net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
x = torch.randn(30, 4)
y = x[:, :3].argmax(1)


def step():
    opt.zero_grad()
    loss = criterion(net(x), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()
