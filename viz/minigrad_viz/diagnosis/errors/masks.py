"""A mask of attention of another shape, and padded sequences that are not sorted."""

from __future__ import annotations

import ast
from typing import Any

from ...model.names import is_tensor
from ...model.values import shape_of
from ..rules.rule import Match, Words
from .raised import Raised, size_text
from .rule import ErrorRule


def attention(raised: Raised) -> Any:
    """Return the call of the attention layer that raised the error."""
    found = [c for c in raised.calls if type(c.module).__name__ == "MultiheadAttention"]
    return found[-1] if found else None


def word(raised: Raised, name: str) -> tuple[str, Any] | None:
    """Return text and value of an argument of the line's calls that is given by name."""
    for call in raised.line_calls:
        for each in call.keywords:
            if each.arg == name:
                return ast.unparse(each.value), raised.object(each.value)
    return None


def find_attention(raised: Raised) -> Match | None:
    sizes = raised.match(r"attn_mask is torch.Size\(\[(.+?)\]\), but should be \((.+?)\)")
    given = word(raised, "attn_mask") or word(raised, "mask") or word(raised, "src_mask")
    if sizes is None or given is None:
        return None
    parts = {"t": given[0], "shape": f"({sizes[1]})", "wanted": f"({sizes[2]})"}
    batch, *square = numbers(sizes[1])
    wanted, *fitting = numbers(sizes[2])
    repeated = len(square) == 2 and square == fitting and wanted % max(batch, 1) == 0
    key = "mask_for_each_head" if repeated else "mask_from_length"
    cure = f"{given[0]}.repeat_interleave({wanted // max(batch, 1)}, 0)"
    return Match({**parts, "cure": raised.context.say(key, cure=cure)})


def numbers(sizes: str) -> list[int]:
    """Return the sizes of a shape as a message writes it.

    >>> numbers("8, 10, 10")
    [8, 10, 10]
    """
    return [int(each) for each in sizes.split(",") if each.strip()]


MASK = """
att = T.nn.MultiheadAttention(4, 2, batch_first=True)
x, mask = T.ones(2, 6, 4), T.zeros({size}, {size})
out, w = att(x, x, x, attn_mask=mask)
"""

ATTENTION = ErrorRule(
    key="attention_mask_shape",
    chapter="",
    en=Words(
        "a mask of attention of another shape",
        "`{t}` has the shape {shape}, and attention{where} needs one of {wanted}: one row for each "
        "query, and one column for each key.",
        "{cure}",
    ),
    zh=Words(
        "注意力掩码的形状不符",
        "`{t}` 的形状是 {shape}，而注意力{where}需要 {wanted}：每个查询一行，每个键一列。",
        "{cure}",
    ),
    message=r"attn_mask is torch.Size",
    find=find_attention,
    broken=MASK.format(size=5),
    sound=MASK.format(size=6),
)


def find_padding(raised: Raised) -> Match | None:
    call, given = attention(raised), word(raised, "key_padding_mask")
    if call is None or given is None or not is_tensor(given[1]) or len(call.args) < 2:
        return None
    key, mask = shape_of(call.args[1]), shape_of(given[1])
    if len(key) != 3 or len(mask) != 2:
        return None
    first = bool(call.module.batch_first)
    wanted = key[:2] if first else (key[1], key[0])
    cure = f"{given[0]}.T" if mask == wanted[::-1] else ""
    if not cure:
        return None
    parts = {"t": given[0], "shape": str(mask), "wanted": str(wanted), "key": size_text(key)}
    return Match({**parts, "cure": cure})


PADDING = """
att = T.nn.MultiheadAttention(4, 2)
x, mask = T.ones(6, 2, 4), T.zeros({sizes}, dtype=T.bool)
out, w = att(x, x, x, key_padding_mask=mask)
"""

PADDED = ErrorRule(
    key="padding_mask_shape",
    chapter="",
    en=Words(
        "a padding mask of another shape",
        "`{t}` has the shape {shape}, and attention{where} needs {wanted}, (batch, length), for "
        "keys of the shape {key}.",
        "Give it `{cure}`.",
    ),
    zh=Words(
        "填充掩码的形状不符",
        "`{t}` 的形状是 {shape}，而对形状为 {key} 的键，注意力{where}需要 {wanted}，即（批量、长"
        "度）。",
        "请传入 `{cure}`。",
    ),
    message=r"key_padd(ed|ing)_mask",
    find=find_padding,
    broken=PADDING.format(sizes="6, 2"),
    sound=PADDING.format(sizes="2, 6"),
)


def find_lengths(raised: Raised) -> Match | None:
    for call in raised.called("pack_padded_sequence", "pack_sequence"):
        words = [k for k in call.keywords if k.arg != "enforce_sorted"]
        words.append(ast.keyword("enforce_sorted", ast.Constant(False)))
        return Match({"cure": ast.unparse(ast.Call(call.func, call.args, words))})
    return None


PACK = """
x, lengths = T.ones(3, 5, 2), T.tensor([{lengths}])
packed = T.nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True)
"""

LENGTHS = ErrorRule(
    key="lengths_not_sorted",
    chapter="",
    en=Words(
        "sequences that are not sorted by length",
        "The sequences{where} are not sorted from the longest to the shortest.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "序列没有按长度排序",
        "这些序列{where}没有从最长到最短排序。",
        "请写 `{cure}`。",
    ),
    message=r"`lengths` array must be sorted in decreasing order",
    find=find_lengths,
    broken=PACK.format(lengths="3, 5, 2"),
    sound=PACK.format(lengths="5, 3, 2"),
    severity=2,
)
