"""Predictions of chapter 4, backward more than once."""

from __future__ import annotations

from .prediction import Prediction, Words, Wrong

PREDICTIONS = {
    "04.a": Prediction(
        right="sum, negation|negation, sum",
        why=Words(
            "The derivatives of a sum and of a negation are 1 and -1, whatever the inputs, so "
            "nothing "
            "was saved and nothing is missing.",
            "加法和取负的导数是 1 和 -1，与输入无关，所以什么也没有保存，也就什么也不缺。",
        ),
        hint=Words(
            "A second pass fails at a node that needs a saved number. What does each derivative "
            "need?",
            "第二次反向传播会在需要已保存的数的节点处失败。每个导数各需要什么？",
        ),
        wrong=(
            Wrong(
                "none|nothing|都不行",
                Words(
                    "A pass frees what was saved. If nothing was saved, nothing can be missing in "
                    "the second.",
                    "反向传播释放的是保存过的东西。如果什么也没有保存，第二次就什么也不会缺。",
                ),
            ),
            Wrong(
                "sum, product, negation, exponential",
                Words(
                    "The product needs its inputs for the derivative, and `exp` its result. Both "
                    "have been freed.",
                    "乘法求导要用它的输入，`exp` 要用它的结果。两者都已经释放了。",
                ),
            ),
            Wrong(
                "sum",
                Words(
                    "The sum is one of them. Which other derivative is always the same number?",
                    "加法是其中之一。还有哪个运算的导数总是同一个数？",
                ),
            ),
            Wrong(
                "sum, product|product, sum",
                Words(
                    "The derivative of a product needs the other factor, which has been freed.",
                    "乘积的导数要用到另一个因数，而它已经释放了。",
                ),
            ),
        ),
    ),
    "04.b": Prediction(
        right="60",
        why=Words(
            "Each of the three passes brings 20, and the leaf adds them up.",
            "三次反向传播各带来 20，叶子节点把它们加起来。",
        ),
        hint=Words(
            "One pass brings 2 · 10. What happens to `n.grad` in the next pass?",
            "一次反向传播带来 2 · 10。下一次时 `n.grad` 会怎样？",
        ),
        wrong=(
            Wrong(
                "20",
                Words(
                    "20 is what one pass brings. A later pass does not replace what is in `.grad`.",
                    "20 是一次反向传播带来的。后面的反向传播不会取代 `.grad` 里已有的数。",
                ),
            ),
            Wrong(
                "40",
                Words(
                    "That would be two passes. The third one works too: the second has kept the "
                    "graph for it.",
                    "这是两次反向传播的结果。第三次同样有效：第二次为它留住了图。",
                ),
            ),
            Wrong(
                "80",
                Words(
                    "That would be 20 doubled and doubled again. Each pass adds the same 20.",
                    "这是 20 翻倍再翻倍。每次加上的都是同样的 20。",
                ),
            ),
            Wrong(
                "an error|error|RuntimeError|报错|错误|出错|失败",
                Words(
                    "A pass fails if the one before it has freed the graph. Here both passes "
                    "before the last were told to keep it.",
                    "如果前一次释放了图，后一次才会失败。这里最后一次之前的两次都要求把图留住。",
                ),
            ),
        ),
    ),
    "04.c": Prediction(
        right="40",
        why=Words(
            "`first` and `n.grad` are two names for one tensor, and the leaf adds into it.",
            "`first` 和 `n.grad` 是同一个张量的两个名字，叶子节点正是往这个张量里累加。",
        ),
        hint=Words(
            "Is `first` a copy of the gradient, or a second name for the tensor in `n.grad`?",
            "`first` 是梯度的一份拷贝，还是 `n.grad` 里那个张量的第二个名字？",
        ),
        wrong=(
            Wrong(
                "20",
                Words(
                    "`first = n.grad` copies nothing. It gives a second name to the tensor into "
                    "which the second pass was added.",
                    "`first = n.grad` 什么也没有复制，只是给那个张量起了第二个名字，而第二次的梯度"
                    "正是加到了那里面。",
                ),
            ),
            Wrong(
                "None|nothing|无",
                Words(
                    "The tensor is still there: `n.grad` holds it, and `first` too.",
                    "张量还在：`n.grad` 拿着它，`first` 也拿着它。",
                ),
            ),
            Wrong(
                "0",
                Words(
                    "Nobody has cleared the gradient here. The second pass was added to it.",
                    "这里没有人清空梯度。第二次的梯度加到了它上面。",
                ),
            ),
        ),
    ),
    "04.d": Prediction(
        right="None|nothing|无|空",
        why=Words(
            "`mg.autograd.grad` returns the gradient and stores nothing.",
            "`mg.autograd.grad` 把梯度返回，不存到任何地方。",
        ),
        hint=Words(
            "Where does `mg.autograd.grad` put the gradient, if the cell has to name a variable "
            "for it?",
            "单元格用一个变量接住了 `mg.autograd.grad` 的结果。梯度还会放进 `.grad` 吗？",
        ),
        wrong=(
            Wrong(
                "20",
                Words(
                    "20 is the gradient. It was returned, and nothing was put into `.grad`.",
                    "20 是梯度。它被返回了，没有放进 `.grad`。",
                ),
            ),
            Wrong(
                "0",
                Words(
                    "`.grad` of a new leaf is not 0: there is no tensor in it at all.",
                    "新的叶子节点的 `.grad` 并不是 0，里面根本没有张量。",
                ),
            ),
            Wrong(
                "40",
                Words(
                    "Nothing is added up here: `v` is a new leaf, and only one pass has run.",
                    "这里没有累加：`v` 是新的叶子节点，而且只做了一次反向传播。",
                ),
            ),
        ),
    ),
}
