# says_any = ["deepcopy"]
# cure_any = ["write `net.scores = none` before the copy"]

import copy

class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = T.nn.Linear(3, 2)

    def forward(self, x):
        self.scores = T.softmax(self.fc(x), 1)
        return self.scores.sum()

net = Net()
net(T.ones(4, 3)).backward()
best = copy.deepcopy(net)  # guilty
