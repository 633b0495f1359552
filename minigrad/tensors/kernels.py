"""Settings for how numbers are computed: determinism, precision of products, threads."""

from __future__ import annotations

import ctypes
import os
import warnings
from functools import cache
from typing import Any

import numpy as np

from ..arrays.determinism import determinism
from ..arrays.messages import type_name

DEBUG_MODES = {"default": 0, "warn": 1, "error": 2}
PRECISIONS = ("highest", "high", "medium")


class Kernels:
    """The settings that a program has made."""

    precision = "highest"


kernels = Kernels()


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Ask for algorithms that give the same result in every run. Those of minigrad always do.

    >>> import minigrad as mg
    >>> mg.use_deterministic_algorithms(True)
    >>> mg.are_deterministic_algorithms_enabled()
    True
    >>> mg.use_deterministic_algorithms(False)
    """
    for name, value in (("mode' (position 1)", mode), ("warn_only'", warn_only)):
        if not isinstance(value, bool):
            found = f"must be bool, not {type_name(value)}"
            raise TypeError(f"_set_deterministic_algorithms(): argument '{name} {found}")
    determinism.wanted, determinism.warn_only = mode, warn_only


def are_deterministic_algorithms_enabled() -> bool:
    """Return whether deterministic algorithms were asked for."""
    return determinism.wanted


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Return whether other algorithms would only warn."""
    return determinism.warn_only


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """Ask for deterministic algorithms by a mode: "default" (0), "warn" (1) or "error" (2)."""
    if not isinstance(debug_mode, (int, str)):
        raise TypeError(f"debug_mode must be str or int, but got {type(debug_mode)}")
    number = DEBUG_MODES.get(debug_mode, debug_mode) if isinstance(debug_mode, str) else debug_mode
    if number not in DEBUG_MODES.values():
        wanted = "`default`, `warn`, `error`" if isinstance(debug_mode, str) else "0, 1, or 2"
        raise RuntimeError(
            f"invalid value of debug_mode, expected {'one of ' * isinstance(debug_mode, str)}"
            f"{wanted}, but got {debug_mode}"
        )
    determinism.wanted, determinism.warn_only = number != 0, number == 1


def get_deterministic_debug_mode() -> int:
    """Return the mode: 0, 1 or 2."""
    return determinism.wanted * (1 if determinism.warn_only else 2)


def set_float32_matmul_precision(precision: str) -> None:
    """Allow products of float32 matrices on some GPUs to be less precise. On a CPU, none are."""
    if not isinstance(precision, str):
        found = type_name(precision)
        raise RuntimeError(f"set_float32_matmul_precision expects a str, but got {found}")
    if precision in PRECISIONS:
        kernels.precision = precision
        return
    warnings.warn(
        f"{precision} is not one of 'highest', 'high', or 'medium'; the current"
        "setFloat32MatmulPrecision call has no effect.",
        stacklevel=2,
    )


def get_float32_matmul_precision() -> str:
    """Return the precision that was set, at first "highest"."""
    return kernels.precision


# --- Threads


@cache
def openblas() -> Any:
    """Return the library with which NumPy multiplies, or None where it is another one."""
    from pathlib import Path  # here, to keep `import minigrad` fast

    for path in Path(np.__file__).parent.with_name("numpy.libs").glob("*openblas*"):
        library = ctypes.CDLL(str(path))
        if hasattr(library, "scipy_openblas_set_num_threads64_"):
            return library
    return None


def get_num_threads() -> int:
    """Return the number of threads that compute one product of matrices."""
    if openblas() is not None:
        return int(openblas().scipy_openblas_get_num_threads64_())
    return int(os.environ.get("OMP_NUM_THREADS") or os.cpu_count() or 1)


def set_num_threads(num_threads: int, /) -> None:
    """Set the number of threads that compute one product of matrices.

    (Where NumPy does not bring its own OpenBLAS, its library keeps the number of
    `OMP_NUM_THREADS`, and a warning says so.)
    """
    if type(num_threads) is not int:
        raise RuntimeError(f"set_num_threads expects an int, but got {type_name(num_threads)}")
    if num_threads < 1:
        raise RuntimeError("set_num_threads expects a positive integer")
    if openblas() is not None:
        openblas().scipy_openblas_set_num_threads64_(num_threads)
    elif num_threads != get_num_threads():
        found = f"{get_num_threads()}, as OMP_NUM_THREADS says"
        warnings.warn(f"NumPy's library keeps its number of threads: {found}", stacklevel=2)
