"""Turn a recording into the payload: everything that the stepper shows, as JSON.

Numbers go into one list, equal ones once. Every event gets its sentence. Events are grouped into
steps, one for each time a node runs. payload.py describes the result; transcript.py writes it as
text.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress

import numpy as np

from minigrad.autograd.events import (
    Accumulate,
    Error,
    Event,
    Formula,
    Forward,
    Free,
    Hook,
    LeafGradient,
    Reduce,
    SavedValue,
    Seed,
    Start,
    Value,
)

from ..model.collector import uncollected
from ..model.graph_model import Edge, Node
from ..model.rules import mathml, plain
from ..model.scalars import Scalar, count_of, scalar_text
from ..model.sources import Sources
from ..picture.forward import operation_name
from ..picture.graphviz import LayoutError, NoGraphviz
from ..picture.placement import TooLarge
from ..texts.numerals import FEW, ValueData, shape_text, value_data, value_text
from ..texts.sentences import sentences
from .memory_lane import add_memory
from .payload import (
    EdgeData,
    EventData,
    EventKind,
    FileData,
    FrameData,
    LetterData,
    LineData,
    NodeData,
    Payload,
    SavedData,
    ScalarData,
    StepData,
)
from .payload_pictures import Illustrated, illustrated, with_picture
from .record import NodeFacts, Recording
from .wire import BEGIN, END, Caption

MARKS = re.compile(f"{BEGIN}(\\d+){END}")


@uncollected()
def payload(recording: Recording) -> Payload:
    """Return the payload of a recording."""
    data = PayloadBuilder(recording).build()
    if recording.lane is not None:
        add_memory(data, recording.lane)
    if recording.reason:
        data["events"][-1]["reason"] = recording.reason
    return data


def with_pictures(data: Payload, recording: Recording) -> Illustrated:
    """Return a payload with its pictures, if they can be drawn."""
    with suppress(NoGraphviz, ImportError, TooLarge, LayoutError):
        return illustrated(
            data, recording.model, recording.frames, recording.fold, recording.layout
        )
    return with_picture(data, "")


def node_titles(nodes: Sequence[Node]) -> dict[str, str]:
    """Return a title for each node: its name, and what tells it from others of that name.

    That is the name of its result, or of its module, or its id where neither is enough.
    """
    functions = [node for node in nodes if node.kind == "function"]
    same = Counter([node.name for node in functions])
    known = {node.id: node.variable or module_name(node) or node.id for node in functions}
    alike = Counter([(node.name, known[node.id]) for node in functions])
    titles = {node.id: node.name for node in nodes}
    for node in functions:
        which = known[node.id]
        if alike[node.name, which] > 1:
            which = f"{which}, {node.id}"
        if same[node.name] > 1:
            titles[node.id] = f"{node.name} ({which})"
    return titles


def module_name(node: Node) -> str | None:
    """A module's path, unless it is only a number, such as the "2" of a Sequential."""
    return None if node.module is None or node.module.isdigit() else node.module


def saved_name(node: Node) -> str:
    """The name of a node, with the variable that was saved; its numbers are shown next to it."""
    return f"{node.name} = {node.variable}" if node.kind == "saved" and node.variable else node.name


def is_no_sum(event: Accumulate | LeafGradient) -> bool:
    """Whether a custom engine did something other than add the gradients."""
    before, added, after = (value and value.data for value in event[-3:])
    if before is None or added is None or after is None:
        return False
    return not np.allclose(before + added, after, rtol=1e-4, atol=1e-6, equal_nan=True)


def scalar_data(scalar: Scalar) -> ScalarData:
    """A number that a node holds, as JSON; one that is not finite is text alone."""
    data = ScalarData(name=scalar.name, text=scalar_text(scalar.value))
    if scalar.letter:
        data["letter"] = scalar.letter
    if isinstance(scalar.value, int | float) and math.isfinite(scalar.value):
        data["value"] = scalar.value
    return data


def edge_data(edge: Edge) -> EdgeData:
    data = EdgeData(id=edge.id, kind=edge.kind, source=edge.source, target=edge.target)
    if edge.slot is not None:
        data["slot"] = edge.slot
    if edge.index is not None:
        data["index"] = edge.index
    return data


def identity(value: Value) -> object:
    """Return a key that two values share if all that is shown of them is the same."""
    if value.data is None:
        return json.dumps(value_data(value))
    return value.shape, value.dtype, value.data.dtype, value.data.tobytes()


def new_event(kind: EventKind, node: str, step: int) -> EventData:
    """An event without its values and its caption."""
    return EventData(kind=kind, node=node, step=step, caption="")


class PayloadBuilder:
    """The payload of one recording."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.language = recording.language
        self.sentences = sentences(recording.language, "step")
        self.own = recording.engine == "own"
        model = recording.model
        self.nodes = {node.id: node for node in model.nodes}
        self.saved_ids = {
            (node.owner, node.name): node.id for node in model.nodes if node.kind == "saved"
        }
        self.leaf_names = {node.owner: node.name for node in model.nodes if node.kind == "leaf"}
        self.titles = node_titles(model.nodes)
        self.roots = {
            (edge.target, edge.index): self.nodes[edge.source].name
            for edge in reversed(model.edges)
            if edge.kind == "root"
        }
        self.values: list[ValueData] = []
        self.places: dict[object, int] = {}  # a value's `identity` -> its place in `values`
        # The recording keeps its values alive, so their identities are unique.
        self.data: dict[int, ValueData] = {}
        self.place_of: dict[int, int] = {}
        self.texts: dict[int, str] = {}
        self.spoken: dict[int, Value] = {}  # values whose numbers a sentence names, by identity
        self.saved_values: dict[str, int] = {}  # saved node's id -> its value, once it was read
        self.incoming: dict[str, tuple[int, ...]] = {}  # node's id -> its gradient's shape
        self.counts: dict[str, int] = {}  # node's id -> inputs averaged in each result
        self.sources = Sources(recording.language)

    def build(self) -> Payload:
        events, steps = self.build_events()
        payload = Payload(
            version=1,
            language=self.language,
            nodes=[self.node_data(node) for node in self.recording.model.nodes],
            edges=[edge_data(edge) for edge in self.recording.model.edges],
            values=self.values,
            files=[],
            events=events,
            steps=steps,
        )
        if frames := self.recording.frames.frames:
            payload["frames"] = [
                FrameData(id=each.id, kind=each.kind, name=each.name, parent=each.parent)
                for each in frames
            ]
        if self.recording.fold is not None:
            payload["fold"] = self.recording.fold
        if self.recording.show is not None:
            payload["show"] = list(self.recording.show)
        if self.recording.rehearsal:
            payload["rehearsal"] = True
        if self.is_without_lines():
            payload["note"] = self.say("without_lines")
        for file in self.sources.files():
            shown = FileData(name=file.name, first=file.first, lines=file.lines)
            if file.cut:
                shown["cut"] = True
            payload["files"].append(shown)
        return payload

    def is_without_lines(self) -> bool:
        """Whether PyTorch, which remembers no lines, computed this graph without `watch`."""
        facts = self.recording.facts
        lines = [facts[id].line for id, node in self.nodes.items() if node.kind == "function"]
        return self.recording.engine == "pytorch" and not any(lines)

    # --- The graph

    def node_data(self, node: Node) -> NodeData:
        data = NodeData(
            id=node.id, kind=node.kind, name=saved_name(node), label="\n".join(node.lines)
        )
        if node.shape is not None:
            data["shape"] = list(node.shape)
        if node.dtype is not None:
            data["dtype"] = node.dtype
        if node.version is not None:
            data["version"] = node.version
        if node.owner is not None:
            data["owner"] = node.owner
        if node.id in self.recording.frames.home:
            data["frame"] = self.recording.frames.home[node.id]
        if node.id in self.recording.leaves:
            data["value"] = self.place(self.recording.leaves[node.id])
        if node.id in self.recording.results:
            data["value"] = self.place(self.recording.results[node.id])
        if node.id in self.recording.gradients:
            (data["gradient"],) = self.places_of((self.recording.gradients[node.id],))
        if node.id in self.saved_values:
            data["value"] = self.saved_values[node.id]
        if node.id in self.recording.facts:
            self.add_facts(data, node, self.recording.facts[node.id])
        return data

    def add_facts(self, data: NodeData, node: Node, facts: NodeFacts) -> None:
        """Add a node's rule with its numbers and letters, its module and its line."""
        if facts.rule:
            data["rule"], data["rule_text"] = mathml(facts.rule), plain(facts.rule)
            scalars = [*facts.scalars]
            if count := self.counts.get(node.id):
                scalars += count_of(data["name"], scalars, count)
            if scalars:
                data["scalars"] = list(map(scalar_data, scalars))
            if facts.letters:
                data["letters"] = [LetterData(letter=a, saved=name) for a, name in facts.letters]
        if facts.own_rule:
            data["rule_text"] = facts.own_rule
        if node.module is not None:
            data["module"] = node.module
        line = facts.line or self.recording.last_lines.get(node.id)
        if line is not None and (place := self.sources.place(line)):
            data["line"] = LineData(file=place.file, line=place.line)

    # --- The events

    def build_events(self) -> tuple[list[EventData], list[StepData]]:
        """Return the events as JSON, and the steps that they form."""
        events: list[EventData] = []
        steps: list[StepData] = []
        passes = 0
        seeding = False
        for event in self.recording.events:
            node = event.node
            is_seed = isinstance(event, Seed)
            title = None
            if isinstance(event, Forward):
                title = self.operation_title(node)
            elif is_seed and not seeding:
                passes += 1
                several = self.recording.passes > 1
                title = self.say("seed_again", number=passes) if several else self.say("seed_title")
            elif not is_seed and (seeding or not steps or steps[-1]["node"] != node):
                title = self.titles[node]
            if title is not None:
                steps.append(StepData(node=node, title=title, first=len(events), last=0))
            seeding = is_seed
            events.append(self.event_data(event, node, len(steps) - 1))
            if isinstance(event, Forward):
                self.name_numbers(events[-1])
                events.append(self.result_data(event, node, len(steps) - 1))
            self.name_numbers(events[-1])
            steps[-1]["last"] = len(events) - 1
        return events, steps

    def event_data(self, event: Event, node: str, step: int) -> EventData:
        match event:
            case Forward():
                return self.forward_data(event, node, step)
            case Seed():
                return self.seed_data(event, node, step)
            case Start():
                return self.start_data(event, node, step)
            case Hook():
                return self.hook_data(event, node, step)
            case Formula():
                return self.formula_data(event, node, step)
            case Reduce():
                return self.reduce_data(event, node, step)
            case Accumulate():
                return self.accumulate_data(event, node, step)
            case LeafGradient():
                return self.leaf_gradient_data(event, node, step)
            case Free():
                return self.free_data(event, node, step)
        assert isinstance(event, Error)
        return self.error_data(event, node, step)

    def formula_data(self, event: Formula, node: str, step: int) -> EventData:
        # A formula may return a gradient for a constant, which no edge leads to.
        inputs = self.recording.facts[node].inputs
        needed = [*inputs, *[True] * (len(event.outgoing) - len(inputs))]
        outgoing = [
            g if wanted else None for g, wanted in zip(event.outgoing, needed, strict=False)
        ]
        if outgoing and outgoing[0] is not None and node in self.incoming:
            wide, narrow = map(math.prod, (outgoing[0].shape, self.incoming[node]))
            self.counts[node] = wide // max(narrow, 1)
        data = new_event("formula", node, step)
        data["outgoing"] = self.places_of(outgoing)
        data["caption"] = self.say("formula", outgoing=self.list_outgoing(outgoing))
        return data

    def reduce_data(self, event: Reduce, node: str, step: int) -> EventData:
        before, after = (
            shape_text(value.shape, self.language) for value in (event.before, event.after)
        )
        data = new_event("reduce", node, step)
        data["index"] = event.index
        data["before"] = self.place(event.before)
        data["after"] = self.place(event.after)
        data["caption"] = self.say("reduce", index=event.index, before=before, after=after)
        return data

    def free_data(self, event: Free, node: str, step: int) -> EventData:
        data = new_event("free", node, step)
        data["names"] = list(event.names)
        names = self.say("list_comma").join(event.names)
        data["caption"] = self.say("free", node=self.node_name(node), names=names)
        return data

    def error_data(self, event: Error, node: str, step: int) -> EventData:
        message = f"{event.type}: {event.message}"
        key = "error_hook" if event.hook else "error"
        data = new_event("error", node, step)
        data["caption"] = self.say(key, node=self.node_name(node), message=message, hook=event.hook)
        data["message"] = message
        if event.hook:
            data["hook"] = event.hook
        return data

    def forward_data(self, event: Forward, node: str, step: int) -> EventData:
        data = new_event("forward", node, step)
        data["inputs"] = self.places_of(event.inputs)
        inputs = self.join_texts(map(self.value_text, event.inputs))
        data["caption"] = self.say("forward", operation=self.operation_title(node), inputs=inputs)
        return data

    def result_data(self, event: Forward, node: str, step: int) -> EventData:
        """An event for the result alone, so that a reader can be asked for it first."""
        data = new_event("result", node, step)
        data["results"] = [self.place(result) for result in event.outputs]
        results = self.join_texts(map(self.value_text, event.outputs))
        data["caption"] = self.say("result", results=results, node=self.node_name(node))
        return data

    def seed_data(self, event: Seed, node: str, step: int) -> EventData:
        data = new_event("seed", node, step)
        data["index"] = event.index
        data["added"] = data["after"] = self.place(event.gradient)
        data["caption"] = self.say(
            "seed",
            root=self.roots[node, event.index],
            gradient=self.value_text(event.gradient),
            node=self.node_name(node),
        )
        return data

    def start_data(self, event: Start, node: str, step: int) -> EventData:
        data = new_event("start", node, step)
        data["incoming"] = self.places_of(event.incoming)
        if event.incoming and event.incoming[0] is not None:
            self.incoming[node] = event.incoming[0].shape
        data["saved"] = [
            self.saved_data(s, s.value, node) for s in event.saved if s.value is not None
        ]
        if packed := [saved.name for saved in event.saved if saved.value is None]:
            data["packed"] = packed
        incoming = self.join_texts(self.value_text(g) for g in event.incoming)
        # A custom engine may run a node before everything has arrived.
        own = "own_" if self.own else ""
        if leaf := self.leaf_names.get(node):
            data["caption"] = self.say(
                "start_leaf", node=self.node_name(node), leaf=leaf, incoming=incoming
            )
        elif event.saved:
            saved = self.say("list_comma").join(self.saved_text(s, node) for s in event.saved)
            data["caption"] = self.say(
                f"{own}start_saved", node=self.node_name(node), incoming=incoming, saved=saved
            )
        else:
            data["caption"] = self.say(f"{own}start", node=self.node_name(node), incoming=incoming)
        return data

    def saved_data(self, saved: SavedValue, value: Value, node: str) -> SavedData:
        place = self.place(value)
        data = SavedData(
            name=saved.name, value=place, expected=saved.expected, version=saved.version
        )
        if (tensor := self.saved_ids.get((node, saved.name))) is not None:
            data["node"] = tensor
            self.saved_values[tensor] = place
        return data

    def saved_text(self, saved: SavedValue, node: str) -> str:
        if saved.value is None:
            return self.say("saved_packed", name=saved.name)
        tensor = self.saved_ids.get((node, saved.name))
        return self.say(
            "saved_as" if saved.version == saved.expected else "saved_changed",
            name=saved_name(self.nodes[tensor]) if tensor else saved.name,
            value=self.value_text(saved.value),
            expected=saved.expected,
            version=saved.version,
        )

    def hook_data(self, event: Hook, node: str, step: int) -> EventData:
        data = new_event("hook", node, step)
        data["hook"] = f"{event.kind}: {event.name}" if event.name else event.kind
        if event.kind == "node_post":
            data["outgoing"] = self.places_of(event.after)
        elif event.kind != "post_accumulate":
            data["incoming"] = self.places_of(event.after)
        before, after = (
            self.join_texts(map(self.value_text, side)) for side in (event.before, event.after)
        )
        key = "hook"
        if event.kind == "retain_grad":
            key = "retain_grad"
        elif event.kind == "post_accumulate":
            same = self.places_of(event.before) == self.places_of(event.after)
            key = "hook_leaf" if same else "hook_leaf_changed"
        elif self.places_of(event.before) == self.places_of(event.after):
            key = "hook_same"
        data["caption"] = self.say(key, hook=data["hook"], before=before, after=after)
        return data

    def accumulate_data(self, event: Accumulate, node: str, step: int) -> EventData:
        target = event.target
        data = new_event("accumulate", node, step)
        data["slot"], data["target"], data["index"] = event.edge, target, event.index
        data["before"] = None if event.before is None else self.place(event.before)
        data["added"], data["after"] = self.place(event.added), self.place(event.after)
        first = "own_first" if self.own else "first"
        key = first if event.before is None else "sum"
        if self.own and is_no_sum(event):
            data["no_sum"], key = True, "no_sum"
        data["caption"] = self.say(
            key,
            added=self.value_text(event.added),
            target=self.node_name(target),
            before=self.value_text(event.before),
            after=self.value_text(event.after),
        )
        return data

    def leaf_gradient_data(self, event: LeafGradient, node: str, step: int) -> EventData:
        data = new_event("leaf_gradient", node, step)
        data["before"] = None if event.before is None else self.place(event.before)
        data["added"], data["after"] = self.place(event.added), self.place(event.after)
        key = "leaf_first" if event.before is None else "leaf_sum"
        if self.own and is_no_sum(event):
            data["no_sum"], key = True, "leaf_no_sum"
        data["caption"] = self.say(
            key,
            leaf=self.leaf_names[node],
            added=self.value_text(event.added),
            before=self.value_text(event.before),
            after=self.value_text(event.after),
        )
        return data

    # --- Words and numbers

    def say(self, key: str, **parts: object) -> str:
        return self.sentences[key].format_map(parts)

    def join_texts(self, texts: Iterable[str]) -> str:
        return self.say("comma").join(texts) or self.say("nothing")

    def node_name(self, node: str) -> str:
        """A node in a sentence; an AccumulateGrad with its leaf, since all have the same name."""
        leaf = self.leaf_names.get(node)
        if leaf is None:
            return self.titles[node]
        return self.say("accumulate_of", name=self.nodes[node].name, leaf=leaf)

    def operation_title(self, node: str) -> str:
        """The operation that made the node, and the names of its results."""
        known = self.nodes[node]
        names = [result.variable for result in known.results] or [known.variable]
        return " ".join([operation_name(known.name), *(f"({n})" for n in names if n)])

    def value_text(self, value: Value | None) -> str:
        """A value in a sentence: a mark until `name_numbers`."""
        if value is None:
            return self.say("nothing")
        self.spoken[id(value)] = value
        return f"{BEGIN}{id(value)}{END}"

    def name_numbers(self, event: EventData) -> None:
        """Write the numbers of values into an event's sentence.

        A page names those of small tensors itself, from the index of the value.
        """
        said = event["caption"]
        if BEGIN not in said:
            return
        caption = Caption(MARKS.sub(self.number_text, said))
        caption.marked = MARKS.sub(self.number_mark, said)
        event["caption"] = caption

    def number_text(self, mark: re.Match[str]) -> str:
        value = self.spoken.get(int(mark[1]))
        if value is None:  # a name in the program looks like a mark
            return mark[0]
        text = self.texts.get(id(value))
        if text is None:
            text = self.texts[id(value)] = value_text(self.value_data(value), self.language)
        return text

    def number_mark(self, mark: re.Match[str]) -> str:
        value = self.spoken.get(int(mark[1]))
        place = self.place_of.get(int(mark[1]))
        if value is None or place is None or value.data is None or value.data.size > FEW:
            return self.number_text(mark)
        return f"{BEGIN}{place}{END}"

    def list_outgoing(self, outgoing: Sequence[Value | None]) -> str:
        return self.join_texts(
            self.say("nothing_for_input", index=index)
            if value is None
            else self.say("for_input", value=self.value_text(value), index=index)
            for index, value in enumerate(outgoing)
        )

    def value_data(self, value: Value) -> ValueData:
        if id(value) not in self.data:
            self.data[id(value)] = value_data(value)
        return self.data[id(value)]

    def place(self, value: Value) -> int:
        """The place of `value` in the payload's list. Equal values share one."""
        place = self.place_of.get(id(value))
        if place is None:
            place = self.places.setdefault(identity(value), len(self.values))
            if place == len(self.values):
                self.values.append(self.value_data(value))
            self.place_of[id(value)] = place
        return place

    def places_of(self, values: Iterable[Value | None]) -> list[int | None]:
        return [None if value is None else self.place(value) for value in values]
