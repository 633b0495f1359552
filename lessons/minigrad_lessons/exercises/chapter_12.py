"""Exercises of chapter 12, when it goes wrong."""

from __future__ import annotations

from typing import Any

from .exercise import Exercise, Hint, Test, Words
from .recognise import alike, each, letters, named, naming, nothing


def losses(*slopes: Any) -> Test:
    """The losses are right, and these are the gradients."""
    values = (9.0, 12.25)
    return lambda seen: alike(seen, [list(pair) for pair in zip(values, slopes, strict=True)])


def dead_units(names: list[Any] | None = None, left: list[int] | None = None) -> Test:
    """These names for the three models of 12.3; and how far each list has grown afterwards."""
    found = names or [["2.1"], [], ["gate"]]
    return each(*(list(pair) for pair in zip(found, left or [0, 0, 0], strict=True)))


def same_names(names: list[Any], grads: Any = None) -> Test:
    """These names for the three losses; and the gradients before and after a backward pass."""
    return lambda seen: alike(seen[:3], names) and (grads is None or alike(seen[3:], grads))


UNUSED = [["spare.bias", "spare.weight"], [], ["bias"]]

CHANGED = ["MulBackward0"]
FREED = ["ExpBackward0", "MulBackward0"]
BLOCKED = [[], CHANGED, [], [], FREED, [], [], [], CHANGED, [[], None], [CHANGED, 10], CHANGED * 2]
"""The findings of 12.5, one program after the other."""

EXERCISES = {
    "12.1": Exercise(
        asks=("have_grad",),
        solution='["a", "c"]',
        accepted=('("c", "a")', '{"a", "c"}', 'list("ac")', '["A", "C"]'),
        rejected=("[]", '["x"]', '["c"]'),
        right=letters("ac"),
        because=Words(
            "Leaves that ask for a gradient, and the graph of the loss leads to both.",
            "它们是要求梯度的叶子节点，而且损失的图通向这两个。",
        ),
        hints=(
            Hint(
                '"a, c"',
                lambda seen: isinstance(seen, str),
                Words(
                    'Your answer is one string. Write a list of names, as in ["x", "y"].',
                    '你的答案是一个字符串。请写成名字的列表，例如 ["x", "y"]。',
                ),
            ),
            Hint(
                '["a", "b", "c", "e"]',
                naming("b"),
                Words(
                    "b is in your list. But b is not what ones() made: reshape made b of it.",
                    "你的列表里有 b。但 b 不是 ones() 建立的那个张量：b 是 reshape 由它得到的。",
                ),
            ),
            Hint(
                '["a", "c", "d"]',
                naming("d"),
                Words(
                    "d is in your list. It was computed where nothing is recorded.",
                    "你的列表里有 d。它是在什么也不记录的地方算出来的。",
                ),
            ),
            Hint(
                '["a", "c", "e"]',
                naming("e"),
                Words(
                    "e is in your list. It leads to other. On which loss was backward() called?",
                    "你的列表里有 e。它通向的是 other。backward() 是在哪个损失上调用的？",
                ),
            ),
            Hint(
                '["a"]',
                named("a"),
                Words("a, yes. And what is a Parameter?", "a，对。那么 Parameter 是什么？"),
            ),
        ),
        otherwise=Words(
            "For each of the five: is it a leaf, does it require a gradient, is it used in loss?",
            "对五个张量分别问：是叶子节点吗？要求梯度吗？在 loss 里用到了吗？",
        ),
    ),
    "12.2": Exercise(
        asks=("loss_of",),
        probe="""
            seen = []
            for at in ([2.0, -4.0], [-0.5, 1.0, 5.0]):
                w = mg.tensor(at, requires_grad=True)
                loss = loss_of(w)
                if getattr(loss, "requires_grad", False):
                    loss.backward()
                seen.append([float(loss), w.grad])
        """,
        solution="w.abs().sum()",
        accepted=(
            "sum(abs(one) for one in w)",
            "mg.stack([one.abs() for one in w]).sum()",
            "(w * w.sign()).sum()",
            "loss_of = lambda w: (mg.sqrt(w * w).sum() - 3) ** 2",
        ),
        rejected=("w.sum()", "(w * w).sum()", "w.norm()", "6.0", "None"),
        right=losses([6, -6], [-7, 7, 7]),
        because=Words(
            "The loss is right, and its gradient arrives at w.",
            "损失是对的，它的梯度也到达了 w。",
        ),
        hints=(
            Hint(
                "sum(abs(one.item()) for one in w)",
                losses(None, None),
                Words(
                    "The loss is right, but no gradient arrives at w: it was cut off on the way.",
                    "损失是对的，但没有梯度到达 w：路上被切断了。",
                ),
            ),
            Hint(
                "w.abs().mean()",
                lambda seen: alike(seen[0][0], 0) and alike(seen[1][0], (6.5 / 3 - 3) ** 2),
                Words(
                    "That is the loss for the mean of the sizes. The sum is asked for.",
                    "这是按绝对值的平均算的损失。这里要的是总和。",
                ),
            ),
            Hint(
                "w.abs().max()",
                lambda seen: alike([s[0] for s in seen], [1, 4]),
                Words(
                    "That is the loss for the largest size alone. All of them count.",
                    "这是只按最大的绝对值算的损失。所有的都要算进去。",
                ),
            ),
        ),
        otherwise=Words(
            "For w = [2, -4] the loss is 9, and its gradient [6, -6].",
            "w = [2, -4] 时，损失是 9，梯度是 [6, -6]。",
        ),
    ),
    "12.3": Exercise(
        asks=("dead",),
        probe="""
            def linear(size, bias, weight=1.0):
                layer = nn.Linear(size, 2)
                with mg.no_grad():
                    layer.weight.fill_(weight)
                    layer.bias.fill_(bias)
                return layer

            class Net(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.first, self.some = linear(3, 0.0), nn.ReLU()
                    self.flat, self.gate = linear(2, 0.0, 0.0), nn.ReLU()
                    self.last = linear(2, 1.0)

                def forward(self, x):
                    return self.last(self.gate(self.flat(self.some(self.first(x)))))

            dark = nn.Sequential(linear(2, -100.0), nn.ReLU())
            light = nn.Sequential(linear(2, 1.0), nn.ReLU())
            seen = []
            for model in (
                nn.Sequential(linear(3, 0.0), nn.ReLU(), dark, light),
                nn.Sequential(linear(3, 1.0), nn.ReLU()),
                Net(),
            ):
                x = mg.tensor([[1.0, 2.0, 3.0], [-1.0, -2.0, -3.0]])
                found = dead(model, x)
                names = sorted(found, key=str)
                model(x)
                seen.append([names, len(found) - len(names)])
        """,
        solution="""\
names = {part: name for name, part in model.named_modules() if isinstance(part, mg.nn.ReLU)}
found = []


def probe(part, inputs, output):
    if (output == 0).all():
        found.append(names[part])


handles = [part.register_forward_hook(probe) for part in names]
model(x)
for handle in handles:
    handle.remove()
return found""",
        accepted=(
            """\
found, handles = [], []
for name, part in model.named_modules():
    if type(part) is mg.nn.ReLU:
        def probe(part, inputs, output, name=name):
            if output.max() == 0:
                found.append(name)
        handles.append(part.register_forward_hook(probe))
model(x)
for handle in handles:
    handle.remove()
return found""",
            """\
outputs = {}
handles = [
    part.register_forward_hook(lambda part, inputs, out, name=name: outputs.update({name: out}))
    for name, part in model.named_modules() if isinstance(part, mg.nn.ReLU)
]
with mg.no_grad():
    model(x)
[handle.remove() for handle in handles]
return [name for name, output in outputs.items() if not output.any()]""",
        ),
        rejected=("return []", 'return ["2.1"]', "model(x)"),
        right=dead_units(),
        because=Words(
            "The dead ReLUs of three models, also one inside of another part, and no hook is left.",
            "三个模型里死亡的 ReLU 都找到了，包括嵌套在里面的，也没有留下钩子。",
        ),
        hints=(
            Hint(
                """\
found, handles = [], []
for name, part in model.named_modules():
    if isinstance(part, mg.nn.ReLU):
        def probe(part, inputs, output):
            if (output == 0).all():
                found.append(name)
        handles.append(part.register_forward_hook(probe))
model(x)
for handle in handles:
    handle.remove()
return found""",
                dead_units([["3.1"], [], ["last"]]),
                Words(
                    "The name that you give is that of the model's last part. Hooks run when the "
                    "loop over the parts is over.",
                    "你给出的是模型最后一个部分的名字。钩子运行时，遍历各部分的循环已经结束了。",
                ),
            ),
            Hint(
                """\
found = []
for name, part in model.named_modules():
    if isinstance(part, mg.nn.ReLU):
        def probe(part, inputs, output, name=name):
            if (output == 0).all():
                found.append(name)
        part.register_forward_hook(probe)
model(x)
return found""",
                dead_units(left=[1, 0, 1]),
                Words(
                    "The names are right, but a hook is left: your list grew when the model ran "
                    "again.",
                    "名字对了，但留下了钩子：模型再运行一次时，你的列表变长了。",
                ),
            ),
            Hint(
                """\
names = {part: name for name, part in model.named_modules()}
found = []
def probe(part, inputs, output):
    if (output == 0).all():
        found.append(names[part])
handles = [part.register_forward_hook(probe) for part in names]
model(x)
for handle in handles:
    handle.remove()
return found""",
                dead_units([["2", "2.1"], [], ["flat", "gate"]]),
                Words(
                    "flat is in your list. It is a linear layer, and only ReLUs are asked for.",
                    "你的列表里有 flat。它是线性层，而这里只要 ReLU。",
                ),
            ),
            Hint(
                """\
names = {part: name for name, part in model.named_children() if isinstance(part, mg.nn.ReLU)}
found = []
def probe(part, inputs, output):
    if (output == 0).all():
        found.append(names[part])
handles = [part.register_forward_hook(probe) for part in names]
model(x)
for handle in handles:
    handle.remove()
return found""",
                dead_units([[], [], ["gate"]]),
                Words(
                    "A dead ReLU inside of another part is missing. named_modules() goes down to "
                    "all of them.",
                    "嵌套在另一个部分里的死亡 ReLU 没有找到。named_modules() 会走遍所有层次。",
                ),
            ),
            Hint(
                """\
names = {part: name for name, part in model.named_modules() if isinstance(part, mg.nn.ReLU)}
found = []
def probe(part, inputs, output):
    if (output == 0).any():
        found.append(names[part])
handles = [part.register_forward_hook(probe) for part in names]
model(x)
for handle in handles:
    handle.remove()
return found""",
                dead_units([["1", "2.1"], ["1"], ["gate", "some"]]),
                Words(
                    "some is in your list. Only a part of its outputs is 0.",
                    "你的列表里有 some。它的输出有些是 0，但不全是。",
                ),
            ),
        ),
        otherwise=Words(
            "A hook on each ReLU looks at the output. If all of it is 0, note the name. Return the "
            "list of names.",
            "在每个 ReLU 上装一个钩子，查看输出。如果全是 0，就记下名字。返回名字的列表。",
        ),
    ),
    "12.4": Exercise(
        asks=("unused",),
        probe="""
            class Both(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.used = nn.Linear(2, 1)
                    self.spare = nn.Linear(2, 1)

            def numbers(gradient):
                return None if gradient is None else gradient.tolist()

            both, one, shift = Both(), nn.Linear(3, 2), nn.Linear(2, 2)
            x = mg.ones(1, 2)
            one.weight.grad = mg.full((2, 3), 7.0)
            loss = one(mg.ones(1, 3)).sum()
            seen = [
                sorted(unused(both.used(x).sum(), both), key=str),
                sorted(unused(loss, one), key=str),
                sorted(unused((shift.weight * 0).sum(), shift), key=str),
            ]
            seen += [numbers(g) for g in (one.weight.grad, both.used.weight.grad, one.bias.grad)]
            loss.backward()
            seen += [numbers(one.weight.grad), numbers(one.bias.grad)]
        """,
        solution="""\
named = list(model.named_parameters())
weights = [weight for name, weight in named]
found = mg.autograd.grad(loss, weights, retain_graph=True, allow_unused=True)
return [name for (name, weight), g in zip(named, found) if g is None]""",
        accepted=(
            """\
leaves, ahead = set(), [loss.grad_fn]
while ahead:
    node = ahead.pop()
    if node is not None:
        leaves.add(id(getattr(node, "variable", None)))
        ahead += [below for below, index in node.next_functions]
return [name for name, weight in model.named_parameters() if id(weight) not in leaves]""",
            """\
def reached(weight):
    (g,) = mg.autograd.grad(loss, [weight], retain_graph=True, allow_unused=True)
    return g is not None

return [name for name, weight in model.named_parameters() if not reached(weight)]""",
            """\
kept = {name: weight.grad for name, weight in model.named_parameters()}
for weight in model.parameters():
    weight.grad = None
loss.backward(retain_graph=True)
names = [name for name, weight in model.named_parameters() if weight.grad is None]
for name, weight in model.named_parameters():
    weight.grad = kept[name]
return names""",
        ),
        rejected=(
            "return []",
            """\
named = dict(model.named_parameters())
weights = list(named.values())
found = mg.autograd.grad(loss, weights, retain_graph=True, materialize_grads=True)
return [name for name, g in zip(named, found) if (g == 0).all()]""",
            "return [name for name, weight in model.named_parameters()]",
            "return [name for name, weight in model.named_parameters() if weight.grad is None]",
        ),
        right=same_names(UNUSED, [[[7] * 3] * 2, None, None, [[8] * 3] * 2, [1, 1]]),
        because=Words(
            "The right names for three models, and no gradient has changed.",
            "三个模型的名字都对，而且没有任何梯度改变。",
        ),
        hints=(
            Hint(
                """\
loss.backward(retain_graph=True)
return [name for name, weight in model.named_parameters() if weight.grad is None]""",
                lambda seen: (
                    same_names(UNUSED)(seen) and not alike(seen[3:6], [[[7] * 3] * 2, None, None])
                ),
                Words(
                    "The names are right, but gradients have changed: a .grad is another than "
                    "before.",
                    "名字对了，但梯度变了：有的 .grad 与之前不同。",
                ),
            ),
            Hint(
                """\
named = list(model.named_parameters())
weights = [weight for name, weight in named]
found = mg.autograd.grad(loss, weights, retain_graph=True, allow_unused=True)
return [name for (name, weight), g in zip(named, found) if g is not None]""",
                same_names([["used.bias", "used.weight"], ["bias", "weight"], ["weight"]]),
                Words(
                    "These are the parameters that are used. The others are asked for.",
                    "这些是用到了的参数。这里要的是其余的。",
                ),
            ),
            Hint(
                """\
named = list(model.named_parameters())
weights = [weight for name, weight in named]
found = mg.autograd.grad(loss, weights, retain_graph=True, allow_unused=True)
return [name.partition(".")[0] for (name, weight), g in zip(named, found) if g is None]""",
                lambda seen: alike(seen[0], ["spare", "spare"]) or alike(seen[0], ["spare"]),
                Words(
                    "These are names of layers. The names of parameters are asked for, as "
                    "named_parameters() gives them.",
                    "这些是层的名字。这里要的是参数的名字，即 named_parameters() 给出的那种。",
                ),
            ),
        ),
        otherwise=Words(
            "For a model with a layer `spare` that the loss does not use, spare.weight and "
            "spare.bias should come back; for one that is used wholly, an empty list.",
            "如果模型里有一层 `spare` 没有被损失用到，应当返回 spare.weight 和 spare.bias；"
            "全部用到时，返回空列表。",
        ),
    ),
    "12.5": Exercise(
        asks=("why_not",),
        probe="""
            from minigrad_lessons.engine import after

            engine = after(12)
            Tensor, no_grad = engine.Tensor, engine.no_grad

            def named_by(result):
                return sorted(why_not(result), key=str)

            x, w = Tensor(3.0, True), Tensor(2.0)
            y = x * w + x
            seen = [named_by(y)]
            w.add_(1.0)
            seen.append(named_by(y))
            z = x.exp() * x
            seen.append(named_by(z))
            z.backward(retain_graph=True)
            seen.append(named_by(z))
            z.backward()
            seen.append(named_by(z + x))
            twice = w * x
            seen.append(named_by(twice * twice))
            seen.append(named_by((x * x) * (x + x).tanh()))
            t = Tensor(1.0, True)
            many = t
            for _ in range(40):
                many = many * many
            seen.append(named_by(many))
            with no_grad():
                t.add_(1.0)
            seen.append(named_by(many))
            fresh = Tensor(5.0, True)
            square = fresh * fresh
            seen.append([named_by(square), fresh.grad])
            square.backward()
            seen.append([named_by(square), float(fresh.grad.data)])
            v = Tensor(4.0)
            chain = (x * v) * v
            v.add_(1.0)
            seen.append(named_by(chain))
        """,
        solution="""\
names, seen, ahead = [], set(), [result.grad_fn]
while ahead:
    node = ahead.pop()
    if node is not None and node not in seen:
        seen.add(node)
        if node.saved is None or any(t.version[0] != version for t, version in node.saved):
            names.append(type(node).__name__)
        ahead += [below for below, index in node.next_functions]
return names""",
        accepted=(
            """\
nodes = [result.grad_fn]
for node in nodes:
    for below, index in node.next_functions:
        if below is not None and below not in nodes:
            nodes.append(below)

def stale(node):
    if node.saved is None:
        return True
    return any(version != tensor.version[0] for tensor, version in node.saved)

return [type(node).__name__ for node in nodes if stale(node)]""",
            """\
from minigrad_lessons.engine import after

names = []
for node in after(12).count_uses(result.grad_fn):
    try:
        node.read()
    except RuntimeError:
        names.append(type(node).__name__)
return names""",
            """\
found = {}

def visit(node):
    if node is None or node in found:
        return
    changed = node.saved is None or [t for t, v in node.saved if t.version[0] != v]
    found[node] = bool(changed)
    for below, _ in node.next_functions:
        visit(below)

visit(result.grad_fn)
return [type(node).__name__ for node in found if found[node]]""",
        ),
        rejected=(
            "return []",
            """\
from minigrad_lessons.engine import after

names = set()
for node in after(12).count_uses(result.grad_fn):
    if node.saved is None or any(t.version[0] != version for t, version in node.saved):
        names.add(type(node).__name__)
return names""",
            """\
names, ahead = [], [result.grad_fn]
while ahead:
    node = ahead.pop()
    if node is not None:
        if node.saved is None or any(t.version[0] != version for t, version in node.saved):
            names.append(type(node).__name__)
        ahead += [below for below, index in node.next_functions]
return names""",
            """\
try:
    result.backward(retain_graph=True)
    return []
except RuntimeError:
    return ["RuntimeError"]""",
        ),
        right=each(*BLOCKED),
        because=Words(
            "It names what is freed and what was changed, each node once, and changes nothing "
            "itself.",
            "它说出了哪些已释放、哪些被改过，每个节点一次，自己什么也没有改变。",
        ),
        hints=(
            Hint(
                """\
names, seen, ahead = [], set(), [result.grad_fn]
while ahead:
    node = ahead.pop()
    if node is not None and node not in seen:
        seen.add(node)
        if node.saved is None:
            names.append(type(node).__name__)
        ahead += [below for below, index in node.next_functions]
return names""",
                lambda seen: seen[1] == [] and seen[4] == ["ExpBackward0", "MulBackward0"],
                Words(
                    "What was freed is found. After a saved tensor was changed in place, your list "
                    "is empty.",
                    "已释放的找到了。保存的张量被就地修改之后，你的列表却是空的。",
                ),
            ),
            Hint(
                """\
names, seen, ahead = [], set(), [result.grad_fn]
while ahead:
    node = ahead.pop()
    if node is not None and node not in seen:
        seen.add(node)
        if any(t.version[0] != version for t, version in node.saved or []):
            names.append(type(node).__name__)
        ahead += [below for below, index in node.next_functions]
return names""",
                lambda seen: seen[1] == ["MulBackward0"] and seen[4] == [],
                Words(
                    "What was changed in place is found. After a backward pass that freed the "
                    "graph, your list is empty.",
                    "被就地修改的找到了。反向传播释放了图之后，你的列表却是空的。",
                ),
            ),
            Hint(
                """\
node = result.grad_fn
if node.saved is None or any(t.version[0] != version for t, version in node.saved):
    return [type(node).__name__]
return []""",
                lambda seen: seen[1] == [] and seen[4] == [] and seen[10] == [CHANGED, 10],
                Words(
                    "Both times nothing was found behind an addition that has saved nothing "
                    "itself. Go down to all nodes.",
                    "两次都没有找到加法背后的东西，而加法自己什么也没有保存。请往下走到所有节点。",
                ),
            ),
        ),
        otherwise=Words(
            "Walk from result.grad_fn over next_functions, each node once, and look at its saved.",
            "从 result.grad_fn 出发，沿着 next_functions 走，每个节点一次，看它的 saved。",
        ),
    ),
    "12.6": Exercise(
        asks=("culprit",),
        probe="""
            two = mg.tensor([1.0, 2.0])
            square, root = lambda t: t * t, lambda t: t.sqrt()
            less, twice = lambda t: t - 1, lambda t: 2 * t
            half = lambda t: mg.where(t > 1, t, 0 * t)
            seen = [
                culprit([twice, square, less], two),
                culprit([less, root, twice, mg.exp], two),
                culprit([twice, mg.cos, lambda t: 1 - t, root], mg.tensor([0.5, 0.0])),
                culprit([less, square, root, less, half, root, twice], two),
                culprit([lambda t: t.norm()], mg.zeros(2)),
                culprit([twice, lambda t: (t * 1e30).sigmoid(), square], two),
                culprit([lambda t: t * 1e-30, lambda t: t * 1e30, lambda t: t * 1e38], two * 1e-6),
            ]
        """,
        solution="""\
results = [x.detach().clone().requires_grad_()]
for step in steps:
    results.append(step(results[-1]))
    results[-1].retain_grad()
results[-1].sum().backward()
for index in reversed(range(len(steps))):
    if not results[index].grad.isfinite().all():
        return index
return None""",
        accepted=(
            """\
results = [x.clone().requires_grad_()]
for step in steps:
    results.append(step(results[-1]))
arriving = mg.ones_like(results[-1])
for index in range(len(steps) - 1, -1, -1):
    (arriving,) = mg.autograd.grad(results[index + 1], results[index], arriving)
    if not mg.isfinite(arriving).all():
        return index""",
            """\
found = []
t = x.detach().requires_grad_()
for index, step in enumerate(steps):
    def look(gradient, index=index):
        if not gradient.isfinite().all():
            found.append(index)
    t.register_hook(look)
    t = step(t)
t.sum().backward()
return max(found, default=None)""",
            """\
results = [x.detach().clone().requires_grad_()]
for step in steps:
    results.append(step(results[-1]))
found = mg.autograd.grad(results[-1].sum(), results[:-1])
bad = [i for i, g in enumerate(found) if not g.isfinite().all()]
return bad[-1] if bad else None""",
        ),
        rejected=("return 1", "return 0", "return len(steps) - 1"),
        right=each(None, 1, 3, 5, None, None, 1),
        because=Words(
            "The step is found in seven chains, among them three in which no gradient is spoilt.",
            "七串步骤都判断对了，其中三串没有弄坏任何梯度。",
        ),
        hints=(
            Hint(
                """\
results = [x.detach().clone().requires_grad_()]
for step in steps:
    results.append(step(results[-1]))
    results[-1].retain_grad()
results[-1].sum().backward()
for index in range(len(steps)):
    if not results[index].grad.isfinite().all():
        return index
return None""",
                lambda seen: alike(seen[:4], [None, 0, 0, 0]),
                Words(
                    "Each time you return 0. A nan spreads to all steps before: begin at the end.",
                    "每次都返回 0。nan 会蔓延到前面的所有步骤：请从最后开始找。",
                ),
            ),
            Hint(
                """\
results = [x.detach().clone().requires_grad_()]
for step in steps:
    results.append(step(results[-1]))
    results[-1].retain_grad()
results[-1].sum().backward()
for index in reversed(range(len(steps))):
    if results[index].grad.isnan().any():
        return index
return None""",
                lambda seen: alike(seen[2:4], [1, 4]),
                Words(
                    "You look for nan alone. In two chains an inf came first, and the nan arose "
                    "from it.",
                    "你只找了 nan。有两串步骤里先出现的是 inf，nan 是由它产生的。",
                ),
            ),
            Hint(
                """\
results = [x.detach().clone().requires_grad_()]
for step in steps:
    results.append(step(results[-1]))
    results[-1].retain_grad()
results[-1].sum().backward()
for index in reversed(range(len(steps))):
    if not results[index].grad.isfinite().all():
        return index + 1
return None""",
                each(None, 2, 4, 6, None, None, 2),
                Words(
                    "Your indices are one too large: the step with index i turns results[i] into "
                    "results[i + 1].",
                    "下标都大了 1：下标为 i 的那一步把 results[i] 变成 results[i + 1]。",
                ),
            ),
            Hint(
                """\
t = x
for index, step in enumerate(steps):
    t = step(t)
    if not t.isfinite().all():
        return index
return None""",
                nothing,
                Words(
                    "You find nothing. All values are finite here; look at the gradients.",
                    "什么也没有找到。这里的值全是有限的，请看梯度。",
                ),
            ),
        ),
        otherwise=Words(
            "Keep the result of each step with its gradient. Then look from the end for the first "
            "that is not finite.",
            "留住每一步的结果和它的梯度，再从最后往前找第一个不有限的梯度。",
        ),
    ),
}
