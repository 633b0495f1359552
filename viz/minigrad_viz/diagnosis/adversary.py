"""Two losses that share a result, of which one trains only what comes after it: a GAN.

The discriminator's loss needs no history of the generator's result, which the other loss walks.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from ..model.autograd_nodes import is_accumulate
from ..model.program_text import Statement, assigned, receivers
from .causes import UNNAMED, Context, Finding
from .evidence import sequence_of
from .reachable import held_by, is_optimizer
from .syntax import calls_in, names_in, root_of_pass


def detach_for_adversary(context: Context, root: Any, finding: Finding) -> Finding:
    """Return the finding with `fake.detach()` as its cure, if the losses are of a GAN.

    That is so if the optimizer that steps for one of the losses holds nothing behind the shared
    result, and another optimizer does.
    """
    if finding.cause != "freed_shared":
        return finding
    other, shared = context.find_sharing({id(each) for each in context.operations(root)})
    results = [t for t in context.tensors if any(t.grad_fn is n for n in shared)]
    if other is None or not results:
        return finding
    fake = max(results, key=lambda t: sequence_of(t.grad_fn))
    behind = {id(node) for node in context.operations(fake)}
    if not {id(node) for node in shared} <= behind:
        return finding
    for loss in (other, root):
        opponent = opponent_of(context, loss, fake)
        line = reading_line(context, loss, fake) if opponent else None
        if line is not None:
            name, t = re.escape(context.name(fake)), context.name(fake)
            cure = re.sub(rf"(?<![\w.]){name}(?![\w.(\[])", f"{t}.detach()", line.text)
            parts = {"t": t, "other": context.name(loss), "opt": opponent, "instead": cure}
            finding.sentences[1] = context.say("cure_freed_adversary", **parts)
            return finding
    return finding


def opponent_of(context: Context, loss: Any, fake: Any) -> str:
    """Return the optimizer that steps after a loss's pass and holds nothing behind `fake`, or "".

    Another optimizer must hold what is behind `fake`.
    """
    inner = leaves_of(context, fake)
    optimizers = {n: v for n, v in context.variables.items() if is_optimizer(v) and n[0] != "_"}
    held = {n: {id(each) for each in held_by(v)} for n, v in optimizers.items()}
    for name in stepping(context, context.name(loss)):
        mine = held.get(name, set())
        if mine and not mine & inner and any(ids & inner for ids in held.values()):
            return name
    return ""


def stepping(context: Context, loss: str) -> set[str]:
    """Return the names that step after the pass from a loss, before the next pass."""
    found: set[str] = set()
    passed = False
    for statement in context.program.statements:
        starts = [root_of_pass(call) for call in calls_in(statement.tree)]
        roots = [ast.unparse(each) for each in starts if each is not None]
        passed = loss in roots if roots else passed
        if passed:
            found |= set(receivers(statement, "step"))
    return found


def leaves_of(context: Context, t: Any) -> set[int]:
    return {id(node.variable) for node in context.nodes(t) if is_accumulate(node)}


def reading_line(context: Context, loss: Any, fake: Any) -> Statement | None:
    """Return the only line that reads `fake` on the way to a loss."""
    statements, name = context.program.statements, context.name(fake)
    if UNNAMED in (name, context.name(loss)):
        return None
    wanted, found = {context.name(loss)}, []
    for statement in reversed(statements):
        if assigned(statement.tree) & wanted and name not in assigned(statement.tree):
            read = names_in(getattr(statement.tree, "value", None))
            if name in read:
                found.append(statement)
            wanted |= read
    return found[0] if len(found) == 1 and f"{name}.detach()" not in found[0].text else None
