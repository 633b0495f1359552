"""Predictions of chapter 2, backward and .grad."""

from __future__ import annotations

from .prediction import Prediction, Words, Wrong

PREDICTIONS = {
    "02.a": Prediction(
        right="7",
        why=Words(
            "Three paths: two through the product bring 3 each, and the straight one brings 1.",
            "三条路径：经过乘积的两条各带来 3，直接到达的一条带来 1。",
        ),
        wrong=(
            Wrong(
                "6",
                Words(
                    "6 is what the two paths through the product bring together. One more path "
                    "leads straight from the sum to `u`.",
                    "6 是经过乘积的两条路径合起来的贡献。还有一条路径从加法直接通向 `u`。",
                ),
            ),
            Wrong(
                "4",
                Words(
                    "4 is 3 + 1: one path through the product, and the straight one. But `u` is "
                    "both factors of the product, so two paths lead through it.",
                    "4 等于 3 + 1：经过乘积的一条路径，加上直接到达的一条。可是乘积的两个因子都是 "
                    "`u`，所以有两条路径经过它。",
                ),
            ),
            Wrong(
                "12",
                Words(
                    "12 is the value of `s`. `u.grad` says how fast `s` changes with `u`.",
                    "12 是 `s` 的值。`u.grad` 说的是 `s` 随 `u` 变化得多快。",
                ),
            ),
            Wrong(
                "3",
                Words(
                    "3 is what one of the paths brings. The gradient is the sum over all of them.",
                    "3 是其中一条路径的贡献。梯度要把所有路径加起来。",
                ),
            ),
        ),
    ),
    "02.b": Prediction(
        right="0, 8, 16, 24",
        why=Words(
            "Each `backward()` brings `[0, 4, 8, 12]`, and the leaf adds the second to the first.",
            "每次 `backward()` 都带来 `[0, 4, 8, 12]`，叶子把第二次的加到第一次的上面。",
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
                "0, 16, 32, 48",
                Words(
                    "That is four times the gradient of one `y`. There were two of them, and what "
                    "they bring is added, not multiplied.",
                    "这是一个 `y` 的梯度的四倍。一共只有两个 `y`，它们的贡献是相加，不是相乘。",
                ),
            ),
        ),
    ),
    "02.c": Prediction(
        right="1, 1, 1, 1",
        why=Words(
            "Add 1 to any element, and the sum grows by 1. What was in `.grad` before, `zero_()` "
            "has set to zero.",
            "任何一个元素加 1，和就增加 1。`.grad` 里原来的数已经被 `zero_()` 清零。",
        ),
        wrong=(
            Wrong(
                "1, 9, 17, 25",
                Words(
                    "That is the new gradient added to the old one. `x.grad.zero_()` comes first, "
                    "so there is nothing to add to.",
                    "这是新梯度加在旧梯度上的结果。可是先执行了 `x.grad.zero_()`，已经没有旧的"
                    "梯度了。",
                ),
            ),
            Wrong(
                "0, 1, 2, 3",
                Words(
                    "Those are the elements of `x`. How fast a sum grows with one of its terms "
                    "does not depend on how large that term is.",
                    "这些是 `x` 的元素。和随某一项增长得多快，与这一项的大小无关。",
                ),
            ),
            Wrong(
                "6",
                Words(
                    "6 is the value of `total`. `x.grad` has one number for each element of `x`.",
                    "6 是 `total` 的值。`x.grad` 里 `x` 的每个元素各有一个数。",
                ),
            ),
            Wrong(
                "1",
                Words(
                    "1 is the slope in each element, and `x` has four of them.",
                    "每个元素的斜率都是 1，而 `x` 有四个元素。",
                ),
            ),
        ),
    ),
}
