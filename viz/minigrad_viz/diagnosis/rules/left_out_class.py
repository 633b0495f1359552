"""A class that a loss leaves out: by `ignore_index`, or by a weight of zero."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...model.names import is_tensor
from ...model.values import bare, has_numbers
from ..syntax import calls_in, names_in
from .evidence import Evidence
from .rule import Match, Rule, Words


def find_ignored(evidence: Evidence) -> Match | None:
    """Find a loss that ignores one class of labels, and of which one other class is left."""
    for line, name, loss, labels in losses(evidence):
        ignored = getattr(loss, "ignore_index", -100)
        kinds = {int(n) for n in bare(labels).reshape(-1).tolist()}
        if ignored in kinds and len(kinds) == 2:
            parts = {"line": line, "loss": name, "ignored": ignored}
            return Match({**parts, "other": min(kinds - {ignored})}, (name,))
    return None


def find_weightless(evidence: Evidence) -> Match | None:
    """Find a loss whose weight of a class is zero, and labels of that class."""
    for line, name, loss, labels in losses(evidence):
        weight = getattr(loss, "weight", None)
        if not is_tensor(weight) or not has_numbers(weight):
            continue
        kinds = {int(n) for n in bare(labels).reshape(-1).tolist()}
        zero = [i for i, w in enumerate(bare(weight).reshape(-1).tolist()) if w == 0]
        if lost := sorted({*zero} & kinds):
            return Match({"line": line, "loss": name, "lost": lost[0]}, (name,))
    return None


def losses(evidence: Evidence) -> Iterator[tuple[str, str, Any, Any]]:
    """Yield the calls of losses of classes: the line, the name, the module and the labels."""
    for statement in (*evidence.lines, *evidence.repeated):
        for call in calls_in(statement.tree):
            loss = evidence.object(call.func)
            if type(loss).__name__ not in ("CrossEntropyLoss", "NLLLoss") or len(call.args) < 2:
                continue
            for _, labels in labels_in(evidence, call.args[1]):
                line = evidence.context.line(statement)
                yield line, ast.unparse(call.func), loss, labels


def labels_in(evidence: Evidence, tree: ast.expr) -> Iterator[tuple[str, Any]]:
    """Yield the tensors of whole numbers whose variables an expression reads, with their names."""
    for name in sorted(names_in(tree)):
        value = evidence.context.variables.get(name)
        if is_tensor(value) and not value.is_floating_point() and has_numbers(value):
            yield name, value


PROGRAM = """
net = T.nn.Linear(3, 2)
criterion = T.nn.CrossEntropyLoss({option})
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 3), T.arange(8) % 2
for i in range(4):
    opt.zero_grad()
    loss = criterion(net(x), y)
    loss.backward()
    opt.step()
"""

IGNORED = Rule(
    key="ignored_class",
    severity=3,
    chapter="16",
    words={
        "en": Words(
            "a class that is ignored",
            "`{loss}` in {line} leaves out the label {ignored} by its `ignore_index`, and the only "
            "other label is {other}: there is nothing to tell apart.",
            "Leave `ignore_index` out where `{loss}` is made.",
        ),
        "zh": Words(
            "有一个类别被忽略",
            "{line}的 `{loss}` 因为 `ignore_index` 而忽略标签 {ignored}，剩下的标签只有 {other}："
            "没有什么可以区分。",
            "请在创建 `{loss}` 时去掉 `ignore_index`。",
        ),
    },
    find=find_ignored,
    broken=PROGRAM.format(option="ignore_index=0"),
    sound=PROGRAM.format(option="ignore_index=-1"),
)

WEIGHTLESS = Rule(
    key="weightless_class",
    severity=2,
    chapter="16",
    words={
        "en": Words(
            "a class without weight",
            "`{loss}` in {line} gives class {lost} the weight 0, and there are labels of it: no "
            "sample of that class teaches anything.",
            "Give every class a weight above 0 where `{loss}` is made.",
        ),
        "zh": Words(
            "有一个类别的权重是 0",
            "{line}的 `{loss}` 给类别 {lost} 的权重是 0，而标签里有它：这类样本什么也教不了。",
            "请在创建 `{loss}` 时给每个类别大于 0 的权重。",
        ),
    },
    find=find_weightless,
    broken=PROGRAM.format(option="weight=T.tensor([1.0, 0.0])"),
    sound=PROGRAM.format(option="weight=T.tensor([1.0, 0.5])"),
)
