"""What autograd refuses besides a backward pass: by its words, which are the same in both
libraries, with the line that asked for it and what to write in its place.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from types import FunctionType, ModuleType, TracebackType
from typing import Any

from minigrad.autograd.events import said_by

from ..model.autograd_nodes import node_name
from ..model.frame_locals import names_in
from ..model.names import is_tensor
from ..model.program import Program, Statement, assigned
from .causes import UNNAMED, Case, Finding
from .ended import library_of, sentences, without_history
from .evidence import arguments_in
from .history import History
from .objects import function_called, is_library, is_module, resolved
from .scope import Scope
from .silent import returning, statements_of, stored_in
from .syntax import calls_in, enclosed, update_of

Words = re.Match[str]


class Refusal:
    """An error, with the line of the program that raised it."""

    def __init__(self, case: Case, error: BaseException, words: Words, line: Statement) -> None:
        self.case = case
        self.trace: TracebackType | None = error.__traceback__
        self.words = words
        self.line = line
        self.where = case.where(line)

    def found(self, cause: str, **parts: object) -> Finding:
        """The cause and, under the same key, the cure."""
        given = {"where": self.where, "line": self.case.line(self.line), **parts}
        given["library"] = library_of(self.case)[0]
        sentences = [self.case.say(cause, **given), self.case.say(f"cure_{cause}", **given)]
        return Finding(cause, sentences)

    def calls(self, *names: str) -> list[ast.Call]:
        """The calls in the line of something with one of these names."""
        walked = ast.walk(self.line.tree or ast.Pass())
        calls = [node for node in walked if isinstance(node, ast.Call)]
        return [c for c in calls if getattr(c.func, "attr", getattr(c.func, "id", "")) in names]

    def receiver(self, method: str) -> str:
        """What the method is called on, as it is written; empty if it is not written."""
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
        """The tensor that is called so."""
        return next((t for t in self.case.tensors if self.case.name(t) == name), None)

    def value(self, tree: ast.expr) -> Any:
        """The tensor that a name, `self.w` or `layer.weight` stands for where the line ran."""
        value = self.object(tree)
        return value if is_tensor(value) else None

    def object(self, tree: ast.expr) -> Any:
        """What an expression stands for there; None if it is not to be seen."""
        for frame, _ in reversed(self.case.running):
            scope = Scope([], names_in(frame), None, True)
            if (value := resolved(tree, scope)) is not None:
                return value
        return None

    def class_of(self, function: str) -> Any:
        """The reader's class whose node has this name."""
        found = self.case.variables.get(function.removesuffix("Backward"))
        return found if isinstance(found, type) else None


def several_views(at: Refusal) -> Finding:
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
        return at.found("several_views_somehow", t=name)
    return at.found("several_views", t=name, instead=instead)


def wrong_shape(at: Refusal) -> Finding:
    given, needed = at.words[1], at.words[2]
    roots = arguments_in(at.trace, "outputs", "tensors", "self")
    names = [at.case.name(root) for root in roots if str(list(root.shape)) == needed]
    line = at.case.line(at.line) if names else "`backward()`"  # it was raised again elsewhere
    root = [*names, UNNAMED][0]
    return at.found("wrong_shape", root=root, given=given, needed=needed, line=line)


def input_not_required(at: Refusal) -> Finding:
    inputs = list(arguments_in(at.trace, "inputs"))
    bare = next((t for t in inputs if not t.requires_grad), None)
    if bare is None:  # it was raised again by the program, or without its traceback
        return at.found("input_not_required", t=UNNAMED, where="")
    finding = at_plain(at, "input_not_required", bare, at.case.name(bare))
    made = at.case.program.assignment(at.case.name(bare))
    if finding.about or (made is not None and made.block):
        finding.sentences.append(at.case.say("or_a_leaf_there", t=at.case.name(bare)))
    return finding


def at_plain(at: Refusal, cause: str, t: Any, name: str) -> Finding:
    """Something asked of a tensor that does not require grad."""
    parts = {"t": name, "where": at.where}
    if t is None:
        return at.found(cause, **parts)
    finding = Finding(cause, [at.case.say(cause, **parts)])
    finding.about, said = without_history(at.case, t)
    if type(t).__name__ == "Parameter":
        finding.about = ""
    finding.sentences += said or at.case.origin(t, finding)
    return finding


def integers(at: Refusal) -> Finding:
    return at.found("integers")


def to_numpy(at: Refusal) -> Finding:
    name = at.receiver("numpy")
    finding = (
        at.found("to_numpy", t=f"`{name}`", t_plain=enclosed(name))
        if name
        else at.found("to_numpy_somehow")
    )
    evaluated = at.case.program.calls("eval")
    if evaluated and not any(s.block for s in at.case.program.statements):
        line = at.case.line(evaluated[-1])
        finding.sentences.append(at.case.say("eval_records", line=line))
    return finding


def deepcopy(at: Refusal) -> Finding:
    return at.found("deepcopy", t=at.argument("deepcopy", "copy") or "t")


def optimizer_of_result(at: Refusal) -> Finding:
    t = next(
        (t for t in arguments_in(at.trace, "param", "parameter") if t.grad_fn is not None), None
    )
    if t is None:
        return at.found("optimizer_result", t=UNNAMED, made="")
    where = at.case.where(at.case.node_line(t.grad_fn))
    made = at.case.say("made_by_node", node=node_name(t.grad_fn), where=where)
    return at.found("optimizer_result", t=at.case.name(t), made=made)


def no_parameters(at: Refusal) -> Finding:
    for call in at.calls(*_called(at.line)):
        for argument in call.args[:1]:
            if isinstance(argument, ast.Name):
                value = at.case.variables.get(argument.id)
                made = at.case.program.assignment(argument.id)
                if inspect.isgenerator(value) and made is not None:
                    return used_up(at, argument.id, made)
            if isinstance(argument, ast.Call) and isinstance(argument.func, ast.Attribute):
                owner = argument.func.value
                module = at.case.variables.get(owner.id) if isinstance(owner, ast.Name) else None
                if module is not None and (hidden := _hidden(module)):
                    name, kind = hidden
                    line = _storing(type(module), name)
                    lines = at.case.line(line) if line else f"`self.{name}`"
                    name = f"{ast.unparse(owner)}.{name}"
                    return at.found("hidden_layers", attribute=name, kind=kind, line=lines)
    return at.found("no_parameters")


def used_up(at: Refusal, name: str, made: Statement) -> Finding:
    users = [
        s
        for s in at.case.program.statements
        if s.tree is not None
        and s != at.line
        and name not in assigned(s.tree)
        and any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(s.tree))
    ]
    value = getattr(made.tree, "value", None)
    text = ast.unparse(value) if value is not None else name
    by = at.case.line(users[-1]) if users else at.case.line(made)
    return at.found("used_up", t=name, by=by, instead=f"{name} = list({text})")


def _called(line: Statement) -> list[str]:
    calls = [n.func for n in ast.walk(line.tree or ast.Pass()) if isinstance(n, ast.Call)]
    return [str(getattr(f, "attr", getattr(f, "id", ""))) for f in calls]


def _hidden(module: Any) -> tuple[str, str] | None:
    """An attribute in which a module keeps layers where parameters() does not look."""
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
    """The line of a class that gives `self.name` its value."""
    function = inspect.getattr_static(kind, "__init__", None)
    if not isinstance(function, FunctionType):
        return None
    for statement in Program.of(function).statements:
        targets = statement.tree.targets if isinstance(statement.tree, ast.Assign) else []
        if any(isinstance(t, ast.Attribute) and t.attr == name for t in targets):
            return statement
    return None


def wrong_number(at: Refusal) -> Finding:
    kind = at.class_of(at.words[1])
    line = returning(kind)
    where = at.case.where(line) if line is not None else ""
    name = at.words[1].removesuffix("Backward")
    parts = {"expected": at.words[2], "got": at.words[3], "where": where}
    return at.found("wrong_number", function=name, **parts)


def wrong_gradient(at: Refusal) -> Finding:
    line = returning(at.class_of(at.words[1]))
    where = at.case.where(line) if line is not None else ""
    name = at.words[1].removesuffix("Backward")
    parts = {"index": at.words[2], "got": at.words[3], "expected": at.words[4], "where": where}
    return at.found("wrong_gradient", function=name, **parts)


def without_apply(at: Refusal) -> Finding | None:
    kind = at.class_of(at.words[1].rpartition(".")[2])
    if kind is None or not hasattr(kind, "apply") or not at.calls("forward"):
        return None
    instead = at.line.text.replace(".forward(", ".apply(")
    return at.found("without_apply", function=kind.__name__, instead=instead)


def called_as_instance(at: Refusal) -> Finding | None:
    """`Square()(x)` in place of `Square.apply(x)`."""
    for call in at.calls(*_called(at.line)):
        if isinstance(call.func, ast.Call) and hasattr(at.object(call.func.func), "apply"):
            kind = ast.unparse(call.func.func)
            given = ", ".join(ast.unparse(argument) for argument in call.args)
            return at.found("without_apply", function=kind, instead=f"{kind}.apply({given})")
    return None


def wrong_grad(at: Refusal) -> Finding:
    return at.found("wrong_grad", got=at.words[1], expected=at.words[2])


def hook_unneeded(at: Refusal) -> Finding:
    name = at.receiver("register_hook") or "t"
    return at_plain(at, "hook_unneeded", at.tensor(name), name)


def retain_unneeded(at: Refusal) -> Finding:
    name = at.receiver("retain_grad") or "t"
    return at_plain(at, "retain_unneeded", at.tensor(name), name)


def grad_is_none(at: Refusal) -> Finding | None:
    """A gradient that is not there, in a line that computes with it."""
    for node in ast.walk(at.line.tree or ast.Pass()):
        if not isinstance(node, ast.Attribute) or node.attr != "grad":
            continue
        name = ast.unparse(node.value)
        t = at.value(node.value)
        if t is None or t.grad is not None:
            continue
        line = at.case.line(at.line)
        finding = at.case.gradient(t)
        path = path_of(at.case, t)
        if finding.cause == "never_used" and not path:
            return at.found("grad_is_none", t=name)
        if path not in ("", name):
            finding.sentences.append(at.case.say("is_called", t=name, known=path))
        if finding.cause in ("never_used", "not_reached"):
            if (made := stored_in(at.case, path)) is not None:
                made_in = at.case.line(made)
                finding.sentences.append(at.case.say("made_for_module", line=made_in))
        finding.sentences.append(at.case.say("asked_by", line=line))
        if finding.cause in ("not_called", "not_called_or_taken", "taken_away"):
            return at.found("grad_is_none", t=name)
        if finding.cause == "not_leaf":
            finding.sentences += remade(at, t, name)
        return finding
    return None


def path_of(case: Case, t: Any) -> str:
    """What a parameter is called in a module of the program: `net.head.weight`."""
    for name, value in case.variables.items():
        if is_module(value) and not name.startswith("_"):
            for path, parameter in value.named_parameters():
                if parameter is t:
                    return f"{name}.{path}"
    return ""


def remade(at: Refusal, t: Any, name: str) -> list[str]:
    """A weight that a line computes anew from itself and its gradient: `w = w - lr * w.grad`."""
    for statement in at.case.program.statements:
        new = update_of(statement)
        if new is not None and new[0] == name and name in assigned(statement.tree or ast.Pass()):
            line = at.case.line(statement)
            return [at.case.say("remade", t=name, line=line, instead=new[2])]
    return []


def module_for_parameters(at: Refusal) -> Finding | None:
    """An optimizer that was given a module, or a tensor by itself, in place of parameters."""
    for call in at.calls(*_called(at.line)):
        given = call.args[0] if call.args else None
        value = None if given is None else at.object(given)
        if given is None or not (is_module(value) or is_tensor(value)):
            continue
        text = ast.unparse(given)
        instead = f"{text}.parameters()" if is_module(value) else f"[{text}]"
        return at.found("module_for_parameters", t=text, instead=instead)
    return None


def no_backward(at: Refusal) -> Finding | None:
    """backward() of what is no tensor."""
    kind = at.words[1]
    for call in at.calls("backward"):
        tree = getattr(call.func, "value", None)
        if tree is None:
            continue
        name = ast.unparse(tree)
        if kind in ("list", "tuple"):
            return at.found("list_backward", t=name, kind=kind, instead=f"sum({name}).backward()")
        if kind == "NoneType":
            return returns_nothing(at, name)
        if kind not in ("float", "int", "ndarray", "float32", "float64", "numpy.float64"):
            return None
        finding = Finding(
            "number_backward", [at.case.say("number_backward", t=name, where=at.where)]
        )
        history = History(lambda tensor: bool(tensor.requires_grad), at.case.running)
        fate = history.of_root(name)
        finding.sentences += sentences(at.case, history, fate) if fate.kind == "cut" else []
        return finding
    return None


def returns_nothing(at: Refusal, name: str) -> Finding | None:
    """A function of the reader's without a return, whose result is None."""
    made = at.case.program.assignment(name)
    for frame, _ in at.case.running[-1:]:
        scope = Scope([], names_in(frame), None, True)
        for call in calls_in(made.tree if made is not None else None):
            function = function_called(call, scope)
            if function is None or is_library(function[0]):
                continue
            lines = Program.of(function[0]).statements
            if not lines or any(isinstance(s.tree, ast.Return) and s.tree.value for s in lines):
                continue
            last = assigned(lines[-1].tree or ast.Pass())
            parts = {"t": name, "function": ast.unparse(call.func), "line": at.case.line(lines[-1])}
            finding = Finding("returns_nothing", [at.case.say("returns_nothing", **parts)])
            if len(last) == 1:
                cure = f"return {last.pop()}"
                finding.sentences.append(at.case.say("cure_returns_nothing", instead=cure))
            return finding
    return None


def hook_size(at: Refusal) -> Finding:
    """The line where the hook was put on, if there is one only."""
    lines = at.case.program.calls("register_hook")
    name = at.words[1]
    return at.found(
        "hook_size", hook=f"`{name}`", where=at.case.where(lines[0]) if len(lines) == 1 else ""
    )


def flag_of_result(at: Refusal) -> Finding:
    tree = at.line.tree
    targets = tree.targets if isinstance(tree, ast.Assign) else []
    attributes = [t for t in targets if isinstance(t, ast.Attribute)]
    name = at.receiver("requires_grad_")
    return at.found("flag_of_result", t=ast.unparse(attributes[0].value) if attributes else name)


def only_tensors(at: Refusal) -> Finding:
    for call in at.calls("apply"):
        if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
            kind = at.case.variables.get(call.func.value.id)
            for line in statements_of(kind, "forward"):
                if "save_for_backward" in line.text:
                    return at.found("only_tensors", where=at.case.where(line))
    return at.found("only_tensors")


def place_of_parameter(at: Refusal) -> Finding:
    return at.found("place_of_parameter", t=at.words[1])


REFUSALS: list[tuple[str, Callable[[Refusal], Finding | None]]] = [
    (r"function that returns multiple views", several_views),
    (r"Mismatch in shape: .*?Size\((\[.*?\])\).*?Size\((\[.*?\])\)", wrong_shape),
    (r"differentiated Tensors does not require grad", input_not_required),
    (r"nly Tensors of floating point .*can require gradients", integers),
    (r"Can't call numpy\(\) on Tensor that requires grad", to_numpy),
    (r"support the deepcopy protocol", deepcopy),
    (r"can't optimize a non-leaf Tensor", optimizer_of_result),
    (r"optimizer got an empty parameter list", no_parameters),
    (r"unction (\w+) returned an incorrect number of gradients \(expected (\d+), got (\d+)\)",
     wrong_number),
    (r"unction (\w+) returned an invalid gradient at index (\d+) - got (\[.*?\]) but expected "
     r"shape compatible with (\[.*?\])", wrong_gradient),
    (r"([\w.<>]+)\.forward\(\) missing \d+ required positional argument", without_apply),
    (r"Legacy autograd function with non-static forward", called_as_instance),
    (r"assign a gradient of size '(.*?)' to a tensor of size '(.*?)'", wrong_grad),
    (r"hook '(.+?)' has changed the size", hook_size),
    (r"cannot register a hook on a tensor that doesn't require gradient", hook_unneeded),
    (r"can't retain_grad on Tensor that has requires_grad=False", retain_unneeded),
    (r"'\w+' object is not iterable|should be an iterable of Tensors", module_for_parameters),
    (r"'([\w.]+)' object has no attribute 'backward'", no_backward),
    (r"'NoneType' object (has no attribute|is not \w+|cannot)", grad_is_none),
    (r"unsupported operand type\(s\) for .*'NoneType'", grad_is_none),
    (r"NoneType", grad_is_none),
    (r"can only change requires_grad flags of leaf variables", flag_of_result),
    (r"save_for_backward can only save variables", only_tensors),
    (r"cannot assign '.*' as parameter '(\w+)'", place_of_parameter),
]  # fmt: skip


def refused(case: Case, error: BaseException, line: Statement | None) -> Finding | None:
    """What an error means that is none of a backward pass; None if it is not known."""
    if line is None:
        return None
    for pattern, explained in REFUSALS:
        if (words := re.search(pattern, said_by(error), re.DOTALL)) is not None:
            return explained(Refusal(case, error, words, line))
    return None
