"""Exercises of chapter 04, backward more than once."""

from __future__ import annotations

from typing import Any

from .exercise import Exercise, Hint, Test, Words
from .recognise import named, number, numbers


def walked(times: int, *gradient: float) -> Test:
    """x has this gradient, and so many walks came through the shared part."""
    return lambda x, walks: numbers(x.grad, gradient) and len(walks) == times


def three_steps(carry_over: Any, w: Any, start: Any) -> Any:
    """The state after three steps, each followed by its own backward pass."""
    w.grad = None
    state = w * start + 1
    state.backward()
    for _ in range(2):
        state = w * carry_over(state) + 1
        state.backward()
    return state


def walks_into_the_past(carry_over: Any, w: Any, start: Any) -> bool:
    """The second pass reaches the first graph, which has been freed."""
    try:
        three_steps(carry_over, w, start)
    except RuntimeError as error:
        return "a second time" in str(error)
    return False


EXERCISES = {
    "04.1": Exercise(
        solution='["square", "exp"]',
        right=named("square", "exp"),
        because=Words(
            "These two save a tensor for their derivative, and it is gone after the first walk.",
            "这两个运算为求导保存了张量，走完第一遍它就没有了。",
        ),
        hints=(
            Hint(
                '["square"]',
                named("square"),
                Words(
                    "The product, yes. The derivative of exp(x) is exp(x): what does that "
                    "operation save?",
                    "乘法，对。exp(x) 的导数是 exp(x)：这个运算会保存什么？",
                ),
            ),
            Hint(
                '["twice", "square", "rest", "exp"]',
                named("twice", "square", "rest", "exp"),
                Words(
                    "A walk fails only where something saved is missing. Which of the four save "
                    "nothing?",
                    "只有缺少已保存的东西时，再走一遍才会失败。四个之中哪些什么也不保存？",
                ),
            ),
            Hint(
                '["twice", "rest"]',
                named("twice", "rest"),
                Words(
                    "The other way round: sums and differences save nothing, so they can run "
                    "again.",
                    "正好相反：加法和减法什么也不保存，所以可以再执行。",
                ),
            ),
            Hint(
                "[]",
                named(),
                Words(
                    "Some of them do fail. Try results['square'].backward() twice.",
                    "确实有会失败的。把 results['square'].backward() 运行两次试试。",
                ),
            ),
        ),
        otherwise=Words(
            "For each one ask: does its derivative depend on the value of x? Then it saved "
            "something.",
            "对每一个问：它的导数与 x 的值有关吗？有关，它就保存了东西。",
        ),
    ),
    "04.2": Exercise(
        solution="(first + second).backward()",
        right=walked(1, 6, 36),
        because=Words(
            "2x from the first loss and 4x^3 from the second: [2 + 4, 4 + 32].",
            "第一个损失带来 2x，第二个带来 4x^3：[2 + 4, 4 + 32]。",
        ),
        hints=(
            Hint(
                "first.backward(retain_graph=True); second.backward()",
                walked(2, 6, 36),
                Words(
                    "The numbers are right, but the gradient passed h twice. Add the losses first, "
                    "and walk once.",
                    "数对了，但梯度经过了 h 两次。请先把损失加起来，只走一遍。",
                ),
            ),
            Hint(
                "x.grad = mg.tensor([6.0, 36.0])",
                walked(0, 6, 36),
                Words(
                    "The numbers are right, but nothing was walked. Let backward() find them.",
                    "数对了，但没有走过图。请让 backward() 来求。",
                ),
            ),
            Hint(
                "first.backward()",
                lambda x, walks: numbers(x.grad, [2, 4]),
                Words(
                    "That is the gradient of the first loss alone.",
                    "这只是第一个损失的梯度。",
                ),
            ),
            Hint(
                "second.backward()",
                lambda x, walks: numbers(x.grad, [4, 32]),
                Words(
                    "That is the gradient of the second loss alone.",
                    "这只是第二个损失的梯度。",
                ),
            ),
            Hint(
                "(first * second).backward()",
                lambda x, walks: numbers(x.grad, [54, 228]),
                Words(
                    "That is the gradient of their product. Losses are added.",
                    "这是两者乘积的梯度。损失应当相加。",
                ),
            ),
            Hint(
                "pass",
                lambda x, walks: x.grad is None,
                Words(
                    "x.grad is still None: no backward pass has run.",
                    "x.grad 还是 None：还没有运行反向传播。",
                ),
            ),
        ),
        otherwise=Words(
            "x.grad should be [6, 36]. Run the whole cell again, so that it starts afresh.",
            "x.grad 应当是 [6, 36]。请重新运行整个单元格，从头开始。",
        ),
    ),
    "04.3": Exercise(
        solution="i % 3 == 2",
        right=lambda used: numbers(used, [6, 15]),
        because=Words(
            "1 + 2 + 3 = 6, then 4 + 5 + 6 = 15: two updates, three samples each.",
            "1 + 2 + 3 = 6，然后 4 + 5 + 6 = 15：两次更新，每次三个样本。",
        ),
        hints=(
            Hint(
                "i % 3 == 0",
                lambda used: numbers(used, [1, 9]),
                Words(
                    "i counts from 0, so this updates after the first sample, and the last two "
                    "are lost.",
                    "i 从 0 数起，所以第一个样本之后就更新了，最后两个样本则丢掉了。",
                ),
            ),
            Hint(
                "True",
                lambda used: numbers(used, [1, 2, 3, 4, 5, 6]),
                Words(
                    "That updates after every sample: nothing is added up.",
                    "这样每个样本之后都更新，什么也没有累加。",
                ),
            ),
            Hint(
                "i == 5",
                lambda used: numbers(used, [21]),
                Words(
                    "That updates once, after all six. There should be two updates.",
                    "这样只在六个样本之后更新一次。应当更新两次。",
                ),
            ),
            Hint(
                "i == 3",
                lambda used: numbers(used, [10]),
                Words(
                    "i is 3 at the fourth sample, and only there. Use the remainder, i % 3.",
                    "i 等于 3 时是第四个样本，而且只有这一次。请用余数 i % 3。",
                ),
            ),
        ),
        otherwise=Words(
            "There should be two updates: with 1 + 2 + 3 = 6, and with 4 + 5 + 6 = 15.",
            "应当有两次更新：一次用 1 + 2 + 3 = 6，一次用 4 + 5 + 6 = 15。",
        ),
    ),
    "04.4": Exercise(
        solution="lambda state: state.detach()",
        right=lambda carry_over, w, start: (
            number(1.875)(three_steps(carry_over, w, start)) and number(4.25)(w.grad)
        ),
        because=Words(
            "1.5, 1.75, 1.875. Each step differentiates w * (old state) + 1 alone, so w.grad is "
            "the sum of the old states: 1 + 1.5 + 1.75 = 4.25.",
            "1.5、1.75、1.875。每一步只对 w * (旧状态) + 1 求导，所以 w.grad 是旧状态之和：1 + "
            "1.5 + 1.75 = 4.25。",
        ),
        hints=(
            Hint(
                "lambda state: state",
                walks_into_the_past,
                Words(
                    "The old state still carries its graph, and the next walk goes into it. Hand "
                    "over the number without the graph.",
                    "旧的状态仍然带着图，下一遍会走进去。请只交出数，不要图。",
                ),
            ),
            Hint(
                "lambda state: mg.tensor(1.0)",
                lambda carry_over, w, start: number(1.5)(three_steps(carry_over, w, start)),
                Words(
                    "No error, but no memory either: every step starts from 1. The state itself "
                    "should be handed on.",
                    "没有错误，但也没有记忆：每一步都从 1 出发。应当把状态本身传下去。",
                ),
            ),
        ),
        otherwise=Words(
            "carry_over is called with the old state, a tensor, and returns a tensor with the same "
            "number. z.detach() in chapter 2 did this.",
            "carry_over 接收旧的状态（一个张量），返回数值相同的张量。第 2 章的 z.detach() 做的就"
            "是这件事。",
        ),
    ),
}
