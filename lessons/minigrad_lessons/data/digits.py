"""The handwritten digits that the lessons train on.

They are in the package: 57 kB are less than any library that has them, and a lesson must run
without a network. LICENSE.md names the authors.
"""

from __future__ import annotations

import gzip
from importlib.resources import files

import numpy as np

SIDE = 8


def digits() -> tuple[np.ndarray, np.ndarray]:
    """Return the images, [1797, 8, 8] with ink from 0 to 16, and the digit of each image.

    >>> images, labels = digits()
    >>> images.shape, images.dtype, labels.shape, labels.dtype
    ((1797, 8, 8), dtype('uint8'), (1797,), dtype('int64'))
    >>> labels[:10].tolist()
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    """
    packed = (files(__package__) / "digits.csv.gz").read_bytes()
    table = np.loadtxt(gzip.decompress(packed).decode().splitlines(), delimiter=",")
    images = table[:, :-1].astype(np.uint8).reshape(-1, SIDE, SIDE)
    return images, table[:, -1].astype(np.int64)
