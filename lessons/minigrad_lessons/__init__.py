"""What the lessons import: `check`, which looks at an exercise's answer, the `digits`, and `quote`.

Read exercises/__init__.py for what an exercise is, build.py for how a chapter's one source becomes
its notebooks. Importing the package in the folder of a language lets every figure speak it.
"""

from .digits import digits
from .exercises import check
from .language import language, let_displays_follow
from .quote import quote

__all__ = ["check", "digits", "language", "quote"]

let_displays_follow()
