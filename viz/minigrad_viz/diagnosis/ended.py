"""Sentences about a history that ended: the step that ended it, and what to write instead.

history.py finds the step. A cure is named only where the step is the whole cause. Where the program
could mean several things, the answer names them and leaves the choice.
"""

from __future__ import annotations

import ast
import contextlib
import re
from dataclasses import replace
from typing import Any

from ..model.frame_locals import scopes_of
from ..model.program_text import Statement, assigned
from .causes import UNNAMED, Context, Finding
from .fate import UNKNOWN, Cut, Fate
from .history import History
from .learners import (
    bare_learners,
    copies_of_parameters,
    likely_weights,
    making_line,
    requiring,
)
from .lessons import CHAPTER_OF
from .syntax import calls_in, last_name, root_of_pass, subject_of, updates_with
from .syntax import names_in as names_used


def explain_no_graph(context: Context, root: Any) -> Finding:
    """Explain why a backward pass cannot start at `root`, which has no history."""
    finding = Finding("no_graph", [context.say("no_graph", root=context.name(root))])
    sentences: list[str] = []
    if root.is_floating_point():
        with contextlib.suppress(RecursionError):  # an expression of a thousand terms
            sentences = explain_bare_learners(context, root)
    if sentences:
        finding.topic = "not_required"
        finding.sentences += sentences
        return finding
    # The tensor may be in the frame that calls explain().
    for places in (context.running, context.places):
        if not sentences:
            history = History(lambda tensor: bool(tensor.requires_grad), places)
            fate = history.fate_of_root(context.name(root))
            if fate.kind == "cut" or root.is_floating_point():
                sentences = describe(context, history, fate)
            finding.topic = topic_of_root(fate) if sentences else ""
    if sentences:
        finding.sentences += sentences
    elif not root.is_floating_point():
        dtype = str(root.dtype).rpartition(".")[2]
        finding.sentences.append(
            context.say("root_not_floating", root=context.name(root), dtype=dtype)
        )
    else:
        other = context.find_alias(root)
        if other is not None or (hasattr(root, "is_inference") and root.is_inference()):
            finding.sentences += context.explain_origin(root, finding)
        else:
            finding.sentences.append(context.say("ended_somewhere", root=context.name(root)))
    return finding


def explain_bare_learners(context: Context, root: Any) -> list[str]:
    """Explain a root whose weights do not require grad, if no other step ended its history."""
    for places in (context.running, context.places):
        history = History(lambda tensor: bool(tensor.requires_grad), places)
        fate = history.fate_of_root(context.name(root))
        if fate.kind == "cut" or fate.frozen:
            return []
    if copies := copies_of_parameters(context, root):
        parts = {"names": join(context, [name for name, _ in copies])}
        parts["others"] = join(context, [other for _, other in copies])
        return [context.say("copies_of_parameters", **parts), context.say("cure_copies", **parts)]
    sentences = []
    for name in bare_learners(context, root):
        made = making_line(context, name)
        instead = requiring(made, name) or f"{name}.requires_grad_()"
        sentences.append(context.say("bare_weight", t=name, where=context.where(made)))
        sentences.append(context.say("cure_bare_weight", instead=instead))
    return sentences or explain_likely_weights(context, root)


def explain_likely_weights(context: Context, root: Any) -> list[str]:
    """Explain a root whose plain tensors include some that are called as weights are."""
    names = likely_weights(context, root)
    if not names:
        return []
    cures = []
    for name in names:
        made = making_line(context, name)
        instead = requiring(made, name) or f"{name}.requires_grad = True"
        cures.append(f"`{instead}`{context.where(made)}")
    parts = {"names": join(context, names), "instead": context.say("and").join(cures)}
    return [context.say("likely_weights", **parts), context.say("cure_likely_weights", **parts)]


def join(context: Context, names: list[str]) -> str:
    return context.say("and").join(f"`{name}`" for name in names)


def topic_of_root(fate: Fate) -> str:
    """Return the step that ended the history of a root, or "frozen"."""
    if fate.cuts:
        return fate.cuts[0].key
    return "frozen" if fate.frozen else ""


def topic_of(fate: Fate) -> str:
    """Return the step that ended a history if a lesson covers it, or "cut_off"."""
    key = fate.cuts[0].key if fate.cuts else ""
    return key if key in CHAPTER_OF else "cut_off"


def explain_lost(context: Context, t: Any, root: Any) -> tuple[Fate, list[str]]:
    """Explain why the graph of `root` does not lead to `t`: the fate and the sentences."""

    def leads(tensor: Any) -> bool:
        return tensor is t or bool(tensor.requires_grad and context.reaches(tensor, t))

    if context.name(root) == UNNAMED:
        return UNKNOWN, []
    history = History(leads, context.running, leaves=False)
    fate = history.fate_of_variable(context.name(root))
    return fate, describe(context, history, fate) if fate.kind == "cut" else []


def explain_no_history(context: Context, t: Any) -> tuple[str, list[str]]:
    """Explain why `t` has no history, or which lines froze it if it is a parameter.

    Returns:
        The topic and the sentences.
    """
    history = History(lambda tensor: bool(tensor.requires_grad), context.running)
    if type(t).__name__ == "Parameter":
        by = quote_lines(context, history.freezing_lines())
        sentence = context.say("frozen_parameter" if by else "frozen", lines=by)
        return "frozen", [sentence, context.say("cure_frozen")]
    name = context.name(t)
    fate = history.fate_of_variable(name)
    if fate.kind == "unknown" and name.isidentifier():
        fate = history.fate_of_result(t)
    if fate.kind == "cut":
        return topic_of(fate), describe(context, history, fate)
    # Name the inputs of a computed tensor: requires_grad on the result itself cures nothing.
    if fate.kind == "plain" and name not in {each for each, _ in fate.plain}:
        return "frozen" if fate.frozen else "", describe(context, history, fate)
    return "", []


def explain_not_floating(context: Context, t: Any, finding: Finding) -> Finding:
    """Explain what to do about an integer tensor.

    If an earlier step made the integers from floating-point values, a cast brings no history back.
    """
    history = History(lambda tensor: bool(tensor.requires_grad), context.running)
    name = context.name(t)
    fate = history.fate_of_variable(name)
    made = {each for each, _ in fate.plain}
    if fate.kind == "cut":
        finding.sentences += describe(context, history, fate)
        finding.topic = topic_of(fate)
    elif fate.kind == "plain" and made and name not in made:
        names = context.say("and").join(f"`{each}`" for each in sorted(made))
        where = context.say("made_in", lines=quote_lines(context, [at for _, at in fate.plain][:4]))
        finding.sentences.append(context.say("computed_of_integers", names=names, where=where))
    elif name in made:
        finding.sentences.append(context.say("cure_not_floating", t=name))
    else:
        finding.sentences.append(context.say("cure_not_floating_either", t=name))
    return finding


def explain_rebound(context: Context, t: Any, root: Any) -> list[str]:
    """Explain that `root` was computed from another tensor that was then called `t`."""
    name, statements = context.name(t), context.program.statements
    making = context.program.assignment(context.name(root))
    given = context.program.assignment(name)
    if making is None or given is None or making.loops or given.loops:
        return []
    made = max(i for i, s in enumerate(statements) if s == making)
    last = max(i for i, s in enumerate(statements) if s == given)
    before = any(name in assigned(s.tree) for s in statements[:made])
    if last < made or not before or name not in names_used(getattr(making.tree, "value", None)):
        return []
    parts = {"t": name, "root": context.name(root)}
    return [context.say("rebound", line=context.line(making), since=context.line(given), **parts)]


def explain_late_request(context: Context, t: Any, root: Any) -> list[str]:
    """Explain that `root` was computed from `t` before `t` was told to require grad."""
    name, statements = context.name(t), context.program.statements
    asking = re.compile(rf"(?<![\w.]){re.escape(name)}\.requires_grad(_\(| *= *True)")
    asked = [i for i, s in enumerate(statements) if asking.search(s.text)]
    made = [i for i, s in enumerate(statements) if context.name(root) in assigned(s.tree)]
    if not asked or not made or made[-1] > asked[-1] or statements[asked[-1]].loops:
        return []
    for statement in statements[made[-1] :: -1]:
        if name in names_used(getattr(statement.tree, "value", None)):
            parts = {"t": name, "line": context.line(statement)}
            parts["asked"] = context.line(statements[asked[-1]])
            return [context.say("asked_late", **parts), context.say("cure_asked_late", **parts)]
    return []


def explain_unrecorded(context: Context, t: Any) -> list[str]:
    """Name the mode in which `t` was computed, if that is why it has no history."""
    history = History(lambda tensor: bool(tensor.requires_grad), context.running)
    fate = history.fate_of_variable(context.name(t))
    jumps = not t.is_floating_point()
    off = fate.kind == "cut" and (jumps or fate.cuts[0].key in ("in_block", "decorated"))
    return describe(context, history, fate) if off else []


def describe(context: Context, history: History, fate: Fate) -> list[str]:
    fate = replace(fate, frozen=tuple(f for f in fate.frozen if id(f[1]) not in fate.passed))
    frozen = {id(module): module for _, module in fate.frozen}
    if fate.kind == "cut" and frozen:
        where = quote_lines(context, history.freezing_lines())
        both = {
            "names": frozen_names(fate),
            "where": where and context.say("frozen_by", lines=where),
        }
        cut = describe_cut(context, fate.cuts[0])[0]
        return [context.say("all_frozen", **both), context.say("cut_too", cut=cut)]
    if fate.kind == "cut":
        first, *others = fate.cuts
        sentences = [*describe_cut(context, first)]
        others = [c for c in others if not c.what.endswith(".backward()")]
        if others := [c for c in others if c.statement != first.statement]:
            sentences.append(
                context.say("ended_also", lines=quote_lines(context, [c.statement for c in others]))
            )
        if first.later:
            sentences.append(context.say("ended_again", lines=quote_lines(context, first.later)))
        return sentences
    if fate.kind != "plain":
        return []
    if frozen:
        freezing = history.freezing_lines()
        where = context.say("frozen_by", lines=quote_lines(context, freezing)) if freezing else ""
        names = frozen_names(fate)
        return [context.say("all_frozen", names=names, where=where), context.say("cure_frozen")]
    if not fate.plain:
        return []
    made = context.say("made_in", lines=quote_lines(context, [at for _, at in fate.plain][:4]))
    called = list(dict.fromkeys(f"`{name}`" for name, _ in fate.plain))[:4]
    cure = context.say("cure_plain", t=fate.plain[0][0])
    if len(called) > 1 or not fate.plain[0][0].isidentifier():
        cure = context.say("cure_plain_one_of")
    return [context.say("all_plain", names=context.say("and").join(called), where=made), cure]


def frozen_names(fate: Fate) -> str:
    return ", ".join(dict.fromkeys(f"`{name}`" for name, _ in fate.frozen))


def quote_lines(context: Context, statements: Any) -> str:
    return context.say("and").join(context.line(each) for each in dict.fromkeys(statements))


def describe_cut(context: Context, cut: Cut) -> list[str]:
    """Describe the step that ended the history, and its cure."""
    library, module = find_library(context)
    parts = {"line": context.line(cut.statement), "what": cut.what, "other": cut.other or "?"}
    parts |= {
        "instead": cut.instead,
        "library": library,
        "block": cut.statement.block or cut.statement.doubtful,
    }
    if cut.key == "decorated":
        at = cut.statement
        parts["mode"] = context.line(replace(at, text=at.block, line=at.decorator))
    if cut.key == "cut_number" and cut.what.startswith("math."):
        own = cut.what.removeprefix("math.").removesuffix("()")
        if hasattr(module, own):
            parts["instead"] = f"{library}.{own}()"
            return [context.say(cut.key, **parts), context.say("cure_cut_math", **parts)]
    sentences = [context.say(cut.key, **parts)]
    if cut.key == "cut_detach" and (use := use_after_pass(context, cut)) is not None:
        parts["name"], parts["use"] = min(assigned(cut.statement.tree)), context.line(use)
        return [*sentences, context.say("cure_cut_detach_used", **parts)]
    given = assigned(cut.statement.tree)
    others = [*updates_with(context.program.statements, cut.statement).values()]
    if cut.key == "new_weight":
        parts["instead"] = join(context, others or [cut.instead])
    if updated := [name for name in sorted(given) if f"{name}.grad" in cut.statement.text]:
        if cut.key in ("cut_numpy", "cut_detach", "cut_data", "cut_copied", "cut_number"):
            rate = "lr" if "lr" in context.variables else "0.1"
            plain = [f"{name} -= {rate} * {name}.grad" for name in updated]
            cure = context.say("cure_update", t=updated[0], instead=join(context, others or plain))
            return [*sentences, cure]
    cure = f"cure_{cut.key}"
    if cut.key == "in_block" and (written := in_other_case(context, str(parts["block"]))):
        return [*sentences, context.say("cure_other_case", **written)]
    if cut.key == "cut_indices" and (scores := scores_behind(context, cut.other)):
        parts["scores"] = scores
        return [*sentences, context.say("cure_cut_indices_scores", **parts)]
    if cut.key == "cut_numpy" and hasattr(module, cut.instead.partition("(")[0]):
        cure = "cure_cut_numpy_by"
    sentences.append(context.say(cure, **parts))
    return sentences


def in_other_case(context: Context, block: str) -> dict[str, object]:
    """Return the cure for `set_grad_enabled(phase == "train")` of a phase "Train", or nothing."""
    for node in ast.walk(ast.parse(f"{block}: pass")):
        if not isinstance(node, ast.Compare) or not isinstance(node.left, ast.Name):
            continue
        value, other = context.variables.get(node.left.id), node.comparators[0]
        if isinstance(value, str) and isinstance(other, ast.Constant) and value != other.value:
            if value.lower() == str(other.value).lower() and isinstance(node.ops[0], ast.Eq):
                cure = ast.unparse(node).replace(repr(other.value), repr(value))
                return {"name": node.left.id, "value": repr(value), "cure": cure}
    return {}


def scores_behind(context: Context, text: str) -> str:
    """Return the scores in the text of a softmax, or in the line that makes a variable of one."""
    made = context.program.assignment(text) if text.isidentifier() else None
    tree = getattr(made.tree, "value", None) if made is not None else None
    if tree is None:
        with contextlib.suppress(SyntaxError, ValueError):
            tree = ast.parse(text, mode="eval").body
    if isinstance(tree, ast.Call) and last_name(tree) in ("softmax", "log_softmax"):
        return subject_of(tree)
    return ""


def use_after_pass(context: Context, cut: Cut) -> Statement | None:
    """Return the last use of a detached variable, if an earlier use already had its own pass.

    A generator's samples are such: with their history, the first pass would free it for the second.
    """
    names, at = assigned(cut.statement.tree), cut.statement
    value = getattr(at.tree, "value", None)
    if len(names) != 1 or not (isinstance(value, ast.Call) and ast.unparse(value) == cut.what):
        return None
    lines = [s for s in context.program.statements if s.loops == at.loops and s.line > at.line]
    uses = [i for i, s in enumerate(lines) if names & names_used(s.tree) and assigned(s.tree)]
    walked = [i for i, s in enumerate(lines) if any(root_of_pass(c) for c in calls_in(s.tree))]
    between = uses and any(uses[0] <= i < uses[-1] for i in walked)
    return lines[uses[-1]] if between and "(" in cut.other else None


def module_names(context: Context) -> dict[str, str]:
    """Return the names by which the program calls the library, its `nn` and `nn.functional`."""
    library, module = find_library(context)
    known = context.variables
    nn = "nn" if known.get("nn") is module.nn else f"{library}.nn"
    functional = "F" if known.get("F") is module.nn.functional else f"{nn}.functional"
    return {"library": library, "nn": nn, "functional": functional}


def find_library(context: Context) -> tuple[str, Any]:
    """Return the name that the program gives its library, and the library."""
    library = context.library()
    texts = [names_used(s.tree) for s in context.program.statements]
    for frame, _ in [*reversed(context.running), *reversed(context.places)]:
        for scope in scopes_of(frame):
            names = [n for n, v in scope.items() if v is library and not n.startswith("_")]
            if names:  # of several names, the one that the program uses
                return max(names, key=lambda n: sum(n in text for text in texts)), library
    return library.__name__, library
