"""Fates of a value's history, and how the fates of several values combine.

Fates are values: nothing here reads a program or a tensor.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from ..model.program_text import Statement


@dataclass(frozen=True)
class Cut:
    """A step that ends a history.

    `key` is its kind, `what` its text, and `other` the text of the value with a history. `later`
    are lines that would have ended the history again.
    """

    key: str
    statement: Statement
    what: str
    other: str
    instead: str = ""
    later: tuple[Statement, ...] = ()


@dataclass(frozen=True)
class Fate:
    """The fate of a value's history.

    `kind` is "live" if it exists, "plain" if there never was one, and "cut" if it ended. It is
    "unknown" if the text does not tell.
    """

    kind: str
    cuts: tuple[Cut, ...] = ()
    frozen: tuple[tuple[str, Any], ...] = ()
    """Modules without a parameter that requires grad, by their name where they are used."""
    plain: tuple[tuple[str, Statement], ...] = ()
    """Lines that made tensors without requires_grad, and the names of these tensors.

    For a live value, they are what the value may be instead.
    """
    parts: tuple[Fate, ...] = ()
    """The fates of a tuple's elements."""
    fields: tuple[tuple[str, Fate], ...] = ()
    """The fates of an object's or a dict's fields, by name."""
    passed: frozenset[int] = frozenset()
    """Frozen modules, by identity, that a history has still passed through."""

    def cut(self, key: str, statement: Statement, what: str, other: str, instead: str = "") -> Fate:
        """Return the fate after a step that has no slope, or that leaves the graph."""
        if self.kind == "live":
            return Fate("cut", (Cut(key, statement, what, other, instead),), passed=self.passed)
        if self.kind != "cut" or statement.tree is None:
            return self
        cuts = tuple(
            c
            if c.statement == statement or statement in c.later or key in ("in_block", "decorated")
            else replace(c, later=(*c.later, statement))
            for c in self.cuts
        )
        return replace(self, cuts=cuts)


LIVE, PLAIN, UNKNOWN = Fate("live"), Fate("plain"), Fate("unknown")
AGAIN = Fate("again")
"""A variable's fate in the last iteration, while that is being followed; it adds nothing."""


def combine(fates: Iterable[Fate]) -> Fate:
    """Return the fate of a value that is computed from several values."""
    found = list(fates)
    cuts = tuple(dict.fromkeys(cut for fate in found for cut in fate.cuts))
    frozen = tuple({id(m): (n, m) for fate in found for n, m in fate.frozen}.values())
    plain = tuple(dict.fromkeys(made for fate in found for made in fate.plain))
    passed = frozenset().union(*(fate.passed for fate in found))
    kinds = {fate.kind for fate in found}
    if "live" in kinds:  # frozen or plain inputs do not matter then
        others = tuple(dict.fromkeys(m for f in found if f.kind == "live" for m in f.plain))
        return Fate("live", (), (), others, passed=passed | {id(module) for _, module in frozen})
    kind = next((k for k in ("again", "cut", "unknown") if k in kinds), "plain")
    return Fate(kind, cuts, frozen, plain, passed=passed)


def one_of(fates: Iterable[Fate]) -> Fate:
    """Return the fate of one of several values, whose history is known to have ended."""
    found = list(fates)
    found = [fate for fate in found if fate.kind != "again"] or found
    joined = combine(found)
    kinds = {fate.kind for fate in found}
    kind = next((k for k in ("cut", "unknown", "live", "again") if k in kinds), "plain")
    lengths = {len(fate.parts) for fate in found}
    several = zip(*(fate.parts for fate in found), strict=True) if len(lengths) == 1 else ()
    cuts = tuple(dict.fromkeys(cut for fate in found if fate.kind == kind for cut in fate.cuts))
    parts = tuple(one_of(each) for each in several)
    fields = found[0].fields if len(found) == 1 else ()
    plain = tuple(dict.fromkeys(made for fate in found for made in fate.plain))
    return replace(joined, kind=kind, cuts=cuts, parts=parts, fields=fields, plain=plain)
