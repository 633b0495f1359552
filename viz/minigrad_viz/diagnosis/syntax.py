"""Questions about the text of a statement or a call: what it assigns, makes or names.

The syntax alone answers them; no object is read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from ..model.program_text import Statement, assigned

CASTS = {"long", "int", "short", "char", "byte", "bool"}
INTEGERS = CASTS | {"int8", "int16", "int32", "int64", "uint8", "LongTensor", "IntTensor"}

MAKERS = {"tensor", "randn", "rand", "zeros", "ones", "full", "empty", "arange", "linspace", "eye"}
MAKERS |= {"randint", "normal", "float", "double", "range", "list", "dict"}


def assigned_in(tree: ast.stmt | None) -> set[str]:
    """Return the variables and attributes (`self.h`) that a statement assigns."""
    names = assigned(tree)
    for target in tree.targets if isinstance(tree, ast.Assign) else []:
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            if target.attr not in ("requires_grad", "grad", "data"):
                names.add(ast.unparse(target))
    return names


def creates(value: ast.expr) -> bool:
    """Return whether the expression only creates tensors."""
    calls = [last_name(call) for call in calls_in(value)]
    copied = [call.args[0] for call in calls_in(value) if last_name(call) == "tensor" and call.args]
    if any(names_in(each) for each in copied):
        return False
    return bool({*calls} & (MAKERS - {"float", "range", "list", "dict"})) and {*calls} <= MAKERS


def returned_values(tree: ast.stmt | None) -> list[ast.expr]:
    """Return the expressions that a statement returns or yields to the caller."""
    if isinstance(tree, ast.Return):
        return [] if tree.value is None else [tree.value]
    found = (n for n in ast.walk(tree or ast.Pass()) if isinstance(n, ast.Yield | ast.YieldFrom))
    return [n.value for n in found if n.value is not None]


OPERATORS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Add: ("add",), ast.Sub: ("sub", "rsub"), ast.Mult: ("mul",), ast.Div: ("div", "reciprocal"),
    ast.Pow: ("pow",), ast.USub: ("neg",), ast.MatMult: ("mm", "mv", "dot", "bmm", "addmm"),
}  # fmt: skip
"""The operations of Python's operators, by the names of their nodes."""


def shows_operation(node: str, statement: Statement) -> bool:
    """Return whether a line shows the operation of a node such as "ExpBackward0"."""
    return any(is_operation(node, part) for part in ast.walk(statement.tree or ast.Pass()))


def is_operation(node: str, part: ast.AST) -> bool:
    """Return whether an expression is that operation: `x.exp()`, or `a * b`."""
    operation = node.partition("Backward")[0].lower()
    if isinstance(part, ast.Call):
        return last_name(part).replace("_", "") == operation
    operator: object = getattr(part, "op", None)
    return any(operation in ops for kind, ops in OPERATORS.items() if isinstance(operator, kind))


def names_in(tree: ast.AST | None) -> set[str]:
    return set() if tree is None else {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}


def changed_in(statement: Statement) -> set[str]:
    """Return the variables that a statement changes without assigning to them."""
    tree = statement.tree
    found = set()
    if isinstance(tree, ast.AugAssign) and isinstance(tree.target, ast.Name):
        found.add(tree.target.id)
    if isinstance(tree, ast.Assign):
        for target in tree.targets:
            if isinstance(target, ast.Subscript):
                found.add(ast.unparse(target.value))
            if isinstance(target, ast.Attribute) and target.attr == "requires_grad":
                found.add(ast.unparse(target.value))
    if isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Call):
        if isinstance(tree.value.func, ast.Attribute):
            found.add(ast.unparse(tree.value.func.value))
    return found


def data_writes(statement: Statement) -> set[str]:
    """Return the variables to which a statement writes through `.data`."""
    tree, found = statement.tree, set()
    written: list[ast.expr] = []
    if isinstance(tree, ast.Assign):
        written += [t for t in tree.targets if isinstance(t, ast.Subscript | ast.Attribute)]
    elif isinstance(tree, ast.AugAssign):
        written.append(tree.target)
    elif isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Call):
        method = tree.value.func
        if isinstance(method, ast.Attribute) and method.attr.endswith("_"):
            written.append(method.value)
    for each in written:
        inner = each.value if isinstance(each, ast.Subscript) else each
        if isinstance(inner, ast.Attribute) and inner.attr == "data":
            found.add(ast.unparse(inner.value))
    return found


def tree_of_line(statement: Statement) -> ast.stmt | None:
    """Return a statement's tree, by its text if a node of a function that has returned knows it."""
    if statement.tree is not None:
        return statement.tree
    try:
        return next(iter(ast.parse(statement.text.strip()).body), None)
    except (SyntaxError, ValueError, RecursionError):
        return None


def out_of_place(statement: Statement) -> str:
    """Return `h = h + r` for `h += r`, `h = h.relu()` for `h.relu_()`, or "".

    Under `no_grad` the change in place is usually meant, as that of a weight.
    """
    tree = None if statement.block else tree_of_line(statement)
    if isinstance(tree, ast.AugAssign) and isinstance(tree.target, ast.Name):
        return f"{tree.target.id} = {ast.unparse(ast.BinOp(tree.target, tree.op, tree.value))}"
    call = tree.value if isinstance(tree, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        owner, method = call.func.value, call.func.attr.removesuffix("_")
        if isinstance(owner, ast.Name) and method != call.func.attr:
            plain = ast.Call(ast.Attribute(owner, method), call.args, call.keywords)
            return f"{owner.id} = {ast.unparse(plain)}"
    return ""


def parenthesize(text: str) -> str:
    """Return an expression that a method can be called on, in parentheses if needed.

    A name that the user chose may not be an expression.
    """
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError:
        return text
    return f"({text})" if isinstance(tree, ast.BinOp | ast.UnaryOp) else text


def as_code(path: str) -> str:
    """Return the code for a parameter's or a module's path.

    >>> as_code("net.0.weight")
    'net[0].weight'
    """
    return re.sub(r"\.(\d+)", r"[\1]", path)


def targets_of(tree: ast.stmt | None) -> set[str]:
    """Return the texts of the targets to which a statement assigns or adds."""
    if isinstance(tree, ast.AugAssign):
        return {ast.unparse(tree.target)}
    return {ast.unparse(t) for t in tree.targets} if isinstance(tree, ast.Assign) else set()


def target_of(statement: Statement | None) -> str:
    """Return the text of what a statement changes in place, such as `layer.weight`, or ""."""
    tree = statement.tree if statement is not None else None
    target: ast.expr | None = tree.target if isinstance(tree, ast.AugAssign) else None
    if isinstance(tree, ast.Assign) and isinstance(tree.targets[0], ast.Subscript):
        target = tree.targets[0]
    called = [c.func for c in calls_in(tree) if isinstance(c.func, ast.Attribute)]
    if target is None:
        target = next((f.value for f in called if f.attr.endswith("_") and f.attr[0] != "_"), None)
    while isinstance(target, ast.Subscript):
        target = target.value
    return ast.unparse(target) if isinstance(target, ast.Name | ast.Attribute) else ""


def calls_in(tree: ast.AST | None) -> list[ast.Call]:
    return [] if tree is None else [n for n in ast.walk(tree) if isinstance(n, ast.Call)]


def last_name(call: ast.Call) -> str:
    """Return the last part of the called name: "argmax" for `scores.argmax(1)`."""
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


def subject_of(call: ast.Call) -> str:
    """Return the text of the tensor that a function such as max() reads."""
    of_module = isinstance(call.func, ast.Attribute) and call.args and not _looks_bound(call)
    subject = call.args[0] if of_module else getattr(call.func, "value", None)
    return "" if subject is None else ast.unparse(subject)


def _looks_bound(call: ast.Call) -> bool:
    tensors = ast.Name | ast.Call | ast.Attribute | ast.BinOp | ast.Subscript
    return not isinstance(call.args[0], tensors)


def keyword(call: ast.Call, name: str) -> Any:
    """Return a constant keyword argument, None if it is missing, or "?" if not constant."""
    for word in call.keywords:
        if word.arg == name:
            return word.value.value if isinstance(word.value, ast.Constant) else "?"
    return None


def written_number(tree: ast.expr) -> int | float | None:
    """Return the number that an expression writes, or None.

    >>> [written_number(ast.parse(text, mode="eval").body) for text in ("3", "-1e9", "n")]
    [3, -1000000000.0, None]
    """
    sign = -1 if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub) else 1
    inner = tree.operand if isinstance(tree, ast.UnaryOp) else tree
    value: Any = inner.value if isinstance(inner, ast.Constant) else None
    return sign * value if type(value) in (int, float) else None


def is_grad(call: ast.Call) -> bool:
    text = ast.unparse(call.func)
    return text == "grad" or text.endswith("autograd.grad")


def root_of_pass(call: ast.Call) -> ast.expr | None:
    """Return the expression from which backward() or autograd.grad() starts."""
    if is_grad(call) or ast.unparse(call.func).endswith("autograd.backward"):
        words = [word.value for word in call.keywords if word.arg in ("outputs", "tensors")]
        return next(iter([*call.args, *words]), None)
    if isinstance(call.func, ast.Attribute) and call.func.attr == "backward":
        return call.func.value
    return None


def to_integers(call: ast.Call) -> bool:
    given = [ast.unparse(a) for a in [*call.args, *(w.value for w in call.keywords)]]
    return any(text.rpartition(".")[2] in INTEGERS for text in given)


def update_of(statement: Statement) -> tuple[str, str, str] | None:
    """Return the weight of `w = w - lr * w.grad`, the value, and the in-place form."""
    for node in ast.walk(statement.tree or ast.Pass()):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub | ast.Add):
            left = ast.unparse(node.left)
            right = (ast.unparse(n) for n in ast.walk(node.right) if isinstance(n, ast.Attribute))
            if f"{left}.grad" in right:
                sign = "-" if isinstance(node.op, ast.Sub) else "+"
                return left, ast.unparse(node), f"{left} {sign}= {ast.unparse(node.right)}"
    return None


def updates_with(statements: list[Statement], at: Statement) -> dict[str, str]:
    """Return the weights that a loop's lines replace as `at` does, with their in-place forms."""
    found = {}
    for each in statements:
        new = update_of(each) if isinstance(each.tree, ast.Assign) else None
        if new is not None and (each.file, each.loops, each.block) == (at.file, at.loops, at.block):
            if new[0] in targets_of(each.tree):
                found[new[0]] = new[2]
    return found


def freezes(tree: ast.stmt | None) -> bool:
    if isinstance(tree, ast.Assign):
        attributes = [t for t in tree.targets if isinstance(t, ast.Attribute)]
        if any(t.attr == "requires_grad" for t in attributes):
            return isinstance(tree.value, ast.Constant) and tree.value.value is False
    return any(
        last_name(call) == "requires_grad_"
        and (
            any(isinstance(a, ast.Constant) and a.value is False for a in call.args)
            or keyword(call, "requires_grad") is False
            or keyword(call, "mode") is False
        )
        for call in calls_in(tree)
    )


def switches(statements: list[Statement]) -> Iterator[Statement | None]:
    """Yield for each statement the earlier one that switched recording off, if it still is."""
    off = None
    modes: set[str] = set()
    for statement in statements:
        tree = statement.tree
        if isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Call):
            if last_name(tree.value) == "set_grad_enabled" and tree.value.args:
                given = tree.value.args[0]
                false = isinstance(given, ast.Constant) and given.value is False
                off = statement if false else None
            if last_name(tree.value) in ("__enter__", "__exit__"):
                owner = ast.unparse(getattr(tree.value.func, "value", tree.value.func))
                if owner in modes or "no_grad(" in owner:
                    off = statement if last_name(tree.value) == "__enter__" else None
        if isinstance(tree, ast.Assign) and isinstance(tree.value, ast.Call):
            if last_name(tree.value) in ("no_grad", "inference_mode"):
                modes |= assigned(tree)
        yield off
