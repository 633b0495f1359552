"""Where the history of a tensor ended.

A tensor without history does not know what it lost. The program's text does: its expressions are
followed backwards, through variables, helpers and `forward` methods, to what has a history, and the
step behind which there is none is named. Nothing is run. Where the tensors are still there, they
are asked first: what they say is true, whatever the text looks like.

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
from ..model.program import Program, Statement
from .evidence import Place
from .expressions import Expressions
from .fate import UNKNOWN, Cut, Fate
from .objects import function_called, is_library, is_module, resolved
from .scope import Scope, at_line, entered, parameters_of
from .syntax import calls_in, freezes, root_of_pass

Entered = tuple[FunctionType, Any, Scope]
"""A function of the reader's, what it is bound to, and what is written in it."""


class History(Expressions):
    """Answers what became of a value of the running functions, whose `places` it is given."""

    def __init__(
        self, alive: Callable[[Any], bool], places: list[Place], leaves: bool = True
    ) -> None:
        super().__init__(alive, leaves)
        self.places = places
        self.scopes: list[Scope] = []
        for place in places:
            frame = place[0]
            objects = names_in(frame)
            fates = self.given_by_caller(frame.f_code) if self.scopes else {}
            statements = Program([place]).statements
            self.scopes.append(Scope(statements, objects, fates, True, frame))
        self.heads = [at_line(s, p[1]) for s, p in zip(self.scopes, places, strict=True)]

    def of_variable(self, name: str) -> Fate:
        """The fate of the variable of the innermost function that has it."""
        for number, scope in reversed(list(enumerate(self.scopes))):
            if name in scope.own or name in scope.fates:
                return self.surely(partial(self.name, name, scope, len(scope.statements)), number)
        return UNKNOWN

    def of_root(self, text: str) -> Fate:
        """The fate of what a pass starts from in the line that runs: `text` is how it is called
        there if the line does not show it.
        """
        scope, index = self.scopes[-1], self.heads[-1]
        if index is None:
            return self.of_variable(text)
        at = scope.statements[index]
        roots = (root for call in calls_in(at.tree) if (root := root_of_pass(call)) is not None)
        root = next(roots, None)
        if root is None or isinstance(root, ast.List | ast.Tuple):
            return self.of_variable(text)
        follow = partial(self.made_there, root, scope, index, at)
        return self.surely(follow, len(self.scopes) - 1)

    def surely(self, follow: Callable[[], Fate], number: int) -> Fate:
        """What is known to have no history cannot be live: then it was lost in a doubtful mode."""
        try:
            fate = self.outside(follow(), number)
            if fate.kind == "live":
                self.doubtful = True
                fate = self.outside(follow(), number)
            if fate.kind == "live" and len(fate.plain) == 1:  # then it was that, of the two
                what, statement = fate.plain[0]
                fate = Fate("cut", (Cut("branch", statement, what, what),))
        except RecursionError:  # an expression of a thousand terms
            return UNKNOWN
        return fate

    def outside(self, fate: Fate, number: int) -> Fate:
        """A fate in one of the running functions, with the modes in which it was called."""
        for scope, head in zip(self.scopes[:number], self.heads, strict=False):
            if fate.kind == "live" and head is not None:
                fate = self.in_block(fate, scope.statements[head], "", "", scope, head)
        if fate.kind != "live":
            return fate
        for switch in self.left_off():
            return Fate("cut", (Cut("switched", switch, switch.text, ""),))
        return fate

    def left_off(self) -> list[Statement]:
        """Where a function that the program calls turns recording off, and not on again."""
        found = []
        for scope in self.scopes:
            for _, _, inner in self.entered_by(scope, scope.statements):
                found += [s for s in inner.switches[-1:] if s is not None]
        return found

    def freezing(self) -> list[Statement]:
        """The lines that say of parameters that they shall not require grad."""
        found = [s for scope in self.scopes for s in scope.statements]
        for scope in self.scopes:
            for _, _, inner in self.entered_by(scope, scope.statements):
                found += inner.statements
        return list(dict.fromkeys(s for s in found if freezes(s.tree)))

    def entered_by(self, scope: Scope, statements: list[Statement]) -> Iterator[Entered]:
        """The reader's functions that these statements call, and those that they call."""
        seen: set[CodeType] = set()
        queue = [(scope, index, s) for index, s in enumerate(statements)]
        while queue:
            where, index, statement = queue.pop(0)
            for call in calls_in(statement.tree):
                for function in self.functions_of(call, where, index):
                    if is_library(function[0]) or function[0].__code__ in seen:
                        continue
                    seen.add(function[0].__code__)
                    inner = entered(*function, {}, {})
                    yield *function, inner
                    queue += [(inner, i, s) for i, s in enumerate(inner.statements)]

    def functions_of(
        self, call: ast.Call, scope: Scope, index: int
    ) -> Iterator[tuple[FunctionType, Any]]:
        """The functions that a call enters: more than one if it is of modules in a row."""
        if (function := function_called(call, scope)) is not None:
            yield function
        module = resolved(call.func, scope)
        if isinstance(module, type) and not is_library(module):
            start = inspect.getattr_static(module, "__init__", None)
            if isinstance(start, FunctionType) and not is_library(start):
                yield start, None
        if is_module(module) and is_library(type(module)):
            for child in module.modules():
                forward = inspect.getattr_static(type(child), "forward", None)
                if isinstance(forward, FunctionType):
                    yield forward, child

    def given_by_caller(self, code: CodeType) -> dict[str, Fate]:
        """The fates of the arguments of a running function, if its call can be found."""
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
