"""Exercises of chapter 11, training a network."""

from __future__ import annotations

import math
from typing import Any

from .exercise import Exercise, Hint, Words
from .recognise import listed, number, value

TWO_SOFTMAXES = math.log(math.e + 9) - 1


def works(order: Any) -> bool:
    """A step learns in this order, from the second one on at the latest."""
    place = places(order)
    return place["forward"] < place["backward"] < place["step"] and not cleared_too_late(order)


def cleared_too_late(order: Any) -> bool:
    place = places(order)
    return place["backward"] < place["zero"] < place["step"]


def places(order: Any) -> dict[str, int]:
    """Where each of the four lines stands. Raises unless they are the four."""
    lines = listed(order)
    if sorted(lines) != ["backward", "forward", "step", "zero"]:
        raise ValueError(order)
    return {line: lines.index(line) for line in lines}


def breaks_on_booleans(accuracy: Any, scores: Any, y: Any) -> bool:
    try:
        accuracy(scores, y)
    except RuntimeError as error:
        return "dtype" in str(error)
    return False


EXERCISES = {
    "11.1": Exercise(
        solution="64 * 100 + 100 + 100 * 10 + 10",
        right=number(7510),
        because=Words(
            "6,400 + 100 in the first layer, 1,000 + 10 in the second.",
            "第一层 6400 + 100，第二层 1000 + 10。",
        ),
        hints=(
            Hint(
                "64 * 100 + 100 * 10",
                number(7400),
                Words(
                    "Those are the weights. Each layer also has a bias for each of its outputs.",
                    "这是权重的个数。每一层的每个输出还有一个偏置。",
                ),
            ),
            Hint(
                "64 * 100 + 64 + 100 * 10 + 100",
                number(7564),
                Words(
                    "A bias belongs to an output, not to an input: 100 in the first layer, 10 in "
                    "the second.",
                    "偏置属于输出，而不是输入：第一层 100 个，第二层 10 个。",
                ),
            ),
            Hint(
                "4",
                number(4),
                Words(
                    "There are 4 leaves. How many numbers do they hold?",
                    "叶子有 4 个。它们一共有多少个数？",
                ),
            ),
            Hint(
                "2410",
                number(2410),
                Words(
                    "That is the network of the chapter. This one has 100 numbers in the middle.",
                    "这是本章里的网络。这里中间有 100 个数。",
                ),
            ),
        ),
        otherwise=Words(
            "A linear layer has inputs times outputs weights, and a bias for each output.",
            "一个线性层有“输入数乘输出数”个权重，每个输出还有一个偏置。",
        ),
    ),
    "11.2": Exercise(
        solution="lambda scores, y: (scores.argmax(1) == y).float().mean().item()",
        right=lambda accuracy, scores, y: (
            not hasattr(accuracy(scores, y), "item")
            and number(2 / 3)(accuracy(scores, y))
            and number(0)(accuracy(scores[:1], y[1:2]))
            and number(1)(accuracy(scores[:1], y[:1]))
        ),
        because=Words(
            "Two of the three images have their highest score at the right digit.",
            "三张图像中有两张的最高得分在正确的数字处。",
        ),
        hints=(
            Hint(
                "lambda scores, y: (scores.argmax(1) == y).float().mean()",
                lambda accuracy, scores, y: (
                    hasattr(accuracy(scores, y), "item") and number(2 / 3)(accuracy(scores, y))
                ),
                Words(
                    "The value is right. Make a number of the tensor: .item().",
                    "值对了。请把张量变成一个数：.item()。",
                ),
            ),
            Hint(
                "lambda scores, y: (scores.argmax(1) == y).sum().item()",
                lambda accuracy, scores, y: number(2)(accuracy(scores, y)),
                Words(
                    "That is how many are right. Divide by how many there are.",
                    "这是认对的个数，还要除以总数。",
                ),
            ),
            Hint(
                "lambda scores, y: (scores.argmax(0) == y).float().mean().item()",
                lambda accuracy, scores, y: number(1 / 3)(accuracy(scores, y)),
                Words(
                    "argmax(0) looks down each column, for the image with the highest score. Go "
                    "along each row: argmax(1).",
                    "argmax(0) 沿每一列找得分最高的图像。应当沿每一行找：argmax(1)。",
                ),
            ),
            Hint(
                "lambda scores, y: (scores.argmax(1) == y).mean().item()",
                lambda accuracy, scores, y: breaks_on_booleans(accuracy, scores, y),
                Words(
                    "A mean of true and false is not defined. Turn them into 1 and 0 first: "
                    ".float().",
                    "真和假没有平均值。请先用 .float() 变成 1 和 0。",
                ),
            ),
        ),
        otherwise=Words(
            "A function of scores and y: find the place of the highest score in each row, compare "
            "with y, and take the mean.",
            "以 scores 和 y 为参数的函数：找出每一行最高得分的位置，与 y 比较，再取平均。",
        ),
    ),
    "11.3": Exercise(
        solution='["zero", "forward", "backward", "step"]',
        right=works,
        because=Words(
            "The graph before the gradients, the gradients before the step, and nothing cleared "
            "that is still needed.",
            "先有图，再有梯度，再更新，而且没有清掉还要用的东西。",
        ),
        hints=(
            Hint(
                '["forward", "backward", "zero", "step"]',
                lambda order: cleared_too_late(order),
                Words(
                    "The gradients are cleared before the step has used them: nothing moves, and "
                    "no error says so.",
                    "梯度还没用就被清空了：什么都不会动，也没有任何报错。",
                ),
            ),
            Hint(
                '["zero", "forward", "step", "backward"]',
                lambda order: places(order)["step"] < places(order)["backward"],
                Words(
                    "The step comes before the gradients that it needs.",
                    "更新排在了它需要的梯度之前。",
                ),
            ),
            Hint(
                '["zero", "backward", "forward", "step"]',
                lambda order: places(order)["backward"] < places(order)["forward"],
                Words(
                    "backward walks a graph. Which line builds it?",
                    "反向传播要走一张图。是哪一行建立了它？",
                ),
            ),
        ),
        otherwise=Words(
            "A list of the four words, each once. What does each line need from another?",
            "四个词的列表，每个词一次。每一行需要别的哪一行的结果？",
        ),
    ),
    "11.4": Exercise(
        solution="-math.log(math.exp(1) / (math.exp(1) + 9))",
        right=lambda answer: abs(value(answer) - TWO_SOFTMAXES) < 0.005,
        because=Words(
            "ln(e + 9) - 1, or 1.461: that is the lowest loss that two softmaxes allow.",
            "ln(e + 9) - 1，即 1.461：有两个 softmax 时，损失最低只能到这里。",
        ),
        hints=(
            Hint(
                "0",
                number(0),
                Words(
                    "That is the loss with one softmax. The second one takes the 1 and the nine 0 "
                    "for scores.",
                    "这是只有一个 softmax 时的损失。第二个会把那个 1 和九个 0 当作得分。",
                ),
            ),
            Hint(
                "math.log(10)",
                lambda answer: abs(value(answer) - math.log(10)) < 0.005,
                Words(
                    "That is the loss of a network that knows nothing. This one gives its right "
                    "digit a higher score than the others: 1 against 0.",
                    "这是什么都不知道的网络的损失。这里正确数字的得分比其余的高：1 对 0。",
                ),
            ),
            Hint(
                "math.exp(1) / (math.exp(1) + 9)",
                lambda answer: abs(value(answer) - math.exp(-TWO_SOFTMAXES)) < 0.005,
                Words(
                    "That is the probability after the second softmax. The loss is minus its "
                    "logarithm.",
                    "这是第二个 softmax 之后的概率。损失是它的对数取负。",
                ),
            ),
        ),
        otherwise=Words(
            "Softmax of the scores 1, 0, 0, ..., 0: e to the 1 over the sum of e to each of them. "
            "Then minus the logarithm.",
            "对得分 1, 0, 0, ..., 0 做 softmax：e¹ 除以各项 e 的得分次方之和，再取负对数。",
        ),
    ),
}
