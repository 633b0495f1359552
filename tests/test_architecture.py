"""The count of lines in docs/architecture.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import architecture


def test_comments_and_docstrings_are_not_counted() -> None:
    text = '"""A."""\n\n# why\nx = 1  # here\n\ndef f():\n    "Do."\n    return """a\n\n#"""\n'
    assert architecture.python_lines(text) == 5


def test_files_are_found_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither git's own files nor what `make` has installed belong to the repository."""
    for name in ("minigrad/a.py", ".git/HEAD", ".venv/lib/b.py", "minigrad/__pycache__/a.pyc"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert architecture.tracked(tmp_path) == [tmp_path / "minigrad" / "a.py"]


def test_web_comments_are_not_counted() -> None:
    text = "/* What\n   it is */\nconst a = 1 // here\n\n// why\n.b { /* red */ color: red }\n"
    assert architecture.web_lines(text) == 2


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("minigrad/cuda.py", "minigrad"),
        ("minigrad/ops/linear_algebra/norms.py", "minigrad/ops"),
        ("minigrad/ops/sums.pyi", architecture.STUBS),
        ("viz/minigrad_viz/stepper/static/stepper.js", architecture.BUNDLES),
        ("viz/frontend/src/dom.ts", "viz/frontend"),
        ("viz/frontend/test/dom.test.ts", architecture.TESTS),
        ("lessons/src/00_index.md", architecture.LESSONS),
        ("lessons/minigrad_lessons/site/index.html", architecture.PRODUCT_DATA),
        ("lessons/en/00_index.ipynb", None),
        ("tests/answers/core.json", architecture.TEST_DATA),
        ("tests/viz/diagnosis/programs/sound/plain.py", architecture.TEST_DATA),
        ("tests/viz/diagnosis/posted/sound/gan.py", architecture.TEST_DATA),
        ("tools/lite/site.py", "tools"),
        ("README.md", None),
    ],
)
def test_each_file_has_its_row(name: str, row: str | None) -> None:
    assert architecture.room(name, Path(name).suffix) == row


def test_the_table_keeps_the_other_column() -> None:
    page = "a\n<!-- lines -->\nold\n<!-- /lines -->\nb\n"
    written = architecture.write_table(page, {"minigrad/core": "2.4"}, {"minigrad/core": "2.3"})
    assert architecture.read_table(written) == {"minigrad/core": ("2.4", "2.3")}
    assert written.startswith("a\n") and written.endswith("\nb\n") and "old" not in written


def test_figures_of_the_core_are_replaced() -> None:
    text = "1,000 <!-- core -->\n1,234 lines and 5,678\n<!-- /core --> 2,000"
    written = architecture.with_core_lines(text, [2380, 2880])
    assert written == "1,000 <!-- core -->\n2,380 lines and 2,880\n<!-- /core --> 2,000"


def test_the_table_is_current() -> None:
    """The figures may differ by 3% or 100 lines; `make architecture` counts again."""
    table = architecture.read_table(architecture.PAGE.read_text("utf-8"))
    lines = architecture.counts(architecture.ROOT)
    stale = {
        row: (shown, lines[row])
        for row, (_, now) in table.items()
        if abs(lines[row] - (shown := 1000 * float(now or 0))) > max(100, 0.03 * lines[row])
    }
    assert stale == {}
    assert [row for row in lines if row not in table and lines[row] > 100] == []
