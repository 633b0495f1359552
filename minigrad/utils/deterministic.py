"""Memory that nothing has written yet, if deterministic algorithms are wanted.

>>> import minigrad as mg
>>> mg.utils.deterministic.fill_uninitialized_memory
True
>>> mg.use_deterministic_algorithms(True)
>>> mg.empty(2)
tensor([nan, nan])
>>> mg.use_deterministic_algorithms(False)
"""

import sys
import types

from ..arrays.determinism import determinism
from ..arrays.messages import type_name


class Deterministic(types.ModuleType):
    """This module, whose attribute is a setting."""

    @property
    def fill_uninitialized_memory(self) -> bool:
        """Whether such memory contains NaN, or the largest number of its dtype."""
        return determinism.fill_uninitialized_memory

    @fill_uninitialized_memory.setter
    def fill_uninitialized_memory(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise RuntimeError(f"expected a bool, but got {type_name(mode)}")
        determinism.fill_uninitialized_memory = mode


sys.modules[__name__].__class__ = Deterministic
