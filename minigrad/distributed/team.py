"""A team: workers that train one model together, by Dask's task graph.

A step is a graph of pure tasks (tasks.py). With four shards:

    gradient 0   gradient 1   gradient 2   gradient 3     each on the worker that has the shard
         |            |            |            |
         +--- add ----+            +--- add ----+         in a task with the gradients, if all of
                |                        |                them are on one worker
                +-------- update --------+                the last sum and the optimizer's step

The tree depends on the number of shards only, so the sums are equal to the bit on any number of
workers. When a worker dies, Dask computes on another one what the worker had. From time to time the
state becomes the root of a new graph, so that this history stays short.
"""

from __future__ import annotations

import itertools
import math
import pickle
import time
import warnings
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Self

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

        client.scheduler_comm.interval = BATCH  # type: ignore[union-attr]
        self.client: Any = client
        self.model, self.optimizer = model, optimizer
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
        self._packed_load = cloudpickle.dumps(load)
        self._packed_state: bytes | None = None
        """The state at the root of the graph; None: that of `_packed`."""
        self._history: list[tuple[tasks.Work, list[dict[str, Any]]]] = []
        """The steps since the root."""
        self._replica: Any = None
        self._state: Any = None
        """The state and its parameters, two tasks: the parameters go to all workers."""
        self._next: Any = None

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
        elif time.monotonic() > self._rooted + HISTORY:
            self._root(until)
        self._deal()
        settings = [
            {name: value for name, value in group.items() if name != "params"}
            for group in self.optimizer.param_groups
        ]
        seed = tasks.library_of(self.model).initial_seed()
        work = tasks.Work(loss, arguments, seed, self.steps, 0)

        def losses() -> Any:
            state = self._stepped(work, settings)
            found = self._submit("losses", itemgetter(2), state)
            self._next = self._with_parameters(state)  # for the next step, already now
            return found

        value = math.fsum(self._compute(losses, until))
        self._state = self._next
        self._history.append((work, settings))
        self.steps += 1
        return value

    def fetch(self) -> None:
        """Bring model and optimizer here to the state of the team.

        This state is left if all workers die at once, so fetch now and then.
        """
        if self.fetched == self.steps:
            return
        state = self._compute(lambda: self._state[0], time.monotonic() + self.limit)
        tasks.assign(self.model, state.parameters)
        self.optimizer.load_state_dict(state.optimizer)
        self.fetched = self.steps

    def close(self) -> None:
        """Release the team's data on the workers."""
        self._data = [None] * self.shards
        self._replica = self._state = self._next = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
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
        """Submit one step; return its state, on one worker always: it never travels."""
        given = (self._replica, self._state[0], self._parts(work, self.shards), settings)
        return self._submit("update", tasks.update, *given, **_on(self.homes[0]))

    def _with_parameters(self, state: Any) -> tuple[Any, Any]:
        return state, self._submit("parameters", itemgetter(0), state)

    def _parts(self, work: tasks.Work, count: int) -> list[Any]:
        """Submit the gradients of `count` shards from `work.first` on; return one or two to add.

        A part of the tree of sums whose shards are all on one worker is one task.
        """
        chosen = slice(work.first, work.first + count)
        if len({*self.homes[chosen]}) == 1:
            given = (self._replica, self._state[1], self._data[chosen], work)
            where = f"shard {work.first}" + (f" to {chosen.stop - 1}" if count > 1 else "")
            return [self._submit(where, tasks.gradient, *given, **_on(self.homes[work.first]))]
        half = tasks.middle(count)
        rest = work._replace(first=work.first + half)
        return [self._total(work, half), self._total(rest, count - half)]

    def _total(self, work: tasks.Work, count: int) -> Any:
        """Submit the sum of the gradients of `count` shards from `work.first` on."""
        parts = self._parts(work, count)
        what = f"sum of shard {work.first} to {work.first + count - 1}"
        return parts[0] if len(parts) == 1 else self._submit(what, tasks.add, *parts)

    def _root(self, until: float) -> None:
        """Make the state the root of a new graph, and let Dask forget the history before it."""
        packed = self._compute(lambda: self._submit("pack", pickle.dumps, self._state[0]), until)
        self._packed_state, self._history = packed, []
        self._state = self._with_parameters(self._submit("state", pickle.loads, packed))
        self._rooted = time.monotonic()

    def _begin_again(self) -> None:
        """Submit the graph from its root on: at the beginning, and after all workers died."""
        try:
            self._replica = self._submit("model", tasks.Replica, self._packed)
            first: Any = (tasks.begin, self._replica)
            root = (pickle.loads, self._packed_state) if self._packed_state else first
            self._state = self._with_parameters(self._submit("state", *root))
            self.homes, self._looked = [], -math.inf
            self._deal()
            for work, settings in self._history:
                self._state = self._with_parameters(self._stepped(work, settings))
        except BaseException:
            self._replica = None  # half of a graph; the next step begins again
            raise

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
                given = (self._packed_load, shard, self.shards)
                self._data[shard] = self._submit(where, tasks.load, *given, **_on(home))
                self.homes[shard : shard + 1] = [home]

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
        """Submit a task and wait for its result, again if all workers died at once."""
        while True:
            try:
                return self._result(submit(), until)
            except AllDied:
                self._begin_again()

    def _result(self, future: Any, until: float) -> Any:
        """Wait for a result, and meanwhile start workers again that are stuck.

        Raises AllDied if nothing runs any more.
        """
        from distributed import KilledWorker, wait

        idle, patience = 0, STUCK
        signs: dict[str, Sign] = {}
        while not future.done():
            try:
                wait(future, timeout=min(LOOK, max(until - time.monotonic(), 0.05)))
            except TimeoutError:
                busy = self._ask(self.client.scheduler.processing)
                signs = signs_of_life(self._workers(), busy, signs)
                if stuck := [address for address, sign in signs.items() if sign[2] > patience]:
                    self._restart(stuck)
                    patience *= 2  # a worker that was only slow gets the time that it needs
                idle = 0 if any(busy.values()) else idle + 1
                if time.monotonic() > until:
                    raise TimeoutError(self._late()) from None
                if idle > 2:
                    raise AllDied from None
        try:
            return future.result()
        except KilledWorker as error:
            raise WorkerDied(
                f"{error.allowed_failures + 1} workers in turn died in the same place: "
                f"{self._task(error.task)}, step {self.steps}"
            ) from None

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

    def _late(self) -> str:
        busy = self._ask(self.client.scheduler.processing)
        each = [f"{worker} is computing {self._task(k)}" for worker in busy for k in busy[worker]]
        doing = "; ".join(each) or "no worker is computing"
        return f"the step is not done after {self.limit:g} seconds: {doing}"

    def _task(self, key: Any) -> str:
        """Return what a task computes: the last part of its key (`_submit`)."""
        return str(key).removeprefix(f"{self._name}-").partition("-")[2]


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


def _on(address: str) -> dict[str, Any]:
    """Prefer a worker; another one may take its place."""
    return {"workers": [address], "allow_other_workers": True}
