"""Type the code that a cure quotes into the program that it is about.

A cure is a statement or an expression. A statement takes the place of a line, or comes next to one.
An expression takes the place of a similar one, or becomes one more argument of a call.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import re
import textwrap
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import pairwise

from minigrad_viz.diagnosis.rules.rule import Told

ALIKE = 0.6
"""The least likeness of two expressions of which one takes the place of the other."""


def quoted_code(told: Told, answer: str, program: str) -> list[str]:
    """Return the code that the cure in an answer quotes, in order, without plain names."""
    pieces = re.split(r"\{\w+\}", told.en.cure)
    found = re.search("(.*?)".join(map(re.escape, pieces)) + r"(?=$|\s)", answer, re.DOTALL)
    quotes = re.findall(r"`([^`]+)`", found[0]) if found is not None else []
    return [q for q in quotes if not q.isidentifier() or not re.search(rf"\b{q}\b", program)]


def unknown_names(answer: str, program: str) -> set[str]:
    """Return the variables in the code of an answer that neither it nor the program defines."""
    known = {"T", "viz", *dir(builtins), *re.findall(r"\w+", program)}
    read: set[str] = set()
    for code in re.findall(r"`([^`]+)`", answer):
        if code.isidentifier():
            continue  # a word, such as `train`
        with contextlib.suppress(SyntaxError):
            for node in ast.walk(ast.parse(f"{code} pass" if code.endswith(":") else code)):
                if isinstance(node, ast.Name):
                    (read if isinstance(node.ctx, ast.Load) else known).add(node.id)
                elif isinstance(node, ast.arg | ast.alias):
                    known.add(node.arg if isinstance(node, ast.arg) else node.name)
    return read - known


def cured_programs(program: str, codes: list[str], line: str = "") -> Iterator[str]:
    """Yield the programs with one piece of code typed, and then those with two."""
    for code in codes:
        yield from edits(program, code, line)
    for code in codes:
        for other in codes:
            if code != other:
                for once in list(edits(program, code, line))[:MOST_TWICE]:
                    yield from list(edits(once, other, line))[:MOST_TWICE]


MOST_TWICE = 40
"""Places of each of two pieces of code to try."""


def edits(program: str, code: str, first: str) -> Iterator[str]:
    """Yield the programs with `code` typed, taken out or moved, at the line `first` at first."""
    lines = program.splitlines()
    order = sorted(range(len(lines)), key=lambda i: lines[i].strip() != first)
    if code in (own := [line.strip() for line in lines]):
        moved = own.index(code)
        lines, order = (
            [*lines[:moved], *lines[moved + 1 :]],
            [i for i in order if i < len(lines) - 1],
        )
    for place in order:
        indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
        for new in typed_lines(lines[place].strip(), code):
            changed = textwrap.indent(new, indent)
            yield "\n".join([*lines[:place], changed, *lines[place + 1 :]])


def typed_lines(line: str, code: str) -> Iterator[str]:
    """Yield what a line becomes when the code is typed there, or taken out of it."""
    head = re.match(r"(for|with|def|if|while)\b.*:$", code)
    if head is not None:
        if line.startswith(f"{head[1]} ") and line.endswith(":"):
            yield code
        yield f"{code}\n    {line}"
        return
    if option := re.fullmatch(r"(\w+)=(\S.*)", code):
        yield from with_option(line, option[1], option[2])
        return
    if code.startswith("."):
        yield line.replace(code, "")
    kind = statement_of(code)
    if kind is not None and (not isinstance(kind, ast.Expr) or isinstance(kind.value, ast.Call)):
        yield code
        yield f"{code}\n{line}"
        yield f"{line}\n{code}"
    if kind is None or isinstance(kind, ast.Expr):
        yield from with_expression(line, code)
    for name in {*re.findall(r"\w+", line)}:
        if code.isidentifier() and similar(name, code):
            yield re.sub(rf"\b{name}\b", code, line)


def with_option(line: str, name: str, value: str) -> Iterator[str]:
    """Yield the line without an option, with another value of it, and with it in each call."""
    yield line.replace(f", {name}={value}", "")
    for node in expressions(line):
        if not isinstance(node, ast.Call):
            continue
        for word in node.keywords:
            if word.arg == name or ast.unparse(word.value) == value:
                start, end = word.col_offset, word.end_col_offset or 0
                yield f"{line[:start]}{name}={value}{line[end:]}"
        for given in node.args:
            yield f"{line[: given.col_offset]}{name}={value}{line[given.end_col_offset :]}"
        end = (node.end_col_offset or 0) - 1
        comma = ", " if node.args or node.keywords else ""
        yield f"{line[:end].rstrip(', ')}{comma}{name}={value}{line[end:]}"


def expressions(line: str) -> list[ast.expr]:
    try:
        tree = ast.parse(f"{line}\n    pass" if line.endswith(":") else line)
    except SyntaxError:
        return []
    return [node for node in ast.walk(tree) if isinstance(node, ast.expr)]


def statement_of(code: str) -> ast.stmt | None:
    try:
        return ast.parse(code).body[0]
    except SyntaxError:
        return None


def with_expression(line: str, code: str) -> Iterator[str]:
    """Yield the line with the code for a similar expression, as an argument, or as a method."""
    nodes = expressions(line)
    arguments = [a for node in nodes if isinstance(node, ast.Call) for a in node.args]
    inner = [*arguments, *(node.slice for node in nodes if isinstance(node, ast.Subscript))]
    inner += nodes[1:2] if " = " in line else []  # what the line assigns
    for node in nodes:
        start, end = node.col_offset, node.end_col_offset or 0
        old = line[start:end]
        if old != code and (node in inner or similar(old, code)):
            yield line[:start] + code + line[end:]
        if node in arguments:
            yield f"{line[:start]}{code}, {line[start:]}"
        if re.fullmatch(r"[\w.]+\.[A-Z]\w+", code):
            yield f"{line[:start]}{code}({old}){line[end:]}"
        if re.fullmatch(r"\.?\w+\(.*\)", code):
            yield f"{line[:end]}.{code.lstrip('.')}{line[end:]}"
    for one, other in pairwise(arguments):
        yield line[: one.col_offset] + code + line[other.end_col_offset :]


def similar(old: str, new: str) -> bool:
    """Return whether one expression is a part of the other, or looks like it."""
    return old in new or new in old or SequenceMatcher(None, old, new).ratio() > ALIKE
