# ask: explain loss
# ask: diagnose for step in range(200)
# cause: MoE with top-1 routing and a load-balancing term: an expert not chosen gets no gradient in that batch; gate weight multiplies the output, so the gate learns.
# good: nothing found.
# harmful: "dead parameters".
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(10)


class Top1MoE(nn.Module):
    def __init__(self, d, n_experts=5):
        super().__init__()
        self.gate = nn.Linear(d, n_experts)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(d, 16), nn.ReLU(), nn.Linear(16, 1)) for _ in range(n_experts))

    def forward(self, x):
        probs = F.softmax(self.gate(x), dim=-1)
        w, idx = probs.max(dim=-1)
        out = x.new_zeros(x.size(0), 1)
        for e, expert in enumerate(self.experts):
            sel = (idx == e).nonzero(as_tuple=True)[0]
            if len(sel):
                out = out.index_add(0, sel, w[sel].unsqueeze(1) * expert(x[sel]))
        share = F.one_hot(idx, len(self.experts)).float().mean(0)
        self.balance = len(self.experts) * (share * probs.mean(0)).sum()      # load balancing
        return out


moe = Top1MoE(4)
opt = torch.optim.Adam(moe.parameters(), lr=1e-2)
X = torch.randn(256, 4)
Y = torch.where(X[:, :1] > 0, 2 * X[:, 1:2], -X[:, 2:3])

for step in range(200):
    b = torch.randint(0, 256, (16,))
    pred = moe(X[b])
    loss = F.mse_loss(pred, Y[b]) + 0.1 * moe.balance
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
