"""Rewards that miss: ends, indices, other actions, reversed returns, targets that learn."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from ...model.autograd_nodes import is_accumulate
from ...model.names import is_tensor
from ...model.program_text import Statement, assigned
from ...model.values import bare, has_numbers
from ..syntax import calls_in, last_name, names_in
from .attached_advantage import leaves
from .divergence_sign import factors
from .evidence import Evidence
from .policy_sign import REWARD
from .programs import training
from .rule import Match, Rule, Words
from .signs import definitions, values

ENDED = re.compile(
    r"^(is_)?(done|terminal|terminated|finished|ended|episode_over)s?(_(b|t|batch|flags?))?$", re.I
)
"""Names of flags that are 1 where an episode has ended."""

Sum = tuple[Statement, ast.BinOp, list[ast.expr]]
"""A line, a sum in it such as `reward + gamma * later`, and the factors but for the discount."""


def targets(evidence: Evidence) -> Iterator[Sum]:
    """Yield the sums with a product of a discount between 0 and 1."""
    for statement, value in values(evidence):
        for node in ast.walk(value):
            if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
                continue
            for side in (node.right, node.left):
                given = factors(side)
                counted = [f for f in given if is_discount(evidence, statement, f)]
                if len(counted) == 1 and len(given) > 1:
                    yield statement, node, [f for f in given if f is not counted[0]]


def is_discount(evidence: Evidence, statement: Statement, tree: ast.expr) -> bool:
    known = isinstance(tree, ast.Constant)
    value = tree.value if isinstance(tree, ast.Constant) else None
    if not known and isinstance(tree, ast.Name | ast.Attribute):
        value = evidence.object_at(statement, tree)
    return type(value) is float and 0 < value < 1


def made_as(evidence: Evidence, name: str) -> list[ast.expr]:
    return [value for names, value in definitions(evidence) if name in names]


def of_max(evidence: Evidence, tree: ast.expr, deep: int = 2) -> str:
    """Return whether an expression is a "value", `q.max(1)[0]`, or its "place", or ""."""
    if isinstance(tree, ast.Name):
        for each in (s.tree for s in evidence.lines if tree.id in assigned(s.tree)):
            pair = each.targets[0] if isinstance(each, ast.Assign) else None
            if isinstance(pair, ast.Tuple) and len(pair.elts) == 2 and is_max(each.value):  # type: ignore[union-attr]
                return "place" if ast.unparse(pair.elts[1]) == tree.id else "value"
        made = made_as(evidence, tree.id) if deep else []
        found = {of_max(evidence, value, deep - 1) for value in made}
        return found.pop() if len(found) == 1 else "value" if "value" in found else ""
    if isinstance(tree, ast.Subscript) and is_max(tree.value):
        return {"0": "value", "1": "place"}.get(ast.unparse(tree.slice), "")
    if isinstance(tree, ast.Attribute) and is_max(tree.value):
        return {"values": "value", "indices": "place"}.get(tree.attr, "")
    if isinstance(tree, ast.Call) and last_name(tree) in KEEPING:
        return of_max(evidence, getattr(tree.func, "value", tree.func), deep)
    called = last_name(tree) if isinstance(tree, ast.Call) else ""
    return {"argmax": "place", "max": "value", "amax": "value"}.get(called, "")


KEEPING = ("float", "squeeze", "unsqueeze", "detach", "view")


def is_max(tree: ast.expr) -> bool:
    return isinstance(tree, ast.Call) and last_name(tree) == "max"


def find_index(evidence: Evidence) -> Match | None:
    """Find a target that multiplies the discount by the number of an action."""
    for statement, _, given in targets(evidence):
        for factor in given:
            if of_max(evidence, factor) == "place":
                line = statement
                if isinstance(factor, ast.Name):
                    made = [s for s in evidence.lines if factor.id in assigned(s.tree)]
                    line = made[-1] if made else line
                parts = {"line": evidence.context.line(line), "t": ast.unparse(factor)}
                parts["used"] = evidence.context.where(statement)
                return Match(parts, (ast.unparse(factor),))
    return None


def find_ended(evidence: Evidence) -> Match | None:
    """Find a target that keeps the value of later states where the episode has ended."""
    for statement, node, given in targets(evidence):
        flags = [f for f in given if isinstance(f, ast.Name | ast.Attribute | ast.Call)]
        for flag in (f for f in flags if is_flag(evidence, statement, f)):
            text = ast.unparse(node)
            name = ast.unparse(flag)
            instead = re.sub(rf"\* {re.escape(name)}(?![\w.])", f"* (1 - {name})", text, count=1)
            if instead == text:
                instead = re.sub(rf"{re.escape(name)} \*", f"(1 - {name}) *", text, count=1)
            parts = {"line": evidence.context.line(statement), "t": name, "instead": instead}
            return Match(parts, (name,))
    return None


def is_flag(evidence: Evidence, statement: Statement, tree: ast.expr) -> bool:
    """Return whether an expression is 1 where an episode has ended, by its name and its numbers."""
    if isinstance(tree, ast.Call):
        inner = getattr(tree.func, "value", None)
        return (
            last_name(tree) in ("float", "unsqueeze")
            and inner is not None
            and is_flag(evidence, statement, inner)
        )
    name = tree.attr if isinstance(tree, ast.Attribute) else ast.unparse(tree)
    value = evidence.object_at(statement, tree)
    mostly = is_tensor(value) and has_numbers(value) and float(bare(value).float().mean()) > 0.5
    return bool(ENDED.match(name)) and not mostly and not any(map(TURNED.search, evidence.code))


TURNED = re.compile(
    r"1(\.0)? - \(?[\w.]*(done|term|finish|ended|over)|(float|int)\(not |= not "
    r"|~\(?[\w.]*(done|term)|0(\.0)? if \w*(done|term)\w* else 1|logical_not"
)
"""Text of a program that has flags of episodes that go on."""


def find_unused(evidence: Evidence) -> Match | None:
    """Find flags of ended episodes that no line reads, and a target without them."""
    for statement, node, given in targets(evidence):
        if len(given) != 1 or of_max(evidence, given[0]) != "value":
            continue
        flag, taken = unread_argument(evidence, statement) or unread_part(evidence, statement)
        if flag:
            text, factor = ast.unparse(node), ast.unparse(given[0])
            instead = text.replace(factor, f"{factor} * (1 - {flag})", 1)
            parts = {"line": evidence.context.line(statement), "t": flag, "instead": instead}
            return Match({**parts, "taken": taken}, (flag,))
    return None


def unread_argument(evidence: Evidence, statement: Statement) -> tuple[str, str] | None:
    """Return an argument of a line's function that the function never reads, and its first line."""
    known = evidence.entered.get(statement.place)
    tree, text = evidence.functions.get(known[0].__name__ if known else "", (None, ""))
    if tree is None:
        return None
    read = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    flags = [a.arg for a in tree.args.args if ENDED.match(a.arg) and a.arg not in read]
    return (flags[0], f"`{text.splitlines()[tree.lineno - 1].strip()}`") if flags else None


def unread_part(evidence: Evidence, statement: Statement) -> tuple[str, str]:
    """Return a part of a batch that no line around reads, and the line that takes it."""
    here = evidence.entered.get(statement.place, ("",))[0]
    lines = [s for s in evidence.lines if evidence.entered.get(s.place, ("",))[0] == here]
    for taken in (s for s in lines if s.loops == statement.loops and s.line <= statement.line):
        pair = taken.tree.targets[0] if isinstance(taken.tree, ast.Assign) else None
        names = [ast.unparse(e) for e in pair.elts] if isinstance(pair, ast.Tuple) else []
        flags = [n for n in names[3:] if ENDED.match(n) or (n == "d" and len(names) > 4)]
        flags += [n for n in names[1:3] if ENDED.match(n) and marks_some(evidence, taken, n)]
        alike = {*flags}  # `done = torch.tensor(d)` only gives the flags another name
        for each in (s for s in lines if s.loops == taken.loops):
            alike |= {t for t in assigned(each.tree) if ENDED.match(t) and loaded(each) & alike}
        inside = [s for s in lines if s.loops[: len(taken.loops)] == taken.loops]
        read = [s for s in inside if loaded(s) & alike and not assigned(s.tree) & alike]
        if len(flags) == 1 and not read:
            return max(alike, key=len), evidence.context.line(taken)
    return "", ""


def marks_some(evidence: Evidence, statement: Statement, name: str) -> bool:
    """Return whether a variable of a line has both 0 and 1, as ends among many samples have."""
    value = evidence.object_at(statement, ast.Name(name))
    known = is_tensor(value) and has_numbers(value) and value.numel() > 1
    return known and {*bare(value).float().reshape(-1).tolist()} == {0.0, 1.0}


def loaded(statement: Statement) -> set[str]:
    value = getattr(statement.tree, "value", statement.tree)
    return {
        n.id
        for n in ast.walk(value or ast.Pass())
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
    }


# --- Actions and returns


def find_fresh(evidence: Evidence) -> Match | None:
    """Find `log_prob` of a new draw, times a reward that another draw has earned."""
    for statement, value in values(evidence):
        for node in ast.walk(value):
            if not isinstance(node, ast.Call) or last_name(node) != "log_prob" or not node.args:
                continue
            drawn = node.args[0]
            fresh = {drawn.id} if isinstance(drawn, ast.Name) else set[str]()
            if fresh and not all(is_draw(v) for v in made_as(evidence, min(fresh))):
                continue
            if not fresh and not is_draw(drawn):
                continue
            for reward in rewards_times(evidence, statement, node):
                behind = origins(evidence, reward)
                others = [
                    n for n in sorted(behind - fresh) if any(map(is_draw, made_as(evidence, n)))
                ]
                if others and not behind & fresh:
                    parts = {"line": evidence.context.line(statement), "reward": reward}
                    call = ast.unparse(ast.Call(node.func, [ast.Name(others[0])], []))
                    return Match({**parts, "t": others[0], "instead": call}, (others[0],))
    return None


def is_draw(tree: ast.expr) -> bool:
    while isinstance(tree, ast.Subscript | ast.Call):
        if isinstance(tree, ast.Call) and last_name(tree) in ("sample", "multinomial"):
            return True
        inner = tree.func if isinstance(tree, ast.Call) else tree.value
        tree = inner.value if isinstance(inner, ast.Attribute) else inner
    return False


def rewards_times(evidence: Evidence, statement: Statement, node: ast.Call) -> Iterator[str]:
    """Yield the names of rewards by which log-probabilities are multiplied."""
    names = assigned(statement.tree)
    for _, value in values(evidence):
        for each in ast.walk(value):
            if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Mult):
                for one, other in ((each.left, each.right), (each.right, each.left)):
                    inside = any(n is node for n in ast.walk(one))
                    if inside or (isinstance(one, ast.Name) and one.id in names):
                        yield from (n for n in sorted(names_in(other)) if REWARD.search(n))


def origins(evidence: Evidence, name: str) -> set[str]:
    """Return the names from which a variable is computed, through functions of the program."""
    found, new = {name}, {name}
    while new and len(found) < MOST:
        trees = [v for each in new for v in made_as(evidence, each)]
        called = {last_name(call) for tree in trees for call in calls_in(tree)}
        for function in (evidence.functions[n][0] for n in called if n in evidence.functions):
            trees += [n.value for n in ast.walk(function) if isinstance(n, ast.Return) and n.value]
        new = {n for tree in trees for n in names_in(tree)} - found
        found |= new
    return found


MOST = 60


def find_reversed(evidence: Evidence) -> Match | None:
    """Find returns that are collected from the end on, and never turned round."""
    lines = [*dict.fromkeys((*evidence.lines, *evidence.written))]
    for statement in lines:
        for call in calls_in(statement.tree):
            owner = getattr(call.func, "value", None)
            if last_name(call) != "append" or owner is None or not call.args or not statement.loops:
                continue
            heads = [s for s in lines if s.file == statement.file and s.line == statement.loops[-1]]
            value = getattr(heads[0].tree, "value", None) if heads else None
            running = ast.unparse(call.args[0])
            if value is None or not goes_back(value) or not adds_up(lines, statement, running):
                continue
            others = "\n".join(s.text for s in lines if s.line != heads[0].line)
            learns = any("log_prob" in text or "log_softmax" in text for text in evidence.code)
            if learns and not BACK.search(others):
                parts = {"line": evidence.context.line(statement), "t": ast.unparse(owner)}
                parts |= {"head": evidence.context.line(heads[0])}
                return Match({**parts, "instead": f"{ast.unparse(owner)}.insert(0, {running})"})
    return None


BACK = re.compile(r"::-1|\.reverse\(|reversed\(|\.flip|insert\(|fliplr|flipud|appendleft")


def goes_back(tree: ast.expr) -> bool:
    """Return whether a loop goes over the numbers from the last to the first."""
    text = ast.unparse(tree)
    return text.endswith("[::-1]") or text.startswith("reversed(") or ", -1, -1)" in text


def adds_up(lines: list[Statement], use: Statement, running: str) -> bool:
    """Return whether a line of the loop is `running = reward + gamma * running`."""
    for line in lines:
        tree = line.tree
        if line.loops == use.loops and line.file == use.file and isinstance(tree, ast.Assign):
            if ast.unparse(tree.targets[0]) == running and isinstance(tree.value, ast.BinOp):
                products = [n for n in ast.walk(tree.value) if isinstance(n, ast.BinOp)]
                times = [n for n in products if isinstance(n.op, ast.Mult)]
                if any(running in map(ast.unparse, factors(n)) for n in times):
                    return isinstance(tree.value.op, ast.Add)
    return False


# --- What learns too

LOSSES = ("MseLoss", "SmoothL1Loss", "HuberLoss", "Sub")
LARGEST = ("Max", "Amax")


def find_learning(evidence: Evidence) -> Match | None:
    """Find `reward + gamma * q(next).max()` in a loss against results of the same parameters."""
    for node in evidence.nodes:
        before = [n for n, _ in node.next_functions if n is not None]
        if evidence.kind(node) not in LOSSES or len(before) != 2:
            continue
        for target, chosen in (before, before[::-1]):
            largest = discounted_largest(evidence, target)
            if largest is not None and leaves(target) & leaves(chosen):
                where = evidence.context.where(evidence.node_line(largest))
                return Match({"where": where}, (), (largest,))
    return None


def discounted_largest(evidence: Evidence, target: Any) -> Any:
    """Return the maximum of `constant + factor * maximum`, or None for another result."""
    node, kinds = target, set[str]()
    for _ in range(8):
        if node is None or is_accumulate(node):
            return None
        if evidence.kind(node) in LARGEST:
            return node if kinds == {"Add", "Mul"} else None
        before = [n for n, _ in node.next_functions if n is not None]
        if len(before) != 1:
            return None
        if evidence.kind(node) in ("Add", "Mul"):
            kinds.add(evidence.kind(node))
        node = before[0]
    return None


LEARNING = training(
    net="T.nn.Linear(3, 2)",
    data="",
    inside="""
state, after, reward = T.randn(8, 3), T.randn(8, 3), T.randn(8)
done = (T.arange(8) % 4 == 0).float()
chosen = net(state)[T.arange(8), T.arange(8) % 2]
target = reward + 0.9 * {later}
loss = (chosen - target{cut}).pow(2).mean()""",
)
LATER, CUT = "net(after).max(1)[0] * (1 - done)", ".detach()"

INDEX = Rule(
    key="index_for_value",
    chapter="16",
    en=Words(
        "the number of an action in place of its value",
        "{line} takes the place of the largest number, `{t}`, and the target{used} counts with it "
        "as if it were the value.",
        "Take the number itself, as `.max(1)[0]` or `.max(1).values` does.",
    ),
    zh=Words(
        "把动作的编号当作价值",
        "{line}取的是最大数的位置 `{t}`，而目标{used}把它当作价值来计算。",
        "请取那个数本身，例如 `.max(1)[0]` 或 `.max(1).values`。",
    ),
    find=find_index,
    broken=LEARNING.format(later="net(after).max(1)[1] * (1 - done)", cut=CUT),
    sound=LEARNING.format(later=LATER, cut=CUT),
)

FLAG = Rule(
    key="ended_kept",
    chapter="16",
    en=Words(
        "the value of a later state only at the end",
        "{line} multiplies the value of the next state by `{t}`, which is 1 where an episode has "
        "ended: only there does a later state count.",
        "Write `{instead}`.",
    ),
    zh=Words(
        "只在结束处才计入后面的价值",
        "{line}把下一个状态的价值乘以 `{t}`，它在一局结束的地方才是 1：只有那里才计入后面的状态。",
        "请写成 `{instead}`。",
    ),
    find=find_ended,
    broken=LEARNING.format(later="net(after).max(1)[0] * done", cut=CUT),
    sound=LEARNING.format(later=LATER, cut=CUT),
)

BATCHES = training(
    net="T.nn.Linear(3, 2)",
    data="",
    first="""
def batch():
    done = (T.arange(8) % 4 == 0).float()
    return T.randn(8, 3), T.arange(8) % 2, T.randn(8), T.randn(8, 3), done
""",
    inside="""
state, action, reward, after, done = batch()
with T.no_grad():
    later = net(after).max(1)[0]
    target = reward + 0.9 * later{ended}
loss = (net(state)[T.arange(8), action] - target).pow(2).mean()""",
)

UNUSED = Rule(
    key="ended_not_used",
    severity=2,
    chapter="16",
    en=Words(
        "a value after the end",
        "{taken} takes `{t}`, which no line uses: {line} also adds the value of a next state where "
        "the episode has ended.",
        "Write `{instead}`, with `{t}` as 0 and 1.",
    ),
    zh=Words(
        "结束之后的价值",
        "{taken}取出了 `{t}`，却没有一行使用它：{line}在已经结束的地方也加上了下一个状态的价值。",
        "请写成 `{instead}`，其中 `{t}` 是 0 和 1。",
    ),
    find=find_unused,
    broken=BATCHES.format(ended=""),
    sound=BATCHES.format(ended=" * (1 - done)"),
)

ACTING = training(
    net="T.nn.Linear(3, 4)",
    data="",
    before="D = T.distributions",
    inside="""
chances = D.Categorical(logits=net(T.randn(8, 3)))
action = chances.sample()
reward = (action == 2).float() + 0.1
loss = -(chances.log_prob({action}) * reward).mean()""",
)

FRESH = Rule(
    key="other_action",
    chapter="16",
    en=Words(
        "the chance of another action",
        "{line} takes the chance of a new draw, and `{reward}` is what `{t}` has earned: the "
        "reward says nothing of that draw.",
        "Write `{instead}` there.",
    ),
    zh=Words(
        "另一个动作的概率",
        "{line}取的是重新抽样的动作的概率，而 `{reward}` 是 `{t}` 得到的：它与新抽的动作无关。",
        "请在那里写 `{instead}`。",
    ),
    find=find_fresh,
    broken=ACTING.format(action="chances.sample()"),
    sound=ACTING.format(action="action"),
)

RETURNS = training(
    net="T.nn.Linear(3, 4)",
    data="",
    first="""
def returns(rewards):
    found, total = [], 0.0
    for reward in reversed(rewards):
        total = reward + 0.9 * total
        found.{store}
    return T.tensor(found)
""",
    inside="""
chosen = T.log_softmax(net(T.randn(8, 3)), 1)[:, 0]
loss = -(chosen * returns([0.5, 1.0] * 4)).mean()""",
)

REVERSED = Rule(
    key="returns_reversed",
    chapter="16",
    en=Words(
        "returns in reverse order",
        "{head} goes from the last reward to the first, and {line} collects the sums in that "
        "order: the first action gets the return of the last.",
        "Write `{instead}`, or call `{t}.reverse()` after the loop.",
    ),
    zh=Words(
        "顺序颠倒的回报",
        "{head}从最后一个奖励走到第一个，{line}按这个顺序收集：第一个动作得到的是最后一个的回报。",
        "请写成 `{instead}`，或者在循环之后调用 `{t}.reverse()`。",
    ),
    find=find_reversed,
    broken=RETURNS.format(store="append(total)"),
    sound=RETURNS.format(store="insert(0, total)"),
)

LEARNS = Rule(
    key="bootstrapped_target",
    severity=2,
    chapter="5",
    en=Words(
        "a target that learns too",
        "The target of the loss uses the largest value{where}, and keeps its history: the gradient "
        "also moves the target towards the prediction.",
        "Compute the target under no_grad, or call `.detach()` on it.",
    ),
    zh=Words(
        "目标也在学习",
        "损失的目标用到最大值{where}，又保留了历史：梯度也会把目标往预测的方向拉。",
        "请在 no_grad 之下计算目标，或者对它调用 `.detach()`。",
    ),
    find=find_learning,
    broken=LEARNING.format(later=LATER, cut=""),
    sound=LEARNING.format(later=LATER, cut=CUT),
)

RULES = (INDEX, FLAG, UNUSED, FRESH, REVERSED, LEARNS)
