"""What else a backward formula is computed with: the numbers that a node holds beside its tensors,
and which letter of the rule stands for what.

PowBackward0's rule says n, and the node of `x ** 3` holds `_saved_exponent = 3`; a reader who is to
compute the gradient by hand needs both. minigrad's nodes and PyTorch's show such numbers under the
same names. Tensors among what a node saved are left alone: to read one may call a hook.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from .autograd_nodes import node_name
from .own_engines import OwnNode
from .rules import operation_of

PREFIX, KEPT_TENSOR = "_saved_", "_raw_saved_"


class Scalar(NamedTuple):
    """A number that a node holds, or a choice such as a dimension. `letter` is the rule's."""

    name: str
    value: Any
    letter: str = ""


SIZES = re.compile(r"_sym_(numel|sizes|strides|storage_offset)$")
"""What PyTorch's nodes keep to know their inputs' shapes by."""

USUAL: dict[str, Any] = {
    "alpha": 1,
    "beta": 1,
    "scale": 1,
    "input_scale": 1,
    "approximate": "none",
}
"""What is only worth a word if it is something else."""

LETTERS = {
    "AddBackward0": {"alpha": "α"},
    "AddmmBackward0": {"alpha": "α", "beta": "β"},
    "BaddbmmBackward0": {"alpha": "α", "beta": "β"},
    "AddcdivBackward0": {"value": "v"},
    "AddcmulBackward0": {"value": "v"},
    "ClampBackward1": {"min": "l", "max": "h"},
    "ClampMaxBackward0": {"max": "h"},
    "ClampMinBackward0": {"min": "l"},
    "DivBackward1": {"other": "c"},
    "EluBackward0": {"alpha": "α", "scale": "s"},
    "HardtanhBackward0": {"min_val": "l", "max_val": "h"},
    "LeakyReluBackward0": {"negative_slope": "s"},
    "LerpBackward0": {"weight": "w"},
    "LinalgVectorNormBackward0": {"ord": "p"},
    "MulBackward1": {"other": "c"},
    "PowBackward0": {"exponent": "n"},
    "PowBackward2": {"self": "a"},
    "SmoothL1LossBackward0": {"beta": "β"},
    "SoftplusBackward0": {"beta": "β"},
    "SubBackward0": {"alpha": "α"},
    "StdBackward0": {"correction": "c"},
    "VarBackward0": {"correction": "c"},
    "VarMeanBackward0": {"correction": "c"},
}
"""By the name of a node and of a number that it holds: the letter that its rule has for it."""

AVERAGES = frozenset({"MeanBackward0", "MeanBackward1"})
"""Nodes whose rule divides by n, which they do not hold: how many numbers an average is of."""

SPREADS = frozenset({"VarBackward0", "StdBackward0", "VarMeanBackward0"})
"""The same of variances, whose rule subtracts c from it: 1, if the node holds no other."""

LOSSES = frozenset(
    {
        "MseLossBackward0",
        "SmoothL1LossBackward0",
        "BinaryCrossEntropyBackward0",
        "BinaryCrossEntropyWithLogitsBackward0",
    }
)
"""The same of losses: 1, unless they are averages (`reduction` is 1)."""


def count_of(name: str, scalars: Sequence[Scalar], numbers: int) -> list[Scalar]:
    """What the rule of the node calls n, and c, if it does not hold them: its result is of
    `numbers` numbers each."""
    if name in AVERAGES:
        return [Scalar("n", numbers, "n")]
    held = {scalar.name: scalar.value for scalar in scalars}
    if name in SPREADS:
        usual = [] if "correction" in held else [Scalar("correction", 1, "c")]
        return [Scalar("n", numbers, "n"), *usual]
    if name in LOSSES:
        return [Scalar("n", numbers if held.get("reduction") == 1 else 1, "n")]
    return []


OUT_OF_ORDER = frozenset({"LinalgSolveExBackward0"})
"""Nodes whose rule does not begin with the gradient of the first input."""


def scalars_of(node: Any) -> list[Scalar]:
    """What the node holds beside tensors, by name; for nodes of minigrad and of PyTorch."""
    if isinstance(node, OwnNode):
        return []
    letters = LETTERS.get(node_name(node), {})
    names = dir(node)
    found = []
    for attribute in names:
        name = attribute.removeprefix(PREFIX)
        if name == attribute or KEPT_TENSOR + name in names or SIZES.search(name):
            continue
        try:
            value = getattr(node, attribute)
        except RuntimeError:  # it has been freed
            continue
        if not is_plain(value) or value is False:
            continue
        if name in letters or USUAL.get(name) != value:
            found.append(Scalar(name, value, letters.get(name, "")))
    return found


def is_plain(value: Any) -> bool:
    """Can it be written in a word: a number, a text, or a few of them?"""
    if isinstance(value, tuple | list):
        return 0 < len(value) <= 6 and all(map(is_plain, value))
    return isinstance(value, bool | int | float | str) and value != ""


def scalar_text(value: Any) -> str:
    """In few characters: 3, 0.01, (0, 1). A dimension counted from behind, which PyTorch's nodes
    hold as a number without sign, is negative again."""
    if isinstance(value, tuple | list):
        inside = ", ".join(map(scalar_text, value))
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if isinstance(value, int) and not isinstance(value, bool) and value >= 2**63:
        value -= 2**64
    return f"{value:g}" if isinstance(value, float) else str(value)


GRADIENT = re.compile(r"\\bar (\w)(?:_\{?[\w, ]+\}?|\[[^=]*\])?\s*=")


def letters_of(node: Any) -> list[tuple[str, str]]:
    """Which letter of the node's rule stands for which tensor: pairs of the letter and the name
    under which the node saves it, one for each input, in their order, and y for the result.

    A rule gives the gradients of the inputs in their order; of a second derivative's, which is
    about others, nothing is said.
    """
    known = None if isinstance(node, OwnNode) else operation_of(node_name(node))
    inputs = getattr(known, "inputs", ())
    if known is None or not inputs or inputs[0].endswith("*") or known.__name__ in OUT_OF_ORDER:
        return []
    letters = _gradients(known.rule)
    if not letters or "g" in letters or len(letters) > len(inputs):
        return []
    results = getattr(known, "results", ())
    return [*zip(letters, inputs, strict=False), *(("y", r) for r in results[:1])]


@functools.cache
def _gradients(rule: str) -> list[str]:
    return GRADIENT.findall(rule)
