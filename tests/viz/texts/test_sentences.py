"""Every sentence exists in every language, with the same places for names and numbers."""

from __future__ import annotations

from string import Formatter
from typing import get_args

import pytest
from minigrad_viz.texts.language import LANGUAGES
from minigrad_viz.texts.sentences import SENTENCES, About, filled

# The line that changed a tensor stands in brackets in one language, in the sentence in the other.
OTHER_PLACES = {("explain", "changed_by")}


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_every_language_speaks_of_everything() -> None:
    assert set(SENTENCES) == set(LANGUAGES)
    for about in SENTENCES.values():
        assert tuple(about) == get_args(About)


@pytest.mark.parametrize("about", get_args(About))
def test_both_languages_have_same_placeholders(about: About) -> None:
    english, chinese = SENTENCES["en"][about], SENTENCES["zh"][about]
    assert list(english) == list(chinese)
    for key in english:
        if (about, key) not in OTHER_PLACES:
            assert places(english[key]) == places(chinese[key]), key


def test_filled_in_text_stays_unchanged() -> None:
    assert filled("en", "step", "first", {"added": "{target}", "target": "{"}) == (
        "{target} goes to {, where it is the first to arrive."
    )
