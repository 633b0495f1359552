"""Images sampled at grids, cut into patches, or shuffled; and bilinear layers."""

from __future__ import annotations

from tests.parity import Case, case

IMAGE = (2, 3, 4, 5)


def sampled() -> list[Case]:
    """Grids of points, some of them outside, by each way to read an image."""
    return [
        case(
            f"grid_sample({mode!r}, {padding!r}, {corners})",
            lambda T, a, b, how=(mode, padding, corners): T.nn.functional.grid_sample(
                a, b * 1.3, *how
            ),
            [((1, 2, 3, 4), (1, 2, 2, 2))],
        )
        for mode in ("bilinear", "nearest", "bicubic")
        for padding in ("zeros", "border", "reflection")
        for corners in (True, False)
    ]


CASES = [
    *sampled(),
    case(
        "grid_sample of volumes",
        lambda T, a, b: T.nn.functional.grid_sample(a, b, align_corners=False),
        [((1, 2, 2, 3, 2), (1, 2, 2, 1, 3))],
    ),
    case(
        "affine_grid",
        lambda T, a: T.nn.functional.affine_grid(a, (2, 1, 3, 4), align_corners=False) ** 2,
        [((2, 2, 3),)],
    ),
    case(
        "affine_grid of volumes",
        lambda T, a: T.nn.functional.affine_grid(a, (1, 1, 2, 3, 2), align_corners=True) ** 2,
        [((1, 3, 4),)],
    ),
    case(
        "unfold",
        lambda T, a: T.nn.functional.unfold(a, (2, 3), (1, 2), (1, 2), (2, 1)),
        [(IMAGE,), (IMAGE[1:],)],
    ),
    case(
        "fold",
        lambda T, a: T.nn.functional.fold(a, (5, 6), (2, 3), 1, (1, 0), (2, 1)),
        [((2, 12, 12),), ((6, 12),)],
    ),
    case("pixel_shuffle", lambda T, a: T.pixel_shuffle(a, 2), [((2, 8, 3, 2),), ((4, 1, 2),)]),
    case("pixel_unshuffle", lambda T, a: T.pixel_unshuffle(a, 2), [((2, 3, 4, 2),), ((1, 2, 4),)]),
    case("channel_shuffle", lambda T, a: T.channel_shuffle(a, 2), [((2, 6, 3),)]),
    case(
        "bilinear",
        lambda T, a, b, w, c: T.bilinear(a, b, w, c),
        [((2, 3), (2, 2), (4, 3, 2), (4,)), ((2, 1, 3), (2, 1, 2), (1, 3, 2), (1,))],
    ),
    case(
        "bilinear without bias",
        lambda T, a, b, w: T.nn.functional.bilinear(a, b, w),
        [((2, 3), (2, 2), (4, 3, 2))],
    ),
    case("constant_pad_nd", lambda T, a: T.constant_pad_nd(a, (1, -1, 2, 0), 0.5), [((3, 3),)]),
]
