"""diagnose(): finds what is wrong with a training loop, says nothing else, and leaves no trace."""

from __future__ import annotations

import contextlib
import gc
import io
import re
import sys
import weakref
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.texts.sentences import SENTENCES

from tests.record import answer
from tests.viz.explain.fresh_loops import FRESH_HEALTHY, FRESH_SICK
from tests.viz.explain.healthy_loops import HEALTHY, OF_TORCH
from tests.viz.explain.reviewed_loops import REVIEWED_HEALTHY, REVIEWED_OF_TORCH, REVIEWED_SICK
from tests.viz.explain.running import notebook
from tests.viz.explain.sick_loops import HEADER, SICK, Sick
from tests.viz.looks import kept

BOTH = ("minigrad", "torch")

ALL_SICK = {**SICK, **FRESH_SICK, **REVIEWED_SICK}
ALL_HEALTHY = {**HEALTHY, **FRESH_HEALTHY, **REVIEWED_HEALTHY}
ALL_OF_TORCH = {**OF_TORCH, **REVIEWED_OF_TORCH}


def report_of(library: ModuleType, program: str, language: str = "en") -> viz.Diagnosis:
    program = program.replace("viz.diagnose()", f"viz.diagnose(language={language!r})")
    with notebook(library, HEADER + program) as running:
        if (error := running.scope["error"]) is not None and "report" not in running.scope:
            raise error
        if "report" not in running.scope:
            try:
                running.run(f"report = viz.diagnose(train_step, language={language!r})\n")
            finally:
                library.set_grad_enabled(True)
        report = running.scope["report"]
        assert isinstance(report, viz.Diagnosis)
        return report


def right(sick: Sick, report: viz.Diagnosis) -> None:
    assert set(report.kinds) == {*sick.kinds.split()}, report.text
    for word in sick.words:
        assert word in report.text


@pytest.mark.parametrize("name", [n for n, sick in ALL_SICK.items() if not sick.torch_only])
def test_sick_loops(lib: ModuleType, name: str) -> None:
    right(ALL_SICK[name], report_of(lib, ALL_SICK[name].program))


SAME = [n for n, s in REVIEWED_SICK.items() if "failed" not in s.kinds and not s.torch_only]

COMPUTED = re.compile(r"\d+\.\d+(e[-+]\d+)?|\d+e[-+]\d+")
"""Numbers out of sums, whose last digit depends on the processor."""

ALL = {name: sick.program for name, sick in ALL_SICK.items() if not sick.torch_only}
ALL |= {f"healthy: {name}": program for name, program in ALL_HEALTHY.items()}


@pytest.mark.parametrize("name", ALL)
def test_a_report_is_as_it_was(name: str) -> None:
    """The answers were read and found right, and are kept: text, flags and memory."""
    import minigrad

    def seen() -> Any:
        report = report_of(minigrad, ALL[name])
        layers = [[each.name, list(each.shape), each.flag] for each in report.layers]
        return [COMPUTED.sub("#", report.text), layers, report.memory]

    assert seen() == kept(__file__, name, seen)


@pytest.mark.parametrize("kind", ["float32", "float64", "float16"])
def test_the_sizes_of_a_gradient(lib: ModuleType, kind: str) -> None:
    """Those of the last step, of the numbers without their signs."""
    w = lib.ones(2, 2, requires_grad=True, dtype=getattr(lib, kind))
    opt = lib.optim.SGD([w], lr=0.5)
    factors = iter((lib.ones(2, 2), lib.tensor([[2.0, -4.0], [1.0, -1.0]])))

    def train_step() -> None:
        opt.zero_grad()
        (w * next(factors).to(w.dtype)).sum().backward()
        opt.step()

    (layer,) = viz.diagnose(train_step).layers
    assert (layer.name, layer.shape, layer.flag) == ("w", (2, 2), "")
    assert (layer.mean, layer.largest) == (2.0, 4.0)


FIRST = {kind: n for n, s in reversed(SICK.items()) for kind in s.kinds.split() if not s.torch_only}


@pytest.mark.parametrize("kind", FIRST)
def test_the_table_of_each_kind(kind: str) -> None:
    import minigrad

    report = report_of(minigrad, SICK[FIRST[kind]].program)
    assert report.html.count('<th scope="row">') == len(report.findings) > 0
    without_style = re.sub(r"<style>.*?</style>", "", report.html, flags=re.DOTALL)
    table = COMPUTED.sub("#", re.sub(r"<img[^>]*>", "<img>", without_style))
    assert table == kept(__file__, f"the table of {kind}", lambda: table)


@pytest.mark.parametrize("name", [n for n, sick in ALL_SICK.items() if sick.torch_only])
def test_sick_loops_of_pytorch(torch: Any, name: str) -> None:
    right(ALL_SICK[name], report_of(torch, ALL_SICK[name].program))


@pytest.mark.parametrize("name", ALL_HEALTHY)
def test_healthy_loops(lib: ModuleType, name: str) -> None:
    report = report_of(lib, ALL_HEALTHY[name])
    assert report.kinds == ()
    assert re.fullmatch(
        r"Healthy, as far as was watched \(steps: \d\): \d+ parameters .*\.", report.text
    )


@pytest.mark.parametrize("name", ALL_OF_TORCH)
def test_healthy_loops_of_pytorch(torch: Any, name: str) -> None:
    assert report_of(torch, ALL_OF_TORCH[name]).text.startswith("Healthy")


def test_every_kind_is_found_in_two_programs() -> None:
    said = {key.removeprefix("title_") for key in SENTENCES["en"]["doctor"] if "title" in key}
    found = [kind for sick in ALL_SICK.values() for kind in sick.kinds.split()]
    assert {kind for kind in said if found.count(kind) < 2} == set()


@pytest.mark.parametrize("name", ["features under no_grad", "total of losses", "step called twice"])
def test_both_libraries_are_told_the_same(oracle: Any, name: str) -> None:
    import minigrad

    def told(T: Any) -> list[str]:
        return [report_of(T, SICK[name].program, language).text for language in ("en", "zh")]

    assert told(minigrad) == answer(oracle, told)


@pytest.mark.parametrize("name", SAME)
def test_both_libraries_are_told_it_in_the_same_words(torch: Any, name: str) -> None:
    """But for numbers out of sums, and for what a failure says of a node."""
    import minigrad

    reports = [report_of(library, REVIEWED_SICK[name].program) for library in (minigrad, torch)]
    ours, theirs = ([re.sub(r"\d[\d.e+-]*", "#", f.text) for f in r.findings] for r in reports)
    assert ours == theirs


def test_it_speaks_chinese(lib: ModuleType) -> None:
    sick = report_of(lib, SICK["no zero_grad at all"].program, "zh")
    assert "梯度没有清零" in sick.text
    assert "一切正常" in report_of(lib, HEALTHY["plain"], "zh").text
    with pytest.raises(ValueError, match="language must be one of"):
        viz.diagnose(language="fr")


# --- It leaves no trace


def model_and_step(T: Any) -> tuple[Any, Any, Any]:
    T.manual_seed(3)
    net = T.nn.Sequential(
        T.nn.Linear(4, 8), T.nn.BatchNorm1d(8), T.nn.Dropout(0.3), T.nn.ReLU(), T.nn.Linear(8, 2)
    )
    opt = T.optim.Adam(net.parameters(), lr=0.01)
    x = T.randn(16, 4)

    def train_step() -> None:
        opt.zero_grad()
        net(x + 0.1 * T.randn(16, 4)).pow(2).mean().backward()
        opt.step()

    return net, opt, train_step


def state(T: Any, net: Any) -> list[Any]:
    tensors = [*net.state_dict().values(), *(p.grad for p in net.parameters()), T.get_rng_state()]
    return [t.tolist() for t in tensors] + [p._version for p in net.parameters()]


def test_a_step_does_what_it_does_without(lib: ModuleType) -> None:
    """To the last bit, with the same draws and versions."""
    net, _, train_step = model_and_step(lib)
    train_step()
    train_step()
    plain = state(lib, net)
    net, _, train_step = model_and_step(lib)
    assert viz.diagnose(train_step).kinds == ()
    assert state(lib, net) == plain
    net, _, train_step = model_and_step(lib)
    with contextlib.redirect_stdout(io.StringIO()), viz.diagnose():
        train_step()
        train_step()
    assert state(lib, net) == plain


def hooks_of(lib: ModuleType, net: Any) -> list[int]:
    places = (lib.nn.modules.module, import_module(f"{lib.__name__}.optim.optimizer"))
    pairs = [pair for place in places for pair in vars(place).items()]
    every = [each for name, each in pairs if name.startswith(("_global_", "EVERY"))]
    assert len(every) >= 4
    sizes = [len(each) for each in every if isinstance(each, dict)]
    for p in net.parameters():
        sizes.append(len(getattr(p, "_backward_hooks", None) or ()))
        sizes.append(len(getattr(p, "_post_accumulate_grad_hooks", None) or ()))
    return sizes


def test_all_hooks_are_taken_out(lib: ModuleType) -> None:
    net, _, train_step = model_and_step(lib)
    before = hooks_of(lib, net)
    viz.diagnose(train_step)
    assert hooks_of(lib, net) == before
    with pytest.raises(ZeroDivisionError):
        viz.diagnose(lambda: train_step() or 1 // 0)
    assert hooks_of(lib, net) == before
    with pytest.raises(ZeroDivisionError), viz.diagnose():
        train_step()
        raise ZeroDivisionError
    assert hooks_of(lib, net) == before


def test_the_model_can_go_when_the_report_stays(lib: ModuleType) -> None:
    def examined() -> tuple[Any, viz.Diagnosis]:
        net, _, train_step = model_and_step(lib)
        return weakref.ref(net), viz.diagnose(train_step)

    gone, report = examined()
    gc.collect()
    assert gone() is None
    assert report.text


def test_what_a_hook_has_packed_is_not_unpacked(lib: ModuleType) -> None:
    net, opt, _ = model_and_step(lib)
    x = lib.ones(16, 4)
    unpacked: list[int] = []

    def unpack(kept: Any) -> Any:
        unpacked.append(1)
        return kept

    def train_step() -> None:
        opt.zero_grad()
        with lib.autograd.graph.saved_tensors_hooks(lambda t: t, unpack):
            loss = net(x).pow(2).mean()
        loss.backward()
        opt.step()

    train_step()
    once = len(unpacked)
    unpacked.clear()
    assert viz.diagnose(train_step).kinds == ()
    assert len(unpacked) == 2 * once


def test_a_failure_of_the_doctor_does_not_stop_the_step(
    lib: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    from minigrad_viz.explain.observed import Observed

    def broken(self: Any, *args: Any) -> None:
        raise KeyError("somewhere")

    monkeypatch.setattr(Observed, "found", broken)
    _, _, train_step = model_and_step(lib)
    report = viz.diagnose(train_step)
    assert "could not be watched to the end: KeyError: 'somewhere'" in report.text
    assert report.kinds == ()


# --- What it is asked


def test_what_is_not_a_step_is_refused() -> None:
    with pytest.raises(TypeError, match="needs a function to run, not a int"):
        viz.diagnose(3)  # type: ignore[call-overload]


def test_nothing_to_examine(lib: ModuleType) -> None:
    assert "nothing to examine" in viz.diagnose(lambda: None).text


def test_a_trainer_with_everything_in_self(lib: ModuleType) -> None:
    class Trainer:
        def __init__(self) -> None:
            self.net = lib.nn.Linear(4, 1)
            self.opt = lib.optim.SGD(self.net.parameters(), lr=0.1)

        def step(self) -> None:
            self.net(lib.ones(2, 4)).pow(2).mean().backward()
            self.opt.step()

    report = viz.diagnose(Trainer().step)
    assert report.kinds == ("not_cleared",)
    assert "`self.net.weight`" in report.text
    assert "`self.opt.zero_grad()`" in report.text


def test_the_picture_and_the_memory(lib: ModuleType) -> None:
    report = report_of(lib, SICK["a branch that forward forgets"].program)
    assert [each.name for each in report.layers if each.flag == "missing"] == [
        "net.skip.weight",
        "net.skip.bias",
    ]
    assert "<svg" in report.svg
    assert report.memory["net.main"] == 16 * 4 * 4
    healthy = report_of(lib, HEALTHY["plain"])
    assert healthy.svg == ""
    assert "<table" not in healthy.html


def test_it_shows_itself_without_what_is_not_there(lib: ModuleType) -> None:
    """A weight alone keeps nothing in a layer: there is one table."""
    w = lib.ones(4, requires_grad=True)
    opt = lib.optim.SGD([w], lr=0.1)

    def train_step() -> None:
        (w * w).sum().backward()
        opt.step()

    report = viz.diagnose(train_step)
    assert report._repr_mimebundle_() == {"text/html": report.html, "text/plain": str(report)}
    assert report.memory == {} and report.html.count("<table>") == 1
    assert report.text in str(report) and "<svg" in report.svg


def test_a_text_that_cannot_be_read_may_hold_the_step(lib: ModuleType) -> None:
    cell = """
import linecache
name = "/tmp/ipykernel_7/0.py"
linecache.cache[name] = (1, None, ["%run step.py"], name)
"""
    program = SICK[FIRST["no_step"]].program
    assert "no_step" in report_of(lib, program).kinds
    assert "no_step" not in report_of(lib, cell + program).kinds


def test_what_the_program_names_cannot_become_markup(lib: ModuleType) -> None:
    w = lib.ones(2, requires_grad=True)
    opt = lib.optim.SGD([w], lr=0.1)
    held = {"<img src=x>": w}

    def train_step() -> None:
        (held["<img src=x>"] * 2).sum().backward()
        opt.step()

    del w
    report = viz.diagnose(train_step)
    assert "<img src=x>" in report.text
    assert "<img src=x>" not in report.html


def test_the_cell_magic(lib: ModuleType) -> None:
    testing = pytest.importorskip("IPython.testing.globalipapp")
    shell = testing.get_ipython() or testing.start_ipython()
    shell.user_ns["T"] = lib
    cell = HEADER + SICK["zero_grad once before the loop"].program.replace(
        "with viz.diagnose()", ""
    )
    cell = re.sub(r"^ as report:", "if True:", cell, flags=re.M)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        shell.run_line_magic("load_ext", "minigrad_viz")
        shell.run_cell_magic("diagnose", "zh", cell)
    assert "梯度没有清零" in out.getvalue()
    assert "`net.weight`" in out.getvalue()
    cell = HEADER + SICK["two losses that share a graph"].program + "\ntrain_step()\n"
    with contextlib.redirect_stdout(io.StringIO()) as out:
        shell.run_cell_magic("diagnose", "", cell)
    assert "the step fails" in out.getvalue()


def test_passes_whose_caller_cannot_be_seen(
    lib: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a GPU, PyTorch runs hooks in a thread of its own, above which there is no frame."""
    from minigrad_viz.explain import observed

    nobody = SimpleNamespace(
        f_globals={"__name__": "torch"}, f_code=SimpleNamespace(co_name="run"), f_back=None
    )
    hidden = SimpleNamespace(_getframe=lambda: nobody, modules=sys.modules)
    monkeypatch.setattr(observed, "sys", hidden)
    _, opt, train_step = model_and_step(lib)
    assert viz.diagnose(train_step).kinds == ()
    monkeypatch.setattr(opt, "zero_grad", lambda: None)
    assert viz.diagnose(train_step).kinds == ("not_cleared",)
    monkeypatch.undo()
    monkeypatch.setattr(observed, "sys", hidden)
    with contextlib.redirect_stdout(io.StringIO()), viz.diagnose() as report:
        for _ in range(5):
            train_step()
    assert report.kinds == ()
    assert report.text.startswith("Healthy")


def test_layers_in_a_list_have_names(lib: ModuleType) -> None:
    report = report_of(lib, SICK["layers in a Python list"].program)
    assert "net.layers[0].weight" in [each.name for each in report.layers]
    assert "net.layers[1]" in report.memory
    report = report_of(lib, FRESH_SICK["blocks in a list, in a block"].program)
    assert "model.0.blocks[1].0.bias" in [each.name for each in report.layers]


def test_a_layer_is_counted_once_a_pass(lib: ModuleType) -> None:
    """Not again in the next turn, whose tensors may lie where those of the first one did."""
    net = lib.nn.Sequential(lib.nn.Linear(4, 8), lib.nn.ReLU(), lib.nn.Linear(8, 1))
    opt = lib.optim.SGD(net.parameters(), lr=0.1)
    with contextlib.redirect_stdout(io.StringIO()), viz.diagnose() as report:
        for _ in range(4):
            opt.zero_grad()
            net(lib.ones(16, 4)).sum().backward()
            opt.step()
    assert report.memory == {"net.0": 16 * 4 * 4, "net.1": 16 * 8 * 4}


def test_memory_is_counted_as_viz_memory_counts(lib: ModuleType) -> None:
    """Each piece once, a view's base whole, and what a hook has packed as it was packed."""
    net = lib.nn.Sequential(lib.nn.Linear(4, 8), lib.nn.Tanh(), lib.nn.Linear(8, 1))
    opt = lib.optim.SGD(net.parameters(), lr=0.1)
    x = lib.ones(32, 4)

    def loss() -> Any:
        hooks = (lambda tensor: [tensor.clone()], lambda packed: packed[0])
        with lib.autograd.graph.saved_tensors_hooks(*hooks):
            part = net[1](net[0](x[:16]))
        return net[2](part).sum()

    with contextlib.redirect_stdout(io.StringIO()), viz.diagnose() as report:
        for _ in range(2):
            opt.zero_grad()
            loss().backward()
            opt.step()
    names = dict(net.named_parameters())
    used = viz.memory(lambda: loss().backward(), names=names)
    pieces = {row.piece: row.bytes for row in used.saved if row.name not in names}
    assert sum(report.memory.values()) == sum(pieces.values()) > 0
