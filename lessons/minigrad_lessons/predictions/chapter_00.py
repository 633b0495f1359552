"""Predictions of chapter 0, Nudge."""

from __future__ import annotations

from .prediction import Prediction, Words, Wrong

PREDICTIONS = {
    "00.a": Prediction(
        right="-4",
        why=Words(
            "From -2 to -1.9 the square falls from 4 to 3.61, so the slope is negative; and the "
            "nearer the nudge is to nothing, the nearer the slope is to -4.",
            "从 -2 到 -1.9，平方从 4 降到 3.61，所以斜率是负的；推得越少，斜率越接近 -4。",
        ),
        hint=Words(
            "Compute the square at -2 and at -1.9. Does it grow or shrink, and by how many times "
            "the nudge?",
            "算出平方在 -2 和 -1.9 处的值。它变大还是变小？变化是推动的几倍？",
        ),
        wrong=(
            Wrong(
                "4",
                Words(
                    "4 is the value of the square at -2, and the size of the slope, but not its "
                    "sign. At -1.9 the square is smaller than at -2.",
                    "4 是平方在 -2 处的值，也是斜率的大小，但符号不对。-1.9 的平方比 -2 的平方小。",
                ),
            ),
            Wrong(
                "-3.9",
                Words(
                    "-3.9 is what a nudge of 0.1 shows. The smaller the nudge, the nearer to the "
                    "slope itself.",
                    "-3.9 是推 0.1 时得到的倍数。推得越少，才越接近斜率本身。",
                ),
            ),
            Wrong(
                "6",
                Words(
                    "6 is the slope at 3. The slope of the square is another one at every place.",
                    "6 是 3 处的斜率。平方在每一处的斜率都不同。",
                ),
            ),
            Wrong(
                "2",
                Words(
                    "2 is the slope at 1. The slope of the square is another one at every place.",
                    "2 是 1 处的斜率。平方在每一处的斜率都不同。",
                ),
            ),
        ),
    ),
    "00.b": Prediction(
        right="18",
        why=Words(
            "u moves 3 times as far as x, and y 6 times as far as that: 6 times 3.",
            "u 移动的距离是 x 的 3 倍，y 移动的距离又是它的 6 倍：6 乘以 3。",
        ),
        hint=Words(
            "Follow the push: how far does u move, and how far does y move for each step of u?",
            "跟着这一推走：u 移动多远？u 每动一步，y 又移动多远？",
        ),
        wrong=(
            Wrong(
                "9",
                Words(
                    "9 is 3 + 6, and it is also the value of y. But the second step makes a push "
                    "6 times as large that is 3 times as large already.",
                    "9 是 3 + 6，也正好是 y 的值。但第二步放大 6 倍的，是已经放大到 3 倍的推动。",
                ),
            ),
            Wrong(
                "6",
                Words(
                    "6 times as far as u. But u has moved 3 times as far as x.",
                    "6 倍是与 u 相比。但 u 移动的距离已经是 x 的 3 倍。",
                ),
            ),
            Wrong(
                "2",
                Words(
                    "2 is 6 divided by 3, and it is the slope of a square at 1. But it is u that "
                    "is "
                    "squared, and the first step does not undo anything of the second.",
                    "2 是 6 除以 3，也是平方在 1 处的斜率。但平方的是 u，而且第一步并不抵消第二"
                    "步。",
                ),
            ),
            Wrong(
                "3",
                Words("3 times as far is where u is. y comes after it.", "3 倍是 u。y 在它之后。"),
            ),
        ),
    ),
    "00.c": Prediction(
        right="3; 4; 12|3, 4, 4, 4, 12",
        fields=(Words("paths", "路径数"), Words("each brings", "每条带来"), Words("slope", "斜率")),
        why=Words(
            "Three paths, and each brings the product of the two other numbers: 2 times 2.",
            "三条路径，每条带来另外两个数的乘积：2 乘以 2。",
        ),
        hint=Words(
            "Each x in `x * x * x` is a path. On one path the two other factors stay as they are.",
            "`x * x * x` 里的每个 x 都是一条路径。走其中一条时，另外两个因数保持不变。",
        ),
        wrong=(
            Wrong(
                "any, any, 8",
                Words(
                    "8 is the value of the cube at 2. The slope says how fast it changes.",
                    "8 是立方在 2 处的值。斜率说的是它变化得多快。",
                ),
            ),
            Wrong(
                "any, any, 4",
                Words(
                    "4 is what one of the paths brings. There are more of them, and they add.",
                    "4 是其中一条路径带来的。路径不止一条，要加起来。",
                ),
            ),
            Wrong(
                "any, any, 6",
                Words(
                    "6 is 3 times 2: three paths that bring 2 each. But beside each of the three "
                    "factors there are two others, and it is multiplied by both.",
                    "6 是 3 乘以 2：三条路径各带来 2。但每个因数旁边还有另外两个因数，要乘以这两"
                    "个数。",
                ),
            ),
            Wrong(
                "any, any, 64",
                Words(
                    "64 is 4 times 4 times 4. Along a path slopes multiply; what the paths bring "
                    "adds.",
                    "64 是 4 乘 4 再乘 4。沿着一条路径斜率相乘，各条路径带来的则要相加。",
                ),
            ),
        ),
    ),
    "00.d": Prediction(
        right="8",
        why=Words(
            "Each addition has two ways through it, so their number doubles three times: 2, 4, 8.",
            "每次加法都有两条路可以穿过，所以条数翻倍三次：2、4、8。",
        ),
        hint=Words(
            "Count the paths after one addition, then after two.",
            "先数一次加法之后有几条路径，再数两次之后。",
        ),
        wrong=(
            Wrong(
                "6",
                Words(
                    "6 is three times two. But every way to an addition is continued by both of "
                    "its ways, so the numbers multiply.",
                    "6 是三乘以二。但每条到达加法的路，都可以从两边继续走，所以条数是相乘的。",
                ),
            ),
            Wrong(
                "3",
                Words(
                    "3 is the number of additions. Through each of them there are two ways.",
                    "3 是加法的次数。每次加法都有两条路可以穿过。",
                ),
            ),
            Wrong(
                "2",
                Words(
                    "2 is the number of ways through a single addition. There are three of them in "
                    "a row.",
                    "2 是穿过一次加法的路的条数。这里接连有三次。",
                ),
            ),
            Wrong(
                "4",
                Words(
                    "4 is the number after two additions.",
                    "4 是两次加法之后的条数。",
                ),
            ),
            Wrong(
                "1",
                Words(
                    "1 is what each path brings. They are more than one.",
                    "1 是每条路径带来的。路径不止一条。",
                ),
            ),
        ),
    ),
    "00.e": Prediction(
        right="0",
        why=Words(
            "The first step goes from 0 to 8. There the slope is +8, so the second goes back to 0.",
            "第一步从 0 走到 8。那里的斜率是 +8，所以第二步又回到 0。",
        ),
        hint=Words(
            "Take one step first: x minus the learning rate times the slope. What is the slope at "
            "the new place?",
            "先走一步：x 减去学习率乘以斜率。新的位置上斜率是多少？",
        ),
        wrong=(
            Wrong(
                "4",
                Words(
                    "At 4 it is lowest, but the first step goes from 0 to 8, right over it.",
                    "4 是最低的地方，但第一步就从 0 跨到 8，越过了它。",
                ),
            ),
            Wrong(
                "8",
                Words(
                    "At 8 it is after one step. There the valley goes down to the left.",
                    "走一步之后在 8。那里的低处在左边。",
                ),
            ),
            Wrong(
                "16",
                Words(
                    "16 would be two steps of +8. But at 8 the slope is no longer -8.",
                    "16 是走了两个 +8。但在 8 处，斜率已经不是 -8 了。",
                ),
            ),
            Wrong(
                "-16",
                Words(
                    "-16 would be two steps of -8, along the slope. The step goes against it.",
                    "-16 是顺着斜率走了两个 -8。而每一步要朝斜率的反方向走。",
                ),
            ),
        ),
    ),
}
