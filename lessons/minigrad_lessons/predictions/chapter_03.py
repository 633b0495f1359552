"""Predictions of chapter 3, gradients of intermediate results."""

from __future__ import annotations

from .prediction import Prediction, Words, Wrong

PREDICTIONS = {
    "03.a": Prediction(
        right="13, 39",
        fields=(Words("b.grad", "b.grad"), Words("a.grad", "a.grad")),
        why=Words(
            "The square sends 6 to `b` twice, and the sum sends 1. `a.grad` is three times that, "
            "because b = 3a.",
            "平方两次各送来 6，加法送来 1。因为 b = 3a，`a.grad` 是它的三倍。",
        ),
        hint=Words(
            "Add what arrives at `b` over each of its uses. Then go on to `a`: b = 3a.",
            "把 `b` 的每一处使用带来的加起来，然后走到 `a`：b = 3a。",
        ),
        wrong=(
            Wrong(
                "12, 36",
                Words(
                    "12 comes through the square. `b` is also added once by itself.",
                    "12 是经过平方的部分。`b` 自己还被加了一次。",
                ),
            ),
            Wrong(
                "12, 39",
                Words(
                    "39 is three times `b.grad`, and 3 · 12 is not 39. One use of `b` is missing "
                    "in the 12.",
                    "39 是 `b.grad` 的三倍，而 3 · 12 不等于 39。12 里少算了 `b` 的一次使用。",
                ),
            ),
            Wrong(
                "7, 21",
                Words(
                    "7 is 6 + 1. Both factors of the square are `b`, so 6 comes twice.",
                    "7 等于 6 + 1。平方的两个因子都是 `b`，所以 6 来了两次。",
                ),
            ),
            Wrong(
                "42, 126",
                Words(
                    "42 is the value of `c`, and `b.grad` is not a value: it says how fast `c` "
                    "changes with `b`.",
                    "42 是 `c` 的值，而 `b.grad` 不是值，它说的是 `c` 随 `b` 变化得多快。",
                ),
            ),
            Wrong(
                "13, 13",
                Words(
                    "13 is right for `b`. On its way to `a` it is multiplied by 3.",
                    "对 `b` 来说 13 是对的。传到 `a` 的途中还要乘以 3。",
                ),
            ),
        ),
    ),
    "03.b": Prediction(
        right="d, c, b, a",
        why=Words(
            "A backward pass begins at the root, `d`, and ends at the leaf, `a`.",
            "反向传播从根节点 `d` 开始，到叶子节点 `a` 结束。",
        ),
        hint=Words(
            "A hook is called when the gradient of its tensor is complete. Which gradient is "
            "complete first?",
            "张量的梯度齐了，它的钩子才被调用。哪个梯度最先齐？",
        ),
        wrong=(
            Wrong(
                "a, b, c, d",
                Words(
                    "In this order they were hung on. A hook waits until the gradient of its "
                    "tensor is known, and the one of `a` is known last.",
                    "这是挂钩子的顺序。钩子要等到它的张量的梯度算出来，而 `a` 的梯度是最后才"
                    "算出的。",
                ),
            ),
            Wrong(
                "d, c, a, b",
                Words(
                    "The gradient of `a` is computed out of the gradient of `b`, so `b` comes "
                    "first.",
                    "`a` 的梯度要由 `b` 的梯度算出，所以 `b` 在前。",
                ),
            ),
            Wrong(
                "c, b, a",
                Words(
                    "The root has a gradient as well: 1, with which the pass begins.",
                    "根节点也有梯度：反向传播开始时的 1。",
                ),
            ),
        ),
    ),
    "03.c": Prediction(
        right="5, 15",
        fields=(Words("b.grad", "b.grad"), Words("a.grad", "a.grad")),
        why=Words(
            "`b` keeps what the hook returned, and 5 · 3 goes on to `a`.",
            "`b` 留下的是钩子返回的 5，继续传给 `a` 的是 5 · 3。",
        ),
        hint=Words(
            "The hook replaces the 12 by what `clamp` makes of it. Does `a` see the old or the new "
            "number?",
            "钩子把 12 换成 `clamp` 之后的数。`a` 看到的是旧的还是新的？",
        ),
        wrong=(
            Wrong(
                "12, 36",
                Words(
                    "These are the numbers without the hook. What a hook returns takes the place "
                    "of the gradient.",
                    "这是没有钩子时的数。钩子的返回值会取代原来的梯度。",
                ),
            ),
            Wrong(
                "12, 15",
                Words(
                    "15 is right for `a`. `b` itself keeps the changed gradient too.",
                    "对 `a` 来说 15 是对的。`b` 自己留下的也是改变后的梯度。",
                ),
            ),
            Wrong(
                "5, 36",
                Words(
                    "5 is right for `b`. What goes on to `a` is computed from this 5, not from 12.",
                    "对 `b` 来说 5 是对的。传给 `a` 的是由这个 5 算出的，而不是由 12。",
                ),
            ),
            Wrong(
                "5, 5",
                Words(
                    "5 is right for `b`. On its way to `a` it is still multiplied by 3.",
                    "对 `b` 来说 5 是对的。传到 `a` 的途中还要乘以 3。",
                ),
            ),
        ),
    ),
    "03.d": Prediction(
        right=(
            "0|never|none|not once|not at all|零|零次|从不|一次也没有|一次都没有|不会被调用|"
            "0, never|从来没有|从未|从来不会|没有被调用|一次都不会|一次也不会|一次也没|"
            "not a single time|not called|no, never|never, no|never, 0|0, none|"
            "not even once|从来不|不被调用"
        ),
        why=Words(
            "The hook hangs on the first `h`. Each turn computes another tensor, and only the name "
            "is the same.",
            "钩子挂在最初的 `h` 上。每一轮算出的是另一个张量，只是名字相同。",
        ),
        hint=Words(
            "On which tensor was the hook registered, and is that tensor part of any of the three "
            "graphs?",
            "钩子登记在哪个张量上？这个张量在那三张图里吗？",
        ),
        wrong=(
            Wrong(
                "3",
                Words(
                    "There are three backward passes. None of them comes through the tensor on "
                    "which the hook hangs.",
                    "反向传播确实有三次，但没有一次经过挂着钩子的那个张量。",
                ),
            ),
            Wrong(
                "1",
                Words(
                    "No backward pass runs before the loop, and within the loop `h` is another "
                    "tensor from the first turn on.",
                    "循环之前没有做过反向传播，而在循环里，从第一轮起 `h` 就是另一个张量。",
                ),
            ),
            Wrong(
                "6",
                Words(
                    "The gradient comes to each new `h` in two parts, but none of these is the "
                    "tensor on which the hook hangs.",
                    "每个新的 `h` 的梯度分两部分到达，但它们都不是挂着钩子的那个张量。",
                ),
            ),
        ),
    ),
    "03.e": Prediction(
        right="2, 9, 18",
        fields=(
            Words("arrivals", "到达次数"),
            Words("each brings", "每次带来"),
            Words("h.grad", "h.grad"),
        ),
        why=Words(
            "Both factors of h · h are `h`, and each path brings the other factor, 9.",
            "h · h 的两个因子都是 `h`，每条路径带来另一个因子 9。",
        ),
        hint=Words(
            "y = h · h has two paths to `h`. What is the other factor on each?",
            "y = h · h 有两条路径通向 `h`。每条路径上的另一个因数是多少？",
        ),
        wrong=(
            Wrong(
                "1, 18, 18",
                Words(
                    "So it is in `mg`, which adds first. This engine goes down one path after the "
                    "other.",
                    "`mg` 是这样，它会先加起来。而这个引擎是一条路径走完再走下一条。",
                ),
            ),
            Wrong(
                "2, 9, 9",
                Words(
                    "The second 9 does not replace the first: `walk` adds it.",
                    "第二个 9 不会取代第一个：`walk` 会把它加上去。",
                ),
            ),
            Wrong(
                "1, 9, 9",
                Words(
                    "`h` is both factors of the product, so two paths lead to it.",
                    "乘法的两个因子都是 `h`，所以有两条路径通向它。",
                ),
            ),
            Wrong(
                "2, 18, 36",
                Words(
                    "18 is the sum of both. One path alone brings the other factor.",
                    "18 是两条路径带来的数之和。一条路径带来的只是另一个因子。",
                ),
            ),
        ),
    ),
}
