"""A weight that does not learn: a rule about its loss, or a pass that went elsewhere, tells why.

The gradient of a weight says what arrived. The loss, the optimizers and the text say why.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..model.program_text import assigned, receivers
from .causes import Context, Finding
from .evidence import sequence_of, state_of
from .reachable import held_by, is_optimizer
from .rules.evidence import Evidence, modules_in_lists
from .rules.table import matches
from .silent import find_storing_line
from .syntax import calls_in, names_in, root_of_pass

NOTHING_LEARNS = 3
"""The severity of rules by which nothing is learned."""

WRONG_SLOPE = "gradient_left_out"

MISSING = ("never_used", "taken_away", "not_called", "not_called_or_taken")
"""Causes of a gradient that is not there."""

NO_REASON = ("has_grad", "zero_grad", *MISSING)
"""Causes that do not say why a tensor does not learn."""


def losses_of(context: Context, t: Any) -> list[Any]:
    """Return the scalar results that have names, the newest first; or others that lead to `t`."""
    found = [x for x in context.tensors if x.grad_fn is not None and x.numel() == 1]
    found = sorted(found, key=lambda x: sequence_of(x.grad_fn), reverse=True)
    return found or context.find_roots(t)


def other_roots(context: Context, t: Any) -> list[Any]:
    """Return results through which a pass has gone, and that do not depend on `t`."""
    walked = {name for s in context.program.statements for name in receivers(s, "backward")}
    results = [x for x in context.tensors if x.grad_fn is not None]
    marked = [x for x in context.tensors if x.grad_fn is None and x.grad is not None]
    return [x for x in marked if x.numel() == 1 and context.name(x) in walked] + [
        x
        for x in results
        if (context.name(x) in walked or state_of(context.operations(x)) == "freed")
        and not context.depends_on(x, t)
        and not context.has_results(x)
    ]


def explain_rule(context: Context, t: Any, finding: Finding, root: Any = None) -> Finding:
    """Return the finding of a rule that says why the leaf `t` does not learn by a loss."""
    for loss in [root] if root is not None else losses_of(context, t)[:1]:
        evidence = Evidence.afterwards(context, loss)
        names = {f"`{name}`" for name in paths_of(evidence, t)}
        for rule, match in matches(evidence):
            wrong = rule.wrong(match, "en")
            about = any(name in wrong for name in names)
            counts = rule.severity == NOTHING_LEARNS or rule.key == WRONG_SLOPE
            behind = counts and context.depends_on(loss, t)
            if not about and not (behind and matters(rule.key, finding.cause)):
                continue
            sentences = rule.sentences(match, context.language)
            if finding.cause == "has_grad" or finding.cause == "zero_grad":
                sentences = [finding.sentences[0], *sentences]
                return Finding(finding.cause, sentences, loss, [*match.culprits])
            return Finding(rule.key, sentences, loss, [*match.culprits])
    return finding


OF_ZERO = ("zero_start", "zero_backward", "dropped_units", "dead_units", "flat_output",
           "one_class", "centred", "constant_sum", "same_pair")  # fmt: skip
"""Rules that explain a gradient of zeros."""


def matters(key: str, cause: str) -> bool:
    """Return whether a rule about a whole program can explain what is known of one weight."""
    zero = cause == "zero_grad" or (cause == "has_grad" and key == "constant_sum")
    return (key in OF_ZERO) == zero


def paths_of(evidence: Evidence, t: Any) -> Iterator[str]:
    """Yield the expressions that reach a tensor: `net.layers[0].weight`, `net.layers[0]`."""
    yield evidence.context.name(t)
    yield evidence.name(t)
    for name, module in evidence.modules:
        inside = [(name, module)]
        inside += [(f"{name}.{path}", each) for path, each in modules_in_lists(module)]
        for start, each in inside:
            for path, parameter in each.named_parameters():
                if parameter is t:
                    whole = f"{start}.{path}"
                    yield whole
                    while "." in (whole := whole.rpartition(".")[0]):
                        yield from (whole, whole.partition("[")[0])
        for attribute, value in vars(module).items():
            if value is t:
                yield f"{name}.{attribute}"


def explain_cleared(context: Context, t: Any, finding: Finding) -> Finding:
    """Explain a gradient that a line has cleared since the pass of a loss without a name.

    The optimizer's state shows that there was one, or all of its weights are without gradients.
    """
    cleared = context.program.clears(context.name(t))
    if not cleared:
        return finding
    walked = any(
        root_of_pass(call) for s in context.program.statements for call in calls_in(s.tree)
    )
    for optimizer in filter(is_optimizer, context.variables.values()):
        held = held_by(optimizer)
        if not any(each is t for each in held):
            continue
        unnamed = walked and len(held) > 1 and all(each.grad is None for each in held)
        if optimizer.state.get(t) or unnamed:
            parts = {"t": context.name(t), "line": context.line(cleared[-1])}
            sentences = [context.say("cleared_since", **parts)]
            sentences.append(context.say("cure_cleared_since", **parts))
            return Finding("cleared_since", sentences)
    return finding


def explain_unused_part(context: Context, t: Any, finding: Finding) -> Finding:
    """Name the line of `__init__` that made a part of a module which `forward` does not use."""
    evidence = Evidence.afterwards(context, None)
    for path in paths_of(evidence, t):
        if (made := find_storing_line(context, path)) is not None:
            finding.sentences.append(context.say("made_for_module", line=context.line(made)))
            return finding
    return finding


def explain_unwalked(context: Context, t: Any, finding: Finding) -> Finding:
    """Explain a loss that leads to `t` and from which no pass has started, though others have.

    A pass frees the newest operation first, so that one tells where passes have started.
    """
    for root in losses_of(context, t):
        nodes = sorted(context.operations(root), key=sequence_of)
        if not context.reaches(root, t) or not nodes or state_of(nodes[-1:]) != "kept":
            continue
        evidence = Evidence.afterwards(context, root)
        name = context.name(root)
        passes = [s for s in evidence.passes if name not in receivers(s, "backward")]
        if not passes or len(passes) != len(evidence.passes):
            return finding
        line = context.line(passes[-1])
        parts = {"t": context.name(t), "root": name, "line": line}
        sentences = [context.say("walked_elsewhere", **parts)]
        start = min(receivers(passes[-1], "backward"), default="")
        made = [s for s in evidence.lines if start in assigned(s.tree)]
        if made and names_in(getattr(made[-1].tree, "value", None)):
            parts |= {"start": start, "made": context.line(made[-1])}
            sentences.append(context.say("cure_walked_elsewhere", **parts))
        return Finding("walked_elsewhere", sentences, root, finding.culprits)
    return finding
