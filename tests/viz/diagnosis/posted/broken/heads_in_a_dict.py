import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiTask(nn.Module):
    def __init__(self):
        super(MultiTask, self).__init__()
        self.trunk = nn.Linear(7, 14)
        self.heads = {
            "age": nn.Linear(14, 1),
            "group": nn.Linear(14, 3),
        }

    def forward(self, batch):
        shared = F.relu(self.trunk(batch))
        return {task: head(shared) for task, head in self.heads.items()}


torch.manual_seed(5)
net = MultiTask()
before = net.heads["age"].weight.detach().clone()
optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-3)
people = torch.randn(16, 7)
ages, groups = torch.rand(16, 1), torch.randint(3, (16,))
for it in range(8):
    answers = net(people)
    total = F.l1_loss(answers["age"], ages) + F.cross_entropy(answers["group"], groups)
    optimizer.zero_grad()
    total.backward()
    optimizer.step()
