"""Tensors that the program means to learn, and lines that make them with requires_grad.

Only these may be told to require grad: an input, a target or a loss never. A tensor is meant to
learn if an optimizer holds it, or if the program itself reads its gradient.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from typing import Any

from ..model.names import is_tensor
from ..model.program_text import Statement, assigned, texts_of
from ..model.values import bare, has_numbers
from .causes import Context
from .history import History
from .reachable import held_by
from .syntax import MAKERS, last_name, names_in, root_of_pass


def optimizers(context: Context) -> Iterator[tuple[str, Any]]:
    """Yield the optimizers that variables hold, with their names."""
    for name, value in context.variables.items():
        groups = inspect.getattr_static(value, "param_groups", None)
        if not isinstance(value, type) and isinstance(groups, list):
            yield name, value


def reads_gradient(context: Context, name: str) -> bool:
    """Return whether the program's text reads `name.grad`, or asks autograd.grad() for it."""
    variable = re.escape(name)
    asking = re.compile(rf"(?<![\w.]){variable}\.grad\b|\.grad\([^()]*,\s*[\[(]?\s*{variable}\b")
    texts = {text for frame, _ in context.places for text in texts_of(frame)}
    return any(asking.search(text) for text in texts) or reads_in_loop(texts, name)


def reads_in_loop(texts: Iterable[str], name: str) -> bool:
    """Return whether a loop over a list with this name reads gradients: `for p in [w, b]`."""
    for text in texts:
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            continue
        nodes = list(ast.walk(tree))
        lists = {
            target
            for node in nodes
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.List | ast.Tuple)
            if name in names_in(node.value)
            for target in assigned(node)
        }
        for node in nodes:
            if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
                over = names_in(node.iter)
                if (name in over or over & lists) and f"{node.target.id}.grad" in ast.unparse(node):
                    return True
    return False


def may_require_grad(context: Context, t: Any) -> bool:
    """Return whether the program means this tensor to learn."""
    if type(t).__name__ == "Parameter":
        return True
    if any(each is t for _, optimizer in optimizers(context) for each in held_by(optimizer)):
        return True
    return reads_gradient(context, context.name(t))


def names_behind(context: Context, name: str) -> set[str]:
    """Return the variables from which the program's text computes `name`, also in functions."""
    statements = list(context.program.statements)
    history = History(lambda tensor: bool(tensor.requires_grad), context.running)
    known, queue = {name}, {name}
    head = [s.tree for s in statements if any(_starts_pass(s, name))]
    for tree in head:
        queue |= names_in(tree)
    while queue:
        known |= queue
        making = [s for s in statements if assigned(s.tree) & queue]
        used = {each for s in making for each in names_in(getattr(s.tree, "value", None))}
        queue = used - known
    entering = [s for s in statements if assigned(s.tree) & known or any(_starts_pass(s, name))]
    for scope in history.scopes:
        for _, _, inner in history.functions_entered(scope, entering):
            known |= {each for s in inner.statements for each in names_in(s.tree)} - inner.own
    return known


def _starts_pass(statement: Statement, name: str) -> Iterator[bool]:
    for call in ast.walk(statement.tree or ast.Pass()):
        if isinstance(call, ast.Call) and (root := root_of_pass(call)) is not None:
            yield ast.unparse(root) == name


def bare_learners(context: Context, root: Any) -> list[str]:
    """Return the names of tensors behind `root` that are meant to learn and do not require grad."""
    behind = names_behind(context, context.name(root))
    found: dict[str, Any] = {}
    for tensor in context.tensors:
        name = context.name(tensor)
        if tensor.requires_grad or tensor is root or not tensor.is_floating_point():
            continue
        if re.split(r"[.\[]", name)[0] in behind and may_require_grad(context, tensor):
            found[name] = tensor
    return list(found)


WEIGHT = re.compile(r"(w|b|weights?|bias(es)?|theta|coefs?|kernel|params?)_?\d*", re.IGNORECASE)
"""Names that programs give to weights, and to nothing else."""


def likely_weights(context: Context, root: Any) -> list[str]:
    """Return the plain tensors behind `root` that have a name as weights have."""
    behind = names_behind(context, context.name(root))
    found: dict[str, None] = {}
    for tensor in context.tensors:
        name = context.name(tensor)
        plain = not tensor.requires_grad and tensor.is_floating_point() and tensor is not root
        if plain and name in behind and WEIGHT.fullmatch(name):
            found[name] = None
    return list(found)


def copies_of_parameters(context: Context, root: Any) -> list[tuple[str, str]]:
    """Return the names behind `root` with a parameter's numbers but not its history.

    Each comes with the name of the parameter. state_dict() and .data return such tensors.
    """
    behind = names_behind(context, context.name(root))
    found: dict[str, str] = {}
    for tensor in context.tensors:
        name = context.name(tensor)
        if tensor.requires_grad or name not in behind:
            continue
        other = context.find_alias(tensor)
        if type(other).__name__ == "Parameter":
            found[name] = context.name(other)
    return list(found.items())


def requiring(statement: Statement | None, name: str) -> str:
    """Return the statement that makes a tensor, changed so that the tensor requires grad.

    It is "" if the text does not show how.
    """
    tree = None if statement is None else statement.tree
    if not isinstance(tree, ast.Assign) or [ast.unparse(t) for t in tree.targets] != [name]:
        return ""
    value = tree.value
    if isinstance(value, ast.Call) and last_name(value) in MAKERS:
        if any(word.arg == "requires_grad" for word in value.keywords):
            words = [w for w in value.keywords if w.arg != "requires_grad"]
        else:
            words = list(value.keywords)
        words.append(ast.keyword("requires_grad", ast.Constant(True)))
        made = ast.Call(value.func, value.args, words)
        return f"{name} = {ast.unparse(ast.fix_missing_locations(made))}"
    text = ast.unparse(value)
    if not isinstance(value, ast.Call | ast.Name | ast.Attribute):
        text = f"({text})"
    return f"{name} = {text}.requires_grad_()"


def making_line(context: Context, name: str) -> Statement | None:
    """Return the line that first made a variable's tensor, not one that updates it."""
    lines = [s for s in context.program.assignments(name) if f"{name}.grad" not in s.text]
    return lines[-1] if lines else None


def list_of_numbers(value: Any) -> list[float]:
    """Return the numbers of a list of numbers or of single-element tensors, else nothing."""
    if type(value) is not list or not 0 < len(value) < 1_000_000:
        return []
    if not all(type(each) in (float, int) or is_single(each) for each in value):
        return []
    return [float(bare(each).item()) if is_tensor(each) else float(each) for each in value]


def is_single(value: Any) -> bool:
    return is_tensor(value) and value.numel() == 1 and has_numbers(value)
