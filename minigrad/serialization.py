"""Save and load tensors, and lists and dictionaries of them, in the safetensors format.

PyTorch's own files are pickles, which can run any code when they are loaded. These files hold plain
tensors by name and no code, and other libraries read them. The format has no place for nested
dictionaries and for numbers, so these are JSON in its metadata.

A module is code, too: its file has a pickle, which `load` reads only with `weights_only=False`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from os import PathLike
from typing import Any, BinaryIO

import numpy as np

from .arrays.devices import device
from .arrays.messages import type_name
from .core.node import new_tensor
from .tensors.tensor import Tensor

NEEDED = (
    "saving and loading need the safetensors library: install it with `pip install safetensors`"
)
STRUCTURE = "structure"
"""Key of the metadata under which the structure is stored; tensors appear in it by name."""

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
"""The format's element types that minigrad has."""

MODULE = b"minigrad module\n"
"""The first bytes of a file with a module: a pickle follows."""

PICKLES = (b"PK\x03\x04", b"\x80")
"""First bytes of files that PyTorch or Python's pickle wrote."""


# --- Saving


def save(obj: Any, f: str | PathLike[str] | BinaryIO) -> None:
    """Write a tensor to a file, or a state_dict, or lists, tuples and dictionaries of tensors,
    numbers and text.

    Args:
        obj: the tensor or the collection. Of a module, rather save its `state_dict()`: a file with
            the module itself needs the same classes, and `weights_only=False` to be loaded.
        f: a path, or a file opened for writing bytes. The file at a path is written whole or not
            at all (`minigrad.utils.files.write_whole`).

    Raises:
        TypeError: `obj` contains an object of another type.
        ImportError: the safetensors library is not installed.
        OSError: the file cannot be written.
    """
    import json  # here, as the others: most programs that import minigrad never save

    from .utils.files import write_whole

    packed = Packed()
    try:
        structure = packed.described(obj, "")
    except ContainsModule:
        import pickle

        data = MODULE + pickle.dumps(obj)
    else:
        try:
            from safetensors.numpy import save as to_bytes
        except ImportError:
            raise ImportError(NEEDED) from None
        data = to_bytes(packed.arrays, {STRUCTURE: json.dumps(structure)})
    if isinstance(f, (str, PathLike)):
        write_whole(f, data)
    else:
        f.write(data)


class ContainsModule(Exception):
    """The structure contains a module or an optimizer."""


class Packed:
    """Collect the arrays of a structure by name."""

    def __init__(self) -> None:
        self.arrays: dict[str, Any] = {}
        self.names: dict[int, str] = {}
        self.open: set[int] = set()

    def described(self, value: Any, name: str) -> Any:
        """Return a value as JSON: numbers, text and None as they are, others as a list that begins
        with the kind."""
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        if isinstance(value, Tensor):
            return ["tensor", self.named(value, name or "tensor"), value.requires_grad]
        kinds: dict[type, str] = {dict: "dict", list: "list", tuple: "tuple"}
        kind = kinds.get(type(value), "ordered" if isinstance(value, Mapping) else "")
        where = f" (at {name!r})" if name else ""
        if not kind:
            if hasattr(value, "state_dict"):
                raise ContainsModule
            what = "tensors, numbers, text, and lists, tuples and dictionaries of them"
            raise TypeError(f"minigrad saves {what}, not {type_name(value)}{where}")
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
        """Store the array of a tensor and return its name, a new one if `name` is taken. A tensor
        that appears twice is stored once."""
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
    """Read a file of `save`, or the tensors by name of any other safetensors file.

    Args:
        f: a path, or a file opened for reading bytes.
        map_location: the device of the tensors, the CPU by default. A function or a dictionary
            is accepted and has no effect.
        weights_only: False also reads files with modules, whose code runs: load only files that
            you trust so.

    Raises:
        RuntimeError: the file is damaged, in another format, or a pipe. No code from it runs.
        UnpicklingError: the file has a module, and `weights_only` is not False.
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
        data = read_file(f)
    else:
        data = f.read()
    if data.startswith(MODULE):
        return load_module(data[len(MODULE) :], place, weights_only)
    if data.startswith(PICKLES) and not looks_right(data, len(data)):
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


def read_file(path: str | PathLike[str]) -> bytes:
    """Read a file, or only the first bytes of one in another format, which may be vast.

    Raises:
        RuntimeError: it is a pipe or a device, which may never end.
    """
    import os
    import stat

    def at_once(name: str, flags: int) -> int:  # a pipe would wait for its writer
        return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))

    with open(path, "rb", opener=at_once) as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise RuntimeError(f"{os.fspath(path)} is a pipe or a device, and no file.")
        begin = file.read(len(MODULE))
        if not begin.startswith(MODULE) and not looks_right(begin, about.st_size):
            return begin
        file.seek(0)
        return file.read()


def load_module(data: bytes, place: device | None, weights_only: bool | None) -> Any:
    """Return the pickled module, on a device."""
    import pickle

    if weights_only is not False:
        raise pickle.UnpicklingError(
            "Weights only load failed. This file has a module, whose code would run. If you trust "
            "it, load it with weights_only=False; else save the module's state_dict()."
        )
    found = pickle.loads(data)
    return found.to(place) if place is not None and hasattr(found, "to") else found


class ForeignError(RuntimeError):
    """A file holds elements of a type that minigrad lacks."""


def looks_right(data: bytes, size: int) -> bool:
    """Return whether a file of `size` bytes begins with the length of a header, and a header."""
    return data[8:9] == b"{" and int.from_bytes(data[:8], "little") <= size


def structure_of(data: bytes) -> Any:
    """Return the structure in the header, or the tensors by name if it has none.

    Raises:
        ForeignError: a tensor has a dtype that minigrad lacks.
    """
    import json

    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > len(data) - 8:
        raise ValueError("it does not begin with the length of a header")
    header = json.loads(data[8 : 8 + length])
    about = header.pop("__metadata__", {})
    for name, tensor in header.items():
        if tensor["dtype"] not in ELEMENTS:
            kind = f"elements of type {tensor['dtype']}, which minigrad does not have"
            raise ForeignError(f"The tensor {name!r} in this file has {kind}.")
    if STRUCTURE in about:
        return json.loads(about[STRUCTURE])
    return ["ordered", [[name, ["tensor", name, False]] for name in header]]


def rebuilt(value: Any, tensors: Mapping[str, Any]) -> Any:
    """Build the object that `Packed.described` described."""
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
