"""Predictions made otherwise than in training: another mode or scale, or a wide `==`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from ...model.names import is_tensor
from ...model.program_text import Statement, assigned
from ...model.values import bare, has_numbers, shape_of
from ..finished import walks_from
from ..observed import ENOUGH, Spread
from ..syntax import calls_in, last_name, names_in
from .evaluation_mode import MODE_DEPENDENT
from .evidence import Evidence
from .programs import STEPS, training
from .rule import Match, Rule, Words

FAR, WIDER = 5.0, 10.0
"""Spreads between two means, and a ratio of two spreads, beyond which data are scaled otherwise."""


def find_mode(evidence: Evidence) -> Match | None:
    """Find a call without gradients of a learning model in training mode, if nothing ends it."""
    if any(".eval(" in text or ".train(" in text.replace(".train()", "") for text in evidence.code):
        return None
    context = evidence.context
    for name, module in evidence.modules:
        kinds = {
            type(each).__name__
            for each in module.modules()
            if each.training and any(kind in type(each).__name__ for kind in MODE_DEPENDENT)
            if getattr(each, "p", None) != 0
        }
        leaves = evidence.leaves or evidence.held.values()
        learns = any(p is leaf for p in module.parameters() for leaf in leaves)
        line = predicting_line(evidence, name) if kinds and learns else None
        if line is not None:
            parts = {"t": name, "line": context.line(line), "kinds": ", ".join(sorted(kinds))}
            return Match(parts, (name,))
    return None


def predicting_line(evidence: Evidence, name: str) -> Statement | None:
    """Return the line under no_grad() that calls a model once, by its name or a parameter's."""
    for statement in evidence.lines if is_validation(evidence) else ():
        calls = calls_in(statement.tree)
        calls = [call for call in calls if validates(evidence, statement, call)]
        models = (evidence.object_at(statement, call.func) for call in calls)
        if any(each is dict(evidence.modules)[name] for each in models):
            return statement
    given = {a.arg for tree, _ in evidence.functions.values() for a in tree.args.args}
    steps = {s.loops for s in evidence.passes}  # a step may use its own predictions
    for statement in (*evidence.lines, *evidence.written):
        if not re.search("no_grad|inference_mode", statement.block):
            continue
        if statement.loops in steps and not comes_after(evidence, statement):
            continue
        inner = [n for n in ast.walk(statement.tree or ast.Pass()) if isinstance(n, REPEATING)]
        for call in () if inner else calls_in(statement.tree):
            called = ast.unparse(call.func)
            if called == name or (called in given and called not in evidence.functions):
                return statement
    return None


VALIDATION = re.compile(r"(^|_)(val(id)?|validation|validate|test|eval|evaluate|dev)(_|$)", re.I)
"""Names of what is only looked at."""


def is_validation(evidence: Evidence) -> bool:
    """Return whether the asked loss is named for a validation, and no pass starts from it."""
    name = "" if evidence.root is None else evidence.context.name(evidence.root)
    return bool(VALIDATION.search(name)) and not walks_from(evidence, name)


def validates(evidence: Evidence, statement: Statement, call: ast.Call) -> bool:
    """Return whether a call's names, or that of its function, are those of a validation."""
    known = evidence.entered.get(statement.place)
    names = assigned(statement.tree) | {n for each in call.args for n in names_in(each)}
    names |= {known[0].__name__} if known else set()
    return any(map(VALIDATION.search, names))


def comes_after(evidence: Evidence, statement: Statement) -> bool:
    """Return whether a line of a loop follows its passes, which read nothing of what it gives."""
    around = [s for s in evidence.lines if s.loops == statement.loops]
    before = [s for s in around if s.line < statement.line and not s.block]
    given = assigned(statement.tree)
    walked = [s for s in evidence.passes if s.loops == statement.loops]
    later = walked and statement.line > walked[-1].line
    return bool(later) and not any(given & names_in(s.tree) for s in before)


REPEATING = (ast.ListComp, ast.GeneratorExp)
"""Several draws of one model are made on purpose."""


def find_scale(evidence: Evidence) -> Match | None:
    """Find a call without gradients on data of another scale than in training."""
    seen = evidence.seen
    spreads = [] if seen is None else [
        (evidence.name(seen.called[i].module), mine, seen.predicted[i])
        for i, mine in seen.trained.items() if i in seen.predicted
    ]  # fmt: skip
    for name, (mean, spread, line), other in spreads or written_spreads(evidence):
        if spread <= 0:
            continue
        apart = abs(other[0] - mean) / spread
        if apart > FAR or (other[1] > 0 and max(other[1] / spread, spread / other[1]) > WIDER):
            parts: dict[str, object] = {"t": name}
            mean = 0.0 if abs(mean) < spread / 1000 else mean
            parts |= {"mean": f"{mean:.3g}", "spread": f"{spread:.3g}"}
            parts |= {"other": f"{other[0]:.3g}", "wide": f"{other[1]:.3g}"}
            parts["where"] = "" if other[2] is None else evidence.context.where(other[2])
            parts["first"] = "" if line is None else evidence.context.where(line)
            return Match(parts, (name,))
    return None


def written_spreads(evidence: Evidence) -> Iterator[tuple[str, Spread, Spread]]:
    """Yield models with the data that the text gives them in training, and in a prediction."""
    named = is_validation(evidence)
    for name, module in evidence.modules:
        leaves = evidence.leaves or evidence.held.values()
        if not any(p is leaf for p in module.parameters() for leaf in leaves):
            continue
        found: dict[bool, Spread] = {}
        for statement, tree in given_to(evidence, name):
            off = bool(re.search("no_grad|inference_mode", statement.block))
            off = off or (named and bool(VALIDATION.search(ast.unparse(tree))))
            if (value := whole(evidence, tree)) is None:
                found = {} if off else {False: (0.0, 0.0, None)}  # prepared in the line itself
                break
            numbers = value.float()
            spread = float(numbers.mean().item()), float(numbers.std().item()), statement
            found.setdefault(off, spread)
        if len(found) == 2:
            yield name, found[False], found[True]


def given_to(evidence: Evidence, name: str) -> Iterator[tuple[Statement, ast.expr]]:
    """Yield the lines that call a model, with its argument, also in functions that get both."""
    for statement in evidence.lines:
        for call in calls_in(statement.tree):
            if ast.unparse(call.func) == name and call.args:
                yield statement, call.args[0]
            function = evidence.functions.get(last_name(call))
            if function is None:
                continue
            own = [each.arg for each in function[0].args.args]
            known = dict(zip(own, call.args, strict=False))
            for inner in evidence.written:
                if not function[0].lineno <= inner.line <= (function[0].end_lineno or 0):
                    continue
                for each in calls_in(inner.tree):
                    model = ast.unparse(known.get(ast.unparse(each.func), each.func))
                    if model == name and each.args:
                        root = source(each.args[0])
                        yield inner, known.get(ast.unparse(root), root)


def source(tree: ast.expr) -> ast.expr:
    """Return what an expression takes rows of, or gives another type or shape."""
    while True:
        if isinstance(tree, ast.Subscript):
            tree = tree.value
        elif isinstance(tree, ast.Call) and last_name(tree) in CASTS:
            tree = getattr(tree.func, "value", tree.func)
        else:
            return tree


CASTS = {"float", "double", "to", "cpu", "view", "reshape", "flatten", "unsqueeze", "squeeze"}


def whole(evidence: Evidence, tree: ast.expr) -> Any:
    """Return the data that an expression takes its rows from, or None."""
    value = evidence.object(source(tree))
    known = is_tensor(value) and has_numbers(value) and value.numel() >= ENOUGH
    return bare(value) if known and not value.requires_grad else None


def find_comparison(evidence: Evidence) -> Match | None:
    """Find `==` of a column with a row of as many numbers, and a sum or a mean of the answers."""
    for statement in evidence.lines:
        if not COUNTING & {last_name(call) for call in calls_in(statement.tree)}:
            continue  # a matrix of all pairs may be meant
        for node in ast.walk(statement.tree or ast.Pass()):
            if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
                continue
            sides = (node.left, node.comparators[0])
            values: list[Any] = [evidence.object(each) for each in sides]
            if not all(is_tensor(each) for each in values):
                continue
            shapes = [shape_of(each) for each in values]
            column = next((i for i in (0, 1) if shapes[i] == (*shapes[1 - i], 1)), None)
            if column is not None and len(shapes[1 - column]) == 1 and shapes[column][0] > 1:
                text, count = ast.unparse(sides[column]), shapes[column][0]
                parts = {"line": evidence.context.line(statement), "t": text, "count": count}
                return Match({**parts, "other": ast.unparse(sides[1 - column])}, (text,))
    return None


COUNTING = {"sum", "mean", "item", "count_nonzero"}

NET = (
    training(
        net="T.nn.Sequential(T.nn.Linear(3, 4), T.nn.BatchNorm1d(4), T.nn.Linear(4, 1))",
        data="x, y, later = T.randn(8, 3), T.randn(8, 1), {later}",
        turns="range(5)",
    )
    + "{before}\nwith T.no_grad():\n    found = net(later)\n"
)

MODE = Rule(
    key="predicts_in_training",
    severity=2,
    chapter="16",
    en=Words(
        "a prediction in training mode",
        "{line} predicts with `{t}` in training mode, which no line ends: its {kinds} compute "
        "there as in training, with the other samples of the batch or with units dropped.",
        "Call `{t}.eval()` before, and `{t}.train()` before training goes on.",
    ),
    zh=Words(
        "在训练模式下预测",
        "{line}在训练模式下用 `{t}` 预测，没有任何一行结束这个模式：它的 {kinds} 在那里仍按训练时计"
        "算，用到同批的其他样本，或丢掉一些单元。",
        "请在预测之前调用 `{t}.eval()`，继续训练之前调用 `{t}.train()`。",
    ),
    find=find_mode,
    broken=NET.format(later="T.randn(8, 3)", before="pass"),
    sound=NET.format(later="T.randn(8, 3)", before="net.eval()"),
)

SCALE = Rule(
    key="other_scale",
    severity=2,
    chapter="16",
    en=Words(
        "a prediction from data of another scale",
        "In training{first} `{t}` gets numbers around {mean} (spread {spread}), and in a "
        "prediction{where} around {other} (spread {wide}).",
        "Prepare the data of both by the same function, with the numbers of training.",
    ),
    zh=Words(
        "预测用的数据尺度不同",
        "训练时{first} `{t}` 得到的数在 {mean} 附近（分散度 {spread}），而预测时{where}在 {other} "
        "附近（分散度 {wide}）。",
        "请用同一个函数、用训练时的数值处理两者的数据。",
    ),
    find=find_scale,
    broken=NET.format(later="9 + T.randn(8, 3)", before="net.eval()"),
    sound=NET.format(later="T.randn(8, 3)", before="net.eval()"),
)

MARKED = training(
    data="T.randn(8, 3), (T.arange(8) % 2).float()",
    inside="loss = T.nn.functional.binary_cross_entropy_with_logits(net(x).squeeze(1), y)",
    steps=STEPS + "\nmarks = (net(x).detach() > 0).float(){same}\nright = (marks == y).sum()",
    turns="range(5)",
)

COMPARISON = Rule(
    key="broadcast_comparison",
    severity=2,
    chapter="6",
    en=Words(
        "a comparison that broadcasts",
        "{line} compares `{t}`, a column of {count}, with `{other}`, a row: it gives {count} times "
        "{count} answers, one for each pair.",
        "Write `{t}.squeeze(1)` there.",
    ),
    zh=Words(
        "会广播的比较",
        "{line}把 {count} 个数的一列 `{t}` 与一行 `{other}` 比较：得到 {count} 乘 {count} 个结果，"
        "每一对一个。",
        "请在那里写 `{t}.squeeze(1)`。",
    ),
    find=find_comparison,
    broken=MARKED.format(same=""),
    sound=MARKED.format(same=".squeeze(1)"),
)
