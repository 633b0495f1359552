"""What this package computes with PyTorch is hidden from the reader's program: from its modes, and
from classes of tensors that want to be asked, which may count operations, write them down, or
change what they do.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def unseen() -> Iterator[None]:
    """Inside the block no mode of PyTorch's is at work, and no class is asked about its tensors."""
    torch: Any = sys.modules.get("torch")
    if torch is None:
        yield
        return
    with torch._C.DisableTorchFunction(), torch.utils._python_dispatch._disable_current_modes():
        yield
