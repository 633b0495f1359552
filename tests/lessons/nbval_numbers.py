"""A plugin for nbval: what a cell prints is compared with what is stored by `alike`.

nbval itself compares the texts, after `sanitize` has taken out what may differ. No pattern can take
out a last digit, because 0.99995 rounds to another text than 0.99994 at any number of digits; so
`sanitize` gives texts that know what is equal to them.
"""

from __future__ import annotations

from typing import Any

import pytest
from nbval.plugin import IPyNbCell

from tests.numbers import Printed


def pytest_itemcollected(item: pytest.Item) -> None:
    if isinstance(item, IPyNbCell):
        item.sanitize = comparing_numbers(item.sanitize)


def comparing_numbers(sanitize: Any) -> Any:
    def sanitized(said: Any) -> Any:
        return Printed(sanitize(said)) if isinstance(said, str) else said

    return sanitized
