"""Weights of a loss that are larger for the more frequent classes, upside down."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...model.names import is_tensor
from ...model.values import bare, has_numbers
from ..syntax import calls_in, names_in
from .evidence import Evidence
from .left_out_class import losses
from .programs import training
from .rule import Match, Rule, Words

TIMES = 2.0
"""Weights and counts that differ by less may be meant."""


def find(evidence: Evidence) -> Match | None:
    for line, name, weights, counts in weighted(evidence):
        order = sorted(range(len(counts)), key=lambda i: counts[i])
        rising = [weights[i] for i in order]
        apart = 0 < TIMES * rising[0] < rising[-1] and rising == sorted(rising)
        if apart and 0 < TIMES * counts[order[0]] < counts[order[-1]]:
            parts: dict[str, object] = {"line": line, "loss": name, "most": order[-1]}
            parts |= {"least": order[0], "times": f"{rising[-1] / rising[0]:.3g}"}
            parts["instead"] = turned(evidence, name)
            return Match(parts, (name,))
    return None


def turned(evidence: Evidence, name: str) -> str:
    """Return the option with the weights of a loss, turned round."""
    made = evidence.context.program.assignment(name)
    calls = [c for s in (made, *evidence.repeated) if s is not None for c in calls_in(s.tree)]
    words = [w for c in calls for w in c.keywords if w.arg in ("weight", "pos_weight")]
    if not words:
        return "1 / weight"
    text = ast.unparse(words[0].value)
    return (
        f"{words[0].arg}=1 / ({text})"
        if isinstance(words[0].value, ast.BinOp)
        else (f"{words[0].arg}=1 / {text}")
    )


def weighted(evidence: Evidence) -> Iterator[tuple[str, str, list[float], list[float]]]:
    """Yield losses with a weight for each class: line, name, weights, and counts of labels."""
    for line, name, loss, labels in losses(evidence):
        weight = loss.get("weight")
        if is_tensor(weight) and has_numbers(weight):
            numbers: list[float] = bare(weight).reshape(-1).tolist()
            given: Any = bare(labels)
            yield line, name, numbers, [float((given == i).sum()) for i in range(len(numbers))]
    for statement in evidence.repeated:
        for call in calls_in(statement.tree):
            rare = getattr(evidence.object(call.func), "pos_weight", None)
            if not is_tensor(rare) or rare.numel() != 1 or len(call.args) < 2:
                continue
            for each in sorted(names_in(call.args[1])):
                labels = evidence.context.variables.get(each)
                if is_tensor(labels) and has_numbers(labels) and labels.numel() > 1:
                    ones = float(bare(labels).float().mean().item())
                    line, name = evidence.context.line(statement), ast.unparse(call.func)
                    yield line, name, [1.0, float(rare.item())], [1 - ones, ones]


PROGRAM = training(
    first="criterion = T.nn.CrossEntropyLoss(weight=T.tensor({weights}))",
    net="T.nn.Linear(3, 2)",
    data="T.randn(40, 3), (T.arange(40) % 5 == 0).long()",
    inside="loss = criterion(net(x), y)",
)

RULE = Rule(
    key="favoured_class",
    severity=2,
    chapter="16",
    en=Words(
        "weights upside down",
        "`{loss}` in {line} gives class {most}, the most frequent, {times} times the weight "
        "of class {least}, the rarest: the rare samples count even less.",
        "Turn the weights round: `{instead}`.",
    ),
    zh=Words(
        "权重颠倒了",
        "{line}的 `{loss}` 给最常见的类别 {most} 的权重是最少见的类别 {least} 的 {times} 倍："
        "少见的样本更不受重视。",
        "请把权重取倒数：`{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(weights="[0.8, 0.2]"),
    sound=PROGRAM.format(weights="[0.2, 0.8]"),
)
