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

Flat = list[Any]
"""The numbers of all parameters in one array for each dtype."""


class Replica:
    """A worker's copy of model and optimizer. Each task sets their state before it uses them."""

    def __init__(self, packed: bytes) -> None:
        self.packed = packed
        self.model, self.optimizer = pickle.loads(packed)
        self.lock = threading.Lock()  # a worker may have several threads
        self.parameters: Flat | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Replica, (self.packed,)

    def set_parameters(self, flat: Flat) -> None:
        """Copy `flat` into the model's parameters, unless they are this very object already."""
        if flat is not self.parameters:
            assign(self.model, flat)
            self.parameters = flat


class Gradient(NamedTuple):
    """Of some shards: their losses, whether a loss depends on each parameter, and the gradient."""

    losses: list[float]
    used: list[bool]
    flat: Flat


class Stepped(NamedTuple):
    """The state after a step: parameters, the optimizer's state, and the losses before it."""

    parameters: Flat
    optimizer: dict[str, Any]
    losses: list[float]


def load(packed: bytes, shard: int, shards: int) -> Sequence[Any]:
    """Load one shard.

    A thread unpickles the function, since its imports may take long. The thread in which Dask
    unpickles tasks sends the heartbeats, too.
    """
    return pickle.loads(packed)(shard, shards)  # type: ignore[no-any-return]


def begin(replica: Replica) -> Stepped:
    """Return the state before the first step."""
    with replica.lock:
        return Stepped(flatten(replica.model), replica.optimizer.state_dict(), [])


class Work(NamedTuple):
    """The work of a step on each shard. `first` is the number of the first shard of a task."""

    loss: Callable[..., Any]
    arguments: Sequence[Any]
    seed: int
    step: int
    first: int


def gradient(replica: Replica, parameters: Flat, shards: Sequence[Any], work: Work) -> Gradient:
    """Return the sum of the gradients of neighbouring shards, the same on every worker.

    An error of the loss is raised again with a note that names the shard. Raises RuntimeError if
    the forward pass changes a buffer.
    """
    if len(shards) > 1:
        half = middle(len(shards))
        rest = work._replace(first=work.first + half)
        return add(
            gradient(replica, parameters, shards[:half], work),
            gradient(replica, parameters, shards[half:], rest),
        )
    with replica.lock:
        model = replica.model
        replica.set_parameters(parameters)
        library_of(model).manual_seed(seed_of(work.seed, work.step, work.first))
        before = {name: as_array(buffer).copy() for name, buffer in model.named_buffers()}
        try:
            value, found = gradients(model, work.loss, shards[0], *work.arguments)
        except Exception as error:
            error.add_note(f"while computing shard {work.first}:\n{traceback.format_exc()}")
            raise
        finally:
            changed = restore_buffers(model, before)
        if changed:
            raise RuntimeError(
                f"the forward pass changed {', '.join(changed)}: from the samples of one shard, so "
                "the training would depend on how the data are split. Use a normalization of each "
                "sample, such as LayerNorm or GroupNorm, or put that module into eval()"
            )
        return Gradient([value], [g is not None for g in found], flatten(model, found))


def middle(count: int) -> int:
    """Return how many of `count` shards the left half of the tree of sums has.

    It depends on nothing else, so the sums are the same to the bit on any number of workers.
    """
    return (count + 1) // 2


def gradients(
    model: Any, loss: Callable[..., Any], shard: Sequence[Any], *arguments: Any
) -> tuple[float, list[Any]]:
    """Return the loss of one shard and its gradient for each parameter, as NumPy arrays.

    A gradient is None where the loss does not depend on the parameter. `.grad` is overwritten.

    >>> import minigrad as mg
    >>> gradients(mg.nn.Linear(2, 1), lambda model, x: model(x).sum(), (mg.ones(3, 2),))[1]
    [array([[3., 3.]], dtype=float32), array([3.], dtype=float32)]
    """
    for parameter in model.parameters():
        parameter.grad = None
    value = loss(model, *shard, *arguments)
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

    >>> add(Gradient([1.0], [True], [np.ones(2)]), Gradient([2.0], [False], [np.zeros(2)]))
    Gradient(losses=[1.0, 2.0], used=[True], flat=[array([1., 1.])])
    """
    used = [x or y for x, y in zip(a.used, b.used, strict=True)]
    return Gradient(a.losses + b.losses, used, [x + y for x, y in zip(a.flat, b.flat, strict=True)])


def update(
    replica: Replica, state: Stepped, parts: Sequence[Gradient], settings: Sequence[dict[str, Any]]
) -> Stepped:
    """Take the optimizer's step with the sum of both halves' gradients; return the new state.

    The last sum is no task of its own: the halves would travel to it, and then their sum.
    """
    total = functools.reduce(add, parts)
    with replica.lock:
        replica.set_parameters(state.parameters)
        library = library_of(replica.model)
        found = split(replica.model, total.flat)
        every = zip(replica.model.parameters(), total.used, found, strict=True)
        for parameter, used, own in every:
            parameter.grad = library.from_numpy(own).to(parameter.device) if used else None
        replica.parameters = None  # the model leaves this state now
        # A copy: the step changes momentum in place, and Dask may need the state before again.
        replica.optimizer.load_state_dict(copy.deepcopy(state.optimizer))
        for group, own in zip(replica.optimizer.param_groups, settings, strict=True):
            group.update(own)
        replica.optimizer.step()
        stepped = Stepped(flatten(replica.model), replica.optimizer.state_dict(), total.losses)
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
    for kind in type(next(iter(model.parameters()))).__mro__:
        name = kind.__module__.partition(".")[0]
        if name in ("minigrad", "torch"):
            return sys.modules[name]
    raise TypeError("the model's parameters are neither minigrad's nor PyTorch's")


def as_array(tensor: Any) -> Any:
    """Return the numbers of a tensor as a NumPy array, from any device."""
    return tensor.detach().cpu().numpy()


def flatten(model: Any, arrays: Sequence[Any] | None = None) -> Flat:
    """Join one array for each parameter; without `arrays`, the parameters. None becomes zeros."""
    kinds: dict[Any, list[Any]] = {}
    for number, parameter in enumerate(model.parameters()):
        own = as_array(parameter)
        array = own if arrays is None else arrays[number]
        array = np.zeros_like(own) if array is None else array
        kinds.setdefault(array.dtype, []).append(array.ravel())
    return [np.concatenate(each) for each in kinds.values()]


def split(model: Any, flat: Flat) -> list[Any]:
    """Return the parts of `flat` in the shapes of the parameters."""
    rest = {array.dtype: array for array in flat}
    parts = []
    for parameter in model.parameters():
        dtype = np.dtype(str(parameter.dtype).rpartition(".")[2])
        own, rest[dtype] = np.split(rest[dtype], [parameter.numel()])
        parts.append(own.reshape(tuple(parameter.shape)))
    return parts


def assign(model: Any, flat: Flat) -> None:
    """Copy `flat` into the model's parameters."""
    library = library_of(model)
    with library.no_grad():
        for parameter, own in zip(model.parameters(), split(model, flat), strict=True):
            parameter.copy_(library.from_numpy(own))
