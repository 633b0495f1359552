"""Exercises of chapter 10, gradients of gradients."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .exercise import Exercise, Hint, Test, Words
from .recognise import alike, each, letters, naming, number

POINTS = (-1.0, 0.5, 2.0)
FIRST: tuple[Callable[[float], float], ...] = (math.cos, math.exp, lambda x: 3 * x**2 - 1)
SECOND: tuple[Callable[[float], float], ...] = (lambda x: -math.sin(x), math.exp, lambda x: 6 * x)
"""The derivatives of 10.3, of sin, exp and x^3 - x."""


def orders(second: Any, divided: float = 1.0) -> Test:
    """The first derivatives, divided by this, and of each function what `second` says, or None."""

    def test(seen: Any) -> bool:
        first = [[f(x) / divided for x in POINTS] for f in FIRST]
        then = second and [
            [second(f, g, x) for x in POINTS] for f, g in zip(FIRST, SECOND, strict=True)
        ]
        expected = [[a, b] for a, b in zip(first, then or [None] * 3, strict=True)]
        return alike(seen, expected)

    return test


ALONG = [[2, -10], [-3.5, 5], [6, -12, 6]]
"""Of 10.4."""

S, C = math.sin(0.5), math.cos(0.5)
SERIES: list[list[float]] = [
    [1, 1, 1 / 2, 1 / 6, 1 / 24],
    [7, 3, 0, 0],
    [-1, 1, 3, 1, 0],
    [S, C, -S / 2, -C / 6],
    [math.sin(1)],
]
"""Of 10.5."""
UNDIVIDED = [
    [1, 1, 1, 1, 1],
    [7, 3, 0, 0],
    [-1, 1, 6, 6, 0],
    [S, C, -S, -C],
    [math.sin(1)],
]

LOG = [[math.log(2), 1 / 2, -1 / 4, 1 / 4], [math.log(0.5), 2, -4, 16]]
"""Of 10.6, the value and three derivatives at 2 and at 0.5."""

EXERCISES = {
    "10.1": Exercise(
        asks=("second_at_1",),
        solution="10.0",
        accepted=("10", "6 * 1 + 4", "mg.tensor(10.0)"),
        rejected=("4.0", "-10", "12"),
        right=number(10),
        because=Words(
            "3x^2 + 4x, and from that 6x + 4.",
            "3x^2 + 4x，再由它得到 6x + 4。",
        ),
        hints=(
            Hint(
                "7.0",
                number(7),
                Words(
                    "7 is the first derivative, 3x^2 + 4x. Differentiate it once more.",
                    "7 是一阶导数 3x^2 + 4x。请再求一次导。",
                ),
            ),
            Hint(
                "6.0",
                number(6),
                Words(
                    "6 is the part of the cube. The square has a second derivative too.",
                    "6 是立方的那部分。平方也有二阶导数。",
                ),
            ),
            Hint(
                "3.0",
                number(3),
                Words(
                    "3 is the value y. It has to be differentiated twice.",
                    "3 是 y 的值。要对它求两次导。",
                ),
            ),
        ),
        otherwise=Words(
            "Differentiate x^3 + 2x^2 on paper, differentiate the result, and put 1 in for x.",
            "在纸上对 x^3 + 2x^2 求导，再对结果求导，然后把 x 换成 1。",
        ),
    ),
    "10.2": Exercise(
        asks=("reasons",),
        solution='["a", "c", "d"]',
        accepted=('("d", "a", "c")', '{"a", "c", "d"}', 'list("acd")', '["A", "C", "D"]'),
        rejected=("[]", '["a"]', '["x", "y", "z"]', '"a, c, d"'),
        right=letters("acd"),
        because=Words(
            "The first pass is recorded, its graph is larger, and nothing can be freed in between.",
            "第一次反向传播被记录下来，它的图更大，中间什么也不能释放。",
        ),
        hints=(
            Hint(
                '["a", "b", "c", "d"]',
                naming("b"),
                Words(
                    "b is in your list. Small differences are for gradcheck, which only tests. "
                    "Here the pass itself is differentiated.",
                    "你的列表里有 b。很小的差是 gradcheck 用的，它只用于检验。这里是对反向传播本身"
                    "求导。",
                ),
            ),
            Hint(
                '["a", "c", "e"]',
                naming("e"),
                Words(
                    "e is in your list. But this chapter used float32 all along.",
                    "你的列表里有 e。但本章用的一直是 float32。",
                ),
            ),
            Hint(
                '["a", "c"]',
                letters("ac"),
                Words(
                    "Both true. One is missing: think of memory.",
                    "两句都对。还差一句：想一想内存。",
                ),
            ),
            Hint(
                '["a", "d"]',
                letters("ad"),
                Words(
                    "Both true. One is missing: 4, 11, 38.",
                    "两句都对。还差一句：4、11、38。",
                ),
            ),
            Hint(
                '["c", "d"]',
                letters("cd"),
                Words(
                    "Both true. One is missing: what does create_graph=True mean, word for word?",
                    "两句都对。还差一句：create_graph=True 字面上是什么意思？",
                ),
            ),
        ),
        otherwise=Words(
            "Three letters, as strings in a list. The three reasons stand in the section on costs.",
            "三个字母，写成字符串的列表。三个原因都在讲代价的那一节里。",
        ),
    ),
    "10.3": Exercise(
        asks=("slopes_of",),
        probe="""
            seen = []
            for f in (mg.sin, mg.exp, lambda t: t**3 - t):
                x = mg.tensor([-1.0, 0.5, 2.0], requires_grad=True)
                first, second = slopes_of(f, x), None
                if isinstance(first, mg.Tensor) and first.requires_grad:
                    x = mg.tensor([-1.0, 0.5, 2.0], requires_grad=True)
                    second = slopes_of(lambda t: slopes_of(f, t), x)
                seen.append([first, second])
        """,
        solution="mg.autograd.grad(f(x).sum(), x, create_graph=True)[0]",
        accepted=(
            "mg.autograd.grad((f(x) * 1.0).sum(0), [x], create_graph=True)[0]",
            "mg.stack([mg.autograd.grad(y, x, create_graph=True)[0][i] "
            "for i, y in enumerate(f(x))])",
            "sum(mg.autograd.grad(y, x, create_graph=True)[0] for y in f(x))",
            "mg.autograd.grad(f(x), x, grad_outputs=mg.ones_like(x), create_graph=True)[0]",
            "mg.autograd.functional.vjp(f, x, mg.ones_like(x), create_graph=True)[1]",
        ),
        rejected=("f(x)", "mg.cos(x)", "x * f(x)", "(f(x + 1e-3) - f(x - 1e-3)) / 2e-3"),
        right=orders(lambda f, g, x: g(x)),
        because=Words(
            "First and second derivatives of three functions, at every point.",
            "三个函数的一阶和二阶导数，在每个点上都对。",
        ),
        hints=(
            Hint(
                "mg.autograd.grad(f(x).sum(), x)[0]",
                orders(None),
                Words(
                    "The first derivatives are right, but they have no history: no second "
                    "derivative can be asked for.",
                    "一阶导数是对的，但没有历史：无法再求二阶导数。",
                ),
            ),
            Hint(
                "mg.autograd.grad(f(x).mean(), x, create_graph=True)[0]",
                orders(lambda f, g, x: g(x) / 9, 3.0),
                Words(
                    "Each slope is divided by the number of points, as a mean does it.",
                    "每个斜率都被点数除了一次，求平均值就会这样。",
                ),
            ),
            Hint(
                "mg.autograd.grad(f(x).sum(), x, create_graph=True)",
                lambda seen: alike(seen[0][0], [[f(x) for x in POINTS] for f in FIRST[:1]]),
                Words(
                    "The first derivatives are right. grad returns a tuple: take the first part, "
                    "[0].",
                    "一阶导数是对的。grad 返回的是元组：请取第一项 [0]。",
                ),
            ),
            Hint(
                "f(x).sum().backward(create_graph=True)",
                lambda seen: alike(seen, [[None, None]] * 3),
                Words(
                    "None came back. (backward() and print() return None.)",
                    "返回的是 None。（backward() 和 print() 返回的就是 None。）",
                ),
            ),
            Hint(
                "[f(x).sum().backward(create_graph=True), x.grad][1]",
                orders(lambda f, g, x: f(x) + g(x)),
                Words(
                    "The first derivatives are right. What comes for the second is the sum of the "
                    "first and the second.",
                    "一阶导数是对的。而二阶得到的是一阶与二阶之和。",
                ),
            ),
        ),
        otherwise=Words(
            "slopes_of(mg.sin, x) at 0.5 is 0.8776, and the second derivative there -0.4794.",
            "slopes_of(mg.sin, x) 在 0.5 处是 0.8776，那里的二阶导数是 -0.4794。",
        ),
    ),
    "10.4": Exercise(
        asks=("along",),
        probe="""
            def shared(v):
                x, y = v
                return x**2 * y + y**3

            seen = []
            for f, at, d in (
                (shared, [1.0, 2.0], [1.0, -1.0]),
                (shared, [-1.0, 0.5], [0.5, 2.0]),
                (lambda v: (v**3).sum(), [1.0, -2.0, 0.5], [1.0, 1.0, 2.0]),
            ):
                seen.append(along(f, mg.tensor(at, requires_grad=True), mg.tensor(d)))
        """,
        solution="mg.autograd.grad(mg.dot(gradient, d), v)[0]",
        accepted=(
            "mg.autograd.grad((gradient * d).sum(), v)[0]",
            "mg.autograd.grad(gradient @ d, v, create_graph=True)[0]",
            "mg.autograd.grad(sum(g * part for g, part in zip(gradient, d)), v)[0]",
            "mg.stack([mg.autograd.grad(g, v, retain_graph=True)[0] for g in gradient]) @ d",
            "mg.autograd.grad(gradient, v, grad_outputs=d)[0]",
            "mg.autograd.functional.vhp(f, v, d)[1]",
        ),
        rejected=("gradient", "d", "mg.autograd.grad(mg.dot(gradient, gradient), v)[0]"),
        right=each(*ALONG),
        because=Words(
            "The Hessian times the direction, at three places.",
            "在三处都得到黑塞矩阵与方向的乘积。",
        ),
        hints=(
            Hint(
                "mg.dot(gradient, d).backward()",
                each(None, None, None),
                Words(
                    "None came back. (backward() and print() return None.)",
                    "返回的是 None。（backward() 和 print() 返回的就是 None。）",
                ),
            ),
            Hint(
                "mg.dot(gradient, d)",
                lambda seen: alike(seen[0], -9),
                Words(
                    "That number, 4 - 13 = -9 at the first place, is the slope in the direction d. "
                    "Now differentiate it.",
                    "这个数，在第一处是 4 - 13 = -9，是 d 方向上的斜率。现在对它求导。",
                ),
            ),
            Hint(
                "mg.autograd.grad(mg.dot(gradient, d), v)",
                each(*[[one] for one in ALONG]),
                Words(
                    "The numbers are right. grad returns a tuple: take the first part, [0].",
                    "数对了。grad 返回的是元组：请取第一项 [0]。",
                ),
            ),
            Hint(
                "mg.autograd.grad(gradient.sum(), v)[0]",
                lambda seen: alike(seen[0], [6, 14]),
                Words(
                    "At (1, 2) this is [6, 14], the product with (1, 1). The direction was "
                    "(1, -1).",
                    "在 (1, 2) 处得到 [6, 14]，是与 (1, 1) 的乘积。而方向是 (1, -1)。",
                ),
            ),
            Hint(
                "gradient * d",
                lambda seen: alike(seen[0], [4, -13]),
                Words(
                    "[4, -13] has no second derivative in it yet. Add the two numbers up, and "
                    "differentiate.",
                    "[4, -13] 里面还没有二阶导数。请把两个数加起来，再求导。",
                ),
            ),
        ),
        otherwise=Words(
            "For the function of the chapter at (1, 2) and d = (1, -1), [2, -10] should come out.",
            "对本章的函数，在 (1, 2) 处取 d = (1, -1)，应当得到 [2, -10]。",
        ),
    ),
    "10.5": Exercise(
        asks=("taylor",),
        probe="""
            seen = [
                taylor(mg.exp, 0.0, 4),
                taylor(lambda t: 3 * t + 1, 2.0, 3),
                taylor(lambda t: t**3 - 2 * t, 1.0, 4),
                taylor(mg.sin, 0.5, 3),
                taylor(mg.sin, 1.0, 0),
            ]
        """,
        solution="""\
x = mg.tensor(x, requires_grad=True)
derivative, found, factorial = f(x), [], 1
for k in range(n + 1):
    found.append(derivative.item() / factorial)
    factorial *= k + 1
    if derivative.requires_grad:
        (derivative,) = mg.autograd.grad(derivative, x, create_graph=True, materialize_grads=True)
    else:
        derivative = mg.zeros(())
return found""",
        accepted=(
            """\
x = mg.tensor(x, requires_grad=True)
result, found, k = f(x), [], 0
while len(found) < n + 1:
    found.append(result)
    k += 1
    slope = None
    if result.requires_grad:
        slope = mg.autograd.grad(result, x, create_graph=True, allow_unused=True)[0]
    result = mg.tensor(0.0) if slope is None else slope / k
return found""",
            """\
def slope(g):
    def at(t):
        y = g(t)
        if not y.requires_grad:
            return 0 * t
        (found,) = mg.autograd.grad(y, t, create_graph=True, allow_unused=True)
        return 0 * t if found is None else found
    return at

found, size = [], 1
for k in range(n + 1):
    found.append(f(mg.tensor(x, requires_grad=True)).item() / size)
    f, size = slope(f), size * (k + 1)
return found""",
            """\
x = mg.tensor(x, requires_grad=True)
now, found, size = f(x), [], 1
for k in range(1, n + 2):
    found.append(now.item() / size)
    size *= k
    (now,) = mg.autograd.grad(now + 0 * mg.sin(x), x, create_graph=True)
return found""",
        ),
        rejected=(
            "return [f(mg.tensor(x)).item()] * (n + 1)",
            "return []",
            """\
x = mg.tensor(x, requires_grad=True)
derivative, found = f(x), []
for k in range(n + 1):
    found.append(derivative.item())
    (derivative,) = mg.autograd.grad(derivative, x, create_graph=True)
return found""",
        ),
        right=each(*SERIES),
        because=Words(
            "The series of exp, of sin and of two polynomials, zeros included.",
            "exp、sin 和两个多项式的级数都对，包括其中的零。",
        ),
        hints=(
            Hint(
                "print(f(mg.tensor(x)))",
                each(None, None, None, None, None),
                Words(
                    "None came back. A function gives back what stands after `return`.",
                    "返回的是 None。函数返回的是 `return` 后面的东西。",
                ),
            ),
            Hint(
                """\
x = mg.tensor(x, requires_grad=True)
derivative, found = f(x), []
for k in range(n + 1):
    found.append(derivative.item())
    if derivative.requires_grad:
        (derivative,) = mg.autograd.grad(derivative, x, create_graph=True, materialize_grads=True)
    else:
        derivative = mg.zeros(())
return found""",
                each(*UNDIVIDED),
                Words(
                    "The derivatives are all right. Each has to be divided by k! still.",
                    "各阶导数都对。每个还要除以 k!。",
                ),
            ),
            Hint(
                """\
x = mg.tensor(x, requires_grad=True)
derivative, found, factorial = f(x), [], 1
for k in range(n):
    found.append(derivative.item() / factorial)
    factorial *= k + 1
    if derivative.requires_grad:
        (derivative,) = mg.autograd.grad(derivative, x, create_graph=True, materialize_grads=True)
    else:
        derivative = mg.zeros(())
return found""",
                each(*[one[:-1] for one in SERIES]),
                Words(
                    "The last number of each list is missing: c0 to cn are n + 1 numbers.",
                    "每个列表都少了最后一个数：c0 到 cn 共有 n + 1 个数。",
                ),
            ),
            Hint(
                """\
x = mg.tensor(x, requires_grad=True)
derivative, found, factorial = f(x), [], 1
for k in range(n + 1):
    found.append(derivative.item() / factorial)
    factorial *= k + 1
    if not derivative.requires_grad:
        break
    (derivative,) = mg.autograd.grad(derivative, x, create_graph=True, materialize_grads=True)
return found""",
                lambda seen: alike(seen[0], SERIES[0]) and alike(seen[1], [7, 3]),
                Words(
                    "For 3x + 1 only two numbers come back where four are asked for. The others "
                    "are 0.",
                    "对 3x + 1 只返回了两个数，而要的是四个。其余的是 0。",
                ),
            ),
        ),
        otherwise=Words(
            "For exp at 0 and n = 4 the list is 1, 1, 1/2, 1/6, 1/24; for 3x + 1 at 2 and n = 3 it "
            "is 7, 3, 0, 0.",
            "exp 在 0 处取 n = 4，列表是 1, 1, 1/2, 1/6, 1/24；3x + 1 在 2 处取 n = 3，是 7, 3, 0, "
            "0。",
        ),
    ),
    "10.6": Exercise(
        asks=("LogBackward0", "logarithm"),
        probe="""
            Tensor = type(logarithm([1.0]))
            seen = []
            for at in (2.0, 0.5) if Tensor.__name__ == "Tensor" else ():
                x = Tensor(at, True)
                y = logarithm(x)
                row = [float(y.data)]
                for order in range(3):
                    if y is not None and y.requires_grad:
                        x.grad = None
                        y.backward(create_graph=True)
                        y = x.grad
                        row.append(None if y is None else float(y.data))
                seen.append(row)
            if seen:
                x = Tensor([1.0, 4.0], True)
                (logarithm(x * x) * x).sum().backward()
                seen.append(x.grad.data)
        """,
        solution="""\
def forward(self, a):
    self.save(a)
    return Tensor(np.log(a.data))


def backward(self, g):
    (a,) = self.read()
    return (g * a**-1,)""",
        accepted=(
            """\
def forward(self, a):
    self.save(a)
    return Tensor(np.log(a.data))

def backward(self, g):
    return tuple(g * one**-1 for one in self.read())""",
            """\
def forward(self, a):
    result = Tensor(np.log(a.data))
    self.save(a, result)
    return result

def backward(self, g):
    a, result = self.read()
    return [a**-2 * a * g]""",
            """\
def forward(self, a):
    self.save(a)
    return Tensor([np.log(one) for one in a.data.flat]) if a.data.ndim else Tensor(np.log(a.data))

def backward(self, g):
    inverse = self.read()[0] ** -1
    return (inverse * g,)""",
        ),
        rejected=(
            """\
def forward(self, a):
    return Tensor(np.log(a.data))""",
            """\
def forward(self, a):
    self.save(a)
    return Tensor(np.log(a.data))

def backward(self, g):
    (a,) = self.read()
    return (g * a,)""",
            """\
def forward(self, a):
    self.save(a)
    return Tensor(np.log10(a.data))

def backward(self, g):
    (a,) = self.read()
    return (g * a**-1 * 0.4343,)""",
        ),
        right=each(*LOG, [2.0, math.log(16) + 2]),
        because=Words(
            "The value and three derivatives are right, alone and inside a larger program.",
            "值和前三阶导数都对，单独用和放在更大的程序里都是如此。",
        ),
        hints=(
            Hint(
                """\
def forward(self, a):
    self.save(a)
    return np.log(a.data)

def backward(self, g):
    (a,) = self.read()
    return (g * a**-1,)""",
                lambda seen: seen == [],
                Words(
                    "What forward returned is no Tensor of your engine.",
                    "forward 返回的不是你的引擎的 Tensor。",
                ),
            ),
            Hint(
                """\
def forward(self, a):
    self.save(a)
    return Tensor(np.log(a.data))

def backward(self, g):
    (a,) = self.read()
    return (g * Tensor(1 / a.data),)""",
                lambda seen: alike(seen[:2], [row[:2] for row in LOG]),
                Words(
                    "Value and first derivative are right. The first derivative has no history, so "
                    "there is no second.",
                    "值和一阶导数是对的。一阶导数没有历史，所以没有二阶。",
                ),
            ),
            Hint(
                """\
def forward(self, a):
    self.save(a)
    return Tensor(np.log(a.data))

def backward(self, g):
    (a,) = self.read()
    return (a**-1,)""",
                lambda seen: (
                    alike([row[:2] for row in seen[:2]], [row[:2] for row in LOG])
                    and not alike(seen[2], [2.0, math.log(16) + 2])
                ),
                Words(
                    "Alone the first derivative is right, inside a larger program it is not: what "
                    "comes in as g must be handed on.",
                    "单独用时一阶导数是对的，放在更大的程序里就不对了：流入的 g 必须传下去。",
                ),
            ),
            Hint(
                """\
def forward(self, a):
    self.save(a)
    return Tensor(np.log(a.data))

def backward(self, g):
    (a,) = self.read()
    return (g * a**-2,)""",
                lambda seen: alike(
                    [row[:2] for row in seen[:2]], [[math.log(2), 0.25], [math.log(0.5), 4]]
                ),
                Words(
                    "At 2 the first derivative comes out as 1/4. It should be 1/2.",
                    "在 2 处一阶导数得到 1/4。应当是 1/2。",
                ),
            ),
        ),
        otherwise=Words(
            "At 2 the value is 0.6931, and the derivatives are 1/2, -1/4 and 1/4.",
            "在 2 处值是 0.6931，各阶导数是 1/2、-1/4、1/4。",
        ),
    ),
}
