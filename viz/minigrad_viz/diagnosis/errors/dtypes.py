"""Numbers of a type that an operation or a layer does not take."""

from __future__ import annotations

import ast
from types import ModuleType
from typing import Any

from ...model.frame_locals import variables_of
from ...model.names import is_tensor
from ...model.program_text import Program, assigned
from ..rules.rule import Match, Words
from ..syntax import calls_in, last_name
from .raised import Raised, dtype_text
from .rule import ErrorRule

LAYER = (
    r"must have the same dtype, but got|Input type \(.+?\) and (bias|weight) type|"
    r"expected scalar type|expected m1 and m2 to have the same dtype|"
    r"input must have the type|not implemented for '(Long|Int|Byte|Bool)'|"
    r"expected .+ to have the same dtype"
)


def find_layer(raised: Raised) -> Match | None:
    """Find an input of a layer whose dtype is not that of its weights."""
    call = raised.inner
    if call is None or call.given is None:
        return None
    weight = next(iter(call.module.parameters()), None)
    if weight is None or weight.dtype == call.given.dtype or not weight.is_floating_point():
        return None
    if call.given.requires_grad or type(call.module).__name__ == "Embedding":
        return None
    name = raised.origin(call.given) or raised.text_of(call.given)
    if not name:
        return find_unnamed(raised)
    made = raised.maker_line(name)
    dtype = dtype_text(weight)
    cast = {"float32": "float()", "float64": "double()", "float16": "half()"}.get(dtype)
    if cast is None:
        return None
    parts = {"layer": raised.name_of(call.module), "weights": dtype}
    names = [name, *others_of_dtype(raised, name, call.given)]
    parts["cure"] = f"{', '.join(names)} = {', '.join(f'{each}.{cast}' for each in names)}"
    at = raised.context.where(made) if made is not None and made != raised.line else ""
    return Match({**parts, "t": name, "dtype": dtype_text(call.given), "made": at})


def others_of_dtype(raised: Raised, name: str, tensor: Any) -> list[str]:
    """Return the other floats of this dtype that are handed to calls from the tensor's line on."""
    dtype = tensor.dtype
    for frame, _ in raised.frames if tensor.is_floating_point() else ():
        own = variables_of(frame)
        if own.get(name) is not tensor:
            continue
        lines = Program([(frame, frame.f_lineno)]).statements
        first = [s.line for s in lines if name in assigned(s.tree)]
        given = [
            each.id
            for s in lines
            if not first or s.line > first[-1]
            for call in calls_in(s.tree)
            for each in call.args
            if isinstance(each, ast.Name)
        ]
        values: dict[str, Any] = {each: own.get(each) for each in given if each != name}
        tensors = [(n, v) for n, v in values.items() if is_tensor(v)]
        return [n for n, v in tensors if getattr(v, "dtype", None) == dtype]
    return []


def find_unnamed(raised: Raised) -> Match | None:
    """Describe an input without a name: `model(torch.tensor(X))`."""
    call = raised.calls[0]
    frames = raised.frames
    if not frames or call.given is None:
        return None
    for each in raised.line_calls:
        if raised.object(each.func) is call.module and len(each.args) == 1:
            text = ast.unparse(each.args[0])
            weight = next(iter(call.module.parameters()), None)
            if weight is None or dtype_text(weight) != "float32":
                return None
            parts = {"layer": ast.unparse(each.func), "weights": "float32", "made": ""}
            return Match(
                {**parts, "t": text, "dtype": dtype_text(call.given), "cure": f"{text}.float()"}
            )
    return None


INPUT = """
layer = T.nn.Linear(3, 1)
x = T.tensor([[1, 2, 3], [4, 5, 6]]){cast}
y = layer(x)
"""

TWO_DTYPES = ErrorRule(
    key="two_dtypes",
    en=Words(
        "an input of another dtype than the weights",
        "`{t}`{made} is {dtype}, and the weights of `{layer}` are {weights}{where}.",
        "Write `{cure}` before the call.",
    ),
    zh=Words(
        "输入与权重的 dtype 不同",
        "`{t}`{made}是 {dtype}，而 `{layer}` 的权重是 {weights}{where}。",
        "请在调用之前写 `{cure}`。",
    ),
    message=LAYER,
    find=find_layer,
    broken=INPUT.format(cast=""),
    sound=INPUT.format(cast=".float()"),
    before=("two_factors_dtype",),
)


def find_factors(raised: Raised) -> Match | None:
    """Find two factors of different dtypes: `x @ w`."""
    for node in ast.walk(raised.tree or ast.Pass()):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            pair = (node.left, node.right)
        elif isinstance(node, ast.Call) and last_name(node) in ("mm", "matmul", "bmm", "dot"):
            if len(node.args) == 2:
                pair = (node.args[0], node.args[1])
            elif isinstance(node.func, ast.Attribute) and len(node.args) == 1:
                pair = (node.func.value, node.args[0])
            else:
                continue
        else:
            continue
        a, b = (raised.object(each) for each in pair)
        if not is_tensor(a) or not is_tensor(b) or a.dtype == b.dtype:
            continue
        texts = [ast.unparse(each) for each in pair]
        other = 0 if dtype_text(b) == "float32" else 1
        if dtype_text((b, a)[other]) != "float32":
            continue
        parts = {"a": texts[0], "one": dtype_text(a), "b": texts[1], "other": dtype_text(b)}
        return Match({**parts, "cure": f"{texts[other]}.float()"})
    return None


FACTORS = ErrorRule(
    key="two_factors_dtype",
    en=Words(
        "factors of different dtypes",
        "`{a}` is {one} and `{b}` is {other}{where}, and a product of matrices needs one dtype.",
        "Write `{cure}` there.",
    ),
    zh=Words(
        "两个因子的 dtype 不同",
        "`{a}` 是 {one}，`{b}` 是 {other}{where}，而矩阵乘法要求 dtype 相同。",
        "请在那里写 `{cure}`。",
    ),
    message=LAYER,
    find=find_factors,
    broken="x, w = T.ones(2, 3, dtype=T.float64), T.ones(3, 4)\ny = x @ w",
    sound="x, w = T.ones(2, 3), T.ones(3, 4)\ny = x @ w",
)


def find_sum(raised: Raised) -> Match | None:
    """Find whole numbers to which floats are added in place: `total += loss`."""
    tree = raised.tree
    if not isinstance(tree, ast.AugAssign):
        return None
    name, value = ast.unparse(tree.target), raised.object(tree.target)
    if not is_tensor(value) or value.is_floating_point():
        return None
    given = ast.BinOp(ast.Name(name), tree.op, tree.value)
    cure = f"{name} = {ast.unparse(ast.fix_missing_locations(given))}"
    made = raised.maker_line(name)
    at = raised.context.where(made) if made is not None and made != raised.line else ""
    return Match({"t": name, "dtype": dtype_text(value), "made": at, "cure": cure})


TOTAL = """
total = T.tensor(0{dot})
for i in range(2):
    loss = T.rand(3).mean()
    total += loss
"""

WHOLE_TOTAL = ErrorRule(
    key="whole_total",
    en=Words(
        "floats added in place to whole numbers",
        "`{t}`{made} holds {dtype} numbers, and {line} cannot store floats in it in place.",
        "Write `{cure}`, or make it a float at the start, such as `0.0`.",
    ),
    zh=Words(
        "把浮点数原地加到整数上",
        "`{t}`{made}是 {dtype}，{line}无法把浮点数原地存进去。",
        "请写 `{cure}`，或者一开始就用浮点数，例如 `0.0`。",
    ),
    message=r"can't be cast to the desired output type",
    find=find_sum,
    broken=TOTAL.format(dot=""),
    sound=TOTAL.format(dot=".0"),
)


def find_mean(raised: Raised) -> Match | None:
    """Find `(pred == y).mean()` and `torch.mean(pred == y)`."""
    for call in raised.called("mean", "std", "var", "softmax", "log_softmax", "norm"):
        if not isinstance(call.func, ast.Attribute):
            continue
        owner = call.func.value
        of_method = not isinstance(owner, ast.Name) or is_tensor(raised.object(owner))
        of_method = of_method and not isinstance(raised.object(owner), ModuleType)
        given = owner if of_method else (call.args[0] if call.args else None)
        value = raised.object(given) if given is not None else None
        if given is None or (is_tensor(value) and value.is_floating_point()):
            continue
        cast = ast.Call(ast.Attribute(given, "float", ast.Load()), [], [])
        changed = (
            ast.Call(ast.Attribute(cast, call.func.attr, ast.Load()), call.args, call.keywords)
            if of_method
            else ast.Call(call.func, [cast, *call.args[1:]], call.keywords)
        )
        return Match(
            {"t": ast.unparse(given), "method": last_name(call), "cure": ast.unparse(changed)}
        )
    return None


MEAN = """
pred, y = T.tensor([1, 2, 3]), T.tensor([1, 0, 3])
right = pred == y
accuracy = right{cast}.mean()
"""

MEAN_OF_WHOLE = ErrorRule(
    key="mean_of_whole_numbers",
    en=Words(
        "a mean of whole numbers",
        "`{t}`{where} holds no floating-point numbers, and {method}() needs them.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "对整数求平均",
        "`{t}`{where}不是浮点数，而 {method}() 需要浮点数。",
        "请写 `{cure}`。",
    ),
    message=r"could not infer output dtype|only support floating|not implemented for '(Long|Bool)'|"
    r"Expected a floating point or complex tensor|std and var only",
    find=find_mean,
    broken=MEAN.format(cast=""),
    sound=MEAN.format(cast=".float()"),
)


def find_index(raised: Raised) -> Match | None:
    """Find an index of floats for gather, one_hot or [...]."""
    for call in raised.called("gather", "scatter", "scatter_", "one_hot", "index_select"):
        for given in call.args:
            value, text = raised.object(given), ast.unparse(given)
            inner = next((n for n in ast.walk(given) if isinstance(n, ast.Name)), None)
            if not is_tensor(value) and inner is not None and not isinstance(given, ast.Constant):
                value = raised.object(inner)
                value = value if given is not call.args[0] else None
            if is_tensor(value) and value.is_floating_point() and not value.requires_grad:
                if last_name(call) != "one_hot" and given is call.args[0] and len(call.args) < 2:
                    continue
                parts = {"t": text, "what": f"{last_name(call)}()", "dtype": dtype_text(value)}
                return Match({**parts, "cure": f"{text}.long()"})
    for node in ast.walk(raised.tree or ast.Pass()):
        for given in node.slice.elts if is_many(node) else ():  # type: ignore[attr-defined]
            value, text = raised.object(given), ast.unparse(given)
            if is_tensor(value) and dtype_text(value) == "uint8":
                parts = {"t": text, "what": ast.unparse(node), "dtype": "uint8"}
                return Match({**parts, "cure": f"{text}.long()"})
        if isinstance(node, ast.Subscript):
            value, text = raised.object(node.slice), ast.unparse(node.slice)
            if is_tensor(value) and value.is_floating_point():
                ends = bool(((value == 0) | (value == 1)).all())
                cure = f"{text}.bool()" if ends else f"{text}.long()"
                parts = {"t": text, "what": ast.unparse(node), "dtype": dtype_text(value)}
                return Match({**parts, "cure": cure})
    return None


def is_many(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple)


INDEX = """
q = T.randn(4, 3)
actions = T.tensor([0{dot}, 1, 2, 0])
v = q.gather(1, actions.unsqueeze(1))
"""

INDICES = ErrorRule(
    key="index_dtype",
    en=Words(
        "an index that is not int64",
        "`{t}`{where} is {dtype}, and the indices of `{what}` must be int64.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "索引不是 int64",
        "`{t}`{where}是 {dtype}，而 `{what}` 的索引必须是 int64。",
        "请写 `{cure}`。",
    ),
    message=r"Expected dtype int|only applicable to index tensor|used as indices must be|"
    r"must be long|expected scalar type Long|index tensor of type|The shape of the mask",
    find=find_index,
    broken=INDEX.format(dot="."),
    sound=INDEX.format(dot=""),
)


def find_mask(raised: Raised) -> Match | None:
    for call in raised.called("masked_fill", "masked_fill_", "masked_select", "where"):
        place = 0 if isinstance(call.func, ast.Attribute) and len(call.args) < 3 else 1
        place = 0 if last_name(call) == "where" else place
        if place < len(call.args):
            value, text = raised.object(call.args[place]), ast.unparse(call.args[place])
            if is_tensor(value) and dtype_text(value) != "bool":
                parts = {"t": text, "what": f"{last_name(call)}()", "dtype": dtype_text(value)}
                return Match({**parts, "cure": f"{text}.bool()"})
    return None


MASK = """
scores, mask = T.randn(2, 3), T.tensor([[1, 1, 0], [1, 0, 0]])
scores = scores.masked_fill(mask{cast}, -1e9)
"""

MASKS = ErrorRule(
    key="mask_dtype",
    en=Words(
        "a mask that is not boolean",
        "`{t}`{where} is {dtype}, and {what} takes a mask of True and False.",
        "Write `{cure}`, or compare: `{t} == 0`.",
    ),
    zh=Words(
        "掩码不是布尔型",
        "`{t}`{where}是 {dtype}，而 {what} 的掩码应由 True 和 False 组成。",
        "请写 `{cure}`，或者用比较：`{t} == 0`。",
    ),
    message=r"only supports boolean masks|expected condition to be a boolean tensor|"
    r"expected BoolTensor for mask|mask .*dtype",
    find=find_mask,
    broken=MASK.format(cast=""),
    sound=MASK.format(cast=".bool()"),
)
