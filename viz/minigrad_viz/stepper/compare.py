"""compare(program, one, other): one program on two engines, both passes side by side.

Whoever believes something false about a backward pass has an engine in mind in which it is true.
Run on the same program as the right one, it shows where the two part: both passes are run and
recorded, as by `step`, and one set of controls moves through both. Instead of two engines it may be
two libraries, or one with two settings: `program` gets whatever it is to compute with.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from ..model.names import is_tensor
from ..model.own_engines import is_own
from ..model.readable import check_callable
from ..texts.language import Language, chosen
from ..texts.sentences import say
from .page import pair_fragment, pair_page
from .payload import Pair, Payload
from .step import step
from .transcript import Transcript


class Comparison:
    """Two backward passes to go through together, in a notebook or as a page of its own.

    `steppers` are the two, each as `step` gives it; `differ` is the number of the first step that
    is not the same in both (from 1), or None.
    """

    def __init__(self, steppers: Sequence[Any], titles: Sequence[str], language: Language) -> None:
        self.steppers = tuple(steppers)
        passes: list[Payload] = [stepper.payload for stepper in steppers]
        self.payload = Pair(version=1, language=language, titles=[*titles], passes=passes)
        first = first_difference(*passes)
        self.differ = None if first is None else first + 1
        if first is not None:
            self.payload["differ"] = first
        self.text = side_by_side(self.payload)
        """Both as text, one after the other."""

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return {"text/html": self.html, "text/plain": self.text}, {}

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
    retain_graph: bool | None = None,
    language: str | None = None,
    engine: str | None = None,
) -> Comparison:
    """Run `program(one)` and `program(other)`, then `backward()` of what each returns, and show
    every step of both side by side.

    program   a function of one argument that computes with it and returns the result; the names of
              its variables are used
    one, other  what it computes with: engines, or libraries, or anything else
    titles    what to call the two; without it, the names of the modules
    retain_graph  handed on to both `backward()`
    language  of captions and controls, as for `step`
    engine    what lays out the graphs: "pygraphviz" or "dot"

    TypeError if `program` is not a function of one argument; and what `step` says.
    """
    spoken = chosen(language)
    check_callable(program, "compare", "one")
    steppers = []
    for each in (one, other):
        result, variables = returned(program, each)
        steppers.append(
            step(result, names=variables, retain_graph=retain_graph, language=spoken, engine=engine)
        )
    called = titles or tuple(_name(each) for each in (one, other))
    return Comparison(steppers, called, spoken)


def _name(library: Any) -> str:
    return str(getattr(library, "__name__", type(library).__name__))


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


def first_difference(one: Payload, other: Payload) -> int | None:
    """The index of the first step that is not the same in both; None if all are."""
    turns, others = (list(_turns(payload)) for payload in (one, other))
    for place, (turn, same) in enumerate(zip(turns, others, strict=False)):
        if turn != same:
            return place
    return min(len(turns), len(others)) if len(turns) != len(others) else None


def _turns(payload: Payload) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """What is told of each step."""
    transcript = Transcript(payload)
    for turn in payload["steps"]:
        events = payload["events"][turn["first"] : turn["last"] + 1]
        yield turn["title"], [fact for event in events for fact in transcript.facts(event)]


def side_by_side(payload: Pair) -> str:
    """The text of both passes, and where they part."""
    language, texts = payload["language"], []
    for title, each in zip(payload["titles"], payload["passes"], strict=True):
        texts.append(f"{title}: {Transcript(each).text()}")
    if "differ" in payload:
        texts.append(say(language, "differ", number=payload["differ"] + 1))
    else:
        texts.append(say(language, "differ_nowhere"))
    return "\n\n".join(texts)
