"""Read one autograd node, of minigrad or PyTorch: its name, its results, its saved tensors.

Only attributes that nodes of both libraries have are read, so a node of PyTorch looks exactly like
one of minigrad's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

from ..texts.numerals import RAGGED
from .either_library import function_class, output_metadata, packed_tensors
from .names import is_tensor
from .own_engines import OwnNode, saved_by_own


def node_name(node: Any) -> str:
    """Return the node's name without PyTorch's C++ namespaces: "AccumulateGrad"."""
    return str(node.name()).rpartition("::")[2]


def is_accumulate(node: Any) -> bool:
    """Whether this node adds to a leaf's `.grad`, by its name, with or without C++ namespaces.

    A user's Function may have any attribute.
    """
    return str(node.name()).endswith("AccumulateGrad")


def nodes_from(
    starts: Iterable[Any], stop: Callable[[Any], bool] = lambda node: False
) -> Iterator[Any]:
    """Yield the nodes that lie behind these, and these, each once.

    Nodes at which to `stop` are left out, with what lies behind them.
    """
    stack = list(starts)
    seen: dict[int, Any] = {}  # PyTorch makes a node's object anew if nothing holds it
    while stack:
        node = stack.pop()
        if node is None or id(node) in seen or stop(node):
            continue
        seen[id(node)] = node
        yield node
        stack += [each for each, _ in node.next_functions]


def saved_tensors(node: Any) -> Iterator[tuple[str, Any]]:
    """Yield (name, tensor) for each tensor that a node has saved, in the order of their names.

    In place of a tensor that cannot be read stands a word: "freed" (by a backward pass), "changed"
    (written in place since, so that backward would raise) or "packed" (only the backward pass may
    call the hook that unpacks it). A list of tensors gives name[0], name[1], ...
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
                value = [raw.data for raw in packed_tensors(node)]
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
    """Whether `saved_tensors` can be read only once, which a Function of PyTorch may choose."""
    function = function_class(node)
    return bool(getattr(function, "clear_saved_tensors_on_access", False))


def is_packed(node: Any, attribute: str) -> bool:
    """Whether reading this attribute would call a saved-tensor hook of the program."""
    try:
        raw = getattr(node, f"_raw_{attribute.removeprefix('_')}", None)
    except RuntimeError:  # freed
        return False
    slots = raw if isinstance(raw, tuple | list) else [raw]
    return any(getattr(slot, "unpack_hook", None) is not None for slot in slots)


def _saved_attributes(node: Any) -> tuple[str, ...]:
    """Return the attributes with the saved tensors of this kind of node."""
    kind = type(node)
    if kind not in _SAVED_BY_KIND:
        shown = (a for a in dir(node) if a.startswith("_saved_") or a == "saved_tensors")
        _SAVED_BY_KIND[kind] = tuple(shown)
    return _SAVED_BY_KIND[kind]


_SAVED_BY_KIND: WeakKeyDictionary[type, tuple[str, ...]] = WeakKeyDictionary()
"""To list the attributes of each of thousands of nodes would take longer than to draw them."""


def results_of(node: Any) -> Iterator[tuple[tuple[int, ...], str]]:
    """Yield the shape and the dtype of each result of an operation, if the node knows them."""
    for metadata in output_metadata(node):
        yield _shape(metadata), dtype_name(metadata.dtype)


def _shape(metadata: Any) -> tuple[int, ...]:
    try:
        return tuple(n if isinstance(n, int) else RAGGED for n in metadata.shape)
    except RuntimeError:  # PyTorch does not know the shape of a nested tensor
        return (RAGGED,)


@cache
def dtype_name(dtype: object) -> str:
    """ "float32" for minigrad.float32 and torch.float32."""
    return str(dtype).rpartition(".")[2]
