"""Views, copies in another shape, and joining."""

from __future__ import annotations

from tests.parity import case

CUBE = [((2, 3, 4),)]
MATRIX = [((2, 3),)]
VECTOR = [((3,),)]
PAIR = [((3,), (3,)), ((0,), (3,))]

CASES = [
    case("a.view(-1)", lambda T, a: a.contiguous().view(-1), [*CUBE, *MATRIX, ((),), ((0, 3),)]),
    case("a.view(3, 2)", lambda T, a: a.contiguous().view(3, 2), MATRIX),
    case("a.view((3, 2))", lambda T, a: a.contiguous().view((3, 2)), MATRIX),
    case("a.view_as", lambda T, a: a.contiguous().view_as(T.ones(6)), MATRIX),
    case("a.reshape", lambda T, a: a.reshape(3, 2), MATRIX),
    case("a.reshape(-1)", lambda T, a: a.reshape(-1), [*CUBE, ((),)]),
    case("torch.reshape", lambda T, a: T.reshape(a, (6,)), MATRIX),
    case("a.t().reshape(6)", lambda T, a: a.t().reshape(6), MATRIX),
    case("a.flatten()", lambda T, a: a.flatten() * 1, [*CUBE, *VECTOR, ((),)]),
    case("a.flatten(1)", lambda T, a: a.flatten(1), CUBE),
    case("a.unflatten", lambda T, a: a.unflatten(1, (3, 1)), MATRIX),
    case("a.t()", lambda T, a: a.t(), [*MATRIX, *VECTOR]),
    case("torch.t", lambda T, a: T.t(a), MATRIX),
    case("a.T", lambda T, a: a.T, MATRIX),
    case("a.mT", lambda T, a: a.mT, CUBE),
    case("a.transpose(0, 1)", lambda T, a: a.transpose(0, 1), [*CUBE, *MATRIX]),
    case("a.transpose(-1, 0)", lambda T, a: a.transpose(-1, 0), CUBE),
    case("a.swapaxes", lambda T, a: a.swapaxes(0, 1), CUBE),
    case("a.permute", lambda T, a: a.permute(2, 0, 1), CUBE),
    case("torch.permute", lambda T, a: T.permute(a, (2, 0, 1)), CUBE),
    case("a.squeeze()", lambda T, a: a.squeeze(), [((1, 3, 1),), ((3,),)]),
    case("a.squeeze(0)", lambda T, a: a.squeeze(0), [((1, 3, 1),)]),
    case("a.squeeze(1), not one", lambda T, a: a.squeeze(1), [((1, 3, 1),)]),
    case("a.squeeze((0, 2))", lambda T, a: a.squeeze((0, 2)), [((1, 3, 1),)]),
    case("a.unsqueeze(0)", lambda T, a: a.unsqueeze(0), [*VECTOR, ((),)]),
    case("a.unsqueeze(-1)", lambda T, a: a.unsqueeze(-1), MATRIX),
    case("a.expand(2, 3)", lambda T, a: a.expand(2, 3), [*VECTOR, ((1, 3),), ((2, 1),), ((),)]),
    case("a.expand(2, -1)", lambda T, a: a.expand(2, -1), VECTOR),
    case("a.expand_as", lambda T, a: a.expand_as(T.ones(2, 3)), VECTOR),
    case("torch.broadcast_to", lambda T, a: T.broadcast_to(a, (2, 3)), VECTOR),
    case("a.narrow", lambda T, a: a.narrow(1, 0, 2), MATRIX),
    case("a.select", lambda T, a: a.select(0, 1), MATRIX),
    case("a.split(2)", lambda T, a: a.split(2), [((5,),), ((4, 2),)]),
    case("a.split([1, 2], 1)", lambda T, a: a.split([1, 2], 1), MATRIX),
    case("a.chunk(2, 1)", lambda T, a: a.chunk(2, 1), MATRIX),
    case("a.unbind()", lambda T, a: a.unbind(), MATRIX),
    case("a.unbind(1)", lambda T, a: a.unbind(1), MATRIX),
    case("iteration", lambda T, a: list(a), MATRIX),
    case("a.diagonal()", lambda T, a: a.diagonal(), [((3, 3),), ((2, 3),)]),
    case("a.as_strided", lambda T, a: a.contiguous().as_strided((2, 2), (1, 1)), VECTOR),
    case("a.contiguous()", lambda T, a: a.t().contiguous(), MATRIX),
    case("torch.cat", lambda T, a, b: T.cat([a, b]), PAIR),
    case("torch.cat dim=1", lambda T, a, b: T.cat((a, b), dim=1), [((2, 3), (2, 1))]),
    case("torch.cat, the same one twice", lambda T, a: T.cat([a, a]), VECTOR),
    case("torch.stack", lambda T, a, b: T.stack([a, b]), [((3,), (3,)), ((), ())]),
    case("torch.stack dim=-1", lambda T, a, b: T.stack([a, b], -1), [((2, 3), (2, 3))]),
    case("a.repeat", lambda T, a: a.repeat(2, 2), VECTOR),
    case("a.tile", lambda T, a: a.tile(2), VECTOR),
    case("a.flip(0)", lambda T, a: a.flip(0), MATRIX),
    case("a.roll(1)", lambda T, a: a.roll(1), [*VECTOR, *MATRIX]),
    case("a.roll(1, 1)", lambda T, a: a.roll(1, 1), MATRIX),
    case("a.tril()", lambda T, a: a.tril(), MATRIX),
    case("a.triu(1)", lambda T, a: a.triu(1), MATRIX),
]
