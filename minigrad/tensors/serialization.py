"""Saving and loading a state_dict, in the safetensors format: plain tensors by name, no code.

PyTorch's own files are pickles, which can run anything when they are loaded; these cannot, and
every other library that knows the format reads them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from os import PathLike
from typing import Any, BinaryIO

import numpy as np

from ..core.node import new_tensor
from .tensor import Tensor

NEEDED = (
    "saving and loading need the safetensors library: install it with `pip install safetensors`"
)
ORDER = "order"
"""Under this name a file says in which order its tensors were; the format sorts them."""


def save(obj: Mapping[str, Any], f: str | PathLike[str] | BinaryIO) -> None:
    """Write a state_dict, or any dictionary of tensors by name, to a file.

    Args:
        obj: the tensors. (Nothing else can be stored.)
        f: a path, or a file opened for writing bytes.

    Raises:
        TypeError: something is no tensor.
        ImportError: the safetensors library is not installed.
    """
    if not isinstance(obj, Mapping):
        raise TypeError(f"minigrad saves dictionaries of tensors, not {type(obj).__name__}")
    arrays = {}
    for name, tensor in obj.items():
        if not isinstance(name, str) or not isinstance(tensor, Tensor):
            kind = type(tensor).__name__
            raise TypeError(
                f"minigrad saves dictionaries of tensors by name, but {name!r} is {kind}"
            )
        array = tensor.numpy(force=True)
        arrays[name] = np.array(array, order="C")  # the format knows no other order
    import json  # here, as the others: most programs that import minigrad never save

    try:
        from safetensors.numpy import save as to_bytes
    except ImportError:
        raise ImportError(NEEDED) from None
    data = to_bytes(arrays, {ORDER: json.dumps(list(arrays))})
    if isinstance(f, (str, PathLike)):
        with open(f, "wb") as file:
            file.write(data)
    else:
        f.write(data)


def load(f: str | PathLike[str] | BinaryIO) -> OrderedDict[str, Any]:
    """Read what `save` has written: tensors by name, in the order in which they were saved.

    Raises:
        ImportError: the safetensors library is not installed.
    """
    try:
        from safetensors.numpy import load as from_bytes
    except ImportError:
        raise ImportError(NEEDED) from None
    if isinstance(f, (str, PathLike)):
        with open(f, "rb") as file:
            data = file.read()
    else:
        data = f.read()
    arrays = from_bytes(data)
    names = order_of(data) or list(arrays)
    return OrderedDict((name, new_tensor(arrays[name])) for name in names)


def order_of(data: bytes) -> list[str]:
    """The names in the order that the file's header tells, if it does."""
    import json

    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    found: list[str] = json.loads(header.get("__metadata__", {}).get(ORDER, "[]"))
    return found
