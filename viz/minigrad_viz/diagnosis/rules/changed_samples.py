"""Samples that a loop changes in place through a part of the data, again in each turn."""

from __future__ import annotations

import ast
from dataclasses import replace

from ...model.either_library import version_of
from ...model.names import is_tensor
from ...model.program_text import Statement, assigned
from ..objects import is_module
from ..syntax import calls_in, last_name, names_in
from .evidence import Evidence
from .rule import Match, Rule, Words
from .scoped import OF_FIRST, Giver, assignments, behind, function_around

WRITING = ("add_", "sub_", "mul_", "div_", "pow_", "neg_", "exp_")
"""Methods that change a tensor further each time."""

TURNS = 1.5
"""Changes for each sample from which on it was changed twice."""


def find(evidence: Evidence) -> Match | None:
    """Find a line that changes a part of the data in place, and does so anew in each turn."""
    for statement in dict.fromkeys((*evidence.lines, *evidence.written)):
        for target in changed(statement):
            given = source_of(evidence, target, statement)
            if given is None or not is_view(evidence, given, target, statement):
                continue
            value = getattr(given.value, "value", None)
            held = behind(evidence, value, replace(statement, line=given.line)).value
            if not changes_again(evidence, held, statement):
                continue
            making = [s for s in (*evidence.lines, *evidence.written)
                      if s.line == given.line and s.file == statement.file]  # fmt: skip
            name, text = ast.unparse(target), ast.unparse(given.value)
            copy = "clone" if is_tensor(held) or isinstance(held, list) else "copy"
            instead = f"{name} = {text}.{copy}()"
            if given.place >= 0:
                instead = f"{name} = {name}.{copy}()"
            elif isinstance(target, ast.Subscript):
                instead = f"part = {text}.{copy}()"
            made = evidence.context.line((*making, statement)[0])
            parts = {"part": name, "line": evidence.context.line(statement), "made": made}
            return Match({**parts, "instead": instead}, (name,))
    return None


def changed(statement: Statement) -> list[ast.expr]:
    """Return what a line changes in place: `x /= 2`, `x.sub_(m).div_(s)`."""
    tree = statement.tree
    if isinstance(tree, ast.AugAssign) and not isinstance(tree.op, ast.FloorDiv | ast.BitOr):
        return [tree.target]
    found: list[ast.expr] = []
    for call in calls_in(tree):
        owner: ast.expr | None = call
        while isinstance(owner, ast.Call) and last_name(owner) in WRITING:
            owner = getattr(owner.func, "value", None)
        if owner is not None and owner is not call:
            found.append(owner)
    return found


def source_of(evidence: Evidence, target: ast.expr, statement: Statement) -> Giver | None:
    """Return the part of data that is changed: `x` after `x = data[i]`, or `data[i]` itself."""
    function = function_around(evidence, statement)
    if isinstance(target, ast.Subscript):
        return Giver(target, -1, function, statement.line)
    if not isinstance(target, ast.Name):
        return None
    if function is not None:
        given = [*assignments(function, target.id, statement.line)]
    else:
        before = [s for s in evidence.lines if s.file == statement.file]
        before = [s for s in before if s.line < statement.line and isinstance(s.tree, ast.Assign)]
        given = [
            Giver(s.tree.value, -1, None, s.line)  # type: ignore[union-attr]
            for s in before
            if assigned(s.tree) == {target.id} and s.loops == statement.loops
        ]
    given = [g for g in given if not isinstance(g.value, ast.AugAssign)][-1:]
    for each in given:
        value: ast.expr | None = each.value
        while isinstance(value, ast.Call) and last_name(value) in VIEWING:
            first = value.args[0] if value.args else None
            value = first if last_name(value) in OF_FIRST else getattr(value.func, "value", None)
        if isinstance(value, ast.Subscript):
            return each._replace(value=value)
    return None


VIEWING = ("view", "reshape", "squeeze", "unsqueeze", "flatten", "ravel", "detach", "permute",
           "transpose", "from_numpy", "as_tensor")  # fmt: skip
"""Calls whose result shares the memory of what they get."""


def is_view(evidence: Evidence, given: Giver, target: ast.expr, statement: Statement) -> bool:
    """Return whether a place is a slice, or the number of a sample: other places make copies."""
    place = given.value.slice if isinstance(given.value, ast.Subscript) else None
    if isinstance(place, ast.Slice):
        return len(statement.loops) > 1 and isinstance(target, ast.Name) and feeds(evidence, target)
    function = given.function
    if not isinstance(place, ast.Name) or function is None or function.name != "__getitem__":
        return False
    return len(function.args.args) == 2 and place.id == function.args.args[1].arg


def feeds(evidence: Evidence, target: ast.Name) -> bool:
    """Return whether a model gets a variable in the loops."""
    calls = [c for s in evidence.repeated for c in calls_in(s.tree)]
    given = [a for c in calls if is_module(evidence.object(c.func)) for a in c.args]
    return any(target.id in names_in(each) for each in given)


def changes_again(evidence: Evidence, held: object, statement: Statement) -> bool:
    """Return whether the data's version shows that each part was changed several times."""
    if isinstance(held, list | tuple) and held:
        first = held[0][0] if isinstance(held[0], tuple | list) and held[0] else held[0]
        return is_tensor(first) and version_of(first) > TURNS * changes_at(evidence, statement)
    if is_tensor(held) and not held.requires_grad and len(held.shape):
        count = len(held) * changes_at(evidence, statement)
        return version_of(held) > TURNS * count or len(statement.loops) > 1
    looped = any(len(p.loops) > 1 for p in evidence.passes)
    return type(held).__name__ == "ndarray" and len(getattr(held, "shape", ())) > 1 and looped


def changes_at(evidence: Evidence, statement: Statement) -> int:
    """Return the number of lines of the same function that change something in place."""
    function = function_around(evidence, statement)
    if function is None:
        return 1
    last = function.end_lineno or function.lineno
    inside = {s for s in evidence.written if function.lineno <= s.line <= last}
    return sum(len(changed(each)) for each in inside) or 1


PROGRAM = """
T.manual_seed(0)
data, y = 255 * T.rand(32, 6), T.randn(32, 1)
mean, std = data.mean(), data.std()
net, mse = T.nn.Linear(6, 1), T.nn.MSELoss()
opt = T.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(12):
    for k in range(0, 32, 8):
        x = data[k : k + 8]
        {inside}
        opt.zero_grad()
        loss = mse(net(x), y[k : k + 8])
        loss.backward()
        opt.step()
"""

RULE = Rule(
    key="changed_samples",
    chapter="5b",
    en=Words(
        "data changed in place",
        "{line} changes the data themselves, for `{part}` is a part of them, made in {made}: it "
        "does so anew in each turn, so they change from epoch to epoch.",
        "Take a copy first: `{instead}`.",
    ),
    zh=Words(
        "数据被就地修改",
        "{line}修改的是数据本身，因为 `{part}` 是它的一部分（{made}）：每一轮都再改一次，数据越变越"
        "远。",
        "请先复制一份：`{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(inside="x -= mean\n        x /= std"),
    sound=PROGRAM.format(inside="x = (x - mean) / std"),
    before=("equal_samples",),
)
