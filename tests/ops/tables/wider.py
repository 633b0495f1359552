"""What a course does not need every day: the rest of the other tables' families."""

from __future__ import annotations

from typing import Any

from tests.parity import Case, case

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
    case("a.repeat_interleave", lambda T, a: a.repeat_interleave(2, 0), [(MATRIX,), ((3,),)]),
    case(
        "a.repeat_interleave of a tensor",
        lambda T, a: a.repeat_interleave(T.tensor([1, 0, 2]), 0),
        [(MATRIX,)],
    ),
    # Elementwise
    unary("erf"),
    unary("erfinv", "symmetric"),
    unary("square"),
    case("a.round(decimals=1)", lambda T, a: a.round(decimals=1), SINGLES, gradcheck=False),
    case("a.div floor", lambda T, a: a.div(0.7, rounding_mode="floor"), SINGLES, gradcheck=False),
    # Reductions
    case("a.trace", lambda T, a: a.trace(), [((3, 3),), (MATRIX,)]),
    case("torch.trace", lambda T, a: T.trace(a), [((3, 3),), (MATRIX,)]),
    case("a.amax((0, 1))", lambda T, a: a.amax((0, 1)), [([[1.0, 5.0], [2.0, 0.0]],)]),
    # Matrices
    case("torch.inverse", lambda T, a: T.inverse(a), [([[2.0, 0.5], [0.3, 1.5]],)]),
    case("linalg.norm 1", lambda T, a: T.linalg.norm(a, 1), [((2, 3),)]),
    # Shapes
    case("a.diag", lambda T, a: a.diag(), [((3,),), ((3, 3),)]),
    case("a.diag_embed", lambda T, a: a.diag_embed(), [((3,),)]),
    case("a.ravel", lambda T, a: a.ravel() * 1, [(CUBE,)]),
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
    case(
        "a.scatter, a number",
        lambda T, a: a.scatter(1, T.tensor([[0], [3], [2]]), 0.5),
        [(MATRIX,)],
    ),
    case(
        "F.embedding padding_idx",
        lambda T, a: T.nn.functional.embedding(T.tensor([[0, 2], [2, 1]]), a, padding_idx=2),
        [(MATRIX,)],
        gradcheck=False,
    ),
    # Losses and pooling
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
]
