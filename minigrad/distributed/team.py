"""A team: workers that train one model together, by Dask's task graph.

A step is a graph of pure tasks (tasks.py). With four shards:

    gradient 0   gradient 1   gradient 2   gradient 3     each on the worker that has the shard
         |            |            |            |
         +--- add ----+            +--- add ----+         in a task with the gradients, if all of
                |                        |                them are on one worker
                +--------- add ----------+
                            |
                          update                          the optimizer's step

The tree depends on the number of shards only, so the sums are equal to the bit on any number of
workers. When a worker dies, Dask computes on another one what the worker had. From time to time the
state becomes the root of a new graph, so that this history stays short.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import pickle
import time
import warnings
from collections.abc import Callable, Sequence
from operator import itemgetter
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

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

HISTORY = 5.0
"""Seconds of steps that Dask may have to compute again after a worker's death."""


class WorkerDied(RuntimeError):
    """Raised if a step fails because workers die; the message names the task."""


class AllDied(Exception):
    """Raised if all workers died at once: Dask does not resume tasks that preferred one of them."""


class Team:
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
        if shards < 1:
            raise ValueError(f"a team needs at least one shard, not {shards}")
        if workers is not None and workers < 1:
            raise ValueError(f"a team needs at least one worker, not {workers}")
        import cloudpickle

        self.client: Any = client
        self.model, self.optimizer, self.load = model, optimizer, load
        self.shards, self.limit = shards, limit
        self.most = min(shards, workers or shards)
        self.steps = 0
        self.fetched = 0
        """The step after which model and optimizer are as they are here."""
        self.homes: list[str] = []
        """The worker of each shard."""
        self._number = itertools.count()
        self._name = f"minigrad-{id(self):x}-{time.time_ns():x}"
        self._looked = self._rooted = -math.inf
        self._data: list[Any] = [None] * shards
        self._packed = cloudpickle.dumps((model, optimizer))
        self._packed_state: bytes | None = None
        """The state at the root of the graph; None: that of `_packed`."""
        self._history: list[tuple[tasks.Work, list[dict[str, Any]]]] = []
        """The steps since the root."""
        self._replica: Any = None

    def step(self, loss: Callable[..., Any], *arguments: Any) -> float:
        """Take one step with the gradient of all shards, and return the loss before it.

        `loss(model, *shard, *arguments)` runs on the workers. It returns the shard's part of the
        loss, a scalar, and the parts add up to the loss. (For a mean, divide a sum over the shard's
        samples by the number of all samples.) An error of `loss` is raised here, and nothing has
        changed. Raises WorkerDied if workers die of a shard, or if none is left.
        """
        until = time.monotonic() + self.limit
        if self._replica is None:
            self._begin_again()
        self._deal()
        settings = [
            {name: value for name, value in group.items() if name != "params"}
            for group in self.optimizer.param_groups
        ]
        seed = tasks.library_of(self.model).initial_seed()
        work = tasks.Work(loss, arguments, seed, self.steps, 0)
        while True:
            state = self._stepped(work, settings)
            try:
                losses = self._result(self._submit("losses", itemgetter(2), state), until)
                break
            except AllDied:
                self._begin_again()
        self._state = state
        self._history.append((work, settings))
        self.steps += 1
        if time.monotonic() > self._rooted + HISTORY:
            self._root(until)
        return math.fsum(losses)

    def fetch(self) -> None:
        """Bring model and optimizer here to the state of the team.

        This state is left if all workers die at once, so fetch now and then.
        """
        if self.fetched == self.steps:
            return
        until = time.monotonic() + self.limit
        while True:
            try:
                state = self._result(self._state, until)
                break
            except AllDied:
                self._begin_again()
        library = tasks.library_of(self.model)
        with library.no_grad():
            arrays = tasks.split(self.model, state.parameters)
            for parameter, array in zip(self.model.parameters(), arrays, strict=True):
                parameter.copy_(library.from_numpy(array))
        self.optimizer.load_state_dict(state.optimizer)
        self.fetched = self.steps

    def close(self) -> None:
        """Release the team's data on the workers."""
        self._data, self._replica, self._state = [None] * self.shards, None, None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        place: TracebackType | None,
    ) -> None:
        self.close()

    # --- The graph

    def _submit(self, what: str, function: Callable[..., Any], *arguments: Any, **how: Any) -> Any:
        """Submit a task; its key is new, since an earlier attempt may have failed."""
        key = f"{self._name}-{next(self._number)}-{what}"
        with warnings.catch_warnings():
            # The scheduler holds the state at the root on purpose: it survives every worker.
            warnings.filterwarnings("ignore", "Sending large graph")
            return self.client.submit(function, *arguments, key=key, pure=False, **how)

    def _stepped(self, work: tasks.Work, settings: list[dict[str, Any]]) -> Any:
        """Submit one step; return its state."""
        parameters = self._submit("parameters", itemgetter(0), self._state)
        total = self._total(parameters, work, self.shards)
        return self._submit("update", tasks.update, self._replica, self._state, total, settings)

    def _total(self, parameters: Any, work: tasks.Work, count: int) -> Any:
        """Submit the tree of sums of `count` shards from `work.first` on; return its root.

        A part of the tree whose shards are all on one worker is one task.
        """
        chosen = slice(work.first, work.first + count)
        where = f"shard {work.first}" + (f" to {chosen.stop - 1}" if count > 1 else "")
        if len({*self.homes[chosen]}) == 1:
            given = (self._replica, parameters, self._data[chosen], work)
            return self._submit(where, tasks.gradient, *given, **_on(self.homes[work.first]))
        half = tasks.middle(count)
        left = self._total(parameters, work, half)
        rest = work._replace(first=work.first + half)
        return self._submit(
            f"sum of {where}", tasks.add, left, self._total(parameters, rest, count - half)
        )

    def _root(self, until: float) -> None:
        """Make the state the root of a new graph, and let Dask forget the history before it."""
        with contextlib.suppress(AllDied):  # the next step begins again from the last root
            packed = self._submit("pack", pickle.dumps, self._state)
            self._packed_state = self._result(packed, until)
            self._history = []
            self._state = self._submit("state", pickle.loads, self._packed_state)
        self._rooted = time.monotonic()

    def _begin_again(self) -> None:
        """Submit the graph from its root on: at the beginning, and after all workers died."""
        self._replica = self._submit("model", tasks.Replica, self._packed)
        if self._packed_state is None:
            self._state = self._submit("state", tasks.begin, self._replica)
        else:
            self._state = self._submit("state", pickle.loads, self._packed_state)
        self.homes, self._looked = [], -math.inf
        self._deal()
        for work, settings in self._history:
            self._state = self._stepped(work, settings)

    # --- The workers

    def _deal(self) -> None:
        """Give each worker its shards, if there are others than before."""
        if time.monotonic() < self._looked + LOOK:
            return
        self._looked = time.monotonic()
        workers = [*self._workers()][: self.most]
        known = [address for address in dict.fromkeys(self.homes) if address in workers]
        workers = known + [address for address in workers if address not in known]
        for shard in range(self.shards):
            home = workers[shard * len(workers) // self.shards]
            if self.homes[shard : shard + 1] != [home]:
                where = f"shard {shard} of {self.shards}"
                given = (shard, self.shards)
                self._data[shard] = self._submit(where, self.load, *given, **_on(home))
                self.homes[shard : shard + 1] = [home]

    def _workers(self) -> dict[str, Any]:
        """Return what the scheduler knows of each worker; raise WorkerDied if none comes."""
        until = time.monotonic() + PATIENCE
        while not (found := self._ask(self.client.scheduler.identity, n_workers=-1)["workers"]):
            if time.monotonic() > until:
                raise self._none_left()
            time.sleep(0.1)
        return found  # type: ignore[no-any-return]

    def _result(self, future: Any, until: float) -> Any:
        """Wait for a result, and meanwhile start workers again that are stuck.

        Raises AllDied if nothing runs any more.
        """
        from distributed import KilledWorker, wait

        idle = 0
        signs: dict[str, Sign] = {}
        patience = STUCK
        while not future.done():
            try:
                wait(future, timeout=min(LOOK, max(until - time.monotonic(), 0.05)))  # type: ignore[no-untyped-call]
            except TimeoutError:
                busy = self._ask(self.client.scheduler.processing)
                signs = signs_of_life(self._workers(), busy, signs)
                if stuck := [address for address, sign in signs.items() if sign.missed > patience]:
                    self._restart(stuck)
                    patience *= 2  # a worker that was only slow gets the time that it needs
                idle = 0 if any(busy.values()) else idle + 1
                if idle > 2:
                    raise AllDied from None
                if time.monotonic() > until:
                    raise TimeoutError(self._late()) from None
        try:
            return future.result()
        except KilledWorker as error:
            raise WorkerDied(
                f"{error.allowed_failures + 1} workers in turn died in the same place: "
                f"{self._task(error.task)}, step {self.steps}"
            ) from None

    def _restart(self, stuck: Sequence[str]) -> None:
        """Have these workers started again, and their tasks computed elsewhere."""
        here = self.client.scheduler
        name = f"{self._name}-restart"
        how = {"wait_for_workers": False, "on_error": "return", "stimulus_id": name}
        self._ask(here.restart_workers, workers=stuck, timeout=PATIENCE / 2, **how)
        for address in stuck:
            # A nanny that has lost track of its worker reports success, and the worker stays.
            self._ask(here.unregister, address=address, stimulus_id=name)

    def _ask(self, question: Callable[..., Any], **options: Any) -> Any:
        """Ask the scheduler; TimeoutError if it does not answer."""
        try:
            return self.client.sync(question, callback_timeout=PATIENCE, **options)
        except TimeoutError:
            address = self.client.scheduler.address
            raise TimeoutError(f"the scheduler {address} does not answer") from None

    def _late(self) -> str:
        busy = self._ask(self.client.scheduler.processing)
        each = [
            f"{address} is computing {self._task(k)}" for address in busy for k in busy[address]
        ]
        doing = "; ".join(each) or "no worker is computing"
        return f"the step is not done after {self.limit:g} seconds: {doing}"

    def _task(self, key: Any) -> str:
        """Return what a task computes: the last part of its key (`_submit`)."""
        return str(key).removeprefix(f"{self._name}-").partition("-")[2]

    def _none_left(self) -> WorkerDied:
        kept = f"after step {self.fetched}" if self.fetched else "at the beginning"
        return WorkerDied(f"no worker is left; the model here is as it was {kept}")


class Sign(NamedTuple):
    """When a worker was heard of and which tasks it had; looks since it last did anything."""

    seen: float
    tasks: tuple[str, ...]
    missed: int


def signs_of_life(
    workers: dict[str, Any], busy: dict[str, Any], before: dict[str, Sign]
) -> dict[str, Sign]:
    """Compare workers with the look `before`.

    Two things are no life. A frozen process sends no heartbeats. And Dask may lose a message around
    the death of a worker: the scheduler waits for tasks of which the worker knows nothing.
    """
    signs = {}
    for address, about in workers.items():
        tasks, last = tuple(busy.get(address, ())), before.get(address)
        states = about["metrics"].get("task_counts", {})
        active = not tasks or any(states.get(state) for state in ACTIVE)
        seen = about["last_seen"]
        alive = last is None or (seen != last.seen and (active or tasks != last.tasks))
        signs[address] = Sign(seen, tasks, 0 if last is None or alive else last.missed + 1)
    return signs


def _on(address: str) -> dict[str, Any]:
    """Prefer a worker; another one may take its place."""
    return {"workers": [address], "allow_other_workers": True}
