"""watch(): note the line and the module of each operation.

A graph shows what was computed, but not by which line or module. Observers can note both at each
node while the program runs. That takes time at each operation, so it is off by default.
model/lines.py and model/module_calls.py read the notes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from minigrad.autograd import track_lines

from ..model.module_calls import calls, watch_modules
from .pytorch_forward import note_pytorch, step_aside


@contextmanager
def watch() -> Iterator[None]:
    """Let each operation in the block remember the line of code and the module that computed it.

    Also a decorator. `step`, `draw` and `explain` then show operations with their code and modules.
    For PyTorch's tensors, the only other way is to give `step` or `draw` a function that computes
    the tensor. It changes no number and no graph.

    >>> import minigrad as mg, minigrad_viz as viz
    >>> net = mg.nn.Sequential(mg.nn.Linear(2, 2), mg.nn.Tanh())
    >>> with viz.watch():
    ...     loss = net(mg.ones(2)).sum()
    >>> nodes = viz.draw(loss, names=net).model.nodes
    >>> {node.name: node.module for node in nodes if node.module}["TanhBackward0"]
    '1'
    """
    if calls.watched:  # an outer block notes everything already
        yield
        return
    with track_lines(True), watch_modules(step_aside), note_pytorch():
        yield
