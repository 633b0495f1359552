"""Labels that belong to other samples, as the rows of the data themselves show."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...model.names import is_tensor
from ...model.program_text import Statement
from ...model.values import bare, dense, has_numbers
from ..objects import is_library
from ..silent import statements_of
from ..syntax import calls_in, names_in
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .shuffled_apart import is_loss, names_behind
from .signs import definitions
from .uniform_noise import given_to, losses_in
from .unused_result import line_of
from .unused_result import places as parts_of_text

FEWEST, MOST_ROWS = 8, 20_000
"""Samples from which on equality is no chance, and those that are compared at most."""

BY_CHANCE = 0.1
"""Agreement this far above that of a guess may be a label with noise."""

Rows = np.ndarray[Any, Any]


def find(evidence: Evidence) -> Match | None:
    """Find a batch whose rows are found in the data, where the labels say something else."""
    known = arrays(evidence) if evidence.repeated else {}
    for name, labels in pairs(evidence, known):
        mine = known[labels].ravel()
        for source, places in sources(known, name) if len(mine) == len(known[name]) else ():
            others = [
                n for n, v in known.items() if n != labels and could_be(v, mine, known[source])
            ]
            first = [other_place(known[n].ravel(), mine, places) for n in others]
            if first and None not in first:
                at, other = first[0] or 0, known[others[0]].ravel()
                share = f"{agreement(other, mine, places):.0%}"
                parts = {"x": name, "y": labels, "source": source, "other": others[0]}
                parts |= {"at": str(at), "place": str(places[at]), "own": str(other[places[at]])}
                parts |= {"given": str(mine[at]), "share": share}
                return Match({**parts, "lines": made_in(evidence, name, labels)}, (name, labels))
    return None


def find_first_rows(evidence: Evidence) -> Match | None:
    """Find the loss of `out[places]` and `y[: len(places)]`: the labels of the first samples."""
    for part in parts_of_text(evidence):
        for tree, call in losses_in(evidence, part):
            first, second = (given_to(part, each) for each in call.args)
            chosen = (n.slice for n in ast.walk(first) if isinstance(n, ast.Subscript))
            names = [each for each in chosen if isinstance(each, ast.Name)]
            line = line_of(evidence, tree)
            for index in names if line is not None else ():
                text = first_of(evidence, second, index)
                if text and line is not None:
                    parts = {"line": evidence.context.line(line), "x": index.id, "y": text}
                    return Match({**parts, "instead": f"{text}[{index.id}]"}, (index.id,))
    return None


def first_of(evidence: Evidence, labels: ast.expr, index: ast.Name) -> str:
    """Return `y` for `y[: len(index)]` if the index holds other places than the first, or ""."""
    match labels:
        case ast.Subscript(slice=ast.Slice(lower=None, upper=ast.expr() as upper, step=None)):
            given = [v for names, v in definitions(evidence) if names == {index.id}]
            known = [evidence.object(each) for each in (index, *given)]
            found = [v for v in known if is_tensor(v) and v.dim() == 1 and has_numbers(v)]
            whole = [v for v in found if not v.is_floating_point() and "bool" not in str(v.dtype)]
            lengths = (f"len({index.id})", f"{index.id}.shape[0]", f"{index.id}.size(0)")
            number = getattr(upper, "value", evidence.object(upper))
            own = evidence.object(labels.value)
            for each in whole if is_tensor(own) and own.dim() else ():
                count = ast.unparse(upper) in lengths or number == len(each)
                if count and len(own) > len(each) and each.tolist() != [*range(len(each))]:
                    return ast.unparse(labels.value)
    return ""


def arrays(evidence: Evidence) -> dict[str, Rows]:
    """Return the data that variables hold, as arrays."""
    found = {}
    for name, value in evidence.context.variables.items():
        if is_tensor(value) and not value.requires_grad and has_numbers(value):
            if value.device.type != "cpu":
                continue
            try:  # after numpy(), the program could no longer resize the tensor's memory
                value = np.from_dlpack(dense(bare(value)))
            except (BufferError, RuntimeError, TypeError):
                continue
        if issubclass(type(value), np.ndarray) and value.ndim and FEWEST <= len(value) <= MOST_ROWS:
            if value.dtype.kind in "fiub":
                found[name] = value
    return found


def sources(known: dict[str, Rows], name: str) -> Iterator[tuple[str, Rows]]:
    """Yield the data that have each row of a batch, with its places there."""
    batch = known[name]
    for source, whole in known.items():
        if source != name and whole.shape[1:] == batch.shape[1:]:
            if (places := places_in(batch, whole)) is not None:
                yield source, places


def pairs(evidence: Evidence, known: dict[str, Rows]) -> Iterator[tuple[str, str]]:
    """Yield the only input of a loss with its labels, one row for each of its rows."""
    for call in (c for s in evidence.repeated for c in calls_in(s.tree)):
        if len(call.args) < 2 or not is_loss(evidence, call):
            continue
        given = names_behind(evidence, names_in(call.args[0])) & known.keys()
        given = {n for n in given if known[n].ndim > 1 and known[n].size > len(known[n])}
        for labels in sorted(names_in(call.args[1]) & known.keys()):
            if len(given) == 1 and len(known[labels]) == len(known[min(given)]):
                yield min(given), labels


def places_in(batch: Rows, whole: Rows) -> Rows | None:
    """Return for each row the place of the equal row in the data, if there is just one."""
    places = {row.tobytes(): place for place, row in enumerate(np.ascontiguousarray(whole))}
    if len(places) < len(whole) or batch.dtype != whole.dtype:
        return None
    found = [places.get(row.tobytes(), -1) for row in np.ascontiguousarray(batch)]
    return None if -1 in found else np.array(found)


def could_be(labels: Rows, mine: Rows, whole: Rows) -> bool:
    """Return whether an array has the labels of all data, of the kind of the batch's."""
    alike = labels.dtype == mine.dtype and labels.size == len(labels) == len(whole)
    numbers = alike and labels.dtype.kind != "f" and len(np.unique(labels)) > len(labels) / 2
    return bool(alike and not numbers and np.isin(mine, labels).all())


def other_place(labels: Rows, mine: Rows, places: Rows) -> int | None:
    """Return the first place with the label of another sample, or None if they may belong.

    A new name for each class is no other label, and neither is a label with some noise.
    """
    own, given = labels[places], mine
    if len(np.unique(own)) < 2 or len({*zip(own.tolist(), given.tolist(), strict=True)}) <= len(
        np.unique(own)
    ):
        return None
    guess = sum(float((own == v).mean() * (given == v).mean()) for v in np.unique(given))
    if agreement(labels, mine, places) > guess + BY_CHANCE + 1 / len(given) ** 0.5:
        return None
    if (places == places[0] + np.arange(len(places))).all():  # in order: only a shift is sure
        shifted = any((np.roll(labels, by)[places] == given).all() for by in (-1, 1))
        if not shifted:
            return None
    return int(np.argmax(own != given))


def agreement(labels: Rows, mine: Rows, places: Rows) -> float:
    return float((labels[places] == mine).mean())


def made_in(evidence: Evidence, name: str, labels: str) -> str:
    """Return the lines that make a batch and its labels, in a data set or before the loop."""
    context = evidence.context
    made = [context.program.assignment(each) for each in (name, labels)]
    found = data_set_lines(evidence) or [s for s in made if s is not None]
    return context.say("and").join(dict.fromkeys(context.line(s) for s in found if s.text))


def data_set_lines(evidence: Evidence, count: int = 1) -> list[Statement]:
    """Return the last lines of `__getitem__` of the program's data sets of tensors with rows."""
    found: dict[Statement, None] = {}
    for value in evidence.context.variables.values():
        kind = type(getattr(value, "dataset", value))
        if not is_library(kind):
            found |= dict.fromkeys(statements_of(kind, "__getitem__")[-count:])
    return [*found]


PROGRAM = training(
    net="T.nn.Linear(3, 2)",
    data="",
    before="data, classes = T.randn(40, 3), T.arange(40) % 2\n"
    "order = T.randperm(40)\n"
    "x, y = data[order], classes[{order}]",
    inside="loss = T.nn.functional.cross_entropy(net(x), y)",
)

CHOSEN = training(
    net="T.nn.Linear(3, 2)",
    data="",
    before="data, classes = T.randn(40, 3), T.arange(40) % 2\nchosen = T.randperm(40)[:20]",
    inside="out = net(data)\nloss = T.nn.functional.cross_entropy(out[chosen], {labels})",
)

RULE = Rule(
    key="other_labels",
    chapter="14",
    en=Words(
        "labels of other samples",
        "Row {at} of `{x}` is row {place} of `{source}`, where `{other}` has {own}, and `{y}` has "
        "{given} for it: of all rows, {share} have the label of their sample. They come from "
        "{lines}.",
        "Take a sample and its label by the same index.",
    ),
    zh=Words(
        "别的样本的标签",
        "`{x}` 的第 {at} 行就是 `{source}` 的第 {place} 行，`{other}` 在那里是 {own}，而 `{y}` 给它"
        "的是 {given}：所有行中只有 {share} 带着自己样本的标签。它们来自{lines}。",
        "请用同一个下标取样本和它的标签。",
    ),
    find=find,
    broken=PROGRAM.format(order="T.randperm(40)"),
    sound=PROGRAM.format(order="order"),
)

FIRST_ROWS = Rule(
    key="first_labels",
    chapter="14",
    en=Words(
        "labels of the first samples",
        "{line} takes the results at the places in `{x}` and the first labels of `{y}`: a result "
        "stands next to the label of another sample.",
        "Take both by the same places: `{instead}`.",
    ),
    zh=Words(
        "最前面几个样本的标签",
        "{line}按 `{x}` 里的位置取结果，却取 `{y}` 最前面的标签：一个结果对着的是别的样本的标签。",
        "请按相同的位置取两者：`{instead}`。",
    ),
    find=find_first_rows,
    broken=CHOSEN.format(labels="classes[: len(chosen)]"),
    sound=CHOSEN.format(labels="classes[chosen]"),
)
