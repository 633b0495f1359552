"""Operations that can make NaN of finite numbers, and the cure of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..model.autograd_nodes import node_name, saved_tensors
from ..model.names import is_tensor, made_by
from ..model.scalars import scalars_of
from ..model.values import bare, dense, has_numbers
from .causes import Context
from .domains import OF_SCORES
from .evidence import nonfinite, sequence_of

RISKY = {
    "Log": "log", "Log2": "log", "Log10": "log", "Log1P": "log", "Logit": "log",
    "Sqrt": "sqrt", "Rsqrt": "sqrt", "LinalgVectorNorm": "sqrt", "Norm": "sqrt", "Std": "sqrt",
    "Div": "div", "Reciprocal": "div", "Exp": "exp", "Cosh": "exp", "Sinh": "exp",
    "Acos": "sqrt", "Asin": "sqrt", "Pow": "pow",
}  # fmt: skip
"""Operations that make NaN or infinity of finite numbers, and the kind of their cure."""


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
            if not (backward and kind == "sqrt" and has_zero(result)):
                continue
        if not domain_is_safe(context, node, kind):
            yield node


def kind_of_risk(context: Context, node: Any) -> str | None:
    """Return the kind of an operation's cure: "mask" for a softmax of scores that are masked."""
    name = node_name(node).partition("Backward")[0]
    for maker, _ in node.next_functions if name in ("Softmax", "LogSoftmax") else ():
        if maker is not None and node_name(maker).startswith("MaskedFill"):
            line = context.node_line(maker)
            return "mask" if line is not None and "inf" in line.text else None
    return RISKY.get(name)


def has_fraction(node: Any) -> bool:
    """Return whether a power has an exponent that is no whole number, or a learned one."""
    if sum(maker is not None for maker, _ in node.next_functions) > 1:
        return True
    exponents = [each.value for each in scalars_of(node) if each.name == "exponent"]
    return any(not float(each).is_integer() for each in exponents)


def has_zero(value: Any) -> bool:
    return has_numbers(value) and float(dense(bare(value)).abs().min().item()) == 0


def domain_is_safe(context: Context, node: Any, kind: str) -> bool:
    """Return whether the known numbers of a node's input are far from where it has no value."""
    for value in inputs_of(context, node):
        if nonfinite(value) or not has_numbers(value):
            continue
        numbers = dense(bare(value))
        low, high = float(numbers.min().item()), float(numbers.max().item())
        if kind == "log" and low > 0:
            return True
        if kind == "exp" and high < EXPONENT:
            return True
    return False


EXPONENT = 80.0
"""exp() of float32 numbers is finite up to about 88."""


def inputs_of(context: Context, node: Any) -> Iterator[Any]:
    """Yield the tensors that a node was computed from, if they are saved or have names."""
    yield from (saved for _, saved in saved_tensors(node) if is_tensor(saved))
    makers = [maker for maker, _ in node.next_functions if maker is not None]
    for t in context.tensors:
        made = made_by(t)[0] if t.requires_grad else None
        if made is not None and any(made is maker for maker in makers):
            yield t


def two_behind(nodes: Iterable[Any]) -> Iterator[Any]:
    """Yield nodes and those before them: of `1 - p`, the subtraction and what made p."""
    for node in nodes:
        yield node
        yield from (maker for maker, _ in node.next_functions if maker is not None)


def describe_risk(context: Context, node: Any) -> list[str]:
    """Describe an operation that may make NaN, the numbers it got, and its cure."""
    kind = kind_of_risk(context, node)
    where = context.where(context.node_line(node))
    sentences = [context.say("nan_risk", node=node_name(node), where=where)]
    for value in inputs_of(context, node):
        name = context.names.of(value)
        if name and not nonfinite(value) and has_numbers(value):
            numbers = dense(bare(value))
            low, high = float(numbers.min().item()), float(numbers.max().item())
            sentences.append(context.say("nan_range", t=name, low=f"{low:.3g}", high=f"{high:.3g}"))
            break
    before = (maker for maker, _ in node.next_functions if maker is not None)
    behind = {node_name(maker).partition("Backward")[0] for maker in two_behind(before)}
    if kind == "mask":
        sentences.append(context.say("nan_masked"))
    if kind == "log" and (scores := [OF_SCORES[k] for k in OF_SCORES if k in behind]):
        sentences.append(context.say("cure_nan_scores", instead=scores[0]))
    else:
        sentences.append(context.say(f"cure_nan_{kind}", v="v"))
    return sentences
