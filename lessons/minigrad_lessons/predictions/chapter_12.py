"""Predictions of chapter 12, when it goes wrong."""

from __future__ import annotations

from .prediction import Prediction, Words, Wrong

ERROR = "an error|RuntimeError|error|报错|错误|出错"

PREDICTIONS = {
    "12.a": Prediction(
        right="0, 0|0",
        why=Words(
            "A small change of `w` does not change the rounded number, so the slope of rounding is "
            "0, and 0 times anything is 0.",
            "`w` 变一点点，取整的结果不变，所以取整的斜率是 0，而 0 乘以什么都是 0。",
        ),
        hint=Words(
            "By how much does `w.round()` change, if `w` changes a little?",
            "`w` 变一点点，`w.round()` 会变多少？",
        ),
        wrong=(
            Wrong(
                "-4, 0",
                Words(
                    "That would be the gradient if rounding had the slope 1, as if it were not "
                    "there.",
                    "如果取整的斜率是 1，也就是当它不存在，梯度就是这样。",
                ),
            ),
            Wrong(
                "-3.2, -0.6",
                Words(
                    "That is the gradient of the loss without rounding.",
                    "这是不取整时损失的梯度。",
                ),
            ),
            Wrong(
                "None|nothing|无|没有",
                Words(
                    "`None` is for a leaf to which no path leads. Here a path leads through the "
                    "rounding: something arrives.",
                    "`None` 表示没有路通向这个叶子节点。而这里有一条路经过取整，所以有东西到达。",
                ),
            ),
            Wrong(
                ERROR,
                Words(
                    "Rounding gives a floating-point tensor with a history, so nothing fails.",
                    "取整得到的是带有历史的浮点数张量，所以不会出错。",
                ),
            ),
        ),
    ),
    "12.b": Prediction(
        right="None|nothing|无|没有",
        why=Words(
            "The loss has become a leaf of its own: the pass begins there and ends there, and "
            "nothing leads from it to `t`.",
            "损失自己成了一个叶子节点：反向传播从它开始，也在它结束，没有路从它通向 `t`。",
        ),
        hint=Words(
            "`requires_grad_()` makes a leaf of the loss. Where does the pass end?",
            "`requires_grad_()` 把损失变成叶子节点。反向传播到哪里为止？",
        ),
        wrong=(
            Wrong(
                "6",
                Words(
                    "6 is the slope of t squared at 3. But no graph was recorded from `t` to the "
                    "loss, and `requires_grad_()` cannot record one afterwards.",
                    "6 是 t 的平方在 3 处的斜率。但从 `t` 到损失没有记录下图，"
                    "`requires_grad_()` 也无法事后补上。",
                ),
            ),
            Wrong(
                "1",
                Words(
                    "1 is what arrives at the loss itself, as the start of the pass.",
                    "1 是反向传播开始时到达损失自己的数。",
                ),
            ),
            Wrong(
                "0",
                Words(
                    "0 would be an answer: that the loss does not follow `t`. Nothing arrived at "
                    "all.",
                    "0 本身是一个答案，表示损失不随 `t` 变化。而这里什么也没有到达。",
                ),
            ),
            Wrong(
                ERROR,
                Words(
                    "The error is gone: the loss requires grad now, which is all that it asked "
                    "for.",
                    "错误没有了：损失现在要求梯度，而错误信息要的就是这一点。",
                ),
            ),
        ),
    ),
    "12.c": Prediction(
        right="1, 0, 2",
        why=Words(
            "Element 0 is taken once, element 1 not at all, element 2 twice, and what is used "
            "twice receives twice.",
            "第 0 个元素取了一次，第 1 个没有取，第 2 个取了两次；用两次就收到两份。",
        ),
        hint=Words("Count how often each element is taken.", "数一数每个元素被取了几次。"),
        wrong=(
            Wrong(
                "1, 0, 1",
                Words(
                    "These are the elements that were taken. Element 2 was taken twice.",
                    "这说的是取了哪些元素。第 2 个元素取了两次。",
                ),
            ),
            Wrong(
                "1, 1, 1",
                Words(
                    "That is the gradient of the sum of all three. One of them was not taken.",
                    "这是三个元素全部求和的梯度。有一个并没有取。",
                ),
            ),
            Wrong(
                "1, 1, 2",
                Words("Element 1 was not taken at all.", "第 1 个元素根本没有取。"),
            ),
            Wrong(
                "5, 0, 14",
                Words(
                    "Those are values: 5, and twice 7. The slope of a sum towards what is summed "
                    "is 1.",
                    "这是数值：5，以及 7 的两倍。求和对每个加数的斜率是 1。",
                ),
            ),
            Wrong(
                ERROR,
                Words(
                    "Whole numbers cannot require grad, but they may choose what does.",
                    "整数不能要求梯度，但可以用来挑选要求梯度的东西。",
                ),
            ),
        ),
    ),
    "12.d": Prediction(
        right=ERROR,
        why=Words(
            "Only leaves can be copied: a result hangs on a graph, and the copy would need a graph "
            "of its own.",
            "只有叶子节点可以复制：结果连着一张图，复制它就需要另一张图。",
        ),
        wrong=(
            Wrong(
                "a leaf|叶子",
                Words(
                    "Leaves are what can be copied. To make one of a result, its history has to "
                    "be given up, and for that you must ask.",
                    "能复制的正是叶子节点。要把结果变成叶子节点，就要放弃它的历史，而这需要你明确提"
                    "出。",
                ),
            ),
            Wrong(
                "a result with its history|带着历史的结果",
                Words(
                    "That is what `clone()` gives: a new node, on the same graph. A deep copy "
                    "shares nothing with the original, so not its graph either.",
                    "这是 `clone()` 的结果：在同一张图上多一个节点。而深拷贝与原来的什么也不共用，"
                    "图也不例外。",
                ),
            ),
        ),
        choices=True,
    ),
    "12.e": Prediction(
        right="None|nothing|无|没有",
        why=Words(
            "The rule returns one gradient for two inputs, so nothing comes to the second, and "
            "the engine says no word.",
            "规则为两个输入只返回一个梯度，所以第二个什么也收不到，引擎却一声不响。",
        ),
        hint=Words(
            "`zip` pairs two inputs with one gradient. Which input goes without?",
            "`zip` 要把一份梯度分给两个输入。哪个输入落空？",
        ),
        wrong=(
            Wrong(
                "2",
                Words(
                    "2 is the slope of a product towards b, and the rule should have returned it.",
                    "2 是乘积对 b 的斜率，规则本应返回它。",
                ),
            ),
            Wrong(
                "3",
                Words(
                    "3 is the gradient that the rule does return. It belongs to its first input.",
                    "3 是规则确实返回的那个梯度。它属于第一个输入。",
                ),
            ),
            Wrong(
                "0",
                Words(
                    "A gradient of 0 would have to arrive. Nothing does.",
                    "梯度为 0，也得有一个 0 到达才行。而这里什么也没有到达。",
                ),
            ),
            Wrong(
                ERROR,
                Words(
                    "It should be one, and it will be in a moment. Until now the engine does not "
                    "look.",
                    "本应报错，很快也会报错。但到目前为止，引擎并不检查。",
                ),
            ),
        ),
    ),
}
