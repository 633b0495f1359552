"""The lines that made what an answer names, for answers that quote no line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ...model.program_text import Statement
from ..silent import find_storing_line
from .evidence import Evidence
from .rule import Match, Rule

PLACE = re.compile(r"\bline \d+ of |第 \d+ 行")
"""The end of a quoted line, in both languages."""

MOST = 3
"""Lines that are quoted."""


def placed(evidence: Evidence, rule: Rule, match: Match) -> Match:
    """Return the match with the lines that made its modules, optimizers and variables.

    A match whose sentences quote a line stays as it is.
    """
    context = evidence.context
    if any(PLACE.search(each) for each in rule.sentences(match, context.language)):
        return match
    made: dict[Statement, str] = {}
    for name, statement in lines_of(evidence, match):
        made.setdefault(statement, name)
    told = [(f"`{name}`", context.line(statement)) for statement, name in made.items()]
    said = [context.say("made_at", t=name, line=line) for name, line in told[:MOST]]
    return replace(match, more=(*match.more, *said)) if said else match


def lines_of(evidence: Evidence, match: Match) -> Iterator[tuple[str, Statement]]:
    """Yield the names of a match with the lines that made what they stand for."""
    context = evidence.context
    optimizer = str(match.parts.get("optimizer", ""))
    for name in (optimizer, *match.names) if optimizer not in match.names else match.names:
        root = re.split(r"[.\[]", name)[0]
        found = find_storing_line(context, name) or context.program.assignment(root)
        if found is not None and found.text:
            path = name.split(".")
            stored = context.program.assignment(root) is not found
            yield ".".join(path[:2]) if stored else root, found
