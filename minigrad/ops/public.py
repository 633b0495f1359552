"""What the row of a public function makes of it: the function, its method, what `inspect` and the
docstring say, and PyTorch's words for every call that it refuses.

A call is computed *first*. One that can be done pays for no check; one that fails is shown to its
row, which says which argument was of a wrong kind (`explained`). So whatever NumPy would compute
and PyTorch refuses has to be refused by the function itself, before anything is modified.

How a row reads: arrays/signature.py. Functions that are all alike: fronts.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from inspect import Parameter, Signature
from typing import Any, Protocol, TypeVar, cast

import numpy as np

from ..arrays.devices import check_one_device
from ..arrays.words import is_tensor
from .dims import common_shape, out_of_range
from .out import written

Function = Callable[..., Any]

Maker = Callable[["Rows", bool], Function]
"""What makes a function, or its method, that knows its rows."""


F = TypeVar("F", bound=Function)


Rows = tuple[str, ...]


MISSING: Any = object()
"""What stands for an argument that was not given: whether it had to be, the row says."""


OTHER_NAMES = {
    "axis": "dim",
    "keepdims": "keepdim",
    "x": "input",
    "a": "input",
    "x1": "input",
    "x2": "other",
    "self": "input",
}
"""NumPy's names for arguments, which PyTorch takes as well; and what some rows call a number in the
place of a tensor."""


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
    body: Function
    """Of a `signed` function what it computes, for functions that are made of one another: without
    the words for a call that it refuses."""
    in_place: Public
    """Of an `applied` function its in-place form."""

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

        public = published(make, rows, body, place)
        public.body = body
        return public

    return decorate


def signed_method(*rows: str) -> Callable[[F], F]:
    """Give a method its rows, where it stands in its class."""
    return lambda body: cast(Any, signed(*rows, place="Tensor")(body).method)


def alias(name: str, function: Public, *rows: str) -> Public:
    """The same function under another name, by which its errors call it. PyTorch may have `rows`
    for that name alone."""
    return function.remade((*renamed(function.rows, name), *rows))


def renamed(rows: Rows, name: str) -> Rows:
    """The rows of the function `name`, which takes the same; in place there is no `out`.

    >>> renamed(("exp(Tensor input, *, Tensor out=None)",), "exp_")
    ('exp_(Tensor input)',)
    """
    found = []
    for row in rows:
        old, _, rest = (OUT.sub("", row) if name[-1] == "_" else row).partition("(")
        found.append(f"{old.removesuffix(last_name(row))}{name}({rest}")
    return tuple(found)


def last_name(row: str) -> str:
    """What the function of a row is called.

    >>> last_name("def Tensor.split(Tensor self, int split_size)")
    'split'
    """
    return row.partition("(")[0].rpartition(" ")[2].rpartition(".")[2]


def published(
    make: Callable[[Rows, bool], Function], rows: Rows, source: Any, place: str = ""
) -> Public:
    """The function that `make` makes for its rows, with all that they say of it."""
    # (Hundreds of functions are made while minigrad is imported: no row is parsed here.)
    name = last_name(rows[0] if rows[0].startswith("def ") else rows[-1])
    text = f"{first_lines(rows)}\n\n    {source.__doc__ or ''}"
    made = []
    for method in (False, True):
        # What is a method alone speaks as one, also where a formula calls it as a function.
        function: Any = make(rows, method or place == "Tensor")
        function.__name__ = function.__qualname__ = name
        function.__module__ = source.__module__
        function.__doc__ = text
        function.__wrapped__ = Described(rows, method, source)
        function.rows, function.place = rows, place
        made.append(function)
    public, public.method = made
    public.remade = lambda rows: published(make, rows, source, place)
    return cast(Public, public)


def first_lines(rows: Rows) -> str:
    """The rows as the docstring shows them: without those that are out of date, and without what
    PyTorch has and minigrad has not.

    >>> first_lines(("clone(Tensor input, *, memory_format?! memory_format=None)",))
    'clone(Tensor input)'
    >>> first_lines(("def relu(Tensor input, bool inplace=False)", "relu(Tensor input)"))
    'relu(Tensor input, bool inplace=False)'
    >>> first_lines(("min(Tensor input)", "min(Tensor input, int dim)")).split("\\n    ")
    ['min(Tensor input)', 'min(Tensor input, int dim)']
    """
    shown = [row for row in rows if not row.startswith("deprecated ")]
    if shown[0].startswith("def "):
        shown = [shown[0].removeprefix("def ")]
    kept = [LEFT_OUT.sub("", row) if "!" in row else row for row in shown]
    return "\n    ".join(dict.fromkeys(kept))


LEFT_OUT = re.compile(r"(, \*)?, [^ ,(]+! \w+(=[^,)]*)?(?=[,)])")
"""An argument that PyTorch has and minigrad has not."""


OUT = re.compile(r"(, \*)?, Tensor out=None(?=\))|(?<=, )Tensor out=None, ")
"""The tensor that a result is written into: the last argument, or one before others."""


class Described:
    """What `inspect` finds behind a public function: its signature, which is read off the rows when
    somebody asks, and behind that the source of what it computes."""

    def __init__(self, rows: Rows, method: bool, source: Any) -> None:
        self.rows, self.method, self.source = rows, method, source
        gradient = vars(source).get("gradient")  # that stands for its class (kinds.py)
        self.__wrapped__ = gradient.__func__ if isinstance(gradient, staticmethod) else source

    @property
    def __signature__(self) -> Signature:
        from ..arrays.signature import Signature as Rowed

        found = Rowed.parse(*self.rows).python(self.method)
        own = [Parameter("self", Parameter.POSITIONAL_ONLY)] if self.method else []
        return found.replace(parameters=[*own, *found.parameters.values()])


def explained(error: Exception, function: Any, method: bool, args: Any, kwargs: Any) -> Any:
    """What to do with a call that failed: raise what PyTorch says of it; but call again, if other
    names for arguments were used, or if the result is to be written into an `out` (out.py)."""
    refusal = None
    try:
        args = tuple([value for value in args if value is not MISSING])
        computed = "out" in kwargs and not method and all_write(function.rows)
        if computed:
            try:
                return written(function, args, kwargs)
            except Exception as refused:
                error = refused
        # A function in Python: there the tensor is an argument like any other.
        python = function.rows[0].startswith("def ")
        named = {OTHER_NAMES.get(name, name): value for name, value in kwargs.items()}
        renamed = named.keys() != kwargs.keys() and len(named) == len(kwargs) and not python
        if renamed and ("axis" in kwargs or "keepdims" in kwargs):
            # Many write them. If this is all that is wrong, no row has to be read.
            with suppress(Exception):
                return function(*args, **named)
        from ..arrays.signature import Signature as Rowed  # only a call that fails reads its rows

        rows = Rowed.parse(*function.rows)
        refusal = rows.refusal(args[1:] if method and not python else args, kwargs, method)
        if refusal is not None:
            raise refusal from None
        if renamed:
            return function(*args, **named)
        if ("out" in kwargs or python) and not (computed or method):
            found = by_name(rows, args, kwargs)
            if found is not None:
                try:
                    return written(function, *found)
                except Exception as refused:
                    raise refused from None
        for name in kwargs:
            if any(re.search(rf"! {name}\b", row) for row in function.rows):
                name = f"{function.__name__}() got an unexpected keyword argument '{name}'"
                raise TypeError(name) from None
        raise in_words(error, [*args, *kwargs.values()]) from None
    finally:
        del error, refusal  # their tracebacks lead here: a circle would keep all arrays for a while


@cache
def all_write(rows: Rows) -> bool:
    """Whether each overload takes an `out`, by its name: then it does not matter which is meant."""
    return all(" out=None" in row for row in rows) and not rows[0].startswith("def ")


def by_name(rows: Any, args: Any, kwargs: Any) -> tuple[Any, dict[str, Any]] | None:
    """A call that its rows allow, with its `out` among the named arguments; None if it has none."""
    taken = [row for row in rows.overloads if row.mark == "def" or not row.complaint(args, kwargs)]
    by_place = [parameter.name for parameter in taken[0].positional]
    if "out" in by_place[: len(args)]:  # of a function that is written in Python in PyTorch
        place = by_place.index("out")
        return args[:place], kwargs | dict(zip(by_place[place:], args[place:], strict=False))
    return (args, kwargs) if "out" in kwargs else None


def in_words(error: Exception, args: list[Any]) -> Exception:
    """`error` itself; or PyTorch's, where NumPy has raised it."""
    if isinstance(error, np.exceptions.AxisError) and error.ndim is not None:
        return out_of_range(cast(int, error.axis), error.ndim)
    if re.search("C int|signed integer", str(error)):  # NumPy's dims have 32 bits
        rank = next((value._array.ndim for value in args if is_tensor(value)), 0)
        dims = [value for value in args if type(value) is int and 2**31 < abs(value) < 2**63]
        return out_of_range(dims[0], rank) if dims else error
    listed = [each for value in args if isinstance(value, (tuple, list)) for each in value]
    if isinstance(error, ValueError) and re.search(
        "array is too big|dimension exceeded", str(error)
    ):
        sizes = [n for n in listed or args if type(n) is int]
        return RuntimeError(f"Storage size calculation overflowed with sizes={sizes}")
    arrays = [value._array for value in args if is_tensor(value)]
    try:
        check_one_device([*arrays, *[value._array for value in listed if is_tensor(value)]])
        if isinstance(error, ValueError) and "broadcast" in str(error):  # it is NumPy's
            common_shape(*[array.shape for array in arrays])
    except RuntimeError as found:
        return found
    return error
