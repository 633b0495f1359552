"""Nudge: move one number of a leaf, and compare the result's move with the gradient's promise.

A gradient g promises that the result moves by g times the push. The program is run again to see how
far it moves in truth. What is left over is curvature.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from minigrad.autograd.events import LeafGradient

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
    place: int
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
        where = f"{self.leaf}[{self.place}]" if self.place >= 0 else self.leaf
        parts = {"push": push, "promise": promise, "truth": truth, "rest": rest}
        return say(self.language, "nudge_said", leaf=where, **parts)


@dataclass(frozen=True, slots=True)
class Pushes:
    """Pushes the leaves of a recorded pass; `program` is None for a recording alone."""

    recording: Recording
    program: Program | None
    seeds: Sequence[Any] = (None,)

    def push(self, leaf: str, place: int, by: float) -> Nudge:
        """Push one number, and return what happened.

        Raises:
            ValueError: there is no such number, or the program cannot be run again; the message is
                a sentence in the language of the recording.
        """
        language = self.recording.language
        try:
            gradient = self.gradient(leaf, place)
            before = self.before()
            after = self.result(Change(leaf, place, by))
        except NoRerun as refusal:
            raise ValueError(say(language, refusal.key, **refusal.parts)) from None
        shaped = place if self.shape(leaf) else -1
        return Nudge(leaf, shaped, by, gradient, before, after, language)

    def reply(self, message: dict[str, Any]) -> dict[str, Any]:
        """Answer a push of a live page."""
        try:
            found = self.push(message["leaf"], int(message["place"]), float(message["by"]))
        except ValueError as refusal:
            return {"refusal": str(refusal)}
        except Exception as error:  # of the program
            return {"refusal": f"{type(error).__name__}: {error}"}
        return {"gradient": found.gradient, "before": found.before, "after": found.after}

    def shape(self, leaf: str) -> tuple[int, ...]:
        return next(n.shape or () for n in self.recording.model.nodes if n.name == leaf)

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

    def gradient(self, leaf: str, place: int) -> float:
        """Return what the pass added to `.grad` of one number."""
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
        count = int(np.prod(added[0].shape))
        if not 0 <= place < count:
            raise NoRerun("nudge_no_place", leaf=leaf, place=place, count=count)
        flat = [np.asarray(each.data, np.float64).reshape(-1) for each in added]
        return float(sum(each[place] for each in flat))

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
