"""The forward view: what the backward graph tells about the pass that made it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.picture.forward import operation_name

import minigrad as mg


def example(lib: ModuleType) -> Any:
    """A product with data, a broadcast, an operation with two results, a number."""
    x = lib.ones(2, 3)
    w = lib.ones(3, 2, requires_grad=True)
    b = lib.zeros(2, requires_grad=True)
    z = x @ w + b
    left, right = (2 * z).tanh().split(1, 1)
    loss = (left * right).mean()
    names = {"x": x, "w": w, "b": b, "z": z, "left": left, "right": right, "loss": loss}
    return viz.draw(loss, names=names, view="forward")


def test_forward_view_shows_the_program(lib: ModuleType) -> None:
    assert example(lib).text.splitlines() == [
        "w: [3, 2]",
        "b: [2]",
        "#1: [2, 2] = mm(x, w)",
        "z: [2, 2] = add(#1, b)",
        "#2: [2, 2] = mul(z, 2)",
        "#3: [2, 2] = tanh(#2)",
        "left: [2, 1], right: [2, 1] = split(#3)",
        "#4: [2, 1] = mul(left, right)",
        "loss: scalar = mean(#4)",
    ]


def test_data_flows_from_tensors_to_operations(lib: ModuleType) -> None:
    model = example(lib).model
    kinds = {node.id: node.kind for node in model.nodes}
    for edge in model.edges:
        ends = {kinds[edge.source], kinds[edge.target]}
        assert edge.kind == "data"
        assert "operation" in ends and len(ends) == 2
    assert model.root.name == "loss"
    assert [edge.target for edge in model.edges].count(model.root.id) == 1
    assert model.root.id not in {edge.source for edge in model.edges}


def test_both_passes_in_one_picture(lib: ModuleType) -> None:
    x = lib.tensor(3.0, requires_grad=True)
    y = (x * x).exp()
    backward, forward = viz.draw(y), viz.draw(y, view="forward")
    both = viz.draw(y, view="both")
    ids = {node.id for node in both.model.nodes}
    assert ids == {node.id for drawing in (backward, forward) for node in drawing.model.nodes}
    pairs = [(e.source, e.target) for e in both.model.edges if e.kind == "made"]
    assert pairs == [(f"{n.id}op", n.id) for n in backward.model.nodes if n.kind == "function"]
    places = positions(both.svg)
    assert places["n1op"] == places["n1"]  # an operation stands next to its node
    assert places["n0"] > places["n1op"] > places["n3op"]  # data flows down
    assert both.text == f"{forward.text}\n\n{backward.text}"


def positions(svg: str) -> dict[str, float]:
    """How far down each node stands."""
    found = {}
    for group in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}g"):
        if "node" in group.get("class", "").split():
            boxes = group.findall("{http://www.w3.org/2000/svg}rect")
            tops = [float(box.get("y", "nan")) for box in boxes]
            ends = [y + float(box.get("height", "nan")) for y, box in zip(tops, boxes, strict=True)]
            found[group.get("id", "")] = round((min(tops) + max(ends)) / 2)
    return found


@pytest.mark.parametrize(
    ("node", "operation"),
    [
        ("MulBackward0", "mul"),
        ("MseLossBackward0", "mse_loss"),
        ("MaxPool2DWithIndicesBackward0", "max_pool2d_with_indices"),
        ("LogSoftmaxBackward0", "log_softmax"),
        ("CubeBackward", "Cube"),
        ("CopySlices", "CopySlices"),
    ],
)
def test_operations_have_the_called_names(node: str, operation: str) -> None:
    assert operation_name(node) == operation


def test_one_tensor_used_twice_is_one_tensor(lib: ModuleType) -> None:
    x = lib.ones(2)
    w = lib.ones(2, requires_grad=True)
    text = viz.draw((w * x + w.exp() * x).sum(), view="forward").text
    assert text.count("x)") == 2
    model = viz.draw((w * x + w.exp() * x).sum(), view="forward").model
    assert [node.name for node in model.nodes].count("x") == 1


def gaps(lib: ModuleType) -> Any:
    x, w = lib.ones(2, 3), lib.ones(3, 2, requires_grad=True)
    b, y = lib.zeros(2), lib.ones(2)
    return lib.where(y > 0, (x @ w + b - 1) * y, y).mean()


def test_unsaved_value_is_a_gap(lib: ModuleType) -> None:
    drawing = viz.draw(gaps(lib), names={}, view="forward")
    assert drawing.text.splitlines() == [
        "leaf 1: [3, 2]",
        "#2: [2, 2] = mm(#1, leaf 1)",
        "#3: [2, 2] = add(#2, ?)",
        "#4: [2, 2] = sub(#3, ?)",
        "#6: [2, 2] = mul(#4, #5)",
        "#8: [2, 2] = where(#7, #6, ?)",
        "result: scalar = mean(#8)",
    ]
    assert [n.lines for n in drawing.model.nodes if n.saved == "lost"] == [
        ("input", "not kept")
    ] * 3
    assert drawing.model.root.kind == "root"
    assert drawing.svg.count(">not kept</text>") == 3
    without = viz.draw(gaps(lib), names={}, view="forward", saved=False)
    assert "?" not in without.text  # what is not asked for may be kept


def test_recorder_knows_the_inputs(lib: ModuleType) -> None:
    drawing = viz.draw(lambda: gaps(lib), names={}, view="forward")
    assert "#5: [2, 2] = sub(#4, 1)" in drawing.text.splitlines()
    assert "#4: [2, 2] = add(#2, #3)" in drawing.text.splitlines()
    known = {(n.shape, n.number) for n in drawing.model.nodes if n.id.endswith("i1")}
    assert {((2,), None), ((), "1")} <= known


def test_omitted_argument_is_no_gap(lib: ModuleType) -> None:
    f, image, weight = lib.nn.functional, lib.ones(1, 1, 3, 3), lib.ones(1, 1, 2, 2)
    convolved = f.conv2d(image, weight.requires_grad_())
    assert "?" not in viz.draw(f.layer_norm(convolved, (2,)), view="forward").text


def test_data_keeps_its_input_position(lib: ModuleType) -> None:
    bias, x, w = lib.zeros(2), lib.ones(2, 3), lib.ones(3, 2, requires_grad=True)
    text = viz.draw(lib.addmm(bias, x, w), view="forward").text
    assert text.splitlines()[-1] == "result: [2, 2] = addmm(?, x, w)"


def test_freed_graph_has_forward_view(lib: ModuleType) -> None:
    x = lib.tensor(3.0, requires_grad=True)
    y = x * x
    y.backward()
    assert viz.draw(y, view="forward").text == "x: scalar\ny: scalar = mul(x, x)"


def test_a_long_chain_forwards() -> None:
    y = mg.ones(1, requires_grad=True)
    for _ in range(10_000):
        y = y + 1
    text = viz.draw(y, view="forward", saved=False).text
    assert len(text.splitlines()) == 10_001


def test_an_unknown_view_is_refused() -> None:
    x = mg.tensor(3.0, requires_grad=True)
    with pytest.raises(ValueError, match="view must be one of 'backward', 'forward', 'both'"):
        viz.draw(x * x, view="sideways")  # type: ignore[arg-type]
