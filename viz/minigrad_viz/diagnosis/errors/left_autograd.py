"""What autograd cannot follow: an array of NumPy, a change of one of several views."""

from __future__ import annotations

import ast
from types import ModuleType
from typing import Any

from ...model.names import is_tensor
from ..causes import Finding
from ..rules.rule import Match, Words
from ..syntax import calls_in, parenthesize
from .raised import Raised
from .rule import ErrorRule


def find_numpy(raised: Raised) -> Match | None:
    name = raised.receiver("numpy")
    return (
        Match({"t": name, "plain": parenthesize(name)}, more=eval_records(raised)) if name else None
    )


def find_array(raised: Raised) -> Match:
    for node in ast.walk(raised.tree or ast.Pass()):
        value = raised.object(node) if isinstance(node, ast.Name) else None
        held: list[Any] = value if isinstance(value, list) else [value]
        if not any(is_tensor(each) and each.requires_grad for each in held):
            continue
        text, method = ast.unparse(node), "item" if held[-1].numel() == 1 else "detach"
        line, cure = raised.line, f"{text}.{method}()"
        for each in raised.context.program.statements if isinstance(value, list) else ():
            for call in calls_in(each.tree):
                if ast.unparse(call.func) == f"{text}.append" and call.args:
                    given = parenthesize(ast.unparse(call.args[0]))
                    line, cure = each, f"{text}.append({given}.{method}())"
        if isinstance(value, list) and line is raised.line:
            return Match(more=eval_records(raised))
        at = raised.context.where(line) if isinstance(value, list) else ""
        say = raised.context.say("cure_keep_number", cure=cure, at=at)
        return Match(more=eval_records(raised), rest=Finding("", [say]))
    return Match(more=eval_records(raised))


def eval_records(raised: Raised) -> tuple[str, ...]:
    """Say that eval() does not stop recording, if a program calls it and has no block."""
    context = raised.context
    evaluated = context.program.calls("eval")
    if not evaluated or any(s.block for s in context.program.statements):
        return ()
    return (context.say("eval_records", line=context.line(evaluated[-1])),)


MESSAGE = r"Can't call numpy\(\) on Tensor that requires grad"
ARRAY = """
import numpy as np
x = T.ones(2, requires_grad=True)
y = x * 2
print({array})
"""

TO_NUMPY = ErrorRule(
    key="to_numpy",
    chapter="5",
    en=Words(
        "numpy() of a tensor with a history",
        "`{t}` has a history, and NumPy cannot carry it on, so {line} is refused: autograd records "
        "nothing there.",
        "Say that you want the numbers alone: {plain}.detach().numpy(), or .item() for a single "
        "number.",
    ),
    zh=Words(
        "对有历史的张量调用 numpy()",
        "`{t}` 有历史，而 NumPy 不记录运算，历史会在那里断开，所以 {line}被拒绝。",
        "如果只需要数值，请用 {plain}.detach().numpy()；单个数用 .item()。",
    ),
    message=MESSAGE,
    find=find_numpy,
    broken=ARRAY.format(array="y.numpy()"),
    sound=ARRAY.format(array="y.detach().numpy()"),
    before=("to_numpy_somehow",),
    severity=1,
)

TO_ARRAY = ErrorRule(
    key="to_numpy_somehow",
    chapter="5",
    en=Words(
        "a tensor with a history that becomes an array",
        "A tensor with a history becomes a NumPy array{where}, where autograd records nothing.",
        "Say that you want the numbers alone: .detach() before NumPy gets it, or .item() for a "
        "single number.",
    ),
    zh=Words(
        "有历史的张量变成数组",
        "有历史的张量要变成 NumPy 数组{where}，而 NumPy 不记录运算，历史会在那里断开。",
        "如果只需要数值，请在交给 NumPy 之前调用 .detach()；单个数用 .item()。",
    ),
    message=MESSAGE,
    find=find_array,
    broken=ARRAY.format(array="np.asarray(y)"),
    sound=ARRAY.format(array="np.asarray(y.detach())"),
    severity=1,
)


def find_views(raised: Raised) -> Match | None:
    """Find the view that a line changes in place, and the same line out of place."""
    tree = raised.tree
    if isinstance(tree, ast.AugAssign):
        name = ast.unparse(tree.target)
        value = ast.BinOp(ast.Name(name), tree.op, tree.value)
        return Match({"t": name, "cure": f"{name} = {ast.unparse(value)}"})
    for call in raised.line_calls:
        method = getattr(call.func, "attr", "")
        if not isinstance(call.func, ast.Attribute) or not method.endswith("_"):
            continue
        if not method.endswith("__"):
            of_library = isinstance(raised.object(call.func.value), ModuleType) and call.args
            name = ast.unparse(call.args[0] if of_library else call.func.value)
            cure = ast.unparse(call).replace(method, method[:-1], 1)
            return Match({"t": name, "cure": f"{name} = {cure}"})
    return None


def find_view(raised: Raised) -> Match:
    return Match()


VIEWS = """
x = T.ones(4, requires_grad=True)
low, high = (x * 1).chunk(2)
{change}
"""
SEVERAL = r"function that returns multiple views"

SEVERAL_VIEWS = ErrorRule(
    key="several_views",
    chapter="5b",
    en=Words(
        "one of several views changed in place",
        "{t} is one of several views that one call has made of a tensor, and autograd does not let "
        "such a view be changed in place{where}.",
        "Compute a new tensor, out of place: `{cure}`; where the whole is needed, put the parts "
        "together with {library}.stack().",
    ),
    zh=Words(
        "就地修改多个视图之一",
        "{t} 是一次调用产生的多个视图之一，自动微分不允许就地修改这样的视图{where}。",
        "请不要就地修改，而是算出新的张量：`{cure}`；若需要整体，就用 {library}.stack() 把各部分合"
        "起来。",
    ),
    message=SEVERAL,
    find=find_views,
    broken=VIEWS.format(change="low += 1"),
    sound=VIEWS.format(change="low = low + 1"),
    before=("several_views_somehow",),
)

SEVERAL_SOMEHOW = ErrorRule(
    key="several_views_somehow",
    chapter="5b",
    en=Words(
        "one of several views changed in place by a call",
        "One of several views that one call has made of a tensor is changed in place{where}, which "
        "autograd does not allow.",
        "Compute a new tensor, out of place.",
    ),
    zh=Words(
        "某个调用就地修改多个视图之一",
        "一次调用产生的多个视图之一被就地修改{where}，自动微分不允许这样做。",
        "请不要就地修改，而是算出新的张量。",
    ),
    message=SEVERAL,
    find=find_view,
    broken=VIEWS.format(change="low[0] = 1.0"),
    sound=VIEWS.format(change="low = T.cat([T.ones(1), low[1:]])"),
)
