"""A divergence, or the margin of pairs that differ, with the wrong sign."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...model.program_text import Statement, assigned
from ..syntax import last_name, names_in
from .evidence import Evidence
from .other_labels import arrays
from .programs import training, variational
from .rule import Match, Rule, Words
from .scoped import behind
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
    for line, hinge, _, pulling in margins(evidence):
        distance, margin = ast.unparse(hinge.left), ast.unparse(hinge.right)
        if any(grows(each, distance) for p in pulling for each in p):
            parts = {"line": evidence.context.line(line), "t": ast.unparse(hinge)}
            return Match({**parts, "instead": f"{margin} - {distance}"})
    return None


Product = list[ast.expr]
"""The factors of a product."""


def margins(evidence: Evidence) -> Iterator[tuple[Statement, ast.BinOp, Product, list[Product]]]:
    """Yield lines with a difference cut off at zero, its product, and those of the other pairs."""
    for part in places(evidence):
        lines = [n for n in ast.walk(part) if isinstance(n, ast.Assign | ast.Return)]
        inner = ((s, n) for s in lines for n in ast.walk(s) if isinstance(n, ast.BinOp))
        products = [(s, factors(n)) for s, n in inner]
        for tree, pushing in products:
            hinge = next((h for h in map(hinge_of, pushing) if h is not None), None)
            line = line_of(evidence, tree)
            if hinge is not None and line is not None:
                yield line, hinge, pushing, [p for _, p in products if complete(p, pushing)]


def find_pushed(evidence: Evidence) -> Match | None:
    """Find a margin for pairs that are near each other, and a pull for those that are not."""
    known = {} if any(map(CHOSEN.search, evidence.code)) else arrays(evidence)
    for line, hinge, pushing, pulling in margins(evidence) if known else ():
        distance = ast.unparse(hinge.right)
        if not any(grows(each, distance) for p in pulling for each in p):
            continue
        plain = [e for p in (pushing, *pulling) for e in p if isinstance(e, ast.Name)]
        for name in plain:
            label = known.get(behind(evidence, name, line).name)
            if label is None or not {*label.ravel().tolist()} == {0, 1}:
                continue
            pushed = label.ravel() == (name in pushing)
            alike = [n for n, v in known.items() if v.ndim == 2 and len(v) == len(pushed)]
            alike = [n for n in alike if known[n].dtype.kind == "f" and known[n].shape[1] > 1]
            if len(alike) != 2 or known[alike[0]].shape != known[alike[1]].shape:
                continue
            far = ((known[alike[0]] - known[alike[1]]) ** 2).sum(1) ** 0.5
            one, other = far[pushed], far[~pushed]
            if min(len(one), len(other)) >= FEWEST and one.mean() < NEARER * other.mean():
                parts = {"line": evidence.context.line(line), "a": alike[0], "b": alike[1]}
                parts |= {"one": f"{one.mean():.3g}", "other": f"{other.mean():.3g}"}
                parts |= {"t": name.id, "value": f"{int(name in pushing)}"}
                return Match(parts, (name.id,))
    return None


CHOSEN = re.compile(r"hard|topk|argm|argsort|cdist|sort\(|revers|adversar", re.I)
"""Texts of programs that choose pairs by their distance, or push on purpose."""

FEWEST, NEARER = 8, 0.8
"""Pairs of each kind, and the share of the others' distance below which they belong together."""


def factors(tree: ast.expr) -> Product:
    """Return the factors of a product."""
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Mult):
        return [*factors(tree.left), *factors(tree.right)]
    return [tree]


def complete(one: Product, other: Product) -> bool:
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
    data="a, same = T.randn(20, 4), T.arange(20) % 2.0",
    before="b = T.where(same[:, None] == 1, a + 0.1, T.randn(20, 4))",
    inside="""
d = (net(a) - net(b)).norm(dim=1)
pull = {pull} * d**2
push = {push} * T.relu({inside}) ** 2
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
    broken=PAIRS.format(inside="d - 1.5", pull="same", push="(1 - same)"),
    sound=PAIRS.format(inside="1.5 - d", pull="same", push="(1 - same)"),
)

PUSHED = Rule(
    key="pairs_pushed",
    chapter="16",
    en=Words(
        "pairs that belong together and are pushed apart",
        "{line} pushes apart the pairs of which `{t}` is {value}, and of `{a}` and `{b}` those are "
        "the near ones: their mean distance is {one}, and that of the others {other}.",
        "Exchange `{t}` and `1 - {t}` there.",
    ),
    zh=Words(
        "把本该在一起的样本推开",
        "{line}推开 `{t}` 为 {value} 的各对，而它们在 `{a}` 与 `{b}` 中正是相近的：平均距离是 "
        "{one}，其余各对是 {other}。",
        "请在那里把 `{t}` 与 `1 - {t}` 互换。",
    ),
    find=find_pushed,
    broken=PAIRS.format(inside="1.5 - d", pull="(1 - same)", push="same"),
    sound=PAIRS.format(inside="1.5 - d", pull="same", push="(1 - same)"),
)
