"""Lines of text on a sheet, and a picture read back from its SVG."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import minigrad_viz as viz
import pytest
from minigrad_viz.picture.drawn import drawn
from minigrad_viz.picture.palette import DARK, LIGHT
from minigrad_viz.picture.sheet import (
    Sheet,
    _glyphs,
    is_set,
    measured,
    mixed,
    shortened,
    wrapped,
)
from minigrad_viz.picture.stage import label_lines, on_stage

import minigrad as mg

ENGLISH = "MulBackward0 runs: everything that uses its result has sent its gradient, [1, 1]."
CHINESE = "用到其结果的节点都已送来梯度，合计为 [1, 1]。按公式算出：输入 0 的梯度为 [3, 4]。"


@pytest.mark.parametrize("text", [ENGLISH, CHINESE, "x" * 300, "  a  b "])
@pytest.mark.parametrize("width", [60.0, 200.0, 1000.0])
def test_lines_have_room_and_lose_nothing(text: str, width: float) -> None:
    lines = wrapped(text, 12, width)
    assert all(measured(line, 12).width <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_no_line_begins_with_full_stop() -> None:
    for width in range(60, 400, 7):
        assert not any(line.startswith(tuple("，。：")) for line in wrapped(CHINESE, 12, width))


def test_no_text_has_no_line() -> None:
    assert wrapped("", 12, 100) == []


def test_shortened() -> None:
    assert shortened("short", 12, 100) == "short"
    cut = shortened("much too long for it", 12, 60)
    assert cut.endswith("…") and measured(cut, 12).width <= 60


def test_chinese_character_is_square() -> None:
    assert measured("梯度", 10).width == 20
    assert measured("梯度a", 10).width == 20 + measured("a", 10).width


def test_settings_of_a_sheet() -> None:
    assert is_set(r"\bar{a}=\frac{g}{b}")
    assert not is_set(r"\left( a")
    assert not is_set(r"{a}^{b}^{c}")


def test_mixed() -> None:
    assert mixed("#ff0000", "#000000", 0.5) == "#800000"


def test_character_without_font_is_named() -> None:
    sheet = Sheet(300, 300, LIGHT)
    sheet.text(10, 30, "a\U00013000b", 12)
    with pytest.warns(UserWarning, match="no font on this machine has '\U00013000'"):
        sheet.pixels(50)


def test_a_picture_is_read_back() -> None:
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).sum()
    drawing = viz.draw(y)
    whole = drawn(drawing.svg)
    stage = on_stage(drawing.model)
    assert set(whole.nodes) == {node.id for node in stage.nodes}
    assert set(whole.edges) == {edge.id for edge in stage.edges}
    for node in stage.nodes:
        read = whole.nodes[node.id]
        assert read.kind == node.kind
        assert [line.text for line in read.lines] == label_lines(node)
        assert 0 <= read.left < read.right <= whole.width
        assert 0 <= read.top < read.bottom <= whole.height
        for line in read.lines:
            assert read.left < line.x < read.right and read.top < line.y < read.bottom


def test_characters_without_font_warn_once() -> None:
    """Eight of them; other warnings come through as they are."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with _glyphs():
            for sign in "ihgfedcbaa":
                warnings.warn(f"Glyph {ord(sign)} (x) missing from font(s) DejaVu.", stacklevel=1)
            warnings.warn("something else", DeprecationWarning, stacklevel=1)
        with _glyphs(warn=False):
            warnings.warn("Glyph 97 (a) missing from font(s) DejaVu.", stacklevel=1)
    told = [(each.category, str(each.message)) for each in said]
    wide = (
        "no font on this machine has 'abcdefgh', drawn as boxes: for Chinese, install Noto Sans CJK"
    )
    assert told == [(DeprecationWarning, "something else"), (UserWarning, wide)]


def test_sheet_has_colours_of_stepper(root: Path) -> None:
    text = (root / "viz" / "frontend" / "src" / "stepper.css").read_text(encoding="utf-8")
    for selector, colours in ((":host", LIGHT), (':host([data-theme="dark"])', DARK)):
        rules = text.partition(f"\n{selector} {{")[2].partition("}")[0]
        said = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", rules))
        named = {name.replace("_", "-"): colour for name, colour in colours._asdict().items()}
        assert named == {name: said[name] for name in named}
