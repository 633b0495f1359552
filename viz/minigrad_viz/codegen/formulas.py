"""A node's backward formula as straight-line NumPy code.

A formula is a Python function on arrays with helpers and branches, so its source fits no single
node. `write_formula` runs it once more on stand-ins for its arrays, and a tape notes every
operation. It then runs the code of the tape, and returns it only if the gradients are those of the
engine, bit for bit.

>>> import minigrad as mg
>>> from minigrad_viz.codegen.constants import text_of
>>> y = mg.tensor([0.5, 2.0], requires_grad=True).tanh()
>>> g = mg.ones(2)
>>> with mg.no_grad():
...     gradient = y.grad_fn(g)
>>> arrays = [g.numpy()], [gradient.numpy()]
>>> names = [ast.Name("g")], lambda saved: ast.Name("y")
>>> code = write_formula(Replay(y.grad_fn), arrays[0], names[0], arrays[1], names[1])
>>> text_of(code.outgoing[0])
'g * (1 - y * y)'
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from minigrad.autograd.replay import Replay

from .arrays import ON_CPU, same_layout, sum_to
from .constants import NotWritten
from .tape import MARK, Code, Naming, Tape

Formula = Callable[..., Any]


def write_formula(
    replay: Replay,
    gradients: Sequence[Any],
    given: Sequence[ast.expr | None],
    outgoing: Sequence[Any],
    naming: Naming,
    *,
    unpacked: Mapping[int, Any] | None = None,
    fresh: Callable[[], str] | None = None,
) -> Code:
    """Return the formula of a node for `gradients`, whose names are `given`.

    outgoing  the gradients that the engine has computed
    naming    returns the name of an array that the formula reads
    unpacked  the tensors that unpack hooks returned, by the `id` of what was packed
    fresh     returns a name for an intermediate result

    Raises:
        NotWritten: the formula cannot be followed.
    """
    error = NotWritten("it is no operation of minigrad's")
    for reads in (formula_by_slices, formula_of):
        tape = Tape(naming, fresh)
        try:
            formula = reads(replay, tape, unpacked or {})
            if formula is not None:
                return trace(formula, gradients, given, outgoing, tape)
        except NotWritten as why:
            error = why
    raise error


def write_sum(
    g: Any,
    given: ast.expr,
    after: Any,
    naming: Naming,
    fresh: Callable[[], str],
) -> Code:
    """Return the code that undoes broadcasting: `g`, whose name is `given`, summed to `after`."""
    return trace(lambda t: sum_to(t, after.shape), [g], [given], [after], Tape(naming, fresh))


def formula_of(replay: Replay, tape: Tape, unpacked: Mapping[int, Any]) -> Formula | None:
    """Return the node's formula on stand-ins for what the node has saved."""
    if replay.user_function is not None:
        return None
    return on_tape(replay, tape, unpacked)


def on_tape(replay: Replay, tape: Tape, unpacked: Mapping[int, Any]) -> Formula | None:
    """Return the formula of `replay`, which reads stand-ins of `tape`."""
    try:
        return replay.formula(lambda saved: tape.input(saved.array, tape.naming(saved)), unpacked)
    except LookupError as error:
        raise NotWritten(str(error)) from None


def formula_by_slices(replay: Replay, tape: Tape, unpacked: Mapping[int, Any]) -> Formula | None:
    """Return the formula of a write through a view, in slices; the engine uses indices."""
    inner = None if replay.write is None else on_tape(replay.write, tape, unpacked)
    if inner is None:
        return None

    def formula(g: Any) -> Any:
        gradients = inner(replay.written_part(g))
        first, *others = gradients if type(gradients) is tuple else (gradients,)
        rest = g.copy()
        replay.written_part(rest)[...] = 0.0 if first is None else first
        return (rest, *others)

    return formula


def trace(
    formula: Formula,
    gradients: Sequence[Any],
    given: Sequence[ast.expr | None],
    outgoing: Sequence[Any],
    tape: Tape,
) -> Code:
    """Run `formula` on stand-ins for `gradients`, and return its code, which is tried first."""
    if not all(isinstance(g, ON_CPU) for g in (*gradients, *outgoing) if g is not None):
        raise NotWritten("its arrays are not NumPy's")
    stand_ins = [
        None if g is None or name is None else tape.input(g, name)
        for g, name in zip(gradients, given, strict=True)
    ]
    tape.gradients = {f"{MARK}{each.step}" for each in stand_ins if each is not None}
    try:
        with np.errstate(all="ignore"):
            result = formula(*stand_ins)
            parts: list[Any] = list(result) if type(result) is tuple else [result]
            parts += [None] * (len(outgoing) - len(parts))
            parts = [p if o is not None else None for p, o in zip(parts, outgoing, strict=False)]
            for by_hand in (True, False):
                code = tape.write(parts, by_hand)
                if all(map(same_layout, tape.run(code), outgoing)):
                    return tape.name_inputs(code)
    except NotWritten:
        raise
    except Exception as error:  # whatever a formula may do with what is almost an array
        raise NotWritten(f"{type(error).__name__}: {error}") from error
    raise NotWritten("the text gives other numbers")
