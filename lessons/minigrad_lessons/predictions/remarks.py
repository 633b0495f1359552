"""Find the answer in a text with a remark: "8, it doubles three times", "60, since g is 5".

A text is cut into clauses. A run of clauses may be the answer if each other clause explains: it
says something, and holds neither another answer nor a doubt. A remark turns no right answer wrong.
remarks.js does the same in a page.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .reading import (
    CLASSES,
    DOUBTS,
    FILLERS,
    HAN,
    HEDGES,
    SYMBOLS,
    WORD,
    WORDS,
    Value,
    agree,
    alike,
    by_length,
    known_words,
    labelled,
    meaning,
    normal,
    read,
    simpler,
)

CUT = re.compile(WORDS["cut"], re.ASCII)
"""What is between an answer and what explains it."""
GOES_ON = re.compile(WORDS["goes on"], re.ASCII)
"""What takes an answer back, or goes on to a second one."""
TELLS = re.compile(WORDS["tells"], re.ASCII)
ASIDE = re.compile(WORDS["aside"], re.ASCII)
"""What holds a number and is no answer: "用了新的 3", "the second one"."""
ENDS = re.compile(rf"\d[^\w{HAN}]*$", re.ASCII)
LITERAL = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.]*[a-z])", re.ASCII)
DENIES = re.compile(WORDS["denies"], re.ASCII)
"""A denial that explains: "5, it never moves"."""
CONCLUDES = re.compile(WORDS["concludes"], re.ASCII)
"""Words after which the answer comes."""
REASON = re.compile(WORDS["reason"], re.ASCII)
"""What begins a clause that may name any number."""
CONTRAST = re.compile(WORDS["contrast"], re.ASCII)
"""A number that is not the answer: "not 12", "instead of 7"."""
RESTATES = re.compile(WORDS["restates"], re.ASCII)
"""A clause with an operation or a word, not only numbers."""
STATES = re.compile(WORDS["states"], re.ASCII)
ALSO = re.compile(WORDS["also"], re.ASCII)
LATER = re.compile(WORDS["later"], re.ASCII)
BRACKETS = re.compile(r"[\[(][-\d\s.,]*[\])]", re.ASCII)
VALUES = {"none", "nan", "inf", "error"}
DENIALS = {"no", "not", "never", "false"}
PLACES = {word: place for place, words in enumerate(WORDS["places"]) for word in words.split()}
BETWEEN = re.compile(WORDS["between"], re.ASCII)
PLACED = tuple(
    re.compile(f"(?a){each.replace('(?<', '(?P<').replace('PLACE', by_length([*PLACES]))}")
    for each in WORDS["placed"]
)
"""Clauses that name a place in a list: "1 for the first", "第 0 个是 1"."""
LONGEST_CLAUSES = 12


@dataclass(frozen=True, slots=True)
class Statement:
    """A normal text that may be the answer in what was typed."""

    normal: str
    is_first: bool = False
    """Whether what was typed begins so; a wrong answer is taken from such a text alone."""


def statements(
    plain: str, answers: Sequence[str], fields: Sequence[str] = ()
) -> Iterator[Statement]:
    """Yield the normal texts that may be the answer in a text, the rest of which is a remark.

    >>> [each.normal for each in statements("8, it doubles", ["8", "6"])][-2:]
    ['8', '8']
    """
    for part in spans(plain, answers):
        text = labelled(normal(part), fields)
        yield Statement(text, plain.startswith(part))
        yield from (Statement(normal(each)) for each in (*parts_told(part), *conclusions(part)))
        yield Statement(without_unknown(text, answers))


def spans(plain: str, answers: Sequence[str]) -> Iterator[str]:
    """Yield each run of clauses, the longest first, of which the others only explain."""
    masked = BRACKETS.sub(lambda found: "0" * len(found[0]), plain)
    cuts = list(CUT.finditer(masked))[:LONGEST_CLAUSES]
    starts, ends = [0, *(c.end() for c in cuts)], [*(c.start() for c in cuts), len(plain)]
    explain: list[bool] = []
    reasons = False
    for start, end in zip([0, *ends], [*starts[1:], len(plain)], strict=False):
        clause = plain[start:end]
        reasons = (reasons and clause[:1] == ",") or bool(REASON.match(clause))
        explain.append(explains(clause, answers, reasons))
    count = len(explain)
    for length in range(count, 0, -1):
        for first in range(count - length + 1):
            part = plain[starts[first] : ends[first + length - 1]]
            others = explain[:first] + explain[first + length :]
            if all(others) and not CONTRAST.match(part):
                yield part


def explains(clause: str, answers: Sequence[str], goes_on: bool = False) -> bool:
    """Whether a clause says something, but neither another answer nor a doubt.

    With `goes_on`, a clause before it gives the reason, so that it may name any number.

    >>> explains("5 times 12", ["60", "12"]), explains("it doubles", ["60"])
    (True, True)
    >>> explains("12", ["60", "12"]), explains("doubled", ["60"]), explains("or not", ["60"])
    (False, False, False)
    """
    meant = [meaning(spelling) for spelling in answers[0].split("|")]
    right = {value for values in meant for value in values}
    clause = without_contrast(clause.strip(), meant)
    text = normal(bare(clause)).strip()
    if not text:
        return True
    if RESTATES.search(clause) and any(alike(text, each) for each in answers[0].split("|")):
        return True
    if any(hedge in clause for hedge in HEDGES if not hedge.isascii()):
        return False
    reasons, works = REASON.match(clause), makes(numbers_in(text), meant)
    mentioned = ASIDE.sub(" some ", clause)
    numbers = [float(each) for each in LITERAL.findall(mentioned)]
    words = {CLASSES.get(word, word) for word in WORD.findall(normal(bare(mentioned)))}
    told = {word for word in words.difference(CLASSES.values(), FILLERS, SYMBOLS) if tells(word)}
    if not (reasons or works):
        is_value = numbers or words & known_words(answers) & {*VALUES, "true"}
        if GOES_ON.search(mentioned) or (LATER.search(mentioned) and (is_value or not told)):
            return False
        if not goes_on and is_second(mentioned, numbers, answers):
            return False
    denies = DENIES.search(clause)
    says = (works, told, denies, TELLS.search(clause), clause.endswith(":") and not numbers)
    is_quiet = words and words <= FILLERS and not numbers_in(text)
    doubts = len(words) > 1 and words & DOUBTS and not numbers
    gives = (reasons and (reasons[1] or len(words) > 2)) or (goes_on and words - VALUES)
    if not (any(says) or doubts or gives or is_quiet):
        return False
    blocked = (known_words(answers[1:]) - {"none", "false", *right}) | {"error", "true"} - right
    if reasons:
        blocked -= words
    elif right <= known_words(answers[:1]) and told - blocked and not ALSO.search(clause):
        blocked.intersection_update(CLASSES.values())  # "b, w is detached"
    blocked |= HEDGES
    may_deny = ("false",) in meant or (denies and (reasons or not numbers))
    return words.isdisjoint(blocked - DENIALS if may_deny else blocked)


def bare(clause: str) -> str:
    """The clause without the signs around it, and without a bracket that has no other.

    >>> bare(", -log(0.1)"), bare(": 12)")
    ('-log(0.1)', '12')
    """
    clause = clause.strip(" ,;:、")
    return clause if clause.count("(") == clause.count(")") else clause.strip("()")


def tells(word: str) -> bool:
    """Whether a word has a meaning of its own, and is no doubt."""
    if word < "z":
        return len(word) > 1 and "." not in word and word not in DOUBTS
    return len(word) > 3 or not any(doubt in word for doubt in DOUBTS if doubt > "z")


def without_contrast(clause: str, meant: Sequence[tuple[Value, ...]]) -> str:
    """The clause without a value that it says is not the answer: "not 12", "instead of 7"."""
    found = CONTRAST.match(clause)
    values = (read(normal(found[1])) or meant[0]) if found else meant[0]
    is_value = all(isinstance(each, float) or each in VALUES for each in values)
    return clause[found.end() :] if found and is_value and values not in meant else clause


def is_second(clause: str, numbers: Sequence[float], answers: Sequence[str]) -> bool:
    """Whether numbers in a clause may be another answer."""
    wrong = {meaning(spelling) for each in answers[1:] for spelling in each.split("|")}
    meant = [meaning(spelling) for spelling in answers[0].split("|")]
    if not wrong.isdisjoint((each,) for each in numbers):
        return True
    if numbers and {value for values in meant for value in values}.issuperset(numbers):
        return False
    length = min(map(len, meant))
    is_end = len(numbers) >= length if length > 1 else ENDS.search(clause)
    return bool(is_end or STATES.search(clause))


def makes(numbers: Sequence[float], meant: Sequence[tuple[Value, ...]]) -> bool:
    """Whether a single value that is meant is the product, sum or quotient of the numbers."""
    if len(numbers) < 2 or 0.0 in numbers:
        return False
    given = [math.prod(numbers), sum(numbers), numbers[0] / numbers[1]]
    return any(
        len(values) == 1 and isinstance(values[0], float) and agree(each, values[0])
        for values in meant
        for each in given
    )


def numbers_in(text: str) -> list[float]:
    """The numbers in a normal text, whatever is between them."""
    found = read(re.sub(r"[^\d.,-]+|-(?!\d)", " ", text), split=True) or ()
    return [each for each in found if isinstance(each, float)]


def parts_told(plain: str) -> Iterator[str]:
    """Yield the text with the parts of a list written out, as each rule that applies leaves it.

    The caller may accept an answer on this, but not refuse one.

    >>> list(parts_told("1 for the first, 0 for the second"))
    ['1, 0']
    >>> list(parts_told("two bring 3, one brings 1"))
    ['3, 3, one brings 1', '3, 3, 1']
    """
    yield from in_places(plain)
    yield from simpler(plain, "parts")


def in_places(plain: str) -> Iterator[str]:
    """Yield the values of clauses that each name a place, in the order of the places."""
    clauses = [each for each in BETWEEN.split(plain) if each.strip()]
    ways = ([way.match(each) for way in PLACED] for each in clauses)
    found = [next(filter(None, each), None) for each in ways]
    told = {PLACES[each["place"]]: each["value"] for each in found if each}
    places = sorted(told)
    if len(places) > 1 and len(places) == len(clauses) and places[0] < 2:
        if places == list(range(places[0], places[0] + len(places))):
            yield ", ".join(told[place] for place in places)


def conclusions(plain: str) -> Iterator[str]:
    """Yield what follows each word that concludes, if nothing before it takes it back.

    The caller may accept an answer on this, but not refuse one.

    >>> list(conclusions("goes to 8, returns to 0")), list(conclusions("not so 0"))
    ([' 0'], [])
    """
    for found in CONCLUDES.finditer(plain):
        before = plain[: found.end()]
        is_hedged = any(h in before for h in HEDGES if not h.isascii())
        if HEDGES.isdisjoint(WORD.findall(before)) and not is_hedged:
            yield plain[found.end() :]


def without_unknown(text: str, answers: Sequence[str]) -> str:
    """The text without words that say nothing here; nothing if one of them may be a doubt.

    The caller may accept an answer on this, but not refuse one.

    >>> without_unknown("stuck at 5", ["5", "3"]).split()
    ['at', '5']
    >>> without_unknown("close to 5", ["5", "3"])
    ''
    """
    known, words = known_words(answers), set(WORD.findall(text))
    unknown = words.difference(known, CLASSES, CLASSES.values(), FILLERS, SYMBOLS)
    is_list = words & known.difference(CLASSES.values())  # and another name may belong to it
    is_choice = {"true", "false"} & set(meaning(answers[0].split("|")[0]))
    if is_list or is_choice or re.search(r"\d[a-z_]", text):
        return ""
    if any(d in word if not d.isascii() else d == word for d in DOUBTS for word in unknown):
        return ""
    return WORD.sub(lambda found: " " if found[0] in unknown else found[0], text)
