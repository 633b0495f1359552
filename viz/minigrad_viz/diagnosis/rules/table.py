"""The ordered table of rules: the first that matches is the answer.

The order is by severity. Where two rules match one program, the more precise declares `before=` the
other. `before` may also name kinds of diagnosis/findings.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from . import (
    accumulation,
    alike_outputs,
    alike_units,
    broadcast_loss,
    centred,
    clearing,
    constant_penalty,
    copied_loss,
    copied_parameters,
    data_shapes,
    dead_units,
    detached_state,
    dropped_units,
    evaluation_mode,
    faded,
    first_loss,
    flat_output,
    kl_of_probabilities,
    large_steps,
    last_batch,
    limited_output,
    loss_of_itself,
    misplaced_clip,
    misspelled,
    not_reached,
    one_class,
    optimizer,
    outside_labels,
    parentheses,
    probabilities,
    rebound_parameter,
    same_batch,
    settings,
    shared_layers,
    shuffled_apart,
    softmax_dimension,
    undone,
    unused_batch,
    uphill,
    zero_backward,
    zero_start,
)
from .evidence import Evidence
from .rule import Match, Rule

RULES: tuple[Rule, ...] = (
    parentheses.RULE,
    copied_loss.RULE,
    rebound_parameter.RULE,
    copied_parameters.RULE,
    clearing.BETWEEN,
    optimizer.PLAIN_LIST,
    optimizer.OTHER_TENSORS,
    optimizer.NEVER_STEPS,
    optimizer.STEP_SKIPPED,
    undone.NO_RATE,
    optimizer.TINY_RATE,
    large_steps.RULE,
    undone.LOADED,
    settings.IDLE_GROUP,
    settings.CLIP,
    settings.DECAY,
    settings.MAXIMIZE,
    uphill.RULE,
    not_reached.RULE,
    broadcast_loss.RULE,
    shuffled_apart.RULE,
    data_shapes.CUT_OFF,
    probabilities.NO_LOGARITHM,
    outside_labels.RULE,
    kl_of_probabilities.RULE,
    one_class.RULE,
    dropped_units.RULE,
    loss_of_itself.RULE,
    limited_output.RULE,
    centred.RULE,
    zero_start.RULE,
    zero_backward.RULE,
    dead_units.RULE,
    flat_output.RULE,
    faded.RULE,
    alike_outputs.RULE,
    alike_units.RULE,
    probabilities.RULE,
    softmax_dimension.RULE,
    clearing.NEVER,
    accumulation.RULE,
    last_batch.RULE,
    misplaced_clip.RULE,
    zero_backward.LEFT_OUT,
    misspelled.RULE,
    shared_layers.RULE,
    constant_penalty.RULE,
    detached_state.RULE,
    data_shapes.VIEW,
    data_shapes.BATCH,
    same_batch.RULE,
    unused_batch.RULE,
    evaluation_mode.RULE,
    first_loss.RULE,
)


CHAPTERS = {rule.key: rule.chapter for rule in RULES}


def matches(evidence: Evidence) -> Iterator[tuple[Rule, Match]]:
    """Yield the rules that match, in order, without those that a match says more about."""
    hidden: set[str] = set()
    for rule in RULES:
        if rule.key not in hidden and (match := rule.find(evidence)) is not None:
            hidden |= {*rule.before}
            yield rule, match
