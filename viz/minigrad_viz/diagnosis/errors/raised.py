"""The evidence about an error: the reader's line, the modules that were called, and live values."""

from __future__ import annotations

import ast
import contextlib
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from minigrad.autograd.events import message_of

from ...model.frame_locals import names_in, variables_of
from ...model.lines import of_library
from ...model.names import is_tensor
from ...model.program_text import Statement, texts_of
from ...model.values import shape_of
from ..causes import Context
from ..ended import module_names
from ..evidence import Place, frames_of
from ..objects import is_library, is_module, resolve
from ..rules.evidence import tree_of
from ..scope import Scope
from ..silent import statements_of
from ..syntax import last_name
from .computed import computed

CALLS = ("__call__", "_call_impl", "_call_with_hooks", "_call_recorded")
"""The library's functions that call a module's forward, with `self` and `args`."""


UNSEEN = Statement("", 0)
"""The line of an error if the program's text is nowhere."""


@dataclass(frozen=True)
class Call:
    """A module and the arguments that it was called with."""

    module: Any
    args: tuple[Any, ...]

    @property
    def given(self) -> Any:
        """The first argument, if it is a tensor."""
        return self.args[0] if self.args and is_tensor(self.args[0]) else None


@dataclass(frozen=True)
class Raised:
    """An error, and the line of the program that raised it."""

    context: Context
    error: BaseException
    line: Statement

    @cached_property
    def message(self) -> str:
        return message_of(self.error)

    def match(self, pattern: str) -> re.Match[str] | None:
        return re.search(pattern, self.message, re.DOTALL)

    @cached_property
    def parts(self) -> dict[str, object]:
        """The parts that every sentence may have."""
        at = {"where": self.context.where(self.line), "line": self.context.line(self.line)}
        return {**at, **module_names(self.context)}

    @cached_property
    def nn(self) -> str:
        return module_names(self.context)["nn"]

    @cached_property
    def functional(self) -> str:
        return module_names(self.context)["functional"]

    @cached_property
    def tree(self) -> ast.stmt | None:
        """The statement that raised the error; of an `if` or a loop, its head."""
        if self.line.tree is not None or not self.frames:
            return self.line.tree
        frame, number = self.frames[-1]
        for text in texts_of(frame)[-1:]:
            statements = (node for node in ast.walk(tree_of(text)) if isinstance(node, ast.stmt))
            around = [s for s in statements if s.lineno <= number <= (s.end_lineno or 0)]
            return head_of(max(around, key=lambda s: s.lineno)) if around else None
        return None

    # --- What was called

    @cached_property
    def frames(self) -> list[Place]:
        """The frames of the program in the traceback, outermost first."""
        return frames_of(self.error.__traceback__)

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """The modules that were running, outermost first."""
        found: list[Call] = []
        trace = self.error.__traceback__
        while trace is not None:
            if of_library(trace.tb_frame) and trace.tb_frame.f_code.co_name in CALLS:
                names = variables_of(trace.tb_frame)
                module, args = names.get("self"), names.get("args", ())
                if is_module(module) and (not found or found[-1].module is not module):
                    found.append(Call(module, args))
            trace = trace.tb_next
        return tuple(found)

    @cached_property
    def inner(self) -> Call | None:
        """The call of the library's own module that raised the error, or None."""
        last = self.calls[-1] if self.calls else None
        return last if last is not None and is_library(type(last.module)) else None

    def kind(self) -> str:
        """Return the class of the library's module that raised the error, or ""."""
        return "" if self.inner is None else type(self.inner.module).__name__

    def name_of(self, module: Any) -> str:
        """Return the module as the line calls it, or by its path: `model[2]`."""
        for call in self.line_calls:
            if self.object(call.func) is module:
                return ast.unparse(call.func)
        path = self.path_of(module)
        return path or type(module).__name__

    def path_of(self, module: Any) -> str:
        owner, name, key = self.place_of(module)
        if owner is None:
            return name
        return f"{name}[{key}]" if key.isdigit() else f"{name}.{key}"

    def place_of(self, module: Any) -> tuple[Any, str, str]:
        """Return a module's owner, with its path, and the name in it; no owner for a variable."""
        known = [(n, m) for n, m in self.context.variables.items() if is_module(m)]
        for name, each in known:
            if each is module and name != "self":
                return None, name, ""
        for name, outer in sorted(known, key=lambda pair: pair[0] == "self"):
            for path, owner in outer.named_modules():
                for key, child in owner.named_children():
                    if child is module:
                        steps = [f"[{s}]" if s.isdigit() else f".{s}" for s in path.split(".") if s]
                        return owner, name + "".join(steps), key
        return None, "", ""

    def maker_of(self, module: Any) -> tuple[Statement, ast.Call] | None:
        """Return the line that makes a module, and the call in it: `nn.Linear(256, 10)`."""
        owner, name, key = self.place_of(module)
        line: Statement | None = None
        value: Any = None
        if owner is None:
            line = self.context.program.assignment(name) if name else None
            value = getattr(line.tree, "value", None) if line is not None else None
        elif type(owner).__name__ == "Sequential" and key.isdigit():
            outer = self.maker_of(owner)
            if outer is not None and len(outer[1].args) == len(owner):
                line, value = outer[0], outer[1].args[int(key)]
        else:
            for each in lines_of(type(owner), "__init__"):
                targets = each.tree.targets if isinstance(each.tree, ast.Assign) else []
                if any(isinstance(t, ast.Attribute) and t.attr == key for t in targets):
                    line, value = each, getattr(each.tree, "value", None)
        if line is None or not isinstance(value, ast.Call):
            return None
        return (line, value) if last_name(value) == type(module).__name__ else None

    # --- Live values

    @cached_property
    def line_calls(self) -> list[ast.Call]:
        walked = ast.walk(self.tree or ast.Pass())
        return [node for node in walked if isinstance(node, ast.Call)]

    @cached_property
    def scope(self) -> Scope:
        """The variables of the function that raised the error."""
        frames = self.frames
        objects = names_in(frames[-1][0]) if frames else self.context.variables
        return Scope([], objects, None, True)

    def object(self, tree: ast.expr) -> Any:
        """Return the object that an expression of the line stands for, or None."""
        found = resolve(tree, self.scope)
        if found is None and not isinstance(tree, ast.Name | ast.Constant):
            with contextlib.suppress(Exception), self.context.library().no_grad():
                found = computed(tree, lambda each: resolve(each, self.scope))
        return found

    def anywhere(self, tree: ast.expr) -> Any:
        """Return the object that an expression stands for in any frame of the program, or None."""
        return resolve(tree, Scope([], self.context.variables, None, True))

    @cached_property
    def operands(self) -> dict[str, Any]:
        """The tensors that the line reads, by their text."""
        found: dict[str, Any] = {}
        for node in ast.walk(self.tree or ast.Pass()):
            if not isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
                continue
            if isinstance(node.ctx, ast.Store) and not isinstance(self.tree, ast.AugAssign):
                continue
            value = self.object(node)
            if is_tensor(value) and hasattr(type(value), "numel"):
                found.setdefault(ast.unparse(node), value)
        return found

    def text_of(self, tensor: Any) -> str:
        """Return the expression of the line for a tensor, or its name in the program, or ""."""
        here = (text for text, value in self.operands.items() if value is tensor)
        return next(here, "") or self.context.names.of(tensor) or ""

    def origin(self, tensor: Any) -> str:
        """Return the outermost variable of the program that holds this tensor, or ""."""
        for frame, _ in self.frames:
            own = variables_of(frame)
            for name, value in own.items():
                if value is tensor and not name.startswith("_"):
                    return name
        return ""

    def method(self, *names: str) -> tuple[ast.Call, str, Any] | None:
        """Return the first such method call of the line, with its receiver and its value."""
        for call in self.line_calls:
            if isinstance(call.func, ast.Attribute) and call.func.attr in names:
                return call, ast.unparse(call.func.value), self.object(call.func.value)
        return None

    def receiver(self, method: str) -> str:
        """Return the text of the object that the line calls this method of, or ""."""
        found = self.method(method)
        return "" if found is None else found[1]

    def called(self, *names: str) -> Iterator[ast.Call]:
        """Yield the calls of the line to functions or methods of these names."""
        for call in self.line_calls:
            if getattr(call.func, "attr", getattr(call.func, "id", "")) in names:
                yield call

    def maker_line(self, name: str) -> Statement | None:
        """Return the last line that assigns a variable."""
        return self.context.program.assignment(name)


def head_of(tree: ast.stmt) -> ast.stmt | None:
    """Return a statement without the statements in it."""
    if isinstance(tree, ast.If | ast.While):
        return ast.copy_location(type(tree)(tree.test, [], []), tree)
    if isinstance(tree, ast.For):
        return ast.copy_location(ast.Assign([tree.target], tree.iter), tree)
    return None if getattr(tree, "body", None) else tree


def lines_of(kind: type, method: str) -> list[Statement]:
    """Return the statements of a method that a user's class has or inherits."""
    function = inspect.getattr_static(kind, method, None)  # runs no descriptor of the reader
    return [] if is_library(function) else statements_of(kind, method)


def size_text(value: Any) -> str:
    """Return a tensor's shape, or sizes, as text.

    >>> size_text((2, 3)), size_text([4])
    ('(2, 3)', '(4,)')
    """
    sizes = shape_of(value) if is_tensor(value) else value
    return str(tuple(sizes))


def dtype_text(value: Any) -> str:
    """Return "float32" for `torch.float32`."""
    return str(value.dtype).rpartition(".")[2]


def resized(raised: Raised, module: Any, name: str, size: int) -> dict[str, object]:
    """Return `cure`, the module's call with another first size, and `at`, the line of that call."""
    made = raised.maker_of(module)
    cure = with_argument(made[1], 0, name, str(size)) if made is not None else ""
    if made is not None and cure:
        return {"cure": cure, "at": raised.context.where(made[0])}
    kind = type(module).__name__
    rest = getattr(module, "out_features", "...")
    return {"cure": f"{raised.nn}.{kind}({size}, {rest})", "at": ""}


def with_argument(call: ast.Call, place: int, name: str, value: str) -> str:
    """Return the call with one argument replaced: `nn.Linear(400, 10)`.

    >>> call = ast.parse("nn.Linear(256, out_features=10)", mode="eval").body
    >>> with_argument(call, 0, "in_features", "400")
    'nn.Linear(400, out_features=10)'
    """
    copy = ast.parse(ast.unparse(call), mode="eval").body
    assert isinstance(copy, ast.Call)
    new = ast.parse(value, mode="eval").body
    for word in copy.keywords:
        if word.arg == name:
            word.value = new
            return ast.unparse(copy)
    if place < len(copy.args) and not any(isinstance(a, ast.Starred) for a in copy.args):
        copy.args[place] = new
        return ast.unparse(copy)
    return ""
