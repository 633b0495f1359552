"""A function or a module's top level: its statements, and what is known of its variables."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping
from functools import cached_property
from types import FrameType, FunctionType
from typing import Any

from ..model.program_text import Program, Statement, assigned
from .fate import LIVE, Fate
from .syntax import assigned_in, calls_in, changed_in, root_of_pass, switches


class Scope:
    """A function or a module's top level: its statements and variables."""

    def __init__(
        self,
        statements: list[Statement],
        objects: Mapping[str, Any],
        fates: Mapping[str, Fate] | None = None,
        running: bool = False,
        frame: FrameType | None = None,
    ) -> None:
        self.statements = statements
        self.objects = objects
        self.fates = fates or {}
        self.frame = frame
        self.running = running
        """Whether the objects are the variables' values at this moment."""
        self.own = {name for s in statements for name in assigned(s.tree)}
        self.switches = list(switches(statements))
        self.around: tuple[int, ...] = ()
        """The lines of the loops around its call."""
        self.call: tuple[ast.Call, Scope] | None = None
        """The call, with the scope that it stands in."""

    @cached_property
    def given(self) -> list[set[str]]:
        """The variables to which each statement assigns a value."""
        return [assigned_in(statement.tree) for statement in self.statements]

    @cached_property
    def changed(self) -> list[set[str]]:
        """The variables that each statement changes without assigning to them."""
        return [changed_in(statement) for statement in self.statements]

    @cached_property
    def functions_of_file(self) -> list[Scope]:
        """The functions in the file or notebook of a running function.

        Their arguments are unknown and are assumed to have a history.
        """
        found = []
        for program, arguments in Program.functions(self.frame) if self.frame is not None else ():
            objects = {k: v for k, v in self.objects.items() if k not in arguments}
            found.append(Scope(program.statements, objects, dict.fromkeys(arguments, LIVE)))
        return found


def enter(
    function: FunctionType, bound: Any, fates: dict[str, Fate], objects: dict[str, Any]
) -> Scope:
    """Return the scope of a called function, with what is known of its arguments."""
    values = dict(function.__globals__)
    if function.__closure__:
        for name, cell in zip(function.__code__.co_freevars, function.__closure__, strict=True):
            try:
                values[name] = cell.cell_contents
            except ValueError:  # not filled yet
                continue
    names = parameters_of(function)
    for name in names:
        values.pop(name, None)
    for name, default in zip(reversed(names), reversed(function.__defaults__ or ()), strict=False):
        values[name] = default
    if bound is not None and names:
        objects = {names[0]: bound, **objects}
    me = objects.get(names[0]) if names else None
    if me is not None and "__class__" in values:
        values["super()"] = (values["__class__"], me)
    scope = Scope(Program.of(function).statements, {**values, **objects}, fates)
    return scope


def at_line(scope: Scope, line: int) -> int | None:
    """Return the index of the last statement that contains this line number.

    Of several statements on one line, one that starts a backward pass is preferred.
    """
    found: list[int] = []
    for index in range(len(scope.statements) - 1, -1, -1):
        tree = scope.statements[index].tree
        if tree is not None and tree.lineno <= line <= (tree.end_lineno or tree.lineno):
            found.append(index)
        elif found:
            break
    trees = ((index, scope.statements[index].tree) for index in found)
    walking = [i for i, tree in trees if any(map(root_of_pass, calls_in(tree)))]
    return next(iter([*walking, *found]), None)


def parameters_of(function: FunctionType) -> list[str]:
    code = function.__code__
    return list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


def rest_of(function: FunctionType) -> str:
    """Return the name of `*args`, or "" if there is none."""
    code = function.__code__
    several = code.co_flags & inspect.CO_VARARGS
    return code.co_varnames[code.co_argcount + code.co_kwonlyargcount] if several else ""
