"""Two optimizers with the same parameters, and a model that gets gradients and has no optimizer."""

from __future__ import annotations

from typing import Any

from ..reachable import held_by
from .evidence import Evidence
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    stepping = evidence.stepping
    held = {name: {id(each) for each in held_by(o)} for name, o in stepping}
    for number, (name, _) in enumerate(stepping):
        same = next((other for other, _ in stepping[:number] if held[other] == held[name]), None)
        module = None if same is None else left_out(evidence)
        if module is None:
            continue
        made = [evidence.context.program.assignment(each) for each in (same or "", name)]
        wrong = next((i for i, s in enumerate(made) if s is not None and fits(s.text, module)), 1)
        parts = {"one": same, "other": name, "module": module}
        parts["where"] = evidence.context.where(made[wrong])
        parts["wrong"] = (same, name)[wrong]
        return Match(parts, (module,))
    return None


def fits(text: str, module: str) -> bool:
    """Return whether an optimizer's name has the first letters of a module's: `opt_g`, `gen`."""
    target = text.partition("=")[0].strip().lower()
    return target.endswith(f"_{module[:1].lower()}") or module.lower() in target


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


PROGRAM = """
gen, disc = T.nn.Linear(2, 2), T.nn.Linear(2, 1)
opt_g = T.optim.SGD({module}.parameters(), lr=0.1)
opt_d = T.optim.SGD(disc.parameters(), lr=0.1)
real = T.randn(8, 2) + 2
for i in range(4):
    fake = gen(T.randn(8, 2))
    d_loss = (disc(real) - 1).pow(2).mean() + disc(fake.detach()).pow(2).mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    loss = (disc(fake) - 1).pow(2).mean()
    opt_g.zero_grad()
    loss.backward()
    opt_g.step()
"""

RULE = Rule(
    key="held_twice",
    chapter="15",
    en=Words(
        "two optimizers of one model",
        "`{one}` and `{other}` hold the same parameters, and no optimizer holds those of "
        "`{module}`, which get gradients: `{module}` never changes.",
        "Give `{wrong}`{where} `{module}.parameters()`.",
    ),
    zh=Words(
        "两个优化器管理同一个模型",
        "`{one}` 和 `{other}` 管理相同的参数，而 `{module}` 的参数得到梯度却没有优化器管理："
        "`{module}` 不会改变。",
        "请把 `{module}.parameters()` 交给 `{wrong}`{where}。",
    ),
    find=find,
    broken=PROGRAM.format(module="disc"),
    sound=PROGRAM.format(module="gen"),
)
