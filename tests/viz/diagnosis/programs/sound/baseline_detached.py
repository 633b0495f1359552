w = T.ones(3, requires_grad=True)
reward = (w * 2).sum()
advantage = reward - reward.detach()
loss = advantage * 3
loss.backward()
