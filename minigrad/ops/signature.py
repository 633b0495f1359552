"""PyTorch's signature of a public function in one row, and PyTorch's words for a call that breaks it.

A call is computed first. Only when it fails is the row beside the operation read, to say which
argument was of a wrong kind, as PyTorch says it. So a call that can be done pays for no check, and
a row is parsed when the first call is refused, not when the package is imported.

A row reads as PyTorch writes it, and a function with several overloads has a tuple of rows:

    "mm(Tensor input, Tensor mat2)"
    "mul(Scalar|Tensor input, Scalar|Tensor other)"                a plain number will do, too
    ("sum(Tensor input, *, dtype? dtype=None)",                    `?`: or None
     "sum(Tensor input, int[1]? dim, bool keepdim=False, *, dtype? dtype=None, Tensor! out=None)")
    "deprecated add(Tensor input, Scalar alpha, Tensor other)"     taken, but in no message
    "def relu(Tensor input, bool inplace=False)"                   Python in PyTorch: Python's words

`int[]` is a list of sizes, `int[2]` a list or one int for all. `!` marks what PyTorch has and this
package has not: it counts when arguments are counted, and is left out of what users see. A method
is called by the rows that have `input`, without it and without `out`.
"""

from __future__ import annotations

import ast
import inspect
import keyword
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, Final

import numpy as np

Arguments = Sequence[Any]
Keywords = Mapping[str, Any]

REQUIRED: Final = inspect.Parameter.empty

NUMPY_NAMES = {"dim": ["axis"], "keepdim": ["keepdims"], "input": ["x", "a", "x1"], "other": ["x2"]}
"""Other names that PyTorch takes for its arguments."""


# --- Kinds of arguments


def is_tensor(value: object) -> bool:
    return hasattr(value, "_array")


def is_number(*kinds: type, tensors: str) -> Callable[[Any], bool]:
    """A test for numbers of some `kinds`: 0-d tensors count if their type is one of `tensors`."""

    def test(value: Any) -> bool:
        if is_tensor(value):
            array = value._array
            return not array.ndim and array.dtype.kind in tensors and not value.requires_grad
        return isinstance(value, kinds)

    return test


is_scalar = is_number(int, float, complex, np.number, np.bool_, tensors="fiub")
is_real = is_number(int, float, np.floating, np.integer, np.bool_, tensors="fiub")
is_integer = is_number(int, np.integer, tensors="iu")


def is_int(value: object) -> bool:
    return is_integer(value) and not isinstance(value, bool)


def is_named(name: str, *others: object) -> Callable[[Any], bool]:
    """A test for objects of a class that is known here by its name alone, and for `others`."""
    return lambda value: type(value).__name__ == name or value in others


@dataclass(frozen=True)
class Kind:
    """What a row calls a kind of argument: PyTorch's word for it, its type, and a test for it."""

    word: str
    type: str
    fits: Callable[[Any], bool]


KINDS = {
    "Tensor": Kind("Tensor", "Tensor", is_tensor),
    "Scalar|Tensor": Kind("Tensor", "Tensor | float", lambda v: is_tensor(v) or is_scalar(v)),
    "Scalar": Kind("Number", "float", is_scalar),
    "int": Kind("int", "int", is_int),
    "float": Kind("float", "float", is_real),
    "bool": Kind("bool", "bool", lambda value: isinstance(value, bool)),
    "str": Kind("str", "str", lambda value: isinstance(value, str)),
    "dtype": Kind("torch.dtype", "dtype", is_named("dtype", bool, int, float, complex)),
    "layout": Kind("torch.layout", "object", is_named("layout")),
    "memory_format": Kind("torch.memory_format", "object", is_named("memory_format")),
    "Generator": Kind("torch.Generator", "Generator", is_named("Generator")),
    "device": Kind(
        "torch.device",
        "device | str | int",
        lambda value: is_int(value) or isinstance(value, str) or type(value).__name__ == "device",
    ),
    "object": Kind("object", "object", lambda value: True),
}


def kind_name(value: object) -> str:
    """What PyTorch's errors call the kind of a value: int, numpy.float64, Tensor, torch.dtype."""
    kind = type(value)
    if kind.__module__.startswith("minigrad"):
        torch = {"dtype": "torch.", "device": "torch.", "Size": "torch.", "Generator": "torch._C."}
        return torch.get(kind.__name__, "") + kind.__name__
    made_by_class = kind.__flags__ & 1 << 9
    return kind.__name__ if made_by_class or kind.__module__ == "builtins" else (
        f"{kind.__module__}.{kind.__name__}"
    )


@dataclass(frozen=True)
class Parameter:
    """One argument of a row: its kind, its name, and what is known of it."""

    name: str
    kind: Kind
    list_of: str = ""
    """Of `int[2]`, the `int`."""
    or_one: bool = False
    """One element will do in place of a list."""
    nullable: bool = False
    left_out: bool = False
    default: Any = REQUIRED
    keyword_only: bool = False

    @classmethod
    def parse(cls, text: str, keyword_only: bool) -> Parameter:
        """Read `int[2]? stride=None`."""
        match = re.fullmatch(r"([\w|]+)(\[\d*\])?(\??)(!?) (\w+)(?:=(.+))?", text)
        if match is None:
            raise ValueError(f"a row cannot say {text!r}")
        name, brackets, nullable, left_out, argument, default = match.groups()
        kind = KINDS[name]
        if brackets:
            kind = Kind(f"tuple of {name}s", f"Sequence[{kind.type}]", kind.fits)
        value = REQUIRED if default is None else ast.literal_eval(default)
        return cls(
            argument,
            kind,
            name if brackets else "",
            bool(brackets) and brackets != "[]" and name == "int",
            bool(nullable) or value is None,
            bool(left_out),
            value,
            keyword_only,
        )

    def complaint(self, value: Any) -> str | None:
        """Why `value` is of a wrong kind: of a list, PyTorch looks at the first element alone."""
        if value is None and self.nullable:
            return None
        if not self.list_of or (self.or_one and self.kind.fits(value)):
            fits = self.kind.fits(value)
        elif fits := isinstance(value, (tuple, list)):
            if self.list_of != "Tensor" and value and not self.kind.fits(value[0]):
                found = f"found element of type {kind_name(value[0])} at pos 0"
                return f"must be {self.kind.word}, but {found}"
        return None if fits else f"must be {self.kind.word}, not {kind_name(value)}"

    def element_error(self, function: str, value: Any, place: int) -> str | None:
        """What is said of a list's elements after the list has been taken for one of its kind."""
        if not self.list_of or not isinstance(value, (tuple, list)):
            return None
        for number, item in enumerate(value):
            if self.kind.fits(item) or (isinstance(item, int) and self.list_of == "int"):
                continue
            if self.list_of == "Tensor":
                found = f"in argument {place}, but got {kind_name(item)}"
                return f"expected Tensor as element {number} {found}"
            error = f"type must be {self.kind.word},but got {kind_name(item)}"
            unpacked = f"failed to unpack the object at pos {number + 1} with error"
            return f'{function}(): argument \'{self.name}\' {unpacked} "{error}"'
        return None

    def __str__(self) -> str:
        text = f"{self.kind.word} {self.name}"
        if self.default is REQUIRED:
            return text
        default = f'"{self.default}"' if isinstance(self.default, str) else self.default
        return f"{text} = {default}"

    def python(self) -> inspect.Parameter:
        """The argument as Python's `inspect` knows it."""
        kind = inspect.Parameter.KEYWORD_ONLY if self.keyword_only else (
            inspect.Parameter.POSITIONAL_OR_KEYWORD
        )
        annotation = self.kind.type
        if self.or_one:
            annotation = f"int | {annotation}"
        if self.nullable:
            annotation += " | None"
        name = self.name + "_" * keyword.iskeyword(self.name)
        return inspect.Parameter(name, kind, default=self.default, annotation=annotation)


@dataclass(frozen=True)
class Overload:
    """One row."""

    name: str
    parameters: tuple[Parameter, ...]
    mark: str = ""
    """What stands before the name: `deprecated`, `def`, or nothing."""

    @classmethod
    def parse(cls, row: str) -> Overload:
        match = re.fullmatch(r"(?:(deprecated|def) )?([\w.]+)\((.*)\)", row)
        if match is None:
            raise ValueError(f"no row: {row!r}")
        mark, name, inside = match.groups()
        texts = re.split(r", (?![^(]*\))", inside) if inside else []
        star = texts.index("*") if "*" in texts else len(texts)
        parameters = [Parameter.parse(t, i > star) for i, t in enumerate(texts) if t != "*"]
        return cls(name, tuple(parameters), mark or "")

    @cached_property
    def positional(self) -> list[Parameter]:
        return [p for p in self.parameters if not p.keyword_only]

    @cached_property
    def required(self) -> list[Parameter]:
        return [p for p in self.parameters if p.default is REQUIRED]

    def packed(self, args: Arguments) -> Arguments:
        """The arguments, where `x.view(2, 3)` stands for `x.view((2, 3))`."""
        alone = self.positional[0] if len(self.positional) == 1 else None
        if args and alone and alone.list_of == "int" and is_int(args[0]):
            return args if alone.or_one and len(args) == 1 else [list(args)]
        return args

    def bind(self, args: Arguments, kwargs: Keywords) -> Iterator[tuple[int, str, Parameter, Any]]:
        """Each argument's place, the key it came by ("" without one), and its value."""
        for place, parameter in enumerate(self.parameters):
            if place < len(args):
                yield place, "", parameter, args[place]
                continue
            names = [parameter.name, *NUMPY_NAMES.get(parameter.name, [])]
            key = next((name for name in names if name in kwargs), "")
            yield place, key, parameter, kwargs[key] if key else parameter.default

    def complaint(self, args: Arguments, kwargs: Keywords) -> str | None:
        """How PyTorch ends the sentence on a call that this row does not allow."""
        args = self.packed(args)
        if len(args) > len(self.positional):
            return too_many(len(self.required), len(self.positional), len(args))
        used = set()
        for place, key, parameter, value in self.bind(args, kwargs):
            used.add(key)
            if value is not REQUIRED and (key or place < len(args)):
                if complaint := parameter.complaint(value):
                    where = "" if key else f" (position {place + 1})"
                    return f"(): argument '{parameter.name}'{where} {complaint}"
            elif value is REQUIRED:
                names = [f'"{p.name}"' for p in self.parameters[place:] if p in self.required]
                plural = "s" * (len(names) == 1)  # this way round
                return (
                    f"() missing {len(names)} required positional argument{plural}: "
                    f"{', '.join(names)}"
                )
        known = {parameter.name for parameter in self.parameters}
        for key in kwargs:
            if key not in used:
                return f"() got multiple values for argument '{key}'" if key in known else (
                    f"() got an unexpected keyword argument '{key}'"
                )
        return None

    def element_error(self, args: Arguments, kwargs: Keywords) -> str | None:
        """What is wrong inside the lists of a call that this row allows."""
        bound = self.bind(self.packed(args), kwargs)
        errors = (p.element_error(self.name, value, place) for place, _, p, value in bound)
        return next(filter(None, errors), None)

    def formals(self) -> list[str]:
        """The arguments as PyTorch prints them."""
        formals = [str(parameter) for parameter in self.parameters]
        if len(self.positional) < len(formals):
            formals.insert(len(self.positional), "*")
        return formals


def too_many(least: int, most: int, given: int) -> str:
    """What Python, and PyTorch with it, says of too many positional arguments."""
    if least != most:  # 3 to 2, says PyTorch, where an argument is required by its name
        return f"() takes from {least} to {most} positional arguments but {given} were given"
    arguments = "argument" if most == 1 else "arguments"
    were = "was" if given == 1 else "were"
    return f"() takes {most} positional {arguments} but {given} {were} given"


def got(overloads: Sequence[Overload], args: Arguments, kwargs: Keywords) -> str:
    """What was given, and what was expected, where it is not plain which overload was meant."""
    given = [kind_name(value) for value in args]
    keys = ", ".join(f"{key}={kind_name(kwargs[key])}" for key in reversed(kwargs))
    if len(overloads) > 1:
        inside = ", ".join(given) + ", " * bool(keys) + keys if given else keys + ", " * bool(keys)
        return f"({inside}), but expected one of:"
    if kwargs:
        return f"unrecognized keyword arguments: {', '.join(reversed(kwargs))}"
    formals = overloads[0].formals()
    if len(given) == len(formals):  # then PyTorch marks what differs, the star among them
        words = [formal.rpartition(" ")[0] for formal in formals]
        pairs = zip(given, words, strict=True)
        given = [name if name == word else f"!{name}!" for name, word in pairs]
    return f"({', '.join(given)}), but expected ({', '.join(formals)})"


class Signature:
    """The rows of one public function, read when they are first asked for.

    >>> signature = Signature.parse("mm(Tensor input, Tensor mat2)")
    >>> print(signature.refusal([Tensor, 3], {}))
    """

    def __init__(self, rows: tuple[str, ...]) -> None:
        self.rows = rows

    @classmethod
    @cache
    def parse(cls, *rows: str) -> Signature:
        """The signature that the rows say. They are read when it is first used."""
        return cls(rows)

    @cached_property
    def overloads(self) -> list[Overload]:
        return [Overload.parse(row) for row in self.rows]

    @cached_property
    def methods(self) -> list[Overload]:
        """The overloads of the method: without `input`, which is the tensor, and without `out`."""
        with_input = [o for o in self.overloads if any(p.name == "input" for p in o.parameters)]
        return [
            replace(o, parameters=tuple(p for p in o.parameters if p.name not in ("input", "out")))
            for o in with_input or self.overloads
        ]

    def refusal(self, args: Arguments, kwargs: Keywords, method: bool = False) -> Exception | None:
        """PyTorch's error for a call with arguments of wrong kinds or number, or None.

        The first argument of a `method` is not among the `args`.
        """
        overloads = self.methods if method else self.overloads
        name = overloads[0].name
        if len(overloads) == 1 and not overloads[0].parameters and (args or kwargs):
            said = "keyword arguments" if kwargs else f"arguments ({len(args)} given)"
            return TypeError(f"{'TensorBase' if method else 'torch'}.{name}() takes no {said}")
        complaints = [overload.complaint(args, kwargs) for overload in overloads]
        if None in complaints:
            error = overloads[complaints.index(None)].element_error(args, kwargs)
            return TypeError(error) if error else None
        number = len(args) + len(kwargs)
        shown = [o for o in overloads if o.mark != "deprecated"]
        meant = [o for o in shown if len(o.required) <= number <= len(o.parameters)]
        if len(overloads) == 1:
            meant = overloads
        if len(meant) == 1:
            return TypeError(f"{name}{complaints[overloads.index(meant[0])]}")
        return TypeError(
            f"{name}() received an invalid combination of arguments - got {got(shown, args, kwargs)}"
        )
