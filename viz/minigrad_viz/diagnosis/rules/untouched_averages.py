"""Batch normalization that learns in evaluation mode and has averaged no batch so far."""

from __future__ import annotations

import ast
from typing import Any

from ...model.program_text import Statement
from ...model.values import bare
from ..syntax import calls_in, last_name
from .evidence import Evidence
from .programs import STEPS, training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    learned = {id(leaf) for leaf in evidence.leaves} | {*evidence.held}
    for name, module in evidence.modules:
        if module.training or not evidence.passes:
            continue
        if not any(id(p) in learned for p in module.parameters()):
            continue
        line = switching_line(evidence, name)
        if line is not None and switched_on_afterwards(evidence, line):
            continue
        for path, inner in module.named_modules():
            if has_no_average(inner):
                parts = {"t": name, "layer": f"{name}.{path}".rstrip(".")}
                where = evidence.context.where(line)
                return Match({**parts, "where": where, "instead": f"{name}.train()"}, (name,))
    return None


def find_left(evidence: Evidence) -> Match | None:
    """Find a copy whose parameters follow those of a model, and whose averages do not."""
    if any(".buffers(" in text or "update_bn" in text for text in evidence.code):
        return None
    for name, copy in evidence.modules:
        own = [*copy.parameters()]
        fresh = [m for m in copy.modules() if has_no_average(m, ())]
        if not fresh or any(id(p) in evidence.held for p in own):
            continue
        for other, model in evidence.modules:
            held = any(id(p) in evidence.held for p in model.parameters())
            if not held or type(model) is not type(copy) or not has_averaged(model):
                continue
            if (line := following_line(evidence, copy, model)) is not None:
                parts = {"t": name, "other": other, "line": evidence.context.line(line)}
                parts["kind"] = type(fresh[0]).__name__
                return Match(parts, (name,))
    return None


def has_averaged(model: Any) -> bool:
    counts = (getattr(each, "num_batches_tracked", None) for each in model.modules())
    return any(int(bare(count)) > 0 for count in counts if count is not None)


def following_line(evidence: Evidence, copy: Any, model: Any) -> Statement | None:
    """Return the line `for e, p in zip(copy.parameters(), model.parameters())`."""
    for statement in evidence.repeated:
        if statement.line not in statement.loops:
            continue
        for call in calls_in(getattr(statement.tree, "value", None)):
            texts = [each for each in call.args if isinstance(each, ast.Call)]
            owners = [getattr(c.func, "value", c.func) for c in texts if last_name(c) == ALL]
            things = [evidence.object_at(statement, each) for each in owners]
            if last_name(call) == "zip" and {*map(id, things)} == {id(copy), id(model)}:
                return statement
    return None


ALL = "parameters"


def find_slow(evidence: Evidence) -> Match | None:
    """Find averages with so small a momentum that they still are 0 and 1, and not the batches'."""
    judged = any("eval()" in text or "train(False)" in text for text in evidence.code)
    for name, module in evidence.modules if judged else ():
        slow = [(f"{name}.{p}".rstrip("."), m) for p, m in module.named_modules() if is_slow(m)]
        if not slow:
            continue
        first = slow[0][1]
        lines = dict.fromkeys((*evidence.lines, *evidence.written))
        made = [s for s in lines if any("BatchNorm" in last_name(c) for c in calls_in(s.tree))]
        count, momentum = int(bare(first.num_batches_tracked)), first.momentum
        parts = {"momentum": f"{momentum:.3g}", "count": str(count)}
        parts["layers"] = ", ".join(f"`{path}`" for path, _ in slow[:MOST])
        parts["share"] = f"{(1 - momentum) ** count:.0%}"
        parts["where"] = evidence.context.say("and").join(map(evidence.context.line, made[:MOST]))
        return Match(parts, (slow[0][0],))
    return None


MOST = 3
"""Layers, and lines, that are named."""


def is_slow(module: Any) -> bool:
    """Return whether averages of many batches still are far from what the batches had.

    Their start is known, 0 and 1, so the batches' own average can be computed from them.
    """
    momentum, counted = getattr(module, "momentum", None), getattr(module, NUMBER, None)
    if not isinstance(momentum, float) or counted is None or int(bare(counted)) < ENOUGH:
        return False
    left = (1 - momentum) ** int(bare(counted))
    if not 0.5 < left < 1:
        return False
    mean, var = bare(module.running_mean).double(), bare(module.running_var).double()
    own_mean, own_var = mean / (1 - left), (var - left) / (1 - left)
    far = (own_mean - mean).abs() > own_var.clamp(min=0).sqrt()
    other = (own_var > DIFFERENT * var) | (own_var < var / DIFFERENT)
    return float((far | other).double().mean().item()) > 0.5


NUMBER, ENOUGH, DIFFERENT = "num_batches_tracked", 10, 4.0
"""The count of batches, how many are enough, and variances that differ."""


def switched_on_afterwards(evidence: Evidence, line: Statement) -> bool:
    """Return whether a line of the program itself stands below all its passes."""
    main = [s for s in evidence.lines if s.file == line.file]
    walked = [s for s in evidence.passes if s.file == line.file]
    return line in main and not line.loops and all(s.line < line.line for s in walked)


def has_no_average(module: Any, modes: tuple[bool, ...] = (True,)) -> bool:
    """Return whether a module, in no mode of these, normalizes by averages of no batch."""
    counted = getattr(module, "num_batches_tracked", None)
    if counted is None or module.training in modes or int(bare(counted)) > 0:
        return False
    mean, var = bare(module.running_mean), bare(module.running_var)
    return not mean.any() and bool((var == 1).all())


def switching_line(evidence: Evidence, name: str) -> Statement | None:
    """Return a line that calls `eval()` on a module of this name, in any function."""
    last = name.rpartition(".")[2]
    for statement in (*evidence.lines, *evidence.written):
        for call in calls_in(statement.tree):
            owner: Any = getattr(call.func, "value", None)
            if last_name(call) == "eval" and last in (
                getattr(owner, "attr", ""),
                getattr(owner, "id", ""),
            ):
                return statement
    return None


PROGRAM = """
nn, x, y = T.nn, T.randn(16, 3), T.arange(16) % 2
net = nn.Sequential(nn.BatchNorm1d(3), nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
opt = T.optim.SGD(net.parameters(), lr=0.05)


def check():
    net.eval()
    with T.no_grad():
        return net(x).argmax(1)


check()
{mode}
for i in range(12):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
"""

RULE = Rule(
    key="untouched_averages",
    chapter="16",
    en=Words(
        "normalization that has averaged nothing",
        "`{t}` learns in evaluation mode, switched on{where}, and its `{layer}` has averaged no "
        "batch: it divides by 1 and normalizes nothing.",
        "Call `{instead}` before each training step.",
    ),
    zh=Words(
        "归一化层还没有平均过数据",
        "`{t}` 在评估模式下学习，打开它的地方{where}，而其中的 `{layer}` 还没有平均过任何一批数据："
        "它除以 1，什么也没有归一化。",
        "请在每个训练步之前调用 `{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(mode=""),
    sound=PROGRAM.format(mode="net.train()"),
    before=("evaluation_mode", "diverged", "first_loss", "exploding", "nan", "eval"),
)

COPIED = training(
    first="import copy\n\nnn = T.nn",
    net="nn.Sequential(nn.BatchNorm1d(3), nn.Linear(3, 1))",
    opt=0.05,
    data="9 + T.randn(16, 3), T.randn(16, 1)",
    before="ema = copy.deepcopy(net)",
    inside="loss = nn.functional.mse_loss(net(x), y)",
    steps=STEPS
    + """
with T.no_grad():
    for e, p in zip(ema.parameters(), net.parameters()):
        e.mul_(0.9).add_(p, alpha=0.1)
    {buffers}""",
)

LEFT = Rule(
    key="averages_left",
    severity=2,
    chapter="15",
    en=Words(
        "averages that are not copied",
        "{line} goes over parameters alone. The running mean and variance of {kind} are buffers: "
        "those of `{t}` are still 0 and 1.",
        "Copy them, too: `for a, b in zip({t}.buffers(), {other}.buffers()): a.copy_(b)`.",
    ),
    zh=Words(
        "没有复制的均值和方差",
        "{line}只遍历参数。{kind} 的滑动均值和方差是缓冲区：`{t}` 的仍是 0 和 1。",
        "请也复制它们：`for a, b in zip({t}.buffers(), {other}.buffers()): a.copy_(b)`。",
    ),
    find=find_left,
    broken=COPIED.format(buffers="pass"),
    sound=COPIED.format(
        buffers="for a, b in zip(ema.buffers(), net.buffers()):\n            a.copy_(b)"
    ),
)

SHIFTED = """
nn, x, y = T.nn, 20 + 5 * T.randn(16, 3), T.arange(16) % 2
net = nn.Sequential(nn.BatchNorm1d(3{momentum}), nn.Linear(3, 2))
opt = T.optim.SGD(net.parameters(), lr=0.05)


def check():
    net.eval()
    right = (net(x).argmax(1) == y).sum()
    net.train()


for i in range(30):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
    check()
"""

SLOW = Rule(
    key="slow_averages",
    chapter="16",
    en=Words(
        "averages that hardly move",
        "The momentum {momentum} of {layers} is the share of the new batch: after {count} batches "
        "the averages still are {share} of their start, 0 and 1, and `eval()` divides by them.",
        "Write `momentum=0.1`, or leave it out, in {where}.",
    ),
    zh=Words(
        "几乎不动的平均值",
        "{layers} 的 momentum {momentum} 是新一批所占的份额：{count} 批之后，平均值仍有 {share} 是"
        "起始的 0 和 1，而 `eval()` 用它们来归一化。",
        "请在{where}里写 `momentum=0.1`，或不写它。",
    ),
    find=find_slow,
    broken=SHIFTED.format(momentum=", momentum=0.001"),
    sound=SHIFTED.format(momentum=""),
)
