"""Watching a forward pass of PyTorch: which operations it takes, and which line calls them.

A program is watched where it calls PyTorch: what a call like `cross_entropy` does inside is one
operation here, and a user's own Function is not seen, only that its node is there. Whoever looks on
also puts down the line of the call, which PyTorch's nodes do not remember.

PyTorch is never imported here: whoever has a tensor of it has imported it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from minigrad.autograd.events import CodeLine, Event, Forward

from .autograd_nodes import is_accumulate
from .lines import NOTED, running_line
from .names import made_by
from .pytorch_passes import is_pytorch
from .values import value_of


@contextmanager
def watch_pytorch(events: list[Event]) -> Iterator[None]:
    """Note in `events` each call to PyTorch inside the block that leaves a node."""
    torch: Any = sys.modules.get("torch")
    if torch is None:
        yield
        return
    known: set[int] = set()

    class Watch(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(
            self, function: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            numbers = getattr(function, "__name__", "") in ARITHMETIC
            given = [*_flat(args, numbers), *_flat((kwargs or {}).values(), numbers=False)]
            # An operation in place changes what went in.
            inputs = [value_of(torch.as_tensor(each)) for each in given]
            before = [made_by(each)[0] for each in given if is_pytorch(each)]
            result = function(*args, **(kwargs or {}))
            made = [t for t in _flat((result,), numbers=False) if made_by(t)[0] is not None]
            put_down([t.grad_fn for t in made], before, running_line(sys._getframe()))
            if made and id(made[0].grad_fn) not in known:
                node = made[0].grad_fn
                known.add(id(node))  # the event keeps the node alive, and so its identity
                outputs = tuple(map(value_of, made))
                events.append(Forward(node, tuple(inputs), outputs))
            return result

    with Watch():
        yield


def put_down(made: list[Any], before: list[Any], line: CodeLine | None) -> None:
    """Let the nodes that a call has made, down to those that were there before, know its line."""
    passed = {id(node) for node in before}
    stack = made
    while stack:
        node = stack.pop()
        if id(node) not in passed and not is_accumulate(node):
            passed.add(id(node))
            node.metadata.setdefault(NOTED, line)
            stack += [n for n, _ in node.next_functions if n is not None]


ARITHMETIC = frozenset(
    f"{before}{name}{after}"
    for name in ("add", "sub", "rsub", "mul", "div", "truediv", "radd", "rmul", "rdiv")
    for before, after in (("", ""), ("", "_"), ("__", "__"))
)
"""Functions of PyTorch whose numbers are operands, and no settings."""


def _flat(values: Any, numbers: bool) -> Iterator[Any]:
    """The tensors among `values` and in lists of them; also plain numbers, if they count."""
    for value in values:
        if is_pytorch(value) or (numbers and type(value) in (int, float)):
            yield value
        elif isinstance(value, tuple | list):
            yield from (each for each in value if is_pytorch(each))
