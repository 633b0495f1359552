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

BROKEN = {
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
