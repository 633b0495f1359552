"""The language of all displays: one setting, and the environment where it is not set.

The environment variable is MINIGRAD_LANGUAGE, so one cell shows Chinese in a Chinese notebook and
English in an English one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Literal, get_args

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

VARIABLE = "MINIGRAD_LANGUAGE"

Sentences = Mapping[str, Mapping[str, str]]
"""All sentences in one language: by subject, and by key."""

_setting: Language | None = None


def set_language(language: str | None) -> None:
    """Show everything from now on in `language`: "en" or "zh".

    None follows the environment variable MINIGRAD_LANGUAGE, as before the first call; without it,
    everything is shown in English. What was shown earlier keeps its language.

    Raises:
        ValueError: the language is neither of the two.

    >>> import minigrad_viz as viz
    >>> viz.set_language("zh")
    >>> print(viz.loss_curve([2.0, 1.0]))
    损失  2 个值，从 2 到 1，最低 1，在第 2 处
    >>> viz.set_language(None)
    """
    global _setting
    _setting = None if language is None else checked(language)


@contextmanager
def shown_in(language: Language) -> Iterator[None]:
    """Show everything in `language` inside the block."""
    global _setting
    before, _setting = _setting, language
    try:
        yield
    finally:
        _setting = before


def checked(language: str) -> Language:
    """Return `language` if it is one of `LANGUAGES`, else raise ValueError."""
    for known in LANGUAGES:
        if known == language:
            return known
    raise ValueError(f"language must be one of {', '.join(map(repr, LANGUAGES))}, not {language!r}")


def current_language() -> Language:
    """Return the language of what is shown now.

    A variable with another language ("de") means English, "zh_CN.UTF-8" means Chinese: it may have
    been set for other programs.
    """
    if _setting is not None:
        return _setting
    wanted = os.environ.get(VARIABLE, "").lower()
    return next((known for known in LANGUAGES if wanted.startswith(known)), "en")
