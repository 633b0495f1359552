"""Attention with several heads, of projections that are given."""

from __future__ import annotations

import math
import warnings
from typing import Any

from ..indexing.joining import cat
from ..linear_algebra.matrix import baddbmm, bmm, linear
from ..public.functions import schema
from .attention import scaled_dot_product_attention
from .dropout import check_probability, dropout
from .padding import pad

Three = tuple[Any, Any, Any]
"""Something for queries, for keys, and for values."""


@schema(
    "def multi_head_attention_forward(Tensor query, Tensor key, Tensor value, "
    "int embed_dim_to_check, int num_heads, Tensor? in_proj_weight, Tensor? in_proj_bias, "
    "Tensor? bias_k, Tensor? bias_v, bool add_zero_attn, float dropout_p, "
    "Tensor out_proj_weight, Tensor? out_proj_bias, bool training=True, "
    "Tensor? key_padding_mask=None, bool need_weights=True, Tensor? attn_mask=None, "
    "bool use_separate_proj_weight=False, Tensor? q_proj_weight=None, "
    "Tensor? k_proj_weight=None, Tensor? v_proj_weight=None, Tensor? static_k=None, "
    "Tensor? static_v=None, bool average_attn_weights=True, bool is_causal=False)",
    "query.dim()",
    place="nn.functional",
)
def multi_head_attention_forward(
    query: Any,
    key: Any,
    value: Any,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Any,
    in_proj_bias: Any,
    bias_k: Any,
    bias_v: Any,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Any,
    out_proj_bias: Any,
    training: bool = True,
    key_padding_mask: Any = None,
    need_weights: bool = True,
    attn_mask: Any = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Any = None,
    k_proj_weight: Any = None,
    v_proj_weight: Any = None,
    static_k: Any = None,
    static_v: Any = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Any, Any]:
    """Return the result of each query, and its weights of the keys: `nn.MultiheadAttention`.

    Args:
        embed_dim_to_check: the size that queries must have.
        in_proj_weight: the projections of queries, keys and values, one below the other.
        bias_k, bias_v: one more key and value for each head, [1, 1, E].
        add_zero_attn: add one more key and value, of zeros.
        use_separate_proj_weight: project by `q_proj_weight`, `k_proj_weight`, `v_proj_weight`.
        static_k, static_v: keys and values that are not projected, [N * heads, S, E / heads].
    """
    padding, mask, separate = key_padding_mask, attn_mask, use_separate_proj_weight
    batched = check_ranks((query, key, value), padding, mask, num_heads)
    if not batched:
        query, key, value = (x.unsqueeze(1) for x in (query, key, value))
        padding = None if padding is None else padding.unsqueeze(0)
    steps, count, width = query.shape
    padding, mask, is_causal = canonical(padding, mask, is_causal, need_weights, query.dtype)
    check_size(width, embed_dim_to_check, num_heads)
    weights = (q_proj_weight, k_proj_weight, v_proj_weight) if separate else in_proj_weight
    q, k, v = (project_apart if separate else project)((query, key, value), weights, in_proj_bias)
    if mask is not None:
        mask = by_head(mask, (steps, key.shape[0]), count * num_heads)
    if more := check_biases(bias_k, bias_v, static_k, static_v):
        k, v = (cat([x, bias.repeat(1, count, 1)]) for x, bias in zip((k, v), more, strict=True))
        mask, padding = extend_mask(mask), extend_mask(padding)
    shape = (count * num_heads, width // num_heads)
    q = split_heads(q, shape)
    k = split_heads(k, shape) if static_k is None else check_static("static_k", static_k, shape)
    v = split_heads(v, shape) if static_v is None else check_static("static_v", static_v, shape)
    if add_zero_attn:
        k, v = (cat([x, x.new_zeros(shape[0], 1, shape[1])], 1) for x in (k, v))
        mask, padding = extend_mask(mask), extend_mask(padding)
    if padding is not None:
        mask = add_padding(mask, padding, (count, k.shape[1]), num_heads)
    attend = with_weights if need_weights else without_weights
    found, seen = attend((q, k, v), mask, num_heads, dropout_p if training else 0.0, is_causal)
    output: Any = linear(found, out_proj_weight, out_proj_bias)
    output = output.view(steps, count, output.size(1))
    if seen is not None and average_attn_weights:
        seen = seen.mean(dim=1)
    if batched:
        return output, seen
    return output.squeeze(1), None if seen is None else seen.squeeze(0)


# --- Checks


def check_ranks(given: Three, padding: Any, mask: Any, heads: int) -> bool:
    """Return whether there is a batch; raise PyTorch's errors for wrong ranks."""
    query, key, value = given
    rank = query.dim()
    if rank not in (2, 3):
        wanted = "query should be unbatched 2D or batched 3D tensor"
        raise AssertionError(f"{wanted} but received {rank}-D query tensor")
    which = ("unbatched (2-D)" if rank == 2 else "batched (3-D)") + " `query`"
    if key.dim() != rank or value.dim() != rank:
        found = f"found {key.dim()}-D and {value.dim()}-D tensors respectively"
        wanted = f"For {which}, expected `key` and `value` to be {rank}-D"
        raise AssertionError(f"{wanted} but {found}")
    if padding is not None and padding.dim() != rank - 1:
        wanted = f"For {which}, expected `key_padding_mask` to be `None` or {rank - 1}-D"
        raise AssertionError(f"{wanted} but found {padding.dim()}-D tensor instead")
    if mask is not None and mask.dim() not in (2, 3):
        wanted = f"For {which}, expected `attn_mask` to be `None`, 2-D or 3-D"
        raise AssertionError(f"{wanted} but found {mask.dim()}-D tensor instead")
    if rank == 2 and mask is not None and mask.dim() == 3:
        shape = (heads, query.shape[0], key.shape[0])
        if mask.shape != shape:
            found = f"but got {mask.shape}"
            raise AssertionError(f"Expected `attn_mask` shape to be {shape} {found}")
    return bool(rank == 3)


def check_size(width: int, wanted: int, heads: int) -> None:
    """Refuse queries of another size, or of one that the heads cannot share."""
    if width != wanted:
        raise AssertionError(f"was expecting embedding dimension of {wanted}, but got {width}")
    if width // heads * heads != width:
        raise AssertionError(f"embed_dim {width} not divisible by num_heads {heads}")


def check_biases(bias_k: Any, bias_v: Any, static_k: Any, static_v: Any) -> tuple[Any, ...]:
    """Return the key and the value to add, if there are any."""
    if bias_k is None and bias_v is None:
        return ()
    if bias_v is None:
        raise AssertionError("bias_k is set but bias_v is None")
    if bias_k is None:
        raise AssertionError("bias_v is set but bias_k is None")
    for static, name in ((static_k, "key"), (static_v, "value")):
        if static is not None:
            raise AssertionError(f"bias cannot be added to static {name}.")
    return bias_k, bias_v


def check_static(name: str, x: Any, shape: tuple[int, int]) -> Any:
    """Return keys or values that are not projected; they must have the shape of all heads."""
    for at, wanted in zip((0, 2), shape, strict=True):
        if x.size(at) != wanted:
            raise AssertionError(f"expecting {name}.size({at}) of {wanted}, but got {x.size(at)}")
    return x


# --- Projections


def project(given: Three, weight: Any, bias: Any) -> Three:
    """Return queries, keys and values for all heads; equal tensors are projected together."""
    query, key, value = given
    if key.shape != value.shape:
        raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")
    if weight is None:
        raise AssertionError("use_separate_proj_weight is False but in_proj_weight is None")
    size = query.size(-1)
    if key is not value:
        w_q, w_k, w_v = weight.chunk(3)
        return each_projected(given, (w_q, w_k, w_v), bias)
    if query is key:
        three = split_projection(linear(query, weight, bias), 3, size)
        return three[0], three[1], three[2]
    w_q, w_kv = weight.split([size, 2 * size])
    b_q, b_kv = (None, None) if bias is None else bias.split([size, 2 * size])
    q = linear(query, w_q, b_q)
    two = split_projection(linear(key, w_kv, b_kv), 2, size)
    return q, two[0], two[1]


def project_apart(given: Three, weights: Three, bias: Any) -> Three:
    """Return the same by a weight for each: keys and values may have other sizes."""
    query, key, value = given
    if key.shape[:2] != value.shape[:2]:
        found = f"{key.shape[:2]} do not match value's {value.shape[:2]}"
        raise AssertionError(f"key's sequence and batch dims {found}")
    for name, weight in zip("qkv", weights, strict=True):
        if weight is None:
            wanted = f"use_separate_proj_weight is True but {name}_proj_weight is None"
            raise AssertionError(wanted)
    size = query.size(-1)
    for name, x, weight in zip(("query", "key", "value"), given, weights, strict=True):
        shape = (size, x.size(-1))
        if weight.shape != shape:
            found = f"weights shape of {shape}, but got {weight.shape}"
            raise AssertionError(f"expecting {name} {found}")
    for name, part in zip(("query", "key", "value"), parts_of(bias), strict=True):
        if part is not None and part.shape != (size,):
            found = f"bias shape of {(size,)}, but got {part.shape}"
            raise AssertionError(f"expecting {name} {found}")
    return each_projected(given, weights, bias)


def each_projected(given: Three, weights: Three, bias: Any) -> Three:
    q, k, v = (
        linear(x, weight, part)
        for x, weight, part in zip(given, weights, parts_of(bias), strict=True)
    )
    return q, k, v


def parts_of(bias: Any) -> Three:
    if bias is None:
        return None, None, None
    b_q, b_k, b_v = bias.chunk(3)
    return b_q, b_k, b_v


def split_projection(projected: Any, parts: int, size: int) -> Any:
    """Split the product of several matrices into rows that can be indexed."""
    apart = projected.unflatten(-1, (parts, size)).unsqueeze(0).transpose(0, -2)
    return apart.squeeze(-2).contiguous()


def split_heads(x: Any, shape: tuple[int, int]) -> Any:
    """Return [S, N, E] as [N * heads, S, E / heads]."""
    return x.view(x.shape[0], *shape).transpose(0, 1)


# --- Masks


def canonical(
    padding: Any, mask: Any, is_causal: bool, need_weights: bool, dtype: Any
) -> tuple[Any, Any, bool]:
    """Return both masks as terms to add, and whether the hint alone says which keys are hidden."""
    padding = to_float_mask(padding, "key_padding_mask", mask, dtype)
    if is_causal and mask is None:
        hint = "You may use the Transformer module method `generate_square_subsequent_mask`"
        wanted = "Need attn_mask if specifying the is_causal hint."
        raise RuntimeError(f"{wanted} {hint} to create this mask.")
    if is_causal and padding is None and not need_weights:
        return None, None, True
    return padding, to_float_mask(mask, "attn_mask", None, dtype), is_causal and padding is None


def to_float_mask(mask: Any, name: str, other: Any, dtype: Any) -> Any:
    """Return a mask as a term to add to the scores: -inf where it is True."""
    if mask is None:
        return None
    is_bool = str(mask.dtype) == "torch.bool"
    if not is_bool and not mask.is_floating_point():
        raise AssertionError(f"only bool and floating types of {name} are supported")
    if other is not None and mask.dtype != other.dtype:
        warnings.warn(
            f"Support for mismatched {name} and {'src_mask' if name[0] == 's' else 'attn_mask'} is "
            "deprecated. Use same type for both instead.",
            stacklevel=3,
        )
    if not is_bool:
        return mask
    return mask.to(dtype).zero_().masked_fill_(mask, -math.inf)


def by_head(mask: Any, size: tuple[int, int], heads: int) -> Any:
    """Return a mask for all heads, or for each of them."""
    rank = mask.dim()
    wanted = size if rank == 2 else (heads, *size)
    if mask.shape != wanted:
        found = f"The shape of the {rank}D attn_mask is {mask.shape}"
        raise RuntimeError(f"{found}, but should be {wanted}.")
    return mask.unsqueeze(0) if rank == 2 else mask


def extend_mask(mask: Any) -> Any:
    """Extend a mask by one key, to which every query may attend."""
    return None if mask is None else pad(mask, (0, 1))


def add_padding(mask: Any, padding: Any, shape: tuple[int, int], heads: int) -> Any:
    """Add the mask of padding [N, S] to the mask of all heads, if there is one."""
    if padding.shape != shape:
        at = int(padding.shape[0] == shape[0])
        wanted = f"Expected key_padded_mask.shape[{at}] to be {shape[at]}"
        raise AssertionError(f"{wanted}, but got {padding.shape[at]}")
    count, length = shape
    spread = padding.view(count, 1, 1, length).expand(-1, heads, -1, -1)
    spread = spread.reshape(count * heads, 1, length)
    return spread if mask is None else mask + spread


# --- Attention


def with_weights(
    projected: Three, mask: Any, heads: int, dropout_p: float, is_causal: bool
) -> tuple[Any, Any]:
    """Return the results of all queries as rows, and the weights of each head."""
    q, k, v = projected
    if is_causal and mask is None:
        raise AssertionError("FIXME: is_causal not implemented for need_weights")
    count, steps, size = q.shape
    scaled, turned_k = q * math.sqrt(1.0 / size), k.transpose(-2, -1)
    scores: Any = bmm(scaled, turned_k) if mask is None else baddbmm(mask, scaled, turned_k)
    weights = scores.softmax(-1)
    if dropout_p > 0.0:
        check_probability(dropout_p)
        weights = dropout(weights, dropout_p, True)
    found: Any = bmm(weights, v)
    rows = found.transpose(0, 1).reshape(steps * count // heads, size * heads)
    return rows, weights.view(count // heads, heads, steps, k.shape[1])


def without_weights(
    projected: Three, mask: Any, heads: int, dropout_p: float, is_causal: bool
) -> tuple[Any, Any]:
    """Return the same without the weights."""
    steps, length = projected[0].shape[1], projected[1].shape[1]
    count = projected[0].shape[0] // heads
    if mask is not None:
        if mask.shape[0] == 1:
            mask = mask.unsqueeze(0)
        else:
            mask = mask.view(count, heads, -1, length)
    q, k, v = (x.view(count, heads, x.shape[1], x.shape[2]) for x in projected)
    found: Any = scaled_dot_product_attention(q, k, v, mask, dropout_p, is_causal)
    return found.permute(2, 0, 1, 3).reshape(count * steps, -1), None
