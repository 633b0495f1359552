"""Predictions of chapter 08, your own operation."""

from __future__ import annotations

from .prediction import Prediction, Words, Wrong

PREDICTIONS = {
    "08.a": Prediction(
        right="60",
        why=Words(
            "5 comes in, because `z` changes five times as fast as the cube. 5 · 3 · 2² = 60 goes "
            "out.",
            "流入的是 5，因为 `z` 的变化是立方的五倍。流出的是 5 · 3 · 2² = 60。",
        ),
        hint=Words(
            "z = 5 · x³, so the gradient that comes in is not 1. Multiply it by the slope of x³ at "
            "2.",
            "z = 5 · x³，所以流入的梯度不是 1。把它乘以 x³ 在 2 处的斜率。",
        ),
        wrong=(
            Wrong(
                "12",
                Words(
                    "12 is the slope of the cube alone. `backward` multiplies it by what comes in.",
                    "12 只是立方的斜率。`backward` 还要把它乘以流入的梯度。",
                ),
            ),
            Wrong(
                "40",
                Words(
                    "40 is the value of `z`. A slope is asked for.",
                    "40 是 `z` 的值。这里问的是斜率。",
                ),
            ),
            Wrong(
                "5",
                Words(
                    "5 is what comes in at your `backward`. It hands on g · 3x².",
                    "5 是流入你的 `backward` 的。它传下去的是 g · 3x²。",
                ),
            ),
            Wrong(
                "17",
                Words(
                    "17 is 5 + 12. Along a path slopes are multiplied.",
                    "17 是 5 + 12。沿着一条路径，斜率是相乘的。",
                ),
            ),
        ),
    ),
    "08.b": Prediction(
        right="4, 6",
        why=Words(
            "The third value is an extra `None` at the end, which is ignored. A 1 comes in for "
            "each row, so the rows of `x` are added up.",
            "第三个值是末尾多出来的 `None`，会被忽略。每一行流入的是 1，所以 `x` 的各行相加。",
        ),
        hint=Words(
            "An extra `None` at the end is allowed. A 1 comes in for each row: add the rows of "
            "`x`.",
            "末尾多一个 `None` 是允许的。每一行流入一个 1：把 `x` 的各行加起来。",
        ),
        wrong=(
            Wrong(
                "an error|error|RuntimeError|报错|错误",
                Words(
                    "A value too few is an error, and so is an extra gradient. An extra `None` at "
                    "the end is neither.",
                    "少一个值会报错，多出一个梯度也会报错。末尾多一个 `None` 则两者都不是。",
                ),
            ),
            Wrong(
                "1, 10",
                Words(
                    "That is the weight itself, the slope with respect to a row of `x`.",
                    "这是权重本身，也就是对 `x` 的一行的斜率。",
                ),
            ),
            Wrong(
                "1, 2",
                Words(
                    "That is what the first row brings. The second row brings a part, too.",
                    "这是第一行带来的。第二行也带来一份。",
                ),
            ),
            Wrong(
                "3, 7",
                Words(
                    "Those are the sums of the rows. A weight belongs to a column of `x`: it is "
                    "multiplied by each number in it.",
                    "这是每一行之和。一个权重对应 `x` 的一列：它与这一列的每个数相乘。",
                ),
            ),
        ),
    ),
    "08.c": Prediction(
        right="None|nothing|无",
        why=Words(
            "There is no edge from the node to `x`, since `x` did not ask. What was computed for "
            "it is dropped.",
            "`x` 没有要求梯度，所以节点没有边通向它。为它算出的梯度被丢掉了。",
        ),
        hint=Words(
            "`x` did not ask for a gradient. Is there an edge from the node to it?",
            "`x` 没有要求梯度。从节点到它有边吗？",
        ),
        wrong=(
            Wrong(
                "1, 10, 1, 10",
                Words(
                    "That is what `g @ weight` gives. It has nowhere to go: `x` asked for no "
                    "gradient.",
                    "这是 `g @ weight` 的结果。可是它无处可去：`x` 没有要求梯度。",
                ),
            ),
            Wrong(
                "an error|error|RuntimeError|报错|错误",
                Words(
                    "To return a gradient that nobody needs is no error. `needs_input_grad` only "
                    "saves work.",
                    "返回没有人需要的梯度并不是错误。`needs_input_grad` 只是为了省事。",
                ),
            ),
            Wrong(
                "0, 0, 0, 0|0|zero",
                Words(
                    "Zeros would say that `x` makes no difference to the result. But `x` was never "
                    "asked about.",
                    "零的意思是 `x` 对结果没有影响。可是根本没有人问过 `x`。",
                ),
            ),
        ),
    ),
    "08.d": Prediction(
        right="27",
        why=Words(
            "`ctx.x` is `h` itself, and `h` holds 3 when `backward` reads it: 3 · 3². The value "
            "was computed with 2, where the slope is 12.",
            "`ctx.x` 就是 `h` 本身，`backward` 读它的时候，它已经是 3：3 · 3²。而值是用 2 算的，"
            "那里的斜率是 12。",
        ),
        hint=Words(
            "`ctx.x` is the tensor itself, not a copy. What does it hold when `backward` reads it?",
            "`ctx.x` 是张量本身，不是拷贝。`backward` 读它的时候，里面是多少？",
        ),
        wrong=(
            Wrong(
                "12",
                Words(
                    "12 is the right slope, at 2. But `ctx.x` is no copy: it changes together with "
                    "`h`.",
                    "12 是 2 处的正确斜率。可是 `ctx.x` 不是拷贝：它随 `h` 一起改变。",
                ),
            ),
            Wrong(
                "an error|error|RuntimeError|报错|错误",
                Words(
                    "Versions are watched for what `save_for_backward` was given. An attribute of "
                    "`ctx` is not watched.",
                    "只有交给 `save_for_backward` 的东西才检查版本。`ctx` 的属性没有人检查。",
                ),
            ),
            Wrong(
                "8",
                Words(
                    "8 is the value of `y`. A slope is asked for.",
                    "8 是 `y` 的值。这里问的是斜率。",
                ),
            ),
            Wrong(
                "18",
                Words(
                    "18 is 3 · 2 · 3: one factor old, one new. `ctx.x` is read twice, after the "
                    "change.",
                    "18 是 3 · 2 · 3：一个因子是旧的，一个是新的。可是两次读 `ctx.x` 都在修改"
                    "之后。",
                ),
            ),
        ),
    ),
}
