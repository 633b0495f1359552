"""What travels to the browser: the shapes of the JSON that the stepper's front end reads.

The widget in a notebook and the stand-alone page receive the same `Payload`. The front end's types,
`viz/frontend/src/payload.ts`, are written from these by `viz/frontend/payload_types.py`. Everything
the stepper shows is in it, so that stepping needs neither a kernel nor a network. The front end
keeps no state of its own but the index of the current event: what is in a buffer, what has been
freed and which nodes are done at event `k` follows from folding the events 0..k, which is also what
makes stepping backwards exact.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from ..model.graph_model import EdgeKind, NodeKind
from ..texts.language import Language
from ..texts.numerals import ValueData

EventKind = Literal[
    "forward",
    "result",
    "seed",
    "start",
    "hook",
    "formula",
    "reduce",
    "accumulate",
    "leaf_gradient",
    "free",
    "error",
]


class LineData(TypedDict):
    file: int  # index into Payload["files"]
    line: int  # 1-based


class FileData(TypedDict):
    name: str
    first: int  # number of the first line in `lines`
    lines: list[str]
    cut: NotRequired[bool]  # there is more of the file


class ScalarData(TypedDict):
    """A number that a node holds, or a choice such as a dimension."""

    name: str  # "exponent"
    text: str  # "3"
    letter: NotRequired[str]  # what the rule calls it
    value: NotRequired[float]


class LetterData(TypedDict):
    """A letter of the rule, and the saved tensor that it stands for."""

    letter: str
    saved: str


class NodeData(TypedDict):
    """`id` is also the id of the node's <g> element in the SVG."""

    id: str
    kind: NodeKind
    name: str  # "MulBackward0", "AccumulateGrad"; a leaf's variable name
    label: str  # what is written in the picture, plain text
    shape: NotRequired[list[int]]
    dtype: NotRequired[str]
    rule: NotRequired[str]  # MathML of the backward formula
    rule_text: NotRequired[str]  # the same, as plain text; alone: as the reader has written it
    scalars: NotRequired[list[ScalarData]]
    letters: NotRequired[list[LetterData]]  # of the inputs, in their order, and of the result
    line: NotRequired[LineData]
    module: NotRequired[str]  # path of the module that computed it
    value: NotRequired[int]  # leaves and saved tensors: index into Payload["values"]
    gradient: NotRequired[int | None]  # leaves: `.grad` before the recording
    version: NotRequired[int]
    cluster: NotRequired[str]  # the innermost box that it is in, if the graph is folded
    owner: NotRequired[str]  # saved tensors: the node that saved it; leaves: their AccumulateGrad


class WordsData(TypedDict):
    """What one node of a picture says: its tooltip, if it has one, and the lines of its label."""

    node: int
    words: list[str]


class InsideData(TypedDict):
    """What is inside a box. Boxes that differ in names alone have one picture: its "n0" and "e0"
    are the first of `nodes`, boxes among them, and of `edges`.
    """

    picture: int  # index into Payload["pictures"]
    nodes: list[str]
    edges: list[str]
    words: NotRequired[list[WordsData]]  # in place of the picture's own


class ClusterData(TypedDict):
    """A box that hides nodes. `id` is the id of its <g> element where it is drawn closed."""

    id: str
    name: str
    parent: str | None  # the box that it is in
    size: int
    inside: NotRequired[InsideData]  # absent where it is never closed, or cannot be opened


class EdgeData(TypedDict):
    """`id` is also the id of the edge's <g> element. Gradients flow from `source` to `target`."""

    id: str
    kind: EdgeKind
    source: str
    target: str
    slot: NotRequired[int]  # position in the source's next_functions
    index: NotRequired[int]  # which output of the target the gradient is for


class SavedData(TypedDict):
    name: str
    value: int
    expected: int
    version: int
    node: NotRequired[str]  # id of the saved tensor's own node in the graph


class EventData(TypedDict):
    """One event; which fields are present depends on `kind`, as in minigrad.autograd.events. Values
    are indices or null.
    """

    kind: EventKind
    node: str
    step: int  # number of the node's turn: "whole node" mode moves from turn to turn
    caption: str  # one sentence in the interface's language: what happens here, with the shapes
    inputs: NotRequired[list[int | None]]
    results: NotRequired[list[int]]
    incoming: NotRequired[list[int | None]]
    saved: NotRequired[list[SavedData]]
    packed: NotRequired[list[str]]  # saved, but waiting for a hook that nobody has asked
    outgoing: NotRequired[list[int | None]]
    slot: NotRequired[int]
    target: NotRequired[str]
    index: NotRequired[int]
    before: NotRequired[int | None]
    added: NotRequired[int]
    after: NotRequired[int | None]
    no_sum: NotRequired[bool]  # an engine of the reader's own has not added
    names: NotRequired[list[str]]
    hook: NotRequired[str]
    message: NotRequired[str]
    reason: NotRequired[str]  # why it failed, in the interface's language


class StepData(TypedDict):
    """One node's turn: the events first..last (inclusive). The seed of a pass has a turn of its
    own, and so has each operation of a forward pass.
    """

    node: str
    title: str  # "MulBackward0"
    first: int
    last: int


class MemoryPiece(TypedDict):
    """A piece of memory that nodes keep for their formulas, and from which step until which."""

    name: str  # the variable, or what its node calls it
    node: str  # id of the first node that keeps it
    bytes: int
    born: int  # -1: before the first step
    freed: NotRequired[int]  # absent: kept to the end


class MemoryData(TypedDict):
    """The bytes that only the graph keeps: before the first step, and after each."""

    start: int
    held: list[int]
    pieces: list[MemoryPiece]  # the largest
    own: int  # bytes that are kept and live anyway


class Payload(TypedDict):
    version: Literal[1]
    language: Language
    svg: str
    nodes: list[NodeData]
    edges: list[EdgeData]
    values: list[ValueData]
    files: list[FileData]
    events: list[EventData]
    steps: list[StepData]
    clusters: NotRequired[list[ClusterData]]  # of a folded graph, each after the one it is in
    pictures: NotRequired[list[str]]  # SVG, of what is inside the clusters
    note: NotRequired[str]  # why there is no code, and what would show it
    memory: NotRequired[MemoryData]  # absent where it cannot be told
    memory_note: NotRequired[str]  # what of it cannot be told
    rehearsal: NotRequired[bool]  # every `.grad` is as it was before the recording


Mark = Literal["differs", "one", "unsure"]


class RowData(TypedDict):
    """Two steps side by side."""

    steps: list[int | None]  # of each pass; null where it has none of this kind
    mark: NotRequired[Mark]  # absent where both do the same; "one": only one of them has it
    said: NotRequired[str]  # what differs, in few words


class Pair(TypedDict):
    """Two passes side by side, which are gone through together."""

    version: Literal[1]
    language: Language
    titles: list[str]
    passes: list[Payload]
    rows: list[RowData]
    marks: list[dict[str, Mark]]  # of each pass's nodes that are not alike in both, by their ids
    said: list[str]  # where they part, and what differs, in sentences
    differ: NotRequired[int]  # index of the first row that is not the same in both
