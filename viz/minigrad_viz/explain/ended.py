"""What is said of a history that ended: the step that ended it, and what to write in its place.

history.py finds the step. A cure is named only where the step itself is the whole cause: where the
program could mean several things, the answer names them and leaves the choice.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..model.frame_locals import scopes_of
from ..model.program import assigned
from .causes import UNNAMED, Case, Finding
from .fate import UNKNOWN, Cut, Fate
from .history import History
from .lessons import CHAPTER_OF
from .syntax import names_in as names_used


def no_graph(case: Case, root: Any) -> Finding:
    """Why a backward pass cannot start at `root`, which has no history."""
    finding = Finding("no_graph", [case.say("no_graph", root=case.name(root))])
    said: list[str] = []
    for places in (case.running, case.places):  # what has no history may be of the frame that asks
        if not said:
            history = History(lambda tensor: bool(tensor.requires_grad), places)
            fate = history.of_root(case.name(root))
            if fate.kind == "cut" or root.is_floating_point():
                said = sentences(case, history, fate)
            finding.about = fate.cuts[0].key if said and fate.cuts else ""
    if said:
        finding.sentences += said
    elif not root.is_floating_point():
        dtype = str(root.dtype).rpartition(".")[2]
        finding.sentences.append(case.say("root_not_floating", root=case.name(root), dtype=dtype))
    else:
        other = case.same_numbers(root)
        if other is not None or (hasattr(root, "is_inference") and root.is_inference()):
            finding.sentences += case.origin(root, finding)
        else:
            finding.sentences.append(case.say("ended_somewhere", root=case.name(root)))
    return finding


def about(fate: Fate) -> str:
    """What an ended history comes down to: the step that ended it, where a lesson is about it."""
    key = fate.cuts[0].key if fate.cuts else ""
    return key if key in CHAPTER_OF else "cut_off"


def lost(case: Case, t: Any, root: Any) -> tuple[Fate, list[str]]:
    """Why the graph of `root` does not lead to `t`: what the text says became of the history, and
    that in words.
    """

    def leads(tensor: Any) -> bool:
        return tensor is t or bool(tensor.requires_grad and case.reaches(tensor, t))

    if case.name(root) == UNNAMED:
        return UNKNOWN, []
    history = History(leads, case.running, leaves=False)
    fate = history.of_variable(case.name(root))
    return fate, sentences(case, history, fate) if fate.kind == "cut" else []


def without_history(case: Case, t: Any) -> tuple[str, list[str]]:
    """Why the tensor `t` has no history, or, if it is a parameter, who has frozen it: what it comes
    down to, and that in words.
    """
    history = History(lambda tensor: bool(tensor.requires_grad), case.running)
    if type(t).__name__ == "Parameter":
        by = lines(case, history.freezing())
        said = case.say("frozen_parameter" if by else "frozen", lines=by)
        return "cut_off", [said, case.say("cure_frozen")]
    name = case.name(t)
    fate = history.of_variable(name)
    if fate.kind == "cut":
        return about(fate), sentences(case, history, fate)
    # Of what was computed, that from which it was: to ask it for a gradient itself cures nothing.
    if fate.kind == "plain" and name not in {each for each, _ in fate.plain}:
        return "", sentences(case, history, fate)
    return "", []


def not_floating(case: Case, t: Any, finding: Finding) -> Finding:
    """What there is to do about a tensor that holds whole numbers: a step before may have made them
    of others, and then to convert it back brings no history.
    """
    history = History(lambda tensor: bool(tensor.requires_grad), case.running)
    name = case.name(t)
    fate = history.of_variable(name)
    made = {each for each, _ in fate.plain}
    if fate.kind == "cut":
        finding.sentences += sentences(case, history, fate)
        finding.about = about(fate)
    elif fate.kind == "plain" and made and name not in made:
        names = case.say("and").join(f"`{each}`" for each in sorted(made))
        where = case.say("made_in", lines=lines(case, [at for _, at in fate.plain][:4]))
        finding.sentences.append(case.say("computed_of_integers", names=names, where=where))
    elif name in made:
        finding.sentences.append(case.say("cure_not_floating", t=name))
    else:
        finding.sentences.append(case.say("cure_not_floating_either", t=name))
    return finding


def rebound(case: Case, t: Any, root: Any) -> list[str]:
    """What is said where `root` was computed from another tensor that had the name of `t` then."""
    name, statements = case.name(t), case.program.statements
    making = case.program.assignment(case.name(root))
    given = case.program.assignment(name)
    if making is None or given is None or making.loops or given.loops:
        return []
    made = max(i for i, s in enumerate(statements) if s == making)
    last = max(i for i, s in enumerate(statements) if s == given)
    before = any(name in assigned(s.tree) for s in statements[:made])
    if last < made or not before or name not in names_used(getattr(making.tree, "value", None)):
        return []
    parts = {"t": name, "root": case.name(root)}
    return [case.say("rebound", line=case.line(making), since=case.line(given), **parts)]


def unrecorded(case: Case, t: Any) -> list[str]:
    """The mode in which `t` was computed, if that is why it has no history."""
    history = History(lambda tensor: bool(tensor.requires_grad), case.running)
    fate = history.of_variable(case.name(t))
    jumps = not t.is_floating_point()
    off = fate.kind == "cut" and (jumps or fate.cuts[0].key in ("in_block", "decorated"))
    return sentences(case, history, fate) if off else []


def sentences(case: Case, history: History, fate: Fate) -> list[str]:
    fate = replace(fate, frozen=tuple(f for f in fate.frozen if id(f[1]) not in fate.passed))
    frozen = {id(module): module for _, module in fate.frozen}
    if fate.kind == "cut" and frozen:
        where = lines(case, history.freezing())
        both = {"names": names_of(fate), "where": where and case.say("frozen_by", lines=where)}
        cut = step(case, fate.cuts[0])[0]
        return [case.say("all_frozen", **both), case.say("cut_too", cut=cut)]
    if fate.kind == "cut":
        first, *others = fate.cuts
        said = [*step(case, first)]
        others = [c for c in others if not c.what.endswith(".backward()")]
        if others := [c for c in others if c.statement != first.statement]:
            said.append(case.say("ended_also", lines=lines(case, [c.statement for c in others])))
        if first.later:
            said.append(case.say("ended_again", lines=lines(case, first.later)))
        return said
    if fate.kind != "plain":
        return []
    if frozen:
        freezing = history.freezing()
        where = case.say("frozen_by", lines=lines(case, freezing)) if freezing else ""
        names = names_of(fate)
        return [case.say("all_frozen", names=names, where=where), case.say("cure_frozen")]
    if not fate.plain:
        return []
    made = case.say("made_in", lines=lines(case, [at for _, at in fate.plain][:4]))
    called = list(dict.fromkeys(f"`{name}`" for name, _ in fate.plain))[:4]
    cure = case.say("cure_plain", t=fate.plain[0][0])
    if len(called) > 1 or not fate.plain[0][0].isidentifier():
        cure = case.say("cure_plain_one_of")
    return [case.say("all_plain", names=case.say("and").join(called), where=made), cure]


def names_of(fate: Fate) -> str:
    return ", ".join(dict.fromkeys(f"`{name}`" for name, _ in fate.frozen))


def lines(case: Case, statements: Any) -> str:
    return case.say("and").join(case.line(each) for each in dict.fromkeys(statements))


def step(case: Case, cut: Cut) -> list[str]:
    """The step that ended the history, and its cure."""
    library, module = library_of(case)
    parts = {"line": case.line(cut.statement), "what": cut.what, "other": cut.other or "?"}
    parts |= {
        "instead": cut.instead,
        "library": library,
        "block": cut.statement.block or cut.statement.doubtful,
    }
    if cut.key == "decorated":
        at = cut.statement
        parts["mode"] = case.line(replace(at, text=at.block, line=at.decorator))
    if cut.key == "cut_number" and cut.what.startswith("math."):
        own = cut.what.removeprefix("math.").removesuffix("()")
        if hasattr(module, own):
            parts["instead"] = f"{library}.{own}()"
            return [case.say(cut.key, **parts), case.say("cure_cut_math", **parts)]
    said = [case.say(cut.key, **parts)]
    given = assigned(cut.statement.tree)
    if updated := [name for name in sorted(given) if f"{name}.grad" in cut.statement.text]:
        if cut.key in ("cut_numpy", "cut_detach", "cut_data", "cut_copied", "cut_number"):
            return [*said, case.say("cure_update", t=updated[0])]
    cure = f"cure_{cut.key}"
    if cut.key == "cut_numpy" and cut.instead and hasattr(module, cut.instead):
        cure = "cure_cut_numpy_by"
    said.append(case.say(cure, **parts))
    return said


def library_of(case: Case) -> tuple[str, Any]:
    """The library that the reader's tensors are of, and what the program calls it."""
    library = case.library()
    texts = [names_used(s.tree) for s in case.program.statements]
    for frame, _ in [*reversed(case.running), *reversed(case.places)]:
        for scope in scopes_of(frame):
            names = [n for n, v in scope.items() if v is library and not n.startswith("_")]
            if names:  # of several, what the program itself writes
                return max(names, key=lambda n: sum(n in text for text in texts)), library
    return library.__name__, library
