"""An optimizer or a loss that is made or called with something else than it takes."""

from __future__ import annotations

import ast
from typing import Any

from ...model.names import is_tensor
from ..objects import is_module
from ..rules.rule import Match, Words
from .raised import Raised
from .rule import ErrorRule


def given_first(raised: Raised) -> list[tuple[ast.expr, Any]]:
    """Return the first argument of each call of the line, with its value."""
    return [(c.args[0], raised.object(c.args[0])) for c in raised.line_calls if c.args]


def find_method(raised: Raised) -> Match | None:
    for given, value in given_first(raised):
        if isinstance(given, ast.Attribute) and given.attr.endswith("parameters"):
            if callable(value):
                return Match({"t": ast.unparse(given)})
    return None


NET = """
net = T.nn.Linear(2, 1)
opt = T.optim.SGD({given}, lr={rate})
"""
ITERABLE = r"'\w+' object is not iterable|should be an iterable of Tensors"

METHOD = ErrorRule(
    key="not_called_parameters",
    chapter="",
    words={
        "en": Words(
            "parameters() without parentheses",
            "{line} gives the optimizer the method `{t}` itself, and not its parameters.",
            "Write `{t}()`.",
        ),
        "zh": Words(
            "parameters 缺少括号",
            "{line}把方法 `{t}` 本身交给了优化器，而不是参数。",
            "请写 `{t}()`。",
        ),
    },
    message=ITERABLE,
    find=find_method,
    broken=NET.format(given="net.parameters", rate=0.1),
    sound=NET.format(given="net.parameters()", rate=0.1),
    before=("module_for_parameters",),
)


def find_module(raised: Raised) -> Match | None:
    for given, value in given_first(raised):
        if is_module(value) or is_tensor(value):
            text = ast.unparse(given)
            cure = f"{text}.parameters()" if is_module(value) else f"[{text}]"
            return Match({"t": text, "cure": cure})
    return None


MODULE = ErrorRule(
    key="module_for_parameters",
    chapter="",
    words={
        "en": Words(
            "a module in place of its parameters",
            "An optimizer takes a list of parameters, and {t} is none: {line}.",
            "Give it `{cure}`.",
        ),
        "zh": Words(
            "交给优化器的是模块",
            "优化器需要参数的列表，而 {t} 不是：{line}。",
            "请给它 `{cure}`。",
        ),
    },
    message=ITERABLE,
    find=find_module,
    broken=NET.format(given="net", rate=0.1),
    sound=NET.format(given="net.parameters()", rate=0.1),
)


def find_state(raised: Raised) -> Match | None:
    for call in raised.called("state_dict"):
        return Match({"t": ast.unparse(getattr(call.func, "value", call.func))})
    return None


STATE = ErrorRule(
    key="state_for_parameters",
    chapter="",
    words={
        "en": Words(
            "a state_dict in place of parameters",
            "{line} gives the optimizer a state: a dict of names and copies, not the parameters.",
            "Write `{t}.parameters()`.",
        ),
        "zh": Words(
            "交给优化器的是 state_dict",
            "{line}交给优化器的是 state_dict：名字和数值的字典，不是参数。",
            "请写 `{t}.parameters()`。",
        ),
    },
    message=r"optimizer can only optimize Tensors, but one of the params is str",
    find=find_state,
    broken=NET.format(given="net.state_dict()", rate=0.1),
    sound=NET.format(given="net.parameters()", rate=0.1),
)


def find_quotes(raised: Raised) -> Match | None:
    for word in (k for call in raised.line_calls for k in call.keywords):
        if isinstance(word.value, ast.Constant) and isinstance(word.value.value, str):
            text = word.value.value
            if text.replace(".", "").replace("e-", "").isdigit():
                return Match({"name": word.arg, "text": text})
    return None


QUOTES = ErrorRule(
    key="number_in_quotes",
    chapter="",
    words={
        "en": Words(
            "a number in quotes",
            "{line} gives `{name}` a text in quotes, which is no number.",
            "Write `{name}={text}`.",
        ),
        "zh": Words(
            "数写在了引号里",
            "{line}给 `{name}` 的是引号里的文字，不是数。",
            "请写 `{name}={text}`。",
        ),
    },
    message=r"not supported between instances of .*'str'",
    find=find_quotes,
    broken=NET.format(given="net.parameters()", rate='"0.1"'),
    sound=NET.format(given="net.parameters()", rate=0.1),
)


def find_closure(raised: Raised) -> Match:
    found = raised.method("step")
    return Match({"t": found[1] if found is not None else "optimizer"})


CLOSURE = """
net = T.nn.Linear(2, 1)
opt = T.optim.LBFGS(net.parameters())
def closure():
    opt.zero_grad()
    loss = net(T.ones(3, 2)).pow(2).mean()
    loss.backward()
    return loss
opt.step({given})
"""

NO_CLOSURE = ErrorRule(
    key="no_closure",
    chapter="",
    words={
        "en": Words(
            "an optimizer without the function that it calls",
            "{line} needs a function that computes the loss and its gradients, which it calls "
            "several times.",
            "Define `closure()`, which calls `{t}.zero_grad()`, computes the loss, calls "
            "backward() and returns the loss, and write `{t}.step(closure)`.",
        ),
        "zh": Words(
            "优化器缺少它要调用的函数",
            "{line}需要一个计算损失和梯度的函数，它会多次调用这个函数。",
            "请定义 `closure()`：调用 `{t}.zero_grad()`，计算损失，调用 backward()，返回损失；"
            "然后写 `{t}.step(closure)`。",
        ),
    },
    message=r"step\(\) missing 1 required positional argument: 'closure'",
    find=find_closure,
    broken=CLOSURE.format(given=""),
    sound=CLOSURE.format(given="closure"),
)


def find_built(raised: Raised) -> Match | None:
    """Find `nn.MSELoss(pred, y)`, which gives the tensors to the constructor."""
    for call in raised.line_calls:
        kind = raised.object(call.func)
        if isinstance(kind, type) and hasattr(kind, "named_parameters") and len(call.args) > 1:
            made, given = ast.unparse(call.func), ", ".join(map(ast.unparse, call.args))
            return Match({"kind": made, "cure": f"{made}()({given})"})
    return None


BUILT = ErrorRule(
    key="built_with_tensors",
    chapter="",
    words={
        "en": Words(
            "a loss made from its tensors",
            "{line} makes a loss and gives its constructor the tensors, which takes them for "
            "options.",
            "Make it, then call it: `{cure}`.",
        ),
        "zh": Words(
            "用张量创建了损失",
            "{line}创建损失时把张量交给了构造函数，它把它们当作选项。",
            "请先创建，再调用：`{cure}`。",
        ),
    },
    message=r"Boolean value of Tensor with more than one value is ambiguous",
    find=find_built,
    broken="pred, y = T.ones(3), T.zeros(3)\nloss = T.nn.MSELoss(pred, y)",
    sound="pred, y = T.ones(3), T.zeros(3)\nloss = T.nn.MSELoss()(pred, y)",
)


def find_list(raised: Raised) -> Match | None:
    kind = raised.match(r"'(list|tuple)' object has no attribute 'backward'")
    found = raised.method("backward")
    if kind is None or found is None:
        return None
    return Match({"t": found[1], "kind": kind[1], "cure": f"sum({found[1]}).backward()"})


LOSSES = """
x = T.ones(2, requires_grad=True)
losses = [x.sum(), (x * x).sum()]
{walk}.backward()
"""

LIST = ErrorRule(
    key="list_backward",
    chapter="",
    words={
        "en": Words(
            "backward() of a list",
            "{t} is a Python {kind}, and only a tensor has a backward pass: {line}.",
            "Start from the sum of what is in it: `{cure}`.",
        ),
        "zh": Words(
            "对列表调用 backward()",
            "{t} 是 Python 的 {kind}，只有张量才有反向传播：{line}。",
            "请从其中各项之和开始：`{cure}`。",
        ),
    },
    message=r"object has no attribute 'backward'",
    find=find_list,
    broken=LOSSES.format(walk="losses"),
    sound=LOSSES.format(walk="sum(losses)"),
)
