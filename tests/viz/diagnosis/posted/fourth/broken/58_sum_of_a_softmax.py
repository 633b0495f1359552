# question: The gradient of my softmax is always zero.
# ask: explain scores
# cause: a softmax sums to 1 whatever the scores are, so the sum has the derivative 0
# line: loss = prob.sum()
# cure: a loss that depends on the single probabilities, for example -log prob[target]
# harmful: retain_graph; larger scores
import torch
from torch import nn
import torch.nn.functional as F

scores = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
prob = torch.softmax(scores, dim=0)
loss = prob.sum()
loss.backward()
print(scores.grad)
