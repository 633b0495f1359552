"""The tasks of a step, which Dask runs on its workers.

A task is a pure function: its result depends on its arguments only. So Dask may compute it on any
worker, and again after a worker has died, with the same result to the bit. Two things would break
this, and `gradient` deals with them:

- random draws, such as dropout: each shard gets its own seed in each step (`seed_of`);
- buffers that a forward pass changes, such as the running means of batch normalization. They would
  depend on how the samples are split, so they are refused.
"""

from __future__ import annotations

import copy
import functools
import pickle
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..tensors.tensor import Tensor

Arrays = Sequence[Any]
"""A NumPy array for each parameter; None for a gradient on which no loss depends."""


Loss = Callable[..., Any]

Seed = tuple[int, int]
"""The seed of a team and the number of a step."""


class Replica:
    """A worker's copy of model and optimizer. Each task sets their state before it uses them."""

    def __init__(self, packed: bytes) -> None:
        self.packed = packed
        self.model, self.optimizer = pickle.loads(packed)
        self.lock = threading.Lock()  # a worker may have several threads
        self.parameters: Arrays | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Replica, (self.packed,)

    def set_parameters(self, arrays: Arrays) -> None:
        """Copy `arrays` into the model's parameters, unless they are this very object already."""
        if arrays is not self.parameters:
            assign(self.model, arrays)
            self.parameters = arrays


class Gradient(NamedTuple):
    """The losses of some shards and the sum of their gradients."""

    losses: list[float]
    arrays: Arrays


class Stepped(NamedTuple):
    """The state after a step: parameters, the optimizer's state, and the losses before it."""

    parameters: Arrays
    optimizer: dict[str, Any]
    losses: list[float]


def load(packed: bytes, shard: int, shards: int) -> Sequence[Any]:
    """Load one shard.

    A thread unpickles the function, since its imports may take long. The thread in which Dask
    unpickles tasks sends the heartbeats, too.
    """
    return pickle.loads(packed)(shard, shards)  # type: ignore[no-any-return]


def gradient(
    loss: Loss, seed: Seed, first: int, replica: Replica, state: Stepped, shards: Sequence[Any]
) -> Gradient:
    """Return the sum of the gradients of neighbouring shards, the same on every worker.

    The shards begin with number `first`. `loss(model, *shard)` is the loss of one. An error of it
    is raised again with a note that names the shard. Raises RuntimeError if the forward pass
    changes a buffer.
    """
    if len(shards) > 1:
        half, here = middle(len(shards)), functools.partial(gradient, loss, seed)
        left = here(first, replica, state, shards[:half])
        return add(left, here(first + half, replica, state, shards[half:]))
    with replica.lock:
        model = replica.model
        replica.set_parameters(state.parameters)
        library_of(model).manual_seed(seed_of(*seed, first))
        before = {name: as_array(buffer).copy() for name, buffer in model.named_buffers()}
        try:
            value, found = gradients(model, loss, shards[0])
        except Exception as error:
            error.add_note(f"while computing shard {first}:\n{traceback.format_exc()}")
            raise
        finally:
            changed = restore_buffers(model, before)
        if changed:
            raise RuntimeError(
                f"the forward pass changed {', '.join(changed)}: from the samples of one shard, so "
                "the training would depend on how the data are split. Use a normalization of each "
                "sample, such as LayerNorm or GroupNorm, or put that module into eval()"
            )
        # In C's order, as after a journey, since sums of an array depend on its order.
        return Gradient([value], [None if g is None else np.asarray(g, order="C") for g in found])


def middle(count: int) -> int:
    """Return how many of `count` shards the left half of the tree of sums has.

    It depends on nothing else, so the sums are the same to the bit on any number of workers.
    """
    return (count + 1) // 2


def gradients(model: Any, loss: Loss, shard: Sequence[Any]) -> tuple[float, list[Any]]:
    """Return the loss of one shard and its gradient for each parameter, as NumPy arrays.

    A gradient is None where the loss does not depend on the parameter. `.grad` is overwritten.

    >>> import minigrad as mg
    >>> gradients(mg.nn.Linear(2, 1), lambda model, x: model(x).sum(), (mg.ones(3, 2),))[1]
    [array([[3., 3.]], dtype=float32), array([3.], dtype=float32)]
    """
    for parameter in model.parameters():
        parameter.grad = None
    value = loss(model, *shard)
    value.backward()
    found = [parameter.grad for parameter in model.parameters()]
    return value.item(), [None if g is None else as_array(g) for g in found]


def restore_buffers(model: Any, before: dict[str, Any]) -> list[str]:
    """Restore the buffers, and return the names of those that had changed."""
    changed = []
    for name, buffer in model.named_buffers():
        if name in before and as_array(buffer).tobytes() != before[name].tobytes():
            buffer.copy_(library_of(model).from_numpy(before[name]))
            changed.append(name)
    return changed


def add(a: Gradient, b: Gradient) -> Gradient:
    """Add the gradients of neighbouring shards.

    >>> add(Gradient([1.0], [np.ones(2), None]), Gradient([2.0], [np.ones(2), None]))
    Gradient(losses=[1.0, 2.0], arrays=[array([2., 2.]), None])
    """
    pairs = zip(a.arrays, b.arrays, strict=True)
    arrays = [y if x is None else x if y is None else x + y for x, y in pairs]
    return Gradient(a.losses + b.losses, arrays)


def update(
    settings: Sequence[dict[str, Any]], replica: Replica, state: Stepped, parts: Sequence[Gradient]
) -> Stepped:
    """Take the optimizer's step with the sum of both halves' gradients; return the new state.

    The last sum is no task of its own: the halves would travel to it, and then their sum. Each
    worker takes the same step, so that no state travels.
    """
    total = functools.reduce(add, parts)
    with replica.lock:
        replica.set_parameters(state.parameters)
        library = library_of(replica.model)
        for parameter, own in zip(replica.model.parameters(), total.arrays, strict=True):
            found = None if own is None else library.from_numpy(own).to(parameter.device)
            parameter.grad = found
        replica.parameters = None  # the model leaves this state now
        # A copy: the step changes momentum in place, and Dask may need the state before again.
        before = copy.deepcopy(state.optimizer)
        replica.optimizer.load_state_dict(before | {"param_groups": settings})
        replica.optimizer.step()
        stepped = Stepped(copies(replica.model), replica.optimizer.state_dict(), total.losses)
        replica.parameters = stepped.parameters
        return stepped


# --- Helpers


def seed_of(seed: int, step: int, shard: int) -> int:
    """Return the seed of one shard in one step.

    >>> seed_of(0, 0, 0) == seed_of(0, 0, 0), seed_of(0, 0, 0) == seed_of(0, 0, 1)
    (True, False)
    """
    return int(np.random.SeedSequence([seed % 2**64, step, shard]).generate_state(1)[0])


def library_of(model: Any) -> Any:
    """Return the package of a model's parameters: `minigrad` or `torch`."""
    ours = isinstance(next(iter(model.parameters())), Tensor)
    return sys.modules["minigrad" if ours else "torch"]


def as_array(tensor: Any) -> Any:
    """Return the numbers of a tensor as a NumPy array, from any device."""
    return tensor.detach().cpu().numpy()


def copies(model: Any) -> Arrays:
    """Return a copy of each parameter."""
    return [as_array(parameter).copy() for parameter in model.parameters()]


def assign(model: Any, arrays: Arrays) -> None:
    """Copy `arrays` into the model's parameters."""
    library = library_of(model)
    with library.no_grad():
        for parameter, own in zip(model.parameters(), arrays, strict=True):
            parameter.copy_(library.from_numpy(own))
