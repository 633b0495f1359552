"""A term of the loss that was computed without a graph: it is a constant, and is never learned."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...model.names import is_tensor
from ...model.program_text import Statement
from ..ended import describe
from ..fate import Fate
from ..history import History
from ..objects import function_called, is_library, resolve
from ..scope import Scope
from ..syntax import calls_in, returned_values, root_of_pass
from .copied_loss import copied_by
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

DEEPEST = 6
"""Variables and functions that a term is followed through."""


@dataclass(frozen=True)
class Term:
    """An expression whose value is added to the loss, where it stands, and what history it had."""

    tree: ast.expr
    scope: Scope
    index: int
    fate: Fate

    @property
    def at(self) -> Statement:
        return self.scope.statements[self.index]


def find(evidence: Evidence) -> Match | None:
    if not any(adds_a_constant(evidence, node) for node in evidence.nodes):
        return None
    context = evidence.context
    history = History(lambda tensor: bool(tensor.requires_grad), context.running)
    inner = (i for s in history.scopes for *_, i in history.functions_entered(s, s.statements))
    for scope in (*history.scopes, *inner):
        for index, statement in enumerate(scope.statements):
            for root in filter(None, map(root_of_pass, calls_in(statement.tree))):
                for term in idle_terms(history, root, scope, index):
                    why, *cure = describe(context, history, term.fate)
                    parts = {"t": ast.unparse(term.tree), "line": context.line(term.at)}
                    parts |= {"why": why, "what": term.fate.cuts[0].what}
                    return Match({**parts, "cure": context.say("space").join(cure)})
    return None


def adds_a_constant(evidence: Evidence, node: Any) -> bool:
    """Return whether a node adds a number without a history to a single number."""
    if evidence.kind(node) not in ("Add", "Sub") or any(n != 1 for n in evidence.shape(node)):
        return False
    return len(node.next_functions) < 2 or any(each is None for each, _ in node.next_functions)


def is_copy(tree: ast.expr, other: ast.expr) -> bool:
    copied = copied_by(tree)
    return copied is not None and ast.unparse(copied) == ast.unparse(other)


def idle_terms(
    history: History, tree: ast.expr, scope: Scope, index: int, depth: int = 0
) -> Iterator[Term]:
    """Yield the terms of a sum whose history ended, where other terms have one."""
    at, inner = scope.statements[index], depth + 1
    if depth > DEEPEST:
        return
    match tree:
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            sides = (tree.left, tree.right)
            fates = [history.follow_unnamed(each, scope, index, at) for each in sides]
            for side, other, fate in zip(sides, sides[::-1], fates, strict=True):
                if is_copy(side, other):  # a baseline: `x - x.detach()` is 0 on purpose
                    continue
                if fate.kind == "cut" and not is_live(side, scope):
                    yield Term(side, scope, index, fate)
                yield from idle_terms(history, side, scope, index, inner)
        case ast.BinOp(op=ast.Mult() | ast.Div()):
            for side, other in ((tree.left, tree.right), (tree.right, tree.left)):
                if history.follow_unnamed(other, scope, index, at).kind == "plain":
                    yield from idle_terms(history, side, scope, index, inner)
        case ast.Name():
            for place in assignments(tree.id, scope, index):
                made = scope.statements[place].tree
                value = getattr(made, "value", None)
                if isinstance(made, ast.AugAssign) and isinstance(made.op, ast.Add | ast.Sub):
                    value = ast.BinOp(ast.Name(tree.id), made.op, made.value)
                if isinstance(value, ast.expr):
                    yield from idle_terms(history, value, scope, place, inner)
        case ast.Call():
            function = function_called(tree, scope)
            if function is not None and not is_library(function[0]):
                called = history.called_scope(tree, function, scope, index, at)
                for place, statement in enumerate(called.statements):
                    for value in returned_values(statement.tree):
                        yield from idle_terms(history, value, called, place, inner)


def assignments(name: str, scope: Scope, before: int) -> list[int]:
    """Return the places of the last assignment of a variable and of additions since then."""
    known = range(min(before, len(scope.statements)))
    given = [i for i in known if name in scope.given[i]]
    return [
        i for i in known if given and i >= given[-1] and name in scope.given[i] | scope.changed[i]
    ]


def is_live(tree: ast.expr, scope: Scope) -> bool:
    """Return whether a variable holds a tensor that has a history after all."""
    value = resolve(tree, scope) if scope.running and isinstance(tree, ast.Name) else None
    return is_tensor(value) and bool(value.requires_grad)


PROGRAM = training(
    net="T.nn.Sequential(T.nn.Linear(2, 4), T.nn.Tanh(), T.nn.Linear(4, 1))",
    data="",
    inside="""
x = T.randn(8, 2, requires_grad=True)
out = net(x)
(slope,) = T.autograd.grad(out.sum(), x{options})
penalty = (slope.norm(dim=1) - 1).pow(2).mean()
loss = out.mean() + 10 * penalty""",
)

RULE = Rule(
    key="constant_penalty",
    severity=2,
    chapter="5",
    en=Words(
        "a term without a gradient",
        "`{t}` in {line} adds a constant to the loss, so no step makes it smaller. {why}",
        "{cure}",
    ),
    zh=Words(
        "没有梯度的一项",
        "{line}的 `{t}` 只给损失加上一个常数，所以任何更新都不会使它变小。{why}",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(options=", retain_graph=True"),
    sound=PROGRAM.format(options=", create_graph=True"),
    before=("not_reached_by_loss", "cut"),
)
