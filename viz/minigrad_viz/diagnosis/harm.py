"""Drop each cure that could do harm, from every answer.

An answer may tell only those tensors to require grad that the program means to learn: never an
input, a target or a loss. It suggests `create_graph=True` only where a derivative of a gradient is
asked, and `retain_graph=True` only where two passes share a graph on purpose. Without the program's
text, an answer has its cause alone, for a cure would be a guess.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from ..model.program_text import Statement, assigned, receivers
from .causes import Context, Finding, Sentence
from .learners import may_require_grad
from .syntax import calls_in, is_grad, root_of_pass

ASKED_FOR = {
    *("input_not_required", "hook_unneeded", "retain_unneeded", "integers", "optimizer_result"),
    "not_leaf",
}
"""Causes of lines that ask themselves for the gradient of a tensor."""

TOLD = re.compile(r"([A-Za-z_][\w.]*(?:\[[^\]]*\])*)\.requires_grad_\(\)")


def drop_harm(context: Context, finding: Finding, subjects: list[Any]) -> None:
    """Remove the cures of a finding that could do harm. `subjects` are the tensors asked about."""
    if not context.program.statements:
        finding.sentences = [s for s in finding.sentences if not is_cure(s)]
        return
    kept = []
    for sentence in finding.sentences:
        if "retain_graph=True" in sentence and is_cure(sentence) and not shares_graph(context):
            sentence = without_retaining(context, sentence)
        if "create_graph=True" in sentence and is_cure(sentence):
            if not asks_derivative(context, sentence):
                continue
        if finding.cause not in ASKED_FOR and any(forbidden(context, sentence, subjects)):
            sentence = context.say("cure_plain_learners")
        if sentence and sentence not in kept:
            kept.append(sentence)
    finding.sentences = kept


def is_cure(sentence: str) -> bool:
    return isinstance(sentence, Sentence) and sentence.key.startswith(("cure_", "made_", "or_a_"))


def forbidden(context: Context, sentence: str, subjects: list[Any]) -> list[str]:
    """Return the tensors that a sentence wrongly tells to require grad."""
    found = []
    for name in TOLD.findall(sentence):
        tensor = context.find_named(name)
        if tensor is None or any(tensor is each for each in subjects):
            continue
        if not may_require_grad(context, tensor):
            found.append(name)
    return found


def without_retaining(context: Context, sentence: str) -> str:
    """Return the cure without the advice to retain the graph, or "" if nothing is left."""
    key = getattr(sentence, "key", "")
    instead = {"cure_freed": "cure_freed_anew", "cure_freed_shared": "cure_freed_once"}
    return context.say(instead[key], **sentence.parts) if key in instead else ""  # type: ignore[attr-defined]


def shares_graph(context: Context) -> bool:
    """Return whether the text has two passes between which nothing learns.

    After a step, a retained graph would fail by the changed weights.
    """
    statements = list(dict.fromkeys(context.program.statements))
    walking = [i for i, s in enumerate(statements) if walks(s)]
    if not walking:
        return False
    starts = map(root_of_pass, calls_in(statements[walking[-1]].tree))
    roots = {ast.unparse(each) for each in starts if each is not None}
    made = [i for i in range(walking[-1]) if assigned(statements[i].tree) & roots]
    start = walking[-2] if walking[1:] else (made or [0])[-1]
    between = statements[start : walking[-1]]
    return not any(receivers(s, "step") or s.block for s in between)


def walks(statement: Statement) -> bool:
    return any(root_of_pass(call) is not None for call in calls_in(statement.tree))


def asks_derivative(context: Context, sentence: str) -> bool:
    """Return whether the text computes something from a gradient that is no update.

    `w -= 0.1 * w.grad` is an update; `penalty = x.grad.norm()` is none.
    """
    if "grad(" in str(getattr(sentence, "parts", {}).get("what", "")):
        return True  # a loss was computed from what autograd.grad() returned
    for statement in context.program.statements:
        tree = statement.tree
        if any(map(is_grad, calls_in(tree))):
            return True
        if not isinstance(tree, ast.Assign) or statement.block:
            continue
        for node in ast.walk(tree.value):
            if isinstance(node, ast.Attribute) and node.attr == "grad":
                if ast.unparse(node.value) not in {ast.unparse(t) for t in tree.targets}:
                    return True
    return False
