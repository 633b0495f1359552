"""Exercises of chapter 16, NaN and where."""

from __future__ import annotations

import math
from typing import Any

from .exercise import Exercise, Hint, Test, Words
from .recognise import alike, each, letters, naming, number


def has_nan(part: Any) -> bool:
    """Somewhere in it is a NaN."""
    if isinstance(part, list):
        return any(map(has_nan, part))
    return isinstance(part, float) and math.isnan(part)


LEARNING = ((3.0, 4.0, 5, 0.1, 1.0), (0.3, -0.1, 4, 0.2, 1.0), (-2.0, 0.5, 3, 0.3, 2.0))
"""Of each trial of 16.6: where it begins, how many steps, the learning rate and the limit."""


def descended(*, clip: bool = True, always: bool = False, numbers: bool = False) -> Test:
    """Where 16.6 ends on x² + 2y²; or without clipping, with each gradient brought to the limit, or
    with each number clipped by itself.
    """
    expected = []
    for x, y, steps, lr, limit in LEARNING:
        for _ in range(steps):
            g, h = 2 * x, 4 * y
            length = math.hypot(g, h)
            if numbers:
                g, h = (max(-limit, min(limit, part)) for part in (g, h))
            elif clip and (length > limit or always):
                g, h = g * limit / length, h * limit / length
            x, y = x - lr * g, y - lr * h
        expected.append([x, y])
    return lambda seen: alike([row[0] for row in seen], expected)


DIVIDED = [
    [[0.5, 0.0, -0.75], [0.5, 0.0, 0.25], [-0.25, 0.0, 0.1875]],
    [[0.0, -2.5], [0.0, -0.5], [0.0, -1.25]],
]
"""Of 16.3, each time the quotient and the gradients of a and b."""


SCORED = [
    [[-0.6931472, -0.6931472], [0.5, -0.5]],
    [[-200.0, 0.0], [1.0, -1.0]],
    [[-1.3132617, -0.3132617], [0.7310586, -0.7310586]],
    [[-1.0986123] * 3, [2 / 3, -1 / 3, -1 / 3]],
]
"""Of 16.5, each time the result and the gradient of its first number."""


def divided(seen: Any, parts: int) -> bool:
    """So many of the three are right: the quotient, then the gradient of a, then that of b."""
    return alike([row[:parts] for row in seen], [row[:parts] for row in DIVIDED])


PLACES = ([-2.0, 0.0, 0.5], [-0.25, 0.0, 0.0, 3.0], [1.0, 6.0])
"""Where 16.7 is looked at, in order."""


def wave(x: float) -> float:
    """sin(x)/x, with its limit at 0."""
    return math.sin(x) / x if x else 1.0


def steepness(x: float) -> float:
    """The slope of that."""
    return (x * math.cos(x) - math.sin(x)) / x**2 if x else 0.0


def waves(seen: Any, function: Any, slope: Any) -> bool:
    """In each trial two curves, in any order, of these functions."""
    both = [[[[x, f(x)] for x in xs] for f in (function, slope)] for xs in PLACES]
    return alike(seen, both) or alike(seen, [pair[::-1] for pair in both])


ALL = {"[3, 4]": [5.0, 0.6, 0.8], "[-5, 12]": [13.0, -5 / 13, 12 / 13]}
"""Of the vectors of 16.2, the length and its slopes."""


def lengths(seen: Any, add: float = 0.0) -> bool:
    """Away from 0 the lengths are right, with this much added, and the slopes too."""
    expected = [[length + add, a, b] for length, a, b in ALL.values()]
    return alike(seen[1:], expected)


def finite(seen: Any) -> bool:
    """The slopes at (0, 0) are numbers."""
    return all(isinstance(slope, float) and math.isfinite(slope) for slope in seen[0][1:])


EXERCISES = {
    "16.1": Exercise(
        asks=("bad_gradients",),
        solution='["A", "C", "E"]',
        accepted=('["E", "C", "A"]', '("A", "C", "E")', '{"A", "C", "E"}', '["a", "c", "e"]'),
        rejected=('["A"]', '["A", "C"]', "None"),
        right=letters("ace"),
        because=Words(
            "In each of them an infinite slope meets a 0.", "这三个里，无穷大的斜率都遇到了 0。"
        ),
        hints=(
            Hint(
                '"A, C, E"',
                lambda seen: isinstance(seen, str),
                Words(
                    'Your answer is one string. Write a list of letters, as in ["X", "Y"].',
                    '你的答案是一个字符串。请写成字母的列表，例如 ["X", "Y"]。',
                ),
            ),
            Hint(
                '["A", "B", "C", "E"]',
                naming("B"),
                Words(
                    "B has an infinite slope at 0. Does it meet a 0?",
                    "B 在 0 处的斜率是无穷大。它遇到 0 了吗？",
                ),
            ),
            Hint(
                '["A", "C", "D"]',
                naming("D"),
                Words(
                    "In D the root sees 1e-12, and its slope there is large, but finite.",
                    "D 里根号看到的是 1e-12，那里的斜率很大，但是有限。",
                ),
            ),
            Hint(
                '["A", "C", "E", "F"]',
                naming("F"),
                Words(
                    "F uses `where`, but neither branch has an infinite slope.",
                    "F 用了 `where`，但两个分支的斜率都不是无穷大。",
                ),
            ),
        ),
        otherwise=Words(
            "Write down the slopes along each path. `nan` is where an `inf` and a 0 are "
            "multiplied. Or try them.",
            "写出每条路径上的斜率。`inf` 和 0 相乘的地方就是 `nan`。也可以运行看看。",
        ),
    ),
    "16.2": Exercise(
        asks=("safe_length",),
        probe="""
            seen = []
            for at in ([0.0, 0.0], [3.0, 4.0], [-5.0, 12.0]):
                x = mg.tensor(at, requires_grad=True)
                length = safe_length(x)
                if getattr(length, "requires_grad", False):
                    length.backward()
                seen.append([float(length)] + ([None] * 2 if x.grad is None else x.grad.tolist()))
        """,
        solution="mg.sqrt((x * x).sum() + 1e-12)",
        accepted=(
            "((x * x).sum() + 1e-10) ** 0.5",
            "x.norm()",
            "safe_length = lambda v: ((v**2).sum() + 1e-9).sqrt()",
            "mg.linalg.vector_norm(x, ord=2)",
            "mg.where((x * x).sum() > 0, mg.sqrt(mg.where((x * x).sum() > 0, (x * x).sum(), 1.0)), "
            "0.0)",
        ),
        rejected=("x.abs().sum()", "(x * x).sum()", "x.max()", "None"),
        right=lambda seen: lengths(seen) and finite(seen),
        because=Words(
            "The length and its slopes are right, and at (0, 0) the slopes are finite.",
            "长度和斜率都对，在 (0, 0) 处斜率也是有限的。",
        ),
        hints=(
            Hint(
                "mg.sqrt((x * x).sum())",
                lambda seen: lengths(seen) and not finite(seen),
                Words(
                    "Right at (3, 4), but at (0, 0) the slopes are no finite numbers.",
                    "在 (3, 4) 处对了，但在 (0, 0) 处斜率不是有限的数。",
                ),
            ),
            Hint(
                "mg.sqrt((x * x).sum() + 1e-12).detach()",
                lambda seen: all(slope is None for row in seen for slope in row[1:]),
                Words("No gradient arrives at x.", "没有梯度到达 x。"),
            ),
            Hint(
                "mg.sqrt((x * x).sum()) + 0.1",
                lambda seen: lengths(seen, seen[1][0] - 5) and not finite(seen),
                Words(
                    "Something is added to the value. The slopes are as before, and at (0, 0) "
                    "still no finite numbers.",
                    "值加上了一点，斜率却和原来一样，在 (0, 0) 处仍不是有限的数。",
                ),
            ),
            Hint(
                "mg.sqrt((x * x).sum() + 1.0)",
                lambda seen: (
                    finite(seen)
                    and seen[1][0] > 5.0004
                    and alike(seen[1][1:], [3 / seen[1][0], 4 / seen[1][0]])
                ),
                Words(
                    "Finite everywhere, but at (3, 4) the length should be 5: less has to be "
                    "added.",
                    "处处有限，但在 (3, 4) 处长度应当是 5：要加得少一些。",
                ),
            ),
        ),
        otherwise=Words(
            "At (3, 4) the length is 5 and the slopes are 0.6 and 0.8; at (0, 0) they are finite.",
            "在 (3, 4) 处长度是 5，斜率是 0.6 和 0.8；在 (0, 0) 处斜率有限。",
        ),
    ),
    "16.3": Exercise(
        asks=("divide",),
        probe="""
            seen = []
            for p, q in (([1.0, 2.0, -3.0], [2.0, 0.0, 4.0]), ([0.0, 5.0], [0.0, -2.0])):
                a = mg.tensor(p, requires_grad=True)
                b = mg.tensor(q, requires_grad=True)
                c = divide(a, b)
                if c.requires_grad:
                    c.sum().backward()
                seen.append([c, a.grad, b.grad])
        """,
        solution="""\
harmless = mg.where(b == 0, 1.0, b)
return mg.where(b == 0, 0.0, a / harmless)""",
        accepted=(
            """\
zero = b == 0
return (a / b.masked_fill(zero, 1.0)).masked_fill(zero, 0.0)""",
            """\
c = mg.zeros_like(a)
c[b != 0] = a[b != 0] / b[b != 0]
return c""",
            """\
ok = (b != 0).float()
return ok * (a / (ok * b + (1 - ok)))""",
            "return mg.stack([s / t if t != 0 else 0.0 * s for s, t in zip(a, b)])",
            """\
safe = b.clone()
with mg.no_grad():
    safe[b == 0] = 1.0
return (a / safe) * (b != 0)""",
        ),
        rejected=(
            "return a * b",
            "return mg.where(b == 0, 0.0, a / mg.where(b == 0, 1.0, b)).detach() * a",
        ),
        right=each(*DIVIDED),
        because=Words(
            "The division never sees a 0, and the result is right.",
            "除法永远见不到 0，结果也是对的。",
        ),
        hints=(
            Hint(
                "return mg.where(b == 0, 0.0, a / b)",
                lambda seen: divided(seen, 1) and has_nan([row[1:] for row in seen]),
                Words(
                    "The values are right, but there is a `nan` among the gradients: a division "
                    "has seen the 0.",
                    "值是对的，但梯度里有 `nan`：有一次除法见到了 0。",
                ),
            ),
            Hint(
                "return mg.tensor([p / q if q else 0.0 for p, q in zip(a.tolist(), b.tolist())])",
                lambda seen: divided(seen, 1) and all(row[1:] == [None, None] for row in seen),
                Words(
                    "The values are right, but no gradient arrives at a and b.",
                    "值是对的，但没有梯度到达 a 和 b。",
                ),
            ),
            Hint(
                "return mg.where(b == 0, 0.0, a / mg.where(b == 0, 1.0, b.detach()))",
                lambda seen: (
                    divided(seen, 2)
                    and not divided(seen, 3)
                    and not has_nan([row[1:] for row in seen])
                ),
                Words(
                    "The values and the gradient of a are right. Where b is not 0, its gradient "
                    "should be -a / b².",
                    "值和 a 的梯度都对。b 不为 0 处，b 的梯度应当是 -a / b²。",
                ),
            ),
            Hint(
                "return a / (b + 1e-12)",
                lambda seen: max(map(abs, seen[0][0])) > 1000,
                Words(
                    "Where b is 0 the value should be 0. It is huge.",
                    "b 为 0 处，值应当是 0。现在却非常大。",
                ),
            ),
        ),
        otherwise=Words(
            "Two `where`: one makes b harmless, one makes the result right.",
            "用两个 `where`：一个让 b 无害，一个让结果正确。",
        ),
    ),
    "16.4": Exercise(
        asks=("times_shorter",),
        solution="256",
        accepted=("256.0", "2 / (2 / 256)", "mg.tensor(256)"),
        rejected=("512", "None"),
        right=number(256),
        because=Words("2 instead of 2 / 256.", "应当是 2，结果是 2 / 256。"),
        hints=(
            Hint(
                "2560",
                number(2560),
                Words(
                    "2560 is 5120 / 2: how much the clipping shortens the scaled gradient. Compare "
                    "the two results.",
                    "2560 是 5120 / 2，即裁剪把放大的梯度缩短了多少倍。请比较两个结果。",
                ),
            ),
            Hint(
                "1 / 256",
                number(1 / 256),
                Words(
                    "That is the wrong result divided by the right one. Asked was the other way "
                    "round.",
                    "这是错误的结果除以正确的结果。题目问的是反过来。",
                ),
            ),
            Hint(
                "10",
                number(10),
                Words(
                    "10 is how much the clipping shortens in the right order, from 20 to 2. "
                    "Compare the two results.",
                    "10 是按正确的顺序裁剪时缩短的倍数，从 20 到 2。请比较两个结果。",
                ),
            ),
        ),
        otherwise=Words(
            "Compute both results: unscale 5120 and clip it, and the other way round.",
            "两个结果都算一算：先还原 5120 再裁剪，以及反过来。",
        ),
    ),
    "16.5": Exercise(
        asks=("log_softmax",),
        probe="""
            seen = []
            scores = ([0.0, 0.0], [0.0, 200.0], [1000.0, 1001.0], [-500.0, -500.0, -500.0])
            for each in scores:
                x = mg.tensor(each, requires_grad=True)
                result = log_softmax(x)
                first = result[0]
                if first.requires_grad:
                    first.backward()
                seen.append([result, x.grad])
        """,
        solution="""\
shifted = x - x.max().detach()
return shifted - mg.log(mg.exp(shifted).sum())""",
        accepted=(
            "return x - mg.logsumexp(x, 0)",
            "return mg.nn.functional.log_softmax(x, dim=0)",
            """\
x = x - x.max()
return x - x.exp().sum().log()""",
            """\
top = max(x.tolist())
return (x - top) - sum((s - top).exp() for s in x).log()""",
        ),
        rejected=(
            "return x - x.max()",
            "return mg.softmax(x, 0)",
            "return mg.log(mg.softmax(x, 0) + 1e-12)",
        ),
        right=each(*SCORED),
        because=Words(
            "Right for small and for large scores, and so are the gradients.",
            "得分小和大时都对，梯度也对。",
        ),
        hints=(
            Hint(
                "return mg.log(mg.softmax(x, 0))",
                lambda seen: (
                    alike(seen[2][0], [-1.3132617, -0.3132617])
                    and alike(seen[1][0], [-math.inf, 0])
                ),
                Words(
                    "It is right for 1000 and 1001, but for 0 and 200 the first number is -inf. "
                    "In float32 e⁻²⁰⁰ is rounded to 0, and the logarithm of 0 is -inf.",
                    "对 1000 和 1001 是对的，但对 0 和 200，第一个数是 -inf。在 float32 里 e⁻²⁰⁰ 会"
                    "舍入成 0，而 0 的对数是 -inf。",
                ),
            ),
            Hint(
                "shifted = x - x.mean()\nreturn shifted - mg.log(mg.exp(shifted).sum())",
                lambda seen: (
                    alike(seen[2][0], [-1.3132617, -0.3132617])
                    and alike(seen[1][0], [-math.inf, -math.inf])
                ),
                Words(
                    "It is right for 1000 and 1001, but for 0 and 200 both numbers are -inf. In "
                    "float32 e¹⁰⁰ is inf already: no score should stay that large.",
                    "对 1000 和 1001 是对的，但对 0 和 200，两个数都是 -inf。在 float32 里 e¹⁰⁰ "
                    "已经是 inf：减过之后，得分都不能那么大。",
                ),
            ),
            Hint(
                "import numpy\n"
                "z = x.detach().numpy() - x.max().item()\n"
                "return mg.tensor(z - numpy.log(numpy.exp(z).sum()))",
                lambda seen: (
                    alike([row[0] for row in seen], [row[0] for row in SCORED])
                    and all(row[1] is None for row in seen)
                ),
                Words(
                    "The values are right, but no gradient arrives at x.",
                    "值是对的，但没有梯度到达 x。",
                ),
            ),
            Hint(
                "return x - mg.log(mg.exp(x).sum())",
                lambda seen: (
                    alike(seen[0], [[-0.6931472, -0.6931472], [0.5, -0.5]])
                    and not math.isfinite(seen[2][0][0])
                ),
                Words(
                    "It is right for the scores 0 and 0, but not for 1000 and 1001: e to the 1000 "
                    "is `inf`.",
                    "对得分 0 和 0 是对的，对 1000 和 1001 不对：e 的 1000 次方是 `inf`。",
                ),
            ),
        ),
        otherwise=Words(
            "Take the largest score away from all of them, then use the formula.",
            "先从所有得分中减去最大的一个，再用公式。",
        ),
    ),
    "16.6": Exercise(
        asks=("descend",),
        probe="""
            def valley(x):
                return x[0] ** 2 + 2 * x[1] ** 2

            seen = []
            trials = (
                ([3.0, 4.0], 5, 0.1, 1.0),
                ([0.3, -0.1], 4, 0.2, 1.0),
                ([-2.0, 0.5], 3, 0.3, 2.0),
            )
            for start, steps, lr, limit in trials:
                x = mg.tensor(start)
                seen.append([descend(valley, x, steps, lr, limit), x])
        """,
        solution="""\
x = x.detach().clone().requires_grad_()
for _ in range(steps):
    x.grad = None
    f(x).backward()
    mg.nn.utils.clip_grad_norm_([x], limit)
    with mg.no_grad():
        x -= lr * x.grad
return x.detach()""",
        accepted=(
            """\
for _ in range(steps):
    x = x.detach().requires_grad_()
    (g,) = mg.autograd.grad(f(x), x)
    length = (g * g).sum().sqrt()
    if length > limit:
        g = g * (limit / length)
    x = x.detach() - lr * g
return x""",
            """\
x = x.clone().requires_grad_()
for _ in range(steps):
    f(x).backward()
    g = x.grad
    g = g * min(1.0, limit / mg.linalg.norm(g).item())
    x = (x.detach() - lr * g).requires_grad_()
return x""",
        ),
        rejected=(
            "return x",
            """\
x = x.clone().requires_grad_()
for _ in range(steps):
    x.grad = None
    f(x).backward()
    mg.nn.utils.clip_grad_norm_([x], 1.0)
    with mg.no_grad():
        x -= lr * x.grad
return x""",
            """\
x = x.clone().requires_grad_()
for _ in range(steps):
    f(x).backward()
    mg.nn.utils.clip_grad_norm_([x], limit)
    with mg.no_grad():
        x -= lr * x.grad
return x""",
        ),
        right=lambda seen: (
            descended()(seen)
            and alike([row[1] for row in seen], [[3.0, 4.0], [0.3, -0.1], [-2.0, 0.5]])
        ),
        because=Words(
            "Long gradients are shortened, short ones are left alone, and x stays as it was given.",
            "长的梯度缩短了，短的保持不变，传进来的 x 也没有变。",
        ),
        hints=(
            Hint(
                "print(x - lr * limit)",
                lambda seen: all(row[0] is None for row in seen),
                Words(
                    "None came back. A function gives back what stands after `return`.",
                    "返回的是 None。函数返回的是 `return` 后面的东西。",
                ),
            ),
            Hint(
                """\
x = x.clone().requires_grad_()
for _ in range(steps):
    x.grad = None
    f(x).backward()
    with mg.no_grad():
        x -= lr * x.grad
return x""",
                descended(clip=False),
                Words(
                    "That is gradient descent without any clipping.",
                    "这是不做任何裁剪的梯度下降。",
                ),
            ),
            Hint(
                """\
x = x.clone().requires_grad_()
for _ in range(steps):
    x.grad = None
    f(x).backward()
    with mg.no_grad():
        x -= lr * limit * x.grad / mg.linalg.norm(x.grad)
return x""",
                descended(always=True),
                Words(
                    "Each gradient has been brought to the length `limit`. One that is shorter "
                    "should stay as it is.",
                    "每个梯度都变成了长度 `limit`。比它短的应当保持不变。",
                ),
            ),
            Hint(
                """\
x = x.clone().requires_grad_()
for _ in range(steps):
    x.grad = None
    f(x).backward()
    with mg.no_grad():
        x -= lr * x.grad.clamp(-limit, limit)
return x""",
                descended(numbers=True),
                Words(
                    "Each number of the gradient has been clipped by itself, which changes its "
                    "direction.",
                    "梯度里的每个数被单独裁剪了，这会改变方向。",
                ),
            ),
            Hint(
                """\
x.requires_grad_()
for _ in range(steps):
    x.grad = None
    f(x).backward()
    mg.nn.utils.clip_grad_norm_([x], limit)
    with mg.no_grad():
        x -= lr * x.grad
return x""",
                lambda seen: descended()(seen) and seen[0][1] != [3.0, 4.0],
                Words(
                    "The end is right, but the `x` that was given has been changed. Begin with a "
                    "copy.",
                    "终点是对的，但传进来的 `x` 被改变了。请从一份拷贝开始。",
                ),
            ),
        ),
        otherwise=Words(
            "For x² + 2y² at (3, 4) the gradient is (6, 16). Clipped to length 1 it is "
            "(0.351, 0.936).",
            "对 x² + 2y²，在 (3, 4) 处的梯度是 (6, 16)，裁剪到长度 1 是 (0.351, 0.936)。",
        ),
    ),
    "16.7": Exercise(
        asks=("draw_wave",),
        probe="""
            seen = []
            for xs in ([-2.0, 0.0, 0.5], [0.0, 3.0, -0.25, 0.0], [1.0, 6.0]):
                figure, (place, other) = plt.subplots(1, 2)
                draw_wave(place, xs)
                lines = [line for line in place.lines if line.get_transform() is place.transData]
                seen.append([sorted(line.get_xydata().tolist()) for line in lines])
        """,
        solution="""\
x = mg.tensor(xs, requires_grad=True)
harmless = mg.where(x == 0, 1.0, x)
y = mg.where(x == 0, 1.0, mg.sin(harmless) / harmless)
y.sum().backward()
place.plot(xs, y.tolist())
place.plot(xs, x.grad.tolist())""",
        accepted=(
            """\
x = mg.tensor(xs, requires_grad=True)
some = x != 0
y = mg.ones(len(xs))
y[some] = mg.sin(x[some]) / x[some]
y.sum().backward()
place.plot(xs, y.detach(), xs, x.grad)""",
            """\
def wave(x):
    return mg.sin(x) / x if x != 0 else 1 + 0 * x


ys, slopes = [], []
for at in xs:
    leaf = mg.tensor(at, requires_grad=True)
    y = wave(leaf)
    y.backward()
    ys.append(y.item())
    slopes.append(leaf.grad.item())
place.axhline(0)
place.axvline(0)
place.plot(xs, slopes, "r--")
place.plot(xs, ys, "b")""",
            """\
x = mg.tensor(sorted(xs), requires_grad=True)
bad = x == 0
y = (mg.sin(x.masked_fill(bad, 1)) / x.masked_fill(bad, 1)).masked_fill(bad, 1)
(slope,) = mg.autograd.grad(y.sum(), x)
for curve in (y, slope):
    place.plot(sorted(xs), curve.detach().numpy())""",
        ),
        rejected=(
            "place.plot(xs, xs)\nplace.plot(xs, xs)",
            "place.plot(xs, mg.sin(mg.tensor(xs)))\nplace.plot(xs, mg.cos(mg.tensor(xs)))",
            """\
x = mg.tensor(xs, requires_grad=True)
y = mg.where(x == 0, 1.0, mg.sin(x) / x)
y.sum().backward()
place.plot(xs, y)
place.plot(xs, x.grad)""",
            """\
x = mg.tensor(xs, requires_grad=True)
y = mg.sin(x) / (x + 0.01)
y.sum().backward()
place.plot(xs, y.tolist())
place.plot(xs, x.grad.tolist())""",
        ),
        right=lambda seen: waves(seen, wave, steepness),
        because=Words(
            "Two curves without a gap, of the right height everywhere.",
            "两条曲线都没有断开，处处高度正确。",
        ),
        hints=(
            Hint(
                """\
x = mg.tensor(xs, requires_grad=True)
harmless = mg.where(x == 0, 1.0, x)
y = mg.where(x == 0, 1.0, mg.sin(harmless) / harmless)
y.sum().backward()
plt.plot(xs, y.tolist())
plt.plot(xs, x.grad.tolist())""",
                lambda seen: seen == [[], [], []],
                Words(
                    "There is no curve in `place`. Draw with `place.plot(...)`.",
                    "`place` 里没有曲线。请用 `place.plot(...)` 来画。",
                ),
            ),
            Hint(
                """\
x = mg.tensor(xs, requires_grad=True)
harmless = mg.where(x == 0, 1.0, x)
y = mg.where(x == 0, 1.0, mg.sin(harmless) / harmless)
place.plot(xs, y.tolist())""",
                lambda seen: [len(lines) for lines in seen] == [1, 1, 1],
                Words(
                    "There is one curve. Two were asked for: the function and its slope.",
                    "只有一条曲线。要的是两条：函数和它的斜率。",
                ),
            ),
            Hint(
                """\
x = mg.tensor([at for at in xs if at != 0], requires_grad=True)
y = mg.sin(x) / x
y.sum().backward()
place.plot(x.tolist(), y.tolist())
place.plot(x.tolist(), x.grad.tolist())""",
                lambda seen: any(
                    [x for x, height in curve] != xs
                    for curves, xs in zip(seen, PLACES, strict=True)
                    for curve in curves
                ),
                Words(
                    "The points of the curves do not stand at the places in `xs`, one at each.",
                    "曲线上的点，没有在 `xs` 给出的位置上各有一个。",
                ),
            ),
            Hint(
                """\
x = mg.tensor(xs, requires_grad=True)
y = mg.where(x == 0, 1.0, mg.sin(x) / x)
y.sum().backward()
place.plot(xs, y.tolist())
place.plot(xs, x.grad.tolist())""",
                lambda seen: waves(seen, wave, lambda x: steepness(x) if x else math.nan),
                Words(
                    "The function is right everywhere. Its slope at 0 is `nan`: the branch that "
                    "was not taken has been divided by 0.",
                    "函数处处正确。斜率在 0 处是 `nan`：没有走的分支除以了 0。",
                ),
            ),
            Hint(
                """\
x = mg.tensor(xs, requires_grad=True)
y = mg.sin(x) / x
y.sum().backward()
place.plot(xs, y.tolist())
place.plot(xs, x.grad.tolist())""",
                lambda seen: waves(
                    seen,
                    lambda x: wave(x) if x else math.nan,
                    lambda x: steepness(x) if x else math.nan,
                ),
                Words(
                    "Both curves have a gap at 0: there is a `nan`.",
                    "两条曲线在 0 处都断开了：那里是 `nan`。",
                ),
            ),
            Hint(
                """\
x = mg.tensor(xs, requires_grad=True)
harmless = mg.where(x == 0, 1.0, x)
y = mg.sin(harmless) / harmless
y.sum().backward()
place.plot(xs, y.tolist())
place.plot(xs, x.grad.tolist())""",
                lambda seen: waves(seen, lambda x: wave(x or 1.0), steepness),
                Words(
                    "At 0 the function has the value that it should have at 1, sin(1).",
                    "函数在 0 处的值，是它在 1 处才该有的 sin(1)。",
                ),
            ),
            Hint(
                """\
x = mg.tensor(xs, requires_grad=True)
harmless = mg.where(x == 0, 1.0, x)
y = mg.where(x == 0, 0.0, mg.sin(harmless) / harmless)
y.sum().backward()
place.plot(xs, y.tolist())
place.plot(xs, x.grad.tolist())""",
                lambda seen: waves(seen, lambda x: wave(x) if x else 0.0, steepness),
                Words(
                    "At 0 the function is 0. It should be 1.",
                    "函数在 0 处等于 0，应当是 1。",
                ),
            ),
        ),
        otherwise=Words(
            "At −2 the function is 0.455 and its slope 0.435; at 0 they are 1 and 0.",
            "在 −2 处函数是 0.455，斜率是 0.435；在 0 处是 1 和 0。",
        ),
    ),
}
