# question: The gradient I get is twice what I compute on paper (I call my check function twice).
# ask: explain a
# cause: backward adds to .grad; the second call adds to the first
# line: (a ** 3).backward()
# cure: set a.grad to None (or zero_) before the second backward
# harmful: divide by two
import torch

a = torch.tensor(2.0, requires_grad=True)


def check():
    (a ** 3).backward()
    return a.grad


print(check())
print(check())
