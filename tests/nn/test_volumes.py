"""Layers for volumes, and pooling layers of every rank: printed form, state, result, gradient."""

from __future__ import annotations

from typing import Any

import pytest

from tests.parity import same

LAYERS = """
Conv3d(2, 4, (1, 2, 2), stride=2, padding=1, groups=2) | 1, 2, 3, 4, 3
Conv3d(2, 2, 3, padding="same", padding_mode="replicate") | 2, 3, 3, 4
ConvTranspose3d(2, 2, 2, stride=2, output_padding=1, bias=False) | 1, 2, 2, 1, 2
LazyConv3d(2, 2) | 1, 2, 3, 2, 3
LazyConvTranspose3d(2, 2) | 1, 3, 2, 2, 1
BatchNorm3d(2) | 2, 2, 1, 2, 3
LazyBatchNorm3d() | 2, 3, 2, 2, 1
InstanceNorm3d(2, affine=True) | 2, 2, 3, 2
LazyInstanceNorm3d() | 1, 2, 3, 2, 1
MaxPool3d(2, ceil_mode=True) | 1, 2, 3, 3, 2
AvgPool1d(3, 2, 1) | 2, 5
AvgPool3d(2, divisor_override=3) | 1, 2, 3, 3, 2
AdaptiveAvgPool1d(2) | 1, 2, 5
AdaptiveAvgPool3d((None, 2, 1)) | 1, 2, 3, 3, 2
AdaptiveMaxPool1d(2) | 2, 5
AdaptiveMaxPool2d((2, None)) | 1, 2, 3, 3
AdaptiveMaxPool3d(2) | 1, 2, 3, 3, 2
"""


@pytest.mark.parametrize("line", LAYERS.strip().split("\n"))
def test_layer_equals_pytorch(torch: Any, line: str) -> None:
    made, _, sizes = line.partition(" | ")

    def program(T: Any) -> Any:
        T.manual_seed(0)
        layer = eval(f"T.nn.{made}", {"T": T})
        x = T.rand(*map(int, sizes.split(", ")), requires_grad=True)
        before = str(layer)
        result = layer(x)
        result.pow(3).sum().backward()
        slopes = [p.grad for p in layer.parameters()]
        return before, str(layer), sorted(layer.state_dict()), result, x.grad, slopes

    same(torch, program)


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_unpooling_undoes_pooling(torch: Any, rank: int) -> None:
    def program(T: Any) -> Any:
        T.manual_seed(0)
        pool = getattr(T.nn, f"MaxPool{rank}d")(2, return_indices=True)
        unpool = getattr(T.nn, f"MaxUnpool{rank}d")(2)
        x = T.rand(1, 2, *[5, 4, 3][:rank], requires_grad=True)
        largest, where = pool(x)
        back = unpool(largest, where, output_size=x.size())
        back.square().sum().backward()
        return str(unpool), back, x.grad

    same(torch, program)


def test_impossible_sizes_are_refused(torch: Any) -> None:
    def program(T: Any) -> Any:
        said = []
        for size in ((9, 9), (1, 2, 3, 4, 5)):
            try:
                where = T.tensor([[[[5, 7], [13, 15]]]])
                T.nn.MaxUnpool2d(2)(T.ones(1, 1, 2, 2), where, output_size=size)
            except ValueError as error:
                said.append(str(error))
        return said

    same(torch, program)
