"""Functions that the lessons import: `predict`, `check`, `digits`, `quote`.

`predict` asks for the output of the next cell, `check` checks the answer to an exercise. Read
predictions/prediction.py, exercises/exercise.py and build.py, which turns a chapter's source into
notebooks. Importing the package in the folder of a language sets the language of every figure.
"""

from .data.digits import digits
from .exercises import check
from .lab.language import language, let_displays_follow
from .lab.quote import quote
from .predictions import predict

__all__ = ["check", "digits", "language", "predict", "quote"]

let_displays_follow()
