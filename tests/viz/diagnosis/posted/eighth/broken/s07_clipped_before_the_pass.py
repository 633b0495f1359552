# ask: explain loss
# ask: diagnose for step in range(300)
# cause: gradients are clipped before backward (right after zero_grad, when there are none), so nothing is clipped and the recurrent net explodes to nan.
# line: torch.nn.utils.clip_grad_norm_(params, 0.5)
# line: loss.backward()
# cure: move the clip after `loss.backward()` and before `opt.step()`. Lower lr / smaller recurrent init alone = partial (symptom).
# harmful: clip after `opt.step()`; delete the clip; nan_to_num.
import torch
import torch.nn as nn

torch.manual_seed(2)
T = 25
seqs = torch.randn(256, T, 2)
goal = seqs[:, :, 0].cumsum(1)[:, -1:] * 0.3

cell = nn.RNN(2, 48, nonlinearity="relu", batch_first=True)
with torch.no_grad():
    cell.weight_hh_l0.copy_(torch.eye(48) * 1.05)
read = nn.Linear(48, 1)
params = list(cell.parameters()) + list(read.parameters())
opt = torch.optim.SGD(params, lr=0.02)

for step in range(300):
    pick = torch.randint(0, 256, (32,))
    hid, _ = cell(seqs[pick])
    loss = nn.functional.mse_loss(read(hid[:, -1]), goal[pick])
    opt.zero_grad()
    torch.nn.utils.clip_grad_norm_(params, 0.5)
    loss.backward()
    opt.step()
    if step % 50 == 0:
        print(step, loss.item())

with torch.no_grad():
    h, _ = cell(seqs)
    print("mse", ((read(h[:, -1]) - goal) ** 2).mean().item(), "var", goal.var().item())
