"""Compare two libraries' answers to one call: refused or not, the type and the first line.

PyTorch's messages go on below their first line with a list of all signatures; the first line is
what a user reads and searches for, and what is compared here.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tests.record import plain

# Names that start with an underscore and places inside a function are not the caller's business.
PRIVATE = re.compile(r"(?<![\w'])_[a-z]\w*|'_[a-z]\w*'|<locals>|<lambda>")

# How NumPy, and Python when it meets a list in the place of an array, would say it.
NUMPY = re.compile(
    r"operands could not be broadcast|axis -?\d+ is out of bounds|ufunc|numpy\.core|"
    r"numpy\._core|input operand|dtype\('|object has no attribute|cannot reshape array|"
    r"setting an array element|all the input array|shapes \(.*\) not aligned"
)

DIFFERENT_FOR_GOOD_REASON = (
    (r"\b(torch|minigrad)\.(?=\w)", ""),
    (r"\b(Tensor|TensorBase|_VariableFunctionsClass)\.(?=\w+\(\))", ""),
    (r"\b_(?=[a-z]\w*\(\))", ""),
)


ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
"""Where an object happens to lie."""

OF_A_SET = re.compile(r"\{([^{}]*)\}")
"""PyTorch's messages about sets have another order in each run."""


@plain
@dataclass(frozen=True)
class Outcome:
    """How one call ended: `type` is "" where it was accepted."""

    type: str = ""
    message: str = ""

    @property
    def line(self) -> str:
        """The first line, without what differs from library to library.

        `torch.dtype` is called `minigrad.dtype` here. `TensorBase.exp()` and `_max_pool1d()` name
        what PyTorch keeps private: a class that is there because a method is written in C, and a
        function behind the public one. None of this can be the same, and none of it tells a user
        more.
        """
        line = self.message.strip().partition("\n")[0]
        for pattern, instead in DIFFERENT_FOR_GOOD_REASON:
            line = re.sub(pattern, instead, line)
        return OF_A_SET.sub(in_order, line)


def outcome(call: Callable[[], object]) -> Outcome:
    """Whether `call` is refused, and how."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call()
        except Exception as error:
            return said_by(error)
    return Outcome()


def said_by(error: Exception) -> Outcome:
    """How a call ended that raised `error`."""
    # The text after these words is the folder in which PyTorch was built.
    words = str(error).partition("\nException raised from")[0]
    return Outcome(type(error).__name__, ADDRESS.sub("0x...", words))


def in_order(found: re.Match[str]) -> str:
    return "{" + ", ".join(sorted(found[1].split(", "))) + "}"


@dataclass(frozen=True)
class Answer:
    """Both libraries' outcomes of one call; `function` and `call` say which."""

    function: str
    call: str
    mine: Outcome
    theirs: Outcome

    @property
    def verdict(self) -> str:
        """In one word how the two differ; "same" if they do not."""
        if self.mine == Outcome():
            return "same" if self.theirs == Outcome() else "accepted"
        if self.theirs == Outcome():
            return "refused"  # what PyTorch accepts
        if self.mine.type != self.theirs.type:
            return "other type"
        return "same" if self.mine.line == self.theirs.line else "other words"

    @property
    def inside(self) -> str:
        """A private name or a sentence of NumPy's in our message, unless PyTorch has it, too."""
        for pattern in (PRIVATE, NUMPY):
            found = pattern.search(self.mine.message)
            if found and found[0] not in self.theirs.message:
                return found[0]
        return ""

    def __str__(self) -> str:
        lines = [f"{self.function}: {self.call} [{self.verdict}]"]
        for name, one in (("minigrad", self.mine), ("torch", self.theirs)):
            lines.append(f"    {name:9}{f'{one.type}: {one.line}' if one.type else 'accepted'}")
        if self.inside:
            lines.append(f"    says {self.inside!r}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Summary:
    """The answers of many calls, counted. Shares are of the calls that PyTorch refuses: where it
    has no words, there is nothing to say alike."""

    answers: tuple[Answer, ...]

    @property
    def refused(self) -> list[Answer]:
        return [a for a in self.answers if a.theirs.type]

    @property
    def same_type(self) -> float:
        return share(a.verdict in ("same", "other words") for a in self.refused)

    @property
    def same_line(self) -> float:
        return share(a.verdict == "same" for a in self.refused)

    def having(self, verdict: str) -> list[Answer]:
        return [a for a in self.answers if a.verdict == verdict]

    @property
    def inside(self) -> list[Answer]:
        return [a for a in self.answers if a.inside]

    def __str__(self) -> str:
        refused = self.refused
        parts = [f"{len(self.answers)} calls, {len(refused)} of which PyTorch refuses"]
        parts.append(f"same first line {self.same_line:.1%}, same type {self.same_type:.1%}")
        parts += [f"{v} {len(self.having(v))}" for v in ("other type", "accepted", "refused")]
        return "; ".join([*parts, f"private or NumPy's {len(self.inside)}"])

    def worst(self, answers: Iterable[Answer], count: int = 12) -> str:
        """The functions with the most of `answers`, and one line for each of theirs."""
        found = list(answers)
        functions = Counter(a.function for a in found).most_common(count)
        lines = [str(self)]
        for function, number in functions:
            lines.append(f"{function}, {number} of its calls:")
            lines += [f"  {a}" for a in found if a.function == function][:3]
        return "\n".join(lines)

    def print(self) -> None:
        """Print every disagreement, then the counts."""
        for answer in self.answers:
            if answer.verdict != "same" or answer.inside:
                print(answer)
        print(self)


def share(flags: Iterable[bool]) -> float:
    """How many of `flags` are true, of all of them; all, where there are none."""
    listed = list(flags)
    return sum(listed) / len(listed) if listed else 1.0


def at_most(summary: Summary, verdict: str, limit: int) -> None:
    """Fail, with the worst functions, where more answers than `limit` have `verdict`."""
    found = summary.having(verdict)
    assert len(found) <= limit, summary.worst(found)


Library = Any
"""minigrad or torch: both are called alike."""
