"""The ledger of a program's memory: the tensors that each node saves, and until when.

A node holds its saved tensors until a pass frees them, or until the node itself ends. The observers
of the two libraries note both. The bytes at a moment are those of all memory that at least one row
holds then, each piece counted once.

Some memory would live without the graph: that of leaves, and of tensors older than the program. It
is counted apart from the memory that only the graph holds.

A checkpoint saves only its inputs, and computes the rest again within the pass. No node holds these
tensors, so they count as long as their memory exists.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterable, Iterator
from contextlib import suppress
from types import CodeType, FrameType
from typing import Any, Literal, NamedTuple

from minigrad.autograd.events import CodeLine

from ..model.autograd_nodes import is_accumulate, node_name
from ..model.frame_locals import variables_of
from ..model.lines import of_library
from ..model.names import is_tensor
from .saved_bytes import (
    Memory,
    SavedTensor,
    Unseen,
    checkpoint_inputs,
    memory_behind,
    saved_by,
    saved_tensor,
    unseen_of,
)

MomentKind = Literal["forward", "backward", "again", "gone"]
"""An operation of the program; a node that runs in a backward pass; an operation within a pass; the
end of a graph.
"""


class Moment(NamedTuple):
    """An event that can change what is saved. `node` was made or ran. From then on the graph alone
    holds `held` bytes, and `own` saved bytes would live without it.
    """

    kind: MomentKind
    node: str
    line: CodeLine | None
    held: int = 0
    own: int = 0


class Row:
    """A tensor that a node saves.

    born   the number of the moment at which it was saved
    freed  the number of the moment at which it was freed; None if it never was
    own    whether its memory would live without the graph
    again  whether a checkpoint computed it again in the pass
    name   the variable's name in the program, or empty
    """

    def __init__(
        self, what: SavedTensor, node: str, line: CodeLine | None, born: int, own: bool, again: bool
    ) -> None:
        self.slot, self.shape, self.dtype = what.name, what.shape, what.dtype
        self.bytes = what.memory.bytes
        self.node, self.line = node, line
        self.born, self.own, self.again = born, own, again
        self.freed: int | None = None
        self.name = ""
        self.piece = 0
        """Rows of the same memory have the same number."""
        self.memory = what.memory

    @property
    def label(self) -> str:
        """The variable's name, or the node's name for it."""
        return self.name or f"{self.node}.{self.slot}"


CHECKPOINT = "checkpoint"
"""Stands for a node that holds the inputs of a checkpointed segment, or its recomputed tensors."""


class Ledger:
    """The moments and rows of one program, in order."""

    def __init__(self, caller: CodeType | None = None) -> None:
        """`caller` is the code that calls the program, and runs again after it."""
        self.caller = caller
        self.moments: list[Moment] = []
        self.rows: list[Row] = []
        self.held: dict[int, list[Row]] = {}
        """The rows of each node, by its number in the ledger."""
        self.lasting: list[Row] = []
        """Rows that end when their memory does."""
        self.outside: dict[tuple[str, int], Memory] = {}
        self.names: dict[tuple[str, int], tuple[Memory, str]] = {}
        self.pieces: dict[tuple[str, int], Row] = {}
        """The last row of each piece of memory."""
        self.of_piece: dict[int, list[Row]] = {}
        self.count = 0
        self.trouble: str | None = None
        """The error that ended the observation, if one did."""
        self.aside: dict[int, weakref.ref[Any]] = {}
        """The checkpoints whose inputs have rows, by `id`."""
        self.unseen: dict[Unseen, str] = {}
        """Why something saved is not counted, and the first node that saves it."""

    # --- Before the program begins

    def note_outside(self, tensors: Iterable[Any]) -> None:
        for tensor in tensors:
            with suppress(Exception):  # a variable of the program may raise anything
                piece = memory_behind(tensor)
                self.outside[piece.key] = piece

    def note_names(self, names: Iterable[tuple[Any, str]]) -> None:
        """Note names for the memory of tensors; the first name counts."""
        for tensor, name in names:
            with suppress(Exception):
                self.note_name(memory_behind(tensor), name)

    def note_name(self, piece: Memory, name: str) -> None:
        known = self.names.get(piece.key)
        if known is not None and known[0].alive():
            return
        self.names[piece.key] = piece, name
        row = self.pieces.get(piece.key)
        if row is not None and row.memory.alive():
            for each in self.of_piece[row.piece]:
                each.name = each.name or name

    def lives_without_graph(self, piece: Memory) -> bool:
        there = self.outside.get(piece.key)
        return there is not None and there.alive()

    # --- While the program runs

    def add_moment(self, kind: MomentKind, node: str, line: CodeLine | None) -> int:
        self.moments.append(Moment(kind, node, line))
        self.note_recomputed_ends()
        return len(self.moments) - 1

    def note_saved(self, node: Any, line: CodeLine | None, *, again: bool = False) -> int:
        """Note the tensors that a new node saves. Return the node's number."""
        self.note_outside(
            target.variable
            for target, _ in node.next_functions
            if target is not None and is_accumulate(target)
        )
        for owner, inputs in checkpoint_inputs(node):
            self.note_checkpoint(owner, inputs, line)
        if (why := unseen_of(node)) is not None:
            self.unseen.setdefault(why, node_name(node))
        number = self.number()
        for what in saved_by(node):
            if not (again and what.packed):  # else a checkpoint holds it, and notes it itself
                self.held[number].append(self.row(what, node_name(node), line, again))
        return number

    def note_checkpoint(self, owner: Any, inputs: list[SavedTensor], line: CodeLine | None) -> None:
        """Note the inputs of a checkpoint, which it holds until it ends."""
        place = id(owner)
        if place in self.aside:
            return
        number = self.number()

        def gone(_: object) -> None:
            if self.aside.pop(place, None) is not None:
                self.note_end(number)

        self.aside[place] = weakref.ref(owner, gone)
        self.held[number] = [self.row(what, CHECKPOINT, line, again=False) for what in inputs]

    def number(self) -> int:
        self.count += 1
        self.held[self.count] = []
        return self.count

    def computed_again(self, tensor: Any) -> None:
        """Note a tensor that a checkpoint has computed again, and that no node holds."""
        what = saved_tensor("result", tensor)
        known = self.pieces.get(what.memory.key)
        if (known is not None and known.memory.alive()) or self.lives_without_graph(what.memory):
            return
        last = self.moments[-1]
        if (last.kind, last.node) != ("again", CHECKPOINT):
            self.add_moment("again", CHECKPOINT, last.line)
        self.lasting.append(self.row(what, CHECKPOINT, last.line, again=True))

    def row(self, what: SavedTensor, node: str, line: CodeLine | None, again: bool) -> Row:
        key = what.memory.key
        own = self.lives_without_graph(what.memory)
        row = Row(what, node, line, len(self.moments) - 1, own, again)
        known = self.pieces.get(key)
        row.piece = len(self.rows)
        if known is not None and any(each.freed is None for each in self.of_piece[known.piece]):
            row.piece, row.name, row.own = known.piece, known.name, known.own
        self.of_piece.setdefault(row.piece, []).append(row)
        if not row.name and key in self.names and self.names[key][0].alive():
            row.name = self.names[key][1]
        self.pieces[key] = row
        self.rows.append(row)
        return row

    def note_freed(self, number: int) -> None:
        """Note that a node has freed its saved tensors."""
        for row in self.held.pop(number, ()):
            if row.freed is None:
                row.freed = len(self.moments) - 1

    def note_end(self, number: int) -> None:
        """Note that a node has ended, unless only because the program is over."""
        if self.is_over():
            return
        rows = [row for row in self.held.get(number, ()) if row.freed is None]
        if rows and self.moments and self.moments[-1].kind == "forward":
            self.moments.append(Moment("gone", "", None))
        self.note_freed(number)

    def note_recomputed_ends(self) -> None:
        """Note which recomputed tensors have ended."""
        still = []
        for row in self.lasting:
            if row.memory.alive():
                still.append(row)
            else:
                row.freed = len(self.moments) - 1
        self.lasting = still

    def close(self) -> None:
        """Complete the moments after the program, and drop everything that refers to memory."""
        self.note_recomputed_ends()
        self.moments = [
            moment._replace(held=held, own=own)
            for moment, (held, own) in zip(self.moments, self.totals(), strict=True)
        ]
        self.outside.clear()
        self.names.clear()
        self.pieces.clear()
        self.aside.clear()  # and its callbacks with it
        for row in self.rows:
            del row.memory

    def totals(self) -> Iterator[tuple[int, int]]:
        """Yield the bytes at each moment: held by the graph alone, and those that live anyway."""
        born: dict[int, list[Row]] = {}
        gone: dict[int, list[Row]] = {}
        for row in self.rows:
            born.setdefault(row.born, []).append(row)
            if row.freed is not None:
                gone.setdefault(row.freed, []).append(row)
        held, own, uses = 0, 0, dict[int, int]()
        for moment in range(len(self.moments)):
            changes = [(row, 1) for row in born.get(moment, ())]
            changes += [(row, -1) for row in gone.get(moment, ())]
            for row, change in changes:
                before = uses.get(row.piece, 0)
                uses[row.piece] = before + change
                bytes_ = row.bytes * ((uses[row.piece] > 0) - (before > 0))
                if row.own:
                    own += bytes_
                else:
                    held += bytes_
            yield held, own

    # --- Frames of the program

    def is_over(self) -> bool:
        """Whether the program is over, so that its variables end."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_name in ("note_end", "gone", "<lambda>"):
            if not of_library(frame):
                return False
            frame = frame.f_back
        return frame is not None and frame.f_code is self.caller

    def note_variables(self, frame: FrameType | None) -> None:
        """Note the names of the tensors in the frames that run, the outermost frame first."""
        found: list[tuple[Any, str]] = []
        while frame is not None and frame.f_code is not self.caller:
            if not of_library(frame):
                found[:0] = [
                    (value, name)
                    for name, value in variables_of(frame).items()
                    if isinstance(name, str) and not name.startswith("_") and is_tensor(value)
                ]
            frame = frame.f_back
        self.note_names(found)
