"""Run the program of a recorded pass again, with one number of a leaf moved.

A function that `step` got is called again. Of a tensor, the cell or script that calls `step` is
run again, statement by statement up to that call, if nothing in it changes what was there before.
The random draws are those of the first run. Afterwards the leaf, the buffers of modules, and the
generators are as they were.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout, suppress
from dataclasses import dataclass, field
from io import StringIO
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

from minigrad.autograd.events import Value

from ..model.autograd_nodes import nodes_from
from ..model.draws import Draws, drawing_again
from ..model.either_library import outside_modes
from ..model.names import is_tensor
from ..model.values import value_of

Roots = list[Any]


class NoRerun(Exception):
    """A program cannot be run again: a key of a sentence, and what it names."""

    def __init__(self, key: str, **parts: object) -> None:
        super().__init__(key)
        self.key, self.parts = key, parts


class Change(NamedTuple):
    """The number at `place` of the leaf `name`, counted in row-major order, is moved by `by`."""

    name: str
    place: int
    by: float


class Caller(NamedTuple):
    """A place in code, without its frame, which would keep variables alive."""

    scope: dict[str, Any]
    function: str
    file: str
    line: int

    @classmethod
    def at(cls, frame: FrameType) -> Caller:
        code = frame.f_code
        return cls(frame.f_globals, code.co_name, code.co_filename, frame.f_lineno)


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program that can be run again.

    function  what `step` got in place of a tensor; None: it got a tensor
    caller    the code that called `step`
    draws     the states of the generators before the program ran
    leaves    the leaves of its graph, by name
    """

    function: Callable[[], Any] | None
    caller: Caller
    draws: Draws
    leaves: Mapping[str, Any] = field(default_factory=dict)

    def run(self, change: Change | None = None) -> Roots:
        """Return the results of the program, with the change; leave everything as it was.

        Raises:
            NoRerun: it cannot be run again, or the change reaches no result.
        """
        run = self._written if self.function is None else self._called
        with drawing_again(self.draws), buffers_kept(self.caller, self.function):
            return run(change)

    def _called(self, change: Change | None) -> Roots:
        function = self.function
        assert function is not None
        with nullcontext() if change is None else moved(self.leaves[change.name], change):
            roots = listed(function())
        if change is not None and not any(reaches(r, self.leaves[change.name]) for r in roots):
            raise NoRerun("nudge_made_within", leaf=change.name)
        return roots

    def _written(self, change: Change | None) -> Roots:
        statements, result, name = written_before(self.caller)
        scope = dict(self.caller.scope)
        with redirect_stdout(StringIO()), outer_moved(self.leaves, change) as held:
            for statement in statements:
                before = None if change is None else scope.get(change.name)
                code = compile(ast.Module([statement], []), name, "exec")
                exec(code, scope)
                if change is None or (tensor := scope.get(change.name)) is before:
                    continue
                if is_leaf(tensor):  # made anew: it will be dropped with the scope
                    write(tensor, change.place, read(tensor, change.place) + change.by)
                    held = tensor
            roots = listed(eval(compile(ast.Expression(result), name, "eval"), scope))
        if change is not None and not any(reaches(each, held) for each in roots):
            raise NoRerun("nudge_made_elsewhere", leaf=change.name)
        return roots


def listed(result: Any) -> Roots:
    return list(result) if isinstance(result, list | tuple) else [result]


def is_leaf(tensor: Any) -> bool:
    return is_tensor(tensor) and tensor.requires_grad and tensor.grad_fn is None


# --- A number of a leaf


def read(leaf: Any, place: int) -> float:
    value = value_of(leaf)
    assert value.data is not None
    return float(value.data.reshape(-1)[place])


def write(leaf: Any, place: int, number: float) -> None:
    """Write one number past autograd: no version counts it, as for `.data` in PyTorch."""
    with outside_modes():
        leaf.data[np.unravel_index(place, tuple(leaf.shape)) if leaf.shape else ()] = number


@contextmanager
def moved(leaf: Any, change: Change) -> Iterator[None]:
    """Move one number of a leaf in the block."""
    with outside_modes():
        index = np.unravel_index(change.place, tuple(leaf.shape)) if leaf.shape else ()
        original = leaf.data[index].clone()
    write(leaf, change.place, float(original) + change.by)
    try:
        yield
    finally:
        with outside_modes():
            leaf.data[index] = original


@contextmanager
def outer_moved(leaves: Mapping[str, Any], change: Change | None) -> Iterator[Any]:
    """Move a number of the leaf that existed before the program, if there is one."""
    leaf = None if change is None else leaves.get(change.name)
    if leaf is None or change is None:
        yield None
        return
    with moved(leaf, change):
        yield leaf


def reaches(root: Any, leaf: Any) -> bool:
    """Whether a gradient from `root` would arrive at `leaf`."""
    nodes = nodes_from([getattr(root, "grad_fn", None)])
    return root is leaf or any(getattr(node, "variable", None) is leaf for node in nodes)


# --- Buffers, such as the running means of BatchNorm


MOST_PARTS = 100
"""A longer list, tuple or dict is not searched for modules."""


@contextmanager
def buffers_kept(caller: Caller, function: Callable[[], Any] | None) -> Iterator[None]:
    """Put the buffers of all modules that the program can name back after the block."""
    known = [*caller.scope.values(), getattr(function, "__self__", None)]
    known += getattr(function, "__globals__", {}).values()
    for cell in getattr(function, "__closure__", None) or ():
        with suppress(ValueError):  # an empty cell
            known.append(cell.cell_contents)
    for each in [*known]:
        if isinstance(each, list | tuple | dict) and len(each) <= MOST_PARTS:
            known += each.values() if isinstance(each, dict) else each
    modules = [each for each in known if callable(getattr(type(each), "named_buffers", None))]
    with outside_modes():
        before = [(b, b.data.clone()) for each in modules for _, b in each.named_buffers()]
    try:
        yield
    finally:
        with outside_modes():
            for buffer, copy in before:
                buffer.data[...] = copy


# --- A written program


def written_before(caller: Caller) -> tuple[list[ast.stmt], ast.expr, str]:
    """Return the statements of a cell or script before its call of `step`, and what `step` gets.

    Raises:
        NoRerun: there is no such code, or a statement changes what was there before.
    """
    if caller.function != "<module>":
        raise NoRerun("nudge_in_function", function=caller.function)
    name = caller.file
    try:
        body = ast.parse("".join(linecache.getlines(name, caller.scope))).body
    except SyntaxError:
        body = []
    here = [each for each in body if each.lineno <= caller.line <= (each.end_lineno or 0)]
    calls = [call for each in here for call in ast.walk(each) if is_step(call)]
    if here and not isinstance(here[0], ast.Expr | ast.Assign):
        raise NoRerun("nudge_in_block")
    if len(calls) != 1:
        raise NoRerun("nudge_no_text")
    before = body[: body.index(here[0])]
    for statement in before:
        if (why := impure(statement)) is not None:
            raise NoRerun("nudge_impure", line=why.lineno, code=ast.unparse(why).splitlines()[0])
    call = calls[0]
    assert isinstance(call, ast.Call)
    return before, call.args[0], name


def is_step(call: ast.AST) -> bool:
    if not isinstance(call, ast.Call) or not call.args:
        return False
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
    return name == "step" and not isinstance(call.args[0], ast.Starred)


CHANGES = frozenset(
    {"backward", "step", "load_state_dict", "append", "extend", "update", "pop"}
    | {"save", "savefig", "write", "write_text", "write_bytes", "unlink", "system"}
)
"""Methods that change their object or a file."""


def impure(statement: ast.stmt) -> ast.stmt | ast.expr | None:
    """Return the part of a statement that changes what was there before, or None."""
    for part in ast.walk(statement):
        if isinstance(part, ast.AugAssign | ast.Delete | ast.Global | ast.Nonlocal):
            return part
        if isinstance(part, ast.Assign | ast.AnnAssign):
            targets = part.targets if isinstance(part, ast.Assign) else [part.target]
            if any(isinstance(t, ast.Attribute | ast.Subscript) for t in targets):
                return part
        if isinstance(part, ast.Call):
            name = part.func.attr if isinstance(part.func, ast.Attribute) else ""
            in_place = name.endswith("_") and not name.endswith("__") and name != "requires_grad_"
            opens = isinstance(part.func, ast.Name) and part.func.id in ("open", "input", "exec")
            if in_place or name in CHANGES or opens:
                return part
    return None


def result_of(roots: Sequence[Any], seeds: Sequence[Any]) -> float:
    """Return the number that the pass differentiates: the results weighted by their gradients."""
    return weighted([value_of(root) for root in roots], seeds)


def weighted(results: Sequence[Value], seeds: Sequence[Any]) -> float:
    """Return the sum of the results' numbers, weighted by the gradients; None weighs 1."""
    total = 0.0
    for result, seed in zip(results, seeds, strict=True):
        if result.data is None:
            raise NoRerun("nudge_large_result")
        weights = None if seed is None else value_of(seed).data
        wide = result.data.astype(np.float64)
        total += float(wide.sum() if weights is None else (wide * weights).sum())
    return total
