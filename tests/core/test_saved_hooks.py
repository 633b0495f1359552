"""Hooks on what nodes save, on several gradients at once, and where hooks stay."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import pytest

from tests.parity import caught, same
from tests.programs.random_programs import own_functions

Programs = list[Callable[[Any], Any]]


def packed_and_unpacked(T: Any) -> Any:
    """Tensors saved inside the block are packed at once and unpacked when backward needs them."""
    seen: list[Any] = []

    def pack(x: Any) -> Any:
        seen.append(["pack", x.detach().clone()])
        return x.detach() * 10

    def unpack(x: Any) -> Any:
        seen.append(["unpack", x.clone()])
        return x

    x = T.tensor([1.0, 2.0], requires_grad=True)
    with T.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = x * x
    z = y.exp()
    seen.append("backward")
    z.sum().backward()
    return seen, x.grad


def anything_may_be_kept(T: Any) -> Any:
    kept: dict[int, Any] = {}

    def pack(x: Any) -> int:
        kept[len(kept)] = x.tolist()
        return len(kept) - 1

    def unpack(key: int) -> Any:
        return T.tensor(kept[key])

    x = T.tensor([1.0, 2.0], requires_grad=True)
    with T.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = (x.exp() * x).sum()
    y.backward()
    return x.grad, sorted(kept)


def innermost_pair_counts(T: Any) -> Any:
    seen: list[str] = []

    def pair(name: str) -> Any:
        def pack(x: Any) -> Any:
            seen.append(f"pack {name}")
            return x

        def unpack(x: Any) -> Any:
            seen.append(f"unpack {name}")
            return x

        return T.autograd.graph.saved_tensors_hooks(pack, unpack)

    x = T.tensor(2.0, requires_grad=True)
    with pair("outer"):
        a = x.exp()
        with pair("inner"):
            b = a.exp()
        c = b.exp()
    c.backward()
    return seen, x.grad


def saved_by_a_function(T: Any) -> Any:
    seen: list[Any] = []

    def pack(x: Any) -> Any:
        seen.append(x.detach().clone())
        return x

    x = T.tensor(3.0, requires_grad=True)
    with T.autograd.graph.saved_tensors_hooks(pack, lambda x: x):
        y = own_functions(T)["square"].apply(x)
    y.backward()
    return seen, x.grad


def indices_are_saved_too(T: Any) -> Any:
    seen: list[Any] = []

    def pack(x: Any) -> Any:
        seen.append([list(x.shape), str(x.dtype)])
        return x

    x = T.arange(6.0).requires_grad_()
    with T.autograd.graph.saved_tensors_hooks(pack, lambda x: x):
        y = x[T.tensor([0, 1])]
        z = x[x > 2]
    (y.sum() + z.sum()).backward()
    return seen, x.grad


def on_cpu(T: Any) -> Any:
    x = T.tensor([1.0, 2.0], requires_grad=True)
    with T.autograd.graph.save_on_cpu():
        y = (x.exp() * x).sum()
    y.backward()
    return x.grad


def refused(T: Any) -> Any:
    with T.autograd.graph.disable_saved_tensors_hooks("not here"):
        outcome = caught(
            lambda: T.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x).__enter__(),
            "not here",
        )
    return outcome


def error_in_unpack(T: Any) -> Any:
    def unpack(x: Any) -> Any:
        raise ValueError("mine")

    x = T.tensor(2.0, requires_grad=True)
    with T.autograd.graph.saved_tensors_hooks(lambda x: x, unpack):
        y = x.exp()
    return caught(y.backward, "mine"), x.grad


def unpack_returns_a_number(T: Any) -> Any:
    x = T.tensor(2.0, requires_grad=True)
    with T.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: 3.0):
        y = x.exp()
    return caught(y.backward)


def all_gradients_at_once(T: Any) -> Any:
    seen: list[Any] = []
    a, b, c = (T.tensor(2.0, requires_grad=True) for _ in range(3))
    handle = T.autograd.graph.register_multi_grad_hook(
        (a, b, c), lambda gs: seen.append([None if g is None else g.item() for g in gs])
    )
    (a * b).backward()
    (a * b * c).backward()
    handle.remove()
    (a * b * c).backward()
    return seen


def the_first_gradient_only(T: Any) -> Any:
    seen: list[float] = []
    a, b = (T.tensor(float(k), requires_grad=True) for k in (2, 3))
    T.autograd.graph.register_multi_grad_hook((a, b), lambda g: seen.append(g.item()), mode="any")
    (a * b * 2).backward()
    return len(seen)


def hooks_on_a_leaf_and_its_node(T: Any) -> Any:
    seen: list[str] = []
    x = T.tensor([1.0, 2.0], requires_grad=True)
    node = T.autograd.graph.get_gradient_edge(x).node
    x.register_hook(lambda g: seen.append("tensor"))
    node.register_prehook(lambda gs: seen.append("node before"))
    node.register_hook(lambda ins, outs: seen.append(f"node after {len(ins)} {len(outs)}"))
    x.register_post_accumulate_grad_hook(lambda t: seen.append("accumulated"))
    (x * 2).sum().backward()
    return seen


def hook_registered_before_requires_grad(T: Any) -> Any:
    x = T.ones(2)
    return caught(lambda: x.register_hook(print), "doesn't require gradient")


def hooks_with_inputs(T: Any) -> Any:
    """With inputs=, tensor hooks run also on tensors that are only passed."""
    seen: list[str] = []
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    z = y * 3
    for name, t in (("x", x), ("y", y), ("z", z)):
        t.register_hook(lambda g, name=name: seen.append(name))
    z.sum().backward(inputs=[y])
    return seen, x.grad


def post_accumulate_may_clear(T: Any) -> Any:
    x = T.tensor([1.0, 2.0], requires_grad=True)

    def step(t: Any) -> None:
        with T.no_grad():
            t.sub_(t.grad)
        t.grad = None

    x.register_post_accumulate_grad_hook(step)
    (x * 2).sum().backward()
    return x, x.grad


def removed_while_running(T: Any) -> Any:
    seen: list[int] = []
    x = T.tensor(1.0, requires_grad=True)
    handles: list[Any] = []

    def once(g: Any) -> None:
        seen.append(1)
        handles[0].remove()

    handles.append(x.register_hook(once))
    x.register_hook(lambda g: seen.append(2))
    (x * 2).backward()
    (x * 2).backward()
    return seen


def retained_after_write(T: Any) -> Any:
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    y.retain_grad()
    y.register_hook(lambda g: g * 100)
    y.mul_(3)
    (y * 2).sum().backward()
    return x.grad, y.grad


def what_a_pack_hook_sees(T: Any) -> Any:
    """It runs without recording, and what it makes has no history."""
    seen: list[Any] = []

    def pack(x: Any) -> Any:
        seen.append([T.is_grad_enabled(), x.requires_grad, x.is_leaf, (x * 2).requires_grad])
        return x * 2

    x = T.tensor([1.0, 2.0], requires_grad=True)
    with T.autograd.graph.saved_tensors_hooks(pack, lambda x: x / 2):
        y = (x * x).exp()
    y.sum().backward()
    return seen, x.grad


def an_unpacked_leaf_is_a_leaf(T: Any) -> Any:
    """It is another tensor, but what flows into it is the first one's gradient."""
    x = T.tensor([1.0, 2.0], requires_grad=True)
    with T.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x):
        y = (x * x).sum()
    kept = y.grad_fn.next_functions[0][0]._saved_self
    print(kept, kept.is_leaf, kept.grad_fn, kept is x)
    (slope,) = T.autograd.grad(y, x, create_graph=True)
    (slope * slope).sum().backward()
    return slope, x.grad, kept.grad


def refused_within_others(T: Any) -> Any:
    graph = T.autograd.graph
    with graph.saved_tensors_hooks(lambda x: x, lambda x: x):
        return caught(lambda: graph.disable_saved_tensors_hooks("not now").__enter__(), "not now")


def hooks_on_one_saved_tensor(T: Any) -> Any:
    """`_raw_saved_...` is the place where a node keeps a tensor; it takes hooks of its own."""

    x = T.tensor([1.0, 2.0], requires_grad=True)
    a, b, c, d = x.exp(), x * x, own_functions(T)["square"].apply(x), x * 3
    places = (
        a.grad_fn._raw_saved_result,
        b.grad_fn._raw_saved_self,
        *c.grad_fn._raw_saved_tensors,
        d.grad_fn._raw_saved_other,
    )
    for place in places:
        assert place.unpack_hook is None
        place.register_hooks(lambda t: (t * 2).tolist(), T.tensor)
        assert place.unpack_hook is T.tensor
    shown = a.grad_fn._saved_result, b.grad_fn._saved_self, c.grad_fn.saved_tensors
    (a + b + c + d).sum().backward()
    return shown, x.grad, b.grad_fn.next_functions[0][0].name()


def hooks_on_what_is_not_there(T: Any) -> Any:
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y, z = x * x, x * 2
    place, no_hooks = y.grad_fn._raw_saved_self, lambda t: t
    said = [
        caught(lambda: place.register_hooks(None, no_hooks), "incompatible function arguments"),
        caught(
            lambda: z.grad_fn._raw_saved_self.register_hooks(no_hooks, no_hooks),
            "with value None is forbidden",
        ),
    ]
    place.register_hooks(no_hooks, no_hooks)
    said.append(
        caught(lambda: place.register_hooks(no_hooks, no_hooks), "hooks have already been set")
    )
    y.sum().backward()
    said.append(
        caught(lambda: place.register_hooks(no_hooks, no_hooks), "after it has been freed. Saved")
    )
    return said, x.grad


def a_pack_hook_lives_as_long_as_its_graph(T: Any) -> Any:
    def alive(build: Any) -> list[bool]:
        class Pack:
            def __call__(self, x: Any) -> Any:
                return x

        x, pack = T.ones(2, requires_grad=True), Pack()
        watched = weakref.ref(pack)
        with T.autograd.graph.saved_tensors_hooks(pack, lambda x: x):
            y = build(x)
        del pack
        lived = [watched() is not None]
        y.sum().backward()
        return [*lived, watched() is not None]

    return alive(lambda x: x * x), alive(lambda x: x.exp()), alive(lambda x: x[T.tensor([0])])


SAVING: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "a * b": lambda T, a, b, c: a * b,
    "a / b": lambda T, a, b, c: a / b,
    "a ** b": lambda T, a, b, c: a**b,
    "a % b": lambda T, a, b, c: a % b,
    "a @ b": lambda T, a, b, c: a @ b,
    "bmm": lambda T, a, b, c: T.bmm(a[None], b[None]),
    "addmm": lambda T, a, b, c: T.addmm(c, a, b),
    "maximum": lambda T, a, b, c: T.maximum(a, b),
    "clamp": lambda T, a, b, c: a.clamp(b, c),
    "gather": lambda T, a, b, c: a.gather(0, T.tensor([[0, 1]])),
    "index_add": lambda T, a, b, c: a.index_add(0, T.tensor([0, 1]), b),
    "masked_select": lambda T, a, b, c: a.masked_select(T.tensor([True, False])),
    "layer_norm": lambda T, a, b, c: T.nn.functional.layer_norm(a, (2,), b[0], c[0]),
    "cross-entropy of probabilities": lambda T, a, b, c: (
        T.nn.functional.binary_cross_entropy_with_logits(a, b, c.detach(), pos_weight=c[0].detach())
    ),
    "kl_div": lambda T, a, b, c: T.nn.functional.kl_div(a, b, reduction="sum"),
    "a.mul_(b)": lambda T, a, b, c: a.clone().mul_(b),
    "a.exp_()": lambda T, a, b, c: a.clone().exp_(),
    "a.relu_()": lambda T, a, b, c: (a - 2).relu_(),
}


@pytest.mark.parametrize("name", SAVING)
def test_the_order_of_packing(torch: Any, name: str) -> None:
    """Arguments by their names, then results, which an in-place operation has written by then."""

    def program(T: Any) -> Any:
        a = T.tensor([[1.0, 2.0], [3.0, 5.0]], requires_grad=True)
        b = T.tensor([[0.5, 0.25], [4.0, 3.0]], requires_grad=True)
        c = T.tensor([[7.0, 8.0], [9.0, 10.0]], requires_grad=True)
        seen: list[Any] = []

        def pack(x: Any) -> Any:
            seen.append(["pack", x.detach().clone()])
            return x.detach().clone()

        def unpack(x: Any) -> Any:
            seen.append(["unpack", x.clone()])
            return x

        with T.autograd.graph.saved_tensors_hooks(pack, unpack):
            y = SAVING[name](T, a, b, c)
        y.sum().backward()
        return seen, a.grad, b.grad, c.grad

    same(torch, program)


def contexts_entered_and_left_in_backward(T: Any) -> Any:
    """An unpack hook cannot leave a context open, nor close one for good."""
    same_tensor = T.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x)
    contexts: dict[str, Any] = {}

    def enter(x: Any) -> Any:
        contexts["entering"].__enter__()
        return x

    def leave(x: Any) -> Any:
        contexts["leaving"].__exit__()
        return x

    hooks = T.autograd.graph.saved_tensors_hooks
    contexts["entering"] = hooks(lambda x: x, enter)
    contexts["leaving"] = hooks(lambda x: x, leave)
    x = T.ones(2, requires_grad=True)
    with contexts["entering"]:
        x.sin().sum().backward()
    with same_tensor:
        contexts["leaving"].__enter__()
        x.sin().sum().backward()
    contexts["leaving"].__exit__()
    y = x.exp()
    y.grad_fn._raw_saved_result.register_hooks(lambda t: t, lambda t: t)  # none are there yet
    return x.grad, y


def left_where_no_hooks_are(T: Any) -> Any:
    """What a hook enters ends with its node, so that leaving it later is an error."""
    packed: list[str] = []

    def entered() -> Any:
        return T.autograd.graph.saved_tensors_hooks(lambda t: packed.append("in") or t, abs)

    inside, around, unused = entered(), entered(), entered()
    x = T.ones(2, requires_grad=True)
    y = x.exp()
    y.register_hook(lambda g: inside.__enter__())
    y.sum().backward()
    y = x * 2
    y.register_hook(lambda g: around.__exit__())
    with around:
        y.sum().backward()
        around_holds = x * x
    words = "INTERNAL ASSERT" if T.__name__ == "torch" else "no hooks for saved tensors to remove"
    errors = [caught(each.__exit__, words) for each in (inside, around, unused)]
    return errors, packed, around_holds, x * x


PROGRAMS: Programs = [
    left_where_no_hooks_are,
    contexts_entered_and_left_in_backward,
    what_a_pack_hook_sees,
    an_unpacked_leaf_is_a_leaf,
    refused_within_others,
    hooks_on_one_saved_tensor,
    hooks_on_what_is_not_there,
    a_pack_hook_lives_as_long_as_its_graph,
    packed_and_unpacked,
    anything_may_be_kept,
    innermost_pair_counts,
    saved_by_a_function,
    indices_are_saved_too,
    on_cpu,
    refused,
    error_in_unpack,
    unpack_returns_a_number,
    all_gradients_at_once,
    the_first_gradient_only,
    hooks_on_a_leaf_and_its_node,
    hook_registered_before_requires_grad,
    hooks_with_inputs,
    post_accumulate_may_clear,
    removed_while_running,
    retained_after_write,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_as_torch(torch: Any, program: Any) -> None:
    same(torch, program)
