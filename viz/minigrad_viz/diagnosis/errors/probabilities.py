"""Parameters of a distribution that are nan, below zero, or no probabilities."""

from __future__ import annotations

import ast
import inspect

from ...model.names import is_tensor
from ..evidence import nonfinite
from ..rules.rule import Match, Words
from ..syntax import last_name
from .raised import Raised
from .rule import ErrorRule

MESSAGE = r"probability tensor contains either|to satisfy the constraint"


def find_nan(raised: Raised) -> Match | None:
    """Find an operand that holds nan."""
    for text, value in raised.operands.items():
        if nonfinite(value):
            call = f"viz.explain({text}, nan=True)"
            return Match({"t": text, "what": nonfinite(value), "cure": call})
    return None


CHANCES = "p = T.tensor([[0.5, {value}]])\na = T.multinomial(p, 1)"

NAN = ErrorRule(
    key="probabilities_of_nan",
    chapter="16",
    en=Words(
        "a draw from nan",
        "`{t}`{where} holds {what}, from which nothing can be drawn: the network or the loss went "
        "wrong before.",
        "Ask where it came from: `{cure}`.",
    ),
    zh=Words(
        "从 nan 中抽样",
        "`{t}`{where}含有 {what}，无法从中抽样：网络或损失在此之前已经出错。",
        "请查它从哪里来：`{cure}`。",
    ),
    message=MESSAGE,
    find=find_nan,
    broken=CHANCES.format(value='float("nan")'),
    sound=CHANCES.format(value="0.5"),
    before=("negative_scale",),
    severity=2,
)


def find_negative(raised: Raised) -> Match | None:
    """Find a scale of a distribution that is not above zero."""
    found = raised.match(r"Expected parameter (\w+) .*GreaterThan\w*\(lower_bound=0")
    for call in raised.line_calls:
        kind = raised.object(call.func)
        if found is None or not isinstance(kind, type):
            continue
        named = dict(zip(inspect.signature(kind).parameters, call.args, strict=False))
        named |= {word.arg: word.value for word in call.keywords if word.arg}
        given = named.get(found[1])
        value = raised.object(given) if given is not None else None
        if given is None or not is_tensor(value) or nonfinite(value):
            continue
        text = ast.unparse(given)
        parts = {"t": text, "name": found[1], "kind": last_name(call)}
        return Match({**parts, "cure": f"{raised.functional}.softplus({text})"})
    return None


NORMAL = (
    "mean, spread = T.zeros(2), T.tensor([1.0, {value}])\nd = T.distributions.Normal(mean, {s})"
)

SCALE = ErrorRule(
    key="negative_scale",
    en=Words(
        "a scale that is not above zero",
        "`{t}`{where} is the {name} of {kind}, which must be above 0, and some of its numbers are "
        "not.",
        "A network's output may be anything: write `{cure}`.",
    ),
    zh=Words(
        "尺度不大于零",
        "`{t}`{where}是 {kind} 的 {name}，必须大于 0，而其中有的数不是。",
        "网络的输出可以是任何数，请写 `{cure}`。",
    ),
    message=MESSAGE,
    find=find_negative,
    broken=NORMAL.format(value="-0.5", s="spread"),
    sound=NORMAL.format(value="0.5", s="spread"),
    severity=2,
)
