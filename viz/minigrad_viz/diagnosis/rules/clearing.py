"""Gradients that are cleared between the pass and the step, or never."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from ...model.program_text import Statement, receivers
from ..reachable import held_by
from ..syntax import calls_in, last_name, root_of_pass
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

CLEARING = re.compile(r"zero_grad|\.grad\s*=[^=]|\.grad(\.data)?\.(zero_|fill_)|autograd\.grad\(")


def find_between(evidence: Evidence) -> Match | None:
    if evidence.seen is not None:
        return None  # it has watched the gradients
    optimizers = last_parts(name for name, _ in evidence.optimizers)
    for name in sorted(optimizers):
        others = optimizers - {name}
        for before, clearing, step in clearing_lines(evidence.lines, name, others):
            again = [s for s in evidence.passes if s.loops == before.loops and s != before]
            if again and not before.line < clearing.line < step.line:
                continue  # lines of several functions, and the other pass may run between them
            line = evidence.context.line
            parts = {"line": line(clearing), "before": line(before), "step": line(step)}
            return Match({**parts, "clearing": clearing.text}, (name,))
    return None


def last_parts(names: Iterable[str]) -> set[str]:
    """Return `optimizer` for `self.optimizer`: a class and its caller name an object otherwise."""
    return {name.rpartition(".")[2] for name in names}


def owners(statement: Statement, method: str) -> set[str]:
    """Return the last parts of the objects whose method a line calls: `optimizer`."""
    called = (c.func for c in calls_in(statement.tree) if last_name(c) == method)
    return last_parts(ast.unparse(f.value) for f in called if isinstance(f, ast.Attribute))


def find_stepped_first(evidence: Evidence) -> Match | None:
    """Find a loop that clears the gradients, steps, and only then starts the pass."""
    optimizers = last_parts(name for name, _ in evidence.optimizers)
    for rounds in two_rounds(evidence):
        for name in sorted(optimizers):
            for before, clearing, step in clearing_lines(rounds, name, optimizers - {name}):
                if rounds.index(step) > rounds.index(before):
                    continue
                line = evidence.context.line
                parts = {"line": line(step), "walk": line(before), "clearing": line(clearing)}
                return Match({**parts, "step": step.text, "before": before.text}, (name,))
    return None


def two_rounds(evidence: Evidence) -> Iterator[list[Statement]]:
    """Yield the lines of each loop around a pass, as they run in two iterations."""
    for loops, file in dict.fromkeys((s.loops, s.file) for s in evidence.passes if s.loops):
        inside = [s for s in evidence.lines if (s.loops, s.file) == (loops, file) and not s.arms]
        yield [*inside, *inside]


def clearing_lines(
    statements: Iterable[Statement], name: str, others: set[str]
) -> Iterator[tuple[Statement, Statement, Statement]]:
    """Yield lines with backward(), zero_grad() and step() that follow in this order.

    Other optimizers may clear their own gradients there.
    """
    order: list[Statement] = []
    for statement in statements:
        if any(map(root_of_pass, calls_in(statement.tree))):
            order = [statement]
        elif owners(statement, "zero_grad") - others and len(order) == 1:
            order.append(statement)
        elif name in owners(statement, "step"):
            if len(order) == 2 and len({each.loops for each in (*order, statement)}) == 1:
                yield order[0], order[1], statement
            order = []


def find_lost_pass(evidence: Evidence) -> Match | None:
    """Find two passes from different losses with `zero_grad()` between them, and one step.

    A program that reads gradients may use the first pass itself.
    """
    if evidence.reads_gradients:
        return None
    for loops, file in dict.fromkeys((s.loops, s.file) for s in evidence.passes if s.loops):
        order: list[Statement] = []
        for statement in evidence.lines:
            if (statement.loops, statement.file) != (loops, file) or statement.arms:
                continue
            walked = receivers(statement, "backward")
            cleared, stepped = owners(statement, "zero_grad"), owners(statement, "step")
            if walked and cleared | stepped:
                break  # one line does all
            if walked and len(order) == 2 and not walked & receivers(order[0], "backward"):
                order.append(statement)
            elif walked:
                order = [statement]
            elif cleared and len(order) == 1:
                order.append(statement)
            elif stepped and len(order) == 3 and stepped & owners(order[1], "zero_grad"):
                line = evidence.context.line
                parts = {"line": line(order[1]), "before": line(order[0])}
                return Match({**parts, "after": line(order[2]), "step": line(statement)})
            elif stepped:
                order = []
    return None


def find_never(evidence: Evidence) -> Match | None:
    """Find a loop whose text clears no gradient anywhere."""
    if evidence.seen is not None:
        return None
    if any(CLEARING.search(text) for text in evidence.code):
        return find_other_cleared(evidence)
    looped = [s for s in evidence.passes if receivers(s, "backward") and s.loops]
    if (
        not looped
        or not evidence.leaves
        or not all(evidence.gradient(t) > 0 for t in evidence.leaves)
    ):
        return None
    line = evidence.context.line(looped[-1])
    if not evidence.stepping:
        changed = [name for s in evidence.repeated if (name := changed_by_hand(s))]
        texts = [f"{name}.grad = " for name in dict.fromkeys(changed)]
        return describe(evidence, line, "by_hand", "".join(texts) + "None") if texts else None
    for name, _ in evidence.stepping:
        steps = [s for s in evidence.calls("step", name) if s.loops]
        if steps and looped[-1].loops[-1] in steps[-1].loops:
            return describe(evidence, line, "call", f"{name}.zero_grad()", name)
    return None


def describe(evidence: Evidence, line: str, kind: str, instead: str, *names: str) -> Match:
    cure = evidence.context.say(f"cure_never_cleared_{kind}", instead=instead)
    return Match({"line": line, "cure": cure}, names)


def changed_by_hand(statement: Statement) -> str:
    """Return `p` for `p.data -= rate * p.grad`, `p.data = p - ...` or `p.sub_(...)`, or ""."""
    match statement.tree:
        case (
            ast.AugAssign(target=changed, op=ast.Sub(), value=value)
            | ast.Assign(targets=[ast.Attribute(attr="data") as changed], value=value)
            | ast.Expr(ast.Call(ast.Attribute(changed, "sub_" | "add_" | "copy_"), [*_, value]))
        ):
            name = ast.unparse(changed).removesuffix(".data")
            return name if f"{name}.grad" in ast.unparse(value) else ""
    return ""


def find_other_cleared(evidence: Evidence) -> Match | None:
    """Find an optimizer whose gradients no line clears, while lines clear those of others."""
    code = "\n".join(evidence.code)
    if any(CLEARING.search(text.replace("zero_grad", "")) for text in evidence.code):
        return None
    cleared = set(re.findall(r"([\w.]+)\.zero_grad\(", code))
    known, modules = dict(evidence.stepping), dict(evidence.modules)
    if not cleared <= known.keys() | modules.keys():
        return None
    safe = {id(t) for name in cleared & known.keys() for t in held_by(known[name])}
    safe |= {id(t) for name in cleared & modules.keys() for t in modules[name].parameters()}
    for name in known.keys() - cleared:
        steps = [s for s in evidence.calls("step", name) if s.loops]
        held = held_by(known[name])
        moved = [t for t in held if t.grad is not None and id(t) not in safe]
        if steps and len(moved) == len(held):
            line = evidence.context.line(steps[-1])
            return describe(evidence, line, "call", f"{name}.zero_grad()", name)
    return None


PROGRAM = training(
    inside="{first}\nloss = (net(x) - y).pow(2).mean()",
    steps="loss.backward()\n{second}\nopt.step()",
)

ORDER = """
net = T.nn.Linear(3, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 3), T.randn(8, 1)
for i in range(4):
    {first}
    loss = (net(x) - y).pow(2).mean()
    {steps}
"""

BETWEEN = Rule(
    key="cleared_between",
    chapter="11",
    en=Words(
        "gradients cleared too early",
        "{line} clears the gradients between {before} and {step}, so the step finds none and "
        "changes nothing.",
        "Move `{clearing}` before the backward pass.",
    ),
    zh=Words(
        "梯度清零过早",
        "{line}在{before}和{step}之间清除了梯度，所以这一步找不到梯度，什么也不改变。",
        "请把 `{clearing}` 移到反向传播之前。",
    ),
    find=find_between,
    broken=PROGRAM.format(first="pass", second="opt.zero_grad()"),
    sound=PROGRAM.format(first="opt.zero_grad()", second="pass"),
)

STEPPED_FIRST = Rule(
    key="stepped_first",
    chapter="11",
    en=Words(
        "a step before the backward pass",
        "{line} runs before {walk}, and {clearing} has cleared the gradients of the former "
        "iteration: each step finds none and changes nothing.",
        "Move `{step}` after `{before}`.",
    ),
    zh=Words(
        "反向传播之前的更新",
        "{line}在{walk}之前运行，而{clearing}已清除了上一轮的梯度：每一步都找不到梯度，什么也不改"
        "变。",
        "请把 `{step}` 移到 `{before}` 之后。",
    ),
    find=find_stepped_first,
    broken=ORDER.format(steps="loss.backward()", first="opt.zero_grad()\n    opt.step()"),
    sound=ORDER.format(steps="loss.backward()\n    opt.step()", first="opt.zero_grad()"),
    before=("cleared_early",),
)

NEVER = Rule(
    key="never_cleared",
    severity=2,
    chapter="4",
    en=Words(
        "gradients not cleared",
        "With {line}, the gradients of all iterations before count, too, for no line of the "
        "program clears them.",
        "{cure}",
    ),
    zh=Words(
        "梯度没有清零",
        "在{line}这里，以前各轮的梯度也算在内，因为程序中没有一行清除它们。",
        "{cure}",
    ),
    find=find_never,
    broken=PROGRAM.format(first="pass", second="pass"),
    sound=PROGRAM.format(first="net.zero_grad()", second="pass"),
)

TWO = training(
    net="net, other = T.nn.Linear(3, 1), T.nn.Linear(3, 1)",
    inside="""
opt.zero_grad()
first = (net(x) - y).pow(2).mean()
first.backward()
{between}
loss = (other(x) - y).abs().mean()""",
    steps="loss.backward()\nopt.step()",
)

LOST_PASS = Rule(
    key="lost_pass",
    chapter="11",
    en=Words(
        "a loss whose gradients are cleared",
        "{line} clears the gradients of {before} before {step} uses them: only those of {after} "
        "are left.",
        "Leave that line out, or step before it.",
    ),
    zh=Words(
        "一个损失的梯度被清零",
        "{line}在{step}使用之前清除了{before}的梯度：只剩下{after}的梯度。",
        "请去掉这一行，或者在它之前更新一步。",
    ),
    find=find_lost_pass,
    broken=TWO.format(between="opt.zero_grad()"),
    sound=TWO.format(between="pass"),
)
