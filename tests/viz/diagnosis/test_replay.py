"""Cures are tried on a replay, after which everything is as before, to the bit."""

from __future__ import annotations

import contextlib
import io
import random
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import minigrad_viz as viz
import numpy as np
import pytest
from minigrad_viz.diagnosis.replay.reach import Reach, RefusedError
from minigrad_viz.diagnosis.replay.snapshot import Snapshot
from minigrad_viz.texts.sentences import SENTENCES

from tests.speaking import speaking
from tests.viz.diagnosis.running import notebook

Step = Callable[[], None]


class World:
    """A training step that changes everything that a step can change, by a seed."""

    def __init__(self, lib: ModuleType, seed: int) -> None:
        draw = random.Random(seed)
        self.lib = lib
        self.seen: list[float] = []
        self.recent: deque[float] = deque(maxlen=2)
        self.table: OrderedDict[str, Any] = OrderedDict(first=0)
        self.names = {"a"}
        self.array = np.arange(3.0)
        self.draws = np.random.default_rng(seed)
        self.words = random.Random(seed)
        self.settings = SimpleNamespace(count=0)
        self.buffer = lib.zeros(3)
        inner = draw.choice([lib.nn.BatchNorm1d(4), lib.nn.Dropout(0.5), lib.nn.Tanh()])
        self.net = lib.nn.Sequential(lib.nn.Linear(3, 4), inner, lib.nn.Linear(4, 1))
        kind = draw.choice(["SGD", "Adam", "RMSprop", "Adagrad"])
        options = {"momentum": 0.9} if kind == "SGD" else {}
        self.opt = getattr(lib.optim, kind)(self.net.parameters(), lr=0.01, **options)
        self.plan = lib.optim.lr_scheduler.StepLR(self.opt, step_size=1, gamma=0.5)
        self.clears = draw.random() < 0.5
        self.rebinds = draw.random() < 0.5

    def step(self) -> None:
        lib = self.lib
        if self.clears:
            self.opt.zero_grad()
        x = lib.randn(6, 3) + random.random() + float(np.random.rand()) + self.words.random()  # noqa: NPY002
        loss = (self.net(x) - float(self.draws.random())).pow(2).mean()
        loss.backward()
        self.opt.step()
        self.plan.step()
        self.note(loss.item())
        print("noise")

    def note(self, value: float) -> None:
        self.seen.append(value)
        self.recent.append(value)
        self.table["last"] = value
        self.table.pop("first", None)
        self.names.add(str(value))
        self.array[0] = value
        self.settings.count += 1
        World.calls = getattr(World, "calls", 0) + 1
        self.lib.set_grad_enabled(not self.rebinds)
        with self.lib.no_grad():
            self.buffer += value
            self.net[0].bias.requires_grad_(False)
        if self.rebinds:
            self.net[2].weight.data = self.net[2].weight.data * 2
            self.buffer = self.buffer.clone()


def fingerprint(world: World) -> dict[str, Any]:
    """Return everything that a step can change: objects by identity, numbers by their bits."""
    lib = world.lib
    tensors = {**dict(world.net.named_parameters()), **dict(world.net.named_buffers())}
    tensors["buffer"] = world.buffer
    found: dict[str, Any] = {}
    for name, t in tensors.items():
        bits = t.detach().numpy().tobytes()
        found[name] = (id(t), bits, t._version, t.requires_grad, t.data_ptr(), t.grad_fn)
        if t.grad is not None:
            found[f"{name}.grad"] = (id(t.grad), t.grad.numpy().tobytes(), t.grad._version)
    for p, state in world.opt.state.items():
        for name, value in state.items():
            of_tensor = hasattr(value, "detach")
            shown = value.detach().numpy().tobytes() if of_tensor else value
            found[f"state {id(p)} {name}"] = (id(value) if of_tensor else 0, shown)
    found["groups"] = [
        {k: [*map(id, v)] if k == "params" else v for k, v in group.items()}
        for group in world.opt.param_groups
    ]
    found["plan"] = {k: repr(v) for k, v in vars(world.plan).items()}
    found["lists"] = repr([world.seen, world.recent, world.table, sorted(world.names)])
    found["array"] = world.array.tobytes()
    found["draws"] = (repr(world.draws.bit_generator.state), world.words.getstate())
    found["shared"] = (random.getstate(), np.random.get_state(legacy=False)["state"]["pos"])  # noqa: NPY002
    found["drawn"] = bytes(lib.get_rng_state().tolist())
    found["rest"] = (world.settings.count, getattr(World, "calls", 0), lib.is_grad_enabled())
    return found


@pytest.mark.sampled("PROOFS", 4)
@pytest.mark.parametrize("seed", range(6))
def test_restores_everything_to_the_bit(lib: ModuleType, seed: int) -> None:
    lib.manual_seed(seed)
    world = World(lib, seed)
    world.step()
    lib.set_grad_enabled(True)
    before = fingerprint(world)
    kept = Snapshot(Reach(world.step))
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            for _ in range(3):
                with lib.enable_grad():
                    world.step()
        assert fingerprint(world) != before
    finally:
        kept.restore()
    after = fingerprint(world)
    assert {k for k in before if before[k] != after.get(k)} == set()
    assert before.keys() == after.keys()


def regression(lib: ModuleType) -> dict[str, Any]:
    """Return a net of which the optimizer holds a part, and data."""
    lib.manual_seed(0)
    net = lib.nn.Sequential(lib.nn.Linear(3, 4), lib.nn.Tanh(), lib.nn.Linear(4, 1))
    opt = lib.optim.SGD(net[2].parameters(), lr=0.1)
    return {"net": net, "opt": opt, "x": lib.randn(8, 3), "y": lib.randn(8, 1)}


def training(lib: ModuleType, fault: str) -> tuple[Step, dict[str, Any]]:
    """Return a step with a fault, and what it uses."""
    world = regression(lib)
    net, opt, x, y = world.values()
    if fault == "frozen":
        net[2].weight.requires_grad_(False)
    if fault != "not_held":
        net[0].requires_grad_(False)

    def train_step() -> None:
        if fault != "not_cleared":
            opt.zero_grad()
        loss = (net(x) - y).pow(2).mean()
        loss.backward()
        if fault != "no_step":
            opt.step()
        print("a line")

    return train_step, world


@pytest.mark.parametrize("fault", ["not_cleared", "not_held", "frozen", "no_step"])
def test_cure_is_tried_and_undone(lib: ModuleType, fault: str) -> None:
    """The parameters end as they do without `diagnose`, and nothing more is printed."""
    plain, expected = training(lib, fault)
    threads = threading.active_count()
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        plain()
        plain()
        step, world = training(lib, fault)
        report = viz.diagnose(step)
    kinds = (*report.kinds,)
    assert fault in kinds or fault == "no_step"
    tried = [each.tried for each in report.findings]
    assert all("With it the loss falls from" in each for each in tried), report.text
    assert printed.getvalue() == "a line\n" * 4
    assert threading.active_count() == threads
    for mine, theirs in zip(world["net"].parameters(), expected["net"].parameters(), strict=True):
        assert mine.tolist() == theirs.tolist() and mine._version == theirs._version
        assert mine.requires_grad == theirs.requires_grad
    assert len(world["opt"].param_groups) == 1


def test_tried_cure_is_said_in_chinese(lib: ModuleType) -> None:
    step, _ = training(lib, "not_held")
    with speaking("zh"), contextlib.redirect_stdout(io.StringIO()):
        assert "这样做，3 轮内损失从" in viz.diagnose(step).text


def test_cure_in_vain_is_not_said(lib: ModuleType) -> None:
    """With a rate at which the loss rises, clearing the gradients does not help."""
    w = lib.full((3,), 2.0, requires_grad=True)
    opt = lib.optim.SGD([w], lr=3.0)

    def train_step() -> None:
        w.pow(2).sum().backward()
        opt.step()

    finding = next(f for f in viz.diagnose(train_step).findings if f.kind == "not_cleared")
    assert finding.cure == "" and "Call `opt.zero_grad()`" not in finding.text
    assert "Tried: clearing the gradients of `opt`" in finding.text
    assert "this alone is no cure" in finding.text


def test_error_in_a_replay_is_told_and_undone(lib: ModuleType) -> None:
    w = lib.ones(3, requires_grad=True)
    opt = lib.optim.SGD([w], lr=0.1)
    calls = [0]

    def train_step() -> None:
        calls[0] += 1
        if calls[0] > 3:
            raise ValueError("no more")
        w.pow(2).sum().backward()
        opt.step()

    report = viz.diagnose(train_step)
    assert "The step then raised ValueError: no more." in report.text
    assert calls == [2] and w._version == 2


REFUSED = {
    "iterator": ("given = iter([x] * 9)", "x = next(given)", "the iterator `given`"),
    "generator": ("given = (x for _ in range(9))", "x = next(given)", "the generator `given`"),
    "file": ("log = io.StringIO()", "log.closed", "the file `log`"),
    "graph": ("state = T.ones(1, requires_grad=True) * 2", "state.sum()", "`state` carries"),
    "elsewhere": ("", "T.set_default_dtype(T.float32)", "`set_default_dtype`"),
    "module": ("", "os.getpid()", "`os`"),
    "builtin": ("", "open", "`open`"),
    "setting": ("", "T.nn.flag = 1", "`T.flag`"),
    "hook": ("net[2].weight.register_hook(lambda g: g)", "net", "has hooks"),
    "object": ("lock = threading.Lock()", "lock", "`lock`"),
    "large": ("data = list(range(200_000))", "data", "too large"),
    "process": ("", "T.manual_seed(0).dump", "`dump`"),
}

PROGRAM = """
import io, os, threading
net = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Tanh(), T.nn.Linear(4, 1))
opt = T.optim.SGD(net.parameters(), lr=0.1)
batch, y = T.ones(8, 3), T.ones(8, 1)
x = batch
{setup}
def train_step():
    x = batch
    {line}
    (net(x) - y).pow(2).mean().backward()
    opt.step()
"""


@pytest.mark.sampled("PROOFS", 8)
@pytest.mark.parametrize("kind", REFUSED)
def test_refused_function_runs_no_more(lib: ModuleType, kind: str) -> None:
    setup, line, why = REFUSED[kind]
    with notebook(lib, PROGRAM.format(setup=setup, line="pass")) as cells:
        cells.run(PROGRAM.format(setup=setup, line="pass").partition("def ")[0])
        step = "def train_step" + PROGRAM.format(setup="", line=line).partition("def train_step")[2]
        cells.run(step)
        with pytest.raises(RefusedError) as refused:
            Reach(cells.scope["train_step"])
        key, name = refused.value.args
        said = SENTENCES["en"]["doctor"][f"untried_{key}"].format(name=name)
    assert why in said


def test_refusal_is_said_with_the_cure(lib: ModuleType) -> None:
    """The function runs twice, as without a replay."""
    world = regression(lib)
    net, opt, x, y = world.values()
    batches = iter([x] * 2)

    def train_step() -> None:
        (net(next(batches)) - y).pow(2).mean().backward()
        opt.step()

    text = viz.diagnose(train_step).text
    assert "Call `opt.zero_grad()`" in text
    assert "The cure was not tried: the function reads the iterator `batches`" in text


def test_block_is_not_run_again(lib: ModuleType) -> None:
    world = regression(lib)
    net, opt, x, y = world.values()
    runs = 0
    with contextlib.redirect_stdout(io.StringIO()), viz.diagnose() as report:
        for _ in range(3):
            runs += 1
            (net(x) - y).pow(2).mean().backward()
            opt.step()
    assert runs == 3 and report.findings
    assert all(each.tried == "" for each in report.findings)
