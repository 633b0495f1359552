"""Which earlier turn of a loop has used the graph already that a backward pass wants to walk.

The graph alone cannot tell: the failing pass, too, has freed what it came through. The loop tells:
what was computed before it is the same in every turn, and what is computed from its own earlier
value carries the graphs of all turns with it.
"""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any

from ..model.names import is_tensor, made_by
from ..model.program import Program, Statement, assigned, cuts
from .causes import UNNAMED, Case, Finding
from .evidence import sequence_of, state_of
from .history import History


def in_a_loop(case: Case, root: Any, finding: Finding) -> Finding:
    """A better answer than `finding`, that what `root` needs was freed, if a loop gives one."""
    history = History(lambda tensor: bool(tensor.requires_grad), case.places)
    for number, (scope, head) in enumerate(zip(history.scopes, history.heads, strict=True)):
        if head is None:
            continue
        loops = scope.statements[head].loops
        if loops[-1:] == (
            scope.statements[head].line,
        ):  # its head runs once, before the first turn
            loops = loops[:-1]
        if not loops:
            continue
        inside = [s for s in scope.statements if s.loops[: len(loops)] == loops]
        inner = [s for later in history.scopes[number + 1 :] for s in later.statements]
        functions = [(f, bound) for f, bound, _ in history.entered_by(scope, inside)]
        found = carried(case, root, inside + inner, functions, scope.objects)
        found = found or before(case, root, inside + inner, scope.statements)
        if found is not None:
            return found
    return with_earlier(case, root, finding, history)


def carried(
    case: Case,
    root: Any,
    statements: list[Statement],
    functions: list[tuple[FunctionType, Any]],
    objects: Any,
) -> Finding | None:
    """A variable, or an attribute of a module, that is computed from its own earlier value."""
    for statement in statements:
        for name in own_again(statement):
            tensor = objects.get(name)
            others = [s for s in statements if s.tree is not None and name in assigned(s.tree)]
            if is_tensor(tensor) and made_by(tensor)[0] is not None and behind(case, root, tensor):
                if any(cuts(s) for s in others) or any(_resets(s, name) for s in others):
                    continue
                if tensor is root or isinstance(statement.tree, ast.AugAssign):
                    return said(case, root, "carried_total", name, statement)
                return said(case, root, "carried", name, statement)
    for function, bound in functions:
        for statement in Program.of(function).statements:
            for name in own_again(statement):
                first, _, attribute = name.partition(".")
                if not attribute or bound is None or first != function.__code__.co_varnames[0]:
                    continue
                tensor = vars(bound).get(attribute)
                if is_tensor(tensor) and behind(case, root, tensor) and not cuts(statement):
                    return said(case, root, "carried", name, statement)
    return None


def own_again(statement: Statement) -> list[str]:
    """The variables and attributes that a statement computes from themselves."""
    tree = statement.tree
    if isinstance(tree, ast.AugAssign):
        return [ast.unparse(tree.target)]
    if not isinstance(tree, ast.Assign):
        return []
    read = {ast.unparse(n) for n in ast.walk(tree.value) if isinstance(n, ast.Name | ast.Attribute)}
    targets = [e for t in tree.targets for e in (t.elts if isinstance(t, ast.Tuple) else [t])]
    return [text for t in targets if (text := ast.unparse(t)) in read]


def _resets(statement: Statement, name: str) -> bool:
    """Does it give the variable a value that does not come from itself?"""
    return name not in own_again(statement)


def behind(case: Case, root: Any, tensor: Any) -> bool:
    node = made_by(tensor)[0]
    return node is not None and any(each is node for each in case.nodes(root))


def said(case: Case, root: Any, cause: str, name: str, statement: Statement) -> Finding:
    parts = {"root": case.name(root), "t": name, "line": case.line(statement)}
    finding = Finding(cause, [case.say(cause, **parts), case.say(f"cure_{cause}", **parts)], root)
    return finding


def before(
    case: Case, root: Any, inside: list[Statement], statements: list[Statement]
) -> Finding | None:
    """The newest result that was computed before the loop and that a pass has gone through."""
    given = {name for s in inside if s.tree is not None for name in assigned(s.tree)}
    found = []
    for tensor in case.tensors:
        name = case.name(tensor)
        if name in given or name == UNNAMED or tensor.grad_fn is None:
            continue
        made = next(
            (s for s in reversed(statements) if s.tree is not None and name in assigned(s.tree)),
            None,
        )
        if made is not None and made not in inside and behind(case, root, tensor):
            if state_of(case.operations(tensor)) == "freed":
                found.append((sequence_of(tensor.grad_fn), name, made, tensor))
    if not found:
        return None
    _, name, made, tensor = max(found, key=lambda each: each[0])
    finding = said(case, root, "before_loop", name, made)
    finding.culprits.append(tensor.grad_fn)
    return finding


def with_earlier(case: Case, root: Any, finding: Finding, history: History) -> Finding:
    """The finding, with the line of the earlier pass where one from the same tensor is seen."""
    scope, head = history.scopes[-1], history.heads[-1]
    name = case.name(root)
    if head is None or finding.cause != "freed":
        return finding
    earlier = [
        s
        for s in scope.statements[:head]
        if any(
            isinstance(n, ast.Call) and ast.unparse(n.func) == f"{name}.backward"
            for n in ast.walk(s.tree or ast.Pass())
        )
    ]
    if earlier:
        finding.sentences.append(case.say("earlier_pass", line=case.line(earlier[-1])))
    return finding
