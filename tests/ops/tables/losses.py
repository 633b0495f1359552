"""Losses: each reduction, weights, and targets that require grad."""

from __future__ import annotations

from typing import Any

from tests.parity import Case, case

PAIR = [((3,), (3,)), ((2, 3), (2, 3))]


def reduced(name: str, function: Any, shapes: list[Any], **options: Any) -> list[Case]:
    return [
        case(
            f"{name} {reduction}",
            lambda T, *a, reduction=reduction: function(T.nn.functional, T, reduction, *a),
            shapes,
            **options,
        )
        for reduction in ("mean", "sum", "none")
    ]


CASES = [
    case(
        "huber_loss",
        lambda T, a, b: T.nn.functional.huber_loss(a, b, delta=0.7),
        [((3, 2), (3, 2))],
    ),
    case(
        "huber_loss, none", lambda T, a, b: T.nn.functional.huber_loss(a, b, "none"), [((4,), (4,))]
    ),
    case(
        "cosine_similarity",
        lambda T, a, b: T.nn.functional.cosine_similarity(a, b),
        [((2, 3), (2, 3))],
    ),
    case(
        "cosine_similarity, dim",
        lambda T, a, b: T.nn.functional.cosine_similarity(a, b, dim=-1),
        [((2, 1, 3), (2, 3))],
    ),
    case(
        "pairwise_distance",
        lambda T, a, b: T.nn.functional.pairwise_distance(a, b, keepdim=True),
        [((2, 3), (2, 3))],
    ),
    case(
        "cosine_embedding_loss",
        lambda T, a, b: T.nn.functional.cosine_embedding_loss(a, b, T.tensor([1, -1]), margin=-0.9),
        [((2, 3), (2, 3))],
    ),
    case(
        "triplet_margin_loss",
        lambda T, a, b, c: T.nn.functional.triplet_margin_loss(a, b, c, margin=9.0),
        [((2, 3), (2, 3), (2, 3))],
    ),
    *reduced(
        "bce_with_logits",
        lambda F, T, r, a: F.binary_cross_entropy_with_logits(
            a, T.tensor([0.0, 1.0, 1.0], dtype=a.dtype), reduction=r
        ),
        [((3,),)],
    ),
    *reduced(
        "bce_with_logits, target requires grad",
        lambda F, T, r, a, b: F.binary_cross_entropy_with_logits(a, b, reduction=r),
        PAIR,
    ),
    *reduced(
        "bce_with_logits weight",
        lambda F, T, r, a, b: F.binary_cross_entropy_with_logits(
            a, b, weight=T.tensor([0.5, 1.0, 2.0], dtype=a.dtype), reduction=r
        ),
        PAIR,
    ),
    *reduced(
        "bce_with_logits pos_weight",
        lambda F, T, r, a, b: F.binary_cross_entropy_with_logits(
            a, b, pos_weight=T.tensor([0.5, 1.0, 2.0], dtype=a.dtype), reduction=r
        ),
        PAIR,
    ),
    case(
        "bce_with_logits far out",
        lambda T, a: T.nn.functional.binary_cross_entropy_with_logits(a, T.ones_like(a)),
        [([-100.0, 100.0, 0.0],)],
        gradcheck=False,
    ),
    *reduced(
        "binary_cross_entropy",
        lambda F, T, r, a, b: F.binary_cross_entropy(a, b, reduction=r),
        PAIR,
        domain="unit",
    ),
    *reduced(
        "soft_margin_loss",
        lambda F, T, r, a: F.soft_margin_loss(
            a, T.tensor([1.0, -1.0, 1.0], dtype=a.dtype), reduction=r
        ),
        [((3,),), ((2, 3),)],
    ),
    *reduced(
        "margin_ranking_loss",
        lambda F, T, r, a, b: F.margin_ranking_loss(
            a, b, T.tensor([1.0, -1.0, 1.0], dtype=a.dtype), 5.0, reduction=r
        ),
        [((3,), (3,))],
    ),
    *reduced(
        "hinge_embedding_loss",
        lambda F, T, r, a: F.hinge_embedding_loss(
            a, T.tensor([1.0, -1.0, 0.0], dtype=a.dtype), 2.5, reduction=r
        ),
        [((3,),), ((2, 3),)],
    ),
    *reduced(
        "multilabel_soft_margin_loss",
        lambda F, T, r, a: F.multilabel_soft_margin_loss(
            a, T.tensor([[1.0, 0.0, 1.0], [0.0, 0.0, 1.0]]).to(a.dtype), reduction=r
        ),
        [((2, 3),)],
    ),
    case(
        "multilabel_soft_margin_loss weight",
        lambda T, a, w: T.nn.functional.multilabel_soft_margin_loss(a, (a > 0).to(a.dtype), w),
        [((2, 3), (3,))],
    ),
    *reduced(
        "poisson_nll_loss",
        lambda F, T, r, a, b: F.poisson_nll_loss(a, b, r != "none", r == "sum", reduction=r),
        [((3,), (3,)), ((2, 3), (2, 3))],
        domain="over one",
    ),
    *reduced(
        "gaussian_nll_loss",
        lambda F, T, r, a, b, c: F.gaussian_nll_loss(a, b, c, full=r == "sum", reduction=r),
        [((3,), (3,), (3,)), ((2, 3), (2, 3), (2, 1)), ((2, 3), (2, 3), (2,))],
        domain="positive",
    ),
    *reduced(
        "triplet_margin_with_distance_loss",
        lambda F, T, r, a, b, c: F.triplet_margin_with_distance_loss(
            a, b, c, margin=9.0, swap=r == "sum", reduction=r
        ),
        [((2, 3), (2, 3), (2, 3))],
    ),
    *[
        each
        for name in ("mse_loss", "l1_loss")
        for each in reduced(
            f"{name} weight",
            lambda F, T, r, a, b, name=name: getattr(F, name)(
                a, b, weight=T.tensor([0.5, 1.0, 2.0], dtype=a.dtype), reduction=r
            ),
            [((3,), (3,))],
        )
    ],
    *reduced("mse_loss", lambda F, T, r, a, b: F.mse_loss(a, b, reduction=r), PAIR),
    *reduced("l1_loss", lambda F, T, r, a, b: F.l1_loss(a, b, reduction=r), PAIR),
    *reduced("smooth_l1_loss", lambda F, T, r, a, b: F.smooth_l1_loss(a, b, reduction=r), PAIR),
    *reduced("kl_div", lambda F, T, r, a, b: F.kl_div(a, b, reduction=r), PAIR, domain="positive"),
    *reduced(
        "nll_loss",
        lambda F, T, r, a: F.nll_loss(a, T.tensor([0, 2]), reduction=r),
        [((2, 3),)],
    ),
    *reduced(
        "nll_loss weight",
        lambda F, T, r, a: F.nll_loss(
            a, T.tensor([0, 2]), weight=T.tensor([0.5, 1.0, 2.0], dtype=a.dtype), reduction=r
        ),
        [((2, 3),)],
    ),
    *reduced(
        "cross_entropy",
        lambda F, T, r, a: F.cross_entropy(a, T.tensor([0, 2]), reduction=r),
        [((2, 3),)],
    ),
    *reduced(
        "cross_entropy ignore_index",
        lambda F, T, r, a: F.cross_entropy(a, T.tensor([0, 2]), ignore_index=0, reduction=r),
        [((2, 3),)],
    ),
    *reduced(
        "cross_entropy with probabilities",
        lambda F, T, r, a, b: F.cross_entropy(a, b, reduction=r),
        [((2, 3), (2, 3))],
    ),
    *reduced(
        "cross_entropy with smoothed probabilities",
        lambda F, T, r, a, b: F.cross_entropy(a, b, label_smoothing=0.1, reduction=r),
        [((2, 3), (2, 3))],
    ),
    *reduced(
        "cross_entropy label_smoothing",
        lambda F, T, r, a: F.cross_entropy(a, T.tensor([0, 2]), label_smoothing=0.1, reduction=r),
        [((2, 3),)],
    ),
    case(
        "F.nll_loss of images",
        lambda T, a: T.nn.functional.nll_loss(a, T.tensor([[[0, 1], [1, 0]]])),
        [((1, 2, 2, 2),)],
        strided=False,
    ),
]
