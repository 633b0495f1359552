"""Exercises of chapter 03, gradients of intermediate results."""

from __future__ import annotations

from typing import Any

from .exercise import Exercise, Hint, Words
from .recognise import gradient_of, named, number, numbers


def through(hook: Any, x: Any) -> Any:
    """The gradient of x when `hook` hangs on the intermediate result h = 2 x of (h h).sum()."""
    x.grad = None
    h = 2 * x
    h.register_hook(hook)
    (h * h).sum().backward()
    return x.grad


EXERCISES = {
    "03.1": Exercise(
        solution="7.0",
        right=number(7),
        because=Words(
            "2 h = 4 through the square, 3 through the product: h keeps the sum, 7.",
            "经过平方的是 2 h = 4，经过乘积的是 3：h 保留的是总和 7。",
        ),
        hints=(
            Hint(
                "14.0",
                number(14),
                Words(
                    "That is x.grad. The gradient of h has not yet been multiplied by 2.",
                    "这是 x.grad。h 的梯度还没有乘以 2。",
                ),
            ),
            Hint(
                "4.0",
                number(4),
                Words(
                    "That is what arrives through h * h. h is also used in 3 * h.",
                    "这只是经过 h * h 到达的部分，h 还出现在 3 * h 中。",
                ),
            ),
            Hint(
                "5.0",
                number(5),
                Words(
                    "One edge is missing: h * h has two inputs, and each of them is h.",
                    "少算了一条边：h * h 有两个输入，每个都是 h。",
                ),
            ),
            Hint(
                "10.0",
                number(10),
                Words(
                    "10 is the value of y. The question is how fast y changes with h.",
                    "10 是 y 的值。这里问的是 y 随 h 变化的快慢。",
                ),
            ),
        ),
        otherwise=Words(
            "y = h * h + 3 * h, and h is 2. What is the derivative of y with respect to h?",
            "y = h * h + 3 * h，h 等于 2。y 对 h 的导数是多少？",
        ),
    ),
    "03.2": Exercise(
        solution="h.retain_grad()",
        right=lambda h, x: (
            number(4)(gradient_of(h)) and number(8)(gradient_of(x)) and not h.is_leaf
        ),
        because=Words(
            "h was asked before the pass, so it kept the 4; 4 * 2 = 8 went on to x.",
            "在 backward() 之前就向 h 提出了要求，所以它留下了 4；4 * 2 = 8 继续传到了 x。",
        ),
        hints=(
            Hint(
                "h = h.detach().requires_grad_()",
                lambda h, x: h.is_leaf and gradient_of(x) is None,
                Words(
                    "h has its gradient, but only because it is a new leaf now: the way to x is "
                    "cut, and x.grad is None.",
                    "h 有了梯度，但那是因为它成了一个新的叶子：通向 x 的路断了，x.grad 是 None。",
                ),
            ),
            Hint(
                "h.requires_grad_()",
                lambda h, x: gradient_of(h) is None,
                Words(
                    "h.grad is None: nothing told h to keep its gradient. (requires_grad_() does "
                    "not; h requires one already.)",
                    "h.grad 是 None：没有什么让 h 把梯度保留下来。（requires_grad_() 不行，h 本来"
                    "就要求梯度。）",
                ),
            ),
        ),
        otherwise=Words(
            "After the pass h.grad should be 4 and x.grad should be 8.",
            "backward() 之后，h.grad 应当是 4，x.grad 应当是 8。",
        ),
    ),
    "03.3": Exercise(
        solution='["a", "p"]',
        right=named("a", "p"),
        because=Words(
            "A leaf that requires a gradient, and a result that was asked to keep its own.",
            "一个是要求梯度的叶子，一个是被要求保留梯度的中间结果。",
        ),
        hints=(
            Hint(
                '["a"]',
                named("a"),
                Words(
                    "a has one. One of the results was asked to keep its gradient as well.",
                    "a 有。还有一个中间结果被要求保留梯度。",
                ),
            ),
            Hint(
                '["a", "k", "p"]',
                named("a", "k", "p"),
                Words(
                    "k is a leaf, but it never asked for a gradient: requires_grad is False.",
                    "k 是叶子，但它从未要求梯度：requires_grad 为 False。",
                ),
            ),
            Hint(
                '["a", "p", "q", "s"]',
                named("a", "p", "q", "s"),
                Words(
                    "A gradient passes through q and s, but nobody asked them to keep it.",
                    "梯度确实经过了 q 和 s，但没有人要求它们保留。",
                ),
            ),
        ),
        otherwise=Words(
            "For each tensor ask: is it a leaf that requires a gradient? Was retain_grad() called "
            "on it?",
            "对每个张量问两个问题：它是要求梯度的叶子吗？对它调用过 retain_grad() 吗？",
        ),
    ),
    "03.4": Exercise(
        solution="lambda g: g.clamp(-1.0, 1.0)",
        right=lambda hook, x: numbers(through(hook, x), [2, -2, 2]),
        because=Words(
            "[2, -12, 80] became [1, -1, 1] at h, and x.grad is twice that, because h = 2 x.",
            "[2, -12, 80] 在 h 处变成了 [1, -1, 1]；因为 h = 2 x，x.grad 是它的两倍。",
        ),
        hints=(
            Hint(
                "lambda g: print(g)",
                lambda hook, x: numbers(through(hook, x), [4, -24, 160]),
                Words(
                    "The gradient passed unchanged. A hook changes it by what it returns.",
                    "梯度原样通过了。钩子要靠返回值来改变梯度。",
                ),
            ),
            Hint(
                "lambda g: g.clamp(max=1.0)",
                lambda hook, x: numbers(through(hook, x), [2, -24, 2]),
                Words(
                    "The large one is cut, but -12 still passes. There is a lower limit too.",
                    "太大的数被截住了，但 -12 仍然通过了。还有一个下限。",
                ),
            ),
            Hint(
                "lambda g: g / g.norm()",
                lambda hook, x: abs(through(hook, x)[2].item()) < 2 > abs(x.grad[0].item()),
                Words(
                    "That shortens the vector as a whole, and small elements with it. Each element "
                    "should be limited by itself.",
                    "这是把整个向量缩短，小的元素也跟着变小了。应当对每个元素分别限制。",
                ),
            ),
        ),
        otherwise=Words(
            "A hook is a function of the gradient g that returns a tensor. g.clamp(low, high) "
            "limits every element.",
            "钩子是以梯度 g 为参数、返回一个张量的函数。g.clamp(low, high) 会限制每个元素。",
        ),
    ),
}
