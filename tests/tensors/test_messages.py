"""Errors and warnings are PyTorch's, word for word.

Mistakes that no other test makes, and all warnings: each line is a program, and compared is the
first line of every warning and of the error.
"""

from __future__ import annotations

import pickle
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minigrad
from minigrad.ops.public.schema import Schema
from tests.arrays.pytorch_names import at
from tests.ops.refusals import Outcome, said_by
from tests.own_words import in_our_words
from tests.parity import same, warn_always

INSIDE = " (Triggered internally"


def heard(action: Callable[[], Any]) -> list[str]:
    """The warnings and the error of an action, in their first lines."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            action()
            error = []
        except Exception as raised:
            error = [f"{type(raised).__name__}: {said_by(raised).line}"]
    told = [
        f"{each.category.__name__}: {Outcome('', str(each.message).partition(INSIDE)[0]).line}"
        for each in warned
    ]
    return [in_our_words(line) for line in [*dict.fromkeys(told), *error]]


def leaf(T: Any, *shape: int) -> Any:
    return T.ones(*shape, requires_grad=True)


def function(T: Any, **methods: Any) -> Any:
    """A Function of the user's with these static methods."""
    parts = {name: staticmethod(method) for name, method in methods.items()}
    return type("Own", (T.autograd.Function,), parts)


def rewritten(ctx: Any, x: Any) -> Any:
    return ctx.mark_dirty(x * 1) or x * 2


def two_of_a_view(ctx: Any, x: Any) -> Any:
    ctx.mark_dirty(x)
    return x.mul_(2), x * 3


def sgd(T: Any, *parameters: Any) -> Any:
    return T.optim.SGD(parameters or [leaf(T, 1)], lr=0.1)


def too_early(T: Any) -> None:
    optimizer = sgd(T)
    schedule = T.optim.lr_scheduler.StepLR(optimizer, 1)
    schedule.step()
    optimizer.step()


def detached_in_place(T: Any) -> None:
    x = leaf(T, 2) * 1
    y = x * x
    x.detach_()
    y.sum().backward()


def hooks_of(T: Any, *pairs: Any, freed: bool = False) -> None:
    y = leaf(T, 2).exp()
    if freed:
        y.sum().backward()
    for pair in pairs:
        y.grad_fn._raw_saved_result.register_hooks(*pair)


def modules_hook(T: Any, x: Any, hook: Any) -> None:
    net = T.nn.Linear(2, 2)
    net.register_full_backward_hook(hook)
    net(x).sum().backward()


def hooked(T: Any, hook: Any) -> None:
    net = T.nn.Linear(1, 1)
    net.register_forward_pre_hook(hook, with_kwargs=True)
    net(T.ones(1))


def inverted(T: Any, inverse: Any) -> None:
    """A parametrized weight is assigned, whose inverse is `inverse`."""
    parts = {"forward": lambda self, x: x, "right_inverse": lambda self, x: inverse(x)}
    net = T.nn.Linear(2, 2)
    at("torch.nn.utils.parametrize", T.__name__).register_parametrization(
        net, "weight", type("Own", (T.nn.Module,), parts)()
    )


def batched(T: Any, *gradients: Any) -> None:
    """The gradients of two numbers, several times at once."""
    x = leaf(T, 1)
    T.autograd.grad([(x * 2).sum(), (x * 3).sum()], x, gradients, is_grads_batched=True)


def same_(x: Any) -> Any:
    return x


ERRORS: dict[str, Callable[[Any], Any]] = {
    # Devices and types
    "a device of a device": lambda T: T.device(T.device("cpu"), 0),
    "a device of a list": lambda T: T.device([1]),
    "a device's number as text": lambda T: T.device("cpu", "0"),
    "a default type that is none": lambda T: T.set_default_dtype("float32"),
    "a default type of integers": lambda T: T.set_default_dtype(T.int64),
    "a state that is no tensor": lambda T: T.set_rng_state([1]),
    "chances that are no number": lambda T: T.multinomial(T.tensor([float("nan"), 1.0]), 2),
    "negative chances": lambda T: T.multinomial(T.tensor([-1.0, 1.0, 1.0]), 2),
    "a type as a number": lambda T: T.ones(2).type(3),
    "a type as a class": lambda T: T.ones(2).type(int),
    # Batches of gradients
    "batched, without one": lambda T: T.autograd.grad(
        leaf(T, 2) * 2, leaf(T, 2), is_grads_batched=True
    ),
    "batched, of two lengths": lambda T: T.autograd.grad(
        [x := leaf(T, 2), x * 2], [x], [T.ones(2, 2), T.ones(3, 2)], is_grads_batched=True
    ),
    # functional
    "v of another length": lambda T: T.autograd.functional.vjp(
        lambda x: x * 2, T.ones(2), (T.ones(2), T.ones(2))
    ),
    "a hessian of two numbers": lambda T: T.autograd.functional.hessian(same_, T.ones(2)),
    # Modes and graphs
    "set_grad_enabled of a number": lambda T: T.set_grad_enabled(1),
    "an edge of what asks for none": lambda T: T.autograd.graph.get_gradient_edge(T.ones(1)),
    "hooks that are none": lambda T: T.autograd.graph.saved_tensors_hooks(1, 2).__enter__(),
    "another mode of hooks": lambda T: T.autograd.graph.register_multi_grad_hook(
        [leaf(T, 1)], print, mode="some"
    ),
    # Functions
    "a gradient for a number": lambda T: (
        function(T, forward=lambda ctx, x, k: x * k, backward=lambda ctx, g: (g, g))
        .apply(leaf(T, 1), 2)
        .backward()
    ),
    "backward and vjp": lambda T: (
        function(T, forward=lambda ctx, x: x * 2, backward=lambda ctx, g: g, vjp=lambda ctx, g: g)
        .apply(leaf(T, 1))
        .backward()
    ),
    "no backward": lambda T: function(T, forward=lambda ctx, x: x * 2).apply(leaf(T, 1)).backward(),
    "an unknown argument by name": lambda T: function(
        T, forward=lambda ctx, x: x, backward=lambda ctx, g: g
    ).apply(leaf(T, 1), nosuch=1),
    "a name that forward takes only so": lambda T: function(
        T, forward=lambda ctx, x, *, times: x * times, backward=lambda ctx, g: g
    ).apply(leaf(T, 1), times=2),
    "marked dirty, but no input": lambda T: function(
        T, forward=rewritten, backward=lambda ctx, g: g
    ).apply(leaf(T, 1)),
    "in place on a view, and more": lambda T: function(
        T, forward=two_of_a_view, backward=lambda ctx, g, h: g
    ).apply((leaf(T, 2) * 1)[:1]),
    # Nodes, and what they keep
    "a node called with two": lambda T: (leaf(T, 1) * 2).grad_fn(T.ones(1), T.ones(1)),
    "a node called with a number": lambda T: (leaf(T, 1) * 2).grad_fn(1.0),
    "detached while saved": detached_in_place,
    "hooks twice": lambda T: hooks_of(T, (same_, same_), (same_, same_)),
    "hooks after it was freed": lambda T: hooks_of(T, (same_, same_), freed=True),
    "a pack hook that writes": lambda T: hooks_of(T, (lambda x: x.mul_(2), same_)),
    # Tensors
    "grad is the tensor": lambda T: setattr(x := leaf(T, 1), "grad", x),
    "grad is a number": lambda T: setattr(leaf(T, 1), "grad", 1.0),
    "grad of another shape": lambda T: setattr(leaf(T, 1), "grad", T.ones(2)),
    "a result without requires_grad": lambda T: (leaf(T, 1) * 2).requires_grad_(False),
    "an integer with requires_grad": lambda T: T.ones(1, dtype=T.int64).requires_grad_(),
    "a hook after the gradient, asked of none": lambda T: T.ones(
        1
    ).register_post_accumulate_grad_hook(print),
    "a hook after the gradient of a result": lambda T: (
        leaf(T, 1) * 2
    ).register_post_accumulate_grad_hook(print),
    "a view detached in place": lambda T: (leaf(T, 2) * 1)[:1].detach_(),
    "data deleted": lambda T: delattr(T.ones(1), "data"),
    "a number of two": lambda T: float(T.ones(2)),
    "an index of a fraction": lambda T: [0, 1][T.tensor(1.0)],
    "a size of texts": lambda T: T.Size(["a"]),
    "a name in none": lambda T: T.ones(2).stride(3),
    "a stride of 0-d": lambda T: T.tensor(1.0).stride(0),
    "std below 0": lambda T: T.normal(0.0, -1.0, (2,)),
    "an array of reversed elements": lambda T: T.from_numpy(np.ones(3)[::-1]),
    "an array of foreign bytes": lambda T: T.from_numpy(np.ones(3, ">f4")),
    "an endless number": lambda T: T.full((2,), 2**70),
    # Repetitions
    "repeated by fractions": lambda T: T.ones(2).repeat_interleave(T.tensor([1.0, 2.0])),
    "repeated less than never": lambda T: T.ones(2).repeat_interleave(T.tensor([1, -2])),
    "repeated by too few": lambda T: T.ones(3).repeat_interleave(T.tensor([1, 2])),
    "repeated by a matrix": lambda T: T.ones(2).repeat_interleave(T.ones(1, 2).long()),
    "repeated to another size": lambda T: T.ones(2).repeat_interleave(
        T.tensor([1, 2]), output_size=5
    ),
    "repeated evenly to another": lambda T: T.ones(2).repeat_interleave(2, output_size=5),
    # Operations
    "the + of truth values": lambda T: +T.tensor([True]),
    "the ~ of fractions": lambda T: ~T.ones(2),
    "leaky_relu_ with a negative slope": lambda T: T.nn.functional.leaky_relu(
        leaf(T, 1) * 1, -0.5, inplace=True
    ).backward(),
    "an unknown padding": lambda T: T.conv1d(T.ones(1, 1, 4), T.ones(1, 1, 2), padding="odd"),
    "padding of strides": lambda T: T.conv1d(
        T.ones(1, 1, 4), T.ones(1, 1, 2), stride=2, padding="same"
    ),
    "smoothed by more than all": lambda T: T.nn.functional.cross_entropy(
        T.ones(1, 2), T.tensor([0]), label_smoothing=1.5
    ),
    "a dimension of 70 bits": lambda T: T.ones(2).sum(2**70),
    "einsum, twice in the output": lambda T: T.einsum("ij->ii", T.ones(2, 2)),
    "einsum, only in the output": lambda T: T.einsum("i->ij", T.ones(2)),
    "einsum, a diagonal of a rectangle": lambda T: T.einsum("ii->i", T.ones(2, 3)),
    "classes of nothing": lambda T: T.nn.functional.one_hot(T.ones(0, dtype=T.int64)),
    "too few classes": lambda T: T.nn.functional.one_hot(T.tensor([2]), 2),
    "negative classes": lambda T: T.nn.functional.one_hot(T.tensor([-2])),
    "a slice of 0-d": lambda T: T.tensor(1.0)[:],
    "a slice by nothing": lambda T: T.ones(2)[::0],
    "a slice backwards": lambda T: T.ones(2)[::-1],
    "an element deleted": lambda T: T.ones(2).__delitem__(0),
    "hstack of nothing": lambda T: T.hstack([]),
    "times that are a matrix": lambda T: T.repeat_interleave(T.ones(2, 2).long()),
    "filled with two": lambda T: T.ones(2).masked_fill(T.tensor([True, False]), T.ones(2)),
    "filled by a mask of numbers": lambda T: T.ones(2).masked_fill(T.ones(2), 0.0),
    "batch statistics of another type": lambda T: T.nn.functional.batch_norm(
        T.ones(2, 3), T.zeros(3).double(), T.ones(3).double()
    ),
    "lengths in another order": lambda T: T.nn.utils.rnn.pack_padded_sequence(
        T.ones(3, 2, 1), [1, 2]
    ),
    "unflattened to nothing": lambda T: T.ones(2).unflatten(0, ()),
    # Results in `out`
    "out that asks for gradients": lambda T: T.exp(T.ones(1), out=leaf(T, 1)),
    "out of what asks for gradients": lambda T: T.exp(leaf(T, 1), out=T.ones(1)),
    "out of another type": lambda T: T.zeros(2, dtype=T.int64, out=T.ones(2)),
    "out of all, in numbers": lambda T: T.all(T.ones(2), out=T.ones(())),
    "two in the place of one out": lambda T: T.exp(T.ones(1), out=(T.ones(1), T.ones(1))),
    "one in the place of two outs": lambda T: T.sort(T.ones(1), out=(T.ones(1),)),
    # Batches
    "batches of two lengths": lambda T: batched(T, T.ones(2), T.ones(3)),
    "batches of nothing": lambda T: batched(T, T.ones(0), T.ones(0)),
    # Hooks of modules
    "arguments that are none": lambda T: hooked(T, lambda module, args, named: 3),
    "gradients that are too many": lambda T: modules_hook(
        T, leaf(T, 1, 2), lambda module, given, got: (got[0], got[0])
    ),
    "gradients where none are asked for": lambda T: modules_hook(
        T, T.ones(1, 2), lambda module, given, got: (got[0],)
    ),
    "an inverse of another type": lambda T: inverted(T, lambda x: x.double()),
    "an inverse of another shape": lambda T: inverted(T, lambda x: x[0]),
    "an inverse that is none": lambda T: inverted(T, lambda x: 3),
    # Distributions
    "two distributions of two kinds": lambda T: T.distributions.kl_divergence(
        T.distributions.Normal(0.0, 1.0), T.distributions.Bernoulli(0.5)
    ),
    # Checkpoints
    "a checkpoint with a name": lambda T: T.utils.checkpoint.checkpoint(
        same_, leaf(T, 1), use_reentrant=True, nosuch=1
    ),
    "a checkpoint that asks for nothing": lambda T: T.utils.checkpoint.checkpoint(
        lambda x: x.detach(), leaf(T, 1), use_reentrant=True
    ).backward(),
    # Modules
    "negative_slope as text": lambda T: T.nn.init.calculate_gain("leaky_relu", "0.1"),
    "embeddings in one dimension": lambda T: T.nn.Embedding.from_pretrained(T.ones(3)),
    "eps of 0 in training": lambda T: T.nn.functional.batch_norm(
        T.ones(2, 3), None, None, training=True, eps=0.0
    ),
    "eps below 0": lambda T: T.nn.functional.batch_norm(
        T.ones(2, 3), T.zeros(3), T.ones(3), eps=-1.0
    ),
    "a mean without a variance": lambda T: T.nn.functional.batch_norm(
        T.ones(2, 3), T.zeros(3), None, training=True
    ),
    "instances of another size": lambda T: T.nn.InstanceNorm1d(3, affine=True)(T.ones(1, 2, 4)),
    "a mask of integers": lambda T: T.nn.TransformerEncoderLayer(2, 1, 2)(
        T.ones(1, 1, 2), T.ones(1, 1, dtype=T.int64)
    ),
    "slices of a vector": lambda T: at("torch.nn.utils.prune", T.__name__).ln_structured(
        T.nn.Linear(2, 2), "bias", amount=1, n=2, dim=0
    ),
    "slices of everything": lambda T: at("torch.nn.utils.prune", T.__name__).global_unstructured(
        [(T.nn.Linear(2, 2), "weight")],
        at("torch.nn.utils.prune", T.__name__).RandomStructured,
        amount=1,
    ),
    "a range that is too long": lambda T: T.arange(0, 1e30),
    "a range without an end": lambda T: T.arange(float("inf")),
    "a batch of one": lambda T: T.nn.functional.batch_norm(
        T.ones(1, 3), T.zeros(3), T.ones(3), training=True
    ),
    "pruned by a number": lambda T: at("torch.nn.utils.prune", T.__name__).global_unstructured(
        1, at("torch.nn.utils.prune", T.__name__).L1Unstructured, amount=1
    ),
    "removed, but never pruned": lambda T: at("torch.nn.utils.prune", T.__name__).remove(
        T.nn.Linear(1, 1), "weight"
    ),
    "a group that is none": lambda T: sgd(T).add_param_group([leaf(T, 1)]),
    "rates by two functions": lambda T: T.optim.lr_scheduler.LambdaLR(sgd(T), [same_, same_]),
    "resumed without a first rate": lambda T: T.optim.lr_scheduler.StepLR(sgd(T), 1, last_epoch=3),
    # Data
    "shares below 0": lambda T: T.utils.data.random_split([1, 2], [1.5, -0.5]),
}

WARNINGS: dict[str, Callable[[Any], Any]] = {
    "a copy of a tensor": lambda T: T.tensor(T.ones(1)),
    "an array that cannot be written": lambda T: T.from_numpy(np.broadcast_to(np.ones(1), (2,))),
    "softmax without dim": lambda T: T.nn.functional.softmax(T.ones(2)),
    "log_softmax without dim": lambda T: T.nn.functional.log_softmax(T.ones(2)),
    "a checkpoint without its way": lambda T: T.utils.checkpoint.checkpoint(same_, leaf(T, 1)),
    "checkpoints without their way": lambda T: T.utils.checkpoint.checkpoint_sequential(
        [same_, same_], 2, leaf(T, 1)
    ),
    "a checkpoint of what asks for none": lambda T: T.utils.checkpoint.checkpoint(
        same_, T.ones(1), use_reentrant=True
    ),
    "the older way of a Function": lambda T: function(T, forward=same_)(),
    "nothing to be initialized": lambda T: T.nn.init.kaiming_normal_(T.ones(0, 2)),
    "parameters twice": lambda T: sgd(T, x := leaf(T, 1), x),
    "a rate that is stepped too early": too_early,
    "a module's hook, and an input that asks for none": lambda T: modules_hook(
        T, T.ones(1, 2), lambda module, given, got: None
    ),
    "instances of another size": lambda T: T.nn.InstanceNorm1d(3)(T.ones(1, 2, 4)),
    "masks of two types": lambda T: T.nn.TransformerEncoderLayer(2, 1, 2)(
        T.ones(1, 1, 2), T.zeros(1, 1), T.zeros(1, 1, dtype=T.bool)
    ),
    "padding of even kernels": lambda T: T.conv1d(T.ones(1, 1, 4), T.ones(1, 1, 2), padding="same"),
    "T of a vector": lambda T: T.ones(2).T,
    "pinned memory": lambda T: [*T.utils.data.DataLoader([1.0], pin_memory=True)],
    "an empty part": lambda T: T.utils.data.random_split([1, 2], [0.9, 0.1]),
    "sizes that broadcast": lambda T: T.nn.functional.mse_loss(T.ones(2), T.ones(2, 1)),
    "grad of a result": lambda T: (leaf(T, 1) * 2).grad,
}


@pytest.mark.parametrize("mistake", ERRORS)
def test_an_error(torch: Any, mistake: str) -> None:
    with warn_always(torch):
        seen = same(torch, lambda T: heard(lambda: ERRORS[mistake](T)))
    assert "Error: " in seen["returned"][-1]


@pytest.mark.parametrize("advice", WARNINGS)
def test_a_warning(torch: Any, advice: str) -> None:
    with warn_always(torch):
        seen = same(torch, lambda T: heard(lambda: WARNINGS[advice](T)))
    assert "Warning: " in seen["returned"][0]


def itself() -> list[Any]:
    found: list[Any] = []
    found.append(found)
    return found


OWN: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a name that is nowhere": (
        lambda path: minigrad.nosuch,  # type: ignore[attr-defined]
        "AttributeError: module 'minigrad' has no attribute 'nosuch'",
    ),
    "a row that cannot be read": (
        lambda path: Schema("exp(Tensor)").refusal([1], {}),
        "ValueError: not an argument of a schema: 'Tensor'",
    ),
    "a set is saved": (
        lambda path: minigrad.save({"a": {1}}, path),
        "TypeError: minigrad saves tensors, numbers, text, and lists, tuples and dictionaries of "
        "them, not set (at 'a')",
    ),
    "a circle is saved": (
        lambda path: minigrad.save({"a": itself()}, path),
        "TypeError: minigrad saves no list that contains itself (at 'a.0')",
    ),
    "a pair as a key": (
        lambda path: minigrad.save({(1, 2): 3}, path),
        "TypeError: minigrad saves no tuple as a key",
    ),
    "longer than there are steps": (
        lambda path: minigrad.nn.utils.rnn.pack_padded_sequence(minigrad.ones(3, 2, 1), [4, 2]),
        "RuntimeError: Expected lengths of at most 3 steps, but got 4",
    ),
}


@pytest.mark.parametrize("mistake", OWN)
def test_an_error_of_its_own(mistake: str, tmp_path: Path) -> None:
    action, words = OWN[mistake]
    assert heard(lambda: action(tmp_path / "a.safetensors")) == [words]


def test_a_hook_that_is_not_kept() -> None:
    x = leaf(minigrad, 1)
    x.register_hook(same_)
    (told,) = heard(lambda: pickle.dumps(x))
    assert re.fullmatch(
        r"UserWarning: backward hook <function same_ at 0x\w+> on tensor will not be serialized.",
        told,
    )
