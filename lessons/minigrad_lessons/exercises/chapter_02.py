"""Exercises of chapter 02, backward and .grad."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .exercise import Exercise, Hint, Test, Words
from .recognise import each, nothing, number, value
from .sentences import RETURNS_NONE

POINTS = ([1.0, 2.0, 3.0], [-1.5, 0.0, 2.5, 4.0])
"""Where the probe of 02.2 asks for the gradient."""

QUOTIENTS = ((6.0, 2.0), (-1.5, 4.0), (3.0, -0.5))
"""The pairs of numbers that the probe of 02.5 divides."""

LINES = ((2.0, -1.0), (-0.5, 3.0))
"""w and b of the lines of 02.6; the last is the one that comes nearest to points beside it."""


def slope_of(formula: Callable[[float, int], float], *, single: bool = True) -> Test:
    """One number came back (or not one), and this is its slope at x, of n numbers."""

    def test(seen: Any) -> bool:
        return all((count == 1) == single for count, slopes in seen) and each(
            *([formula(x, len(points)) for x in points] for points in POINTS)
        )([slopes for count, slopes in seen])

    return test


def quotients(a_slope: Any, b_slope: Any, same: float) -> Test:
    """These slopes of a / b, and of x / x; and the value right."""

    def test(seen: Any) -> bool:
        expected = [[a / b, a_slope(a, b), b_slope(a, b)] for a, b in QUOTIENTS]
        return each(*expected, [1.0, same])(seen[: len(QUOTIENTS) + 1])

    return test


def fitted(lines: Any) -> Test:
    """w and b of each line, to two digits."""

    def test(seen: Any) -> bool:
        return all(
            len(found) == 2
            and all(abs(value(f) - e) < 0.02 for f, e in zip(found, expected, strict=True))
            for found, expected in zip(seen, lines, strict=True)
        )

    return test


def ran_away(seen: Any) -> bool:
    numbers = [value(f) for found in seen for f in found]
    return any(not math.isfinite(f) or abs(f) > 100 for f in numbers)


def through_origin(seen: Any) -> bool:
    """Each b is 0, and some w is not what it is with the right b."""
    return all(len(found) == 2 and abs(value(found[1])) < 1e-6 for found in seen) and not (
        only_slopes(seen)
    )


def alone(seen: Any) -> bool:
    """One number came back, or something with one number in it."""
    return all(not isinstance(found, list) or len(found) == 1 for found in seen)


def only_slopes(seen: Any) -> bool:
    """Every w is right, and some b is not."""
    return not fitted(LINES)(seen) and all(
        abs(value(w) - right) < 0.02 for (w, b), (right, _) in zip(seen, LINES, strict=True)
    )


EXERCISES = {
    "02.1": Exercise(
        asks=("b_grad",),
        solution="8.0",
        accepted=("8", "2 + 3 + 3", "mg.tensor(8.0)"),
        rejected=("15.0", "-8", "'8'", "print(8)"),
        right=number(8),
        because=Words(
            "Three edges lead to b: a = 2 through the product, and b = 3 twice through the "
            "square. 2 + 3 + 3 = 8.",
            "通向 b 的边有三条：经过乘积的一条给出 a = 2，经过平方的两条各给出 b = 3。2 + 3 + 3 "
            "= 8。",
        ),
        hints=(
            Hint(
                "2.0",
                number(2),
                Words(
                    "2 is what arrives through a * b. b is also used in b * b.",
                    "2 是经过 a * b 到达的部分，b 还出现在 b * b 中。",
                ),
            ),
            Hint(
                "6.0",
                number(6),
                Words(
                    "6 is what arrives through b * b. b is also used in a * b.",
                    "6 是经过 b * b 到达的部分，b 还出现在 a * b 中。",
                ),
            ),
            Hint(
                "5.0",
                number(5),
                Words(
                    "5 is 2 + 3: one edge is missing, since b * b has two inputs, and each of them "
                    "is b.",
                    "5 是 2 + 3：少算了一条边，因为 b * b 有两个输入，每个都是 b。",
                ),
            ),
            Hint(
                "3.0",
                number(3),
                Words(
                    "3 is the slope towards a. The question is about b.",
                    "3 是对 a 的斜率，这里问的是 b。",
                ),
            ),
        ),
        otherwise=Words(
            "Write down what each edge into b brings, then add.",
            "写下每条通向 b 的边带来多少，然后相加。",
        ),
    ),
    "02.2": Exercise(
        asks=("y_of",),
        probe="""
            seen = []
            for points in ([1.0, 2.0, 3.0], [-1.5, 0.0, 2.5, 4.0]):
                x = mg.tensor(points, requires_grad=True)
                y = y_of(x)
                y.sum().backward()
                seen.append([y.numel(), x.grad])
        """,
        solution="(x * x + x).sum()",
        accepted=(
            "mg.dot(x, x) + x.sum() - 7",
            "sum(e * (e + 1) for e in x)",
            "y_of = lambda t: (t**2).sum() + t.sum()",
            "((x + 0.5) ** 2).sum().reshape(1)",
        ),
        rejected=("x.sum()", "x[0] * x[0] + x[0]", "(x**3).sum()", "print(x)", "x.sum().item()"),
        right=slope_of(lambda x, n: 2 * x + 1),
        because=Words(
            "One number comes back, and its slope is 2x + 1 in every element, for three elements "
            "and for four.",
            "返回的是一个数，三个元素时和四个元素时，它在每个元素上的斜率都是 2x + 1。",
        ),
        hints=(
            Hint(
                "x * x + x",
                slope_of(lambda x, n: 2 * x + 1, single=False),
                Words(
                    "The formula is right, but several numbers come back. Make one of them: sum.",
                    "公式对了，但返回的是好几个数。请把它们合成一个：求和。",
                ),
            ),
            Hint(
                "2 * x + 1",
                lambda seen: all(count > 1 for count, slopes in seen),
                Words(
                    "Several numbers come back, where one is asked for. And the slope of their sum "
                    "is another than 2x + 1.",
                    "返回了好几个数，而这里只要一个；并且它们之和的斜率也不是 2x + 1。",
                ),
            ),
            Hint(
                "(2 * x + 1).sum()",
                slope_of(lambda x, n: 2),
                Words(
                    "This has the slope 2 in every element. 2x + 1 is the slope that is asked for, "
                    "not the function.",
                    "它在每个元素上的斜率都是 2。2x + 1 是要求的斜率，而不是函数本身。",
                ),
            ),
            Hint(
                "(x * x).sum()",
                slope_of(lambda x, n: 2 * x),
                Words(
                    "That gives 2x. Which term has the slope 1?", "这给出 2x。哪一项的斜率是 1？"
                ),
            ),
            Hint(
                "(x * x + x).mean()",
                slope_of(lambda x, n: (2 * x + 1) / n),
                Words(
                    "Every slope is divided by the number of elements, as a mean does it.",
                    "每个斜率都被元素的个数除了一次，求平均值就会这样。",
                ),
            ),
        ),
        otherwise=Words(
            "Which function has the slope 2x + 1? Apply it to x, then sum.",
            "哪个函数的斜率是 2x + 1？把它作用在 x 上，再求和。",
        ),
    ),
    "02.3": Exercise(
        asks=("three_turns",),
        probe="""
            fresh = mg.tensor(5.0, requires_grad=True)
            used = mg.tensor(-2.0, requires_grad=True)
            used.grad = mg.tensor(100.0)
            seen = [three_turns(fresh), three_turns(used)]
        """,
        solution="x.grad = None",
        accepted=(
            "if x.grad is not None:\n    x.grad.zero_()",
            "x.grad = mg.zeros_like(x)",
            "x = x.detach().clone().requires_grad_()",
            "x.grad = None if x.grad is None else x.grad * 0",
        ),
        rejected=("x.grad.zero_()", "x.zero_grad()", "x.grad = 0", "seen.clear()"),
        right=each([10] * 3, [-4] * 3),
        because=Words(
            "Every turn begins with an empty .grad, whether x is fresh or has been used.",
            "不论 x 是新的还是用过的，每一轮都从空的 .grad 开始。",
        ),
        hints=(
            Hint(
                "pass",
                each([10, 20, 30], [96, 92, 88]),
                Words(
                    "10, 20, 30: each backward adds to what the one before left.",
                    "10、20、30：每次 backward 都加到上一次留下的梯度上。",
                ),
            ),
            Hint(
                "x.grad = x.grad if seen else None",
                each([10, 20, 30], [-4, -8, -12]),
                Words(
                    "The first turn is right. The second adds to what the first left, and the "
                    "third to that.",
                    "第一轮是对的。第二轮加到了第一轮留下的梯度上，第三轮又加了上去。",
                ),
            ),
            Hint(
                "x = mg.tensor(0.0, requires_grad=True)",
                each([0] * 3, [0] * 3),
                Words(
                    "All slopes are 0. That is the slope of x * x at 0, but x is not 0.",
                    "所有斜率都是 0。这是 x * x 在 0 处的斜率，而 x 并不是 0。",
                ),
            ),
        ),
        otherwise=Words(
            "For x = 5, [10, 10, 10] should come out, and for x = -2, [-4, -4, -4].",
            "x = 5 时应当得到 [10, 10, 10]，x = -2 时应当得到 [-4, -4, -4]。",
        ),
    ),
    "02.4": Exercise(
        asks=("zero_row",),
        solution="1",
        accepted=("1.0", "[1.0, 0.0, 2.0].index(0.0)", "mg.tensor(1)"),
        rejected=("3", "-1", "'1'", "[1.0, 0.0, 2.0]"),
        right=number(1),
        because=Words(
            "Row i of w.grad is x[i] times the slopes of the outputs, and x[1] is 0.",
            "w.grad 的第 i 行等于 x[i] 乘以输出的斜率，而 x[1] 是 0。",
        ),
        hints=(
            Hint(
                "2",
                number(2),
                Words(
                    "Rows are counted from 0, as Python counts. Row 2 belongs to the input 2.0: "
                    "it is twice row 0.",
                    "行号从 0 数起，和 Python 一样。第 2 行对应输入 2.0，等于第 0 行的两倍。",
                ),
            ),
            Hint(
                "0",
                number(0),
                Words(
                    "Row 0 belongs to the input 1.0: it equals the slopes of the outputs.",
                    "第 0 行对应输入 1.0，等于输出的斜率。",
                ),
            ),
        ),
        otherwise=Words(
            "Row i of w.grad is x[i] times the slopes of the outputs. For which i is that zero?",
            "w.grad 的第 i 行等于 x[i] 乘以输出的斜率。i 等于几时它为零？",
        ),
    ),
    "02.5": Exercise(
        asks=("divide",),
        probe="""
            from minigrad_lessons.engine import after

            Tensor = getattr(divide, "__globals__", {}).get("Tensor")  # the learner's own
            if not hasattr(Tensor, "walk"):
                Tensor = after(2).Tensor
            seen = []
            for p, q in ((6.0, 2.0), (-1.5, 4.0), (3.0, -0.5)):
                a, b = Tensor(p), Tensor(q)
                result = divide(a, b)
                result.backward()
                seen.append([result.data, a.grad, b.grad])
            x = Tensor(3.0)
            result = divide(x, x)
            result.backward()
            seen.append([result.data, x.grad])
            a, b = Tensor(2.0), Tensor(4.0)
            result = divide(a * b, a + b) * a + divide(b, a)
            result.backward()
            seen.append([result.data, a.grad, b.grad])
        """,
        solution="""\
slopes = (1 / b.data, -a.data / b.data**2)
return Tensor(a.data / b.data, "DivBackward0", (a, b), slopes)""",
        accepted=(
            """\
inverse = Tensor(1 / b.data, "ReciprocalBackward0", (b,), (-1 / b.data**2,))
return a * inverse""",
            """\
result = Tensor(a.data / b.data)
result.name, result.inputs = "DivBackward0", [a, b]
result.slopes = [1 / b.data, -result.data / b.data]
return result""",
            """\
h = 1e-6
value = lambda p, q: p / q
slopes = [
    (value(a.data + h, b.data) - value(a.data - h, b.data)) / (2 * h),
    (value(a.data, b.data + h) - value(a.data, b.data - h)) / (2 * h),
]
return Tensor(value(a.data, b.data), inputs=(a, b), slopes=slopes)""",
        ),
        rejected=(
            "return a.data / b.data",
            "return a * b",
            "print(a.data / b.data)",
            'return Tensor(7.0, "DivBackward0", (a,), (1 / b.data,))',
            'return Tensor(a.data / b.data, "DivBackward0", (a, b), (1.0, 1.0))',
        ),
        right=lambda seen: (
            quotients(lambda a, b: 1 / b, lambda a, b: -a / b**2, 0.0)(seen)
            and each(4.6666667, 1.2222222, 0.7222222)(seen[-1])
        ),
        because=Words(
            "The slopes are right, alone and inside a larger program, and x / x has the slope 0.",
            "斜率都对，单独用和放在更大的程序里都是如此；x / x 的斜率是 0。",
        ),
        hints=(
            Hint(
                """\
slopes = (1 / b.data, a.data / b.data**2)
return Tensor(a.data / b.data, "DivBackward0", (a, b), slopes)""",
                lambda seen: quotients(lambda a, b: 1 / b, lambda a, b: a / b**2, 2 / 3)(seen),
                Words(
                    "The slope towards a is right. That towards b has the wrong sign: a larger b "
                    "makes a positive quotient smaller.",
                    "对 a 的斜率是对的。对 b 的斜率符号反了：b 变大，正的商会变小。",
                ),
            ),
            Hint(
                """\
slopes = (-a.data / b.data**2, 1 / b.data)
return Tensor(a.data / b.data, "DivBackward0", (a, b), slopes)""",
                lambda seen: quotients(lambda a, b: -a / b**2, lambda a, b: 1 / b, 0.0)(seen),
                Words(
                    "Both slopes are there, but a has got that of b, and b that of a.",
                    "两个斜率都有，但 a 得到的是 b 的，b 得到的是 a 的。",
                ),
            ),
            Hint(
                """\
slopes = (1 / b.data, -1 / b.data**2)
return Tensor(a.data / b.data, "DivBackward0", (a, b), slopes)""",
                lambda seen: quotients(lambda a, b: 1 / b, lambda a, b: -1 / b**2, 2 / 9)(seen),
                Words(
                    "The slope towards a is right. That towards b is as if a were 1.",
                    "对 a 的斜率是对的。对 b 的斜率像是把 a 当成了 1。",
                ),
            ),
            Hint(
                'return Tensor(a.data / b.data, "DivBackward0", (a,), (1 / b.data,))',
                lambda seen: all(
                    b_grad is None and math.isclose(value, a / b)
                    for (value, a_grad, b_grad), (a, b) in zip(seen[:3], QUOTIENTS, strict=True)
                ),
                Words(
                    "The value is right, but no gradient comes to b: the result must remember both "
                    "inputs, and a slope for each.",
                    "值是对的，但没有梯度到达 b：结果必须把两个输入都记住，还要记住各自的斜率。",
                ),
            ),
        ),
        otherwise=Words(
            "For a = 6 and b = 2 the value is 3, and the slopes are 0.5 towards a and -1.5 towards "
            "b. Nudge to check.",
            "a = 6、b = 2 时，值是 3，对 a 的斜率是 0.5，对 b 的斜率是 -1.5。可以推一推来验证。",
        ),
    ),
    "02.6": Exercise(
        asks=("fit",),
        probe="""
            x = mg.linspace(-2.0, 2.0, 9)
            u = mg.tensor([0.0, 0.5, 1.0, 2.0])
            beside = mg.tensor([0.2, -0.3, 0.05, 0.05])
            seen = [fit(x, 2 * x - 1), fit(u, -0.5 * u + 3 + beside)]
        """,
        solution="""\
w = mg.tensor(0.0, requires_grad=True)
b = mg.tensor(0.0, requires_grad=True)
for _ in range(300):
    loss = ((w * x + b - y) ** 2).mean()
    loss.backward()
    w = (w.detach() - 0.1 * w.grad).requires_grad_()
    b = (b.detach() - 0.1 * b.grad).requires_grad_()
return w, b""",
        accepted=(
            """\
w = mg.zeros(1, requires_grad=True)
b = mg.zeros(1, requires_grad=True)
for _ in range(300):
    w.grad = b.grad = None
    ((w * x + b - y) ** 2).mean().backward()
    with mg.no_grad():
        w -= 0.15 * w.grad
        b -= 0.15 * b.grad
return [w.item(), b.item()]""",
            """\
w = mg.tensor([0.5], requires_grad=True)
b = mg.tensor([0.5], requires_grad=True)
for _ in range(1000):
    gw, gb = mg.autograd.grad(((w * x + b - y) ** 2).mean(), [w, b])
    w = (w - 0.1 * gw).detach().requires_grad_()
    b = (b - 0.1 * gb).detach().requires_grad_()
return w, b""",
            """\
w, b = 0.0, 0.0
for _ in range(500):
    error = w * x + b - y
    w, b = w - 0.2 * (error * x).mean().item(), b - 0.2 * error.mean().item()
return w, b""",
            """\
error = lambda w: ((x - x.mean()) * w - (y - y.mean())).detach()
w = 0.0
for _ in range(200):
    w = w - 0.1 * 2 * (error(w) * (x - x.mean())).mean().item()
return w, (y.mean() - w * x.mean()).item()""",
        ),
        rejected=("return 2.0, -1.0", "return x.mean(), y.mean()", "return x, y"),
        right=fitted(LINES),
        because=Words(
            "It found the line that goes through all points, and the nearest one where none does.",
            "有一条直线穿过所有点时，找到的就是它；没有时，找到的是最近的那条。",
        ),
        hints=(
            Hint(
                """\
w = mg.tensor(0.0, requires_grad=True)
b = mg.tensor(0.0, requires_grad=True)
for _ in range(300):
    ((w * x + b - y) ** 2).mean().backward()
    w = (w.detach() + 0.1 * w.grad).requires_grad_()
    b = (b.detach() + 0.1 * b.grad).requires_grad_()
return w, b""",
                ran_away,
                Words(
                    "w or b has run away. Print the loss in every step: if it grows, the steps are "
                    "too large, or go in the wrong direction.",
                    "w 或 b 跑远了。每一步都打印损失看看：如果越来越大，说明步子太大，或者方向反"
                    "了。",
                ),
            ),
            Hint(
                """\
w = mg.tensor(0.0, requires_grad=True)
for _ in range(300):
    ((w * x - y) ** 2).mean().backward()
    w = (w.detach() - 0.1 * w.grad).requires_grad_()
return w, 0.0""",
                through_origin,
                Words(
                    "b is 0 for both lines, so they go through the origin. b has to move as w "
                    "does.",
                    "两条直线的 b 都是 0，所以都经过原点。b 也要像 w 那样更新。",
                ),
            ),
            Hint(
                """\
w = mg.tensor(0.0, requires_grad=True)
for _ in range(300):
    ((w * (x - x.mean()) - (y - y.mean())) ** 2).mean().backward()
    w = (w.detach() - 0.1 * w.grad).requires_grad_()
return w, 0.0""",
                only_slopes,
                Words(
                    "Every w is right. b is not, or not always.",
                    "每个 w 都对。b 不对，或者有时不对。",
                ),
            ),
            Hint(
                """\
w = b = mg.tensor(0.0, requires_grad=True)
for _ in range(300):
    ((w * x + b - y) ** 2).mean().backward()
    w = (w.detach() - 0.1 * w.grad).requires_grad_()
    b = (b.detach() - 0.1 * b.grad).requires_grad_()
return b, w""",
                fitted([(b, w) for w, b in LINES]),
                Words(
                    "Both numbers are right, in the wrong order: w is asked for first, then b.",
                    "两个数都对，但顺序反了：先返回 w，再返回 b。",
                ),
            ),
            Hint("print(x.mean(), y.mean())", nothing, RETURNS_NONE),
            Hint(
                """\
w = mg.tensor(0.0, requires_grad=True)
for _ in range(300):
    ((w * x - y) ** 2).mean().backward()
    w = (w.detach() - 0.1 * w.grad).requires_grad_()
return w""",
                alone,
                Words(
                    "One number came back. A line needs two, w and b, and both have to move.",
                    "只返回了一个数。一条直线需要 w 和 b 两个数，而且两个都要更新。",
                ),
            ),
        ),
        otherwise=Words(
            "Print the loss in every step. It should fall, and come to rest.",
            "每一步都打印损失看看：它应当下降，最后停在一个值上。",
        ),
    ),
}
