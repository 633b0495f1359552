"""A Kullback-Leibler loss below zero: it gets probabilities where it takes their logarithms."""

from __future__ import annotations

import ast

from ...model.program_text import assigned
from ...model.values import bare, has_numbers
from ..syntax import calls_in, keyword, last_name, parenthesize
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .signs import given_by, sign_in_loss, values


def find(evidence: Evidence) -> Match | None:
    """Find a loss below zero that is a divergence alone, or one of a softmax's result."""
    root = evidence.root
    if root is None or root.numel() != 1 or not has_numbers(root):
        return None
    value = float(bare(root).item())
    for statement, tree in values(evidence) if value < 0 else ():
        for call in (c for c in calls_in(tree) if is_divergence(evidence, c)):
            plain = is_probability(evidence, call.args[0])
            alone = is_alone(tree, call) and evidence.context.name(root) in given_by(statement)[0]
            if not (plain or alone) or is_logarithm(evidence, call.args[0]):
                continue
            if sign_in_loss(evidence, statement, tree, call) <= 0:
                continue
            first = ast.unparse(call.args[0])
            instead = first.replace("softmax(", "log_softmax(")
            if instead == first or "log_softmax(" in first:
                instead = f"{parenthesize(first)}.log()"
            parts = {"line": evidence.context.line(statement), "value": f"{value:.4g}"}
            return Match({**parts, "first": first, "instead": instead})
    return None


def is_alone(tree: ast.expr, call: ast.Call) -> bool:
    """Return whether an expression is a call, or its product with numbers."""
    while isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Mult | ast.Div):
        tree = tree.left if any(n is call for n in ast.walk(tree.left)) else tree.right
    return tree is call


def is_divergence(evidence: Evidence, call: ast.Call) -> bool:
    """Return whether an expression is a call of `kl_div`, or of a KLDivLoss."""
    if len(call.args) < 2:
        return False
    kind = type(evidence.context.variables.get(ast.unparse(call.func))).__name__
    return last_name(call) == "kl_div" or kind == "KLDivLoss"


def find_swapped(evidence: Evidence) -> Match | None:
    """Find a divergence whose second argument alone is made of logarithms."""
    for statement in evidence.lines:
        for call in calls_in(statement.tree):
            if not is_divergence(evidence, call) or keyword(call, "log_target") is not None:
                continue
            first, second = call.args[:2]
            if is_logarithm(evidence, second) and is_probability(evidence, first):
                inside = [ast.unparse(second), ast.unparse(first), *map(ast.unparse, call.args[2:])]
                inside += [f"{word.arg}={ast.unparse(word.value)}" for word in call.keywords]
                instead = f"{ast.unparse(call.func)}({', '.join(inside)})"
                line = evidence.context.line(statement)
                return Match({"line": line, "instead": instead})
    return None


LOGARITHMS = ("log_softmax(", "logsigmoid(", ".log()", ".log_softmax(", "LogSoftmax(")


def is_logarithm(evidence: Evidence, tree: ast.expr) -> bool:
    return any(text in definition(evidence, tree) for text in LOGARITHMS)


def is_probability(evidence: Evidence, tree: ast.expr) -> bool:
    text = definition(evidence, tree)
    return "softmax(" in text and not is_logarithm(evidence, tree)


def definition(evidence: Evidence, tree: ast.expr) -> str:
    """Return an expression's text, or that of the last value of a variable."""
    made = [s for s in evidence.lines if ast.unparse(tree) in assigned(s.tree)]
    value = getattr(made[-1].tree, "value", None) if made else tree
    return ast.unparse(value or tree)


PROGRAM = training(
    net="T.nn.Linear(3, 4)",
    data="",
    before="x, target = T.randn(8, 3), T.softmax(T.randn(8, 4), 1)",
    inside="made = T.{function}(net(x), 1)\n"
    'loss = T.nn.functional.kl_div(made, target, reduction="batchmean") * 2.0**2',
)

RULE = Rule(
    key="kl_of_probabilities",
    chapter="16",
    en=Words(
        "a divergence of probabilities",
        "The loss with the divergence of {line} is {value}, and a divergence is never below 0: its "
        "first argument is to be logarithms of probabilities.",
        "Write `{instead}` in place of `{first}`.",
    ),
    zh=Words(
        "散度的参数不是对数概率",
        "含有{line}的散度的损失是 {value}，而散度不会小于 0：第一个参数应该是概率的对数。",
        "请把 `{first}` 写成 `{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(function="softmax"),
    sound=PROGRAM.format(function="log_softmax"),
)

ORDER = training(
    net="T.nn.Linear(3, 4)",
    data="",
    before="x, target = T.randn(8, 3), T.softmax(T.randn(8, 4), 1)",
    inside="made = T.log_softmax(net(x), 1)\n"
    'loss = T.nn.functional.kl_div({arguments}, reduction="batchmean")',
    turns="range(1)",
)

SWAPPED = Rule(
    key="kl_swapped",
    chapter="16",
    en=Words(
        "a divergence with its arguments swapped",
        "{line} gives the divergence probabilities first and logarithms second; it takes the "
        "logarithms first and the target's probabilities second.",
        "Write `{instead}`.",
    ),
    zh=Words(
        "散度的两个参数颠倒了",
        "{line}先给散度概率、后给对数；它要先给对数、后给目标的概率。",
        "请写 `{instead}`。",
    ),
    find=find_swapped,
    broken=ORDER.format(arguments="target, made"),
    sound=ORDER.format(arguments="made, target"),
    before=("kl_of_probabilities", "exploding", "nan"),
)
