"""Exercises of chapter 14, carried state."""

from __future__ import annotations

import math

from .exercise import Exercise, Hint, Test, Words
from .recognise import alike, each, letters, naming, number

WEIGHTS = (0.5, -1.0)
INPUTS = (1.0, 2.0, -1.0, 3.0)


def chunks(every: int, *, cut: bool = True, forget: bool = False) -> list[float]:
    """Return `w.grad` after all turns for each of WEIGHTS, by forward differentiation."""
    found = []
    for w in WEIGHTS:
        h = slope = total = 0.0
        for turn, x in enumerate(INPUTS):
            if turn % every == 0 and cut:
                slope = 0.0
            if turn % every == 0 and forget:
                h = 0.0
            h, slope = w * h + x, h + w * slope
            total += 2 * (h - 1) * slope
        found.append(total)
    return found


def truncated(*, cut: bool = True, forget: bool = False) -> Test:
    """The gradients that 14.4 asks for; or without a cut, or with a state that begins anew."""
    expected = [chunks(every, cut=cut, forget=forget) for every in (1, 2, 4)]
    return lambda seen: alike(seen, expected)


def rounds(*, clear: bool = True, old_critic: bool = False) -> Test:
    """`g` and `d` after each of two rounds of 14.5."""
    noises, reals = ((2.0, 1.0), (-1.0, 0.5)), ((3.0, 4.0), (2.0, 5.0))
    g, d, left = 1.0, 0.5, 0.0
    expected = []
    for noise, real in zip(noises, reals, strict=True):
        mean, truth = sum(noise) / 2, sum(real) / 2
        before = d
        d_grad = g * mean - truth + (0.0 if clear else left)
        d -= 0.1 * d_grad
        judge = before if old_critic else d
        left = d_grad - g * mean
        g += 0.1 * judge * mean
        expected.append([g, d])
    return lambda seen: alike(seen, expected)


RUNS = ((0.5, [1.0, 0.5, -1.0]), (2.0, [0.1, 0.0, -0.2, 0.3]), (-1.0, [0.0, 0.4]))
"""The arguments in the probe of 14.6: `w` and the inputs."""


def influences(*, linear: bool = False, states: bool = False) -> list[list[float]]:
    """The slopes of the last state of 14.6 for its inputs; or without `tanh`, or the states."""
    found = []
    for w, xs in RUNS:
        h, reached, slopes = 0.0, [], [0.0] * len(xs)
        for turn, x in enumerate(xs):
            h = w * h + x if linear else math.tanh(w * h + x)
            reached.append(h)
            own = 1.0 if linear else 1 - h * h
            slopes = [own * w * slope for slope in slopes[:turn]] + [own] + slopes[turn + 1 :]
        found.append(reached if states else slopes)
    return found


def curves(heights: list[list[float]], first: int = 1) -> Test:
    """In each trial one curve, whose points have these heights, from the place `first` on."""
    expected = [
        [[[first + turn, height] for turn, height in enumerate(curve)]] for curve in heights
    ]
    return lambda seen: alike(seen, expected)


EXERCISES = {
    "14.1": Exercise(
        asks=("cut_grad",),
        solution="8",
        accepted=("8.0", "2 * 2 + 4", "mg.tensor(8.0)"),
        rejected=("16", "[4, 4]"),
        right=number(8),
        because=Words(
            "4 from the last turn and 2 · 2 from the one before it; the first is cut off.",
            "最后一轮带来 4，它的前一轮带来 2 · 2；第一轮被切断了。",
        ),
        hints=(
            Hint(
                "12",
                number(12),
                Words(
                    "12 is the slope of w³, with all three turns. One of them lies behind the cut.",
                    "12 是 w³ 的斜率，三轮都在内。其中有一轮在切口之后。",
                ),
            ),
            Hint(
                "4",
                number(4),
                Words(
                    "Each of the turns after the cut brings 4. How many are there?",
                    "切口之后的每一轮都带来 4。一共有几轮？",
                ),
            ),
        ),
        otherwise=Words(
            "Write down the three states. Then go back from the last one, as far as the cut.",
            "先写下三个状态，再从最后一个往回走，走到切口为止。",
        ),
    ),
    "14.2": Exercise(
        asks=("failing",),
        solution='["B", "D"]',
        accepted=('["D", "B"]', '("B", "D")', '{"B", "D"}', '["b", "d"]'),
        rejected=('["B"]', '"BD"', '["A", "D"]', "[]"),
        right=letters("bd"),
        because=Words(
            "Both lead to nodes that have freed what they saved: a product and an exponential.",
            "两者都通向已经释放了所存内容的节点：一个乘法，一个指数函数。",
        ),
        hints=(
            Hint(
                '["B", "D", "E"]',
                naming("E"),
                Words(
                    "E does lead into a graph that has been walked. But what does an addition "
                    "save?",
                    "E 确实通向一张用过的图。可是加法保存了什么？",
                ),
            ),
            Hint(
                '["B", "C", "D"]',
                naming("C"),
                Words(
                    "C has been cut: no path leads from its features to the product.",
                    "C 已经切断：从它的特征没有路径通向那次乘法。",
                ),
            ),
        ),
        otherwise=Words(
            "Ask of each: does it have a history, and do the nodes in it save anything?",
            "逐个问：它有没有历史？历史里的节点保存了什么没有？",
        ),
    ),
    "14.3": Exercise(
        asks=("mean_loss",),
        probe="""
            seen = []
            for at, xs in ((0.5, [1.0, 2.0, 3.0]), (-1.0, [2.0, 0.5])):
                w = mg.tensor(at, requires_grad=True)
                mean = mean_loss(w, xs)
                held = getattr(mean, "requires_grad", False)
                seen.append([mean, w.grad, "holds a graph" if held else "a number"])
        """,
        solution="loss.item()",
        accepted=("loss.detach()", "float(loss)", "loss.detach().item()", "loss.tolist()"),
        rejected=(
            "1.0",
            "loss.requires_grad",
            "w.item()",
            "int(loss)",
            """\
def mean_loss(w, xs):
    total = sum((w * x - 1) ** 2 for x in xs) / len(xs)
    total.backward()
    return total.item()""",
        ),
        right=each([0.1666667, 2.0, "a number"], [5.625, -13.5, "a number"]),
        because=Words(
            "The mean is right, the gradients have arrived, and no graph hangs on it.",
            "平均值是对的，梯度也到了，而且上面没有挂着计算图。",
        ),
        hints=(
            Hint(
                "loss",
                lambda seen: all(kind == "holds a graph" for mean, grad, kind in seen),
                Words(
                    "What is returned still has a history: print its `grad_fn`.",
                    "返回的东西还带着历史：打印它的 `grad_fn` 看看。",
                ),
            ),
            Hint(
                "loss.item() / len(xs)",
                each([0.0555556, 2.0, "a number"], [2.8125, -13.5, "a number"]),
                Words(
                    "A number without a graph, but divided by the number of turns twice.",
                    "是一个不带图的数，但除了两次轮数。",
                ),
            ),
        ),
        otherwise=Words(
            "For w = 0.5 and the numbers 1, 2, 3 the losses are 0.25, 0 and 0.25, their mean is "
            "0.167, and the three backward passes leave 2 in `w.grad`.",
            "对 w = 0.5 和 1、2、3 这三个数，损失是 0.25、0、0.25，平均是 0.167，三次反向传播之后"
            " `w.grad` 是 2。",
        ),
    ),
    "14.4": Exercise(
        asks=("truncated",),
        probe="""
            seen = []
            for every in (1, 2, 4):
                grads = []
                for at in (0.5, -1.0):
                    w = mg.tensor(at, requires_grad=True)
                    truncated(w, [1.0, 2.0, -1.0, 3.0], every)
                    grads.append(w.grad)
                seen.append(grads)
        """,
        solution="""\
h = mg.tensor(0.0)
for start in range(0, len(xs), every):
    h = h.detach()
    loss = 0.0
    for x in xs[start : start + every]:
        h = w * h + x
        loss = loss + (h - 1) ** 2
    loss.backward()""",
        accepted=(
            """\
h, losses = mg.zeros(()), []
for turn, x in enumerate(xs, start=1):
    h = w * h + x
    losses.append((h - 1) ** 2)
    if turn % every == 0:
        mg.stack(losses).sum().backward()
        h, losses = mg.tensor(h.item()), []""",
            """\
h = 0.0
for turn, x in enumerate(xs):
    if turn % every == 0:
        h = float(h)
    h = w * h + x
    last = turn % every == every - 1
    ((h - 1) ** 2).backward(retain_graph=not last)""",
            """\
def part(h, xs):
    loss = 0.0
    for x in xs:
        h = w * h + x
        loss += (h - 1).square()
    loss.backward()
    return h.detach()


h = mg.tensor(0.0)
for start in range(0, len(xs), every):
    h = part(h, xs[start : start + every])""",
        ),
        rejected=(
            "return w",
            """\
h = mg.tensor(0.0)
for x in xs:
    h = w * h + x
    ((h - 1) ** 2).backward()""",
        ),
        right=truncated(),
        because=Words(
            "Right for a cut at each turn, at every second one, and with no cut between.",
            "每一轮都切、每两轮切一次、中间不切，三种情形都对。",
        ),
        hints=(
            Hint(
                """\
h = mg.tensor(0.0)
for x in xs:
    h = w * h.detach() + x
    ((h - 1) ** 2).backward()""",
                lambda seen: alike(seen, [chunks(1)] * 3),
                Words(
                    "The state is cut at every turn, whatever `every` is.",
                    "不论 `every` 是多少，每一轮都把状态切断了。",
                ),
            ),
            Hint(
                """\
h = mg.tensor(0.0)
loss = 0.0
for x in xs:
    h = w * h + x
    loss = loss + (h - 1) ** 2
loss.backward()""",
                truncated(cut=False),
                Words(
                    "Those are the gradients of all turns without a cut, whatever `every` is.",
                    "不论 `every` 是多少，得到的都是所有轮不切断时的梯度。",
                ),
            ),
            Hint(
                """\
for start in range(0, len(xs), every):
    h = mg.tensor(0.0)
    loss = 0.0
    for x in xs[start : start + every]:
        h = w * h + x
        loss = loss + (h - 1) ** 2
    loss.backward()""",
                truncated(forget=True),
                Words(
                    "At the cut the state has become 0. Only its history should be lost, not its "
                    "number.",
                    "切断时状态变成了 0。应当失去的只是它的历史，不是它的数值。",
                ),
            ),
        ),
        otherwise=Words(
            "Try it by hand with two inputs and `every` = 1: then each turn is a small graph of "
            "its own.",
            "用两个输入和 `every` = 1 手算一遍：这时每一轮都是一张自己的小图。",
        ),
    ),
    "14.5": Exercise(
        asks=("one_round",),
        probe="""
            g = mg.tensor(1.0, requires_grad=True)
            d = mg.tensor(0.5, requires_grad=True)
            seen = []
            for noise, real in (([2.0, 1.0], [3.0, 4.0]), ([-1.0, 0.5], [2.0, 5.0])):
                one_round(g, d, mg.tensor(noise), mg.tensor(real))
                seen.append([g.item(), d.item()])
        """,
        solution="""\
fake = g * noise
d.grad = None
((d * fake.detach()).mean() - (d * real).mean()).backward()
with mg.no_grad():
    d -= 0.1 * d.grad
g.grad = None
(-(d * fake).mean()).backward()
with mg.no_grad():
    g -= 0.1 * g.grad""",
        accepted=(
            """\
(slope,) = mg.autograd.grad((d * (g * noise)).mean() - (d * real).mean(), d)
with mg.no_grad():
    d -= 0.1 * slope
(slope,) = mg.autograd.grad(-(d * (g * noise)).mean(), g)
with mg.no_grad():
    g -= 0.1 * slope""",
            """\
with mg.no_grad():
    d -= 0.1 * ((g * noise).mean() - real.mean())
    g += 0.1 * (d * noise).mean()""",
        ),
        rejected=(
            "with mg.no_grad():\n    g.zero_()",
            """\
fake = g * noise
mark = (d * fake).mean()
(mark - (d * real).mean()).backward(retain_graph=True)
with mg.no_grad():
    d -= 0.1 * d.grad
(-mark).backward()""",
            """\
fake = g * noise
for w in (g, d):
    w.grad = None
((d * fake).mean() - (d * real).mean()).backward(retain_graph=True)
with mg.no_grad():
    d -= 0.1 * d.grad
(-(d * fake).mean()).backward()
with mg.no_grad():
    g -= 0.1 * g.grad""",
        ),
        right=rounds(),
        because=Words(
            "Both have gone two steps, each with a gradient of its own.",
            "两者都走了两步，各用各的梯度。",
        ),
        hints=(
            Hint(
                """\
fake = g * noise
((d * fake.detach()).mean() - (d * real).mean()).backward()
with mg.no_grad():
    d -= 0.1 * d.grad
g.grad = None
(-(d * fake).mean()).backward()
with mg.no_grad():
    g -= 0.1 * g.grad""",
                rounds(clear=False),
                Words(
                    "The first round is right. In the second, `d` goes along with what was left in "
                    "`d.grad` by the first.",
                    "第一轮是对的。第二轮里，`d` 还带上了第一轮留在 `d.grad` 里的东西。",
                ),
            ),
            Hint(
                """\
slope_d = (g * noise).mean().item() - real.mean().item()
slope_g = -(d * noise).mean().item()
with mg.no_grad():
    d -= 0.1 * slope_d
    g -= 0.1 * slope_g""",
                rounds(old_critic=True),
                Words(
                    "`d` is right. `g` has been judged by the critic as it was before its step.",
                    "`d` 是对的。给 `g` 打分的，是走这一步之前的判别器。",
                ),
            ),
            Hint(
                """\
fake = g * noise
d.grad = None
((d * fake.detach()).mean() - (d * real).mean()).backward()
with mg.no_grad():
    d = d - 0.1 * d.grad
g.grad = None
(-(d * fake).mean()).backward()
with mg.no_grad():
    g = g - 0.1 * g.grad""",
                lambda seen: alike(seen, [[1.0, 0.5], [1.0, 0.5]]),
                Words(
                    "After both rounds `g` and `d` are what they were before. Change them in "
                    "place.",
                    "两轮之后，`g` 和 `d` 还是原来的数。要就地修改它们。",
                ),
            ),
            Hint(
                """\
fake = g * noise
d.grad = None
((d * fake.detach()).mean() - (d * real).mean()).backward()
with mg.no_grad():
    d -= 0.1 * d.grad
(-(d * fake).mean()).backward()
with mg.no_grad():
    g -= 0.1 * g.grad""",
                lambda seen: alike(seen[0], [1.105, 0.7]),
                Words(
                    "The first round is right, the second is not. What does the first leave "
                    "behind?",
                    "第一轮是对的，第二轮不对。第一轮留下了什么？",
                ),
            ),
        ),
        otherwise=Words(
            "After the first round of noise 2, 1 and real 3, 4, beginning with g = 1 and d = 0.5: "
            "d is 0.7, g is 1.105.",
            "从 g = 1、d = 0.5 开始，noise 为 2、1，real 为 3、4，第一轮之后：d 是 0.7，"
            "g 是 1.105。",
        ),
    ),
    "14.6": Exercise(
        asks=("influence",),
        probe="""
            seen = []
            runs = ((0.5, [1.0, 0.5, -1.0]), (2.0, [0.1, 0.0, -0.2, 0.3]), (-1.0, [0.0, 0.4]))
            for w, xs in runs:
                figure, (place, other) = plt.subplots(1, 2)
                influence(place, w, xs)
                lines = [line for line in place.lines if line.get_transform() is place.transData]
                seen.append([sorted(line.get_xydata().tolist()) for line in lines])
        """,
        solution="""\
inputs = mg.tensor(xs, requires_grad=True)
h = mg.tensor(0.0)
for x in inputs:
    h = mg.tanh(w * h + x)
h.backward()
place.plot(range(1, len(xs) + 1), inputs.grad.tolist())""",
        accepted=(
            """\
leaves = [mg.tensor(x, requires_grad=True) for x in xs]
h = 0
for leaf in leaves:
    h = (w * h + leaf).tanh()
slopes = mg.autograd.grad(h, leaves)
place.semilogy([t + 1 for t in range(len(xs))], [s.item() for s in slopes], "o-")""",
            """\
import math

h, states = 0.0, []
for x in xs:
    h = math.tanh(w * h + x)
    states.append(h)
slope, turns, slopes = 1.0, [], []
for turn in range(len(xs), 0, -1):
    slope *= 1 - states[turn - 1] ** 2
    turns.append(turn)
    slopes.append(slope)
    slope *= w
place.plot(turns, slopes)""",
            """\
x = mg.tensor(xs).requires_grad_()
h = mg.zeros(1)
for i in range(len(xs)):
    h = mg.tanh(w * h + x[i])
h.sum().backward()
place.plot(mg.arange(len(xs)) + 1, x.grad.numpy(), label=f"w = {w}")
place.axhline(0, color="gray")
place.legend()
return place""",
        ),
        rejected=(
            "place.plot([1, 2, 3], [1, 2, 3])",
            "place.bar(range(len(xs)), xs)\nplace.plot(range(1, len(xs) + 1), xs)",
            """\
x = mg.tensor(xs, requires_grad=True)
h = mg.tensor(0.0)
for i in range(len(xs)):
    h = mg.tanh(w * h + x[i])
place.plot(range(1, len(xs) + 1), x.grad.tolist())""",
            """\
x = mg.tensor(xs, requires_grad=True)
h, total = mg.tensor(0.0), 0.0
for i in range(len(xs)):
    h = mg.tanh(w * h + x[i])
    total = total + h
total.backward()
place.plot(range(1, len(xs) + 1), x.grad.tolist())""",
        ),
        right=curves(influences()),
        because=Words(
            "One curve, and each of its points is the slope of the last state.",
            "一条曲线，每个点都是最后一个状态的斜率。",
        ),
        hints=(
            Hint(
                """\
x = mg.tensor(xs, requires_grad=True)
h = mg.tensor(0.0)
for i in range(len(xs)):
    h = mg.tanh(w * h + x[i])
h.backward()
plt.plot(range(1, len(xs) + 1), x.grad.tolist())""",
                lambda seen: seen == [[], [], []],
                Words(
                    "There is no curve in `place`. Draw with `place.plot(...)`.",
                    "`place` 里没有曲线。请用 `place.plot(...)` 来画。",
                ),
            ),
            Hint(
                """\
x = mg.tensor(xs, requires_grad=True)
h = mg.tensor(0.0)
for i in range(len(xs)):
    h = mg.tanh(w * h + x[i])
h.backward()
for i in range(len(xs)):
    place.plot(i + 1, x.grad[i].item(), "o")""",
                lambda seen: any(len(lines) > 1 for lines in seen),
                Words(
                    "There is more than one curve in `place` after a single call. Give all places "
                    "and all slopes to one `place.plot(...)`.",
                    "只调用一次，`place` 里就有了不止一条曲线。请把所有位置和所有斜率交给一次 "
                    "`place.plot(...)`。",
                ),
            ),
            Hint(
                """\
x = mg.tensor(xs, requires_grad=True)
h = mg.tensor(0.0)
for i in range(len(xs)):
    h = mg.tanh(w * h + x[i])
h.backward()
place.plot(x.grad.tolist())""",
                curves(influences(), first=0),
                Words(
                    "The slopes are right. The first turn stands at 0 and should stand at 1.",
                    "斜率都对。第一轮画在 0 处，应当画在 1 处。",
                ),
            ),
            Hint(
                """\
x = mg.tensor(xs, requires_grad=True)
h = mg.tensor(0.0)
for i in range(len(xs)):
    h = mg.tanh(w * h + x[i])
h.backward()
place.plot(range(1, len(xs) + 1), x.grad.tolist()[::-1])""",
                curves([slopes[::-1] for slopes in influences()]),
                Words(
                    "The slopes are right, but they stand in the order of going back: the last "
                    "turn comes first.",
                    "斜率都对，但顺序是倒着的：最后一轮排在了最前面。",
                ),
            ),
            Hint(
                """\
x = mg.tensor(xs, requires_grad=True)
h = mg.tensor(0.0)
for i in range(len(xs)):
    h = mg.tanh(w * h.detach() + x[i])
h.backward()
place.plot(range(1, len(xs) + 1), x.grad.tolist())""",
                curves([[0.0] * (len(slopes) - 1) + slopes[-1:] for slopes in influences()]),
                Words(
                    "Only the last input has a slope. The earlier ones are cut off from the last "
                    "state.",
                    "只有最后一个输入有斜率。更早的输入与最后一个状态断开了。",
                ),
            ),
            Hint(
                """\
x = mg.tensor(xs, requires_grad=True)
h = mg.tensor(0.0)
for i in range(len(xs)):
    h = w * h + x[i]
h.backward()
place.plot(range(1, len(xs) + 1), x.grad.tolist())""",
                curves(influences(linear=True)),
                Words(
                    "Those are the slopes of `w * h + x`, without `tanh`.",
                    "这是 `w * h + x` 的斜率，没有 `tanh`。",
                ),
            ),
            Hint(
                """\
h, states = mg.tensor(0.0), []
for x in xs:
    h = mg.tanh(w * h + x)
    states.append(h.item())
place.plot(range(1, len(xs) + 1), states)""",
                curves(influences(states=True)),
                Words(
                    "Those are the states. The slope of the last one for each input was asked for.",
                    "这些是状态。要的是最后一个状态对每个输入的斜率。",
                ),
            ),
        ),
        otherwise=Words(
            "For w = 0.5 and the inputs 1, 0.5, −1 the states are 0.762, 0.707 and −0.570, and the "
            "slopes 0.035, 0.169 and 0.675.",
            "对 w = 0.5 和输入 1、0.5、−1，各个状态是 0.762、0.707、−0.570，斜率是 0.035、0.169、"
            "0.675。",
        ),
    ),
}
