"""A backward pass of minigrad, written down as straight-line NumPy code while it runs.

What the engine tells a recorder is enough for a program: which node runs with which gradients, what
its formula gave, what was summed, where it was handed on, which hook was called. So each event
becomes a statement, in the order of the pass; `minigrad.autograd.formulas` writes the formulas.
What a variable is called in the reader's program it is called here, and its gradient d_ and that.

The pass is a rehearsal (passes.py): `.grad` is as before, and saved tensors are kept.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad.autograd import backward
from minigrad.autograd.events import recording
from minigrad.autograd.formulas import (
    Kept,
    NotWritten,
    Put,
    Written,
    array_of,
    constant,
    materialized,
    ready,
    reduced,
    same_bits,
    text_of,
    user_function,
    written,
)

from .graph_model import Walk
from .names import made_by
from .passes import Rehearsal, SetAside
from .written_program import Draft, Input

SMALL = 6
"""Elements of an array that is written out in the program; of a larger one stands the name."""


class Writer(Draft, Rehearsal):
    """A recorder that writes the program of what it is told."""

    def __init__(self, graph: Walk, aside: SetAside) -> None:
        Draft.__init__(self, graph)
        Rehearsal.__init__(self, aside)
        self._arrays: dict[str, Any] = {}
        self._memory: dict[Any, Any] = {}
        self._known: dict[Any, ast.expr] = {}
        self._running: list[Any] = []
        self._in_hook = 0
        self._pending: list[tuple[ast.expr, Any] | None] = []
        self._unpacked: dict[int, Any] = {}
        for tensor, _ in self.names.items():
            self._memory.setdefault(where(array_of(tensor)), tensor)
        nodes = [graph.objects[n.id] for n in graph.model.nodes if n.kind == "accumulate"]
        self._leaves = {id(node.variable): node for node in nodes}

    # --- Names

    def naming(self, kept: Kept) -> ast.expr:
        """What something is called that a formula reads; from now on the program has it."""
        key = where(kept.array)
        if key in self._known:
            return self._known[key]
        if kept.tensor is None:
            found = self.of_constant(kept, key)
        else:
            found = self.of_saved(kept, key)
        self._alive.append(kept.array)
        self._known[key] = found
        return found

    def of_constant(self, kept: Kept, key: Any) -> ast.expr:
        array = kept.array
        if array.ndim == 1 and array.dtype.kind == "i" and np.array_equal(array, range(len(array))):
            return ast.parse(f"np.arange({len(array)})", mode="eval").body
        kind = {"b": "mask", "i": "index"}.get(array.dtype.kind, "constant")
        if key in self._memory:
            return self.input(self.name_of(self._memory[key], kind), array)
        return self.input(self.numbered(kept.name or kind), array)

    def of_saved(self, kept: Kept, key: Any) -> ast.expr:
        array = kept.array
        named = self.names.of(kept.tensor) is not None
        if not named and isinstance(array, np.ndarray) and array.ndim == 2:
            flipped = where(array.T)
            if flipped in self._memory and flipped not in self._known:
                name = self.name_of(self._memory[flipped], kept.name)
                self._known[flipped] = self.input(name, array.T)
            if flipped in self._known:
                return ast.Attribute(self._known[flipped], "T")
        return self.input(self.name_of(kept.tensor, kept.name), array)

    def name_of(self, tensor: Any, kind: str) -> str:
        """What a tensor is called: of a result, what its gradient is called after, too."""
        node, index = made_by(tensor)
        if node is None:
            node, index = self._leaves.get(id(tensor)), 0
        if node is not None:
            return self.base(node, index)
        key = (id(tensor), -1)
        if key not in self._bases:
            self._alive.append(tensor)
            name = self.names.of(tensor)
            self._bases[key] = self.unique(name) if name else self.numbered(kind)
        return self._bases[key]

    def input(self, name: str, value: Any) -> ast.expr:
        """Something that the program begins with."""
        if name in self.inputs:
            name = self.unique(name)
        copied = copy_of(value) if isinstance(value, np.ndarray) else value
        self.inputs[name] = Input(name, copied, literal(value) or f"given[{name!r}]")
        return ast.Name(name)

    # --- Statements

    @property
    def within(self) -> bool:
        """Is this a pass within the pass? What it does is not the program's."""
        if self._running or self._in_hook:
            self.passes_within = True
            if self._running:
                self.cannot(self._running[0], "pass")
            return True
        return False

    def called(self, function: str, *args: ast.expr) -> ast.expr:
        """A call of what works on tensors."""
        return ast.Call(ast.Name("call"), [ast.parse(function, mode="eval").body, *args], [])

    def seeded(self, node: Any, index: int, g: Any) -> None:
        super().seeded(node, index, g)
        if self.within:
            return
        name = self.gradient(node, index)
        array = array_of(g)
        if isinstance(array, np.generic):
            code = constant(array, ast.Constant)
        elif array.size and np.all(array == 1):
            kind = ast.Attribute(ast.Name("np"), array.dtype.name)
            shape = constant(array.shape, ast.Constant)
            code = ast.Call(ast.parse("np.ones", mode="eval").body, [shape, kind], [])
        else:
            code = self.input(self.numbered("gradient"), array)
        if name in self._arrays:
            code = ast.BinOp(ast.Name(name), ast.Add(), code)
            array = self._arrays[name] + array
        self.say(None, assign(name, code))
        self._arrays[name] = array

    def started(self, node: Any, gradients: Sequence[Any]) -> Any:
        outer = not self._running and not self._in_hook
        self._running.append(node)
        if outer:
            self._ready = ready(node), [array_of(g) for g in gradients]
            self._pending = []
            if not node.takes_undefined and all(g is None for g in gradients):
                self._running.pop()
        return super().started(node, gradients)

    def unpacked(self, packed: Any, tensor: Any) -> None:
        self._unpacked[id(packed)] = tensor

    def applied(self, node: Any, outgoing: Sequence[Any]) -> None:
        super().applied(node, outgoing)
        if self._running:
            self._running.pop()
        if self._running or self._in_hook:
            return
        (_, state), gradients = self._ready
        given: list[ast.expr | None] = [
            None if g is None else ast.Name(self.gradient(node, index))
            for index, g in enumerate(gradients)
        ]
        arrays = [array_of(g) for g in outgoing]
        arrays += [None] * (len(node.next_functions) - len(arrays))
        wanted = [
            None if target is None else array
            for array, (target, _) in zip(arrays, node.next_functions, strict=False)
        ]
        try:
            code = written(
                self._ready[0],
                gradients,
                given,
                wanted,
                self.naming,
                unpacked=self._unpacked,
                fresh=self.fresh,
            )
        except NotWritten as error:
            code = self.as_call(state, node, given, wanted, str(error))
        self.say(node, *code.statements)
        self._pending = [
            None if end is None else (end, array)
            for end, array in zip(code.outgoing, wanted, strict=True)
        ]

    def as_call(
        self,
        state: Any,
        node: Any,
        given: list[ast.expr | None],
        wanted: Sequence[Any],
        reason: str,
    ) -> Written:
        """A node that is called: the `backward` of the reader's own Function, or the node itself,
        where its formula cannot be written out."""
        own = user_function(state)
        result = self.fresh()
        places: Sequence[int] = range(len(wanted))
        args = [
            self.zeros(state, place) if each is None else each for place, each in enumerate(given)
        ]
        if own is None:
            self.cannot(node, reason)
            name = self.numbered("node")
            self.inputs[name] = Input(name, state, f"given[{name!r}]")
            call = self.called(name, *args)
        else:
            function, method, places = own
            context = self.numbered("ctx")
            self.inputs[context] = Input(context, state, f"given[{context!r}]")
            name = function.__name__
            if name not in self.inputs:
                self._taken.add(name)
                self.inputs[name] = Input(name, function, f"given[{name!r}]")
            elif self.inputs[name].value is not function:
                name = self.unique(name)
                self.inputs[name] = Input(name, function, f"given[{name!r}]")
            call = self.called(f"{name}.{method}", ast.Name(context), *args)
        ends: list[ast.expr | None] = [
            None if array is None else ast.Subscript(ast.Name(result), ast.Constant(place))
            for place, array in zip(places, wanted, strict=False)
        ]
        return Written([assign(result, call)], ends)

    def zeros(self, state: Any, place: int) -> ast.expr:
        """What stands in a call for a gradient that has not arrived."""
        found = None if user_function(state) is None else materialized(state, place)
        if found is None:
            return ast.Constant(None)
        shape, kind = found
        return ast.parse(f"np.zeros({shape}, np.{kind.name})", mode="eval").body

    def reduced(self, node: Any, index: int, before: Any, after: Any) -> None:
        super().reduced(node, index, before, after)
        if self.within or (pending := self._pending[index]) is None:
            return
        target = array_of(after)
        before = array_of(before)
        code = reduced(before, target.shape, pending[0], target, self.naming, self.fresh)
        self.say(node, *code.statements)
        self._pending[index] = code.outgoing[0] or pending[0], target

    def fitted(self, slot: int, array: Any) -> ast.expr:
        """What goes to edge `slot`, in the element type in which it arrives as `array`."""
        code, before = self._pending[slot] or (ast.Constant(None), array)
        if before.dtype != array.dtype:
            kind = ast.Attribute(ast.Name("np"), array.dtype.name)
            code = ast.Call(ast.Attribute(code, "astype"), [kind], [])
        return code

    def handed_over(self, node: Any, edge: int, before: Any, added: Any, after: Any) -> None:
        super().handed_over(node, edge, before, added, after)
        if self.within:
            return
        target, index = node.next_functions[edge]
        code = self.fitted(edge, array_of(added))
        name = self.gradient(target, index)
        self._arrays[name] = array_of(after)
        if before is not None:
            self.say(node, assign(name, ast.BinOp(ast.Name(name), ast.Add(), code)))
        elif self.renamed(node, edge, code, name):
            pass
        else:
            self.say(node, assign(name, code))

    def renamed(self, node: Any, edge: int, code: ast.expr, name: str) -> bool:
        """Where what was computed last has only a number, it gets the name at once."""
        if not isinstance(code, ast.Name) or code.id not in self._temporary:
            return False
        others = [each[0] for at, each in enumerate(self._pending) if each and at > edge]
        used = {n.id for other in others for n in ast.walk(other) if isinstance(n, ast.Name)}
        block = self.blocks[-1]
        if code.id in used or block.of is not node:
            return False
        put = Put({code.id: ast.Name(name)})
        block.statements[:] = [put.visit(each) for each in block.statements]
        return True

    def accumulate(self, node: Any, run: Any, gradients: Sequence[Any]) -> None:
        if self._running:
            self._running.pop()
        if not self.within and node.variable.requires_grad:
            leaf = node.variable
            name = self.leaf_name(node)
            old = None if leaf.grad is None else array_of(leaf.grad)
            code: ast.expr = ast.Name(self.gradient(node, 0))
            if old is not None:
                code = ast.BinOp(self.input(name, old), ast.Add(), code)
            self.say(node, assign(name, code))
        super().accumulate(node, run, gradients)

    def leaf_name(self, node: Any) -> str:
        base = self.base(node, 0)
        name = self.unique(f"{base}_grad")
        self.grads[self.names.of(node.variable) or base] = name
        return name

    def retained(self, node: Any, tensor: Any, g: Any) -> None:
        if not self._running and not self._in_hook:
            index = self.index_of(node, array_of(g))
            given = ast.Name(self.gradient(node, index))
            base = self.base(node, index)
            name = self.unique(f"{base}_grad")
            self.grads[self.names.of(tensor) or base] = name
            if tensor.grad is None:
                code: ast.expr = ast.Call(ast.Attribute(given, "copy"), [], [])
            else:
                code = ast.BinOp(self.input(name, array_of(tensor.grad)), ast.Add(), given)
            self.say(node, assign(name, code))
        super().retained(node, tensor, g)

    def hooked(self, node: Any, kind: str, hook: Any, *args: Any) -> Any:
        outer = not self._running and not self._in_hook
        if kind == "post_accumulate":
            if outer:
                self.cannot(node, "post_accumulate")
            return super().hooked(node, kind, hook, *args)
        before = len(self.not_written), self.passes_within
        self.passes_within = False
        self._in_hook += 1
        try:
            result = super().hooked(node, kind, hook, *args)
        finally:
            self._in_hook -= 1
            if outer and self.passes_within:
                self.cannot(node, "pass")
            self.passes_within |= before[1]
        if outer:
            self.write_hook(node, kind, hook, args, result)
        return result

    def hook(self, hook: Any) -> str:
        for name, known in self.inputs.items():
            if known.value is hook:
                return name
        called = getattr(hook, "__name__", "")
        name = self.unique(called) if called.isidentifier() else self.numbered("hook")
        self.inputs[name] = Input(name, hook, f"given[{name!r}]")
        return name

    def write_hook(self, node: Any, kind: str, hook: Any, args: tuple[Any, ...], out: Any) -> None:
        name = self.hook(hook)
        if kind == "tensor" and args[0] is None:
            self.say(node, ast.Expr(self.called(name, ast.Constant(None))))
        elif kind == "tensor":
            index = self.index_of(node, array_of(args[0]))
            d = self.gradient(node, index)
            call = self.called(name, ast.Name(d))
            if out is None:
                self.say(node, ast.Expr(call))
            else:
                self.say(node, assign(d, ast.Subscript(call, ast.Constant(0))))
                self._arrays[d] = array_of(out)
        elif kind == "node_pre":
            names = [
                self.gradient(node, at) if g is not None else None for at, g in enumerate(args[0])
            ]
            call = self.called(name, ast.Tuple([id_or_none(each) for each in names]))
            if out is None:
                self.say(node, ast.Expr(call))
                return
            result = self.fresh()
            self.say(node, assign(result, call))
            for at, (each, g) in enumerate(zip(names, out, strict=True)):
                if each is not None and g is not None:
                    part = ast.Subscript(ast.Name(result), ast.Constant(at))
                    self.say(node, assign(each, part))
                    self._arrays[each] = array_of(g)
        else:
            self.write_post_hook(node, name, args, out)

    def write_post_hook(self, node: Any, name: str, args: tuple[Any, ...], out: Any) -> None:
        outgoing, arrived = args
        codes: list[ast.expr] = []
        for slot, g in enumerate(outgoing):
            if g is None:
                codes.append(ast.Constant(None))
                continue
            code = self.fitted(slot, array_of(g))
            if not isinstance(code, ast.Name):
                self.say(node, assign(held := self.fresh(), code))
                code = ast.Name(held)
            self._pending[slot] = code, array_of(g)
            codes.append(code)
        seen = [
            id_or_none(None if g is None else self.gradient(node, at))
            for at, g in enumerate(arrived)
        ]
        call = self.called(name, ast.Tuple(codes), ast.Tuple(seen))
        if out is None:
            self.say(node, ast.Expr(call))
            return
        self.say(node, assign(result := self.fresh(), call))
        self._pending = [
            None
            if g is None
            else (ast.Subscript(ast.Name(result), ast.Constant(slot)), array_of(g))
            for slot, g in enumerate(out)
        ]

    def index_of(self, node: Any, array: Any) -> int:
        """Which output's gradient this array is."""
        places = range(len(node._input_metadata))
        return next(at for at in places if self._arrays.get(self.gradient(node, at)) is array)


def id_or_none(name: str | None) -> ast.expr:
    return ast.Constant(None) if name is None else ast.Name(name)


def assign(name: str, code: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], code)


def where(array: Any) -> Any:
    """What tells arrays apart that are not the same memory, read in the same way."""
    if not isinstance(array, np.ndarray) or not array.size:
        return id(array)
    place = array.__array_interface__["data"][0]
    return place, array.shape, array.strides, array.dtype.str


def copy_of(array: Any) -> Any:
    """A copy that lies in memory as the array does, with its gaps and repeats: what sums over it
    adds in the same order."""
    ends = [step * (size - 1) for step, size in zip(array.strides, array.shape, strict=True)]
    low = sum(min(end, 0) for end in ends)
    high = sum(max(end, 0) for end in ends) + array.itemsize
    if not array.size:
        return array.copy()
    room = np.zeros(high - low, np.uint8)
    copied: Any = np.ndarray(array.shape, array.dtype, room.data, -low, array.strides)
    copied[...] = array
    return copied


def literal(value: Any) -> str:
    """A small array as it is written in a program; empty if it is not small."""
    if not isinstance(value, np.ndarray | np.generic) or value.size > SMALL:
        return ""
    if isinstance(value, np.generic):
        code = text_of(constant(value, ast.Constant))
    else:
        numbers = [text_of(constant(each, ast.Constant)) for each in value.reshape(-1)]
        numbers = [re.sub(r"^np\.\w+\((.*)\)$", r"\1", each) for each in numbers]
        listed = nested(numbers, value.shape)
        kind = value.dtype.name
        plain = kind in ("float64", "int64", "bool") and value.size
        code = f"np.array({listed})" if plain else f"np.array({listed}, np.{kind})"
    found = eval(code, {"np": np})
    alike = same_bits(found, value) and found.strides == value.strides
    return code if alike and type(found) is type(value) else ""


def nested(numbers: list[str], shape: tuple[int, ...]) -> str:
    """Numbers in as many brackets as there are dimensions."""
    if not shape:
        return numbers[0]
    step = len(numbers) // shape[0] if shape[0] else 0
    parts = [nested(numbers[at * step : (at + 1) * step], shape[1:]) for at in range(shape[0])]
    return f"[{', '.join(parts)}]"


def write_pass(
    graph: Walk,
    tensors: Sequence[Any],
    gradients: Sequence[Any],
    inputs: Sequence[Any] | None,
) -> Writer:
    """Run the pass as a rehearsal, and write it down. What it raises is raised."""
    aside = SetAside(graph, last_hooks=False)
    for each in inputs or ():
        aside.take(each)
    try:
        with recording(kind=lambda: Writer(graph, aside)) as trace:
            backward(tensors, gradients, True, inputs=inputs)
    finally:
        aside.put_back()
    assert isinstance(trace, Writer)
    trace.renumber()
    return trace
