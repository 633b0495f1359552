"""The Transformer's decoder, and spectral normalization by hooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.parity import same


def transformer(T: Any, **options: Any) -> Any:
    return T.nn.Transformer(8, 2, 1, 2, 16, dropout=0.0, **options)


def trained(T: Any, **options: Any) -> Any:
    net = transformer(T, **options)
    steps = 3 if options.get("batch_first") else 5
    mask = net.generate_square_subsequent_mask(steps)
    out = net(T.randn(5, 3, 8), T.randn(5, 3, 8), tgt_mask=mask)
    out.pow(2).mean().backward()
    grads = [net.encoder.layers[0].linear1.weight.grad, net.decoder.layers[1].linear2.weight.grad]
    return out.detach(), grads, repr(net)


def normalized(T: Any, make: Callable[[Any], Any], *shape: int, **options: Any) -> Any:
    layer, x = T.nn.utils.spectral_norm(make(T), **options), T.randn(*shape)
    (layer(x).sum() + layer(x).pow(2).sum()).backward()
    grad, state = layer.weight_orig.grad, layer.state_dict()
    layer.eval()
    out = layer(x).detach()
    T.nn.utils.remove_spectral_norm(layer)
    return out, grad, list(state.items()), repr(state._metadata), list(layer.state_dict())


def twice(T: Any) -> Any:
    return T.nn.utils.spectral_norm(T.nn.utils.spectral_norm(T.nn.Linear(2, 2)))


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "transformer": trained,
    "batch first": lambda T: trained(T, batch_first=True),
    "norm first, gelu": lambda T: trained(T, norm_first=True, activation="gelu"),
    "other batches": lambda T: transformer(T)(T.ones(2, 3, 8), T.ones(2, 2, 8)),
    "other features": lambda T: transformer(T)(T.ones(2, 3, 8), T.ones(2, 3, 7)),
    "dropout": lambda T: T.nn.TransformerDecoderLayer(8, 2, 16, dropout=0.5)(
        T.ones(4, 1, 8), T.ones(3, 1, 8)
    ),
    "an unknown activation": lambda T: T.nn.TransformerDecoderLayer(8, 2, activation="silu"),
    "linear": lambda T: normalized(T, lambda T: T.nn.Linear(3, 2), 4, 3),
    "convolution": lambda T: normalized(
        T, lambda T: T.nn.Conv2d(2, 3, 2), 1, 2, 4, 4, n_power_iterations=3
    ),
    "transposed": lambda T: normalized(T, lambda T: T.nn.ConvTranspose2d(2, 3, 2), 1, 2, 4, 4),
    "twice": twice,
    "no iterations": lambda T: T.nn.utils.spectral_norm(T.nn.Linear(2, 2), n_power_iterations=0),
    "no parameter": lambda T: T.nn.utils.spectral_norm(T.nn.Linear(2, 2, bias=False), "bias"),
    "not there": lambda T: T.nn.utils.remove_spectral_norm(T.nn.Linear(2, 2)),
    "clip by a norm": lambda T: clipped(T),
}


def clipped(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    (x * 3).sum().backward()
    T.nn.utils.clip_grads_with_norm_([x], 1.0, T.nn.utils.get_total_norm([x.grad]))
    return x.grad


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_equal_pytorch(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        try:
            return PROGRAMS[name](T)
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    same(torch, program)
