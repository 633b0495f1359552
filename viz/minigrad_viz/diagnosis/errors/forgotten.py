"""Something that was forgotten: an import, the parentheses of a call, nn.Parameter."""

from __future__ import annotations

import ast
from typing import Any

from ...model.names import is_tensor
from ..objects import is_module
from ..rules.rule import Match, Words
from .raised import Raised, lines_of
from .rule import ErrorRule

# --- Imports

IMPORTS = {
    "F": "import {library}.nn.functional as F",
    "nn": "from {library} import nn",
    "optim": "from {library} import optim",
    "np": "import numpy as np",
    "plt": "import matplotlib.pyplot as plt",
    "math": "import math",
    "random": "import random",
    "DataLoader": "from {library}.utils.data import DataLoader",
    "TensorDataset": "from {library}.utils.data import TensorDataset",
    "Dataset": "from {library}.utils.data import Dataset",
}
"""The imports of usual names."""


def find_import(raised: Raised) -> Match | None:
    named = raised.match(r"name '(\w+)' is not defined")
    if named is None or named[1] not in IMPORTS:
        return None
    library = raised.context.library().__name__
    return Match({"name": named[1], "cure": IMPORTS[named[1]].format(library=library)})


NAME = """
{imports}
x = T.ones(3)
y = {name}.sqrt(2.0)
"""

IMPORT = ErrorRule(
    key="import_missing",
    en=Words(
        "a missing import",
        "`{name}`{where} is not imported.",
        "Write `{cure}` at the top.",
    ),
    zh=Words(
        "缺少导入",
        "`{name}`{where}没有导入。",
        "请在开头写 `{cure}`。",
    ),
    message=r"name '\w+' is not defined",
    find=find_import,
    broken=NAME.format(imports="", name="math"),
    sound=NAME.format(imports="import math", name="math"),
    severity=1,
)


# --- Parentheses

MODES = ("no_grad", "enable_grad", "inference_mode")


def find_mode(raised: Raised) -> Match | None:
    """Find `with torch.no_grad:`."""
    text = raised.line.text
    for mode in MODES:
        if text.startswith("with ") and text.endswith(f"{mode}:"):
            return Match({"mode": mode, "cure": f"{text[:-1]}():"})
    return None


MODE = """
x = T.ones(2, requires_grad=True)
with T.no_grad{call}:
    y = x * 2
"""

MODE_NOT_CALLED = ErrorRule(
    key="mode_not_called",
    chapter="5",
    en=Words(
        "a mode without parentheses",
        "{line} names `{mode}` without calling it.",
        "Write `{cure}`",
    ),
    zh=Words(
        "模式缺少括号",
        "{line}只写了 `{mode}`，没有调用它。",
        "请写 `{cure}`",
    ),
    message=r"context manager protocol|__enter__",
    find=find_mode,
    broken=MODE.format(call=""),
    sound=MODE.format(call="()"),
)


def find_method(raised: Raised) -> Match | None:
    """Find `for p in model.parameters:` and `len(model.parameters)`."""
    for node in ast.walk(raised.tree or ast.Pass()):
        if not isinstance(node, ast.Attribute) or is_called(raised, node):
            continue
        given = any(node in call.args for call in raised.line_calls)
        if given and not node.attr.endswith("parameters"):
            continue
        of_tensor = is_tensor(raised.object(node.value)) and node.attr not in (
            "grad",
            "shape",
            "data",
        )
        ends = ("parameters", "modules", "children", "state_dict", "items", "keys")
        if of_tensor or (node.attr.endswith(ends) and callable(raised.object(node))):
            if not of_tensor or callable(getattr(raised.object(node.value), node.attr, None)):
                return Match({"t": ast.unparse(node), "cure": f"{ast.unparse(node)}()"})
    return None


def is_called(raised: Raised, tree: ast.expr) -> bool:
    return any(call.func is tree for call in raised.line_calls)


METHOD = """
net = T.nn.Linear(2, 1)
for p in net.parameters{call}:
    size = p.numel()
"""

METHOD_NOT_CALLED = ErrorRule(
    key="method_not_called",
    chapter="15",
    en=Words(
        "a method without parentheses",
        "`{t}`{where} is the method itself: it is not called.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "方法缺少括号",
        "`{t}`{where}是方法本身，没有被调用。",
        "请写 `{cure}`。",
    ),
    message=r"'\w+' object is not iterable|should be an iterable of Tensors|'method' has no len|"
    r"(unsupported operand type|not supported between instances|unsupported format string|"
    r"must be a string or a real number).*(builtin_function_or_)?method",
    find=find_method,
    broken=METHOD.format(call=""),
    sound=METHOD.format(call="()"),
    before=("module_for_parameters",),
)


def find_bound(raised: Raised) -> Match | None:
    """Find `model = model.eval`, a method in place of the model."""
    for call in raised.line_calls:
        value = raised.object(call.func)
        owner = getattr(value, "__self__", None)
        if not isinstance(call.func, ast.Name) or not is_module(owner):
            continue
        made = raised.maker_line(call.func.id)
        given = getattr(made.tree, "value", None) if made is not None else None
        if made is not None and isinstance(given, ast.Attribute):
            parts = {"t": call.func.id, "made": raised.context.line(made), "name": given.attr}
            return Match({**parts, "cure": f"{made.text}()"})
    return None


BOUND = """
net = T.nn.Linear(2, 1)
net = net.eval{call}
out = net(T.ones(3, 2))
"""

METHOD_FOR_MODEL = ErrorRule(
    key="method_for_model",
    chapter="15",
    en=Words(
        "a method in place of the model",
        "`{t}`{where} is not the model: {made} stores the method `{name}`, without calling it.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "用了方法而不是模型",
        "`{t}`{where}不是模型：{made}存放的是方法 `{name}`，没有调用它。",
        "请写 `{cure}`。",
    ),
    message=r"takes \d+ positional arguments? but|takes from \d+ to \d+ positional",
    find=find_bound,
    broken=BOUND.format(call=""),
    sound=BOUND.format(call="()"),
    before=("forward_arguments",),
)

# --- nn.Parameter


def find_plain(raised: Raised) -> Match | None:
    """Find a module whose weights are plain tensors."""
    for call in raised.line_calls:
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "parameters":
            continue
        module = raised.object(call.func.value)
        if not is_module(module) or any(True for _ in module.parameters()):
            continue
        for name, value in vars(module).items():
            if is_tensor(value) and value.requires_grad and not name.startswith("_"):
                return plain_weight(raised, module, ast.unparse(call.func.value), name)
    return None


def plain_weight(raised: Raised, module: Any, owner: str, name: str) -> Match | None:
    for line in lines_of(type(module), "__init__"):
        tree = line.tree
        if not isinstance(tree, ast.Assign) or ast.unparse(tree.targets[0]) != f"self.{name}":
            continue
        given = tree.value
        if isinstance(given, ast.Call):
            words = [k for k in given.keywords if k.arg != "requires_grad"]
            given = ast.Call(given.func, given.args, words)
        cure = f"self.{name} = {raised.nn}.Parameter({ast.unparse(given)})"
        line_text = raised.context.line(line)
        return Match({"model": owner, "t": f"{owner}.{name}", "made": line_text, "cure": cure})
    return None


WEIGHTS = """
class Model(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = {made}
    def forward(self, x):
        return x @ self.w
net = Model()
opt = T.optim.SGD(net.parameters(), lr=0.1)
"""

PLAIN = ErrorRule(
    key="weights_not_parameters",
    chapter="15",
    en=Words(
        "weights that are no parameters",
        "`{t}` is a plain tensor, which `{model}.parameters()` does not give, so the optimizer "
        "gets nothing: {made}.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "权重不是参数",
        "`{t}` 是普通张量，`{model}.parameters()` 不会给出它，所以优化器什么也没有得到：{made}。",
        "请写 `{cure}`。",
    ),
    message=r"optimizer got an empty parameter list",
    find=find_plain,
    broken=WEIGHTS.format(made="T.randn(3, 1, requires_grad=True)"),
    sound=WEIGHTS.format(made="T.nn.Parameter(T.randn(3, 1))"),
)


def find_recursion(raised: Raised) -> Match | None:
    """Find a forward that calls its own module."""
    for call in raised.line_calls:
        module = raised.object(call.func)
        if is_module(module) and isinstance(call.func, ast.Name | ast.Attribute):
            text = ast.unparse(call.func)
            code = raised.frames[-1][0].f_code
            repeated = sum(frame.f_code is code for frame, _ in raised.frames)
            if repeated > 5 and text in ("self", "self.forward"):
                return Match({"kind": type(module).__name__, "call": ast.unparse(call)})
    return None


ITSELF = """
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = T.nn.Linear(2, 1)
    def forward(self, x):
        return {call}(x)
out = Net()(T.ones(3, 2))
"""

RECURSION = ErrorRule(
    key="forward_calls_itself",
    chapter="15",
    en=Words(
        "a forward that calls itself",
        "`{call}`{where} calls the module in whose `forward` it stands, so `{kind}` calls itself "
        "without end.",
        "Call a layer there, such as `self.fc`.",
    ),
    zh=Words(
        "forward 调用了自己",
        "`{call}`{where}调用的正是它所在 `forward` 的模块，所以 `{kind}` 无休止地调用自己。",
        "请在那里调用某一层，例如 `self.fc`。",
    ),
    message=r"maximum recursion depth exceeded",
    find=find_recursion,
    broken=ITSELF.format(call="self"),
    sound=ITSELF.format(call="self.fc"),
)
