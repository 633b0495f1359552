"""Predictions of chapter 16, NaN and where."""

from __future__ import annotations

from .prediction import Prediction, Words, Wrong

ERROR = "an error|RuntimeError|error|报错|错误|出错"

PREDICTIONS = {
    "16.a": Prediction(
        right="False|no|not|否|不等于|never|不相等|从不相等|不等",
        why=Words(
            "A `nan` is equal to nothing, not even to itself.",
            "`nan` 不等于任何东西，连它自己也不等于。",
        ),
        wrong=(
            Wrong(
                "True|yes|是|等于",
                Words(
                    "For every number that would be so. But `nan` means: no number.",
                    "对任何数都是如此。但 `nan` 的意思是：不是数。",
                ),
            ),
        ),
        choices=True,
    ),
    "16.b": Prediction(
        right="nan|not a number",
        why=Words(
            "The root has the slope inf at 0, the square has the slope 0, and inf times 0 is no "
            "number.",
            "根号在 0 处的斜率是 inf，平方的斜率是 0，而 inf 乘以 0 不是数。",
        ),
        hint=Words(
            "Multiply the two slopes at 0: that of the root, 1/(2√u), and that of the square.",
            "把 0 处的两个斜率相乘：根号的 1/(2√u)，以及平方的。",
        ),
        wrong=(
            Wrong(
                "0",
                Words(
                    "0 lies between -1 and 1, and `abs` of the library gives it. But here nobody "
                    "knows of |x|: the slopes of a root and of a square are multiplied.",
                    "0 在 -1 和 1 之间，库里的 `abs` 给出的就是它。但这里没有谁知道 |x|："
                    "只是把根号的斜率与平方的斜率相乘。",
                ),
            ),
            Wrong(
                "1",
                Words(
                    "1 is the slope on the right of 0. The pass does not choose a side: it "
                    "multiplies the slopes of a root and of a square.",
                    "1 是 0 右边的斜率。反向传播不会选哪一边：它把根号的斜率与平方的斜率相乘。",
                ),
            ),
            Wrong(
                "-1",
                Words(
                    "-1 is the slope on the left of 0. The pass does not choose a side: it "
                    "multiplies the slopes of a root and of a square.",
                    "-1 是 0 左边的斜率。反向传播不会选哪一边：它把根号的斜率与平方的斜率相乘。",
                ),
            ),
            Wrong(
                "inf|infinity|无穷大|无穷",
                Words(
                    "inf is the slope of the root at 0. It is multiplied by the slope of the "
                    "square there.",
                    "inf 是根号在 0 处的斜率。它还要乘以平方在那里的斜率。",
                ),
            ),
            Wrong(
                ERROR,
                Words(
                    "Dividing floating-point tensors by 0 raises no error.",
                    "浮点数张量除以 0 不会报错。",
                ),
            ),
        ),
    ),
    "16.c": Prediction(
        right="0.25, nan",
        why=Words(
            "At 4 the slope is 1/4. At 0 the root gets a 0 and multiplies it by `inf`.",
            "在 4 处斜率是 1/4。在 0 处，根号收到 0，乘以 `inf`。",
        ),
        hint=Words(
            "Where `where` did not choose the root, it sends a 0 there. What is 0 times the slope "
            "of the root at 0?",
            "`where` 没有选根号的地方，送去的是 0。0 乘以根号在 0 处的斜率是多少？",
        ),
        wrong=(
            Wrong(
                "0.25, 0",
                Words(
                    "That is what you want. But the branch not taken is computed too, and gets a "
                    "0, which meets an infinite slope.",
                    "这正是想要的。但没有走的分支也参加计算，它收到的 0 遇到了无穷大的斜率。",
                ),
            ),
            Wrong(
                "0.25, inf",
                Words(
                    "`inf` is the slope of the root at 0. What comes in from `where` is a 0.",
                    "`inf` 是根号在 0 处的斜率。而从 `where` 传来的是 0。",
                ),
            ),
            Wrong(
                "2, 0",
                Words(
                    "Those are the values of `root`. Asked was the gradient.",
                    "这是 `root` 的值。题目问的是梯度。",
                ),
            ),
        ),
    ),
    "16.d": Prediction(
        right="200",
        why=Words(
            "Minus the logarithm is log(e⁰ + e²⁰⁰) minus the score 0, and the 1 next to e²⁰⁰ does "
            "not count.",
            "对数的相反数是 log(e⁰ + e²⁰⁰) 减去得分 0，而 1 与 e²⁰⁰ 相比微不足道。",
        ),
        hint=Words(
            "Minus the logarithm of the softmax of class 0 is log(e⁰ + e²⁰⁰) - 0.",
            "类别 0 的 softmax 取负对数，就是 log(e⁰ + e²⁰⁰) - 0。",
        ),
        wrong=(
            Wrong(
                "inf",
                Words(
                    "That is what came out by way of the probability, which was rounded to 0. "
                    "`cross_entropy` does not go that way.",
                    "先算概率，概率舍入成 0，才会得到它。`cross_entropy` 不这样算。",
                ),
            ),
            Wrong(
                "nan",
                Words(
                    "`nan` stood in the gradients. `cross_entropy` never computes the probability "
                    "that was rounded to 0.",
                    "`nan` 是出现在梯度里的。`cross_entropy` 根本不计算那个舍入成 0 的概率。",
                ),
            ),
            Wrong(
                "0",
                Words(
                    "0 would be the loss if class 1 were right.",
                    "如果正确的是类别 1，损失才是 0。",
                ),
            ),
            Wrong(
                "-200",
                Words(
                    "-200 is the logarithm. The loss is minus that.",
                    "-200 是对数。损失是它的相反数。",
                ),
            ),
        ),
    ),
    "16.e": Prediction(
        right="0.6, 0.8",
        why=Words("The same direction, a tenth of the length.", "方向不变，长度是十分之一。"),
        hint=Words(
            "Clipping keeps the direction: multiply both numbers by the same factor.",
            "裁剪不改变方向：两个数乘以同一个因子。",
        ),
        wrong=(
            Wrong(
                "1, 1",
                Words(
                    "That would be each number cut by itself, and the direction would be another.",
                    "这是把每个数单独截断，方向就变了。",
                ),
            ),
            Wrong(
                "6, 8",
                Words(
                    "Its length is 10, and that is more than 1.",
                    "它的长度是 10，超过了 1。",
                ),
            ),
            Wrong(
                "0.4286, 0.5714",
                Words(
                    "Those add up to 1. But the length is the root of the sum of the squares.",
                    "这两个数之和是 1。但长度是平方和的平方根。",
                ),
            ),
        ),
    ),
    "16.f": Prediction(
        right="0",
        why=Words(
            "It is too small for float16, and is rounded to 0.",
            "它对 float16 来说太小，舍入成了 0。",
        ),
        hint=Words(
            "The product is 1e-10. The smallest positive float16 is about 6e-8.",
            "乘积是 1e-10。float16 能表示的最小正数约为 6e-8。",
        ),
        wrong=(
            Wrong(
                "1e-10|0.0000000001",
                Words(
                    "So it is by pencil, and in float32. In float16 there is no such number.",
                    "用纸笔算是这样，在 float32 里也是。但 float16 里没有这个数。",
                ),
            ),
            Wrong(
                "1e-5|0.00001",
                Words(
                    "It is multiplied twice.",
                    "乘了两次。",
                ),
            ),
            Wrong(
                "nan",
                Words(
                    "`nan` comes from operations like inf - inf. A small number is only rounded.",
                    "`nan` 来自 inf - inf 这样的运算。太小的数只是被舍入。",
                ),
            ),
        ),
    ),
}
