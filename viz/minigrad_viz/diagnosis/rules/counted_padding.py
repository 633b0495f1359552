"""Padding among the labels of a sequence, which the loss counts as a class."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...model.program_text import Statement
from ...model.values import bare
from ..syntax import calls_in, last_name
from .evidence import Evidence
from .left_out_class import labels_in
from .programs import training
from .rule import Match, Rule, Words

SHARE = 0.1
"""Share of padding among the labels from which on it counts."""


def find(evidence: Evidence) -> Match | None:
    for name, module in evidence.modules:
        for path, each in module.named_modules():
            padding = getattr(each, "padding_idx", None)
            if type(padding) is not int:
                continue
            if not any(p is leaf for p in each.parameters() for leaf in evidence.leaves):
                continue
            for statement, labels in uses(evidence, padding):
                if ends_in(bare(evidence.context.variables[labels]), padding):
                    parts = {"t": labels, "line": evidence.context.line(statement)}
                    table = f"{name}.{path}".rstrip(".")
                    return Match({**parts, "padding": padding, "table": table}, (labels,))
    return None


def uses(evidence: Evidence, padding: int) -> Iterator[tuple[Statement, str]]:
    """Yield the variables that are labels of a loss that ignores nothing, with the line."""
    for statement in (*evidence.lines, *evidence.repeated):
        for call in calls_in(statement.tree):
            loss = evidence.object(call.func)
            known = type(loss).__name__ in ("CrossEntropyLoss", "NLLLoss")
            words = {word.arg for word in call.keywords}
            if (known and loss.ignore_index == padding) or len(call.args) < 2:
                continue
            if not known and (last_name(call) != "cross_entropy" or {"ignore_index"} & words):
                continue
            if (known and loss.reduction != "mean") or words & {"reduction", "weight"}:
                continue
            for name, value in labels_in(evidence, call.args[1]):
                if len(value.shape) == 2 and isinstance(call.args[1], ast.Name | ast.Call):
                    yield statement, name


def ends_in(labels: Any, padding: int) -> bool:
    """Return whether rows end in padding, which stands nowhere else, and in good number."""
    padded = labels == padding
    after = padded[:, :-1] & ~padded[:, 1:]
    share = float(padded.float().mean().item())
    return not bool(after.any()) and SHARE < share < 1 and not bool(padded[:, 0].all())


PROGRAM = training(
    first="table = T.nn.Embedding(9, 4, padding_idx=0)\nout = T.nn.Linear(4, 9)",
    net="",
    opt="T.optim.SGD([*table.parameters(), *out.parameters()], lr=0.1)",
    data="",
    before="words = T.randint(1, 9, (8, 6))\n"
    "words[:, 4:] = 0\n"
    "criterion = T.nn.CrossEntropyLoss({option})",
    inside="given, labels = words[:, :-1], words[:, 1:]\n"
    "loss = criterion(out(table(given)).transpose(1, 2), labels)",
)

RULE = Rule(
    key="counted_padding",
    severity=2,
    chapter="16",
    en=Words(
        "padding that counts",
        "The rows of `{t}` end in {padding}, the padding of `{table}`, and the loss in {line} "
        "counts it as a word: the model learns to say padding.",
        "Give the loss `ignore_index={padding}`.",
    ),
    zh=Words(
        "填充也计入损失",
        "`{t}` 的各行以 {padding} 结尾，那是 `{table}` 的填充，而{line}的损失把它当成一个词：模型学"
        "着输出填充。",
        "请给损失加上 `ignore_index={padding}`。",
    ),
    find=find,
    broken=PROGRAM.format(option=""),
    sound=PROGRAM.format(option="ignore_index=0"),
)
