"""The numerical limits of integer dtypes. Those of floating ones are in arrays/dtypes.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays.dtypes import _OF_PYTHON_TYPE as OF_PYTHON_TYPE
from ..arrays.dtypes import dtype


class iinfo:
    """Numerical limits of an integer dtype.

    >>> import minigrad as mg
    >>> mg.iinfo(mg.int8)
    iinfo(min=-128, max=127, dtype=int8)
    """

    __slots__ = ("bits", "dtype", "max", "min")

    def __init__(self, type: Any) -> None:
        given = OF_PYTHON_TYPE.get(type, type)
        if not isinstance(given, dtype):
            kind = given.__class__.__name__
            raise TypeError(
                f"iinfo(): argument 'type' (position 1) must be torch.dtype, not {kind}"
            )
        if given.is_floating_point:
            raise TypeError(
                "torch.iinfo() requires an integer input type."
                " Use torch.finfo to handle 'torch.iinfo'"
            )
        if given.numpy.kind == "b":
            raise TypeError("\"iinfo\" not implemented for 'Bool'")
        info = np.iinfo(given.numpy)
        self.bits = given.itemsize * 8
        self.dtype = given.name
        self.min, self.max = int(info.min), int(info.max)

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"
