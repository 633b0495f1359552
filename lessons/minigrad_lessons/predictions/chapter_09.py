"""Predictions of chapter 9, control flow."""

from __future__ import annotations

from .prediction import Prediction, Words, Wrong

PREDICTIONS = {
    "09.a": Prediction(
        right="5, -810",
        fields=(Words("multiplications", "乘法次数"), Words("a.grad", "a.grad")),
        why=Words(
            "Four triplings lead to -162, and the branch for negative results multiplies once "
            "more: 81 times -10.",
            "乘四次 3 得到 -162，负数的分支再乘一次：81 乘以 -10。",
        ),
        hint=Words(
            "Follow the loop: -2 is tripled until its size is large enough. Then look at the "
            "branch, with its sign.",
            "跟着循环走：-2 不断乘以 3，直到绝对值够大。然后看分支，注意符号。",
        ),
        wrong=(
            Wrong(
                "4, 81",
                Words(
                    "That was for 2. The loop does the same for -2, but then the other branch is "
                    "taken.",
                    "这是 2 时的答案。-2 时循环一样，但接下来走的是另一个分支。",
                ),
            ),
            Wrong(
                "5, 810",
                Words(
                    "The size is right. The last factor is -10, so the slope is negative: a larger "
                    "`a` makes the result smaller.",
                    "大小对了。最后一个因子是 -10，所以斜率是负的：`a` 变大，结果变小。",
                ),
            ),
            Wrong(
                "5, 1620",
                Words(
                    "1620 is the result. The slope is the result divided by `a`.",
                    "1620 是结果。斜率是结果除以 `a`。",
                ),
            ),
            Wrong(
                "4, -810",
                Words(
                    "The slope is right. It has a factor of each product: four times 3, and -10.",
                    "斜率对了。它的每个因子都来自一次乘法：四个 3，还有 -10。",
                ),
            ),
        ),
    ),
    "09.b": Prediction(
        right="None|nothing|无|没有",
        why=Words(
            "`limit` was only compared with, so no path of the graph leads to it.",
            "`limit` 只用来比较，所以图里没有路通向它。",
        ),
        hint=Words(
            "Is there an operation in the graph that computes with `limit`, or is it only "
            "compared?",
            "图里有用 `limit` 计算的运算吗，还是只拿它来比较？",
        ),
        wrong=(
            Wrong(
                "0",
                Words(
                    "A small change of the limit changes nothing, so 0 would be true. But a leaf "
                    "to which no path leads receives nothing, not even a 0.",
                    "上限变一点点，结果不变，所以 0 是说得通的。但没有路通向的叶子节点什么也收不到"
                    "，"
                    "连 0 也没有。",
                ),
            ),
            Wrong(
                "an error|error|RuntimeError|报错|错误|出错",
                Words(
                    "`autograd.grad` was asked for this one gradient. `backward()` fills in what "
                    "it comes to, and does not ask what it has missed.",
                    "`autograd.grad` 是专门来要这个梯度的。`backward()` 只填它走到的，"
                    "不管漏掉了什么。",
                ),
            ),
            Wrong(
                "81",
                Words("81 is the slope towards `a`.", "81 是对 `a` 的斜率。"),
            ),
        ),
    ),
    "09.c": Prediction(
        right="0, 0, 0.5, 0.5",
        why=Words(
            "The library takes 0 for `relu` and `abs` at 0, and `max()` shares among equal maxima.",
            "库里 `relu` 和 `abs` 在 0 处都取 0，`max()` 让并列的最大值平分。",
        ),
        hint=Words(
            "At a kink the library takes one of the possible slopes. Two equal maxima share one "
            "gradient.",
            "在折点处，库从可能的斜率中取一个。两个并列的最大值分享一份梯度。",
        ),
        wrong=(
            Wrong(
                "0, 0, 1, 1",
                Words(
                    "If both maxima got 1, raising both by a little would count twice; the "
                    "maximum rises once.",
                    "如果两个最大值都得 1，把两者都提高一点就会算两次，而最大值只提高一次。",
                ),
            ),
            Wrong(
                "0, 0, 1, 0",
                Words(
                    "The first of the two could have been chosen, and `max(0)` does that. `max()` "
                    "does not say where, and prefers nobody.",
                    "也可以只选第一个，`max(0)` 就是这样。`max()` 不说位置，也不偏向谁。",
                ),
            ),
            Wrong(
                "0.5, 0, 0.5, 0.5",
                Words(
                    "1/2 lies between the two slopes of `relu`, and would be as good. It is not "
                    "the number that was chosen.",
                    "1/2 在 `relu` 的两个斜率之间，选它也可以。但选定的不是这个数。",
                ),
            ),
            Wrong(
                "1, 1, 0.5, 0.5",
                Words(
                    "1 is the slope on the right of both kinks. At 0 itself another number was "
                    "chosen.",
                    "1 是两个折点右边的斜率。在 0 本身，选定的是另一个数。",
                ),
            ),
            Wrong(
                "nan, nan, 0.5, 0.5",
                Words(
                    "Nothing is divided here: a number is chosen by rule.",
                    "这里没有做除法：按规则选定了一个数。",
                ),
            ),
        ),
    ),
    "09.d": Prediction(
        right="-16",
        why=Words(
            "-1 is doubled four times, until its size is no longer below 10, and then multiplied "
            "by -1.",
            "-1 加倍四次，直到绝对值不小于 10，然后乘以 -1。",
        ),
        hint=Words(
            "Which power of 2 is -1 multiplied by, and what does the last branch do to the sign?",
            "-1 乘了 2 的几次方？最后那个分支对符号做了什么？",
        ),
        wrong=(
            Wrong(
                "16",
                Words(
                    "That is the loop alone. Its result is negative, so one more product follows.",
                    "这只是循环的部分。循环的结果是负数，所以后面还有一次乘法。",
                ),
            ),
            Wrong(
                "-8",
                Words(
                    "After three doublings the number is -8, whose size is still below 10.",
                    "加倍三次得到 -8，它的绝对值还小于 10。",
                ),
            ),
            Wrong(
                "-4",
                Words(
                    "That would be two doublings, as for 3. From -1 on it takes more of them.",
                    "那是加倍两次的结果，就像 3 那样。从 -1 开始要加倍更多次。",
                ),
            ),
            Wrong(
                "4",
                Words(
                    "That is the slope at 3. The graph of this call is another.",
                    "这是 3 处的斜率。这次调用的图是另一张。",
                ),
            ),
        ),
    ),
}
