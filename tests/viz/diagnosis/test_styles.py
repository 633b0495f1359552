"""One defect in several styles: in functions, by other names and calls; and sound relatives."""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.viz.diagnosis.test_rules import diagnosed, explained

LOOP = """
nn, F, D = T.nn, T.nn.functional, T.distributions
T.manual_seed(0)
{before}
for turn in range(4):
    {inside}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

POLICY = """
net = nn.Linear(4, 3)
opt = T.optim.SGD(net.parameters(), lr=0.1)
s = T.randn(32, 4)
"""

DRAWN = """d = D.Categorical(logits=net(s))
    a = d.sample()
    {score} = {value}
    loss = {loss}"""


def policy(value: str, loss: str, score: str = "g") -> str:
    inside = DRAWN.format(value=value, loss=loss, score=score)
    return LOOP.format(before=POLICY, inside=inside)


HIT = "(a == s[:, :3].argmax(1)).float()"
MISSED = "(a != s[:, :3].argmax(1)).float()"

PICKED = """
def objective(s):
    table = F.log_softmax(net(s), 1)
    a = T.multinomial(table.exp().detach(), 1)
    score = (a[:, 0] == s[:, :3].argmax(1)).float()
    return {sign}(table.gather(1, a)[:, 0] * score).sum() / len(s)
"""

SUMMED = """
def total(s):
    d = D.Categorical(logits=net(s))
    a = d.sample()
    chances, rewards = [d.log_prob(a)], [(a == 0).float()]
    terms = []
    for chance, r in zip(chances, rewards):
        terms.append({sign}chance * r)
    return T.cat(terms).sum()
"""

CODE = """
enc, dec = nn.Linear(6, 4), nn.Linear(2, 6)
opt = T.optim.SGD([*enc.parameters(), *dec.parameters()], lr=0.001)
x = T.randn(16, 6)
def bound(x):
    m, s = enc(x).chunk(2, 1)
    q = D.Normal(m, s.exp())
    z = q.{draw}()
    kl = (q.log_prob(z) - D.Normal(0.0, 1.0).log_prob(z)).sum(1).mean()
    return (dec(z) - x).pow(2).sum(1).mean() + kl
"""

LIKELY = """
mean, spread = nn.Linear(3, 1), nn.Parameter(T.zeros(1))
opt = T.optim.SGD([*mean.parameters(), spread], lr=0.01)
x, y = T.randn(16, 3), T.randn(16)
"""

PIXELS = """
pixels, y = T.randint(0, 256, (16, 6)).float(), T.randn(16, 1)
net = nn.Sequential(nn.Linear(6, 8), nn.Sigmoid(), nn.Linear(8, 1))
opt = T.optim.SGD(net.parameters(), lr=0.1)
"""

TAGS = """
words = T.tensor([[3, 1, 2, 4], [1, 4, 3, 2], [2, 3, 4, 1], [4, 2, 1, 3]] * 3)
tags = words % 3{ends}
net = nn.Sequential(nn.Embedding(5, 4), nn.Linear(4, 3))
opt = T.optim.SGD(net.parameters(), lr=0.1)
"""

IGNORING = "loss = F.cross_entropy(net(words).transpose(1, 2), tags, ignore_index=0)"

SHUFFLED = """
x, y = T.randn(12, 3), T.randn(12, 1)
net = nn.Linear(3, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
def batch():
    {order}
    return {pair}
"""

ROWS = """
class Readings(T.utils.data.Dataset):
    def __init__(self, rows, goals):
        self.rows, self.goals = rows, goals
    def __len__(self):
        return len(self.rows)
    def __getitem__(self, at):
        one = self.rows[at]{copied}
        one.sub_(9.0)
        one.div_(2.0)
        return one, self.goals[at]
rows = T.randn(64, 3) * 2 + 9
loader = T.utils.data.DataLoader(Readings(rows, rows[:, :1] * 1.0), batch_size=16)
net = nn.Linear(3, 1)
opt = T.optim.SGD(net.parameters(), lr=0.01)
"""

FED = "for x, y in loader:\n        pass\n    loss = F.mse_loss(net(x), y)"

REPLAY = """
class World:
    def __init__(self):
        self.at = T.zeros(2)
    def move(self, way):
        self.at.add_(way)
        return self.at
class Memory:
    def __init__(self):
        self.kept = []
    def push(self, state, goal):
        self.kept.append((state{copied}, goal))
world, memory = World(), Memory()
for way in T.randn(12, 2):
    here = world.move(way)
    memory.push(here, here.sum() * 1.0)
net = nn.Linear(2, 1)
opt = T.optim.SGD(net.parameters(), lr=0.01)
"""

REPLAYED = """x = T.stack([state for state, _ in memory.kept])
    loss = F.mse_loss(net(x)[:, 0], T.stack([goal for _, goal in memory.kept]))"""

WARM = """
net, peak, x, y = nn.Linear(3, 1), 0.01, T.randn(16, 3), T.randn(16, 1)
opt = T.optim.SGD(net.parameters(), lr=peak)
def rate(epoch):
    return {factor}(epoch + 1) / 5 if epoch < 5 else {last}
plan = T.optim.lr_scheduler.LambdaLR(opt, lr_lambda=[rate])
"""

THROUGH = """
class Coarse(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.out = nn.Linear(3, 4), nn.Linear(4, 2)
    def forward(self, x):
        h = self.inner(x)
        signs = T.sign(h)
        return self.out({made})
net, x, y = Coarse(), T.randn(16, 3), T.arange(16) % 2
opt = T.optim.SGD(net.parameters(), lr=0.1)
"""

TWO = """
import copy
net, x, y = nn.Linear(3, 1), T.randn(16, 3), T.randn(16, 1)
slow = copy.deepcopy(net)
opt = T.optim.Adam(net.parameters(), lr=0.01)
class Sync:
    def __init__(self, source, goal):
        self.source, self.goal = source, goal
    def __call__(self):
        for a, b in zip(self.source.parameters(), self.goal.parameters()):
            b.data.copy_(a.data)
def refresh(source, goal):
    state = source.state_dict()
    goal.load_state_dict(state)
{before}
"""

EARLY = """
class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.spread = nn.Parameter(T.ones(3))
        self.scaled = {early}
    def forward(self, x):
        return (x * {used}).sum(1)
net, x, y = Field(), T.randn(16, 3), T.randn(16)
opt = T.optim.SGD(net.parameters(), lr=0.05)
"""

FITTED = """
def fit(x, y):
    a, b = T.zeros(3, requires_grad=True), T.zeros(1, requires_grad=True)
    opt = T.optim.Adam([a, b], lr=0.1)
    {first}
    for turn in range(4):
        {later}
        loss = F.mse_loss(guess + b, y)
        opt.zero_grad()
        loss.backward({options})
        opt.step()
    return loss
"""

MEAN_COPY = """
import copy
net, x, y = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4)), T.randn(16, 3), T.randn(16, 4)
smooth = copy.deepcopy(net)
opt = T.optim.Adam(net.parameters(), lr=0.01)
def follow(source, goal, share=0.1):
    with T.no_grad():
        for a, b in zip(source.parameters(), goal.parameters()):
            b.lerp_(a, share)
        {buffers}
"""

QUEUE = """
class Learner:
    def __init__(self):
        self.net, self.old = nn.Linear(3, 2), nn.Linear(3, 2)
        self.opt = T.optim.Adam(self.net.parameters(), lr=0.01)
        self.decay = 0.9
    def goal(self, reward, after, terminated):
        with T.no_grad():
            {best}
        return reward + {later}
    def learn(self, batch):
        state, action, reward, after, terminated = batch
        value = self.net(state)[T.arange(8), action]
        loss = F.smooth_l1_loss(value, self.goal(reward, after, terminated))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss
def batch():
    ended = (T.arange(8) % 4 == 0).float()
    return T.randn(8, 3), T.arange(8) % 2, T.rand(8), T.randn(8, 3), ended
learner = Learner()
for turn in range(4):
    loss = learner.learn(batch())
"""

HEAD = "nn, F, D = T.nn, T.nn.functional, T.distributions\n"

DELAYED = """
def roll(net):
    with T.no_grad():
        s = T.randn(16, 3)
        a = T.multinomial(T.softmax(net(s), 1), 1)[:, 0]
    return s, a, (a == s.argmax(1)).float()
def objective(net, s, a, gains):
    d = D.Categorical(logits=net(s))
    {pick}
    chances = d.log_prob({picked})
    return -T.mean(gains * chances)
net = nn.Linear(3, 3)
opt = T.optim.Adam(net.parameters(), lr=0.01)
"""

BACK = """
class Episode:
    def __init__(self):
        self.rewards, self.chances = [], []
    def returns(self, decay=0.9):
        later, found = 0.0, []
        for k in range(len(self.rewards) - 1, -1, -1):
            later = self.rewards[k] + decay * later
            found.append(later)
        return T.tensor({found})
net = nn.Linear(3, 4)
opt = T.optim.Adam(net.parameters(), lr=0.01)
"""

PLAYED = """episode = Episode()
    for t in range(5):
        d = D.Categorical(logits=net(T.randn(3)))
        a = d.sample()
        episode.chances.append(d.log_prob(a))
        episode.rewards.append(float(a == 1) + 0.1)
    loss = -(T.stack(episode.chances) * episode.returns()).sum()"""

CLIPPED = """
class Agent:
    def __init__(self):
        self.net, self.band = nn.Linear(3, 2), 0.2
    def surrogate(self, s, a, gain, before):
        chance = F.softmax(self.net(s), 1).gather(1, a[:, None])[:, 0]
        r = {ratio}
        clipped = T.clamp(r, 1 - self.band, 1 + self.band)
        return -T.minimum(clipped * gain, r * gain).mean()
agent, s, a, gain = Agent(), T.randn(8, 3), T.arange(8) % 2, T.rand(8)
opt = T.optim.Adam(agent.net.parameters(), lr=0.01)
before = 0.1 + 0.8 * T.rand(8)
"""

SPREAD = """
class Guess(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.wide = nn.Linear(3, 1), nn.Parameter(T.zeros(1))
    def forward(self, x):
        return self.body(x)[:, 0], self.wide
def cost(y, middle, wide):
    return {cost}
net, x, y = Guess(), T.randn(16, 3), T.randn(16)
opt = T.optim.Adam(net.parameters(), lr=0.01)
"""

KERNEL = "T.exp(-(y - middle) ** 2 / (2 * wide.exp())).mean()"

VALUE = "best = self.old(after).max(dim=1).values"
PLACE = "_, best = self.old(after).max(dim=1)"

TWICE = """loss = F.mse_loss(net(x), y + 0.1 * slow(x).detach())
    {inside}"""

BROKEN = {
    "ratio_upside_down of chances": LOOP.format(
        before=CLIPPED.format(ratio="before / chance"),
        inside="loss = agent.surrogate(s, a, gain, before)",
    ),
    "ratio_upside_down of logarithms": LOOP.format(
        before=CLIPPED.format(ratio="(before.log() - chance.log()).exp()"),
        inside="loss = agent.surrogate(s, a, gain, before)",
    ),
    "spread_without_log as a factor": LOOP.format(
        before=SPREAD.format(cost="0.5 * T.mean(T.exp(-wide) * (y - middle).pow(2))"),
        inside="loss = cost(y, *net(x))",
    ),
    "spread_without_log of one layer": LOOP.format(
        before="net, x, y = nn.Linear(3, 2), T.randn(16, 3), T.randn(16, 1)\n"
        "opt = T.optim.Adam(net.parameters(), lr=0.01)",
        inside="m, s = net(x).chunk(2, dim=1)\n    loss = ((y - m) ** 2 / s.exp()).mean()",
    ),
    "spread_without_log before the square": LOOP.format(
        before=SPREAD.format(cost="(((y - middle) / F.softplus(wide)) ** 2).sum() / len(y)"),
        inside="loss = cost(y, *net(x))",
    ),
    "index_for_value in a pair": HEAD
    + QUEUE.format(best=PLACE, later="self.decay * (1 - terminated) * best"),
    "ended_kept in a method": HEAD
    + QUEUE.format(best=VALUE, later="self.decay * terminated * best"),
    "ended_not_used in a method": HEAD + QUEUE.format(best=VALUE, later="self.decay * best"),
    "other_action in a function": LOOP.format(
        before=DELAYED.format(pick="again = d.sample()", picked="again"),
        inside="s, a, gains = roll(net)\n    loss = objective(net, s, a, gains)",
    ),
    "returns_reversed in a method": LOOP.format(before=BACK.format(found="found"), inside=PLAYED),
    "computed_before in a module": LOOP.format(
        before=EARLY.format(early="self.spread.exp()", used="self.scaled"),
        inside="loss = F.mse_loss(net(x), y)",
    ).replace("backward()", "backward(retain_graph=True)"),
    "averages_left by a function": LOOP.format(
        before=MEAN_COPY.format(buffers="pass"),
        inside="loss = F.mse_loss(net(x), y)\n    follow(net, smooth)",
    ),
    "written_back by a function": LOOP.format(
        before=TWO.format(before="pass"),
        inside=TWICE.format(inside="refresh(slow, goal=net)"),
    ),
    "written_back by an object": LOOP.format(
        before=TWO.format(before="sync = Sync(slow, net)"), inside=TWICE.format(inside="sync()")
    ),
    "written_back now and then": LOOP.format(
        before=TWO.format(before="pass"),
        inside=TWICE.format(
            inside="if turn % 2 == 1:\n        net.load_state_dict(slow.state_dict())"
        ),
    ),
    "rounded_back by data": LOOP.format(
        before=TWO.format(before="pass"),
        inside=TWICE.format(
            inside="net.weight.data = T.floor(net.weight.data * 8 + 0.5) / 8\n"
            "    net.bias.data = T.floor(net.bias.data * 8 + 0.5) / 8"
        ),
    ),
    "changed_samples in a data set": LOOP.format(before=ROWS.format(copied=""), inside=FED),
    "one_tensor_many_times in an object": LOOP.format(
        before=REPLAY.format(copied=""), inside=REPLAYED
    ),
    "rate_for_factor in a list": LOOP.format(
        before=WARM.format(factor="peak * ", last="peak"),
        inside="plan.step()\n    loss = F.mse_loss(net(x), y)",
    ),
    "flat_output of signs": LOOP.format(
        before=THROUGH.format(made="signs - h + h"), inside="loss = F.cross_entropy(net(x), y)"
    ),
    "policy_sign": policy(HIT, "T.mean(d.log_prob(a) * (g - 0.3))"),
    "policy_sign of chosen": LOOP.format(
        before=POLICY + PICKED.format(sign=""), inside="loss = objective(s)"
    ),
    "policy_sign in lists": LOOP.format(
        before=POLICY + SUMMED.format(sign=""), inside="loss = total(s)"
    ),
    "cut_sample": LOOP.format(before=CODE.format(draw="sample"), inside="loss = bound(x)"),
    "likelihood_sign": LOOP.format(
        before=LIKELY, inside="loss = D.Normal(mean(x)[:, 0], spread.exp()).log_prob(y).mean()"
    ),
    "likelihood_sign of cosines": LOOP.format(
        before=LIKELY + "one, other = mean, nn.Linear(3, 1)",
        inside="loss = F.cosine_similarity(one(x), other(x)).mean()",
    ),
    "saturating_data": LOOP.format(before=PIXELS, inside="loss = (net(pixels) - y).abs().mean()"),
    "ignored_class": LOOP.format(before=TAGS.format(ends=""), inside=IGNORING),
    "shuffled_apart": LOOP.format(
        before=SHUFFLED.format(
            order="a, b = x[T.randperm(len(x))], y[T.randperm(len(y))]", pair="a, b"
        ),
        inside="u, v = batch()\n    loss = (net(u) - v).pow(2).mean()",
    ),
}

SOUND = {
    "flags turned round": HEAD
    + QUEUE.format(best=VALUE, later="self.decay * terminated * best")
    .replace("(T.arange(8) % 4 == 0).float()", "1 - (T.arange(8) % 4 == 0).float()")
    .replace("ended =", "done =")
    .replace(", ended", ", 1 - done"),
    "former weights": LOOP.format(
        before=TWO.format(before="first = net.weight.clone()"),
        inside="loss = F.mse_loss(net(x), y) + (net.weight - first).pow(2).sum()",
    ),
    "numbers changed": LOOP.format(
        before=ROWS.format(copied="")
        .replace("one.sub_(9.0)\n        one.div_(2.0)", "one -= 9.0\n        one /= 2.0")
        .replace("self.rows, self.goals = rows", "self.rows, self.goals = rows[:, 0].tolist()")
        .replace("nn.Linear(3, 1)", "nn.Linear(1, 1)"),
        inside="for x, y in loader:\n        x = x[:, None].float()\n    "
        "loss = F.mse_loss(net(x), y)",
    ),
    "one mask for all": LOOP.format(
        before=REPLAY.format(copied=".clone()")
        .replace("here.sum() * 1.0)", "mask)")
        .replace("for way in", "mask = T.zeros(2)\nmask[0] = 1\nmask[1] = 2\nfor way in"),
        inside="x = T.stack([state for state, _ in memory.kept])\n"
        "    goals = T.stack([goal for _, goal in memory.kept])\n"
        "    loss = F.mse_loss(net(x).expand(12, 2), goals)",
    ),
    "ratio of chances": LOOP.format(
        before=CLIPPED.format(ratio="chance / before"),
        inside="loss = agent.surrogate(s, a, gain, before)",
    ),
    "spread with its logarithm": LOOP.format(
        before=SPREAD.format(cost="T.mean(T.exp(-wide) * (y - middle).pow(2) + wide)"),
        inside="loss = cost(y, *net(x))",
    ),
    "width of a kernel": LOOP.format(
        before=SPREAD.format(cost="1 - " + KERNEL), inside="loss = cost(y, *net(x))"
    ),
    "ended episodes": HEAD + QUEUE.format(best=VALUE, later="self.decay * (1 - terminated) * best"),
    "ended episodes left out": HEAD
    + QUEUE.format(best=VALUE + " * (terminated == 0)", later="self.decay * best"),
    "action that was taken": LOOP.format(
        before=DELAYED.format(pick="again = d.sample()", picked="a"),
        inside="s, a, gains = roll(net)\n    loss = objective(net, s, a, gains)",
    ),
    "returns turned round": LOOP.format(before=BACK.format(found="found[::-1]"), inside=PLAYED),
    "computed in each turn": LOOP.format(
        before=EARLY.format(early="None", used="self.spread.exp()"),
        inside="loss = F.mse_loss(net(x), y)",
    ),
    "averages copied": LOOP.format(
        before=MEAN_COPY.format(
            buffers="for a, b in zip(source.buffers(), goal.buffers()):\n            b.copy_(a)"
        ),
        inside="loss = F.mse_loss(net(x), y)\n    follow(net, smooth)",
    ),
    "target follows": LOOP.format(
        before=TWO.format(before="pass"),
        inside=TWICE.format(inside="refresh(net, goal=slow)"),
    ),
    "target follows an object": LOOP.format(
        before=TWO.format(before="sync = Sync(net, slow)"), inside=TWICE.format(inside="sync()")
    ),
    "best weights come back": LOOP.format(
        before=TWO.format(before="pass"),
        inside=TWICE.format(
            inside="if loss.item() > 9.0:\n        net.load_state_dict(slow.state_dict())"
        ),
    ),
    "copied samples": LOOP.format(before=ROWS.format(copied=".clone()"), inside=FED),
    "copied states": LOOP.format(before=REPLAY.format(copied=".clone()"), inside=REPLAYED),
    "factors": LOOP.format(
        before=WARM.format(factor="", last="1.0"),
        inside="plan.step()\n    loss = F.mse_loss(net(x), y)",
    ),
    "signs cut off": LOOP.format(
        before=THROUGH.format(made="(signs - h).detach() + h"),
        inside="loss = F.cross_entropy(net(x), y)",
    ),
    "minus": policy(HIT, "-T.mean(d.log_prob(a) * (g - 0.3))"),
    "minus in the reward": policy("-" + HIT, "T.mean(d.log_prob(a) * g)"),
    "cost": policy(MISSED, "T.mean(d.log_prob(a) * cost)", "cost"),
    "minus of the chosen": LOOP.format(
        before=POLICY + PICKED.format(sign="-"), inside="loss = objective(s)"
    ),
    "minus in lists": LOOP.format(
        before=POLICY + SUMMED.format(sign="-"), inside="loss = total(s)"
    ),
    "rsample": LOOP.format(before=CODE.format(draw="rsample"), inside="loss = bound(x)"),
    "negative log-likelihood": LOOP.format(
        before=LIKELY, inside="loss = -D.Normal(mean(x)[:, 0], spread.exp()).log_prob(y).mean()"
    ),
    "scaled in the call": LOOP.format(
        before=PIXELS, inside="loss = (net(pixels / 255) - y).abs().mean()"
    ),
    "padding at the ends": LOOP.format(
        before=TAGS.format(ends=" + 1\ntags[:, 2:] = 0\ntags = tags.clamp(max=2)"),
        inside=IGNORING,
    ),
    "one order": LOOP.format(
        before=SHUFFLED.format(order="order = T.randperm(len(x))", pair="x[order], y[order]"),
        inside="u, v = batch()\n    loss = (net(u) - v).pow(2).mean()",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_defect_is_found_in_every_style(lib: ModuleType, name: str) -> None:
    answer = explained(lib, BROKEN[name])
    assert answer.cause == name.partition(" ")[0], answer.text
    assert answer.cause in diagnosed(lib, BROKEN[name]).kinds


@pytest.mark.parametrize("name", SOUND)
def test_sound_relative_is_left_alone(lib: ModuleType, name: str) -> None:
    answer = explained(lib, SOUND[name])
    assert answer.cause == "finished", answer.text
    report = diagnosed(lib, SOUND[name])
    assert report.kinds == (), report.text


@pytest.mark.parametrize("early", [True, False])
def test_result_from_before_the_loop(lib: ModuleType, early: bool) -> None:
    first, later = ("guess = x @ a", "pass") if early else ("pass", "guess = x @ a")
    options = "retain_graph=True" if early else ""
    program = FITTED.format(first=first, later=later, options=options)
    head = "nn, F = T.nn, T.nn.functional\nx, y = T.randn(16, 3), T.randn(16)\n"
    report = diagnosed(lib, head + program + "for again in range(1):\n    loss = fit(x, y)\n")
    assert report.kinds == (("computed_before",) if early else ()), report.text
