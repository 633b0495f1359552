"""compare(program, one, other): one program on two engines, both passes side by side.

A false belief about backward passes is true of some other engine. That engine, run on the same
program as the right one, shows the first difference. Both passes are recorded as by `step`, and one
set of controls moves through both. `program` may also get two libraries, or two settings: then the
comparison shows what a `detach`, an added operation or another learning rate changes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, cast

from ..model.names import is_tensor
from ..model.optional_packages import optional
from ..model.own_engines import is_own
from ..model.readable import check_callable, short_repr
from ..passes.python_calls import variables_of_call
from ..passes.watch import watch
from ..picture.graphviz import check_layout
from ..texts.language import Language, checked, current_language
from .differences import Differences
from .export import Exports, Pages
from .page import pair_fragment, pair_page
from .pair_page import PairPages
from .payload import Pair, Payload
from .record import Recording, Request, record
from .step import show_recording


class Comparison(Exports):
    """Two backward passes to go through together, in a notebook or as a page of its own.

    `save` also writes pictures, a PDF, a GIF or a film, with a page for each row of steps.
    `steppers` are those of the two passes. `sentences` name the differences, the first one first.
    `differ` is the number of the first row of steps that differs, from 1, or None.
    """

    def __init__(
        self, recordings: Sequence[Recording], titles: Sequence[str], language: Language
    ) -> None:
        self.steppers = tuple(show_recording(recording) for recording in recordings)
        one, other = (stepper.content for stepper in self.steppers)
        differences = Differences(one, other, titles)
        self.language, self.titles, self.differences = language, [*titles], differences
        self.sentences = tuple(differences.sentences)
        self.differ = None if differences.first is None else differences.first + 1
        steppers = zip(titles, self.steppers, strict=True)
        texts = [f"{title}: {stepper.text}" for title, stepper in steppers]
        self.text = "\n\n".join([*texts, differences.table(), "\n".join(differences.sentences)])
        """Both passes as text, then their steps side by side, and the differences."""

    @cached_property
    def payload(self) -> Pair:
        """Both passes, made when they are looked at."""
        found = self.differences
        pair = Pair(
            version=1,
            language=self.language,
            titles=self.titles,
            passes=[cast(Payload, stepper.payload) for stepper in self.steppers],
            rows=found.rows,
            marks=[*found.marks],
            said=found.sentences,
        )
        if found.first is not None:
            pair["differ"] = found.first
        return pair

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return {"text/html": self.html, "text/plain": self.text}, {}

    def _count(self) -> int:
        return len(self.payload["rows"])

    def _drawn(self, width: float, height: float, dark: bool, places: range) -> Pages:
        illustrated = [stepper.illustrated for stepper in self.steppers]
        return PairPages(self.payload, illustrated, width, height, dark, places)

    def _display_(self) -> Any:
        """Return a widget for marimo, which runs no program in HTML."""
        from .widget import Stage

        return Stage(payload=self.payload)

    @property
    def html(self) -> str:
        """Both passes as a piece of a page; it needs no kernel and no network."""
        return pair_fragment(self.payload, self.text)

    def _page(self) -> str:
        return pair_page(self.payload, self.text)


def compare(
    program: Callable[[Any], Any],
    one: Any,
    other: Any,
    *,
    titles: tuple[str, str] | None = None,
    retain_graph: bool | tuple[bool | None, bool | None] | None = None,
    language: str | None = None,
    layout: str | None = None,
) -> Comparison:
    """Run `program(one)` and `program(other)`, then `backward()` of each result, and compare them.

    The comparison shows every step of both passes side by side, and says what differs and where.

    program   a function of one argument that computes with it and returns the result; the names of
              its variables are used
    one, other  the arguments of `program`: engines, or libraries, or a setting
    titles    the titles of the two; by default, their names, or how Python writes them
    retain_graph  passed to both `backward()`; or a pair, one for each
    language  of captions and controls, as for `step`
    layout    what lays out the graphs: "pygraphviz", "dot" or, in a browser, "viz.js"

    Numbers differ if more than rounding separates them. If the partner of a node is unknown, as in
    loops of three and of four iterations, nodes are counted and not compared.

    Raises:
        TypeError: `program` is not a function of one argument.
        Exception: what `step` raises.

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
    shown_in = current_language() if language is None else checked(language)
    check_callable(program, "compare", "one")
    check_layout(layout)
    optional("anywidget")  # before a pass runs
    recordings = []
    keeps = retain_graph if isinstance(retain_graph, tuple) else (retain_graph, retain_graph)
    if len(keeps) != 2:
        raise ValueError(f"retain_graph must be one for both or a pair, not {short_repr(keeps)}")
    for each, keep in zip((one, other), keeps, strict=True):
        with watch():
            result, variables = call_with_variables(program, each)
        request = Request(
            tensor=result,
            frame=sys._getframe(),
            names=variables,
            retain_graph=keep,
            language=shown_in,
            layout=layout,
        )
        recordings.append(record(request))
    called = titles or tuple(_name(each) for each in (one, other))
    if titles is None and called[0] == called[1] and one is not other:
        called = tuple(f"{title} ({place})" for place, title in enumerate(called, start=1))
    return Comparison(recordings, called, shown_in)


def _name(library: Any) -> str:
    return str(getattr(library, "__name__", None) or short_repr(library))


def call_with_variables(
    function: Callable[[Any], Any], argument: Any
) -> tuple[Any, dict[str, Any]]:
    """Call the function; return its result, and its variables that are tensors."""
    with variables_of_call(function, lambda v: is_tensor(v) or is_own(v)) as variables:
        result = function(argument)
    return result, variables
