"""The answer about an error that no rule knows: the line, and the tensors that it reads."""

from __future__ import annotations

from ...model.program_text import Statement
from ..causes import Context, Finding
from .raised import UNSEEN, Raised, dtype_text, size_text
from .table import ERRORS

QUOTED = ("unknown_error", "unseen_error")
"""The causes of answers that only quote the error."""

MOST_CAUSES = 3
"""Causes to name for a message, if the program's text is nowhere."""

MOST = 4
"""Tensors to describe."""


def explain_unknown(context: Context, error: BaseException, line: Statement | None) -> Finding:
    """Quote the error and its line, with the shapes and dtypes of the tensors in it."""
    raised = Raised(context, error, line or UNSEEN)
    kind, message = type(error).__name__, raised.message
    text = f"{kind}: {' '.join(message.split()).rstrip(' .')}" if message else kind
    titles = [r.title(context.language) for r in ERRORS if line is None and raised.match(r.message)]
    if 0 < len(titles) <= MOST_CAUSES:
        parts = {"error": text, "causes": context.say("or").join(titles)}
        return Finding("unseen_error", [context.say("unseen_error", **parts)])
    finding = Finding("unknown_error", [context.say("unknown_error", error=text)])
    if line is None:
        return finding
    finding.sentences.append(context.say("raised_at", line=context.line(line)))
    if described := describe_operands(raised):
        finding.sentences.append(context.say("operands", tensors=described))
    return finding


def describe_operands(raised: Raised) -> str:
    """Return "`x`: (2, 3), float32" for the tensors of the line, or what the inner module got."""
    found = list(raised.operands.items())
    if not found and raised.inner is not None and raised.inner.given is not None:
        found = [(f"{raised.name_of(raised.inner.module)}(...)", raised.inner.given)]
    said = [f"`{name}`: {size_text(t)}, {dtype_text(t)}" for name, t in found[:MOST]]
    return "; ".join(said)
