"""A tape of the operations of one formula, and the code that it makes of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from types import CodeType
from typing import Any, NamedTuple, cast

import numpy as np

from minigrad.autograd.replay import Saved

from .constants import constant, numpy_name, text_of
from .helpers import erf
from .rewriting import LEAVES, Handwriting, Replacement
from .stand_ins import StandIn, arrays_of

LONGEST = 60
"""Characters: a longer expression gets a name."""

Naming = Callable[[Saved], ast.expr]
"""Returns the name that the program gives to an array."""


class Code(NamedTuple):
    """A formula as code: statements, and then an expression for each gradient that it gives."""

    statements: list[ast.stmt]
    outgoing: list[ast.expr | None]


class Step(NamedTuple):
    """One operation as code, with marks for its operands: a statement if it writes to an array.
    The code of an input is its name in the program."""

    code: ast.expr | ast.stmt
    input: bool = False

    @property
    def writes(self) -> bool:
        return isinstance(self.code, ast.stmt)


class Tape:
    """The operations of one formula, in order."""

    def __init__(self, naming: Naming, fresh: Callable[[], str] | None) -> None:
        self.naming = naming
        self.steps: list[Step] = []
        self.inputs: dict[int, Any] = {}
        self.gradients: set[str] = set()
        self.constants: dict[int, tuple[Any, StandIn]] = {}
        count = iter(range(1, 10**9))
        self.fresh = fresh or (lambda: f"t{next(count)}")

    def input(self, array: Any, code: ast.expr) -> StandIn:
        """Return a stand-in for an array that the formula reads."""
        self.inputs[len(self.steps)] = array
        return self.note(array, code, input=True)

    def note(self, value: Any, code: ast.expr, *, input: bool = False) -> StandIn:
        """Note an operation; return a stand-in for its result."""
        self.steps.append(Step(code, input))
        return StandIn(value, self, len(self.steps) - 1)

    def effect(self, code: ast.stmt) -> None:
        """Note an operation that writes to an array."""
        self.steps.append(Step(code))

    def code(self, value: Any) -> ast.expr:
        """Return the code of a value: a mark for a stand-in, else a constant."""
        if type(value) is StandIn:
            return ast.Name(f"{MARK}{value.step}")
        if isinstance(value, np.ndarray):
            known = self.constants.get(id(value))
            if known is None:
                stand_in = self.input(value, self.naming(Saved("", value)))
                known = self.constants[id(value)] = (value, stand_in)
            return self.code(known[1])
        return constant(value, self.code)

    def fill(self, room: StandIn, value: Any) -> int | None:
        """Note that a number fills `room`; return the step, or None unless `room` is unused."""
        code = self.steps[room.step].code
        empty = isinstance(code, ast.Call) and text_of(code.func) == "np.empty_like"
        read = any(room.step in marks_in(step.code) for step in self.steps[room.step + 1 :])
        if (
            not empty
            or read
            or np.ndim(arrays_of(value))
            or np.result_type(arrays_of(value)) != room.dtype
        ):
            return None
        call = ast.Call(numpy_name(np.full), [self.code(room.shape), self.code(value)], [])
        return self.note(room.value, call).step

    def is_unused(self, value: StandIn) -> bool:
        """Whether `value` was just computed, and nothing was computed from it."""
        code = self.steps[value.step].code
        later = self.steps[value.step + 1 :]
        return isinstance(code, ast.BinOp | ast.UnaryOp) and not any(
            value.step in marks_in(step.code) for step in later
        )

    def forget_last(self) -> None:
        """Remove the last operation."""
        self.steps.pop()

    def index(self, value: Any) -> ast.expr:
        """Return the code of an index, where slices have colons."""
        if isinstance(value, tuple) and value:
            return ast.Tuple([self.index(each) for each in value])
        if not isinstance(value, slice):
            return self.code(value)
        parts = (value.start, value.stop, value.step)
        return ast.Slice(*[None if part is None else self.code(part) for part in parts])

    def run(self, code: Code) -> list[Any]:
        """Run the code on the tape's inputs; return its gradients."""
        scope: dict[str, Any] = {"np": np, "erf": erf}
        scope |= {f"{MARK}{place}": array for place, array in self.inputs.items()}
        execute(code.statements, scope)
        return [end and eval(_compiled(text_of(end), "eval"), scope) for end in code.outgoing]

    def name_inputs(self, code: Code) -> Code:
        """Return the code with the program's names for the inputs."""
        codes = {f"{MARK}{place}": self.steps[place].code for place in self.inputs}
        put = Replacement(cast("dict[str, ast.expr]", codes))
        ends = [end and put.visit(end) for end in code.outgoing]
        return Code([put.visit(each) for each in code.statements], ends)

    def write(self, gradients: Sequence[Any], by_hand: bool) -> Code:
        """Return the code of `gradients`, with short steps inlined that are used once.

        With `by_hand`, arithmetic is rewritten as one writes it by hand.
        """
        ends: list[ast.expr | None] = [None if p is None else self.code(p) for p in gradients]
        steps = self.steps
        live = {at for at, step in enumerate(steps) if step.writes}
        used: dict[int, list[int]] = {}  # of each step, the steps that read it
        for end in ends:
            for mark in marks_in(end):
                used.setdefault(mark, []).append(len(steps))
                live.add(mark)
        reads: dict[int, list[int]] = {}  # of each step that is needed, the steps that it reads
        for at in reversed(range(len(steps))):
            if at in live:
                reads[at] = list(marks_in(steps[at].code))
                for mark in reads[at]:
                    used.setdefault(mark, []).append(at)
                    live.add(mark)
        writes = [at for at, step in enumerate(steps) if step.writes]
        known: dict[str, ast.expr] = {}
        statements: list[ast.stmt] = []
        for at, step in enumerate(steps):
            if at not in live or step.input:
                continue
            inlined = any(f"{MARK}{mark}" in known for mark in reads[at])
            code = Replacement(known).visit(step.code) if inlined else step.code
            if isinstance(code, ast.stmt):
                statements.append(code)
                continue
            once = len(used[at]) == 1 and not any(at < w < used[at][0] for w in writes)
            if is_name(code) or (
                once and (used[at][0] == len(steps) or len(text_of(code)) <= LONGEST)
            ):
                known[f"{MARK}{at}"] = code
                continue
            name = self.fresh()
            statements.append(ast.Assign([ast.Name(name, ast.Store())], code))
            known[f"{MARK}{at}"] = ast.Name(name)
        ends = [end and Replacement(known).visit(end) for end in ends]
        if not by_hand:
            return Code(statements, ends)
        hand = Handwriting(self.gradients)
        return Code(
            [hand.visit(each) for each in statements], [end and hand.visit(end) for end in ends]
        )


MARK = "_step_"


def marks_in(code: ast.AST | None) -> Iterator[int]:
    """Yield the steps that a piece of code reads, each as often as it does."""
    if isinstance(code, ast.Name):
        if code.id.startswith(MARK):
            yield int(code.id[len(MARK) :])
    elif code is not None and not isinstance(code, LEAVES):
        for part in code.__dict__.values():
            for each in part if isinstance(part, list) else (part,):
                if isinstance(each, ast.AST):
                    yield from marks_in(each)


def is_name(code: ast.expr) -> bool:
    """Whether an expression is a name or its transpose."""
    if isinstance(code, ast.Attribute) and code.attr == "T":
        code = code.value
    return isinstance(code, ast.Name)


def execute(body: list[ast.stmt], scope: dict[str, Any]) -> None:
    """Run statements in a scope of names."""
    exec(_compiled("\n".join(map(text_of, body)), "exec"), scope)


@lru_cache(512)
def _compiled(text: str, mode: str) -> CodeType:
    """Return the code of a text; the same operations give the same texts."""
    return compile(text, "<formula>", mode)
