"""Where the history of a tensor ended.

A tensor without history does not know what it lost. The program's text does: its expressions are
followed backwards, through variables, helpers and `forward` methods, to what has a history, and the
step behind which there is none is named. Nothing is run. Where the tensors are still there, they
are asked first: what they say is true, whatever the text looks like.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from ..model.frame_locals import variables_of
from ..model.lines import LIBRARIES
from ..model.names import is_tensor
from ..model.program import Program, Statement, assigned
from .evidence import Place

DEEPEST = 12
"""Calls within calls are followed so far."""

MOST = 3000
"""Expressions that are looked at for one question, so that an answer comes in any program."""

INDICES = {"argmax", "argmin", "argsort", "nonzero", "bincount", "multinomial", "count_nonzero"}
COMPARISONS = {"eq", "ne", "gt", "ge", "lt", "le", "greater", "less", "equal", "isclose"}
COMPARISONS |= {"logical_not", "logical_and", "logical_or", "isnan", "isinf", "isfinite"}
CASTS = {"long", "int", "short", "char", "byte", "bool"}
INTEGERS = CASTS | {"int8", "int16", "int32", "int64", "uint8", "LongTensor", "IntTensor"}
NUMBERS = {"item": "item()", "tolist": "tolist()", "numpy": "numpy()"}
COPIES = {"tensor", "from_numpy"}
WITH_INDICES = {"max", "min", "topk", "sort", "kthvalue", "mode", "median"}
"""What returns values and their indices."""

ABOUT = {"shape", "dtype", "device", "ndim", "requires_grad", "is_leaf", "layout", "training"}
ABOUT |= {"size", "dim", "numel", "ones_like", "zeros_like", "empty_like", "rand_like"}
ABOUT |= {"randn_like", "full_like", "new_zeros", "new_ones", "new_tensor", "new_full"}
"""What asks a tensor for its shape and the like, and not for its numbers."""


Entered = tuple[FunctionType, Any, "Scope"]
"""A function of the reader's, what it is bound to, and what is written in it."""


@dataclass(frozen=True)
class Cut:
    """A step behind which there is no history. `key` says which kind, `what` is its text, `other`
    that of what had a history; `later` are the lines in which it would have ended again.
    """

    key: str
    statement: Statement
    what: str
    other: str
    instead: str = ""
    later: tuple[Statement, ...] = ()


@dataclass(frozen=True)
class Fate:
    """What became of the history of a value: it is there ("live"), it never was ("plain"), or it
    was "cut"; "unknown" if the text does not say.
    """

    kind: str
    cuts: tuple[Cut, ...] = ()
    frozen: tuple[tuple[str, Any], ...] = ()
    """Modules without a parameter that requires grad, by the name they have where they are used."""
    plain: tuple[tuple[str, Statement], ...] = ()
    """The lines that made tensors which do not require grad, and what these are called."""
    parts: tuple[Fate, ...] = ()
    """Of a tuple, the fates of its elements."""


LIVE, PLAIN, UNKNOWN = Fate("live"), Fate("plain"), Fate("unknown")
AGAIN = Fate("again")
"""What a variable had in the turn before, where that is just being asked: it adds nothing."""


def together(fates: Iterable[Fate]) -> Fate:
    """What is computed from several values."""
    found = list(fates)
    cuts = tuple(dict.fromkeys(cut for fate in found for cut in fate.cuts))
    frozen = tuple({id(m): (n, m) for fate in found for n, m in fate.frozen}.values())
    plain = tuple(dict.fromkeys(made for fate in found for made in fate.plain))
    kinds = {fate.kind for fate in found}
    for kind in ("live", "again", "cut", "unknown"):
        if kind in kinds:
            return Fate(kind, () if kind == "live" else cuts, frozen, plain)
    return Fate("plain", cuts, frozen, plain)


def one_of(fates: Iterable[Fate]) -> Fate:
    """One of several values, of which it is known that its history has ended."""
    found = list(fates)
    found = [fate for fate in found if fate.kind != "again"] or found
    joined = together(found)
    kinds = {fate.kind for fate in found}
    kind = next((k for k in ("cut", "unknown", "live", "again") if k in kinds), "plain")
    lengths = {len(fate.parts) for fate in found}
    several = zip(*(fate.parts for fate in found), strict=True) if len(lengths) == 1 else ()
    cuts = tuple(dict.fromkeys(cut for fate in found if fate.kind == kind for cut in fate.cuts))
    parts = tuple(one_of(each) for each in several)
    return replace(joined, kind=kind, cuts=cuts, parts=parts)


class Scope:
    """A function or a module's level: its statements, and what is known of its variables."""

    def __init__(
        self,
        statements: list[Statement],
        objects: Mapping[str, Any],
        fates: Mapping[str, Fate] | None = None,
        running: bool = False,
    ) -> None:
        self.statements = statements
        self.objects = objects
        self.fates = fates or {}
        self.running = running
        """Are the objects those that its variables have at this moment?"""
        self.own = {n for s in statements if s.tree is not None for n in assigned(s.tree)}
        self.switches = list(_switches(statements))


class History:
    """Follows the program's text. `alive` says of a tensor that it has the history in question."""

    def __init__(
        self, alive: Callable[[Any], bool], places: list[Place], leaves: bool = True
    ) -> None:
        self.alive = alive
        self.leaves = leaves
        """Does a new leaf count, or only the tensors that `alive` knows?"""
        self.places = places
        self.looked = 0
        self.doubtful = False
        """Are modes counted of which the text does not say whether they turn recording off?"""
        self.depth = 0
        self.busy: set[tuple[int, str, int]] = set()
        self.scopes: list[Scope] = []
        for place in places:
            frame = place[0]
            objects = {**frame.f_globals, **variables_of(frame)}
            fates = self.given_by_caller(frame.f_code) if self.scopes else {}
            self.scopes.append(Scope(Program([place]).statements, objects, fates, True))
        self.heads = [self.at_line(s, p[1]) for s, p in zip(self.scopes, places, strict=True)]

    # --- Questions

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
        roots = (root for call in _calls(at.tree) if (root := _root_of_pass(call)) is not None)
        root = next(roots, None)
        if root is None or isinstance(root, ast.List | ast.Tuple):
            return self.of_variable(text)
        return self.surely(partial(self.expression, root, scope, index, at), len(self.scopes) - 1)

    def surely(self, follow: Callable[[], Fate], number: int) -> Fate:
        """What is known to have no history cannot be live: then it was lost in a doubtful mode."""
        try:
            fate = self.outside(follow(), number)
            if fate.kind == "live":
                self.doubtful = True
                fate = self.outside(follow(), number)
        except RecursionError:  # an expression of a thousand terms
            return UNKNOWN
        return fate

    def outside(self, fate: Fate, number: int) -> Fate:
        """A fate in one of the running functions, with the modes in which it was called."""
        for scope, head in zip(self.scopes[:number], self.heads, strict=False):
            if fate.kind == "live" and head is not None:
                fate = self.in_block(fate, scope.statements[head], "", "")
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
        return list(dict.fromkeys(s for s in found if s.tree is not None and _freezes(s.tree)))

    def entered_by(self, scope: Scope, statements: list[Statement]) -> Iterator[Entered]:
        """The reader's functions that these statements call, and those that they call."""
        seen: set[CodeType] = set()
        queue = [(scope, index, s) for index, s in enumerate(statements)]
        while queue:
            where, index, statement = queue.pop(0)
            for call in _calls(statement.tree):
                for function in self.functions_of(call, where, index):
                    if _library(function[0]) or function[0].__code__ in seen:
                        continue
                    seen.add(function[0].__code__)
                    inner = self.entered(*function, {}, {})
                    yield *function, inner
                    queue += [(inner, i, s) for i, s in enumerate(inner.statements)]

    def functions_of(
        self, call: ast.Call, scope: Scope, index: int
    ) -> Iterator[tuple[FunctionType, Any]]:
        """The functions that a call enters: more than one if it is of modules in a row."""
        if (function := self.called(call, scope, index)) is not None:
            yield function
        module = self.resolved(call.func, scope)
        if _is_module(module) and _library(type(module)):
            for child in module.modules():
                forward = inspect.getattr_static(type(child), "forward", None)
                if isinstance(forward, FunctionType):
                    yield forward, child

    # --- Variables

    def name(self, name: str, scope: Scope, before: int) -> Fate:
        """The fate of a variable (or of `self.h`) where the statement `before` runs."""
        key = (id(scope), name, before)
        if key in self.busy:
            return AGAIN
        if self.looked > MOST:
            return UNKNOWN
        self.looked += 1
        self.busy.add(key)
        try:
            return self._name(name, scope, before)
        finally:
            self.busy.discard(key)

    def _name(self, name: str, scope: Scope, before: int) -> Fate:
        value = scope.objects.get(name) if scope.running else None
        events = [
            index
            for index, statement in enumerate(scope.statements)
            if statement.tree is not None and name in _given(statement.tree) | _touched(statement)
        ]
        earlier = [index for index in events if index < before]
        if is_tensor(value) and self.alive(value) and len(events) < 2:
            return LIVE
        loops = scope.statements[before].loops if before < len(scope.statements) else ()
        again = [
            index
            for index in events
            if index >= before and loops and scope.statements[index].loops[:1] == loops[:1]
        ]
        starts = [i for i in earlier if name in _given(scope.statements[i].tree)]
        if starts and loops and scope.statements[starts[-1]].loops[:1] == loops[:1]:
            again = []
        found = []
        if starts or name in scope.fates or not again:
            changes = [i for i in earlier if not starts or i > starts[-1]]
            later = [i for i in again if name not in _given(scope.statements[i].tree)]
            possible = self.possible(scope, starts, before)
            found += [self.changed(name, scope, [i], [*changes, *later]) for i in possible]
            if not possible:
                found.append(self.changed(name, scope, [], [*changes, *later]))
        for index in again:
            if name in _given(scope.statements[index].tree):
                found.append(self.changed(name, scope, [index], []))
        fate = one_of(found)
        given = [index for index in events if name in _given(scope.statements[index].tree)]
        last = bool(starts) and starts[-1] == given[-1]
        if fate.kind == "live" and last and is_tensor(value) and not self.alive(value):
            return self.without_slope(scope, starts[-1], fate)
        return fate

    def possible(self, scope: Scope, starts: list[int], before: int) -> list[int]:
        """Of the assignments before a statement, those that may have been the last: in branches
        more than one.
        """
        here = scope.statements[before].arms if before < len(scope.statements) else ()
        found = []
        for index in reversed(starts):
            arms = scope.statements[index].arms
            if any((line, 1 - arm) in here for line, arm in arms if arm < 2):
                continue  # the other arm of the branch that is being run
            found.append(index)
            if arms == here[: len(arms)]:
                break
        return found

    def without_slope(self, scope: Scope, index: int, fate: Fate) -> Fate:
        """Recorded, and without history all the same: the derivative of something linear."""
        statement = scope.statements[index]
        for call in _calls(statement.tree):
            if _is_grad(call) and _keyword(call, "create_graph") is True:
                y, x = (ast.unparse(each) for each in [*call.args, *call.args][:2])
                return Fate("cut", (Cut("linear", statement, y, x),))
        return fate

    def changed(self, name: str, scope: Scope, starts: list[int], changes: list[int]) -> Fate:
        """The fate of a variable that is given a value, and changed afterwards."""
        if starts:
            fate = self.assigned(name, scope, starts[0])
        else:
            fate = self.outer(name, scope)
        for index in changes:
            statement = scope.statements[index]
            fate = self.touched(name, fate, scope, index, statement)
        return fate

    def assigned(self, name: str, scope: Scope, index: int) -> Fate:
        statement = scope.statements[index]
        tree: Any = statement.tree
        value = tree.value
        for target in tree.targets if isinstance(tree, ast.Assign) else [tree.target]:
            if not isinstance(target, ast.Tuple | ast.List):
                continue
            place = next((i for i, e in enumerate(target.elts) if ast.unparse(e) == name), 0)
            if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
                value = value.elts[place]
            elif place == 1 and isinstance(value, ast.Call) and _called(value) in WITH_INDICES:
                fate = self.expression(value, scope, index, statement)
                what = ast.unparse(value)
                return self.cut(fate, "cut_indices", statement, what, _subject(value))
        fate = self.expression(value, scope, index, statement)
        if fate.parts and value is tree.value:
            for target in tree.targets if isinstance(tree, ast.Assign) else ():
                places = [ast.unparse(e) for e in getattr(target, "elts", ())]
                if len(places) == len(fate.parts) and name in places:
                    fate = fate.parts[places.index(name)]
        if fate.kind == "plain" and _creates(value):
            fate = replace(fate, plain=((name, statement),))
        if isinstance(value, ast.Name | ast.Attribute):
            return fate
        return self.in_block(fate, statement, ast.unparse(value), name, scope, index)

    def in_block(
        self,
        fate: Fate,
        statement: Statement,
        what: str,
        name: str,
        scope: Scope | None = None,
        index: int = 0,
    ) -> Fate:
        """A result that was live, and was made where nothing is recorded."""
        if fate.kind != "live":
            return fate
        if scope is not None and (switch := scope.switches[index]) is not None:
            return self.cut(fate, "switched", switch, switch.text, name)
        block = statement.block or (statement.doubtful if self.doubtful else "")
        if not block:
            return fate
        if scope is not None and name in _names_in(getattr(statement.tree, "value", None)):
            if _update(statement) is None and not block.startswith("@"):
                return self.cut(fate, "new_weights", statement, what, name)
        if (new := _update(statement)) is not None:
            return self.cut(fate, "new_weight", statement, new[1], new[0], new[2])
        if block.startswith("@"):
            return self.cut(fate, "decorated", statement, what, name)
        return self.cut(fate, "in_block", statement, what, name)

    def touched(
        self, name: str, fate: Fate, scope: Scope, index: int, statement: Statement
    ) -> Fate:
        tree = statement.tree
        if isinstance(tree, ast.AugAssign):
            added = self.expression(tree.value, scope, index, statement)
            if fate.kind == "live" and not added.cuts:
                return fate
            return together([fate, added])
        if isinstance(tree, ast.Assign):
            target = tree.targets[0]
            if isinstance(target, ast.Attribute) and target.attr == "requires_grad":
                on = not (isinstance(tree.value, ast.Constant) and tree.value.value is False)
                return self.required(name, fate, scope, on)
            return together([fate, self.expression(tree.value, scope, index, statement)])
        for call in _calls(tree):
            if not isinstance(call.func, ast.Attribute) or ast.unparse(call.func.value) != name:
                continue
            method = call.func.attr
            if method == "detach_":
                return self.cut(fate, "cut_detach_", statement, ast.unparse(call), name)
            if method == "requires_grad_":
                on = not (call.args and getattr(call.args[0], "value", True) is False)
                return self.required(name, fate, scope, on)
            if method in ("append", "extend", "insert", "copy_", "add_", "mul_", "update"):
                arguments = [self.expression(a, scope, index, statement) for a in call.args]
                return together([fate, *arguments])
        return fate

    def required(self, name: str, fate: Fate, scope: Scope, on: bool) -> Fate:
        """After requires_grad_(): a new leaf is alive if leaves are what is asked for."""
        value = scope.objects.get(name) if scope.running else None
        if is_tensor(value):
            return LIVE if self.alive(value) else fate
        return LIVE if on and self.leaves else fate

    def outer(self, name: str, scope: Scope) -> Fate:
        """The fate of a variable to which its function gives no value."""
        if name in scope.fates:
            return scope.fates[name]
        if name in scope.own and not scope.running:
            return PLAIN
        return self.thing(scope.objects.get(name.partition(".")[0]), name)

    def thing(self, value: Any, name: str) -> Fate:
        """The fate of an object."""
        for part in name.split(".")[1:]:
            value = _member(value, part)
        if isinstance(value, New):
            return LIVE if self.leaves else UNKNOWN
        if is_tensor(value):
            return LIVE if self.alive(value) else PLAIN
        if _is_module(value):
            parameters = [p for _, p in value.named_parameters()]
            if any(self.alive(p) for p in parameters):
                return LIVE
            frozen = parameters and not any(p.requires_grad for p in parameters)
            return Fate("plain", frozen=((name, value),)) if frozen else PLAIN
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, list | tuple) and len(value) < 1000:
            return together(self.thing(each, name.partition(".")[0]) for each in value)
        return PLAIN

    # --- Expressions

    def cut(
        self, fate: Fate, key: str, statement: Statement, what: str, other: str, instead: str = ""
    ) -> Fate:
        """What is left behind a step that has no slope, or leaves the graph."""
        if fate.kind == "live":
            return Fate("cut", (Cut(key, statement, what, other, instead),), fate.frozen)
        if fate.kind != "cut" or statement.tree is None:
            return fate
        cuts = tuple(
            c
            if c.statement == statement or statement in c.later or key in ("in_block", "decorated")
            else replace(c, later=(*c.later, statement))
            for c in fate.cuts
        )
        return replace(fate, cuts=cuts)

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
                second = isinstance(tree.slice, ast.Constant) and tree.slice.value == 1
                if second and isinstance(tree.value, ast.Call):
                    if _called(tree.value) in WITH_INDICES:
                        what = ast.unparse(tree)
                        return self.cut(whole, "cut_indices", at, what, _subject(tree.value))
                return whole
            case ast.Compare():
                parts = [follow(each, scope, index, at) for each in (tree.left, *tree.comparators)]
                live = [
                    each
                    for each, fate in zip((tree.left, *tree.comparators), parts, strict=True)
                    if fate.kind in ("live", "cut")
                ]
                other = ast.unparse(live[0]) if live else ""
                return self.cut(together(parts), "cut_comparison", at, ast.unparse(tree), other)
            case ast.IfExp():
                return one_of(follow(each, scope, index, at) for each in (tree.body, tree.orelse))
            case ast.NamedExpr() | ast.Starred() | ast.Await():
                return follow(tree.value, scope, index, at)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                return follow(tree.elt, self.comprehended(tree, scope, index, at), index, at)
            case ast.Call():
                return self.call(tree, scope, index, at)
            case ast.Slice() | ast.Yield() | ast.YieldFrom():
                return UNKNOWN
        inner = [each for each in ast.iter_child_nodes(tree) if isinstance(each, ast.expr)]
        fates = [follow(each, scope, index, at) for each in inner]
        return replace(together(fates), parts=tuple(fates) if isinstance(tree, ast.Tuple) else ())

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
            s.tree is not None and text in _given(s.tree) for s in scope.statements[:index]
        )
        if stored:
            return self.name(text, scope, index)
        base = ast.unparse(tree.value)
        if tree.attr == "data":
            fate = self.expression(tree.value, scope, index, at)
            return self.cut(fate, "cut_data", at, text, base)
        if tree.attr == "indices":
            fate = self.expression(tree.value, scope, index, at)
            return self.cut(fate, "cut_indices", at, text, base)
        if tree.attr == "grad":
            return self.gradient(tree, scope, index, at)
        owner = self.resolved(tree.value, scope)
        found = inspect.getattr_static(type(owner), tree.attr, None) if owner is not None else None
        if isinstance(found, property) and isinstance(found.fget, FunctionType):
            if not _library(found.fget) and self.depth < DEEPEST:
                return self.entering(found.fget, owner, [], {})
        value = self.resolved(tree, scope)
        if value is not None and not isinstance(value, FunctionType | MethodType):
            return self.thing(value, text) if "." not in text else self._thing(value, text)
        return self.expression(tree.value, scope, index, at)

    def _thing(self, value: Any, text: str) -> Fate:
        fate = self.thing(value, "it")
        frozen = tuple((text, m) for _, m in fate.frozen)
        return replace(fate, frozen=frozen)

    def gradient(self, tree: ast.Attribute, scope: Scope, index: int, at: Statement) -> Fate:
        """A gradient has a history if its pass was recorded: create_graph."""
        value = self.resolved(tree, scope)
        if is_tensor(value) and self.alive(value):
            return LIVE
        base = self.expression(tree.value, scope, index, at)
        if base.kind == "plain":
            return base
        passes = [
            (statement, call)
            for statement in scope.statements[:index]
            for call in _calls(statement.tree)
            if _called(call) == "backward"
        ]
        if not passes:
            return PLAIN
        statement, call = passes[-1]
        if _keyword(call, "create_graph") is True:
            return base
        return self.cut(LIVE, "no_create_graph", statement, ast.unparse(call), ast.unparse(tree))

    def call(self, tree: ast.Call, scope: Scope, index: int, at: Statement) -> Fate:
        called = _called(tree)
        what = ast.unparse(tree)
        if called in ABOUT or called in ("len", "print", "isinstance", "range"):
            return PLAIN
        function = self.called(tree, scope, index)
        given = [*tree.args, *(word.value for word in tree.keywords)]
        if function is not None and not _library(function[0]):
            if self.depth >= DEEPEST:
                return UNKNOWN
            return self.inside(tree, function, scope, index, at)
        module = self.resolved(tree.func, scope)
        method = isinstance(tree.func, ast.Attribute) and not self.is_namespace(tree.func, scope)
        if method and not _is_module(module):
            assert isinstance(tree.func, ast.Attribute)
            given.insert(0, tree.func.value)
        fates = [self.expression(each, scope, index, at) for each in given]
        other = next(
            (ast.unparse(g) for g, f in zip(given, fates, strict=True) if f.kind != "plain"), ""
        )
        if _is_module(module):
            return self.through(module, ast.unparse(tree.func), together(fates))
        if module is None and isinstance(tree.func, ast.Name):
            fates.append(self.name(tree.func.id, scope, index))  # a layer out of a list
        fate = together(fates)
        if self.leaves and (_keyword(tree, "requires_grad") is True or called == "Parameter"):
            return LIVE
        if called == "requires_grad_" and method:
            return self.required("", fate, scope, True)
        if called == "detach":
            return self.cut(fate, "cut_detach", at, what, other)
        if called in NUMBERS and method:
            return self.as_numbers(fate, called, at, what, other)
        if called in ("float", "int", "complex") and not method:
            return self.cut(fate, "cut_number", at, f"{called}()", other)
        if called in INDICES:
            return self.cut(fate, "cut_indices", at, what, other)
        if called in COMPARISONS:
            return self.cut(fate, "cut_comparison", at, what, other)
        if (called in CASTS and method) or (called in ("to", "type") and _to_integers(tree)):
            return self.cut(fate, "cut_cast", at, what, other)
        if called in COPIES and not method:
            return self.cut(fate, "cut_copied", at, what, other)
        if _is_grad(tree):
            return self.grad(tree, fate, at, what)
        numpy = getattr(module, "__module__", None) or type(module).__module__
        if fate.cuts and str(numpy).partition(".")[0] == "numpy":
            cuts = (
                c if c.instead or c.key != "cut_numpy" else replace(c, instead=called)
                for c in fate.cuts
            )
            return replace(fate, cuts=tuple(cuts))
        return fate

    def as_numbers(self, fate: Fate, called: str, at: Statement, what: str, other: str) -> Fate:
        key = "cut_numpy" if called == "numpy" else "cut_number"
        if key == "cut_numpy" and fate.kind == "cut" and fate.cuts[-1].statement == at:
            # `y.detach().numpy()`: it is NumPy that was wanted.
            cuts = (
                replace(c, key=key, what=what) if c.key in ("cut_detach", "cut_data") else c
                for c in fate.cuts
            )
            return replace(fate, cuts=tuple(cuts))
        return self.cut(
            fate, key, at, f".{NUMBERS[called]}" if key == "cut_number" else what, other
        )

    def grad(self, tree: ast.Call, fate: Fate, at: Statement, what: str) -> Fate:
        """autograd.grad(): without create_graph, what it returns is numbers."""
        if fate.kind != "live" or _keyword(tree, "create_graph") is not None:
            return fate
        return self.cut(fate, "no_create_graph", at, what, ast.unparse(tree.args[0]))

    def through(self, module: Any, name: str, fate: Fate) -> Fate:
        """What comes out of a module: of the library's own, or of the reader's in a row."""
        children = list(module.children())
        if type(module).__name__ == "Sequential":
            for child in children:
                forward = inspect.getattr_static(type(child), "forward", None)
                if isinstance(forward, FunctionType) and not _library(forward):
                    fate = self.entering(forward, child, [fate], {})
                else:
                    fate = self.through(child, name, fate)
            return fate
        return together([fate, self._thing(module, name)])

    # --- Calls of the reader's functions

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
        places = _parameters(plain)[bound is not None :]
        for place, argument in enumerate(tree.args):
            given.append(self.expression(argument, scope, index, at))
            if place < len(places):
                known[places[place]] = self.resolved(argument, scope)
        words = {}
        for word in tree.keywords:
            if word.arg is not None:
                words[word.arg] = self.expression(word.value, scope, index, at)
                known[word.arg] = self.resolved(word.value, scope)
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
        names = _parameters(function)
        objects = {name: value for name, value in (known or {}).items() if value is not None}
        if bound is not None and names:
            objects[names[0]] = bound
            names = names[1:]
        fates = dict(zip(names, given, strict=False)) | words
        inner = self.entered(function, None, fates, objects)
        self.depth += 1
        try:
            found = []
            for index, statement in enumerate(inner.statements):
                if isinstance(statement.tree, ast.Return) and statement.tree.value is not None:
                    value = statement.tree.value
                    fate = self.expression(value, inner, index, statement)
                    if fate.kind == "plain" and _creates(value):
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

    def entered(
        self, function: FunctionType, bound: Any, fates: dict[str, Fate], objects: dict[str, Any]
    ) -> Scope:
        values = dict(function.__globals__)
        if function.__closure__:
            for name, cell in zip(function.__code__.co_freevars, function.__closure__, strict=True):
                try:
                    values[name] = cell.cell_contents
                except ValueError:  # not filled yet
                    continue
        names = _parameters(function)
        for name in names:
            values.pop(name, None)
        for name, default in zip(
            reversed(names), reversed(function.__defaults__ or ()), strict=False
        ):
            values[name] = default
        if bound is not None and names:
            objects = {names[0]: bound, **objects}
        me = objects.get(names[0]) if names else None
        if me is not None and "__class__" in values:
            values["super()"] = (values["__class__"], me)
        scope = Scope(_statements_of(function), {**values, **objects}, fates)
        return scope

    def given_by_caller(self, code: CodeType) -> dict[str, Fate]:
        """The fates of the arguments of a running function, if its call can be found."""
        scope = self.scopes[-1]
        line = self.places[len(self.scopes) - 1][1]
        index = self.at_line(scope, line)
        if index is None:
            return {}
        statement = scope.statements[index]
        for call in _calls(statement.tree):
            function = self.called(call, scope, index)
            if function is not None and function[0].__code__ is code:
                names = _parameters(function[0])[function[1] is not None :]
                fates = {
                    name: self.expression(argument, scope, index, statement)
                    for name, argument in zip(names, call.args, strict=False)
                }
                for word in call.keywords:
                    if word.arg is not None:
                        fates[word.arg] = self.expression(word.value, scope, index, statement)
                return fates
        return {}

    def at_line(self, scope: Scope, line: int) -> int | None:
        """The statement that runs when a function is at a line; the last of that number."""
        for index in range(len(scope.statements) - 1, -1, -1):
            tree = scope.statements[index].tree
            if tree is not None and tree.lineno <= line <= (tree.end_lineno or tree.lineno):
                return index
        return None

    # --- Objects

    def called(self, tree: ast.Call, scope: Scope, index: int) -> tuple[FunctionType, Any] | None:
        """The function that a call enters, with the object that it is bound to; None if it is not
        one that is written in Python.
        """
        value: Any = self.resolved(tree.func, scope)
        bound: Any = None
        if isinstance(value, New):
            value, bound = inspect.getattr_static(value.kind, "forward", None), value
        if _is_module(value):
            value, bound = inspect.getattr_static(type(value), "forward", None), value
        if isinstance(value, MethodType):
            value, bound = value.__func__, value.__self__
        value = inspect.unwrap(value) if callable(value) and not isinstance(value, type) else value
        return (value, bound) if isinstance(value, FunctionType) else None

    def resolved(self, tree: ast.expr, scope: Scope) -> Any:
        """The object behind a name, or behind the attributes of one. No code of anybody's runs."""
        if isinstance(tree, ast.Name):
            if tree.id in scope.own and not scope.running:
                return None
            return scope.objects.get(tree.id)
        if isinstance(tree, ast.Attribute) and ast.unparse(tree.value) == "super()":
            return _above(scope.objects.get("super()"), tree.attr)
        if isinstance(tree, ast.Attribute):
            return _member(self.resolved(tree.value, scope), tree.attr)
        if isinstance(tree, ast.Call):
            kind = self.resolved(tree.func, scope)
            if isinstance(kind, type) and hasattr(kind, "named_parameters"):
                return New(kind) if not _library(kind) else None
        return None

    def is_namespace(self, tree: ast.Attribute, scope: Scope) -> bool:
        """Is this `T.sin`, and not the method of a tensor?"""
        return isinstance(self.resolved(tree.value, scope), ModuleType | type)


class New:
    """A module that an expression makes, `Net()(x)`, and that nobody has kept."""

    def __init__(self, kind: type) -> None:
        self.kind = kind


def _above(found: Any, name: str) -> Any:
    """What `super().name` is, of a class and an object of it or of one that inherits from it."""
    if found is None:
        return None
    kind, thing = found
    line = (thing.kind if isinstance(thing, New) else type(thing)).__mro__
    for each in line[line.index(kind) + 1 :] if kind in line else ():
        if isinstance(method := vars(each).get(name), FunctionType):
            return MethodType(method, thing)
    return None


# --- Small questions about the text


def _given(tree: ast.stmt | None) -> set[str]:
    """The variables and attributes (`self.h`) that a statement gives a value."""
    if tree is None:
        return set()
    names = assigned(tree)
    for target in tree.targets if isinstance(tree, ast.Assign) else []:
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            if target.attr not in ("requires_grad", "grad", "data"):
                names.add(ast.unparse(target))
    return names


MAKERS = {"tensor", "randn", "rand", "zeros", "ones", "full", "empty", "arange", "linspace", "eye"}
MAKERS |= {"randint", "normal", "float", "double", "range", "list", "dict"}


def _creates(value: ast.expr) -> bool:
    """Does the expression do nothing but make tensors?"""
    calls = [_called(call) for call in _calls(value)]
    copied = [call.args[0] for call in _calls(value) if _called(call) == "tensor" and call.args]
    if any(_names_in(each) for each in copied):
        return False
    return bool({*calls} & (MAKERS - {"float", "range", "list", "dict"})) and {*calls} <= MAKERS


def _names_in(tree: ast.AST | None) -> set[str]:
    return set() if tree is None else {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}


def _touched(statement: Statement) -> set[str]:
    """The variables that a statement changes without giving them a value."""
    tree = statement.tree
    found = set()
    if isinstance(tree, ast.AugAssign) and isinstance(tree.target, ast.Name):
        found.add(tree.target.id)
    if isinstance(tree, ast.Assign):
        for target in tree.targets:
            if isinstance(target, ast.Subscript):
                found.add(ast.unparse(target.value))
            if isinstance(target, ast.Attribute) and target.attr == "requires_grad":
                found.add(ast.unparse(target.value))
    if isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Call):
        if isinstance(tree.value.func, ast.Attribute):
            found.add(ast.unparse(tree.value.func.value))
    return found


def _calls(tree: ast.AST | None) -> list[ast.Call]:
    return [] if tree is None else [n for n in ast.walk(tree) if isinstance(n, ast.Call)]


def _called(call: ast.Call) -> str:
    """The last part of what is called: "argmax" of `scores.argmax(1)`."""
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


def _subject(call: ast.Call) -> str:
    """What a function like max() looks at."""
    of_module = isinstance(call.func, ast.Attribute) and call.args and not _looks_bound(call)
    subject = call.args[0] if of_module else getattr(call.func, "value", None)
    return "" if subject is None else ast.unparse(subject)


def _looks_bound(call: ast.Call) -> bool:
    return not isinstance(call.args[0], ast.Name | ast.Call | ast.Attribute)


def _keyword(call: ast.Call, name: str) -> Any:
    """A constant that is given by keyword; None if there is none, "?" if it is no constant."""
    for word in call.keywords:
        if word.arg == name:
            return word.value.value if isinstance(word.value, ast.Constant) else "?"
    return None


def _is_grad(call: ast.Call) -> bool:
    text = ast.unparse(call.func)
    return text == "grad" or text.endswith("autograd.grad")


def _root_of_pass(call: ast.Call) -> ast.expr | None:
    """What a call of backward() or autograd.grad() starts from."""
    if _called(call) == "backward" and isinstance(call.func, ast.Attribute):
        if ast.unparse(call.func.value).endswith("autograd"):
            return call.args[0] if call.args else None
        return call.func.value
    return call.args[0] if _is_grad(call) and call.args else None


def _to_integers(call: ast.Call) -> bool:
    given = [ast.unparse(a) for a in [*call.args, *(w.value for w in call.keywords)]]
    return any(text.rpartition(".")[2] in INTEGERS for text in given)


def _update(statement: Statement) -> tuple[str, str, str] | None:
    """Of `w = w - lr * w.grad` the weight, the whole, and the line that changes it in place."""
    for node in ast.walk(statement.tree or ast.Pass()):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub | ast.Add):
            left = ast.unparse(node.left)
            right = (ast.unparse(n) for n in ast.walk(node.right) if isinstance(n, ast.Attribute))
            if f"{left}.grad" in right:
                sign = "-" if isinstance(node.op, ast.Sub) else "+"
                return left, ast.unparse(node), f"{left} {sign}= {ast.unparse(node.right)}"
    return None


def _freezes(tree: ast.stmt) -> bool:
    if isinstance(tree, ast.Assign):
        attributes = [t for t in tree.targets if isinstance(t, ast.Attribute)]
        if any(t.attr == "requires_grad" for t in attributes):
            return isinstance(tree.value, ast.Constant) and tree.value.value is False
    return any(
        _called(call) == "requires_grad_"
        and (
            any(isinstance(a, ast.Constant) and a.value is False for a in call.args)
            or _keyword(call, "requires_grad") is False
            or _keyword(call, "mode") is False
        )
        for call in _calls(tree)
    )


def _switches(statements: list[Statement]) -> Iterator[Statement | None]:
    """For each statement the earlier one that turned recording off, if it still is."""
    off = None
    for statement in statements:
        tree = statement.tree
        if isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Call):
            if _called(tree.value) == "set_grad_enabled" and tree.value.args:
                given = tree.value.args[0]
                false = isinstance(given, ast.Constant) and given.value is False
                off = statement if false else None
        yield off


def _statements_of(function: FunctionType) -> list[Statement]:
    return Program.of(function).statements


def _parameters(function: FunctionType) -> list[str]:
    code = function.__code__
    return list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


def _library(function: Any) -> bool:
    top = str(getattr(function, "__module__", "")).partition(".")[0]
    return top in (*LIBRARIES, "numpy") or (top in sys.stdlib_module_names and top != "__main__")


def _is_module(value: object) -> bool:
    return not isinstance(value, type) and callable(getattr(type(value), "named_parameters", None))


def _member(value: Any, name: str) -> Any:
    """An attribute, without running a property."""
    if value is None:
        return None
    if isinstance(value, ModuleType):
        return getattr(value, name, None)
    if is_tensor(value):
        return value.grad if name == "grad" and value.is_leaf else None
    if _is_module(value):
        for named in (
            value.named_children(),
            value.named_parameters(recurse=False),
            value.named_buffers(recurse=False),
        ):
            if (found := dict(named).get(name)) is not None:
                return found
    if isinstance(value, New):
        method = inspect.getattr_static(value.kind, name, None)
        return MethodType(method, value) if isinstance(method, FunctionType) else None
    found = inspect.getattr_static(value, name, None)
    if isinstance(found, staticmethod):
        return found.__func__
    if isinstance(found, classmethod):
        return MethodType(found.__func__, value if isinstance(value, type) else type(value))
    if isinstance(found, FunctionType) and not isinstance(value, type):
        return MethodType(found, value)
    # What computes its value when it is asked (a property, a field of a named tuple) is not run.
    return None if hasattr(type(found), "__get__") and not callable(found) else found
