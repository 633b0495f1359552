"""Plots that were looked at and found right stay as they are.

The calls of matplotlib are stored (tests/viz/looks.py), not its drawings: lines, bars and words
with their places, colours and kinds, which are the same in all its versions. Of the curve next to
the sliders the SVG is stored, which the visualizer draws itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.picture.theme import style_sheet
from minigrad_viz.plots.function_curve import Point, curve
from minigrad_viz.plots.grad_flow import Layer, flow_of

import minigrad as mg
from tests.speaking import speaking
from tests.viz.looks import recall


def artists(figure: Any) -> list[str]:
    """Return the content of a figure."""
    told = [f"figure {rounded(figure.get_size_inches())}", *map(text_of, figure.texts)]
    for legend in figure.legends:
        told += legend_of(legend)
    for place in figure.axes:
        told.append(f"axes {place.get_xscale()} {place.get_yscale()}")
        told.append(f"limits {rounded([*place.get_xlim(), *place.get_ylim()])}")
        told += [f"ticks {rounded(place.get_yticks())}", place.get_xlabel(), place.get_ylabel()]
        told += [text.get_text() for text in place.get_yticklabels()]
        grids = [
            any(line.get_visible() for line in at.get_gridlines())
            for at in (place.xaxis, place.yaxis)
        ]
        told.append(f"grid {grids}")
        told += [place.get_title(loc) for loc in ("left", "right")]
        told += [text_of(text) for text in place.texts]
        for line in place.lines:
            at = f"{rounded(line.get_xdata())} {rounded(line.get_ydata())}"
            look = f"{line.get_color()} {line.get_linestyle()} {line.get_marker()}"
            about = f"{line.get_markevery()} {line.get_linewidth()} {line.get_markersize()}"
            told.append(f"line {at} {look} {about}")
        for patch in place.patches:
            at = rounded(patch.get_extents().transformed(place.transData.inverted()).extents)
            about = f"{patch.get_hatch()} {patch.get_linewidth()} {patch.get_alpha()}"
            told.append(f"patch {at} {colour(patch)} {about} {patch.get_fill()}")
        if place.get_legend() is not None:
            told += legend_of(place.get_legend())
    return told


def legend_of(legend: Any) -> list[str]:
    return [f"legend {legend._ncols}", *(text.get_text() for text in legend.get_texts())]


def text_of(text: Any) -> str:
    at = [*text.get_position(), text.get_fontsize()]
    look = f"{text.get_color()} {text.get_fontweight()} {text.get_ha()} {text.get_va()}"
    return f"text {text.get_text()!r} {rounded(at)} {look} {rounded(getattr(text, 'xy', ()))}"


def colour(patch: Any) -> str:
    return f"{rounded(patch.get_facecolor())} {rounded(patch.get_edgecolor())}"


def rounded(numbers: Any) -> str:
    return " ".join(f"{float(each):.3g}" for each in numbers).replace("-0 ", "0 ")


# --- The plots


def layers() -> Any:
    given = [
        Layer("first", (2, 3), 0.5, 3.0, 0.25, ""),
        Layer("far $away", (3,), 1e-5, 2e-5, 0.0, "vanishing"),
        Layer("无", (), math.nan, math.nan, math.nan, "missing"),
        Layer("wild", (1,), 40.0, 500.0, 0.0, "exploding"),
        Layer("nothing", (1,), 0.0, 0.0, 1.0, "zero"),
        Layer("lost", (1,), math.nan, math.inf, 0.0, "not_finite"),
    ]
    return [artists(flow_of(given, language).figure) for language in ("en", "zh")]


def layers_without_a_number() -> Any:
    given = [Layer("none", (), math.nan, math.nan, math.nan, "missing")]
    return artists(flow_of(given, "en").figure)


def losses() -> Any:
    falling = [1.0 / (1 + step) for step in range(50)]
    plots = [
        viz.loss_curve([3.0, 1.0, 2.0]),
        viz.loss_curve(falling, falling[:5], log=True, x="step", start=0),
    ]
    with speaking("zh"):
        plots.append(viz.loss_curve([-1.0, math.nan, 2.0], test=[4.0]))
    return [[*artists(plot.figure), plot.text] for plot in plots]


def slopes() -> Any:
    plot = viz.derivatives(lambda x: x * x * x, -2, 2, order=5)
    figure = plot.figure
    for line in figure.axes[0].lines:
        line.set_data(line.get_xdata()[::40], line.get_ydata()[::40])
    return [*artists(figure), plot.text]


def kept_memory() -> Any:
    weight = mg.ones(8, 16, requires_grad=True)

    def program() -> None:
        x = mg.ones(4, 8)
        h = (x @ weight).relu()
        loss = (h * h).exp().sum()
        loss.backward(retain_graph=True)
        (loss + h.sum()).backward()

    def again() -> None:
        mg.utils.checkpoint.checkpoint(
            lambda w: w.exp().sin(), weight, use_reentrant=False
        ).sum().backward()

    plot = viz.memory(program)
    graph = (mg.ones(3) * weight.sum()).sin()
    with speaking("zh"):
        chinese = viz.memory(graph)
    return [artists(plot.figure), artists(chinese.figure), artists(viz.memory(again).figure)]


def much_memory() -> Any:
    x = mg.ones(4, requires_grad=True)

    def program() -> Any:
        y = x
        for place in range(30):
            y = y.exp() if place else y[:3].exp()
        return y

    plot = viz.memory(program)
    return [*artists(plot.figure), plot.text]


def curves() -> Any:
    parabola = [Point(x / 4, x * x / 16, x / 2) for x in range(-8, 9)]
    broken = [Point(0.0, math.nan, math.nan), Point(1.0, 2.0, 1.0), Point(2.0, 3.0, 1.0)]
    broken += [Point(3.0, 1e9, math.inf), Point(4.0, -5.0, 0.5), Point(5.0, -4.5, 0.5)]
    flat = [Point(0.0, 0.0, 0.0), Point(1.0, 0.0, 0.0)]
    long = "the_distance_that_is_left_to_go"
    drawn = [
        curve(parabola, parabola[10], name="x", function="f"),
        curve(broken, broken[0], name="momentum", function="loss_of_it"),
        curve(flat, flat[1], name="学习率", function=long),
        curve(parabola, parabola[5], name="the_weight", function="loss_of_it"),
        curve(parabola, parabola[0], name=long * 2, function=long * 2),
        curve([p._replace(y=p.y * 1e-7) for p in flat], flat[0], name="<x>", function="momentum"),
    ]
    return [each.replace(style_sheet(), "") for each in drawn]


def modes() -> Any:
    """Sums of one, two, three and more parts at a cut."""

    def f(x: Any) -> Any:
        return (x * 1 + x * 2 + x * 3 + x * 4 + x * -5).sum()

    x, w = mg.tensor([[1.0, 2.0]]), mg.tensor([3.0, -1.0])
    told = [viz.forward_and_backward(f, mg.tensor([1.0]))]
    told.append(viz.forward_and_backward(lambda x, w: (x * w).detach() * w, x[0, :1], w[:1]))
    told.append(viz.forward_and_backward(lambda x, w: (x * w).sum(), x, w, tangents=[None, w]))
    return [both.text for both in told]


MADE = (layers, layers_without_a_number, losses, slopes, modes, kept_memory, much_memory, curves)


@pytest.mark.parametrize("make", MADE, ids=lambda make: make.__name__)
def test_plots_equal_stored_ones(make: Callable[[], Any]) -> None:
    assert make() == recall(__file__, make.__name__, make)
