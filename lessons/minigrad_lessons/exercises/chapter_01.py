"""Exercises of chapter 01, the computational graph."""

from __future__ import annotations

from typing import Any

from .exercise import Exercise, Hint, Words
from .recognise import leaves, made_by, number, numbers, word


def is_twice(answer: Any, a: Any) -> bool:
    """The root adds `a` to itself."""
    return made_by(answer, "AddBackward0") and all(leaf is a for leaf in leaves(answer))


def is_tenths(answer: Any) -> bool:
    return numbers(answer, [0.1, 0.1, 0.1])


EXERCISES = {
    "01.1": Exercise(
        solution="2",
        right=number(2),
        because=Words(
            "One leaf node for p and one for q. Five edges lead to them, but an edge is not a "
            "node.",
            "p 和 q 各有一个叶子节点。通向它们的边有五条，但边不是节点。",
        ),
        hints=(
            Hint(
                "5",
                number(5),
                Words(
                    "You counted how often p and q are used. Each use is an edge; all edges of "
                    "one leaf meet in one node.",
                    "你数的是 p 和 q 被使用的次数。每次使用是一条边，同一个叶子的边都汇到同一个"
                    "节点。",
                ),
            ),
            Hint(
                "6",
                number(6),
                Words(
                    "You counted all nodes. The question is about the leaf nodes only, those "
                    "named AccumulateGrad.",
                    "你数的是全部节点。这里只问叶子节点，也就是名为 AccumulateGrad 的节点。",
                ),
            ),
        ),
        otherwise=Words(
            "Draw it: r = p * q + p * p + q. How many different tensors did you create by hand?",
            "画出来看看：r = p * q + p * p + q。其中有几个张量是你自己创建的？",
        ),
    ),
    "01.2": Exercise(
        solution='"NegBackward0"',
        right=word("NegBackward0"),
        because=Words(
            "The minus sign is applied last, so it is the root. The division is the next node "
            "below it.",
            "负号最后执行，所以它是根节点，除法是它下面的那个节点。",
        ),
        hints=(
            Hint(
                '"DivBackward0"',
                word("DivBackward0"),
                Words(
                    "The division runs first. grad_fn names the operation that ran last.",
                    "除法是先执行的。grad_fn 记录的是最后执行的运算。",
                ),
            ),
            Hint(
                '"MulBackward0"',
                word("MulBackward0"),
                Words(
                    "Nothing is multiplied here: minus is an operation of its own.",
                    "这里没有乘法：取负本身就是一种运算。",
                ),
            ),
            Hint(
                '"Neg"',
                lambda answer: answer.strip().lower() in {"neg", "negbackward", "neg_backward"},
                Words(
                    "The right operation. Write the node's whole name, as grad_fn.name() "
                    "returns it.",
                    "运算找对了。请写出节点的全名，即 grad_fn.name() 返回的字符串。",
                ),
            ),
        ),
        otherwise=Words(
            "Which operation of -(a / b) runs last? Its name, then Backward0.",
            "-(a / b) 中哪个运算最后执行？写出它的名字，再加上 Backward0。",
        ),
    ),
    "01.3": Exercise(
        solution="a + a",
        right=is_twice,
        because=Words(
            "Two edges leave the addition, and both end at the one leaf a.",
            "加法节点引出两条边，两条都通向同一个叶子 a。",
        ),
        hints=(
            Hint(
                "a * 2",
                lambda answer, a: made_by(answer, "MulBackward0"),
                Words(
                    "The root of this graph is a multiplication. It should be an addition.",
                    "这张图的根节点是乘法，而它应当是加法。",
                ),
            ),
            Hint(
                "a + b",
                lambda answer, a: made_by(answer, "AddBackward0") and None not in leaves(answer),
                Words(
                    "The root is an addition, but not both of its edges lead to the leaf a.",
                    "根节点是加法，但它的两条边并没有都通向叶子 a。",
                ),
            ),
            Hint(
                "a + 2.0",
                lambda answer, a: made_by(answer, "AddBackward0") and None in leaves(answer),
                Words(
                    "The root is an addition, but one of its inputs is not the leaf a.",
                    "根节点是加法，但它有一个输入不是叶子 a。",
                ),
            ),
            Hint(
                "4.0",
                lambda answer, a: not hasattr(answer, "grad_fn"),
                Words(
                    "That is a plain number. Compute with a, so that there is a graph.",
                    "这只是一个普通的数。要用 a 来计算，才会有图。",
                ),
            ),
        ),
        otherwise=Words(
            "Look at answer.grad_fn.name() and at answer.grad_fn.next_functions.",
            "看一看 answer.grad_fn.name() 和 answer.grad_fn.next_functions。",
        ),
    ),
    "01.4": Exercise(
        solution="(mg.ones(3) * 0.1).requires_grad_()",
        right=lambda answer: is_tenths(answer) and answer.is_leaf and answer.requires_grad,
        because=Words(
            "The product was taken before anything was recorded, so the result has no grad_fn: "
            "it is a leaf.",
            "乘法发生在开始记录之前，结果没有 grad_fn，所以它是叶子。",
        ),
        hints=(
            Hint(
                "mg.ones(3, requires_grad=True) * 0.1",
                lambda answer: is_tenths(answer) and not answer.is_leaf,
                Words(
                    "That is the result of a multiplication. The leaf is the tensor of ones, "
                    "and it has no name.",
                    "这是乘法的结果。真正的叶子是那个全 1 的张量，而它没有名字。",
                ),
            ),
            Hint(
                "mg.ones(3) * 0.1",
                lambda answer: is_tenths(answer) and not answer.requires_grad,
                Words(
                    "It is a leaf, but nothing will be recorded for it: requires_grad is False.",
                    "它是叶子，但 requires_grad 为 False，不会为它做任何记录。",
                ),
            ),
            Hint(
                "mg.ones(3, requires_grad=True)",
                lambda answer: numbers(answer, [1, 1, 1]),
                Words("The values should be 0.1, not 1.", "元素的值应当是 0.1，而不是 1。"),
            ),
        ),
        otherwise=Words(
            "Three things must hold: values [0.1, 0.1, 0.1], is_leaf, requires_grad.",
            "需要同时满足三点：值为 [0.1, 0.1, 0.1]，is_leaf 为真，requires_grad 为真。",
        ),
    ),
}
