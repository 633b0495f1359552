"""Exercises of chapter 00, Nudge."""

from __future__ import annotations

import math
from typing import Any

from .exercise import Exercise, Hint, Test, Words
from .recognise import nothing, number
from .sentences import RETURNS_NONE

GRADIENTS = [[-3.0, 2.0], [4.0, 1.5, -3.0], [-1.0], [6.0, 0.0]]
"""Of the four functions that the probe of 00.3 gives, where it asks."""

AT_ONCE = [[-1.0, -1.0], [2.5, 2.5, 2.5], [-1.0], [6.0, 6.0]]
"""The same functions, where every input is nudged and not one."""

RUNNING_SUMS = [[-3.0, -1.0], [4.0, 5.5, 2.5], [-1.0], [6.0, 6.0]]
"""The same functions, where a nudged input is not put back."""

PLACES = ((2.0, 3.0), (-1.0, 0.5), (1.5, -2.0), (0.0, 4.0))
"""Where the probe of 00.4 asks."""

VALLEYS = ((0.0, 3.87), (2.0, -1.436), (-2.0, 1.118), (2.0, 0.554))
"""Where 00.5 begins, and the lowest place: no walk in steps of a tenth comes there."""


def near(expected: list[list[float]]) -> Test:
    """These numbers, as nearly as a nudge can tell."""

    def test(seen: Any) -> bool:
        return len(seen) == len(expected) and all(
            len(found) == len(row)
            and all(abs(f - e) <= 0.02 * max(1, abs(e)) for f, e in zip(found, row, strict=True))
            for found, row in zip(seen, expected, strict=True)
        )

    return test


def tiny(seen: Any) -> bool:
    """As many numbers as were asked for, all of them near 0."""
    return all(
        len(found) == len(row) and all(abs(f) <= 0.05 for f in found)
        for found, row in zip(seen, GRADIENTS, strict=True)
    )


def single(seen: Any) -> bool:
    """A number was returned each time."""
    return all(isinstance(found, float | int) for found in seen)


def slopes(x_grad: Any, y_grad: Any) -> Test:
    """At every place these functions of x and y, as nearly as a nudge can tell."""
    expected = [value for x, y in PLACES for value in (x_grad(x, y), y_grad(x, y))]

    def test(seen: Any) -> bool:
        found = [float(number) for pair in seen for number in pair]
        return len(seen) == len(PLACES) and all(
            abs(f - e) <= 0.002 * max(1, abs(e)) for f, e in zip(found, expected, strict=True)
        )

    return test


def arrived(seen: Any) -> bool:
    return all(abs(x - lowest) < 0.0105 for x, (_, lowest) in zip(seen, VALLEYS, strict=True))


def ran_away(seen: Any) -> bool:
    """Somewhere it ended much further from the valley than it began, or nowhere."""
    return any(
        not math.isfinite(x) or abs(x - lowest) > 1.5 * abs(start - lowest)
        for x, (start, lowest) in zip(seen, VALLEYS, strict=True)
    )


def stopped_early(seen: Any) -> bool:
    """It left in the right direction everywhere, and is nowhere past the valley."""
    return not arrived(seen) and all(
        0 < (x - start) / (lowest - start) < 1.002
        for x, (start, lowest) in zip(seen, VALLEYS, strict=True)
    )


EXERCISES = {
    "00.1": Exercise(
        asks=("slope_at_2",),
        solution="20.0",
        accepted=("20", "2 * 5 * 2", "mg.tensor(20.0)", "(lambda x: 4 * (2 * x + 1))(2)"),
        rejected=("-20.0", "9.0", "'20'", "print(20.0)", "True"),
        right=number(20),
        because=Words(
            "The square has the slope 2u = 10 at u = 5, and u moves 2 times as far as x.",
            "平方在 u = 5 处的斜率是 2u = 10，而 u 移动的距离是 x 的 2 倍。",
        ),
        hints=(
            Hint(
                "10.0",
                number(10),
                Words(
                    "10 is the slope of the square at u = 5. But u itself moves twice as far as x.",
                    "10 是平方在 u = 5 处的斜率。但 u 自己移动的距离是 x 的两倍。",
                ),
            ),
            Hint(
                "8.0",
                number(8),
                Words(
                    "8 would be 2 · 4, with the slope of the square at 2. But it is u that is "
                    "squared, and u is 5.",
                    "8 等于 2 · 4，是取平方在 2 处的斜率。但平方的是 u，而 u 是 5。",
                ),
            ),
            Hint(
                "12.0",
                number(12),
                Words(
                    "10 + 2 is 12. Along a path slopes multiply.",
                    "10 + 2 等于 12。沿着一条路径，斜率是相乘的。",
                ),
            ),
            Hint(
                "25.0",
                number(25),
                Words(
                    "25 is the value of y. Its slope is asked for.",
                    "25 是 y 的值，这里问的是斜率。",
                ),
            ),
            Hint(
                "4.0",
                number(4),
                Words(
                    "4 is the slope of a square at 2. Here u = 2x + 1 is squared.",
                    "4 是平方在 2 处的斜率。这里平方的是 u = 2x + 1。",
                ),
            ),
        ),
        otherwise=Words(
            "What is u at x = 2? What is the slope of the square there? And how many times as far "
            "as x does u move?",
            "x = 2 时 u 是多少？平方在那里的斜率是多少？u 移动的距离又是 x 的几倍？",
        ),
    ),
    "00.2": Exercise(
        asks=("paths",),
        solution="4",
        accepted=("2 + 2", "4.0", "len([1, 1, 1, 1])"),
        rejected=("8", "0", "6", "'4'", "[2, 2]", "lambda: 4"),
        right=number(4),
        because=Words(
            "Two lead through the sum, and two through the inner product.",
            "两条经过加法，两条经过里面的乘法。",
        ),
        hints=(
            Hint(
                "2",
                number(2),
                Words(
                    "Two lead through the sum alone. How many lead through x * x?",
                    "单是经过加法的就有两条。经过 x * x 的有几条？",
                ),
            ),
            Hint(
                "3",
                number(3),
                Words(
                    "There are 3 operations. A path goes from x to the result; how many such ways "
                    "are there?",
                    "运算有 3 个。路径是从 x 到结果的一条路，这样的路有几条？",
                ),
            ),
            Hint(
                "1",
                number(1),
                Words(
                    "There is 1 input, x. It is used more than once, and each use begins a path.",
                    "输入只有 1 个，就是 x。它不止用了一次，每次使用都是一条路径的起点。",
                ),
            ),
        ),
        otherwise=Words(
            "How often is x used? Follow each use to the result.",
            "x 用了几次？从每次使用出发，一直走到结果。",
        ),
    ),
    "00.3": Exercise(
        asks=("gradient",),
        probe="""
            def product(a, b):
                return a * b

            def three(a, b, c):
                return a * b - c * c * c + 2 * a

            def one(a):
                return 5 - a * a

            def first(a, b):
                return a * a

            seen = [
                gradient(product, [2.0, -3.0]),
                gradient(three, [1.5, 2.0, -1.0]),
                gradient(one, [0.5]),
                gradient(first, [3.0, 7.0]),
            ]
        """,
        solution="""\
slopes = []
for i in range(len(inputs)):
    nudged = list(inputs)
    nudged[i] += 1e-6
    slopes.append((f(*nudged) - f(*inputs)) / 1e-6)
return slopes""",
        accepted=(
            """\
h = 1e-4
basis = [[h * (i == j) for j in range(len(inputs))] for i in range(len(inputs))]
up = [f(*[a + b for a, b in zip(inputs, row)]) for row in basis]
down = [f(*[a - b for a, b in zip(inputs, row)]) for row in basis]
return tuple((a - b) / (2 * h) for a, b in zip(up, down))""",
            """\
still, found = f(*inputs), []
for i, kept in enumerate(inputs):
    inputs[i] = kept + 1e-5
    found.append((f(*inputs) - still) / 1e-5)
    inputs[i] = kept
return found""",
            "gradient = lambda f, inputs: [(f(*inputs[:i], x + 1e-7, *inputs[i + 1:]) "
            "- f(*inputs)) / 1e-7 for i, x in enumerate(inputs)]",
            """\
leaves = [mg.tensor(x, requires_grad=True) for x in inputs]
f(*leaves).backward()
return [0.0 if leaf.grad is None else leaf.grad.item() for leaf in leaves]""",
        ),
        rejected=("return list(inputs)", "return [1.0] * len(inputs)", "return f"),
        right=near(GRADIENTS),
        because=Words(
            "For one, two and three inputs each slope is right, and 0 for an input that is not "
            "used.",
            "输入是一个、两个、三个时，每个斜率都对；没有用到的输入，斜率是 0。",
        ),
        hints=(
            Hint(
                """\
still, slopes = f(*inputs), []
for i in range(len(inputs)):
    inputs[i] += 1e-6
    slopes.append((f(*inputs) - still) / 1e-6)
return slopes""",
                near(RUNNING_SUMS),
                Words(
                    "The second number holds the first slope as well: an input that was nudged "
                    "stays so. Nudge a copy, or put the input back.",
                    "第二个数里还有第一个斜率：推过的输入没有恢复。请推一份副本，或者推完再放回去。",
                ),
            ),
            Hint(
                """\
slopes = []
for i in range(len(inputs)):
    nudged = list(inputs)
    nudged[i] += 1e-6
    slopes.append(f(*nudged) - f(*inputs))
return slopes""",
                tiny,
                Words(
                    "All your numbers are near 0. If they say how far the result moved, divide "
                    "them by the nudge.",
                    "你给出的数都接近 0。如果它们表示结果移动了多远，请再除以推动的距离。",
                ),
            ),
            Hint(
                """\
nudged = [x + 1e-6 for x in inputs]
return [(f(*nudged) - f(*inputs)) / 1e-6 for x in inputs]""",
                near(AT_ONCE),
                Words(
                    "These are the slopes for all inputs nudged at once. Nudge one, and leave the "
                    "others where they are.",
                    "这是所有输入同时被推时的斜率。请只推一个，其余的不动。",
                ),
            ),
            Hint(
                """\
slopes = []
for i in range(len(inputs)):
    nudged = list(inputs)
    nudged[i] += 1e-6
    slopes.append((f(*inputs) - f(*nudged)) / 1e-6)
return slopes""",
                near([[-e for e in row] for row in GRADIENTS]),
                Words(
                    "Every slope has the right size and the opposite sign: it should be where the "
                    "result is after the nudge, minus where it was before.",
                    "每个斜率大小都对，符号相反：应当用推动之后的结果减去推动之前的结果。",
                ),
            ),
            Hint(
                "return (f(inputs[0] + 1e-6, *inputs[1:]) - f(*inputs)) / 1e-6",
                single,
                Words(
                    "One number came back. A list is asked for, with a slope for each input.",
                    "返回的是一个数。这里要的是列表，每个输入一个斜率。",
                ),
            ),
            Hint("print(f(*inputs))", nothing, RETURNS_NONE),
        ),
        otherwise=Words(
            "Try it on f(a, b) = a * b with the inputs [2.0, -3.0]: about [-3, 2] should come out.",
            "用 f(a, b) = a * b 和输入 [2.0, -3.0] 试一试：结果应当约为 [-3, 2]。",
        ),
    ),
    "00.4": Exercise(
        asks=("there_and_back",),
        probe="""
            seen = []
            for x, y in ((2.0, 3.0), (-1.0, 0.5), (1.5, -2.0), (0.0, 4.0)):
                seen.append(there_and_back(x, y))
        """,
        solution="""\
v_grad = w_grad * u
u_grad = w_grad * v + v_grad
x_grad = v_grad + u_grad * y
y_grad = u_grad * x""",
        accepted=(
            """\
u_grad, v_grad = v, u
u_grad += v_grad
x_grad = u_grad * y
x_grad += v_grad
y_grad = u_grad * x""",
            "x_grad, y_grad = 2 * x * y + 2 * x * y * y, x * x + 2 * x * x * y",
            "there_and_back = lambda x, y: [2 * x * y * (1 + y), x * x * (1 + 2 * y)]",
            """\
h = 1e-6
f = lambda x, y: x * y * (x + x * y)
x_grad = (f(x + h, y) - f(x, y)) / h
y_grad = (f(x, y + h) - f(x, y)) / h""",
        ),
        rejected=("x_grad = y_grad = w_grad", "x_grad, y_grad = y, x"),
        right=slopes(lambda x, y: 2 * x * y + 2 * x * y * y, lambda x, y: x * x + 2 * x * x * y),
        because=Words(
            "At each of four places both slopes are those that a nudge shows.",
            "在四个位置上，两个斜率都与轻推得到的一致。",
        ),
        hints=(
            Hint(
                """\
v_grad = w_grad * u
u_grad = w_grad * v
x_grad = v_grad + u_grad * y
y_grad = u_grad * x""",
                slopes(lambda x, y: 2 * x * y + x * y * y, lambda x, y: x * x + x * x * y),
                Words(
                    "Both lack what comes back to u from v: the line v = x + u uses u, too.",
                    "两个都少了从 v 回到 u 的那一份：v = x + u 这一行也用了 u。",
                ),
            ),
            Hint(
                """\
v_grad = w_grad * u
u_grad = w_grad * v + v_grad
x_grad = u_grad * y
y_grad = u_grad * x""",
                slopes(lambda x, y: x * y + 2 * x * y * y, lambda x, y: x * x + 2 * x * x * y),
                Words(
                    "y_grad is right. x_grad lacks what comes back to x straight from v.",
                    "y_grad 对了。x_grad 少了从 v 直接回到 x 的那一份。",
                ),
            ),
            Hint(
                "def there_and_back(x, y):\n    print(2 * x * y * (1 + y), x * x * (1 + 2 * y))",
                nothing,
                RETURNS_NONE,
            ),
            Hint(
                """\
v_grad = w_grad * v
u_grad = w_grad * u + v_grad
x_grad = v_grad + u_grad * y
y_grad = u_grad * x""",
                slopes(
                    lambda x, y: x + x * y + (x + 2 * x * y) * y, lambda x, y: (x + 2 * x * y) * x
                ),
                Words(
                    "These come out if u and v each get their own value back from w = u * v. A "
                    "product hands to each factor the other one.",
                    "如果 w = u * v 把 u 和 v 自己的值交还给它们，就会得到这些数。乘法交还给每个"
                    "因数的是另一个因数。",
                ),
            ),
        ),
        otherwise=Words(
            "Go from the last line to the first. For each number ask in which lines it is used, "
            "and "
            "add what comes back from each of them.",
            "从最后一行走到第一行。对每个数问一问：它在哪几行里用过？把从那几行回来的加起来。",
        ),
    ),
    "00.5": Exercise(
        asks=("lowest",),
        probe="""
            seen = [
                lowest(lambda x: (x - 3.87) * (x - 3.87) / 2, 0.0),
                lowest(lambda x: (x + 1.436) * (x + 1.436) + 3, 2.0),
                lowest(lambda x: 0.3 * x * x - 0.6708 * x, -2.0),
                lowest(lambda x: (x - 0.554) ** 4 / 4 + (x - 0.554) ** 2 / 2, 2.0),
            ]
        """,
        solution="""\
for _ in range(1000):
    slope = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
    x = x - 0.1 * slope
return x""",
        accepted=(
            """\
step = 1.0
while step > 1e-5:
    if f(x + step) < f(x):
        x += step
    elif f(x - step) < f(x):
        x -= step
    else:
        step /= 2
return x""",
            """\
x = mg.tensor(x, requires_grad=True)
for _ in range(100):
    (g,) = mg.autograd.grad(f(x), x)
    x = (x - 0.2 * g).detach().requires_grad_()
return x""",
            """\
while abs(g := (f(x + 1e-5) - f(x)) / 1e-5) > 1e-4:
    x -= 0.2 * g
return x""",
            """\
x = mg.tensor(x, requires_grad=True)
for _ in range(1000):
    x.grad = None
    f(x).backward()
    with mg.no_grad():
        x -= 0.1 * x.grad
return x.item()""",
            "return min((i / 1000 for i in range(-10000, 10001)), key=f)",
            "for _ in range(1000):\n    x -= 0.1 * (f(x + 0.01) - f(x)) / 0.01\nreturn round(x, 2)",
        ),
        rejected=(
            "return x",
            "return x / 2",
            """\
while f(x + 0.1) < f(x):
    x += 0.1
while f(x - 0.1) < f(x):
    x -= 0.1
return x""",
        ),
        right=arrived,
        because=Words(
            "From four different starts it found four different valleys.",
            "从四个不同的起点，找到了四个不同的谷底。",
        ),
        hints=(
            Hint(
                """\
for _ in range(1000):
    x = x + 0.1 * (f(x + 1e-6) - f(x)) / 1e-6
return x""",
                ran_away,
                Words(
                    "At least once it ended much further from the lowest place than it began. "
                    "Downhill is against the slope; and a step must not be too large.",
                    "至少有一次，最后离最低点比出发时远得多。低处在斜率的反方向；步子也不能太大。",
                ),
            ),
            Hint(
                """\
for _ in range(20):
    x = x - 0.01 * (f(x + 1e-6) - f(x)) / 1e-6
return x""",
                stopped_early,
                Words(
                    "The direction is right, but it ends before the lowest place. More steps, or "
                    "larger ones, go further; if they change nothing, make the nudge smaller.",
                    "方向对了，但还没有到最低点就停了。可以多走几步，或者步子大一些；如果结果没有变"
                    "化，就推得轻一些。",
                ),
            ),
            Hint(
                """\
for _ in range(1000):
    x = x - 0.1 * (f(x + 1e-6) - f(x)) / 1e-6
return f(x)""",
                lambda seen: all(
                    abs(s - e) < 0.01 for s, e in zip(seen, (0, 3, -0.375, 0), strict=True)
                ),
                Words(
                    "That is how low f gets. The place is asked for, x.",
                    "这是 f 的最小值。这里要的是位置 x。",
                ),
            ),
            Hint(
                "for _ in range(200):\n    x -= 0.1 * (f(x + 1e-6) - f(x)) / 1e-6\nprint(x)",
                nothing,
                RETURNS_NONE,
            ),
        ),
        otherwise=Words(
            "Find the slope at x by a nudge, take a small step against it, and repeat. Then try it "
            "on valley: from 0.0 it should come to 4.",
            "用轻推求出 x 处的斜率，朝反方向走一小步，然后重复。用 valley 试一试：从 0.0 出发应当"
            "走到 4。",
        ),
    ),
}
