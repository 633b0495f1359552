"""How a public function is made: one row of PyTorch's own signature beside its operation.

    exp, exp_ = unary("exp(Tensor input)", ExpBackward0)

    @signed("clamp(Tensor input, Scalar? min=None, Scalar? max=None)")
    def clamp(input: Any, min: Any = None, max: Any = None) -> TensorBase:
        ...

From the row come the function and its in-place form, the method of each (`exp.method`), what
`inspect.signature` says, the first line of the docstring, the lines of the stubs, the place in the
index, and PyTorch's words for every call that it refuses. How a row reads: arrays/signature.py.

A front computes *first*. A call that can be done pays for no check; one that fails is shown to its
row, which says which argument was of a wrong kind (`explained`). So whatever NumPy would compute
and PyTorch refuses has to be refused by the function itself, before anything is modified.

`unary`, `two`, `along` and `reduction` make functions that are all alike. Any other is a plain
function, `signed` with its rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, cleandoc, unwrap
from typing import Any, Protocol, TypeVar, cast

import numpy as np

from ..arrays.devices import check_one_device
from ..arrays.dtypes import get_default_dtype, to_numpy_dtype
from ..arrays.memory_order import laid_out
from ..arrays.words import cannot_cast, check_not_bool, check_tensor, is_tensor
from ..core.inplace import inplace
from ..core.modes import modes
from ..core.node import TensorBase, gradient_edge, new_tensor
from ..core.operation import Operation, apply, attach, record
from ..core.promotion import binary, check_holds, promote_to
from .copies import check_writable
from .dims import as_dims, common_shape, out_of_range

Function = Callable[..., Any]

F = TypeVar("F", bound=Function)

Rows = tuple[str, ...]

MISSING: Any = object()
"""What stands for an argument that was not given: whether it had to be, the row says."""

NUMPY_NAMES = {
    "axis": "dim",
    "keepdims": "keepdim",
    "x": "input",
    "a": "input",
    "x1": "input",
    "x2": "other",
}
"""NumPy's names for arguments, which PyTorch takes as well."""


class Public(Protocol):
    """A public function, and what else its rows have made."""

    __name__: str
    rows: Rows
    method: Function
    """The function as a method of Tensor: words that count arguments do not count the tensor."""
    place: str
    """Where users find it: "" is minigrad itself, else such as "nn.functional"; "Tensor" for what
    is a method alone."""
    remade: Callable[[Rows], Public]

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...


def signed(*rows: str, place: str = "") -> Callable[[Function], Public]:
    """Give a plain function its rows."""

    def decorate(body: Function) -> Public:
        def make(rows: Rows, method: bool) -> Function:
            def function(*args: Any, **kwargs: Any) -> Any:
                try:
                    return body(*args, **kwargs)
                except Exception as error:
                    return explained(error, function, method, args, kwargs)

            return function

        return published(make, rows, body, place)

    return decorate


def signed_method(*rows: str) -> Callable[[F], F]:
    """Give a method its rows, where it stands in its class."""
    return lambda body: cast(Any, signed(*rows, place="Tensor")(body).method)


def alias(name: str, function: Public) -> Public:
    """The same function under another name, by which its errors call it."""
    return function.remade(renamed(function.rows, name))


def renamed(rows: Rows, name: str) -> Rows:
    """The rows of the function `name`, which takes the same.

    >>> renamed(("exp(Tensor input)",), "exp_")
    ('exp_(Tensor input)',)
    """
    return tuple([re.sub(r"\w+\(", f"{name}(", row, count=1) for row in rows])


def published(
    make: Callable[[Rows, bool], Function], rows: Rows, source: Any, place: str = ""
) -> Public:
    """The function that `make` makes for its rows, with all that they say of it."""
    name = re.findall(r"(\w+)\(", rows[-1] if rows[0][:4] != "def " else rows[0])[0]
    text = cleandoc(source.__doc__ or "")
    made = []
    for method in (False, True):
        function: Any = make(rows, method)
        function.__name__ = function.__qualname__ = name
        function.__module__ = source.__module__
        function.__doc__ = f"{first_lines(rows)}\n\n{text}"
        function.__wrapped__ = Described(rows, method, source)
        function.rows, function.place = rows, place
        made.append(function)
    public, public.method = made
    public.remade = lambda rows: published(make, rows, source, place)
    return cast(Public, public)


def first_lines(rows: Rows) -> str:
    """The rows as the docstring shows them: without those that are out of date, and without what
    PyTorch has and minigrad has not.

    >>> first_lines(("exp(Tensor input, *, Tensor! out=None)",))
    'exp(Tensor input)'
    """
    shown = [row for row in rows if not row.startswith("deprecated ")]
    if shown[0].startswith("def "):
        shown = [shown[0].removeprefix("def ")]
    kept = [re.sub(r"(, \*)?, [^ ,(]+! \w+(=[^,)]*)?(?=[,)])", "", row) for row in shown]
    return "\n".join(dict.fromkeys(kept))


class Described:
    """What `inspect` finds behind a public function: its signature, which is read off the rows when
    somebody asks, and behind that the source of what it computes."""

    def __init__(self, rows: Rows, method: bool, source: Any) -> None:
        self.rows, self.method = rows, method
        gradient = vars(source).get("gradient")  # that stands for its class (kinds.py)
        self.__wrapped__ = gradient.__func__ if isinstance(gradient, staticmethod) else source

    @property
    def __signature__(self) -> Signature:
        from ..arrays.signature import Signature as Rowed

        found = Rowed.parse(*self.rows).python(self.method)
        own = [Parameter("self", Parameter.POSITIONAL_ONLY)] if self.method else []
        return found.replace(parameters=[*own, *found.parameters.values()])


def explained(error: Exception, function: Any, method: bool, args: Any, kwargs: Any) -> Any:
    """What to do with a call that failed: again, if NumPy's names for arguments were used; else
    raise what PyTorch says of it."""
    args = tuple([value for value in args if value is not MISSING])
    if kwargs:
        named = {NUMPY_NAMES.get(name, name): value for name, value in kwargs.items()}
        if named.keys() != kwargs.keys() and len(named) == len(kwargs):
            return function(*args, **named)
    from ..arrays.signature import Signature as Rowed  # only a call that fails reads its rows

    rows = Rowed.parse(*function.rows)
    refusal = rows.refusal(args[1:] if method else args, kwargs, method)
    if refusal is not None:
        raise refusal from None
    raise in_words(error, [*args, *kwargs.values()]) from None


def in_words(error: Exception, args: list[Any]) -> Exception:
    """`error` itself; or PyTorch's, where NumPy has raised it."""
    if isinstance(error, np.exceptions.AxisError) and error.ndim is not None:
        return out_of_range(cast(int, error.axis), error.ndim)
    arrays = [value._array for value in args if is_tensor(value)]
    try:
        check_one_device(arrays)
        if isinstance(error, ValueError):
            common_shape(*[array.shape for array in arrays])
    except RuntimeError as found:
        return found
    return error


# --- Functions that are all alike


def unary(row: str, op: type[Operation], keeps: str = "", place: str = "") -> tuple[Public, Public]:
    """The function of an operation on one tensor, and its in-place form.

    Integers are computed in the default floating type, unless the operation `keeps` "integers", or
    "integers and bools".
    """

    def make(rows: Rows, method: bool) -> Function:
        def function(input: Any = MISSING, *more: Any, **named: Any) -> TensorBase:
            try:
                if more or named:
                    raise TypeError
                x = input._array
                if x.dtype.kind != "f":
                    x = whole(x)
                edges = (input._edge or gradient_edge(input),) if modes.grad else ()
                return attach(op, edges, (input,), op.forward(x))
            except Exception as error:
                return explained(error, function, method, (input, *more), named)

        return function

    def make_(rows: Rows, method: bool) -> Function:
        def function(input: Any = MISSING, *more: Any, **named: Any) -> TensorBase:
            try:
                if more or named:
                    raise TypeError
                x = input._array
                if x.dtype.kind != "f" and whole(x).dtype.kind == "f":
                    raise cannot_cast(whole(x).dtype, x.dtype)
                return inplace(op, input)
            except Exception as error:
                return explained(error, function, method, (input, *more), named)

        return function

    def whole(x: Any) -> Any:
        """Integers or bools, as the operation takes them."""
        if not keeps:
            return x.astype(get_default_dtype().numpy)
        if "bools" not in keeps:
            check_not_bool(f"{public.__name__}_cpu", x.dtype)
        return x

    public = published(make, (row,), op, place)
    return public, published(make_, renamed((row,), public.__name__ + "_"), op, place)


def two(*rows: str, op: type[Operation], place: str = "") -> tuple[Public, Public]:
    """The function of an operation on two operands, which are broadcast together and promoted to
    a common type, and its in-place form."""

    def make(rows: Rows, method: bool) -> Function:
        def function(
            input: Any = MISSING, other: Any = MISSING, *more: Any, **named: Any
        ) -> TensorBase:
            try:
                if more or named:
                    raise TypeError
                return binary(op, input, other)
            except Exception as error:
                return explained(error, function, method, (input, other, *more), named)

        return function

    def make_(rows: Rows, method: bool) -> Function:
        def function(
            input: Any = MISSING, other: Any = MISSING, *more: Any, **named: Any
        ) -> TensorBase:
            try:
                if more or named:
                    raise TypeError
                return inplace(op, input, other)
            except Exception as error:
                return explained(error, function, method, (input, other, *more), named)

        return function

    public = published(make, rows, op, place)
    return public, published(make_, renamed(rows, public.__name__ + "_"), op, place)


def along(*rows: str, op: type[Operation], place: str = "") -> Public:
    """The function of an operation along one dimension, in the type asked for."""

    def arguments(dim: Any, *, dtype: Any = None) -> tuple[Any, Any]:
        return dim, dtype

    def make(rows: Rows, method: bool) -> Function:
        def function(input: Any = MISSING, *args: Any, **kwargs: Any) -> TensorBase:
            try:
                dim, dtype = arguments(*args, **kwargs)
                if dtype is None:
                    return apply(op, input, dim)
                return apply_in(dtype, op, input, dim)
            except Exception as error:
                return explained(error, function, method, (input, *args), kwargs)

        return function

    return published(make, rows, op, place)


def reduction(*rows: str, op: type[Operation], whole: type[Operation], place: str = "") -> Public:
    """The function of a reduction: `op` along some dimensions, or `whole` of all elements."""

    def arguments(dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Any:
        if keepdim is not False and keepdim is not True:
            raise TypeError
        return dim, keepdim, dtype

    def make(rows: Rows, method: bool) -> Function:
        def function(input: Any = MISSING, *args: Any, **kwargs: Any) -> TensorBase:
            try:
                if not args and not kwargs:
                    return apply(whole, input)
                dim, keepdim, dtype = arguments(*args, **kwargs)
                params = () if dim is None and not keepdim else (as_dims(dim), keepdim)
                kind = op if params else whole
                if dtype is None:
                    return apply(kind, input, *params)
                return apply_in(dtype, kind, input, *params)
            except Exception as error:
                return explained(error, function, method, (input, *args), kwargs)

        return function

    return published(make, rows, op, place)


# --- Operators


OPERANDS = (TensorBase, float, int, np.generic)
"""What may stand beside a tensor in an operator without being converted."""


def operator_of(function: Function, reflected: bool = False) -> Function:
    """`function` as an operator: of what is no operand, Python may ask the other side."""

    def method(self: Any, other: Any) -> Any:
        if not isinstance(other, OPERANDS):
            if not isinstance(other, np.ndarray):
                return NotImplemented
            other = new_tensor(other)
        return function(other, self) if reflected else function(self, other)

    return method


def operators(*functions: Function, reflected: bool = False) -> list[Function]:
    """`operator_of` each of them."""
    return [operator_of(function, reflected) for function in functions]


# --- What functions share


def apply_in(dtype: Any, op: type[Operation], input: Any, *params: Any) -> TensorBase:
    """`apply` to the elements of `input` in the type asked for, if any: so is the result."""
    if dtype is None:
        return apply(op, input, *params)
    value = op.forward(input._array.astype(to_numpy_dtype(dtype), copy=False), *params)
    return record(op, (input,), params, value).to(dtype)


def of_either(
    with_number: type[Operation], with_tensor: type[Operation], input: Any, other: Any
) -> TensorBase:
    """Apply the one of two operations that takes `other`, a number or a tensor."""
    if isinstance(other, TensorBase):
        return binary(with_tensor, input, other)
    return apply(with_number, promote_to(input, other, with_number), other)


def of_either_(
    with_number: type[Operation], with_tensor: type[Operation], input: Any, other: Any
) -> TensorBase:
    """`of_either` in place."""
    check_holds(input, other)
    return inplace(with_tensor if isinstance(other, TensorBase) else with_number, input, other)


def elementwise(forward: Function, *args: Any) -> Any:
    """`forward` of arrays, numbers and Nones, laid in memory as PyTorch lays what has an element
    for each of theirs.

    Raises:
        RuntimeError: they do not broadcast, or lie on several devices.
    """
    try:
        return laid_out(forward(*args), *args)
    except ValueError:
        common_shape(*[x.shape for x in args if hasattr(x, "shape")])
        raise
    except TypeError:
        check_one_device(args)
        raise


# --- Before every function had its row


def of_tensor(function: F) -> F:
    """Let a public function refuse a first argument that is no tensor, and take NumPy's names
    `axis` and `keepdims` beside `dim` and `keepdim`, as PyTorch does."""

    code = unwrap(function).__code__
    names = code.co_varnames[: code.co_argcount]
    place = names.index("keepdim") if "keepdim" in names else len(names)

    @wraps(function)
    def checking(*args: Any, **kwargs: Any) -> Any:
        if kwargs:
            if "axis" in kwargs:
                kwargs["dim"] = kwargs.pop("axis")
            if "keepdims" in kwargs:
                kwargs["keepdim"] = kwargs.pop("keepdims")
        if kwargs or len(args) > place:
            keepdim = args[place] if len(args) > place else kwargs.get("keepdim", False)
            if not isinstance(keepdim, bool):
                kind = type(keepdim).__name__
                raise TypeError(
                    f"{function.__name__}(): argument 'keepdim' must be bool, not {kind}"
                )
        if args or "input" in kwargs:
            check_tensor(args[0] if args else kwargs["input"], function.__name__)
        return function(*args, **kwargs)

    return cast(F, checking)


def functions(op: type[Operation], keeps: str = "") -> tuple[Function, Function]:
    """The public function of an operation on one tensor, and the one that works in place.

    Integers are computed in the default floating type, unless the operation `keeps` "integers", or
    "integers and bools".
    """
    name = public_name(op)

    def function(input: TensorBase) -> TensorBase:
        try:
            x = input._array
        except AttributeError:
            check_tensor(input, name)
            raise
        if x.dtype.kind != "f":
            x = whole(x)
        edges = (input._edge or gradient_edge(input),) if modes.grad else ()
        return attach(op, edges, (input,), op.forward(x))

    def function_(input: TensorBase) -> TensorBase:
        check_tensor(input, name + "_")
        x = input._array
        if x.dtype.kind != "f" and whole(x).dtype.kind == "f":
            raise cannot_cast(whole(x).dtype, x.dtype)
        return inplace(op, input)

    def whole(x: Any) -> Any:
        """Integers or bools, as the operation takes them."""
        if not keeps:
            return x.astype(get_default_dtype().numpy)
        if "bools" not in keeps:
            check_not_bool(f"{name}_cpu", x.dtype)
        return x

    return named(name, op.__doc__, function, function_)


Row = tuple[type[Operation], tuple[Any, ...]]
"""An operation, and its arguments after the tensor itself."""


def both_forms(row: Callable[..., Row]) -> Any:
    """The public function that applies what `row` returns, having checked the arguments; its
    `in_place` writes the result into the tensor."""

    def function(input: TensorBase, *args: Any, **kwargs: Any) -> TensorBase:
        op, rest = row(input, *args, **kwargs)
        return apply(op, input, *rest)

    def function_(input: TensorBase, *args: Any, **kwargs: Any) -> TensorBase:
        check_writable(input, *args, *kwargs.values())
        op, rest = row(input, *args, **kwargs)
        return inplace(op, input, *rest)

    row.__annotations__["return"] = "Tensor"  # what a reader of the function's signature sees
    both: Any = wraps(row)(function)
    _, both.in_place = named(row.__name__, row.__doc__, function, function_)
    return both


def named(name: str, text: str | None, function: F, function_: F) -> tuple[F, F]:
    """Both functions, with their names and docstrings."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    function_.__name__ = function_.__qualname__ = name + "_"
    function_.__doc__ = f"`{name}` in place."
    return function, function_


def public_name(op: type[Operation]) -> str:
    """What the function of an operation is called: AmaxBackward0 is the node of amax."""
    return op.__name__.partition("Backward")[0].lower()
