"""Reading one autograd node, of minigrad or PyTorch: its name, its results, what it has saved.

Only the protocol that both share is read (`name()`, `_saved_*`, `_input_metadata`), so a node of
PyTorch is seen exactly like one of minigrad's.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

from ..texts.numerals import RAGGED
from .names import is_tensor
from .own_engines import OwnNode, saved_by_own


def node_name(node: Any) -> str:
    """The node's name without the C++ namespaces that PyTorch puts before it: "AccumulateGrad"."""
    return str(node.name()).rpartition("::")[2]


def is_accumulate(node: Any) -> bool:
    """Does this node add to a leaf's `.grad`? A user's Function may have any attribute, so the name
    decides, with or without what C++ puts before it.
    """
    return str(node.name()).endswith("AccumulateGrad")


def saved_tensors(node: Any) -> Iterator[tuple[str, Any]]:
    """The tensors that a node keeps for its backward formula, as (name, tensor), in the order of
    their names.

    In place of a tensor that cannot be read comes "freed" (a backward pass has let go of it),
    "changed" (it has been changed in place since, so that backward would raise) or "packed": only
    a hook of the program can unpack it, and to call that is for a backward pass alone. A list of
    tensors gives name[0], name[1], ...
    """
    if isinstance(node, OwnNode):
        yield from saved_by_own(node)
        return
    for attribute in _saved_attributes(node):
        name = attribute.removeprefix("_saved_")
        if is_packed(node, attribute):
            yield name, "packed"
            continue
        try:
            if attribute == "saved_tensors" and _reads_once(node):
                value = [raw.data for raw in node._raw_saved_tensors]
            else:
                value = getattr(node, attribute)
        except RuntimeError as error:
            # Both failures are RuntimeErrors in PyTorch; only the text tells them apart.
            yield name, "changed" if "inplace" in str(error) else "freed"
            continue
        if is_tensor(value):
            yield name, value
        elif isinstance(value, tuple | list):
            for place, item in enumerate(value):
                if is_tensor(item):
                    yield f"{name}[{place}]", item


def _reads_once(node: Any) -> bool:
    """Would reading `saved_tensors` take them away? A Function of PyTorch's may have said so."""
    function = getattr(node, "_forward_cls", None)
    return bool(getattr(function, "clear_saved_tensors_on_access", False))


def is_packed(node: Any, attribute: str) -> bool:
    """Would reading this attribute call a saved-tensor hook of the program?"""
    try:
        raw = getattr(node, f"_raw_{attribute.removeprefix('_')}", None)
    except RuntimeError:  # freed
        return False
    slots = raw if isinstance(raw, tuple | list) else [raw]
    return any(getattr(slot, "unpack_hook", None) is not None for slot in slots)


def _saved_attributes(node: Any) -> tuple[str, ...]:
    """The attributes that a kind of node shows of what it has saved."""
    kind = type(node)
    if kind not in _SAVED_BY_KIND:
        shown = (a for a in dir(node) if a.startswith("_saved_") or a == "saved_tensors")
        _SAVED_BY_KIND[kind] = tuple(shown)
    return _SAVED_BY_KIND[kind]


_SAVED_BY_KIND: WeakKeyDictionary[type, tuple[str, ...]] = WeakKeyDictionary()
"""To list all attributes of each of thousands of nodes takes longer than to draw them."""


def results_of(node: Any) -> Iterator[tuple[tuple[int, ...], str]]:
    """Shape and dtype of each of an operation's results, as far as the node tells."""
    for metadata in getattr(node, "_input_metadata", ()):
        yield _shape(metadata), dtype_name(metadata.dtype)


def _shape(metadata: Any) -> tuple[int, ...]:
    try:
        return tuple(n if isinstance(n, int) else RAGGED for n in metadata.shape)
    except RuntimeError:  # PyTorch: of a nested tensor, whose shape the node does not tell
        return (RAGGED,)


@cache
def dtype_name(dtype: object) -> str:
    """ "float32" for minigrad.float32 and torch.float32."""
    return str(dtype).rpartition(".")[2]
