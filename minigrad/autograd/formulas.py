"""What a node's backward formula computes, as straight-line NumPy code.

A formula is a Python function on arrays, so there is no text that fits one node: it asks what is
needed, calls helpers, takes branches. But it can be watched. `written` runs it once more on
stand-ins for its arrays, which compute as arrays do and note every operation on the way. What has
been noted is then run, and compared with what the engine's own run has given, bit for bit: a text
that computes something else is never handed out.

>>> import ast
>>> import minigrad as mg
>>> from minigrad.autograd.formulas import ready, text_of, written
>>> y = mg.tensor([0.5, 2.0], requires_grad=True).tanh()
>>> g = mg.ones(2)
>>> with mg.no_grad():
...     found = y.grad_fn(g)
>>> arrays = [g.numpy()], [found.numpy()]
>>> names = [ast.Name("g")], lambda kept: ast.Name("y")
>>> code = written(ready(y.grad_fn), arrays[0], names[0], arrays[1], names[1])
>>> text_of(code.outgoing[0])
'g * (1 - y * y)'
"""

from __future__ import annotations

import ast
import copy
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from ..arrays.devices import ON_CPU
from ..arrays.erf import erf
from ..core.broadcasting import broadcasts_to, sum_to
from ..core.function import Function, FunctionCtx, formula_of
from ..core.modes import modes, no_grad
from ..core.node import TensorBase, new_tensor, raw
from ..core.operation import Operation
from ..core.saved import PackedTensor
from ..core.views import CopySlices, region
from ..tensors.creation import as_tensor

LONGEST = 60
"""Characters: what is longer is not put into a larger expression, but gets a name."""


class NotWritten(Exception):
    """A formula cannot be followed; the words say why."""


class Kept(NamedTuple):
    """Something that a formula reads besides the gradients: its `name` in the formula ("self",
    "result"; empty for a constant, such as a mask), the array, and the saved tensor with its
    history, if it is one."""

    name: str
    array: Any
    tensor: Any = None


Naming = Callable[[Kept], ast.expr]
"""What the text calls it."""


class Written(NamedTuple):
    """A formula as code: statements, and then an expression for each gradient that it gives."""

    statements: list[ast.stmt]
    outgoing: list[ast.expr | None]


class Ready(NamedTuple):
    """A node that is about to run, and its state, which the run may change."""

    node: Any
    state: Any


def ready(node: Any) -> Ready:
    """What `written` needs of a node, before it runs."""
    return Ready(node, copy.copy(node))


def written(
    node: Ready,
    gradients: Sequence[Any],
    given: Sequence[ast.expr | None],
    outgoing: Sequence[Any],
    naming: Naming,
    *,
    unpacked: Mapping[int, Any] | None = None,
    fresh: Callable[[], str] | None = None,
) -> Written:
    """The formula of `node` for `gradients`, which the text calls as `given` says.

    `outgoing` is what the engine has computed. `unpacked` has the tensors that hooks made of packed
    ones, by the identity of those. `fresh` makes a name for what is computed on the way.

    Raises:
        NotWritten: the formula does what cannot be followed.
    """
    error = NotWritten("it is no operation of minigrad's")
    for way in ways(node.state):
        tape = Tape(naming, fresh)
        try:
            formula = way(node, tape, unpacked or {})
            return followed(formula, gradients, given, outgoing, tape)
        except NotWritten as why:
            error = why
    raise error


Formula = Callable[..., Any]
Way = Callable[[Ready, "Tape", Mapping[int, Any]], Formula]


def ways(node: Any) -> Sequence[Way]:
    """How the formula of a node may be followed; the first text that is true is taken."""
    if isinstance(node, CopySlices):
        return (in_region, in_numbered_region)
    if getattr(node, "_told", None) is not None:
        return (told,)
    return (as_it_is,) if isinstance(node, Operation) else ()


def as_it_is(ready: Ready, tape: Tape, unpacked: Mapping[int, Any]) -> Formula:
    """The formula itself, on stand-ins for what the node has saved."""
    node, state = ready
    shadow = copy.copy(state)
    kept = list(shadow._saved or ())
    for place, name in state._names_of_saved() if kept else ():
        value = tensor = kept[place]
        if isinstance(value, PackedTensor):
            tensor = unpacked.get(id(value))
            if tensor is None:
                raise NotWritten("a hook has packed what it saved")
        elif hasattr(value, "tensor"):  # an output, or what stands for one
            tensor = value.tensor(node)
        elif not isinstance(value, TensorBase):
            continue
        array = tensor._array
        if array.dtype.kind == "f":  # others are constants
            stand_in = new_tensor(tape.input(array, tape.naming(Kept(name, array, tensor))))
            stand_in._counter = None  # also in inference mode: nobody writes to it
            kept[place] = stand_in
    shadow._saved = shadow._saved and tuple(kept)
    return cast(Formula, shadow.backward)


def in_region(ready: Ready, tape: Tape, unpacked: Mapping[int, Any]) -> Formula:
    """That of a write through a view: what the write says in its region, elsewhere as it was."""
    node = ready.state
    inner = as_it_is(Ready(node.operation, node.operation), tape, unpacked)

    def formula(g: Any) -> Any:
        found = inner(region(g, node.steps))
        first, *others = found if type(found) is tuple else (found,)
        rest = g.copy()
        region(rest, node.steps)[...] = 0.0 if first is None else first
        return (rest, *others)

    return formula


def in_numbered_region(ready: Ready, tape: Tape, unpacked: Mapping[int, Any]) -> Formula:
    """The same as the node itself does it: the region as places in one dimension."""
    shadow = copy.copy(ready.state)
    operation = shadow.operation
    shadow.operation = copy.copy(operation)
    shadow.operation.backward = as_it_is(Ready(operation, operation), tape, unpacked)
    return cast(Formula, shadow.backward)


def told(ready: Ready, tape: Tape, _: Mapping[int, Any]) -> Formula:
    """That of log_softmax under its loss (ops/cross_entropy.py), which works with what is not zero
    in the gradient."""
    softmax, where = ready.state._softmax, ready.state._told[0]
    e, totals = (
        tape.input(array, tape.naming(Kept(name, array)))
        for name, array in (("exponentials", softmax.exponentials), ("totals", softmax.totals))
    )

    def formula(g: Any) -> Any:
        values = g[where]
        found = e * ((0 - values[:, None]) / totals)
        found[where] = found[where] + values
        return found

    return formula


def reduced(
    g: Any,
    shape: tuple[int, ...],
    given: ast.expr,
    after: Any,
    naming: Naming,
    fresh: Callable[[], str],
) -> Written:
    """What undoes broadcasting: `g`, called `given`, summed to `shape`."""
    return followed(lambda t: sum_to(t, shape), [g], [given], [after], Tape(naming, fresh))


def followed(
    formula: Callable[..., Any],
    gradients: Sequence[Any],
    given: Sequence[ast.expr | None],
    outgoing: Sequence[Any],
    tape: Tape,
) -> Written:
    """`formula` watched on `gradients`, and the text tried."""
    if not all(isinstance(g, ON_CPU) for g in (*gradients, *outgoing) if g is not None):
        raise NotWritten("its arrays are not NumPy's")
    traced = [
        None if g is None or name is None else tape.input(g, name)
        for g, name in zip(gradients, given, strict=True)
    ]
    tape.gradients = {f"{MARK}{each._step}" for each in traced if each is not None}
    walk, modes.walk = modes.walk, None  # the formula of one node, and no part of the walk
    try:
        with np.errstate(all="ignore"):
            found = formula(*traced)
            parts: list[Any] = list(found) if type(found) is tuple else [found]
            parts += [None] * (len(outgoing) - len(parts))
            parts = [p if o is not None else None for p, o in zip(parts, outgoing, strict=False)]
            for usual in (True, False):
                code = tape.finished(parts, usual)
                if all(map(same_layout, tape.run(code), outgoing)):
                    return tape.named(code)
    except NotWritten:
        raise
    except Exception as error:  # whatever a formula may do with what is almost an array
        raise NotWritten(f"{type(error).__name__}: {error}") from error
    finally:
        modes.walk = walk
    raise NotWritten("the text gives other numbers")


def same_layout(a: Any, b: Any) -> bool:
    """Whether two arrays are the same to the bit and lie in memory in the same way, so that sums
    over them are, too."""
    if b is None or a is None:
        return a is b
    if isinstance(a, np.ndarray) is not isinstance(b, np.ndarray):
        return False  # of a NumPy scalar there are no views
    steps = [
        [step for step, size in zip(each.strides, each.shape, strict=True) if size > 1]
        for each in (a, b)
    ]
    return same_bits(a, b) and (steps[0] == steps[1] or not b.size)


def same_bits(a: Any, b: Any) -> bool:
    """Whether two arrays are the same numbers in the same shape and type: any two NaNs are."""
    if type(a) is not type(b) and not isinstance(a, ON_CPU):
        return False
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.tobytes() == b.tobytes():
        return True
    return bool(np.array_equal(a, b, equal_nan=True) and np.array_equal(signs(a), signs(b)))


def signs(a: Any) -> Any:
    """Where an array has a minus sign, -0. included; of a NaN it says nothing."""
    return np.signbit(a) & (a == a)


# --- The tape


class Step(NamedTuple):
    """One operation: what is computed, with marks for what it is computed of; and if it writes to
    an array, that is all there is to it. An input is what the caller calls it."""

    code: ast.expr | ast.stmt
    input: bool = False

    @property
    def writes(self) -> bool:
        return isinstance(self.code, ast.stmt)


class Tape:
    """The operations of one formula, in the order in which they were done."""

    def __init__(self, naming: Naming, fresh: Callable[[], str] | None) -> None:
        self.naming = naming
        self.steps: list[Step] = []
        self.inputs: dict[int, Any] = {}
        self.gradients: set[str] = set()
        self.constants: dict[int, tuple[Any, Traced]] = {}
        count = iter(range(1, 10**9))
        self.fresh = fresh or (lambda: f"t{next(count)}")

    def input(self, array: Any, code: ast.expr) -> Traced:
        """A stand-in for an array that the formula begins with."""
        self.inputs[len(self.steps)] = array
        return self.note(array, code, input=True)

    def note(self, value: Any, code: ast.expr, *, input: bool = False) -> Traced:
        """A stand-in for what an operation has computed."""
        self.steps.append(Step(code, input))
        return Traced(value, self, len(self.steps) - 1)

    def effect(self, code: ast.stmt) -> None:
        """An operation that writes to an array."""
        self.steps.append(Step(code))

    def code(self, value: Any) -> ast.expr:
        """How a value is written: a stand-in by a mark, anything else as a constant."""
        if type(value) is Traced:
            return ast.Name(f"{MARK}{value._step}")
        if isinstance(value, np.ndarray):
            known = self.constants.get(id(value))
            if known is None:
                stand_in = self.input(value, self.naming(Kept("", value)))
                known = self.constants[id(value)] = (value, stand_in)
            return self.code(known[1])
        return constant(value, self.code)

    def filled(self, room: Traced, value: Any) -> int | None:
        """Where `room` is new and empty, and one number fills it: the step that makes it full."""
        code = self.steps[room._step].code
        empty = isinstance(code, ast.Call) and text_of(code.func) == "np.empty_like"
        read = any(room._step in marks_in(step.code) for step in self.steps[room._step + 1 :])
        if not empty or read or np.ndim(bare(value)) or np.result_type(bare(value)) != room.dtype:
            return None
        call = ast.Call(named(np.full), [self.code(room.shape), self.code(value)], [])
        return self.note(room._value, call)._step

    def only_here(self, value: Traced) -> bool:
        """Whether `value` has just been computed, and nothing has been computed of it."""
        code = self.steps[value._step].code
        later = self.steps[value._step + 1 :]
        return isinstance(code, ast.BinOp | ast.UnaryOp) and not any(
            value._step in marks_in(step.code) for step in later
        )

    def index(self, value: Any) -> ast.expr:
        """How an index is written: in it, slices have colons."""
        if isinstance(value, tuple) and value:
            return ast.Tuple([self.index(each) for each in value])
        if not isinstance(value, slice):
            return self.code(value)
        parts = (value.start, value.stop, value.step)
        return ast.Slice(*[None if part is None else self.code(part) for part in parts])

    def run(self, code: Written) -> list[Any]:
        """What the text computes of the same inputs."""
        scope: dict[str, Any] = {"np": np, "erf": erf}
        scope |= {f"{MARK}{place}": array for place, array in self.inputs.items()}
        execute(code.statements, scope)
        return [end and eval(text_of(end), scope) for end in code.outgoing]

    def named(self, code: Written) -> Written:
        """The text with the caller's names for the inputs."""
        codes = {f"{MARK}{place}": self.steps[place].code for place in self.inputs}
        put = Put(cast("dict[str, ast.expr]", codes))
        ends = [end and put.visit(end) for end in code.outgoing]
        return Written([put.visit(each) for each in code.statements], ends)

    def finished(self, parts: Sequence[Any], as_usual: bool) -> Written:
        """The text: what is used once stands where it is used, what nobody uses is left out."""
        ends: list[ast.expr | None] = [None if p is None else self.code(p) for p in parts]
        steps = self.steps
        live = {at for at, step in enumerate(steps) if step.writes}
        used: dict[int, list[int]] = {}  # of each step, the places that read it
        for end in ends:
            for mark in marks_in(end):
                used.setdefault(mark, []).append(len(steps))
                live.add(mark)
        for at in reversed(range(len(steps))):
            if at in live:
                for mark in marks_in(steps[at].code):
                    used.setdefault(mark, []).append(at)
                    live.add(mark)
        writes = [at for at, step in enumerate(steps) if step.writes]
        known: dict[str, ast.expr] = {}
        statements: list[ast.stmt] = []
        for at, step in enumerate(steps):
            if at not in live:
                continue
            code = Put(known).visit(copy.deepcopy(step.code))
            if isinstance(code, ast.stmt):
                statements.append(code)
                continue
            once = len(used[at]) == 1 and not any(at < w < used[at][0] for w in writes)
            short = len(text_of(code)) <= LONGEST or used[at][0] == len(steps)
            if step.input:
                continue
            if is_name(code) or (once and short):
                known[f"{MARK}{at}"] = code
                continue
            name = self.fresh()
            statements.append(ast.Assign([ast.Name(name, ast.Store())], code))
            known[f"{MARK}{at}"] = ast.Name(name)
        ends = [end and Put(known).visit(end) for end in ends]
        if not as_usual:
            return Written(statements, ends)
        usual = Usual(self.gradients)
        return Written(
            [usual.visit(each) for each in statements], [end and usual.visit(end) for end in ends]
        )


MARK = "_step_"


def marks_in(code: ast.AST | None) -> Iterator[int]:
    """The steps that a piece of code reads, each as often as it does."""
    for node in () if code is None else ast.walk(code):
        if isinstance(node, ast.Name) and node.id.startswith(MARK):
            yield int(node.id[len(MARK) :])


class Put(ast.NodeTransformer):
    """Puts expressions in the place of names. A transposition of a transposition is none."""

    def __init__(self, known: Mapping[str, ast.expr]) -> None:
        self.known = known

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy.deepcopy(self.known.get(node.id, node))

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        inner = self.visit(node.value)
        if node.attr == "T" and isinstance(inner, ast.Attribute) and inner.attr == "T":
            return inner.value
        return ast.Attribute(inner, node.attr)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """All of a part is written to by writing to the part."""
        inner, index = self.visit(node.value), self.visit(node.slice)
        context = getattr(node, "ctx", ast.Load())
        if is_all(index) and isinstance(inner, ast.Subscript):
            inner, index = inner.value, cast(Any, inner).slice
        return ast.Subscript(inner, index, context)


def is_all(index: ast.expr) -> bool:
    """Whether an index is `...`."""
    return isinstance(index, ast.Constant) and index.value is Ellipsis


class Usual(ast.NodeTransformer):
    """Writes what is quicker in another way as one does by hand, where that is the same to the bit:
    the gradient first, 1 - a * b for -a * b + 1, and a choice for arithmetic with bits."""

    def __init__(self, gradients: set[str]) -> None:
        self.gradients = gradients

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        left, right = self.visit(node.left), self.visit(node.right)
        if isinstance(node.op, ast.Mult) and isinstance(left, ast.BinOp):
            if isinstance(right, ast.Name) and right.id in self.gradients:
                left, right = right, left
        product = isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mult)
        if isinstance(node.op, ast.Add) and isinstance(right, ast.Constant) and product:
            factor = left.left
            if isinstance(factor, ast.UnaryOp) and isinstance(factor.op, ast.USub):
                positive = ast.BinOp(factor.operand, ast.Mult(), left.right)
                return ast.BinOp(right, ast.Sub(), positive)
        return ast.BinOp(left, node.op, right)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """All of an array is the array. (But of a NumPy scalar it is an array.)"""
        found = self.generic_visit(node)
        if is_all(node.slice) and not isinstance(getattr(node, "ctx", None), ast.Store):
            return node.value
        index = node.slice
        if isinstance(index, ast.Tuple) and len(index.elts) > 1 and is_all(index.elts[-1]):
            node.slice = index.elts[0] if len(index.elts) == 2 else ast.Tuple(index.elts[:-1])
        return found

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """The bits of x and those of a mask, as `masked` in ops/elementwise.py has them."""
        found = self.generic_visit(node)
        match found:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.BinOp(
                        left=ast.Call(func=ast.Attribute(value=x, attr="view")),
                        op=ast.BitAnd(),
                        right=ast.UnaryOp(
                            op=ast.USub(),
                            operand=ast.Call(func=ast.Attribute(value=mask, attr="astype")),
                        ),
                    ),
                    attr="view",
                )
            ):
                return ast.Call(named(np.where), [mask, x, ast.Constant(0)], [])
        return found


def is_name(code: ast.expr) -> bool:
    """Whether an expression is a name, or the transposition of one."""
    if isinstance(code, ast.Attribute) and code.attr == "T":
        code = code.value
    return isinstance(code, ast.Name)


def execute(body: list[ast.stmt], scope: dict[str, Any]) -> None:
    """Run statements in a scope of names."""
    exec("\n".join(map(text_of, body)), scope)


def text_of(code: ast.AST) -> str:
    """An expression or a statement as text."""
    return ast.unparse(ast.fix_missing_locations(code))


# --- Constants


def constant(value: Any, code: Callable[[Any], ast.expr]) -> ast.expr:
    """A value that is no array as Python writes it; `code` writes its parts.

    Raises:
        NotWritten: there is no way to write it.
    """
    if value is None or value is Ellipsis or isinstance(value, bool | str):
        return ast.Constant(value)
    if isinstance(value, np.generic):
        return ast.Call(named(type(value)), [number(value)], [])
    if isinstance(value, int | float):
        return number(value)
    if isinstance(value, tuple):
        return ast.Tuple([code(each) for each in value])
    if isinstance(value, list):
        return ast.List([code(each) for each in value])
    if isinstance(value, slice):
        return ast.Call(
            ast.Name("slice"), list(map(code, (value.start, value.stop, value.step))), []
        )
    if isinstance(value, np.dtype):
        return named(value.type)
    return named(value)


def number(value: Any) -> ast.expr:
    """A number, which may be negative, infinite or none."""
    if isinstance(value, bool | np.bool_):
        return ast.Constant(bool(value))
    if value != value or value in (np.inf, -np.inf):
        code: ast.expr = ast.Attribute(ast.Name("np"), "nan" if value != value else "inf")
    else:
        # The shortest text of a float32 is not that of the same number as Python's float.
        code = ast.Constant(abs(value) if isinstance(value, int) else float(str(abs(value))))
        if isinstance(value, np.integer):
            code = ast.Constant(abs(int(value)))
    return ast.UnaryOp(ast.USub(), code) if np.signbit(value) else code


PLACES = (("np", np), ("np.linalg", np.linalg), ("np.lib.stride_tricks", np.lib.stride_tricks))


def named(thing: Any) -> ast.expr:
    """A function or a type of NumPy's by its name."""
    if thing is bool or thing is float or thing is int:
        return ast.Name(thing.__name__)
    name = getattr(thing, "__name__", "")
    for path, module in PLACES:
        if name and getattr(module, name, None) is thing:
            return ast.parse(f"{path}.{name}", mode="eval").body
    raise NotWritten(f"{name or type(thing).__name__} is none of NumPy's names")


# --- Stand-ins

Operator = type[ast.operator] | type[ast.cmpop] | type[ast.unaryop]

OPERATORS: dict[str, tuple[Any, Any]] = {
    "add": (ast.Add, np.add),
    "sub": (ast.Sub, np.subtract),
    "mul": (ast.Mult, np.multiply),
    "truediv": (ast.Div, np.true_divide),
    "floordiv": (ast.FloorDiv, np.floor_divide),
    "mod": (ast.Mod, np.remainder),
    "pow": (ast.Pow, np.power),
    "matmul": (ast.MatMult, np.matmul),
    "and": (ast.BitAnd, np.bitwise_and),
    "or": (ast.BitOr, np.bitwise_or),
    "xor": (ast.BitXor, np.bitwise_xor),
    "lshift": (ast.LShift, np.left_shift),
    "rshift": (ast.RShift, np.right_shift),
    "lt": (ast.Lt, np.less),
    "le": (ast.LtE, np.less_equal),
    "gt": (ast.Gt, np.greater),
    "ge": (ast.GtE, np.greater_equal),
    "eq": (ast.Eq, np.equal),
    "ne": (ast.NotEq, np.not_equal),
    "neg": (ast.USub, np.negative),
    "invert": (ast.Invert, np.invert),
}
SIGNS = {ufunc: sign for sign, ufunc in OPERATORS.values()}

WRITERS = {"fill", "sort", "put", "partition", "resize", "setfield", "byteswap"}
"""Methods that write to their array."""

TAKEN_OUT = {"item", "tolist", "tobytes", "data", "ctypes", "__array_interface__"}
"""What leads out of the arrays: no line could say where it came from."""


class Traced:
    """Stands for an array in a formula: computes as it does, and notes what is computed."""

    __slots__ = ("_step", "_tape", "_value")

    def __init__(self, value: Any, tape: Tape, step: int) -> None:
        self._value = value
        self._tape = tape
        self._step = step

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # `isinstance` is told what it would be told of the array
        return type(self._value)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        tape, out = self._tape, options.get("out")
        if out is not None and not all(type(each) is Traced for each in out):
            raise NotWritten("it writes into an array that was not there before")
        value = getattr(ufunc, method)(*bare(inputs), **bare(options))
        codes = [tape.code(each) for each in inputs]
        call = ast.Attribute(named(ufunc), method) if method != "__call__" else named(ufunc)
        if out is None and method == "__call__" and not options and ufunc in SIGNS:
            return tape.note(value, applied(SIGNS[ufunc], codes))
        code = ast.Call(call, codes, keywords(tape, options, out))
        if method == "at":
            tape.effect(ast.Expr(code))
            return None
        if out is not None:
            tape.effect(ast.Expr(code))
            return out[0] if len(out) == 1 else out
        return results(tape, value, code)

    def __array_function__(self, function: Any, _: Any, args: Any, options: Any) -> Any:
        tape = self._tape
        value = function(*bare(args), **bare(options))
        codes = [tape.code(each) for each in args]
        code = ast.Call(named(function), codes, keywords(tape, options))
        if value is None or "out" in options:
            tape.effect(ast.Expr(code))
            return options.get("out")
        return results(tape, value, code)

    def __getattr__(self, name: str) -> Any:
        if name in TAKEN_OUT or (name.startswith("__") and name != "__array_priority__"):
            raise NotWritten(f"it takes numbers out of an array: {name}")
        value, tape = getattr(self._value, name), self._tape
        if name == "base":
            if value is not None:
                raise NotWritten("it looks for the memory that an array is a part of")
            return None
        code = ast.Attribute(tape.code(self), name)
        if isinstance(value, ON_CPU):
            return tape.note(value, code)
        if not callable(value) or isinstance(value, np.dtype):
            return value  # shape, dtype, strides, ...

        def method(*args: Any, **options: Any) -> Any:
            found = value(*bare(args), **bare(options))
            codes = [tape.code(each) for each in args]
            call = ast.Call(code, codes, keywords(tape, options))
            if name in WRITERS:
                tape.effect(ast.Expr(call))
                return found
            return results(tape, found, call)

        return method

    @property
    def flags(self) -> Any:
        return Flags(self)

    def strided(self, shape: Any, strides: Any) -> Any:
        """The same memory read in other steps, as `memory_order.strided` reads it; where that only
        repeats elements, as NumPy's own function does."""
        tape, array = self._tape, self._value
        steps: tuple[Any, ...] = (shape, strides)
        function: Any = np.lib.stride_tricks.as_strided
        fits = broadcasts_to(array.shape, tuple(shape))
        if fits and np.broadcast_to(array, shape).strides == strides:
            function, steps = np.broadcast_to, (shape,)
        value = np.lib.stride_tricks.as_strided(array, shape, strides)
        return tape.note(value, ast.Call(named(function), list(map(tape.code, (self, *steps))), []))

    def erf(self) -> Any:
        tape = self._tape
        return tape.note(erf(self._value), ast.Call(ast.Name("erf"), [tape.code(self)], []))

    def __getitem__(self, index: Any) -> Any:
        tape = self._tape
        code = ast.Subscript(tape.code(self), tape.index(index))
        return tape.note(self._value[bare(index)], code)

    def __setitem__(self, index: Any, value: Any) -> None:
        tape = self._tape
        self._value[bare(index)] = bare(value)
        if index is Ellipsis and (full := tape.filled(self, value)) is not None:
            self._step = full
            return
        target = ast.Subscript(tape.code(self), tape.index(index), ast.Store())
        tape.effect(ast.Assign([target], tape.code(value)))

    def __len__(self) -> int:
        return len(self._value)

    def __iter__(self) -> Iterator[Any]:
        return (self[place] for place in range(len(self._value)))

    def __bool__(self) -> bool:
        return bool(self._value)  # which branch this pass takes

    def __float__(self) -> float:
        raise NotWritten("it takes a number out of an array")

    __int__ = __index__ = __complex__ = __float__

    def __abs__(self) -> Any:
        return self._tape.note(
            abs(self._value), ast.Call(ast.Name("abs"), [self._tape.code(self)], [])
        )


class Flags:
    """Those of an array that a stand-in stands for. That it may be written can be set."""

    __slots__ = ("_of",)

    def __init__(self, of: Traced) -> None:
        object.__setattr__(self, "_of", of)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._of._value.flags, name)

    def __setattr__(self, name: str, value: bool) -> None:
        of = self._of
        setattr(of._value.flags, name, value)
        flags = ast.Attribute(of._tape.code(of), "flags")
        target = ast.Attribute(flags, name, ast.Store())
        of._tape.effect(ast.Assign([target], ast.Constant(value)))


def _define(name: str, sign: Any) -> None:
    """Give stand-ins the operator `name`, the same from the right, and in place."""
    function = getattr(operator, f"__{name}__")

    def plain(self: Any, *others: Any) -> Any:
        tape = self._tape
        value = function(self._value, *bare(others))
        return tape.note(value, applied(sign, [tape.code(each) for each in (self, *others)]))

    def swapped(self: Any, other: Any) -> Any:
        tape = self._tape
        value = function(bare(other), self._value)
        return tape.note(value, applied(sign, [tape.code(other), tape.code(self)]))

    def in_place(self: Any, other: Any) -> Any:
        if not isinstance(self._value, np.ndarray):
            return plain(self, other)
        tape = self._tape
        if tape.only_here(self):  # nobody can tell whether its memory is written, or new
            found = plain(self, other)
            if found.dtype == self.dtype and found.shape == self.shape:
                self._value, self._step = found._value, found._step
                return self
            tape.steps.pop()
        getattr(operator, f"__i{name}__")(self._value, bare(other))
        tape.effect(ast.AugAssign(stored(tape.code(self)), sign(), tape.code(other)))
        return self

    setattr(Traced, f"__{name}__", plain)
    if issubclass(sign, ast.operator):
        setattr(Traced, f"__r{name}__", swapped)
        setattr(Traced, f"__i{name}__", in_place)


for _name, (_sign, _) in OPERATORS.items():
    _define(_name, _sign)


def stored(code: ast.expr) -> Any:
    """The same expression as the target of an assignment."""
    cast(Any, code).ctx = ast.Store()
    return code


def bare(value: Any) -> Any:
    """The array that a stand-in stands for, also inside of tuples, lists and dictionaries."""
    if type(value) is Traced:
        return value._value
    if type(value) in (tuple, list):
        return type(value)(bare(each) for each in value)
    if type(value) is dict:
        return {key: bare(each) for key, each in value.items()}
    if type(value) is slice:
        return slice(bare(value.start), bare(value.stop), bare(value.step))
    return value


def applied(sign: Any, codes: list[ast.expr]) -> ast.expr:
    """An operator with its operands."""
    if issubclass(sign, ast.unaryop):
        return ast.UnaryOp(sign(), codes[0])
    if issubclass(sign, ast.cmpop):
        return ast.Compare(codes[0], [sign()], codes[1:])
    return ast.BinOp(codes[0], sign(), codes[1])


def keywords(tape: Tape, options: Mapping[str, Any], out: Any = None) -> list[ast.keyword]:
    """Arguments by name, as a call has them."""
    return [
        ast.keyword(key, tape.code(out[0] if key == "out" and out and len(out) == 1 else value))
        for key, value in options.items()
        if key != "shape" or value is not None
    ]


def results(tape: Tape, value: Any, code: ast.expr) -> Any:
    """Stand-ins for what a function has returned: an array or several."""
    if isinstance(value, ON_CPU):
        return tape.note(value, code)
    if not isinstance(value, tuple | list):
        return value
    whole = tape.note(value, code)
    found = [
        tape.note(each, ast.Subscript(tape.code(whole), ast.Constant(place)))
        for place, each in enumerate(value)
    ]
    return type(value)(found) if type(value) in (tuple, list) else tuple(found)


# --- For programs that call what is not written out

Array = Any


def array_of(value: Any) -> Array:
    """The array of a tensor, as the engine carries it; an array or None is what it is."""
    return raw(value)


def call(function: Callable[..., Any], *args: Any) -> list[Any]:
    """Call what works on tensors, on arrays: a hook, a node, the `backward` of a Function. What it
    gives, as a list of arrays.

    >>> import numpy as np
    >>> call(lambda g: g * 2, np.ones(2))
    [array([2., 2.])]
    """
    given = [tuple(map(shown, each)) if type(each) is tuple else shown(each) for each in args]
    with no_grad():
        found = function(*given)
    listed = found if isinstance(found, tuple | list) else (found,)
    return [raw(each) for each in listed]


def shown(value: Any) -> Any:
    """An array as a tensor of the same memory, if that may be written."""
    if not isinstance(value, np.ndarray | np.generic):
        return value
    return as_tensor(value if value.flags.writeable else value.copy())


def user_function(node: Any) -> tuple[type[Function], str, tuple[int, ...]] | None:
    """The Function whose `backward` a node calls, what that is called in it, and which of its
    results are the gradients that the node hands on; None if it is a node of another kind."""
    if not isinstance(node, FunctionCtx):
        return None
    function = node._function
    return function, formula_of(function).__name__, node._tensor_places


def materialized(node: Any, place: int) -> tuple[tuple[int, ...], Any] | None:
    """Shape and type of the zeros that a Function's `backward` is given where no gradient has
    arrived; None where it is given None."""
    zeros = node._shown(None, place)
    return None if zeros is None else (zeros._array.shape, zeros._array.dtype)
