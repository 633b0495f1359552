"""Predictions of chapter 1, the computational graph."""

from __future__ import annotations

from .prediction import Prediction, Words, Wrong

PREDICTIONS = {
    "01.a": Prediction(
        right="True|yes|leaf|是",
        choices=True,
        why=Words(
            "A multiplication made it, but `plain` did not ask for a record, so none was kept.",
            "它由乘法得到，但 `plain` 没有请求记录，所以什么也没有记下。",
        ),
        wrong=(
            Wrong(
                "False|no|不是",
                Words(
                    "An operation made it, that is true. But only a recorded operation keeps a "
                    "tensor from being a leaf, and this one was not recorded.",
                    "它确实由运算得到。但只有被记录的运算才会使结果不是叶子节点，而这次运算没有被记"
                    "录。",
                ),
            ),
            Wrong(
                "an error|error|RuntimeError|报错",
                Words(
                    "Every tensor can be asked whether it is a leaf, and numbers can be computed "
                    "without a record.",
                    "每个张量都可以问它是不是叶子节点，不记录也一样可以计算。",
                ),
            ),
        ),
    ),
    "01.b": Prediction(
        right="4",
        why=Words(
            "1, 2, 4, 8, 16: four multiplications, and then 16 is not below 10.",
            "1、2、4、8、16：四次乘法，此时 16 已不小于 10。",
        ),
        hint=Words(
            "Write down the numbers: 1, then doubled, until one is not below 10.",
            "把数写下来：从 1 开始翻倍，直到不小于 10。",
        ),
        wrong=(
            Wrong(
                "2",
                Words(
                    "2 it was for 3. A smaller number needs more doublings to come to 10.",
                    "从 3 开始是 2 个。数更小，就要翻倍更多次才能到 10。",
                ),
            ),
            Wrong(
                "3",
                Words(
                    "After 3 doublings of 1 there is 8, and 8 is still below 10.",
                    "1 翻倍 3 次是 8，而 8 仍小于 10。",
                ),
            ),
            Wrong(
                "5",
                Words(
                    "A fifth doubling would turn 16 into 32, but 16 is not below 10. If you "
                    "counted "
                    "the comparisons: they are not in the graph.",
                    "第五次翻倍会把 16 变成 32，但 16 已不小于 10。如果你数的是比较的次数：比较不在"
                    "图里。",
                ),
            ),
            Wrong(
                "1",
                Words(
                    "There is 1 multiplication in the code. The graph has one for each time that "
                    "it ran.",
                    "代码里只写了 1 个乘法。而它每执行一次，图里就有一个。",
                ),
            ),
        ),
    ),
    "01.c": Prediction(
        right="2|w, b|b, w|2, w, b|2, b, w|w, b, 2",
        why=Words(
            "`w` and `b`. The others did not ask for a gradient, or are results.",
            "`w` 和 `b`。其余的要么没有要求梯度，要么是运算的结果。",
        ),
        hint=Words(
            "Which tensors in the code were made with `requires_grad=True`?",
            "代码里哪些张量是用 `requires_grad=True` 创建的？",
        ),
        wrong=(
            Wrong(
                "4",
                Words(
                    "4 tensors are leaves, but `x` and `y` require no gradient, and such leaves "
                    "are "
                    "not in the graph.",
                    "是叶子节点的张量有 4 个，但 `x` 和 `y` 不要求梯度，这样的叶子节点不在图里。",
                ),
            ),
            Wrong(
                "3",
                Words(
                    "Of `x`, `w`, `b` and `y`, only those are in the graph that require a "
                    "gradient.",
                    "`x`、`w`、`b`、`y` 之中，只有要求梯度的才在图里。",
                ),
            ),
            Wrong(
                "18",
                Words(
                    "18 is how many numbers `w` and `b` hold together. A leaf is a whole tensor.",
                    "18 是 `w` 和 `b` 里一共有多少个数。一个叶子节点是一整个张量。",
                ),
            ),
            Wrong(
                "1",
                Words(
                    "There is 1 root, the loss. It was computed with more than one tensor that "
                    "requires a gradient.",
                    "根节点只有 1 个，就是损失。而计算它用到的、要求梯度的张量不止一个。",
                ),
            ),
        ),
    ),
}
