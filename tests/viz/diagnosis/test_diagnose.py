"""diagnose finds the defects of a training loop, reports nothing else, and leaves no trace."""

from __future__ import annotations

import contextlib
import functools
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

from tests.record import answer
from tests.speaking import speaking
from tests.viz.diagnosis.program_files import LOOP_START, Loop, loops
from tests.viz.diagnosis.running import notebook
from tests.viz.looks import recall

LOOPS = loops()
OF_BOTH = [loop for loop in LOOPS.values() if not loop.library]
OF_PYTORCH = [loop for loop in LOOPS.values() if loop.library]


@functools.cache
def report_of(library: ModuleType, program: str, language: str = "en") -> viz.Diagnosis:
    with speaking(language), notebook(library, program) as running:
        if (error := running.scope["error"]) is not None and "report" not in running.scope:
            raise error
        if "report" not in running.scope:
            try:
                running.run("report = viz.diagnose(train_step)\n")
            finally:
                library.set_grad_enabled(True)
        report = running.scope["report"]
        assert isinstance(report, viz.Diagnosis)
        return report


HEALTHY = re.compile(r"Healthy in what was watched \(steps: \d\): \d+ parameters .*\.")
NUMBER = re.compile(r"\d[\d.e+-]*")


def findings_of(library: ModuleType, loop: Loop) -> list[Any]:
    """Return the kinds of defects, the expected words that are missing, and what is told.

    Numbers are left out, since their last digits depend on the processor.
    """
    report = report_of(library, loop.program)
    missing = [word for word in loop.says_all if word not in report.text]
    if not loop.kinds and not HEALTHY.fullmatch(report.text):
        missing.append(HEALTHY.pattern)
    told = [finding.text for finding in report.findings] or [report.text]
    return [sorted(set(report.kinds)), missing, [NUMBER.sub("#", text) for text in told]]


@pytest.mark.parametrize("loop", OF_BOTH, ids=str)
def test_diagnose_finds_the_same_in_both_libraries(oracle: Any, loop: Loop) -> None:
    """A failure is the exception: each library describes the node in its own words."""
    import minigrad

    ours, theirs = findings_of(minigrad, loop), answer(oracle, findings_of, loop)
    for kinds, missing, told in (ours, theirs):
        assert (kinds, missing) == (sorted(set(loop.kinds)), []), told
    if "failed" not in loop.kinds:
        assert ours == theirs


@pytest.mark.parametrize("loop", OF_PYTORCH, ids=str)
def test_diagnose_finds_defect_in_pytorch_only(torch: Any, loop: Loop) -> None:
    kinds, missing, told = findings_of(torch, loop)
    assert (kinds, missing) == (sorted(set(loop.kinds)), []), told


COMPUTED = re.compile(r"\d+\.\d+(e[-+]\d+)?|\d+e[-+]\d+")
"""Numbers out of sums, whose last digit depends on the processor."""


@pytest.mark.parametrize("loop", OF_BOTH, ids=str)
def test_report_equals_the_stored_one(loop: Loop) -> None:
    """The stored text, flags and memory were read and found right."""
    import minigrad

    def seen() -> Any:
        report = report_of(minigrad, loop.program)
        layers = [[each.name, list(each.shape), each.flag] for each in report.layers]
        return [COMPUTED.sub("#", report.text), layers, report.memory]

    assert seen() == recall(__file__, loop.name, seen)


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


EXAMPLES = {kind: loop for loop in LOOPS.values() if loop.example for kind in loop.kinds}


@pytest.mark.parametrize("kind", EXAMPLES)
def test_table_equals_the_stored_one(kind: str) -> None:
    import minigrad

    report = report_of(minigrad, EXAMPLES[kind].program)
    assert report.html.count('<th scope="row">') == len(report.findings) > 0
    without_style = re.sub(r"<style>.*?</style>", "", report.html, flags=re.DOTALL)
    table = COMPUTED.sub("#", re.sub(r"<img[^>]*>", "<img>", without_style))
    assert table == recall(__file__, f"the table of {kind}", lambda: table)


@pytest.mark.parametrize("name", ["features_under_no_grad", "total_of_losses", "step_called_twice"])
def test_both_libraries_get_the_same_report(oracle: Any, name: str) -> None:
    import minigrad

    def asked(T: Any) -> list[str]:
        return [report_of(T, LOOPS[name].program, language).text for language in ("en", "zh")]

    assert asked(minigrad) == answer(oracle, asked)


def test_it_speaks_chinese(lib: ModuleType) -> None:
    sick = report_of(lib, LOOPS["no_zero_grad_at_all"].program, "zh")
    assert "梯度没有清零" in sick.text
    assert "一切正常" in report_of(lib, LOOPS["plain"].program, "zh").text


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


def test_report_does_not_keep_the_model(lib: ModuleType) -> None:
    def examined() -> tuple[Any, viz.Diagnosis]:
        net, _, train_step = model_and_step(lib)
        return weakref.ref(net), viz.diagnose(train_step)

    gone, report = examined()
    gc.collect()
    assert gone() is None
    assert report.text


def test_packed_values_are_not_unpacked(lib: ModuleType) -> None:
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


def test_failing_diagnosis_does_not_stop_step(
    lib: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    from minigrad_viz.diagnosis.observed import Observed

    def broken(self: Any, *args: Any) -> None:
        raise KeyError("somewhere")

    monkeypatch.setattr(Observed, "inspect_gradient", broken)
    _, _, train_step = model_and_step(lib)
    report = viz.diagnose(train_step)
    assert "could not be watched to the end: KeyError: 'somewhere'" in report.text
    assert report.kinds == ()


# --- What it is asked


def test_diagnose_of_no_function_raises() -> None:
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
    report = report_of(lib, LOOPS["a_branch_that_forward_forgets"].program)
    assert [each.name for each in report.layers if each.flag == "missing"] == [
        "net.skip.weight",
        "net.skip.bias",
    ]
    assert "<svg" in report.svg
    assert report.memory["net.main"] == 16 * 4 * 4
    healthy = report_of(lib, LOOPS["plain"].program)
    assert healthy.svg == ""
    assert "<table" not in healthy.html


def test_report_omits_empty_parts(lib: ModuleType) -> None:
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


def test_unreadable_source_may_contain_the_step(lib: ModuleType) -> None:
    cell = """
import linecache
name = "/tmp/ipykernel_7/0.py"
linecache.cache[name] = (1, None, ["%run step.py"], name)
"""
    program = EXAMPLES["no_step"].program
    assert "no_step" in report_of(lib, program).kinds
    assert (
        "no_step" not in report_of(lib, LOOP_START + cell + program.removeprefix(LOOP_START)).kinds
    )


def test_names_are_escaped_in_html(lib: ModuleType) -> None:
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


@pytest.mark.usefixtures("clean_linecache")
def test_the_cell_magic(lib: ModuleType) -> None:
    testing = pytest.importorskip("IPython.testing.globalipapp")
    shell = testing.get_ipython() or testing.start_ipython()
    shell.user_ns["T"] = lib
    cell = LOOPS["zero_grad_once_before_the_loop"].program.replace("with viz.diagnose()", "")
    cell = re.sub(r"^ as report:", "if True:", cell, flags=re.M)
    shell.run_line_magic("load_ext", "minigrad_viz")
    with pytest.raises(TypeError, match="takes no arguments, and got 'zh'"):
        shell.run_cell_magic("diagnose", "zh", cell)
    with contextlib.redirect_stdout(io.StringIO()) as out, speaking("zh"):
        shell.run_cell_magic("diagnose", "", cell)
    assert "梯度没有清零" in out.getvalue()
    assert "`net.weight`" in out.getvalue()
    cell = LOOPS["two_losses_that_share_a_graph"].program + "\ntrain_step()\n"
    with contextlib.redirect_stdout(io.StringIO()) as out:
        shell.run_cell_magic("diagnose", "", cell)
    assert "the step fails" in out.getvalue()


def test_passes_whose_caller_cannot_be_seen(
    lib: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a GPU, PyTorch runs hooks in a thread of its own, above which there is no frame."""
    from minigrad_viz.diagnosis import observed

    library_frame = SimpleNamespace(
        f_globals={"__name__": "torch"}, f_code=SimpleNamespace(co_name="run"), f_back=None
    )
    hidden = SimpleNamespace(_getframe=lambda: library_frame, modules=sys.modules)
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
    report = report_of(lib, LOOPS["layers_in_a_python_list"].program)
    assert "net.layers[0].weight" in [each.name for each in report.layers]
    assert "net.layers[1]" in report.memory
    report = report_of(lib, LOOPS["blocks_in_a_list_in_a_block"].program)
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
