"""A Kullback-Leibler loss below zero: it gets probabilities where it takes their logarithms."""

from __future__ import annotations

import ast

from ...model.program_text import assigned
from ...model.values import bare, has_numbers
from ..syntax import calls_in, keyword, last_name, parenthesize
from .evidence import Evidence
from .rule import Match, Rule, Words
from .written_back import number


def find(evidence: Evidence) -> Match | None:
    root = evidence.root
    if root is None or root.numel() != 1 or not has_numbers(root):
        return None
    value, name = float(bare(root).item()), evidence.context.name(root)
    for statement in evidence.lines if value < 0 else ():
        call = unscaled(evidence, getattr(statement.tree, "value", None))
        if not isinstance(call, ast.Call) or name not in assigned(statement.tree):
            continue
        if not is_divergence(evidence, call):
            continue
        first = ast.unparse(call.args[0])
        instead = first.replace("softmax(", "log_softmax(")
        if instead == first or "log_softmax(" in first:
            instead = f"{parenthesize(first)}.log()"
        parts = {"line": evidence.context.line(statement), "value": f"{value:.4g}"}
        return Match({**parts, "first": first, "instead": instead}, (name,))
    return None


def unscaled(evidence: Evidence, tree: ast.expr | None) -> ast.expr | None:
    """Return an expression without the positive numbers that multiply or divide it."""
    while isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Mult | ast.Div):
        if is_positive(evidence, tree.right):
            tree = tree.left
        elif isinstance(tree.op, ast.Mult) and is_positive(evidence, tree.left):
            tree = tree.right
        else:
            return None
    return tree


def is_positive(evidence: Evidence, tree: ast.expr) -> bool:
    """Return whether an expression is a number above zero, a variable of one, or its power."""
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Pow):
        tree = tree.left
    return number(evidence, tree) > 0


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


PROGRAM = """
net = T.nn.Linear(3, 4)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, target = T.randn(8, 3), T.softmax(T.randn(8, 4), 1)
for i in range(4):
    made = T.{function}(net(x), 1)
    loss = T.nn.functional.kl_div(made, target, reduction="batchmean") * 2.0**2
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

RULE = Rule(
    key="kl_of_probabilities",
    severity=3,
    chapter="16",
    words={
        "en": Words(
            "a divergence of probabilities",
            "The divergence in {line} is {value}, and that of two distributions is never below 0: "
            "its first argument is to be logarithms of probabilities.",
            "Write `{instead}` in place of `{first}`.",
        ),
        "zh": Words(
            "散度的参数不是对数概率",
            "{line}的散度是 {value}，而两个分布的散度不会小于 0：第一个参数应该是概率的对数。",
            "请把 `{first}` 写成 `{instead}`。",
        ),
    },
    find=find,
    broken=PROGRAM.format(function="softmax"),
    sound=PROGRAM.format(function="log_softmax"),
)

ORDER = """
net = T.nn.Linear(3, 4)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, target = T.randn(8, 3), T.softmax(T.randn(8, 4), 1)
for i in range(1):
    made = T.log_softmax(net(x), 1)
    loss = T.nn.functional.kl_div({arguments}, reduction="batchmean")
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

SWAPPED = Rule(
    key="kl_swapped",
    severity=3,
    chapter="16",
    words={
        "en": Words(
            "a divergence with its arguments swapped",
            "{line} gives the divergence probabilities first and logarithms second; it takes the "
            "logarithms first and the target's probabilities second.",
            "Write `{instead}`.",
        ),
        "zh": Words(
            "散度的两个参数颠倒了",
            "{line}先给散度概率、后给对数；它要先给对数、后给目标的概率。",
            "请写 `{instead}`。",
        ),
    },
    find=find_swapped,
    broken=ORDER.format(arguments="target, made"),
    sound=ORDER.format(arguments="made, target"),
    before=("kl_of_probabilities", "exploding", "nan"),
)
