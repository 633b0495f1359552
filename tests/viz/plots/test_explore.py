"""explore: sliders on the inputs of a function, live numbers in its graph, and its curve."""

from __future__ import annotations

import cProfile
import itertools
import math
import re
import time
import xml.etree.ElementTree as ET
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.picture.graphviz import NoGraphviz
from minigrad_viz.plots.function_curve import Point, curve
from minigrad_viz.texts.numerals import number_text

import minigrad as mg
from tests.numbers import compare
from tests.record import answer
from tests.speaking import speaking

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first curve has all its points on a loaded machine, too."""
    monkeypatch.setattr("minigrad_viz.plots.explore.FIRST_SECONDS", 60.0)


def neuron(lib: Any) -> Any:
    def f(x: Any, w: Any) -> Any:
        h = lib.tanh(x * w)
        return (h - 0.5) ** 2

    return f


def labels(svg: str) -> dict[str, list[str]]:
    """The label of each node of a drawn graph, by its first line."""
    nodes = [g for g in ET.fromstring(svg).iter(f"{SVG}g") if g.get("class", "").startswith("node")]
    texts = [[text.text or "" for text in node.iter(f"{SVG}text")] for node in nodes]
    return {lines[0]: lines[1:] for lines in texts if len(lines) > 1}


def test_values_and_gradients_follow_the_inputs(lib: ModuleType) -> None:
    explored = viz.explore(neuron(lib), x=(-2, 2), w=1.0)
    assert explored.library is lib
    for x, w in [(0.0, 1.0), (0.5, -2.0), (2.0, 3.0)]:
        explored.move(x=x, w=w)
        h = math.tanh(x * w)
        slope = 2 * (h - 0.5) * (1 - h * h)
        assert explored.state.value == pytest.approx((h - 0.5) ** 2, rel=1e-4)
        assert explored.state.slopes["x"] == pytest.approx(slope * w, rel=1e-3, abs=1e-6)
        assert explored.state.slopes["w"] == pytest.approx(slope * x, rel=1e-3, abs=1e-6)
        shown = labels(explored.graph)
        assert shown["h"] == [f"value {number_text(h)}", f"grad {number_text(2 * (h - 0.5))}"]
        assert shown["x"][0] == f"value {x:g}"


def test_the_same_text_for_both_libraries(oracle: ModuleType) -> None:
    def seen(lib: ModuleType) -> list[Any]:
        explored = viz.explore(neuron(lib), x=(-2, 2), w=1.0)
        texts: list[Any] = []
        for x in (-1.0, 0.25, 2.0):
            explored.move(x=x)
            texts += [explored.text, labels(explored.graph)]
        return texts

    compare(seen(mg), answer(oracle, seen))


def test_text() -> None:
    def f(x: Any, w: Any) -> Any:
        y = x * w
        return y.exp()

    assert viz.explore(f, x=(-1, 1), w=2.0).text.splitlines() == [
        "At x = 0, w = 2: f = 1, df/dx = 2, df/dw = 0.",
        "  f  value 1  grad 1",
        "  y  value 0  grad 1",
        "  x  value 0  grad 2",
        "  w  value 2  grad 0",
    ]


def test_each_branch_has_one_layout() -> None:
    def f(x: Any) -> Any:
        return x * x if x > 0 else -x

    explored = viz.explore(f, x=(-2, 2))
    for x in (0.5, 1.0, 1.5):
        explored.move(x=x)
        assert "mul" in explored.graph
    assert len(explored._layouts) == 1
    explored.move(x=-1.0)
    assert "neg" in explored.graph
    assert len(explored._layouts) == 2


def test_box_shows_kind_and_gradient() -> None:
    """Blended by the share of the largest gradient, in another colour if it is negative."""
    explored = viz.explore(lambda a: a * 2 - a * a * 4, a=(0, 1))
    explored.move(a=0.8)
    blend = r"color-mix\(in srgb,var\(--mg-(\w+)\) (\d+)%,var\(--mg-(\w+)\)\)"
    blends = re.findall(blend, explored.graph)
    assert ("up", "10", "root") in blends
    assert ("down", "45", "leaf") in blends


def test_curve_has_derivative_and_gaps(lib: ModuleType) -> None:
    explored = viz.explore(lambda x: lib.log(x), x=(-1, 3))
    explored.move(x=1.0)
    points = explored.points()
    assert points is explored.points()  # kept as long as the other inputs stay where they are
    for point in points:
        if point.x > 0:
            assert point.y == pytest.approx(math.log(point.x), abs=1e-4)
            assert point.slope == pytest.approx(1 / point.x, rel=1e-4)
        else:
            assert not math.isfinite(point.y) and not math.isfinite(point.slope)
    assert "nan" not in explored.plot and "inf" not in explored.plot


def lines(plot: str, kind: str) -> list[list[tuple[float, float]]]:
    """The pieces of a line of the plot."""
    found = [line for line in ET.fromstring(plot).iter(f"{SVG}polyline")
             if line.get("class") == kind]  # fmt: skip
    return [
        [
            (float(x), float(y))
            for x, _, y in (p.partition(",") for p in line.get("points", "").split())
        ]
        for line in found
    ]


def jumping(lib: ModuleType, name: str) -> Any:
    functions: dict[str, Any] = {
        "sign": lambda x: lib.sign(x) + x,
        "floor": lambda x: lib.floor(x) + 0 * x,
        "argmax": lambda x: lib.stack([x, 0.3 - x]).argmax().float() + x,
        "while": lambda x: doubled(x),
    }
    return functions[name]


def doubled(x: Any) -> Any:
    while x < 3:
        x = x * 2
    return x


@pytest.mark.parametrize(
    ("name", "bounds", "pieces"),
    [
        ("sign", (-2, 3.1), 2),
        ("floor", (-2.5, 2.5), 6),
        ("argmax", (-1, 1), 2),
        ("while", (0.4, 5), 4),
    ],
)
def test_a_curve_breaks_where_the_function_jumps(
    lib: ModuleType, name: str, bounds: tuple[float, float], pieces: int
) -> None:
    drawn = lines(viz.explore(jumping(lib, name), x=bounds).plot, "value")
    assert len(drawn) == pieces
    for left, right in itertools.pairwise(drawn):  # each goes on to where the jump is
        assert right[0][0] - left[-1][0] < 0.5
        assert abs(right[0][1] - left[-1][1]) > 10


def test_steep_curve_has_no_gap(lib: ModuleType) -> None:
    for function in (
        lambda x: lib.sigmoid(400 * x),
        lambda x: lib.tanh(90 * x) + x,
        lambda x: (x * x + 1e-6) ** 0.15,
        lambda x: lib.sin(9 * x) * x,
    ):
        drawn = viz.explore(function, x=(-2, 2.1)).plot
        assert len(lines(drawn, "value")) == len(lines(drawn, "slope")) == 1


def test_only_slope_breaks_at_bend(lib: ModuleType) -> None:
    drawn = viz.explore(lambda x: x.abs(), x=(-1, 1.1)).plot
    assert (len(lines(drawn, "value")), len(lines(drawn, "slope"))) == (1, 2)


def test_scale_ignores_a_pole(lib: ModuleType) -> None:
    points = viz.explore(lambda x: 1 / x, x=(-1, 1.1)).points()
    assert any(math.isnan(p.y) for p in points)
    assert max(abs(p.y) for p in points if math.isfinite(p.y)) < 1000


@pytest.mark.parametrize(("slope", "sides"), [(1.5, 1), (1.2, 3)])
def test_large_jump_has_no_sides(lib: ModuleType, slope: float, sides: int) -> None:
    """Between -1 and 1 the function goes down by 2 * slope, and jumps up by 5."""
    explored = viz.explore(lambda x: (x > 0) * 5.0 - slope * x, x=(-1, 1), library=lib)
    found = explored.jump(explored.point(-1), explored.point(1), 1)
    assert len(found) == sides
    assert math.isnan(found[sides // 2].y)


def function_of(lib: Any, backward: Any) -> Any:
    members = {"forward": lambda ctx, x: x * 1, "backward": backward}
    statics = {name: staticmethod(method) for name, method in members.items()}
    return type("Own", (lib.autograd.Function,), statics).apply


def test_missing_gradient_is_a_question_mark(lib: ModuleType) -> None:
    ends = function_of(lib, lambda ctx, g: None)

    def f(x: Any) -> Any:
        h = x.exp()
        return ends(h) + x

    explored = viz.explore(f, x=(-2, 2), library=lib)
    assert labels(explored.graph)["h"] == ["value 1", "grad ?"]
    assert labels(explored.graph)["x"] == ["value 0", "grad 1"]
    assert "h       value 1  grad ?" in explored.text


def test_a_backward_that_fails_says_so(lib: ModuleType) -> None:
    def fails(ctx: Any, g: Any) -> Any:
        raise KeyError("odd")

    with pytest.raises(KeyError, match="odd"):
        viz.explore(function_of(lib, fails), x=(-2, 2), library=lib)


def test_without_graphviz_text_and_curve_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_graphviz(*_: Any, **__: Any) -> str:
        raise NoGraphviz(None)

    monkeypatch.setattr("minigrad_viz.plots.explore.svg", no_graphviz)
    explored = viz.explore(neuron(mg), x=(-2, 2), w=1.0)
    assert explored.graph == ""
    assert "h" in explored.text
    assert "<svg" in explored.plot


def test_long_names_stand_below_each_other() -> None:
    def the_distance_that_is_left_to_go(learning_rate: Any) -> Any:
        return learning_rate**2

    plot = viz.explore(the_distance_that_is_left_to_go, learning_rate=(0, 1)).plot
    texts = {text.text: text for text in ET.fromstring(plot).iter(f"{SVG}text")}
    first = texts["the_distance_that_is_left_to_go"]
    (second,) = (t for label, t in texts.items() if str(label).endswith("…"))
    assert first.get("x") == second.get("x") and first.get("y") != second.get("y")
    assert len(str(second.text)) * 7.3 + float(str(second.get("x"))) < 400


def test_own_function_shows_its_numbers(lib: ModuleType) -> None:
    class Square(lib.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensors
            return 2 * x * g

    explored = viz.explore(lambda x: Square.apply(Square.apply(x) + 1), x=(0, 4))
    assert "?" not in explored.text
    assert "value 5 " in explored.text and "value 4 " in explored.text


def test_tensors_stay_as_they_are(lib: ModuleType) -> None:
    data, weight = lib.tensor([1.0, 2.0]), lib.ones(2, requires_grad=True)

    def f(x: Any, data: Any, weight: Any) -> Any:
        return (x * data * weight).sum()

    explored = viz.explore(f, x=(0, 2), data=data, weight=weight)
    explored.move(x=2.0)
    assert explored.state.value == 6
    assert weight.grad is None and not data.requires_grad


def test_a_slider_moves_everything(lib: ModuleType) -> None:
    explored = viz.explore(neuron(lib), x=(-2, 2), w=1.0)
    sliders = explored.widget
    assert [each[:3] for each in sliders.ranges] == [["x", -2, 2], ["w", -1, 3]]
    assert sliders.values == {"x": 0, "w": 1}
    before = sliders.shown()
    sliders.values = {"x": 1, "w": 1}  # JavaScript writes 1.0 as 1
    assert explored.values == {"x": 1.0, "w": 1.0}
    for name, words in before.items():
        assert getattr(sliders, name) not in ("", words)
    sliders.along = "w"
    assert "df/dw" in sliders.plot and "df/dx" not in sliders.plot


def test_failure_at_one_value_keeps_picture(lib: ModuleType) -> None:
    def f(x: Any) -> Any:
        if x > 1:
            raise ValueError("<b>too large</b>")
        return x * x

    explored = viz.explore(f, x=(0, 2))
    sliders = explored.widget
    before = sliders.graph
    sliders.values = {"x": 1.5}
    assert sliders.caption == "f fails here: ValueError: <b>too large</b>"
    assert sliders.graph == before and explored.values == {"x": 1.0}
    sliders.values = {"x": 0.5}
    assert "f = 0.25" in sliders.caption


def test_a_hundred_moves_keep_pace_with_dragging(lib: ModuleType) -> None:
    """A bound against catastrophe alone; `make bench` measures."""
    explored = viz.explore(neuron(lib), x=(-2, 2), w=1.0)
    sliders = explored.widget
    sliders.values = {"x": 0.0, "w": 1.5}
    begun = time.process_time()  # of this process: others may keep the machine busy
    for step in range(100):
        sliders.values = {"x": 0.0, "w": -1 + step * 0.04}
    assert time.process_time() - begun < 20


def test_chinese() -> None:
    with speaking("zh"):
        explored = viz.explore(lambda x: x * x, x=(-2, 2))
    assert explored.text.startswith("在 x = 0 处：f = 0")
    assert labels(explored.graph)["x"] == ["值 0", "梯度 0"]


def test_saved_notebook_keeps_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[dict[str, Any]] = []
    monkeypatch.setattr(
        "IPython.display.display", lambda data, raw, metadata=None: shown.append(data)
    )
    explored = viz.explore(lambda x: x * x, x=(-2, 2))
    explored._ipython_display_()
    widget, still = shown
    assert list(widget) == ["application/vnd.jupyter.widget-view+json"]
    assert still["text/plain"] == explored.text
    assert still["text/html"].count("<img alt=") == 2


@pytest.mark.parametrize("bad", ["one", True, (1, "x"), (math.nan, 1), None])
def test_no_range(bad: Any) -> None:
    with pytest.raises(TypeError, match="the input 'x' must be a number, "):
        viz.explore(lambda x: x * x, x=bad)


@pytest.mark.parametrize("bad", [(1, 1), (2, 1), (0, 1, 0), (0, 1, 2, 3)])
def test_a_wrong_range(bad: Any) -> None:
    with pytest.raises(ValueError, match="from a lower number to a higher one"):
        viz.explore(lambda x: x * x, x=bad)


@pytest.mark.parametrize(
    ("function", "kind", "message"),
    [
        (
            lambda x: 3.0,
            TypeError,
            "needs a function that returns a tensor, and .* returned a float",
        ),
        (
            lambda x: mg.ones(2) * x,
            ValueError,
            r"needs a function that returns a single number, and .* the shape \[2\]",
        ),
        (
            lambda x: x.detach(),
            ValueError,
            "found no graph behind what .* it does not depend on any input",
        ),
        (3, TypeError, "needs a function, not a int"),
    ],
)
def test_no_function_to_explore(function: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        viz.explore(function, x=(0, 1))


def test_other_wrong_calls() -> None:
    with pytest.raises(ValueError, match="needs an input with a range"):
        viz.explore(lambda x: x, x=mg.ones(1))
    with pytest.raises(ValueError, match="along must be one of 'x', not 'y'"):
        viz.explore(lambda x: x * x, x=(0, 1), along="y")
    with pytest.raises(ValueError, match=r"f\(\) has no slider for z"):
        viz.explore(lambda x: x * x, x=(0, 1)).move(z=1.0)


def test_the_profiler_of_the_reader_stays() -> None:
    import sys

    before = sys.getprofile()
    viz.explore(lambda x: x * x, x=(0, 1))
    assert sys.getprofile() is before


def test_function_is_explored_under_cprofile() -> None:
    """Python's own profiler is no function before Python 3.12."""
    with cProfile.Profile() as profile:
        explored = viz.explore(lambda x: x * x, x=(0, 1))
        len("after")
    assert "f = " in explored.caption
    assert any("len" in str(entry.code) for entry in profile.getstats())


def test_hostile_name_is_text_in_curve() -> None:
    evil = '"><script>alert(1)</script>'
    points = [Point(0.0, 0.0, 1.0), Point(1.0, 1.0, 1.0)]
    drawn = curve(points, points[0], name=evil, function=evil)
    assert "<script" not in drawn
    ET.fromstring(drawn)


def test_curve_stays_until_another_input_moves(lib: ModuleType) -> None:
    explored = viz.explore(neuron(lib), x=(-2, 2), w=1.0)
    first = explored.points()
    explored.move(x=0.5)
    assert explored.points() is first
    explored.move(w=2.0)
    second = explored.points()
    assert second != first
    assert explored.points() is second
