"""derivatives(f, x=(-3, 3)): a function and its derivatives, found by autograd, in one plot."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

from ..model.either_library import AnyTensor
from ..model.names import is_tensor
from ..model.readable import check_callable, check_tensor, short_repr
from ..model.values import has_numbers, shape_of
from ..texts.numerals import shape_text
from .library import given_library, library_of
from .themed_plot import Plot, figure, literal, plot_style

POINTS = 201


def derivatives(
    function: Callable[[Any], AnyTensor],
    low: float,
    high: float,
    *,
    order: int = 1,
    library: ModuleType | None = None,
) -> Plot:
    """`function` and its first `order` derivatives between `low` and `high`, as a plot and as text.

    `function` takes a tensor and computes each element of its result from that element alone, as
    `torch.sin` does; each derivative is the gradient of the sum of the one before. `library` is
    minigrad or torch; without it, the one that the function uses.

    ValueError for an empty interval, a negative order, or a result of another shape.

    >>> import minigrad as mg
    >>> import minigrad_viz as viz
    >>> viz.derivatives(mg.exp, 0.0, 1.0)
    x           0   0.25    0.5   0.75      1
    exp(x)      1  1.284  1.649  2.117  2.718
    exp'(x)     1  1.284  1.649  2.117  2.718
    """
    given_library(library)
    check_callable(function, "derivatives", "x")
    for bound in (low, high):
        if not isinstance(bound, int | float):
            raise TypeError(f"derivatives() needs numbers low < high, not {short_repr(bound)}")
    if not isinstance(order, int):
        raise TypeError(f"order must be a whole number, not {short_repr(order)}")
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ValueError(f"derivatives() needs low < high, not {low!r} and {high!r}")
    if order < 0:
        raise ValueError(f"order must not be negative, but is {order}")
    lib = library or library_of(function)
    x = lib.linspace(float(low), float(high), POINTS, requires_grad=True)
    y: Any = function(x)
    if not is_tensor(y):
        raise TypeError(
            f"derivatives() needs a function that returns a tensor, and it returned a "
            f"{type(y).__name__}"
        )
    check_tensor(y, "derivatives", computing=True)
    if shape_of(y) != tuple(x.shape):
        raise ValueError(
            f"derivatives() needs a function of each element: from {list(x.shape)} it made "
            f"{shape_text(shape_of(y)) if shape_of(y) else '[]'}"
        )
    if not has_numbers(y):
        raise ValueError(
            "derivatives() needs numbers, and those that the function returned cannot be read, on "
            f"the device {y.device}"
        )
    rows = [y]
    for _ in range(order):
        last = rows[-1]
        slope = None
        if last.requires_grad:
            (slope,) = lib.autograd.grad(last.sum(), x, create_graph=True, allow_unused=True)
        rows.append(lib.zeros_like(x) if slope is None else slope)
    name = getattr(function, "__name__", "f")
    name = name if name.isidentifier() and len(name) <= 12 else "f"
    names = [
        f"{name}{chr(39) * place if place < 4 else f'^({place})'}(x)" for place in range(order + 1)
    ]
    places = [x.detach().tolist(), *(row.detach().tolist() for row in rows)]
    with plot_style() as plt:
        made, place = figure(plt)
        for label, row in zip(names, places[1:], strict=True):
            finite = [v if math.isfinite(v) else math.nan for v in row]
            place.plot(places[0], finite, label=literal(label), marker="")
        place.set_xlabel("x")
        made.legend(loc="outside upper center", ncols=min(order + 1, 5))
    return Plot(made, _table(["x", *names], places))


def _table(names: list[str], rows: list[list[float]]) -> str:
    """The rows at five places."""
    chosen_places = [round(i * (POINTS - 1) / 4) for i in range(5)]
    cells = [[_cell(row[i], row) for i in chosen_places] for row in rows]
    first = max(map(len, names))
    width = max(len(cell) for row in cells for cell in row)
    return "\n".join(
        f"{name:<{first}}  " + "  ".join(f"{cell:>{width}}" for cell in row)
        for name, row in zip(names, cells, strict=True)
    )


def _cell(number: float, row: list[float]) -> str:
    """A number in four digits; what is only the rest of a rounding is zero."""
    largest = max((abs(v) for v in row if math.isfinite(v)), default=0.0)
    return "0" if abs(number) < 1e-6 * largest else f"{number or 0.0:.4g}"
