"""A rule about an error: the pattern of its message, a test on the evidence, and two programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..rules.rule import Match, Told
from .raised import Raised

ErrorFinder = Callable[[Raised], Match | None]
"""Finds the cause of an error whose message matches, or returns None."""


@dataclass(frozen=True)
class ErrorRule(Told):
    """One cause of an error. `before` are the keys of rules that also match and say less."""

    message: str
    """A pattern of the error's message, which is the same in both libraries."""
    find: ErrorFinder
    broken: str
    """A program that raises the error. The library is called `T`."""
    sound: str
    """A program that looks like it and raises none."""
    before: tuple[str, ...] = ()

    def explain(self, raised: Raised) -> Match | None:
        """Return the finding, with the parts that every sentence may have."""
        if raised.match(self.message) is None:
            return None
        found = self.find(raised)
        return None if found is None else replace(found, parts={**raised.parts, **found.parts})
