"""Schemas of public functions, and PyTorch's errors for calls that break them.

A call is computed first. Only after a failure is the schema parsed, to find the argument of a wrong
kind. So a valid call pays for no check, and a schema costs nothing until a call fails. A schema
reads as PyTorch prints it:

    mm(Tensor input, Tensor mat2)
    mul(Scalar|Tensor input, Scalar|Tensor other)       a plain number is accepted, too
    squeeze(Tensor input, int[1]? dim)                  one int or several, or None
    cpu(*, memory_format?! memory_format=None)          `!`: only PyTorch has this argument
    zeros(int[] size, *, Tensor out=None, **options)    dtype, device and the like of a new tensor
    from_numpy(object ndarray, /)                       one argument, without a name
    deprecated add(Tensor input, Scalar alpha, Tensor other)     accepted, but never shown

A function with several overloads has a schema for each. A function that PyTorch writes in Python
begins with `def`; the schemas after it are the calls inside it, in order:

    def dropout(Tensor input, float p=0.5, bool training=True, bool inplace=False)
    dropout(Tensor input, float p, bool train=training)
    def nearest(Tensor input, Tensor? weight=None)
    input.size()
    weight?.size()

A method has the schemas that take an `input`, without `input` and `out`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, cached_property

from ...arrays.messages import type_name
from . import prototypes
from .overload import REQUIRED, Arguments, Keywords, Overload


class Schema:
    """The schemas of one public function, parsed when they are first needed.

    >>> softmax = Schema.parse("softmax(Tensor input, int dim, dtype? dtype=None)")
    >>> softmax.refusal(["a", 0], {})
    TypeError("softmax(): argument 'input' (position 1) must be Tensor, not str")
    >>> softmax.first_line()
    'softmax(input, dim, dtype=None)'
    """

    def __init__(self, *schemas: str) -> None:
        self.schemas = schemas

    @classmethod
    @cache
    def parse(cls, *schemas: str) -> Schema:
        """Return the Schema of these texts, the same object for the same texts."""
        return cls(*schemas)

    def named(self, name: str) -> Schema:
        """Return the same schemas for another name of the function, or for its in-place form.

        >>> Schema("mul(Tensor input, Tensor other)").named("mul_").schemas
        ('mul_(Tensor input, Tensor other)',)
        """
        return Schema.parse(*(re.sub(r"\w+\(", f"{name}(", text, count=1) for text in self.schemas))

    @cached_property
    def overloads(self) -> list[Overload]:
        return [Overload.read(text) for text in self.schemas]

    @cached_property
    def methods(self) -> list[Overload]:
        """The overloads of the method: without the tensor itself and without `out`."""

        def rest(overload: Overload) -> Overload:
            kept = [p for p in overload.parameters if p.name not in ("input", "out")]
            return replace(overload, parameters=tuple(kept))

        with_input = [o for o in self.overloads if any(p.name == "input" for p in o.parameters)]
        return [rest(overload) for overload in with_input or self.overloads]

    # --- Errors

    def refusal(self, args: Arguments, kwargs: Keywords, method: bool = False) -> Exception | None:
        """Return PyTorch's error for wrong arguments, or None if all are right.

        `args` of a `method` do not include the tensor.
        """
        if self.overloads[0].mark == "def":
            return self.python_refusal(args, kwargs)
        overloads = self.methods if method else self.overloads
        name = overloads[0].name
        if overloads[0].mark == "only" and (kwargs or len(args) != 1):
            given = (
                "no keyword arguments" if kwargs else f"exactly one argument ({len(args)} given)"
            )
            return TypeError(f"{name}() takes {given}")
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
        if len(overloads) == 1 or len(meant) == 1:  # it is clear which overload was meant
            return TypeError(f"{name}{complaints[overloads.index((meant or overloads)[0])]}")
        message = describe_mismatch(shown, args, kwargs)
        return TypeError(f"{name}() received an invalid combination of arguments - {message}")

    def python_refusal(self, args: Arguments, kwargs: Keywords) -> Exception | None:
        """Return the error for the arguments of a function that PyTorch writes in Python."""
        function, *calls = self.overloads
        if complaint := function.python_complaint(args, kwargs):
            return TypeError(f"{function.name}{complaint}")
        values = {parameter.name: parameter.default for parameter in function.parameters}
        values |= {parameter.name: value for _, parameter, _, value in function.given(args, kwargs)}
        return next(filter(None, (call.refusal_inside(values) for call in calls)), None)

    def deprecation(self, method: bool) -> str:
        """Return the warning for a call of a deprecated overload."""
        overloads = self.methods if method else self.overloads
        old = [str(each) for each in overloads if each.mark == "deprecated"]
        new = [str(each) for each in overloads if each.mark != "deprecated"]
        return (
            f"This overload of {overloads[0].name} is deprecated:\n\t{old[0]}\nConsider using one "
            "of the following signatures instead:\n\t" + "\n\t".join(new)
        )

    # --- Signatures, stubs and docstrings

    def shown(self, method: bool) -> list[list[inspect.Parameter]]:
        """Return the Python parameters of each overload that this package has."""
        overloads = self.methods if method else self.overloads
        if overloads[0].mark == "def":
            overloads = overloads[:1]
        return [
            overload.python()
            for overload in overloads
            if overload.mark != "deprecated" and not any(p.left_out for p in overload.required)
        ]

    def python(self, method: bool = False) -> inspect.Signature:
        """Return the signature for `inspect`: one for all overloads."""
        return prototypes.merge_overloads(self.shown(method))

    def stub(self, result: str = "Tensor", method: bool = False, along: str = "") -> str:
        """Return the lines of a stub, one for each overload.

        An overload with a `dim` returns `along`, if that is given.
        """
        shown = self.shown(method)
        with_dim = [any(p.name == "dim" for p in parameters) for parameters in shown]
        results = [along if along and dim else result for dim in with_dim]
        name = self.overloads[0].name.rpartition(".")[2]
        return prototypes.stub(name, shown, results, method)

    def first_line(self, method: bool = False) -> str:
        """Return the first line of the docstring."""
        parameters = self.python(method).parameters.values()
        bare = inspect.Signature([p.replace(annotation=REQUIRED) for p in parameters])
        return f"{self.overloads[0].name}{bare}"


def describe_mismatch(shown: Sequence[Overload], args: Arguments, kwargs: Keywords) -> str:
    """Return the given and the expected arguments, where it is unclear which overload was meant."""
    given = [type_name(value) for value in args]
    if len(shown) > 1:
        keywords = [f"{key}={type_name(kwargs[key])}" for key in reversed([*kwargs])]
        comma = ", " * (bool(keywords) and not given)  # as in PyTorch
        return f"got ({', '.join(given + keywords)}{comma}), but expected one of:"
    if kwargs:
        return f"got unrecognized keyword arguments: {', '.join(reversed([*kwargs]))}"
    formals = [str(parameter) for parameter in shown[0].parameters]
    if len(formals) > len(shown[0].positional):
        formals.insert(len(shown[0].positional), "*")
    if len(given) == len(formals):  # mark the arguments that differ; PyTorch counts the star
        words = [formal.rpartition(" ")[0] for formal in formals]
        given = [g if g == word else f"!{g}!" for g, word in zip(given, words, strict=True)]
    return f"got ({', '.join(given)}), but expected ({', '.join(formals)})"
