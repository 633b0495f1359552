"""A team of workers: equal to one process, on any number of workers, whatever happens to them."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import random
import re
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import minigrad as mg
from minigrad.distributed import Team, WorkerDied, connect, gradients, traffic
from tests.sampling import all_of

pytest.importorskip("distributed", reason="Dask is not installed (pip install '.[dist]')")

SAMPLES, INPUTS, CLASSES, WORKERS = 90, 20, 5, 3
Loss = Callable[..., Any]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with connect(workers=WORKERS) as connected:
        yield connected


@pytest.fixture
def client(cluster: Any) -> Any:
    """With all workers: whoever died in the test before has been started anew."""
    present(cluster, WORKERS)
    return cluster


def present(client: Any, count: int) -> None:
    """Wait for so many workers. A nanny under load gives up now and then; then comes another."""
    try:
        client.wait_for_workers(count, timeout=20)
    except TimeoutError:
        client.cluster.scale(len(client.cluster.worker_spec) + count - len(client.nthreads()))
        client.wait_for_workers(count, timeout=300)


def filled(team: Team, count: int) -> list[float]:
    """The losses of as many steps as it takes until so many workers are members."""
    losses = []
    while len(team.members) < count:
        present(team.client, count)
        team.looked = 0.0  # a second later
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
    """The mean loss of all samples, as far as a shard contributes to it."""
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


def test_what_is_dropped_differs_from_step_to_step_and_from_shard_to_shard(client: Any) -> None:
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


def test_a_parameter_that_the_loss_does_not_use_stays_as_it_is(client: Any) -> None:
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


def test_an_error_of_the_loss_is_raised_here_and_nothing_has_changed(client: Any) -> None:
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
        assert "in compute" in caught.value.__notes__[0]
        with pytest.raises(AttributeError, match="nonsense") as caught_too:
            team.step(only_the_last)
        assert "while computing shard 6 of 7 on tcp://" in caught_too.value.__notes__[0]
        assert (team.steps, numbers(model)) == (1, before)
        losses = [team.step(part_of_mean()) for _ in range(3)]
    assert losses == train(client, 4, 7)[0][1:]


def test_an_error_that_cannot_travel_is_told_in_words(client: Any) -> None:
    class Two(Exception):
        def __init__(self, a: int, b: int) -> None:
            super().__init__(f"{a} and {b}")

    def loss(model: Any, x: Any, y: Any) -> Any:
        raise Two(1, 2)

    model = network()
    with Team(client, model, sgd(mg, model), load_from(), 2) as team:
        with pytest.raises(RuntimeError, match="Two: 1 and 2"):
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
        team.limit = 0.5
        with pytest.raises(
            TimeoutError, match=r"0\.5 seconds: .* is computing shard 2 of 4"
        ) as caught:
            team.step(slow)
        assert "adding gradients up" in str(caught.value) or "computing" in str(caught.value)
        go_on.touch()
        team.limit = 600
        losses += [team.step(part_of_mean()) for _ in range(2)]
    assert losses == train(client, 3, 4)[0]


def test_a_step_that_was_interrupted_when_all_had_the_sum_is_carried_out_first(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And once only, by those whom the order has reached already."""
    from minigrad.distributed.member import take_step

    model = network()
    with Team(client, model, sgd(mg, model), load_from(), 3) as team:
        real = team.ordered

        async def interrupted(until: float, workers: Any, function: Any, *rest: Any) -> Any:
            if function is not take_step:
                return await real(until, workers, function, *rest)
            await real(until, workers[:2], function, *rest)
            raise TimeoutError("just now")

        monkeypatch.setattr(team, "ordered", interrupted)
        with pytest.raises(TimeoutError, match="just now"):
            team.step(part_of_mean())
        monkeypatch.undo()
        losses = [team.step(part_of_mean()) for _ in range(2)]
        team.fetch()
    undisturbed = train(client, 3, 3)
    assert losses == undisturbed[0][1:]
    assert numbers(model) == numbers(undisturbed[1])


# --- What it moves


def test_the_bytes_on_the_wire_are_those_of_the_ring(client: Any) -> None:
    """Counted where Dask writes to its sockets, with a model so large that headers do not matter.
    Dask's warning that a graph is large would be an error here.
    """

    def count(dask_worker: Any) -> None:
        from distributed.comm.tcp import TCP

        write = TCP.write

        async def counted(self: Any, *args: Any, **kwargs: Any) -> int:
            size = await write(self, *args, **kwargs)
            dask_worker.plugins["sent"] = dask_worker.plugins.get("sent", 0) + size
            return size  # type: ignore[no-any-return]

        TCP.write = counted

    def sent(dask_worker: Any) -> int:
        return dask_worker.plugins.pop("sent", 0)  # type: ignore[no-any-return]

    model = mg.nn.Linear(2000, 1500)  # 12 MB
    optimizer = mg.optim.SGD(model.parameters(), lr=0.0)
    with Team(client, model, optimizer, lambda i, n: (mg.ones(1, 2000),), 2) as team:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            team.step(lambda model, x: model(x).sum())
            client.run(count)
            client.run(sent)
            team.step(lambda model, x: model(x).sum())
        found = sorted(client.run(sent).values())
    *idle, first, second = found
    assert [first, second] == pytest.approx(traffic(model, 2).sent, rel=0.01)
    assert sum(idle) < 0.01 * first


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be told to")
def test_a_step_uses_the_memory_of_the_one_before(client: Any) -> None:
    """Dask has workers return each array to the system, which took a third of a step."""

    def pages_fetched() -> int:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

    model = mg.nn.Linear(1000, 1500)  # 6 MB, 1,465 pages
    optimizer = mg.optim.SGD(model.parameters(), lr=0.0)
    with Team(client, model, optimizer, lambda i, n: (mg.ones(1, 1000),), 2) as team:
        for _ in range(3):
            team.step(lambda model, x: model(x).sum())
        before = client.run(pages_fetched)
        for _ in range(5):
            team.step(lambda model, x: model(x).sum())
        after = client.run(pages_fetched)
    assert max(after[worker] - before[worker] for worker in after) < 1465


def test_the_gradient_of_one_shard_is_a_function_that_anyone_may_run(client: Any) -> None:
    x, y = data()
    model = network()
    there = client.submit(gradients, model, part_of_mean(), (x, y)).result()
    here = gradients(model, part_of_mean(), (x, y))
    assert there[0] == here[0]
    assert [g.tolist() for g in there[1]] == [g.tolist() for g in here[1]]


# --- Workers that die


def armed(client: Any, victim: str, moment: int) -> None:
    """Have a worker killed, as by pulling its plug, when it has written so often what it does."""

    def arm(dask_worker: Any) -> None:
        import os
        import signal

        from minigrad.distributed.words import Words

        left, now = [moment], Words.now

        def deadly(words: Any, doing: str) -> None:
            now(words, doing)
            left[0] -= 1
            if left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)

        Words.now = deadly  # type: ignore[method-assign]

    client.run(arm, workers=[victim])


MOMENTS = 12
"""More than how often a worker says what it does in one step: it dies in each phase, now and then
in that of the next step.
"""


def killed(client: Any, moments: Iterator[int]) -> tuple[list[float], Any]:
    """A training in which workers die, one after the other: somebody has to keep the model."""
    model, shards, draw = network(mg, mg.nn.Dropout(0.5)), 4, random.Random(0)
    losses, victim = [], ""
    with Team(client, model, sgd(mg, model), load_from(), shards) as team:
        while True:
            if victim not in client.nthreads():  # the one before has died
                moment = next(moments, None)
                if moment is None:
                    break
                losses += filled(team, 2)  # newcomers have to have the model, too
                victim = draw.choice(sorted(team.members))
                try:
                    armed(client, victim, moment)
                except OSError:  # it has died by itself: also a death
                    victim = ""
            losses.append(team.step(part_of_mean()))
            assert sorted(k for arc in team.arcs.values() for k in arc) == list(range(shards))
        team.fetch()
    return losses, model


def test_workers_that_die_in_any_phase_change_no_bit(client: Any) -> None:
    """A handful in each run, a hundred at night."""
    count = 100 if all_of("KILLS") else 3
    losses, model = killed(client, (k * 5 % MOMENTS for k in range(count)))
    assert len(losses) >= count
    undisturbed = train(client, len(losses), 4, model=network(mg, mg.nn.Dropout(0.5)))
    assert losses == undisturbed[0]
    assert numbers(model) == numbers(undisturbed[1])


def test_a_worker_that_joins_gets_shards(client: Any) -> None:
    model = network()
    with Team(client, model, sgd(mg, model), load_from(), 6, workers=WORKERS) as team:
        losses = filled(team, WORKERS)
        assert sorted(map(len, team.arcs.values())) == [2, 2, 2]
        victim = min(team.arcs)
        with contextlib.suppress(OSError):
            client.run(os._exit, 1, workers=[victim], on_error="ignore")
        losses.append(team.step(part_of_mean()))
        assert victim not in team.arcs
        losses += filled(team, WORKERS)
        assert sorted(map(len, team.arcs.values())) == [2, 2, 2]
    assert losses == train(client, len(losses), 6)[0]


@contextlib.contextmanager
def frozen(process: int) -> Iterator[None]:
    """As by Ctrl-Z: its connections stay open, and nobody answers."""
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):  # killed in the meantime
            os.kill(process, signal.SIGCONT)


def test_a_worker_that_is_frozen_is_named(client: Any) -> None:
    """The step can be taken when it goes on, and without it when it dies."""
    model = network()
    with Team(client, model, sgd(mg, model), load_from(), 6) as team:
        losses = filled(team, WORKERS)
        victim = sorted(team.members)[1]
        process = client.run(os.getpid, workers=[victim])[victim]
        arc = team.arcs[victim]
        named = re.escape(f"{victim}, which has shards {arc[0]} to {arc[-1]}, does not answer")
        team.limit = 0.5
        with frozen(process):
            start = time.monotonic()
            with pytest.raises(TimeoutError, match=rf"after 0\.5 seconds: .*{named}"):
                team.step(part_of_mean())
            assert time.monotonic() - start < 60
        team.limit = 600
        losses += [team.step(part_of_mean()) for _ in range(3)]
        assert victim in team.arcs
        team.limit = 0.5
        with frozen(process):
            with pytest.raises(TimeoutError, match=named):
                team.step(part_of_mean())
            os.kill(process, signal.SIGKILL)
            team.limit = 600
            losses += [team.step(part_of_mean()) for _ in range(2)]
        assert victim not in team.arcs
        team.fetch()
    undisturbed = train(client, len(losses), 6)
    assert losses == undisturbed[0]
    assert numbers(model) == numbers(undisturbed[1])


def test_a_worker_that_is_frozen_when_all_had_the_sum_takes_the_step_later(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from minigrad.distributed.member import take_step

    model = network()
    with Team(client, model, sgd(mg, model), load_from(), 3) as team:
        losses = [team.step(part_of_mean())]
        victim = sorted(team.members)[0]
        process = client.run(os.getpid, workers=[victim])[victim]
        real = team.ordered

        async def freezing(until: float, workers: Any, function: Any, *rest: Any) -> Any:
            if function is not take_step:
                return await real(until, workers, function, *rest)
            with frozen(process):
                return await real(time.monotonic() + 0.5, workers, function, *rest)

        monkeypatch.setattr(team, "ordered", freezing)
        with pytest.raises(TimeoutError, match=re.escape(f"{victim}, which has")):
            team.step(part_of_mean())
        monkeypatch.undo()
        losses += [team.step(part_of_mean()) for _ in range(2)]
        team.fetch()
    undisturbed = train(client, 4, 3)
    assert losses == [undisturbed[0][k] for k in (0, 2, 3)]
    assert numbers(model) == numbers(undisturbed[1])


def test_a_worker_that_is_frozen_before_it_joins_is_named(client: Any) -> None:
    model = network()
    with Team(client, model, sgd(mg, model), load_from(), 6, workers=1) as team:
        losses = [team.step(part_of_mean())]
        processes = client.run(os.getpid)
        processes.pop(*team.members)
        team.most, team.looked, team.limit = WORKERS, 0.0, 0.5
        with contextlib.ExitStack() as stack:
            for process in processes.values():
                stack.enter_context(frozen(process))
            with pytest.raises(TimeoutError, match="which is to have the model, does not answer"):
                team.step(part_of_mean())
        team.limit = 600
        losses += filled(team, WORKERS)
    assert losses == train(client, len(losses), 6)[0]


def test_an_order_that_comes_late_changes_nothing(client: Any) -> None:
    """A worker that was frozen may read it after those that were given later."""
    import cloudpickle

    from minigrad.distributed.member import Order, Stopped, add_up, join

    model = network()
    with Team(client, model, sgd(mg, model), load_from(), 3) as team:
        losses = [team.step(part_of_mean())]
        late = Order(0, 0, 0, tuple(team.members), team.dealt(), part_of_mean(), ())
        with pytest.raises(Stopped, match="attempt 0 was broken off"):
            client.run(add_up, team.name, late)
        packed = cloudpickle.dumps((network(), sgd(mg, network()), load_from()))
        with pytest.raises(Stopped, match="later order to join"):
            client.run(join, team.name, 0, 0, {}, packed)
        losses += [team.step(part_of_mean()) for _ in range(2)]
    assert losses == train(client, 3, 3)[0]


@pytest.mark.parametrize("others", [0, 1])
def test_a_member_that_dies_while_it_packs_the_model(client: Any, others: int) -> None:
    """Another one packs it, or it is said that nobody has it any more."""

    def arm() -> None:
        from minigrad.distributed.member import Member

        Member.packed = lambda self: os._exit(3)  # type: ignore[method-assign]

    model = network()
    with Team(client, model, sgd(mg, model), load_from(), 6, workers=2 + others) as team:
        losses = filled(team, 2 + others)
        first, source = team.members[:2]
        client.run(arm, workers=[source])
        with contextlib.suppress(OSError):
            client.run(os._exit, 1, workers=[first], on_error="ignore")
        died = contextlib.nullcontext() if others else pytest.raises(WorkerDied, match="is left")
        with died:
            while source in team.arcs:
                losses.append(team.step(part_of_mean()))
                present(client, WORKERS)  # somebody wants the model
                team.looked = 0.0
        assert losses == train(client, len(losses), 6)[0]


def test_a_shard_that_its_workers_die_of_is_named_with_their_last_words(client: Any) -> None:
    def deadly(model: Any, x: Any, y: Any) -> Any:
        if len(x) == SAMPLES // 2:
            print("it is getting dark", flush=True)
            os._exit(3)
        return part_of_mean()(model, x, y)

    model = network()
    before = numbers(model)
    with Team(client, model, sgd(mg, model), lambda k, n: load_from()(k, 2), 1) as team:
        with pytest.raises(WorkerDied, match="in turn died in the same place") as caught:
            team.step(deadly)
        told = str(caught.value)
        assert "while computing shard 0 of 1 (exited with status 3)" in told
        assert told.endswith("Its last words:\nit is getting dark")
        assert (team.steps, numbers(model)) == (0, before)
        team.step(part_of_mean())


def test_no_ending_leaves_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a team's that was never closed, nor that of a worker that died."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))

    def files() -> list[str]:
        return sorted(path.name for path in tmp_path.glob("minigrad-*"))

    def kill(client: Any) -> tuple[str, int]:
        worker: tuple[str, int] = min(client.run(os.getpid).items())
        os.kill(worker[1], signal.SIGKILL)
        return worker

    class Broken:
        def __reduce__(self) -> Any:
            return int, ("no number",)

    def team(client: Any, load: Any = None) -> Team:
        model = network()
        return Team(client, model, sgd(mg, model), load or load_from(), 2)

    with connect(workers=2) as client:
        with team(client) as closed:
            closed.step(part_of_mean())
            assert len(files()) == 2
        assert files() == []
        with pytest.raises(ValueError, match="no number"):
            team(client, Broken()).step(part_of_mean())
        assert files() == []
        with team(client) as closed:
            closed.step(part_of_mean())
            dead, _ = kill(client)
        assert files() == []
        while dead in client.nthreads():
            time.sleep(0.01)
        present(client, 2)
        left_open, other = team(client), team(client)
        left_open.step(part_of_mean())
        other.step(part_of_mean())
        _, process = kill(client)
        other.step(part_of_mean())
        assert files() != []
        assert not [name for name in files() if f"-{process}-" in name]
    assert files() == []


def test_nobody_waits_for_workers_that_nobody_starts_anew(tmp_path: Path) -> None:
    """Without a nanny a worker is gone for good; Dask's tasks would stay queued without a word."""
    from distributed import LocalCluster

    def deadly(model: Any, x: Any, y: Any) -> Any:
        print("farewell", flush=True)
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
            client.wait_for_workers(1, timeout=60)
            model = network()
            team = Team(client, model, sgd(mg, model), load_from(), 2)
            start = time.monotonic()
            with pytest.raises(WorkerDied, match="no worker is left") as caught:
                team.step(deadly)
            assert time.monotonic() - start < 60
            assert "died while computing shard 0 of 2" in str(caught.value)
            assert str(caught.value).endswith("Its last words:\nfarewell")
        finally:
            process.kill()


def test_a_scheduler_that_is_frozen_is_named(tmp_path: Path) -> None:
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
        until = time.monotonic() + 60
        while not found.exists():
            assert time.monotonic() < until and scheduler.poll() is None
            time.sleep(0.05)
        started(
            *("worker", *here, "--no-nanny", "--no-dashboard", "--nthreads", "1"),
            *("--local-directory", str(tmp_path)),
        )
        address = json.loads(found.read_text())["address"]
        client = stack.enter_context(connect(address))
        client.wait_for_workers(1, timeout=60)
        model = network()
        team = Team(client, model, sgd(mg, model), load_from(), 2)
        losses = [team.step(part_of_mean())]
        team.limit = 0.5
        named = rf"after 0\.5 seconds: the scheduler {address} does not answer"
        with frozen(scheduler.pid), pytest.raises(TimeoutError, match=named):
            team.step(part_of_mean())
        team.limit = 600
        losses += [team.step(part_of_mean()) for _ in range(2)]
        team.close()
        assert losses == train(client, 3, 2)[0]
