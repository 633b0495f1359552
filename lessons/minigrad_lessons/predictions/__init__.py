"""The predictions of the course and `predict`, which asks for one before its cell is run.

A chapter's predictions are in the module with its number. prediction.py defines a prediction.
predict.js judges an answer, in a notebook's output and on the web site alike.
"""

from __future__ import annotations

import importlib
import pkgutil

from ..lab.language import language
from .prediction import Asked, Prediction

CHAPTERS = sorted(m.name for m in pkgutil.iter_modules(__path__) if m.name.startswith("chapter_"))

PREDICTIONS: dict[str, Prediction] = {
    name: prediction
    for chapter in CHAPTERS
    for name, prediction in importlib.import_module(f".{chapter}", __name__).PREDICTIONS.items()
}


def predict(name: str) -> Asked:
    """Return the box that asks for prediction `name` ("02.a"), for a notebook or a page.

    Raises ValueError if there is no prediction of this name.

    >>> predict("00.a").prediction.right
    '-4'
    """
    if name not in PREDICTIONS:
        raise ValueError(f"there is no prediction {name!r}")
    return Asked(name, PREDICTIONS[name], language())
