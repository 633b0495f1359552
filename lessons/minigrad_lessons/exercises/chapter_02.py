"""Exercises of chapter 02, backward and .grad."""

from __future__ import annotations

from typing import Any

from .exercise import Exercise, Hint, Words
from .recognise import number, numbers


def gradient(y: Any, x: Any) -> Any:
    """The gradient of y with respect to x, from a clean start, leaving y's graph usable: a check
    may be run again.
    """
    x.grad = None
    y.backward(retain_graph=True)
    return x.grad


def is_unsummed(y: Any, x: Any) -> bool:
    """y has several elements, and its sum would be the answer."""
    return tuple(y.shape) != () and numbers(gradient(y.sum(), x), [3, 5, 7])


EXERCISES = {
    "02.1": Exercise(
        solution="8.0",
        right=number(8),
        because=Words(
            "Three edges lead to b: a = 2 through the product, and b = 3 twice through the "
            "square. 2 + 3 + 3 = 8.",
            "通向 b 的边有三条：经过乘积的一条给出 a = 2，经过平方的两条各给出 b = 3。2 + 3 + 3 "
            "= 8。",
        ),
        hints=(
            Hint(
                "2.0",
                number(2),
                Words(
                    "That is what arrives through a * b. b is also used in b * b.",
                    "这只是经过 a * b 到达的部分，b 还出现在 b * b 中。",
                ),
            ),
            Hint(
                "6.0",
                number(6),
                Words(
                    "That is what arrives through b * b. b is also used in a * b.",
                    "这只是经过 b * b 到达的部分，b 还出现在 a * b 中。",
                ),
            ),
            Hint(
                "5.0",
                number(5),
                Words(
                    "One edge is missing: b * b has two inputs, and each of them is b.",
                    "少算了一条边：b * b 有两个输入，每个都是 b。",
                ),
            ),
            Hint(
                "3.0",
                number(3),
                Words(
                    "3 is the derivative with respect to a. The question is about b.",
                    "3 是对 a 的导数，这里问的是 b。",
                ),
            ),
        ),
        otherwise=Words(
            "Write down what each edge into b brings, then add.",
            "写下每条通向 b 的边带来多少，然后相加。",
        ),
    ),
    "02.2": Exercise(
        solution="(x * x + x).sum()",
        right=lambda y, x: numbers(gradient(y, x), [3, 5, 7]),
        because=Words(
            "x * x brings 2x, x brings 1, and sum() makes one number of it without changing "
            "either.",
            "x * x 带来 2x，x 带来 1，sum() 只是把它们合成一个数，不改变梯度。",
        ),
        hints=(
            Hint(
                "x * x + x",
                is_unsummed,
                Words(
                    "The formula is right, but backward() starts from one number. Sum it.",
                    "公式对了，但 backward() 要从一个数开始。请对它求和。",
                ),
            ),
            Hint(
                "2 * x + 1",
                lambda y, x: tuple(y.shape) != (),
                Words(
                    "y has several numbers, and backward() starts from one: sum them. And the "
                    "derivative of each should be 2x + 1.",
                    "y 有好几个数，而 backward() 要从一个数开始：请求和。另外，每个数的导数应当是 "
                    "2x + 1。",
                ),
            ),
            Hint(
                "(2 * x + 1).sum()",
                lambda y, x: numbers(gradient(y, x), [2, 2, 2]),
                Words(
                    "That is the gradient you want to see. y must be a function whose "
                    "derivative it is.",
                    "这是希望得到的梯度本身。y 应当是以它为导数的函数。",
                ),
            ),
            Hint(
                "(x * x).sum()",
                lambda y, x: numbers(gradient(y, x), [2, 4, 6]),
                Words(
                    "That gives 2x. Which term has derivative 1?", "这给出 2x。哪一项的导数是 1？"
                ),
            ),
            Hint(
                "(x * x + x).mean()",
                lambda y, x: numbers(gradient(y, x), [1, 5 / 3, 7 / 3]),
                Words(
                    "mean() divides every gradient by 3. Use sum().",
                    "mean() 会把每个梯度都除以 3，请用 sum()。",
                ),
            ),
        ),
        otherwise=Words(
            "Which function has the derivative 2x + 1? Apply it to x, then sum.",
            "哪个函数的导数是 2x + 1？把它作用在 x 上，再求和。",
        ),
    ),
    "02.3": Exercise(
        solution="x.grad = None",
        right=lambda seen: numbers(seen, [10, 10, 10]),
        because=Words(
            "Every turn now starts from an empty .grad, so every turn shows 2x = 10.",
            "现在每一轮都从空的 .grad 开始，所以每一轮都是 2x = 10。",
        ),
        hints=(
            Hint(
                "pass",
                lambda seen: numbers(seen, [10, 20, 30]),
                Words(
                    "10, 20, 30: each backward adds to what the one before left. Clear x.grad "
                    "at the start of each turn.",
                    "10、20、30：每次 backward 都加到上一次留下的梯度上。请在每一轮开头清空 "
                    "x.grad。",
                ),
            ),
            Hint(
                "x.grad.zero_()",
                lambda seen: seen == [],
                Words(
                    "The cell stopped in its first turn, where .grad is still None: there is "
                    "nothing that could be set to zero. Set None instead.",
                    "单元格在第一轮就停下了：那时 .grad 还是 None，没有什么可以填成零。请改为设成 "
                    "None。",
                ),
            ),
            Hint(
                "x = mg.tensor(0.0, requires_grad=True)",
                lambda seen: numbers(seen, [0, 0, 0]),
                Words(
                    "That replaces x itself by 0. Only its gradient should go.",
                    "这把 x 本身换成了 0，而要清掉的只是它的梯度。",
                ),
            ),
        ),
        otherwise=Words(
            "All three numbers should be 10.",
            "三个数都应当是 10。",
        ),
    ),
    "02.4": Exercise(
        solution="1",
        right=number(1),
        because=Words(
            "Row i of w.grad is x[i] times the gradient of the outputs, and x[1] is 0: an input "
            "of 0 teaches its weights nothing.",
            "w.grad 的第 i 行等于 x[i] 乘以输出的梯度，而 x[1] 是 0：输入为 0 时，它的权重学不到"
            "任何东西。",
        ),
        hints=(
            Hint(
                "2",
                number(2),
                Words(
                    "Rows are counted from 0, as Python counts. Row 2 belongs to the input 2.0: "
                    "it is twice row 0.",
                    "行号从 0 数起，和 Python 一样。第 2 行对应输入 2.0，等于第 0 行的两倍。",
                ),
            ),
            Hint(
                "0",
                number(0),
                Words(
                    "Row 0 belongs to the input 1.0: it equals the gradient of the outputs.",
                    "第 0 行对应输入 1.0，等于输出的梯度。",
                ),
            ),
        ),
        otherwise=Words(
            "Row i of w.grad is x[i] times the gradient of the outputs. For which i is that zero?",
            "w.grad 的第 i 行等于 x[i] 乘以输出的梯度。i 等于几时它为零？",
        ),
    ),
}
