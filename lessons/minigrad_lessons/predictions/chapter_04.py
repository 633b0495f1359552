"""Predictions of chapter 4, backward more than once."""

from __future__ import annotations

from .prediction import Prediction, Words, Wrong

PREDICTIONS = {
    "04.a": Prediction(
        right="4",
        why=Words(
            "Each pass brings 1 + 1, and the leaf adds the two passes. Nothing was saved, so "
            "nothing is missing in the second.",
            "每次反向传播带来 1 + 1，叶子节点把两次加起来。什么也没保存，所以第二次什么也不缺。",
        ),
        wrong=(
            Wrong(
                "an error|error|RuntimeError|报错|错误|出错|失败",
                Words(
                    "A second pass fails where something that was saved is missing. An addition "
                    "saves nothing.",
                    "第二次反向传播只在缺少已保存的东西时才会失败，而加法什么也不保存。",
                ),
            ),
            Wrong(
                "2",
                Words(
                    "2 is what one pass brings. The leaf adds the second pass to it.",
                    "2 是一次反向传播带来的。叶子节点会把第二次的加上去。",
                ),
            ),
            Wrong(
                "1",
                Words(
                    "`m` is both terms of the sum, so one pass brings 1 twice; and there are two "
                    "passes.",
                    "加法的两项都是 `m`，所以一次反向传播就带来两个 1；而且一共有两次。",
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
