"""A learned factor of a loss: it falls without end, for that makes the loss smaller."""

from __future__ import annotations

import ast
import re
from typing import Any

from ...model.autograd_nodes import is_accumulate, nodes_from
from ...model.program_text import Statement
from ..evidence import saved_argument
from ..syntax import last_name
from .evidence import RESHAPING, Evidence
from .programs import training
from .rule import Match, Rule, Words
from .signs import climbs

POSITIVE = ("MseLoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "NllLoss", "BinaryCrossEntropy",
            "BinaryCrossEntropyWithLogits")  # fmt: skip
"""Losses that are never below 0."""


def find(evidence: Evidence) -> Match | None:
    """Find `w * loss` in the sum that is the loss, where nothing else uses `w`."""
    for node in evidence.nodes:
        before = [n for n, _ in node.next_functions if n is not None]
        if evidence.kind(node) != "Mul" or len(before) != 2 or not is_added(evidence, node):
            continue
        for factor, term in (before, before[::-1]):
            if not is_accumulate(factor) or not is_positive(evidence, term):
                continue
            leaf = factor.variable
            alone = len(evidence.parents.get(id(factor), [])) == 1
            if alone and id(leaf) in evidence.held and leaf.numel() <= MOST:
                where = evidence.context.where(evidence.node_line(node))
                name = evidence.name(leaf)
                return Match({"t": name, "where": where}, (name,), (node,))
    return None


MOST = 20
"""Terms of a loss."""


Output = tuple[Any, int]
"""A node, and which of its results."""


def find_spread(evidence: Evidence) -> Match | None:
    """Find squares that are divided by what learns, if nothing else in the loss uses that."""
    root = None if evidence.root is None else evidence.root.grad_fn
    for node in () if climbs(evidence) or evidence.reads_gradients else evidence.nodes:
        before = [n for n, _ in node.next_functions]
        if evidence.kind(node) not in ("Div", "Mul") or len(before) != 2 or None in before:
            continue
        pairs = (before, before[::-1]) if evidence.kind(node) == "Mul" else (before,)
        for errors, spread in pairs:
            base, kinds = source_of(evidence, node, before.index(spread))
            positive = evidence.kind(node) == "Div" or "Exp" in kinds
            if base is None or not positive or not ends_as_error(evidence, errors, node):
                continue
            if not uses(errors, base) and not uses(root, base, without=node):
                where = evidence.context.where(evidence.node_line(node))
                return describe_spread(evidence, evidence.kind(node), where, node)
    return None


def source_of(evidence: Evidence, node: Any, place: int) -> tuple[Output | None, set[str]]:
    """Return the layer's result, or the held weight, that a spread is computed from alone."""
    kinds = set[str]()
    for _ in range(MOST):
        node, index = node.next_functions[place]
        if is_accumulate(node):
            return ((node, index) if id(node.variable) in evidence.held else None), kinds
        kinds.add(evidence.kind(node))
        if evidence.kind(node) in (*LAYERS, *PARTS):
            return (node, index), kinds
        before = [i for i, (n, _) in enumerate(node.next_functions) if n is not None]
        if evidence.kind(node) not in (*ALONE, *RESHAPING) or len(before) != 1:
            break
        place = before[0]
    return None, kinds


def uses(start: Any, base: Output, without: Any = None) -> bool:
    """Return whether a result is used on a way from a node that does not pass another."""
    nodes = nodes_from([start], lambda node: node is without)
    edges = (edge for node in nodes if node is not without for edge in node.next_functions)
    return start is base[0] or any(edge == base for edge in edges)


LAYERS = ("Addmm", "Mm", "Mv", "Convolution", "Linear")
PARTS = ("Slice", "Select", "Index", "Split", "Unbind")
ALONE = ("Exp", "Softplus", "Pow", "Mul", "Div", "Add", "Neg", "Sqrt", "Clamp", "ClampMin",
         "Expand")  # fmt: skip
"""Operations of one input that keep what has no bounds without bounds."""


def ends_as_error(evidence: Evidence, errors: Any, node: Any) -> bool:
    """Return whether a quotient, or its square, is errors of which the loss is a mean or a sum."""
    squared = is_squared(evidence, errors)
    users = evidence.parents.get(id(node), [])
    if not squared and evidence.kind(errors) in ("Sub", "Rsub") and len(users) == 1:
        node, squared = users[0], is_square(evidence, users[0], ("Div",))
    root = None if evidence.root is None else evidence.root.grad_fn
    while squared and node is not root:
        users = evidence.parents.get(id(node), [])
        scaled = len(users) == 1 and evidence.kind(users[0]) in ("Mul", "Div")
        if len(users) != 1 or not (
            evidence.kind(users[0]) in ("Add", "Sum", "Mean", *RESHAPING)
            or (scaled and None in [n for n, _ in users[0].next_functions])
        ):
            return False
        node = users[0]
    return squared


def is_squared(evidence: Evidence, node: Any) -> bool:
    """Return whether a result is the square of a difference, times a number."""
    while evidence.kind(node) in ("Mul", "Div", "Neg") and None in dict(node.next_functions):
        node = next(n for n, _ in node.next_functions if n is not None)
    return is_square(evidence, node)


def describe_spread(evidence: Evidence, kind: str, where: str, node: Any) -> Match:
    """Return the match, with the logarithm to add, if one line alone shows such a quotient."""
    found = dict[str, tuple[Statement, str]]()
    for statement in dict.fromkeys((*evidence.lines, *evidence.repeated, *evidence.written)):
        for tree in ast.walk(statement.tree or ast.Pass()):
            if (term := missing_term(statement.text, kind, tree)) is not None:
                found[ast.unparse(tree)] = statement, term
    line, term = next(iter(found.values())) if len(found) == 1 else (None, "")
    known = (n for n in ("torch", "T", "mg") if n in evidence.context.variables)
    term = term.replace("{library}", next(known, "torch"))
    cure = evidence.context.say("cure_log" if term else "cure_log_there", term=term)
    where = evidence.context.where(line) if line is not None else where
    return Match({"where": where, "cure": cure}, (), (node,))


def missing_term(text: str, kind: str, tree: ast.AST) -> str | None:
    """Return the logarithm that belongs to a square over a spread, or None for other code."""
    half = "0.5 * " if "0.5" in text else ""
    if kind == "Mul" and isinstance(tree, ast.Call) and last_name(tree) == "exp" and tree.args:
        inner = ast.unparse(tree.args[0])
        return f"{half}{inner[1:]}" if inner.startswith("-") else None
    if (
        kind != "Div"
        or not isinstance(tree, ast.BinOp)
        or not isinstance(tree.op, ast.Div | ast.Pow)
    ):
        return None
    if isinstance(tree.op, ast.Pow) and isinstance(tree.left, ast.BinOp):
        below = ast.unparse(tree.left.right) if isinstance(tree.left.op, ast.Div) else ""
        return f"{'' if half else '2 * '}{{library}}.log({below})" if below else None
    if not re.search(r"\*\* 2|square|pow|abs", ast.unparse(tree.left)):
        return None
    below = ast.unparse(tree.right)
    half = "0.5 * " if half or re.search(r"\b2 \*|\* 2\b", below) else ""
    return f"{half}{{library}}.log({below})"


def is_positive(evidence: Evidence, node: Any) -> bool:
    """Return whether a result is losses that are never below 0."""
    if evidence.kind(node) in ("Stack", "Cat"):
        return all(is_positive(evidence, each) for each, _ in node.next_functions)
    if evidence.kind(node) in ("Mean", "Sum", "Unsqueeze"):
        return is_positive(evidence, node.next_functions[0][0])
    return evidence.kind(node) in POSITIVE or is_square(evidence, node)


def is_square(evidence: Evidence, node: Any, of: tuple[str, ...] = ("Sub", "Rsub")) -> bool:
    """Return whether a result is the square of a difference, or its absolute value."""
    if evidence.kind(node) not in ("Pow", "Abs"):
        return False
    inner = evidence.kind(node.next_functions[0][0])
    return inner in of and (evidence.kind(node) == "Abs" or saved_argument(node, "exponent") == 2)


def is_added(evidence: Evidence, node: Any) -> bool:
    """Return whether sums alone lead from a term to the loss."""
    root = None if evidence.root is None else evidence.root.grad_fn
    for _ in range(50):
        if node is root:
            return True
        using = evidence.parents.get(id(node), [])
        if len(using) != 1 or evidence.kind(using[0]) not in ("Add", "Sum", "Mean"):
            return False
        node = using[0]
    return False


PROGRAM = training(
    first="w = T.nn.Parameter(T.tensor(1.0))",
    net="T.nn.Linear(3, 2)",
    opt="T.optim.SGD([*net.parameters(), w], lr=0.1)",
    data="T.randn(8, 3), T.randn(8, 2)",
    before="mse = T.nn.MSELoss()",
    inside="out = net(x)\n"
    "loss = mse(out[:, 0], y[:, 0]) + {factor} * mse(out[:, 1], y[:, 1]){rest}",
)

RULE = Rule(
    key="learned_factor",
    severity=2,
    chapter="16",
    en=Words(
        "a weight that learns to be small",
        "`{t}` multiplies a loss that is never below 0{where}, and learns: the sum falls without "
        "end as `{t}` falls, below 0 too.",
        "Write `{library}.exp(-{t}) * loss + {t}`, with that term for `loss`.",
    ),
    zh=Words(
        "学着变小的权重",
        "`{t}` 与一个不小于 0 的损失相乘{where}，并且会学习：`{t}` 越小，总和就越小，降到 0 以下也"
        "不停。",
        "请写成 `{library}.exp(-{t}) * loss + {t}`，其中 `loss` 是那一项。",
    ),
    find=find,
    broken=PROGRAM.format(factor="w", rest=""),
    sound=PROGRAM.format(factor="T.exp(-w)", rest=" + w"),
)

WIDE = training(
    net="T.nn.Linear(3, 2)",
    inside="out = net(x)\nmean, wide = out[:, :1], 0.1 + T.nn.functional.softplus(out[:, 1:])\n"
    "loss = ((mean - y) ** 2 / (2 * wide**2){term}).mean()",
)

SPREAD = Rule(
    key="spread_without_log",
    chapter="16",
    en=Words(
        "a spread that learns to be large",
        "The squared error{where} is divided by a spread that learns, and the loss uses the spread "
        "for nothing else: it falls as the spread grows, whatever the error is.",
        "{cure}",
    ),
    zh=Words(
        "学着变大的标准差",
        "平方误差{where}除以一个会学习的标准差，而损失没有别的地方用到它：不论误差多大，标准差越大损失"
        "就越小。",
        "{cure}",
    ),
    find=find_spread,
    broken=WIDE.format(term=""),
    sound=WIDE.format(term=" + T.log(wide)"),
)
