"""The builder on a small chapter: same source, same bytes, and nothing stale goes unnoticed."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import nbformat
import pytest
from minigrad_lessons import build
from nbclient.exceptions import CellExecutionError

CHAPTER = """\
+++ {"lang": "en"}

# Title

+++ {"lang": "zh"}

# 标题

```{code-cell} ipython3
import sys
print("out")
print("err", file=sys.stderr)
print("out again")
1 + 1
```

+++ {"lang": "en"}

Only English says more.

```{code-cell} ipython3
:tags: [raises-exception]

raise ValueError("wrong")
```

```{code-cell} ipython3
class Widget:
    def _repr_mimebundle_(self, **options):
        view = "application/vnd.jupyter.widget-view+json"
        return {view: {"model_id": str(id(self))}, "text/plain": "a widget"}

Widget()
```

```{code-cell} ipython3
from IPython.display import display

display({"application/vnd.jupyter.widget-view+json": {"model_id": "1"}}, raw=True)
print("nothing else")
```
"""


@pytest.fixture
def chapter(tmp_path: Path) -> Path:
    source = tmp_path / "src" / "01_small.md"
    source.parent.mkdir()
    source.write_text(CHAPTER, encoding="utf-8")
    return source


@pytest.fixture(scope="module")
def built_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kernel takes a second to start, so the tests that change a built chapter change a copy."""
    source = tmp_path_factory.mktemp("lessons") / "src" / "01_small.md"
    source.parent.mkdir()
    source.write_text(CHAPTER, encoding="utf-8")
    build.build(source)
    return source.parents[1]


@pytest.fixture
def built(built_once: Path, tmp_path: Path) -> Path:
    shutil.copytree(built_once, tmp_path, dirs_exist_ok=True)
    return tmp_path / "src" / "01_small.md"


def stored(source: Path, language: build.Language) -> nbformat.NotebookNode:
    return nbformat.read(build.notebook_path(source, language), as_version=4)


def test_builds_are_byte_identical(chapter: Path) -> None:
    first = {path.name + path.parent.name: path.read_bytes() for path in build.build(chapter)}
    second = {path.name + path.parent.name: path.read_bytes() for path in build.build(chapter)}
    assert len(first) == 2
    assert first == second
    for text in first.values():
        assert b'"model_id": "' not in text and b"ipykernel_" not in text
        assert sys.version.split()[0].encode() not in text


def test_notebook_has_own_prose_all_code(built: Path) -> None:
    english, chinese = stored(built, "en"), stored(built, "zh")
    assert [c.source for c in english.cells if c.cell_type == "markdown"] == [
        "# Title",
        "Only English says more.",
    ]
    assert [c.source for c in chinese.cells if c.cell_type == "markdown"] == ["# 标题"]
    codes = [
        [(c.id, c.source, c.outputs) for c in book.cells if c.cell_type == "code"]
        for book in (english, chinese)
    ]
    assert codes[0] == codes[1]
    assert [identity for identity, _, _ in codes[0]] == [f"code-0{n}" for n in range(1, 5)]


def test_outputs_keep_what_lasts(built: Path) -> None:
    code = [c.outputs for c in stored(built, "en").cells if c.cell_type == "code"]
    plain, error, widget, view_alone = code
    assert {o.name: o.text for o in plain if o.output_type == "stream"} == {
        "stdout": "out\nout again\n",
        "stderr": "err\n",
    }
    assert plain[-1].data == {"text/plain": "2"}
    assert error[0].traceback == ["ValueError: wrong"]
    assert widget[0].data == {"text/plain": "a widget"}
    assert [output.output_type for output in view_alone] == ["stream"]


def test_untagged_failing_cell_stops_build(chapter: Path) -> None:
    chapter.write_text(CHAPTER.replace(":tags: [raises-exception]\n", ""), encoding="utf-8")
    with pytest.raises(CellExecutionError) as caught:
        build.build(chapter)
    assert (caught.value.ename, caught.value.evalue) == ("ValueError", "wrong")
    assert not build.notebook_path(chapter, "en").exists()


def test_a_fresh_build_has_no_problems(built: Path) -> None:
    assert list(build.problems(built)) == []
    assert list(build.orphans(built.parents[1])) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Only English says more.", "Only English says something else."),
        ("1 + 1", "1 + 2"),
        ("[raises-exception]", "[raises-exception, another]"),
    ],
    ids=["prose", "code", "tags"],
)
def test_changed_source_makes_notebook_stale(built: Path, old: str, new: str) -> None:
    built.write_text(CHAPTER.replace(old, new), encoding="utf-8")
    assert any("en/01_small.ipynb: stale" in problem for problem in build.problems(built))


def test_changed_prose_affects_one_language(built: Path) -> None:
    built.write_text(CHAPTER.replace("# 标题", "# 新标题"), encoding="utf-8")
    assert list(build.problems(built)) == ["zh/01_small.ipynb: stale, its source has changed"]


def test_a_notebook_edited_by_hand_is_stale(built: Path) -> None:
    path = build.notebook_path(built, "zh")
    path.write_text(path.read_text(encoding="utf-8").replace("标题", "题目"), encoding="utf-8")
    assert list(build.problems(built)) == ["zh/01_small.ipynb: stale, its source has changed"]


def test_an_unrun_cell_is_found(built: Path) -> None:
    book = stored(built, "en")
    book.cells[1].execution_count = None
    nbformat.write(book, build.notebook_path(built, "en"))
    assert list(build.problems(built)) == [
        "en/01_small.ipynb: not run from its first cell to its last"
    ]


def test_a_missing_notebook_is_found(chapter: Path) -> None:
    assert list(build.problems(chapter)) == [
        "en/01_small.ipynb: not built",
        "zh/01_small.ipynb: not built",
    ]


def test_a_language_without_prose_has_no_notebook(built: Path) -> None:
    only_english = CHAPTER.replace('+++ {"lang": "zh"}\n\n# 标题\n\n', "")
    built.write_text(only_english, encoding="utf-8")
    assert "zh/01_small.ipynb: its source has no prose in this language" in list(
        build.problems(built)
    )


def test_a_notebook_without_source_is_found(built: Path) -> None:
    built.unlink()
    assert list(build.orphans(built.parents[1])) == [
        "en/01_small.ipynb: has no source",
        "zh/01_small.ipynb: has no source",
    ]


def test_prose_without_a_language_is_refused(chapter: Path) -> None:
    chapter.write_text(CHAPTER.replace('+++ {"lang": "zh"}', "+++"), encoding="utf-8")
    with pytest.raises(build.ChapterError, match=r"01_small\.md: prose without a language"):
        list(build.expected_notebooks(chapter))


def test_an_unknown_chapter_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert build.main(["--check", "99_nothing"]) == 2
    assert "no such chapter: 99_nothing" in capsys.readouterr().err
