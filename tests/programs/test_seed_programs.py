"""The programs of a first autograd course, printed by both libraries: the text must be the same.

Each program does what one of the classic introductions shows (a linear model and its loss, the
gradient of 2 x·x, a layer written as a Function, gradients through loops and branches, and the
mistakes that beginners make), and everything that such a page prints is printed here.
"""

from __future__ import annotations

from math import pi
from typing import Any

import pytest

import minigrad
from tests.parity import caught, same


def linear_model(T: Any) -> None:
    """Half the squared error of a linear model: which gradients reach w and b."""
    x = T.ones(1, 5)
    w = T.randn(5, 3, requires_grad=True)
    b = T.randn(1, 3, requires_grad=True)
    z = T.matmul(x, w) + b
    target = T.zeros(1, 3)
    loss = T.sum(1 / 2 * (z - target) ** 2)
    print(z)
    print(loss)
    print([tensor.is_leaf for tensor in (x, w, b, z, target, loss)])
    loss.backward()
    print(w.grad)
    print(b.grad)
    print(x.grad, z.requires_grad, loss.requires_grad)


def gradient_in_the_middle(T: Any) -> None:
    """retain_grad: what a result, not a leaf, has received."""
    angle = T.tensor(pi / 2, requires_grad=True)
    sine = T.sin(angle)
    sine.retain_grad()
    square = T.pow(sine, 2)
    square.backward()
    print(angle.grad)
    print(sine.grad)
    print(sine.retains_grad, square.retains_grad)


def backward_again(T: Any) -> None:
    """The graph's saved tensors are gone after one backward."""
    x = T.tensor(10.0, requires_grad=True)
    y = T.pow(x, 2)
    y.backward()
    print(
        caught(
            y.backward,
            "Trying to backward through the graph a second time",
            "Specify retain_graph=True",
        )
    )
    print(x.grad)


def backward_again_with_retain_graph(T: Any) -> None:
    """Gradients of several backward passes add up."""
    x = T.tensor(10.0, requires_grad=True)
    y = T.pow(x, 2)
    y.backward(retain_graph=True)
    print(x.grad)
    y.backward()
    print(x.grad)


def clearing_the_gradient(T: Any) -> None:
    x = T.tensor(10.0, requires_grad=True)
    y = T.pow(x, 2)
    y.backward(retain_graph=True)
    print(x.grad)
    x.grad.zero_()
    print(x.grad)
    y.backward()
    print(x.grad)


def without_recording(T: Any) -> None:
    """no_grad and detach: results that remember nothing."""
    x, w, b = T.ones(2, 5), T.randn(5, 3, requires_grad=True), T.randn(3, requires_grad=True)
    z = T.matmul(x, w) + b
    print(z.requires_grad, z.grad_fn is None)
    with T.no_grad():
        z = T.matmul(x, w) + b
    print(z.requires_grad, z.grad_fn)
    z = T.matmul(x, w) + b
    print(z.detach().requires_grad, z.detach().is_leaf)
    z = T.matmul(x, w.detach()) + b.detach()
    print(z.requires_grad)
    print(z)


def root_with_several_elements(T: Any) -> None:
    """Only a scalar has a gradient that goes without saying."""
    x = T.randn(1, 2, requires_grad=True)
    y = 3 * x + 1
    print(y)
    print(caught(y.backward, "grad can be implicitly created only for scalar outputs"))
    print(x.grad)
    y.sum().backward()
    print(x.grad)


def vector_jacobian_product(T: Any) -> None:
    x = T.randn(1, 2, requires_grad=True)
    y = 3 * x + 1
    y.backward(T.ones_like(y))
    print(x.grad)
    x.grad = None
    y = x * x
    y.backward(T.tensor([[1.0, 10.0]]))
    print(x)
    print(x.grad)


def logistic_loss(T: Any) -> None:
    """A vector times a matrix, and the loss of a classifier."""
    x = T.ones(5)
    y = T.zeros(3)
    w = T.randn(5, 3, requires_grad=True)
    b = T.randn(3, requires_grad=True)
    z = T.matmul(x, w) + b
    loss = T.nn.functional.binary_cross_entropy_with_logits(z, y)
    print(z.grad_fn)
    print(z.grad_fn.next_functions)
    print(loss.grad_fn, loss)
    loss.backward()
    print(f"grad of w is {w.grad}")
    print(f"grad of b is {b.grad}")


def layer_as_function(T: Any) -> None:
    """A linear layer with its own backward, with and without a bias."""

    class Layer(T.autograd.Function):  # type: ignore[misc,name-defined]
        @staticmethod
        def forward(ctx: Any, inputs: Any, weight: Any, bias: Any = None) -> Any:
            ctx.save_for_backward(inputs, weight, bias)
            result = inputs.mm(weight.t())
            if bias is not None:
                result += bias.unsqueeze(0).expand_as(result)
            return result

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            inputs, weight, bias = ctx.saved_tensors
            print("needs", ctx.needs_input_grad, "bias", bias is not None)
            of_inputs = of_weight = of_bias = None
            if ctx.needs_input_grad[0]:
                of_inputs = gradient.mm(weight)
            if ctx.needs_input_grad[1]:
                of_weight = gradient.t().mm(inputs)
            if bias is not None and ctx.needs_input_grad[2]:
                of_bias = gradient.sum(0)
            return of_inputs, of_weight, of_bias

    inputs = T.randn(2, 3, requires_grad=True)
    weight = T.randn(4, 3, requires_grad=True)
    bias = T.randn(4, requires_grad=True)
    out = Layer.apply(inputs, weight, bias)
    print(out)
    print(out.grad_fn.name(), [node.name()[-14:] for node, _ in out.grad_fn.next_functions])
    (out**2).sum().backward()
    print(inputs.grad)
    print(weight.grad)
    print(bias.grad)
    weight.grad = None
    out = Layer.apply(inputs.detach(), weight)
    out.sum().backward()
    print(out)
    print(weight.grad)


def changed_behind_the_graph(T: Any) -> None:
    """A detached alias shares memory and version: writing to it spoils a saved tensor."""
    x = T.ones(5)
    w = T.randn(5, 3, requires_grad=True)
    loss = T.nn.functional.binary_cross_entropy_with_logits(T.matmul(x, w), T.zeros(3))
    alias = x.detach()
    print(f"x : {x}")
    alias[0] = 2
    print(f"x : {x}")
    print(x._version, alias._version)
    print(
        caught(
            loss.backward,
            "one of the variables needed for gradient computation has been modified by an "
            "inplace operation",
            "FloatTensor [1, 5]",
            "is at version 1; expected version 0",
        )
    )
    print(w.grad)


def changed_through_data(T: Any) -> None:
    """`.data` has a version counter of its own, so the same mistake goes unnoticed."""
    x = T.ones(5)
    w = T.ones(5, 3, requires_grad=True)
    loss = T.matmul(x, w).sum()
    x.data[0] = 2
    print(x, x._version)
    loss.backward()
    print(w.grad)


def gradient_of_a_dot_product(T: Any) -> None:
    x = T.arange(4.0)
    print(x)
    x.requires_grad_(True)
    print(x, x.grad)
    y = 2 * T.dot(x, x)
    print(y)
    y.backward()
    print(x.grad)
    print(x.grad == 4 * x)
    x.grad.zero_()
    y = x.sum()
    print(y)
    y.backward()
    print(x.grad)


def several_elements_in_three_ways(T: Any) -> None:
    """sum, a gradient argument, autograd.backward and dot all say the same."""
    x = T.arange(4.0, requires_grad=True)
    y = x * x
    y.sum().backward(retain_graph=True)
    print(x.grad)
    x.grad.zero_()
    y.backward(T.ones(len(x)), retain_graph=True)
    print(x.grad)
    v = T.tensor([1.0, 2.0, 3.0, 4.0])
    for backward in (
        lambda: y.backward(v, retain_graph=True),
        lambda: T.autograd.backward(y, v, retain_graph=True),
        lambda: T.autograd.backward([y], grad_tensors=[v], retain_graph=True),
        lambda: T.dot(y, v).backward(retain_graph=True),
        lambda: T.sum(y * v).backward(retain_graph=True),
    ):
        x.grad.zero_()
        backward()
        print(x.grad)


def detached_factor(T: Any) -> None:
    """A detached result is a constant to whatever comes after it."""
    x = T.arange(4.0, requires_grad=True)
    y = x * x
    u = y.detach()
    z = u * x
    z.sum().backward()
    print(x.grad)
    print(x.grad == u)
    x.grad.zero_()
    y.sum().backward()
    print(x.grad == 2 * x)


def doubling(T: Any, a: Any) -> Any:
    """A function whose steps depend on its argument, and that is piecewise a * constant."""
    b = a * 2
    while b.norm() < 1000:
        b = b * 2
    return b if b.sum() > 0 else 100 * b


def through_control_flow(T: Any) -> None:
    a = T.randn(size=(), requires_grad=True)
    d = doubling(T, a)
    d.backward()
    print(a, d)
    print(a.grad)
    print(a.grad == d / a)


def through_control_flow_several(T: Any) -> None:
    a = T.randn(size=(1, 2), requires_grad=True)
    d = doubling(T, a)
    d.sum().backward()
    print(a.grad)
    print(a.grad == d / a)


def tower_of_exponentials(T: Any) -> None:
    x = start = T.tensor(0.1, requires_grad=True)
    for _ in range(3):
        x = T.exp(x)
    x.backward()
    print(start.grad, x)


def sine_and_its_slope(T: Any) -> None:
    """cos without writing cos, and the slope of the slope."""
    x = T.arange(-3.0, 3.0, 0.5, requires_grad=True)
    y = T.sin(x)
    y.sum().backward()
    print(x.grad)
    print(((x.grad - T.cos(x)).abs() < 1e-6).sum() == len(x))
    (slope,) = T.autograd.grad(T.sin(x).sum(), x, create_graph=True)
    print(slope)
    (bend,) = T.autograd.grad(slope.sum(), x)
    print(bend)


def second_order(T: Any) -> None:
    x = T.tensor(3.0, requires_grad=True)
    y = x**3
    (first,) = T.autograd.grad(y, x, create_graph=True)
    print(first)
    (second,) = T.autograd.grad(first, x, create_graph=True)
    print(second)
    second.backward()
    print(x.grad)


def one_step_of_training(T: Any) -> None:
    """Gradient descent by hand."""
    x = T.randn(20, 2)
    target = x @ T.tensor([2.0, -3.4]) + 4.2
    w = T.zeros(2, requires_grad=True)
    b = T.zeros(1, requires_grad=True)
    for epoch in range(5):
        loss = ((x @ w + b - target) ** 2).mean()
        loss.backward()
        with T.no_grad():
            w -= 0.1 * w.grad
            b -= 0.1 * b.grad
        w.grad.zero_()
        b.grad.zero_()
        print(f"epoch {epoch}, loss {loss.item():.4f}")
    print(w, b)
    print(w._version, w.is_leaf)


PROGRAMS = [
    linear_model,
    gradient_in_the_middle,
    backward_again,
    backward_again_with_retain_graph,
    clearing_the_gradient,
    without_recording,
    root_with_several_elements,
    vector_jacobian_product,
    logistic_loss,
    layer_as_function,
    changed_behind_the_graph,
    changed_through_data,
    gradient_of_a_dot_product,
    several_elements_in_three_ways,
    detached_factor,
    through_control_flow,
    through_control_flow_several,
    tower_of_exponentials,
    sine_and_its_slope,
    second_order,
    one_step_of_training,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_prints_the_same(torch: Any, program: Any) -> None:
    assert same(torch, program)["printed"]


def test_zeros_is_another_name_of_zero() -> None:
    """One introduction, written for another library, clears a gradient by this name."""
    x = minigrad.tensor(10.0, requires_grad=True)
    y = x**2
    y.backward(retain_graph=True)
    assert x.grad.zeros_() is x.grad
    y.backward()
    assert x.grad.item() == 20.0
