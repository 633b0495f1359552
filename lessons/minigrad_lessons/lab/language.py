"""Which language the reader has chosen: that of the folder whose notebook is running.

The code cells of a chapter are the same in every language, so no cell can say which one it is.
Jupyter starts a notebook's kernel in the notebook's own folder, and the folders are named after the
languages.
"""

from __future__ import annotations

import os
from pathlib import Path

from minigrad_viz.texts.language import LANGUAGES, VARIABLE, Language, chosen

__all__ = ["LANGUAGES", "Language", "language", "let_displays_follow"]


def language() -> Language:
    """The running notebook's language; anywhere else that of the environment, or English."""
    return _of_folder() or chosen(None)


def let_displays_follow() -> None:
    """Let figures and steppers speak the language of the folder, if it has one."""
    if spoken := _of_folder():
        os.environ[VARIABLE] = spoken


def _of_folder() -> Language | None:
    folder = Path.cwd().name
    return next((known for known in LANGUAGES if known == folder), None)
