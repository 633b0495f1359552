"""Convolution, pooling and normalisation."""

from __future__ import annotations

from tests.parity import case

IMAGE = (2, 3, 5, 5)

CASES = [
    case(
        "interpolate",
        lambda T, a: T.nn.functional.interpolate(a, scale_factor=2),
        [((1, 2, 3, 2),), ((2, 1, 3),)],
    ),
    case(
        "interpolate, linear",
        lambda T, a: T.nn.functional.interpolate(a, 5, mode="linear"),
        [((1, 2, 3),)],
    ),
    case(
        "interpolate, bilinear",
        lambda T, a: T.nn.functional.interpolate(a, scale_factor=(2, 1.5), mode="bilinear"),
        [((1, 2, 3, 4),)],
    ),
    case("F.hardtanh", lambda T, a: T.nn.functional.hardtanh(a, -1, 1.5), [((3, 4),), ((),)]),
    case("F.relu6", lambda T, a: T.nn.functional.relu6(a * 4), [((3, 4),)]),
    case(
        "F.hardtanh in place",
        lambda T, a: T.nn.functional.hardtanh(a * 1, -0.5, inplace=True),
        [((3, 4),)],
    ),
    case(
        "F.group_norm",
        lambda T, a, w, b: T.nn.functional.group_norm(a, 2, w, b),
        [((2, 4, 3), (4,), (4,)), ((1, 4, 2, 2), (4,), (4,))],
        domain="positive",
    ),
    case("group_norm alone", lambda T, a: T.group_norm(a, 1, eps=0.1), [((2, 3, 2, 2),)]),
    case(
        "F.instance_norm",
        lambda T, a, w, b: T.nn.functional.instance_norm(a, weight=w, bias=b),
        [((2, 3, 4), (3,), (3,))],
    ),
    case(
        "baddbmm",
        lambda T, a, b, c: T.baddbmm(a, b, c, beta=2, alpha=0.5),
        [((2, 3, 4), (2, 3, 2), (2, 2, 4)), ((4,), (2, 3, 2), (2, 2, 4))],
    ),
    case("unsafe_chunk", lambda T, a: T.unsafe_chunk(a, 2, 1), [((2, 5),), ((3, 2, 1),)]),
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
    case(
        "F.conv_transpose1d",
        lambda T, a, w, b: T.nn.functional.conv_transpose1d(a, w, b),
        [((2, 3, 5), (3, 4, 2), (4,)), ((3, 5), (3, 4, 2), (4,))],
    ),
    case(
        "F.conv_transpose2d",
        lambda T, a, w, b: T.nn.functional.conv_transpose2d(a, w, b, padding=1),
        [((2, 3, 4, 3), (3, 2, 3, 2), (2,))],
    ),
    case(
        "conv_transpose2d stride padding dilation groups",
        lambda T, a, w: T.conv_transpose2d(a, w, None, 2, 1, (1, 0), 3, (2, 1)),
        [((2, 3, 3, 3), (3, 2, 3, 2))],
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
        "F.rms_norm",
        lambda T, a, w: T.nn.functional.rms_norm(a, (3,), w),
        [((2, 3), (3,)), ((2, 2, 3), (3,))],
        domain="over one",
    ),
    case("torch.rms_norm", lambda T, a: T.rms_norm(a, (2, 3), eps=0.1), [((4, 2, 3),)]),
    case(
        "F.layer_norm without weights",
        lambda T, a: T.nn.functional.layer_norm(a, (2, 3)),
        [((2, 3),), ((4, 2, 3),)],
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
    case(
        "F.softplus beta",
        lambda T, a: T.nn.functional.softplus(a * 9, 2, 15),
        [((3,),), ((),), ((2, 3),), ((0,),)],
    ),
    case("F.softmin", lambda T, a: T.nn.functional.softmin(a, -1), [((3,),), ((),), ((2, 3),)]),
    case(
        "F.max_pool1d return_indices",
        lambda T, a: T.nn.functional.max_pool1d(a, 2, return_indices=True)[0],
        [((1, 2, 5),), ((2, 4),)],
    ),
    case(
        "F.max_pool2d return_indices",
        lambda T, a: T.nn.functional.max_pool2d(a, 2, 1, 1, return_indices=True)[0],
        [((1, 2, 3, 4),), ((2, 4, 5),)],
    ),
    case(
        "F.avg_pool2d divisor_override",
        lambda T, a: T.nn.functional.avg_pool2d(a, 2, padding=1, divisor_override=3),
        [((1, 2, 3, 4),), ((2, 4, 5),)],
    ),
]
