"""Saving and loading tensors, and lists and dictionaries of them, in the safetensors format: plain
tensors by name, no code.

PyTorch's own files are pickles, which can run anything when they are loaded; these cannot, and
every other library that knows the format reads them. What the format has no place for, how a
dictionary of dictionaries is put together and the numbers in it, stands as JSON in its metadata.
A file is complete or not there at all: it is written beside its place and then moved there.
"""

from __future__ import annotations

import os
import stat
from collections import OrderedDict
from collections.abc import Mapping
from os import PathLike
from typing import Any, BinaryIO

import numpy as np

from ..arrays.devices import device
from ..arrays.words import type_name
from ..core.node import new_tensor
from .tensor import Tensor

NEEDED = (
    "saving and loading need the safetensors library: install it with `pip install safetensors`"
)
STRUCTURE = "structure"
"""Under this name a file's metadata says what was saved; the tensors in it stand there by name."""

ELEMENTS = {
    "F16": "float16",
    "F32": "float32",
    "F64": "float64",
    "BOOL": "bool",
    "U8": "uint8",
    "I8": "int8",
    "I16": "int16",
    "I32": "int32",
    "I64": "int64",
}
"""The format's element types that there are here."""

PICKLES = (b"PK\x03\x04", b"\x80")
"""How files begin that PyTorch, or Python's pickle, has written."""


# --- Saving


def save(obj: Any, f: str | PathLike[str] | BinaryIO) -> None:
    """Write a tensor to a file, or a state_dict, or lists, tuples and dictionaries of tensors,
    numbers and text.

    Args:
        obj: what to write. (Modules are not written; their `state_dict()` is.)
        f: a path, or a file opened for writing bytes. A file at this path is replaced when the new
            one is complete.

    Raises:
        TypeError: something else is in it.
        ImportError: the safetensors library is not installed.
    """
    import json  # here, as the others: most programs that import minigrad never save

    packed = Packed()
    structure = packed.described(obj, "")
    try:
        from safetensors.numpy import save as to_bytes
    except ImportError:
        raise ImportError(NEEDED) from None
    data = to_bytes(packed.arrays, {STRUCTURE: json.dumps(structure)})
    if isinstance(f, (str, PathLike)):
        write(os.path.realpath(f), data)
    else:
        f.write(data)


def write(path: str, data: bytes) -> None:
    """Put `data` where `path` says, or leave there what there was."""
    mode = os.stat(path).st_mode if os.path.exists(path) else None
    if mode is not None and not stat.S_ISREG(mode):  # such as /dev/null, which stays what it is
        with open(path, "wb") as device:
            device.write(data)
        return
    beside = f"{path}.part-{os.getpid()}"
    try:
        with open(beside, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # a full disk may say so only now
        if mode is not None:
            os.chmod(beside, stat.S_IMODE(mode))
        os.replace(beside, path)
    except BaseException:
        if os.path.exists(beside):
            os.remove(beside)
        raise


class Packed:
    """The arrays of what is saved, by name, as they are found."""

    def __init__(self) -> None:
        self.arrays: dict[str, Any] = {}
        self.names: dict[int, str] = {}
        self.open: set[int] = set()

    def described(self, value: Any, name: str) -> Any:
        """What JSON says of a value: a number, a text, None as they are, all else as a list that
        begins with its kind."""
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        if isinstance(value, Tensor):
            return ["tensor", self.named(value, name or "tensor"), value.requires_grad]
        kinds: dict[type, str] = {dict: "dict", list: "list", tuple: "tuple"}
        kind = kinds.get(type(value), "ordered" if isinstance(value, Mapping) else "")
        where = f" (at {name!r})" if name else ""
        if not kind:
            what = "tensors, numbers, text, and lists, tuples and dictionaries of them"
            remedy = "; save its state_dict()" if hasattr(value, "state_dict") else ""
            raise TypeError(f"minigrad saves {what}, not {type_name(value)}{where}{remedy}")
        if id(value) in self.open:
            raise TypeError(f"minigrad saves no {type_name(value)} that contains itself{where}")
        self.open.add(id(value))
        start = f"{name}." if name else ""
        if kind in ("dict", "ordered"):
            contents = []
            for key, item in value.items():
                if key is not None and not isinstance(key, (bool, int, float, str)):
                    raise TypeError(f"minigrad saves no {type_name(key)} as a key{where}")
                contents.append([key, self.described(item, f"{start}{key}")])
        else:
            contents = [self.described(item, f"{start}{i}") for i, item in enumerate(value)]
        self.open.remove(id(value))
        return [kind, contents]

    def named(self, tensor: Tensor, name: str) -> str:
        """Keep the array of a tensor; returns its name, which is another one if that is taken. A
        tensor that comes twice is kept once."""
        if id(tensor) not in self.names:
            while name in self.arrays or name == "__metadata__":
                name += "_"
            self.names[id(tensor)] = name
            array = tensor.numpy(force=True)
            self.arrays[name] = np.array(array, order="C")  # the format knows no other order
        return self.names[id(tensor)]


# --- Loading


def load(
    f: str | PathLike[str] | BinaryIO,
    map_location: Any = None,
    *,
    weights_only: bool | None = None,
) -> Any:
    """Read what `save` has written; of any other safetensors file, its tensors by name.

    Args:
        f: a path, or a file opened for reading bytes.
        map_location: on which device the tensors are to be; the CPU unless it is given. (A
            function or a dictionary, which PyTorch asks where to put what, changes nothing.)
        weights_only: accepted; there is never anything else in a file.

    Raises:
        RuntimeError: the file is damaged, or holds something else. No code of it is run.
        ImportError: the safetensors library is not installed.
    """
    place = None
    if map_location is not None and not isinstance(map_location, Mapping):
        if isinstance(map_location, (str, int, device)):
            place = device(map_location)
        elif not callable(map_location):
            raise TypeError(f"'{type_name(map_location)}' object is not callable")
    try:
        from safetensors.numpy import load as from_bytes
    except ImportError:
        raise ImportError(NEEDED) from None
    if isinstance(f, (str, PathLike)):
        with open(f, "rb") as file:
            data = file.read()
    else:
        data = f.read()
    if data.startswith(PICKLES) and not looks_right(data):
        raise RuntimeError(
            "This is a pickle, as torch.save writes it: loading it could run any code, so minigrad "
            "does not. In PyTorch, safetensors.torch.save_file(model.state_dict(), path) writes "
            "what minigrad.load reads."
        )
    tensors: dict[str, Any]
    try:
        structure = structure_of(data)
        tensors = {name: new_tensor(array) for name, array in from_bytes(data).items()}
        found = rebuilt(structure, tensors)
    except ForeignError:
        raise
    except Exception as error:
        raise RuntimeError(
            f"This is no safetensors file that minigrad can read, or it is damaged ({error})."
        ) from None
    if place is not None:
        for tensor in tensors.values():
            tensor.data = tensor.data.to(place)
    return found


class ForeignError(RuntimeError):
    """A file holds what there is not here."""


def looks_right(data: bytes) -> bool:
    """Whether a file says of itself how long its header is, as the format wants it."""
    return data[8:9] == b"{" and int.from_bytes(data[:8], "little") <= len(data)


def structure_of(data: bytes) -> Any:
    """What the header says that was saved: its tensors by name, if it says nothing else.

    Raises:
        ForeignError: there are elements of a type that is not here.
    """
    import json

    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > len(data) - 8:
        raise ValueError(f"it has {len(data)} bytes")
    header = json.loads(data[8 : 8 + length])
    about = header.pop("__metadata__", {})
    for name, tensor in header.items():
        if tensor["dtype"] not in ELEMENTS:
            kind = f"elements of the type {tensor['dtype']}, which minigrad has not"
            raise ForeignError(f"The tensor {name!r} in this file has {kind}.")
    if STRUCTURE in about:
        return json.loads(about[STRUCTURE])
    return ["ordered", [[name, ["tensor", name, False]] for name in header]]


def rebuilt(value: Any, tensors: Mapping[str, Any]) -> Any:
    """What `Packed.described` has described."""
    if not isinstance(value, list):
        return value
    kind, contents, *more = value
    if kind == "tensor":
        tensor = tensors[contents]
        return tensor.requires_grad_() if more[0] else tensor
    if kind in ("dict", "ordered"):
        pairs = [(key, rebuilt(item, tensors)) for key, item in contents]
        return dict(pairs) if kind == "dict" else OrderedDict(pairs)
    items = [rebuilt(item, tensors) for item in contents]
    return {"list": list, "tuple": tuple}[kind](items)
