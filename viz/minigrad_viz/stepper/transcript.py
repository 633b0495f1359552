"""A payload as text: the numbered steps of a backward pass, for terminals and tests.

The text depends only on the payload, so it is the same in every run of the same program.
"""

from __future__ import annotations

from ..model.scalars import USUAL
from ..texts.numerals import value_text
from ..texts.printable import columns, printable
from ..texts.sentences import say
from .payload import EventData, Payload, SavedData, StepData

LONGEST = 200
"""The most steps that are written; a longer pass ends with a count of the rest."""

MARGIN = 12
"""Columns for the label of a line."""


def transcript(payload: Payload) -> str:
    """Return a payload as text."""
    return Transcript(payload).text()


class Transcript:
    """The texts for the steps of one payload."""

    def __init__(self, payload: Payload) -> None:
        self.payload = payload
        self.language = payload["language"]
        self.nodes = {node["id"]: node for node in payload["nodes"]}
        self.leaves = {
            node["owner"]: node["name"] for node in payload["nodes"] if node["kind"] == "leaf"
        }
        # Titles of steps tell nodes of the same name apart.
        self.titles = {
            step["node"]: step["title"] for step in payload["steps"] if not self.is_named(step)
        }

    def is_named(self, step: StepData) -> bool:
        """Whether a step is a seed or an operation, which has a title of its own."""
        return self.payload["events"][step["first"]]["kind"] in ("seed", "forward")

    def text(self) -> str:
        steps, events = self.payload["steps"], self.payload["events"]
        names = [node["name"] for node in self.payload["nodes"] if node["kind"] == "root"]
        root = printable(self.say("list_comma").join(names))
        forward = bool(events) and events[0]["kind"] == "forward"
        heading = "heading_both" if forward else "heading"
        lines = [self.say(heading, root=root, turns=len(steps))]
        for number, step in enumerate(steps[:LONGEST], start=1):
            step_events = events[step["first"] : step["last"] + 1]
            if self.is_named(step):
                lines.append(f"{number:3}. {printable(step['title'])}")
            else:
                lines.append(f"{number:3}. {printable(self.node_name(step['node']))}")
            previous = ""
            for event in step_events:
                for label, words in self.facts(event):
                    # Lines of one label show it once.
                    shown = "" if label == previous else label
                    space = " " * max(1, MARGIN - columns(shown))
                    lines.append(f"     {shown}{space}{printable(words)}")
                    previous = label
        if len(steps) > LONGEST:
            lines.append(self.say("more", count=len(steps) - LONGEST))
        if self.payload.get("rehearsal"):
            lines.append(self.say("rehearsal"))
        return "\n".join(lines)

    def facts(self, event: EventData) -> list[tuple[str, str]]:
        """Return what an event adds to the text, as pairs of a label and a text."""
        kind, say = event["kind"], self.say
        if kind == "forward":
            return [(say("label_inputs"), self.values(event["inputs"]))]
        if kind == "result":
            return [(say("label_results"), self.values([*event["results"]]))]
        if kind == "seed":
            given = f"{self.node_name(event['node'])} <- {self.value(event['after'])}"
            return [(say("label_accumulate"), given)]
        if kind == "start":
            facts = [(say("label_incoming"), self.values(event["incoming"]))]
            if event["saved"]:
                facts.append((say("label_saved"), self.saved(event["saved"])))
            for name in event.get("packed", ()):
                facts.append((say("label_saved"), say("saved_packed", name=name)))
            if numbers := self.numbers(event["node"]):
                facts.append((say("label_held"), numbers))
            return facts
        if kind == "reduce":
            before, after = self.value(event["before"]), self.value(event["after"])
            return [(say("label_reduce"), f"{event['index']}: {before} -> {after}")]
        if kind == "accumulate":
            given = f"{self.node_name(event['target'])} <- {self.sum(event)}"
            return [(say("label_accumulate"), given)]
        if kind == "leaf_gradient":
            change = "None -> " if event["before"] is None else ""
            return [(f"{self.leaves[event['node']]}.grad", change + self.sum(event))]
        if kind == "formula":
            return [(say("label_outgoing"), self.values(event["outgoing"]))]
        if kind == "free":
            return [(say("label_free"), ", ".join(event["names"]))]
        if kind == "hook":
            return [(say("label_hook"), event["hook"])]
        hook = f"{event['hook']}: " if "hook" in event else ""
        failed = [(say("label_error"), hook + event["message"])]
        return [*failed, (say("label_reason"), event["reason"])] if "reason" in event else failed

    def say(self, key: str, **parts: object) -> str:
        return say(self.language, key, **parts)

    def numbers(self, node: str) -> str:
        """The numbers that a node computes with besides its tensors."""
        scalars = self.nodes[node].get("scalars", [])
        shown = [s for s in scalars if s["text"] != "1" or s["name"] not in USUAL]
        return ", ".join(f"{each['name']} = {each['text']}" for each in shown)

    def node_name(self, node: str) -> str:
        if node in self.leaves:
            return f"{self.nodes[node]['name']} ({self.leaves[node]})"
        return self.titles.get(node, self.nodes[node]["name"])

    def value(self, place: int | None) -> str:
        if place is None:
            return self.say("nothing")
        return value_text(self.payload["values"][place], self.language)

    def values(self, places: list[int | None]) -> str:
        return ", ".join(map(self.value, places))

    def saved(self, saved: list[SavedData]) -> str:
        words = []
        for each in saved:
            name = self.nodes[each["node"]]["name"] if "node" in each else each["name"]
            key = "saved_as" if each["version"] == each["expected"] else "saved_changed"
            value = self.value(each["value"])
            words.append(
                self.say(
                    key,
                    name=name,
                    value=value,
                    expected=each["expected"],
                    version=each["version"],
                )
            )
        return ", ".join(words)

    def sum(self, event: EventData) -> str:
        after = self.value(event["after"])
        if event["before"] is None:
            return after
        before, added = self.value(event["before"]), self.value(event["added"])
        if event.get("no_sum"):
            return self.say("not_added", before=before, added=added, after=after)
        return f"{before} + {added} = {after}"
