"""The chapters are true on PyTorch: with the one import changed, every cell prints what is stored.

Compared are streams, the text form of values and figures, and the name and message of an error.
Cells that show what PyTorch has not are tagged `minigrad-only` and left out; test_notebooks.py
keeps them few.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from minigrad_lessons import build
from nbformat import NotebookNode, v4

OURS, THEIRS = "import minigrad as mg", "import torch as mg"
CHAPTERS = sorted((build.LESSONS / "en").glob("*.ipynb"))


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
            said.append((output.name, output.text))
        elif output.output_type == "error":
            said.append((output.ename, output.evalue))
        else:
            said.append(output.data.get("text/plain"))
    return said


BEGIN = """\
%reset_selective -f .
import linecache, torch
linecache.cache.clear()
linecache._ipython_cache.clear()
torch.manual_seed({seed})
del linecache, torch
"""
"""A kernel as if it were new: no names, no cells that have run, PyTorch's own seed."""


@pytest.fixture(scope="module")
def printed(torch: Any) -> dict[Path, list[NotebookNode]]:
    """The cells of each chapter after a run on PyTorch, all in one kernel, which imports it once.

    A cell that fails without being meant to stops nothing: it differs from what is stored.
    """
    chapters = {path: on_pytorch(nbformat.read(path, as_version=4)).cells for path in CHAPTERS}
    cells: list[NotebookNode] = []
    for chapter in chapters.values():
        cells += [v4.new_code_cell(BEGIN.format(seed=torch.Generator().initial_seed())), *chapter]
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number}"
        cell.metadata["tags"] = ["raises-exception"]
    build.run(v4.new_notebook(cells=cells), CHAPTERS[0].parent)
    return chapters


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
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
