"""watch(): let what a program computes know where it comes from.

A graph tells what was computed, and not by which line or module. Who looks on while the program
runs can put both down at each node. That costs a little at each operation, so nobody looks on
unless asked to; model/lines.py and module_calls.py read what was put down.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from minigrad.autograd import track_lines

from .module_calls import calls, watch_modules
from .pytorch_forward import note_pytorch, step_aside


@contextmanager
def watch() -> Iterator[None]:
    """Let each operation in the block remember the line of code and the module that computed it.

    Also a decorator. What was computed so is shown with its code and its modules by `step`, `draw`
    and `explain`; for PyTorch's tensors there is no other way, but to hand `step` or `draw` a
    function that computes the tensor. It changes no number and no graph, and ends with the block.

    >>> import minigrad as mg, minigrad_viz as viz
    >>> net = mg.nn.Sequential(mg.nn.Linear(2, 2), mg.nn.Tanh())
    >>> with viz.watch():
    ...     loss = net(mg.ones(2)).sum()
    >>> nodes = viz.GraphModel.of(loss, names=net).nodes
    >>> {node.name: node.module for node in nodes if node.module}["TanhBackward0"]
    '1'
    """
    if calls.watched:  # who looks on already sees it all
        yield
        return
    with track_lines(True), watch_modules(step_aside), note_pytorch():
        yield
