"""Who gives the orders: the client's side of a team of workers.

A step is an order to all members to add up their gradients, and an order to take the step. While it
waits for the answers, the client looks at which workers there are, several times a second. If one
is gone, the attempt is broken off, the shards are dealt anew among those that are left, and the
step begins again: nobody has changed anything before all had the sum.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from .ring import Arcs, balanced
from .shard import library_of
from .words import Death, Trace, death_of

if TYPE_CHECKING:
    from distributed import Client

LOOK = 0.2
"""Seconds between two looks at which workers there are, while answers are awaited."""

NEWCOMERS = 1.0
"""Seconds between two looks for workers that have joined: a look costs a millisecond."""

DEATHS = 3
"""A shard that so many workers died of, in one step, is not tried again."""

PATIENCE = 60.0
"""Seconds to wait for a nanny to start a worker, where none is left."""


class WorkerDied(RuntimeError):
    """A step that cannot be done since workers die; the message says of which shard, and how."""


class Lost(Exception):
    """Members that did not answer, since they are gone."""

    def __init__(self, gone: Sequence[str]) -> None:
        super().__init__(*gone)
        self.gone = gone


class Team:
    """Workers that train one model together, each of which holds a copy of it and of its optimizer.

    `load(index, shards)` loads one shard, a tuple of tensors, on the worker that is to have it;
    together the shards hold each sample once. They are dealt to the workers as evenly as can be,
    and anew when a worker dies or joins. At most `workers` of the cluster take part, all of them if
    that is None; and never more than there are shards.

    The workers train copies: `model` and `optimizer` here stay as they are until `fetch`. The
    settings of the optimizer, such as its learning rate, are those here in each step. So are the
    draws of dropout: they follow from `manual_seed` here, and from the number of shards. (They
    differ from those of one process, which draws for the whole batch at once.)

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
        self.client: Any = client
        self.model, self.optimizer, self.load = model, optimizer, load
        self.shards, self.limit = shards, limit
        self.most = min(shards, workers or shards)
        self.name = f"minigrad-{id(self):x}-{time.time_ns():x}"
        self.steps = 0
        self.saved = 0  # the step after which model and optimizer are as they are here
        self.attempt = 0
        self.decided: tuple[list[bool], list[dict[str, Any]]] | None = None
        self.members: list[str] = []
        self.traces: dict[str, Trace] = {}
        self.deaths: list[Death] = []
        self.looked = -math.inf
        self.nannies = True  # whether a worker that died may be started anew, as far as is known

    @property
    def arcs(self) -> dict[str, range]:
        """Which worker has which shards."""
        return {
            address: range(*arc) for address, arc in zip(self.members, self.dealt(), strict=True)
        }

    def dealt(self) -> Arcs:
        return balanced(self.shards, len(self.members)) if self.members else []

    def step(self, loss: Callable[..., Any], *arguments: Any) -> float:
        """One step of the optimizer on the gradient of all shards together; the loss before it.

        `loss(model, *shard, *arguments)` runs on the workers. It returns the shard's part of the
        loss, a scalar, such that the parts add up: a sum over the samples, divided by the number of
        all samples where a mean is wanted. What it raises there is raised here, and nothing has
        changed. A worker that dies is replaced; WorkerDied if that does not help.
        """
        return self.client.sync(self.take, loss, arguments)  # type: ignore[no-any-return]

    def fetch(self) -> None:
        """Bring model and optimizer here to where those of the workers are.

        Should all workers die at once, this is what is left; so fetch now and then.
        """
        self.client.sync(self.bring)

    def close(self) -> None:
        """Let the workers forget the team."""
        self.client.sync(self.end)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        place: TracebackType | None,
    ) -> None:
        self.close()

    # --- A step, in the client's event loop

    async def take(self, loss: Callable[..., Any], arguments: Sequence[Any]) -> float:
        until = time.monotonic() + self.limit
        await self.carry_out(until)  # if the call before was interrupted just then
        self.deaths = []
        found = await self.added_up(loss, arguments, until)
        used = [any(each) for each in zip(*(used for _, used in found), strict=True)]
        settings = [
            {name: value for name, value in group.items() if name != "params"}
            for group in self.optimizer.param_groups
        ]
        self.decided = used, settings
        await self.carry_out(until)
        return math.fsum(value for value, _ in found)

    async def carry_out(self, until: float) -> None:
        """Have everyone take the step that is decided. Who dies now is missed by nobody, as long
        as there are others; and an order that comes twice is carried out once.
        """
        from .member import take_step

        while self.decided is not None:
            if not self.members:
                self.decided = None
                raise self.nobody_left()
            try:
                await self.ordered(until, self.members, take_step, self.steps, *self.decided)
            except Lost as lost:
                await self.bury(lost)
                continue
            except TimeoutError:
                raise
            except Exception:
                self.members, self.decided = [], None  # the copies may differ by now
                raise
            self.steps += 1
            self.decided = None

    async def added_up(
        self, loss: Callable[..., Any], arguments: Sequence[Any], until: float
    ) -> list[tuple[float, list[bool]]]:
        """For each shard its loss, and what it depends on; every member has the sum."""
        from .member import Order, Raised, add_up, stop

        seed = library_of(self.model).initial_seed()
        while True:
            await self.muster(until)
            self.attempt += 1
            ring, arcs = tuple(self.members), self.dealt()
            order = Order(self.attempt, self.steps, seed, ring, arcs, loss, arguments)
            try:
                answers = await self.ordered(until, ring, add_up, order)
            except (Lost, TimeoutError) as error:
                await self.told(ring, stop, self.attempt)
                if isinstance(error, TimeoutError):
                    raise
                await self.bury(error)
                continue
            for answer in answers.values():
                if isinstance(answer, Raised):
                    raise answer.error
            return [shard for address in ring for shard in answers[address]]

    async def ordered(
        self, until: float, workers: Sequence[str], function: Callable[..., Any], *arguments: Any
    ) -> dict[str, Any]:
        """What `function` returns on each of the workers. Lost if one of them is gone, or of the
        members, who may have to help them; TimeoutError if it is too late.
        """
        from .member import NotAMember, Raised

        needed = {*workers, *self.members}
        call = asyncio.ensure_future(
            self.client.run(
                function, self.name, *arguments, workers=list(workers), on_error="return"
            )
        )
        try:
            while not (await asyncio.wait({call}, timeout=LOOK))[0]:
                gone = needed - set(await self.there(until))
                if gone:
                    raise Lost(sorted(gone))
                if time.monotonic() > until:
                    raise TimeoutError(await self.late(needed))
            answers: dict[str, Any] = call.result()
        finally:
            call.cancel()
        errors = {a: e for a, e in answers.items() if isinstance(e, Exception)}
        if not errors or any(isinstance(answer, Raised) for answer in answers.values()):
            return answers
        # A connection that broke: in a moment the scheduler, too, knows whose end that was.
        for _ in range(20):
            gone = needed - set(await self.there(until))
            gone |= {a for a, error in errors.items() if isinstance(error, NotAMember)}
            if gone:
                raise Lost(sorted(gone))
            await asyncio.sleep(LOOK)
        raise next(iter(errors.values()))

    async def told(
        self, workers: Sequence[str], function: Callable[..., Any], *rest: Any
    ) -> set[str]:
        """Have those of the workers that are still there run `function`, and wait but a moment for
        them. Who has done so.
        """
        try:
            there = await self.there(time.monotonic() + 2)
            call = self.client.run(
                function,
                self.name,
                *rest,
                workers=[w for w in workers if w in there],
                on_error="ignore",
            )
            return set(await asyncio.wait_for(call, 2))
        except (TimeoutError, OSError):
            return set()

    # --- Who is there

    async def there(self, until: float) -> list[str]:
        """The workers that the scheduler has; TimeoutError if it is too late before it answers."""
        answer = asyncio.ensure_future(self.client.nthreads())
        if not (await asyncio.wait({answer}, timeout=max(until - time.monotonic(), LOOK)))[0]:
            answer.cancel()
            raise TimeoutError(
                f"the step is not done after {self.limit:g} seconds: the scheduler "
                f"{self.client.scheduler.address} does not answer"
            )
        return list(answer.result())

    async def muster(self, until: float) -> None:
        """See who is there, and have newcomers join, as far as there is work for them."""
        if self.members and time.monotonic() < self.looked + NEWCOMERS:
            return
        self.looked = time.monotonic()
        there = await self.there(until)
        gone = [address for address in self.members if address not in there]
        if gone:
            await self.bury(Lost(gone))
        if not self.members and self.steps != self.saved:
            raise self.nobody_left()
        while not there:
            if not self.nannies or time.monotonic() > min(until, self.looked + PATIENCE):
                raise self.nobody_left()
            await asyncio.sleep(LOOK)
            there = await self.there(until)
        new = [address for address in there if address not in self.members]
        await self.join(new[: self.most - len(self.members)], until)

    async def join(self, new: list[str], until: float) -> None:
        """Give the model to newcomers: the first has it from here, others from those that have it,
        twice as many in each round.
        """
        from .member import join

        while new:
            if self.members:
                packed = None
                sources = dict(zip(new, self.members, strict=False))
            else:
                import cloudpickle

                packed = cloudpickle.dumps((self.model, self.optimizer, self.load))
                sources = {new[0]: ""}
            try:
                self.attempt += 1
                order = self.attempt, self.steps, sources, packed
                traces = await self.ordered(until, list(sources), join, *order)
            except Lost as lost:
                new = [address for address in new if address not in lost.gone]
                await self.bury(Lost([address for address in lost.gone if address in self.members]))
                if not self.members and self.steps != self.saved:
                    raise self.nobody_left() from None
                continue
            self.traces |= traces
            self.nannies = any(trace.nanny for trace in traces.values())
            self.members += traces
            new = [address for address in new if address not in traces]

    async def bury(self, lost: Lost) -> None:
        """Take the lost from the list; find out how they died, and if it is always the same shard
        that they die of.
        """
        arcs = self.arcs
        for address in lost.gone:
            self.members = [other for other in self.members if other != address]
            death = await death_of(self.client, address, self.traces.pop(address))
            if not death.doing and address in arcs:
                shards = arcs[address]
                death = death._replace(doing=f"it had shards {shards[0]} to {shards[-1]}")
            self.deaths.append(death)
        self.looked = -math.inf
        often = Counter(d.doing for d in self.deaths if "shard" in d.doing)
        for doing, count in often.items():
            if count >= DEATHS:
                last = next(d for d in reversed(self.deaths) if d.doing == doing)
                raise WorkerDied(f"{count} workers in turn died in the same place. {last}")

    def nobody_left(self) -> WorkerDied:
        told = "".join(f" {death}" for death in self.deaths[-1:])
        kept = f"step {self.saved}" if self.saved else "the beginning"
        return WorkerDied(
            f"no worker is left that holds the model after step {self.steps}; the model here is as "
            f"it was at {kept}.{told}"
        )

    async def late(self, workers: Iterable[str]) -> str:
        """What each of the workers is doing that have not answered in time."""
        from .member import doing

        async def one(address: str) -> str:
            call = self.client.run(doing, self.name, workers=[address])
            try:
                return f"{address} is {(await asyncio.wait_for(call, 2))[address]}"
            except Exception:
                arc = self.arcs.get(address)
                part = f"has shards {arc[0]} to {arc[-1]}" if arc else "is to have the model"
                return f"{address}, which {part}, does not answer"

        each = await asyncio.gather(*(one(address) for address in sorted(workers)))
        return f"the step is not done after {self.limit:g} seconds: {'; '.join(each)}"

    async def bring(self) -> None:
        from .member import state

        until = time.monotonic() + self.limit
        await self.carry_out(until)
        while self.members and self.steps != self.saved:
            first = self.members[0]
            try:
                arrays, settings = (await self.ordered(until, [first], state))[first]
            except Lost as lost:
                await self.bury(lost)
                continue
            library = library_of(self.model)
            with library.no_grad():
                for parameter, array in zip(self.model.parameters(), arrays, strict=True):
                    parameter.copy_(library.from_numpy(array))
            self.optimizer.load_state_dict(settings)
            self.saved = self.steps
        if self.steps != self.saved:
            raise self.nobody_left()

    async def end(self) -> None:
        from .member import leave

        gone = set(self.members) - await self.told(self.members, leave)
        await asyncio.gather(*(death_of(self.client, a, self.traces[a]) for a in gone))
        self.members = []
