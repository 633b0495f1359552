"""A likelihood or a likeness without its minus: steps make the right answer less likely."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from ...model.program_text import Statement
from ..syntax import calls_in, last_name, names_in
from .evidence import Evidence
from .policy_sign import Chances
from .programs import training
from .rule import Match, Rule, Words
from .signs import KEEPING, climbs, definitions, sign_in_loss, values

SCORES = {"dice", "iou", "jaccard", "r2", "psnr", "ssim", "ncc"}
"""Parts of the names of functions whose result is the larger the better the model is."""


def find(evidence: Evidence) -> Match | None:
    """Find the mean of what is to become larger, if it enters the loss without a minus."""
    context = evidence.context
    found = [] if climbs(evidence) else list(means(evidence))
    signs = [sign_in_loss(evidence, *each[:3]) for each in found]
    if 1 not in signs or -1 in signs:
        # A loss may push some pairs apart that it names elsewhere with a minus.
        return None if -1 in signs or climbs(evidence) else find_logarithms(evidence)
    statement, _, _, key = found[signs.index(1)]
    what, cure = context.say(f"gain_{key}"), context.say(f"cure_gain_{key}")
    return Match({"line": context.line(statement), "what": what, "cure": cure})


def find_logarithms(evidence: Evidence) -> Match | None:
    """Find a loss that only adds up logarithms of sigmoids, which are all below 0.

    With two optimizers, one model may be right to make what the other judges less likely.
    """
    alone = evidence.root is not None and len(evidence.optimizers) == 1
    left = [evidence.root.grad_fn] if alone else []
    found = False
    while left:
        node = left.pop()
        if evidence.kind(node) == "LogSigmoid":
            found = True
        elif evidence.kind(node) in ADDING:
            left += [before for before, _ in node.next_functions]
        else:
            return None
    lines = [s for s, value in values(evidence) if "logsigmoid" in ast.unparse(value).lower()]
    if not found or not lines:
        return None
    context = evidence.context
    what, cure = context.say("gain_likelihood"), context.say("cure_gain_likelihood")
    return Match({"line": context.line(lines[-1]), "what": what, "cure": cure})


ADDING = ("Add", "Mean", "Sum", "Squeeze", "Unsqueeze", "View", "Reshape")
"""Operations whose result has the sign of all that they get."""


def means(evidence: Evidence) -> Iterator[tuple[Statement, ast.expr, ast.Call, str]]:
    """Yield the means and sums of log-probabilities of data, and of cosines, with their kind."""
    chances, drawn = Chances(evidence), drawn_in(evidence)
    for statement, value in values(evidence):
        for call in calls_in(value):
            owner = call.func.value if isinstance(call.func, ast.Attribute) else None
            inner = [each for each in (owner, *call.args[:1]) if each is not None]
            if last_name(call) not in ("mean", "sum") or not inner:
                continue
            for each in inner:
                used = names_in(each)
                if chances.has(each) and not used & drawn:
                    yield statement, value, call, "likelihood"
                elif is_cosine(evidence, each):
                    yield statement, value, call, "cosine"
        for call in calls_in(value):
            if SCORES & {*last_name(call).lower().split("_")} and is_score(evidence, call):
                yield statement, value, call, "score"


def is_score(evidence: Evidence, call: ast.Call) -> bool:
    """Return whether a function of the program returns a score, and not 1 less the score."""
    function = evidence.functions.get(last_name(call))
    if function is None:
        return False
    given = {ast.unparse(n.targets[0]): n.value for n in ast.walk(function[0])
             if isinstance(n, ast.Assign)}  # fmt: skip
    found = [n.value for n in ast.walk(function[0]) if isinstance(n, ast.Return) and n.value]
    found = [given.get(ast.unparse(n), n) for n in found]
    found = [getattr(n.func, "value", n) if is_averaged(n) else n for n in found]
    ratio = all(isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div) and adds(n) for n in found)
    named = "loss" in last_name(call).lower()
    return bool(found) and (ratio or ("r2" in last_name(call).lower() and not named))


def is_averaged(tree: ast.expr) -> TypeGuard[ast.Call]:
    return isinstance(tree, ast.Call) and last_name(tree) == "mean" and not tree.args


def adds(ratio: ast.BinOp) -> bool:
    """Return whether the upper part of a ratio has no difference, as that of a distance has."""
    return not any(isinstance(n, ast.Sub | ast.USub) for n in ast.walk(ratio.left))


def drawn_in(evidence: Evidence) -> set[str]:
    """Return the variables that hold draws, such as actions, or are computed from them."""
    drawn: set[str] = set()
    for _ in range(3):
        for names, value in definitions(evidence):
            calls = {last_name(call) for call in calls_in(value)}
            if calls & {"sample", "rsample", "multinomial", "sample_n"} or names_in(value) & drawn:
                drawn |= names
    return drawn


def is_cosine(evidence: Evidence, tree: ast.expr) -> bool:
    """Return whether an expression is a cosine similarity."""
    while isinstance(tree, ast.Call) and last_name(tree) in KEEPING:
        tree = getattr(tree.func, "value", tree)
    if not isinstance(tree, ast.Call):
        return False
    kind = type(evidence.object(tree.func)).__name__
    return last_name(tree) == "cosine_similarity" or kind == "CosineSimilarity"


PROGRAM = training(
    net="T.nn.Linear(3, 4)",
    data="T.randn(8, 3), T.arange(8) % 4",
    inside="logp = T.log_softmax(net(x), 1)\nloss = {sign}logp[T.arange(8), y].mean()",
)

RULE = Rule(
    key="likelihood_sign",
    chapter="16",
    en=Words(
        "a likelihood without its minus",
        "{line} adds {what}",
        "{cure}",
    ),
    zh=Words(
        "似然缺少负号",
        "{line}加上了{what}",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(sign=""),
    sound=PROGRAM.format(sign="-"),
    before=("exploding", "nan"),
)
