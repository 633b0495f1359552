"""Exercises of chapter 01, the computational graph."""

from __future__ import annotations

import math
from typing import Any

from .exercise import Exercise, Hint, Words
from .recognise import alike, each, nothing, number, word
from .sentences import RETURNS_NONE

POWERS = (1, 2, 3, 7, 16, 100)


def both_edges(seen: Any) -> bool:
    """The right value, and the root an addition of the leaf and the leaf."""
    return alike(
        seen,
        [
            [4.0, "AddBackward0", [True, True]],
            [-6.0, "AddBackward0", [True, True]],
            [[2.0, 3.0], "AddBackward0", [True, True]],
        ],
    )


def powers(seen: Any) -> bool:
    """The values alone."""
    return all(
        math.isclose(value, 1.01**n, rel_tol=1e-4)
        for (value, slope, names), n in zip(seen, POWERS, strict=True)
    )


def graphs(seen: Any) -> bool:
    """Each power came with a graph, and the way back through it gives the right slope."""
    return all(
        slope is not None and math.isclose(slope, n * 1.01 ** (n - 1), rel_tol=1e-4)
        for (value, slope, names), n in zip(seen, POWERS, strict=True)
    )


def products_only(seen: Any) -> bool:
    return {name for value, slope, names in seen for name in names} == {"MulBackward0"}


EXERCISES = {
    "01.1": Exercise(
        asks=("accumulate_nodes",),
        solution="2",
        accepted=("2.0", "len({p, q})", "mg.tensor(2)"),
        rejected=("4", "0", "'2'", "None", "[2, 2]"),
        right=number(2),
        because=Words(
            "One leaf node for p and one for q. Five edges lead to them, but an edge is not a "
            "node.",
            "p 和 q 各有一个叶子节点。通向它们的边有五条，但边不是节点。",
        ),
        hints=(
            Hint(
                "5",
                number(5),
                Words(
                    "p and q are used 5 times. Each use is an edge; all edges of one leaf meet in "
                    "one node.",
                    "p 和 q 一共被使用 5 次。每次使用是一条边，同一个叶子节点的边都汇到同一个节点。"
                    "",
                ),
            ),
            Hint(
                "6",
                number(6),
                Words(
                    "6 is the number of all nodes. The question is about those that are named "
                    "AccumulateGrad.",
                    "6 是全部节点的个数。这里只问名为 AccumulateGrad 的节点。",
                ),
            ),
            Hint(
                "3",
                number(3),
                Words(
                    "p, q and r are 3 tensors, but r is a result: its node is an addition.",
                    "p、q、r 是 3 个张量，但 r 是运算的结果，它的节点是一次加法。",
                ),
            ),
        ),
        otherwise=Words(
            "Draw it: viz.draw(r). Which tensors have no operation behind them?",
            "画出来看看：viz.draw(r)。哪些张量不是由运算得到的？",
        ),
    ),
    "01.2": Exercise(
        asks=("root_name",),
        solution='"NegBackward0"',
        accepted=("(-(a / b)).grad_fn.name()", '" NegBackward0 "'),
        rejected=('"minus"', '"SubBackward0"'),
        right=word("NegBackward0"),
        because=Words(
            "The minus sign is applied last, so it is the root. The division is the next node "
            "below it.",
            "负号最后执行，所以它是根节点，除法是它下面的那个节点。",
        ),
        hints=(
            Hint(
                '"DivBackward0"',
                word("DivBackward0"),
                Words(
                    "The division runs first. grad_fn names the operation that ran last.",
                    "除法是先执行的。grad_fn 记录的是最后执行的运算。",
                ),
            ),
            Hint(
                '"MulBackward0"',
                word("MulBackward0"),
                Words(
                    "Nothing is multiplied here: minus is an operation of its own.",
                    "这里没有乘法：取负本身就是一种运算。",
                ),
            ),
            Hint(
                '"Neg"',
                lambda seen: "neg" in seen.lower() and "div" not in seen.lower(),
                Words(
                    "The right operation. Write the node's whole name, as grad_fn.name() "
                    "returns it.",
                    "运算找对了。请写出节点的全名，即 grad_fn.name() 返回的字符串。",
                ),
            ),
            Hint(
                "(-(a / b)).grad_fn",
                lambda seen: alike(seen, {"type": "NegBackward0"}),
                Words(
                    "That is the node itself. Its name is a string: name() returns it.",
                    "这是节点本身。它的名字是一个字符串，由 name() 返回。",
                ),
            ),
        ),
        otherwise=Words(
            "Which operation of -(a / b) runs last? Its name, then Backward0.",
            "-(a / b) 中哪个运算最后执行？写出它的名字，再加上 Backward0。",
        ),
    ),
    "01.3": Exercise(
        asks=("twice",),
        probe="""
            seen = []
            for at in (2.0, -3.0, [1.0, 1.5]):
                a = mg.tensor(at, requires_grad=True)
                result = twice(a)
                root = getattr(result, "grad_fn", None)
                below = [] if root is None else [node for node, slot in root.next_functions]
                seen.append([
                    result,
                    None if root is None else root.name(),
                    [getattr(node, "variable", None) is a for node in below],
                ])
        """,
        solution="a + a",
        accepted=("a.add(a)", "mg.add(a, a)", "twice = lambda a: a + a", "(lambda t: t + t)(a)"),
        rejected=("a", "a - a", "a - (-a)", "a.detach() * 3", "twice(a)"),
        right=both_edges,
        because=Words(
            "Two edges leave the addition, and both end at the one leaf a.",
            "加法节点引出两条边，两条都通向同一个叶子节点 a。",
        ),
        hints=(
            Hint(
                "a * 2",
                lambda seen: {root for value, root, edges in seen} == {"MulBackward0"},
                Words(
                    "The root of this graph is a multiplication. It should be an addition.",
                    "这张图的根节点是乘法，而它应当是加法。",
                ),
            ),
            Hint(
                "a + a.detach()",
                lambda seen: all(
                    root == "AddBackward0" and not all(edges) for value, root, edges in seen
                ),
                Words(
                    "The root is an addition, but not both of its edges lead to the leaf a.",
                    "根节点是加法，但它的两条边并没有都通向叶子节点 a。",
                ),
            ),
            Hint(
                "a.detach() * 2",
                lambda seen: (
                    {root for value, root, edges in seen} == {None}
                    and alike([value for value, root, edges in seen], [4, -6, [2, 3]])
                ),
                Words(
                    "The values are right, but they have no grad_fn: no graph leads back to a.",
                    "数值对了，但没有 grad_fn：没有图通回 a。",
                ),
            ),
            Hint(
                "print(a + a)",
                lambda seen: all(value is None for value, root, edges in seen),
                RETURNS_NONE,
            ),
        ),
        otherwise=Words(
            "Look at twice(a).grad_fn.name() and at twice(a).grad_fn.next_functions.",
            "看一看 twice(a).grad_fn.name() 和 twice(a).grad_fn.next_functions。",
        ),
    ),
    "01.4": Exercise(
        asks=("start_weights",),
        probe="""
            w = start_weights()
            seen = [w, w.is_leaf, w.requires_grad]
        """,
        solution="(mg.ones(3) * 0.1).requires_grad_()",
        accepted=(
            "mg.tensor([0.1, 0.1, 0.1], requires_grad=True)",
            "mg.full((3,), 0.1, requires_grad=True)",
            "(mg.ones(3, requires_grad=True) * 0.1).detach().requires_grad_()",
            "mg.nn.Parameter(mg.ones(3) / 10)",
        ),
        rejected=("mg.tensor([0.1], requires_grad=True)", "[0.1, 0.1, 0.1]"),
        right=each([0.1, 0.1, 0.1], True, True),
        because=Words(
            "It has the values, no recorded operation made it, and it asks for a gradient.",
            "数值对了，它不是由被记录的运算得到的，而且要求梯度。",
        ),
        hints=(
            Hint(
                "mg.ones(3, requires_grad=True) * 0.1",
                each([0.1, 0.1, 0.1], False, True),
                Words(
                    "That is the result of a recorded operation. The leaf is another tensor.",
                    "这是被记录的运算的结果。叶子节点是另一个张量。",
                ),
            ),
            Hint(
                "mg.ones(3) * 0.1",
                each([0.1, 0.1, 0.1], True, False),
                Words(
                    "It is a leaf, but nothing will be recorded for it: requires_grad is False.",
                    "它是叶子节点，但 requires_grad 为 False，不会为它做任何记录。",
                ),
            ),
            Hint(
                "mg.ones(3, requires_grad=True)",
                each([1, 1, 1], True, True),
                Words("The values should be 0.1, not 1.", "元素的值应当是 0.1，而不是 1。"),
            ),
        ),
        otherwise=Words(
            "Three things must hold: values [0.1, 0.1, 0.1], is_leaf, requires_grad.",
            "需要同时满足三点：值为 [0.1, 0.1, 0.1]，is_leaf 为真，requires_grad 为真。",
        ),
    ),
    "01.5": Exercise(
        asks=("count_operations",),
        probe="""
            x = mg.tensor(1.5, requires_grad=True)
            y = mg.tensor(2.0, requires_grad=True)
            w = mg.ones(2, 1, requires_grad=True)
            once = x * y
            often = x
            for _ in range(12):
                often = often * 1.01
                often = often * often
            seen = [
                count_operations(each)
                for each in (
                    x * 2,
                    once * once + once,
                    often,
                    (mg.ones(1, 2) @ w + w[0]).sum(),
                    x * 2 + y * 3 * 5,
                    -(x / y),
                )
            ]
        """,
        solution="""\
seen = [result.grad_fn]
for node in seen:  # the list grows while we go through it
    for below, slot in node.next_functions:
        if below is not None and not hasattr(below, "variable") and below not in seen:
            seen.append(below)
return len(seen)""",
        accepted=(
            """\
seen, waiting = set(), [result.grad_fn]
while waiting:
    node = waiting.pop()
    if node is None or node in seen or "AccumulateGrad" in node.name():
        continue
    seen.add(node)
    waiting += [below for below, slot in node.next_functions]
return len(seen)""",
            """\
def below(node, seen):
    if node is not None and not hasattr(node, "variable") and node not in seen:
        seen.add(node)
        for each, slot in node.next_functions:
            below(each, seen)
    return seen
return len(below(result.grad_fn, set()))""",
        ),
        rejected=(
            """\
node, count = result.grad_fn, 0
while node is not None and not hasattr(node, "variable"):
    node, count = node.next_functions[0][0], count + 1
return count""",
            "return len(result.grad_fn.next_functions)",
            "return 1",
        ),
        right=each(1, 3, 24, 4, 4, 2),
        because=Words(
            "Each node counts once, in chains, where ways meet, and next to inputs that ask for "
            "nothing.",
            "一条链、几条路相遇、有输入不要求梯度，这几种情形下，每个节点都只算一次。",
        ),
        hints=(
            Hint(
                """\
def count(node):
    if node is None or hasattr(node, "variable"):
        return 0
    return 1 + sum(count(below) for below, slot in node.next_functions)
return count(result.grad_fn)""",
                each(1, 5, 12285, 4, 4, 2),
                Words(
                    "A node to which several ways lead was counted once for each way. Remember "
                    "which you have seen.",
                    "有几条路通到的节点，被按路的条数各算了一次。请记住哪些已经见过。",
                ),
            ),
            Hint(
                """\
seen = [result.grad_fn]
for node in seen:
    seen += [n for n, slot in node.next_functions if n is not None and n not in seen]
return len(set(seen))""",
                each(2, 5, 25, 5, 6, 4),
                Words(
                    "The AccumulateGrad nodes have been counted, too. They are no operations. They "
                    "have a `variable`; their whole name(), as PyTorch has it, is longer.",
                    "AccumulateGrad 节点也被算进去了，而它们不是运算。它们有 `variable`；它们的 "
                    "name() 与 PyTorch 一样，比 AccumulateGrad 长。",
                ),
            ),
            Hint("print(result.grad_fn)", nothing, RETURNS_NONE),
        ),
        otherwise=Words(
            "For x * 2 + y * 3 * 5 the answer is 4, for y = x * x, y * y + y it is 3.",
            "x * 2 + y * 3 * 5 的答案是 4；y = x * x 时，y * y + y 的答案是 3。",
        ),
    ),
    "01.6": Exercise(
        asks=("power",),
        probe="""
            seen = []
            for n in (1, 2, 3, 7, 16, 100):
                x = mg.tensor(1.01, requires_grad=True)
                result = power(x, n)
                root = getattr(result, "grad_fn", None)
                found = [root] if root is not None else []
                for node in found:
                    below = [each for each, slot in node.next_functions if each is not None]
                    new = [each for each in below if not hasattr(each, "variable")]
                    found += [each for each in dict.fromkeys(new) if each not in found]
                slope = None
                if getattr(result, "requires_grad", False):
                    (slope,) = mg.autograd.grad(result, x, allow_unused=True)
                seen.append([result, slope, [node.name() for node in found]])
        """,
        solution="""\
if n == 1:
    return x
half = power(x, n // 2)
return half * half if n % 2 == 0 else half * half * x""",
        accepted=(
            """\
result = None
while n:
    if n % 2:
        result = x if result is None else result * x
    x, n = x * x, n // 2
return result""",
            """\
result = 1
for bit in bin(n)[2:]:
    result = result * result
    if bit == "1":
        result = result * x
return result""",
        ),
        rejected=(
            "return x * n",
            "return x",
            "return x * x",
            "with mg.no_grad():\n    return 0 * x",
        ),
        right=lambda seen: (
            powers(seen) and graphs(seen) and products_only(seen) and len(seen[-1][2]) <= 12
        ),
        because=Words(
            "The values are right, and a dozen products are enough for the hundredth power.",
            "数值都对，一百次方用不到十二次以上的乘法。",
        ),
        hints=(
            Hint(
                """\
result = x
for _ in range(n - 1):
    result = result * x
return result""",
                lambda seen: powers(seen) and products_only(seen) and len(seen[-1][2]) > 12,
                Words(
                    "The values are right, but for n = 100 the graph has more than twelve nodes. "
                    "Compute a half of the factors once, and use the result twice.",
                    "数值都对，但 n = 100 时图里的节点多于十二个。一半的因数只算一次，把结果用两"
                    "次。",
                ),
            ),
            Hint(
                "import math\nreturn math.pow(x, n)",
                lambda seen: powers(seen) and not any(names for value, slope, names in seen),
                Words(
                    "The values are right, but no graph leads back from them to x.",
                    "数值都对，但从它们出发没有图通回 x。",
                ),
            ),
            Hint(
                """\
if n == 1:
    return x.detach()
half = power(x, n // 2)
return half * half if n % 2 == 0 else half * half * x""",
                lambda seen: powers(seen) and products_only(seen) and not graphs(seen),
                Words(
                    "The values are right. But the slopes are not, for at least one n: not every "
                    "factor leads back to x.",
                    "数值都对。但至少有一个 n 的斜率不对：并不是每个因数都通回 x。",
                ),
            ),
            Hint(
                "return x**n",
                lambda seen: (
                    powers(seen)
                    and any(
                        name != "MulBackward0" for value, slope, names in seen for name in names
                    )
                ),
                Words(
                    "The values are right, but there are other nodes than MulBackward0 in the "
                    "graph. Use * only.",
                    "数值都对，但图里有 MulBackward0 以外的节点。请只用 *。",
                ),
            ),
            Hint(
                "return x if n == 1 else power(x, n // 2) * power(x, n // 2)",
                lambda seen: all(
                    math.isclose(value, 1.01 ** (1 << n.bit_length() - 1), rel_tol=1e-4)
                    for (value, slope, names), n in zip(seen, POWERS, strict=True)
                ),
                Words(
                    "For n = 2 and 16 the power is right, for 3, 7 and 100 factors are missing: "
                    "what is lost in n // 2 if n is odd?",
                    "n 是 2 和 16 时是对的，是 3、7、100 时少了因数：n 是奇数时，n // 2 丢掉了什"
                    "么？",
                ),
            ),
        ),
        otherwise=Words(
            "Is power(x, 1) equal to x, power(x, 2) to x * x, power(x, 3) to x * x * x?",
            "power(x, 1) 等于 x 吗？power(x, 2) 等于 x * x 吗？power(x, 3) 等于 x * x * x 吗？",
        ),
    ),
}
