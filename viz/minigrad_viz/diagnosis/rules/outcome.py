"""What can be measured of learning: the loss against that of a guess, and labels against inputs."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from ...model.either_library import version_of
from ...model.names import is_tensor
from ...model.values import bare, has_numbers
from ..reachable import held_by
from ..syntax import calls_in, last_name, names_in
from .evidence import Evidence
from .first_loss import is_mean
from .other_labels import Rows, arrays, data_set_lines, pairs
from .shuffled_apart import names_behind
from .signs import definitions

CHANCES = ("BinaryCrossEntropyWithLogits", "BinaryCrossEntropy")
SQUARES = ("MseLoss", "Mean")

WEIGHED = re.compile(r"weight=|Sampler")
"""Losses with weights, and samples that are drawn with them, have another guess."""

FEWEST = 30
"""Labels from which on their frequencies say something."""

MOST_COMPARED = 400
"""Samples whose nearest neighbours are searched."""

MOST_FEATURES = 2_000
"""Features of which more are not all compared."""

SURE = 2.0
"""Standard deviations by which labels must agree more often than by chance."""


@dataclass(frozen=True)
class Outcome:
    """A loss and that of a guess that knows the labels alone, with the names of the data."""

    value: float
    guess: float
    inputs: str
    labels: str
    neighbours: tuple[float, float]
    """The agreement of labels of nearest neighbours, and that by chance."""
    lines: str
    """The lines that make the data."""
    term: str
    """The term of the loss that is meant, or "" for the loss."""

    @property
    def learned_nothing(self) -> bool:
        return self.value > NEAR * self.guess

    @property
    def unrelated(self) -> bool:
        return self.neighbours[0] <= self.neighbours[1]


NEAR = 0.97
"""A loss above this share of a guess has learned nothing."""


def outcome(evidence: Evidence) -> Outcome | None:
    """Compare the loss of one input and its labels with a guess, or return None."""
    root = evidence.root
    if root is None or root.grad_fn is None or root.numel() != 1 or not has_numbers(root):
        return None
    known = arrays(evidence) if evidence.repeated else {}
    models = {name for name, _ in evidence.modules}
    for inputs, labels in pairs(evidence, known):
        computed = names_behind(evidence, {labels}) & models
        x, y = complete(evidence, known[inputs], known[labels])
        noise = computed or inputs == labels or are_noise(evidence, inputs, labels)
        noise = noise or is_shifted(known[inputs], known[labels])
        guess = None if noise else guess_of(evidence, y)
        if guess is None:
            continue
        name, term = compared(evidence)
        curve = [] if name else curve_of(evidence)
        last = curve[-max(1, len(curve) // 5) :] or [float(bare(term).item())]
        near, lines = agreement_near(x, y), lines_behind(evidence, inputs, labels)
        return Outcome(sum(last) / len(last), guess, inputs, labels, near, lines, name)
    return None


def is_shifted(inputs: Rows, labels: Rows) -> bool:
    """Return whether labels are the next words, which may follow from nothing before them."""
    words = inputs.shape == labels.shape and inputs.dtype.kind in "iu" and inputs.ndim == 2
    return bool(words and np.array_equal(inputs[:, 1:], labels[:, :-1]))


def compared(evidence: Evidence) -> tuple[str, Any]:
    """Return the only term of a sum that compares with labels and its name, or the loss and ""."""
    root, name = evidence.root, evidence.context.name(evidence.root)
    if evidence.kind(root.grad_fn) not in ("Add", "Sub"):
        return "", root
    sums = [v for names, v in definitions(evidence) if names == {name} and isinstance(v, ast.BinOp)]
    found = {}
    for each in {n for value in sums for n in names_in(value)}:
        term: Any = evidence.context.variables.get(each)
        if is_tensor(term) and term.numel() == 1 and has_numbers(term):
            if evidence.kind(term.grad_fn) in ("NllLoss", "MseLoss", *CHANCES):
                found[each] = term
    return next(iter(found.items())) if len(found) == 1 else ("", root)


def are_noise(evidence: Evidence, inputs: str, labels: str) -> bool:
    """Return whether the text draws labels that have nothing to do with their inputs."""
    for call in (c for s in evidence.lines for c in calls_in(s.tree)):
        if last_name(call) == "TensorDataset" and len(call.args) == 2:
            inputs, labels = (ast.unparse(each) for each in call.args)
    if is_drawn(evidence, inputs) and is_drawn(evidence, labels):
        return True
    one, other = (origins(evidence, name) for name in (inputs, labels))
    mine = [v for names, v in definitions_of(evidence) if names & other]
    drawn = all(DRAWN.search(ast.unparse(value)) or names_in(value) & other for value in mine)
    return bool(mine) and drawn and not one & other


CASTS = ("float", "double", "long", "int", "to", "view", "reshape", "unsqueeze", "squeeze", "t",
         "flatten", "permute", "transpose", "clone", "numpy", "from_numpy")  # fmt: skip
"""Calls that compute nothing."""

DRAWN = re.compile(r"\.(rand|randn|randint|normal|bernoulli|arange|ones|zeros|tensor)\(")
"""Calls that make labels of nothing."""


def is_drawn(evidence: Evidence, name: str) -> bool:
    """Return whether a variable is a part of random numbers, and nothing is computed of them."""
    for _ in range(MOST_NAMES):
        values = [v for names, v in definitions_of(evidence) if name in names]
        inner: ast.expr | None = values[0] if len(values) == 1 else None
        while isinstance(inner, ast.Subscript | ast.Attribute | ast.Call):
            if isinstance(inner, ast.Call) and DRAWN.search(ast.unparse(inner.func) + "("):
                return True
            if isinstance(inner, ast.Call) and last_name(inner) not in CASTS:
                return False
            inner = inner.func if isinstance(inner, ast.Call) else inner.value
        if not isinstance(inner, ast.Name):
            return False
        name = inner.id
    return False


def origins(evidence: Evidence, name: str) -> set[str]:
    """Return the names of the data that a variable is made from, itself among them."""
    found, new = {name}, {name}
    while new:
        used = {n for names, v in definitions_of(evidence) if names & new for n in names_in(v)}
        new = {n for n in used - found if holds_data(evidence, n)}
        found |= new
    return found


def holds_data(evidence: Evidence, name: str) -> bool:
    """Return whether a name stands for data, as a number, a module or a function does not."""
    value = evidence.context.variables.get(name)
    return not isinstance(value, int | float | ModuleType | FunctionType) and not callable(value)


def definitions_of(evidence: Evidence) -> Iterator[tuple[set[str], ast.expr]]:
    """Yield variables with what lines put into them: `x[i] += y` counts for `x`."""
    yield from definitions(evidence)
    for statement in evidence.lines:
        for target in getattr(statement.tree, "targets", [getattr(statement.tree, "target", None)]):
            value = getattr(statement.tree, "value", None)
            if isinstance(target, ast.Subscript) and isinstance(value, ast.expr):
                yield names_in(target.value), ast.Tuple([target.slice, value])


def curve_of(evidence: Evidence) -> list[float]:
    """Return the losses of all passes, if each watched iteration had one."""
    seen = evidence.seen
    alone = seen is not None and [p.iteration for p in seen.passes] == [
        *range(1, len(seen.passes) + 1)
    ]
    return seen.curve if seen is not None and alone else []


def guess_of(evidence: Evidence, labels: Rows) -> float | None:
    """Return the mean loss of the best guess that ignores the inputs, if the loss is known."""
    node = compared(evidence)[1].grad_fn
    kind, numbers = evidence.kind(node), labels.ravel()
    if len(numbers) < FEWEST or not np.isfinite(numbers).all():
        return None
    if any(WEIGHED.search(text) for text in evidence.code):
        return None
    shares = np.unique(numbers, return_counts=True)[1] / len(numbers)
    entropy = float(-(shares * np.log(shares)).sum())
    if kind == "NllLoss" and is_mean(node) and labels.dtype.kind in "iu" and len(shares) > 1:
        return entropy
    if kind in CHANCES and {*np.unique(numbers).tolist()} == {0.0, 1.0}:
        return entropy
    squared = kind == "MseLoss" or evidence.kind(evidence.input_of(node)) == "Pow"
    if kind in SQUARES and squared and labels.dtype.kind == "f":
        return float(labels.var(0).mean()) or None
    return None


def complete(evidence: Evidence, batch: Rows, labels: Rows) -> tuple[Rows, Rows]:
    """Return all data of a `TensorDataset` in place of its batch."""
    for value in evidence.context.variables.values():
        tensors: Any = getattr(getattr(value, "dataset", None), "tensors", ())
        here = len(tensors) == 2 and {each.device.type for each in tensors} == {"cpu"}
        if here and tuple(tensors[0].shape[1:]) == batch.shape[1:]:
            return np.from_dlpack(bare(tensors[0])), np.from_dlpack(bare(tensors[1]))
    return batch, labels


def agreement_near(data: Rows, labels: Rows) -> tuple[float, float]:
    """Return how often nearest neighbours have one label, and how often they do by chance.

    Of numbers, it is the correlation, and what chance allows of it.
    """
    x: Rows = data[:MOST_COMPARED].reshape(min(len(data), MOST_COMPARED), -1)
    x = x[:, :: -(-(x.size // len(x)) // MOST_FEATURES)].astype(float)
    y = labels.reshape(len(labels), -1)[:MOST_COMPARED, 0].astype(float)
    x = (x - x.mean(0)) / (x.std(0) + 1e-12)
    with np.errstate(all="ignore"):
        far = (x**2).sum(1)[:, None] + (x**2).sum(1) - 2 * x @ x.T
        np.fill_diagonal(far, math.inf)
        near = y[far.argmin(1)]
        shares = np.unique(y, return_counts=True)[1] / len(y)
        if len(shares) > len(y) / 2:
            found = float(np.corrcoef(near, y)[0, 1])
            return (found, SURE / len(y) ** 0.5) if math.isfinite(found) else (1.0, 0.0)
    chance = float((shares**2).sum())
    sure = SURE * (chance * (1 - chance) / len(y)) ** 0.5
    return float((near == y).mean()), chance + sure


def told(evidence: Evidence, found: Outcome) -> list[str]:
    """Return sentences about a loss, a guess, and labels that do not follow from the inputs."""
    say = evidence.context.say
    if found.term:
        return []
    parts: dict[str, Any] = {"x": found.inputs, "y": found.labels, "lines": found.lines}
    parts |= {"value": f"{found.value:.4g}", "guess": f"{found.guess:.4g}"}
    said = [say("guess_reached" if found.learned_nothing else "guess_costs", **parts)]
    if found.value > UNSURE * found.guess and found.unrelated and found.lines:
        said.append(say("labels_unrelated", **parts))
    return said


def idle(evidence: Evidence) -> list[str]:
    """Return sentences about weights that no optimizer moves, and that nothing has written to."""
    context, held = evidence.context, evidence.held
    said: list[str] = []
    for name, optimizer in evidence.stepping[:1]:
        parts = {"optimizer": name, "where": context.where(context.program.assignment(name))}
        left = [leaf for leaf in evidence.leaves if is_left(evidence, leaf)]
        frozen = [each for each in held_by(optimizer) if not each.requires_grad]
        for key, found in (("weights_left", left), ("weights_frozen", frozen)):
            names = [f"`{evidence.name(each)}`" for each in found]
            if names:
                shown = context.say("and").join(names[:MOST_LINES])
                said.append(context.say(key, names=shown, count=len(names), **parts))
    written = any(".data" in text for text in evidence.code)
    if not held and not written and all(version_of(leaf) <= ANEW for leaf in evidence.leaves):
        names = [f"`{evidence.name(leaf)}`" for leaf in evidence.leaves[:MOST_LINES]]
        said.append(context.say("weights_unwritten", names=context.say("and").join(names)))
    return said


ANEW = 2
"""The version of a weight that was only initialized is at most this."""


def is_left(evidence: Evidence, leaf: Any) -> bool:
    """Return whether a leaf gets a gradient, and no optimizer holds it, though one steps."""
    return id(leaf) not in evidence.held and evidence.gradient(leaf) > 0


UNSURE = 0.8
"""A loss above this share of a guess may have learned single samples by heart."""


def lines_behind(evidence: Evidence, inputs: str, labels: str) -> str:
    """Return the lines of a data set, or those that make the data and what they are made from."""
    context = evidence.context
    lines, names = data_set_lines(evidence), [inputs, labels]
    reading = [s for s in evidence.repeated if inputs in names_in(s.tree)][:1]
    for name in () if lines else names:
        if (made := context.program.assignment(name)) is not None and len(names) < MOST_NAMES:
            lines.append(made)
            names += sorted(names_in(getattr(made.tree, "value", None)) - {*names})
    quoted = dict.fromkeys(context.line(each) for each in (*lines, *reading) if each.text)
    return context.say("and").join([*quoted][:MOST_LINES])


MOST_NAMES, MOST_LINES = 12, 4
