"""Each public function refuses a senseless call in whole sentences."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_lessons.engine.wrong import right_engine
from minigrad_viz.diagnosis.diagnose import running_shell
from minigrad_viz.diagnosis.report import size_text
from minigrad_viz.picture import graphviz
from minigrad_viz.picture.graphviz import LayoutError
from minigrad_viz.picture.svg import redrawn

import minigrad as mg


def loss() -> Any:
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    return (x * x).sum()


def same(x: Any) -> Any:
    return x


def three(*given: Any) -> Any:
    return 3


def nothing() -> None:
    return None


def made_in_inference() -> Any:
    with mg.inference_mode():
        return mg.ones(2)


NAMES: dict[str, Any] = {
    "viz": viz, "mg": mg, "loss": loss, "same": same, "three": three, "nothing": nothing,
    "made_in_inference": made_in_inference,
}  # fmt: skip

REFUSALS = """
viz.draw(mg.ones(2, requires_grad=True))
    ValueError: this tensor of shape [2] is a leaf: no operation made it, so there is no graph
    behind it. Call draw() on something computed from it
viz.draw(mg.ones(2))
    ValueError: this tensor of shape [2] has no grad_fn: it was made without recording (no input
    requires grad, or under no_grad, or by detach), so draw() finds no graph behind it
viz.draw(made_in_inference())
    TypeError: draw() cannot read this Tensor: RuntimeError: Inference tensors do not track version
    counter.
viz.step(made_in_inference())
    TypeError: step() cannot read this Tensor: RuntimeError: Inference tensors do not track version
    counter.
viz.draw(nothing)
    TypeError: the function given to draw() must return the tensor that it computes, and returned
    None. If it calls backward() itself, let it return the loss instead
viz.draw(same)
    TypeError: draw() calls same() with no argument, and cannot: missing a required argument: 'x'
viz.draw(loss(), names=[1])
    TypeError: names must be a dict such as {'w': w}, or a module with named_parameters(), not a
    list
viz.draw(loss(), names={"x": 1})
    TypeError: names must map names to tensors, but names['x'] is a int
viz.draw(loss(), fold=["tail"])
    ValueError: nothing in this graph folds into 'tail', but into nothing at all
viz.draw(loss(), fold="tail")
    TypeError: fold must be True, False, None or the boxes that stay open, as in ("encoder",), not
    'tail'
viz.draw(loss()).save("a.gif")
    ValueError: cannot save 'a.gif': the name must end in .svg, .png, .pdf, .html, .dot or .txt
viz.explain(mg.ones(2)).save("a.png")
    ValueError: cannot save 'a.png': the name must end in .html, .svg or .txt
viz.explain(mg.ones(2)).save("a.svg")
    ValueError: there is no picture to save here: save .html or .txt
viz.program(loss()).save("a.svg")
    ValueError: cannot save 'a.svg': the name must end in .py, .txt or .html
viz.draw(loss(), layout="neato")
    ValueError: layout must be one of 'pygraphviz', 'dot', 'viz.js', not 'neato'
viz.draw(loss(), view="up")
    ValueError: view must be one of 'backward', 'forward', 'both', not 'up'
viz.set_language("de")
    ValueError: language must be one of 'en', 'zh', not 'de'
viz.step(3)
    TypeError: step() needs a tensor of minigrad or PyTorch, not a int
viz.step([])
    ValueError: step() got 0 tensors and 0 gradients
viz.step([loss()], [mg.ones(()), mg.ones(())])
    ValueError: step() got 1 tensors and 2 gradients
viz.step([loss(), loss()], mg.ones(()))
    TypeError: step() needs a list of gradients for a list of tensors, not a Tensor
viz.step(loss(), inputs=3)
    TypeError: step() needs tensors as inputs, not a int
viz.compare(3, mg, mg)
    TypeError: compare() needs a function, not a int
viz.compare(nothing, mg, mg)
    TypeError: compare() calls nothing() with one, and cannot: too many positional arguments
viz.explain(3)
    TypeError: explain() needs a tensor of minigrad or PyTorch, or an exception, not a int
viz.explain(loss(), 3)
    TypeError: explain() needs a tensor of minigrad or PyTorch, or an exception, not a int
viz.diagnose(3)
    TypeError: diagnose() needs a function to run, not a int
viz.diagnose().__exit__(None, None, None)
    RuntimeError: diagnose() was told to end before it began: use it in a `with`
viz.derivatives(same, "a", 1)
    TypeError: derivatives() needs numbers low < high, not 'a'
viz.derivatives(same, 2, 1)
    ValueError: derivatives() needs low < high, not 2 and 1
viz.derivatives(same, 0, 1, order=1.5)
    TypeError: order must be a whole number, not 1.5
viz.derivatives(same, 0, 1, order=-1)
    ValueError: order must not be negative, but is -1
viz.derivatives(three, 0, 1)
    TypeError: derivatives() needs a function that returns a tensor, and it returned a int
viz.derivatives(mg.sum, 0, 1)
    ValueError: derivatives() needs a function of each element: from [201] it made []
viz.derivatives(same, 0, 1, library=3)
    TypeError: library must be minigrad or torch, not 3
viz.derivatives(nothing, 0, 1)
    TypeError: derivatives() calls nothing() with x, and cannot: too many positional arguments
viz.explore(lambda x: 3, x=(0, 1))
    TypeError: explore() needs a function that returns a tensor, and f() returned a int
viz.explore(lambda x: x * mg.ones(2), x=(0, 1))
    ValueError: explore() needs a function that returns a single number, and f() returned the shape
    [2]: return its sum() or mean()
viz.explore(lambda x: mg.ones(()), x=(0, 1))
    ValueError: explore() found no graph behind what f() returned: it does not depend on any input,
    or was computed under no_grad
viz.explore(same)
    ValueError: explore() needs an input with a range, as in explore(f, x=(-2, 2))
viz.explore(same, x=(0, 1), along="y")
    ValueError: along must be one of 'x', not 'y'
viz.explore(same, x="a")
    TypeError: explore(): the input 'x' must be a number, (low, high), (low, high, step) or a
    tensor, not 'a'
viz.explore(same, x=(1, 0))
    ValueError: explore(): the input 'x' must go from a lower number to a higher one in positive
    steps, not (1, 0)
viz.explore(lambda x: x.exp(), x=(0, 1)).move(z=1)
    ValueError: f() has no slider for z
viz.explore(lambda x: x.exp(), x=(0, 1)).move(x="a")
    TypeError: move() needs a number for 'x', not 'a'
viz.grad_flow(3)
    TypeError: grad_flow() needs a module or a dict of name to tensor, not a int
viz.grad_flow({"w": 3})
    TypeError: grad_flow() needs tensors, but 'w' is a int
viz.grad_flow(mg.nn.ReLU())
    ValueError: grad_flow() found no parameter that requires grad
viz.loss_curve([1.0], x=3)
    TypeError: loss_curve() needs a name for x and a whole number to start at, not 3 and 1
viz.loss_curve([1.0], start=1.5)
    TypeError: loss_curve() needs a name for x and a whole number to start at, not None and 1.5
viz.loss_curve([])
    ValueError: loss_curve() needs at least one loss in every series
viz.loss_curve(a=3)
    TypeError: loss_curve() needs a list of numbers, but 'a' is a int
viz.loss_curve(["a"])
    TypeError: loss_curve() needs numbers, but 'loss' holds a str
viz.loss_curve([mg.ones(2)])
    TypeError: loss_curve() needs single numbers, but 'loss' holds a tensor of shape [2]
"""
"""Calls, and below each of them what it is told."""


def table() -> list[Any]:
    """Each call with its sentence in one line."""
    rows: list[list[str]] = []
    for line in REFUSALS.strip().splitlines():
        if line.startswith(" "):
            rows[-1].append(line.strip())
        else:
            rows.append([line])
    return [pytest.param(call, " ".join(words), id=call) for call, *words in rows]


@pytest.mark.parametrize(("call", "words"), table())
def test_a_refusal_in_whole_sentences(call: str, words: str) -> None:
    with pytest.raises(Exception) as caught:
        eval(call, dict(NAMES))
    assert f"{type(caught.value).__name__}: {caught.value}" == words


def own_result() -> Any:
    engine = right_engine()
    a = engine.tensor(1.0, requires_grad=True)
    return a + a


@pytest.mark.parametrize(
    ("call", "kind", "said"),
    [
        (
            lambda: viz.program(own_result()),
            TypeError,
            "program() cannot look into an engine of your own",
        ),
        (
            lambda: viz.program([mg.ones((), requires_grad=True) * 2], gradient=3),  # type: ignore[arg-type]
            TypeError,
            "program() needs a list of gradients for a list of tensors, not a int",
        ),
        (
            lambda: viz.forward_and_backward(lambda x: x.sum(), mg.ones(0)),
            ValueError,
            "forward_and_backward() cannot move an input that has no element",
        ),
        (
            lambda: viz.forward_and_backward(lambda x: x.sum(), mg.ones(2), tangents=3),  # type: ignore[arg-type]
            TypeError,
            "forward_and_backward() needs a tensor, or a list of them, as tangents, not 3",
        ),
        (
            lambda: viz.memory([]),
            TypeError,
            "memory() needs tensors of minigrad or PyTorch, or a function",
        ),
        (
            lambda: redrawn(b"<svg/>", viz.draw(mg.ones(1, requires_grad=True) * 2).model),
            LayoutError,
            "Graphviz gave an SVG without a graph in it",
        ),
    ],
)
def test_rare_refusals(call: Any, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind) as refused:
        call()
    assert str(refused.value) == said


def test_drawing_without_graphviz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text and the DOT text remain: on display, and in a file next to the requested one."""
    monkeypatch.setattr(graphviz, "_bundled", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    drawing = viz.draw(mg.ones(1, requires_grad=True) * 2)
    bundle = drawing._repr_mimebundle_()
    assert list(bundle) == ["text/plain"]
    assert bundle["text/plain"].startswith(f"{drawing!r}\n\n")
    assert bundle["text/plain"].endswith(drawing.dot)
    with pytest.warns(UserWarning, match=r"^wrote a\.dot in place of a png file: Graphviz"):
        assert drawing.save(tmp_path / "a.png") == tmp_path / "a.dot"
    assert (tmp_path / "a.dot").read_text() == drawing.dot
    monkeypatch.setitem(sys.modules, "graphviz", None)
    alone = drawing._repr_mimebundle_()["text/plain"]
    assert alone.startswith(f"{drawing!r}\n\n") and "digraph" not in alone


def test_sizes_in_words() -> None:
    sizes = [0, 1023, 1024, 1536, 2**20, 2**30, 5 * 2**40]
    told = ["0 B", "1023 B", "1 KiB", "1.5 KiB", "1 MiB", "1 GiB", "5120 GiB"]
    assert [size_text(size) for size in sizes] == told


def test_the_shell_is_ipythons_if_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = object()
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))  # type: ignore[arg-type]
    assert running_shell() is shell
    monkeypatch.delitem(sys.modules, "IPython")
    assert running_shell() is None
