"""The picture: DOT and SVG."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.model.graph_model import Edge, GraphModel, Node, NodeKind
from minigrad_viz.picture.dot import dot_source
from minigrad_viz.picture.forward import View
from minigrad_viz.picture.placement import MOST_NODES, TooLarge, picture
from minigrad_viz.picture.stage import is_chip, label_lines, on_stage
from minigrad_viz.picture.theme import DARK, KINDS, LIGHT, Theme, fill_and_outline, style_sheet
from minigrad_viz.texts.printable import columns, printable

import minigrad as mg

SVG = "{http://www.w3.org/2000/svg}"

SQUARE = r"""digraph backward {
	bgcolor=transparent nodesep=0.3 pad=0.1 ranksep=0.4
	node [fontcolor="#1b1f24" fontname="DejaVu Sans Mono" fontsize=13 margin=0]
	node [fixedsize=true shape=box]
	edge [arrowsize=0.7 color="#848f9b"]
	n0 [label="y
= 9" class=root color="#0b5cad" fillcolor="#dcebfa" height=0.556 id=n0 penwidth=1.6 style=filled width=0.555]
	n1 [label="MulBackward0
y = 9" class=function color="#59626d" fillcolor="#ffffff" height=0.556 id=n1 style="rounded,filled" width=1.572]
	n3 [label="x
= 3" class=leaf color="#59626d" fillcolor="#ffffff" height=0.556 id=n3 penwidth=1.6 style=filled width=0.555]
	n0 -> n1 [class=root id=e0]
	n1 -> n3 [class=next id=e1]
	n1 -> n3 [class=next id=e2]
}
"""  # noqa: E501


def square() -> Any:
    x = mg.tensor(3.0, requires_grad=True)
    y = x * x
    return viz.draw(y, names={"x": x, "y": y})


def labels(svg: str) -> list[list[str]]:
    """The lines of text of each node, as the SVG shows them."""
    root = ET.fromstring(svg)
    groups = [g for g in root.iter(f"{SVG}g") if g.get("class", "").startswith("node")]
    return [[t.text or "" for t in g.iter(f"{SVG}text")] for g in groups]


def test_dot_golden(lib: ModuleType) -> None:
    x = lib.tensor(3.0, requires_grad=True)
    y = x * x
    assert viz.draw(y, saved=False).dot == SQUARE


def test_dot_of_rough_and_fixed_layout() -> None:
    """Graphviz gives up sooner; or it leaves each node in its place, and draws straight edges."""
    model = square().model
    places = {node.id: f"{place},0" for place, node in enumerate(on_stage(model).nodes)}
    plain, rough = dot_source(model), dot_source(model, rough=True)
    assert added(plain, rough) == ["nslimit=1"]
    placed = dot_source(model, places=places)
    assert "splines=line" in added(plain, placed)
    boxes = (node.id for node in on_stage(model).nodes if not is_chip(node))
    assert all(f'pos="{places[box]}"' in placed for box in boxes)
    first = model.edges[0].id
    assert f"id={first}]" in plain and f"id={first}]" not in dot_source(model, without={first})


def added(before: str, after: str) -> list[str]:
    """The words of the second text that the first has not."""
    return sorted(set(after.split()) - set(before.split()))


def test_svg_has_the_models_ids_and_lines() -> None:
    drawing = square()
    root = ET.fromstring(drawing.svg)
    ids = [g.get("id", "") for g in root.iter(f"{SVG}g")]
    drawn = on_stage(drawing.model)
    assert sorted(i for i in ids if i.startswith("n")) == [n.id for n in drawn.nodes]
    assert sorted(i for i in ids if i.startswith("e")) == [e.id for e in drawn.edges]
    assert labels(drawing.svg) == [label_lines(node) for node in drawn.nodes]


def test_leaf_and_its_accumulate_are_one_box(lib: ModuleType) -> None:
    """A scalar shows its value, and a leaf its gradient; a saved tensor is a chip."""
    x = lib.tensor(3.0, requires_grad=True)
    y = x * x
    assert labels(viz.draw(y).svg) == [
        ["y", "= 9"],
        ["MulBackward0", "y = 9"],
        ["x"],
        ["x"],
        ["x", "= 3"],
    ]
    y.backward()
    after = viz.draw(y).svg
    assert labels(after)[-1] == ["x", "= 3", ".grad: 6"]
    assert after.count('class="node saved freed"') == 2


def test_legend_names_the_kinds_drawn() -> None:
    x = mg.ones(2, requires_grad=True)
    texts = [t.text for t in ET.fromstring(viz.draw((x * x).sum()).svg).iter(f"{SVG}text")]
    assert texts[-4:] == ["result", "backward node", "saved tensor", "leaf"]
    plain = (x + 1).sum()
    assert ">saved tensor<" not in viz.draw(plain).svg


def test_recorded_scalars_have_values(lib: ModuleType) -> None:
    """The operations of a function tell the values that nothing keeps."""

    def f() -> Any:
        x = lib.tensor(3.0, requires_grad=True)
        return ((x + 1) + 2).exp()

    shown = [lines[1] for lines in labels(viz.draw(f).svg) if lines[0] == "AddBackward0"]
    assert shown == ["= 6", "= 4"]
    forward = labels(viz.draw(f, view="forward").svg)
    assert ["= 4"] in forward and ["= 6"] in forward


def test_same_graph_same_bytes() -> None:
    assert square().svg == square().svg
    assert square()._repr_mimebundle_() == square()._repr_mimebundle_()


def test_svg_says_nothing_of_versions_and_files() -> None:
    svg = square().svg
    assert "<!--" not in svg and "<!DOCTYPE" not in svg
    assert not re.search(r"graphviz|version", svg, re.I)


HOSTILE = [
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<b>bold</b> & <i>italic</i>",
    "&lt;already&gt; &amp; &#38; &nosuch;",
    r"\N \G \n \l \\ {a|b} | <port>",
    'quote " and \\" backslash \\',
    "<table><tr><td>html label</td></tr></table>",
    "]]> <![CDATA[ <?xml ?> <!-- -->",
    "]; n9 [label=injected]; //",
    "node",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_only_text(name: str) -> None:
    x = mg.tensor(3.0, requires_grad=True)
    y = x * x
    drawing = viz.draw(y, names={name: x, "y": y})
    shown = labels(drawing.svg)
    assert len(shown) == len(on_stage(drawing.model).nodes)
    assert shown[-1][0] == name
    tags = {element.tag.removeprefix(SVG) for element in ET.fromstring(drawing.svg).iter()}
    assert tags <= {"svg", "style", "g", "title", "text", "path", "rect", "polygon", "polyline"}
    assert "<script" not in drawing.svg


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_name_of_a_chip_is_text(name: str, tmp_path: Path) -> None:
    """Graphviz reads the label of a box with chips as HTML."""
    x = mg.tensor(3.0, requires_grad=True)
    drawing = viz.draw((x * x).exp(), names={name: x})
    chips = [label_lines(node)[0] for node in on_stage(drawing.model).nodes if is_chip(node)]
    assert sum(chip[:9] == name[:9] for chip in chips) == 2
    assert [text for [text] in labels(drawing.svg)[2:3]] == chips[:1]
    assert drawing.save(tmp_path / "graph.png").read_bytes().startswith(b"\x89PNG")


def test_a_name_stays_in_its_line() -> None:
    x = mg.tensor(3.0, requires_grad=True)
    name = "a\nb\tc\x00d\x1be\u202ef\ud800"
    drawing = viz.draw(x * x, names={name: x})
    assert labels(drawing.svg)[-1] == ["a�b�c�d�e�f�", "= 3"]
    assert "\n" not in printable(name)
    assert len(viz.draw(x * x, names={name: x}).text.splitlines()) == 5


def test_long_name_is_shortened_in_middle() -> None:
    x = mg.tensor(3.0, requires_grad=True)
    name = "start" + "x" * 1000 + "end"
    svg = viz.draw(x * x, names={name: x}).svg
    line = labels(svg)[-1][0]
    assert line.startswith("start") and line.endswith("end") and "…" in line and len(line) < 50
    assert name in svg


def width(svg: str, place: int) -> float:
    """The width of the shape of the node number `place`."""
    group = next(g for g in ET.fromstring(svg).iter(f"{SVG}g") if g.get("id") == f"n{place}")
    shape = group.find(f"{SVG}rect")
    assert shape is not None
    return float(shape.get("width", "nan"))


def test_wide_characters_have_room() -> None:
    x = mg.tensor(3.0, requires_grad=True)
    y = x * x
    place = len(viz.draw(y).model.nodes) - 1
    for name in ("权重矩阵的名字", "weight_matrix", "ｗｉｄｅ", "モデル"):
        # A wide character is as wide as the font is high.
        needed = 14 * sum(1 if columns(c) == 2 else 0.602 for c in name)
        assert width(viz.draw(y, names={name: x}).svg, place) >= needed + 10


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("theme", "page"), [(LIGHT, "#ffffff"), (DARK, "#111111")])
def test_colours_can_be_read(theme: Theme, page: str) -> None:
    for kind in KINDS:
        fill, outline = fill_and_outline(kind, theme)
        assert contrast(theme.text, fill) >= 7
        assert contrast(theme.muted, fill) >= 7
        assert contrast(outline, page) >= 3
    assert contrast(theme.lost, theme.saved[0]) >= 4.5
    assert contrast(theme.edge, page) >= 3


def test_each_kind_has_its_colours() -> None:
    sheet = style_sheet()
    rules = dict(re.findall(r"^\.mg-graph (\S.*?)\{(.*)\}$", sheet, re.M))
    wanted = {
        ".edge *": "stroke:var(--mg-edge)",
        ".edge polygon": "fill:var(--mg-edge)",
        ".edge.data *": "stroke:var(--mg-data)",
        ".edge.data polygon": "fill:var(--mg-data)",
        ".freed text": "text-decoration:line-through",
        ":is(.freed,.changed) text": "fill:var(--mg-lost)",
        ".node rect.tray": "fill:var(--mg-tray);stroke:none",
        ".title": "font-size:13px;font-weight:600",
        ".detail": "fill:var(--mg-muted)",
    }
    for kind in KINDS:
        wanted[f".{kind} rect"] = f"fill:var(--mg-{kind});stroke:var(--mg-{kind}-edge)"
    assert rules.pop("text").endswith("fill:var(--mg-text)")
    assert rules == wanted
    for theme in (LIGHT, DARK):
        assert sheet.count(f"--mg-lost:{theme.lost}") == 2  # by the system, and by the page
        for kind in KINDS:
            fill, outline = fill_and_outline(kind, theme)
            assert sheet.count(f"--mg-{kind}:{fill};--mg-{kind}-edge:{outline}") == 2
    used, known = (set(re.findall(given, sheet)) for given in (r"var\((--[\w-]+)", r"(--[\w-]+):"))
    assert used == known


def test_lines_are_visible_in_unknown_theme() -> None:
    # JupyterLab shows an SVG as an image, which cannot see that the page around it is dark.
    for page in ("#ffffff", "#111111"):
        assert contrast(LIGHT.edge, page) >= 3


@pytest.mark.parametrize(
    ("suffix", "start"),
    [
        ("svg", b"<svg"),
        ("png", b"\x89PNG"),
        ("pdf", b"%PDF"),
        ("html", b"<!doctype html>"),
        ("dot", b"digraph"),
        ("txt", b"y  scalar"),
    ],
)
def test_files(suffix: str, start: bytes, tmp_path: Path) -> None:
    file = tmp_path / f"graph.{suffix}"
    assert square().save(file) == file
    assert file.read_bytes().startswith(start)


def test_unknown_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"the name must end in \.svg, \.png"):
        square().save(tmp_path / "graph.jpeg2000")
    assert not list(tmp_path.iterdir())


def test_html_escapes_the_title(tmp_path: Path) -> None:
    x = mg.tensor(3.0, requires_grad=True)
    y = x * x
    page = viz.draw(y, names={"</title><script>": y}).save(tmp_path / "a.html").read_text()
    assert "<script" not in page


def test_mimebundle_has_picture_and_text(lib: ModuleType) -> None:
    x = lib.tensor(3.0, requires_grad=True)
    y = x * x
    bundle = viz.draw(y)._repr_mimebundle_()
    assert set(bundle) == {"image/svg+xml", "text/plain"}
    assert bundle["text/plain"] == viz.draw(y).text == repr(viz.draw(y))
    assert json.loads(json.dumps(bundle)) == bundle


def test_a_large_graph_is_drawn() -> None:
    y = mg.ones(1, requires_grad=True)
    for _ in range(1000):
        y = y + 1
    drawing = viz.draw(y, saved=False)
    assert drawing.svg.count('class="node') == 1002  # a leaf and its AccumulateGrad are one
    assert "more lines: print(viz.draw(t)) writes them all" in repr(drawing)


def test_a_tensor_that_hundreds_of_operations_use() -> None:
    """Laid out as it is, this graph takes Graphviz hours."""
    x = y = mg.ones(1, requires_grad=True)
    for _ in range(500):
        y = y * x
    drawing = viz.draw(y, saved=False)
    root = ET.fromstring(drawing.svg)
    drawn = {g.get("id") for g in root.iter(f"{SVG}g")} - {None}
    stage = on_stage(drawing.model)
    assert drawn == {part.id for part in (*stage.nodes, *stage.edges)}
    edges = [g for g in root.iter(f"{SVG}g") if g.get("class", "").startswith("edge")]
    assert all(edge.find(f"{SVG}path") is not None for edge in edges)


@pytest.mark.parametrize("stacked", [False, True])
@pytest.mark.parametrize("view", ["backward", "forward", "both"])
def test_a_recurrent_network_of_thirty_steps(lib: ModuleType, view: View, stacked: bool) -> None:
    """Laid out as it is, Graphviz takes minutes, and a picture twenty times as wide as the window:
    each weight is used in every step, and the states by an operation behind them all.
    """
    w_x, w_h, b = (lib.ones(*size, requires_grad=True) for size in [(3, 4), (4, 4), (4,)])
    states = [lib.zeros(2, 4)]
    for _ in range(30):
        states.append(lib.tanh(lib.ones(2, 3) @ w_x + states[-1] @ w_h + b))
    loss = lib.stack(states[1:]).mean() if stacked else states[-1].mean()
    drawing = viz.draw(loss, view=view, names={"w_x": w_x, "w_h": w_h, "b": b})
    root = ET.fromstring(drawing.svg)
    drawn = {g.get("id") for g in root.iter(f"{SVG}g")} - {None}
    stage = on_stage(drawing.model)
    frames = () if view == "both" else stage.enclosures
    assert drawn == {part.id for part in (*stage.nodes, *stage.edges, *frames)}
    width = float(root.get("viewBox", "").split()[2])
    assert width < 2_500


@pytest.mark.parametrize(("levels", "limited"), [(2, False), (15, True)])
def test_a_network_with_long_ways_around_others(
    levels: int, limited: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Graphviz would look for the best place of each way in each layer for seconds."""
    asked: list[str] = []

    def render(source: str, format: str, **_: Any) -> bytes:
        asked.append(source)
        return b""

    monkeypatch.setattr("minigrad_viz.picture.placement.render", render)
    down = [mg.ones(1, 4, requires_grad=True) * 2]
    for _ in range(levels):
        down.append(down[-1].relu())
    up = down[-1]
    for level in reversed(down):
        up = mg.cat([up, level], 1) @ mg.ones(8, 4)
    picture(viz.draw(up.sum(), view="both").model, "svg")
    assert ["nslimit=1" in source for source in asked] == [limited]


def test_boxes_that_stand_in_a_circle() -> None:
    """Folding puts a node on the way from one box to another, and back, between the two."""
    kinds: list[NodeKind] = ["root", "cluster", "cluster"]
    nodes = [Node(f"n{i}", kind, kind) for i, kind in enumerate(kinds)]
    ends = [("n0", "n1"), ("n1", "n2"), ("n2", "n1")]
    edges = [Edge(f"e{i}", "next", *pair) for i, pair in enumerate(ends)]
    assert b"<svg" in picture(GraphModel(tuple(nodes), tuple(edges)), "svg")


def test_a_graph_too_large_for_a_picture() -> None:
    y = mg.ones(1, requires_grad=True)
    for _ in range(MOST_NODES):
        y = y + 1
    drawing = viz.draw(y, saved=False, fold=False)
    with pytest.raises(TooLarge, match=f"{MOST_NODES + 3:,} nodes, and a picture can show"):
        drawing.save("never.svg")
    bundle = drawing._repr_mimebundle_()
    assert list(bundle) == ["text/plain"]
    assert "No picture: this graph has" in bundle["text/plain"]
    assert len(bundle["text/plain"]) < 50_000


@pytest.mark.parametrize("name", ["a" * 5_000_000, "a" + "\u0301" * 2_500_000, "\u53f6" * 10**6])
def test_huge_label_is_cut(name: str) -> None:
    """The accents alone take no column."""
    x = mg.tensor(3.0, requires_grad=True)
    drawing = viz.draw(x * x, names={name: x})
    (label,) = (
        each for node in drawing.model.nodes if node.name == name for each in label_lines(node)[:1]
    )
    assert len(label) < 200 and "\u2026" in label
    assert len(drawing.dot) < 10_000
    assert f"<title>{name}" in drawing.svg
