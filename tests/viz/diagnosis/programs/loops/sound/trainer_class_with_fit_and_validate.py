class Trainer:

    def __init__(self, model, lr=0.1):
        self.model, self.crit = (model, nn.CrossEntropyLoss())
        self.opt = optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.history = {'train': [], 'val': []}

    def run(self, train):
        self.model.train(train)
        total = 0.0
        with T.set_grad_enabled(train):
            for i in range(0, 16, 4):
                loss = self.crit(self.model(x[i:i + 4]), classes[i:i + 4])
                if train:
                    self.opt.zero_grad()
                    loss.backward()
                    self.opt.step()
                total += loss.item()
        return total

    def fit(self, n):
        for e in range(n):
            self.history['train'].append(self.run(True))
            self.history['val'].append(self.run(False))
t = Trainer(nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.ReLU(), nn.Linear(8, 3)))
with viz.diagnose() as report:
    t.fit(2)
