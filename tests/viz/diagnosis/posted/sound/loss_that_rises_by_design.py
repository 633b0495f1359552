import torch

torch.manual_seed(0)
probabilities = torch.tensor([0.9, 0.3, 0.1], requires_grad=True)
opt = torch.optim.SGD([probabilities], lr=0.05)
value = []
for i in range(10):
    entropy = -(torch.softmax(probabilities, 0) * torch.log_softmax(probabilities, 0)).sum()
    loss = -entropy
    opt.zero_grad()
    loss.backward()
    opt.step()
    value.append(entropy.item())
