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
from tests.sampling import sample

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
# Between two chapters: what the one has named, and its cells, in which explain looks for names.
# (`%reset` would take more, which processes need.)
FORGET = """
import linecache
for name in [name for name in linecache.cache if "ipykernel" in name]:
    del linecache.cache[name]
for name in {*globals()} - {"In", "Out", "exit", "get_ipython", "open", "quit"}:
    if not name.startswith("_"):
        del globals()[name]
"""
NUMBER = re.compile(r"-?\d+\.\d*(?:e[+-]\d+)?")


def compared(said: list[Any]) -> tuple[list[str], list[float]]:
    """The words, without the device and however padded, and the numbers."""
    parts = [part if isinstance(part, str) else "\n".join(map(str, part or ())) for part in said]
    text = "\n".join(parts).replace(", device='cuda:0'", "").replace(" cuda:0", "")
    return NUMBER.sub("#", text).split(), [float(number) for number in NUMBER.findall(text)]


def run(before: str, chapters: list[Path] = CHAPTERS) -> None:
    """Run these chapters one after the other in one kernel, which takes half the time of a kernel
    for each, and compare what each cell says with what is stored.
    """
    stored = [nbformat.read(path, as_version=4) for path in chapters]
    whole = nbformat.v4.new_notebook(metadata=stored[0].metadata)
    whole.cells = [nbformat.v4.new_code_cell(before)]
    for book in stored:
        whole.cells += build.without_outputs(book).cells
        whole.cells.append(nbformat.v4.new_code_cell(FORGET))
    found = iter(build.run(whole, chapters[0].parent).cells[1:])
    for path, book in zip(chapters, stored, strict=True):
        for ours, theirs in zip([*book.cells, None], found, strict=False):
            if ours is None:
                break
            if ours.cell_type == "code":
                words, numbers = compared(text_of(ours))
                found_words, found_numbers = compared(text_of(theirs))
                assert found_words == words, (path.stem, ours.source)
                near = pytest.approx(numbers, rel=1e-3, abs=1e-4)
                assert found_numbers == near, (path.stem, ours.source)


def test_chapters_never_confuse_device_arrays(root: Path, tmp_path: Path) -> None:
    foreign.install(tmp_path)
    packages = [root, root / "viz", root / "lessons"]
    chapters = sample("PAGES", CHAPTERS, 3)
    run(FOUND_IN.format(folders=[*map(str, [tmp_path, *packages])]) + ON_DEVICE, chapters)


@pytest.mark.gpu
def test_chapters_print_same_on_gpu() -> None:
    if not mg.cuda.is_available():
        pytest.skip("no GPU, or no CuPy (pip install '.[gpu]')")
    run(ON_DEVICE)
