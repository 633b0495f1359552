"""Each iteration writes another model's weights over those that the optimizer has moved."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import Any

from ...model.either_library import version_of
from ...model.program_text import Statement
from ...model.values import bare
from ..objects import is_module
from ..reachable import held_by
from ..syntax import calls_in, last_name, names_in
from .evidence import Evidence, rates, tree_of
from .outcome import ANEW
from .programs import STEPS, training
from .rule import Match, Rule, Words
from .signs import definitions
from .small_steps import OF_A_RATE

WRITING = ("copy_", "add_", "lerp_", "mul_")
MOST = 0.5
"""Share of the other model's weights from which on a step is undone."""


def find(evidence: Evidence) -> Match | None:
    """Find `p.copy_(q)` over the parameters of a model that learns and of another, or the like."""
    if (loaded := find_loaded(evidence)) is not None:
        return loaded
    for head in evidence.repeated:
        pair = models_of(evidence, head)
        for statement in evidence.repeated if pair else ():
            if head.line not in statement.loops or statement.file != head.file or statement.arms:
                continue
            shares = [writes(evidence, c, *pair[:2]) for c in calls_in(statement.tree) if pair]
            shares += [sets(evidence, statement.tree, *pair[:2])] if pair else []
            if pair and max(shares, default=0.0) >= MOST:
                return describe(evidence, statement, pair[2], pair[3])
    return None


def describe(evidence: Evidence, line: Statement, model: str, other: str, to: str = "") -> Match:
    say = evidence.context.say
    cure = say("cure_write_as", instead=to) if to else say("cure_write", model=model, other=other)
    parts = {"line": evidence.context.line(line), "model": model, "other": other, "cure": cure}
    return Match(parts, (model,))


def find_loaded(evidence: Evidence) -> Match | None:
    """Find `net.load_state_dict(other.state_dict())`, where `net` learns and `other` never does."""
    for statement in evidence.repeated:
        loops = {p.loops for p in evidence.passes}
        walked = statement.loops in loops or (evidence.seen is not None and () in loops)
        for call in calls_in(statement.tree) if walked and is_regular(evidence, statement) else ():
            mine = getattr(call.func, "value", None)
            if last_name(call) != "load_state_dict" or len(call.args) != 1 or mine is None:
                continue
            state = state_of(evidence, call.args[0])
            if state is None:
                continue
            texts = [evidence.name_at(statement, each) for each in (mine, state)]
            other = evidence.object_at(statement, state)
            if [is_held(evidence, statement, each) for each in (mine, state)] == [True, False]:
                if all(version_of(p) <= ANEW for p in other.parameters()):
                    own, theirs = ast.unparse(mine), ast.unparse(state)
                    to = f"{theirs}.load_state_dict({own}.state_dict())"
                    return describe(evidence, statement, texts[0], texts[1], to)
    return None


def state_of(evidence: Evidence, tree: ast.expr) -> ast.expr | None:
    """Return the model of `model.state_dict()`, or of a variable with its state."""
    if isinstance(tree, ast.Name):
        made = [v for names, v in definitions(evidence) if names == {tree.id}]
        tree = made[0] if len(made) == 1 else tree
    state = isinstance(tree, ast.Call) and last_name(tree) == "state_dict"
    return getattr(tree.func, "value", None) if state and isinstance(tree, ast.Call) else None


def is_regular(evidence: Evidence, statement: Statement) -> bool:
    """Return whether a line runs in each turn, or in each of a number: `if step % 20 == 0`."""
    if not statement.arms:
        return True
    line = statement.arms[-1][0]
    trees = (n for text in evidence.texts for n in ast.walk(tree_of(text)))
    tests = [n.test for n in trees if isinstance(n, ast.If) and n.lineno == line]
    return any(isinstance(n, ast.Mod) for test in tests for n in ast.walk(test))


def find_rounded(evidence: Evidence) -> Match | None:
    """Find weights that are rounded after each step, to a grid that no step reaches across."""
    for statement in evidence.repeated:
        target, value = written(statement.tree)
        rounded = ROUNDING.search(value) and not DRAWN.search(value)
        if not rounded or not re.search(rf"\b{re.escape(target)}\b", value) or statement.arms:
            continue
        for _, optimizer in evidence.stepping:
            shares = [s for p in held_by(optimizer) for s in steps_on_grid(evidence, optimizer, p)]
            if shares and all(share < MOST for share in shares):
                share = f"{max(shares):.1g}"
                parts = {"line": evidence.context.line(statement), "t": target, "share": share}
                return Match(parts, (target,))
    return None


ROUNDING = re.compile(r"\b(round|floor|ceil|trunc|fix)_?\(")
DRAWN = re.compile(r"rand|bernoulli|uniform")


def written(tree: ast.stmt | None) -> tuple[str, str]:
    """Return the text of what a line writes to in place, and of what it writes there."""
    if isinstance(tree, ast.Assign) and isinstance(tree.targets[0], ast.Attribute | ast.Subscript):
        text = ast.unparse(tree.targets[0])
        name = text.removesuffix(".data").removesuffix("[:]").removesuffix("[...]")
        return (name, ast.unparse(tree.value)) if name != text else ("", "")
    call = tree.value if isinstance(tree, ast.Expr) else None
    owner = getattr(call.func, "value", None) if isinstance(call, ast.Call) else None
    if owner is None or not isinstance(call, ast.Call):
        return "", ""
    root = owner
    while isinstance(root, ast.Call):
        root = getattr(root.func, "value", root.func)
    name = ast.unparse(root).removesuffix(".data")
    if last_name(call) in ("copy_", "set_"):
        return name, ast.unparse(call.args[0]) if call.args else ""
    return name, ast.unparse(call)


def steps_on_grid(evidence: Evidence, optimizer: Any, weight: Any) -> list[float]:
    """Return how far a step moves a weight, as a share of the least difference of its numbers."""
    numbers = sorted({round(each, 7) for each in bare(weight).flatten().tolist()[:MOST_NUMBERS]})
    apart = [b - a for a, b in pairwise(numbers)]
    momentum = max(min(0.99, g.get("momentum", 0.0)) for g in optimizer.param_groups)
    rate, gradient = max(rates(optimizer), default=0.0), evidence.gradient(weight)
    moved = rate if type(optimizer).__name__ in OF_A_RATE else rate * gradient / (1 - momentum)
    even = len(apart) > 1 and all(abs(d / min(apart) % 1 - 0.5) > CLOSE for d in apart)
    return [moved / min(apart)] if even and moved > 0 else []


MOST_NUMBERS, CLOSE = 2000, 0.45


def models_of(evidence: Evidence, head: Statement) -> tuple[str, str, str, str] | None:
    """Return two variables of a loop, and the models whose parameters they are.

    The first model's are moved by an optimizer, the second's are not, and a pass stands in the loop
    around.
    """
    loop = head.tree
    call = getattr(loop, "value", None) or getattr(loop, "iter", None)
    targets = getattr(loop, "targets", None) or [getattr(loop, "target", None)]
    if not isinstance(call, ast.Call) or last_name(call) != "zip" or len(call.args) != 2:
        return None
    names = targets[0].elts if isinstance(targets[0], ast.Tuple) else []
    texts = [ast.unparse(each).removesuffix(".parameters()") for each in call.args]
    around = head.loops[:-1] if head.loops[-1:] == (head.line,) else head.loops
    walked = any(p.loops == around and p.file == head.file for p in evidence.passes)
    if len(names) != 2 or not walked or head.arms:
        return None
    trees = [ast.parse(text, mode="eval").body for text in texts]
    held = [is_held(evidence, head, tree) for tree in trees]
    texts = [evidence.name_at(head, tree) for tree in trees]
    if held == [True, False]:
        return ast.unparse(names[0]), ast.unparse(names[1]), texts[0], texts[1]
    if held == [False, True]:
        return ast.unparse(names[1]), ast.unparse(names[0]), texts[1], texts[0]
    return None


def is_held(evidence: Evidence, head: Statement, tree: ast.expr) -> bool | None:
    """Return whether optimizers hold a model's parameters, or None if it is no model."""
    module = evidence.object_at(head, tree)
    if module is None or not is_module(module):
        return None
    return any(id(p) in evidence.held for p in module.parameters())


def writes(evidence: Evidence, call: ast.Call, mine: str, other: str) -> float:
    """Return the share of `other` that a call writes into `mine`, or 0 if it is not known."""
    base: ast.expr = call.func
    while isinstance(base, ast.Attribute | ast.Call):
        base = base.func if isinstance(base, ast.Call) else base.value
    if ast.unparse(base) != mine or last_name(call) not in WRITING or not call.args:
        return 0.0
    if last_name(call) == "copy_":
        given = call.args[0]
        return share_in(evidence, given, other)
    if other not in names_in(call.args[0]):
        return 0.0
    alpha = next((w.value for w in call.keywords if w.arg in ("alpha", "weight")), None)
    alpha = call.args[1] if alpha is None and len(call.args) > 1 else alpha
    return 0.0 if alpha is None else number(evidence, alpha)


def sets(evidence: Evidence, tree: ast.stmt | None, mine: str, other: str) -> float:
    """Return the share of `other` in `mine.data = share * other.data + ...`, or 0."""
    if not isinstance(tree, ast.Assign) or ast.unparse(tree.targets[0]) != f"{mine}.data":
        return 0.0
    return share_in(evidence, tree.value, other)


def share_in(evidence: Evidence, value: ast.expr, other: str) -> float:
    """Return the factor of a tensor in a sum of products, or 0 if it is not known."""
    plain = ast.unparse(value).removesuffix(".data").removesuffix(".detach()")
    if plain == other:
        return 1.0
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        left, right = value.left, value.right
        return share_in(evidence, left, other) + share_in(evidence, right, other)
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        for factor, term in ((value.left, value.right), (value.right, value.left)):
            if (share := share_in(evidence, term, other)) != 0:
                return share * number(evidence, factor)
    return 0.0


def number(evidence: Evidence, tree: ast.expr) -> float:
    """Return the number of an expression of names and constants, or 0 if it is not known."""
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Sub):
        return number(evidence, tree.left) - number(evidence, tree.right)
    value: Any = tree.value if isinstance(tree, ast.Constant) else evidence.object(tree)
    return float(value) if type(value) in (int, float) else 0.0


PROGRAM = training(
    first="import copy\n\nnet = T.nn.Linear(3, 1)\nema = copy.deepcopy(net)",
    net="",
    data="",
    before="x, y, decay = T.randn(8, 3), T.randn(8, 1), 0.99",
    steps=STEPS
    + "\nwith T.no_grad():\n"
    + "    for p, e in zip(net.parameters(), ema.parameters()):\n        {write}",
)

RULE = Rule(
    key="written_back",
    chapter="15",
    en=Words(
        "weights written in the wrong direction",
        "{line} writes the weights of `{other}` into `{model}` again and again, which undoes what "
        "the optimizer has learned.",
        "{cure}",
    ),
    zh=Words(
        "权重写反了方向",
        "{line}一再把 `{other}` 的权重写进 `{model}`，这就撤销了优化器学到的东西。",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(write="p.mul_(1 - decay).add_(e, alpha=decay)"),
    sound=PROGRAM.format(write="e.mul_(decay).add_(p, alpha=1 - decay)"),
    before=("unmoved",),
)

GRID = training(
    before="T.manual_seed(0)",
    opt="T.optim.Adam(net.parameters(), lr=0.001)",
    steps=f"{STEPS}\nwith T.no_grad():\n    for p in net.parameters():\n        {{write}}",
)

ROUNDED = Rule(
    key="rounded_back",
    chapter="14",
    en=Words(
        "weights rounded after each step",
        "{line} rounds `{t}` after each step, and a step moves it by {share} of the distance to "
        "the next rounded number at most: rounding undoes the step.",
        "Take that line out of the loop: round once after training, or round a copy in `forward`.",
    ),
    zh=Words(
        "每一步之后都取整的权重",
        "{line}在每一步之后把 `{t}` 取整，而一步最多只移动到下一个取整数的距离的 {share}：取整撤"
        "销了这一步。",
        "请把这一行移出循环：训练之后只取整一次，或者在 `forward` 里对副本取整。",
    ),
    find=find_rounded,
    broken=GRID.format(write="p.copy_(T.round(p * 8) / 8)"),
    sound=GRID.format(write="p.copy_(p.clamp(-1, 1))"),
    before=("unmoved", "not_learned", "small_steps"),
)
