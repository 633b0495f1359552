"""A result without a slope between every parameter and the loss: a clamp, a rounding, a sign."""

from __future__ import annotations

from ...model.autograd_nodes import is_accumulate, node_name
from ...model.values import bare, has_numbers
from ..evidence import leads_to
from ..silent import FLAT
from .evidence import Evidence
from .rule import Match, Rule, Words

FLAT_FAR_OUT = ("Clamp", "ClampMin", "ClampMax")
"""Operations without a slope beyond their limits."""


def find(evidence: Evidence) -> Match | None:
    """Find an operation on every path from the loss, if every gradient is exactly zero."""
    root = evidence.root
    if not evidence.leaves or not is_known_nonzero(root):
        return None
    if any(evidence.gradient(leaf) != 0 for leaf in evidence.leaves):
        return None
    ends = [node for node in evidence.context.nodes(root) if is_accumulate(node)]
    for node in evidence.nodes:
        if evidence.kind(node) not in (*FLAT, *FLAT_FAR_OUT):
            continue
        if any(leads_to(root.grad_fn, end, without=node) for end in ends):
            continue
        limited = evidence.kind(node) in FLAT_FAR_OUT
        context = evidence.context
        parts = {"node": node_name(node), "where": context.where(context.node_line(node))}
        parts["why"] = context.say("flat_clamped" if limited else "flat_jumps")
        parts["cure"] = context.say("cure_clamped" if limited else "cure_flat")
        return Match(parts, (), (node,))
    return None


def is_known_nonzero(root: object) -> bool:
    """Return whether a loss is a single number other than zero."""
    if root is None or root.numel() != 1 or not has_numbers(root):  # type: ignore[attr-defined]
        return False
    return float(bare(root).item()) != 0


PROGRAM = """
net = T.nn.Linear(3, 1)
with T.no_grad():
    net.bias.fill_({bias})
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.rand(8, 3), T.rand(8, 1)
for i in range(4):
    loss = (net(x).clamp(0, 1) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

RULE = Rule(
    key="flat_output",
    severity=3,
    chapter="16",
    words={
        "en": Words(
            "no slope on the way to the loss",
            "All gradients are zero: every way from the loss leads through {node}{where}, {why}.",
            "{cure}",
        ),
        "zh": Words(
            "通向损失的路上没有斜率",
            "所有梯度都是零：从损失出发的每条路都经过 {node}{where}，{why}。",
            "{cure}",
        ),
    },
    find=find,
    broken=PROGRAM.format(bias="9.0"),
    sound=PROGRAM.format(bias="0.5"),
    before=("zero",),
)
