"""The payload: types of the JSON that the stepper's front end reads.

The widget in a notebook and the stand-alone page receive the same `Payload`. The front end's types,
`viz/frontend/src/payload.ts`, are written from these by `viz/frontend/payload_types.py`. Everything
the stepper shows is in it, so that stepping needs neither a kernel nor a network. The front end
keeps no state of its own but the index of the current event: what is in a buffer, what has been
freed and which nodes are done at event `k` follows from folding the events 0..k, which is also what
makes stepping backwards exact.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from ..model.arrange import FrameKind
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
    letter: NotRequired[str]  # its letter in the rule
    value: NotRequired[float]


class LetterData(TypedDict):
    """A letter of the rule, and the saved tensor that it stands for."""

    letter: str
    saved: str


class NodeData(TypedDict):
    id: str
    kind: NodeKind
    name: str  # "MulBackward0", "AccumulateGrad"; a leaf's variable name
    label: str  # the text in the picture
    shape: NotRequired[list[int]]
    dtype: NotRequired[str]
    rule: NotRequired[str]  # MathML of the backward formula
    rule_text: NotRequired[str]  # the rule as plain text; without `rule`, the reader's own
    scalars: NotRequired[list[ScalarData]]
    letters: NotRequired[list[LetterData]]  # letters of the inputs in order, then of the result
    line: NotRequired[LineData]
    module: NotRequired[str]  # path of the module that computed it
    value: NotRequired[int]  # leaves, saved tensors, scalar results: index into Payload["values"]
    gradient: NotRequired[int | None]  # leaves: `.grad` before the recording
    version: NotRequired[int]
    frame: NotRequired[str]  # functions: the innermost frame around it
    owner: NotRequired[str]  # saved tensors: the node that saved it; leaves: their AccumulateGrad


class FrameData(TypedDict):
    """A group of operations that can be closed; closed frames never form a cycle."""

    id: str
    kind: FrameKind
    name: str
    parent: str | None  # the frame around it


class EdgeData(TypedDict):
    """Gradients flow from `source` to `target`."""

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
    step: int  # index into Payload["steps"]
    caption: str  # one sentence in the interface's language: what happens here, with the shapes
    inputs: NotRequired[list[int | None]]
    results: NotRequired[list[int]]
    incoming: NotRequired[list[int | None]]
    saved: NotRequired[list[SavedData]]
    packed: NotRequired[list[str]]  # saved tensors that a hook packed and that stay packed
    outgoing: NotRequired[list[int | None]]
    slot: NotRequired[int]
    target: NotRequired[str]
    index: NotRequired[int]
    before: NotRequired[int | None]
    added: NotRequired[int]
    after: NotRequired[int | None]
    no_sum: NotRequired[bool]  # a custom engine did not add
    names: NotRequired[list[str]]
    hook: NotRequired[str]
    message: NotRequired[str]
    reason: NotRequired[str]  # why it failed, in the interface's language


class StepData(TypedDict):
    """One step of a node: the events first..last (inclusive). The seed of a pass is a step of its
    own, and so is each operation of a forward pass.
    """

    node: str
    title: str  # "MulBackward0"
    first: int
    last: int


class MemoryPiece(TypedDict):
    """A piece of memory that nodes keep for their formulas, and the steps of its lifetime."""

    name: str  # the variable, or the node's name for it
    node: str  # id of the first node that keeps it
    bytes: int
    born: int  # -1: before the first step
    freed: NotRequired[int]  # absent: kept to the end


class MemoryData(TypedDict):
    """The bytes that only the graph keeps: before the first step, and after each."""

    start: int
    held: list[int]
    pieces: list[MemoryPiece]  # the largest
    own: int  # bytes that are kept but would live without the graph


class NudgeAnswer(TypedDict):
    """How far the result goes if one number of a leaf is pushed."""

    node: str  # the leaf's
    place: int  # in row-major order
    gradient: float
    results: list[float]  # for the sizes, downwards from the largest and upwards to it


class NudgeData(TypedDict):
    """Pushes of numbers. Without answers, a live page asks the kernel."""

    sizes: list[float]
    answers: list[NudgeAnswer]
    result: NotRequired[float]  # of the program as it was
    refusal: NotRequired[str]  # why the program cannot be run again


class Payload(TypedDict):
    version: Literal[1]
    language: Language
    nodes: list[NodeData]
    edges: list[EdgeData]
    values: list[ValueData]
    files: list[FileData]
    events: list[EventData]
    steps: list[StepData]
    frames: NotRequired[list[FrameData]]  # each after its parent
    fold: NotRequired[bool]  # whether frames are closed at first; absent: those that do not fit
    show: NotRequired[list[str]]  # what a plain view has besides code, graph and values
    note: NotRequired[str]  # why there is no code, and how to show it
    memory: NotRequired[MemoryData]  # absent if it is unknown
    memory_note: NotRequired[str]  # which part of it is unknown
    rehearsal: NotRequired[bool]  # every `.grad` is as it was before the recording
    nudge: NotRequired[NudgeData]  # absent if nothing can be pushed


Mark = Literal["differs", "one", "unsure"]


class RowData(TypedDict):
    """Two steps side by side."""

    steps: list[int | None]  # one for each pass; null if the pass has none of this kind
    mark: NotRequired[Mark]  # absent if both are the same; "one": only one of them has it
    said: NotRequired[str]  # the difference as a short text


class Pair(TypedDict):
    """Two passes side by side, with common steps."""

    version: Literal[1]
    language: Language
    titles: list[str]
    passes: list[Payload]
    rows: list[RowData]
    marks: list[dict[str, Mark]]  # for each pass, its nodes that differ, by id
    said: list[str]  # the first difference and the others, in sentences
    differ: NotRequired[int]  # index of the first row that differs
