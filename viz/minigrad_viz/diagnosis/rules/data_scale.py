"""Data far from 1: so large that activations are flat, or so small that all look alike."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from typing import Any

from ...model.autograd_nodes import is_accumulate
from ...model.names import is_tensor
from ...model.program_text import Statement
from ...model.values import bare, dense, has_numbers
from ..evidence import sequence_of
from ..objects import is_module
from ..observed import largest
from ..syntax import calls_in, last_name, names_in, written_number
from .evidence import Evidence, rates
from .limited_output import targets
from .programs import training
from .rule import Match, Rule, Words
from .scoped import function_around
from .signs import definitions, values

FAR, TINY = 30.0, 4e-3
"""Data with numbers beyond the first, or all below the second, are not scaled."""

FLAT_FROM = {"Sigmoid": 8.0, "Tanh": 4.0}
"""Inputs from which on an activation has a slope below a thousandth."""

MOSTLY = 0.5


def data(evidence: Evidence) -> Iterator[tuple[str, Any]]:
    """Yield the data that loops or functions with passes read, with their variables."""
    read = {name for s in evidence.repeated for name in names_in(s.tree)}
    for name in sorted(read):
        value = evidence.context.variables.get(name)
        if is_tensor(value) and not value.requires_grad and value.is_floating_point():
            if value.numel() > 1 and has_numbers(value):
                yield name, value


def far_data(evidence: Evidence, beyond: float) -> dict[str, str] | None:
    """Return the parts of a sentence about the first variable with data beyond a limit."""
    for name, value in data(evidence):
        if beyond < (most := largest(value)) < math.inf:
            made = evidence.context.where(evidence.context.program.assignment(name))
            return {"t": name, "most": f"{most:.3g}", "where": made, "instead": scaled(name, value)}
    return None


def scaled(name: str, value: Any) -> str:
    """Return the line that scales data to about 1: by columns, if these differ in size.

    >>> from minigrad import tensor
    >>> scaled("x", tensor([[1.0, 2000.0], [2.0, 3000.0]]))
    'x = (x - x.mean(0)) / x.std(0)'
    """
    over = ""
    if len(value.shape) == 2 and value.shape[0] > 1:
        spread = dense(bare(value)).std(0)
        least, most = float(spread.min().item()), float(spread.max().item())
        over = "0" if 0 < DIFFERENT * least < most else ""
    return f"{name} = ({name} - {name}.mean({over})) / {name}.std({over})"


DIFFERENT = 3.0
"""Columns whose spreads differ by more are scaled each by itself."""


def given(evidence: Evidence) -> Iterator[tuple[Statement, str, Any]]:
    """Yield the data that models get as they are, with the variable and the line of the call."""
    known = dict(data(evidence))
    changing = any(isinstance(n, ast.BinOp) for s in evidence.forward_lines
                   for n in ast.walk(s.tree or ast.Pass()))  # fmt: skip
    for statement, value in () if changing else values(evidence):
        for call in calls_in(value):
            model = evidence.object(call.func)
            if not call.args or not is_module(model):
                continue
            inner = call.args[0]
            while isinstance(inner, ast.Subscript):
                inner = inner.value
            name = ast.unparse(inner)
            learns = any(p is leaf for p in model.parameters() for leaf in evidence.leaves)
            if name in known and learns:
                yield statement, name, known[name]


def find_saturating(evidence: Evidence) -> Match | None:
    """Find data that the first layer takes to the ends of a sigmoid's range."""
    for node in evidence.nodes:
        kind = evidence.kind(node)
        inner = evidence.input_of(node) if kind in FLAT_FROM else None
        before = [] if inner is None or evidence.kind(inner) != "Addmm" else inner.next_functions
        if len(before) != 3 or before[1][0] is not None or not is_accumulate(before[0][0]):
            continue
        bias, weight = before[0][0].variable, evidence.input_of(inner, 2)
        if not is_accumulate(weight):
            continue
        numbers = bare(weight.variable)
        for _, name, value in given(evidence):
            rows = dense(bare(value))
            if not fits(rows, numbers) or largest(value) < FAR:
                continue
            made = rows[:MOST].to(numbers.dtype) @ numbers.T + bare(bias)
            share = float((made.abs() > FLAT_FROM[kind]).float().mean().item())
            if share > MOSTLY:
                parts = {"t": name, "most": f"{largest(value):.3g}", "kind": kind}
                parts["where"] = evidence.context.where(evidence.node_line(node))
                parts["instead"] = scaled(name, value)
                return Match({**parts, "share": f"{share:.0%}"}, (name,), (node,))
    return None


MOST = 500
"""Rows to compute."""


def fits(rows: Any, weight: Any) -> bool:
    return len(rows.shape) == 2 == len(weight.shape) and rows.shape[1] == weight.shape[1]


def find_tiny(evidence: Evidence) -> Match | None:
    """Find a call of a model with data that are all next to zero."""
    for statement, name, value in given(evidence):
        if 0 < (most := largest(value)) < TINY:
            twice, say = scalings(evidence), evidence.context.say
            first, *later = map(evidence.context.line, twice) if twice else ("",)
            key = "cure_scaled_twice" if twice else "cure_scale"
            lines, instead = say("and").join(later), scaled(name, value)
            cure = say(key, first=first, lines=lines, instead=instead)
            parts = {"line": evidence.context.line(statement), "t": name, "cure": cure}
            return Match({**parts, "most": f"{most:.2g}"}, (name,))
    return None


def scalings(evidence: Evidence) -> list[Statement]:
    """Return the line of a data set, and those of the loops, that divide by the same number."""
    found: dict[float, dict[Statement, None]] = {}
    for statement in dict.fromkeys((*evidence.lines, *evidence.written)):
        for node in ast.walk(statement.tree or ast.Pass()):
            number: Any = None
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
                number = node.right
            elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div):
                number = node.value
            elif isinstance(node, ast.Call) and last_name(node) in ("div", "div_") and node.args:
                number = node.args[0]
            size = None if number is None else written_number(number)
            if size is not None and size >= LARGE:
                found.setdefault(float(size), {})[statement] = None
    for lines in found.values():
        inside = [s for s in lines if is_of_data(function_around(evidence, s))]
        outside = [s for s in lines if s not in inside]
        if inside and any(s in evidence.repeated for s in outside):
            return [inside[0], *outside[:2]]
    return []


def is_of_data(function: ast.FunctionDef | None) -> bool:
    """Return whether a function makes samples: a method of a data set, or a transform."""
    return function is not None and bool(MAKING.search(function.name))


MAKING = re.compile(r"__getitem__|__init__|load|transform|scale|prepare|normal|read|data", re.I)


LARGE = 10
"""Numbers by which data are divided to scale them."""


def find_far_targets(evidence: Evidence) -> Match | None:
    """Find targets that Adam's steps do not reach, and a loss that still is their square."""
    root = evidence.root
    node = None if root is None else root.grad_fn
    if evidence.kind(node) not in ("MseLoss", "Mean") or root.numel() != 1 or not has_numbers(root):
        return None
    value = float(bare(root).item())
    for optimizer_name, optimizer in evidence.stepping:
        rate = max(rates(optimizer), default=math.inf)
        for name, target in targets(evidence) if "Adam" in type(optimizer).__name__ else ():
            numbers = dense(bare(target))
            mean, square = float(numbers.mean().item()), float((numbers**2).mean().item())
            if abs(mean) > FAR_TARGET and abs(mean) > STEPS * rate and value > NEAR * square:
                parts = {"t": name, "mean": f"{mean:.3g}", "loss": f"{value:.3g}"}
                parts |= {"rate": f"{rate:g}", "optimizer": optimizer_name}
                layers = [m for _, o in evidence.modules for m in o.modules()]
                alone = not any(type(m).__name__ == "Linear" for m in layers)
                usual = f"({name} - {name}.mean()) / {name}.std()"
                parts["instead"] = f"{name} / {name}.abs().max()" if alone else usual
                return Match(parts, (name,))
    return None


def find_outweighed(evidence: Evidence) -> Match | None:
    """Find a term that leaves nothing of a clipped gradient to the others of a sum."""
    root = evidence.root
    clips = [s for s in evidence.repeated if "clip_grad_norm" in s.text]
    if root is None or evidence.kind(root.grad_fn) != "Add" or not clips:
        return None
    nodes = {sequence_of(node) for node in behind_sum(evidence)}
    seen = {} if evidence.seen is None else evidence.seen.passes[-1].variables
    terms = dict[str, float]()
    for name, value in evidence.context.variables.items():
        if is_tensor(value) and value.grad_fn is not None and value.numel() == 1:
            made = seen[name][0] if name in seen else sequence_of(value.grad_fn)
            if made in nodes and has_numbers(value):
                terms[name] = abs(float(bare(value).item()))
    large, small = (
        max(terms, key=terms.__getitem__, default=""),
        min(terms, key=terms.__getitem__, default=""),
    )
    if len(terms) < 2 or terms[large] < OUTWEIGHS * terms[small]:
        return None
    sizes = [evidence.gradient(leaf) for leaf in evidence.leaves if id(leaf) in evidence.held]
    if not 0 <= min(sizes, default=1.0) * OUTWEIGHS < max(sizes, default=0.0):
        return None
    calls = [call for names, v in definitions(evidence) if large in names for call in calls_in(v)]
    given = [ast.unparse(each) for call in calls for each in call.args]
    numbers = {name: value for name, value in targets(evidence) if name in given}
    name = max(numbers, key=lambda each: largest(numbers[each]), default="")
    parts = {"large": large, "small": small, "line": evidence.context.line(clips[0])}
    parts |= {"one": f"{terms[large]:.3g}", "other": f"{terms[small]:.3g}"}
    cure = (
        f"{name} = ({name} - {name}.mean()) / {name}.std()" if name else f"{large} / {large}.item()"
    )
    return Match({**parts, "instead": cure}, (large, small))


OUTWEIGHS = 1e6
"""A term that is as many times as large as another one leaves it nothing."""


def behind_sum(evidence: Evidence) -> list[Any]:
    """Return the nodes of the terms of the loss, with or without a factor."""
    found, ahead = list[Any](), [evidence.root.grad_fn]
    while ahead:
        before = [n for n, _ in ahead.pop().next_functions if n is not None]
        found += before
        ahead += [
            n for n in before if evidence.kind(n) in ("Add", "Mul") and evidence.shape(n) == ()
        ]
    return found


FAR_TARGET, STEPS, NEAR = 1e3, 1e5, 0.5
"""Targets beyond the first, more steps away than the second, and a loss near their square."""

PROGRAM = training(
    net="T.nn.Sequential(T.nn.Linear(4, 8), T.nn.Tanh(), T.nn.Linear(8, 1))",
    opt=0.01,
    data="{scale} * T.rand(16, 4), T.randn(16, 1)",
)

SATURATING = Rule(
    key="saturating_data",
    chapter="16",
    en=Words(
        "data that are too large",
        "`{t}` holds numbers up to {most}. {share} of what the first layer makes of them is so "
        "large that {kind}{where} has no slope there, and the layer hardly learns.",
        "Scale the data to about 1: `{instead}`.",
    ),
    zh=Words(
        "数据太大",
        "`{t}` 里有大到 {most} 的数。第一层由此算出的数有 {share} 太大，{kind}{where}在那里没有斜"
        "率，这一层几乎不学习。",
        "请把数据缩放到 1 左右：`{instead}`。",
    ),
    find=find_saturating,
    broken=PROGRAM.format(scale="200.0"),
    sound=PROGRAM.format(scale="2.0"),
)

BOTH = training(
    first="one, two = T.nn.Linear(3, 1), T.nn.Linear(3, 2)\n"
    "both = [*one.parameters(), *two.parameters()]",
    net="",
    opt="T.optim.SGD(both, lr=0.1)",
    before="price, kind = {scale} * T.randn(8), T.arange(8) % 2",
    inside="cost = T.nn.functional.mse_loss(one(x)[:, 0], price)\n"
    "sort = T.nn.functional.cross_entropy(two(x), kind)\nloss = sort + cost",
    steps="opt.zero_grad()\nloss.backward()\nT.nn.utils.clip_grad_norm_(both, 1.0)\nopt.step()",
)

TARGETS = training(
    net="T.nn.Sequential(T.nn.Linear(4, 8), T.nn.Tanh(), T.nn.Linear(8, 1))",
    opt="T.optim.Adam(net.parameters(), lr=0.001)",
    data="T.randn(16, 4), T.rand(16, 1) + {mean}",
    inside="loss = T.nn.functional.mse_loss(net(x), y)",
)

FAR_TARGETS = Rule(
    key="far_targets",
    chapter="16",
    en=Words(
        "targets that are too far away",
        "The mean of `{t}` is {mean}, and the loss {loss} is still about its square: each step of "
        "`{optimizer}` moves a weight by about its rate, {rate}, so the outputs stay small.",
        "Learn `{instead}`, and scale the outputs back after training.",
    ),
    zh=Words(
        "目标太远",
        "`{t}` 的平均值是 {mean}，损失 {loss} 仍然接近它的平方：`{optimizer}` 每一步只把权重移动约"
        "一个学习率 {rate}，所以输出一直很小。",
        "请学习 `{instead}`，训练之后再把输出换算回去。",
    ),
    find=find_far_targets,
    broken=TARGETS.format(mean="90000.0"),
    sound=TARGETS.format(mean="1.0"),
)

OUTWEIGHED = Rule(
    key="outweighed",
    chapter="16",
    en=Words(
        "a term that leaves nothing to the others",
        "`{large}` is {one}, and `{small}` {other}. {line} makes their common gradient short, and "
        "of that `{small}` keeps next to nothing.",
        "Bring them to one scale: `{instead}`.",
    ),
    zh=Words(
        "没有给其他项留下什么的一项",
        "`{large}` 是 {one}，`{small}` 是 {other}。{line}缩短它们共同的梯度，其中 `{small}` 的部分"
        "几乎不剩。",
        "请使它们的尺度相同：`{instead}`。",
    ),
    find=find_outweighed,
    broken=BOTH.format(scale="900000.0"),
    sound=BOTH.format(scale="1.0"),
)

TINY_DATA = Rule(
    key="tiny_data",
    chapter="16",
    en=Words(
        "data next to zero",
        "No number of `{t}` in {line} is beyond {most}: all samples look the same to the model, "
        "and the first layer's weights hardly learn.",
        "{cure}",
    ),
    zh=Words(
        "数据几乎是零",
        "{line}的 `{t}` 里没有一个数大于 {most}：所有样本在模型看来都一样，第一层的权重几乎不学"
        "习。",
        "{cure}",
    ),
    find=find_tiny,
    broken=PROGRAM.format(scale="1e-5"),
    sound=PROGRAM.format(scale="0.1"),
    before=("alike_outputs",),
)
