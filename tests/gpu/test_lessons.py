"""The lessons on a GPU: every chapter with the default device changed prints what is stored, within
the digits that it prints.

Where there is no GPU, the stand-in of foreign.py shows what can be shown without one: that nothing
in a chapter, its pictures and steps included, takes an array of the device for one of NumPy's.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from minigrad_lessons import build

import minigrad as mg
from tests.gpu import foreign
from tests.lessons.test_pytorch import CHAPTERS, text_of

# For the kernel and for the processes that it starts.
FOUND_IN = """
import os, sys
sys.path[:0] = {folders!r}
os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
"""
ON_DEVICE = """
import minigrad
minigrad.set_default_device("cuda")
"""
ON_EACH = [pytest.param(path, id=path.stem) for path in CHAPTERS]
NUMBER = re.compile(r"-?\d+\.\d*(?:e[+-]\d+)?")


def compared(said: list[Any]) -> tuple[list[str], list[float]]:
    """The words, without the device and however padded, and the numbers."""
    parts = [part if isinstance(part, str) else "\n".join(map(str, part or ())) for part in said]
    text = "\n".join(parts).replace(", device='cuda:0'", "")
    return NUMBER.sub("#", text).split(), [float(number) for number in NUMBER.findall(text)]


def run(path: Path, before: str) -> None:
    stored = nbformat.read(path, as_version=4)
    book = build.without_outputs(stored)
    book.cells.insert(0, nbformat.v4.new_code_cell(before))
    there = build.run(book, path.parent)
    for ours, cell in zip(stored.cells, there.cells[1:], strict=True):
        if ours.cell_type == "code":
            words, numbers = compared(text_of(ours))
            found_words, found_numbers = compared(text_of(cell))
            assert found_words == words, ours.source
            assert found_numbers == pytest.approx(numbers, rel=1e-3, abs=1e-4), ours.source


@pytest.mark.parametrize("path", ON_EACH)
def test_a_chapter_never_takes_a_device_s_array_for_numpy_s(
    path: Path, root: Path, tmp_path: Path
) -> None:
    foreign.install(tmp_path)
    packages = [root, root / "viz", root / "lessons"]
    run(path, FOUND_IN.format(folders=[*map(str, [tmp_path, *packages])]) + ON_DEVICE)


@pytest.mark.gpu
@pytest.mark.parametrize("path", ON_EACH)
def test_a_chapter_prints_the_same_on_a_gpu(path: Path) -> None:
    if not mg.cuda.is_available():
        pytest.skip("no GPU, or no CuPy (pip install '.[gpu]')")
    run(path, ON_DEVICE)
