"""What a backward pass of PyTorch writes to, told before it does: who rehearses a pass puts every
`.grad` back, and so must know of each.

The leaves of the graph are not all. A result may keep its gradient (`retain_grad`) and have no
name; and a formula or a hook may begin a pass of its own, as a checkpoint does, which comes to
leaves that the graph does not show.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from .autograd_nodes import is_accumulate
from .names import made_by
from .pytorch_modes import unseen
from .pytorch_passes import is_pytorch


@contextmanager
def noticed(take: Callable[[Any], None]) -> Iterator[None]:
    """Give every tensor to `take` whose `.grad` a backward pass inside the block may write to,
    before it does. No hook of PyTorch's tells that a pass begins; that its function is called can
    be seen.
    """
    backward = sys.modules["torch"].autograd.backward.__code__
    before = sys.getprofile()

    def at_event(frame: FrameType, event: str, value: Any) -> None:
        if before is not None:
            before(frame, event, value)  # type: ignore[arg-type]  # as it was called
        if event == "call" and frame.f_code is backward:
            tensors = frame.f_locals["tensors"]
            with unseen():
                written = written_from([tensors] if is_pytorch(tensors) else tensors)
            for tensor in written:
                take(tensor)

    sys.setprofile(at_event)
    try:
        yield
    finally:
        sys.setprofile(before)


def written_from(tensors: Iterable[Any]) -> list[Any]:
    """The tensors that a backward pass from `tensors` may write to: the leaves, and the results
    that keep their gradient, with or without a name.
    """
    leaves, nodes = [], set()
    stack = [tensor.grad_fn for tensor in tensors if is_pytorch(tensor)]
    while stack:
        node = stack.pop()
        if node is None or node in nodes:
            continue
        nodes.add(node)
        if is_accumulate(node):
            leaves.append(node.variable)
        stack += [following for following, _ in node.next_functions]
    kind = sys.modules["torch"].Tensor
    alive = (each for each in gc.get_objects() if issubclass(type(each), kind))
    return leaves + [each for each in alive if made_by(each)[0] in nodes and each.retains_grad]
