"""An advantage with a history in a policy's loss: the critic learns to please the actor."""

from __future__ import annotations

from typing import Any

from ...model.autograd_nodes import is_accumulate, nodes_from
from .evidence import RESHAPING, Evidence
from .programs import training
from .rule import Match, Rule, Words

CHOSEN = ("Gather", "Index")


def find(evidence: Evidence) -> Match | None:
    """Find the product of chosen log-probabilities and of a difference from a critic's result."""
    for node in evidence.nodes:
        before = [n for n, _ in node.next_functions if n is not None]
        if evidence.kind(node) != "Mul" or len(before) != 2:
            continue
        for chance, other in (before, before[::-1]):
            if not is_chosen(evidence, chance) or evidence.kind(past(evidence, other)) not in (
                "Sub",
                "Rsub",
            ):
                continue
            own = leaves(other) - leaves(chance)
            if own:
                where = evidence.context.where(evidence.node_line(node))
                named = (leaf for leaf in evidence.leaves if id(leaf) in own)
                name = evidence.name(next(named))
                return Match({"where": where, "critic": name}, (name,), (node,))
    return None


def past(evidence: Evidence, node: Any) -> Any:
    """Return the operation before those that change the shape or the sign only."""
    while evidence.kind(node) in (*RESHAPING, "Neg"):
        node = node.next_functions[0][0]
    return node


def is_chosen(evidence: Evidence, node: Any) -> bool:
    """Return whether a result is elements of the logarithms of probabilities."""
    node = past(evidence, node)
    if evidence.kind(node) not in CHOSEN:
        return False
    for _ in range(6):
        node = past(evidence, node.next_functions[0][0])
        if evidence.kind(node) in ("LogSoftmax", "Log"):
            return True
        if evidence.kind(node) != "Sub":
            return False
        if any(evidence.kind(n) == "Logsumexp" for n, _ in node.next_functions):
            return True
    return False


def leaves(node: Any) -> set[int]:
    return {id(each.variable) for each in nodes_from([node]) if is_accumulate(each)}


PROGRAM = training(
    net="actor, critic = T.nn.Linear(3, 2), T.nn.Linear(3, 1)",
    data="",
    inside="""
state, reward, action = T.randn(8, 3), T.randn(8), T.arange(8) % 2
chances = T.log_softmax(actor(state), 1)[T.arange(8), action]
advantage = reward - critic(state)[:, 0]
loss = -(chances * advantage{detached}).mean() + advantage.pow(2).mean()""",
)

RULE = Rule(
    key="attached_advantage",
    severity=2,
    chapter="5",
    en=Words(
        "an advantage that learns",
        "The product of log-probabilities and advantages{where} also has a gradient for "
        "`{critic}`: the critic learns from the actor's loss.",
        "Call `.detach()` on the advantages there.",
    ),
    zh=Words(
        "优势也在学习",
        "对数概率与优势的乘积{where}也给 `{critic}` 带来梯度：价值网络从策略的损失中学习。",
        "请在那里对优势调用 `.detach()`。",
    ),
    find=find,
    broken=PROGRAM.format(detached=""),
    sound=PROGRAM.format(detached=".detach()"),
)
