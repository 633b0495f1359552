"""Nudge: move one number of a leaf, and compare the result's move with the gradient's promise.

A gradient g promises that the result moves by g times the push. The program is run again to see how
far it moves in truth. What is left over is curvature.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from minigrad.autograd.events import LeafGradient, Value

from ..passes.rerun import Change, NoRerun, Program, result_of, weighted
from ..texts.language import Language
from ..texts.numerals import formatter
from ..texts.sentences import say
from .payload import NudgeAnswer, NudgeData
from .record import Recording

SIZES = (0.01, 0.1, 1.0)
"""How far a number is pushed in a saved page, in both directions."""

MOST = 64
"""The most numbers of a pass whose answers a saved page contains."""


class Nudge(NamedTuple):
    """The effect of one push: `truth` is the result's change, `promise` the gradient's."""

    leaf: str
    place: tuple[int, ...]
    push: float
    gradient: float
    before: float
    after: float
    language: Language = "en"

    @property
    def promise(self) -> float:
        """The gradient times the push."""
        return self.gradient * self.push

    @property
    def truth(self) -> float:
        """How far the result moved."""
        return self.after - self.before

    @property
    def rest(self) -> float:
        """The rest of the change: the function is curved."""
        return self.truth - self.promise

    def __repr__(self) -> str:
        numbers = [self.push, self.promise, self.truth, self.rest]
        push, promise, truth, rest = map(formatter(numbers), numbers)
        where = f"{self.leaf}[{', '.join(map(str, self.place))}]" if self.place else self.leaf
        parts = {"push": push, "promise": promise, "truth": truth, "rest": rest}
        return say(self.language, "nudge_said", leaf=where, **parts)


@dataclass(frozen=True, slots=True)
class Pushes:
    """Pushes the leaves of a recorded pass; `program` is None for a recording alone."""

    recording: Recording
    program: Program | None
    seeds: Sequence[Any] = (None,)

    def push(self, leaf: str, place: int | tuple[int, ...], by: float) -> Nudge:
        """Push one number, and return what happened.

        Raises:
            ValueError: there is no such number, or the program cannot be run again; the message is
                a sentence in the language of the recording.
        """
        language = self.recording.language
        try:
            shape = self.added(leaf)[0].shape
            flat = self.flat(leaf, place)
            gradient = self.gradient(leaf, flat)
            before = self.before()
            after = self.result(Change(leaf, flat, by))
        except NoRerun as refusal:
            raise ValueError(say(language, refusal.key, **refusal.parts)) from None
        indices = tuple(map(int, np.unravel_index(flat, shape))) if shape else ()
        return Nudge(leaf, indices, by, gradient, before, after, language)

    def reply(self, message: dict[str, Any]) -> dict[str, Any]:
        """Answer a push of a live page."""
        try:
            found = self.push(message["leaf"], int(message["place"]), float(message["by"]))
        except ValueError as refusal:
            return {"refusal": str(refusal)}
        except Exception as error:  # of the program
            return {"refusal": f"{type(error).__name__}: {error}"}
        return {"gradient": found.gradient, "before": found.before, "after": found.after}

    def result(self, change: Change | None) -> float:
        assert self.program is not None
        return result_of(self.program.run(change), self.seeds)

    def before(self) -> float:
        """Return the result of the program as it was, which must be that of the recording."""
        if self.program is None:
            raise NoRerun("nudge_no_text")
        roots = [n.id for n in self.recording.model.nodes if n.kind == "root"]
        now = self.result(None)
        then = weighted([self.recording.leaves[id] for id in roots], self.seeds)
        if not np.isclose(now, then, rtol=1e-5, atol=1e-7):
            write = formatter([now, then])
            raise NoRerun("nudge_other_result", now=write(now), then=write(then))
        return now

    def gradient(self, leaf: str, flat: int) -> float:
        """Return what the pass added to `.grad` of one number."""
        parts = [np.asarray(each.data, np.float64).reshape(-1) for each in self.added(leaf)]
        return float(sum(each[flat] for each in parts))

    def added(self, leaf: str) -> list[Value]:
        """Return what the pass added to `.grad` of a leaf."""
        nodes = {n.owner: n for n in self.recording.model.nodes if n.kind == "leaf"}
        added = [
            event.added
            for event in self.recording.events
            if isinstance(event, LeafGradient) and nodes[str(event.node)].name == leaf
        ]
        if not added:
            known = say(self.recording.language, "list_comma").join(n.name for n in nodes.values())
            raise NoRerun("nudge_no_gradient", leaf=leaf, known=known)
        if any(each.data is None for each in added):
            raise NoRerun("nudge_large_leaf", leaf=leaf)
        return added

    def flat(self, leaf: str, place: int | tuple[int, ...]) -> int:
        """Return the place of a number in row-major order."""
        shape = self.added(leaf)[0].shape
        flat = -1 if isinstance(place, tuple) else place
        if isinstance(place, tuple) and len(place) == len(shape):
            with suppress(ValueError):
                flat = int(np.ravel_multi_index(place, shape)) if shape else 0
        count = math.prod(shape)
        if not 0 <= flat < count:
            raise NoRerun("nudge_no_place", leaf=leaf, place=place, count=count)
        return flat

    def recorded(self) -> NudgeData:
        """Return the answers for a saved page: both directions and all sizes for some numbers."""
        language = self.recording.language
        data = NudgeData(sizes=[*SIZES], answers=[])
        try:
            data["result"] = self.before()
            for node in self.recording.model.nodes:
                if node.kind != "leaf":
                    continue
                for place in range(int(np.prod(node.shape or ()))):
                    if len(data["answers"]) == MOST:
                        return data
                    data["answers"].append(self.answer(node.id, node.name, place))
        except NoRerun as refusal:
            data["refusal"] = say(language, refusal.key, **refusal.parts)
        return data

    def answer(self, id: str, name: str, place: int) -> NudgeAnswer:
        pushes = [-size for size in reversed(SIZES)] + [*SIZES]
        results = [self.result(Change(name, place, by)) for by in pushes]
        return NudgeAnswer(
            node=id, place=place, gradient=self.gradient(name, place), results=results
        )
