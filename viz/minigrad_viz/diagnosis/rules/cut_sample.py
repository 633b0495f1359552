"""A learned distribution from which `sample()` draws: no gradient goes through the draw."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...model.names import is_tensor
from ..syntax import calls_in, last_name
from .evidence import Evidence
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    """Find `d.sample()` of a distribution that learns and could draw by `rsample()`.

    A program that asks for `log_prob` weighs draws by their probability, which needs no gradient of
    them.
    """
    if "log_prob" in "\n".join(evidence.code) or "rsample(" in "\n".join(evidence.code):
        return None
    for statement in (*evidence.forward_lines, *evidence.repeated):
        for call in calls_in(statement.tree):
            if last_name(call) != "sample" or not isinstance(call.func, ast.Attribute):
                continue
            if any(is_learned(each) for each in drawn_from(evidence, call.func.value)):
                text = ast.unparse(call)
                instead = text.replace(".sample(", ".rsample(")
                line = evidence.context.line(statement)
                return Match({"line": line, "text": text, "instead": instead})
    return None


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


PROGRAM = """
Normal = T.distributions.Normal
enc, dec = T.nn.Linear(4, 4), T.nn.Linear(2, 4)
opt = T.optim.SGD([*enc.parameters(), *dec.parameters()], lr=0.01)
x = T.randn(8, 4)
for i in range(4):
    mu, logvar = enc(x).chunk(2, 1)
    posterior = Normal(mu, (0.5 * logvar).exp())
    z = posterior.{draw}()
    kl = T.distributions.kl_divergence(posterior, Normal(0.0, 1.0)).mean()
    loss = (dec(z) - x).pow(2).mean() + kl
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

RULE = Rule(
    key="cut_sample",
    severity=2,
    chapter="16",
    words={
        "en": Words(
            "a draw without a gradient",
            "`{text}` in {line} draws numbers without a history, so what is computed from them "
            "teaches nothing to the layers that gave the distribution its parameters.",
            "Write `{instead}`.",
        ),
        "zh": Words(
            "抽样没有梯度",
            "{line}里的 `{text}` 抽出的数没有计算历史，所以由它们算出的结果不能教给产生分布参数的层"
            "任何东西。",
            "请写成 `{instead}`。",
        ),
    },
    find=find,
    broken=PROGRAM.format(draw="sample"),
    sound=PROGRAM.format(draw="rsample"),
)
