"""Which language the reader has chosen: that of the folder whose notebook is running.

The code cells of a chapter are the same in every language, so no cell can say which one it is.
Jupyter starts a notebook's kernel in the notebook's own folder, and the folders are named after the
languages.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)


def language() -> Language:
    """The running notebook's language; English anywhere else."""
    folder = Path.cwd().name
    return next((known for known in LANGUAGES if known == folder), "en")
