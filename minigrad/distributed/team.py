"""A team: workers that train one model together, by Dask's task graph.

A step is a graph of pure tasks (tasks.py). With four shards:

    gradient 0   gradient 1   gradient 2   gradient 3     each on the worker that has the shard
         |            |            |            |
         +--- add ----+            +--- add ----+         in a task with the gradients, if all of
                |                        |                them are on one worker
                +-------- update --------+                the last sum and the optimizer's step,
                                                          on each worker

The tree depends on the number of shards only, so the sums are equal to the bit on any number of
workers, and so are the states that the workers update. When a worker dies, Dask computes on another
one what the worker had. From time to time the state becomes the root of a new graph, so that this
history stays short.
"""

from __future__ import annotations

import itertools
import math
import pickle
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from . import tasks

if TYPE_CHECKING:
    from distributed import Client

LOOK = 1.0
"""Seconds between two looks at the list of workers."""

STUCK = 10
"""Looks without a sign of life after which a worker is started again, see `signs_of_life`.

Looks are counted, not seconds: on a loaded machine they come late, as the signs of life do.
"""

ACTIVE = ("executing", "long-running", "flight")
"""States of a worker's tasks that make progress without messages from the scheduler."""

PATIENCE = 20.0
"""Seconds to wait for a worker if there is none."""

BATCH = 0.001
"""Seconds in which Dask's client collects messages. A step is a few, and Dask waits 10 ms."""

HISTORY = 5.0
"""Seconds of steps that Dask may have to compute again after a worker's death."""


Sign = tuple[float, tuple[str, ...], int]
"""When a worker was heard of, which tasks it had, and looks since it last did anything."""


Work = partial[tasks.Gradient]
"""The gradient of a step, without the shards and the state."""

Graph = dict[str, tuple[list[str], tuple[Any, ...]]]
"""The place of each task, and the task: a function and the results that it needs."""


class WorkerDied(RuntimeError):
    """Raised if a step fails because workers die; the message names the task."""


class Team(AbstractContextManager["Team"]):
    """Workers that train one model together.

    `load(index, shards)` returns one shard, a tuple of tensors, on the worker that gets it. The
    shards hold each sample once. They are dealt evenly to the workers, and again when a worker dies
    or joins. At most `workers` of the cluster take part (None: all).

    `model` and `optimizer` stay as they are until `fetch`. Each step uses the optimizer's settings
    here, such as its learning rate. Random draws such as dropout follow from `manual_seed` here and
    from the number of shards; they differ from those of one process with the whole batch.

    A step that takes longer than `limit` seconds raises TimeoutError.

    >>> import minigrad as mg
    >>> from minigrad.distributed import connect
    >>> model = mg.nn.Linear(1, 1, bias=False)
    >>> with mg.no_grad():
    ...     _ = model.weight.fill_(1.0)
    >>> optimizer = mg.optim.SGD(model.parameters(), lr=0.1)
    >>> x = mg.tensor([[1.0], [2.0], [3.0]])
    >>> def load(index, shards):
    ...     return (x[index::shards],)
    >>> with connect(workers=1) as client:
    ...     team = Team(client, model, optimizer, load, shards=2)
    ...     print(team.step(lambda model, x: model(x).sum()))
    ...     team.fetch()
    6.0
    >>> model.weight
    Parameter containing:
    tensor([[0.4000]], requires_grad=True)
    """

    def __init__(
        self,
        client: Client,
        model: Any,
        optimizer: Any,
        load: Callable[[int, int], Sequence[Any]],
        shards: int,
        *,
        workers: int | None = None,
        limit: float = 600.0,
    ) -> None:
        for what, count in (("shard", shards), ("worker", workers)):
            if count is not None and count < 1:
                raise ValueError(f"a team needs at least one {what}, not {count}")
        import cloudpickle

        client.scheduler_comm.interval = BATCH  # type: ignore[union-attr]
        self.client: Any = client
        self.model, self.optimizer = model, optimizer
        self.shards, self.limit = shards, limit
        self.most = min(shards, workers or shards)
        self.steps = 0
        self.fetched = 0
        """The step after which model and optimizer are as they are here."""
        self.homes = [""] * shards
        """The worker of each shard."""
        self._number = itertools.count()
        self._name = f"minigrad-{id(self):x}-{time.time_ns():x}"
        self._looked = self._rooted = -math.inf
        self._data: list[Any] = [None] * shards
        self._packed = cloudpickle.dumps((model, optimizer))
        self._packed_load = cloudpickle.dumps(load)
        first = tasks.Stepped(tasks.copies(model), optimizer.state_dict(), [])
        self._packed_state = pickle.dumps(first)
        """The state at the root of the graph."""
        self._history: list[tuple[Work, list[dict[str, Any]]]] = []
        """The steps since the root."""
        self._begun = False
        self._replica: Any = None
        self._states: dict[str, Any] = {}
        """The state on each worker; all are equal."""
        self._next: dict[str, Any] = {}
        """The same after the step that runs."""

    def step(self, loss: Callable[..., Any], *arguments: Any) -> float:
        """Take one step with the gradient of all shards, and return the loss before it.

        `loss(model, *shard, *arguments)` runs on the workers. It returns the shard's part of the
        loss, a scalar, and the parts add up to the loss. (For a mean, divide a sum over the shard's
        samples by the number of all samples.) An error of `loss` is raised here, and nothing has
        changed. Raises WorkerDied if workers die of a shard, or if none is left.
        """
        until = time.monotonic() + self.limit
        if not self._begun:
            self._begin_again()
        elif time.monotonic() > self._rooted + HISTORY:
            self._root(until)
        self._deal()
        settings = self.optimizer.state_dict()["param_groups"]
        seed = tasks.library_of(self.model).initial_seed(), self.steps
        work = partial(tasks.gradient, lambda *given: loss(*given, *arguments), seed)
        value = math.fsum(self._compute(lambda: self._stepped(work, settings), until))
        self._states = self._next
        self._history.append((work, settings))
        self.steps += 1
        return value

    def fetch(self) -> None:
        """Bring model and optimizer here to the state of the team.

        This state is left if all workers die at once, so fetch now and then.
        """
        if self.fetched == self.steps:
            return
        state = self._compute(self._state, time.monotonic() + self.limit)
        tasks.assign(self.model, state.parameters)
        self.optimizer.load_state_dict(state.optimizer)
        self.fetched = self.steps

    def close(self) -> None:
        """Release the team's data on the workers."""
        self._data = [None] * self.shards
        self._begun, self._replica, self._states, self._next = False, None, {}, {}

    def __exit__(self, *error: object) -> None:
        self.close()

    # --- The graph

    def _add(
        self, graph: Graph, what: str, function: Callable[..., Any], *needs: Any, on: str = ""
    ) -> str:
        """Add a task and return its key, which is new, since an earlier attempt may have failed.

        `needs` are keys of the same graph or futures of others. The task prefers the worker `on`;
        another one may take its place.
        """
        key = f"{self._name}-{next(self._number)}-{what}"
        graph[key] = ([on] if on else [], (function, *needs))
        return key

    def _send(self, graph: Graph, *keys: str) -> Any:
        """Send tasks to the scheduler together: a message costs as much as a small task.

        Return futures of some keys, whose results the workers keep.
        """
        import dask

        places = {key: place for key, (place, _) in graph.items()}
        where = {"workers": places.__getitem__, "allow_other_workers": True}
        with warnings.catch_warnings(), dask.base.annotate(**where):
            # The scheduler holds the state at the root on purpose: it survives every worker.
            warnings.filterwarnings("ignore", "Sending large graph")
            found = {key: task for key, (_, task) in graph.items()}
            return self.client.get(found, list(keys), sync=False)

    def _submit(self, what: str, function: Callable[..., Any], *needs: Any, on: str = "") -> Any:
        """Send one task."""
        graph: Graph = {}
        return self._send(graph, self._add(graph, what, function, *needs, on=on))[0]

    def _state(self) -> Any:
        """Return the state on one of the workers."""
        if not self._begun:
            self._begin_again()
        return self._states[self.homes[0]]

    def _stepped(self, work: Work, settings: list[dict[str, Any]]) -> Any:
        """Submit one step and return its losses."""
        graph: Graph = {}
        parts = [*self._parts(graph, work, 0, self.shards)]
        update = partial(tasks.update, settings)
        keys = [
            self._add(graph, "update", update, self._replica, state, parts, on=home)
            for home, state in self._states.items()
        ]
        losses = self._add(graph, "losses", itemgetter(2), keys[0])
        found, *states = self._send(graph, losses, *keys)
        self._next = dict(zip(self._states, states, strict=True))
        return found

    def _parts(self, graph: Graph, work: Work, first: int, count: int) -> Iterator[str]:
        """Add the gradients of `count` shards from `first` on; yield one or two keys to sum up.

        A part of the tree of sums whose shards are all on one worker is one task.
        """
        chosen = slice(first, first + count)
        home, *others = dict.fromkeys(self.homes[chosen])
        if not others:
            given = (self._replica, self._states[home], self._data[chosen])
            yield self._add(graph, shards(first, count), partial(work, first), *given, on=home)
            return
        half = tasks.middle(count)
        for part in ((first, half), (first + half, count - half)):
            sums = [*self._parts(graph, work, *part)]
            what = f"sum of {shards(*part)}"
            yield sums[0] if len(sums) == 1 else self._add(graph, what, tasks.add, *sums)

    def _root(self, until: float) -> None:
        """Make the state the root of a new graph, and let Dask forget the history before it."""
        packed = self._compute(lambda: self._submit("pack", pickle.dumps, self._state()), until)
        self._packed_state, self._history = packed, []
        self._states = dict.fromkeys(self._states, self._unpacked())
        self._rooted = time.monotonic()

    def _unpacked(self) -> Any:
        return self._submit("state", partial(pickle.loads, self._packed_state))

    def _begin_again(self) -> None:
        """Submit the graph from its root on: at the beginning, and after all workers died."""
        self._begun = False  # an error leaves half of a graph
        self._replica = self._submit("model", partial(tasks.Replica, self._packed))
        self.homes, self._looked = [""] * self.shards, -math.inf
        self._states = {"": self._unpacked()}
        self._deal()
        for work, settings in self._history:
            self._stepped(work, settings)
            self._states = self._next
        self._begun = True

    # --- The workers

    def _deal(self) -> None:
        """Give each worker its shards, if there are others than before."""
        if time.monotonic() < self._looked + LOOK:
            return
        self._looked = time.monotonic()
        workers = sorted(self._workers(), key=lambda each: each not in self._states)[: self.most]
        homes = [workers[shard * len(workers) // self.shards] for shard in range(self.shards)]
        for shard, home in enumerate(homes):
            if self.homes[shard] != home:
                load = partial(tasks.load, self._packed_load, shard, self.shards)
                self._data[shard] = self._submit(f"shard {shard} of {self.shards}", load, on=home)
        other = self._states.get(workers[0]) or next(iter(self._states.values()))
        self._states = {home: self._states.get(home, other) for home in dict.fromkeys(homes)}
        self.homes = homes

    def _workers(self) -> dict[str, Any]:
        """Return what the scheduler knows of each worker; raise WorkerDied if none comes."""
        until = time.monotonic() + PATIENCE
        while not (found := self._ask(self.client.scheduler.identity, n_workers=-1)["workers"]):
            if time.monotonic() > until:
                kept = f"after step {self.fetched}" if self.fetched else "at the beginning"
                raise WorkerDied(f"no worker is left; the model here is as it was {kept}")
            time.sleep(0.1)
        return found  # type: ignore[no-any-return]

    def _compute(self, submit: Callable[[], Any], until: float) -> Any:
        """Submit a task and wait for its result, again if all workers died at once.

        Meanwhile start workers again that are stuck.
        """
        from distributed import KilledWorker

        future, idle, patience = submit(), 0, STUCK
        signs: dict[str, Sign] = {}
        while True:
            try:
                return future.result(timeout=min(LOOK, max(until - time.monotonic(), 0.05)))
            except KilledWorker as error:
                raise WorkerDied(
                    f"{error.allowed_failures + 1} workers in turn died in the same place: "
                    f"{self._task(error.task)}, step {self.steps}"
                ) from None
            except TimeoutError:  # also where a frozen worker has the result
                if future.status == "error":
                    raise  # the loss's own
                busy = self._ask(self.client.scheduler.processing)
                signs = signs_of_life(self._workers(), busy, signs)
                if stuck := [address for address, sign in signs.items() if sign[2] > patience]:
                    self._restart(stuck)
                    patience *= 2  # a worker that was only slow gets the time that it needs
                idle = 0 if future.done() or any(busy.values()) else idle + 1
                if time.monotonic() > until:
                    raise TimeoutError(self._late(busy)) from None
                if idle > 2:  # Dask does not resume tasks that preferred one of the dead
                    self._begin_again()
                    future, idle = submit(), 0

    def _restart(self, stuck: Sequence[str]) -> None:
        """Have these workers started again, and their tasks computed elsewhere."""
        here, name = self.client.scheduler, {"stimulus_id": f"{self._name}-restart"}
        how = {"wait_for_workers": False, "on_error": "return", **name}
        self._ask(here.restart_workers, workers=stuck, timeout=PATIENCE / 2, **how)
        for address in stuck:
            # A nanny that has lost track of its worker reports success, and the worker stays.
            self._ask(here.unregister, address=address, **name)

    def _ask(self, question: Callable[..., Any], **options: Any) -> Any:
        """Ask the scheduler; TimeoutError if it does not answer."""
        try:
            return self.client.sync(question, callback_timeout=PATIENCE, **options)
        except TimeoutError:
            address = self.client.scheduler.address
            raise TimeoutError(f"the scheduler {address} does not answer") from None

    def _late(self, busy: Any) -> str:
        each = [f"{worker} is computing {self._task(k)}" for worker in busy for k in busy[worker]]
        doing = "; ".join(each) or "no worker is computing"
        return f"the step is not done after {self.limit:g} seconds: {doing}"

    def _task(self, key: Any) -> str:
        """Return what a task computes: the last part of its key (`_add`)."""
        return str(key).removeprefix(f"{self._name}-").partition("-")[2]


def shards(first: int, count: int) -> str:
    return f"shard {first}" + (f" to {first + count - 1}" if count > 1 else "")


def signs_of_life(workers: Any, busy: Any, before: dict[str, Sign]) -> dict[str, Sign]:
    """Compare workers with the look `before`.

    Two things are no life. A frozen process sends no heartbeats. And Dask may lose a message around
    the death of a worker: the scheduler waits for tasks of which the worker knows nothing.
    """
    signs = {}
    for address, about in workers.items():
        now = about["last_seen"], tuple(busy.get(address, ()))
        states = about["metrics"].get("task_counts", {})
        active = not now[1] or any(states.get(state) for state in ACTIVE)
        seen, tasks, missed = before.get(address, (None, None, 0))
        alive = now[0] != seen and (active or now[1] != tasks)
        signs[address] = (*now, 0 if alive else missed + 1)
    return signs
