# ask: explain loss
# ask: diagnose for epoch in range(15)
# cause: softmax applied in forward before CrossEntropyLoss, which applies log-softmax itself: gradients are tiny, the loss cannot fall below ln(e+7)-1 = 1.27 at 8 classes.
# line: return F.softmax(self.fc2(h), dim=1)
# cure: return the logits (or log_softmax + NLLLoss).
# harmful: adding another softmax/log on top; only raising lr; switching to NLLLoss on the probabilities (no log).
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(2)


class Classifier(nn.Module):
    def __init__(self):
        super(Classifier, self).__init__()
        self.fc1 = nn.Linear(20, 64)
        self.fc2 = nn.Linear(64, 8)

    def forward(self, x):
        h = F.relu(self.fc1(x))
        return F.softmax(self.fc2(h), dim=1)


centers = torch.randn(8, 20)
labels = torch.randint(0, 8, (400,))
data = centers[labels] + 0.5 * torch.randn(400, 20)
net = Classifier()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)

for epoch in range(15):
    running = 0.0
    for i in range(0, 400, 50):
        inputs, targets = data[i:i + 50], labels[i:i + 50]
        optimizer.zero_grad()
        outputs = net(inputs)
        loss = criterion(outputs, targets)
        loss.backward()
        optimizer.step()
        running += loss.item()
    print(epoch, running / 8)
