"""Functions that get something else: NumPy a tensor, a factory a float, a Function no ctx."""

from __future__ import annotations

import ast
import inspect
from types import FunctionType

from ...model.names import is_tensor
from ...model.values import shape_of
from ..rules.rule import Match, Words
from ..syntax import last_name
from .raised import Raised, with_argument
from .rule import ErrorRule


def find_numpy(raised: Raised) -> Match | None:
    """Find a function of NumPy that gets a tensor: `np.mean(out)`."""
    for call in raised.line_calls:
        function = raised.object(call.func)
        if str(getattr(function, "__module__", "")).partition(".")[0] != "numpy":
            continue
        for given in call.args:
            if is_tensor(raised.object(given)):
                text = ast.unparse(given)
                cure = ast.unparse(call).replace(f"({text}", f"({text}.detach().numpy()", 1)
                return Match({"t": text, "function": ast.unparse(call.func), "cure": cure})
    return None


NUMPY = """
import numpy as np
out = T.nn.Linear(2, 1)(T.ones(5, 2))
m = np.mean(out{rest})
"""

OF_NUMPY = ErrorRule(
    key="function_of_numpy",
    chapter="12",
    en=Words(
        "a tensor for a function of NumPy",
        "`{function}`{where} is a function of NumPy, and `{t}` a tensor with a history.",
        "For a number to print, write `{cure}`; in a loss, use the library's own function.",
    ),
    zh=Words(
        "把张量交给 NumPy 的函数",
        "`{function}`{where}是 NumPy 的函数，而 `{t}` 是有历史的张量。",
        "只为打印时，请写 `{cure}`；在损失中请用本库自己的函数。",
    ),
    message=r"unexpected keyword argument '(out|axis|dtype|keepdims)'",
    find=find_numpy,
    broken=NUMPY.format(rest=""),
    sound=NUMPY.format(rest=".detach().numpy()"),
    before=("keyword_misspelled",),
    severity=1,
)

FACTORIES = ("zeros", "ones", "randn", "rand", "empty", "view", "reshape", "repeat", "Linear")


def find_float(raised: Raised) -> Match | None:
    """Find a size that is a float, as after `/`."""
    for call in raised.called(*FACTORIES):
        for place, given in enumerate(call.args):
            value = raised.object(given) if isinstance(given, ast.Name | ast.Attribute) else None
            value = given.value if isinstance(given, ast.Constant) else value
            if isinstance(given, ast.BinOp) and isinstance(given.op, ast.Div):
                text = ast.unparse(given)
                whole = ast.unparse(ast.BinOp(given.left, ast.FloorDiv(), given.right))
                cure = with_argument(call, place, "", whole)
                return Match({"t": text, "call": last_name(call), "cure": cure})
            if isinstance(value, float):
                text = ast.unparse(given)
                cure = with_argument(call, place, "", f"int({text})")
                return Match({"t": text, "call": last_name(call), "cure": cure})
    return None


FLOAT_SIZE = ErrorRule(
    key="float_for_size",
    en=Words(
        "a size that is a float",
        "`{t}` is a float, as every `/` gives one, and {call}(){where} takes whole numbers as "
        "sizes.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "大小是浮点数",
        "`{t}` 是浮点数（`/` 总是给出浮点数），而 {call}(){where}的大小应是整数。",
        "请写 `{cure}`。",
    ),
    message=r"takes \d+ positional|must be (tuple of )?ints?\b|invalid combination|'float' object",
    find=find_float,
    broken="n = 10 / 2\nx = T.zeros(n, 3)",
    sound="n = 10 // 2\nx = T.zeros(n, 3)",
)


def find_context(raised: Raised) -> Match | None:
    """Find a Function whose forward has no ctx."""
    named = raised.match(r"(\w+)\.(forward|backward)\(\) takes \d+ positional")
    kind = raised.context.variables.get(named[1]) if named is not None else None
    if named is None or not isinstance(kind, type) or not hasattr(kind, "apply"):
        return None
    if hasattr(kind, "named_parameters"):  # a module has an apply() too
        return None
    function = inspect.getattr_static(kind, named[2], None)
    function = getattr(function, "__func__", function)
    if not isinstance(function, FunctionType):
        return None
    names = list(inspect.signature(function).parameters)
    if names[:1] in (["ctx"], ["self"], ["context"]):
        return None
    cure = f"def {named[2]}({', '.join(['ctx', *names])}):"
    return Match({"kind": named[1], "method": named[2], "cure": cure})


FUNCTION = """
class Double(T.autograd.Function):
    @staticmethod
    def forward({ctx}x):
        return x * 2
    @staticmethod
    def backward(ctx, g):
        return g * 2
y = Double.apply(T.ones(3, requires_grad=True))
"""

CONTEXT = ErrorRule(
    key="function_without_ctx",
    chapter="8",
    en=Words(
        "a Function without ctx",
        "`{kind}.{method}` gets a context as its first argument when it runs{where}, and has no "
        "place for it.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "Function 缺少 ctx",
        "`{kind}.{method}` 运行时{where}第一个参数是上下文，而它没有这个参数。",
        "请写 `{cure}`。",
    ),
    message=r"\.(forward|backward)\(\) takes \d+ positional",
    find=find_context,
    broken=FUNCTION.format(ctx=""),
    sound=FUNCTION.format(ctx="ctx, "),
)


def find_expand(raised: Raised) -> Match | None:
    found = raised.method("expand")
    sizes = raised.match(r"size of the tensor \((\d+)\) must match the existing size \((\d+)\)")
    if found is None or sizes is None or not is_tensor(found[2]):
        return None
    parts = {"t": found[1], "shape": str(shape_of(found[2])), "wanted": sizes[1]}
    return Match({**parts, "has": sizes[2], "call": ast.unparse(found[0])})


EXPAND = ErrorRule(
    key="expand_of_size",
    en=Words(
        "an expand() of a size that is not 1",
        "`{t}` has the shape {shape}, and `{call}`{where} wants {wanted} where it has {has}: only "
        "a size of 1 can be expanded.",
        "Keep {has} there, or write -1 for it.",
    ),
    zh=Words(
        "expand() 扩展了不为 1 的维",
        "`{t}` 的形状是 {shape}，而 `{call}`{where}要把大小 {has} 变成 {wanted}：只有大小为 1 的维"
        "可以扩展。",
        "请在那里保留 {has}，或者写 -1。",
    ),
    message=r"The expanded size of the tensor",
    find=find_expand,
    broken="x = T.ones(1, 3)\ny = x.expand(4, 5)",
    sound="x = T.ones(1, 3)\ny = x.expand(4, 3)",
)
