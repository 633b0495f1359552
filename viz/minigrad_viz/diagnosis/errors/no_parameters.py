"""An optimizer without parameters: a used generator, layers in a list, or nothing at all."""

from __future__ import annotations

import ast
import inspect
from typing import Any

from ...model.program_text import Statement, assigned
from ..objects import is_module
from ..rules.rule import Match, Words
from ..syntax import names_in
from .raised import Raised, lines_of
from .rule import ErrorRule

MESSAGE = r"optimizer got an empty parameter list"


def find_used_up(raised: Raised) -> Match | None:
    """Find a generator of parameters that an earlier line has used."""
    for given in (call.args[0] for call in raised.line_calls if call.args):
        name = ast.unparse(given)
        made = raised.maker_line(name)
        if made is None or not inspect.isgenerator(raised.object(given)):
            continue
        users = [
            s
            for s in raised.context.program.statements
            if s != raised.line and name not in assigned(s.tree) and name in names_in(s.tree)
        ]
        value = getattr(made.tree, "value", None)
        text = ast.unparse(value) if value is not None else name
        by = raised.context.line(users[-1] if users else made)
        return Match({"t": name, "by": by, "cure": f"{name} = list({text})"})
    return None


PROGRAM = """
net = T.nn.Linear(2, 1)
parameters = {given}
count = sum(p.numel() for p in parameters)
opt = T.optim.SGD(parameters, lr=0.1)
"""

USED_UP = ErrorRule(
    key="used_up",
    chapter="15",
    en=Words(
        "a generator of parameters that was used before",
        "{t} is a generator, and it was used up by {by}: the optimizer finds it empty.",
        "Keep a list: `{cure}`.",
    ),
    zh=Words(
        "参数的生成器已被用完",
        "{t} 是生成器，已经被 {by} 用完：优化器看到的是空的。",
        "请保存成列表：`{cure}`。",
    ),
    message=MESSAGE,
    find=find_used_up,
    broken=PROGRAM.format(given="net.parameters()"),
    sound=PROGRAM.format(given="list(net.parameters())"),
    before=("no_parameters",),
)


def find_hidden(raised: Raised) -> Match | None:
    """Find a model whose layers or parameters are in a plain list or dict."""
    for call in raised.called("parameters"):
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        module = raised.object(owner) if owner is not None else None
        if owner is None or not is_module(module) or (hidden := hidden_in(module)) is None:
            continue
        name, kind = hidden
        line = storing_line(type(module), name)
        quoted = raised.context.line(line) if line is not None else f"`self.{name}`"
        return Match({"attribute": f"{ast.unparse(owner)}.{name}", "kind": kind, "line": quoted})
    return None


def hidden_in(module: Any) -> tuple[str, str] | None:
    """Return an attribute that hides layers from parameters(), and the container to use."""
    for name, value in vars(module).items():
        inner = list(value.values()) if isinstance(value, dict) else value
        if name.startswith("_") or not isinstance(inner, list | tuple):
            continue
        kind = "Dict" if isinstance(value, dict) else "List"
        if any(map(is_module, inner)):
            return name, f"Module{kind}"
        if any(type(each).__name__ == "Parameter" for each in inner):
            return name, f"Parameter{kind}"
    return None


def storing_line(kind: type, name: str) -> Statement | None:
    """Return the line of a class that assigns `self.name`."""
    for statement in lines_of(kind, "__init__"):
        targets = statement.tree.targets if isinstance(statement.tree, ast.Assign) else []
        if any(isinstance(t, ast.Attribute) and t.attr == name for t in targets):
            return statement
    return None


MODEL = """
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = {layers}
net = Net()
opt = T.optim.SGD(net.parameters(), lr=0.1)
"""

HIDDEN = ErrorRule(
    key="hidden_layers",
    chapter="15",
    en=Words(
        "layers in a plain list",
        "{attribute} is a plain Python list or dict, into which parameters() does not look, so the "
        "optimizer gets nothing: {line}.",
        "Put the layers into a {library}.nn.{kind} there.",
    ),
    zh=Words(
        "各层放在普通列表中",
        "{attribute} 是普通的 Python 列表或字典，parameters() 不会往里看，所以优化器什么也没有得"
        "到：{line}。",
        "请在那里把各层放进 {library}.nn.{kind}。",
    ),
    message=MESSAGE,
    find=find_hidden,
    broken=MODEL.format(layers="[T.nn.Linear(2, 1)]"),
    sound=MODEL.format(layers="T.nn.ModuleList([T.nn.Linear(2, 1)])"),
    before=("no_parameters",),
)


def find_nothing(raised: Raised) -> Match:
    return Match()


NOTHING = ErrorRule(
    key="no_parameters",
    chapter="15",
    en=Words(
        "an optimizer without parameters",
        "The optimizer was given no parameter{where}.",
        "Look at what parameters() gives there: list it, and print its length.",
    ),
    zh=Words(
        "优化器没有参数",
        "优化器没有得到任何参数{where}。",
        "请看看 parameters() 给出了什么：把它变成列表，打印它的长度。",
    ),
    message=MESSAGE,
    find=find_nothing,
    broken="opt = T.optim.SGD(T.nn.ReLU().parameters(), lr=0.1)",
    sound="opt = T.optim.SGD(T.nn.PReLU().parameters(), lr=0.1)",
)
