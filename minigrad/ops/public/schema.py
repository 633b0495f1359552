"""PyTorch's signature of a public function in rows, and PyTorch's words for a call that breaks it.

A call is computed first. Only when it fails is the row beside the operation read, to say which
argument was of a wrong kind, as PyTorch says it. So a call that can be done pays for no check, and
a row costs nothing until the first call is refused. A row reads as PyTorch prints it:

    mm(Tensor input, Tensor mat2)
    mul(Scalar|Tensor input, Scalar|Tensor other)       a plain number will do, too
    squeeze(Tensor input, int[1]? dim)                  one int or several, or None
    cpu(*, memory_format?! memory_format=None)          `!`: PyTorch has it, this package does not
    zeros(int[] size, *, Tensor out=None, **options)    dtype, device and the like of a new tensor
    from_numpy(object ndarray, /)                       one argument, without its name
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

import inspect
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, cached_property

from . import prototypes
from .overload import REQUIRED, Arguments, Keywords, Overload
from .words import type_name


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

    def stub(self, result: str = "Tensor", method: bool = False, along: str = "") -> str:
        """The lines of a stub: one for each overload. With a `dim`, the result may be another one,
        `along` it."""
        shown = self.shown(method)
        with_dim = [any(p.name == "dim" for p in parameters) for parameters in shown]
        results = [along if along and dim else result for dim in with_dim]
        name = self.overloads[0].name.rpartition(".")[2]
        return prototypes.stub(name, shown, results, method)

    def first_line(self, method: bool = False) -> str:
        """The first line of the docstring."""
        parameters = self.python(method).parameters.values()
        bare = inspect.Signature([p.replace(annotation=REQUIRED) for p in parameters])
        return f"{self.overloads[0].name}{bare}"


def mismatch(shown: Sequence[Overload], args: Arguments, kwargs: Keywords) -> str:
    """What was given and what was expected, where it is not plain which overload was meant."""
    given = [type_name(value) for value in args]
    if len(shown) > 1:
        keywords = [f"{key}={type_name(kwargs[key])}" for key in reversed([*kwargs])]
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
