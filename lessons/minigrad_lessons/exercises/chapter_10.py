"""Exercises of chapter 10, gradients of gradients."""

from __future__ import annotations

import math
from typing import Any

from .exercise import Exercise, Hint, Words
from .recognise import named, naming, number, numbers


def slopes(x: Any, factor: float) -> bool:
    """x.grad holds the slope of sin, times this factor, at every point."""
    return numbers(x.grad, [factor * math.cos(at) for at in x.tolist()])


EXERCISES = {
    "10.1": Exercise(
        solution="10.0",
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
                    "That is the first derivative, 3x^2 + 4x. Differentiate it once more.",
                    "这是一阶导数 3x^2 + 4x。请再求一次导。",
                ),
            ),
            Hint(
                "6.0",
                number(6),
                Words(
                    "6x is right for the cube. The square has a second derivative too.",
                    "对立方来说 6x 是对的。平方也有二阶导数。",
                ),
            ),
            Hint(
                "3.0",
                number(3),
                Words(
                    "That is the value y. It has to be differentiated twice.",
                    "这是 y 的值。要对它求两次导。",
                ),
            ),
        ),
        otherwise=Words(
            "Differentiate x^3 + 2x^2 on paper, differentiate the result, and put 1 in for x.",
            "在纸上对 x^3 + 2x^2 求导，再对结果求导，然后把 x 换成 1。",
        ),
    ),
    "10.2": Exercise(
        solution='["a", "c", "d"]',
        right=named("a", "c", "d"),
        because=Words(
            "The first walk is recorded, its graph is larger, and nothing can be freed in between.",
            "第一遍被记录下来，它的图更大，中间什么也不能释放。",
        ),
        hints=(
            Hint(
                '["a", "b", "c", "d"]',
                naming("b"),
                Words(
                    "b is about gradcheck, which only tests. Here the walk itself is "
                    "differentiated.",
                    "b 说的是 gradcheck，它只用于检验。这里是对走的过程本身求导。",
                ),
            ),
            Hint(
                '["a", "c", "e"]',
                naming("e"),
                Words(
                    "The type of the numbers does not matter: this chapter used float32 all along.",
                    "与数的类型无关：本章用的一直是 float32。",
                ),
            ),
            Hint(
                '["a", "c"]',
                named("a", "c"),
                Words(
                    "Both true. One is missing: think of memory.",
                    "两句都对。还差一句：想一想内存。",
                ),
            ),
            Hint(
                '["a", "d"]',
                named("a", "d"),
                Words(
                    "Both true. One is missing: 4, 11, 38.",
                    "两句都对。还差一句：4、11、38。",
                ),
            ),
            Hint(
                '["c", "d"]',
                named("c", "d"),
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
        solution="y.sum().backward()",
        right=lambda x: slopes(x, 1),
        because=Words(
            "At each of the 200 points it is the cosine, which nobody wrote.",
            "在 200 个点上，它处处都是余弦，而谁也没有写余弦。",
        ),
        hints=(
            Hint(
                "y.mean().backward()",
                lambda x: slopes(x, 1 / 200),
                Words(
                    "The shape is right, but each slope is divided by 200, the number of points.",
                    "形状对了，但每个斜率都被点数 200 除了。",
                ),
            ),
            Hint(
                "y[0].backward()",
                lambda x: not any(x.grad.tolist()[1:]),
                Words(
                    "That is the slope at the first point alone.",
                    "这只是第一个点上的斜率。",
                ),
            ),
            Hint(
                "x.grad = y.detach()",
                lambda x: numbers(x.grad, [math.sin(at) for at in x.tolist()]),
                Words(
                    "That is sin itself. A derivative comes from a backward pass.",
                    "这是 sin 本身。导数要从反向传播得到。",
                ),
            ),
            Hint(
                "...",
                lambda x: x.grad is None,
                Words(
                    "x.grad is still None: no backward pass has run.",
                    "x.grad 还是 None：还没有运行反向传播。",
                ),
            ),
        ),
        otherwise=Words(
            "y has 200 numbers, and backward() starts from one. Chapter 6 made one number of many.",
            "y 有 200 个数，而 backward() 从一个数开始。第 6 章讲过怎样把许多数变成一个数。",
        ),
    ),
    "10.4": Exercise(
        solution="mg.autograd.grad(mg.dot(gradient, d), v)[0]",
        right=lambda product: numbers(product, [2, -10]),
        because=Words(
            "4 - 2 = 2 and 2 - 12 = -10: the rows of the Hessian, times (1, -1).",
            "4 - 2 = 2，2 - 12 = -10：黑塞矩阵的各行乘以 (1, -1)。",
        ),
        hints=(
            Hint(
                "mg.dot(gradient, d)",
                number(-9),
                Words(
                    "That number, 4 - 13 = -9, is the slope in the direction d. Now differentiate "
                    "it.",
                    "4 - 13 = -9，这个数是 d 方向上的斜率。现在对它求导。",
                ),
            ),
            Hint(
                "mg.autograd.grad(mg.dot(gradient, d), v)",
                lambda product: isinstance(product, tuple) and numbers(product[0], [2, -10]),
                Words(
                    "The numbers are right. grad returns a tuple: take the first part, [0].",
                    "数对了。grad 返回的是元组：请取第一项 [0]。",
                ),
            ),
            Hint(
                "mg.autograd.grad(gradient.sum(), v)[0]",
                lambda product: numbers(product, [6, 14]),
                Words(
                    "That is the product with (1, 1): where is d?",
                    "这是与 (1, 1) 的乘积：d 在哪里？",
                ),
            ),
            Hint(
                "gradient * d",
                lambda product: numbers(product, [4, -13]),
                Words(
                    "No second derivative in it yet. Add the two numbers up, and differentiate.",
                    "这里面还没有二阶导数。请把两个数加起来，再求导。",
                ),
            ),
        ),
        otherwise=Words(
            "dot(gradient, d) is one number with a graph. Use grad on it; the result has two "
            "numbers.",
            "dot(gradient, d) 是一个带图的数。对它用 grad，结果有两个数。",
        ),
    ),
}
