"""Programs that raise no error and do not learn as intended.

A gradient or its absence, with the program's text, tells why. Each answer replaces one that is true
and less precise, and only if all of its evidence exists. A working program must never be blamed.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from ..model.autograd_nodes import is_accumulate, node_name
from ..model.names import is_tensor
from ..model.program_text import Program, Statement, assigned, receivers
from .causes import Context, Finding
from .evidence import leads_to, state_of
from .history import History
from .learners import held_tensors, optimizers, reads_gradient
from .objects import member
from .reachable import is_module
from .syntax import calls_in, last_name, names_in


def refine(context: Context, t: Any, finding: Finding, fate: str) -> Finding:
    """Refine the finding about the gradient of `t`.

    `fate` says what happened to its history on the way to a result that does not lead to it.
    """
    for causes, explained in REFINEMENTS:
        if finding.cause in causes:
            finding = explained(context, t, finding)
    if finding.cause == "not_reached" and fate == "plain" and len(finding.sentences) == 1:
        finding = explain_made_for_module(context, t, finding)
    return finding


def explain_made_for_module(context: Context, t: Any, finding: Finding) -> Finding:
    """Name the line of __init__ that made a parameter that forward does not use."""
    if (made := find_storing_line(context, context.name(t))) is not None:
        finding.sentences.append(context.say("made_for_module", line=context.line(made)))
    return finding


def explain_returned_none(context: Context, t: Any, finding: Finding) -> Finding:
    """Name the line in which the backward of a Function returns."""
    name = node_name(finding.culprits[0]).removesuffix("Backward")
    if (line := return_line(context.variables.get(name))) is not None:
        finding.sentences.append(context.say("returned_by", line=context.line(line)))
    return finding


def explain_cleared(context: Context, t: Any, finding: Finding) -> Finding:
    """Explain zero_grad() between backward() and step()."""
    for name, optimizer in optimizers(context):
        if not any(each is t for each in held_tensors(optimizer)):
            continue
        for before, clearing, step in clearing_lines(context, name):
            name_of_t = context.name(t)
            parts = {"t": name_of_t, "line": context.line(clearing), "step": context.line(step)}
            parts["before"] = context.line(before)
            sentences = [context.say("cleared_between", **parts)]
            sentences.append(context.say("cure_cleared_between", **parts))
            return Finding("cleared_between", sentences, finding.shown, finding.culprits)
    lines = context.program.clears(context.name(t))
    if finding.cause == "zero_grad" and lines and not has_pass_after(context, lines[-1]):
        finding.sentences[0] = context.say(
            "zeroed", t=context.name(t), line=context.line(lines[-1])
        )
    return finding


def has_pass_after(context: Context, clearing: Statement) -> bool:
    """Return whether the text has a pass after a line that clears, in the same iteration."""
    statements = context.program.statements
    place = max((i for i, s in enumerate(statements) if s == clearing), default=0)
    return any(receivers(s, "backward") and s.loops == clearing.loops for s in statements[place:])


FLAT = ("Round", "Floor", "Ceil", "Trunc", "Sign", "Sgn", "Heaviside", "Bernoulli",
        "Normal")  # fmt: skip
"""Operations whose slope is zero wherever it exists."""


def explain_flat(context: Context, t: Any, finding: Finding) -> Finding:
    """Explain a gradient of zeros if every path passes an operation without a slope."""
    for root in context.find_roots(t):
        target = next(
            (n for n in context.nodes(root) if is_accumulate(n) and n.variable is t), None
        )
        steps = [
            n for n in context.operations(root) if node_name(n).partition("Backward")[0] in FLAT
        ]
        for node in steps:
            if target is None or leads_to(root.grad_fn, target, without=node):
                continue
            where = context.where(context.node_line(node))
            parts = {"t": context.name(t), "root": context.name(root), "node": node_name(node)}
            sentences = [context.say("flat", where=where, **parts), cure_of_flat(context, node)]
            return Finding("flat", sentences, root, [node])
    return finding


def cure_of_flat(context: Context, node: Any) -> str:
    drawn = node_name(node).startswith("Normal")
    return context.say("cure_drawn" if drawn else "cure_flat")


def clearing_lines(context: Context, name: str) -> Iterator[tuple[Statement, Statement, Statement]]:
    """Yield lines with backward(), zero_grad() and step() that follow in this order."""
    order: list[Statement] = []
    for statement in context.program.statements:
        if receivers(statement, "backward"):
            order = [statement]
        elif name in receivers(statement, "zero_grad") and len(order) == 1:
            order.append(statement)
        elif name in receivers(statement, "step"):
            same = len(order) == 2 and order[0].loops == order[1].loops
            if same and order[0].loops[: len(statement.loops)] == statement.loops:
                yield order[0], order[1], statement
            order = []


def explain_held_elsewhere(context: Context, t: Any, finding: Finding) -> Finding:
    """Explain an optimizer whose tensors no module and no variable holds."""
    known = {id(tensor) for tensor in context.tensors}
    if type(t).__name__ != "Parameter":
        return finding
    for name, optimizer in optimizers(context):
        tensors = held_tensors(optimizer)
        if any(each is t or id(each) in known for each in tensors):
            return finding
        same = any(each.shape == t.shape for each in tensors)
        made = context.program.assignment(name)
        if same and made is not None and context.program.calls("step"):
            parts = {"t": context.name(t), "optimizer": name, "line": context.line(made)}
            finding.cause = "held_elsewhere"
            finding.sentences.append(context.say("held_elsewhere", **parts))
            finding.sentences.append(context.say("cure_held_elsewhere", **parts))
            return finding
    return finding


def explain_data_write(context: Context, t: Any, finding: Finding) -> Finding:
    """Explain a write through `.data` between a loss and its backward pass."""
    statements = context.program.statements
    for root in context.find_roots(t):
        name = context.name(root)
        making = context.program.assignment(name)
        walked = [i for i, s in enumerate(statements) if name in receivers(s, "backward")]
        if making is None or not walked:
            continue
        made = max(i for i, s in enumerate(statements) if s == making)
        for index, statement in enumerate(statements[: walked[-1]]):
            for other in data_writes(statement):
                tensor = next((x for x in context.tensors if context.name(x) == other), None)
                if tensor is None or not (tensor is root or context.depends_on(root, tensor)):
                    continue
                if index > made or index > first_use(context, root, tensor, statements):
                    parts = {"t": context.name(t), "other": other, "line": context.line(statement)}
                    finding.cause = "behind_the_back"
                    finding.sentences.append(context.say("behind_the_back", **parts))
                    finding.sentences.append(context.say("cure_behind_the_back", **parts))
                    return finding
    return finding


def first_use(context: Context, root: Any, tensor: Any, statements: list[Statement]) -> int:
    """Return the index of the first named result between a tensor and a root.

    Only names with a single assignment outside of loops count.
    """
    places = [len(statements)]
    for other in context.tensors:
        if other is root or other.grad_fn is None or not context.depends_on(root, other):
            continue
        if tensor is not other and context.depends_on(other, tensor):
            name = context.name(other)
            made = [i for i, s in enumerate(statements) if name in assigned(s.tree or ast.Pass())]
            if len(made) == 1 and not statements[made[0]].loops:
                places += made
    return min(places)


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


def explain_named_only(context: Context, t: Any, finding: Finding) -> Finding:
    """Explain `loss.backward` without its parentheses."""
    for statement in context.program.statements:
        tree = statement.tree
        if isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Attribute):
            if tree.value.attr == "backward":
                line = context.line(statement)
                finding.sentences.append(context.say("named_only", line=line))
    return finding


def explain_buffer(context: Context, t: Any, finding: Finding) -> Finding:
    """Explain a buffer of a module: it is stored, and not learned."""
    name = context.name(t)
    owner, _, attribute = name.rpartition(".")
    module = context.variables.get(owner)
    if module is None or not is_module(module) or attribute not in dict(module.named_buffers()):
        return finding
    lines = statements_of(type(module), "__init__")
    made = next((s for s in lines if "register_buffer" in s.text and attribute in s.text), None)
    parts = {"t": name, "where": context.where(made), "attribute": attribute}
    sentences = [finding.sentences[0], context.say("is_buffer", **parts)]
    sentences.append(context.say("cure_is_buffer", **parts))
    return Finding(finding.cause, sentences, finding.shown, finding.culprits)


def explain_pretrained(context: Context, t: Any, finding: Finding) -> Finding:
    """Explain a weight that `from_pretrained` has frozen."""
    owner = context.name(t).rpartition(".")[0]
    made = context.program.assignment(owner) if owner.isidentifier() else None
    if made is None or "from_pretrained(" not in made.text or "freeze" in made.text:
        return finding
    sentences = [finding.sentences[0], context.say("pretrained", line=context.line(made))]
    sentences.append(context.say("cure_pretrained"))
    return Finding(finding.cause, sentences, finding.shown, finding.culprits)


def find_storing_line(context: Context, path: str) -> Statement | None:
    """Return the line of __init__ that made the module of a parameter `net.head.weight`."""
    name, _, rest = path.partition(".")
    function = inspect.getattr_static(type(context.variables.get(name)), "__init__", None)
    part = rest.partition(".")[0]
    if not part or not isinstance(function, FunctionType):
        return None
    for statement in Program.of(function).statements:
        targets = statement.tree.targets if isinstance(statement.tree, ast.Assign) else []
        if any(isinstance(each, ast.Attribute) and each.attr == part for each in targets):
            return statement
    return None


def explain_copied_weights(context: Context, t: Any, finding: Finding) -> Finding:
    """Explain a result that is copied into the weights of a module, without its history."""
    results = [x for x in context.tensors if x.grad_fn is not None and context.depends_on(x, t)]
    names = {context.name(x) for x in results}
    for statement in context.program.statements:
        for call in calls_in(statement.tree):
            given = {n for each in call.args for n in names_in(each)} & names
            if last_name(call) in ("load_state_dict", "copy_") and given:
                parts = {"t": context.name(t), "made": min(given), "line": context.line(statement)}
                sentences = [context.say("copied_weights", **parts)]
                sentences.append(context.say("cure_copied_weights", **parts))
                return Finding("copied_weights", sentences, finding.shown, finding.culprits)
    return finding


def explain_plain_tensor(context: Context, t: Any, finding: Finding) -> Finding:
    """Explain a tensor of a module that learns, and that `parameters()` does not return."""
    name = context.name(t)
    owner = context.variables.get(name.rpartition(".")[0])
    made = find_storing_line(context, name) if name.count(".") == 1 else None
    if owner is None or made is None or type(t).__name__ == "Parameter" or not is_module(owner):
        return finding
    held = [(n, {id(p) for p in held_tensors(o)}) for n, o in optimizers(context)]
    of_module = {id(p) for p in owner.parameters()}
    moving = [n for n, tensors in held if tensors & of_module]
    if not moving or any(id(t) in tensors for _, tensors in held) or reads_gradient(context, name):
        return finding
    parts = {"t": name, "line": context.line(made), "optimizer": moving[0]}
    attribute = name.rpartition(".")[2]
    sentences = [context.say("plain_tensor", **parts)]
    sentences.append(context.say("cure_plain_tensor", attribute=attribute))
    return Finding("plain_tensor", sentences, finding.shown, finding.culprits)


def return_line(kind: Any) -> Statement | None:
    """Return the only line in which the backward of a Function returns, or None."""
    lines = [s for s in statements_of(kind, "backward") if isinstance(s.tree, ast.Return)]
    return lines[0] if len(lines) == 1 else None


def statements_of(kind: Any, method: str) -> list[Statement]:
    """Return the statements of a class's method."""
    function = inspect.getattr_static(kind, method, None) if kind is not None else None
    function = getattr(function, "__func__", function)
    return Program.of(function).statements if isinstance(function, FunctionType) else []


def explain_kept_graphs(context: Context, t: Any) -> Finding | None:
    """Explain `total += loss` in a loop in which each loss has its own pass."""
    if not is_tensor(t) or t.grad_fn is None or state_of(context.operations(t)) == "kept":
        return None
    name = context.name(t)
    if (held := find_kept_by_object(context, t)) is not None:
        return held
    for statement in context.program.statements:
        target, instead = sum_of(statement)
        if target != name or not statement.loops:
            continue
        passes = [
            receiver
            for other in context.program.statements
            for receiver in receivers(other, "backward")
            if other.loops == statement.loops or receiver == name
        ]
        value = getattr(statement.tree, "value", None)
        added = {n.id for n in ast.walk(value or ast.Pass()) if isinstance(n, ast.Name)} - {name}
        if name in passes or not added & {*passes}:
            return None
        parts = {"t": name, "line": context.line(statement), "instead": instead}
        sentences = [context.say("kept_graphs", **parts), context.say("cure_kept_graphs", **parts)]
        return Finding("kept_graphs", sentences, t)
    return None


def find_kept_by_object(context: Context, t: Any) -> Finding | None:
    """Explain `self.total += loss` in a method if the sum is `t` or lies behind it."""
    history = History(lambda tensor: bool(tensor.requires_grad), context.running)
    for scope in history.scopes:
        walked = [s.loops for s in scope.statements if receivers(s, "backward") and s.loops]
        inside = [s for s in scope.statements if s.loops in walked]
        for function, bound, inner in history.functions_entered(scope, inside):
            first = function.__code__.co_varnames[:1]
            for statement in inner.statements:
                target, instead = sum_of(statement)
                owner, _, attribute = target.partition(".")
                if bound is None or (owner,) != first or not attribute:
                    continue
                held = member(bound, attribute)
                if not is_tensor(held) or not (held is t or context.depends_on(t, held)):
                    continue
                parts = {"t": target, "line": context.line(statement), "instead": instead}
                sentences = [
                    context.say("kept_graphs", **parts),
                    context.say("cure_kept_graphs", **parts),
                ]
                return Finding("kept_graphs", sentences, t)
    return None


def sum_of(statement: Statement) -> tuple[str, str]:
    """Return the target of `total += loss`, and the same line with a number added.

    `total = total + loss` counts too. Both are "" for another statement.
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


def explain_untaken(context: Context, t: Any, node: Any, made: Statement | None) -> list[str]:
    """Explain a NaN from the branch that where() did not take.

    Call it only if every gradient that became NaN came in as zero.
    """
    above = [n for n in context.operations(t) if node_name(n).startswith("WhereBackward")]
    if not any(leads_to(each, node) for each in above):
        return []
    sentences = [context.say("untaken")]
    for call in ast.walk(getattr(made, "tree", None) or ast.Pass()):
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("where"):
            if len(call.args) == 3 and (instead := guard(call, node)) is not None:
                return [*sentences, context.say("cure_untaken_by", instead=instead)]
    return [*sentences, context.say("cure_untaken")]


def guard(call: ast.Call, node: Any) -> str | None:
    """Return the call with another where() around the argument that made the NaN."""
    where, condition = ast.unparse(call.func), ast.unparse(call.args[0])
    operation = node_name(node).partition("Backward")[0].lower()
    if operation not in ("sqrt", "log", "rsqrt", "reciprocal"):
        return None  # 1.0 may be outside of its domain
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


Refinement = Callable[[Context, Any, Finding], Finding]

REFINEMENTS: tuple[tuple[tuple[str, ...], Refinement], ...] = (
    (("taken_away", "not_called_or_taken", "zero_grad"), explain_cleared),
    (("zero_grad",), explain_flat),
    (("has_grad",), explain_plain_tensor),
    (("has_grad",), explain_held_elsewhere),
    (("has_grad", "held_elsewhere"), explain_data_write),
    (("always_returned_none",), explain_returned_none),
    (("not_called", "not_called_or_taken"), explain_named_only),
    (("not_called", "not_called_or_taken"), explain_copied_weights),
    (("not_required",), explain_buffer),
    (("not_required",), explain_pretrained),
)
"""The causes that a rule refines, and the rule; each sees the finding of those before it."""
