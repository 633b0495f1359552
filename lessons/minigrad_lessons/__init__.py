"""What the lessons import: `check`, which looks at an exercise's answer, and the `digits`.

Read exercises/__init__.py for what an exercise is, build.py for how a chapter's one source becomes
its notebooks.
"""

from .digits import digits
from .exercises import check
from .language import language

__all__ = ["check", "digits", "language"]
