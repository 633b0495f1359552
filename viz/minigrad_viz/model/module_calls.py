"""Which module is at work while a program runs, and so which module computed what.

The names of parameters tell afterwards what a layer with parameters computed (modules.py). Who
looks on knows it of every operation, the softmax of an attention too: both libraries call hooks
before and after the `forward` of each module, and these keep a stack of the calls that are open.

A node keeps a note of its module, and the note refers to it weakly. What the module is called is
asked later, by whoever knows the reader's variables.
"""

from __future__ import annotations

import sys
import threading
import warnings
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cached_property
from importlib import import_module
from typing import Any

import minigrad

from .autograd_nodes import is_accumulate
from .names import is_tensor, made_by

NOTED = "minigrad_viz.module"
"""The key in a node's metadata; under it is an Inside, or None for what no module computed."""


class Inside:
    """A module that was called, and its path from the outermost one: "Encoder.layers.0"."""

    def __init__(self, module: Any, path: str) -> None:
        self.module = weakref.ref(module)
        self.path = path


class Call:
    """A call of a module that is not over yet."""

    def __init__(self, module: Any, around: Call | None) -> None:
        self.module = module
        self.around = around
        self.outermost: Call = self if around is None else around.outermost
        self.first = 0  # the number of its first node at the earliest
        self.resume: Callable[[], None] | None = None

    @cached_property
    def inside(self) -> Inside:
        return Inside(self.module, self.path)

    @cached_property
    def path(self) -> str:
        name = self.outermost.names.get(id(self.module))
        if name is None:  # what no module has as its own belongs to the one that called it
            return type(self.module).__name__ if self.around is None else self.around.path
        return ".".join(filter(None, (type(self.outermost.module).__name__, name)))

    @cached_property
    def names(self) -> dict[int, str]:
        """What the modules inside are called."""
        return {id(module): name for name, module in self.module.named_modules()}


class Calls(threading.local):
    """The calls that are open in one thread, innermost last."""

    watched: bool = False

    def __init__(self) -> None:
        self.open: list[Call] = []

    def inside(self) -> Inside | None:
        """The module that is at work, if one is."""
        return self.open[-1].inside if self.open else None

    def begin(self, module: Any) -> Call:
        call = Call(module, self.open[-1] if self.open else None)
        self.open.append(call)
        return call

    def end(self, module: Any) -> Call | None:
        """The call of `module` that ends; those inside it have ended, too."""
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
    """Know which module is at work inside the block, in this thread.

    `step_aside` is asked at each call of a module of PyTorch, with the module and its arguments; if
    it returns something, that is called at the end of the call.
    """
    torch: Any = sys.modules.get("torch")

    def before(module: Any, args: Any) -> None:
        if calls.watched:
            calls.begin(module).first = minigrad.autograd._get_sequence_nr()

    def after(module: Any, args: Any, result: Any) -> None:
        if calls.watched and (call := calls.end(module)) is not None:
            note(result, call)

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
                unsaid("Using `torch.compile.module.` when there are global hooks")
            )
        calls.watched = True
        try:
            yield
        finally:
            calls.watched = False
            if calls.open:  # an exception that no hook is told of has ended these
                calls.end(calls.open[0].module)


@contextmanager
def unsaid(beginning: str) -> Iterator[None]:
    """Let nobody be warned of this, and of all else as before."""
    warnings.filterwarnings("ignore", message=beginning)
    ours = warnings.filters[0]
    try:
        yield
    finally:
        if ours in warnings.filters:
            warnings.filters.remove(ours)  # type: ignore[attr-defined]


def note(result: Any, call: Call) -> None:
    """Let the nodes behind a result of minigrad that were made in this call know their module. In
    PyTorch each operation notes its own (pytorch_forward.py).
    """
    stack = [made_by(tensor)[0] for tensor in tensors_in(result)]
    seen: set[int] = set()
    while stack:
        node = stack.pop()
        if node is None or id(node) in seen or is_accumulate(node):
            continue
        seen.add(id(node))
        if node._sequence_nr() >= call.first:
            node.metadata.setdefault(NOTED, call.inside)
            stack += [n for n, _ in node.next_functions]


def tensors_in(value: Any) -> Iterator[Any]:
    """The tensors in what a module returns: alone, or in lists, tuples and dictionaries."""
    if is_tensor(value):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from tensors_in(each)
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from tensors_in(each)


def noted_module(node: Any) -> Inside | None:
    """What somebody has noted about the module of a node. KeyError if nobody has."""
    metadata = getattr(node, "metadata", None)
    if not isinstance(metadata, dict):  # a Function may keep anything under that name
        raise KeyError(NOTED)
    found: Inside | None = metadata[NOTED]
    return found
