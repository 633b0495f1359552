"""Direction numbers of Sobol's sequences.

`sobol_numbers.txt` lists a primitive polynomial and a few first numbers for each dimension. The
others follow from them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

BITS = 30


@cache
def first_numbers() -> list[list[int]]:
    """Return for each dimension but the first its polynomial and first direction numbers."""
    lines = Path(__file__).with_name("sobol_numbers.txt").read_text("ascii").splitlines()
    return [list(map(int, line.split())) for line in lines if line[0] != "#"]


def directions(dimension: int) -> Any:
    """Return the direction numbers: a row of 30 for each dimension, each shifted to its bit."""
    rows = [[1] * BITS]
    for polynomial, *numbers in first_numbers()[: dimension - 1]:
        degree = len(numbers)
        for place in range(degree, BITS):
            before = numbers[place - degree]
            new = before ^ before << degree
            for back in range(1, degree):
                if polynomial >> (degree - 1 - back) & 1:
                    new ^= numbers[place - back] << back
            numbers.append(new)
        rows.append(numbers)
    return np.array(rows, np.int64) << np.arange(BITS - 1, -1, -1)
