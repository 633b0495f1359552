"""The switches of NVIDIA's library for neural networks, which is not used here.

>>> import minigrad.backends.cudnn as cudnn
>>> cudnn.deterministic, cudnn.benchmark = True, False
>>> cudnn.is_available()
False
"""

from collections.abc import Iterator
from contextlib import contextmanager

enabled = True
benchmark = False
benchmark_limit: int | None = None
deterministic = False
allow_tf32 = True


def is_available() -> bool:
    """Return False: no operation here calls the library."""
    return False


def version() -> int | None:
    """Return None, for the same reason."""
    return None


@contextmanager
def flags(
    enabled: bool = False,
    benchmark: bool = False,
    benchmark_limit: int | None = 10,
    deterministic: bool = False,
    allow_tf32: bool = True,
) -> Iterator[None]:
    """Set the switches for the block, and restore them afterwards."""
    inside = dict(locals())
    before = {name: globals()[name] for name in inside}
    globals().update(inside)
    try:
        yield
    finally:
        globals().update(before)
