"""Padding with a tensor's own elements: what it refuses, its layers, and convolutions that pad so;
and the arguments of pooling that few programs give."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.parity import caught, same

MODES = ("reflect", "replicate", "circular")
SHAPES = [(), (4,), (2, 3), (2, 0), (0, 3), (3, 4, 5), (0, 4, 5), (2, 0, 4), (2, 3, 4, 5)]
SHAPES += [(0, 3, 4, 5), (2, 3, 0, 5), (1, 2, 3, 4, 5), (1, 1, 1, 1, 1, 1)]


def padded(T: Any, shape: Any, pad: Any, mode: str, dtype: str) -> Any:
    count = 1
    for n in shape:
        count *= n
    x = T.arange(count).reshape(shape).to(getattr(T, dtype))
    try:
        y = T.nn.functional.pad(x, pad, mode=mode)
    except Exception as error:
        return type(error).__name__, str(error)
    return tuple(y.shape), y.is_contiguous(), y.tolist()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("number", range(40))
def test_padding_at_random_sizes(torch: Any, mode: str, number: int) -> None:
    draw = random.Random(number)
    shape = draw.choice(SHAPES)
    count = draw.choice([max(len(shape) - 1, 1), max(len(shape) - 2, 1), draw.randrange(5)])
    pad = [draw.choice([0, 1, 1, 2, 3, 5, -1, -2, -4]) for _ in range(2 * count)]
    if mode == "circular":  # where a rim is cut off, PyTorch may copy from what is not written yet
        pad = [abs(n) for n in pad]
    pad = pad[:-1] if draw.random() < 0.05 else pad
    dtype = draw.choice(["float32", "float64", "int64", "bool"])
    same(torch, lambda T: padded(T, shape, pad, mode, dtype))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("pad", [(-4, 0), (-5, 0), (-4, 0, -3, 0), (-5, 0, -4, 0)], ids=str)
@pytest.mark.parametrize("shape", [(3, 4), (3, 3, 4), (1, 2, 3, 3, 4)], ids=str)
def test_negative_padding_may_leave_nothing(torch: Any, mode: str, pad: Any, shape: Any) -> None:
    wider = pad if len(shape) < 5 else (*pad, 0, 0, -3, 0)[:6]
    same(torch, lambda T: padded(T, shape, wider, mode, "float32"))


@pytest.mark.parametrize("mode", [*MODES, "other"])
@pytest.mark.parametrize("value", [2.0, 0, None])
def test_a_value_is_for_constant_padding_alone(torch: Any, mode: str, value: Any) -> None:
    def program(T: Any) -> Any:
        try:
            return T.nn.functional.pad(T.ones(2, 3), (1, 1), mode, value).tolist()
        except Exception as error:
            return type(error).__name__, str(error)

    same(torch, program)


@pytest.mark.parametrize("mode", MODES[:2])
def test_node_of_padding_shows_saves(torch: Any, mode: str) -> None:
    def program(T: Any) -> Any:
        x = T.ones(1, 2, 3, 4, requires_grad=True)
        y = T.nn.functional.pad(x, (1, 2, -1, 1), mode=mode)
        (g,) = T.autograd.grad(y.sum(), x, T.ones((), requires_grad=True), create_graph=True)
        nodes = y.grad_fn, g.grad_fn
        shown = [(node.name(), node._saved_padding) for node in nodes]
        return shown, nodes[0]._saved_self is x, [f.name() for f, _ in nodes[1].next_functions]

    same(torch, program)


LAYERS = [
    "ReflectionPad1d(1)", "ReflectionPad1d((2, 0))", "ReplicationPad1d(padding=2)",
    "CircularPad1d([1, 2])", "ConstantPad1d(1, 2.5)", "ConstantPad1d((0, 1), value=3)",
    "ZeroPad1d(2)", "ReflectionPad2d(1)", "ReplicationPad2d((1, 0, 2, 1))", "CircularPad2d(2)",
    "ConstantPad2d(1, -1.0)", "ZeroPad2d((1, 2, 0, -1))",
    "ReflectionPad3d(1)", "ReplicationPad3d((1, 0, 2, 1, 0, 1))",
    "CircularPad3d((1, 0, 1, 1, 0, 1))", "ConstantPad3d(1, 2.5)", "ZeroPad3d((1, 2, 0, -1, 1, 0))",
]  # fmt: skip


@pytest.mark.parametrize("layer", LAYERS)
def test_layers_that_pad(torch: Any, layer: str) -> None:
    def program(T: Any) -> Any:
        module = eval(f"T.nn.{layer}", {"T": T})
        found = [repr(module), module.padding, getattr(module, "value", None)]
        for shape in ((3,), (3, 4), (2, 3, 4), (1, 2, 3, 4), (1, 1, 2, 3, 4), (2, 2, 3, 2)):
            x = T.arange(24.0)[: T.ones(shape).numel()].reshape(shape).requires_grad_()
            try:
                y = module(x)
            except Exception as error:
                found.append((type(error).__name__, str(error)))
                continue
            found.append((y.tolist(), T.autograd.grad((y * y).sum(), x)[0].tolist()))
        return found

    same(torch, program)


def test_layers_of_zeros_are_constant_ones(torch: Any) -> None:
    def program(T: Any) -> Any:
        nn = T.nn
        return (
            isinstance(nn.ZeroPad1d(1), nn.ConstantPad1d),
            isinstance(nn.ZeroPad3d(1), nn.ConstantPad3d),
            nn.ZeroPad2d(1).value,
        )

    same(torch, program)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rank", [1, 2])
@pytest.mark.parametrize("padding", [0, 1, "same", "valid", 9], ids=str)
def test_convolutions_that_pad_with_the_images(
    torch: Any, mode: str, rank: int, padding: Any
) -> None:
    def program(T: Any) -> Any:
        T.manual_seed(0)
        options = {"padding": padding, "padding_mode": mode, "dilation": 2 if rank == 1 else (1, 2)}
        kernel = 2 if rank == 1 else (2, 3)
        layer = getattr(T.nn, f"Conv{rank}d")(2, 3, kernel, bias=rank == 1, **options).double()
        with T.no_grad():  # the last bit of what the layer draws depends on the processor
            for each in layer.parameters():
                each.copy_((T.arange(each.numel()) % 7 - 3).view(each.shape) / 8)
        found: list[Any] = [repr(layer)]
        for lead in ((2,), (1, 2), ()):
            x = T.ones(*lead, *(4, 5)[:rank], dtype=T.float64).cumsum(-1).requires_grad_()
            try:
                y = layer(x)
            except Exception as error:
                found.append((type(error).__name__, str(error)))
                continue
            gradients = T.autograd.grad((y * y).sum(), [x, layer.weight])
            found += [y, y.grad_fn.name(), *gradients]
        return found

    same(torch, program)


@pytest.mark.parametrize("kind", ["Conv1d", "Conv2d", "ConvTranspose1d", "ConvTranspose2d"])
@pytest.mark.parametrize("mode", ["other", None, "constant"], ids=str)
def test_an_unknown_padding_mode(torch: Any, kind: str, mode: Any) -> None:
    # (PyTorch lists the modes in the order of a set, another one in each run.)
    phrases = ("padding_mode must be one of", f"but got padding_mode='{mode}'")
    if "Transpose" in kind:
        phrases = (f'Only "zeros" padding mode is supported for {kind}',) * 2
    same(
        torch,
        lambda T: caught(lambda: getattr(T.nn, kind)(2, 3, 2, padding_mode=mode), *phrases),
    )


POOLS = {
    "avg_pool2d": [
        "im, 2, divisor_override=3", "im, 2, divisor_override=0", "im, 2, divisor_override=-2",
        "im, 2, None, 0, False, True, 3", "im, 2, divisor_override=2.5",
        "im, 2, divisor_override=True", "im, 2, divisor_override=None",
        "im.long(), 2, divisor_override=3", "im.long(), 2", "im.long(), 2, 1, 1",
        "im.long() - 9, 2, 1, 1, True, False", "im, 2, 1, 1, False, False, 3",
        "im.long() - 9, 3, 2, 1, True, divisor_override=-2",
    ],
    "max_pool2d": [
        "im, 2, return_indices=True", "im, 2, None, 0, 1, False, True", "im, 2, return_indices=1",
        "im, 2, return_indices=None", "im[0], 2, 1, 1, return_indices=True",
        "im, 2, ceil_mode=True, return_indices=True", "im > 3, 2, return_indices=True",
    ],
    "max_pool1d": [
        "x, 2, return_indices=True", "x, 2, None, 0, 1, False, True", "x, 2, return_indices=0",
        "x, 3, 1, 1, return_indices=True", "x[0], 2, return_indices=True",
        "x.long(), 2, return_indices=True", "x > 3, 2, return_indices=True",
        "x, 2, stride=[], return_indices=True", "x, (2, 2), return_indices=True",
        "x, 2, (1, 1), return_indices=True", "x, 2, 1, (1, 1), return_indices=True",
        "x, 2, 0, return_indices=True", "x, 2, 1, 4, return_indices=True",
        "x, 9, return_indices=True", "T.ones(3), 2, return_indices=True",
        "T.ones(0, 3, 4), 2, return_indices=True", "T.ones(2, 0, 4), 2, return_indices=True",
        "x, 2, dilation=0, return_indices=True", "x, -1, return_indices=True",
        "x, 2, -1, return_indices=True", "x, 2, 1, -1, return_indices=True",
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "arguments"), [(name, each) for name, calls in POOLS.items() for each in calls]
)
def test_arguments_of_pooling(torch: Any, name: str, arguments: str) -> None:
    def program(T: Any) -> Any:
        given = {
            "T": T,
            "x": T.arange(12.0).reshape(1, 3, 4),
            "im": T.arange(20.0).reshape(1, 1, 4, 5),
        }
        try:
            found = eval(f"T.nn.functional.{name}({arguments})", given)
        except Exception as error:
            return type(error).__name__, str(error)
        several = found if isinstance(found, tuple) else (found,)
        return type(found).__name__, [(t.dtype, t.tolist()) for t in several]

    same(torch, program)


@pytest.mark.parametrize("rank", [1, 2])
def test_saved_positions_equal_pooling_indices(torch: Any, rank: int) -> None:
    def program(T: Any) -> Any:
        x = T.arange(12.0).reshape(1, 1, 3, 4)[0, 0:1, : 3 if rank == 2 else 1].requires_grad_()
        x = x if rank == 2 else x[0]
        layer = getattr(T.nn, f"MaxPool{rank}d")(2, return_indices=True)
        value, places = layer(x)
        node = value.grad_fn if rank == 2 else value.grad_fn.next_functions[0][0]
        saved = node._saved_result1.tolist(), places.tolist(), places.requires_grad
        places.add_(1)
        message = caught(lambda: value.sum().backward(), "modified by an inplace operation")
        return repr(layer), saved, message

    same(torch, program)


def test_layers_with_their_other_arguments(torch: Any) -> None:
    def program(T: Any) -> Any:
        nn, x = T.nn, T.arange(20.0).reshape(1, 1, 4, 5)
        layers = [nn.AvgPool2d(2, 2, 0, False, True, 3), nn.AvgPool2d(2, divisor_override=5)]
        pool = nn.MaxPool1d(2, None, 0, 1, True, True)
        softmin = nn.Softmin(dim=1)
        shown = [repr(each) for each in (*layers, pool, softmin, nn.Softmin())]
        values = [layer(x).tolist() for layer in layers]
        return shown, values, [t.tolist() for t in pool(x[0])], softmin(x).tolist()

    same(torch, program)
