"""A loss whose arguments have another order, shape or dtype than it takes."""

from __future__ import annotations

import ast
from traceback import walk_tb
from typing import Any

from ...model.lines import of_library
from ...model.names import is_tensor
from ...model.program_text import Statement
from ...model.values import shape_of
from ..causes import Finding
from ..evidence import arguments_in
from ..objects import is_library, is_module
from ..rules.rule import Match, Words
from ..silent import statements_of
from ..syntax import last_name, written_number
from .labels import target_of_loss
from .raised import Raised, dtype_text, size_text, with_argument
from .rule import ErrorRule


def arguments(raised: Raised) -> tuple[ast.Call, str, Any, str, Any] | None:
    """Return the only call of the line with two tensors, their texts and values."""
    found = []
    running = next((c.args for c in reversed(raised.calls) if len(c.args) > 1), ())
    for call in raised.line_calls:
        if len(call.args) < 2 or any(isinstance(a, ast.Starred) for a in call.args[:2]):
            continue
        values = [raised.object(each) for each in call.args[:2]]
        loss = raised.object(call.func)
        if any(not is_tensor(v) for v in values) and loss is raised_module(raised):
            values = list(running[:2])
        elif any(not is_tensor(v) for v in values) and is_running(raised, call):
            got = (next(arguments_in(raised.error.__traceback__, n), None) for n in LOSS_GETS)
            values = list(got)
        if len(values) == 2 and all(is_tensor(v) for v in values):
            texts = [ast.unparse(each) for each in call.args[:2]]
            found.append((call, texts[0], values[0], texts[1], values[1]))
    return found[0] if len(found) == 1 else None


LOSS_GETS = ("input", "target")
"""The names of what a function such as cross_entropy gets."""


def is_running(raised: Raised, call: ast.Call) -> bool:
    """Return whether the error came out of the library's function that a call names."""
    frames = (frame for frame, _ in walk_tb(raised.error.__traceback__))
    names = {f.f_code.co_name for f in frames if of_library(f)}
    return last_name(call) in names


def raised_module(raised: Raised) -> Any:
    return raised.inner.module if raised.inner is not None else None


def in_brackets(text: str) -> str:
    """Return text in parentheses if a method's call could not follow it."""
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError:
        return f"({text})"
    simple = isinstance(tree, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
    return text if simple else f"({text})"


def of_both(found: tuple[ast.Call, str, Any, str, Any]) -> dict[str, object]:
    call, scores, a, target, b = found
    parts = {"scores": scores, "one": size_text(a), "t": target, "other": size_text(b)}
    return {**parts, "loss": ast.unparse(call.func)}


def find_swapped(raised: Raised) -> Match | None:
    found = arguments(raised)
    if found is None:
        return None
    call, first, a, second, b = found
    if a.is_floating_point() or not b.is_floating_point() or len(shape_of(b)) < 2:
        return None
    return Match({**of_both(found), "cure": f"{ast.unparse(call.func)}({second}, {first})"})


LOSS = """
net = T.nn.Linear(4, {classes})
x, y = T.randn(5, 4), {target}
criterion = T.nn.{loss}()
out = net(x)
loss = criterion({args})
"""
LABELS = "T.tensor([0, 1, 2, 0, 1])"
SOUND = LOSS.format(classes=3, target=LABELS, loss="CrossEntropyLoss", args="out, y")

SWAPPED = ErrorRule(
    key="loss_arguments_swapped",
    en=Words(
        "a loss whose arguments are swapped",
        "`{loss}`{where} takes the scores first and then the labels, and gets the labels "
        "`{scores}` {one} first.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "损失的参数顺序颠倒",
        "`{loss}`{where}先接受得分，再接受标签，而它先得到了标签 `{scores}` {one}。",
        "请写 `{cure}`。",
    ),
    message=r"not implemented for 'Long'|multi-target not supported|expected target dtype|"
    r"Expected floating point|Expected target size|to match target batch_size|scalar type",
    find=find_swapped,
    broken=LOSS.format(classes=3, target=LABELS, loss="CrossEntropyLoss", args="y, out"),
    sound=SOUND,
    before=("one_hot_integers", "classes_not_second"),
)


def find_one_hot(raised: Raised) -> Match | None:
    found = arguments(raised)
    if found is None:
        return None
    _, _, a, target, b = found
    if b.is_floating_point() or shape_of(a) != shape_of(b) or len(shape_of(b)) != 2:
        return None
    if not bool(((b == 0) | (b == 1)).all()) or not bool((b.sum(1) == 1).all()):
        return None
    return Match({**of_both(found), "cure": f"{in_brackets(target)}.argmax(1)"})


ONE_HOT = ErrorRule(
    key="one_hot_integers",
    en=Words(
        "one-hot labels of whole numbers",
        "`{t}`, shape {other}, holds one-hot labels of whole numbers. `{loss}`{where} takes the "
        "classes' indices, or floating-point probabilities.",
        "Give it the indices: `{cure}`.",
    ),
    zh=Words(
        "整数的 one-hot 标签",
        "`{t}`（形状 {other}）是整数的 one-hot 标签。`{loss}`{where}接受类别索引，或浮点数概率。",
        "请传入索引：`{cure}`。",
    ),
    message=r"Expected floating point type for target with class probabilities|multi-target not "
    r"supported",
    find=find_one_hot,
    broken=LOSS.format(
        classes=3,
        target=f"T.nn.functional.one_hot({LABELS}, 3)",
        loss="CrossEntropyLoss",
        args="out, y",
    ),
    sound=SOUND,
)


def find_classes(raised: Raised) -> Match | None:
    found = arguments(raised)
    if found is None:
        return None
    _, scores, a, _, b = found
    if len(shape_of(a)) != 3 or shape_of(a)[:2] != shape_of(b):
        return None
    return Match({**of_both(found), "cure": f"{in_brackets(scores)}.transpose(1, 2)"})


TAGS = """
out, y = T.randn(4, 7, 6), T.zeros(4, 7, dtype=T.int64)
criterion = T.nn.CrossEntropyLoss()
loss = criterion({out}, y)
"""

CLASSES = ErrorRule(
    key="classes_not_second",
    en=Words(
        "classes in the last dimension of a sequence",
        "`{scores}` has the shape {one} and `{t}` {other}. `{loss}`{where} takes the classes in "
        "dimension 1, and they are in the last.",
        "Give it `{cure}`.",
    ),
    zh=Words(
        "序列的类别在最后一维",
        "`{scores}` 的形状是 {one}，`{t}` 的形状是 {other}。`{loss}`{where}要求类别在第 1 维，而它"
        "们在最后一维。",
        "请传入 `{cure}`。",
    ),
    message=r"Expected target size",
    find=find_classes,
    broken=TAGS.format(out="out"),
    sound=TAGS.format(out="out.transpose(1, 2)"),
)


def find_column(raised: Raised) -> Match | None:
    """Find a target (N,) for an output (N, 1), or the other way round."""
    found = arguments(raised)
    if found is None:
        return None
    _, scores, a, target, b = found
    one, other = shape_of(a), shape_of(b)
    if one == (*other, 1):
        cure, text = f"{in_brackets(target)}.unsqueeze(-1)", target
    elif other == (*one, 1):
        cure, text = f"{in_brackets(target)}.squeeze(-1)", target
    elif raised.match("spatial targets") and other == (one[0], 1, *one[2:]):
        cure, text = f"{in_brackets(target)}.squeeze(1)", target
        cure = f"{cure}.long()" if b.is_floating_point() else cure
        return Match({**of_both(found), "cure": cure, "changed": text, "first": scores})
    else:
        return None
    if not b.is_floating_point():
        cure = f"{cure}.float()"
    return Match({**of_both(found), "cure": cure, "changed": text, "first": scores})


BINARY = LOSS.format(
    classes=1, target="T.tensor([0.0, 1.0, 1.0, 0.0, 1.0])", loss="BCEWithLogitsLoss", args="{args}"
)

COLUMN = ErrorRule(
    key="target_without_column",
    en=Words(
        "targets of another shape than the output",
        "`{t}` has the shape {other} and `{scores}` {one}, which do not fit together in "
        "`{loss}`{where}.",
        "Write `{cure}` for `{t}`.",
    ),
    zh=Words(
        "目标与输出的形状不同",
        "`{t}` 的形状是 {other}，`{scores}` 的形状是 {one}，在 `{loss}`{where}中对不上。",
        "请把 `{t}` 写成 `{cure}`。",
    ),
    message=r"different to the input size|must be the same as input size|spatial targets",
    find=find_column,
    broken=BINARY.format(args="out, y"),
    sound=BINARY.format(args="out, y.unsqueeze(-1)"),
)


def find_binary(raised: Raised) -> Match | None:
    """Find class labels, or scores of several classes, at a binary loss."""
    found = arguments(raised)
    if found is None:
        return None
    call, scores, a, target, b = found
    one, other = shape_of(a), shape_of(b)
    if len(one) != 2 or one[1] < 2 or other != one[:1] or b.is_floating_point():
        return None
    made = raised.maker_line(ast.unparse(call.func))
    cure = f"{raised.functional}.cross_entropy({scores}, {target})"
    if made is not None:
        cure = f"{raised.nn}.CrossEntropyLoss()"
    return Match({**of_both(found), "classes": one[1], "cure": cure})


SEVERAL = ErrorRule(
    key="binary_loss_of_classes",
    en=Words(
        "a binary loss for several classes",
        "`{scores}`, shape {one}, has {classes} scores for each sample, and `{t}`, shape {other}, "
        "one class each. `{loss}`{where} compares numbers one by one.",
        "For one of {classes} classes, use `{cure}`.",
    ),
    zh=Words(
        "多个类别用了二元损失",
        "`{scores}`（形状 {one}）每个样本有 {classes} 个得分，`{t}`（形状 {other}）每个样本一个类"
        "别。`{loss}`{where}逐个比较数字。",
        "从 {classes} 个类别中选一个时，请用 `{cure}`。",
    ),
    message=r"different to the input size|must be the same as input size",
    find=find_binary,
    broken=LOSS.format(classes=3, target=LABELS, loss="BCEWithLogitsLoss", args="out, y"),
    sound=SOUND,
)


def find_batch(raised: Raised) -> Match | None:
    """Find scores and labels of another number of samples, and the view that did it."""
    sizes = raised.match(r"batch_size \((\d+)\) to match target batch_size \((\d+)\)")
    found = arguments(raised)
    if sizes is None or found is None:
        return None
    view = viewing(raised)
    if view is None:
        return None
    line, cure, numbers = view
    rows, labels = int(sizes[1]), int(sizes[2])
    each = raised.context.say("features_then")
    if numbers and rows * numbers % labels == 0:
        each = raised.context.say("features_in", count=rows * numbers // labels)
    parts = {"samples": rows, "labels": labels, "cure": cure, "features": each}
    return Match({**of_both(found), **parts, "view": raised.context.line(line)})


OF_SEQUENCES = ("LSTM", "GRU", "RNN", "Embedding", "MultiheadAttention", "LSTMCell", "GRUCell")
"""Layers of models in which `view(-1, n)` may join batch and time."""


def viewing(raised: Raised) -> tuple[Statement, str, int] | None:
    """Return the only line of the program's forwards with `x.view(-1, 400)`, a cure, and 400."""
    lines: list[Statement] = []
    for module in list(raised.context.variables.values()):
        if not is_module(module):
            continue
        if any(type(inner).__name__ in OF_SEQUENCES for inner in module.modules()):
            return None  # (batch, time) may be joined on purpose
        lines += [s for s in statements_of(type(module), "forward") if s not in lines]
    found = []
    for line in lines:
        for call in (n for n in ast.walk(line.tree or ast.Pass()) if isinstance(n, ast.Call)):
            if last_name(call) in ("view", "reshape") and isinstance(call.func, ast.Attribute):
                if len(call.args) == 2 and ast.unparse(call.args[0]) == "-1":
                    name = ast.unparse(call.func.value)
                    cure = f"{name}.{last_name(call)}({name}.size(0), -1)"
                    found.append((line, cure, product_of(call.args[1])))
    return found[0] if len(found) == 1 else None


def product_of(tree: ast.expr) -> int:
    """Return the number that `6 * 4 * 4` writes, or 0."""
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Mult):
        return product_of(tree.left) * product_of(tree.right)
    number = written_number(tree)
    return number if isinstance(number, int) else 0


VIEWS = """
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = T.nn.Linear(8, 3)
    def forward(self, x):
        return self.fc(x.view({sizes}))
net = Net()
x, y = T.randn(5, {channels}, 4), T.tensor([0, 1, 2, 0, 1])
criterion = T.nn.CrossEntropyLoss()
out = net(x)
loss = criterion(out, y)
"""

BATCH = ErrorRule(
    key="view_mixes_samples",
    en=Words(
        "a view that mixes samples",
        "`{scores}` has {samples} rows for {labels} labels{where}: {view} cuts the batch into rows "
        "of another length, and mixes the samples.",
        "Write `{cure}` there, and give the next layer {features}.",
    ),
    zh=Words(
        "view 混淆了样本",
        "`{scores}` 有 {samples} 行，而标签有 {labels} 个{where}：{view}把批量切成了另一种长度的"
        "行，混淆了样本。",
        "请在那里写 `{cure}`，并让下一层接受{features}。",
    ),
    message=r"Expected input batch_size",
    find=find_batch,
    broken=VIEWS.format(sizes="-1, 8", channels=4),
    sound=VIEWS.format(sizes="-1, 8", channels=2),
)


def find_dtype(raised: Raised) -> Match | None:
    """Find a target of whole numbers, or of float64, for a loss that compares floats."""
    found = arguments(raised)
    if found is None:
        return None
    _, scores, a, target, b = found
    if b.dtype == a.dtype or dtype_text(a) != "float32" or b.requires_grad:
        return None
    cure = f"{in_brackets(target)}.float()"
    return Match({**of_both(found), "dtype": dtype_text(b), "cure": cure, "first": scores})


FLOATS = """
out, y = T.rand(4, 1), T.tensor([[0{dot}], [1], [1], [0]])
criterion = T.nn.BCELoss()
loss = criterion(out, y)
"""

DTYPE = ErrorRule(
    key="target_dtype",
    en=Words(
        "a target of another dtype",
        "`{t}` is {dtype}, and `{scores}`, with which `{loss}`{where} compares it, is float32.",
        "Give it `{cure}`.",
    ),
    zh=Words(
        "目标的 dtype 不同",
        "`{t}` 是 {dtype}，而 `{loss}`{where}要与之比较的 `{scores}` 是 float32。",
        "请传入 `{cure}`。",
    ),
    message=r"Found dtype \w+ but expected|expected scalar type",
    find=find_dtype,
    broken=FLOATS.format(dot=""),
    sound=FLOATS.format(dot=".0"),
)


def find_argmax(raised: Raised) -> Match | None:
    """Find classes, as argmax gives them, in place of scores."""
    found = arguments(raised)
    if found is None:
        return None
    call, scores, a, target, b = found
    if a.is_floating_point() or b.is_floating_point():
        return None
    made = raised.maker_line(scores)
    value = getattr(made.tree, "value", None) if made is not None else call.args[0]
    for each in ast.walk(value) if value is not None else ():
        if isinstance(each, ast.Call) and last_name(each) == "argmax":
            held = each.func.value if isinstance(each.func, ast.Attribute) else None
            is_function = isinstance(held, ast.Name) and len(each.args) and held.id != scores
            before = each.args[0] if is_function and not is_tensor(raised.object(held)) else held  # type: ignore[arg-type]
            if before is None:
                return None
            cure = f"{ast.unparse(call.func)}({ast.unparse(before)}, {target})"
            return Match({**of_both(found), "cure": cure})
    return None


CHOSEN = """
out, y = T.randn(4, 3), T.tensor([0, 1, 2, 0])
pred = out.argmax(1)
criterion = T.nn.CrossEntropyLoss()
loss = criterion({scores}, y)
"""

ARGMAX = ErrorRule(
    key="classes_for_scores",
    en=Words(
        "chosen classes in place of scores",
        "`{scores}` holds classes that argmax() chose. `{loss}`{where} takes the scores of all "
        "classes, and argmax() has no slope.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "用选出的类别代替得分",
        "`{scores}` 是 argmax() 选出的类别。`{loss}`{where}需要所有类别的得分，而且 argmax() 没有斜"
        "率。",
        "请写 `{cure}`。",
    ),
    message=r"Expected floating point|not implemented for 'Long'|expected scalar type",
    find=find_argmax,
    broken=CHOSEN.format(scores="pred"),
    sound=CHOSEN.format(scores="out"),
    before=("one_hot_integers",),
)


def find_flat(raised: Raised) -> Match | None:
    """Find targets (batch, time) for scores whose batch and time are joined."""
    sizes = raised.match(r"batch_size \((\d+)\) to match target batch_size \((\d+)\)")
    name, target = target_of_loss(raised)
    if sizes is None or target is None or len(shape_of(target)) != 2:
        return None
    if target.numel() != int(sizes[1]):
        return None
    parts = {"t": name, "shape": size_text(target), "rows": sizes[1]}
    return Match({**parts, "cure": f"{in_brackets(name)}.reshape(-1)"})


JOINED = """
out, y = T.randn(2, 4, 5), T.zeros(2, 4, dtype=T.int64)
loss = T.nn.functional.cross_entropy(out.view(8, 5), y{flat})
"""

FLAT = ErrorRule(
    key="target_not_joined",
    en=Words(
        "targets of a sequence that are not flattened",
        "The scores{where} have {rows} rows, one for each step of each sequence, and `{t}` has the "
        "shape {shape}.",
        "Flatten it too: `{cure}`.",
    ),
    zh=Words(
        "序列的目标没有展平",
        "得分{where}有 {rows} 行，每个序列的每一步一行，而 `{t}` 的形状是 {shape}。",
        "请把它也展平：`{cure}`。",
    ),
    message=r"Expected input batch_size",
    find=find_flat,
    broken=JOINED.format(flat=""),
    sound=JOINED.format(flat=".reshape(-1)"),
)


def find_no_target(raised: Raised) -> Match | None:
    """Find a loss that is called with one argument."""
    for call in raised.line_calls:
        loss = raised.object(call.func)
        named = last_name(call).endswith(("_loss", "cross_entropy", "_logits", "_div"))
        if (
            len(call.args) == 1
            and not call.keywords
            and (named or type(loss).__name__.endswith("Loss"))
        ):
            given = ast.unparse(call.args[0])
            cure = f"{ast.unparse(call.func)}({given}, target)"
            return Match({"call": ast.unparse(call), "cure": cure})
    return None


ALONE = """
out, target = T.ones(3), T.zeros(3)
criterion = T.nn.MSELoss()
loss = criterion(out{more})
"""

NO_TARGET = ErrorRule(
    key="loss_without_target",
    en=Words(
        "a loss without a target",
        "`{call}`{where} gives the loss the output alone, and it compares it with a target.",
        "Write `{cure}`, with your labels for `target`.",
    ),
    zh=Words(
        "损失没有目标",
        "`{call}`{where}只给了输出，而损失要把它与目标比较。",
        "请写 `{cure}`，其中 `target` 是标签。",
    ),
    message=r"missing 1 required positional argument: 'target'",
    find=find_no_target,
    broken=ALONE.format(more=""),
    sound=ALONE.format(more=", target"),
    before=("forward_arguments",),
)


def find_weights(raised: Raised) -> Match | None:
    """Find class weights of another dtype or number than the scores."""
    call = raised.inner
    weight = getattr(call.module, "weight", None) if call is not None else None
    if call is None or call.given is None or not is_tensor(weight) or len(shape_of(weight)) != 1:
        return None
    made, count = raised.maker_of(call.module), shape_of(call.given)[1:2]
    if made is None or not count or not raised.kind().endswith("Loss"):
        return None
    text = next((ast.unparse(k.value) for k in made[1].keywords if k.arg == "weight"), "")
    text = text or (ast.unparse(made[1].args[0]) if made[1].args else "")
    parts: dict[str, object] = {"t": text, "at": raised.context.where(made[0])}
    parts |= {
        "dtype": dtype_text(weight),
        "count": shape_of(weight)[0],
        "classes": count[0],
        "scores": dtype_text(call.given),
    }
    cure = f"{in_brackets(text)}.float()" if weight.dtype != call.given.dtype else ""
    if shape_of(weight) != count:
        cure = f"{raised.parts['library']}.ones({count[0]})"
    return Match({**parts, "cure": cure}) if cure and text else None


WEIGHTED = """
weights = {weights}
criterion = T.nn.CrossEntropyLoss(weight=weights)
loss = criterion(T.randn(4, 3), T.tensor([0, 1, 2, 0]))
"""

WEIGHTS = ErrorRule(
    key="class_weights",
    en=Words(
        "class weights that do not fit the scores",
        "`{t}`{at} has {count} weights of {dtype}, and the loss{where} needs one for each of the "
        "{classes} classes, {scores} as the scores.",
        "Give it one for each class and of that dtype: `{cure}`.",
    ),
    zh=Words(
        "类别权重与得分不符",
        "`{t}`{at}有 {count} 个 {dtype} 的权重，而损失{where}需要 {classes} 个类别各一个，并与得分"
        "一样是 {scores}。",
        "请给出每个类别一个、dtype 相同的权重：`{cure}`。",
    ),
    message=r"weight tensor should be defined either for all|expected scalar type",
    find=find_weights,
    broken=WEIGHTED.format(weights="T.ones(2)"),
    sound=WEIGHTED.format(weights="T.ones(3)"),
    before=("target_dtype",),
)


def find_output(raised: Raised) -> Match | None:
    """Find outputs with other channels, or another height and width, than their targets."""
    found = arguments(raised)
    if found is None:
        return None
    _, scores, a, target, b = found
    one, other = shape_of(a), shape_of(b)
    columns = (1,) in (one[len(other) :], other[len(one) :])
    if one[:1] == other[:1] and one != other and a.numel() == b.numel() and not columns:
        cure = f"{in_brackets(target)}.reshape({scores}.shape)"
        say = raised.context.say("cure_write_at", cure=cure, at="")
        return Match({**of_both(found), "cure": ""}, rest=Finding("", [say]))
    if len(one) != len(other) or len(one) < 2 or one[0] != other[0] or not a.is_floating_point():
        return None
    parts = of_both(found)
    if one[2:] != other[2:]:
        resize = f"{raised.functional}.interpolate({scores}, size={target}.shape[2:])"
        rest = padded(raised, other[-1]) if one[1] == other[1] else None
        return Match({**parts, "cure": resize}, rest=rest) if one[1] == other[1] else None
    for layer in reversed(layers_of(raised)):
        for name in ("out_channels", "out_features"):
            made = raised.maker_of(layer) if getattr(layer, name, None) == one[1] else None
            cure = with_argument(made[1], 1, name, str(other[1])) if made is not None else ""
            if made is not None and cure:
                say = raised.context.say(
                    "cure_make_it", cure=cure, at=raised.context.where(made[0])
                )
                return Match({**parts, "cure": cure}, rest=Finding("", [say]))
    return None


def layers_of(raised: Raised) -> list[Any]:
    """Return the library's layers of the program's models, in the order of their making."""
    models = [m for m in raised.context.variables.values() if is_module(m)]
    found = [each for m in models for each in m.modules() if is_library(type(each))]
    return list({id(each): each for each in found}.values())


def padded(raised: Raised, size: int) -> Finding | None:
    """Return a cure by `output_padding` if it gives transposed convolutions the wanted size."""
    turned = [m for m in layers_of(raised) if type(m).__name__.startswith("ConvTranspose")]
    sizes = [(m.stride[-1], m.padding[-1], m.kernel_size[-1]) for m in turned]
    if any(m.output_padding[-1] for m in turned) or all(s == 1 for s, _, _ in sizes):
        return None
    for stride, padding, kernel in reversed(sizes):
        size, rest = divmod(size - (stride - 1) + 2 * padding - kernel, stride)
        size += 1
        if rest:
            return None
    names = [f"`{raised.path_of(m)}`" for m in turned]
    number = f"output_padding={max(s for s, _, _ in sizes) - 1}"
    if len({s for s, _, _ in sizes}) > 1:
        return None
    where = raised.context.say("and").join(names)
    return Finding("", [raised.context.say("cure_output_padding", cure=number, layers=where)])


IMAGES = """
net = T.nn.Conv2d(1, {channels}, 3, padding=1)
x = T.randn(2, 1, 5, 5)
out = net(x)
loss = T.nn.functional.binary_cross_entropy_with_logits(out, T.ones(2, 1, 5, 5))
"""

OUTPUT = ErrorRule(
    key="output_of_other_size",
    en=Words(
        "outputs of another size than their targets",
        "`{scores}` has the shape {one} and `{t}` {other}, and `{loss}`{where} compares them "
        "number by number.",
        "Write `{cure}` for `{scores}`.",
    ),
    zh=Words(
        "输出与目标的大小不同",
        "`{scores}` 的形状是 {one}，`{t}` 的形状是 {other}，而 `{loss}`{where}逐个比较其中的数。",
        "请把 `{scores}` 写成 `{cure}`。",
    ),
    message=r"different to the input size|must be the same as input size|must match the size of",
    find=find_output,
    broken=IMAGES.format(channels=2),
    sound=IMAGES.format(channels=1),
    before=("operands_differ",),
)
