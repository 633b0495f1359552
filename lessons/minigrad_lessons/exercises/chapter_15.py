"""Exercises of chapter 15, modules and optimizers."""

from __future__ import annotations

from typing import Any

from .exercise import Exercise, Hint, Test, Words
from .recognise import alike, each, named, naming

HALVES = [[1.0, -3.0], [0.5, 2.0]]
"""What 15.2 makes of its two weights."""


def halved(*weights: list[float]) -> Test:
    """Half of these weights in leaves of float64; each weight is left as it was."""
    return each(*([h, True, True, None, w] for h, w in zip(HALVES, weights, strict=True)))


RACES = [
    [[2.5, 0.68, 0.2624], [2.5, 1.7112499, 1.2487906]],
    [
        [0.5098344, 0.2474882, 0.1126319, 0.0833162],
        [0.5098344, 0.435897, 0.3681621, 0.3072858],
        [0.5098344, 0.5022888, 0.4947979, 0.4873613],
    ],
]
"""The losses of 15.6: two trials, a curve for each learning rate."""

RACES_WITHOUT_ZERO = [
    [[2.5, 0.68, 1.4504002], [2.5, 1.7112499, 0.8407906]],
    [
        [0.5098344, 0.2474882, 0.1135486, 0.466286],
        [0.5098344, 0.435897, 0.3039344, 0.1607288],
        [0.5098344, 0.5022888, 0.4873109, 0.4651437],
    ],
]
"""The same where gradients are never cleared."""

FLAT = [[[curve[0]] * len(curve) for curve in trial] for trial in RACES]
"""The same where no step changes the model."""


NO_GRAPH = [False, False]
"""No graph was recorded, and the output requires no gradient."""

OUTPUT = [[1.0, 1.0], [0.5, 0.5], [2.0, 2.0]]
"""The output in the probe of 15.7, without dropout and with the running values of the probe."""


def starts_apart(seen: Any) -> bool:
    """Curves of 15.6, each with the right number of losses, that begin at different losses; one of
    them begins where it should.
    """
    return all(
        len(trial) == len(right)
        and any(alike(curve[0], right[0][0]) for curve in trial)
        and not all(alike(curve[0], right[0][0]) for curve in trial)
        for trial, right in zip(seen, RACES, strict=True)
    )


def one_layer(seen: Any) -> bool:
    """Whether the hidden layers have 12 numbers and 6 in all, those of one layer."""
    return [numbers for _, numbers, *_ in seen] == [12 + 4, 6 + 3]


EXERCISES = {
    "15.1": Exercise(
        asks=("listed",),
        solution='["first.weight", "first.bias", "shift"]',
        accepted=(
            '["shift", "first.bias", "first.weight"]',
            '("first.weight", "first.bias", "shift")',
            '{"first.weight", "first.bias", "shift"}',
        ),
        rejected=('["first", "shift"]', '["first.weight", "first.bias"]'),
        right=named("first.weight", "first.bias", "shift"),
        because=Words(
            "A module takes note of modules and of parameters, and of nothing else.",
            "模块只记下模块和参数，别的都不记。",
        ),
        hints=(
            Hint(
                '["first.weight", "first.bias", "scale", "shift"]',
                naming("scale"),
                Words(
                    "`scale` is a tensor that requires a gradient. Is it a `Parameter`?",
                    "`scale` 是要求梯度的张量。可它是 `Parameter` 吗？",
                ),
            ),
            Hint(
                '["first.weight", "first.bias", "rest.0.weight", "rest.0.bias", "shift"]',
                naming("rest.0.weight"),
                Words(
                    "`rest` is a Python list, and a module does not look into it.",
                    "`rest` 是 Python 列表，模块不会往里看。",
                ),
            ),
        ),
        otherwise=Words(
            "Parameters of a part are listed as `part.weight`, `part.bias`. A parameter of the "
            "module itself has its bare name.",
            "各部分的参数列为 `部分名.weight`、`部分名.bias`。模块自己的参数只有它自己的名字。",
        ),
    ),
    "15.2": Exercise(
        asks=("smaller",),
        probe="""
            seen = []
            for numbers, dtype in (([2.0, -6.0], mg.float32), ([1.0, 4.0], mg.float64)):
                w = mg.tensor(numbers, dtype=dtype, requires_grad=True)
                made = smaller(w)
                leaf = made.requires_grad and made.is_leaf
                facts = [made.tolist(), made.dtype == mg.float64, leaf]
                if made.requires_grad:
                    (made * made).sum().backward()
                with mg.no_grad():
                    made.zero_()
                seen.append([*facts, w.grad, w.tolist()])
        """,
        solution="(w.detach().double() / 2).requires_grad_()",
        accepted=(
            "mg.nn.Parameter(w.detach().double() / 2)",
            "mg.nn.Parameter(w.double() / 2)",
            "(w.detach() * 0.5).to(mg.float64).requires_grad_()",
            "mg.tensor(w.tolist(), dtype=mg.float64).div(2).requires_grad_()",
        ),
        rejected=(
            "w",
            "mg.zeros_like(w).double().requires_grad_()",
            "(w.detach().double() / 3).requires_grad_()",
            "mg.nn.Parameter(w.detach().clone().double())",
        ),
        right=halved([2.0, -6.0], [1.0, 4.0]),
        because=Words(
            "Half of the numbers in a leaf of float64, and w has not changed.",
            "数值减半，是 float64 的叶子节点，而 w 没有改变。",
        ),
        hints=(
            Hint(
                "w.detach().double() / 2",
                lambda seen: all(
                    alike(s[0], h) and not s[2] and s[3] is None
                    for s, h in zip(seen, HALVES, strict=True)
                ),
                Words(
                    "The numbers are right, but the tensor does not ask for a gradient.",
                    "数值是对的，但这个张量没有要求梯度。",
                ),
            ),
            Hint(
                "(w.double() / 2).requires_grad_()",
                lambda seen: all(
                    alike(s[0], h) and not s[2] and s[3] is not None
                    for s, h in zip(seen, HALVES, strict=True)
                ),
                Words(
                    "What you return is no leaf: its gradient went on to w.grad.",
                    "返回的不是叶子节点：它的梯度传到了 w.grad。",
                ),
            ),
            Hint(
                "(w.detach() / 2).requires_grad_()",
                lambda seen: alike(
                    [s[:3] for s in seen], [[HALVES[0], False, True], [HALVES[1], True, True]]
                ),
                Words(
                    "For a w of float32, what comes back is float32. float64 is asked for.",
                    "w 是 float32 时，返回的也是 float32。这里要的是 float64。",
                ),
            ),
            Hint(
                "w.detach().double().div_(2).requires_grad_()",
                lambda seen: alike(seen[0][4], [2.0, -6.0]) and not alike(seen[1][4], [1.0, 4.0]),
                Words(
                    "The second trial has a w of float64. Your tensor shares its memory, so w has "
                    "changed.",
                    "第二次试验里的 w 是 float64。你的张量与它共用内存，所以 w 变了。",
                ),
            ),
        ),
        otherwise=Words(
            "Leave the history out, compute, and ask for the gradient last.",
            "去掉历史，计算，最后才要求梯度。",
        ),
    ),
    "15.3": Exercise(
        asks=("squared_error",),
        probe="""
            seen = []
            for p, t in (([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]), ([0.5, -1.0], [1.0, 1.0])):
                p = mg.tensor(p).reshape(-1, 1).requires_grad_()
                loss = squared_error(p, mg.tensor(t))
                loss.backward()
                seen.append([loss, p.grad])
        """,
        solution="((p.squeeze(1) - t) ** 2).mean()",
        accepted=(
            "((p - t.reshape(-1, 1)) ** 2).mean()",
            "mg.nn.functional.mse_loss(p[:, 0], t)",
            "((p.flatten() - t) ** 2).sum() / len(t)",
            "((p - t[:, None]) ** 2).mean()",
        ),
        rejected=("(p.squeeze(1) - t).mean()", "((p.T - t) ** 2).sum(1)[0] / 2"),
        right=each(
            [14 / 3, [[-2 / 3], [-4 / 3], [-2.0]]],
            [2.125, [[-0.5], [-2.0]]],
        ),
        because=Words(
            "Each prediction has been compared with its own target.",
            "每个预测都只与自己的目标比较。",
        ),
        hints=(
            Hint(
                "((p - t) ** 2).mean()",
                each([22 / 3, [[-2.0], [-4 / 3], [-2 / 3]]], [2.125, [[-0.5], [-2.0]]]),
                Words(
                    "Each prediction has been compared with each target. Print the shape of the "
                    "difference.",
                    "每个预测都与每个目标比较了。打印两者之差的形状看看。",
                ),
            ),
            Hint(
                "((p.squeeze(1) - t) ** 2).sum()",
                each([14.0, [[-2.0], [-4.0], [-6.0]]], [4.25, [[-1.0], [-4.0]]]),
                Words(
                    "That is the sum of the squared errors. Asked was the mean.",
                    "这是误差平方之和。题目要的是平均值。",
                ),
            ),
        ),
        otherwise=Words(
            "Give both the same shape first, then subtract, square, and take the mean.",
            "先让两者形状相同，再相减、平方、取平均。",
        ),
    ),
    "15.4": Exercise(
        asks=("Stack",),
        probe="""
            seen = []
            for width, depth, rows in ((3, 2, 5), (2, 4, 1)):
                model = Stack(width, depth)
                with mg.no_grad():
                    for w in model.parameters():
                        w.fill_(0.25)
                out = model(mg.ones(rows, width))
                out.sum().backward()
                numbers = sum(w.numel() for w in model.parameters())
                asleep = sum(w.numel() for w in model.parameters() if w.grad is None)
                below = model(-mg.ones(1, width))
                with mg.no_grad():
                    for w in model.parameters():
                        w.fill_(-0.25)
                under = model(mg.ones(1, width))
                seen.append([list(out.shape), numbers, asleep, out.sum(), below, under])
        """,
        solution="""\
def __init__(self, width, depth):
    super().__init__()
    self.hidden = mg.nn.ModuleList([mg.nn.Linear(width, width) for _ in range(depth)])
    self.last = mg.nn.Linear(width, 1)


def forward(self, x):
    for layer in self.hidden:
        x = mg.relu(layer(x))
    return self.last(x)""",
        accepted=(
            """\
def __init__(self, width, depth):
    super().__init__()
    parts = []
    for _ in range(depth):
        parts += [mg.nn.Linear(width, width), mg.nn.ReLU()]
    self.all = mg.nn.Sequential(*parts, mg.nn.Linear(width, 1))

def forward(self, x):
    return self.all(x)""",
            """\
def Stack(width, depth):
    parts = [f(width) for _ in range(depth) for f in (lambda n: mg.nn.Linear(n, n),
                                                      lambda n: mg.nn.ReLU())]
    return mg.nn.Sequential(*parts, mg.nn.Linear(width, 1))""",
            """\
def __init__(self, width, depth):
    super().__init__()
    self.depth = depth
    for index in range(depth):
        self.add_module(f"layer{index}", mg.nn.Linear(width, width))
    self.last = mg.nn.Linear(width, 1)

def forward(self, x):
    for index in range(self.depth):
        x = getattr(self, f"layer{index}")(x).clamp(min=0)
    return self.last(x)""",
        ),
        rejected=(
            """\
def __init__(self, width, depth):
    super().__init__()
    self.hidden = mg.nn.ModuleList([mg.nn.Linear(width, width, bias=False) for _ in range(depth)])
    self.last = mg.nn.Linear(width, 1)

def forward(self, x):
    for layer in self.hidden:
        x = mg.relu(layer(x))
    return self.last(x)""",
        ),
        right=each(
            [[5, 1], 28, 0, 5.0, [[0.4375]], [[-0.25]]],
            [[1, 1], 27, 0, 0.515625, [[0.46875]], [[-0.25]]],
        ),
        because=Words(
            "All layers are listed, and all of them get a gradient.",
            "所有的层都列出来了，也都得到了梯度。",
        ),
        hints=(
            Hint(
                """\
def __init__(self, width, depth):
    super().__init__()
    self.hidden = mg.nn.ModuleList([mg.nn.Linear(width, width)] * depth)
    self.last = mg.nn.Linear(width, 1)

def forward(self, x):
    for layer in self.hidden:
        x = mg.relu(layer(x))
    return self.last(x)""",
                one_layer,
                Words(
                    "All hidden layers together have the numbers of one. Make `depth` of them; "
                    "`[layer] * depth` repeats the same layer.",
                    "所有隐藏层合起来只有一层的数。要建立 `depth` 个层；`[layer] * depth` 只是"
                    "重复同一个层。",
                ),
            ),
            Hint(
                """\
def __init__(self, width, depth):
    super().__init__()
    self.hidden = [mg.nn.Linear(width, width) for _ in range(depth)]
    self.last = mg.nn.Linear(width, 1)

def forward(self, x):
    for layer in self.hidden:
        x = mg.relu(layer(x))
    return self.last(x)""",
                lambda seen: [row[:3] for row in seen] == [[[5, 1], 4, 0], [[1, 1], 3, 0]],
                Words(
                    "The output has the right shape, but only the numbers of the last layer are in "
                    "`parameters()`.",
                    "输出的形状是对的，但 `parameters()` 里只有最后一层的数。",
                ),
            ),
            Hint(
                """\
def __init__(self, width, depth):
    super().__init__()
    self.hidden = mg.nn.ModuleList([mg.nn.Linear(width, width) for _ in range(depth)])
    self.last = mg.nn.Linear(width, 1)

def forward(self, x):
    return self.last(mg.relu(self.hidden[0](x)))""",
                lambda seen: [row[1:3] for row in seen] == [[28, 12], [27, 18]],
                Words(
                    "All layers are listed, but only as many numbers as one hidden layer and the "
                    "last one have got a gradient.",
                    "所有的层都列出来了，但得到梯度的只有一个隐藏层和最后一层那么多个数。",
                ),
            ),
            Hint(
                """\
def __init__(self, width, depth):
    super().__init__()
    self.hidden = mg.nn.ModuleList([mg.nn.Linear(width, width) for _ in range(depth)])
    self.last = mg.nn.Linear(width, 1)

def forward(self, x):
    for layer in self.hidden:
        x = layer(x)
    return self.last(x)""",
                lambda seen: [row[:3] for row in seen] == [[[5, 1], 28, 0], [[1, 1], 27, 0]],
                Words(
                    "The layers are right, but not what comes out. There is a `relu` after each of "
                    "the hidden layers and none after the last one.",
                    "各层是对的，输出不对。每个隐藏层之后都有 `relu`，最后一层之后没有。",
                ),
            ),
        ),
        otherwise=Words(
            "Stack(3, 2) has two layers of 12 numbers and one of 4, 28 in all, and each of them "
            "gets a gradient.",
            "Stack(3, 2) 有两层各 12 个数，一层 4 个数，共 28 个，而且每个都得到梯度。",
        ),
    ),
    "15.5": Exercise(
        asks=("sleepers",),
        probe="""
            from types import SimpleNamespace

            def model():
                with mg.no_grad():
                    made = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2), nn.Linear(2, 2))
                    for w in made.parameters():
                        w.fill_(0.5)
                return made

            def named(found):
                return sorted(found)

            def holding(*groups):
                return SimpleNamespace(param_groups=[{"params": list(each)} for each in groups])

            seen = []
            net = model()
            net(mg.ones(1, 2)).sum().backward()
            seen.append(named(sleepers(net, holding(net[0].parameters(), net[2].parameters()))))
            net = model()
            net[1].bias.requires_grad_(False)
            net(mg.ones(1, 2)).sum().backward()
            seen.append(named(sleepers(net, holding(net.parameters()))))
            net, other = model(), model()
            net[1](net[0](mg.ones(1, 2))).sum().backward()
            other(mg.ones(1, 2)).sum().backward()
            groups = [[net[0].weight, other[0].bias], [net[1].bias, *other[2].parameters()]]
            seen.append(named(sleepers(net, holding(*groups))))
            net = model()
            net[1](net[0](mg.ones(1, 2))).sum().backward()
            net[0].bias.requires_grad_(False)
            seen.append(named(sleepers(net, holding(net.parameters()))))
        """,
        solution="""\
held = {id(w) for group in optimizer.param_groups for w in group["params"]}
return [name for name, w in model.named_parameters() if id(w) not in held or w.grad is None]""",
        accepted=(
            """\
found = []
for name, w in model.named_parameters():
    moves = False
    for group in optimizer.param_groups:
        for p in group["params"]:
            if p is w and p.grad is not None:
                moves = True
    if not moves:
        found.append(name)
return found""",
            """\
moving = [p for g in optimizer.param_groups for p in g["params"] if p.grad is not None]
return {n for n, w in model.named_parameters() if not any(w is p for p in moving)}""",
            """\
names = dict(model.named_parameters())
for group in optimizer.param_groups:
    for p in group["params"]:
        for name in [name for name, w in names.items() if w is p and p.grad is not None]:
            del names[name]
return list(names)""",
        ),
        rejected=(
            "return []",
            "return [name for name, w in model.named_parameters()]",
            """\
held = {id(w) for group in optimizer.param_groups for w in group["params"]}
return [n for n, w in model.named_parameters() if id(w) not in held or not w.requires_grad]""",
        ),
        right=each(
            ["1.bias", "1.weight"],
            ["1.bias"],
            ["0.bias", "1.weight", "2.bias", "2.weight"],
            ["2.bias", "2.weight"],
        ),
        because=Words(
            "It finds what the optimizer does not hold, and what has no gradient.",
            "优化器没有拿着的，和没有梯度的，它都找到了。",
        ),
        hints=(
            Hint(
                "return [name for name, w in model.named_parameters() if w.grad is None]",
                each([], ["1.bias"], ["2.bias", "2.weight"], ["2.bias", "2.weight"]),
                Words(
                    "It finds what has no gradient. A parameter with a gradient sleeps too, if the "
                    "optimizer does not hold it.",
                    "没有梯度的都找到了。但有梯度而优化器没有拿着的参数，也是在睡觉。",
                ),
            ),
            Hint(
                """\
held = {id(w) for group in optimizer.param_groups for w in group["params"]}
return [name for name, w in model.named_parameters() if id(w) not in held]""",
                each(["1.bias", "1.weight"], [], ["0.bias", "1.weight", "2.bias", "2.weight"], []),
                Words(
                    "It finds what the optimizer does not hold. In the second trial a bias is "
                    "frozen: it is held, but has no gradient.",
                    "优化器没有拿着的都找到了。第二次试验里有一个偏置被冻结：优化器拿着它，但它没有"
                    "梯度。",
                ),
            ),
            Hint(
                """\
held = [w for group in optimizer.param_groups for w in group["params"]]
return [
    name
    for name, w in model.named_parameters()
    if w.grad is None or not any(w.shape == p.shape and mg.equal(w, p) for p in held)
]""",
                each([], ["1.bias"], ["2.bias", "2.weight"], ["2.bias", "2.weight"]),
                Words(
                    "It finds what has no gradient. A parameter with a gradient sleeps too, if the "
                    "optimizer does not hold it.",
                    "没有梯度的都找到了。但有梯度而优化器没有拿着的参数，也是在睡觉。",
                ),
            ),
            Hint(
                """\
held = {id(w) for group in optimizer.param_groups for w in group["params"]}
return [
    name
    for name, w in model.named_parameters()
    if id(w) not in held or w.grad is None or not w.requires_grad
]""",
                lambda seen: alike(seen[3], ["0.bias", "2.bias", "2.weight"]),
                Words(
                    "In the last trial 0.bias was frozen after the pass. Its gradient is still "
                    "there, so a step moves it.",
                    "最后一次试验里，0.bias 是反向传播之后才冻结的。它的梯度还在，更新时它还会动。",
                ),
            ),
        ),
        otherwise=Words(
            "For each parameter: is it, by `is`, among the optimizer's tensors, and is its `.grad` "
            "not None?",
            "对每个参数问：它（用 `is` 判断）在优化器的张量当中吗？它的 `.grad` 不是 None 吗？",
        ),
    ),
    "15.6": Exercise(
        asks=("race",),
        probe="""
            def plain():
                model = nn.Linear(2, 1)
                with mg.no_grad():
                    for w in model.parameters():
                        w.fill_(0.5)
                return model

            def deep():
                model = nn.Sequential(nn.Linear(1, 2, bias=False), nn.Tanh(), nn.Linear(2, 1))
                with mg.no_grad():
                    for w in model.parameters():
                        w.fill_(0.25)
                return model

            seen = []
            for make_model, x, y, rates, steps in (
                (plain, [[1.0, 2.0], [0.0, -1.0]], [[1.0], [2.0]], [0.05, 0.2], 3),
                (deep, [[1.0], [-2.0], [0.5]], [[1.0], [-1.0], [0.0]], [0.4, 0.1, 0.01], 4),
            ):
                figure, (place, other) = plt.subplots(1, 2)
                race(place, make_model, mg.tensor(x), mg.tensor(y), rates, steps)
                lines = [line for line in place.lines if line.get_transform() is place.transData]
                points = [sorted(line.get_xydata().tolist()) for line in lines]
                curves = [[height for _, height in curve] for curve in points]
                seen.append(sorted(curves))
        """,
        solution="""\
for rate in rates:
    model = make_model()
    optimizer = mg.optim.SGD(model.parameters(), lr=rate)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    place.plot(losses, label=f"lr = {rate}")""",
        accepted=(
            """\
import numpy

loss_of = mg.nn.MSELoss()
for i in range(len(rates)):
    net = make_model()
    opt = mg.optim.SGD(list(net.parameters()), rates[i])
    history = numpy.zeros(steps)
    for step in range(steps):
        loss = loss_of(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        history[step] = loss.detach()
    place.semilogy(numpy.arange(steps), history)
place.axhline(0.1)""",
            """\
def run(rate):
    model, losses = make_model(), []
    for _ in range(steps):
        loss = mg.nn.functional.mse_loss(model(x), y)
        losses.append(float(loss))
        slopes = mg.autograd.grad(loss, list(model.parameters()))
        with mg.no_grad():
            for w, slope in zip(model.parameters(), slopes):
                w -= rate * slope
    return losses


for rate in sorted(rates):
    place.plot(range(1, steps + 1), run(rate))
place.set_yscale("log")""",
        ),
        rejected=(
            "for rate in rates:\n    place.plot([rate] * steps)",
            """\
for rate in rates:
    model = make_model()
    optimizer = mg.optim.Adam(model.parameters(), lr=rate)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    place.plot(losses)""",
            """\
for rate in rates:
    model = make_model()
    optimizer = mg.optim.SGD(model.parameters(), lr=rate)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss)
    place.plot(losses)""",
        ),
        right=lambda seen: alike(seen, RACES),
        because=Words(
            "Every learning rate starts from the same weights, and goes its own way.",
            "每个学习率都从同样的权重出发，各走各的路。",
        ),
        hints=(
            Hint(
                """\
for rate in rates:
    model = make_model()
    optimizer = mg.optim.SGD(model.parameters(), lr=rate)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    plt.plot(losses)""",
                lambda seen: seen == [[], []],
                Words(
                    "There is no curve in `place`. Draw with `place.plot(...)`.",
                    "`place` 里没有曲线。请用 `place.plot(...)` 来画。",
                ),
            ),
            Hint(
                """\
for rate in rates:
    model = make_model()
    optimizer = mg.optim.SGD(model.parameters(), lr=rate)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
place.plot(losses)""",
                lambda seen: [len(trial) for trial in seen] == [1, 1],
                Words(
                    "There is one curve, however many learning rates there are. Draw one for each.",
                    "不论有几个学习率，都只有一条曲线。应当每个学习率画一条。",
                ),
            ),
            Hint(
                """\
for rate in rates:
    model = make_model()
    optimizer = mg.optim.SGD(model.parameters(), lr=rate)
    losses = []
    for _ in range(steps):
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    place.plot(losses)""",
                lambda seen: alike(seen, RACES_WITHOUT_ZERO),
                Words(
                    "The first two losses of each curve are right. Then the gradients of earlier "
                    "steps are still there and have been added.",
                    "每条曲线的前两个损失是对的。再往后，之前各步的梯度还留着，加了进去。",
                ),
            ),
            Hint(
                """\
model = make_model()
for rate in rates:
    optimizer = mg.optim.SGD(model.parameters(), lr=rate)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    place.plot(losses)""",
                lambda seen: starts_apart(seen),
                Words(
                    "The curves do not all begin at the same loss. Each learning rate should start "
                    "with a new model.",
                    "各条曲线开头的损失不一样。每个学习率都应当从新的模型出发。",
                ),
            ),
            Hint(
                """\
optimizer = mg.optim.SGD(make_model().parameters(), lr=rates[0])
for rate in rates:
    model = make_model()
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    place.plot(losses)""",
                lambda seen: alike(seen, FLAT),
                Words(
                    "All curves are flat: no step changes the model. Is a step taken, and which "
                    "weights does the optimizer hold?",
                    "所有曲线都是平的：没有哪一步改变了模型。更新了吗？优化器手里拿的是哪些权重？",
                ),
            ),
            Hint(
                """\
for rate in rates:
    model = make_model()
    optimizer = mg.optim.SGD(model.parameters(), lr=rate)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(((model(x) - y) ** 2).mean().item())
    place.plot(losses)""",
                lambda seen: alike(
                    [[curve[:-1] for curve in trial] for trial in seen],
                    [sorted(curve[1:] for curve in trial) for trial in RACES],
                ),
                Words(
                    "These are the losses after each step. The first one should be that of the "
                    "model as it was made.",
                    "这是每一步之后的损失。第一个应当是刚建好的模型的损失。",
                ),
            ),
            Hint(
                """\
for rate in rates:
    model = make_model()
    optimizer = mg.optim.SGD(model.parameters(), lr=rate)
    losses = []
    for _ in range(steps + 1):
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    place.plot(losses)""",
                lambda seen: alike([[curve[:-1] for curve in trial] for trial in seen], RACES),
                Words(
                    "Each curve has one loss too many: there are `steps` steps.",
                    "每条曲线多了一个损失：一共走 `steps` 步。",
                ),
            ),
            Hint(
                """\
for rate in rates:
    model = make_model()
    optimizer = mg.optim.SGD(model.parameters(), lr=rate)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).sum()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    place.plot(losses)""",
                lambda seen: all(
                    alike(curve[0], samples * start)
                    for trial, samples, start in zip(
                        seen, (2, 3), (RACES[0][0][0], RACES[1][0][0]), strict=True
                    )
                    for curve in trial
                ),
                Words(
                    "The first loss is the sum of the squared errors. The mean was asked for.",
                    "第一个损失是误差平方之和。要的是平均值。",
                ),
            ),
        ),
        otherwise=Words(
            "For each rate: a new model, a new optimizer for it, an empty list; then in each step "
            "clear the gradients, note the loss, go back, take the step.",
            "对每个学习率：新的模型，为它新建的优化器，空的列表；然后每一步清空梯度，记下损失，"
            "反向传播，更新。",
        ),
    ),
    "15.7": Exercise(
        asks=("validate",),
        probe="""
            x = mg.tensor([[1.0, 3.0], [-2.0, 4.0], [0.0, 8.0]])
            seen = []
            for training in (True, False):
                model = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5), nn.BatchNorm1d(2))
                with mg.no_grad():
                    model[0].weight.fill_(0.5)
                    model[0].bias.fill_(1.0)
                    model[2].running_mean.fill_(1.0)
                    model[2].running_var.fill_(4.0)
                model.train(training)
                recorded = []
                model[0].register_forward_hook(lambda *_: recorded.append(mg.is_grad_enabled()))
                output = validate(model, x)
                counted = model[2].num_batches_tracked.item()
                graph = [any(recorded), output.requires_grad]
                seen.append([output, graph, model.training, counted])
        """,
        solution="""\
training = model.training
model.eval()
with mg.no_grad():
    output = model(x)
model.train(training)
return output""",
        accepted=(
            """\
before = model.training
try:
    with mg.no_grad():
        return model.eval()(x)
finally:
    model.train(before)""",
            """\
before = model.training
with mg.inference_mode():
    output = model.eval()(x)
if before:
    model.train()
return output""",
        ),
        rejected=("return x", "return None", "with mg.no_grad():\n    return model[0](x)"),
        right=lambda seen: alike(seen, [[OUTPUT, NO_GRAPH, True, 0], [OUTPUT, NO_GRAPH, False, 0]]),
        because=Words(
            "No dropout, no batch counted and no graph, and both modes are as they were.",
            "没有暂退，没有给批次计数，没有图，两种模式也都恢复了原样。",
        ),
        hints=(
            Hint(
                "with mg.no_grad():\n    return model(x)",
                lambda seen: seen[0][1:] == [NO_GRAPH, True, 1],
                Words(
                    "Batch normalisation has counted a batch: the model computed in training mode.",
                    "批量归一化给一批数据计了数：模型是在训练模式下计算的。",
                ),
            ),
            Hint(
                "model.eval()\nreturn model(x)",
                lambda seen: [one[1] for one in seen] == [[True, True]] * 2,
                Words(
                    "The output requires a gradient, so a graph was recorded. eval() does not "
                    "prevent that.",
                    "输出要求梯度，说明记录了图。eval() 并不能避免这一点。",
                ),
            ),
            Hint(
                """\
before = model.training
output = model.eval()(x).detach()
model.train(before)
return output""",
                lambda seen: [one[1] for one in seen] == [[True, False]] * 2,
                Words(
                    "The model recorded a graph, and detach() gave it up afterwards. The saved "
                    "tensors took memory until then.",
                    "模型记录了图，detach() 事后才把它丢掉。在那之前，保存的张量一直占着内存。",
                ),
            ),
            Hint(
                "model.eval()\nwith mg.no_grad():\n    return model(x)",
                lambda seen: alike(seen, [[OUTPUT, NO_GRAPH, False, 0]] * 2),
                Words(
                    "The output is right. A model that was in training mode is in evaluation mode "
                    "afterwards.",
                    "输出对了。但原来处于训练模式的模型，之后变成了评估模式。",
                ),
            ),
            Hint(
                """\
model.eval()
with mg.no_grad():
    output = model(x)
model.train()
return output""",
                lambda seen: alike(seen, [[OUTPUT, NO_GRAPH, True, 0]] * 2),
                Words(
                    "The output is right. A model that was in evaluation mode is in training mode "
                    "afterwards.",
                    "输出对了。但原来处于评估模式的模型，之后变成了训练模式。",
                ),
            ),
        ),
        otherwise=Words(
            "Note the mode, switch to evaluation, compute without recording, and set the mode "
            "again.",
            "记下模式，切换到评估，不记录地计算，再恢复模式。",
        ),
    ),
}
