"""What the lessons import: `check`, which looks at an exercise's answer.

Read exercises/__init__.py for what an exercise is, build.py for how a chapter's one source becomes
its notebooks.
"""

from .exercises import check
from .language import language

__all__ = ["check", "language"]
