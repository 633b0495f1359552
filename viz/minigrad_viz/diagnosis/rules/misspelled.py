"""An attribute of a tensor whose name is nearly `requires_grad`."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any

from ...model.program_text import Statement, texts_of
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

MEANT = "requires_grad"


def find(evidence: Evidence) -> Match | None:
    for leaf in evidence.leaves:
        wrong = next((a for a in attributes(leaf) if get_close_matches(a, [MEANT], 1, 0.8)), "")
        lines = writing_lines(evidence, rf"^[^#]*\.{wrong} *=") if wrong else []
        if lines:
            parts = {"line": evidence.context.line(lines[-1]), "wrong": wrong}
            parts["instead"] = lines[-1].text.replace(f".{wrong}", f".{MEANT}")
            return Match({**parts, "t": evidence.name(leaf)}, (evidence.name(leaf),))
    return None


def writing_lines(evidence: Evidence, pattern: str) -> list[Statement]:
    """Return the lines with this pattern: of running functions, or else of the whole text."""
    found = [s for s in evidence.lines if re.search(pattern, s.text)]
    for frame, _ in evidence.context.places if not found else ():
        for text in texts_of(frame):
            lines = enumerate(text.splitlines(), 1)
            here = [(number, line) for number, line in lines if re.search(pattern, line)]
            file = frame.f_code.co_filename
            found += [Statement.at(file, number, line.strip()) for number, line in here]
    return found


def attributes(leaf: Any) -> list[str]:
    """Return the attributes that the program has given to a tensor."""
    return [name for name in getattr(leaf, "__dict__", {}) if not name.startswith("_")]


PROGRAM = training(before="net.bias.{attribute} = True")

RULE = Rule(
    key="misspelled",
    severity=2,
    chapter="15",
    en=Words(
        "a misspelled requires_grad",
        "{line} gives `{t}` a new attribute `{wrong}`, which nothing reads; its `requires_grad` is "
        "still True.",
        "Write `{instead}`.",
    ),
    zh=Words(
        "requires_grad 拼写错误",
        "{line}给 `{t}` 添加了一个没有人读取的新属性 `{wrong}`；它的 `requires_grad` 仍是 True。",
        "请写 `{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(attribute="require_grad"),
    sound=PROGRAM.format(attribute="requires_grad"),
)
