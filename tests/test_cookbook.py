"""The programs of docs/cookbook print what their pages say."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.numbers import alike

PAGES = sorted((Path(__file__).parents[1] / "docs" / "cookbook").glob("*.md"))
PROGRAM = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", re.M | re.S)
IN_A_KERNEL = "vscode-and-colab"
NEEDS = {"pytorch": "torch", "scikit-learn": "sklearn", "matplotlib": "pandas", "marimo": "marimo"}


def program_of(page: Path) -> tuple[str, str]:
    """The program of a page, and its output."""
    (found,) = PROGRAM.findall(page.read_text(encoding="utf-8"))
    program, output = found
    return program, output


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.stem not in ("index", IN_A_KERNEL)],
    ids=lambda page: page.stem,
)
def test_recipe_prints_its_output(page: Path, tmp_path: Path) -> None:
    needed = NEEDS.get(page.stem)
    if needed and importlib.util.find_spec(needed) is None:
        pytest.skip(f"{needed} is not installed")
    program, output = program_of(page)
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    command = [sys.executable, "-X", "utf8", "program.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert alike(done.stdout, output), done.stdout


def test_recipe_runs_in_a_plain_kernel(tmp_path: Path) -> None:
    """VS Code and Colab run it so; their page says that they were not launched."""
    (page,) = [page for page in PAGES if page.stem == IN_A_KERNEL]
    assert "Not launched here" in page.read_text(encoding="utf-8")
    program, output = program_of(page)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(program)])
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    assert alike(notebook.cells[0].outputs[0].text, output)
    assert (tmp_path / "step.html").exists()


def test_index_lists_every_recipe() -> None:
    (index,) = [page for page in PAGES if page.stem == "index"]
    listed = re.findall(r"^\| \[.*\]\((.*)\)", index.read_text(encoding="utf-8"), re.M)
    assert sorted(listed) == [page.name for page in PAGES if page.stem != "index"]
