"""Relatives of programs whose first answers were wrong: what is to be said, and what is not."""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple

import pytest

from tests.viz.diagnosis.running import notebook
from tests.viz.diagnosis.test_rules import diagnosed, explained


class Relative(NamedTuple):
    """A program, the question about it, and words that the answer has and has not."""

    program: str
    says: tuple[str, ...]
    never: tuple[str, ...] = ()
    ask: str = "viz.explain(loss)"
    watched: bool = True
    """Whether `diagnose` is to say the same."""


START = """
nn, F = T.nn, T.nn.functional
T.manual_seed(0)
"""

STEPS = """
for turn in range(6):
    {inside}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def steps(before: str, inside: str) -> str:
    return START + before.strip("\n") + STEPS.format(inside=inside)


NET = """
net = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 2))
opt = T.optim.{optimizer}(net.parameters(), lr=0.1)
x, y = T.randn(12, 4), T.arange(12) % 2
"""

PARTS = NET.format(optimizer="SGD") + "parts = list(zip(x.chunk(3), y.chunk(3)))\n"

UNNAMED = (
    START
    + NET
    + """
for turn in range(4):
    F.cross_entropy(net({given}), y).backward()
    opt.step()
    opt.zero_grad()
"""
)

BATCHED = """
net = nn.Sequential(nn.BatchNorm1d(4), nn.Linear(4, 2))
{before}
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(12, 4), T.arange(12) % 2
def valid(model):
    net.train(False)
    net.eval()
valid(net)
"""

READING = """
class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.out = nn.Embedding(9, 4), nn.Linear(4, 2)
        self.q = nn.Parameter(T.randn(4))
    def forward(self, ids, keep):
        e = self.table(ids)
        s = (e @ self.q).masked_fill({mask}, float("-inf"))
        return self.out((T.softmax(s, dim=1).unsqueeze(-1) * e).sum(1))
net = Reader()
opt = T.optim.SGD(net.parameters(), lr=0.1)
words, y = T.randint(1, 9, (8, 6)), T.arange(8) % 2
keep = T.arange(6)[None] < (T.arange(8) % 3 + 2)[:, None]
words = words.masked_fill(~keep, 0)
"""

TWICE = """
class Words(nn.Module):
    def __init__(self, width, rows):
        super().__init__()
        self.table = nn.Embedding(rows, width)
        {second}
net = Words(3, rows=5)
net.table(T.tensor([1, 5]))
"""

OUTSIDE = """
nn = T.nn
a = T.zeros(1, requires_grad=True)
b = T.exp(a)
net = nn.Linear(2, 1)
opt = T.optim.SGD([{held}], lr=0.1)
x = T.randn(4, 2)
for turn in range(2):
    loss = (b * net(x)).pow(2).mean()
    loss.backward()
    opt.step()
"""

JUMPING = """
net = T.nn.Linear(4, 2)
x, y = T.randn(6, 4), T.randn(6)
scores = net(x)
chances = {chances}
loss = (chances.argmax(1).float() - y).pow(2).mean()
loss.backward()
"""

FLAT = """
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = T.nn.Linear(8, 3)
    def forward(self, x):
        return self.fc(x.reshape(-1, 2 * 4))
net = Net()
x, y = T.randn(5, 4, 4), T.tensor([0, 1, 2, 0, 1])
loss = T.nn.functional.cross_entropy(net(x.tanh()), y)
"""

SPOKEN = """
out = T.nn.Linear(6, 9)
h, y = T.randn(4, 7, 6), T.zeros(4, 7, dtype=T.int64)
loss = T.nn.functional.cross_entropy(out(h.tanh()), y)
"""

CYCLE = """
w = T.zeros(1, requires_grad=True)
opt = T.optim.SGD([w], lr=0.1)
data, size = T.randn(10, 1), 4
per_epoch = data.shape[0] // size
plan = T.optim.lr_scheduler.OneCycleLR(opt, 0.1, total_steps={total})
for epoch in range(2):
    for part in data.split(size):
        (part * w).sum().backward()
        opt.step()
        plan.step()
"""

CHOSEN = """
net = nn.Linear(4, 1)
opt = T.optim.SGD(net.parameters(), lr=0.01)
x, labels = T.randn(20, 4), T.randn(20)
"""

SCHEDULED = """
net = nn.Linear(4, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 4), T.randn(8, 1)
fall = T.optim.lr_scheduler.ExponentialLR(opt, 0.001)
"""

NAMED = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.arms = {"left": nn.Linear(4, 4), "right": nn.Linear(4, 4)}
        self.out = nn.Linear(4, 1)
    def forward(self, x):
        return self.out(self.arms["left"](x) + self.arms["right"](x))
net = Net()
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 4), T.randn(8, 1)
"""

BY_HAND = """
w, b = T.zeros(3, 1, requires_grad=True), T.zeros(1, requires_grad=True)
x, y = T.randn(8, 3), T.randn(8, 1)
for turn in range(4):
    loss = (x @ w + b - y).pow(2).mean()
    loss.backward()
    with T.no_grad():
        for each in [w, b]:
            each -= 0.1 * each.grad
"""

STACKED = """
layers = []
for a, b in [(3, 8), (8, 1)]:
    layers.extend([nn.Linear(a, b), nn.ReLU()])
net = nn.Sequential(*layers)
opt = T.optim.SGD(net.parameters(), lr=0.01)
x, y = T.randn(16, 3), -1 - T.rand(16, 1)
"""

EMPTIED = """
net = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 6), nn.Tanh(), nn.Linear(6, 1))
for each in net[::2]:
    nn.init.zeros_(each.weight)
    nn.init.zeros_(each.bias)
opt = T.optim.SGD(net.parameters(), lr=0.01)
x, y = T.randn(8, 4), T.randn(8, 1)
"""

FITTED = """
def fit(net, x, y):
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    for k in range(2):
        loss = (net(x) - y).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
net, other = nn.Linear(3, 1), nn.Linear(3, 1)
x, y = T.randn(8, 3), T.randn(8, 1)
fit(other, x, y)
opt = T.optim.SGD(net.parameters(), lr=0.1)
for turn in range(6):
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

SIGNED = """
table, out = nn.Embedding(9, 4), nn.Embedding(9, 4)
opt = T.optim.SGD([*table.parameters(), *out.parameters()], lr=0.1)
a, b = T.arange(8), (T.arange(8) + 1) % 9
"""

DECAYING = """
net = nn.Linear(4, 1)
opt = T.optim.SGD(net.parameters(), lr={rate}, momentum=0.99, weight_decay=0.05)
x, y = T.randn(8, 4), T.randn(8, 1)
"""

MIXED = """
def mixed(values):
    order = T.randperm(values.shape[0])
    return values[order]
net = nn.Linear(4, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
data = T.randn(8, 5)
{before}
"""

MATCHED = """
one, other = nn.Linear(4, 3), nn.Linear(5, 3)
opt = T.optim.SGD([*one.parameters(), *other.parameters()], lr=0.1)
a, b, queue = T.randn(8, 4), T.randn(8, 5), T.randn(7, 3)
def contrast(p, q):
    {inside}
"""

MARKS = """
class Marks(T.utils.data.Dataset):
    def __len__(self):
        return 16
    def __getitem__(self, k):
        return T.ones(3) * k / 16, T.as_tensor([k / 20], dtype=T.{dtype})
net = nn.Linear(3, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
for x, y in T.utils.data.DataLoader(Marks(), batch_size=8):
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

TAUGHT = """
net, teacher = nn.Linear(4, 3), nn.Linear(4, 3)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y, kl = T.randn(8, 4), T.arange(8) % 3, nn.KLDivLoss(reduction="batchmean")
"""

POOLED = """
class Pool(nn.Module):
    def __init__(self):
        super().__init__()
        self.score, self.out = nn.Linear(4, 1), nn.Linear(4, 1)
    def forward(self, x):
        share = self.score(x).softmax({dim})
        return self.out((share * x).sum({place}))
net = Pool()
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn({size}, 4), T.randn(8, 1)
"""

SCRAMBLED = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)
    def forward(self, x):
        rows, width, length = x.size()
        {exchanged}
        return self.fc(x.view(rows, length, width)).mean(1)
net = Net()
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 3, 6), T.randn(8, 1)
"""

READ_ONCE = """
net = nn.Linear(4, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 4), T.randn(8, 1)
{before}
for epoch in range(3):
    {each}
    for a, b in pairs:
        opt.zero_grad()
        loss = (net(a) - b).pow(2).mean()
        loss.backward()
        opt.step()
"""

SPEAKING = """
class Speaker(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.rnn = nn.Embedding(9, 4), nn.LSTM(4, 6, batch_first=True)
        {more}
        self.head = nn.Linear(6, 9)
    def forward(self, words):
        {inside}
        return self.head(states)
net = Speaker()
opt = T.optim.SGD(net.parameters(), lr=0.1)
words = T.arange(40).reshape(4, 10) % 9
"""

ALL_STATES = "states, _ = self.rnn(self.table(words))"
FROM_LAST = """_, last = self.rnn(self.table(words))
        states, _ = self.back(self.table(0 * words), last)"""
AGAIN = "loss = F.cross_entropy(net(words).flatten(0, 1), words.flatten())"

MATCHING = "loss = contrast(one(a), other(b))"

NAMED_LOSS = "loss = F.l1_loss(net(x), y)"

SQUARED = "loss = (net(x) - y).pow(2).mean()"

PAIRED = """
class Pairs(T.utils.data.Dataset):
    def __init__(self, data, classes):
        self.data, self.classes = data, classes
    def __len__(self):
        return len(self.data)
    def __getitem__(self, i):
        return self.data[i], self.classes[i{shift}]
data, classes = T.randn(48, 4), T.arange(48) * 7 % 5 % 2
loader = T.utils.data.DataLoader(Pairs(data, classes), batch_size=12, shuffle=True)
net = nn.Linear(4, 2)
opt = T.optim.SGD(net.parameters(), lr=0.1)
for turn in range(2):
    for x, y in loader:
        opt.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
"""

SPLIT = """
data, classes = T.randn(60, 4), T.arange(60) % 3
order = T.randperm(60)
x, y = data[order][:40], {labels}
net = nn.Linear(4, 3)
opt = T.optim.SGD(net.parameters(), lr=0.1)
"""

PICTURES = """
N, side = 20, 6
pictures = T.rand(N, side, side, 3)
x = pictures.{order} - 0.5
y = T.arange(N) % 3
net = nn.Sequential(nn.Conv2d(3, 4, 1), nn.Flatten(), nn.Linear(4 * 36, 3))
opt = T.optim.SGD(net.parameters(), lr=0.1)
"""

KEPT = """
class Net(nn.Module):
    def __init__(self, keep):
        super().__init__()
        self.one, self.drop, self.two = nn.Linear(4, 8), nn.Dropout(keep), nn.Linear(8, 2)
        self.last = nn.Dropout(keep)
    def forward(self, x):
        return self.last(self.two(self.drop(self.one(x))))
net = Net({keep})
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(12, 4), T.arange(12) % 2
"""

CLASSES = "loss = F.cross_entropy(net(x), y)"

BOTH_WAYS = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(3, 5, batch_first=True, bidirectional=True)
        self.out = nn.Linear(10, 2)
    def forward(self, x):
        _, h = self.rnn(x)
        h = h.{joined}
        return self.out(h)
net = Net()
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(12, 4, 3), T.arange(12) % 2
"""

MANY = """
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = T.optim.SGD(net.parameters(), lr=0.1)
x = T.randn(64, 4)
y = x[:, :1] - x[:, 1:2]
for turn in range(40):
    {inside}
    opt.zero_grad()
    loss.backward()
    {before}
    opt.step()
"""

FOLDS = """
x, y = T.randn(20, 3), T.randn(20, 1)
net = nn.Linear(3, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
for fold in range(3):
    net = nn.Linear(3, 1)
    for turn in range(4):
        opt.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward()
        opt.step()
"""

JUDGED = """
net = nn.Sequential(nn.Linear(4, 6), nn.{layer}, nn.Linear(6, 2))
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(64, 4), T.arange(64) % 2
def judge(model, given):
    with T.no_grad():
        return {found}
for turn in range(6):
    opt.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
{before}
found = judge(net, {given})
"""

SELDOM = """
net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
opt = T.optim.SGD(net.parameters(), lr={rate})
x = T.randn(200, 3)
y = (x[:, :1] > 1.7).float()
for turn in range(60):
    opt.zero_grad()
    loss = F.binary_cross_entropy_with_logits(net(x), y)
    loss.backward()
    opt.step()
"""

COLUMNS = """
a, b = 3e6 * T.rand(20), T.rand(20)
x, y = T.stack([a, b], 1), T.rand(20, 1)
net = nn.Linear(2, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
"""

ORDERS = """
import numpy as np
rng = np.random.default_rng(0)
data, marks = rng.normal(size=(40, 4)).astype("float32"), rng.integers(0, 2, size=40)
order = rng.permutation(len(data))
data = data[{one}]
marks = marks[{other}]
x, y = T.from_numpy(data), T.from_numpy(marks)
net = nn.Linear(4, 2)
opt = T.optim.SGD(net.parameters(), lr=0.1)
"""

DRAWN = "rng.permutation(len(data))"

LEAPING = """
net = nn.Sequential(nn.Linear(64, 8), nn.ReLU(), nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))
opt = T.optim.{optimizer}
x, y = T.rand(12, 64), T.rand(12, 1)
"""

LEAP = "Adam(net.parameters(), lr=0.5)"
SQUARED = "loss = F.mse_loss(net(x), y)"

PHOTOS = """
class Photos(T.utils.data.Dataset):
    def __len__(self):
        return 4
    def __getitem__(self, i):
        if i != 2:
            return T.ones(3), i
        {last}
loader = T.utils.data.DataLoader(T.utils.data.Subset(Photos(), [0, 2]), batch_size=2)
for i, (x, y) in enumerate(loader):
    total = x.sum()
"""

UNET = (
    START
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.up = nn.Conv2d(1, 2, 3, padding=1), nn.ConvTranspose2d(2, 2, 2, stride=2)
        self.pool, self.last = nn.MaxPool2d(2), nn.Conv2d(4, 1, 1)
    def forward(self, x):
        d = self.first(self.pool(x))
        u = self.up(self.pool(d))
        return self.last({joined})
x = T.rand(2, 1, 18, 18)
loss = F.mse_loss(Net()(x), x)
"""
)

SIZED = "T.nn.functional.interpolate(u, size=d.shape[2:])"

EACH = """
net = nn.Linear(4, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(12, 4), T.randn(12, 1)
"""

SORTED = """
classes = {y}
rows = T.randn(60, 4) + F.one_hot(classes, 4).float()
net = nn.Linear(4, 3)
opt = T.optim.SGD(net.parameters(), lr=0.1)
Loader, data = T.utils.data.DataLoader, T.utils.data.TensorDataset(rows, classes)
{before}
for epoch in range(3):
    for {each}:
        loss = F.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
"""

IN_ORDER, IN_TURN = "T.arange(60) // 20", "T.arange(60) % 3"
OF_CLASSES = """
class Rows(T.utils.data.Dataset):
    def __init__(self):
        self.rows = [(row, int(y)) for row, y in zip(rows, classes)]
    def __len__(self):
        return len(self.rows)
    def __getitem__(self, k):
        return self.rows[k]
given = {"train": Loader(Rows(), batch_size=10)}
"""

SAMPLED = """
weights = 1 / T.bincount(classes).float()
sampler = T.utils.data.WeightedRandomSampler({weights}, 60)
given = Loader(data, batch_size=10, sampler=sampler)
"""

BOUNDED = """
class Place(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(4, 2)
    def forward(self, x):
        return T.sigmoid(self.out(x))
net = Place()
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, places = T.randn(20, 4), {scale} * T.rand(20, 2)
"""

SIDES = """
net = nn.Linear(4, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, sides, mine = T.randn(20, 4), T.where(T.arange(20) % 2 > 0, 1.0, {low}), nn.BCEWithLogitsLoss()
def compared(rows):
    return mine(net(x[rows]).squeeze(1), sides[rows])
"""

CODED = """
enc, dec = nn.LSTM(3, 4), nn.LSTM(3, 4)
opt = T.optim.Adam([*enc.parameters(), *dec.parameters()])
def coded(x):
    out, (h, c) = enc(x)
    made, _ = dec(x{given})
    return made
x, y = T.randn(5, 8, 3), T.randn(5, 8, 4)
"""

FLOW = """
scale, shift = nn.Parameter(T.zeros(2)), nn.Parameter(T.zeros(2))
opt = T.optim.Adam([scale, shift])
prior = T.distributions.Normal(T.zeros(2), T.ones(2))
def flow(x):
    return x * scale.exp() + shift, scale.sum()
def nll(x):
    z, logdet = flow(x)
    return -{density}.mean()
"""

ROLLED = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.out = nn.LSTMCell(3, 4), nn.Linear(4, 2)
    def forward(self, xs):
        h = c = T.zeros(len(xs), 4)
        for i in range(xs.shape[1]):
            h, c = self.cell(xs[:, i], {state})
        return self.out(h)
net = Net()
opt = T.optim.Adam(net.parameters(), lr=0.01)
x, y = T.randn(8, 5, 3), T.arange(8) % 2
"""

FILLED = """
def windows(series):
    rows, row = [], T.empty(4)
    for k in range(20):
        {row}row.copy_(series[k : k + 4])
        rows.append((row, series[k + 4]))
    return T.stack([r for r, _ in rows]), T.stack([t for _, t in rows])
x, y = windows(T.sin(T.arange(30.0)))
net = nn.Linear(4, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
"""

READ = """
class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.rnn, self.out = nn.Embedding(9, 4), nn.GRU(4, 6), nn.Linear(6, 9)
    def forward(self, ids):
        return self.out(self.rnn(self.table(ids))[0])
net = Words()
opt = T.optim.Adam(net.parameters(), lr=0.01)
ids = T.arange(60).reshape(20, 3) * 7 % 9
"""

WEIGHED = """
score, head = nn.Linear(3, 1), nn.Linear(3, 2)
opt = T.optim.Adam([*score.parameters(), *head.parameters()], lr=0.01)
x, y = T.randn(8, 5, 3), T.arange(8) % 2
"""

COLOURED = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.out = nn.Conv2d(3, 4, 3), nn.Linear(4, 2)
    def forward(self, img):
        x = img.{moved}
        return self.out(self.conv(x).tanh().mean((2, 3)))
net = Net()
opt = T.optim.Adam(net.parameters(), lr=0.01)
photos, y = T.rand(8, 6, 6, 3), T.arange(8) % 2
"""

GAN = """
gen, disc = nn.Linear(2, 2), nn.Linear(2, 1)
{opts}
bce = nn.BCEWithLogitsLoss()
def judge(real):
    fake = gen(T.randn(8, 2)).detach()
    opt_disc.zero_grad()
    (bce(disc(real), T.ones(8, 1)) + bce(disc(fake), T.zeros(8, 1))).backward()
    opt_disc.step()
def invent():
    out = disc(gen(T.randn(8, 2)))
    wrong = bce(out, T.{label}_like(out))
    opt_gen.zero_grad()
    wrong.backward()
    opt_gen.step()
    return wrong
for turn in range(4):
    judge(T.randn(8, 2) + 2)
    loss = invent()
"""
APART = "\n".join(f"opt_{n} = T.optim.SGD({n}.parameters(), lr=0.1)" for n in ("gen", "disc"))
TOGETHER = "both = [*gen.parameters(), *disc.parameters()]\n" + "\n".join(
    f"opt_{n} = T.optim.SGD(both, lr=0.1)" for n in ("gen", "disc")
)

PUPIL = """
teacher, student = nn.Linear(3, 2), nn.Linear(3, 2)
opt = T.optim.SGD({learner}.parameters(), lr=0.1)
x = T.randn(8, 3)
"""

SPREAD = """
net = nn.Linear(3, 3)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x = T.randn(8, 3) * 0.1 + 2
def spread(x{given}):
    return 0.6 * x + 0.8 * {added}
def missed(x):
    noise = T.randn_like(x)
    moved = spread(x{given})
    return F.mse_loss(net(moved), noise)
"""

CLEANED = """
net = nn.Linear(3, 3)
opt = T.optim.SGD(net.parameters(), lr=0.1)
rows = T.randn(8, 3)
def missed(batch):
    holes = batch * (T.rand_like(batch) > 0.3)
    out = net(holes)
    return F.mse_loss(out, {target})
"""

SNAPSHOTS = """
photos, y = T.rand(12, 6, 6, 3), T.arange(12) % 2
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.out = nn.Conv2d(3, 4, 3), nn.Linear(4, 2)
    def forward(self, x):
        {first}
        return self.out(F.relu(self.conv(x)).mean((2, 3)))
class Photos(T.utils.data.Dataset):
    def __init__(self, photos):
        self.photos = photos
    def __len__(self):
        return len(self.photos)
    def __getitem__(self, k):
        return self.photos[k]{order}, y[k]
def batch(photos, rows):
    part = photos[rows]
    return part{inside}
net, given = Net(), T.utils.data.DataLoader(Photos(photos), batch_size=4)
opt = T.optim.SGD(net.parameters(), lr=0.1)
"""

EXCHANGED = "x = x.permute(0, 3, 1, 2).reshape(-1, 3, 6, 6)"
GIVEN = "loss = sum(F.cross_entropy(net(p), q) for p, q in given)"
OF_BATCH = "loss = F.cross_entropy(net({}), y[:4])"

PLACES = """
net = nn.Sequential(nn.Conv2d(2, 6, 3, padding=1), nn.ReLU(), nn.Conv2d(6, 3, 1))
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(4, 2, 5, 5), T.randint(0, 3, (4, 5, 5))
"""

ALIKE = """
net = nn.Linear(4, 2)
opt = T.optim.SGD(net.parameters(), lr=0.01)
def apart(u, v, label, m=1.0):
    dist = T.norm(u - v, dim=1)
    return T.mean(label * dist.pow(2) + (1 - label) * T.clamp({inside}, min=0.0).pow(2))
a, b, same = T.randn(8, 4), T.randn(8, 4), T.arange(8) % 2.0
"""

MIXING = """
net = nn.Linear(1, 9)
opt = T.optim.Adam(net.parameters(), lr=0.01)
x, y = T.rand(12, 1), T.randn(12, 1)
def cost(out):
    a, mu, s = out.chunk(3, 1)
    pi, sigma = F.softmax(a, dim=1), F.softplus(s) + 0.1
    log_p = -0.5 * ((y - mu) / sigma) ** 2 - T.log(sigma)
    return -{mixed}.mean()
"""

ENDED = """
bos, eos = 1, 2
pad = {pad}
rows = T.full((8, 6), pad)
for i in range(8):
    k = 2 + i % 3
    rows[i, :k] = 3 + T.arange(k)
    rows[i, k] = eos
net = nn.Sequential(nn.Embedding(9, 8), nn.Linear(8, 9))
opt = T.optim.Adam(net.parameters(), lr=0.01)
"""

SUBSET = """
x = T.randn(40, 5)
labels = (x[:, 0] > 0).long()
net = nn.Linear(5, 2)
opt = T.optim.Adam(net.parameters(), lr=0.01)
train = T.randperm(40)[:24]
def missed(index):
    out = net(x)[index]
    return F.cross_entropy(out, labels[{rows}])
"""

FOCUSED = """
net = nn.Linear(4, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(12, 4), (T.arange(12) % 3 == 0).float()
def focused(p, y):
    right = p * y + (1 - p) * (1 - y)
    share = {share}
    return -(0.25 * share * T.log(right + 1e-6)).mean()
"""
OF_CHANCES = "loss = focused(T.sigmoid(net(x)).squeeze(1), y)"

MASKED = """
class Overlap(nn.Module):
    def forward(self, given, mask):
        a, b = given.flatten(1), mask.flatten(1)
        both = (a * b).sum(1)
        return (1 - both / (a.sum(1) + b.sum(1) - both + 9)).mean()
net, overlap = nn.Conv2d(1, 1, 3, padding=1), Overlap()
opt = T.optim.SGD(net.parameters(), lr=0.01)
x, mask = T.randn(4, 1, 5, 5), (T.randn(4, 1, 5, 5) > 0).float()
"""

VIEWED = """
net = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 3))
opt = T.optim.SGD(net.parameters(), lr=0.1)
x = T.randn(8, 4)
def near(a, b):
    return {near}
"""
TWO_VIEWS = "loss = near(net(x + 0.1 * T.randn(8, 4)), net(x))"

BOXES = """
net = nn.Linear(3, 4)
nn.init.normal_(net.weight, std=0.01)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, boxes = T.randn(6, 3), T.tensor([{corner}, {corner}, 90.0, 90.0]).expand(6, 4)
def share(p, t):
    width = F.relu(T.min(p[:, 2], t[:, 2]) - T.max(p[:, 0], t[:, 0]))
    height = F.relu(T.min(p[:, 3], t[:, 3]) - T.max(p[:, 1], t[:, 1]))
    both = width * height
    return 1 - (both / (8100.0 + 4 - both)).mean()
"""
OF_BOXES = "loss = share(net(x) + T.tensor([0.0, 0.0, 2.0, 2.0]), boxes)"

STORED = """
class Stored(T.utils.data.Dataset):
    def __init__(self):
        self.rows = {rows}
    def __len__(self):
        return 12
    def __getitem__(self, k):
        row = {row}
        row.sub_(0.5).div_(0.25)
        return row, k % 2
given = T.utils.data.DataLoader(Stored(), batch_size=4)
net = nn.Linear(4, 2)
opt = T.optim.SGD(net.parameters(), lr=0.01)
"""

SCALED = """
class Bytes(T.utils.data.Dataset):
    def __init__(self):
        self.rows = T.randint(0, 256, (12, 4))
    def __len__(self):
        return 12
    def __getitem__(self, k):
        return self.rows[k] / 255.0, k % 2
net = nn.Linear(4, 2)
opt = T.optim.SGD(net.parameters(), lr=0.01)
given = T.utils.data.DataLoader(Bytes(), batch_size=12)
for turn in range(3):
    for x, y in given:
        x = x{more}
        loss = F.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
"""

SMOOTHED = """
class Smooth(nn.Module):
    def __init__(self, smoothing):
        super().__init__()
        self.smoothing = smoothing
    def forward(self, scores, y):
        share = self.smoothing / 3
        target = F.one_hot(y, 4) * (1 - self.smoothing - share) + share
        return -(target * F.log_softmax(scores, 1)).sum(1).mean()
net, smooth = nn.Linear(3, 4), Smooth({share})
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 3), T.arange(8) % 4
"""

ATTENDING = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.q = nn.Embedding(9, 4), nn.Linear(4, 4)
        self.out = nn.Linear(4, 9)
    def forward(self, ids):
        e = self.table(ids)
        return self.out(F.scaled_dot_product_attention(self.q(e), e, e{causal}))
net = Net()
opt = T.optim.SGD(net.parameters(), lr=0.1)
words = T.randint(0, 9, (8, 6))
"""
NEXT_WORD = "loss = F.cross_entropy(net(words[:, :-1]).mT, words[:, 1:])"

RIGHT_FACTORS = """
w, v = {w}.requires_grad_(), T.{v}(6, 1).requires_grad_()
opt = T.optim.SGD([w, v], lr=0.1)
x, y = T.randn(12, 4), T.randn(12, 1)
"""
OF_FACTORS = "loss = F.mse_loss(T.tanh(x @ w) @ v, y)"

LINE = (
    START
    + """
w, b = T.randn(1).requires_grad_(), T.zeros(1).requires_grad_()
x = T.linspace(-1, 1, 8)
for turn in range(4):
    loss = (w * x + b - 2 * x - 1).pow(2).mean()
    loss.backward()
    w.data = w.data - 0.1 * w.grad.data
    b.data = b.data - 0.1 * b.grad.data
{clear}
"""
)

NEW_HEAD = (
    START
    + """
net = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 2))
x, y = T.randn(12, 4), T.arange(12) % 2
pre = T.optim.SGD(net.parameters(), lr=0.1)
for turn in range(3):
    pre.zero_grad()
    F.cross_entropy(net(x), y).backward()
    pre.step()
later = T.optim.SGD(net[2].parameters(), lr=0.1)
net[2] = nn.Linear(6, 2)
for turn in range(3):
    later.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    later.step()
"""
)

OWN_LSTM = """
class LSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.out = nn.LSTM(2, 4), nn.Linear(4, 1)
    def forward(self, x):
        return self.out(self.lstm(x)[0][:, -1])
net = LSTM()
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 6, 2), T.randn(8, 1)
"""

RELATIVES = {
    "a class that is called LSTM": Relative(
        steps(OWN_LSTM, "loss = F.mse_loss(net(x), y)"),
        ("LSTM `net.lstm` in `self.lstm, self.out = nn.LSTM(2, 4), nn.Linear(4, 1)`",),
        ("in `net = LSTM()`",),
    ),
    "attention that sees the next words": Relative(
        steps(ATTENDING.format(causal=""), NEXT_WORD),
        ("`words[:, 1:]`", "Write `is_causal=True` there"),
    ),
    "columns that start alike": Relative(
        steps(RIGHT_FACTORS.format(w="T.full((4, 6), 0.1)", v="ones"), OF_FACTORS),
        ("The 6 units of `w`",),
    ),
    "a line whose gradients add up": Relative(
        LINE.format(clear=""), ("Write `w.grad = b.grad = None`",), watched=False
    ),
    "a new head and two optimizers": Relative(
        NEW_HEAD, ("not held by the optimizer `later`",), watched=False
    ),
    "steps that kill a layer": Relative(
        steps(LEAPING.format(optimizer=LEAP), SQUARED).replace("range(6)", "range(10)"),
        ("learning rate 0.5", "lr=1e-3"),
        ("LeakyReLU",),
    ),
    "a sample of nothing": Relative(
        PHOTOS.format(last="print(i)"),
        ("`Photos.__getitem__` can end at `print(i)`", "if s is not None])`"),
        ask="viz.explain(error)",
        watched=False,
    ),
    "a divergence of the library with a minus": Relative(
        """
enc, dec, N = T.nn.Linear(4, 4), T.nn.Linear(2, 4), T.distributions.Normal
opt = T.optim.SGD([*enc.parameters(), *dec.parameters()], lr=0.01)
x = T.randn(8, 4)
for i in range(4):
    mu, logvar = enc(x).chunk(2, 1)
    std = (0.5 * logvar).exp()
    z = mu + T.randn_like(mu) * std
    kl = T.distributions.kl_divergence(N(mu, std), N(0.0, 1.0)).mean()
    loss = (dec(z) - x).pow(2).mean() - 0.1 * kl
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        ("A divergence is never below 0", "Add it: `+ kl`"),
    ),
    "samples of nothing": Relative(
        PHOTOS.format(last="pass").replace("return T.ones(3), i", "row = T.ones(3)"),
        ("`Photos.__getitem__` can end at `pass`", "End it with a `return` of the sample"),
        ("if s is not None",),
        ask="viz.explain(error)",
        watched=False,
    ),
    "a sample of none": Relative(
        PHOTOS.format(last="return None"),
        ("`Photos.__getitem__` can end at `return None`", "if s is not None])`"),
        ask="viz.explain(error)",
        watched=False,
    ),
    "padding at the end of sequences": Relative(
        """
att = T.nn.MultiheadAttention(8, 2)
x = T.randn(6, 4, 8)
mask = T.arange(4)[None] >= T.tensor([[4], [2], [3], [4], [1], [3]])
out, w = att(x, x, x, key_padding_mask=mask)
""",
        ("`T.nn.MultiheadAttention(8, 2, batch_first=True)`",),
        ("mask.T",),
        ask="viz.explain(error)",
        watched=False,
    ),
    "a weight decay that leaves nothing": Relative(
        """
T.manual_seed(0)
net = T.nn.Sequential(T.nn.Linear(4, 16), T.nn.ReLU(), T.nn.Linear(16, 3))
opt = T.optim.SGD(net.parameters(), lr=0.1, weight_decay=0.9)
x = T.randn(60, 4)
y = (x[:, 0] * x[:, 1] > 0).long() + (x[:, 2] > 0).long()
for i in range(60):
    opt.zero_grad()
    loss = T.nn.functional.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
""",
        ("The weight decay of `opt`", "`weight_decay=1e-4`"),
    ),
    "a column in a function": Relative(
        steps(
            "def far(guess, wanted):\n    return ((guess - wanted) ** 2).mean()\n" + EACH,
            "loss = far(net(x), y[:, 0])",
        ),
        ("the target `wanted`", "`wanted.unsqueeze(1)`"),
    ),
    "a new iterator with two parts": Relative(
        steps(
            EACH + "batches = [(x, y)] * 6\n",
            "x, y = next(iter(batches))\n    loss = (net(x) - y).pow(2).mean()",
        ),
        ("Write `for x, y in batches:`",),
    ),
    "a skip of an odd size": Relative(
        UNET.format(joined="T.cat([u, d], 1)"),
        (f"Write `{SIZED}` in place of `u`",),
        ask="viz.explain(error)",
        watched=False,
    ),
    "a loss of each sample": Relative(
        steps(EACH, "loss = F.mse_loss(net(x), y, reduction='none')"),
        ("loss.mean()",),
        ("loss.sum()",),
        ask="viz.explain(error)",
        watched=False,
    ),
    "labels of the neighbour": Relative(
        START + PAIRED.format(shift=" - 1"),
        ("of `x` is row", "self.classes[i - 1]"),
    ),
    "labels in their old order": Relative(
        steps(SPLIT.format(labels="classes[:40]"), CLASSES),
        ("row", "where `classes` has", "x, y = data[order][:40], classes[:40]"),
    ),
    "a model for each fold": Relative(
        START + FOLDS,
        ("in each turn: write `opt = T.optim.SGD(net.parameters(), lr=0.1)` after it",),
        ("make it once",),
    ),
    "a model that is judged as it trains": Relative(
        START
        + JUDGED.format(layer="BatchNorm1d(6)", found="model(given)", before="", given="x[:2]"),
        ("return model(given)` ", "`net.eval()`"),
    ),
    "a rare label": Relative(
        START + SELDOM.format(rate=0.02), ("of `y` are 1", "pos_weight=T.tensor(")
    ),
    "a column of marks": Relative(
        steps(
            "net = nn.Linear(4, 1)\nopt = T.optim.SGD(net.parameters(), lr=0.1)\n"
            "x, y = T.randn(8, 4), (T.arange(8) % 2).float()",
            "loss = F.binary_cross_entropy_with_logits(net(x).squeeze(1), y)",
        )
        + "marks = (net(x).detach() > 0).float()\nright = (marks == y).sum()\n",
        ("compares `marks`, a column of 8", "marks.squeeze(1)"),
        ask="viz.explain(marks)",
    ),
    "states of two directions": Relative(
        steps(BOTH_WAYS.format(joined="view(-1, 10)"), CLASSES),
        ("a view leaves the numbers", "h.permute(1, 0, 2).reshape(12, -1)"),
    ),
    "a loss made in its line": Relative(
        steps(
            "net = nn.Sequential(nn.Linear(3, 4), nn.Tanh())\n"
            "opt = T.optim.SGD(net.parameters(), lr=0.1)\n"
            "x, y = T.randn(8, 3), 9 + T.randn(8, 4)",
            "loss = nn.MSELoss()(net(x), y)",
        ),
        ("from -1 to 1 only", "100% of `y`"),
    ),
    "gradients cut by hand": Relative(
        START
        + MANY.format(
            inside="loss = F.mse_loss(net(x), y)",
            before="for p in net.parameters(): p.grad.clamp_(-1e-6, 1e-6)",
        ),
        ("moves no weight by more than", "clamp_(-1e-6, 1e-6)` ", "changes the gradients"),
    ),
    "targets of other inputs": Relative(
        START
        + MANY.format(inside="loss = F.mse_loss(net(x), y)", before="pass")
        .replace("for turn", "x = T.randn(64, 4)\nfor turn")
        .replace("lr=0.1", "lr=0.01"),
        ("no better than a guess that knows `y` alone", "x = T.randn(64, 4)"),
    ),
    "an update of gradients": Relative(
        START
        + MANY.format(
            inside="loss = F.mse_loss(net(x), y)",
            before="for p in net.parameters(): p.grad -= 0.1 * p.data",
        )
        .replace("    opt.step()\n", "    net.zero_grad()\n")
        .replace("opt = ", "opt = net\n#"),
        ("no better than a guess",),
        watched=False,
    ),
    "columns of other sizes": Relative(
        steps(COLUMNS, "loss = F.mse_loss(net(x), y)"),
        ("x = (x - x.mean(0)) / x.std(0)", "x, y = T.stack([a, b], 1)"),
    ),
    "orders of arrays": Relative(
        steps(ORDERS.format(one=DRAWN, other=DRAWN), CLASSES),
        ("marks = marks[rng.permutation(len(data))]", f"order = {DRAWN}"),
    ),
    "a view with names of lengths": Relative(
        steps(PICTURES.format(order="view(N, 3, side, pictures.size(2))"), CLASSES),
        ("a view leaves the numbers", "pictures.permute(0, 3, 1, 2)"),
    ),
    "a softmax over one sample": Relative(
        steps(
            "net = nn.Linear(4, 3)\nopt = T.optim.SGD(net.parameters(), lr=0.1)\n"
            "x, y = T.randn(1, 4), T.tensor([2])",
            "loss = F.nll_loss(F.log_softmax(net(x), dim=0), y)",
        ),
        ("over dimension 0", "dim=1"),
        ("one class",),
    ),
    "chances to keep": Relative(
        steps(KEPT.format(keep=0.97), CLASSES) + "net.eval()\n",
        ("net.drop.p = net.last.p = 0.03", "self.last = nn.Dropout(keep)"),
    ),
    "a loss of numbers": Relative(
        steps(
            "net = nn.Linear(4, 1)\nopt = T.optim.SGD(net.parameters(), lr=0.1)\n"
            "x, y = T.randn(8, 4), T.randn(8, 1)",
            "misfit = F.mse_loss(net(x), y)\n    size = net.weight.pow(2).sum()\n"
            "    loss = T.tensor(misfit.item() + 0.1 * size.item(), requires_grad=True)",
        ),
        ("Write `loss = misfit + 0.1 * size` there.",),
    ),
    "logarithms of sigmoids": Relative(
        steps(SIGNED, "s = (table(a) * out(b)).sum(1)\n    loss = nn.LogSigmoid()(s).sum()"),
        ("nn.LogSigmoid()(s).sum()", "Put a minus before it"),
    ),
    "decay with a velocity": Relative(
        steps(DECAYING.format(rate=0.05), SQUARED),
        ("weight decay", "25% of every weight"),
    ),
    "shuffled by a function": Relative(
        steps(MIXED.format(before="x, y = mixed(data[:, :4]), mixed(data[:, 4:])"), NAMED_LOSS),
        ("`x, y = data[:, :4][order], data[:, 4:][order]`",),
    ),
    "zeros for pairs in the call": Relative(
        steps(
            MATCHED.format(
                inside="s = T.mm(p, q.T)\n    return "
                "F.cross_entropy(s, T.zeros(len(s), dtype=T.long))"
            ),
            MATCHING,
        ),
        ("`T.arange(len(s))`",),
    ),
    "whole marks of a data set": Relative(
        START + MARKS.format(dtype="int64"),
        ("`T.as_tensor([k / 20], dtype=T.float32)`",),
    ),
    "a divergence of one result": Relative(
        steps(
            TAUGHT,
            "t = teacher(x).detach()\n    loss = F.cross_entropy(net(x), y) + "
            "kl(F.log_softmax(t, 1), t.softmax(1).detach())",
        ),
        ("compares `t` with itself",),
    ),
    "a sum over other places": Relative(
        steps(POOLED.format(dim=0, place=1, size="8, 5"), SQUARED),
        ("the batch", "`dim=1`"),
    ),
    "lengths in another order": Relative(
        steps(SCRAMBLED.format(exchanged="pass"), SQUARED),
        ("`x.permute(0, 2, 1)`",),
    ),
    "pairs of zip read once": Relative(
        START + READ_ONCE.format(before="pairs = zip(x.split(4), y.split(4))", each="pass"),
        ("`pairs = list(zip(x.split(4), y.split(4)))`",),
    ),
    "an LSTM that repeats": Relative(
        steps(SPEAKING.format(more="pass", inside=ALL_STATES), AGAIN),
        ("`words[:, :-1]`", "`words[:, 1:]`"),
    ),
    "features after a view": Relative(
        FLAT,
        ("`x.reshape(x.size(0), -1)`", "16 features in"),
        (),
        "viz.explain(error)",
        watched=False,
    ),
    "classes last in a call": Relative(
        SPOKEN,
        ("`out(h.tanh()).transpose(1, 2)`",),
        (),
        "viz.explain(error)",
        watched=False,
    ),
    "steps rounded down in a variable": Relative(
        START + CYCLE.format(total="2 * per_epoch"),
        ("`-(-data.shape[0] // size)`",),
        (),
        "viz.explain(error)",
        watched=False,
    ),
    "steps of epochs alone": Relative(
        START + CYCLE.format(total="2"),
        ("for 2 steps", "times the batches"),
        (),
        "viz.explain(error)",
        watched=False,
    ),
    "target chosen by an index": Relative(
        steps(CHOSEN, "k = T.randperm(20)[:8]\n    loss = (labels[k] - net(x[k])).abs().mean()"),
        ("the target `labels[k]`", "`labels[k].unsqueeze(1)`"),
        ("`k.unsqueeze",),
    ),
    "schedule in the loop": Relative(
        steps(SCHEDULED, SQUARED).replace("opt.step()\n", "opt.step()\n    fall.step()\n"),
        ("set by ExponentialLR in `fall.step()`",),
    ),
    "layers in a dictionary": Relative(
        steps(NAMED, SQUARED),
        ("nn.ModuleDict", "`self.arms = "),
        ("ModuleList",),
    ),
    "an update by hand": Relative(
        BY_HAND,
        ("`each.grad = None`",),
    ),
    "activation in a list": Relative(
        steps(STACKED, SQUARED),
        ("in `layers.extend([nn.Linear(a, b), nn.ReLU()])`",),
    ),
    "several weights of zero": Relative(
        steps(EMPTIED, SQUARED),
        ("for w in (net[0].weight, net[2].weight, net[4].weight): nn.init",),
    ),
    "a pass of its own": Relative(
        START + FITTED,
        ("around `for turn in range(6):`",),
        ("`for k in",),
        watched=False,
    ),
    "numbers of losses in a list": Relative(
        steps(
            PARTS,
            "loss = T.tensor([float(F.cross_entropy(net(a), b)) for a, b in parts], "
            "requires_grad=True).sum()",
        ),
        ("T.stack([F.cross_entropy(net(a), b) for a, b in parts])",),
        ("retain_grad", "requires_grad_("),
    ),
    "numbers made to require grad": Relative(
        steps(
            PARTS,
            "loss = T.tensor([F.cross_entropy(net(a), b).item() for a, b in parts])"
            ".requires_grad_().sum()",
        ),
        ("T.stack([F.cross_entropy(net(a), b) for a, b in parts])",),
        ("retain_grad",),
    ),
    "cleared state of Adam": Relative(
        UNNAMED.format(optimizer="Adam", given="x"),
        ("`opt.zero_grad()`", "has cleared it since the last pass"),
        ("Use ",),
        "viz.explain(net[0].weight)",
        watched=False,
    ),
    "cleared by plain descent": Relative(
        UNNAMED.format(optimizer="SGD", given="x"),
        ("has cleared it since the last pass",),
        ("Use ",),
        "viz.explain(net[0].weight)",
        watched=False,
    ),
    "never used": Relative(
        UNNAMED.format(optimizer="Adam", given="x") + "other = nn.Linear(2, 2)\n",
        ("nothing that you have a name for",),
        ("cleared",),
        "viz.explain(other.weight)",
        watched=False,
    ),
    "eval in another function": Relative(
        steps(BATCHED.format(before=""), "loss = F.cross_entropy(net(x), y)"),
        ("`net.0` has averaged no batch", "`net.train()`", "`net.eval()`"),
        ("learning rate",),
    ),
    "words hidden by infinity": Relative(
        steps(READING.format(mask="keep"), "loss = F.cross_entropy(net(words, keep), y)"),
        ("`~keep`",),
        ("vanish",),
    ),
    "rows for two layers": Relative(
        START + TWICE.format(second="self.back = nn.Linear(width, rows)"),
        ("`Words(3, rows=6)`",),
        (),
        "viz.explain(error)",
        watched=False,
    ),
    "rows and scores by one variable": Relative(
        START + "rows = 5\ntable, out = nn.Embedding(rows, 3), nn.Linear(3, rows)\n"
        "words = nn.Embedding(rows, 3)\nwords(T.tensor([1, 5]))\n",
        ("`rows = 6`", "in `rows = 5`"),
        ("nn.Embedding(6",),
        "viz.explain(error)",
        watched=False,
    ),
    "rows for one layer": Relative(
        START + TWICE.format(second="self.back = nn.Linear(width, 2)"),
        ("`nn.Embedding(6, width)`",),
        (),
        "viz.explain(error)",
        watched=False,
    ),
    "an optimizer changes it": Relative(
        OUTSIDE.format(held="a, *net.parameters()"),
        ("Move `b = T.exp(a)`", "an optimizer changes a"),
        ("detach",),
        "viz.explain(error)",
        watched=False,
    ),
    "another way to the weights": Relative(
        OUTSIDE.format(held="a, *net.parameters()").replace("(b * net(x))", "(b * a * net(x))"),
        ("b.detach()",),
        (),
        "viz.explain(error)",
        watched=False,
    ),
    "no optimizer changes it": Relative(
        OUTSIDE.format(held="*net.parameters()"),
        ("into the loop", "b.detach()"),
        (),
        "viz.explain(error)",
        watched=False,
    ),
    "index of a softmax": Relative(
        JUMPING.format(chances="scores.softmax(1)"),
        ("`scores`", "cross-entropy"),
        ("`chances` itself",),
        "viz.explain(error)",
        watched=False,
    ),
    "index of scores": Relative(
        JUMPING.format(chances="scores * 2"),
        ("`chances` itself",),
        (),
        "viz.explain(error)",
        watched=False,
    ),
    "classes in order of a list": Relative(
        START + SORTED.format(y=IN_ORDER, before=OF_CLASSES, each='x, y in given["train"]'),
        ("given['train']", "sorted by class", "shuffle=True"),
    ),
    "classes in order of slices": Relative(
        START
        + SORTED.format(y=IN_ORDER, before="", each="i in range(0, 60, 10)").replace(
            "net(x), y", "net(rows[i : i + 10]), classes[i : i + 10]"
        ),
        ("`classes[i:i + 10]`", "sorted by class", "order = T.randperm(len(classes))"),
    ),
    "weights of classes": Relative(
        START
        + SORTED.format(
            y=IN_TURN, before=SAMPLED.format(weights="weights.tolist()"), each="x, y in given"
        ),
        ("3 weights", "60 samples", "T.as_tensor(weights.tolist())[classes]"),
    ),
    "places beyond a sigmoid": Relative(
        steps(
            BOUNDED.format(scale=30),
            "rows = T.randperm(20)[:8]\n    loss = F.l1_loss(net(x[rows]), places[rows])",
        ),
        ("return T.sigmoid(self.out(x))", "`places`", "Leave Sigmoid out"),
    ),
    "sides of minus one": Relative(
        steps(SIDES.format(low=-1.0), "loss = compared(T.randperm(20)[:8])"),
        ("return mine(", "`sides = (sides == sides.max()).float()`"),
    ),
    "a decoder without the encoder's state": Relative(
        steps(CODED.format(given=""), "loss = F.mse_loss(coded(x), y)"),
        ("Write `dec(x, (h, c))`",),
    ),
    "a density without its determinant": Relative(
        steps(FLOW.format(density="prior.log_prob(z).sum(-1)"), "loss = nll(T.randn(8, 2) * 3)"),
        ("Write `(prior.log_prob(z).sum(-1) + logdet)`",),
    ),
    "a pair of states that is detached": Relative(
        steps(ROLLED.format(state="(h.detach(), c.detach())"), "loss = F.cross_entropy(net(x), y)"),
        ("Write `c` in place of `c.detach()`",),
    ),
    "one row for all windows": Relative(
        steps(FILLED.format(row=""), "loss = F.mse_loss(net(x)[:, 0], y)"),
        ("`rows.append((row, series[k + 4]))`", "`.clone()`"),
    ),
    "labels cut as the words are": Relative(
        steps(READ, "a, b = ids[:-1], ids[:-1]\n    loss = F.cross_entropy(net(a).mT, b)"),
        ("`b[:, :-1]`",),
    ),
    "weights of one number": Relative(
        steps(
            WEIGHED,
            "w = T.softmax(score(x), -1)\n    loss = F.cross_entropy(head((w.mT @ x)[:, 0]), y)",
        ),
        ("over the axis of 5 numbers: `dim=1`",),
    ),
    "a photo with its colours last": Relative(
        steps(COLOURED.format(moved="view(-1, 3, 6, 6)"), "loss = F.cross_entropy(net(photos), y)"),
        ("`img.permute(0, 3, 1, 2)`",),
    ),
    "a label for fakes in two functions": Relative(
        START + GAN.format(opts=APART, label="zeros"),
        ("gives the fakes the label `T.zeros_like(out)`",),
    ),
    "two optimizers of two models": Relative(
        START + GAN.format(opts=TOGETHER, label="ones"),
        ("only `gen.parameters()`", "only `disc.parameters()`"),
    ),
    "a teacher that is taught": Relative(
        steps(PUPIL.format(learner="teacher"), "loss = F.mse_loss(student(x), teacher(x))"),
        ("Give `opt` `student.parameters()`",),
    ),
    "noise of two draws": Relative(
        steps(SPREAD.format(given="", added="T.randn_like(x)"), "loss = missed(x)"),
        ("in place of `T.randn_like(x)`",),
    ),
    "holes that are learned": Relative(
        steps(CLEANED.format(target="holes"), "loss = missed(rows)"),
        ("`F.mse_loss(out, batch)`",),
    ),
    "photos viewed in forward": Relative(
        steps(
            SNAPSHOTS.format(first="x = x.view(-1, 3, 6, 6)", order="", inside=""),
            OF_BATCH.format("photos[:4]"),
        ),
        ("x = x.view(-1, 3, 6, 6)", "x.permute(0, 3, 1, 2)"),
    ),
    "photos viewed in a data set": Relative(
        steps(SNAPSHOTS.format(first="pass", order=".reshape(3, 6, 6)", inside=""), GIVEN),
        ("self.photos[k].permute(2, 0, 1)",),
    ),
    "photos viewed in a function": Relative(
        steps(
            SNAPSHOTS.format(first="pass", order="", inside=".view(len(rows), 3, 6, 6)"),
            OF_BATCH.format("batch(photos, range(4))"),
        ),
        ("part.permute(0, 3, 1, 2)",),
    ),
    "places in rows of classes": Relative(
        steps(PLACES, "loss = F.cross_entropy(net(x).reshape(-1, 3), y.flatten())"),
        ("net(x).permute(0, 2, 3, 1).reshape(-1, 3)",),
    ),
    "a margin that pulls": Relative(
        steps(ALIKE.format(inside="dist - m"), "loss = apart(net(a), net(b), same)"),
        ("Write `m - dist` there",),
    ),
    "a mixture in a function": Relative(
        steps(MIXING.format(mixed="T.sum(pi * log_p, dim=1)"), "loss = cost(net(x))"),
        ("Write `-T.logsumexp(T.log(pi) + log_p, dim=1).mean()`",),
    ),
    "an end that is padding": Relative(
        steps(
            ENDED.format(pad="eos"),
            "loss = F.cross_entropy(net(rows[:, :-1]).mT, rows[:, 1:], ignore_index=pad)",
        ),
        ("`pad = eos` makes the end", "such as 7"),
    ),
    "the first labels for chosen samples": Relative(
        steps(SUBSET.format(rows=":24"), "loss = missed(train)"),
        ("`labels[index]`",),
    ),
    "a focus upside down": Relative(
        steps(FOCUSED.format(share="right ** 2"), OF_CHANCES),
        ("`share = right ** 2`", "Write `(1 - right) ** 2`"),
    ),
    "an overlap of raw scores": Relative(
        steps(MASKED, "loss = overlap(net(x), mask)"),
        ("`overlap(T.sigmoid(net(x)), mask)`",),
    ),
    "views that only come nearer": Relative(
        steps(VIEWED.format(near="(a - b).pow(2).sum(1).mean()"), TWO_VIEWS),
        ("return (a - b).pow(2).sum(1).mean()", "the results collapse", "a @ b.T"),
    ),
    "views of one direction": Relative(
        steps(VIEWED.format(near="1 - F.cosine_similarity(a, b).mean()"), TWO_VIEWS),
        ("the results collapse",),
    ),
    "boxes that do not overlap": Relative(
        steps(BOXES.format(corner="80.0"), OF_BOXES),
        (" = F.relu(T.min(", "add a loss with a slope there"),
    ),
    "rows changed by methods": Relative(
        steps(
            STORED.format(rows="T.rand(12, 4)", row="self.rows[k].view(-1)"),
            "loss = sum(F.cross_entropy(net(p), q) for p, q in given)",
        ),
        ("row.sub_(0.5).div_(0.25)", "`row = self.rows[k].clone()`"),
    ),
    "rows changed in a list": Relative(
        steps(
            STORED.format(rows="[T.rand(4) for _ in range(12)]", row="self.rows[k]"),
            "loss = sum(F.cross_entropy(net(p), q) for p, q in given)",
        ),
        ("`row = self.rows[k].clone()`",),
    ),
    "bytes scaled twice": Relative(
        START + SCALED.format(more=" / 255.0"),
        ("self.rows[k] / 255.0", "leave the division out in `x = x / 255.0`"),
    ),
    "a smoothing of one's own": Relative(
        steps(SMOOTHED.format(share=0.8), "loss = smooth(net(x), y)"),
        ("smoothing=0.8", "`smoothing=0.2`"),
    ),
}

SOUND = {
    "large steps of a small model": steps(
        EACH.replace("SGD(net.parameters(), lr=0.1)", LEAP), "loss = (net(x) - y).pow(2).mean()"
    ),
    "steps that leave a layer alive": steps(
        LEAPING.format(optimizer=LEAP.replace("0.5", "0.01")), SQUARED
    ),
    "several draws with dropout": START
    + JUDGED.format(
        layer="Dropout(0.5)", before="", given="x",
        found="T.stack([model(given) for _ in range(4)]).mean(0)",
    ),
    "a model that is judged in its mode": START
    + JUDGED.format(layer="BatchNorm1d(6)", found="model(given)", before="net.eval()", given="x"),
    "a rare label that is learned": START + SELDOM.format(rate=3.0),
    "pairs of marks": steps(
        "net = nn.Linear(4, 1)\nopt = T.optim.SGD(net.parameters(), lr=0.1)\n"
        "x, y = T.randn(8, 4), (T.arange(8) % 2).float()\ncolumn = y.unsqueeze(1)\n"
        "alike = column == y",
        "loss = F.binary_cross_entropy_with_logits(net(x), column)",
    ),
    "columns that are compared": steps(
        "net = nn.Linear(4, 1)\nopt = T.optim.SGD(net.parameters(), lr=0.1)\n"
        "x, y = T.randn(8, 4), (T.arange(8) % 2).float().unsqueeze(1)",
        "loss = F.binary_cross_entropy_with_logits(net(x), y)\n"
        "    right = ((net(x).detach() > 0).float() == y).sum()",
    ),
    "states joined for each sample": steps(
        BOTH_WAYS.format(joined="permute(1, 0, 2).reshape(-1, 10)"), CLASSES
    ),
    "channels of one picture": steps(
        "net = nn.Conv2d(3, 4, 3)\nopt = T.optim.SGD(net.parameters(), lr=0.1)\n"
        "x, y = T.randn(1, 3, 6, 6), T.randn(4, 4)",
        "f = net(x)\n    f = f.view(4, 16)\n    loss = F.mse_loss(f @ f.T / 16, y)",
    ),
    "gradients cut at one": START + MANY.format(
        inside="loss = F.mse_loss(net(x), y)",
        before="for p in net.parameters(): p.grad.clamp_(-1, 1)",
    ),
    "targets of a network": START + MANY.format(
        inside="goal = net(x).detach() + T.randn(64, 1)\n    loss = F.mse_loss(net(x), goal)",
        before="pass",
    ),
    "labels of the same index": START + PAIRED.format(shift=""),
    "classes that are renamed": steps(SPLIT.format(labels="2 - classes[order][:40]"), CLASSES),
    "classes with some noise": steps(
        SPLIT.format(labels="T.where(T.arange(40) % 9 > 0, classes[order][:40], 0)"), CLASSES
    ),
    "one order of arrays": steps(ORDERS.format(one="order", other="order"), CLASSES),
    "axes exchanged by names": steps(PICTURES.format(order="permute(0, 3, 1, 2)"), CLASSES),
    "a maker against a judge": steps(
        SIGNED + "judge = nn.Linear(4, 1)\nother = T.optim.SGD(judge.parameters(), lr=0.1)\n",
        "other.zero_grad()\n    made = (table(a) + out(b)).detach()\n"
        "    judged = judge(made) - judge(T.randn(8, 4))\n    "
        "F.softplus(judged).mean().backward()\n    other.step()\n"
        "    loss = F.logsigmoid(-judge(table(a) + out(b))).mean()",
    ),
    "a dropout in each call": steps(
        TAUGHT + "wide = nn.Sequential(net, nn.Dropout(0.5))\n",
        "loss = kl(F.log_softmax(wide(x), 1), F.softmax(wide(x), 1)) + F.cross_entropy(net(x), y)",
    ),
    "one seed for two orders": steps(
        MIXED.format(
            before="T.manual_seed(1)\nx = mixed(data[:, :4])\n"
            "T.manual_seed(1)\ny = mixed(data[:, 4:])"
        ),
        NAMED_LOSS,
    ),
    "words moved by the model": steps(
        SPEAKING.format(more="pass", inside="words = T.cat([0 * words[:, :1], words[:, :-1]], 1)\n"
                        "        " + ALL_STATES),
        AGAIN,
    ),
    "a minus before sigmoids": steps(
        SIGNED, "s = (table(a) * out(b)).sum(1)\n    loss = -F.logsigmoid(s).sum()"
    ),
    "a small decay": steps(DECAYING.format(rate=0.001), SQUARED),
    "shuffled together": steps(
        MIXED.format(before="data = mixed(data)\nx, y = data[:, :4], data[:, 4:]"), NAMED_LOSS
    ),
    "partners in the first column": steps(
        MATCHED.format(inside="s = T.cat([(p * q).sum(1, keepdim=True), p @ queue.T], 1)\n    "
                       "return F.cross_entropy(s, T.zeros(len(s), dtype=T.long))"),
        MATCHING,
    ),
    "marks with fractions": START + MARKS.format(dtype="float32"),
    "a divergence of two results": steps(
        TAUGHT, "t = teacher(x).detach()\n    loss = kl(F.log_softmax(net(x), 1), t.softmax(1))"
    ),
    "places in the first dimension": steps(POOLED.format(dim=0, place=0, size="5, 8"), SQUARED),
    "axes exchanged first": steps(
        SCRAMBLED.format(exchanged="x = x.transpose(1, 2).contiguous()"), SQUARED
    ),
    "pairs made in each turn": START
    + READ_ONCE.format(before="pairs = None", each="pairs = zip(x.split(4), y.split(4))"),
    "words given back from one state": steps(
        SPEAKING.format(more="self.back = nn.LSTM(4, 6, batch_first=True)", inside=FROM_LAST),
        AGAIN,
    ),
    "options that a schedule writes": steps(
        "net = nn.Linear(3, 1)\nopt = T.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)\n"
        "plan = T.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.1, total_steps=20)\n"
        "x, y = T.randn(8, 3), T.randn(8, 1)",
        "loss = (net(x) - y).pow(2).mean()",
    ) + "    plan.step()\n",
    "a flag of each parameter": steps(
        CHOSEN + "net.weight.requires_grad = True\n",
        "k = T.randperm(20)[:8]\n    loss = (labels[k].unsqueeze(1) - net(x[k])).abs().mean()",
    ),
    "averages of batches": steps(
        BATCHED.format(before="net(T.randn(8, 4))") + "net[0].eval()\nnet.train()\nnet[0].eval()\n",
        "loss = F.cross_entropy(net(x), y)",
    ),
    "batches that are accumulated": START
    + PARTS
    + "for step in range(4):\n"
    "    opt.zero_grad()\n"
    "    for xs, ys in parts:\n"
    "        loss = F.cross_entropy(net(xs), ys)\n"
    "        (loss / len(parts)).backward()\n"
    "    opt.step()\n",
    "a mask that keeps words": steps(
        READING.format(mask="~keep"), "loss = F.cross_entropy(net(words, keep), y)"
    ),
    "classes in order of a list, shuffled": START + SORTED.format(
        y=IN_ORDER,
        before=OF_CLASSES.replace("size=10", "size=10, shuffle=True"),
        each='x, y in given["train"]',
    ),
    "weights of samples": START + SORTED.format(
        y=IN_TURN, before=SAMPLED.format(weights="weights[classes]"), each="x, y in given"
    ),
    "places within a sigmoid": steps(
        BOUNDED.format(scale=1),
        "rows = T.randperm(20)[:8]\n    loss = F.l1_loss(net(x[rows]), places[rows])",
    ),
    "sides of zero and one": steps(
        SIDES.format(low=0.0), "loss = compared(T.randperm(20)[:8])"
    ),
    "a decoder with the encoder's state": steps(
        CODED.format(given=", (h, c)"), "loss = F.mse_loss(coded(x), y)"
    ),
    "a density with its determinant": steps(
        FLOW.format(density="(prior.log_prob(z).sum(-1) + logdet)"), "loss = nll(T.randn(8, 2) * 3)"
    ),
    "states that carry on": steps(
        ROLLED.format(state="(h, c)"), "loss = F.cross_entropy(net(x), y)"
    ),
    "a row for each window": steps(
        FILLED.format(row="row = T.empty(4)\n        "), "loss = F.mse_loss(net(x)[:, 0], y)"
    ),
    "labels one word on": steps(
        READ, "a, b = ids[:-1], ids[1:]\n    loss = F.cross_entropy(net(a).mT, b)"
    ),
    "weights over the steps": steps(
        WEIGHED,
        "w = T.softmax(score(x), 1)\n    loss = F.cross_entropy(head((w.mT @ x)[:, 0]), y)",
    ),
    "a photo whose axes move": steps(
        COLOURED.format(moved="permute(0, 3, 1, 2)"), "loss = F.cross_entropy(net(photos), y)"
    ),
    "models that learn against each other": START + GAN.format(opts=APART, label="ones"),
    "a student that is taught": steps(
        PUPIL.format(learner="student"), "loss = F.mse_loss(student(x), teacher(x))"
    ),
    "noise of one draw": steps(SPREAD.format(given=", noise", added="noise"), "loss = missed(x)"),
    "holes that are filled": steps(CLEANED.format(target="batch"), "loss = missed(rows)"),
    "photos with their axes exchanged": steps(
        SNAPSHOTS.format(first="pass", order=".permute(2, 0, 1)", inside=""), GIVEN
    ),
    "photos exchanged in forward": steps(
        SNAPSHOTS.format(first=EXCHANGED, order="", inside=""),
        OF_BATCH.format("photos[:4]"),
    ),
    "places with classes last": steps(
        PLACES,
        "loss = F.cross_entropy(net(x).permute(0, 2, 3, 1).reshape(-1, 3), y.flatten())",
    ),
    "a margin that pushes": steps(
        ALIKE.format(inside="m - dist"), "loss = apart(net(a), net(b), same)"
    ),
    "a logarithm of a mixture": steps(
        MIXING.format(mixed="T.log(T.sum(pi * T.exp(log_p), dim=1))"), "loss = cost(net(x))"
    ),
    "padding of its own": steps(
        ENDED.format(pad="0"),
        "loss = F.cross_entropy(net(rows[:, :-1]).mT, rows[:, 1:], ignore_index=pad)",
    ),
    "labels of the chosen samples": steps(SUBSET.format(rows="index"), "loss = missed(train)"),
    "a focus on the rare": steps(FOCUSED.format(share="(1 - right) ** 2"), OF_CHANCES),
    "an overlap of chances": steps(MASKED, "loss = overlap(T.sigmoid(net(x)), mask)"),
    "an overlap of clamped scores": steps(MASKED, "loss = overlap(net(x).clamp(0, 1), mask)"),
    "views that are told apart": steps(
        VIEWED.format(near="F.cross_entropy(a @ b.T, T.arange(8))"), TWO_VIEWS
    ),
    "views with a spread": steps(
        VIEWED.format(near="F.mse_loss(a, b) + F.relu(1 - a.std(0)).mean()"), TWO_VIEWS
    ),
    "boxes that overlap": steps(BOXES.format(corner="1.0"), OF_BOXES),
    "rows that are copied": steps(
        STORED.format(rows="T.rand(12, 4)", row="self.rows[k].clone()"),
        "loss = sum(F.cross_entropy(net(p), q) for p, q in given)",
    ),
    "attention with a causal mask": steps(
        ATTENDING.format(causal=", is_causal=True"), NEXT_WORD
    ),
    "columns that are read apart": steps(
        RIGHT_FACTORS.format(w="T.full((4, 6), 0.1)", v="randn"), OF_FACTORS
    ),
    "a line whose gradients are cleared": LINE.format(clear="    w.grad = b.grad = None"),
    "bytes scaled once": START + SCALED.format(more=" - 0.5"),
    "a small smoothing of one's own": steps(
        SMOOTHED.format(share=0.1), "loss = smooth(net(x), y)"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RELATIVES)
def test_relative_gets_its_own_answer(lib: ModuleType, name: str) -> None:
    relative = RELATIVES[name]
    with notebook(lib, relative.program) as cells:
        texts = [cells.ask(relative.ask).text]
    if relative.watched:
        texts.append(diagnosed(lib, relative.program).text)
    for text in texts:
        assert all(words in text for words in relative.says), text
        assert not any(words in text for words in relative.never), text


@pytest.mark.parametrize("name", SOUND)
def test_sound_relative_is_finished(lib: ModuleType, name: str) -> None:
    answer = explained(lib, SOUND[name])
    assert answer.cause == "finished", answer.text
    report = diagnosed(lib, SOUND[name])
    assert report.kinds == (), report.text


def test_prediction_from_data_of_another_scale(lib: ModuleType) -> None:
    program = START + JUDGED.format(
        layer="Tanh()", found="model(given)", before="", given="90 + 20 * x"
    )
    report = diagnosed(lib, program)
    assert report.kinds == ("other_scale",) and "return model(given)`" in report.text


def test_prediction_for_one_sample_may_be_far_off(lib: ModuleType) -> None:
    program = START + JUDGED.format(
        layer="Tanh()", found="model(given)", before="", given="90 + 20 * x[:1]"
    )
    assert diagnosed(lib, program).kinds == ()
