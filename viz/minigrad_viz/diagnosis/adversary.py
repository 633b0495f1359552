"""Two losses that share a result, of which one trains only what comes after it: a GAN.

The discriminator's loss needs no history of the generator's result, which the other loss walks.
"""

from __future__ import annotations

import re
from typing import Any

from ..model.autograd_nodes import is_accumulate
from ..model.program_text import Statement
from .causes import UNNAMED, Context, Finding
from .evidence import sequence_of
from .learners import held_tensors
from .reachable import is_optimizer
from .syntax import names_in


def detach_for_adversary(context: Context, root: Any, finding: Finding) -> Finding:
    """Return the finding with `fake.detach()` as its cure, if the losses are of a GAN.

    That is so if the optimizer of the first loss holds nothing behind the shared result, and
    another optimizer does.
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
    opponent = opponent_of(context, other, fake)
    line = reading_line(context, context.name(fake))
    if not opponent or line is None:
        return finding
    name = re.escape(context.name(fake))
    cure = re.sub(rf"(?<![\w.]){name}(?![\w.(\[])", f"{context.name(fake)}.detach()", line.text)
    parts = {"t": context.name(fake), "other": context.name(other), "opt": opponent}
    finding.sentences[1] = context.say("cure_freed_adversary", instead=cure, **parts)
    return finding


def opponent_of(context: Context, other: Any, fake: Any) -> str:
    """Return the optimizer that holds leaves of `other` and none behind `fake`, or ""."""
    inner = leaves_of(context, fake)
    outer = leaves_of(context, other) - inner
    found, shared = [], False
    for name, value in context.variables.items():
        if name.startswith("_") or not is_optimizer(value):
            continue
        held = {id(each) for each in held_tensors(value)}
        shared = shared or bool(held & inner)
        if held & outer and not held & inner:
            found.append(name)
    return found[0] if found and shared else ""


def leaves_of(context: Context, t: Any) -> set[int]:
    return {id(node.variable) for node in context.nodes(t) if is_accumulate(node)}


def reading_line(context: Context, name: str) -> Statement | None:
    """Return the first line after its last assignment that reads a variable."""
    statements = context.program.statements
    made = context.program.assignment(name) if name != UNNAMED else None
    if made is None or made not in statements:
        return None
    place = max(i for i, s in enumerate(statements) if s == made)
    later = (s for s in statements[place + 1 :] if name in names_in(s.tree))
    found = next(later, None)
    if found is None or f"{name}.detach()" in found.text:
        return None
    return found
