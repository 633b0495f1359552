"""Losses whose graph shows what is wrong: a factor upside down, a ratio of scores, a pull alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...model.autograd_nodes import is_accumulate, nodes_from
from ...model.program_text import Statement
from ..objects import is_library, is_module
from ..observed import finite
from ..syntax import calls_in, last_name, names_in, tree_of_line
from .evidence import MOST_NODES, RESHAPING, Evidence
from .programs import training
from .rule import Match, Rule, Words
from .sorted_labels import library_of

CLAMPS = ("Clamp", "ClampMin", "ClampMax")


def operands(node: Any) -> list[Any]:
    return [] if node is None else [before for before, _ in node.next_functions]


def alone(evidence: Evidence, node: Any, *kinds: str) -> Any:
    """Return what is behind operations of one operand, and others with a constant."""
    for _ in range(MOST_BETWEEN):
        if node is None or evidence.kind(node) not in ("Neg", *RESHAPING, *kinds):
            break
        inner = [each for each in operands(node) if each is not None]
        if len(inner) != 1:
            break
        node = inner[0]
    return node


MOST_BETWEEN = 8
"""Operations that a line of a loss may have around a factor; a graph may have a million."""


def find_focal(evidence: Evidence) -> Match | None:
    """Find a cross-entropy times a power of the probability itself: `pt ** gamma * ce`."""
    for node in evidence.nodes:
        sides = operands(node) if evidence.kind(node) == "Mul" else []
        for factor, term in (sides, sides[::-1]) if len(sides) == 2 else ():
            power, entropy = alone(evidence, factor, "Mul"), alone(evidence, term, "Mul")
            if evidence.kind(power) != "Pow" or entropy is None:
                continue
            base = alone(evidence, operands(power)[0], "Add", *CLAMPS)
            inside = alone(evidence, next(iter(operands(base)), None), "Add")
            logged = evidence.kind(entropy) == "Log"
            logarithm = alone(evidence, operands(entropy)[0], "Add", *CLAMPS) if logged else None
            if (evidence.kind(base) == "Exp" and inside is entropy) or logarithm is base:
                line = evidence.node_line(power)
                parts = {"where": evidence.context.where(line)}
                said = rounded(tree_at(line))
                if said:
                    cure = evidence.context.say("cure_focal_by", old=said[0], instead=said[1])
                else:
                    cure = evidence.context.say("cure_focal")
                return Match({**parts, "cure": cure}, (), (power,))
    return None


def tree_at(line: Statement | None) -> ast.AST | None:
    return None if line is None else tree_of_line(line)


def rounded(tree: ast.AST | None) -> tuple[str, str] | None:
    """Return the power in a line, and that of what is missing to 1."""
    for node in ast.walk(tree or ast.Pass()):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            text, exponent = ast.unparse(node.left), ast.unparse(node.right)
            return ast.unparse(node), f"(1 - {text}) ** {exponent}"
        if isinstance(node, ast.Call) and last_name(node) == "pow":
            given = (
                node.args if len(node.args) > 1 else [getattr(node.func, "value", None), *node.args]
            )
            if len(given) == 2 and all(isinstance(each, ast.expr) for each in given):
                text, exponent = (ast.unparse(each) for each in given if each is not None)
                return ast.unparse(node), f"(1 - {text}) ** {exponent}"
    return None


LINEAR = ("Addmm", "Mm", "Bmm", "Convolution", "Add")
"""Operations whose results may have any sign and size."""

THROUGH = ("Mean", "Sum", "Rsub", "Sub", "Neg", "Mul", "Add", "Div", *RESHAPING)


def find_ratio(evidence: Evidence) -> Match | None:
    """Find an overlap of scores divided by their sum, where scores are not between 0 and 1."""
    root = None if evidence.root is None else evidence.root.grad_fn
    for node in through(evidence, root, THROUGH) if root is not None else ():
        if evidence.kind(node) != "Div" or None in operands(node) or len(operands(node)) != 2:
            continue
        above, below = ([*sums(evidence, each)] for each in operands(node))
        overlaps = [alone(evidence, s, "Mul") for s in above if evidence.kind(s) == "Mul"]
        for scores in overlaps:
            raw = alone(evidence, scores, "UpsampleNearest2D", "UpsampleBilinear2D")
            plain = [s for s in below if alone(evidence, s) is scores]
            if not plain or evidence.kind(raw) not in LINEAR or bounded_by_hand(evidence, raw):
                continue
            line = evidence.node_line(node)
            parts = {
                "where": evidence.context.where(line),
                "instead": squashed(evidence, raw, line),
            }
            return Match(parts, (), (node,))
    return None


def bounded_by_hand(evidence: Evidence, node: Any) -> bool:
    """Return whether a sum is one of results, and not of a layer and its bias."""
    if evidence.kind(node) != "Add":
        return False
    inner = [evidence.kind(each) for each in operands(node) if each is not None]
    return not any(kind in (*LINEAR, "UnsafeView", "View") for kind in inner)


def through(evidence: Evidence, node: Any, kinds: tuple[str, ...]) -> Iterator[Any]:
    """Yield the operations that a result is computed by, down to the first of another kind."""
    found, new = {id(node): node}, [node]
    while new and len(found) < MOST_NODES:
        each = new.pop()
        for inner in operands(each) if evidence.kind(each) in kinds else ():
            if inner is not None and id(inner) not in found:
                found[id(inner)] = inner
                new.append(inner)
    yield from found.values()


def sums(evidence: Evidence, node: Any) -> Iterator[Any]:
    """Yield what is summed up in a term."""
    for each in through(evidence, node, ("Add", "Sub", "Mul", "Neg", "Rsub", *RESHAPING)):
        if evidence.kind(each) in ("Sum", "Mean"):
            yield alone(evidence, operands(each)[0])


def squashed(evidence: Evidence, node: Any, line: Statement | None) -> str:
    """Return a call of the loss with a sigmoid around its scores, or the sigmoid alone."""
    shape, library = evidence.shape(node), library_of(evidence)
    wide = len(shape) > 3 and shape[1] > 1
    start, end = (f"{library}.softmax(", ", 1)") if wide else (f"{library}.sigmoid(", ")")
    for statement in evidence.repeated:
        for call in calls_in(getattr(statement.tree, "value", None)):
            function = evidence.object(call.func)
            own = type(function) if is_module(function) else function
            if len(call.args) < 2 or own is None or is_library(own):
                continue
            for place, given in enumerate(call.args):
                made = isinstance(given, ast.Call) and evidence.object(given.func)
                if is_module(made) or getattr(evidence.object(given), "requires_grad", False):
                    texts = [ast.unparse(each) for each in call.args]
                    texts[place] = f"{start}{texts[place]}{end}"
                    return f"{ast.unparse(call.func)}({', '.join(texts)})"
    known = evidence.context.variables
    named = [n for n in sorted(names_in(tree_at(line))) if is_result(known.get(n))]
    return f"{start}{(named or ['scores'])[0]}{end}"


def is_result(value: Any) -> bool:
    return bool(getattr(value, "requires_grad", False)) and value.numel() > 1


DISTANCES = ("MseLoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "Sub")
LENGTHS = ("Mean", "Sum", "Pow", "Abs", "Sqrt", "LinalgVectorNorm", "Norm", "Mul", "Div", "Neg",
           "Rsub", *RESHAPING)  # fmt: skip

NORMS = ("Expand", "Clone", "ClampMin", "LinalgVectorNorm")
"""What divides a row by its length."""


def find_pull(evidence: Evidence) -> Match | None:
    """Find a loss that is the distance of two results of one model, and nothing else."""
    node = None if evidence.root is None else evidence.root.grad_fn
    turned = squared = False
    while node is not None and evidence.kind(node) in LENGTHS:
        inner = operands(node)
        if len(inner) == 2 and None not in inner:
            break
        turned ^= evidence.kind(node) in ("Neg", "Rsub")
        squared |= evidence.kind(node) in ("Pow", "Abs", "LinalgVectorNorm", "Norm")
        node = next((each for each in inner if each is not None), None)
    kind, sides = evidence.kind(node), operands(node)
    if len(sides) != 2 or None in sides or sides[0] is sides[1]:
        return None
    lengths = [evidence.kind((operands(side) * 2)[1]) if operands(side) else "" for side in sides]
    unit = all(evidence.kind(s) == "Div" for s in sides) and {*lengths} <= {*NORMS}
    far = kind in DISTANCES and not turned and (squared or kind != "Sub")
    if not (far or (kind == "Mul" and turned and unit)) or not same_model(evidence, sides):
        return None
    if not finite(evidence.root):  # NaN is another matter
        return None
    line = evidence.node_line(node)
    parts = {"where": evidence.context.where(line), "library": library_of(evidence)}
    one, other = names_of_sides(tree_at(line))
    return Match({**parts, "one": one, "other": other}, (), (node,))


def same_model(evidence: Evidence, sides: list[Any]) -> bool:
    """Return whether two results depend on the same parameters, and neither adds a constant."""
    leaves = [{id(n.variable) for n in nodes_from([s]) if is_accumulate(n)} for s in sides]
    kinds = {evidence.kind(node) for node in evidence.nodes}
    shifted = any(
        evidence.kind(side) in ("Add", "Sub", "Rsub", "Where") and None in [*operands(side), side]
        for side in sides
    ) or any(evidence.kind(side) == "Rsub" for side in sides)
    normalized = any("BatchNorm" in kind for kind in kinds)
    derived = any("autograd.grad(" in text or "create_graph" in text for text in evidence.code)
    layers = [any(evidence.kind(n) in LINEAR[:4] for n in nodes_from([side])) for side in sides]
    same = bool(leaves[0]) and leaves[0] == leaves[1] and all(layers)
    return same and not (shifted or normalized or derived)


def names_of_sides(tree: ast.AST | None) -> tuple[str, str]:
    """Return the two sides of a difference or a distance in a line, if they are names."""
    for node in ast.walk(tree or ast.Pass()):
        sides: list[ast.expr] = []
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub | ast.Mult):
            sides = [node.left, node.right]
        elif isinstance(node, ast.Call) and len(node.args) > 1:
            sides = node.args[:2]
        if len(sides) == 2 and all(isinstance(each, ast.Name) for each in sides):
            return ast.unparse(sides[0]), ast.unparse(sides[1])
    return "z1", "z2"


CLASSES = training(
    net="T.nn.Linear(3, 2)",
    data="T.randn(8, 3), T.arange(8) % 2",
    inside="""
ce = T.nn.functional.cross_entropy(net(x), y, reduction="none")
pt = T.exp(-ce)
loss = ({factor} * ce).mean()""",
)

FOCAL = Rule(
    key="focal_inverted",
    chapter="16",
    en=Words(
        "a focus on what is known",
        "The power{where} multiplies the cross-entropy by the probability of the right class: the "
        "worse a prediction is, the less it counts, and a sure mistake costs nothing.",
        "{cure}",
    ),
    zh=Words(
        "只关注已经学会的样本",
        "幂{where}把交叉熵乘以正确类别的概率：预测越差，权重越小，十分确定的错误不花任何代价。",
        "{cure}",
    ),
    find=find_focal,
    broken=CLASSES.format(factor="pt.pow(2)"),
    sound=CLASSES.format(factor="(1 - pt).pow(2)"),
)

MASKS = training(
    net="T.nn.Conv2d(1, 1, 3, padding=1)",
    opt=0.01,
    data="T.randn(4, 1, 6, 6), None",
    before="y = (x > 0).float()",
    inside="""
p = {given}
loss = 1 - 2 * (p * y).sum() / (p.sum() + y.sum() + 40)""",
)

RATIO = Rule(
    key="ratio_of_scores",
    chapter="16",
    en=Words(
        "an overlap of scores",
        "The overlap{where} is divided by a sum of scores, which have any sign: only with numbers "
        "between 0 and 1 is this the share of an overlap.",
        "Give it probabilities: `{instead}`.",
    ),
    zh=Words(
        "用分数计算的重叠",
        "重叠{where}除以分数之和，而分数可正可负：只有 0 到 1 之间的数，这个比值才是重叠的份额。",
        "请给它概率：`{instead}`。",
    ),
    find=find_ratio,
    broken=MASKS.format(given="net(x)"),
    sound=MASKS.format(given="T.sigmoid(net(x))"),
)

PAIRS = training(
    net="T.nn.Linear(3, 2)",
    data="T.randn(8, 3), None",
    inside="""
z1, z2 = net(x + 0.1 * T.randn(8, 3)), net(x)
loss = T.nn.functional.{loss}""",
)

PULL = Rule(
    key="only_pulls",
    chapter="16",
    en=Words(
        "a loss that only pulls together",
        "The loss is the distance of two results of the same model{where}, and nothing else: one "
        "result for all inputs makes it 0, so the results collapse.",
        "Push others apart: `{library}.nn.functional.cross_entropy({one} @ {other}.T / 0.2, "
        "{library}.arange(len({one})))`, with rows of length 1.",
    ),
    zh=Words(
        "只会拉近的损失",
        "损失只是同一个模型的两个结果之间的距离{where}：所有输入都给出同一个结果时它就是 0，所以结"
        "果会坍缩。",
        "请同时推开其他样本：`{library}.nn.functional.cross_entropy({one} @ {other}.T / 0.2, "
        "{library}.arange(len({one})))`，各行的长度为 1。",
    ),
    find=find_pull,
    broken=PAIRS.format(loss="mse_loss(z1, z2)"),
    sound=PAIRS.format(loss="cross_entropy(z1 @ z2.T, T.arange(8))"),
)
