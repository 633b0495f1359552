"""Errors of autograd outside of a backward pass, recognized by their message.

The messages are the same in both libraries. Each answer has the line and what to write instead.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from types import FunctionType, ModuleType, TracebackType
from typing import Any

from minigrad.autograd.events import message_of

from ..model.autograd_nodes import node_name
from ..model.frame_locals import names_in
from ..model.names import is_tensor
from ..model.program_text import Program, Statement, assigned
from .causes import UNNAMED, Context, Finding
from .ended import describe, explain_no_history, find_library
from .evidence import arguments_in
from .history import History
from .objects import is_module, resolve
from .scope import Scope
from .silent import find_storing_line, return_line, statements_of
from .syntax import parenthesize, update_of

CLEARS = re.compile(r"zero_grad\(|\.grad = |\.grad\.(?:zero_|data|fill_)|del \w+\.grad")
"""What stands in a program that clears a gradient."""


class Refusal:
    """An error, with the line of the program that raised it."""

    def __init__(
        self, context: Context, error: BaseException, match: re.Match[str], line: Statement
    ) -> None:
        self.context = context
        self.trace: TracebackType | None = error.__traceback__
        self.match = match
        self.line = line
        self.where = context.where(line)

    def report(self, cause: str, **parts: object) -> Finding:
        """Make a finding of the cause and, under the same key, the cure."""
        given = {"where": self.where, "line": self.context.line(self.line), **parts}
        given["library"] = find_library(self.context)[0]
        sentences = [self.context.say(cause, **given), self.context.say(f"cure_{cause}", **given)]
        return Finding(cause, sentences)

    def calls(self, *names: str) -> list[ast.Call]:
        """Return the calls in the line of functions with one of these names."""
        walked = ast.walk(self.line.tree or ast.Pass())
        calls = [node for node in walked if isinstance(node, ast.Call)]
        return [c for c in calls if getattr(c.func, "attr", getattr(c.func, "id", "")) in names]

    def receiver(self, method: str) -> str:
        """Return the text of the object that the method is called on, or ""."""
        for call in self.calls(method):
            if isinstance(call.func, ast.Attribute):
                return ast.unparse(call.func.value)
        return ""

    def argument(self, *functions: str) -> str:
        for call in self.calls(*functions):
            if call.args:
                return ast.unparse(call.args[0])
        return ""

    def tensor(self, name: str) -> Any:
        """Return the tensor with this name."""
        return next((t for t in self.context.tensors if self.context.name(t) == name), None)

    def value(self, tree: ast.expr) -> Any:
        """Return the tensor that a name, `self.w` or `layer.weight` stands for in the line."""
        value = self.object(tree)
        return value if is_tensor(value) else None

    def object(self, tree: ast.expr) -> Any:
        """Return the object that an expression stands for in the line, or None."""
        for frame, _ in reversed(self.context.running):
            scope = Scope([], names_in(frame), None, True)
            if (value := resolve(tree, scope)) is not None:
                return value
        return None

    def class_of(self, function: str) -> Any:
        """Return the user's class whose node has this name."""
        found = self.context.variables.get(function.removesuffix("Backward"))
        return found if isinstance(found, type) else None


def explain_several_views(at: Refusal) -> Finding:
    tree = at.line.tree
    name, instead = "t", ""
    if isinstance(tree, ast.AugAssign):
        name = ast.unparse(tree.target)
        value = ast.BinOp(ast.Name(name), tree.op, tree.value)
        instead = f"{name} = {ast.unparse(ast.fix_missing_locations(value))}"
    else:
        for node in ast.walk(tree or ast.Pass()):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                method = node.func.attr
                if method.endswith("_") and not method.endswith("__"):
                    of_library = isinstance(at.object(node.func.value), ModuleType) and node.args
                    name = ast.unparse(node.args[0] if of_library else node.func.value)
                    instead = f"{name} = {ast.unparse(node).replace(method, method[:-1], 1)}"
                    break
    if not instead:
        return at.report("several_views_somehow", t=name)
    return at.report("several_views", t=name, instead=instead)


def explain_wrong_shape(at: Refusal) -> Finding:
    given, needed = at.match[1], at.match[2]
    roots = arguments_in(at.trace, "outputs", "tensors", "self")
    names = [at.context.name(root) for root in roots if str(list(root.shape)) == needed]
    line = at.context.line(at.line) if names else "`backward()`"  # raised again elsewhere
    root = [*names, UNNAMED][0]
    return at.report("wrong_shape", root=root, given=given, needed=needed, line=line)


def explain_input_not_required(at: Refusal) -> Finding:
    inputs = list(arguments_in(at.trace, "inputs"))
    bare = next((t for t in inputs if not t.requires_grad), None)
    if bare is None:  # raised again, or without its traceback
        return at.report("input_not_required", t=UNNAMED, where="")
    finding = explain_plain(at, "input_not_required", bare, at.context.name(bare))
    made = at.context.program.assignment(at.context.name(bare))
    if finding.topic or (made is not None and made.block):
        finding.sentences.append(at.context.say("or_a_leaf_there", t=at.context.name(bare)))
    return finding


def explain_plain(at: Refusal, cause: str, t: Any, name: str) -> Finding:
    """Explain a request that needs requires_grad of a tensor without it."""
    parts = {"t": name, "where": at.where}
    if t is None:
        return at.report(cause, **parts)
    finding = Finding(cause, [at.context.say(cause, **parts)])
    finding.topic, sentences = explain_no_history(at.context, t)
    if type(t).__name__ == "Parameter":
        finding.topic = ""
    finding.sentences += sentences or at.context.explain_origin(t, finding)
    return finding


def explain_integers(at: Refusal) -> Finding:
    return at.report("integers")


def explain_to_numpy(at: Refusal) -> Finding:
    name = at.receiver("numpy")
    finding = (
        at.report("to_numpy", t=f"`{name}`", t_plain=parenthesize(name))
        if name
        else at.report("to_numpy_somehow")
    )
    evaluated = at.context.program.calls("eval")
    if evaluated and not any(s.block for s in at.context.program.statements):
        line = at.context.line(evaluated[-1])
        finding.sentences.append(at.context.say("eval_records", line=line))
    return finding


def explain_deepcopy(at: Refusal) -> Finding:
    return at.report("deepcopy", t=at.argument("deepcopy", "copy") or "t")


def explain_optimizer_of_result(at: Refusal) -> Finding:
    t = next(
        (t for t in arguments_in(at.trace, "param", "parameter") if t.grad_fn is not None), None
    )
    if t is None:
        return at.report("optimizer_result", t=UNNAMED, made="")
    where = at.context.where(at.context.node_line(t.grad_fn))
    made = at.context.say("made_by_node", node=node_name(t.grad_fn), where=where)
    return at.report("optimizer_result", t=at.context.name(t), made=made)


def explain_no_parameters(at: Refusal) -> Finding:
    for call in at.calls(*_called(at.line)):
        for argument in call.args[:1]:
            if isinstance(argument, ast.Name):
                value = at.context.variables.get(argument.id)
                made = at.context.program.assignment(argument.id)
                if inspect.isgenerator(value) and made is not None:
                    return explain_used_up(at, argument.id, made)
            if isinstance(argument, ast.Call) and isinstance(argument.func, ast.Attribute):
                owner = argument.func.value
                module = at.context.variables.get(owner.id) if isinstance(owner, ast.Name) else None
                if module is not None and (hidden := _hidden(module)):
                    name, kind = hidden
                    line = _storing(type(module), name)
                    lines = at.context.line(line) if line else f"`self.{name}`"
                    name = f"{ast.unparse(owner)}.{name}"
                    return at.report("hidden_layers", attribute=name, kind=kind, line=lines)
    return at.report("no_parameters")


def explain_used_up(at: Refusal, name: str, made: Statement) -> Finding:
    users = [
        s
        for s in at.context.program.statements
        if s.tree is not None
        and s != at.line
        and name not in assigned(s.tree)
        and any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(s.tree))
    ]
    value = getattr(made.tree, "value", None)
    text = ast.unparse(value) if value is not None else name
    by = at.context.line(users[-1]) if users else at.context.line(made)
    return at.report("used_up", t=name, by=by, instead=f"{name} = list({text})")


def _called(line: Statement) -> list[str]:
    calls = [n.func for n in ast.walk(line.tree or ast.Pass()) if isinstance(n, ast.Call)]
    return [str(getattr(f, "attr", getattr(f, "id", ""))) for f in calls]


def _hidden(module: Any) -> tuple[str, str] | None:
    """Return an attribute in which a module hides layers from parameters(), and a fix."""
    for name, value in vars(module).items():
        if name.startswith("_"):
            continue
        inner = list(value.values()) if isinstance(value, dict) else value
        if not isinstance(inner, list | tuple):
            continue
        kind = "Dict" if isinstance(value, dict) else "List"
        if any(callable(getattr(type(each), "named_parameters", None)) for each in inner):
            return name, f"Module{kind}"
        if any(type(each).__name__ == "Parameter" for each in inner):
            return name, f"Parameter{kind}"
    return None


def _storing(kind: type, name: str) -> Statement | None:
    """Return the line of a class that assigns `self.name`."""
    function = inspect.getattr_static(kind, "__init__", None)
    if not isinstance(function, FunctionType):
        return None
    for statement in Program.of(function).statements:
        targets = statement.tree.targets if isinstance(statement.tree, ast.Assign) else []
        if any(isinstance(t, ast.Attribute) and t.attr == name for t in targets):
            return statement
    return None


def explain_wrong_number(at: Refusal) -> Finding:
    kind = at.class_of(at.match[1])
    line = return_line(kind)
    where = at.context.where(line) if line is not None else ""
    name = at.match[1].removesuffix("Backward")
    parts = {"expected": at.match[2], "got": at.match[3], "where": where}
    return at.report("wrong_number", function=name, **parts)


def explain_wrong_gradient(at: Refusal) -> Finding:
    line = return_line(at.class_of(at.match[1]))
    where = at.context.where(line) if line is not None else ""
    name = at.match[1].removesuffix("Backward")
    parts = {"index": at.match[2], "got": at.match[3], "expected": at.match[4], "where": where}
    return at.report("wrong_gradient", function=name, **parts)


def explain_without_apply(at: Refusal) -> Finding | None:
    kind = at.class_of(at.match[1].rpartition(".")[2])
    if kind is None or not hasattr(kind, "apply") or not at.calls("forward"):
        return None
    instead = at.line.text.replace(".forward(", ".apply(")
    return at.report("without_apply", function=kind.__name__, instead=instead)


def explain_called_as_instance(at: Refusal) -> Finding | None:
    """Explain `Square()(x)` in place of `Square.apply(x)`."""
    for call in at.calls(*_called(at.line)):
        if isinstance(call.func, ast.Call) and hasattr(at.object(call.func.func), "apply"):
            kind = ast.unparse(call.func.func)
            given = ", ".join(ast.unparse(argument) for argument in call.args)
            return at.report("without_apply", function=kind, instead=f"{kind}.apply({given})")
    return None


def explain_wrong_grad(at: Refusal) -> Finding:
    return at.report("wrong_grad", got=at.match[1], expected=at.match[2])


def explain_hook_unneeded(at: Refusal) -> Finding:
    name = at.receiver("register_hook") or "t"
    return explain_plain(at, "hook_unneeded", at.tensor(name), name)


def explain_retain_unneeded(at: Refusal) -> Finding:
    name = at.receiver("retain_grad") or "t"
    return explain_plain(at, "retain_unneeded", at.tensor(name), name)


def explain_grad_is_none(at: Refusal) -> Finding | None:
    """Explain a missing gradient in a line that computes with it."""
    for node in ast.walk(at.line.tree or ast.Pass()):
        if not isinstance(node, ast.Attribute) or node.attr != "grad":
            continue
        name = ast.unparse(node.value)
        t = at.value(node.value)
        kept = t is not None and (t.is_leaf or t.retains_grad)
        if t is None or (kept and t.grad is not None):
            continue
        line = at.context.line(at.line)
        finding = at.context.explain_gradient(t)
        path = parameter_path(at.context, t)
        if finding.cause == "never_used" and not path:
            return at.report("grad_is_none", t=name)
        if path not in ("", name):
            finding.sentences.append(at.context.say("is_called", t=name, known=path))
        if finding.cause in ("never_used", "not_reached"):
            if (made := find_storing_line(at.context, path)) is not None:
                made_in = at.context.line(made)
                finding.sentences.append(at.context.say("made_for_module", line=made_in))
        finding.sentences.append(at.context.say("asked_by", line=line))
        if finding.cause in ("not_called", "not_called_or_taken", "taken_away"):
            return at.report("grad_is_none", t=name)
        if finding.cause == "not_leaf":
            remade = explain_remade(at, t, name)
            if remade:  # the update is the cure
                finding.sentences[1:] = [finding.sentences[-1]]
            finding.sentences += remade
        return finding
    return None


def parameter_path(context: Context, t: Any) -> str:
    """Return a parameter's path in a module of the program: `net.head.weight`."""
    for name, value in context.variables.items():
        if is_module(value) and not name.startswith("_"):
            for path, parameter in value.named_parameters():
                if parameter is t:
                    return f"{name}.{path}"
    return ""


def explain_remade(at: Refusal, t: Any, name: str) -> list[str]:
    """Explain a weight that a line replaces by a new tensor: `w = w - lr * w.grad`."""
    for statement in at.context.program.statements:
        new = update_of(statement)
        if new is not None and new[0] == name and name in assigned(statement.tree or ast.Pass()):
            line = at.context.line(statement)
            text = "\n".join(each.text for each in at.context.program.statements)
            key = "remade" if CLEARS.search(text) else "remade_uncleared"
            return [at.context.say(key, t=name, line=line, instead=new[2])]
    return []


def explain_no_backward(at: Refusal) -> Finding | None:
    """Explain backward() of an object that is not a tensor."""
    kind = at.match[1]
    for call in at.calls("backward"):
        tree = getattr(call.func, "value", None)
        if tree is None:
            continue
        name = ast.unparse(tree)
        if kind.removeprefix("numpy.") not in ("float", "int", "ndarray", "float32", "float64"):
            return None
        finding = Finding(
            "number_backward", [at.context.say("number_backward", t=name, where=at.where)]
        )
        history = History(lambda tensor: bool(tensor.requires_grad), at.context.running)
        fate = history.fate_of_root(name)
        finding.sentences += describe(at.context, history, fate) if fate.kind == "cut" else []
        return finding
    return None


def explain_hook_size(at: Refusal) -> Finding:
    """Explain a hook that changes the size; name its line if there is only one."""
    lines = at.context.program.calls("register_hook")
    name = at.match[1]
    return at.report(
        "hook_size", hook=f"`{name}`", where=at.context.where(lines[0]) if len(lines) == 1 else ""
    )


def explain_flag_of_result(at: Refusal) -> Finding:
    tree = at.line.tree
    targets = tree.targets if isinstance(tree, ast.Assign) else []
    attributes = [t for t in targets if isinstance(t, ast.Attribute)]
    name = at.receiver("requires_grad_")
    return at.report("flag_of_result", t=ast.unparse(attributes[0].value) if attributes else name)


def explain_only_tensors(at: Refusal) -> Finding:
    for call in at.calls("apply"):
        if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
            kind = at.context.variables.get(call.func.value.id)
            for line in statements_of(kind, "forward"):
                if "save_for_backward" in line.text:
                    return at.report("only_tensors", where=at.context.where(line))
    return at.report("only_tensors")


def explain_place_of_parameter(at: Refusal) -> Finding:
    return at.report("place_of_parameter", t=at.match[1])


REFUSALS: list[tuple[str, Callable[[Refusal], Finding | None]]] = [
    (r"function that returns multiple views", explain_several_views),
    (r"Mismatch in shape: .*?Size\((\[.*?\])\).*?Size\((\[.*?\])\)", explain_wrong_shape),
    (r"differentiated Tensors does not require grad", explain_input_not_required),
    (r"nly Tensors of floating point .*can require gradients", explain_integers),
    (r"Can't call numpy\(\) on Tensor that requires grad", explain_to_numpy),
    (r"support the deepcopy protocol", explain_deepcopy),
    (r"can't optimize a non-leaf Tensor", explain_optimizer_of_result),
    (r"optimizer got an empty parameter list", explain_no_parameters),
    (r"unction (\w+) returned an incorrect number of gradients \(expected (\d+), got (\d+)\)",
     explain_wrong_number),
    (r"unction (\w+) returned an invalid gradient at index (\d+) - got (\[.*?\]) but expected "
     r"shape compatible with (\[.*?\])", explain_wrong_gradient),
    (r"([\w.<>]+)\.forward\(\) missing \d+ required positional argument", explain_without_apply),
    (r"Legacy autograd function with non-static forward", explain_called_as_instance),
    (r"assign a gradient of size '(.*?)' to a tensor of size '(.*?)'", explain_wrong_grad),
    (r"hook '(.+?)' has changed the size", explain_hook_size),
    (r"cannot register a hook on a tensor that doesn't require gradient", explain_hook_unneeded),
    (r"can't retain_grad on Tensor that has requires_grad=False", explain_retain_unneeded),
    (r"'([\w.]+)' object has no attribute 'backward'", explain_no_backward),
    (r"'NoneType' object (has no attribute|is not \w+|cannot)", explain_grad_is_none),
    (r"unsupported operand type\(s\) for .*'NoneType'", explain_grad_is_none),
    (r"NoneType", explain_grad_is_none),
    (r"can only change requires_grad flags of leaf variables", explain_flag_of_result),
    (r"save_for_backward can only save variables", explain_only_tensors),
    (r"cannot assign '.*' as parameter '(\w+)'", explain_place_of_parameter),
]  # fmt: skip


def explain_refusal(
    context: Context, error: BaseException, line: Statement | None
) -> Finding | None:
    """Explain an error outside of a backward pass, or return None if it is unknown."""
    if line is None:
        return None
    for pattern, explained in REFUSALS:
        if (match := re.search(pattern, message_of(error), re.DOTALL)) is not None:
            return explained(Refusal(context, error, match, line))
    return None
