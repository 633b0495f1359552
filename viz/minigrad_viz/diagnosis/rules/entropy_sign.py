"""An entropy that is added to a policy's loss: steps make the policy sure of itself."""

from __future__ import annotations

from ..syntax import calls_in, last_name
from .evidence import Evidence
from .policy_sign import POLICY
from .programs import training
from .rule import Match, Rule, Words
from .signs import climbs, sign_in_loss, values


def find(evidence: Evidence) -> Match | None:
    found = [(s, value, call) for s, value in values(evidence) for call in calls_in(value)]
    if climbs(evidence) or not any(last_name(call) == "log_prob" for *_, call in found):
        return None
    for statement, value, call in found:
        if last_name(call) == "entropy" and not call.args:
            if sign_in_loss(evidence, statement, value, call) > 0:
                return Match({"line": evidence.context.line(statement)})
    return None


PROGRAM = training(
    first=f"""{POLICY}
    def entropy(self):
        return -(self.logp.exp() * self.logp).sum(1)""",
    net="T.nn.Linear(3, 4)",
    data="x, actions, gain = T.randn(8, 3), T.arange(8) % 4, T.randn(8)",
    inside="policy = Policy(net(x))\nloss = -(policy.log_prob(actions) * gain).mean() {sign} "
    "0.01 * policy.entropy().mean()",
)

RULE = Rule(
    key="entropy_sign",
    severity=2,
    chapter="16",
    en=Words(
        "an entropy that is lowered",
        "The loss adds the entropy of {line}, so steps lower it: the policy becomes sure of itself "
        "and stops to explore.",
        "Subtract the entropy from the loss.",
    ),
    zh=Words(
        "熵被降低",
        "损失加上了{line}的熵，所以更新会降低熵：策略很快变得确定，不再探索。",
        "请在损失中减去熵。",
    ),
    find=find,
    broken=PROGRAM.format(sign="+"),
    sound=PROGRAM.format(sign="-"),
)
