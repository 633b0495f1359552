"""A module whose class is unfinished: no super().__init__(), no forward, a wrong signature."""

from __future__ import annotations

import ast
import difflib
import inspect
import linecache
from types import CodeType, FunctionType
from typing import Any

from ...model.names import is_tensor
from ...model.program_text import Statement
from ..causes import Finding
from ..objects import is_library, is_module
from ..rules.rule import Match, Words
from ..syntax import last_name
from .raised import Raised
from .rule import ErrorRule

# --- super().__init__()


def running_class(raised: Raised) -> Any:
    """Return the user's class whose `__init__` raised the error."""
    for frame, _ in reversed(raised.frames):
        code = frame.f_code
        if code.co_name == "__init__" and code.co_varnames:
            return type(raised.scope.objects.get(code.co_varnames[0]))
    return None


def find_super(raised: Raised) -> Match | None:
    kind = running_class(raised)
    if kind is None or is_library(kind):
        return None
    return Match({"kind": kind.__name__})


CLASS = """
class Net(T.nn.Module):
    def __init__(self):
        {first}
        self.fc = T.nn.Linear(2, 1)
    {forward}
        {returns}self.fc(x)
net = {made}
out = net(T.ones(3, 2))
"""
SOUND = CLASS.format(
    first="super().__init__()", forward="def forward(self, x):", returns="return ", made="Net()"
)

SUPER = ErrorRule(
    key="no_super",
    chapter="15",
    en=Words(
        "a module without super().__init__()",
        "`{kind}.__init__` stores a layer or a parameter in {line} before `super().__init__()` has "
        "run, which makes the place for it.",
        "Write `super().__init__()` as the first line of `{kind}.__init__`.",
    ),
    zh=Words(
        "模块没有调用 super().__init__()",
        "`{kind}.__init__` 在{line}中存放层或参数时，还没有运行 `super().__init__()`，而存放它们的"
        "地方由后者建立。",
        "请把 `super().__init__()` 写在 `{kind}.__init__` 的第一行。",
    ),
    message=r"before Module.__init__\(\) call|super\(\).__init__\(\) before",
    find=find_super,
    broken=CLASS.format(
        first="self.size = 2", forward="def forward(self, x):", returns="return ", made="Net()"
    ),
    sound=SOUND,
)

# --- forward


def methods_of(kind: type) -> dict[str, FunctionType]:
    """Return the functions that the user's classes above a module define."""
    found: dict[str, FunctionType] = {}
    for each in kind.__mro__:
        if not is_library(each) and each is not object:
            for name, value in vars(each).items():
                if isinstance(value, FunctionType):
                    found.setdefault(name, value)
    return found


def without_forward(raised: Raised) -> Any:
    """Return the module without a forward."""
    return raised.calls[-1].module if raised.calls else None


def find_misspelled(raised: Raised) -> Match | None:
    module = without_forward(raised)
    names = [n for n in methods_of(type(module)) if not n.startswith("__")]
    close = difflib.get_close_matches("forward", names, 1, 0.7)
    if not close or is_library(type(module)):
        return None
    return Match({"kind": type(module).__name__, "name": close[0]})


MISSPELLED = ErrorRule(
    key="forward_misspelled",
    chapter="15",
    en=Words(
        "a forward with another name",
        "`{kind}` has no `forward`, which its call{where} needs. It has `{name}`.",
        "Rename `{name}` to `forward`.",
    ),
    zh=Words(
        "forward 写错了名字",
        "`{kind}` 没有 `forward`，而调用它{where}需要它。它有的是 `{name}`。",
        "请把 `{name}` 改名为 `forward`。",
    ),
    message=r"missing the required \"forward\" function",
    find=find_misspelled,
    broken=CLASS.format(
        first="super().__init__()", forward="def foward(self, x):", returns="return ", made="Net()"
    ),
    sound=SOUND,
    before=("no_forward",),
)


def find_nested(raised: Raised) -> Match | None:
    """Find a forward that is indented into another method."""
    kind = type(without_forward(raised))
    for method, function in methods_of(kind).items():
        for code in function.__code__.co_consts:
            if isinstance(code, CodeType) and code.co_name == "forward":
                at = code.co_firstlineno
                text = linecache.getline(code.co_filename, at, function.__globals__).strip()
                line = raised.context.line(Statement.at(code.co_filename, at, text))
                return Match({"kind": kind.__name__, "method": method, "nested": line})
    return None


NESTED = ErrorRule(
    key="forward_nested",
    chapter="15",
    en=Words(
        "a forward inside another method",
        "`{kind}` has no `forward`, which its call{where} needs: {nested} stands inside of "
        "`{method}`.",
        "Indent that `def` less, as deep as `def {method}`.",
    ),
    zh=Words(
        "forward 写在另一个方法里面",
        "`{kind}` 没有 `forward`，而调用它{where}需要它：{nested}写在了 `{method}` 里面。",
        "请减少该 `def` 的缩进，与 `def {method}` 对齐。",
    ),
    message=r"missing the required \"forward\" function",
    find=find_nested,
    broken="""
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = T.nn.Linear(2, 1)
        def forward(self, x):
            return self.fc(x)
net = Net()
out = net(T.ones(3, 2))
""",
    sound=SOUND,
    before=("no_forward",),
)


def find_list_called(raised: Raised) -> Match | None:
    module = without_forward(raised)
    if type(module).__name__ not in ("ModuleList", "ModuleDict"):
        return None
    given = next((c for c in raised.line_calls if raised.object(c.func) is module), None)
    if given is None or len(given.args) != 1 or type(module).__name__ == "ModuleDict":
        return None
    return Match({"layers": raised.name_of(module), "t": ast.unparse(given.args[0])})


LISTED = """
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = T.nn.ModuleList([T.nn.Linear(2, 3), T.nn.Linear(3, 1)])
    def forward(self, x):
{body}
net = Net()
out = net(T.ones(3, 2))
"""

LIST_CALLED = ErrorRule(
    key="list_called",
    chapter="15",
    en=Words(
        "a ModuleList that is called",
        "`{layers}` is a ModuleList: it only holds layers, and its call{where} does not run them.",
        "Call each layer: `for layer in {layers}: {t} = layer({t})`. Or make it `{nn}.Sequential` "
        "of the layers.",
    ),
    zh=Words(
        "调用了 ModuleList",
        "`{layers}` 是 ModuleList：它只存放各层，调用它{where}并不会运行这些层。",
        "请逐层调用：`for layer in {layers}: {t} = layer({t})`。或者改用 `{nn}.Sequential`。",
    ),
    message=r"missing the required \"forward\" function",
    find=find_list_called,
    broken=LISTED.format(body="        return self.layers(x)"),
    sound=LISTED.format(body="        for layer in self.layers: x = layer(x)\n        return x"),
    before=("no_forward",),
)


def find_no_forward(raised: Raised) -> Match | None:
    module = without_forward(raised)
    if not is_module(module) or is_library(type(module)):
        return None
    return Match({"kind": type(module).__name__})


NO_FORWARD = ErrorRule(
    key="no_forward",
    chapter="15",
    en=Words(
        "a module without a forward",
        "`{kind}` has no `forward`, which its call{where} runs.",
        "Define `def forward(self, x):` in `{kind}`, and return the result there.",
    ),
    zh=Words(
        "模块没有 forward",
        "`{kind}` 没有 `forward`，而调用它{where}要运行它。",
        "请在 `{kind}` 中定义 `def forward(self, x):`，并在其中返回结果。",
    ),
    message=r"missing the required \"forward\" function",
    find=find_no_forward,
    broken=CLASS.format(
        first="super().__init__()", forward="def compute(self, x):", returns="return ", made="Net()"
    ),
    sound=SOUND,
)


def find_no_instance(raised: Raised) -> Match | None:
    """Find a class that is called with tensors, or asked for parameters, in place of an object."""
    for call in raised.line_calls:
        method = isinstance(call.func, ast.Attribute) and call.func.attr.endswith("parameters")
        tree = call.func.value if method and isinstance(call.func, ast.Attribute) else call.func
        kind = raised.object(tree)
        if not isinstance(kind, type) or not hasattr(kind, "named_parameters"):
            continue
        if is_library(kind) or not required_none(kind):
            continue
        name = ast.unparse(tree)
        if method or (call.args and gives_tensor(raised, call.args[0])):
            made = raised.maker_line(name)
            value = getattr(made.tree, "value", None) if made is not None else None
            own = kind.__name__
            if isinstance(value, ast.Name) and value.id == own:
                parts = {"t": name, "kind": own, "cure": f"{name} = {own}()"}
                return Match({**parts, "given": ast.unparse(call)})
            cure = ast.unparse(call).replace(name, f"{name}()", 1)
            return Match({"t": name, "kind": own, "cure": cure, "given": ast.unparse(call)})
    return None


def gives_tensor(raised: Raised, tree: ast.expr) -> bool:
    """Return whether an expression is a tensor, or a call of the library that makes one."""
    if isinstance(tree, ast.Call):
        return last_name(tree) in ("randn", "rand", "ones", "zeros", "tensor", "to", "float")
    return is_tensor(raised.object(tree))


def required_none(kind: type) -> bool:
    """Return whether a class can be made without arguments."""
    function = inspect.getattr_static(kind, "__init__", None)
    if not isinstance(function, FunctionType):
        return True
    given = list(inspect.signature(function).parameters.values())[1:]
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return all(p.default is not p.empty or p.kind in kinds for p in given)


NO_INSTANCE = ErrorRule(
    key="no_instance",
    chapter="15",
    en=Words(
        "a class in place of a model",
        "`{t}` is the class `{kind}`, not a model: `{given}`{where} needs an object of it.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "用了类而不是模型",
        "`{t}` 是类 `{kind}`，不是模型：`{given}`{where}需要它的一个对象。",
        "请写 `{cure}`。",
    ),
    message=r"__init__\(\) takes \d+ positional argument|missing 1 required positional argument: "
    r"'self'",
    find=find_no_instance,
    broken=CLASS.format(
        first="super().__init__()", forward="def forward(self, x):", returns="return ", made="Net"
    ),
    sound=SOUND,
)


def forward_of(raised: Raised) -> tuple[type, FunctionType] | None:
    """Return the user's forward that the message names, with the class."""
    named = raised.match(r"(\w+)\.forward\(\)")
    if named is None:
        return None
    for call in reversed(raised.calls):
        if type(call.module).__name__ == named[1] and not is_library(type(call.module)):
            function = inspect.getattr_static(type(call.module), "forward", None)
            return (type(call.module), function) if isinstance(function, FunctionType) else None
    return None


def find_no_self(raised: Raised) -> Match | None:
    found = forward_of(raised)
    if found is None:
        return None
    names = list(inspect.signature(found[1]).parameters)
    if not names or names[0] in ("self", "_"):
        return None
    given = ", ".join(["self", *names])
    return Match({"kind": found[0].__name__, "first": names[0], "cure": f"def forward({given}):"})


NO_SELF = ErrorRule(
    key="forward_without_self",
    chapter="15",
    en=Words(
        "a forward without self",
        "The first argument of `{kind}.forward` is `{first}`, which gets the model itself when the "
        "model is called{where}.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "forward 缺少 self",
        "`{kind}.forward` 的第一个参数是 `{first}`，调用模型时{where}它得到的是模型自己。",
        "请写 `{cure}`。",
    ),
    message=r"\.forward\(\) takes \d+ positional arguments? but",
    find=find_no_self,
    broken=CLASS.format(
        first="super().__init__()", forward="def forward(x):", returns="return ", made="Net()"
    ).replace("self.fc(x)", "x * 2"),
    sound=SOUND,
    before=("forward_arguments",),
)


def find_arguments(raised: Raised) -> Match | None:
    found = forward_of(raised)
    if found is None:
        return None
    given = inspect.signature(found[1]).parameters
    args = len(raised.calls[-1].args)
    header = f"def forward({', '.join(map(str, given.values()))}):"
    parts = {"kind": found[0].__name__, "header": header, "count": args}
    for call in raised.line_calls:
        pair = raised.object(call.args[0]) if len(call.args) == 1 else None
        if isinstance(pair, list | tuple) and len(pair) == len(given) - 1:
            text = ast.unparse(call.args[0])
            say = raised.context.say("cure_star", t=text, cure=f"{ast.unparse(call.func)}(*{text})")
            return Match(parts, rest=Finding("", [say]))
    return Match(parts)


ARGUMENTS = ErrorRule(
    key="forward_arguments",
    chapter="15",
    en=Words(
        "a call that does not match forward",
        "`{kind}` is called with {count} argument(s){where}, and its forward is `{header}`.",
        "Make the call and `forward` agree.",
    ),
    zh=Words(
        "调用与 forward 不符",
        "调用 `{kind}` 时给了 {count} 个参数{where}，而它的 forward 是 `{header}`。",
        "请让调用与 `forward` 一致。",
    ),
    message=r"\.forward\(\) (takes \d+ positional arguments? but|missing \d+ required)",
    find=find_arguments,
    broken=SOUND.replace("net(T.ones(3, 2))", "net(T.ones(3, 2), T.ones(3))"),
    sound=SOUND,
)
