"""What became of an expression: of each kind of Python's, what its parts are and what it keeps."""

from __future__ import annotations

import ast
import inspect
from dataclasses import replace
from types import FunctionType, MethodType
from typing import Any

from ..model.names import is_tensor
from ..model.program import Statement
from .calls import ABOUT, DEEPEST, Calls
from .fate import LIVE, PLAIN, UNKNOWN, Fate, one_of, together
from .objects import New, is_library, is_module, is_plain_in, resolved
from .scope import Scope, entered, parameters_of
from .syntax import calls_in, creates, keyword, last_name, subject_of, targets_of
from .variables import WITH_INDICES

MOST = 3000
"""Expressions that are looked at for one question, so that an answer comes in any program."""


class Expressions(Calls):
    """Follows expressions."""

    def expression(self, tree: ast.expr, scope: Scope, index: int, at: Statement) -> Fate:
        self.looked += 1
        if self.looked > MOST:
            return UNKNOWN
        follow = self.expression
        match tree:
            case ast.Constant() | ast.JoinedStr() | ast.Lambda():
                return PLAIN
            case ast.Name():
                return self.name(tree.id, scope, index)
            case ast.Attribute():
                return self.attribute(tree, scope, index, at)
            case ast.Subscript():
                whole = follow(tree.value, scope, index, at)
                place = getattr(tree.slice, "value", None)
                if isinstance(place, int) and place < len(whole.parts):
                    return whole.parts[place]
                if place is not None and place in dict(whole.fields):
                    return dict(whole.fields)[place]
                second = isinstance(tree.slice, ast.Constant) and tree.slice.value == 1
                if second and isinstance(tree.value, ast.Call):
                    if last_name(tree.value) in WITH_INDICES:
                        what = ast.unparse(tree)
                        return whole.cut("cut_indices", at, what, subject_of(tree.value))
                if whole.kind == "plain" and not isinstance(tree.slice, ast.Constant | ast.Slice):
                    index_fate = follow(tree.slice, scope, index, at)
                    return index_fate if index_fate.kind == "cut" else whole
                return whole
            case ast.Compare():
                parts = [follow(each, scope, index, at) for each in (tree.left, *tree.comparators)]
                live = [
                    each
                    for each, fate in zip((tree.left, *tree.comparators), parts, strict=True)
                    if fate.kind in ("live", "cut")
                ]
                other = ast.unparse(live[0]) if live else ""
                return together(parts).cut("cut_comparison", at, ast.unparse(tree), other)
            case ast.IfExp():
                return one_of(follow(each, scope, index, at) for each in (tree.body, tree.orelse))
            case ast.NamedExpr() | ast.Starred() | ast.Await():
                return follow(tree.value, scope, index, at)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                return follow(tree.elt, self.comprehended(tree, scope, index, at), index, at)
            case ast.Call():
                return self.call(tree, scope, index, at)
            case ast.Yield() | ast.YieldFrom():
                return UNKNOWN
        if isinstance(tree, ast.Dict):
            fields = [
                (key.value, self.made_here(value, scope, index, at))
                for key, value in zip(tree.keys, tree.values, strict=True)
                if isinstance(key, ast.Constant) and isinstance(key.value, str)
            ]
            if len(fields) == len(tree.keys):
                return replace(together(fate for _, fate in fields), fields=tuple(fields))
        inner = [each for each in ast.iter_child_nodes(tree) if isinstance(each, ast.expr)]
        fates = [follow(each, scope, index, at) for each in inner]
        return replace(together(fates), parts=tuple(fates) if isinstance(tree, ast.Tuple) else ())

    def made_here(self, tree: ast.expr, scope: Scope, index: int, at: Statement) -> Fate:
        """The fate of an expression, with its line if it makes a tensor without history."""
        fate = self.expression(tree, scope, index, at)
        if fate.kind == "plain" and creates(tree):
            return replace(fate, plain=((ast.unparse(tree), at),))
        return fate

    def comprehended(self, tree: Any, scope: Scope, index: int, at: Statement) -> Scope:
        """The scope in which the element of a comprehension is computed."""
        fates = dict(scope.fates)
        hidden = set()
        for part in tree.generators:
            fate = self.expression(part.iter, scope, index, at)
            for node in ast.walk(part.target):
                if isinstance(node, ast.Name):
                    fates[node.id] = fate
                    hidden.add(node.id)
        objects = {n: v for n, v in scope.objects.items() if n not in hidden}
        inner = Scope(scope.statements, objects, fates, scope.running)
        inner.own -= hidden
        return inner

    def attribute(self, tree: ast.Attribute, scope: Scope, index: int, at: Statement) -> Fate:
        if tree.attr in ABOUT:
            return PLAIN
        text = ast.unparse(tree)
        stored = isinstance(tree.value, ast.Name) and any(
            text in given for given in scope.given[:index]
        )
        if stored:
            return self.name(text, scope, index)
        base = ast.unparse(tree.value)
        if tree.attr == "data":
            fate = self.expression(tree.value, scope, index, at)
            return fate.cut("cut_data", at, text, base)
        if tree.attr == "indices":
            fate = self.expression(tree.value, scope, index, at)
            if isinstance(tree.value, ast.Call) and last_name(tree.value) in WITH_INDICES:
                base = subject_of(tree.value)
            return fate.cut("cut_indices", at, text, base)
        if tree.attr == "grad":
            return self.gradient(tree, scope, index, at)
        owner = resolved(tree.value, scope)
        if not is_module(owner) and not is_tensor(owner) and isinstance(tree.value, ast.Name):
            fields = dict(self.expression(tree.value, scope, index, at).fields)
            if tree.attr in fields:
                return fields[tree.attr]
        found = inspect.getattr_static(type(owner), tree.attr, None) if owner is not None else None
        if isinstance(found, property) and isinstance(found.fget, FunctionType):
            if not is_library(found.fget) and self.depth < DEEPEST:
                return self.entering(found.fget, owner, [], {})
        if isinstance(owner, New) and is_plain_in(owner, tree.attr):
            return PLAIN
        value = resolved(tree, scope)
        if (kept := self.kept(tree.attr, owner, value)) is not None:
            return kept
        if value is not None and not isinstance(value, FunctionType | MethodType):
            return self.thing(value, text) if "." not in text else self._thing(value, text)
        return self.expression(tree.value, scope, index, at)

    def kept(self, attribute: str, owner: Any, value: Any) -> Fate | None:
        """The fate of a number or a tensor without history that the methods of an object have put
        into it. Of their arguments it is supposed that they have a history.
        """
        dead = is_tensor(value) and not self.alive(value) and not value.requires_grad
        if owner is None or is_library(type(owner)) or not (dead or type(value) is float):
            return None
        found = []
        for function in vars(type(owner)).values():
            if not isinstance(function, FunctionType) or self.depth >= DEEPEST:
                continue
            me, *arguments = [*parameters_of(function), ""]
            inner = entered(function, None, dict.fromkeys(arguments, LIVE), {me: owner})
            for index, statement in enumerate(inner.statements):
                written = getattr(statement.tree, "value", None)
                if f"{me}.{attribute}" not in targets_of(statement.tree) or written is None:
                    continue
                if not isinstance(written, ast.Constant):
                    self.depth += 1
                    fate = self.expression(written, inner, index, statement)
                    found.append(
                        self.in_block(
                            fate, statement, ast.unparse(written), attribute, inner, index
                        )
                    )
                    self.depth -= 1
        return one_of(found) if found and all(fate.kind == "cut" for fate in found) else None

    def gradient(self, tree: ast.Attribute, scope: Scope, index: int, at: Statement) -> Fate:
        """A gradient has a history if its pass was recorded: create_graph."""
        value = resolved(tree, scope)
        if is_tensor(value) and self.alive(value):
            return LIVE
        base = self.expression(tree.value, scope, index, at)
        if base.kind == "plain":
            return base
        passes = [
            (statement, call)
            for statement in scope.statements[:index]
            for call in calls_in(statement.tree)
            if last_name(call) == "backward"
        ]
        if not passes:
            return PLAIN
        statement, call = passes[-1]
        if keyword(call, "create_graph") is True:
            return base
        return LIVE.cut("no_create_graph", statement, ast.unparse(call), ast.unparse(tree))
