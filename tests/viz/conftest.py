"""The two libraries whose graphs are drawn. A test that asks for `lib` runs once on each."""

from __future__ import annotations

import importlib
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def torch(pytorch: ModuleType) -> ModuleType:
    """Real PyTorch: nearly every test here looks at its own graphs. What can be told in plain data
    asks the fixture `oracle` by `answer` (tests/record.py)."""
    return pytorch


@pytest.fixture(params=["minigrad", "torch"])
def lib(request: pytest.FixtureRequest) -> ModuleType:
    """minigrad, then PyTorch: what is expected of the one is expected of the other."""
    if request.param == "torch":
        module: ModuleType = request.getfixturevalue("torch")
        return module
    return importlib.import_module("minigrad")
