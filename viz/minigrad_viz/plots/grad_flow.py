"""grad_flow(model): how large the gradient is in each layer, and where it vanishes or explodes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ..model.either_library import AnyModule, AnyTensor, outside_modes
from ..model.names import is_tensor
from ..model.readable import check_tensor, first_line, is_any
from ..model.values import bare, dense, has_numbers, shape_of
from ..picture.palette import AMBER, BLUE, PALE
from ..picture.theme import LIGHT
from ..texts.language import Language, current_language
from ..texts.numerals import shape_text
from ..texts.printable import columns, printable
from ..texts.sentences import sentences
from .themed_plot import Plot, figure, literal, plot_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

VANISHING = 1e-3
"""A layer's mean gradient is called vanishing below this share of the largest layer's."""

EXPLODING = 100.0
"""A gradient with an element beyond this is called exploding."""


class Layer(NamedTuple):
    """The gradient of one parameter: sizes of its elements, the share of zeros, and what is wrong
    with it: "", "missing", "no_numbers" (none that could be read), "not_finite", "zero",
    "vanishing" or "exploding".
    """

    name: str
    shape: tuple[int, ...]
    mean: float
    largest: float
    zeros: float
    flag: str


class GradFlow(Plot):
    """The plot, and the numbers behind it in `layers`, from the input to the output."""

    def __init__(self, made: Figure, text: str, layers: tuple[Layer, ...]) -> None:
        super().__init__(made, text)
        self.layers = layers


def grad_flow(model: AnyModule | Mapping[str, AnyTensor]) -> GradFlow:
    """The size of the gradient in every parameter of `model`, as a plot and as text.

    `model` is a module of minigrad or PyTorch, or a dict of name to tensor; call this after
    `backward()`. A gradient is flagged as vanishing where its mean size is less than a thousandth
    of the largest layer's, as exploding where an element is beyond 100, and where it is None, zero
    everywhere or not finite. TypeError for anything else, ValueError for a model without parameters
    that require grad.

    >>> import minigrad as mg
    >>> import minigrad_viz as viz
    >>> w = mg.tensor([1.0, 0.0], requires_grad=True)
    >>> (w * w).sum().backward()
    >>> viz.grad_flow({"w": w})
    gradient by layer
      parameter       mean |g|  max |g|    zeros
      w          [2]   1.0e+00  2.0e+00      50%
    """
    language = current_language()
    parameters = _parameters(model)
    with outside_modes():
        layers = flagged([_layer(name, tensor) for name, tensor in parameters])
    return flow_of(layers, language)


def flow_of(layers: Iterable[Layer], language: Language) -> GradFlow:
    """Return layers that were measured and flagged, as a plot and as text."""
    given = tuple(layers)
    return GradFlow(_draw(given, language), _text(given, language), given)


def _parameters(model: AnyModule | Mapping[str, AnyTensor]) -> list[tuple[str, Any]]:
    a_mapping = is_any(model, Mapping)
    if a_mapping or callable(getattr(type(model), "named_parameters", None)):
        try:
            given = cast(Any, model)
            named = given.items() if a_mapping else given.named_parameters()
            pairs = [(str(name), tensor) for name, tensor in named]
        except Exception as error:
            kind = type(model).__name__
            raise TypeError(
                f"grad_flow() cannot read the parameters of this {kind}: {first_line(error)}"
            ) from None
    else:
        raise TypeError(
            f"grad_flow() needs a module or a dict of name to tensor, not a {type(model).__name__}"
        )
    for name, tensor in pairs:
        if not is_tensor(tensor):
            raise TypeError(f"grad_flow() needs tensors, but {name!r} is a {type(tensor).__name__}")
        check_tensor(tensor, "grad_flow")
    with outside_modes():
        wanted = [(name, tensor) for name, tensor in pairs if tensor.requires_grad]
    if not wanted:
        raise ValueError("grad_flow() found no parameter that requires grad")
    return wanted


def _layer(name: str, tensor: Any) -> Layer:
    shape = shape_of(tensor)
    gradient = tensor.grad if tensor.is_leaf or tensor.retains_grad else None
    if gradient is None or not has_numbers(gradient):
        flag = "missing" if gradient is None else "no_numbers"
        return Layer(name, shape, math.nan, math.nan, math.nan, flag)
    sizes = dense(bare(gradient)).abs()
    mean, largest = float(sizes.mean().item()), float(sizes.max().item())
    zeros = float((sizes == 0).sum().item()) / sizes.numel()
    flag = "" if math.isfinite(mean) else "not_finite"
    if not flag and zeros == 1:
        flag = "zero"
    elif not flag and largest > EXPLODING:
        flag = "exploding"
    return Layer(name, shape, mean, largest, zeros, flag)


def flagged(layers: list[Layer]) -> tuple[Layer, ...]:
    """Return the layers, with a flag on those that vanish compared to the largest."""
    largest = max((each.mean for each in layers if math.isfinite(each.mean)), default=0.0)
    small = VANISHING * largest
    return tuple(
        each._replace(flag="vanishing") if not each.flag and each.mean < small else each
        for each in layers
    )


def _text(layers: tuple[Layer, ...], language: Language) -> str:
    words = sentences(language, "grad_flow")
    names = [printable(each.name) for each in layers]
    shapes = [shape_text(each.shape, language) for each in layers]
    first = max(map(columns, (*names, words["layer"])))
    second = max(map(columns, shapes))
    head = f"  {_left(words['layer'], first)}  {' ' * second}"
    head += "".join(f"  {_right(words[key], 8)}" for key in ("mean", "largest", "zeros"))
    lines = [words["title"], head.rstrip()]
    for each, name, shape in zip(layers, names, shapes, strict=True):
        numbers = [f"{each.mean:.1e}", f"{each.largest:.1e}", f"{each.zeros:.0%}"]
        if each.flag in ("missing", "no_numbers"):
            numbers = ["-"] * 3
        line = f"  {_left(name, first)}  {_left(shape, second)}"
        line += "".join(f"  {_right(number, 8)}" for number in numbers)
        lines.append(f"{line}  {words[each.flag]}" if each.flag else line)
    return "\n".join(lines)


def _left(text: str, width: int) -> str:
    return text + " " * (width - columns(text))


def _right(text: str, width: int) -> str:
    return " " * (width - columns(text)) + text


def _draw(layers: tuple[Layer, ...], language: Language) -> Figure:
    words = sentences(language, "grad_flow")
    rows = list(range(len(layers)))
    with plot_style() as plt:
        made, place = figure(plt, figsize=(6.4, 1.1 + 0.32 * len(rows)))
        good, most = ([_drawable(x) for x in row] for row in _columns(layers))
        sizes = [size for size in (*good, *most) if math.isfinite(size)]
        lowest = min(sizes, default=1.0) / 10
        start = lowest / 10  # out of sight: a logarithmic scale has no zero to begin at
        bars = place.barh(
            rows,
            [size - start for size in good],
            left=start,
            color=PALE[0],
            edgecolor=BLUE[0],
            label=words["mean"],
        )
        place.plot(most, rows, "D", color=AMBER[0], linestyle="none", label=words["largest"])
        if sizes:
            place.set_xscale("log")
            place.set_xlim(lowest, max(sizes) * 3)
        made.legend(loc="outside lower right", ncols=2)
        for row, (bar, each) in enumerate(zip(bars, layers, strict=True)):
            if each.flag:  # hatched, and said in words: not told by colour alone
                bar.set_hatch("//")
                end = most[row] if math.isfinite(most[row]) else place.get_xlim()[0]
                place.annotate(
                    words[each.flag],
                    (end, row),
                    xytext=(8, 0),
                    textcoords="offset points",
                    va="center",
                    color=LIGHT.lost,
                    fontweight="bold",
                )
        place.set_yticks(rows, [literal(each.name) for each in layers])
        place.set_ylim(len(rows) - 0.4, -0.6)  # the input on top
        place.grid(axis="y", visible=False)
        place.set_title(words["title"], loc="left", fontsize=11)
    return made


def _columns(layers: tuple[Layer, ...]) -> tuple[list[float], list[float]]:
    return [each.mean for each in layers], [each.largest for each in layers]


def _drawable(size: float) -> float:
    """A logarithmic scale has no place for zero or infinity: NaN leaves a gap."""
    return size if math.isfinite(size) and size > 0 else math.nan
