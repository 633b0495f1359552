"""`F.dropout(x)` without `training`: it also drops in evaluation."""

from __future__ import annotations

import ast

from ..syntax import calls_in, last_name
from .evidence import Evidence
from .programs import STEPS, training
from .rule import Match, Rule, Words

DROPPING = ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout")


def find(evidence: Evidence) -> Match | None:
    """Find the call in a forward method of a program that also evaluates its model."""
    if not any(".eval()" in text for text in evidence.code):
        return None
    for name, _, statements in evidence.forwards:
        found = [evidence.context.line(s) for s in statements if any(map(drops, calls_in(s.tree)))]
        if found:
            lines = evidence.context.say("and").join(found)
            return Match({"line": lines, "t": name}, (name,))
    return None


def drops(call: ast.Call) -> bool:
    """Return whether a call is `F.dropout(x)` without `training`."""
    words = {word.arg for word in call.keywords}
    said = "training" in words or None in words or len(call.args) > 2
    owner = last_name(ast.Call(getattr(call.func, "value", call.func), [], []))
    return last_name(call) in DROPPING and owner in ("F", "functional") and not said


PROGRAM = training(
    first="""
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = T.nn.Linear(3, 8), T.nn.Linear(8, 1)

    def forward(self, x):
        h = T.nn.functional.dropout(T.relu(self.one(x)), 0.5{training})
        return self.two(h)""",
    net="Net()",
    inside="net.train()\nloss = (net(x) - y).pow(2).mean()",
    steps=f"{STEPS}\nnet.eval()\nwith T.no_grad():\n    gap = (net(x) - y).abs().mean()",
)

RULE = Rule(
    key="always_dropout",
    severity=2,
    chapter="16",
    en=Words(
        "dropout while evaluating",
        "The dropout in {line} does not know whether `{t}` trains: after `{t}.eval()` it still "
        "drops units.",
        "Give each `training=self.training`.",
    ),
    zh=Words(
        "评估时仍在 dropout",
        "{line}的 dropout 不知道 `{t}` 是否在训练：`{t}.eval()` 之后它照样丢弃单元。",
        "请给每一处加上 `training=self.training`。",
    ),
    find=find,
    broken=PROGRAM.format(training=""),
    sound=PROGRAM.format(training=", training=self.training"),
)
