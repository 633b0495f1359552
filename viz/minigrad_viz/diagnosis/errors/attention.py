"""An attention layer whose sizes do not fit, and a product of batches of matrices."""

from __future__ import annotations

import ast

from ...model.names import is_tensor
from ...model.values import shape_of
from ..rules.rule import Match, Words
from .raised import Raised, with_argument
from .rule import ErrorRule


def find_heads(raised: Raised) -> Match | None:
    for call in raised.called(
        "MultiheadAttention", "TransformerEncoderLayer", "TransformerDecoderLayer", "Transformer"
    ):
        width, heads = number(raised, call, 0), number(raised, call, 1)
        if width is None or heads is None or width % heads == 0:
            continue
        best = max(n for n in range(1, heads + 1) if width % n == 0)
        name = "num_heads" if ast.unparse(call.func).endswith("MultiheadAttention") else "nhead"
        cure = with_argument(call, 1, name, str(best))
        return Match({"width": width, "heads": heads, "cure": cure}) if cure else None
    return None


def number(raised: Raised, call: ast.Call, place: int) -> int | None:
    """Return the size and the number of heads that a call gives."""
    names = (("embed_dim", "d_model"), ("num_heads", "nhead"))[place]
    given = next((k.value for k in call.keywords if k.arg in names), None)
    if given is None and place < len(call.args):
        given = call.args[place]
    value = given.value if isinstance(given, ast.Constant) else None
    if isinstance(given, ast.Name | ast.Attribute):
        value = raised.object(given)
    return value if isinstance(value, int) and value > 0 else None


HEADS = ErrorRule(
    key="heads_of_attention",
    en=Words(
        "heads that do not divide the size",
        "Each head gets an equal part of the {width} features, and {heads} heads do not divide "
        "them{where}.",
        "Write `{cure}`, or take a multiple of {heads} features.",
    ),
    zh=Words(
        "头数不能整除特征数",
        "{width} 个特征要平分给每个头，而 {heads} 个头不能整除它{where}。",
        "请写 `{cure}`，或者让特征数是 {heads} 的倍数。",
    ),
    message=r"embed_dim must be divisible by num_heads",
    find=find_heads,
    broken="att = T.nn.MultiheadAttention(10, 4)",
    sound="att = T.nn.MultiheadAttention(10, 2)",
)


def find_product(raised: Raised) -> Match | None:
    """Find scores of attention without the transposed keys: `q @ k`."""
    for node in ast.walk(raised.tree or ast.Pass()):
        pair: list[ast.expr] = []
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            pair = [node.left, node.right]
        elif isinstance(node, ast.Call) and len(node.args) == 2:
            if ast.unparse(node.func).rpartition(".")[2] in ("bmm", "matmul"):
                pair = list(node.args)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ("bmm", "matmul") and len(node.args) == 1:
                pair = [node.func.value, node.args[0]]
        values = [raised.object(each) for each in pair]
        if not values or not all(is_tensor(each) for each in values):
            continue
        one, other = shape_of(values[0]), shape_of(values[1])
        if len(one) < 3 or len(one) != len(other) or one[:-2] != other[:-2]:
            continue
        if one[-1] == other[-1] and one[-1] != other[-2]:
            a, b = (ast.unparse(each) for each in pair)
            parts = {"a": a, "one": str(one), "b": b, "other": str(other)}
            return Match({**parts, "cure": f"{b}.transpose(-2, -1)"})
    return None


PRODUCT = """
q, k = T.ones(2, 5, 4), T.ones(2, 6, 4)
scores = T.bmm(q, k{turned})
"""

KEYS = ErrorRule(
    key="keys_not_transposed",
    en=Words(
        "a product with keys that are not transposed",
        "`{a}` has the shape {one} and `{b}` {other}{where}: a product of matrices needs the last "
        "size of the left in the last but one of the right.",
        "Write `{cure}` for `{b}`.",
    ),
    zh=Words(
        "相乘前没有转置",
        "`{a}` 的形状是 {one}，`{b}` 的形状是 {other}{where}：矩阵乘法要求左边的最后一维等于右边的"
        "倒数第二维。",
        "请把 `{b}` 写成 `{cure}`。",
    ),
    message=r"Expected size for first two dimensions of batch2 tensor|must match the size of "
    r"tensor b|shapes cannot be multiplied",
    find=find_product,
    broken=PRODUCT.format(turned=""),
    sound=PRODUCT.format(turned=".transpose(-2, -1)"),
    before=("operands_differ",),
)
