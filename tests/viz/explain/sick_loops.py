"""Training loops that do not train as they should, as people write them, with what is to be found.

Every program runs on minigrad and on PyTorch, as `T`, after HEADER, unless it says that it needs
PyTorch. It defines `train_step`, which is then diagnosed, or watches its own loop and leaves what
was found in `report`.
"""

from __future__ import annotations

from typing import NamedTuple

HEADER = """
nn, F, optim = T.nn, T.nn.functional, T.optim
x, y = T.randn(16, 4), T.randn(16, 1)
classes = T.tensor([0, 1, 2, 0] * 4)
"""


class Sick(NamedTuple):
    """A program; the kinds of what is to be found, and no other; words that the report has."""

    kinds: str
    words: tuple[str, ...]
    program: str
    torch_only: bool = False


SICK = {
    # --- Parameters and the optimizer
    "layers in a Python list": Sick(
        "hidden",
        ("`self.layers[0]`", "ModuleList"),
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(4, 8), nn.Linear(8, 8)]
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        for layer in self.layers:
            x = T.relu(layer(x))
        return self.head(x)

net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
""",
    ),
    "layers in a dictionary": Sick(
        "hidden",
        ("`self.branches['a']`",),
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.branches = {"a": nn.Linear(4, 8), "b": nn.Linear(4, 8)}
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(T.tanh(self.branches["a"](x) + self.branches["b"](x)))

net = Net()
opt = optim.Adam(net.parameters())

def train_step():
    loss = F.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()
""",
    ),
    "optimizer made before the model was replaced": Sick(
        "held_elsewhere",
        ("`opt = optim.SGD(net.parameters(), lr=0.1)`",),
        """
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
""",
    ),
    "head replaced after the optimizer was made": Sick(
        "held_elsewhere",
        ("`net.head.weight`",),
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        return self.head(T.relu(self.body(x)))

net = Net()
opt = optim.Adam(net.parameters(), lr=0.01)
net.head = nn.Linear(8, 3)

with viz.diagnose() as report:
    for epoch in range(5):
        opt.zero_grad()
        loss = F.cross_entropy(net(x), classes)
        loss.backward()
        opt.step()
""",
    ),
    "frozen backbone passed to the optimizer": Sick(
        "frozen",
        ("`backbone.0.weight`", "requires_grad"),
        """
backbone = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
head = nn.Linear(8, 1)
for p in backbone.parameters():
    p.requires_grad = False
opt = optim.SGD([*backbone.parameters(), *head.parameters()], lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(head(backbone(x)), y)
    loss.backward()
    opt.step()
""",
    ),
    "first layer frozen with requires_grad_": Sick(
        "frozen",
        ("`net.0.weight`",),
        """
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
net[0].requires_grad_(False)
opt = optim.Adam(net.parameters())

with viz.diagnose() as report:
    for step in range(3):
        opt.zero_grad()
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        opt.step()
""",
    ),
    "only the head in the optimizer": Sick(
        "not_held",
        ("`net.body.weight`",),
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(T.relu(self.body(x)))

net = Net()
opt = optim.SGD(net.head.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
""",
    ),
    "a parameter forgotten in a list": Sick(
        "not_held",
        ("`net.scale`",),
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 1)
        self.scale = nn.Parameter(T.ones(1))

    def forward(self, x):
        return self.scale * self.linear(x)

net = Net()
opt = optim.SGD([net.linear.weight, net.linear.bias], lr=0.1)

with viz.diagnose() as report:
    for i in range(4):
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        opt.step()
""",
    ),
    "a branch that forward forgets": Sick(
        "not_called",
        ("`net.skip.weight`", "not called"),
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Linear(4, 8)
        self.skip = nn.Linear(4, 8)
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(T.relu(self.main(x)))

net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
""",
    ),
    "an auxiliary head that is never asked": Sick(
        "not_called",
        ("`aux.bias`",),
        """
body, head, aux = nn.Linear(4, 8), nn.Linear(8, 3), nn.Linear(8, 2)
params = list(body.parameters()) + list(head.parameters()) + list(aux.parameters())
opt = optim.AdamW(params, lr=1e-3)

with viz.diagnose() as report:
    for epoch in range(6):
        hidden = T.relu(body(x))
        loss = F.cross_entropy(head(hidden), classes)
        opt.zero_grad()
        loss.backward()
        opt.step()
""",
    ),
    # --- Cut on the way
    "detach in the middle": Sick(
        "cut",
        ("`net.encoder.weight`", "`code = self.encoder(x).detach()`"),
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 8)
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        code = self.encoder(x).detach()
        return self.head(T.tanh(code))

net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
""",
    ),
    ".data in the loop": Sick(
        "cut",
        ("`encoder.weight`", "`code = encoder(x).data`"),
        """
encoder, head = nn.Linear(4, 8), nn.Linear(8, 1)
opt = optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)

with viz.diagnose() as report:
    for i in range(4):
        code = encoder(x).data
        loss = F.mse_loss(head(code), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
""",
    ),
    "through NumPy and back": Sick(
        "cut",
        ("`encoder.weight`",),
        """
encoder, head = nn.Linear(4, 8), nn.Linear(8, 1)
opt = optim.Adam([*encoder.parameters(), *head.parameters()], lr=0.1)

def train_step():
    opt.zero_grad()
    code = encoder(x).detach().numpy()
    code = T.tensor(code / abs(code).max())
    loss = F.mse_loss(head(code), y)
    loss.backward()
    opt.step()
""",
    ),
    "features under no_grad": Sick(
        "no_grad",
        ("`features.0.weight`", "no_grad"),
        """
features = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
head = nn.Linear(8, 1)
opt = optim.SGD([*features.parameters(), *head.parameters()], lr=0.1)

def train_step():
    with T.no_grad():
        h = features(x)
    loss = F.mse_loss(head(h), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    ),
    "a forward decorated with no_grad": Sick(
        "cut",
        ("`net.embed.weight`", "`@T.no_grad()`"),
        """
class Embed(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(T.randn(4, 8))

    @T.no_grad()
    def forward(self, x):
        return x @ self.weight

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = Embed()
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(self.embed(x))

net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)

with viz.diagnose() as report:
    for i in range(3):
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        opt.step()
""",
    ),
    "the whole step under no_grad": Sick(
        "failed",
        ("no_grad",),
        """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    with T.no_grad():
        out = net(x)
        loss = F.mse_loss(out, y)
    loss.backward()
    opt.step()
""",
    ),
    # --- Sizes of gradients
    "thirty sigmoids": Sick(
        "vanishing",
        ("`net.0.weight`",),
        """
layers = []
for i in range(30):
    layers += [nn.Linear(8, 8), nn.Sigmoid()]
net = nn.Sequential(nn.Linear(4, 8), *layers, nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
""",
    ),
    "a small recurrent weight": Sick(
        "vanishing",
        ("`inner.weight`",),
        """
inner, outer = nn.Linear(4, 8), nn.Linear(8, 1)
shrink = [nn.Linear(8, 8) for _ in range(12)]
for layer in shrink:
    with T.no_grad():
        layer.weight.mul_(0.01)
params = [p for m in (inner, *shrink, outer) for p in m.parameters()]
opt = optim.Adam(params, lr=1e-3)

with viz.diagnose() as report:
    for i in range(4):
        h = inner(x)
        for layer in shrink:
            h = T.tanh(layer(h))
        loss = F.mse_loss(outer(h), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
""",
    ),
    "an exploding recurrence": Sick(
        "exploding",
        ("`cell.weight`",),
        """
cell, head = nn.Linear(8, 8), nn.Linear(8, 1)
with T.no_grad():
    cell.weight.mul_(6.0)
opt = optim.SGD([*cell.parameters(), *head.parameters()], lr=0.01)
start = T.randn(16, 8)

def train_step():
    h = start
    for t in range(10):
        h = cell(h)
    loss = F.mse_loss(head(h), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    ),
    "data in the millions": Sick(
        "exploding",
        ("`net.weight`",),
        """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
big = x * 1e5

with viz.diagnose() as report:
    for i in range(2):
        opt.zero_grad()
        loss = F.mse_loss(net(big), y * 1e5)
        loss.backward()
        opt.step()
""",
    ),
    "relu that is dead": Sick(
        "zero",
        ("`net.0.weight`",),
        """
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
with T.no_grad():
    net[0].bias.fill_(-100.0)
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
""",
    ),
    "weights that begin at zero": Sick(
        "zero",
        ("`first.weight`",),
        """
first, second = nn.Linear(4, 8), nn.Linear(8, 1)
for layer in (first, second):
    nn.init.zeros_(layer.weight)
    nn.init.zeros_(layer.bias)
opt = optim.SGD([*first.parameters(), *second.parameters()], lr=0.1)

with viz.diagnose() as report:
    for i in range(3):
        loss = F.mse_loss(second(T.relu(first(x))), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
""",
    ),
    "log of zero": Sick(
        "nan",
        ("log",),
        """
net = nn.Linear(4, 3)
opt = optim.SGD(net.parameters(), lr=0.1)
far = x * 1e4

def train_step():
    opt.zero_grad()
    p = F.softmax(net(far), dim=1)
    loss = -(p * T.log(p)).sum()
    loss.backward()
    opt.step()
""",
    ),
    "root at zero": Sick(
        "nan",
        ("`net.weight`",),
        """
net = nn.Linear(4, 1, bias=False)
opt = optim.SGD(net.parameters(), lr=0.1)
same = T.zeros(16, 4)

with viz.diagnose() as report:
    for i in range(3):
        opt.zero_grad()
        distance = T.sqrt((net(same) ** 2).sum())
        distance.backward()
        opt.step()
""",
    ),
    # --- What is kept and what is cleared
    "total of losses": Sick(
        "kept",
        ("`total`", "item()"),
        """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
total = 0.0

with viz.diagnose() as report:
    for epoch in range(4):
        opt.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        total += loss
""",
    ),
    "a list of losses": Sick(
        "kept",
        ("`history`",),
        """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
history = []

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    history.append(loss)
""",
    ),
    "a hidden state carried with its graph": Sick(
        "grows no_step",
        ("`h`", "detach"),
        """
cell, head = nn.Linear(8, 8), nn.Linear(8, 1)
opt = optim.SGD([*head.parameters()], lr=0.01)
h = T.zeros(16, 8)
cell_opt = optim.SGD(cell.parameters(), lr=0.0)

with viz.diagnose() as report:
    for i in range(4):
        h = T.tanh(cell(h) + 1.0)
        loss = h.sum()
        cell_opt.zero_grad()
        loss.backward(retain_graph=True)
""",
    ),
    "a running mean with history": Sick(
        "grows",
        ("`mean`",),
        """
w = T.ones(4, requires_grad=True)
mean = T.zeros(1)

def train_step():
    global mean
    out = (x * w).sum(1)
    mean = 0.9 * mean + 0.1 * out.mean()
    loss = ((out - mean) ** 2).mean()
    w.grad = None
    loss.backward(retain_graph=True)
    w.data -= 0.01 * w.grad
""",
    ),
    "a hidden state, second pass refused": Sick(
        "failed",
        ("`h`",),
        """
cell = nn.Linear(8, 8)
opt = optim.SGD(cell.parameters(), lr=0.01)
h = T.zeros(16, 8)

def train_step():
    global h
    h = T.tanh(cell(h))
    loss = h.sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    ),
    "two losses that share a graph": Sick(
        "failed",
        ("retain_graph",),
        """
net = nn.Linear(4, 2)
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    out = T.tanh(net(x))
    first = (out ** 2).mean()
    second = out.abs().mean()
    first.backward()
    second.backward()
    opt.step()
""",
    ),
    "no zero_grad at all": Sick(
        "not_cleared",
        ("zero_grad",),
        """
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
""",
    ),
    "zero_grad once before the loop": Sick(
        "not_cleared",
        ("zero_grad",),
        """
net = nn.Linear(4, 1)
opt = optim.Adam(net.parameters(), lr=0.1)
opt.zero_grad()

with viz.diagnose() as report:
    for epoch in range(5):
        loss = F.mse_loss(net(x), y)
        loss.backward()
        opt.step()
""",
    ),
    "zero_grad between backward and step": Sick(
        "cleared_early",
        ("zero_grad",),
        """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)

with viz.diagnose() as report:
    for epoch in range(5):
        loss = F.mse_loss(net(x), y)
        loss.backward()
        opt.zero_grad()
        opt.step()
""",
    ),
    "model.zero_grad in the wrong place": Sick(
        "cleared_early",
        ("zero_grad",),
        """
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = optim.Adam(net.parameters())

def train_step():
    F.mse_loss(net(x), y).backward()
    net.zero_grad(set_to_none=False)
    opt.step()
""",
    ),
    "step called twice": Sick(
        "taken_twice",
        ("step",),
        """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    opt.step()
""",
    ),
    "backward called twice on one loss": Sick(
        "taken_twice",
        ("`loss`", "backward"),
        """
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)

with viz.diagnose() as report:
    for epoch in range(3):
        opt.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward(retain_graph=True)
        loss.backward()
        opt.step()
""",
    ),
    # --- Modes
    "eval left on from validation": Sick(
        "eval",
        ("`net`", "train()"),
        """
net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)

with viz.diagnose() as report:
    for epoch in range(3):
        opt.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        net.eval()
        with T.no_grad():
            valid = F.mse_loss(net(x), y).item()
""",
    ),
    "eval before training": Sick(
        "eval",
        ("`net`", "Dropout"),
        """
net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.ReLU(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)
net.eval()

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
""",
    ),
    "eval before training, after a module that fails": Sick(
        "eval",
        ("`net`", "Dropout"),
        """
class Strict(nn.Module):
    def forward(self, x):
        raise ValueError("refused")

net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.ReLU(), nn.Linear(8, 1))
strict = Strict()
opt = optim.SGD(net.parameters(), lr=0.1)
net.eval()

def train_step():
    try:
        strict(x)
    except ValueError:
        pass
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
""",
    ),
    # --- PyTorch's own
    "an exploding RNN": Sick(
        "exploding",
        ("`rnn.weight_hh_l0`",),
        """
rnn, head = nn.RNN(4, 8, nonlinearity="relu"), nn.Linear(8, 1)
with T.no_grad():
    rnn.weight_hh_l0.mul_(8.0).abs_()
opt = optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
sequence = T.randn(12, 5, 4)

def train_step():
    opt.zero_grad()
    out, _ = rnn(sequence)
    loss = head(out[-1]).pow(2).mean()
    loss.backward()
    opt.step()
""",
        True,
    ),
    "an LSTM whose state is carried": Sick(
        "failed",
        ("`state`",),
        """
lstm = nn.LSTM(4, 8)
opt = optim.SGD(lstm.parameters(), lr=0.1)
sequence = T.randn(3, 5, 4)
state = None

def train_step():
    global state
    out, state = lstm(sequence, state)
    loss = out.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        True,
    ),
}
