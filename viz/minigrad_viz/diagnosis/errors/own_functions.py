"""The reader's own Functions: how they are called, what they save, what backward returns."""

from __future__ import annotations

import ast
import inspect
from typing import Any

from ...model.names import is_tensor
from ..causes import Finding
from ..rules.rule import Match, Words
from ..silent import return_line, statements_of
from ..syntax import calls_in, last_name
from .raised import Raised
from .rule import ErrorRule


def class_of(raised: Raised, node: str) -> Any:
    """Return the reader's class whose node has this name."""
    found = raised.context.variables.get(node.removesuffix("Backward"))
    return found if isinstance(found, type) else None


def of_node(raised: Raised, node: str) -> dict[str, object]:
    """Return the name of a Function, and the line in which its backward returns."""
    line = return_line(class_of(raised, node))
    return {"function": node.removesuffix("Backward"), "where": raised.context.where(line)}


PROGRAM = """
class Scale(T.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        {keep}
        return x * factor
    @staticmethod
    def backward(ctx, g):
        return {gradients}
x = T.ones(3, requires_grad=True)
y = Scale.{call}(x, 2.0).sum()
y.backward()
"""
PARTS = {"keep": "ctx.factor = factor", "gradients": "g * ctx.factor, None", "call": "apply"}
SOUND = PROGRAM.format_map(PARTS)


def find_number(raised: Raised) -> Match | None:
    found = raised.match(NUMBER.message)
    if found is None:
        return None
    return Match({**of_node(raised, found[1]), "expected": found[2], "got": found[3]})


NUMBER = ErrorRule(
    key="wrong_number",
    chapter="8",
    en=Words(
        "a backward that returns too few or too many gradients",
        "The backward of {function} must return as many gradients as forward takes arguments "
        "besides ctx, one for each: {expected}, and it returns {got}{where}.",
        "Return None for an argument that needs no gradient, such as a number.",
    ),
    zh=Words(
        "backward 返回的梯度个数不对",
        "{function} 的 backward 返回的梯度个数，必须与 forward 除 ctx 之外的参数个数相同，一一对"
        "应：应为 {expected} 个，却返回了 {got} 个{where}。",
        "对不需要梯度的参数（例如一个数），请返回 None。",
    ),
    message=r"unction (\w+) returned an incorrect number of gradients \(expected (\d+), got (\d+)",
    find=find_number,
    broken=PROGRAM.format_map({**PARTS, "gradients": "g * ctx.factor"}),
    sound=SOUND,
    severity=2,
)


def find_gradient(raised: Raised) -> Match | None:
    found = raised.match(GRADIENT.message)
    if found is None:
        return None
    parts = {"index": found[2], "got": found[3], "expected": found[4]}
    return Match({**of_node(raised, found[1]), **parts})


GRADIENT = ErrorRule(
    key="wrong_gradient",
    chapter="8",
    en=Words(
        "a backward that returns a gradient of another shape",
        "The backward of {function} returns a gradient of shape {got} for input {index}{where}, "
        "which has the shape {expected}.",
        "Return the gradients in the order of forward's arguments, each in the shape of its input; "
        "where an input was broadcast, sum over what was added.",
    ),
    zh=Words(
        "backward 返回的梯度形状不对",
        "{function} 的 backward 为输入 {index} 返回了形状为 {got} 的梯度{where}，而这个输入的形状是"
        " {expected}。",
        "请按 forward 参数的顺序返回梯度，每个都与它的输入形状相同；如果输入被广播过，就对多出来的"
        "维度求和。",
    ),
    message=r"unction (\w+) returned an invalid gradient at index (\d+) - got (\[.*?\]) but "
    r"expected shape compatible with (\[.*?\])",
    find=find_gradient,
    broken=PROGRAM.format_map({**PARTS, "gradients": "g[:2] * ctx.factor, None"}),
    sound=SOUND,
)


def find_apply(raised: Raised) -> Match | None:
    """Find `Square.forward(x)` and `Square()(x)` in place of `Square.apply(x)`."""
    for call in raised.line_calls:
        called = raised.object(call.func)
        if is_function(type(called)):
            say = raised.context.say("cure_static", cure=static_call(call, type(called)))
            return Match({"function": type(called).__name__, "cure": ""}, rest=Finding("", [say]))
        if isinstance(call.func, ast.Call):
            named, text = call.func.func, ast.unparse(call.func)
            cure = ast.unparse(call).replace(text, f"{ast.unparse(named)}.apply", 1)
        elif isinstance(call.func, ast.Attribute) and call.func.attr == "forward":
            named, cure = call.func.value, raised.line.text.replace(".forward(", ".apply(")
        else:
            continue
        kind = raised.object(named)
        if isinstance(kind, type) and hasattr(kind, "apply") and not is_module_class(kind):
            return Match({"function": kind.__name__, "cure": cure})
    return None


def is_function(kind: type) -> bool:
    """Return whether a class is the reader's Function, with a forward and a backward."""
    own = [each for each in kind.__mro__ if each.__name__ == "Function"]
    return bool(own) and not is_module_class(kind)


def static_call(call: ast.Call, kind: type) -> str:
    return ast.unparse(ast.Call(ast.Name(f"{kind.__name__}.apply"), call.args, call.keywords))


def is_module_class(kind: type) -> bool:
    return hasattr(kind, "named_parameters")


APPLY = ErrorRule(
    key="without_apply",
    chapter="8",
    en=Words(
        "a Function that is not called through apply",
        "{line} does not call the Function {function} through apply: nothing makes its ctx, and "
        "nothing is recorded.",
        "Call it through apply: `{cure}`.",
    ),
    zh=Words(
        "没有通过 apply 调用 Function",
        "{line}没有通过 apply 调用函数 {function}：没有谁为它准备 ctx，也不会被记录。",
        "请通过 apply 调用：`{cure}`。",
    ),
    message=r"\.forward\(\) missing \d+ required positional argument"
    r"|Legacy autograd function with non-static forward",
    find=find_apply,
    broken=PROGRAM.format_map({**PARTS, "call": "forward"}),
    sound=SOUND,
)


def find_saved(raised: Raised) -> Match:
    """Find what save_for_backward() gets besides tensors, if the call of apply shows it."""
    for call in raised.called("apply"):
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        kind = raised.object(owner) if owner is not None else None
        if not isinstance(kind, type):
            continue
        for line in statements_of(kind, "forward"):
            for saving in calls_in(line.tree):
                if last_name(saving) != "save_for_backward":
                    continue
                names = list(inspect.signature(inspect.getattr_static(kind, "forward")).parameters)[
                    1:
                ]
                given = dict(zip(names, call.args, strict=False))
                texts = [ast.unparse(each) for each in saving.args]
                others = [t for t in texts if t in given and is_plain(raised, given[t])] or ["n"]
                cure = "; ".join(f"ctx.{name} = {name}" for name in others)
                if "n" not in others:
                    tensors = ", ".join(t for t in texts if t not in others)
                    cure = f"{ast.unparse(saving.func)}({tensors}); {cure}"
                read = "`, `".join(f"ctx.{name}" for name in others)
                parts = {"where": raised.context.where(line), "cure": cure}
                return Match({**parts, "read": read})
    return Match({"cure": "ctx.n = n", "read": "ctx.n"})


def is_plain(raised: Raised, given: ast.expr) -> bool:
    """Return whether an argument is certainly no tensor."""
    value = raised.object(given)
    return isinstance(given, ast.Constant) or (value is not None and not is_tensor(value))


SAVED = ErrorRule(
    key="only_tensors",
    chapter="8",
    en=Words(
        "save_for_backward() of a number",
        "save_for_backward() takes tensors only{where}.",
        "Keep anything else as an attribute: `{cure}`, and read `{read}` in backward.",
    ),
    zh=Words(
        "用 save_for_backward() 保存数",
        "save_for_backward() 只接受张量{where}。",
        "其他东西请存成属性：`{cure}`，并在 backward 中读取 `{read}`。",
    ),
    message=r"save_for_backward can only save variables",
    find=find_saved,
    broken=PROGRAM.format_map({**PARTS, "keep": "ctx.save_for_backward(x, factor)"}),
    sound=SOUND,
    severity=2,
)
