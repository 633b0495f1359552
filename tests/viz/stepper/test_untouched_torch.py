"""Whatever a program of PyTorch does, a tool that looks at its graph, or steps through its backward
pass, leaves it as a plain pass does.
"""

from __future__ import annotations

from types import ModuleType

import pytest

from .pytorch_programs import PROGRAMS
from .untouched import all_who_look, assert_untouched, step

pytestmark = pytest.mark.filterwarnings("ignore")  # of PyTorch's, about what the programs do


@pytest.mark.parametrize("program", PROGRAMS)
def test_stepping_leaves_what_a_plain_pass_leaves(program: str, torch: ModuleType) -> None:
    assert_untouched(PROGRAMS[program], torch, step)


@pytest.mark.parametrize("program", PROGRAMS)
def test_who_looks_leaves_what_a_plain_pass_leaves(program: str, torch: ModuleType) -> None:
    assert_untouched(PROGRAMS[program], torch, all_who_look)
