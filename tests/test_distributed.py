"""Data-parallel training: equal to one process, whatever happens to the workers."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import minigrad as mg
from minigrad import distributed

pytest.importorskip("distributed", reason="Dask is not installed (pip install '.[dist]')")

SAMPLES, INPUTS, CLASSES = 90, 20, 5
Loss = Callable[..., Any]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with distributed.connect(workers=2) as connected:
        yield connected


def data(T: Any = mg) -> tuple[Any, Any]:
    T.manual_seed(1)
    return T.randn(SAMPLES, INPUTS), T.randint(0, CLASSES, (SAMPLES,))


def network(T: Any = mg) -> Any:
    T.manual_seed(0)
    return T.nn.Sequential(T.nn.Linear(INPUTS, 16), T.nn.Tanh(), T.nn.Linear(16, CLASSES))


def load_from(T: Any) -> Callable[[int, int], tuple[Any, Any]]:
    x, y = data(T)
    return lambda index, count: (x[index::count], y[index::count])


def part_of_mean(T: Any) -> Loss:
    """The mean loss of all samples, as far as a shard contributes to it."""
    return lambda model, x, y: T.nn.functional.cross_entropy(model(x), y, reduction="sum") / SAMPLES


def train_alone(T: Any, steps: int) -> tuple[list[float], Any]:
    """The losses and the model of one process that has all of the data."""
    model = network(T)
    optimizer = T.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
    x, y = data(T)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = T.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model


def train_split(
    client: Any, T: Any, steps: int, shards: int, loss: Loss | None = None
) -> tuple[list[float], Any]:
    model = network(T)
    optimizer = T.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
    loss = loss or part_of_mean(T)
    futures = distributed.scatter(client, load_from(T), shards)
    losses = [distributed.step(client, model, optimizer, loss, futures) for _ in range(steps)]
    return losses, model


def assert_same(split: tuple[list[float], Any], alone: tuple[list[float], Any]) -> None:
    assert split[0] == pytest.approx(alone[0], rel=1e-5)
    for a, b in zip(split[1].parameters(), alone[1].parameters(), strict=True):
        assert a.tolist() == [pytest.approx(row, abs=1e-6) for row in b.tolist()]


@pytest.mark.parametrize("shards", [1, 2, 3, 7])
def test_the_same_as_one_process_to_rounding(client: Any, shards: int) -> None:
    alone = train_alone(mg, 8)
    assert alone[0][-1] < 0.8 * alone[0][0]
    assert_same(train_split(client, mg, 8, shards), alone)


def test_a_model_of_pytorch_is_trained_as_well(client: Any, pytorch: Any) -> None:
    assert_same(train_split(client, pytorch, 3, 2), train_alone(pytorch, 3))


def test_a_worker_that_dies_in_the_middle_loses_nothing(client: Any, tmp_path: Path) -> None:
    """The process ends within its third backward pass, as if somebody had pulled its plug; with it
    go the shard that it had and what it had computed.
    """
    died = tmp_path / "died"
    harmless = part_of_mean(mg)

    def deadly(model: Any, x: Any, y: Any, number: int) -> Any:
        if number == 3:
            with contextlib.suppress(FileExistsError):
                died.touch(exist_ok=False)  # only one of two workers can
                os._exit(1)
        return harmless(model, x, y)

    before = set(client.run(os.getpid).values())
    model = network()
    optimizer = mg.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
    shards = distributed.scatter(client, load_from(mg), 4)
    losses = [
        distributed.step(client, model, optimizer, deadly, shards, number) for number in range(8)
    ]
    assert died.exists()
    client.wait_for_workers(2, timeout=300)
    assert len(before & set(client.run(os.getpid).values())) == 1
    assert_same((losses, model), train_alone(mg, 8))


def test_the_traffic_is_what_dask_counts() -> None:
    """On two workers with a shard each, and a model so large that headers do not matter."""

    def received(dask_worker: Any) -> int:
        return sum(entry["total"] for entry in dask_worker.transfer_incoming_log)

    model = mg.nn.Linear(1000, 500)
    optimizer = mg.optim.SGD(model.parameters(), lr=0.0)
    # In a cluster of its own: one that has seen short tasks would put both on one worker. And a
    # shard is larger than the model, so that Dask moves the model and not a shard.
    with distributed.connect(workers=2) as client:
        workers = client.scheduler_info()["workers"]
        shards = [
            client.submit(lambda: (mg.ones(5000, 1000),), workers=[worker], pure=False)
            for worker in workers
        ]
        client.gather(client.map(len, shards))
        before = sum(client.run(received).values())
        distributed.step(client, model, optimizer, lambda model, x: model(x).sum(), shards)
        moved = sum(client.run(received).values()) - before
    assert moved == pytest.approx(distributed.traffic(model, 2).workers, rel=0.01)


def test_an_error_of_the_loss_is_raised_here(client: Any) -> None:
    shards = distributed.scatter(client, load_from(mg), 2)
    model = network()
    optimizer = mg.optim.SGD(model.parameters(), lr=0.5)
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar"):
        distributed.step(client, model, optimizer, lambda m, x, y: m(x), shards)
    assert all(parameter.grad is None for parameter in model.parameters())


def test_a_parameter_that_the_loss_does_not_use_has_no_gradient(client: Any) -> None:
    model = mg.nn.ModuleList([mg.nn.Linear(INPUTS, 1), mg.nn.Linear(INPUTS, 1)])
    optimizer = mg.optim.SGD(model.parameters(), lr=0.1)
    shards = distributed.scatter(client, load_from(mg), 3)
    distributed.step(client, model, optimizer, lambda m, x, y: m[0](x).sum(), shards)
    assert [p.grad is None for p in model.parameters()] == [False, False, True, True]
    assert model[0].bias.grad.item() == SAMPLES


def test_without_shards_there_is_no_sum(client: Any) -> None:
    with pytest.raises(ValueError, match="no shards"):
        distributed.total(client, [])


def test_a_scheduler_elsewhere_is_reached_by_its_address(client: Any) -> None:
    with distributed.connect(client.scheduler.address) as second:
        assert second.submit(os.getpid).result() in client.run(os.getpid).values()


def test_the_size_of_a_tensor_is_known() -> None:
    """Otherwise Dask takes a shard for something small and moves it to the next idle worker."""
    from dask.sizeof import sizeof

    assert sizeof((mg.ones(1000, 1000),)) > 4_000_000


def test_only_connect_imports_dask() -> None:
    program = "import sys, minigrad.distributed; print('distributed' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "False"


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ImportError, match=r"minigrad-lab\[dist\]"):
        distributed.connect()
