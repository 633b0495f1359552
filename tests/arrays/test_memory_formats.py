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
