"""Exercises of chapter 05, stopping gradients."""

from __future__ import annotations

from typing import Any

from .exercise import Exercise, Hint, Words
from .recognise import named, number, numbers


def is_trainable(w: Any) -> bool:
    return bool(w.is_leaf and w.requires_grad)


EXERCISES = {
    "05.1": Exercise(
        solution="16.0",
        right=number(16),
        because=Words(
            "One factor is the constant 4; the other, x * x, has the derivative 4. 4 * 4 = 16.",
            "一个因子是常数 4，另一个因子 x * x 的导数是 4。4 * 4 = 16。",
        ),
        hints=(
            Hint(
                "32.0",
                number(32),
                Words(
                    "That is the derivative of x^4, with both factors differentiated. One of them "
                    "is detached.",
                    "这是 x^4 的导数，两个因子都求了导。其中一个已经分离了。",
                ),
            ),
            Hint(
                "4.0",
                number(4),
                Words(
                    "That is the derivative of y alone. It is still multiplied by the constant "
                    "y.detach().",
                    "这只是 y 的导数，还要乘以常数 y.detach()。",
                ),
            ),
            Hint(
                "0.0",
                number(0),
                Words(
                    "Only the first factor is detached. The second still has its history.",
                    "只有第一个因子被分离，第二个仍然有历史。",
                ),
            ),
        ),
        otherwise=Words(
            "Write z as c * x * x with a constant c. How large is c, and what is the derivative?",
            "把 z 写成 c * x * x，c 是常数。c 等于多少，导数又是多少？",
        ),
    ),
    "05.2": Exercise(
        solution='["mul", "exp"]',
        right=named("mul", "exp"),
        because=Words(
            "mul saved x and exp saved its result, and just these were changed.",
            "mul 保存了 x，exp 保存了它的结果，而被改的正是它们。",
        ),
        hints=(
            Hint(
                '["mul"]',
                named("mul"),
                Words(
                    "mul, yes. Not every operation saves its inputs: what does exp need for its "
                    "derivative?",
                    "mul，对。并不是每个运算保存的都是输入：exp 求导需要什么？",
                ),
            ),
            Hint(
                '["add", "mul", "exp", "triple"]',
                named("add", "mul", "exp", "triple"),
                Words(
                    "All four change a tensor in place, but only two of them change one that was "
                    "saved.",
                    "四个都就地改了张量，但只有两个改的是已保存的张量。",
                ),
            ),
            Hint(
                '["mul", "exp", "triple"]',
                named("mul", "exp", "triple"),
                Words(
                    "The derivative of w * 3 is 3. Neither w nor the result is needed for it, so "
                    "neither was saved.",
                    "w * 3 的导数是 3，既不需要 w，也不需要结果，所以两者都没有保存。",
                ),
            ),
            Hint(
                '["add", "mul"]',
                named("add", "mul"),
                Words(
                    "Both change x, but the addition has not saved it: its derivative is 1.",
                    "两者都改了 x，但加法并没有保存它：加法的导数是 1。",
                ),
            ),
        ),
        otherwise=Words(
            "For each one ask: what does the derivative with respect to w need, and is it that "
            "which is changed?",
            "对每一个问：对 w 求导需要什么，被改的是不是它？",
        ),
    ),
    "05.3": Exercise(
        solution="with mg.no_grad():\n    w -= 0.1 * w.grad",
        right=lambda w, before: (
            w is before and number(0.8)(w) and is_trainable(w) and w._version > 0
        ),
        because=Words(
            "1 - 0.1 * 2 = 0.8, the same leaf, and its version counts the change.",
            "1 - 0.1 * 2 = 0.8，还是同一个叶子，而且它的版本记下了这次修改。",
        ),
        hints=(
            Hint(
                "w = w - 0.1 * w.grad",
                lambda w, before: w.grad_fn is not None,
                Words(
                    "w is now the result of an operation: no leaf. The next backward pass will "
                    "give it no .grad.",
                    "w 现在是一次运算的结果，不是叶子。下一次反向传播不会给它 .grad。",
                ),
            ),
            Hint(
                "w -= 0.1 * w.grad",
                lambda w, before: w is before and number(1)(w) and w.grad is not None,
                Words(
                    "w is still 1. A leaf cannot be changed in place while that is recorded: do it "
                    "under no_grad.",
                    "w 仍然是 1。正在记录时，叶子不能就地修改：请放在 no_grad 里。",
                ),
            ),
            Hint(
                "with mg.no_grad(): w = w - 0.1 * w.grad",
                lambda w, before: w is not before and not w.requires_grad,
                Words(
                    "That makes a new tensor, which does not ask for a gradient: the next step "
                    "learns nothing. Change w in place, with -=.",
                    "这样得到的是一个新的张量，它不要求梯度，下一步就学不到东西。请用 -= 就地修改 "
                    "w。",
                ),
            ),
            Hint(
                "w.data -= 0.1 * w.grad",
                lambda w, before: w is before and number(0.8)(w) and w._version == 0,
                Words(
                    "It works, but behind autograd's back: w._version is still 0. Use no_grad.",
                    "这样能行，但背着自动微分改了数：w._version 仍然是 0。请用 no_grad。",
                ),
            ),
            Hint(
                "with mg.no_grad(): w += 0.1 * w.grad",
                lambda w, before: number(1.2)(w),
                Words(
                    "That goes uphill. The gradient points to where the function grows.",
                    "这是在上坡。梯度指向函数增大的方向。",
                ),
            ),
            Hint(
                "with mg.no_grad(): w -= w.grad",
                lambda w, before: number(-1)(w),
                Words(
                    "That subtracts the whole gradient. Take 0.1 of it.",
                    "这减去了整个梯度。应当只取 0.1 倍。",
                ),
            ),
        ),
        otherwise=Words(
            "Afterwards w should be 0.8, and the same tensor as before. Run the whole cell again.",
            "之后 w 应当是 0.8，而且与之前是同一个张量。请重新运行整个单元格。",
        ),
    ),
    "05.4": Exercise(
        solution="w.detach().clone()",
        right=lambda kept, w: numbers(kept, [1, 2]) and not kept.requires_grad and kept is not w,
        because=Words(
            "No history and numbers of its own: w can change, kept does not.",
            "没有历史，又有自己的一份数：w 可以变，kept 不变。",
        ),
        hints=(
            Hint(
                "w",
                lambda kept, w: kept is w,
                Words(
                    "That is a second name for the same tensor.",
                    "这只是同一个张量的第二个名字。",
                ),
            ),
            Hint(
                "w.detach()",
                lambda kept, w: numbers(kept, [11, 12]) and not kept.requires_grad,
                Words(
                    "kept has changed together with w: detach() shares the numbers.",
                    "kept 跟着 w 一起变了：detach() 共用同一份数。",
                ),
            ),
            Hint(
                "w.clone()",
                lambda kept, w: numbers(kept, [1, 2]) and kept.requires_grad,
                Words(
                    "The numbers are kept, but the copy is in the graph: it still asks for a "
                    "gradient.",
                    "数留住了，但这份拷贝还在图里，仍然要求梯度。",
                ),
            ),
        ),
        otherwise=Words(
            "kept should be a tensor with [1, 2] that does not ask for a gradient.",
            "kept 应当是值为 [1, 2]、不要求梯度的张量。",
        ),
    ),
}
