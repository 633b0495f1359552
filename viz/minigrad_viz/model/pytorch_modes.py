"""What this package computes with PyTorch is hidden from the modes of the reader's program, which
may count operations, write them down, or change what they do.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def unseen() -> Iterator[None]:
    """No mode of PyTorch's is at work inside the block."""
    torch: Any = sys.modules.get("torch")
    if torch is None:
        yield
        return
    modes = [torch.overrides._pop_mode() for _ in range(torch._C._len_torch_function_stack())]
    try:
        with torch.utils._python_dispatch._disable_current_modes():
            yield
    finally:
        for mode in reversed(modes):
            torch.overrides._push_mode(mode)
