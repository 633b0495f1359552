"""Memory formats: strides, which tensors and operations keep them, and errors."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.parity import same


def images(T: Any) -> Any:
    return T.arange(48.0).reshape(2, 3, 2, 4).requires_grad_()


def last(T: Any) -> Any:
    return images(T).contiguous(memory_format=T.channels_last)


def in_space(T: Any) -> Any:
    return T.ones(2, 2, 3, 4, 5).contiguous(memory_format=T.channels_last_3d)


def kept(T: Any, changed: Callable[[Any], Any]) -> Any:
    out = changed(last(T))
    return out.stride(), out.is_contiguous(memory_format=T.channels_last), out.is_contiguous()


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "contiguous": lambda T: (last(T).stride(), last(T).grad_fn.name(), last(T).detach()),
    "contiguous, itself": lambda T: (x := last(T)).contiguous(memory_format=T.channels_last) is x,
    "back": lambda T: kept(T, lambda x: x.contiguous()),
    "three dimensions": lambda T: (
        T.ones(2, 3, 2, 2, 2).contiguous(memory_format=T.channels_last_3d).stride()
    ),
    "clone": lambda T: kept(T, lambda x: x.clone()),
    "clone, back": lambda T: kept(T, lambda x: x.clone(memory_format=T.contiguous_format)),
    "to": lambda T: images(T).to(T.float64, memory_format=T.channels_last).stride(),
    "to, its node": lambda T: images(T).to(T.float64, memory_format=T.channels_last).grad_fn.name(),
    "double": lambda T: images(T).double(memory_format=T.channels_last).stride(),
    "type": lambda T: images(T).type(T.float64, memory_format=T.channels_last).stride(),
    "empty": lambda T: T.empty(2, 3, 4, 5, memory_format=T.channels_last).stride(),
    "zeros_like": lambda T: T.zeros_like(images(T), memory_format=T.channels_last).stride(),
    "randn_like": lambda T: T.randn_like(images(T).detach(), memory_format=T.channels_last),
    "rand_like": lambda T: T.rand_like(last(T).detach(), memory_format=T.preserve_format),
    "elementwise": lambda T: kept(T, lambda x: x.exp() + 1),
    "interpolate": lambda T: kept(T, lambda x: T.nn.functional.interpolate(x, scale_factor=2)),
    "pad": lambda T: kept(T, lambda x: T.nn.functional.pad(x, (1, 2))),
    "pad, its gradient": lambda T: kept(
        T, lambda x: T.autograd.grad(T.nn.functional.pad(x, (1, 2)).square().sum(), x)[0]
    ),
    "group_norm": lambda T: kept(T, lambda x: T.nn.functional.group_norm(x, 3)),
    "group_norm, its graph": lambda T: [
        T.nn.functional.group_norm(x, 3).grad_fn.next_functions[0][0].name()
        for x in (last(T), last(T).transpose(0, 1).transpose(0, 1)[..., ::2])
    ],
    "group_norm, in space": lambda T: (
        T.nn.functional.group_norm(in_space(T), 1).stride(),
        T.nn.BatchNorm3d(2)(in_space(T)).stride(),
    ),
    "batch_norm": lambda T: kept(T, T.nn.BatchNorm2d(3)),
    "batch_norm, gaps": lambda T: T.nn.BatchNorm2d(3).eval()(last(T)[..., ::2]).stride(),
    "batch_norm, other order": lambda T: (
        T.nn.BatchNorm2d(2).eval()(T.ones(1, 3, 2, 1).permute(0, 2, 1, 3)).stride(),
        T.nn.BatchNorm2d(4)(T.ones(2, 4, 3, 5).transpose(2, 3)).stride(),
    ),
    "cat": lambda T: kept(T, lambda x: T.cat((x, x * 2), 1)),
    "cat, parts": lambda T: kept(T, lambda x: T.cat((x[:, :, :2], x[:, :, 1:]), -2)),
    "cat, two formats": lambda T: (
        T.cat((last(T), images(T))).stride(),
        T.cat((images(T), last(T))).stride(),
        T.cat((T.ones(0), last(T))).stride(),
    ),
    "cat, in space": lambda T: T.cat((in_space(T), in_space(T))).stride(),
    "cat, ambiguous": lambda T: [
        T.cat((x, x), dim).stride()
        for dim in (0, 1)
        for x in (T.ones(2, 3, 1, 1), T.ones(2, 1, 3, 3), T.ones(2, 1, 3, 3).transpose(0, 1))
    ],
    "stack": lambda T: [
        T.stack([x, x], dim).stride()
        for dim in range(-1, 4)
        for x in (last(T), T.ones(2, 3, 4).transpose(1, 2))
        if dim <= x.dim()
    ],
    "a layer": lambda T: T.nn.Conv2d(2, 3, 2).to(memory_format=T.channels_last).weight.stride(),
    "text": lambda T: [T.contiguous_format, T.preserve_format, T.channels_last, T.channels_last_3d],
    "copies": lambda T: copy.deepcopy(T.channels_last) is T.channels_last,
    "a class": lambda T: T.memory_format(),
    "contiguous, rank": lambda T: T.ones(2).contiguous(memory_format=T.channels_last),
    "is_contiguous, rank": lambda T: T.ones(2).is_contiguous(memory_format=T.channels_last),
    "clone, rank": lambda T: T.ones(2).clone(memory_format=T.channels_last),
    "to, rank": lambda T: T.ones(2).to(memory_format=T.channels_last),
    "empty, rank": lambda T: T.empty(2, memory_format=T.channels_last),
    "empty, preserve": lambda T: T.empty(2, memory_format=T.preserve_format),
    "a number": lambda T: T.ones(2).contiguous(memory_format=3),
    "a number for clone": lambda T: T.ones(2).clone(memory_format=3),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_memory_formats(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        try:
            return repr(PROGRAMS[name](T))
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    same(torch, program)
