"""Every public function with unusual inputs: results, and messages of errors.

A mean of no elements, a batch of one row, a mask in place of numbers: such calls cannot be written
by hand for a thousand functions. They are made by rule (variants.py) from one right call of each
function, method and module (rows.py). A line for each call (lines.py) is compared: type, shape,
strides, values, node, version, gradients, warnings, or the error. `make test` runs a fixed random
part; MINIGRAD_INPUTS=all, which needs PyTorch, runs all of them.

differences.py has intended differences with their reasons, and open.txt calls that are still wrong.
Both lists fail if they are too long. processors.py has answers of PyTorch that differ by processor.
All these files are in unusual_inputs/.

`python -m tests.ops.test_unusual_inputs [row ...]` prints disagreements without a reason, of all
rows or of those whose names begin so (`flip`, `functional.relu`, `nn.Linear`, `Tensor.flip`), and
`python -m tests.ops.test_unusual_inputs --write` makes open.txt of them.
"""

from __future__ import annotations

import base64
import math
import os
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import minigrad
from tests.ops.refusals import Library
from tests.ops.unusual_inputs.differences import DIFFERENCES, Difference
from tests.ops.unusual_inputs.lines import SUM, agree, line
from tests.ops.unusual_inputs.processors import answers_by_processor
from tests.ops.unusual_inputs.rows import ROWS, Row
from tests.ops.unusual_inputs.variants import unusual_calls, with_grad
from tests.parity import warn_always
from tests.record import CHANGED, answer, plain

ALL = os.environ.get("MINIGRAD_INPUTS", "") == "all"
MARK = "~"
KNOWN_BY_THEIRS = [d for d in DIFFERENCES if d.is_known_by_theirs]

SHARE = 4
"""One unusual call in this number runs each time."""

OPEN = Path(__file__).with_name("unusual_inputs") / "open.txt"


@plain
@dataclass(frozen=True)
class Said:
    """A line for each unusual call of a row, from one library. The record keeps entries."""

    lines: tuple[str, ...]
    entries: str

    def shortened(self) -> Said:
        return replace(self, lines=())


def digest(text: str) -> str:
    """A checksum of the words of a line, and the sum of its numbers."""
    parts = SUM.split(text)
    words = base64.b64encode(zlib.crc32("=".join(parts[::2]).encode()).to_bytes(4)[:3]).decode()
    numbers = [abs(float(number)) for number in parts[1::2]]
    return f"{words[:2]}{sum(numbers):.3g}" if numbers else words[:2]


def entry(name: str, way: str, text: str) -> str:
    """Return the record of a call: the digests of all lines that PyTorch gives, by processor.

    A mark follows if a difference is known by PyTorch's line alone, which the digest does not tell.
    """
    lines = {text, *answers_by_processor(name, way)}
    known = any(d.expects(name, way, each) for d in KNOWN_BY_THEIRS for each in lines)
    return "|".join(sorted(map(digest, lines))) + known * MARK


def as_recorded(text: str, kept: str) -> bool:
    """Return whether a line agrees with one of those whose digests an entry keeps."""
    return any(same_digest(digest(text), each) for each in kept.rstrip(MARK).split("|"))


def same_digest(mine: str, theirs: str) -> bool:
    """Return whether two digests are those of lines that agree."""
    if mine[:2] != theirs[:2] or bool(mine[2:]) != bool(theirs[2:]):
        return False
    near = 0.03  # half precision, and three digits
    return not mine[2:] or math.isclose(
        float(mine[2:]), float(theirs[2:]), rel_tol=near, abs_tol=near
    )


def agree_with_record(now: Said, recorded: Said) -> None:
    entries, before = now.entries.split(), recorded.entries.split()
    assert len(entries) == len(before), f"{len(entries)} calls and not {len(before)}. {CHANGED}"
    for text, one, other in zip(now.lines, entries, before, strict=True):
        assert as_recorded(text, other), f"PyTorch now says {text}"
        assert one.endswith(MARK) == other.endswith(MARK), f"is it known by this? {text}"


def chosen(row: Row, every: bool) -> dict[str, Any]:
    """The unusual calls of a row that are made."""
    return {
        way: change
        for way, change in unusual_calls(minigrad, row).items()
        if every or zlib.crc32(f"{row.name} {way}".encode()) % SHARE == 0
    }


def said(T: Library, name: str, every: bool) -> Said:
    """Make the unusual calls of a row, without and with gradients."""
    row = ROWS[name]
    found, entries = [], []
    for way, change in chosen(row, every).items():

        def call(grad: bool, change: Any = change) -> Any:
            args, named = change(T, list(row.arguments(T)))
            leaves: list[Any] = []
            if grad:
                args, named = with_grad(T, [args, named], row.changes_its_tensor, leaves)
            return row.function(T), tuple(args), named, leaves

        text = line(T, row.name, lambda call=call: call(False))  # type: ignore[misc]
        if "Error" not in text[:40]:
            text += " || " + line(T, row.name, lambda call=call: call(True))  # type: ignore[misc]
        found.append(text)
        entries.append(entry(name, way, text))
    return Said(tuple(found), " ".join(entries))


@cache
def still_open() -> dict[str, list[str]]:
    """The calls that differ and should not, by row."""
    found: dict[str, list[str]] = {}
    for text in OPEN.read_text().splitlines():
        name, _, ways = text.partition(" | ")
        found[name] = ways.split("; ")
    return found


def disagreements(
    name: str, mine: Said, theirs: Said, every: bool
) -> Iterator[tuple[str, str, str, Difference | None]]:
    """The calls in which the libraries differ: how, the lines, and the reason if there is one."""
    ways = list(chosen(ROWS[name], every))
    if not theirs.lines:
        for way, text, kept in zip(ways, mine.lines, theirs.entries.split(), strict=True):
            if not as_recorded(text, kept):
                reason = reason_without_theirs(name, way, text, kept.endswith(MARK))
                yield way, text, "PyTorch's answer is recorded as a digest", reason
        return
    for way, one, other in zip(ways, mine.lines, theirs.lines, strict=True):
        if not agree_here_or_elsewhere(name, way, one, other):
            yield way, one, other, reason_with_theirs(name, way, one, other)


def agree_here_or_elsewhere(name: str, way: str, mine: str, theirs: str) -> bool:
    """Return whether two lines agree, or each is an answer of PyTorch on some processor."""
    answers = answers_by_processor(name, way)
    if not answers:
        return agree(mine, theirs)
    return all(any(agree(text, each) for each in answers) for text in (mine, theirs))


def reason_with_theirs(name: str, way: str, mine: str, theirs: str) -> Difference | None:
    return next((d for d in DIFFERENCES if d.fits(name, way, mine, theirs)), None)


def reason_without_theirs(name: str, way: str, mine: str, marked: bool) -> Difference | None:
    """Return what may explain minigrad's line where only the digest of PyTorch's is known."""
    allowed = (d for d in DIFFERENCES if d.allows(name, way, mine))
    return next((d for d in allowed if marked or not d.is_known_by_theirs), None)


def compare(name: str, mine: Said, theirs: Said, every: bool) -> None:
    waiting = set(still_open().get(name, ())) & set(chosen(ROWS[name], every))
    wrong = []
    for way, one, other, reason in disagreements(name, mine, theirs, every):
        if way in waiting:
            waiting.discard(way)
        elif reason is None:
            wrong.append(f"{name} [{way}]\n    minigrad {one}\n    torch    {other}")
    assert not wrong, "\n".join(wrong[:10])
    assert not waiting, f"they agree now, so take them off open.txt: {name}: {waiting}"


@pytest.mark.sampled("INPUTS", 500)
@pytest.mark.parametrize("name", ROWS)
def test_unusual_inputs(torch: Any, name: str) -> None:
    with warn_always(torch):
        theirs = answer(torch, said, name, False, agree=agree_with_record)
        compare(name, said(minigrad, name, False), theirs, False)


def test_every_unusual_input(request: pytest.FixtureRequest) -> None:
    """All calls of all rows; every reason is one of some call."""
    if not ALL:
        assert len(ROWS) > 700
        return
    torch = request.getfixturevalue("pytorch")
    used = set()
    with warn_always(torch):
        for name in ROWS:
            mine, theirs = said(minigrad, name, True), said(torch, name, True)
            compare(name, mine, theirs, True)
            used |= {reason for *_, reason in disagreements(name, mine, theirs, True)}
    assert not set(DIFFERENCES) - used, "they explain nothing any more"
    for name, ways in still_open().items():
        assert not set(ways) - set(chosen(ROWS[name], True)), f"no such calls of {name}"


def main(*names: str) -> None:
    import torch

    torch.set_num_threads(1)
    write = names == ("--write",)
    unexplained: dict[str, list[str]] = {}
    calls = explained = 0
    with warn_always(torch):
        for name in ROWS:
            if names and not write and not name.startswith(names):
                continue
            mine, theirs = said(minigrad, name, True), said(torch, name, True)
            calls += len(mine.lines)
            for way, one, other, reason in disagreements(name, mine, theirs, True):
                if reason is not None:
                    explained += 1
                    continue
                unexplained.setdefault(name, []).append(way)
                print(f"{name} [{way}]\n    m {one}\n    t {other}")
    differ = sum(map(len, unexplained.values()))
    print(f"{calls} calls, {explained} differ for a reason, {differ} for none")
    if write:
        listed = (f"{name} | {'; '.join(ways)}\n" for name, ways in unexplained.items())
        OPEN.write_text("".join(listed))


if __name__ == "__main__":
    main(*sys.argv[1:])
