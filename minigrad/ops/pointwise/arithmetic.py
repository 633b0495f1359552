"""The arithmetic operators: each element of the result depends on the elements at the same place.

No formula here mentions broadcasting: the engine sums each gradient to its input's shape. Read
core/operation.py first.
"""

from __future__ import annotations

import operator
from typing import Any, ClassVar, NoReturn, cast

import numpy as np

from ...arrays.blocks import in_blocks
from ...arrays.dtypes import from_numpy_dtype, get_default_dtype, result_dtype
from ...arrays.float16 import widened
from ...arrays.memory_order import row_major
from ...arrays.messages import beyond, check_not_bool, check_result, not_implemented, type_word
from ...core.inplace import inplace, overwrite
from ...core.modes import modes
from ...core.node import TensorBase, gradient_edge
from ...core.operation import ALWAYS, Operation, apply, record, zeros_for
from ...core.promotion import binary, in_common_type, number, promote_to, with_number
from ...core.saved import NUMBERS
from ..public.factories import (
    OPERANDS,
    check_into,
    elementwise,
    of_either,
    of_either_,
    operator_of,
    operators,
    two,
    unary,
)
from ..public.functions import MISSING, Function, alias, rename_schemas, schema
from ..public.kinds import gradient_of
from ..public.overriding import operator_answer, watchers
from .elementwise import LogBackward0, keep_where, zero_where

BOOL = np.dtype(bool)

NO_BOOL = (
    "the `-` operator, {} a bool tensor is not supported. If you are trying to invert a mask, use "
    "the `~` or `logical_not()` operator instead."
)

NO_BOOLS = (
    "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
    "`logical_xor()` operator instead."
)

# --- Operations with a constant, inside recorded formulas


@gradient_of(operator.add, r"\bar a = g", params="_other")
def AddBackward1(g: Any, _other: Any) -> Any:
    """self + other for a number `other`."""
    return g


@gradient_of(operator.sub, r"\bar a = g", params="_other")
def SubBackward1(g: Any, _other: Any) -> Any:
    """self - other for a number `other`."""
    return g


@gradient_of(operator.mul, r"\bar a = g \cdot c", params="other")
def MulBackward1(g: Any, other: Any) -> Any:
    """self * other for a number `other`."""
    return g * other


@gradient_of(operator.truediv, r"\bar a = \frac{g}{c}", params="other")
def DivBackward1(g: Any, other: Any) -> Any:
    """self / other for a number `other`."""
    return g / other


# --- Sums and products


def add_multiple(self: Any, other: Any, alpha: Any = 1) -> None:
    """Compute self += alpha * other, which is one step of gradient descent."""
    if alpha == 1:
        self += other
    elif alpha == -1:
        self -= other
    elif type(other) in NUMBERS:
        self += alpha * other
    else:
        for mine, theirs in in_blocks(self, other):
            mine += alpha * theirs


class AddBackward0(Operation):
    """self + alpha * other."""

    rule = r"\bar a = g, \qquad \bar b = \alpha \cdot g"
    default_args = (1,)  # alpha, unless another is given
    with_number = AddBackward1
    forward_into = add_multiple

    def forward(self: Any, other: Any, /, alpha: Any = 1) -> Any:
        return self + other if alpha == 1 else self + alpha * other

    def backward(ctx, g: Any) -> Any:
        (alpha,) = ctx.args
        return g, g if alpha == 1 else g * alpha


class SubBackward0(AddBackward0):
    """self - alpha * other."""

    rule = r"\bar a = g, \qquad \bar b = -\alpha \cdot g"
    with_number = SubBackward1

    def forward(self: Any, other: Any, alpha: Any = 1) -> Any:
        return np.subtract(self, other) if alpha == 1 else self - alpha * other

    def forward_into(self: Any, other: Any, alpha: Any = 1) -> None:
        add_multiple(self, other, -alpha)

    def backward(ctx, g: Any) -> Any:
        return g, minus(g, *ctx.args) if ctx.needs(1) else None


def minus(g: Any, alpha: Any) -> Any:
    """-alpha * g."""
    return -g if alpha == 1 else -g * alpha


@gradient_of(lambda x, other: np.subtract(other, x), r"\bar a = -g", params="_other")
def RsubBackward1(g: Any, _other: Any) -> Any:
    """other - self for a number `other`."""
    return -g


class MulBackward0(Operation):
    """self * other."""

    inputs = ("self", "other")
    saves = {"other": 0, "self": 1}  # each factor, if the other's gradient is needed
    numbers_are_operands, with_number = True, MulBackward1
    rule = r"\bar a = g \cdot b, \qquad \bar b = g \cdot a"
    forward = operator.mul
    forward_into = operator.imul

    def backward(ctx, g: Any) -> Any:
        other, self = ctx.saved
        return (None if other is None else g * other, None if self is None else g * self)


def opposite(x: Any) -> Any:
    """-x."""
    if x.dtype.kind == "b":
        raise RuntimeError(f"Negation, {NO_BOOL.format('on')}")
    return -x


@gradient_of(opposite, r"\bar a = -g")
def NegBackward0(g: Any) -> Any:
    """Each element with the opposite sign."""
    return -g


# --- Division


class DivBackward0(Operation):
    """self / other."""

    saves = {"other": ALWAYS, "self": 1}
    numbers_are_operands, gives_floats, with_number = True, True, DivBackward1
    rule = r"\bar a = \frac{g}{b}, \qquad \bar b = -g \cdot \frac{a}{b} \cdot \frac{1}{b}"

    def forward(self: Any, other: Any, /) -> Any:
        try:
            whole = self.dtype.kind != "f"
        except AttributeError:  # a Python number
            return self / other
        if whole:
            dtype = get_default_dtype().numpy
            return self.astype(dtype) / other.astype(dtype)
        return self / other

    forward_into = operator.itruediv

    def backward(ctx, g: Any) -> Any:
        other, self = ctx.saved
        return (
            g / other if ctx.needs(0) else None,
            -g * ((self / other) / other) if ctx.needs(1) else None,
        )


class DivBackward2(Operation):
    """self / other, rounded towards 0 or down."""

    saves = {"other": ALWAYS, "self": 1}
    rule = r"\bar a = 0, \qquad \bar b = 0"

    def forward(self: Any, other: Any, /, rounding_mode: str) -> Any:
        return (
            floor_quotient(self, other)
            if rounding_mode == "floor"
            else truncate_quotient(self, other)
        )

    def gradient(g: Any, other: Any, self: Any, rounding_mode: str) -> Any:
        return zeros_for(g), lambda: zeros_for(g)


@gradient_of(lambda x: 1 / x, r"\bar a = -g \cdot y^2")
def ReciprocalBackward0(g: Any, result: Any) -> Any:
    """1 / each element."""
    return -g * (result * result)


class RemainderBackward1(Operation):
    """The remainder of self / other rounded down."""

    saves = {"other": 1, "self": 1}
    rule = r"\bar a = g, \qquad \bar b = -g \cdot \lfloor \frac{a}{b} \rfloor"

    def forward(self: Any, other: Any, /) -> Any:
        left = np.fmod(self, divisor(self, other))  # (np.remainder loses the sign of -0.)
        return np.where((left != 0) & ((other < 0) != (left < 0)), left + other, left)

    def gradient(g: Any, other: Any, self: Any) -> Any:
        return g, lambda: -g * DivBackward2.on(self, other, "floor")


@gradient_of(RemainderBackward1.forward, r"\bar a = g", params="_other")
def RemainderBackward0(g: Any, _other: Any) -> Any:
    """The remainder of self / other rounded down, for a number `other`."""
    return g


class FmodBackward1(Operation):
    """The remainder of self / other rounded towards 0."""

    saves = {"other": 1, "self": 1}
    rule = r"\bar a = g, \qquad \bar b = -g \cdot \operatorname{trunc} \frac{a}{b}"

    def forward(self: Any, other: Any, /) -> Any:
        return np.fmod(self, divisor(self, other))

    def gradient(g: Any, other: Any, self: Any) -> Any:
        return g, lambda: -g * DivBackward2.on(self, other, "trunc")


@gradient_of(FmodBackward1.forward, r"\bar a = g", params="_other")
def FmodBackward0(g: Any, _other: Any) -> Any:
    """The remainder of self / other rounded towards 0, for a number `other`."""
    return g


def divisor(x: Any, y: Any) -> Any:
    """Return `y`, unless x cannot be divided by it.

    Raises:
        RuntimeError: integers are divided by 0.
    """
    if not (is_float(x) or is_float(y)) and np.size(x) and not np.all(y):
        raise RuntimeError("ZeroDivisionError")
    return y


def is_float(x: Any) -> bool:
    """Return whether an array or a number has a floating dtype."""
    return isinstance(x, float) if type(x) in NUMBERS else x.dtype.kind == "f"


def floor_quotient(x: Any, y: Any) -> Any:
    """Return x / y rounded down."""
    return np.floor_divide(x, divisor(x, y))


def truncate_quotient(x: Any, y: Any) -> Any:
    """Return x / y rounded towards 0."""
    if is_float(x) or is_float(y):
        return np.trunc(x / y)
    return (x - np.fmod(x, divisor(x, y))) // y


class NotImplementedBackward(Operation):
    """A function whose gradient PyTorch does not implement: computing the gradient raises."""

    inputs: ClassVar[tuple[str, ...]] = ("inputs*",)
    params: ClassVar[tuple[str, ...]] = ("_function",)

    def name(self) -> str:
        return "torch::autograd::NotImplemented"

    def backward(ctx, *g: Any) -> NoReturn:
        raise RuntimeError(f"derivative for aten::{ctx.args[0]} is not implemented")


# --- Powers


def power(x: Any, exponent: Any) -> Any:
    """Return x ** exponent; for integers a fractional power is rounded towards 0."""
    if x.dtype.kind == "b":
        if exponent is True:
            return x.copy()
        raise not_implemented("pow", x.dtype)
    # A single element is stored as a 0-d array or as a NumPy scalar, for which NumPy computes
    # powers that differ in the last bit. Always use the scalar's, so that the storage makes no
    # difference.
    if not x.ndim:
        x = x[()]
    if type(exponent) is np.ndarray and not exponent.ndim:
        exponent = exponent[()]
    if x.dtype.kind == "f" or not np.any(np.less(exponent, 0)):
        return x**exponent
    sign = np.where(exponent % 2 == 0, 1, x)
    return np.where(abs(x) == 1, sign, np.where(exponent < 0, 0, x ** np.maximum(exponent, 0)))


def power_of(x: Any, exponent: Any) -> Any:
    """Return x ** exponent for a number `exponent`."""
    return cube(x) if exponent == 3 else power(x, exponent)  # NumPy is slow for 3


@widened
def cube(x: Any) -> Any:
    """Return x ** 3."""
    return x * x * x


@gradient_of(power_of, r"\bar a = g \cdot n \cdot a^{n-1}", params="exponent")
def PowBackward0(g: Any, self: Any, exponent: Any) -> Any:
    """self ** exponent for a number `exponent`."""
    if exponent == 0:
        return zeros_for(g)  # the power is constant, also where a = 0
    of_array = exponent == 2 and not isinstance(self, TensorBase)
    return g * ((self if of_array else PowBackward0.on(self, exponent - 1)) * exponent)


@gradient_of(widened(lambda x: 1 / np.sqrt(x)), r"\bar a = -\frac{g}{2} \cdot y^3")
def RsqrtBackward0(g: Any, result: Any) -> Any:
    """1 / the square root."""
    return g * -0.5 * PowBackward0.on(result, 3)


class PowBackward1(Operation):
    """self ** exponent."""

    inputs = ("self", "exponent")
    rule = r"\bar a = g \cdot b \cdot a^{b-1}, \qquad \bar b = g \cdot y \cdot \ln a"

    forward = power

    def gradient(g: Any, exponent: Any, self: Any, result: Any) -> Any:
        def wrt_self() -> Any:
            return zero_where(exponent == 0, g * (exponent * PowBackward1.on(self, exponent - 1)))

        def wrt_exponent() -> Any:
            # 0 ** b is constant for b >= 0, although ln 0 is not finite.
            slope = result * LogBackward0.on(as_floats(self, result))
            return g * zero_where((self == 0) & (exponent >= 0), slope)

        return wrt_self, wrt_exponent


@row_major
def exponential(exponent: Any, base: Any) -> Any:
    """base ** exponent for a number `base`."""
    return power(exponent.dtype.type(base), exponent)


@gradient_of(exponential, r"\bar b = g \cdot y \cdot \ln a", inputs="exponent", params="self")
def PowBackward2(g: Any, exponent: Any, result: Any, self: Any) -> Any:
    """self ** exponent for a number `self`."""
    if self == 0:
        return keep_where(g * (result * -np.inf), exponent < 0)
    return g * (result * (float(np.log(self)) if self > 0 else np.nan))


def as_floats(x: Any, like: Any) -> Any:
    """Return `x` in the dtype of `like`: NumPy would use float16 for small integers."""
    if isinstance(x, TensorBase):
        return cast(Any, x).to(like.dtype)
    return x.astype(like.dtype, copy=False)


# --- Public functions


def with_alpha(op: type[Operation]) -> Function:
    """Return the code for a call of `add` or `sub` with further arguments: it uses `alpha`."""

    def apply_scaled(
        compute: Function, input: Any, other: Any, last: Any = MISSING, *, alpha: Any = 1
    ) -> TensorBase:
        if last is not MISSING:  # PyTorch's old order: input, alpha, other
            other, alpha = last, other
        if type(alpha) is not float or input._array.dtype.kind != "f":
            if compute is inplace:
                check_into(input, other)
            alpha = check_alpha(alpha, input, other)
        return cast(TensorBase, compute(op, input, other, alpha))

    return apply_scaled


def check_alpha(alpha: Any, input: Any, other: Any) -> Any:
    """Return the number that scales an operand.

    Raises:
        RuntimeError: its kind of dtype is higher than that of the operands.
    """
    factor = number(alpha._array.item() if isinstance(alpha, TensorBase) else alpha)
    kind = result_dtype(
        *[x._array if isinstance(x, TensorBase) else x for x in (input, other)]
    ).kind
    if isinstance(factor, bool) and kind != "b":
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    if isinstance(factor, float) and kind != "f":
        raise RuntimeError(
            "For integral input tensors, argument alpha must not be a floating point number."
        )
    return bool(factor) if kind == "b" else factor


def refuse_bool(a: Any, b: Any) -> None:
    """Raise if a bool is to be subtracted, or subtracted from.

    Raises:
        RuntimeError: one of the two is a bool.
    """
    # (Written out, without `is_bool`, as every subtraction runs this.)
    first = a._array.dtype is BOOL if isinstance(a, TensorBase) else isinstance(a, bool)
    second = b._array.dtype is BOOL if isinstance(b, TensorBase) else isinstance(b, bool)
    if first and second:
        raise RuntimeError(NO_BOOLS)
    if first or second:
        raise RuntimeError(f"Subtraction, {NO_BOOL.format('with')}")


def subtract_from(other: Any, input: Any) -> TensorBase:
    """Return other - input, where `other` may be a number."""
    refuse_bool(other, input)
    if modes.in_formula or isinstance(other, TensorBase):
        return binary(SubBackward0, other, input)
    return apply(RsubBackward1, *promote_to(input, other))


def divide_rounded(
    compute: Function, input: Any, other: Any, *, rounding_mode: str | None = None
) -> TensorBase:
    """Compute a call of `div` with further arguments."""
    if rounding_mode is None:
        return cast(TensorBase, compute(DivBackward0, input, other))
    if not isinstance(rounding_mode, str):
        raise TypeError  # the schema gives the error
    if rounding_mode not in ("trunc", "floor"):
        modes = "one of None, 'trunc', or 'floor'"
        raise RuntimeError(f"div expected rounding_mode to be {modes} but found '{rounding_mode}'")
    if compute is inplace:
        check_into(input, other)
    check_divisible(input, other, f"div_{rounding_mode}")
    return cast(TensorBase, compute(DivBackward2, input, other, rounding_mode))


def check_divisible(input: TensorBase, other: Any, name: str) -> None:
    """Raise for two bools."""
    if is_bool(input) and is_bool(other):
        raise not_implemented(f"{name}_cpu", BOOL)


def is_bool(operand: Any) -> bool:
    """Return whether `operand` is a bool, or a tensor of bools."""
    return isinstance(operand, bool) or (
        isinstance(operand, TensorBase) and operand._array.dtype is BOOL
    )


OPERAND = "Scalar|Tensor"

add, add_ = two(
    f"deprecated add({OPERAND} input, Scalar alpha, {OPERAND} other, *, Tensor out=None)",
    f"add({OPERAND} input, {OPERAND} other, *, Scalar alpha=1, Tensor out=None)",
    op=AddBackward0,
    more=with_alpha(AddBackward0),
)
sub, sub_ = two(
    f"deprecated sub({OPERAND} input, Scalar alpha, {OPERAND} other, *, Tensor out=None)",
    f"sub({OPERAND} input, {OPERAND} other, *, Scalar alpha=1, Tensor out=None)",
    op=SubBackward0,
    check=refuse_bool,
    more=with_alpha(SubBackward0),
)
mul, mul_ = two(f"mul({OPERAND} input, {OPERAND} other, *, Tensor out=None)", op=MulBackward0)
div, div_ = two(
    f"div({OPERAND} input, {OPERAND} other, *, Tensor out=None)",
    f"div({OPERAND} input, {OPERAND} other, *, str? rounding_mode, Tensor out=None)",
    f"div({OPERAND} input, Scalar other, *, str? rounding_mode)",
    op=DivBackward0,
    more=divide_rounded,
)

FLOOR_DIVIDE = (
    f"floor_divide({OPERAND} input, {OPERAND} other, *, Tensor out=None)",
    f"floor_divide({OPERAND} input, Scalar other)",
)


def divide_down(input: Any, other: Any) -> TensorBase:
    """Return input / other rounded down. The result has no gradient.

    >>> import minigrad as mg
    >>> mg.tensor([7.0, -7.0]) // 2
    tensor([ 3., -4.])
    """
    return without_gradient(floor_quotient, "floor_divide", input, other)


def without_gradient(function: Any, name: str, input: Any, other: Any) -> TensorBase:
    """Apply `function` to two operands; computing its gradient raises."""
    x, y = in_common_type(input, other)
    check_not_bool(f"{'div_floor' if name == 'floor_divide' else name}_cpu", x.dtype)
    sources = [
        t
        for t in (input, other)
        if isinstance(t, TensorBase) and (gradient_edge(t) or t._tangent is not None)
    ]
    return record(NotImplementedBackward, sources, (name,), elementwise(function, x, y))


def divide_down_(input: Any, other: Any) -> TensorBase:
    """`floor_divide` in place."""
    check_into(input, other)
    value = divide_down(input, other)._array
    check_result(value, input._array)
    return overwrite(NotImplementedBackward, input, (input,), ("floor_divide_",), value)


floor_divide = schema(*FLOOR_DIVIDE)(divide_down)
floor_divide_ = schema(*rename_schemas(FLOOR_DIVIDE, "floor_divide_"), place="Tensor")(divide_down_)

REMAINDER = (
    "remainder(Tensor input, Tensor other, *, Tensor out=None)",
    "remainder(Scalar self, Tensor other)",
    "remainder(Tensor input, Scalar other, *, Tensor out=None)",
)


def take_remainder(input: Any, other: Any) -> TensorBase:
    """Return the remainder of input / other rounded down: it has the sign of `other`.

    >>> import minigrad as mg
    >>> mg.remainder(mg.tensor([5.0, -5.0]), 3)
    tensor([2., 1.])
    """
    if not isinstance(input, TensorBase):
        if not isinstance(other, TensorBase):
            raise TypeError  # the schema gives the error
        return without_gradient(RemainderBackward1.forward, "remainder", input, other)
    check_divisible(input, other, "remainder")
    return of_either(RemainderBackward0, RemainderBackward1, input, other)


def take_remainder_(input: Any, other: Any) -> TensorBase:
    """`remainder` in place."""
    check_divisible(input, other, "remainder")
    return of_either_(RemainderBackward0, RemainderBackward1, input, other)


remainder = schema(*REMAINDER)(take_remainder)
remainder_ = schema(*rename_schemas(REMAINDER, "remainder_"), place="Tensor")(take_remainder_)

FMOD = (
    "fmod(Tensor input, Tensor other, *, Tensor out=None)",
    "fmod(Tensor input, Scalar other, *, Tensor out=None)",
)


def take_fmod(input: Any, other: Any) -> TensorBase:
    """Return the remainder of input / other rounded towards 0: it has the sign of `input`.

    >>> import minigrad as mg
    >>> mg.fmod(mg.tensor([5.0, -5.0]), 3)
    tensor([ 2., -2.])
    """
    check_modulus(input, other)
    return of_either(FmodBackward0, FmodBackward1, input, other)


def take_fmod_(input: Any, other: Any) -> TensorBase:
    """`fmod` in place."""
    check_modulus(input, other)
    return of_either_(FmodBackward0, FmodBackward1, input, other)


def check_modulus(input: Any, other: Any) -> None:
    """Raise for an operand that is not a tensor, and for two bools."""
    if not isinstance(input, TensorBase):
        raise TypeError
    check_divisible(input, other, "fmod")


fmod = schema(*FMOD)(take_fmod)
fmod_ = schema(*rename_schemas(FMOD, "fmod_"), place="Tensor")(take_fmod_)

neg, neg_ = unary("neg(Tensor input, *, Tensor out=None)", NegBackward0, keeps="integers and bools")
reciprocal, reciprocal_ = unary("reciprocal(Tensor input, *, Tensor out=None)", ReciprocalBackward0)
rsqrt, rsqrt_ = unary("rsqrt(Tensor input, *, Tensor out=None)", RsqrtBackward0)

POW = (
    "pow(Tensor input, Tensor exponent, *, Tensor out=None)",
    "pow(Scalar self, Tensor exponent, *, Tensor out=None)",
    "pow(Tensor input, Scalar exponent, *, Tensor out=None)",
)


def raise_to(input: Any, exponent: Any) -> TensorBase:
    """Return input ** exponent; at most one of the two may be a number.

    >>> import minigrad as mg
    >>> mg.pow(mg.tensor([1.0, 2.0, 3.0]), 2)
    tensor([1., 4., 9.])
    """
    if not isinstance(input, TensorBase):
        return apply(PowBackward2, *promote_to(exponent, input))
    check_power(input, exponent)
    return of_either(PowBackward0, PowBackward1, input, exponent)


def raise_to_(input: Any, exponent: Any) -> TensorBase:
    """`pow` in place."""
    check_power(input, exponent)
    return of_either_(PowBackward0, PowBackward1, input, exponent)


def check_power(input: TensorBase, exponent: Any) -> None:
    """Raise for a negative integer power of integers, or an exponent out of the dtype's range."""
    if isinstance(exponent, TensorBase) or -1 < exponent < 100:
        return
    exponent, dtype = number(exponent), input._array.dtype
    if isinstance(exponent, int) and dtype.kind != "f":
        if exponent < 0:
            raise RuntimeError("Integers to negative integer powers are not allowed.")
        dtype = result_dtype(input._array, exponent)
        if exponent > np.iinfo(dtype).max:
            raise beyond(dtype if exponent < 2**63 else np.dtype(np.int64))
    elif dtype == np.float16 and np.finfo(dtype).max < abs(exponent) < np.inf:
        raise beyond(dtype)


pow = schema(*POW)(raise_to)
pow_ = schema(*rename_schemas(POW, "pow_"), place="Tensor")(raise_to_)


FLOAT_POWER = rename_schemas(POW, "float_power")


@schema(*FLOAT_POWER)
def float_power(input: Any, exponent: Any) -> TensorBase:
    """Raise to a power in double precision, whatever the types of the operands.

    >>> import minigrad as mg
    >>> mg.float_power(mg.tensor([2, 4]), -1)
    tensor([0.5000, 0.2500], dtype=torch.float64)
    """
    return raise_to(as_double(input), as_double(exponent))


@schema(*rename_schemas(FLOAT_POWER, "float_power_"), place="Tensor")
def float_power_(input: Any, exponent: Any) -> TensorBase:
    """`float_power` in place, of a tensor in double precision."""
    dtype = input._array.dtype
    if dtype != np.float64:
        wanted = "the operation's result requires dtype Double"
        raise RuntimeError(
            f"the base given to float_power_ has dtype {type_word(dtype)} but {wanted}"
        )
    return raise_to_(input, as_double(exponent))


def as_double(operand: Any) -> Any:
    """Return an operand in double precision."""
    if not isinstance(operand, TensorBase):
        return float(number(operand))
    return cast(Any, operand).to(from_numpy_dtype[np.dtype(np.float64)])


@schema("square(Tensor input, *, Tensor out=None)")
def square(input: Any) -> TensorBase:
    """Return input ** 2."""
    return raise_to(input, 2)


@schema("square_(Tensor input)")
def square_(input: Any) -> TensorBase:
    """`square` in place."""
    return raise_to_(input, 2)


SUBTRACT = (
    f"subtract({OPERAND} input, {OPERAND} other, *, Scalar alpha=1, Tensor out=None)",
    f"subtract({OPERAND} input, Scalar other, Scalar alpha=1)",
)
subtract, subtract_ = sub.remade(SUBTRACT), sub_.remade(rename_schemas(SUBTRACT, "subtract_"))
multiply = alias("multiply", mul, f"multiply({OPERAND} input, Scalar other)")
multiply_ = alias("multiply_", mul_, f"multiply_({OPERAND} input, Scalar other)")
divide = alias("divide", div, f"divide({OPERAND} input, Scalar other)")
divide_ = alias("divide_", div_, f"divide_({OPERAND} input, Scalar other)")
true_divide, true_divide_ = two(
    f"true_divide({OPERAND} input, {OPERAND} other, *, Tensor out=None)",
    f"true_divide({OPERAND} input, Scalar other)",
    op=DivBackward0,
)
negative, negative_ = alias("negative", neg), alias("negative_", neg_)


@schema("positive(Tensor input)")
def positive(input: Any) -> TensorBase:
    """Return the tensor itself, as `+` does."""
    if input._array.dtype.kind == "b":
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input  # type: ignore[no-any-return]


class ArithmeticMethods(TensorBase):
    """The operators and methods of this file."""

    positive = positive.method
    add, add_, sub, sub_ = add.method, add_.method, sub.method, sub_.method
    mul, mul_, div, div_ = mul.method, mul_.method, div.method, div_.method
    floor_divide, floor_divide_ = floor_divide.method, floor_divide_.method
    remainder, remainder_ = remainder.method, remainder_.method
    fmod, fmod_ = fmod.method, fmod_.method
    pow, pow_, square, square_ = pow.method, pow_.method, square.method, square_.method
    float_power, float_power_ = float_power.method, float_power_.method
    neg, neg_, negative, negative_ = neg.method, neg_.method, negative.method, negative_.method
    reciprocal, reciprocal_ = reciprocal.method, reciprocal_.method
    rsqrt, rsqrt_ = rsqrt.method, rsqrt_.method

    subtract, subtract_ = subtract.method, subtract_.method
    multiply, multiply_ = multiply.method, multiply_.method
    divide, divide_ = divide.method, divide_.method
    true_divide, true_divide_ = true_divide.method, true_divide_.method

    # The four most frequent operators are written out, without a call in between.

    def __add__(self: Any, other: Any) -> Any:
        if watchers and (found := operator_answer(add.method, self, other)):
            return found[0]
        if isinstance(other, TensorBase):
            return binary(AddBackward0, self, other)
        if isinstance(other, OPERANDS):
            return with_number(AddBackward0, self, other)
        return operator_of(add)(self, other)

    __radd__ = __add__

    def __sub__(self: Any, other: Any) -> Any:
        if watchers and (found := operator_answer(sub.method, self, other)):
            return found[0]
        if isinstance(other, OPERANDS):
            refuse_bool(self, other)
            compute = binary if isinstance(other, TensorBase) else with_number
            return compute(SubBackward0, self, other)
        return operator_of(sub)(self, other)

    def __mul__(self: Any, other: Any) -> Any:
        if watchers and (found := operator_answer(mul.method, self, other)):
            return found[0]
        if isinstance(other, TensorBase):
            return binary(MulBackward0, self, other)
        if isinstance(other, OPERANDS):
            return with_number(MulBackward0, self, other)
        return operator_of(mul)(self, other)

    __rmul__ = __mul__

    def __truediv__(self: Any, other: Any) -> Any:
        if watchers and (found := operator_answer(div.method, self, other)):
            return found[0]
        if isinstance(other, TensorBase):
            return binary(DivBackward0, self, other)
        if isinstance(other, OPERANDS):
            return with_number(DivBackward0, self, other)
        return operator_of(div)(self, other)

    def __pos__(self) -> Any:
        return positive.method(self)

    def __rtruediv__(self: Any, other: Any) -> Any:
        own = ArithmeticMethods.__rtruediv__
        if watchers and (found := operator_answer(own, self, other)):
            return found[0]
        if not isinstance(other, (*OPERANDS, np.ndarray)):
            return NotImplemented
        return binary(DivBackward0, other, self) if modes.in_formula else self.reciprocal() * other

    __neg__ = neg
    __floordiv__, __mod__, __pow__ = operators(
        divide_down, take_remainder, raise_to, asked="__floordiv__ remainder pow"
    )
    __rsub__, __rfloordiv__, __rmod__, __rpow__ = operators(
        subtract_from,
        divide_down,
        take_remainder,
        raise_to,
        reflected=True,
        asked="__rsub__ __rfloordiv__ __rmod__ __rpow__",
    )
    __iadd__, __isub__, __imul__, __itruediv__ = operators(add_, sub_, mul_, div_)
    __ifloordiv__, __imod__, __ipow__ = operators(
        divide_down_, take_remainder_, raise_to_, asked="floor_divide_ remainder_ pow_"
    )
