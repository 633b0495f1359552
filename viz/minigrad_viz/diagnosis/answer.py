"""The order of an answer: what is wrong and where, one cure, and the rest under "more"."""

from __future__ import annotations

from collections.abc import Sequence

from ..texts.language import Language
from .causes import Finding, Sentence

MOST_WORDS = 60
"""Words before "more"."""

CURES = ("cure_", "remade", "meant_as_leaf", "or_a_leaf_there", "filled_in_loop", "changed_by")
"""Beginnings of the keys of sentences that say what to write."""


def arrange(finding: Finding, language: Language) -> tuple[list[str], list[str]]:
    """Return the sentences of a short answer, and those that come under "more".

    An answer of at most `MOST_WORDS` words stays as it is; the chapter does not count. A longer one
    keeps its first sentence, its first cure with the sentence before, and what there is room for.
    """
    sentences = finding.sentences
    lesson = [s for s in sentences if isinstance(s, Sentence) and s.key == "lesson"]
    told = [s for s in sentences if s not in lesson]
    if count_words(told, language) <= MOST_WORDS or len(told) < 2:
        return list(sentences), []
    first, *others = told
    cures = [s for s in others if isinstance(s, Sentence) and s.key.startswith(CURES)]
    short = [first]
    if cures:  # the sentence before a cure says what it cures
        place = others.index(cures[0])
        short += others[max(0, place - 1) : place + 1]
    for sentence in others:
        if sentence not in short and count_words([*short, sentence], language) > MOST_WORDS:
            break
        short.append(sentence)
    if set(told) <= set(short):
        return list(sentences), []
    return [s for s in sentences if s in short], [s for s in sentences if s not in short]


def count_words(sentences: Sequence[str], language: Language) -> int:
    """Count words; of Chinese, two characters for a word.

    >>> count_words(["Write `w = 1`."], "en")
    4
    """
    text = " ".join(sentences)
    if language == "en":
        return len(text.split())
    wide = sum(ord(letter) > 0x2E80 for letter in text)
    return wide // 2 + sum(word.isascii() for word in text.split())
