"""Dropout as the last layer of a model: it sets predictions to zero."""

from __future__ import annotations

import ast
from typing import Any

from ...model.program_text import assigned
from ..objects import is_module, layer_kind
from ..syntax import calls_in
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .shuffled_apart import is_loss


def find(evidence: Evidence) -> Match | None:
    for statement in evidence.repeated:
        for call in calls_in(statement.tree):
            if len(call.args) < 2 or not is_loss(evidence, call):
                continue
            model = model_of(evidence, call.args[0])
            last = last_layer(model)
            if layer_kind(last) == "Dropout" and 0 < last.p < 1:
                parts = {"t": evidence.name(model), "p": f"{last.p:g}"}
                return Match({**parts, "line": evidence.context.line(statement)})
    return None


def model_of(evidence: Evidence, scores: ast.expr) -> Any:
    """Return the module whose result a loss gets, past a variable."""
    if isinstance(scores, ast.Name):
        made = [s for s in evidence.repeated if scores.id in assigned(s.tree)]
        scores = getattr(made[-1].tree, "value", scores) if made else scores
    module = evidence.object(scores.func) if isinstance(scores, ast.Call) else None
    return module if module is not None and is_module(module) else None


def last_layer(module: Any) -> Any:
    """Return the last layer of a Sequential, also of one inside it."""
    while type(module).__name__ == "Sequential" and len(module):
        module = module[-1]
    return module


PROGRAM = training(
    net="T.nn.Sequential({layers})",
    inside="loss = T.nn.functional.mse_loss(net(x), y)",
)

RULE = Rule(
    key="dropped_output",
    severity=2,
    chapter="16",
    en=Words(
        "dropout of the predictions",
        "The last layer of `{t}` is Dropout({p}), and the loss in {line} gets its result: "
        "predictions are set to zero at random.",
        "Put the dropout before the last linear layer.",
    ),
    zh=Words(
        "对预测做了 dropout",
        "`{t}` 的最后一层是 Dropout({p})，{line}的损失直接得到它的结果：预测会被随机置零。",
        "请把 dropout 放在最后一个线性层之前。",
    ),
    find=find,
    broken=PROGRAM.format(
        layers="T.nn.Linear(3, 8), T.nn.ReLU(), T.nn.Linear(8, 1), T.nn.Dropout(0.5)"
    ),
    sound=PROGRAM.format(
        layers="T.nn.Linear(3, 8), T.nn.ReLU(), T.nn.Dropout(0.5), T.nn.Linear(8, 1)"
    ),
)
