"""The language of the lessons: that of the folder whose notebook is running.

The code cells of a chapter are the same in every language, so no cell can name it.
Jupyter starts a notebook's kernel in the notebook's own folder, and the folders are named after the
languages.
"""

from __future__ import annotations

import os
from pathlib import Path

from minigrad_viz.texts.language import LANGUAGES, VARIABLE, Language, current_language

__all__ = ["LANGUAGES", "Language", "language", "let_displays_follow"]


def language() -> Language:
    """Return the running notebook's language, else that of the environment, else English."""
    return _of_folder() or current_language()


def let_displays_follow() -> None:
    """Set the language of figures and steppers to that of the folder, if it has one."""
    if found := _of_folder():
        os.environ[VARIABLE] = found


def _of_folder() -> Language | None:
    folder = Path.cwd().name
    return next((known for known in LANGUAGES if known == folder), None)
