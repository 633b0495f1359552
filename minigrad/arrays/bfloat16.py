"""`bfloat16`: a name for programs that choose among dtypes. NumPy has no such type."""

from __future__ import annotations

from typing import Any

from . import dtypes


class dtype(dtypes.dtype):
    """A dtype that no tensor can have."""

    def __getattribute__(self, name: str) -> Any:
        if name == "numpy":
            raise TypeError(f"NumPy has no {self.name}: use float16 or float32")
        return super().__getattribute__(name)

    def __reduce__(self) -> Any:
        return self.name  # the global name below


bfloat16 = object.__new__(dtype)
bfloat16.name, bfloat16.abbr, bfloat16.tensor_class = "bfloat16", "bf16", "BFloat16Tensor"
bfloat16.itemsize, bfloat16.is_floating_point, bfloat16.is_signed = 2, True, True
