"""Find where the history of a tensor ended.

A tensor without history does not know what it lost, but the program's text tells. Its expressions
are followed backwards, through variables, helpers and `forward` methods, to a value with a history.
The answer is the step after which there is none. Nothing is run. Existing tensors are consulted
first, since they are right whatever the text suggests.

The questions are here; variables.py, calls.py and expressions.py follow the text.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from functools import partial
from types import CodeType, FunctionType
from typing import Any

from ..model.frame_locals import names_in
from ..model.program_text import Program, Statement, assigned
from .evidence import Place
from .expressions import Expressions
from .fate import LIVE, UNKNOWN, Cut, Fate
from .objects import function_called, is_installed, is_library, is_module, resolve
from .scope import Scope, at_line, enter, parameters_of
from .syntax import calls_in, freezes, root_of_pass

Entered = tuple[FunctionType, Any, Scope]
"""A user's function, the object that it is bound to, and its scope."""


class History(Expressions):
    """Answers what happened to a value of the running functions at `places`."""

    def __init__(
        self, alive: Callable[[Any], bool], places: list[Place], leaves: bool = True
    ) -> None:
        super().__init__(alive, leaves)
        self.places = places
        self.scopes: list[Scope] = []
        for place in places:
            frame = place[0]
            objects = names_in(frame)
            fates = self.argument_fates(frame.f_code) if self.scopes else {}
            statements = Program([place]).statements
            self.scopes.append(Scope(statements, objects, fates, True, frame))
        self.heads = [at_line(s, p[1]) for s, p in zip(self.scopes, places, strict=True)]

    def fate_of_variable(self, name: str) -> Fate:
        """Return the fate of a variable of the innermost function that has it."""
        for number, scope in reversed(list(enumerate(self.scopes))):
            if name in scope.own or name in scope.fates:
                return self.exclude_live(
                    partial(self.name, name, scope, len(scope.statements)), number
                )
        return UNKNOWN

    def fate_of_root(self, text: str) -> Fate:
        """Return the fate of the value that the running line starts a pass from.

        `text` is its name if the line does not show it.
        """
        scope, index = self.scopes[-1], self.heads[-1]
        if index is None:
            return self.fate_of_variable(text)
        at = scope.statements[index]
        roots = (root for call in calls_in(at.tree) if (root := root_of_pass(call)) is not None)
        root = next(roots, None)
        if root is None or isinstance(root, ast.List | ast.Tuple):
            return self.fate_of_variable(text)
        follow = partial(self.follow_unnamed, root, scope, index, at)
        return self.exclude_live(follow, len(self.scopes) - 1)

    def exclude_live(self, follow: Callable[[], Fate], number: int) -> Fate:
        """Return the fate of a value that is known to have no history.

        If the text says that it is live, a mode that the text leaves open has ended the history.
        """
        try:
            fate = self.apply_outer_modes(follow(), number)
            if fate.kind == "live":
                self.doubtful = True
                fate = self.apply_outer_modes(follow(), number)
            # Of the two possible values, it was the plain one.
            if fate.kind == "live" and len(fate.plain) == 1:
                what, statement = fate.plain[0]
                fate = Fate("cut", (Cut("branch", statement, what, what),))
        except RecursionError:  # an expression of a thousand terms
            return UNKNOWN
        return fate

    def apply_outer_modes(self, fate: Fate, number: int) -> Fate:
        """Apply to a fate the modes in which its function was called."""
        for scope, head in zip(self.scopes[:number], self.heads, strict=False):
            if fate.kind == "live" and head is not None:
                fate = self.in_block(fate, scope.statements[head], "", "", scope, head)
        if fate.kind != "live":
            return fate
        for switch in self.lines_left_off():
            return Fate("cut", (Cut("switched", switch, switch.text, ""),))
        return fate

    def fate_of_result(self, tensor: Any) -> Fate:
        """Return the fate of a result that a library hands to the running function, as to a hook.

        The modes around the library's call count, unless the caller had the tensor before.
        """
        outer = (each for scope in self.scopes[:-1] for each in scope.objects.values())
        if any(each is tensor for each in outer):
            return UNKNOWN
        fate = self.apply_outer_modes(LIVE, len(self.scopes) - 1)
        return fate if fate.kind == "cut" else UNKNOWN

    def lines_left_off(self) -> list[Statement]:
        """Return the lines where called functions switch recording off and leave it off."""
        found = []
        for scope in self.scopes:
            for _, _, inner in self.functions_entered(scope, scope.statements):
                found += [s for s in inner.switches[-1:] if s is not None]
        return found

    def freezing_lines(self) -> list[Statement]:
        """Return the lines that set requires_grad of parameters to False."""
        found = [s for scope in self.scopes for s in scope.statements]
        for scope in self.scopes:
            for _, _, inner in self.functions_entered(scope, scope.statements):
                found += inner.statements
        return list(dict.fromkeys(s for s in found if freezes(s.tree)))

    def functions_entered(self, scope: Scope, statements: list[Statement]) -> Iterator[Entered]:
        """Yield the user's functions that these statements call, directly or not."""
        seen: set[CodeType] = set()
        queue = [(scope, index, s) for index, s in enumerate(statements)]
        while queue:
            where, index, statement = queue.pop(0)
            for call in calls_in(statement.tree):
                for function in self.functions_of(call, where, index):
                    code = function[0].__code__
                    # Pandas calls a thousand functions of its own, and pytest runs the program.
                    if is_library(function[0]) or code in seen or is_installed(code.co_filename):
                        continue
                    seen.add(code)
                    inner = enter(*function, {}, {})
                    inner.around = (*where.around, *statement.loops)
                    inner.call = call, where
                    yield *function, inner
                    queue += [(inner, i, s) for i, s in enumerate(inner.statements)]

    def functions_of(
        self, call: ast.Call, scope: Scope, index: int
    ) -> Iterator[tuple[FunctionType, Any]]:
        """Yield the functions that a call enters: several for modules in sequence."""
        if (function := function_called(call, scope)) is not None:
            yield function
        module = resolve(call.func, scope)
        if isinstance(module, type) and not is_library(module):
            start = inspect.getattr_static(module, "__init__", None)
            if isinstance(start, FunctionType) and not is_library(start):
                yield start, None
        looped = self.looped_modules(call.func, scope, index) if module is None else []
        if looped or (is_module(module) and is_library(type(module))):
            for child in looped or module.modules():
                forward = inspect.getattr_static(type(child), "forward", None)
                if isinstance(forward, FunctionType):
                    yield forward, child

    def looped_modules(self, tree: ast.expr, scope: Scope, index: int) -> list[Any]:
        """Return the modules that a variable stands for in `for layer in self.layers`."""
        name = ast.unparse(tree)
        for statement in reversed(scope.statements[:index]):
            if name in assigned(statement.tree):
                over = getattr(statement.tree, "value", None)
                if statement.loops[-1:] != (statement.line,) or over is None:
                    return []
                held = resolve(over, scope)
                each = list(held.children()) if is_module(held) else held
                return [m for m in each if is_module(m)] if isinstance(each, list | tuple) else []
        return []

    def argument_fates(self, code: CodeType) -> dict[str, Fate]:
        """Return the fates of a running function's arguments if its call is found."""
        scope = self.scopes[-1]
        line = self.places[len(self.scopes) - 1][1]
        index = at_line(scope, line)
        if index is None:
            return {}
        statement = scope.statements[index]
        for call in calls_in(statement.tree):
            function = function_called(call, scope)
            if function is not None and function[0].__code__ is code:
                names = parameters_of(function[0])[function[1] is not None :]
                fates = {
                    name: self.expression(argument, scope, index, statement)
                    for name, argument in zip(names, call.args, strict=False)
                }
                for word in call.keywords:
                    if word.arg is not None:
                        fates[word.arg] = self.expression(word.value, scope, index, statement)
                return fates
        return {}
