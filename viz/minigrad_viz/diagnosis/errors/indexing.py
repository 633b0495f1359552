"""An index, a dimension or a mask that the tensor does not have."""

from __future__ import annotations

import ast

from ...model.names import is_tensor
from ...model.program_text import texts_of
from ...model.values import shape_of
from ..causes import Finding
from ..rules.evidence import tree_of
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
                rank = len(shape_of(value))
                parts = {"t": text, "shape": size_text(value), "rank": rank}
                rest = None
                if all(ast.unparse(each) == ":" for each in given[rank:]):
                    cure = f"{text}[{', '.join(map(ast.unparse, given[:rank]))}]"
                    rest = Finding("", [raised.context.say("cure_write_at", cure=cure, at="")])
                parts |= {"index": ast.unparse(node), "count": len(given)}
                return Match(parts, rest=rest)
    return None


MANY = ErrorRule(
    key="too_many_indices",
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


def find_counted(raised: Raised) -> Match | None:
    """Find `layers[i]` in a loop over a range that is longer than the list."""
    for node in ast.walk(raised.tree or ast.Pass()):
        if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Name):
            continue
        held, index = raised.object(node.value), raised.object(node.slice)
        if not isinstance(index, int) or not hasattr(type(held), "__len__") or index < len(held):
            continue
        for text in texts_of(raised.frames[-1][0])[-1:]:
            for loop in ast.walk(tree_of(text)):
                if isinstance(loop, ast.For) and ast.unparse(loop.target) == node.slice.id:
                    if ast.unparse(loop.iter).startswith("range(") and len(loop.iter.args) == 1:  # type: ignore[attr-defined]
                        holder = ast.unparse(node.value)
                        parts = {"t": holder, "count": len(held), "index": index}
                        parts["loop"] = f"for {node.slice.id} in {ast.unparse(loop.iter)}:"
                        cure = f"for {node.slice.id} in range(len({holder})):"
                        return Match({**parts, "cure": cure})
    return None


COUNTED_LOOP = """
layers = T.nn.ModuleList([T.nn.Linear(2, 2), T.nn.Linear(2, 2)])
x = T.ones(3, 2)
for i in range({count}):
    x = layers[i](x)
"""

COUNTED = ErrorRule(
    key="loop_past_the_end",
    en=Words(
        "a loop that counts past the end of a list",
        "`{t}`{where} has {count} elements, and `{loop}` counts up to {index}.",
        "Write `{cure}`",
    ),
    zh=Words(
        "循环超出了列表的末尾",
        "`{t}`{where}有 {count} 个元素，而 `{loop}` 数到了 {index}。",
        "请写 `{cure}`",
    ),
    message=r"index out of range|index -?\d+ is out of",
    find=find_counted,
    broken=COUNTED_LOOP.format(count=3),
    sound=COUNTED_LOOP.format(count="len(layers)"),
    before=("index_outside",),
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


def find_rows(raised: Raised) -> Match | None:
    """Find `logp[arange(32), labels]` with another number of labels."""
    for node in ast.walk(raised.tree or ast.Pass()):
        if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Tuple):
            continue
        places = {ast.unparse(e): raised.object(e) for e in node.slice.elts}
        known = {n: len(v) for n, v in places.items() if is_tensor(v) and len(shape_of(v)) == 1}
        for each in node.slice.elts:
            made = raised.maker_line(each.id) if isinstance(each, ast.Name) else None
            call = (
                each if isinstance(each, ast.Call) else getattr(made and made.tree, "value", None)
            )
            if isinstance(call, ast.Call) and last_name(call) == "arange":
                others = [n for n in known if n != ast.unparse(each)]
                if len(call.args) == 1 and others:
                    cure = f"{ast.unparse(call.func)}(len({others[0]}))"
                    parts = {"rows": ast.unparse(call), "t": others[0], "count": known[others[0]]}
                    return Match({**parts, "cure": cure})
    return None


PICKED = """
logp = T.randn(4, 3)
labels = T.tensor([0, 1, 2, 0])
picked = logp[T.arange({count}), labels]
"""

ROWS = ErrorRule(
    key="index_lengths",
    en=Words(
        "indices of unequal length",
        "`{rows}` and `{t}` are two indices of one tensor{where}, and `{t}` has {count} of them: "
        "the last batch may be smaller.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "两个下标的长度不同",
        "`{rows}` 和 `{t}` 是同一个张量的两个下标{where}，而 `{t}` 有 {count} 个：最后一个批量可能"
        "较小。",
        "请写 `{cure}`。",
    ),
    message=r"indexing tensors could not be broadcast together",
    find=find_rows,
    broken=PICKED.format(count=5),
    sound=PICKED.format(count="len(labels)"),
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
    for call in raised.called("gather", "scatter", "scatter_", "scatter_add", "scatter_add_"):
        gathers = last_name(call) == "gather"
        index = call.args[-1 if gathers else -2] if len(call.args) > 1 else None
        value = raised.object(index) if index is not None else None
        if index is None or not is_tensor(value) or len(shape_of(value)) != 1:
            continue
        text = ast.unparse(index)
        end = (")", ").squeeze(1)") if gathers else (",", ",")
        cure = ast.unparse(call).replace(f", {text}{end[0]}", f", {text}.unsqueeze(1){end[1]}")
        parts = {"t": text, "what": f"{last_name(call)}()", "shape": size_text(value)}
        return Match({**parts, "cure": cure})
    return None


GATHER = """
q, actions = T.ones(4, 3), T.tensor([0, 1, 2, 0])
v = {call}
"""

GATHERED = ErrorRule(
    key="gather_index",
    en=Words(
        "an index of gather() or scatter_() without a column",
        "`{t}` has the shape {shape}{where}, and the index of {what} needs as many dimensions as "
        "the tensor.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "gather() 或 scatter_() 的索引缺少一维",
        "`{t}` 的形状是 {shape}{where}，而 {what} 的索引要与张量维数相同。",
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
