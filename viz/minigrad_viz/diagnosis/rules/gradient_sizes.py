"""Gradients that are zero or fade, and units that are saturated."""

from __future__ import annotations

from collections.abc import Iterator

from ..examination import Examination, has_hooks
from ..observed import Called, Watched
from .programs import training
from .rule import Match, Rule, Words
from .steps import about, of_steps

VANISHING = 1e-6
"""A weight's gradient vanishes below this share of the largest weight gradient."""


@of_steps
def find_zero(exam: Examination) -> Iterator[Match]:
    found = [w for w in weights(exam) if all(s.largest == 0 for s in w.sizes)]
    # The weights of a recurrent layer's state have nothing to do in sequences of one step.
    found = [w for w in found if "weight_hh" not in exam.name(w.tensor)]
    if found and exam.seen.iteration > 1 and not any(p.zero for p in exam.seen.passes):
        yield about(exam, found, iterations=exam.seen.iteration)


@of_steps
def find_vanishing(exam: Examination) -> Iterator[Match]:
    compared = [w for w in weights(exam) if w.sizes[-1].largest < float("inf")]
    most = max(compared, key=lambda w: w.sizes[-1].largest, default=None)
    if most is None:
        return
    limit = VANISHING * most.sizes[-1].largest
    found = [w for w in compared if all(0 < s.largest < limit for s in w.sizes)]
    if found:
        found.sort(key=lambda w: w.sizes[-1].largest)
        least = found[0]
        parts = {"least": exam.name(least.tensor), "size": f"{least.sizes[-1].largest:.1e}"}
        parts |= {"most": exam.name(most.tensor), "other": f"{most.sizes[-1].largest:.1e}"}
        yield about(exam, found, **parts)


def weights(exam: Examination) -> list[Watched]:
    """Return parameters of two or more dimensions with a gradient in at least two steps."""
    seen = exam.seen.watched.values()
    found = [w for w in seen if len(w.tensor.shape) > 1 and w.tensor.requires_grad]
    return [w for w in found if len(w.sizes) > 1 and not has_hooks(w)]


SATURATED = 0.95
"""Share of flat results from which on a hidden sigmoid passes next to nothing on."""


@of_steps
def find_saturated(exam: Examination) -> Iterator[Match]:
    """Find sigmoids between layers that were at the ends of their range in every watched call."""
    seen = exam.seen
    for identity, shares in seen.activations.items():
        called = seen.called.get(identity)
        if called is None or seen.iteration < 2 or min(shares) < SATURATED:
            continue
        kind = type(called.module).__name__
        if kind in ("Sigmoid", "Tanh", "Hardsigmoid", "Hardtanh") and feeds_layer(exam, called):
            parts = {"type": kind, "share": f"{min(shares):.0%}"}
            yield about(exam, [exam.name(called.module)], **parts)
            return


def feeds_layer(exam: Examination, called: Called) -> bool:
    """Return whether the same module calls a layer with parameters afterwards."""
    later = list(exam.seen.called.values())
    later = later[later.index(called) + 1 :]
    outer = {id(each) for each in called.inside}
    return any(each.parameters and outer & {id(o) for o in each.inside} for each in later)


LOOP = training(
    first="x, y = T.randn(64, 3), T.randn(64, 1)",
    net="",
    data="",
    inside="loss = ({result} - y).pow(2).mean()",
)

FADING = """
layers = [layer for _ in range({depth}) for layer in (T.nn.Linear(8, 8), T.nn.Sigmoid())]
net = T.nn.Sequential(T.nn.Linear(3, 8), T.nn.Tanh(), *layers, T.nn.Linear(8, 1))
""" + LOOP.format(result="net(x)")

WEIGHTED = """
net, share = T.nn.Linear(3, 1), T.tensor({share})
""" + LOOP.format(result="share * net(x)")

PIXELS = """
net = T.nn.Sequential(T.nn.Linear(32, 8), T.nn.Sigmoid(), T.nn.Linear(8, 1))
pixels = 255 * T.rand(64, 32)
T.nn.init.normal_(net[0].weight, std=0.7)
""" + LOOP.format(result="net({scaled})")

FADED = Rule(
    key="vanishing",
    severity=2,
    chapter="16",
    en=Words(
        "vanishing gradients",
        "{names}: the largest element of the gradient of `{least}` is {size}, that of `{most}` "
        "{other}.",
        "Between them the gradient fades: other activations, normalization or residual connections "
        "keep it.",
    ),
    zh=Words(
        "梯度消失",
        "{names}：`{least}` 的梯度的最大元素是 {size}，`{most}` 的是 {other}。",
        "梯度在它们之间逐渐消失：换用别的激活函数、归一化或残差连接可以保住它。",
    ),
    find=find_vanishing,
    broken=FADING.format(depth=30),
    sound=FADING.format(depth=2),
    watched=True,
)

OF_ZERO = Rule(
    key="zero",
    chapter="16",
    en=Words(
        "gradients of zero",
        "{names}: the gradient was exactly zero everywhere in all {iterations} steps, so they do "
        "not move. Activations that are flat where they are (a dead ReLU) and weights that are all "
        "zero do that.",
        "",
    ),
    zh=Words(
        "梯度为零",
        "{names}：在全部 {iterations} 步中梯度处处恰好为零，所以不会更新。激活函数处在平坦处（失活"
        "的 ReLU）或权重全为零都会如此。",
        "",
    ),
    find=find_zero,
    broken=WEIGHTED.format(share="0.0"),
    sound=WEIGHTED.format(share="1.0"),
    watched=True,
)

AT_THE_ENDS = Rule(
    key="saturated",
    severity=2,
    chapter="16",
    en=Words(
        "saturated units",
        "{names} ({type}): at least {share} of its results are at the ends of its range, where the "
        "slope is zero, so next to no gradient reaches the layers below.",
        "Scale the inputs to about 1 (normalize the data), or begin with smaller weights.",
    ),
    zh=Words(
        "单元饱和",
        "{names}（{type}）：至少 {share} 的结果在取值范围的两端，那里斜率为零，所以几乎没有梯度到达"
        "下面的层。",
        "请把输入缩放到 1 左右（对数据做归一化），或用更小的初始权重。",
    ),
    find=find_saturated,
    broken=PIXELS.format(scaled="pixels"),
    sound=PIXELS.format(scaled="pixels / 255"),
    before=("saturating_data",),
    watched=True,
)
