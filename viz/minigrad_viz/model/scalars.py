"""The numbers that a node saves, and the letters of its rule.

PowBackward0's rule says n, and the node of `x ** 3` has `_saved_exponent = 3`; a reader who
computes the gradient by hand needs both. Nodes of minigrad and PyTorch have these numbers under the
same names. Saved tensors are not read here: that may call a hook.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from .autograd_nodes import node_name
from .own_engines import OwnNode
from .rules import operation_of

PREFIX, KEPT_TENSOR = BEGINNINGS = "_saved_", "_raw_saved_"


class Scalar(NamedTuple):
    """A number that a node saves, or an option such as a dimension, and its letter in the rule."""

    name: str
    value: Any
    letter: str = ""


SIZES = re.compile(r"_sym_(numel|sizes|strides|storage_offset)$")
"""Attributes of PyTorch's nodes for the shapes of their inputs."""

USUAL: dict[str, Any] = {
    "alpha": 1,
    "beta": 1,
    "scale": 1,
    "input_scale": 1,
    "approximate": "none",
}
"""Default values, which are not shown."""

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
"""The letter in the rule of each number, by the name of the node and of the number."""

AVERAGES = frozenset({"MeanBackward0", "MeanBackward1"})
"""Nodes whose rule divides by n, the number of averaged elements, which they do not save."""

SPREADS = frozenset({"VarBackward0", "StdBackward0", "VarMeanBackward0"})
"""The same for variances, whose rule subtracts c from n: 1, if the node saves no other."""

LOSSES = frozenset(
    {
        "MseLossBackward0",
        "SmoothL1LossBackward0",
        "BinaryCrossEntropyBackward0",
        "BinaryCrossEntropyWithLogitsBackward0",
    }
)
"""The same for losses: n is 1, unless they are averages (`reduction` is 1)."""


def count_of(name: str, scalars: Sequence[Scalar], numbers: int) -> list[Scalar]:
    """Return the rule's n and c where the node does not save them.

    Each element of its result is computed from `numbers` elements.
    """
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
    """Return what a node of minigrad or PyTorch saves besides tensors, by name."""
    if isinstance(node, OwnNode):
        return []
    letters = LETTERS.get(node_name(node), {})
    names = saved_attributes(node)
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


def saved_attributes(node: Any) -> list[str]:
    """Return the attributes of a node that begin as those of saved values, in order."""
    kind = type(node)
    if kind not in _attributes:  # listing them takes longer than reading them
        _attributes[kind] = [name for name in dir(node) if name.startswith(BEGINNINGS)]
    own = [name for name in getattr(node, "__dict__", ()) if name.startswith(BEGINNINGS)]
    return sorted({*_attributes[kind], *own}) if own else _attributes[kind]


_attributes: WeakKeyDictionary[type, list[str]] = WeakKeyDictionary()


def is_plain(value: Any) -> bool:
    """Whether it is short: a number, a text, or a few of them."""
    if isinstance(value, tuple | list):
        return 0 < len(value) <= 6 and all(map(is_plain, value))
    return isinstance(value, bool | int | float | str) and value != ""


def scalar_text(value: Any) -> str:
    """Return a short text: 3, 0.01, (0, 1).

    PyTorch's nodes store a negative dimension as a number without sign; here it is negative again.
    """
    if isinstance(value, tuple | list):
        inside = ", ".join(map(scalar_text, value))
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if isinstance(value, int) and not isinstance(value, bool) and value >= 2**63:
        value -= 2**64
    return f"{value:g}" if isinstance(value, float) else str(value)


GRADIENT = re.compile(r"\\bar (\w)(?:_\{?[\w, ]+\}?|\[[^=]*\])?\s*=")


def letters_of(node: Any) -> list[tuple[str, str]]:
    """Return the letters of the tensors in the node's rule, each with the name of the saved tensor.

    One for each input, in order, and y for the result. The rule of a second derivative is about
    other tensors, so it has none.
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
