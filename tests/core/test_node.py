"""grad_fn and next_functions: the graph that a program leaves behind, node by node.

The tables of test_operations.py compare the graph of every operation; here is the protocol itself
and what operations build together.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.parity import caught, edge_of, graph_text, node_name, same
from tests.record import answer


def leaf_protocol(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    plain = T.ones(3)
    y = x * plain
    (mul,) = [y.grad_fn]
    (leaf, index), constant = mul.next_functions
    return [
        x.grad_fn,
        x.is_leaf,
        plain.is_leaf,
        y.is_leaf,
        y.output_nr,
        index,
        list(constant),
        leaf.variable is x,
        node_name(leaf),
        list(leaf.next_functions),
        type(mul.next_functions) is tuple,
    ]


def one_accumulator_for_a_leaf(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    a, b = x * 2, x.exp()
    return [
        edge_of(a)[0].next_functions[0][0] is edge_of(b)[0].next_functions[0][0],
        a.grad_fn is a.grad_fn,
        a.grad_fn == a.grad_fn,
        a.grad_fn == b.grad_fn,
        len({a.grad_fn, a.grad_fn, b.grad_fn}),
    ]


def duplicate_edges(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = x * x
    z = y + y
    return y, z, [node_name(n) for n, _ in z.grad_fn.next_functions]


def norm_in_another_type(T: Any) -> Any:
    x = T.ones(2, 3, requires_grad=True)
    return T.linalg.vector_norm(x, axis=1, dtype=T.float64)


def index_of_an_output(T: Any) -> Any:
    x = T.ones(3, 2, requires_grad=True)
    first, second, third = x.unbind(0)
    return third * first, [first.output_nr, second.output_nr, third.output_nr], third.grad_fn


def printed(T: Any) -> None:
    x = T.ones(3, requires_grad=True)
    y = (x * 2).sum()
    print(y.grad_fn)
    print(y.grad_fn.next_functions)
    print(y.grad_fn.next_functions[0][0].next_functions)
    print(type(y.grad_fn).__name__, y.grad_fn.name())
    print(type(y.grad_fn.next_functions[0][0].next_functions[0][0]).__name__)
    print(x, y, x * 2)


def half_squared_error(T: Any) -> Any:
    x, w, b = T.ones(1, 5), T.ones(5, 3, requires_grad=True), T.ones(1, 3, requires_grad=True)
    return T.sum(1 / 2 * (T.matmul(x, w) + b - T.zeros(1, 3)) ** 2)


def perceptron(T: Any) -> Any:
    x = T.ones(2, 4)
    w1, b1 = T.ones(4, 5, requires_grad=True), T.ones(5, requires_grad=True)
    w2, b2 = T.ones(5, 1, requires_grad=True), T.ones(1, requires_grad=True)
    hidden = (x @ w1 + b1).tanh()
    return ((hidden @ w2 + b2) ** 2).mean()


def attention(T: Any) -> Any:
    q, k, v = (T.ones(2, 3, requires_grad=True) for _ in range(3))
    scores = (q @ k.t()) / 3**0.5
    weights = scores.exp() / scores.exp().sum(1, keepdim=True)
    return weights @ v


def recurrent(T: Any) -> Any:
    w, h = T.ones(3, 3, requires_grad=True), T.zeros(3)
    for _ in range(4):
        h = (w @ h + 1).tanh()
    return h.sum()


def norm_and_index(T: Any) -> Any:
    x = T.ones(3, 4, requires_grad=True)
    return x[0] / x[0].norm() + x[1:, :4].sum(0)[None].t().squeeze(1)


def constants_leave_no_trace(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    a = T.arange(3.0) * 5 + 1
    return a * x, a.grad_fn, (x * 2).detach() * x


def branches_that_need_no_gradient(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    with T.no_grad():
        frozen = x * 2
    return x * frozen + T.ones(3)


def integers_in_the_graph(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    return x * T.arange(3) + (x > 0)


def mixed_types(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    w = T.ones(3, dtype=T.float64, requires_grad=True)
    return x * w, x + w, x - w, x / w, x**w


def second_order_of_a_product(T: Any) -> Any:
    x, w = T.ones(3, requires_grad=True), T.ones(3, requires_grad=True)
    return T.autograd.grad((x * w).sum(), [x, w], create_graph=True)


def second_order_of_a_power(T: Any) -> Any:
    x = T.tensor(3.0, requires_grad=True)
    return T.autograd.grad(x**3, x, create_graph=True)


def second_order_of_functions(T: Any) -> Any:
    found = []
    for name in ("exp", "log", "sin", "cos"):
        x = T.tensor(3.0, requires_grad=True)
        found.append(T.autograd.grad(getattr(x, name)(), x, create_graph=True))
    return found


def second_order_of_products_of_matrices(T: Any) -> Any:
    x, w = T.ones(2, 3, requires_grad=True), T.ones(3, 2, requires_grad=True)
    return T.autograd.grad((x @ w).sum(), [x, w], create_graph=True)


def after_backward_the_nodes_stay(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = (x * x).sum()
    y.backward()
    return y, caught(
        lambda: y.grad_fn.next_functions[0][0]._saved_self, "after they have already been freed"
    )


def metadata(T: Any) -> Any:
    x = T.ones(2, 3, requires_grad=True)
    y = (x * 2).sum(1)
    node = y.grad_fn
    node.metadata["note"] = 5
    both = x.max(0)[0].grad_fn._input_metadata[:1]  # PyTorch may leave out unused outputs
    told = [(m.shape, m.dtype, m.dtype is T.float32) for m in (*node._input_metadata, *both)]
    return told, y.grad_fn.metadata["note"]


def gradient_edge(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = x * 2
    edge = T.autograd.graph.get_gradient_edge(y)
    leaf = T.autograd.graph.get_gradient_edge(x)
    found = [edge.node is y.grad_fn, edge.output_nr, leaf.node.variable is x]
    grads = T.autograd.grad((y * 3).sum(), [edge, leaf])
    return found, grads, type(edge).__name__


def saved_values(T: Any) -> Any:
    x, w = T.ones(3, requires_grad=True), T.full((3,), 2.0, requires_grad=True)
    product = (x * w).grad_fn
    power = (x**3).grad_fn
    e = x.exp()
    return [
        product._saved_self is x,
        product._saved_other is w,
        power._saved_exponent,
        e.grad_fn._saved_result.detach(),
        e.grad_fn._saved_result.grad_fn is e.grad_fn,
        (x * 2).grad_fn._saved_self,
        shown(T.dot(x, w).grad_fn),
        shown(product),
    ]


def shown(node: Any) -> list[str]:
    """Names under which a node shows its saved values. No method may have or hide such a name."""
    return sorted(name for name in dir(node) if name.startswith("_saved_"))


PROGRAMS = [
    leaf_protocol,
    one_accumulator_for_a_leaf,
    duplicate_edges,
    norm_in_another_type,
    index_of_an_output,
    printed,
    half_squared_error,
    perceptron,
    attention,
    recurrent,
    norm_and_index,
    constants_leave_no_trace,
    branches_that_need_no_gradient,
    integers_in_the_graph,
    mixed_types,
    second_order_of_a_product,
    second_order_of_a_power,
    second_order_of_functions,
    second_order_of_products_of_matrices,
    after_backward_the_nodes_stay,
    metadata,
    gradient_edge,
    saved_values,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_graph(torch: Any, program: Any) -> None:
    same(torch, program)


def test_text_distinguishes_graphs(torch: Any) -> None:
    """The comparison itself: a different name, edge, order or shape is a different text."""

    def graphs(T: Any) -> list[str]:
        x, w = T.ones(3, requires_grad=True), T.ones(3, requires_grad=True)
        tensors = x * w, x * x, x + w, x * 2, w * x * x, x * (w * x), x[:2] * w[:2], (x * w).sum()
        return [graph_text(tensor) for tensor in tensors]

    texts = answer(torch, graphs)
    assert len(set(texts)) == len(texts)
    assert texts[1].splitlines() == [
        "roots 0.0",
        "0 MulBackward0 (float32[3]) -> 1.0, 1.0",
        "1 AccumulateGrad (float32[3]) -> ",
    ]


def calling_nodes(T: Any) -> Any:
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    found = [y.exp().grad_fn(T.ones(2)), y.grad_fn(T.ones(2)), (x + 1).grad_fn(T.ones(2))]
    with T.no_grad():
        found.append(y.grad_fn(T.ones(2)))
    found.append(y.grad_fn(None))
    y.grad_fn.next_functions[0][0](T.ones(2))
    return [*found, x.grad]


def test_nodes_can_be_called(torch: Any) -> None:
    same(torch, calling_nodes)
