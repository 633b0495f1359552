"""One schema: how it is parsed, and PyTorch's error for a call that it does not allow.

schema.py describes the syntax. PyTorch checks a call argument by argument, in the order of the
schema, and reports the first mistake. The order is: too many positional arguments, then the kind or
absence of each, then unused keywords, then elements of lists. Python checks calls of PyTorch's
Python functions, and begins with the keywords.
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

from ...arrays.memory_formats import contiguous_format
from ...arrays.messages import is_tensor
from .argument_kinds import Kind, Many, read_kind
from .argument_tests import is_int

Arguments = Sequence[Any]
Keywords = Mapping[str, Any]

REQUIRED: Final = inspect.Parameter.empty

NUMPY_NAMES = {
    "dim": ("axis",),
    "keepdim": ("keepdims",),
    "input": ("x", "a", "x1"),
    "other": ("x2",),
}
"""NumPy's argument names, which PyTorch accepts too."""

OPTIONS = (
    "dtype? dtype=None, layout?! layout=None, device? device=None, "
    "bool?! pin_memory=False, bool? requires_grad=False"
)
"""The arguments for which `**options` stands in a schema."""


@dataclass(frozen=True)
class Parameter:
    """One argument of a schema; the default of a memory format is its name."""

    kind: Kind
    name: str
    default: Any
    nullable: bool
    left_out: bool
    keyword_only: bool

    @classmethod
    def read(cls, text: str, keyword_only: bool) -> Parameter:
        """Parse `int[2]? stride=None`."""
        match = re.fullmatch(r"([^ ?!]+)(\??)(!?) (\w+)(?:=(.+))?", text)
        if match is None:
            raise ValueError(f"not an argument of a schema: {text!r}")
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
        """Return the argument as PyTorch prints it."""
        text = f"{self.kind.word} {self.name}"
        if self.default is REQUIRED:
            return text
        default = f'"{self.default}"' if isinstance(self.default, str) else self.default
        return f"{text} = {default}"

    def python(self) -> inspect.Parameter:
        """Return the argument as Python's `inspect.Parameter`."""
        either, named = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
        default = contiguous_format if self.default == "contiguous_format" else self.default
        return inspect.Parameter(
            self.name + "_" * keyword.iskeyword(self.name),
            named if self.keyword_only else either,
            default=default,
            annotation=self.kind.type + " | None" * self.nullable,
        )


@dataclass(frozen=True)
class Overload:
    """One schema. Its complaints follow the function's name in PyTorch's errors."""

    mark: str  # "deprecated", "def", or "only" for a single argument that has no name
    name: str
    parameters: tuple[Parameter, ...]

    @classmethod
    def read(cls, schema: str) -> Overload:
        match = re.fullmatch(r"(?:(deprecated|def) )?([\w.?]+)\((.*)\)", schema)
        if match is None:
            raise ValueError(f"not a schema: {schema!r}")
        inside = match[3].replace("**options", OPTIONS)
        texts = re.split(r", (?![^(]*\))", inside) if inside else []
        if texts[-1:] == ["/"]:
            return cls("only", match[2], (Parameter.read(texts[0], False),))
        star = texts.index("*") if "*" in texts else len(texts)
        arguments = [Parameter.read(t, place > star) for place, t in enumerate(texts) if t != "*"]
        return cls(match[1] or "", match[2], tuple(arguments))

    def __str__(self) -> str:
        formals = [str(parameter) for parameter in self.parameters]
        if len(formals) > len(self.positional):
            formals.insert(len(self.positional), "*")
        return f"{self.name}({', '.join(formals)})"

    @cached_property
    def positional(self) -> list[Parameter]:
        return [p for p in self.parameters if not p.keyword_only]

    @cached_property
    def required(self) -> list[Parameter]:
        return [p for p in self.parameters if p.default is REQUIRED]

    def python(self) -> list[inspect.Parameter]:
        """Return the arguments that this package has; after a gap in their order, as keywords."""
        parameters = []
        gap = False
        for parameter in self.parameters:
            gap |= parameter.left_out
            if not parameter.left_out:
                parameters.append(replace(parameter, keyword_only=parameter.keyword_only or gap))
        return [parameter.python() for parameter in parameters]

    def packed(self, args: Arguments) -> Arguments:
        """Return the arguments, with those of `x.view(2, 3)` packed as in `x.view((2, 3))`."""
        alone = self.positional[0].kind if len(self.positional) == 1 else None
        sizes = isinstance(alone, Many) and alone.element.word == "int" and not alone.or_one
        return [list(args)] if args and sizes and is_int(args[0]) else args

    def names(self, parameter: Parameter) -> tuple[str, ...]:
        others = () if self.mark == "def" else NUMPY_NAMES.get(parameter.name, ())
        return (parameter.name, *others)

    def given(self, args: Arguments, kwargs: Keywords) -> Iterator[tuple[int, Parameter, str, Any]]:
        """Yield position, parameter, keyword ("" without) and value of each given argument."""
        for place, parameter in enumerate(self.parameters):
            if place < len(args):
                yield place, parameter, "", args[place]
            elif key := next((name for name in self.names(parameter) if name in kwargs), None):
                yield place, parameter, key, kwargs[key]

    def complaint(self, args: Arguments, kwargs: Keywords) -> str | None:
        """Return the first mistake of a call by this schema, as PyTorch reports it."""
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
                arguments = "arguments" if len(names) == 1 else "argument"  # PyTorch swaps them
                missing = f"{len(names)} required positional {arguments}"
                return f"() missing {missing}: {', '.join(names)}"
        used = {key for key, _ in given.values()}
        return next((self.misnamed(key) for key in kwargs if key not in used), None)

    def misnamed(self, key: str) -> str:
        if any(parameter.name == key for parameter in self.parameters):
            return f"() got multiple values for argument '{key}'"
        return f"() got an unexpected keyword argument '{key}'"

    def element_error(self, args: Arguments, kwargs: Keywords) -> str | None:
        """Return the mistake inside the lists of a call that has no other."""
        for place, parameter, _, value in self.given(self.packed(args), kwargs):
            if error := parameter.kind.element_error(parameter.name, place, value):
                return error if error.startswith("expected") else f"{self.name}(): {error}"
        return None

    # --- Functions that PyTorch writes in Python

    def python_complaint(self, args: Arguments, kwargs: Keywords) -> str | None:
        """Return Python's error for a call of a Python function."""
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
        """Return the error of this schema's call inside a Python function with these arguments."""
        owner, _, name = self.name.rpartition(".")
        if owner and not is_tensor(value := values[owner.removesuffix("?")]):
            if value is None and owner.endswith("?"):
                return None
            kind = type(value).__name__
            if hasattr(value, name):  # str has a `split` too, for example
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
    """Return Python's error, which is also PyTorch's, for too many positional arguments."""
    if least != most:  # PyTorch says "from 3 to 2" if a keyword-only argument is required
        return f"() takes from {least} to {most} positional arguments but {given} were given"
    arguments = "argument" if most == 1 else "arguments"
    were = "was" if given == 1 else "were"
    return f"() takes {most} positional {arguments} but {given} {were} given"
