# says_all = ["`self.model.0.weight`"]

class Trainer:
    def __init__(self):
        self.model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
        self.optimizer = optim.SGD(self.model.parameters(), lr=0.1)
        for p in self.model[0].parameters():
            p.requires_grad_(False)

    def step(self):
        self.optimizer.zero_grad()
        loss = F.mse_loss(self.model(x), y)
        loss.backward()
        self.optimizer.step()

train_step = Trainer().step
