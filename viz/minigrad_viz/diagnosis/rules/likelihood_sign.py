"""A likelihood or a likeness without its minus: steps make the right answer less likely."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, TypeGuard

from ...model.program_text import Statement
from ..ended import module_names
from ..syntax import calls_in, last_name, names_in
from .evidence import Evidence, tree_of
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


def find_mixture(evidence: Evidence) -> Match | None:
    """Find the mean of densities' logarithms, weighted by a softmax that learns, as the loss."""
    node: Any = None if evidence.root is None else evidence.root.grad_fn
    sign = 1
    while evidence.kind(node) in ("Neg", "Mean", "Sum", "Squeeze"):
        sign *= -1 if evidence.kind(node) == "Neg" else 1
        node = evidence.input_of(node)
    if sign > 0 or evidence.kind(node) != "Mul" or len(node.next_functions) != 2:
        return None
    sides = [evidence.input_of(node, place) for place in (0, 1)]
    chances = [n for n in sides if is_softmax(evidence, n)]
    others = [n for n in sides if n is not None and n not in chances]
    line = evidence.node_line(node)
    if len(chances) != 1 or len(others) != 1 or line is None:
        return None
    shape = evidence.shape(chances[0])
    if shape != evidence.shape(others[0]) or len(shape) < 2 or not is_density(evidence, others[0]):
        return None
    for product in (
        n for n in ast.walk(line.tree or tree_of(line.text.strip())) if isinstance(n, ast.BinOp)
    ):
        if isinstance(product.op, ast.Mult):
            library = module_names(evidence.context)["library"]
            first, other = product.left, product.right
            if sides[0] is not chances[0]:
                first, other = other, first
            logarithm = f"{library}.log({ast.unparse(first)})"
            if isinstance(first, ast.Call) and last_name(first) == "exp":
                owner = first.args[0] if first.args else getattr(first.func, "value", first)
                logarithm = ast.unparse(owner)
            axis = len(shape) - 1
            parts = {"line": evidence.context.line(line), "count": shape[-1]}
            cure = f"{library}.logsumexp({logarithm} + {ast.unparse(other)}, dim={axis})"
            return Match({**parts, "instead": cure}, (), (node,))
    return None


def is_softmax(evidence: Evidence, node: Any) -> bool:
    kind = evidence.kind(node)
    before = evidence.kind(evidence.input_of(node)) if kind == "Exp" else ""
    return kind == "Softmax" or before == "LogSoftmax"


def is_density(evidence: Evidence, node: Any) -> bool:
    """Return whether a node is a density's logarithm: a square, and the logarithm of a scale."""
    found, left = set[str](), [node]
    for _ in range(8):
        found |= {evidence.kind(each) for each in left}
        left = [
            before
            for each in left
            if evidence.kind(each) in (*ADDING, "Sub", "Mul", "Div", "Neg", "Pow", "Expand")
            for before, _ in each.next_functions
            if before is not None
        ]
    return bool(found & {"Pow", "Square"}) and "Log" in found and "LogSoftmax" not in found


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

MIXED = training(
    net="weights, means, scales = T.nn.Linear(1, 3), T.nn.Linear(1, 3), T.nn.Linear(1, 3)",
    opt=0.01,
    data="T.randn(8, 1), T.randn(8, 1)",
    inside="""
chances = T.softmax(weights(x), dim=1)
density = T.distributions.Normal(means(x), scales(x).exp()).log_prob(y)
loss = {loss}""",
)

MIXTURE = Rule(
    key="mixture_of_logarithms",
    severity=2,
    chapter="16",
    en=Words(
        "a mixture of logarithms",
        "{line} weights the logarithms of {count} densities and adds them up, so each part of the "
        "mixture is to explain every sample. The logarithm belongs around the sum.",
        "Write `-{instead}.mean()`.",
    ),
    zh=Words(
        "对数的加权和",
        "{line}把 {count} 个密度的对数加权相加，所以混合的每个部分都要解释每个样本。"
        "对数应在求和之外。",
        "请写 `-{instead}.mean()`。",
    ),
    find=find_mixture,
    broken=MIXED.format(loss="-(chances * density).sum(1).mean()"),
    sound=MIXED.format(loss="-T.logsumexp(chances.log() + density, dim=1).mean()"),
)
