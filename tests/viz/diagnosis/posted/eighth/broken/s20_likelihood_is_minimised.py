# ask: explain loss in main
# ask: diagnose for n, (c, p, q) in enumerate(stream(500))
# cause: the objective (log-likelihood) is returned with a plus sign and minimised: the model learns the opposite, loss -> -inf.
# line: return F.logsigmoid(sp).mean() + F.logsigmoid(-sn).mean()
# line: loss = sg(c, p, q)
# line: loss.backward()
# cure: negate what `forward` returns or `(-loss).backward()`; `maximize=True` in the optimizer.
# harmful: abs/clamp of loss; swapping the roles of pos and neg (other objective).
import torch
import torch.nn as nn
import torch.nn.functional as F

VOC = 40


class SkipGram(nn.Module):
    def __init__(self, d=10):
        super().__init__()
        self.inp = nn.Embedding(VOC, d)
        self.out = nn.Embedding(VOC, d)

    def forward(self, c, pos, neg):
        h = self.inp(c)
        sp = (h * self.out(pos)).sum(1)
        sn = torch.bmm(self.out(neg), h.unsqueeze(2)).squeeze(2)
        return F.logsigmoid(sp).mean() + F.logsigmoid(-sn).mean()


def stream(steps, size=64):
    for _ in range(steps):
        c = torch.randint(0, VOC, (size,))
        block = (c // 8) * 8
        yield c, block + torch.randint(0, 8, (size,)), torch.randint(0, VOC, (size, 5))


def main():
    torch.manual_seed(16)
    sg = SkipGram()
    opt = torch.optim.Adam(sg.parameters(), lr=0.02)
    for n, (c, p, q) in enumerate(stream(500)):
        loss = sg(c, p, q)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if n % 100 == 0:
            print(n, loss.item())
    with torch.no_grad():
        s = sg.inp.weight @ sg.out.weight.T
        same = torch.arange(VOC)[:, None] // 8 == torch.arange(VOC)[None] // 8
    print("same block", s[same].mean().item(), "other", s[~same].mean().item())


main()
