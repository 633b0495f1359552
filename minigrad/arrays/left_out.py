"""Errors for missing names: those that PyTorch has and minigrad does not.

`pytorch_names.txt` lists PyTorch's names by place; tests/arrays/pytorch_names.py writes it. It is
read when it is first needed, as most programs never make that mistake.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NoReturn

INSTEAD = {
    "write it with operators": "rsub",
    "use SGD, or an optimizer with a step size for each element": "Adafactor Muon SparseAdam",
    "give each process a Subset": "DistributedSampler",
    "call scipy.special on the numbers, which has no gradient": (
        "airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 erfcx i0 i0e i1 i1e "
        "modified_bessel_i0 modified_bessel_i1 modified_bessel_k0 modified_bessel_k1 zeta"
    ),
    "call distributions.Normal, or its icdf": "log_ndtr ndtri",
}
"""Replacements for PyTorch's names, separated by blanks."""

OUT_OF_SCOPE = {
    **{name: remedy for remedy, names in INSTEAD.items() for name in names.split()},
    "compile": "there is nothing to compile: minigrad runs eagerly",
    "jit": "minigrad runs eagerly and has no script compiler",
    "sparse": "minigrad's tensors are dense",
    "to_sparse": "minigrad's tensors are dense",
    "complex": "minigrad's tensors are real",
    "complex64": "minigrad's tensors are real",
    "complex128": "minigrad's tensors are real",
    "bfloat16": "NumPy has no such type: use half or float",
    "fft": "the lessons need no Fourier transform",
    "multiprocessing": "see minigrad.distributed for data-parallel gradients",
    "distributed": "see minigrad.distributed for data-parallel gradients",
    "quantization": "minigrad does not quantize",
    "onnx": "minigrad exports nothing",
    "fx": "the graph is there already: follow grad_fn",
}
"""PyTorch names that minigrad leaves out on purpose, with the reason."""


@cache
def pytorch_names() -> dict[str, set[str]]:
    """Return PyTorch's public names by their place, such as "torch.nn"."""
    from pathlib import Path  # here, to keep `import minigrad` fast

    found: dict[str, set[str]] = {}
    place = ""
    for line in Path(__file__).with_name("pytorch_names.txt").read_text("ascii").splitlines()[1:]:
        if line.startswith(" "):
            found[place].update(line.split())
        else:
            place = line.removesuffix(":")
            found[place] = set()
    return found


def missing_from(module: str) -> Callable[[str], NoReturn]:
    """Return the `__getattr__` of a module, which raises for missing names."""

    def __getattr__(name: str) -> NoReturn:
        place = module.replace("minigrad", "torch", 1)
        raise missing(f"module {module!r} has no attribute {name!r}", place, name)

    return __getattr__


def missing_attribute(kind: str, place: str, name: str) -> AttributeError:
    """Return the error for a missing attribute of an object; `place` is that of PyTorch's class.

    Python adds a similar name if nothing catches the error.
    """
    return missing(f"{kind!r} object has no attribute {name!r}", place, name)


def missing(start: str, place: str, name: str) -> AttributeError:
    if name.startswith("__"):  # Python looks these up itself, also while it imports
        return AttributeError(start)
    if name not in pytorch_names().get(place, ()):
        return AttributeError(start)
    remedy = OUT_OF_SCOPE.get(name) or OUT_OF_SCOPE.get(name.removesuffix("_"))
    end = "PyTorch has it, minigrad leaves it out"
    return AttributeError(f"{start}: {end}; {remedy}." if remedy else f"{start}: {end}.")
