"""What can become of a history, and how the fates of several values join.

Fates are values: nothing here reads a program or a tensor.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from ..model.program import Statement


@dataclass(frozen=True)
class Cut:
    """A step behind which there is no history. `key` says which kind, `what` is its text, `other`
    that of what had a history; `later` are the lines in which it would have ended again.
    """

    key: str
    statement: Statement
    what: str
    other: str
    instead: str = ""
    later: tuple[Statement, ...] = ()


@dataclass(frozen=True)
class Fate:
    """What became of the history of a value: it is there ("live"), it never was ("plain"), or it
    was "cut"; "unknown" if the text does not say.
    """

    kind: str
    cuts: tuple[Cut, ...] = ()
    frozen: tuple[tuple[str, Any], ...] = ()
    """Modules without a parameter that requires grad, by the name they have where they are used."""
    plain: tuple[tuple[str, Statement], ...] = ()
    """The lines that made tensors which do not require grad, and what these are called; where a
    history is there, what the value may have been in its place."""
    parts: tuple[Fate, ...] = ()
    """Of a tuple, the fates of its elements."""
    fields: tuple[tuple[str, Fate], ...] = ()
    """The same of what an object or a dict was made with, by name."""
    passed: frozenset[int] = frozenset()
    """Frozen modules, by identity, through which a history has come all the same."""

    def cut(self, key: str, statement: Statement, what: str, other: str, instead: str = "") -> Fate:
        """What is left behind a step that has no slope, or leaves the graph."""
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
"""What a variable had in the turn before, where that is just being asked: it adds nothing."""


def together(fates: Iterable[Fate]) -> Fate:
    """What is computed from several values."""
    found = list(fates)
    cuts = tuple(dict.fromkeys(cut for fate in found for cut in fate.cuts))
    frozen = tuple({id(m): (n, m) for fate in found for n, m in fate.frozen}.values())
    plain = tuple(dict.fromkeys(made for fate in found for made in fate.plain))
    passed = frozenset().union(*(fate.passed for fate in found))
    kinds = {fate.kind for fate in found}
    if "live" in kinds:  # whatever was frozen or plain beside it
        others = tuple(dict.fromkeys(m for f in found if f.kind == "live" for m in f.plain))
        return Fate("live", (), (), others, passed=passed | {id(module) for _, module in frozen})
    kind = next((k for k in ("again", "cut", "unknown") if k in kinds), "plain")
    return Fate(kind, cuts, frozen, plain, passed=passed)


def one_of(fates: Iterable[Fate]) -> Fate:
    """One of several values, of which it is known that its history has ended."""
    found = list(fates)
    found = [fate for fate in found if fate.kind != "again"] or found
    joined = together(found)
    kinds = {fate.kind for fate in found}
    kind = next((k for k in ("cut", "unknown", "live", "again") if k in kinds), "plain")
    lengths = {len(fate.parts) for fate in found}
    several = zip(*(fate.parts for fate in found), strict=True) if len(lengths) == 1 else ()
    cuts = tuple(dict.fromkeys(cut for fate in found if fate.kind == kind for cut in fate.cuts))
    parts = tuple(one_of(each) for each in several)
    fields = found[0].fields if len(found) == 1 else ()
    plain = tuple(dict.fromkeys(made for fate in found for made in fate.plain))
    return replace(joined, kind=kind, cuts=cuts, parts=parts, fields=fields, plain=plain)
