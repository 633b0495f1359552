"""The chapters are true on PyTorch: with the one import changed, every cell prints what is stored.

Compared are streams, the text form of values and figures, the name and message of an error, and
what a plot shows; the last digit of a computed number may differ (tests/numbers.py). Cells that
show what PyTorch has not are tagged `minigrad-only` and left out; test_notebooks.py keeps them few.
"""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from minigrad_lessons import build
from nbformat import NotebookNode, v4
from PIL import Image

from tests.numbers import Printed
from tests.sampling import sample

OURS, THEIRS = "import minigrad as mg", "import torch as mg"
CHAPTERS = sorted((build.LESSONS / "en").glob("*.ipynb"))
APPENDIX = build.LESSONS / "en" / "90_distributed.ipynb"
"""Its one plot shows names of tasks, and no number."""
PLOTTED = [path for path in CHAPTERS if '"image/png"' in path.read_text(encoding="utf-8")]
PLOTTED.remove(APPENDIX)
RUN = [path for path in CHAPTERS if path in PLOTTED or path in sample("COURSE", CHAPTERS, 5)]
GRID, SHADES = (48, 32), 16
"""How coarsely two plots are compared, and by how much a cell of the grid may differ, of 255.

Another font makes 8 shades; a curve that is missing, one a fifth too flat or slopes a tenth too
steep make 28 and more.
"""


def on_pytorch(book: NotebookNode) -> NotebookNode:
    swapped = build.without_outputs(book)
    for cell in swapped.cells:
        if cell.cell_type == "code" and "import" in cell.metadata.get("tags", []):
            assert cell.source.count(OURS) == 1
            cell.source = cell.source.replace(OURS, THEIRS)
        if "minigrad-only" in cell.metadata.get("tags", []):
            cell.source = ""
    return swapped


def text_of(cell: NotebookNode) -> list[Any]:
    said: list[Any] = []
    for output in cell.outputs:
        if output.output_type == "stream":
            said.append((output.name, Printed(build.unfolded(output.text))))
        elif output.output_type == "error":
            said.append((output.ename, Printed(output.evalue)))
        else:
            plain = output.data.get("text/plain")
            said.append(None if plain is None else Printed(build.unfolded(plain)))
    return said


BEGIN = """\
%reset_selective -f .
import linecache, torch
linecache.cache.clear()
getattr(linecache, "_ipython_cache", {{}}).clear()
torch.manual_seed({seed})
del linecache, torch
"""
"""A kernel as if it were new: no names, no cells that have run, PyTorch's own seed."""


def asked(request: pytest.FixtureRequest) -> set[Path]:
    """The chapters that tests of this run look at: one each, or all that are in `RUN`."""
    tests: list[Any] = [item for item in request.session.items if item.path == request.path]
    seen = [test.callspec.params for test in tests if "printed" in test.fixturenames]
    return {path for each in seen for path in ([each["path"]] if "path" in each else RUN)}


@pytest.fixture(scope="module")
def printed(request: pytest.FixtureRequest, pytorch: Any) -> dict[Path, list[NotebookNode]]:
    """The cells of each chapter after a run on PyTorch, in one kernel, which imports it once.

    A cell that fails without being meant to stops nothing: it differs from what is stored.
    """
    chapters = {path: on_pytorch(nbformat.read(path, 4)).cells for path in sorted(asked(request))}
    cells: list[NotebookNode] = []
    for chapter in chapters.values():
        cells += [v4.new_code_cell(BEGIN.format(seed=pytorch.Generator().initial_seed())), *chapter]
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number}"
        cell.metadata["tags"] = ["raises-exception"]
    build.run(v4.new_notebook(cells=cells), CHAPTERS[0].parent)
    return chapters


@pytest.mark.parametrize("path", RUN, ids=lambda path: path.stem)
def test_a_chapter_prints_the_same_on_pytorch(
    path: Path, printed: dict[Path, list[NotebookNode]]
) -> None:
    stored = nbformat.read(path, as_version=4)
    for ours, cell in zip(stored.cells, printed[path], strict=True):
        if ours.cell_type == "code" and "minigrad-only" not in ours.metadata.get("tags", []):
            assert text_of(cell) == text_of(ours), f"{ours.id}:\n{ours.source}"


def test_the_swap_leaves_nothing_of_minigrad_behind() -> None:
    for path in CHAPTERS:
        book = on_pytorch(nbformat.read(path, as_version=4))
        code = "\n".join(cell.source for cell in book.cells if cell.cell_type == "code")
        assert "import minigrad " not in code.replace("import minigrad_", "")
        assert THEIRS in code


def plots(cell: NotebookNode) -> list[Image.Image]:
    found = [output.get("data", {}).get("image/png") for output in cell.get("outputs", [])]
    return [Image.open(io.BytesIO(base64.b64decode(each))) for each in found if each]


def alike(one: Image.Image, other: Image.Image) -> bool:
    """Whether two plots show the same. nbval compares no PNG: its bytes change with a font."""
    if not np.allclose(one.size, other.size, rtol=0.02):
        return False
    first, second = (
        np.asarray(each.convert("L").resize(GRID, Image.Resampling.BOX), dtype=float)
        for each in (one, other)
    )
    return bool(np.abs(first - second).max() <= SHADES)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_stored_plots_show_what_pytorch_computes(
    language: str, printed: dict[Path, list[NotebookNode]]
) -> None:
    count = 0
    for path in RUN:
        stored = nbformat.read(build.LESSONS / language / path.name, as_version=4)
        ours = [cell for cell in stored.cells if cell.cell_type == "code"]
        theirs = [cell for cell in printed[path] if cell.cell_type == "code"]
        for cell, other in zip(ours, theirs, strict=True):
            pairs = list(zip(plots(cell), plots(other), strict=True))
            assert all(alike(*pair) for pair in pairs), f"{path.name} {cell.id}"
            count += len(pairs)
    assert count == 5 + (APPENDIX in RUN)


def test_different_plots_are_not_alike() -> None:
    cells = nbformat.read(build.LESSONS / "en" / "10_second_order.ipynb", as_version=4).cells
    four_curves, one_curve = (plot for cell in cells for plot in plots(cell))
    assert alike(four_curves, four_curves.copy())
    assert not alike(four_curves, one_curve.resize(four_curves.size))
    assert not alike(one_curve, one_curve.transpose(Image.Transpose.FLIP_TOP_BOTTOM))
    assert not alike(one_curve, one_curve.resize((one_curve.width, one_curve.height * 2)))
