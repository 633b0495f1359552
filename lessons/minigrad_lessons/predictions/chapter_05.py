"""Predictions of chapter 5, stopping gradients."""

from __future__ import annotations

from .prediction import Prediction, Words, Wrong

PREDICTIONS = {
    "05.a": Prediction(
        right="z",
        why=Words(
            "`z` was computed outside, and recorded. The function records nothing, so `m` is a "
            "plain number.",
            "`z` 在函数外面算出，已经记录。函数什么也不记录，所以 `m` 只是普通的数。",
        ),
        wrong=(
            Wrong(
                "m",
                Words(
                    "`m` is computed inside of the function, where nothing is recorded. `z` "
                    "comes from outside.",
                    "`m` 是在函数里面算出来的，那里什么也不记录。`z` 来自外面。",
                ),
            ),
            Wrong(
                "z, m|both|两个都是",
                Words(
                    "`z` has its history from before the call. But what the function computes is "
                    "not recorded.",
                    "`z` 的历史在调用之前就有了。但函数里的计算没有记录。",
                ),
            ),
            Wrong(
                "neither|none|都不是",
                Words(
                    "`no_grad` takes nothing away from `z`, which was recorded before the call.",
                    "`no_grad` 不会从 `z` 那里拿走什么，它在调用之前就记录了。",
                ),
            ),
        ),
        choices=True,
    ),
    "05.b": Prediction(
        right="False|no|假|否|假的|不要求",
        why=Words(
            "Under `no_grad` the subtraction is not recorded, so its result is a plain number. "
            "This result has the name `w` now.",
            "在 `no_grad` 里减法不被记录，所以结果是普通的数，而 `w` 现在就是这个结果的名字。",
        ),
        wrong=(
            Wrong(
                "True|yes|真|是",
                Words(
                    "The old tensor still requires a gradient. But `w = ...` has given its name to "
                    "a new one.",
                    "旧的张量仍然要求梯度，但 `w = ...` 把它的名字给了一个新的张量。",
                ),
            ),
            Wrong(
                "an error|error|RuntimeError|报错|错误|出错",
                Words(
                    "No error here: to compute with `w` under `no_grad` is allowed.",
                    "这里不会出错：在 `no_grad` 里用 `w` 计算是允许的。",
                ),
            ),
        ),
        choices=True,
    ),
    "05.c": Prediction(
        right="0, 1, 4, 9",
        why=Words(
            "z = u · x with `u` as a constant has the derivative `u`, and `u` holds the squares.",
            "z = u · x，其中 `u` 是常数，导数就是 `u`，而 `u` 里是平方数。",
        ),
        hint=Words(
            "In z = u · x only `x` has a history. What is the derivative of u · x, if `u` is a "
            "constant?",
            "在 z = u · x 里只有 `x` 有历史。`u` 是常数时，u · x 的导数是什么？",
        ),
        wrong=(
            Wrong(
                "0, 3, 12, 27",
                Words(
                    "That is 3x², the derivative of x³. It counts paths through `y`, and `u` does "
                    "not lead to `y`.",
                    "这是 3x²，即 x³ 的导数。它把经过 `y` 的路径也算上了，而从 `u` 走不到 `y`。",
                ),
            ),
            Wrong(
                "0, 2, 8, 18",
                Words(
                    "That is 2x², what would come through `y`. It is the other factor, `x`, that "
                    "still has a way to the leaf.",
                    "这是 2x²，是本来会经过 `y` 的部分。仍然通向叶子节点的是另一个因子 `x`。",
                ),
            ),
            Wrong(
                "0, 2, 4, 6",
                Words(
                    "That is 2x, the derivative of `y`. The result is `z`, and no gradient comes "
                    "through `y`.",
                    "这是 2x，即 `y` 的导数。求导的是 `z`，没有梯度经过 `y`。",
                ),
            ),
            Wrong(
                "0, 0, 0, 0",
                Words(
                    "One factor is detached, the other is not: `x` itself still stands in the "
                    "product.",
                    "一个因子分离了，另一个没有：`x` 自己还在乘积里。",
                ),
            ),
            Wrong(
                "None|nothing|无|an error|error|RuntimeError|报错|错误|出错",
                Words(
                    "One factor is detached, the other is not: `x` itself still stands in the "
                    "product, and a gradient comes to it.",
                    "一个因子分离了，另一个没有：`x` 自己还在乘积里，会有梯度到达。",
                ),
            ),
        ),
    ),
    "05.d": Prediction(
        right="b",
        why=Words(
            "`w.detach()` has no history, so no path leads from the loss to `w`.",
            "`w.detach()` 没有历史，所以没有路径从损失通向 `w`。",
        ),
        wrong=(
            Wrong(
                "w",
                Words(
                    "`w` is the one that is detached. `b` was added as it is.",
                    "分离的正是 `w`。`b` 是原样加上去的。",
                ),
            ),
            Wrong(
                "w, b|both|两个都有",
                Words(
                    "Both take part in the numbers. But a gradient follows the graph, and from "
                    "`w.detach()` no path leads to `w`.",
                    "两者都参与了数值计算。但梯度是沿着图传的，从 `w.detach()` 没有路径通向 `w`。",
                ),
            ),
            Wrong(
                "neither|none|都没有",
                Words(
                    "`b` requires a gradient and was not detached, so the addition is recorded.",
                    "`b` 要求梯度，也没有分离，所以加法被记录了。",
                ),
            ),
        ),
        choices=True,
    ),
    "05.e": Prediction(
        right="5",
        why=Words(
            "`detach()` and `numpy()` copy nothing: `y` and the array are the same numbers.",
            "`detach()` 和 `numpy()` 都不复制：`y` 和这个数组是同一份数。",
        ),
        hint=Words(
            "Does `y.detach().numpy()` have numbers of its own?",
            "`y.detach().numpy()` 有自己的一份数吗？",
        ),
        unless="array only|only (in )?the array|只有数组",
        wrong=(
            Wrong(
                "1",
                Words(
                    "It would be 1 if one of the two calls made a copy. Neither does.",
                    "如果两次调用中有一次做了拷贝，就会是 1。但两次都没有。",
                ),
            ),
            Wrong(
                "an error|error|RuntimeError|报错|错误|出错",
                Words(
                    "NumPy knows nothing of graphs and versions: it changes the numbers, and "
                    "nobody is asked.",
                    "NumPy 不知道计算图和版本：它直接改数，不会问任何人。",
                ),
            ),
        ),
    ),
    "05.f": Prediction(
        right="3",
        why=Words(
            "Two changes under its own name and one through `t.detach()`, which has the same "
            "numbers and the same counter.",
            "以自己的名字改了两次，通过 `t.detach()` 改了一次，后者是同一份数，计数器也是同一个。",
        ),
        hint=Words(
            "Which of the four changes writes to the memory of `t`?",
            "四次修改中，哪几次写到 `t` 的内存里？",
        ),
        wrong=(
            Wrong(
                "2",
                Words(
                    "Two changes were made under the name `t`. But `t.detach()` has the numbers of "
                    "`t` and shares its counter.",
                    "以 `t` 的名字确实改了两次。但 `t.detach()` 是 `t` 的同一份数，计数器也共用。",
                ),
            ),
            Wrong(
                "4",
                Words(
                    "One of the four changes was made to a clone, which has its own numbers and "
                    "its own counter.",
                    "四次修改中有一次改的是拷贝，拷贝有自己的数和自己的计数器。",
                ),
            ),
            Wrong(
                "0",
                Words(
                    "The version counts changes, whether the tensor requires a gradient or not.",
                    "版本数的是修改的次数，不论张量是否要求梯度。",
                ),
            ),
        ),
    ),
    "05.g": Prediction(
        right="2",
        why=Words(
            "x · 2 has saved the 2, not its result. So the result may be changed, and the "
            "derivative of 2x + 1 is 2.",
            "x · 2 保存的是 2，而不是结果。所以结果可以改，而 2x + 1 的导数是 2。",
        ),
        hint=Words(
            "What does the product x · 2 need for its derivative: its result, or the 2?",
            "x · 2 求导需要什么：它的结果，还是那个 2？",
        ),
        wrong=(
            Wrong(
                "an error|error|RuntimeError|报错|错误|出错|失败",
                Words(
                    "Many pages say so. An error comes only if something is changed that a node "
                    "has saved.",
                    "很多页面这么说。但只有改了某个节点保存过的东西，才会出错。",
                ),
            ),
            Wrong(
                "3",
                Words(
                    "3 counts the addition, too. Adding 1 to `y` does not change how fast `y` "
                    "grows with `x`.",
                    "3 把加上的 1 也算进去了。给 `y` 加上 1，并不改变 `y` 随 `x` 增长的快慢。",
                ),
            ),
            Wrong(
                "7",
                Words(
                    "7 is the value of `y`. `x.grad` says how fast it changes with `x`.",
                    "7 是 `y` 的值。`x.grad` 说的是它随 `x` 变化得多快。",
                ),
            ),
            Wrong(
                "1",
                Words(
                    "1 is what the addition hands on. The product then multiplies it by 2.",
                    "1 是加法传下去的，乘法还要把它乘以 2。",
                ),
            ),
        ),
    ),
    "05.h": Prediction(
        right="10, 8",
        why=Words(
            "The product has saved `w` itself. It reads the new 5 in the backward pass, and "
            "nobody notices, because `.data` has a counter of its own.",
            "乘法保存的就是 `w` 本身。反向传播时它读到新的 5，却没有人发现，因为 `.data` 有自己的"
            "计数器。",
        ),
        hint=Words(
            "The derivative of w · w is 2 · w. Which `w` does the pass read, and does anything "
            "notice the change?",
            "w · w 的导数是 2 · w。反向传播读到的是哪个 `w`？这次修改会被发现吗？",
        ),
        wrong=(
            Wrong(
                "6, 8",
                Words(
                    "That would be right: 2w at the place where `s` was computed. But the product "
                    "has no copy of the old 3.",
                    "这本来是对的：在算出 `s` 的地方，2w 就是这些数。但乘法并没有另存一份旧的 3。",
                ),
            ),
            Wrong(
                "an error|error|RuntimeError|报错|错误|出错",
                Words(
                    "With `w.detach()[0] = 5` there would be one. A change through `.data` raises "
                    "no version.",
                    "如果写 `w.detach()[0] = 5` 就会报错。通过 `.data` 的修改不会使版本增加。",
                ),
            ),
            Wrong(
                "5, 4",
                Words(
                    "These are the numbers of `w` after the change. Both factors are `w`, so the "
                    "gradient is twice as much.",
                    "这是 `w` 修改后的数。两个因子都是 `w`，所以梯度是它的两倍。",
                ),
            ),
            Wrong(
                "8, 8",
                Words(
                    "That is 3 + 5 in the first place: one old factor and one new. Both factors "
                    "are the same tensor, and both read the new number.",
                    "第一个数是 3 + 5：一个旧的因子，一个新的因子。但两个因子是同一个张量，读到的"
                    "都是新的数。",
                ),
            ),
        ),
    ),
}
