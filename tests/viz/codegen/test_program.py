"""A backward pass as a program: readable, tied to its nodes, and true to the bit.

The programs of tests/programs and the rows of the operations' tables are compared in
tests/programs/test_written_programs.py.
"""

from __future__ import annotations

import re
from typing import Any

import minigrad_viz as viz
import numpy as np
import pytest
from minigrad_viz.model.graph_model import GraphModel

import minigrad as mg
from minigrad.core.operation import Operation, apply
from tests.speaking import speaking
from tests.written import imported_by


def model() -> tuple[Any, Any, Any]:
    x = mg.tensor([[1.0, -2.0, 0.5]])
    w = mg.tensor([[0.5, 1.0], [0.25, -1.0], [2.0, 0.125]], requires_grad=True)
    b = mg.tensor([0.5, -0.5], requires_grad=True)
    h = (x @ w + b).tanh()
    return h.mean(), w, b


def body(program: Any) -> list[str]:
    """The statements, without what is said about them."""
    lines = str(program).splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("d_"))
    return [line for line in lines[start:] if line and not line.startswith("#")]


def test_it_reads_as_one_would_write_it() -> None:
    x = mg.tensor([[1.0, -2.0, 0.5]])
    w = mg.ones(3, 2, requires_grad=True)
    b = mg.zeros(2, requires_grad=True)
    h = (x @ w + b).tanh()
    loss = h.mean()
    assert body(viz.program(loss)) == [
        "d_loss = np.float32(1.0)",
        "d_h = np.full((1, 2), d_loss / 2)",
        "d_add_1 = d_h * (1 - h * h)",
        "d_mm_1 = d_add_1",
        "d_b = d_add_1.reshape((2,))",
        "b_grad = d_b",
        "d_w = x.T.dot(d_mm_1)",
        "w_grad = d_w",
        "grads = {'b': b_grad, 'w': w_grad}",
    ]


def test_arithmetic_with_bits_becomes_where() -> None:
    x = mg.tensor([1.0, -2.0], requires_grad=True)
    y = x.relu()
    assert "d_x = np.where(~(y <= 0), d_y, 0)" in body(viz.program(y.sum()))


def test_the_text_alone_is_a_program() -> None:
    """Of small tensors the numbers stand in it: nothing but NumPy is needed to run it."""
    loss, w, b = model()
    text = viz.program(loss, names={"w": w, "b": b, "loss": loss}).text
    assert "given" not in text
    scope: dict[str, Any] = {}
    exec(text, scope)
    loss.backward()
    assert np.array_equal(scope["grads"]["w"], w.grad.numpy())
    assert np.array_equal(scope["grads"]["b"], b.grad.numpy())


def test_helpers_are_in_the_text() -> None:
    """A program calls hooks and erf by functions that it defines from public names."""
    x = mg.tensor([0.5, -1.0], requires_grad=True)
    y = mg.nn.functional.gelu(x)
    y.register_hook(lambda g: g * 2)
    text = viz.program(y.sum(), names={"x": x, "y": y}).text
    assert "def erf(x):" in text and "def call(function, *args):" in text
    assert imported_by(text) == {"numpy", "minigrad"}


def test_it_can_be_edited() -> None:
    loss, w, b = model()
    program = viz.program(loss, names={"w": w, "b": b, "loss": loss})
    doubled = program.run(program.text.replace("np.float32(1.0)", "np.float32(2.0)"))
    loss.backward()
    assert np.array_equal(doubled["w"], 2 * w.grad.numpy())


def test_lines_and_nodes_know_each_other() -> None:
    loss, *_ = model()
    program = viz.program(loss)
    nodes = {node.id: node for node in GraphModel.of(loss).nodes}
    for line in program.lines:
        if line.node is not None:
            assert line in program.lines_of(line.node)
            assert nodes[line.node].kind in ("function", "accumulate")
    titles = [line for line in program.lines if line.text.startswith("# n")]
    assert [line.text.split()[1:3] for line in titles] == [
        [line.node, nodes[line.node or ""].name + ","] for line in titles
    ]
    written = {line.node for line in program.lines} - {None}
    assert written == {n.id for n in nodes.values() if n.kind in ("function", "accumulate")}
    assert [line.number for line in program.lines] == list(range(1, len(program.lines) + 1))


def test_nothing_is_left_behind() -> None:
    loss, w, b = model()
    w.grad = before = mg.ones(3, 2)
    viz.program(loss).run()
    assert w.grad is before
    assert w.grad.tolist() == [[1, 1]] * 3
    assert b.grad is None
    loss.backward()


def test_existing_gradient_is_added_to() -> None:
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    x.grad = mg.tensor([0.5, 0.5])
    y = (x * x).sum()
    program = viz.program(y)
    assert "x_grad = x_grad + d_x" in body(program)
    assert program.run()["x"].tolist() == [2.5, 4.5]


def test_two_ways_to_one_tensor_add_up() -> None:
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    z = (y * x).sum()
    assert "d_x = d_x + d_y * y" in body(viz.program(z))


def test_node_pre_hook_is_called() -> None:
    """It returns a tuple, and each line takes its own element."""
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    assert y.grad_fn is not None
    y.grad_fn.register_prehook(lambda gradients: (gradients[0] * 3,))
    program = viz.program(y.sum())
    assert program.run()["x"].tolist() == [6.0, 12.0]
    assert "d_y = t1[0]" in body(program)


def test_a_gradient_inputs_and_several_roots() -> None:
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    w = mg.tensor([3.0, 4.0], requires_grad=True)
    y = x * w
    assert viz.program(y, mg.tensor([1.0, 10.0])).run()["w"].tolist() == [1, 20]
    assert set(viz.program(y.sum(), inputs=[w]).run()) == {"w"}
    z = x.exp()
    both = viz.program([y, z], [mg.ones(2), mg.tensor([0.0, 1.0])]).run()
    mg.autograd.backward([y, z], [mg.ones(2), mg.tensor([0.0, 1.0])])
    assert np.array_equal(both["x"], x.grad.numpy())


@pytest.mark.parametrize("changes", [True, False])
def test_hook_takes_a_view_of_a_number(changes: bool) -> None:
    """A gradient that is a single number is copied to other memory when a hook views it."""
    x = mg.tensor(2.0, requires_grad=True)
    y = x * 1
    for each in (x, y):
        each.register_hook(lambda g: g[...] if changes else g[...].mul_(1) and None)
        each.register_hook(lambda g: g * 2)
    y.retain_grad()
    found = viz.program((mg.ones(3) * y).sum()).run()
    assert (found["x"], found["y"]) == (12, 6)


def test_write_of_another_layout_is_written_out() -> None:
    """The value of `True` is an expanded view, whose gradient keeps its steps."""
    x = mg.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 2
    y[True] = x
    program = viz.program(y.sum())
    assert program.not_written == ()
    assert program.run()["x"].tolist() == [1, 1, 1]


def test_retained_view_after_a_forbidden_write() -> None:
    """Its grad_fn cannot be read any more, but the pass does not need it."""

    class Same(mg.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: mg.Tensor) -> mg.Tensor:
            return x.view_as(x)

        @staticmethod
        def backward(ctx: Any, g: mg.Tensor) -> mg.Tensor:
            return g

    x = mg.tensor(2.0, requires_grad=True)
    y = Same.apply(x)
    y.retain_grad()
    z = y * 3
    with mg.no_grad():
        x.add_(1)
    assert viz.program(z).run()["x"] == 3


def test_hook_writes_to_a_single_number() -> None:
    x = mg.tensor(2.0, requires_grad=True)
    x.register_hook(lambda g: g.mul_(2) and None)
    assert viz.program((mg.ones(3) * x).sum()).run() == {"x": 6}


def test_hooks_are_called() -> None:
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    seen = []

    def double(g: Any) -> Any:
        seen.append(g.tolist())
        return g * 2

    y.register_hook(double)
    y.retain_grad()
    program = viz.program(y.sum())
    assert "d_y = call(double, d_y)[0]" in body(program)
    found = program.run()
    assert found["x"].tolist() == [6, 6]
    assert found["y"].tolist() == [2, 2]
    assert seen == [[1, 1], [1, 1]]
    assert program.not_written == ()


def test_user_function_calls_its_backward() -> None:
    class Cube(mg.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensors
            return g * 3 * x**2

    x = mg.tensor([1.0, 2.0], requires_grad=True)
    y = Cube.apply(x).sum()
    program = viz.program(y)
    assert "t1 = call(Cube.backward, ctx_1, d_cube_1)" in body(program)
    assert program.not_written == ()
    y.backward()
    assert program.run()["x"].tolist() == x.grad.tolist() == [3, 12]


def test_writes_in_place_and_views() -> None:
    x = mg.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    y = x * 2
    y[0] *= 3
    y.t()[1].exp_()
    program = viz.program(y.sum())
    assert program.not_written == ()
    found = program.run()["x"]
    y.sum().backward()
    assert np.array_equal(found, x.grad.numpy())


def test_untraceable_operation_is_called() -> None:
    class ToyBackward0(Operation):
        def forward(self: Any, /) -> Any:
            return self * 3

        def gradient(g: Any) -> Any:
            return g * sum([1, 2][: len(g.tolist())])

    x = mg.tensor([1.0, 2.0], requires_grad=True)
    y = apply(ToyBackward0, x)
    total = y.sum()
    program = viz.program(total)
    assert program.not_written == ("ToyBackward0 (n2)",)
    assert "t1 = call(node_1, d_y)" in body(program)
    assert program.run()["x"].tolist() == [3, 3]


def test_later_changes_do_not_matter() -> None:
    x = mg.tensor([1.0, 2.0, 3.0] * 5, requires_grad=True)
    y = (x * x).sum()
    program = viz.program(y)
    y.backward()
    with mg.no_grad():
        x.zero_()
    assert np.array_equal(program.run()["x"], x.grad.numpy())


def test_first_line_names_called_nodes() -> None:
    def compute(t: Any) -> Any:
        return t.exp()

    x = mg.ones(2, requires_grad=True)
    y = mg.utils.checkpoint.checkpoint(compute, x, use_reentrant=True).sum()
    program = viz.program(y, names={"x": x, "y": y})
    node = next(n.id for n in GraphModel.of(y).nodes if n.name.startswith("Checkpoint"))
    assert program.not_written == (f"CheckpointFunctionBackward ({node})",)
    assert str(program).splitlines()[0] == (
        "# The backward pass of y. Begins a pass of its own, which is not written out: "
        f"CheckpointFunctionBackward ({node})."
    )
    with pytest.raises(RuntimeError, match="cannot be run"):
        program.run()
    assert x.grad is None


def test_a_hook_after_the_pass_is_named() -> None:
    x = mg.ones(2, requires_grad=True)
    x.register_post_accumulate_grad_hook(lambda leaf: leaf.grad.zero_())
    program = viz.program(x.exp().sum())
    assert "AccumulateGrad" in str(program).splitlines()[0]
    assert program.not_written


def test_grad_of_a_result_is_restored() -> None:
    x = mg.ones(2, requires_grad=True)
    y = x.exp()
    y.grad = given = mg.ones(2)
    found = viz.program(y.sum(), inputs=[y])
    assert y.grad is given
    assert found.run()["y"].tolist() == [2, 2]
    viz.step(y.sum(), keep_grad=False, inputs=[y])
    assert y.grad is given


def test_broadcasting_of_many_dimensions() -> None:
    """Their sum is too long for an inner expression."""
    x = mg.ones(2, 1, requires_grad=True)
    y = (x * mg.ones(*[1] * 20, 2, 2)).sum()
    program = viz.program(y)
    assert "d_x = t1.reshape((2, 1))" in body(program)
    found = program.run()["x"]
    y.backward()
    assert np.array_equal(found, x.grad.numpy())


def test_number_written_through_a_view() -> None:
    x = mg.tensor(2.0, requires_grad=True)
    y = x.max(0)[0]
    y[None] = 0.0
    z = y.sum()
    found = viz.program(z).run()["x"]
    z.backward()
    assert found == x.grad.numpy() == 0


def test_in_inference_mode_all_is_written_out() -> None:
    x = mg.ones(2, requires_grad=True)
    y = x.exp().sum()
    with mg.inference_mode():
        assert viz.program(y).not_written == ()


def test_names_that_python_would_not_take() -> None:
    net = mg.nn.Sequential(mg.nn.Linear(2, 3), mg.nn.Linear(3, 1))
    loss = net(mg.ones(4, 2)).mean()
    program = viz.program(loss, names=net)
    found = program.run()
    loss.backward()
    for name, parameter in net.named_parameters():
        assert np.array_equal(found[name], parameter.grad.numpy())
    odd = {"class": net[0].weight, "d_x": net[0].bias, "np": net[1].weight}
    assert set(viz.program(net(mg.ones(4, 2)).mean(), names=odd).run()) > set(odd)


def test_both_languages() -> None:
    loss, *_ = model()
    english = viz.program(loss).text
    with speaking("zh"):
        chinese = viz.program(loss).text
    assert "The backward pass of loss, all of it written out." in english
    assert "loss 的反向传播，已全部写出。" in chinese
    code = [re.sub("#.*", "", text) for text in (english, chinese)]
    assert code[0] == code[1]


def test_it_shows_itself() -> None:
    loss, *_ = model()
    program = viz.program(loss)
    shown = program._repr_mimebundle_()
    assert shown["text/plain"] == str(program)
    assert '<span class="gradient">d_loss</span> = np.float32' in shown["text/html"]
    for line in program.lines:
        if line.node is not None:
            assert f'data-node="{line.node}"' in shown["text/html"]


def test_invalid_request_raises() -> None:
    x = mg.ones(2, requires_grad=True)
    with pytest.raises(TypeError, match=r"program\(\) needs a tensor"):
        viz.program(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="is a leaf"):
        viz.program(x)
    with pytest.raises(RuntimeError, match="only for scalar outputs"):
        viz.program(x * 2)
    with pytest.raises(ValueError, match="1 tensors and 2 gradients"):
        viz.program([x * 2], [x, x])
    with pytest.raises(TypeError, match="tensors as inputs"):
        viz.program((x * 2).sum(), inputs=3)  # type: ignore[arg-type]


def test_a_pass_that_fails_is_no_program() -> None:
    x = mg.ones(2, requires_grad=True)
    y = x.exp()
    z = y.sum()
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        viz.program(z)
    assert x.grad is None


def test_a_program_is_saved(tmp_path: Any) -> None:
    loss, *_ = model()
    program = viz.program(loss)
    assert program.save(tmp_path / "pass.py").read_text(encoding="utf-8") == program.text


# --- Of PyTorch's graphs


def test_of_pytorch_it_is_pytorch(pytorch: Any) -> None:
    torch = pytorch
    x = torch.tensor([[1.0, -2.0, 0.5]])
    w = torch.ones(3, 2, requires_grad=True)
    b = torch.zeros(2, requires_grad=True)
    h = (x @ w + b).exp()
    loss = h.sum()
    program = viz.program(loss)
    assert body(program) == [
        "d_loss = torch.ones(())",
        "d_h = d_loss.expand((1, 2))",
        "d_add_1 = d_h * h",
        "d_mm_1 = d_add_1",
        "d_b = d_add_1.sum(0)",
        "b_grad = d_b",
        "d_w = x.T.mm(d_mm_1)",
        "w_grad = d_w",
        "grads = {'b': b_grad, 'w': w_grad}",
    ]
    assert program.not_written == ()
    found = program.run()
    assert w.grad is None
    loss.backward()
    assert torch.equal(found["w"], w.grad)
    assert torch.equal(found["b"], b.grad)


def test_a_network_of_pytorch(pytorch: Any) -> None:
    torch = pytorch
    nn = torch.nn
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.LayerNorm(8), nn.Linear(8, 3))
    loss = nn.functional.cross_entropy(net(torch.randn(5, 4)), torch.tensor([0, 2, 1, 1, 0]))
    for parameter in net.parameters():
        parameter.grad = torch.ones_like(parameter)
    program = viz.program(loss, names=net)
    names = {name.partition(" ")[0] for name in program.not_written}
    assert names == {"NativeLayerNormBackward0"}
    assert "Called, and not written out: NativeLayerNormBackward0" in program.lines[0].text
    found = program.run()
    loss.backward()
    for name, parameter in net.named_parameters():
        assert torch.equal(found[name], parameter.grad), name


def test_hooks_and_functions_of_pytorch(pytorch: Any) -> None:
    torch = pytorch
    calls = []

    class Cube(torch.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            calls.append(1)
            return g * 3 * ctx.saved_tensors[0] ** 2

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = Cube.apply(x)
    y.register_hook(lambda g: g * 2)
    y.retain_grad()
    z = y.sum()
    program = viz.program(z)
    assert len(calls) == 1
    assert "d_x = ctx_1.apply(d_y)" in body(program)
    assert "Taken as it was in this pass: what comes to or from CubeBackward" in str(program)
    found = program.run()
    z.backward()
    assert torch.equal(found["x"], x.grad)
    assert torch.equal(found["y"], y.grad)


def test_pytorch_function_gets_none_or_zeros(pytorch: Any) -> None:
    torch = pytorch

    class Both(torch.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.set_materialize_grads(False)
            return x * 1, x * 2

        @staticmethod
        def backward(ctx: Any, g: Any, h: Any) -> Any:
            return g if h is None else g * 100

    x = torch.ones(2, requires_grad=True)
    program = viz.program(Both.apply(x)[0].sum())
    assert "Taken as it was in this pass: what comes to or from BothBackward" in str(program)
    assert program.run()["x"].tolist() == [1, 1]


def test_called_pytorch_node_undoes_broadcasting(pytorch: Any) -> None:
    torch = pytorch
    x = torch.ones(2, 1, requires_grad=True)
    program = viz.program(torch.atan2(x, torch.ones(2, 3)).sum())
    assert "d_x = t1[0].sum_to_size((2, 1))" in body(program)
    assert program.run()["x"].tolist() == [[1.5], [1.5]]


def test_pytorch_with_another_default_type(pytorch: Any) -> None:
    """Written out, numbers would have the type that is the default when the program runs."""
    torch = pytorch
    x, c = torch.ones(2, requires_grad=True), torch.tensor([1.0, 2.0])
    torch.set_default_dtype(torch.float64)
    try:
        program = viz.program((x * c).sum())
    finally:
        torch.set_default_dtype(torch.float32)
    assert "c = given['c']" in str(program)
    assert program.run()["x"].tolist() == [1, 2]


class Marked:
    """Mixed into a class of tensors."""


def test_pytorch_tensor_subclass_is_given(pytorch: Any) -> None:
    torch = pytorch
    kind = type("Kind", (Marked, torch.Tensor), {})
    x, c = torch.ones(2, requires_grad=True), torch.tensor([1.0, 2.0]).as_subclass(kind)
    given = viz.program((x * c).as_subclass(torch.Tensor).sum(), names={"x": x, "c": c})
    assert given.run()["x"].tolist() == [1, 2]


def test_both_libraries_at_once_are_refused(pytorch: Any) -> None:
    a = mg.ones(1, requires_grad=True).exp()
    b = pytorch.ones(1, requires_grad=True).exp()
    with pytest.raises(TypeError, match="of one library"):
        viz.program([a, b])
    x = pytorch.ones(1, requires_grad=True)
    y = x.exp()
    with pytest.raises(ValueError, match="takes leaves as inputs"):
        viz.program(y.exp(), inputs=[y])
