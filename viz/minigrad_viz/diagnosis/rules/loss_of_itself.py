"""A loss that compares a result with itself."""

from __future__ import annotations

import ast
import re

from ...model.program_text import Statement, assigned
from ...model.values import bare, has_numbers
from ..syntax import calls_in, last_name, subject_of
from .copied_loss import copied_by
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words
from .shuffled_apart import is_loss


def find(evidence: Evidence) -> Match | None:
    root = evidence.root
    if (match := find_divergence(evidence)) is not None:
        return match
    if root is None or root.numel() != 1 or not has_numbers(root) or float(bare(root).item()) != 0:
        return None
    for statement in evidence.lines:
        for call in calls_in(statement.tree):
            if len(call.args) > 1 and is_loss(evidence, call):
                first, second = (without_copies(each) for each in call.args[:2])
                line = evidence.context.line(statement)
                if first == second and first.isidentifier():
                    cure = evidence.context.say("cure_loss_of_data", name=first)
                    return Match({"line": line, "name": first, "cure": cure}, (first,))
                if (alias := alias_of(evidence, first, second)) is not None:
                    made, copied = evidence.context.line(alias), f"{first}.detach().clone()"
                    parts = {"made": made, "name": second, "instead": copied}
                    cure = evidence.context.say("cure_loss_of_alias", **parts)
                    return Match({"line": line, "name": first, "cure": cure}, (first, second))
    return None


def find_divergence(evidence: Evidence) -> Match | None:
    """Find a divergence between a softmax and another one of the same scores."""
    for statement in (*evidence.lines, *evidence.repeated):
        for call in calls_in(statement.tree):
            if (
                last_name(call) != "kl_div"
                and type(evidence.object(call.func)).__name__ != "KLDivLoss"
            ):
                continue
            scores = [scores_of(each) for each in call.args[:2]]
            if len(scores) == 2 and scores[0] and scores[0] == scores[1]:
                cure = evidence.context.say("cure_divergence_of_itself", name=scores[0])
                line = evidence.context.line(statement)
                return Match({"line": line, "name": scores[0], "cure": cure}, (scores[0],))
    return None


def scores_of(tree: ast.expr) -> str:
    """Return the text of the scores in `softmax(scores, 1)`, or ""."""
    while (inside := copied_by(tree)) is not None:
        tree = inside
    if isinstance(tree, ast.Call) and last_name(tree) in ("softmax", "log_softmax"):
        text = subject_of(tree)
        return "" if "(" in text else text  # each call of a model may drop other units
    return ""


def alias_of(evidence: Evidence, first: str, second: str) -> Statement | None:
    """Return the line `target = made` by which two variables are one tensor, or None."""
    for statement in evidence.lines:
        value = getattr(statement.tree, "value", None)
        if isinstance(value, ast.Name) and value.id == first:
            if isinstance(statement.tree, ast.Assign) and assigned(statement.tree) == {second}:
                return statement
    return None


def without_copies(value: ast.expr) -> str:
    """Return the text of an expression without `detach()`, `clone()` and `data`."""
    while (inside := copied_by(value)) is not None:
        value = inside
    return ast.unparse(value)


def find_same_pair(evidence: Evidence) -> Match | None:
    """Find a triplet loss whose positive and negative are the same."""
    for statement in evidence.lines:
        for call in calls_in(statement.tree):
            kind = type(evidence.object(call.func)).__name__
            if len(call.args) < 3 or not (
                last_name(call).startswith("triplet_margin") or kind.startswith("TripletMargin")
            ):
                continue
            anchor, positive, negative = (without_copies(each) for each in call.args[:3])
            if positive == negative or anchor == negative:
                same = 1 if positive == negative else 0
                parts = {"line": evidence.context.line(statement), "t": negative}
                parts["other"] = evidence.context.say(("the_anchor", "the_positive")[same])
                return Match(parts, (negative,))
    return None


def find_swapped(evidence: Evidence) -> Match | None:
    """Find a triplet loss that gets a "negative" before a "positive"."""
    for statement in evidence.lines:
        for call in calls_in(statement.tree):
            kind = type(evidence.object(call.func)).__name__
            known = last_name(call).startswith("triplet_margin") or kind.startswith("TripletMargin")
            if known and len(call.args) > 2:
                second, third = (ast.unparse(each) for each in call.args[1:3])
                if NEGATIVE.search(second) and POSITIVE.search(third):
                    line = evidence.context.line(statement)
                    return Match({"line": line, "second": second, "third": third})
    return None


NEGATIVE, POSITIVE = (re.compile(rf"(?<![a-z]){word}(ative|itive|s)?(?![a-z])", re.I)
                      for word in ("neg", "pos"))  # fmt: skip


PROGRAM = training(
    net="T.nn.Linear(3, 3)",
    data="",
    before="x = T.randn(8, 3)",
    inside="made = net(x)\nloss = T.nn.functional.mse_loss(made, {target})",
)

RULE = Rule(
    key="loss_of_itself",
    chapter="16",
    en=Words(
        "a loss of a result and itself",
        "{line} compares `{name}` with itself, so it is 0 whatever the model does.",
        "{cure}",
    ),
    zh=Words(
        "损失比较的是同一个结果",
        "{line}把 `{name}` 与它自己比较，所以无论模型怎样，它都是 0。",
        "{cure}",
    ),
    find=find,
    broken=PROGRAM.format(target="made.detach()"),
    sound=PROGRAM.format(target="x"),
    before=("constant_penalty", "flat_output", "zero"),
)

TRIPLET = training(
    net="T.nn.Linear(3, 3)",
    data="",
    before="a, p, n = T.randn(8, 3), T.randn(8, 3), T.randn(8, 3)",
    inside="loss = T.nn.functional.triplet_margin_loss(net(a), net(p), net({third}), margin=9.0)",
)

SAME_PAIR = Rule(
    key="same_pair",
    chapter="16",
    en=Words(
        "a triplet of two",
        "{line} gives `{t}` as the negative, and it is {other} too: the two distances say the "
        "same, so nothing is learned from them.",
        "Give the samples of another class as the third argument.",
    ),
    zh=Words(
        "三元组里只有两个样本",
        "{line}把 `{t}` 当作负样本，而它也是{other}：两个距离没有区别，从中学不到东西。",
        "请把另一个类别的样本作为第三个参数。",
    ),
    find=find_same_pair,
    broken=TRIPLET.format(third="p"),
    sound=TRIPLET.format(third="n"),
    before=("flat_output", "zero"),
)

NAMED = training(
    net="T.nn.Linear(3, 3)",
    data="",
    before="anchor, positive, negative = T.randn(8, 3), T.randn(8, 3), T.randn(8, 3)",
    inside="loss = T.nn.functional.triplet_margin_loss(net(anchor), {pair}, margin=9)",
)

SWAPPED = Rule(
    key="triplet_swapped",
    chapter="16",
    en=Words(
        "a triplet in the wrong order",
        "{line} gives `{second}` as the positive and `{third}` as the negative: the loss takes the "
        "anchor, the positive and then the negative, so it pulls the wrong pair together.",
        "Write `{third}, {second}` there.",
    ),
    zh=Words(
        "三元组的顺序颠倒",
        "{line}把 `{second}` 当作正样本，把 `{third}` 当作负样本：这个损失依次取锚点、正样本、负样"
        "本，所以它把不该靠近的一对拉近了。",
        "请在那里写 `{third}, {second}`。",
    ),
    find=find_swapped,
    broken=NAMED.format(pair="net(negative), net(positive)"),
    sound=NAMED.format(pair="net(positive), net(negative)"),
)
