"""Exercises in a page, which has no kernel to check an answer.

Where an answer is a value, the checks are made beforehand: the box of the predictions judges what
is typed by a list of answers, each with the words that the check would have said. That is possible
only if the list is complete, so a check that takes more answers than are known is left to a kernel.
Where the answer is code, the page says how to run the chapter.
"""

from __future__ import annotations

import ast
import html
import itertools
import json
import math
import re
from collections.abc import Iterator
from typing import Any

from ..exercises import EXERCISES
from ..exercises.exercise import Exercise, Words
from ..exercises.judge import holds
from ..lab.language import Language
from ..predictions.prediction import CODE, MODULE, SAID
from .links import colab, launch

CHECK = re.compile(r'check\("(\d\d\.\d+)"\)')
ARITHMETIC = (
    *(ast.Expression, ast.Constant, ast.List, ast.Tuple, ast.BinOp, ast.UnaryOp, ast.operator),
    *(ast.unaryop, ast.expr_context, ast.Name, ast.Attribute, ast.Call),
)
LONGEST = 5
"""Longest list whose parts are tried in every order."""

BOX = SAID | {
    "ask": Words("Your answer", "你的答案"),
    "answer": Words("Check", "检查"),
    "other": Words("Not yet.", "还不对。"),
}
ELSEWHERE = Words(
    "This page runs no code. Open the chapter {}, replace each <code>...</code> by your lines, and "
    "run the cell and the one below it there.",
    "这个页面不运行代码。请{}打开本章，把每个 <code>...</code> 换成你写的代码，在那里运行这个单元格"
    "和下面的单元格。",
)
PLACES = (
    (launch, Words('<a href="{}">on Binder</a>', '<a href="{}">在 Binder 上</a>')),
    (colab, Words('<a href="{}">on Colab</a>', '<a href="{}">在 Colab 上</a>')),
)
MACHINE = Words(
    "on your machine with <code>minigrad-lab --lang en</code>",
    "在自己的电脑上用 <code>minigrad-lab --lang zh</code> ",
)
OR = Words(" or ", "，或者")

HERE = Words(
    "This answer is code: click the cell above, type it, and let it be checked here. Or <a href="
    '"{}">run this lesson</a> as a notebook.',
    "这个练习的答案是代码：点一下上面的单元格，写好之后就在这里检查。也可以以笔记本的形式"
    '<a href="{}">运行本章</a>。',
)
"""The same where the cells of the page run; the address is the lesson's in the lab."""


def known(exercise: Exercise) -> list[dict[str, str | Words]] | None:
    """All right answers, as predict.js has them, and the foreseen wrong ones with their words; None
    if an answer is code, or if others may be right as well.
    """
    values = [each for typed in (exercise.solution, *exercise.accepted) for each in literal(typed)]
    right = [each for each in values if holds(exercise.right, each)]
    if not literal(exercise.solution) or not right or exercise.probe is not None:
        return None
    if isinstance(right[0], list) and holds(exercise.right, [*right[0], "?"]):
        return None  # any list that has the answer among its parts
    spelled = [spelling for each in right for spelling in forms(each)]
    spellings = dict.fromkeys(text(each) for each in spelled if holds(exercise.right, each))
    found: list[dict[str, str | Words]] = [
        {"answer": "|".join(spellings), "says": exercise.because}
    ]
    for hint in exercise.hints:
        for value in literal(hint.wrong):
            if text(value) not in spellings and holds(hint.when, value):
                found.append({"answer": text(value), "says": hint.says})
    return found


def literal(typed: str) -> list[Any]:
    """The value that is typed, or written as arithmetic, in a list of one; nothing if it is code.

    >>> literal("8.0"), literal("2 * math.exp(0)"), literal("x * x"), literal("...")
    ([8.0], [2.0], [], [])
    """
    try:
        tree = ast.parse(typed, mode="eval")
    except SyntaxError:
        return []
    if not all(isinstance(node, ARITHMETIC) for node in ast.walk(tree)) or names(tree) - {"math"}:
        return []
    value = eval(typed, {"__builtins__": {}, "math": math})
    if isinstance(value, tuple):
        value = list(value)
    plain = value is None or isinstance(value, bool | int | float | str | list)
    return [value] if plain and text(value) and "|" not in text(value) else []


def names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def forms(value: Any) -> Iterator[Any]:
    """The value, and what else a check may take for it: other orders, small and large letters, a
    set, a list of the one number. The check is asked about each.

    >>> [text(form) for form in forms(7)]
    ['7', '[7]', '[[7]]']
    >>> [text(form) for form in forms(["a", "B"])][3:]
    ['[a, B]', '[B, a]', '[a, b]', '[b, a]', '[A, B]', '[B, A]', '{B, a}', '{a, b}', '{A, B}']
    """
    yield from (value, [value], [[value]])
    if not isinstance(value, list):
        return
    cases = [value]
    if all(isinstance(part, str) for part in value):
        cases += [[part.lower() for part in value], [part.upper() for part in value]]
    for parts in cases:
        yield from map(list, itertools.permutations(parts) if len(parts) <= LONGEST else [parts])
    if len(cases) > 1:
        yield from ({"set": sorted(parts)} for parts in cases)


def text(value: Any) -> str:
    """A value as it is typed into a box.

    >>> text([1.0, [True, "w"]]), text(None), text("a b"), text({"set": ["a", "b"]})
    ('[1.0, [True, w]]', 'None', 'a b', '{a, b}')
    """
    if isinstance(value, dict):  # as exercises/plain.py tells a set
        return "{" + ", ".join(map(text, value["set"])) + "}"
    return "[" + ", ".join(map(text, value)) + "]" if isinstance(value, list) else str(value)


def find_exercise(hole: str, check: str) -> tuple[str, Exercise] | None:
    """Return a check cell's exercise, if its whole answer is in the place of the hole.

    `hole` is the source of the cell before it.
    """
    found = CHECK.fullmatch(check.strip())
    if found is None or found[1] not in EXERCISES:
        return None
    exercise = EXERCISES[found[1]]
    asks = exercise.asks
    is_value = len(asks) == 1 and re.search(rf"^{asks[0]} = \.\.\.$", hole, re.MULTILINE)
    return (found[1], exercise) if is_value else None


def elsewhere(language: Language, notebook: str) -> str:
    """Return where to write lines in a notebook, whose page has no kernel.

    Binder and Colab need the published repository.
    """
    links = [(place(notebook), words.text(language)) for place, words in PLACES]
    named = [words.format(html.escape(address)) for address, words in links if address]
    places = OR.text(language).join([*named, MACHINE.text(language)])
    return f'<p class="run">{ELSEWHERE.text(language).format(places)}</p>'


def in_page(
    hole: str, check: str, language: Language, notebook: str, lesson: str | None = None
) -> str:
    """Return the part of a page that replaces a check's output.

    `notebook` is its path, and `lesson` its address in the browser lab, if there is one.
    """
    this = find_exercise(hole, check)
    answers = known(this[1]) if this else None
    if this is None or answers is None:
        if lesson is not None:
            return f'<p class="run">{HERE.text(language).format(html.escape(lesson))}</p>'
        return elsewhere(language, notebook)
    name, exercise = this
    otherwise = exercise.otherwise.text(language)
    payload = {
        "name": f"check {name}",
        "answers": [
            {"answer": each["answer"], "says": Words(*each["says"]).text(language)}
            for each in answers
        ],
        "otherwise": otherwise,
        "language": language,
        "said": {key: words.text(language) for key, words in BOX.items()},
    }
    data = json.dumps(payload, ensure_ascii=False).replace("</", "<\\/")
    hint = CODE.sub(r"<code>\1</code>", html.escape(otherwise))
    return (
        f'<div class="minigrad-prediction" data-prediction="check {name}">'
        f"<noscript><p>{hint}</p></noscript></div>\n"
        f'<script type="module">\n{MODULE}\nmountAll({data});\n</script>'
    )
