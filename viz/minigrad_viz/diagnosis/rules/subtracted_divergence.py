"""A divergence that is subtracted from the loss: the loss rewards it, and has no lower end."""

from __future__ import annotations

import ast

from ...model.program_text import Statement, assigned, receivers
from ..syntax import calls_in, last_name
from .evidence import Evidence
from .rule import Match, Rule, Words

NAMES = ("kl", "kld", "kl_loss", "kl_div", "kld_loss", "loss_kl", "kl_term", "divergence")


def find(evidence: Evidence) -> Match | None:
    """Find a pass from `loss = rec - kl`, where `kl` is positive by its formula."""
    name = "" if evidence.root is None else evidence.context.name(evidence.root)
    climbs = any(g.get("maximize") for _, o in evidence.stepping for g in o.param_groups)
    if climbs or not any(name in receivers(s, "backward") for s in evidence.passes):
        return None
    for statement in evidence.lines:
        value = getattr(statement.tree, "value", None)
        if name not in assigned(statement.tree) or not isinstance(value, ast.BinOp):
            continue
        taken = subtracted(value)
        if taken.lower() in NAMES and is_positive(evidence, taken, statement):
            parts = {"line": evidence.context.line(statement), "t": taken}
            return Match(parts, (taken,))
    return None


def subtracted(value: ast.BinOp) -> str:
    """Return the variable that a difference subtracts, past a factor: `rec - beta * kl`."""
    if not isinstance(value.op, ast.Sub):
        return ""
    right = value.right
    if isinstance(right, ast.BinOp) and isinstance(right.op, ast.Mult):
        names = [e.id for e in (right.left, right.right) if isinstance(e, ast.Name)]
        return next((n for n in names if n.lower() in NAMES), "")
    return right.id if isinstance(right, ast.Name) else ""


def is_positive(evidence: Evidence, name: str, before: Statement) -> bool:
    """Return whether the formula of a divergence has its minus sign, or is a library's call."""
    made = [s for s in evidence.lines if name in assigned(s.tree) and s.loops == before.loops]
    value = getattr(made[-1].tree, "value", None) if made else None
    if value is None:
        return False
    if any(last_name(call) in ("kl_div", "kl_divergence") for call in calls_in(value)):
        return not ast.unparse(value).startswith("-")
    text = ast.unparse(value).replace(" ", "").lstrip("(")
    return text.startswith("-0.5*") and ".exp()" in text and "log" in text


PROGRAM = """
enc, dec = T.nn.Linear(4, 4), T.nn.Linear(2, 4)
opt = T.optim.SGD([*enc.parameters(), *dec.parameters()], lr=0.1)
x = T.randn(8, 4)
for i in range(9):
    mu, logvar = enc(x).chunk(2, 1)
    z = mu + T.randn_like(mu) * (0.5 * logvar).exp()
    rec = 0.01 * (dec(z) - x).pow(2).mean()
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).mean()
    loss = rec {sign} kl
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

RULE = Rule(
    key="subtracted_divergence",
    chapter="16",
    en=Words(
        "a divergence that is subtracted",
        "{line} subtracts `{t}`, which is never below 0 by its formula: the loss falls without end "
        "by making `{t}` larger.",
        "Add it: `+ {t}`.",
    ),
    zh=Words(
        "散度被减去了",
        "{line}减去了 `{t}`，按公式它不会小于 0：只要 `{t}` 变大，损失就会一直下降。",
        "请把它加上：`+ {t}`。",
    ),
    find=find,
    broken=PROGRAM.format(sign="-"),
    sound=PROGRAM.format(sign="+"),
    before=("divergence_sign", "exploding"),
)
