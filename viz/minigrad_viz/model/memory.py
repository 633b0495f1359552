"""What a program keeps for the backward pass, from moment to moment.

A node keeps tensors until a pass lets go of them, or until nobody has the node any more. Who looks
on while the program runs writes down both: what each operation leaves behind, when each node runs,
when it has let go, when it is gone. Everything else follows from these rows: the bytes at a moment
are those of all memory that at least one row holds then, each piece once.

What lives anyway is told apart: a leaf's memory, and that of tensors that were there before the
program began. The rest only the graph keeps.

A checkpoint keeps nothing but what it was given, and computes the rest again within the pass. No
node holds that, so it counts for as long as its memory is there.
"""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from types import FrameType
from typing import Any, Literal, NamedTuple

from minigrad import Tensor
from minigrad.autograd.events import CodeLine, Event, Trace, recording

from .autograd_nodes import is_accumulate, node_name
from .frame_locals import variables_of
from .graph_model import Walk
from .kept import Kept, Memory, computed_again, kept, kept_as, kept_aside, memory, tensors_in
from .lines import line_of, of_library, running_line
from .names import is_tensor, made_by
from .pytorch_modes import unseen
from .watch import watch

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

    def lives(self, moment: int) -> bool:
        """Is it kept right behind this moment?"""
        return self.born <= moment and (self.freed is None or moment < self.freed)


CHECKPOINT = "checkpoint"
"""What keeps, in place of a node, what a checkpointed stretch was given or has computed again."""


class Ledger:
    """The moments and rows of one program, as they come."""

    def __init__(self) -> None:
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

    # --- What there is before the program begins

    def live_anyway(self, tensors: Iterable[Any]) -> None:
        for tensor in tensors:
            piece = memory(tensor)
            self.outside[piece.key] = piece

    def call(self, names: Iterable[tuple[Any, str]]) -> None:
        """Names for the memory of tensors; the first one wins."""
        for tensor, name in names:
            piece = memory(tensor)
            known = self.names.get(piece.key)
            if known is None or not known[0].alive():
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
        if is_over():
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


# --- Looking on while a program runs


def recorded(program: Callable[[], object], names: Iterable[tuple[Any, str]]) -> Ledger:
    """Run `program`, and write down what its graphs keep."""
    ledger = Ledger()
    with unseen():
        ledger.live_anyway(all_tensors())
        ledger.call(names)
    with watch(), of_minigrad(ledger), of_pytorch(ledger):
        result = program()
        del result
    if ledger.trouble is not None:
        raise RuntimeError(f"the program is over, but could not be recorded ({ledger.trouble})")
    ledger.close()
    return ledger


def all_tensors() -> list[Any]:
    """Every tensor that there is."""
    torch: Any = sys.modules.get("torch")
    kinds = (Tensor,) if torch is None else (Tensor, torch.Tensor)
    return [each for each in gc.get_objects() if issubclass(type(each), kinds)]


def visible_in(frame: FrameType | None) -> list[tuple[Any, str]]:
    """The tensors that have a name where the program runs, those of whoever calls first."""
    found: list[tuple[Any, str]] = []
    while frame is not None and frame.f_code is not recorded.__code__:
        if not of_library(frame):
            found[:0] = [
                (value, name)
                for name, value in variables_of(frame).items()
                if isinstance(name, str) and not name.startswith("_") and is_tensor(value)
            ]
        frame = frame.f_back
    return found


OURS = "is_over", "is_gone", "gone", "<lambda>"


def is_over() -> bool:
    """Is the program that is recorded over, so that its variables go?"""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals is globals() and frame.f_code.co_name in OURS:
        frame = frame.f_back
    return frame is not None and frame.f_code is recorded.__code__


class Forgetful(list[Event]):
    """Events keep nodes alive, which would then never be gone."""

    def append(self, event: Event) -> None:
        pass


class Looking(Trace):
    """Hears of what minigrad computes, and of what its engine does."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self.events = Forgetful()
        self.ledger = ledger
        self.known: dict[int, tuple[weakref.ref[Any], int]] = {}
        self.passes = False

    def computed(self, node: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        super().computed(node, inputs, outputs)
        self.ledger.call(visible_in(sys._getframe(1)))
        if not node.next_functions:
            return
        made = [out.grad_fn for out in outputs if isinstance(out, Tensor)]
        for each in {id(each): each for each in (node, *made) if each is not None}.values():
            self.made(each)

    def made(self, node: Any) -> None:
        if isinstance(node, type) or id(node) in self.known or is_accumulate(node):
            return
        line = line_of(node)
        if not self.passes:
            self.ledger.happens("forward", node_name(node), line)
        elif any(not what.packed for what in kept(node)):
            self.ledger.happens("again", node_name(node), line)
        self.follow(node, self.ledger.keeps(node, line, again=self.passes))

    def follow(self, node: Any, number: int) -> None:
        place = id(node)

        def gone(_: object) -> None:
            self.known.pop(place, None)
            self.ledger.is_gone(number)

        self.known[place] = weakref.ref(node, gone), number

    def seeded(self, node: Any, index: int, g: Any) -> None:
        self.passes = True
        self.ledger.call(visible_in(sys._getframe(1)))

    def started(self, node: Any, gradients: Sequence[Any]) -> Any:
        if not is_accumulate(node):
            self.ledger.happens("backward", node_name(node), line_of(node))
        saved = super().started(node, gradients)
        self._packed.clear()  # which would keep what was packed
        return saved

    def unpacked(self, packed: Any, tensor: Any) -> None:
        again = computed_again(packed.hooks[1])
        for each in (*again, tensor) if again is not None else ():
            self.ledger.computed_again(each)

    def released(self, node: Any, saved: Any) -> None:
        if id(node) in self.known:
            self.ledger.lets_go(self.known[id(node)][1])

    def end_pass(self) -> None:
        super().end_pass()
        self.passes = False
        self.ledger.look_again()


@contextmanager
def of_minigrad(ledger: Ledger) -> Iterator[None]:
    looking = Looking(ledger)
    with recording(forward=True, kind=lambda: looking):
        try:
            yield
        finally:
            looking.known.clear()  # whose callbacks would go on


@contextmanager
def of_pytorch(ledger: Ledger) -> Iterator[None]:
    if "torch" not in sys.modules:
        yield
        return
    looking = looking_at_pytorch()(ledger)
    with looking.at_passes(), looking:
        try:
            yield
        finally:
            looking.stop()


NOTED = "minigrad_viz.memory"
"""The key in a PyTorch node's metadata under which a Mark dies with it."""


class Mark:
    """Lives as long as a node of PyTorch."""


@cache
def looking_at_pytorch() -> Any:
    torch: Any = sys.modules["torch"]
    hooks_on_top = torch._C._autograd._top_saved_tensors_default_hooks

    class Look(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        """Hears of what is computed by its calls, and of the passes by a hook at each node."""

        def __init__(self, ledger: Ledger) -> None:
            super().__init__()
            self.ledger = ledger
            self.handles: list[Any] = []
            self.marks: dict[int, weakref.ref[Mark]] = {}
            self.running: list[tuple[int, Any, int]] = []
            """The pass, node and number of what has run last; one more for each pass in a pass."""

        def __torch_function__(
            self, function: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            if torch.compiler.is_compiling():
                return function(*args, **(kwargs or {}))
            with self.packing():
                result = function(*args, **(kwargs or {}))
            self.guarded(partial(self.computed, args, result, sys._getframe(1)))
            return result

        def guarded(self, see: Callable[[], None]) -> None:
            if self.ledger.trouble is None:
                try:
                    with unseen():
                        see()
                except Exception as error:  # it is the program that matters
                    self.ledger.trouble = f"{type(error).__name__}: {error}"

        def computed(self, args: Any, result: Any, frame: FrameType) -> None:
            self.settle()
            self.ledger.call(visible_in(frame))
            for tensor in (*tensors_in(result), *tensors_in(args, 1)):
                node, _ = made_by(tensor)
                if node is not None:
                    self.made(node, frame)

        def made(self, node: Any, frame: FrameType) -> None:
            """Write down the nodes behind a result that nobody has seen yet, oldest first."""
            found, stack = {}, [node]
            while stack:
                each = stack.pop()
                if id(each) in found or is_accumulate(each) or NOTED in each.metadata:
                    continue
                found[id(each)] = each
                stack += [target for target, _ in each.next_functions if target is not None]
            kind: MomentKind = "again" if in_pass() else "forward"
            for each in sorted(found.values(), key=lambda each: int(each._sequence_nr())):
                line = line_of(each) or (running_line(frame) if kind == "again" else None)
                if kind == "forward" or any(not what.packed for what in kept(each)):
                    self.ledger.happens(kind, node_name(each), line)
                self.follow(each, self.ledger.keeps(each, line, again=kind == "again"), line)

        def follow(self, node: Any, number: int, line: CodeLine | None) -> None:
            mark = node.metadata[NOTED] = Mark()
            self.marks[number] = weakref.ref(mark, lambda _: self.gone(number))
            name = node_name(node)

            def runs() -> None:
                self.settle()
                self.ledger.happens("backward", name, line)
                self.running.append((task(), torch._C._current_autograd_node(), number))

            self.handles.append(node.register_prehook(lambda _: self.guarded(runs)))

        def gone(self, number: int) -> None:
            if self.marks.pop(number, None) is not None:
                self.ledger.is_gone(number)

        def settle(self) -> None:
            """What has a node kept that has run? By now it is done, or a pass in it is at work."""
            now, node = task(), torch._C._current_autograd_node()
            over = [each for each in self.running if each[0] > now or each[1] is not node]
            over = [each for each in over if each[0] >= now]
            for each in over:
                self.running.remove(each)
                if self.ledger.held.get(each[2]) and not list(kept(each[1])):
                    self.ledger.lets_go(each[2])

        @contextmanager
        def packing(self) -> Iterator[None]:
            """Within a pass, see what the hooks pack that a checkpoint has set: the last of them
            ends the operation, whose node then nobody sees.
            """
            hooks = hooks_on_top(True) if in_pass() else None
            if hooks is None:
                yield
                return
            pack, unpack = hooks

            def seen(tensor: Any) -> Any:
                self.guarded(partial(self.ledger.computed_again, tensor))
                return pack(tensor)

            torch._C._autograd._push_saved_tensors_default_hooks(seen, unpack)
            try:
                yield
            finally:
                torch._C._autograd._pop_saved_tensors_default_hooks()

        @contextmanager
        def at_passes(self) -> Iterator[None]:
            """Look on within passes as well: PyTorch calls them with its modes taken off."""
            module = torch.autograd
            run = module._engine_run_backward

            def looked_at(*args: Any, **kwargs: Any) -> Any:
                with ExitStack() as stack:
                    if torch.overrides._get_current_function_mode() is not self:
                        stack.enter_context(self)
                    try:
                        return run(*args, **kwargs)
                    finally:
                        self.guarded(self.settle)
                        self.guarded(self.ledger.look_again)

            module._engine_run_backward = looked_at
            try:
                yield
            finally:
                module._engine_run_backward = run

        def stop(self) -> None:
            for handle in self.handles:
                handle.remove()
            self.running.clear()
            self.marks.clear()

    def task() -> int:
        """PyTorch's number for the pass that is running: larger in a pass within it, -1 in none."""
        return int(torch._C._current_graph_task_id())

    def in_pass() -> bool:
        return task() != -1

    return Look


# --- After the fact


def held_now(graph: Walk) -> Ledger:
    """What the nodes of a graph keep at this moment, in the order in which they were made."""
    ledger = Ledger()
    nodes = [graph.objects[node.id] for node in graph.model.nodes if node.kind == "function"]
    with unseen():
        ledger.live_anyway(tensor for tensor, _ in graph.names.items())
        ledger.call(graph.names.items())
        for node in sorted(nodes, key=lambda node: int(node._sequence_nr())):
            line = line_of(node)
            ledger.happens("forward", node_name(node), line)
            ledger.keeps(node, line)
    ledger.close()
    return ledger
