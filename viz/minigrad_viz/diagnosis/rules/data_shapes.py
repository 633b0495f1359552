"""Data that a line has spoiled: fractions cut off."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...model.names import is_tensor
from ...model.program_text import Statement, assigned
from ...model.values import bare, dense, has_numbers, shape_of
from ..syntax import calls_in, last_name
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

MOSTLY = 0.95
"""Share of equal numbers from which on data say nothing."""


def method_calls(evidence: Evidence, *names: str) -> Iterator[tuple[Statement, ast.Call, Any]]:
    """Yield the calls of a method of a tensor that a variable holds."""
    for statement in evidence.lines:
        for call in calls_in(statement.tree):
            if isinstance(call.func, ast.Attribute) and call.func.attr in names:
                value = evidence.context.variables.get(ast.unparse(call.func.value))
                if is_tensor(value) or (isinstance(value, np.ndarray) and "view" in names):
                    yield statement, call, value


INTEGERS = ("long", "int", "short", "byte", "char")


def find_cut_off(evidence: Evidence) -> Match | None:
    """Find numbers that are alike once their fractions are cut off, and were not before."""
    for statement, call, value in method_calls(evidence, *INTEGERS):
        if value.is_floating_point() and varies(value) and share_of_equal(value.trunc()) > MOSTLY:
            name = ast.unparse(call.func)
            return describe(evidence, statement, f"{name}()", "cure_cut_fractions", name)
    for statement in evidence.lines:
        tree = statement.tree
        part = tree.value if isinstance(tree, ast.Assign) else None
        while isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
            part = part.func.value  # `(x // 255).float()`
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.FloorDiv):
            before = evidence.context.variables.get(ast.unparse(part.left))
            after = evidence.context.variables.get(min(assigned(tree), default=""))
            if not is_tensor(before) or not is_tensor(after):
                continue
            if before is not after and not varies(before):
                continue
            if shape_of(before) == shape_of(after) and share_of_equal(after) > MOSTLY:
                text = ast.unparse(part)
                instead = text.replace("//", "/")
                return describe(evidence, statement, text, "cure_floor_division", instead)
    return find_whole_targets(evidence)


def find_whole_targets(evidence: Evidence) -> Match | None:
    """Find whole numbers that are all alike, subtracted from results, and the line that made them.

    The line gives a constructor the dtype: `tensor(mark, dtype=torch.long)`.
    """
    differences = [
        n
        for s in evidence.repeated
        for n in ast.walk(s.tree or ast.Pass())
        if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Sub)
    ]
    targets = [value for n in differences if is_tensor(value := evidence.object(n.right))]
    if not any(
        not t.is_floating_point() and share_of_equal(t) > MOSTLY and t.numel() > 7 for t in targets
    ):
        return None
    for statement in (*evidence.lines, *evidence.written):
        for call in calls_in(statement.tree):
            words = [w for w in call.keywords if w.arg == "dtype"]
            if last_name(call) in MAKING and words and ast.unparse(words[0].value).endswith(WHOLE):
                what = ast.unparse(call)
                kind = ast.unparse(words[0].value).rpartition(".")[0]
                instead = what.replace(ast.unparse(words[0].value), f"{kind}.float32")
                return describe(evidence, statement, what, "cure_floor_division", instead)
    return None


MAKING = ("tensor", "as_tensor", "asarray")
WHOLE = ("long", "int64", "int32", "int")


def describe(evidence: Evidence, statement: Statement, what: str, cure: str, instead: str) -> Match:
    context = evidence.context
    said = context.say(cure, instead=instead)
    return Match({"line": context.line(statement), "what": what, "cure": said})


def varies(tensor: Any) -> bool:
    """Return whether a tensor of several numbers has no number in most places."""
    return bool(tensor.numel() > 7 and share_of_equal(tensor) < 1 - MOSTLY / 2)


def share_of_equal(tensor: Any) -> float:
    """Return the share of the elements that are equal to the median."""
    if not has_numbers(tensor) or not tensor.numel():
        return 0.0
    numbers = dense(bare(tensor)).reshape(-1)
    middle = numbers.sort()[0][len(numbers) // 2]
    return float((numbers == middle).float().mean().item())


WORDS = training(
    first="table = T.nn.Embedding(50, 4)\nhead = T.nn.Linear(4, 1)",
    net="",
    opt="T.optim.SGD([*table.parameters(), *head.parameters()], lr=0.1)",
    data="",
    before="ids, y = T.rand(8, 5) * {largest}, T.randn(8, 1)",
    inside="loss = (head(table(ids.long()).mean(1)) - y).pow(2).mean()",
)

CUT_OFF = Rule(
    key="fractions_cut_off",
    chapter="6",
    en=Words(
        "data cut to whole numbers",
        "In {line}, `{what}` makes whole numbers, and nearly all of them are equal: the data say "
        "nothing after it.",
        "{cure}",
    ),
    zh=Words(
        "数据被截成整数",
        "在{line}里，`{what}` 得到整数，而且几乎全都相等：之后的数据不含任何信息。",
        "{cure}",
    ),
    find=find_cut_off,
    broken=WORDS.format(largest=1),
    sound=WORDS.format(largest=50),
    before=("zero_input", "alike_outputs", "zero"),
)
