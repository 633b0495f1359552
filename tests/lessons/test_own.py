"""The holes in the chapters' own engine: open, filled rightly, filled wrongly."""

from __future__ import annotations

import io
import linecache
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import nbformat
import pytest
from minigrad_lessons import build
from minigrad_lessons.engine import after, own
from minigrad_lessons.engine.holes import OWN
from minigrad_lessons.engine.own_lines import HOLE, OPEN, filled, seen_by

SOURCES = {
    int(path.stem[:2]): path
    for path in build.chapters()
    if ":tags: [engine, own]" in path.read_text(encoding="utf-8")
}
Place = tuple[int, int]
WRONG: dict[Place, list[str | None]] = {
    (2, 1): ["return Tensor(self.data, 'MulBackward0', (self, other), (1.0, 1.0))", None],
    (3, 1): [None, "self.grad = g if self.grad is None else self.grad + g"],
    (4, 1): ["(other.data, self.data)", None, None],
    (4, 2): ["(g * node.read(0), g * node.read(1))", None, None, None],
    (5, 1): ["Tensor.recording", None, None],
    (5, 2): ["False", None],
    (6, 1): ["(g,)", None],
    (7, 1): [None, "self.incoming = g"],
    (8, 1): ["a, b = self.read()\nreturn g * a, g * b", None],
    (10, 1): [None, None, "(a,) = self.read()\nreturn (Tensor(g.data * a.data),)", None],
    (11, 1): ["return g"],
    (11, 2): [None, "a, b = self.read()\nreturn g @ b, a @ g", None],
}
"""Lines that are wrong; None: the right ones."""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def cells(place: Place) -> tuple[list[str], str]:
    """The code that the engine needs up to the cell with holes, and that cell."""
    chapter, part = place
    path = build.notebook_path(SOURCES[chapter], "en")
    before: list[str] = []
    seen = 0
    for cell in nbformat.read(path, as_version=4).cells:
        tags = cell.metadata.get("tags", [])
        seen += "own" in tags
        if "own" in tags and seen == part:
            return before, cell.source
        source = filled(cell.source, (chapter, seen)) if "own" in tags else cell.source
        needed = "import" in tags or "engine" in tags or "= engine." in cell.source
        if cell.cell_type == "code" and needed:
            before.append(source)
    raise LookupError(place)


def typed(place: Place, lines: list[str | None] | None) -> str:
    """The cell with these lines; the holes are open without any."""
    cell = cells(place)[1]
    for line, right in zip(lines or [], OWN[place].lines, strict=lines is not None):
        part = right if line is None else line
        found = HOLE.search(cell)
        assert found is not None
        indent = found[1] or ""
        inside = "\n".join(indent + each for each in part.splitlines())
        cell = cell[: found.start()] + inside + cell[found.end() :]
    return cell


def notebook(place: Place, lines: list[str | None] | None) -> dict[str, Any]:
    """A notebook's names after the cell with these lines."""
    source, file = typed(place, lines), f"<cell {place}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names: dict[str, Any] = {"__name__": "__main__"}
    with redirect_stdout(io.StringIO()):
        for each in cells(place)[0]:
            exec(each, names)
        exec(compile(source, file, "exec"), names)
    return names


def said(place: Place, names: dict[str, Any], more: str = "") -> Any:
    exec(f"said = own({place[0]}, {place[1]}{more})", names)
    return names["said"]


def works(place: Place, names: dict[str, Any]) -> bool:
    return bool(seen_by(OWN[place], names) == seen_by(OWN[place], vars(after(place[0]))))


def test_nine_chapters_have_holes() -> None:
    assert set(SOURCES) == {chapter for chapter, part in OWN} == {2, 3, 4, 5, 6, 7, 8, 10, 11}
    assert set(OWN) == set(WRONG)
    for place in OWN:
        assert len(HOLE.findall(cells(place)[1])) == len(OWN[place].lines)
        assert len(OWN[place].asks(notebook(place, None))) == len(OWN[place].hints)


@pytest.mark.parametrize("place", OWN)
def test_open_holes_are_filled(place: Place) -> None:
    names = notebook(place, None)
    for _ in range(2):  # the course's lines do not pass as the learner's
        found = said(place, names)
        assert not found.right and found.says == OPEN
    assert works(place, names) and not Path("my_engine").exists()


@pytest.mark.parametrize("place", OWN)
def test_right_lines_stay(place: Place) -> None:
    names = notebook(place, [None] * len(OWN[place].lines))
    before = [each.__code__ for each in OWN[place].asks(names)]
    found = said(place, names, ", show=True")
    assert found.right and OWN[place].because.en in repr(found)
    assert all(line in repr(found) for line in OWN[place].lines)
    assert [each.__code__ for each in OWN[place].asks(names)] == before


@pytest.mark.parametrize("place", OWN)
def test_wrong_lines_get_hint(place: Place) -> None:
    names = notebook(place, WRONG[place])
    found = said(place, names)
    assert not found.right and works(place, names)
    wrong = [hint.en for hint in OWN[place].hints if hint.en in found.says.en]
    assert len(wrong) == 1
    assert "Not yet" in found.says.en and "还不对" in found.says.zh


@pytest.mark.parametrize("place", [place for place in OWN if len(OWN[place].hints) > 1])
def test_right_functions_stay_beside_wrong(place: Place) -> None:
    names = notebook(place, WRONG[place])
    before = [each.__code__ for each in OWN[place].asks(names)]
    said(place, names)
    kept = [each.__code__ for each in OWN[place].asks(names)]
    assert sum(one is other for one, other in zip(before, kept, strict=True)) == len(before) - 1


def test_right_functions_stay_beside_open() -> None:
    names = notebook((4, 2), [None, None, "pass", None])
    right = names["Tensor"].backward.__code__
    for _ in range(2):
        assert said((4, 2), names).says.en == (
            "Right, and in the engine: the rule, `walk`, `backward`. Still open: `free`. "
            "There the course's lines stand in, and the chapter goes on."
        )
    assert names["Tensor"].backward.__code__ is right
    assert works((4, 2), names)


def test_wrong_functions_are_named() -> None:
    names = notebook((5, 2), ["False", "self.data += other"])
    says = said((5, 2), names).says.en
    assert "Not yet: `read`." in says and "Not yet: `add_`." in says


def test_agreeing_functions_are_right_together() -> None:
    pair = ["(other.data, self.data)", None, "return self.saved[1 - place]"]
    assert said((4, 1), notebook((4, 1), pair)).right


def test_cells_of_learner_form_engine() -> None:
    for place in OWN:
        said(place, notebook(place, [None] * len(OWN[place].lines)))
    assert after(12, mine=True).typed == list(OWN)
    Path("my_engine/chapter_07_1.py").write_text(
        "@into(engine)\ndef count_uses(root):\n    pass\n", encoding="utf-8"
    )
    Path("my_engine/chapter_08_1.py").write_text("this is no Python", encoding="utf-8")
    engine = after(12, mine=True)
    assert set(OWN) - set(engine.typed) == {(7, 1), (8, 1)}
    x = engine.Tensor(3.0, True)
    (x * x).backward()
    assert x.grad.data == 6
    assert after(12).typed == []


def test_one_short_line_is_an_answer() -> None:
    names = notebook((11, 1), ["return g"])
    assert said((11, 1), names).says != OPEN


def test_endless_lines_end() -> None:
    names = notebook((7, 1), ["while True:\n    pass", None])
    assert "does not come to an end" in repr(said((7, 1), names))


def test_raised_error_is_named() -> None:
    names = notebook((3, 1), [None, "self.nothing.here"])
    assert "Not yet: `walk`. It raised AttributeError" in repr(said((3, 1), names))


def test_unknown_cell_is_refused() -> None:
    with pytest.raises(ValueError, match="chapter 9 has no cell 1 with holes"):
        own(9)


def test_filled_cell_has_no_hole() -> None:
    assert filled("def f():\n    ...\n    x = ...", (6, 1)) == (
        "def f():\n    (np.broadcast_to(g, node.inputs[0].data.shape),)\n"
        "    x = result = Tensor(self.data)\nresult.version = self.version\nreturn result"
    )
