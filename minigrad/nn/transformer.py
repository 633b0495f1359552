"""Multi-head attention, and the encoder that consists of it.

Source: Vaswani et al. 2017, "Attention Is All You Need".
"""

from __future__ import annotations

import copy
import math
import warnings
from collections.abc import Callable
from typing import Any, Unpack, cast

from ..core.modes import modes
from ..ops.neural.heads import to_float_mask
from ..tensors.creation import full
from ..tensors.tensor import Tensor
from . import functional as F
from . import init
from .containers import ModuleList
from .layers import Dropout, Linear, Place, check_place, weight
from .module import Module
from .normalization import LayerNorm
from .parameter import Parameter


class NonDynamicallyQuantizableLinear(Linear):
    """A `Linear` under the name of attention's output projection in PyTorch."""


class MultiheadAttention(Module):
    """Attention with several heads.

    Each head projects queries, keys and values to its own space and attends there. The results of
    all heads are projected once more.

    >>> import minigrad as mg
    >>> x = mg.ones(5, 2, 8)
    >>> output, weights = mg.nn.MultiheadAttention(8, num_heads=2)(x, x, x)
    >>> output.shape, weights.shape
    (torch.Size([5, 2, 8]), torch.Size([2, 5, 5]))
    """

    in_proj_weight: Parameter | None
    in_proj_bias: Parameter | None
    q_proj_weight: Parameter | None
    k_proj_weight: Parameter | None
    v_proj_weight: Parameter | None
    bias_k: Parameter | None
    bias_v: Parameter | None

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        **place: Unpack[Place],
    ) -> None:
        """Make the projections of all heads.

        Args:
            add_bias_kv: add one more key and value, which are learned.
            add_zero_attn: add one more key and value, of zeros.
            kdim, vdim: the sizes of keys and values; by default `embed_dim`.
            batch_first: whether inputs are [N, L, E] instead of [L, N, E].
        """
        super().__init__()
        check_place("MultiheadAttention", place)
        if embed_dim <= 0 or num_heads <= 0:
            found = f"embed_dim={embed_dim} and num_heads={num_heads}"
            raise ValueError(f"embed_dim and num_heads must be greater than 0, got {found} instead")
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        self.add_zero_attn = add_zero_attn
        self._qkv_same_embed_dim = self.kdim == self.vdim == embed_dim
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")
        for name, size in zip("qkv", (embed_dim, self.kdim, self.vdim), strict=True):
            alone = None if self._qkv_same_embed_dim else weight((embed_dim, size), **place)
            self.register_parameter(f"{name}_proj_weight", alone)
        packed = weight((3 * embed_dim, embed_dim), **place) if self._qkv_same_embed_dim else None
        self.register_parameter("in_proj_weight", packed)
        self.register_parameter("in_proj_bias", weight(3 * embed_dim, **place) if bias else None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias, **place)
        for name in ("bias_k", "bias_v"):
            more = weight((1, 1, embed_dim), **place) if add_bias_kv else None
            self.register_parameter(name, more)
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        """Draw the projections of the input again, and set biases to 0."""
        for name, parameter in self._parameters.items():
            if parameter is not None and name.endswith("weight"):
                init.xavier_uniform_(parameter)
        if self.in_proj_bias is not None:
            init.zeros_(self.in_proj_bias)
            init.zeros_(cast(Parameter, self.out_proj.bias))
        for parameter in (self.bias_k, self.bias_v):
            if parameter is not None:
                init.xavier_normal_(parameter)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """Return the result of each query, and its weights of the keys.

        Args:
            query: [L, N, E]; [N, L, E] if `batch_first`; [L, E] without a batch. Keys and values
                likewise.
            key_padding_mask: [N, S], True for keys that no query may attend to; or a term to add.
            need_weights: whether to return the weights: [N, L, S].
            attn_mask: [L, S], True where a query may not attend; or a term to add. [N * heads, L,
                S] for each head separately.
            average_attn_weights: whether the weights are the mean over the heads, or separate.
            is_causal: declares that `attn_mask` is the causal one.
        """
        key_padding_mask = to_float_mask(
            key_padding_mask, "key_padding_mask", attn_mask, query.dtype
        )
        attn_mask = to_float_mask(attn_mask, "attn_mask", None, query.dtype)
        swapped = self.batch_first and query.dim() == 3
        if swapped:
            query, key, value = swap_batch(query, key, value)
        output, weights = F.multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            self.training,
            key_padding_mask,
            need_weights,
            attn_mask,
            not self._qkv_same_embed_dim,
            self.q_proj_weight,
            self.k_proj_weight,
            self.v_proj_weight,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
        )
        return output.transpose(1, 0) if swapped else output, weights


def swap_batch(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return the inputs as [L, N, E]; equal tensors stay equal, so they are projected once."""
    turned = query.transpose(1, 0)
    turned_key = turned if key is query and key is value else key.transpose(1, 0)
    return turned, turned_key, turned_key if key is value else value.transpose(1, 0)


def activation_function(activation: str | Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
    """Return the function with this name, or the given function."""
    if not isinstance(activation, str):
        return activation
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    return F.relu if activation == "relu" else F.gelu


class TransformerEncoderLayer(Module):
    """Self-attention of a sequence, then a small network for each step.

    The result of each is added to its input, and normalized.
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[[Tensor], Tensor] = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        **place: Unpack[Place],
    ) -> None:
        """Make the layer.

        Args:
            dim_feedforward: the width of the small network.
            activation: "relu", "gelu" or a function.
            norm_first: whether to normalize the input instead of the result.
        """
        super().__init__()
        check_place("TransformerEncoderLayer", place)
        heads = {"dropout": dropout, "bias": bias, "batch_first": batch_first}
        self.self_attn = MultiheadAttention(d_model, nhead, **heads, **place)  # type: ignore[arg-type]
        self.linear1 = Linear(d_model, dim_feedforward, bias, **place)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, **place)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias, **place)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias, **place)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation = activation_function(activation)

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        """Apply the layer. Masks are those of `MultiheadAttention`."""
        padding = to_float_mask(src_key_padding_mask, "src_key_padding_mask", src_mask, src.dtype)
        mask = to_float_mask(src_mask, "src_mask", None, src.dtype)
        x = src
        if self.norm_first:
            x = x + self._attended(self.norm1(x), mask, padding, is_causal)
            return x + self._fed_forward(self.norm2(x))
        x = self.norm1(x + self._attended(x, mask, padding, is_causal))
        return self.norm2(x + self._fed_forward(x))

    def _attended(
        self, x: Tensor, mask: Tensor | None, padding: Tensor | None, is_causal: bool
    ) -> Tensor:
        options: dict[str, Any] = {"need_weights": False, "is_causal": is_causal}
        found, _ = self.self_attn(x, x, x, attn_mask=mask, key_padding_mask=padding, **options)
        return self.dropout1(found)

    def _fed_forward(self, x: Tensor) -> Tensor:
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerEncoder(Module):
    """Several copies of a layer on top of each other."""

    norm: Module | None

    def __init__(
        self,
        encoder_layer: Module,
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        """Make copies of a layer.

        Args:
            norm: applied to the result of the last layer.
            enable_nested_tensor: whether padding becomes zeros in evaluation without gradients.
            mask_check: whether this is only done where padding is at the end.
        """
        super().__init__()
        self.layers = ModuleList([copy.deepcopy(encoder_layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm
        self.enable_nested_tensor = enable_nested_tensor
        self.mask_check = mask_check
        why = reason(encoder_layer)
        self.use_nested_tensor = enable_nested_tensor and not why
        if enable_nested_tensor and why:
            met = "enable_nested_tensor is True, but self.use_nested_tensor is False because"
            warnings.warn(f"{met} {why}", stacklevel=2)

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        """Apply all layers. Masks are those of `MultiheadAttention`.

        Whether a mask is causal is detected, unless `is_causal` is given.
        """
        padding = to_float_mask(src_key_padding_mask, "src_key_padding_mask", mask, src.dtype)
        mask = to_float_mask(mask, "mask", None, src.dtype)
        empties = self._empties(src, mask, padding)
        batch_first = getattr(getattr(self.layers[0], "self_attn", None), "batch_first", False)
        steps = src.shape[1 if batch_first and src.dim() == 3 else 0]
        if is_causal is None:
            is_causal = mask is not None and is_causal_mask(mask, steps)
        output = src
        for layer in self.layers:
            output = layer(output, src_mask=mask, src_key_padding_mask=padding, is_causal=is_causal)
        if empties and padding is not None:
            output = output.masked_fill(padding.unsqueeze(-1) != 0, 0.0)
        return output if self.norm is None else self.norm(output)

    def _empties(self, src: Tensor, mask: Tensor | None, padding: Tensor | None) -> bool:
        """Return whether padding becomes zeros: where PyTorch leaves it out of the computation."""
        usable = self.use_nested_tensor and not self.training and src.dim() == 3
        if padding is None or mask is not None or not usable:
            return False
        if modes.grad and (src.requires_grad or any(p.requires_grad for p in self.parameters())):
            return False
        hidden = padding != 0
        return not self.mask_check or not bool((hidden[:, :-1] & ~hidden[:, 1:]).any())


def reason(layer: Module) -> str:
    """Return why PyTorch also computes padding; empty if it does not."""
    if not isinstance(layer, TransformerEncoderLayer):
        return "encoder_layer was not TransformerEncoderLayer"
    attention = layer.self_attn
    if layer.norm_first:
        return "encoder_layer.norm_first was True"
    if not attention.batch_first:
        hint = "(use batch_first for better inference performance)"
        return f"encoder_layer.self_attn.batch_first was not True{hint}"
    if attention.in_proj_bias is None:
        return "encoder_layer.self_attn was passed bias=False"
    if layer.activation not in (F.relu, F.gelu):
        return "encoder_layer.activation_relu_or_gelu was not True"
    if layer.norm1.eps != layer.norm2.eps:
        return "encoder_layer.norm1.eps was not equal to encoder_layer.norm2.eps"
    if attention.num_heads % 2:
        return "encoder_layer.self_attn.num_heads is odd"
    return ""


def is_causal_mask(mask: Tensor, steps: int) -> bool:
    """Return whether a mask hides exactly the later steps from each step."""
    if mask.shape[-2:] != (steps, steps):
        return False
    causal = full((steps, steps), -math.inf, dtype=mask.dtype, device=mask.device).triu(1)
    return bool((mask == causal).all())
