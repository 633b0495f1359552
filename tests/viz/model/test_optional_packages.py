"""A missing package is named, with the command that installs it."""

from __future__ import annotations

import re

import pytest
from minigrad_viz.model.optional_packages import optional


def test_missing_package_is_named() -> None:
    said = "pictures need the package no_such_package: run `pip install 'minigrad-lab[viz]'`"
    with pytest.raises(ImportError, match=f"^{re.escape(said)}$"):
        optional("no_such_package")


def test_one_that_is_there_is_imported() -> None:
    assert optional("json").loads("[1]") == [1]
