# ask: explain loss
# ask: diagnose for step in range(600)
# cause: DQN with deepcopy target net, no_grad target, (1-done) mask, regular sync; error of Q falls.
# good: nothing found.
# harmful: train the target net.
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(2)
N, gamma = 6, 0.9                      # a corridor; the right end pays 1
q = nn.Sequential(nn.Linear(N, 32), nn.ReLU(), nn.Linear(32, 2))
target_q = copy.deepcopy(q)
opt = torch.optim.Adam(q.parameters(), lr=3e-3)
eye = torch.eye(N)
errors = []

for step in range(600):
    s = torch.randint(0, N - 1, (64,))
    a = torch.randint(0, 2, (64,))
    s2 = (s + 2 * a - 1).clamp(min=0)
    done = (s2 == N - 1).float()
    r = done
    with torch.no_grad():
        y = r + gamma * (1 - done) * target_q(eye[s2]).max(1).values
    q_sa = q(eye[s]).gather(1, a.unsqueeze(1)).squeeze(1)
    loss = F.smooth_l1_loss(q_sa, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 25 == 0:
        target_q.load_state_dict(q.state_dict())
        true_v = gamma ** (N - 2 - torch.arange(N - 1).float())
        errors.append((q(eye[:-1]).max(1).values - true_v).abs().mean().item())
print(errors[0], errors[-1])
