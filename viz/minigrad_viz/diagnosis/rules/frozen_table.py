"""An embedding from `from_pretrained`, which freezes it, in an optimizer that should move it."""

from __future__ import annotations

import re
from typing import Any

from ..objects import layer_kind
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

MAKING = re.compile(r"\w+\.from_pretrained\([^\n]*")


def find(evidence: Evidence) -> Match | None:
    for name, module in evidence.modules:
        for path, each in module.named_modules():
            weight: Any = getattr(each, "weight", None)
            if not layer_kind(each).startswith("Embedding") or id(weight) not in evidence.held:
                continue
            made = [m[0] for text in evidence.code for m in MAKING.finditer(text)]
            if weight.requires_grad or not made or any("freeze" in text for text in made):
                continue
            table = f"{name}.{path}".rstrip(".")
            return Match({"t": table, "text": made[0].partition("(")[0]}, (table,))
    return None


PROGRAM = training(
    net="table, head = T.nn.Embedding.from_pretrained(T.randn(9, 4){freeze}), T.nn.Linear(4, 1)",
    data="ids, y = T.randint(0, 9, (8, 3)), T.randn(8, 1)",
    inside="loss = (head(table(ids).mean(1)) - y).pow(2).mean()",
)

RULE = Rule(
    key="frozen_table",
    severity=2,
    chapter="15",
    en=Words(
        "an embedding that is frozen",
        "`{text}()` freezes `{t}`: the optimizer holds its weight, and never moves it.",
        "Write `freeze=False` in that call.",
    ),
    zh=Words(
        "嵌入被冻结",
        "`{text}()` 会冻结 `{t}`：优化器持有它的权重，却从不更新。",
        "请在这个调用里写 `freeze=False`。",
    ),
    find=find,
    broken=PROGRAM.format(freeze=""),
    sound=PROGRAM.format(freeze=", freeze=False"),
    before=("frozen",),
)
