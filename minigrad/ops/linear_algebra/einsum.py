"""Einstein notation: a product of tensors, with a letter for each dimension.

`einsum("ij,jk->ik", a, b)` multiplies all elements whose letters agree, and sums over the letters
missing in the result. Like `matmul` it is not an operation itself. The dimensions of every operand
are put into one order, those of the result first. Then the operands are multiplied from left to
right, as batches of matrix products. The steps, and so the nodes, are PyTorch's.
"""

from __future__ import annotations

import math
from typing import Any

from ...arrays.messages import is_tensor, wrong_type
from ...core.node import TensorBase
from ..pointwise.arithmetic import mul
from ..public.overriding import asking
from ..reductions.reductions import sum
from ..shapes.shapes import permute, reshape, unsqueeze, view
from ..shapes.slicing import diagonal
from .matrix import bmm

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""Letters in the order in which PyTorch sorts them."""

DOTS = "..."


@asking
def einsum(*args: Any) -> TensorBase:
    """Multiply tensors in Einstein notation.

    Args:
        args: the equation, such as "ij,jk->ik", and the operands, one by one or as a list.

    Raises:
        RuntimeError: equation and operands do not fit together.

    >>> import minigrad as mg
    >>> mg.einsum("ii->i", mg.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([1., 4.])
    """
    equation, operands = parse_arguments(args)
    inputs, arrow, output = equation.replace(" ", "").partition("->")
    terms = inputs.split(",")
    if len(terms) != len(operands):
        word = "fewer" if len(terms) > len(operands) else "more"
        raise RuntimeError(
            f"einsum(): {word} operands were provided than specified in the equation"
        )
    labels = [
        labels_of(term, operand._array.ndim, place, equation)
        for place, (term, operand) in enumerate(zip(terms, operands, strict=True))
    ]
    result = result_labels(output if arrow else None, labels, equation)
    summed = sorted({x for found in labels for x in found} - set(result), key=order)
    aligned = align(operands, labels, result + summed)
    product: TensorBase = contract(aligned, len(result), len(summed))
    return product


# --- Parsing

Label = str | int
"""A letter; or, for a dimension of an ellipsis, its number counted from the last one."""


def parse_arguments(args: tuple[Any, ...]) -> tuple[str, list[Any]]:
    """Return the equation and the operands."""
    if len(args) == 2 and isinstance(args[1], (list, tuple)):
        args = (args[0], *args[1])
    if len(args) < 2:
        wanted = "the equation string and at least one operand"
        other = "at least one operand and its subscripts list"
        raise ValueError(f"einsum(): must specify {wanted}, or {other}")
    equation, *operands = args
    if not isinstance(equation, str):
        raise wrong_type("einsum", "equation", 1, "str", equation)
    for number, item in enumerate(operands):
        if not is_tensor(item):
            found = f"in argument 1, but got {type(item).__name__}"
            raise TypeError(f"expected Tensor as element {number} {found}")
    return equation, operands


def labels_of(term: str, rank: int, place: int, equation: str) -> list[Label]:
    """Return a label for each dimension of operand `place`."""
    before, dots, after = term.partition(DOTS)
    for letter in before + after:
        check_letter(letter, equation, 0, f"operand {place}", bool(dots))
    hidden = rank - len(before) - len(after)
    if hidden < 0 or (hidden > 0 and not dots):
        relation = "is more than" if dots else "does not match"
        end = "" if dots else " and no ellipsis was given"
        given = f"in the equation ({len(before) + len(after)})"
        found = f"the number of dimensions ({rank}) for operand {place}{end}"
        raise RuntimeError(f"einsum(): the number of subscripts {given} {relation} {found}")
    return [*before, *range(hidden, 0, -1), *after]


def check_letter(letter: str, equation: str, start: int, whose: str, dots: bool) -> None:
    """Raise if `letter`, which follows `start`, is not a letter.

    `dots`: whether an ellipsis precedes it.
    """
    if letter == ".":
        none = "that is not part of any ellipsis" + " (...)" * (whose == "output")
        why = "for which an ellipsis was already found" if dots else none
        raise RuntimeError(f"einsum(): found '.' for {whose} {why}")
    if letter not in LETTERS:
        where = f"at index {equation.index(letter, start)} in the equation string"
        wanted = "subscripts must be in [a-zA-Z]"
        raise RuntimeError(f"einsum(): invalid subscript given {where}, {wanted}")


def order(label: Label) -> tuple[bool, int]:
    """Return a sorting key: dimensions of an ellipsis first, then letters by the alphabet."""
    return (True, LETTERS.index(label)) if isinstance(label, str) else (False, -label)


def result_labels(output: str | None, labels: list[list[Label]], equation: str) -> list[Label]:
    """Return the labels of the result's dimensions."""
    everything = [label for found in labels for label in found]
    hidden = max([label for label in everything if isinstance(label, int)], default=0)
    if output is None:
        once = {label for label in everything if everything.count(label) == 1}
        return [*range(hidden, 0, -1), *sorted((x for x in once if isinstance(x, str)), key=order)]
    before, dots, after = output.partition(DOTS)
    for position, letter in enumerate(before + after):
        check_letter(letter, equation, equation.index("->") + 2, "output", bool(dots))
        if letter in (before + after)[:position]:
            raise RuntimeError(
                f"einsum(): output subscript {letter} appears more than once in the output"
            )
        if letter not in everything:
            where = "in the equation for any input operand"
            raise RuntimeError(f"einsum(): output subscript {letter} does not appear {where}")
    return [*before, *(range(hidden, 0, -1) if dots else ()), *after]


# --- Multiplying


def align(operands: list[Any], labels: list[list[Label]], wanted: list[Label]) -> list[Any]:
    """Return the operands with dimensions in the order `wanted`; a missing one has size 1."""
    sizes: dict[Label, int] = {}
    aligned = []
    for place, (operand, found) in enumerate(zip(operands, labels, strict=True)):
        found = list(found)
        for label in dict.fromkeys(found):
            while found.count(label) > 1:
                operand = take_diagonal(operand, found, label, place)
        for label, size in zip(found, operand._array.shape, strict=True):
            if size != 1:
                if sizes.setdefault(label, size) != size:
                    name = label if isinstance(label, str) else DOTS
                    wrong = f"has size {size} for operand {place} which does not broadcast with"
                    raise RuntimeError(
                        f"einsum(): subscript {name} {wrong} previously seen size {sizes[label]}"
                    )
        for label in wanted:
            if label not in found:
                operand = unsqueeze(operand, len(found))
                found.append(label)
        aligned.append(permute(operand, [found.index(label) for label in wanted]))
    return aligned


def take_diagonal(operand: Any, found: list[Label], label: Label, place: int) -> Any:
    """Return the diagonal over the first two dimensions of one label; remove one from `found`."""
    first = found.index(label)
    second = found.index(label, first + 1)
    shape = operand._array.shape
    if shape[first] != shape[second]:
        sizes = f"the sizes don't match, {shape[second]} != {shape[first]}"
        raise RuntimeError(
            f"einsum(): subscript {label} is repeated for operand {place} but {sizes}"
        )
    del found[second]
    operand = diagonal(operand, 0, first, second)
    last = operand._array.ndim - 1
    back = [*range(first), last, *range(first, last)]  # the diagonal is the last dimension
    return permute(operand, back)


def contract(operands: list[Any], kept: int, summed: int) -> Any:
    """Multiply aligned operands, and sum over all but the first `kept` dimensions."""
    dims = range(kept, kept + summed)
    result, *others = operands
    if not others:
        return sum(result, list(dims)) if summed else result
    users = {d: [x._array.shape[d] != 1 for x in operands].count(True) for d in dims}
    for other in others:
        a, b = result._array.shape, other._array.shape
        together = []
        alone: tuple[list[int], list[int]] = ([], [])
        for d in dims:
            if a[d] != 1 and b[d] != 1:
                users[d] -= 1
                if users[d] == 1:  # no later operand has this dimension
                    together.append(d)
                    users[d] = 0
            elif users[d] == 1 and (a[d] != 1 or b[d] != 1):
                alone[a[d] == 1].append(d)
                users[d] = 0
        if alone[0]:
            result = sum(result, alone[0], keepdim=True)
        if alone[1]:
            other = sum(other, alone[1], keepdim=True)
        result = multiply(result, other, together)
    return view(result, result._array.shape[:kept]) if summed else result


def multiply(left: Any, right: Any, over: list[int]) -> Any:
    """Return left * right, summed over the dimensions `over`, which stay with size 1."""
    if not over:
        return mul(left, right)
    a, b = left._array.shape, right._array.shape
    rest = [d for d in range(len(a)) if d not in over]
    both = [d for d in rest if a[d] != 1 and b[d] != 1]
    rows = [d for d in rest if a[d] != 1 and b[d] == 1]
    columns = [d for d in rest if a[d] == 1]
    if rows and columns and columns[-1] < rows[0]:
        # In this order, the product already has the result's order of dimensions.
        left, right, a, b, rows, columns = right, left, b, a, columns, rows

    def size(shape: tuple[int, ...], dims: list[int]) -> int:
        return math.prod(shape[d] for d in dims)

    batch = size(a, both), size(a, rows), size(b, columns), size(a, over)
    first = reshape(permute(left, [*both, *rows, *over, *columns]), (batch[0], batch[1], batch[3]))
    second = reshape(
        permute(right, [*both, *over, *columns, *rows]), (batch[0], batch[3], batch[2])
    )
    product = bmm(first, second)
    arrangement = [*both, *rows, *over, *columns]
    ones = [1] * len(over)
    shape = [*(a[d] for d in both + rows), *ones, *(b[d] for d in columns)]
    spread = view(product, shape)
    return permute(spread, [arrangement.index(d) for d in range(len(a))])
