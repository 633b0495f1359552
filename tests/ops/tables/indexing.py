"""Reading parts of a tensor: by number, slice, None, Ellipsis, tensor and mask."""

from __future__ import annotations

from typing import Any

from tests.parity import Case, case

VECTOR, MATRIX, CUBE = (4,), (3, 4), (2, 3, 4)


def reading(name: str, index: Any, *shapes: tuple[int, ...]) -> Case:
    """`a[index(T)]`; the index is made by the library, as it may hold tensors."""
    return case(f"a[{name}]", lambda T, a: a[index(T)], [(shape,) for shape in shapes])


def combining(name: str, index: Any, shapes: Any) -> list[Case]:
    """A function that combines elements at one position, by each reduction."""
    reductions = ("sum", "prod", "mean", "amax", "amin")
    return [
        case(
            f"{name}({reduce!r}, {own})",
            lambda T, a, b, reduce=reduce, own=own: getattr(a, name)(
                0, index(T), b, reduce, include_self=own
            ),
            [shapes],
        )
        for reduce in reductions[name == "index_reduce" :]
        for own in (True, False)
    ] + [
        case(
            f"{name}('prod') with zeros",
            lambda T, a, b: getattr(T, name)(a * 1, 0, index(T), b.round(), "prod"),
            [shapes],
            gradcheck=False,
        ),
        case(
            f"{name} of integers",
            lambda T, a, b: [
                getattr((a * 9).to(T.int32), name)(
                    0, index(T), (b * 9).to(T.int32), each, include_self=own
                )
                for each in reductions[1:]
                for own in (True, False)
            ],
            [shapes],
            forward_only=True,
        ),
    ]


CASES = [
    reading("0", lambda T: 0, VECTOR, MATRIX, CUBE),
    reading("-1", lambda T: -1, VECTOR, MATRIX),
    reading("0, 1", lambda T: (0, 1), MATRIX, CUBE),
    reading("1:", lambda T: slice(1, None), VECTOR, MATRIX, (0,)),
    reading(":", lambda T: slice(None), VECTOR),
    reading("::2", lambda T: slice(None, None, 2), VECTOR, MATRIX),
    reading("-2:", lambda T: slice(-2, None), VECTOR),
    reading("5:", lambda T: slice(5, None), VECTOR),
    reading(":, 1", lambda T: (slice(None), 1), MATRIX, CUBE),
    reading(":, 1:", lambda T: (slice(None), slice(1, None)), MATRIX),
    reading("0:1, 1:2", lambda T: (slice(0, 1), slice(1, 2)), MATRIX),
    reading("None", lambda T: None, VECTOR, ()),
    reading(":, None", lambda T: (slice(None), None), VECTOR),
    reading("...", lambda T: ..., MATRIX),
    reading("..., 0", lambda T: (..., 0), MATRIX, CUBE),
    reading("None, 0, ..., 1:", lambda T: (None, 0, ..., slice(1, None)), CUBE),
    reading("()", lambda T: (), MATRIX),
    reading("True", lambda T: True, MATRIX),
    reading("numbers", lambda T: T.tensor([0, 2, 2]), VECTOR, MATRIX),
    reading("list", lambda T: [0, 1], VECTOR),
    reading("a 0-d tensor", lambda T: T.tensor(1), MATRIX),
    reading(":, numbers", lambda T: (slice(None), T.tensor([0, 2, 2])), MATRIX),
    reading("numbers, numbers", lambda T: (T.tensor([0, 2, 2]), T.tensor([1, 1, 1])), MATRIX),
    reading("column, numbers", lambda T: (T.tensor([[0], [2]]), T.tensor([1, 3])), MATRIX),
    reading("numbers, 0", lambda T: (T.tensor([0, 1]), 0), MATRIX),
    reading("0, numbers", lambda T: (0, T.tensor([0, 1])), MATRIX),
    reading("numbers, None", lambda T: (T.tensor([0, 1]), None), MATRIX),
    reading("None, numbers", lambda T: (None, T.tensor([0, 1])), MATRIX),
    reading(
        "numbers, :, numbers", lambda T: (T.tensor([0, 1]), slice(None), T.tensor([0, 1])), CUBE
    ),
    reading("mask", lambda T: T.tensor([True, False, True, True]), VECTOR),
    reading(":, mask", lambda T: (slice(None), T.tensor([True, False, True, True])), MATRIX),
    reading(
        "2-d mask", lambda T: T.tensor([[True, False, True], [False, True, False]]), (2, 3), CUBE
    ),
    case("a[a > 0]", lambda T, a: a[a > 0], [(VECTOR,), (MATRIX,)]),
    case(
        "take_along_dim",
        lambda T, a: T.take_along_dim(a, T.tensor([[0, 3, -1]]), 1),
        [(MATRIX,)],
    ),
    case(
        "a.take_along_dim",
        lambda T, a: a.take_along_dim(T.tensor([5, 0])),
        [(MATRIX,)],
        strided=False,
    ),
    case("torch.gather", lambda T, a: T.gather(a, 1, T.tensor([[0], [3], [3]])), [(MATRIX,)]),
    case("a.gather", lambda T, a: a.gather(0, T.tensor([[0, 0, 1, 2]])), [(MATRIX,)]),
    case("a.index_select", lambda T, a: a.index_select(1, T.tensor([0, 2, 2])), [(MATRIX,)]),
    case("a.masked_select", lambda T, a: a.masked_select(a > 0), [(MATRIX,)]),
    case("a.masked_fill", lambda T, a: a.masked_fill(a > 0, 0.5), [(MATRIX,)], gradcheck=False),
    case(
        "a.masked_fill, a tensor",
        lambda T, a, b: a.masked_fill(T.tensor([True, False, True, True]), b),
        [(MATRIX, ())],
    ),
    case(
        "a.scatter",
        lambda T, a, b: a.scatter(1, T.tensor([[0], [3], [2]]), b),
        [(MATRIX, (3, 1))],
    ),
    case(
        "a.scatter_add",
        lambda T, a, b: a.scatter_add(1, T.tensor([[0, 0], [3, 1], [2, 2]]), b),
        [(MATRIX, (3, 2))],
    ),
    case(
        "a.index_add",
        lambda T, a, b: a.index_add(0, T.tensor([0, 0]), b),
        [(MATRIX, (2, 4))],
    ),
    case(
        "a.scatter, a number that is a tensor",
        lambda T, a: a.scatter(1, T.tensor([[0], [3], [2]]), value=T.tensor(2.0)),
        [(MATRIX,)],
    ),
    case(
        "a.masked_fill_ of integers by a tensor of floats",
        lambda T, a: (a * 4).long().masked_fill_(a > 0, T.tensor(2.5)),
        [(MATRIX,)],
        forward_only=True,
    ),
    case(
        "a.gather with no index at all, of any type",
        lambda T, a: a.gather(0, T.zeros(0)),
        [(MATRIX,)],
        forward_only=True,
    ),
    case(
        "a.index_add of bools and of small integers",
        lambda T, a: [
            (a > 0).index_add(0, T.tensor([0, 0, 1]), a < 1, alpha=2),
            a.to(T.int8).index_add(0, T.tensor([0, 0, 1]), a.to(T.int8)),
        ],
        [(MATRIX,)],
        forward_only=True,
    ),
    case(
        "F.one_hot",
        lambda T, a: T.nn.functional.one_hot((a > 0).long(), 3),
        [(VECTOR,), (MATRIX,)],
        forward_only=True,
    ),
    case(
        "F.embedding",
        lambda T, a: T.nn.functional.embedding(T.tensor([[0, 2], [2, 1]]), a),
        [(MATRIX,)],
    ),
    case(
        "a.scatter, a number",
        lambda T, a: a.scatter(1, T.tensor([[0], [3], [2]]), 0.5),
        [((3, 4),)],
    ),
    case(
        "F.embedding max_norm",
        lambda T, a: T.nn.functional.embedding(T.tensor([[0, 2], [2, 1]]), a * 1, max_norm=0.5),
        [((3, 2),)],
        forward_only=True,
    ),
    case(
        "F.embedding padding_idx",
        lambda T, a: T.nn.functional.embedding(T.tensor([[0, 2], [2, 1]]), a, padding_idx=2),
        [((3, 4),)],
        gradcheck=False,
    ),
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
    *combining("scatter_reduce", lambda T: T.tensor([[0, 2, 1], [0, 0, 1]]), ((3, 3), (2, 3))),
    *combining("index_reduce", lambda T: T.tensor([0, 2, 0]), ((3, 2), (3, 2))),
    case(
        "scatter(reduce)",
        lambda T, a, b: (
            T.scatter(a.detach(), 0, T.tensor([[0, 1, 1]]), b.detach(), reduce="add"),
            a.detach().scatter(1, T.tensor([[0], [1]]), 2.5, reduce="multiply"),
        ),
        [((2, 3), (2, 3))],
        forward_only=True,
    ),
    case("take", lambda T, a: a.take(T.tensor([[0, 3], [-1, 0]])), [((2, 3),), ((4,),)]),
    case("put", lambda T, a, b: a.put(T.tensor([0, -1]), b), [((2, 3), (2,))]),
    case("put(accumulate)", lambda T, a, b: a.put(T.tensor([0, 3, 0]), b, True), [((2, 3), (3,))]),
    case("diff", lambda T, a: T.diff(a), [((2, 3),), ((4,),), ((1,),)]),
    case("diff(2, 0)", lambda T, a: a.diff(2, 0), [((4, 2),), ((2, 2),), ((1, 2),)]),
    case(
        "diff(prepend, append)",
        lambda T, a, b: T.diff(a, dim=0, prepend=b, append=a[:1]),
        [((3, 2), (1, 2))],
    ),
    case("diff of bools", lambda T, a: T.diff(a > 0), [((2, 4),)], forward_only=True),
    case("diff(0)", lambda T, a: T.diff(a, 0), [((3,),)]),
    case("gradient", lambda T, a: T.gradient(a), [((2, 4),), ((3,),)]),
    case(
        "gradient, of second order",
        lambda T, a: T.gradient(a, spacing=(0.5, 2), dim=(1, 0), edge_order=2),
        [((3, 4),)],
    ),
    case(
        "gradient at positions",
        lambda T, a, b: T.gradient(a, spacing=[b.cumsum(0)], dim=1),
        [((2, 4), (4,))],
        domain="over one",
    ),
    case(
        "gradient at positions, of second order",
        lambda T, a: T.gradient(a, spacing=[T.tensor([0.0, 1.0, 3.0, 4.0])], edge_order=2),
        [((4,),)],
    ),
    case("gradient of integers", lambda T, a: T.gradient(a.long()), [((4,),)], forward_only=True),
    case("diagflat", lambda T, a: T.diagflat(a, 1), [((2, 2),), ((3,),)]),
    case(
        "fill_diagonal_",
        lambda T, a: a.detach().clone().fill_diagonal_(2.0, wrap=True),
        [((3, 2),), ((7, 3),), ((2, 2, 2),), ((2, 4),)],
        forward_only=True,
    ),
]
