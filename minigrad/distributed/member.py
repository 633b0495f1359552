"""What lives on a worker: a copy of model and optimizer, some shards, and a thread to compute in.

The client's orders are the functions below. Dask runs them in the worker's event loop, each with
the worker as `dask_worker`, and the member of a team lies among the worker's plugins. Gradients go
from worker to worker as messages to a handler of our own: no task, no scheduler, and no pickle.

A step has two phases. In the first, `add_up`, every member computes and then holds the sum of all
gradients, and nothing of its model has changed; it can be broken off at any moment and begun anew.
In the second, `take_step`, whoever has the sum takes the optimizer's step; an order that comes
twice is carried out once.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import pickle
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import cloudpickle
from distributed.protocol.serialize import Serialize

from .ring import Arcs, Pieces, all_reduce
from .shard import Result, as_array, compute, give_back, seed_of
from .words import Trace, Words

HANDLER = "minigrad_team"
"""What a worker is asked for by other workers."""

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""Two numbers out of malloc.h."""


class Order(NamedTuple):
    """What is to be added up: by whom, of which shards, in which step, and at which attempt."""

    attempt: int
    step: int
    seed: int
    ring: Sequence[str]
    arcs: Arcs
    loss: Callable[..., Any]
    arguments: Sequence[Any]


class Raised(NamedTuple):
    """What the user's own functions raised: for the client, which raises it again."""

    error: Exception


class NotAMember(LookupError):
    """A worker that was asked for a team that it does not know: it was started anew."""


class Stopped(RuntimeError):
    """An attempt that was broken off, since another member cannot go on."""


class Member:
    """One worker's part in a team."""

    def __init__(self, worker: Any, team: str, attempt: int, packed: bytes, step: int) -> None:
        keep_memory()
        self.worker, self.team, self.attempt, self.step = worker, team, attempt, step
        self.thread = ThreadPoolExecutor(1, "minigrad")
        self.words = Words()
        self.words.now("unpacking the model")
        try:
            self.model, self.optimizer, self.load = pickle.loads(packed)
        except BaseException:
            self.words.close()
            raise
        self.shards: dict[int, Sequence[Any]] = {}
        self.letters: dict[tuple[int, int], asyncio.Future[Pieces]] = {}
        self.sum: tuple[int, Any] | None = None
        self.words.now("waiting for orders")

    def in_thread(self, function: Callable[..., Any], *arguments: Any) -> asyncio.Future[Any]:
        """Computed beside the event loop, which goes on answering."""
        return asyncio.get_running_loop().run_in_executor(self.thread, function, *arguments)

    def packed(self) -> bytes:
        return cloudpickle.dumps((self.model, self.optimizer, self.load))  # type: ignore[no-any-return]

    # --- The first phase

    async def add_up(self, order: Order) -> list[tuple[float, list[bool]]] | Raised:
        """The loss of each shard here, and which parameters it depends on. The sum stays here."""
        self.begin(order.attempt)
        try:
            results = await self.in_thread(self.compute, order)
            if isinstance(results, Raised):
                return results
            place = order.ring.index(self.worker.address)
            hops = iter(range(3 * len(order.ring)))

            async def exchange(pieces: Pieces) -> Pieces:
                hop = next(hops)
                self.words.now(f"adding gradients up, hop {hop}")
                following = order.ring[(place + 1) % len(order.ring)]
                letter = self.letter(order.attempt, hop)
                send = self.send(following, order.attempt, hop, pieces)
                got, _ = await asyncio.gather(letter, send)
                self.letters.pop((order.attempt, hop), None)
                return got

            flat = {shard: result.flat for shard, result in results.items()}
            summed = await all_reduce(flat, order.arcs, place, exchange)
            if order.attempt == self.attempt:
                self.sum = (order.step, summed)
            self.words.now("waiting for orders")
            return [(result.value, result.used) for result in results.values()]
        finally:
            if self.sum is None:
                await self.stop_others(order)

    def compute(self, order: Order) -> dict[int, Result] | Raised:
        first, last = order.arcs[order.ring.index(self.worker.address)]
        count = order.arcs[-1][1]
        self.shards = {k: shard for k, shard in self.shards.items() if first <= k < last}
        results = {}
        for number in range(first, last):
            where = f"shard {number} of {count}"
            try:
                if number not in self.shards:
                    with self.words.heard(f"loading {where}"):
                        self.shards[number] = self.load(number, count)
                with self.words.heard(f"computing {where}"):
                    results[number] = compute(
                        self.model,
                        order.loss,
                        self.shards[number],
                        order.arguments,
                        seed_of(order.seed, order.step, number),
                    )
            except Exception as error:
                place = f"{self.words.doing} on {self.worker.address}"
                return Raised(portable(error, f"while {place}:\n{traceback.format_exc()}"))
        return results

    # --- Letters: what the previous worker in the ring sends

    def begin(self, attempt: int) -> None:
        """A new attempt: what belongs to older ones is dropped, as is an order that comes late."""
        if attempt < self.attempt:
            raise Stopped(f"attempt {attempt} was broken off")
        self.attempt, self.sum = attempt, None
        for key in [key for key in self.letters if key[0] < attempt]:
            letter = self.letters.pop(key)
            if not letter.done():
                letter.set_exception(Stopped(f"attempt {key[0]} was broken off"))
                letter.exception()  # nobody may be waiting, and that is no reason to complain

    def letter(self, attempt: int, hop: int) -> asyncio.Future[Pieces]:
        """Where a letter arrives, whether it is sent or awaited first."""
        if attempt < self.attempt:
            raise Stopped(f"attempt {attempt} was broken off")
        new = asyncio.get_running_loop().create_future()
        return self.letters.setdefault((attempt, hop), new)

    async def send(self, address: str, attempt: int, hop: int, pieces: Pieces) -> None:
        data = [[on_wire(array) for array in piece] for piece in pieces]
        handler = getattr(self.worker.rpc(address), HANDLER)
        await handler(team=self.team, attempt=attempt, hop=hop, pieces=data)

    def receive(self, attempt: int, hop: int, pieces: Pieces) -> None:
        with contextlib.suppress(Stopped, asyncio.InvalidStateError):
            self.letter(attempt, hop).set_result(pieces)

    async def stop_others(self, order: Order) -> None:
        """Nobody shall wait for letters that do not come."""
        others = [address for address in order.ring if address != self.worker.address]
        stops = [self.send(address, order.attempt, -1, []) for address in others]
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.gather(*stops, return_exceptions=True), 1)

    def stop(self, attempt: int) -> None:
        """Break an attempt off, and all before it; what is being computed runs out."""
        if attempt >= self.attempt:
            self.begin(attempt + 1)

    # --- The second phase

    def take_step(
        self, step: int, used: Sequence[bool], settings: Sequence[dict[str, Any]]
    ) -> None:
        if self.step != step:
            return  # taken already, when the order came for the first time
        if self.sum is None or self.sum[0] != step:
            raise RuntimeError(f"there is no sum for step {step}")
        self.words.now(f"taking step {step}")
        give_back(self.model, self.sum[1], used)
        for group, own in zip(self.optimizer.param_groups, settings, strict=True):
            group.update(own)
        self.optimizer.step()
        self.step += 1
        self.words.now("waiting for orders")

    def state(self) -> tuple[list[Any], Any]:
        return [as_array(p) for p in self.model.parameters()], self.optimizer.state_dict()

    def teardown(self, worker: Any) -> None:
        """Dask calls it when the worker is told to end."""
        self.thread.shutdown(wait=False, cancel_futures=True)
        self.words.close()


def keep_memory() -> None:
    """Have the C library keep what a step frees for the next one.

    Dask has its workers return each array to the system (MALLOC_TRIM_THRESHOLD_), and the next
    step would fetch it again page by page: a third of its time. These are the limits that the
    library comes to by itself elsewhere. Other systems' libraries have none.
    """
    with contextlib.suppress(AttributeError, OSError, TypeError):
        library = ctypes.CDLL(None)
        library.mallopt(M_MMAP_THRESHOLD, 2**25)
        library.mallopt(M_TRIM_THRESHOLD, 2**26)


def portable(error: Exception, note: str) -> Exception:
    """The error as it arrives in another process, with a note on where it comes from."""
    try:
        copy = pickle.loads(cloudpickle.dumps(error))
    except Exception:
        copy = RuntimeError(f"{type(error).__name__}: {error}")
    copy.add_note(note)
    return copy  # type: ignore[no-any-return]


def on_wire(data: Any) -> Any:
    """As Dask sends arrays and bytes to another worker: without a pickle, and without copies."""
    mark: Any = Serialize  # which is not typed
    return mark(data)


# --- The client's orders, which Dask runs on each worker


def member_of(team: str, worker: Any) -> Member:
    member = worker.plugins.get(team)
    if member is None:
        raise NotAMember(f"{worker.address} is not in this team")
    return member  # type: ignore[no-any-return]


async def join(
    team: str,
    attempt: int,
    step: int,
    sources: dict[str, str],
    packed: bytes | None,
    dask_worker: Any,
) -> Trace:
    """Become a member, with what the client has packed, or with what another member packs."""
    await known_to_nanny(dask_worker)
    dask_worker.handlers[HANDLER] = lambda **letter: answer(dask_worker, **letter)
    if packed is None:
        ask = getattr(dask_worker.rpc(sources[dask_worker.address]), HANDLER)
        packed = await ask(team=team)
    loop = asyncio.get_running_loop()
    member = await loop.run_in_executor(None, Member, dask_worker, team, attempt, packed, step)
    old = dask_worker.plugins.get(team)
    if old is not None and old.attempt > attempt:  # this order was late, and came before
        member.teardown(dask_worker)
        raise Stopped("there was a later order to join")
    dask_worker.plugins[team] = member
    if old is not None:
        old.teardown(dask_worker)
    return Trace(os.getpid(), member.words.path, dask_worker.nanny)


async def known_to_nanny(worker: Any) -> None:
    """Wait until the nanny knows that its worker runs: it gives up if one dies before."""
    for _ in range(100):
        if worker.nanny is None:
            return
        said = await worker.rpc(worker.nanny).run(function=cloudpickle.dumps(has_started))
        if said["result"]:
            return
        await asyncio.sleep(0.05)


def has_started(dask_worker: Any) -> bool:
    """Asked of a nanny: whether the process that it has started has told so."""
    return dask_worker.process is not None and dask_worker.process.status.name == "running"


async def answer(
    worker: Any, team: str, attempt: int = 0, hop: int | None = None, pieces: Pieces | None = None
) -> Any:
    """What a worker does for another one: pack the model, or take a letter."""
    member = member_of(team, worker)
    if hop is None:
        return on_wire(await member.in_thread(member.packed))
    if hop < 0:
        member.stop(attempt)
    else:
        member.receive(attempt, hop, pieces or [])
    return None


async def add_up(team: str, order: Order, dask_worker: Any) -> Any:
    return await member_of(team, dask_worker).add_up(order)


async def take_step(
    team: str,
    step: int,
    used: Sequence[bool],
    settings: Sequence[dict[str, Any]],
    dask_worker: Any,
) -> None:
    member = member_of(team, dask_worker)
    await member.in_thread(member.take_step, step, used, settings)


async def state(team: str, dask_worker: Any) -> tuple[list[Any], Any]:
    member = member_of(team, dask_worker)
    return await member.in_thread(member.state)  # type: ignore[no-any-return]


async def stop(team: str, attempt: int, dask_worker: Any) -> None:
    with contextlib.suppress(NotAMember):
        member_of(team, dask_worker).stop(attempt)


async def doing(team: str, dask_worker: Any) -> str:
    member = dask_worker.plugins.get(team)
    return "waiting for the model" if member is None else member.words.doing


async def leave(team: str, dask_worker: Any) -> None:
    member = dask_worker.plugins.pop(team, None)
    if member is not None:
        member.teardown(dask_worker)
