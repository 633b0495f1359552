"""Cases of reductions (sums, means, norms, extremes) and of cumulative operations."""

from __future__ import annotations

from typing import Any

from tests.parity import Case, case

ALL = [((2, 3),), ((3,),), ((),), ((2, 3, 2),)]
NOT_EMPTY = [((2, 3),), ((2, 3, 2),)]


def with_dims(name: str, domain: str = "any") -> list[Case]:
    """A reduction over everything, one axis, a negative axis, two axes, kept axes."""
    return [
        case(f"a.{name}()", lambda T, a: getattr(a, name)(), [*ALL, ((0, 2),)], domain=domain),
        case(f"torch.{name}", lambda T, a: getattr(T, name)(a), ALL, domain=domain),
        case(f"a.{name}(0)", lambda T, a: getattr(a, name)(0), ALL, domain=domain),
        case(f"a.{name}(dim=-1)", lambda T, a: getattr(a, name)(dim=-1), ALL, domain=domain),
        case(
            f"a.{name}(1, keepdim)",
            lambda T, a: getattr(a, name)(1, keepdim=True),
            NOT_EMPTY,
            domain=domain,
        ),
        case(f"a.{name}((0, 1))", lambda T, a: getattr(a, name)((0, 1)), NOT_EMPTY, domain=domain),
        case(
            f"a.{name}((0, -1), keepdim)",
            lambda T, a: getattr(a, name)((0, -1), keepdim=True),
            NOT_EMPTY,
            domain=domain,
        ),
    ]


TIES = [([[1.0, 5.0, 5.0], [2.0, 2.0, 0.0]],)]
APART = [([[1.0, 5.0, 4.0], [2.0, 2.5, 0.0]],)]

MATRIX_OR_VECTOR = [((2, 3),), ((3,),)]
COUNTED = [([3.0, 1.0, 3.0, 2.0, 2.0, 3.0],), ([[1.0, 1.0], [2.0, 1.0], [1.0, 1.0]],)]


def forward(name: str, function: Any, shapes: Any) -> Case:
    """A case without a gradient."""
    return case(name, function, shapes, forward_only=True)


CASES = [
    case("std_mean", lambda T, a: T.std_mean(a, 1, keepdim=True), [((2, 3),)]),
    case("std_mean, all", lambda T, a: T.std_mean(a, correction=0), [((2, 3),)]),
    case("kthvalue", lambda T, a: T.kthvalue(a, 2, 0)[0], [((3, 2),)]),
    case("a.kthvalue", lambda T, a: a.kthvalue(1, keepdim=True)[0], [((3, 2),), ((),)]),
    case("msort", lambda T, a: T.msort(a), [((3, 2),)]),
    *with_dims("sum"),
    *with_dims("mean"),
    case("a.sum(axis=0)", lambda T, a: a.sum(axis=0), NOT_EMPTY),
    case("torch.sum(a, 1, True)", lambda T, a: T.sum(a, 1, True), NOT_EMPTY),
    case("a.sum(dtype)", lambda T, a: a.sum(dtype=T.float64), NOT_EMPTY, gradcheck=False),
    case("a.mean(dtype)", lambda T, a: a.mean(dtype=T.float64), NOT_EMPTY, gradcheck=False),
    case("a.norm()", lambda T, a: a.norm(), ALL),
    case("torch.norm", lambda T, a: T.norm(a), ALL),
    case("a.norm(1)", lambda T, a: a.norm(1), ALL),
    case("a.norm(3)", lambda T, a: a.norm(3), ALL),
    case("a.norm(dim=1)", lambda T, a: a.norm(dim=1), NOT_EMPTY),
    case("a.norm(2, 0, True)", lambda T, a: a.norm(2, 0, True), NOT_EMPTY),
    case("a.norm() of zeros", lambda T, a: a.norm(), [([0.0, 0.0],)], gradcheck=False),
    case("a.norm(inf)", lambda T, a: a.norm(float("inf")), NOT_EMPTY),
    case("a.prod()", lambda T, a: a.prod(), ALL),
    case("a.prod(1)", lambda T, a: a.prod(1), NOT_EMPTY),
    case("a.prod() with a zero", lambda T, a: a.prod(), [([2.0, 0.0, 3.0],)]),
    case("a.prod(1) with zeros", lambda T, a: a.prod(1), [([[2.0, 0.0, 3.0], [1.0, 2.0, 3.0]],)]),
    case("a.var()", lambda T, a: a.var(), NOT_EMPTY),
    case("a.var(1)", lambda T, a: a.var(1), NOT_EMPTY),
    case("a.var(1, unbiased=False)", lambda T, a: a.var(1, unbiased=False), NOT_EMPTY),
    case("a.var(correction=0)", lambda T, a: a.var(1, correction=0, keepdim=True), NOT_EMPTY),
    case("a.std()", lambda T, a: a.std(), NOT_EMPTY),
    case("a.std(1)", lambda T, a: a.std(1), NOT_EMPTY),
    case("torch.var_mean", lambda T, a: T.var_mean(a, 1), NOT_EMPTY),
    case("a.max()", lambda T, a: a.max(), APART),
    case("a.min()", lambda T, a: a.min(), APART),
    case("a.max(), ties", lambda T, a: a.max(), TIES, gradcheck=False),
    case("a.max(1)", lambda T, a: tuple(a.max(1)), APART),
    case("a.min(1, True)", lambda T, a: tuple(a.min(1, True)), APART),
    case("a.max(1), ties", lambda T, a: tuple(a.max(1)), TIES, gradcheck=False),
    case("a.amax(1), ties", lambda T, a: a.amax(1), TIES, gradcheck=False),
    case("a.amin()", lambda T, a: a.amin(), APART),
    case("a.median()", lambda T, a: a.median(), APART),
    case("a.median(1)", lambda T, a: tuple(a.median(1)), APART),
    case("a.nanmedian(1)", lambda T, a: tuple(a.nanmedian(1)), APART),
    case("a.sort(stable)", lambda T, a: tuple(a.sort(stable=True)), APART),
    case("a.nanmedian()", lambda T, a: a.nanmedian(), APART),
    case("a.argmax()", lambda T, a: a.argmax(), [*APART, *TIES], forward_only=True),
    case("a.argmax(1)", lambda T, a: a.argmax(1), [*APART, *TIES], forward_only=True),
    case("a.argmin(0)", lambda T, a: a.argmin(0), APART, forward_only=True),
    case("a.all()", lambda T, a: (a > 0).all(), [*ALL, ((0,),)], forward_only=True),
    case("a.any(0)", lambda T, a: (a > 0).any(0), NOT_EMPTY, forward_only=True),
    case("a.logsumexp(0)", lambda T, a: a.logsumexp(0), ALL),
    case("torch.logsumexp keepdim", lambda T, a: T.logsumexp(a, 1, True), NOT_EMPTY),
    case("a.softmax(-1)", lambda T, a: a.softmax(-1), ALL),
    case("F.softmax", lambda T, a: T.nn.functional.softmax(a, dim=0), ALL),
    case("a.log_softmax(-1)", lambda T, a: a.log_softmax(-1), ALL),
    case("F.log_softmax", lambda T, a: T.nn.functional.log_softmax(a, dim=0), ALL),
    case("a.cumsum(0)", lambda T, a: a.cumsum(0), ALL),
    case("torch.max(a, b)", lambda T, a, b: T.max(a, b), [((3,), (3,))]),
    case("a.std(dim=0, keepdim)", lambda T, a: a.std(dim=0, keepdim=True), NOT_EMPTY),
    case("a.cumprod(1)", lambda T, a: a.cumprod(1), NOT_EMPTY),
    case("a.cumsum(-1)", lambda T, a: a.cumsum(-1), ALL),
    case("torch.cov", lambda T, a: T.cov(a), [((3, 4),), ((4,),)]),
    case(
        "a.cov with weights",
        lambda T, a: a.cov(
            fweights=T.tensor([1, 2, 1, 3]),
            aweights=T.tensor([0.5, 0.2, 1.0, 0.3], dtype=a.dtype),
            correction=2,
        ),
        [((3, 4),)],
    ),
    case("torch.corrcoef", lambda T, a: T.corrcoef(a), [((2, 4),)]),
    case("torch.trapezoid", lambda T, a: T.trapezoid(a), [((4,),), ((2, 3),), ((2, 0),)]),
    case("torch.trapezoid by steps", lambda T, a: T.trapz(a, dx=2.0, dim=0), [((4,),), ((3, 2),)]),
    case("torch.trapezoid over points", lambda T, a, x: T.trapezoid(a, x), [((2, 4), (4,))]),
    case(
        "torch.cumulative_trapezoid",
        lambda T, a: T.cumulative_trapezoid(a, dx=0.5),
        [((4,),), ((2, 3),)],
    ),
    case(
        "torch.cumulative_trapezoid over points",
        lambda T, a, x: T.cumulative_trapezoid(a, x, dim=0),
        [((3, 2), (3,)), ((3, 2), (3, 2))],
    ),
    case("torch.quantile", lambda T, a: T.quantile(a, 0.3), [((5,),), ((2, 3),), ((),)]),
    case("a.quantile of rows", lambda T, a: a.quantile(0.7, dim=1, keepdim=True), [((3, 4),)]),
    case("a.quantile(0)", lambda T, a: a.quantile(0.4, 0), [((3, 4),)]),
    case(
        "torch.quantile of several",
        lambda T, a: T.quantile(a, T.tensor([0.1, 0.5, 0.8], dtype=a.dtype), dim=0),
        [((3, 4),)],
    ),
    case(
        "torch.quantile midway",
        lambda T, a: T.quantile(a, 0.3, interpolation="midpoint"),
        [((5,),)],
    ),
    case("torch.quantile below", lambda T, a: a.quantile(0.3, interpolation="lower"), [((5,),)]),
    case("torch.nanquantile", lambda T, a: T.nanquantile(a, 0.3), [((2, 3),)]),
    case("a.max(dim=-1, keepdim)", lambda T, a: tuple(a.max(dim=-1, keepdim=True)), APART),
    case("a.topk smallest", lambda T, a: tuple(a.topk(1, 0, largest=False)), APART),
    case("F.normalize", lambda T, a: T.nn.functional.normalize(a, dim=1), NOT_EMPTY),
    case("a.sort()", lambda T, a: tuple(a.sort()), APART),
    case("a.sort(0, descending)", lambda T, a: tuple(a.sort(0, descending=True)), APART),
    case("a.argsort()", lambda T, a: a.argsort(), APART, forward_only=True),
    case("a.topk(2)", lambda T, a: tuple(a.topk(2)), APART),
    case("a.trace", lambda T, a: a.trace(), [((3, 3),), ((3, 4),)]),
    case("torch.trace", lambda T, a: T.trace(a), [((3, 3),), ((3, 4),)]),
    case("a.amax((0, 1))", lambda T, a: a.amax((0, 1)), [([[1.0, 5.0], [2.0, 0.0]],)]),
    case("linalg.norm 1", lambda T, a: T.linalg.norm(a, 1), [((2, 3),)]),
    case("a.cumprod(0) with zeros", lambda T, a: a.cumprod(0), [([2.0, 0.0, 3.0, 0.0, 4.0],)]),
    forward("a.count_nonzero(0)", lambda T, a: a.round().count_nonzero(0), MATRIX_OR_VECTOR),
    case("a.max(0, keepdim)", lambda T, a: tuple(a.max(0, keepdim=True)), MATRIX_OR_VECTOR),
    case("a.median(-1, True)", lambda T, a: tuple(a.median(-1, True)), MATRIX_OR_VECTOR),
    case(
        "a.nanmedian(0) with nan",
        lambda T, a: tuple(a.nanmedian(0)),
        [([1.0, float("nan"), 3.0, float("inf")],)],
        gradcheck=False,
    ),
    case("a.prod() with two zeros", lambda T, a: a.prod(), [([2.0, 0.0, 0.0],)]),
    case("a.norm(0.5)", lambda T, a: a.norm(0.5), MATRIX_OR_VECTOR),
    case("a.norm(1.5, 0)", lambda T, a: a.norm(1.5, 0), MATRIX_OR_VECTOR),
    case("a.norm(-inf)", lambda T, a: a.norm(float("-inf")), MATRIX_OR_VECTOR),
    case("a.var(0, False, True)", lambda T, a: a.var(0, False, True), MATRIX_OR_VECTOR),
    case("a.std(unbiased)", lambda T, a: a.std(unbiased=False), MATRIX_OR_VECTOR),
    case("a.var(correction=2)", lambda T, a: a.var(correction=2), MATRIX_OR_VECTOR),
    forward(
        "a.unique",
        lambda T, a: a.detach().unique(return_inverse=True, return_counts=True),
        COUNTED,
    ),
    forward(
        "a.unique(dim)",
        lambda T, a: T.unique(a.detach(), True, True, True, 0),
        COUNTED,
    ),
    forward(
        "a.unique_consecutive",
        lambda T, a: a.detach().unique_consecutive(True, True),
        COUNTED,
    ),
    forward(
        "a.unique_consecutive(dim)",
        lambda T, a: T.unique_consecutive(a.detach(), return_counts=True, dim=-1),
        COUNTED,
    ),
    forward(
        "torch.histc",
        lambda T, a: (T.histc(a.detach(), 5), T.histc(a.detach(), 3, -1, 1)),
        [((3,),), ((4, 20),), ([2.0, 2.0],), ((0,),)],
    ),
    forward(
        "torch.histogram",
        lambda T, a: (
            *T.histogram(a.detach(), 5),
            *T.histogram(a.detach(), 3, range=(-1.0, 1.0), density=True),
            *a.detach().histogram(
                T.tensor([-1.0, 0.0, 0.2, 2.0], dtype=a.dtype), weight=a.detach()
            ),
        ),
        [((3,),), ((4, 20),), ([2.0, 2.0],), ((0,),)],
    ),
    *[
        case(f"torch.renorm({p})", lambda T, a, p=p: T.renorm(a, p, 0, 1.0), MATRIX_OR_VECTOR[:1])
        for p in (2, 3.5, float("inf"))
    ],
    case("a.renorm(dim)", lambda T, a: a.renorm(2, -1, 2.5), [((2, 3),), ((2, 2, 2),), ((2, 0),)]),
    case("cummax", lambda T, a: tuple(a.cummax(1)), [*APART, ((0, 2),)]),
    case("cummax, ties", lambda T, a: tuple(a.cummax(1)), TIES, gradcheck=False),
    case("cummin", lambda T, a: tuple(T.cummin(a, 0)), [*APART, ((3,),), ((),)]),
    case(
        "cummax with nan",
        lambda T, a: tuple(a.cummax(0)),
        [([1.0, float("nan"), 3.0, float("inf")],)],
        gradcheck=False,
    ),
    case("logcumsumexp", lambda T, a: a.logcumsumexp(0), ALL),
    case("logcumsumexp(-1)", lambda T, a: T.logcumsumexp(a, -1), NOT_EMPTY),
    case("mode", lambda T, a: tuple(a.mode()), [*TIES, ((3, 2),), ((),)], gradcheck=False),
    case("mode, apart", lambda T, a: tuple(a.mode(1)), APART),
    case("mode(0, keepdim)", lambda T, a: tuple(T.mode(a, 0, True)), TIES, gradcheck=False),
    forward("mode of equals", lambda T, a: tuple(T.mode(a.detach())), COUNTED),
    case("aminmax", lambda T, a: tuple(a.aminmax()), APART),
    case("aminmax(dim)", lambda T, a: tuple(T.aminmax(a, dim=1, keepdim=True)), APART),
    case("aminmax, ties", lambda T, a: tuple(a.aminmax(dim=0)), TIES, gradcheck=False),
    *with_dims("nansum"),
    case("a.nanmean()", lambda T, a: a.nanmean(), NOT_EMPTY),
    case("a.nanmean(0)", lambda T, a: a.nanmean(0), NOT_EMPTY),
    case("torch.nanmean(a, (0, -1), True)", lambda T, a: T.nanmean(a, (0, -1), True), NOT_EMPTY),
    case(
        "nansum and nanmean with nan",
        lambda T, a: (a.nansum(1), T.nanmean(a, 0)),
        [([[1.0, float("nan"), 3.0], [float("nan"), 2.0, 0.5]],)],
        gradcheck=False,
    ),
]
