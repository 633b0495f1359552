"""Read a typed prediction as a list of numbers and words.

"18 times", "十八倍" and "3·6" are [18], "13 and 39" is [13, 39], "it is None" is ["none"]. What
cannot be read is None. reading.js does the same in a page, with the words of words.json.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

WORDS: dict[str, Any] = json.loads((Path(__file__).parent / "words.json").read_text("utf-8"))
CLASSES = {word: name for name, words in WORDS["classes"].items() for word in words.split()}
WHOLE: dict[str, str] = {
    word: name for name, words in WORDS["whole"].items() for word in words.split("|")
}
HEDGES = set(WORDS["hedges"].split())
FILLERS = set(WORDS["fillers"].split())
DOUBTS = HEDGES.union(WORDS["doubts"].split())
"""Words that may change what the words around them say."""
HAN = "\u4e00-\u9fff〇"
DIGITS = {sign: "零一二三四五六七八九".index(sign) for sign in "零一二三四五六七八九"} | {
    "〇": 0,
    "两": 2,
}
SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10000}
REWRITES: dict[str, list[tuple[re.Pattern[str], str]]] = {
    stage: [(re.compile(pattern, re.ASCII), new.replace("$", "\\")) for pattern, new in rules]
    for stage, rules in WORDS["rewrites"].items()
}
"""Rules of words.json by stage; in both programs with the regular expressions of a page."""
NUMERAL = "[零〇一二两三四五六七八九十百千万]+(?:点[零〇一二三四五六七八九]+)?"
PHRASES = (
    {word: f" {CLASSES.get(word, word)} " for word in HEDGES.union(CLASSES) if not word.isascii()}
    | dict.fromkeys(WORDS["units"].split(), " ")
    | WORDS["phrases"]
)
COUNTED = WORDS["numbers"].split()
TENS = {word: 20 + 10 * place for place, word in enumerate(WORDS["tens"].split())}
FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sqrt": math.sqrt,
    "exp": math.exp,
    "ln": math.log,
    "log": math.log,
    "log10": math.log10,
    "log2": math.log2,
    "abs": abs,
}
CONSTANTS = {"pi": math.pi, "e": math.e}
SYMBOLS = {*FUNCTIONS, *CONSTANTS}
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
LONGEST = 2_000
"""Letters in a text that is read."""
FRACTIONS = "½¼¾⅓⅔⅕⅛⅙"

Value = float | str
Item = Value | list[Any]


def by_length(words: Iterator[str] | Sequence[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


FOUND_HAN = re.compile(
    f"(?P<phrase>{by_length([word for word in PHRASES if not word.isascii()])})"
    f"|(?P<below>{NUMERAL})分之(?P<above>{NUMERAL})|(?P<number>{NUMERAL})"
)
FOUND_PHRASE = re.compile(
    rf"\b(?:{by_length([word for word in PHRASES if word.isascii()])})\b", re.ASCII
)


def replaced(pattern: str, new: str | Callable[[re.Match[str]], str], text: str) -> str:
    """Replace a pattern in a text, with the words and digits of a page's regular expressions."""
    return re.sub(pattern, new, text, flags=re.ASCII)


def chinese_number(text: str) -> str:
    """Return a Chinese numeral in digits.

    >>> chinese_number("八百一十"), chinese_number("二点三"), chinese_number("七百五")
    ('810', '2.3', '750')
    """
    whole, _, decimals = (
        "".join(str(DIGITS.get(sign, sign)) for sign in part) for part in text.partition("点")
    )
    if any(sign in SCALES for sign in whole):
        total, digit, fresh = 0, 0, True
        for sign in whole:
            if sign in "0123456789":
                digit, fresh = int(sign), False
            elif sign == "万":
                total, digit, fresh = (total + digit) * SCALES[sign], 0, True
            else:
                total, digit, fresh = total + (1 if fresh else digit) * SCALES[sign], 0, True
        if re.search("[百千万][1-9]$", whole):
            digit *= SCALES[whole[-2]] // 10
        whole = str(total + digit)
    return f"{whole or 0}.{decimals}" if decimals else whole


def replace_han(found: re.Match[str]) -> str:
    if found["phrase"]:
        return str(PHRASES[found["phrase"]])
    if found["number"]:
        return f" {chinese_number(found['number'])} "
    return f" ({chinese_number(found['above'])}/{chinese_number(found['below'])}) "


def english_numbers(text: str) -> str:
    """Replace English numerals by digits, and "three halves" by a fraction.

    >>> english_numbers("three hundred and sixty, twenty-four, two halves")
    '360, 24, (2/2)'
    """
    small, tens = "|".join(COUNTED), "|".join(TENS)

    def below_hundred(found: re.Match[str]) -> str:
        unit = found[2] or found[3]
        return str(TENS.get(found[1], 0) + (COUNTED.index(unit) if unit else 0))

    text = replaced(rf"\b(?:({tens})(?:[- ]({small}))?|({small}))\b", below_hundred, text)
    text = replaced(
        r"(?:\b(\d+|a) )?\bhundred\b(?:(?: and)? (\d+)\b)?",
        lambda found: str(int((found[1] or "1").replace("a", "1")) * 100 + int(found[2] or 0)),
        text,
    )
    text = replaced(r"\b(\d+) point((?: \d)+)", lambda f: f"{f[1]}.{f[2].replace(' ', '')}", text)
    text = replaced(r"\b([1-9]\d*) and (?:a|1) half\b", r"(\1+1/2)", text)
    text = replaced(r"\b(\d+)(?:st|nd|rd|th)\b", r"\1", text)
    parts, ordinals = WORDS["parts"], WORDS["ordinals"]
    text = replaced(
        rf"\b(\d+|a) ({by_length(list(ordinals))})\b",
        lambda found: f"({found[1].replace('a', '1')}/{ordinals[found[2]]})",
        text,
    )
    text = replaced(
        rf"\b({by_length(list(ordinals))})\b", lambda found: str(ordinals[found[1]]), text
    )
    text = replaced(
        rf"\b(?:(\d+|a) )?({by_length(list(parts))})\b",
        lambda found: f"({(found[1] or '1').replace('a', '1')}/{parts[found[2]]})",
        text,
    )
    return text


def rewritten(text: str, stage: str) -> str:
    """Apply the rules of a stage, one after the other."""
    for pattern, new in REWRITES[stage]:
        text = pattern.sub(new, text)
    return text


def folded(typed: str) -> str:
    """The text in small letters, with plain digits, powers and fractions."""
    text = replaced("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+", lambda f: "**" + f[0].translate(SUPERSCRIPTS), typed)
    text = replaced(
        rf"(\d*)([{FRACTIONS}])",
        lambda f: f"({f[1] or 0}+{unicodedata.normalize('NFKC', f[2])})",
        text.replace("，", ", "),
    )
    return unicodedata.normalize("NFKC", text).lower().replace("\u2044", "/")


@lru_cache(maxsize=4096)
def normal(answer: str) -> str:
    """Return the text with signs of one kind, digits for numerals, and without quotes."""
    text = rewritten(folded(answer), "before")
    for signs, sign in SIGNS:
        text = replaced(signs, sign, text)
    text = replaced(r",?\s*\b(?:dtype|grad_fn|requires_grad|device)=[^,)\n]*", "", text)
    text = replaced(r"\b(?:torch|mg|np|math)\.|\b(?:tensor|size|array)(?=\()", "", text)
    text = REPEATED.sub(lambda found: ", ".join([found[1]] * int(found[2])), text)
    bare = text.strip(" .!")
    if bare in WHOLE:
        return WHOLE[bare]
    text = replaced(r"\b([a-z]\w*(?:\.\w+)?)\[\d+\]\s*(?==)", r"\1", text)
    text = replaced(r"\b([a-z]\w*\.[a-z]\w*)\s*(?:is\b|是|为|等于)", r" \1 =", text)
    text = rewritten(FOUND_HAN.sub(replace_han, english_numbers(text)), "after")
    text = FOUND_PHRASE.sub(lambda found: str(PHRASES[found[0]]), text)
    text = replaced(r"\ba (?!(?:last|first|is|gets|has|comes|then)\b)(?=[a-z]{2})", "", text)
    text = replaced("(?<=[a-z])-(?=[a-z])", " ", text)
    text = replaced(r"(?<=\d) of (?:the )?\d+\b", "", text)
    text = replaced(r"(\d|\binf(?:inity)?)\s*times\s+(?=[-\d(])", r"\1*", text)
    text = replaced(r"(?<=[\d)\]])\s*[x×]\s*(?=[-\d(\[])", "×", text)
    return replaced(r"(?<=\d)\s*[x×*](?=\s*(?:$|,))", "", text)


SIGNS = (
    ("[−–—‒]", "-"),
    ("->|=>|[→⇒>]", ","),
    ("[⋅·∙•∗✕]", "*"),
    ("×", "×"),
    ("÷", "/"),
    ("√", " sqrt "),
    ("π", " pi "),
    ("∞", " inf "),
    ("[~`\"'“”‘’「」?]", " "),
    ("[、;\n]", ", "),
    (r"[。.!](?=\s*$)", " "),
    (r"\^", "**"),
)
REPEATED = re.compile(r"\[([^\[\],\s]+)\]\s*\*\s*([1-9])(?!\d)")
"""A list of one, repeated: "[0] * 2"."""
WORD = re.compile(rf"[a-z_][\w.]*(?<!\.)(?![\w.]*\s*[=:])|[{HAN}]+", re.ASCII)
TOKEN = re.compile(
    r"(?P<space>\s*)(?:(?P<number>(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?P<percent>%?)"
    rf"|(?P<word>[a-z_][\w.]*(?<!\.)|[{HAN}]+)|(?P<sign>\*\*|\S))",
    re.ASCII,
)


class UnreadableError(Exception):
    """Raised if a text is no list of values."""


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    apart: bool
    """Whether a blank is before it."""


def tokens(text: str) -> list[Token]:
    """Return the tokens of a normal text, without words that say nothing."""
    found = []
    for match in TOKEN.finditer(text.rstrip()):
        apart = bool(match["space"])
        if match["number"]:
            number = float(match["number"].replace("_", ""))
            value = number / 100 if match["percent"] else number
            found.append(Token("number", repr(value), apart))
        elif match["word"]:
            word = str(match["word"])
            word = "error" if word.endswith("error") else CLASSES.get(word, word)
            if glued := re.fullmatch(r"(ln|log)(\d+)", word):
                follows = text[match.end() :].lstrip()[:1]
                if word not in FUNCTIONS or not (follows == "(" or follows.isdigit()):
                    found += [Token("word", glued[1], apart), Token("number", glued[2], False)]
                    continue
            found.append(Token("word", word, apart))
        else:
            found.append(Token("sign", match["sign"], apart))
    return without_fillers(found)


def without_fillers(found: list[Token]) -> list[Token]:
    """Drop words that say nothing; "x.grad =" and "b:" become labels."""
    kept: list[Token] = []
    for place, token in enumerate(found):
        after = found[place + 1].text if place + 1 < len(found) else ""
        if token.kind == "word" and after in ("=", ":") and token.text not in CLASSES.values():
            kept.append(Token("label", token.text, token.apart))
        elif token.text in ("=", ":") and kept and kept[-1].kind == "label":
            continue
        elif token.kind != "word" or token.text not in FILLERS:
            kept.append(token)
    return kept


class Reader:
    """Parse tokens as a list of expressions, with or without commas.

    With `split`, an operator between numbers separates them: "2x4" is two numbers.
    """

    def __init__(self, found: list[Token], split: bool) -> None:
        self.tokens, self.at, self.split = found, 0, split
        self.labels: list[tuple[str, int]] = []

    def next(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self, *signs: str) -> str:
        token = self.next()
        if token is None or token.kind != "sign" or token.text not in signs:
            return ""
        self.at += 1
        return token.text

    def all(self) -> list[Item]:
        found = self.items()
        if self.next() is not None:
            raise UnreadableError
        return found

    def items(self) -> list[Item]:
        """Items up to a closing bracket or the end."""
        found: list[Item] = []
        separators = (",", ":", "&", "+", "*", "/", "×", "=") if self.split else (",", ":", "&")
        while (token := self.next()) is not None:
            if self.take(*separators):
                continue
            if token.kind == "sign" and token.text not in "-+([{":
                break
            if token.kind == "label":
                self.labels.append((token.text, len(found)))
                self.at += 1
                continue
            found.append(self.equation())
        return found

    def equation(self) -> Item:
        value = self.sum()
        while not self.split and self.take("="):
            other = self.sum()
            if not agree(value, other):
                raise UnreadableError
            value = other
        return value

    def binary(self, *signs: str) -> str:
        """Take an operator; a minus that only its number follows begins another number."""
        token = self.next()
        if self.split:
            behind = self.tokens[self.at + 1 : self.at + 2]
            is_minus = token is not None and token.text == "-" and "-" in signs
            if not is_minus or (token and token.apart and behind and not behind[0].apart):
                return ""
        return self.take(*signs)

    def sum(self) -> Item:
        value = self.product()
        while sign := self.binary("+", "-"):
            value = combined(sign, value, self.product())
        return value

    def product(self) -> Item:
        value = self.factor()
        while sign := self.binary("*", "/", "×"):
            value = combined(sign, value, self.factor())
        return value

    def factor(self) -> Item:
        if self.take("-"):
            return combined("*", -1.0, self.factor())
        if self.take("+"):
            return self.factor()
        base = self.atom()
        return combined("**", base, self.factor()) if self.take("**") else base

    def atom(self) -> Item:
        token = self.next()
        if token is None:
            raise UnreadableError
        self.at += 1
        if token.kind == "number":
            return self.scaled(float(token.text))
        if token.kind == "word":
            return self.word(token.text)
        closing = {"(": ")", "[": "]", "{": "}"}.get(token.text)
        if closing is None:
            raise UnreadableError
        split, self.split = self.split, self.split and token.text != "("
        inner = self.items()
        self.split = split
        if not self.take(closing):
            raise UnreadableError
        return inner[0] if len(inner) == 1 and token.text == "(" else inner

    def scaled(self, number: float) -> Item:
        """The number, or its product with a constant or function that touches it, as in 2π."""
        token = self.next()
        named = token is not None and token.text in ("pi", *FUNCTIONS)
        return combined("*", number, self.factor()) if named and not self.split else number

    def argument(self, function: str) -> Item:
        """Read the argument of a function: 1/10 in "ln 1/10", 10 in "ln 10 / 2"."""
        after = self.tokens[self.at : self.at + 3]
        if (
            function[0] == "l"
            and [token.kind for token in after] == ["number", "sign", "number"]
            and after[1].text == "/"
            and not (after[1].apart or after[2].apart)
        ):
            return self.product()
        return self.factor()

    def word(self, word: str) -> Item:
        if word in FUNCTIONS and self.next() is not None:
            value = self.argument(word)
            if not isinstance(value, float):
                raise UnreadableError
            return float(FUNCTIONS[word](value))
        return math.inf if word == "inf" else math.pi if word == "pi" else word


def combined(sign: str, one: Item, other: Item) -> Item:
    """One operation; a list takes part with each of its parts, and two add part by part."""
    if isinstance(one, list) and isinstance(other, list):
        if sign not in "+-" or len(one) != len(other):
            raise UnreadableError
        return [combined(sign, *parts) for parts in zip(one, other, strict=True)]
    if isinstance(one, list):
        return [combined(sign, part, other) for part in one]
    if isinstance(other, list):
        return [combined(sign, one, part) for part in other]
    one, other = (
        CONSTANTS.get(each, each) if isinstance(each, str) else each for each in (one, other)
    )
    if isinstance(one, str) or isinstance(other, str):
        raise UnreadableError
    if sign in "*×":
        return "nan" if math.isnan(one * other) else one * other
    if sign == "+":
        return one + other
    if sign == "-":
        return one - other
    if sign == "/":
        return "nan" if one == other == 0 else one / other
    return float(one**other)


def agree(value: Item, other: Item) -> bool:
    """Whether an equation holds, up to the digits of its right side."""
    if isinstance(value, list) and isinstance(other, list):
        return len(value) == len(other) and all(map(agree, value, other))
    if not (isinstance(value, float) and isinstance(other, float)):
        return value == other
    return close(value, other) or (other % 1 != 0 and abs(value - other) <= abs(other) / 50)


def flat(items: list[Item]) -> list[Value]:
    return [value for item in items for value in (flat(item) if isinstance(item, list) else [item])]


@lru_cache(maxsize=4096)
def meaning(spelling: str) -> tuple[Value, ...]:
    """The values of a known spelling."""
    return read(normal(spelling)) or ()


@lru_cache(maxsize=4096)
def read(text: str, split: bool = False, fields: tuple[str, ...] = ()) -> tuple[Value, ...] | None:
    """Return the values in a text, or None if it cannot be read.

    >>> read("3 paths, each brings 4, so 12"), read("tensor([0., 8.])"), read("5 -810", split=True)
    ((3.0, 4.0, 12.0), (0.0, 8.0), (5.0, -810.0))
    """
    if len(text) > LONGEST:
        return None
    reader = Reader(tokens(text), split)
    try:
        found = settled(flat(reader.all()))
    except (UnreadableError, ArithmeticError, ValueError, TypeError, RecursionError):
        return None
    if any(isinstance(value, float) and math.isnan(value) for value in found):
        return None
    return tuple(in_order(found, reader.labels, fields))


def settled(found: list[Value]) -> list[Value]:
    """Drop a "yes" before what it affirms, a "no error" next to a number, and repetitions."""
    twice = ["error", "error"]
    kept = [v for place, v in enumerate(found) if found[max(place - 1, 0) : place + 1] != twice]
    if len(kept) > 2 and ["false", "error"] in (kept[:2], kept[-2:]):
        kept = kept[2:] if kept[:2] == ["false", "error"] else kept[:-2]
    if len(kept) > 1 and kept[0] == "true" and kept[1] not in ("true", "false"):
        kept = kept[1:]
    return kept


def in_order(
    found: list[Value], labels: list[tuple[str, int]], fields: Sequence[str]
) -> list[Value]:
    """Sort values of which some were labelled with the names of the fields.

    >>> in_order([39.0, 13.0], [("a", 0)], ["b.grad", "a.grad"])
    [13.0, 39.0]
    """
    named = {
        field: place
        for label, place in labels
        for field in fields
        if label in (label_of(field), field.split(".")[0])
    }
    others = [value for place, value in enumerate(found) if place not in named.values()]
    if len(found) != len(fields) or len(others) != len(fields) - len(named):
        return found
    return [found[named[field]] if field in named else others.pop(0) for field in fields]


def labelled(text: str, fields: Sequence[str]) -> str:
    """The text with a label for each number that its field's name or first letter follows.

    >>> labelled("-810 with 5 multiplications", ["multiplications", "a.grad"])
    '-810 with multiplications=5'
    """
    for field in fields:
        name, start = label_of(field), field.split(".")[0]
        text = replaced(rf"\b{re.escape(field)}\b", name, text) if " " in field else text
        text = replaced(
            rf"(?<![\d.-])(-?\d+)(?: times)? (?:(?:for|in|is)? ?{re.escape(name)}|for {start})\b",
            rf"{name}=\1",
            text,
        )
    return text


def label_of(field: str) -> str:
    return field.replace(" ", "_")


@lru_cache(maxsize=64)
def reading(text: str, count: int, fields: tuple[str, ...]) -> tuple[Value, ...]:
    """A text as `count` values, read in the most natural way; nothing if there is none."""
    ways = [(text, False)]
    if count > 1:
        ways.append((text, True))
        ways += ((each, False) for each in simpler(text, "several"))
    else:
        ways += ((each, False) for each in simpler(text, "one"))
        ways.append((re.sub(r"(?<=\d),(?=\d{3}\b)", "", text), False))
        ways.append((re.sub(r"^(-?\d+),(\d+)$", r"\1.\2", text), False))
        ways.append((re.sub(r"\b(\d+) (\d+/\d+)", r"(\1+\2)", text), False))
    for written, split in ways:
        values = read(written, split, fields)
        if values and count == 1 and isinstance(values[0], str) and len(set(values)) == 1:
            values = values[:1]
        if values is not None and len(values) == count:
            return values
    return ()


def simpler(text: str, stage: str) -> Iterator[str]:
    """The text without remarks, as each rule of a stage that applies leaves it."""
    for pattern, new in REWRITES[stage]:
        shorter = pattern.sub(new, text)
        if shorter != text:
            text = shorter
            yield text


def close(typed: float, meant: float) -> bool:
    if typed == meant:
        return True
    if not (math.isfinite(typed) and math.isfinite(meant)):
        return False
    return abs(typed - meant) <= abs(meant) * (1e-6 if meant == int(meant) else 1e-3)


def rounded(text: str, place: int, typed: float, meant: float) -> bool:
    """Whether the number at `place` of a text is `typed`, and is `meant` rounded."""
    literals = re.findall(r"(?<![\w.])-?\d*\.\d+(?![\w.*/^])", text)
    plain = re.findall(r"-?[\d.]+", text)
    if len(literals) == 0 or place >= len(plain) or plain[place] not in literals:
        return False
    if abs(float(plain[place])) != abs(typed) or (typed < 0) != (meant < 0):
        return False
    decimals = len(plain[place].partition(".")[2])
    digits = re.sub(r"\D", "", plain[place]).lstrip("0")
    return len(digits) >= 2 and abs(round(meant, decimals)) == abs(typed)


def same(typed: Value, meant: Value, text: str, place: int) -> bool:
    if meant == "any":
        return True
    if isinstance(typed, float) and isinstance(meant, float):
        return close(typed, meant) or (math.isfinite(meant) and rounded(text, place, typed, meant))
    return typed == meant


def alike(text: str, spelling: str, fields: Sequence[str] = ()) -> bool:
    """Whether a normal text has the values of a spelling."""
    wanted = list(meaning(spelling))
    if not wanted:
        return False
    given = reading(text, len(wanted), tuple(fields))
    if given and all(
        same(t, m, text, n) for n, (t, m) in enumerate(zip(given, wanted, strict=True))
    ):
        return True
    return joined(wanted) != "" and joined(read(text)) == joined(wanted)


def joined(values: Sequence[Value] | None) -> str:
    """Words without what is between them, as in "in place" and "dcba"; or nothing."""
    words = [value for value in values or [] if isinstance(value, str)]
    return "".join(words) if len(words) == len(values or []) else ""


def known_words(answers: Sequence[str]) -> set[str]:
    """The words in the spellings of the answers."""
    spellings = [spelling for answer in answers for spelling in answer.split("|")]
    values = {value for each in spellings for value in meaning(each)}
    return {str(each) for each in values if isinstance(each, str) or math.isinf(each)}
