"""The ordered table of rules about errors: the first that matches is the answer."""

from __future__ import annotations

from ...model.program_text import Statement
from ..causes import Context, Finding
from . import batch_norm, embedding, features, recurrent, unfinished
from .raised import Raised
from .rule import ErrorRule

ERRORS: tuple[ErrorRule, ...] = (
    features.UNFLATTENED,
    features.NO_FLATTEN,
    features.UNBATCHED,
    features.TRANSPOSED,
    features.FEATURES,
    features.IMAGES,
    features.FACTORS,
    embedding.NEGATIVE,
    embedding.RULE,
    embedding.FLOATS,
    batch_norm.LAST_BATCH,
    batch_norm.ONE_SAMPLE,
    batch_norm.FEATURES,
    batch_norm.DIMENSIONS,
    recurrent.IN_SEQUENCE,
    recurrent.STORED,
    recurrent.DIRECT,
    recurrent.NO_PAIR,
    recurrent.UNPACKED,
    recurrent.FEATURES,
    recurrent.STATE,
    unfinished.SUPER,
    unfinished.MISSPELLED,
    unfinished.NESTED,
    unfinished.LIST_CALLED,
    unfinished.NO_FORWARD,
    unfinished.NO_INSTANCE,
    unfinished.NO_SELF,
    unfinished.ARGUMENTS,
)

CHAPTERS = {rule.key: rule.chapter for rule in ERRORS if rule.chapter}


def explain_by_rules(
    context: Context, error: BaseException, line: Statement | None
) -> Finding | None:
    """Explain an error by the first rule that matches, or return None."""
    if line is None:
        return None
    raised = Raised(context, error, line)
    for rule in ERRORS:
        if (match := rule.explain(raised)) is not None:
            return Finding(rule.key, rule.sentences(match, context.language))
    return None
