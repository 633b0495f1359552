"""The tensors whose `.grad` a backward pass of PyTorch will write, found before it writes.

A rehearsal of a pass restores every `.grad`, so it must know all of them, not only the leaves of
the graph. A result without a name may keep its gradient (`retain_grad`). A formula or a hook may
begin a pass of its own, as a checkpoint does, with leaves that the graph does not show.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from ..model.autograd_nodes import is_accumulate, nodes_from
from ..model.either_library import is_pytorch, outside_modes
from ..model.names import made_by
from .python_calls import observe_python


@contextmanager
def before_writes(take: Callable[[Any], None]) -> Iterator[None]:
    """Call `take` with each tensor whose `.grad` a pass inside the block may write, before it does.

    PyTorch has no hook for the beginning of a pass, so the calls of its function are observed.
    """
    backward = sys.modules["torch"].autograd.backward.__code__

    def see(frame: FrameType, event: str) -> None:
        if event == "call" and frame.f_code is backward:
            tensors = frame.f_locals["tensors"]
            with outside_modes():
                written = written_tensors([tensors] if is_pytorch(tensors) else tensors)
            for tensor in written:
                take(tensor)

    with observe_python(see):
        yield


def written_tensors(tensors: Iterable[Any]) -> list[Any]:
    """Return the tensors whose `.grad` a pass from `tensors` may write.

    These are the leaves, and the results that keep their gradient.
    """
    starts = (tensor.grad_fn for tensor in tensors if is_pytorch(tensor))
    nodes = dict.fromkeys(nodes_from(starts))
    leaves = [node.variable for node in nodes if is_accumulate(node)]
    kind = sys.modules["torch"].Tensor
    alive = (each for each in gc.get_objects() if issubclass(type(each), kind))
    return leaves + [each for each in alive if made_by(each)[0] in nodes and each.retains_grad]
