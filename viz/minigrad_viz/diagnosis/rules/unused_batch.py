"""A loop over a DataLoader that never reads its batch: each iteration sees the same data."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...model.program_text import Statement, assigned
from ..syntax import calls_in, last_name, names_in
from .evidence import Evidence, tree_of
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    for head, loop in loops(evidence):
        batch = assigned(ast.Assign([batch_of(loop)], loop.iter))
        first = inputs_of(loop)
        if first and not reads(loop, {first}) and ignores_loop(evidence, loop):
            batch = {first}
        elif not batch or any(name.startswith("_") for name in batch) or reads(loop, batch):
            continue
        if any(head.line in p.loops and p.file == head.file for p in evidence.passes):
            cure = evidence.context.say("cure_unused_batch", instead=instead(evidence, loop))
            names = evidence.context.say("and").join(f"`{each}`" for each in sorted(batch))
            parts = {"line": evidence.context.line(head), "names": names, "cure": cure}
            return Match(parts, tuple(sorted(batch)))
    return None


def loops(evidence: Evidence) -> Iterator[tuple[Statement, ast.For]]:
    """Yield the loops over a DataLoader, each with its first line."""
    nodes = [n for text in evidence.texts for n in ast.walk(tree_of(text))]
    for head in evidence.lines:
        if head.loops[-1:] != (head.line,) or not isinstance(head.tree, ast.Assign):
            continue
        values = [evidence.context.variables.get(n) for n in names_in(head.tree.value)]
        if not any(type(value).__name__ == "DataLoader" for value in values):
            continue
        target = ast.unparse(head.tree.targets[0])
        for node in nodes:
            if isinstance(node, ast.For) and node.lineno == head.line:
                if ast.unparse(node.target) == target:
                    yield head, node


def batch_of(loop: ast.For) -> ast.expr:
    """Return the target of the batch, without the number that `enumerate` adds."""
    called = last_name(loop.iter) if isinstance(loop.iter, ast.Call) else ""
    if called == "enumerate" and isinstance(loop.target, ast.Tuple) and loop.target.elts[1:]:
        return loop.target.elts[1]
    return loop.target


def inputs_of(loop: ast.For) -> str:
    """Return the first variable of a batch of several, which are the inputs, or ""."""
    batch = batch_of(loop)
    first = batch.elts[0] if isinstance(batch, ast.Tuple) and len(batch.elts) > 1 else None
    named = isinstance(first, ast.Name) and not first.id.startswith("_")
    return first.id if named and isinstance(first, ast.Name) else ""


def ignores_loop(evidence: Evidence, loop: ast.For) -> bool:
    """Return whether the loop calls modules, and with nothing that the loop assigns."""
    modules = {name for name, _ in evidence.modules}
    calls = [c for s in loop.body for c in calls_in(s) if ast.unparse(c.func) in modules]
    given = {name for call in calls for argument in call.args for name in names_in(argument)}
    made = assigned(ast.Assign([loop.target], loop.iter))
    made |= {name for s in loop.body for name in assigned(s)}
    return bool(calls) and not given & made


def reads(loop: ast.For, names: set[str]) -> bool:
    """Return whether the body of a loop reads one of these variables, or all variables."""
    nodes = (node for statement in loop.body for node in ast.walk(statement))
    found = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return bool(found & {*names, "locals", "vars", "globals", "eval", "exec"})


def instead(evidence: Evidence, loop: ast.For) -> str:
    """Return the call of a module in the loop, with the batch in place of other data."""
    batch = batch_of(loop)
    first = batch.elts[0] if isinstance(batch, ast.Tuple | ast.List) else batch
    modules = {name for name, _ in evidence.modules}
    for call in (c for statement in loop.body for c in calls_in(statement)):
        if ast.unparse(call.func) in modules:
            return f"{ast.unparse(call.func)}({ast.unparse(first)})"
    return f"model({ast.unparse(first)})"


PROGRAM = training(
    before="loader = T.utils.data.DataLoader(T.utils.data.TensorDataset(x, y), batch_size=4)",
    turns="xb, yb in loader",
    inside="loss = (net({x}) - {y}).pow(2).mean()",
)

RULE = Rule(
    key="unused_batch",
    severity=2,
    chapter="14",
    en=Words(
        "a batch that is never read",
        "{line} takes a new batch in each iteration, and no line of the loop reads {names}: each "
        "step sees the same data.",
        "{cure}",
    ),
    zh=Words(
        "没有使用的批次",
        "{line}在每一轮都取出新的一批数据，但循环里没有一行使用 {names}：每一步看到的都是相同的数"
        "据。",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(x="x", y="y"),
    sound=PROGRAM.format(x="xb", y="yb"),
)
