"""explain: each cause by name, on minigrad and on PyTorch."""

from __future__ import annotations

import functools
import linecache
import random
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import numpy as np
import pytest
from minigrad_viz.diagnosis.evidence import covers, memory, nonfinite
from minigrad_viz.diagnosis.reachable import things_of
from minigrad_viz.picture.graphviz import NoGraphviz

import minigrad as mg
from tests.record import answer
from tests.speaking import speaking


def raised(run: Callable[[], Any]) -> BaseException:
    try:
        run()
    except RuntimeError as error:
        return error
    pytest.fail("nothing was raised")


def says(explanation: viz.Explanation, cause: str, *phrases: str) -> None:
    assert explanation.cause == cause, explanation.text
    for phrase in phrases:
        assert phrase in explanation.text, explanation.text


# --- Why is .grad None?


def test_not_required(lib: ModuleType) -> None:
    x = lib.ones(3)
    says(viz.explain(x), "not_required", "x does not require grad", "`x = lib.ones(3)` (line ")


def test_not_floating(lib: ModuleType) -> None:
    n = lib.arange(3)
    says(viz.explain(n), "not_floating", "n holds int64 numbers")


def test_a_pass_from_integers(lib: ModuleType) -> None:
    total = lib.arange(3).sum()
    says(viz.explain(raised(total.backward)), "no_graph", "It holds int64 numbers")


def test_detached(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    y = x * x
    u = y.detach()
    found = viz.explain(u)
    says(found, "not_required", "the numbers of y without its history", "`u = y.detach()`")
    assert "MulBackward0" in found.svg


def test_detached_and_copied(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    u = (x * x).detach().clone()
    says(viz.explain(u), "not_required", "cut off", "`u = (x * x).detach().clone()`")


def test_made_under_no_grad(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    with lib.no_grad():
        z = x * 2
    says(viz.explain(z), "not_required", "`with lib.no_grad()`", "`z = x * 2`")


def test_made_in_a_function_under_no_grad(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)

    @lib.no_grad()
    def model() -> viz.Explanation:
        z = x * 2
        return viz.explain(z)

    says(model(), "not_required", "`@lib.no_grad()`", "`z = x * 2`")


def test_made_with_gradients_set_off(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    with lib.set_grad_enabled(False):
        z = x * 2
    says(viz.explain(z), "not_required", "under `with lib.set_grad_enabled(False)`")


def test_not_a_leaf(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    y = x * x
    y.sum().backward()
    found = viz.explain(y)
    says(found, "not_leaf", "y is not a leaf", "MulBackward0", "`y = x * x`", "y.retain_grad()")
    assert "culprit" in found.svg
    assert "saved freed culprit" not in found.svg  # what was freed is not to blame


def test_a_weight_that_is_no_leaf(lib: ModuleType) -> None:
    w = lib.ones(3, requires_grad=True) * 0.1
    w.sum().backward()
    says(viz.explain(w), "not_leaf", "w.requires_grad_() last")


def test_retained_but_no_pass_since(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    y = x * x
    y.retain_grad()
    says(viz.explain(y), "retained", "no backward pass has come through y")


def test_backward_not_called(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    h = x * x
    loss = h.sum()
    found = viz.explain(x)
    says(found, "not_called", "loss leads to x", "Call loss.backward()")
    assert viz.explain(x, loss).text == found.text


def test_not_reached_because_detached(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    w = lib.ones(3, requires_grad=True)
    y = x * x
    u = y.detach()
    loss = (u * w).sum()
    found = viz.explain(x, loss)
    says(found, "not_reached", "does not lead to x", "cut off in `u = y.detach()`")
    assert "culprit" in found.svg
    loss.backward()  # which frees the evidence in the graph; the program is still there
    says(viz.explain(x, loss), "not_reached", "does not lead to x", "cut off in `u = y.detach()`")


def test_not_reached_and_never_used(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    w = lib.ones(3, requires_grad=True)
    loss = (w * w).sum()
    loss.backward()
    says(viz.explain(x, loss), "not_reached", "does not lead to x")
    says(viz.explain(x), "never_used", "nothing that you have a name for")


def test_used_under_no_grad_only(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    with lib.no_grad():
        z = x * 2
    says(viz.explain(x), "used_without_history", "z in `z = x * 2`", "`with lib.no_grad()`")
    assert not z.requires_grad


def test_used_before_it_required_grad(lib: ModuleType) -> None:
    x = lib.ones(3)
    z = (x * x).sum()
    x.requires_grad_()
    says(viz.explain(x), "used_without_history", "`z = (x * x).sum()`", "did not require grad yet")
    assert not z.requires_grad


def test_the_gradient_was_taken_away(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    loss = (x * x).sum()
    loss.backward()
    x.grad = None
    says(viz.explain(x), "taken_away", "from loss to x", "`x.grad = None`")


def test_the_gradient_was_only_returned(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    loss = (x * x).sum()
    lib.autograd.grad(loss, x)
    says(viz.explain(x, loss), "by_grad", "autograd.grad()")


def test_operations_that_save_nothing_cannot_tell(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    loss = (x + x).sum()
    says(viz.explain(x, loss), "not_called_or_taken", "save nothing")


def nothing_for_its_input(lib: ModuleType) -> Any:
    class Nothing(lib.autograd.Function):  # type: ignore[name-defined,misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return None

    return Nothing


def test_a_function_returned_none(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    y = nothing_for_its_input(lib).apply(x)
    loss = y.sum()
    loss.backward()
    assert x.grad is None
    says(viz.explain(x), "always_returned_none", "NothingBackward", "y = nothing_for_its_input")


def test_zero_gradient_and_hook(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)

    def erase(g: Any) -> Any:
        return g * 0

    x.register_hook(erase)
    (x * x).sum().backward()
    says(viz.explain(x), "zero_grad", "all of it is zero", "hook on x (erase)")


def test_empty_gradient_is_not_zero(lib: ModuleType) -> None:
    x = lib.zeros(0, requires_grad=True)
    x.sum().backward()
    says(viz.explain(x), "has_grad", "x.grad is []")


def test_the_gradient_is_there(lib: ModuleType) -> None:
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward()
    says(viz.explain(x), "has_grad", "x.grad is [2, 4]")


# --- Why does backward fail?


def test_changed_in_place(lib: ModuleType) -> None:
    x = lib.ones(3)
    w = lib.ones(3, requires_grad=True)
    loss = (x * w).sum()
    copy = x.detach()
    copy[0] = 2
    for found in (viz.explain(loss), viz.explain(raised(loss.backward))):
        says(found, "in_place", "MulBackward0 saved self = x at version 0")
        says(found, "in_place", "at version 1 now", "`copy[0] = 2` (line ")
        says(found, "in_place", "in `loss = (x * w).sum()`")  # a node without a name of its own
        assert "culprit" in found.svg


def test_failed_pass_has_freed_earlier_nodes(lib: ModuleType) -> None:
    x = lib.ones(2, 3, requires_grad=True)
    y = x * x
    loss = (y * 2).exp().sum()
    x.detach().zero_()
    error = raised(loss.backward)
    says(viz.explain(error), "in_place", "= x at version 0", "`x.detach().zero_()`")
    says(viz.explain(loss), "in_place", "MulBackward0 saved", "`y = x * x`")


def notebook(lib: ModuleType, *cells: str) -> dict[str, Any]:
    """Run cells as IPython does: each is kept in linecache, under a name made from its text."""
    scope: dict[str, Any] = {"lib": lib, "viz": viz}
    for cell in cells:
        name = f"/tmp/ipykernel_7/{abs(hash(cell))}.py"
        scope.setdefault("In", [""]).append(cell)
        linecache.cache[name] = (len(cell), None, cell.splitlines(True), name)
        exec(compile(cell, name, "exec"), scope)
    return scope


@pytest.mark.usefixtures("clean_linecache")
def test_changed_in_another_cell(lib: ModuleType) -> None:
    scope = notebook(
        lib,
        "x = lib.ones(3)\nw = lib.ones(3, requires_grad=True)\nz = x * w",
        "z = w + 1",  # a line that is written twice counts where it ran last
        "copy = x\nx = x + 0\nz = x * w\nloss = z.sum()",
        "x[0] = 2",
        "found = viz.explain(loss)",
    )
    says(scope["found"], "in_place", "in `z = x * w` (line 3 of its cell)", "`x[0] = 2` (line 1")


@pytest.mark.usefixtures("clean_linecache")
def test_unlisted_cells_count_in_order(lib: ModuleType) -> None:
    cells = [f"plain = lib.tensor({number}.0)" for number in range(6)]
    scope = notebook(lib, *cells, "In.clear()", "found = viz.explain(plain)")
    says(scope["found"], "not_required", "`plain = lib.tensor(5.0)`")


@pytest.mark.usefixtures("clean_linecache")
@pytest.mark.parametrize("last", range(6))
def test_last_run_cell_counts(lib: ModuleType, last: int) -> None:
    cells = [f"plain = lib.tensor({number}.0)" for number in range(6)]
    scope = notebook(lib, *cells, cells[last], "found = viz.explain(plain)")
    says(scope["found"], "not_required", f"`plain = lib.tensor({last}.0)`")


def test_history_ends_in_module_given_by_keyword(lib: ModuleType) -> None:
    class Classifier(lib.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, x: Any) -> Any:
            return x.argmax(dim=1).float()

    def loss_of(x: Any, model: Any) -> Any:
        return (model(x) ** 2).mean()

    net = Classifier()
    x = lib.ones(2, 3, requires_grad=True)
    loss = loss_of(x, model=net)
    found = viz.explain(raised(loss.backward))
    says(found, "no_graph", "ends in `return x.argmax(dim=1).float()`")


def test_change_by_method_and_by_operator(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    y = x * 1
    z = (y * y).sum()
    y += 1
    y.mul_(2)
    says(viz.explain(z), "in_place", "at version 2 now", "`y.mul_(2)`")


def test_change_in_function_calling_backward(lib: ModuleType) -> None:
    def train() -> None:
        x = lib.ones(3, requires_grad=True)
        h = x.exp()
        h += 1
        h.sum().backward()

    found = viz.explain(raised(train))
    says(found, "in_place", "ExpBackward0 saved result", "`h += 1`")


def test_changed_by_an_optimizer(lib: ModuleType) -> None:
    w = lib.ones(3, requires_grad=True)
    optimizer = lib.optim.SGD([w], lr=0.1)
    first, second = (w * 2).sum(), (w * w).sum()
    first.backward()
    optimizer.step()
    says(viz.explain(raised(second.backward)), "in_place", " = w at", "`optimizer.step()`")


def test_an_error_without_a_traceback(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    y = (x * x).sum()
    y.backward()
    error = RuntimeError(str(raised(y.backward)))
    says(viz.explain(y, error), "freed", "MulBackward0 has freed")
    says(viz.explain(error), "unknown_error", "second time")


def test_freed(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    loss = (x * x).sum()
    loss.backward()
    says(viz.explain(loss), "finished", "`loss.backward()`", "`x` 2", "viz.diagnose(train_step)")
    found = viz.explain(raised(loss.backward))
    says(found, "freed", "backward() from loss", "MulBackward0 has freed", "retain_graph")
    assert "saved freed culprit" in found.svg


def test_freed_in_a_shared_part(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    h = x * x
    first, second = h.sum(), (h * h).sum()
    first.backward()
    found = viz.explain(raised(second.backward))
    says(found, "freed_shared", "from second", "shares MulBackward0", "`h = x * x`", "with first")


def test_not_a_scalar(lib: ModuleType) -> None:
    x = lib.ones(2, 3, requires_grad=True)
    y = x * 2
    says(viz.explain(raised(y.backward)), "not_scalar", "shape [2, 3]", "y.sum()")


def test_no_graph(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    with lib.no_grad():
        y = (x * x).sum()
    says(viz.explain(raised(y.backward)), "no_graph", "at y", "`with lib.no_grad()`")


def test_leaf_changed_in_place(lib: ModuleType) -> None:
    w = lib.ones(3, requires_grad=True)

    def update() -> None:
        v = w
        v -= 1

    says(viz.explain(raised(update)), "leaf_in_place", "`v -= 1`", "under no_grad")


def test_an_input_that_was_not_used(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    w = lib.ones(3, requires_grad=True)
    loss = (x * x).sum()
    error = raised(lambda: lib.autograd.grad(loss, [x, w]))
    says(viz.explain(error, loss), "unused_input")


@pytest.mark.filterwarnings("ignore:invalid value encountered")  # which pytest.warns passes on
def test_anomaly_mode_stopped(lib: ModuleType) -> None:
    x = lib.zeros(3, requires_grad=True)
    with pytest.warns(UserWarning, match="Anomaly Detection"), lib.autograd.detect_anomaly():
        y = (x.sqrt() * 0).sum()
        error = raised(y.backward)
    explained = viz.explain(error)
    says(explained, "nan_in_backward", "SqrtBackward0", "y = (x.sqrt() * 0).sum()")
    assert explained.svg.count("culprit") > explained.svg.count(".culprit")


def test_an_error_of_something_else(lib: ModuleType) -> None:
    x = lib.ones(3)
    found = viz.explain(raised(lambda: x + lib.ones(2)))
    says(found, "unknown_error", "RuntimeError: The size", "It was raised by `found = ")
    bare = viz.explain(KeyError("x")).text
    assert bare == "KeyError: 'x'. This is no error that explain() knows."


# --- Where does the NaN come from?


def test_nan_in_a_value(lib: ModuleType) -> None:
    x = lib.tensor([-1.0, 2.0], requires_grad=True)
    y = x.log()
    loss = (y * 2).sum()
    found = viz.explain(loss)
    says(found, "nan_value", "loss holds nan", "LogBackward0", "`y = x.log()`")
    assert "culprit" in found.svg


def test_nan_after_an_infinity(lib: ModuleType) -> None:
    x = lib.tensor([1000.0], requires_grad=True)
    e = (x * 2).exp()
    loss = (e - e).sum()
    says(viz.explain(loss), "nan_value_about", "inf came before it, out of ExpBackward0")


def test_nan_already_in_an_input(lib: ModuleType) -> None:
    x = lib.tensor([1.0, float("nan")])
    w = lib.ones(2, requires_grad=True)
    loss = (x * w).sum()
    says(viz.explain(loss), "nan_leaf", "and so does x")


def test_nan_in_a_gradient_only(lib: ModuleType) -> None:
    x = lib.zeros(1, requires_grad=True)
    loss = (x.sqrt() * 0).sum()
    found = viz.explain(loss, nan=True)
    says(found, "nan_gradient", "SqrtBackward0", "it gets [0] and gives [nan]")
    assert x.grad is None
    loss.backward()
    says(viz.explain(x), "nan_in_grad", "x.grad holds nan")


def test_rehearsal_takes_no_optimizer_step(
    lib: ModuleType,
) -> None:
    w = lib.ones(2, requires_grad=True)
    optimizer, steps = lib.optim.SGD([w], lr=1.0), []

    def end(leaf: Any) -> None:
        steps.append(1)
        optimizer.step()
        leaf.grad = None

    w.register_post_accumulate_grad_hook(end)
    loss = (w * w).sum()
    says(viz.explain(loss, nan=True), "all_finite")
    assert (steps, w.tolist(), w._version) == ([], [1, 1], 0)
    loss.backward()
    assert (steps, w.tolist()) == ([1], [-1, -1])


def test_rehearsal_draws_and_deletes_nothing(lib: ModuleType) -> None:
    class Scaled(lib.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.scale = 2.0
            return x * ctx.scale

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            scale = ctx.scale
            del ctx.scale
            return g * scale * random.random() * float(np.random.random())  # noqa: NPY002

    x = lib.ones(2, requires_grad=True)
    loss = Scaled.apply(x).sum()
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002
    drawn = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]  # noqa: NPY002
    says(viz.explain(loss, nan=True), "all_finite")
    assert drawn == (random.getstate(), np.random.get_state()[1].tolist())  # type: ignore[index]  # noqa: NPY002
    loss.backward()
    assert x.grad is not None


def test_everything_is_finite(lib: ModuleType) -> None:
    x = lib.ones(2, requires_grad=True)
    loss = (x * x).sum()
    says(viz.explain(loss, nan=True), "all_finite")
    loss.backward()
    says(viz.explain(loss, nan=True), "values_finite")


def test_tensors_that_only_pytorch_has(torch: ModuleType) -> None:
    table = torch.nn.Embedding(4, 2, sparse=True)
    table(torch.tensor([1])).sum().backward()
    says(viz.explain(table.weight), "has_grad", "[4, 2]")
    assert [layer.zeros for layer in viz.grad_flow(table).layers] == [0.75]
    x = torch.ones(2, device="meta", requires_grad=True)
    says(viz.explain(x * x), "not_leaf")
    z = torch.ones(2, dtype=torch.cfloat, requires_grad=True)
    (z * z).abs().sum().backward()
    says(viz.explain(z), "has_grad")


# --- The answer itself


def test_the_same_words_for_both_libraries(oracle: ModuleType) -> None:
    def story(lib: Any) -> list[str]:
        x = lib.ones(3, requires_grad=True)
        w = lib.ones(3, requires_grad=True)
        y = x * x
        u = y.detach()
        z = u * w
        loss = z.sum()
        texts = [viz.explain(x).text, viz.explain(w).text, viz.explain(y).text]
        texts += [viz.explain(u).text, viz.explain(x, loss).text]
        loss.backward()
        texts += [viz.explain(x).text, viz.explain(w).text, viz.explain(z).text]
        texts += [viz.explain(loss, nan=True).text]
        y[0] = 5.0
        texts += [viz.explain(y).text, viz.explain(x, loss).text]
        return [re.sub(r"line \d+ of", "line N of", text) for text in texts]  # of this very file

    assert story(mg) == answer(oracle, story)


def test_chinese(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    y = x * x
    with speaking("zh"):
        found = viz.explain(y)
    assert found.text.startswith(
        "y.grad 是 None，因为 y 不是叶子节点：它由 MulBackward0 产生（`y = x * x`"
    )


def test_hook_on_result_with_retained_grad(lib: ModuleType) -> None:
    def halve(gradient: Any) -> Any:
        return gradient / 2

    x = lib.ones(2, requires_grad=True)
    y = x * 2
    y.retain_grad()
    y.register_hook(halve)
    y.sum().backward()
    assert "A hook on y (halve) sees the gradient first" in viz.explain(y).text


@pytest.mark.parametrize("thing", [3.0, None, "x", [1.0]])
def test_neither_a_tensor_nor_an_exception(thing: Any) -> None:
    with pytest.raises(TypeError, match="needs a tensor of minigrad or PyTorch, or an exception"):
        viz.explain(thing)


def test_names_can_be_given(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    y = x * x
    says(viz.explain(y, names={"w": x, "out": y}), "not_leaf", "out is not a leaf")


def test_a_graph_of_a_hundred_thousand_operations() -> None:
    x = y = mg.ones(2, requires_grad=True)
    for _ in range(100_000):
        y = y + x
    loss = y.exp().sum()
    said = viz.explain(x, loss)
    assert said.cause == "not_called" and said.svg == ""
    loss.backward()
    assert viz.explain(raised(loss.backward)).cause == "freed"


def test_large_graph_is_cut(lib: ModuleType) -> None:
    x = lib.ones(3, requires_grad=True)
    y = x * x
    z = y
    for _ in range(300):
        z = z * 1.0 + 0.0
    loss = z.sum()
    x.detach().zero_()
    found = viz.explain(loss)
    says(found, "in_place", "saved other = x" if "other = x" in found.text else "saved self = x")
    assert found.svg.count('class="node') < 40


def test_hostile_names_are_text(lib: ModuleType) -> None:
    evil = "</p><script>alert(1)</script><b x='"
    x = lib.ones(3, requires_grad=True)
    y = x * x
    found = viz.explain(y, names={evil: y, f"{evil}2": x})
    assert "<script" not in found.html and "<b x" not in found.html
    assert "<script" not in found.svg
    ET.fromstring(found.svg)


def test_it_shows_itself() -> None:
    x = mg.ones(3, requires_grad=True)
    y = x * x
    found = viz.explain(y)
    bundle = found._repr_mimebundle_()
    assert bundle["text/plain"] == repr(found) == found.text
    assert bundle["text/html"].startswith('<div class="mg-explain mg-image"><p')
    assert (
        "<style>" in found.svg
        and '<img alt="the graph, with the place marked" src="data:image/svg+xml,' in found.html
    )
    assert "<code>y = x * x</code>" in bundle["text/html"]


def test_without_graphviz_words_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_graphviz(*args: Any, **kwargs: Any) -> str:
        raise NoGraphviz("there is none")

    monkeypatch.setattr(import_module("minigrad_viz.diagnosis.explain"), "svg", no_graphviz)
    x = mg.ones(3, requires_grad=True)
    y = x * x
    found = viz.explain(y)
    assert found.svg == "" and "<img" not in found.html
    assert "<code>y = x * x</code>" in found.html


def test_non_finite_value_is_explained(lib: ModuleType) -> None:
    nan, inf = float("nan"), float("inf")
    found = [nonfinite(lib.tensor(row)) for row in ([1.0], [inf, 1.0], [-inf, nan], [1], [])]
    assert found == ["", "inf", "nan", "", ""]


def test_memory_is_per_library_and_device() -> None:
    x = mg.ones(3)
    library, device, first = memory(x) or ("", "", 0)
    last = first + 2 * x.element_size()
    assert covers(x, (library, device, first)) and covers(x, (library, device, last))
    assert not covers(x, (library, device, first - 1)) and not covers(
        x, (library, device, last + 1)
    )
    assert not covers(x, ("torch", device, first)) and not covers(x, (library, "cuda:0", first))
    assert not covers(mg.ones(0), (library, device, first))


# --- What was refused, and at which line


def test_an_inference_tensor_that_is_saved(lib: ModuleType) -> None:
    w = lib.ones(2, requires_grad=True)
    with lib.inference_mode():
        made = lib.ones(2)
    error = raised(lambda: w * made)
    says(viz.explain(error), "inference_saved", "Clone it, or make it under no_grad.", "w * made")


def test_the_flag_of_a_result(lib: ModuleType) -> None:
    y = lib.ones(2, requires_grad=True) * 2

    def assigned() -> None:
        y.requires_grad = False

    def called() -> None:
        y.requires_grad_(False)

    for run, line in (
        (assigned, "`y.requires_grad = False`"),
        (called, "`y.requires_grad_(False)`"),
    ):
        found = viz.explain(raised(run))
        says(found, "flag_of_result", f"y is the result of an operation in {line} (line ")


def test_one_of_several_views_is_written(lib: ModuleType) -> None:
    first, _ = lib.unbind(lib.ones(2, 1, requires_grad=True).clone())

    def called() -> None:
        first.mul_(2)

    def augmented() -> None:
        nonlocal first
        first *= 2

    for run, cure in ((called, "`first = first.mul(2)`"), (augmented, "`first = first * 2`")):
        says(viz.explain(raised(run)), "several_views", "first is one of several views", cure)


def test_saved_object_that_is_no_tensor(lib: ModuleType) -> None:
    class Keep(lib.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x, 3)
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

    x = lib.ones(2, requires_grad=True)
    found = viz.explain(raised_by(TypeError, lambda: Keep.apply(x)))
    says(found, "only_tensors", "`ctx.save_for_backward(x, 3)` (line ", "`ctx.n = n`")


def raised_by(kind: type[Exception], run: Callable[[], Any]) -> BaseException:
    with pytest.raises(kind) as caught:
        run()
    return caught.value


def test_an_error_of_another_kind(lib: ModuleType) -> None:
    found = viz.explain(raised(lambda: lib.ones(2) @ lib.ones(3)))
    says(found, "unknown_error", "RuntimeError: inconsistent tensor size", "It was raised by `")


def test_closure_of_function_is_read() -> None:
    def inner(x: Any) -> Any:
        return x, factor

    class Called:
        def __call__(self, x: Any) -> Any:
            return inner(x)

    factor = 3
    assert things_of(inner)["factor"] == 3 and things_of(inner)["mg"] is mg
    assert things_of(Called())["inner"] is inner
    assert things_of(print) == {}
    given = things_of(functools.partial(print, 3, sep="-"))
    assert given == {"argument0": 3, "sep": "-"}


def test_inference_tensor_is_explained() -> None:
    w = mg.ones(2, requires_grad=True)
    with mg.inference_mode():
        z = w * 2
    assert "inference_mode" in str(viz.explain(z))
