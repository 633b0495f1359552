"""Looking on while PyTorch computes: what its operations keep, and when its engine lets go.

A mode hears of each call, and the nodes behind its result tell what they keep. Each gets a hook
that says that it runs; whether it has let go then is read off the node itself when the next one
runs. And each gets a mark in its metadata that is gone when the node is: a node is C++, and nothing
else tells. Tensors are saved as ever: hooks that saw them would turn off the check whether they
have been written to.

PyTorch is never imported here: whoever has a tensor of it has imported it.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from types import FrameType
from typing import Any

from minigrad.autograd.events import CodeLine

from .autograd_nodes import is_accumulate, node_name
from .kept import kept, tensors_in
from .lines import line_of, running_line
from .memory_ledger import Ledger, MomentKind
from .names import made_by
from .pytorch_modes import unseen


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
            self, function: Any, types: Any, args: Any, kwargs: Any = None
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
            self.ledger.look_at(frame)
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
