"""Training loops that were written by somebody who wanted to see the doctor fail, and what is right
to say of each; written as those of sick_loops.py and healthy_loops.py are.
"""

from __future__ import annotations

from .sick_loops import Sick

REVIEWED_SICK = {
    "forum: net.parameters of wrong net": Sick(
        "not_held",
        ("encoder",),
        """
encoder, decoder = (nn.Linear(4, 2), nn.Linear(2, 4))
ae = nn.Sequential(encoder, decoder)
opt = optim.Adam(decoder.parameters(), lr=0.01)
with viz.diagnose() as report:
    for epoch in range(4):
        opt.zero_grad()
        loss = F.mse_loss(ae(x), x)
        loss.backward()
        opt.step()
""",
    ),
    "dict of heads hidden in trainer model": Sick(
        "hidden",
        ("self.heads['mse']",),
        """
class MultiHead(nn.Module):

    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.heads = {'mse': nn.Linear(8, 1), 'ce': nn.Linear(8, 3)}

    def forward(self, x):
        z = F.relu(self.body(x))
        return {k: h(z) for k, h in self.heads.items()}
net = MultiHead()
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    out = net(x)
    loss = F.mse_loss(out['mse'], y) + F.cross_entropy(out['ce'], classes)
    loss.backward()
    opt.step()
""",
    ),
    "parameters in a plain list": Sick(
        "hidden_tensors",
        ("self.scales[0]",),
        """
class Net(nn.Module):

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 1)
        self.scales = [nn.Parameter(T.ones(1)) for _ in range(2)]

    def forward(self, x):
        return self.lin(x) * self.scales[0] + self.scales[1]
net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
""",
    ),
    "opt made, then model rebuilt in a function": Sick(
        "held_elsewhere",
        ("optimizer",),
        """
def build():
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
model = build()
optimizer = optim.Adam(model.parameters())
model = build()
with viz.diagnose() as report:
    for i in range(4):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), classes)
        loss.backward()
        optimizer.step()
""",
    ),
    "fc replaced after optimizer (transfer)": Sick(
        "held_elsewhere",
        ("fc",),
        """
class Res(nn.Module):

    def __init__(self):
        super().__init__()
        self.conv = nn.Linear(4, 8)
        self.fc = nn.Linear(8, 10)

    def forward(self, x):
        return self.fc(F.relu(self.conv(x)))
model = Res()
optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
model.fc = nn.Linear(model.fc.in_features, 3)

def train_step():
    optimizer.zero_grad()
    F.cross_entropy(model(x), classes).backward()
    optimizer.step()
""",
    ),
    "all frozen but optimizer all": Sick(
        "frozen",
        ("body",),
        """
class Net(nn.Module):

    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        return self.head(F.relu(self.body(x)))
net = Net()
for name, p in net.named_parameters():
    if not name.startswith('head'):
        p.requires_grad = False
opt = optim.Adam(net.parameters(), lr=0.001)
with viz.diagnose() as report:
    for i in range(3):
        opt.zero_grad()
        F.cross_entropy(net(x), classes).backward()
        opt.step()
""",
    ),
    "detach of encoder output": Sick(
        "cut",
        ("encoder", "detach"),
        """
encoder, decoder = (nn.Sequential(nn.Linear(4, 2), nn.Tanh()), nn.Linear(2, 4))
opt = optim.Adam(list(encoder.parameters()) + list(decoder.parameters()), lr=0.01)

def train_step():
    z = encoder(x).detach()
    loss = F.mse_loss(decoder(z), x)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    ),
    "tensor(...) of out in loss": Sick(
        "cut",
        ("tensor",),
        """
a, b = (nn.Linear(4, 3), nn.Linear(4, 3))
opt = optim.SGD([*a.parameters(), *b.parameters()], lr=0.1)

def train_step():
    pa = a(x)
    pb = T.tensor(b(x).tolist())
    loss = F.cross_entropy(pa + pb, classes)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    ),
    "argmax of first stage": Sick(
        "cut",
        ("argmax",),
        """
stage1 = nn.Linear(4, 5)
emb = nn.Embedding(5, 4)
stage2 = nn.Linear(4, 3)
opt = optim.Adam([*stage1.parameters(), *emb.parameters(), *stage2.parameters()])
with viz.diagnose() as report:
    for i in range(3):
        ids = stage1(x).argmax(1)
        loss = F.cross_entropy(stage2(emb(ids)), classes)
        opt.zero_grad()
        loss.backward()
        opt.step()
""",
    ),
    "threshold of a learned gate": Sick(
        "cut",
        ("gate",),
        """
class Gated(nn.Module):

    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(4, 8)
        self.lin = nn.Linear(4, 8)
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        g = (T.sigmoid(self.gate(x)) > 0.5).float()
        return self.out(g * self.lin(x))
net = Gated()
opt = optim.Adam(net.parameters())

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
""",
    ),
    "reparam under no_grad": Sick(
        "cut",
        ("logvar",),
        """
class VAE(nn.Module):

    def __init__(self):
        super().__init__()
        self.mu = nn.Linear(4, 2)
        self.logvar = nn.Linear(4, 2)
        self.dec = nn.Linear(2, 4)

    def sample(self, mu, logvar):
        with T.no_grad():
            noise = T.randn(16, 2) * (0.5 * logvar).exp()
        return mu + noise

    def forward(self, x):
        mu, lv = (self.mu(x), self.logvar(x))
        return self.dec(self.sample(mu, lv))
vae = VAE()
opt = optim.Adam(vae.parameters())

def train_step():
    opt.zero_grad()
    F.mse_loss(vae(x), x).backward()
    opt.step()
""",
    ),
    "no_grad around bert-like encoder": Sick(
        "no_grad",
        ("encoder",),
        """
class Clf(nn.Module):

    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(4, 8), nn.GELU())
        self.cls = nn.Linear(8, 3)

    def forward(self, x):
        with T.no_grad():
            h = self.encoder(x)
        return self.cls(h)
model = Clf()
optimizer = optim.AdamW(model.parameters(), lr=0.001)
with viz.diagnose() as report:
    for epoch in range(2):
        for i in range(0, 16, 4):
            loss = F.cross_entropy(model(x[i:i + 4]), classes[i:i + 4])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
""",
    ),
    "layer defined not used": Sick(
        "not_called",
        ("fc2",),
        """
class Net(nn.Module):

    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 8)
        self.fc2 = nn.Linear(8, 8)
        self.fc3 = nn.Linear(8, 3)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc1(x[:, :4]))
        return self.fc3(x)
net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    F.cross_entropy(net(x), classes).backward()
    opt.step()
""",
    ),
    "loss of wrong variable (second head never in loss)": Sick(
        "cut",
        ("head2",),
        """
trunk, head1, head2 = (nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 3))
opt = optim.Adam([*trunk.parameters(), *head1.parameters(), *head2.parameters()])

def train_step():
    z = F.relu(trunk(x))
    o1, o2 = (head1(z), head2(z))
    loss = F.mse_loss(o1, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    ),
    "dying relu by huge bias": Sick(
        "zero",
        (),
        """
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
net[0].bias.data.fill_(-100.0)
opt = optim.SGD(net.parameters(), lr=0.01)

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
""",
    ),
    "all weights zero": Sick(
        "zero",
        (),
        """
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
for p in net.parameters():
    nn.init.zeros_(p)
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    F.cross_entropy(net(x), classes).backward()
    opt.step()
""",
    ),
    "unnormalised targets blow up": Sick(
        "exploding",
        (),
        """
house = T.randn(16, 4) * 1000
price = T.randn(16, 1) * 100000.0
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
opt = optim.SGD(net.parameters(), lr=0.01)
with viz.diagnose() as report:
    for i in range(5):
        loss = F.mse_loss(net(house), price)
        opt.zero_grad()
        loss.backward()
        opt.step()
""",
    ),
    "lr 1000": Sick(
        "exploding",
        (),
        """
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
opt = optim.SGD(net.parameters(), lr=1000000.0)
with viz.diagnose() as report:
    for i in range(5):
        loss = F.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
""",
    ),
    "log softmax by hand overflow": Sick(
        "nan",
        (),
        """
net = nn.Linear(4, 3)
net.weight.data.mul_(1000)
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    e = net(x).exp()
    p = e / e.sum(1, keepdim=True)
    loss = -p.gather(1, classes.view(-1, 1)).log().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    ),
    "std of one sample": Sick(
        "nan",
        (),
        """
net = nn.Linear(4, 1)
opt = optim.Adam(net.parameters())

def train_step():
    out = net(x[:1])
    loss = (out / out.std()).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    ),
    "norm at zero distance": Sick(
        "nan",
        (),
        """
emb = nn.Linear(4, 3)
opt = optim.SGD(emb.parameters(), lr=0.1)

def train_step():
    a, b = (emb(x), emb(x.clone()))
    loss = (a - b).pow(2).sum(1).sqrt().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    ),
    "nan in the data": Sick(
        "nan",
        (),
        """
x[3, 1] = float('nan')
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
""",
    ),
    "running_loss += loss": Sick(
        "kept",
        ("running_loss",),
        """
net = nn.Linear(4, 3)
opt = optim.SGD(net.parameters(), lr=0.1)
with viz.diagnose() as report:
    for epoch in range(2):
        running_loss = 0.0
        for i in range(0, 16, 4):
            opt.zero_grad()
            out = net(x[i:i + 4])
            loss = F.cross_entropy(out, classes[i:i + 4])
            loss.backward()
            opt.step()
            running_loss += loss
""",
    ),
    "history of trainer appends loss": Sick(
        "kept",
        ("losses",),
        """
class Trainer:

    def __init__(self):
        self.net = nn.Linear(4, 3)
        self.opt = optim.SGD(self.net.parameters(), lr=0.1)
        self.losses = []

    def step(self):
        self.opt.zero_grad()
        loss = F.cross_entropy(self.net(x), classes)
        loss.backward()
        self.opt.step()
        self.losses.append(loss)
trainer = Trainer()
train_step = trainer.step
""",
    ),
    "dict of logs keeps outputs": Sick(
        "kept",
        ("logs",),
        """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
logs = {'out': [], 'loss': []}
with viz.diagnose() as report:
    for i in range(4):
        out = net(x)
        loss = F.mse_loss(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        logs['loss'].append(loss)
""",
    ),
    "hidden carried, error": Sick(
        "failed",
        ("detach",),
        """
Wx, Wh, out = (nn.Linear(1, 6), nn.Linear(6, 6), nn.Linear(6, 1))
opt = optim.SGD([*Wx.parameters(), *Wh.parameters(), *out.parameters()], lr=0.001)
h = T.zeros(1, 6)

def train_step():
    global h
    h = T.tanh(Wx(T.ones(1, 1)) + Wh(h))
    loss = out(h).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    ),
    "inplace relu on saved sigmoid": Sick(
        "failed",
        (),
        """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    p = T.sigmoid(net(x))
    p *= 0.9
    loss = F.mse_loss(p, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    ),
    "forgot zero_grad in loader loop": Sick(
        "not_cleared",
        ("zero_grad",),
        """
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
optimizer = optim.Adam(model.parameters(), lr=0.001)
criterion = nn.CrossEntropyLoss()
with viz.diagnose() as report:
    for epoch in range(2):
        for i in range(0, 16, 4):
            outputs = model(x[i:i + 4])
            loss = criterion(outputs, classes[i:i + 4])
            loss.backward()
            optimizer.step()
""",
    ),
    "zero_grad per epoch only": Sick(
        "not_cleared",
        ("zero_grad",),
        """
model = nn.Linear(4, 3)
optimizer = optim.SGD(model.parameters(), lr=0.1)
with viz.diagnose() as report:
    for epoch in range(2):
        optimizer.zero_grad()
        for i in range(0, 16, 4):
            loss = F.cross_entropy(model(x[i:i + 4]), classes[i:i + 4])
            loss.backward()
            optimizer.step()
""",
    ),
    "gan: D never cleared of G's gradients": Sick(
        "not_cleared",
        (),
        """
G, D = (nn.Linear(2, 4), nn.Linear(4, 1))
oG, oD = (optim.SGD(G.parameters(), lr=0.1), optim.SGD(D.parameters(), lr=0.1))
bce = F.binary_cross_entropy_with_logits
with viz.diagnose() as report:
    for i in range(4):
        fake = G(T.randn(16, 2))
        d = bce(D(x), T.ones(16, 1)) + bce(D(fake.detach()), T.zeros(16, 1))
        d.backward()
        oD.step()
        oG.zero_grad()
        g = bce(D(fake), T.ones(16, 1))
        g.backward()
        oG.step()
""",
    ),
    "zero_grad right before step": Sick(
        "cleared_early",
        ("zero_grad",),
        """
model = nn.Linear(4, 3)
optimizer = optim.SGD(model.parameters(), lr=0.1)
with viz.diagnose() as report:
    for i in range(0, 16, 4):
        loss = F.cross_entropy(model(x[i:i + 4]), classes[i:i + 4])
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
""",
    ),
    "step without backward": Sick(
        "no_pass",
        ("backward",),
        """
model = nn.Linear(4, 3)
optimizer = optim.SGD(model.parameters(), lr=0.1)
with viz.diagnose() as report:
    for i in range(0, 16, 4):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x[i:i + 4]), classes[i:i + 4])
        optimizer.step()
""",
    ),
    "step in both loops": Sick(
        "taken_twice",
        ("step",),
        """
model = nn.Linear(4, 3)
optimizer = optim.Adam(model.parameters())

def train_one(xb, yb):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(xb), yb)
    loss.backward()
    optimizer.step()
    return loss.item()
with viz.diagnose() as report:
    for i in range(0, 16, 4):
        train_one(x[i:i + 4], classes[i:i + 4])
        optimizer.step()
""",
    ),
    "eval after validation not switched back": Sick(
        "eval",
        ("train()",),
        """
net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.5), nn.Linear(8, 3))
opt = optim.Adam(net.parameters())
net.train()

def evaluate():
    net.eval()
    with T.no_grad():
        return (net(x).argmax(1) == classes).float().mean().item()
with viz.diagnose() as report:
    for epoch in range(3):
        for i in range(0, 16, 8):
            opt.zero_grad()
            F.cross_entropy(net(x[i:i + 8]), classes[i:i + 8]).backward()
            opt.step()
        evaluate()
""",
    ),
    "eval() from the start for finetuning": Sick(
        "eval",
        ("Dropout",),
        """
model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.3), nn.Linear(8, 3)).eval()
optimizer = optim.AdamW(model.parameters())

def train_step():
    optimizer.zero_grad()
    F.cross_entropy(model(x), classes).backward()
    optimizer.step()
""",
    ),
    "set_grad_enabled(False) left by eval fn": Sick(
        "failed",
        ("no_grad",),
        """
net = nn.Linear(4, 3)
opt = optim.SGD(net.parameters(), lr=0.1)

def evaluate():
    T.set_grad_enabled(False)
    return F.cross_entropy(net(x), classes).item()

def train_step():
    opt.zero_grad()
    loss = F.cross_entropy(net(x), classes)
    loss.backward()
    opt.step()
    evaluate()
""",
    ),
    "custom optimizer without zero_grad": Sick(
        "not_cleared_by_hand",
        (),
        """
class MySGD:

    def __init__(self, params, lr):
        self.params, self.lr = (list(params), lr)

    def step(self):
        with T.no_grad():
            for p in self.params:
                p -= self.lr * p.grad
net = nn.Linear(4, 3)
opt = MySGD(net.parameters(), 0.1)

def train_step():
    F.cross_entropy(net(x), classes).backward()
    opt.step()
""",
    ),
    "by hand, grads never zeroed": Sick(
        "not_cleared_by_hand",
        (),
        """
w = T.randn(4, 1, requires_grad=True)
b = T.zeros(1, requires_grad=True)
with viz.diagnose() as report:
    for epoch in range(5):
        loss = ((x @ w + b - y) ** 2).mean()
        loss.backward()
        with T.no_grad():
            w -= 0.01 * w.grad
            b -= 0.01 * b.grad
""",
    ),
    "rl: log probs detached (item)": Sick(
        "failed",
        (),
        """
policy = nn.Linear(4, 2)
opt = optim.Adam(policy.parameters())

def train_step():
    lps = []
    for t in range(3):
        lp = F.log_softmax(policy(T.randn(4)), -1)
        lps.append(lp[0].item())
    loss = -T.tensor(lps).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    ),
    "lora but optimizer gets only base": Sick(
        "not_held frozen",
        ("A",),
        """
class LoRA(nn.Module):

    def __init__(self, base, r=2):
        super().__init__()
        self.base = base
        base.requires_grad_(False)
        self.A = nn.Parameter(T.randn(4, r) * 0.1)
        self.B = nn.Parameter(T.randn(r, 3) * 0.1)

    def forward(self, x):
        return self.base(x) + x @ self.A @ self.B
net = LoRA(nn.Linear(4, 3))
opt = optim.SGD(net.base.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    F.cross_entropy(net(x), classes).backward()
    opt.step()
""",
    ),
    "multi optimizer, one forgotten to step": Sick(
        "no_step",
        ("ob",),
        """
a, b = (nn.Linear(4, 8), nn.Linear(8, 1))
oa, ob = (optim.SGD(a.parameters(), lr=0.1), optim.SGD(b.parameters(), lr=0.1))

def train_step():
    oa.zero_grad()
    ob.zero_grad()
    F.mse_loss(b(F.relu(a(x))), y).backward()
    oa.step()
""",
    ),
    "hook returning zeros": Sick(
        "zero",
        (),
        """
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    h = net[0](x)
    h.register_hook(lambda g: g * 0)
    F.mse_loss(net[2](F.relu(h)), y).backward()
    opt.step()
""",
    ),
    "backward twice by accident (loss and in helper)": Sick(
        "taken_twice",
        (),
        """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)

def log(loss):
    loss.backward(retain_graph=True)
    return [p.grad.norm().item() for p in net.parameters()]

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    log(loss)
    loss.backward()
    opt.step()
""",
    ),
    "forgot step altogether": Sick(
        "no_step",
        ("step()",),
        """
net = nn.Linear(4, 3)
opt = optim.SGD(net.parameters(), lr=0.1)
with viz.diagnose() as report:
    for epoch in range(3):
        for i in range(0, 16, 4):
            opt.zero_grad()
            loss = F.cross_entropy(net(x[i:i + 4]), classes[i:i + 4])
            loss.backward()
""",
    ),
    "forgot step in a trainer": Sick(
        "no_step",
        ("t.opt",),
        """
class Trainer:

    def __init__(self):
        self.net = nn.Linear(4, 3)
        self.opt = optim.SGD(self.net.parameters(), lr=0.1)
        self.sched = optim.lr_scheduler.StepLR(self.opt, 1)

    def step(self):
        self.opt.zero_grad()
        loss = F.cross_entropy(self.net(x), classes)
        loss.backward()
t = Trainer()
train_step = t.step
""",
    ),
    "plain tensor as attribute of a module": Sick(
        "hidden_tensors",
        ("self.bias",),
        """
class Net(nn.Module):

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 1, bias=False)
        self.bias = T.zeros(1, requires_grad=True)

    def forward(self, x):
        return self.lin(x) + self.bias
net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
""",
    ),
    "by hand, .data and no zero": Sick(
        "not_cleared_by_hand",
        ("w",),
        """
w = T.randn(4, 1, requires_grad=True)
with viz.diagnose() as report:
    for epoch in range(5):
        loss = ((x @ w - y) ** 2).mean()
        loss.backward()
        w.data -= 0.01 * w.grad.data
""",
    ),
    "seq2seq: decoder optimizer forgotten": Sick(
        "no_step",
        ("dec_opt",),
        """
enc, dec = (nn.Linear(4, 6), nn.Linear(6, 4))
enc_opt, dec_opt = (optim.SGD(enc.parameters(), lr=0.1), optim.SGD(dec.parameters(), lr=0.1))
with viz.diagnose() as report:
    for i in range(5):
        enc_opt.zero_grad()
        dec_opt.zero_grad()
        loss = F.mse_loss(dec(F.relu(enc(x))), x)
        loss.backward()
        enc_opt.step()
""",
    ),
    "best model kept, sum over epoch": Sick(
        "kept",
        ("epoch_loss",),
        """
net = nn.Linear(4, 3)
opt = optim.SGD(net.parameters(), lr=0.1)

def run_epoch():
    epoch_loss = 0
    for i in range(0, 16, 4):
        loss = F.cross_entropy(net(x[i:i + 4]), classes[i:i + 4])
        opt.zero_grad()
        loss.backward()
        opt.step()
        epoch_loss += loss
    return epoch_loss / 4
with viz.diagnose() as report:
    for epoch in range(2):
        mean = run_epoch().item()
""",
    ),
    "layer norm params as tensors": Sick(
        "hidden_tensors",
        ("self.gamma",),
        """
class Norm(nn.Module):

    def __init__(self):
        super().__init__()
        self.gamma = T.ones(8, requires_grad=True)
        self.beta = T.zeros(8, requires_grad=True)
        self.pre = nn.Linear(8, 8)

    def forward(self, h):
        h = self.pre(h)
        return self.gamma * (h - h.mean(1, keepdim=True)) + self.beta
net = nn.Sequential(nn.Linear(4, 8), Norm(), nn.Linear(8, 1))
opt = optim.Adam(net.parameters())

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
""",
    ),
    "by hand, two layers": Sick(
        "not_cleared_by_hand",
        ("W1",),
        """
W1 = (0.1 * T.randn(4, 8)).requires_grad_()
W2 = (0.1 * T.randn(8, 1)).requires_grad_()
lr = 0.05
with viz.diagnose() as report:
    for epoch in range(4):
        h = (x @ W1).clamp(min=0)
        loss = (h @ W2 - y).pow(2).sum()
        loss.backward()
        with T.no_grad():
            W1 -= lr * W1.grad
            W2 -= lr * W2.grad
""",
    ),
    "data with a missing value, conv of features": Sick(
        "nan",
        ("data",),
        """
x[2, 0] = float('inf')
stem, head = (nn.Linear(4, 8), nn.Linear(8, 3))
opt = optim.SGD([*stem.parameters(), *head.parameters()], lr=0.1)
with viz.diagnose() as report:
    for i in range(3):
        opt.zero_grad()
        F.cross_entropy(head(T.tanh(stem(x)) * stem(x)), classes).backward()
        opt.step()
""",
    ),
}

REVIEWED_HEALTHY = {
    "ema with lerp_": """
import copy
net = nn.Linear(4, 3)
ema = copy.deepcopy(net)
for p in ema.parameters():
    p.requires_grad_(False)
opt = optim.Adam(net.parameters())

def train_step():
    opt.zero_grad()
    F.cross_entropy(net(x), classes).backward()
    opt.step()
    with T.no_grad():
        for pe, p in zip(ema.parameters(), net.parameters()):
            pe.mul_(0.99).add_(p, alpha=0.01)
""",
    "accumulation with normalised loss, loader remainder": """
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
accum = 3
batches = [(x[i:i + 2], y[i:i + 2]) for i in range(0, 16, 2)]
with viz.diagnose() as report:
    opt.zero_grad()
    for epoch in range(2):
        for i, (xb, yb) in enumerate(batches):
            loss = F.mse_loss(net(xb), yb) / accum
            loss.backward()
            if (i + 1) % accum == 0 or i + 1 == len(batches):
                opt.step()
                opt.zero_grad()
""",
    "dcgan loop with two backward for D": """
netG = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 4))
netD = nn.Sequential(nn.Linear(4, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1), nn.Sigmoid())
criterion = nn.BCELoss()
optD = optim.Adam(netD.parameters(), lr=0.0002, betas=(0.5, 0.999))
optG = optim.Adam(netG.parameters(), lr=0.0002, betas=(0.5, 0.999))
with viz.diagnose() as report:
    for it in range(4):
        netD.zero_grad()
        label = T.ones(16)
        errD_real = criterion(netD(x).view(-1), label)
        errD_real.backward()
        noise = T.randn(16, 2)
        fake = netG(noise)
        errD_fake = criterion(netD(fake.detach()).view(-1), T.zeros(16))
        errD_fake.backward()
        errD = errD_real + errD_fake
        optD.step()
        netG.zero_grad()
        errG = criterion(netD(fake).view(-1), label)
        errG.backward()
        optG.step()
""",
    "wgan with weight clipping": """
G = nn.Linear(2, 4)
D = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
oG = optim.RMSprop(G.parameters(), lr=5e-05)
oD = optim.RMSprop(D.parameters(), lr=5e-05)

def train_step():
    for _ in range(3):
        oD.zero_grad()
        loss_d = -(D(x).mean() - D(G(T.randn(16, 2)).detach()).mean())
        loss_d.backward()
        oD.step()
        for p in D.parameters():
            p.data.clamp_(-0.01, 0.01)
    oG.zero_grad()
    loss_g = -D(G(T.randn(16, 2))).mean()
    loss_g.backward()
    oG.step()
""",
    "reinforce": """
policy = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
opt = optim.Adam(policy.parameters(), lr=0.01)
eps = 1e-08

def run_episode():
    log_probs, rewards = ([], [])
    s = T.randn(4)
    for t in range(5):
        lp = F.log_softmax(policy(s), dim=-1)
        a = int(T.multinomial(lp.exp().detach(), 1).item())
        log_probs.append(lp[a])
        rewards.append(float(a == 0) + 0.1 * t)
        s = T.randn(4)
    return (log_probs, rewards)
with viz.diagnose() as report:
    for ep in range(4):
        log_probs, rewards = run_episode()
        R, returns = (0.0, [])
        for r in rewards[::-1]:
            R = r + 0.9 * R
            returns.insert(0, R)
        returns = T.tensor(returns)
        returns = (returns - returns.mean()) / (returns.std() + eps)
        loss = T.stack([-lp * r for lp, r in zip(log_probs, returns)]).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
""",
    "dqn with target net sync": """
import random
q = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
target = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
target.load_state_dict(q.state_dict())
target.eval()
opt = optim.Adam(q.parameters(), lr=0.001)
memory = [(T.randn(4), i % 2, float(i % 3), T.randn(4)) for i in range(20)]
steps = 0

def optimize():
    global steps
    batch = random.sample(memory, 8)
    s = T.stack([b[0] for b in batch])
    a = T.tensor([[b[1]] for b in batch])
    r = T.tensor([b[2] for b in batch])
    s2 = T.stack([b[3] for b in batch])
    qsa = q(s).gather(1, a).squeeze(1)
    with T.no_grad():
        best = target(s2).max(1)[0]
    loss = F.smooth_l1_loss(qsa, r + 0.99 * best)
    opt.zero_grad()
    loss.backward()
    for p in q.parameters():
        p.grad.data.clamp_(-1, 1)
    opt.step()
    steps += 1
    if steps % 2 == 0:
        target.load_state_dict(q.state_dict())
train_step = optimize
""",
    "actor critic two optimizers shared reward": """
actor = nn.Linear(4, 2)
critic = nn.Linear(4, 1)
oa = optim.Adam(actor.parameters())
oc = optim.Adam(critic.parameters())

def train_step():
    s, s2 = (T.randn(8, 4), T.randn(8, 4))
    logp = F.log_softmax(actor(s), 1)[:, 0]
    v = critic(s).squeeze(1)
    with T.no_grad():
        target = 1.0 + 0.9 * critic(s2).squeeze(1)
    adv = target - v
    oa.zero_grad()
    (-logp * adv.detach()).mean().backward()
    oa.step()
    oc.zero_grad()
    adv.pow(2).mean().backward()
    oc.step()
""",
    "ddpg: actor loss through critic": """
actor = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1), nn.Tanh())
critic = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
ao = optim.Adam(actor.parameters(), lr=0.001)
co = optim.Adam(critic.parameters(), lr=0.001)

def train_step():
    a = T.randn(16, 1)
    q = critic(T.cat([x, a], 1))
    co.zero_grad()
    F.mse_loss(q, y).backward()
    co.step()
    actor_loss = -critic(T.cat([x, actor(x)], 1)).mean()
    ao.zero_grad()
    actor_loss.backward()
    ao.step()
""",
    "siamese contrastive": """
emb = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
opt = optim.Adam(emb.parameters(), lr=0.01)

def train_step():
    a, b = (emb(x), emb(x + T.randn(16, 4)))
    same = (T.arange(16) % 2).float()
    d = (a - b).pow(2).sum(1).add(1e-06).sqrt()
    loss = (same * d.pow(2) + (1 - same) * F.relu(1.0 - d).pow(2)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "triplet with satisfied margin": """
emb = nn.Linear(4, 3)
opt = optim.SGD(emb.parameters(), lr=0.01)

def train_step():
    a, p, n = (emb(x), emb(x), emb(x + 100))
    loss = F.relu((a - p).pow(2).sum(1) - (a - n).pow(2).sum(1) + 0.1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "simclr info nce": """
enc = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
proj = nn.Linear(8, 4)
opt = optim.SGD([*enc.parameters(), *proj.parameters()], lr=0.1)

def train_step():
    z1 = F.normalize(proj(enc(x + 0.1 * T.randn(16, 4))), dim=1)
    z2 = F.normalize(proj(enc(x + 0.1 * T.randn(16, 4))), dim=1)
    logits = z1 @ z2.t() / 0.1
    loss = F.cross_entropy(logits, T.arange(16))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "moco: queue and momentum encoder": """
import copy
q = nn.Linear(4, 3)
k = copy.deepcopy(q)
for p in k.parameters():
    p.requires_grad = False
queue = T.randn(6, 3)
opt = optim.SGD(q.parameters(), lr=0.1)
with viz.diagnose() as report:
    for i in range(4):
        with T.no_grad():
            for a, b in zip(k.parameters(), q.parameters()):
                a.data = a.data * 0.99 + b.data * 0.01
            keys = F.normalize(k(x), dim=1)
        z = F.normalize(q(x), dim=1)
        logits = T.cat([(z * keys).sum(1, keepdim=True), z @ queue.t()], 1)
        loss = F.cross_entropy(logits / 0.2, T.zeros(16).long())
        opt.zero_grad()
        loss.backward()
        opt.step()
        queue = T.cat([queue, keys])[-6:]
""",
    "vae": """
class VAE(nn.Module):

    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 8)
        self.fc21 = nn.Linear(8, 2)
        self.fc22 = nn.Linear(8, 2)
        self.fc3 = nn.Linear(2, 8)
        self.fc4 = nn.Linear(8, 4)

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return (self.fc21(h1), self.fc22(h1))

    def reparameterize(self, mu, logvar):
        std = T.exp(0.5 * logvar)
        return mu + T.randn_like(std) * std

    def decode(self, z):
        return T.sigmoid(self.fc4(F.relu(self.fc3(z))))

    def forward(self, x):
        mu, logvar = self.encode(x)
        return (self.decode(self.reparameterize(mu, logvar)), mu, logvar)
model = VAE()
optimizer = optim.Adam(model.parameters(), lr=0.001)
with viz.diagnose() as report:
    for epoch in range(3):
        model.train()
        train_loss = 0
        for i in range(0, 16, 8):
            data = T.sigmoid(x[i:i + 8])
            optimizer.zero_grad()
            recon, mu, logvar = model(data)
            BCE = F.binary_cross_entropy(recon, data, reduction='sum')
            KLD = -0.5 * T.sum(1 + logvar - mu.pow(2) - logvar.exp())
            loss = BCE + KLD
            loss.backward()
            train_loss += loss.item()
            optimizer.step()
""",
    "vq-vae straight through": """
enc, dec = (nn.Linear(4, 3), nn.Linear(3, 4))
book = nn.Embedding(5, 3)
book.weight.data.uniform_(-0.2, 0.2)
opt = optim.Adam([*enc.parameters(), *dec.parameters(), *book.parameters()], lr=0.001)

def train_step():
    z = enc(x)
    d = z.pow(2).sum(1, keepdim=True) + book.weight.pow(2).sum(1) - 2 * z @ book.weight.t()
    idx = d.argmin(1)
    e = book(idx)
    vq = F.mse_loss(e, z.detach()) + 0.25 * F.mse_loss(z, e.detach())
    st = z + (e - z).detach()
    loss = F.mse_loss(dec(st), x) + vq
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "tiny gpt written out": """
class Attn(nn.Module):

    def __init__(self, d):
        super().__init__()
        self.qkv = nn.Linear(d, 3 * d)
        self.out = nn.Linear(d, d)
        self.register_buffer('mask', T.tril(T.ones(6, 6)))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        att = q @ k.transpose(-2, -1) / 8 ** 0.5
        att = att.masked_fill(self.mask == 0, float('-inf'))
        return self.out(F.softmax(att, dim=-1) @ v)

class Block(nn.Module):

    def __init__(self, d):
        super().__init__()
        self.ln1 = nn.LayerNorm(d)
        self.ln2 = nn.LayerNorm(d)
        self.att = Attn(d)
        self.mlp = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x):
        x = x + self.att(self.ln1(x))
        return x + self.mlp(self.ln2(x))

class GPT(nn.Module):

    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(10, 8)
        self.pos = nn.Embedding(6, 8)
        self.blocks = nn.Sequential(Block(8), Block(8))
        self.head = nn.Linear(8, 10, bias=False)
        self.head.weight = self.tok.weight

    def forward(self, i):
        return self.head(self.blocks(self.tok(i) + self.pos(T.arange(6))))
gpt = GPT()
opt = optim.AdamW(gpt.parameters(), lr=0.001)
seq = T.randint(0, 10, (4, 6))

def train_step():
    logits = gpt(seq)
    loss = F.cross_entropy(logits.view(-1, 10), seq.roll(-1, 1).view(-1))
    opt.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(gpt.parameters(), 1.0)
    opt.step()
""",
    "transfer learning: frozen, bn in eval, filter": """
backbone = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU())
for p in backbone.parameters():
    p.requires_grad = False
model = nn.Sequential(backbone, nn.Linear(8, 3))
opt = optim.SGD(filter(lambda p: p.requires_grad, model.parameters()), lr=0.1)

def train_step():
    model.train()
    backbone.eval()
    loss = F.cross_entropy(model(x), classes)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "unfreeze at epoch 1 by add_param_group": """
backbone, head = (nn.Linear(4, 8), nn.Linear(8, 3))
for p in backbone.parameters():
    p.requires_grad = False
opt = optim.SGD(head.parameters(), lr=0.1)
with viz.diagnose() as report:
    for epoch in range(4):
        if epoch == 1:
            for p in backbone.parameters():
                p.requires_grad = True
            opt.add_param_group({'params': list(backbone.parameters()), 'lr': 0.01})
        loss = F.cross_entropy(head(F.relu(backbone(x))), classes)
        opt.zero_grad()
        loss.backward()
        opt.step()
""",
    "lora": """
class LoRA(nn.Module):

    def __init__(self, base, r=2):
        super().__init__()
        self.base = base
        for p in base.parameters():
            p.requires_grad_(False)
        self.A = nn.Parameter(T.randn(base.in_features, r) * 0.01)
        self.B = nn.Parameter(T.zeros(r, base.out_features))

    def forward(self, x):
        return self.base(x) + x @ self.A @ self.B
net = nn.Sequential(LoRA(nn.Linear(4, 8)), nn.ReLU(), LoRA(nn.Linear(8, 3)))
opt = optim.AdamW([p for p in net.parameters() if p.requires_grad], lr=0.01)

def train_step():
    opt.zero_grad()
    loss = F.cross_entropy(net(x), classes)
    loss.backward()
    opt.step()
""",
    "prompt tuning of a frozen model": """
frozen = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 3)).eval()
frozen.requires_grad_(False)
prompt = nn.Parameter(T.zeros(4))
opt = optim.Adam([prompt], lr=0.1)
with viz.diagnose() as report:
    for i in range(5):
        loss = F.cross_entropy(frozen(x + prompt), classes)
        opt.zero_grad()
        loss.backward()
        opt.step()
""",
    "closure with sgd": """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.05)

def train_step():

    def closure():
        opt.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward()
        return loss
    return opt.step(closure)
""",
    "checkpointed segments": """
cp = T.utils.checkpoint.checkpoint
a = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
b = nn.Sequential(nn.Linear(8, 8), nn.ReLU())
c = nn.Linear(8, 1)
opt = optim.Adam([*a.parameters(), *b.parameters(), *c.parameters()])

def train_step():
    h = cp(a, x, use_reentrant=False)
    h = cp(b, h, use_reentrant=False)
    loss = F.mse_loss(c(h), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "rnn cell tbptt k steps": """
Wx, Wh = (nn.Linear(1, 6), nn.Linear(6, 6))
out = nn.Linear(6, 1)
params = [*Wx.parameters(), *Wh.parameters(), *out.parameters()]
opt = optim.SGD(params, lr=0.05)
seq = T.sin(T.arange(24).float()).view(24, 1, 1)
with viz.diagnose() as report:
    h = T.zeros(1, 6)
    loss = 0.0
    for t in range(23):
        h = T.tanh(Wx(seq[t]) + Wh(h))
        loss = loss + (out(h) - seq[t + 1]).pow(2).mean()
        if (t + 1) % 5 == 0:
            opt.zero_grad()
            loss.backward()
            opt.step()
            h = h.detach()
            loss = 0.0
""",
    "model surgery then new optimizer": """
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 10))
opt = optim.SGD(net.parameters(), lr=0.1)
F.cross_entropy(net(x), classes).backward()
opt.step()
opt.zero_grad()
net[2] = nn.Linear(8, 3)
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.cross_entropy(net(x), classes)
    loss.backward()
    opt.step()
""",
    "del of loss and out": """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
with viz.diagnose() as report:
    for i in range(4):
        out = net(x)
        loss = F.mse_loss(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        del out, loss
""",
    "retain_graph for two losses": """
trunk = nn.Linear(4, 8)
h1, h2 = (nn.Linear(8, 1), nn.Linear(8, 3))
opt = optim.SGD([*trunk.parameters(), *h1.parameters(), *h2.parameters()], lr=0.1)

def train_step():
    opt.zero_grad()
    z = T.tanh(trunk(x))
    l1, l2 = (F.mse_loss(h1(z), y), F.cross_entropy(h2(z), classes))
    l1.backward(retain_graph=True)
    l2.backward()
    opt.step()
""",
    "gradient reversal by hook": """
feat, dom, lab = (nn.Linear(4, 8), nn.Linear(8, 2), nn.Linear(8, 3))
opt = optim.Adam([*feat.parameters(), *dom.parameters(), *lab.parameters()])

def train_step():
    z = F.relu(feat(x))
    r = z * 1.0
    r.register_hook(lambda g: -0.5 * g)
    loss = F.cross_entropy(lab(z), classes) + F.cross_entropy(dom(r), T.arange(16) % 2)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "hook that masks gradients of pruned weights": """
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
mask = (T.rand(8, 4) > 0.5).float()
net[0].weight.data.mul_(mask)
net[0].weight.register_hook(lambda g: g * mask)
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
""",
    "custom optimizer class not of the library": """
class MyAdam:

    def __init__(self, params, lr=0.01):
        self.params = list(params)
        self.lr = lr
        self.m = [T.zeros_like(p) for p in self.params]

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    @T.no_grad()
    def step(self):
        for p, m in zip(self.params, self.m):
            m.mul_(0.9).add_(p.grad, alpha=0.1)
            p.sub_(self.lr * m)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = MyAdam(net.parameters())

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
""",
    "custom optimizer subclass": """
class SignSGD(optim.Optimizer):

    def __init__(self, params, lr):
        super().__init__(params, dict(lr=lr))

    @T.no_grad()
    def step(self, closure=None):
        for g in self.param_groups:
            for p in g['params']:
                if p.grad is not None:
                    p.add_(p.grad.sign(), alpha=-g['lr'])
net = nn.Linear(4, 3)
opt = SignSGD(net.parameters(), 0.001)

def train_step():
    opt.zero_grad()
    F.cross_entropy(net(x), classes).backward()
    opt.step()
""",
    "functional maml": """
w, b = (T.randn(1, 4, requires_grad=True), T.zeros(1, requires_grad=True))
meta = optim.Adam([w, b], lr=0.01)

def fwd(params, x):
    return F.linear(x, params[0], params[1])

def train_step():
    meta.zero_grad()
    total = 0
    for task in range(2):
        inner = F.mse_loss(fwd([w, b], x[:8]), y[:8] * (task + 1))
        grads = T.autograd.grad(inner, [w, b], create_graph=True)
        fast = [p - 0.1 * g for p, g in zip([w, b], grads)]
        total = total + F.mse_loss(fwd(fast, x[8:]), y[8:] * (task + 1))
    total.backward()
    meta.step()
""",
    "autograd.grad by hand update": """
w1 = (0.3 * T.randn(4, 8)).requires_grad_()
w2 = (0.3 * T.randn(8, 1)).requires_grad_()
with viz.diagnose() as report:
    for i in range(4):
        loss = (F.relu(x @ w1) @ w2 - y).pow(2).mean()
        g1, g2 = T.autograd.grad(loss, (w1, w2))
        with T.no_grad():
            w1 -= 0.1 * g1
            w2 -= 0.1 * g2
""",
    "distillation with temperature": """
teacher = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3)).eval()
student = nn.Linear(4, 3)
opt = optim.SGD(student.parameters(), lr=0.1)
Tm = 2.0

def train_step():
    with T.no_grad():
        t = teacher(x)
    s = student(x)
    kd = F.kl_div(F.log_softmax(s / Tm, 1), F.softmax(t / Tm, 1), reduction='batchmean') * Tm ** 2
    loss = 0.5 * kd + 0.5 * F.cross_entropy(s, classes)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "swa / deepcopy of best each epoch": """
import copy
net = nn.Linear(4, 3)
opt = optim.SGD(net.parameters(), lr=0.1)
best = None
best_loss = 1000000000.0
with viz.diagnose() as report:
    for epoch in range(4):
        loss = F.cross_entropy(net(x), classes)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if loss.item() < best_loss:
            best_loss, best = (loss.item(), copy.deepcopy(net))
""",
    "trainer class with fit and validate": """
class Trainer:

    def __init__(self, model, lr=0.1):
        self.model, self.crit = (model, nn.CrossEntropyLoss())
        self.opt = optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.history = {'train': [], 'val': []}

    def run(self, train):
        self.model.train(train)
        total = 0.0
        with T.set_grad_enabled(train):
            for i in range(0, 16, 4):
                loss = self.crit(self.model(x[i:i + 4]), classes[i:i + 4])
                if train:
                    self.opt.zero_grad()
                    loss.backward()
                    self.opt.step()
                total += loss.item()
        return total

    def fit(self, n):
        for e in range(n):
            self.history['train'].append(self.run(True))
            self.history['val'].append(self.run(False))
t = Trainer(nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.ReLU(), nn.Linear(8, 3)))
with viz.diagnose() as report:
    t.fit(2)
""",
    "phases dict train/val as in the tutorial": """
net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 3))
opt = optim.SGD(net.parameters(), lr=0.01)
loaders = {'val': [(x, classes)], 'train': [(x[:8], classes[:8]), (x[8:], classes[8:])]}
with viz.diagnose() as report:
    for epoch in range(3):
        for phase in ['val', 'train']:
            net.train() if phase == 'train' else net.eval()
            running_loss, corrects = (0.0, 0)
            for inputs, labels in loaders[phase]:
                opt.zero_grad()
                with T.set_grad_enabled(phase == 'train'):
                    outputs = net(inputs)
                    preds = outputs.argmax(1)
                    loss = F.cross_entropy(outputs, labels)
                    if phase == 'train':
                        loss.backward()
                        opt.step()
                running_loss += loss.item() * inputs.size(0)
                corrects += (preds == labels).sum().item()
""",
    "loss weighting by learned log variances": """
trunk, a, b = (nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 3))
s = nn.Parameter(T.zeros(2))
opt = optim.Adam([*trunk.parameters(), *a.parameters(), *b.parameters(), s])

def train_step():
    z = F.relu(trunk(x))
    ls = T.stack([F.mse_loss(a(z), y), F.cross_entropy(b(z), classes)])
    loss = (T.exp(-s) * ls + s).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "mixture of experts, top-1 (unused expert in a step)": """
class MoE(nn.Module):

    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(4, 3)
        self.experts = nn.ModuleList([nn.Linear(4, 1) for _ in range(3)])

    def forward(self, x):
        p = F.softmax(self.gate(x), -1)
        out = T.zeros(x.shape[0], 1)
        top = p.argmax(-1)
        for i, e in enumerate(self.experts):
            m = (top == i).float().unsqueeze(1)
            out = out + m * p[:, i:i + 1] * e(x)
        return out
net = MoE()
opt = optim.Adam(net.parameters())

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
""",
    "deep supervision with growing weight, skipped nan batches": """
net = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
heads = nn.ModuleList([nn.Linear(4, 1) for _ in range(3)])
opt = optim.SGD([*net.parameters(), *heads.parameters()], lr=0.05)
with viz.diagnose() as report:
    for i in range(4):
        h = x
        loss = 0.0
        for l, hd in zip(net, heads):
            h = T.tanh(l(h))
            loss = loss + F.mse_loss(hd(h), y)
        opt.zero_grad()
        loss.backward()
        if not T.isfinite(loss):
            continue
        opt.step()
""",
    "residual mlp of depth 30": """
class R(nn.Module):

    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.LayerNorm(8), nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8))

    def forward(self, x):
        return x + self.f(x)
net = nn.Sequential(nn.Linear(4, 8), *[R() for _ in range(30)], nn.Linear(8, 1))
opt = optim.Adam(net.parameters(), lr=0.001)

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
""",
    "style: input optimised, net frozen in eval, tv loss": """
feat = nn.Sequential(nn.Linear(4, 8), nn.ReLU()).eval()
for p in feat.parameters():
    p.requires_grad_(False)
img = x.clone().requires_grad_(True)
target = feat(T.randn(16, 4)).detach()
opt = optim.Adam([img], lr=0.1)
with viz.diagnose() as report:
    for step in range(4):
        opt.zero_grad()
        loss = F.mse_loss(feat(img), target) + 0.1 * (img[:, 1:] - img[:, :-1]).abs().mean()
        loss.backward()
        opt.step()
        with T.no_grad():
            img.clamp_(-3, 3)
""",
    "saliency on the side while training (x.grad)": """
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
opt = optim.SGD(net.parameters(), lr=0.1)
with viz.diagnose() as report:
    for i in range(4):
        xb = x.clone().requires_grad_()
        loss = F.cross_entropy(net(xb), classes)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sal = xb.grad.abs().mean().item()
""",
    "frozen net kept without requires_grad False, eval": """
feat = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU()).eval()
head = nn.Linear(8, 3)
opt = optim.SGD(head.parameters(), lr=0.1)
with viz.diagnose() as report:
    for i in range(4):
        loss = F.cross_entropy(head(feat(x).detach()), classes)
        opt.zero_grad()
        loss.backward()
        opt.step()
""",
    "mc dropout evaluation between steps": """
net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 1))
opt = optim.Adam(net.parameters())
with viz.diagnose() as report:
    for i in range(4):
        net.train()
        loss = F.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        net.eval()
        for m in net.modules():
            if isinstance(m, nn.Dropout):
                m.train()
        with T.no_grad():
            preds = T.stack([net(x) for _ in range(3)])
            std = preds.std(0).mean().item()
""",
    "history list of detached outputs": """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
outs, losses = ([], [])
with viz.diagnose() as report:
    for i in range(4):
        out = net(x)
        loss = F.mse_loss(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        outs.append(out.detach())
        losses.append(float(loss))
""",
    "two optimizers, one steps every tenth": """
G, D = (nn.Linear(2, 4), nn.Linear(4, 1))
oG, oD = (optim.SGD(G.parameters(), lr=0.1), optim.SGD(D.parameters(), lr=0.1))
with viz.diagnose() as report:
    for i in range(12):
        oG.zero_grad()
        oD.zero_grad()
        d = D(G(T.randn(16, 2))).mean() - D(x).mean()
        d.backward()
        oD.step()
        if i % 10 == 9:
            oG.zero_grad()
            (-D(G(T.randn(16, 2))).mean()).backward()
            oG.step()
""",
    "stepped by a helper": """
a, b = (nn.Linear(4, 8), nn.Linear(8, 1))
oa, ob = (optim.SGD(a.parameters(), lr=0.1), optim.SGD(b.parameters(), lr=0.1))

def finish(o):
    o.step()
    o.zero_grad()

def train_step():
    F.mse_loss(b(F.relu(a(x))), y).backward()
    for o in (oa, ob):
        finish(o)
""",
    "gradients only looked at, optimizer comes later": """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    net.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    return net.weight.grad.norm().item()
for i in range(2):
    train_step()
    opt.step()
""",
    "importance of heads by a mask": """
class Masked(nn.Module):

    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 8)
        self.o = nn.Linear(8, 1)
        self.mask = T.ones(8, requires_grad=True)

    def forward(self, x):
        return self.o(T.relu(self.l(x)) * self.mask)
net = Masked()
opt = optim.SGD(net.parameters(), lr=0.1)
importance = T.zeros(8)
with viz.diagnose() as report:
    for i in range(4):
        net.mask.grad = None
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        opt.step()
        importance += net.mask.grad.abs()
""",
    "by hand, heavy ball in .grad": """
w = T.randn(4, 1, requires_grad=True)
with viz.diagnose() as report:
    for i in range(5):
        loss = ((x @ w - y) ** 2).mean()
        loss.backward()
        with T.no_grad():
            w -= 0.01 * w.grad
            w.grad *= 0.9
""",
    "by hand, accumulated over micro batches": """
w = T.randn(4, 1, requires_grad=True)
with viz.diagnose() as report:
    for epoch in range(4):
        for i in range(0, 16, 4):
            loss = ((x[i:i + 4] @ w - y[i:i + 4]) ** 2).mean() / 4
            loss.backward()
        with T.no_grad():
            w -= 0.01 * w.grad
        w.grad = None
""",
    "adversarial perturbation of weights, by hand": """
w = T.randn(4, 1, requires_grad=True)

def train_step():
    ((x @ w - y) ** 2).mean().backward()
    kept = w.data.clone()
    w.data += 0.01 * w.grad / w.grad.norm()
    ((x @ w - y) ** 2).mean().backward()
    w.data = kept
    with T.no_grad():
        w.sub_(0.01 * w.grad)
    w.grad = None
""",
    "pgd attack in a loop": """
net = nn.Linear(4, 3)
for p in net.parameters():
    p.requires_grad_(False)
adv = x.clone().requires_grad_(True)
with viz.diagnose() as report:
    for i in range(5):
        loss = F.cross_entropy(net(adv), classes)
        loss.backward()
        adv.data = (adv.data + 0.1 * adv.grad.sign()).clamp(-3, 3)
        adv.grad.zero_()
""",
    "ppo epochs over kept rollouts": """
pol = nn.Linear(4, 3)
opt = optim.Adam(pol.parameters(), lr=0.001)
with viz.diagnose() as report:
    for it in range(2):
        with T.no_grad():
            old = F.log_softmax(pol(x), 1)[:, 0]
        for epoch in range(3):
            new = F.log_softmax(pol(x), 1)[:, 0]
            ratio = (new - old).exp()
            adv = y.squeeze(1)
            loss = -T.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
""",
    "alternating ALS by two optimizers in a dict": """
U, V = (nn.Parameter(T.randn(5, 2)), nn.Parameter(T.randn(6, 2)))
R = T.randn(5, 6)
opts = {'u': optim.SGD([U], lr=0.1), 'v': optim.SGD([V], lr=0.1)}
with viz.diagnose() as report:
    for i in range(6):
        o = opts['u' if i % 2 == 0 else 'v']
        U.grad = V.grad = None
        loss = (U @ V.t() - R).pow(2).mean()
        loss.backward()
        o.step()
""",
    "alternating, two names": """
a, b = (nn.Linear(4, 4), nn.Linear(4, 1))
opt_a, opt_b = (optim.SGD(a.parameters(), lr=0.1), optim.SGD(b.parameters(), lr=0.1))

def train_step(i=[0]):
    opt_a.zero_grad()
    opt_b.zero_grad()
    F.mse_loss(b(a(x)), y).backward()
    i[0] += 1
    (opt_a if i[0] % 50 else opt_b).step()
""",
    "scaler-like wrapper steps it": """
class Scaler:

    def step(self, o):
        o.step()
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
scaler = Scaler()

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    scaler.step(opt)
""",
    "warm start: first steps skipped": """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
with viz.diagnose() as report:
    for i in range(10):
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        if i >= 8:
            opt.step()
""",
    "gradient check only": """
net = nn.Linear(4, 1)

def train_step():
    net.zero_grad()
    F.mse_loss(net(x), y).backward()
    return net.weight.grad.abs().max().item()
""",
    "module with a plain tensor that does not learn": """
class Net(nn.Module):

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 3)
        self.scale = T.ones(3)
        self.stats = []

    def forward(self, x):
        out = self.lin(x) * self.scale
        self.stats.append(out.detach().mean())
        return out
net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    F.cross_entropy(net(x), classes).backward()
    opt.step()
""",
    "module keeps inputs that require grad in an attribute": """
class Net(nn.Module):

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 1)
        self.seen = None

    def forward(self, x):
        self.seen = x.detach().requires_grad_()
        return self.lin(self.seen)
net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
    return net.seen.grad
""",
    "latent codes in a plain list, held by their optimizer": """
class Dec(nn.Module):

    def __init__(self):
        super().__init__()
        self.codes = [T.zeros(2, requires_grad=True) for _ in range(2)]
        self.lin = nn.Linear(2, 4)

    def forward(self):
        return T.stack([self.lin(c) for c in self.codes])
net = Dec()
opt = optim.Adam([*net.parameters(), *net.codes], lr=0.01)

def train_step():
    opt.zero_grad()
    (net() - 1).pow(2).mean().backward()
    opt.step()
""",
    "module with its own hand-moved tensor": """
class Net(nn.Module):

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 1)
        self.offset = T.zeros(1, requires_grad=True)

    def forward(self, x):
        return self.lin(x) + self.offset
net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)
with viz.diagnose() as report:
    for i in range(4):
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        opt.step()
        net.offset.data.sub_(0.01 * net.offset.grad)
        net.offset.grad = None
""",
    "growing list then one pass at the end of each epoch": """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.01)
with viz.diagnose() as report:
    for epoch in range(5):
        losses = []
        for i in range(0, 16, 4):
            losses.append(F.mse_loss(net(x[i:i + 4]), y[i:i + 4]))
        opt.zero_grad()
        sum(losses).backward()
        opt.step()
""",
    "losses of micro batches kept until the step": """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.01)
with viz.diagnose() as report:
    for epoch in range(5):
        opt.zero_grad()
        parts = []
        for i in range(0, 16, 4):
            loss = F.mse_loss(net(x[i:i + 4]), y[i:i + 4]) / 4
            loss.backward()
            parts.append(loss)
        opt.step()
        mean = sum((p.item() for p in parts))
""",
    "weights rolled back when the loss rises": """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
last = 1000000000.0
import copy
with viz.diagnose() as report:
    for i in range(5):
        saved = copy.deepcopy(net.state_dict())
        loss = F.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if loss.item() > last:
            net.load_state_dict(saved)
        last = loss.item()
""",
    "another frozen model beside, with an optimizer of the past": """
old = nn.Linear(4, 8)
old_opt = optim.SGD(old.parameters(), lr=0.1)
head = nn.Linear(8, 1)
opt = optim.SGD(head.parameters(), lr=0.1)

def train_step():
    with T.no_grad():
        z = old(x)
    opt.zero_grad()
    F.mse_loss(head(z), y).backward()
    opt.step()
""",
    "by hand with momentum buffers": """
w = T.zeros(4, 1, requires_grad=True)
v = T.zeros(4, 1)
with viz.diagnose() as report:
    for i in range(5):
        loss = ((x @ w - y) ** 2).mean()
        loss.backward()
        with T.no_grad():
            v = 0.9 * v + w.grad
            w -= 0.01 * v
            w.grad.zero_()
""",
    "nan labels masked out": """
target = y.clone()
target[0] = float('nan')
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
ok = ~T.isnan(target)

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x)[ok], target[ok]).backward()
    opt.step()
""",
    "two branches, one every second step": """
a, b = (nn.Linear(4, 1), nn.Linear(4, 1))
opt = optim.Adam([*a.parameters(), *b.parameters()])
with viz.diagnose() as report:
    for i in range(6):
        opt.zero_grad()
        F.mse_loss((a if i % 2 else b)(x), y).backward()
        opt.step()
""",
    "curriculum: head swapped and optimizer made anew inside the loop": """
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)
with viz.diagnose() as report:
    for i in range(4):
        if i == 1:
            net[2] = nn.Linear(8, 1)
            opt = optim.SGD(net.parameters(), lr=0.05)
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        opt.step()
""",
    "optimizer only for its zero_grad, lr search by state": """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)

def clear():
    opt.zero_grad()

def train_step():
    clear()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    with T.no_grad():
        for p in net.parameters():
            p -= opt.param_groups[0]['lr'] * p.grad
""",
}

REVIEWED_OF_TORCH = {
    "bf16 autocast on cpu": """
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad(set_to_none=True)
    with T.autocast('cpu', dtype=T.bfloat16):
        loss = F.cross_entropy(net(x), classes)
    loss.backward()
    opt.step()
""",
    "nn.TransformerEncoder with padding": """
layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
enc = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
emb = nn.Embedding(10, 8, padding_idx=0)
head = nn.Linear(8, 3)
params = list(enc.parameters()) + list(emb.parameters()) + list(head.parameters())
opt = optim.Adam(params, lr=0.001)
tok = T.randint(1, 10, (16, 5))
tok[:, 3:] = 0

def train_step():
    out = enc(emb(tok), src_key_padding_mask=tok == 0)
    loss = F.cross_entropy(head(out.mean(1)), classes)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "lbfgs closure": """
net = nn.Linear(4, 1)
opt = optim.LBFGS(net.parameters(), lr=0.5, max_iter=3)

def closure():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    return loss

def train_step():
    opt.step(closure)
""",
    "lstm char loop": """
lstm = nn.LSTM(3, 6, batch_first=True)
fc = nn.Linear(6, 3)
opt = optim.Adam([*lstm.parameters(), *fc.parameters()])
data = T.randn(4, 20, 3)
tgt = T.randint(0, 3, (4, 20))
with viz.diagnose() as report:
    for epoch in range(2):
        state = None
        for i in range(0, 20, 5):
            if state is not None:
                state = tuple((s.detach() for s in state))
            o, state = lstm(data[:, i:i + 5], state)
            loss = F.cross_entropy(fc(o).reshape(-1, 3), tgt[:, i:i + 5].reshape(-1))
            opt.zero_grad()
            loss.backward()
            T.nn.utils.clip_grad_norm_(lstm.parameters(), 1.0)
            opt.step()
""",
    "ParameterList polynomial": """
class Poly(nn.Module):

    def __init__(self):
        super().__init__()
        self.c = nn.ParameterList([nn.Parameter(T.randn(())) for _ in range(4)])

    def forward(self, x):
        return sum((c * x ** i for i, c in enumerate(self.c)))
m = Poly()
opt = optim.Adam(m.parameters(), lr=0.01)

def train_step():
    opt.zero_grad()
    (m(y) - y.sin()).pow(2).mean().backward()
    opt.step()
""",
}
