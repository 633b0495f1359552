"""Exercises of chapter 09, control flow."""

from __future__ import annotations

import math
from typing import Any

from .exercise import Exercise, Hint, Test, Words
from .recognise import alike, each, number


def names(seen: Any) -> list[Any]:
    """Of each point of 09.3, the names of the nodes behind the result."""
    return [point[0] for point in seen]


def differs(seen: Any) -> bool:
    """The graphs at the points are not all the same."""
    first, *others = names(seen)
    return any(other != first for other in others)


def slopes_hold(seen: Any) -> bool:
    """At each point the gradient is what small steps show; where none arrives, they show 0."""
    return all(
        math.isclose(found or 0.0, nudged, rel_tol=1e-3, abs_tol=1e-4) for _, found, nudged in seen
    )


VALUES = [[-0.2, 3.0, 0.0], [[1.5, -1.0], [-0.05, 2.0]]]
LEAKS = [[0.1, 1.0, 0.1], [[1.0, 0.1], [0.1, 1.0]]]


def leaks(values: Any, slopes: Any = None) -> Test:
    """Of both tensors of 09.4 these values, and these slopes; at 0, a kink, any slope will do."""

    def test(seen: Any) -> bool:
        found = [slope for _, slope in seen]
        if found[0] is not None and math.isfinite(found[0][2]):
            found[0] = [*found[0][:2], 0.1]
        return alike([value for value, _ in seen], values) and (
            slopes is None or alike(found, slopes)
        )

    return test


CUBES = (8.0, 0.5, -27.0, 1000.0, -0.01)
"""Whose roots 09.5 asks for."""


def roots(seen: Any) -> bool:
    """Every value is right, to five digits."""
    return all(
        math.isclose(value, math.cbrt(a), rel_tol=2e-5)
        for a, (value, _) in zip(CUBES, seen, strict=True)
    )


def root_slopes(seen: Any) -> bool:
    return all(
        slope is not None and math.isclose(slope, 1 / (3 * math.cbrt(a) ** 2), rel_tol=1e-3)
        for a, (_, slope) in zip(CUBES, seen, strict=True)
    )


POWERS = ((3.0, 1), (3.0, 2), (-2.0, 7), (1.5, 10), (0.5, 6), (0.999, 1000))


def powers(seen: Any) -> bool:
    """Every value and every slope is right."""
    return all(
        math.isclose(value, x**n, rel_tol=1e-3)
        and math.isclose(slope, n * x ** (n - 1), rel_tol=1e-3)
        for (x, n), (value, slope, _) in zip(POWERS, seen, strict=True)
    )


EXERCISES = {
    "09.1": Exercise(
        asks=("slope_at_minus_5",),
        solution="-270.0",
        accepted=("-270", "27 * -10", "mg.tensor(-270.0)"),
        rejected=("0", "-1350.0", "81.0"),
        right=number(-270),
        because=Words(
            "Tripled three times, then multiplied by -10: 27 * (-10).",
            "乘了三次 3，再乘以 -10：27 * (-10)。",
        ),
        hints=(
            Hint(
                "270.0",
                number(270),
                Words(
                    "The size is right. -135 becomes +1350: if a grows, what does the result do?",
                    "大小对了。-135 变成了 +1350：a 变大时，结果怎样变？",
                ),
            ),
            Hint(
                "27.0",
                number(27),
                Words(
                    "27 is what the loop brings. The result is negative: which branch comes next?",
                    "27 是循环带来的。结果是负数：接下来走哪个分支？",
                ),
            ),
            Hint(
                "1350.0",
                number(1350),
                Words("1350 is the result. Divide it by a.", "1350 是结果。请把它除以 a。"),
            ),
            Hint(
                "-810.0",
                number(-810),
                Words(
                    "-810 has four triplings in it. -15, -45, -135: the third is no longer below "
                    "100 in size.",
                    "-810 里有四次乘以 3。-15、-45、-135：第三个的绝对值已不小于 100。",
                ),
            ),
        ),
        otherwise=Words(
            "Triple -5 until its size is at least 100, then look at the branch. The slope is the "
            "product of all factors.",
            "把 -5 一直乘以 3，直到绝对值不小于 100，再看分支。斜率是所有因子的乘积。",
        ),
    ),
    "09.2": Exercise(
        asks=("slopes_for_all",),
        probe="""
            seen = []
            for at in ([3.0, 4.0], [[1.0, 2.0], [-3.0, 0.5]], [-1.0, -1.0, 0.5]):
                seen.append(slopes_for_all(mg.tensor(at, requires_grad=True)))
        """,
        solution="d.sum().backward()",
        accepted=(
            "sum(d.flatten()).backward()",
            "(a.grad,) = mg.autograd.grad(d.sum(), a)",
            "(d.mean() * d.numel()).backward()",
            "for part in d.flatten():\n    part.backward(retain_graph=True)",
            "d.backward(gradient=mg.ones_like(d))",
            "from functools import partial\n"
            "slopes_for_all = partial(lambda f, a: mg.autograd.grad(f(a).sum(), a)[0], f_for_all)",
        ),
        rejected=("(d * d).sum().backward()", "d.max().backward()", "d.backward()", "return 27"),
        right=each([27] * 2, [[27] * 2] * 2, [-810] * 3),
        because=Words(
            "Each result depends on its own number alone, and each counts 1.",
            "每个结果只与自己的那个数有关，每个都算 1。",
        ),
        hints=(
            Hint(
                "d.mean().backward()",
                each([13.5] * 2, [[6.75] * 2] * 2, [-270] * 3),
                Words(
                    "Each slope is divided by the number of elements, as a mean does it.",
                    "每个斜率都被元素的个数除了一次，求平均值就会这样。",
                ),
            ),
            Hint(
                "d.flatten()[0].backward()",
                each([27, 0], [[27, 0], [0, 0]], [-810, 0, 0]),
                Words(
                    "That is the first element alone. All of them should count.",
                    "这只算了第一个元素。所有元素都应当算进去。",
                ),
            ),
            Hint(
                "pass",
                each(None, None, None),
                Words(
                    "None came back. a.grad is None until a backward pass has brought a gradient "
                    "to a.",
                    "返回的是 None。在反向传播把梯度带给 a 之前，a.grad 就是 None。",
                ),
            ),
            Hint(
                "d.norm().backward()",
                lambda seen: alike(seen[0], [16.2, 21.6]),
                Words(
                    "At (3, 4) the slopes are 16.2 and 21.6: the elements count differently. Each "
                    "of them should count 1.",
                    "在 (3, 4) 处斜率是 16.2 和 21.6：各元素的权重不同。每个元素都应当算 1。",
                ),
            ),
        ),
        otherwise=Words(
            "Make one number of d in which each element counts 1, and go back from it.",
            "把 d 变成一个数，其中每个元素都算 1，再从它反向传播。",
        ),
    ),
    "09.3": Exercise(
        asks=("mine",),
        probe="""
            seen = []
            for at in (-3.1, -1.3, 0.7, 2.3, 5.9):
                x = mg.tensor(at, dtype=mg.float64, requires_grad=True)
                y = mine(x)
                if not isinstance(y, mg.Tensor):
                    seen.append(type(y).__name__)
                    continue
                nodes = [] if y.grad_fn is None else [y.grad_fn]
                for node in nodes:
                    nodes += [n for n, _ in node.next_functions if n is not None and n not in nodes]
                slope = None
                if y.requires_grad:
                    (slope,) = mg.autograd.grad(y, x, allow_unused=True)
                ahead, behind = (
                    mine(mg.tensor(at + step, dtype=mg.float64)).item() for step in (1e-6, -1e-6)
                )
                seen.append([[node.name() for node in nodes], slope, (ahead - behind) / 2e-6])
        """,
        solution="return x * x if x > 0 else -3 * x",
        accepted=(
            "mine = lambda x: x if x > 0 else -x",
            "while x.abs() < 10:\n    x = x * 2\nreturn x",
            "for _ in range(int(x.abs())):\n    x = mg.sin(x)\nreturn x",
            "if x.item() > 0:\n    return x.exp()\nreturn x * 3 + x**2",
            "return mine(x - 1) if x > 0 else x * x",
        ),
        rejected=(
            "return 3.0",
            "return 2 * x.item()",
            "return [x * x if x > 0 else -x]",
            "return x if x > 0 else -y",
        ),
        right=lambda seen: differs(seen) and slopes_hold(seen),
        because=Words(
            "The graphs differ from point to point, and the gradients agree with small steps.",
            "各点的图不同，梯度也与小步长的结果一致。",
        ),
        hints=(
            Hint(
                "print(x * x if x > 0 else -3 * x)",
                lambda seen: "NoneType" in seen,
                Words(
                    "Somewhere None came back. A function gives back what stands after `return`.",
                    "有的地方返回了 None。函数返回的是 `return` 后面的东西。",
                ),
            ),
            Hint(
                "return mg.where(x > 0, x * x, -3 * x)",
                lambda seen: not differs(seen) and "WhereBackward0" in names(seen)[0],
                Words(
                    "where chooses between values: its graph is the same everywhere. Let Python "
                    "decide, with if or while.",
                    "where 是在值之间选择，它的图处处相同。请让 Python 来决定，用 if 或 while。",
                ),
            ),
            Hint(
                "return mg.tensor(x.item() ** 2 if x > 0 else 0.0)",
                lambda seen: all(slope is None for _, slope, _ in seen) and not slopes_hold(seen),
                Words(
                    "The value changes with x, but no gradient arrives: the result has no graph "
                    "that leads to x.",
                    "值随 x 变化，却没有梯度到达：结果的图不通向 x。",
                ),
            ),
            Hint(
                "return x * x + 1",
                lambda seen: not differs(seen) and slopes_hold(seen),
                Words(
                    "The gradients are right, but the graph has the same nodes at all points that "
                    "were tried. Let a condition on x decide which operations run, or how many.",
                    "梯度都对，但在试过的各点上，图的节点都相同。请让关于 x 的条件来决定做哪些"
                    "运算，或者做多少次。",
                ),
            ),
            Hint(
                "return x * x.detach() + 1 if x > 0 else -3 * x",
                lambda seen: differs(seen) and not slopes_hold(seen),
                Words(
                    "The graphs differ, but somewhere the gradient is another than the slope that "
                    "small steps show.",
                    "图确实不同，但有的地方梯度与小步长得到的斜率不一致。",
                ),
            ),
        ),
        otherwise=Words(
            "mine takes a tensor with one number, and returns a tensor with one number.",
            "mine 接收只有一个数的张量，返回只有一个数的张量。",
        ),
    ),
    "09.4": Exercise(
        asks=("leaky",),
        probe="""
            seen = []
            for at in ([-2.0, 3.0, 0.0], [[1.5, -10.0], [-0.5, 2.0]]):
                x = mg.tensor(at, requires_grad=True)
                y = leaky(x)
                if y.requires_grad:
                    y.sum().backward()
                seen.append([y, x.grad])
        """,
        solution="mg.where(x > 0, x, 0.1 * x)",
        accepted=(
            "mg.where(x <= 0, x / 10, x)",
            "mg.nn.functional.leaky_relu(x, 0.1)",
            "x * (0.1 + 0.9 * (x > 0))",
            "mg.relu(x) + 0.1 * (x - mg.relu(x))",
            "mg.maximum(x, 0.1 * x)",
            "mg.relu(x) - 0.1 * mg.relu(-x)",
            "x.clamp(min=0) + 0.1 * x.clamp(max=0)",
            "mg.where(x >= 0, x, 0.1 * x)",
            "leaky = mg.nn.LeakyReLU(negative_slope=0.1)",
        ),
        rejected=(
            "x * x",
            "-x",
            "mg.where(x > 0, x, 0.5 * x)",
            "mg.where(x > 0, x, 0.1 * x.detach())",
            "np.where(x > 0, x, 0.1 * x)",
        ),
        right=leaks(VALUES, LEAKS),
        because=Words(
            "Each element decides for itself: slope 1 where it is positive, 0.1 where it is "
            "negative.",
            "每个元素各自决定：正数处斜率是 1，负数处是 0.1。",
        ),
        hints=(
            Hint(
                "mg.where(x > 0, 0.1 * x, x)",
                leaks([[-2, 0.3, 0], [[0.15, -10], [-0.5, 0.2]]]),
                Words(
                    "The other way round: positive numbers have been made smaller, and the others "
                    "were left alone.",
                    "反了：变小的是正数，其余的没有变。",
                ),
            ),
            Hint(
                "x.relu()",
                leaks([[0, 3, 0], [[1.5, 0], [0, 2]]]),
                Words(
                    "That is the ordinary relu, which lets nothing negative through.",
                    "这是普通的 relu，负数一点也通不过。",
                ),
            ),
            Hint(
                "x if x.sum() > 0 else 0.1 * x",
                leaks([[-2, 3, 0], [[0.15, -1], [-0.05, 0.2]]]),
                Words(
                    "In each tensor all numbers were treated alike. Each should decide for itself.",
                    "同一个张量里的数都被同样对待了。每个数应当各自决定。",
                ),
            ),
            Hint(
                "0.1 * x",
                leaks([[-0.2, 0.3, 0], [[0.15, -1], [-0.05, 0.2]]]),
                Words(
                    "3 has become 0.3. Positive numbers stay as they are.",
                    "3 变成了 0.3。正数应当保持不变。",
                ),
            ),
            Hint(
                "mg.where(x > 0, x, 0.1 * x).detach()",
                leaks(VALUES, [None, None]),
                Words(
                    "The numbers are right, but no gradient arrives at x.",
                    "数对了，但没有梯度到达 x。",
                ),
            ),
        ),
        otherwise=Words(
            "For x = [-2, 3] the result is [-0.2, 3], with the slopes 0.1 and 1.",
            "x = [-2, 3] 时，结果是 [-0.2, 3]，斜率是 0.1 和 1。",
        ),
    ),
    "09.5": Exercise(
        asks=("cube_root",),
        probe="""
            seen = []
            for at in (8.0, 0.5, -27.0, 1000.0, -0.01):
                a = mg.tensor(at, requires_grad=True)
                s = cube_root(a)
                if s.requires_grad:
                    s.backward()
                seen.append([s.item(), a.grad])
        """,
        solution="""\
s = a
for _ in range(40):
    s = (2 * s + a / (s * s)) / 3
return s""",
        accepted=(
            """\
s, before = a, 0.0
while (s - before).abs() > 1e-6 * s.abs():
    s, before = (2 * s + a / (s * s)) / 3, s
return (2 * s + a / (s * s)) / 3""",
            "return a.sign() * a.abs() ** (1 / 3)",
            """\
s = a.detach()
for _ in range(50):
    s = (2 * s + a.detach() / s**2) / 3
return (2 * s + a / s**2) / 3""",
            """\
def better(s, left):
    return s if left == 0 else better((2 * s + a / (s * s)) / 3, left - 1)

return better(a, 40)""",
            """\
import functools
return functools.reduce(lambda s, _: (2 * s + a / (s * s)) / 3, range(50), a)""",
            "return -cube_root(-a) if a < 0 else mg.exp(mg.log(a) / 3)",
        ),
        rejected=("return a / 3", "return (a * a).sqrt()", "return a ** (1 / 3)"),
        right=lambda seen: roots(seen) and root_slopes(seen),
        because=Words(
            "All roots are right, those of negative numbers too, and so are the slopes.",
            "所有的根都对，负数的也对，斜率也都对。",
        ),
        hints=(
            Hint(
                """\
s = a
for _ in range(40):
    s = ((2 * s + a / (s * s)) / 3).detach()
return s""",
                lambda seen: roots(seen) and all(slope is None for _, slope in seen),
                Words(
                    "The values are right, but no gradient arrives at a.",
                    "值都对，但没有梯度到达 a。",
                ),
            ),
            Hint(
                """\
s = a.detach()
for _ in range(40):
    s = (2 * s.detach() + a / (s.detach() * s.detach())) / 3
return s + 0 * a if s > 0 else s.detach() + 0 * a""",
                lambda seen: (
                    roots(seen)
                    and not root_slopes(seen)
                    and any(slope is not None for _, slope in seen)
                ),
                Words(
                    "The values are right, but not all the slopes are 1 / (3 s * s).",
                    "值都对，但斜率并非都是 1 / (3 s * s)。",
                ),
            ),
            Hint(
                """\
s = a
for _ in range(6):
    s = (2 * s + a / (s * s)) / 3
return s""",
                lambda seen: (
                    not roots(seen)
                    and math.isclose(seen[0][0], 2, rel_tol=1e-3)
                    and seen[3][0] > 10.01
                ),
                Words(
                    "The root of 8 is there, that of 1000 is not: too few turns for it.",
                    "8 的立方根得到了，1000 的还没有：轮数不够。",
                ),
            ),
            Hint(
                """\
s = a
while (s * s * s - a).abs() > 1e-4:
    s = (2 * s + a / (s * s)) / 3
return s""",
                lambda seen: (
                    not roots(seen)
                    and math.isclose(seen[0][0], 2, rel_tol=2e-5)
                    and math.isclose(seen[2][0], -3, rel_tol=2e-5)
                    and not math.isclose(seen[4][0], math.cbrt(-0.01), rel_tol=2e-5)
                ),
                Words(
                    "For 8 and -27 the roots are right. For -0.01 it should be -0.21544: there the "
                    "numbers are small, and five digits are finer.",
                    "对 8 和 -27，根是对的。对 -0.01 应当是 -0.21544：那里的数很小，五位数字要求的"
                    "误差也更小。",
                ),
            ),
            Hint(
                """\
s = a
for _ in range(60):
    s = (s + a / s) / 2
return s""",
                lambda seen: math.isclose(seen[0][0], math.sqrt(8), rel_tol=1e-3),
                Words(
                    "For 8 this gives 2.83, which is its square root.",
                    "对 8 得到 2.83，这是它的平方根。",
                ),
            ),
        ),
        otherwise=Words(
            "For 8 the root is 2 and the slope 1/12; for -27 they are -3 and 1/27.",
            "8 的立方根是 2，斜率是 1/12；-27 的是 -3 和 1/27。",
        ),
    ),
    "09.6": Exercise(
        asks=("power",),
        probe="""
            from minigrad_lessons.engine import after

            engine = after(8)
            Tensor = getattr(power, "__globals__", {}).get("Tensor", engine.Tensor)
            seen = []
            for at, n in ((3.0, 1), (3.0, 2), (-2.0, 7), (1.5, 10), (0.5, 6), (0.999, 1000)):
                x = Tensor(at, True)
                outer = x * 1.0
                result = power(outer, n)
                root = result.grad_fn
                row = [float(result.data), None, 0]
                if root is not None:
                    names = [type(node).__name__ for node in engine.count_uses(root)]
                    result.backward()
                    slope = None if x.grad is None else float(x.grad.data)
                    row[1:] = [slope, names.count("MulBackward0") - 1]
                seen.append(row)
        """,
        solution="""\
result = None
while n:
    if n % 2:
        result = x if result is None else result * x
    x = x * x
    n = n // 2
return result""",
        accepted=(
            """\
if n == 1:
    return x
half = power(x, n // 2)
return half * half * x if n % 2 else half * half""",
            """\
result = 1.0
for digit in bin(n)[2:]:
    result = result * result
    if digit == "1":
        result = x * result
return result""",
            """\
result = x * 0 + 1
while n > 0:
    if n % 2 == 1:
        result = result * x
    x = x * x
    n //= 2
return result""",
            """\
result = Tensor(1.0)
while n:
    n, odd = divmod(n, 2)
    if odd:
        result = result * x
    x = x * x
return result""",
        ),
        rejected=("return x", "return x * n", "return x.data**n"),
        right=lambda seen: powers(seen) and seen[-1][2] <= 20,
        because=Words(
            "Values and slopes are right, with at most 20 products for the thousandth power.",
            "值和斜率都对，一千次方也只用了不超过 20 次乘法。",
        ),
        hints=(
            Hint(
                "return Tensor(x.data**n, True)",
                lambda seen: (
                    all(
                        math.isclose(value, x**n, rel_tol=1e-3)
                        for (x, n), (value, _, _) in zip(POWERS, seen, strict=True)
                    )
                    and all(slope is None for _, slope, _ in seen)
                ),
                Words(
                    "The values are right, but no gradient arrives at x.",
                    "值都对，但没有梯度到达 x。",
                ),
            ),
            Hint(
                """\
result = x
for _ in range(n - 1):
    result = result * x
return result""",
                lambda seen: powers(seen) and seen[-1][2] > 20,
                Words(
                    "Right, but with more than 20 products for n = 1000. Square, and halve n.",
                    "结果对了，但 n = 1000 时用了 20 次以上的乘法。请平方，并把 n 减半。",
                ),
            ),
            Hint(
                """\
while n > 1:
    x = x * x
    n = n // 2
return x""",
                lambda seen: (
                    math.isclose(seen[1][0], 9, rel_tol=1e-3)
                    and math.isclose(seen[2][0], 16, rel_tol=1e-3)
                ),
                Words(
                    "2 as n is right, but (-2) to the power of 7 gives 16: 4 is the power here. "
                    "What becomes of the odd n?",
                    "n 为 2 时对了，但 (-2) 的 7 次方得到 16：实际算的是 4 次方。"
                    "n 为奇数时怎么办？",
                ),
            ),
            Hint(
                """\
result = x
while n:
    if n % 2:
        result = result * x
    x = x * x
    n = n // 2
return result""",
                lambda seen: all(
                    math.isclose(value, x ** (n + 1), rel_tol=1e-3)
                    for (x, n), (value, _, _) in zip(POWERS, seen, strict=True)
                ),
                Words(
                    "Each result has one factor too many: the power is n + 1.",
                    "每个结果都多了一个因子：算的是 n + 1 次方。",
                ),
            ),
        ),
        otherwise=Words(
            "power(x, 2) is 9 at 3 with the slope 6, and power(x, 7) is -128 at -2 with the slope "
            "448.",
            "在 3 处，power(x, 2) 是 9，斜率 6；在 -2 处，power(x, 7) 是 -128，斜率 448。",
        ),
    ),
}
