"""Exercises of chapter 06, when the output is not a scalar."""

from __future__ import annotations

from typing import Any

from .exercise import Exercise, Hint, Words
from .recognise import listed, number, numbers, rows


def started_with(v: Any, x: Any, y: Any) -> Any:
    """The gradient of x when the walk starts at y with the vector v, leaving y's graph usable."""
    listed(v)
    x.grad = None
    y.backward(v, retain_graph=True)
    return x.grad


EXERCISES = {
    "06.1": Exercise(
        solution="[5, 3]",
        right=lambda answer: numbers(answer, [5, 3]),
        because=Words(
            "Twice the first row, minus the second: (6 - 1, 4 - 1).",
            "第一行的两倍，减去第二行：(6 - 1, 4 - 1)。",
        ),
        hints=(
            Hint(
                "[4, 1]",
                lambda answer: numbers(answer, [4, 1]),
                Words(
                    "That is the matrix times the vector, J v. A backward walk computes the vector "
                    "times the matrix: it adds rows.",
                    "这是矩阵乘以向量 J v。反向走算的是向量乘以矩阵：把各行相加。",
                ),
            ),
            Hint(
                "[4, 3]",
                lambda answer: numbers(answer, [4, 3]),
                Words(
                    "That is the sum of the rows, for v = (1, 1). Here they have the weights 2 and "
                    "-1.",
                    "这是 v = (1, 1) 时的各行之和。这里的权重是 2 和 -1。",
                ),
            ),
            Hint(
                "[[6, 4], [-1, -1]]",
                lambda answer: rows(answer, [[6, 4], [-1, -1]]),
                Words(
                    "The rows are weighted correctly. Now add them: x has two elements, and so has "
                    "its gradient.",
                    "各行的权重对了，现在把它们加起来：x 有两个元素，它的梯度也是。",
                ),
            ),
        ),
        otherwise=Words(
            "2 times the row (3, 2), plus -1 times the row (1, 1).",
            "2 乘以行 (3, 2)，加上 -1 乘以行 (1, 1)。",
        ),
    ),
    "06.2": Exercise(
        solution="mg.ones(3) / 3",
        right=lambda v, x, y: numbers(started_with(v, x, y), [2 / 3, 4 / 3, 2]),
        because=Words(
            "Every output has the weight 1/3, so x.grad is 2x / 3.",
            "每个输出的权重是 1/3，所以 x.grad 是 2x / 3。",
        ),
        hints=(
            Hint(
                "mg.ones(3)",
                lambda v, x, y: numbers(started_with(v, x, y), [2, 4, 6]),
                Words(
                    "That is the sum. In a mean, how much does each element count?",
                    "这是求和。在平均里，每个元素占多少？",
                ),
            ),
            Hint(
                "mg.tensor(1 / 3)",
                lambda v, x, y: number(1 / 3)(v) and tuple(v.shape) == (),
                Words(
                    "The right weight, but v needs one for each element of y: three of them.",
                    "权重对了，但 v 要为 y 的每个元素准备一个：一共三个。",
                ),
            ),
            Hint(
                "1 / 3",
                lambda v, x, y: number(1 / 3)(v) and not hasattr(v, "shape"),
                Words(
                    "v must be a tensor, with the shape of y.",
                    "v 必须是张量，形状与 y 相同。",
                ),
            ),
            Hint(
                "[1 / 3, 1 / 3, 1 / 3]",
                lambda v, x, y: isinstance(v, list) and numbers(v, [1 / 3] * 3),
                Words(
                    "The right numbers, in a list. Make a tensor of them.",
                    "数对了，但这是列表。请把它变成张量。",
                ),
            ),
        ),
        otherwise=Words(
            "y.mean() is y[0]/3 + y[1]/3 + y[2]/3. v holds these weights.",
            "y.mean() 就是 y[0]/3 + y[1]/3 + y[2]/3。v 就是这些权重。",
        ),
    ),
    "06.3": Exercise(
        solution="5",
        right=number(5),
        because=Words(
            "One walk brings one row, and there is a row for each output.",
            "走一遍得一行，每个输出一行。",
        ),
        hints=(
            Hint(
                "1000",
                number(1000),
                Words(
                    "That is the number of columns. One walk brings a whole row: the slopes of one "
                    "output with respect to all inputs.",
                    "这是列数。走一遍得到一整行：一个输出对所有输入的斜率。",
                ),
            ),
            Hint(
                "5000",
                number(5000),
                Words(
                    "That is the number of entries. One walk brings a thousand of them at once.",
                    "这是元素的个数。走一遍一次就得到其中一千个。",
                ),
            ),
            Hint(
                "1",
                number(1),
                Words(
                    "One walk brings one weighted sum of the rows. The rows cannot be told apart "
                    "in it.",
                    "走一遍只得到各行的一个加权和，从中无法把各行分开。",
                ),
            ),
        ),
        otherwise=Words(
            "How many rows has the Jacobian, and how many rows does one walk bring?",
            "雅可比矩阵有几行？走一遍得到几行？",
        ),
    ),
    "06.4": Exercise(
        solution="[[4, 1], [2, 5]]",
        right=lambda jacobian: rows(jacobian, [[4, 1], [2, 5]]),
        because=Words(
            "Compare: mg.autograd.functional.jacobian(g, mg.tensor([1.0, 2.0])).",
            "对照一下：mg.autograd.functional.jacobian(g, mg.tensor([1.0, 2.0]))。",
        ),
        hints=(
            Hint(
                "[[4, 2], [1, 5]]",
                lambda jacobian: rows(jacobian, [[4, 2], [1, 5]]),
                Words(
                    "Right numbers, rows and columns exchanged. A row belongs to an output: the "
                    "first holds the slopes of y1.",
                    "数对了，但行和列交换了。一行对应一个输出：第一行是 y1 的斜率。",
                ),
            ),
            Hint(
                "[[3, 0], [0, 3]]",
                lambda jacobian: rows(jacobian, [[3, 0], [0, 3]]),
                Words(
                    "You treated the sum as the constant 3. It changes with x as well.",
                    "你把总和当成了常数 3，但它也随 x 变化。",
                ),
            ),
            Hint(
                "[[4, 0], [0, 5]]",
                lambda jacobian: rows(jacobian, [[4, 0], [0, 5]]),
                Words(
                    "The diagonal is right. But y1 depends on x2 too, through the sum.",
                    "对角线对了。但 y1 也通过总和与 x2 有关。",
                ),
            ),
            Hint(
                "[6, 6]",
                lambda jacobian: numbers(jacobian, [6, 6]),
                Words(
                    "That is the sum of the rows. The rows themselves are asked for.",
                    "这是各行之和。要的是每一行本身。",
                ),
            ),
        ),
        otherwise=Words(
            "Write out y1 = x1 (x1 + x2) and y2 = x2 (x1 + x2), and take four derivatives.",
            "写出 y1 = x1 (x1 + x2) 和 y2 = x2 (x1 + x2)，求四个导数。",
        ),
    ),
}
