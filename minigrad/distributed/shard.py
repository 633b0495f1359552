"""What a worker computes: the loss of one shard, and its gradient as a flat array.

Two things would make the result depend on where it is computed. Random draws, such as those of
dropout: so each shard has a seed of its own, made of the client's, the step and the shard's number.
And buffers that a forward pass changes, such as the running means of batch normalization: they come
from the samples of one shard, so no order of shards gives what one process would have; they are
refused.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

Gradients = list[Any]
"""For each parameter its gradient as an array, or None where the loss does not depend on it."""

Flat = list[Any]
"""Numbers of all parameters one behind the other, an array for each element type."""


def gradients(
    model: Any, loss: Callable[..., Any], shard: Sequence[Any], *arguments: Any
) -> tuple[float, Gradients]:
    """The loss of one shard and its gradient for each parameter.

    The gradients are NumPy arrays, from whatever device they are on. `.grad` is overwritten.

    >>> import minigrad as mg
    >>> gradients(mg.nn.Linear(2, 1), lambda model, x: model(x).sum(), (mg.ones(3, 2),))[1]
    [array([[3., 3.]], dtype=float32), array([3.], dtype=float32)]
    """
    for parameter in model.parameters():
        parameter.grad = None
    value = loss(model, *shard, *arguments)
    value.backward()
    arrived = [parameter.grad for parameter in model.parameters()]
    return value.item(), [None if g is None else as_array(g) for g in arrived]


class Result(NamedTuple):
    """Of one shard: its loss, which parameters the loss depends on, and the gradient."""

    value: float
    used: list[bool]
    flat: Flat


def compute(
    model: Any, loss: Callable[..., Any], shard: Sequence[Any], arguments: Sequence[Any], seed: int
) -> Result:
    """The result of one shard, the same wherever it is computed. RuntimeError if a buffer changed.

    >>> import minigrad as mg
    >>> compute(mg.nn.Linear(2, 1), lambda m, x: m(x).sum(), (mg.ones(3, 2),), (), seed=0).flat
    [array([3., 3., 3.], dtype=float32)]
    """
    library = library_of(model)
    library.manual_seed(seed)
    before = {name: as_array(buffer).copy() for name, buffer in model.named_buffers()}
    try:
        value, found = gradients(model, loss, shard, *arguments)
    finally:
        changed = [
            (name, buffer)
            for name, buffer in model.named_buffers()
            if name in before and as_array(buffer).tobytes() != before[name].tobytes()
        ]
        for name, buffer in changed:
            buffer.copy_(library.from_numpy(before[name]))
    if changed:
        names = ", ".join(name for name, _ in changed)
        raise RuntimeError(
            f"the forward pass changed {names}: from the samples of one shard, so the training "
            "would depend on how the data are split. Use a normalization of each sample, such as "
            "LayerNorm or GroupNorm, or put that module into eval()"
        )
    return Result(value, [g is not None for g in found], flattened(model, found))


def seed_of(seed: int, step: int, shard: int) -> int:
    """The seed of one shard in one step, of which no two are alike in practice.

    >>> seed_of(0, 0, 0) == seed_of(0, 0, 0), seed_of(0, 0, 0) == seed_of(0, 0, 1)
    (True, False)
    """
    return int(np.random.SeedSequence([seed % 2**64, step, shard]).generate_state(1)[0])


def library_of(model: Any) -> Any:
    """The package that a model's parameters come from: `minigrad` or `torch`."""
    for kind in type(next(iter(model.parameters()))).__mro__:
        name = kind.__module__.partition(".")[0]
        if name in ("minigrad", "torch"):
            return sys.modules[name]
    raise TypeError("the model's parameters are neither minigrad's nor PyTorch's")


def as_array(tensor: Any) -> Any:
    """The numbers of a tensor in NumPy, from whatever device they are on."""
    return tensor.detach().cpu().numpy()


def flattened(model: Any, arrays: Gradients) -> Flat:
    """The arrays one behind the other, zeros for None; types in the order in which they appear."""
    kinds: dict[Any, list[Any]] = {}
    for parameter, array in zip(model.parameters(), arrays, strict=True):
        if array is None:
            array = np.zeros_like(as_array(parameter))
        kinds.setdefault(array.dtype, []).append(array.ravel())
    return [np.concatenate(each) for each in kinds.values()]


def give_back(model: Any, flat: Flat, used: Sequence[bool]) -> None:
    """Lay the parts of a flat gradient into the `.grad` of the parameters that they belong to."""
    library = library_of(model)
    left = {array.dtype: array for array in flat}
    for parameter, has_gradient in zip(model.parameters(), used, strict=True):
        dtype = np.dtype(str(parameter.dtype).rpartition(".")[2])
        own, left[dtype] = np.split(left[dtype], [parameter.numel()])
        gradient = library.from_numpy(own.reshape(tuple(parameter.shape)))
        parameter.grad = gradient.to(parameter.device) if has_gradient else None
