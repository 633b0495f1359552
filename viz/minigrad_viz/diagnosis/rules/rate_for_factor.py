"""A schedule whose function returns a learning rate in place of a factor."""

from __future__ import annotations

import ast

from ..syntax import calls_in, last_name
from .evidence import Evidence
from .programs import STEPS, training
from .rule import Match, Rule, Words
from .signs import values
from .written_back import number


def find(evidence: Evidence) -> Match | None:
    """Find `LambdaLR(opt, lambda e: lr * ...)` with the rate that the optimizer was made with."""
    known = [(s, call) for s, value in values(evidence) for call in calls_in(value)]
    rates = {
        ast.unparse(word.value): number(evidence, word.value)
        for _, call in known
        for word in call.keywords
        if word.arg == "lr"
    }
    for statement, call in known:
        given = [*call.args[1:2], *(w.value for w in call.keywords if w.arg == "lr_lambda")]
        function = given[0] if last_name(call) == "LambdaLR" and given else None
        if isinstance(function, ast.List) and function.elts:
            function = function.elts[0]
        path = ast.unparse(function).rpartition(".")[2] if function is not None else ""
        if path in evidence.functions:
            tree: ast.AST = evidence.functions[path][0]
            bodies = [n.value for n in ast.walk(tree) if isinstance(n, ast.Return) and n.value]
        else:
            bodies = [function.body] if isinstance(function, ast.Lambda) else []
        for body in bodies:
            rate = next((r for r in rates if r in factors(body)), "")
            if rate and 0 < rates[rate] < 1:
                product = f"{rates[rate] ** 2:.1g}"
                parts = {"line": evidence.context.line(statement), "rate": rate}
                return Match({**parts, "product": product})
    return None


def factors(tree: ast.expr) -> list[str]:
    """Return the texts of the factors of a product."""
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Mult | ast.Div):
        right = factors(tree.right) if isinstance(tree.op, ast.Mult) else []
        return [*factors(tree.left), *right]
    if isinstance(tree, ast.IfExp):
        return [*factors(tree.body), *factors(tree.orelse)]
    return [ast.unparse(tree)]


PROGRAM = training(
    first="net, rate = T.nn.Linear(3, 1), 0.01",
    net="",
    opt="T.optim.SGD(net.parameters(), lr=rate)",
    before="plan = T.optim.lr_scheduler.LambdaLR(opt, lambda epoch: {factor}0.9**epoch)",
    steps=f"{STEPS}\nplan.step()",
)

RULE = Rule(
    key="rate_for_factor",
    chapter="14",
    en=Words(
        "a rate in place of a factor",
        "LambdaLR in {line} multiplies the optimizer's rate by what the function returns, and it "
        "returns a rate: `{rate}` times itself is {product}.",
        "Leave `{rate}` out of the function.",
    ),
    zh=Words(
        "用学习率代替了倍数",
        "{line}的 LambdaLR 把优化器的学习率乘以函数的返回值，而它返回的是学习率：`{rate}` 乘以自己"
        "是 {product}。",
        "请在函数里去掉 `{rate}`。",
    ),
    find=find,
    broken=PROGRAM.format(factor="rate * "),
    sound=PROGRAM.format(factor=""),
    before=("tiny_rate",),
)
