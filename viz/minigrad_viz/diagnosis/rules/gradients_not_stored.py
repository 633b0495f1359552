"""Gradients that autograd.grad() returns, and that no line gives to the optimizer."""

from __future__ import annotations

import re

from ..reachable import held_by
from ..syntax import calls_in, is_grad
from .evidence import Evidence
from .rule import Match, Rule, Words

STORING = re.compile(r"\.grad\b(?!\()")


def find(evidence: Evidence) -> Match | None:
    walked = [s for s in evidence.passes if s.loops or evidence.seen is not None]
    stored = any(STORING.search(s.text) for s in (*evidence.lines, *evidence.repeated))
    if not walked or stored or not evidence.stepping:
        return None
    if not all(any(map(is_grad, calls_in(s.tree))) for s in evidence.passes):
        return None
    for name, optimizer in evidence.stepping:
        if all(t.grad is None for t in held_by(optimizer)):
            line = evidence.context.line(walked[-1])
            return Match({"line": line, "optimizer": name}, (name,))
    return None


PROGRAM = """
net = T.nn.Linear(3, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 3), T.randn(8, 1)
for i in range(4):
    loss = (net(x) - y).pow(2).mean()
    gradients = T.autograd.grad(loss, list(net.parameters()))
    {store}
    opt.step()
"""

RULE = Rule(
    key="gradients_not_stored",
    chapter="11",
    en=Words(
        "gradients that the optimizer never sees",
        "{line} returns the gradients and leaves `.grad` alone, and `{optimizer}` steps by "
        "`.grad`, which is None: nothing changes.",
        "Call `loss.backward()` in its place, or write each into the `.grad` of its parameter.",
    ),
    zh=Words(
        "优化器看不到的梯度",
        "{line}返回梯度，不写入 `.grad`，而 `{optimizer}` 按 `.grad` 更新，它是 None：什么也不改"
        "变。",
        "请改用 `loss.backward()`，或把每个梯度写进对应参数的 `.grad`。",
    ),
    find=find,
    broken=PROGRAM.format(store="pass"),
    sound=PROGRAM.format(store="for p, g in zip(net.parameters(), gradients):\n        p.grad = g"),
    before=("cut", "no_pass", "pass_elsewhere"),
)
