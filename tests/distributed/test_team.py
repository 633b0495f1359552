"""A team of workers: equal to one process, on any number of workers, whatever happens to them."""

from __future__ import annotations

import contextlib
import functools
import gc
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import minigrad as mg
from minigrad import distributed
from minigrad.distributed import WorkerDied, connect, gradients
from tests.sampling import all_of

pytest.importorskip("distributed", reason="Dask is not installed (pip install '.[dist]')")

SAMPLES, INPUTS, CLASSES, WORKERS = 90, 20, 5, 3
Loss = Callable[..., Any]
Team = functools.partial(distributed.Team, limit=200.0)
"""A step that hangs fails soon."""
SOON = 30 if all_of("KILLS") else 120
"""Seconds a step may take after a death; other tests slow the machine down."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with connect(workers=WORKERS) as connected:
        yield connected


@pytest.fixture
def client(cluster: Any) -> Any:
    """A client with all workers, after those that died have been started again."""
    present(cluster, WORKERS)
    return cluster


def present(client: Any, count: int) -> None:
    """Wait for `count` workers. A nanny under load may give up, and is then replaced."""
    try:
        client.wait_for_workers(count, timeout=20)
    except TimeoutError:
        client.cluster.scale(len(client.cluster.worker_spec) + count - len(client.nthreads()))
        client.wait_for_workers(count, timeout=300)


def until(condition: Callable[[], bool]) -> None:
    """Wait for a state, at most five minutes."""
    deadline = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def filled(team: distributed.Team, count: int) -> list[float]:
    """Step until `count` workers have shards, and return the losses."""
    losses = []
    while len({*team.homes} & {*team.client.nthreads()}) < count:
        present(team.client, count)
        team._looked = 0.0  # a second later
        losses.append(team.step(part_of_mean()))
    return losses


def data(T: Any = mg) -> tuple[Any, Any]:
    T.manual_seed(1)
    return T.randn(SAMPLES, INPUTS), T.randint(0, CLASSES, (SAMPLES,))


def network(T: Any = mg, *between: Any) -> Any:
    T.manual_seed(0)
    layers = (T.nn.Linear(INPUTS, 16), *between, T.nn.Tanh(), T.nn.Linear(16, CLASSES))
    return T.nn.Sequential(*layers)


def load_from(T: Any = mg) -> Callable[[int, int], tuple[Any, Any]]:
    x, y = data(T)
    return lambda index, count: (x[index::count], y[index::count])


def part_of_mean(T: Any = mg) -> Loss:
    """The contribution of a shard to the mean loss of all samples."""
    return lambda model, x, y: T.nn.functional.cross_entropy(model(x), y, reduction="sum") / SAMPLES


def sgd(T: Any, model: Any) -> Any:
    return T.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)


def numbers(model: Any) -> list[Any]:
    return [parameter.tolist() for parameter in model.parameters()]


def train_alone(T: Any, steps: int) -> tuple[list[float], Any]:
    """The losses and the model of one process that has all of the data."""
    model = network(T)
    optimizer = sgd(T, model)
    x, y = data(T)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = T.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model


def train(
    client: Any, steps: int, shards: int, *, T: Any = mg, model: Any = None, **more: Any
) -> tuple[list[float], Any]:
    """The same by a team."""
    model = model or network(T)
    with Team(client, model, sgd(T, model), load_from(T), shards, **more) as team:
        losses = [team.step(part_of_mean(T)) for _ in range(steps)]
        team.fetch()
    return losses, model


def assert_close(split: tuple[list[float], Any], alone: tuple[list[float], Any]) -> None:
    assert split[0] == pytest.approx(alone[0], rel=1e-5)
    for a, b in zip(split[1].parameters(), alone[1].parameters(), strict=True):
        assert a.tolist() == [pytest.approx(row, abs=1e-6) for row in b.tolist()]


# --- The same as one process


@pytest.mark.parametrize("shards", [1, 2, 3, 7])
def test_the_same_as_one_process_to_rounding(client: Any, shards: int) -> None:
    alone = train_alone(mg, 8)
    assert alone[0][-1] < 0.8 * alone[0][0]
    assert_close(train(client, 8, shards), alone)


def test_a_model_of_pytorch_is_trained_as_well(client: Any, pytorch: Any) -> None:
    assert_close(train(client, 3, 2, T=pytorch, workers=1), train_alone(pytorch, 3))


def test_the_same_to_the_bit_on_any_number_of_workers(client: Any) -> None:
    """With dropout: what is dropped follows from the seed here."""
    found = []
    for workers in (1, 2, 3):
        losses, model = train(client, 4, 5, workers=workers, model=network(mg, mg.nn.Dropout(0.5)))
        found.append((losses, numbers(model)))
    assert found[0] == found[1] == found[2]
    model = network(mg, mg.nn.Dropout(0.5))
    with Team(client, model, sgd(mg, model), load_from(), 5) as team:
        mg.manual_seed(7)
        assert team.step(part_of_mean()) != found[0][0][0]


def test_dropout_differs_by_step_and_shard(client: Any) -> None:
    model = mg.nn.Linear(1, 1)
    with Team(
        client, model, mg.optim.SGD(model.parameters(), lr=0.0), lambda i, n: (i,), 3
    ) as team:
        losses = [
            team.step(
                lambda model, i, wanted: model.bias.sum() * 0 + (i == wanted) * mg.rand(()), k
            )
            for k in (0, 1, 0)
        ]
    assert len(set(losses)) == 3


def test_the_optimizer_comes_back_with_the_model(client: Any) -> None:
    """Momentum and all: training goes on here as it would have there."""
    losses, model = train_alone(mg, 6)
    there = network()
    optimizer = sgd(mg, there)
    team = Team(client, there, optimizer, load_from(), 3)
    found = [team.step(part_of_mean()) for _ in range(3)]
    team.fetch()
    x, y = data()
    for _ in range(3):
        optimizer.zero_grad()
        loss = mg.nn.functional.cross_entropy(there(x), y)
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    assert_close((found, there), (losses, model))


def test_the_settings_of_the_optimizer_are_those_here(client: Any) -> None:
    """A schedule of learning rates runs here."""

    def schedule(optimizer: Any) -> Any:
        return mg.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.1)

    alone, split = network(), network()
    x, y = data()
    optimizer = sgd(mg, alone)
    rates = schedule(optimizer)
    for _ in range(3):
        optimizer.zero_grad()
        mg.nn.functional.cross_entropy(alone(x), y).backward()
        optimizer.step()
        rates.step()
    optimizer = sgd(mg, split)
    team = Team(client, split, optimizer, load_from(), 2)
    rates = schedule(optimizer)
    for _ in range(3):
        team.step(part_of_mean())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the optimizer here takes no step before `fetch`
            rates.step()
    team.fetch()
    assert_close(([], split), ([], alone))


def test_unused_parameter_stays_unchanged(client: Any) -> None:
    """A gradient of zeros would let the weight decay shrink it."""
    model = mg.nn.ModuleList([mg.nn.Linear(INPUTS, 1), mg.nn.Linear(INPUTS, 1)])
    before = numbers(model)
    optimizer = mg.optim.SGD(model.parameters(), lr=0.1, weight_decay=0.5)
    team = Team(client, model, optimizer, load_from(), 3)
    team.step(lambda m, x, y: m[0](x).sum())
    team.fetch()
    after = numbers(model)
    assert [a == b for a, b in zip(after, before, strict=True)] == [False, False, True, True]


# --- What is refused, and what the loss raises


def test_statistics_of_one_shard_are_refused(client: Any) -> None:
    model = network(mg, mg.nn.BatchNorm1d(16))
    before = numbers(model)
    team = Team(client, model, sgd(mg, model), load_from(), 2)
    with pytest.raises(RuntimeError, match=r"changed 1\.running_mean, 1\.running_var, .*LayerNorm"):
        team.step(part_of_mean())
    # In eval() it uses the statistics that it has: those of the beginning.
    value = team.step(lambda model, x, y: part_of_mean()(model.eval(), x, y))
    x, y = data()
    expected = mg.nn.functional.cross_entropy(model.eval()(x), y).item()
    assert value == pytest.approx(expected, rel=1e-5)
    assert numbers(model) == before  # before `fetch`


def test_error_in_loss_changes_nothing(client: Any) -> None:
    model = network()
    before = numbers(model)

    def only_the_last(model: Any, x: Any, y: Any) -> Any:
        value = part_of_mean()(model, x, y)
        return value if len(x) > SAMPLES // 7 else value.nonsense

    with Team(client, model, sgd(mg, model), load_from(), 7) as team:
        team.step(part_of_mean())
        with pytest.raises(RuntimeError, match="only for scalar outputs") as caught:
            team.step(lambda m, x, y: m(x))
        assert "while computing shard " in caught.value.__notes__[0]
        assert "in gradient" in caught.value.__notes__[0]
        with pytest.raises(AttributeError, match="nonsense") as caught_too:
            team.step(only_the_last)
        assert "while computing shard 6" in caught_too.value.__notes__[0]
        assert (team.steps, numbers(model)) == (1, before)
        losses = [team.step(part_of_mean()) for _ in range(3)]
    assert losses == train(client, 4, 7)[0][1:]


def test_timeout_of_the_loss_is_raised(client: Any) -> None:
    """It is not taken for a step that is not done yet."""

    def loss(model: Any, x: Any, y: Any) -> Any:
        raise TimeoutError("no answer")

    model = network()
    with Team(client, model, sgd(mg, model), load_from(), 2) as team:
        with pytest.raises(TimeoutError, match="no answer"):
            team.step(loss)


def test_unpicklable_error_is_raised_as_text(client: Any) -> None:
    class Two(Exception):
        def __init__(self, a: int, b: int) -> None:
            super().__init__(f"{a} and {b}")

    def loss(model: Any, x: Any, y: Any) -> Any:
        raise Two(1, 2)

    model = network()
    with Team(client, model, sgd(mg, model), load_from(), 2) as team:
        with pytest.raises(Exception, match="1 and 2"):
            team.step(loss)


def test_a_team_without_shards_or_workers_is_none() -> None:
    for shards, workers in ((0, None), (2, 0)):
        with pytest.raises(ValueError, match="at least one"):
            Team(None, None, None, None, shards, workers=workers)  # type: ignore[arg-type]


def test_what_takes_too_long_is_named(client: Any, tmp_path: Path) -> None:
    """And the next step can be taken as if nothing had been."""
    go_on = tmp_path / "go on"

    def slow(model: Any, x: Any, y: Any) -> Any:
        while len(x) == SAMPLES // 4 and not go_on.exists():
            time.sleep(0.01)
        return part_of_mean()(model, x, y)

    model = network()
    with Team(client, model, sgd(mg, model), load_from(), 4) as team:
        losses = [team.step(part_of_mean())]
        team.limit = 2.0
        with pytest.raises(TimeoutError, match=r"2 seconds: .* is computing shard 2"):
            team.step(slow)
        go_on.touch()
        team.limit = 200
        losses += [team.step(part_of_mean()) for _ in range(2)]
    assert losses == train(client, 3, 4)[0]


def test_an_interrupted_step_changes_nothing(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(submit: Callable[[], Any], until: float) -> Any:
        submit()
        time.sleep(0.2)
        raise KeyboardInterrupt

    model = network()
    with Team(client, model, sgd(mg, model), load_from(), 3) as team:
        losses = [team.step(part_of_mean())]
        monkeypatch.setattr(team, "_compute", interrupted)
        with pytest.raises(KeyboardInterrupt):
            team.step(part_of_mean())
        monkeypatch.undo()
        losses += [team.step(part_of_mean()) for _ in range(2)]
        team.fetch()
    undisturbed = train(client, 3, 3)
    assert losses == undisturbed[0]
    assert numbers(model) == numbers(undisturbed[1])


def test_timeout_while_rooting_changes_nothing(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_late(until: float) -> None:
        raise TimeoutError

    model = network()
    with Team(client, model, sgd(mg, model), load_from(), 3) as team:
        losses = [team.step(part_of_mean())]
        monkeypatch.setattr("minigrad.distributed.team.HISTORY", 0.0)
        with monkeypatch.context() as patch:
            patch.setattr(team, "_root", too_late)
            with pytest.raises(TimeoutError):
                team.step(part_of_mean())
        losses += [team.step(part_of_mean()) for _ in range(2)]
    assert losses == train(client, 3, 3)[0]


def test_fetch_begins_a_half_built_graph_again(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interrupt while steps are submitted again left the state before them."""

    def interrupted() -> None:
        raise KeyboardInterrupt

    model = network()
    with Team(client, model, sgd(mg, model), load_from(), 3) as team:
        losses = [team.step(part_of_mean()) for _ in range(2)]
        with monkeypatch.context() as patch:
            patch.setattr(team, "_deal", interrupted)
            with pytest.raises(KeyboardInterrupt):
                team._begin_again()
        team.fetch()
    undisturbed = train(client, 2, 3)
    assert losses == undisturbed[0]
    assert numbers(model) == numbers(undisturbed[1])


# --- What it keeps


def test_the_scheduler_keeps_a_short_history(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand steps at night. A large model brings no warning of a large graph."""
    monkeypatch.setattr("minigrad.distributed.team.HISTORY", 0.05)

    def known(dask_scheduler: Any) -> int:
        return len(dask_scheduler.tasks)

    others = client.run_on_scheduler(known)
    model = mg.nn.Linear(2000, 1500)  # 12 MB
    optimizer = mg.optim.SGD(model.parameters(), lr=0.0)
    with Team(client, model, optimizer, lambda i, n: (mg.ones(1, 2000),), 2) as team:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            team.step(lambda model, x: model(x).sum())
    small = network()
    with Team(client, small, sgd(mg, small), load_from(), 4) as team:
        most = 0
        for _ in range(1000 if all_of("KILLS") else 40):
            team.step(part_of_mean())
            most = max(most, client.run_on_scheduler(known))
    assert most < others + 150

    def is_forgotten() -> bool:
        gc.collect()  # an error of Dask's own may hold a future in a cycle
        return bool(client.run_on_scheduler(known) <= others)

    until(is_forgotten)


def test_two_workers_step_in_five_tasks(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sum apart from the update would travel to it. States do not: each worker has its own."""
    submitted = []
    get = client.get

    def counted(graph: Any, keys: Any, **how: Any) -> Any:
        submitted.append([key.split("-", 3)[-1].partition("-")[2] for key in graph])
        return get(graph, keys, **how)

    model = network()
    with Team(client, model, sgd(mg, model), load_from(), 2, workers=2) as team:
        for name in ("LOOK", "HISTORY"):
            monkeypatch.setattr(f"minigrad.distributed.team.{name}", 600.0)
        for _ in range(2):  # the second step makes a root
            team.step(part_of_mean())
        monkeypatch.setattr(client, "get", counted)
        team.step(part_of_mean())
        states = team._states
        until(lambda: all(state.done() for state in states.values()))
        held = {state.key: (home,) for home, state in states.items()}
        assert client.who_has([*states.values()]) == held
    assert submitted == [["shard 0", "shard 1", "update", "update", "losses"]]


def test_shard_gradient_is_a_pure_function(client: Any) -> None:
    x, y = data()
    model = network()
    there = client.submit(gradients, model, part_of_mean(), (x, y)).result()
    here = gradients(model, part_of_mean(), (x, y))
    assert there[0] == here[0]
    assert [g.tolist() for g in there[1]] == [g.tolist() for g in here[1]]


# --- Workers that die


def process_of(client: Any, address: str) -> int:
    return client.run(os.getpid, workers=[address])[address]  # type: ignore[no-any-return]


def disturbed(client: Any, count: int, signals: list[int]) -> tuple[list[float], Any]:
    """A training in which `count` workers are killed or frozen at random moments."""
    model, draw = network(mg, mg.nn.Dropout(0.5)), random.Random(0)
    losses = []
    with Team(client, model, sgd(mg, model), load_from(), 4) as team:
        losses.append(team.step(part_of_mean()))
        for number in range(count):
            process = None
            while process is None:
                present(client, WORKERS)
                with contextlib.suppress(OSError):  # a worker that was frozen is just replaced
                    process = process_of(client, draw.choice(sorted(client.nthreads())))
            how = signals[number % len(signals)]
            timer = threading.Timer(0.1 * draw.random(), send, (process, how))
            timer.start()
            for _ in range(3):
                start = time.monotonic()
                losses.append(team.step(part_of_mean()))
                assert time.monotonic() - start < SOON
            timer.join()
        team.fetch()
    return losses, model


def send(process: int, how: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, how)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_dying_workers_change_no_bit(client: Any, how: int) -> None:
    """A few in each run, a hundred at night."""
    count = 50 if all_of("KILLS") else 2 if how == signal.SIGKILL else 1
    losses, model = disturbed(client, count, [how])
    undisturbed = train(client, len(losses), 4, model=network(mg, mg.nn.Dropout(0.5)))
    assert losses == undisturbed[0]
    assert numbers(model) == numbers(undisturbed[1])


def look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start a worker again after a second and a half without a sign of life."""
    monkeypatch.setattr("minigrad.distributed.team.LOOK", 0.3)
    monkeypatch.setattr("minigrad.distributed.team.STUCK", 4)


def ignore_tasks(dask_worker: Any) -> None:
    """Lose the messages of the scheduler that bring tasks."""
    dask_worker.stream_handlers["compute-task"] = lambda **message: None


def test_a_worker_that_lost_its_tasks_is_started_again(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scheduler waits for tasks of which the worker knows nothing; its heartbeats go on."""
    look_often(monkeypatch)
    model = network()
    with Team(client, model, sgd(mg, model), load_from(), 4) as team:
        losses = filled(team, WORKERS)
        deaf = team.homes[-1]
        client.run(ignore_tasks, workers=[deaf])
        losses.append(team.step(part_of_mean()))
        assert deaf not in client.nthreads()
    assert losses == train(client, len(losses), 4)[0]


async def add_ghost(dask_scheduler: Any) -> str:
    """Register a worker that dies before it is told so: Dask keeps it in its list."""

    class Closed:
        async def write(self, *_: Any) -> None:
            raise OSError("the worker has died")

    alive = next(iter(dask_scheduler.workers.values()))
    with contextlib.suppress(OSError):
        await dask_scheduler.add_worker(
            Closed(),
            address="tls://127.0.0.1:1",
            name="ghost",
            server_id="ghost",
            status="running",
            nthreads=1,
            now=time.time(),
            resources={},
            memory_limit=None,
            metrics=alive.metrics,
            services={},
            versions={},
            local_directory="",
            nanny=alive.nanny,
            extra={},
            stimulus_id="ghost",
        )
    return "tls://127.0.0.1:1"


def test_worker_dead_at_registration_is_removed(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_often(monkeypatch)
    ghost = client.run_on_scheduler(add_ghost)
    model = network()
    with Team(client, model, sgd(mg, model), load_from(), 7) as team:
        losses = [team.step(part_of_mean()) for _ in range(2)]
        assert ghost not in client.nthreads()
    assert losses == train(client, 2, 7)[0]


def test_frozen_worker_with_idle_nanny_is_removed(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_often(monkeypatch)
    model = network()
    with Team(client, model, sgd(mg, model), load_from(), 4) as team:
        losses = filled(team, WORKERS)
        victim = team.homes[-1]
        process = process_of(client, victim)
        for nanny in client.cluster.workers.values():
            monkeypatch.setitem(nanny.handlers, "kill", lambda **_: None)
        with frozen(process):
            losses.append(team.step(part_of_mean()))
            assert victim not in client.nthreads()
            send(process, signal.SIGKILL)  # a worker that is told to close takes its nanny along
    assert losses == train(client, len(losses), 4)[0]


def test_worker_frozen_with_the_result_is_restarted(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The step is done, and its losses are on a worker that sends nothing."""
    from distributed import wait

    look_often(monkeypatch)
    model = network()
    with Team(client, model, sgd(mg, model), load_from(), 4) as team:
        losses = filled(team, WORKERS)
        processes = [process_of(client, team.homes[0])]
        stepped = team._stepped

        def then_frozen(*given: Any) -> Any:
            found = stepped(*given)
            if processes:
                wait(found)
                send(processes.pop(), signal.SIGSTOP)
            return found

        monkeypatch.setattr(team, "_stepped", then_frozen)
        start = time.monotonic()
        losses.append(team.step(part_of_mean()))
        assert time.monotonic() - start < SOON
    assert losses == train(client, len(losses), 4)[0]


def test_training_survives_all_workers(client: Any) -> None:
    """The scheduler holds the root of the graph, so new workers compute all of it again."""
    model = network(mg, mg.nn.Dropout(0.5))
    with Team(client, model, sgd(mg, model), load_from(), 4) as team:
        losses = [team.step(part_of_mean()) for _ in range(2)]
        for process in client.run(os.getpid).values():
            send(process, signal.SIGKILL)
        losses += [team.step(part_of_mean()) for _ in range(2)]
        team.fetch()
    undisturbed = train(client, 4, 4, model=network(mg, mg.nn.Dropout(0.5)))
    assert losses == undisturbed[0]
    assert numbers(model) == numbers(undisturbed[1])


def test_a_new_worker_gets_shards(client: Any) -> None:
    """However long it takes: Dask would end a nanny whose worker is away for 15 seconds."""
    import dask

    nannies = {*client.cluster.workers}
    model = network()
    at_once = dask.config.set({"distributed.deploy.lost-worker-timeout": 0})
    with at_once, Team(client, model, sgd(mg, model), load_from(), 6, workers=WORKERS) as team:
        losses = filled(team, WORKERS)
        assert sorted(Counter(team.homes).values()) == [2, 2, 2]
        victim = min(team.homes)
        send(process_of(client, victim), signal.SIGKILL)
        until(lambda: victim not in client.nthreads())
        team._looked = 0.0
        losses.append(team.step(part_of_mean()))
        assert victim not in team.homes
        losses += filled(team, WORKERS)
        assert sorted(Counter(team.homes).values()) == [2, 2, 2]
    assert {*client.cluster.workers} == nannies
    assert losses == train(client, len(losses), 6)[0]


@contextlib.contextmanager
def frozen(process: int) -> Iterator[None]:
    """Stop a process as Ctrl-Z does: its connections stay open, and it does not answer."""
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):  # killed in the meantime
            os.kill(process, signal.SIGCONT)


def test_a_deadly_shard_is_named(client: Any) -> None:
    def deadly(model: Any, x: Any, y: Any) -> Any:
        if len(x) == SAMPLES // 2:
            os._exit(3)
        return part_of_mean()(model, x, y)

    model = network()
    before = numbers(model)
    with Team(client, model, sgd(mg, model), lambda k, n: load_from()(k, 2), 1) as team:
        with pytest.raises(WorkerDied, match="in turn died in the same place: shard 0, step 0"):
            team.step(deadly)
        assert (team.steps, numbers(model)) == (0, before)
        present(client, WORKERS)
        team.step(part_of_mean())


def test_a_step_without_workers_raises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a nanny a worker is gone for good; Dask's tasks would stay queued without a word."""
    from distributed import LocalCluster

    monkeypatch.setattr("minigrad.distributed.team.PATIENCE", 8.0)

    def deadly(model: Any, x: Any, y: Any) -> Any:
        os._exit(1)

    with (
        LocalCluster(
            n_workers=0,
            processes=False,
            protocol="tcp",
            host="127.0.0.1",
            dashboard_address=None,
        ) as scheduler,
        connect(scheduler.scheduler_address) as client,
        subprocess.Popen(
            [
                *(sys.executable, "-m", "dask", "worker", client.scheduler.address),
                *("--no-nanny", "--nthreads", "1", "--local-directory", str(tmp_path)),
            ],
            stderr=subprocess.DEVNULL,
        ) as process,
    ):
        try:
            client.wait_for_workers(1, timeout=300)
            model = network()
            team = Team(client, model, sgd(mg, model), load_from(), 2)
            start = time.monotonic()
            with pytest.raises(WorkerDied, match=r"no worker is left; .* at the beginning"):
                team.step(deadly)
            assert time.monotonic() - start < SOON
        finally:
            process.kill()


def test_a_frozen_scheduler_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a process of its own, as on a cluster; when it goes on, so does the training."""
    found = tmp_path / "scheduler.json"
    here = "--host", "127.0.0.1", "--scheduler-file", str(found)
    with contextlib.ExitStack() as stack:

        def started(*command: str) -> subprocess.Popen[bytes]:
            process = stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-m", "dask", *command], stderr=subprocess.DEVNULL
                )
            )
            stack.callback(process.kill)
            return process

        scheduler = started("scheduler", *here, "--port", "0", "--no-dashboard", "--no-show")
        until(lambda: found.exists() or scheduler.poll() is not None)
        started(
            *("worker", *here, "--no-nanny", "--no-dashboard", "--nthreads", "1"),
            *("--local-directory", str(tmp_path)),
        )
        address = json.loads(found.read_text())["address"]
        client = stack.enter_context(connect(address))
        client.wait_for_workers(1, timeout=300)
        model = network()
        team = Team(client, model, sgd(mg, model), load_from(), 2)
        losses = [team.step(part_of_mean())]
        monkeypatch.setattr("minigrad.distributed.team.PATIENCE", 3.0)
        team.limit = 0.5
        named = f"the scheduler {address} does not answer"
        with frozen(scheduler.pid), pytest.raises(TimeoutError, match=named):
            team.step(part_of_mean())
        monkeypatch.undo()
        team.limit = 200
        losses += [team.step(part_of_mean()) for _ in range(2)]
        team.close()
        assert losses == train(client, 3, 2)[0]
