"""A policy's loss without its minus: steps make rewarded actions less likely."""

from __future__ import annotations

import ast
import re

from ...model.program_text import Statement
from ..syntax import calls_in, last_name, names_in
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .signs import climbs, definitions, negated_loss, sign_in_loss, values

REWARD = re.compile(r"rew|adv|ret\b|return|gain", re.I)
"""Names of numbers of which larger ones are better."""

COST = re.compile(r"cost|loss|err|penal|distance|regret|neg|energy|time|delay|miss", re.I)
"""Names of numbers of which smaller ones are better."""

SHAPING = ("squeeze", "view", "reshape", "flatten", "stack", "cat", "sum", "mean")
PICKING = ("gather", "index_select", "take_along_dim")


def find(evidence: Evidence) -> Match | None:
    """Find a product of log-probabilities and rewards that enters the loss without a minus."""
    chances = Chances(evidence)
    for statement, value in () if climbs(evidence) else values(evidence):
        for node in ast.walk(value):
            if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
                continue
            direct = [chances.has(s) or chances.is_ratio(s) for s in (node.left, node.right)]
            other = node.right if direct[0] else node.left
            if sum(direct) != 1 or ast.unparse(other).startswith("-"):
                continue
            rewards = sorted(names_in(other))
            if rewards and is_better_larger(evidence, {*rewards}):
                if sign_in_loss(evidence, statement, value, node) > 0:
                    shown = next((n for n in rewards if REWARD.search(n)), rewards[0])
                    parts = {"line": evidence.context.line(statement), "reward": shown}
                    return Match({**parts, "instead": negated(evidence, statement, node)})
    return None


def negated(evidence: Evidence, statement: Statement, product: ast.BinOp) -> str:
    """Return the product with a minus, or the line of the loss if another one has the product."""
    made = evidence.context.program.assignment(evidence.context.name(evidence.root))
    other = made is not None and made != statement
    sums = isinstance(getattr(made.tree, "value", None), ast.BinOp) if made is not None else True
    return negated_loss(evidence) if other and not sums else f"-({ast.unparse(product)})"


class Chances:
    """The variables that hold logarithms of the chances of single actions."""

    def __init__(self, evidence: Evidence) -> None:
        known = list(definitions(evidence))
        self.tables = {n for names, v in known if is_table(v) for n in names}
        self.names: set[str] = set()
        self.ratios: set[str] = set()
        for _ in range(3):
            for names, value in known:
                self.names |= names if self.has(value) else set()
                self.ratios |= names if self.is_ratio(value) else set()

    def has(self, tree: ast.expr) -> bool:
        """Return whether an expression is such logarithms, and not their negative."""
        if isinstance(tree, ast.ListComp):
            return self.has(tree.elt)
        if isinstance(tree, ast.List):
            return any(map(self.has, tree.elts))
        if isinstance(tree, ast.Subscript):
            return self.is_table(tree.value) or self.has(tree.value)
        if isinstance(tree, ast.Call):
            owner = tree.func.value if isinstance(tree.func, ast.Attribute) else None
            if last_name(tree) in PICKING:
                return any(self.is_table(each) for each in (owner, *tree.args[:1]))
            if last_name(tree) in SHAPING:
                inner = (each for each in (owner, *tree.args[:1]) if each is not None)
                return any(self.has(each) for each in inner)
            return last_name(tree) == "log_prob"
        return isinstance(tree, ast.Name) and tree.id in self.names

    def is_ratio(self, tree: ast.expr) -> bool:
        """Return whether an expression is `exp(logp - old)`, or a variable with it."""
        if isinstance(tree, ast.Name):
            return tree.id in self.ratios
        if not isinstance(tree, ast.Call):
            return False
        inner = [*tree.args[:1], getattr(tree.func, "value", None)]
        if last_name(tree) in ("clamp", "clip"):
            return any(self.is_ratio(each) for each in inner if isinstance(each, ast.expr))
        apart = [e for e in inner if isinstance(e, ast.BinOp) and isinstance(e.op, ast.Sub)]
        return last_name(tree) == "exp" and any(self.has(each.left) for each in apart)

    def is_table(self, tree: ast.expr | None) -> bool:
        return is_table(tree) or (isinstance(tree, ast.Name) and tree.id in self.tables)


def is_table(tree: ast.expr | None) -> bool:
    """Return whether an expression is the logarithms of the chances of all actions."""
    return isinstance(tree, ast.Call) and last_name(tree) in ("log_softmax", "log")


def is_better_larger(evidence: Evidence, names: set[str]) -> bool:
    """Return whether numbers seem to be rewards: by a name, a comparison or a chance.

    A minus of their own, or a name of something to avoid, speaks against it.
    """
    known, trees = set(names), []
    for _ in range(5):
        made = [v for given, v in definitions(evidence) if given & known]
        trees += made
        known |= {n for v in made for n in names_in(v)} if len(known) < 12 else set()
    if any(COST.search(name) for name in known):
        return False
    inside = [n for v in trees for n in ast.walk(v)]
    if any(isinstance(n, ast.USub) for n in inside):
        return False
    if any(last_name(call) in ("neg", "mse_loss") for v in trees for call in calls_in(v)):
        return False
    equal = any(isinstance(n, ast.Compare) for n in inside)
    drawn = any(last_name(call) == "bernoulli" for v in trees for call in calls_in(v))
    return equal or drawn or any(REWARD.search(name) for name in known)


POLICY = """
class Policy:
    def __init__(self, scores):
        self.logp = T.log_softmax(scores, 1)

    def log_prob(self, actions):
        return self.logp[T.arange(8), actions]
"""

PROGRAM = training(
    first=POLICY,
    net="T.nn.Linear(3, 4)",
    data="x = T.randn(8, 3)",
    inside="actions = T.randint(0, 4, (8,))\n"
    "rewards = (actions == 2).float() + 0.1\n"
    "loss = {sign}(Policy(net(x)).log_prob(actions) * rewards).mean()",
)

RULE = Rule(
    key="policy_sign",
    chapter="16",
    en=Words(
        "a policy that avoids rewards",
        "{line} multiplies log-probabilities by `{reward}` without a minus. Steps make a loss "
        "smaller, so they make rewarded actions less likely.",
        "Put a minus there: `{instead}`.",
    ),
    zh=Words(
        "躲避奖励的策略",
        "{line}把对数概率乘以 `{reward}`，却没有负号。更新使损失变小，所以会使有奖励的动作越来越不"
        "可能。",
        "请在那里加负号：`{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(sign=""),
    sound=PROGRAM.format(sign="-"),
    before=("exploding", "nan"),
)
