"""Types of a program that draws, as an editor sees them: each expression, and wrong arguments.

mypy checks it, as a part of `make check`, where an ignored error that is none is an error; run by
pytest, it shows that what is wrong by its type is refused.
"""

from __future__ import annotations

from typing import assert_type

import minigrad_viz as viz
import pytest
from minigrad_viz.model.graph_model import GraphModel

import minigrad as mg


def test_types_of_results() -> None:
    model = mg.nn.Linear(2, 1)
    x = mg.ones(3, 2)
    loss = model(x).sum()
    assert_type(viz.draw(loss, names=model), viz.Drawing)
    assert_type(viz.draw(lambda: model(x).sum(), names={"x": x}, view="both"), viz.Drawing)
    assert_type(viz.draw(loss).text, str)
    assert_type(viz.program(loss, names=model), viz.Program)
    assert_type(viz.program([loss, loss], [None, None]).lines[0].text, str)
    assert_type(GraphModel.of(loss), GraphModel)
    assert_type(viz.step(loss, keep_grad=False, retain_graph=True).text, str)
    assert_type(viz.step([loss, loss], [None, None]).changed, tuple[str, ...])
    both = viz.compare(lambda lib: lib.ones(2, requires_grad=True).sum(), mg, mg)
    assert_type(both, viz.Comparison)
    assert_type(both.differ, int | None)
    assert_type(both.sentences, tuple[str, ...])
    assert_type(viz.explain(x, loss), viz.Explanation)
    assert_type(viz.explain(RuntimeError("of the reader")).cause, str)
    assert_type(viz.diagnose(lambda: loss), viz.Diagnosis)
    with viz.diagnose() as report:
        assert_type(report, viz.Diagnosis)
    assert_type(report.kinds, tuple[str, ...])
    assert_type(viz.explore(lambda x, w, b: (w * x + b).sum(), x=(0, 6), w=1.0, b=x).text, str)
    assert_type(viz.forward_and_backward(lambda x: (x * x).sum(), x), viz.ForwardAndBackward)
    assert_type(viz.forward_and_backward(model, x, gradient=mg.ones(3, 1)).text, str)
    assert_type(viz.grad_flow(model), viz.GradFlow)
    assert_type(viz.grad_flow({"weight": model.weight}), viz.GradFlow)
    assert_type(viz.memory(lambda: loss).peak.bytes, int)
    assert_type(viz.memory(loss), viz.Memory)
    assert_type(viz.loss_curve([1, 0.5], testing=[loss, loss]), viz.Plot)
    assert_type(viz.derivatives(mg.exp, 0.0, 1.0, library=mg), viz.Plot)


def test_watching_keeps_the_type_of_a_function() -> None:
    @viz.watch()
    def computed(factor: float) -> mg.Tensor:
        return (mg.ones(2, requires_grad=True) * factor).sum()

    assert_type(computed(2.0), mg.Tensor)
    with pytest.raises(TypeError):
        computed()  # type: ignore[call-arg]


def test_wrong_types_are_refused() -> None:
    loss = (mg.ones(2, requires_grad=True) * 2).sum()
    with pytest.raises(TypeError):
        viz.draw("loss")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        viz.draw(3.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        viz.step(loss, names=[loss])  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        viz.explain("loss")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        viz.diagnose(loss)  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        viz.explore(3, x=(0, 1))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        viz.explore(lambda x: x, x="from 0 to 1")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        viz.grad_flow(3.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        viz.memory(3.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        viz.loss_curve("loss")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="view must be one of"):
        viz.draw(loss, view="sideways")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        viz.draw(loss, colour="red")  # type: ignore[call-arg]
