"""The content of a page for one step: its title, rule and sentences, and its tensors in sections.

A page shows all events of a step at once, since its reader cannot move from event to event. Labels
and names are those of the text form.
"""

from __future__ import annotations

from typing import NamedTuple

from ..model.mathtext import formulas
from ..texts.printable import printable
from .payload import EventData, NodeData, Payload
from .transcript import Transcript

SIGNS = ("+", "=", "\u2192", ",", "None \u2192")
"""Signs between tensors."""


class Piece(NamedTuple):
    """A tensor, as an index into the payload's values; or a sign or a name between tensors."""

    value: int | None = None
    title: str = ""
    text: str = ""
    bad: bool = False


class Section(NamedTuple):
    """Tensors side by side. A section without a label continues the one before it."""

    label: str
    pieces: list[Piece]


class StepContent(NamedTuple):
    """One step of a pass; `number` counts from 1, up to `steps`."""

    number: int
    steps: int
    title: str
    place: str
    formulas: tuple[str, ...]
    rule_text: str
    sections: list[Section]
    caption: str


class StepContents:
    """The contents of all steps of a payload."""

    def __init__(self, payload: Payload) -> None:
        self.payload = payload
        self.transcript = Transcript(payload)
        self.nodes = {node["id"]: node for node in payload["nodes"]}

    def at(self, place: int) -> StepContent:
        step = self.payload["steps"][place]
        events = self.payload["events"][step["first"] : step["last"] + 1]
        named = self.transcript.is_named(step)
        node = self.nodes[step["node"]]
        rule = "" if named else node.get("rule", "")
        return StepContent(
            number=place + 1,
            steps=len(self.payload["steps"]),
            title=printable(step["title"] if named else self.transcript.node_name(step["node"])),
            place="" if events[0]["kind"] == "seed" else self._code_line(node),
            formulas=formulas(rule) if rule else (),
            rule_text="" if named else printable(node.get("rule_text", "")),
            sections=self._sections(events),
            caption=self._caption(events),
        )

    def _code_line(self, node: NodeData) -> str:
        """The line that made the node, as "file:3  y = x * w"."""
        line = node.get("line")
        if line is None:
            return ""
        file = self.payload["files"][line["file"]]
        code = file["lines"][line["line"] - file["first"]]
        return printable(f"{file['name']}:{line['line']}  {code.strip()}")

    def _caption(self, events: list[EventData]) -> str:
        """The sentences of a step, except those that repeat its sections."""
        informative = [
            event
            for event in events
            if event["kind"] not in ("free", "error")
            and (event["kind"] != "accumulate" or event["before"] is not None)
        ]
        sentences = [event["caption"] for event in informative or events]
        sentences += [event["reason"] for event in events if "reason" in event]
        return printable(("" if self.payload["language"] == "zh" else " ").join(sentences))

    def _sections(self, events: list[EventData]) -> list[Section]:
        sections: list[Section] = []
        label = ""
        for event in events:
            for name, pieces in self._labelled(event):
                # Tensors of one label share a section, except those of a sum.
                if sections and label == name and not _has_signs(sections[-1].pieces + pieces):
                    sections[-1].pieces.extend(pieces)
                else:
                    sections.append(Section("" if label == name else name, pieces))
                label = name
        return sections

    def _labelled(self, event: EventData) -> list[tuple[str, list[Piece]]]:
        kind, say = event["kind"], self.transcript.say
        if kind == "forward":
            return [(say("label_inputs"), self._values(event["inputs"]))]
        if kind == "result":
            return [(say("label_results"), self._values([*event["results"]]))]
        if kind == "seed":
            target = printable(self.transcript.node_name(event["node"]))
            return [(say("label_accumulate"), [self._value(event["after"], f"\u2192 {target}")])]
        if kind == "start":
            labelled = [(say("label_incoming"), self._values(event["incoming"]))]
            if event["saved"] or event.get("packed"):
                labelled.append((say("label_saved"), self._saved(event)))
            if numbers := self.transcript.numbers(event["node"]):
                labelled.append((say("label_held"), [Piece(text=printable(numbers))]))
            return labelled
        if kind == "hook":
            pieces = [Piece(text=printable(event["hook"]))]
            after = event.get("incoming", event.get("outgoing"))
            return [(say("label_hook"), pieces + ([] if after is None else self._values(after)))]
        if kind == "formula":
            return [(say("label_outgoing"), self._values(event["outgoing"]))]
        if kind == "reduce":
            summed = [self._value(event["before"]), Piece(text="\u2192")]
            return [(say("label_reduce"), [*summed, self._value(event["after"])])]
        if kind == "accumulate":
            target = printable(self.transcript.node_name(event["target"]))
            if event["before"] is None:  # the section above shows the tensor
                shown = [Piece(text=f"\u2192 {target}")]
            else:
                shown = self._sum(event, f"\u2192 {target}")
            return [(say("label_accumulate"), shown)]
        if kind == "leaf_gradient":
            leaf = printable(f"{self.transcript.leaves[event['node']]}.grad")
            if event["before"] is None:
                return [(leaf, [Piece(text="None \u2192"), self._value(event["after"])])]
            return [(leaf, self._sum(event, ""))]
        if kind == "free":
            names = [Piece(text=printable(name)) for name in event["names"]]
            return [(say("label_free"), names)]
        return [(say("label_error"), [Piece(text=printable(event["message"]), bad=True)])]

    def _sum(self, event: EventData, title: str) -> list[Piece]:
        """A gradient before, the gradient that arrives, and their sum."""
        signs = (",", "\u2192") if event.get("no_sum") else ("+", "=")
        before, added = self._value(event["before"], title), self._value(event["added"])
        return [
            *(before, Piece(text=signs[0]), added, Piece(text=signs[1])),
            self._value(event["after"]),
        ]

    def _saved(self, event: EventData) -> list[Piece]:
        pieces = []
        for saved in event["saved"]:
            name = self.nodes[saved["node"]]["name"] if "node" in saved else saved["name"]
            changed = saved["version"] != saved["expected"]
            version = f"v{saved['expected']}" + (f" \u2192 v{saved['version']}" if changed else "")
            title = f"{printable(name)}  {version}"
            pieces.append(Piece(value=saved["value"], title=title, bad=changed))
        packed = event.get("packed", ())
        say = self.transcript.say
        return pieces + [Piece(text=printable(say("saved_packed", name=name))) for name in packed]

    def _values(self, places: list[int | None]) -> list[Piece]:
        return [self._value(place) for place in places]

    def _value(self, place: int | None, title: str = "") -> Piece:
        if place is None:
            return Piece(text=self.transcript.say("nothing"))
        return Piece(value=place, title=title)


def _has_signs(pieces: list[Piece]) -> bool:
    return any(piece.text in SIGNS for piece in pieces)
