"""Exercises of chapter 07, inside the graph."""

from __future__ import annotations

import math
from typing import Any

from .exercise import Exercise, Hint, Test, Words
from .recognise import listed, number

GRADIENT = 3.0
AT_ONE, AT_E = math.e, math.e**math.e


def gives(rule: Any, node: Any, expected: float) -> bool:
    """The rule, handed a 3, returns a tuple with this number alone."""
    parts = rule(node, GRADIENT)
    return isinstance(parts, tuple) and len(parts) == 1 and number(expected)(parts[0])


def in_order(*names: str) -> Test:
    return lambda answer: listed(answer) == list(names)


def asks_for_what_is_not_there(rule: Any, *nodes: Any) -> bool:
    try:
        rule(nodes[0], GRADIENT)
    except AttributeError:
        return True
    return False


EXERCISES = {
    "07.1": Exercise(
        solution="32",
        right=number(32),
        because=Words(
            "Two edges to choose from, five times: 2 ** 5.",
            "五次，每次有两条边可选：2 ** 5。",
        ),
        hints=(
            Hint(
                "10",
                number(10),
                Words(
                    "That is the number of edges. A path takes one of the two edges at each of the "
                    "five additions.",
                    "这是边数。一条路径在五次加法的每一处各走两条边中的一条。",
                ),
            ),
            Hint(
                "63",
                number(63),
                Words(
                    "That is the number of visits on the way. Count the arrivals at the leaf only.",
                    "这是途中经过节点的次数。只数到达叶子的次数。",
                ),
            ),
            Hint(
                "6",
                number(6),
                Words(
                    "That is the number of nodes. There are two edges between each and the next.",
                    "这是节点数。相邻两个节点之间有两条边。",
                ),
            ),
            Hint(
                "25",
                number(25),
                Words(
                    "Not 5 times 5: the number doubles with each addition.",
                    "不是 5 乘 5：每做一次加法，路径数就翻倍。",
                ),
            ),
        ),
        otherwise=Words(
            "One addition: 2 paths. Two additions: 4. And five?",
            "一次加法有 2 条路径，两次有 4 条，五次呢？",
        ),
    ),
    "07.2": Exercise(
        solution="d.grad_fn.next_functions[0][0].next_functions[1][0].variable",
        right=lambda leaf, a, b: leaf is b,
        because=Words(
            "Exponential, product, second input, leaf.",
            "指数函数，乘法，第二个输入，叶子。",
        ),
        hints=(
            Hint(
                "d.grad_fn.next_functions[0][0].next_functions[0][0].variable",
                lambda leaf, a, b: leaf is a,
                Words(
                    "That is the leaf a, the first input of the product. Inputs are counted from "
                    "0.",
                    "这是叶子 a，乘法的第一个输入。输入从 0 数起。",
                ),
            ),
            Hint(
                "d.grad_fn.next_functions[0][0].next_functions[1][0]",
                lambda leaf, a, b: leaf.variable is b,
                Words(
                    "That is the AccumulateGrad node of b. One more step: which attribute holds "
                    "the leaf?",
                    "这是 b 的 AccumulateGrad 节点。还差一步：哪个属性持有叶子？",
                ),
            ),
            Hint(
                "d.grad_fn.next_functions[0][0].next_functions[1]",
                lambda leaf, a, b: isinstance(leaf, tuple) and leaf[0].variable is b,
                Words(
                    "That is the edge, a pair of node and index. Take its first half.",
                    "这是边，由节点和序号组成的一对。请取它的前一半。",
                ),
            ),
            Hint(
                "d.grad_fn.next_functions[0][0]",
                lambda leaf, a, b: leaf.name() == "MulBackward0",
                Words(
                    "That is the product. From there go to its second input.",
                    "这是乘法。从那里走到它的第二个输入。",
                ),
            ),
        ),
        otherwise=Words(
            "Print d.grad_fn, then d.grad_fn.next_functions, and go on from there.",
            "先打印 d.grad_fn，再打印 d.grad_fn.next_functions，然后继续往下走。",
        ),
    ),
    "07.3": Exercise(
        solution="lambda node, g: (g * node._saved_result.item(),)",
        right=lambda rule, one, other: (
            gives(rule, one, GRADIENT * AT_ONE) and gives(rule, other, GRADIENT * AT_E)
        ),
        because=Words(
            "What comes in, times the derivative: 3 * e at 1, if 3 comes in.",
            "收到的乘以导数：在 1 处若收到 3，就给出 3 * e。",
        ),
        hints=(
            Hint(
                "lambda node, g: g * node._saved_result.item()",
                lambda rule, one, other: number(GRADIENT * AT_E)(rule(other, GRADIENT)),
                Words(
                    "The number is right. Return a tuple with it, one part for each input: "
                    "(..., ).",
                    "数对了。请返回包含它的元组，每个输入一项：(..., )。",
                ),
            ),
            Hint(
                "lambda node, g: (node._saved_result.item(),)",
                lambda rule, one, other: gives(rule, other, AT_E),
                Words(
                    "That is the derivative alone. It must be multiplied by what comes in, g.",
                    "这只是导数，还要乘以收到的 g。",
                ),
            ),
            Hint(
                "lambda node, g: (g * 2.71828,)",
                lambda rule, one, other: gives(rule, one, GRADIENT * AT_ONE),
                Words(
                    "That is right for this node alone. At another place the derivative is "
                    "another: read it from the node.",
                    "只对这一个节点是对的。在别处导数就不同了：请从节点里读出来。",
                ),
            ),
            Hint(
                "lambda node, g: (g,)",
                lambda rule, one, other: gives(rule, one, GRADIENT),
                Words(
                    "That hands g on unchanged, as an addition does. Multiply by the derivative.",
                    "这是把 g 原样传下去，像加法那样。还要乘以导数。",
                ),
            ),
            Hint(
                "lambda node, g: (g * node._saved_self.item(),)",
                asks_for_what_is_not_there,
                Words(
                    "The exponential does not save its input. What it keeps is called "
                    "_saved_result.",
                    "指数函数不保存输入，它留下的叫 _saved_result。",
                ),
            ),
        ),
        otherwise=Words(
            "A function of node and g that returns a tuple with one number: g times the derivative "
            "of exp.",
            "以 node 和 g 为参数、返回只含一个数的元组的函数：g 乘以 exp 的导数。",
        ),
    ),
    "07.4": Exercise(
        solution='["d", "c", "b", "a"]',
        right=in_order("d", "c", "b", "a"),
        because=Words(
            "Each one comes after all that use it: b after d and c, a after c and b.",
            "每个都排在使用它的所有节点之后：b 在 d 和 c 之后，a 在 c 和 b 之后。",
        ),
        hints=(
            Hint(
                '["d", "b", "c", "a"]',
                in_order("d", "b", "c", "a"),
                Words(
                    "b would run too early: c uses b as well and has not handed over its part yet.",
                    "b 执行得太早了：c 也使用 b，还没有把它那一份交出来。",
                ),
            ),
            Hint(
                '["a", "b", "c", "d"]',
                in_order("a", "b", "c", "d"),
                Words(
                    "That is the order of the forward computation. A backward pass starts at d.",
                    "这是前向计算的顺序。反向传播从 d 开始。",
                ),
            ),
            Hint(
                '["d", "c", "a", "b"]',
                in_order("d", "c", "a", "b"),
                Words(
                    "a would run too early: b uses a, and b has not run yet.",
                    "a 执行得太早了：b 使用 a，而 b 还没有执行。",
                ),
            ),
        ),
        otherwise=Words(
            "Four names, d first. For each of the others ask: who uses it, and have they all run?",
            "四个名字，d 在最前。对其余的每一个问：谁使用它，它们都执行过了吗？",
        ),
    ),
}
