"""Exercises of chapter 08, your own operation."""

from __future__ import annotations

from typing import Any

from .exercise import Exercise, Hint, Test, Words
from .recognise import listed, named, numbers
from .sentences import EMPTY


def brings(*expected: float) -> Test:
    """What the operation's backward brings to 2 and 4, the numbers in `x`, if a 3 comes in."""

    def test(function: Any, x: Any) -> bool:
        x.grad = None
        (3 * function.apply(x)).sum().backward()
        return numbers(x.grad, expected)

    return test


def arrived(function: Any, x: Any) -> Any:
    """What arrives at `x` if 1.4 and 2.6, the numbers in `x`, come in at the operation."""
    x.grad = None
    (function.apply(x) * x.detach()).sum().backward()
    return x.grad


def unfilled(function: Any, x: Any) -> bool:
    """The hole is still there: backward returns the three dots."""
    try:
        function.apply(x).sum().backward()
    except RuntimeError as error:
        return "ellipsis" in str(error)
    return False


def flags(*expected: bool) -> Test:
    return lambda answer: listed(answer) == list(expected)


EXERCISES = {
    "08.1": Exercise(
        solution="-g * result * result",
        right=brings(-0.75, -0.1875),
        because=Words(
            "The slope at 2 is -1/4. If 3 comes in, -3/4 goes out. At 4 it is -1/16 and -3/16.",
            "在 2 处斜率是 -1/4。若流入 3，流出的就是 -3/4。在 4 处则是 -1/16 和 -3/16。",
        ),
        hints=(
            Hint("...", unfilled, EMPTY),
            Hint(
                "-result * result",
                brings(-0.25, -0.0625),
                Words(
                    "That is the slope, but the same whatever comes in. Where is g?",
                    "斜率对了，但不管流入什么都一样。g 在哪里？",
                ),
            ),
            Hint(
                "g * result * result",
                brings(0.75, 0.1875),
                Words(
                    "The size is right. But if x grows, 1/x shrinks.",
                    "大小对了。可是 x 变大时，1/x 变小。",
                ),
            ),
            Hint(
                "-g * result",
                brings(-1.5, -0.75),
                Words(
                    "1/x^2 is the result twice over: result * result.",
                    "1/x^2 是结果乘以结果：result * result。",
                ),
            ),
            Hint(
                "-g / (result * result)",
                brings(-12, -48),
                Words(
                    "The result is already 1/x, so do not divide by it once more.",
                    "结果已经是 1/x 了，不要再除以它。",
                ),
            ),
        ),
        otherwise=Words(
            "-1/x^2, written with result = 1/x and multiplied by g. The name x is not there in "
            "backward.",
            "用 result = 1/x 写出 -1/x^2，再乘以 g。backward 里没有 x 这个名字。",
        ),
    ),
    "08.2": Exercise(
        solution="(True, False, False)",
        right=flags(True, False, False),
        because=Words(
            "Only x asked for a gradient: 3 is no tensor, and w did not ask.",
            "只有 x 要求了梯度：3 不是张量，w 没有要求。",
        ),
        hints=(
            Hint(
                "(True, False, True)",
                flags(True, False, True),
                Words(
                    "w is a tensor, but look at how it was made: does it require a gradient?",
                    "w 是张量，但看看它是怎么创建的：它要求梯度吗？",
                ),
            ),
            Hint(
                "(True, True, True)",
                flags(True, True, True),
                Words(
                    "An argument is True only if it is a tensor and asks for a gradient.",
                    "只有是张量、而且要求梯度的参数，才是 True。",
                ),
            ),
            Hint(
                "(True, False)",
                flags(True, False),
                Words(
                    "The places are those of forward's arguments, plain numbers included: three.",
                    "位置与 forward 的参数一一对应，普通的数也算：共三个。",
                ),
            ),
            Hint(
                "(False, True, False, False)",
                flags(False, True, False, False),
                Words(
                    "ctx is not counted: the first place belongs to x.",
                    "ctx 不算在内：第一个位置是 x 的。",
                ),
            ),
        ),
        otherwise=Words(
            "Three entries, for x, 3 and w. For each: is it a tensor that asks for a gradient?",
            "三项，对应 x、3 和 w。对每一项问：它是要求梯度的张量吗？",
        ),
    ),
    "08.3": Exercise(
        solution="g",
        right=lambda function, x: numbers(arrived(function, x), [1.4, 2.6]),
        because=Words(
            "What comes in goes straight through.",
            "流入什么，就原样传下去什么。",
        ),
        hints=(
            Hint("...", unfilled, EMPTY),
            Hint(
                "0 * g",
                lambda function, x: numbers(arrived(function, x), [0, 0]),
                Words(
                    "That is the true slope of a staircase, and with it nothing is ever learnt.",
                    "这是阶梯真正的斜率，用它什么也学不到。",
                ),
            ),
            Hint(
                "mg.ones_like(g)",
                lambda function, x: numbers(arrived(function, x), [1, 1]),
                Words(
                    "That is the slope 1, but what came in is lost. Hand it on.",
                    "这是斜率 1，但流入的梯度丢了。要把它传下去。",
                ),
            ),
            Hint(
                "g.round()",
                lambda function, x: numbers(arrived(function, x), [1, 3]),
                Words(
                    "The value is rounded, the gradient is not: as if nothing had happened.",
                    "取整的是值，不是梯度：要当作什么也没发生。",
                ),
            ),
            Hint(
                "None",
                lambda function, x: arrived(function, x) is None,
                Words(
                    "None means that x gets no gradient at all.",
                    "None 表示 x 根本得不到梯度。",
                ),
            ),
        ),
        otherwise=Words(
            "Return what goes on to x. It is one short name.",
            "返回要传给 x 的东西。只是一个很短的名字。",
        ),
    ),
    "08.4": Exercise(
        solution='["Product", "Tanh"]',
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
                named(),
                Words(
                    "They all run, and two of them give wrong numbers. Let gradcheck look.",
                    "三个都能运行，但有两个给出错误的数。请用 gradcheck 检查。",
                ),
            ),
        ),
        otherwise=Words(
            "Ask gradcheck about each of the three, and list those for which it says False.",
            "对三个运算分别运行 gradcheck，把得到 False 的列出来。",
        ),
    ),
}
