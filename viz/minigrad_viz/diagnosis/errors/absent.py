"""Names and values that are not there: a forward without return, a misspelled name, None."""

from __future__ import annotations

import ast
import difflib
import inspect
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from ...model.program_text import Program, Statement, texts_of
from ..objects import function_called, is_library, is_module, member
from ..rules.evidence import tree_of
from ..rules.rule import Match, Words
from ..syntax import last_name
from .raised import Raised, lines_of
from .rule import ErrorRule

NONE = r"NoneType"


def nones(raised: Raised) -> Iterator[tuple[str, Statement, ast.Call]]:
    """Yield the variables of the line that are None, with the call that made each."""
    for node in ast.walk(raised.tree or ast.Pass()):
        if not isinstance(node, ast.Name) or node.id not in raised.scope.objects:
            continue
        if raised.scope.objects[node.id] is not None:
            continue
        made = raised.maker_line(node.id)
        value = getattr(made.tree, "value", None) if made is not None else None
        if made is not None and isinstance(value, ast.Call):
            yield node.id, made, value


def used_calls(raised: Raised) -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls whose result the line itself uses: `net(x).mean()`, `net(x) - y`."""
    for node in ast.walk(raised.tree or ast.Pass()):
        parts: list[ast.expr] = []
        if isinstance(node, ast.Attribute | ast.Subscript):
            parts = [node.value]
        elif isinstance(node, ast.BinOp):
            parts = [node.left, node.right]
        elif isinstance(node, ast.Call) and is_library(type(raised.object(node.func))):
            parts = node.args
        yield from ((ast.unparse(each), each) for each in parts if isinstance(each, ast.Call))


def reads_no_gradient(raised: Raised) -> bool:
    """Return whether no `.grad` of the line is None, which another rule explains."""
    nodes = ast.walk(raised.tree or ast.Pass())
    grads = [n for n in nodes if isinstance(n, ast.Attribute) and n.attr == "grad"]
    return all(raised.object(node) is not None for node in grads)


NO_RESULT = ("print", "append", "extend", "add", "update", "backward", "step", "zero_grad",
             "write", "show", "insert", "clear", "remove")  # fmt: skip
"""Calls that return None, or something else than a result."""


def returned(tree: ast.stmt | None) -> str:
    """Return the `return` that a function's last statement needs, or ""."""
    if isinstance(tree, ast.Assign) and len(tree.targets) == 1:
        return f"return {ast.unparse(tree.targets[0])}"
    if isinstance(tree, ast.AugAssign):
        return f"return {ast.unparse(tree.target)}"
    if isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Call | ast.BinOp):
        call = tree.value
        if isinstance(call, ast.BinOp) or last_name(call) not in NO_RESULT:
            return f"return {ast.unparse(call)}"
    return ""


def find_return(raised: Raised) -> Match | None:
    """Find a function of the program, or a forward, that ends without a return."""
    if not reads_no_gradient(raised):
        return None
    candidates = [(name, call) for name, _, call in nones(raised)]
    for name, call in [*candidates, *used_calls(raised)]:
        function = function_called(call, raised.scope)
        if function is None or is_library(function[0]):
            continue
        lines = Program.of(function[0]).statements
        trees = [node for s in lines for node in ast.walk(s.tree or ast.Pass())]
        if any(isinstance(n, ast.Return) and n.value for n in trees):
            continue
        if any(isinstance(n, ast.Yield | ast.YieldFrom | ast.Raise) for n in trees) or not lines:
            continue
        cure = returned(lines[-1].tree)
        if not cure:
            return None
        kind = function[0].__qualname__.rpartition("<locals>.")[2]
        parts = {"t": name, "function": kind, "last": raised.context.line(lines[-1])}
        return Match({**parts, "cure": cure})
    return None


NET = """
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = T.nn.Linear(2, 1)
    def forward(self, x):
        x = self.fc(x){rest}
net, x, y = Net(), T.ones(3, 2), T.ones(3, 1)
out = net(x)
loss = (out - y).pow(2).mean()
"""

RETURN = ErrorRule(
    key="returns_nothing",
    en=Words(
        "a forward that returns nothing",
        "`{t}`{where} is None: `{function}` returns nothing, for it ends with {last}.",
        "End it with `{cure}`.",
    ),
    zh=Words(
        "forward 没有返回值",
        "`{t}`{where}是 None：`{function}` 什么也不返回，它以{last}结束。",
        "请以 `{cure}` 结尾。",
    ),
    message=NONE,
    find=find_return,
    broken=NET.format(rest=""),
    sound=NET.format(rest="\n        return x"),
)


def find_backward(raised: Raised) -> Match | None:
    """Find `loss = criterion(...).backward()`, and results of other methods that return None."""
    for name, made, call in nones(raised):
        if last_name(call) in ("backward", "step", "zero_grad") and isinstance(
            call.func, ast.Attribute
        ):
            value = ast.unparse(call.func.value)
            rest = f"{name}.backward()" if last_name(call) == "backward" else ""
            if not rest:
                return None
            parts = {"t": name, "method": last_name(call), "made": raised.context.line(made)}
            return Match({**parts, "cure": f"{name} = {value}", "rest": rest})
    return None


LOSS = """
net = T.nn.Linear(2, 1)
loss = net(T.ones(3, 2)).mean(){backward}
number = loss.item()
"""

BACKWARD = ErrorRule(
    key="result_of_backward",
    chapter="2",
    en=Words(
        "a loss that is the result of backward()",
        "`{t}` is None in {line}: {made} gives it the result of {method}(), which returns nothing.",
        "Write `{cure}`, and `{rest}` in a line of its own.",
    ),
    zh=Words(
        "损失变成了 backward() 的结果",
        "{line}中 `{t}` 是 None：{made}把 {method}() 的结果给了它，而它什么也不返回。",
        "请写 `{cure}`，再另起一行写 `{rest}`。",
    ),
    message=NONE,
    find=find_backward,
    broken=LOSS.format(backward=".backward()"),
    sound=LOSS.format(backward=""),
)

# --- Attributes


def find_local(raised: Raised) -> Match | None:
    """Find `fc2 = nn.Linear(...)` in __init__ without `self.`."""
    missing = raised.match(r"'(\w+)' object has no attribute '(\w+)'")
    owner = owner_of(raised, missing[2]) if missing else None
    if missing is None or owner is None or type(owner).__name__ != missing[1]:
        return None
    for line in lines_of(type(owner), "__init__"):
        targets = line.tree.targets if isinstance(line.tree, ast.Assign) else []
        if any(isinstance(t, ast.Name) and t.id == missing[2] for t in targets):
            parts = {"kind": missing[1], "name": missing[2], "made": raised.context.line(line)}
            return Match({**parts, "cure": f"self.{line.text}"})
    return None


def owner_of(raised: Raised, attribute: str) -> Any:
    """Return the object of the line whose attribute is missing."""
    for node in ast.walk(raised.tree or ast.Pass()):
        if isinstance(node, ast.Attribute) and node.attr == attribute:
            value = raised.object(node.value)
            if value is not None:
                return value
    return None


LAYERS = """
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = T.nn.Linear(2, 3)
        {name} = T.nn.Linear(3, 1)
    def forward(self, x):
        return self.fc2(self.fc1(x))
net = Net()
out = net(T.ones(3, 2))
"""

LOCAL = ErrorRule(
    key="layer_without_self",
    chapter="15",
    en=Words(
        "a layer that is not stored on the module",
        "`{kind}` has no `{name}`{where}: {made} makes a local variable of `__init__`, which ends "
        "with it.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "层没有存到模块上",
        "`{kind}` 没有 `{name}`{where}：{made}只是 `__init__` 的局部变量，随它结束而消失。",
        "请写 `{cure}`。",
    ),
    message=r"object has no attribute",
    find=find_local,
    broken=LAYERS.format(name="fc2"),
    sound=LAYERS.format(name="self.fc2"),
    before=("name_misspelled",),
)


HEADS = ("fc", "classifier", "head", "linear", "out", "output", "last_linear", "heads")
"""Usual names of a model's last layer."""


def find_elsewhere(raised: Raised) -> Match | None:
    """Find the part of a model that has the missing attribute, or its last layer."""
    missing = raised.match(r"'(\w+)' object has no attribute '(\w+)'")
    model: Any = owner_of(raised, missing[2]) if missing is not None else None
    if missing is None or not is_module(model) or type(model).__name__ != missing[1]:
        return None
    name = missing[2]
    text = next(
        ast.unparse(n.value)
        for n in ast.walk(raised.tree or ast.Pass())
        if isinstance(n, ast.Attribute) and n.attr == name
    )
    for path, part in model.named_modules():
        if path and part is not model and member(part, name) is not None:
            return Match({"t": text, "name": name, "cure": f"{text}{as_path(path)}.{name}"})
    layers = [p for p, m in model.named_modules() if hasattr(m, "out_features")]
    if name not in HEADS or not layers:
        return None
    return Match({"t": text, "name": name, "cure": text + as_path(layers[-1])})


def as_path(path: str) -> str:
    """Return the path to a part of a module as code.

    >>> as_path("module.layers.0")
    '.module.layers[0]'
    """
    return "".join(f"[{step}]" if step.isdigit() else f".{step}" for step in path.split("."))


WRAPPED = """
class Wrapper(T.nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = T.nn.Linear(2, 3)
net = Wrapper(Net())
code = net{part}.encoder(T.ones(1, 2))
"""

ELSEWHERE = ErrorRule(
    key="part_elsewhere",
    chapter="15",
    en=Words(
        "a part of a model under another name",
        "`{t}` has no `{name}`{where}: what is meant has another place in the model.",
        "Write `{cure}` wherever you mean it.",
    ),
    zh=Words(
        "模型的部分在别的名字下",
        "`{t}` 没有 `{name}`{where}：所指的部分在模型里的另一处。",
        "凡是指它的地方，请写 `{cure}`。",
    ),
    message=r"object has no attribute",
    find=find_elsewhere,
    broken=WRAPPED.format(part=""),
    sound=WRAPPED.format(part=".module"),
    before=("name_misspelled",),
)


def known_names(value: Any) -> list[str]:
    """Return the names that an object, a module or a module of Python has."""
    names = set(dir(value))
    if is_module(value):
        names |= {name for name, _ in value.named_children()}
        names |= {name for name, _ in value.named_parameters(recurse=False)}
    return sorted(name for name in names if not name.startswith("_"))


def find_misspelled(raised: Raised) -> Match | None:
    if (named := raised.match(r"name '(\w{3,})' is not defined")) is not None:
        names = [n for n in raised.scope.objects if not n.startswith("_")]
        known = [name for name in names if not is_sibling(named[1], name)]
        close = difflib.get_close_matches(named[1], known, 2, 0.75)
        return Match({"name": named[1], "cure": close[0]}) if len(close) == 1 else None
    missing = raised.match(r"has no attribute '(\w+)'")
    owner = owner_of(raised, missing[1]) if missing else None
    kind = raised.match(r"'(?:\w+\.)*(\w+)' object has no attribute")
    if missing is None or owner is None:
        return None
    if kind is not None and kind[1] not in {each.__name__ for each in type(owner).__mro__}:
        return None  # of another object in the line
    name = missing[1]
    known = [each for each in known_names(owner) if not is_sibling(name, each)]
    close = difflib.get_close_matches(name, known, 3, 0.75)
    same = [each for each in close if each.lower() == name.lower()]
    if len(close) > 1 and not same:
        close = close[:1] if closest(name, close) else []
    if not close:
        return None
    text = next(
        ast.unparse(n.value)
        for n in ast.walk(raised.tree or ast.Pass())
        if isinstance(n, ast.Attribute) and n.attr == name
    )
    return Match({"name": f"{text}.{name}", "cure": f"{text}.{(same or close)[0]}"})


def is_sibling(one: str, other: str) -> bool:
    """Return whether two names differ by a number or a last part: `fc1`, `fc2`; `x_a`, `x_b`.

    >>> is_sibling("fc1", "fc2"), is_sibling("train_x", "train_y"), is_sibling("Adamm", "Adam")
    (True, True, False)
    """
    digits = "0123456789"
    if one.rstrip(digits) == other.rstrip(digits):
        return True
    if len(one) != len(other):
        return False
    places = [i for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    return len(places) == 1 and (places[0] in (0, len(one) - 1) or one[places[0]] in digits)


def closest(name: str, close: list[str]) -> bool:
    """Return whether the first is clearly closer than the second."""
    first, second = (difflib.SequenceMatcher(None, name, each).ratio() for each in close[:2])
    return first - second > 0.03


MISSPELLED = ErrorRule(
    key="name_misspelled",
    en=Words(
        "a misspelled name",
        "There is no `{name}`{where}, and something with a similar name.",
        "Write `{cure}`, if you mean it.",
    ),
    zh=Words(
        "名字写错了",
        "没有 `{name}`{where}，但有名字相近的东西。",
        "如果指的是它，请写 `{cure}`。",
    ),
    message=r"has no attribute '|name '\w+' is not defined",
    find=find_misspelled,
    broken="net = T.nn.Linear(2, 1)\nopt = T.optim.Adamm(net.parameters())",
    sound="net = T.nn.Linear(2, 1)\nopt = T.optim.Adam(net.parameters())",
)

# --- Arguments

SYNONYMS = {"learning_rate": "lr", "momentum_": "momentum", "l2": "weight_decay", "axis": "dim",
            "decay": "weight_decay", "in_feature": "in_features", "size_average": "reduction",
            "filters": "out_channels", "units": "out_features", "rate": "p"}  # fmt: skip
"""Arguments of other libraries, or misspelled ones."""


def find_keyword(raised: Raised) -> Match | None:
    missing = raised.match(r"got an unexpected keyword argument '(\w+)'")
    if missing is None:
        return None
    name = missing[1]
    for call in raised.line_calls:
        word = next((k for k in call.keywords if k.arg == name), None)
        if word is None:
            continue
        known = parameters(raised.object(call.func))
        instead = SYNONYMS.get(name, "")
        if instead not in known:
            close = difflib.get_close_matches(name, known, 1, 0.7)
            instead = close[0] if close else ""
        if not instead or any(k.arg == instead for k in call.keywords):
            return None
        cure = f"{instead}={ast.unparse(word.value)}"
        return Match({"function": ast.unparse(call.func), "name": name, "cure": cure})
    return None


def parameters(function: Any) -> list[str]:
    """Return the names of a function's arguments."""
    try:
        given = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return []
    return [name for name in given if name != "self"]


KEYWORD = ErrorRule(
    key="keyword_misspelled",
    en=Words(
        "an argument of another name",
        "`{function}`{where} has no argument `{name}`.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "参数名不对",
        "`{function}`{where}没有参数 `{name}`。",
        "请写 `{cure}`。",
    ),
    message=r"got an unexpected keyword argument",
    find=find_keyword,
    broken="net = T.nn.Linear(2, 1)\nopt = T.optim.Adam(net.parameters(), learning_rate=0.1)",
    sound="net = T.nn.Linear(2, 1)\nopt = T.optim.Adam(net.parameters(), lr=0.1)",
)


def find_required(raised: Raised) -> Match | None:
    """Find a layer or loss that is made with too few arguments."""
    missing = raised.match(
        r"(\w+)\.__init__\(\) missing (\d+) required positional arguments?: (.+)"
    )
    if missing is None:
        return None
    for call in raised.line_calls:
        kind = raised.object(call.func)
        if not isinstance(kind, type):
            continue
        function = inspect.getattr_static(kind, "__init__", None) if kind is not None else None
        if not isinstance(function, FunctionType):
            continue
        given = inspect.signature(function).parameters.values()
        needed = [p.name for p in list(given)[1:] if p.default is p.empty and p.kind == 1]
        if missing[3].split("'")[1] not in needed:
            continue
        given_now = [ast.unparse(each) for each in call.args]
        steps = turns(raised) if needed[-1] in ("T_max", "total_iters") else ""
        full = [*given_now, *needed[len(given_now) :]] if steps else needed
        full = [f"{needed[-1]}={steps}" if each == needed[-1] and steps else each for each in full]
        form = f"{ast.unparse(call.func)}({', '.join(full)})"
        return Match({"call": ast.unparse(call), "form": form, "missing": missing[3]})
    return None


def turns(raised: Raised) -> str:
    """Return the number of turns of the program's first loop over a range, or ""."""
    for frame, _ in raised.frames:
        for text in texts_of(frame)[-1:]:
            for node in ast.walk(tree_of(text)):
                if isinstance(node, ast.For) and isinstance(node.iter, ast.Call):
                    if ast.unparse(node.iter.func) == "range" and len(node.iter.args) == 1:
                        return ast.unparse(node.iter.args[0])
    return ""


REQUIRED = ErrorRule(
    key="arguments_missing",
    en=Words(
        "a layer made with too few arguments",
        "`{call}`{where} lacks {missing}.",
        "Write it as `{form}`, with your sizes.",
    ),
    zh=Words(
        "建立层时参数太少",
        "`{call}`{where}缺少 {missing}。",
        "请按 `{form}` 的形式写出各个大小。",
    ),
    message=r"__init__\(\) missing \d+ required positional argument",
    find=find_required,
    broken="layer = T.nn.Linear(2)",
    sound="layer = T.nn.Linear(2, 1)",
)
