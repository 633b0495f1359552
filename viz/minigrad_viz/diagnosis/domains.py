"""Operations that got numbers outside of their domain, or at an end where the slope is infinite.

After a pass the saved tensors are gone. The leaves and the tensors with names are still there, and
they decide: a fault is reported only with the numbers that caused it.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..model.autograd_nodes import is_accumulate, node_name, saved_tensors
from ..model.names import is_tensor, made_by
from ..model.values import bare, dense, has_numbers
from .causes import Context
from .evidence import sequence_of

EXPONENT = 88.0
"""exp() of larger float32 numbers is infinite."""

OF_SCORES = {"Softmax": "log_softmax", "Sigmoid": "binary_cross_entropy_with_logits"}


@dataclass(frozen=True)
class Numbers:
    """A tensor with its name and its smallest and largest number."""

    name: str
    tensor: Any

    @cached_property
    def low(self) -> float:
        return float(dense(bare(self.tensor)).min().item())

    @cached_property
    def high(self) -> float:
        return float(dense(bare(self.tensor)).max().item())

    @property
    def has_zero(self) -> bool:
        return bool((dense(bare(self.tensor)) == 0).any().item())


def outside_log(given: Numbers, backward: bool) -> str:
    return "log" if given.low <= 0 else ""


def outside_root(given: Numbers, backward: bool) -> str:
    if given.low < 0:
        return "root"
    return "slope" if backward and given.low == 0 else ""


def outside_norm(given: Numbers, backward: bool) -> str:
    return "slope" if backward and given.low == given.high == 0 else ""


def outside_arc(given: Numbers, backward: bool) -> str:
    size = max(abs(given.low), abs(given.high))
    return "arc" if size > 1 or (backward and size == 1) else ""


def outside_exp(given: Numbers, backward: bool) -> str:
    return "exp" if EXPONENT < given.high < math.inf else ""


DOMAINS: dict[str, Callable[[Numbers, bool], str]] = {
    **dict.fromkeys(("Log", "Log2", "Log10", "Logit"), outside_log),
    **dict.fromkeys(("Sqrt", "Rsqrt"), outside_root),
    **dict.fromkeys(("LinalgVectorNorm", "Norm"), outside_norm),
    **dict.fromkeys(("Acos", "Asin"), outside_arc),
    **dict.fromkeys(("Exp", "Cosh", "Sinh", "Expm1"), outside_exp),
}
"""For operations of one input, the fault of the numbers that it got, or ""."""


def find_fault(context: Context, root: Any, backward: bool = False) -> list[str]:
    """Return sentences about the first operation behind `root` that got forbidden numbers.

    With `backward`, slopes count too, and the search follows the pass.
    """
    known = known_tensors(context)
    for node in sorted(context.operations(root), key=sequence_of, reverse=backward):
        kind = kind_of(node)
        if kind == "Div" and (said := divides_by_zero(context, node)):
            return said
        if kind in DOMAINS and (said := outside_of(context, node, known, backward)):
            if kind == "Exp" and is_softplus(context, root, node):
                said[1] = context.say("cure_nan_softplus")
            return said
    return []


def is_softplus(context: Context, root: Any, node: Any) -> bool:
    """Return whether a logarithm takes `1 + exp(x)`."""
    sums = [n for n in context.operations(root) if kind_of(n) in ("Log", "Log1P")]
    return any(node is each for n in sums for each in behind(behind_one(n)))


def behind_one(node: Any) -> list[Any]:
    return [maker for maker, _ in node.next_functions if maker is not None]


def behind(nodes: list[Any]) -> list[Any]:
    """Return the nodes, and those of which an addition among them is the sum."""
    return [*nodes, *(n for each in nodes if kind_of(each) == "Add" for n in behind_one(each))]


def outside_of(context: Context, node: Any, known: Known, backward: bool) -> list[str]:
    """Return sentences about an operation of one input, if its numbers are a fault."""
    kind = kind_of(node)
    for given in inputs_of(context, node, known):
        if fault := DOMAINS[kind](given, backward):
            return describe(context, node, fault, given)
    made = known.get((id(node), 0))
    if backward and kind == "Sqrt" and made is not None and made.has_zero:
        return describe(context, node, "slope_of", made)
    return []


Known = dict[tuple[int, int], Numbers]
"""The finite tensors that nodes have made, by node and index of the result."""


def known_tensors(context: Context) -> Known:
    """Return the results that have names and whose numbers are finite."""
    found: Known = {}
    for tensor in context.tensors:
        node, index = made_by(tensor) if tensor.grad_fn is not None else (None, 0)
        if node is not None and is_finite(tensor):
            found.setdefault((id(node), index), Numbers(context.name(tensor), tensor))
    return found


def is_finite(tensor: Any) -> bool:
    if not has_numbers(tensor) or not tensor.is_floating_point() or not tensor.numel():
        return False
    return bool(dense(bare(tensor)).isfinite().all().item())


def inputs_of(context: Context, node: Any, known: Known) -> Iterator[Numbers]:
    """Yield the inputs of a node whose numbers are known: saved, named, or a leaf."""
    for maker, index in node.next_functions:
        if maker is None:
            continue
        if is_accumulate(maker) and is_finite(maker.variable):
            yield Numbers(context.name(maker.variable), maker.variable)
        elif (id(maker), index) in known:
            yield known[id(maker), index]
    for name, saved in saved_tensors(node):
        if name == "self" and is_tensor(saved) and is_finite(saved):
            yield Numbers(context.names.of(saved) or "", saved)


def kind_of(node: Any) -> str:
    return str(node_name(node)).partition("Backward")[0]


def describe(context: Context, node: Any, fault: str, given: Numbers) -> list[str]:
    """Return the sentence about a fault, and its cure."""
    where = context.where(context.node_line(node))
    name = f"`{given.name}`" if given.name else context.say("its_input")
    parts = {"node": node_name(node), "where": where, "t": name}
    parts |= {"low": f"{given.low:.3g}", "high": f"{given.high:.3g}"}
    return [context.say(f"fault_{fault}", **parts), cure_of(context, node, fault, given.name)]


def cure_of(context: Context, node: Any, fault: str, name: str) -> str:
    cure = {"root": "root", "slope": "sqrt", "slope_of": "sqrt"}.get(fault, fault)
    before = [kind_of(maker) for maker in behind_one(node)]
    if fault == "log" and (scores := [OF_SCORES[k] for k in OF_SCORES if k in before]):
        return context.say("cure_nan_scores", instead=scores[0])
    return context.say(f"cure_nan_{cure}", v=name or "v")


# --- Denominators, which the text names


def divides_by_zero(context: Context, node: Any) -> list[str]:
    """Return sentences about a quotient whose denominator the text shows to be 0."""
    line = context.node_line(node)
    if line is None or line.tree is None:
        return []
    for quotient in ast.walk(line.tree):
        if not isinstance(quotient, ast.BinOp) or not isinstance(quotient.op, ast.Div):
            continue
        given = numbers_of(context, quotient.right)
        if given is not None and given.has_zero:
            parts = {"line": context.line(line), "t": given.name}
            return [context.say("fault_div", **parts), context.say("cure_nan_div", v=given.name)]
    return []


def numbers_of(context: Context, tree: ast.expr) -> Numbers | None:
    """Return the numbers of a variable, or of its sum or count, without running the program."""
    text = ast.unparse(tree)
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute) and not tree.args:
        given = numbers_of(context, tree.func.value)
        if given is None or tree.keywords or tree.func.attr not in ("sum", "std", "mean", "max"):
            return None
        return Numbers(text, getattr(dense(bare(given.tensor)), tree.func.attr)())
    value = context.variables.get(text)
    return Numbers(text, value) if is_tensor(value) and is_finite(value) else None
