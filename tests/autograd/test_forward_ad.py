"""Forward mode against PyTorch's: tangents of every operation of the tables, and programs.

Second derivatives of a third of the operations are compared in each run, all at night.
"""

from __future__ import annotations

import re
import weakref
from typing import Any

import numpy as np
import pytest

import minigrad
from minigrad.core.modes import modes
from tests.ops.tables.families import TABLES
from tests.parity import Case, differentiable, make_inputs, same, variants, weights_like
from tests.record import answer
from tests.sampling import drawn

CASES = [
    pytest.param(c, id=f"{family}: {c}")
    for family, cases in TABLES.items()
    for c in cases
    if not c.forward_only
    and not c.name.startswith(("index_reduce", "scatter_reduce('prod'", "grid_sample"))
]
"""PyTorch has no tangents of index_reduce, products of scatter_reduce, and grid_sample."""

REFUSED_BY_PYTORCH = {
    "forward over reverse": {
        *(c.name for c in TABLES["losses"] if c.name.startswith("soft_margin_loss")),
        *("F.group_norm", "F.silu", "F.silu in place", "group_norm alone"),
        *("huber_loss", "huber_loss, none"),
        *("a.logit", "torch.logit", "torch.logit with eps"),
    },
    # It says that something it has saved was modified in place.
    "reverse over forward": {
        "F.log_softmax",
        "F.softmax",
        "F.softmin",
        "a.log_softmax(-1)",
        "a.logsumexp(0)",
        "logcumsumexp",
        "logcumsumexp(-1)",
        "special.softmax",
        "a.norm(1)",
        "a.softmax(-1)",
        "linalg.norm 1",
        "torch.logsumexp keepdim",
        *(case.name for case in TABLES["losses"] if case.name.startswith("cross_entropy")),
    },
}

INCOMPLETE_IN_PYTORCH = {
    # Without create_graph its formulas are others, which lose a part of the tangent.
    "forward over reverse": {
        "a.cumprod(0) with zeros",
        "a.prod() with two zeros",
        "linalg.det",
        "linalg.slogdet",
        "linalg.solve",
        "torch.logdet",
        "torch.slogdet",
    },
    # Its tangents are made of saved statistics and factors, which have no history.
    "reverse over forward": {
        "F.batch_norm in training",
        "F.instance_norm",
        "F.layer_norm",
        "F.layer_norm without weights",
        "a.cumprod(0) with zeros",
        "a.norm() of zeros",
        "linalg.det",
        "linalg.slogdet",
        "linalg.solve",
        "torch.logdet",
        "torch.slogdet",
    },
}
"""The cases in which two backward passes are the oracle; test_operations.py compares those with
PyTorch's."""


def moving(T: Any, case: Case, inputs: Any, dtype: str, strided: bool, grads: bool) -> list[Any]:
    """The inputs of a case, each with a tangent wherever it can have one."""
    made = make_inputs(T, case, inputs, dtype, strided)
    for place, tensor in enumerate(made):
        if isinstance(tensor, T.Tensor) and tensor.is_floating_point():
            tangent = weights_like(T, tensor, place + 1, strided)
            if grads:
                tensor.requires_grad_()
                tangent.requires_grad_()
            made[place] = T.autograd.forward_ad.make_dual(tensor, tangent)
    return made


def tangents(T: Any, result: Any) -> list[Any]:
    listed = result if isinstance(result, (tuple, list)) else [result]
    return [
        T.autograd.forward_ad.unpack_dual(out).tangent
        for out in listed
        if isinstance(out, T.Tensor) and out.is_floating_point()
    ]


@pytest.mark.sampled("PROOFS", 150)
@pytest.mark.parametrize("case", CASES)
def test_tangent(torch: Any, case: Case) -> None:
    """Of the results of every operation, recorded or not."""
    for inputs, dtype, strided in variants(case):

        def program(
            T: Any, inputs: Any = inputs, dtype: Any = dtype, strided: Any = strided
        ) -> Any:
            with T.autograd.forward_ad.dual_level(), T.no_grad():
                quiet = case.function(T, *moving(T, case, inputs, dtype, strided, False))
                found = tangents(T, quiet)
            with T.autograd.forward_ad.dual_level():
                recorded = case.function(T, *moving(T, case, inputs, dtype, strided, True))
                again = tangents(T, recorded)
            # The clone turns PyTorch's "known to be zero" tensors into ordinary ones.
            return [None if t is None else t.detach().clone() for t in (*found, *again)]

        same(torch, program)


@pytest.mark.parametrize("reduce", ["prod", "mean", "amax", "amin"])
@pytest.mark.parametrize("name", ["index_reduce", "scatter_reduce"])
def test_tangent_of_combined_elements(name: str, reduce: str) -> None:
    index = minigrad.tensor([0, 2, 0] if name == "index_reduce" else [[0, 1], [2, 2], [0, 0]])
    pair = [minigrad.rand(3, 2, dtype=minigrad.float64, requires_grad=True) for _ in range(2)]

    def program(x: Any, source: Any) -> Any:
        return getattr(x, name)(0, index, source, reduce)

    assert minigrad.autograd.gradcheck(program, pair, check_forward_ad=True)


@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
def test_tangent_of_sampled_images(mode: str, padding: str) -> None:
    images = minigrad.rand(1, 2, 3, 4, dtype=minigrad.float64, requires_grad=True)
    grid = minigrad.rand(1, 2, 2, 2, dtype=minigrad.float64, requires_grad=True)

    def program(x: Any, grid: Any) -> Any:
        return minigrad.nn.functional.grid_sample(x, grid * 1.3, mode, padding, False)

    assert minigrad.autograd.gradcheck(program, (images, grid), check_forward_ad=True)


def settled(torch: Any, case: Case, which: str, program: Any) -> None:
    """Compare `program` with PyTorch; where that has no answer, with two backward passes."""
    if case.name in REFUSED_BY_PYTORCH[which]:

        def refusal(T: Any) -> str:
            with pytest.raises((NotImplementedError, RuntimeError)) as caught:
                for variant in variants(case):
                    program(T, *variant)
            return str(caught.value).splitlines()[0]

        assert re.search("forward AD|modified by an", answer(torch, refusal))
    elif case.name in INCOMPLETE_IN_PYTORCH[which]:
        with pytest.raises(AssertionError):
            for variant in variants(case):
                same(torch, program, *variant)
    else:
        for variant in variants(case):
            same(torch, program, *variant)
        return
    for variant in variants(case):
        for mine, theirs in zip(
            program(minigrad, *variant), two_passes(minigrad, case, *variant), strict=False
        ):
            tolerance = {"float16": 2e-2, "float32": 1e-4}.get(variant[1], 1e-8)
            np.testing.assert_allclose(mine.numpy(), theirs.numpy(), tolerance, tolerance)


def two_passes(T: Any, case: Case, inputs: Any, dtype: str, strided: bool) -> list[Any]:
    """The product of the second derivative and the tangents that `moving` gives."""
    made = make_inputs(T, case, inputs, dtype, strided)
    vectors = {
        place: weights_like(T, x, place + 1, strided)
        for place, x in enumerate(made)
        if isinstance(x, T.Tensor) and x.is_floating_point()
    }
    sources = [made[place].requires_grad_() for place in vectors]
    outputs = differentiable(T, case.function(T, *made))
    seeds = [weights_like(T, out, salt, strided) for salt, out in enumerate(outputs)]
    grads = T.autograd.grad(outputs, sources, seeds, create_graph=True, allow_unused=True)
    pairs = [
        (g, v)
        for g, v in zip(grads, vectors.values(), strict=True)
        if g is not None and g.requires_grad
    ]
    return list(
        T.autograd.grad(
            [g for g, _ in pairs],
            sources,
            [v for _, v in pairs],
            allow_unused=True,
            materialize_grads=True,
        )
    )


def numbers(T: Any, found: Any) -> list[Any]:
    """Whether a tangent of zeros is there at all differs from formula to formula."""
    still = [t is None or bool((t.abs() <= 1e-12).all()) for t in found]
    return [T.zeros(()) if no else t.detach() for no, t in zip(still, found, strict=True)]


@pytest.mark.parametrize("case", drawn("PROOFS", "forward over reverse", CASES))
def test_forward_over_reverse(torch: Any, case: Case) -> None:
    """The tangents of gradients: duals through a backward pass, recorded or not."""

    def program(T: Any, inputs: Any, dtype: Any, strided: Any) -> Any:
        found: list[Any] = []
        for create_graph in (False, True):
            with T.autograd.forward_ad.dual_level():
                made = moving(T, case, inputs, dtype, strided, True)
                sources = [x for x in made if isinstance(x, T.Tensor) and x.requires_grad]
                outputs = differentiable(T, case.function(T, *made))
                seeds = [weights_like(T, out, salt, strided) for salt, out in enumerate(outputs)]
                how = {"create_graph": create_graph, "allow_unused": True}
                found += tangents(T, T.autograd.grad(outputs, sources, seeds, **how))
        return numbers(T, found)

    settled(torch, case, "forward over reverse", program)


@pytest.mark.parametrize("case", drawn("PROOFS", "reverse over forward", CASES))
def test_reverse_over_forward(torch: Any, case: Case) -> None:
    """The gradients of tangents, with respect to values and tangents of the inputs."""

    def program(T: Any, inputs: Any, dtype: Any, strided: Any) -> Any:
        with T.autograd.forward_ad.dual_level():
            made = moving(T, case, inputs, dtype, strided, True)
            sources = [x for x in made if isinstance(x, T.Tensor) and x.requires_grad]
            sources += tangents(T, sources)
            outputs = tangents(T, case.function(T, *made))
            live = [t for t in outputs if t is not None and t.requires_grad]
            if not live:
                return []
            seeds = [weights_like(T, out, salt, strided) for salt, out in enumerate(live)]
            how = {"allow_unused": True, "materialize_grads": True}
            grads = T.autograd.grad(live, sources, seeds, **how)
            return numbers(T, [T.autograd.forward_ad.unpack_dual(g).primal for g in grads])

    settled(torch, case, "reverse over forward", program)


# --- Programs


def value_and_tangent(T: Any) -> Any:
    """Describe a dual tensor, and its parts after unpacking."""
    fw = T.autograd.forward_ad
    x, v = T.tensor([1.0, 2.0, 3.0]), T.tensor([1.0, 0.0, 2.0])
    print(fw.unpack_dual(x))
    with fw.dual_level() as level:
        d = fw.make_dual(x, v)
        print(level, d, d * d, fw.unpack_dual(d), fw.unpack_dual(x))
        print(fw.unpack_dual(d).tangent is v, d._is_view(), d._base is x)
        print(d[1], d.double(), d.long(), d == 1, d.sign(), d.argmax())
        print(T.ones(2, 2) * d[0], d.sort(), d.max(0), T.tensor([1, 2, 3]) * d)
        print(
            d.detach(), d.data, d.clone(), d.clone().detach_(), T.zeros_like(d), T.nn.Parameter(d)
        )
        with T.no_grad():
            print(d * 2)
        with T.inference_mode():
            print(d * 2)
        kept = d * d
    print(d, kept, fw.unpack_dual(d), kept * 2)
    with fw.dual_level():
        print(d, kept)


def that_requires_grad(T: Any) -> Any:
    fw = T.autograd.forward_ad
    x, v = T.tensor([1.0, 2.0, 3.0], requires_grad=True), T.tensor([1.0, 0.0, 2.0])
    with fw.dual_level():
        d = fw.make_dual(x, v)
        print(d, d.is_leaf, fw.unpack_dual(d), d * d)
        print(fw.make_dual(v, x), T.ones(3).mul(d).requires_grad)
        y = (d**3).sum()
        print(T.autograd.grad(y, d, retain_graph=True), T.autograd.grad(y, x, retain_graph=True))
        (g,) = T.autograd.grad(y, x, create_graph=True)
        print(fw.unpack_dual(g).primal.detach(), fw.unpack_dual(g).tangent.detach())
        y.backward()
        print(x.grad)
        first = x.grad
        (d**3).sum().backward()
        print(x.grad, x.grad is first)
    return x.grad


def in_place(T: Any) -> Any:
    fw = T.autograd.forward_ad
    with fw.dual_level():
        d = fw.make_dual(T.tensor([1.0, 2.0, 3.0]), T.tensor([1.0, 0.0, 2.0]))
        q = T.ones(3)
        early = q[1:]
        q.mul_(d)
        print(q, early, d)
        q.add_(1)
        q[0] = 5.0
        print(q, early, q.exp_(), early)
        q.fill_(2)
        print(q, q.zero_())
        p = T.zeros(3)
        part = p[1:]
        part.copy_(d[:2])
        print(p, part, p[0])
        p[0] = d[2]
        print(p, part)
        w = T.ones(3, 3) * d
        w.t_()
        w[1].mul_(d)
        print(w, w.T)
        w.normal_()
        print(fw.unpack_dual(w).tangent)
        view = d[:2]
        view.mul_(3)
        print(d, view)
        y = d + 1
        y.mul_(d)
        print(y, d)


def in_place_of_what_requires_grad(T: Any) -> Any:
    fw = T.autograd.forward_ad
    x = T.tensor([0.5, 2.0, 3.0], requires_grad=True)
    v = T.tensor([1.0, 4.0, 2.0], requires_grad=True)
    with fw.dual_level():
        y = fw.make_dual(x, v) * 1
        y[1:].mul_(y[:2].clone())
        y.sin_().mul_(y.clone())
        tangent = fw.unpack_dual(y).tangent
        again = T.autograd.grad(tangent.sum(), [x, v], retain_graph=True)
        return tangent.detach(), [fw.unpack_dual(g).primal.detach() for g in again]


def views(T: Any) -> Any:
    fw = T.autograd.forward_ad
    with fw.dual_level():
        d = fw.make_dual(T.arange(6.0).reshape(2, 3), T.ones(3, 2).cumsum(0).T)
        shapes = [
            d.T,
            d.reshape(-1),
            d.T.reshape(-1)[::2],
            d[:, ::2],
            d.unsqueeze(0),
            d.expand(2, 2, 3),
            d.flip(0),
        ]
        pieces = [*d.split(2, 1), *d.split(3, 1), *d.unbind(), *d.chunk(2)]
        return [fw.unpack_dual(out).tangent for out in (*shapes, *pieces, d.as_strided((2,), (2,)))]


def a_network(T: Any) -> Any:
    """The slope of a loss along one direction, and how it changes the gradient."""
    fw = T.autograd.forward_ad
    T.manual_seed(0)
    net = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Tanh(), T.nn.Linear(4, 2))
    x, target = T.randn(5, 3), T.tensor([0, 1, 1, 0, 1])
    vectors = [T.randn(p.shape) for p in net.parameters()]
    with fw.dual_level():
        duals = [fw.make_dual(p, v) for p, v in zip(net.parameters(), vectors, strict=True)]
        a, b, c, d = duals
        loss = T.nn.functional.cross_entropy(T.tanh(x @ a.T + b) @ c.T + d, target)
        grads = T.autograd.grad(loss, duals)
        curved = [fw.unpack_dual(g).tangent for g in grads]
        slope = fw.unpack_dual(loss).tangent.detach()
    loss = T.nn.functional.cross_entropy(net(x), target)
    plain = T.autograd.grad(loss, list(net.parameters()))
    return slope, sum((g * v).sum() for g, v in zip(plain, vectors, strict=True)), curved


def functions(T: Any) -> Any:
    fw = T.autograd.forward_ad

    class Scaled(T.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, factor: Any, y: Any) -> Any:
            ctx.save_for_forward(x, y)
            ctx.save_for_backward(x)
            ctx.factor = factor
            return x * factor, x * y

        @staticmethod
        def jvp(ctx: Any, x_t: Any, factor_t: Any, y_t: Any) -> Any:
            print(x_t, factor_t, y_t, T.is_grad_enabled())
            x, y = ctx.saved_tensors
            return x_t * ctx.factor, x_t * y + x * y_t

        @staticmethod
        def backward(ctx: Any, g: Any, h: Any) -> Any:
            print(ctx.saved_tensors)
            return g * ctx.factor, None, h * ctx.saved_tensors[0]

    x = T.tensor([1.0, 2.0])
    with fw.dual_level():
        d = fw.make_dual(x, T.tensor([3.0, 4.0]))
        print(Scaled.apply(d, 2.0, x), Scaled.apply(x, 2.0, d), Scaled.apply(d, 3, d))
        print(Scaled.apply(x, 2.0, x))
        with T.no_grad():
            print(Scaled.apply(d, 2.0, x))
    y = T.ones(2, requires_grad=True)
    out, _ = Scaled.apply(y, 2.0, x)
    out.sum().backward()
    return y.grad


def saved_for_backward_alone(T: Any) -> Any:
    """`jvp` reads only the tensors saved for it."""
    fw = T.autograd.forward_ad

    class Copy(T.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x.clone()

        @staticmethod
        def jvp(ctx: Any, tangent: Any) -> Any:
            print(ctx.saved_tensors)
            return tangent

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * ctx.saved_tensors[0]

    x = T.tensor([3.0], requires_grad=True)
    with fw.dual_level():
        out = Copy.apply(fw.make_dual(x, T.ones(1)))
    out.backward()
    return x.grad


def jvps(T: Any) -> Any:
    """A `jvp` may return values of several kinds."""
    fw = T.autograd.forward_ad
    x = T.tensor([1.0, 2.0])

    def attempt(jvp: Any, forward: Any, *others: Any) -> None:
        contents = {"forward": staticmethod(forward), "jvp": staticmethod(jvp)}
        F = type("F", (T.autograd.Function,), contents)
        with fw.dual_level():
            d = fw.make_dual(T.tensor([1.0, 2.0]), T.tensor([3.0, 4.0]))
            try:
                print(F.apply(d, *others), d)
            except Exception as error:
                print(type(error).__name__, str(error).splitlines()[0])

    def twice(ctx: Any, x: Any) -> Any:
        return x * 2

    def both(ctx: Any, x: Any, y: Any) -> Any:
        return x * y, x + y

    def dirty(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(x)
        return x.mul_(2)

    def unmaterialized(ctx: Any, x: Any, y: Any) -> Any:
        ctx.set_materialize_grads(False)
        return x * y

    def partly(ctx: Any, x: Any, y: Any) -> Any:
        out = x * y
        ctx.mark_non_differentiable(out)
        return out, x * 2

    attempt(lambda ctx, t: t * 2, twice)
    attempt(lambda ctx, t: T.ones(3), twice)
    attempt(lambda ctx, t: 1.0, twice)
    attempt(lambda ctx, t: (t, t), twice)
    attempt(lambda ctx, t, s: t, both, x)
    attempt(lambda ctx, t, s: (t, None), lambda ctx, x, y: (x * y, x.long()), x)
    attempt(lambda ctx, t, s: (t, s), both, x)
    attempt(lambda ctx, t, s: (t, s), partly, x)
    attempt(lambda ctx, t: t.mul_(2), dirty)
    attempt(lambda ctx, t: t * 2, dirty)
    attempt(lambda ctx, t: t.mul_(2) * 1, dirty)
    attempt(lambda ctx, t: (t * 1).add_(1), dirty)
    attempt(lambda ctx, t: t.mul_(2).view(2), dirty)
    attempt(lambda ctx, t: t, lambda ctx, x: x)
    attempt(lambda ctx, t: t.view_as(t), lambda ctx, x: x.view_as(x))
    attempt(lambda ctx, t: t * 1, lambda ctx, x: x.view_as(x))
    attempt(lambda ctx, t, s: print(s) or t, unmaterialized, x)
    attempt(T.autograd.Function.jvp, twice)


def refusals(T: Any) -> Any:
    fw = T.autograd.forward_ad
    x, v = T.tensor([1.0, 2.0]), T.tensor([3.0, 4.0])

    def attempt(action: Any) -> None:
        try:
            print(action())
        except Exception as error:
            print(type(error).__name__, str(error).splitlines()[0])

    attempt(lambda: fw.make_dual(x, v))
    attempt(fw.exit_dual_level)
    fw.enter_dual_level()
    attempt(fw.enter_dual_level)
    d = fw.make_dual(x, v)
    attempt(lambda: fw.make_dual(x.long(), v))
    attempt(lambda: fw.make_dual(x, v.long()))
    attempt(lambda: fw.make_dual(x, T.ones(3)))
    attempt(lambda: fw.make_dual(x, T.ones(1, 2)))
    attempt(lambda: fw.make_dual(x, 1.0))
    attempt(lambda: fw.make_dual(1.0, v))
    attempt(lambda: fw.make_dual(d, v))
    attempt(lambda: fw.make_dual(x, d))
    attempt(lambda: fw.make_dual(x, v, level=1))
    attempt(lambda: fw.make_dual(x, v, level=-1))
    attempt(lambda: fw.make_dual(x, v, level=0))
    attempt(lambda: fw.unpack_dual(d, level=1))
    attempt(lambda: fw.unpack_dual(2.0))
    attempt(lambda: d // 2)
    attempt(lambda: 5 // d)
    attempt(lambda: T.div(d, 2, rounding_mode="floor"))
    attempt(lambda: fw.exit_dual_level(level=3))
    attempt(lambda: fw.exit_dual_level(level=0))
    attempt(lambda: fw.make_dual(x, v))

    @fw.dual_level()
    def decorated() -> Any:
        return fw.unpack_dual(fw.make_dual(x, v).exp()).tangent

    return decorated()


def modules_and_checkpoints(T: Any) -> Any:
    """A parameter is replaced by a dual; what is recomputed has its tangents again."""
    fw = T.autograd.forward_ad
    T.manual_seed(0)
    layer, x = T.nn.Linear(3, 2), T.randn(4, 3)
    weight = layer.weight
    del layer.weight
    checkpoint = T.utils.checkpoint.checkpoint
    found = []
    with fw.dual_level():
        layer.weight = fw.make_dual(weight, T.ones(2, 3))
        for reentrant in (False, True):
            out = checkpoint(lambda x: layer(x).tanh().sum(), x, use_reentrant=reentrant)
            found.append(fw.unpack_dual(out).tangent)
        d = fw.make_dual(T.tensor([1.5, 2.5, 3.0]), T.tensor([1.0, 2.0, 0.5]))
        filled, where = T.zeros(3), T.tensor([True, False, True])
        filled[where] = d[:2]
        filled.index_add_(0, T.tensor([1, 1]), d[1:])
        print(filled, d[where], T.where(where, d, 0.0), d.clone().masked_fill_(where, 7.0))
        print(T.nn.functional.dropout(d, 0.0), T.einsum("i,j->ij", d, d), T.linalg.norm(d), d.std())
        q = T.ones(2, 3, requires_grad=True) * 1
        q[0] = d
        q[1].add_(d)
        q.unsqueeze_(0).squeeze_(0).t_()
        print(fw.unpack_dual(q).tangent, T.autograd.grad(q.sum(), q))
    return [t if t is None else t.detach() for t in found]


def what_was_kept(T: Any) -> Any:
    """A backward pass finds the tangents of what a node has kept: outputs of a user's function,
    what hooks have packed, and what a checkpoint computes again."""
    fw = T.autograd.forward_ad

    class Exp(T.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            out = x.exp()
            ctx.save_for_backward(out)
            return out

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * ctx.saved_tensors[0]

        @staticmethod
        def jvp(ctx: Any, t: Any) -> Any:
            return t * factor

    class Square(Exp):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return 2 * g * ctx.saved_tensors[0]

    def again(x: Any) -> Any:
        return T.utils.checkpoint.checkpoint(lambda x: x.exp() * x, x, use_reentrant=False)

    factor = 5.0
    x, v = T.tensor([1.0, 2.0], requires_grad=True), T.tensor([1.0, 3.0])
    hooks = T.autograd.graph.saved_tensors_hooks(lambda x: x.numpy(force=True), T.from_numpy)
    found = []
    for function in (Exp.apply, Square.apply, again, lambda x: x.exp() * x, T.tanh):
        for packing in (False, True):
            with fw.dual_level():
                d = fw.make_dual(x, v)
                if packing:
                    with hooks:
                        y = function(d)
                else:
                    y = function(d)
                found += T.autograd.grad(y.sum(), d)
                found[-1] = fw.unpack_dual(found[-1]).tangent
    return found


def printed(T: Any) -> Any:
    """The tangent stands behind all else, and a number without brackets."""
    fw = T.autograd.forward_ad
    with fw.dual_level():
        for shape in ((), (0,), (2,), (3, 3), (2, 2, 2)):
            ones = T.ones(shape, requires_grad=True)
            d = fw.make_dual(ones, T.full(shape, 0.5))
            print(d, d.exp(), fw.make_dual(T.ones(shape, dtype=T.float64), ones), sep="\n")
            print(f"{d}")


def tangents_turned_off(T: Any) -> Any:
    fw = T.autograd.forward_ad
    with fw.dual_level():
        x = fw.make_dual(T.ones(2), T.ones(2) * 3)
        with fw._set_fwd_grad_enabled(False):
            y = x * 2
            seen = [fw._is_fwd_grad_enabled(), fw.unpack_dual(x).tangent, fw.unpack_dual(y).tangent]
        seen += [fw._is_fwd_grad_enabled(), fw.unpack_dual(y).tangent]
        return [*seen, fw.unpack_dual(x).tangent, fw.unpack_dual(x * 2).tangent]


PROGRAMS = [
    tangents_turned_off,
    value_and_tangent,
    that_requires_grad,
    in_place,
    in_place_of_what_requires_grad,
    views,
    a_network,
    functions,
    saved_for_backward_alone,
    jvps,
    refusals,
    modules_and_checkpoints,
    what_was_kept,
    printed,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(torch: Any, program: Any) -> None:
    same(torch, program)


# --- What only minigrad can show


def test_a_tensor_multiplied_by_itself_in_place() -> None:
    """PyTorch counts it twice: it reads the other factor when that has been written."""
    fw = minigrad.autograd.forward_ad
    with fw.dual_level():
        y = fw.make_dual(minigrad.tensor([3.0]), minigrad.tensor([1.0])) * 4
        y.mul_(y)
        assert fw.unpack_dual(y).tangent.tolist() == [2 * 12 * 4]


def test_a_level_ends_with_its_tensors() -> None:
    """Nothing keeps a dual alive but its user, and a level that is over is not asked."""
    fw = minigrad.autograd.forward_ad
    with fw.dual_level():
        d = fw.make_dual(minigrad.ones(2), minigrad.ones(2))
        gone = weakref.ref(d * 2)
        assert gone() is None
        kept = d.exp()
    assert kept._tangent is None
    assert d._tangent is None
    assert modes.level is None
    assert modes.watch is None


def test_level_and_recorder_see_same_operations() -> None:
    """In either order; a recorder sees what leaves a node, and no tangent's own operations."""
    fw, record = minigrad.autograd.forward_ad, minigrad.autograd.record
    x = minigrad.tensor([1.0, 2.0], requires_grad=True)

    def computed() -> Any:
        d = fw.make_dual(x, minigrad.tensor([1.0, 1.0]))
        return fw.unpack_dual((d * 2).exp() * minigrad.ones(2)).tangent.detach()

    with record(forward=True) as outer, fw.dual_level():
        first = computed()
    with fw.dual_level(), record(forward=True) as inner:
        second = computed()
    with fw.dual_level(), record():
        third = computed()
    assert first.tolist() == second.tolist() == third.tolist()
    names = ["ViewBackward0", "MulBackward0", "ExpBackward0", "MulBackward0"]
    for trace in (outer, inner):
        assert [event.node.name() for event in trace if type(event).__name__ == "Forward"] == names


def test_hooks_see_the_tangents_of_gradients(torch: Any) -> None:
    def program(T: Any) -> Any:
        fw = T.autograd.forward_ad
        x = T.tensor([1.0, 2.0], requires_grad=True)
        with fw.dual_level():
            d = fw.make_dual(x, T.tensor([1.0, 3.0]))
            y = d.exp()
            y.register_hook(lambda g: print(fw.unpack_dual(g)) or g * 2)
            y.retain_grad()
            (y * y).sum().backward()
            print(y.grad, x.grad)

    same(torch, program)


def test_a_whole_view_shares_its_tangent(torch: Any) -> None:
    def program(T: Any) -> Any:
        fw, base = T.autograd.forward_ad, T.zeros(2, 1, 2)
        views = {"whole": base.view_as(base), "flat": base.view(4), "squeezed": base.squeeze(1)}
        x = T.arange(4.0).reshape(2, 1, 2)
        for name, view in views.items():
            with fw.dual_level():
                view.copy_(fw.make_dual(x, x + 1).view_as(view))
                tangents = [fw.unpack_dual(each)[1] for each in (view, base)]
                print(name, tangents[0] is tangents[1], tangents[0]._is_view())
                base.mul_(3)
                print(*[fw.unpack_dual(each)[1] for each in views.values()])

    same(torch, program)


@pytest.mark.parametrize("returns_it_as_is", [True, False])
@pytest.mark.parametrize("requires_grad", [True, False])
@pytest.mark.parametrize("how", ["times one", "cloned", "itself"])
def test_a_function_that_writes_to_a_dual(
    torch: Any, returns_it_as_is: bool, requires_grad: bool, how: str
) -> None:
    def program(T: Any) -> Any:
        fw = T.autograd.forward_ad

        class Double(T.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                ctx.mark_dirty(x)
                return x.mul_(2)

            @staticmethod
            def backward(ctx: Any, g: Any) -> Any:
                return g * 2

            @staticmethod
            def jvp(ctx: Any, tangent: Any) -> Any:
                return tangent.mul_(2) if returns_it_as_is else tangent * 2

        x = T.ones(3, requires_grad=requires_grad)
        with fw.dual_level():
            d = fw.make_dual(x, T.full((3,), 5.0))
            d = {"times one": d * 1, "cloned": d.clone(), "itself": d}[how]
            try:
                y = Double.apply(d)
            except RuntimeError as error:
                return str(error)
            parts = [*fw.unpack_dual(y), *fw.unpack_dual(d)]
            return [part.tolist() for part in parts], y is d, y.requires_grad

    same(torch, program)
