"""A mean of log-probabilities of the labels without a minus: steps make the labels less likely."""

from __future__ import annotations

from .evidence import Evidence
from .rule import Match, Rule, Words

MEANS = ("Mean", "Sum", "Div")
PICKS = ("Index", "Gather", "Squeeze", "Select", "Diagonal", "Unsqueeze", "View", "Reshape")


def find(evidence: Evidence) -> Match | None:
    """Find a loss that is the mean of elements of a log_softmax, and not their negative."""
    root = evidence.root
    if root is None or root.grad_fn is None or root.numel() != 1:
        return None
    node, kinds = root.grad_fn, []
    while node is not None and evidence.kind(node) in (*MEANS, *PICKS):
        kinds.append(evidence.kind(node))
        node = node.next_functions[0][0] if node.next_functions else None
    if evidence.kind(node) != "LogSoftmax" or not {"Index", "Gather"} & {*kinds}:
        return None
    if any(group.get("maximize") for _, o in evidence.optimizers for group in o.param_groups):
        return None
    name = evidence.context.name(root)
    where = evidence.context.where(evidence.context.node_line(root.grad_fn))
    return Match({"t": name, "where": where}, (name,), (root.grad_fn,))


PROGRAM = """
net = T.nn.Linear(3, 4)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 3), T.arange(8) % 4
for i in range(4):
    opt.zero_grad()
    logp = T.log_softmax(net(x), 1)
    loss = {sign}logp[T.arange(8), y].mean()
    loss.backward()
    opt.step()
"""

RULE = Rule(
    key="likelihood_sign",
    severity=3,
    chapter="16",
    words={
        "en": Words(
            "a likelihood without its minus",
            "`{t}`{where} is the mean logarithm of the labels' probabilities. Steps make a loss "
            "smaller, so here they make the labels less likely.",
            "Put a minus before it.",
        ),
        "zh": Words(
            "似然缺少负号",
            "`{t}`{where}是各标签概率的对数的平均。更新使损失变小，所以这里是使标签越来越不可能。",
            "请在它前面加上负号。",
        ),
    },
    find=find,
    broken=PROGRAM.format(sign=""),
    sound=PROGRAM.format(sign="-"),
    before=("exploding", "nan"),
)
