"""Exercises of chapter 11, training a network."""

from __future__ import annotations

import math
from typing import Any

from .exercise import Exercise, Hint, Words
from .recognise import alike, each, listed, number, value

TWO_SOFTMAXES = math.log(math.e + 9) - 1
SHARES = [2 / 3, 0.0, 1.0, 0.25]
"""The shares that the probe of 11.2 expects."""


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


FALLING: list[Any] = [
    [[0.805835, 0.499766, 0.353749, 0.276492, 0.229003, 0.196552], 0.172761],
    [[0.896995, 0.57474, 0.381433, 0.258843, 0.179587, 0.128785], 0.096809],
]
"""Of 11.5, for both models: the losses of six steps of gradient descent, and the one after."""


def second_differs(seen: Any) -> bool:
    """Six losses for both models, the first of them right and the second not."""
    return all(
        len(losses) == 6 and alike(losses[0], right[0]) and not alike(losses[1], right[1])
        for (losses, _), (right, _) in zip(seen, FALLING, strict=True)
    )


def learned(seen: Any) -> bool:
    """Of 11.6, as many losses as steps, from the right first one to almost none."""
    losses = seen["losses"]
    return len(losses) == 100 and first_loss(seen) and losses[-1] < 0.01


def first_loss(seen: Any) -> bool:
    return alike(seen["losses"][0], 1.0532820) and all(isinstance(a, float) for a in seen["losses"])


EXERCISES = {
    "11.1": Exercise(
        asks=("learned_numbers",),
        solution="64 * 100 + 100 + 100 * 10 + 10",
        accepted=("7510", "6500 + 1010", "sum([6400, 100, 1000, 10])"),
        rejected=("7500", "64 * 100 * 10", "0"),
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
                    "叶子节点有 4 个。它们一共有多少个数？",
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
        asks=("accuracy",),
        probe="""
            three = mg.tensor([[0.1, 2.0, 0.3], [1.5, 0.2, 0.1], [1.8, 3.0, 0.5]])
            four = mg.tensor([[-1.0, -2.0], [-3.0, -2.0], [0.0, 1.0], [5.0, 4.0]])
            found = [
                accuracy(three, mg.tensor([1, 0, 2])),
                accuracy(three[:1], mg.tensor([0])),
                accuracy(three[1:], mg.tensor([0, 1])),
                accuracy(four, mg.tensor([0, 0, 0, 1])),
            ]
            numbers = (float, np.floating)
            kinds = ["float" if isinstance(one, numbers) else type(one).__name__ for one in found]
            seen = [found, kinds]
        """,
        solution="(scores.argmax(1) == y).float().mean().item()",
        accepted=(
            "(scores.argmax(1) == y).sum().item() / len(y)",
            "float((scores.max(1).indices == y).float().mean())",
            "sum(row.argmax().item() == right.item() for row, right in zip(scores, y)) / len(y)",
            "accuracy = lambda s, t: mg.mean((s.argmax(dim=-1) == t).to(mg.float32)).item()",
            "np.mean(scores.numpy().argmax(1) == y.numpy())",
        ),
        rejected=("print(1.0)", "1.0", "scores.max().item()", "(scores > 0).float().mean().item()"),
        right=each(SHARES, ["float"] * 4),
        because=Words(
            "The right share four times, as a number.",
            "四次的比例都对，而且是一个数。",
        ),
        hints=(
            Hint(
                "(scores.argmax(1) == y).float().mean()",
                each(SHARES, ["Tensor"] * 4),
                Words(
                    "The value is right. Make a number of the tensor: .item().",
                    "值对了。请把张量变成一个数：.item()。",
                ),
            ),
            Hint(
                "(scores.argmax(1) == y).sum().item()",
                lambda seen: alike(seen[0], [2, 0, 2, 1]),
                Words(
                    "That is how many are right. Divide by how many there are.",
                    "这是认对的个数，还要除以总数。",
                ),
            ),
            Hint(
                "(scores.argmax(1) != y).float().mean().item()",
                lambda seen: alike(seen[0], [1 - one for one in SHARES]),
                Words(
                    "That is the share of those that are wrong.",
                    "这是认错的比例。",
                ),
            ),
        ),
        otherwise=Words(
            "Find the place of the highest score in each row, compare with y, and take the share "
            "of those that agree.",
            "找出每一行最高得分的位置，与 y 比较，再取相符的比例。",
        ),
    ),
    "11.3": Exercise(
        asks=("order",),
        solution='["zero", "forward", "backward", "step"]',
        accepted=(
            '("forward", "zero", "backward", "step")',
            '["forward", "backward", "step", "zero"]',
            '"zero forward backward step".split()',
        ),
        rejected=('["zero", "forward", "backward"]', "[]", '["step"] * 4'),
        right=works,
        because=Words(
            "The graph before the gradients, the gradients before the step, and nothing cleared "
            "that is still needed.",
            "先有图，再有梯度，再更新，而且没有清掉还要用的东西。",
        ),
        hints=(
            Hint(
                '["forward", "backward", "zero", "step"]',
                cleared_too_late,
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
                    "反向传播需要一张图。是哪一行建立了它？",
                ),
            ),
        ),
        otherwise=Words(
            "A list of the four words, each once. What does each line need from another?",
            "四个词的列表，每个词一次。每一行需要别的哪一行的结果？",
        ),
    ),
    "11.4": Exercise(
        asks=("lowest",),
        solution="-np.log(np.exp(1) / (np.exp(1) + 9))",
        accepted=("1.461", "np.log(np.e + 9) - 1", "mg.log(mg.exp(mg.tensor(1.0)) + 9) - 1"),
        rejected=("1", "-1.461", "9.0"),
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
                "np.log(10)",
                lambda answer: abs(value(answer) - math.log(10)) < 0.005,
                Words(
                    "That is the loss of a network that knows nothing. This one gives its right "
                    "digit a higher score than the others: 1 against 0.",
                    "这是什么都不知道的网络的损失。这里正确数字的得分比其余的高：1 对 0。",
                ),
            ),
            Hint(
                "np.exp(1) / (np.exp(1) + 9)",
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
    "11.5": Exercise(
        asks=("fit",),
        probe="""
            seen = []
            for make, loss_of, y, rate in (
                (lambda: nn.Linear(3, 2), nn.CrossEntropyLoss(), mg.tensor([0, 1, 1, 0]), 0.5),
                (
                    lambda: nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)),
                    nn.MSELoss(),
                    mg.tensor([[1.0], [-1.0], [0.5], [2.0]]),
                    0.1,
                ),
            ):
                mg.manual_seed(3)
                x, model = mg.randn(4, 3), make()
                for weight in model.parameters():
                    weight.grad = 5.0 * weight.detach()
                losses = fit(model, loss_of, x, y, rate, 6)
                seen.append([losses, loss_of(model(x), y).item()])
        """,
        solution="""\
losses = []
for step in range(steps):
    model.zero_grad()
    loss = loss_of(model(x), y)
    loss.backward()
    with mg.no_grad():
        for weight in model.parameters():
            weight -= rate * weight.grad
    losses.append(loss.item())
return losses""",
        accepted=(
            """\
losses = []
weights = list(model.parameters())
for _ in range(steps):
    loss = loss_of(model(x), y)
    gradients = mg.autograd.grad(loss, weights)
    with mg.no_grad():
        for weight, gradient in zip(weights, gradients):
            weight.sub_(rate * gradient)
    losses.append(loss.item())
return losses""",
            """\
losses = []
for weight in model.parameters():
    weight.grad = None
while len(losses) < steps:
    loss = loss_of(model(x), y)
    loss.backward()
    for weight in model.parameters():
        weight.data = weight.data - rate * weight.grad
        weight.grad = None
    losses.append(loss.item())
return losses""",
            """\
sgd = mg.optim.SGD(model.parameters(), lr=rate)

def step():
    sgd.zero_grad()
    loss = loss_of(model(x), y)
    loss.backward()
    sgd.step()
    return loss.item()

return [step() for _ in range(steps)]""",
        ),
        rejected=(
            "return []",
            "return [0.5] * steps",
            """\
for weight in model.parameters():
    weight = weight - rate * weight.grad
return [0.0] * steps""",
        ),
        right=each(*FALLING),
        because=Words(
            "Both models fall step by step as gradient descent does.",
            "两个模型都按梯度下降一步一步地下降。",
        ),
        hints=(
            Hint(
                """\
losses = []
for step in range(steps):
    model.zero_grad()
    loss = loss_of(model(x), y)
    loss.backward()
    with mg.no_grad():
        for weight in model.parameters():
            weight = weight - rate * weight.grad
    losses.append(loss.item())
return losses""",
                lambda seen: all(
                    len(losses) == 6 and alike([*losses, after], [losses[0]] * 7)
                    for losses, after in seen
                ),
                Words(
                    "The loss is the same in every step: no weight of the model has changed. "
                    "`weight = ...` gives the name to a new tensor; `weight -= ...` changes the "
                    "old one.",
                    "每一步的损失都相同：模型的权重没有变。`weight = ...` 只是把名字给了一个新张量"
                    "，"
                    "`weight -= ...` 才改动原来的那个。",
                ),
            ),
            Hint(
                """\
losses = []
for step in range(steps):
    model.zero_grad()
    loss = loss_of(model(x), y)
    loss.backward()
    with mg.no_grad():
        for weight in model.parameters():
            weight += rate * weight.grad
    losses.append(loss.item())
return losses""",
                lambda seen: all(
                    len(s[0]) == 6 and all(a < b for a, b in zip(s[0], s[0][1:], strict=False))
                    for s in seen
                ),
                Words(
                    "The losses rise with every step: it goes uphill.",
                    "损失每一步都在上升：方向是往高处走。",
                ),
            ),
            Hint(
                """\
losses = []
for step in range(steps):
    model.zero_grad()
    loss = loss_of(model(x), y)
    loss.backward()
    with mg.no_grad():
        for weight in model.parameters():
            weight -= rate * weight.grad
    losses.append(loss_of(model(x), y).item())
return losses""",
                lambda seen: all(
                    alike(losses, [*right[1:], after])
                    for (losses, _), (right, after) in zip(seen, FALLING, strict=True)
                ),
                Words(
                    "Each loss is taken after the step. They are asked for as they were before it.",
                    "每个损失都是在更新之后取的。这里要的是更新之前的。",
                ),
            ),
            Hint(
                """\
losses = []
for step in range(steps):
    loss = loss_of(model(x), y)
    loss.backward()
    with mg.no_grad():
        for weight in model.parameters():
            weight -= rate * weight.grad
    losses.append(loss.item())
return losses""",
                second_differs,
                Words(
                    "The first losses are right, the second ones are not. The weights move by the "
                    "rate times this step's slope; and the model came with old gradients.",
                    "第一个损失是对的，第二个不对。权重移动的是学习率乘以这一步的斜率；"
                    "而模型里原来留有旧的梯度。",
                ),
            ),
        ),
        otherwise=Words(
            "In each step: clear, forward, backward, weight -= rate * weight.grad under no_grad, "
            "and the loss as a number into the list.",
            "每一步：清零、前向、反向，在 no_grad 下做 weight -= rate * weight.grad，"
            "再把损失作为一个数放进列表。",
        ),
    ),
    "11.6": Exercise(
        asks=("train", "leaf"),
        probe="""
            x = leaf([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]).detach()
            y = leaf([[0.0], [1.0], [1.0], [0.0]]).detach()
            leaves = [
                leaf([[1.0, -1.0, 0.5], [0.5, 1.0, -1.0]]),
                leaf([0.1, -0.2, 0.3]),
                leaf([[1.0], [-1.0], [0.5]]),
                leaf([0.0]),
            ]
            losses = train(x, y, *leaves, 100)
            w1, b1, w2, b2 = [one.data for one in leaves]
            answers = np.tanh(x.data @ w1 + b1) @ w2 + b2
            seen = {
                "losses": losses,
                "answers": answers.flatten().tolist(),
                "leaves": [one.requires_grad for one in leaves],
            }
        """,
        solution="""\
losses = []
for step in range(steps):
    for weight in (w1, b1, w2, b2):
        weight.grad = None
    error = (x @ w1 + b1).tanh() @ w2 + b2 - y
    loss = (error * error).sum() * 0.25
    loss.backward()
    with no_grad():
        for weight in (w1, b1, w2, b2):
            weight.add_(weight.grad * -0.3)
    losses.append(float(loss.data))
return losses""",
        accepted=(
            """\
leaves, losses = [w1, b1, w2, b2], []
for step in range(steps):
    hidden = (x @ w1 + b1).tanh()
    loss = ((hidden @ w2 + b2 - y) ** 2).sum() * (1 / 4)
    for one in leaves:
        one.grad = None
    loss.backward()
    with no_grad():
        for one in leaves:
            one.add_(-0.25 * one.grad)
    losses.append(loss.data.item())
return losses""",
            """\
def step():
    error = (x @ w1 + b1).tanh() @ w2 + b2 - y
    loss = (error * error).sum() * 0.25
    loss.backward()
    for one in (w1, b1, w2, b2):
        with no_grad():
            one.add_(one.grad * -0.3)
        one.grad = None
    return float(loss.data)

return [step() for _ in range(steps)]""",
            """\
losses = []
while len(losses) < steps:
    error = (x @ w1 + b1).tanh() @ w2 + b2 - y
    loss = (error * error * 0.25).sum()
    loss.backward()
    for one in (w1, b1, w2, b2):
        one.data -= 0.3 * one.grad.data
        one.grad = None
    losses.append(float(loss.data))
return losses""",
        ),
        rejected=(
            "return [0.0] * steps",
            "return []",
            """\
error = (x @ w1 + b1).tanh() @ w2 + b2 - y
return [float(((error * error).sum() * 0.25).data) * 0.9**step for step in range(steps)]""",
        ),
        right=lambda seen: (
            learned(seen)
            and all(seen["leaves"])
            and all(
                abs(found - right) < 0.25
                for found, right in zip(seen["answers"], [0, 1, 1, 0], strict=True)
            )
        ),
        because=Words(
            "The loss falls below 0.01, and with the leaves as they are now all four answers are "
            "near to what was asked for.",
            "损失降到 0.01 以下，而且用现在的叶子节点算出的四个回答都接近要求的值。",
        ),
        hints=(
            Hint(
                """\
losses = []
for step in range(steps):
    error = (x @ w1 + b1).tanh() @ w2 + b2 - y
    loss = (error * error).sum() * 0.25
    loss.backward()
    with no_grad():
        for weight in (w1, b1, w2, b2):
            weight.add_(weight.grad * -0.3)
    losses.append(float(loss.data))
return losses""",
                lambda seen: (
                    first_loss(seen)
                    and len(seen["losses"]) == 100
                    and seen["losses"][-1] > 0.1
                    and max(seen["losses"]) - min(seen["losses"]) > 0.01
                ),
                Words(
                    "The first loss is right, but the last is above 0.1. Is every gradient that of "
                    "its own step alone, is the direction right, and the rate not too large?",
                    "第一个损失是对的，但最后一个还在 0.1 以上。每个梯度都只属于这一步吗？"
                    "方向对吗？学习率是不是太大？",
                ),
            ),
            Hint(
                """\
losses = []
for step in range(steps):
    error = (x @ w1 + b1).tanh() @ w2 + b2 - y
    loss = (error * error).sum() * 0.25
    losses.append(float(loss.data))
return losses""",
                lambda seen: first_loss(seen) and max(seen["losses"]) - min(seen["losses"]) < 1e-6,
                Words(
                    "All losses are equal: the leaves have not moved.",
                    "所有损失都相等：叶子节点没有移动。",
                ),
            ),
            Hint(
                """\
losses = []
for step in range(steps):
    for weight in (w1, b1, w2, b2):
        weight.grad = None
    error = (x @ w1 + b1).tanh() @ w2 + b2 - y
    loss = (error * error).sum()
    loss.backward()
    with no_grad():
        for weight in (w1, b1, w2, b2):
            weight.add_(weight.grad * -0.1)
    losses.append(float(loss.data))
return losses""",
                lambda seen: alike(seen["losses"][0], 4 * 1.0532820),
                Words(
                    "The first loss is four times as large as the mean of the four squares.",
                    "第一个损失是四个平方的平均值的四倍。",
                ),
            ),
        ),
        otherwise=Words(
            "In each step: clear, compute the loss, backward, and add_ the gradient times minus "
            "the rate under no_grad. The first loss is 1.0533.",
            "每一步：清零，计算损失，反向传播，在 no_grad 下用 add_ 加上梯度乘以负的学习率。"
            "第一个损失是 1.0533。",
        ),
    ),
}
