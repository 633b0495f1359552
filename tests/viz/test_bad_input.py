"""Bad arguments of public functions: one sentence names the function and what is not possible.

No error comes from inside, and no gradient is written.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import numpy as np
import pytest
from minigrad_viz.model import graph_model
from minigrad_viz.model.graph_model import GraphModel

import minigrad as mg
from tests.speaking import speaking

Make = Callable[[ModuleType], Any]


class Box:
    """A box of HIPS autograd: it has a value, and no attribute of a tensor."""

    _value, _node = 1.0, None


class OfAnotherLibrary:
    """An array as those of JAX and TensorFlow are: it becomes a NumPy array, and has no truth."""

    shape, dtype = (2,), "float32"

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.ones(2)

    def __bool__(self) -> bool:
        raise TypeError("ambiguous")

    def __float__(self) -> float:
        raise TypeError("only scalars")


class LooksLikeATensor:
    grad_fn, requires_grad = None, False


class RaisesWhenAsked:
    requires_grad = True

    @property
    def grad_fn(self) -> Any:
        raise RuntimeError("boom")


class RaisesAlways:
    def __getattribute__(self, name: str) -> Any:
        raise KeyError("boom")

    def __repr__(self) -> str:
        raise KeyError("boom")


OF_NO_LIBRARY: dict[str, Callable[[], Any]] = {
    "number": lambda: 1.5,
    "None": lambda: None,
    "text": lambda: "loss",
    "bytes": lambda: b"loss",
    "array": lambda: np.ones(2),
    "array of objects": lambda: np.array([object(), object()]),
    "NumPy number": lambda: np.float32(2),
    "generator": lambda: iter(()),
    "box": lambda: Box(),
    "of another library": lambda: OfAnotherLibrary(),
    "looks like a tensor": lambda: LooksLikeATensor(),
    "raises when asked": lambda: RaisesWhenAsked(),
    "raises always": lambda: RaisesAlways(),
}

OF_A_LIBRARY: dict[str, Make] = {
    "dict": lambda lib: {"a": lib.ones(1)},
    "shape": lambda lib: lib.ones(1).shape,
    "class": lambda lib: lib.Tensor,
    "module": lambda lib: lib.nn.Linear(2, 2),
    "optimizer": lambda lib: lib.optim.SGD([lib.ones(1, requires_grad=True)], lr=0.1),
    "node": lambda lib: (lib.ones(1, requires_grad=True) * 2).grad_fn,
}

NO_TENSOR: dict[str, Make] = OF_A_LIBRARY | {
    name: lambda lib, make=make: make()  # type: ignore[misc]
    for name, make in OF_NO_LIBRARY.items()
}

TAKES_A_TENSOR: dict[str, Callable[[Any], Any]] = {
    "draw": viz.draw,
    "step": viz.step,
    "explain": viz.explain,
    "GraphModel.of": GraphModel.of,
}

OTHERS: dict[str, Callable[[Any], Any]] = {
    "loss_curve": lambda given: viz.loss_curve([given]),
    "explore": lambda given: viz.explore(lambda x: given, x=(0, 1)),
    "derivatives": lambda given: viz.derivatives(lambda x: given, 0.0, 1.0),
    "grad_flow": lambda given: viz.grad_flow({"a": given}),
    "memory": lambda given: viz.memory([given]),
}


@pytest.mark.parametrize("who", TAKES_A_TENSOR)
@pytest.mark.parametrize("what", OF_NO_LIBRARY)
def test_no_tensor(who: str, what: str) -> None:
    refuses_as_tensor(who, OF_NO_LIBRARY[what]())


@pytest.mark.parametrize("who", TAKES_A_TENSOR)
@pytest.mark.parametrize("what", OF_A_LIBRARY)
def test_no_tensor_of_a_library(lib: ModuleType, who: str, what: str) -> None:
    refuses_as_tensor(who, OF_A_LIBRARY[what](lib))


def refuses_as_tensor(who: str, given: Any) -> None:
    with pytest.raises(TypeError) as caught:
        TAKES_A_TENSOR[who](given)
    assert f"{who}() " in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("who", OTHERS)
@pytest.mark.parametrize("what", sorted(OF_NO_LIBRARY.keys() - {"number", "NumPy number"}))
def test_nothing_to_plot(who: str, what: str) -> None:
    refuses_to_plot(who, OF_NO_LIBRARY[what]())


@pytest.mark.parametrize("who", OTHERS)
@pytest.mark.parametrize("what", OF_A_LIBRARY)
def test_nothing_to_plot_of_a_library(lib: ModuleType, who: str, what: str) -> None:
    refuses_to_plot(who, OF_A_LIBRARY[what](lib))


def refuses_to_plot(who: str, given: Any) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        OTHERS[who](given)
    assert f"{who}() " in str(caught.value)


@pytest.mark.parametrize("what", OF_NO_LIBRARY)
def test_no_function(what: str) -> None:
    refuses_as_function(OF_NO_LIBRARY[what]())


@pytest.mark.parametrize("what", sorted(OF_A_LIBRARY.keys() - {"module"}))
def test_no_function_of_a_library(lib: ModuleType, what: str) -> None:
    refuses_as_function(OF_A_LIBRARY[what](lib))


def refuses_as_function(given: Any) -> None:
    with pytest.raises(TypeError, match=r"^explore\(\) "):
        viz.explore(given, x=(0, 1))
    with pytest.raises(TypeError, match=r"^derivatives\(\) "):
        viz.derivatives(given, 0.0, 1.0)


@pytest.mark.parametrize("what", sorted(NO_TENSOR.keys() - {"module", "dict"}))
def test_no_names(lib: ModuleType, what: str) -> None:
    x = lib.ones(1, requires_grad=True)
    for show in (viz.draw, viz.step):
        if what == "None":
            show((x * 2).sum(), names=None)
            continue
        with pytest.raises(TypeError, match=r"^names must be"):
            show((x * 2).sum(), names=NO_TENSOR[what](lib))


@pytest.mark.parametrize("what", NO_TENSOR)
def test_unrelated_variable_is_ignored(lib: ModuleType, what: str) -> None:
    """Only what is asked about is read: the other variables may be anything."""
    bystander = NO_TENSOR[what](lib)
    x = lib.ones(2, requires_grad=True)
    y = (x * x).sum()
    assert viz.draw(y).model.root.name == "y"
    assert viz.draw(y).model.root.name == "y"
    assert viz.explain(x, y).cause
    assert viz.step(y).changed == ("x",)
    del bystander


def test_unreadable_module_is_ignored(lib: ModuleType) -> None:
    class Forgot(lib.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            """super().__init__() is missing."""

    model = Forgot()
    x = lib.ones(2, requires_grad=True)
    assert viz.draw((x * x).sum()).model.root.shape == ()
    with pytest.raises(TypeError, match=r"grad_flow\(\) cannot read the parameters of this Forgot"):
        viz.grad_flow(model)


# --- Tensors of PyTorch without readable numbers, or without a shape


def nested(torch: Any, layout: Any) -> Any:
    parts = [torch.ones(2, 3), torch.ones(4, 3)]
    return torch.nested.nested_tensor(parts, layout=layout, requires_grad=True)


def fake(torch: Any) -> Any:
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        return (torch.ones(3, requires_grad=True) * 2).sum()


def within(torch: Any, transform: Any, *more: Any) -> Any:
    """Call `show` inside a transform of torch.func."""
    kept = []

    def f(v: Any) -> Any:
        kept.append((v * w).sin().sum())
        return kept[-1]

    w = torch.ones(3, requires_grad=True)
    given = torch.ones(2, 3) if transform is torch.func.vmap else torch.ones(3)
    if transform is torch.func.jvp:
        transform(f, (given,), (given,))
    else:
        transform(f)(given)
    return kept[-1]


def compiled(torch: Any) -> Any:
    torch._dynamo.reset()
    x = torch.ones(3, requires_grad=True)
    return torch.compile(lambda a: (a.exp() * a).sum(), backend="aot_eager")(x)


def subclass(torch: Any) -> Any:
    class Mine(torch.Tensor):  # type: ignore[misc, name-defined]
        def __repr__(self, *, tensor_contents: Any = None) -> str:
            raise RuntimeError("boom")

    return (torch.ones(3, requires_grad=True).as_subclass(Mine) * 2).sum()


STRANGE: dict[str, Callable[[Any], Any]] = {
    "meta": lambda t: (t.ones(3, requires_grad=True, device="meta").exp() * 2).sum(),
    "nested": lambda t: t.nested.to_padded_tensor(nested(t, t.strided) * 2, 0.0).sum(),
    "jagged": lambda t: (nested(t, t.jagged) * 2).values().sum(),
    "fake": fake,
    "sparse": lambda t: t.sparse.mm(t.eye(3).to_sparse().requires_grad_(), t.eye(3)).sum(),
    "complex": lambda t: (t.ones(3, dtype=t.complex64, requires_grad=True) * 2).abs().sum(),
    "of no element": lambda t: (t.ones(0, requires_grad=True) * 2).sum(),
    "compiled": compiled,
    "subclass": subclass,
}


@pytest.mark.parametrize("what", STRANGE)
@pytest.mark.filterwarnings("ignore")
def test_strange_tensors_of_pytorch_are_shown(torch: ModuleType, what: str) -> None:
    y = STRANGE[what](torch)
    assert "<svg" in viz.draw(y, view="both").svg
    assert viz.draw(y).text
    assert viz.explain(y).text
    assert viz.explain(y, nan=True).text
    assert GraphModel.of(y)


@pytest.mark.filterwarnings("ignore")
def test_unreadable_numbers_are_ignored(torch: ModuleType) -> None:
    x = torch.ones(3, requires_grad=True, device="meta")
    y = (x.exp() * 2).sum()
    assert "scalar without numbers" in viz.step((x.exp() * 2).sum()).text
    with speaking("zh"):
        assert "标量（没有数值）" in viz.step((x.exp() * 2).sum()).text
    y.backward()
    assert viz.grad_flow({"x": x}).layers[0].flag == "no_numbers"
    with pytest.raises(TypeError, match=r"^loss_curve\(\) needs numbers.* device meta"):
        viz.loss_curve([y])
    with pytest.raises(ValueError, match=r"^explore\(\) needs numbers.* device meta"):
        viz.explore(lambda x: y, x=(0, 1))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("layout", ["strided", "jagged"])
def test_shapes_of_nested_tensors(torch: ModuleType, layout: str) -> None:
    """A ragged length is a star; what a node does not tell is one star."""
    n = nested(torch, getattr(torch, layout))
    model = GraphModel.of(n * 2, names={"n": n})
    assert model.root.detail == "[2, *, 3]"
    (leaf,) = (node for node in model.nodes if node.kind == "leaf")
    assert leaf.detail == "[2, *, 3]"
    assert viz.grad_flow({"n": n}).layers[0].shape == (2, -1, 3)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["grad", "vmap", "jvp", "functionalize"])
def test_tensors_out_of_a_transform(torch: ModuleType, name: str) -> None:
    """They may have no graph, and no numbers; each function shows them or says so."""
    y = within(torch, getattr(torch.func, name))
    for who, ask in TAKES_A_TENSOR.items():
        try:
            assert repr(ask(y))
        except (TypeError, ValueError) as refusal:
            assert f"{who}() " in str(refusal)


def test_a_tensor_that_no_function_takes(torch: ModuleType) -> None:
    class Refusing(torch.Tensor):  # type: ignore[misc, name-defined]
        @classmethod
        def __torch_function__(cls, *given: Any, **named: Any) -> Any:
            raise RuntimeError("no function for you")

    y = (torch.ones(3, requires_grad=True) * 2).sum().as_subclass(Refusing)
    for who in ("explore", "derivatives"):
        with pytest.raises(TypeError, match=rf"^{who}\(\) cannot read this Refusing: RuntimeError"):
            OTHERS[who](y)
    # Who only looks does not ask the class.
    for ask in (viz.draw, viz.explain, GraphModel.of, OTHERS["loss_curve"]):
        assert ask(y)
    with pytest.raises(RuntimeError, match="no function for you"):  # as y.backward() does
        viz.step(y)


# --- Options, files, functions


OPTIONS: dict[str, Any] = {
    "names": (5, TypeError),
    "layout": ("up", ValueError),
    "view": ("up", ValueError),
    "fold": ("encoder", TypeError),
    "max_nodes": (-1, TypeError),
}


@pytest.mark.parametrize("option", OPTIONS)
def test_bad_options_are_named_and_nothing_runs(lib: ModuleType, option: str) -> None:
    value, kind = OPTIONS[option]
    x = lib.ones(2, requires_grad=True)
    with pytest.raises(kind, match=option):
        viz.draw((x * x).sum(), **{option: value})
    if option in ("names", "layout"):
        with pytest.raises(kind, match=option):
            viz.step((x * x).sum(), **{option: value})
    assert x.grad is None


def test_other_options(lib: ModuleType) -> None:
    x = lib.ones(2, requires_grad=True)
    cases: list[tuple[str, Callable[[], Any]]] = [
        ("step() needs a list of gradients", lambda: viz.step([(x * x).sum()], lib.ones(()))),
        ("library must be minigrad or torch", lambda: viz.derivatives(lib.exp, 0, 1, library=5)),
        ("library must be", lambda: viz.explore(lambda x: x * x, x=(0, 1), library=5)),
        ("order must be a whole", lambda: viz.derivatives(lib.exp, 0, 1, order=1.5)),
        ("derivatives() needs numbers", lambda: viz.derivatives(lib.exp, "a", 1)),
        ("loss_curve() needs a name", lambda: viz.loss_curve([1.0], x=5)),
        ("loss_curve() needs a list", lambda: viz.loss_curve(1.0)),
        ("explore(): the input 'x'", lambda: viz.explore(lambda x: x * x, x=[])),
        ("explore() calls", lambda: viz.explore(lambda x: x * x, y=(0, 1))),
        ("draw() calls", lambda: viz.draw(lambda a, b: a)),
        ("move() needs", lambda: viz.explore(lambda x: x * x, x=(0, 1)).move(x="a")),
    ]
    for words, ask in cases:
        with pytest.raises(TypeError) as caught:
            ask()
        assert str(caught.value).startswith(words)


class FailsToList(dict[str, Any]):
    def items(self) -> Any:
        raise RuntimeError("boom")


class FailsToName:
    def named_parameters(self) -> Any:
        raise RuntimeError("boom")


class NamesNothing:
    def named_parameters(self) -> Any:
        return 5


@pytest.mark.parametrize("names", [FailsToList(a=1), FailsToName(), NamesNothing()])
def test_names_that_cannot_be_read(lib: ModuleType, names: Any) -> None:
    x = lib.ones(2, requires_grad=True)
    y = (x * x).sum()
    kind = type(names).__name__
    for show in (viz.draw, viz.step, viz.explain, GraphModel.of):
        with pytest.raises(TypeError, match=rf"^names cannot be read from this {kind}: .*Error: "):
            show(y, names=names)
    with pytest.raises(TypeError, match=rf"^grad_flow\(\) cannot read .* {kind}: "):
        viz.grad_flow(names)
    assert x.grad is None


def test_a_training_step_that_cannot_be_called(lib: ModuleType) -> None:
    class Asked:
        def __getattr__(self, name: str) -> Any:
            raise RuntimeError("boom")

        def __call__(self) -> None:
            """Nothing."""

    for step in (lambda x: x, lib.nn.Linear(1, 1)):
        with pytest.raises(TypeError, match=r"^diagnose\(\) calls .* with no argument, and"):
            viz.diagnose(step)
    assert "there was nothing to examine" in viz.diagnose(Asked()).text
    with pytest.raises(RuntimeError, match=r"^diagnose\(\) was told to end before it began"):
        viz.diagnose().__exit__(None, None, None)


def test_files_that_cannot_be_written(lib: ModuleType, tmp_path: Path) -> None:
    x = lib.ones(2, requires_grad=True)
    drawn, plot = viz.draw((x * x).sum()), viz.loss_curve([1.0])
    for name in ("a", "a.xyz"):
        for show in (drawn, plot):
            with pytest.raises(ValueError, match=f"^cannot save {name!r}: the name must end in "):
                show.save(tmp_path / name)
    for save in (drawn.save, plot.save, viz.step((x * x).sum()).save):
        with pytest.raises(FileNotFoundError):
            save(tmp_path / "nowhere" / "a.html" if save != plot.save else tmp_path / "b" / "a.svg")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["</script><b>\"'&", "a\nb\0c", "世界" * 2000, "\ud800", "\u202eabc", "", "$x_{"]
)
def test_names_may_hold_anything(lib: ModuleType, name: str, tmp_path: Path) -> None:
    x = lib.ones(2, requires_grad=True)
    given = {name: x}
    drawn = viz.draw((x * x).sum(), names=given)
    for ending in ("svg", "html", "dot", "txt"):
        drawn.save(tmp_path / f"a.{ending}").read_text(encoding="utf-8")
    assert "<b>" not in drawn.svg
    assert viz.draw((x * x).sum(), names=given).text
    stepped = viz.step((x * x).sum(), names=given)
    assert "<b>" not in stepped.save(tmp_path / "s.html").read_text(encoding="utf-8")
    assert "<b>" not in viz.explain(x, names=given).html
    assert "<b>" not in viz.grad_flow(given).html
    assert "<b>" not in viz.loss_curve(**{name: [1.0]}).html


# --- Programs without a text, and large graphs


def test_a_program_whose_text_is_gone(lib: ModuleType, tmp_path: Path) -> None:
    text = (
        "x = lib.ones(2, requires_grad=True)\n"
        "y = (x * x).sum()\n"
        "seen = [viz.draw(y), viz.explain(y), viz.explain(x, y), viz.step(y)]\n"
        "try:\n"
        "    y.backward()\n"
        "except RuntimeError as error:\n"
        "    seen.append(viz.explain(error))\n"
    )
    file = tmp_path / "gone.py"
    file.write_text("something = 'else'\n")
    file.unlink()
    for name in ("<string>", "<stdin>", str(file)):
        kept: dict[str, Any] = {"lib": lib, "viz": viz, "__name__": "gone"}
        exec(compile(text, name, "exec"), kept)
        assert all(repr(each) for each in kept["seen"])
        assert kept["seen"][-1].cause.startswith("freed")


def test_deep_graphs_do_not_recurse(lib: ModuleType) -> None:
    x = lib.ones(1, requires_grad=True)
    y = x
    for _ in range(5_000):
        y = y + 1.0
    y = y.sum()
    assert len(viz.draw(y).graph) > 5_000
    assert viz.draw(y).text
    assert viz.explain(y).text
    assert viz.explain(x, y).text
    assert viz.step(y).changed == ("x",)


def test_huge_graph_is_refused_before_reading(
    lib: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its operations are counted, and no node of a model is made for any of them. (`draw` and
    `tree` show an outline: test_outline.py.)"""
    monkeypatch.setattr(graph_model, "MOST_OPERATIONS", 100)
    monkeypatch.setattr(graph_model, "node_name", None)  # what every node made would call
    x = lib.ones(1, requires_grad=True)
    y = x
    for _ in range(200):
        y = y + 1.0
    for who in ("step", "GraphModel.of"):
        with pytest.raises(ValueError, match=rf"^{who}\(\) .* more than 100 operations"):
            TAKES_A_TENSOR[who](y)
    assert x.grad is None


def test_minigrad_alone_needs_no_torch_to_refuse() -> None:
    with pytest.raises(TypeError, match=r"^draw\(\) needs a tensor"):
        viz.draw(mg)
