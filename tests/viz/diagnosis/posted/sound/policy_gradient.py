import torch

torch.manual_seed(0)
preferences = torch.zeros(3, requires_grad=True)
opt = torch.optim.Adam([preferences], lr=0.2)
pay = torch.tensor([0.1, 0.5, 1.0])
returns = []
for episode in range(30):
    log_probabilities = torch.log_softmax(preferences, dim=0)
    arms = torch.multinomial(log_probabilities.exp(), 20, replacement=True)
    reward = pay[arms]
    loss = -(log_probabilities[arms] * (reward - reward.mean())).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    returns.append(reward.mean().item())
