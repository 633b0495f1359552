"""A class that a loss leaves out: by `ignore_index`, or by a weight of zero."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from ...model.names import is_tensor
from ...model.values import bare, has_numbers
from ..syntax import calls_in, last_name, names_in, written_number
from .evidence import Evidence, tree_of
from .programs import training
from .rule import Match, Rule, Words
from .signs import paired

MEANT = re.compile(r"pad|void|ignored|unlabel|unknown|missing|background", re.I)
"""Words of programs in which samples without a class stay out on purpose."""


def find_ignored(evidence: Evidence) -> Match | None:
    """Find a loss that ignores a label that is no padding."""
    for line, name, loss, labels in losses(evidence):
        ignored, numbers = loss.get("ignore_index", -100), bare(labels)
        share = float((numbers == ignored).float().mean().item()) if type(ignored) is int else 0.0
        meant = any(MEANT.search(text) for text in evidence.code)
        say, alias = evidence.context.say, end_as_padding(evidence, ignored)
        if 0 < share < 1 and alias is not None:
            cure = say("cure_end_as_padding", made=alias, free=int(numbers.max().item()) + 1)
            parts = {"line": line, "loss": name, "ignored": ignored, "cure": cure}
            return Match({**parts, "share": f"{share:.0%}"}, (name,))
        if 0 < share < 1 and (stands_inside(numbers, ignored) or len(numbers.shape) == 1 > meant):
            parts = {"line": line, "loss": name, "ignored": ignored}
            parts["cure"] = say("cure_ignored_class")
            return Match({**parts, "share": f"{share:.0%}"}, (name,))
    return None


def end_as_padding(evidence: Evidence, ignored: object) -> str | None:
    """Return the line `PAD = EOS` by which the end of a sequence is padding that is ignored."""
    for text in evidence.texts:
        for tree in (n for n in ast.walk(tree_of(text)) if isinstance(n, ast.Assign)):
            pairs = [p for t in tree.targets for p in paired(t, tree.value)]
            for names, value in pairs:
                known = isinstance(value, ast.Name | ast.Attribute) and END.search(
                    ast.unparse(value)
                )
                if known and any(PADDING.search(n) for n in names):
                    if any(evidence.context.variables.get(n) == ignored for n in names):
                        return ast.unparse(tree)
    return None


END = re.compile(r"(?<![a-z])(eos|end|stop|eot|sep)(?![a-z])", re.I)
PADDING = re.compile(r"pad", re.I)


def stands_inside(numbers: Any, which: int) -> bool:
    """Return whether rows have a number between others, as padding never stands."""
    if len(numbers.shape) != 2 or numbers.shape[1] < 3:
        return False
    other = numbers != which
    before, after = other.long().cumsum(1) > 0, other.flip(1).long().cumsum(1).flip(1) > 0
    return bool((~other & before & after).any(1).float().mean().item() > OFTEN)


OFTEN = 0.2
"""Share of rows from which on a number between others is no accident."""


def find_weightless(evidence: Evidence) -> Match | None:
    """Find a loss whose weight of a class is zero, and labels of that class."""
    for line, name, loss, labels in losses(evidence):
        weight = loss.get("weight")
        if not is_tensor(weight) or not has_numbers(weight):
            continue
        kinds = {int(n) for n in bare(labels).reshape(-1).tolist()}
        zero = [i for i, w in enumerate(bare(weight).reshape(-1).tolist()) if w == 0]
        if lost := sorted({*zero} & kinds):
            return Match({"line": line, "loss": name, "lost": lost[0]}, (name,))
    return None


def losses(evidence: Evidence) -> Iterator[tuple[str, str, dict[str, Any], Any]]:
    """Yield the calls of losses of classes: the line, the name, the options and the labels."""
    for statement in (*evidence.lines, *evidence.repeated):
        for call in calls_in(statement.tree):
            loss = evidence.object(call.func)
            options = {w.arg: evaluated(evidence, w.value) for w in call.keywords if w.arg}
            if type(loss).__name__ in ("CrossEntropyLoss", "NLLLoss"):
                options = {name: getattr(loss, name, None) for name in ("ignore_index", "weight")}
            elif last_name(call) not in ("cross_entropy", "nll_loss"):
                continue
            for _, labels in labels_in(evidence, call.args[1]) if len(call.args) > 1 else ():
                yield evidence.context.line(statement), ast.unparse(call.func), options, labels


def evaluated(evidence: Evidence, tree: ast.expr) -> Any:
    """Return the value of a written number or of a variable."""
    written = written_number(tree)
    return evidence.object(tree) if written is None else written


def labels_in(evidence: Evidence, tree: ast.expr) -> Iterator[tuple[str, Any]]:
    """Yield the tensors of whole numbers whose variables an expression reads, with their names."""
    for name in sorted(names_in(tree)):
        value = evidence.context.variables.get(name)
        if is_tensor(value) and not value.is_floating_point() and has_numbers(value):
            yield name, value


PROGRAM = training(
    net="T.nn.Linear(3, 2)",
    data="T.randn(8, 3), T.arange(8) % 2",
    before="criterion = T.nn.CrossEntropyLoss({option})",
    inside="loss = criterion(net(x), y)",
)

IGNORED = Rule(
    key="ignored_class",
    chapter="16",
    en=Words(
        "a class that is ignored",
        "`{loss}` in {line} leaves out the label {ignored} by its `ignore_index`, {share} of the "
        "labels: no sample of that class teaches anything.",
        "{cure}",
    ),
    zh=Words(
        "有一个类别被忽略",
        "{line}的 `{loss}` 因为 `ignore_index` 而忽略标签 {ignored}，它占所有标签的 {share}：这类样"
        "本什么也教不了。",
        "{cure}",
    ),
    find=find_ignored,
    broken=PROGRAM.format(option="ignore_index=0"),
    sound=PROGRAM.format(option="ignore_index=-1"),
)

WEIGHTLESS = Rule(
    key="weightless_class",
    severity=2,
    chapter="16",
    en=Words(
        "a class without weight",
        "`{loss}` in {line} gives class {lost} the weight 0, and there are labels of it: no sample "
        "of that class teaches anything.",
        "Give every class a weight above 0 where `{loss}` is made.",
    ),
    zh=Words(
        "有一个类别的权重是 0",
        "{line}的 `{loss}` 给类别 {lost} 的权重是 0，而标签里有它：这类样本什么也教不了。",
        "请在创建 `{loss}` 时给每个类别大于 0 的权重。",
    ),
    find=find_weightless,
    broken=PROGRAM.format(option="weight=T.tensor([1.0, 0.0])"),
    sound=PROGRAM.format(option="weight=T.tensor([1.0, 0.5])"),
)
