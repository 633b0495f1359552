"""A term of the loss, made of a derivative, whose history leads to the inputs alone."""

from __future__ import annotations

import ast
from typing import Any

from ...model.autograd_nodes import is_accumulate
from ..syntax import calls_in
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    """Find the only `autograd.grad` without `create_graph`, and a term that no weight reaches."""
    calls = {
        statement: call
        for statement in (*evidence.lines, *evidence.written)
        for call in calls_in(statement.tree)
        if ast.unparse(call.func).endswith("autograd.grad")
    }
    if len(calls) != 1 or not has_idle_term(evidence):
        return None
    ((statement, call),) = calls.items()
    if any(word.arg in ("create_graph", None) for word in call.keywords):
        return None
    words = [word for word in call.keywords if word.arg != "retain_graph"]
    words.append(ast.keyword("create_graph", ast.Constant(True)))
    cure = ast.unparse(ast.Call(call.func, call.args, words))
    parts = {"line": evidence.context.line(statement), "what": ast.unparse(call)}
    return Match({**parts, "instead": cure})


def has_idle_term(evidence: Evidence) -> bool:
    """Return whether a sum of numbers has a term with leaves, of which an optimizer holds none."""

    def is_weight(node: Any) -> bool:
        return node is not None and is_accumulate(node) and id(node.variable) in evidence.held

    ahead = [n for n in evidence.nodes if any(is_weight(each) for each, _ in n.next_functions)]
    reached = {id(node) for node in ahead}
    while ahead:
        users = evidence.parents.get(id(ahead.pop()), ())
        ahead += (new := [node for node in users if id(node) not in reached])
        reached |= {id(node) for node in new}
    for node in evidence.nodes:
        terms = [each for each, _ in node.next_functions if each is not None]
        single = evidence.kind(node) == "Add" and all(n == 1 for n in evidence.shape(node))
        led = {id(each) in reached or is_weight(each) for each in terms}
        if single and len(terms) == 2 and len(led) == 2:
            return True
    return False


PROGRAM = training(
    net="T.nn.Sequential(T.nn.Linear(1, 4), T.nn.Tanh(), T.nn.Linear(4, 1))",
    data="T.linspace(0, 1, 8).reshape(8, 1).requires_grad_(), T.zeros(1, 1)",
    inside="""
u = net(x)
(slope,) = T.autograd.grad(u, x, T.ones_like(u), {options}=True)
loss = (slope - x).pow(2).mean() + net(y).pow(2).mean()""",
)

RULE = Rule(
    key="constant_derivative",
    severity=2,
    chapter="10",
    en=Words(
        "a derivative without a graph",
        "A term of the loss leads to no parameter: the derivative in {line} has no history, so no "
        "step makes that term smaller.",
        "Write `{instead}`.",
    ),
    zh=Words(
        "导数没有图",
        "损失中有一项不通向任何参数：{line}求出的导数没有历史，所以任何更新都不会使这一项变小。",
        "请写成 `{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(options="retain_graph"),
    sound=PROGRAM.format(options="create_graph"),
    before=("zero_input", "not_learned", "first_loss"),
)
