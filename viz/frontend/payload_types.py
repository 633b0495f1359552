"""Write src/payload.ts, the front end's types, from the Python types of what it receives.

    python viz/frontend/payload_types.py

Run it after a change to `minigrad_viz.stepper.payload`; a test compares. Docstrings and the
comments next to fields become comments.
"""

from __future__ import annotations

import inspect
import re
import sys
import types
import typing
from pathlib import Path

from minigrad_viz.stepper import payload
from minigrad_viz.texts import numerals

FILE = Path(__file__).parent / "src" / "payload.ts"

HEAD = """\
// Written by viz/frontend/payload_types.py from minigrad_viz/stepper/payload.py: change that.
//
// Everything that the stepper shows comes from a `Payload`; nothing else in this folder talks to
// Python.
"""

PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}

WIDTH = 100


def alias_of(hint: object) -> str | None:
    """The name of a type alias in Python, or None."""
    for module in (payload, numerals):
        for name, value in vars(module).items():
            if not name.startswith("_") and not isinstance(value, type) and value == hint:
                return name
    return None


def translate(hint: object, found: list[object]) -> str:
    """Translate a Python type to TypeScript; append types that have a name to `found`."""
    if typing.is_typeddict(hint) or alias_of(hint):
        if hint not in found:
            found.append(hint)
        return alias_of(hint) or typing.cast(type, hint).__name__
    return translate_in_full(hint, found)


def translate_in_full(hint: object, found: list[object]) -> str:
    """Translate a type whose name does not matter."""
    kind, parts = typing.get_origin(hint), typing.get_args(hint)
    if kind is typing.Literal:
        return " | ".join(f'"{each}"' if isinstance(each, str) else str(each) for each in parts)
    if kind in (types.UnionType, typing.Union):
        return " | ".join(dict.fromkeys(translate(each, found) for each in parts))
    if kind is list:
        inner = translate(parts[0], found)
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if kind is dict:
        return f"Record<{', '.join(translate(each, found) for each in parts)}>"
    return PLAIN[typing.cast(type, hint)]


def translate_interface(kind: type, found: list[object]) -> str:
    """Translate a TypedDict to an interface."""
    source = inspect.getsource(kind)
    lines = []
    for name, hint in typing.get_type_hints(kind, include_extras=True).items():
        needed = typing.get_origin(hint) is not typing.NotRequired
        inner = hint if needed else typing.get_args(hint)[0]
        if remark := re.search(rf"^    {name}: .*?  # (.*)$", source, re.M):
            lines.append(f"  /** {remark[1]} */")
        lines.append(f"  {name}{'' if needed else '?'}: {translate(inner, found)};")
    about = inspect.cleandoc(kind.__doc__ or "").splitlines()
    # A TypedDict without a docstring has dict's.
    about = [] if kind.__doc__ == dict.__doc__ else about
    return "\n".join([*format_comment(about), f"export interface {kind.__name__} {{", *lines, "}"])


def format_comment(lines: list[str]) -> list[str]:
    """Format lines as a comment."""
    if len(lines) < 2:
        return [f"/** {line} */" for line in lines]
    return ["/**", *(f" * {line}".rstrip() for line in lines), " */"]


def translate_alias(hint: object, found: list[object]) -> str:
    """Translate a type alias."""
    start, union = f"export type {alias_of(hint)} =", f"{translate_in_full(hint, found)};"
    # Broken where Prettier breaks it.
    if len(f"{start} {union}") <= WIDTH:
        return f"{start} {union}"
    if len(f"  {union}") <= WIDTH:
        return f"{start}\n  {union}"
    return f"{start} | {union}".replace(" | ", "\n  | ")


def generate() -> str:
    """Generate the file: the payloads, and every type that they refer to."""
    found: list[object] = [payload.Payload, payload.Pair]
    texts = [HEAD.rstrip()]
    for hint in found:  # it grows on the way
        texts.append(
            translate_interface(hint, found)
            if isinstance(hint, type)
            else translate_alias(hint, found)
        )
    return "\n\n".join(texts) + "\n"


if __name__ == "__main__":
    FILE.write_text(generate(), encoding="utf-8")
    sys.stdout.write(f"wrote {FILE.name}\n")
