"""Predictions of chapter 2, backward and .grad."""

from __future__ import annotations

from .prediction import Prediction, Words, Wrong

PREDICTIONS = {
    "02.a": Prediction(
        right="None|nothing|无|没有",
        why=Words(
            "No `backward()` has run, so there is no gradient yet, not even one of zeros.",
            "还没有运行过 `backward()`，所以还没有梯度，连全零的也没有。",
        ),
        hint=Words(
            "No gradient has been computed yet. A number would be an answer already.",
            "还没有算过任何梯度。写成一个数，就已经是答案了。",
        ),
        wrong=(
            Wrong(
                "0, 0, 0, 0",
                Words(
                    "Four zeros would be an answer: that the result does not follow `x`. Nobody "
                    "has asked anything yet.",
                    "四个零本身是一个答案，表示结果不随 `x` 变化。可是现在还什么都没有问过。",
                ),
            ),
            Wrong(
                "0",
                Words(
                    "A zero would be an answer: that the result does not follow `x`. Nobody has "
                    "asked anything yet.",
                    "零本身是一个答案，表示结果不随 `x` 变化。可是现在还什么都没有问过。",
                ),
            ),
            Wrong(
                "True",
                Words(
                    "`requires_grad` is `True`. `.grad` is the place where the gradient itself "
                    "will be.",
                    "`True` 是 `requires_grad` 的值。`.grad` 是存放梯度本身的地方。",
                ),
            ),
            Wrong(
                "an error|error|AttributeError|报错",
                Words(
                    "The place is there from the beginning, although nothing is in it.",
                    "这个地方一开始就有，只是里面还没有东西。",
                ),
            ),
        ),
    ),
    "02.b": Prediction(
        right="3; 3, 3, 1; 7|3, 3, 1, 3, 7|3, 1, 3, 3, 7|3, 3, 1, 7|3, 1, 3, 7",
        fields=(
            Words("paths", "路径数"),
            Words("each brings", "每条带来"),
            Words("u.grad", "u.grad"),
        ),
        why=Words(
            "Three paths: two through the product bring 3 each, and the straight one brings 1.",
            "三条路径：经过乘积的两条各带来 3，直接到达的一条带来 1。",
        ),
        hint=Words(
            "Mark each `u` in `u * u + u`. Each is one path; in the product the other factor is 3.",
            "把 `u * u + u` 里的每个 `u` 都标出来，每个就是一条路径；在乘积里，另一个因数是 3。",
        ),
        wrong=(
            Wrong(
                "any, any, 6|any, any, any, 6|any, any, any, any, 6",
                Words(
                    "6 is what the two paths through the product bring together. One more path "
                    "leads straight from the sum to `u`.",
                    "6 是经过乘积的两条路径合起来的贡献。还有一条路径从加法直接通向 `u`。",
                ),
            ),
            Wrong(
                "any, any, 4|any, any, any, 4|any, any, any, any, 4",
                Words(
                    "4 is 3 + 1: one path through the product, and the straight one. But `u` is "
                    "both factors of the product, so two paths lead through it.",
                    "4 等于 3 + 1：经过乘积的一条路径，加上直接到达的一条。可是乘积的两个因数都是 "
                    "`u`，所以有两条路径经过它。",
                ),
            ),
            Wrong(
                "any, any, 12|any, any, any, 12|any, any, any, any, 12",
                Words(
                    "12 is the value of `s`. `u.grad` says how fast `s` changes with `u`.",
                    "12 是 `s` 的值。`u.grad` 说的是 `s` 随 `u` 变化得多快。",
                ),
            ),
            Wrong(
                "any, any, 3|any, any, any, 3|any, any, any, any, 3",
                Words(
                    "3 is what one of the paths brings. The gradient is the sum over all of them.",
                    "3 是其中一条路径的贡献。梯度要把所有路径加起来。",
                ),
            ),
            Wrong(
                "any, any, 9|any, any, any, 9|any, any, any, any, 9",
                Words(
                    "9 is 3 times 3, the value of the product. What the two paths through it bring "
                    "adds.",
                    "9 是 3 乘以 3，也就是乘积的值。经过它的两条路径带来的要相加。",
                ),
            ),
        ),
    ),
    "02.c": Prediction(
        right="0, 8, 16, 24",
        why=Words(
            "Each `backward()` brings `[0, 4, 8, 12]`, and the leaf adds the second to the first.",
            "每次 `backward()` 都带来 `[0, 4, 8, 12]`，叶子节点把第二次的加到第一次的上面。",
        ),
        hint=Words(
            "One `backward()` brings 4x. Does the second pass start from an empty `.grad`?",
            "一次 `backward()` 带来 4x。第二次开始时，`.grad` 是空的吗？",
        ),
        wrong=(
            Wrong(
                "0, 4, 8, 12",
                Words(
                    "That is the gradient of one `y`. The second `backward()` does not replace "
                    "what is in `.grad`: it adds to it.",
                    "这是一个 `y` 的梯度。第二次 `backward()` 不会替换 `.grad` 里已有的数，"
                    "而是加上去。",
                ),
            ),
            Wrong(
                "an error|error|RuntimeError|报错|错误|出错",
                Words(
                    "Nothing fails here: each turn builds a new graph, so no graph is used twice.",
                    "这里不会出错：每一轮都建立一张新图，没有哪张图用了两次。",
                ),
            ),
            Wrong(
                "0, 16, 64, 144",
                Words(
                    "Those are the squares of 0, 4, 8 and 12. What two passes bring is added, not "
                    "multiplied.",
                    "这些是 0、4、8、12 的平方。两次反向传播的贡献是相加，不是相乘。",
                ),
            ),
            Wrong(
                "0, 16, 32, 48",
                Words(
                    "That is four times the gradient of one `y`. There were two of them.",
                    "这是一个 `y` 的梯度的四倍。而一共只有两个 `y`。",
                ),
            ),
        ),
    ),
}
