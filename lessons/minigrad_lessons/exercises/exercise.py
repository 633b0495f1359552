"""An exercise as plain data, so that a test can try every listed answer.

A chapter shows a code cell with a hole, `...`, and below it a cell that calls `check`. The answer
is the value, function or class that the cell with the hole binds. The check inspects it (look.py)
and judges the result (judge.py): right, or not yet and why. Each known mistake has a `Hint`.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..lab.language import Language, language

Test = Callable[..., bool]


class Words(NamedTuple):
    """One sentence in every language."""

    en: str
    zh: str

    def text(self, language: Language) -> str:
        return self.en if language == "en" else self.zh


@dataclass(frozen=True, slots=True)
class Hint:
    """A known mistake: `wrong` is the text typed into the hole, `when` recognises its result.

    `says` is true of every answer that `when` recognises.
    """

    wrong: str
    when: Test
    says: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """One exercise.

    `asks` are the names that the cell with the hole binds. `probe` is a program that runs on them
    and binds `seen`; without one, `seen` is the answer itself. `right` judges `seen`, as plain
    data: numbers, strings, truth values, None, lists, dicts. `because` says why a right answer is
    right, and `otherwise` answers when no hint matches.

    `solution` is the text for the hole. `accepted` has further right answers and `rejected`
    further wrong ones, each of another kind. An answer that binds all names of `asks` replaces the
    whole cell.
    """

    solution: str
    right: Test
    because: Words
    hints: tuple[Hint, ...]
    otherwise: Words
    asks: tuple[str, ...]
    probe: str | None = None
    accepted: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a check; `right` is None if the marks come later.

    A notebook shows it as one sentence.
    """

    right: bool | None
    says: Words

    def __repr__(self) -> str:
        here = language()
        if self.right is None:
            return self.says.text(here)
        opening = Words("Right.", "正确。") if self.right else Words("Not yet.", "还不对。")
        gap = " " if here == "en" else ""
        return opening.text(here) + gap + self.says.text(here)


def typed(cell: str, answer: str, asks: Sequence[str] = ()) -> str:
    """Return a cell with its hole filled.

    >>> typed("b_grad = ...", "8.0")
    'b_grad = 8.0'
    >>> print(typed("def f(x):\\n    ...", "y = x * x\\nreturn y"))
    def f(x):
        y = x * x
        return y
    >>> typed("def f(x):\\n    ...", "f = abs", asks=["f"])
    'f = abs'
    """
    if asks and set(asks) <= bound(answer):
        return answer
    before = cell.partition("...")[0].rpartition("\n")[2]
    if not before.strip():  # the hole is a line of its own
        answer = textwrap.indent(answer, before).removeprefix(before)
    return cell.replace("...", answer, 1)


def bound(program: str) -> set[str]:
    """Return the names that a program binds outside of its functions; none if it is no program."""
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError):
        return set()
    return set(_bound(tree))


def _bound(node: ast.AST) -> Any:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield child.name
        elif isinstance(child, ast.alias):
            yield child.asname or child.name.partition(".")[0]
        elif isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            yield child.id
        elif not isinstance(child, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp):
            yield from _bound(child)
