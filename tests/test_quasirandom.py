"""Sobol's points are those of PyTorch, to the bit."""

from __future__ import annotations

from typing import Any

import pytest

import minigrad as mg
from tests.parity import caught
from tests.record import answer


def points(tensor: Any) -> Any:
    return tensor.tolist(), str(tensor.dtype).partition(".")[2]


@pytest.mark.parametrize("scramble", [False, True])
@pytest.mark.parametrize("dimension", [1, 2, 13])
def test_points(torch: Any, dimension: int, scramble: bool) -> None:
    def ask(T: Any) -> Any:
        engine = T.quasirandom.SobolEngine(dimension, scramble=scramble, seed=123)
        found = [points(engine.draw(5)), points(engine.draw(3, dtype=T.float64))]
        found.append(points(engine.fast_forward(9).draw()))
        found.append((repr(engine), engine.num_generated))
        engine.reset()
        found.append(points(engine.fast_forward(3).draw(2)))
        return found

    assert ask(mg) == answer(torch, ask)


def test_all_dimensions(torch: Any) -> None:
    def ask(T: Any) -> Any:
        drawn = T.quasirandom.SobolEngine(1111).fast_forward(12345).draw(3, dtype=T.float64)
        return [[int(number) for number in row] for row in (drawn * 2**30).tolist()]

    assert ask(mg) == answer(torch, ask)


def test_default_generator_scrambles(torch: Any) -> None:
    def ask(T: Any) -> Any:
        T.manual_seed(3)
        drawn = T.quasirandom.SobolEngine(3, scramble=True).draw(3)
        return points(drawn), points(T.rand(2))

    assert ask(mg) == answer(torch, ask)


def test_first_point_has_the_default_dtype(torch: Any) -> None:
    def ask(T: Any) -> Any:
        T.set_default_dtype(T.float64)
        try:
            engine = T.quasirandom.SobolEngine(2, scramble=True, seed=1)
            return points(engine.draw()), points(engine.reset().draw(2, dtype=T.float32))
        finally:
            T.set_default_dtype(T.float32)

    assert ask(mg) == answer(torch, ask)


def test_result_is_written_to_out(torch: Any) -> None:
    def ask(T: Any) -> Any:
        out = T.empty(4, 2)
        engine = T.quasirandom.SobolEngine(2)
        result = engine.draw_base2(2, out=out)
        return points(result), points(out)

    assert ask(mg) == answer(torch, ask)


def test_powers_of_two(torch: Any) -> None:
    def ask(T: Any) -> Any:
        engine = T.quasirandom.SobolEngine(2)
        found = [points(engine.draw_base2(1)), points(engine.draw_base2(1))]
        return found, caught(lambda: engine.draw_base2(1))

    assert ask(mg) == answer(torch, ask)


def test_dimension_has_limits() -> None:
    for wrong in (0, mg.quasirandom.SobolEngine.MAXDIM + 1):
        with pytest.raises(ValueError, match=r"dimensionality for SobolEngine is \[1, 1111\]"):
            mg.quasirandom.SobolEngine(wrong)
