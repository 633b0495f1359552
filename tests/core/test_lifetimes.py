"""Lifetimes of objects. The garbage collector is off: reference counting alone must free them.

`watch` returns weak references; a program answers which of them are still alive at each point, and
the answers must be PyTorch's.
"""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

import minigrad
from tests.parity import same
from tests.sampling import all_of

pytestmark = pytest.mark.usefixtures("no_collector")


def alive(*references: Any) -> list[bool]:
    return [reference() is not None for reference in references]


def what_was_refused_is_let_go(T: Any) -> Any:
    calls = (
        lambda x: x + T.ones(4), lambda x: T.sum(x, 7), lambda x: x.view(7),
        lambda x: T.cat(x, 1.5), lambda x: T.exp(x, out=T.ones(3, dtype=T.int64)),
        lambda x: T.exp(x, out=1), lambda x: x @ x.exp, lambda x: T.mm(x, x), lambda x: x.exp_(1),
        lambda x: T.sum(x, axis=9), lambda x: x.reshape("a"),
        lambda x: T.nn.functional.softmax(x, "a"), lambda x: T.nn.functional.linear(x, x, x, x),
        lambda x: T.stack([x, T.ones(4)]), lambda x: x.masked_fill_(x, 1),
        lambda x: T.linalg.inv(x),
    )  # fmt: skip
    found = []
    for call in calls:
        x = T.ones(3)
        ref = weakref.ref(x)
        try:
            call(x)
        except Exception as error:
            found.append(type(error).__name__)
        del x
        found.append(alive(ref))
    return found


def graph_dies_with_its_last_tensor(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = x * 2
    z = y.exp()
    refs = [weakref.ref(y), weakref.ref(z)]
    del y
    found = [alive(*refs)]
    del z
    return [*found, alive(*refs)]


def saved_input_lives_as_long_as_the_graph(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = x.exp()
    z = (y * y).sum()
    ref = weakref.ref(y)
    del y
    found = [alive(ref)]
    z.backward()
    found.append(alive(ref))
    return found


def saved_output_does_not_keep_itself(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = x.exp()
    ref = weakref.ref(y)
    del y
    return alive(ref)


def unsaved_input_is_not_kept(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = x * 2
    z = y + 1
    ref = weakref.ref(y)
    del y
    return alive(ref), z


def constant_factor_is_kept_only_if_needed(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    needed, other = T.full((3,), 2.0), T.full((3,), 3.0)
    y = x * needed + other
    refs = [weakref.ref(needed), weakref.ref(other)]
    del needed, other
    return alive(*refs), y


def leaf_is_kept_by_the_graph(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = x + 1
    ref = weakref.ref(x)
    del x
    found = [alive(ref)]
    del y
    return [*found, alive(ref)]


def hook_closure_dies_with_the_graph(T: Any) -> Any:
    class Probe:
        pass

    probe = Probe()
    x = T.ones(3, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g, kept=probe: None)
    ref = weakref.ref(probe)
    del probe
    found = [alive(ref)]
    del y
    return [*found, alive(ref)]


def hook_of_a_leaf_dies_with_the_leaf(T: Any) -> Any:
    class Probe:
        pass

    probe = Probe()
    x = T.ones(3, requires_grad=True)
    x.register_hook(lambda g, kept=probe: None)
    (x * 2).sum().backward()
    ref = weakref.ref(probe)
    del probe
    found = [alive(ref)]
    del x
    return [*found, alive(ref)]


def retain_grad_keeps_nothing(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = x * 2
    y.retain_grad()
    z = y.sum()
    ref = weakref.ref(y)
    del y
    z.backward()
    return alive(ref), x.grad


def function_context_dies(T: Any) -> Any:
    class Probe:
        pass

    class Mine(T.autograd.Function):  # type: ignore[misc,name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.probe = Probe()
            refs.append(weakref.ref(ctx.probe))
            y = x.exp()
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * ctx.saved_tensors[1]

    refs: list[Any] = []
    x = T.ones(3, requires_grad=True)
    y = Mine.apply(x)
    found = [alive(*refs)]
    y.sum().backward()
    found.append(alive(*refs))
    del y
    return [*found, alive(*refs)]


def view_keeps_its_base(T: Any) -> Any:
    base = T.zeros(2, 3)
    view = base[0]
    ref = weakref.ref(base)
    del base
    found = [alive(ref)]
    del view
    return [*found, alive(ref)]


def written_base_and_view(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    base = T.zeros(2, 3)
    base[0] = x
    view = base[1]
    view.add_(x)
    refs = [weakref.ref(base), weakref.ref(view)]
    total = base.sum()
    del base, view
    found = [alive(*refs)]
    total.backward()
    del total
    return [*found, alive(*refs), x.grad]


def gradient_of_gradient(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = x.exp()
    (g,) = T.autograd.grad(y.sum(), x, create_graph=True)
    refs = [weakref.ref(y), weakref.ref(g)]
    del y, g
    return alive(*refs)


def failed_backward_keeps_nothing(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = x.exp()
    z = (y * y).sum()
    z.backward()
    try:
        z.backward()
    except RuntimeError:
        pass
    refs = [weakref.ref(y), weakref.ref(z)]
    del y, z
    return alive(*refs)


def what_a_checkpoint_computed_again_dies(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    refs = []

    def squared_exponential(a: Any) -> Any:
        inner = a.exp()
        refs.append(weakref.ref(inner))
        return inner * inner

    y = T.utils.checkpoint.checkpoint(squared_exponential, x, use_reentrant=False)
    found = [alive(*refs)]
    y.sum().backward()
    return [*found, alive(*refs)]


PROGRAMS = [
    what_a_checkpoint_computed_again_dies,
    what_was_refused_is_let_go,
    graph_dies_with_its_last_tensor,
    saved_input_lives_as_long_as_the_graph,
    saved_output_does_not_keep_itself,
    unsaved_input_is_not_kept,
    constant_factor_is_kept_only_if_needed,
    leaf_is_kept_by_the_graph,
    hook_closure_dies_with_the_graph,
    hook_of_a_leaf_dies_with_the_leaf,
    retain_grad_keeps_nothing,
    function_context_dies,
    view_keeps_its_base,
    written_base_and_view,
    gradient_of_gradient,
    failed_backward_keeps_nothing,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_as_torch(torch: Any, program: Any) -> None:
    same(torch, program)


def build_chain(length: int) -> tuple[Any, Any]:
    x = minigrad.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(length):
        y = y + 1
    return x, y


def test_chain_of_many_nodes_is_freed() -> None:
    """No recursion anywhere: not in the walk, and not in the freeing of the nodes."""
    x, y = build_chain(1_000_000 if all_of("PROOFS") else 100_000)
    middle = weakref.ref(y.grad_fn.next_functions[0][0])
    y.backward()
    assert x.grad.item() == 1.0
    assert middle() is not None
    del y
    assert middle() is None


def test_long_chain_without_backward_is_freed() -> None:
    x, y = build_chain(200_000)
    refs = [weakref.ref(y.grad_fn), weakref.ref(x)]
    del x, y
    assert alive(*refs) == [False, False]


def test_long_chain_with_saves_is_freed() -> None:
    """Saved tensors hold nodes, which hold saved tensors: another way to recurse."""
    x = minigrad.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(200_000):
        y = y * y
    ref = weakref.ref(y.grad_fn)
    del y
    assert alive(ref) == [False]


def test_a_long_chain_of_functions_is_freed() -> None:
    class Same(minigrad.autograd.Function):  # type: ignore[misc,name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * 1

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g

    x = minigrad.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(50_000):
        y = Same.apply(y)
    y.backward(retain_graph=True)
    assert x.grad.item() == 1.0
    ref = weakref.ref(y.grad_fn)
    del y
    assert alive(ref) == [False]


def test_long_second_order_chain_is_freed() -> None:
    x = minigrad.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(20_000):
        y = y.sin()
    (g,) = minigrad.autograd.grad(y, x, create_graph=True)
    ref = weakref.ref(g.grad_fn)
    del y, g
    assert alive(ref) == [False]


def test_training_does_not_grow() -> None:
    """Step after step leaves nothing behind."""
    w = minigrad.ones(10, requires_grad=True)

    def step() -> None:
        ((w * 2).exp() * w).sum().backward()
        with minigrad.no_grad():
            w.sub_(w.grad * 1e-3)
        w.grad = None

    def tensors() -> int:
        return sum(issubclass(type(o), minigrad.Tensor) for o in gc.get_objects())

    step()
    before = tensors()
    for _ in range(50):
        step()
    assert tensors() == before
