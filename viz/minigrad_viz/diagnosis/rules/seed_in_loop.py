"""A seed that is set in each iteration, so that each draws the same numbers."""

from __future__ import annotations

import ast

from ..syntax import calls_in, last_name
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .undone import learns_with

DRAWS = ("rand", "randn", "randint", "randperm", "rand_like", "randn_like", "normal", "multinomial",
         "bernoulli", "sample", "choice", "uniform", "permutation", "standard_normal")  # fmt: skip


def find(evidence: Evidence) -> Match | None:
    for statement in evidence.repeated:
        for call in calls_in(statement.tree):
            if last_name(call) not in ("manual_seed", "seed") or statement.arms:
                continue
            fixed = len(call.args) == 1 and isinstance(call.args[0], ast.Constant)
            if not fixed or not learns_with(evidence, statement):
                continue
            drawn = [
                s
                for s in evidence.repeated
                if s.loops == statement.loops and s.file == statement.file
                if any(last_name(c) in DRAWS for c in calls_in(s.tree))
            ]
            if drawn:
                line = evidence.context.line
                return Match({"line": line(statement), "drawn": line(drawn[0])})
    return None


PROGRAM = training(
    data="",
    inside="T.manual_seed({seed})\n"
    "x = T.randn(8, 3)\n"
    "loss = (net(x) - x.sum(1, keepdim=True)).pow(2).mean()",
)

RULE = Rule(
    key="seed_in_loop",
    severity=2,
    chapter="14",
    en=Words(
        "the same draws each time",
        "{line} sets the same seed in each iteration, so {drawn} draws the same numbers each time "
        "and the model sees no others.",
        "Move that line before the loop.",
    ),
    zh=Words(
        "每一轮抽到的都相同",
        "{line}在每一轮都设置同一个种子，所以{drawn}每次都抽到同样的数，模型看不到别的。",
        "请把这一行移到循环之前。",
    ),
    find=find,
    broken=PROGRAM.format(seed="0"),
    sound=PROGRAM.format(seed="i"),
)
