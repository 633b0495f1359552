"""Deterministic algorithms: what a program has asked for, and what follows from it.

If they are wanted, PyTorch refuses operations that write one element several times in any order.
Memory that nothing has written yet then contains NaN, or the largest number of its dtype.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np


class Determinism:
    """The settings that a program has made."""

    wanted = False
    warn_only = False
    fill_uninitialized_memory = True


determinism = Determinism()


def check_deterministic(name: str) -> None:
    """Refuse the operation `name`, whose result depends on an order, if a program wants that.

    Raises:
        RuntimeError: deterministic algorithms are wanted, and not only a warning.
    """
    if not determinism.wanted:
        return
    warn_only = determinism.warn_only
    call = f"torch.use_deterministic_algorithms(True{', warn_only=True' * warn_only})"
    cure = "" if warn_only else (
        "turn off determinism just for this operation, or you can use the 'warn_only=True' option, "
        "if that's acceptable for your application. You can also "
    )  # fmt: skip
    message = (
        f"{name} does not have a deterministic implementation, but you set '{call}'. You can "
        f"{cure}file an issue at https://github.com/pytorch/pytorch/issues to help us prioritize "
        "adding deterministic support for this operation."
    )
    if not warn_only:
        raise RuntimeError(message)
    warnings.warn(message, stacklevel=3)


def uninitialized(array: Any) -> Any:
    """Return memory that nothing has written yet, filled if deterministic algorithms are wanted."""
    if determinism.wanted and determinism.fill_uninitialized_memory:
        kind = array.dtype
        array[...] = np.nan if kind.kind == "f" else kind.kind == "b" or np.iinfo(kind).max
    return array
