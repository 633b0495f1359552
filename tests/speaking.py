"""The language of displays inside a block of a test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import minigrad_viz as viz


@contextmanager
def speaking(language: str | None) -> Iterator[None]:
    """Show everything in `language` inside the block; None follows the environment."""
    viz.set_language(language)
    try:
        yield
    finally:
        viz.set_language(None)
