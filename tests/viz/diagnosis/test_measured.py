"""Programs that raise nothing: what is measured of their graphs and numbers, with sound twins.

Each program has one line that differs: `<broken|sound>`. The answer to the broken one has the
words, in `explain` and in `diagnose`; the sound one gets none.
"""

from __future__ import annotations

import re
from types import ModuleType
from typing import NamedTuple

import pytest

from tests.viz.diagnosis.running import notebook
from tests.viz.diagnosis.test_relatives import START
from tests.viz.diagnosis.test_rules import diagnosed, explained


class Pair(NamedTuple):
    """A program with alternatives, words of the answer, and the expression of the loss."""

    before: str
    inside: str
    says: tuple[str, ...]
    turns: int = 4
    after: str = ""

    def program(self, place: int) -> str:
        inside = "".join(f"    {line}\n" for line in self.inside.strip("\n").splitlines())
        steps = "    opt.zero_grad()\n    loss.backward()\n    opt.step()\n"
        whole = (
            f"{START}{self.before}\nfor i in range({self.turns}):\n{inside}{steps}{self.after}\n"
        )
        return re.sub(r"«(.*?)¦(.*?)»", lambda found: found[1 + place], whole, flags=re.S)


def net(layers: str, rate: str = "0.01", kind: str = "Adam") -> str:
    return f"net = {layers}\nopt = T.optim.{kind}(net.parameters(), lr={rate})\n"


SMALL = net("nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))")
MARKED = "x = T.randn(60, 4)\ny = x[:, :3].argmax(1)\n"
ENTROPY = "loss = F.cross_entropy(net(x), y)"
WORDS = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.out = nn.Embedding(20, 8), nn.Linear(8, 2)
        self.read = {layer}
    def forward(self, words):
        return self.out({reading})
"""
ORDERED = "x = T.randn(40, 6)\ny = x[:, :1]\n"
SEQUENCE = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.read, self.out = nn.GRU({width}, 8, batch_first=True), nn.Linear(8, 1)
    def forward(self, x):
        h, _ = self.read({given})
        return self.out({taken})
"""

PAIRS = {
    "physics without a graph of its gradient": Pair(
        net("nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))")
        + "t = T.rand(20, 1).requires_grad_()\nstart = T.zeros(4, 1)\n"
        "def physics(t):\n"
        "    u = net(t)\n"
        "    v = T.autograd.grad(u.sum(), t, create_graph=True)[0]\n"
        "    a = T.autograd.grad(v.sum(), t, «retain_graph¦create_graph»=True)[0]\n"
        "    return a + 4\n",
        "fall = physics(t).pow(2).mean()\nloss = net(start).pow(2).mean() + 0.1 * fall",
        ("`0.1 * fall` in", "`a = T.autograd.grad(v.sum(), t", "create_graph=True"),
    ),
    "a term in a function, of numbers": Pair(
        SMALL + MARKED + "def cost(scores):\n"
        "    size = sum(p.pow(2).sum() for p in net.parameters())\n"
        "    return F.cross_entropy(scores, y) + 0.001 * size«.item()¦»\n",
        "loss = cost(net(x))",
        ("`0.001 * size.item()` in", "adds a constant to the loss"),
    ),
    "a state of value without a loss": Pair(
        "value, goal = nn.Linear(8, 1), T.rand(20)\n"
        + net("nn.Linear(4, 8)")
        + "x = T.randn(20, 4)\n",
        "h = net(x)\nseen = value(h).squeeze(1)\n"
        "fit = F.mse_loss(seen«.detach()¦», goal)\nloss = h.pow(2).mean() + fit",
        ("`fit` in", "`seen.detach()` has the numbers of `seen`"),
    ),
    "attention over the batch": Pair(
        WORDS.format(
            layer="nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0«¦, batch_first=True»)",
            reading="self.read(self.table(words)).mean(1)",
        )
        + net("Net()")
        + "x = T.randint(0, 20, (12, 5))\ny = (x[:, 0] > 9).long()\n",
        ENTROPY,
        ("takes the batch for time", "TransformerEncoderLayer", "batch_first=True"),
    ),
    "a batch as one sequence": Pair(
        SEQUENCE.format(
            width="«6¦1»", given="x.unsqueeze(«0¦-1»)", taken="h«.squeeze(0)¦[:, -1]»"
        )
        + net("Net()")
        + ORDERED,
        "k = T.randperm(40)[:16]\nloss = F.mse_loss(net(x[k]), y[k])",
        ("goes over 16 steps with a batch of 1", "a sequence of its own"),
    ),
    "lengths over the batch": Pair(
        net("nn.Linear(4, 8)") + "x = T.randn(24, 4)\n",
        "a, b = net(x + 0.1 * T.randn(24, 4)), net(x)\n"
        "a, b = F.normalize(a, dim=«0¦1»), F.normalize(b, dim=«0¦1»)\n"
        "loss = F.cross_entropy(a @ b.t() / 0.5, T.arange(24))",
        ("the batch of 24 samples", "Write `dim=1` there"),
    ),
    "a mean of advantages over the batch": Pair(
        "worth, gain = nn.Linear(8, 1), nn.Linear(8, 3)\n"
        + net("nn.Linear(4, 8)")
        + "x, a, r = T.randn(24, 4), T.randint(0, 3, (24, 1)), T.rand(24)\n",
        "h = net(x)\ng = gain(h)\nq = worth(h) + g - g.mean(«¦1, keepdim=True»)\n"
        "loss = F.mse_loss(q.gather(1, a).squeeze(1), r)",
        ("The mean in", "the batch of 24 samples", "`dim=1, keepdim=True`"),
    ),
    "shares of the batch against marks": Pair(
        SMALL + MARKED + "marks = F.one_hot(y, 3).float()\n",
        "loss = F.mse_loss(T.softmax(net(x), dim=«0¦1»), marks)",
        ("The softmax in", "`dim=1`"),
        turns=40,
    ),
    "an actor that looks for the least reward": Pair(
        "judge = nn.Linear(5, 1)\nother = T.optim.SGD(judge.parameters(), lr=0.01)\n"
        + net("nn.Linear(4, 1)"),
        "state = T.randn(16, 4)\naction = (net(state) + T.randn(16, 1)).detach()\n"
        "reward = -(action - state[:, :1]) ** 2\n"
        "miss = F.mse_loss(judge(T.cat([state, action], 1)), reward)\n"
        "other.zero_grad()\nmiss.backward()\nother.step()\n"
        "loss = «¦-»judge(T.cat([state, net(state)], 1)).mean()",
        ("it learns rewards", "`-judge(T.cat([state, net(state)], 1)).mean()`"),
    ),
    "a clipped objective without its minus": Pair(
        net("nn.Linear(4, 3)"),
        "state = T.randn(16, 4)\nold = T.log_softmax(net(state), 1).detach()\n"
        "acts = T.multinomial(old.exp(), 1)\nadvantage = (acts == 1).float().squeeze(1) - 0.3\n"
        "logp = T.log_softmax(net(state), 1).gather(1, acts).squeeze(1)\n"
        "ratio = (logp - old.gather(1, acts).squeeze(1)).exp()\n"
        "one, two = ratio * advantage, ratio.clamp(0.8, 1.2) * advantage\n"
        "loss = «¦-»T.min(one, two).mean()",
        ("less likely", "`loss = -T.min(one, two).mean()`"),
    ),
    "a sum of steps without its minus": Pair(
        net("nn.Linear(4, 2)"),
        "logps, rewards = [], []\n"
        "for t in range(6):\n"
        "    logp = T.log_softmax(net(T.randn(1, 4)), 1)\n"
        "    act = T.multinomial(logp.detach().exp(), 1)\n"
        "    logps.append(logp.gather(1, act).sum())\n"
        "    rewards.append(1.0 if act.item() else 0.0)\n"
        "total, later = 0.0, []\n"
        "for r in reversed(rewards):\n"
        "    total = r + 0.9 * total\n"
        "    later.insert(0, total)\n"
        "loss = «sum¦-sum»(p * g for p, g in zip(logps, later))",
        ("rewarded actions less likely", "`-(p * g)`"),
    ),
    "an overlap as the loss": Pair(
        net("nn.Conv2d(1, 1, 3, padding=1)")
        + "seen = (T.rand(8, 1, 6, 6) > 0.5).float()\nx = seen + T.randn(8, 1, 6, 6)\n"
        "def dice_loss(p, t):\n"
        "    share = 2 * (p * t).sum() / (p.sum() + t.sum() + 1)\n"
        "    return «¦1 - »share\n",
        "loss = dice_loss(net(x).sigmoid(), seen)",
        ("the larger the better", "Use `1 -`"),
    ),
    "a correlation as the loss": Pair(
        net("nn.Linear(4, 1)")
        + "x = T.randn(60, 4)\ny = x[:, 0] + x[:, 1]\n"
        "def alike(a, b):\n"
        "    a, b = a - a.mean(), b - b.mean()\n"
        "    return (a * b).sum() / (a.norm() * b.norm())\n",
        "found = net(x).squeeze(1)\nloss = «¦1 - »alike(found, y)",
        ("`found` is the opposite of `y`", "`loss = -alike(found, y)`"),
        turns=40,
    ),
    "labels flattened in another order": Pair(
        "head = nn.Linear(8, 5)\n"
        + net("nn.GRU(3, 8)")
        + "x, y = T.randn(6, 4, 3), T.randint(0, 5, (4, 6))\n",
        "out, _ = net(x)\n"
        "loss = F.cross_entropy(head(out).view(-1, 5), y«¦.t()».reshape(-1))",
        ("6 times 4 rows", "`y.transpose(0, 1).reshape(-1)`"),
    ),
    "answers inside the window": Pair(
        net("nn.Linear(5, 1)")
        + "line = T.sin(T.arange(60) * 0.2) + 0.01 * T.arange(60)\n"
        "x = T.stack([line[i : i + 5] for i in range(50)])\n"
        "y = T.stack([line[i + «4¦5»] for i in range(50)])\n",
        "loss = F.mse_loss(net(x).squeeze(1), y)",
        ("number 5 of the 5 in each row of `x`",),
    ),
    "one chance for several labels": Pair(
        SMALL + "x = T.randn(40, 4)\ny = (x[:, :3] > 0).float()\n",
        "loss = F.binary_cross_entropy(«net(x).softmax(1)¦net(x).sigmoid()», y)",
        ("divides one probability", "BCEWithLogitsLoss"),
    ),
    "a rare class that counts less": Pair(
        "x = T.randn(200, 4)\ny = (x[:, 0] > 1.3).float()\n"
        "few, many = y.sum(), (1 - y).sum()\n"
        "mse = nn.BCEWithLogitsLoss(pos_weight=«few / many¦many / few»)\n"
        + net("nn.Linear(4, 1)"),
        "loss = mse(net(x).squeeze(1), y)",
        ("class 0, the most frequent", "`pos_weight=1 / (few / many)`"),
    ),
    "a penalty that counts for more": Pair(
        SMALL + MARKED,
        "fit = F.cross_entropy(net(x), y)\n"
        "loss = fit + «3.0¦0.0001» * sum(p.abs().sum() for p in net.parameters())",
        ("the term `fit`", "`loss = fit`"),
        turns=80,
    ),
    "a draw between layers": Pair(
        "back = nn.Linear(2, 4)\n" + net("nn.Linear(4, 4)") + "x = T.randn(20, 4)\n",
        "mean, log = net(x).chunk(2, 1)\n"
        "z = «T.normal(mean, log.exp())¦mean + log.exp() * T.randn(20, 2)»\n"
        "loss = (back(z) - x).pow(2).mean() + 0.1 * (mean ** 2 + log.exp() - log).mean()",
        ("no gradient passes through a draw", "`mean + std *"),
    ),
    "a prediction from raw numbers": Pair(
        SMALL + "raw = 200 * T.rand(60, 4)\nx = (raw[:40] - 100) / 58\ny = x[:, :3].argmax(1)\n",
        ENTROPY,
        ("In training in `loss =", "`found = net(raw[40:])`"),
        after="with T.no_grad():\n    found = net(«raw[40:]¦(raw[40:] - 100) / 58»)\n",
    ),
    "a sigmoid before targets below zero, in one of two terms": Pair(
        "enc, dec = nn.Linear(4, 2), nn.Linear(2, 4)\n"
        "opt = T.optim.SGD([*enc.parameters(), *dec.parameters()], lr=0.01)\n"
        "x = T.rand(20, 4)«- 0.9¦»",
        "code = enc(x)\nloss = F.mse_loss(T.sigmoid(dec(code)), x) + 0.1 * code.pow(2).mean()",
        ("numbers from 0 to 1 only", "`x` is outside", "Leave Sigmoid out"),
    ),
    "gradients that cancel are no zeros that come in": Pair(
        net("nn.Sequential(nn.Linear(2, 2), «¦nn.Tanh(), »nn.Linear(2, 1))", kind="SGD")
        + "x = T.tensor([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])\n"
        "y = x.prod(1, keepdim=True)\n"
        "with T.no_grad():\n"
        "    net[0].weight.copy_(T.tensor([[0.5, 0.5], [«0.5, 0.5¦0.5, -0.2»]]))\n"
        "    net[0].bias.zero_()\n"
        "    net[-1].weight.copy_(T.tensor([[1.0, -1.0]]))",
        "loss = F.mse_loss(net(x), y + 0.5)",
        ("no activation between them",),
    ),
    "positions along the batch of an encoder": Pair(
        "read = nn.TransformerEncoderLayer(4, 1, 8, 0.0«¦, batch_first=True»)\n"
        "table, place = nn.Embedding(6, 4), nn.Parameter(T.randn(7, 4))\n"
        "opt = T.optim.SGD([*read.parameters(), *table.parameters(), place], lr=0.01)\n"
        "out = nn.Linear(4, 6).requires_grad_(False)",
        "words = T.randint(0, 6, (12, 7))\n"
        "loss = F.cross_entropy(out(read(table(words) + place)).view(-1, 6), words.view(-1))",
        ("goes over 12 steps with a batch of 7", "have the shape [7, 4]", "`batch_first=True`"),
    ),
    "a head that is replaced when all is frozen": Pair(
        MARKED
        + "net = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 9))\n"
        "«opt = T.optim.SGD(net[2].parameters(), lr=0.1)¦»\n"
        "for p in net.parameters():\n"
        "    p.requires_grad = False\n"
        "net[2] = nn.Linear(6, 3)\n"
        "«¦opt = T.optim.SGD(net[2].parameters(), lr=0.1)»",
        ENTROPY,
        ("Make the optimizer after",),
    ),
    "a last ReLU that dies after the watched steps": Pair(
        net("nn.Sequential(nn.Linear(4, 1)«, nn.ReLU()¦»)", "0.05")
        + "x = T.rand(40, 4)\ny = (x[:, :1] > 0.75).float()\n"
        "with T.no_grad():\n    net[0].bias.fill_(0.5)",
        "loss = F.binary_cross_entropy_with_logits(net(x), y)",
        ("All gradients are zero", "Leave the ReLU out after the last layer"),
        turns=120,
    ),
    "differences of all pairs in one sum": Pair(
        "users, items = nn.Embedding(9, 4), nn.Embedding(9, 4)\n"
        "opt = T.optim.SGD([*users.parameters(), *items.parameters()], lr=0.01)",
        "u, p, n = T.randint(0, 9, (3, 16))\n"
        "far = (users(u) * (items(p) - items(n))).sum(«¦1»)\n"
        "loss = -F.logsigmoid(far).mean()",
        ("makes one number of 16 samples, and LogSigmoid", "`dim=1`"),
    ),
    "a loss of all samples with a factor for each": Pair(
        SMALL + MARKED + "w = T.rand(60)",
        "loss = (F.cross_entropy(net(x), y«¦, reduction='none'») * w).mean()",
        ("makes one number of 60 samples", '`reduction="none"`'),
    ),
    "weights that a rate of 0.3 has carried far off": Pair(
        "layers = [nn.Linear(64, 64), nn.ReLU()] + 4 * [nn.Linear(64, 64), nn.ReLU()]\n"
        "net = nn.Sequential(*layers, nn.Linear(64, 5))\n"
        "opt = T.optim.Adam(net.parameters(), lr=«0.3¦0.003»)\n"
        "y = T.arange(5).repeat(8)\nx = T.randn(5, 64)[y] + T.randn(40, 64)",
        "loss = F.cross_entropy(net(x), y)",
        ("learning rate 0.3", "Take a rate"),
        turns=30,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_measured_fault_is_named(lib: ModuleType, name: str) -> None:
    pair = PAIRS[name]
    texts = explained(lib, pair.program(0)).text, diagnosed(lib, pair.program(0)).text
    for text in texts:
        assert all(words in text for words in pair.says), text


@pytest.mark.parametrize("name", PAIRS)
def test_sound_twin_is_left_alone(lib: ModuleType, name: str) -> None:
    answer = explained(lib, PAIRS[name].program(1))
    assert answer.cause == "finished", answer.text
    report = diagnosed(lib, PAIRS[name].program(1))
    assert report.kinds == (), report.text


SEVERAL_DROPS = (
    START
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 8), nn.Linear(8, 3)
    def forward(self, x):
        x = F.dropout(x, 0.3)
        return self.b(F.dropout(self.a(x).relu(), 0.5))
net = Net()
net.eval()
net.train()
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 4), T.arange(8) % 3
for i in range(3):
    opt.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
"""
)


def test_every_dropout_without_training_is_named(lib: ModuleType) -> None:
    text = explained(lib, SEVERAL_DROPS).text
    assert "`x = F.dropout(x, 0.3)`" in text and "F.dropout(self.a(x).relu(), 0.5))`" in text


HELPED = (
    START
    + """
def mixed(rows):
    return rows[T.randperm(len(rows))]
data = T.randn(60, 4)
marks = data[:, :3].argmax(1)
a, b = mixed(data), mixed(marks)
x, y = a[:40], b[:40]
net = nn.Linear(4, 3)
opt = T.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    opt.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
"""
)


def test_helper_that_shuffles_twice_is_named(lib: ModuleType) -> None:
    text = explained(lib, HELPED).text
    assert "`a, b = mixed(data), mixed(marks)`" in text
    assert "`a, b = data[order], marks[order]`" in text


ONE_STEP = (
    START
    + SEQUENCE.format(width="4", given="x.unsqueeze(1)", taken="h[:, -1]")
    + """
net = Net()
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 4), T.randn(8, 1)
for i in range(4):
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
"""
)


def test_sequences_of_one_step_are_sound(lib: ModuleType) -> None:
    assert explained(lib, ONE_STEP).cause == "finished"
    assert diagnosed(lib, ONE_STEP).kinds == ()


JUDGED_INSIDE = (
    START
    + """
net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 3))
opt = T.optim.SGD(net.parameters(), lr=0.1)
x = T.randn(60, 4)
y = x[:, :3].argmax(1)
for i in range(4):
    net.train()
    opt.zero_grad()
    loss = F.cross_entropy(net(x[:40]), y[:40])
    loss.backward()
    opt.step()
    {mode}
    with T.no_grad():
        check = F.cross_entropy(net(x[40:]), y[40:]).item()
"""
)


def test_check_in_training_mode_is_named(lib: ModuleType) -> None:
    broken = JUDGED_INSIDE.format(mode="pass")
    assert explained(lib, broken).cause == "predicts_in_training"
    assert "predicts_in_training" in diagnosed(lib, broken).kinds
    assert explained(lib, JUDGED_INSIDE.format(mode="net.eval()")).cause == "finished"


LISTED = (
    START
    + """
rows = [(T.randn(4), T.tensor(i % 3)) for i in range(12)]
loader = T.utils.data.DataLoader(rows, batch_size=4)
net = nn.Linear(4, 3)
opt = T.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader:
    opt.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
"""
)


def test_list_of_samples_has_no_labels_apart(lib: ModuleType) -> None:
    assert explained(lib, LISTED).cause == "finished"


VALIDATED = (
    START
    + """
net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 3))
opt = T.optim.Adam(net.parameters(), lr=0.01)
x = T.randn(60, 4)
y, val_x = x[:, :3].argmax(1), {scale} * x[40:]
def validate():
    {mode}
    out = net(val_x)
    return F.cross_entropy(out, y[40:])
for i in range(4):
    net.train()
    opt.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
    val_loss = validate()
"""
)


@pytest.mark.parametrize(
    ("scale", "mode", "cause", "says"),
    [
        (1.0, "net.eval()", "not_walked", "the steps follow another loss"),
        (1.0, "pass", "predicts_in_training", "`out = net(val_x)`"),
        (200.0, "net.eval()", "other_scale", "`out = net(val_x)`"),
    ],
)
def test_validation_loss_is_explained(
    lib: ModuleType, scale: float, mode: str, cause: str, says: str
) -> None:
    with notebook(lib, VALIDATED.format(scale=scale, mode=mode)) as cells:
        answer = cells.ask("viz.explain(val_loss)")
    assert answer.cause == cause and says in answer.text, answer.text


FLAGGED = (
    START
    + """
net = nn.Linear(1, 2)
opt = T.optim.Adam(net.parameters(), lr=0.01)
def walk(x):
    later = x + T.randn(16, 1)
    return later, T.ones(16), (T.arange(16) % {every} == 0).float()
for i in range(4):
    x = T.randn(16, 1)
    later, reward, done = walk(x)
    with T.no_grad():
        target = reward + 0.9 * net(later).max(1).values
    loss = F.mse_loss(net(x)[:, 0], target)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
)


def test_unused_flags_of_many_samples_are_named(lib: ModuleType) -> None:
    assert explained(lib, FLAGGED.format(every=4)).cause == "ended_not_used"
    assert explained(lib, FLAGGED.format(every=1)).cause == "finished"


OVERLAP = (
    START
    + """
net = nn.Linear(4, 6)
opt = T.optim.Adam(net.parameters(), lr=0.1)
x = T.randn(20, 4)
masks = (T.randn(20, 6) > 0.5).float() * {top}
def dice_loss(scores, target):
    p = T.sigmoid(scores)
    return 1 - 2 * (p * target).sum() / (p.sum() + target.sum() + 1e-6)
for i in range(6):
    opt.zero_grad()
    loss = dice_loss(net(x), masks)
    loss.backward()
    opt.step()
"""
)


def test_masks_beyond_one_are_named(lib: ModuleType) -> None:
    answer = explained(lib, OVERLAP.format(top=255))
    assert answer.cause == "outside_labels" and "share of the overlap" in answer.text
    assert explained(lib, OVERLAP.format(top=1)).cause == "finished"


SLOW = (
    START
    + """
net = nn.Linear(4, 2)
opt = T.optim.SGD(net.parameters(), lr={rate})
x = T.randn(60, 4)
y = (x[:, 0] > 0).long()
for i in range(120):
    opt.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
"""
)


def test_many_steps_that_move_nothing_are_named(lib: ModuleType) -> None:
    answer = explained(lib, SLOW.format(rate="1e-4"))
    assert answer.cause == "small_steps" and "larger rate than 0.0001" in answer.text
    assert explained(lib, SLOW.format(rate="0.1")).cause == "finished"


EMPTY_CODE = (
    START
    + """
enc, dec = nn.Linear(6, 4), nn.Linear(2, 6)
opt = T.optim.Adam([*enc.parameters(), *dec.parameters()], lr=0.02)
x = T.rand(30, 6)
def cost(found, x, mu, logvar):
    kld = -0.5 * T.sum(1 + logvar - mu ** 2 - logvar.exp(), dim=1).mean()
    return F.mse_loss(found, x{whole}) + kld
for i in range(150):
    mu, logvar = enc(x).chunk(2, dim=1)
    found = dec(mu + T.exp(0.5 * logvar) * T.randn(30, 2))
    loss = cost(found, x, mu, logvar)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
)


def test_divergence_within_a_function_is_named(lib: ModuleType) -> None:
    assert explained(lib, EMPTY_CODE.format(whole="")).cause == "summed_divergence"
    whole = ', reduction="sum") / len(x'
    assert explained(lib, EMPTY_CODE.format(whole=whole)).cause == "finished"


FROZEN = (
    START
    + """
net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 3))
x = T.randn(60, 4)
y = x[:, :3].argmax(1)
net(x)
net.eval()
net[1].requires_grad_({learns})
opt = T.optim.Adam([p for p in net.parameters() if p.requires_grad], lr=0.01)
for i in range(4):
    opt.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
"""
)


def test_frozen_normalization_may_be_in_evaluation(lib: ModuleType) -> None:
    assert explained(lib, FROZEN.format(learns=True)).cause == "evaluation_mode"
    assert explained(lib, FROZEN.format(learns=False)).cause == "finished"
    assert diagnosed(lib, FROZEN.format(learns=False)).kinds == ()
