"""A loss that is copied into a new leaf, from which the backward pass starts."""

from __future__ import annotations

import ast
from typing import Any

from ...model.names import is_tensor
from ...model.program_text import Statement, receivers
from ..syntax import assigned_in, calls_in, last_name
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

COPYING = ("tensor", "as_tensor", "Tensor", "Variable", "FloatTensor", "detach", "item")


def find(evidence: Evidence) -> Match | None:
    for statement in evidence.lines:
        for name in sorted(assigned_in(statement.tree)):
            source = copied(statement, name)
            walked = [s for s in evidence.passes if name in receivers(s, "backward")]
            if source and walked and is_new_leaf(evidence, name):
                parts = {"t": name, "line": evidence.context.line(statement), "source": source}
                instead = source.replace(".item()", "")
                cure = "cure_left_out" if instead == name else "cure_write_there"
                parts["cure"] = evidence.context.say(cure, instead=f"{name} = {instead}")
                return Match(parts, (name,))
    return None


def is_new_leaf(evidence: Evidence, name: str) -> bool:
    """Return whether the variable holds a single number that requires grad and is no result."""
    values = [evidence.root] if evidence.root is not None else []
    if evidence.root is None or evidence.context.name(evidence.root) != name:
        values = [evidence.context.variables.get(name)]
    values += [each for n, each in evidence.things if n == name]
    return any(is_tensor(v) and v.is_leaf and v.requires_grad and v.numel() == 1 for v in values)


def copied(statement: Statement, name: str) -> str:
    """Return the text whose numbers a statement copies into `name`, or ""."""
    value: Any = getattr(statement.tree, "value", None)
    if not isinstance(value, ast.Call) or not isinstance(statement.tree, ast.Assign):
        return ""
    base: Any = value
    copies = False
    while (inside := copied_by(base)) is not None:
        copies |= isinstance(base, ast.Attribute) or last_name(base) in COPYING
        base = inside
    if not copies or isinstance(base, ast.Constant | ast.List | ast.Tuple):
        return ""
    return ast.unparse(base)


def copied_by(value: Any) -> Any:
    """Return the expression whose numbers a call or an attribute takes, or None for others."""
    if isinstance(value, ast.Attribute) and value.attr == "data":
        return value.value
    if not isinstance(value, ast.Call):
        return None
    if last_name(value) in COPYING and value.args:
        return value.args[0]
    if isinstance(value.func, ast.Name) and value.func.id == "float" and value.args:
        return value.args[0]
    if not isinstance(value.func, ast.Attribute) or value.args:
        return None
    return value.func.value if last_name(value) in (*COPYING, "requires_grad_", "clone") else None


def find_losses(evidence: Evidence) -> Match | None:
    """Find losses that a line copies into a new tensor, from which the pass starts."""
    if any(id(leaf) in evidence.held for leaf in evidence.leaves) or not evidence.stepping:
        return None
    if evidence.seen is not None and evidence.seen.passes:
        return None
    for statement in evidence.lines:
        names = assigned_in(statement.tree)
        if not any(names & receivers(s, "backward") for s in evidence.passes):
            continue
        for call in copying_calls(statement):
            source = ast.unparse(call.args[0])
            kept = evidence.context.variables.get(source)
            listed = type(kept) is list
            if not source.isidentifier():
                without = ast.unparse(tensors_in(call.args[0]))
                if without == source:
                    continue  # numbers of the program, and not those of tensors
                source, listed = without, True
            parts = {"line": evidence.context.line(statement), "source": source}
            stack = ast.unparse(call.func).replace(last_name(call), "stack")
            parts["instead"] = f"{stack}({source})" if listed else source
            return Match(parts, tuple(sorted(names)))
    return None


def copying_calls(statement: Statement) -> list[ast.Call]:
    """Return the calls of a line that make a new leaf of one argument: `T.tensor(losses, ...)`."""
    calls = calls_in(statement.tree)
    asked = [
        c.func.value
        for c in calls
        if isinstance(c.func, ast.Attribute)
        if last_name(c) == "requires_grad_"
    ]
    return [
        call
        for call in calls
        if last_name(call) in COPYING and len(call.args) == 1
        if call in asked or any(word.arg == "requires_grad" for word in call.keywords)
    ]


def tensors_in(tree: ast.expr) -> ast.expr:
    """Return a list with the tensors in place of their numbers: `[l for l in losses]`."""
    if isinstance(tree, ast.ListComp):
        return ast.ListComp(copied_from(tree.elt), tree.generators)
    if isinstance(tree, ast.List | ast.Tuple):
        return ast.List([copied_from(each) for each in tree.elts], tree.ctx)
    return tree


def copied_from(tree: ast.expr) -> ast.expr:
    """Return the expression whose numbers `tree` copies: `l` for `float(l)` and `l.item()`."""
    inside = copied_by(tree)
    return tree if inside is None else copied_from(inside)


RULE = Rule(
    key="copied_loss",
    chapter="12",
    en=Words(
        "a loss without its history",
        "{line} makes `{t}` a new leaf with the number of `{source}` and without its history: the "
        "backward pass from `{t}` ends there and reaches no parameter.",
        "{cure}",
    ),
    zh=Words(
        "损失没有历史",
        "{line}使 `{t}` 成为新的叶子节点：它只有 `{source}` 的数，没有历史。从 `{t}` 开始的反向传播"
        "到此为止，到不了任何参数。",
        "{cure}",
    ),
    find=find,
    broken=training(
        inside="value = (net(x) - y).pow(2).mean()\n"
        "loss = T.tensor(value.item(), requires_grad=True)",
    ),
    sound=training(
        inside="loss = (net(x) - y).pow(2).mean()\n"
        "shown = T.tensor(loss.item(), requires_grad=True)",
    ),
    before=("no_pass", "pass_elsewhere", "not_reached_by_loss"),
)

TASKS = training(
    data="",
    before="tasks = [(T.randn(8, 3), T.randn(8, 1)) for _ in range(2)]",
    inside="losses = [(net(x) - y).pow(2).mean() for x, y in tasks]\nloss = {joined}.mean()",
)

LOSSES = Rule(
    key="copied_losses",
    chapter="12",
    en=Words(
        "losses without their history",
        "{line} copies the numbers of `{source}` into a new tensor, without their history, so the "
        "pass ends there and reaches no parameter.",
        "Write `{instead}` there.",
    ),
    zh=Words(
        "失去历史的各个损失",
        "{line}把 `{source}` 的数值复制到新的张量里，没有历史，所以反向传播到此为止，到不了任何参"
        "数。",
        "请在那里写 `{instead}`。",
    ),
    find=find_losses,
    broken=TASKS.format(joined="T.tensor([l.item() for l in losses], requires_grad=True)"),
    sound=TASKS.format(joined="T.stack(losses)"),
    before=("no_pass", "pass_elsewhere", "not_reached_by_loss"),
)
