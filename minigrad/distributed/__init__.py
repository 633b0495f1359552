"""Data-parallel training on Dask: gradients add, so a batch can be split over machines.

The loss of a batch is a sum over its samples, and the gradient of a sum is the sum of the
gradients. Every worker of a `Team` holds a copy of the model and some shards of the data. In each
step it runs forward and backward on its shards. The gradients are added in a tree, and each worker
takes the same step of the optimizer:

    with connect() as client:                   # or connect("tls://scheduler:8786", keys="keys")
        team = Team(client, model, optimizer, load, shards=4)
        for _ in range(100):
            value = team.step(loss)
        team.fetch()                            # copy model and optimizer to the client

A worker that dies can be replaced: Dask computes again what it had.

In reading order: `tasks` (the functions that run on workers), `team` (the graph of a step), and
`cluster` (clients and keys). This package is for learning and for classrooms. To train large
models, use PyTorch's `torchrun` or Ray.

Dask comes with the extra `dist`, and nothing here imports it before `connect` does. Modules of
PyTorch with optimizers of PyTorch are trained as well.
"""

from __future__ import annotations

from .cluster import connect, write_keys
from .tasks import gradients
from .team import Team, WorkerDied

__all__ = ["Team", "WorkerDied", "connect", "gradients", "write_keys"]
