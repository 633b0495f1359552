"""A divergence summed over all samples, with a reconstruction error that is a mean."""

from __future__ import annotations

import ast

from ...model.names import is_tensor
from ...model.program_text import Statement
from ...model.values import bare, has_numbers
from ..syntax import calls_in, keyword, last_name, names_in
from .divergence_sign import formula_sign
from .evidence import Evidence
from .not_learned import PASSES, passes_of
from .programs import variational
from .rule import Match, Rule, Words
from .shuffled_apart import is_loss
from .signs import climbs, given_by, values


def find(evidence: Evidence) -> Match | None:
    """Find the sum of a divergence's formula without a division, and a loss that is a mean."""
    if climbs(evidence):
        return None
    lines = list(values(evidence))
    for statement, value in lines:
        total = next((call for call in calls_in(value) if sums_all(call)), None)
        if total is None or not any(formula_sign(n) for n in ast.walk(total)):
            continue
        names = given_by(statement)[0]
        used = [v for _, v in lines if names & names_in(v)]
        if any(isinstance(n, ast.Div) for v in (value, *used) for n in ast.walk(v)):
            continue
        if any(factor(v, names) for v in used):
            continue
        together = [*used, *(v for s, v in lines if given_by(s)[0] & behind(used))]
        if any(averages(evidence, call) for v in together for call in calls_in(v)):
            say = evidence.context.say
            parts = {"line": evidence.context.line(statement), "what": say("over_samples")}
            return Match({**parts, "cure": say("cure_over_samples")})
    return find_over_code(evidence, lines)


def find_over_code(evidence: Evidence, lines: list[tuple[Statement, ast.expr]]) -> Match | None:
    """Find a divergence of each sample that has become 0, and an error averaged over all places."""
    for statement, value in lines if passes_of(evidence) >= PASSES else ():
        sums = [c for c in calls_in(value) if last_name(c) == "sum" and not sums_all(c)]
        names = given_by(statement)[0]
        formula = next((n for c in sums for n in ast.walk(c) if formula_sign(n)), None)
        known = [evidence.context.variables.get(name) for name in names]
        given = [v for v in known if is_tensor(v) and v.numel() == 1 and has_numbers(v)]
        small = [abs(float(bare(v).item())) <= EMPTY for v in given]
        if formula is None or small not in ([], [True]):
            continue
        used = [v for _, v in lines if names & names_in(v)]
        empty = bool(small) or is_empty(evidence, statement, formula)
        if not empty or any(factor(v, names) for v in used):
            continue
        together = [*used, *(v for s, v in lines if given_by(s)[0] & behind(used))]
        found = (c for v in together for c in calls_in(v) if averages(evidence, c))
        call = next((c for c in found if len(c.args) > 1), None)
        if call is not None:
            say, text = evidence.context.say, ast.unparse(call)
            cure = f'{text[:-1]}, reduction="sum") / len({ast.unparse(call.args[1])})'
            key = "cure_over_code" if "_" in last_name(call) else "cure_over_code_by_hand"
            parts = {"line": evidence.context.line(statement), "what": say("over_code")}
            return Match({**parts, "cure": say(key, instead=cure)}, tuple(names))
    return None


def is_empty(evidence: Evidence, statement: Statement, formula: ast.AST) -> bool:
    """Return whether means and logarithms of variances in the formula say next to nothing."""
    trees = [n for n in ast.walk(formula) if isinstance(n, ast.Name)]
    known = [evidence.object_at(statement, tree) for tree in trees]
    parts = {id(v): bare(v) for v in known if is_tensor(v) and v.dim() == 2 and has_numbers(v)}
    numbers = [(v**2).sum(1).mean().item() for v in parts.values()]
    # For small numbers, m ** 2 / 2 and v ** 2 / 4 are what the formula gives.
    return len(numbers) == 2 and sum(numbers) / 2 < EMPTY


EMPTY = 0.02
"""A divergence below this says that the code holds nothing."""


def behind(trees: list[ast.expr]) -> set[str]:
    return {name for tree in trees for name in names_in(tree)}


def sums_all(call: ast.Call) -> bool:
    """Return whether a call is `torch.sum(x)` or `x.sum()`, without a dimension."""
    if last_name(call) != "sum" or call.keywords:
        return False
    bound = isinstance(call.func, ast.Attribute) and not isinstance(call.func.value, ast.Name)
    return len(call.args) == (0 if bound else 1)


def factor(tree: ast.expr, names: set[str]) -> bool:
    """Return whether an expression multiplies one of these variables by something."""
    products = (n for n in ast.walk(tree) if isinstance(n, ast.BinOp) and
                isinstance(n.op, ast.Mult))  # fmt: skip
    return any(names & names_in(each) for each in products)


def averages(evidence: Evidence, call: ast.Call) -> bool:
    """Return whether a call is a loss that takes the mean."""
    if not is_loss(evidence, call) or keyword(call, "reduction") not in (None, "mean"):
        return False
    made = evidence.object(call.func)
    return getattr(made, "reduction", "mean") == "mean"


PROGRAM = variational(
    kl="kl = -0.5 * T.sum(1 + logvar - mu.pow(2) - logvar.exp())",
    loss='loss = T.nn.functional.mse_loss(dec(z), x, reduction="{reduction}") + kl',
    rate=0.001,
)

RULE = Rule(
    key="summed_divergence",
    severity=2,
    chapter="16",
    en=Words(
        "a divergence that outweighs the error",
        "{line} sums the divergence {what}, and the reconstruction error is a mean over all "
        "places: the divergence counts far more, and the code stays empty.",
        "{cure}",
    ),
    zh=Words(
        "散度压过了误差",
        "{line}的散度是{what}，而重建误差是所有元素的平均值：散度的分量大得多，编码学不到东西。",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(reduction="mean"),
    sound=PROGRAM.format(reduction="sum"),
)
