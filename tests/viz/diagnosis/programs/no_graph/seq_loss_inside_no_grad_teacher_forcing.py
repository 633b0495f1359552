# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["no_grad"]
# cure_any = ["out of"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

import random
class Decoder(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = T.nn.Linear(5, 3)
        self.out = T.nn.Linear(3, 2)
    def forward(self, y, steps):
        h = T.zeros(1, 3)
        outs = []
        for i in range(steps):
            with T.no_grad():
                h = T.tanh(self.cell(T.cat([y, h], 1)))  # guilty
                y = self.out(h)  # guilty
            outs.append(y)
        return T.cat(outs)
net = Decoder()
pred = net(T.zeros(1, 2), 3)
loss = (pred - 1).pow(2).mean()
loss.backward()
