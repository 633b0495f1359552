"""A recurrent layer of which only the first time step reaches the loss."""

from __future__ import annotations

from .batch_for_time import time_and_batch
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .zero_input import layers, was_always_zero


def find(evidence: Evidence) -> Match | None:
    """Find a recurrent weight with a gradient of zeros, while that of the input's is not."""
    for name, module in layers(evidence) if evidence.stepping else ():
        own = dict(module.named_parameters(recurse=False))
        state, given = own.get("weight_hh_l0"), own.get("weight_ih_l0")
        if state is None or given is None or not evidence.gradient(given) > 0:
            continue
        if time_and_batch(evidence, module)[0] == 1:
            continue  # sequences of one step
        if evidence.gradient(state) == 0 and was_always_zero(evidence, state):
            first = bool(getattr(module, "batch_first", False))
            parts = {"t": name, "instead": "out[:, -1]" if first else "out[-1]"}
            return Match(parts, (f"{name}.weight_hh_l0",))
    return None


PROGRAM = training(
    first="rnn, head = T.nn.RNN(3, 4, batch_first=True), T.nn.Linear(4, 1)",
    net="",
    opt="T.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)",
    data="T.randn(8, 5, 3), T.randn(8, 1)",
    inside="out, last = rnn(x)\nloss = (head(out[:, {step}]) - y).pow(2).mean()",
)

RULE = Rule(
    key="first_time_step",
    severity=2,
    chapter="16",
    en=Words(
        "only the first time step",
        "`{t}.weight_hh_l0` gets a gradient of zeros and `{t}.weight_ih_l0` does not: only the "
        "first time step of `{t}` reaches the loss, and the state before it is zero.",
        "Take the last step's result, `{instead}`, and look whether batch and time have changed "
        "places.",
    ),
    zh=Words(
        "只用到第一个时间步",
        "`{t}.weight_hh_l0` 的梯度全是零，而 `{t}.weight_ih_l0` 的不是：只有 `{t}` 的第一个时间步通"
        "向损失，而它之前的状态是零。",
        "请取最后一步的结果 `{instead}`，并检查批次与时间是否颠倒。",
    ),
    find=find,
    broken=PROGRAM.format(step="0"),
    sound=PROGRAM.format(step="-1"),
    before=("zero",),
)
