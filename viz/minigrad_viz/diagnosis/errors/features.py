"""A product of matrices whose sizes differ: a layer that gets another number of features."""

from __future__ import annotations

import ast
import math
from typing import Any

from ...model.values import shape_of
from ..causes import Finding
from ..rules.rule import Match, Words
from .embedding import sized_outside
from .raised import Call, Raised, resized, size_text
from .rule import ErrorRule

MESSAGE = r"shapes cannot be multiplied|size mismatch, got input"


def linear(raised: Raised) -> Call | None:
    """Return the call of the Linear layer that raised the error."""
    if raised.kind() != "Linear" or raised.inner is None or raised.inner.given is None:
        return None
    return raised.inner


def of_layer(raised: Raised, call: Call) -> dict[str, object]:
    takes, gives = call.module.in_features, call.module.out_features
    layer = raised.name_of(call.module)
    return {"layer": layer, "takes": takes, "gives": gives, "shape": size_text(call.given)}


def written_argument(raised: Raised, module: Any) -> str:
    """Return the text of the argument of the line's call of a module, or ""."""
    for call in raised.line_calls:
        if raised.object(call.func) is module and len(call.args) == 1:
            return ast.unparse(call.args[0])
    return ""


def find_unflattened(raised: Raised) -> Match | None:
    call = linear(raised)
    if call is None:
        return None
    shape = shape_of(call.given)
    if len(shape) < 3 or math.prod(shape[1:]) != call.module.in_features:
        return None
    parts, given = of_layer(raised, call), written_argument(raised, call.module)
    if given.isidentifier():
        return Match({**parts, "cure": f"{parts['layer']}({given}.flatten(1))"})
    say = raised.context.say("cure_flatten", nn=raised.nn)
    return Match({**parts, "cure": ""}, rest=Finding("", [say]))


def find_unbatched(raised: Raised) -> Match | None:
    """Find one image without a batch dimension, flattened from dimension 1."""
    call, first = linear(raised), raised.calls[0] if raised.calls else None
    if call is None or first is None or first.given is None or first is call:
        return None
    shape, given = shape_of(call.given), shape_of(first.given)
    features = call.module.in_features
    if len(given) != 3 or len(shape) != 2 or math.prod(shape) != features or shape[1] == features:
        return None
    name = raised.origin(first.given)
    parts = {**of_layer(raised, call), "t": name or "x", "given": size_text(first.given)}
    return Match(parts) if name else None


def find_transposed(raised: Raised) -> Match | None:
    call = linear(raised)
    if call is None or call.given.requires_grad:
        return None
    shape = shape_of(call.given)
    name = raised.origin(call.given)
    if len(shape) != 2 or shape[0] != call.module.in_features or not name:
        return None
    return Match({**of_layer(raised, call), "t": name})


def find_features(raised: Raised) -> Match | None:
    call = linear(raised)
    if call is None or not shape_of(call.given):
        return None
    shape = shape_of(call.given)
    if len(shape) > 3:
        return None
    parts = {**of_layer(raised, call), "size": shape[-1]}
    outside = sized_outside(raised, call.module, shape[-1], first_only=True)
    return Match({**parts, **(outside or resized(raised, call.module, "in_features", shape[-1]))})


def find_images(raised: Raised) -> Match | None:
    """Find images that reach a Linear layer of another size without being flattened."""
    call = linear(raised)
    if call is None or len(shape_of(call.given)) != 4:
        return None
    size = math.prod(shape_of(call.given)[1:])
    parts = {**of_layer(raised, call), "size": size}
    return Match({**parts, **resized(raised, call.module, "in_features", size)})


def factors(raised: Raised) -> tuple[str, Any, str, Any] | None:
    """Return the two factors of the only matrix product in the line, with their text."""
    found = []
    for node in ast.walk(raised.tree or ast.Pass()):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            found.append((node.left, node.right))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ("matmul", "mm") and len(node.args) in (1, 2):
                found.append(
                    (node.args[0], node.args[1])
                    if len(node.args) == 2
                    else (node.func.value, node.args[0])
                )
    if len(found) != 1:
        return None
    left, right = found[0]
    a, b = raised.object(left), raised.object(right)
    if not hasattr(a, "shape") or not hasattr(b, "shape"):
        return None
    return ast.unparse(left), a, ast.unparse(right), b


def find_factors(raised: Raised) -> Match | None:
    found = factors(raised)
    if found is None:
        return None
    a, left, b, right = found
    one, other = shape_of(left), shape_of(right)
    if len(one) != 2 or len(other) != 2:
        return None
    cure = ""
    if one[1] == other[1]:
        cure = f"{a} @ {b}.T"
    elif one[0] == other[0]:
        cure = f"{a}.T @ {b}"
    if not cure:
        return None
    return Match({"a": a, "b": b, "one": str(one), "other": str(other), "cure": cure})


CNN = """
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = T.nn.Conv2d(1, 2, 3)
        self.fc = T.nn.Linear({features}, 5)
    def forward(self, x):
        x = self.conv(x){flat}
        return self.fc(x)
net = Net()
image = T.randn({shape})
out = net(image{batch})
"""

UNFLATTENED = ErrorRule(
    key="unflattened",
    en=Words(
        "images that are not flattened before a linear layer",
        "`{layer}`{where} takes {takes} features for each sample, and its input has the shape "
        "{shape}: {takes} numbers for each sample, which nothing has flattened.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "线性层之前没有展平图像",
        "`{layer}`{where}对每个样本需要 {takes} 个特征，而它的输入形状是 {shape}：每个样本有 "
        "{takes} 个数，但没有展平。",
        "请写 `{cure}`。",
    ),
    message=MESSAGE,
    find=find_unflattened,
    broken=CNN.format(features=18, flat="", shape="4, 1, 5, 5", batch=""),
    sound=CNN.format(features=18, flat=".flatten(1)", shape="4, 1, 5, 5", batch=""),
    before=("features", "images"),
)

UNBATCHED = ErrorRule(
    key="unbatched",
    en=Words(
        "one image without a batch dimension",
        "`{t}` has the shape {given}: one image without a batch dimension. Flattened from "
        "dimension 1 it has the shape {shape}, and `{layer}`{where} takes {takes} features.",
        "Give the model `{t}.unsqueeze(0)`, a batch of one.",
    ),
    zh=Words(
        "一张图像缺少批量维",
        "`{t}` 的形状是 {given}：一张没有批量维的图像。从第 1 维展平后形状是 {shape}，而 "
        "`{layer}`{where}需要 {takes} 个特征。",
        "请把 `{t}.unsqueeze(0)`（一个样本的批量）交给模型。",
    ),
    message=MESSAGE,
    find=find_unbatched,
    broken=CNN.format(features=18, flat=".flatten(1)", shape="1, 5, 5", batch=""),
    sound=CNN.format(features=18, flat=".flatten(1)", shape="1, 5, 5", batch=".unsqueeze(0)"),
    before=("transposed_input", "features"),
)

COLUMNS = """
net = T.nn.Linear(3, 1)
x = T.randn({shape})
out = net(x)
"""

TRANSPOSED = ErrorRule(
    key="transposed_input",
    en=Words(
        "samples in columns",
        "`{t}` has the shape {shape}. `{layer}`{where} takes {takes} features in each row, and "
        "here {takes} is the number of rows.",
        "If the samples are its columns, give it `{t}.T`.",
    ),
    zh=Words(
        "样本放在了列里",
        "`{t}` 的形状是 {shape}。`{layer}`{where}要求每一行有 {takes} 个特征，而这里 {takes} 是行"
        "数。",
        "如果每一列是一个样本，请传入 `{t}.T`。",
    ),
    message=MESSAGE,
    find=find_transposed,
    broken=COLUMNS.format(shape="3, 8"),
    sound=COLUMNS.format(shape="8, 3"),
    before=("features",),
)

LAYERS = """
net = T.nn.Sequential(T.nn.Linear(4, 6), T.nn.ReLU(), T.nn.Linear({features}, 1))
out = net(T.randn(5, 4))
"""

FEATURES = ErrorRule(
    key="features",
    en=Words(
        "a linear layer for another number of features",
        "`{layer}` takes {takes} features, and its input has {size} (shape {shape}){where}.",
        "Make it `{cure}`{at}.",
    ),
    zh=Words(
        "线性层的特征数不对",
        "`{layer}` 需要 {takes} 个特征，而它的输入有 {size} 个（形状 {shape}）{where}。",
        "请写 `{cure}`{at}。",
    ),
    message=MESSAGE,
    find=find_features,
    broken=LAYERS.format(features=5),
    sound=LAYERS.format(features=6),
)

IMAGES = ErrorRule(
    key="images",
    en=Words(
        "images for a linear layer of another size",
        "`{layer}`{where} gets images of the shape {shape} that nothing has flattened: {size} "
        "numbers for each sample, and it takes {takes}.",
        "Flatten them with `.flatten(1)` before it, and make it `{cure}`{at}.",
    ),
    zh=Words(
        "图像进入了大小不同的线性层",
        "`{layer}`{where}得到形状为 {shape}、没有展平的图像：每个样本有 {size} 个数，而它需要 "
        "{takes} 个。",
        "请先用 `.flatten(1)` 展平，并写 `{cure}`{at}。",
    ),
    message=MESSAGE,
    find=find_images,
    broken=CNN.format(features=20, flat="", shape="4, 1, 5, 5", batch=""),
    sound=CNN.format(features=18, flat=".flatten(1)", shape="4, 1, 5, 5", batch=""),
)

PRODUCT = """
x = T.randn(5, 3)
w = T.randn({shape}, requires_grad=True)
y = x @ w
"""

FACTORS = ErrorRule(
    key="factors",
    en=Words(
        "a product of matrices whose sizes differ",
        "`{a}` has the shape {one} and `{b}` {other}{where}: a product needs as many columns on "
        "the left as rows on the right.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "矩阵相乘时大小不符",
        "`{a}` 的形状是 {one}，`{b}` 的形状是 {other}{where}：矩阵乘法要求左边的列数等于右边的行"
        "数。",
        "请写 `{cure}`。",
    ),
    message=r"shapes cannot be multiplied",
    find=find_factors,
    broken=PRODUCT.format(shape="4, 3"),
    sound=PRODUCT.format(shape="3, 4"),
)
