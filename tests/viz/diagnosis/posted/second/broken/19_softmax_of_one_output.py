# question: Binary classifier with one output and softmax: the loss is constant from the first to the last epoch.
# ask: explain out_w
# ask: diagnose step
# cause: softmax over a dimension of size 1 is always 1, so the output does not depend on the weights and the gradient is zero
# line: prob = F.softmax(self.out(h), dim=1)
# cure: use sigmoid for one output (BCEWithLogitsLoss on the raw score) || two outputs with cross entropy
# harmful: raise the learning rate
import torch
from torch import nn
import torch.nn.functional as F


class Spam(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(7, 9)
        self.out = nn.Linear(9, 1)

    def forward(self, mail):
        h = torch.relu(self.inp(mail))
        prob = F.softmax(self.out(h), dim=1)
        return prob


torch.manual_seed(18)
spam = Spam()
out_w = spam.out.weight
mails = torch.rand(30, 7)
is_spam = (mails[:, :1] > 0.5).float()
opt = torch.optim.RMSprop(spam.parameters(), lr=0.01)


def step():
    opt.zero_grad()
    loss = F.mse_loss(spam(mails), is_spam)
    loss.backward()
    opt.step()
    return loss


for _ in range(20):
    loss = step()
