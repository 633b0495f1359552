# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["numpy"]
# cure_any = ["own operations"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

import numpy as np
from collections import deque
from dataclasses import dataclass

@dataclass
class Transition:
    state: object
    action: int
    reward: float

class QNet(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = T.nn.Linear(3, 8)
        self.fc2 = T.nn.Linear(8, 2)
    def forward(self, s):
        return self.fc2(T.relu(self.fc1(s)))

q = QNet()
buffer = deque(maxlen=10)
for i in range(4):
    buffer.append(Transition(T.randn(3), i % 2, float(i)))

def td_loss(batch):
    states = T.stack([t.state for t in batch])
    values = q(states).detach().numpy()  # guilty
    chosen = np.array([values[i, t.action] for i, t in enumerate(batch)])
    target = np.array([t.reward for t in batch])
    return T.tensor(((chosen - target) ** 2).mean())

loss = td_loss(list(buffer))
loss.backward()
