"""An optimizer without parameters: a used generator, layers in a list, or nothing at all."""

from __future__ import annotations

import ast
import inspect
from typing import Any

from ...model.program_text import Statement, assigned, texts_of
from ..objects import is_module
from ..rules.evidence import tree_of
from ..rules.rule import Match, Words
from ..syntax import freezes, names_in
from .raised import Raised, lines_of
from .rule import ErrorRule

MESSAGE = r"optimizer got an empty parameter list"


def find_used_up(raised: Raised) -> Match | None:
    """Find a generator of parameters that an earlier line has used."""
    for given in (call.args[0] for call in raised.line_calls if call.args):
        name = ast.unparse(given)
        made = raised.maker_line(name)
        if made is None or not is_iterator(raised.object(given)):
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


def is_iterator(value: object) -> bool:
    return inspect.isgenerator(value) or type(value) in (filter, map, zip)


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
    methods = [name for name, value in vars(kind).items() if inspect.isfunction(value)]
    for statement in (s for method in methods for s in lines_of(kind, method)):
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


def find_frozen(raised: Raised) -> Match | None:
    """Find a model of which no parameter requires grad, and its last layer."""
    for name, model in raised.context.variables.items():
        found = list(model.parameters()) if is_module(model) and name != "self" else []
        if not found or any(p.requires_grad for p in found):
            continue
        layers = [m for m in model.modules() if any(True for _ in m.parameters(recurse=False))]
        texts = [text for frame, _ in raised.frames for text in texts_of(frame)]
        lines = [n for text in texts for n in ast.walk(tree_of(text)) if isinstance(n, ast.stmt)]
        line = next((n for n in lines if freezes(n) and not hasattr(n, "body")), None)
        if line is None:
            return None
        file = raised.frames[-1][0].f_code.co_filename
        at = Statement.at(file, line.lineno, ast.unparse(line))
        parts = {"model": name, "frozen": raised.context.line(at)}
        return Match({**parts, "cure": f"{raised.path_of(layers[-1])}.requires_grad_()"})
    return None


FROZEN_ALL = """
net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Linear(3, 1))
for p in net{part}.parameters():
    p.requires_grad = False
opt = T.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
"""

FROZEN = ErrorRule(
    key="all_frozen",
    chapter="15",
    en=Words(
        "an optimizer of a model that is frozen as a whole",
        "No parameter of `{model}` requires grad: {frozen} has frozen all of them, the last layer "
        "too, and nothing is left for the optimizer{where}.",
        "After freezing, write `{cure}`.",
    ),
    zh=Words(
        "整个模型都被冻结",
        "`{model}` 没有一个参数需要梯度：{frozen}冻结了全部参数，包括最后一层，没有什么可以交给优化"
        "器{where}。",
        "请在冻结之后写 `{cure}`。",
    ),
    message=MESSAGE,
    find=find_frozen,
    broken=FROZEN_ALL.format(part=""),
    sound=FROZEN_ALL.format(part="[0]"),
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
