"""Predictions of chapter 13, the harvest."""

from __future__ import annotations

from .prediction import Prediction, Words, Wrong

PREDICTIONS = {
    "13.a": Prediction(
        right="2",
        why=Words(
            "`b` stands in f twice, and each time an edge leads to its `AccumulateGrad`.",
            "f 里有两处用到 `b`，每处都有一条边通向它的 `AccumulateGrad`。",
        ),
        hint=Words(
            "f = (a · b + a) · b. How often is `b` used?", "f = (a · b + a) · b。`b` 用了几次？"
        ),
        wrong=(
            Wrong(
                "1",
                Words(
                    "There is one such node for a leaf, but it waits for every edge that leads to "
                    "it. How often does `b` stand in f?",
                    "一个叶子节点只有一个这样的节点，但它要等通向它的每一条边。f 里有几处 `b`？",
                ),
            ),
            Wrong(
                "4",
                Words(
                    "4 paths end at the two leaves together. Asked is for `b` alone.",
                    "4 是终止于两个叶子节点的路径总数，这里只问 `b`。",
                ),
            ),
            Wrong(
                "14",
                Words(
                    "14 is the gradient that arrives there. Asked is in how many parts it comes.",
                    "14 是到达那里的梯度，这里问的是它分几份到达。",
                ),
            ),
            Wrong(
                "3",
                Words(
                    "3 is the number that `b` holds. Count the edges that lead to its node.",
                    "3 是 `b` 里的数。请数一数有几条边通向它的节点。",
                ),
            ),
        ),
    ),
    "13.b": Prediction(
        right="11",
        why=Words(
            "Both leaves keep the very same tensor, so a change of one is a change of the other.",
            "两个叶子节点留着的是同一个张量，改了一个就是改了另一个。",
        ),
        hint=Words(
            "The rule of a sum returns `g, g`. Do the two leaves copy it?",
            "加法的规则返回 `g, g`。两个叶子节点会复制它吗？",
        ),
        wrong=(
            Wrong(
                "1",
                Words(
                    "So it should be, and so it is in PyTorch. But which tensor did the addition "
                    "hand to `b`, and which to `a`?",
                    "本该如此，在 PyTorch 里也确实如此。"
                    "但加法交给 `b` 的是哪个张量，交给 `a` 的又是哪个？",
                ),
            ),
            Wrong(
                "10",
                Words(
                    "`add_` adds to what is there, and there was a 1.",
                    "`add_` 是加到已有的数上，那里原来有 1。",
                ),
            ),
            Wrong(
                "3",
                Words(
                    "3 is the number that `b` holds, not its gradient.",
                    "3 是 `b` 里的数，不是它的梯度。",
                ),
            ),
        ),
    ),
    "13.c": Prediction(
        right="4",
        why=Words(
            "The node of `b` runs with the first 2 and hands 2 + 2 to `a`. The second 2 is late.",
            "`b` 的节点带着第一个 2 执行，交给 `a` 的是 2 + 2。第二个 2 来晚了。",
        ),
        hint=Words(
            "The node of `b` runs with the first 2 and sends its share along two edges. The second "
            "2 is too late.",
            "`b` 的节点收到第一个 2 就执行，沿两条边各送一份。第二个 2 来得太晚。",
        ),
        wrong=(
            Wrong(
                "8",
                Words(
                    "8 is right, and so no answer of this engine: one of the two gradients that "
                    "come to `b` is not handed on.",
                    "8 是正确的数，所以不会是这个引擎的答案：到达 `b` 的两份梯度有一份没有往下传。",
                ),
            ),
            Wrong(
                "2",
                Words(
                    "2 is what the node of `b` runs with. It hands that on along two edges.",
                    "2 是 `b` 的节点执行时收到的梯度，它要沿两条边往下传。",
                ),
            ),
            Wrong(
                "1",
                Words(
                    "c = b · b hands on b, which is 2, and not 1.",
                    "c = b · b 往下传的是 b，也就是 2，而不是 1。",
                ),
            ),
        ),
    ),
}
