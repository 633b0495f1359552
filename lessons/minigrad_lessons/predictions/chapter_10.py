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
        hint=Words(
            "Each derivative lowers the power by one and multiplies by the old power.",
            "每求一次导，次数减一，并乘以原来的次数。",
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
        hint=Words(
            "Which of the two words makes a graph of the backward pass itself?",
            "两个词中，哪一个会为反向传播本身建图？",
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
        right="3|3, pow, mul, mul|pow, mul, mul",
        why=Words(
            "The rule `g * (a ** (n - 1) * n)` has one power and two products.",
            "规则 `g * (a ** (n - 1) * n)` 里有一次幂和两次乘法。",
        ),
        hint=Words(
            "Look at the rule of the power: g * (a ** (n - 1) * n). Each operation in it becomes a "
            "node.",
            "看幂的规则：g * (a ** (n - 1) * n)。其中每个运算都成为一个节点。",
        ),
        wrong=(
            Wrong(
                "1",
                Words(
                    "1 is the number of operations in x³. The rule of its derivative has more.",
                    "1 是 x³ 里运算的个数。它的求导规则里不止一个。",
                ),
            ),
            Wrong(
                "2",
                Words(
                    "By hand 3x² has a power and one product. The rule also multiplies by what "
                    "comes in, `g`.",
                    "手算时 3x² 里有一次幂和一次乘法。而规则还要乘以流入的 `g`。",
                ),
            ),
            Wrong(
                "4",
                Words(
                    "If you counted the leaf: it is where the graph ends, and no operation.",
                    "如果你把叶子节点也数了进去：它是图的终点，不是运算。",
                ),
            ),
            Wrong(
                "0|none",
                Words(
                    "Without `create_graph` there would be none. Here the pass was recorded.",
                    "没有 `create_graph` 时一个也没有。而这里，反向传播被记录了下来。",
                ),
            ),
        ),
    ),
}
