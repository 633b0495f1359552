"""What a node of PyTorch finds saved when it runs, read without a trace: only what no hook of the
program has packed, with the versions that PyTorch compares before it hands a tensor out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from minigrad.autograd.events import SavedValue, Value

from .autograd_nodes import dtype_name, node_name, saved_tensors
from .rules import saved_order
from .values import value_of


def saved_values(node: Any) -> tuple[SavedValue, ...]:
    """The tensors that the node finds when it runs, in the order of its formula.

    One that has been changed in place is no longer handed out, but PyTorch's own wrapper around it
    still shows its numbers, and the refusal tells both versions. One that a hook has packed is for
    the pass to unpack, and its numbers are not told.
    """
    found = {}
    for name, value in saved_tensors(node):
        if value == "changed":
            found.update(_changed(node, name))
        elif value == "packed":
            found[name] = SavedValue(name, None, 0, 0)
        elif not isinstance(value, str):
            version = int(value._version)
            known = without_numbers(value) if (node_name(node), name) in WORKSPACES else None
            found[name] = SavedValue(name, known or value_of(value), version, version)
    order = saved_order(node)
    return tuple(sorted(found.values(), key=lambda saved: order.get(saved.name, len(order))))


WORKSPACES = {("MkldnnRnnLayerBackward0", "result3")}
"""Memory that a library keeps for itself. Of oneDNN's for an LSTM the forward pass writes a third;
what stands in the rest nobody has ever written, and the backward pass writes over some of it. So
its bytes are other ones at each run, and none of them is a number of the program's.
"""


def without_numbers(tensor: Any) -> Value:
    """What there is to say of a tensor whose bytes are no numbers."""
    return Value(tuple(tensor.shape), dtype_name(tensor.dtype), str(tensor.device))


def _changed(node: Any, name: str) -> dict[str, SavedValue]:
    """What was saved under `name`, at least one of whose tensors has been changed in place."""
    attribute = name if name == "saved_tensors" else f"_saved_{name}"
    raw = getattr(node, f"_raw{attribute if attribute[0] == '_' else '_' + attribute}", ())
    several = isinstance(raw, tuple | list)
    refusal = _refusal(partial(getattr, node, attribute))
    found = {}
    for place, wrapper in enumerate(raw if several else (raw,)):
        tensor = wrapper.data
        if tensor is None:
            continue
        version = int(tensor._version)
        told = VERSIONS.search(_refusal(wrapper.unpack) if several else refusal)
        if told is None and several and _refusal(wrapper.unpack):
            # Of the node's own result the wrapper says less than the node, which names the first.
            told = VERSIONS.search(refusal)
            told = told if told and int(told[1]) == version else None
        now, expected = map(int, told.groups()) if told else (version, version)
        key = f"{name}[{place}]" if several else name
        found[key] = SavedValue(key, value_of(tensor), expected, now)
    return found


VERSIONS = re.compile(r"is at version (\d+); expected version (\d+)")


def _refusal(read: Callable[[], object]) -> str:
    """What PyTorch says when a saved tensor is read that it does not hand out."""
    try:
        read()
    except RuntimeError as error:
        return str(error)
    return ""
