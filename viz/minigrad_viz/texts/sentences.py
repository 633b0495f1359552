"""A sentence by its key, in the language that is asked for, with its places filled.

english.py and chinese.py have the sentences, with the same keys in both, so neither lags behind.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from .chinese import CHINESE
from .english import ENGLISH
from .language import Language, Sentences

About = Literal[
    "picture",
    "step",
    "explain",
    "explore",
    "memory",
    "grad_flow",
    "doctor",
    "loss_curve",
    "both_modes",
]
"""What a sentence is about."""

SENTENCES: Mapping[Language, Sentences] = {"en": ENGLISH, "zh": CHINESE}


def sentences(language: Language, about: About) -> Mapping[str, str]:
    """All sentences about one matter, by key, with their places open."""
    return SENTENCES[language][about]


def filled(language: Language, about: About, key: str, parts: Mapping[str, object]) -> str:
    """One sentence. What is filled in stays as it is, whatever braces it contains."""
    return sentences(language, about)[key].format_map(parts)


def word(language: Language, key: str, **parts: object) -> str:
    """The words `key` in a picture or a tree."""
    return filled(language, "picture", key, parts)


def say(language: Language, key: str, **parts: object) -> str:
    """What is said about a step."""
    return filled(language, "step", key, parts)


def reason(language: Language, key: str, **parts: object) -> str:
    """A sentence of `explain`, or a part of one."""
    return filled(language, "explain", key, parts)
