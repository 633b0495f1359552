"""A mask of attention of another shape, and padded sequences that are not sorted."""

from __future__ import annotations

import ast
import re
from typing import Any

import numpy as np

from ...model.names import is_tensor
from ...model.values import bare, shape_of
from ..causes import Finding
from ..objects import layer_kind
from ..rules.rule import Match, Words
from .raised import Raised, size_text
from .rule import ErrorRule


def attention(raised: Raised) -> Any:
    """Return the call of the attention layer that raised the error."""
    found = [c for c in raised.calls if layer_kind(c.module) == "MultiheadAttention"]
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
    rest = layer_with_batch_first(raised, square or [batch], fitting or [wanted])
    if rest is not None:
        return Match({**parts, "cure": ""}, rest=rest)
    key = "mask_for_each_head" if repeated else "mask_from_length"
    cure = f"{given[0]}.repeat_interleave({wanted // max(batch, 1)}, 0)"
    return Match({**parts, "cure": raised.context.say(key, cure=cure)})


def layer_with_batch_first(raised: Raised, mask: list[int], wanted: list[int]) -> Finding | None:
    """Return a cure if the mask fits the second dimension of the input, and not its first."""
    call = attention(raised)
    if call is None or call.module.batch_first or call.given is None or call.given.dim() != 3:
        return None
    first, second = shape_of(call.given)[:2]
    if first == second or (mask[-1], wanted[-1]) != (second, first):
        return None
    for each in reversed(raised.calls):
        made = raised.maker_of(each.module)
        if made is not None and each.given is not None:
            words = [k for k in made[1].keywords if k.arg != "batch_first"]
            words.append(ast.keyword("batch_first", ast.Constant(True)))
            cure = ast.unparse(ast.Call(made[1].func, made[1].args, words))
            parts = {"t": raised.text_of(each.given) or "x", "at": raised.context.where(made[0])}
            return Finding("", [raised.context.say("cure_batch_first", **parts, cure=cure)])
    return None


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
    if mask != wanted[::-1]:
        return None
    cure = f"{given[0]}.T"
    if turned := re.fullmatch(r"(\w+)\.(T|t\(\)|transpose\(.*\)|permute\(.*\))", given[0]):
        cure = turned[1]
    parts = {"t": given[0], "shape": str(mask), "wanted": str(wanted), "key": size_text(key)}
    rest = layer_with_batch_first(raised, [*mask], [*wanted]) if ends_padded(given[1]) else None
    if rest is not None:
        return Match({**parts, "cure": ""}, rest=rest)
    return Match({**parts, "cure": raised.context.say("give_mask", cure=cure)})


def ends_padded(mask: Any) -> bool:
    """Return whether rows of a mask end with padding, as sequences do, and columns do not."""
    rows = np.asarray(bare(mask)).astype(bool)

    def rising(steps: Any) -> bool:
        return bool((steps >= 0).all() and (steps > 0).any())

    along, down = (np.diff(rows.astype(int), axis=axis) for axis in (1, 0))
    return rising(along) and not rising(down)


PADDING = """
att = T.nn.MultiheadAttention(4, 2)
x, mask = T.ones(6, 2, 4), T.zeros({sizes}, dtype=T.bool)
out, w = att(x, x, x, key_padding_mask=mask)
"""

PADDED = ErrorRule(
    key="padding_mask_shape",
    en=Words(
        "a padding mask of another shape",
        "`{t}` has the shape {shape}, and attention{where} needs {wanted}, (batch, length), for "
        "keys of the shape {key}.",
        "{cure}",
    ),
    zh=Words(
        "填充掩码的形状不符",
        "`{t}` 的形状是 {shape}，而对形状为 {key} 的键，注意力{where}需要 {wanted}，即（批量、长"
        "度）。",
        "{cure}",
    ),
    message=r"key_padd(ed|ing)_mask",
    find=find_padding,
    broken=PADDING.format(sizes="6, 2"),
    sound=PADDING.format(sizes="2, 6"),
)


def find_scores(raised: Raised) -> Match | None:
    """Find a mask (batch, length) or (batch, queries, keys) for scores of several heads."""
    for call in raised.called("masked_fill", "masked_fill_"):
        if not isinstance(call.func, ast.Attribute) or len(call.args) != 2:
            continue
        scores, mask = raised.object(call.func.value), raised.object(call.args[0])
        if not is_tensor(scores) or not is_tensor(mask):
            continue
        one, other = shape_of(scores), shape_of(mask)
        given, lacking = ast.unparse(call.args[0]), len(one) - len(other)
        given = given if isinstance(call.args[0], ast.Name | ast.Call) else f"({given})"
        if lacking < 1 or len(other) < 2 or (one[0], *one[2 + lacking - 1 :]) != other:
            continue
        parts = {"t": given, "shape": str(other), "scores": ast.unparse(call.func.value)}
        cure = f"{given}[:{', None' * lacking}]"
        return Match({**parts, "wanted": str(one), "cure": cure})
    return None


SCORES = """
scores, mask = T.randn(2, 3, 4, 4), T.ones(2, 4)
scores = scores.masked_fill({mask}, -1e9)
"""

HEADS = ErrorRule(
    key="mask_without_heads",
    en=Words(
        "a mask without the dimension of heads",
        "`{t}` has the shape {shape} and `{scores}` {wanted}{where}: sizes are compared from the "
        "last dimension, and the mask has none for the heads or queries.",
        "Write `{cure}` for it.",
    ),
    zh=Words(
        "掩码缺少头的维度",
        "`{t}` 的形状是 {shape}，`{scores}` 的形状是 {wanted}{where}：大小从最后一维开始比较，而掩"
        "码没有头或查询的那一维。",
        "请把它写成 `{cure}`。",
    ),
    message=r"must match the size of tensor b",
    find=find_scores,
    broken=SCORES.format(mask="mask == 0"),
    sound=SCORES.format(mask="(mask == 0)[:, None, None]"),
    before=("operands_differ",),
)


def find_lengths(raised: Raised) -> Match | None:
    empty = raised.match("greater than 0") is not None
    for call in raised.called("pack_padded_sequence", "pack_sequence"):
        words = [k for k in call.keywords if k.arg != "enforce_sorted" or empty]
        if not empty:
            words.append(ast.keyword("enforce_sorted", ast.Constant(False)))
        text, why = ast.unparse(call.args[1]) if len(call.args) > 1 else "", "not_sorted"
        if empty and text:
            of_list = isinstance(raised.object(call.args[1]), list)
            each = f"[max(n, 1) for n in {text}]" if of_list else f"{text}.clamp(min=1)"
            call.args[1], why = ast.Name(each), "empty_sequences"
        cure = ast.unparse(ast.Call(call.func, call.args, words))
        return Match({"cure": cure, "why": raised.context.say(why)})
    return None


PACK = """
x, lengths = T.ones(3, 5, 2), T.tensor([{lengths}])
packed = T.nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True)
"""

LENGTHS = ErrorRule(
    key="lengths_not_sorted",
    en=Words(
        "sequences that are empty, or not sorted by length",
        "The sequences{where} {why}.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "序列为空，或没有按长度排序",
        "这些序列{where}{why}。",
        "请写 `{cure}`。",
    ),
    message=r"`lengths` array must be sorted in decreasing order|of all samples has to be greater",
    find=find_lengths,
    broken=PACK.format(lengths="3, 5, 2"),
    sound=PACK.format(lengths="5, 3, 2"),
    severity=2,
)
