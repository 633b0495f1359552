"""Each rule about a gradient refines the answer to its broken program, and not to its sound one."""

from __future__ import annotations

import re
from types import ModuleType

import pytest
from minigrad_viz.diagnosis.refined import GRADIENTS, GradientRule
from minigrad_viz.texts.language import Language

from tests.viz.diagnosis.running import notebook

KEYS = [rule.key for rule in GRADIENTS]


def answers(library: ModuleType, program: str) -> tuple[str, str, str]:
    """Return the cause and the answers to the question in a program's last line."""
    text, _, question = program.strip().rpartition("\n")
    with notebook(library, text) as cells:
        assert cells.scope["error"] is None
        english, chinese = (cells.ask(question, language) for language in ("en", "zh"))
    return english.cause, english.text, chinese.text


def says(rule: GradientRule, language: Language, text: str) -> bool:
    """Return whether an answer has the rule's sentence, whatever is filled in."""
    pieces = re.split(r"\{\w+\}", rule.words(language).wrong)
    return re.search(".*?".join(map(re.escape, pieces)), text, re.DOTALL) is not None


@pytest.mark.parametrize("rule", GRADIENTS, ids=KEYS)
def test_gradient_rule_refines_its_program(lib: ModuleType, rule: GradientRule) -> None:
    cause, english, chinese = answers(lib, rule.broken)
    assert cause == rule.key if rule.renamed else cause in rule.causes, english
    assert says(rule, "en", english) and says(rule, "zh", chinese), english
    assert (f"Chapter {rule.chapter} " in english) == bool(rule.chapter), english
    quotes = re.findall(r"`[^`]*`", english)
    assert all(quote in chinese for quote in quotes), (quotes, chinese)


@pytest.mark.parametrize("rule", GRADIENTS, ids=KEYS)
def test_gradient_rule_leaves_its_sound_program_alone(lib: ModuleType, rule: GradientRule) -> None:
    cause, english, _ = answers(lib, rule.sound)
    assert cause != rule.key and not says(rule, "en", english), english


def test_gradient_rules_have_keys_of_their_own() -> None:
    assert len({*KEYS}) == len(KEYS)
