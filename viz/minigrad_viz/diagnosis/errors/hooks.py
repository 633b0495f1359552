"""A forward hook that returns something, which takes the place of the layer's output."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from ...model.names import is_tensor
from ...model.program_text import Program, Statement, texts_of
from ...model.values import shape_of
from ..objects import is_module
from ..rules.evidence import tree_of
from ..rules.rule import Match, Words
from ..syntax import calls_in, last_name
from .raised import Raised
from .rule import ErrorRule

FORWARD, BEFORE = "register_forward_hook", "register_forward_pre_hook"

GIVES = ("out_features", "out_channels", "num_features", "embedding_dim")
TAKES = ("in_features", "in_channels", "num_features", "input_size")
"""Attributes of layers with the size of their outputs and inputs."""

LAST = ("Linear", "GRU", "LSTM", "RNN")
"""Layers that take their features in the last dimension."""

KINDS = {
    "ndarray": ".numpy(",
    "list": ".tolist(",
    "float": ".item(",
    "Size": ".shape",
    "tuple": "(",
    "dict": "{",
}
"""What the text of a value has, by its class."""


def find(raised: Raised) -> Match | None:
    kind = raised.match(r"must be Tensor, not (?:\w+\.)?(\w+)")
    for line, call, module in registered(raised):
        returned, cure = value_of(raised, call.args[0])
        if not returned:
            continue
        if not spoils(raised, module, last_name(call)):
            if kind is None or raised.inner is not None or KINDS.get(kind[1], "?") not in returned:
                continue
        owner = ast.unparse(getattr(call.func, "value", call.func))
        at = raised.context.line(line)
        return Match({"layer": owner, "at": at, "returned": returned, "cure": cure})
    return None


def registered(raised: Raised) -> Iterator[tuple[Statement, ast.Call, Any]]:
    """Yield the calls of the program that hook into a module, with that module."""
    for name in (FORWARD, BEFORE):
        for line in raised.context.program.calls(name):
            for call in calls_in(line.tree):
                if last_name(call) == name and isinstance(call.func, ast.Attribute) and call.args:
                    module = raised.anywhere(call.func.value)
                    yield line, call, module


def value_of(raised: Raised, hook: ast.expr) -> tuple[str, str]:
    """Return what a hook returns, and a line by which it returns nothing; or "" twice."""
    if isinstance(hook, ast.Lambda):
        body = ast.unparse(hook.body)
        nothing = isinstance(hook.body, ast.Constant) and hook.body.value is None
        stores = last_name(hook.body) if isinstance(hook.body, ast.Call) else ""
        if nothing or stores in ("append", "update", "print", "__setitem__", "add", "extend"):
            return "", ""
        return body, f"def hook({ast.unparse(hook.args)}): {body}"
    function = raised.anywhere(hook)
    if isinstance(function, FunctionType):
        for statement in Program.of(function).statements:
            value = getattr(statement.tree, "value", None)
            if isinstance(statement.tree, ast.Return) and value is not None:
                return ast.unparse(value), "return"
    return "", ""


def spoils(raised: Raised, hooked: Any, name: str) -> bool:
    """Return whether the layer that failed would fit the hooked one, and got something else."""
    failed = raised.inner
    if failed is None or not failed.args or not is_module(hooked):
        return False
    if name == BEFORE or failed.module is hooked:
        return name == BEFORE and failed.module is hooked
    given, takes = failed.args[0], size_of(failed.module, TAKES)
    if not is_tensor(given):
        return True
    place = -1 if type(failed.module).__name__ in LAST else 1
    fits = given.dim() > 1 and shape_of(given)[place] == takes
    return takes is not None and takes == size_of(hooked, GIVES) and not fits


def size_of(module: Any, names: tuple[str, ...]) -> int | None:
    return next((getattr(module, name) for name in names if hasattr(module, name)), None)


HOOKED = """
net = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.ReLU(), T.nn.Linear(4, 1))
seen = {{}}
net[0].register_forward_hook(lambda m, i, o: {body})
y = net(T.ones(5, 3))
"""

RULE = ErrorRule(
    key="hook_replaces_output",
    en=Words(
        "a hook on a layer that returns something",
        "The hook on `{layer}` in {at} returns `{returned}`, which takes the place of what the "
        "layer gives or gets.",
        "Let it return nothing: write `{cure}`.",
    ),
    zh=Words(
        "层上的钩子返回了值",
        "{at}中 `{layer}` 的钩子返回 `{returned}`，它取代了这一层的输出或输入。",
        "请让它什么也不返回：写 `{cure}`。",
    ),
    message=r"must be Tensor, not|mat1 and mat2|expected .*(input|[2-5]D)|running_mean should|"
    r"to have \d+ channels|normalized_shape|must be equal to input_size|has no attribute",
    find=find,
    broken=HOOKED.format(body='seen.setdefault("h", o.mean(1))'),
    sound=HOOKED.format(body="seen.update(h=o.mean(1))"),
)


GETS = {
    FORWARD: ("module", "args", "output"),
    BEFORE: ("module", "args"),
    "register_full_backward_hook": ("module", "grad_input", "grad_output"),
    "register_backward_hook": ("module", "grad_input", "grad_output"),
    "register_hook": ("grad",),
}
"""The arguments of hooks, by the method that registers them."""


def find_signature(raised: Raised) -> Match | None:
    """Find a hook that takes another number of arguments than it gets."""
    named = raised.match(r"([\w<>]+)\(\) (?:takes|missing)")
    for method, names in GETS.items() if named is not None else ():
        for line in raised.context.program.calls(method):
            call = next(c for c in calls_in(line.tree) if last_name(c) == method)
            given = call.args[0] if call.args else None
            for tree in ast.walk(tree_around(raised, line)):
                if not isinstance(tree, ast.FunctionDef | ast.Lambda):
                    continue
                own = [each.arg for each in tree.args.args if each.arg != "self"]
                name = getattr(tree, "name", "<lambda>")
                if name != named[1] or len(own) == len(names):  # type: ignore[index]
                    continue
                if (name == "<lambda>") != isinstance(given, ast.Lambda):
                    continue
                full = ", ".join([*("self" for a in tree.args.args if a.arg == "self"), *names])
                cure = f"def {name}({full}):"
                if isinstance(tree, ast.Lambda):
                    cure = f"lambda {full}: {ast.unparse(tree.body)}"
                parts = {"method": method, "names": ", ".join(names), "count": len(own)}
                return Match({**parts, "at": raised.context.where(line), "cure": cure})
    return None


def tree_around(raised: Raised, line: Statement) -> ast.AST:
    """Return the tree of the file or cell in which a line stands."""
    texts = [text for frame, _ in raised.frames for text in texts_of(frame)]
    return next((tree_of(text) for text in texts if line.text in text), ast.Pass())


SIGNED = """
net = T.nn.Linear(3, 4)
seen = []
def hook({names}):
    seen.append(output.shape)
net.register_forward_hook(hook)
y = net(T.ones(5, 3))
"""

SIGNATURE = ErrorRule(
    key="arguments_of_hook",
    en=Words(
        "a hook that takes another number of arguments",
        "{method}(){at} calls the hook with {names}, and the hook takes {count} argument(s).",
        "Write `{cure}`",
    ),
    zh=Words(
        "钩子的参数个数不对",
        "{method}(){at}用 {names} 调用钩子，而钩子接受 {count} 个参数。",
        "请写 `{cure}`",
    ),
    message=r"\(\) (takes \d+ positional arguments? but|missing \d+ required positional)",
    find=find_signature,
    broken=SIGNED.format(names="module, output"),
    sound=SIGNED.format(names="module, args, output"),
)
