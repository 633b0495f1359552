"""Convolution, pooling and normalisation."""

from __future__ import annotations

from tests.parity import case

IMAGE = (2, 3, 5, 5)

CASES = [
    case(
        "F.conv1d",
        lambda T, a, w, b: T.nn.functional.conv1d(a, w, b),
        [((2, 3, 6), (4, 3, 3), (4,)), ((3, 6), (4, 3, 3), (4,))],
    ),
    case(
        "F.conv2d",
        lambda T, a, w, b: T.nn.functional.conv2d(a, w, b),
        [(IMAGE, (4, 3, 3, 3), (4,)), (IMAGE[1:], (4, 3, 3, 3), (4,))],
    ),
    case(
        "F.conv2d stride padding dilation groups",
        lambda T, a, w: T.nn.functional.conv2d(a, w, stride=2, padding=2, dilation=2, groups=3),
        [(IMAGE, (6, 1, 2, 2))],
    ),
    case(
        "F.conv2d same",
        lambda T, a, w: T.nn.functional.conv2d(a, w, padding="same"),
        [(IMAGE, (4, 3, 3, 3))],
    ),
    case("F.max_pool2d", lambda T, a: T.nn.functional.max_pool2d(a, 2), [(IMAGE,), (IMAGE[1:],)]),
    case(
        "F.max_pool2d stride padding",
        lambda T, a: T.nn.functional.max_pool2d(a, 3, stride=1, padding=1),
        [(IMAGE,)],
    ),
    case("F.max_pool1d", lambda T, a: T.nn.functional.max_pool1d(a, 2), [((2, 3, 6),)]),
    case(
        "F.avg_pool2d padding",
        lambda T, a: T.nn.functional.avg_pool2d(a, 3, stride=2, padding=1),
        [(IMAGE,)],
    ),
    case("F.avg_pool2d", lambda T, a: T.nn.functional.avg_pool2d(a, 2), [(IMAGE,)]),
    case(
        "F.batch_norm in training",
        lambda T, a, w, b: T.nn.functional.batch_norm(a, None, None, w, b, training=True),
        [((4, 3), (3,), (3,)), ((2, 3, 2, 2), (3,), (3,))],
    ),
    case(
        "F.batch_norm in evaluation",
        lambda T, a, w, b: T.nn.functional.batch_norm(
            a, T.ones(3, dtype=a.dtype), T.full((3,), 2.0, dtype=a.dtype), w, b
        ),
        [((4, 3), (3,), (3,))],
    ),
    case(
        "F.layer_norm",
        lambda T, a, w, b: T.nn.functional.layer_norm(a, (3,), w, b),
        [((2, 3), (3,), (3,)), ((2, 2, 3), (3,), (3,))],
    ),
    case(
        "F.layer_norm without weights",
        lambda T, a: T.nn.functional.layer_norm(a, (2, 3)),
        [((2, 3),), ((4, 2, 3),)],
    ),
]
