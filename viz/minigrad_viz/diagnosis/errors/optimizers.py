"""An optimizer or a loss that is made or called with something else than it takes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...model.names import is_tensor
from ...model.program_text import Statement
from ..objects import is_module
from ..rules.rule import Match, Words
from ..syntax import names_in
from .raised import Raised, with_argument
from .rule import ErrorRule


def given_first(raised: Raised) -> list[tuple[ast.expr, Any]]:
    """Return the first argument of each call of the line, with its value."""
    return [(c.args[0], raised.object(c.args[0])) for c in raised.line_calls if c.args]


NET = """
net = T.nn.Linear(2, 1)
opt = T.optim.SGD({given}, lr={rate})
"""
ITERABLE = r"'\w+' object is not iterable|should be an iterable of Tensors"


def find_module(raised: Raised) -> Match | None:
    """Find a model, its state or a list of models, which an optimizer gets."""
    for call in raised.called("state_dict"):
        owner = ast.unparse(getattr(call.func, "value", call.func))
        return Match({"t": ast.unparse(call), "cure": f"{owner}.parameters()"})
    for given, value in given_first(raised):
        if isinstance(given, ast.List) and raised.match("one of the params is"):
            inside = [ast.unparse(each) for each in given.elts]
            cure = inside[0] if len(inside) == 1 else f"[{', '.join(f'*{e}' for e in inside)}]"
            return Match({"t": ast.unparse(given), "cure": cure})
        if is_module(value) or is_tensor(value):
            text = ast.unparse(given)
            cure = f"{text}.parameters()" if is_module(value) else f"[{text}]"
            return Match({"t": text, "cure": cure})
    return None


MODULE = ErrorRule(
    key="module_for_parameters",
    en=Words(
        "a module in place of its parameters",
        "An optimizer takes a list of parameters, and `{t}` is none: {line}.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "交给优化器的是模块",
        "优化器需要参数的列表，而 `{t}` 不是：{line}。",
        "请写 `{cure}`。",
    ),
    message=rf"{ITERABLE}|one of the params is (Module\.|generator|list|str)",
    find=find_module,
    broken=NET.format(given="net", rate=0.1),
    sound=NET.format(given="net.parameters()", rate=0.1),
)


def find_quotes(raised: Raised) -> Match | None:
    for word in (k for call in raised.line_calls for k in call.keywords):
        if isinstance(word.value, ast.Constant) and isinstance(word.value.value, str):
            text = word.value.value
            if text.replace(".", "").replace("e-", "").isdigit():
                return Match({"name": word.arg, "text": text})
    return None


QUOTES = ErrorRule(
    key="number_in_quotes",
    en=Words(
        "a number in quotes",
        "{line} gives `{name}` a text in quotes, which is no number.",
        "Write `{name}={text}`.",
    ),
    zh=Words(
        "数写在了引号里",
        "{line}给 `{name}` 的是引号里的文字，不是数。",
        "请写 `{name}={text}`。",
    ),
    message=r"not supported between instances of .*'str'",
    find=find_quotes,
    broken=NET.format(given="net.parameters()", rate='"0.1"'),
    sound=NET.format(given="net.parameters()", rate=0.1),
)


def find_closure(raised: Raised) -> Match:
    found = raised.method("step")
    return Match({"t": found[1] if found is not None else "optimizer"})


CLOSURE = """
net = T.nn.Linear(2, 1)
opt = T.optim.LBFGS(net.parameters())
def closure():
    opt.zero_grad()
    loss = net(T.ones(3, 2)).pow(2).mean()
    loss.backward()
    return loss
opt.step({given})
"""

NO_CLOSURE = ErrorRule(
    key="no_closure",
    en=Words(
        "an optimizer without the function that it calls",
        "{line} needs a function that computes the loss and its gradients, which it calls several "
        "times.",
        "Define `closure()`, which calls `{t}.zero_grad()`, computes the loss, calls backward() "
        "and returns the loss, and write `{t}.step(closure)`.",
    ),
    zh=Words(
        "优化器缺少它要调用的函数",
        "{line}需要一个计算损失和梯度的函数，它会多次调用这个函数。",
        "请定义 `closure()`：调用 `{t}.zero_grad()`，计算损失，调用 backward()，返回损失；然后写 "
        "`{t}.step(closure)`。",
    ),
    message=r"step\(\) missing 1 required positional argument: 'closure'",
    find=find_closure,
    broken=CLOSURE.format(given=""),
    sound=CLOSURE.format(given="closure"),
)


def find_list(raised: Raised) -> Match | None:
    kind = raised.match(r"'(list|tuple)' object has no attribute 'backward'")
    found = raised.method("backward")
    if kind is None or found is None:
        return None
    return Match({"t": found[1], "kind": kind[1], "cure": f"sum({found[1]}).backward()"})


LOSSES = """
x = T.ones(2, requires_grad=True)
losses = [x.sum(), (x * x).sum()]
{walk}.backward()
"""

LIST = ErrorRule(
    key="list_backward",
    en=Words(
        "backward() of a list",
        "{t} is a Python {kind}, and only a tensor has a backward pass: {line}.",
        "Start from the sum of what is in it: `{cure}`.",
    ),
    zh=Words(
        "对列表调用 backward()",
        "{t} 是 Python 的 {kind}，只有张量才有反向传播：{line}。",
        "请从其中各项之和开始：`{cure}`。",
    ),
    message=r"object has no attribute 'backward'",
    find=find_list,
    broken=LOSSES.format(walk="losses"),
    sound=LOSSES.format(walk="sum(losses)"),
)


def find_floored(raised: Raised) -> Match | None:
    """Find a schedule for a number of steps that was rounded down: `len(x) // 8` in each epoch."""
    name, made = scheduled(raised)
    if made is None:
        return None
    for tree in written_in(raised, made):
        for part in ast.walk(tree):
            if isinstance(part, ast.BinOp) and isinstance(part.op, ast.FloorDiv):
                size, cure = ast.unparse(part.right), f"-(-{bracketed(part.left)} // "
                size = size if part.right.__class__ is not ast.BinOp else f"({size})"
                parts = {"t": name, "made": raised.context.line(made), "text": ast.unparse(part)}
                return Match({**parts, "cure": f"{cure}{size})"})
    return None


def bracketed(tree: ast.expr) -> str:
    text = ast.unparse(tree)
    return f"({text})" if isinstance(tree, ast.BinOp) else text


def scheduled(raised: Raised) -> tuple[str, Statement | None]:
    """Return the schedule that steps in the line, and the line that makes it."""
    name = raised.receiver("step")
    return name, raised.maker_line(name) if name else None


def written_in(raised: Raised, made: Statement) -> Iterator[ast.AST]:
    """Yield the expression of a line, and those of the variables that it reads."""
    value = getattr(made.tree, "value", None)
    if isinstance(value, ast.Call):
        yield value
        for name in sorted(names_in(value)):
            other = raised.maker_line(name)
            if other is not None and isinstance(other.tree, ast.Assign):
                yield other.tree.value


def find_over(raised: Raised) -> Match | None:
    name, made = scheduled(raised)
    total = raised.match(r"total steps is (\d+)")
    if made is None or total is None:
        return None
    return Match({"t": name, "made": raised.context.line(made), "total": total[1]})


SCHEDULE = """
w = T.zeros(1, requires_grad=True)
opt = T.optim.SGD([w], lr=0.1)
x = T.randn(10, 1)
schedule = T.optim.lr_scheduler.OneCycleLR(opt, 0.1, {total})
for epoch in range(3):
    for part in x.split(4):
        (part * w).sum().backward()
        opt.step()
        schedule.step()
"""
MORE_STEPS = r"Tried to step \d+ times"
SOUND_SCHEDULE = SCHEDULE.format(total="epochs=3, steps_per_epoch=-(-len(x) // 4)")

FLOORED = ErrorRule(
    key="schedule_rounded_down",
    en=Words(
        "a schedule for too few batches",
        "`{t}` in {made} counts `{text}` batches, rounded down, and the loop has one more: the "
        "rest, which is smaller.",
        "Round up: `{cure}`.",
    ),
    zh=Words(
        "学习率计划的批数太少",
        "`{t}`（{made}）按 `{text}` 个批次计数，向下取整，而循环还多一个较小的批次。",
        "请向上取整：`{cure}`。",
    ),
    message=MORE_STEPS,
    find=find_floored,
    broken=SCHEDULE.format(total="epochs=3, steps_per_epoch=len(x) // 4"),
    sound=SOUND_SCHEDULE,
    before=("schedule_ended",),
    severity=2,
)

ENDED = ErrorRule(
    key="schedule_ended",
    en=Words(
        "a schedule that has ended",
        "`{t}` in {made} is for {total} steps, and {line} goes on after them.",
        "Give it the number of all its steps: the epochs, times the batches of one if it steps "
        "after each batch.",
    ),
    zh=Words(
        "学习率计划已经走完",
        "`{t}`（{made}）只有 {total} 步，而{line}在此之后还在继续。",
        "请给它全部的步数：轮数；如果每个批次之后都走一步，还要乘以每轮的批数。",
    ),
    message=MORE_STEPS,
    find=find_over,
    broken=SCHEDULE.format(total="total_steps=3"),
    sound=SOUND_SCHEDULE,
    severity=2,
)


def find_group(raised: Raised) -> Match | None:
    """Find `opt.param_groups["lr"]`, a name for a list of groups."""
    for node in ast.walk(raised.tree or ast.Pass()):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            text, key = ast.unparse(node.value), repr(node.slice.value)
            if text.endswith(".param_groups") and isinstance(node.slice.value, str):
                if isinstance(raised.tree, ast.Assign | ast.AugAssign):
                    line = ast.unparse(raised.tree).replace(ast.unparse(node), f"group[{key}]")
                    return Match({"t": text, "cure": f"for group in {text}: {line}"})
                return Match({"t": text, "cure": f"{text}[0][{key}]"})
    return None


GROUPS = """
net = T.nn.Linear(2, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
{change}
"""

GROUP = ErrorRule(
    key="name_for_groups",
    chapter="15",
    en=Words(
        "a name where a list of groups is",
        "`{t}` is a list of groups of parameters, each a dictionary, and {line} looks for a name "
        "in the list itself.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "在参数组的列表里找名字",
        "`{t}` 是参数组的列表，每组是一个字典，而{line}在列表本身里找名字。",
        "请写 `{cure}`。",
    ),
    message=r"list indices must be integers or slices, not str",
    find=find_group,
    broken=GROUPS.format(change='opt.param_groups["lr"] = 0.01'),
    sound=GROUPS.format(change='opt.param_groups[0]["lr"] = 0.01'),
)


def find_other_state(raised: Raised) -> Match | None:
    """Find the state of an optimizer that held other parameters than this one."""
    for call in raised.called("load_state_dict"):
        state = raised.object(call.args[0]) if call.args else None
        opt = raised.object(call.func.value) if isinstance(call.func, ast.Attribute) else None
        if not isinstance(state, dict) or opt is None or "param_groups" not in state:
            continue
        name = ast.unparse(call.func.value)  # type: ignore[attr-defined]
        saved = [len(group["params"]) for group in state["param_groups"]]
        own = [len(group["params"]) for group in opt.param_groups]
        made = raised.maker_line(name)
        value = getattr(made.tree, "value", None) if made is not None else None
        parts = {"t": ast.unparse(call.args[0]), "opt": name, "saved": sum(saved), "own": sum(own)}
        for text, model in raised.context.variables.items():
            if is_module(model) and [sum(1 for _ in model.parameters())] == saved:
                if isinstance(value, ast.Call) and made is not None:
                    cure = f"{text}.parameters()"
                    if raised.object(value.func) is type(opt):
                        cure = with_argument(value, 0, "params", cure)
                    return Match({**parts, "cure": cure, "at": raised.context.where(made)})
    return None


RESUMED = """
net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Linear(3, 1))
saved = T.optim.Adam(net.parameters(), lr=0.1).state_dict()
opt = T.optim.Adam(net{part}.parameters(), lr=0.1)
opt.load_state_dict(saved)
"""

OTHER_STATE = ErrorRule(
    key="state_of_other_parameters",
    chapter="15",
    en=Words(
        "the state of an optimizer of other parameters",
        "`{t}` is the state of an optimizer of {saved} parameters, and `{opt}`{where} holds {own}.",
        "Leave that line out; or make it of the same ones: `{cure}`{at}.",
    ),
    zh=Words(
        "优化器的状态属于其他参数",
        "`{t}` 是持有 {saved} 个参数的优化器的状态，而 `{opt}`{where}持有 {own} 个。",
        "请去掉这一行；或者用相同的参数建立它：`{cure}`{at}。",
    ),
    message=r"parameter group that doesn't match|different number of parameter groups",
    find=find_other_state,
    broken=RESUMED.format(part="[1]"),
    sound=RESUMED.format(part=""),
    severity=1,
)
