"""The decoder of a Transformer, and the whole of encoder and decoder.

Source: Vaswani et al. 2017, "Attention Is All You Need".
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any, Unpack, cast

from ..tensors.creation import full
from ..tensors.tensor import Tensor
from . import functional as F
from . import init
from .containers import ModuleList
from .layers import Dropout, Linear, Place, check_place
from .module import Module
from .normalization import LayerNorm
from .transformer import (
    MultiheadAttention,
    TransformerEncoder,
    TransformerEncoderLayer,
    activation_function,
    is_causal_mask,
)


class TransformerDecoderLayer(Module):
    """Self-attention of the target, attention to the encoder's memory, and a small network.

    The result of each is added to its input, and normalized.

    >>> import minigrad as mg
    >>> layer = mg.nn.TransformerDecoderLayer(d_model=8, nhead=2)
    >>> layer(mg.ones(3, 1, 8), mg.ones(5, 1, 8)).shape
    torch.Size([3, 1, 8])
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
        """Make the layer, with the arguments of `TransformerEncoderLayer`."""
        super().__init__()
        check_place("TransformerDecoderLayer", place)
        heads: Any = {"dropout": dropout, "batch_first": batch_first, "bias": bias, **place}
        self.self_attn = MultiheadAttention(d_model, nhead, **heads)
        self.multihead_attn = MultiheadAttention(d_model, nhead, **heads)
        self.linear1 = Linear(d_model, dim_feedforward, bias, **place)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, **place)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias, **place)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias, **place)
        self.norm3 = LayerNorm(d_model, layer_norm_eps, bias=bias, **place)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation = activation_function(activation)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """Apply the layer. Masks are those of `MultiheadAttention`."""

        def attend_self(x: Tensor) -> Tensor:
            masks = (tgt_mask, tgt_key_padding_mask, tgt_is_causal)
            return self.dropout1(attended(self.self_attn, x, x, *masks))

        def attend_memory(x: Tensor) -> Tensor:
            masks = (memory_mask, memory_key_padding_mask, memory_is_causal)
            return self.dropout2(attended(self.multihead_attn, x, memory, *masks))

        x = tgt
        blocks = (
            (self.norm1, attend_self),
            (self.norm2, attend_memory),
            (self.norm3, self._fed_forward),
        )
        for norm, block in blocks:
            x = x + block(norm(x)) if self.norm_first else norm(x + block(x))
        return x

    def _fed_forward(self, x: Tensor) -> Tensor:
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))


def attended(
    attention: Any, x: Tensor, to: Tensor, mask: Any, padding: Any, is_causal: bool
) -> Tensor:
    """Return the result of attention, without its weights."""
    options = {"attn_mask": mask, "key_padding_mask": padding, "is_causal": is_causal}
    return cast(Tensor, attention(x, to, to, need_weights=False, **options)[0])


class TransformerDecoder(Module):
    """Several copies of a decoder layer on top of each other."""

    norm: Module | None

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Module | None = None) -> None:
        """Make copies of a layer; `norm` is applied to the result of the last one."""
        super().__init__()
        self.layers = ModuleList([copy.deepcopy(decoder_layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """Apply all layers.

        Whether the target's mask is causal is detected, unless `tgt_is_causal` is given.
        """
        if tgt_is_causal is None:
            first = getattr(self.layers[0], "self_attn", None)
            axis = 1 if getattr(first, "batch_first", False) and tgt.dim() == 3 else 0
            tgt_is_causal = tgt_mask is not None and is_causal_mask(tgt_mask, tgt.shape[axis])
        output = tgt
        for layer in self.layers:
            output = layer(
                output,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
                tgt_is_causal=tgt_is_causal,
                memory_is_causal=memory_is_causal,
            )
        return output if self.norm is None else self.norm(output)


class Transformer(Module):
    """An encoder of a source sequence, and a decoder of a target that attends to its result."""

    encoder: Any
    decoder: Any

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[[Tensor], Tensor] = F.relu,
        custom_encoder: Any = None,
        custom_decoder: Any = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        **place: Unpack[Place],
    ) -> None:
        """Make both, or take `custom_encoder` and `custom_decoder`."""
        super().__init__()
        check_place("Transformer", place)
        each: Any = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps)
        how: Any = {"batch_first": batch_first, "norm_first": norm_first, "bias": bias, **place}

        def norm() -> LayerNorm:
            return LayerNorm(d_model, layer_norm_eps, bias=bias, **place)

        if custom_encoder is None:
            encoder_layer = TransformerEncoderLayer(*each, **how)
            custom_encoder = TransformerEncoder(encoder_layer, num_encoder_layers, norm())
        self.encoder = custom_encoder
        if custom_decoder is None:
            decoder_layer = TransformerDecoderLayer(*each, **how)
            custom_decoder = TransformerDecoder(decoder_layer, num_decoder_layers, norm())
        self.decoder = custom_decoder
        self._reset_parameters()
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """Encode `src`, and decode `tgt` with the result."""
        batch = 0 if self.batch_first else 1
        if src.dim() == 3 and src.size(batch) != tgt.size(batch):
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(
            src,
            mask=src_mask,
            src_key_padding_mask=src_key_padding_mask,
            is_causal=src_is_causal,
        )
        found = self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )
        return cast(Tensor, found)

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Tensor:
        """Return a mask that hides later steps: -inf above the diagonal, 0 elsewhere."""
        made: Any = full((sz, sz), -math.inf, dtype=dtype, device=device)
        return cast(Tensor, made.triu(1))

    def _reset_parameters(self) -> None:
        """Draw all matrices again."""
        for parameter in self.parameters():
            if parameter.dim() > 1:
                init.xavier_uniform_(parameter)
