"""Read the programs of `programs/`: a header in TOML, and below it a program for both libraries.

The folder is the cause that `explain` must give. `sound` has programs without a defect. `loops` has
training loops for `diagnose`, in a folder for each kind of finding, and `stored` programs whose
complete answers are stored, by cause. A program calls the library `T`. Its header is the comment in
front of it, up to the first blank line:

    subject   what the program is about
    library   "torch", if minigrad lacks a part that the program needs
    says_any  phrases of which the answer has one
    says_all  phrases that the report has
    cure_any  phrases of which the answer has one, as a line cures the program
    never     phrases that the answer must not have
    ask       the question, if it is not `viz.explain(error)`
    also      other kinds of findings of a loop
    example   true for the loop whose report is stored as a table
    repair    a table: replace `old` by `new`, and the program works;
              `quoted` if the answer quotes `new` as code

A line of the program that the answer must quote ends in the comment `# guilty`, which the reader
takes away. A program without a header is sound.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("programs")
GUILTY = "  # guilty"

LOOP_START = """
nn, F, optim = T.nn, T.nn.functional, T.optim
x, y = T.randn(16, 4), T.randn(16, 1)
classes = T.tensor([0, 1, 2, 0] * 4)
"""
"""Lines that run before each training loop."""

STORED_START = """
import contextlib
x = T.ones(2, requires_grad=True)
w = T.tensor([2.0, 3.0], requires_grad=True)
"""
"""Lines that run before each program whose answer is stored."""


@dataclass(frozen=True)
class Repair:
    """A replacement that makes a program work."""

    old: str
    new: str
    quoted: bool = False


@dataclass(frozen=True)
class Broken:
    """A program with a defect, and what `explain` must say about it."""

    name: str
    cause: str
    program: str
    guilty: tuple[str, ...]
    says_any: tuple[str, ...]
    cure_any: tuple[str, ...]
    never: tuple[str, ...]
    ask: str
    library: str
    repair: Repair | None

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Stored:
    """A program whose complete answer is stored."""

    name: str
    cause: str
    program: str
    ask: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Loop:
    """A training loop, and the kinds of findings that `diagnose` must report: none if it is sound.

    It defines `train_step`, or watches its own loop and leaves the diagnosis in `report`.
    """

    name: str
    kinds: tuple[str, ...]
    program: str
    says_all: tuple[str, ...]
    library: str
    example: bool

    def __str__(self) -> str:
        return self.name


def read(path: Path) -> tuple[dict[str, Any], str]:
    """The header and the program of a file."""
    text = path.read_text(encoding="utf-8")
    if not text.startswith("# "):
        return {}, text
    comment, _, program = text.partition("\n\n")
    header = "\n".join(line.removeprefix("#").removeprefix(" ") for line in comment.splitlines())
    return tomllib.loads(header), program


def broken_program(path: Path) -> Broken:
    header, text = read(path)
    lines = text.splitlines()
    repair = header.get("repair")
    return Broken(
        name=path.stem,
        cause=path.parent.name,
        program="".join(f"{line.removesuffix(GUILTY)}\n" for line in lines),
        guilty=tuple(x.removesuffix(GUILTY).strip() for x in lines if x.endswith(GUILTY)),
        says_any=tuple(header["says_any"]),
        cure_any=tuple(header.get("cure_any", ())),
        never=tuple(header.get("never", ())),
        ask=header.get("ask", "viz.explain(error)"),
        library=header.get("library", ""),
        repair=Repair(**repair) if repair else None,
    )


def stored_program(path: Path) -> Stored:
    header, text = read(path)
    return Stored(
        name=path.stem,
        cause=path.parent.name,
        program=STORED_START + text,
        ask=header.get("ask", "viz.explain(error)"),
    )


def loop(path: Path) -> Loop:
    header, text = read(path)
    kind = path.parent.name
    return Loop(
        name=path.stem,
        kinds=() if kind == "sound" else (kind, *header.get("also", ())),
        program=f"{LOOP_START}\n{text}",
        says_all=tuple(header.get("says_all", ())),
        library=header.get("library", ""),
        example=header.get("example", False),
    )


@cache
def broken_programs() -> dict[str, Broken]:
    """All programs with a defect, by name."""
    paths = sorted(path for path in FOLDER.glob("*/*.py") if path.parent.name != "sound")
    return unique([broken_program(path) for path in paths])


@cache
def sound_programs() -> dict[str, str]:
    """All programs without a defect, by name."""
    return {path.stem: read(path)[1] for path in sorted(FOLDER.glob("sound/*.py"))}


@cache
def stored_programs() -> dict[str, Stored]:
    """All programs whose answers are stored, by name."""
    return unique([stored_program(path) for path in sorted(FOLDER.glob("stored/*/*.py"))])


@cache
def loops() -> dict[str, Loop]:
    """All training loops, by name."""
    return unique([loop(path) for path in sorted(FOLDER.glob("loops/*/*.py"))])


def unique(programs: list[Any]) -> dict[str, Any]:
    """Programs by name; raise for two of one name."""
    named = {each.name: each for each in programs}
    assert len(named) == len(programs), "two programs have one name"
    return named
