"""Operations that got numbers outside of their domain, or at an end where the slope is infinite.

After a pass the saved tensors are gone. The leaves and the tensors with names are still there, and
they decide: a fault is reported only with the numbers that caused it. Without them, an operation
that can make NaN of finite numbers is a risk.
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
from ..model.scalars import scalars_of
from ..model.values import bare, dense, has_numbers
from .causes import Context
from .evidence import kind_of, nonfinite, sequence_of

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


# --- Risks: operations whose numbers are not known

RISKY = {
    "Log": "log", "Log2": "log", "Log10": "log", "Log1P": "log", "Logit": "log",
    "Sqrt": "sqrt", "Rsqrt": "sqrt", "LinalgVectorNorm": "sqrt", "Norm": "sqrt", "Std": "sqrt",
    "Div": "div", "Reciprocal": "div", "Exp": "exp", "Cosh": "exp", "Sinh": "exp",
    "Acos": "sqrt", "Asin": "sqrt", "Pow": "pow",
}  # fmt: skip
"""Operations that make NaN or infinity of finite numbers, and the kind of their cure."""

SAFE_EXPONENT = 80.0


def risky_nodes(context: Context, root: Any, backward: bool = False) -> Iterator[Any]:
    """Yield the operations behind a root that may have made its NaN, in the order they ran.

    With `backward`, the NaN is in a gradient: a root of zero is finite, and its slope is not.
    """
    results = {made_by(t)[0]: t for t in context.tensors if t.grad_fn is not None}
    for node in sorted(context.operations(root), key=sequence_of):
        kind = kind_of_risk(context, node)
        result = results.get(node)
        if kind is None or (kind == "pow" and not has_fraction(node)):
            continue
        if result is not None and nonfinite(result) == "":
            if not (backward and kind == "sqrt" and Numbers("", result).has_zero):
                continue
        numbers = read_by(context, node)
        log, exp = kind == "log", kind == "exp"
        if not any((log and n.low > 0) or (exp and n.high < SAFE_EXPONENT) for n in numbers):
            yield node


def kind_of_risk(context: Context, node: Any) -> str | None:
    """Return the kind of an operation's cure: "mask" for a softmax of scores that are masked."""
    name = kind_of(node)
    for maker in behind_one(node) if name in ("Softmax", "LogSoftmax") else ():
        if kind_of(maker).startswith("MaskedFill"):
            line = context.node_line(maker)
            return "mask" if line is not None and "inf" in line.text else None
    return RISKY.get(name)


def has_fraction(node: Any) -> bool:
    """Return whether a power has an exponent that is no whole number, or a learned one."""
    if len(behind_one(node)) > 1:
        return True
    exponents = [each.value for each in scalars_of(node) if each.name == "exponent"]
    return any(not float(each).is_integer() for each in exponents)


def read_by(context: Context, node: Any) -> Iterator[Numbers]:
    """Yield the finite tensors that a node saved, and the named results that it got."""
    yield from (Numbers(context.names.of(t) or "", t) for _, t in saved_tensors(node)
                if is_tensor(t) and is_finite(t))  # fmt: skip
    makers = behind_one(node)
    for t in context.tensors:
        if t.requires_grad and any(made_by(t)[0] is maker for maker in makers) and is_finite(t):
            yield Numbers(context.name(t), t)


def describe_risk(context: Context, node: Any) -> list[str]:
    """Describe an operation that may make NaN, the numbers it got, and its cure."""
    kind = kind_of_risk(context, node)
    where = context.where(context.node_line(node))
    sentences = [context.say("nan_risk", node=node_name(node), where=where)]
    if (given := next((n for n in read_by(context, node) if n.name), None)) is not None:
        low, high = f"{given.low:.3g}", f"{given.high:.3g}"
        sentences.append(context.say("nan_range", t=given.name, low=low, high=high))
    before = behind_one(node)
    behind = {kind_of(n) for maker in before for n in (maker, *behind_one(maker))}
    if kind == "mask":
        sentences.append(context.say("nan_masked"))
    if kind == "log" and (scores := [OF_SCORES[k] for k in OF_SCORES if k in behind]):
        return [*sentences, context.say("cure_nan_scores", instead=scores[0])]
    return [*sentences, context.say(f"cure_nan_{kind}", v="v")]
