import torch
from torch import nn

torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(5, 6), nn.Tanh())
classifier = nn.Linear(6, 2)
optimizer = torch.optim.Adam(classifier.parameters(), lr=0.01)
nodes, kinds = torch.randn(12, 5), torch.randint(0, 2, (12,))
features = encoder(nodes)
for epoch in range(3):
    loss = nn.functional.cross_entropy(classifier(features), kinds)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
