"""One row of a signature: how it is read, and what PyTorch says of a call that it does not allow.

signature.py says how a row reads. PyTorch judges a call argument by argument, in the order of the
row, and speaks of the first that is wrong: too many by place, then each one's kind or absence, then
the names that nothing took. What is inside a list comes last. Functions that are written in Python
in PyTorch are judged by Python, which looks at the names first.
"""

from __future__ import annotations

import ast
import inspect
import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from .argument_kinds import Kind, Many, read_kind
from .argument_tests import is_int
from .words import is_tensor

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

    mark: str  # "deprecated", "def", or "only" where there is one argument and no name for it
    name: str
    parameters: tuple[Parameter, ...]

    @classmethod
    def read(cls, row: str) -> Overload:
        match = re.fullmatch(r"(?:(deprecated|def) )?([\w.?]+)\((.*)\)", row)
        if match is None:
            raise ValueError(f"no row: {row!r}")
        inside = match[3].replace("**options", OPTIONS)
        texts = re.split(r", (?![^(]*\))", inside) if inside else []
        if texts[-1:] == ["/"]:
            return cls("only", match[2], (Parameter.read(texts[0], False),))
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
        sizes = isinstance(alone, Many) and alone.element.word == "int" and not alone.or_one
        return [list(args)] if args and sizes and is_int(args[0]) else args

    def names(self, parameter: Parameter) -> tuple[str, ...]:
        others = () if self.mark == "def" else NUMPY_NAMES.get(parameter.name, ())
        return (parameter.name, *others)

    def given(self, args: Arguments, kwargs: Keywords) -> Iterator[tuple[int, Parameter, str, Any]]:
        """Each argument's place, itself, the keyword it came by ("" without) and its value."""
        for place, parameter in enumerate(self.parameters):
            if place < len(args):
                yield place, parameter, "", args[place]
            elif key := next((name for name in self.names(parameter) if name in kwargs), None):
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

    # --- What is written in Python in PyTorch

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
            if hasattr(value, name):  # as text has a `split`, for other things than tensors
                return TypeError(f"{name}(): argument '{owner}' must be Tensor, not {kind}")
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
