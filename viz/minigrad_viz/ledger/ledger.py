"""The ledger of a program's memory: what each node keeps, from which moment until which.

A node keeps tensors until a pass lets go of them, or until nobody has the node any more. Whoever
looks on writes both down, and everything else follows: the bytes at a moment are those of all
memory that at least one row holds then, each piece once.

What lives anyway is told apart: a leaf's memory, and that of tensors that were there before the
program began. The rest only the graph keeps.

A checkpoint keeps nothing but what it was given, and computes the rest again within the pass. No
node holds that, so it counts for as long as its memory is there.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterable, Iterator
from contextlib import suppress
from types import CodeType, FrameType
from typing import Any, Literal, NamedTuple

from minigrad.autograd.events import CodeLine

from .autograd_nodes import is_accumulate, node_name
from .frame_locals import variables_of
from .kept import Kept, Memory, Unseen, kept, kept_as, kept_aside, memory, unseen_of
from .lines import of_library
from .names import is_tensor

MomentKind = Literal["forward", "backward", "again", "gone"]
"""An operation of the program; a node that runs in a backward pass; an operation within a pass; a
graph that nobody has any more.
"""


class Moment(NamedTuple):
    """Something that changes what is kept, or could. `node` made it or ran; `held` are the bytes
    that only the graph keeps from then on, `own` those kept that live anyway.
    """

    kind: MomentKind
    node: str
    line: CodeLine | None
    held: int = 0
    own: int = 0


class Saved:
    """A tensor that a node keeps. `born` and `freed` are moments, by number; `freed` is None for
    what is kept at the end. `own`: its memory lives anyway; `again`: computed again in the pass.
    `name` is the program's own, or empty.
    """

    def __init__(
        self, what: Kept, node: str, line: CodeLine | None, born: int, own: bool, again: bool
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
        """The name from the code, or what the node calls it."""
        return self.name or f"{self.node}.{self.slot}"


CHECKPOINT = "checkpoint"
"""What keeps, in place of a node, what a checkpointed stretch was given or has computed again."""


class Ledger:
    """The moments and rows of one program, as they come."""

    def __init__(self, caller: CodeType | None = None) -> None:
        """`caller` is the code that calls the program, and so what runs when that is over."""
        self.caller = caller
        self.moments: list[Moment] = []
        self.rows: list[Saved] = []
        self.held: dict[int, list[Saved]] = {}
        """The rows of each node, by the number that it got here."""
        self.lasting: list[Saved] = []
        """Rows that end when their memory does."""
        self.outside: dict[tuple[str, int], Memory] = {}
        self.names: dict[tuple[str, int], tuple[Memory, str]] = {}
        self.pieces: dict[tuple[str, int], Saved] = {}
        """The last row of each piece of memory."""
        self.of_piece: dict[int, list[Saved]] = {}
        self.count = 0
        self.trouble: str | None = None
        """Why what came then was not seen."""
        self.aside: dict[int, weakref.ref[Any]] = {}
        """The checkpoints whose rows are known."""
        self.unseen: dict[Unseen, str] = {}
        """Why something that is kept is not counted here, and the first node that keeps it."""

    # --- What there is before the program begins

    def live_anyway(self, tensors: Iterable[Any]) -> None:
        for tensor in tensors:
            with suppress(Exception):  # somebody's variable may raise anything
                piece = memory(tensor)
                self.outside[piece.key] = piece

    def call(self, names: Iterable[tuple[Any, str]]) -> None:
        """Names for the memory of tensors; the first one wins."""
        for tensor, name in names:
            with suppress(Exception):
                self.call_one(memory(tensor), name)

    def call_one(self, piece: Memory, name: str) -> None:
        known = self.names.get(piece.key)
        if known is not None and known[0].alive():
            return
        self.names[piece.key] = piece, name
        row = self.pieces.get(piece.key)
        if row is not None and row.memory.alive():
            for each in self.of_piece[row.piece]:
                each.name = each.name or name

    def lives_anyway(self, piece: Memory) -> bool:
        there = self.outside.get(piece.key)
        return there is not None and there.alive()

    # --- What happens

    def happens(self, kind: MomentKind, node: str, line: CodeLine | None) -> int:
        self.moments.append(Moment(kind, node, line))
        self.look_again()
        return len(self.moments) - 1

    def keeps(self, node: Any, line: CodeLine | None, *, again: bool = False) -> int:
        """A node was made: write down what it keeps. Returns its number."""
        self.live_anyway(
            target.variable
            for target, _ in node.next_functions
            if target is not None and is_accumulate(target)
        )
        for owner, whats in kept_aside(node):
            self.keeps_aside(owner, whats, line)
        if (why := unseen_of(node)) is not None:
            self.unseen.setdefault(why, node_name(node))
        number = self.number()
        for what in kept(node):
            if not (again and what.packed):  # else a checkpoint keeps it, and tells
                self.held[number].append(self.row(what, node_name(node), line, again))
        return number

    def keeps_aside(self, owner: Any, whats: list[Kept], line: CodeLine | None) -> None:
        """What a checkpoint was given, as long as there is the checkpoint."""
        place = id(owner)
        if place in self.aside:
            return
        number = self.number()

        def gone(_: object) -> None:
            if self.aside.pop(place, None) is not None:
                self.is_gone(number)

        self.aside[place] = weakref.ref(owner, gone)
        self.held[number] = [self.row(what, CHECKPOINT, line, again=False) for what in whats]

    def number(self) -> int:
        self.count += 1
        self.held[self.count] = []
        return self.count

    def computed_again(self, tensor: Any) -> None:
        """A checkpoint has computed a tensor that it is to hand out, and that no node holds."""
        what = kept_as("result", tensor)
        known = self.pieces.get(what.memory.key)
        if (known is not None and known.memory.alive()) or self.lives_anyway(what.memory):
            return
        last = self.moments[-1]
        if (last.kind, last.node) != ("again", CHECKPOINT):
            self.happens("again", CHECKPOINT, last.line)
        self.lasting.append(self.row(what, CHECKPOINT, last.line, again=True))

    def row(self, what: Kept, node: str, line: CodeLine | None, again: bool) -> Saved:
        key = what.memory.key
        own = self.lives_anyway(what.memory)
        row = Saved(what, node, line, len(self.moments) - 1, own, again)
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

    def lets_go(self, number: int) -> None:
        """A node has let go of all that it kept."""
        for row in self.held.pop(number, ()):
            if row.freed is None:
                row.freed = len(self.moments) - 1

    def is_gone(self, number: int) -> None:
        """Nobody has the node any more. (That a program is over frees what its variables hold: what
        is kept until then is what there is to see.)
        """
        if self.is_over():
            return
        rows = [row for row in self.held.get(number, ()) if row.freed is None]
        if rows and self.moments and self.moments[-1].kind == "forward":
            self.moments.append(Moment("gone", "", None))
        self.lets_go(number)

    def look_again(self) -> None:
        """Is what was computed again still there?"""
        still = []
        for row in self.lasting:
            if row.memory.alive():
                still.append(row)
            else:
                row.freed = len(self.moments) - 1
        self.lasting = still

    def close(self) -> None:
        """The program is over."""
        self.look_again()
        self.moments = [
            moment._replace(held=held, own=own)
            for moment, (held, own) in zip(self.moments, self.totals(), strict=True)
        ]
        self.outside.clear()
        self.names.clear()
        self.pieces.clear()
        self.aside.clear()  # and with it those who would go on telling
        for row in self.rows:
            del row.memory

    def totals(self) -> Iterator[tuple[int, int]]:
        """The bytes at each moment: what only the graph keeps, and what lives anyway."""
        born: dict[int, list[Saved]] = {}
        gone: dict[int, list[Saved]] = {}
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

    # --- Where the program is

    def is_over(self) -> bool:
        """Is the program over, so that its variables go?"""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_name in ("is_gone", "gone", "<lambda>"):
            if not of_library(frame):
                return False
            frame = frame.f_back
        return frame is not None and frame.f_code is self.caller

    def look_at(self, frame: FrameType | None) -> None:
        """Learn the names of the tensors where the program runs, those of whoever calls first."""
        found: list[tuple[Any, str]] = []
        while frame is not None and frame.f_code is not self.caller:
            if not of_library(frame):
                found[:0] = [
                    (value, name)
                    for name, value in variables_of(frame).items()
                    if isinstance(name, str) and not name.startswith("_") and is_tensor(value)
                ]
            frame = frame.f_back
        self.call(found)
