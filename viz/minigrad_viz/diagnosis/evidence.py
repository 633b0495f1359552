"""What a graph, a tensor and a traceback tell whoever asks why something failed.

Each function answers one question about what is there; what follows from it, causes.py says.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from types import FrameType, TracebackType
from typing import Any

from minigrad.autograd.events import said_by, saved_at
from minigrad.autograd.graph import Node

from ..model.autograd_nodes import is_accumulate, saved_tensors
from ..model.frame_locals import names_in, variables_of
from ..model.lines import of_library
from ..model.names import is_tensor, made_by
from ..model.sources import is_cell
from ..model.values import bare, dense, has_numbers
from .objects import is_library

Place = tuple[FrameType, int]
"""A frame of the reader's program, and its line."""


def contained(frame: FrameType) -> Iterator[tuple[str, Any]]:
    """The tensors in the lists, dicts and objects that a frame's variables hold, as a program would
    call them: `losses["a"]`, `outs[0]`, `meter.sum`.
    """
    for name, value in list(names_in(frame).items()):
        if not isinstance(name, str) or name.startswith("_"):
            continue
        kind = type(value)  # asked in the object's place, which may answer with an exception
        pairs: Iterable[tuple[str, Any]] = ()
        if kind is dict:
            pairs = ((f"{name}[{key!r}]", each) for key, each in list(value.items())[:MOST_HELD])
        elif kind in (list, tuple):
            pairs = ((f"{name}[{at}]", each) for at, each in enumerate(value[:MOST_HELD]))
        elif not issubclass(kind, type) and not is_tensor(value) and not is_library(kind):
            try:
                held = list(object.__getattribute__(value, "__dict__").items())
            except AttributeError:
                continue
            pairs = ((f"{name}.{attribute}", each) for attribute, each in held[:MOST_HELD])
        yield from ((text, each) for text, each in pairs if is_tensor(each))


MOST_HELD = 100
"""As many elements of a list are given names."""


def nodes_behind(tensor: Any) -> list[Any]:
    """The autograd nodes behind a tensor, each once."""
    if not tensor.requires_grad:
        return []
    node, _ = made_by(tensor)
    found: list[Any] = []
    seen: set[int] = set()
    stack = [] if node is None else [node]
    while stack:
        node = stack.pop()
        if id(node) not in seen:
            seen.add(id(node))
            found.append(node)
            stack += [n for n, _ in node.next_functions if n is not None]
    return found


def ends_at(leaf: Any, nodes: list[Any]) -> bool:
    """Is the node that adds to the gradient of `leaf` among these?"""
    return any(is_accumulate(node) and node.variable is leaf for node in nodes)


def leads_to(start: Any, target: Any, without: Any = None) -> bool:
    """Does a way lead from one node to another (which does not pass through `without`)?"""
    seen = {id(without)}
    stack = [] if start is None else [start]
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        if node is target:
            return True
        seen.add(id(node))
        stack += [n for n, _ in node.next_functions if n is not None]
    return False


def readable(tensor: Any) -> bool:
    """Can the tensor say what made it?"""
    try:
        return tensor.grad_fn is None or tensor.requires_grad
    except RuntimeError:
        return False


def state_of(nodes: Iterable[Any]) -> str:
    """Has a backward pass been through these nodes? "freed", "kept", or "" if nothing was saved
    that could tell.
    """
    state = ""
    for node in nodes:
        for _, saved in saved_tensors(node):
            if isinstance(saved, str) and saved == "freed":
                return "freed"
            state = "kept"
    return state


def sequence_of(node: Any) -> int:
    return int(node._sequence_nr())


def is_function_of_the_user(node: Any) -> bool:
    """Only a Function that somebody wrote may return None where a gradient is wanted."""
    return hasattr(type(node), "saved_tensors")


def memory(tensor: Any) -> tuple[Any, ...] | None:
    """Where a tensor's first element is; None if it has none."""
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
    """Is this place in the memory of a tensor?"""
    at = memory(tensor)
    if at is None or at[:2] != place[:2]:
        return False
    last = sum((n - 1) * step for n, step in zip(tensor.shape, tensor.stride(), strict=True))
    return bool(at[2] <= place[2] <= at[2] + last * tensor.element_size())


Change = tuple[int, int, tuple[int, ...] | None]
"""The version at which a tensor was saved that has been changed since, the version now, and its
shape: all of it is in the error that reading it raises.
"""


def changed_versions(node: Any, saved: str) -> Change:
    attribute = "saved_tensors" if saved.startswith("saved_tensors") else f"_saved_{saved}"
    message = ""
    try:
        getattr(node, attribute)
    except RuntimeError as error:
        message = said_by(error)
    return versions_in(message)


def versions_in(message: str) -> Change:
    found = re.search(r"is at version (\d+); expected version (\d+)", message)
    shape = re.search(r"Tensor \[([\d, ]*)\]", message)
    sizes = None if shape is None else tuple(int(n) for n in shape[1].split(",") if n.strip())
    return (int(found[2]), int(found[1]), sizes) if found else (0, 0, sizes)


def saved_memory(node: Any, saved: str) -> tuple[Any, ...] | None:
    """Where a saved tensor lies that has been changed, if the node still tells."""
    if isinstance(node, Node):
        place = saved_at(node, saved)
        return None if place is None else ("minigrad", *place)
    raw = getattr(node, f"_raw_saved_{saved}", None)
    tensor = getattr(raw, "data", None)
    return memory(tensor) if is_tensor(tensor) else None


def nonfinite(tensor: Any) -> str:
    """ "nan", "inf", or nothing."""
    if not tensor.is_floating_point() or not has_numbers(tensor):
        return ""
    tensor = dense(bare(tensor))
    if bool((tensor != tensor).any()):
        return "nan"
    return "inf" if bool((tensor.abs() == float("inf")).any()) else ""


def frames_of(trace: TracebackType | None) -> list[Place]:
    """The frames of the reader's program in a traceback, outermost first. In a notebook it begins
    with a cell: what stands above runs the notebook.
    """
    found = []
    while trace is not None:
        if not of_library(trace.tb_frame) and not _of_python(trace.tb_frame):
            found.append((trace.tb_frame, trace.tb_lineno))
        trace = trace.tb_next
    cells = (i for i, (frame, _) in enumerate(found) if is_cell(frame.f_code.co_filename))
    return found[next(cells, 0) :]


def _of_python(frame: FrameType) -> bool:
    """Is this code of Python's own library, such as copy.py?"""
    name = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    return name in sys.stdlib_module_names and name != "__main__"


def arguments_in(trace: TracebackType | None, *names: str) -> Iterator[Any]:
    """The tensors that a library's function got as one of these arguments, outermost call first."""
    while trace is not None:
        if of_library(trace.tb_frame):
            for name in names:
                value = variables_of(trace.tb_frame).get(name)
                for each in value if isinstance(value, list | tuple) else [value]:
                    if is_tensor(each):
                        yield each
        trace = trace.tb_next
