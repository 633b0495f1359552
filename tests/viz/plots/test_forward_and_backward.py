"""forward_and_backward: a tangent and a gradient at every node, and one number at every cut."""

from __future__ import annotations

import random
import re
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Callable
from contextlib import suppress
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from minigrad_viz.passes.balance import Balance

import minigrad as mg
from minigrad.autograd import forward_ad
from tests.programs.random_programs import SHAPES, Interpreter, Step, step
from tests.sampling import all_of
from tests.speaking import speaking
from tests.viz.stepper.pytorch_programs import PROGRAMS
from tests.viz.stepper.untouched import Pass, assert_untouched, plain

SVG = "{http://www.w3.org/2000/svg}"


def two_ways(x: Any, w: Any) -> Any:
    h = (x * w).tanh()
    y = h.sum() + x.exp().mean()
    return y * y


def inputs(lib: Any) -> tuple[Any, Any]:
    return lib.tensor([1.0, 2.0, 3.0]), lib.tensor([0.5, -1.0, 2.0])


def check_cuts(found: Balance) -> None:
    """Each cut separates the result from the inputs with a tangent, and gives the derivative."""
    layers = {place.node.id: place.layer for place in found.places}
    root = found.model.root.id
    moving = {p.node.id for p in found.places if p.node.kind == "leaf" and any(p.tangents)}
    assert all(layers[edge.source] < layers[edge.target] for edge in found.model.edges)
    assert [cut.layer for cut in found.cuts] == list(range(max(layers.values())))
    for cut in found.cuts:
        crossed = {(term.source, term.target) for term in cut.terms}
        reached, stack = {root}, [root]
        while stack:
            node = stack.pop()
            for edge in found.model.edges:
                if edge.source == node and (node, edge.target) not in crossed:
                    if edge.target not in reached:
                        reached.add(edge.target)
                        stack.append(edge.target)
        assert not reached & moving, "a way around the cut"
    assert found.unseen == ()
    assert found.derivative is not None
    for cut in found.cuts:
        size = sum(abs(term.product or 0.0) for term in cut.terms) + abs(found.derivative)
        assert cut.total == pytest.approx(found.derivative, rel=1e-9, abs=1e-9 * size)
    assert found.parted == ()


def test_each_cut_gives_the_derivative(lib: ModuleType) -> None:
    x, w = (each.double() for each in inputs(lib))
    both = viz.forward_and_backward(two_ways, x, w)
    h = np.tanh(np.array([0.5, -2.0, 6.0]))
    y = h.sum() + np.exp([1.0, 2.0, 3.0]).mean()
    slope = 2 * y * (0.5 * (1 - h[0] ** 2) + np.e / 3)
    assert both.derivative == pytest.approx(slope, rel=1e-12)
    check_cuts(both.balance)
    places = {each.node.variable or each.node.name: each for each in both.balance.places}
    tanh = places["h"]
    assert tanh.tangents[0].data == pytest.approx([0.5 * (1 - h[0] ** 2), 0, 0])
    assert tanh.gradients[0].data == pytest.approx([2 * y] * 3)
    assert tanh.product == pytest.approx(2 * y * 0.5 * (1 - h[0] ** 2))
    assert places["w"].tangents == (None,)
    assert places["w"].gradients[0].data == pytest.approx(2 * y * (1 - h**2) * [1.0, 2.0, 3.0])


def test_the_same_text_for_both_libraries(torch: ModuleType) -> None:
    ours, theirs = (viz.forward_and_backward(two_ways, *inputs(lib)).text for lib in (mg, torch))
    assert ours == theirs
    assert "27.45 = 8.307 + 19.14" in ours
    assert "Forward mode moves x[0] at speed 1: two_ways moves at speed 27.45." in ours
    assert "is 27.45 at each of 6 cuts." in ours


def test_cut_sums_over_crossed_edges(lib: ModuleType) -> None:
    """A value used twice crosses twice. An edge past several layers is in each of their cuts."""

    def f(x: Any) -> Any:
        return x * x * x + x

    both = viz.forward_and_backward(f, lib.tensor(2.0))
    assert [cut.total for cut in both.balance.cuts] == [13.0] * 4
    parts = [sorted(term.product for term in cut.terms) for cut in both.balance.cuts]  # type: ignore[type-var]
    assert parts == [[13.0], [1.0, 12.0], [1.0, 4.0, 8.0], [1.0, 4.0, 4.0, 4.0]]


# --- The direction


def test_a_direction_of_ones_own(lib: ModuleType) -> None:
    x, w = inputs(lib)
    slopes = [
        viz.forward_and_backward(two_ways, x, w, tangents=tangents).derivative
        for tangents in (
            lib.tensor([1.0, 1.0, 0.0]),
            [lib.tensor([1.0, 1.0, 0.0]), None],
            [None, lib.tensor([0.0, 2.0, 0.0])],
            [lib.tensor([1.0, 1.0, 0.0]), lib.tensor([0.0, 2.0, 0.0])],
        )
    ]
    assert slopes[0] == slopes[1]
    said = viz.forward_and_backward(two_ways, x, w, tangents=lib.tensor([1.0, 1.0, 0.0])).sentences[
        0
    ]
    assert said.startswith("Forward mode moves x along [1, 1, 0]: two_ways moves at speed ")
    assert slopes[3] == pytest.approx(slopes[0] + slopes[2], rel=1e-5)  # type: ignore[operator]


def test_vector_result_needs_a_gradient(lib: ModuleType) -> None:
    def f(x: Any) -> Any:
        return x * x

    x = lib.tensor([1.0, 2.0])
    both = viz.forward_and_backward(
        f, x, gradient=lib.tensor([10.0, 1.0]), tangents=lib.tensor([1.0, 1.0])
    )
    assert both.derivative == 10 * 2 + 4
    assert both.balance.reverse.passes == 2
    with pytest.raises(ValueError, match=r"needs a gradient for a result of the shape \[2\]"):
        viz.forward_and_backward(f, x)


# --- Counts


@pytest.mark.parametrize(
    ("function", "sizes", "reverse", "forward", "cheaper"),
    [
        (lambda x: (x * x).sum(), [3], (1, 2), (3, 6), "Reverse"),
        (lambda x: x.exp().expand(4) * 1.0, [1], (4, 12), (1, 3), "Forward"),
        (lambda x, w: (x.exp() * w).sum(), [2, 2], (1, 3), (4, 2 * 3 + 2 * 2), "Reverse"),
        (lambda x: x.sin().sum(), [1], (1, 2), (1, 2), "Both"),
    ],
)
def test_operations_counted_by_each_mode(
    function: Any, sizes: list[int], reverse: Any, forward: Any, cheaper: str, lib: ModuleType
) -> None:
    given_ = [lib.ones(size) for size in sizes]
    gradient = lib.ones(4) if cheaper == "Forward" else None
    both = viz.forward_and_backward(function, *given_, gradient=gradient)
    assert (both.balance.inputs, both.balance.outputs) == (sum(sizes), reverse[0])
    assert both.balance.reverse == reverse
    assert both.balance.forward == forward
    assert both.sentences[-1].startswith(cheaper)


# --- Every kind of program


def broadcasting(lib: Any, x: Any) -> Any:
    return (x.reshape(3, 1) * lib.ones(2, dtype=x.dtype) + x[0]).sum()


def views(lib: Any, x: Any) -> Any:
    table = (x * 2).view(1, 3)
    first, second, third = table.unbind(1)
    return (first * second * third.expand(2)).sum()


def writes(lib: Any, x: Any) -> Any:
    y = x * 1.0
    y.neg_()
    y[0] = x[1] * 3
    y[1:].add_(x[:2], alpha=2)
    part = y[2]
    part.add_(x[0])
    return (y * y).sum() + part


def several_results(lib: Any, x: Any) -> Any:
    largest, _ = lib.stack([x, x * x]).max(0)
    parts = (x * x).split(2)
    return largest.sum() * parts[0].sum() + parts[1].sum()


def network(lib: Any, x: Any) -> Any:
    F = lib.nn.functional
    weight = lib.arange(6, dtype=x.dtype).reshape(2, 3) / 7
    h = F.linear(x.reshape(1, 3), weight, x[:2]).tanh()
    return F.cross_entropy(h, lib.tensor([1])) + F.softmax(x, 0)[0] + F.layer_norm(x, (3,))[1]


def of_ones_own(lib: Any, x: Any) -> Any:
    class Cube(lib.autograd.Function):  # type: ignore[name-defined,misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            ctx.save_for_forward(x)
            return x * x * x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensors
            return 3 * x * x * g

        @staticmethod
        def jvp(ctx: Any, tangent: Any) -> Any:
            (x,) = ctx.saved_tensors
            return 3 * x * x * tangent

    return (Cube.apply(Cube.apply(x) * 2) * x).sum()


def dropped(lib: Any, x: Any) -> Any:
    return (lib.nn.functional.dropout(x * x, 0.5) + lib.randn(3, dtype=x.dtype) * x).sum()


KINDS = [broadcasting, views, writes, several_results, network, of_ones_own, dropped]


@pytest.mark.parametrize("kind", KINDS)
def test_every_cut_gives_the_derivative(kind: Callable[..., Any], lib: ModuleType) -> None:
    x = lib.tensor([0.5, -1.5, 2.0], dtype=lib.float64)
    direction = lib.tensor([1.0, -2.0, 0.5], dtype=lib.float64)

    def f(x: Any) -> Any:
        return kind(lib, x)

    lib.manual_seed(0)
    both = viz.forward_and_backward(f, x, tangents=direction)
    check_cuts(both.balance)
    lib.manual_seed(0)
    with lib.autograd.forward_ad.dual_level():
        dual = lib.autograd.forward_ad.make_dual(x.clone().requires_grad_(), direction)
        slope = lib.autograd.forward_ad.unpack_dual(f(dual)).tangent
    assert both.derivative == pytest.approx(float(slope), rel=1e-12)


def test_inner_operations_have_tangents(torch: ModuleType) -> None:
    """PyTorch reports only the results of a call; the formulas give the inner tangents."""

    def f(x: Any) -> Any:
        return torch.nn.functional.cross_entropy(x, torch.tensor([1, 0]))

    x = torch.tensor([[1.0, 2.0], [0.5, 0.0]], dtype=torch.float64)
    direction = torch.tensor([[1.0, 0.0], [0.0, 3.0]], dtype=torch.float64)
    found = viz.forward_and_backward(f, x, tangents=direction).balance
    check_cuts(found)
    (inside,) = (each for each in found.places if each.node.name == "LogSoftmaxBackward0")
    _, wanted = torch.func.jvp(lambda t: t.log_softmax(1), (x,), (direction,))
    assert inside.tangents[0] is not None
    assert inside.tangents[0].data == pytest.approx(wanted.numpy())


def test_packed_values_outlive_the_level(lib: ModuleType) -> None:
    """The backward pass runs after the level of the tangents has ended."""
    hooks = lib.autograd.graph.saved_tensors_hooks(lambda x: x * 1.0, lambda x: x)

    def f(x: Any) -> Any:
        with hooks:
            return (x**3).sum() + x.exp().sum()

    check_cuts(viz.forward_and_backward(f, lib.tensor([1.0, 2.0], dtype=lib.float64)).balance)


class Followed(Interpreter):
    """Runs the steps of a random program that compute something, on inputs that it is given."""

    def __init__(self, T: Any, given: list[Any]) -> None:
        super().__init__(T)
        for each in given:
            self.keep(each)

    def checkpoint(self, x: Any, use_reentrant: bool) -> Any:
        raise RuntimeError("has no forward mode")

    def result(self) -> Any:
        total = 0
        for number, each in enumerate(self.variables, start=1):
            with suppress(RuntimeError):  # a view whose history is unknown
                if each.is_floating_point() and each.grad_fn is not None:
                    total = total + (each * number).sum()
        return total + (self.variables[0] * 3).sum()


FOLLOWED = ("leaf", "unary", "binary", "view", "write", "write with", "parts")


def is_followed(one: Step) -> bool:
    """Another test reads past the input with `as_strided`."""
    return one[0] in FOLLOWED and one[1] != "as_strided"


def followed(T: Any, program: list[Step]) -> Callable[..., Any]:
    def f(*given: Any) -> Any:
        interpreter = Followed(T, list(given))
        for place, one in enumerate(filter(is_followed, program)):
            # Other tests hide an operation from one of the modes.
            shown = (*one[:-1], False) if one[0] != "leaf" else one
            interpreter.guarded(str(place), lambda shown=shown: interpreter.step(shown))
        return interpreter.result()

    return f


@pytest.mark.parametrize("library", ["minigrad", "torch"])
def test_random_programs(library: str, request: pytest.FixtureRequest) -> None:
    T: Any = request.getfixturevalue("torch") if library == "torch" else mg

    @settings(max_examples=150 if all_of("PROOFS") else 50, deadline=None)
    @given(
        st.lists(step, min_size=6, max_size=24),
        st.sampled_from(SHAPES),
        st.sampled_from(SHAPES),
        st.randoms(use_true_random=False),
    )
    def each_cut_gives_the_derivative(
        program: list[Step], first: Any, second: Any, drawn: random.Random
    ) -> None:
        def numbers(shape: Any) -> Any:
            count = int(np.prod(shape))
            values = [drawn.choice([-1.5, -0.5, 0.25, 1.0, 2.0]) for _ in range(count)]
            return T.tensor(values, dtype=T.float64).reshape(shape)

        x, y = numbers(first), numbers(second)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            f = followed(T, program)
            try:
                both = viz.forward_and_backward(f, x, y, tangents=[numbers(first), numbers(second)])
            except RuntimeError as error:  # what the program does anyway
                with pytest.raises(RuntimeError, match=re.escape(str(error)[:40])):
                    f(x.requires_grad_(), y.requires_grad_()).backward()
                return
        check_cuts(both.balance)

    each_cut_gives_the_derivative()


# --- Where the two modes part


def parted(both: viz.ForwardAndBackward) -> list[str]:
    names = {node.id: node.name for node in both.balance.model.nodes}
    assert ("the two modes part at" in both.text) == bool(both.balance.parted)
    return [names[node] for node in both.balance.parted]


def test_no_grad_does_not_stop_tangents(lib: ModuleType) -> None:
    def f(x: Any) -> Any:
        with lib.no_grad():
            slope = x * 2
        return (x.exp() * slope).sum()

    both = viz.forward_and_backward(f, lib.ones(2))
    assert parted(both) == ["MulBackward0"]
    e = np.e
    assert [cut.total for cut in both.balance.cuts] == pytest.approx([4 * e, 4 * e, 2 * e, 2 * e])


def test_a_hook_changes_the_gradient_alone(lib: ModuleType) -> None:
    def f(x: Any) -> Any:
        h = x.exp()
        h.register_hook(lambda g: g * 10)
        return h.sum()

    both = viz.forward_and_backward(f, lib.ones(2))
    assert parted(both) == ["ExpBackward0"]
    assert [cut.total for cut in both.balance.cuts] == pytest.approx([np.e, np.e, 10 * np.e])


def test_jvp_contradicting_backward_is_reported(lib: ModuleType) -> None:
    class Wrong(lib.autograd.Function):  # type: ignore[name-defined,misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 3

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 3

        @staticmethod
        def jvp(ctx: Any, tangent: Any) -> Any:
            return tangent * 2

    both = viz.forward_and_backward(lambda x: Wrong.apply(x * 2).sum(), lib.ones(2))
    assert parted(both) == ["WrongBackward"]


def test_as_strided_past_its_input_is_reported(lib: ModuleType) -> None:
    """Forward mode reads the tangent past the input; backward mode sends no gradient there."""

    def f(x: Any) -> Any:
        return x[0].as_strided((2,), (1,)).sum()

    x = lib.tensor([1.0, 2.0, 3.0])
    assert parted(viz.forward_and_backward(f, x, tangents=lib.ones(3))) == ["AsStridedBackward0"]


def test_function_without_seen_result_has_no_tangent(torch: ModuleType) -> None:
    """PyTorch does not report calls of a user's Function."""

    class Twice(torch.autograd.Function):  # type: ignore[name-defined,misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

        @staticmethod
        def jvp(ctx: Any, tangent: Any) -> Any:
            return tangent * 2

    both = viz.forward_and_backward(lambda x: Twice.apply(Twice.apply(x)).sum(), torch.ones(2))
    assert [cut.total for cut in both.balance.cuts] == [4.0, 4.0, None, 4.0]
    assert "Not known: the tangent at TwiceBackward" in both.text
    assert parted(both) == []
    assert "cut 3: ?" in both.svg


# --- Displays


def labels(svg: str) -> dict[str, list[str]]:
    nodes = [g for g in ET.fromstring(svg).iter(f"{SVG}g") if g.get("class", "").startswith("node")]
    texts = [[text.text or "" for text in node.iter(f"{SVG}text")] for node in nodes]
    return {lines[0]: lines[1:] for lines in texts}


def test_picture_has_cuts_between_layers(lib: ModuleType) -> None:
    both = viz.forward_and_backward(two_ways, *inputs(lib))
    shown = labels(both.svg)
    assert shown["y = AddBackward0"] == [
        "value 10.5624",
        "tangent \u2191 1.2993",
        "gradient \u2193 21.1247",
    ]
    drawn = ET.fromstring(both.svg)
    tops: dict[str, float] = {}
    for group in drawn.iter(f"{SVG}g"):
        rect = group.find(f"{SVG}rect")
        if rect is not None:
            tops[group.get("id", "")] = float(rect.get("y", "0"))
    lines = [float(line.get("y1", "0")) for line in drawn.iter(f"{SVG}line")]
    assert lines == sorted(lines)
    assert len(lines) == len(both.balance.cuts)
    for place in both.balance.places:
        if place.node.id in tops:
            above = [line for line in lines if line < tops[place.node.id]]
            assert len(above) == place.layer, "a node on the wrong side of a cut"
    said = [text.text for text in drawn.iter(f"{SVG}text") if (text.text or "").startswith("cut")]
    assert said[2] == "cut 3: 27.45 = 8.307 + 19.14"


def test_in_chinese(lib: ModuleType) -> None:
    with speaking("zh"):
        both = viz.forward_and_backward(two_ways, *inputs(lib))
    assert "反向传播得到同一个数" in both.text
    assert labels(both.svg)["y = AddBackward0"][1] == "切向量 \u2191 1.2993"
    assert "截面 3：27.45 = 8.307 + 19.14" in both.svg


def test_a_notebook_stores_picture_and_tables() -> None:
    both = viz.forward_and_backward(two_ways, *inputs(mg))
    shown = both._repr_html_()
    assert shown.count("<table>") == 2
    assert "<img alt=" in shown
    assert "tangent \u00d7 gradient" in shown
    assert "<script" not in viz.forward_and_backward(lambda x: x * 1, mg.ones(())).html


def test_too_large_graph_has_tables() -> None:
    def f(x: Any) -> Any:
        for _ in range(500):
            x = x * 1.0
        return x

    both = viz.forward_and_backward(f, mg.tensor(1.0))
    assert both.derivative == 1.0
    assert "<img" not in both.html
    assert both.html.count("<tr>") == 2 * (1 + 300 + 1)
    assert repr(both).count("\n...") == 2
    assert "..." not in both.text
    assert both.text.count("MulBackward0") == 1000


def test_rounding_is_not_shown(lib: ModuleType) -> None:
    """1e-8 and -3e-9 are the same number if the summands are about 1."""

    def f(x: Any) -> Any:
        return x.softmax(0).log().exp().sum()

    both = viz.forward_and_backward(f, lib.tensor([0.3, -1.2, 2.0, 0.7]))
    assert {both.number(cut.total) for cut in both.balance.cuts} == {"0"}
    assert both.balance.parted == ()


def test_nan_is_not_called_equal(lib: ModuleType) -> None:
    both = viz.forward_and_backward(lambda x: (x.log() * x).sum(), lib.tensor([-1.0, 2.0]))
    assert "f moves at speed nan" in both.text
    assert "The backward pass finds the same" not in both.text
    assert both.balance.parted == ()


# --- Errors, and state that must not change


def test_impossible_requests_raise(torch: ModuleType) -> None:
    x = mg.ones(2)
    with pytest.raises(TypeError, match="needs a tensor of floating-point numbers"):
        viz.forward_and_backward(lambda n: n, mg.tensor([1, 2]))
    with pytest.raises(TypeError, match="needs a function, not a Tensor"):
        viz.forward_and_backward(x, x)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="returns a tensor, and got a float"):
        viz.forward_and_backward(lambda x: 1.0, x)
    n = mg.tensor([1, 2])
    for tangents in ([x, x], [3.0, None]):  # integers have no tangent; 3.0 is no tensor
        with pytest.raises(TypeError, match="tangents that are tensors, for inputs of floating"):
            viz.forward_and_backward(lambda x, n: x * n, x, n, tangents=tangents)
    with pytest.raises(TypeError, match="of one library, not of both"):
        viz.forward_and_backward(lambda x, y: x, x, torch.ones(2))
    with pytest.raises(ValueError, match=r"shape of its input, \[2\], not \[3\]"):
        viz.forward_and_backward(lambda x: x.sum(), x, tangents=mg.ones(3))
    with pytest.raises(ValueError, match="1 inputs and 2 tangents"):
        viz.forward_and_backward(lambda x: x.sum(), x, tangents=[mg.ones(2), None])
    with pytest.raises(ValueError, match="at least one tangent"):
        viz.forward_and_backward(lambda x: x.sum(), x, tangents=[None])
    with pytest.raises(ValueError, match="has no grad_fn"):
        viz.forward_and_backward(lambda x: x.detach().sum(), x)
    w = mg.ones(2, requires_grad=True)
    with pytest.raises(ValueError, match="no way from the result back to an input"):
        viz.forward_and_backward(lambda x: (w * 2).sum(), x)
    assert forward_ad.enter_dual_level() == 0, "a level was left open"
    forward_ad.exit_dual_level()


def test_a_function_without_forward_mode_says_so(lib: ModuleType) -> None:
    class Backward(lib.autograd.Function):  # type: ignore[name-defined,misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

    with pytest.raises((RuntimeError, NotImplementedError), match="jvp"):
        viz.forward_and_backward(lambda x: Backward.apply(x).sum(), lib.ones(2))


def test_the_program_is_left_as_it_was(lib: ModuleType) -> None:
    w = lib.tensor([1.0, 2.0], requires_grad=True)
    w.register_hook(lambda g: pytest.fail("no gradient is to come here"))
    h = w.exp()
    h.retain_grad()
    x = lib.tensor([3.0, 4.0], requires_grad=True)
    x.grad = lib.ones(2)
    lib.manual_seed(5)
    versions = w._version, h._version, x._version
    both = viz.forward_and_backward(lambda x: (h * x * lib.rand(2)).sum(), x)
    assert both.derivative
    assert (w._version, h._version, x._version) == versions
    assert w.grad is None
    assert h.grad is None
    assert x.grad.tolist() == [1.0, 1.0]
    drawn = lib.rand(3).tolist()
    lib.manual_seed(5)
    assert drawn == lib.rand(3).tolist()
    assert {each.node.name for each in both.balance.places} == {
        *("f", "SumBackward0", "MulBackward0", "ExpBackward0", "x"),
    }, "tensors computed outside the function are shown as leaves, without their history"


def looks_along(lib: Any, what: Pass) -> None:
    """Run both modes on a function of the program's results."""
    for root in what.roots:
        with suppress(Exception):  # some results cannot be used further
            viz.forward_and_backward(lambda x, root=root: (root * x).sum(), lib.ones(())).html  # noqa: B018
    plain(lib, what)


OF_A_CLASS = {
    "a_class_that_writes_down_what_is_done_with_it",
    "a_class_that_keeps_its_numbers_elsewhere",
}
"""Programs whose tensors note every operation, so also those of `looks_along`."""


@pytest.mark.filterwarnings("ignore")  # of PyTorch, about the programs
@pytest.mark.parametrize("program", sorted({*PROGRAMS} - OF_A_CLASS))
def test_observed_pass_leaves_the_same_state(program: str, torch: ModuleType) -> None:
    assert_untouched(PROGRAMS[program], torch, looks_along)


def test_tensor_subclass_sees_only_the_pass(torch: ModuleType) -> None:
    seen: list[str] = []

    class Noting(torch.Tensor):  # type: ignore[name-defined,misc]
        @classmethod
        def __torch_function__(
            cls, call: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            seen.append(call.__name__)
            return super().__torch_function__(call, types, args, kwargs or {})

    factor = torch.tensor([2.0, 3.0]).as_subclass(Noting)
    both = viz.forward_and_backward(lambda x: (factor * x).sum(), torch.ones(2))
    assert both.derivative == 2.0
    assert both.html
    assert seen == ["mul", "sum", "grad"]


def test_cut_without_known_edges() -> None:
    """The moving tensor is detached before the result."""
    both = viz.forward_and_backward(lambda x, w: (x * w).detach() * w, mg.ones(1), mg.ones(1))
    assert "\n1    0\n" in repr(both)
