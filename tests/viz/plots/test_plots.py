"""Plots: gradient flow, loss curves, derivatives, and the style that they share."""

from __future__ import annotations

import math
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.picture.palette import PALE
from minigrad_viz.picture.theme import DARK, LIGHT
from minigrad_viz.plots.grad_flow import Layer, flagged
from minigrad_viz.plots.themed_plot import _dark_of

import minigrad as mg
from tests.numbers import alike
from tests.record import answer
from tests.speaking import speaking


def deep(lib: Any) -> Any:
    """A network whose gradient fades on its way back, with one weight that is left out."""
    lib.manual_seed(0)
    layers = [module for _ in range(6) for module in (lib.nn.Linear(8, 8), lib.nn.Sigmoid())]
    model = lib.nn.Sequential(*layers, lib.nn.Linear(8, 1))
    (model(lib.randn(16, 8)) ** 2).mean().backward()
    model[2].weight.grad = None
    return model


def test_gradient_flow_flags_vanishing_layers(lib: ModuleType) -> None:
    model = deep(lib)
    flow = viz.grad_flow(model)
    by_name = {layer.name: layer for layer in flow.layers}
    assert [layer.name for layer in flow.layers] == [name for name, _ in model.named_parameters()]
    assert by_name["0.weight"].flag == "vanishing"
    assert by_name["2.weight"].flag == "missing"
    assert by_name["12.weight"].flag == ""
    gradient = model[12].weight.grad
    assert by_name["12.weight"].mean == pytest.approx(gradient.abs().mean().item())
    assert by_name["12.weight"].largest == pytest.approx(gradient.abs().max().item())
    lines = flow.text.splitlines()
    assert lines[0] == "gradient by layer"
    assert re.fullmatch(r"  0\.weight   \[8, 8\]   \d\.\de-\d\d .* 0%  vanishing", lines[2])
    assert re.fullmatch(r"  2\.weight   \[8, 8\] +- +- +-  None", lines[4])


def flow(T: Any) -> str:
    return viz.grad_flow(deep(T)).text


def test_gradient_flow_text_is_same_for_both(oracle: ModuleType) -> None:
    assert alike(flow(mg), answer(oracle, flow))


def test_flags(lib: ModuleType) -> None:
    def parameter(*gradient: float) -> Any:
        tensor = lib.zeros(len(gradient), requires_grad=True)
        tensor.grad = lib.tensor(list(gradient))
        return tensor

    flow = viz.grad_flow(
        {
            "plain": parameter(1.0, -3.0, 0.0, 0.0),
            "zero": parameter(0.0, 0.0),
            "vanishing": parameter(1e-6, 1e-6),
            "exploding": parameter(1e4, 0.0),
            "broken": parameter(math.nan, 1.0),
            "missing": lib.ones(2, requires_grad=True),
        }
    )
    flags = [layer.flag for layer in flow.layers]
    assert flags == ["vanishing", "zero", "vanishing", "exploding", "not_finite", "missing"]
    plain = flow.layers[0]
    assert (plain.mean, plain.largest, plain.zeros) == (1.0, 3.0, 0.5)
    for word in ("all zero", "vanishing", "exploding", "not finite", "None"):
        assert word in flow.svg and word in flow.text


def test_layer_vanishes_relative_to_largest() -> None:
    def layer(mean: float) -> Layer:
        return Layer("w", (2,), mean, mean, 0.0, "")

    assert [x.flag for x in flagged([layer(1e-9), layer(2e-9)])] == ["", ""]
    assert [x.flag for x in flagged([layer(1e-9), layer(2e-3)])] == ["vanishing", ""]


@pytest.mark.parametrize("bad", [3, [1.0], "model"])
def test_gradient_flow_of_no_model(bad: Any) -> None:
    with pytest.raises(TypeError, match="needs a module or a dict of name to tensor"):
        viz.grad_flow(bad)


def test_gradient_flow_without_parameters() -> None:
    with pytest.raises(ValueError, match="no parameter that requires grad"):
        viz.grad_flow({"x": mg.ones(2)})
    with pytest.raises(TypeError, match="'x' is a float"):
        viz.grad_flow({"x": 1.0})


def test_loss_curve_marks_all_values_or_none() -> None:
    few, many = (viz.loss_curve([1.0] * count).figure.axes[0] for count in (20, 60))
    assert few.lines[0].get_marker() not in ("", "None")
    assert many.lines[0].get_marker() in ("", "None")
    assert few.get_xlabel() == ""
    assert viz.loss_curve([1.0], x="epoch").figure.axes[0].get_xlabel() == "epoch"


def test_loss_curve(lib: ModuleType) -> None:
    plot = viz.loss_curve(training=[lib.tensor(2.0), 1.0, 0.5], testing=[2.0, 1.5])
    assert plot.text.splitlines() == [
        "training  3 values, from 2 to 0.5, lowest 0.5 at 3",
        "testing   2 values, from 2 to 1.5, lowest 1.5 at 2",
    ]
    (place,) = plot.figure.axes
    assert [line.get_ydata().tolist() for line in place.lines] == [[2, 1, 0.5], [2, 1.5]]
    assert len({(line.get_linestyle(), line.get_marker()) for line in place.lines}) == 2


def test_non_finite_loss_is_reported() -> None:
    plot = viz.loss_curve([1.0, 0.25, math.nan, math.inf], start=0)
    assert plot.text == (
        "loss  4 values, from 1 to inf, lowest 0.25 at 1; 2 not finite, the first at 2"
    )
    assert "nan" not in plot.svg


def test_wrong_losses() -> None:
    with pytest.raises(ValueError, match="at least one loss"):
        viz.loss_curve()
    with pytest.raises(ValueError, match="at least one loss"):
        viz.loss_curve([])
    with pytest.raises(TypeError, match="'loss' holds a str"):
        viz.loss_curve(["high"])
    with pytest.raises(TypeError, match=r"'test' holds a tensor of shape \[2\]"):
        viz.loss_curve(test=[mg.ones(2)])


def test_derivatives(lib: ModuleType) -> None:
    plot = viz.derivatives(lib.sin, -math.pi, math.pi, order=2)
    assert plot.text.splitlines() == [
        "x         -3.142  -1.571       0   1.571   3.142",
        "sin(x)         0      -1       0       1       0",
        "sin'(x)       -1       0       1       0      -1",
        "sin''(x)       0       1       0      -1       0",
    ]
    xs = plot.figure.axes[0].lines[0].get_xdata()
    for line, exact in zip(
        plot.figure.axes[0].lines, (math.sin, math.cos, lambda x: -math.sin(x)), strict=True
    ):
        assert line.get_ydata().tolist() == pytest.approx([exact(x) for x in xs], abs=1e-5)


def test_higher_derivatives_may_be_zero(lib: ModuleType) -> None:
    plot = viz.derivatives(lambda x: x * 3, 0, 1, order=2, library=lib)
    assert plot.text.splitlines()[1:] == [
        "f(x)       0  0.75   1.5  2.25     3",
        "f'(x)      3     3     3     3     3",
        "f''(x)     0     0     0     0     0",
    ]


def test_derivatives_of_unreadable_values(pytorch: Any) -> None:
    with pytest.raises(ValueError, match=r"the function returned cannot be read, .* meta"):
        viz.derivatives(lambda x: x.to("meta"), 0, 1, library=pytorch)


def test_wrong_derivatives() -> None:
    with pytest.raises(ValueError, match="low < high"):
        viz.derivatives(mg.sin, 1, 1)
    with pytest.raises(ValueError, match="order must not be negative"):
        viz.derivatives(mg.sin, 0, 1, order=-1)
    with pytest.raises(ValueError, match=r"from \[201\] it made \[\]"):
        viz.derivatives(lambda x: x.sum(), 0, 1)


def test_picture_has_both_themes() -> None:
    one, two = (viz.loss_curve(a=[3, 2, 1], b=[3, 3, 3]) for _ in range(2))
    assert one.svg == two.svg
    ET.fromstring(one.svg)
    assert "prefers-color-scheme:dark" in one.svg
    drawn = one.svg[one.svg.index("</style>") :]
    for light, dark in _dark_of().items():
        assert light not in drawn and dark not in drawn  # only variables are
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", drawn)  # nothing is fetched


def test_coordinates_are_rounded() -> None:
    losses = [3, 2.123456789, 1.3]
    plot, close = (viz.loss_curve([x + change for x in losses]) for change in (0, 1e-5))
    assert plot.svg == close.svg
    assert plot.svg != viz.loss_curve([x + 0.05 * x for x in losses]).svg
    places = re.findall(r' (?:d|points|transform|width|x|y)="([^"]*)"', plot.svg)
    assert len(places) > 20 and not re.search(r"\.\d\d", " ".join(places))


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, two: str) -> float:
    high, low = sorted((luminance(one), luminance(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("place", [0, 1], ids=["light", "dark"])
def test_lines_and_text_have_contrast(place: int) -> None:
    paper = ("#ffffff", "#111111")[place]
    for light, dark in _dark_of().items():
        colour = (light, dark)[place]
        if light in (LIGHT.text, LIGHT.muted, LIGHT.lost):
            assert contrast(colour, paper) >= 4.5, colour  # words
        elif light not in (PALE[0],) and light != "#d7dce6":
            assert contrast(colour, paper) >= 3, colour  # lines
    assert DARK.text == _dark_of()[LIGHT.text]


def test_saving(tmp_path: Path) -> None:
    plot = viz.loss_curve([3, 2, 1])
    assert plot.save(tmp_path / "a.svg").read_text(encoding="utf-8") == plot.svg
    assert plot.save(tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_a_notebook_shows_image_and_text() -> None:
    with speaking("zh"):
        plot = viz.loss_curve([3, 2, 1])
    bundle = plot._repr_mimebundle_()
    assert bundle["text/plain"] == "损失  3 个值，从 3 到 1，最低 1，在第 3 处"
    assert '<img alt="损失' in bundle["text/html"]


def test_the_style_is_left_as_it_was() -> None:
    import matplotlib
    import matplotlib.pyplot as plt

    before, figures = dict(matplotlib.rcParams), plt.get_fignums()
    with viz.plot_style() as styled:
        assert styled is plt and matplotlib.rcParams["axes.labelcolor"] == LIGHT.text
        plt.close(plt.subplots()[0])
    viz.loss_curve([1.0])
    assert dict(matplotlib.rcParams) == before
    assert plt.get_fignums() == figures


def test_hostile_names_are_text(tmp_path: Path) -> None:
    evil = "</svg><script>alert(1)</script>$\\frac{1$\u202e"
    w = mg.ones(2, requires_grad=True)
    (w * w).sum().backward()
    for plot in (viz.grad_flow({evil: w}), viz.loss_curve([1, 2], **{evil: [2, 1]}, x=evil)):
        assert "<script" not in plot.svg and "<script" not in plot.html
        assert "\u202e" not in plot.svg + plot.text + plot.html
        ET.fromstring(plot.svg)
        plot.save(tmp_path / "plot.png")


def test_matplotlib_is_imported_on_use() -> None:
    program = "import minigrad_viz, sys; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize(
    ("largest", "other", "flags"),
    [
        (100.0, 0.1, ["", ""]),
        (100.5, 0.2, ["exploding", ""]),
        (-100.5, 0.2, ["exploding", ""]),
        (100.0, 0.099, ["", "vanishing"]),
        (1.0, 0.0, ["", "zero"]),
        (math.inf, 1.0, ["not_finite", ""]),
    ],
)
def test_from_where_on_a_gradient_is_flagged(
    lib: ModuleType, largest: float, other: float, flags: list[str]
) -> None:
    leaves = {name: lib.zeros(1, requires_grad=True) for name in "ab"}
    for leaf, number in zip(leaves.values(), (largest, other), strict=True):
        leaf.grad = lib.tensor([number])
    assert [layer.flag for layer in viz.grad_flow(leaves).layers] == flags
