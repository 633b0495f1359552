"""Gradients that are given, assigned, read or returned by a hook."""

from __future__ import annotations

import ast
import re
from typing import Any

from ...model.names import is_tensor
from ...model.program_text import assigned
from ..causes import UNNAMED, Context, Finding
from ..ended import describe, join
from ..evidence import arguments_in
from ..history import History
from ..objects import is_module
from ..rules.rule import Match, Words
from ..silent import find_storing_line
from ..syntax import last_name, update_of, updates_with
from .raised import Raised
from .rule import ErrorRule

CLEARS = re.compile(r"zero_grad\(|\.grad = |\.grad\.(?:zero_|data|fill_)|del \w+\.grad")
"""What stands in a program that clears a gradient."""


def find_start(raised: Raised) -> Match | None:
    found = raised.match(START.message)
    if found is None:
        return None
    roots = arguments_in(raised.error.__traceback__, "outputs", "tensors", "self")
    names = [raised.context.name(t) for t in roots if str(list(t.shape)) == found[2]]
    parts = {"given": found[1], "needed": found[2], "root": next(iter(names), UNNAMED)}
    return Match(parts if names else {**parts, "line": "`backward()`"})  # raised again elsewhere


VECTOR = """
x = T.ones(2, 3, requires_grad=True)
y = x * 2
y.backward(T.ones({size}))
"""

START = ErrorRule(
    key="wrong_shape",
    chapter="6",
    en=Words(
        "a pass that starts from a gradient of another shape",
        "The gradient from which {line} starts must have the shape of `{root}`, {needed}, for it "
        "says how much each element counts; it has the shape {given}.",
        "Give one of the shape {needed}, such as `{library}.ones_like({root})`.",
    ),
    zh=Words(
        "起始梯度的形状不对",
        "{line}的起始梯度必须与 `{root}` 形状相同，即 {needed}，因为它说明每个元素的分量；而它的形"
        "状是 {given}。",
        "请给出形状为 {needed} 的梯度，例如 `{library}.ones_like({root})`。",
    ),
    message=r"Mismatch in shape: .*?Size\((\[.*?\])\).*?Size\((\[.*?\])\)",
    find=find_start,
    broken=VECTOR.format(size="3, 2"),
    sound=VECTOR.format(size="2, 3"),
)


def find_assigned(raised: Raised) -> Match | None:
    found = raised.match(ASSIGNED.message)
    return None if found is None else Match({"got": found[1], "expected": found[2]})


ASSIGNED = ErrorRule(
    key="wrong_grad",
    en=Words(
        "a gradient of another shape than its tensor",
        "A gradient has the shape of its tensor, {expected}, and {line} assigns one of shape "
        "{got}.",
        "Assign one of shape {expected}, or None.",
    ),
    zh=Words(
        "赋的梯度与张量形状不同",
        "梯度与张量形状相同，即 {expected}，而 {line}赋的梯度形状是 {got}。",
        "请赋形状为 {expected} 的梯度，或者 None。",
    ),
    message=r"assign a gradient of size '(.*?)' to a tensor of size '(.*?)'",
    find=find_assigned,
    broken="w = T.ones(3, requires_grad=True)\nw.grad = T.ones(2)",
    sound="w = T.ones(3, requires_grad=True)\nw.grad = T.ones(3)",
)


def find_hook(raised: Raised) -> Match | None:
    """Find a hook that changes the size; its line is known if there is only one."""
    found = raised.match(HOOK_SIZE.message)
    lines = raised.context.program.calls("register_hook")
    if found is None:
        return None
    where = raised.context.where(lines[0]) if len(lines) == 1 else ""
    return Match({"hook": f"`{found[1]}`", "where": where})


HOOK = """
x = T.ones(3, requires_grad=True)
y = x * 2
y.register_hook(lambda g: g{part})
y.sum().backward()
"""

HOOK_SIZE = ErrorRule(
    key="hook_size",
    chapter="3",
    en=Words(
        "a hook that returns a gradient of another shape",
        "A hook on a tensor must give a gradient of the shape that it gets, or None, and {hook} "
        "does not{where}.",
        "Return a gradient of the same shape; to look at it only, return nothing.",
    ),
    zh=Words(
        "钩子返回的梯度形状不同",
        "张量上的钩子返回的梯度必须与它得到的形状相同，或者是 None，而 {hook} 不是{where}。",
        "请返回形状相同的梯度；如果只是查看，就什么也不返回。",
    ),
    message=r"hook '(.+?)' has changed the size",
    find=find_hook,
    broken=HOOK.format(part="[:2]"),
    sound=HOOK.format(part=" * 2"),
    severity=2,
)


def find_number(raised: Raised) -> Match | None:
    """Find backward() of a number, and the line that made the number from a tensor."""
    found = raised.method("backward")
    if found is None:
        return None
    history = History(lambda tensor: bool(tensor.requires_grad), raised.context.running)
    fate = history.fate_of_root(found[1])
    sentences = describe(raised.context, history, fate) if fate.kind == "cut" else []
    return Match({"t": found[1]}, rest=Finding("", sentences))


NUMBER = ErrorRule(
    key="number_backward",
    en=Words(
        "backward() of a number",
        "{t} is a number, no tensor, and so has no backward pass{where}.",
        "",
    ),
    zh=Words(
        "对数调用 backward()",
        "{t} 不是张量而是数字，没有历史，也没有反向传播{where}。",
        "",
    ),
    message=r"'(numpy\.)?(float|int|ndarray|float32|float64)' object has no attribute 'backward'",
    find=find_number,
    broken="x = T.ones(3, requires_grad=True)\nloss = x.sum().item()\nloss.backward()",
    sound="x = T.ones(3, requires_grad=True)\nloss = x.sum()\nloss.backward()",
)


def find_none(raised: Raised) -> Match | Finding | None:
    """Find a missing gradient in a line that computes with it."""
    for node in ast.walk(raised.tree or ast.Pass()):
        if not isinstance(node, ast.Attribute) or node.attr != "grad":
            continue
        t = raised.object(node.value)
        if not is_tensor(t) or ((t.is_leaf or t.retains_grad) and t.grad is not None):
            continue
        return explain_missing(raised, t, ast.unparse(node.value))
    return None


def explain_missing(raised: Raised, t: Any, name: str) -> Match | Finding:
    context = raised.context
    finding = context.explain_gradient(t)
    path = parameter_path(context, t)
    if finding.cause in ("not_called", "not_called_or_taken", "taken_away"):
        return Match({"t": name})
    if finding.cause == "never_used" and not path:
        return Match({"t": name})
    if path not in ("", name):
        finding.sentences.append(context.say("is_called", t=name, known=path))
    if finding.cause in ("never_used", "not_reached"):
        if (made := find_storing_line(context, path)) is not None:
            finding.sentences.append(context.say("made_for_module", line=context.line(made)))
    asked = context.say("asked_by", line=context.line(raised.line))
    if finding.cause in ("not_leaf", "not_required") and (remade := explain_remade(raised, name)):
        asked = "" if raised.line.text in finding.sentences[0] else asked
        finding.sentences[1:] = [asked, *remade] if asked else remade  # the update is the cure
        return finding
    finding.sentences.append(asked)
    return finding


def parameter_path(context: Context, t: Any) -> str:
    """Return a parameter's path in a module of the program: `net.head.weight`."""
    for name, value in context.variables.items():
        if is_module(value) and not name.startswith("_"):
            for path, parameter in value.named_parameters():
                if parameter is t:
                    return f"{name}.{path}"
    return ""


def explain_remade(raised: Raised, name: str) -> list[str]:
    """Explain a weight that a line replaces by a new tensor: `w = w - lr * w.grad`."""
    context = raised.context
    text = "\n".join(each.text for each in context.program.statements)
    for statement in context.program.statements:
        new = update_of(statement)
        if new is not None and new[0] == name and name in assigned(statement.tree):
            line = context.line(statement)
            if statement == raised.line:
                line = context.say("that_line")
            others = updates_with(context.program.statements, statement) or {name: new[2]}
            then = (
                "" if CLEARS.search(text) else context.say("then_clear", t=".grad = ".join(others))
            )
            parts = {"t": name, "line": line, "instead": join(context, [*others.values()])}
            return [context.say("remade", then=then, **parts)]
    return []


UPDATE = """
w = T.ones(3, requires_grad=True)
w.grad{clear}
w.sum().backward()
"""

NONE = ErrorRule(
    key="grad_is_none",
    en=Words(
        "a gradient that is read before a pass",
        "{t}.grad is None{where}: no backward pass has brought it a gradient yet.",
        "Ask first (`if {t}.grad is not None:`), or clear it only after backward() has run.",
    ),
    zh=Words(
        "在反向传播之前读取梯度",
        "{t}.grad 是 None{where}：还没有反向传播给它带来梯度。",
        "请先判断（`if {t}.grad is not None:`），或者等 backward() 运行之后再清零。",
    ),
    message=r"NoneType",
    find=find_none,
    broken=UPDATE.format(clear=".zero_()"),
    sound=UPDATE.format(clear=" = None"),
    severity=2,
)


def find_function(raised: Raised) -> Match | None:
    for call in raised.called("grad", "grad_and_value"):
        if call.args:
            name = ast.unparse(call.args[0])
            total = ast.parse(f"lambda *args: {name}(*args).sum()", mode="eval").body
            cure = ast.Call(call.func, [total, *call.args[1:]], call.keywords)
            return Match({"t": name, "what": last_name(call), "cure": ast.unparse(cure)})
    return None


OF_FUNCTION = """
def f(x):
    return x * x
g = T.func.grad({f})(T.ones(3))
"""

FUNCTION = ErrorRule(
    key="function_not_scalar",
    chapter="6",
    en=Words(
        "grad() of a function of several results",
        "`{t}` returns several numbers, and {what}(){where} differentiates one.",
        "For the sum of them, write `{cure}`; for each, use `{library}.func.jacrev`.",
    ),
    zh=Words(
        "对返回多个数的函数用 grad()",
        "`{t}` 返回多个数，而 {what}(){where}只对一个数求导。",
        "对它们的和求导，请写 `{cure}`；逐个求导请用 `{library}.func.jacrev`。",
    ),
    message=r"Expected f\(\*args\) to return a scalar",
    find=find_function,
    broken=OF_FUNCTION.format(f="f"),
    sound=OF_FUNCTION.format(f="lambda *args: f(*args).sum()"),
)
