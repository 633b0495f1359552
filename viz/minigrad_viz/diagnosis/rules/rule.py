"""A rule: one defect, with its sentences and two programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...texts.language import Language
from ..causes import Finding, Sentence
from .evidence import Evidence


@dataclass(frozen=True)
class Match:
    """Finding of a rule: the parts of its sentences, the names that it is about, and nodes."""

    parts: Mapping[str, object] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    culprits: tuple[Any, ...] = ()
    more: tuple[str, ...] = ()
    """Further sentences, already in the reader's language."""
    rest: Finding | None = None
    """A finding that says more than the rule's cure, which it replaces."""


@dataclass(frozen=True)
class Words:
    """The sentences of a rule in one language: a title, what is wrong and where, and one cure."""

    title: str
    wrong: str
    cure: str


Finder = Callable[[Evidence], Match | Iterable[Match] | None]
"""Finds a defect; of watched steps, perhaps several times."""


@dataclass(frozen=True, kw_only=True)
class Told:
    """A defect and its sentences. `chapter` is the lessons' chapter, or "" if none teaches it."""

    key: str
    chapter: str = ""
    en: Words
    zh: Words

    def words(self, language: Language) -> Words:
        return self.zh if language == "zh" else self.en

    def sentences(self, match: Match, language: Language) -> list[str]:
        """Return what is wrong and where, then the cure, then the rest."""
        cures = [self.cure(match, language)] if match.rest is None else match.rest.sentences
        said = [self.wrong(match, language), *cures, *match.more]
        return [each for each in said if each]

    def wrong(self, match: Match, language: Language) -> str:
        return self.words(language).wrong.format_map(match.parts)

    def cure(self, match: Match, language: Language) -> Sentence:
        cure = Sentence(self.words(language).cure.format_map(match.parts))
        cure.key, cure.parts = f"cure_{self.key}", dict(match.parts)
        return cure

    def title(self, language: Language) -> str:
        return self.words(language).title


@dataclass(frozen=True, kw_only=True)
class Rule(Told):
    """One defect of programs that raise no error.

    `severity` is 3 if nothing is learned, 2 if something wrong is, and 1 for waste. `before` are
    the keys of rules that also match and say less.
    """

    severity: int = 3
    find: Finder
    broken: str
    """A program with the defect, which defines `loss`. The library is called `T`."""
    sound: str
    """A program that looks like it and is right."""
    before: tuple[str, ...] = ()
    watched: bool = False
    """Whether only watched steps show the defect."""

    def matches(self, evidence: Evidence) -> Iterable[Match]:
        found = self.find(evidence)
        return (found,) if isinstance(found, Match) else found or ()
