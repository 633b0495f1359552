"""Images in three dimensions, resized as by PyTorch; the tables have those in one and two."""

from __future__ import annotations

from typing import Any

import pytest

import minigrad
from tests.parity import same

WAYS = {
    "nearest": {"scale_factor": 2},
    "nearest, smaller": {"size": (1, 2, 2)},
    "trilinear": {"size": (3, 2, 4), "mode": "trilinear"},
    "trilinear, corners": {"size": (3, 2, 4), "mode": "trilinear", "align_corners": True},
}


@pytest.mark.parametrize("way", WAYS)
def test_images_in_three_dimensions(torch: Any, way: str) -> None:
    def program(T: Any) -> Any:
        x = T.arange(24.0).reshape(1, 2, 2, 2, 3).requires_grad_()
        out = T.nn.functional.interpolate(x, **WAYS[way])
        (out * out).sum().backward()
        return out.detach(), x.grad, out.grad_fn.name()

    same(torch, program)


@pytest.mark.parametrize("way", WAYS)
def test_derivatives_in_three_dimensions(way: str) -> None:
    x = minigrad.arange(12.0, dtype=minigrad.float64).reshape(1, 1, 2, 2, 3).requires_grad_()
    assert minigrad.autograd.gradgradcheck(
        lambda x: minigrad.nn.functional.interpolate(x, **WAYS[way]), x
    )
