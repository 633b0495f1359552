"""An index, a dimension or a mask that the tensor does not have."""

from __future__ import annotations

import ast

from ...model.names import is_tensor
from ...model.values import shape_of
from ..rules.rule import Match, Words
from ..syntax import last_name
from .raised import Raised, size_text
from .rule import ErrorRule


def find_scalar(raised: Raised) -> Match | None:
    for node in ast.walk(raised.tree or ast.Pass()):
        if isinstance(node, ast.Subscript):
            value, text = raised.object(node.value), ast.unparse(node.value)
            if is_tensor(value) and not shape_of(value):
                return Match({"t": text, "index": ast.unparse(node), "cure": f"{text}.item()"})
    return None


SCALAR = ErrorRule(
    key="index_of_scalar",
    chapter="",
    en=Words(
        "an index into a single number",
        "`{t}` is a single number, without dimensions, and `{index}`{where} takes one of them.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "对单个数取下标",
        "`{t}` 是单个数，没有维度，而 `{index}`{where}要取其中一维。",
        "请写 `{cure}`。",
    ),
    message=r"invalid index of a 0-dim tensor",
    find=find_scalar,
    broken="loss = T.ones(3).mean()\nnumber = loss[0]",
    sound="loss = T.ones(3).mean()\nnumber = loss.item()",
)


def find_many(raised: Raised) -> Match | None:
    for node in ast.walk(raised.tree or ast.Pass()):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
            value, text = raised.object(node.value), ast.unparse(node.value)
            given = [e for e in node.slice.elts if ast.unparse(e) not in ("None", "...")]
            if is_tensor(value) and len(shape_of(value)) < len(given):
                parts = {"t": text, "shape": size_text(value), "rank": len(shape_of(value))}
                return Match({**parts, "index": ast.unparse(node), "count": len(given)})
    return None


MANY = ErrorRule(
    key="too_many_indices",
    chapter="",
    en=Words(
        "more indices than dimensions",
        "`{t}` has the shape {shape}, {rank} dimension(s), and `{index}`{where} has {count} "
        "indices.",
        "Use {rank}, or find the line that took a dimension away: print `{t}.shape`.",
    ),
    zh=Words(
        "下标比维数多",
        "`{t}` 的形状是 {shape}，共 {rank} 维，而 `{index}`{where}有 {count} 个下标。",
        "请用 {rank} 个，或找出去掉一维的那一行：打印 `{t}.shape`。",
    ),
    message=r"too many indices for tensor",
    find=find_many,
    broken="x = T.ones(3, 4)\ny = x[0, 0, 0]",
    sound="x = T.ones(3, 4)\ny = x[0, 0]",
)


def find_outside(raised: Raised) -> Match | None:
    found = raised.match(r"index (-?\d+) is out of bounds for dimension (\d+) with size (\d+)")
    if found is None:
        return None
    for text, value in raised.operands.items():
        axis = int(found[2])
        if len(shape_of(value)) > axis and shape_of(value)[axis] == int(found[3]):
            parts = {"t": text, "shape": size_text(value), "index": found[1], "axis": axis}
            last = int(found[3]) - 1
            return Match({**parts, "size": found[3], "last": last}) if last >= 0 else None
    return None


OUTSIDE = ErrorRule(
    key="index_outside",
    chapter="",
    en=Words(
        "an index past the end",
        "`{t}` has the shape {shape}, and the index {index}{where} is past the end of dimension "
        "{axis}, of size {size}.",
        "Its indices run from 0 to {last}.",
    ),
    zh=Words(
        "下标超出末尾",
        "`{t}` 的形状是 {shape}，而下标 {index}{where}超出了第 {axis} 维（大小 {size}）的末尾。",
        "它的下标从 0 到 {last}。",
    ),
    message=r"is out of bounds for dimension \d+ with size",
    find=find_outside,
    broken="x = T.ones(3, 4)\ny = x[3]",
    sound="x = T.ones(3, 4)\ny = x[2]",
    severity=2,
)


def find_mask(raised: Raised) -> Match | None:
    for node in ast.walk(raised.tree or ast.Pass()):
        if isinstance(node, ast.Subscript):
            value, mask = raised.object(node.value), raised.object(node.slice)
            if is_tensor(value) and is_tensor(mask):
                parts = {"t": ast.unparse(node.value), "shape": size_text(value)}
                return Match({**parts, "mask": ast.unparse(node.slice), "other": size_text(mask)})
    return None


MASK = ErrorRule(
    key="mask_shape",
    chapter="",
    en=Words(
        "a mask of another shape",
        "`{mask}` has the shape {other} and `{t}` {shape}{where}: a mask needs one truth for each "
        "element or row of the tensor.",
        "Compute the mask from `{t}` itself, such as `{t} > 0`.",
    ),
    zh=Words(
        "掩码的形状不符",
        "`{mask}` 的形状是 {other}，`{t}` 的形状是 {shape}{where}：掩码要对张量的每个元素或每一行给"
        "出一个真假值。",
        "请由 `{t}` 本身算出掩码，例如 `{t} > 0`。",
    ),
    message=r"The shape of the mask .* does not match",
    find=find_mask,
    broken="x, mask = T.ones(4), T.ones(5) > 0\ny = x[mask]",
    sound="x, mask = T.ones(4), T.ones(4) > 0\ny = x[mask]",
)


def find_dimension(raised: Raised) -> Match | None:
    found = raised.match(r"range of \[(-?\d+), (-?\d+)\], but got (-?\d+)")
    if found is None:
        return None
    rank = int(found[2]) + 1
    for call in raised.line_calls:
        given: list[ast.expr] = [a for a in call.args if isinstance(a, ast.Name | ast.Attribute)]
        if isinstance(call.func, ast.Attribute):
            given.append(call.func.value)
        for each in given:
            value = raised.object(each)
            if is_tensor(value) and len(shape_of(value)) == rank:
                parts = {"t": ast.unparse(each), "shape": size_text(value), "dim": found[3]}
                return Match({**parts, "last": rank - 1, "what": f"{last_name(call)}()"})
    return None


DIMENSION = ErrorRule(
    key="no_such_dimension",
    chapter="",
    en=Words(
        "a dimension that is not there",
        "`{t}` has the shape {shape}, and {what} asks for dimension {dim}{where}: the last one is "
        "{last}.",
        "For the last dimension write `dim=-1`.",
    ),
    zh=Words(
        "没有这一维",
        "`{t}` 的形状是 {shape}，而 {what} 要第 {dim} 维{where}：最后一维是 {last}。",
        "要用最后一维，请写 `dim=-1`。",
    ),
    message=r"Dimension out of range",
    find=find_dimension,
    broken="x = T.ones(3, 4)\np = T.softmax(x, dim=2)",
    sound="x = T.ones(3, 4)\np = T.softmax(x, dim=1)",
)


def find_gather(raised: Raised) -> Match | None:
    for call in raised.called("gather"):
        index, place = call.args[-1] if call.args else None, call.args[0] if call.args else None
        value = raised.object(index) if index is not None else None
        if index is None or not is_tensor(value) or len(shape_of(value)) != 1 or place is None:
            continue
        text = ast.unparse(index)
        cure = ast.unparse(call).replace(f", {text})", f", {text}.unsqueeze(1)).squeeze(1)")
        return Match({"t": text, "shape": size_text(value), "cure": cure})
    return None


GATHER = """
q, actions = T.ones(4, 3), T.tensor([0, 1, 2, 0])
v = {call}
"""

GATHERED = ErrorRule(
    key="gather_index",
    chapter="",
    en=Words(
        "an index of gather() without a column",
        "`{t}` has the shape {shape}{where}, and the index of gather() needs as many dimensions as "
        "the tensor.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "gather() 的索引缺少一维",
        "`{t}` 的形状是 {shape}{where}，而 gather() 的索引要与张量维数相同。",
        "请写 `{cure}`。",
    ),
    message=r"Index tensor must have the same number of dimensions as",
    find=find_gather,
    broken=GATHER.format(call="q.gather(1, actions)"),
    sound=GATHER.format(call="q.gather(1, actions.unsqueeze(1)).squeeze(1)"),
)


def find_classes(raised: Raised) -> Match | None:
    for call in raised.called("one_hot"):
        value = raised.object(call.args[0]) if call.args else None
        if is_tensor(value) and value.numel() and len(call.args) > 1:
            high, text = int(value.max().item()), ast.unparse(call.args[0])
            count = ast.unparse(call.args[1])
            given = f"{ast.unparse(call.func)}({text}, {high + 1})"
            return Match({"t": text, "high": high, "count": count, "cure": given})
    return None


ONE_HOT = ErrorRule(
    key="class_without_column",
    chapter="",
    en=Words(
        "a class that one_hot() has no column for",
        "`{t}`{where} has the class {high}, and one_hot() makes {count} columns, for the classes "
        "from 0 upwards.",
        "Write `{cure}`; or count the classes from 0.",
    ),
    zh=Words(
        "one_hot() 没有该类别的列",
        "`{t}`{where}中有类别 {high}，而 one_hot() 只有 {count} 列，类别从 0 开始。",
        "请写 `{cure}`；或者让类别从 0 开始。",
    ),
    message=r"Class values must be smaller than num_classes",
    find=find_classes,
    broken="y = T.tensor([1, 2, 3])\nt = T.nn.functional.one_hot(y, 3)",
    sound="y = T.tensor([1, 2, 3])\nt = T.nn.functional.one_hot(y, 4)",
    severity=2,
)
