"""What the lessons import: `predict`, which asks what the next cell will put out, `check`, which
looks at an exercise's answer, the `digits`, and `quote`.

Read predictions/prediction.py for what a prediction is, exercises/__init__.py for what an exercise
is, build.py for how a chapter's one source becomes its notebooks. Importing the package in the
folder of a language lets every figure speak it.
"""

from .digits import digits
from .exercises import check
from .language import language, let_displays_follow
from .predictions import predict
from .quote import quote

__all__ = ["check", "digits", "language", "predict", "quote"]

let_displays_follow()
