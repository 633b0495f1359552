"""A list, a number or a state_dict that is used as a tensor, a module or a list is."""

from __future__ import annotations

import ast
import difflib
import inspect
from collections.abc import Iterator
from typing import Any

from ...model.names import is_tensor
from ..objects import is_module
from ..rules.rule import Match, Words
from .raised import Raised
from .rule import ErrorRule


def owners(raised: Raised, attribute: str) -> Iterator[tuple[ast.expr, ast.expr, Any]]:
    """Yield the uses of an attribute in the line, with its owner and the owner's value."""
    for node in ast.walk(raised.tree or ast.Pass()):
        if isinstance(node, ast.Attribute) and node.attr == attribute:
            yield node, node.value, raised.object(node.value)


def call_of(raised: Raised, function: ast.expr) -> str:
    """Return the text of the call of a function in the line, or of the function."""
    calls = (call for call in raised.line_calls if call.func is function)
    return ast.unparse(next(calls, function))


def find_state(raised: Raised) -> Match | None:
    """Find a state_dict that is called, or told to evaluate, as a model is."""
    missing = raised.match(r"has no attribute '(\w+)'")
    found = [call.func for call in raised.line_calls]
    if missing is not None:
        found = [owner for _, owner, _ in owners(raised, missing[1])]
    for tree in found:
        value = raised.object(tree)
        if type(value).__name__ != "OrderedDict" or not all(map(is_tensor, value.values())):
            continue
        models = [n for n, m in raised.context.variables.items() if is_module(m)]
        fits = [n for n in models if list(raised.anywhere(ast.Name(n)).state_dict()) == [*value]]
        text = ast.unparse(tree)
        return Match({"t": text, "cure": f"{next(iter(fits), 'net')}.load_state_dict({text})"})
    return None


STATE = """
net = T.nn.Linear(3, 1)
saved = net.state_dict()
{use}
"""

STATE_FOR_MODEL = ErrorRule(
    key="state_for_model",
    en=Words(
        "a state_dict in place of a model",
        "`{t}`{where} is a state_dict, a dictionary of weights, and no model.",
        "Make the model, then write `{cure}`, and use the model.",
    ),
    zh=Words(
        "用了 state_dict 而不是模型",
        "`{t}`{where}是 state_dict，即权重的字典，不是模型。",
        "请先建立模型，再写 `{cure}`，然后使用模型。",
    ),
    message=r"(Dict|dict)' object (is not callable|has no attribute)",
    find=find_state,
    broken=STATE.format(use="saved.eval()"),
    sound=STATE.format(use="net.load_state_dict(saved)\nnet.eval()"),
)


def find_dot(raised: Raised) -> Match | None:
    name = raised.match(r"contain \"\.\", got: ([\w.]+)")
    for call in raised.called("ModuleDict", "ParameterDict", "BufferDict"):
        if name is not None and call.args:
            text, made = ast.unparse(call.args[0]), ast.unparse(call.func)
            cure = f"{made}({{k.replace('.', '_'): v for k, v in {text}.items()}})"
            return Match({"name": name[1], "cure": cure})
    return None


DOTTED = """
layers = {{"{name}": T.nn.Linear(2, 1)}}
heads = T.nn.ModuleDict(layers)
"""

DOT = ErrorRule(
    key="name_with_a_dot",
    chapter="15",
    en=Words(
        "the name of a part with a dot in it",
        "`{name}`{where} has a dot, which stands between a module and its part.",
        "Write `{cure}`, and use the names with `_` from there on.",
    ),
    zh=Words(
        "部分的名字里有点",
        "`{name}`{where}里有点，而点用来分隔模块和它的部分。",
        "请写 `{cure}`，此后都用带 `_` 的名字。",
    ),
    message=r"t contain \"\.\", got: ",
    find=find_dot,
    broken=DOTTED.format(name="age.group"),
    sound=DOTTED.format(name="age_group"),
)


EACH = "to|cuda|cpu|float|double|half|long|detach|numpy|size|shape|dim|unsqueeze"
"""What each tensor of a batch may be asked for by itself."""


def find_batch(raised: Raised) -> Match | None:
    """Find a method of tensors that a list or a dictionary of tensors does not have."""
    missing = raised.match(rf"'(list|tuple|dict)' object has no attribute '({EACH})'")
    for node, owner, value in owners(raised, missing[2] if missing is not None else ""):
        held = list(value.values()) if isinstance(value, dict) else value
        if not isinstance(held, list | tuple) or not any(map(is_tensor, held)):
            continue
        text, use = ast.unparse(owner), call_of(raised, node)
        each = use.replace(text, "each", 1)
        cure = f"[{each} for each in {text}]"
        if isinstance(value, dict):
            cure = f"{{name: {each} for name, each in {text}.items()}}"
        return Match({"t": text, "kind": type(value).__name__, "use": use, "cure": cure})
    return None


BATCH = """
batch = [T.ones(2, 3), T.ones(2)]
batch = {moved}
"""

BATCH_FOR_TENSOR = ErrorRule(
    key="method_of_a_batch",
    en=Words(
        "a method of tensors on a list or a dictionary",
        "`{t}` is a {kind} of tensors, and only each of them has what `{use}`{where} asks for.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "对列表或字典调用张量的方法",
        "`{t}` 是装着张量的 {kind}，`{use}`{where}所要的只有其中每个张量才有。",
        "请写 `{cure}`。",
    ),
    message=rf"'(list|tuple|dict)' object has no attribute '({EACH})'",
    find=find_batch,
    broken=BATCH.format(moved='batch.to("cpu")'),
    sound=BATCH.format(moved='[each.to("cpu") for each in batch]'),
    before=("name_misspelled",),
)


def find_number(raised: Raised) -> Match | None:
    """Find a method of tensors on a Python number."""
    missing = raised.match(r"'(float|int|bool)' object has no attribute '(item|detach|cpu|numpy)'")
    for node, owner, value in owners(raised, missing[2] if missing is not None else ""):
        if isinstance(value, int | float):
            text = ast.unparse(owner)
            method = call_of(raised, node).removeprefix(text)
            return Match({"t": text, "kind": type(value).__name__, "method": method})
    return None


NUMBER = """
total = 0.0
for i in range(3):
    total += T.ones(2).sum().item()
print({total})
"""

NUMBER_FOR_TENSOR = ErrorRule(
    key="method_of_a_number",
    chapter="12",
    en=Words(
        "a method of tensors on a number",
        "`{t}`{where} is a Python {kind} already, and has no such method.",
        "Leave `{method}` out.",
    ),
    zh=Words(
        "对数调用张量的方法",
        "`{t}`{where}已经是 Python 的 {kind}，没有这个方法。",
        "请去掉 `{method}`。",
    ),
    message=r"'(float|int|bool)' object has no attribute '(item|detach|cpu|numpy)'",
    find=find_number,
    broken=NUMBER.format(total="total.item()"),
    sound=NUMBER.format(total="total"),
    before=("name_misspelled",),
    severity=1,
)


def find_index(raised: Raised) -> Match | None:
    """Find an index into a loader, a generator or a method."""
    for node in ast.walk(raised.tree or ast.Pass()):
        if not isinstance(node, ast.Subscript):
            continue
        call = node.value if isinstance(node.value, ast.Call) else None
        function = raised.object(call.func if call is not None else node.value)
        text, index = ast.unparse(node.value), ast.unparse(node.slice)
        parts = {"t": text, "use": ast.unparse(node)}
        if type(function).__name__ == "DataLoader" and call is None:
            return Match({**parts, "kind": "DataLoader", "cure": f"next(iter({text}))"})
        if call is not None and not call.args and getattr(call.func, "attr", "") in GENERATORS:
            return Match({**parts, "kind": "generator", "cure": f"list({text})[{index}]"})
        if callable(function) and inspect.ismethod(function) and call is None:
            cure = f"{text}()[{index}]"
            if getattr(node.value, "attr", "") in GENERATORS:
                cure = f"list({text}())[{index}]"
            return Match({**parts, "kind": "method", "cure": cure})
    return None


GENERATORS = ("parameters", "named_parameters", "modules", "children", "buffers")

INDEXED = """
net = T.nn.Linear(3, 1)
w = {first}
"""

NO_INDEX = ErrorRule(
    key="index_of_no_list",
    en=Words(
        "an index into something that has no places",
        "`{t}` is a {kind}, and `{use}`{where} asks for one of its places: it has none.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "对没有下标的东西取下标",
        "`{t}` 是 {kind}，没有下标，而 `{use}`{where}要取其中一个。",
        "请写 `{cure}`。",
    ),
    message=r"'(method|generator|DataLoader)' object is not subscriptable",
    find=find_index,
    broken=INDEXED.format(first="net.parameters()[0]"),
    sound=INDEXED.format(first="list(net.parameters())[0]"),
)


def find_key(raised: Raised) -> Match | None:
    """Find a key that a dictionary does not have, and one like it."""
    for node in ast.walk(raised.tree or ast.Pass()):
        if not isinstance(node, ast.Subscript):
            continue
        held, key = raised.object(node.value), raised.object(node.slice)
        key = node.slice.value if isinstance(node.slice, ast.Constant) else key
        if not isinstance(held, dict) or not isinstance(key, str) or key in held:
            continue
        names = [each for each in held if isinstance(each, str)]
        close = [each for each in names if key in each or each in key]
        close = close if len(close) == 1 else difflib.get_close_matches(key, names, 1, 0.7)
        if close:
            text = ast.unparse(node.value)
            return Match({"t": text, "key": key, "cure": f"{text}[{close[0]!r}]"})
    return None


KEYS = """
checkpoint = {{"model_state_dict": T.nn.Linear(2, 1).state_dict(), "epoch": 3}}
state = checkpoint["{key}"]
"""

NO_KEY = ErrorRule(
    key="no_such_key",
    en=Words(
        "a dictionary without this name",
        "`{t}`{where} has nothing under the name `{key}`, and something under one like it.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "字典里没有这个名字",
        "`{t}`{where}里没有名字 `{key}`，但有一个相近的。",
        "请写 `{cure}`。",
    ),
    message=r"^'?[\w.]{3,}'?$",
    find=find_key,
    broken=KEYS.format(key="state_dict"),
    sound=KEYS.format(key="model_state_dict"),
)
