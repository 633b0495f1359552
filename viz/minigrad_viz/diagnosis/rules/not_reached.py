"""Parameters that an optimizer holds, and to which the graph of the loss does not lead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ...model.names import is_tensor
from ...model.program_text import receivers
from ..causes import Context
from ..ended import explain_lost
from ..fate import UNKNOWN
from ..reachable import held_by
from ..syntax import calls_in, root_of_pass
from .clearing import owners
from .evidence import END, Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    """Find held parameters whose history ended on the way to the loss."""
    if evidence.seen is not None:
        return find_watched(evidence)
    if evidence.root is None or not evidence.stepping:
        return None
    reached = {id(leaf) for leaf in evidence.leaves}
    texts = {s.text for s in evidence.passes}
    if len(texts) != 1:  # another loss may reach them
        return find_stepped(evidence)
    for name, optimizer in evidence.stepping:
        held = [p for group in optimizer.param_groups for p in group["params"]]
        left = [p for p in held if id(p) not in reached and p.requires_grad and p.grad is None]
        if not left or id(left[0]) not in evidence.names:
            continue
        fate, sentences = explain_lost(evidence.context, left[0], evidence.root)
        if fate.kind != "cut" or not sentences:
            continue
        return describe(evidence, name, left, sentences)
    return find_stepped(evidence)


def find_watched(evidence: Evidence) -> Match | None:
    """Find optimizers that stepped on what no watched pass has reached, and where its way ends."""
    seen, context, root = evidence.seen, evidence.context, evidence.root
    roots = [n for s in evidence.passes for n in sorted(receivers(s, "backward"))]
    if seen is not None and root is None:  # no pass was noted, for none reached a leaf
        context = Context(context.language, None, [(seen.caller, END)])
        root = next(filter(is_tensor, map(context.variables.get, roots)), None)
    walked = seen is None or any(w.passes for i, w in seen.watched.items() if i in evidence.held)
    if walked or len({*roots}) > 1 or root is None:
        return None
    for name, optimizer in evidence.stepping:
        left = [p for p in held_by(optimizer) if p.requires_grad and p.grad is None]
        fate, sentences = explain_lost(context, left[0], root) if left else (UNKNOWN, [])
        if fate.kind == "cut" and sentences and id(left[0]) in evidence.names:
            return describe(replace(evidence, root=root, context=context), name, left, sentences)
    return None


def find_stepped(evidence: Evidence) -> Match | None:
    """Find an optimizer that is cleared before the loss's pass and steps on no gradient of it."""
    root = evidence.root
    if evidence.seen is not None or root is None or not evidence.leaves:
        return None
    reached = {id(leaf) for leaf in evidence.leaves}
    for name in steps_of(evidence, evidence.context.name(root)):
        optimizer = next(o for n, o in evidence.optimizers if n == name)
        held = [p for group in optimizer.param_groups for p in group["params"]]
        left = [p for p in held if p.requires_grad and id(p) in evidence.names]
        if not left or any(id(p) in reached for p in held):
            continue
        fate, sentences = explain_lost(evidence.context, left[0], root)
        if fate.kind == "cut" and sentences:
            return describe(evidence, name, left, sentences)
    return None


def steps_of(evidence: Evidence, root: str) -> Iterator[str]:
    """Yield the optimizers of `opt.zero_grad()`, `root.backward()`, `opt.step()` in this order."""
    for name, _ in evidence.optimizers:
        order, last = list[str](), name.rpartition(".")[2]
        for statement in evidence.lines:
            walked = any(map(root_of_pass, calls_in(statement.tree)))
            if last in owners(statement, "zero_grad"):
                order = ["clear"]
            elif walked:
                order = [*order, "walk" if root in receivers(statement, "backward") else "other"]
            elif last in owners(statement, "step"):
                if order == ["clear", "walk"]:
                    yield name
                order = []


def describe(evidence: Evidence, name: str, left: list[Any], sentences: list[str]) -> Match:
    names = [f"`{evidence.name(p)}`" for p in left[:2] if id(p) in evidence.names]
    parts = {"names": ", ".join(names), "optimizer": name}
    parts |= {"root": evidence.context.name(evidence.root), "cut": sentences[0]}
    cure = sentences[1] if len(sentences) > 1 else ""
    parts["what"] = getattr(sentences[0], "parts", {}).get("what", "")
    return Match({**parts, "cure": cure}, tuple(evidence.name(p) for p in left))


PROGRAM = training(
    first="body, head = T.nn.Linear(3, 4), T.nn.Linear(4, 1)",
    net="",
    opt="T.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)",
    inside="features = T.tanh(body(x)){cut}\nloss = (head(features) - y).pow(2).mean()",
)

RULE = Rule(
    key="not_reached_by_loss",
    chapter="5",
    en=Words(
        "no gradient: not reached",
        "`{optimizer}` holds {names}, to which the graph of `{root}` does not lead. {cut}",
        "{cure}",
    ),
    zh=Words(
        "没有梯度：没有到达",
        "`{optimizer}` 持有 {names}，而 `{root}` 的图不通向它们。{cut}",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(cut=".detach()"),
    sound=PROGRAM.format(cut=""),
    before=("not_called", "no_grad", "pass_elsewhere", "no_pass"),
)
