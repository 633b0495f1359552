"""explore(f, x=(-2, 2), w=1.0): sliders on a function's inputs, and live numbers in its graph.

At every move the function runs again, its backward pass is recorded, and the numbers are written
into the graph that was laid out before; only where the function has taken another way is there a
new layout. All of it is drawn here and sent as SVG, so that the same picture is left in a saved
notebook.
"""

from __future__ import annotations

import dataclasses
import html
import itertools
import math
import re
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from minigrad.autograd.events import Event, Forward, Start, Value

from ..model.autograd_nodes import saved_tensors
from ..model.either_library import AnyTensor
from ..model.graph_model import GraphModel, Node, Walk, walk
from ..model.names import is_tensor, made_by
from ..model.optional_packages import optional
from ..model.readable import check_callable, check_tensor, is_any, refuse_own, short_repr
from ..model.values import has_numbers, shape_of, value_of
from ..passes.intermediates import Output, observe_call
from ..passes.record import record_pass
from ..picture.forward import forward_view
from ..picture.graphviz import LayoutError, NoGraphviz, check_layout
from ..picture.image import IMAGES, image
from ..picture.placement import TooLarge
from ..picture.saving import Writers, picture_only, save_as, whole_page
from ..picture.svg import SVG, styled, svg
from ..picture.theme import DARK_PAGE, LIGHT_PAGE
from ..texts.language import Language, current_language
from ..texts.numerals import number_text, shape_text, value_data, value_text
from ..texts.printable import columns, printable
from ..texts.sentences import filled
from .function_curve import HEIGHT, Point, curve
from .library import given_library, library_of

SECONDS = 0.008
"""Time for the points of the curve at each move: sliders are dragged."""

FIRST_SECONDS = 1.0
"""The same for the first curve, which is what a saved notebook shows: for all but slow functions
it has all its points, whatever the machine.
"""

VALUE, SLOPE = 1, 2
"""The places of both in a point."""

HALVINGS = 14
"""How often the place of a jump is halved: to a ten-thousandth of what lies between two points."""

MOST_POINTS, FEWEST_POINTS = 121, 25


Input = float | tuple[float, float] | tuple[float, float, float] | list[float] | AnyTensor
"""An input of the function: the start of its slider, or the slider's range."""


class Range(NamedTuple):
    """The range of a slider, and its start."""

    low: float
    high: float
    start: float
    step: float


@dataclasses.dataclass(frozen=True, slots=True)
class Live(Node):
    """A tensor of the picture with its number and its gradient below its name."""

    room: int = dataclasses.field(kw_only=True)
    """Columns that are kept for the numbers, so that they can change without a new layout."""

    @property
    def lines(self) -> tuple[str, ...]:
        return (self.title, "0" * self.room, "0" * self.room)


class State(NamedTuple):
    """The function at one place: its numbers as text by node, and the curve's point."""

    model: GraphModel
    numbers: dict[str, tuple[str, str]]  # node -> value and gradient
    value: float
    slopes: dict[str, float]


class Exploration:
    """A function with sliders on its inputs, in a notebook; elsewhere its text.

    `move(x=1.0)` does what a slider does; `text`, `graph` and `plot` are what there is to see.
    """

    def __init__(
        self,
        function: Callable[..., AnyTensor],
        inputs: Mapping[str, Range | AnyTensor],
        *,
        library: ModuleType,
        along: str,
        language: Language,
        layout: str | None,
    ) -> None:
        self.function = function
        self.name = getattr(function, "__name__", "f")
        if not self.name.isidentifier():
            self.name = "f"
        self.ranges = {k: v for k, v in inputs.items() if isinstance(v, Range)}
        self.fixed: dict[str, Any] = {k: v for k, v in inputs.items() if not isinstance(v, Range)}
        self.values = {name: each.start for name, each in self.ranges.items()}
        self.library = library
        self.along = along
        self.language = language
        self.layout = layout
        self._layouts: dict[tuple[Any, ...], ET.Element | None] = {}
        self._curve: tuple[tuple[Any, ...], list[Point]] = ((), [])
        self._sliders: Any = None
        self.state = self.at(self.values)

    # --- The numbers

    def at(self, values: Mapping[str, float]) -> State:
        """Run the function forwards and backwards.

        TypeError or ValueError if its result is not a single number that depends on an input.
        """
        seen, tensors = self.run(values, observe_call)
        result = seen.result
        self.check(result)
        names = seen.variables | tensors
        named = {self.name: result} | names
        seen_inputs = {id(e.node): e.inputs for e in seen.events if isinstance(e, Forward)}
        graph = walk(
            result, names=named, who="explore", language=self.language, computed=seen_inputs
        )
        model = forward_view(graph.model)
        known = _kept(graph, names.values()) | seen.values
        events, error = record_pass(graph, [result], [None], False, False)
        if error is not None:
            raise error
        arrived = _arrived(events)
        numbers: dict[str, tuple[str, str]] = {}
        for node in model.nodes:
            if node.kind == "leaf":
                leaf = graph.objects[node.id]
                numbers[node.id] = (self.word(leaf), self.word(leaf.grad))
            elif node.kind != "operation" and (place := _output(node, graph.objects)):
                numbers[node.id] = (
                    self.word(known.get(place)),
                    self.word(arrived.get(place)),
                )
        slopes = {name: _number(tensors[name].grad) for name in self.ranges}
        return State(model, numbers, _number(result), slopes)

    def run(self, values: Mapping[str, float], call: Callable[..., Any]) -> tuple[Any, Any]:
        """Call the function with fresh leaves."""
        make = self.library.tensor
        tensors = {k: make(float(v), requires_grad=True) for k, v in values.items()}
        for name, tensor in self.fixed.items():
            fresh = tensor.detach().clone()
            tensors[name] = fresh.requires_grad_() if fresh.is_floating_point() else fresh
        return call(self.function, **tensors), tensors

    def check(self, result: Any) -> None:
        refuse_own(result, "explore")
        if not is_tensor(result):
            raise TypeError(
                f"explore() needs a function that returns a tensor, and {self.name}() returned a "
                f"{type(result).__name__}"
            )
        check_tensor(result, "explore", computing=True)
        if result.numel() != 1:
            raise ValueError(
                f"explore() needs a function that returns a single number, and {self.name}() "
                f"returned the shape {shape_text(shape_of(result)) if shape_of(result) else '[]'}: "
                "return its sum() or "
                "mean()"
            )
        if result.grad_fn is None:
            raise ValueError(
                f"explore() found no graph behind what {self.name}() returned: it does not depend "
                "on any input, or was computed under no_grad"
            )
        if not has_numbers(result):
            raise ValueError(
                f"explore() needs numbers, and the one that {self.name}() returned cannot be read, "
                f"on the device {result.device}"
            )

    def points(self) -> list[Point]:
        """The curve along one input, with the others where they are; kept until they move."""
        others = tuple((k, v) for k, v in self.values.items() if k != self.along)
        key = (self.along, others)
        if self._curve[0] == key:
            return self._curve[1]
        each = self.ranges[self.along]
        begun = time.perf_counter()
        self.point(each.low)
        once = time.perf_counter() - begun
        seconds = SECONDS if self._curve[1] else FIRST_SECONDS
        count = int(min(max(seconds / once, FEWEST_POINTS), MOST_POINTS))
        step = (each.high - each.low) / (count - 1)
        points = [self.point(each.low + step * i) for i in range(count)]
        points = self.broken(points, begun + 2 * seconds)
        self._curve = (key, points)
        return points

    def broken(self, points: list[Point], until: float) -> list[Point]:
        """The points, with gaps where the function or its slope certainly jumps. What looks like a
        jump is looked at more and more closely, as long as there is time.
        """
        values, slopes = (_range_of([p[each] for p in points]) for each in (VALUE, SLOPE))
        found = points[:1]
        for left, right in itertools.pairwise(points):
            sides: list[Point] = []
            if _steep(left, right, values / HEIGHT) and time.perf_counter() < until:
                sides = self.jump(left, right, VALUE)
            bent = abs(right.slope - left.slope) > slopes / 10
            if bent and not sides and time.perf_counter() < until:
                sides = self.jump(left, right, SLOPE)
            found += [*sides, right]
        return found

    def jump(self, left: Point, right: Point, of: int) -> list[Point]:
        """The two sides of a jump between two points and the gap between; nothing if it only goes
        fast there: then most of the way is lost each time that the half is taken in which it goes
        further.
        """
        whole = abs(right[of] - left[of])
        for _ in range(HALVINGS):
            middle = self.point((left.x + right.x) / 2)
            if not math.isfinite(middle[of]):
                return []
            further = abs(middle[of] - left[of]) > abs(right[of] - middle[of])
            left, right = (left, middle) if further else (middle, right)
        way = abs(right[of] - left[of])
        if not way > whole / 2:
            return []
        gap = Point((left.x + right.x) / 2, math.nan if of == VALUE else left.y, math.nan)
        return [gap] if way > 2 * whole else [left, gap, right]  # a pole has no sides to show

    def point(self, x: float) -> Point:
        """One point; a gap where the function fails."""
        try:
            result, tensors = self.run(self.values | {self.along: x}, _plainly)
            (slope,) = self.library.autograd.grad(result, tensors[self.along], allow_unused=True)
        except Exception:  # whatever the reader's function raises; at() tells of it
            return Point(x, math.nan, math.nan)
        value = _number(result)
        return Point(x, value, _number(slope) if math.isfinite(value) else math.nan)

    def word(self, thing: Any) -> str:
        """A tensor, or a value that was recorded, in a few characters."""
        if thing is None:
            return "?"
        value = value_data(thing if isinstance(thing, Value) else value_of(thing))
        data = value.get("data")
        single = data is not None and len(data) == 1
        return number_text(data[0] or 0.0) if single and data else value_text(value, self.language)

    # --- What is shown

    def say(self, key: str, **parts: object) -> str:
        return filled(self.language, "explore", key, parts)

    def move(self, **values: float) -> None:
        """Put inputs to other values. What the function raises there is raised."""
        unknown = [name for name in values if name not in self.values]
        if unknown:
            raise ValueError(f"{self.name}() has no slider for {', '.join(unknown)}")
        for name, value in values.items():
            if not is_any(value, int, float) or not math.isfinite(value):
                raise TypeError(f"move() needs a number for {name!r}, not {short_repr(value)}")
        self.state = self.at(self.values | values)
        self.values |= values

    @property
    def caption(self) -> str:
        """The place, the value and the slopes, in one sentence."""
        comma = self.say("comma")
        state = self.state
        sentence = self.say(
            "state",
            inputs=comma.join(f"{name} = {value:.4g}" for name, value in self.values.items()),
            function=self.name,
            value=f"{state.value:.4g}",
            slopes=comma.join(
                f"d{self.name}/d{k} = {v or 0.0:.4g}" for k, v in state.slopes.items()
            ),
        )
        return printable(sentence)  # an input's name may hold anything

    @property
    def text(self) -> str:
        """The caption, and the tensors in the order of the picture with value and gradient."""
        lines = [self.caption]
        titles = {node.id: printable(node.title) for node in self.state.model.nodes}
        width = max(columns(titles[each]) for each in self.state.numbers)
        for each, (value, gradient) in self.state.numbers.items():
            space = " " * (width - columns(titles[each]))
            words = f"{self.say('value')} {value}  {self.say('grad')} {gradient}"
            lines.append(f"  {titles[each]}{space}  {words}")
        return "\n".join(lines)

    @property
    def graph(self) -> str:
        """The graph as SVG, with the numbers of this place; empty where there is no Graphviz."""
        state = self.state
        kinds = {node.id: node.kind for node in state.model.nodes}
        drawn = self.picture_of(state)
        if drawn is None:
            return ""
        gradients = {each: _parsed(gradient) for each, (_, gradient) in state.numbers.items()}
        largest = max((abs(g) for g in gradients.values() if math.isfinite(g)), default=0.0)
        for group in drawn.iter(f"{{{SVG}}}g"):
            node = group.get("id", "")
            if node not in state.numbers:
                continue
            details = (element for element in group if element.get("class") == "detail")
            for element, key, number in zip(
                details, ("value", "grad"), state.numbers[node], strict=True
            ):
                element.text = f"{self.say(key)} {number}"
            share = abs(gradients[node]) / largest if largest else 0.0
            colour = _colour(kinds[node], gradients[node], share)
            for shape in group:
                if shape.get("fill", "none") != "none" and shape.get("class") != "tray":
                    shape.set("style", f"fill:{colour}")
        text = ET.tostring(drawn, encoding="unicode")
        return styled(text).replace("</style>", f"{_COLOURS}</style>", 1)

    def picture_of(self, state: State) -> ET.Element | None:
        """The graph laid out with room for the numbers; kept for every structure that was seen."""
        longest = max(len(n) for pair in state.numbers.values() for n in pair)
        room = max(14, longest + 6)
        key = (room, *((n.kind, n.title) for n in state.model.nodes), *_ends(state.model))
        if key not in self._layouts:
            fields = [f.name for f in dataclasses.fields(Node)]
            nodes = tuple(
                Live(**{name: getattr(node, name) for name in fields}, room=room)
                if node.id in state.numbers
                else node
                for node in state.model.nodes
            )
            try:
                signs = {sign: self.say(f"key_{sign}") for sign in ("up", "down")}
                model = GraphModel(nodes, state.model.edges)
                drawn = svg(model, layout=self.layout, legend=True, colours=signs)
            except (NoGraphviz, ImportError, TooLarge, LayoutError):
                self._layouts[key] = None
            else:
                ET.register_namespace("", SVG)
                self._layouts[key] = ET.fromstring(drawn)
        return self._layouts[key]

    @property
    def plot(self) -> str:
        """The function and its derivative along one input, as SVG."""
        here = Point(self.values[self.along], self.state.value, self.state.slopes[self.along])
        return curve(self.points(), here, name=self.along, function=self.name)

    def __repr__(self) -> str:
        return self.text

    def _ipython_display_(self) -> None:
        """The widget, and then the picture as it is now, which shows only where the widget does
        not: a saved notebook has no kernel.
        """
        display = optional("IPython.display").display
        view, about = self.widget.view
        display(view, metadata=about, raw=True)
        display({"text/html": self.html, "text/plain": self.text}, raw=True)

    def _display_(self) -> Any:
        """Return the anywidget, which marimo shows in place of this object."""
        return self.widget

    @property
    def html(self) -> str:
        """The picture at this place, without sliders."""
        graph = image(self.graph, self.caption) if self.graph else ""
        return (
            f'<div class="mg-explore-still mg-image"><p>{html.escape(self.caption)}</p>'
            f"{graph} {image(self.plot, self.caption)}{IMAGES}{_STILL}</div>"
        )

    def save(self, file: str | Path) -> Path:
        """Write this place, without sliders, to a file whose name ends in .html, .svg (the graph
        alone) or .txt, whole or not at all.

        Returns:
            The path of the file.

        Raises:
            ValueError: the name has another ending, or there is no graph to draw.
            OSError: the file cannot be written.
        """
        writers: Writers = {
            "html": lambda: whole_page(self.html, self.caption),
            "svg": lambda: picture_only(self.graph),
            "txt": lambda: f"{self.text}\n",
        }
        return save_as(file, writers)

    @property
    def widget(self) -> Any:
        """The sliders and the pictures, as an anywidget."""
        if self._sliders is None:
            optional("anywidget")
            from .sliders import Sliders

            self._sliders = Sliders(self)
        return self._sliders


STRONGEST = 45
"""Percent of the tint that shows the largest gradient."""

_LIGHT, _DARK = "--mg-up:#e69500;--mg-down:#3b82d6", "--mg-up:#8f5a00;--mg-down:#2a66b0"
_COLOURS = (
    f".mg-graph{{{_LIGHT}}}.mg-graph .node .detail{{fill:var(--mg-text)}}"
    f"@media (prefers-color-scheme:dark){{.mg-graph{{{_DARK}}}}}"
    f"{LIGHT_PAGE} .mg-graph{{{_LIGHT}}}"
    f"{DARK_PAGE} .mg-graph{{{_DARK}}}"
    + "".join(
        f".mg-graph .{sign} rect{{stroke:var(--mg-function-edge);"
        f"fill:color-mix(in srgb,var(--mg-{sign}) {STRONGEST}%,var(--mg-function))}}"
        for sign in ("up", "down")
    )
)
"""For positive and negative gradients. They differ in lightness, and the numbers have signs."""


def _colour(kind: str, gradient: float, share: float) -> str:
    """A node's own colour, tinted by its gradient's sign and by its share of the largest."""
    tint = STRONGEST * share if math.isfinite(share) else 0
    sign = "down" if gradient < 0 else "up"
    return f"color-mix(in srgb,var(--mg-{sign}) {tint:.0f}%,var(--mg-{kind}))"


_STILL = """<style>
.jp-OutputArea-child:has(.mg-explore-live)
  + .jp-OutputArea-child:has(.mg-explore-still) { display: none }
.jp-OutputArea-child:not(:has(.mg-explore-live)):has(
  + .jp-OutputArea-child .mg-explore-still) { display: none }
</style>"""
"""The widget's output and the still picture stand one after the other in a notebook: of the two,
one is shown."""


def explore(
    function: Callable[..., AnyTensor],
    /,
    *,
    along: str | None = None,
    library: ModuleType | None = None,
    layout: str | None = None,
    **inputs: Input,
) -> Exploration:
    """Sliders on the inputs of `function`, with the values and gradients in its graph, live, and a
    plot of the function and its derivative.

    inputs    by the function's argument names: (low, high) or (low, high, step) for a slider that
              begins in the middle, a number for one that begins there, a tensor for an input that
              stays as it is
    along     the input along which the function is plotted; without it, the first with a slider
    library   minigrad or torch, in which the inputs are made; without it, torch if the function or
              a tensor belongs to it, else minigrad
    layout    what places the nodes: "pygraphviz", "dot" or, in a browser, "viz.js"

    TypeError or ValueError for an input that is no range, and for a function whose result is not a
    single number computed from the inputs.

    >>> import minigrad_viz as viz
    >>> viz.explore(lambda x: x * x, x=(0, 6)).state.slopes
    {'x': 6.0}
    """
    check_layout(layout)
    language = current_language()
    given_library(library)
    for each in inputs.values():
        refuse_own(each, "explore")
    read = {
        name: _fixed(value) if is_tensor(value) else _range(name, value)
        for name, value in inputs.items()
    }
    sliders = [name for name, value in read.items() if isinstance(value, Range)]
    if not sliders:
        raise ValueError("explore() needs an input with a range, as in explore(f, x=(-2, 2))")
    check_callable(function, "explore", **inputs)
    if along is not None and along not in sliders:
        raise ValueError(f"along must be one of {', '.join(map(repr, sliders))}, not {along!r}")
    return Exploration(
        function,
        read,
        library=library or library_of(function, read),
        along=along or sliders[0],
        language=language,
        layout=layout,
    )


def _fixed(value: Any) -> Any:
    check_tensor(value, "explore")
    return value


def _range(name: str, value: Any) -> Range:
    """Return the range of a slider: from -v to 3v for a number v, as in ipywidgets."""
    parts: Any = value if is_any(value, tuple, list) else (value,)
    if not parts or not all(
        is_any(p, int, float) and not is_any(p, bool) and math.isfinite(p) for p in parts
    ):
        raise TypeError(
            f"explore(): the input {name!r} must be a number, (low, high), (low, high, step) or a "
            f"tensor, not {short_repr(value)}"
        )
    if len(parts) == 1:
        v = float(parts[0])
        low, high = sorted((-v, 3 * v)) if v else (-1.0, 1.0)
        return Range(low, high, v, (high - low) / 200)
    if len(parts) > 3 or not parts[0] < parts[1] or (len(parts) == 3 and not parts[2] > 0):
        raise ValueError(
            f"explore(): the input {name!r} must go from a lower number to a higher one in "
            f"positive steps, not {value!r}"
        )
    low, high = float(parts[0]), float(parts[1])
    step = float(parts[2]) if len(parts) == 3 else (high - low) / 200
    return Range(low, high, low + round((high - low) / 2 / step) * step, step)


def _plainly(function: Callable[..., Any], **tensors: Any) -> Any:
    return function(**tensors)


def _kept(graph: Walk, named: Iterable[Any]) -> dict[Output, Value]:
    """The results that have a name, or that another operation has saved: of what a backward pass
    computes in PyTorch, or a Function of the reader's, there is no record.
    """
    saved = (t for node in graph.objects.values() for t in _saved_by(node))
    found: dict[Output, Value] = {}
    for tensor in (*named, *saved):
        maker, index = made_by(tensor)
        if maker is not None:
            found.setdefault((id(maker), index), value_of(tensor))
    return found


def _saved_by(node: Any) -> Iterator[Any]:
    if not is_tensor(node) and hasattr(node, "next_functions"):
        yield from (t for _, t in saved_tensors(node) if not isinstance(t, str))


def _arrived(events: list[Event]) -> dict[Output, Value]:
    """The gradient that each operation's output had when the operation ran."""
    return {
        (id(event.node), index): value
        for event in events
        if isinstance(event, Start)
        for index, value in enumerate(event.incoming)
        if value is not None
    }


def _output(node: Node, objects: Mapping[str, Any]) -> Output | None:
    """Which operation's output a tensor of the forward view is; None for what none made."""
    if node.kind == "root":
        maker, index = made_by(objects[node.id])
        return id(maker), index
    made = re.fullmatch(r"(n\d+)r(\d+)", node.id)
    return (id(objects[made[1]]), int(made[2])) if made else None


def _range_of(values: list[float]) -> float:
    """How far apart the finite ones are."""
    finite = [value for value in values if math.isfinite(value)] or [0.0]
    return max(finite) - min(finite)


def _steep(left: Point, right: Point, seen: float) -> bool:
    """Is the way between two points another than their slopes lead to expect?"""
    if not all(math.isfinite(v) for p in (left, right) for v in (p.y, p.slope)):
        return False
    way = right.y - left.y
    expected = (left.slope + right.slope) / 2 * (right.x - left.x)
    return abs(way) > seen and abs(way - expected) > abs(way) / 2


def _number(tensor: Any) -> float:
    """A single number; NaN for no gradient."""
    return math.nan if tensor is None else float(tensor.item())


def _parsed(text: str) -> float:
    """The number that a text is; NaN if it is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def _ends(model: GraphModel) -> list[tuple[str, str]]:
    return [(edge.source, edge.target) for edge in model.edges]
