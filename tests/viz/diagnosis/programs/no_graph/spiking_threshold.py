# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["comparison"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Neuron(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = T.nn.Linear(3, 3)
    def forward(self, inputs):
        v = T.zeros(3)
        spikes = []
        for x in inputs:
            v = 0.9 * v + self.w(x)
            s = (v >= 1.0).float()  # guilty
            spikes.append(s)
            v = v * (1 - s)
        return T.stack(spikes)

net = Neuron()
out = net(T.randn(5, 3))
loss = (out.mean() - 0.5) ** 2
loss.backward()
