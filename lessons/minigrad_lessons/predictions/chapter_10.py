"""Predictions of chapter 10, gradients of gradients."""

from __future__ import annotations

from .prediction import Prediction, Words, Wrong

ERROR = "an error|RuntimeError|error|报错|错误|出错"

PREDICTIONS = {
    "10.a": Prediction(
        right="1, 4, 12, 24, 24",
        why=Words(
            "x⁴, 4x³, 12x², 24x and 24, each at 1.",
            "x⁴、4x³、12x²、24x 和 24，都在 1 处取值。",
        ),
        wrong=(
            Wrong(
                "1, 4, 12, 24, 0",
                Words(
                    "The fourth derivative is that of 24x. Only the fifth is 0.",
                    "四阶导数是 24x 的导数。到五阶才是 0。",
                ),
            ),
            Wrong(
                "1, 4, 3, 2, 1",
                Words(
                    "Those are the powers that come down, one by one. They multiply what is there "
                    "already: 4, then 3 times 4.",
                    "这是逐个移到前面来的指数。它们要乘上原有的系数：先是 4，再是 3 乘以 4。",
                ),
            ),
            Wrong(
                "1, 4, 16, 64, 256",
                Words(
                    "Here each slope is 4 times the one before. But the power falls by one each "
                    "time: 4, 3, 2, 1.",
                    "这里每个都是前一个的 4 倍。但指数每次减一：4、3、2、1。",
                ),
            ),
            Wrong(
                "1, 1, 1, 1, 1",
                Words(
                    "1 to any power is 1, but in front of the power stands a factor.",
                    "1 的任何次幂都是 1，但幂的前面还有系数。",
                ),
            ),
        ),
    ),
    "10.b": Prediction(
        right=ERROR,
        why=Words(
            "The old graph is kept, but the pass was not recorded: 300 has no graph that leads to "
            "`x`.",
            "旧的图保留了，但反向传播没有被记录：300 没有通向 `x` 的图。",
        ),
        wrong=(
            Wrong(
                "60",
                Words(
                    "60 is what `create_graph=True` would give. Keeping the graph of x³ gives no "
                    "graph of 3x².",
                    "60 是 `create_graph=True` 才会得到的。留住 x³ 的图，并不会得到 3x² 的图。",
                ),
            ),
            Wrong(
                "300",
                Words(
                    "300 is `first`. The second call asks how 300 follows `x`.",
                    "300 就是 `first`。第二次调用问的是 300 怎样随 `x` 变化。",
                ),
            ),
            Wrong(
                "600",
                Words(
                    "600 would be two first derivatives, added. `autograd.grad` adds nothing, and "
                    "the second call asks for another thing.",
                    "600 是两个一阶导数相加。`autograd.grad` 不累加，第二次调用问的也不是这个。",
                ),
            ),
            Wrong(
                "0",
                Words(
                    "0 would be an answer: that 300 does not follow `x`. It does, but nobody has "
                    "recorded how.",
                    "0 本身是一个答案，表示 300 不随 `x` 变化。它是随 `x` 变化的，"
                    "只是没有人记录下怎样变化。",
                ),
            ),
        ),
    ),
    "10.c": Prediction(
        right="360",
        why=Words(
            "The second pass brings 60, and the leaf adds it to the 300 that was there.",
            "第二次反向传播带来 60，叶子把它加到原有的 300 上。",
        ),
        wrong=(
            Wrong(
                "60",
                Words(
                    "60 is the second derivative, and that is what arrives. But `.grad` was not "
                    "empty.",
                    "60 是二阶导数，到达的正是它。但 `.grad` 里并不是空的。",
                ),
            ),
            Wrong(
                "300",
                Words(
                    "300 was there before. The second pass brings something more.",
                    "300 是原有的。第二次反向传播又带来了一些。",
                ),
            ),
            Wrong(
                "600",
                Words(
                    "600 would be the first derivative twice. The second pass starts from the "
                    "gradient, not from `y`.",
                    "600 是一阶导数的两倍。第二次反向传播是从梯度开始的，不是从 `y`。",
                ),
            ),
            Wrong(
                ERROR,
                Words(
                    "`x.grad` has a graph this time, since the pass was recorded.",
                    "这一次 `x.grad` 有图，因为反向传播被记录了。",
                ),
            ),
        ),
    ),
    "10.d": Prediction(
        right="66",
        why=Words(
            "The third derivative, 6, is added to the second, 60, which was not cleared.",
            "三阶导数 6 加到了没有清空的二阶导数 60 上。",
        ),
        wrong=(
            Wrong(
                "6",
                Words(
                    "6 is what arrives. It would be alone if the second derivative had been "
                    "cleared.",
                    "到达的是 6。如果清空了二阶导数，里面才只有它。",
                ),
            ),
            Wrong(
                "366",
                Words(
                    "The 300 is no longer there: `x.grad` was cleared after the first pass.",
                    "300 已经不在了：第一次反向传播之后清空过 `x.grad`。",
                ),
            ),
            Wrong(
                "60",
                Words(
                    "60 was there before the third pass, which brings something more.",
                    "60 是第三次反向传播之前就有的，它又带来了一些。",
                ),
            ),
            Wrong(
                "120",
                Words(
                    "120 would be 60 twice. The third pass starts from 60 = 6x, whose slope is 6.",
                    "120 是两个 60。第三次反向传播从 60 = 6x 开始，它的斜率是 6。",
                ),
            ),
        ),
    ),
}
