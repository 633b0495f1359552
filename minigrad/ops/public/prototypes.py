"""Signatures for editors and checkers: Python's own form of a schema, and lines of a stub.

PyTorch's functions have overloads. `inspect` has one signature for a function, a stub has a line
for each overload.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Final

LITERALS: Final = (bool, int, float, str, tuple, list)
"""Types of defaults that a stub can contain."""

REQUIRED: Final = inspect.Parameter.empty

Parameters = Sequence[inspect.Parameter]


def merge_overloads(overloads: Sequence[Parameters]) -> inspect.Signature:
    """Return one signature for all overloads; arguments that only some have default to None."""
    found: dict[str, list[inspect.Parameter]] = {}
    for parameters in sorted(overloads, key=len, reverse=True):
        for parameter in parameters:
            if parameter.name == "self":  # PyTorch's name for an `input` that is a number
                parameter = parameter.replace(name="input")
            found.setdefault(parameter.name, []).append(parameter)
    result = []
    optional = False
    for same in found.values():
        types = " | ".join(parameter.annotation for parameter in same).split(" | ")
        defaults = [p.default for p in same if p.default is not REQUIRED]
        named = same[0].kind is inspect.Parameter.KEYWORD_ONLY
        if not defaults and (len(same) < len(overloads) or (optional and not named)):
            defaults = [None]
            types.append("None")
        optional |= bool(defaults) and not named
        default = defaults[0] if defaults else REQUIRED
        once = sorted(dict.fromkeys(types), key="None".__eq__)  # None comes last
        result.append(same[0].replace(default=default, annotation=" | ".join(once)))
    return inspect.Signature(sorted(result, key=lambda parameter: parameter.kind))


def stub(name: str, overloads: Sequence[Parameters], results: Sequence[str], method: bool) -> str:
    """Return the lines of a stub, with the result of each overload."""
    lines = []
    for place, (parameters, result) in enumerate(zip(overloads, results, strict=True)):
        if any(covers(earlier, parameters) for earlier in overloads[:place]):
            continue
        texts = ["self"] * method
        parameters = [p for p in parameters if not (method and p.name == "self")]
        for parameter in parameters:
            if parameter.kind is parameter.KEYWORD_ONLY and "*" not in texts:
                texts.append("*")
            plain = parameter.default is None or isinstance(parameter.default, LITERALS)
            written = repr(parameter.default) if plain else "..."
            default = "" if parameter.default is REQUIRED else f" = {written}"
            texts.append(f"{parameter.name}: {in_stub(parameter.annotation)}{default}")
        by_place = [p for p in parameters if p.kind is not p.KEYWORD_ONLY]
        if len(by_place) == 1 and by_place[0].annotation == "Sequence[int]":  # x.view(2, 3)
            sizes = [text for text in texts if text != "*"]
            sizes[method] = f"*{by_place[0].name}: _int"
            lines.append(line(name, sizes, result))
        lines.append(line(name, texts, result))
    return overloaded(lines)


def covers(one: Parameters, other: Parameters) -> bool:
    """Return whether every call of `other` is also a call of `one`, which precedes it."""
    needed = {parameter.name for parameter in other}
    may_lack = [p.kind is p.KEYWORD_ONLY and p.default is not REQUIRED for p in one]
    one = [p for p, lacks in zip(one, may_lack, strict=True) if p.name in needed or not lacks]
    if [parameter.name for parameter in one] != [parameter.name for parameter in other]:
        return False
    return all(
        mine.kind == its.kind
        and (mine.default is not REQUIRED or its.default is REQUIRED)
        and set(its.annotation.split(" | ")) <= set(mine.annotation.split(" | "))
        for mine, its in zip(one, other, strict=True)
    )


def overloaded(lines: Sequence[str]) -> str:
    """Return the lines of a stub without duplicates, marked as overloads if there are several."""
    different = list(dict.fromkeys(lines))
    return "\n".join("@overload\n" * (len(different) > 1) + text for text in different)


def in_stub(types: str) -> str:
    """Return a type as stubs write it: `_float` for Python's, as Tensor has a `float`.

    >>> in_stub("dict[int, dtype] | float")
    'dict[_int, _dtype] | _float'
    """
    return re.sub(r"\b(int|float|bool|dtype|device)\b", r"_\1", types)


def line(name: str, arguments: Sequence[str], result: str) -> str:
    return f"def {name}({', '.join(arguments)}) -> {result}: ..."
