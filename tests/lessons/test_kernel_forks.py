"""A kernel that is a fork is as new as one that was started."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from minigrad_lessons import build
from nbformat import v4

from tests.lessons import kernel_forks

SAYS = """\
import os, sys
names = [name for name in ("minigrad", "minigrad_viz", "minigrad_lessons") if name in sys.modules]
print(os.getpid(), os.getcwd(), __name__, names)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere kernels start as they always do")
def test_each_kernel_is_a_fresh_process(tmp_path: Path) -> None:
    said = []
    for _ in range(2):
        with kernel_forks.used():
            book = build.run(v4.new_notebook(cells=[v4.new_code_cell(SAYS)]), tmp_path)
        said.append(book.cells[0].outputs[0].text.split(" ", 1))
    (one, first), (other, second) = said
    assert first == second == f"{tmp_path} __main__ ['minigrad']\n"
    assert one != other
