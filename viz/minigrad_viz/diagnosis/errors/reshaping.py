"""A view or a reshape that does not fit, a joint of unequal sizes, and operands that differ."""

from __future__ import annotations

import ast
import math
from operator import itemgetter
from typing import Any

from ...model.autograd_nodes import nodes_from
from ...model.names import is_tensor
from ...model.values import shape_of
from ..causes import Finding
from ..rules.rule import Match, Words
from ..syntax import last_name
from .raised import Raised, size_text
from .rule import ErrorRule

# --- view and reshape


def viewed(raised: Raised) -> tuple[ast.Call, str, Any, list[int], str] | None:
    """Return the view of the line: call, text and value of its tensor, sizes, and the last ones."""
    found, sizes = raised.method("view", "reshape"), sizes_of(raised)
    if found is None or not is_tensor(found[2]) or len(sizes) < 2:
        return None
    call, name, value = found
    several = len(call.args) == 1 and isinstance(call.args[0], ast.Tuple | ast.List)
    wanted = call.args[0].elts if several else call.args  # type: ignore[attr-defined]
    if len(shape_of(value)) < 2 or len(wanted) != len(sizes):
        return None
    return call, name, value, sizes, ", ".join(ast.unparse(size) for size in wanted[1:])


def find_view(raised: Raised) -> Match | None:
    """Find `x.view(-1, 400)` of samples with another number of elements."""
    found = viewed(raised)
    if found is None:
        return None
    call, name, value, sizes, _ = found
    shape = shape_of(value)
    if len(sizes) != 2 or sizes[0] not in (-1, shape[0]) or value.is_leaf:
        return None
    parts = {"t": name, "shape": str(shape), "each": math.prod(shape[1:]), "batch": shape[0]}
    cure = f"{name}.{last_name(call)}({name}.size(0), -1)"
    return Match({**parts, "call": ast.unparse(call), "size": sizes[1], "cure": cure})


def find_fixed_batch(raised: Raised) -> Match | None:
    """Find `x.view(32, 400)` of a batch with another number of samples."""
    found = viewed(raised)
    if found is None:
        return None
    call, name, value, sizes, rest = found
    shape = shape_of(value)
    if sizes[0] in (-1, shape[0]) or math.prod(sizes[1:]) != math.prod(shape[1:]):
        return None
    parts = {"t": name, "shape": str(shape), "batch": shape[0], "wanted": sizes[0]}
    cure = f"{name}.{last_name(call)}({name}.size(0), {rest})"
    return Match({**parts, "call": ast.unparse(call), "cure": cure})


def sizes_of(raised: Raised) -> list[int]:
    """Return the sizes that the message quotes."""
    found = raised.match(r"shape '\[(.*?)\]' is invalid for input of size")
    return [int(each) for each in found[1].split(",")] if found and found[1] else []


VIEW = """
x = T.nn.Conv2d(1, 2, 3)(T.randn(5, 1, 5, 5))
y = x.view({sizes})
"""

VIEWED = ErrorRule(
    key="view_of_samples",
    en=Words(
        "a view with other sizes than the samples have",
        "`{t}` has the shape {shape}: {batch} samples of {each} numbers, and `{call}`{where} wants "
        "{size} numbers for each sample.",
        "Write `{cure}`, and give the next layer {each} features.",
    ),
    zh=Words(
        "view 的大小与样本不符",
        "`{t}` 的形状是 {shape}：{batch} 个样本，每个有 {each} 个数，而 `{call}`{where}要的是每个样"
        "本 {size} 个数。",
        "请写 `{cure}`，并让下一层接受 {each} 个特征。",
    ),
    message=r"is invalid for input of size",
    find=find_view,
    broken=VIEW.format(sizes="-1, 20"),
    sound=VIEW.format(sizes="x.size(0), -1"),
    before=("view_numbers",),
)


FIXED_BATCH = ErrorRule(
    key="view_of_fixed_batch",
    en=Words(
        "a view for a batch of a fixed size",
        "`{t}` has the shape {shape}, a batch of {batch} samples, and `{call}`{where} is written "
        "for {wanted}: the last batch may be smaller.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "view 只适合固定大小的批量",
        "`{t}` 的形状是 {shape}，批量有 {batch} 个样本，而 `{call}`{where}是为 {wanted} 个写的：最"
        "后一个批量可能较小。",
        "请写 `{cure}`。",
    ),
    message=r"is invalid for input of size",
    find=find_fixed_batch,
    broken="for x in T.randn(5, 2, 2).split(3):\n    y = x.view(3, 4)",
    sound="for x in T.randn(5, 2, 2).split(3):\n    y = x.view(x.size(0), 4)",
    before=("view_numbers",),
    severity=2,
)


def find_numbers(raised: Raised) -> Match | None:
    found = raised.method("view", "reshape", "unflatten")
    sizes = sizes_of(raised)
    if found is None or not is_tensor(found[2]) or not sizes:
        return None
    call, name, value = found
    parts = {"t": name, "shape": size_text(value), "count": value.numel()}
    rest = divided(raised)
    if -1 in sizes:
        parts["wanted"] = -math.prod(sizes)
        if not parts["wanted"]:
            return None
        return Match({**parts, "call": ast.unparse(call)}, rest=rest)
    return Match({**parts, "wanted": math.prod(sizes), "call": ast.unparse(call)}, rest=rest)


def divided(raised: Raised) -> Finding | None:
    """Return a cure if the line divides a size by a variable that does not divide it."""
    for node in ast.walk(raised.tree or ast.Pass()):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
            size, part = raised.object(node.left), raised.object(node.right)
            if isinstance(size, int) and isinstance(part, int) and 1 < part < size and size % part:
                best = max(n for n in range(1, part) if size % n == 0)
                parts = {"name": ast.unparse(node.right), "size": size, "best": best}
                return Finding("", [raised.context.say("cure_divisor", **parts)])
    return None


NUMBERS = ErrorRule(
    key="view_numbers",
    en=Words(
        "a view of another number of elements",
        "`{t}` has {count} numbers, shape {shape}, and `{call}`{where} needs {wanted} or a "
        "multiple of it.",
        "Let one size be -1, and the others divide {count}.",
    ),
    zh=Words(
        "view 的元素个数不符",
        "`{t}` 有 {count} 个数，形状 {shape}，而 `{call}`{where}需要 {wanted} 个或其倍数。",
        "请让其中一个大小为 -1，并使其余的能整除 {count}。",
    ),
    message=r"is invalid for input of size",
    find=find_numbers,
    broken="x = T.arange(24)\ny = x.reshape(4, 5)",
    sound="x = T.arange(24)\ny = x.reshape(4, 6)",
)


def find_strides(raised: Raised) -> Match | None:
    found = raised.method("view")
    if found is None:
        return None
    call = ast.unparse(found[0])
    cure = f"{found[1]}.reshape({call[len(found[1]) + len('.view(') :]}"
    return Match({"t": found[1], "call": call, "cure": cure})


STRIDES = ErrorRule(
    key="view_of_strides",
    en=Words(
        "a view of a transposed tensor",
        "`{call}`{where} cannot share memory with `{t}`, whose elements lie in another order, as "
        "after transpose or permute.",
        "Write `{cure}`, which copies them.",
    ),
    zh=Words(
        "对转置后的张量使用 view",
        "`{call}`{where}无法与 `{t}` 共享内存，因为它的元素在内存中是另一种顺序，例如在 transpose "
        "或 permute 之后。",
        "请写 `{cure}`，它会复制元素。",
    ),
    message=r"view size is not compatible with input tensor's size and stride",
    find=find_strides,
    broken="x = T.randn(2, 3, 4).transpose(1, 2)\ny = x.view(2, 12)",
    sound="x = T.randn(2, 3, 4)\ny = x.view(2, 12)",
)

# --- cat and stack


def joined(raised: Raised, *names: str) -> tuple[ast.Call, list[str], list[Any]] | None:
    """Return the call that joins tensors, with their texts and values."""
    for call in raised.called(*names):
        texts, values = elements(raised, call)
        if values and all(is_tensor(each) for each in values):
            return call, texts, values
    return None


def elements(raised: Raised, call: ast.Call) -> tuple[list[str], list[Any]]:
    """Return the texts and the values of what a call joins; a value may be unknown."""
    given = call.args[0] if call.args else None
    if isinstance(given, ast.List | ast.Tuple):
        return [ast.unparse(each) for each in given.elts], list(map(raised.object, given.elts))
    held = raised.object(given) if given is not None else None
    values = list(held) if isinstance(held, list | tuple) else []
    return [f"{ast.unparse(given)}[{i}]" for i in range(len(values))] if given else [], values


def two_different(raised: Raised, values: list[Any]) -> int:
    """Return the place of the tensor that the message is about."""
    found = raised.match(r"tensor number (\d+) in the list|at entry (\d+)\s*$")
    place = int(found[1] or found[2]) if found else 1
    return place if 0 < place < len(values) else 1


def find_cat(raised: Raised) -> Match | None:
    found = joined(raised, "cat", "concat", "hstack", "vstack")
    if found is None:
        return None
    call, texts, values = found
    place = two_different(raised, values)
    one, other = shape_of(values[0]), shape_of(values[place])
    if len(one) != len(other):
        return None
    axes = [i for i, (n, m) in enumerate(zip(one, other, strict=True)) if n != m]
    parts = {"a": texts[0], "one": str(one), "b": texts[place], "other": str(other)}
    dims = [shape_of(v) for v in values]
    fits = len(axes) == 1 and all(
        n[: axes[0]] + n[axes[0] + 1 :] == one[: axes[0]] + one[axes[0] + 1 :] for n in dims
    )
    if not fits or (len(one) == 4 and axes[0] > 1):  # images are joined by their channels
        return None
    return Match({**parts, "axis": axes[0], "call": ast.unparse(call)})


CAT = ErrorRule(
    key="cat_dimension",
    en=Words(
        "tensors joined along the wrong dimension",
        "`{a}` has the shape {one} and `{b}` {other}{where}: they differ in dimension {axis}, and "
        "only the joined dimension may differ.",
        "Join them along it, with `dim={axis}`.",
    ),
    zh=Words(
        "沿错误的维拼接",
        "`{a}` 的形状是 {one}，`{b}` 的形状是 {other}{where}：它们在第 {axis} 维不同，而只有被拼接"
        "的那一维可以不同。",
        "请沿这一维拼接：`dim={axis}`。",
    ),
    message=r"Sizes of tensors must match except in dimension",
    find=find_cat,
    broken="a, b = T.ones(4, 3), T.ones(2, 3)\nc = T.cat([a, b], dim=1)",
    sound="a, b = T.ones(4, 3), T.ones(2, 3)\nc = T.cat([a, b], dim=0)",
    before=("cat_sizes",),
)


def find_sizes(raised: Raised) -> Match | None:
    """Find features of a skip connection that are a little smaller or larger."""
    found = raised.match(r"dimension 1\. Expected size (\d+) but got size (\d+) .* number (\d+)")
    for call in raised.called("cat", "concat"):
        texts, values = elements(raised, call)
        if found is None or len(texts) <= (place := int(found[3])):
            continue
        pair = [(int(found[1]), texts[0], values[0]), (int(found[2]), texts[place], values[place])]
        (small, b, less), (large, a, more) = sorted(pair, key=itemgetter(0))
        images = [n for n, _, v in pair if is_tensor(v) and v.dim() > 2 and n in shape_of(v)[2:]]
        if len(images) != sum(map(is_tensor, (less, more))) or not images:
            continue
        close = (large - small) * 4 <= large
        rank = max(len(shape_of(v)) for v in (less, more) if is_tensor(v))
        if rank == 3 and not close:  # features of sequences, and no sizes of signals
            continue
        if is_tensor(less) and close and not keeps_size(raised, less, more):
            t, cure = a, f"{a}[..., {', '.join(f':{n}' for n in shape_of(less)[2:])}]"
        else:  # the smaller is made of the larger, computed in the line itself, or much smaller
            resize = f"{raised.parts['library']}.nn.functional.interpolate"
            t, cure = b, f"{resize}({b}, size={a}.shape[2:])"
        return Match({"a": a, "b": b, "t": t, "cure": cure, "large": large, "small": small})
    return None


def keeps_size(raised: Raised, less: Any, more: Any) -> bool:
    """Return whether the larger is a skip connection, whose size the output needs.

    The smaller is then computed of it, or it has the size of a module's input.
    """
    made, skip = less.grad_fn, getattr(more, "grad_fn", None)
    if made is not None and skip is not None and any(each is skip for each in nodes_from([made])):
        return True
    inputs = (call.given for call in raised.calls if call.given is not None)
    return is_tensor(more) and any(shape_of(x)[2:] == shape_of(more)[2:] for x in inputs)


CAT_SIZES = ErrorRule(
    key="cat_sizes",
    en=Words(
        "images or signals of different sizes, joined",
        "One size of `{a}` is {large}, and that of `{b}` is {small}{where}, as after a stride or a "
        "pooling that does not divide the size.",
        "Write `{cure}` in place of `{t}`.",
    ),
    zh=Words(
        "拼接大小不同的图像或信号",
        "`{a}` 有一维的大小是 {large}，而 `{b}` 的是 {small}{where}：步长或池化不能整除大小时就会这"
        "样。",
        "请用 `{cure}` 代替 `{t}`。",
    ),
    message=r"Sizes of tensors must match except in dimension",
    find=find_sizes,
    broken="up, skip = T.ones(1, 4, 16, 16), T.ones(1, 2, 15, 15)\nc = T.cat([up, skip], 1)",
    sound="up, skip = T.ones(1, 4, 15, 15), T.ones(1, 2, 15, 15)\nc = T.cat([up, skip], 1)",
    severity=2,
)


def entries(raised: Raised) -> tuple[str, str] | None:
    found = raised.match(r"got (\[.*?\]) at entry \d+ and (\[.*?\]) at entry \d+")
    return (found[1], found[2]) if found else None


def find_stack(raised: Raised) -> Match | None:
    found, sizes = joined(raised, "stack"), entries(raised)
    if found is None or sizes is None:
        return None
    call, _, values = found
    text = ast.unparse(call.args[0])
    if len({shape_of(v)[1:] for v in values}) != 1 or any(not shape_of(v) for v in values):
        return None
    cure = f"{raised.nn}.utils.rnn.pad_sequence({text}, batch_first=True)"
    return Match({"t": text, "one": sizes[0], "other": sizes[1], "cure": cure})


STACK = ErrorRule(
    key="stack_sizes",
    en=Words(
        "tensors of different sizes, stacked",
        "The tensors of `{t}` have different sizes, {one} and {other}, and stack(){where} needs "
        "equal ones.",
        "To pad them with zeros, write `{cure}`; to join them, use cat().",
    ),
    zh=Words(
        "堆叠大小不同的张量",
        "`{t}` 中的张量大小不同：{one} 和 {other}，而 stack(){where}要求大小相同。",
        "要用零填充，请写 `{cure}`；要首尾相接，请用 cat()。",
    ),
    message=r"stack expects each tensor to be equal size",
    find=find_stack,
    broken="rows = [T.ones(3), T.ones(5)]\nbatch = T.stack(rows)",
    sound="rows = [T.ones(3), T.ones(3)]\nbatch = T.stack(rows)",
    severity=2,
)

# --- Operands


def differing(raised: Raised) -> tuple[str, Any, str, Any, int] | None:
    """Return the two tensors of the line that do not broadcast, and the dimension."""
    axis = raised.match(r"\((\d+)\) must match .*\((\d+)\) at non-singleton dimension (\d+)")
    if axis is None:
        return None
    pairs = []
    for node in ast.walk(raised.tree or ast.Pass()):
        if isinstance(node, ast.BinOp):
            pairs.append((node.left, node.right))
        elif isinstance(node, ast.AugAssign):
            pairs.append((node.target, node.value))
    for left, right in pairs:
        a, b = raised.object(left), raised.object(right)
        if not is_tensor(a) or not is_tensor(b):
            continue
        one, other, place = shape_of(a), shape_of(b), int(axis[3])
        rank = max(len(one), len(other))
        full = [(1,) * (rank - len(s)) + s for s in (one, other)]
        if place < rank and (full[0][place], full[1][place]) == (int(axis[1]), int(axis[2])):
            return ast.unparse(left), a, ast.unparse(right), b, place
    return None


def find_rows(raised: Raised) -> Match | None:
    """Find one number for each row that needs a dimension of its own: `x - x.mean(1)`."""
    found = differing(raised)
    if found is None:
        return None
    a, left, b, right, _ = found
    one, other = shape_of(left), shape_of(right)
    if len(one) < len(other):
        a, b, one, other = b, a, other, one
    parts = {"a": a, "one": str(one), "b": b, "other": str(other)}
    if len(one) in (3, 4) and other == one[-3:-2]:
        spread = {
            n: f"{n}[:, None, None]" for n, v in raised.operands.items() if shape_of(v) == other
        }
        texts = raised.context.say("and").join(f"`{each}`" for each in spread.values())
        return Match({**parts, "cure": texts.strip("`")})
    lacking = len(one) - len(other)
    if not other or one[: len(other)] != other or lacking < 1:
        return None
    cure = f"{b}.unsqueeze(-1)" if lacking == 1 else f"{b}[...{', None' * lacking}]"
    return Match({**parts, "cure": cure})


ROWS = ErrorRule(
    key="one_number_for_each_row",
    en=Words(
        "one number for each row or channel, without a dimension",
        "`{a}` has the shape {one} and `{b}` {other}{where}: sizes are compared from the last "
        "dimension, where these two do not belong together.",
        "Give `{b}` the dimensions it lacks: `{cure}`.",
    ),
    zh=Words(
        "每行或每个通道一个数，但缺少维度",
        "`{a}` 的形状是 {one}，`{b}` 的形状是 {other}{where}：大小从最后一维开始比较，所以两者对不"
        "上。",
        "请补上 `{b}` 缺少的维：`{cure}`。",
    ),
    message=r"must match the size of tensor b",
    find=find_rows,
    broken="x = T.ones(4, 5)\nm = x.mean(1)\ny = x - m",
    sound="x = T.ones(4, 5)\nm = x.mean(1, keepdim=True)\ny = x - m",
    before=("operands_differ",),
)


def find_longer(raised: Raised) -> Match | None:
    """Find a table of a module that is longer than its input: `x + self.pe`."""
    found = differing(raised)
    if found is None:
        return None
    a, left, b, right, axis = found
    if "." not in b or "(" in b:
        a, left, b, right = b, right, a, left
    one, other = shape_of(left), shape_of(right)
    rank = max(len(one), len(other))
    near, far = axis - (rank - len(one)), axis - (rank - len(other))
    if "." not in b or "(" in b or near < 0 or far < 0 or one[near] >= other[far]:
        return None
    cure = f"{b}[{':, ' * far}:{a}.size({near})]"
    return Match({"a": a, "one": str(one), "b": b, "other": str(other), "cure": cure})


TABLE = """
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.pe = T.nn.Parameter(T.zeros(1, 10, 4))
    def forward(self, x):
        return x + self.pe{part}
out = Net()(T.ones(2, 7, 4))
"""

LONGER = ErrorRule(
    key="longer_table",
    en=Words(
        "a table that is longer than its input",
        "`{a}` has the shape {one} and `{b}` {other}{where}: the sequence is shorter than the "
        "table that is added to it.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "表比输入长",
        "`{a}` 的形状是 {one}，`{b}` 的形状是 {other}{where}：序列比要加上的表短。",
        "请写 `{cure}`。",
    ),
    message=r"must match the size of tensor b",
    find=find_longer,
    broken=TABLE.format(part=""),
    sound=TABLE.format(part="[:, :x.size(1)]"),
    before=("operands_differ",),
    severity=2,
)


def find_operands(raised: Raised) -> Match | None:
    found = differing(raised)
    if found is None:
        return None
    a, left, b, right, axis = found
    return Match({"a": a, "one": size_text(left), "b": b, "other": size_text(right), "axis": axis})


OPERANDS = ErrorRule(
    key="operands_differ",
    en=Words(
        "operands whose sizes differ",
        "`{a}` has the shape {one} and `{b}` {other}{where}: they differ in dimension {axis}, "
        "where neither is 1.",
        "Print both shapes before the line, and give that dimension one size.",
    ),
    zh=Words(
        "两个操作数大小不同",
        "`{a}` 的形状是 {one}，`{b}` 的形状是 {other}{where}：它们在第 {axis} 维不同，而且都不是 "
        "1。",
        "请在这一行之前打印两者的形状，让这一维大小相同。",
    ),
    message=r"must match the size of tensor b",
    find=find_operands,
    broken="x, pe = T.ones(2, 12, 4), T.zeros(1, 10, 4)\ny = x + pe",
    sound="x, pe = T.ones(2, 12, 4), T.zeros(1, 12, 4)\ny = x + pe",
)
