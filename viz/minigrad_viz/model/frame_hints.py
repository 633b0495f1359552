"""Hints for frames: the calls, iterations and lines that made each operation of a graph.

A node knows the place in the program that made it, with the places of its callers, and the module
calls around it. These say where a call or an iteration ends: the operations are read in the order
in which they were made, and a place that comes again, or that is before the last one, is a new
iteration of the loop around it, or a new call where no loop is around it.

Modules lead, then functions and iterations, then lines. A module that no call shows is known by the
names of its parameters. arrange.py makes frames of these hints.
"""

from __future__ import annotations

import dis
import linecache
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import CodeType
from typing import Any, NamedTuple

from minigrad.autograd.events import Node as OwnedNode
from minigrad.autograd.events import call_of

from ..texts.printable import columns, printable
from .arrange import Arrangement, Hint, arrange
from .collector import uncollected
from .either_library import sequence_number
from .graph_model import GraphModel
from .lines import place_noted
from .module_calls import NOTED, Inside
from .names import Names

LONGEST_NAME = 24
"""Columns of a line's text in a frame's name."""


class Stop(NamedTuple):
    """A place on the way to an operation: a function's code and where it was, and the module call
    that was made there, if one was."""

    code: CodeType
    offset: int
    call: Any = None


@uncollected()
def frames_of(model: GraphModel, objects: Mapping[str, Any], names: Names) -> Arrangement:
    """Return the frames of a graph; `objects` are its autograd nodes by id."""
    functions = {node.id: node for node in model.nodes if node.kind == "function"}
    below: dict[str, list[str]] = {id: [] for id in functions}
    for edge in model.edges:
        if edge.kind == "next" and edge.target in functions:
            below[edge.source].append(edge.target)
    made = {id: made_at(objects.get(id), place) for place, id in enumerate(functions)}
    order = sorted(functions, key=made.__getitem__)
    labels = {id: node.name for id, node in functions.items()}
    reader = _Reader(names)
    ways = {id: list(_stops(objects.get(id))) for id in order}
    shared = _shared(ways)
    hints = {id: reader.read(_from(ways[id], shared), labels[id]) for id in order}
    if not reader.has_calls:
        for id, node in functions.items():
            hints[id] = [*_by_names(node.module), *hints[id]]
    return arrange(order[::-1], below, hints, labels)


def made_at(node: Any, place: int) -> int:
    """Return the position of a node among those of its graph, in the order of their creation."""
    try:
        return sequence_number(node)
    except Exception:  # a node of another engine, which numbers none
        return -place


def _by_names(module: str | None) -> Iterator[Hint]:
    """Yield the modules around an operation, known by the names of parameters alone."""
    parts = module.split(".") if module else []
    for length in range(1, len(parts) + 1):
        path = ".".join(parts[:length])
        yield Hint("module", path, path)


class _Activation:
    """A call that is running: where it was last, and how often its loops came round."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.last: Stop | None = None
        self.rounds: dict[int, int] = {}  # by the offset at which a loop begins
        self.inner: _Activation | None = None
        self.first_name = ""

    def comes_again(self, stops: list[Stop], name: str) -> bool:
        """Whether the operation at `stops` shows that this place was reached once more."""
        if self.last is None or stops[0].offset != self.last.offset:
            return False
        if stops[0].call is not self.last.call:
            return True
        if len(stops) == 1:
            return self.inner is None and name == self.first_name
        return self.inner is None or self.inner.is_over(stops[1:], name)

    def is_over(self, stops: list[Stop], name: str) -> bool:
        """Whether the operation at `stops` belongs to another call of the same function."""
        stop, last = stops[0], self.last
        if last is None:
            return False
        if stop.code is not last.code:
            return True
        if stop.offset > last.offset:
            return False
        if stop.offset == last.offset and not self.comes_again(stops, name):
            return False
        return not _common_loops(stop.code, stop.offset, last.offset)


class _Reader:
    """Reads operations in the order of their creation, and follows the calls that made them."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.outermost = _Activation(0)
        self.count = 0
        self.has_calls = False
        self.paths: dict[int, tuple[Any, str]] = {}

    def read(self, stops: list[Stop], name: str) -> list[Hint]:
        """Return the hints of the operation `name`, from the outside in."""
        hints: list[Hint] = []
        activation = self.outermost
        for place, stop in enumerate(stops):
            if place == 0 and activation.is_over(stops, name):
                self.outermost = activation = self.begin()
            hints += self.visit(activation, stops[place:], name)
            if place + 1 < len(stops):
                inner = activation.inner
                if inner is None or inner.is_over(stops[place + 1 :], name):
                    inner = activation.inner = self.begin()
                activation = inner
                hints += self.entered(stop, stops[place + 1], inner)
        return hints

    def begin(self) -> _Activation:
        self.count += 1
        return _Activation(self.count)

    def entered(self, stop: Stop, inside: Stop, activation: _Activation) -> Iterator[Hint]:
        """Yield the hint of the call that leads from one stop to the next."""
        if stop.call is not None:
            self.has_calls = True
            yield Hint("module", self.path_of(stop.call), id(stop.call))
        elif not inside.code.co_name.startswith("<"):
            yield Hint("function", f"{inside.code.co_name}()", activation.number)

    def visit(self, activation: _Activation, stops: list[Stop], name: str) -> Iterator[Hint]:
        """Move an activation to a stop; yield its iterations and, at the last stop, the line."""
        stop, last = stops[0], activation.last
        again = activation.comes_again(stops, name)
        if last is not None and (again or stop.offset < last.offset):
            repeated = _common_loops(stop.code, stop.offset, last.offset)
            if repeated:
                start = repeated[-1][0]
                activation.rounds[start] = activation.rounds.get(start, 0) + 1
                for begin, end in _loops(stop.code):
                    if begin > start and end <= repeated[-1][1]:
                        activation.rounds.pop(begin, None)
        if last is None or again or stop.offset != last.offset:
            activation.inner = None
            activation.first_name = name
        activation.last = stop
        for start, end in _common_loops(stop.code, stop.offset, stop.offset):
            turn = activation.rounds.get(start, 0)
            head = _loop_head(stop.code, start, end)
            yield Hint("loop", _line_text(stop.code, head), (activation.number, start))
            yield Hint("iteration", f"{turn + 1}", (activation.number, start, turn))
        if len(stops) == 1 and stop.code is not _NOWHERE:
            line = _line_number(stop.code, stop.offset)
            yield Hint("line", _line_text(stop.code, stop.offset), (activation.number, line))

    def path_of(self, call: Any) -> str:
        """Return the reader's name of a module, or the name of its class."""
        if id(call) not in self.paths:
            module = call.module()
            path = None if module is None else self.names.of_module(module)
            text = path or (call.path if isinstance(call, Inside) else call.kind)
            self.paths[id(call)] = call, text  # which keeps the identity
        return self.paths[id(call)][1]


def _stops(node: Any) -> Iterator[Stop]:
    """Yield the way to an operation: the functions and module calls around it, outside in."""
    place = place_noted(node)
    if isinstance(node, OwnedNode):
        call = call_of(node)
    else:
        metadata = getattr(node, "metadata", None)
        if not isinstance(metadata, dict):
            return
        call = metadata.get(NOTED)
    parts: list[list[Stop]] = []
    inner = None
    while True:
        outer = call.place if call is not None else None
        parts.append(_between(place, outer, inner))
        if call is None:
            break
        place, inner, call = outer, call, call.around
    for part in reversed(parts):
        yield from part


def _between(place: Any, outer: Any, call: Any) -> list[Stop]:
    """Return the stops from the call at `outer` to `place`, the last with the `call` made there."""
    found: list[Stop] = []
    for code, offset in zip((place or ())[::2], (place or ())[1::2], strict=True):
        if outer and code is outer[0] and offset == outer[1]:
            break
        found.insert(0, Stop(code, offset))
    if not found:  # the code of a module of the library
        found = [Stop(_NOWHERE, 0)]
    found[-1] = found[-1]._replace(call=call)
    return found


def _shared(ways: Mapping[str, Sequence[Stop]]) -> CodeType | None:
    """Return the innermost function that is on the way to every operation."""
    ways_of_all = iter(ways.values())
    first = next(ways_of_all, ())
    common = {id(stop.code) for stop in first} - {id(_NOWHERE)}
    for way in ways_of_all:
        common &= {id(stop.code) for stop in way}
    return next((stop.code for stop in reversed(first) if id(stop.code) in common), None)


def _from(way: list[Stop], code: CodeType | None) -> list[Stop]:
    """Return the way from the function `code` on."""
    return way[next((n for n, stop in enumerate(way) if stop.code is code), 0) :]


_NOWHERE = compile("", "", "exec")
"""Stands for code of the library."""


@lru_cache(4096)
def _loops(code: CodeType) -> tuple[tuple[int, int], ...]:
    """Return where the loops of a function begin and end, the outer ones first."""
    ends: dict[int, int] = {}
    for each in dis.get_instructions(code):
        backward = "JUMP_BACKWARD" in each.opname and "NO_INTERRUPT" not in each.opname
        if backward and isinstance(each.argval, int):
            ends[each.argval] = max(ends.get(each.argval, 0), each.offset)
    return tuple(sorted(ends.items(), key=lambda loop: (loop[0], -loop[1])))


@lru_cache(4096)
def _common_loops(code: CodeType, one: int, other: int) -> tuple[tuple[int, int], ...]:
    """Return the loops around both offsets, the outer ones first."""
    low, high = min(one, other), max(one, other)
    return tuple(loop for loop in _loops(code) if loop[0] <= low and high <= loop[1])


@lru_cache(4096)
def _loop_head(code: CodeType, begin: int, end: int) -> int:
    """Return an offset in the first line of a loop.

    A `while` jumps back from its condition to the first line inside. Some jumps have no line.
    """
    before = _known_line(code, end) or _line_number(code, begin)
    return end if before < _line_number(code, begin) else begin


def _known_line(code: CodeType, offset: int) -> int | None:
    lines = (line for start, end, line in code.co_lines() if start <= offset < end)
    return next(lines, None)


@lru_cache(4096)
def _line_number(code: CodeType, offset: int) -> int:
    return _known_line(code, offset) or code.co_firstlineno


@lru_cache(4096)
def _line_text(code: CodeType, offset: int) -> str:
    """Return the text of a line, short enough for a name."""
    number = _line_number(code, offset)
    text = linecache.getline(code.co_filename, number).partition("  #")[0].strip()
    text = printable(text.removeprefix("return ").rstrip(":")) or f"line {number}"
    while columns(text) > LONGEST_NAME:
        text = f"{text[: min(len(text), LONGEST_NAME) - 2].rstrip()}\u2026"
    return text
