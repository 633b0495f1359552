"""loss_curve(...): plot one or several losses over time, and describe them in a line each."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, SupportsFloat

from ..model.either_library import outside_modes
from ..model.names import is_tensor
from ..model.readable import check_tensor, is_any, short_repr
from ..model.values import has_numbers, shape_of
from ..texts.language import current_language
from ..texts.numerals import shape_text
from ..texts.printable import columns, printable
from ..texts.sentences import sentences
from .themed_plot import Plot, figure, literal, plot_style

MARKED = 20
"""The most values that are marked each: more markers would cover the line."""


def loss_curve(
    *losses: Iterable[SupportsFloat],
    log: bool = False,
    x: str | None = None,
    start: int = 1,
    **named: Iterable[SupportsFloat],
) -> Plot:
    """Losses over time: `loss_curve(losses)`, or with names `loss_curve(training=a, testing=b)`.

    losses    numbers or tensors of a single number; several series may differ in length
    log       use a logarithmic scale
    x         the label of the horizontal axis ("epoch", "step"), which begins at `start`; none by
              default

    Raises:
        TypeError: a loss is not a number.
        ValueError: there is no series, or a series is empty.

    >>> import minigrad_viz as viz
    >>> viz.loss_curve(training=[2.0, 0.5, 0.25])
    training  3 values, from 2 to 0.25, lowest 0.25 at 3
    """
    language = current_language()
    if not (x is None or is_any(x, str)) or not is_any(start, int):
        raise TypeError(
            f"loss_curve() needs a name for x and a whole number to start at, not {short_repr(x)} "
            f"and {short_repr(start)}"
        )
    words = sentences(language, "loss_curve")
    unnamed = (
        [words["loss"]]
        if len(losses) == 1
        else [f"{words['loss']} {i + 1}" for i in range(len(losses))]
    )
    series = dict(zip(unnamed, losses, strict=True)) | named
    numbers = {name: _numbers(name, values) for name, values in series.items()}
    if not numbers or not all(numbers.values()):
        raise ValueError("loss_curve() needs at least one loss in every series")

    width = max(columns(printable(name)) for name in numbers)
    lines = []
    for name, values in numbers.items():
        padded = printable(name) + " " * (width - columns(printable(name)))
        finite = [v for v in values if math.isfinite(v)] or [math.nan]
        parts = {"first": values[0], "last": values[-1], "lowest": min(finite)}
        shown = {key: f"{number:.4g}" for key, number in parts.items()}
        at = values.index(min(finite)) + start if math.isfinite(min(finite)) else "-"
        line = words["line"].format(name=padded, count=len(values), at=at, **shown)
        bad = [i for i, v in enumerate(values) if not math.isfinite(v)]
        if bad:
            line += words["not_finite"].format(count=len(bad), at=bad[0] + start)
        lines.append(line)

    with plot_style() as plt:
        made, place = figure(plt)
        for name, values in numbers.items():
            steps = range(start, start + len(values))
            # All values have a marker, or none: one on some would seem to mean something.
            marks = {} if len(values) <= MARKED else {"marker": ""}
            place.plot(steps, values, label=literal(name), **marks)
        if log:
            place.set_yscale("log")
        else:
            place.set_ylim(bottom=min(0.0, place.get_ylim()[0]))
        if x is not None:
            place.set_xlabel(literal(x))
        place.set_ylabel(words["loss"])
        if max(map(len, numbers.values())) <= 20:
            place.xaxis.get_major_locator().set_params(integer=True)
        if len(numbers) > 1:
            place.legend()
    return Plot(made, "\n".join(lines))


def _numbers(name: str, values: Any) -> list[float]:
    try:
        found = list(values)
    except Exception:  # a tensor of a single number is iterable as well, and raises
        raise TypeError(
            f"loss_curve() needs a list of numbers, but {name!r} is a {type(values).__name__}"
        ) from None
    return [_number(name, value) for value in found]


def _number(name: str, value: Any) -> float:
    if is_tensor(value):
        check_tensor(value, "loss_curve")
        with outside_modes():
            value = _item(name, value)
    try:
        return float(b"" if is_any(value, str, bytes) else value)
    except Exception:
        raise TypeError(
            f"loss_curve() needs numbers, but {name!r} holds a {type(value).__name__}"
        ) from None


def _item(name: str, tensor: Any) -> float:
    if tensor.numel() != 1:
        raise TypeError(
            f"loss_curve() needs single numbers, but {name!r} holds a tensor of shape "
            f"{shape_text(shape_of(tensor))}"
        )
    if not has_numbers(tensor):
        raise TypeError(
            f"loss_curve() needs numbers, but {name!r} holds a tensor whose number cannot "
            f"be read, on the device {tensor.device}"
        )
    number: float = tensor.item()
    return number
