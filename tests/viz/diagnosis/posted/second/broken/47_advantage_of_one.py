# question: Actor-critic: with one episode per update the policy loss is always 0.
# ask: explain logits
# ask: diagnose step
# cause: the returns are centred by their own mean, and there is only one return, so the advantage is exactly zero
# line: advantage = returns - returns.mean()
# cure: use a baseline from other episodes (running mean or a critic), or several episodes per update
# harmful: raise the learning rate
import torch

torch.manual_seed(47)
logits = torch.zeros(4, requires_grad=True)
optimizer = torch.optim.Adam([logits], lr=0.05)


def step():
    logp = torch.log_softmax(logits, 0)
    action = torch.multinomial(logp.detach().exp(), 1)
    returns = (action == 2).float() * 10
    advantage = returns - returns.mean()
    loss = -(advantage * logp[action]).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


for _ in range(20):
    loss = step()
