"""Optional packages, which only pictures, formulas and plots need."""

from __future__ import annotations

import importlib
from typing import Any


def optional(package: str) -> Any:
    """Import a package that `pip install minigrad-lab` alone does not install."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise ImportError(
            f"pictures need the package {package}: run `pip install 'minigrad-lab[viz]'`"
        ) from error
