"""The model of a graph: the same plain data from minigrad and from PyTorch."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import weakref
from functools import partial
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.model import graph_model
from minigrad_viz.model.graph_model import Edge, GraphModel, Node

import minigrad as mg
from tests.record import answer
from tests.speaking import speaking


def square(lib: ModuleType) -> tuple[Any, Any]:
    x = lib.tensor(3.0, requires_grad=True)
    return x, x * x


def linear(lib: ModuleType) -> dict[str, Any]:
    x, y = lib.ones(5), lib.zeros(3)
    w = lib.ones(5, 3, requires_grad=True)
    b = lib.ones(3, requires_grad=True)
    z = lib.matmul(x, w) + b
    loss = lib.nn.functional.binary_cross_entropy_with_logits(z, y)
    return {"x": x, "y": y, "w": w, "b": b, "z": z, "loss": loss}


def test_square(lib: ModuleType) -> None:
    x, y = square(lib)
    model = GraphModel.of(y, names={"x": x, "y": y})
    scalar = {"shape": (), "dtype": "float32"}
    tensor = scalar | {"version": 0, "requires_grad": True}
    saved = tensor | {"variable": "x", "owner": "n1", "saved": "kept", "value": "3"}
    assert model.nodes == (
        Node("n0", "root", "y", value="9", **tensor),
        Node("n1", "function", "MulBackward0", variable="y", value="9", **scalar),
        Node("n2", "saved", "other", **saved),
        Node("n3", "saved", "self", **saved),
        Node("n4", "accumulate", "AccumulateGrad", variable="x"),
        Node("n5", "leaf", "x", owner="n4", value="3", gradient="None", **tensor),
    )
    assert model.edges == (
        Edge("e0", "root", "n0", "n1", index=0),
        Edge("e1", "saved", "n1", "n2"),
        Edge("e2", "saved", "n1", "n3"),
        Edge("e3", "next", "n1", "n4", slot=0, index=0),
        Edge("e4", "next", "n1", "n4", slot=1, index=0),
        Edge("e5", "leaf", "n4", "n5"),
    )


PROGRAMS = {
    "linear": lambda lib: linear(lib)["loss"],
    "constants": lambda lib: (2 * lib.ones(3, requires_grad=True) + 1).mean(),
    "shared": lambda lib: (lambda a: (a + a) * a.exp())(lib.ones(2, requires_grad=True) * 2),
    "powers": lambda lib: (lib.ones(2, 3, requires_grad=True) ** 2 / 3).sum(),
    "broadcast": lambda lib: lib.ones(4, 1, requires_grad=True) @ lib.ones(1, 4),
    "double": lambda lib: lib.ones(2, requires_grad=True, dtype=lib.float64).sin(),
}


def compared(value: Any) -> Any:
    """Of the dataclasses of a model what counts for their equality, as plain data."""
    if dataclasses.is_dataclass(value):
        fields = [field.name for field in dataclasses.fields(value) if field.compare]
        return {name: compared(getattr(value, name)) for name in fields}
    return [compared(item) for item in value] if isinstance(value, tuple) else value


@pytest.mark.parametrize("program", PROGRAMS)
def test_same_model_as_pytorch(program: str, oracle: ModuleType) -> None:
    def seen(lib: Any) -> list[str]:
        root = PROGRAMS[program](lib)
        return [compared(GraphModel.of(root)), viz.draw(root, names={}).text]

    assert seen(mg) == answer(oracle, seen)


def clip(gradient: Any) -> Any:
    return gradient


def look(*gradients: Any) -> None:
    pass


def test_tooltip_of_a_node(lib: ModuleType) -> None:
    x = lib.arange(12.0).reshape(3, 4)
    w = lib.ones(4, 2, requires_grad=True)
    b = lib.tensor([0.5, float("nan")], requires_grad=True)
    h = x @ w
    y = h + b
    loss = y.sum()
    w.register_hook(clip)
    b.register_post_accumulate_grad_hook(look)
    h.retain_grad()
    h.register_hook(clip)
    y.grad_fn.register_prehook(look)
    y.grad_fn.register_hook(look)
    loss.backward(retain_graph=True)
    with lib.no_grad():
        b += 1
    names = {"x": x, "w": w, "b": b, "h": h, "y": y, "loss": loss}
    model = GraphModel.of(loss, names=names)
    about = {node.title: tuple(a for a in node.about if "line" not in a) for node in model.nodes}
    gradient = ".grad: norm 47.6, from 12 to 21"
    assert about == {
        "loss": ("requires grad", "value: nan"),
        "SumBackward0": (),
        "AddBackward0": ("hook: node_pre: look", "hook: node_post: look"),
        "MmBackward0": ("hook: tensor: clip", "hook: retain_grad"),
        "self = x": ("requires no grad", "value: norm 22.5, from 0 to 11"),
        "AccumulateGrad": (),
        "w": ("requires grad", "value: norm 2.83, from 1 to 1", gradient, "hook: tensor: clip"),
        "b": (
            "requires grad",
            "changed in place once",
            "value: [1.5, nan]",
            ".grad: [3, 3]",
            "hook: post_accumulate: look",
        ),
    }


def test_node_has_its_line() -> None:
    x = mg.ones(2, requires_grad=True)
    y = x.exp()
    (made,) = (node for node in GraphModel.of(y).nodes if node.kind == "function")
    assert made.line is not None
    assert made.about == (f"line {made.line[0]}: y = x.exp()",)
    with speaking("zh"):
        (made,) = (node for node in viz.draw(y).model.nodes if node.kind == "function")
    assert made.about == (f"第 {made.line[0]} 行：y = x.exp()",)


def test_reading_hooks_leaves_none_behind(lib: ModuleType) -> None:
    x = lib.ones(2, requires_grad=True)
    y = (x * 2).sum()
    seen: list[str] = []
    y.grad_fn.register_hook(lambda *_: seen.append("once"))
    for _ in range(3):
        hooks = [node.hooks for node in GraphModel.of(y).nodes if node.hooks]
    assert hooks == [("node_post: <lambda>",)]
    y.backward()
    assert seen == ["once"]


def test_names_come_from_the_callers_variables(lib: ModuleType) -> None:
    x = lib.tensor(3.0, requires_grad=True)
    y = x * x
    model = viz.draw(y).model
    assert [node.title for node in model.nodes] == [
        "y",
        "MulBackward0",
        "other = x",
        "self = x",
        "AccumulateGrad",
        "x",
    ]


def test_names_come_from_a_module(torch: ModuleType) -> None:
    layer = torch.nn.Linear(2, 1)
    out = layer(torch.ones(1, 2))
    leaves = [n.name for n in GraphModel.of(out, names=layer).nodes if n.kind == "leaf"]
    assert sorted(leaves) == ["bias", "weight"]
    leaves = [n.name for n in viz.draw(out).model.nodes if n.kind == "leaf"]
    assert sorted(leaves) == ["layer.bias", "layer.weight"]


def test_node_has_its_module(lib: ModuleType) -> None:
    nn = lib.nn
    model = nn.Sequential(nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1)), nn.Tanh())
    out = model(lib.ones(1, 2)).sum()
    nodes = GraphModel.of(out, names=model).nodes
    assert [(node.name, node.module) for node in nodes if node.kind == "function"] == [
        ("SumBackward0", None),
        ("TanhBackward0", None),  # nothing that it has tells
        ("AddmmBackward0", "0.2"),
        ("TanhBackward0", "0"),
        ("AddmmBackward0", "0.0"),
        ("TBackward0", "0.0"),
        ("TBackward0", "0.2"),
    ]
    assert "module: 0.2" in [line for node in nodes for line in node.about]


def test_label_names_other_devices(torch: ModuleType) -> None:
    x = torch.ones(2, 3, device="meta", requires_grad=True)
    y = x.exp()
    details = {node.kind: node.detail for node in GraphModel.of(y).nodes}
    assert details["leaf"] == "[2, 3] meta"
    assert details["saved"] == "[2, 3] meta v0"
    number = GraphModel.of(x.sum().exp()).nodes[2]
    assert (number.kind, number.detail) == ("saved", "scalar meta v0")


def test_fake_tensors_have_no_numbers(torch: ModuleType) -> None:
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        x = torch.ones(3, requires_grad=True)
        y = (x * x * torch.ones(())).sum()
        about = {node.kind: node.about for node in viz.draw(y).model.nodes}
    assert about["root"] == about["saved"] == ("requires grad",)
    assert about["leaf"] == ("requires grad", ".grad: None")


def test_unnamed_tensors_are_numbered(lib: ModuleType) -> None:
    out = lib.ones(2, requires_grad=True) * lib.ones(2, requires_grad=True)
    leaves = [node.name for node in GraphModel.of(out).nodes if node.kind == "leaf"]
    assert leaves == ["leaf 1", "leaf 2"]


def test_unnamed_leaf_shows_its_shape(lib: ModuleType) -> None:
    x = lib.ones(3, 2, requires_grad=True)
    out = (x * lib.ones(2, requires_grad=True)).sum() + lib.ones((), requires_grad=True)
    nodes = GraphModel.of(out, names={"x": x}).nodes
    labels = {node.lines[-1] for node in nodes if node.kind == "accumulate"}
    assert labels == {"x", "[2]", "scalar"}


def test_saved_intermediate_results_have_their_name(lib: ModuleType) -> None:
    x = lib.ones(2, requires_grad=True)
    h = x.exp()
    y = h * h
    titles = [node.title for node in viz.draw(y).model.nodes if node.kind == "saved"]
    assert titles == ["other = h", "self = h", "result = h"]


def test_saved_number_is_named_by_value(lib: ModuleType) -> None:
    x = lib.ones(2, requires_grad=True)
    y = (x * 2) / 2.5
    titles = [node.title for node in viz.draw(y).model.nodes if node.kind == "saved"]
    assert titles == ["other = 2.5", "other = 2"]


def test_saved_tensors_are_freed_by_backward(lib: ModuleType) -> None:
    _, y = square(lib)
    y.backward()
    states = [(n.name, n.saved) for n in viz.draw(y).model.nodes if n.kind == "saved"]
    assert states == [("other", "freed"), ("self", "freed")]


def test_changed_saved_tensor_is_marked(torch: ModuleType) -> None:
    x = torch.ones(2, requires_grad=True)
    h = x * 2
    y = h * h
    h.add_(1)
    states = {n.name: n.saved for n in GraphModel.of(y).nodes if n.owner == "n1"}
    assert states == {"other": "changed", "self": "changed"}


def test_a_graph_deeper_than_the_stack(lib: ModuleType) -> None:
    x = y = lib.ones(1, requires_grad=True)
    for _ in range(10_000):
        y = y + x
    model = GraphModel.of(y)
    assert len(model) == 10_003
    assert model.nodes[-1].id == "n10002"


def test_users_function(lib: ModuleType) -> None:
    class Cube(lib.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            ctx.variable = "a user's own attribute, not a leaf"
            return x * x * x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensors
            return 3 * x * x * g

    x = lib.ones(2, requires_grad=True)
    y = Cube.apply(x)
    model = viz.draw(y).model
    assert [node.title for node in model.nodes] == [
        "y",
        "CubeBackward",
        "saved_tensors[0] = x",
        "AccumulateGrad",
        "x",
    ]


@pytest.mark.parametrize("call", [viz.draw, GraphModel.of])
def test_missing_graph_is_explained(call: Any, lib: ModuleType) -> None:
    with pytest.raises(TypeError, match="needs a tensor of minigrad or PyTorch, not a list"):
        call([lib.ones(2)])
    with pytest.raises(ValueError, match=r"shape \[2, 3\] is a leaf: no operation made it"):
        call(lib.ones(2, 3, requires_grad=True))
    with pytest.raises(ValueError, match=r"shape \[2\] has no grad_fn"):
        call((lib.ones(2, requires_grad=True) * 2).detach())


def test_names_of_the_wrong_kind(lib: ModuleType) -> None:
    x, y = square(lib)
    with pytest.raises(TypeError, match=r"names\['x'\] is a float"):
        viz.draw(y, names={"x": 3.0})
    with pytest.raises(TypeError, match="names must be a dict"):
        viz.draw(y, names=[x])


def test_a_model_keeps_no_graph_alive(lib: ModuleType) -> None:
    def draw() -> tuple[viz.Drawing, weakref.ref[Any]]:
        x, y = square(lib)
        return viz.draw(y), weakref.ref(x)

    drawing, leaf = draw()
    assert leaf() is None
    assert len(drawing.model) == 6


def test_variables_of_the_caller_are_not_touched(lib: ModuleType) -> None:
    class Trap:
        def __getattr__(self, name: str) -> Any:
            raise AssertionError(f"{name} was asked for")

        def __eq__(self, other: object) -> bool:
            raise AssertionError("compared")

        __hash__ = None  # type: ignore[assignment]

    trap = Trap()
    _, y = square(lib)
    assert viz.draw(y).model.root.name == "y"
    assert type(trap) is Trap


def test_pytorch_is_not_imported() -> None:
    code = "import sys, minigrad_viz; sys.exit('torch' in sys.modules)"
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", code], env=env).returncode == 0


def test_a_graph_without_end_is_refused(lib: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_model, "MOST_NODES", 50)
    total = lib.zeros(1)
    w = lib.ones(1, requires_grad=True)
    for _ in range(60):
        total = total + w
    for show in (partial(viz.draw, fold=False), viz.step, GraphModel.of):
        with pytest.raises(ValueError, match=r"\(\) ends where .* more than 50 nodes.*detach\(\)"):
            show(total)
    assert "Add \u00d7 60" in viz.draw(total, fold=True).text  # of that, the outline
    assert w.grad is None
