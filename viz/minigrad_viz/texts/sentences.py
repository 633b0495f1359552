"""Sentences by key, in each language, with their places filled.

english.py and chinese.py have the sentences, with the same keys.
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
    "forward_and_backward",
]
"""The subject of a sentence."""

SENTENCES: Mapping[Language, Sentences] = {"en": ENGLISH, "zh": CHINESE}


def sentences(language: Language, about: About) -> Mapping[str, str]:
    """All sentences about one matter, by key, with their places open."""
    return SENTENCES[language][about]


def filled(language: Language, about: About, key: str, parts: Mapping[str, object]) -> str:
    """One sentence. What is filled in stays as it is, whatever braces it contains."""
    return SENTENCES[language][about][key].format_map(parts)


def word(language: Language, key: str, **parts: object) -> str:
    """The words `key` in a picture or a tree."""
    return SENTENCES[language]["picture"][key].format_map(parts)


def say(language: Language, key: str, **parts: object) -> str:
    """Return a sentence about a step."""
    return SENTENCES[language]["step"][key].format_map(parts)


def reason(language: Language, key: str, **parts: object) -> str:
    """A sentence of `explain`, or a part of one."""
    return filled(language, "explain", key, parts)
