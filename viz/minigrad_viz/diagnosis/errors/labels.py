"""Labels that a loss does not take: out of range, of another dtype, in a column, no probability."""

from __future__ import annotations

import ast
from typing import Any

from ...model.names import is_tensor
from ...model.values import shape_of
from ..evidence import arguments_in
from ..rules.rule import Match, Words
from ..syntax import parenthesize
from .raised import Raised, dtype_text
from .rule import ErrorRule


def target_of_loss(raised: Raised) -> tuple[str, Any]:
    """Return the text and the tensor of the second argument of the only such call in the line."""
    calls = raised.line_calls
    named = [c for c in calls if len(c.args) > 1 and not isinstance(c.args[1], ast.Constant)]
    if len(named) > 1:
        named = [c for c in named if is_tensor(raised.object(c.args[1]))]
    if len(named) != 1:
        return "", None
    value = raised.object(named[0].args[1])
    if not is_tensor(value):  # an expression, such as `y + 1`
        value = next(arguments_in(raised.error.__traceback__, "target"), None)
    return ast.unparse(named[0].args[1]), value


def ends_of(raised: Raised) -> dict[str, object] | None:
    name, labels = target_of_loss(raised)
    if labels is None or not labels.numel():
        return None
    low, high = int(labels.min().item()), int(labels.max().item())
    return {"t": name, "low": low, "high": high, "cure": f"{parenthesize(name)} - {low}"}


def find_from_one(raised: Raised) -> Match | None:
    parts = ends_of(raised)
    return Match(parts) if parts and int(str(parts["low"])) > 0 else None


def find_outside(raised: Raised) -> Match | None:
    parts = ends_of(raised)
    return Match(parts) if parts else None


PROGRAM = """
scores, y = T.randn(3, 3), T.tensor([{labels}]){more}
loss = T.nn.functional.cross_entropy(scores, y)
"""
OUT_OF_RANGE = (
    "`{t}`{where} has labels from {low} to {high}. A label is the index of a class's score: it "
    "begins at 0 and is below the number of scores."
)
OUT_OF_RANGE_ZH = (
    "`{t}`{where}的标签从 {low} 到 {high}。标签是类别得分的下标：从 0 开始，并且小于得分的个数。"
)

FROM_ONE = ErrorRule(
    key="label_from_one",
    en=Words(
        "labels that begin at 1",
        OUT_OF_RANGE,
        "If the classes begin at {low}, write `{cure}`.",
    ),
    zh=Words(
        "标签从 1 开始",
        OUT_OF_RANGE_ZH,
        "如果类别从 {low} 开始编号，请写 `{cure}`。",
    ),
    message=r"Target (-?\d+) is out of bounds",
    find=find_from_one,
    broken=PROGRAM.format(labels="1, 2, 3", more=""),
    sound=PROGRAM.format(labels="1, 2, 3", more=" - 1"),
    before=("label_out_of_range",),
    severity=2,
)

OUTSIDE = ErrorRule(
    key="label_out_of_range",
    en=Words(
        "labels without a score",
        OUT_OF_RANGE,
        "Give the last layer one output for each class.",
    ),
    zh=Words(
        "标签没有对应的得分",
        OUT_OF_RANGE_ZH,
        "请让最后一层为每个类别给出一个输出。",
    ),
    message=r"Target (-?\d+) is out of bounds",
    find=find_outside,
    broken=PROGRAM.format(labels="0, 2, 3", more=""),
    sound=PROGRAM.format(labels="0, 2, 1", more=""),
    severity=2,
)


def find_dtype(raised: Raised) -> Match | None:
    name, labels = target_of_loss(raised)
    if labels is None:
        return None
    key, cast = ("takes_scores", "float()")
    if labels.is_floating_point():
        key, cast = ("takes_class", "long()")
    parts = {"t": name, "dtype": dtype_text(labels), "takes": raised.context.say(key)}
    return Match({**parts, "cure": f"{parenthesize(name)}.{cast}"})


DTYPE = ErrorRule(
    key="label_type",
    en=Words(
        "labels of another dtype",
        "`{t}`{where} holds {dtype} numbers, and this loss {takes}.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "标签的 dtype 不同",
        "`{t}`{where}里是 {dtype} 类型的数，而这个损失{takes}。",
        "请写 `{cure}`。",
    ),
    message=r"expected target dtype to be Long|result type Float can't be cast to the desired "
    r"output type Long",
    find=find_dtype,
    broken=PROGRAM.format(labels="0.0, 1.0, 2.0", more=""),
    sound=PROGRAM.format(labels="0.0, 1.0, 2.0", more=".long()"),
)


def find_column(raised: Raised) -> Match | None:
    name, labels = target_of_loss(raised)
    if labels is None or len(shape_of(labels)) != 2 or shape_of(labels)[1] != 1:
        return None
    shape = f"[{', '.join(map(str, shape_of(labels)))}]"
    return Match({"t": name, "shape": shape, "instead": parenthesize(name)})


COLUMN = ErrorRule(
    key="label_shape",
    en=Words(
        "labels in a column",
        "`{t}`{where} has the shape {shape}, a column, and this loss takes one label for each "
        "sample.",
        "Write `{instead}.squeeze(1)`.",
    ),
    zh=Words(
        "标签是一列",
        "`{t}`{where}的形状是 {shape}，是一列，而这个损失需要每个样本一个标签。",
        "请写 `{instead}.squeeze(1)`。",
    ),
    message=r"multi-target not supported",
    find=find_column,
    broken=PROGRAM.format(labels="[0], [1], [2]", more=""),
    sound=PROGRAM.format(labels="[0], [1], [2]", more=".squeeze(1)"),
)


def find_scores(raised: Raised) -> Match:
    return Match()


PROBABILITY = """
scores, y = T.tensor([2.0, -1.0]), T.tensor([1.0, 0.0])
loss = T.nn.functional.binary_cross_entropy{logits}(scores, y)
"""

NO_PROBABILITY = ErrorRule(
    key="no_probability",
    en=Words(
        "scores that are no probabilities",
        "The binary cross-entropy{where} takes probabilities, and it gets numbers below 0 or above "
        "1.",
        "Use `binary_cross_entropy_with_logits` on the scores, or put a sigmoid before the loss.",
    ),
    zh=Words(
        "得分不是概率",
        "二元交叉熵{where}需要概率，而它得到了小于 0 或大于 1 的数。",
        "请对得分使用 `binary_cross_entropy_with_logits`，或者在损失之前加上 sigmoid。",
    ),
    message=r"all elements of input should be between 0 and 1",
    find=find_scores,
    broken=PROBABILITY.format(logits=""),
    sound=PROBABILITY.format(logits="_with_logits"),
    severity=2,
)
