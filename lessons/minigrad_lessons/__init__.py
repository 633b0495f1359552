"""What the lessons import: `check`, which looks at an exercise's answer, and the `digits`.

Read exercises/__init__.py for what an exercise is, build.py for how a chapter's one source becomes
its notebooks. Importing the package in the folder of a language lets every figure speak it.
"""

from .digits import digits
from .exercises import check
from .language import language, let_displays_follow

__all__ = ["check", "digits", "language"]

let_displays_follow()
