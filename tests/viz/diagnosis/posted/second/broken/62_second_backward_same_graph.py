# question: I call backward for each of two losses and the second one fails with "backward through the graph a second time".
# ask: explain style
# raises: RuntimeError
# cause: both losses share the graph of `features`; the first backward freed it
# line: style.backward() || content.backward()
# cure: add the losses and call backward once || content.backward(retain_graph=True)
# harmful: detach the features
import torch
from torch import nn

torch.manual_seed(62)
vgg = nn.Sequential(nn.Linear(4, 6), nn.Sigmoid())
features = vgg(torch.randn(3, 4))
content = (features - 0.2).pow(2).mean()
style = (features.t() @ features).pow(2).mean()
content.backward()
style.backward()
