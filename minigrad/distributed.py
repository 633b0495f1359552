"""Data-parallel training on Dask: gradients add, so a batch can be split over machines.

The loss of a batch is a sum over its samples, and the gradient of a sum is the sum of the
gradients. So every worker holds a shard of the data, is sent the model, and runs forward and
backward on its shard. The gradients are added pair by pair where they are, and whoever asked takes
the optimizer's step:

    with connect() as client:                    # or connect("tcp://scheduler:8786")
        shards = scatter(client, load, 4)        # four times load(index, 4), on the workers
        for _ in range(100):
            value = step(client, model, optimizer, loss, shards)

A worker that dies takes nothing along that could not be computed again: a shard is the result of
`load`, and the model of a step is an argument that the scheduler still has. Dask runs elsewhere
what the dead worker had.

Only `parameters()` and `.grad` are asked of a model, so modules of PyTorch can be trained as well.
Dask is imported by `connect` and comes with the extra `dist`. Buffers, such as the running means of
a normalization, are sent to the workers and not back.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from distributed import Client, Future

__all__ = ["Traffic", "connect", "gradients", "scatter", "step", "total", "traffic"]

Gradients = list[Any]
"""For each parameter its gradient as an array, or None where the loss does not depend on it."""


def connect(address: str | None = None, workers: int = 2) -> Client:
    """A Dask client: of the scheduler at `address`, or of a local cluster of `workers` processes.

    A local cluster ends with its client. ImportError without Dask; OSError if nobody answers.

    >>> with connect(workers=1) as client:
    ...     client.submit(pow, 2, 10).result()
    1024
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise ImportError(
            "minigrad.distributed needs Dask: pip install 'minigrad-lab[dist]'"
        ) from error
    new: Any = Client  # which is not typed
    if address is not None:
        return new(address)  # type: ignore[no-any-return]
    # One thread each: the parallelism is that of the processes. A worker's death is expected here
    # and no reason to write to the terminal.
    return new(  # type: ignore[no-any-return]
        n_workers=workers,
        threads_per_worker=1,
        dashboard_address="127.0.0.1:0",  # any free port: several clusters may run at once
        silence_logs=logging.CRITICAL,
    )


def scatter(
    client: Client, load: Callable[[int, int], Sequence[Any]], count: int
) -> list[Future[Any]]:
    """The shards `load(0, count)`, ..., `load(count - 1, count)`, each loaded on a worker.

    `load` returns a tuple of tensors; together the shards should hold each sample once.
    """
    return [client.submit(load, index, count, pure=False) for index in range(count)]


def step(
    client: Client,
    model: Any,
    optimizer: Any,
    loss: Callable[..., Any],
    shards: Sequence[Future[Any]],
    *arguments: Any,
) -> float:
    """One step of `optimizer` on the gradient of all shards together; the loss before it.

    `loss(model, *shard, *arguments)` runs on the workers. It returns the shard's part of the loss,
    a scalar, such that the parts add up: a sum over the samples, divided by the number of all
    samples where a mean is wanted. What it raises there is raised here.

    The `.grad` of the parameters is overwritten. The order in which gradients are added depends on
    the number of shards alone, so the result is the same on any number of workers.

    >>> import minigrad as mg
    >>> model = mg.nn.Linear(1, 1, bias=False)
    >>> with mg.no_grad():
    ...     _ = model.weight.fill_(1.0)
    >>> optimizer = mg.optim.SGD(model.parameters(), lr=0.1)
    >>> x = mg.tensor([[1.0], [2.0], [3.0]])
    >>> with connect(workers=1) as client:
    ...     shards = scatter(client, lambda index, count: (x[index::count],), 2)
    ...     step(client, model, optimizer, lambda model, x: model(x).sum(), shards)
    6.0
    >>> model.weight.grad, model.weight
    (tensor([[6.]]), Parameter containing:
    tensor([[0.4000]], requires_grad=True))
    """
    import cloudpickle

    # A task of its own, so that the model travels to each worker once, however many shards it has;
    # as bytes, so that Dask knows their number and every task unpacks a model of its own.
    sent = client.submit(_same, cloudpickle.dumps(model), pure=False)
    parts = [client.submit(_unpacked, sent, loss, s, *arguments, pure=False) for s in shards]
    value, summed = total(client, parts).result()
    for parameter, gradient in zip(model.parameters(), summed, strict=True):
        parameter.grad = None if gradient is None else parameter.new_tensor(gradient)
    optimizer.step()
    return float(value)


def gradients(
    model: Any, loss: Callable[..., Any], shard: Sequence[Any], *arguments: Any
) -> tuple[float, Gradients]:
    """The loss of one shard and its gradient for each parameter. This is what a worker does.

    The gradients travel as NumPy arrays, from whatever device they are on. `.grad` is overwritten.

    >>> import minigrad as mg
    >>> gradients(mg.nn.Linear(2, 1), lambda model, x: model(x).sum(), (mg.ones(3, 2),))[1]
    [array([[3., 3.]], dtype=float32), array([3.], dtype=float32)]
    """
    for parameter in model.parameters():
        parameter.grad = None
    value = loss(model, *shard, *arguments)
    value.backward()
    arrived = [parameter.grad for parameter in model.parameters()]
    return value.item(), [None if g is None else g.detach().cpu().numpy() for g in arrived]


def total(client: Client, parts: Sequence[Future[Any]]) -> Future[Any]:
    """The sum of what `gradients` returned for each shard, added in pairs, and the pairs in pairs.

    No worker ever holds more than a few gradients, and the sum takes as many rounds as the number
    of shards can be halved. ValueError if there is none.
    """
    if not parts:
        raise ValueError("there are no shards to add up")
    while len(parts) > 1:
        pairs = [
            client.submit(_add, a, b, pure=False)
            for a, b in zip(parts[::2], parts[1::2], strict=False)
        ]
        parts = [*pairs, parts[-1]] if len(parts) % 2 else pairs
    return parts[0]


class Traffic(NamedTuple):
    """Bytes that one step moves: between workers, and between the scheduler and everyone else."""

    workers: int
    scheduler: int


def traffic(model: Any, workers: int) -> Traffic:
    """What one step has to move, with as many shards as `workers`; headers do not count.

    The model goes to the scheduler and to one worker, which hands it on to the others. The
    gradients take the same ways back: a tree of n gradients has n - 1 sums, each of which fetches
    one of its two parts.

    >>> import minigrad as mg
    >>> traffic(mg.nn.Linear(99, 10), workers=4)  # 1,000 parameters of 4 bytes
    Traffic(workers=24000, scheduler=16000)
    """
    size = sum(p.numel() * p.element_size() for p in model.parameters())
    return Traffic(workers=2 * (workers - 1) * size, scheduler=4 * size)


def _same(packed: bytes) -> bytes:
    return packed


def _unpacked(packed: bytes, *rest: Any) -> tuple[float, Gradients]:
    return gradients(pickle.loads(packed), *rest)


def _add(a: tuple[float, Gradients], b: tuple[float, Gradients]) -> tuple[float, Gradients]:
    summed = [
        x if y is None else y if x is None else x + y for x, y in zip(a[1], b[1], strict=True)
    ]
    return a[0] + b[0], summed
