"""Padding in each mode."""

from __future__ import annotations

from tests.parity import case

CASES = [
    case("F.pad", lambda T, a: T.nn.functional.pad(a, (1, 2)), [((3, 4),)]),
    case("F.pad value", lambda T, a: T.nn.functional.pad(a, (1, 0, 0, 1), value=2.0), [((3, 4),)]),
    *(
        case(
            f"F.pad {mode}",
            lambda T, a, mode=mode: T.nn.functional.pad(a, (1, 2), mode=mode),
            [((2, 3),), ((2, 2, 4),)],
        )
        for mode in ("reflect", "replicate", "circular")
    ),
    *(
        case(
            f"F.pad {mode} of images, a rim cut off",
            lambda T, a, mode=mode: T.nn.functional.pad(a, (-1, 2, 1, 0), mode=mode),
            [((1, 2, 3, 4),), ((2, 3, 4),)],
        )
        for mode in ("reflect", "replicate", "circular")
    ),
    *(
        case(
            f"F.pad {mode} of volumes",
            lambda T, a, mode=mode: T.nn.functional.pad(a, (1, 0, 0, 1, 1, 1), mode=mode),
            [((1, 2, 2, 2),), ((1, 1, 2, 3, 2),)],
        )
        for mode in ("reflect", "replicate", "circular")
    ),
]
