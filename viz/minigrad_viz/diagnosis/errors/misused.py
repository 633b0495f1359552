"""A layer called as a function, an optimizer's settings, and empty data sets."""

from __future__ import annotations

import ast

from ...model.program_text import Program
from ...model.values import shape_of
from ..causes import Finding
from ..objects import is_library
from ..rules.rule import Match, Words
from ..syntax import calls_in, keyword, names_in
from .raised import Raised
from .rule import ErrorRule


def find_layer(raised: Raised) -> Match | None:
    """Find `nn.ReLU(x)`, which makes a layer and gives it the tensor as an option."""
    found = raised.match(r"not (\w+)\.?$|'(\w+)' object (?:has no attribute|is not)")
    name = next((each for each in found.groups() if each), "") if found is not None else ""
    for frame, _ in raised.frames[::-1]:
        for statement in [raised.line, *Program([(frame, frame.f_lineno)]).statements]:
            for call in calls_in(statement.tree):
                kind = raised.anywhere(call.func) or raised.object(call.func)
                if not isinstance(kind, type) or not is_library(kind):
                    continue
                if kind.__name__ != name and (name or statement != raised.line):
                    continue
                # A constructor may take several numbers, and tensors where the error names one.
                several = statement == raised.line and raised.match("Boolean value of Tensor")
                if not hasattr(kind, "named_parameters") or not call.args:
                    continue
                if (len(call.args) == 1 or several) and names_in(call.args[0]):
                    given = ", ".join(map(ast.unparse, call.args))
                    parts = {"made": ast.unparse(call.func), "at": raised.context.where(statement)}
                    layer = ast.unparse(ast.Call(call.func, [], call.keywords))
                    return Match({**parts, "t": given, "cure": f"{layer}({given})"})
    return None


LAYER = """
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = T.nn.Linear(3, 4), T.nn.Linear(4, 1)
    def forward(self, x):
        x = T.nn.ReLU({call}self.a(x))
        return self.b(x)
out = Net()(T.ones(2, 3))
"""

BUILT = ErrorRule(
    key="built_with_tensors",
    chapter="15",
    en=Words(
        "a layer or a loss that is made where it should be called",
        "`{made}`{at} is a class: with `{t}` it makes an object and takes the tensors for options.",
        "Make it, then call it: `{cure}`.",
    ),
    zh=Words(
        "该调用层或损失的地方却在创建它",
        "`{made}`{at}是类：给它 `{t}` 只会创建对象，并把张量当作选项。",
        "请先创建，再调用：`{cure}`。",
    ),
    message=r"must be Tensor, not [A-Z]\w+|'[A-Z]\w+' object (has no attribute|is not)"
    r"|Boolean value of Tensor with more than one value|got multiple values for argument",
    find=find_layer,
    broken=LAYER.format(call=""),
    sound=LAYER.format(call=")("),
    before=("name_misspelled",),
)


def find_group(raised: Raised) -> Match | None:
    """Find a group of parameters without its key, `params`."""
    for node in ast.walk(raised.tree or ast.Pass()):
        keys = (
            [k for k in node.keys if isinstance(k, ast.Constant)]
            if isinstance(node, ast.Dict)
            else []
        )
        if keys and not any(key.value == "params" for key in keys):
            wrong = next((k for k in keys if str(k.value).startswith("param")), keys[0])
            cure = ast.unparse(node).replace(repr(wrong.value), "'params'", 1)
            return Match({"t": str(wrong.value), "cure": cure})
    return None


GROUP = """
net = T.nn.Linear(3, 1)
opt = T.optim.SGD([{{"{key}": net.parameters()}}], lr=0.1)
"""

GROUP_KEY = ErrorRule(
    key="group_without_params",
    chapter="15",
    en=Words(
        "a group of parameters under another key",
        "The group in {line} has no key `params`, under which an optimizer looks for its "
        "parameters; it has `{t}`.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "参数组的键不对",
        "{line}中的参数组没有键 `params`（优化器在这个键下找参数），而是 `{t}`。",
        "请写 `{cure}`。",
    ),
    message=r"^'?params'?$",
    find=find_group,
    broken=GROUP.format(key="param"),
    sound=GROUP.format(key="params"),
)


def find_rate(raised: Raised) -> Match | None:
    found = raised.match(
        r"Invalid (?:learning rate|momentum value|weight_decay value): (-[\d.e-]+)"
    )
    for call in raised.line_calls:
        for word in call.keywords:
            if found is not None and ast.unparse(word.value) == found[1]:
                cure = f"{word.arg}={found[1].removeprefix('-')}"
                return Match({"t": f"{word.arg}={found[1]}", "cure": cure})
    return None


RATE = "net = T.nn.Linear(3, 1)\nopt = T.optim.SGD(net.parameters(), lr={rate})"

NEGATIVE_RATE = ErrorRule(
    key="negative_rate",
    chapter="11",
    en=Words(
        "a setting of an optimizer below zero",
        "`{t}`{where} is below 0, and an optimizer goes down by itself: its settings are positive.",
        "Write `{cure}`. To go up, give it `maximize=True`.",
    ),
    zh=Words(
        "优化器的设置小于零",
        "`{t}`{where}小于 0，而优化器本来就朝下走：它的设置都是正数。",
        "请写 `{cure}`。若要朝上走，请给它 `maximize=True`。",
    ),
    message=r"Invalid (learning rate|momentum value|weight_decay value): -",
    find=find_rate,
    broken=RATE.format(rate=-0.1),
    sound=RATE.format(rate=0.1),
)


def find_empty(raised: Raised) -> Match | None:
    for call in raised.called("DataLoader"):
        if call.args and keyword(call, "shuffle"):
            return Match({"t": ast.unparse(call.args[0])})
    return None


EMPTY = "x = T.ones({count}, 3)\nloader = T.utils.data.DataLoader(x, batch_size=4, shuffle=True)"

EMPTY_DATA = ErrorRule(
    key="data_without_samples",
    en=Words(
        "a loader of an empty data set",
        "`{t}`{where} has no samples: its length is 0.",
        "Print `len({t})` where it is made, and look at the path or the filter there.",
    ),
    zh=Words(
        "空数据集的加载器",
        "`{t}`{where}没有样本：它的长度是 0。",
        "请在创建它的地方打印 `len({t})`，并检查那里的路径或筛选条件。",
    ),
    message=r"num_samples should be a positive integer value, but got num_samples=0",
    find=find_empty,
    broken=EMPTY.format(count=0),
    sound=EMPTY.format(count=8),
)


def find_matrices(raised: Raised) -> Match | None:
    """Find mm() and bmm() of other numbers of dimensions than two and three."""
    for call in raised.called("mm", "bmm"):
        given = [call.func.value] if isinstance(call.func, ast.Attribute) else []
        factors = [*call.args] if len(call.args) == 2 else [*given, *call.args]
        values = [raised.object(each) for each in factors]
        texts = [ast.unparse(each) for each in factors]
        if len(texts) != 2 or not all(hasattr(v, "dim") for v in values):
            continue
        name = ast.unparse(call.func).rpartition(".")[2]
        parts = {"a": texts[0], "one": values[0].dim(), "b": texts[1], "other": values[1].dim()}
        wants = 3 if name == "bmm" else 2
        first, second = (shape_of(v) for v in values)
        if len(first) == 3 and second == (first[0], first[2]):
            factor, right = factors[1], f"{texts[1]}.unsqueeze(2)"
            cure = ast.unparse(call).replace(ast.unparse(factor), right)
            rest = Finding("", [raised.context.say("cure_write_at", cure=cure, at="")])
            return Match({**parts, "call": name, "wants": wants, "cure": ""}, rest=rest)
        return Match({**parts, "call": name, "wants": wants, "cure": " @ ".join(texts)})
    return None


MATRICES = "a, b = T.ones(2, 3), T.ones(3, 4)\nc = {product}"

OTHER_RANK = ErrorRule(
    key="product_of_other_rank",
    en=Words(
        "mm() or bmm() of another number of dimensions",
        "`{a}` has {one} dimensions and `{b}` {other}, and {call}(){where} takes {wants} of each.",
        "`@` takes any number: write `{cure}`.",
    ),
    zh=Words(
        "mm() 或 bmm() 的维数不对",
        "`{a}` 有 {one} 维，`{b}` 有 {other} 维，而 {call}(){where}要求各有 {wants} 维。",
        "`@` 不限维数，请写 `{cure}`。",
    ),
    message=r"must be a (3D tensor|matrix)|mat2 must be a matrix",
    find=find_matrices,
    broken=MATRICES.format(product="T.bmm(a, b)"),
    sound=MATRICES.format(product="a @ b"),
)
