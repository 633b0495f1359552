"""Operations that few programs use: three tensors in one step, one limit, distances, counts."""

from __future__ import annotations

from tests.parity import Case, case

SINGLES = [((3,),), ((),), ((2, 3),), ((0,),)]
PAIRS = [((3,), (3,)), ((2, 3), (3,)), ((), (2, 1)), ((2, 1), (1, 3)), ((0, 3), (3,))]
TRIPLES = [((3,), (3,), (3,)), ((2, 3), (3,), ()), ((2, 1), (1, 3), (2, 3))]
INTO = [((3,), (3,), (3,)), ((2, 3), (3,), ()), ((2, 3), (1, 3), (2, 1))]
ROWS = [((3, 2), (4, 2)), ((2, 3, 2), (4, 2)), ((2, 1, 3), (2, 2, 3))]
COUNTED = [([3.0, 1.0, 3.0, 2.0, 2.0, 3.0],), ([[1.0, 1.0], [2.0, 1.0], [1.0, 1.0]],)]


def forward(name: str, function: object, shapes: object, **options: object) -> Case:
    return case(name, function, shapes, forward_only=True, **options)


CASES = [
    case("torch.addcmul", lambda T, a, b, c: T.addcmul(a, b, c), TRIPLES),
    case("a.addcmul(value)", lambda T, a, b, c: a.addcmul(b, c, value=0.7), TRIPLES),
    case("a.addcmul_", lambda T, a, b, c: (a * 1).addcmul_(b, c, value=-2), INTO),
    case("torch.addcdiv", lambda T, a, b, c: T.addcdiv(a, b, c), TRIPLES, domain="positive"),
    case(
        "a.addcdiv(value)",
        lambda T, a, b, c: a.addcdiv(b, c, value=0.7),
        TRIPLES,
        domain="positive",
    ),
    case(
        "a.addcdiv_",
        lambda T, a, b, c: (a * 1).addcdiv_(b, c, value=-2),
        INTO,
        domain="positive",
    ),
    case("torch.lerp", lambda T, a, b: T.lerp(a, b, 0.3), PAIRS),
    case("torch.lerp beyond", lambda T, a, b: T.lerp(a, b, 1.5), PAIRS[:2]),
    case("torch.lerp(tensor)", lambda T, a, b, c: T.lerp(a, b, c), TRIPLES),
    case("a.lerp_", lambda T, a, b: (a * 1).lerp_(b, 0.8), PAIRS[:2]),
    case("a.lerp_(tensor)", lambda T, a, b, c: (a * 1).lerp_(b, c), INTO),
    case("torch.fmod", lambda T, a: T.fmod(a, 0.7), SINGLES),
    case("torch.fmod(tensor)", lambda T, a, b: T.fmod(a, b), PAIRS, domain="positive"),
    case("a.fmod_", lambda T, a: (a * 1).fmod_(-0.7), SINGLES),
    case("torch.atan2", lambda T, a, b: T.atan2(a, b), PAIRS),
    case("a.atan2_", lambda T, a, b: (a * 1).atan2_(b), PAIRS[:2]),
    case("torch.arctan2", lambda T, a, b: T.arctan2(a, b), PAIRS[:1]),
    case("torch.clamp_min", lambda T, a: T.clamp_min(a, 0.3), SINGLES),
    case("torch.clamp_max", lambda T, a: T.clamp_max(a, 0.3), SINGLES),
    case("torch.clamp_min(tensor)", lambda T, a, b: T.clamp_min(a, b), PAIRS),
    case("torch.clamp_max(tensor)", lambda T, a, b: T.clamp_max(a, b), PAIRS),
    case("a.clamp_min_", lambda T, a: (a * 1).clamp_min_(0.3), SINGLES),
    case("a.clamp_max_", lambda T, a, b: (a * 1).clamp_max_(b), PAIRS[:2]),
    case("torch.cartesian_prod", lambda T, a, b: T.cartesian_prod(a, b), [((3,), (2,))]),
    case("torch.cartesian_prod of one", lambda T, a: T.cartesian_prod(a), [((3,),)]),
    case("torch.combinations", lambda T, a: T.combinations(a), [((4,),)]),
    case("torch.combinations(3, True)", lambda T, a: T.combinations(a, 3, True), [((3,),)]),
    forward("torch.combinations(0)", lambda T, a: T.combinations(a.detach(), 0), [((3,),)]),
    case(
        "torch.masked_scatter",
        lambda T, a, b: T.masked_scatter(a, a > 0, b),
        [((2, 3), (2, 3)), ((3,), (7,))],
    ),
    case(
        "a.masked_scatter_",
        lambda T, a, b: (a * 1).masked_scatter_(T.tensor([True, False, True]), b),
        [((2, 3), (5,))],
    ),
    case("torch.index_fill", lambda T, a: T.index_fill(a, 0, T.tensor([1, -1]), 0.7), [((3, 2),)]),
    case(
        "torch.index_fill(tensor), a place twice",
        lambda T, a, b: T.index_fill(a, 1, T.tensor([1, 0, 1]), b),
        [((3, 2), ())],
    ),
    case(
        "torch.index_fill(tensor)",
        lambda T, a, b: T.index_fill(a, -1, T.tensor([1]), b),
        [((3, 2), ())],
    ),
    case(
        "a.index_fill_",
        lambda T, a: (a * 1).index_fill_(0, T.tensor([0, 2]), 3),
        [((3,),), ((4, 2),)],
    ),
    case(
        "torch.index_copy",
        lambda T, a, b: T.index_copy(a, 1, T.tensor([2, 0]), b),
        [((2, 3), (2, 2))],
    ),
    case(
        "a.index_copy_",
        lambda T, a, b: (a * 1).index_copy_(0, T.tensor([2, 0]), b),
        [((3,), (2,)), ((3, 2), (2, 2))],
    ),
    case(
        "torch.index_put",
        lambda T, a, b: T.index_put(a, (T.tensor([2, 0]), T.tensor([0, 1])), b),
        [((3, 2), (2,)), ((3, 2, 2), (2, 2)), ((3, 2), ())],
    ),
    case(
        "torch.index_put(accumulate)",
        lambda T, a, b: T.index_put(a, (T.tensor([0, 0, 1]),), b, True),
        [((3,), (3,)), ((3, 2), (3, 2))],
    ),
    case(
        "a.index_put_",
        lambda T, a, b: (a * 1).index_put_((T.tensor([True, False, True]),), b),
        [((3,), (2,)), ((3, 2), (2, 2))],
    ),
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
    forward("integer << and >>", lambda T, a: ((a * 9).long() << 2, (a * 9).long() >> 1), SINGLES),
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
    case("F.softmin", lambda T, a: T.nn.functional.softmin(a, -1), SINGLES[:3]),
    case(
        "F.avg_pool2d divisor_override",
        lambda T, a: T.nn.functional.avg_pool2d(a, 2, padding=1, divisor_override=3),
        [((1, 2, 3, 4),), ((2, 4, 5),)],
    ),
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
]
