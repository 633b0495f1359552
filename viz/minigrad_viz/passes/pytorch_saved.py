"""The saved tensors of a node of PyTorch when it runs, read without a trace.

Tensors that a hook has packed are not read. The versions are those that PyTorch compares.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from minigrad.autograd.events import SavedValue, Value

from ..model.autograd_nodes import dtype_name, node_name, saved_tensors
from ..model.either_library import version_of
from ..model.rules import saved_order
from ..model.values import value_of


def saved_values(node: Any) -> tuple[SavedValue, ...]:
    """Return the tensors that the node has saved, in the order of its formula.

    PyTorch refuses to return a tensor that was written in place. Its wrapper still has the numbers,
    and the error message has both versions. Only the pass may unpack a packed tensor, so that has
    no numbers here.
    """
    found = {}
    for name, value in saved_tensors(node):
        if value == "changed":
            found.update(_changed(node, name))
        elif value == "packed":
            found[name] = SavedValue(name, None, 0, 0)
        elif not isinstance(value, str):
            version = version_of(value)
            known = without_numbers(value) if (node_name(node), name) in WORKSPACES else None
            found[name] = SavedValue(name, known or value_of(value), version, version)
    order = saved_order(node)
    return tuple(sorted(found.values(), key=lambda saved: order.get(saved.name, len(order))))


WORKSPACES = {("MkldnnRnnLayerBackward0", "result3")}
"""Work memory of a library, whose bytes are no numbers of the program.

The forward pass of oneDNN's LSTM writes a third of it, and the backward pass overwrites some of the
rest, so the bytes differ between runs.
"""


def without_numbers(tensor: Any) -> Value:
    """Return shape, dtype and device of a tensor whose bytes are no numbers."""
    return Value(tuple(tensor.shape), dtype_name(tensor.dtype), str(tensor.device))


def _changed(node: Any, name: str) -> dict[str, SavedValue]:
    """Return the saved tensors under `name`, of which at least one was written in place."""
    attribute = name if name == "saved_tensors" else f"_saved_{name}"
    wrappers = getattr(node, f"_raw{attribute if attribute[0] == '_' else '_' + attribute}", ())
    several = isinstance(wrappers, tuple | list)
    refusal = _refusal(partial(getattr, node, attribute))
    found = {}
    for place, wrapper in enumerate(wrappers if several else (wrappers,)):
        tensor = wrapper.data
        if tensor is None:
            continue
        version = version_of(tensor)
        versions = VERSIONS.search(_refusal(wrapper.unpack) if several else refusal)
        if versions is None and several and _refusal(wrapper.unpack):
            # For the node's own result, only the node's message has versions, of the first tensor.
            versions = VERSIONS.search(refusal)
            versions = versions if versions and int(versions[1]) == version else None
        now, expected = map(int, versions.groups()) if versions else (version, version)
        key = f"{name}[{place}]" if several else name
        found[key] = SavedValue(key, value_of(tensor), expected, now)
    return found


VERSIONS = re.compile(r"is at version (\d+); expected version (\d+)")


def _refusal(read: Callable[[], object]) -> str:
    """Return PyTorch's error message for reading a saved tensor, empty if there is none."""
    try:
        read()
    except RuntimeError as error:
        return str(error)
    return ""
