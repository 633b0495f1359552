"""watch(): each node knows the line and the module that computed it, and nothing else changes."""

from __future__ import annotations

import gc
import threading
import warnings
import weakref
from functools import partial
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.model.graph_model import GraphModel
from minigrad_viz.model.lines import line_of


def functions(tensor: Any, names: Any = None) -> dict[str, tuple[str | None, str]]:
    """Module and line of each operation behind a tensor, by the operation's name."""
    nodes = GraphModel.of(tensor, names=names).nodes
    return {n.name: (n.module, n.line[1] if n.line else "") for n in nodes if n.kind == "function"}


def attention(lib: Any) -> Any:
    """A model whose softmax has no parameters, and stands between two modules that have some."""

    class Attention(lib.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.q, self.k = lib.nn.Linear(3, 3), lib.nn.Linear(3, 3)

        def forward(self, x: Any) -> Any:
            weights = lib.softmax(self.q(x) @ self.k(x).t(), -1)
            return weights @ x

    class Net(lib.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.blocks = lib.nn.Sequential(lib.nn.Tanh(), Attention())

        def forward(self, x: Any) -> Any:
            return self.blocks(x).exp()

    return Net()


def test_parameterless_operation_knows_its_module(lib: ModuleType) -> None:
    net = attention(lib)
    with viz.watch():
        out = net(lib.ones(2, 3))
        loss = out.sum()
    assert functions(loss, net) | {"MmBackward0": None} == {
        "SumBackward0": (None, "loss = out.sum()"),
        "ExpBackward0": (None, "return self.blocks(x).exp()"),  # of the model itself
        "MmBackward0": None,
        "SoftmaxBackward0": (
            "blocks.1",
            "weights = lib.softmax(self.q(x) @ self.k(x).t(), -1)",
        ),
        "TBackward0": ("blocks.1.k", "weights = lib.softmax(self.q(x) @ self.k(x).t(), -1)"),
        "AddmmBackward0": ("blocks.1.k", "weights = lib.softmax(self.q(x) @ self.k(x).t(), -1)"),
    }


def test_modules_have_the_reader_names(lib: ModuleType) -> None:
    def run(module: Any) -> Any:
        return module(lib.ones(2, 3)).sum()

    computed = partial(run, attention(lib))  # a module of which the reader has no variable
    net = attention(lib)
    with viz.watch():
        mine, theirs = run(net), computed()

    def softmax(stepper: Any) -> Any:
        return next(n for n in stepper.payload["nodes"] if n["name"] == "SoftmaxBackward0")

    def leaves(stepper: Any) -> list[str]:
        return [n["name"] for n in stepper.payload["nodes"] if n["kind"] == "leaf"]

    first, second = viz.step(mine), viz.step(theirs)
    assert softmax(first)["module"] == "net.blocks.1"
    assert softmax(second)["module"] == "Net_2.blocks.1"
    assert {name.partition(".")[0] for name in leaves(first)} == {"net"}
    assert "Net_2.blocks.1.q.weight" in leaves(second)


def test_modules_without_a_variable_have_names_of_their_own(lib: ModuleType) -> None:
    """The parameters outlive the modules of a function, and so do their names."""

    def program() -> Any:
        first, second = (lib.nn.Linear(2, 2) for _ in range(2))
        return second(first(first(lib.ones(1, 2)))).sum()

    with viz.watch():
        out = program()
    gc.collect()
    leaves = [n.name for n in GraphModel.of(out).nodes if n.kind == "leaf"]
    names = ["Linear.weight", "Linear.bias", "Linear_2.weight", "Linear_2.bias"]
    assert sorted(leaves) == sorted(names)


def test_it_is_a_decorator_and_nests(lib: ModuleType) -> None:
    x = lib.ones(2, requires_grad=True)

    @viz.watch()
    def program() -> Any:
        with viz.watch():
            h = x.exp()
        return h.sin()

    assert functions(program()) == {
        "SinBackward0": (None, "return h.sin()"),
        "ExpBackward0": (None, "h = x.exp()"),
    }


def test_watch_ends_after_an_exception(lib: ModuleType) -> None:
    class Failing(lib.nn.Module):  # type: ignore[misc]
        def forward(self, x: Any) -> Any:
            raise KeyboardInterrupt

    layer = lib.nn.Linear(2, 2)
    with pytest.raises(KeyboardInterrupt), viz.watch():
        lib.nn.Sequential(layer, Failing())(lib.ones(2))
    out = layer(lib.ones(1, 2))
    assert "minigrad_viz.module" not in out.grad_fn.metadata
    assert "minigrad_viz.line" not in out.grad_fn.metadata
    with viz.watch():
        y = lib.ones(2, requires_grad=True).exp()
    assert functions(y)["ExpBackward0"][0] is None


def test_another_thread_is_not_watched(lib: ModuleType) -> None:
    layer, made = lib.nn.Sequential(lib.nn.Linear(2, 2), lib.nn.Tanh()), []
    with viz.watch():
        thread = threading.Thread(target=lambda: made.append(layer(lib.ones(1, 2))))
        thread.start()
        thread.join()
    assert "minigrad_viz.module" not in made[0].grad_fn.metadata


def test_a_note_keeps_no_module_alive(lib: ModuleType) -> None:
    class Own(lib.nn.Module):  # type: ignore[misc]
        def forward(self, x: Any) -> Any:
            return x.exp()

    module = Own()
    with viz.watch():
        y = module(lib.ones(2, requires_grad=True))
    gone = weakref.ref(module)
    del module
    gc.collect()
    assert gone() is None
    assert functions(y)["ExpBackward0"][0] == "Own"


def test_earlier_computation_has_no_line(torch: Any) -> None:
    x = torch.tensor([0.5], requires_grad=True)
    y = x.exp()
    z = y.sin()
    with viz.watch():
        (slope,) = torch.autograd.grad(z, x, create_graph=True)
    assert line_of(z.grad_fn) is None
    assert line_of(y.grad_fn) is None
    line = line_of(slope.grad_fn)
    assert line is not None
    assert line.text == "(slope,) = torch.autograd.grad(z, x, create_graph=True)"


def test_writing_in_place_is_noted(torch: Any) -> None:
    x = torch.ones(3, requires_grad=True)
    with viz.watch():
        y = x * 1
        y[0] = 5.0
        z = x * 1
        row = z[:2]
        row.mul_(2)
    line = line_of(y.grad_fn)
    assert line is not None
    assert line.text == "y[0] = 5.0"
    line = line_of(z.grad_fn)
    assert line is not None
    assert line.text == "row.mul_(2)"


def graph(tensor: Any) -> list[tuple[str, int]]:
    """Names of the nodes, with their numbers, counted from the first."""
    found, stack = {}, [tensor.grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and id(node) not in found:
            found[id(node)] = node
            stack += [n for n, _ in node.next_functions]
    first = min(node._sequence_nr() for node in found.values())
    return [
        (n.name(), 0 if "Accumulate" in n.name() else n._sequence_nr() - first)
        for n in found.values()
    ]


MODELS = {
    "mlp": lambda nn: nn.Sequential(nn.Linear(4, 3), nn.BatchNorm1d(3), nn.ReLU(), nn.Linear(3, 4)),
    "encoder": lambda nn: nn.TransformerEncoder(
        nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), 2
    ),
    "attention": lambda nn: nn.TransformerDecoderLayer(4, 2, 8, batch_first=True),
    "lstm": lambda nn: nn.LSTM(4, 4, 2, batch_first=True),
    "gru": lambda nn: nn.GRU(4, 4, bidirectional=True),
}


@pytest.mark.parametrize("mode", ["train", "eval", "no_grad", "frozen"])
@pytest.mark.parametrize("name", MODELS)
def test_nothing_changes(torch: Any, name: str, mode: str) -> None:
    """Neither a bit of a result or a gradient, nor the graph, nor the random numbers."""
    torch.manual_seed(0)
    model = MODELS[name](torch.nn)
    x = torch.randn(5, 4) if name == "mlp" else torch.randn(2, 5, 4)
    given = (x, x) if name == "attention" else (x,)
    if mode == "frozen":
        model.requires_grad_(False)
    model.train(mode == "train")

    def run() -> list[Any]:
        torch.manual_seed(1)
        model.zero_grad()
        with torch.set_grad_enabled(mode != "no_grad"):
            out = model(*given)
        out = out[0] if isinstance(out, tuple) else out
        shown: list[Any] = [out.detach()]
        if out.requires_grad:
            shown.append(graph(out))
            out.square().sum().backward()
            shown += [p.grad.clone() for p in model.parameters() if p.grad is not None]
        return [*shown, torch.rand(2)]

    plain = run()
    with viz.watch():
        watched = run()
    assert len(plain) == len(watched)
    for before, after in zip(plain, watched, strict=True):
        if isinstance(before, list):
            assert before == after
        else:
            assert torch.equal(before, after)


def test_encoder_notes_layers_and_line(torch: Any) -> None:
    layer = torch.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
    encoder = torch.nn.TransformerEncoder(layer, 4)
    with viz.watch():
        out = encoder(torch.randn(2, 5, 4))
    nodes = GraphModel.of(out, names={"unrelated": out}).nodes
    seen = {n.module for n in nodes if n.kind == "function"}
    assert "TransformerEncoder.layers.2.self_attn" in seen
    assert {n.line[1] for n in nodes if n.kind == "function" and n.line} == {
        "out = encoder(torch.randn(2, 5, 4))"
    }
    boxes = [n.name for n in viz.draw(out, fold=True).model.nodes if n.kind == "cluster"]
    assert boxes == [f"encoder.layers.{number}" for number in (3, 2, 1, 0)]


def test_an_lstm_has_a_line(torch: Any) -> None:
    lstm = torch.nn.LSTM(3, 4)
    with viz.watch():
        out, _ = lstm(torch.randn(6, 2, 3))
    payload = viz.step(out.sum()).payload
    made = [n for n in payload["nodes"] if n["kind"] == "function" and "module" in n]
    assert {n["module"] for n in made} == {"lstm"}
    assert {payload["files"][0]["lines"][n["line"]["line"] - 1].strip() for n in made} == {
        "out, _ = lstm(torch.randn(6, 2, 3))"
    }


def test_a_function_knows_its_line_and_module(torch: Any) -> None:
    class Cube(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensors
            return g * 3 * x**2

    class Layer(torch.nn.Module):  # type: ignore[misc]
        def forward(self, x: Any) -> Any:
            return Cube.apply(x)

    with viz.watch():
        y = Layer()(torch.ones(2, requires_grad=True))
    assert functions(y) == {"CubeBackward": ("Layer", "return Cube.apply(x)")}


@pytest.mark.filterwarnings("error", "ignore:`torch.jit.trace:DeprecationWarning")
def test_compiled_functions_run_unchanged(torch: Any) -> None:
    net = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Tanh())
    compiled = torch.compile(net, backend="eager", fullgraph=True)
    x = torch.randn(2, 3, requires_grad=True)

    def results() -> list[Any]:
        return [
            compiled(x),
            torch.func.vmap(lambda row: (row * 2).sum())(x),
            torch.func.grad(lambda v: (v * v).sum())(x.detach()),
            torch.func.functional_call(net, dict(net.named_parameters()), (x,)),
            torch.utils.checkpoint.checkpoint(net, x, use_reentrant=False),
            torch.utils.checkpoint.checkpoint(net, x, use_reentrant=True),
            torch.jit.trace(net, x)(x),
        ]

    plain, filters = results(), list(warnings.filters)
    torch.compiler.reset()
    with viz.watch():
        watched = results()
    assert all(torch.equal(a, b) for a, b in zip(plain, watched, strict=True))
    assert list(warnings.filters) == filters
    again = results()
    assert all(torch.equal(a, b) for a, b in zip(plain, again, strict=True))
