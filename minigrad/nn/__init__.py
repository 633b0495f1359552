"""Neural networks: so far the functions in `functional`."""

from . import functional

__all__ = ["functional"]
