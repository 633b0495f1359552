"""In which language a display speaks: the one asked for, else the reader's, else English.

The reader's language is what the environment variable MINIGRAD_LANGUAGE says, so that one and the
same cell speaks Chinese in a Chinese notebook and English in an English one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal, get_args

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

VARIABLE = "MINIGRAD_LANGUAGE"

Sentences = Mapping[str, Mapping[str, str]]
"""Everything that is said in one language: by what it is about, and by key."""


def chosen(language: str | None) -> Language:
    """`language` if it is given, else what the environment says, else English.

    ValueError if what is asked for is not one of LANGUAGES. An environment that names another
    language ("de", "zh_CN.UTF-8") is no mistake of the program's: the nearest is taken.
    """
    if language is None:
        wanted = os.environ.get(VARIABLE, "").lower()
        return next((known for known in LANGUAGES if wanted.startswith(known)), "en")
    for known in LANGUAGES:
        if known == language:
            return known
    raise ValueError(f"language must be one of {', '.join(map(repr, LANGUAGES))}, not {language!r}")
