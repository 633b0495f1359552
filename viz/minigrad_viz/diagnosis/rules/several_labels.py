"""Chances that add up to 1, for samples that have several labels: a softmax of the classes."""

from __future__ import annotations

import ast

from ...model.names import is_tensor
from ...model.values import bare, has_numbers
from ..syntax import calls_in, names_in
from .evidence import Evidence
from .one_match import is_cross_entropy
from .programs import training
from .rule import Match, Rule, Words
from .shuffled_apart import is_loss
from .signs import values


def find(evidence: Evidence) -> Match | None:
    """Find targets of zeros and ones in a cross-entropy, with several ones or none in many rows."""
    for statement, value in values(evidence):
        for call in calls_in(value):
            if len(call.args) < 2 or not shares_one_chance(evidence, call):
                continue
            for name in sorted(names_in(call.args[1])):
                target = evidence.context.variables.get(name)
                if is_tensor(target) and has_numbers(target) and share_of_several(target) > MANY:
                    loss = ast.unparse(call.func)
                    parts = {"line": evidence.context.line(statement), "t": name, "loss": loss}
                    return Match({**parts, "share": f"{share_of_several(target):.0%}"}, (name,))
    return None


def shares_one_chance(evidence: Evidence, call: ast.Call) -> bool:
    """Return whether a call is a cross-entropy of one class, or a binary one after a softmax."""
    if is_cross_entropy(evidence, call):
        return True
    binary = [n for n in evidence.nodes if evidence.kind(n) == "BinaryCrossEntropy"]
    softened = [n for n in binary if evidence.kind(evidence.input_of(n)) == "Softmax"]
    return bool(softened) and is_loss(evidence, call)


MANY = 0.2
"""Share of samples with another number of labels than one from which on it is no mistake."""


def share_of_several(target: object) -> float:
    """Return the share of rows of zeros and ones that have not exactly one 1."""
    numbers = bare(target)
    if not numbers.is_floating_point() or len(numbers.shape) != 2 or numbers.shape[1] < 2:
        return 0.0
    if not bool(((numbers == 0) | (numbers == 1)).all()):
        return 0.0
    return float((numbers.sum(1) != 1).float().mean().item())


PROGRAM = training(
    net="T.nn.Linear(4, 3)",
    data="",
    before="x = T.randn(8, 4)\ny = {labels}",
    inside="loss = T.nn.functional.cross_entropy(net(x), y)",
)

RULE = Rule(
    key="several_labels",
    chapter="16",
    en=Words(
        "one class for several labels",
        "`{loss}` in {line} divides one probability among all classes, and {share} of the rows of "
        "`{t}` have several labels or none: the model cannot be sure of two at once.",
        "Give the scores, without a softmax, to BCEWithLogitsLoss: it asks for each label.",
    ),
    zh=Words(
        "多个标签却只用一个类别",
        "{line}的 `{loss}` 把一份概率分给所有类别，而 `{t}` 中有 {share} 的行有多个标签或没有标签："
        "模型不能同时确定两个。",
        "请把未经 softmax 的得分交给 BCEWithLogitsLoss，它对每个标签分别判断。",
    ),
    find=find,
    broken=PROGRAM.format(labels="(x[:, :3] > 0).float()"),
    sound=PROGRAM.format(labels="T.nn.functional.one_hot(T.arange(8) % 3, 3).float()"),
)
