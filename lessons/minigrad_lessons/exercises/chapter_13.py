"""Exercises of chapter 13, an engine in 100 lines."""

from __future__ import annotations

import math
from collections.abc import Callable

from .exercise import Exercise, Hint, Test, Words
from .recognise import each, number

ASKED = ((-1.0, 3.0), (0.0, 1.0), (1.0, -2.0))
"""Where the probe of 13.1 asks for a gradient, and what comes in there."""


def hands_on(gradient: Callable[[float, float], float]) -> Test:
    """The rule returns one gradient, this one at each place; it is given the place and g."""
    return each(*([gradient(at, g)] for at, g in ASKED))


EXERCISES = {
    "13.1": Exercise(
        asks=("ExpBackward0",),
        probe="""
            seen = []
            for at, g in ((-1.0, 3.0), (0.0, 1.0), (1.0, -2.0)):
                node = ExpBackward0([])
                node.forward(np.array(at))
                seen.append(node.backward(np.array(g)))
        """,
        solution="g * result",
        accepted=("g * np.exp(np.log(result))", "np.multiply(result, g)"),
        rejected=("3 * result", "result / g", "-g * result", "None"),
        right=hands_on(lambda at, g: g * math.exp(at)),
        because=Words(
            "What comes in, times the derivative. exp_slope(1) is 3e = 8.155.",
            "收到的梯度乘以导数。exp_slope(1) 是 3e = 8.155。",
        ),
        hints=(
            Hint(
                "result",
                hands_on(lambda at, g: math.exp(at)),
                Words(
                    "That is the derivative alone. Multiply by what comes in, g.",
                    "这只是导数，还要乘以收到的 g。",
                ),
            ),
            Hint(
                "g",
                hands_on(lambda at, g: g),
                Words(
                    "That hands g on unchanged, as an addition does.",
                    "这是把 g 原样传下去，像加法那样。",
                ),
            ),
            Hint(
                "g * np.exp(result)",
                hands_on(lambda at, g: g * math.exp(math.exp(at))),
                Words(
                    "result is already the exponential. No second one is needed.",
                    "result 已经是指数函数的值，不需要再算一次。",
                ),
            ),
            Hint(
                "g + result",
                hands_on(lambda at, g: g + math.exp(at)),
                Words(
                    "Along a path derivatives are multiplied, not added.",
                    "沿着一条路径，导数是相乘，不是相加。",
                ),
            ),
        ),
        otherwise=Words(
            "The gradient of the input is what comes in, g, times the derivative at this place.",
            "输入的梯度等于收到的 g 乘以此处的导数。",
        ),
    ),
    "13.2": Exercise(
        asks=("shared_gradient",),
        solution="3",
        accepted=("3.0", "1 + 1 + 1", "np.array(3.0)"),
        rejected=("5", "[3, 3]", "'3?'", "np.ones(2)"),
        right=number(3),
        because=Words(
            "One array under two names: it got 1, and then 1 twice more.",
            "一个数组，两个名字：先得到 1，后来又加了两次 1。",
        ),
        hints=(
            Hint(
                "2",
                number(2),
                Words(
                    "So it should be. But the first call gave both leaves the same array, and the "
                    "second call adds to it for each of them.",
                    "本该如此。但第一次调用给了两个叶子同一个数组，第二次调用为每个叶子各加了一次。",
                ),
            ),
            Hint(
                "4",
                number(4),
                Words(
                    "The first call stores, it does not add: the array begins with 1.",
                    "第一次调用是存入，不是相加：数组从 1 开始。",
                ),
            ),
            Hint(
                "1",
                number(1),
                Words(
                    "That is after the first call. Now the second.",
                    "这是第一次调用之后。再看第二次。",
                ),
            ),
        ),
        otherwise=Words(
            "Is a.grad the same object as b.grad after the first call? Then follow both additions.",
            "第一次调用之后，a.grad 与 b.grad 是同一个对象吗？然后跟着两次加法走一遍。",
        ),
    ),
    "13.3": Exercise(
        asks=("freed", "three_nodes"),
        probe="""
            nodes = three_nodes()
            seen = [freed(node) for node in nodes]
        """,
        solution="node.saved is None",
        accepted=(
            "isinstance(node.saved, type(None))",
            "node.saved == None",
            "not isinstance(node.saved, tuple)",
        ),
        rejected=("True", "node", "node.saved", "len(node.saved) == 0"),
        right=each(False, True, False),
        because=Words(
            "None stands where something was saved and has been freed.",
            "曾经保存过、后来释放了的地方是 None。",
        ),
        hints=(
            Hint(
                "not node.saved",
                each(False, True, True),
                Words(
                    "The empty tuple of the addition counts as false, too. It has freed nothing.",
                    "加法的空元组也算作假，但它什么也没有释放。",
                ),
            ),
            Hint(
                "node.saved is not None",
                each(True, False, True),
                Words("The other way round.", "反过来了。"),
            ),
            Hint(
                "node.saved == ()",
                each(False, False, True),
                Words(
                    "That finds nodes that never saved anything. What does backward put in the "
                    "place of what it frees?",
                    "这找到的是从未保存过东西的节点。backward 在释放之后放进去的是什么？",
                ),
            ),
        ),
        otherwise=Words(
            "True for a node whose saved has been replaced by None, and False for all others.",
            "saved 已换成 None 的节点为 True，其余为 False。",
        ),
    ),
}
