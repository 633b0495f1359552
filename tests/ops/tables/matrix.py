"""Products of vectors and matrices, and what PyTorch builds them from."""

from __future__ import annotations

import math
from typing import Any

from tests.parity import case

INVERTIBLE = [([[2.0, 0.5, 0.1], [0.3, 1.5, 0.2], [0.1, 0.4, 3.0]],)]
SYSTEM = [(*INVERTIBLE[0], (3, 2)), (*INVERTIBLE[0], (3,))]
TRIANGULAR = [(*INVERTIBLE[0], (3, 3)), (*INVERTIBLE[0], (2, 3, 3))]
FACTOR = [((3, 2), *INVERTIBLE[0]), ((2, 3, 1), *INVERTIBLE[0])]

DOUBLE: dict[str, Any] = {"dtypes": ("float64",)}
"""For what is made of singular values: their second derivatives divide by small differences."""

CASES = [
    case("cross", lambda T, a, b: T.cross(a, b, dim=1), [((2, 3), (2, 3)), ((2, 3, 2), (1, 3, 2))]),
    case("linalg.cross", lambda T, a, b: T.linalg.cross(a, b), [((2, 3), (1, 3))]),
    *[
        case(f"matmul {len(a)}-d @ {len(b)}-d {a} {b}", lambda T, a, b: T.matmul(a, b), [(a, b)])
        for a, b in [
            ((3,), (3,)),
            ((2, 3), (3,)),
            ((2,), (2, 3)),
            ((2, 3), (3, 4)),
            ((5, 2, 3), (3, 4)),
            ((2, 3), (5, 3, 4)),
            ((5, 2, 3), (5, 3, 4)),
            ((2, 1, 2, 3), (5, 3, 4)),
            ((5, 2, 3), (3,)),
            ((3,), (5, 3, 4)),
            ((0, 3), (3, 2)),
            ((2, 0), (0, 2)),
        ]
    ],
    case("a @ b", lambda T, a, b: a @ b, [((2, 3), (3, 4)), ((3,), (3,)), ((1, 5), (5, 3))]),
    case("a.matmul", lambda T, a, b: a.matmul(b), [((2, 3), (3, 4))]),
    case("torch.mm", lambda T, a, b: T.mm(a, b), [((2, 3), (3, 4)), ((0, 3), (3, 2))]),
    case("a.mm(b.t())", lambda T, a, b: a.mm(b.t()), [((2, 3), (4, 3))]),
    case("torch.mv", lambda T, a, b: T.mv(a, b), [((2, 3), (3,))]),
    case("torch.dot", lambda T, a, b: T.dot(a, b), [((3,), (3,)), ((0,), (0,))]),
    case("dot of one with itself", lambda T, a: T.dot(a, a), [((4,),)]),
    case("torch.bmm", lambda T, a, b: T.bmm(a, b), [((5, 2, 3), (5, 3, 4))]),
    case("torch.outer", lambda T, a, b: T.outer(a, b), [((3,), (2,))]),
    case("torch.vdot", lambda T, a, b: T.vdot(a, b), [((3,), (3,))]),
    case(
        "torch.inner",
        lambda T, a, b: T.inner(a, b),
        [((3,), (3,)), ((2, 3), (3,)), ((2, 3), (4, 3)), ((), (3,)), ((2, 0), (3, 0))],
    ),
    case(
        "torch.tensordot",
        lambda T, a, b: T.tensordot(a, b),
        [((2, 3, 4), (3, 4, 5)), ((2, 3), (2, 3)), ((2, 1, 4), (3, 4))],
    ),
    case(
        "torch.tensordot of named dimensions",
        lambda T, a, b: T.tensordot(a, b, dims=([1, 0], [0, 1])),
        [((3, 4, 5), (4, 3, 2))],
    ),
    case("torch.tensordot of none", lambda T, a, b: T.tensordot(a, b, 0), [((2,), (3,))]),
    case(
        "torch.addmm",
        lambda T, a, b, c: T.addmm(a, b, c),
        [((4,), (2, 3), (3, 4)), ((2, 4), (2, 3), (3, 4))],
    ),
    case(
        "torch.addmm beta alpha",
        lambda T, a, b, c: T.addmm(a, b, c, beta=2, alpha=3),
        [((2, 4), (2, 3), (3, 4))],
    ),
    case(
        "F.linear",
        lambda T, a, w, b: T.nn.functional.linear(a, w, b),
        [((2, 3), (4, 3), (4,)), ((3,), (4, 3), (4,)), ((5, 2, 3), (4, 3), (4,))],
    ),
    case(
        "F.linear with a bias of no dimensions",
        lambda T, a, w, b: T.nn.functional.linear(a, w, b),
        [((3,), (3,), ()), ((2, 3, 4), (4,), ()), ((2, 3, 4), (5, 4), ())],
    ),
    case(
        "F.linear without bias",
        lambda T, a, w: T.nn.functional.linear(a, w),
        [((2, 3), (4, 3)), ((3,), (4, 3)), ((5, 2, 3), (4, 3))],
    ),
    case("linalg.inv", lambda T, a: T.linalg.inv(a), INVERTIBLE),
    case("linalg.det", lambda T, a: T.linalg.det(a), INVERTIBLE),
    case("torch.slogdet", lambda T, a: T.slogdet(a)[::-1], INVERTIBLE),
    case(
        "linalg.slogdet", lambda T, a: T.linalg.slogdet(-a).logabsdet, [*INVERTIBLE, ((2, 2, 2),)]
    ),
    case("torch.logdet", lambda T, a: T.logdet(a), INVERTIBLE),
    case("torch.matrix_exp", lambda T, a: T.matrix_exp(a), [((3, 3),), ((2, 2, 2),)]),
    case("linalg.matrix_exp of large", lambda T, a: T.linalg.matrix_exp(a * 3), INVERTIBLE),
    *[
        case(
            f"linalg.matrix_power {n}",
            lambda T, a, n=n: T.linalg.matrix_power(a, n),
            INVERTIBLE,
        )
        for n in (-3, -1, 0, 1, 2, 3, 4, 5, 7)
    ],
    case("torch.matrix_power", lambda T, a: T.matrix_power(a, 6), [((2, 3, 3),)]),
    case("linalg.multi_dot of two", lambda T, a, b: T.linalg.multi_dot([a, b]), [((2, 3), (3, 4))]),
    *[
        case(f"linalg.multi_dot {shapes}", lambda T, *a: T.linalg.multi_dot(a), [shapes])
        for shapes in (
            ((2, 3), (3, 4), (4, 2)),
            ((4, 2), (2, 3), (3, 1)),
            ((3,), (3, 4), (4,)),
            ((3,), (3,)),
            ((2, 3), (3, 4), (4, 5), (5, 1)),
            ((1, 3), (3, 4), (4, 5), (5, 2), (2,)),
        )
    ],
    case("torch.chain_matmul", lambda T, *a: T.chain_matmul(*a), [((2, 3), (3, 4), (4, 2))]),
    case("linalg.vander", lambda T, a: T.linalg.vander(a), [((3,),), ((2, 3),)]),
    case("linalg.vander N", lambda T, a: T.linalg.vander(a, N=5), [((3,),)]),
    case("linalg.vecdot", lambda T, a, b: T.linalg.vecdot(a, b), [((3,), (3,)), ((2, 3), (1, 3))]),
    case("linalg.vecdot dim", lambda T, a, b: T.linalg.vecdot(a, b, dim=0), [((2, 3), (2, 3))]),
    case("linalg.diagonal", lambda T, a: T.linalg.diagonal(a, offset=1), [((2, 3, 3),)]),
    case(
        "torch.kron",
        lambda T, a, b: T.kron(a, b),
        [((2, 3), (3, 1)), ((3,), (2, 2)), ((), (3,)), ((2, 1, 2), (2, 2))],
        strided=False,
    ),
    case(
        "torch.addmv",
        lambda T, a, b, c: T.addmv(a, b, c),
        [((2,), (2, 3), (3,)), ((), (2, 3), (3,))],
    ),
    case(
        "torch.addmv beta alpha",
        lambda T, a, b, c: T.addmv(a, b, c, beta=2, alpha=3),
        [((2,), (2, 3), (3,))],
    ),
    case(
        "torch.addr", lambda T, a, b, c: T.addr(a, b, c), [((2, 3), (2,), (3,)), ((3,), (2,), (3,))]
    ),
    case(
        "torch.addr beta alpha",
        lambda T, a, b, c: T.addr(a, b, c, beta=2, alpha=3),
        [((2, 3), (2,), (3,))],
    ),
    case("torch.ger", lambda T, a, b: T.ger(a, b), [((3,), (2,))]),
    case(
        "linalg.lstsq",
        lambda T, a, b: T.linalg.lstsq(a, b).solution,
        [((4, 2), (4, 3)), ((2, 4), (2, 1)), ((2, 4, 2), (2, 4))],
        **DOUBLE,
    ),
    case(
        "linalg.lstsq residuals",
        lambda T, a, b: T.linalg.lstsq(a, b, driver="gelsd")[:2],
        [((4, 2), (4, 3)), ((4, 2), (4,))],
        **DOUBLE,
    ),
    case("linalg.solve", lambda T, a, b: T.linalg.solve(a, b), SYSTEM),
    *[
        case(
            f"linalg.solve_triangular {upper} {left}",
            lambda T, a, b, upper=upper, left=left: T.linalg.solve_triangular(
                a, b, upper=upper, left=left, unitriangular=upper != left
            ),
            TRIANGULAR,
        )
        for upper in (True, False)
        for left in (True, False)
    ],
    case("torch.cholesky_solve", lambda T, b, a: T.cholesky_solve(b, a.tril()), FACTOR),
    case("a.cholesky_solve", lambda T, b, a: b.cholesky_solve(a.triu(), True), FACTOR),
    case("linalg.norm", lambda T, a: T.linalg.norm(a), [((2, 3),), ((3,),)]),
    case(
        "linalg.matrix_norm without rows or columns",
        lambda T: [
            T.linalg.matrix_norm(T.ones(2, 0, 3), math.inf, keepdim=True),
            T.linalg.matrix_norm(T.ones(3, 0), 1),
        ],
        [()],
        forward_only=True,
    ),
    *[
        case(
            f"matrix_norm {ord} {dims}",
            lambda T, a, ord=ord, dims=dims, kept=kept: T.linalg.matrix_norm(
                a, ord, dim=dims, keepdim=kept
            ),
            [((2, 3, 2),)],
            **DOUBLE,
        )
        for ord in ("nuc", 2, -2)
        for dims, kept in (((-2, -1), False), ((0, 1), True), ((2, 0), True), ((1, 0), False))
    ],
    case("linalg.norm nuc", lambda T, a: T.linalg.norm(a, "nuc"), [((2, 3),)], **DOUBLE),
    case("linalg.norm -2", lambda T, a: T.linalg.norm(a, -2), [((3, 2),)], **DOUBLE),
    case("torch.norm nuc", lambda T, a: T.norm(a, "nuc"), [((2, 3),)], **DOUBLE),
    case(
        "a.norm nuc, along two",
        lambda T, a: a.norm("nuc", dim=(0, 2), keepdim=True),
        [((2, 2, 3),)],
        **DOUBLE,
    ),
    case("linalg.norm dim", lambda T, a: T.linalg.norm(a, dim=1), [((2, 3),)]),
    *[
        case(f"einsum {rule}", lambda T, *a, rule=rule: T.einsum(rule, *a), [shapes])
        for rule, shapes in [
            ("ij,jk->ik", ((2, 3), (3, 4))),
            ("i,i->", ((3,), (3,))),
            ("bij,bjk->bik", ((5, 2, 3), (5, 3, 4))),
            ("ii->", ((3, 3),)),
            ("ij->ji", ((2, 3),)),
            ("ij->i", ((2, 3),)),
            ("i,j->ij", ((3,), (2,))),
            ("ij,j->i", ((2, 3), (3,))),
        ]
    ],
    case("torch.inverse", lambda T, a: T.inverse(a), [([[2.0, 0.5], [0.3, 1.5]],)]),
]
