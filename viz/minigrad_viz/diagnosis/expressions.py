"""The fate of an expression: what each kind of Python expression keeps of its parts."""

from __future__ import annotations

import ast
import inspect
from dataclasses import replace
from types import FunctionType, MethodType
from typing import Any

from ..model.names import is_tensor
from ..model.program_text import Statement
from .calls import DEEPEST, METADATA, Calls
from .fate import LIVE, PLAIN, UNKNOWN, Fate, combine, one_of
from .objects import New, is_library, is_module, is_plain_in, resolve
from .scope import Scope, enter, parameters_of
from .syntax import calls_in, creates, keyword, last_name, subject_of, targets_of
from .variables import WITH_INDICES

MOST = 3000
"""Maximum number of expressions to follow for one question, which bounds the time."""


INDEX = {"cut_number": "cut_index", "cut_cast": "cut_index"}
"""Cuts that end a history elsewhere, and that an index needs."""


def as_index(fate: Fate) -> Fate:
    """Return the fate of an index whose history ended where it became a whole number."""
    return replace(fate, cuts=tuple(replace(c, key=INDEX.get(c.key, c.key)) for c in fate.cuts))


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
                if whole.kind == "plain" and not isinstance(tree.slice, ast.Constant):
                    index_fate = follow(tree.slice, scope, index, at)
                    return as_index(index_fate) if index_fate.kind == "cut" else whole
                return whole
            case ast.Compare():
                parts = [follow(each, scope, index, at) for each in (tree.left, *tree.comparators)]
                live = [
                    each
                    for each, fate in zip((tree.left, *tree.comparators), parts, strict=True)
                    if fate.kind in ("live", "cut")
                ]
                other = ast.unparse(live[0]) if live else ""
                return combine(parts).cut("cut_comparison", at, ast.unparse(tree), other)
            case ast.IfExp():
                return one_of(follow(each, scope, index, at) for each in (tree.body, tree.orelse))
            case ast.NamedExpr() | ast.Starred() | ast.Await():
                return follow(tree.value, scope, index, at)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                return follow(tree.elt, self.comprehension_scope(tree, scope, index, at), index, at)
            case ast.Call():
                return self.call(tree, scope, index, at)
            case ast.Yield() | ast.YieldFrom():
                return UNKNOWN
        if isinstance(tree, ast.Dict):
            fields = [
                (key.value, self.follow_element(value, scope, index, at))
                for key, value in zip(tree.keys, tree.values, strict=True)
                if isinstance(key, ast.Constant) and isinstance(key.value, str)
            ]
            if len(fields) == len(tree.keys):
                return replace(combine(fate for _, fate in fields), fields=tuple(fields))
        inner = [each for each in ast.iter_child_nodes(tree) if isinstance(each, ast.expr)]
        fates = [follow(each, scope, index, at) for each in inner]
        return replace(combine(fates), parts=tuple(fates) if isinstance(tree, ast.Tuple) else ())

    def follow_element(self, tree: ast.expr, scope: Scope, index: int, at: Statement) -> Fate:
        """Return the fate of an expression, with its line if it makes a plain tensor."""
        fate = self.expression(tree, scope, index, at)
        if fate.kind == "plain" and creates(tree):
            return replace(fate, plain=((ast.unparse(tree), at),))
        return fate

    def comprehension_scope(self, tree: Any, scope: Scope, index: int, at: Statement) -> Scope:
        """Return the scope in which a comprehension's element is computed."""
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
        if tree.attr in METADATA:
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
            return self.follow_gradient(tree, scope, index, at)
        owner = resolve(tree.value, scope)
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
        value = resolve(tree, scope)
        if (kept := self.stored_fate(tree.attr, owner, value)) is not None:
            return kept
        if value is not None and not isinstance(value, FunctionType | MethodType):
            return self.thing(value, text) if "." not in text else self._thing(value, text)
        return self.expression(tree.value, scope, index, at)

    def stored_fate(self, attribute: str, owner: Any, value: Any) -> Fate | None:
        """Return the fate of a number or plain tensor that an object's methods stored in it.

        The methods' arguments are assumed to have a history.
        """
        dead = is_tensor(value) and not self.alive(value) and not value.requires_grad
        if owner is None or is_library(type(owner)) or not (dead or type(value) is float):
            return None
        found = []
        for function in vars(type(owner)).values():
            if not isinstance(function, FunctionType) or self.depth >= DEEPEST:
                continue
            me, *arguments = [*parameters_of(function), ""]
            inner = enter(function, None, dict.fromkeys(arguments, LIVE), {me: owner})
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

    def follow_gradient(self, tree: ast.Attribute, scope: Scope, index: int, at: Statement) -> Fate:
        """Return the fate of `x.grad`: it has a history if create_graph was set."""
        value = resolve(tree, scope)
        if is_tensor(value) and self.alive(value):
            return LIVE
        base = self.expression(tree.value, scope, index, at)
        if base.kind in ("plain", "again"):  # the gradient of the value that is being followed
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
