"""Predictions of chapter 07, inside the graph."""

from __future__ import annotations

from ..engine.wrong import WRONG
from .prediction import Prediction, Words, Wrong

PREDICTIONS = {
    "07.a": Prediction(
        right="None, 0|None 0|无, 0",
        why=Words(
            "No gradient goes to `constant`, so there is no node: `None`. The index is 0 all the "
            "same.",
            "没有梯度要传给 `constant`，所以没有节点，即 `None`。序号仍然是 0。",
        ),
        hint=Words(
            "What stands in `next_functions` for an input to which no gradient goes? The second "
            "entry is a number.",
            "没有梯度流向的输入，在 `next_functions` 里是什么？第二项是一个数。",
        ),
        wrong=(
            Wrong(
                "None, None|无, 无",
                Words(
                    "The node is missing, that is right. The index is a number all the same.",
                    "没有节点，这是对的。序号却仍是一个数。",
                ),
            ),
            Wrong(
                "AccumulateGrad, 0",
                Words(
                    "An `AccumulateGrad` adds to the `.grad` of a leaf that asked for a gradient. "
                    "`constant` did not ask.",
                    "`AccumulateGrad` 是给要求梯度的叶子节点累加 `.grad` 的。`constant` 没有要求梯"
                    "度。",
                ),
            ),
            Wrong(
                "UnbindBackward0, 1",
                Words(
                    "That is the edge to `q`, output 1 of the unpacking. It stands in the second "
                    "place, for the second input.",
                    "这是通向 `q` 的边，即拆分的输出 1。它在第二个位置，对应第二个输入。",
                ),
            ),
            Wrong(
                "an error|IndexError|error|报错|错误",
                Words(
                    "There is an entry for each input, whether it asked or not.",
                    "每个输入都有一项，不论它是否要求梯度。",
                ),
            ),
        ),
    ),
    "07.b": Prediction(
        right="2",
        why=Words(
            "The node of `b` ran with the first 1 that came, and handed 1 and 1 to the leaf. What "
            "came later was not handed on.",
            "`b` 的节点用最先到达的 1 执行了，把 1 和 1 交给叶子节点。后来到达的没有再往下传。",
        ),
        hint=Words(
            "The node of `b` runs at its first arrival only. How much has arrived by then?",
            "`b` 的节点只在第一次收到梯度时执行。那时收到了多少？",
        ),
        wrong=(
            Wrong(
                "4",
                Words(
                    "4 is the right gradient. In this walk the node of `b` runs once, as soon as "
                    "the first of two parts is there.",
                    "4 是正确的梯度。可是这种遍历中，两份里的第一份一到，`b` 的节点就执行，而且只"
                    "执行一次。",
                ),
            ),
            Wrong(
                "1",
                Words(
                    "1 arrives at the leaf along one edge. But `b` is `a + a`: its node hands on "
                    "two parts, and the leaf adds both.",
                    "沿一条边到达叶子节点的是 1。但 `b` 是 `a + a`：它的节点传下两份，叶子节点把两"
                    "份都加"
                    "上。",
                ),
            ),
            Wrong(
                "3",
                Words(
                    "The first 1 brings two parts to the leaf, and the second 1 brings none: the "
                    "node of `b` does not run again.",
                    "第一个 1 给叶子节点带来两份，第二个 1 一份也没有带来：`b` 的节点不再执行。",
                ),
            ),
            Wrong(
                "6",
                Words(
                    "That would be more than the gradient. Nothing is handed on twice here.",
                    "这比梯度还大了。这里没有什么会传两次。",
                ),
            ),
        ),
    ),
    "07.c": Prediction(
        right="7, 3",
        fields=(Words("chapter 6", "第 6 章"), Words("today", "今天")),
        why=Words(
            "Down every path: once for the last addition, twice for the one before, four times for "
            "the first. In order: once for each of three nodes.",
            "每条路径都走到底时：最后一次加法一次，前一次两次，第一次四次。按顺序时：三个节点各"
            "一次。",
        ),
        hint=Words(
            "Going down every path doubles the calls at each level. In the right order each node "
            "runs once.",
            "沿每条路径往下走，每一层的调用次数都翻倍。按正确的顺序，每个节点只执行一次。",
        ),
        wrong=(
            Wrong(
                "8, 3",
                Words(
                    "8 is the number of paths, that is of arrivals at the leaf. The rule of an "
                    "addition is called 1 + 2 + 4 times.",
                    "8 是路径数，也就是到达叶子节点的次数。加法的规则被调用 1 + 2 + 4 次。",
                ),
            ),
            Wrong(
                "6, 3",
                Words(
                    "There are six edges in all. But the last edges are reached in several ways, "
                    "and the engine of chapter 6 goes down each way.",
                    "边一共有六条。但后面的边可以由几条路到达，而第 6 章的引擎每条路都走一次。",
                ),
            ),
            Wrong(
                "3, 3",
                Words(
                    "Three is right for the engine of today. The one of chapter 6 comes to the "
                    "same node again along each path.",
                    "对今天的引擎，3 是对的。第 6 章的引擎沿每条路径都会再次到达同一个节点。",
                ),
            ),
            Wrong(
                "7, 7",
                Words(
                    "Seven is right for the engine of chapter 6. In the one of today a node waits "
                    "for all parts and runs once.",
                    "对第 6 章的引擎，7 是对的。今天的引擎里，节点等各份到齐，只执行一次。",
                ),
            ),
        ),
    ),
    "07.d": Prediction(
        right="4",
        why=Words(
            "The product has one edge left, which brings 3. The sum brings 1 more.",
            "乘积只剩一条边，带来 3；加法再带来 1。",
        ),
        hint=Words(
            "If the product knows `x` only once, which part of its gradient is missing?",
            "如果乘法只认识一个 `x`，它的梯度少了哪一份？",
        ),
        wrong=(
            Wrong(
                "7",
                Words(
                    "7 is right on an engine in which the product has two edges to `x`. In this "
                    "one it has one.",
                    "在乘积有两条边通向 `x` 的引擎上，7 是对的。而这个引擎里只有一条边。",
                ),
            ),
            Wrong("3", WRONG["overwrites"].says),
            Wrong(
                "6",
                Words(
                    "6 is what two edges of the product bring. Here there is one such edge; and "
                    "the sum adds a part of its own.",
                    "6 是乘积的两条边带来的。这里只有一条这样的边；而加法还有自己的一份。",
                ),
            ),
            Wrong(
                "1",
                Words(
                    "1 comes through the sum. The product still has one edge to `x`.",
                    "1 是经过加法到达的。乘积仍有一条边通向 `x`。",
                ),
            ),
        ),
    ),
}
