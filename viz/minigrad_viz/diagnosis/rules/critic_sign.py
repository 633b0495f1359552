"""A generator whose loss adds the critic's answer, as the critic's own loss does."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..objects import is_module
from ..syntax import calls_in, last_name
from .evidence import Evidence
from .rule import Match, Rule, Words
from .signs import climbs, sign_in_loss, values


def find(evidence: Evidence) -> Match | None:
    """Find the means of `critic(fake.detach())` and of `critic(fake)`, both with one sign."""
    if climbs(evidence) or len(evidence.stepping) < 2:
        return None
    terms = list(means(evidence))
    own = {(critic, given): sign for critic, given, sign, _, cut in terms if cut}
    for critic, given, sign, line, cut in terms:
        if not cut and sign and own.get((critic, given)) == sign:
            return Match({"line": line, "critic": critic, "given": given})
    return None


def means(evidence: Evidence) -> Iterator[tuple[str, str, int, str, bool]]:
    """Yield means of a model's results: the model, its argument, the sign, the line, detached."""
    for statement, value in values(evidence):
        for call in calls_in(value):
            owner = call.func.value if isinstance(call.func, ast.Attribute) else None
            inner = [each for each in (owner, *call.args[:1]) if isinstance(each, ast.Call)]
            if last_name(call) != "mean" or not inner or len(inner[0].args) != 1:
                continue
            if not is_module(evidence.object(inner[0].func)):
                continue
            given = ast.unparse(inner[0].args[0])
            sign = sign_in_loss(evidence, statement, value, call)
            line, cut = evidence.context.line(statement), given.endswith(".detach()")
            yield ast.unparse(inner[0].func), given.removesuffix(".detach()"), sign, line, cut


PROGRAM = """
gen, critic = T.nn.Linear(2, 2), T.nn.Sequential(T.nn.Tanh(), T.nn.Linear(2, 1))
opt_g = T.optim.SGD(gen.parameters(), lr=0.01)
opt_c = T.optim.SGD(critic.parameters(), lr=0.01)
for i in range(4):
    real, fake = T.randn(8, 2) + 2, gen(T.randn(8, 2))
    opt_c.zero_grad()
    gap = critic(fake.detach()).mean() - critic(real).mean()
    gap.backward()
    opt_c.step()
    opt_g.zero_grad()
    loss = {sign}critic(fake).mean()
    loss.backward()
    opt_g.step()
"""

RULE = Rule(
    key="critic_sign",
    severity=3,
    chapter="16",
    en=Words(
        "a generator that helps its critic",
        "{line} lowers the mean of `{critic}({given})`, as the critic's own loss does: the "
        "generator does not work against it.",
        "Put a minus there: `-{critic}({given}).mean()`.",
    ),
    zh=Words(
        "生成器在帮助判别器",
        "{line}降低 `{critic}({given})` 的平均值，判别器自己的损失也是这样：生成器没有与它对抗。",
        "请在那里加负号：`-{critic}({given}).mean()`。",
    ),
    find=find,
    broken=PROGRAM.format(sign=""),
    sound=PROGRAM.format(sign="-"),
)
