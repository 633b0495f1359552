"""Lessons run in the browser put out what CPython stored, steppers step, answers are judged."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from minigrad_lessons.build import chapters
from minigrad_lessons.exercises import EXERCISES
from minigrad_lessons.exercises.exercise import typed

from tests.lite.outputs import differences
from tests.lite.tab import have_run, run, tabs
from tests.sampling import all_of

pytestmark = pytest.mark.lite

LANGUAGES = ("en", "zh")
NEXT_STEP = {"en": "Next step", "zh": "下一步"}

ANSWER = """async ([place, source]) => {
    const notebook = jupyterapp.shell.currentWidget.content
    const codes = notebook.widgets.filter(cell => cell.model.type === "code")
    codes[place].model.sharedModel.setSource(source)
    for (const cell of [codes[place], codes[place + 1]]) {
        notebook.activeCellIndex = notebook.widgets.indexOf(cell)
        await jupyterapp.commands.execute("notebook:run-cell")
    }
}"""
"""JavaScript: type into a code cell, and run it and the next."""

LESSONS = (
    [source.stem for source in chapters()]
    if all_of("LITE")
    else ["01_graph", "05_stopping", "08_own_operation"]
)


@pytest.fixture(scope="module", params=LESSONS)
def lesson(request: Any, browser: Any, address: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """A lesson that has been run in both languages: its name, and the tabs."""
    with tabs(browser, address) as opened:
        pages = {each: opened(f"{each}/{request.param}.ipynb") for each in LANGUAGES}
        for page in pages.values():  # side by side: each has a kernel of its own
            run(page)
        yield request.param, pages


def test_a_lesson_puts_out_what_cpython_stored(
    lesson: Any, root: Path, record_property: Callable[[str, object], None]
) -> None:
    name, pages = lesson
    for language, page in pages.items():
        cells = have_run(page)
        path = root / "lessons" / language / f"{name}.ipynb"
        book = json.loads(path.read_text(encoding="utf-8"))
        here = {cell["id"] for cell in cells}  # but for what a browser does not have
        stored = [cell for cell in book["cells"] if cell["id"] in here]
        found = list(differences(stored, cells))
        record_property(f"{language} cells", len(cells))
        record_property(f"{language} differ", len(found))
        record_property(f"{language} found", "\n\n".join(found))
        assert len(found) <= 0.05 * len(cells), "\n\n".join(found)


def test_the_stepper_steps(lesson: Any) -> None:
    _, pages = lesson
    for language, page in pages.items():
        if not any(cell["source"].startswith("viz.step(") for cell in have_run(page)):
            continue  # the index has nothing to step
        stepper = page.locator(".minigrad-stepper").first
        stepper.locator(".stepper").wait_for()
        position = stepper.locator(".position")
        first, count = position.text_content().split(" / ")
        assert first == "1"
        for step in range(2, int(count) + 1):
            stepper.get_by_role("button", name=NEXT_STEP[language]).click()
            assert position.text_content() == f"{step} / {count}"


def test_an_exercise_is_judged(lesson: Any) -> None:
    """A known mistake gets its hint, and the right answer is told why it is right."""
    name, pages = lesson
    number = f"{name[:2]}.1"
    exercise = EXERCISES[number]
    hint = exercise.hints[0]
    for language, page in pages.items():
        sources = [cell["source"] for cell in have_run(page)]
        if f'check("{number}")' not in sources:
            continue  # the index has no exercises
        place = sources.index(f'check("{number}")') - 1
        for answer, words in [(hint.wrong, hint.says), (exercise.solution, exercise.because)]:
            page.evaluate(ANSWER, [place, typed(sources[place], answer, exercise.asks)])
            said = have_run(page)[place + 1]["outputs"]
            assert words.text(language) in said[0]["data"]["text/plain"]
