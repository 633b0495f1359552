"""Exercises of chapter 08, your own operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .exercise import Exercise, Hint, Test, Words
from .recognise import alike, each, named

INVERTED = ((2.0, 3.0), (4.0, 0.5), (-0.5, -2.0), (1.0, 1.0))
"""Where the probe of 08.1 inverts, and what comes in there."""

ROUNDED = ([1.0, 3.0, -2.0], [1.4, 2.6, -0.7])
"""The rounded numbers of 08.3's probe, and the incoming gradients."""

DIFFERENCES = (0.0, 48.0, 1.0, 6.0, 0.0)
"""The findings of 08.5: two right functions, and three with the size of their error."""

MAXIMUM: dict[str, Any] = {
    "values": [1, 3, 0.5],
    "plain": [[0, 1, 0], [1, 0, 1]],
    "inside": [[[1, -3], [1, -23]], [[4, 4], [2, 9]]],
    "ties": [[1.5, 3, 2], [1.5, 0, 2]],
    "again": "MaximumBackward0 has freed what it saved",
}
"""A right answer as the probe of 08.6 sees it."""


def brings(gradient: Callable[[float, float], float]) -> Test:
    """Accept right values with a backward that returns this of place and g."""
    return each(*([1 / at, gradient(at, g)] for at, g in INVERTED))


def hands_on(gradient: Callable[[float, float], Any]) -> Test:
    """Accept the gradient at x that this makes of each rounded value and g."""
    expected = [gradient(value, g) for value, g in zip(*ROUNDED, strict=True)]
    return each(ROUNDED[0], expected)


def nearly(*expected: float) -> Test:
    """These numbers; nudging finds a slope to some digits only."""
    return lambda seen: all(
        isinstance(one, float) and abs(one - right) < 0.05
        for one, right in zip(seen, expected, strict=True)
    )


def maximum(**but: Any) -> Test:
    """Accept the right answer with this change."""
    return lambda seen: alike(seen, MAXIMUM | but)


EXERCISES = {
    "08.1": Exercise(
        asks=("Reciprocal",),
        probe="""
            seen = []
            for at, g in ((2.0, 3.0), (4.0, 0.5), (-0.5, -2.0), (1.0, 1.0)):
                x = mg.tensor(at, requires_grad=True)
                y = Reciprocal.apply(x)
                (g * y).backward()
                seen.append([y, x.grad])
        """,
        solution="-g * result * result",
        accepted=("-(g * result**2)", "g * (-result) * result", "mg.neg(g * result.pow(2))"),
        rejected=("None", "g", "-g / x**2", "-1 / result"),
        right=brings(lambda at, g: -g / at**2),
        because=Words(
            "The slope at 2 is -1/4. If 3 comes in, -3/4 goes out.",
            "在 2 处斜率是 -1/4。若流入 3，流出的就是 -3/4。",
        ),
        hints=(
            Hint(
                "-result * result",
                brings(lambda at, g: -1 / at**2),
                Words(
                    "That is the slope, but the same whatever comes in. Where is g?",
                    "斜率对了，但不管流入什么都一样。g 在哪里？",
                ),
            ),
            Hint(
                "g * result * result",
                brings(lambda at, g: g / at**2),
                Words(
                    "The size is right. But if x grows, 1/x shrinks.",
                    "大小对了。可是 x 变大时，1/x 变小。",
                ),
            ),
            Hint(
                "-g * result",
                brings(lambda at, g: -g / at),
                Words(
                    "That is -g/x. The derivative has x squared: 1/x^2 is result * result.",
                    "这是 -g/x。导数里是 x 的平方：1/x^2 等于 result * result。",
                ),
            ),
            Hint(
                "-g / (result * result)",
                brings(lambda at, g: -g * at**2),
                Words(
                    "That is -g times x squared: result is already 1/x, so multiply by it in place "
                    "of dividing.",
                    "这是 -g 乘以 x 的平方：result 已经是 1/x 了，应当乘以它，而不是除以它。",
                ),
            ),
        ),
        otherwise=Words(
            "-1/x^2, written with result = 1/x, and multiplied by g.",
            "用 result = 1/x 写出 -1/x^2，再乘以 g。",
        ),
    ),
    "08.2": Exercise(
        asks=("who_asks",),
        solution="(True, False, False)",
        accepted=(
            "[True, False, False]",
            "result.grad_fn.needs_input_grad",
            "(True,) + (False,) * 2",
        ),
        rejected=("(1, 0, 0)", "True", "(False, False, False)"),
        right=each(True, False, False),
        because=Words(
            "Only x asked for a gradient: 3 is no tensor, and w did not ask.",
            "只有 x 要求了梯度：3 不是张量，w 没有要求。",
        ),
        hints=(
            Hint(
                "(True, False, True)",
                each(True, False, True),
                Words(
                    "w is a tensor, but look at how it was made: does it require a gradient?",
                    "w 是张量，但看看它是怎么创建的：它要求梯度吗？",
                ),
            ),
            Hint(
                "(True, True, True)",
                each(True, True, True),
                Words(
                    "An argument is True only if it is a tensor and asks for a gradient.",
                    "只有是张量、而且要求梯度的参数，才是 True。",
                ),
            ),
            Hint(
                "(True, False)",
                each(True, False),
                Words(
                    "The places are those of forward's arguments, plain numbers included: three.",
                    "位置与 forward 的参数一一对应，普通的数也算：共三个。",
                ),
            ),
            Hint(
                "(False, True, False, False)",
                each(False, True, False, False),
                Words(
                    "ctx is not counted: the first place belongs to x.",
                    "ctx 不算在内：第一个位置是 x 的。",
                ),
            ),
        ),
        otherwise=Words(
            "A tuple of three, for x, 3 and w. For each: is it a tensor that asks for a gradient?",
            "三项的元组，对应 x、3 和 w。对每一项问：它是要求梯度的张量吗？",
        ),
    ),
    "08.3": Exercise(
        asks=("Round",),
        probe="""
            x = mg.tensor([1.4, 2.6, -1.9], requires_grad=True)
            y = Round.apply(x)
            (y * mg.tensor([1.4, 2.6, -0.7])).sum().backward()
            seen = [y, x.grad]
        """,
        solution="g",
        accepted=("g * 1", "g.clone()", "+g", "mg.ones_like(g) * g"),
        rejected=("-g", "2 * g", "g.abs()"),
        right=hands_on(lambda value, g: g),
        because=Words(
            "What comes in goes straight through.",
            "流入什么，就原样传下去什么。",
        ),
        hints=(
            Hint(
                "0 * g",
                hands_on(lambda value, g: 0),
                Words(
                    "That is the true slope of a staircase, and with it nothing is ever learnt.",
                    "这是阶梯真正的斜率，用它什么也学不到。",
                ),
            ),
            Hint(
                "mg.ones_like(g)",
                hands_on(lambda value, g: 1),
                Words(
                    "That is the slope 1, but what came in is lost. Hand it on.",
                    "这是斜率 1，但流入的梯度丢了。要把它传下去。",
                ),
            ),
            Hint(
                "g.round()",
                hands_on(lambda value, g: round(g)),
                Words(
                    "The value is rounded, the gradient is not: as if nothing had happened.",
                    "取整的是值，不是梯度：要当作什么也没发生。",
                ),
            ),
            Hint(
                "None",
                lambda seen: alike(seen, [ROUNDED[0], None]),
                Words(
                    "x got no gradient at all: that is what None says.",
                    "x 根本没有得到梯度：None 就是这个意思。",
                ),
            ),
        ),
        otherwise=Words(
            "Return what goes on to x: exactly what came in.",
            "返回要传给 x 的东西：流入的是什么，就是什么。",
        ),
    ),
    "08.4": Exercise(
        asks=("wrong_ones",),
        solution='["Product", "Tanh"]',
        accepted=('("Tanh", "Product")', '{"Product", "Tanh"}', '"Product Tanh".split()'),
        rejected=('"Product"', '["Mean"]', "[Product, Tanh]", '["Mean", "Tanh"]'),
        right=named("Product", "Tanh"),
        because=Words(
            "In Product the two are swapped, in Tanh the square is missing.",
            "Product 的两个梯度写反了，Tanh 少了平方。",
        ),
        hints=(
            Hint(
                '["Tanh"]',
                named("Tanh"),
                Words(
                    "Tanh, yes. One more: the order of what is returned matters too.",
                    "Tanh，对。还有一个：返回值的顺序也很重要。",
                ),
            ),
            Hint(
                '["Product"]',
                named("Product"),
                Words(
                    "Product, yes. One more: at 0 it is right, elsewhere it is not.",
                    "Product，对。还有一个：它在 0 处是对的，在别处不对。",
                ),
            ),
            Hint(
                '["Mean", "Product", "Tanh"]',
                named("Mean", "Product", "Tanh"),
                Words(
                    "One of them is right: each number moves the mean by 1/n.",
                    "其中有一个是对的：每个数对平均值的影响都是 1/n。",
                ),
            ),
            Hint(
                "[]",
                each(),
                Words(
                    "They all run, and two of them give wrong numbers. Let gradcheck look.",
                    "三个都能运行，但有两个给出错误的数。请用 gradcheck 检查。",
                ),
            ),
        ),
        otherwise=Words(
            "Ask gradcheck about each of the three, and list the names of those for which it says "
            "False, in quotes.",
            "对三个运算分别运行 gradcheck，把得到 False 的那些的名字（加引号）列出来。",
        ),
    ),
    "08.5": Exercise(
        asks=("worst",),
        probe="""
            class Wrong(mg.autograd.Function):
                @staticmethod
                def forward(ctx, x, kind):
                    ctx.save_for_backward(x)
                    ctx.kind = kind
                    return x * x * x

                @staticmethod
                def backward(ctx, g):
                    (x,) = ctx.saved_tensors
                    if ctx.kind == "forgetful":
                        return 3 * x * x, None
                    if ctx.kind == "too much":
                        return g * 3 * x * x + mg.tensor([0.0, 1.0, 0.0], dtype=mg.float64), None
                    return 3 * g * mg.tensor([1.0, 4.0, -1.0], dtype=mg.float64), None

            seen = [
                worst(f, mg.tensor([1.0, 2.0, -1.0], dtype=mg.float64))
                for f in (
                    lambda x: (x * x * x).sum(),
                    lambda x: (5 * Wrong.apply(x, "forgetful")).sum(),
                    lambda x: Wrong.apply(x, "too much").sum(),
                    lambda x: Wrong.apply(x, "sign").sum(),
                    lambda x: (x[0] * x[2]).exp() + x[1],
                )
            ]
        """,
        solution="leaf = x.detach().clone().requires_grad_()\nf(leaf).backward()\n"
        "largest, h = 0.0, 1e-4\nfor i in range(len(x)):\n"
        "    up, down = x.detach().clone(), x.detach().clone()\n    up[i] += h\n"
        "    down[i] -= h\n    slope = (f(up) - f(down)) / (2 * h)\n"
        "    largest = max(largest, abs((leaf.grad[i] - slope).item()))\nreturn largest",
        accepted=(
            "leaf = x.detach().requires_grad_()\n(grad,) = mg.autograd.grad(f(leaf), leaf)\n"
            "nudges = 1e-5 * mg.eye(len(x), dtype=mg.float64)\n"
            "with mg.no_grad():\n"
            "    slopes = mg.stack([f(x + n) - f(x - n) for n in nudges]) / 2e-5\n"
            "return (grad - slopes).abs().max().item()",
            "x = x.clone().requires_grad_()\nf(x).backward()\nfound = []\nfor i in range(len(x)):\n"
            "    with mg.no_grad():\n        before = f(x).item()\n        x[i] += 1e-6\n"
            "        found.append((f(x).item() - before) / 1e-6)\n        x[i] -= 1e-6\n"
            "return float(np.abs(np.array(found) - x.grad.numpy()).max())",
            "x.requires_grad_()\nf(x).backward()\ndifferences = []\n"
            "for nudge in 1e-4 * mg.eye(len(x), dtype=mg.float64):\n"
            "    slope = (f(x.detach() + nudge) - f(x.detach() - nudge)) / 2e-4\n"
            "    differences.append(abs(x.grad[len(differences)] - slope).item())\n"
            "return max(differences)",
        ),
        rejected=(
            "return 0.0",
            "return float(mg.autograd.gradcheck(f, x.requires_grad_(), raise_exception=False))",
            "leaf = x.detach().clone().requires_grad_()\nf(leaf).backward()\n"
            "return leaf.grad.abs().max().item()",
        ),
        right=nearly(*DIFFERENCES),
        because=Words(
            "Nearly 0 for the two right functions, and 48, 1 and 6 for the wrong ones: so far from "
            "the truth is their worst element.",
            "对两个正确的函数几乎是 0，对错误的是 48、1 和 6：它们最差的那个元素就偏离了这么多。",
        ),
        hints=(
            Hint(
                "leaf = x.detach().clone().requires_grad_()\nf(leaf).backward()\n"
                "found, h = [], 1e-4\nfor i in range(len(x)):\n"
                "    up, down = x.detach().clone(), x.detach().clone()\n    up[i] += h\n"
                "    down[i] -= h\n    slope = (f(up) - f(down)) / (2 * h)\n"
                "    found.append((leaf.grad[i] - slope).item())\nreturn max(found)",
                nearly(0.0, -12.0, 1.0, 0.0, 0.0),
                Words(
                    "Where the backward gives too little, the difference is negative, and the "
                    "largest of negative numbers is the smallest error. Take absolute values.",
                    "如果 backward 给少了，差是负数，而最大的负数恰恰是最小的误差。请取绝对值。",
                ),
            ),
            Hint(
                "leaf = x.detach().clone().requires_grad_()\nf(leaf).backward()\n"
                "found, h = [], 1e-4\nfor i in range(len(x)):\n"
                "    up, down = x.detach().clone(), x.detach().clone()\n    up[i] += h\n"
                "    down[i] -= h\n    slope = (f(up) - f(down)) / h\n"
                "    found.append(abs(leaf.grad[i] - slope).item())\nreturn max(found)",
                nearly(12.0, 108.0, 11.0, 12.0, 1.0),
                Words(
                    "The slopes that you find by nudging are twice too large: from one side to the "
                    "other x moves by 2h.",
                    "你用微小变动得到的斜率大了一倍：从一边到另一边，x 一共动了 2h。",
                ),
            ),
            Hint(
                "leaf = x.detach().clone().requires_grad_()\nf(leaf).backward()\n"
                "total, h = 0.0, 1e-4\nfor i in range(len(x)):\n"
                "    up, down = x.detach().clone(), x.detach().clone()\n    up[i] += h\n"
                "    down[i] -= h\n    slope = (f(up) - f(down)) / (2 * h)\n"
                "    total += abs((leaf.grad[i] - slope).item())\nreturn total",
                nearly(0.0, 72.0, 1.0, 6.0, 0.0),
                Words(
                    "That is the sum of the differences. The largest one of them is asked for.",
                    "这是各个差之和。要的是其中最大的一个。",
                ),
            ),
        ),
        otherwise=Words(
            "Make a leaf of x and call f(leaf).backward(); nudge each element by a small h to both "
            "sides, with (f(up) - f(down)) / (2 * h); return the largest absolute difference, as a "
            "number.",
            "由 x 造一个叶子节点，调用 f(leaf).backward()；把每个元素向两边各动一个小的 h，求 "
            "(f(up) - f(down)) / (2 * h)；返回最大的绝对差，是一个数。",
        ),
    ),
    "08.6": Exercise(
        asks=("MaximumBackward0", "maximum"),
        probe="""
            Tensor = type(maximum([0.0], [1.0]))
            if not hasattr(Tensor, "backward"):
                Tensor = MaximumBackward0.forward.__globals__["Tensor"]

            def slopes(f, *values):
                leaves = [Tensor(value, True) for value in values]
                f(*leaves).sum().backward()
                return [None if leaf.grad is None else leaf.grad.data for leaf in leaves]

            seen = {
                "values": maximum([1.0, -2.0, 0.5], [0.0, 3.0, -1.0]).data,
                "plain": slopes(maximum, [1.0, 5.0, -3.0], [4.0, 2.0, -1.0]),
                "inside": slopes(
                    lambda a, b: maximum(a * a, b) * b + a,
                    [[1.0, -2.0], [0.5, 3.0]],
                    [[2.0, 1.0], [1.0, -4.0]],
                ),
                "ties": slopes(
                    lambda a, b: maximum(a, b) * Tensor([3.0, 3.0, 4.0]),
                    [1.0, 2.0, -1.0],
                    [1.0, 0.0, -1.0],
                ),
            }
            y = maximum(Tensor([1.0, 2.0], True), Tensor([2.0, 1.0], True)).sum()
            y.backward()
            try:
                y.backward()
                seen["again"] = "no error"
            except RuntimeError as error:
                seen["again"] = str(error).partition(":")[0]
        """,
        solution="def forward(self, a, b):\n    self.save(a, b)\n"
        "    return Tensor(np.maximum(a.data, b.data))\n\n\n"
        "def backward(self, g):\n    a, b = self.read()\n"
        "    to_a = (a.data > b.data) + 0.5 * (a.data == b.data)\n"
        "    return g * to_a, g * (1 - to_a)",
        accepted=(
            "def forward(self, a, b):\n    self.save(a, b)\n"
            "    return Tensor(np.where(a.data > b.data, a.data, b.data))\n\n"
            "def backward(self, g):\n    a, b = self.read()\n"
            "    return g * ((np.sign(a.data - b.data) + 1) / 2), "
            "g * ((np.sign(b.data - a.data) + 1) / 2)",
            "def forward(self, a, b):\n    to_a = Tensor(np.heaviside(a.data - b.data, 0.5))\n"
            "    self.save(to_a)\n    return Tensor(np.maximum(a.data, b.data))\n\n"
            "def backward(self, g):\n    (to_a,) = self.read()\n"
            "    return [Tensor(g.data * to_a.data), Tensor(g.data * (1 - to_a.data))]",
        ),
        rejected=(
            "pass",
            "def forward(self, a, b):\n    self.save(a, b)\n"
            "    return Tensor(np.maximum(a.data, b.data))\n\n"
            "def backward(self, g):\n    return g, g",
            "def forward(self, a, b):\n    self.save(a, b)\n"
            "    return Tensor(np.minimum(a.data, b.data))\n\n"
            "def backward(self, g):\n    a, b = self.read()\n"
            "    return g * (a.data < b.data), g * (b.data < a.data)",
        ),
        right=maximum(),
        because=Words(
            "The larger one gets g, equal ones get half each, also inside of a larger program; and "
            "what was saved is freed.",
            "较大的得到 g，相等时各得一半，放在更大的程序里也对；保存的东西也会释放。",
        ),
        hints=(
            Hint(
                "def forward(self, a, b):\n    self.save(a, b)\n"
                "    return Tensor(np.maximum(a.data, b.data))\n\n"
                "def backward(self, g):\n    a, b = self.read()\n"
                "    return g * (a.data >= b.data), g * (a.data < b.data)",
                maximum(ties=[[3, 3, 4], [0, 0, 0]]),
                Words(
                    "All right but for ties: there the whole of g went to a. Each should get half.",
                    "除了相等的情况都对：相等时整个 g 都给了 a。应当各得一半。",
                ),
            ),
            Hint(
                "def forward(self, a, b):\n    self.save(a, b)\n"
                "    return Tensor(np.maximum(a.data, b.data))\n\n"
                "def backward(self, g):\n    a, b = self.read()\n"
                "    return g * (a.data > b.data), g * (a.data < b.data)",
                maximum(ties=[[0, 3, 0], [0, 0, 0]]),
                Words(
                    "All right but for ties: there nobody got anything. Each should get half of g.",
                    "除了相等的情况都对：相等时谁也没有得到。应当各得 g 的一半。",
                ),
            ),
            Hint(
                "def forward(self, a, b):\n    self.save(a, b)\n"
                "    return Tensor(np.maximum(a.data, b.data))\n\n"
                "def backward(self, g):\n    a, b = self.read()\n"
                "    return g * (a.data >= b.data), g * (a.data <= b.data)",
                maximum(ties=[[3, 3, 4], [3, 0, 4]]),
                Words(
                    "All right but for ties: there both got the whole of g. Each should get half.",
                    "除了相等的情况都对：相等时两个都得到了整个 g。应当各得一半。",
                ),
            ),
            Hint(
                "def forward(self, a, b):\n    self.save(a, b)\n"
                "    return Tensor(np.maximum(a.data, b.data))\n\n"
                "def backward(self, g):\n    a, b = self.read()\n"
                "    to_a = (a.data > b.data) + 0.5 * (a.data == b.data)\n"
                "    return g * (1 - to_a), g * to_a",
                lambda seen: alike(
                    [seen["values"], seen["plain"], seen["ties"]],
                    [MAXIMUM["values"], MAXIMUM["plain"][::-1], MAXIMUM["ties"][::-1]],
                ),
                Words(
                    "The two gradients are swapped: they stand in the order of forward's "
                    "arguments.",
                    "两个梯度写反了：它们要按 forward 的参数顺序排列。",
                ),
            ),
            Hint(
                "def forward(self, a, b):\n    self.a, self.b = a.data, b.data\n"
                "    return Tensor(np.maximum(a.data, b.data))\n\n"
                "def backward(self, g):\n"
                "    to_a = (self.a > self.b) + 0.5 * (self.a == self.b)\n"
                "    return g * to_a, g * (1 - to_a)",
                maximum(again="no error"),
                Words(
                    "The gradients are right. But a second backward() brings no error: what the "
                    "rule needs was not kept with self.save, so it is never freed and no version "
                    "is watched.",
                    "梯度都对。但第二次 backward() 没有报错：规则需要的东西没有用 self.save 保存，"
                    "所以不会释放，版本也没有人检查。",
                ),
            ),
        ),
        otherwise=Words(
            "forward: save a and b, return Tensor(np.maximum(...)). backward: read them; a factor "
            "of 1, 0 or 0.5 for each element says how much of g goes to a, the rest goes to b.",
            "forward：保存 a 和 b，返回 Tensor(np.maximum(...))。backward：取出它们；每个元素用 "
            "1、0 或 0.5 表示 g 有多少传给 a，其余传给 b。",
        ),
    ),
}
