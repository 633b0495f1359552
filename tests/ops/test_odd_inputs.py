"""Every public function with odd inputs: what comes out, and what is refused in which words.

A mean of no elements, a batch of one row, a mask where numbers are expected: nobody thinks of all
of them for each of a thousand functions, so the calls are made by rule (odd/variants.py) from one
right call of each function, method and module (odd/rows.py). What is compared is a line for each
call (odd/lines.py): type, shape, strides, values, node, version, gradients, warnings, or the error.
`make test` runs a part that is chosen by chance, always the same; MINIGRAD_ODD=all, which needs
PyTorch, all of them.

Where the two differ for a reason, it stands in odd/differences.py. What still has to be mended
stands in odd/open.txt, call by call; both lists fail where they are longer than the truth.

`python -m tests.ops.test_odd_inputs [row ...]` prints every disagreement without a reason, of all
rows or of those whose names begin so (`flip`, `functional.relu`, `nn.Linear`, `Tensor.flip`), and
`python -m tests.ops.test_odd_inputs --write` makes odd/open.txt of them.
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
from tests.ops.odd.differences import DIFFERENCES, Difference
from tests.ops.odd.lines import SUM, agree, line
from tests.ops.odd.rows import ROWS, Row
from tests.ops.odd.variants import odd_calls, with_grad
from tests.ops.refusals import Library
from tests.parity import warn_always
from tests.record import CHANGED, answer, plain

ALL = os.environ.get("MINIGRAD_ODD", "") == "all"
SHARE = 4
"""Of so many odd calls one is made in every run."""

OPEN = Path(__file__).with_name("odd") / "open.txt"


@plain
@dataclass(frozen=True)
class Said:
    """What a library says to the odd calls of a row: a line for each. The record keeps digests."""

    lines: tuple[str, ...]
    digests: str = ""

    def shortened(self) -> Said:
        return replace(self, lines=(), digests=" ".join(map(digest, self.lines)))


def digest(text: str) -> str:
    """A checksum of the words of a line, and the sum of its numbers."""
    parts = SUM.split(text)
    words = base64.b64encode(zlib.crc32("=".join(parts[::2]).encode()).to_bytes(4)[:3]).decode()
    numbers = [abs(float(number)) for number in parts[1::2]]
    return f"{words[:2]}{sum(numbers):.3g}" if numbers else words[:2]


def as_recorded(mine: str, theirs: str) -> bool:
    """Whether two digests are those of lines that agree."""
    if mine[:2] != theirs[:2] or bool(mine[2:]) != bool(theirs[2:]):
        return False
    near = 0.03  # half precision, and three digits
    return not mine[2:] or math.isclose(
        float(mine[2:]), float(theirs[2:]), rel_tol=near, abs_tol=near
    )


def agree_with_record(now: Said, recorded: Said) -> None:
    digests = now.shortened().digests.split()
    before = recorded.digests.split()
    assert len(digests) == len(before), f"{len(digests)} calls and not {len(before)}. {CHANGED}"
    for text, one, other in zip(now.lines, digests, before, strict=True):
        assert as_recorded(one, other), f"PyTorch now says {text}"


def chosen(row: Row, every: bool) -> dict[str, Any]:
    """The odd calls of a row that are made."""
    return {
        way: change
        for way, change in odd_calls(minigrad, row).items()
        if every or zlib.crc32(f"{row.name} {way}".encode()) % SHARE == 0
    }


def said(T: Library, name: str, every: bool) -> Said:
    """What a library says to the odd calls of a row: as they are, and if they ask for gradients."""
    row = ROWS[name]
    found = []
    for change in chosen(row, every).values():

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
    return Said(tuple(found))


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
        digests = zip(mine.shortened().digests.split(), theirs.digests.split(), strict=True)
        for way, text, (one, other) in zip(ways, mine.lines, digests, strict=True):
            if not as_recorded(one, other):
                reason = next((d for d in DIFFERENCES if d.allows(name, way, text)), None)
                yield way, text, "PyTorch's answer is recorded as a digest", reason
        return
    for way, one, other in zip(ways, mine.lines, theirs.lines, strict=True):
        if not agree(one, other):
            yield (
                way,
                one,
                other,
                next((d for d in DIFFERENCES if d.fits(name, way, one, other)), None),
            )


def compare(name: str, mine: Said, theirs: Said, every: bool) -> None:
    waiting = set(still_open().get(name, ())) & set(chosen(ROWS[name], every))
    wrong = []
    for way, one, other, reason in disagreements(name, mine, theirs, every):
        if way in waiting:
            waiting.discard(way)
        elif reason is None:
            wrong.append(f"{name} [{way}]\n    minigrad {one}\n    torch    {other}")
    assert not wrong, "\n".join(wrong[:10])
    assert not waiting, f"they agree now, so take them off odd/open.txt: {name}: {waiting}"


@pytest.mark.parametrize("name", ROWS)
def test_odd_inputs(torch: Any, name: str) -> None:
    with warn_always(torch):
        theirs = answer(torch, said, name, False, agree=agree_with_record)
        compare(name, said(minigrad, name, False), theirs, False)


def test_every_odd_input(request: pytest.FixtureRequest) -> None:
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
