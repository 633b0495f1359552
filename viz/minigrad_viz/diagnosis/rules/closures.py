"""A closure for `step(closure)` that does not compute gradients, or never clears them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType

from ..objects import is_library
from ..syntax import calls_in, last_name, root_of_pass
from .evidence import Evidence, tree_of
from .rule import Match, Rule, Words


def closures(evidence: Evidence) -> Iterator[tuple[str, str, ast.FunctionDef]]:
    """Yield the optimizer, the closure's name and its tree for `opt.step(closure)`."""
    for call in (call for text in evidence.texts for call in calls_in(tree_of(text))):
        given = ast.unparse(call.args[0]) if len(call.args) == 1 else ""
        owner = ast.unparse(getattr(call.func, "value", call.func))
        named = any(owner == name for name, _ in evidence.optimizers)
        if last_name(call) == "step" and named and given in evidence.functions:
            yield owner, given, evidence.functions[given][0]


def find_no_pass(evidence: Evidence) -> Match | None:
    for optimizer, name, tree in closures(evidence):
        calls = calls_in(tree)
        returned = [n.value for n in ast.walk(tree) if isinstance(n, ast.Return) and n.value]
        if not returned or any(root_of_pass(call) is not None for call in calls):
            continue
        if any(calls_helper(evidence, call) for call in calls):
            continue
        made = ast.unparse(returned[-1])
        cure = f"{made}.backward()" if made.isidentifier() else "loss.backward()"
        return Match({"t": name, "optimizer": optimizer, "cure": cure}, (name,))
    return None


def calls_helper(evidence: Evidence, call: ast.Call) -> bool:
    """Return whether a call may start a pass: a function of the program."""
    function = evidence.object(call.func)
    return isinstance(function, FunctionType) and not is_library(function)


def find_never_cleared(evidence: Evidence) -> Match | None:
    for optimizer, name, tree in closures(evidence):
        calls = calls_in(tree)
        walks = any(last_name(call) == "backward" for call in calls)
        if not walks or any("zero_grad" in text or ".grad = None" in text or ".grad.zero_" in text
                            for text in evidence.code):  # fmt: skip
            continue
        if any(calls_helper(evidence, call) for call in calls):
            continue
        return Match({"t": name, "optimizer": optimizer}, (name,))
    return None


PROGRAM = """
w = T.zeros(3, requires_grad=True)
opt = T.optim.LBFGS([w], lr=0.1, max_iter=3)
x, y = T.randn(8, 3), T.randn(8)


def closure():
    {clear}
    loss = (x @ w - y).pow(2).mean()
    {walk}
    return loss


for i in range(4):
    loss = opt.step(closure)
"""

NO_PASS = Rule(
    key="closure_without_pass",
    chapter="14",
    en=Words(
        "a closure without a backward pass",
        "`{t}`, which `{optimizer}.step()` calls, computes the loss and does not call backward(), "
        "so the optimizer sees no gradient.",
        "Write `{cure}` before its return.",
    ),
    zh=Words(
        "闭包里没有反向传播",
        "`{optimizer}.step()` 调用的 `{t}` 计算了损失，却没有调用 backward()，所以优化器看不到梯"
        "度。",
        "请在 return 之前写 `{cure}`。",
    ),
    find=find_no_pass,
    broken=PROGRAM.format(clear="opt.zero_grad()", walk="pass"),
    sound=PROGRAM.format(clear="opt.zero_grad()", walk="loss.backward()"),
    before=("no_pass", "pass_elsewhere"),
)

NEVER_CLEARED = Rule(
    key="closure_not_cleared",
    chapter="14",
    en=Words(
        "a closure that adds gradients up",
        "`{optimizer}.step()` calls `{t}` several times, and `{t}` never clears the gradients: "
        "each evaluation adds to those before.",
        "Write `{optimizer}.zero_grad()` as the first line of `{t}`.",
    ),
    zh=Words(
        "闭包让梯度不断累加",
        "`{optimizer}.step()` 会多次调用 `{t}`，而 `{t}` 从不清零梯度：每次计算都加在以前的上面。",
        "请把 `{optimizer}.zero_grad()` 写成 `{t}` 的第一行。",
    ),
    find=find_never_cleared,
    broken=PROGRAM.format(clear="pass", walk="loss.backward()"),
    sound=PROGRAM.format(clear="opt.zero_grad()", walk="loss.backward()"),
    before=("never_cleared", "not_cleared", "exploding"),
)
