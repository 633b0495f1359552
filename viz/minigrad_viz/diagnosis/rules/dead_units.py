"""Activations that are flat for all that they get: dead ReLUs, saturated sigmoids."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...model.autograd_nodes import is_accumulate, nodes_from
from ..observed import Called, largest
from .data_scale import given, scaled
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

FLAT = {"Relu": "ReLU", "Threshold": "ReLU", "Sigmoid": "Sigmoid", "Tanh": "Tanh",
        "Hardtanh": "Hardtanh", "Hardsigmoid": "Hardsigmoid"}  # fmt: skip
"""Nodes of activations that have no slope far from zero."""

MOSTLY = 0.999
"""Share of flat results from which on an activation passes nothing on."""

LEARNED = 1e-2
"""Below this loss, saturated results are right."""

SMALL = 1e-4
"""Above this, a gradient of the layer below counts."""

FAR = 20.0
"""A weight, a bias or data beyond this saturate a unit by themselves."""

VANISHED = 1e-30
"""Below this, a gradient of zero further down may be a product of many small slopes."""

HOOK = "_hook("
"""Stands in programs that register hooks."""


def find(evidence: Evidence) -> Match | None:
    found = None if evidence.seen is None else find_watched(evidence)
    return found or find_by_gradients(evidence)


def find_watched(evidence: Evidence) -> Match | None:
    """Find activation modules whose results were flat in every watched call."""
    seen = evidence.seen
    if seen is None or seen.iteration < 2:
        return None
    for identity, shares in seen.activations.items():
        if identity in seen.called and min(shares, default=0.0) >= MOSTLY:
            module = seen.called[identity].module
            weights = [w for w in seen.watched.values() if len(w.tensor.shape) > 1]
            if not weights or any(largest(w.tensor) == 0 for w in weights):
                continue  # weights of zero give zero
            if has_learned(evidence) or learns_below(evidence, seen.called[identity]):
                continue
            return describe(evidence, evidence.name(module), type(module).__name__, "")
    return None


def has_learned(evidence: Evidence) -> bool:
    """Return whether the last loss is next to zero, as that of sure and right results is."""
    seen = evidence.seen
    return seen is not None and bool(seen.losses) and abs(seen.losses[-1]) < LEARNED


def learns_below(evidence: Evidence, activation: Called) -> bool:
    """Return whether the layer before an activation gets gradients that count."""
    seen = evidence.seen
    calls = [] if seen is None else [*seen.called.values()]
    for called in reversed(calls[: calls.index(activation)]):
        if called.parameters and {*map(id, called.inside)} == {*map(id, activation.inside)}:
            found = [w for p in called.parameters if (w := evidence.watched(p)) is not None]
            return any(size.largest > SMALL for w in found for size in w.sizes)
    return False


def find_by_gradients(evidence: Evidence) -> Match | None:
    """Find an activation behind which each gradient is zero, and above which one is not."""
    sizes = {id(leaf): evidence.gradient(leaf) for leaf in evidence.leaves}
    if not any(size == 0 for size in sizes.values()) or not any(s > 0 for s in sizes.values()):
        return None
    if any(HOOK in text for text in evidence.code):
        return None  # a hook can make a gradient zero, too
    root = None if evidence.root is None else evidence.root.grad_fn
    for node in evidence.nodes:
        kind = FLAT.get(evidence.kind(node))
        if kind is None or root is None or not first_flat(evidence, node, sizes):
            continue
        around = {*map(id, nodes_from([root], functools.partial(operator.is_, node)))}
        only = [n for n in nodes_from([node]) if is_accumulate(n) and id(n) not in around]
        below = [sizes[id(n.variable)] for n in only]
        if below and all(size == 0 for size in below):
            where = evidence.context.where(evidence.node_line(node))
            match = describe(evidence, "", kind, where, (node,))
            leaves = {id(n.variable): n.variable for n in only}.values()
            large = max(leaves, key=largest)
            if largest(large) > FAR and kind in ("Sigmoid", "Tanh"):
                cure = evidence.context.say("cure_far_weights", t=evidence.name(large))
                match = replace(match, parts={**match.parts, "cure": cure})
            return match
    return None


def first_flat(evidence: Evidence, node: Any, sizes: dict[int, float]) -> bool:
    """Return whether the operation that uses an activation's result gets a gradient.

    Its bias tells: the gradient of the bias is the sum of what comes in.
    """
    for user in evidence.parents.get(id(node), []):
        for before, _ in user.next_functions:
            if before is None or not is_accumulate(before):
                continue
            if sizes.get(id(before.variable), 0) > VANISHED:
                return True
    return False


def describe(
    evidence: Evidence, name: str, kind: str, where: str, culprits: Sequence[Any] = ()
) -> Match:
    relu = kind.startswith("ReLU")
    parts = {"name": f"`{name}` ({kind})" if name else kind, "where": where}
    parts["state"] = evidence.context.say("dead" if relu else "saturated")
    parts["cure"] = evidence.context.say("cure_dead" if relu else "cure_saturated")
    for _, data, value in given(evidence):
        if (most := largest(value)) > FAR:
            instead = scaled(data, value)
            said = {"t": data, "most": f"{most:.3g}", "instead": instead}
            parts["cure"] = evidence.context.say("cure_far_data", **said)
    return Match(parts, (name,) if name else (), tuple(culprits))


PROGRAM = training(
    net="T.nn.Sequential(T.nn.Linear(3, 4), T.nn.ReLU(), T.nn.Linear(4, 1))",
    before="with T.no_grad():\n    net[0].bias.fill_({bias})",
)

RULE = Rule(
    key="dead_units",
    chapter="16",
    en=Words(
        "units without a slope",
        "{name}{where} {state}, so no gradient goes beyond it and the layers below do not learn.",
        "{cure}",
    ),
    zh=Words(
        "单元没有斜率",
        "{name}{where}{state}，所以梯度不能越过它，它下面的层不学习。",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(bias="-1000.0"),
    sound=PROGRAM.format(bias="0.5"),
    before=("zero_input", "zero", "vanishing", "saturated", "saturating_data"),
)
