"""A learned distribution from which `sample()` draws: no gradient goes through the draw."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...model.names import is_tensor
from ..objects import is_module
from ..syntax import calls_in, last_name, names_in
from .evidence import Evidence
from .policy_sign import Chances
from .programs import variational
from .rule import Match, Rule, Words
from .signs import definitions, given_by, values
from .written_back import number


def find(evidence: Evidence) -> Match | None:
    """Find `d.sample()` of a distribution that learns and could draw by `rsample()`.

    A program that multiplies `log_prob` by something else weighs draws by their probability, which
    needs no gradient of them.
    """
    if "rsample(" in "\n".join(evidence.code) or weighs_draws(evidence):
        return None
    text = "\n".join(evidence.code)
    for statement, value in values(evidence):
        if "log_prob" in text and not is_fed_on(evidence, given_by(statement)[0]):
            continue
        for call in calls_in(value):
            if last_name(call) != "sample" or not isinstance(call.func, ast.Attribute):
                continue
            owner = call.func.value
            known = any(is_learned(each) for each in drawn_from(evidence, owner))
            if known or is_learned_by_text(evidence, owner):
                said = ast.unparse(call)
                instead = said.replace(".sample(", ".rsample(")
                line = evidence.context.line(statement)
                return Match({"line": line, "text": said, "instead": instead})
    return None


def weighs_draws(evidence: Evidence) -> bool:
    """Return whether a line multiplies log-probabilities by something that is no number."""
    chances = Chances(evidence)
    for _, value in values(evidence):
        for node in ast.walk(value):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
                for side, other in ((node.left, node.right), (node.right, node.left)):
                    inner = side.operand if isinstance(side, ast.UnaryOp) else side
                    if chances.has(inner) and not number(evidence, other):
                        return True
    return False


def is_fed_on(evidence: Evidence, names: set[str]) -> bool:
    """Return whether a model is called with one of these variables."""
    calls = (call for _, value in values(evidence) for call in calls_in(value))
    return any(
        is_module(evidence.object(call.func)) or ast.unparse(call.func).startswith("self.")
        for call in calls
        if any(names_in(each) & names for each in call.args)
    )


CONTINUOUS = ("Normal", "Laplace", "LogNormal", "MultivariateNormal", "Beta", "Gamma", "Dirichlet")


def is_learned_by_text(evidence: Evidence, tree: ast.expr) -> bool:
    """Return whether an expression, or the variable's value, is made of a model's results."""
    known = list(definitions(evidence))
    if isinstance(tree, ast.Name):
        tree = next((v for names, v in known if tree.id in names), tree)
    if not isinstance(tree, ast.Call) or last_name(tree) not in CONTINUOUS:
        return False
    behind = {name for each in tree.args for name in names_in(each)}
    for _ in range(3):
        made = [v for names, v in known if names & behind]
        if any(is_module(evidence.object(c.func)) for v in made for c in calls_in(v)):
            return True
        behind |= {name for v in made for name in names_in(v)}
    return False


def drawn_from(evidence: Evidence, tree: ast.expr) -> Iterator[Any]:
    """Yield the distribution of an expression: the variable of that name, or of a return value."""
    yield evidence.object(tree)
    if isinstance(tree, ast.Name):
        for name, value in evidence.things:
            if name.rpartition(".")[2] == tree.id:
                yield value


def is_learned(value: Any) -> bool:
    """Return whether an object is a distribution with rsample() whose parameters require grad."""
    if getattr(value, "has_rsample", False) is not True:
        return False
    parts = vars(value).values() if hasattr(value, "__dict__") else ()
    return any(is_tensor(part) and part.requires_grad for part in parts)


NORMAL = "T.distributions.Normal"
PROGRAM = variational(
    draw=f"posterior = {NORMAL}(mu, (0.5 * logvar).exp())\nz = posterior.{{draw}}()",
    kl=f"kl = T.distributions.kl_divergence(posterior, {NORMAL}(0.0, 1.0)).mean()",
)

RULE = Rule(
    key="cut_sample",
    severity=2,
    chapter="16",
    en=Words(
        "a draw without a gradient",
        "`{text}` in {line} draws numbers without a history, so what is computed from them teaches "
        "nothing to the layers that gave the distribution its parameters.",
        "Write `{instead}`.",
    ),
    zh=Words(
        "抽样没有梯度",
        "{line}里的 `{text}` 抽出的数没有计算历史，所以由它们算出的结果不能教给产生分布参数的层任何"
        "东西。",
        "请写成 `{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(draw="sample"),
    sound=PROGRAM.format(draw="rsample"),
)
