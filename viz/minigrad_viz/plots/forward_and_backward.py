"""forward_and_backward(f, x): forward mode and the backward pass of one program, in one picture.

The program runs once in forward mode, which gives every value a tangent. Then its backward pass
gives every value a gradient. In the picture each node shows both. A line between two layers shows
the sum of tangent times gradient over the edges that cross it: at every line the same number, the
derivative. Forward mode reaches it at the top, the backward pass at the bottom.
"""

from __future__ import annotations

import dataclasses
import html
import inspect
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any

import numpy as np

import minigrad
from minigrad.autograd.events import Value

from ..model.draws import draws_put_back
from ..model.either_library import AnyTensor, GivenNames, is_pytorch, outside_modes
from ..model.graph_model import GraphModel, Node
from ..model.names import given_names, is_tensor
from ..model.readable import check_callable, check_tensor, is_any, short_repr
from ..model.values import has_numbers, shape_of, value_of
from ..passes.balance import Balance, Cut, Place, Question, balance
from ..picture.graphviz import LayoutError, NoGraphviz, check_layout
from ..picture.image import IMAGES, image
from ..picture.levels import levels
from ..picture.placement import TooLarge
from ..picture.saving import Saved
from ..texts.language import Language, current_language
from ..texts.numerals import number_text, shape_text, value_data, value_text
from ..texts.printable import columns, printable
from ..texts.sentences import filled

MOST_TERMS = 4
"""Parts of a sum that are written next to it."""

MOST_ROWS = 300
"""Lines of each table that a notebook shows."""

STYLE = """<style>
.mg-both { color-scheme: light dark }
.mg-both table { border-collapse: collapse; margin: 0.8em 0; background: none; font-size: 1em }
.mg-both.mg-both :is(th, td) { text-align: right; padding: 0.3em 0 0.3em 1.6em; border: 0;
  border-top: 1px solid #8886; background: none; font-weight: normal;
  font-variant-numeric: tabular-nums }
.mg-both.mg-both thead th { border-top: 0; opacity: 0.75 }
.mg-both.mg-both :is(th, td):first-child { text-align: left; padding-left: 0 }
</style>"""


@dataclasses.dataclass(frozen=True, slots=True)
class Marked(Node):
    """A node with its value, its tangent and its gradient below its name."""

    rows: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        return (f"{self.variable} = {self.name}" if self.variable else self.name, *self.rows)


class ForwardAndBackward(Saved):
    """The two modes of a program: a picture with a table in a notebook, elsewhere its text.

    `derivative` is what every cut gives; `balance` has all the numbers: its `places` (a node with
    its tangent, gradient and their product each), its `cuts`, and what either mode takes for the
    whole derivative (`forward`, `reverse`).
    """

    def __init__(
        self, balance: Balance, moving: dict[str, Value], language: Language, layout: str | None
    ) -> None:
        self.balance = balance
        self.nodes = {node.id: node for node in balance.model.nodes}
        self.moving = moving
        self.language = language
        self.layout = layout

    @property
    def derivative(self) -> float | None:
        """How fast the result moves; None where no tangent came there that could be seen."""
        return self.balance.derivative

    # --- In words

    def say(self, key: str, **parts: object) -> str:
        return filled(self.language, "forward_and_backward", key, parts)

    @property
    def sentences(self) -> list[str]:
        """Return sentences on the inputs, the cuts, the nodes that differ, and the cheaper mode."""
        found, comma = self.balance, self.say("comma")
        said = [
            self.say(
                "moves",
                inputs=comma.join(self.moved(*each) for each in self.moving.items()),
                result=found.model.root.name,
                derivative=self.number(found.derivative),
            )
        ]
        if found.parted:
            said.append(self.say("parted", nodes=comma.join(map(self.name_of, found.parted))))
        elif all(cut.total is not None and math.isfinite(cut.total) for cut in found.cuts):
            said.append(
                self.say("same", count=len(found.cuts), derivative=self.number(found.derivative))
            )
        if found.unseen:
            said.append(self.say("unseen", nodes=comma.join(map(self.name_of, found.unseen))))
        said.append(
            self.say(
                "passes",
                inputs=f"{found.inputs:,}",
                outputs=f"{found.outputs:,}",
                reverse=f"{found.reverse.passes:,}",
                reverse_operations=f"{found.reverse.operations:,}",
                forward=f"{found.forward.passes:,}",
                forward_operations=f"{found.forward.operations:,}",
            )
        )
        less = found.forward.operations - found.reverse.operations
        said.append(self.say("reverse" if less > 0 else "forward" if less < 0 else "equal"))
        return [printable(sentence) for sentence in said]

    def moved(self, name: str, tangent: Value) -> str:
        """How an input moves: along a direction, or one element of it at some speed."""
        data = tangent.data
        if data is None or np.count_nonzero(data) != 1:
            return self.say("along", name=name, tangent=self.value(tangent))
        (place,) = np.argwhere(data).tolist()
        element = f"{name}{place}" if place else name
        return self.say("at_speed", name=element, speed=number_text(data[tuple(place)].item()))

    def marked(self, node: Node, rows: tuple[str, ...] = ()) -> Marked:
        """The node with `rows` below its name. What made the result is not called by its name
        again."""
        fields = {field.name: getattr(node, field.name) for field in dataclasses.fields(Node)}
        if node.kind != "function" or node.variable == self.balance.model.root.name:
            fields["variable"] = None
        return Marked(**fields, rows=rows)

    def name_of(self, node: str) -> str:
        return printable(self.marked(self.nodes[node]).lines[0])

    def value(self, *values: Value | None) -> str:
        """Tensors in a few characters; several are the results of one operation."""
        texts = []
        for each in values:
            if each is None:
                texts.append("?")
                continue
            data = value_data(each)
            cells = data.get("data") or []
            single = len(cells) == 1
            texts.append(number_text(cells[0]) if single else value_text(data, self.language))
        return self.say("comma").join(texts)

    def row(self, place: Place) -> tuple[str, str, str, str]:
        """Value, tangent, gradient and their product."""
        unknown = place.node.id in self.balance.unseen
        still = "?" if unknown else "0"
        return (
            self.value(*place.values),
            still if not any(place.tangents) else self.some(place.tangents, "0"),
            self.some(place.gradients, self.say("none")),
            self.number(place.product),
        )

    def number(self, number: float | None) -> str:
        """A sum in four digits, or fewer: what is smaller than its rounding is noise."""
        if number is None:
            return "?"
        noise = self.balance.rounding
        if noise and math.isfinite(number):
            number = round(number, -math.floor(math.log10(noise)) - 1)
        return number_text(float(f"{number:.4g}"))

    def some(self, values: Sequence[Value | None], without: str) -> str:
        comma = self.say("comma")
        return comma.join(without if each is None else self.value(each) for each in values)

    def sum_of(self, cut: Cut) -> str:
        """Return the sum of the terms that cross a cut, as text."""
        if cut.total is None:
            return "?"
        parts = [term.product for term in cut.terms if term.product is not None]
        total = self.number(cut.total)
        if len(parts) < 2:
            return total
        if len(parts) > MOST_TERMS:
            return self.say("of_many", total=total, count=len(parts))
        first, *rest = parts
        added = (f" {'-' if part < 0 else '+'} {self.number(abs(part))}" for part in rest)
        return f"{total} = {self.number(first)}{''.join(added)}"

    def crossing(self, cut: Cut) -> str:
        """Into which nodes the edges go that a cut crosses."""
        targets = (self.marked(self.nodes[term.target]) for term in cut.terms[:MOST_TERMS])
        names = [printable(node.variable or node.name) for node in targets]
        more = [] if len(cut.terms) <= MOST_TERMS else ["..."]
        return self.say("comma").join(names + more)

    def rows(self) -> Iterator[tuple[str, str, str, str, str]]:
        for place in self.balance.places:
            yield self.name_of(place.node.id), *self.row(place)

    def cuts(self) -> Iterator[tuple[str, str, str]]:
        for number, cut in enumerate(self.balance.cuts, start=1):
            yield self.say("cut", number=number), self.sum_of(cut), self.crossing(cut)

    @property
    def head(self) -> tuple[str, str, str, str, str]:
        return (
            self.say("node"),
            self.say("value"),
            self.say("tangent"),
            self.say("gradient"),
            self.say("product"),
        )

    @property
    def cut_head(self) -> tuple[str, str, str]:
        return (self.say("cuts"), self.say("sum"), self.say("crosses"))

    @property
    def text(self) -> str:
        """All of it as text."""
        return self.format_text(len(self.balance.places))

    def format_text(self, most: int) -> str:
        """Return the tables, with at most `most` lines each, and the sentences."""
        places = [self.head, *_beginning(self.rows(), most)]
        cuts = [self.cut_head, *_beginning(self.cuts(), most)]
        tables = ["\n".join(_aligned(table)) for table in (places, cuts)]
        return "\n\n".join([*tables, "\n".join(self.sentences)])

    def __repr__(self) -> str:
        return self.format_text(MOST_ROWS)

    # --- As a picture

    @property
    def svg(self) -> str:
        """The graph with its cuts, as the text of an SVG element. NoGraphviz if there is no
        Graphviz."""
        found = self.balance
        nodes, still = [], set()
        for place in found.places:
            value, tangent, gradient, _ = self.row(place)
            rows = [self.say("row_value", value=value)] if place.values != (None,) else []
            rows += [self.say("row_tangent", tangent=tangent)]
            rows += [self.say("row_gradient", gradient=gradient)]
            nodes.append(self.marked(place.node, tuple(rows)))
            if not any(place.tangents) and place.node.id not in found.unseen:
                still.add(place.node.id)
        moving = {(t.source, t.target) for cut in found.cuts for t in cut.terms}
        still |= {e.id for e in found.model.edges if (e.source, e.target) not in moving}
        return levels(
            GraphModel(tuple(nodes), found.model.edges),
            {place.node.id: place.layer for place in found.places},
            [self.say("line", number=n, sum=self.sum_of(c)) for n, c in enumerate(found.cuts, 1)],
            still=still,
            layout=self.layout,
        )

    @property
    def html(self) -> str:
        """The picture, if there can be one, and the tables below it."""
        said = "".join(f"<p>{html.escape(sentence)}</p>" for sentence in self.sentences)
        try:
            drawn = image(self.svg, self.sentences[0])
        except (NoGraphviz, ImportError, TooLarge, LayoutError):
            drawn = ""
        return (
            f'<div class="mg-both mg-image">{drawn}{said}{_table(self.head, self.rows())}'
            f"{_table(self.cut_head, self.cuts())}{IMAGES}{STYLE}</div>"
        )

    def _repr_html_(self) -> str:
        return self.html

    @property
    def _page_title(self) -> str:
        return str(self.sentences[0])


def forward_and_backward(
    function: Callable[..., AnyTensor],
    /,
    *inputs: Any,
    tangents: AnyTensor | Sequence[AnyTensor | None] | None = None,
    gradient: AnyTensor | None = None,
    names: GivenNames | None = None,
    layout: str | None = None,
) -> ForwardAndBackward:
    """Run `function(*inputs)` in forward mode, and its backward pass, and show both in one graph.

    inputs    tensors of minigrad or PyTorch: those of floating-point numbers are what is
              differentiated by, and nothing else is. The function gets copies of tensors
    tangents  the direction in which the first of these moves, or a list with one for each argument,
              None for what stays; without it, the first element of the first moves at speed 1
    gradient  where the backward pass begins; needed if the result has not one element
    names     for what else is in the graph: a dict of name to tensor, or a module; without it, the
              names of the caller's variables
    layout    what places the nodes: "pygraphviz", "dot" or, in a browser, "viz.js"

    In each node: its value, its tangent (how fast it moves) and its gradient (how fast the result
    moves with it). Tangent times gradient, added up over what a cut through the graph crosses, is
    the same for every cut: the derivative of the result along the direction. Where it is not, it is
    said at which node the two modes part. Also counted is what either mode takes for the whole
    derivative: forward mode a pass for each number that goes in, reverse mode one for each that
    comes out.

    No `.grad` is written, and random generators are put back. What the function raises is raised:
    also where an operation, or a Function without `jvp`, has no forward mode.

    >>> import minigrad as mg, minigrad_viz as viz
    >>> def f(x, w):
    ...     return (x * w).sum()
    >>> both = viz.forward_and_backward(f, mg.tensor([1.0, 2.0]), mg.tensor([3.0, 4.0]))
    >>> both.derivative, both.balance.forward.passes, both.balance.reverse.passes
    (3.0, 4, 1)
    """
    check_layout(layout)
    language = current_language()
    check_callable(
        function, "forward_and_backward", *[f"x{n}" for n, _ in enumerate(inputs, start=1)]
    )
    library = _library(inputs)
    called = _names(function, len(inputs))
    arguments = dict(zip(called, inputs, strict=True))
    floating = [n for n, each in enumerate(inputs) if is_tensor(each) and each.is_floating_point()]
    if not floating:
        raise TypeError(
            "forward_and_backward() needs a tensor of floating-point numbers that can move"
        )
    moving = _tangents(tangents, inputs, floating)
    name = str(getattr(function, "__name__", ""))
    with outside_modes():
        others = {n: tensor for tensor, n in given_names(names, sys._getframe(1)).items()}

    def check(result: Any) -> None:
        if not is_tensor(result):
            raise TypeError(
                "forward_and_backward() needs a function that returns a tensor, and got a "
                f"{type(result).__name__}"
            )
        check_tensor(result, "forward_and_backward", computing=True)
        if gradient is None and result.numel() != 1:
            raise ValueError(
                f"forward_and_backward() needs a gradient for a result of the shape "
                f"{shape_text(shape_of(result))}: one number for each element, where the "
                "backward pass begins"
            )
        if not has_numbers(result):
            raise ValueError("forward_and_backward() needs a result whose numbers can be read")

    with draws_put_back():
        found = balance(
            Question(function, arguments, moving, gradient, library),
            others=others,
            name=name if name.isidentifier() else "f",
            check=check,
            language=language,
        )
    shown = {called[n]: value_of(tangent) for n, tangent in moving.items()}
    return ForwardAndBackward(found, shown, language, layout)


def _library(inputs: Sequence[Any]) -> ModuleType:
    """The library of the inputs."""
    tensors = [each for each in inputs if is_tensor(each)]
    for each in tensors:
        check_tensor(each, "forward_and_backward", computing=True)
    if len({is_pytorch(each) for each in tensors}) > 1:
        raise TypeError("forward_and_backward() needs tensors of one library, not of both")
    return sys.modules["torch"] if tensors and is_pytorch(tensors[0]) else minigrad


def _names(function: Callable[..., Any], count: int) -> list[str]:
    """Return the names of the function's parameters, or x1, x2, ... where it has none."""
    try:
        asked = getattr(function, "forward", function)  # of a module
        parameters = list(inspect.signature(asked).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    known = [
        each.name
        for each in parameters
        if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)
    ]
    return [known[n] if n < len(known) else f"x{n + 1}" for n in range(count)]


def _tangents(given: object, inputs: Sequence[Any], floating: list[int]) -> dict[int, Any]:
    """A tangent for each argument that moves, by its place."""
    first = inputs[floating[0]]
    if given is None:
        start = first.detach().clone()
        start.zero_()
        if not start.numel():
            raise ValueError("forward_and_backward() cannot move an input that has no element")
        start.reshape(-1)[0] = 1
        return {floating[0]: start}
    if is_tensor(given):
        listed: list[Any] = [None] * len(inputs)
        listed[floating[0]] = given
    elif is_any(given, list, tuple):
        listed = list(given)  # type: ignore[call-overload]
    else:
        raise TypeError(
            "forward_and_backward() needs a tensor, or a list of them, as tangents, not "
            f"{short_repr(given)}"
        )
    if len(listed) != len(inputs):
        raise ValueError(
            f"forward_and_backward() got {len(inputs)} inputs and {len(listed)} tangents"
        )
    moving = {place: each for place, each in enumerate(listed) if each is not None}
    for place, each in moving.items():
        if not is_tensor(each) or place not in floating:
            raise TypeError(
                "forward_and_backward() needs tangents that are tensors, for inputs of "
                f"floating-point numbers: not {short_repr(each)}"
            )
        if shape_of(each) != shape_of(inputs[place]):
            raise ValueError(
                f"forward_and_backward() needs a tangent of the shape of its input, "
                f"{list(shape_of(inputs[place]))}, not {list(shape_of(each))}"
            )
    if not moving:
        raise ValueError("forward_and_backward() needs at least one tangent that is not None")
    return moving


def _aligned(table: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows of text in columns."""
    widths = [max(map(columns, column)) for column in zip(*table, strict=True)]
    for row in table:
        cells = (
            text + " " * (width - columns(text)) for text, width in zip(row, widths, strict=True)
        )
        yield "  ".join(cells).rstrip()


def _beginning(rows: Iterable[Sequence[str]], most: int) -> Iterator[Sequence[str]]:
    """The rows, or the first of them and dots where there are more."""
    for number, row in enumerate(rows):
        if number == most:
            yield ["..." for _ in row]
            return
        yield row


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of HTML, with as many rows as anybody reads."""
    heads = "".join(f"<th>{html.escape(each)}</th>" for each in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(each)}</td>" for each in row) + "</tr>"
        for row in _beginning(rows, MOST_ROWS)
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
