"""Exercises of chapter 09, control flow."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .exercise import Exercise, Hint, Test, Words
from .recognise import number, numbers
from .steps import EndlessError

POINTS = (-3.1, -1.3, 0.7, 2.3, 5.9)
STEP = 1e-6


def brings(*expected: float) -> Test:
    """The gradient that has arrived at `a`."""
    return lambda a, d: numbers(a.grad, expected)


def edges(result: Any) -> list[tuple[str, list[str]]]:
    """For each node behind a result: its name, and those of the nodes that its edges lead to."""
    found, seen = [result.grad_fn], {result.grad_fn}
    listed = []
    for node in found:
        below = [each for each, _ in node.next_functions if each is not None]
        listed.append((node.name(), [each.name() for each in below]))
        new = [each for each in dict.fromkeys(below) if each not in seen]
        found += new
        seen.update(new)
    return listed


def graphs(function: Callable[[Any], Any], mg: Any) -> list[list[tuple[str, list[str]]]]:
    return [edges(function(mg.tensor(at, requires_grad=True))) for at in POINTS]


def differs(function: Callable[[Any], Any], mg: Any) -> bool:
    """The graphs at the points are not all the same."""
    first, *others = graphs(function, mg)
    return any(other != first for other in others)


def never_ends(function: Callable[[Any], Any], mg: Any) -> bool:
    """At one of the points the function does not come back."""
    try:
        graphs(function, mg)
    except EndlessError:
        return True
    return False


def chooses(function: Callable[[Any], Any], mg: Any) -> bool:
    """The function's graph has a `where` in it."""
    return any(name == "WhereBackward0" for name, _ in graphs(function, mg)[0])


def slopes_hold(function: Callable[[Any], Any], mg: Any) -> bool:
    """At each point the gradient is what a small step to both sides shows."""
    for at in POINTS:
        x = mg.tensor(at, dtype=mg.float64, requires_grad=True)
        (slope,) = mg.autograd.grad(function(x), x)
        ahead, behind = (
            function(mg.tensor(at + step, dtype=mg.float64)).item() for step in (STEP, -STEP)
        )
        seen = (ahead - behind) / (2 * STEP)
        if not math.isclose(slope.item(), seen, rel_tol=1e-3, abs_tol=1e-4):
            return False
    return True


def leaky_with(*slopes: float) -> Test:
    """The values are right, and these are the slopes."""

    def test(leaky: Any, x: Any) -> bool:
        x.grad = None
        leaky.sum().backward(retain_graph=True)
        return numbers(leaky, [-0.2, 3]) and numbers(x.grad, slopes)

    return test


def without_graph(function: Callable[[Any], Any], mg: Any) -> bool:
    return function(mg.tensor(POINTS[-1], requires_grad=True)).grad_fn is None


EXERCISES = {
    "09.1": Exercise(
        solution="-270.0",
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
                    "That is the loop alone. The result is negative: which branch comes next?",
                    "这只是循环的部分。结果是负数：接下来走哪个分支？",
                ),
            ),
            Hint(
                "1350.0",
                number(1350),
                Words(
                    "That is the result. Divide it by a.",
                    "这是结果。请把它除以 a。",
                ),
            ),
            Hint(
                "-810.0",
                number(-810),
                Words(
                    "One tripling too many: -15, -45, -135, and 135 is not below 100.",
                    "多乘了一次 3：-15、-45、-135，而 135 已不小于 100。",
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
        solution="d.sum().backward()",
        right=brings(27, 27),
        because=Words(
            "Both numbers were tripled three times, and each result depends on its own number "
            "alone.",
            "两个数都乘了三次 3，而且每个结果只与自己的那个数有关。",
        ),
        hints=(
            Hint(
                "d.mean().backward()",
                brings(13.5, 13.5),
                Words(
                    "Half of it: in a mean each of the two counts only 1/2.",
                    "只有一半：求平均时，两个数各只算 1/2。",
                ),
            ),
            Hint(
                "d.norm().backward()",
                brings(16.2, 21.6),
                Words(
                    "The norm weights the elements differently. Each of them should count 1.",
                    "norm 给各元素的权重不同。每个元素都应当算 1。",
                ),
            ),
            Hint(
                "d[0].backward()",
                brings(27, 0),
                Words(
                    "That is the first element alone. All of them should count.",
                    "这只算了第一个元素。所有元素都应当算进去。",
                ),
            ),
            Hint(
                "pass",
                lambda a, d: a.grad is None,
                Words(
                    "a.grad is still None: no backward pass has run.",
                    "a.grad 还是 None：还没有运行反向传播。",
                ),
            ),
        ),
        otherwise=Words(
            "Make one number of d in which each element counts 1, and walk back from it.",
            "把 d 变成一个数，其中每个元素都算 1，再从它往回走。",
        ),
    ),
    "09.3": Exercise(
        solution="lambda x: x * x if x > 0 else -3 * x",
        right=lambda mine, mg: differs(mine, mg) and slopes_hold(mine, mg),
        because=Words(
            "The graphs differ from point to point, and the gradients agree with small steps.",
            "各点的图不同，梯度也与小步长的结果一致。",
        ),
        hints=(
            Hint(
                "None\n\n\ndef mine(x):\n    while x < 10:\n        x = x * 2\n    return x",
                never_ends,
                Words(
                    "At one of the points that were tried, from -3 to 6, your function had not "
                    "ended after very many steps, and was stopped. Does its loop end for "
                    "negative numbers, too?",
                    "在试过的各点（从 -3 到 6）中，有一处你的函数运行了很多步还没有结束，已被中止。"
                    "对于负数，循环也会结束吗？",
                ),
            ),
            Hint(
                "lambda x: mg.where(x > 0, x * x, -3 * x)",
                lambda mine, mg: not differs(mine, mg) and chooses(mine, mg),
                Words(
                    "where chooses between values: its graph is the same everywhere. Let Python "
                    "decide, with if or while.",
                    "where 是在值之间选择，它的图处处相同。请让 Python 来决定，用 if 或 while。",
                ),
            ),
            Hint(
                "lambda x: x * x + 1",
                lambda mine, mg: not differs(mine, mg),
                Words(
                    "It works, but its graph has the same nodes at all points that were tried, "
                    "from -3 to 6. Let a condition on x decide which operations run, or how many.",
                    "可以运行，但在试过的各点（从 -3 到 6）上，图的节点都相同。请让关于 x 的条件来"
                    "决定做哪些运算，或者做多少次。",
                ),
            ),
            Hint(
                "lambda x: mg.tensor(x.item() ** 2 if x > 0 else 0.0)",
                without_graph,
                Words(
                    "The result has no graph: item() takes the number out. Compute with x itself.",
                    "结果没有图：item() 把数取了出来。请用 x 本身计算。",
                ),
            ),
            Hint(
                "lambda x: x * x.detach() + 1 if x > 0 else -3 * x",
                lambda mine, mg: differs(mine, mg),
                Words(
                    "The graphs differ, but somewhere the gradient is not the slope. Was something "
                    "detached, or computed with item()?",
                    "图确实不同，但有的地方梯度不是斜率。是不是用了 detach 或 item()？",
                ),
            ),
        ),
        otherwise=Words(
            "mine should be a function: it takes a tensor with one number and returns a tensor "
            "with one number.",
            "mine 应当是一个函数：接收只有一个数的张量，返回只有一个数的张量。",
        ),
    ),
    "09.4": Exercise(
        solution="mg.where(x > 0, x, 0.1 * x)",
        right=leaky_with(0.1, 1),
        because=Words(
            "-2 becomes -0.2 with the slope 0.1, 3 stays 3 with the slope 1.",
            "-2 变成 -0.2，斜率 0.1；3 不变，斜率 1。",
        ),
        hints=(
            Hint(
                "mg.where(x > 0, 0.1 * x, x)",
                lambda leaky, x: numbers(leaky, [-2, 0.3]),
                Words(
                    "The other way round: the first tensor is taken where the condition holds.",
                    "反了：条件成立的地方取第一个张量。",
                ),
            ),
            Hint(
                "x.relu()",
                lambda leaky, x: numbers(leaky, [0, 3]),
                Words(
                    "That is the ordinary relu, which lets nothing negative through.",
                    "这是普通的 relu，负数一点也通不过。",
                ),
            ),
            Hint(
                "x if x.sum() > 0 else 0.1 * x",
                lambda leaky, x: numbers(leaky, [-2, 3]),
                Words(
                    "One decision for both numbers. Each should decide for itself.",
                    "这是两个数共用一个决定。应当各自决定。",
                ),
            ),
            Hint(
                "0.1 * x",
                lambda leaky, x: numbers(leaky, [-0.2, 0.3]),
                Words(
                    "Now 3 has become 0.3. Positive numbers stay as they are.",
                    "3 变成了 0.3。正数应当保持不变。",
                ),
            ),
            Hint(
                "mg.tensor([-0.2, 3.0])",
                lambda leaky, x: numbers(leaky, [-0.2, 3]),
                Words(
                    "The numbers are right, the slopes are not: they should be 0.1 and 1. Compute "
                    "with x, and detach nothing.",
                    "数对了，斜率不对：应当是 0.1 和 1。请用 x 来计算，什么也不要分离。",
                ),
            ),
        ),
        otherwise=Words(
            "where(condition, tensor, tensor): the result should be [-0.2, 3].",
            "where(条件, 张量, 张量)：结果应当是 [-0.2, 3]。",
        ),
    ),
}
