"""List NumPy's functions and methods that CuPy has, and their arguments.

`cupy_names.txt` holds it, so that the stand-in of foreign.py can refuse what CuPy would refuse
where there is no CuPy. `python -m tests.gpu.namespace` writes that file anew; it needs CuPy, but no
GPU: names and parameters can be asked for without one.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

TABLE = Path(__file__).with_name("cupy_names.txt")
METHODS = {
    "reduce": ("add", "multiply"),
    "accumulate": ("add", "multiply"),
    "reduceat": ("add",),
    "at": ("add", "maximum", "minimum"),
}
"""Methods of its ufuncs that CuPy has for some only, and for which; every one has `outer`."""

# Cython's signature of a method: "_ndarray_base.swapaxes(self, Py_ssize_t axis1, ...) -> ..."
DOCUMENTED = re.compile(r"[\w.]+\((.*)\)(?: -> .*)?")
TYPED = re.compile(r"\b(?:int|bool|_ndarray_base|Py_ssize_t) (?=\w)")


def table_version() -> str:
    """The version of CuPy that the table was made of."""
    return TABLE.read_text().split(maxsplit=3)[2].rstrip(":")


def parameters(function: Any) -> str:
    """The parameters of a function of CuPy, without `self`; that there are defaults, not which."""
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError):
        match = DOCUMENTED.fullmatch(function.__doc__.strip().splitlines()[0])
        assert match, function
        found = inspect.signature(eval(f"lambda {TYPED.sub('', match[1])}: None".replace("\\", "")))
    kept = [
        one.replace(annotation=one.empty, default=one.default if one.default is one.empty else ...)
        for one in found.parameters.values()
        if one.name != "self"
    ]
    return str(inspect.Signature(kept))[1:-1].replace("Ellipsis", "...")


def lines(cupy: Any) -> Iterator[str]:
    """The table: a function, a ufunc (with the number of operands and results) or a method each."""
    yield f"# CuPy {cupy.__version__}: written by `python -m tests.gpu.namespace`"
    for name in sorted(dir(np)):
        ours, theirs = getattr(np, name), getattr(cupy, name, None)
        if name.startswith("_") or theirs is None or theirs is ours or isinstance(ours, type):
            continue
        if isinstance(ours, np.ufunc):
            yield f"ufunc {name} {ours.nin} {ours.nout}"
        elif callable(theirs):
            yield f"function {name}({parameters(theirs)})"
    for inner in "linalg", "lib.stride_tricks":
        ours, theirs = np, cupy
        for part in inner.split("."):
            ours, theirs = getattr(ours, part), getattr(theirs, part)
        for name in sorted(dir(ours)):
            if not name.startswith("_") and inspect.isroutine(getattr(theirs, name, None)):
                yield f"function {inner}.{name}({parameters(getattr(theirs, name))})"
    for name in sorted(dir(cupy.ndarray)):
        if name.startswith("_"):
            continue
        found = getattr(cupy.ndarray, name)
        yield f"method {name}({parameters(found)})" if callable(found) else f"attribute {name}"


@cache
def table() -> dict[tuple[str, str], Any]:
    """By kind and name: the signature of a function or method, the operands of a ufunc."""
    found: dict[tuple[str, str], Any] = {}
    for line in TABLE.read_text().splitlines()[1:]:
        kind, _, rest = line.partition(" ")
        name, _, inside = rest.partition("(")
        if kind == "ufunc":
            name, *counts = rest.split()
            found[kind, name] = tuple(map(int, counts))
        elif kind == "attribute":
            found[kind, name] = None
        else:
            found[kind, name] = inspect.signature(eval(f"lambda {inside[:-1]}: None"))
    return found


if __name__ == "__main__":
    import cupy

    TABLE.write_text("".join(f"{line}\n" for line in lines(cupy)))
