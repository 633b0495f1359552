"""Volumes [N, C, D, H, W]: convolution and pooling; and pooling of every rank that has few rows."""

from __future__ import annotations

from typing import Any

from tests.parity import case

VOLUME = (2, 2, 3, 4, 3)
IMAGE = (2, 3, 5, 4)
SEQUENCE = (2, 3, 7)


def unpooled(T: Any, a: Any, rank: int, **options: Any) -> Any:
    F = T.nn.functional
    pool, unpool = getattr(F, f"max_pool{rank}d"), getattr(F, f"max_unpool{rank}d")
    largest, where = pool(a, 2, return_indices=True)
    return unpool(largest, where, 2, **options)


CASES = [
    case(
        "F.conv3d",
        lambda T, a, w, b: T.nn.functional.conv3d(a, w, b),
        [((2, 2, 3, 4, 3), (2, 2, 2, 2, 2), (2,)), ((2, 3, 3, 3), (2, 2, 2, 1, 2), (2,))],
    ),
    case(
        "conv3d stride padding dilation groups",
        lambda T, a, w: T.conv3d(a, w, None, (2, 1, 1), (1, 0, 1), (1, 2, 1), 2),
        [((1, 2, 3, 4, 3), (2, 1, 2, 2, 2))],
    ),
    case(
        "conv3d same",
        lambda T, a, w: T.conv3d(a, w, padding="same"),
        [((1, 1, 3, 3, 2), (2, 1, 3, 1, 3))],
    ),
    case(
        "F.conv_transpose3d",
        lambda T, a, w, b: T.nn.functional.conv_transpose3d(a, w, b),
        [((1, 2, 2, 2, 3), (2, 2, 2, 1, 2), (2,)), ((2, 2, 2, 2), (2, 1, 2, 2, 1), (1,))],
    ),
    case(
        "conv_transpose3d stride padding groups",
        lambda T, a, w: T.conv_transpose3d(a, w, None, (2, 1, 2), 1, (1, 0, 1), 2, (1, 2, 1)),
        [((1, 2, 2, 3, 2), (2, 1, 2, 2, 2))],
    ),
    case(
        "F.max_pool3d",
        lambda T, a: T.nn.functional.max_pool3d(a, 2),
        [(VOLUME,), (VOLUME[1:],)],
    ),
    case(
        "F.max_pool3d stride padding",
        lambda T, a: T.nn.functional.max_pool3d(a, (2, 3, 2), 1, (1, 1, 0), ceil_mode=True),
        [(VOLUME,)],
    ),
    case("F.avg_pool1d", lambda T, a: T.nn.functional.avg_pool1d(a, 3, 2, 1), [(SEQUENCE,)]),
    case(
        "F.avg_pool3d",
        lambda T, a: T.nn.functional.avg_pool3d(a, 2),
        [(VOLUME,), (VOLUME[1:],)],
    ),
    case(
        "F.avg_pool3d padding divisor",
        lambda T, a: T.nn.functional.avg_pool3d(
            a, 2, (1, 2, 1), 1, True, False, divisor_override=3
        ),
        [(VOLUME,)],
    ),
    case(
        "F.adaptive_avg_pool1d",
        lambda T, a: T.nn.functional.adaptive_avg_pool1d(a, 3),
        [(SEQUENCE,), (SEQUENCE[1:],)],
    ),
    case(
        "F.adaptive_avg_pool1d to one",
        lambda T, a: T.nn.functional.adaptive_avg_pool1d(a, 1),
        [(SEQUENCE,)],
    ),
    case(
        "F.adaptive_avg_pool3d",
        lambda T, a: T.nn.functional.adaptive_avg_pool3d(a, (2, 3, None)),
        [(VOLUME,), (VOLUME[1:],)],
    ),
    case(
        "F.adaptive_avg_pool3d to one",
        lambda T, a: T.nn.functional.adaptive_avg_pool3d(a, 1),
        [(VOLUME,)],
    ),
    case(
        "F.adaptive_max_pool1d",
        lambda T, a: T.nn.functional.adaptive_max_pool1d(a, 3),
        [(SEQUENCE,), (SEQUENCE[1:],)],
    ),
    case(
        "F.adaptive_max_pool2d",
        lambda T, a: T.nn.functional.adaptive_max_pool2d(a, (3, None)),
        [(IMAGE,), (IMAGE[1:],)],
    ),
    case(
        "F.adaptive_max_pool3d",
        lambda T, a: T.nn.functional.adaptive_max_pool3d(a, (2, 3, 2)),
        [(VOLUME,)],
    ),
    case("F.max_unpool1d", lambda T, a: unpooled(T, a, 1), [((2, 3, 6),), ((3, 4),)]),
    case(
        "F.max_unpool2d",
        lambda T, a: unpooled(T, a, 2, output_size=(5, 4)),
        [(IMAGE,), (IMAGE[1:],)],
    ),
    case("F.max_unpool3d", lambda T, a: unpooled(T, a, 3), [((1, 2, 2, 4, 2),)]),
    case(
        "interpolate, area",
        lambda T, a: T.nn.functional.interpolate(a, 3, mode="area"),
        [(SEQUENCE,), (IMAGE,), (VOLUME,)],
    ),
]
