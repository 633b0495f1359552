"""The stand-in for CuPy in the place of CuPy."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

import minigrad as mg
from tests.gpu import foreign


@pytest.fixture
def cupy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    module = foreign.module()
    monkeypatch.setitem(sys.modules, "cupy", module)
    foreign.copies.clear()
    foreign.launches.clear()
    yield module
    assert foreign.Device.current == 0, "another device was left current"
    mg.cuda.set_device(0)
