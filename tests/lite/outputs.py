"""Compare a lesson's outputs in the browser with those that CPython stored in the notebook.

Compared is what `make test` compares of a lesson that CPython runs again: texts, streams, pictures,
the name and the message of an error; with the same patterns for what may differ
(nbval_sanitize.cfg) and the same tolerance for last digits.
"""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.numbers import alike

PATTERNS = Path(__file__).parents[1] / "lessons" / "nbval_sanitize.cfg"
NOT_COMPARED = ("image/png", "application/vnd.jupyter.widget-view+json")
CLASS = re.compile(r"<class '(?:\w+\.)*(\w+)'>")
"""How the kernel names an error: by the class's own text."""


def patterns() -> list[tuple[str, str]]:
    """Patterns to replace in a text before it is compared, and their replacements."""
    parser = configparser.RawConfigParser()
    parser.read(PATTERNS, encoding="utf-8")
    return [(parser[name]["regex"], parser[name]["replace"]) for name in parser.sections()]


def text_of(value: Any) -> str:
    return "".join(value) if isinstance(value, list) else str(value)


def said(cell: dict[str, Any]) -> list[tuple[str, str]]:
    """Return a cell's outputs: pairs of a kind and a text, with streams of one name joined."""
    streams: dict[str, str] = {}
    shown: list[tuple[str, str]] = []
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            streams[output["name"]] = streams.get(output["name"], "") + text_of(output["text"])
        elif output["output_type"] == "error":
            shown.append(("error", CLASS.sub(r"\1", output["ename"])))
            shown.append(("message", output["evalue"]))
        else:
            kinds = output["data"].items()
            shown += [(kind, text_of(text)) for kind, text in kinds if kind not in NOT_COMPARED]
    return sorted(streams.items()) + sorted(shown)


def differences(stored: list[dict[str, Any]], ran: list[dict[str, Any]]) -> Iterator[str]:
    """Each cell whose output is another one, as a text that shows both."""
    replaced = patterns()
    for one, other in zip(stored, ran, strict=True):
        there, here = said(one), said(other)
        for regex, new in replaced:
            there = [(kind, re.sub(regex, new, text)) for kind, text in there]
            here = [(kind, re.sub(regex, new, text)) for kind, text in here]
        kinds = [kind for kind, _ in there] == [kind for kind, _ in here]
        if not kinds or not all(alike(a, b) for (_, a), (_, b) in zip(there, here, strict=True)):
            yield f"{text_of(one['source'])}\nCPython: {there}\nthe browser: {here}"
