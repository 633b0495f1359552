"""Windows of a series that already hold the number that is to be predicted."""

from __future__ import annotations

import numpy as np

from .evidence import Evidence
from .other_labels import Rows, arrays, pairs
from .outcome import complete
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    """Find inputs that are windows, each one step further, and labels that are in them."""
    known = arrays(evidence) if evidence.repeated else {}
    for inputs, labels in pairs(evidence, known):
        data, target = complete(evidence, known[inputs], known[labels])
        if data.ndim < 2 or target.size != len(target) or len(target) != len(data):
            continue
        windows = data.reshape(*data.shape[:2], -1)[:, :, 0]
        place = place_of(windows, target.ravel())
        if place is not None:
            made = evidence.context.program.assignment(labels)
            parts: dict[str, object] = {"x": inputs, "y": labels}
            parts["where"] = evidence.context.where(made)
            parts |= {"count": windows.shape[1], "place": place + 1}
            return Match({**parts, "ahead": windows.shape[1] - place}, (labels,))
    return None


def place_of(windows: Rows, target: Rows) -> int | None:
    """Return the place of the labels in windows that follow each other by one step."""
    moving = windows.shape[1] > 2 and len(np.unique(windows)) > len(windows) / 2
    if not moving or not np.array_equal(windows[1:, :-1], windows[:-1, 1:]):
        return None
    same = (windows == target[:, None]).all(0)
    return int(same.argmax()) if same.any() else None


PROGRAM = training(
    first="""
series = T.sin(T.arange(60) * 0.3) + 0.01 * T.arange(60)
x = T.stack([series[i : i + 6] for i in range(50)])
y = T.stack([series[i + {place}] for i in range(50)])""",
    net="T.nn.Linear(6, 1)",
    data="",
    inside="loss = T.nn.functional.mse_loss(net(x).squeeze(1), y)",
)

RULE = Rule(
    key="answer_in_window",
    severity=2,
    chapter="16",
    en=Words(
        "windows that hold the answer",
        "`{y}`{where} is number {place} of the {count} in each row of `{x}`: the model gets "
        "what it is to predict, and learns to copy it.",
        "Take the label at least {ahead} further on, after the end of the window.",
    ),
    zh=Words(
        "窗口里已有答案",
        "`{y}`{where}就是 `{x}` 每一行 {count} 个数中的第 {place} 个：模型拿到了要预测的数，"
        "学会的只是照抄。",
        "请把标签至少往后取 {ahead} 个，取在窗口结束之后。",
    ),
    find=find,
    broken=PROGRAM.format(place=5),
    sound=PROGRAM.format(place=6),
)
