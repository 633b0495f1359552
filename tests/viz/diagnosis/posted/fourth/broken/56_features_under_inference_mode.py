# question: Inference tensors cannot be saved for backward.
# ask: explain error
# cause: the features were computed in torch.inference_mode(), such tensors cannot be used in training
# line: with torch.inference_mode():
# cure: torch.no_grad(), or feats.clone() afterwards
# harmful: requires_grad_ on the features
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(56)
backbone, head = nn.Linear(5, 4), nn.Linear(4, 2)
x, y = torch.randn(10, 5), torch.randint(0, 2, (10,))
with torch.inference_mode():
    feats = backbone(x)
loss = F.cross_entropy(head(feats), y)
loss.backward()
