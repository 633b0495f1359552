"""PyTorch's signature of a public function in rows, and PyTorch's words for a call that breaks it.

A call is computed first. Only when it fails is the row beside the operation read, to say which
argument was of a wrong kind, as PyTorch says it. So a call that can be done pays for no check, and
a row costs nothing until the first call is refused. A row reads as PyTorch prints it:

    mm(Tensor input, Tensor mat2)
    mul(Scalar|Tensor input, Scalar|Tensor other)       a plain number will do, too
    squeeze(Tensor input, int[1]? dim)                  one int or several, or None
    exp(Tensor input, *, Tensor! out=None)              `!`: PyTorch has it, this package does not
    zeros(int[] size, *, Tensor! out=None, **options)   dtype, device and the like of a new tensor
    deprecated add(Tensor input, Scalar alpha, Tensor other)     taken, but never shown

A function with several overloads has a row for each. A function that is written in Python in
PyTorch has a row with `def`; the rows after it are the calls it makes of its arguments, in turn:

    def dropout(Tensor input, float p=0.5, bool training=True, bool inplace=False)
    dropout(Tensor input, float p, bool train=training)
    def nearest(Tensor input, Tensor? weight=None)
    input.size()
    weight?.size()

A method has the rows that take an `input`, without it and without `out`.
"""

from __future__ import annotations

import ast
import inspect
import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, Final

from . import prototypes
from .kinds import Kind, Many, is_int, is_tensor, name_of, read_kind

Arguments = Sequence[Any]
Keywords = Mapping[str, Any]

REQUIRED: Final = inspect.Parameter.empty

NUMPY_NAMES = {
    "dim": ("axis",),
    "keepdim": ("keepdims",),
    "input": ("x", "a", "x1"),
    "other": ("x2",),
}
"""NumPy's names for arguments, which PyTorch takes as well."""

OPTIONS = (
    "dtype? dtype=None, layout?! layout=None, device? device=None, "
    "bool?! pin_memory=False, bool? requires_grad=False"
)
"""What `**options` stands for in a row."""


@dataclass(frozen=True)
class Parameter:
    """One argument of a row."""

    kind: Kind
    name: str
    default: Any
    nullable: bool
    left_out: bool
    keyword_only: bool

    @classmethod
    def read(cls, text: str, keyword_only: bool) -> Parameter:
        """Read `int[2]? stride=None`."""
        match = re.fullmatch(r"([^ ?!]+)(\??)(!?) (\w+)(?:=(.+))?", text)
        if match is None:
            raise ValueError(f"no argument of a row: {text!r}")
        kind, nullable, left_out, name, written = match.groups()
        default: Any = REQUIRED
        if written is not None:
            literal = not written.isidentifier() or written in ("None", "True", "False")
            default = ast.literal_eval(written) if literal else written
        null = bool(nullable) or default is None
        return cls(read_kind(kind), name, default, null, bool(left_out), keyword_only)

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *NUMPY_NAMES.get(self.name, ()))

    def complaint(self, value: Any) -> str | None:
        return None if value is None and self.nullable else self.kind.complaint(value)

    def __str__(self) -> str:
        """The argument as PyTorch prints it."""
        text = f"{self.kind.word} {self.name}"
        if self.default is REQUIRED:
            return text
        default = f'"{self.default}"' if isinstance(self.default, str) else self.default
        return f"{text} = {default}"

    def python(self) -> inspect.Parameter:
        """The argument as Python knows it."""
        either, named = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
        return inspect.Parameter(
            self.name + "_" * keyword.iskeyword(self.name),
            named if self.keyword_only else either,
            default=self.default,
            annotation=self.kind.type + " | None" * self.nullable,
        )


@dataclass(frozen=True)
class Overload:
    """One row. Its complaints are what PyTorch says after the name of the function."""

    mark: str
    name: str
    parameters: tuple[Parameter, ...]

    @classmethod
    def read(cls, row: str) -> Overload:
        match = re.fullmatch(r"(?:(deprecated|def) )?([\w.?]+)\((.*)\)", row)
        if match is None:
            raise ValueError(f"no row: {row!r}")
        inside = match[3].replace("**options", OPTIONS)
        texts = re.split(r", (?![^(]*\))", inside) if inside else []
        star = texts.index("*") if "*" in texts else len(texts)
        arguments = [Parameter.read(t, place > star) for place, t in enumerate(texts) if t != "*"]
        return cls(match[1] or "", match[2], tuple(arguments))

    @cached_property
    def positional(self) -> list[Parameter]:
        return [p for p in self.parameters if not p.keyword_only]

    @cached_property
    def required(self) -> list[Parameter]:
        return [p for p in self.parameters if p.default is REQUIRED]

    def python(self) -> list[inspect.Parameter]:
        """The arguments that this package has. After a gap in their order, only names are left."""
        parameters = []
        gap = False
        for parameter in self.parameters:
            gap |= parameter.left_out
            if not parameter.left_out:
                parameters.append(replace(parameter, keyword_only=parameter.keyword_only or gap))
        return [parameter.python() for parameter in parameters]

    def packed(self, args: Arguments) -> Arguments:
        """The arguments, where `x.view(2, 3)` stands for `x.view((2, 3))`."""
        alone = self.positional[0].kind if len(self.positional) == 1 else None
        sizes = isinstance(alone, Many) and alone.element.word == "int"
        return [list(args)] if args and sizes and is_int(args[0]) else args

    def given(self, args: Arguments, kwargs: Keywords) -> Iterator[tuple[int, Parameter, str, Any]]:
        """Each argument's place, itself, the keyword it came by ("" without) and its value."""
        for place, parameter in enumerate(self.parameters):
            if place < len(args):
                yield place, parameter, "", args[place]
            elif key := next((name for name in parameter.names if name in kwargs), None):
                yield place, parameter, key, kwargs[key]

    def complaint(self, args: Arguments, kwargs: Keywords) -> str | None:
        """What is wrong with a call by this row: one thing, the first that PyTorch sees."""
        args = self.packed(args)
        if len(args) > len(self.positional):
            return too_many(len(self.required), len(self.positional), len(args))
        given = {place: (key, value) for place, _, key, value in self.given(args, kwargs)}
        for place, parameter in enumerate(self.parameters):
            if place in given:
                key, value = given[place]
                if complaint := parameter.complaint(value):
                    where = "" if key else f" (position {place + 1})"
                    return f"(): argument '{parameter.name}'{where} {complaint}"
            elif parameter.default is REQUIRED:
                names = [f'"{p.name}"' for p in self.parameters[place:] if p.default is REQUIRED]
                arguments = "arguments" if len(names) == 1 else "argument"  # this way round
                missing = f"{len(names)} required positional {arguments}"
                return f"() missing {missing}: {', '.join(names)}"
        used = {key for key, _ in given.values()}
        return next((self.misnamed(key) for key in kwargs if key not in used), None)

    def misnamed(self, key: str) -> str:
        if any(parameter.name == key for parameter in self.parameters):
            return f"() got multiple values for argument '{key}'"
        return f"() got an unexpected keyword argument '{key}'"

    def element_error(self, args: Arguments, kwargs: Keywords) -> str | None:
        """What is wrong inside the lists of a call that has no other complaint."""
        for place, parameter, _, value in self.given(self.packed(args), kwargs):
            if error := parameter.kind.element_error(parameter.name, place, value):
                return error if error.startswith("expected") else f"{self.name}(): {error}"
        return None

    def python_complaint(self, args: Arguments, kwargs: Keywords) -> str | None:
        """What Python says of a call of a function that is written in Python."""
        given = {parameter.name: key for _, parameter, key, _ in self.given(args, kwargs)}
        for key in kwargs:
            if key not in given.values():
                return self.misnamed(key)
        least = sum(parameter.default is REQUIRED for parameter in self.positional)
        if len(args) > len(self.positional):
            return too_many(least, len(self.positional), len(args))
        if missing := [f"'{p.name}'" for p in self.required if p.name not in given]:
            *firsts, last = missing
            comma = "," * (len(firsts) > 1)
            names = f"{', '.join(firsts)}{comma} and {last}" if firsts else last
            arguments = "argument" if len(missing) == 1 else "arguments"
            return f"() missing {len(missing)} required positional {arguments}: {names}"
        return None

    def refusal_inside(self, values: Keywords) -> Exception | None:
        """The error of the call that this row is, made by a function with these arguments."""
        owner, _, name = self.name.rpartition(".")
        if owner and not is_tensor(value := values[owner.removesuffix("?")]):
            if value is None and owner.endswith("?"):
                return None
            kind = type(value).__name__
            return AttributeError(f"'{kind}' object has no attribute '{name}'")
        args, kwargs = [], {}
        for parameter in self.parameters:
            source = parameter.name if parameter.default is REQUIRED else parameter.default
            if parameter.keyword_only:
                kwargs[parameter.name] = values[source]
            else:
                args.append(values[source])
        call = replace(self, name=name)
        complaint = call.complaint(args, kwargs)
        error = f"{name}{complaint}" if complaint else call.element_error(args, kwargs)
        return TypeError(error) if error else None


def too_many(least: int, most: int, given: int) -> str:
    """What Python, and PyTorch with it, says of too many positional arguments."""
    if least != most:  # PyTorch says "from 3 to 2" where an argument is required by its name
        return f"() takes from {least} to {most} positional arguments but {given} were given"
    arguments = "argument" if most == 1 else "arguments"
    were = "was" if given == 1 else "were"
    return f"() takes {most} positional {arguments} but {given} {were} given"


def mismatch(shown: Sequence[Overload], args: Arguments, kwargs: Keywords) -> str:
    """What was given and what was expected, where it is not plain which overload was meant."""
    given = [name_of(value) for value in args]
    if len(shown) > 1:
        keywords = [f"{key}={name_of(kwargs[key])}" for key in reversed([*kwargs])]
        comma = ", " * (bool(keywords) and not given)  # PyTorch puts it there
        return f"got ({', '.join(given + keywords)}{comma}), but expected one of:"
    if kwargs:
        return f"got unrecognized keyword arguments: {', '.join(reversed([*kwargs]))}"
    formals = [str(parameter) for parameter in shown[0].parameters]
    if len(formals) > len(shown[0].positional):
        formals.insert(len(shown[0].positional), "*")
    if len(given) == len(formals):  # then what differs is marked, the star counted in
        words = [formal.rpartition(" ")[0] for formal in formals]
        given = [g if g == word else f"!{g}!" for g, word in zip(given, words, strict=True)]
    return f"got ({', '.join(given)}), but expected ({', '.join(formals)})"


class Signature:
    """What a public function takes: its rows, read when they are first asked for.

    >>> softmax = Signature.parse("softmax(Tensor input, int dim, dtype? dtype=None)")
    >>> softmax.refusal(["a", 0], {})
    TypeError("softmax(): argument 'input' (position 1) must be Tensor, not str")
    >>> softmax.first_line()
    'softmax(input, dim, dtype=None)'
    """

    def __init__(self, *rows: str) -> None:
        self.rows = rows

    @classmethod
    @cache
    def parse(cls, *rows: str) -> Signature:
        """The signature that these rows say: the same object for the same rows."""
        return cls(*rows)

    def named(self, name: str) -> Signature:
        """The same signature for another name of the function, or for its in-place form.

        >>> Signature("mul(Tensor input, Tensor other)").named("mul_").rows
        ('mul_(Tensor input, Tensor other)',)
        """
        return Signature.parse(*(re.sub(r"\w+\(", f"{name}(", row, count=1) for row in self.rows))

    @cached_property
    def overloads(self) -> list[Overload]:
        return [Overload.read(row) for row in self.rows]

    @cached_property
    def methods(self) -> list[Overload]:
        """The overloads of the method: without the tensor it is called on, without `out`."""

        def rest(overload: Overload) -> Overload:
            kept = [p for p in overload.parameters if p.name not in ("input", "out")]
            return replace(overload, parameters=tuple(kept))

        with_input = [o for o in self.overloads if any(p.name == "input" for p in o.parameters)]
        return [rest(overload) for overload in with_input or self.overloads]

    # --- Words

    def refusal(self, args: Arguments, kwargs: Keywords, method: bool = False) -> Exception | None:
        """PyTorch's error for arguments of wrong kinds or number, or None when all are right.

        The tensor that a `method` is called on is not among the `args`.
        """
        if self.overloads[0].mark == "def":
            return self.python_refusal(args, kwargs)
        overloads = self.methods if method else self.overloads
        name = overloads[0].name
        if not any(overload.parameters for overload in overloads) and (args or kwargs):
            given = "keyword arguments" if kwargs else f"arguments ({len(args)} given)"
            return TypeError(f"{'TensorBase' if method else 'torch'}.{name}() takes no {given}")
        complaints = [overload.complaint(args, kwargs) for overload in overloads]
        if None in complaints:
            error = overloads[complaints.index(None)].element_error(args, kwargs)
            return TypeError(error) if error else None
        count = len(args) + len(kwargs)
        shown = [o for o in overloads if o.mark != "deprecated"]
        meant = [o for o in shown if len(o.required) <= count <= len(o.parameters)]
        if len(overloads) == 1 or len(meant) == 1:  # it is plain which one was meant
            return TypeError(f"{name}{complaints[overloads.index((meant or overloads)[0])]}")
        said = mismatch(shown, args, kwargs)
        return TypeError(f"{name}() received an invalid combination of arguments - {said}")

    def python_refusal(self, args: Arguments, kwargs: Keywords) -> Exception | None:
        """The error of a function that is written in Python, for all its arguments."""
        function, *calls = self.overloads
        if complaint := function.python_complaint(args, kwargs):
            return TypeError(f"{function.name}{complaint}")
        values = {parameter.name: parameter.default for parameter in function.parameters}
        values |= {parameter.name: value for _, parameter, _, value in function.given(args, kwargs)}
        return next(filter(None, (call.refusal_inside(values) for call in calls)), None)

    # --- What users, editors and checkers see

    def shown(self, method: bool) -> list[list[inspect.Parameter]]:
        """The arguments of each overload that this package has, as Python knows them."""
        overloads = self.methods if method else self.overloads
        if overloads[0].mark == "def":
            overloads = overloads[:1]
        return [
            overload.python()
            for overload in overloads
            if overload.mark != "deprecated" and not any(p.left_out for p in overload.required)
        ]

    def python(self, method: bool = False) -> inspect.Signature:
        """The signature that `inspect` gives: one for all overloads."""
        return prototypes.merged(self.shown(method))

    def stub(self, result: str = "Tensor", method: bool = False) -> str:
        """The lines of a stub: one for each overload."""
        return prototypes.stub(self.overloads[0].name, self.shown(method), result, method)

    def first_line(self, method: bool = False) -> str:
        """The first line of the docstring."""
        parameters = self.python(method).parameters.values()
        bare = inspect.Signature([p.replace(annotation=REQUIRED) for p in parameters])
        return f"{self.overloads[0].name}{bare}"
