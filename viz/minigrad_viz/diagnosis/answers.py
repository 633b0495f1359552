"""The answers about one tensor, in the order in which they are tried.

Each looks for one state of the tensor and explains it, or returns None.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .causes import Context, Finding
from .earlier_pass import explain_after_loop
from .ended import (
    explain_late_request,
    explain_lost,
    explain_no_history,
    explain_not_floating,
    explain_rebound,
    explain_unrecorded,
    topic_of,
)
from .evidence import nonfinite
from .fate import UNKNOWN
from .finished import explain_finished, number_to_read, walks_from
from .late_nan import explain_known_fault, explain_late_nan, explain_nan_gradient
from .nonfinite import first_nonfinite
from .reachable import is_optimizer
from .refined import refine
from .rules import computed_before
from .rules.closures import NO_PASS
from .rules.copied_loss import LOSSES
from .rules.evidence import Evidence
from .rules.kl_of_probabilities import SWAPPED
from .rules.prediction import COMPARISON, MODE, SCALE, is_validation
from .rules.rule import Rule
from .rules.table import OF_PROGRAMS, RULES, matches
from .silent import explain_kept_graphs
from .weight import (
    NO_REASON,
    explain_cleared,
    explain_rule,
    explain_unused_part,
    explain_unwalked,
    other_roots,
)


@dataclass(frozen=True)
class Question:
    """A tensor, and whether the question is only about NaN in it."""

    context: Context
    t: Any
    nan: bool

    @cached_property
    def failure(self) -> Finding | None:
        """What prevents a pass. A step is no fault as long as no pass fails."""
        found = self.context.find_failure(self.t)
        return None if found is None or found.topic == "by_step" else found

    @cached_property
    def is_term(self) -> bool:
        """Whether it can be a loss, or a term of one."""
        return self.t.numel() == 1 and not self.t.retains_grad

    @cached_property
    def is_loss(self) -> bool:
        return self.is_term and not self.context.has_results(self.t)


def explain_tensor(context: Context, t: Any, nan: bool) -> Finding:
    """Explain a tensor by the first of these answers."""
    question = Question(context, t, nan)
    found = (answer(question) for answer in ANSWERS)
    return next(each for each in found if each is not None)


def without_history(question: Question) -> Finding | None:
    """Explain a leaf: a loss that reaches no weight, or a prediction that is compared."""
    context, t = question.context, question.t
    if t.grad_fn is not None:
        return None
    silent = explain_silent(context, t) if t.requires_grad and t.numel() == 1 else None
    if not t.requires_grad and t.numel() > 1:
        silent = explain_silent(context, t, (COMPARISON,))
    return silent or explain_gradient(context, t)


def changed_in_place(question: Question) -> Finding | None:
    failure = question.failure
    return failure if failure is not None and failure.cause == "in_place" else None


def keeps_graphs(question: Question) -> Finding | None:
    return None if question.nan else explain_kept_graphs(question.context, question.t)


def not_finite(question: Question) -> Finding | None:
    """Explain a NaN. Freed tensors hide its source, which other values may still show."""
    context, t = question.context, question.t
    if not question.nan and nonfinite(t) and (found := explain_silent(context, t, (SWAPPED,))):
        return found
    finding = first_nonfinite(context, t, rehearse=question.nan)
    if finding.cause in ("nan_leaf", "values_finite"):
        finding = explain_late_nan(context, t, finding)
    elif finding.cause == "nan_value_about":
        finding = explain_known_fault(context, t, finding)
    return finding if question.nan or finding.cause != "values_finite" else None


def used_loss(question: Question) -> Finding | None:
    """Explain a loss whose graph is freed: its own pass has run, or one that it shares with."""
    context, t, failure = question.context, question.t, question.failure
    if failure is None or not question.is_loss:
        return None
    found = explain_silent(context, t) or explain_after_loop(context, t, failure)
    if found is not failure or failure.cause == "freed_part":
        return found
    evidence = Evidence.afterwards(context, t)
    if failure.cause == "freed_shared":
        other = getattr(failure.sentences[0], "parts", {}).get("other", "")
        if walks_from(evidence, str(other)):
            return failure
    return explain_finished(context, t, evidence) or failure


def term_of_loss(question: Question) -> Finding | None:
    """Explain why a program does not learn by the loss that the tensor is a term of."""
    context, term = question.context, question.t
    for root in context.tensors if question.failure is not None and question.is_term else ():
        whole = root is not term and root.numel() == 1 and root.grad_fn is not None
        if whole and context.depends_on(root, term) and not context.has_results(root):
            return explain_silent(context, root)
    return None


def loss_after_training(question: Question) -> Finding | None:
    """Explain a loss whose graph is kept, or a later one, by the loop of the training."""
    context, t = question.context, question.t
    if (
        question.nan
        or question.failure is not None
        or not question.is_term
        or (t.is_leaf and t.requires_grad)
    ):
        return None
    evidence = Evidence.afterwards(context, t)
    if not evidence.stepping or not any(s.loops for s in evidence.passes):
        return None
    if walks_from(evidence, context.name(t)):
        return explain_silent(context, t, RETAINED) if t.requires_grad else None
    found = explain_silent(context, t, OF_TRAINING)
    if found is not None or not is_validation(evidence):
        return found
    found = explain_silent(context, t, (MODE, SCALE))
    if found is not None or not question.is_loss or t.grad_fn is None:
        return found
    where = context.where(context.node_line(t.grad_fn))
    return context.finding_in(t, "not_walked", t=context.name(t), where=where)


RETAINED = (computed_before.RULE,)
OF_TRAINING = tuple(rule for rule in RULES if rule.key in OF_PROGRAMS)


def loss_not_walked(question: Question) -> Finding | None:
    """Explain why no pass has started from a loss, if an optimizer waits for one."""
    variables = question.context.variables.values()
    if question.failure is None and question.is_loss and any(map(is_optimizer, variables)):
        return explain_silent(question.context, question.t, (NO_PASS, LOSSES))
    return None


def its_gradient(question: Question) -> Finding | None:
    return explain_gradient(question.context, question.t)


ANSWERS: tuple[Callable[[Question], Finding | None], ...] = (
    loss_after_training,
    without_history,
    changed_in_place,
    keeps_graphs,
    not_finite,
    used_loss,
    term_of_loss,
    loss_not_walked,
    its_gradient,
)


def explain_silent(context: Context, loss: Any, rules: tuple[Rule, ...] = RULES) -> Finding | None:
    """Explain why a program that raised nothing does not learn by this loss."""
    for rule, match in matches(Evidence.afterwards(context, loss), rules):
        sentences = rule.sentences(match, context.language)
        shown = loss if loss.grad_fn is not None else None
        return Finding(rule.key, sentences, shown, list(match.culprits))
    return None


def explain_gradient(context: Context, t: Any, root: Any = None) -> Finding:
    """Explain the gradient of `t`, or why there is none from the result `root`."""
    finding = context.explain_gradient(t, root)
    sentences: list[str] = []
    fate, topic = UNKNOWN, ""
    if finding.cause == "not_reached" and root is not None:
        fate, sentences = explain_lost(context, t, root)
        topic = topic_of(fate)
        if not sentences and len(finding.sentences) == 1:
            finding.sentences += explain_rebound(context, t, root)
        if not sentences and len(finding.sentences) == 1:
            sentences = explain_late_request(context, t, root)
            topic = "cut_off" if sentences else ""
    elif finding.cause == "not_required" and context.find_alias(t) is None:
        topic, sentences = explain_no_history(context, t)
        if read := number_to_read(context, t, sentences):
            topic, sentences = "", [read]
    elif finding.cause == "retained" and (asked := context.program.calls("retain_grad")):
        parts = {"line": context.line(asked[-1]), "t": context.name(t)}
        finding.sentences.append(context.say("cure_retained", **parts))
    elif finding.cause == "not_floating":
        return explain_not_floating(context, t, finding)
    elif finding.cause == "nan_in_grad":
        return explain_nan_gradient(context, t, finding)
    elif finding.lost is not None and len(finding.sentences) == 1:
        unrecorded = explain_unrecorded(context, finding.lost)
        finding.sentences += unrecorded or explain_no_history(context, finding.lost)[1]
    if sentences:
        finding.sentences[1:] = sentences
        finding.topic = topic
    elif root is None and finding.cause in ("not_called", "never_used"):
        for other in other_roots(context, t):  # the pass went elsewhere
            elsewhere = explain_gradient(context, t, other)
            if elsewhere.topic:
                return elsewhere
    finding = refine(context, t, finding, fate.kind)
    if t.is_leaf and len(finding.sentences) == 1 and finding.cause in NO_REASON:
        found = explain_rule(context, t, finding, root)
        if found is finding and finding.cause == "never_used":
            if (cleared := explain_cleared(context, t, finding)) is not finding:
                return cleared
            return explain_unused_part(context, t, finding)
        if found is finding and finding.cause == "taken_away":
            return explain_unwalked(context, t, finding)
        return found
    return finding
