"""Which of the two libraries a function of the reader's computes with."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import minigrad


def library_of(function: Callable[..., Any], inputs: Mapping[str, Any] | None = None) -> ModuleType:
    """The library whose tensors the function takes: torch if it or an input belongs to it, or a
    variable that it uses; else minigrad.
    """
    torch = sys.modules.get("torch")
    if torch is None:
        return minigrad
    if any(isinstance(value, torch.Tensor) for value in (inputs or {}).values()):
        return torch
    if getattr(torch, getattr(function, "__name__", ""), None) is function:
        return torch
    try:
        names = inspect.getclosurevars(function)
    except (TypeError, ValueError):
        return minigrad
    used = [*names.globals.values(), *names.nonlocals.values()]
    modules = (getattr(v, "__name__", "") for v in used if inspect.ismodule(v))
    of_torch = any(name.partition(".")[0] == "torch" for name in modules)
    return torch if of_torch or any(isinstance(v, torch.Tensor) for v in used) else minigrad
