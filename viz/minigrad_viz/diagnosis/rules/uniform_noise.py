"""Uniform noise where a normal distribution is sampled: `rand` for `randn`."""

from __future__ import annotations

import ast

from ...model.program_text import assigned
from ..syntax import calls_in, last_name, names_in
from .evidence import Evidence
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    """Find `mu + std * rand_like(std)`, where `std` is an exponential."""
    lines = [*evidence.forward_lines, *evidence.lines]
    for statement in lines:
        drawn = [c for c in calls_in(statement.tree) if last_name(c) == "rand_like"]
        if len(drawn) != 1:
            continue
        names, spread = assigned(statement.tree), ast.unparse(drawn[0].args[0])
        same = [s for s in lines if s.file == statement.file and s.loops == statement.loops]
        made = [s for s in same if spread in assigned(s.tree)]
        if not any(last_name(c) == "exp" for s in made for c in calls_in(s.tree)):
            continue
        for other in same:
            for product in ast.walk(other.tree or ast.Pass()):
                if not isinstance(product, ast.BinOp) or not isinstance(product.op, ast.Mult):
                    continue
                sides = {*names_in(product)}
                direct = other == statement and "rand_like" in ast.unparse(product)
                if spread in sides and (names & sides or direct):
                    text = ast.unparse(drawn[0])
                    instead = text.replace("rand_like", "randn_like", 1)
                    parts = {"line": evidence.context.line(statement), "text": text}
                    return Match({**parts, "instead": instead})
    return None


PROGRAM = """
enc, dec = T.nn.Linear(4, 4), T.nn.Linear(2, 4)
opt = T.optim.SGD([*enc.parameters(), *dec.parameters()], lr=0.01)
x = T.randn(8, 4)
for i in range(4):
    mu, logvar = enc(x).chunk(2, 1)
    std = (0.5 * logvar).exp()
    z = mu + std * T.{noise}(std)
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).mean()
    loss = (dec(z) - x).pow(2).mean() + kl
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

RULE = Rule(
    key="uniform_noise",
    severity=2,
    chapter="16",
    en=Words(
        "uniform noise for a normal distribution",
        "`{text}` in {line} draws from 0 to 1, never below 0, and the spread that multiplies it is "
        "that of a normal distribution.",
        "Write `{instead}`.",
    ),
    zh=Words(
        "把均匀噪声当成正态噪声",
        "{line}里的 `{text}` 抽取 0 到 1 的数，从不小于 0，而与它相乘的是正态分布的标准差。",
        "请写成 `{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(noise="rand_like"),
    sound=PROGRAM.format(noise="randn_like"),
)
