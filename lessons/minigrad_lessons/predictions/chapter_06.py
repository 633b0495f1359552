"""Predictions of chapter 06, when the output is not a scalar."""

from __future__ import annotations

from .prediction import Prediction, Words, Wrong

PREDICTIONS = {
    "06.a": Prediction(
        right="13, 12",
        why=Words(
            "The rows are added with the weights 1 and 10: 3 + 10 · 1 = 13 and 2 + 10 · 1 = 12.",
            "各行按权重 1 和 10 相加：3 + 10 · 1 = 13，2 + 10 · 1 = 12。",
        ),
        hint=Words(
            "Weight the two rows of the derivative with 1 and 10, then add them up for each input.",
            "把导数的两行分别乘以 1 和 10，再对每个输入加起来。",
        ),
        wrong=(
            Wrong(
                "23, 11",
                Words(
                    "That is the matrix times the vector: each row was multiplied with (1, 10). A "
                    "backward pass weights the rows and adds them.",
                    "这是矩阵乘以向量：每一行都与 (1, 10) 相乘。反向传播是给各行加权，再把它们"
                    "加起来。",
                ),
            ),
            Wrong(
                "3, 20",
                Words(
                    "That is the first row, (3, 2), with its entries multiplied by 1 and 10. The "
                    "weights belong to the outputs, that is to whole rows.",
                    "这是把第一行 (3, 2) 的两个元素分别乘以 1 和 10。权重是属于输出的，也就是"
                    "属于整行的。",
                ),
            ),
            Wrong(
                "4, 3",
                Words(
                    "That is the sum of the rows with the weights 1 and 1. Here the second row "
                    "counts ten times.",
                    "这是权重为 1 和 1 时的各行之和。这里第二行要算十倍。",
                ),
            ),
            Wrong(
                "10, 10",
                Words(
                    "That is ten times the second row, (1, 1). The first row counts once, and is "
                    "added.",
                    "这是第二行 (1, 1) 的十倍。第一行算一倍，也要加上。",
                ),
            ),
        ),
    ),
    "06.b": Prediction(
        right="0, 0.5, 1, 1.5",
        why=Words(
            "Each square has the slope 2x, and counts one quarter in the mean: 2x / 4.",
            "每个平方的斜率是 2x，在平均里占四分之一：2x / 4。",
        ),
        hint=Words(
            "The slope of x² is 2x. By how much does `mean()` divide?",
            "x² 的斜率是 2x。`mean()` 要除以多少？",
        ),
        wrong=(
            Wrong(
                "0, 2, 4, 6",
                Words(
                    "That is 2x, the gradient of the sum. In the mean each square counts less "
                    "than 1.",
                    "这是 2x，即求和时的梯度。在平均里，每个平方的权重小于 1。",
                ),
            ),
            Wrong(
                "0.25, 0.25, 0.25, 0.25|1/4, 1/4, 1/4, 1/4",
                Words(
                    "Those are the weights that arrive at the squares. The rule of the square "
                    "multiplies them by 2x.",
                    "这些是到达各个平方的权重。平方的规则还要把它们乘以 2x。",
                ),
            ),
            Wrong(
                "0, 0.25, 1, 2.25",
                Words(
                    "Those are the squares themselves, divided by four: what they contribute to "
                    "the value. A slope is asked for.",
                    "这些是平方本身除以四，也就是它们对值的贡献。这里问的是斜率。",
                ),
            ),
            Wrong(
                "3.5",
                Words(
                    "3.5 is the mean of the squares, the value. `x.grad` has a slope for each "
                    "element of `x`.",
                    "3.5 是平方的平均值，是函数的值。`x.grad` 里 `x` 的每个元素各有一个斜率。",
                ),
            ),
        ),
    ),
    "06.c": Prediction(
        right="2, 4, 2, 3",
        why=Words(
            "The shape of the output, [2, 4], followed by the shape of the input, [2, 3].",
            "输出的形状 [2, 4]，后面接上输入的形状 [2, 3]。",
        ),
        hint=Words(
            "There is one slope for each pair of an output element and an input element. Output "
            "first.",
            "每一对输出元素和输入元素都有一个斜率，输出在前。",
        ),
        wrong=(
            Wrong(
                "2, 3",
                Words(
                    "That is the shape of the input, which a gradient of a single number has. Here "
                    "there are eight outputs, and each of them has such a gradient.",
                    "这是输入的形状，单个数的梯度才是这个形状。这里有八个输出，每个都有这样一个"
                    "梯度。",
                ),
            ),
            Wrong(
                "2, 4",
                Words(
                    "That is the shape of the output. Each of its elements has a slope for each "
                    "element of `x`.",
                    "这是输出的形状。它的每个元素对 `x` 的每个元素都有一个斜率。",
                ),
            ),
            Wrong(
                "8, 6",
                Words(
                    "The count is right: 8 outputs, 6 inputs. But outputs and inputs keep their "
                    "own shapes; nothing is flattened.",
                    "个数是对的：8 个输出，6 个输入。但输出和输入各自保持原来的形状，不会展平。",
                ),
            ),
            Wrong(
                "2, 3, 2, 4",
                Words(
                    "All four are there. As in the Jacobian, where a row belongs to an output, the "
                    "output comes first.",
                    "四个数都对。但和雅可比矩阵一样（一行对应一个输出），输出排在前面。",
                ),
            ),
            Wrong(
                "3, 4",
                Words(
                    "That is the shape of `a`. It is constant here; the slopes are those with "
                    "respect to `x`.",
                    "这是 `a` 的形状。`a` 在这里是常数，要求的是对 `x` 的斜率。",
                ),
            ),
        ),
    ),
    "06.d": Prediction(
        right="2, 0, 3",
        why=Words(
            "The slopes are 2x: 2, 4 and 6. Weighted with 1, 0 and 0.5 they are 2, 0 and 3.",
            "斜率是 2x，即 2、4、6；分别乘以权重 1、0、0.5，得到 2、0、3。",
        ),
        hint=Words(
            "The slopes are 2x. Multiply each by its weight.", "斜率是 2x。把每个乘以它的权重。"
        ),
        wrong=(
            Wrong(
                "2, 4, 6",
                Words(
                    "Those are the slopes 2x, each with the weight 1. Here the weights differ.",
                    "这些是权重都为 1 时的斜率 2x。这里的权重各不相同。",
                ),
            ),
            Wrong(
                "1, 0, 4.5",
                Words(
                    "Those are the values x · x with the weights. What arrives are weighted "
                    "slopes.",
                    "这些是加权之后的值 x · x。到达的应当是加权的斜率。",
                ),
            ),
            Wrong(
                "1, 0, 1.5",
                Words(
                    "That is one factor of the product, weighted. `x` is both factors, and "
                    "both bring a gradient.",
                    "这是乘积中一个因子那一份的加权结果。两个因子都是 `x`，各带来一份梯度。",
                ),
            ),
            Wrong(
                "5",
                Words(
                    "5 is the sum of the three. `x.grad` keeps a number for each element of `x`.",
                    "5 是三个数之和。`x.grad` 里 `x` 的每个元素各有一个数。",
                ),
            ),
        ),
    ),
}
