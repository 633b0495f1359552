# ask: explain loss in main
# ask: diagnose for step in range(550)
# cause: sound; what looks suspicious and is meant: the task gets harder, so the loss rises.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn


def lesson(level, n=64):
    t = 2 + level
    bits = torch.randint(0, 2, (n, t, 1)).float()
    return bits, (bits.sum(1) % 2)


def main():
    torch.manual_seed(18)
    rnn, fc = nn.GRU(1, 24, batch_first=True), nn.Linear(24, 1)
    opt = torch.optim.Adam([*rnn.parameters(), *fc.parameters()], lr=1e-2)
    level, smooth = 0, 0.0
    for step in range(550):
        b, y = lesson(level)
        out = fc(rnn(b)[0][:, -1])
        loss = nn.functional.binary_cross_entropy_with_logits(out, y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(rnn.parameters(), 1.0)
        opt.step()
        smooth = 0.9 * smooth + 0.1 * ((out > 0) == (y > 0)).float().mean().item()
        if smooth > 0.97 and level < 4:
            level, smooth = level + 1, 0.0
    print("level", level, "acc", smooth)


main()
