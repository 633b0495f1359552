"""The divergence of a variational autoencoder with the wrong sign: it falls without end."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..syntax import last_name
from .evidence import Evidence
from .rule import Match, Rule, Words
from .signs import climbs, sign_in_loss, values


def find(evidence: Evidence) -> Match | None:
    """Find `1 + v - m**2 - exp(v)`, which is never above 0, in the loss without a minus."""
    for statement, value in () if climbs(evidence) else values(evidence):
        for node in ast.walk(value):
            sign = formula_sign(node)
            if sign and sign_in_loss(evidence, statement, value, node) * sign > 0:
                return Match({"line": evidence.context.line(statement)})
    return None


def formula_sign(node: ast.AST) -> int:
    """Return 1 for `1 + v - m**2 - exp(v)`, -1 for its negative, and 0 for anything else."""
    if not isinstance(node, ast.BinOp):
        return 0
    terms = dict(terms_of(node, 1))
    for text, sign in terms.items():
        tree = ast.parse(text, mode="eval").body
        if isinstance(tree, ast.Call) and last_name(tree) == "exp":
            inside = tree.args[0] if tree.args else getattr(tree.func, "value", None)
            variable = "" if inside is None else ast.unparse(inside)
            one = terms.get("1", terms.get("1.0", 0))
            if len(terms) == 4 and terms.get(variable) == one == -sign:
                return -sign
    return 0


def terms_of(node: ast.expr, sign: int) -> Iterator[tuple[str, int]]:
    """Yield the terms of a sum with their signs."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield from terms_of(node.left, sign)
        yield from terms_of(node.right, sign if isinstance(node.op, ast.Add) else -sign)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield from terms_of(node.operand, -sign)
    else:
        yield ast.unparse(node), sign


PROGRAM = """
enc, dec = T.nn.Linear(4, 4), T.nn.Linear(2, 4)
opt = T.optim.SGD([*enc.parameters(), *dec.parameters()], lr=0.01)
x = T.randn(8, 4)
for i in range(4):
    mu, logvar = enc(x).chunk(2, 1)
    z = mu + T.randn_like(mu) * (0.5 * logvar).exp()
    rec = (dec(z) - x).pow(2).mean()
    kl = {sign}0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).mean()
    loss = rec + kl
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

RULE = Rule(
    key="divergence_sign",
    chapter="16",
    en=Words(
        "a divergence with the wrong sign",
        "By its formula, the term in {line} is never above 0, and the loss adds it: the loss falls "
        "without end as the means and variances grow.",
        "Put a minus before that term: then it is never below 0.",
    ),
    zh=Words(
        "散度的符号反了",
        "按公式，{line}的这一项不会大于 0，而损失把它加上了：均值和方差越大，损失就越小，没有下"
        "限。",
        "请在这一项前面加上负号：这样它就不会小于 0。",
    ),
    find=find,
    broken=PROGRAM.format(sign=""),
    sound=PROGRAM.format(sign="-"),
    before=("exploding",),
)
