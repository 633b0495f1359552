"""Products, convolutions, pooling, normalisation and losses on random shapes, options and memory
layouts: value, graph, saved attributes, gradients and second order as PyTorch's.

Each family is a function that draws one call: its text, what it computes and the shapes it takes.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from tests.parity import differentiable, same, saved_text, weights_like
from tests.record import examples

Call = tuple[Callable[..., Any], list[Any]]
"""A function of the library and tensors, and the shapes (or values) of the tensors."""

DRAWS = 60


def products(draw: random.Random) -> Call:
    inner = draw.choice([0, 1, 3, 3, 3])
    batch = [draw.choice([1, 2, 3]) for _ in range(2)]

    def shape(left: bool) -> tuple[int, ...]:
        rank = draw.randrange(1, 5)
        if rank == 1:
            return (inner,)
        matrix = (draw.choice([1, 2, 4]), inner) if left else (inner, draw.choice([1, 2, 4]))
        lead = [n if draw.random() < 0.7 else 1 for n in batch[4 - rank :]]
        return (*lead, *matrix)

    return lambda T, a, b: T.matmul(a, b), [shape(True), shape(False)]


def linear_layers(draw: random.Random) -> Call:
    lead = [draw.choice([1, 2, 3]) for _ in range(draw.randrange(4))]
    shapes: list[Any] = [(*lead, 3), (4, 3)]
    if draw.random() < 0.5:
        shapes.append((4,))
    return lambda T, *args: T.nn.functional.linear(*args), shapes


def sums_and_products(draw: random.Random) -> Call:
    beta, alpha = draw.choice([(1, 1), (2, 3), (0, 1), (0.5, 2)])
    base = draw.choice([(4,), (2, 4), (1, 4), (2, 1), ()])
    return lambda T, *args: T.addmm(*args, beta=beta, alpha=alpha), [base, (2, 3), (3, 4)]


def einsums(draw: random.Random) -> Call:
    sizes = {"a": 2, "b": 3, "c": 1, "d": 2}
    count = draw.choice([1, 2, 2])  # with three, the layout of what is between them would count
    terms = ["".join(draw.choices("abcd", k=draw.randrange(1, 4))) for _ in range(count)]
    used = sorted(set("".join(terms)))
    equation = ",".join(terms)
    if draw.random() < 0.8:
        equation += "->" + "".join(draw.sample(used, draw.randrange(len(used) + 1)))
    shapes = [tuple(sizes[letter] for letter in term) for term in terms]
    return lambda T, *args: T.einsum(equation, *args), shapes


def convolutions(draw: random.Random) -> Call:
    rank, groups = draw.choice([1, 2]), draw.choice([1, 1, 2])
    kernel = [draw.choice([1, 2, 3]) for _ in range(rank)]
    stride = [draw.choice([1, 1, 2, 3]) for _ in range(rank)]
    padding: Any = [draw.choice([0, 1, 2]) for _ in range(rank)]
    dilation = [draw.choice([1, 1, 2]) for _ in range(rank)]
    if draw.random() < 0.2:
        padding, stride = "same", [1] * rank
    sizes = [draw.choice([5, 7]) for _ in range(rank)]
    lead = [] if draw.random() < 0.2 else [draw.choice([0, 1, 2])]
    channels = draw.choice([1, 2]) * groups
    shapes: list[Any] = [(*lead, 2 * groups, *sizes), (channels, 2, *kernel)]
    if draw.random() < 0.5:
        shapes.append((channels,))
    options = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
    return lambda T, *args: getattr(T.nn.functional, f"conv{rank}d")(*args, **options), shapes


def pools(draw: random.Random) -> Call:
    kernel = [draw.choice([1, 2, 3]) for _ in range(2)]
    options: dict[str, Any] = {
        "stride": draw.choice([None, 1, 2, [2, 3]]),
        "padding": [draw.randrange(length // 2 + 1) for length in kernel],
        "ceil_mode": draw.random() < 0.4,
    }
    shape = draw.choice([(2, 3, 5, 6), (3, 5, 5), (1, 1, 4, 7)])
    kind = draw.choice(["max", "avg", "adaptive"])
    if kind == "adaptive":
        size = draw.choice([1, 2, (2, 3), (None, 2), (7, 2)])
        return lambda T, a: T.nn.functional.adaptive_avg_pool2d(a, size), [shape]
    if kind == "max":
        options["dilation"] = draw.choice([1, 2])
        return lambda T, a: T.nn.functional.max_pool2d(a, kernel, **options), [shape]
    options["count_include_pad"] = draw.random() < 0.5
    return lambda T, a: T.nn.functional.avg_pool2d(a, kernel, **options), [shape]


def norms(draw: random.Random) -> Call:
    affine = draw.random() < 0.6
    if draw.random() < 0.5:
        shape = draw.choice([(4, 3), (2, 4, 3), (5, 2, 3)])
        size = draw.choice([(3,), shape[-2:]])
        shapes = [shape, size, size] if affine else [shape]
        return lambda T, a, *wb: T.nn.functional.layer_norm(a, size, *wb), shapes
    training = draw.random() < 0.6
    running = not training or draw.random() < 0.5

    def batch_norm(T: Any, a: Any, *wb: Any) -> Any:
        kind = {"dtype": T.float64}
        mean = T.tensor([0.1, 0.2, 0.3], **kind) if running else None
        var = T.tensor([1.0, 2.0, 0.5], **kind) if running else None
        return T.nn.functional.batch_norm(a, mean, var, *wb, training=training)

    shape = draw.choice([(4, 3), (2, 3, 4), (2, 3, 2, 2)])
    return batch_norm, [shape, (3,), (3,)] if affine else [shape]


def classifiers(draw: random.Random) -> Call:
    shape = draw.choice([(3,), (4, 3), (2, 3, 2), (2, 3, 2, 2), (2, 3, 1, 2, 1)])
    name = draw.choice(["nll_loss", "cross_entropy"])
    options: dict[str, Any] = {"reduction": draw.choice(["mean", "sum", "none"])}
    places = () if len(shape) == 1 else (shape[0], *shape[2:])
    target = np.random.default_rng(draw.randrange(99)).integers(0, 3, places).tolist()
    if name == "cross_entropy":
        options["label_smoothing"] = draw.choice([0.0, 0.1])
    probable = name == "cross_entropy" and draw.random() < 0.3
    if not probable:
        options["ignore_index"] = draw.choice([-100, 0, 1])
    weighted = draw.random() < 0.4

    def loss(T: Any, a: Any, *probabilities: Any) -> Any:
        weight = T.tensor([0.5, 1.0, 2.0], dtype=T.float64) if weighted else None
        wanted = probabilities[0] if probable else T.tensor(target)
        return getattr(T.nn.functional, name)(a, wanted, weight=weight, **options)

    return loss, [shape, shape] if probable else [shape]


def losses_of_pairs(draw: random.Random) -> Call:
    name = draw.choice(
        [
            "mse_loss",
            "l1_loss",
            "smooth_l1_loss",
            "kl_div",
            "binary_cross_entropy",
            "binary_cross_entropy_with_logits",
        ]
    )
    options: dict[str, Any] = {"reduction": draw.choice(["mean", "sum", "none"])}
    if name == "smooth_l1_loss":
        options["beta"] = draw.choice([1.0, 0.2, 0])
    if name == "kl_div":
        options["log_target"] = draw.random() < 0.5
        options["reduction"] = draw.choice(["mean", "sum", "none", "batchmean"])
    shape = draw.choice([(3,), (2, 3)])
    other = shape if name[0] == "b" else draw.choice([shape, shape, (1,), (3,)])
    weighted = name[0] == "b" and draw.random() < 0.4
    positive = name.endswith("logits") and draw.random() < 0.4

    def loss(T: Any, a: Any, t: Any) -> Any:
        more = {}
        if weighted:
            more["weight"] = T.full(shape, 0.7, dtype=T.float64)
        if positive:
            more["pos_weight"] = T.full((1,), 1.7, dtype=T.float64)
        return getattr(T.nn.functional, name)(a, t, **options, **more)

    return loss, [shape, other]


def linear_algebra(draw: random.Random) -> Call:
    n, batch = draw.choice([1, 2, 3]), draw.choice([(), (2,)])
    noise = np.random.default_rng(draw.randrange(99)).uniform(-1, 1, (*batch, n, n))
    matrix = noise + 3 * np.eye(n)
    name = draw.choice(["inv", "det", "solve", "norm", "vector_norm"])
    keepdim = draw.random() < 0.4
    if name == "norm":
        order = draw.choice([None, 1, -1, float("inf"), -float("inf"), "fro"])
        dims = (-2, -1) if batch else None
        return lambda T, a: T.linalg.norm(a, order, dims, keepdim), [matrix]
    if name == "vector_norm":
        return lambda T, a: T.linalg.vector_norm(a, 3, keepdim=keepdim), [matrix]
    if name == "solve":
        other = draw.choice([(n,), (*batch, n), (*batch, n, 2), (n, 2), (3, *batch, n, 2)])
        return lambda T, a, b: T.linalg.solve(a, b), [matrix, other]
    return lambda T, a: getattr(T.linalg, name)(a), [matrix]


FAMILIES = [
    products,
    linear_layers,
    sums_and_products,
    einsums,
    convolutions,
    pools,
    norms,
    classifiers,
    losses_of_pairs,
    linear_algebra,
]
# Where the layout would show only in what PyTorch itself gets wrong (weights of batch_norm) or
# refuses (gradients of nll_loss).
CONTIGUOUS = (norms, classifiers)


def leaf(T: Any, values: Any, layout: int, requires_grad: bool) -> Any:
    """A tensor of `values`; in layouts 1 to 3 its memory has gaps or another order."""

    def plain(array: Any) -> Any:
        return T.tensor(array.ravel().tolist(), dtype=T.float64).reshape(array.shape)

    if layout == 1 and values.ndim > 1:
        tensor = plain(values.swapaxes(-1, -2)).transpose(-1, -2)
    elif layout == 2 and values.ndim:
        tensor = plain(np.repeat(values, 2, axis=0))[::2]
    elif layout == 3 and values.ndim > 1:
        tensor = plain(values.swapaxes(0, 1)).transpose(0, 1)
    else:
        tensor = plain(values)
    return tensor.detach().requires_grad_(requires_grad)


def everything(T: Any, function: Any, inputs: list[Any]) -> Any:
    """Result, gradients, what is saved, and second order; or the error."""
    try:
        result = function(T, *inputs)
    except Exception as error:
        return type(error).__name__, str(error)[:40]
    outputs = differentiable(T, result)
    if not outputs:
        return result
    seeds = [weights_like(T, out, salt) for salt, out in enumerate(outputs)]
    saved = saved_text(*outputs)
    T.autograd.backward(outputs, seeds, retain_graph=True)
    leaves = [x for x in inputs if x.requires_grad]
    for seed in seeds:
        seed.requires_grad_()
    first = T.autograd.grad(outputs, leaves, seeds, create_graph=True, allow_unused=True)
    live = differentiable(T, first)
    second = []
    if live:
        again = [weights_like(T, g, salt + 3) for salt, g in enumerate(live)]
        second = T.autograd.grad(
            live, [*leaves, *seeds], again, allow_unused=True, materialize_grads=True
        )
    higher = [None if g is None else g.detach().clone() for g in (*first, *second)]
    return result, [x.grad for x in leaves], saved, higher


def run(T: Any, function: Any, drawn: list[Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return everything(T, function, [leaf(T, *one) for one in drawn])


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
@examples(number=st.integers(0, DRAWS - 1), max_examples=DRAWS)
def test_as_pytorch(torch: Any, family: Callable[[random.Random], Call], number: int) -> None:
    draw = random.Random(number)
    function, shapes = family(draw)
    generator = np.random.default_rng(number)
    values = [
        generator.uniform(0.1, 0.9, s) if isinstance(s, tuple) else np.asarray(s) for s in shapes
    ]
    layouts = [0 if family in CONTIGUOUS else draw.randrange(4) for _ in shapes]
    wanted = [draw.random() < 0.7 for _ in shapes]

    try:
        same(torch, run, function, list(zip(values, layouts, wanted, strict=True)))
    except AssertionError as error:
        error.add_note(f"draw {number}: shapes {[v.shape for v in values]}, layouts {layouts}")
        raise
