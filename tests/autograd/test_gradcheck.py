"""Differences prove the gradients of operations, and gradients of gradients: a third of the
operations in each run, all at night. tests/ops/test_operations.py asks PyTorch for all.

Also the checkers themselves: they agree with PyTorch's about what passes and what they say of what
does not, and a wrong gradient does not get through.
"""

from __future__ import annotations

import importlib
import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minigrad as mg
import minigrad.autograd.forward_ad
import minigrad.nn.utils.parametrizations
from minigrad.core.operation import Operation
from tests.ops.tables.families import TABLES
from tests.parity import (
    Case,
    caught,
    differentiable,
    make_inputs,
    node_name,
    nodes_of,
    same,
)
from tests.record import answer
from tests.sampling import drawn

CHECKED = [
    pytest.param(c, id=f"{family}: {c}")
    for family, cases in TABLES.items()
    for c in cases
    if c.gradcheck and not c.forward_only
]


def checkable(case: Case, inputs: Any, strided: bool) -> tuple[Any, list[Any]]:
    """The function of a case on its differentiable inputs alone, and those inputs."""
    made = make_inputs(mg, case, inputs, "float64", strided)
    places = [
        place
        for place, tensor in enumerate(made)
        if isinstance(tensor, mg.Tensor) and tensor.is_floating_point()
    ]
    for place in places:
        made[place].requires_grad_()

    def function(*given: Any) -> Any:
        arguments = [*made]
        for place, tensor in zip(places, given, strict=True):
            arguments[place] = tensor
        result = case.function(mg, *arguments)
        return differentiable(mg, result)

    return function, [made[place] for place in places]


@pytest.mark.sampled("PROOFS", 80)
@pytest.mark.parametrize("case", drawn("PROOFS", "first", CHECKED))
def test_first_derivative(case: Case) -> None:
    for inputs in case.shapes:
        for strided in (False, True):
            assert mg.autograd.gradcheck(*checkable(case, inputs, strided))


@pytest.mark.sampled("PROOFS", 80)
@pytest.mark.parametrize("case", drawn("PROOFS", "second", CHECKED))
def test_second_derivative(case: Case) -> None:
    for inputs in case.shapes:
        assert mg.autograd.gradgradcheck(*checkable(case, inputs, strided=False))


@pytest.mark.parametrize("case", drawn("PROOFS", "arrays", CHECKED))
def test_formulas_agree_on_arrays_and_tensors(case: Case) -> None:
    """One formula, run on arrays and, under create_graph, on tensors."""

    def gradients(create_graph: bool) -> list[Any]:
        outputs = function(*sources)
        seeds = [mg.ones_like(out.detach()) * 1.5 for out in outputs]
        found = mg.autograd.grad(
            outputs, sources, seeds, create_graph=create_graph, allow_unused=True
        )
        return [None if g is None else g.detach().tolist() for g in found]

    for inputs in case.shapes:
        function, sources = checkable(case, inputs, strided=False)
        arrays, tensors = gradients(False), gradients(True)
        if case.name.startswith("cross_entropy"):  # on arrays in one step, which rounds once less
            np.testing.assert_allclose(arrays, tensors, rtol=1e-14, atol=1e-16)
        else:
            assert arrays == tensors


def test_no_operation_is_left_out() -> None:
    """Each kind of node that the package can make is made by some case of the tables: by its
    operation, or by the derivatives of it that are checked."""
    made: set[str] = set()
    every = [(param.values[0], inputs) for param in CHECKED for inputs in param.values[0].shapes]
    for case, inputs in every:
        function, sources = checkable(case, inputs, strided=False)
        outputs = function(*sources)
        made |= kinds_of(outputs)
        seeds = [mg.ones_like(out.detach()).requires_grad_() for out in outputs]
        first = mg.autograd.grad(outputs, sources, seeds, create_graph=True, allow_unused=True)
        outputs = differentiable(mg, first)
        made |= kinds_of(outputs)
        if outputs:
            seeds = [mg.ones_like(out.detach()) for out in outputs]
            again = mg.autograd.grad(outputs, sources, seeds, create_graph=True, allow_unused=True)
            made |= kinds_of(differentiable(mg, again))
    # In-place random numbers (tensors/random_fills.py) have a gradient of zero. Gamma's draws have
    # one of their own, which tests/test_distributions.py compares.
    apart = "random_fills", "distributions.gamma"
    kinds = {k.__name__ for k in operations(Operation) if not k.__module__.endswith(apart)}
    assert sorted(kinds - made - STEPS - WRITES - OTHERS) == []
    derived_from = {k.__name__ for kind in operations(Operation) for k in kind.__mro__}
    assert sorted((STEPS | WRITES | OTHERS) - kinds - derived_from) == []


STEPS = {
    *("SgnBackward0", "FloorBackward0", "CeilBackward0", "TruncBackward0"),
    *("RoundBackward0", "RoundBackward1"),
}
"""Their gradient is zero and their values jump: there is nothing to check by differences."""

WRITES = {
    *("CopyOfItself", "FillBackward2", "FillBackward3", "ZeroBackward0"),
    *(f"{sign}Backward{n}" for sign in ("Eq", "Ne", "Lt", "Le", "Gt", "Ge") for n in (0, 1)),
    *("EluBackward1", "LeakyReluBackward1", "SqueezeBackward3", "SqueezeBackward5", "TBackward1"),
    *("CeluBackward1", "PolygammaBackward1", "RreluWithNoiseBackward1", "ThresholdBackward1"),
    *("AsStridedBackward1", "TransposeBackward1", "UnsqueezeBackward1"),
    *("AcoshBackward1", "AsinhBackward1", "AtanhBackward1"),  # PyTorch has no gradient of them
}
"""Made by in-place operations alone: test_inplace.py compares their graphs and gradients."""

OTHERS = {
    "ScatterCombined",  # scatter(reduce=), which has no derivative in PyTorch
    # Made by modules: tests/nn/test_recurrent.py and test_transformer.py compare them.
    *("PackPaddedSequenceBackward0", "PackPaddedSequenceBackwardBackward0"),
    "SafeSoftmaxBackward0",
    "UnsafeSplitWithSizesBackward0",  # of nothing: among the odd inputs
    "NanToNumBackward0",  # near an infinity there are no differences
    "LinalgPinvBackward0",  # tests/ops/test_conditioning.py checks it
    "ToCopyBackward0",  # into another type, so never within float64
    "SetBackward",
    *("NotImplementedBackward", "Error"),  # refuse to be differentiated
    *("Unique2Backward0", "UniqueConsecutiveBackward0", "UniqueDimBackward0"),  # so do these
    "CdistBackward0",  # no second derivative in PyTorch: test_distances_and_counts.py
    *("PdistBackward0", "PdistBackwardBackward0"),  # nor here: tests/nn/test_pdist.py
    *("CtcLossBackward0", "CtcLossBackwardBackward0"),  # so too: tests/nn/test_alignment.py
    "WeightNormInterfaceBackward0",  # tests/nn/test_weight_norm.py
    # No second derivative in PyTorch: tests/nn/test_class_margins.py.
    *("MultiMarginLossBackward0", "MultiMarginGradient"),
    *("MultilabelMarginLossBackward0", "MultilabelMarginGradient"),
    # Their signs are a choice, so functions of them are checked: tests/ops/test_factorizations.py.
    *("LinalgCholeskyExBackward0", "LinalgEighBackward0", "LinalgQrBackward0"),
    "LinalgSvdBackward0",
    # tests/nn/test_bags.py; PyTorch has no second derivative of them.
    *("EmbeddingBagBackward0", "EmbeddingBagBackwardBackward0", "PerSampleWeights"),
    "DistBackward0",  # test_arranging.py: its second derivative has another graph in PyTorch
    "CholeskyBackward0",  # test_factorizations.py
    # Of images in three dimensions: tests/ops/test_resizing.py.
    *("UpsampleNearest3DBackward0", "UpsampleNearest3DBackwardBackward0"),
    *(
        f"Upsample{kind}{back}Backward0"
        for kind in (
            *("NearestExact1D", "NearestExact2D", "NearestExact3D", "Bicubic2D", "Bicubic2DAa"),
            "Bilinear2DAa",
        )
        for back in ("", "Backward")
    ),
    *("UpsampleTrilinear3DBackward0", "UpsampleTrilinear3DBackwardBackward0"),
    # tests/nn/test_activations.py; hardsigmoid has no second derivative in PyTorch.
    *("CeluBackward0", "HardsigmoidBackward0", "MishBackward0", "ThresholdBackward0"),
    *(
        f"{name}{back}Backward0"
        for name in ("Glu", "Hardshrink", "Hardswish", "RreluWithNoise", "Softshrink")
        for back in ("", "Backward")
    ),
    "PreluKernelBackward0",
    "Identity",  # the values of a dual tensor: test_forward_ad.py
}


def kinds_of(outputs: Any) -> set[str]:
    """The names of all nodes behind `outputs`."""
    return {node_name(n) for n in nodes_of([(out.grad_fn, 0) for out in outputs])}


def operations(kind: type[Any]) -> list[type[Any]]:
    """The kinds of operations, without those that are only there to be derived from."""
    below = kind.__subclasses__()
    return [kind] if not below else [found for one in below for found in operations(one)]


# --- What the checkers say


def function(T: Any, forward: Any, backward: Any) -> Any:
    members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type("Mine", (T.autograd.Function,), members).apply


def saving(ctx: Any, x: Any) -> Any:
    ctx.save_for_backward(x)
    return x * x


def tripled(T: Any) -> Any:
    """x² with the gradient of 1.5 x²."""
    return function(T, saving, lambda ctx, g: g * 3 * ctx.saved_tensors[0])


def cut_off(T: Any) -> Any:
    """x² with a gradient that is right and cannot be differentiated."""
    return function(T, saving, lambda ctx, g: g * 2 * ctx.saved_tensors[0].detach())


def one(T: Any, *shape: int) -> Any:
    T.manual_seed(1)
    return T.rand(*(shape or (2,)), dtype=T.float64).add_(0.5).requires_grad_()


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "one input": lambda T: T.autograd.gradcheck(lambda a: a * 2, one(T)),
    "two inputs": lambda T: T.autograd.gradcheck(lambda a, b: a * b, (one(T), one(T))),
    "a list": lambda T: T.autograd.gradcheck(lambda a, b: a * b, [one(T), one(T)]),
    "a number among them": lambda T: T.autograd.gradcheck(lambda a, k: a * k, (one(T), 3.0)),
    "one that requires no grad": lambda T: T.autograd.gradcheck(
        lambda a, b: a * b, (one(T), one(T).detach())
    ),
    "an unused input": lambda T: T.autograd.gradcheck(lambda a, b: a * 2, (one(T), one(T))),
    "several outputs": lambda T: T.autograd.gradcheck(lambda a: (a * 2, a.exp()), one(T)),
    "an output without gradient": lambda T: T.autograd.gradcheck(
        lambda a: (a * 2, (a > 0).long()), one(T)
    ),
    "only integers come out": lambda T: T.autograd.gradcheck(lambda a: (a > 0).long(), one(T)),
    "a single number": lambda T: T.autograd.gradcheck(
        lambda a: a.exp(), one(T)[0].detach().requires_grad_()
    ),
    "nothing": lambda T: T.autograd.gradcheck(lambda a: a.exp(), one(T, 0)),
    "in place": lambda T: T.autograd.gradcheck(lambda a: (a * 1).mul_(2), one(T)),
    "fast": lambda T: T.autograd.gradcheck(
        lambda a, b: a @ b, (one(T, 2, 3), one(T, 3)), fast_mode=True
    ),
    "second": lambda T: T.autograd.gradgradcheck(lambda a: a**3, one(T)),
    "second, given start": lambda T: T.autograd.gradgradcheck(lambda a: a**3, one(T), one(T)),
    "second, start with gaps": lambda T: T.autograd.gradgradcheck(
        lambda a: a**3, one(T), gen_non_contig_grad_outputs=True
    ),
    "second, wrong, start with gaps": lambda T: caught(
        lambda: T.autograd.gradgradcheck(cut_off(T), one(T), gen_non_contig_grad_outputs=True),
        "Jacobian mismatch for output 0 with respect to input 0",
    ),
    "second, linear": lambda T: T.autograd.gradgradcheck(lambda a: a * 2, one(T)),
    "wrong, answered": lambda T: T.autograd.gradcheck(tripled(T), one(T), raise_exception=False),
    "wrong, raised": lambda T: caught(
        lambda: T.autograd.gradcheck(tripled(T), one(T)),
        "Jacobian mismatch for output 0 with respect to input 0,\nnumerical:tensor([[",
        "\nanalytical:tensor([[",
    ),
    "wrong in the second input": lambda T: caught(
        lambda: T.autograd.gradcheck(lambda a, b: a + tripled(T)(b), (one(T), one(T))),
        "Jacobian mismatch for output 0 with respect to input 1",
    ),
    "wrong in the second output": lambda T: caught(
        lambda: T.autograd.gradcheck(lambda a: (a * 2, tripled(T)(a)), one(T)),
        "Jacobian mismatch for output 1 with respect to input 0",
    ),
    "wrong, fast": lambda T: caught(
        lambda: T.autograd.gradcheck(tripled(T), one(T), fast_mode=True),
        "Jacobian mismatch for output 0 with respect to input 0",
    ),
    "wrong within a wide tolerance": lambda T: T.autograd.gradcheck(tripled(T), one(T), rtol=0.9),
    "no gradient where there should be one": lambda T: caught(
        lambda: T.autograd.gradcheck(function(T, saving, lambda ctx, g: None), one(T)),
        "Jacobian mismatch",
    ),
    "detached": lambda T: caught(
        lambda: T.autograd.gradcheck(lambda a: a.detach() * 2, one(T)),
        "Numerical gradient for function expected to be zero",
    ),
    "detached, and nothing that moves": lambda T: (
        T.autograd.gradcheck(lambda a: T.ones(2, dtype=T.float64), one(T)),
        T.autograd.gradcheck(lambda a: (a.detach() * 0, T.ones(1)), one(T)),
    ),
    "second, cut off": lambda T: (
        T.autograd.gradcheck(cut_off(T), one(T)),
        caught(lambda: T.autograd.gradgradcheck(cut_off(T), one(T)), "Jacobian mismatch"),
        T.autograd.gradgradcheck(cut_off(T), one(T), raise_exception=False),
    ),
    "nothing requires grad": lambda T: caught(
        lambda: T.autograd.gradcheck(lambda a: a * 2, one(T).detach()),
        "gradcheck expects at least one input tensor to require gradient",
    ),
    "expanded input": lambda T: caught(
        lambda: T.autograd.gradcheck(
            lambda a: a * 2, one(T, 1).detach().expand(3).requires_grad_()
        ),
        "The 0th input has a dimension with stride 0",
    ),
    "an error in the function": lambda T: caught(
        lambda: T.autograd.gradcheck(lambda a: a @ one(T, 5), one(T)), "inconsistent tensor size"
    ),
    "nothing to be checked": lambda T: caught(
        lambda: T.autograd.gradcheck(lambda a: a * 2, one(T), check_backward_ad=False),
        "Expected at least one of",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_same_verdict_as_torch(torch: Any, name: str) -> None:
    same(torch, PROGRAMS[name])


def test_single_precision_warns(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.tensor([0.5, 1.5], requires_grad=True)
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            passed = T.autograd.gradcheck(lambda a: a * 2, x, raise_exception=False)
            loose = T.autograd.gradcheck(lambda a: a * 2, x, eps=1e-2, atol=1e-2)
        return passed, loose, [str(w.message) for w in found]

    same(torch, program)


def test_undefined_gradients(torch: Any) -> None:
    """A backward that makes something of no gradient at all is found out, unless told not to."""

    def program(T: Any) -> Any:
        class Invents(T.autograd.Function):  # type: ignore[misc,name-defined]
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                ctx.set_materialize_grads(False)
                return x * 2

            @staticmethod
            def backward(ctx: Any, g: Any) -> Any:
                return T.ones(2, dtype=T.float64) if g is None else g * 2

        return caught(
            lambda: T.autograd.gradcheck(Invents.apply, one(T)),
            "Expected all input grads to be undefined or zero when all output grads are undefined",
        ), T.autograd.gradcheck(Invents.apply, one(T), check_undefined_grad=False)

    same(torch, program)


def test_backward_refusing_undefined_gradient_fails(torch: Any) -> None:
    def program(T: Any) -> Any:
        def forward(ctx: Any, x: Any) -> Any:
            ctx.set_materialize_grads(False)
            return x * 2

        def backward(ctx: Any, g: Any) -> Any:
            if g is None:
                raise RuntimeError("nothing has arrived")
            return g * 2

        said = "Expected backward function to handle undefined output grads"
        check = T.autograd.gradcheck
        return caught(lambda: check(function(T, forward, backward), one(T)), said).partition(". ")[
            0
        ]

    same(torch, program)


def test_backward_ignoring_incoming_gradient_fails(torch: Any) -> None:
    """With one output the Jacobian starts from a 1, and so cannot show it."""

    def program(T: Any) -> Any:
        class Forgets(T.autograd.Function):  # type: ignore[misc,name-defined]
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            def backward(ctx: Any, g: Any) -> Any:
                (x,) = ctx.saved_tensors
                return 2 * x

        x = T.tensor(3.0, dtype=T.float64, requires_grad=True)
        return caught(
            lambda: T.autograd.gradcheck(Forgets.apply, x),
            "backward not multiplied by grad_output",
        )

    same(torch, program)


def test_nondeterministic_gradient_is_found(torch: Any) -> None:
    def program(T: Any) -> Any:
        drift = [0.0]

        def backward(ctx: Any, g: Any) -> Any:
            drift[0] += 1e-8
            return g * (2 + drift[0])

        unsteady = function(T, lambda ctx, x: x * 2, backward)
        return caught(
            lambda: T.autograd.gradcheck(unsteady, one(T)), "Backward is not reentrant"
        ), T.autograd.gradcheck(unsteady, one(T), nondet_tol=1e-3)

    same(torch, program)


@pytest.mark.parametrize("strided", [False, True])
def test_inputs_are_put_back(strided: bool) -> None:
    x = one(mg, 3, 2)
    if strided:
        x = x.detach().t().requires_grad_()
    before, version = x.tolist(), x._version
    mg.autograd.gradcheck(lambda a: a.exp(), x)
    with pytest.raises(ValueError, match="mine"):
        mg.autograd.gradcheck(fails_when_moved(x.tolist()), x)
    assert (x.tolist(), x._version, x.grad) == (before, version, None)


def fails_when_moved(original: Any) -> Any:
    def check(a: Any) -> Any:
        if a.tolist() != original:
            raise ValueError("mine")
        return a * 2

    return check


@pytest.mark.parametrize("name", ["gradcheck", "gradgradcheck"])
def test_same_signature_as_torch(torch: Any, name: str) -> None:
    def parameters(T: Any) -> list[tuple[str, str, str]]:
        signature = inspect.signature(getattr(T.autograd, name))
        return [(p.name, p.kind.name, repr(p.default)) for p in signature.parameters.values()]

    assert parameters(mg) == answer(torch, parameters)


def test_check_batched_grad_accepts_right_gradients() -> None:
    check = mg.autograd.gradcheck
    assert check(lambda a: (a * a, a.sum()), one(mg), check_batched_grad=True)
    assert mg.autograd.gradgradcheck(lambda a: a * a, one(mg), check_batched_grad=True)


def test_the_error_is_a_runtime_error(torch: Any) -> None:
    from minigrad.autograd.gradcheck import GradcheckError

    assert issubclass(GradcheckError, RuntimeError)
    module = answer(torch, lambda T: T.autograd.gradcheck.__module__)
    assert module == "torch.autograd.gradcheck"


# --- Forward mode


def tripled_tangent(T: Any, factor: int = 3, backwards: int = 2) -> Any:
    """The square, whose jvp has a `factor` that should be 2, as the gradient should."""

    class Squared(T.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            ctx.save_for_forward(x)
            return x**2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return backwards * ctx.saved_tensors[0] * g

        @staticmethod
        def jvp(ctx: Any, t: Any) -> Any:
            return factor * ctx.saved_tensors[0] * t

    return Squared.apply


def wrong_slope_of_the_gradient(T: Any, factor: int, backwards: int) -> Any:
    """The cube divided by 3, whose gradient is differentiated as `tripled_tangent` is."""

    class Cubed(T.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            ctx.save_for_forward(x)
            return x**3 / 3

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return tripled_tangent(T, factor, backwards)(ctx.saved_tensors[0]) * g

        @staticmethod
        def jvp(ctx: Any, t: Any) -> Any:
            return ctx.saved_tensors[0] ** 2 * t

    return Cubed.apply


def needs_all_tangents(T: Any) -> Any:
    class Sum(T.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.set_materialize_grads(False)
            return x + y

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g, g

        @staticmethod
        def jvp(ctx: Any, x_t: Any, y_t: Any) -> Any:
            return None if x_t is None or y_t is None else x_t + y_t

    return Sum.apply


def test_forward_checks(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.tensor([0.5, 1.5], dtype=T.float64, requires_grad=True)
        y = T.tensor([2.0, 3.0], dtype=T.float64, requires_grad=True)
        once, twice = T.autograd.gradcheck, T.autograd.gradgradcheck
        forward: Any = {"check_forward_ad": True}
        only: Any = {**forward, "check_backward_ad": False}
        rest: Any = {"check_rev_over_rev": False, "check_undefined_grad": False}
        quietly: Any = {"raise_exception": False}

        def attempt(check: Any, f: Any, inputs: Any, **options: Any) -> None:
            try:
                print(check(f, inputs, **options))
            except Exception as error:
                print(type(error).__name__, str(error).splitlines()[0])

        def product(x: Any, y: Any) -> Any:
            return x.sin() * y, y.exp()

        for options in (forward, only, {**forward, "fast_mode": True}):
            attempt(once, product, (x, y), **options)
            attempt(once, tripled_tangent(T), x, **options)
            attempt(once, tripled_tangent(T), x, **options, **quietly)
            attempt(once, tripled_tangent(T, 2), x, **options)
        attempt(once, tripled_tangent(T), x)
        attempt(once, needs_all_tangents(T), (x, y), **forward, check_undefined_grad=False)
        attempt(once, product, (x, y), check_backward_ad=False)
        attempt(once, lambda x: x.detach() * 1, x, **forward)
        attempt(twice, product, (x, y), check_fwd_over_rev=True)
        attempt(twice, product, (x, y), check_fwd_over_rev=True, **rest)
        attempt(twice, product, (x, y), check_fwd_over_rev=True, check_rev_over_rev=False)
        attempt(twice, product, (x, y), check_rev_over_rev=False)
        for options in ({}, {"check_fwd_over_rev": True}, {"check_fwd_over_rev": True, **rest}):
            for factors in ((3, 2), (2, 3)):
                attempt(twice, wrong_slope_of_the_gradient(T, *factors), x, **options)
        with T.autograd.forward_ad.dual_level():
            attempt(once, product, (x, y), **forward)

    same(torch, program)


def test_function_needing_all_tangents_raises() -> None:
    x, y = one(mg), one(mg)
    with pytest.raises(RuntimeError, match="without a tangent"):
        mg.autograd.gradcheck(needs_all_tangents(mg), (x, y), check_forward_ad=True)
    wrong: Any = lambda x: tripled_tangent(mg)(x * x)  # noqa: E731
    rest: Any = {"check_rev_over_rev": False, "check_undefined_grad": False}
    assert mg.autograd.gradgradcheck(wrong, x, check_fwd_over_rev=True, **rest)


def test_deprecated_jacobians(torch: Any) -> None:
    def ask(library: Any) -> Any:
        module = importlib.import_module(f"{library.__name__}.autograd.gradcheck")
        a = library.tensor([[1.0, 2.0]], dtype=library.float64, requires_grad=True)
        b = library.tensor([[3.0, 4.0]], dtype=library.float64, requires_grad=True)
        found: list[Any] = []
        with warnings.catch_warnings(record=True) as caught_warnings:
            warnings.simplefilter("always")
            found += module.get_numerical_jacobian(
                lambda xs: (xs[0] * xs[1], xs[0]), (a, b), eps=1e-6
            )
            found += module.get_numerical_jacobian(
                lambda xs: xs[0] * xs[1], (a, b), target=b, eps=1e-6
            )
            jacobians, *flags = module.get_analytical_jacobian((a, b), a * b)
        shown = [[round(v, 6) for v in j.flatten().tolist()] for j in (*found, *jacobians)]
        refused = caught(
            lambda: module.get_numerical_jacobian(lambda xs: xs[0], (a,), grad_out=2.0)
        )
        said = [(str(w.message), w.category.__name__) for w in caught_warnings]
        return shown, flags, refused, said

    assert ask(mg) == answer(torch, ask)


def test_batched_tangents(torch: Any) -> None:
    def ask(library: Any) -> Any:
        class Random(library.autograd.Function):  # type: ignore[misc]
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                return x * 2

            @staticmethod
            def backward(ctx: Any, g: Any) -> Any:
                return g * 2

            @staticmethod
            def jvp(ctx: Any, t: Any) -> Any:
                library.randn_like(t)
                return t * 2

        x = library.ones(2, dtype=library.float64, requires_grad=True)
        options = {"check_forward_ad": True, "check_batched_forward_grad": True}
        check = library.autograd.gradcheck
        with pytest.raises(RuntimeError, match="do not yet support calling random operations"):
            check(Random.apply, x, **options)
        alone = caught(lambda: check(library.sin, x, check_batched_forward_grad=True))
        return check(library.sin, x, **options), alone

    assert ask(mg) == answer(torch, ask)


def test_tangents_that_depend_on_earlier_ones() -> None:
    class Growing(mg.autograd.Function):
        calls = 0

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def jvp(ctx: Any, t: Any) -> Any:
            Growing.calls += 1
            return t * (2 if Growing.calls < 6 else 3)

    x = mg.ones(2, dtype=mg.float64, requires_grad=True)
    with pytest.raises(RuntimeError, match="Tangents of a batch differ"):
        mg.autograd.gradcheck(
            Growing.apply, x, check_forward_ad=True, check_backward_ad=False,
            check_batched_forward_grad=True,
        )  # fmt: skip
