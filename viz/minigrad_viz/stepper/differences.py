"""The differences between two passes, in rows of steps and in sentences.

Numbers are the same if they differ only by rounding: two libraries add in different orders, and so
do two programs. Tensors too large to be recorded are compared by shape, norm, minimum and maximum,
and a sentence says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from minigrad.autograd.events import FULL_VALUE_LIMIT

from ..texts.numerals import Cell, ValueData, shape_text
from ..texts.printable import columns, printable
from ..texts.sentences import say
from .alignment import Alignment, Row, attribute
from .payload import EventData, Mark, NodeData, Payload, RowData
from .transcript import LONGEST, Transcript

ROUNDING: dict[str, tuple[float, float]] = {
    "float16": (2e-2, 5e-3),
    "bfloat16": (1e-1, 4e-2),
    "float32": (1e-5, 5e-7),
    "complex64": (1e-5, 5e-7),
}
"""Tolerances by element type: relative to the larger of two numbers, and to the largest in their
tensors."""

EXACT = (1e-9, 1e-14)
"""The tolerances of all other types."""

MOST = 3
"""At most this many differences of one kind are described, and the others counted."""

WIDEST = 44
"""The most columns of the left half of the text form."""

NONE = "\u2014"
"""Shown in place of something that one pass lacks."""

SIGNS: dict[Mark | None, str] = {None: "=", "differs": "\u2260", "one": "+", "unsure": "?"}
"""The sign before a row of the text form."""


class Item(NamedTuple):
    """A part of an event: its numbers, as indices of values, and its text.

    Two items of the same `what` are compared: their `values`, and `facts` that are not numbers.
    """

    what: tuple[object, ...]
    label: str
    values: list[int | None]
    words: str
    facts: tuple[object, ...] = ()


class Differences:
    """The differences between two passes, which the sentences call by their titles."""

    def __init__(self, one: Payload, other: Payload, titles: Sequence[str]) -> None:
        self.passes = (one, other)
        self.language = one["language"]
        self.titles = [self.say("pair_title", title=title) for title in titles]
        self.transcripts = (Transcript(one), Transcript(other))
        self.aligned = Alignment(one, other)
        self.graphs = self.aligned.graphs
        self.estimated = False
        """Whether tensors were compared whose numbers are not all known."""
        self.back = {there: here for here, there in self.aligned.partner.items()}
        rows = [self._compare_row(row) for row in self.aligned.rows]
        self.rows = [data for data, _ in rows]
        self.marks = (self._mark_nodes(0), self._mark_nodes(1))
        unlike = (place for place, (_, differs) in enumerate(rows) if differs)
        self.first: int | None = next(unlike, None)
        """The index of the first row that differs."""
        self.sentences = [printable(sentence) for sentence in self._describe()]

    def say(self, key: str, **parts: object) -> str:
        return say(self.language, key, **parts)

    # --- Rows

    def _compare_row(self, row: Row) -> tuple[RowData, bool]:
        """Return a row for the payload, and whether it differs."""
        left, right = row
        data = RowData(steps=[left, right])
        if left is None or right is None:
            side, place = (0, left) if left is not None else (1, right)
            assert place is not None
            if self._is_unsure(side, place):
                return self._mark_row(data, "unsure", self.say("pair_row_unsure")), True
            only = self.say("pair_row_one", step=self.title(side, place), title=self.titles[side])
            return self._mark_row(data, "one", only), True
        unlike = [
            (mine, its)
            for mine, its in self._pair_items(left, right)
            if not (
                mine and its and mine.facts == its.facts and self._same(mine.values, its.values)
            )
        ]
        other = self._is_other(left, right)
        if self._is_unsure(0, left) or self._is_unsure(1, right):
            self._mark_row(data, "unsure", self.say("pair_row_unsure"))
        elif other:
            one, second = self.title(0, left), self.title(1, right)
            self._mark_row(data, "differs", self.say("pair_row_other", one=one, second=second))
        elif unlike:
            self._mark_row(data, "differs", self._describe_items(unlike))
        return data, bool(other or unlike)

    def _mark_row(self, data: RowData, mark: Mark, text: str) -> RowData:
        data["mark"], data["said"] = mark, printable(text)
        return data

    def _is_unsure(self, side: int, place: int) -> bool:
        seed = self._events(side, place)[0]["kind"] == "seed"
        return not seed and self._node(side, place) in self.aligned.unsure[side]

    def _node(self, side: int, place: int) -> str:
        return self.passes[side]["steps"][place]["node"]

    def _is_other(self, left: int, right: int) -> bool:
        """Whether two steps in a row are of different nodes."""
        steps = self.passes[0]["steps"][left], self.passes[1]["steps"][right]
        kinds = [
            payload["events"][step["first"]]["kind"]
            for payload, step in zip(self.passes, steps, strict=True)
        ]
        if "seed" in kinds:
            return kinds[0] != kinds[1]
        return self.aligned.partner.get(steps[0]["node"]) != steps[1]["node"]

    def _pair_items(self, left: int, right: int) -> Iterator[tuple[Item | None, Item | None]]:
        """Yield the items of two steps in pairs; None if one step lacks the item."""
        mine, its = self._items_by_what(0, left), self._items_by_what(1, right)
        _drop_reductions(mine, its)
        _drop_reductions(its, mine)
        _drop_unread(mine, its)
        _drop_unread(its, mine)
        for what in dict.fromkeys([*mine, *its]):
            yield mine.get(what), its.get(what)

    def _items_by_what(self, side: int, place: int) -> dict[tuple[object, ...], Item]:
        events = self._events(side, place)
        return {item.what: item for event in events for item in self._items(side, event)}

    def _events(self, side: int, place: int) -> list[EventData]:
        step = self.passes[side]["steps"][place]
        return self.passes[side]["events"][step["first"] : step["last"] + 1]

    def _items(self, side: int, event: EventData) -> Iterator[Item]:
        kind, transcript = event["kind"], self.transcripts[side]
        label, words = transcript.facts(event)[0]
        if kind in ("start", "forward", "result", "formula"):
            field = {"start": "incoming", "forward": "inputs", "result": "results"}
            values: list[int | None] = [*event[field.get(kind, "outgoing")]]  # type: ignore[literal-required]
            for place, value in enumerate(values):
                yield Item((kind, place), label, [value], transcript.value(value))
        if kind == "start":
            for saved in event["saved"]:
                name = attribute(saved["name"])
                facts = (saved["version"] == saved["expected"], saved["version"])
                words = transcript.saved([saved])
                yield Item(
                    ("saved", name), transcript.say("label_saved"), [saved["value"]], words, facts
                )
            if numbers := transcript.numbers(event["node"]):
                yield Item(("held",), transcript.say("label_held"), [], numbers, (numbers,))
            for name in event.get("packed", ()):
                words = transcript.say("saved_packed", name=name)
                yield Item(("packed", name), transcript.say("label_saved"), [], words)
        elif kind == "seed":
            seeded = (kind, self._shared_key(side, event["node"]), event.get("index"))
            yield Item(seeded, label, [event["after"]], words)
        elif kind == "reduce":
            yield Item((kind, event["index"]), label, [event["before"], event["after"]], words)
        elif kind == "accumulate":
            what = (kind, self._shared_key(side, event["target"]), event["slot"])
            sums = [event["before"], event["added"], event["after"]]
            yield Item(what, label, sums, words)
        elif kind == "leaf_gradient":
            sums = [event["before"], event["added"], event["after"]]
            yield Item((kind,), label, sums, words)
        elif kind == "free":
            for name in event["names"]:
                yield Item((kind, name), label, [], name)
        elif kind == "hook":
            after = event.get("incoming", event.get("outgoing", []))
            yield Item((kind, event["hook"]), label, [*after], words)
        elif kind == "error":
            yield Item((kind,), label, [], words.partition(". ")[0], (event["message"],))

    def _shared_key(self, side: int, node: str) -> object:
        """Return a key for a node: the same in both passes if they are, or may be, partners."""
        if node in self.aligned.unsure[side]:
            return self.graphs[side].keys.get(node)
        if side == 1:
            return node if node in self.back else (1, node)
        return self.aligned.partner.get(node, (0, node))

    def _describe_items(self, unlike: Sequence[tuple[Item | None, Item | None]]) -> str:
        """Describe items that differ, in the texts of both passes."""
        texts = []
        before = ""
        # A failure comes first: it explains what is missing.
        for mine, its in sorted(unlike, key=lambda pair: ("error",) not in _whats(pair)):
            known = mine or its
            assert known is not None
            left, right = (NONE if each is None else each.words for each in (mine, its))
            if mine and its and left == right:
                left, right = self._exact_texts(mine, its)
            label = "" if known.label == before else f"{known.label} "
            texts.append(f"{label}{left} | {right}")
            before = known.label
        return self._join_first(texts)

    def _exact_texts(self, mine: Item, its: Item) -> tuple[str, str]:
        """Return texts of two items whose rounded numbers look the same."""
        for here, there in zip(mine.values, its.values, strict=False):
            values = self._values(here, there)
            if values is None or self._alike(*values):
                continue
            one, other = values
            if one["shape"] != other["shape"]:
                shapes = (shape_text(tuple(v["shape"]), self.language) for v in values)
                return next(shapes), next(shapes)
            if "data" not in one or "data" not in other:
                return f"{mine.words} ({_extremes(one)})", f"{its.words} ({_extremes(other)})"
            for place, (a, b) in enumerate(zip(one["data"], other["data"], strict=True)):
                if not _equal(a, b, *_tolerance(one, other)):
                    where = _place(place, one["shape"])
                    return f"{where}{a}", f"{where}{b}"
        return mine.words, its.words

    # --- Numbers

    def _values(self, here: int | None, there: int | None) -> tuple[ValueData, ValueData] | None:
        if here is None or there is None:
            return None
        return self.passes[0]["values"][here], self.passes[1]["values"][there]

    def _same(self, here: Sequence[int | None], there: Sequence[int | None]) -> bool:
        if len(here) != len(there):
            return False
        for mine, its in zip(here, there, strict=True):
            values = self._values(mine, its)
            if values is None:
                if mine is not its:
                    return False
            elif not self._alike(*values):
                return False
        return True

    def _alike(self, one: ValueData, other: ValueData) -> bool:
        """Whether the known numbers of two tensors are the same."""
        if one["shape"] != other["shape"]:
            return False
        if ("data" in one) != ("data" in other) or ("summary" in one) != ("summary" in other):
            return False
        tolerance = _tolerance(one, other)
        if "data" in one:
            return all(
                _equal(a, b, *tolerance)
                for a, b in zip(one["data"], other["data"], strict=True)
            )  # fmt: skip
        self.estimated = True
        if "summary" not in one:
            return True
        mine, its = one["summary"], other["summary"]
        return mine["nonfinite"] == its["nonfinite"] and all(
            _equal(a, b, *tolerance)
            for a, b in (
                (mine["min"], its["min"]),
                (mine["max"], its["max"]),
                (mine["norm"], its["norm"]),
            )
        )

    # --- Nodes

    def _mark_nodes(self, side: int) -> dict[str, Mark]:
        """Mark the nodes that the other graph lacks, and those that differ."""
        marks: dict[str, Mark] = {}
        for node in self.passes[side]["nodes"]:
            id = node["id"]
            owner = node.get("owner", id)
            if id in self.aligned.unsure[side] or owner in self.aligned.unsure[side]:
                marks[id] = "unsure"
            elif id not in self.aligned.known[side]:
                marks[id] = "one"
            elif node["kind"] in ("root", "leaf", "saved") and not self._alike_in_both(side, node):
                marks[id] = "differs"
        for row in self.rows:
            place = row["steps"][side]
            if place is None or "mark" not in row:
                continue
            seed = self._events(side, place)[0]["kind"] == "seed"
            if not seed:
                marks.setdefault(self._node(side, place), row["mark"])
        return marks

    def _alike_in_both(self, side: int, node: NodeData) -> bool:
        partner = self.back if side else self.aligned.partner
        second = self.graphs[1 - side].nodes[partner[node["id"]]]
        pair = (second, node) if side else (node, second)
        one, other = (each.get("value") for each in pair)
        if one is None or other is None:
            return True  # a saved tensor that was not read
        return self._same([one], [other])

    # --- Sentences

    def _describe(self) -> Iterator[str]:
        if self.first is None:
            yield self.say("differ_nowhere")
        else:
            yield self.say("differ", number=self.first + 1)
        yield from self._describe_graphs()
        yield from self._describe_leaves()
        yield from self._describe_freeing()
        yield from self._describe_failures()
        yield from self._describe_gradients()
        if self.estimated:
            yield self.say("pair_large", count=FULL_VALUE_LIMIT)

    def _describe_graphs(self) -> Iterator[str]:
        if self.aligned.alike:
            yield self.say("pair_alike", count=len(self.graphs[0].functions))
            return
        joints = [*self._describe_joints()]
        only = [*self._describe_nodes()]
        yield from [*joints, *only] or [self.say("pair_joined")]

    def _describe_nodes(self) -> Iterator[str]:
        """Describe operations and leaves that only one graph has, or that it has more often."""
        for side, title in enumerate(self.titles):
            graph, other = self.graphs[side], self.graphs[1 - side]
            names = (
                self._node_with_line(side, id)
                for id in graph.functions
                if not other.counts[graph.keys[id]]
            )  # fmt: skip
            if nodes := [*names]:
                yield self.say("pair_only", title=title, nodes=self._join_first(nodes))
        for key in dict.fromkeys([*self.graphs[0].counts, *self.graphs[1].counts]):
            one, second = (graph.counts[key] for graph in self.graphs)
            if one and second and one != second:
                those = [id for id, each in self.graphs[0].keys.items() if each == key]
                sure = self.aligned.unsure[0].isdisjoint(those)
                yield self.say(
                    "pair_counted" if sure else "pair_counts",
                    node=self._node_with_line(0, those[0], named=False),
                    one=one,
                    second=second,
                    title=self.titles[0],
                    other=self.titles[1],
                )
        for side, title in enumerate(self.titles):
            graph = self.graphs[side]
            names = (
                leaf["name"]
                for id, leaf in graph.leaves.items()
                if id not in self.aligned.known[side] and id not in self.aligned.unsure[side]
            )
            if leaves := [*dict.fromkeys(names)]:
                yield self.say("pair_leaf_only", title=title, leaves=self._join_first(leaves))

    def _describe_joints(self) -> Iterator[str]:
        """Describe edges of partners that lead to other nodes, or end in one graph."""
        one, other = self.graphs
        texts = []
        for some in one.functions:
            others = self.aligned.partner.get(some)
            if others is None:
                continue
            ends = one.ends[some], other.ends[others]
            for slot in sorted(ends[0].keys() | ends[1].keys()):
                end, second = (each.get(slot) for each in ends)
                if end and second and self._may_be_partners(end.target, second.target):
                    continue
                node = self._node_with_line(0, some)
                if end is None or second is None:
                    side = 0 if end else 1
                    known = end or second
                    assert known is not None
                    texts.append(
                        self.say(
                            "pair_ends", slot=slot, node=node,
                            target=self._node_with_line(side, known.target),
                            title=self.titles[side], other=self.titles[1 - side],
                        )
                    )  # fmt: skip
                    continue
                texts.append(
                    self.say(
                        "pair_leads", slot=slot, node=node, title=self.titles[0],
                        other=self.titles[1], target=self._node_with_line(0, end.target),
                        second=self._node_with_line(1, second.target),
                    )
                )  # fmt: skip
        yield from texts[:MOST]
        if len(texts) > MOST:
            yield self.say("pair_more_joints", count=len(texts) - MOST)

    def _may_be_partners(self, here: str, there: str) -> bool:
        """Whether two nodes are partners; those that are unsure may be."""
        if here in self.aligned.unsure[0] and there in self.aligned.unsure[1]:
            return self.graphs[0].keys.get(here) == self.graphs[1].keys.get(there)
        one, other = self.graphs
        if here in one.leaves and there in other.leaves:
            if one.leaf_name(here) is None or other.leaf_name(there) is None:
                return True
        return self.aligned.partner.get(here) == there

    def _describe_leaves(self) -> Iterator[str]:
        """Describe leaves whose numbers or `.grad` differed before the pass."""
        for key, field in (("pair_value", "value"), ("pair_before", "gradient")):
            texts = []
            for leaf, second in self._leaf_pairs():
                if field not in leaf or field not in second:
                    continue
                one, other = leaf[field], second[field]  # type: ignore[literal-required]
                if not self._same([one], [other]):
                    texts.append(self._describe_tensor(key, leaf["name"], one, other))
            yield from texts[:MOST]
            if len(texts) > MOST:
                yield self.say("pair_more_leaves", count=len(texts) - MOST)

    def _leaf_pairs(self) -> Iterator[tuple[NodeData, NodeData]]:
        """Yield the leaves that both graphs have."""
        for id, leaf in self.graphs[0].leaves.items():
            there = self.aligned.partner.get(id)
            if there in self.graphs[1].leaves:
                yield leaf, self.graphs[1].leaves[there]

    def _describe_tensor(self, key: str, name: str, here: int | None, there: int | None) -> str:
        """Describe a tensor by its name, and its value in each pass."""
        words = (
            "None" if place is None else transcript.value(place)
            for place, transcript in zip((here, there), self.transcripts, strict=True)
        )  # fmt: skip
        item, second = Item((), "", [here], next(words)), Item((), "", [there], next(words))
        one, other = item.words, second.words
        if one == other:
            one, other = self._exact_texts(item, second)
        return self.say(
            key, name=name, one=one, second=other, title=self.titles[0], other=self.titles[1]
        )

    def _describe_freeing(self) -> Iterator[str]:
        """Tell if only one pass frees its saved tensors."""
        frees = [sum(e["kind"] == "free" for e in payload["events"]) for payload in self.passes]
        failed = any(e["kind"] == "error" for payload in self.passes for e in payload["events"])
        if bool(frees[0]) != bool(frees[1]) and self.aligned.alike and not failed:
            side = 0 if frees[0] else 1
            yield self.say("pair_keeps", title=self.titles[side], other=self.titles[1 - side])

    def _describe_failures(self) -> Iterator[str]:
        for side, payload in enumerate(self.passes):
            last = payload["events"][-1] if payload["events"] else None
            if last is not None and last["kind"] == "error":
                yield self.say(
                    "pair_fails",
                    title=self.titles[side],
                    number=last["step"] + 1,
                    message=last["message"].partition("\n")[0].partition(". ")[0],
                )

    def _describe_gradients(self) -> Iterator[str]:
        """Describe the leaves' `.grad` after the passes."""
        ends = [self._final_gradients(payload) for payload in self.passes]
        texts, same = [], 0
        for leaf, second in self._leaf_pairs():
            here, there = ends[0].get(leaf["owner"]), ends[1].get(second["owner"])
            if self._same([here], [there]):
                same += 1
            else:
                texts.append(self._describe_tensor("pair_after", leaf["name"], here, there))
        yield from texts[:MOST]
        if len(texts) > MOST:
            yield self.say("pair_more_leaves", count=len(texts) - MOST)
        if same and not texts and self.first is not None:
            yield self.say("pair_grads_same")

    def _final_gradients(self, payload: Payload) -> dict[str, int | None]:
        """The `.grad` of each leaf after the pass, by its AccumulateGrad."""
        gradients = {
            node["owner"]: node.get("gradient")
            for node in payload["nodes"]
            if node["kind"] == "leaf"
        }
        for event in payload["events"]:
            if event["kind"] == "leaf_gradient":
                gradients[event["node"]] = event["after"]
        return gradients

    def _node_with_line(self, side: int, node: str, *, named: bool = True) -> str:
        """A node, with the line that made it."""
        data = self.graphs[side].nodes[node]
        name = self.transcripts[side].node_name(node) if named else data["name"]
        line = data.get("line")
        if line is None:
            return name
        file = self.passes[side]["files"][line["file"]]
        code = file["lines"][line["line"] - file["first"]].strip()
        return self.say("pair_node", node=name, number=line["line"], text=code)

    def _join_first(self, names: Sequence[str]) -> str:
        """Join the first texts, and count the others."""
        more = [self.say("pair_more", count=len(names) - MOST)] if len(names) > MOST else []
        return self.say("pair_semicolon").join([*names[:MOST], *more])

    # --- As text

    def table(self) -> str:
        """Return the rows as text."""
        sides = [
            [NONE if place is None else self.title(side, place) for place in self.places(side)]
            for side in (0, 1)
        ]
        wide = min(max(map(columns, sides[0]), default=0), WIDEST)
        lines = []
        for number, (row, left, right) in enumerate(zip(self.rows, *sides, strict=True), start=1):
            if number > LONGEST:
                lines.append(self.say("more", count=len(self.rows) - LONGEST))
                break
            space = " " * max(wide - columns(left), 0)
            lines.append(f"{number:3}. {SIGNS[row.get('mark')]}  {left}{space}  {right}")
            if row.get("mark") == "differs" and row["said"] != f"{left} | {right}":
                lines.append(f"        {row['said']}")
        return "\n".join(lines)

    def places(self, side: int) -> Iterable[int | None]:
        return (row["steps"][side] for row in self.rows)

    def title(self, side: int, place: int) -> str:
        """The title of a step."""
        transcript, step = self.transcripts[side], self.passes[side]["steps"][place]
        named = transcript.is_named(step)
        return printable(step["title"] if named else transcript.node_name(step["node"]))


def _drop_reductions(
    one: dict[tuple[object, ...], Item], other: dict[tuple[object, ...], Item]
) -> None:
    """Compare gradients after their reduction where one pass did not record it.

    PyTorch's reductions after a broadcast cannot be recorded.
    """
    for what, item in [*one.items()]:
        kind, *index = what
        given = ("formula", *index)
        if kind == "reduce" and what not in other and given in one and given in other:
            after = item.values[-1:]
            one[given] = one[given]._replace(values=after, words=item.words.rpartition(" -> ")[2])
            del one[what]


def _drop_unread(
    one: dict[tuple[object, ...], Item], other: dict[tuple[object, ...], Item]
) -> None:
    """Do not compare a tensor that a hook packed, and that was not read, with the other's."""
    for kind, *name in [*one]:
        saved = ("saved", *name)
        if kind == "packed" and saved in other:
            del one["packed", *name], other[saved]


def _whats(pair: tuple[Item | None, Item | None]) -> list[tuple[object, ...]]:
    return [item.what for item in pair if item is not None]


def _tolerance(one: ValueData, other: ValueData) -> tuple[float, float]:
    """The relative and the absolute tolerance for the numbers of two tensors."""
    kinds = [ROUNDING.get(value["dtype"], EXACT) for value in (one, other)]
    largest = max((abs(x) for value in (one, other) for x in _finite(value)), default=0.0)
    return max(kind[0] for kind in kinds), max(kind[1] for kind in kinds) * largest


def _finite(value: ValueData) -> Iterator[float]:
    cells: list[Cell] = [*value.get("data", [])]
    if "summary" in value:
        cells += [value["summary"]["min"], value["summary"]["max"]]
    for each in cells:
        number = complex(each)
        if math.isfinite(size := abs(number)):
            yield size


def _equal(one: Cell, other: Cell, relative: float, absolute: float) -> bool:
    """Whether two numbers are the same; text holds those that are complex or not finite."""
    if one == other:
        return True
    a, b = complex(one), complex(other)
    if not (math.isfinite(abs(a)) and math.isfinite(abs(b))):
        return False
    return abs(a - b) <= max(relative * max(abs(a), abs(b)), absolute)


def _place(number: int, shape: Sequence[int]) -> str:
    """The indices of an element, as "[0, 2] "; empty for a scalar."""
    indices: list[int] = []
    for length in reversed(shape):
        indices.insert(0, number % length)
        number //= length
    return f"{indices} " if indices else ""


def _extremes(value: ValueData) -> str:
    if "summary" not in value:
        return value["dtype"]
    summary = value["summary"]
    return f"{summary['min']} ... {summary['max']}"
