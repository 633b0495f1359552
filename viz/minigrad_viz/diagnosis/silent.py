"""Programs that raise no error and do not learn what they should: what the gradient or its absence
tells together with the program's text.

Each answer takes the place of one that is true and says less, and only where all of its evidence is
there: a program that works must never be blamed.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from ..model.autograd_nodes import is_accumulate, node_name
from ..model.names import is_tensor
from ..model.program import Program, Statement, assigned, receivers
from .causes import Case, Finding
from .evidence import leads_to, state_of
from .history import History
from .objects import member


def refined(case: Case, t: Any, finding: Finding, fate: str) -> Finding:
    """What more there is to say about the gradient of `t`. `fate`: what became of its history on
    the way to a result that does not lead to it.
    """
    if finding.cause in ("taken_away", "not_called_or_taken", "zero_grad"):
        finding = cleared(case, t, finding)
    if finding.cause == "zero_grad":
        finding = flat(case, t, finding)
    if finding.cause == "has_grad":
        return behind_the_back(case, t, elsewhere(case, t, finding))
    if finding.cause == "always_returned_none":
        name = node_name(finding.culprits[0]).removesuffix("Backward")
        if (line := returning(case.variables.get(name))) is not None:
            finding.sentences.append(case.say("returned_by", line=case.line(line)))
    if finding.cause in ("not_called", "not_called_or_taken"):
        return named_only(case, finding)
    if finding.cause == "not_reached" and fate == "plain" and len(finding.sentences) == 1:
        if (made := stored_in(case, case.name(t))) is not None:
            finding.sentences.append(case.say("made_for_module", line=case.line(made)))
    return finding


def cleared(case: Case, t: Any, finding: Finding) -> Finding:
    """zero_grad() between backward() and step()."""
    for name, optimizer in optimizers(case):
        if not any(each is t for each in held(optimizer)):
            continue
        for before, clearing, step in between(case, name):
            name_of_t = case.name(t)
            parts = {"t": name_of_t, "line": case.line(clearing), "step": case.line(step)}
            parts["before"] = case.line(before)
            sentences = [case.say("cleared_between", **parts)]
            sentences.append(case.say("cure_cleared_between", **parts))
            return Finding("cleared_between", sentences, finding.shown, finding.culprits)
    if finding.cause == "zero_grad" and (lines := case.program.clears(case.name(t))):
        finding.sentences[0] = case.say("zeroed", t=case.name(t), line=case.line(lines[-1]))
    return finding


FLAT = ("Round", "Floor", "Ceil", "Trunc", "Sign", "Sgn", "Heaviside", "Bernoulli")
"""Operations with a slope of zero wherever they have one."""


def flat(case: Case, t: Any, finding: Finding) -> Finding:
    """A gradient of zeros, where nothing leads around an operation without a slope."""
    for root in case.roots_over(t):
        target = next((n for n in case.nodes(root) if is_accumulate(n) and n.variable is t), None)
        steps = [n for n in case.operations(root) if node_name(n).partition("Backward")[0] in FLAT]
        for node in steps:
            if target is None or leads_to(root.grad_fn, target, without=node):
                continue
            where = case.where(case.node_line(node))
            parts = {"t": case.name(t), "root": case.name(root), "node": node_name(node)}
            said = [case.say("flat", where=where, **parts), case.say("cure_flat")]
            return Finding("flat", said, root, [node])
    return finding


def between(case: Case, name: str) -> Iterator[tuple[Statement, Statement, Statement]]:
    """The lines backward(), zero_grad(), step() that follow each other in this order."""
    order: list[Statement] = []
    for statement in case.program.statements:
        if receivers(statement, "backward"):
            order = [statement]
        elif name in receivers(statement, "zero_grad") and len(order) == 1:
            order.append(statement)
        elif name in receivers(statement, "step"):
            same = len(order) == 2 and order[0].loops == order[1].loops
            if same and order[0].loops[: len(statement.loops)] == statement.loops:
                yield order[0], order[1], statement
            order = []


def optimizers(case: Case) -> Iterator[tuple[str, Any]]:
    for name, value in case.variables.items():
        groups = inspect.getattr_static(value, "param_groups", None)
        if not isinstance(value, type) and isinstance(groups, list):
            yield name, value


def held(optimizer: Any) -> list[Any]:
    """The tensors that an optimizer changes."""
    return [each for group in optimizer.param_groups for each in group["params"]]


def elsewhere(case: Case, t: Any, finding: Finding) -> Finding:
    """An optimizer that holds tensors which no module and no variable has any more."""
    known = {id(tensor) for tensor in case.tensors}
    if type(t).__name__ != "Parameter":
        return finding
    for name, optimizer in optimizers(case):
        tensors = held(optimizer)
        if any(id(each) in known for each in tensors):
            return finding
        same = any(each.shape == t.shape for each in tensors)
        made = case.program.assignment(name)
        if same and made is not None and case.program.calls("step"):
            parts = {"t": case.name(t), "optimizer": name, "line": case.line(made)}
            finding.cause = "held_elsewhere"
            finding.sentences.append(case.say("held_elsewhere", **parts))
            finding.sentences.append(case.say("cure_held_elsewhere", **parts))
            return finding
    return finding


def behind_the_back(case: Case, t: Any, finding: Finding) -> Finding:
    """A write through `.data` between the loss and its backward pass, to what leads to the loss."""
    statements = case.program.statements
    for root in case.roots_over(t):
        name = case.name(root)
        making = case.program.assignment(name)
        walked = [i for i, s in enumerate(statements) if name in receivers(s, "backward")]
        if making is None or not walked:
            continue
        made = max(i for i, s in enumerate(statements) if s == making)
        for index, statement in enumerate(statements[: walked[-1]]):
            for other in data_of(statement):
                tensor = next((x for x in case.tensors if case.name(x) == other), None)
                if tensor is None or not (tensor is root or case.leads(root, tensor)):
                    continue
                if index > made or index > used_at(case, root, tensor, statements):
                    parts = {"t": case.name(t), "other": other, "line": case.line(statement)}
                    finding.cause = "behind_the_back"
                    finding.sentences.append(case.say("behind_the_back", **parts))
                    finding.sentences.append(case.say("cure_behind_the_back", **parts))
                    return finding
    return finding


def used_at(case: Case, root: Any, tensor: Any, statements: list[Statement]) -> int:
    """Where the first result with a name was made that lies between a tensor and a root; each of
    these names has one assignment only, and outside of loops.
    """
    places = [len(statements)]
    for other in case.tensors:
        if other is root or other.grad_fn is None or not case.leads(root, other):
            continue
        if tensor is not other and case.leads(other, tensor):
            name = case.name(other)
            made = [i for i, s in enumerate(statements) if name in assigned(s.tree or ast.Pass())]
            if len(made) == 1 and not statements[made[0]].loops:
                places += made
    return min(places)


def data_of(statement: Statement) -> set[str]:
    """The variables to which a statement writes through `.data`."""
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


def named_only(case: Case, finding: Finding) -> Finding:
    """`loss.backward` without its parentheses."""
    for statement in case.program.statements:
        tree = statement.tree
        if isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Attribute):
            if tree.value.attr == "backward":
                line = case.line(statement)
                finding.sentences.append(case.say("named_only", line=line))
    return finding


def stored_in(case: Case, path: str) -> Statement | None:
    """The line of a module's __init__ that made the part to which a parameter belongs, of which
    the `path` is `net.head.weight`.
    """
    name, _, rest = path.partition(".")
    function = inspect.getattr_static(type(case.variables.get(name)), "__init__", None)
    part = rest.partition(".")[0]
    if not part or not isinstance(function, FunctionType):
        return None
    for statement in Program.of(function).statements:
        targets = statement.tree.targets if isinstance(statement.tree, ast.Assign) else []
        if any(isinstance(each, ast.Attribute) and each.attr == part for each in targets):
            return statement
    return None


def returning(kind: Any) -> Statement | None:
    """The line in which the backward of a Function returns, if there is one only."""
    lines = [s for s in statements_of(kind, "backward") if isinstance(s.tree, ast.Return)]
    return lines[0] if len(lines) == 1 else None


def statements_of(kind: Any, method: str) -> list[Statement]:
    """What is written in a method of a class."""
    function = inspect.getattr_static(kind, method, None) if kind is not None else None
    function = getattr(function, "__func__", function)
    return Program.of(function).statements if isinstance(function, FunctionType) else []


def kept_graphs(case: Case, t: Any) -> Finding | None:
    """`total += loss` in a loop in which each loss has had its own pass."""
    if not is_tensor(t) or t.grad_fn is None or state_of(case.operations(t)) == "kept":
        return None
    name = case.name(t)
    if (held := kept_by_object(case, t)) is not None:
        return held
    for statement in case.program.statements:
        target, instead = sum_of(statement)
        if target != name or not statement.loops:
            continue
        passes = [
            receiver
            for other in case.program.statements
            for receiver in receivers(other, "backward")
            if other.loops == statement.loops or receiver == name
        ]
        value = getattr(statement.tree, "value", None)
        added = {n.id for n in ast.walk(value or ast.Pass()) if isinstance(n, ast.Name)} - {name}
        if name in passes or not added & {*passes}:
            return None
        parts = {"t": name, "line": case.line(statement), "instead": instead}
        sentences = [case.say("kept_graphs", **parts), case.say("cure_kept_graphs", **parts)]
        return Finding("kept_graphs", sentences, t)
    return None


def kept_by_object(case: Case, t: Any) -> Finding | None:
    """`self.total += loss` in a method, of which the sum is the result `t` or lies behind it."""
    history = History(lambda tensor: bool(tensor.requires_grad), case.running)
    for scope in history.scopes:
        walked = [s.loops for s in scope.statements if receivers(s, "backward") and s.loops]
        inside = [s for s in scope.statements if s.loops in walked]
        for function, bound, inner in history.entered_by(scope, inside):
            first = function.__code__.co_varnames[:1]
            for statement in inner.statements:
                target, instead = sum_of(statement)
                owner, _, attribute = target.partition(".")
                if bound is None or (owner,) != first or not attribute:
                    continue
                held = member(bound, attribute)
                if not is_tensor(held) or not (held is t or case.leads(t, held)):
                    continue
                parts = {"t": target, "line": case.line(statement), "instead": instead}
                said = [case.say("kept_graphs", **parts), case.say("cure_kept_graphs", **parts)]
                return Finding("kept_graphs", said, t)
    return None


def sum_of(statement: Statement) -> tuple[str, str]:
    """Of `total += loss` and `total = total + loss` the sum, and the same line with a number added;
    empty if it is neither.
    """
    tree = statement.tree
    if isinstance(tree, ast.AugAssign) and isinstance(tree.op, ast.Add):
        target, added = ast.unparse(tree.target), tree.value
        start = f"{target} +="
    elif isinstance(tree, ast.Assign) and isinstance(tree.value, ast.BinOp):
        target, added = ast.unparse(tree.targets[0]), tree.value.right
        start = f"{target} = {target} +"
        if ast.unparse(tree.value.left) != target or not isinstance(tree.value.op, ast.Add):
            return "", ""
    else:
        return "", ""
    text = ast.unparse(added)
    return target, f"{start} {text if isinstance(added, ast.Name) else f'({text})'}.item()"


def untaken(case: Case, t: Any, node: Any, made: Statement | None) -> list[str]:
    """What is said where a NaN comes from the branch of where() that was not taken. It is asked
    only where each gradient that became NaN came in as zero.
    """
    above = [n for n in case.operations(t) if node_name(n).startswith("WhereBackward")]
    if not any(leads_to(each, node) for each in above):
        return []
    said = [case.say("untaken")]
    for call in ast.walk(getattr(made, "tree", None) or ast.Pass()):
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("where"):
            if len(call.args) == 3 and (instead := guarded(call, node)) is not None:
                return [*said, case.say("cure_untaken_by", instead=instead)]
    return [*said, case.say("cure_untaken")]


def guarded(call: ast.Call, node: Any) -> str | None:
    """The call with another where() around the argument of the operation that made the NaN."""
    where, condition = ast.unparse(call.func), ast.unparse(call.args[0])
    operation = node_name(node).partition("Backward")[0].lower()
    if operation not in ("sqrt", "log", "rsqrt", "reciprocal"):
        return None  # 1.0 may not be among the numbers that it takes
    for place, branch in ((1, call.args[1]), (2, call.args[2])):
        for inner in ast.walk(branch):
            if not isinstance(inner, ast.Call) or not isinstance(inner.func, ast.Attribute):
                continue
            if inner.func.attr != operation:
                continue
            argument = ast.unparse(inner.args[0] if inner.args else inner.func.value)
            taken = f"{argument}, 1.0" if place == 1 else f"1.0, {argument}"
            safe = f"{where}({condition}, {taken})"
            inside = ast.unparse(inner)
            new = f"{ast.unparse(inner.func)}({safe})" if inner.args else f"{safe}.{operation}()"
            return ast.unparse(call).replace(inside, new, 1)
    return None
