"""What a call returns: of the library's, of a module, or of a function that the reader wrote.

A function of the reader's is entered: its text is followed with the fates of its arguments.
"""

from __future__ import annotations

import ast
import inspect
from dataclasses import replace
from types import FunctionType
from typing import Any

from ..model.program import Statement
from .cuts import after_call
from .fate import LIVE, PLAIN, UNKNOWN, Fate, one_of, together
from .objects import function_called, is_library, is_module, is_namespace, resolved
from .scope import Scope, entered, parameters_of
from .syntax import creates, keyword, last_name
from .variables import Variables

DEEPEST = 12
"""Calls within calls are followed so far."""

ABOUT = {"shape", "dtype", "device", "ndim", "requires_grad", "is_leaf", "layout", "training"}
ABOUT |= {"size", "dim", "numel", "ones_like", "zeros_like", "empty_like", "rand_like"}
ABOUT |= {"randn_like", "full_like", "new_zeros", "new_ones", "new_tensor", "new_full"}
"""What asks a tensor for its shape and the like, and not for its numbers."""


class Calls(Variables):
    """Follows calls."""

    def call(self, tree: ast.Call, scope: Scope, index: int, at: Statement) -> Fate:
        called = last_name(tree)
        what = ast.unparse(tree)
        if called in ABOUT or called in ("len", "print", "isinstance", "range"):
            return PLAIN
        function = function_called(tree, scope)
        given = [*tree.args, *(word.value for word in tree.keywords)]
        if function is not None and not is_library(function[0]):
            if self.depth >= DEEPEST:
                return UNKNOWN
            return self.inside(tree, function, scope, index, at)
        module = resolved(tree.func, scope)
        method = isinstance(tree.func, ast.Attribute) and not is_namespace(tree.func, scope)
        if method and not is_module(module):
            assert isinstance(tree.func, ast.Attribute)
            given.insert(0, tree.func.value)
        fates = [self.expression(each, scope, index, at) for each in given]
        other = next(
            (ast.unparse(g) for g, f in zip(given, fates, strict=True) if f.kind != "plain"), ""
        )
        if is_module(module):
            return self.through(module, ast.unparse(tree.func), together(fates))
        if module is None and isinstance(tree.func, ast.Name):
            fates.append(self.name(tree.func.id, scope, index))  # a layer out of a list
        fate = together(fates)
        if self.leaves and (keyword(tree, "requires_grad") is True or called == "Parameter"):
            return LIVE
        if called == "requires_grad_" and method:
            return self.required("", fate, scope, True)
        return after_call(tree, fate, at, what, other, method, module)

    def through(self, module: Any, name: str, fate: Fate) -> Fate:
        """What comes out of a module: of the library's own, or of the reader's in a row."""
        children = list(module.children())
        if type(module).__name__ == "Sequential":
            for child in children:
                forward = inspect.getattr_static(type(child), "forward", None)
                if isinstance(forward, FunctionType) and not is_library(forward):
                    fate = self.entering(forward, child, [fate], {})
                else:
                    fate = self.through(child, name, fate)
            return fate
        return together([fate, self._thing(module, name)])

    def inside(
        self,
        tree: ast.Call,
        function: tuple[FunctionType, Any],
        scope: Scope,
        index: int,
        at: Statement,
    ) -> Fate:
        plain, bound = function
        given: list[Fate] = []
        known: dict[str, Any] = {}
        places = parameters_of(plain)[bound is not None :]
        for place, argument in enumerate(tree.args):
            given.append(self.expression(argument, scope, index, at))
            if place < len(places):
                known[places[place]] = resolved(argument, scope)
        words = {}
        for word in tree.keywords:
            if word.arg is not None:
                words[word.arg] = self.expression(word.value, scope, index, at)
                known[word.arg] = resolved(word.value, scope)
        fate = self.entering(plain, bound, given, words, known)
        if fate.kind == "live" and at.block and not isinstance(at.tree, ast.Assign):
            return self.in_block(fate, at, ast.unparse(tree), "")
        return fate

    def entering(
        self,
        function: FunctionType,
        bound: Any,
        given: list[Fate],
        words: dict[str, Fate],
        known: dict[str, Any] | None = None,
    ) -> Fate:
        """The fate of what a function returns that is called with these arguments."""
        names = parameters_of(function)
        objects = {name: value for name, value in (known or {}).items() if value is not None}
        if bound is not None and names:
            objects[names[0]] = bound
            names = names[1:]
        fates = dict(zip(names, given, strict=False)) | words
        inner = entered(function, None, fates, objects)
        self.depth += 1
        try:
            found = []
            for index, statement in enumerate(inner.statements):
                if isinstance(statement.tree, ast.Return) and statement.tree.value is not None:
                    value = statement.tree.value
                    fate = self.expression(value, inner, index, statement)
                    if fate.kind == "plain" and creates(value):
                        fate = replace(fate, plain=((ast.unparse(value), statement),))
                    if not isinstance(value, ast.Name | ast.Attribute):
                        text = ast.unparse(value)
                        fate = self.in_block(fate, statement, text, text, inner, index)
                    found.append(fate)
        finally:
            self.depth -= 1
        if not inner.statements:  # its text is gone
            return together([*given, *words.values(), UNKNOWN])
        return one_of(found)

    def _thing(self, value: Any, text: str) -> Fate:
        fate = self.thing(value, "it")
        frozen = tuple((text, m) for _, m in fate.frozen)
        return replace(fate, frozen=frozen)
