"""Judge a typed prediction by its value.

An answer is right if it has the values of a known spelling. A text that cannot be read, or whose
remark may be a doubt, is not judged, so it costs no try. judge.js does the same in a page.
tests/lessons/predicted_forms.json holds both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from .reading import (
    CLASSES,
    LONGEST,
    WORD,
    WORDS,
    Value,
    alike,
    folded,
    known_words,
    labelled,
    meaning,
    normal,
    read,
    reading,
)
from .remarks import explains, numbers_in, statements

__all__ = ["Verdict", "judge"]

Kind = Literal["known", "other", "unread"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The place of the known answer that was typed, or -1; and how the text was read."""

    place: int
    kind: Kind
    reading: str


NAMES_BEHIND = re.compile(WORDS["names behind"], re.ASCII)


def judge(
    typed: str, answers: Sequence[str], fields: Sequence[str] = (), unless: str = ""
) -> Verdict:
    """Find the known answer that was typed; the first one is right.

    A spelling may hold "any" for a value that does not matter. With the pattern `unless`, the right
    value stands in another statement, and is not judged.

    >>> judge("eighteen times", ["18", "9"])
    Verdict(place=0, kind='known', reading='18')
    >>> judge("maybe 18", ["18", "9"]).kind, judge("18 unchanged", ["18"], unless="unchanged").kind
    ('unread', 'unread')
    """
    if len(typed) > LONGEST:
        return Verdict(-1, "unread", typed.strip())
    plain = folded(typed)
    if by_field(typed, answers[0], len(fields)):
        return Verdict(0, "known", shown(read(normal(typed)), typed))
    head, colon, tail = plain.partition(":")
    before = normal(head) if colon and explains(":" + tail, answers) else ""
    verdict = judge_text(before, typed, answers, fields)
    if not before[-1:].isalpha() or verdict.place < 0:
        verdict = judge_text(labelled(normal(typed), fields), typed, answers, fields)
    for each in statements(plain, answers, fields) if verdict.place < 0 else ():
        said = judge_text(each.normal, typed, answers, fields)
        is_wrong = said.place > 0 and each.is_first and verdict.kind == "unread"
        if said.place == 0 or (is_wrong and not holds_right(plain, answers)):
            verdict = said
        if said.place == 0:
            break
    if verdict.place == 0 and (
        (unless and re.search(unless, plain)) or other_names(plain, answers)
    ):
        return Verdict(-1, "unread", verdict.reading)
    return verdict


def holds_right(plain: str, answers: Sequence[str]) -> bool:
    """Whether the values of the right answer stand anywhere in the text."""
    text = normal(plain)
    values = {*numbers_in(text), *WORD.findall(text)}
    return any(values.issuperset(meaning(each)) for each in answers[0].split("|"))


def by_field(typed: str, right: str, count: int) -> bool:
    """Whether the text has a line for each field, and each is right by itself, or told twice.

    >>> by_field("13\\nthree times that, 39", "13; 39", 2), by_field("13\\n13", "13; 39", 2)
    (True, False)
    """
    lines = typed.split("\n")
    if count < 2 or len(lines) != count:
        return False

    def is_right(line: str, value: str) -> bool:
        return any(judge(line, [each]).place == 0 for each in (value, f"{value}, {value}"))

    spellings = [re.split(";" if ";" in each else ",", each) for each in right.split("|")]
    return any(len(values) == count and all(map(is_right, lines, values)) for values in spellings)


def other_names(plain: str, answers: Sequence[str]) -> bool:
    """Whether a number is right that could be names, and a list of other names follows it.

    >>> other_names("2: x and y", ["2|w, b"]), other_names("2: w and b", ["2|w, b"])
    (True, False)
    """
    known = known_words(answers[:1]).difference(CLASSES.values())
    listed = NAMES_BEHIND.search(plain)
    names = set(re.findall("[a-z_]+", listed[1])) - {"and"} if listed else set()
    return bool(known) and any(not any(k.startswith(name) for k in known) for name in names)


def judge_text(text: str, typed: str, answers: Sequence[str], fields: Sequence[str]) -> Verdict:
    """Judge a normal text."""
    text = dashes_between(text, answers[0])
    for place, answer in enumerate(answers):
        if any(alike(text, spelling, fields) for spelling in answer.split("|")):
            return Verdict(place, "known", shown(read(text), typed))
    known = [meaning(spelling) for answer in answers for spelling in answer.split("|")]
    counts = sorted({len(values) for values in known})
    ways: Iterator[tuple[Value, ...]] = (reading(text, n, tuple(fields)) for n in counts)
    first = next(filter(None, ways), read(text) or ())
    names = {value for value in first if isinstance(value, str)}
    right = {len(meaning(spelling)) for spelling in answers[0].split("|")}
    is_listed = len(first) in right or is_list_of_names(first)
    is_known = known_words(answers).union(CLASSES.values()).issuperset(names)
    is_kind = len(names) > 0 or any(
        isinstance(value, float) for values in known for value in values
    )
    judged = first and is_listed and is_known and is_kind and is_built_like(first, answers[0])
    return Verdict(-1, "other" if judged else "unread", shown(first, typed))


def is_built_like(values: Sequence[Value], right: str) -> bool:
    """Whether names and numbers, if there are both, stand as in one of the spellings."""
    kinds = [isinstance(value, str) for value in values]
    if all(kinds) or set(values).isdisjoint(known_words([right]).difference(CLASSES.values())):
        return True
    spellings = (meaning(spelling) for spelling in right.split("|"))
    return any([isinstance(value, str) for value in each] == kinds for each in spellings)


def is_list_of_names(values: Sequence[Value]) -> bool:
    """Whether all values are names, or the only one a word; a list of names has any length."""
    names = [value for value in values if isinstance(value, str)]
    is_open = len(names) == 1 or set(names).isdisjoint(CLASSES.values())
    return is_open and len(names) == len(values)


def shown(values: Sequence[Value] | None, typed: str) -> str:
    """The values as the reader sees them; the text itself if there are none."""
    names = {"none": "None", "true": "True", "false": "False"}
    texts = (names.get(v, v) if isinstance(v, str) else f"{v:.6g}" for v in values or [])
    return ", ".join(texts) or typed.strip()


DASHES = re.compile(r"^\s*\w[\w.]*(?:\s*-\s*\w[\w.]*)+\s*$", re.ASCII)


def dashes_between(text: str, right: str) -> str:
    """Read "2-4-2-3" as a list, if a list of that length without negative numbers is right."""
    wanted = [meaning(spelling) for spelling in right.split("|")]
    count = text.count("-") + 1
    if not DASHES.match(text) or all(len(values) != count for values in wanted):
        return text
    if any(len(v) == 1 or (isinstance(n, float) and n < 0) for v in wanted for n in v):
        return text
    return text.replace("-", ",")
