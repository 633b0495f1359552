"""A policy's loss without its minus: steps make rewarded actions less likely."""

from __future__ import annotations

import ast
import re

from ...model.program_text import Statement, receivers
from ..syntax import assigned_in, calls_in, last_name, names_in
from .evidence import Evidence
from .rule import Match, Rule, Words

REWARD = re.compile(r"rew|adv|ret\b|return|gain", re.I)
"""Names of numbers of which larger ones are better."""


def find(evidence: Evidence) -> Match | None:
    """Find `(dist.log_prob(a) * rewards).mean()` as the root of a pass, with no minus anywhere."""
    if any(group.get("maximize") for _, o in evidence.optimizers for group in o.param_groups):
        return None
    chances = likely(evidence)
    for statement in evidence.lines:
        names = assigned_in(statement.tree)
        tree = getattr(statement.tree, "value", None)
        if not isinstance(tree, ast.Call) or last_name(tree) not in ("mean", "sum"):
            continue
        if not any(names & receivers(s, "backward") for s in evidence.passes):
            continue
        for node in ast.walk(tree):
            if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
                continue
            sides = [names_in(node.left), names_in(node.right)]
            direct = [is_chance(node.left, chances), is_chance(node.right, chances)]
            other = sides[1] if direct[0] else sides[0]
            rewards = [n for n in other if REWARD.search(n)]
            if sum(direct) == 1 and rewards and not has_minus(evidence, statement, rewards):
                name = min(names)
                parts = {"line": evidence.context.line(statement), "reward": rewards[0]}
                return Match({**parts, "t": name, "instead": f"-{ast.unparse(tree)}"}, (name,))
    return None


def likely(evidence: Evidence) -> set[str]:
    """Return the variables that hold what `log_prob` returns."""
    made = (s for s in evidence.lines if isinstance(getattr(s.tree, "value", None), ast.Call))
    found = (s for s in made if last_name(s.tree.value) == "log_prob")  # type: ignore[union-attr]
    return {name for s in found for name in assigned_in(s.tree)}


def is_chance(tree: ast.expr, chances: set[str]) -> bool:
    """Return whether an expression is a logarithm of a probability, and not its negative."""
    if isinstance(tree, ast.Call):
        return last_name(tree) == "log_prob"
    return isinstance(tree, ast.Name) and tree.id in chances


def has_minus(evidence: Evidence, statement: Statement, rewards: list[str]) -> bool:
    """Return whether the loss, or a line that makes the rewards, has a minus of its own."""
    lines = [statement, *(s for s in evidence.lines if assigned_in(s.tree) & {*rewards})]
    return any(
        isinstance(node, ast.USub) for s in lines for node in ast.walk(s.tree or ast.Pass())
    ) or any(last_name(call) == "neg" for s in lines for call in calls_in(s.tree))


PROGRAM = """
net = T.nn.Linear(3, 4)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x = T.randn(8, 3)


class Policy:
    def __init__(self, scores):
        self.logp = T.log_softmax(scores, 1)

    def log_prob(self, actions):
        return self.logp[T.arange(8), actions]


for i in range(4):
    actions = T.randint(0, 4, (8,))
    rewards = (actions == 2).float() + 0.1
    loss = {sign}(Policy(net(x)).log_prob(actions) * rewards).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

RULE = Rule(
    key="policy_sign",
    severity=3,
    chapter="16",
    words={
        "en": Words(
            "a policy that avoids rewards",
            "{line} multiplies log-probabilities by `{reward}` without a minus. Steps make `{t}` "
            "smaller, so they make rewarded actions less likely.",
            "Put a minus before it: `{instead}`.",
        ),
        "zh": Words(
            "躲避奖励的策略",
            "{line}把对数概率乘以 `{reward}`，却没有负号。更新使 `{t}` 变小，"
            "所以会使有奖励的动作越来越不可能。",
            "请在前面加负号：`{instead}`。",
        ),
    },
    find=find,
    broken=PROGRAM.format(sign=""),
    sound=PROGRAM.format(sign="-"),
    before=("exploding", "nan"),
)
