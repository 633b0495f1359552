"""Parameters that an optimizer holds, and to which the graph of the loss does not lead."""

from __future__ import annotations

from ..ended import explain_lost
from .evidence import Evidence
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    """Find held parameters whose history ended on the way to the loss."""
    if evidence.seen is not None or evidence.root is None or not evidence.stepping:
        return None
    reached = {id(leaf) for leaf in evidence.leaves}
    texts = {s.text for s in evidence.passes}
    if len(texts) != 1:  # another loss may reach them
        return None
    for name, optimizer in evidence.stepping:
        held = [p for group in optimizer.param_groups for p in group["params"]]
        left = [p for p in held if id(p) not in reached and p.requires_grad and p.grad is None]
        if not left or id(left[0]) not in evidence.names:
            continue
        fate, sentences = explain_lost(evidence.context, left[0], evidence.root)
        if fate.kind != "cut" or not sentences:
            continue
        names = [f"`{evidence.name(p)}`" for p in left[:2] if id(p) in evidence.names]
        parts = {"names": ", ".join(names), "optimizer": name}
        parts |= {"root": evidence.context.name(evidence.root), "cut": sentences[0]}
        cure = sentences[1] if len(sentences) > 1 else ""
        return Match({**parts, "cure": cure}, tuple(evidence.name(p) for p in left))
    return None


PROGRAM = """
body, head = T.nn.Linear(3, 4), T.nn.Linear(4, 1)
opt = T.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
x, y = T.randn(8, 3), T.randn(8, 1)
for i in range(4):
    features = T.tanh(body(x)){cut}
    loss = (head(features) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

RULE = Rule(
    key="not_reached_by_loss",
    severity=3,
    chapter="5",
    words={
        "en": Words(
            "no gradient: not reached",
            "`{optimizer}` holds {names}, to which the graph of `{root}` does not lead. {cut}",
            "{cure}",
        ),
        "zh": Words(
            "没有梯度：没有到达",
            "`{optimizer}` 持有 {names}，而 `{root}` 的图不通向它们。{cut}",
            "{cure}",
        ),
    },
    find=find,
    broken=PROGRAM.format(cut=".detach()"),
    sound=PROGRAM.format(cut=""),
)
