import torch


class Trainer:
    """Fit a small network."""

    def __init__(self):
        torch.manual_seed(4)
        self.inputs = torch.linspace(-2, 2, 20).reshape(-1, 1)
        self.targets = torch.sin(2 * self.inputs) * 2
        self.net = torch.nn.Sequential(torch.nn.Linear(1, 32), torch.nn.Tanh(), torch.nn.Linear(32, 1))
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=0.03)
        self.curve = []

    def step(self):
        prediction = self.net(self.inputs).flatten()
        error = prediction - self.targets
        self.loss = error.pow(2).mean()
        self.optimizer.zero_grad()
        self.loss.backward()
        self.optimizer.step()
        self.curve.append(self.loss.item())

    def run(self, steps):
        for _ in range(steps):
            self.step()


trainer = Trainer()
trainer.run(40)
