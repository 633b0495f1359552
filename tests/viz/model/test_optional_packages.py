"""What is missing is asked for by its name."""

from __future__ import annotations

import re

import pytest
from minigrad_viz.model.optional_packages import optional


def test_a_package_that_is_not_there_is_asked_for() -> None:
    said = "pictures need the package no_such_package: run `pip install 'minigrad-lab[viz]'`"
    with pytest.raises(ImportError, match=f"^{re.escape(said)}$"):
        optional("no_such_package")


def test_one_that_is_there_is_imported() -> None:
    assert optional("json").loads("[1]") == [1]
