"""Images in three dimensions, and rarer modes of `interpolate`; the tables have the others."""

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


FLAT = {
    "nearest-exact": {"scale_factor": 1.5, "mode": "nearest-exact"},
    "bicubic": {"size": 6, "mode": "bicubic"},
    "bicubic, corners": {"size": (2, 7), "mode": "bicubic", "align_corners": True},
    "bilinear, smoothed": {"size": (2, 3), "mode": "bilinear", "antialias": True},
    "bicubic, smoothed": {"scale_factor": 0.6, "mode": "bicubic", "antialias": True},
}
REFUSED = {
    "antialias": {"size": 2, "antialias": True},
    "no such mode": {"size": 2, "mode": "cubic"},
    "too large": {"scale_factor": 1e20},
    "a size that is no integer": {"size": [1.5, 2]},
}


@pytest.mark.parametrize("way", [*FLAT, *REFUSED])
def test_images_in_two_dimensions(torch: Any, way: str) -> None:
    def program(T: Any) -> Any:
        x = T.arange(60.0).reshape(1, 3, 4, 5).sin().requires_grad_()
        try:
            out = T.nn.functional.interpolate(x, **{**FLAT, **REFUSED}[way])
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        (out * out).sum().backward()
        return out.detach(), x.grad, out.grad_fn.name()

    same(torch, program)


@pytest.mark.parametrize("way", FLAT)
def test_derivatives_in_two_dimensions(way: str) -> None:
    x = minigrad.arange(12.0, dtype=minigrad.float64).reshape(1, 1, 3, 4).requires_grad_()
    assert minigrad.autograd.gradgradcheck(
        lambda x: minigrad.nn.functional.interpolate(x, **FLAT[way]), x
    )


def test_bytes_are_rounded(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.arange(0, 240, 20, dtype=T.uint8).reshape(1, 1, 3, 4)
        return T.nn.functional.interpolate(x, (6, 8), mode="bilinear")

    same(torch, program)


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
