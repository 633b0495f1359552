"""Attention and the encoder: the same draws, numbers, graphs and refusals."""

from __future__ import annotations

import contextlib
import importlib
import math
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from tests.parity import caught, same, weights_like
from tests.record import where_present


@where_present
@contextlib.contextmanager
def composed(torch: Any) -> Iterator[None]:
    """PyTorch without the kernel that computes attention in one step."""
    attention = importlib.import_module("torch.nn.attention")
    with attention.sdpa_kernel(attention.SDPBackend.MATH):
        yield


def masks(T: Any) -> dict[str, Any]:
    """Return masks of all kinds for 3 queries of 2 sequences, and 3 keys."""
    causal = T.ones(3, 3).triu(1).bool()
    padding = T.tensor([[False, False, True], [False, True, True]])
    return {
        "none": {},
        "causal": {"attn_mask": causal},
        "added": {"attn_mask": T.randn(3, 3)},
        "of each head": {"attn_mask": T.randn(4, 3, 3)},
        "padding": {"key_padding_mask": padding},
        "both": {"attn_mask": causal, "key_padding_mask": padding},
        "hinted": {"attn_mask": causal, "is_causal": True},
    }


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize(
    "mask", ["none", "causal", "added", "of each head", "padding", "both", "hinted"]
)
@pytest.mark.parametrize(
    "options", ["", "batch_first=True", "bias=False, dropout=0.3", "add_bias_kv=True"]
)
def test_self_attention(torch: Any, options: str, mask: str, need_weights: bool) -> None:
    def program(T: Any) -> Any:
        layer = eval(f"T.nn.MultiheadAttention(4, 2, {options})", {"T": T})
        print(layer)
        start = {name: value.clone() for name, value in layer.state_dict().items()}
        x = T.randn(*(2, 3, 4) if layer.batch_first else (3, 2, 4), requires_grad=True)
        seen = []
        for mode in (True, False):
            y, weights = layer.train(mode)(x, x, x, need_weights=need_weights, **masks(T)[mask])
            y.backward(weights_like(T, y, 0))
            seen.append([y, weights])
        return start, seen, x.grad, [p.grad for p in layer.parameters()]

    with composed(torch):
        same(torch, program)


def test_attention_to_something_else(torch: Any) -> None:
    def program(T: Any) -> Any:
        q, k, v = T.randn(2, 3, 4), T.randn(5, 3, 4), T.randn(5, 3, 4)
        layer = T.nn.MultiheadAttention(4, 2)
        apart = T.nn.MultiheadAttention(4, 2, kdim=3, vdim=5, add_zero_attn=True)
        print(list(apart.state_dict()), apart.in_proj_weight)
        of_sizes = T.randn(6, 3, 3), T.randn(6, 3, 5)
        return [
            layer(q, k, k),
            layer(q, k, v, average_attn_weights=False),
            layer(q[:, 0], k[:, 0], v[:, 0]),
            layer(q[:, 0], q[:, 0], q[:, 0], need_weights=False),
            layer(q[:, 0], k[:, 0], k[:, 0], key_padding_mask=T.tensor([False] * 4 + [True])),
            apart(q, *of_sizes),
            dict(apart.state_dict()),
            T.nn.MultiheadAttention(4, 2, batch_first=True)(q, q, k[:2]),
        ]

    with composed(torch):
        same(torch, program)


@pytest.mark.parametrize(
    "options",
    ["", "attn_mask=T.randn(3, 3)", "attn_mask=T.ones(3, 3).tril().bool()", "is_causal=True",
     "dropout_p=0.3", "scale=0.1"],
)  # fmt: skip
@pytest.mark.parametrize("shape", [(2, 2, 3, 4), (2, 3, 4), (3, 4)])
def test_scaled_dot_product_attention(torch: Any, shape: tuple[int, ...], options: str) -> None:
    def program(T: Any) -> Any:
        q, k, v = (T.randn(shape, requires_grad=True) for _ in range(3))
        call = f"T.nn.functional.scaled_dot_product_attention(q, k, v, {options})"
        y = eval(call, {"T": T, "q": q, "k": k, "v": v})
        y.backward(weights_like(T, y, 0))
        return y, q.grad, k.grad, v.grad

    with composed(torch):
        same(torch, program)


def test_attention_to_nothing_and_with_shared_heads(torch: Any) -> None:
    def program(T: Any) -> Any:
        attend = T.nn.functional.scaled_dot_product_attention
        # Drawn in double precision: of single precision the last bit depends on the processor.
        q = T.randn(1, 4, 3, 2, dtype=T.float64).float().requires_grad_()
        k = T.randn(1, 2, 3, 2, dtype=T.float64).float()
        y = attend(q, q, q, T.zeros(3, 3).bool())
        y.sum().backward()
        return y, q.grad, attend(q, k, k, enable_gqa=True).detach(), attend(q.double(), *[k.repeat(
            1, 2, 1, 1).double()] * 2).detach()  # fmt: skip

    with composed(torch):
        same(torch, program)


@pytest.mark.parametrize(
    "options",
    ["", "norm_first=True", "activation='gelu', batch_first=True", "bias=False",
     "activation=T.tanh, dtype=T.float64", "dropout=0.0, layer_norm_eps=0.1"],
)  # fmt: skip
def test_encoder_layer(torch: Any, options: str) -> None:
    def program(T: Any) -> Any:
        layer = eval(f"T.nn.TransformerEncoderLayer(4, 2, 6, {options})", {"T": T})
        print(layer, list(layer.state_dict()))
        x = T.randn(3, 2, 4, dtype=layer.linear1.weight.dtype, requires_grad=True)
        y = layer(x)
        y.backward(weights_like(T, y, 0))
        mask = T.full((x.shape[1 if layer.self_attn.batch_first else 0],) * 2, -math.inf).triu(1)
        quiet = layer.eval()(x, mask.to(x.dtype), is_causal=True)
        return y, quiet, x.grad, [p.grad for p in layer.parameters()]

    with composed(torch):
        same(torch, program)


def test_encoder(torch: Any) -> None:
    def program(T: Any) -> Any:
        nn = T.nn
        layer = nn.TransformerEncoderLayer(4, 2, 6, batch_first=True)
        encoder = nn.TransformerEncoder(layer, 2, norm=nn.LayerNorm(4))
        print(encoder)
        x = T.randn(2, 3, 4, requires_grad=True)
        padding = masks(T)["padding"]["key_padding_mask"]
        causal = T.full((3, 3), -math.inf).triu(1)
        seen = [encoder(x), encoder(x, mask=causal), encoder(x, src_key_padding_mask=padding)]
        seen[0].backward(weights_like(T, seen[0], 0))
        encoder.eval()
        seen += [encoder(x, causal), encoder(x, src_key_padding_mask=padding)]
        with T.no_grad():
            seen += [encoder(x), encoder(x, mask=causal)]
            seen += [encoder(x, src_key_padding_mask=~padding)]  # padding that is not at the end
        return seen, x.grad, [p.grad for p in encoder.parameters()]

    with composed(torch):
        same(torch, program)


def test_padding_is_zero_where_pytorch_omits(torch: Any) -> None:
    """In evaluation, without gradients."""

    def program(T: Any) -> Any:
        nn = T.nn
        layer = nn.TransformerEncoderLayer(4, 2, 6, batch_first=True)
        plain, normed = nn.TransformerEncoder(layer, 2), nn.TransformerEncoder(
            layer, 1, nn.LayerNorm(4)
        )  # fmt: skip
        padding = masks(T)["padding"]["key_padding_mask"]
        x = T.randn(2, 3, 4)
        with T.no_grad():
            return [m.eval()(x, src_key_padding_mask=padding) for m in (plain, normed)]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch's, on nested tensors
        same(torch, program)


MISTAKES = [
    ("nn.MultiheadAttention(4, 3)", "embed_dim must be divisible by num_heads"),
    (
        "nn.MultiheadAttention(0, 1)",
        "embed_dim and num_heads must be greater than 0, got embed_dim",
    ),
    ("mha(x, x[:1], x)", "key shape torch.Size([1, 3, 4]) does not match value shape"),
    ("mha(x[0, 0], x, x)", "query should be unbatched 2D or batched 3D tensor but received 1-D"),
    ("mha(x, x[0], x[0])", "For batched (3-D) `query`, expected `key` and `value` to be 3-D but"),
    ("mha(x, x, x, attn_mask=T.ones(3, 3))", "The shape of the 2D attn_mask is torch.Size([3, 3])"),
    ("mha(x, x, x, attn_mask=T.ones(2))", "expected `attn_mask` to be `None`, 2-D or 3-D but"),
    ("mha(x, x, x, attn_mask=T.ones(5, 2, 2))", "[5, 2, 2]), but should be (6, 2, 2)."),
    ("mha(x, x, x, attn_mask=T.ones(2, 2).long())", "only bool and floating types of attn_mask"),
    ("mha(x, x, x, T.ones(3, 3).bool())", "Expected key_padded_mask.shape[1] to be 2, but got 3"),
    ("mha(x, x, x, T.ones(3).bool())", "`key_padding_mask` to be `None` or 2-D but found 1-D"),
    ("mha(x, x, x, is_causal=True)", "Need attn_mask if specifying the is_causal hint."),
    ("mha(T.ones(2, 3, 5), x, x)", "was expecting embedding dimension of 4, but got 5"),
    ("mha(x[0], x[0], x[0], attn_mask=T.ones(5, 3, 3))", "Expected `attn_mask` shape to be (2, 3"),
    (
        "nn.TransformerEncoderLayer(4, 2, 6, activation='x')",
        "activation should be relu/gelu, not x",
    ),
    ("nn.TransformerEncoderLayer(4, 2, 6)(x, T.ones(2, 2).long())", "floating types of src_mask"),
    ("sdpa(x, x[..., :3], x)", "Expected size for first two dimensions of batch2 tensor to be"),
    (
        "sdpa(x, x, x, T.ones(3, 3), is_causal=True)",
        "Explicit attn_mask should not be set when is_",
    ),
    (
        "sdpa(x[0, 0], x, x)",
        "to all be  at least 2 dimensional, but got query.dim: 1 key.dim: 3 an",
    ),
    ("sdpa(x, x.double(), x)", "to have the same dtype, but got query.dtype: float key.dtype: dou"),
    ("sdpa(x, x, x, T.ones(3, 3).long())", "Expected attn_mask dtype to be bool or float or to"),
    ("sdpa(x, x, x, dropout_p=2.0)", "dropout probability has to be between 0 and 1, but got 2"),
    (
        "sdpa(1)",
        "scaled_dot_product_attention(): argument 'query' (position 1) must be Tensor, not",
    ),
    ("sdpa(x, x, x, T.ones(3, 2))", "The size of tensor a (3) must match the size of tensor b (2)"),
]


@pytest.mark.parametrize(("expression", "phrase"), MISTAKES)
def test_mistake(torch: Any, expression: str, phrase: str) -> None:
    def program(T: Any) -> Any:
        names = {
            "T": T,
            "nn": T.nn,
            "x": T.randn(2, 3, 4),
            "mha": T.nn.MultiheadAttention(4, 2),
            "sdpa": T.nn.functional.scaled_dot_product_attention,
        }
        return caught(lambda: eval(expression, names), phrase)

    same(torch, program)


@pytest.mark.parametrize(
    "layer",
    ["nn.Linear(2, 2)", "layer(4, 2, 8)", "layer(4, 2, 8, norm_first=True, batch_first=True)",
     "layer(4, 2, 8, bias=False, batch_first=True)", "layer(3, 1, 8, batch_first=True)",
     "layer(4, 2, 8, batch_first=True, activation=T.tanh)"],
)  # fmt: skip
def test_why_padding_is_computed(torch: Any, layer: str) -> None:
    def program(T: Any) -> Any:
        names = {"T": T, "nn": T.nn, "layer": T.nn.TransformerEncoderLayer}
        with warnings.catch_warnings(record=True) as met:
            warnings.simplefilter("always")
            T.nn.TransformerEncoder(eval(layer, names), 1)
        return [str(each.message) for each in met]

    same(torch, program)
