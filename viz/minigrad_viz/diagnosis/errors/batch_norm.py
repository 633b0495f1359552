"""A batch norm that cannot train: one sample, other features, or other dimensions."""

from __future__ import annotations

import ast
from typing import Any

from ...model.values import shape_of
from ..rules.rule import Match, Words
from ..syntax import calls_in, last_name
from .raised import Raised, resized, size_text
from .rule import ErrorRule


def loader_of(raised: Raised) -> tuple[str, str]:
    """Return the line that makes the loop's DataLoader, and its call with drop_last=True."""
    variables = raised.context.variables
    for name, value in variables.items():
        if type(value).__name__ != "DataLoader" or name.startswith("_"):
            continue
        try:
            left = len(value.dataset) % int(value.batch_size)
        except (TypeError, AttributeError, ZeroDivisionError):
            continue
        made = raised.maker_line(name)
        for call in calls_in(made.tree) if made is not None and left == 1 else ():
            if last_name(call) == "DataLoader" and made is not None:
                copy = ast.parse(ast.unparse(call), mode="eval").body
                assert isinstance(copy, ast.Call)
                copy.keywords = [k for k in copy.keywords if k.arg != "drop_last"]
                copy.keywords.append(ast.keyword("drop_last", ast.Constant(True)))
                return raised.context.line(made), ast.unparse(copy)
    return "", ""


def one_sample(raised: Raised) -> dict[str, object] | None:
    call = raised.inner
    if call is None or "Norm" not in raised.kind() or call.given is None:
        return None
    return {"layer": raised.name_of(call.module), "shape": size_text(call.given)}


def find_last(raised: Raised) -> Match | None:
    parts = one_sample(raised)
    made, cure = loader_of(raised)
    return Match({**parts, "made": made, "cure": cure}) if parts and cure else None


def find_one(raised: Raised) -> Match | None:
    parts = one_sample(raised)
    if parts is None:
        return None
    outer: Any = raised.calls[0].module
    return Match({**parts, "model": raised.name_of(outer) if raised.calls[1:] else parts["layer"]})


BATCHES = """
net = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.BatchNorm1d(4))
data = T.utils.data.TensorDataset(T.randn(5, 3))
loader = T.utils.data.DataLoader(data, batch_size=2{drop})
for x, in loader:
    out = net(x)
"""

LAST_BATCH = ErrorRule(
    key="last_batch_of_one",
    en=Words(
        "a last batch of one sample",
        "`{layer}` gets a batch of one sample, of shape {shape}{where}, and one sample has no "
        "variance to normalize by. The last batch of {made} is smaller than the others.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "最后一个批量只有一个样本",
        "`{layer}` 得到只有一个样本的批量，形状 {shape}{where}，一个样本没有可用来归一化的方差。"
        "{made}的最后一个批量比其他的小。",
        "请写 `{cure}`。",
    ),
    message=r"Expected more than 1 value per channel when training",
    find=find_last,
    broken=BATCHES.format(drop=""),
    sound=BATCHES.format(drop=", drop_last=True"),
    before=("one_sample",),
    severity=2,
)

ONE = """
net = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.BatchNorm1d(4))
{mode}
x = T.randn(1, 3)
out = net(x)
"""

ONE_SAMPLE = ErrorRule(
    key="one_sample",
    en=Words(
        "a batch of one sample in training mode",
        "`{layer}` is in training mode and gets one value for each channel, of shape "
        "{shape}{where}, which has no variance to normalize by.",
        "To train, give it batches of two or more; to predict, call `{model}.eval()` first.",
    ),
    zh=Words(
        "训练模式下批量只有一个样本",
        "`{layer}` 处于训练模式，每个通道只得到一个值，形状 {shape}{where}，没有可用来归一化的方"
        "差。",
        "训练时请使用至少两个样本的批量；预测时请先调用 `{model}.eval()`。",
    ),
    message=r"Expected more than 1 value per channel when training",
    find=find_one,
    broken=ONE.format(mode="net.train()"),
    sound=ONE.format(mode="net.eval()"),
    severity=2,
)


def find_features(raised: Raised) -> Match | None:
    call = raised.inner
    if call is None or call.given is None or "BatchNorm" not in raised.kind():
        return None
    size = shape_of(call.given)[1]
    parts = {"layer": raised.name_of(call.module), "takes": call.module.num_features, "size": size}
    parts |= resized(raised, call.module, "num_features", size)
    return Match({**parts, "shape": size_text(call.given)})


CHANNELS = """
net = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.BatchNorm1d({size}))
out = net(T.randn(5, 3))
"""

FEATURES = ErrorRule(
    key="norm_features",
    en=Words(
        "a batch norm for another number of channels",
        "`{layer}` normalizes {takes} channels, and its input of shape {shape} has {size}{where}.",
        "Make it `{cure}`{at}.",
    ),
    zh=Words(
        "批归一化的通道数不对",
        "`{layer}` 归一化 {takes} 个通道，而它的输入形状是 {shape}，有 {size} 个通道{where}。",
        "请写 `{cure}`{at}。",
    ),
    message=r"running_mean should contain \d+ elements not \d+",
    find=find_features,
    broken=CHANNELS.format(size=5),
    sound=CHANNELS.format(size=4),
)


def find_dimensions(raised: Raised) -> Match | None:
    call = raised.inner
    if call is None or call.given is None or "Norm" not in raised.kind():
        return None
    rank, kind = len(shape_of(call.given)), raised.kind()
    right = {3: "1d", 4: "2d", 5: "3d"}.get(rank, "1d" if rank == 2 else "")
    instead = kind[:-2] + right
    if not right or instead == kind:
        return None
    parts = {"layer": raised.name_of(call.module), "kind": kind, "instead": instead}
    return Match({**parts, "shape": size_text(call.given), "rank": rank})


NORMS = """
net = T.nn.Sequential(T.nn.Conv2d(1, 2, 3), T.nn.BatchNorm{d}(2))
out = net(T.randn(2, 1, 5, 5))
"""

DIMENSIONS = ErrorRule(
    key="norm_dimensions",
    en=Words(
        "a batch norm for another number of dimensions",
        "`{layer}` is a {kind}, and its input has {rank} dimensions, shape {shape}{where}.",
        "Use `{nn}.{instead}` there.",
    ),
    zh=Words(
        "批归一化的维数不对",
        "`{layer}` 是 {kind}，而它的输入有 {rank} 维，形状 {shape}{where}。",
        "请在那里使用 `{nn}.{instead}`。",
    ),
    message=r"expected \d\w+( or \d\w+)? input \(got \dD input\)",
    find=find_dimensions,
    broken=NORMS.format(d="1d"),
    sound=NORMS.format(d="2d"),
)


def find_layer_norm(raised: Raised) -> Match | None:
    call = raised.inner
    if call is None or call.given is None or raised.kind() != "LayerNorm":
        return None
    takes = tuple(call.module.normalized_shape)
    shape = shape_of(call.given)
    if len(takes) != 1 or not shape:
        return None
    parts = {"layer": raised.name_of(call.module), "takes": takes[0], "size": shape[-1]}
    parts |= resized(raised, call.module, "normalized_shape", shape[-1])
    return Match({**parts, "shape": size_text(call.given)})


LAYER_NORM = ErrorRule(
    key="layer_norm_features",
    en=Words(
        "a layer norm for another number of features",
        "`{layer}` normalizes the last {takes} features, and its input of shape {shape} has "
        "{size}{where}.",
        "Make it `{cure}`{at}.",
    ),
    zh=Words(
        "层归一化的特征数不对",
        "`{layer}` 归一化最后的 {takes} 个特征，而它的输入形状是 {shape}，有 {size} 个{where}。",
        "请写 `{cure}`{at}。",
    ),
    message=r"Given normalized_shape=",
    find=find_layer_norm,
    broken="norm = T.nn.LayerNorm(8)\nout = norm(T.ones(2, 6))",
    sound="norm = T.nn.LayerNorm(6)\nout = norm(T.ones(2, 6))",
)
