# subject = "No error, but no training"
# says_any = ["float()"]
# cure_any = ["t.stack"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Mixer(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = T.nn.Parameter(T.ones(3))

    def weights(self):
        return T.softmax(self.scale, dim=0)

    def forward(self, x):
        w = T.tensor([float(v) for v in self.weights()])  # guilty
        return (w * x).sum()

mixer = Mixer()
optimizer = T.optim.Adam(mixer.parameters(), lr=0.1)
for step in range(2):
    optimizer.zero_grad()
    out = mixer(T.ones(3))
    loss = (out - 2).pow(2)
    loss.backward()
    optimizer.step()
