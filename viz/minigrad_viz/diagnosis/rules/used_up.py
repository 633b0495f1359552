"""`net.parameters()` kept in a variable: the first reader uses the generator up."""

from __future__ import annotations

import ast
import inspect
from textwrap import indent
from types import GeneratorType

from ...model.program_text import Statement, assigned
from ..syntax import calls_in, last_name
from .evidence import Evidence
from .programs import STEPS, training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    for name, value in evidence.context.variables.items():
        # Not isinstance, which a strange object may answer by raising.
        if type(value) is not GeneratorType or inspect.getgeneratorstate(value) != "GEN_CLOSED":
            continue
        made = evidence.context.program.assignment(name)
        made_by = getattr(made.tree, "value", None) if made is not None else None
        if not isinstance(made_by, ast.Call) or last_name(made_by) not in GENERATORS:
            continue
        readers = [s for s in evidence.lines if reads(s, name)]
        if len(readers) > 1 and made is not None:
            first, later = readers[0], readers[-1]
            instead = f"{name} = list({ast.unparse(made_by)})"
            parts = {"t": name, "first": evidence.context.line(first), "instead": instead}
            return Match({**parts, "line": evidence.context.line(later)}, (name,))
    return None


GENERATORS = ("parameters", "named_parameters", "buffers", "children", "modules")


def reads(statement: Statement, name: str) -> bool:
    """Return whether a line hands the variable to a call."""
    if name in assigned(statement.tree):
        return False
    calls = [c for c in calls_in(statement.tree) if last_name(c) not in ("print", "type")]
    given = [argument for call in calls for argument in call.args]
    return any(isinstance(each, ast.Name) and each.id == name for each in given)


def find_batches(evidence: Evidence) -> Match | None:
    """Find a loop in a loop over a generator from before both: only the first turn has batches."""
    for name, value in evidence.context.variables.items():
        if type(value) not in (GeneratorType, zip, map, filter):
            continue
        if type(value) is GeneratorType and inspect.getgeneratorstate(value) != "GEN_CLOSED":
            continue
        made = evidence.context.program.assignment(name)
        for head in evidence.lines if made is not None else ():
            if made is None or head.loops[-1:] != (head.line,) or given(head) != name:
                continue
            inside = (s for s in evidence.lines if head.line in s.loops and s.file == head.file)
            if len(head.loops) < 2 or any(isinstance(s.tree, ast.Break) for s in inside):
                continue
            if head.loops[-2] not in made.loops:
                parts = {"t": name, "made": evidence.context.line(made)}
                parts["instead"] = as_list(made, name)
                return Match({**parts, "line": evidence.context.line(head)}, (name,))
    return None


def given(head: Statement) -> str:
    """Return the text of what a loop goes over."""
    value = getattr(head.tree, "value", None)
    return "" if value is None else ast.unparse(value)


def as_list(made: Statement, name: str) -> str:
    """Return the line with a list in place of the generator."""
    tree = getattr(made.tree, "value", None)
    if isinstance(tree, ast.GeneratorExp):
        return f"{name} = {ast.unparse(ast.ListComp(tree.elt, tree.generators))}"
    return f"{name} = list({ast.unparse(tree)})" if tree is not None else f"list({name})"


PROGRAM = training(
    first="net = T.nn.Linear(3, 1)\nparams = {params}",
    net="",
    opt="T.optim.SGD(params, lr=0.1)",
    steps="opt.zero_grad()\nloss.backward()\nT.nn.utils.clip_grad_norm_(params, 1.0)\nopt.step()",
)

RULE = Rule(
    key="used_up_parameters",
    severity=2,
    chapter="15",
    en=Words(
        "parameters that are used up",
        "`{t}` is a generator, which can be read once: {first} has read it, so {line} gets no "
        "parameters and does nothing.",
        "Keep them in a list: `{instead}`.",
    ),
    zh=Words(
        "参数生成器已经用完",
        "`{t}` 是生成器，只能读一次：{first}已经读过它，所以{line}得不到参数，什么也不做。",
        "请把它们存成列表：`{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(params="net.parameters()"),
    sound=PROGRAM.format(params="list(net.parameters())"),
    before=("exploding",),
)

EPOCHS = training(
    before="batches = {batches}",
    inside="for a, b in batches:\n    loss = (net(a) - b).pow(2).mean()",
    steps=indent(STEPS, "    "),
)

BATCHES = Rule(
    key="used_up_batches",
    chapter="14",
    en=Words(
        "batches that are used up",
        "`{t}` in {made} can be read once, so only the first turn of the outer loop has batches: "
        "{line} finds none later.",
        "Keep them in a list: `{instead}`.",
    ),
    zh=Words(
        "批次已经用完",
        "`{t}`（{made}）只能读一次，所以只有外层循环的第一轮有数据：之后{line}什么也得不到。",
        "请把它们存成列表：`{instead}`。",
    ),
    find=find_batches,
    broken=EPOCHS.format(batches="((x[k : k + 4], y[k : k + 4]) for k in (0, 4))"),
    sound=EPOCHS.format(batches="[(x[k : k + 4], y[k : k + 4]) for k in (0, 4)]"),
)
