"""step(loss): a real backward pass, recorded, as a widget, a page and a text."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import ipywidgets
import minigrad_viz as viz
import pytest
from minigrad_viz.stepper.widget import page

import minigrad as mg
from tests.speaking import speaking


def kinds(stepper: Any) -> list[str]:
    return [event["kind"] for event in stepper.payload["events"]]


def test_square() -> None:
    x = mg.tensor(3.0, requires_grad=True)
    y = x * x
    stepper = viz.step(y)
    assert x.grad is not None and x.grad.item() == 6
    assert stepper.error is None
    assert str(stepper).splitlines() == [
        "backward from y: 3 turns",
        "  1. seed",
        "     hands on    MulBackward0 <- 1",
        "  2. MulBackward0",
        "     comes in    1",
        "     reads       self = x = 3 (version 0), other = x = 3 (version 0)",
        "     gives       3, 3",
        "     frees       self, other",
        "     hands on    AccumulateGrad (x) <- 3",
        "                 AccumulateGrad (x) <- 3 + 3 = 6",
        "  3. AccumulateGrad (x)",
        "     comes in    6",
        "     x.grad      None -> 6",
    ]


def test_values_equal_those_of_plain_backward() -> None:
    def program() -> tuple[Any, Any, Any]:
        mg.manual_seed(0)
        w = mg.randn(5, 3, requires_grad=True)
        b = mg.randn(3, requires_grad=True)
        z = mg.ones(2, 5) @ w + b
        return mg.nn.functional.binary_cross_entropy_with_logits(z, mg.zeros(2, 3)), w, b

    plain_loss, *plain = program()
    plain_loss.backward()
    loss, w, b = program()
    stepper = viz.step(loss)
    assert [leaf.grad.tolist() for leaf in plain] == [w.grad.tolist(), b.grad.tolist()]
    owners = {n["owner"]: n["name"] for n in stepper.payload["nodes"] if n["kind"] == "leaf"}
    shown = {
        owners[event["node"]]: stepper.payload["values"][event["after"]]
        for event in stepper.payload["events"]
        if event["kind"] == "leaf_gradient"
    }
    assert set(shown) == {"w", "b"}
    for name, leaf in (("w", w), ("b", b)):
        assert shown[name]["shape"] == list(leaf.shape)
        assert shown[name]["data"] == pytest.approx(leaf.grad.reshape(-1).tolist())


def test_nodes_know_their_line_and_rule() -> None:
    x = mg.tensor(3.0, requires_grad=True)
    y = x * x  # the line that made it
    payload = viz.step(y).payload
    node = payload["nodes"][1]
    file = payload["files"][node["line"]["file"]]
    text = file["lines"][node["line"]["line"] - file["first"]]
    assert text.strip() == "y = x * x  # the line that made it"
    assert file["name"] == "test_step.py"
    assert node["rule_text"] == "ā = g · b, b̄ = g · a"
    assert node["rule"].startswith("<math")


def test_a_function_may_call_anything_line() -> None:
    class Double(mg.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.line = "----"
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

    y = Double.apply(mg.tensor(3.0, requires_grad=True))
    assert "line" not in viz.step(y).payload["nodes"][1]


def test_gradient_and_retain_graph() -> None:
    x = mg.ones(2, requires_grad=True)
    y = x * x
    kept = viz.step(y, mg.tensor([1.0, 10.0]), retain_graph=True)
    assert "free" not in kinds(kept)
    assert x.grad is not None and x.grad.tolist() == [2, 20]
    again = viz.step(y, gradient=mg.ones(2))
    assert "free" in kinds(again)
    assert x.grad.tolist() == [4, 22]
    assert "x.grad      [2, 20] + [2, 2] = [4, 22]" in again.text


def test_several_roots_are_one_pass(lib: ModuleType) -> None:
    x = lib.ones(2, requires_grad=True)
    a, b = x.sum(), (x * 3).sum()
    stepper = viz.step([a, b])
    lines = stepper.text.splitlines()
    assert lines[0] == "backward from a, b: 5 turns"
    assert [line for line in lines if "seed" in line] == ["  1. seed"]
    assert "AccumulateGrad (x) <- [3, 3] + [1, 1] = [4, 4]" in stepper.text
    assert x.grad.tolist() == [4, 4]


def test_several_passes_in_turn(lib: ModuleType) -> None:
    x = lib.ones(2, requires_grad=True)
    a, b = x.sum(), (x * 3).sum()
    stepper = viz.step([a, b], in_turn=True)
    seeds = [line for line in stepper.text.splitlines() if "seed" in line]
    assert seeds == ["  1. seed of pass 1", "  4. seed of pass 2"]
    assert "x.grad      None -> [1, 1]" in stepper.text
    assert "x.grad      [1, 1] + [3, 3] = [4, 4]" in stepper.text
    captions = [e["caption"] for e in stepper.payload["events"] if e["kind"] == "seed"]
    assert [caption.partition(":")[0] for caption in captions] == [
        "backward() starts at a",
        "backward() starts at b",
    ]


def test_it_says_which_gradients_have_changed(lib: ModuleType) -> None:
    x, w = lib.ones(2, requires_grad=True), lib.ones(2, requires_grad=True)
    stepper = viz.step((x * w + x).sum())
    assert set(stepper.changed) == {"x", "w"}
    assert "rehearsal" not in stepper.payload


def test_rehearsal_restores_every_gradient(lib: ModuleType) -> None:
    x, w = lib.ones(2, requires_grad=True), lib.ones(2, requires_grad=True)
    x.grad = before = lib.tensor([5.0, 6.0])
    h = x * w
    h.retain_grad()
    loss = h.sum()
    stepper = viz.step(loss, keep_grad=False, retain_graph=True)
    assert x.grad is before and before.tolist() == [5, 6]
    assert w.grad is None and h.grad is None
    assert stepper.changed == ()
    assert "x.grad      [5, 6] + [1, 1] = [6, 7]" in stepper.text
    assert stepper.text.endswith("A rehearsal: .grad is as it was before.")
    loss.backward()
    assert x.grad.tolist() == [6, 7] and w.grad.tolist() == [1, 1]


def test_failed_rehearsal_restores_every_gradient(lib: ModuleType) -> None:
    x = lib.ones(2, requires_grad=True)
    x.grad = before = lib.ones(2)
    y = (x * 2 + (x * x)).sum()
    y.backward()
    stepper = viz.step(y, keep_grad=False)
    assert stepper.error is not None
    assert x.grad is before


def test_a_recorded_backward_can_be_differentiated(lib: ModuleType) -> None:
    x = lib.tensor(3.0, requires_grad=True)
    (slope,) = lib.autograd.grad(x.sin(), x, create_graph=True)
    text = viz.step(slope).text
    assert text.startswith("backward from slope")
    assert "CosBackward0" in text
    assert abs(x.grad.item() + 0.14112) < 1e-4


def test_freed_saves_are_in_picture() -> None:
    x = mg.tensor(3.0, requires_grad=True)
    y = x * x
    saved = [n for n in viz.step(y).payload["nodes"] if n["kind"] == "saved"]
    assert [n["name"] for n in saved] == ["other = x", "self = x"]
    assert [n.saved for n in viz.draw(y).model.nodes if n.kind == "saved"] == ["freed", "freed"]


def test_failing_pass_is_shown_to_failure() -> None:
    x = mg.ones(2, requires_grad=True)
    y = (x * x).sum()
    y.backward()
    stepper = viz.step(y)
    assert isinstance(stepper.error, RuntimeError)
    assert kinds(stepper)[-1] == "error"
    failure, reason = stepper.text.splitlines()[-2:]
    assert "backward through the graph a second time" in failure
    assert reason.startswith("     because     backward() from y cannot run again")
    assert stepper.payload["steps"][-1]["title"] == "MulBackward0"


def test_a_failing_hook_is_shown() -> None:
    x = mg.ones(2, requires_grad=True)
    h = x * 2

    def broken(g: Any) -> Any:
        raise KeyError("no such thing")

    h.register_hook(broken)
    stepper = viz.step(h.sum())
    assert isinstance(stepper.error, KeyError)
    assert "KeyError: 'no such thing'" in stepper.text


def test_error_in_own_code_shows_line(lib: ModuleType) -> None:
    class Broken(lib.autograd.Function):  # type: ignore[name-defined,misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            raise KeyError("the key")

    x = lib.tensor(2.0, requires_grad=True)
    y = Broken.apply(x)
    last = viz.step(y).payload["events"][-1]
    assert last["message"] == "KeyError: 'the key'"
    assert last["reason"].startswith('It was raised by `raise KeyError("the key")` (line ')
    z = x * x
    z.register_hook(lambda g: g.no_such_thing)
    with speaking("zh"):
        last = viz.step(z).payload["events"][-1]
    assert last["reason"].startswith("抛出它的是 `z.register_hook(lambda g: g.no_such_thing)`")


def test_unnamed_leaf_is_mentioned_once() -> None:
    y = mg.tensor(2.0, requires_grad=True) * 3
    start = "AccumulateGrad of leaf 1 runs with the gradient of leaf 1, 3."
    assert viz.step(y).payload["events"][-2]["caption"] == start


def test_invalid_request_raises() -> None:
    x = mg.ones(2, requires_grad=True)
    with pytest.raises(TypeError, match="needs a tensor of minigrad or PyTorch, not a float"):
        viz.step(3.0)
    with pytest.raises(ValueError, match="got 2 tensors and 1 gradients"):
        viz.step([x * 2, x * 3], [None])
    with pytest.raises(ValueError, match="got 0 tensors"):
        viz.step([])
    with pytest.raises(ValueError, match="is a leaf"):
        viz.step(x)
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar"):
        viz.step(x * 2)
    with pytest.raises(RuntimeError, match="shape"):
        viz.step(x * 2, mg.ones(3))
    assert x.grad is None


def test_mimebundle() -> None:
    def run() -> Any:
        x = mg.tensor(3.0, requires_grad=True)
        y = x * x
        return viz.step(y)

    (first, _), (second, _) = run()._repr_mimebundle_(), run()._repr_mimebundle_()
    # A widget's view would be a key into a kernel that is gone when the notebook is opened again.
    assert set(first) == {"text/html", "image/svg+xml", "text/plain"}
    assert first == second
    assert " at 0x" not in first["text/plain"]


def test_failed_pass_names_the_changing_line(lib: ModuleType) -> None:
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    z = x.exp()
    y = (z * x).sum()
    z.mul_(2)  # the culprit
    stepper = viz.step(y)
    assert stepper.error is not None
    assert stepper.payload["steps"][-1]["title"] == "MulBackward0"
    reason = stepper.payload["events"][-1]["reason"]
    assert "MulBackward0 saved self = z at version 0" in reason
    assert "`z.mul_(2)  # the culprit`" in reason
    assert stepper.text.splitlines()[-1] == f"     because     {reason}"
    with speaking("zh"):
        again = viz.step(y)
    assert "`z.mul_(2)  # the culprit`" in again.payload["events"][-1]["reason"]


def test_double_backward_is_stepped(lib: ModuleType) -> None:
    x = lib.tensor(3.0, requires_grad=True)
    (slope,) = lib.autograd.grad(x * x * x, x, create_graph=True)
    stepper = viz.step(slope)
    assert stepper.error is None
    assert x.grad.item() == 18
    assert len(stepper.payload["steps"]) > 4


def test_chinese() -> None:
    x = mg.tensor(3.0, requires_grad=True)
    y = x * x
    with speaking("zh"):
        stepper = viz.step(y)
    assert stepper.payload["language"] == "zh"
    assert stepper.text.startswith("从 y 反向传播")


def test_language_argument_wins_over_setting() -> None:
    x = mg.tensor(3.0, requires_grad=True)
    with speaking("zh"):
        assert viz.step(x * x, language="en").text.startswith("backward from")
        both = viz.compare(lambda lib: x * x, mg, mg, language="en")
    assert both.payload["language"] == "en" and "After the pass x.grad is" in both.text
    assert viz.step(x * x, language="zh").payload["language"] == "zh"
    for shown in (lambda: viz.step(x * x, language="fr"), lambda: viz.step(x * x, layout="up")):
        before = x.grad
        with pytest.raises(ValueError, match=r"^(language|layout) must be one of"):
            shown()
        assert x.grad is before


def layers(count: int) -> Any:
    """A stepper of a network of `count` layers, with seven nodes each."""
    mg.manual_seed(0)
    h = mg.randn(2, 4)
    for weight in [mg.randn(4, 4, requires_grad=True) for _ in range(count)]:
        h = (h @ weight).tanh()
    return viz.step((h**2).mean())


def test_a_notebook_stores_little() -> None:
    stepper = layers(3)
    assert len(stepper.payload["nodes"]) >= 20
    bundle, _ = stepper._repr_mimebundle_()
    shared = stepper.html.partition('unpack("')[2].partition('"')[0]
    assert len(json.dumps(bundle)) - len(shared) < 60_000


def test_a_page_is_small(tmp_path: Path) -> None:
    stepper = layers(28)
    assert len(stepper.payload["nodes"]) >= 199
    assert stepper.save(tmp_path / "page.html").stat().st_size < 400_000


def test_only_another_widget_opens_a_comm() -> None:
    x = mg.tensor(3.0, requires_grad=True)
    stepper = viz.step(x * x)
    assert stepper.comm is None
    assert ipywidgets.VBox([stepper]).get_state()["children"] == [f"IPY_MODEL_{stepper.model_id}"]
    assert stepper.comm is not None


def test_page_is_one_file(tmp_path: Path) -> None:
    x = mg.tensor(3.0, requires_grad=True)
    y = x * x
    name = "</script><script>alert(1)</script>"
    file = viz.step(y, names={name: x, "y": y}).save(tmp_path / "step.html")
    text = file.read_text()
    assert text.count("<script") == text.count("</script>") == 1
    assert not any(f'{attribute}="http' in text for attribute in ("src", "href"))
    assert "<pre>backward from y" in text


def test_page_steps_offline(browser: Any, tmp_path: Path) -> None:
    x = mg.tensor(3.0, requires_grad=True)
    y = x * x
    file = tmp_path / "step.html"
    file.write_text(page(viz.step(y).payload, ""), encoding="utf-8")
    complaints: list[str] = []
    tab = browser.new_page()
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.goto(file.as_uri())
    caption = tab.locator(".caption")
    caption.wait_for()
    first = caption.inner_text()
    tab.keyboard.press("Tab")
    for _ in range(3):
        tab.keyboard.press("ArrowRight")
    last = caption.inner_text()
    tab.close()
    assert not complaints
    assert "backward() starts at y" in first
    assert "x.grad, which was None." in last


def test_kernel_modules_are_imported_on_demand() -> None:
    code = (
        "import sys, minigrad_viz\n"
        "sys.exit(any(m in sys.modules for m in ('anywidget', 'ipywidgets', 'pygraphviz')))"
    )
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", code], env=env).returncode == 0


def test_forward_pass_is_stepped(lib: ModuleType) -> None:
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    stepper = viz.step(lambda: (2 * x).view(2, 1).sum())
    assert stepper.text.splitlines()[:12] == [
        "forward to result and backward from it: 8 turns",
        "  1. mul",
        "     takes       [1, 2], 2",
        "     makes       [2, 4]",
        "  2. view",
        "     takes       [2, 4]",
        "     makes       [[2], [4]]",
        "  3. sum",
        "     takes       [[2], [4]]",
        "     makes       6",
        "  4. seed",
        "     hands on    SumBackward0 <- 1",
    ]
    assert [(e["kind"], e["step"], e["caption"]) for e in stepper.payload["events"][:2]] == [
        ("forward", 0, "mul takes [1, 2], 2."),
        ("result", 0, "It makes [2, 4], and leaves MulBackward0 in the graph."),
    ]
    assert x.grad.tolist() == [2, 2]
    # The backward turns are those of a step without the forward pass.
    x.grad = None
    alone = viz.step((2 * x).view(2, 1).sum()).text.splitlines()
    assert [line[4:] for line in stepper.text.splitlines()[10:]] == [line[4:] for line in alone[1:]]


def test_in_place_operation_shows_old_value(lib: ModuleType) -> None:
    x = lib.tensor([1.0, 2.0], requires_grad=True)

    def compute() -> Any:
        y = x * 1
        y.mul_(3)
        return y.sum()

    assert "takes       [1, 2], 3\n     makes       [3, 6]" in viz.step(compute).text


def test_unneeded_operations_are_omitted(lib: ModuleType) -> None:
    x = lib.tensor(3.0, requires_grad=True)

    def compute() -> Any:
        x.exp()
        return x * x

    assert "exp" not in viz.step(compute).text


def test_a_function_must_return_a_tensor() -> None:
    with pytest.raises(
        TypeError, match=r"step\(\) needs a tensor of minigrad or PyTorch, not a flo"
    ):
        viz.step(lambda: 3.0)


def test_a_function_that_returns_nothing() -> None:
    x = mg.tensor(2.0, requires_grad=True)
    for show in (viz.step, viz.draw):
        with pytest.raises(TypeError, match="must return the tensor that it computes, and return"):
            show(lambda: (x * x).backward())


def test_a_number_is_not_written_twice() -> None:
    x = mg.tensor(3.0, requires_grad=True)
    y = 2 * x
    assert "reads       other = 2 (version 0)" in viz.step(y).text


def test_old_gradients_are_shown_without_new(lib: ModuleType) -> None:
    x, w = lib.ones(2, requires_grad=True), lib.ones(2, requires_grad=True)
    (w * 3).sum().backward()
    h = w * x
    y = (h * h).sum()
    h.add_(1)
    payload = viz.step(y).payload
    assert payload["events"][-1]["kind"] == "error"
    gradients = {n["name"]: n["gradient"] for n in payload["nodes"] if n["kind"] == "leaf"}
    assert gradients["x"] is None
    assert payload["values"][gradients["w"]]["data"] == [3, 3]


def root_line(stepper: Any) -> str | None:
    payload = stepper.payload
    line = payload["nodes"][1].get("line")
    if line is None:
        return None
    file = payload["files"][line["file"]]
    return str(file["lines"][line["line"] - file["first"]].strip())


def test_pytorch_root_line_is_shown_if_certain(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)

    def computed() -> Any:
        return (x * x).sum()

    def operation() -> Any:
        loss = (x * 2).sum()
        return viz.step(loss)

    def operator() -> Any:
        product = x @ x
        return viz.step(product)

    def function() -> Any:
        error = torch.nn.functional.mse_loss(x, torch.zeros(2))
        return viz.step(error)

    def module() -> Any:
        criterion = torch.nn.CrossEntropyLoss()
        entropy = criterion(x[None], torch.tensor([0]))
        return viz.step(entropy)

    def two_names() -> Any:
        loss = same = (x * 2).sum()
        del same
        return viz.step(loss)

    def not_its_own() -> Any:
        before = computed()
        loss = torch.nn.Identity()(before)
        return viz.step(loss)

    def elsewhere() -> Any:
        loss = computed()
        return viz.step(loss)

    def handed_on() -> Any:
        loss = (x * 2).sum()
        loss.add_(1)
        return viz.step(loss)

    def in_a_branch() -> Any:
        if len(x) > 1:
            loss = (x * 2).sum()
        return viz.step(loss)

    def twice() -> Any:
        loss = (x * 2).sum()
        loss = (x * 3).sum()
        return viz.step(loss)

    assert root_line(operation()) == "loss = (x * 2).sum()"
    assert root_line(operator()) == "product = x @ x"
    assert root_line(function()) == "error = torch.nn.functional.mse_loss(x, torch.zeros(2))"
    assert root_line(module()) == "entropy = criterion(x[None], torch.tensor([0]))"
    for program in (elsewhere, handed_on, in_a_branch, twice, two_names, not_its_own):
        assert root_line(program()) is None


def test_unwatched_pass_says_how_to_watch(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x.exp().sum()
    with viz.watch():
        z = x.exp().sum()
    assert "with viz.watch():" in viz.step(y).payload["note"]
    with speaking("zh"):
        assert "with viz.watch():" in viz.step(x.exp().sum()).payload["note"]
    assert "note" not in viz.step(z).payload
    assert "note" not in viz.step(lambda: x.exp().sum()).payload
    assert "note" not in viz.step((mg.ones(2, requires_grad=True) * 2).sum()).payload


def test_failing_callback_belongs_to_last_node() -> None:
    def fails() -> None:
        raise ValueError("odd")

    x = mg.ones(2, requires_grad=True)
    engine: Any = mg.autograd.Variable._execution_engine
    x.register_hook(lambda g: engine.queue_callback(fails))
    stepper = viz.step((x * 2).sum())
    assert isinstance(stepper.error, ValueError)
    last = stepper.payload["events"][-1]
    assert (last["kind"], last["message"]) == ("error", "ValueError: odd")


def test_gradient_watchers_run_on_restore(lib: ModuleType) -> None:
    x, called = lib.ones(2, requires_grad=True), []
    x.register_post_accumulate_grad_hook(lambda t: called.append(t.grad.tolist()))
    viz.step((x * 2).sum(), keep_grad=False)
    assert called == [[2, 2]] and x.grad is None
