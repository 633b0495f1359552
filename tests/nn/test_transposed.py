"""Random transposed convolutions and normalisations with odd sizes, and their errors."""

from __future__ import annotations

import contextlib
import random
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from tests.parity import caught, same
from tests.record import where_present


def drawn(number: int) -> dict[str, Any]:
    """Sizes and options that fit together, most of the time."""
    draw = random.Random(number)
    rank, groups = draw.choice([1, 2]), draw.choice([1, 1, 2])
    each = {
        name: tuple(draw.randint(*limits) for _ in range(rank))
        for name, limits in {"kernel": (1, 3), "sizes": (1, 4), "stride": (1, 3), "padding": (0, 1),
                             "dilation": (1, 3), "output_padding": (0, 2)}.items()
    }  # fmt: skip
    channels = groups * draw.choice([1, 2]), groups * draw.choice([1, 3])
    batch = draw.choice([(), (1,), (3,)])
    return {"rank": rank, "groups": groups, "channels": channels, "batch": batch, **each}


@pytest.mark.parametrize("number", range(40))
def test_transposed_convolution_at_random(torch: Any, number: int) -> None:
    given = drawn(number)
    kinds = ("stride", "padding", "output_padding", "dilation")

    def program(T: Any) -> Any:
        inward, outward = given["channels"]
        double = {"dtype": T.float64, "requires_grad": True}
        x = T.randn(*given["batch"], inward, *given["sizes"], **double)
        w = T.randn(inward, outward // given["groups"], *given["kernel"], **double)
        b = T.randn(outward, **double)
        convolve = getattr(T.nn.functional, f"conv_transpose{given['rank']}d")
        options = {kind: given[kind] for kind in kinds}
        try:
            y = convolve(x, w, b, groups=given["groups"], **options)
        except RuntimeError as error:
            return str(error)
        first = T.autograd.grad(y.pow(3).sum(), [x, w, b], create_graph=True)
        second = T.autograd.grad(sum(g.pow(2).sum() for g in first), [x, w, b])
        return y, [g.detach() for g in first], list(second)

    with without_onednn(torch):
        same(torch, program)


@where_present
@contextlib.contextmanager
def without_onednn(torch: Any) -> Iterator[None]:
    """Its refusals are its own."""
    torch._C._set_mkldnn_enabled(False)
    try:
        yield
    finally:
        torch._C._set_mkldnn_enabled(True)


MISTAKES = [
    ("F.conv_transpose2d(T.ones(2, 3, 4, 4), T.ones(4, 3, 2, 2))", "to have 4 channels, but got 3"),
    (
        "F.conv_transpose2d(T.ones(2, 3, 4, 4), T.ones(3, 4, 2, 2), T.ones(3))",
        "expected bias to be 1-dimensional with 4 elements, but got bias of size [3] instead",
    ),
    (
        "F.conv_transpose2d(T.ones(2, 3), T.ones(3, 4, 2))",
        "Expected 3D (unbatched) or 4D (batched)",
    ),
    (
        "F.conv_transpose1d(T.ones(2, 3, 4), T.ones(3, 4, 2), output_padding=2)",
        "output padding must be smaller than either stride or dilation, but got output_padding_hei",
    ),
    ("F.conv_transpose1d(T.ones(1, 3, 4), T.ones(3, 4, 2), padding=-1)", "negative padding is not"),
    (
        "F.conv_transpose1d(T.ones(1, 3, 4), T.ones(3, 4, 2), stride=0)",
        "non-positive stride is not",
    ),
    (
        "F.conv_transpose1d(T.ones(2, 3, 4), T.ones(3, 4, 2), groups=2)",
        "Given groups=2, expected weight to be divisible by 2 at dimension 0, but got weight of",
    ),
    (
        "F.conv_transpose1d(T.ones(2, 3, 4), T.ones(3, 4, 2).double())",
        "Input type (torch.FloatTensor) and weight type (torch.DoubleTensor) should be the same or",
    ),
    (
        "F.conv_transpose1d(T.ones(2, 3, 4).double(), T.ones(3, 4, 1).double(), padding=3)",
        "Given input size per channel: (1 x 4). Calculated output size per channel: (1 x -2). Out",
    ),
    (
        "F.conv_transpose2d(T.ones(1, 2, 4, 4), T.ones(2, 3, 0, 2))",
        "kernel size should be greater than zero, but got kernel_height: 0 kernel_width: 2",
    ),
    (
        "F.conv_transpose1d(T.ones(1, 2, 4), T.ones(2, 3, 0))",
        "kernel size should be greater than zero, but got kernel_height: 1 kernel_width: 0",
    ),
    (
        "F.conv_transpose1d(T.ones(1, 2, 4), T.ones(2, 0, 3))",
        "non-empty 2D or 4D weight tensor expected, but got: [2, 0, 1, 3]",
    ),
    (
        "nn.ConvTranspose2d(4, 6, 3, padding_mode='reflect')",
        'Only "zeros" padding mode is supp',
    ),
    ("nn.ConvTranspose2d(4, 6, 3, groups=3)", "in_channels must be divisible by groups"),
    (
        "nn.ConvTranspose2d(4, 6, 3, stride=2)(T.ones(1, 4, 5, 5), output_size=(13, 13))",
        "requested an output size of (13, 13), but valid sizes range from [11, 11] to [12, 12]",
    ),
    (
        "nn.ConvTranspose2d(4, 6, 3, stride=2)(T.ones(1, 4, 5, 5), output_size=(12,))",
        "ConvTranspose2D: for 4D input, output_size must have 2 or 4 elements (got 1)",
    ),
    ("F.group_norm(T.ones(2, 5, 3), 2)", "to be divisible by num_groups, but got input of shape"),
    (
        "F.group_norm(T.ones(5), 1)",
        "Expected at least 2 dimensions for input tensor but received 1",
    ),
    ("F.group_norm(T.ones(1, 4), 4)", "Expected more than 1 value per channel when training, got"),
    ("F.group_norm(T.ones(2, 4, 3), 2, T.ones(3))", "Expected weight to be a vector of size equal"),
    ("F.group_norm(T.ones(2, 4, 3).long(), 2)", '"GroupNormKernelImpl" not implemented for'),
    ("nn.GroupNorm(3, 4)", "num_channels (4) must be divisible by num_groups (3)"),
    ("F.instance_norm(T.ones(2, 4, 1))", "Expected more than 1 spatial element when training, got"),
    (
        "nn.InstanceNorm1d(4, affine=True)(T.ones(2, 3, 3))",
        "to match num_features (4), but got: 3.",
    ),
    ("nn.InstanceNorm2d(4)(T.ones(4, 3))", "expected 3D or 4D input (got 2D input)"),
    (
        "F.instance_norm(T.ones(2, 4, 3), use_input_stats=False)",
        "Expected running_mean and running",
    ),
    ("nn.Hardtanh(1, -1)", "max_val (-1) must be greater than min_val (1)"),
    ("F.hardtanh(T.ones(2), 1, -1)", "min_val cannot be greater than max_val"),
    ("F.hardtanh(T.ones(2) > 0)", "Bool inputs not supported for hardtanh"),
    (
        "T.baddbmm(T.ones(3), T.ones(2, 4, 3), T.ones(2, 4, 3))",
        "batch2 tensor to be: [2, 3] but got",
    ),
    (
        "T.baddbmm(T.ones(3).double(), T.ones(2, 3, 3), T.ones(2, 3, 3))",
        "Input dtypes must be the s",
    ),
    (
        "T.baddbmm(T.ones(5), T.ones(2, 3, 3), T.ones(2, 3, 3))",
        "The expanded size of the tensor (3)",
    ),
]


@pytest.mark.parametrize(("expression", "phrase"), MISTAKES)
def test_mistake(torch: Any, expression: str, phrase: str) -> None:
    def program(T: Any) -> Any:
        names = {"T": T, "nn": T.nn, "F": T.nn.functional}
        return caught(lambda: eval(expression, names), phrase)

    same(torch, program)


def test_a_result_of_a_given_size(torch: Any) -> None:
    def program(T: Any) -> Any:
        down, up = T.nn.Conv2d(1, 2, 3, stride=2), T.nn.ConvTranspose2d(2, 1, 3, stride=2)
        x = T.randn(1, 1, 12, 11)
        again = [up(down(x), output_size=size) for size in (x.size(), (12, 11), [11, 12])]
        return again, up(down(x)[0]), T.nn.functional.conv_transpose1d(T.ones(0, 2, 3), T.ones(
            2, 1, 2)).shape  # fmt: skip

    same(torch, program)


def test_normalising_nothing_and_with_other_channels(torch: Any) -> None:
    def program(T: Any) -> Any:
        with warnings.catch_warnings(record=True) as met:
            warnings.simplefilter("always")
            y = T.nn.InstanceNorm1d(4)(T.randn(2, 3, 3))
        nothing = T.nn.GroupNorm(2, 4)(T.zeros(0, 4, 3))
        integers = T.nn.functional.hardtanh(T.arange(-3, 3)), T.nn.functional.relu6(T.arange(9))
        return [str(each.message) for each in met], y, nothing.detach().shape, integers

    same(torch, program)
