"""Which of the two libraries a function of the reader's computes with."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import minigrad

from ..model.readable import is_any, short_repr


def given_library(library: object) -> None:
    """TypeError if `library` is neither of the two; None leaves the choice to us."""
    if library is not None and library not in (minigrad, sys.modules.get("torch")):
        raise TypeError(f"library must be minigrad or torch, not {short_repr(library)}")


def library_of(function: Callable[..., Any], inputs: Mapping[str, Any] | None = None) -> ModuleType:
    """The library whose tensors the function takes: torch if it or an input belongs to it, or a
    variable that it uses; else minigrad.
    """
    torch = sys.modules.get("torch")
    if torch is None:
        return minigrad
    if any(is_any(value, torch.Tensor) for value in (inputs or {}).values()):
        return torch
    if getattr(torch, getattr(function, "__name__", ""), None) is function:
        return torch
    try:
        names = inspect.getclosurevars(function)
    except (TypeError, ValueError):
        return minigrad
    used = [*names.globals.values(), *names.nonlocals.values()]
    modules = (v.__name__ for v in used if is_any(v, ModuleType))
    of_torch = any(name.partition(".")[0] == "torch" for name in modules)
    return torch if of_torch or any(is_any(v, torch.Tensor) for v in used) else minigrad
