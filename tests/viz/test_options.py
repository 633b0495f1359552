"""Every option of every public function: its default, and what another value changes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest

from tests.speaking import speaking

DEFAULTS: dict[str, dict[str, Any]] = {
    "forward_and_backward": {
        "tangents": None, "gradient": None, "names": None, "layout": None,
    },
    "compare": {"titles": None, "retain_graph": None, "language": None, "layout": None},
    "derivatives": {"order": 1, "library": None},
    "diagnose": {"step": None},
    "draw": {
        "names": None, "saved": True, "view": "backward", "fold": None, "layout": None,
    },
    "explain": {"context": None, "nan": False, "names": None, "layout": None},
    "explore": {"along": None, "library": None, "layout": None},
    "grad_flow": {},
    "loss_curve": {"log": False, "x": None, "start": 1},
    "memory": {"names": None},
    "plot_style": {},
    "program": {"gradient": None, "names": None, "inputs": None},
    "step": {
        "gradient": None, "names": None, "retain_graph": None, "create_graph": False,
        "inputs": None, "in_turn": False, "keep_grad": True, "language": None, "layout": None,
        "fold": None, "show": None, "nudge": False,
    },
    "set_language": {},
    "watch": {},
}  # fmt: skip


def test_the_defaults() -> None:
    found = {}
    for name in viz.__all__:
        value = getattr(viz, name)
        if inspect.isfunction(value):
            parameters = inspect.signature(value).parameters.values()
            found[name] = {p.name: p.default for p in parameters if p.default is not p.empty}
    assert found == DEFAULTS


def program(lib: ModuleType) -> Any:
    """A result whose parts have names wherever it is called."""
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    w = lib.tensor([3.0, 4.0], requires_grad=True)
    y = (x * w).exp()
    return y.sum(), {"x": x, "w": w}


def loss_of(lib: ModuleType) -> Any:
    return program(lib)[0]


def by_name(lib: ModuleType) -> tuple[Any, dict[str, Any]]:
    loss, leaves = program(lib)
    return loss, leaves | {"loss": loss}


# --- Pictures


def test_draw_names(lib: ModuleType) -> None:
    loss, names = by_name(lib)
    assert "x  [2]" in viz.draw(loss, names=names).text
    assert "x  [2]" not in viz.draw(loss, names={}).text
    assert "x  [2]" in str(viz.draw(loss, names=names))


def test_draw_saved(lib: ModuleType) -> None:
    loss, _ = by_name(lib)
    chips = [line for line in viz.draw(loss, names={}).dot.splitlines() if 'STYLE="dashed"' in line]
    assert len(chips) == 2 and ">result<" in chips[0] and ">self<" in chips[1]
    assert "dashed" not in viz.draw(loss, saved=False).dot
    assert "saved: result" in viz.draw(loss, names={}).text
    assert "saved" not in viz.draw(loss, saved=False).text


def test_draw_view(lib: ModuleType) -> None:
    loss, names = by_name(lib)
    backward = viz.draw(loss, names=names)
    forward = viz.draw(loss, names=names, view="forward")
    both = viz.draw(loss, names=names, view="both")
    assert forward.text.startswith("x: [2]") and "AccumulateGrad" not in forward.text
    assert both.text == f"{forward.text}\n\n{backward.text}"
    assert len({backward.dot, forward.dot, both.dot}) == 3
    assert backward.dot == viz.draw(loss, names=names, view="backward").dot


def test_draw_knows_temporaries_of_function(lib: ModuleType) -> None:
    result = []

    def compute() -> Any:
        result.append(loss_of(lib))
        return result[0]

    assert "sum(#2)" in viz.draw(compute, view="forward").text
    assert len(result) == 1


def test_endings_choose_the_format(lib: ModuleType, tmp_path: Path) -> None:
    loss, names = by_name(lib)
    drawing = viz.draw(loss, names=names)
    assert drawing.save(tmp_path / "a.txt").read_text("utf-8") == drawing.text + "\n"
    assert drawing.save(tmp_path / "b.DOT").read_text("utf-8") == drawing.dot
    assert drawing.save(str(tmp_path / "c.svg")).read_text("utf-8") == drawing.svg + "\n"


def test_draw_fold(lib: ModuleType) -> None:
    net = lib.nn.Sequential(lib.nn.Linear(2, 2), lib.nn.Tanh(), lib.nn.Linear(2, 1))
    with viz.watch():
        loss = net(lib.ones(1, 2)).sum()
    whole, folded = viz.draw(loss), viz.draw(loss, fold=True)
    assert len(folded.model.nodes) < len(whole.model.nodes)
    plain = viz.draw(loss, fold=False).model
    assert plain.nodes == whole.model.nodes
    assert whole.model.enclosures and not plain.enclosures
    boxes = [node.name for node in folded.model.nodes if node.kind == "cluster"]
    opened = viz.draw(loss, fold=boxes)
    assert boxes and len(folded.model.nodes) < len(opened.model.nodes)


@pytest.mark.parametrize(
    "ask",
    [
        lambda loss, layout: viz.draw(loss, layout=layout).svg,
        lambda loss, layout: viz.step(loss, layout=layout).illustrated["svg"],
        lambda loss, layout: viz.explain(loss, layout=layout).svg,
    ],
    ids=["draw", "step", "explain"],
)
def test_unknown_layout_is_refused(lib: ModuleType, ask: Callable[..., str]) -> None:
    with pytest.raises(ValueError, match="layout must be one of 'pygraphviz', 'dot'"):
        ask(loss_of(lib), "neato")


# --- Words


DISPLAYS: dict[str, Callable[[ModuleType], str]] = {
    "draw": lambda lib: viz.draw(loss_of(lib)).text,
    "step": lambda lib: viz.step(loss_of(lib), names={}).text,
    "explain": lambda lib: viz.explain(loss_of(lib)).text,
    "compare": lambda lib: viz.compare(loss_of, lib, lib).text,
    "diagnose": lambda lib: viz.diagnose(lambda: None).text,
    "explore": lambda lib: viz.explore(lambda x: x**2, library=lib, x=(-1, 1)).text,
    "grad_flow": lambda lib: viz.grad_flow(lib.nn.Linear(2, 1)).text,
    "loss_curve": lambda lib: viz.loss_curve([2.0, 1.0]).text,
    "program": lambda lib: viz.program(loss_of(lib)).text,
    "memory": lambda lib: viz.memory(loss_of(lib)).text,
    "forward_and_backward": lambda lib: (
        viz.forward_and_backward(lambda x: (x * x).sum(), lib.ones(2)).text
    ),
}


@pytest.mark.parametrize("who", DISPLAYS)
def test_displays_follow_the_setting(
    lib: ModuleType, who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def chinese() -> bool:
        return any("\u4e00" <= letter <= "\u9fff" for letter in DISPLAYS[who](lib))

    assert not chinese()
    with speaking("zh"):
        assert chinese()
    monkeypatch.setenv("MINIGRAD_LANGUAGE", "zh")
    assert chinese()
    with speaking("en"):
        assert not chinese()


# --- Passes


def test_step_names(lib: ModuleType) -> None:
    loss, names = by_name(lib)
    assert "AccumulateGrad (w)" in viz.step(loss, names=names).text
    assert "leaf 1.grad" in viz.step(loss_of(lib), names={}).text


def test_step_retain_graph(lib: ModuleType) -> None:
    loss, leaves = program(lib)
    viz.step(loss, retain_graph=True)
    viz.step(loss)
    assert viz.step(loss).error is not None
    x = leaves["x"].grad
    assert x.tolist() == pytest.approx((2 * loss_grad(lib)).tolist())


def loss_grad(lib: ModuleType) -> Any:
    loss, leaves = program(lib)
    return lib.autograd.grad(loss, leaves["x"])[0]


def test_step_create_graph(lib: ModuleType) -> None:
    for create, asks in ((False, False), (True, True)):
        loss, leaves = program(lib)
        inputs = list(leaves.values())
        viz.step(loss, create_graph=create, inputs=inputs)
        assert leaves["x"].grad.requires_grad is asks
        for leaf in inputs:
            leaf.grad = None  # it leads back to the leaf


def test_step_inputs(lib: ModuleType) -> None:
    loss, leaves = program(lib)
    stepper = viz.step(loss, names=leaves, inputs=leaves["x"])
    assert leaves["x"].grad is not None and leaves["w"].grad is None
    assert "x.grad" in stepper.text and "w.grad" not in stepper.text


def test_tensors_are_list_or_tuple(lib: ModuleType) -> None:
    def text(kind: Callable[[Any], Any]) -> str:
        gradients = [lib.tensor(2.0), lib.tensor(3.0)]
        x = lib.ones(2, requires_grad=True)
        roots = [(x * 2).sum(), (x * 3).sum()]
        stepper = viz.step(kind(roots), kind(gradients), names={"x": x}, inputs=kind([x]))
        assert x.grad.tolist() == [13.0, 13.0]
        return str(stepper)

    assert text(list) == text(tuple)


def test_step_keep_grad(lib: ModuleType) -> None:
    loss, leaves = program(lib)
    viz.step(loss, keep_grad=False)
    assert leaves["x"].grad is None


def test_step_fold(lib: ModuleType) -> None:
    def boxes(fold: bool | None) -> int:
        net = lib.nn.Sequential(lib.nn.Linear(2, 2), lib.nn.Tanh(), lib.nn.Linear(2, 1))
        with viz.watch():
            loss = net(lib.ones(1, 2)).sum()
        return len(viz.step(loss, fold=fold).illustrated["clusters"])

    assert boxes(None) == boxes(False) < boxes(True)


def test_compare_titles_and_retain_graph(lib: ModuleType) -> None:
    kept: list[Any] = []

    def keeping(lib: ModuleType) -> Any:
        kept.append(loss_of(lib))
        return kept[-1]

    assert viz.compare(loss_of, lib, lib).text.startswith(f"{lib.__name__}: backward from")
    found = viz.compare(keeping, lib, lib, titles=("left", "right"), retain_graph=True)
    assert found.text.startswith("left: backward from") and "\n\nright: " in found.text
    assert found.differ is None
    for loss in kept:
        loss.backward()
    with pytest.raises(RuntimeError):
        kept[0].backward()
    kept.clear()
    viz.compare(keeping, lib, lib, retain_graph=(True, False))
    kept[0].backward()
    with pytest.raises(RuntimeError):
        kept[1].backward()
    with pytest.raises(ValueError, match="retain_graph must be"):
        viz.compare(keeping, lib, lib, retain_graph=(True, False, True))  # type: ignore[arg-type]


def test_compare_refuses_unknown_layout(lib: ModuleType) -> None:
    with pytest.raises(ValueError, match="layout must be one of 'pygraphviz', 'dot'"):
        viz.compare(loss_of, lib, lib, layout="neato")


# --- Plots and more


def test_derivatives_order_and_library(lib: ModuleType) -> None:
    def cube(x: Any) -> Any:
        assert isinstance(x, lib.Tensor)
        return x**3

    rows = [line.split()[0] for line in viz.derivatives(cube, -1, 1, library=lib).text.splitlines()]
    assert rows == ["x", "cube(x)", "cube'(x)"]
    second = viz.derivatives(cube, -1, 1, order=2, library=lib).text
    assert second.splitlines()[-1].split() == ["cube''(x)", "-6", "-3", "0", "3", "6"]


def test_explore_library_and_along(lib: ModuleType) -> None:
    seen = []

    def product(a: Any, b: Any) -> Any:
        seen.append(type(a))
        return a * b

    first = viz.explore(product, library=lib, a=(-1, 1), b=(-2, 2))
    assert set(seen) == {lib.Tensor}
    other = viz.explore(product, library=lib, along="b", a=(-1, 1), b=(-2, 2))
    assert first.along == "a" and other.along == "b"
    assert [point.x for point in other.points()][-1] == 2.0
    with pytest.raises(ValueError, match="along"):
        viz.explore(product, along="c", a=(-1, 1), b=(-2, 2))
    with pytest.raises(ValueError, match="layout must be one of 'pygraphviz', 'dot'"):
        viz.explore(product, layout="neato", a=(-1, 1), b=(-2, 2))


def test_loss_curve_scale_and_numbers() -> None:
    def axes(**options: Any) -> Any:
        (place,) = viz.loss_curve([4.0, 2.0, 1.0], **options).figure.axes
        return place

    plain = axes()
    assert (plain.get_yscale(), plain.get_xlabel(), plain.get_ylim()[0]) == ("linear", "", 0)
    assert axes(log=True).get_yscale() == "log"
    assert axes(x="step").get_xlabel() == "step"
    assert (
        [*axes(start=0).lines[0].get_xdata()]
        == [0, 1, 2]
        == [place - 1 for place in plain.lines[0].get_xdata()]
    )
    assert "lowest 1 at 3" in viz.loss_curve([4.0, 2.0, 1.0]).text
    assert "lowest 1 at 2" in viz.loss_curve([4.0, 2.0, 1.0], start=0).text


def test_diagnose_is_call_and_block(lib: ModuleType) -> None:
    w = lib.ones(1, requires_grad=True)

    def step() -> None:
        (w * w).sum().backward()

    called = viz.diagnose(step)
    with viz.diagnose() as seen:
        step()
    assert isinstance(called, viz.Diagnosis) and isinstance(seen, viz.Diagnosis)
    assert str(called).startswith("Healthy") and str(seen).startswith("Healthy")


def test_explain_names_and_nan(lib: ModuleType) -> None:
    x = lib.tensor([0.0, 1.0], requires_grad=True)
    loss = (x.sqrt() * 0).sum()
    loss.backward(retain_graph=True)
    assert "weights" in viz.explain(x, loss, names={"weights": x}).text
    assert "SqrtBackward0" in viz.explain(loss, nan=True, names={"weights": x}).text
    assert "SqrtBackward0" not in viz.explain(loss, names={"weights": x}).text


def test_leaves_of_a_function_have_their_names(lib: Any) -> None:
    def affine(x: Any) -> Any:
        W, b = lib.ones(2, 2, requires_grad=True), lib.ones(2, requires_grad=True)
        return (x @ W + b).sum()

    x = lib.ones(1, 2)
    assert set(viz.step(lambda: affine(x)).changed) == {"W", "b"}
    text = viz.draw(lambda: affine(x)).text
    assert "W  [2, 2]" in text and "b  [2]" in text and "leaf 1" not in text
    given = viz.step(lambda: affine(x), names={"data": x})
    assert set(given.changed) == {"leaf 1", "leaf 2"}
