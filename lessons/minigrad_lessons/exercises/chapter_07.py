"""Exercises of chapter 07, inside the graph."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .exercise import Exercise, Hint, Test, Words
from .recognise import alike, each

ADD, MUL, EXP, LEAF = "AddBackward0", "MulBackward0", "ExpBackward0", "AccumulateGrad"

WALKS: tuple[list[list[Any]], ...] = (
    [[ADD, 1], [ADD, 2], [LEAF, 4]],
    [[MUL, 1], [ADD, 3], [MUL, 3], [LEAF, 12], [LEAF, 14]],
    [[ADD, 1], [EXP, 1], [MUL, math.e], [ADD, 2 * math.e + 1], [LEAF, 4 * math.e + 2]],
    [*([ADD, 2**k] for k in range(60)), [LEAF, 2**60]],
)
"""The gradients at the nodes in the four programs of 07.1's probe, in the nodes' order."""

LEAVES = (3.0, -1.5, 0.25)
"""The second factors of the products in 07.2's probe; the first are twice as large."""

ASKED = ((1.0, 3.0), (-1.0, 0.5), (0.5, -2.0))
"""Where the probe of 07.3 asks for the rule's answer, and what comes in there."""


def walked(change: Callable[[list[list[Any]]], list[list[Any]]]) -> Test:
    """These pairs for each program, in whatever order."""

    def test(seen: Any) -> bool:
        return len(seen) == len(WALKS) and all(
            alike(in_line(found), in_line(change(right)))
            for found, right in zip(seen, WALKS, strict=True)
        )

    return test


def in_turn(seen: Any) -> bool:
    """The pairs of each program stand in an order in which the nodes may run.

    The two leaves of the second program may change places, and nothing else.
    """
    first, second, *rest = WALKS
    return any(
        alike(seen, [first, [*second[:3], *leaves], *rest])
        for leaves in (second[3:], second[:2:-1])
    )


def in_line(pairs: Any) -> Any:
    return sorted(pairs, key=lambda pair: (pair[0], pair[1]))


def hands_on(gradient: Callable[[float, float], Any]) -> Test:
    """Accept a rule that returns this of place and g."""
    return each(*(gradient(at, g) for at, g in ASKED))


def in_order(*names: str) -> Test:
    return each(*names)


def told_apart(right: Any, again: Any, mg: Any, early: Any, last: Any) -> bool:
    """The right engine, a second time, minigrad or PyTorch, and two wrong engines."""
    return right == again == mg and len({right, early, last}) == 3


EXERCISES = {
    "07.1": Exercise(
        asks=("in_order",),
        probe="""
            def leaf(value):
                return mg.tensor(value, requires_grad=True)

            def doubled(times):
                result = leaf(1.0)
                for _ in range(times):
                    result = result + result
                return result

            rules = {
                "AddBackward0": lambda node, g: (g, g),
                "MulBackward0": lambda node, g: (
                    g * node._saved_other.item(),
                    g * node._saved_self.item(),
                ),
                "ExpBackward0": lambda node, g: (g * node._saved_result.item(),),
            }
            a, b, x = leaf(2.0), leaf(3.0), leaf(0.5)
            h = x + x
            seen = [
                list(in_order(result.grad_fn, rules))
                for result in (doubled(2), (a * b + a) * b, mg.exp(h * h) + h, doubled(60))
            ]
        """,
        solution="waiting = count_uses(root)\n"
        "arrived, ready, order = {root: 1.0}, [root], []\n"
        "while ready:\n    node = ready.pop()\n"
        "    order.append((type(node).__name__, arrived[node]))\n"
        '    if not hasattr(node, "variable"):\n'
        "        parts = rules[node.name()](node, arrived[node])\n"
        "        for (below, index), part in zip(node.next_functions, parts):\n"
        "            arrived[below] = arrived.get(below, 0.0) + part\n"
        "            waiting[below] -= 1\n"
        "            if waiting[below] == 0:\n                ready.append(below)\n"
        "return order",
        accepted=(
            "listed = []\n\ndef visit(node):\n    if node not in listed:\n"
            "        for below, index in node.next_functions:\n            visit(below)\n"
            "        listed.append(node)\n\nvisit(root)\ng = {node: 0.0 for node in listed}\n"
            "g[root] = 1.0\nfor node in reversed(listed):\n"
            '    if not hasattr(node, "variable"):\n'
            "        parts = rules[node.name()](node, g[node])\n"
            "        for (below, _), part in zip(node.next_functions, parts):\n"
            "            g[below] += part\n"
            "return [[type(node).__name__, g[node]] for node in reversed(listed)]",
            "uses, got = count_uses(root), {root: [1.0]}\nline = [root]\nfor node in line:\n"
            '    g = sum(got[node])\n    if hasattr(node, "variable"):\n        continue\n'
            "    for edge, part in zip(node.next_functions, rules[node.name()](node, g)):\n"
            "        got.setdefault(edge[0], []).append(part)\n"
            "        if len(got[edge[0]]) == uses[edge[0]]:\n            line.append(edge[0])\n"
            "return [(type(node).__name__, sum(got[node])) for node in line]",
        ),
        rejected=(
            "return []",
            "return [(type(root).__name__, 1.0)]",
            "def visit(node, g):\n    order.append((type(node).__name__, g))\n"
            '    if not hasattr(node, "variable"):\n'
            "        parts = rules[node.name()](node, g)\n"
            "        for (below, index), part in zip(node.next_functions, parts):\n"
            "            visit(below, part)\n\norder = []\nvisit(root, 1.0)\nreturn order",
            "return list(count_uses(root))",
        ),
        right=in_turn,
        because=Words(
            "Each node ran once, with all that arrives at it, in four graphs; the last one has "
            "2 ** 60 paths.",
            "在四张图上，每个节点都只执行了一次，用的是到达它的一切之和；最后一张图有 2 ** 60 条"
            "路径。",
        ),
        hints=(
            Hint(
                "arrived, order = {root: 0.0}, []\n\ndef arrive(node, g):\n"
                "    first = node not in order\n    arrived[node] = arrived.get(node, 0.0) + g\n"
                "    if first:\n        order.append(node)\n"
                '    if first and not hasattr(node, "variable"):\n'
                "        parts = rules[node.name()](node, g)\n"
                "        for (below, index), part in zip(node.next_functions, parts):\n"
                "            arrive(below, part)\n\narrive(root, 1.0)\n"
                "return [(type(node).__name__, arrived[node]) for node in order]",
                lambda seen: alike(in_line(seen[0]), [[LEAF, 2], [ADD, 1], [ADD, 2]]),
                Words(
                    "For b = a + a, c = b + b your walk finds 2 for the leaf, and 4 is right: not "
                    "all that arrives at the node of b was handed on. It has to wait for both "
                    "parts.",
                    "对 b = a + a，c = b + b，你的遍历给叶子节点的是 2，而正确的是 4：到达 b 的节点"
                    "的"
                    "梯度没有全部往下传。它要等两份都到齐。",
                ),
            ),
            Hint(
                "waiting, arrived, ready = count_uses(root), {root: 1.0}, [root]\n"
                "while ready:\n    node = ready.pop()\n"
                '    if not hasattr(node, "variable"):\n'
                "        parts = rules[node.name()](node, arrived[node])\n"
                "        for (below, index), part in zip(node.next_functions, parts):\n"
                "            arrived[below] = arrived.get(below, 0.0) + part\n"
                "            waiting[below] -= 1\n"
                "            if waiting[below] == 0:\n                ready.append(below)\n"
                "return [(type(node).__name__, g) for node, g in arrived.items()]",
                lambda seen: walked(lambda pairs: pairs)(seen) and not in_turn(seen),
                Words(
                    "All pairs are right, but they are not in the order in which the nodes run: a "
                    "node comes after every node that leads to it.",
                    "每一对都对，但没有按节点执行的顺序排列：一个节点要排在所有通向它的节点之后。",
                ),
            ),
            Hint(
                "waiting = count_uses(root)\n"
                "arrived, ready, order = {root: 1.0}, [root], []\n"
                "while ready:\n    node = ready.pop()\n"
                '    if hasattr(node, "variable"):\n        continue\n'
                "    order.append((type(node).__name__, arrived[node]))\n"
                "    parts = rules[node.name()](node, arrived[node])\n"
                "    for (below, index), part in zip(node.next_functions, parts):\n"
                "        arrived[below] = arrived.get(below, 0.0) + part\n"
                "        waiting[below] -= 1\n"
                "        if waiting[below] == 0:\n            ready.append(below)\n"
                "return order",
                walked(lambda pairs: [pair for pair in pairs if pair[0] != LEAF]),
                Words(
                    "All operations are right. The nodes of the leaves belong into the list, too.",
                    "所有运算都对。叶子节点的节点也要列进去。",
                ),
            ),
            Hint(
                "waiting = count_uses(root)\n"
                "arrived, ready, order = {root: 1.0}, [root], []\n"
                "while ready:\n    node = ready.pop()\n"
                "    order.append((type(node).__name__, arrived[node]))\n"
                '    if not hasattr(node, "variable"):\n'
                "        parts = rules[node.name()](node, arrived[node])\n"
                "        for (below, index), part in zip(node.next_functions, parts):\n"
                "            arrived[below] = part\n"
                "            waiting[below] -= 1\n"
                "            if waiting[below] == 0:\n                ready.append(below)\n"
                "return order",
                lambda seen: alike(in_line(seen[0]), [[LEAF, 1], [ADD, 1], [ADD, 1]]),
                Words(
                    "For b = a + a, c = b + b each node has 1 in your list: of the parts that "
                    "arrive there is one where their sum should be.",
                    "对 b = a + a，c = b + b，你的列表里每个节点都是 1：那里应当是到达的各份之和，"
                    "你却只有其中一份。",
                ),
            ),
        ),
        otherwise=Words(
            "A list of pairs of name and number, each node once: begin with the root and 1; run a "
            "node when its count has come down to 0.",
            "由“名字和数”组成的列表，每个节点一次：从根节点和 1 开始；一个节点的计数减到 0，就"
            "执行它。",
        ),
    ),
    "07.2": Exercise(
        asks=("second_leaf",),
        probe="""
            seen = []
            for second in (3.0, -1.5, 0.25):
                a = mg.tensor(2 * second, requires_grad=True)
                b = mg.tensor(second, requires_grad=True)
                d = mg.exp(a * b)
                found = second_leaf(d)
                seen.append([found, found is b])
        """,
        solution="d.grad_fn.next_functions[0][0].next_functions[1][0].variable",
        accepted=(
            "d.grad_fn.next_functions[-1][0].next_functions[-1][0].variable",
            "def second_leaf(d):\n    node = d.grad_fn\n    while not hasattr(node, 'variable'):\n"
            "        node = node.next_functions[-1][0]\n    return node.variable",
            "[[n.variable for n, _ in node.next_functions] "
            "for node, _ in d.grad_fn.next_functions][0][1]",
        ),
        rejected=(
            "d.grad_fn",
            "mg.tensor(3.0)",
            "d",
            "d.grad_fn.next_functions[0][0].next_functions[1][0].variable.detach()",
        ),
        right=each(*([second, True] for second in LEAVES)),
        because=Words(
            "Exponential, product, second input, leaf: the very tensor, not a copy.",
            "指数函数，乘法，第二个输入，叶子节点：就是那个张量，不是拷贝。",
        ),
        hints=(
            Hint(
                "d.grad_fn.next_functions[0][0].next_functions[0][0].variable",
                each(*([2 * second, False] for second in LEAVES)),
                Words(
                    "That is the first input of the product. Inputs are counted from 0.",
                    "这是乘法的第一个输入。输入从 0 数起。",
                ),
            ),
            Hint(
                "d.grad_fn.next_functions[0][0].next_functions[1][0]",
                each(*([{"type": LEAF}, False] for second in LEAVES)),
                Words(
                    "That is an AccumulateGrad node. One more step: which attribute holds the "
                    "leaf?",
                    "这是一个 AccumulateGrad 节点。还差一步：哪个属性持有叶子节点？",
                ),
            ),
            Hint(
                "d.grad_fn.next_functions[0][0].next_functions[1]",
                each(*([[{"type": LEAF}, 0], False] for second in LEAVES)),
                Words(
                    "That is an edge to the node of a leaf, a pair of node and index. Take its "
                    "first half.",
                    "这是通向叶子节点的一条边，由节点和序号组成的一对。请取它的前一半。",
                ),
            ),
            Hint(
                "d.grad_fn.next_functions[0][0]",
                each(*([{"type": MUL}, False] for second in LEAVES)),
                Words(
                    "That is the node of the product. From there go to its second input.",
                    "这是乘法的节点。从那里走到它的第二个输入。",
                ),
            ),
        ),
        otherwise=Words(
            "Make a d of your own and print d.grad_fn, then d.grad_fn.next_functions, and go on "
            "from there.",
            "自己建一个 d，先打印 d.grad_fn，再打印 d.grad_fn.next_functions，然后继续往下走。",
        ),
    ),
    "07.3": Exercise(
        asks=("exp_rule",),
        probe="""
            seen = []
            for at, g in ((1.0, 3.0), (-1.0, 0.5), (0.5, -2.0)):
                node = mg.exp(mg.tensor(at, requires_grad=True)).grad_fn
                seen.append(exp_rule(node, g))
        """,
        solution="(g * node._saved_result.item(),)",
        accepted=(
            "[g * float(node._saved_result)]",
            "exp_rule = lambda node, g: (node._saved_result.detach() * g,)",
            "def exp_rule(node, g):\n    slope = node._saved_result.item()\n"
            "    return tuple([slope * g])",
        ),
        rejected=(
            "(g * node._saved_self.item(),)",
            "(-g * node._saved_result.item(),)",
            "(g * node._saved_result.item(), 0)",
            "None",
        ),
        right=hands_on(lambda at, g: [g * math.exp(at)]),
        because=Words(
            "What comes in, times the derivative: 3 * e at 1, if 3 comes in.",
            "收到的乘以导数：在 1 处若收到 3，就给出 3 * e。",
        ),
        hints=(
            Hint(
                "g * node._saved_result.item()",
                hands_on(lambda at, g: g * math.exp(at)),
                Words(
                    "The number is right. Return a tuple with it, one part for each input: "
                    "(..., ).",
                    "数对了。请返回包含它的元组，每个输入一项：(..., )。",
                ),
            ),
            Hint(
                "(node._saved_result.item(),)",
                hands_on(lambda at, g: [math.exp(at)]),
                Words(
                    "That is the derivative alone. It must be multiplied by what comes in, g.",
                    "这只是导数，还要乘以收到的 g。",
                ),
            ),
            Hint(
                "(g * 2.718281828,)",
                hands_on(lambda at, g: [g * math.e]),
                Words(
                    "That is g times e: right at 1 alone. At another place the derivative is "
                    "another: read it from the node.",
                    "这是 g 乘以 e：只在 1 处是对的。在别处导数就不同了：请从节点里读出来。",
                ),
            ),
            Hint(
                "(g,)",
                hands_on(lambda at, g: [g]),
                Words(
                    "That hands g on unchanged, as an addition does. Multiply by the derivative.",
                    "这是把 g 原样传下去，像加法那样。还要乘以导数。",
                ),
            ),
            Hint(
                "(g * mg.exp(node._saved_result).item(),)",
                hands_on(lambda at, g: [g * math.exp(math.exp(at))]),
                Words(
                    "The exponential was taken twice: what the node has saved is the result "
                    "already.",
                    "指数函数算了两次：节点保存的已经是结果了。",
                ),
            ),
        ),
        otherwise=Words(
            "Return a tuple with one number: g times the derivative of exp. The node keeps its "
            "result, in _saved_result, and not its input.",
            "返回只含一个数的元组：g 乘以 exp 的导数。节点保存的是自己的结果，即 _saved_result，"
            "而不是输入。",
        ),
    ),
    "07.4": Exercise(
        asks=("run_order",),
        solution='["d", "c", "b", "a"]',
        accepted=('("d", "c", "b", "a")', "list('dcba')", '["d"] + ["c", "b"] + ["a"]'),
        rejected=(
            '"dcba"',
            '{"a", "b", "c", "d"}',
            '["d", "c", "b"]',
            '["d", "a", "b", "c"]',
            "[4, 3, 2, 1]",
        ),
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
            "A list of four names, d first. For each of the others ask: who uses it, and have they "
            "all run?",
            "四个名字的列表，d 在最前。对其余的每一个问：谁使用它，它们都执行过了吗？",
        ),
    ),
    "07.5": Exercise(
        asks=("tell",),
        probe="""
            from minigrad_lessons.engine.wrong import right_engine, wrong_engine

            engines = [right_engine(), right_engine(), mg]
            engines += [wrong_engine("without_order"), wrong_engine("overwrites")]
            for engine in engines:
                if engine is not mg:
                    engine.__name__ = "engine"  # its numbers are to tell it, and not its name
            found = [tell(engine) for engine in engines]
            found = [one.item() if hasattr(one, "item") else one for one in found]
            # One engine's last digits may differ from another's.
            seen = [float(f"{one:.5g}") if type(one) is float else one for one in found]
        """,
        solution="a = lib.tensor(1.0, requires_grad=True)\nb = a + a\nc = b + b\nc.backward()\n"
        "return a.grad.item()",
        accepted=(
            "x = lib.tensor(2.0, requires_grad=True)\nh = x * x\n(h * h).backward()\n"
            "return x.grad.item()",
            "def tell(lib):\n    x = lib.tensor(1.0, requires_grad=True)\n    y = x\n"
            "    for _ in range(3):\n        y = y + y\n    y.backward()\n"
            "    return x.grad.item()",
            "x = lib.tensor(3.0, requires_grad=True)\nh = x * x + x\n(h * h + h).backward()\n"
            "return x.grad",
            "x = lib.tensor(0.5, requires_grad=True)\nh = lib.exp(x * x)\n(h * h).backward()\n"
            "return x.grad.item()",
        ),
        rejected=(
            "return id(lib)",
            "return None",
            "x = lib.tensor(2.0, requires_grad=True)\nreturn x.grad",
        ),
        right=lambda seen: all(type(one) in (int, float) for one in seen) and told_apart(*seen),
        because=Words(
            "Three engines, three answers. Whoever gives one of the two wrong ones shows which "
            "belief it comes from.",
            "三个引擎，三种结果。谁给出其中一个错误的结果，就看得出它来自哪个误解。",
        ),
        hints=(
            Hint(
                "x = lib.tensor(3.0, requires_grad=True)\n(x * x + x).backward()\n"
                "return x.grad.item()",
                lambda seen: (
                    seen[0] == seen[1] == seen[2] == seen[3] != seen[4]
                    and all(type(one) in (int, float) for one in seen)
                ),
                Words(
                    'This tells "overwrites" apart, and "without_order" gives the right answer. '
                    "Order matters only where a result of an operation is used more than once.",
                    '它能区分 "overwrites"，但 "without_order" 也给出正确的结果。只有当某个运算'
                    "的结果被用了不止一次时，顺序才起作用。",
                ),
            ),
            Hint(
                "x = lib.tensor(3.0, requires_grad=True)\n(x * 2).backward()\nreturn x.grad.item()",
                lambda seen: (
                    len(set(map(str, seen))) == 1 and all(type(one) in (int, float) for one in seen)
                ),
                Words(
                    "All engines give the same answer. They differ only where something arrives "
                    "more than once.",
                    "所有引擎的结果都一样。只有当某处到达不止一次时，它们才有区别。",
                ),
            ),
            Hint(
                "a = lib.tensor(1.0, requires_grad=True)\nb = a * 1\nc = b + b\nc.backward()\n"
                "return a.grad.item()",
                lambda seen: (
                    seen[0] == seen[1] == seen[2] != seen[3] == seen[4]
                    and all(type(one) in (int, float) for one in seen)
                ),
                Words(
                    "Both wrong engines are told from the right one, but not from each other: they "
                    "give the same number.",
                    "两个错误的引擎都与正确的区分开了，但它们彼此没有区分开：两者给出同一个数。",
                ),
            ),
        ),
        otherwise=Words(
            "Build a graph on `lib` in which a result is used more than once, call backward(), and "
            "return .grad.item() of a leaf: one number, the same each time on the same engine.",
            "用 `lib` 建一张图，其中某个中间结果被用了不止一次；调用 backward()，返回叶子节点的 "
            ".grad.item()：一个数，在同一个引擎上每次都相同。",
        ),
    ),
}
