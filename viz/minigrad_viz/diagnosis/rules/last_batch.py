"""A pass after the loop over the batches, so that only the last batch's loss counts."""

from __future__ import annotations

import ast

from ...model.program_text import Statement, assigned, receivers
from ..syntax import names_in
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    for walked in evidence.passes:
        for name in sorted(receivers(walked, "backward")):
            made = [s for s in evidence.lines if name in assigned(s.tree) and s.file == walked.file]
            made = [s for s in made if evidence.context.line_in_function(s) is None]
            inner = [s for s in made if s.loops[:-1] == walked.loops and s.loops]
            if not inner or len(inner) != len(made) or not isinstance(made[0].tree, ast.Assign):
                continue
            head = loop_of_batches(evidence, inner[-1])
            if head is None or name in names_in(made[-1].tree.value):  # type: ignore[union-attr]
                continue
            context = evidence.context
            parts = {"line": context.line(walked), "head": context.line(head), "t": name}
            return Match({**parts, "made": context.line(inner[-1])}, (name,))
    return None


def loop_of_batches(evidence: Evidence, made: Statement) -> Statement | None:
    """Return the head of the loop around a loss, if the loss is computed from its variables alone.

    What a loop carries from one iteration to the next may count in the last loss.
    """
    inside = [s for s in evidence.lines if s.file == made.file and s.loops == made.loops]
    heads = [s for s in inside if s.line == made.loops[-1]]
    if not heads or not isinstance(heads[0].tree, ast.Assign):
        return None
    body = [s for s in inside if s.line != made.loops[-1]]
    seen = assigned(heads[0].tree)
    given = {name for s in body for name in assigned(s.tree)}
    for statement in body:
        used = names_in(getattr(statement.tree, "value", None))
        if not isinstance(statement.tree, ast.Assign) or used & (given - seen):
            return None  # carried, collected or added
        seen |= assigned(statement.tree)
    direct = names_in(getattr(made.tree, "value", None))
    return heads[0] if direct & seen and heads[0].text.startswith("for ") else None


PROGRAM = training(
    inside="{total}\nfor xb, yb in zip(x.chunk(2), y.chunk(2)):\n    {loss}",
)

RULE = Rule(
    key="last_batch_only",
    severity=2,
    chapter="14",
    en=Words(
        "only the last batch",
        "{line} stands after {head}, and {made} replaces `{t}` for each batch: only the last "
        "batch's loss brings gradients.",
        "Move the pass and the step into that loop, or add the losses up.",
    ),
    zh=Words(
        "只有最后一个批次",
        "{line}在{head}之后，而{made}为每个批次替换 `{t}`：只有最后一个批次的损失带来梯度。",
        "请把反向传播和更新移到这个循环里，或者把各批次的损失加起来。",
    ),
    find=find,
    broken=PROGRAM.format(total="pass", loss="loss = (net(xb) - yb).pow(2).mean()"),
    sound=PROGRAM.format(total="loss = 0.0", loss="loss = loss + (net(xb) - yb).pow(2).mean()"),
)
