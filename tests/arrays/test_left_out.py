"""The page of names that are left out."""

from __future__ import annotations

import minigrad
from minigrad.arrays.left_out import INSTEAD, pytorch_names
from tools import left_out


def test_page_is_the_table() -> None:
    assert left_out.PAGE.read_text("utf-8") == left_out.page(), "run python -m tools.left_out"


def test_names_are_missing() -> None:
    """A name with a replacement is one of PyTorch's, and not here."""
    known = set().union(*pytorch_names().values())
    names = {name for group in INSTEAD.values() for name in group.split()}
    assert {name for name in names if name not in known} == set()
    places = (minigrad, minigrad.nn, minigrad.nn.functional, minigrad.nn.utils, minigrad.optim)
    assert {name for name in names for place in places if hasattr(place, name)} == set()
