"""Predictions of chapter 14, carried state."""

from __future__ import annotations

from .prediction import Prediction, Words, Wrong

PREDICTIONS = {
    "14.a": Prediction(
        right="3",
        why=Words(
            "The last turn brings 2.5, and the turn before it 1 times 0.5.",
            "最后一轮带来 2.5，它的前一轮带来 1 乘以 0.5。",
        ),
        hint=Words(
            "The last turn brings its old state, 2.5. The turn before brings its own old state, "
            "times `w` once.",
            "最后一轮带来它的旧状态 2.5。前一轮带来它自己的旧状态，再乘一次 `w`。",
        ),
        wrong=(
            Wrong(
                "2.5",
                Words(
                    "2.5 is what the last turn brings. An earlier turn has used `w` as well.",
                    "2.5 是最后一轮带来的。前面的一轮也用到了 `w`。",
                ),
            ),
            Wrong(
                "3.5",
                Words(
                    "3.5 is 2.5 + 1. But what the turn before brings passes one more "
                    "multiplication by `w` on its way.",
                    "3.5 等于 2.5 + 1。但前一轮带来的那一份，途中还要再乘一次 `w`。",
                ),
            ),
            Wrong(
                "4.25",
                Words(
                    "4.25 is the state itself. `w.grad` says how fast it changes with `w`.",
                    "4.25 是状态本身。`w.grad` 说的是它随 `w` 变化得多快。",
                ),
            ),
        ),
    ),
    "14.b": Prediction(
        right="2|2, error|error, 2",
        why=Words(
            "The second loss leads back into the first turn, whose saved numbers have been freed.",
            "第二个损失通回到第一轮，而那里保存的数已经释放了。",
        ),
        hint=Words(
            "Which graph does the loss of each turn lead back to, and what has `backward()` freed "
            "in it?",
            "每一轮的损失通向哪些轮的图？`backward()` 在里面释放了什么？",
        ),
        unless=(
            r"(after|before|past) (turn|the|2|two|sec)|[二2] ?轮(之后|以后|后|之前|以前|前)"
            r"|(turns|two|2) (run|work|pass|succeed|are)|(two|2|两) ?轮(正常|成功|没)"
            r"|third (stops|fails|raises)|第三轮(停|报|出|失)"
        ),
        wrong=(
            Wrong(
                "1",
                Words(
                    "In the first turn nothing has been freed yet.",
                    "第一轮时还什么都没有释放过。",
                ),
            ),
            Wrong(
                "3",
                Words(
                    "The third turn is not reached: a turn before it already goes back into what "
                    "has been freed.",
                    "到不了第三轮：在它之前，就已经有一轮回到了释放过的地方。",
                ),
            ),
            Wrong(
                "in none|None|never|都不会|不会",
                Words(
                    "Each turn makes a new loss, but not a new state: that is made from the old "
                    "one.",
                    "每一轮的损失是新的，状态却不是全新的：它由旧状态算出来。",
                ),
            ),
        ),
    ),
    "14.c": Prediction(
        right="15",
        why=Words(
            "The first pass goes through one, the second through two, up to five: "
            "1 + 2 + 3 + 4 + 5.",
            "第一次经过一次乘法，第二次经过两次，直到五次：1 + 2 + 3 + 4 + 5。",
        ),
        hint=Words(
            "The graph of turn n holds n multiplications. Add up five turns.",
            "第 n 轮的图里有 n 次乘法。把五轮加起来。",
        ),
        wrong=(
            Wrong(
                "5",
                Words(
                    "That would be so if each pass ended in its own turn. It goes on into all "
                    "turns before.",
                    "如果每次反向传播都只到自己那一轮为止，就是 5。可是它会继续走进前面所有各轮。",
                ),
            ),
            Wrong(
                "25",
                Words(
                    "Only the fifth pass goes through five of them. The first finds one.",
                    "只有第五次反向传播经过五次乘法。第一次只遇到一次。",
                ),
            ),
            Wrong(
                "10",
                Words(
                    "10 is 1 + 2 + 3 + 4. There is a fifth turn.",
                    "10 等于 1 + 2 + 3 + 4。还有第五轮。",
                ),
            ),
        ),
    ),
    "14.d": Prediction(
        right="2.5",
        why=Words(
            "In the last turn `w` is multiplied with the state 2.5, and the path ends there.",
            "最后一轮里 `w` 与状态 2.5 相乘，路径到这里就结束了。",
        ),
        hint=Words(
            "The path ends at the cut. What was `w` multiplied by in the last turn?",
            "路径到切断处为止。最后一轮里 `w` 乘的是多少？",
        ),
        wrong=(
            Wrong(
                "3",
                Words(
                    "3 is the gradient with all turns. The graph now holds only the last one.",
                    "3 是看到所有轮时的梯度。现在图里只有最后一轮。",
                ),
            ),
            Wrong(
                "0",
                Words(
                    "Only the old state was cut off. `w` itself is still in the last turn.",
                    "切断的只是旧状态。最后一轮里仍然有 `w` 本身。",
                ),
            ),
            Wrong(
                "0.5",
                Words(
                    "0.5 is what is missing: the part of the turn before.",
                    "0.5 正是缺掉的那一份：前一轮的。",
                ),
            ),
            Wrong(
                "3.5",
                Words(
                    "3.5 is the sum of the gradients of two turns. `w.grad = None` stands before "
                    "each `backward()`.",
                    "3.5 是两轮梯度之和。而每次 `backward()` 之前都有 `w.grad = None`。",
                ),
            ),
        ),
    ),
    "14.e": Prediction(
        right="-1.2",
        why=Words(
            "Minus `d`, which is 0.6 by now, times the noise 2.",
            "负的 `d`（现在是 0.6）乘以噪声 2。",
        ),
        hint=Words(
            "`fake` is 2g, so the slope of -(d · fake) is -2d. What is `d` by now?",
            "`fake` 等于 2g，所以 -(d · fake) 的斜率是 -2d。现在 `d` 是多少？",
        ),
        wrong=(
            Wrong(
                "-1",
                Words(
                    "-1 is what the old critic would bring, with `d` = 0.5. It has taken a step.",
                    "-1 是旧判别器（`d` = 0.5）会带来的。它已经走了一步。",
                ),
            ),
            Wrong(
                "1.2",
                Words(
                    "The size is right. The loss has a minus in front of `d` times `fake`.",
                    "大小是对的。但损失在 `d` 乘 `fake` 前面有一个负号。",
                ),
            ),
            Wrong(
                "-0.6",
                Words(
                    "-0.6 is the slope towards `fake`. From there one more multiplication leads "
                    "to `g`.",
                    "-0.6 是对 `fake` 的斜率。从那里到 `g` 还有一次乘法。",
                ),
            ),
            Wrong(
                "-0.2",
                Words(
                    "-0.2 would come out if the critic's loss had sent its 1 to `g` too. It judged "
                    "`fake.detach()`.",
                    "如果判别器的损失也把它的 1 送给了 `g`，结果就是 -0.2。但它打分的对象是 "
                    "`fake.detach()`。",
                ),
            ),
        ),
    ),
    "14.f": Prediction(
        right="100",
        why=Words(
            "Each turn has one, and the sum keeps the graph of every turn.",
            "每一轮有一次乘法，而这个和留住了每一轮的图。",
        ),
        hint=Words(
            "`total` is a tensor. Does `total += loss` keep the graph of each turn?",
            "`total` 是张量。`total += loss` 会留下每一轮的图吗？",
        ),
        wrong=(
            Wrong(
                "0",
                Words(
                    "`backward()` frees what the nodes have saved, not the nodes.",
                    "`backward()` 释放的是节点保存的东西，不是节点本身。",
                ),
            ),
            Wrong(
                "1",
                Words(
                    "One is in the graph of `loss`. `total` was made from all losses.",
                    "`loss` 的图里有一次。而 `total` 由所有损失加起来。",
                ),
            ),
            Wrong(
                "5050",
                Words(
                    "That would be so if each loss led through all turns before it. Here the turns "
                    "do not use each other.",
                    "如果每个损失都经过前面的所有轮，就是 5050。但这里各轮互不使用。",
                ),
            ),
            Wrong(
                "200",
                Words(
                    "The square is no multiplication node: it is `PowBackward0`.",
                    "平方不是乘法节点，而是 `PowBackward0`。",
                ),
            ),
        ),
    ),
}
