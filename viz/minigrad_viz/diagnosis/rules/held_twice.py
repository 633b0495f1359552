"""Two optimizers with the same parameters, and a model that gets gradients and has no optimizer."""

from __future__ import annotations

import re
from typing import Any

from ..reachable import held_by
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    stepping = evidence.stepping
    held = {name: {id(each) for each in held_by(o)} for name, o in stepping}
    module = left_out(evidence)
    for number, (name, _) in enumerate(stepping):
        one = next((other for other, _ in stepping[:number] if held[other] == held[name]), None)
        parts: dict[str, object] = {"one": one or name, "other": name, "module": module}
        if one is not None and module is not None:
            made = [evidence.context.program.assignment(each) for each in (one, name)]
            targets = [
                each if s is not None else "" for each, s in zip((one, name), made, strict=True)
            ]
            wrong = next((i for i, each in enumerate(targets) if fits(each, module)), 1)
            parts |= {"where": evidence.context.where(made[wrong]), "wrong": (one, name)[wrong]}
            return told(evidence, "twice_left", parts, module)
        if one is not None:
            inside = [n for n, m in evidence.modules if owned(m, held[name])]
            own = [[n for n in inside if fits(each, n)] for each in (one, name)]
            if len(own[0]) == len(own[1]) == 1 and own[0] != own[1]:
                parts |= {"first": own[0][0], "second": own[1][0]}
                return told(evidence, "twice_both", parts, one, name)
        if module is not None and "student" in module.lower():
            teacher = [n for n, m in evidence.modules if owned(m, held[name])]
            if len(teacher) == 1 and "teacher" in teacher[0].lower():
                where = evidence.context.where(evidence.context.program.assignment(name))
                parts |= {"first": teacher[0], "where": where}
                return told(evidence, "held_teacher", parts, name)
    return None


def told(evidence: Evidence, key: str, parts: dict[str, object], *names: str) -> Match:
    why, cure = (evidence.context.say(each, **parts) for each in (key, f"cure_{key}"))
    return Match({"why": why, "cure": cure}, names)


def owned(module: Any, held: set[int]) -> bool:
    """Return whether all parameters of a module are among these."""
    own = [id(each) for each in module.parameters()]
    return bool(own) and held >= {*own}


def fits(optimizer: str, module: str) -> bool:
    """Return whether two names share what tells them from others: `optG` and `netG`, `opt_d`."""
    one, other = (NOISE.sub("", name.rpartition(".")[2].lower()) for name in (optimizer, module))
    return bool(one and other) and (one.startswith(other) or other.startswith(one))


NOISE = re.compile(r"optimizer|optim|opt|net(work)?|model|_|self|s$")
"""Parts of names that say no more than "optimizer" or "model"."""


def left_out(evidence: Evidence) -> str | None:
    """Return a module all of whose parameters get gradients and are held by no optimizer."""
    behind = {id(leaf) for leaf in evidence.leaves}
    for name, module in evidence.modules:
        parameters: list[Any] = list(module.parameters())
        if not parameters or any(id(each) in evidence.held for each in parameters):
            continue
        if all(each.requires_grad and id(each) in behind for each in parameters):
            return name
    return None


PROGRAM = training(
    net="gen, disc = T.nn.Linear(2, 2), T.nn.Linear(2, 1)",
    opt="T.optim.SGD({module}.parameters(), lr=0.1)",
    data="real = T.randn(8, 2) + 2",
    before="opt_d = T.optim.SGD(disc.parameters(), lr=0.1)",
    inside="""
fake = gen(T.randn(8, 2))
d_loss = (disc(real) - 1).pow(2).mean() + disc(fake.detach()).pow(2).mean()
opt_d.zero_grad()
d_loss.backward()
opt_d.step()
loss = (disc(fake) - 1).pow(2).mean()""",
)

RULE = Rule(
    key="held_twice",
    chapter="15",
    en=Words(
        "an optimizer of another model",
        "{why}",
        "{cure}",
    ),
    zh=Words(
        "优化器管理了别的模型",
        "{why}",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(module="disc"),
    sound=PROGRAM.format(module="gen"),
)
