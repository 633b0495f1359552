"""Exercises of the week's assignment."""

from __future__ import annotations

from .exercise import Exercise, Hint, Words
from .recognise import each, letters, numbers

EXERCISES = {
    "93.1": Exercise(
        asks=("both_grads",),
        solution="[4.0, 3.0]",
        accepted=("[4, 3]", "(-2 + 3 + 3, 3)", "[mg.tensor(4.0), mg.tensor(3.0)]"),
        rejected=("[0.0, 0.0]", "7.0", "'4, 3'"),
        right=each(4.0, 3.0),
        because=Words(
            "Three edges lead to a: -2 + 3 + 3 = 4. One leads to b and brings a = 3.",
            "通向 a 的边有三条：-2 + 3 + 3 = 4。通向 b 的有一条，带来 a = 3。",
        ),
        hints=(
            Hint(
                "[1.0, 3.0]",
                lambda seen: numbers(seen, [1, 3]),
                Words(
                    "One edge to a is missing: a * a has two inputs, and each of them is a.",
                    "少了一条通向 a 的边：a * a 有两个输入，每个都是 a。",
                ),
            ),
            Hint(
                "[-2.0, 3.0]",
                lambda seen: numbers(seen, [-2, 3]),
                Words(
                    "-2 is what the product brings to a. The square brings more.",
                    "-2 是乘积带给 a 的。平方还会带来更多。",
                ),
            ),
            Hint(
                "[6.0, 3.0]",
                lambda seen: numbers(seen, [6, 3]),
                Words(
                    "6 is what the square brings to a. The product brings something as well.",
                    "6 是平方带给 a 的。乘积也会带来一份。",
                ),
            ),
            Hint(
                "[3.0, 4.0]",
                lambda seen: numbers(seen, [3, 4]),
                Words(
                    "Both numbers are right, in the wrong order: a comes first.",
                    "两个数都对，但顺序反了：先写 a 的。",
                ),
            ),
        ),
        otherwise=Words(
            "Write down what each edge to a brings, and add. Then do the same for b.",
            "写下每条通向 a 的边带来多少，然后相加。对 b 也一样。",
        ),
    ),
    "93.2": Exercise(
        asks=("true_sentences",),
        solution='["a", "c", "d", "f"]',
        accepted=('["F", "D", "C", "A"]', '{"a", "c", "d", "f"}'),
        rejected=('["a"]', '["a", "c", "d"]', '["a", "c", "f"]', "[]"),
        right=letters("acdf"),
        because=Words(
            "1 + 6 + 6 = 13 arrives, the node runs once, reads x, and hands 26 to w alone.",
            "到达的是 1 + 6 + 6 = 13；节点执行一次，读取 x，只把 26 传给 w。",
        ),
        hints=(
            Hint(
                '["a", "c", "e", "f"]',
                letters("acef"),
                Words(
                    "Look at what the page reads: 2 or 3? Towards w, the slope of w * x is x.",
                    "看看这一页读取的是 2 还是 3？对 w 来说，w * x 的斜率是 x。",
                ),
            ),
            Hint(
                '["a", "d", "f", "g"]',
                letters("adfg"),
                Words(
                    "Count the pages on which this node runs: there is one.",
                    "数一数这个节点在几页上执行：只有一页。",
                ),
            ),
            Hint(
                '["b", "c", "d", "f"]',
                letters("bcdf"),
                Words(
                    "42 and 6 are values. What arrives is a sum of gradients.",
                    "42 和 6 是数值。到达的是梯度之和。",
                ),
            ),
        ),
        otherwise=Words(
            "Take the sentences one by one: what arrives, how often the node runs, what it reads, "
            "where the gradient goes.",
            "一句一句地看：到达了什么，节点执行几次，读取了什么，梯度传到哪里。",
        ),
    ),
    "93.3": Exercise(
        asks=("cube_rule",),
        probe="""
            x = mg.tensor([2.0, -1.5, 0.5])
            g = mg.tensor([1.0, -2.0, 3.0])
            seen = [cube_rule(g, x), cube_rule(mg.tensor(4.0), mg.tensor(3.0))]
        """,
        solution="g * 3 * x * x",
        accepted=("3 * x**2 * g", "cube_rule = lambda g, x: g * (x * x + 2 * x * x)"),
        rejected=("x", "g", "print(g)"),
        right=each([12.0, -13.5, 2.25], 108.0),
        because=Words(
            "The slope of the cube is 3x², and it is multiplied by what arrives.",
            "立方的斜率是 3x²，再乘以到达的梯度。",
        ),
        hints=(
            Hint(
                "3 * x * x",
                each([12.0, 6.75, 0.75], 27.0),
                Words(
                    "The slope is right. Multiply it by what arrives, g.",
                    "斜率是对的。还要乘以到达的 g。",
                ),
            ),
            Hint(
                "g * x * x",
                each([4.0, -4.5, 0.75], 36.0),
                Words(
                    "That is one path. In x * x * x there are three factors, so there are three.",
                    "这只是一条路径。x * x * x 有三个因数，所以有三条。",
                ),
            ),
            Hint(
                "g + 3 * x * x",
                each([13.0, 4.75, 3.75], 31.0),
                Words(
                    "Along a path slopes multiply; only where paths meet, they add.",
                    "沿着一条路径斜率相乘；只有在路径相遇时才相加。",
                ),
            ),
            Hint(
                "g * x * x * x",
                each([8.0, 6.75, 0.375], 108.0),
                Words(
                    "x³ is the value of the node. The rule needs its slope.",
                    "x³ 是节点的值。规则需要的是斜率。",
                ),
            ),
        ),
        otherwise=Words(
            "Nudge x = 2 a little: by how many times as much does x³ move? Multiply by g.",
            "把 x = 2 轻推一下：x³ 移动的距离是它的几倍？再乘以 g。",
        ),
    ),
    "93.4": Exercise(
        asks=("grad_of_both",),
        probe="""
            seen = []
            for number in (3.0, -0.5):
                w = mg.tensor(number, requires_grad=True)
                seen.append(grad_of_both(w))
        """,
        solution="(first + second).backward()",
        accepted=(
            "first.backward(retain_graph=True)\nsecond.backward()",
            "mg.autograd.backward([first, second])",
        ),
        rejected=("first.backward()\nsecond.backward()", "w.grad = first + second", "pass"),
        right=each(30.0, -5.0),
        because=Words(
            "The leaf holds the sum of both gradients: 4w + 6w.",
            "叶子节点里是两份梯度之和：4w + 6w。",
        ),
        hints=(
            Hint(
                "first.backward()",
                each(12.0, -2.0),
                Words("That is the gradient of the first loss alone.", "这只是第一个损失的梯度。"),
            ),
            Hint(
                "first.backward(retain_graph=True)\nw.grad = None\nsecond.backward()",
                each(18.0, -3.0),
                Words(
                    "That is the gradient of the second loss alone. Do not clear what the first "
                    "has brought.",
                    "这只是第二个损失的梯度。不要清掉第一个带来的。",
                ),
            ),
            Hint(
                "(first * second).backward()",
                each(648.0, -3.0),
                Words(
                    "That is the gradient of a product of the losses. Their gradients add if the "
                    "losses do.",
                    "这是两个损失之积的梯度。损失相加，梯度才相加。",
                ),
            ),
        ),
        otherwise=Words(
            "One pass from the sum of both losses is enough.",
            "从两个损失之和出发，做一次反向传播就够了。",
        ),
    ),
    "93.5": Exercise(
        asks=("at_b",),
        solution="[6.0, 4.0, 4.0, 10.0]",
        accepted=("[6, 4, 4, 10]", "(6, 4, 4, 6 + 4)"),
        rejected=("[6.0, 4.0, 4.0]", "[1.0, 4.0, 4.0, 44.0]", "10.0"),
        right=each(6.0, 4.0, 4.0, 10.0),
        because=Words(
            "4 arrives where 6 waits. The node should hold their sum, and keeps the last.",
            "6 等在那里，4 到达。节点应当持有它们的和，却只留下了最后的。",
        ),
        hints=(
            Hint(
                "[6.0, 4.0, 10.0, 10.0]",
                lambda seen: numbers(seen, [6, 4, 10, 10]),
                Words(
                    "That would be the right engine. What does this one hold afterwards?",
                    "正确的引擎才是这样。再读一遍：这个引擎之后持有的是什么？",
                ),
            ),
            Hint(
                "[4.0, 6.0, 6.0, 10.0]",
                lambda seen: numbers(seen, [4, 6, 6, 10]),
                Words(
                    "The order is reversed: which of the two is there first?",
                    "顺序反了：两份之中哪一份先在那里？",
                ),
            ),
            Hint(
                "[6.0, 4.0, 4.0, 6.0]",
                lambda seen: numbers(seen, [6, 4, 4, 6]),
                Words(
                    "To keep the first would lose the second. Gradients that meet are added.",
                    "留下第一份就会丢掉第二份。相遇的梯度要相加。",
                ),
            ),
            Hint(
                "[6.0, 4.0, 4.0, 24.0]",
                lambda seen: numbers(seen, [6, 4, 4, 24]),
                Words(
                    "Along a path slopes multiply. Here two paths meet.",
                    "沿着一条路径斜率相乘。而这里是两条路径相遇。",
                ),
            ),
        ),
        otherwise=Words(
            "Find the page on which AddBackward0 runs: it hands a gradient to the node of b.",
            "找到 AddBackward0 执行的那一页：它把梯度传给 `b` 的节点。",
        ),
    ),
    "93.6": Exercise(
        asks=("most_used",),
        probe="""
            a = mg.tensor(2.0, requires_grad=True)
            b = mg.tensor(3.0, requires_grad=True)
            k = mg.tensor(5.0)
            power = a * a * a + a
            chain = b
            for _ in range(4):
                chain = chain + chain
            c = a + b
            fan = c * c * c + c * k + c
            seen = [most_used(each) for each in (power, chain, fan, a * b * k)]
        """,
        solution="""\
uses, to_see = {}, [result.grad_fn]
while to_see:
    for below, _ in to_see.pop().next_functions:
        if below is not None:
            if below not in uses:
                to_see.append(below)
            uses[below] = uses.get(below, 0) + 1
return max(uses.values())""",
        accepted=(
            """\
seen, uses = set(), []

def visit(node):
    if node is not None and node not in seen:
        seen.add(node)
        for below, _ in node.next_functions:
            uses.append(below)
            visit(below)

visit(result.grad_fn)
return max(uses.count(node) for node in seen)""",
        ),
        rejected=("return 4", "return len(result.grad_fn.next_functions)"),
        right=each(4, 2, 5, 1),
        because=Words(
            "Each node is looked at once, and each edge to it is counted.",
            "每个节点只看一次，通向它的每条边都数。",
        ),
        hints=(
            Hint(
                """\
uses, to_see = {}, [result.grad_fn]
while to_see:
    for below, _ in to_see.pop().next_functions:
        if below is not None:
            to_see.append(below)
            uses[below] = uses.get(below, 0) + 1
return max(uses.values())""",
                each(4, 16, 5, 1),
                Words(
                    "These are paths: their number doubles with each sum. Look at each node once.",
                    "这是路径的条数：每遇到一次加法就翻倍。每个节点只看一次。",
                ),
            ),
            Hint(
                """\
uses, to_see = {}, [result.grad_fn]
while to_see:
    for below, _ in to_see.pop().next_functions:
        if below is not None and below not in uses:
            to_see.append(below)
            uses[below] = 1
return max(uses.values())""",
                each(1, 1, 1, 1),
                Words(
                    "Each node is counted once here. Count each edge to it.",
                    "这里每个节点只数了一次。要数通向它的每条边。",
                ),
            ),
            Hint(
                """\
uses, to_see = {}, [result.grad_fn]
while to_see:
    for below, _ in to_see.pop().next_functions:
        if below is not None and below not in uses:
            to_see.append(below)
            uses[below] = 1
return len(uses)""",
                each(3, 4, 7, 3),
                Words(
                    "That is the number of nodes. The question is about edges that lead to one.",
                    "这是节点的个数。问的是通向同一个节点的边。",
                ),
            ),
        ),
        otherwise=Words(
            "Begin at result.grad_fn, count every edge in next_functions, and return the largest "
            "count.",
            "从 result.grad_fn 开始，数 next_functions 里的每条边，返回最大的数。",
        ),
    ),
}
