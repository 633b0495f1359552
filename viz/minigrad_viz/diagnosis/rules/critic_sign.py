"""A generator or an actor whose loss has the sign that its critic's answers must not have."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ..objects import is_module
from ..syntax import calls_in, last_name, names_in
from .evidence import Evidence
from .policy_sign import COST, REWARD
from .programs import training
from .rule import Match, Rule, Words
from .shuffled_apart import is_loss
from .signs import DEEPEST, climbs, definitions, sign_in_loss, values


@dataclass(frozen=True)
class Term:
    """A mean of a model's results in a loss, and the other model that made what it judges."""

    line: str
    critic: str
    maker: str
    given: str
    sign: int
    cut: bool
    """Whether no gradient reaches the other model."""


def find(evidence: Evidence) -> Match | None:
    """Find the mean of `critic(maker(z))`, if the critic's own loss has the same aim."""
    if climbs(evidence) or len(evidence.stepping) < 2:
        return None
    terms = list(means(evidence))
    own = {(term.critic, term.maker): term.sign for term in terms if term.cut}
    for term in terms:
        aim = own.get((term.critic, term.maker), learns_reward(evidence, term.critic))
        if not term.cut and term.sign and term.sign == aim:
            key = "critic" if (term.critic, term.maker) in own else "reward"
            parts = {"line": term.line, "critic": term.critic, "given": term.given}
            parts["aim"] = evidence.context.say(f"aim_of_{key}")
            sign = "-" if term.sign > 0 else ""
            return Match({**parts, "instead": f"{sign}{term.critic}({term.given}).mean()"})
    return None


def means(evidence: Evidence) -> Iterator[Term]:
    """Yield means of a model's results of what another model made."""
    for statement, value in values(evidence):
        for call in calls_in(value):
            owner = call.func.value if isinstance(call.func, ast.Attribute) else None
            inner = [each for each in (owner, *call.args[:1]) if isinstance(each, ast.Call)]
            if last_name(call) != "mean" or not inner or not inner[0].args:
                continue
            critic, given = ast.unparse(inner[0].func), inner[0].args[0]
            maker, cut = made_by(evidence, given)
            if not is_module(evidence.object(inner[0].func)) or maker in ("", critic):
                continue
            sign = sign_in_loss(evidence, statement, value, call)
            said = ", ".join(map(ast.unparse, inner[0].args))
            yield Term(evidence.context.line(statement), critic, maker, said, sign, cut)


def made_by(evidence: Evidence, tree: ast.expr, depth: int = 0) -> tuple[str, bool]:
    """Return the model that computes an expression, and whether its history is cut off."""
    cut = ".detach()" in ast.unparse(tree)
    for call in calls_in(ast.Expr(tree)):
        if is_module(evidence.object(call.func)):
            return ast.unparse(call.func), cut
    for name in sorted(names_in(tree)) if depth < DEEPEST else ():
        for names, value in definitions(evidence):
            if name in names and name not in names_in(value):
                maker, before = made_by(evidence, value, depth + 1)
                if maker:
                    return maker, cut or before
    return "", cut


def learns_reward(evidence: Evidence, critic: str) -> int:
    """Return 1 if a loss compares the model's results with rewards, else 0."""
    for _, value in values(evidence):
        for call in calls_in(value):
            if len(call.args) < 2 or not is_loss(evidence, call):
                continue
            names = names_in(call.args[1])
            names |= {n for made, v in definitions(evidence) if made & names for n in names_in(v)}
            if any(map(REWARD.search, names)) and not any(map(COST.search, names)):
                if made_by(evidence, call.args[0])[0] == critic:
                    return 1
    return 0


PROGRAM = training(
    net="gen, critic = T.nn.Linear(2, 2), T.nn.Sequential(T.nn.Tanh(), T.nn.Linear(2, 1))",
    opt="T.optim.SGD(gen.parameters(), lr=0.01)",
    data="",
    before="opt_c = T.optim.SGD(critic.parameters(), lr=0.01)",
    inside="""
real, fake = T.randn(8, 2) + 2, gen(T.randn(8, 2))
opt_c.zero_grad()
gap = critic(fake.detach()).mean() - critic(real).mean()
gap.backward()
opt_c.step()
loss = {sign}critic(fake).mean()""",
)

RULE = Rule(
    key="critic_sign",
    chapter="16",
    en=Words(
        "an answer of a critic with the wrong sign",
        "{line} moves the mean of `{critic}({given})` the wrong way: {aim}",
        "Write `{instead}` there.",
    ),
    zh=Words(
        "判别器的回答符号错误",
        "{line}使 `{critic}({given})` 的平均值朝错误的方向变化：{aim}",
        "请在那里写 `{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(sign=""),
    sound=PROGRAM.format(sign="-"),
)
