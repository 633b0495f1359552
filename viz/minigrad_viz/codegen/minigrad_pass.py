"""Write a backward pass of minigrad as straight-line NumPy code while it runs.

A recorder gets everything that a program needs: which node runs with which gradients, the result of
its formula, the sums, the edges, and the hooks. Each event becomes a statement, in the order of the
pass; formulas.py writes the formulas, and statements.py chooses the names.

The pass is a rehearsal (passes/record.py): it restores every `.grad`, and frees no saved tensor.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad.autograd import backward
from minigrad.autograd.events import recording
from minigrad.autograd.replay import Replay, Saved, array_of

from ..model.either_library import output_metadata
from ..model.graph_model import Walk
from ..model.names import made_by
from ..passes.record import Rehearsal, SetAside
from .arrays import copy_with_layout, memory_key, same_bits
from .constants import NotWritten, constant, text_of
from .formulas import write_formula, write_sum
from .rewriting import Replacement
from .statements import Draft, Input
from .tape import Code

SMALL = 6
"""Arrays of at most this many elements are written out in the program."""


class Writer(Draft, Rehearsal):
    """A recorder that writes a program."""

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
            self._memory.setdefault(memory_key(array_of(tensor)), tensor)
        nodes = [graph.objects[n.id] for n in graph.model.nodes if n.kind == "accumulate"]
        self._leaves = {id(node.variable): node for node in nodes}

    # --- Names

    def naming(self, saved: Saved) -> ast.expr:
        """Return the name of an array that a formula reads; make it an input of the program."""
        key = memory_key(saved.array)
        if key in self._known:
            return self._known[key]
        if saved.tensor is None:
            found = self.of_constant(saved, key)
        else:
            found = self.of_saved(saved, key)
        self._alive.append(saved.array)
        self._known[key] = found
        return found

    def of_constant(self, saved: Saved, key: Any) -> ast.expr:
        array = saved.array
        if array.ndim == 1 and array.dtype.kind == "i" and np.array_equal(array, range(len(array))):
            return ast.parse(f"np.arange({len(array)})", mode="eval").body
        kind = {"b": "mask", "i": "index"}.get(array.dtype.kind, "constant")
        if key in self._memory:
            return self.input(self.name_of(self._memory[key], kind), array)
        return self.input(self.numbered_name(saved.name or kind), array)

    def of_saved(self, saved: Saved, key: Any) -> ast.expr:
        array = saved.array
        named = self.names.of(saved.tensor) is not None
        if not named and isinstance(array, np.ndarray) and array.ndim == 2:
            flipped = memory_key(array.T)
            if flipped in self._memory and flipped not in self._known:
                name = self.name_of(self._memory[flipped], saved.name)
                self._known[flipped] = self.input(name, array.T)
            if flipped in self._known:
                return ast.Attribute(self._known[flipped], "T")
        return self.input(self.name_of(saved.tensor, saved.name), array)

    def name_of(self, tensor: Any, kind: str) -> str:
        """Return the name of a tensor; for a result, the one that its gradient is named after."""
        node, index = made_by(tensor)
        if node is None:
            node, index = self._leaves.get(id(tensor)), 0
        if node is not None:
            return self.base(node, index)
        key = (id(tensor), -1)
        if key not in self._bases:
            self._alive.append(tensor)
            name = self.names.of(tensor)
            self._bases[key] = self.unique_name(name) if name else self.numbered_name(kind)
        return self._bases[key]

    def input(self, name: str, value: Any) -> ast.expr:
        """Add an input of the program; return its name."""
        if name in self.inputs:
            name = self.unique_name(name)
        copied = copy_with_layout(value) if isinstance(value, np.ndarray) else value
        self.inputs[name] = Input(name, copied, literal(value) or f"given[{name!r}]")
        return ast.Name(name)

    # --- Statements

    @property
    def within(self) -> bool:
        """Whether a pass within the pass is running, which the program leaves out."""
        if self._running or self._in_hook:
            self.passes_within = True
            if self._running:
                self.note_unwritten(self._running[0], "pass")
            return True
        return False

    def call_of(self, function: str, *args: ast.expr) -> ast.expr:
        """Return a call of a function on tensors."""
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
            code = self.input(self.numbered_name("gradient"), array)
        if name in self._arrays:
            code = ast.BinOp(ast.Name(name), ast.Add(), code)
            array = self._arrays[name] + array
        self.add(None, assign(name, code))
        self._arrays[name] = array

    def started(self, node: Any, gradients: Sequence[Any]) -> Any:
        outer = not self._running and not self._in_hook
        self._running.append(node)
        if outer:
            self._replay = Replay(node), [array_of(g) for g in gradients]
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
        replay, gradients = self._replay
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
            code = write_formula(
                replay,
                gradients,
                given,
                wanted,
                self.naming,
                unpacked=self._unpacked,
                fresh=self.temporary_name,
            )
        except NotWritten as error:
            code = self.as_call(replay, given, wanted, str(error))
        self.add(node, *code.statements)
        self._pending = [
            None if end is None else (end, array)
            for end, array in zip(code.outgoing, wanted, strict=True)
        ]

    def as_call(
        self,
        replay: Replay,
        given: list[ast.expr | None],
        wanted: Sequence[Any],
        reason: str,
    ) -> Code:
        """Write a call of a node, or of the `backward` of a user's Function."""
        own = replay.user_function
        result = self.temporary_name()
        places: Sequence[int] = range(len(wanted))
        args = [
            self.zeros(replay, place) if each is None else each for place, each in enumerate(given)
        ]
        if own is None:
            self.note_unwritten(replay.node, reason)
            name = self.numbered_name("node")
            self.inputs[name] = Input(name, replay.copy, f"given[{name!r}]")
            call = self.call_of(name, *args)
        else:
            function, method, places = own
            context = self.numbered_name("ctx")
            self.inputs[context] = Input(context, replay.copy, f"given[{context!r}]")
            name = function.__name__
            if name not in self.inputs:
                self._taken.add(name)
                self.inputs[name] = Input(name, function, f"given[{name!r}]")
            elif self.inputs[name].value is not function:
                name = self.unique_name(name)
                self.inputs[name] = Input(name, function, f"given[{name!r}]")
            call = self.call_of(f"{name}.{method}", ast.Name(context), *args)
        ends: list[ast.expr | None] = [
            None if array is None else ast.Subscript(ast.Name(result), ast.Constant(place))
            for place, array in zip(places, wanted, strict=False)
        ]
        return Code([assign(result, call)], ends)

    def zeros(self, replay: Replay, place: int) -> ast.expr:
        """Return the code of a gradient that has not arrived."""
        zeros = replay.zeros(place)
        code = "None" if zeros is None else f"np.zeros({zeros.shape}, np.{zeros.dtype.name})"
        return ast.parse(code, mode="eval").body

    def reduced(self, node: Any, index: int, before: Any, after: Any) -> None:
        super().reduced(node, index, before, after)
        if self.within or (pending := self._pending[index]) is None:
            return
        target = array_of(after)
        before = array_of(before)
        code = write_sum(before, pending[0], target, self.naming, self.temporary_name)
        self.add(node, *code.statements)
        self._pending[index] = code.outgoing[0] or pending[0], target

    def cast_to(self, slot: int, array: Any) -> ast.expr:
        """Return the code of the gradient for edge `slot`, in the dtype of `array`."""
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
        code = self.cast_to(edge, array_of(added))
        name = self.gradient(target, index)
        self._arrays[name] = array_of(after)
        if before is not None:
            self.add(node, assign(name, ast.BinOp(ast.Name(name), ast.Add(), code)))
        elif self.rename_last(node, edge, code, name):
            pass
        else:
            self.add(node, assign(name, code))

    def rename_last(self, node: Any, edge: int, code: ast.expr, name: str) -> bool:
        """Rename the last temporary variable to `name`, if only this edge uses it."""
        if not isinstance(code, ast.Name) or code.id not in self._temporary:
            return False
        others = [each[0] for at, each in enumerate(self._pending) if each and at > edge]
        used = {n.id for other in others for n in ast.walk(other) if isinstance(n, ast.Name)}
        block = self.blocks[-1]
        if code.id in used or block.of is not node:
            return False
        put = Replacement({code.id: ast.Name(name)})
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
            self.add(node, assign(name, code))
        super().accumulate(node, run, gradients)

    def leaf_name(self, node: Any) -> str:
        base = self.base(node, 0)
        name = self.unique_name(f"{base}_grad")
        self.grads[self.names.of(node.variable) or base] = name
        return name

    def retained(self, node: Any, tensor: Any, g: Any) -> None:
        if not self._running and not self._in_hook:
            index = self.index_of(node, array_of(g))
            given = ast.Name(self.gradient(node, index))
            base = self.base(node, index)
            name = self.unique_name(f"{base}_grad")
            self.grads[self.names.of(tensor) or base] = name
            if tensor.grad is None:
                code: ast.expr = ast.Call(ast.Attribute(given, "copy"), [], [])
            else:
                code = ast.BinOp(self.input(name, array_of(tensor.grad)), ast.Add(), given)
            self.add(node, assign(name, code))
        super().retained(node, tensor, g)

    def hooked(self, node: Any, kind: str, hook: Any, *args: Any) -> Any:
        outer = not self._running and not self._in_hook
        if kind == "post_accumulate":
            if outer:
                self.note_unwritten(node, "post_accumulate")
            return super().hooked(node, kind, hook, *args)
        # Found first: a hook that views a single number moves it to other memory.
        alone = outer and kind == "tensor" and args[0] is not None
        index = self.index_of(node, array_of(args[0])) if alone else None
        before = len(self.not_written), self.passes_within
        self.passes_within = False
        self._in_hook += 1
        try:
            result = super().hooked(node, kind, hook, *args)
        finally:
            self._in_hook -= 1
            if outer and self.passes_within:
                self.note_unwritten(node, "pass")
            self.passes_within |= before[1]
        if outer and kind == "tensor":
            self.write_tensor_hook(node, index, hook, args[0], result)
        elif outer:
            self.write_hook(node, kind, hook, args, result)
        return result

    def hook(self, hook: Any) -> str:
        for name, known in self.inputs.items():
            if known.value is hook:
                return name
        called = getattr(hook, "__name__", "")
        name = self.unique_name(called) if called.isidentifier() else self.numbered_name("hook")
        self.inputs[name] = Input(name, hook, f"given[{name!r}]")
        return name

    def write_tensor_hook(self, node: Any, index: int | None, hook: Any, g: Any, out: Any) -> None:
        """Write a call with the gradient of output `index`; None: no gradient has arrived."""
        d = None if index is None else self.gradient(node, index)
        call = self.call_of(self.hook(hook), id_or_none(d))
        if d is None:
            self.add(node, ast.Expr(call))
            return
        if out is not None:
            self.add(node, assign(d, ast.Subscript(call, ast.Constant(0))))
        else:
            if array_of(g) is not self._arrays[d]:  # A single number, which cannot be written to.
                copied = ast.Call(ast.parse("np.array", mode="eval").body, [ast.Name(d)], [])
                self.add(node, assign(d, copied))
            self.add(node, ast.Expr(call))
        self._arrays[d] = array_of(g if out is None else out)

    def write_hook(self, node: Any, kind: str, hook: Any, args: tuple[Any, ...], out: Any) -> None:
        name = self.hook(hook)
        if kind == "node_pre":
            names = [
                self.gradient(node, at) if g is not None else None for at, g in enumerate(args[0])
            ]
            call = self.call_of(name, ast.Tuple([id_or_none(each) for each in names]))
            if out is None:
                self.add(node, ast.Expr(call))
                return
            result = self.temporary_name()
            self.add(node, assign(result, call))
            for at, (each, g) in enumerate(zip(names, out, strict=True)):
                if each is not None and g is not None:
                    part = ast.Subscript(ast.Name(result), ast.Constant(at))
                    self.add(node, assign(each, part))
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
            code = self.cast_to(slot, array_of(g))
            if not isinstance(code, ast.Name):
                self.add(node, assign(held := self.temporary_name(), code))
                code = ast.Name(held)
            self._pending[slot] = code, array_of(g)
            codes.append(code)
        seen = [
            id_or_none(None if g is None else self.gradient(node, at))
            for at, g in enumerate(arrived)
        ]
        call = self.call_of(name, ast.Tuple(codes), ast.Tuple(seen))
        if out is None:
            self.add(node, ast.Expr(call))
            return
        self.add(node, assign(result := self.temporary_name(), call))
        self._pending = [
            None
            if g is None
            else (ast.Subscript(ast.Name(result), ast.Constant(slot)), array_of(g))
            for slot, g in enumerate(out)
        ]

    def index_of(self, node: Any, array: Any) -> int:
        """Return the output of which this array is the gradient."""
        places = range(len(output_metadata(node)))
        return next(at for at in places if self._arrays.get(self.gradient(node, at)) is array)


def id_or_none(name: str | None) -> ast.expr:
    return ast.Constant(None) if name is None else ast.Name(name)


def assign(name: str, code: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], code)


def literal(value: Any) -> str:
    """Return the code of a small array, else an empty text."""
    if not isinstance(value, np.ndarray | np.generic) or value.size > SMALL:
        return ""
    kind = value.dtype
    if kind.kind == "f" and np.isfinite(value).all():
        ordinary = np.empty(value.shape, kind).strides == value.strides
        # The shortest text of each number gives the number again.
        numbers = [repr(float(str(each))) for each in value.reshape(-1)]
        if isinstance(value, np.generic):
            return f"np.{kind.name}({numbers[0]})"
        if ordinary and value.size:
            listed = nested(numbers, value.shape)
            return f"np.array({listed}{'' if kind == np.float64 else f', np.{kind.name}'})"
    if isinstance(value, np.generic):
        code = text_of(constant(value, ast.Constant))
    else:
        numbers = [text_of(constant(each, ast.Constant)) for each in value.reshape(-1)]
        numbers = [re.sub(r"^np\.\w+\((.*)\)$", r"\1", each) for each in numbers]
        listed = nested(numbers, value.shape)
        name = value.dtype.name
        plain = name in ("float64", "int64", "bool") and value.size
        code = f"np.array({listed})" if plain else f"np.array({listed}, np.{name})"
    found = eval(code, {"np": np})
    alike = same_bits(found, value) and found.strides == value.strides
    return code if alike and type(found) is type(value) else ""


def nested(numbers: list[str], shape: tuple[int, ...]) -> str:
    """Return numbers in nested brackets, one level for each dimension."""
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
    """Run the pass as a rehearsal, and write it as code; raise its errors."""
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
