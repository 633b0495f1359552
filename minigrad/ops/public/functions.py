"""Public functions made from schemas: the function, its method, signature, docstring and errors.

A call is computed *first*, so a valid call pays for no check. After a failure the schema is parsed
to find the argument of a wrong kind (`handle_failure`). So a function itself must refuse arguments
that NumPy would accept and PyTorch refuses, before it modifies anything.

schema.py describes the syntax of schemas, factories.py makes functions of one form.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from inspect import Parameter, Signature
from typing import Any, Protocol, TypeVar, cast

import numpy as np

from ...arrays.devices import check_one_device
from ...arrays.layouts import strided
from ...arrays.messages import is_tensor
from .dims import common_shape, out_of_range
from .out import call_with_out
from .overriding import MISSING as MISSING
from .overriding import answer, watchers

Function = Callable[..., Any]

Maker = Callable[["Schemas", bool], Function]
"""Makes a function, or its method, for its schemas."""


F = TypeVar("F", bound=Function)


Schemas = tuple[str, ...]


OTHER_NAMES = {
    "axis": "dim",
    "keepdims": "keepdim",
    "x": "input",
    "a": "input",
    "x1": "input",
    "x2": "other",
    "self": "input",
}
"""NumPy's argument names, which PyTorch accepts too, and the names of numbers in place of a
tensor."""


class Public(Protocol):
    """A public function and what its schemas determine."""

    __name__: str
    schemas: Schemas
    method: Function
    """The function as a method of Tensor: its errors do not count the tensor as an argument."""
    place: str
    """The public module: "" is minigrad itself, or for example "nn.functional".

    "Tensor" stands for functions that are methods only.
    """
    remade: Callable[[Schemas], Public]
    body: Function
    """The undecorated function, for use by other functions: its failures are not explained.

    `autocast` replaces it (tensors/autocasting.py).
    """
    in_place: Public
    """The in-place form of an `applied` function."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...


def schema(*schemas: str, place: str = "") -> Callable[[Function], Public]:
    """Make a public function of a plain one, from its schemas."""

    def decorate(body: Function) -> Public:
        def make(schemas: Schemas, method: bool) -> Function:
            def function(*args: Any, **kwargs: Any) -> Any:
                if watchers and (found := answer(function, args, kwargs)):
                    return found[0]
                try:
                    return public.body(*args, **kwargs)
                except Exception as error:
                    return handle_failure(error, function, method, args, kwargs)

            return function

        public = publish(make, schemas, body, place)
        public.body = body
        return public

    return decorate


def method_schema(*schemas: str) -> Callable[[F], F]:
    """Give a method its schemas, inside its class."""
    return lambda body: cast(Any, schema(*schemas, place="Tensor")(body).method)


def alias(name: str, function: Public, *schemas: str, place: str = "") -> Public:
    """Return the same function under another name, which its errors use.

    `schemas` are further ones that PyTorch has for that name alone.
    """
    made = function.remade((*rename_schemas(function.schemas, name), *schemas))
    made.place = place or made.place
    return made


def rename_schemas(schemas: Schemas, name: str) -> Schemas:
    """Return the schemas for a function `name` with the same arguments; in place without `out`.

    >>> rename_schemas(("exp(Tensor input, *, Tensor out=None)",), "exp_")
    ('exp_(Tensor input)',)
    """
    found = []
    for schema in schemas:
        old, _, rest = (OUT.sub("", schema) if name[-1] == "_" else schema).partition("(")
        found.append(f"{old.removesuffix(last_name(schema))}{name}({rest}")
    return tuple(found)


def last_name(schema: str) -> str:
    """Return the name of a schema's function.

    >>> last_name("def Tensor.split(Tensor self, int split_size)")
    'split'
    """
    return schema.partition("(")[0].rpartition(" ")[2].rpartition(".")[2]


def publish(
    make: Callable[[Schemas, bool], Function], schemas: Schemas, source: Any, place: str = ""
) -> Public:
    """Return the function that `make` makes, with the attributes that its schemas determine."""
    # (Hundreds of functions are made while minigrad is imported, so no schema is parsed here.)
    name = last_name(schemas[0] if schemas[0].startswith("def ") else schemas[-1])
    text = f"{docstring_head(schemas)}\n\n    {source.__doc__ or ''}"
    made = []
    for method in (False, True):
        # A function that is a method only has a method's errors, also when a formula calls it.
        function: Any = make(schemas, method or place == "Tensor")
        function.__name__ = function.__qualname__ = name
        function.__module__ = source.__module__
        function.__doc__ = text
        function.__wrapped__ = Described(schemas, method, source)
        function.schemas, function.place = schemas, place
        made.append(function)
    public, public.method = made
    public.remade = lambda schemas: publish(make, schemas, source, place)
    return cast(Public, public)


def docstring_head(schemas: Schemas) -> str:
    """Return the schemas as the docstring shows them.

    Deprecated schemas are left out, and so are arguments that only PyTorch has.

    >>> docstring_head(("clone(Tensor input, *, memory_format?! memory_format=None)",))
    'clone(Tensor input)'
    >>> docstring_head(("def relu(Tensor input, bool inplace=False)", "relu(Tensor input)"))
    'relu(Tensor input, bool inplace=False)'
    >>> docstring_head(("min(Tensor input)", "min(Tensor input, int dim)")).split("\\n    ")
    ['min(Tensor input)', 'min(Tensor input, int dim)']
    """
    shown = [schema for schema in schemas if not schema.startswith("deprecated ")]
    if shown[0].startswith("def "):
        shown = [shown[0].removeprefix("def ")]
    kept = [LEFT_OUT.sub("", schema) if "!" in schema else schema for schema in shown]
    return "\n    ".join(dict.fromkeys(kept))


LEFT_OUT = re.compile(r"(, \*)?, [^ ,(]+! \w+(=[^,)]*)?(?=[,)])")
"""An argument that PyTorch has and minigrad does not."""


OUT = re.compile(r"(, \*)?, Tensor out=None(?=\))|(?<=, )Tensor out=None, ")
"""The `out` argument, at the end of a schema or before other arguments."""


class Described:
    """The object that `inspect` finds behind a public function.

    Its signature is parsed from the schemas when it is read; behind it is the source of the body.
    """

    def __init__(self, schemas: Schemas, method: bool, source: Any) -> None:
        self.schemas, self.method, self.source = schemas, method, source

    @property
    def __wrapped__(self) -> Any:
        gradient = vars(self.source).get("gradient")  # stands for its class (kinds.py)
        return gradient.__func__ if isinstance(gradient, staticmethod) else self.source

    @property
    def __signature__(self) -> Signature:
        from .schema import Schema

        found = Schema.parse(*self.schemas).python(self.method)
        own = [Parameter("self", Parameter.POSITIONAL_ONLY)] if self.method else []
        return found.replace(parameters=[*own, *found.parameters.values()])


def handle_failure(error: Exception, function: Any, method: bool, args: Any, kwargs: Any) -> Any:
    """Handle a failed call: raise PyTorch's error, or call again.

    The call is repeated with PyTorch's argument names in place of NumPy's, or with a result that is
    written into `out` (out.py).
    """
    refusal = None
    try:
        answered = None if watchers else answer(function, args, kwargs)  # of what is no tensor
        if answered:
            return answered[0]
        args = tuple([value for value in args if value is not MISSING])
        computed = "out" in kwargs and not method and all_take_out(function.schemas)
        if computed:
            try:
                return call_with_out(function, args, kwargs)
            except Exception as refused:
                error = refused
        # In a Python function of PyTorch, the tensor is an ordinary argument.
        python = function.schemas[0].startswith("def ")
        named = {OTHER_NAMES.get(name, name): value for name, value in kwargs.items()}
        other_names = named.keys() != kwargs.keys() and len(named) == len(kwargs) and not python
        if other_names and ("axis" in kwargs or "keepdims" in kwargs):
            # These names are common. If nothing else is wrong, no schema has to be parsed.
            with suppress(Exception):
                return function(*args, **named)
        from .schema import Schema  # schemas are parsed only after a failure

        parsed = Schema.parse(*function.schemas)
        refusal = parsed.refusal(args[1:] if method and not python else args, kwargs, method)
        if refusal is not None:
            raise refusal from None
        own = [{each.name for each in overload.parameters} for overload in parsed.overloads]
        if other_names and not set.intersection(*own) & kwargs.keys() & OTHER_NAMES.keys():
            return function(*args, **named)
        if ("out" in kwargs or python) and not (computed or method):
            found = name_out(parsed, args, kwargs)
            if found is not None:
                try:
                    return call_with_out(function, *found)
                except Exception as refused:
                    raise refused from None
        absent = {p.name: p.default for o in parsed.overloads for p in o.parameters if p.left_out}
        usual = [n for n, value in kwargs.items() if n in absent and value in (absent[n], strided)]
        if usual:  # what there is anyway, such as layout=strided
            return function(*args, **{n: v for n, v in kwargs.items() if n not in usual})
        for name in kwargs:
            if any(re.search(rf"! {name}\b", schema) for schema in function.schemas):
                name = f"{function.__name__}() got an unexpected keyword argument '{name}'"
                raise TypeError(name) from None
        raise translate_error(error, [*args, *kwargs.values()]) from None
    finally:
        del error, refusal  # their tracebacks lead here: a cycle would keep all arrays for a while


@cache
def warn_of_old_order(schemas: Schemas, method: bool) -> None:
    """Warn, once in a program, that a call uses a deprecated overload of a function."""
    from .schema import Schema

    warnings.warn(Schema.parse(*schemas).deprecation(method), stacklevel=5)


@cache
def all_take_out(schemas: Schemas) -> bool:
    """Return whether every overload takes `out` by name, so that the choice does not matter."""
    return all(" out=None" in schema for schema in schemas) and not schemas[0].startswith("def ")


def name_out(parsed: Any, args: Any, kwargs: Any) -> tuple[Any, dict[str, Any]] | None:
    """Return a valid call with its `out` among the named arguments; None if it has no `out`."""
    taken = [
        each for each in parsed.overloads if each.mark == "def" or not each.complaint(args, kwargs)
    ]
    by_place = [parameter.name for parameter in taken[0].positional]
    if "out" in by_place[: len(args)]:  # only in Python functions of PyTorch
        place = by_place.index("out")
        return args[:place], kwargs | dict(zip(by_place[place:], args[place:], strict=False))
    return (args, kwargs) if "out" in kwargs else None


def translate_error(error: Exception, args: list[Any]) -> Exception:
    """Return `error`, or PyTorch's error in place of NumPy's."""
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
        if 0 in sizes:
            return RuntimeError("Stride calculation overflowed")
        return RuntimeError(f"Storage size calculation overflowed with sizes={sizes}")
    arrays = [value._array for value in args if is_tensor(value)]
    try:
        check_one_device([*arrays, *[value._array for value in listed if is_tensor(value)]])
        if isinstance(error, ValueError) and "broadcast" in str(error):  # NumPy's error
            common_shape(*[array.shape for array in arrays])
    except RuntimeError as found:
        return found
    return error
