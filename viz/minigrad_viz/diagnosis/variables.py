"""The fate of a variable: the statements that may have assigned or changed it.

expressions.py follows the right sides of these statements.
"""

from __future__ import annotations

import ast
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from types import FunctionType
from typing import Any

from ..model.names import is_tensor
from ..model.program_text import BLOCKS, Statement
from .fate import AGAIN, LIVE, PLAIN, UNKNOWN, Cut, Fate, combine, one_of
from .objects import New, function_called, is_library, is_module, member, resolve
from .scope import Scope, enter
from .syntax import (
    assigned_in,
    calls_in,
    changed_in,
    creates,
    is_grad,
    keyword,
    last_name,
    names_in,
    subject_of,
    update_of,
)

WITH_INDICES = {"max", "min", "topk", "sort", "kthvalue", "mode", "median"}
"""Functions that return values and their indices."""


class Variables(ABC):
    """Follows variables. `alive` tells whether a tensor has the history in question."""

    def __init__(self, alive: Callable[[Any], bool], leaves: bool = True) -> None:
        self.alive = alive
        self.leaves = leaves
        """Whether new leaves count, or only tensors that are `alive`."""
        self.looked = 0
        self.doubtful = False
        """Whether modes count that may or may not switch recording off."""
        self.depth = 0
        self.busy: set[tuple[int, str, int]] = set()

    @abstractmethod
    def expression(self, tree: ast.expr, scope: Scope, index: int, at: Statement) -> Fate:
        """Return the fate of an expression in the statement `at`, number `index`."""

    def name(self, name: str, scope: Scope, before: int) -> Fate:
        """Return the fate of a variable (or `self.h`) where the statement `before` runs."""
        key = (id(scope), name, before)
        if key in self.busy:
            return AGAIN
        self.busy.add(key)
        try:
            return self._name(name, scope, before)
        finally:
            self.busy.discard(key)

    def _name(self, name: str, scope: Scope, before: int) -> Fate:
        value = scope.objects.get(name) if scope.running else None
        both = zip(scope.given, scope.changed, strict=True)
        events = [i for i, (given, changed) in enumerate(both) if name in given or name in changed]
        earlier = [index for index in events if index < before]
        if is_tensor(value) and self.alive(value) and len(events) < 2:
            return LIVE
        loops = scope.statements[before].loops if before < len(scope.statements) else ()
        again = [
            index
            for index in events
            if index >= before and loops and scope.statements[index].loops[:1] == loops[:1]
        ]
        starts = [i for i in earlier if name in scope.given[i]]
        if starts and loops and scope.statements[starts[-1]].loops[:1] == loops[:1]:
            again = []
        found = []
        if starts or name in scope.fates or not again:
            changes = [i for i in earlier if not starts or i > starts[-1]]
            later = [i for i in again if name not in scope.given[i]]
            possible = self.possible_assignments(scope, starts, before)
            found += [self.fate_after(name, scope, [i], [*changes, *later]) for i in possible]
            if not possible:
                found.append(self.fate_after(name, scope, [], [*changes, *later]))
        for index in again:
            if name in scope.given[index]:
                found.append(self.fate_after(name, scope, [index], []))
        fate = one_of(found)
        if fate.kind == "plain" and scope.running and isinstance(value, dict | list):
            return self.container_fate(name, scope) or fate
        if scope.running and is_tensor(value) and not self.alive(value) and fate.kind != "cut":
            if (elsewhere := self.global_fate(name, scope)) is not None:
                return elsewhere
        given = [index for index in events if name in scope.given[index]]
        last = bool(starts) and starts[-1] == given[-1]
        if fate.kind == "live" and last and is_tensor(value) and not self.alive(value):
            return self.without_slope(scope, starts[-1], fate)
        return fate

    def container_fate(self, name: str, scope: Scope) -> Fate | None:
        """Return the fate of what functions put into a shared dict or list.

        An example is a hook that stores its arguments. Arguments are assumed to have a history.
        """
        found = []
        for inner in scope.functions_of_file:
            for index, statement in enumerate(inner.statements):
                if name in changed_in(statement) and name not in inner.own:
                    found.append(self.changed_fate(name, PLAIN, inner, index, statement))
        cut = [fate for fate in found if fate.kind == "cut"]
        return one_of(cut) if cut and len(cut) == len(found) else None

    def global_fate(self, name: str, scope: Scope) -> Fate | None:
        """Return the fate of a global variable that functions assign.

        Return None unless each of these assignments ends a history.
        """
        found = []
        for inner in scope.functions_of_file:
            trees = [s.tree for s in inner.statements]
            if any(isinstance(t, ast.Global | ast.Nonlocal) and name in t.names for t in trees):
                before = Scope(inner.statements, inner.objects, {**inner.fates, name: LIVE})
                given = (i for i, tree in enumerate(trees) if tree and name in assigned_in(tree))
                found += [self.assigned_fate(name, before, index) for index in given]
        return one_of(found) if found and all(fate.kind == "cut" for fate in found) else None

    def possible_assignments(self, scope: Scope, starts: list[int], before: int) -> list[int]:
        """Return the assignments that may be the last before a statement.

        With branches there can be several.
        """
        here = scope.statements[before].arms if before < len(scope.statements) else ()
        found = []
        for index in reversed(starts):
            arms = scope.statements[index].arms
            if any((line, 1 - arm) in here for line, arm in arms if arm < 2):
                continue  # the other arm of the running branch
            found.append(index)
            if arms == here[: len(arms)]:
                break
        return found

    def without_slope(self, scope: Scope, index: int, fate: Fate) -> Fate:
        """Return the fate of a recorded gradient without history: of something linear."""
        statement = scope.statements[index]
        for call in calls_in(statement.tree):
            if is_grad(call) and keyword(call, "create_graph") is True:
                y, x = (ast.unparse(each) for each in [*call.args, *call.args][:2])
                return Fate("cut", (Cut("linear", statement, y, x),))
        return fate

    def fate_after(self, name: str, scope: Scope, starts: list[int], changes: list[int]) -> Fate:
        """Return the fate of a variable after its assignment and later changes."""
        if starts:
            fate = self.assigned_fate(name, scope, starts[0])
        else:
            fate = self.outer_fate(name, scope)
        for index in changes:
            statement = scope.statements[index]
            fate = self.changed_fate(name, fate, scope, index, statement)
        return fate

    def assigned_fate(self, name: str, scope: Scope, index: int) -> Fate:
        statement = scope.statements[index]
        tree: Any = statement.tree
        value = tree.value
        for target in tree.targets if isinstance(tree, ast.Assign) else [tree.target]:
            if not isinstance(target, ast.Tuple | ast.List):
                continue
            place = next((i for i, e in enumerate(target.elts) if ast.unparse(e) == name), 0)
            if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
                value = value.elts[place]
            elif place == 1 and isinstance(value, ast.Call) and last_name(value) in WITH_INDICES:
                fate = self.expression(value, scope, index, statement)
                what = ast.unparse(value)
                return fate.cut("cut_indices", statement, what, subject_of(value))
        fate = self.expression(value, scope, index, statement)
        if fate.parts and value is tree.value:
            for target in tree.targets if isinstance(tree, ast.Assign) else ():
                places = [ast.unparse(e) for e in getattr(target, "elts", ())]
                if len(places) == len(fate.parts) and name in places:
                    fate = fate.parts[places.index(name)]
        if fate.kind == "plain" and creates(value):
            fate = replace(fate, plain=((name, statement),))
        if isinstance(value, ast.Name | ast.Attribute):
            return fate
        return self.in_block(fate, statement, ast.unparse(value), name, scope, index)

    def follow_unnamed(self, tree: ast.expr, scope: Scope, index: int, at: Statement) -> Fate:
        """Return the fate of an unnamed expression, in the mode in which it runs."""
        fate = self.expression(tree, scope, index, at)
        if isinstance(tree, ast.Name | ast.Attribute):
            return fate
        text = ast.unparse(tree)
        return self.in_block(fate, at, text, text, scope, index)

    def in_block(
        self,
        fate: Fate,
        statement: Statement,
        what: str,
        name: str,
        scope: Scope,
        index: int,
    ) -> Fate:
        """Return the fate of a live result if recording was off where it was made."""
        if fate.kind != "live":
            return fate
        if (switch := scope.switches[index]) is not None:
            return fate.cut("switched", switch, switch.text, name)
        block = statement.block or (statement.doubtful if self.doubtful else "")
        if not block:
            off = (f"with {ast.unparse(c)}" for c in statement.contexts if off_in(c, scope))
            block = next(off, "")
            statement = replace(statement, block=block)
        if not block:
            return fate
        if name in names_in(getattr(statement.tree, "value", None)):
            if update_of(statement) is None and not block.startswith("@"):
                return fate.cut("new_weights", statement, what, name)
        new = update_of(statement)
        other = {name, *assigned_in(statement.tree)} if _is_sum(statement) else set()
        if new is not None and (not other or new[0] in other):
            return fate.cut("new_weight", statement, new[1], new[0], new[2])
        if block.startswith("@"):
            return fate.cut("decorated", statement, what, name)
        return fate.cut("in_block", statement, what, name)

    def changed_fate(
        self, name: str, fate: Fate, scope: Scope, index: int, statement: Statement
    ) -> Fate:
        tree = statement.tree
        if isinstance(tree, ast.AugAssign):
            return add([fate, self.follow_unnamed(tree.value, scope, index, statement)])
        if isinstance(tree, ast.Assign):
            target = tree.targets[0]
            if isinstance(target, ast.Attribute) and target.attr == "requires_grad":
                on = not (isinstance(tree.value, ast.Constant) and tree.value.value is False)
                return self.flagged_fate(name, fate, scope, on)
            return add([fate, self.follow_unnamed(tree.value, scope, index, statement)])
        for call in calls_in(tree):
            if not isinstance(call.func, ast.Attribute) or ast.unparse(call.func.value) != name:
                continue
            method = call.func.attr
            if method == "detach_":
                return fate.cut("cut_detach_", statement, ast.unparse(call), name)
            if method == "requires_grad_":
                on = not (call.args and getattr(call.args[0], "value", True) is False)
                return self.flagged_fate(name, fate, scope, on)
            if method in ("append", "extend", "insert", "copy_", "add_", "mul_", "update"):
                arguments = [self.follow_unnamed(a, scope, index, statement) for a in call.args]
                return add([fate, *arguments])
        return fate

    def flagged_fate(self, name: str, fate: Fate, scope: Scope, on: bool) -> Fate:
        """Return the fate after requires_grad_(): a new leaf is live if leaves count."""
        value = scope.objects.get(name) if scope.running else None
        if is_tensor(value):
            return LIVE if self.alive(value) else fate
        return LIVE if on and self.leaves else fate

    def outer_fate(self, name: str, scope: Scope) -> Fate:
        """Return the fate of a variable that its function does not assign."""
        if name in scope.fates:
            return scope.fates[name]
        if name in scope.own and not scope.running:
            return PLAIN
        return self.thing(scope.objects.get(name.partition(".")[0]), name)

    def thing(self, value: Any, name: str) -> Fate:
        """Return the fate of an object."""
        for part in name.split(".")[1:]:
            value = member(value, part)
        if isinstance(value, New):
            return LIVE if self.leaves else UNKNOWN
        if is_tensor(value):
            return LIVE if self.alive(value) else PLAIN
        if is_module(value):
            parameters = [p for _, p in value.named_parameters()]
            if any(self.alive(p) for p in parameters):
                return LIVE
            frozen = parameters and not any(p.requires_grad for p in parameters)
            return Fate("plain", frozen=((name, value),)) if frozen else PLAIN
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, list | tuple) and len(value) < 1000:
            return combine(self.thing(each, name.partition(".")[0]) for each in value)
        return PLAIN


def add(fates: list[Fate]) -> Fate:
    """Return the fate of a value after an update; its own value before adds nothing."""
    return combine([fate for fate in fates if fate.kind != "again"] or fates[:1])


def off_in(context: ast.expr, scope: Scope) -> bool:
    """Return whether a user's context manager switches recording off in its block."""
    function = function_called(context, scope) if isinstance(context, ast.Call) else None
    if function is None:
        made = resolve(context.func if isinstance(context, ast.Call) else context, scope)
        kind = made if isinstance(made, type) else type(made)
        if any(each.__name__ in BLOCKS and is_library(each) for each in kind.__mro__):
            return True
        entering = inspect.getattr_static(kind, "__enter__", None)
        if not isinstance(entering, FunctionType):
            return False
        return enter(entering, None, {}, {}).switches[-1:] not in ([], [None])
    inner = enter(function[0], function[1], {}, {})
    handing = [i for i, s in enumerate(inner.statements) if _yields(s.tree)]
    return any(inner.statements[i].block or inner.switches[i] is not None for i in handing)


def _yields(tree: ast.stmt | None) -> bool:
    return any(isinstance(node, ast.Yield) for node in ast.walk(tree or ast.Pass()))


def _is_sum(statement: Statement) -> bool:
    """Return whether a statement is like `new = w - lr * w.grad`."""
    return isinstance(statement.tree, ast.Assign) and isinstance(statement.tree.value, ast.BinOp)
