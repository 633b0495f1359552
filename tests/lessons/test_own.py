"""The holes in the chapters' own engine: open, filled rightly, filled wrongly."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from typing import Any

import nbformat
import pytest
from minigrad_lessons import build
from minigrad_lessons.engine import after
from minigrad_lessons.engine.own_lines import HOLE, OPEN, OWN, filled, seen_by

SOURCES = {
    int(path.stem[:2]): path
    for path in build.chapters()
    if ":tags: [engine, own]" in path.read_text(encoding="utf-8")
}
WRONG: dict[int, list[str | None]] = {
    2: ["return Tensor(self.data * other.data, 'MulBackward0', (self, other), (1.0, 1.0))", None],
    3: [None, "self.grad = g if self.grad is None else self.grad + g"],
    4: ["(g * node.read(0), g * node.read(1))", None, None],
    5: ["Tensor.recording", None, None, None, None],
    6: ["(g,)", None],
    7: ["return {root: 0}"],
    8: ["a, b = self.read()\nreturn g * a, g * b", None],
    10: [None, None, "(a,) = self.read()\nreturn (Tensor(g.data * a.data),)", None],
    11: ["return g", None, None, None],
}
"""Lines that are wrong; None: the right ones."""


def cells(chapter: int) -> tuple[list[str], str]:
    """The code that the engine needs up to the cell with holes, and that cell."""
    path = build.notebook_path(SOURCES[chapter], "en")
    before: list[str] = []
    for cell in nbformat.read(path, as_version=4).cells:
        tags = cell.metadata.get("tags", [])
        if "own" in tags:
            return before, cell.source
        needed = "import" in tags or "engine" in tags or "= engine." in cell.source
        if cell.cell_type == "code" and needed:
            before.append(cell.source)
    raise LookupError(chapter)


def notebook(chapter: int, lines: list[str | None] | None) -> dict[str, Any]:
    """A notebook's names after the cell with these lines; the holes are open without any."""
    before, cell = cells(chapter)
    if lines is not None:
        for typed, right in zip(lines, OWN[chapter].lines, strict=True):
            part = right if typed is None else typed
            found = HOLE.search(cell)
            assert found is not None
            indent = found[1] or ""
            inside = "\n".join(indent + line for line in part.splitlines())
            cell = cell[: found.start()] + inside + cell[found.end() :]
    names: dict[str, Any] = {"__name__": "__main__"}
    with redirect_stdout(io.StringIO()):
        for source in [*before, cell]:
            exec(source, names)
    return names


def test_nine_chapters_have_holes() -> None:
    assert set(SOURCES) == set(OWN) == set(WRONG) == {2, 3, 4, 5, 6, 7, 8, 10, 11}
    for chapter in OWN:
        assert len(HOLE.findall(cells(chapter)[1])) == len(OWN[chapter].lines)


@pytest.mark.parametrize("chapter", OWN)
def test_open_holes_are_filled(chapter: int) -> None:
    names = notebook(chapter, None)
    for _ in range(2):  # the course's lines do not pass as the learner's
        exec(f"said = own({chapter})", names)
        assert not names["said"].right and names["said"].says == OPEN
    assert seen_by(OWN[chapter], names) == seen_by(OWN[chapter], vars(after(chapter)))


@pytest.mark.parametrize("chapter", OWN)
def test_right_lines_stay(chapter: int) -> None:
    names = notebook(chapter, [None] * len(OWN[chapter].lines))
    own_lines = OWN[chapter].asks(names)
    exec(f"said = own({chapter}, show=True)", names)
    assert names["said"].right and OWN[chapter].because.en in repr(names["said"])
    assert all(line in repr(names["said"]) for line in OWN[chapter].lines)
    kept = OWN[chapter].asks(names)
    assert [each.__code__ for each in kept] == [each.__code__ for each in own_lines]


@pytest.mark.parametrize("chapter", OWN)
def test_wrong_lines_get_hint(chapter: int) -> None:
    names = notebook(chapter, WRONG[chapter])
    exec(f"said = own({chapter})", names)
    assert not names["said"].right and OWN[chapter].otherwise.en in names["said"].says.en
    assert seen_by(OWN[chapter], names) == seen_by(OWN[chapter], vars(after(chapter)))


def test_wrong_function_is_named() -> None:
    names = notebook(5, [None, None, None, "False", "self.data += other"])
    exec("said = own(5)", names)
    assert "Look at `read`, `add_`." in names["said"].says.en


def test_open_function_is_named() -> None:
    names = notebook(5, [None, None, "pass", None, "pass"])
    exec("said = own(5)", names)
    assert names["said"].says.en.startswith("Still open: `detach`, `add_`.")


def test_one_short_line_is_an_answer() -> None:
    names = notebook(11, ["return g", None, None, None])
    exec("said = own(11)", names)
    assert names["said"].says != OPEN


def test_endless_lines_end() -> None:
    names = notebook(7, ["while True:\n    pass"])
    exec("said = own(7)", names)
    assert "do not come to an end" in repr(names["said"])


def test_raised_error_is_named() -> None:
    names = notebook(3, [None, "self.nothing.here"])
    exec("said = own(3)", names)
    assert "raised AttributeError" in repr(names["said"])


def test_filled_cell_has_no_hole() -> None:
    assert filled("def f():\n    ...\n    x = ...", 6) == (
        "def f():\n    (np.broadcast_to(g, node.inputs[0].data.shape),)\n"
        "    x = result = Tensor(self.data)\nresult.version = self.version\nreturn result"
    )
