"""A rule about an error: the pattern of its message, a test on the evidence, and two programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..causes import Finding
from ..rules.rule import Match, Told
from .raised import Raised

ErrorFinder = Callable[[Raised], Match | Finding | None]
"""Finds the cause of an error whose message matches, or returns None.

A finding is the answer to another question, such as why a gradient is missing.
"""


@dataclass(frozen=True, kw_only=True)
class ErrorRule(Told):
    """One cause of an error. `before` are the keys of rules that also match and say less.

    `severity` is 3 if no step can run, 2 if only some data or later steps raise the error, and 1 if
    it is raised outside of training.
    """

    message: str
    """A pattern of the error's message, which is the same in both libraries."""
    find: ErrorFinder
    broken: str
    """A program that raises the error. The library is called `T`."""
    sound: str
    """A program that looks like it and raises none."""
    before: tuple[str, ...] = ()
    severity: int = 3

    def explain(self, raised: Raised) -> Finding | None:
        """Return the answer, whose sentences may have the parts of every error."""
        if raised.match(self.message) is None:
            return None
        found = self.find(raised)
        if found is None or isinstance(found, Finding):
            return found
        match = replace(found, parts={**raised.parts, **found.parts})
        finding = Finding(self.key, self.sentences(match, raised.context.language))
        if found.rest is not None:
            finding.topic, finding.shown = found.rest.topic, found.rest.shown
        return finding
