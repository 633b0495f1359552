"""Data-parallel training on Dask: gradients add, so a batch can be split over machines.

The loss of a batch is a sum over its samples, and the gradient of a sum is the sum of the
gradients. So every worker of a `Team` holds a copy of model and optimizer and some shards of the
data. In each step it runs forward and backward on its shards; then the gradients are added while
they go round in a ring of the workers, and everyone takes the same step:

    with connect() as client:                   # or connect("tls://scheduler:8786", keys="keys")
        team = Team(client, model, optimizer, load, shards=4)
        for _ in range(100):
            value = team.step(loss)
        team.fetch()                            # model and optimizer here are now those there

A worker that dies takes nothing along that could not be had again: its shards are the result of
`load`, the other workers have the same model, and nobody has moved before all have the sum.

In reading order: `shard` (what a worker computes), `ring` (how gradients are added, and what that
costs), `member` (what lives on a worker), `words` (what is known of a worker that died), `team`
(who gives the orders), `cluster` (a client, and keys against strangers).

Dask comes with the extra `dist`, and nothing here imports it before `connect` does. Modules of
PyTorch with optimizers of PyTorch are trained as well.
"""

from __future__ import annotations

from .cluster import connect, write_keys
from .ring import Traffic, traffic
from .shard import gradients
from .team import Team, WorkerDied

__all__ = ["Team", "Traffic", "WorkerDied", "connect", "gradients", "traffic", "write_keys"]
