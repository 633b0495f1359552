"""The stored notebooks: current, run from top to bottom, equal in both languages, and free of this
machine.

nbval compares outputs but never looks at a cell that was not run, so what it would miss is asserted
here.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import nbformat
import pytest
from minigrad_lessons import build
from nbformat import NotebookNode, v4

NOTEBOOKS = sorted(build.LESSONS.glob("[ez][nh]/*.ipynb"))
KNOWN_TAGS = {
    *("ask", "engine", "hole", "import", "listing", "minigrad-only", "own", "predict"),
    "raises-exception",
}
KNOWN_TAGS |= {"told"}
MACHINE = re.compile(
    r"/(?:home|root|tmp|usr|work|Users|var)/|[A-Z]:\\\\|ipykernel_\d|0x[0-9a-f]{6,}"
)


def read(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def code_cells(book: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in book.cells if cell.cell_type == "code"]


def tags(cell: NotebookNode) -> list[str]:
    return list(cell.metadata.get("tags", []))


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def test_every_chapter_is_built() -> None:
    built = {path for path in NOTEBOOKS if path.parent.name == "en"}
    assert built == {build.notebook_path(source, "en") for source in build.chapters()}
    assert built


def test_nothing_is_stale(capsys: pytest.CaptureFixture[str]) -> None:
    assert build.main(["--check"]) == 0, capsys.readouterr().err


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_notebook_is_valid_and_in_order(path: Path) -> None:
    book = read(path)
    nbformat.validate(book)
    counts = [cell.execution_count for cell in code_cells(book)]
    assert counts == list(range(1, len(counts) + 1))
    identities = [cell.id for cell in book.cells]
    assert len(set(identities)) == len(identities)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_notebook_has_no_machine_path(path: Path) -> None:
    for cell in code_cells(read(path)):
        found = MACHINE.search(json.dumps(cell.outputs, ensure_ascii=False))
        assert found is None, f"{cell.id}: {found}"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_only_announced_errors_occur(path: Path) -> None:
    for cell in code_cells(read(path)):
        failed = any(output.output_type == "error" for output in cell.outputs)
        assert failed == ("raises-exception" in tags(cell)), cell.id
        assert not any(output.get("name") == "stderr" for output in cell.outputs), cell.id


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_no_stepper_ends_in_an_error(path: Path) -> None:
    """A backward pass that fails is shown up to the failure, and the cell itself does not fail."""
    for cell in code_cells(read(path)):
        for output in cell.outputs:
            text = output.get("data", {}).get("text/plain", "")
            assert not re.search(r"^ +fails ", text, re.MULTILINE), f"{cell.id}: {text}"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_tags_are_known_and_few_minigrad_only(path: Path) -> None:
    cells = code_cells(read(path))
    assert {tag for cell in cells for tag in tags(cell)} <= KNOWN_TAGS
    assert "import" in tags(cells[0])
    assert 10 * sum("minigrad-only" in tags(cell) for cell in cells) <= len(cells)


def test_three_cells_are_for_minigrad_only() -> None:
    """Steps through a pass that sums over a broadcast, of which PyTorch shows the sum alone."""
    alone = [
        path.stem
        for path in NOTEBOOKS
        if path.parent.name == "en"
        for cell in code_cells(read(path))
        if "minigrad-only" in tags(cell)
    ]
    assert alone == ["11_training", "13_engine", "90_distributed"]


@pytest.mark.parametrize("path", [p for p in NOTEBOOKS if p.parent.name == "zh"], ids=name)
def test_both_languages_have_the_same_code(path: Path) -> None:
    chinese, english = code_cells(read(path)), code_cells(read(path.parents[1] / "en" / path.name))
    assert [(c.id, c.source, tags(c)) for c in chinese] == [
        (c.id, c.source, tags(c)) for c in english
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_links_between_chapters_lead_somewhere(path: Path) -> None:
    prose = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
    for target in re.findall(r"\]\(([^)#]+\.ipynb)\)", prose):
        assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_no_sentence_becomes_a_list(path: Path) -> None:
    """Markdown takes a line that begins with `60. ` for the sixtieth entry of a list."""
    for cell in read(path).cells:
        if cell.cell_type == "markdown":
            numbers = [int(n) for n in re.findall(r"^ *(\d+)[.)] ", cell.source, re.MULTILINE)]
            assert numbers == list(range(1, len(numbers) + 1)), cell.source


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_code_fits_the_page(path: Path) -> None:
    for cell in code_cells(read(path)):
        assert max(map(len, cell.source.splitlines())) <= 92, cell.source


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_solutions_are_folded_and_closed(path: Path) -> None:
    prose = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
    assert prose.count("<details>") == prose.count("</details>") == prose.count("<summary>")


def compared(text: str) -> str:
    """Return the parts of an output that nbval compares."""
    rules = ConfigParser(interpolation=None)
    rules.read(Path(__file__).with_name("nbval_sanitize.cfg"))
    for rule in rules.sections():
        text = re.sub(rules[rule]["regex"], rules[rule]["replace"], text)
    return text


def test_picture_in_old_style_is_stale() -> None:
    pictures = [
        output.data["image/svg+xml"]
        for path in NOTEBOOKS
        for cell in code_cells(read(path))
        for output in cell.outputs
        if "image/svg+xml" in output.get("data", {})
    ]
    assert len(pictures) > 20
    for picture in pictures:
        moved = re.sub(r' (x|d|points|viewBox)="[^"]+"', r' \1="9 9"', picture)
        assert moved != picture and compared(moved) == compared(picture)
        for older in picture.replace("--mg-text:", "--mg-ink:"), picture.replace("rect", "circle"):
            assert older == picture or compared(older) != compared(picture)
        assert "--mg-text:" in compared(picture)


def test_stored_numbers_differ_in_last_digit(root: Path, tmp_path: Path) -> None:
    """With the options of `make test`, on a notebook that prints 0.1179 twice."""
    stored = [v4.new_output("stream", name="stdout", text=f"{x}\n") for x in ("0.1178", "0.1189")]
    cells = [v4.new_code_cell("print(0.1179)", execution_count=1, outputs=[x]) for x in stored]
    notebook = tmp_path / "small.ipynb"
    nbformat.write(v4.new_notebook(cells=cells), notebook)
    written = re.search(
        r"^NBVAL := ((?:.*\\\n)*.*)", (root / "Makefile").read_text(encoding="utf-8"), re.M
    )
    assert written
    options = written[1].replace("\\\n", " ").split()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, notebook],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert re.search(r"^FAILED .*Cell 1\b", done.stdout, re.M)


@pytest.mark.parametrize(
    ("language", "opening"),
    [("en", r"^Time: about (\d+)[^.]*"), ("zh", r"^时间：[^。\d]*(\d+)[^。]*")],
)
def test_course_map_has_chapter_durations(language: str, opening: str) -> None:
    """Reading and exercises together."""
    folder = build.LESSONS / language
    index = json.loads((folder / "00_index.ipynb").read_text(encoding="utf-8"))
    text = "\n".join("".join(cell["source"]) for cell in index["cells"])
    rows = dict(re.findall(r"\]\((\d\d_\w+)\.ipynb\) \|.*\| (\d+) \|$", text, re.MULTILINE))
    assert len(rows) == len(build.chapters()) - 1
    for name, minutes in rows.items():
        chapter = json.loads((folder / f"{name}.ipynb").read_text(encoding="utf-8"))
        prose = "\n".join("".join(cell["source"]) for cell in chapter["cells"])
        said = re.search(opening, prose, re.MULTILINE)
        assert said is not None, name
        assert int(minutes) == sum(map(int, re.findall(r"\d+", said[0]))), name
