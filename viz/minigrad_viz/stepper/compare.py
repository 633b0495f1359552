"""compare(program, one, other): one program on two engines, both passes side by side.

Whoever believes something false about a backward pass has an engine in mind in which it is true.
Run on the same program as the right one, it shows where the two part: both passes are run and
recorded, as by `step`, and one set of controls moves through both. Instead of two engines it may be
two libraries, or one with two settings, and then it shows what a `detach`, an operation more or
another learning rate changes: `program` gets whatever it is to compute with.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from ..model.names import is_tensor
from ..model.own_engines import is_own
from ..model.readable import check_callable, short_repr
from ..model.watch import watch
from ..texts.language import Language, chosen
from .differences import Differences
from .export import Exports, Pages
from .page import pair_fragment, pair_page
from .pair_page import PairPages
from .payload import Pair
from .step import step


class Comparison(Exports):
    """Two backward passes to go through together, in a notebook, as a page of its own, or as
    pictures, a PDF, a GIF or a film, with a page for each row of steps.

    `steppers` are the two, each as `step` gives it; `sentences` say what differs and where it
    begins; `differ` is the number of the first step that is not the same in both (from 1, where
    steps stand side by side), or None.
    """

    def __init__(self, steppers: Sequence[Any], titles: Sequence[str], language: Language) -> None:
        self.steppers = tuple(steppers)
        one, other = (stepper.payload for stepper in steppers)
        found = Differences(one, other, titles)
        self.sentences = tuple(found.said)
        self.differ = None if found.first is None else found.first + 1
        self.payload = Pair(
            version=1,
            language=language,
            titles=[*titles],
            passes=[one, other],
            rows=found.rows,
            marks=[*found.marks],
            said=found.said,
        )
        if found.first is not None:
            self.payload["differ"] = found.first
        texts = [
            f"{title}: {stepper.text}" for title, stepper in zip(titles, steppers, strict=True)
        ]
        self.text = "\n\n".join([*texts, found.table(), "\n".join(found.said)])
        """Both as text, one after the other; then their steps side by side, and what differs."""

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return {"text/html": self.html, "text/plain": self.text}, {}

    def _count(self) -> int:
        return len(self.payload["rows"])

    def _drawn(self, width: float, height: float, dark: bool, places: range) -> Pages:
        return PairPages(self.payload, width, height, dark, places)

    def _display_(self) -> Any:
        """What marimo shows in its place: in HTML it runs no program."""
        from .widget import Stage

        return Stage(payload=self.payload)

    @property
    def html(self) -> str:
        """Both as a piece of a page, that needs no kernel and no network."""
        return pair_fragment(self.payload, self.text)

    def to_html(self, file: str | Path) -> Path:
        """Write a page that needs no kernel, no network and no other file; returns its path."""
        path = Path(file)
        path.write_bytes(pair_page(self.payload, self.text).encode(errors="replace"))
        return path


def compare(
    program: Callable[[Any], Any],
    one: Any,
    other: Any,
    *,
    titles: tuple[str, str] | None = None,
    retain_graph: bool | tuple[bool | None, bool | None] | None = None,
    language: str | None = None,
    engine: str | None = None,
) -> Comparison:
    """Run `program(one)` and `program(other)`, then `backward()` of what each returns, and show
    every step of both side by side, node by node, and say what differs and where it begins.

    program   a function of one argument that computes with it and returns the result; the names of
              its variables are used
    one, other  what it computes with: engines, or libraries, or a setting
    titles    what to call the two; without it, their names, or how Python writes them
    retain_graph  handed on to both `backward()`; or a pair, with one for each
    language  of captions and controls, as for `step`
    engine    what lays out the graphs: "pygraphviz", "dot" or, in a browser, "viz.js"

    Numbers differ if more than rounding lies between them. Where it cannot be known which node of
    one pass is which of the other (a loop takes three turns in one and four in the other), nodes
    are counted, and nothing is said about each.

    TypeError if `program` is not a function of one argument; and what `step` says.

    >>> import minigrad as mg, minigrad_viz as viz
    >>> def f(cut):
    ...     x = mg.tensor(3.0, requires_grad=True)
    ...     y = x * x
    ...     return x * (y.detach() if cut else y)
    >>> both = viz.compare(f, True, False, titles=("cut", "whole"))
    >>> both.differ
    2
    >>> print(both.sentences[-1])
    After the pass x.grad is 9 in “cut”, 27 in “whole”.
    """
    spoken = chosen(language)
    check_callable(program, "compare", "one")
    steppers = []
    keeps = retain_graph if isinstance(retain_graph, tuple) else (retain_graph, retain_graph)
    if len(keeps) != 2:
        raise ValueError(f"retain_graph must be one for both or a pair, not {short_repr(keeps)}")
    for each, keep in zip((one, other), keeps, strict=True):
        with watch():
            result, variables = returned(program, each)
        steppers.append(
            step(result, names=variables, retain_graph=keep, language=spoken, engine=engine)
        )
    called = titles or tuple(_name(each) for each in (one, other))
    if titles is None and called[0] == called[1] and one is not other:
        called = tuple(f"{title} ({place})" for place, title in enumerate(called, start=1))
    return Comparison(steppers, called, spoken)


def _name(library: Any) -> str:
    return str(getattr(library, "__name__", None) or short_repr(library))


def returned(function: Callable[[Any], Any], argument: Any) -> tuple[Any, dict[str, Any]]:
    """What the function returns, and its variables that are results."""
    variables: dict[str, Any] = {}
    code = getattr(function, "__code__", None)

    def at_event(frame: FrameType, event: str, value: Any) -> None:
        if event == "return" and frame.f_code is code:
            found = dict(frame.f_locals)
            variables.update({k: v for k, v in found.items() if is_tensor(v) or is_own(v)})

    before = sys.getprofile()
    sys.setprofile(at_event)
    try:
        result = function(argument)
    finally:
        sys.setprofile(before)
    return result, variables
