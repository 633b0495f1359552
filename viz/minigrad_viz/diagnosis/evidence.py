"""Facts about graphs, tensors and tracebacks.

Each function answers one question about what exists. causes.py draws the conclusions.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from types import FrameType, TracebackType
from typing import Any

from minigrad.autograd.events import Node, message_of, saved_at

from ..model.autograd_nodes import is_accumulate, node_name, nodes_from, saved_tensors
from ..model.either_library import sequence_number
from ..model.frame_locals import names_in, variables_of
from ..model.lines import of_library
from ..model.names import is_tensor, made_by
from ..model.sources import is_cell
from ..model.values import bare, dense, has_numbers
from .objects import attributes_of, is_library

Place = tuple[FrameType, int]
"""A frame of the user's program, and its line."""


def tensors_in_containers(frame: FrameType) -> Iterator[tuple[str, Any]]:
    """Yield the tensors in lists, dicts and objects that a frame's variables hold.

    Each is called by its expression: `losses["a"]`, `outs[0]`, `meter.sum`.
    """
    for name, value in list(names_in(frame).items()):
        if not isinstance(name, str) or name.startswith("_"):
            continue
        kind = type(value)  # not value.__class__, which may raise
        pairs: Iterable[tuple[str, Any]] = ()
        if kind is dict:
            pairs = ((f"{name}[{key!r}]", each) for key, each in list(value.items())[:MOST_HELD])
        elif kind in (list, tuple):
            pairs = ((f"{name}[{at}]", each) for at, each in enumerate(value[:MOST_HELD]))
        elif not issubclass(kind, type) and not is_tensor(value) and not is_library(kind):
            held = list(attributes_of(value).items())
            pairs = ((f"{name}.{attribute}", each) for attribute, each in held[:MOST_HELD])
        yield from ((text, each) for text, each in pairs if is_tensor(each))


MOST_HELD = 100
"""Maximum number of elements of a container to name."""


def nodes_behind(tensor: Any) -> list[Any]:
    """Return the autograd nodes behind a tensor, each once."""
    if not tensor.requires_grad:
        return []
    return list(nodes_from([made_by(tensor)[0]]))


def ends_at(leaf: Any, nodes: list[Any]) -> bool:
    """Return whether the AccumulateGrad node of `leaf` is among these."""
    return any(is_accumulate(node) and node.variable is leaf for node in nodes)


def leads_to(start: Any, target: Any, without: Any = None) -> bool:
    """Return whether a path leads from one node to another without passing `without`."""
    return any(node is target for node in nodes_from([start], lambda node: node is without))


def readable(tensor: Any) -> bool:
    """Return whether the tensor's grad_fn can be read."""
    try:
        return tensor.grad_fn is None or tensor.requires_grad
    except RuntimeError:
        return False


def state_of(nodes: Iterable[Any]) -> str:
    """Return "freed" if a pass went through these nodes, else "kept", or "" if nothing is saved."""
    state = ""
    for node in nodes:
        for _, saved in saved_tensors(node):
            if isinstance(saved, str) and saved == "freed":
                return "freed"
            state = "kept"
    return state


def sequence_of(node: Any) -> int:
    return sequence_number(node)


def kind_of(node: Any) -> str:
    """Return "Softmax" for a node named "SoftmaxBackward0"."""
    return str(node_name(node)).partition("Backward")[0]


def is_user_function(node: Any) -> bool:
    """Return whether a node is a user's Function, which alone may return None for a gradient."""
    return hasattr(type(node), "saved_tensors")


def memory(tensor: Any) -> tuple[Any, ...] | None:
    """Return the address of a tensor's first element, or None if it has none."""
    if not tensor.numel():
        return None
    try:
        return (
            str(type(tensor).__module__).partition(".")[0],
            str(tensor.device),
            tensor.data_ptr(),
        )
    except (RuntimeError, NotImplementedError):  # PyTorch: sparse, or without storage
        return None


def covers(tensor: Any, place: tuple[Any, ...]) -> bool:
    """Return whether an address is inside the memory of a tensor."""
    at = memory(tensor)
    if at is None or at[:2] != place[:2]:
        return False
    last = sum((n - 1) * step for n, step in zip(tensor.shape, tensor.stride(), strict=True))
    return bool(at[2] <= place[2] <= at[2] + last * tensor.element_size())


Change = tuple[int, int, tuple[int, ...] | None]
"""The version at which a changed tensor was saved, its version now, and its shape.

The error that reading the tensor raises contains all three.
"""


def changed_versions(node: Any, saved: str) -> Change:
    attribute = "saved_tensors" if saved.startswith("saved_tensors") else f"_saved_{saved}"
    message = ""
    try:
        getattr(node, attribute)
    except RuntimeError as error:
        message = message_of(error)
    return versions_in(message)


def versions_in(message: str) -> Change:
    found = re.search(r"is at version (\d+); expected version (\d+)", message)
    shape = re.search(r"Tensor \[([\d, ]*)\]", message)
    sizes = None if shape is None else tuple(int(n) for n in shape[1].split(",") if n.strip())
    return (int(found[2]), int(found[1]), sizes) if found else (0, 0, sizes)


def saved_argument(node: Any, name: str) -> Any:
    """Return an argument that a node has saved, such as the dimension of a softmax."""
    return getattr(node, f"_saved_{name}")


def saved_memory(node: Any, saved: str) -> tuple[Any, ...] | None:
    """Return the address of a changed saved tensor if the node still knows it."""
    if isinstance(node, Node):
        place = saved_at(node, saved)
        return None if place is None else ("minigrad", *place)
    raw = getattr(node, f"_raw_saved_{saved}", None)
    tensor = getattr(raw, "data", None)
    return memory(tensor) if is_tensor(tensor) else None


def nonfinite(tensor: Any) -> str:
    """Return "nan", "inf" or ""."""
    if not tensor.is_floating_point() or not has_numbers(tensor):
        return ""
    tensor = dense(bare(tensor))
    if bool((tensor != tensor).any()):
        return "nan"
    return "inf" if bool((tensor.abs() == float("inf")).any()) else ""


def frames_of(trace: TracebackType | None) -> list[Place]:
    """Return the frames of the user's program in a traceback, outermost first.

    In a notebook, the first frame is a cell: the frames above it run the notebook.
    """
    found = []
    while trace is not None:
        if not of_library(trace.tb_frame) and not _of_python(trace.tb_frame):
            found.append((trace.tb_frame, trace.tb_lineno))
        trace = trace.tb_next
    cells = (i for i, (frame, _) in enumerate(found) if is_cell(frame.f_code.co_filename))
    return found[next(cells, 0) :]


def _of_python(frame: FrameType) -> bool:
    """Return whether the code is of NumPy or of Python's own library, such as copy.py."""
    name = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    return name == "numpy" or (name in sys.stdlib_module_names and name != "__main__")


def arguments_in(trace: TracebackType | None, *names: str) -> Iterator[Any]:
    """Yield tensors that library functions got as these arguments, outermost call first."""
    while trace is not None:
        if of_library(trace.tb_frame):
            for name in names:
                value = variables_of(trace.tb_frame).get(name)
                for each in value if isinstance(value, list | tuple) else [value]:
                    if is_tensor(each):
                        yield each
        trace = trace.tb_next
