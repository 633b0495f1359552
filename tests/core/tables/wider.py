"""What a course does not need every day: the rest of the other tables' families."""

from __future__ import annotations

from typing import Any

from tests.core.parity import Case, case

SINGLES = [((3,),), ((),), ((2, 3),), ((0,),)]
PAIRS = [((3,), (3,)), ((2, 3), (3,)), ((), (2, 1))]
TRIPLES = [((3,), (3,), (3,)), ((2, 3), (3,), ())]
MATRIX, CUBE = (3, 4), (2, 3, 4)


def functional(name: str, *arguments: Any, **options: Any) -> Case:
    return case(
        f"F.{name}",
        lambda T, a: getattr(T.nn.functional, name)(a, *arguments),
        SINGLES,
        **options,
    )


def unary(name: str, domain: str = "any", **options: Any) -> Case:
    return case(
        f"torch.{name}", lambda T, a: getattr(T, name)(a), SINGLES, domain=domain, **options
    )


def binary(name: str, domain: str = "any", **options: Any) -> Case:
    return case(
        f"torch.{name}", lambda T, a, b: getattr(T, name)(a, b), PAIRS, domain=domain, **options
    )


CASES = [
    # Elementwise
    unary("erf"),
    unary("erfc"),
    unary("frac"),
    unary("sgn", gradcheck=False),
    unary("nan_to_num"),
    unary("square"),
    unary("positive"),
    case("a.round(decimals=1)", lambda T, a: a.round(decimals=1), SINGLES, gradcheck=False),
    case("a.clamp_min", lambda T, a: a.clamp_min(0.3), SINGLES),
    case("a.clamp_max", lambda T, a: a.clamp_max(0.3), SINGLES),
    case("a.clamp_min of a tensor", lambda T, a, b: a.clamp_min(b), PAIRS),
    case("a.clamp_max of a tensor", lambda T, a, b: a.clamp_max(b), PAIRS),
    binary("atan2", "positive"),
    binary("fmax"),
    binary("fmin"),
    case("torch.fmod(a, 1.5)", lambda T, a: T.fmod(a, 1.5), SINGLES),
    case("torch.lerp", lambda T, a, b: T.lerp(a, b, 0.3), PAIRS),
    case("torch.lerp by a tensor", lambda T, a, b, c: T.lerp(a, b, c), TRIPLES),
    case("torch.addcmul", lambda T, a, b, c: T.addcmul(a, b, c, value=2), TRIPLES),
    case(
        "torch.addcdiv", lambda T, a, b, c: T.addcdiv(a, b, c, value=2), TRIPLES, domain="positive"
    ),
    case("a.div floor", lambda T, a: a.div(0.7, rounding_mode="floor"), SINGLES, gradcheck=False),
    functional("mish"),
    functional("relu6"),
    functional("selu"),
    functional("softsign"),
    functional("tanhshrink"),
    case("F.softmin", lambda T, a: T.nn.functional.softmin(a, dim=-1), SINGLES[:1]),
    # Reductions
    case("a.nansum", lambda T, a: a.nansum(), [(MATRIX,), ([1.0, float("nan")],)], gradcheck=False),
    case("a.nansum(1)", lambda T, a: a.nansum(1), [(MATRIX,)]),
    case("a.nanmean", lambda T, a: a.nanmean(), [(MATRIX,)]),
    case("a.kthvalue", lambda T, a: tuple(a.kthvalue(2, 1)), [(MATRIX,)]),
    case("a.cummax", lambda T, a: tuple(a.cummax(1)), [(MATRIX,)]),
    case("a.cummin", lambda T, a: tuple(a.cummin(0)), [(MATRIX,)]),
    case("a.count_nonzero", lambda T, a: a.count_nonzero(), [(MATRIX,)], forward_only=True),
    case("a.trace", lambda T, a: a.trace(), [((3, 3),), (MATRIX,)]),
    case("torch.trace", lambda T, a: T.trace(a), [((3, 3),), (MATRIX,)]),
    case("a.amax((0, 1))", lambda T, a: a.amax((0, 1)), [([[1.0, 5.0], [2.0, 0.0]],)]),
    # Matrices
    case("torch.vdot", lambda T, a, b: T.vdot(a, b), [((3,), (3,))]),
    case("torch.inner", lambda T, a, b: T.inner(a, b), [((3,), (3,)), ((2, 3), (2, 3))]),
    case("torch.addmv", lambda T, a, b, c: T.addmv(a, b, c), [((2,), (2, 3), (3,))]),
    case(
        "torch.baddbmm", lambda T, a, b, c: T.baddbmm(a, b, c), [((5, 2, 4), (5, 2, 3), (5, 3, 4))]
    ),
    case("torch.tensordot", lambda T, a, b: T.tensordot(a, b, dims=1), [((2, 3), (3, 4))]),
    case(
        "torch.slogdet",
        lambda T, a: tuple(T.slogdet(a)),
        [([[2.0, 0.5], [0.3, 1.5]],)],
    ),
    case("torch.logdet", lambda T, a: T.logdet(a), [([[2.0, 0.5], [0.3, 1.5]],)]),
    case("torch.inverse", lambda T, a: T.inverse(a), [([[2.0, 0.5], [0.3, 1.5]],)]),
    case("linalg.norm nuc", lambda T, a: T.linalg.norm(a, "nuc"), [((2, 3),)], once=True),
    case("linalg.norm 1", lambda T, a: T.linalg.norm(a, 1), [((2, 3),)]),
    # Shapes
    case("a.unfold", lambda T, a: a.unfold(0, 2, 1), [((4,),)]),
    case("a.diag", lambda T, a: a.diag(), [((3,),), ((3, 3),)]),
    case("a.diag_embed", lambda T, a: a.diag_embed(), [((3,),)]),
    case("a.rot90", lambda T, a: a.rot90(), [(MATRIX,)]),
    case("a.movedim", lambda T, a: a.movedim(0, 2), [(CUBE,)]),
    case("a.ravel", lambda T, a: a.ravel() * 1, [(CUBE,)]),
    case("a.repeat_interleave", lambda T, a: a.repeat_interleave(2, 0), [(MATRIX,), ((3,),)]),
    case("a.tensor_split", lambda T, a: a.tensor_split(2, 1), [(MATRIX,)]),
    case("torch.hstack", lambda T, a, b: T.hstack([a, b]), [((3,), (3,))]),
    case("torch.vstack", lambda T, a, b: T.vstack([a, b]), [((3,), (3,))]),
    case(
        "torch.meshgrid",
        lambda T, a, b: T.meshgrid(a, b, indexing="ij"),
        [((3,), (2,))],
    ),
    case("F.pad", lambda T, a: T.nn.functional.pad(a, (1, 2)), [(MATRIX,)]),
    case("F.pad value", lambda T, a: T.nn.functional.pad(a, (1, 0, 0, 1), value=2.0), [(MATRIX,)]),
    # Indices
    case("a.take", lambda T, a: a.take(T.tensor([0, 5, 5])), [(MATRIX,)]),
    case(
        "a.put",
        lambda T, a, b: a.put(T.tensor([0, 5]), b),
        [(MATRIX, (2,))],
    ),
    case(
        "a.index_copy",
        lambda T, a, b: a.index_copy(0, T.tensor([2, 0]), b),
        [(MATRIX, (2, 4))],
    ),
    case("a.index_fill", lambda T, a: a.index_fill(1, T.tensor([2, 0]), 0.5), [(MATRIX,)]),
    case(
        "a.index_fill, a tensor",
        lambda T, a, b: a.index_fill(1, T.tensor([2, 0]), b),
        [(MATRIX, ())],
    ),
    case(
        "a.scatter, a number",
        lambda T, a: a.scatter(1, T.tensor([[0], [3], [2]]), 0.5),
        [(MATRIX,)],
    ),
    case(
        "a.masked_scatter",
        lambda T, a, b: a.masked_scatter(T.tensor([True, False, True, True]), b),
        [((4,), (4,)), (MATRIX, (3, 3)), (MATRIX, (5, 2))],
    ),
    case(
        "F.embedding padding_idx",
        lambda T, a: T.nn.functional.embedding(T.tensor([[0, 2], [2, 1]]), a, padding_idx=2),
        [(MATRIX,)],
        gradcheck=False,
    ),
    # Losses and pooling
    case("F.huber_loss", lambda T, a, b: T.nn.functional.huber_loss(a, b), [((3,), (3,))]),
    case(
        "F.nll_loss of images",
        lambda T, a: T.nn.functional.nll_loss(a, T.tensor([[[0, 1], [1, 0]]])),
        [((1, 2, 2, 2),)],
        strided=False,
    ),
    case(
        "F.adaptive_avg_pool2d",
        lambda T, a: T.nn.functional.adaptive_avg_pool2d(a, 2),
        [((2, 3, 5, 5),)],
    ),
    case(
        "F.adaptive_avg_pool2d to one",
        lambda T, a: T.nn.functional.adaptive_avg_pool2d(a, 1),
        [((2, 3, 5, 5),)],
    ),
    case("F.avg_pool1d", lambda T, a: T.nn.functional.avg_pool1d(a, 2), [((2, 3, 6),)]),
]
