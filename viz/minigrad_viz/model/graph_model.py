"""The graph behind a tensor as plain data, from which all pictures and texts are made.

The walk reads only what graphs of minigrad and PyTorch have in common: `grad_fn`, `next_functions`,
`AccumulateGrad.variable`, and the attributes in autograd_nodes.py. hooks.py and lines.py read what
each library stores in its own way. The walk is iterative, since a graph may be deeper than
Python's stack.

Node ids are n0, n1, ... in the order of a depth-first walk from the root, so the same program
always gives the same ids, also in DOT, in SVG and in the stepper. Read names.py first;
picture/svg.py turns a model into a picture, picture/tree.py into text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from types import FrameType, MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ..texts.language import Language
from ..texts.numerals import cell, number_text, shape_text
from ..texts.sentences import word
from .autograd_nodes import (
    dtype_name,
    is_accumulate,
    node_name,
    nodes_from,
    results_of,
    saved_tensors,
)
from .collector import uncollected
from .either_library import AnyTensor, GivenNames, outside_modes, version_of
from .hooks import on_node, on_tensor
from .leaf_names import name_leaves
from .lines import line_of
from .module_calls import Inside, noted_module
from .modules import modules
from .names import Names, given_names, made_by
from .own_engines import OwnTensor, adopted, own_names
from .readable import check_tensor
from .values import shape_of, summary, value_of

if TYPE_CHECKING:
    from minigrad.autograd.events import Value

NodeKind = Literal[
    "root", "function", "accumulate", "leaf", "saved", "operation", "tensor", "cluster"
]
EdgeKind = Literal["root", "next", "leaf", "saved", "data", "made"]
SavedState = Literal["kept", "freed", "changed", "packed", "lost"]


class Result(NamedTuple):
    """One of several results of an operation."""

    variable: str | None
    shape: tuple[int, ...]
    dtype: str


class Gap(NamedTuple):
    """An input of an operation that gets no gradient, by its position among the inputs.

    Its shape, dtype and number are known only if the forward pass was recorded.
    """

    slot: int
    shape: tuple[int, ...] | None = None
    dtype: str | None = None
    number: str | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the picture: the root tensor, an operation, a leaf, or a saved tensor.

    kind      "root": the tensor of the picture; "function": an operation's backward node;
              "accumulate": the node that adds to a leaf's `.grad`; "leaf": that leaf; "saved": a
              tensor saved for the backward formula
    name      a function's own name ("MulBackward0"); a tensor's variable name
    variable  for a function: the variable name of its result; for a saved tensor: of the tensor
              that was saved; for an AccumulateGrad: of its leaf
    shape     of the tensor; for a function, of its result (None if it has several results); for the
              AccumulateGrad of a leaf without a name, of that leaf
    dtype     PyTorch's name of the element type, without the prefix
    device    where the tensor is, if not on the CPU
    version   how often the tensor had been written in place when the model was made
    owner     for a saved tensor: id of the function that saved it; for a leaf: id of its
              AccumulateGrad
    saved     for a saved tensor: "kept"; "freed" by a backward pass; "changed" in place since; or
              "packed" by a hook, which is not called. "lost" is an input in the forward view that
              no node has saved
    number    for a saved scalar without a variable: its value; for a cluster: how many nodes
    constant  for a saved tensor: whether it is an argument that needs no gradient
    results   for a function that has several: each of them
    gaps      for a function: the inputs of its operation that get no gradient
    requires_grad  of the tensor
    value     the tensor's numbers in a few words, when the model was made; for a function, its
              result's, if that is a scalar and was still there
    gradient  the same of its `.grad`; "None" if it has none yet
    hooks     the hooks that will get a gradient here: "tensor: clip", "node_pre: f"
    module    for a function: the module that computed it, by name
    line      for a function: number and text of the line that made it, if known; PyTorch's nodes
              seldom know it, so it does not count in comparisons
    language  of the words in its label

    The kinds "operation" and "tensor" are of the forward view alone (picture/forward.py); a
    "cluster" stands for the nodes that are folded into it (folding.py).
    """

    id: str
    kind: NodeKind
    name: str
    variable: str | None = None
    shape: tuple[int, ...] | None = None
    dtype: str | None = None
    device: str | None = None
    version: int | None = None
    owner: str | None = None
    saved: SavedState | None = None
    number: str | None = None
    constant: bool = False
    results: tuple[Result, ...] = ()
    gaps: tuple[Gap, ...] = ()
    requires_grad: bool | None = None
    value: str | None = None
    gradient: str | None = None
    hooks: tuple[str, ...] = ()
    module: str | None = None
    line: tuple[int, str] | None = field(default=None, compare=False)
    language: Language = "en"

    @property
    def title(self) -> str:
        """The first line of the label: the kind and the name."""
        if self.saved == "lost":
            return word(self.language, "input")
        if self.kind == "tensor" and not self.name:
            return "?" if self.shape is None else shape_text(self.shape, self.language)
        known = self.variable or self.number
        return f"{self.name} = {known}" if self.kind == "saved" and known else self.name

    @property
    def detail(self) -> str:
        """The second line of the label: variable, shape and state. May be empty."""
        if self.kind == "cluster":
            return word(self.language, "nodes", count=self.number)
        if self.kind == "accumulate":
            if self.variable or self.shape is None:
                return self.variable or ""
            return shape_text(self.shape, self.language)
        if self.number is not None:
            return ""
        if self.saved == "lost":
            return word(self.language, "lost")
        if self.kind == "tensor" and not self.name:
            return "" if self.dtype in (None, "float32") else str(self.dtype)
        words: list[str] = []
        if self.saved is not None and self.saved != "kept":
            words.append(word(self.language, self.saved))
        elif self.shape is not None:
            words.append(shape_text(self.shape, self.language))
            if self.dtype is not None and self.dtype != "float32":
                words.append(self.dtype)
            if self.device is not None:
                words.append(self.device)
        if self.kind == "saved" and self.saved == "kept" and self.version is not None:
            words.append(f"v{self.version}")
        if self.results and any(result.variable for result in self.results):
            return ", ".join(result.variable or "_" for result in self.results)
        text = " ".join(words)
        named = self.variable if self.kind == "function" else None
        return ": ".join(filter(None, (named, text)))

    @property
    def lines(self) -> tuple[str, ...]:
        """The label in the picture: plain text, one or two lines."""
        return (self.title, self.detail) if self.detail else (self.title,)

    @property
    def about(self) -> tuple[str, ...]:
        """More details, for a tooltip: plain text, in lines. May be empty."""
        say = partial(word, self.language)
        lines = []
        if self.requires_grad is not None:
            lines.append(say("requires" if self.requires_grad else "requires_not"))
        if self.version and self.kind != "saved":  # there it is part of the label
            lines.append(
                say("version_once" if self.version == 1 else "version", count=self.version)
            )
        if self.value is not None and self.number is None and self.kind != "function":
            lines.append(say("holds", numbers=self.value))
        if self.gradient is not None:
            lines.append(say("grad", numbers=self.gradient))
        lines += [say("hook", hook=hook) for hook in self.hooks]
        if self.module is not None:
            lines.append(say("module", module=self.module))
        if self.line is not None:
            number, text = self.line
            lines.append(say("line", number=number, text=text))
        return tuple(lines)


@dataclass(frozen=True, slots=True)
class Edge:
    """A line of the picture. A gradient flows from `source` to `target`; a "saved" edge joins a
    function to its tensor.

    slot   position in the source's `next_functions`
    index  which result of the target the gradient is for

    The kinds "data" and "made" are of the forward view alone (picture/forward.py).
    """

    id: str
    kind: EdgeKind
    source: str
    target: str
    slot: int | None = None
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A frame with a line around these nodes, and around the enclosures whose parent it is."""

    id: str
    name: str
    parent: str | None
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GraphModel:
    """A backward graph as plain data: it refers to no tensor and no node of autograd."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    enclosures: tuple[Enclosure, ...] = field(default=(), compare=False)

    @classmethod
    def of(
        cls, tensor: AnyTensor, *, names: GivenNames | None = None, saved: bool = True
    ) -> GraphModel:
        """The graph behind `tensor`, a tensor of minigrad or PyTorch that an operation made.

        `names` is a dict of name to tensor or a module; without it, leaves have no names. Without
        `saved`, saved tensors are left out. Hooks, and the numbers of tensors that are not too
        large, are as they are now. TypeError if it is not a tensor, ValueError if no operation made
        it.
        """
        names = {} if names is None else names
        return walk(tensor, names=names, detail=EVERYTHING._replace(saved=saved)).model

    @property
    def root(self) -> Node:
        return self.nodes[0]

    def __len__(self) -> int:
        return len(self.nodes)


@dataclass(frozen=True, slots=True)
class Walk:
    """A model with the tensors and autograd nodes that it describes, by their ids in the model.

    Saved tensors are not in `objects`: unpacking gives a new tensor at each reading.
    """

    model: GraphModel
    objects: dict[str, Any]
    names: Names


class Detail(NamedTuple):
    """Which details of a graph to read, besides its nodes and edges; each takes time."""

    saved: bool = True
    """The tensors that the operations have saved."""
    hooks: bool = False
    numbers: bool = False
    """The values of tensors and of their `.grad`, in a few words."""


SAVED = Detail()
NOTHING_SAVED = Detail(saved=False)
EVERYTHING = Detail(saved=True, hooks=True, numbers=True)


@uncollected()
def walk(
    *tensors: Any,
    names: object = None,
    frame: FrameType | None = None,
    who: str = "GraphModel.of",
    language: Language = "en",
    detail: Detail = SAVED,
    computed: Mapping[int, Sequence[Value | None]] = MappingProxyType({}),
    most: int | None = None,
) -> Walk:
    """Walk from the tensors to the leaves.

    names     as for GraphModel.of; without it, names come from the variables of `frame`
    who       the function that error messages name
    language  of the labels
    computed  the inputs of the operations that were recorded, by the `id` of their nodes
    most      the number of operations from which on Endless is raised
    """
    with made_by_operations(tensors, names, frame, who) as (roots, known):
        _check_size([root.grad_fn for root in roots], who, most)
        if names is None or type(names) is Names:
            name_leaves(roots, known)
        return Walker(known, language, computed, detail, who).run(roots)


@contextmanager
def made_by_operations(
    tensors: Sequence[Any], names: object, frame: FrameType | None, who: str
) -> Iterator[tuple[tuple[Any, ...], Names]]:
    """Give the tensors, each with a graph behind it, and the names; hide what reads them."""
    tensors = tuple(adopted(tensors))
    for tensor in tensors:
        check_tensor(tensor, who)
    with outside_modes():
        for tensor in tensors:
            _check(tensor, who)
        own = isinstance(tensors[0], OwnTensor)
        known = own_names(tensors[0].engine, names, frame) if own else given_names(names, frame)
        yield tensors, known


def _check(tensor: Any, who: str) -> None:
    if tensor.grad_fn is None:
        shape = shape_text(shape_of(tensor)) if shape_of(tensor) else "[]"
        if tensor.requires_grad:
            raise ValueError(
                f"this tensor of shape {shape} is a leaf: no operation made it, so there is no "
                f"graph behind it. Call {who}() on something computed from it"
            )
        raise ValueError(
            f"this tensor of shape {shape} has no grad_fn: it was made without recording (no input "
            f"requires grad, or under no_grad, or by detach), so {who}() finds no graph behind it"
        )


BEFORE, BEHIND = -1, 9
ARGUMENTS = {"condition": BEFORE, "mask": BEHIND}
ARGUMENTS |= dict.fromkeys(("self", "input"), 0) | dict.fromkeys(("mat2", "vec"), 2)
ARGUMENTS |= dict.fromkeys(("mat1", "mat", "weight", "tensor", "other", "exponent", "target"), 1)
"""PyTorch's usual names of saved arguments, with their positions among the inputs.

No gradient flows to an argument before or behind the inputs. Saved tensors with other names were
computed by the operation.
"""


MOST_NODES = 500_000
"""A walk ends here: a larger graph takes minutes, and is mostly a loop that never detaches."""

MOST_OPERATIONS = 250_000
"""Operations are counted up to here before the walk, which takes a second."""


class Endless(ValueError):
    """Raised for a graph too large to be read node by node (outline.py reads it otherwise)."""


def _check_size(functions: list[Any], who: str, most: int | None) -> None:
    most = MOST_OPERATIONS if most is None else most
    if any(count > most for count, _ in enumerate(nodes_from(functions), start=1)):
        raise _too_large(who, f"{most:,} operations")


def _too_large(who: str, size: str) -> Endless:
    return Endless(
        f"{who}() ends where a graph has more than {size}, as this one has. Take a tensor that was "
        "computed earlier; if a loop makes the graph grow without end, detach() what one round "
        "hands on to the next"
    )


class Walker:
    """One walk: nodes in depth-first order, then edges, which may name later nodes."""

    def __init__(
        self,
        names: Names,
        language: Language,
        computed: Mapping[int, Sequence[Value | None]],
        detail: Detail,
        who: str,
    ) -> None:
        self.names = names
        self.language = language
        self.computed = computed
        self.detail = detail
        self.who = who
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.objects: dict[str, Any] = {}
        self.ids: dict[int, str] = {}  # identity of an autograd node or leaf -> its id here
        self.unnamed = 0
        self.scalars: dict[tuple[int, int], str] = {}  # an operation's result -> its number
        self.watched: dict[str, str] = {}  # function -> the module that was recorded
        self.paths: dict[Inside, str] = {}

    def run(self, tensors: Sequence[Any]) -> Walk:
        roots = {id(tensor): tensor for tensor in tensors}.values()
        unnamed = "result" if len(roots) == 1 else "results"
        ids = [self.add_root(root, unnamed, place) for place, root in enumerate(roots, start=1)]
        functions: list[tuple[str, Any]] = []  # id and edges
        stack = [root.grad_fn for root in reversed(roots)]
        while stack:
            node = stack.pop()
            if id(node) in self.ids:
                continue
            if is_accumulate(node):
                self.add_leaf(node)
                continue
            edges = node.next_functions
            functions.append((self.add_function(node, edges), edges))
            if len(self.nodes) > MOST_NODES:
                raise _too_large(self.who, f"{MOST_NODES:,} nodes")
            # Reversed, so that the first input is walked first and the ids read from left to right.
            stack += [n for n, _ in reversed(edges) if n is not None]

        for root, tensor in zip(ids, roots, strict=True):
            self.join("root", root, self.ids[id(tensor.grad_fn)], index=int(tensor.output_nr))
        owned: dict[str, list[Node]] = {}
        for made in self.nodes:
            if made.owner is not None:
                owned.setdefault(made.owner, []).append(made)
        for function, edges in functions:
            for tensor_node in owned.get(function, ()):
                self.join("saved", function, tensor_node.id)
            for slot, (target, index) in enumerate(edges):
                if target is not None:
                    self.join("next", function, self.ids[id(target)], slot=slot, index=int(index))
        self.join_leaves()
        for function, edges in functions if self.detail.numbers else ():
            self.see_inputs(self.objects[function], edges)
        self.fill_in_scalars([function for function, _ in functions])
        self.find_modules([function for function, _ in functions])
        return Walk(GraphModel(tuple(self.nodes), tuple(self.edges)), self.objects, self.names)

    def fill_in_scalars(self, functions: Sequence[str]) -> None:
        """Give operations with one scalar result its value, where a tensor was seen that has it."""
        for function in functions if self.detail.numbers else ():
            node = self.objects[function]
            for tensor in self.names.results_of(node):
                self.see(tensor)
            place = int(function[1:])
            if self.nodes[place].shape == () and (value := self.scalars.get((id(node), 0))):
                self.nodes[place] = replace(self.nodes[place], value=value)

    def see_inputs(self, node: Any, edges: Any) -> None:
        """Note the scalars among the inputs of a recorded operation."""
        inputs = self.computed.get(id(node), ())
        for (target, index), value in zip(edges, inputs, strict=False):
            if value is None or target is None or len(inputs) != len(edges):
                continue
            if value.shape == () and value.data is not None:
                number = number_text(cell(value.data[()]))
                self.scalars.setdefault((id(target), int(index)), number)

    def see(self, tensor: Any) -> None:
        """Note the number of an operation's scalar result."""
        node, index = made_by(tensor) if shape_of(tensor) == () else (None, 0)
        if node is not None and (id(node), index) not in self.scalars:
            if value := summary(tensor, self.language):
                self.scalars[id(node), index] = value

    def find_modules(self, functions: Sequence[str]) -> None:
        leaves = {made.owner: made.name for made in self.nodes if made.kind == "leaf"}
        used: dict[str, list[str]] = {}
        below: dict[str, list[str]] = {function: [] for function in functions}
        for edge in self.edges:
            if edge.kind == "next" and edge.target in leaves:
                used.setdefault(edge.source, []).append(leaves[edge.target])
            elif edge.kind == "next":
                below[edge.source].append(edge.target)
        for function, module in modules(used, below, self.watched).items():
            self.set_module(function, module)

    def set_module(self, function: str, module: str | None) -> None:
        place = int(function[1:])
        self.nodes[place] = replace(self.nodes[place], module=module)

    def add(self, kind: NodeKind, name: str, thing: Any = None, **data: Any) -> str:
        node = Node(f"n{len(self.nodes)}", kind, name, language=self.language, **data)
        self.nodes.append(node)
        if thing is not None:
            self.objects[node.id] = thing
            if kind != "root":  # a root tensor may also be a leaf, with a node of its own
                self.ids[id(thing)] = node.id
        return node.id

    def add_root(self, tensor: Any, unnamed: str, number: int) -> str:
        name = self.names.of(tensor) or word(self.language, unnamed, number=number)
        if self.detail.numbers:
            self.see(tensor)
        return self.add("root", name, tensor, **self.tensor_data(tensor), **self.state(tensor))

    def add_function(self, node: Any, edges: Any) -> str:
        results = tuple(
            Result(self.names.of_output(node, place), shape, dtype)
            for place, (shape, dtype) in enumerate(results_of(node))
        )
        only = results[0] if len(results) == 1 else Result(self.names.of_output(node, 0), (), "")
        name = node_name(node)
        function = self.add(
            "function",
            name,
            node,
            variable=only.variable,
            shape=only.shape if len(results) == 1 else None,
            dtype=only.dtype or None,
            results=results if len(results) > 1 else (),
            gaps=tuple(self.gaps(node, name, edges)),
            hooks=self.hooks_at(node),
            line=_line(node),
        )
        with suppress(KeyError):
            self.watched[function] = self.path_of(noted_module(node))
        if self.detail.saved:
            for name, value in saved_tensors(node):
                if isinstance(value, str):
                    self.add("saved", name, owner=function, saved=value)
                else:
                    data = self.tensor_data(value)
                    if self.detail.numbers:
                        self.see(value)
                    data["variable"] = self.names.of(value)
                    data["number"] = None if data["variable"] else _number(value)
                    data["constant"] = name in ARGUMENTS and not value.requires_grad
                    self.add("saved", name, owner=function, saved="kept", **data)
        return function

    def path_of(self, inside: Inside | None) -> str:
        """Return the reader's name of a recorded module, or the recorded one with parameters."""
        if inside is None:
            return ""
        if inside not in self.paths:
            self.path_of(inside.around)
            module = inside.module()
            known = None if module is None else self.names.of_module(module)
            for name, parameter in inside.parameters if known is None else ():
                if (alive := parameter()) is not None:
                    self.names.add(name, alive)
            self.paths[inside] = inside.path if known is None else known
        return self.paths[inside]

    def gaps(self, node: Any, name: str, edges: Any) -> Iterator[Gap]:
        # These operations save every tensor argument, so a gap is an argument that was left out.
        if "Convolution" in name or "Norm" in name:
            return
        inputs = self.computed.get(id(node), ())
        for slot, (target, _) in enumerate(edges):
            if target is not None:
                continue
            seen = inputs[slot] if len(inputs) == len(edges) else None
            if seen is None and self.detail.saved:  # else it may be saved, and was not read
                yield Gap(slot)
            elif seen is not None:
                single = None if seen.shape or seen.data is None else seen.data.item()
                yield Gap(slot, seen.shape, seen.dtype, _number_text(single))

    def add_leaf(self, node: Any) -> str:
        hooks = on_node(node) if self.detail.hooks else ()
        leaf = node.variable
        name = self.names.of(leaf)
        shape = shape_of(leaf) if name is None else None
        accumulate = self.add(
            "accumulate", node_name(node), node, variable=name, shape=shape, hooks=hooks
        )
        if name is None:
            self.unnamed += 1
            name = word(self.language, "leaf", number=self.unnamed)
        data = self.tensor_data(leaf) | self.state(leaf)
        self.add("leaf", name, leaf, owner=accumulate, **data)
        return accumulate

    def tensor_data(self, tensor: Any) -> dict[str, Any]:
        return {
            "shape": shape_of(tensor),
            "dtype": dtype_name(tensor.dtype) or None,
            "device": None if tensor.device.type == "cpu" else str(tensor.device),
            "version": version_of(tensor),
            "requires_grad": bool(tensor.requires_grad),
            "value": summary(tensor, self.language) if self.detail.numbers else None,
        }

    def state(self, tensor: Any) -> dict[str, Any]:
        """Return a tensor's gradient in words, and the hooks that the next pass will call."""
        gradient = None
        # To read `.grad` of another tensor makes PyTorch warn.
        if self.detail.numbers and (tensor.grad_fn is None or tensor.retains_grad):
            kept = tensor.grad
            gradient = "None" if kept is None else summary(kept, self.language)
        return {"gradient": gradient, "hooks": on_tensor(tensor) if self.detail.hooks else ()}

    def hooks_at(self, node: Any) -> tuple[str, ...]:
        """Return the hooks of a function: those of its named results, and its own."""
        if not self.detail.hooks:
            return ()
        results = self.names.results_of(node)
        return (*(hook for tensor in results for hook in on_tensor(tensor)), *on_node(node))

    def join_leaves(self) -> None:
        for made in self.nodes:
            if made.kind == "leaf" and made.owner is not None:
                self.join("leaf", made.owner, made.id)

    def join(self, kind: EdgeKind, source: str, target: str, **data: int) -> None:
        self.edges.append(Edge(f"e{len(self.edges)}", kind, source, target, **data))


def _number(tensor: Any) -> str | None:
    """Return the value of a scalar as its name, as for the 2 of `2 * x`; else None."""
    if shape_of(tensor):
        return None
    data = value_of(tensor).data
    return None if data is None else _number_text(data.item())


def _number_text(number: object) -> str | None:
    if number is None:
        return None
    return f"{number:.4g}" if isinstance(number, float) else str(number)


def _line(node: Any) -> tuple[int, str] | None:
    line = line_of(node)
    return (line.lineno, line.text) if line is not None and line.text else None
