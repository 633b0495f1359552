"""From a graph and a recording to the payload: everything that the stepper will show, in plain
JSON.

A recording is a list of events that name autograd's own node objects; a model names nodes by ids.
Here the two meet: events become JSON with ids, numbers go into one list (equal ones once), every
event gets its sentence, and events are grouped into turns, one for each time a node runs. Events of
nodes outside the graph (a hook may run a backward pass of its own) are left out.

Read payload.py for the result's shape; transcript.py writes it as text.
"""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from minigrad.autograd.events import (
    Accumulate,
    CodeLine,
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

from ..model.graph_model import Node, Walk
from ..model.lines import line_of
from ..model.own_engines import OwnNode, own_rule
from ..model.pytorch_passes import is_pytorch
from ..model.rules import mathml, plain, rule_of
from ..model.scalars import Scalar, count_of, letters_of, scalar_text, scalars_of
from ..model.sources import Sources
from ..picture.forward import operation_name
from ..texts.language import Language
from ..texts.numerals import ValueData, shape_text, value_data, value_text
from ..texts.sentences import say
from .payload import (
    EdgeData,
    EventData,
    EventKind,
    FileData,
    LetterData,
    LineData,
    NodeData,
    Payload,
    SavedData,
    ScalarData,
    StepData,
)


def frames(
    walk: Walk,
    events: Iterable[Event],
    *,
    leaves: dict[str, Value],
    gradients: Mapping[str, Value | None] = MappingProxyType({}),
    svg: str,
    language: Language = "en",
    rehearsal: bool = False,
    last_lines: Mapping[str, CodeLine | None] = MappingProxyType({}),
) -> Payload:
    """The payload for one backward pass, or several, over the graph of `walk`.

    `leaves` gives the numbers of the roots and of the leaves (by id) as they were before the pass,
    `gradients` those of the leaves' `.grad`.
    A `rehearsal` has put every `.grad` back since. `last_lines` gives the lines of the nodes behind
    the roots, for those that do not remember theirs.
    """
    return _Frames(walk, language, last_lines).payload(
        list(events), leaves, gradients, svg, rehearsal
    )


def titles(nodes: Sequence[Node]) -> dict[str, str]:
    """What to call each node: its name, and where several have the same, its result's name, or its
    module, as well; its id where that is not enough.
    """
    functions = [node for node in nodes if node.kind == "function"]
    same = Counter(node.name for node in functions)
    known = {node.id: node.variable or _module_name(node) or node.id for node in functions}
    alike = Counter((node.name, known[node.id]) for node in functions)
    found = {node.id: node.name for node in nodes}
    for node in functions:
        which = known[node.id]
        if alike[node.name, which] > 1:
            which = f"{which}, {node.id}"
        if same[node.name] > 1:
            found[node.id] = f"{node.name} ({which})"
    return found


def _module_name(node: Node) -> str | None:
    """A module's path that can be told from a number: not the "2" of a Sequential."""
    return None if node.module is None or node.module.isdigit() else node.module


def _passes(events: Sequence[Event]) -> int:
    """How many backward passes these are: each begins with one seed or several."""
    seeds = [isinstance(event, Seed) for event in events]
    return sum(now and not before for before, now in zip([False, *seeds], seeds, strict=False))


def _saved_name(node: Node) -> str:
    """A node's name, with the variable that was saved; its numbers stand beside it anyway."""
    return f"{node.name} = {node.variable}" if node.kind == "saved" and node.variable else node.name


def is_no_sum(event: Accumulate | LeafGradient) -> bool:
    """Does an engine of the reader's own do something else than to add what arrives?"""
    before, added, after = (value and value.data for value in event[-3:])
    if not isinstance(event.node, OwnNode) or before is None or added is None or after is None:
        return False
    return not np.allclose(before + added, after, rtol=1e-4, atol=1e-6, equal_nan=True)


def scalar_data(scalar: Scalar) -> ScalarData:
    """A number that a node holds as JSON; one that is not finite travels as text alone."""
    data = ScalarData(name=scalar.name, text=scalar_text(scalar.value))
    if scalar.letter:
        data["letter"] = scalar.letter
    if isinstance(scalar.value, int | float) and math.isfinite(scalar.value):
        data["value"] = scalar.value
    return data


def begun(kind: EventKind, node: str, step: int) -> EventData:
    """An event of which nothing is said yet."""
    return EventData(kind=kind, node=node, step=step, caption="")


class _Frames:
    def __init__(
        self, walk: Walk, language: Language, last_lines: Mapping[str, CodeLine | None]
    ) -> None:
        self.walk = walk
        self.last_lines = last_lines
        self.language = language
        self.nodes = {node.id: node for node in walk.model.nodes}
        self.ids = {id(thing): name for name, thing in walk.objects.items()}
        self.saved_ids = {
            (node.owner, node.name): node.id for node in walk.model.nodes if node.kind == "saved"
        }
        self.leaf_names = {
            node.owner: node.name for node in walk.model.nodes if node.kind == "leaf"
        }
        self.titles = titles(walk.model.nodes)
        self.roots = {
            (edge.target, edge.index): self.nodes[edge.source].name
            for edge in reversed(walk.model.edges)
            if edge.kind == "root"
        }
        self.values: list[ValueData] = []
        self.places: dict[str, int] = {}  # a value's JSON -> its place in `values`
        self.saved_values: dict[str, int] = {}  # saved node's id -> its value, once it was read
        self.incoming: dict[str, tuple[int, ...]] = {}  # node's id -> its gradient's shape
        self.counts: dict[str, int] = {}  # node's id -> how many inputs there are to a result
        self.sources = Sources(language)

    def payload(
        self,
        events: Sequence[Event],
        leaves: dict[str, Value],
        gradients: Mapping[str, Value | None],
        svg: str,
        rehearsal: bool,
    ) -> Payload:
        told, steps = self.tell(events)
        payload = Payload(
            version=1,
            language=self.language,
            svg=svg,
            nodes=[self.node_data(node, leaves, gradients) for node in self.walk.model.nodes],
            edges=[self.edge_data(edge) for edge in self.walk.model.edges],
            values=self.values,
            files=[],
            events=told,
            steps=steps,
        )
        if rehearsal:
            payload["rehearsal"] = True
        if self.without_lines():
            payload["note"] = self.say("without_lines")
        for file in self.sources.files():
            shown = FileData(name=file.name, first=file.first, lines=file.lines)
            if file.cut:
                shown["cut"] = True
            payload["files"].append(shown)
        return payload

    def without_lines(self) -> bool:
        """Has nobody looked on while PyTorch, which remembers no lines, made this graph?"""
        things = self.walk.objects
        functions = [things[id] for id, node in self.nodes.items() if node.kind == "function"]
        return is_pytorch(things[self.walk.model.root.id]) and not any(map(line_of, functions))

    # --- The graph

    def node_data(
        self, node: Node, leaves: dict[str, Value], gradients: Mapping[str, Value | None]
    ) -> NodeData:
        data = NodeData(
            id=node.id, kind=node.kind, name=_saved_name(node), label="\n".join(node.lines)
        )
        if node.shape is not None:
            data["shape"] = list(node.shape)
        if node.dtype is not None:
            data["dtype"] = node.dtype
        if node.version is not None:
            data["version"] = node.version
        if node.owner is not None:
            data["owner"] = node.owner
        if node.id in leaves:
            data["value"] = self.value(leaves[node.id])
        if node.id in gradients:
            (data["gradient"],) = self.values_of((gradients[node.id],))
        if node.id in self.saved_values:
            data["value"] = self.saved_values[node.id]
        if node.kind in ("function", "accumulate"):
            thing = self.walk.objects[node.id]
            if rule := rule_of(thing):
                data["rule"], data["rule_text"] = mathml(rule), plain(rule)
                self.explain(data, thing)
            if isinstance(thing, OwnNode) and node.kind == "function":
                if written := own_rule(thing):
                    data["rule_text"] = written
            if node.module is not None:
                data["module"] = node.module
            line = line_of(thing) or self.last_lines.get(node.id)
            if line is not None and (place := self.sources.place(line)):
                data["line"] = LineData(file=place.file, line=place.line)
        return data

    def explain(self, data: NodeData, thing: Any) -> None:
        """What the letters of the rule stand for, and the numbers that the node holds."""
        scalars = scalars_of(thing)
        if count := self.counts.get(data["id"]):
            scalars += count_of(data["name"], scalars, count)
        if scalars:
            data["scalars"] = list(map(scalar_data, scalars))
        if letters := letters_of(thing):
            data["letters"] = [LetterData(letter=a, saved=name) for a, name in letters]

    @staticmethod
    def edge_data(edge: Any) -> EdgeData:
        data = EdgeData(id=edge.id, kind=edge.kind, source=edge.source, target=edge.target)
        if edge.slot is not None:
            data["slot"] = edge.slot
        if edge.index is not None:
            data["index"] = edge.index
        return data

    # --- The events

    def tell(self, events: Sequence[Event]) -> tuple[list[EventData], list[StepData]]:
        """The events as JSON, and the turns that they make up."""
        told: list[EventData] = []
        steps: list[StepData] = []
        passes = 0
        several = _passes(events) > 1
        seeding = False
        for event in events:
            node = self.ids.get(id(event.node))
            if node is None or (isinstance(event, Accumulate) and id(event.target) not in self.ids):
                continue
            is_seed = isinstance(event, Seed)
            if isinstance(event, Forward):
                title = self.operation(node)
                steps.append(StepData(node=node, title=title, first=len(told), last=0))
            elif is_seed and not seeding:
                passes += 1
                title = self.say("seed_again", number=passes) if several else self.say("seed_title")
                steps.append(StepData(node=node, title=title, first=len(told), last=0))
            elif not is_seed and (seeding or not steps or steps[-1]["node"] != node):
                title = self.titles[node]
                steps.append(StepData(node=node, title=title, first=len(told), last=0))
            seeding = is_seed
            told.append(self.event(event, node, len(steps) - 1))
            if isinstance(event, Forward):
                told.append(self.result(event, node, len(steps) - 1))
            steps[-1]["last"] = len(told) - 1
        return told, steps

    def event(self, event: Event, node: str, step: int) -> EventData:
        match event:
            case Forward():
                return self.forward(event, node, step)
            case Seed():
                return self.seed(event, node, step)
            case Start():
                return self.start(event, node, step)
            case Hook():
                return self.hook(event, node, step)
            case Formula():
                # A formula may give what nobody has asked for: the gradient of a constant.
                edges = self.walk.objects[node].next_functions
                pairs = itertools.zip_longest(event.outgoing, edges[: len(event.outgoing)])
                outgoing = [g if edge is None or edge[0] is not None else None for g, edge in pairs]
                if outgoing and outgoing[0] is not None and node in self.incoming:
                    wide, narrow = map(math.prod, (outgoing[0].shape, self.incoming[node]))
                    self.counts[node] = wide // max(narrow, 1)
                data = begun("formula", node, step)
                data["outgoing"] = self.values_of(outgoing)
                data["caption"] = self.say("formula", outgoing=self.listed(outgoing))
                return data
            case Reduce():
                shapes = (event.before.shape, event.after.shape)
                before, after = (shape_text(shape, self.language) for shape in shapes)
                data = begun("reduce", node, step)
                data["index"] = event.index
                data["before"] = self.value(event.before)
                data["after"] = self.value(event.after)
                data["caption"] = self.say("reduce", index=event.index, before=before, after=after)
                return data
            case Accumulate():
                return self.hand_over(event, node, step)
            case LeafGradient():
                return self.leaf_gradient(event, node, step)
            case Free():
                data = begun("free", node, step)
                data["names"] = list(event.names)
                names = self.say("list_comma").join(event.names)
                data["caption"] = self.say("free", node=self.called(node), names=names)
                return data
        assert isinstance(event, Error)
        message = f"{event.type}: {event.message}"
        key = "error_hook" if event.hook else "error"
        caption = self.say(key, node=self.called(node), message=message, hook=event.hook)
        data = EventData(kind="error", node=node, step=step, caption=caption)
        data["message"] = message
        if event.hook:
            data["hook"] = event.hook
        return data

    def forward(self, event: Forward, node: str, step: int) -> EventData:
        data = begun("forward", node, step)
        data["inputs"] = self.values_of(event.inputs)
        inputs = self.comma(map(self.words, event.inputs))
        data["caption"] = self.say("forward", operation=self.operation(node), inputs=inputs)
        return data

    def result(self, event: Forward, node: str, step: int) -> EventData:
        """What the operation made: an event of its own, so that it can be asked for first."""
        data = begun("result", node, step)
        data["results"] = [self.value(result) for result in event.outputs]
        results = self.comma(map(self.words, event.outputs))
        data["caption"] = self.say("result", results=results, node=self.called(node))
        return data

    def seed(self, event: Seed, node: str, step: int) -> EventData:
        data = begun("seed", node, step)
        data["index"] = event.index
        data["added"] = data["after"] = self.value(event.gradient)
        data["caption"] = self.say(
            "seed",
            root=self.roots[node, event.index],
            gradient=self.words(event.gradient),
            node=self.called(node),
        )
        return data

    def start(self, event: Start, node: str, step: int) -> EventData:
        data = begun("start", node, step)
        data["incoming"] = self.values_of(event.incoming)
        if event.incoming and event.incoming[0] is not None:
            self.incoming[node] = event.incoming[0].shape
        data["saved"] = [self.saved(s, s.value, node) for s in event.saved if s.value is not None]
        if packed := [saved.name for saved in event.saved if saved.value is None]:
            data["packed"] = packed
        incoming = self.comma(self.words(g) for g in event.incoming)
        # An engine of the reader's own may run a node before everything has arrived.
        own = "own_" if isinstance(event.node, OwnNode) else ""
        if leaf := self.leaf_names.get(node):
            data["caption"] = self.say(
                "start_leaf", node=self.called(node), leaf=leaf, incoming=incoming
            )
        elif event.saved:
            saved = self.say("list_comma").join(self.saved_words(s, node) for s in event.saved)
            data["caption"] = self.say(
                f"{own}start_saved", node=self.called(node), incoming=incoming, saved=saved
            )
        else:
            data["caption"] = self.say(f"{own}start", node=self.called(node), incoming=incoming)
        return data

    def saved(self, saved: SavedValue, found: Value, node: str) -> SavedData:
        value = self.value(found)
        data = SavedData(
            name=saved.name, value=value, expected=saved.expected, version=saved.version
        )
        if (tensor := self.saved_ids.get((node, saved.name))) is not None:
            data["node"] = tensor
            self.saved_values[tensor] = value
        return data

    def saved_words(self, saved: SavedValue, node: str) -> str:
        if saved.value is None:
            return self.say("saved_packed", name=saved.name)
        tensor = self.saved_ids.get((node, saved.name))
        return self.say(
            "saved_as" if saved.version == saved.expected else "saved_changed",
            name=_saved_name(self.nodes[tensor]) if tensor else saved.name,
            value=self.words(saved.value),
            expected=saved.expected,
            version=saved.version,
        )

    def hook(self, event: Hook, node: str, step: int) -> EventData:
        data = begun("hook", node, step)
        data["hook"] = f"{event.kind}: {event.name}" if event.name else event.kind
        if event.kind == "node_post":
            data["outgoing"] = self.values_of(event.after)
        elif event.kind != "post_accumulate":
            data["incoming"] = self.values_of(event.after)
        before, after = (self.comma(map(self.words, side)) for side in (event.before, event.after))
        key = "hook"
        if event.kind == "retain_grad":
            key = "retain_grad"
        elif event.kind == "post_accumulate":
            same = self.values_of(event.before) == self.values_of(event.after)
            key = "hook_leaf" if same else "hook_leaf_changed"
        elif self.values_of(event.before) == self.values_of(event.after):
            key = "hook_same"
        data["caption"] = self.say(key, hook=data["hook"], before=before, after=after)
        return data

    def hand_over(self, event: Accumulate, node: str, step: int) -> EventData:
        target = self.ids[id(event.target)]
        data = begun("accumulate", node, step)
        data["slot"], data["target"], data["index"] = event.edge, target, event.index
        data["before"] = None if event.before is None else self.value(event.before)
        data["added"], data["after"] = self.value(event.added), self.value(event.after)
        first = "own_first" if isinstance(event.node, OwnNode) else "first"
        key = first if event.before is None else "sum"
        if is_no_sum(event):
            data["no_sum"], key = True, "no_sum"
        data["caption"] = self.say(
            key,
            added=self.words(event.added),
            target=self.called(target),
            before=self.words(event.before),
            after=self.words(event.after),
        )
        return data

    def leaf_gradient(self, event: LeafGradient, node: str, step: int) -> EventData:
        data = begun("leaf_gradient", node, step)
        data["before"] = None if event.before is None else self.value(event.before)
        data["added"], data["after"] = self.value(event.added), self.value(event.after)
        key = "leaf_first" if event.before is None else "leaf_sum"
        if is_no_sum(event):
            data["no_sum"], key = True, "leaf_no_sum"
        data["caption"] = self.say(
            key,
            leaf=self.leaf_names[node],
            added=self.words(event.added),
            before=self.words(event.before),
            after=self.words(event.after),
        )
        return data

    # --- Words and numbers

    def say(self, key: str, **parts: object) -> str:
        return say(self.language, key, **parts)

    def comma(self, words: Iterable[str]) -> str:
        return self.say("comma").join(words) or self.say("nothing")

    def called(self, node: str) -> str:
        """A node in a sentence: an AccumulateGrad is told apart from others by its leaf."""
        leaf = self.leaf_names.get(node)
        if leaf is None:
            return self.titles[node]
        return self.say("accumulate_of", name=self.nodes[node].name, leaf=leaf)

    def operation(self, node: str) -> str:
        """What left the node, and the result's name where there is one."""
        known = self.nodes[node]
        names = [result.variable for result in known.results] or [known.variable]
        return " ".join([operation_name(known.name), *(f"({n})" for n in names if n)])

    def words(self, value: Value | None) -> str:
        return (
            self.say("nothing") if value is None else value_text(value_data(value), self.language)
        )

    def listed(self, outgoing: Sequence[Value | None]) -> str:
        return self.comma(
            self.say("nothing_for_input", index=index)
            if value is None
            else self.say("for_input", value=self.words(value), index=index)
            for index, value in enumerate(outgoing)
        )

    def value(self, value: Value) -> int:
        """The place of `value` in the payload's list. Equal values share one."""
        data = value_data(value)
        key = json.dumps(data)
        if key not in self.places:
            self.places[key] = len(self.values)
            self.values.append(data)
        return self.places[key]

    def values_of(self, values: Iterable[Value | None]) -> list[int | None]:
        return [None if value is None else self.value(value) for value in values]
