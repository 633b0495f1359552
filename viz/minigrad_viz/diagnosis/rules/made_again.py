"""What stands in the loop and belongs before it: an optimizer, first weights, a layer."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from ...model.program_text import Program, Statement, assigned
from ..objects import is_module
from ..syntax import calls_in, last_name, names_in
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .undone import learns_with

MOMENTS = {"Adam", "AdamW", "NAdam", "RAdam", "Adamax", "Adagrad", "RMSprop", "Adadelta"}
"""Optimizers that remember former gradients."""


def in_each_iteration(evidence: Evidence) -> Iterator[tuple[Statement, ast.Call]]:
    """Yield the calls of lines that run in each iteration with a pass and a step, or around it."""
    for statement in evidence.repeated:
        if not statement.arms:
            for call in calls_in(statement.tree):
                yield statement, call


def find_optimizer(evidence: Evidence) -> Match | None:
    """Find an optimizer with moments that is made in each iteration."""
    for statement, call in in_each_iteration(evidence):
        made = assigned(statement.tree)
        remembers = last_name(call) in MOMENTS or any(w.arg == "momentum" for w in call.keywords)
        is_made = isinstance(statement.tree, ast.Assign) and statement.tree.value is call
        if not is_made or not remembers or len(made) != 1 or is_of_new_model(evidence, call):
            continue
        if learns_with(evidence, statement):
            parts = {"line": evidence.context.line(statement), "t": min(made)}
            return Match(parts, (min(made),))
    return None


def is_of_new_model(evidence: Evidence, call: ast.Call) -> bool:
    """Return whether the loop makes what the optimizer holds, as for a copy in meta-learning."""
    given = {name for argument in call.args for name in names_in(argument)}
    return any(given & assigned(s.tree) for s in evidence.repeated)


RESETS = {"reset_parameters", "apply"}


def find_reset(evidence: Evidence) -> Match | None:
    """Find a line of each iteration that gives the model new random weights."""
    for statement, call in in_each_iteration(evidence):
        if last_name(call) not in RESETS or not isinstance(call.func, ast.Attribute):
            continue
        name = ast.unparse(call.func.value)
        module = evidence.object(call.func.value)
        if module is None or not is_module(module) or not trains(evidence, module):
            continue
        sets_weights = last_name(call) == "reset_parameters" or initializes(evidence, call)
        if (
            sets_weights
            and not begins_anew(evidence, statement)
            and steps_around(evidence, statement)
        ):
            return Match({"line": evidence.context.line(statement), "t": name}, (name,))
    return None


def begins_anew(evidence: Evidence, statement: Statement) -> bool:
    """Return whether the loop also makes an optimizer, or has two loops inside: a fold."""
    count = len(statement.loops)
    inside = [s for s in evidence.repeated if s.loops[:count] == statement.loops]
    names = {name for name, _ in evidence.optimizers}
    return any(len(s.loops) > count + 1 for s in inside) or any(
        names & assigned(s.tree) for s in inside
    )


def trains(evidence: Evidence, module: Any) -> bool:
    return any(id(parameter) in evidence.held for parameter in module.parameters())


def initializes(evidence: Evidence, call: ast.Call) -> bool:
    """Return whether `apply` gets a function of the program that fills weights."""
    given = ast.unparse(call.args[0]) if call.args else ""
    function = evidence.context.variables.get(given)
    if not isinstance(function, FunctionType):
        return False
    calls = [c for s in Program.of(function).statements for c in calls_in(s.tree)]
    return any(".init." in ast.unparse(c.func) or is_filling(c) for c in calls)


def is_filling(call: ast.Call) -> bool:
    return last_name(call) in ("normal_", "uniform_", "reset_parameters", "fill_", "zero_")


def steps_around(evidence: Evidence, statement: Statement) -> bool:
    """Return whether a pass stands in the loops around the line, or in loops inside of them."""
    count = len(statement.loops)
    return any(
        s.file == statement.file and s.loops[:count] == statement.loops for s in evidence.passes
    )


def find_layer(evidence: Evidence) -> Match | None:
    """Find a layer that each call of a forward method makes anew."""
    for name, _, statements in evidence.forwards:
        for statement in statements:
            for call in calls_in(statement.tree):
                kind = evidence.object(call.func)
                if not inspect.isclass(kind) or statement.arms:
                    continue
                if not learns(kind) and kind.__name__ != "Parameter":
                    continue
                if stores(statement) or any(w.arg in WITHOUT_WEIGHTS for w in call.keywords):
                    continue
                text = ast.unparse(call)
                parts = {"line": evidence.context.line(statement), "text": text, "t": name}
                return Match(parts, (name,))
    return None


WITHOUT_WEIGHTS = ("affine", "elementwise_affine")
"""Options of layers that may have no weight."""


def learns(kind: type) -> bool:
    """Return whether a class is a layer with a weight."""
    return hasattr(kind, "named_parameters") and hasattr(kind, "reset_parameters")


def stores(statement: Statement) -> bool:
    targets = statement.tree.targets if isinstance(statement.tree, ast.Assign) else []
    return any(not isinstance(target, ast.Name) for target in targets)


START = """
net = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Tanh(), T.nn.Linear(4, 1))
x, y = T.randn(8, 3), T.randn(8, 1)


def fill(layer):
    if isinstance(layer, T.nn.Linear):
        T.nn.init.xavier_uniform_(layer.weight)

"""

PROGRAM = (
    START
    + """
opt = T.optim.Adam(net.parameters(), lr=0.01)
{before}
for i in range(4):
    {inside}
    opt.zero_grad()
    loss = (net(x) - y).pow(2).mean()
    loss.backward()
    opt.step()
"""
)

OPTIMIZER = Rule(
    key="optimizer_each_time",
    severity=2,
    chapter="14",
    en=Words(
        "a new optimizer in each iteration",
        "{line} makes a new optimizer in each iteration, so `{t}` forgets its averages of former "
        "gradients each time.",
        "Move that line before the loop.",
    ),
    zh=Words(
        "每一轮都新建优化器",
        "{line}在每一轮都新建优化器，所以 `{t}` 每次都忘掉以前梯度的平均值。",
        "请把这一行移到循环之前。",
    ),
    find=find_optimizer,
    broken=PROGRAM.format(before="pass", inside="opt = T.optim.Adam(net.parameters(), lr=0.01)"),
    sound=PROGRAM.format(before="pass", inside="pass"),
)

RESET = Rule(
    key="weights_made_anew",
    chapter="15",
    en=Words(
        "weights that are drawn again and again",
        "{line} gives `{t}` new first weights in each iteration, so what it has learned is lost.",
        "Move that line before the loop.",
    ),
    zh=Words(
        "权重被一再重新初始化",
        "{line}在每一轮都给 `{t}` 新的初始权重，学到的东西就丢失了。",
        "请把这一行移到循环之前。",
    ),
    find=find_reset,
    broken=PROGRAM.format(before="pass", inside="net.apply(fill)"),
    sound=PROGRAM.format(before="net.apply(fill)", inside="pass"),
    before=("unmoved",),
)

IN_FORWARD = training(
    first="""
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = T.nn.Linear(3, 3), T.nn.Linear(3, 1)

    def forward(self, x):
        {line}
        return two(T.tanh(self.one(x)))""",
    net="Net()",
)

LAYER = Rule(
    key="layer_in_forward",
    chapter="15",
    en=Words(
        "a layer that forward makes anew",
        "{line} makes new weights in each call of `{t}`: they are random each time, and no "
        "optimizer holds them.",
        "Make them once: write `self.new = {text}` in `__init__`, and use `self.new` in forward.",
    ),
    zh=Words(
        "forward 每次都新建层",
        "{line}在每次调用 `{t}` 时都新建权重：它们每次都是随机的，没有优化器管理它们。",
        "只建一次：在 `__init__` 里写 `self.new = {text}`，在 forward 里使用 `self.new`。",
    ),
    find=find_layer,
    broken=IN_FORWARD.format(line="two = T.nn.Linear(3, 1)"),
    sound=IN_FORWARD.format(line="two = self.two"),
    before=("not_called",),
)
