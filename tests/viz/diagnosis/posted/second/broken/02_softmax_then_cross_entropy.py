# question: My three class LSTM classifier gets stuck far above zero whatever I do; the last layer of my model is a softmax.
# ask: explain loss
# ask: diagnose step
# cause: CrossEntropyLoss applies log_softmax itself; the model already ends in a softmax, so the scores are squeezed into 0..1 and the loss has a high floor
# line: return torch.softmax(self.head(h[-1]), dim=-1) || criterion = nn.CrossEntropyLoss()
# cure: return the raw scores (logits) and leave the softmax out || keep log-probabilities and use NLLLoss
# harmful: add another activation at the end
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 12, batch_first=True)
        self.head = nn.Linear(12, 3)

    def forward(self, x):
        _, (h, c) = self.lstm(x)
        return torch.softmax(self.head(h[-1]), dim=-1)


torch.manual_seed(1)
x = torch.randn(30, 5, 4)
y = torch.argmax(x[:, -1, :3], dim=1)
model = Tagger()
criterion = nn.CrossEntropyLoss()
opt = torch.optim.Adam(model.parameters(), lr=0.01)


def step():
    opt.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()
