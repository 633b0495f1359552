"""Weights that all start at zero, so that each keeps the gradient of the others at zero."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...model.program_text import Program, Statement
from ..observed import largest
from ..syntax import as_code
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

ZEROS = re.compile(r"zeros?_\(|fill_\(0|constant_\([^,]*, *0|\bzeros(_like)?\(")


def find(evidence: Evidence) -> Match | None:
    """Find several weights that are exactly zero and have gradients that are exactly zero."""
    if evidence.seen is not None and evidence.seen.iteration < 2:
        return None
    leaves = [leaf for leaf in evidence.leaves if len(leaf.shape) > 1]
    zeros = [leaf for leaf in leaves if evidence.gradient(leaf) == 0 == largest(leaf)]
    if len(zeros) < 2:
        return None
    names = sorted(evidence.name(leaf) for leaf in zeros)
    lines = [s for s in evidence.lines if ZEROS.search(s.text)]
    own = [s for s in lines if any(s.text.startswith(f"{name} =") for name in names)]
    filled = own or [s for s in lines if "_(" in s.text] or list(filling(evidence))
    where = evidence.context.where(filled[0]) if filled else ""
    shown = evidence.context.say("and").join(f"`{name}`" for name in names[:MOST])
    code = ", ".join(as_code(name) for name in names[:MOST])
    return Match({"names": shown, "where": where, "code": code}, tuple(names))


MOST = 4
"""Weights that are named."""


def filling(evidence: Evidence) -> Iterator[Statement]:
    """Yield lines of functions that fill a tensor with zeros, wherever they are called."""
    for frame, _ in evidence.context.places[:1]:
        for program, _ in Program.functions(frame):
            yield from (s for s in program.statements if ZEROS.search(s.text) and "_(" in s.text)


PROGRAM = training(
    net="T.nn.Sequential(T.nn.Linear(3, 4), T.nn.ReLU(), T.nn.Linear(4, 2))",
    data="T.randn(8, 3), T.randn(8, 2)",
    before="T.nn.init.zeros_(net[0].weight)\n{last}",
)

RULE = Rule(
    key="zero_start",
    chapter="15",
    en=Words(
        "weights that start at zero",
        "{names} are all zero{where}, and so are their gradients: each is multiplied by the other, "
        "so they stay at zero.",
        "Begin with small random numbers: `for w in ({code}): {nn}.init.normal_(w, std=0.1)`.",
    ),
    zh=Words(
        "权重从零开始",
        "{names} 全是零{where}，它们的梯度也全是零：它们彼此相乘，所以一直是零。",
        "请从小的随机数开始：`for w in ({code}): {nn}.init.normal_(w, std=0.1)`。",
    ),
    find=find,
    broken=PROGRAM.format(last="T.nn.init.zeros_(net[2].weight)\nT.nn.init.zeros_(net[0].bias)"),
    sound=PROGRAM.format(last="T.nn.init.normal_(net[2].weight)"),
    before=("zero_input", "zero", "dead_units", "flat_output", "alike_units"),
)
