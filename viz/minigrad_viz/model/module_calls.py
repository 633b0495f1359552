"""Record which module computes each operation, while a program runs.

The names of parameters show afterwards what a layer with parameters computed (modules.py). A
recording knows the module of every operation, also of the softmax in an attention. Hooks of both
libraries run before and after each module's `forward`, and keep a stack of the open calls.

A node's metadata refers to its module weakly. The module's name is found later, among the reader's
variables. One without a variable is named after its class: `Linear`, `Linear_2`, ...
"""

from __future__ import annotations

import sys
import threading
import warnings
import weakref
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cached_property
from importlib import import_module
from typing import Any

import minigrad
from minigrad.autograd.events import Place

from .autograd_nodes import is_accumulate, nodes_from
from .either_library import next_sequence_number, sequence_number
from .lines import running_place
from .names import is_tensor, made_by

NOTED = "minigrad_viz.module"
"""The key in a node's metadata of an Inside, or of None if no module computed the node."""


class Inside:
    """A module that was called, and its path from the outermost one: "Encoder.layers.0".

    `place` is where it was called, and `around` the module that called it. The outermost one has
    the names of the parameters, which the graph may keep longer than the module.
    """

    def __init__(self, module: Any, path: str, place: Place | None, around: Inside | None) -> None:
        self.module = weakref.ref(module)
        self.path = path
        self.place = place
        self.around = around
        named = module.named_parameters() if around is None else ()
        self.parameters = [(f"{path}.{name}", weakref.ref(each)) for name, each in named]


class Call:
    """A call of a module that is not over yet."""

    def __init__(self, module: Any, around: Call | None) -> None:
        self.module = module
        self.around = around
        self.place = running_place(sys._getframe(1))
        self.first = 0  # its nodes have this number or a larger one
        self.resume: Callable[[], None] | None = None

    @cached_property
    def inside(self) -> Inside:
        around = None if self.around is None else self.around.inside
        return Inside(self.module, self.path, self.place, around)

    @property
    def outermost(self) -> Call:
        return self if self.around is None else self.around.outermost

    @cached_property
    def path(self) -> str:
        outermost = self.outermost
        if self is outermost:
            return calls.name_of(self.module)
        name = outermost.names.get(id(self.module))
        if name is None:  # a module without an owner counts as a part of its caller
            return self.around.path if self.around is not None else outermost.path
        return ".".join(filter(None, (outermost.path, name)))

    @cached_property
    def names(self) -> dict[int, str]:
        """The names of the modules inside."""
        return {id(module): name for name, module in self.module.named_modules()}


class Calls(threading.local):
    """The calls that are open in one thread, innermost last."""

    watched: bool = False

    def __init__(self) -> None:
        self.open: list[Call] = []
        self.named: dict[int, tuple[weakref.ref[Any], str]] = {}
        self.counts: Counter[str] = Counter()

    def name_of(self, module: Any) -> str:
        """Return a name for a module that nothing else owns: its class, numbered from 2 on."""
        known = self.named.get(id(module))
        if known is None or known[0]() is not module:
            kind = type(module).__name__
            self.counts[kind] += 1
            number = f"_{self.counts[kind]}" if self.counts[kind] > 1 else ""
            known = self.named[id(module)] = weakref.ref(module), kind + number
        return known[1]

    def inside(self) -> Inside | None:
        """Return the innermost module that is running, if any."""
        return self.open[-1].inside if self.open else None

    def begin(self, module: Any) -> Call:
        call = Call(module, self.open[-1] if self.open else None)
        self.open.append(call)
        return call

    def end(self, module: Any) -> Call | None:
        """End the call of `module` and all calls inside it; return the call."""
        while self.open:
            call = self.open.pop()
            if call.resume is not None:
                call.resume()
            if call.module is module:
                return call
        return None


calls = Calls()


@contextmanager
def watch_modules(
    step_aside: Callable[[Any, Any], Callable[[], None] | None],
) -> Iterator[None]:
    """Within the block, record which module is running in this thread.

    `step_aside` gets each module of PyTorch that is called, and its arguments. If it returns a
    function, that runs at the end of the module's call.
    """
    torch: Any = sys.modules.get("torch")

    def before(module: Any, args: Any) -> None:
        if calls.watched:
            calls.begin(module).first = next_sequence_number(minigrad)

    def after(module: Any, args: Any, result: Any) -> None:
        if calls.watched and (call := calls.end(module)) is not None:
            note_module(result, call)

    def before_pytorch(module: Any, args: Any) -> None:
        if not torch.compiler.is_compiling() and calls.watched:
            calls.begin(module).resume = step_aside(module, args)

    def after_pytorch(module: Any, args: Any, result: Any) -> None:
        if not torch.compiler.is_compiling() and calls.watched:
            calls.end(module)

    with ExitStack() as handles:
        ours = import_module("minigrad.nn.module")
        handles.enter_context(ours.register_module_forward_pre_hook(before))
        handles.enter_context(ours.register_module_forward_hook(after, always_call=True))
        if torch is not None:
            theirs = torch.nn.modules.module
            handles.enter_context(theirs.register_module_forward_pre_hook(before_pytorch))
            last = theirs.register_module_forward_hook(after_pytorch, always_call=True)
            handles.enter_context(last)
            handles.enter_context(
                suppressed_warning("Using `torch.compile.module.` when there are global hooks")
            )
        calls.watched = True
        calls.named, calls.counts = {}, Counter()
        try:
            yield
        finally:
            calls.watched = False
            if calls.open:  # an exception has ended these without a hook
                calls.end(calls.open[0].module)


@contextmanager
def suppressed_warning(beginning: str) -> Iterator[None]:
    """Suppress this one warning."""
    warnings.filterwarnings("ignore", message=beginning)
    ours = warnings.filters[0]
    try:
        yield
    finally:
        if ours in warnings.filters:
            warnings.filters.remove(ours)  # type: ignore[attr-defined]


def note_module(result: Any, call: Call) -> None:
    """Note the module at the nodes of minigrad that this call has made.

    For PyTorch, passes/pytorch_forward.py notes it after each operation.
    """
    starts = [made_by(tensor)[0] for tensor in tensors_in(result)]

    def stop(node: Any) -> bool:
        return is_accumulate(node) or sequence_number(node) < call.first

    for node in nodes_from(starts, stop):
        node.metadata.setdefault(NOTED, call.inside)


def tensors_in(value: Any) -> Iterator[Any]:
    """Yield the tensors in a module's result: alone, or in lists, tuples and dictionaries."""
    if is_tensor(value):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from tensors_in(each)
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from tensors_in(each)


def noted_module(node: Any) -> Inside | None:
    """Return the noted module of a node; KeyError if none was noted."""
    metadata = getattr(node, "metadata", None)
    if not isinstance(metadata, dict):  # a Function may store anything under that name
        raise KeyError(NOTED)
    found: Inside | None = metadata[NOTED]
    return found
