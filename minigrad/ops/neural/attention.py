"""Attention: for each query the mean of the values, weighted by how well their keys match.

It consists of products and a softmax. (Where PyTorch has a fused kernel, it computes one step;
elsewhere its graph is the same as here.)
"""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np

from ...arrays.dtypes import float16, float32, get_default_dtype
from ...arrays.messages import c_name
from ...core.node import TensorBase, new_tensor
from ...core.operation import apply
from ..indexing.joining import repeat_interleave
from ..linear_algebra.matrix import matmul
from ..pointwise.activations import SafeSoftmaxBackward0
from ..pointwise.arithmetic import MulBackward1
from ..public.arguments import number
from ..public.dims import size_at
from ..public.functions import schema
from .dropout import dropout


@schema(
    "scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, "
    "float dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool enable_gqa=False)",
    place="nn.functional",
)
def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> TensorBase:
    """Compute softmax(query @ key.T * scale) @ value.

    Shapes: queries [..., L, E], keys [..., S, E], values [..., S, V].

    Args:
        attn_mask: added before the softmax [..., L, S]; or bools, True where a query may attend.
        dropout_p: the probability of dropping a weight, also in evaluation.
        is_causal: a query attends only to its own position and earlier ones.
        scale: 1 / sqrt(E) by default.
        enable_gqa: several heads of queries share each head of keys and values.

    >>> import minigrad as mg
    >>> q, kv = mg.zeros(1, 2), mg.tensor([[1.0, 0.0], [0.0, 1.0]])
    >>> mg.nn.functional.scaled_dot_product_attention(q, kv, kv)
    tensor([[0.5000, 0.5000]])
    """
    if type(is_causal) is not bool or type(enable_gqa) is not bool:
        raise TypeError
    mask = additive_mask(query, key, value, attn_mask, is_causal)
    scale = 1 / math.sqrt(query._array.shape[-1]) if scale is None else number(scale)
    if enable_gqa:
        heads = size_at(query._array.shape, -3)
        key, value = (
            repeat_interleave(x, heads // size_at(x._array.shape, -3), -3) for x in (key, value)
        )
    # Each factor gets half of the scale, so that their product does not overflow.
    root = math.sqrt(scale) if scale >= 0 else math.nan
    if not query._array.size or not value._array.size:  # empty, but with a history
        shape = (*query._array.shape[:-1], value._array.shape[-1])
        total = apply(MulBackward1, query.sum() + key.sum() + value.sum(), 0)
        empty: Any = new_tensor(np.zeros_like(query._array, shape=shape))
        return cast(TensorBase, empty + total)
    if (kind := query.dtype) is float16:  # computed in float32, and rounded once
        query, key, value = (x.to(float32) for x in (query, key, value))
    elif query._array.dtype.kind != "f":
        query, key = query.to(get_default_dtype()), key.to(get_default_dtype())
    scaled = [apply(MulBackward1, x, root) for x in (query, key.transpose(-2, -1))]
    scores = matmul(*scaled)
    if mask is not None:
        scores = scores.add_(mask)
    weights = apply(SafeSoftmaxBackward0, scores, -1)
    if dropout_p > 0:
        weights = dropout(weights, dropout_p, True)
    result: Any = matmul(weights, value)
    return cast(TensorBase, result.to(kind) if kind is float16 else result)


def additive_mask(query: Any, key: Any, value: Any, mask: Any, is_causal: bool) -> Any:
    """Return the mask that is added to the scores, or None; raise PyTorch's errors."""
    named = {"query": query, "key": key, "value": value}
    arrays = {name: x._array for name, x in named.items()}
    types = {x.dtype for x in arrays.values()}
    q = query._array
    if len(types) > 1:
        shown = " ".join(f"{name}.dtype: {c_name(x.dtype)}" for name, x in arrays.items())
        shown = shown.replace(" value", " and value")
        wanted = "Expected query, key, and value to have the same dtype"
        raise RuntimeError(f"{wanted}, but got {shown} instead.")
    if min(x.ndim for x in arrays.values()) < 2:
        shown = " ".join(f"{name}.dim: {x.ndim}" for name, x in arrays.items())
        shown = shown.replace(" value", " and value")
        wanted = "Expected query, key, and value to all be  at least 2 dimensional"
        raise RuntimeError(f"{wanted}, but got {shown} instead.")
    if mask is not None and mask._array.dtype not in (np.dtype(bool), q.dtype, np.float32):
        found = f"attn_mask.dtype: {c_name(mask._array.dtype)} and  query.dtype: {c_name(q.dtype)}"
        wanted = "Expected attn_mask dtype to be bool or float or to match query dtype"
        raise RuntimeError(f"{wanted}, but got {found} instead.")
    if is_causal:
        if mask is not None:
            wrong = "Explicit attn_mask should not be set when is_causal=True"
            raise RuntimeError(f"_scaled_dot_product_attention: {wrong}")
        seen = np.tril(np.ones_like(q, bool, shape=(q.shape[-2], key._array.shape[-2])))
    elif mask is None or mask._array.dtype.kind != "b":
        return mask
    else:
        seen = mask._array
    hidden = np.zeros_like(q, shape=seen.shape)
    hidden[~seen] = -np.inf
    return new_tensor(hidden)
