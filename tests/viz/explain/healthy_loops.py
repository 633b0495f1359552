"""Training loops that are as they should be, of kinds that look odd: about none is anything to be
said but that it is healthy.

Written as those of sick_loops.py are, after the same HEADER.
"""

from __future__ import annotations

HEALTHY: dict[str, str] = {
    "plain": """
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    return loss
""",
    "by hand": """
w = T.randn(4, 1, requires_grad=True)
b = T.zeros(1, requires_grad=True)

def train_step():
    loss = ((x @ w + b - y) ** 2).mean()
    loss.backward()
    with T.no_grad():
        w.sub_(0.1 * w.grad)
        b.sub_(0.1 * b.grad)
    w.grad = b.grad = None
""",
    "by hand, .data.zero_()": """
w = T.randn(4, 1, requires_grad=True)

with viz.diagnose() as report:
    for i in range(4):
        loss = ((x @ w - y) ** 2).mean()
        loss.backward()
        w.data -= 0.1 * w.grad.data
        w.grad.data.zero_()
""",
    "zeroed through .data, stepped by an optimizer": """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    for p in net.parameters():
        if p.grad is not None:
            p.grad.data.zero_()
    F.mse_loss(net(x), y).backward()
    opt.step()
""",
    "zero_grad after the step": """
net = nn.Linear(4, 1)
opt = optim.Adam(net.parameters())

with viz.diagnose() as report:
    for i in range(4):
        loss = F.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        opt.zero_grad()
""",
    "zero_grad that keeps zeros": """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1, momentum=0.9)

def train_step():
    opt.zero_grad(set_to_none=False)
    F.mse_loss(net(x), y).backward()
    opt.step()
""",
    "a GAN": """
G = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 4))
D = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt_g, opt_d = optim.Adam(G.parameters(), lr=1e-3), optim.Adam(D.parameters(), lr=1e-3)
bce = nn.BCEWithLogitsLoss()

with viz.diagnose() as report:
    for i in range(4):
        fake = G(T.randn(16, 2))
        d_loss = bce(D(x), T.ones(16, 1)) + bce(D(fake.detach()), T.zeros(16, 1))
        opt_d.zero_grad()
        d_loss.backward()
        opt_d.step()
        g_loss = bce(D(fake), T.ones(16, 1))
        opt_g.zero_grad()
        g_loss.backward()
        opt_g.step()
""",
    "a GAN, two functions": """
G, D = nn.Linear(2, 4), nn.Linear(4, 1)
opt_g, opt_d = optim.SGD(G.parameters(), lr=0.1), optim.SGD(D.parameters(), lr=0.1)

def train_step():
    for p in D.parameters():
        p.requires_grad_(True)
    opt_d.zero_grad()
    (D(G(T.randn(16, 2)).detach()).mean() - D(x).mean()).backward()
    opt_d.step()
    for p in D.parameters():
        p.requires_grad_(False)
    opt_g.zero_grad()
    (-D(G(T.randn(16, 2))).mean()).backward()
    opt_g.step()
""",
    "four micro batches and one step": """
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)

with viz.diagnose() as report:
    for epoch in range(3):
        opt.zero_grad()
        for part in range(4):
            rows = slice(part * 4, part * 4 + 4)
            loss = F.mse_loss(net(x[rows]), y[rows]) / 4
            loss.backward()
        opt.step()
""",
    "a step every third batch": """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
count = 0

def train_step():
    global count
    loss = F.mse_loss(net(x), y) / 3
    loss.backward()
    count += 1
    if count % 3 == 0:
        opt.step()
        opt.zero_grad()
""",
    "a frozen backbone, only the head held": """
backbone = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
head = nn.Linear(8, 1)
backbone.requires_grad_(False)
backbone.eval()
opt = optim.SGD(head.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(head(backbone(x)), y)
    loss.backward()
    opt.step()
""",
    "frozen layers filtered out": """
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))
for p in net[0].parameters():
    p.requires_grad = False
opt = optim.Adam([p for p in net.parameters() if p.requires_grad], lr=1e-3)

with viz.diagnose() as report:
    for i in range(3):
        opt.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward()
        opt.step()
""",
    "features under no_grad, head trained": """
backbone, head = nn.Linear(4, 8), nn.Linear(8, 1)
opt = optim.SGD(head.parameters(), lr=0.1)

def train_step():
    with T.no_grad():
        h = backbone(x)
    opt.zero_grad()
    F.mse_loss(head(h), y).backward()
    opt.step()
""",
    "a moving average of the weights": """
import copy
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
ema = copy.deepcopy(net)
opt = optim.SGD(net.parameters(), lr=0.1)

with viz.diagnose() as report:
    for i in range(3):
        opt.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        with T.no_grad():
            for slow, fast in zip(ema.parameters(), net.parameters()):
                slow.mul_(0.9).add_(fast, alpha=0.1)
""",
    "a student and its teacher": """
teacher, student = nn.Linear(4, 3), nn.Linear(4, 3)
teacher.eval()
opt = optim.Adam(student.parameters())

def train_step():
    with T.no_grad():
        target = F.softmax(teacher(x), dim=1)
    loss = -(target * F.log_softmax(student(x), dim=1)).sum(1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "tied weights": """
class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 8)
        self.out = nn.Linear(8, 10, bias=False)
        self.out.weight = self.embed.weight

    def forward(self, i):
        return self.out(T.tanh(self.embed(i)))

net = Tied()
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.cross_entropy(net(classes), classes)
    loss.backward()
    opt.step()
""",
    "an auxiliary head each second step": """
body, head, aux = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 1)
opt = optim.SGD([*body.parameters(), *head.parameters(), *aux.parameters()], lr=0.1)

with viz.diagnose() as report:
    for i in range(6):
        h = T.tanh(body(x))
        loss = F.mse_loss(head(h), y)
        if i % 2:
            loss = loss + 0.1 * F.mse_loss(aux(h), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
""",
    "a recurrent state, detached": """
cell, head = nn.Linear(8, 8), nn.Linear(8, 1)
opt = optim.SGD([*cell.parameters(), *head.parameters()], lr=0.01)
h = T.zeros(16, 8)

with viz.diagnose() as report:
    for i in range(4):
        h = T.tanh(cell(h.detach()) + x.mean())
        loss = F.mse_loss(head(h), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
""",
    "clipped gradients": """
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.01)

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y) * 1e5
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
""",
    "two optimizers, one loss": """
body, head = nn.Linear(4, 8), nn.Linear(8, 1)
slow, fast = optim.SGD(body.parameters(), lr=0.01), optim.Adam(head.parameters(), lr=0.1)

with viz.diagnose() as report:
    for i in range(3):
        slow.zero_grad()
        fast.zero_grad()
        loss = F.mse_loss(head(T.tanh(body(x))), y)
        loss.backward()
        slow.step()
        fast.step()
""",
    "a scheduler": """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
plan = optim.lr_scheduler.StepLR(opt, 1, gamma=0.5)

with viz.diagnose() as report:
    for epoch in range(3):
        for batch in range(2):
            opt.zero_grad()
            loss = F.mse_loss(net(x), y)
            loss.backward()
            opt.step()
        plan.step()
""",
    "train, then validate": """
net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Dropout(0.1), nn.ReLU(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)
history = []

with viz.diagnose() as report:
    for epoch in range(3):
        net.train()
        total = 0.0
        for batch in range(2):
            opt.zero_grad()
            loss = F.mse_loss(net(x), y)
            loss.backward()
            opt.step()
            total += loss.item()
        history.append(total)
        net.eval()
        with T.no_grad():
            valid = F.mse_loss(net(x), y)
""",
    "batch norm held still": """
net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)
net.train()
net[1].eval()

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
""",
    "a model in eval without layers that mind": """
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
net.eval()
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
""",
    "checkpointed": """
from importlib import import_module
checkpoint = import_module(f"{T.__name__}.utils.checkpoint").checkpoint
first, second = nn.Sequential(nn.Linear(4, 8), nn.ReLU()), nn.Linear(8, 1)
opt = optim.SGD([*first.parameters(), *second.parameters()], lr=0.1)

def train_step():
    opt.zero_grad()
    h = checkpoint(first, x, use_reentrant=False)
    loss = F.mse_loss(second(h), y)
    loss.backward()
    opt.step()
""",
    "an embedding of rare words": """
embed, head = nn.Embedding(1000, 8), nn.Linear(8, 3)
opt = optim.SGD([*embed.parameters(), *head.parameters()], lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.cross_entropy(head(embed(classes)), classes)
    loss.backward()
    opt.step()
""",
    "an adapter whose second half begins at zero": """
base = nn.Linear(4, 8)
base.requires_grad_(False)
down, up = nn.Linear(4, 2, bias=False), nn.Linear(2, 8, bias=False)
nn.init.zeros_(up.weight)
opt = optim.SGD([*down.parameters(), *up.parameters()], lr=0.5)

def train_step():
    opt.zero_grad()
    out = base(x) + up(down(x))
    loss = F.mse_loss(out.sum(1, keepdim=True), y)
    loss.backward()
    opt.step()
""",
    "convolution with a bias before batch norm": """
body = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU())
net = nn.Sequential(body, nn.Flatten(), nn.Linear(64, 3))
opt = optim.SGD(net.parameters(), lr=0.1)
images = T.randn(16, 1, 6, 6)

def train_step():
    opt.zero_grad()
    loss = F.cross_entropy(net(images), classes)
    loss.backward()
    opt.step()
""",
    "several losses, one pass": """
body, a, b = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 3)
opt = optim.Adam([*body.parameters(), *a.parameters(), *b.parameters()])

def train_step():
    h = T.relu(body(x))
    losses = [F.mse_loss(a(h), y), F.cross_entropy(b(h), classes)]
    opt.zero_grad()
    sum(losses).backward()
    opt.step()
    return [l.item() for l in losses]
""",
    "two passes over one graph, as meant": """
body, a, b = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 3)
opt = optim.SGD([*body.parameters(), *a.parameters(), *b.parameters()], lr=0.1)

def train_step():
    h = T.relu(body(x))
    one, two = F.mse_loss(a(h), y), F.cross_entropy(b(h), classes)
    opt.zero_grad()
    one.backward(retain_graph=True)
    two.backward()
    opt.step()
""",
    "losses collected, then one pass": """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)

with viz.diagnose() as report:
    for epoch in range(3):
        total = 0.0
        for part in range(4):
            total += F.mse_loss(net(x[part::4]), y[part::4])
        opt.zero_grad()
        (total / 4).backward()
        opt.step()
        print(total.item())
""",
    "an input that is moved to fool the model": """
net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.ReLU(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    net.eval()
    bad = x.clone().requires_grad_()
    F.mse_loss(net(bad), y).backward()
    bad = (bad + 0.1 * bad.grad.sign()).detach()
    net.train()
    opt.zero_grad()
    F.mse_loss(net(bad), y).backward()
    opt.step()
""",
    "a gradient penalty": """
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = optim.Adam(net.parameters())

def train_step():
    point = x.clone().requires_grad_()
    out = net(point)
    (slope,) = T.autograd.grad(out.sum(), point, create_graph=True)
    loss = out.mean() + 10 * ((slope ** 2).sum(1) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "a policy and its detached value": """
body, policy, value = nn.Linear(4, 8), nn.Linear(8, 3), nn.Linear(8, 1)
opt = optim.Adam([*body.parameters(), *policy.parameters(), *value.parameters()])
rewards = T.randn(16)

def train_step():
    h = T.tanh(body(x))
    v = value(h).squeeze(1)
    advantage = rewards - v.detach()
    logp = F.log_softmax(policy(h), dim=1)
    loss = -(logp[T.arange(16), classes] * advantage).mean() + F.mse_loss(v, rewards)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "a batch with a bad loss is left out": """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)

with viz.diagnose() as report:
    for i in range(4):
        opt.zero_grad()
        loss = F.mse_loss(net(x), y) * (float("nan") if i == 1 else 1.0)
        if loss.item() != loss.item():
            continue
        loss.backward()
        opt.step()
""",
    "sequences of growing length": """
cell, head = nn.Linear(8, 8), nn.Linear(8, 1)
opt = optim.SGD([*cell.parameters(), *head.parameters()], lr=0.01)

with viz.diagnose() as report:
    for length in range(2, 6):
        h = T.zeros(16, 8)
        for t in range(length):
            h = T.tanh(cell(h) + 0.1)
        loss = F.mse_loss(head(h), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
""",
    "a whole number among the parameters": """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)
        self.count = nn.Parameter(T.tensor([3]), requires_grad=False)

    def forward(self, x):
        return self.layer(x)

net = Net()
opt = optim.SGD(net.layer.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
""",
    "an optimizer in a list, whose turn has not come": """
net = nn.Linear(4, 1)
optimizers = [optim.SGD(net.parameters(), lr=0.1)]

with viz.diagnose() as report:
    for i in range(3):
        if i == 0:
            net.zero_grad()
        if i > 5:
            for each in optimizers:
                each.step()
        F.mse_loss(net(x), y).backward()
""",
    "a parameter without elements": """
net, extra = nn.Linear(4, 1), T.zeros(0, requires_grad=True)
opt = optim.SGD([*net.parameters(), extra], lr=0.1)

def train_step():
    opt.zero_grad()
    (F.mse_loss(net(x), y) + extra.sum()).backward()
    opt.step()
""",
}

OF_TORCH: dict[str, str] = {
    "a model without numbers": """
net = nn.Linear(4, 1, device="meta")
opt = optim.SGD(net.parameters(), lr=0.1)
x, y = x.to("meta"), y.to("meta")

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
""",
    "LBFGS with a closure": """
net = nn.Linear(4, 1)
opt = optim.LBFGS(net.parameters(), lr=0.5, max_iter=4)

def train_step():
    def closure():
        opt.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward()
        return loss
    opt.step(closure)
""",
    "an LSTM with its state detached": """
lstm, head = nn.LSTM(4, 8), nn.Linear(8, 1)
opt = optim.SGD([*lstm.parameters(), *head.parameters()], lr=0.1)
sequence, state = T.randn(3, 5, 4), None

def train_step():
    global state
    if state is not None:
        state = tuple(s.detach() for s in state)
    out, state = lstm(sequence, state)
    loss = head(out).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "sparse embedding": """
embed, head = nn.Embedding(100, 8, sparse=True), nn.Linear(8, 3)
rows, rest = optim.SparseAdam(embed.parameters()), optim.Adam(head.parameters())

def train_step():
    rows.zero_grad()
    rest.zero_grad()
    F.cross_entropy(head(embed(classes)), classes).backward()
    rows.step()
    rest.step()
""",
    "a transformer layer": """
layer, head = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), nn.Linear(8, 3)
opt = optim.AdamW([*layer.parameters(), *head.parameters()], lr=1e-3)
tokens = T.randn(16, 5, 8)

def train_step():
    opt.zero_grad()
    loss = F.cross_entropy(head(layer(tokens).mean(1)), classes)
    loss.backward()
    opt.step()
""",
    "scaled gradients": """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
scaler = T.amp.GradScaler("cpu", init_scale=2.0**120)

with viz.diagnose() as report:
    for i in range(4):
        opt.zero_grad()
        loss = F.mse_loss(net(x), y) * 1e5
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
""",
    "reentrant checkpoint": """
from torch.utils.checkpoint import checkpoint
first, second = nn.Linear(4, 8), nn.Linear(8, 1)
opt = optim.SGD([*first.parameters(), *second.parameters()], lr=0.1)

def train_step():
    opt.zero_grad()
    point = x.clone().requires_grad_()
    h = checkpoint(first, point, use_reentrant=True)
    F.mse_loss(second(T.relu(h)), y).backward()
    opt.step()
""",
}
"""Those that use what only PyTorch has."""
