"""A result without a slope between every parameter and the loss: a clamp, a rounding, a sign."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from ...model.autograd_nodes import is_accumulate, node_name, nodes_from
from ...model.lines import line_of
from ...model.program_text import Statement
from ...model.values import bare, has_numbers
from ..evidence import leads_to
from ..silent import FLAT, cure_of_flat, say_cure
from ..syntax import shows_operation
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .sorted_labels import library_of

FLAT_FAR_OUT = ("Clamp", "ClampMin", "ClampMax", "Relu")
"""Operations without a slope beyond their limits."""


def find(evidence: Evidence) -> Match | None:
    """Find an operation on every path from the loss to the leaves whose gradients are zero."""
    root = evidence.root
    if not evidence.leaves or not is_known_nonzero(root):
        return None
    zero = [leaf for leaf in evidence.leaves if evidence.gradient(leaf) == 0]
    ends = [n for n in evidence.context.nodes(root) if is_accumulate(n)]
    ends = [n for n in ends if any(n.variable is leaf for leaf in zero)]
    everything = len(zero) == len(evidence.leaves)
    if zero and (found := find_cancelled(evidence, ends)) is not None:
        return describe(evidence, found, zero, "cancelled")
    for node in evidence.nodes if zero else ():
        limited = evidence.kind(node) in FLAT_FAR_OUT
        if not (limited and everything) and evidence.kind(node) not in FLAT:
            continue
        if any(leads_to(root.grad_fn, end, without=node) for end in ends):
            continue
        if not limited or is_written(evidence, node):
            return describe(evidence, node, [] if everything else zero)
    return find_together(evidence, ends) if everything else None


def find_together(evidence: Evidence, ends: list[Any]) -> Match | None:
    """Find several clamps without a slope that every path from the loss leads through."""
    limits = {id(n) for n in evidence.nodes if evidence.kind(n) in FLAT_FAR_OUT}
    open_ways = {*map(id, nodes_from([evidence.root.grad_fn], lambda n: id(n) in limits))}
    first = [
        node
        for node in evidence.nodes
        if id(node) in limits
        and any(id(user) in open_ways for user in evidence.parents.get(id(node), []))
    ]
    if not first or any(id(end) in open_ways for end in ends):
        return None
    overlaps = [n for n in first if is_overlap(evidence, n)]
    match = describe(evidence, (overlaps or first)[0], [])
    parts = {**match.parts, "why": evidence.context.say("flat_together")}
    node = (overlaps or first)[0]
    if line_of(node) is None:  # PyTorch's nodes do not know their lines
        lines = dict.fromkeys((*evidence.lines, *evidence.written))
        shown = [s for s in lines if shows_operation(node_name(node), s)]
        parts["where"] = evidence.context.where(next(iter(shown), None))
    if overlaps:
        parts["cure"] = evidence.context.say("cure_flat_overlap", library=library_of(evidence))
    return replace(match, parts=parts)


def is_overlap(evidence: Evidence, node: Any) -> bool:
    """Return whether a clamp is that of the smaller of two ends minus the larger of two starts."""
    difference = evidence.input_of(node)
    sides = [evidence.kind(before) for before, _ in difference.next_functions] if difference else []
    return evidence.kind(difference) == "Sub" and {*sides} == {"Minimum", "Maximum"}


def find_cancelled(evidence: Evidence, ends: list[Any]) -> Any:
    """Return the sum in `w + (round(w) - w)` if its terms take all of the gradient away."""
    for node in evidence.nodes:
        terms = signed_terms(evidence, node)
        gone = [each for each, sign in terms if sum(s for e, s in terms if e is each) == 0]
        flat = [each for each, _ in terms if each not in gone]
        if gone and any(leads_to(each, end) for each in gone for end in ends):
            if all(any_flat(evidence, each) for each in flat):
                return node
    return None


def signed_terms(
    evidence: Evidence, node: Any, sign: int = 1, deep: int = 3
) -> list[tuple[Any, int]]:
    """Return the terms of sums and differences, with their signs."""
    kind = evidence.kind(node)
    if kind not in ("Add", "Sub", "Neg") or not deep:
        return [] if node is None else [(node, sign)]
    signs = (-sign,) if kind == "Neg" else (sign, -sign if kind == "Sub" else sign)
    pairs = zip(node.next_functions, signs, strict=False)
    return [t for (each, _), s in pairs for t in signed_terms(evidence, each, s, deep - 1)]


def any_flat(evidence: Evidence, node: Any) -> bool:
    """Return whether a rounding stands at most a scale away from a result."""
    for _ in range(3):
        if node is None or evidence.kind(node) in FLAT:
            return True
        node = node.next_functions[0][0] if evidence.kind(node) in ("Mul", "Div", "Add") else None
        if node is None:
            return False
    return evidence.kind(node) in FLAT


def find_drawn(evidence: Evidence) -> Match | None:
    """Find numbers drawn from what is learned, that a layer with weights goes on with."""
    for node in evidence.nodes if evidence.leaves else ():
        if evidence.kind(node) != "Normal":
            continue
        left = [node]
        for _ in range(MOST_STEPS):
            left = [p for n in left for p in evidence.parents.get(id(n), [])]
            if any(evidence.kind(each) in LAYERS for each in left):
                ends = [n for n in evidence.context.nodes(evidence.root) if is_accumulate(n)]
                before = [n.variable for n in ends if leads_to(node, n)]
                names = [f"`{evidence.name(leaf)}`" for leaf in before[:MOST]]
                parts = {"names": evidence.context.say("and").join(names)}
                parts |= {"where": evidence.context.where(evidence.node_line(node))}
                return Match({**parts, "cure": cure_of_flat(evidence.context, node)}, (), (node,))
    return None


LAYERS = ("Addmm", "Mm", "Bmm", "Convolution")
MOST_STEPS = 4


def is_written(evidence: Evidence, node: Any) -> bool:
    """Return whether the line of an operation shows it, and not a loss that contains it."""
    line = evidence.node_line(node)
    return line is None or "margin" not in line.text


def describe(evidence: Evidence, node: Any, zero: list[Any], key: str = "") -> Match:
    context, kind = evidence.context, evidence.kind(node)
    names = tuple(evidence.name(leaf) for leaf in zero)
    shown = context.say("and").join(f"`{name}`" for name in names[:MOST])
    who = context.say("flat_some" if names else "flat_all", names=shown)
    line = evidence.node_line(node)
    usual = "relu" if kind == "Relu" else "clamped" if kind in FLAT_FAR_OUT else "jumps"
    key = key or usual
    if key == "cancelled":
        line, instead = with_detach(evidence, line)
        cure = context.say("cure_flat_cancelled", instead=instead)
    elif key == "jumps":
        cure = cure_of_flat(context, node)
    else:
        cure = say_cure(context, f"cure_flat_{key}")
    why = "drawn" if kind == "Normal" else key
    parts = {"node": node_name(node), "where": context.where(line)}
    parts |= {"who": who, "why": context.say(f"flat_{why}"), "cure": cure}
    return Match(parts, names, (node,))


def with_detach(evidence: Evidence, line: Statement | None) -> tuple[Statement | None, str]:
    """Return the line that shows `w + (made - w)`, and the sum with detach()."""
    own = [line] if line is not None else []
    for each in (*own, *evidence.forward_lines, *evidence.lines, *evidence.written):
        for node in ast.walk(each.tree or ast.Pass()):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
                for kept, gone in ((node.left, node.right), (node.right, node.left)):
                    if isinstance(gone, ast.BinOp) and isinstance(gone.op, ast.Sub):
                        if ast.unparse(gone.right) == ast.unparse(kept):
                            return each, f"{ast.unparse(kept)} + ({ast.unparse(gone)}).detach()"
    return line, "w + (made - w).detach()"


MOST = 3
"""Leaves that are named."""


def is_known_nonzero(root: object) -> bool:
    """Return whether a loss is a single number other than zero."""
    if root is None or root.numel() != 1 or not has_numbers(root):  # type: ignore[attr-defined]
        return False
    return float(bare(root).item()) != 0


PROGRAM = training(
    data="T.rand(8, 3), T.rand(8, 1)",
    before="with T.no_grad():\n    net.bias.fill_({bias})",
    inside="loss = (net(x).clamp(0, 1) - y).pow(2).mean()",
)

RULE = Rule(
    key="flat_output",
    chapter="16",
    en=Words(
        "no slope on the way to the loss",
        "{who} zero: every way from the loss leads through {node}{where}, {why}.",
        "{cure}",
    ),
    zh=Words(
        "通向损失的路上没有斜率",
        "{who}都是零：从损失出发的每条路都经过 {node}{where}，{why}。",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(bias="9.0"),
    sound=PROGRAM.format(bias="0.5"),
    before=("zero_input", "zero"),
)

DRAWING = training(
    first="back = T.nn.Linear(2, 4)",
    net="T.nn.Linear(4, 2)",
    opt="T.optim.SGD([*net.parameters(), *back.parameters()], lr=0.01)",
    data="T.randn(8, 4), None",
    inside="""
mean = net(x)
z = {drawn}
loss = (back(z) - x).pow(2).mean() + 0.1 * mean.pow(2).mean()""",
)

DRAWN = Rule(
    key="drawn_between",
    severity=2,
    chapter="16",
    en=Words(
        "a draw between layers",
        "The numbers{where} are drawn, and no gradient passes through a draw: {names} do not "
        "learn what the layers after it need.",
        "{cure}",
    ),
    zh=Words(
        "层之间的抽样",
        "这些数{where}是抽样得到的，梯度不能穿过抽样：{names} 学不到后面各层需要什么。",
        "{cure}",
    ),
    find=find_drawn,
    broken=DRAWING.format(drawn="T.normal(mean, T.ones(8, 2))"),
    sound=DRAWING.format(drawn="mean + T.randn(8, 2)"),
    before=("flat_output", "zero"),
)
