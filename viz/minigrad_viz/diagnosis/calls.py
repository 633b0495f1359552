"""The fate of what a call returns: a call of the library, of a module, or of the user's function.

The text of a user's function is followed with the fates of its arguments.
"""

from __future__ import annotations

import ast
import functools
import inspect
from dataclasses import replace
from types import FunctionType
from typing import Any

from ..model.names import is_tensor
from ..model.program_text import Statement, assigned
from .cuts import COPIES, after_call
from .fate import LIVE, PLAIN, UNKNOWN, Fate, combine, one_of
from .objects import function_called, is_library, is_module, is_namespace, resolve
from .scope import Scope, enter, parameters_of, rest_of
from .syntax import creates, keyword, last_name, returned_values
from .variables import Variables

DEEPEST = 12
"""Maximum depth of nested calls to follow."""

METADATA = {"shape", "dtype", "device", "ndim", "requires_grad", "is_leaf", "layout", "training"}
METADATA |= {"size", "dim", "numel", "ones_like", "zeros_like", "empty_like", "rand_like"}
METADATA |= {"randn_like", "full_like", "new_zeros", "new_ones", "new_tensor", "new_full"}
"""Attributes and functions that read the shape and the like of a tensor, not its numbers."""


class Calls(Variables):
    """Follows calls."""

    def call(self, tree: ast.Call, scope: Scope, index: int, at: Statement) -> Fate:
        called = last_name(tree)
        what = ast.unparse(tree)
        if called in METADATA or called in ("len", "print", "isinstance", "range"):
            return PLAIN
        if (row := functions_in_sequence(tree, scope, index)) and len(tree.args) == 1:
            return self.through_sequence(row, self.expression(tree.args[0], scope, index, at))
        function = function_called(tree, scope)
        given = [*tree.args, *(word.value for word in tree.keywords)]
        if function is not None and not is_library(function[0]):
            if self.depth >= DEEPEST:
                return UNKNOWN
            return self.inside(tree, function, scope, index, at)
        if isinstance(part := resolve(tree.func, scope), functools.partial):
            bound = [self.thing(each, "it") for each in part.args]
            own = [self.expression(each, scope, index, at) for each in tree.args]
            if isinstance(part.func, FunctionType) and not is_library(part.func):
                return self.entering(part.func, None, [*bound, *own], {})
        if called == "reduce" and len(tree.args) > 1:
            pair = ast.Call(tree.args[0], [tree.args[-1], tree.args[1]], [])
            return self.call(ast.copy_location(pair, tree), scope, index, at)
        if isinstance(tree.func, ast.Lambda):
            return self.lambda_(tree.func, tree.args, scope, index, at)
        if called == "map" and tree.args:
            inner = ast.copy_location(ast.Call(tree.args[0], tree.args[1:], []), tree)
            return self.call(inner, scope, index, at)
        if called == "checkpoint" and tree.args:
            return self.checkpointed(tree, scope, index, at)
        module = resolve(tree.func, scope)
        method = isinstance(tree.func, ast.Attribute) and not is_namespace(tree.func, scope)
        if method and not is_module(module):
            assert isinstance(tree.func, ast.Attribute)
            given.insert(0, tree.func.value)
        fates = [self.expression(each, scope, index, at) for each in given]
        other = next(
            (ast.unparse(g) for g, f in zip(given, fates, strict=True) if f.kind != "plain"), ""
        )
        other = strip_steps(other)
        if is_module(module):
            return self.through(module, ast.unparse(tree.func), combine(fates))
        if module is None and isinstance(tree.func, ast.Name):
            fates.append(self.name(tree.func.id, scope, index))  # a layer from a list
        fate = combine(fates)
        if called in COPIES and given and fate.kind == "live":
            held = resolve(given[0], scope)
            if held is not None and not is_tensor(held) and not isinstance(held, list | tuple):
                return UNKNOWN  # already a number: the history ended earlier
        if isinstance(module, type) and not is_library(module):
            return replace(fate, fields=fields_of(module, tree, fates))
        if self.leaves and (keyword(tree, "requires_grad") is True or called == "Parameter"):
            return LIVE
        if called == "requires_grad_" and method:
            return self.flagged_fate("", fate, scope, True)
        return after_call(tree, fate, at, what, other, method, module)

    def through_sequence(self, row: list[Any], fate: Fate) -> Fate:
        """Return the fate after several functions, each applied to the result of the one before."""
        for each in row:
            forward = (
                inspect.getattr_static(type(each), "forward", None) if is_module(each) else each
            )
            if isinstance(forward, FunctionType) and not is_library(forward):
                given = [fate]
                fate = self.entering(forward, each if is_module(each) else None, given, {})
            elif is_module(each):
                fate = self.through(each, "it", fate)
        return fate

    def lambda_(
        self, tree: ast.Lambda, given: list[ast.expr], scope: Scope, index: int, at: Statement
    ) -> Fate:
        """Return the fate of `(lambda x: ...)(y)`."""
        names = [each.arg for each in tree.args.args]
        fates = [self.expression(each, scope, index, at) for each in given]
        objects = {n: v for n, v in scope.objects.items() if n not in names}
        for name, each in zip(names, given, strict=False):
            held = resolve(each, scope)
            if type(held) is list and held and all(is_module(module) for module in held):
                objects[name] = held[0]
        known = {n: f for n, f in zip(names, fates, strict=False) if n not in objects}
        inner = Scope(scope.statements, objects, {**scope.fates, **known}, scope.running)
        inner.own -= {*names}
        return self.expression(tree.body, inner, index, at)

    def checkpointed(self, tree: ast.Call, scope: Scope, index: int, at: Statement) -> Fate:
        """Return the fate of `checkpoint(f, x)`.

        It is that of f(x). A reentrant checkpoint also needs an argument with a history.
        """
        called = ast.copy_location(ast.Call(tree.args[0], tree.args[1:], []), tree)
        fate = self.call(called, scope, index, at)
        given = combine(self.expression(each, scope, index, at) for each in tree.args[1:])
        if keyword(tree, "use_reentrant") not in (True, None):
            return fate
        if given.kind in ("plain", "again") or [cut.statement for cut in given.cuts] == [at]:
            return fate.cut("reentrant", at, ast.unparse(tree), ast.unparse(called))
        return fate

    def through(self, module: Any, name: str, fate: Fate) -> Fate:
        """Return the fate after a module of the library, or after the modules of a Sequential."""
        children = list(module.children())
        if type(module).__name__ == "Sequential":
            for child in children:
                forward = inspect.getattr_static(type(child), "forward", None)
                if isinstance(forward, FunctionType) and not is_library(forward):
                    fate = self.entering(forward, child, [fate], {})
                else:
                    fate = self.through(child, name, fate)
            return fate
        return combine([fate, self._thing(module, name)])

    def inside(
        self,
        tree: ast.Call,
        function: tuple[FunctionType, Any],
        scope: Scope,
        index: int,
        at: Statement,
    ) -> Fate:
        return self.returned(self.called_scope(tree, function, scope, index, at))

    def called_scope(
        self,
        tree: ast.Call,
        function: tuple[FunctionType, Any],
        scope: Scope,
        index: int,
        at: Statement,
    ) -> Scope:
        """Return the scope of the function that a call enters, with the fates of its arguments."""
        plain, bound = function
        given: list[Fate] = []
        known: dict[str, Any] = {}
        places = parameters_of(plain)[bound is not None :]
        objects: list[Any] = []
        for argument in tree.args:
            fate = self.expression(argument, scope, index, at)
            several = isinstance(argument, ast.Starred)
            given += fate.parts if several and fate.parts else [fate]
            thing = resolve(
                argument.value if isinstance(argument, ast.Starred) else argument, scope
            )
            objects += thing if several and isinstance(thing, tuple) else [thing]
        if bound is not None and not parameters_of(plain):  # `def inner(*args)` around a method
            given, objects, bound = [self.thing(bound, "self"), *given], [bound, *objects], None
        known |= dict(zip(places, objects, strict=False))
        if (rest := rest_of(plain)) and len(given) > len(places):
            known[rest] = tuple(objects[len(places) :])
        words = {}
        for word in tree.keywords:
            if word.arg is not None:
                words[word.arg] = self.expression(word.value, scope, index, at)
                known[word.arg] = resolve(word.value, scope)
        return scope_of(plain, bound, given, words, known)

    def entering(
        self, function: FunctionType, bound: Any, given: list[Fate], words: dict[str, Fate]
    ) -> Fate:
        """Return the fate of what a function returns for these arguments."""
        return self.returned(scope_of(function, bound, given, words, {}))

    def returned(self, inner: Scope) -> Fate:
        """Return the fate of what the function of this scope returns."""
        self.depth += 1
        try:
            found = []
            for index, statement in enumerate(inner.statements):
                for value in returned_values(statement.tree):
                    fate = self.follow_unnamed(value, inner, index, statement)
                    copied = isinstance(value, ast.Call) and last_name(value) == "tensor"
                    if fate.kind == "plain" and (creates(value) or copied):
                        fate = replace(fate, plain=((ast.unparse(value), statement),))
                    found.append(fate)
        finally:
            self.depth -= 1
        if not inner.statements:  # the source is not available
            return combine([*inner.fates.values(), UNKNOWN])
        return one_of(found)

    def _thing(self, value: Any, text: str) -> Fate:
        fate = self.thing(value, "it")
        frozen = tuple((text, m) for _, m in fate.frozen)
        return replace(fate, frozen=frozen)


def scope_of(
    function: FunctionType,
    bound: Any,
    given: list[Fate],
    words: dict[str, Fate],
    known: dict[str, Any],
) -> Scope:
    """Return the scope of a function for these arguments."""
    names = parameters_of(function)
    objects = {name: value for name, value in known.items() if value is not None}
    if bound is not None and names:
        objects[names[0]] = bound
        names = names[1:]
    fates = dict(zip(names, given, strict=False)) | words
    if rest := rest_of(function):
        several = given[len(names) :]
        fates[rest] = replace(combine(several), parts=tuple(several))
    return enter(function, None, fates, objects)


def fields_of(kind: type, tree: ast.Call, fates: list[Fate]) -> tuple[tuple[str, Fate], ...]:
    """Return the fates of the fields with which a dataclass or a named tuple is made."""
    named_tuple = getattr(kind, "__match_args__", ())
    names = [*getattr(kind, "__dataclass_fields__", named_tuple)]
    given = [*names[: len(tree.args)], *(word.arg for word in tree.keywords)]
    if not names or any(name is None for name in given) or len(given) != len(fates):
        return ()
    return tuple(zip(given, fates, strict=True))


def strip_steps(text: str) -> str:
    """Return `x` for `x.round()` and `T.sign(x)`: the argument of step functions."""
    tree = ast.parse(text, mode="eval").body if text else None
    while isinstance(tree, ast.Call) and last_name(tree) in STEPS:
        inner = tree.args[0] if tree.args else getattr(tree.func, "value", None)
        if inner is None:
            break
        tree = inner
    return "" if tree is None else ast.unparse(tree)


STEPS = {"round", "floor", "ceil", "trunc", "sign"}


def functions_in_sequence(tree: ast.Call, scope: Scope, index: int) -> list[Any]:
    """Return the functions that a loop such as `for f in steps: x = f(x)` applies.

    The list is empty for any other call.
    """
    statement = scope.statements[index] if index < len(scope.statements) else None
    if statement is None or not isinstance(tree.func, ast.Name) or not scope.running:
        return []
    for head in scope.statements:
        if head.loops[-1:] != statement.loops[-1:] or (head.line,) != head.loops[-1:]:
            continue
        if isinstance(head.tree, ast.Assign) and tree.func.id in assigned(head.tree):
            row = resolve(head.tree.value, scope)
            if isinstance(row, list | tuple) and len(row) > 1 and all(callable(f) for f in row):
                return list(row)
    return []
