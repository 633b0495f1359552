"""Exercises of chapter 12, when it goes wrong."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .exercise import Exercise, Hint, Test, Words
from .recognise import named, naming, number, numbers, value
from .sentences import EMPTY

Length = Callable[[Any], Any]


def slopes(length: Length, mg: Any, at: list[float]) -> list[float]:
    x = mg.tensor(at, requires_grad=True)
    result = length(x)
    value(result)
    (found,) = mg.autograd.grad(result, x)
    return list(found.tolist())


def fits(length: Length, mg: Any) -> bool:
    """Value and gradient are right at (3, 4)."""
    at = [3.0, 4.0]
    return number(5)(length(mg.tensor(at))) and numbers(slopes(length, mg, at), [0.6, 0.8])


def finite_at_zero(length: Length, mg: Any) -> bool:
    return all(math.isfinite(slope) for slope in slopes(length, mg, [0.0, 0.0]))


def state(*values: float, slope: float) -> Test:
    """The states have these values, and the last one has this slope with respect to w."""

    def test(w: Any, states: list[Any]) -> bool:
        w.grad = None
        states[-1].backward(retain_graph=True)
        return numbers([each.item() for each in states], values) and number(slope)(w.grad)

    return test


EXERCISES = {
    "12.1": Exercise(
        solution='["a", "c"]',
        right=named("a", "c"),
        because=Words(
            "Leaves that ask for a gradient, and the graph leads to both.",
            "它们是要求梯度的叶子，而且图通向这两个。",
        ),
        hints=(
            Hint(
                '["a", "b", "c"]',
                named("a", "b", "c"),
                Words(
                    "b is not what ones() made: reshape made b of it.",
                    "b 不是 ones() 建立的那个张量：b 是 reshape 由它得到的。",
                ),
            ),
            Hint(
                '["a", "c", "d"]',
                naming("d"),
                Words(
                    "d was computed where nothing is recorded. Does it require a gradient?",
                    "d 是在什么也不记录的地方算出来的。它要求梯度吗？",
                ),
            ),
            Hint(
                '["a"]',
                named("a"),
                Words(
                    "a, yes. And what is a Parameter?",
                    "a，对。那么 Parameter 是什么？",
                ),
            ),
            Hint(
                '["a", "b"]',
                named("a", "b"),
                Words(
                    "Is b a leaf? And what is a Parameter?",
                    "b 是叶子吗？Parameter 又是什么？",
                ),
            ),
        ),
        otherwise=Words(
            "For each of the four: is it a leaf, does it require a gradient, is it used?",
            "对四个张量分别问：是叶子吗？要求梯度吗？用到了吗？",
        ),
    ),
    "12.2": Exercise(
        solution="mg.sqrt((x * x).sum() + 1e-12)",
        right=lambda length, mg: fits(length, mg) and finite_at_zero(length, mg),
        because=Words(
            "At (3, 4) nothing has changed, and at (0, 0) a 0 times a large number is 0.",
            "在 (3, 4) 处什么也没变，在 (0, 0) 处是 0 乘以一个很大的数，等于 0。",
        ),
        hints=(
            Hint("...", lambda length, mg: length(mg.zeros(2)) is ..., EMPTY),
            Hint(
                "mg.sqrt((x * x).sum())",
                lambda length, mg: fits(length, mg) and length(mg.zeros(2)).item() == 0,
                Words(
                    "At (0, 0) the slope of the root is 1/0, times 0. Keep the root away from 0.",
                    "在 (0, 0) 处，根号的斜率是 1/0，再乘以 0。别让根号里是 0。",
                ),
            ),
            Hint(
                "mg.sqrt((x * x).sum()) + 1e-6",
                lambda length, mg: fits(length, mg),
                Words(
                    "Still nan at (0, 0): outside of the root it changes the value, but no slope. "
                    "Where must it stand?",
                    "在 (0, 0) 处仍是 nan：加在根号外面，改变的是值，不是斜率。应当加在哪里？",
                ),
            ),
            Hint(
                "mg.sqrt((x * x).sum() + 1.0)",
                lambda length, mg: finite_at_zero(length, mg),
                Words(
                    "Finite everywhere, but at (3, 4) it should be 5, with the slopes 0.6 and 0.8. "
                    "Add much less.",
                    "处处有限，但在 (3, 4) 处应当是 5，斜率 0.6 和 0.8。加得太多了。",
                ),
            ),
        ),
        otherwise=Words(
            "Return one number: the root of the sum of the squares, with a small change.",
            "返回一个数：平方和的平方根，但要稍作改动。",
        ),
    ),
    "12.3": Exercise(
        solution="0.25**8",
        right=lambda answer: math.isclose(value(answer), 0.25**8, rel_tol=0.05),
        because=Words(
            "Eight factors, none larger than a quarter.",
            "八个因子，都不超过四分之一。",
        ),
        hints=(
            Hint(
                "0.25 * 8",
                number(2),
                Words(
                    "The chain rule multiplies the slopes; it does not add them.",
                    "链式法则是把斜率相乘，而不是相加。",
                ),
            ),
            Hint(
                "0.5 ** 8",
                number(0.5**8),
                Words(
                    "1/2 is the value of a sigmoid at 0. And its slope there?",
                    "1/2 是 sigmoid 在 0 处的值。那里的斜率呢？",
                ),
            ),
            Hint(
                "0.25",
                number(0.25),
                Words(
                    "That is one sigmoid. There are eight.",
                    "这是一个 sigmoid。一共有八个。",
                ),
            ),
            Hint(
                "0.25 ** 10",
                lambda answer: math.isclose(value(answer), 0.25**10, rel_tol=0.05),
                Words(
                    "That was the example with ten. Here there are eight.",
                    "那是十个的例子。这里是八个。",
                ),
            ),
        ),
        otherwise=Words(
            "The largest slope of one sigmoid is 1/4. How do slopes combine in a chain?",
            "一个 sigmoid 最大的斜率是 1/4。连成一串时，斜率怎样合在一起？",
        ),
    ),
    "12.4": Exercise(
        solution="states.append(0.5 * states[-1] + w * new)",
        right=state(0, 4, 8, 6, slope=6),
        because=Words(
            "0, 4, 8, 6, and the slope of the last is 6 too: nothing was lost on the way.",
            "0、4、8、6，最后一个的斜率也是 6：路上什么也没有丢。",
        ),
        hints=(
            Hint(
                "...",
                lambda w, states: len(states) == 1 and number(0)(states[0]),
                Words(
                    "The list still has its first state alone. Append one in each round.",
                    "列表里还只有最初的状态。每一轮要追加一个。",
                ),
            ),
            Hint(
                "states[-1] = 0.5 * states[-1] + w * new",
                lambda w, states: len(states) == 1,
                Words(
                    "That replaces the last state. All of them are wanted: append.",
                    "这是替换最后一个状态。所有状态都要保留：请用 append。",
                ),
            ),
            Hint(
                "states.append(0.5 * states[-1].detach() + w * new)",
                state(0, 4, 8, 6, slope=2),
                Words(
                    "The numbers are right, but the past is cut off: the slope of the last state "
                    "should be 6, and is only the last input, 2.",
                    "数对了，但过去被切断了：最后一个状态的斜率应当是 6，现在只是最后的输入 2。",
                ),
            ),
            Hint(
                "states.append(0.5 * states[0] + w * new)",
                state(0, 4, 6, 2, slope=2),
                Words(
                    "states[0] is the first state. The last one is states[-1].",
                    "states[0] 是最初的状态。最后一个是 states[-1]。",
                ),
            ),
            Hint(
                "states.append(states[-1] + w * new)",
                state(0, 4, 10, 12, slope=12),
                Words(
                    "Only half of the old state goes into the new one.",
                    "旧状态只有一半进入新状态。",
                ),
            ),
        ),
        otherwise=Words(
            "Append 0.5 times the last state plus w times new. The states should be 0, 4, 8, 6.",
            "追加 0.5 乘以最后的状态加上 w 乘以 new。各状态应当是 0、4、8、6。",
        ),
    ),
}
