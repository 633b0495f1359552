"""A divergence, or the margin of pairs that differ, with the wrong sign."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...model.program_text import assigned
from ..syntax import last_name, names_in
from .evidence import Evidence
from .programs import training, variational
from .rule import Match, Rule, Words
from .signs import climbs, sign_in_loss, sign_inside, values
from .unused_result import line_of, places

NAMES = ("kl", "kld", "kl_loss", "kl_div", "kld_loss", "loss_kl", "kl_term", "divergence")


def find(evidence: Evidence) -> Match | None:
    """Find a divergence in the loss with a minus, by its formula or by a library's call."""
    for statement, value in () if climbs(evidence) else values(evidence):
        names = [name for name in sorted(assigned(statement.tree)) if name.lower() in NAMES]
        for node in ast.walk(value):
            sign = formula_sign(node)
            if isinstance(node, ast.Call) and last_name(node) in ("kl_div", "kl_divergence"):
                sign = -1 if names and sign_inside(value, node) > 0 else 0
            if sign and sign_in_loss(evidence, statement, value, node) * sign > 0:
                right = names and sign_inside(value, node) * sign < 0
                key = "cure_add_divergence" if right else "cure_negate_divergence"
                cure = evidence.context.say(key, t=names[0] if names else "")
                return Match({"line": evidence.context.line(statement), "cure": cure})
    return None


def formula_sign(node: ast.AST) -> int:
    """Return 1 for `1 + v - m**2 - exp(v)`, never above 0, -1 for its negative, and 0 otherwise."""
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


PROGRAM = variational(kl="kl = {sign}0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).mean()")

RULE = Rule(
    key="divergence_sign",
    chapter="16",
    en=Words(
        "a divergence with the wrong sign",
        "A divergence is never below 0, and the loss takes that of {line} with a minus: the loss "
        "falls without end as the means and variances grow.",
        "{cure}",
    ),
    zh=Words(
        "散度的符号反了",
        "散度不会小于 0，而损失带着负号用了{line}的散度：均值和方差越大，损失就越小，没有下限。",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(sign=""),
    sound=PROGRAM.format(sign="-"),
    before=("exploding",),
)


def find_margin(evidence: Evidence) -> Match | None:
    """Find `same * d**2 + (1 - same) * relu(d - margin)**2`: both terms pull the pairs together."""
    for part in places(evidence):
        lines = [n for n in ast.walk(part) if isinstance(n, ast.Assign | ast.Return)]
        inner = ((s, n) for s in lines for n in ast.walk(s) if isinstance(n, ast.BinOp))
        products = [(s, factors(n)) for s, n in inner]
        for tree, pushing in products:
            hinge = next((h for h in map(hinge_of, pushing) if h is not None), None)
            pulling = [p for _, p in products if hinge is not None and complete(p, pushing)]
            line = line_of(evidence, tree)
            if hinge is None or line is None:
                continue
            distance, margin = ast.unparse(hinge.left), ast.unparse(hinge.right)
            if any(grows(each, distance) for p in pulling for each in p):
                parts = {"line": evidence.context.line(line), "t": ast.unparse(hinge)}
                return Match({**parts, "instead": f"{margin} - {distance}"})
    return None


def factors(tree: ast.expr) -> list[ast.expr]:
    """Return the factors of a product."""
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Mult):
        return [*factors(tree.left), *factors(tree.right)]
    return [tree]


def complete(one: list[ast.expr], other: list[ast.expr]) -> bool:
    """Return whether two products have the factors `s` and `1 - s`."""
    texts = [{ast.unparse(each).replace("1.0 -", "1 -") for each in p} for p in (one, other)]
    return any(f"1 - {s}" in texts[1 - k] for k in (0, 1) for s in texts[k])


def hinge_of(tree: ast.expr) -> ast.BinOp | None:
    """Return the difference `d - margin` in `relu(d - margin) ** 2`, or in a clamp at zero."""
    while True:
        match tree:
            case ast.BinOp(op=ast.Pow(), left=inner):
                tree = inner
            case ast.Call(func=ast.Attribute(value=inner, attr="pow" | "square")) if not (
                isinstance(inner, ast.Name) and tree.args and len(tree.args) > 1
            ):
                tree = inner
            case ast.Call() if last_name(tree) in ("relu", "clamp", "clamp_min", "clip"):
                owner = tree.func.value if isinstance(tree.func, ast.Attribute) else None
                inside = [*tree.args[:1], *([owner] if owner is not None else [])]
                found = [e for e in inside if isinstance(e, ast.BinOp)]
                tree = found[0] if found else ast.Constant(0)
                return (
                    tree if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Sub) else None
                )
            case _:
                return None


def grows(tree: ast.expr, distance: str) -> bool:
    """Return whether a factor grows with a distance: it has the distance, and no minus."""
    signs = any(isinstance(n, ast.Sub | ast.USub) for n in ast.walk(tree))
    known = {ast.unparse(n) for n in ast.walk(tree)}
    return distance in known and not signs and bool(names_in(tree))


PAIRS = training(
    net="T.nn.Linear(4, 2)",
    opt=0.01,
    data="a, b, same = T.randn(8, 4), T.randn(8, 4), T.arange(8) % 2.0",
    inside="""
d = (net(a) - net(b)).norm(dim=1)
pull = same * d**2
push = (1 - same) * T.relu({inside}) ** 2
loss = (pull + push).mean()""",
)

MARGIN = Rule(
    key="margin_sign",
    chapter="16",
    en=Words(
        "a margin with the wrong sign",
        "`{t}` in {line} grows with the distance, as the other term does: both pull every pair "
        "together, and all results become one point.",
        "Write `{instead}` there: pairs that differ are pushed apart up to the margin.",
    ),
    zh=Words(
        "间隔的符号反了",
        "{line}的 `{t}` 随距离增大，另一项也是：两项都把每一对拉近，所有结果会缩成一点。",
        "请在那里写 `{instead}`：不同的一对要被推开，直到间隔为止。",
    ),
    find=find_margin,
    broken=PAIRS.format(inside="d - 1.5"),
    sound=PAIRS.format(inside="1.5 - d"),
)
