"""A list that holds one layer several times, as `[layer] * n` makes it."""

from __future__ import annotations

import ast

from ...model.program_text import Statement
from ..syntax import names_in
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    for statement in evidence.lines:
        if (match := find_in_comprehension(evidence, statement)) is not None:
            return match
        for node in ast.walk(statement.tree or ast.Pass()):
            if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
                continue
            row = next((s for s in (node.left, node.right) if isinstance(s, ast.List)), None)
            if row is None or len(row.elts) != 1 or not isinstance(row.elts[0], ast.Call):
                continue
            for name, count in repeated_layers(evidence):
                times = node.right if row is node.left else node.left
                instead = f"[{ast.unparse(row.elts[0])} for _ in range({ast.unparse(times)})]"
                parts = {"line": evidence.context.line(statement), "name": name, "count": count}
                return Match({**parts, "instead": instead}, (name,))
    return None


def find_in_comprehension(evidence: Evidence, statement: Statement) -> Match | None:
    """Find `[layer for _ in range(n)]`, which names one layer n times."""
    for node in ast.walk(statement.tree or ast.Pass()):
        if not isinstance(node, ast.ListComp | ast.GeneratorExp):
            continue
        layer = node.elt.id if isinstance(node.elt, ast.Name) else ""
        made = evidence.context.program.assignment(layer) if layer else None
        if made is None or layer in names_in(node.generators[0].target):
            continue
        for name, count in repeated_layers(evidence):
            rest = ast.unparse(node)[1:-1].partition(" for ")[2]
            instead = f"[{ast.unparse(getattr(made.tree, 'value', node.elt))} for {rest}]"
            parts = {"line": evidence.context.line(statement), "name": name, "count": count}
            return Match({**parts, "instead": instead}, (name,))
    return None


def repeated_layers(evidence: Evidence) -> list[tuple[str, int]]:
    """Return the names of containers that hold one module with parameters several times."""
    found = []
    for name, module in evidence.modules:
        for path, inner in module.named_modules():
            held = [*vars(inner).get("_modules", {}).values()]
            first = held[0] if held else None
            same = sum(each is first for each in held)
            if same > 1 and first is not None and any(True for _ in first.parameters()):
                found.append((f"{name}.{path}".rstrip("."), same))
    return found


PROGRAM = training(
    first="layers = {layers}",
    net="T.nn.Sequential(*layers, T.nn.Tanh(), T.nn.Linear(4, 1))",
    data="T.randn(8, 4), T.randn(8, 1)",
)

RULE = Rule(
    key="shared_layers",
    severity=2,
    chapter="15",
    en=Words(
        "one layer several times",
        "{line} puts the same layer into `{name}` {count} times: there is one weight, which all of "
        "them share.",
        "If each is to learn its own, write `{instead}`.",
    ),
    zh=Words(
        "同一层出现多次",
        "{line}把同一个层在 `{name}` 里放了 {count} 次：只有一个权重，由它们共享。",
        "如果每一层都要自己学习，请写 `{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(layers="[T.nn.Linear(4, 4)] * 3"),
    sound=PROGRAM.format(layers="[m for _ in range(3) for m in (T.nn.Linear(4, 4), T.nn.Tanh())]"),
)
