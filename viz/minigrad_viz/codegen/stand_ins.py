"""Stand-ins for arrays: they compute as arrays do, and a tape notes every operation on them."""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterator, Mapping
from typing import Any, Protocol, cast

import numpy as np

from .arrays import ON_CPU, fits
from .constants import NotWritten, numpy_name
from .helpers import erf


class Notes(Protocol):
    """The methods of a tape (tape.py) that stand-ins call."""

    def note(self, value: Any, code: ast.expr) -> StandIn:
        """Note an operation, and return a stand-in for its result."""

    def effect(self, code: ast.stmt) -> None:
        """Note an operation that writes to an array."""

    def code(self, value: Any) -> ast.expr:
        """Return the code of a value."""

    def index(self, value: Any) -> ast.expr:
        """Return the code of an index."""

    def is_unused(self, value: StandIn) -> bool:
        """Whether `value` was just computed, and nothing was computed from it."""

    def forget_last(self) -> None:
        """Remove the last operation."""

    def fill(self, room: StandIn, value: Any) -> int | None:
        """Note that `value` fills an empty array; return the step, or None if that is not so."""


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
"""Attributes that take numbers out of an array: no line of code could follow them."""


class StandIn:
    """Stands for an array in a formula: it computes the same, and its tape notes the operation."""

    __slots__ = ("step", "tape", "value")

    def __init__(self, value: Any, tape: Notes, step: int) -> None:
        self.value = value
        self.tape = tape
        self.step = step

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # `isinstance` answers as for the array
        return type(self.value)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        tape, out = self.tape, options.get("out")
        if out is not None and not all(type(each) is StandIn for each in out):
            raise NotWritten("it writes into an array that was not there before")
        value = getattr(ufunc, method)(*arrays_of(inputs), **arrays_of(options))
        codes = [tape.code(each) for each in inputs]
        call = (
            ast.Attribute(numpy_name(ufunc), method) if method != "__call__" else numpy_name(ufunc)
        )
        if out is None and method == "__call__" and not options and ufunc in SIGNS:
            return tape.note(value, operation(SIGNS[ufunc], codes))
        code = ast.Call(call, codes, keywords(tape, options, out))
        if method == "at":
            tape.effect(ast.Expr(code))
            return None
        if out is not None:
            tape.effect(ast.Expr(code))
            return out[0] if len(out) == 1 else out
        return results(tape, value, code)

    def __array_function__(self, function: Any, _: Any, args: Any, options: Any) -> Any:
        tape = self.tape
        value = function(*arrays_of(args), **arrays_of(options))
        codes = [tape.code(each) for each in args]
        code = ast.Call(numpy_name(function), codes, keywords(tape, options))
        if value is None or "out" in options:
            tape.effect(ast.Expr(code))
            return options.get("out")
        return results(tape, value, code)

    def __getattr__(self, name: str) -> Any:
        if name in TAKEN_OUT or (name.startswith("__") and name != "__array_priority__"):
            raise NotWritten(f"it takes numbers out of an array: {name}")
        value, tape = getattr(self.value, name), self.tape
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
            found = value(*arrays_of(args), **arrays_of(options))
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
        """The same memory read in other steps: in NumPy's words a broadcast, where it only repeats
        elements."""
        tape, array = self.tape, self.value
        if (array.shape, array.strides) == (tuple(shape), tuple(strides)):
            return self  # A broadcast could not be written to.
        steps: tuple[Any, ...] = (shape, strides)
        function: Any = np.lib.stride_tricks.as_strided
        if fits(array.shape, tuple(shape)) and np.broadcast_to(array, shape).strides == strides:
            function, steps = np.broadcast_to, (shape,)
        value = np.lib.stride_tricks.as_strided(array, shape, strides)
        return tape.note(
            value, ast.Call(numpy_name(function), list(map(tape.code, (self, *steps))), [])
        )

    def erf(self) -> Any:
        tape = self.tape
        return tape.note(erf(self.value), ast.Call(ast.Name("erf"), [tape.code(self)], []))

    def __getitem__(self, index: Any) -> Any:
        tape = self.tape
        code = ast.Subscript(tape.code(self), tape.index(index))
        return tape.note(self.value[arrays_of(index)], code)

    def __setitem__(self, index: Any, value: Any) -> None:
        tape = self.tape
        self.value[arrays_of(index)] = arrays_of(value)
        if index is Ellipsis and (full := tape.fill(self, value)) is not None:
            self.step = full
            return
        target = ast.Subscript(tape.code(self), tape.index(index), ast.Store())
        tape.effect(ast.Assign([target], tape.code(value)))

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Iterator[Any]:
        return (self[place] for place in range(len(self.value)))

    def __bool__(self) -> bool:
        return bool(self.value)  # the branch of this pass

    def __float__(self) -> float:
        raise NotWritten("it takes a number out of an array")

    __int__ = __index__ = __complex__ = __float__

    def __abs__(self) -> Any:
        return self.tape.note(
            abs(self.value), ast.Call(ast.Name("abs"), [self.tape.code(self)], [])
        )


class Flags:
    """The flags of a stand-in's array; `writeable` can be set."""

    __slots__ = ("_of",)

    def __init__(self, of: StandIn) -> None:
        object.__setattr__(self, "_of", of)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._of.value.flags, name)

    def __setattr__(self, name: str, value: bool) -> None:
        of = self._of
        setattr(of.value.flags, name, value)
        flags = ast.Attribute(of.tape.code(of), "flags")
        target = ast.Attribute(flags, name, ast.Store())
        of.tape.effect(ast.Assign([target], ast.Constant(value)))


def define(name: str, sign: Any) -> None:
    """Give stand-ins the operator `name`, from the right and in place, too."""
    function = getattr(operator, f"__{name}__")

    def plain(self: Any, *others: Any) -> Any:
        tape = self.tape
        value = function(self.value, *arrays_of(others))
        return tape.note(value, operation(sign, [tape.code(each) for each in (self, *others)]))

    def swapped(self: Any, other: Any) -> Any:
        tape = self.tape
        value = function(arrays_of(other), self.value)
        return tape.note(value, operation(sign, [tape.code(other), tape.code(self)]))

    def in_place(self: Any, other: Any) -> Any:
        if not isinstance(self.value, np.ndarray):
            return plain(self, other)
        tape = self.tape
        if tape.is_unused(self):  # then a new array in its place makes no difference
            found = plain(self, other)
            if found.dtype == self.dtype and found.shape == self.shape:
                self.value, self.step = found.value, found.step
                return self
            tape.forget_last()
        getattr(operator, f"__i{name}__")(self.value, arrays_of(other))
        tape.effect(ast.AugAssign(as_target(tape.code(self)), sign(), tape.code(other)))
        return self

    setattr(StandIn, f"__{name}__", plain)
    if issubclass(sign, ast.operator):
        setattr(StandIn, f"__r{name}__", swapped)
        setattr(StandIn, f"__i{name}__", in_place)


for _name, (_sign, _) in OPERATORS.items():
    define(_name, _sign)


def as_target(code: ast.expr) -> Any:
    """Return the expression as the target of an assignment."""
    cast(Any, code).ctx = ast.Store()
    return code


def arrays_of(value: Any) -> Any:
    """Return arrays in place of stand-ins, inside tuples, lists, dicts and slices, too."""
    if type(value) is StandIn:
        return value.value
    if type(value) in (tuple, list):
        return type(value)(arrays_of(each) for each in value)
    if type(value) is dict:
        return {key: arrays_of(each) for key, each in value.items()}
    if type(value) is slice:
        return slice(arrays_of(value.start), arrays_of(value.stop), arrays_of(value.step))
    return value


def operation(sign: Any, codes: list[ast.expr]) -> ast.expr:
    """Return the code of an operator with its operands."""
    if issubclass(sign, ast.unaryop):
        return ast.UnaryOp(sign(), codes[0])
    if issubclass(sign, ast.cmpop):
        return ast.Compare(codes[0], [sign()], codes[1:])
    return ast.BinOp(codes[0], sign(), codes[1])


def keywords(tape: Notes, options: Mapping[str, Any], out: Any = None) -> list[ast.keyword]:
    """Return the keyword arguments of a call."""
    return [
        ast.keyword(key, tape.code(out[0] if key == "out" and out and len(out) == 1 else value))
        for key, value in options.items()
        if key != "shape" or value is not None
    ]


def results(tape: Notes, value: Any, code: ast.expr) -> Any:
    """Return stand-ins for the results of a function: an array or several."""
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
