"""The order of an answer: what is wrong and where, one cure, and the rest under "more"."""

from __future__ import annotations

from collections.abc import Sequence

from ..texts.language import Language
from .causes import Finding, Sentence

MOST_WORDS = 60
"""Words before "more"."""

CURES = ("cure_", "remade", "meant_as_leaf", "or_a_leaf_there", "filled_in_loop")
"""Beginnings of the keys of sentences that say what to write."""


def arrange(finding: Finding, language: Language) -> tuple[list[str], list[str]]:
    """Return the sentences of a short answer, and those that come under "more".

    An answer of at most `MOST_WORDS` words stays as it is. In a longer one, the first cure follows
    the first sentence, and then the others as long as there is room.
    """
    sentences = finding.sentences
    if count_words(sentences, language) <= MOST_WORDS or len(sentences) < 2:
        return list(sentences), []
    first, *others = sentences
    cures = [s for s in others if isinstance(s, Sentence) and s.key.startswith(CURES)]
    # The sentence before a cure says what it cures.
    cure = cures[0] if cures else None
    place = others.index(cure) if cure is not None else 0
    together = [first, *others[max(0, place - 1) : place], cure] if cure is not None else [first]
    if cure is not None and count_words(together, language) > MOST_WORDS:
        together = [first, cure]
    short = [s for s in together if s]
    for sentence in others:
        if sentence in short:
            continue
        if count_words([*short, sentence], language) > MOST_WORDS:
            break
        short.append(sentence)
    short = [s for s in sentences if s in short]
    return short, [s for s in sentences if s not in short]


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
