"""Each cure that quotes code is typed into its rule's broken program, which then works."""

from __future__ import annotations

import warnings

import pytest
from minigrad_viz.diagnosis.errors.rule import ErrorRule
from minigrad_viz.diagnosis.errors.table import ERRORS
from minigrad_viz.diagnosis.rules.rule import Rule
from minigrad_viz.diagnosis.rules.table import RULES

import minigrad as mg
from tests.viz.diagnosis.applied_cures import cured_programs, quoted_code, unknown_names
from tests.viz.diagnosis.running import notebook
from tests.viz.diagnosis.test_rules import diagnosed

NOT_TYPED = {
    "forward_nested": "a def is to be indented less",
    "arguments_missing": "names stand for the reader's sizes",
    "too_many_indices": "the code prints a shape",
    "path_for_state": "there is no such file",
    "one_class": "the labels must become floats too",
    "unmasked_future": "an option without its value",
    "held_buffer": "dots stand for the reader's value",
    "learned_factor": "a name stands for the reader's term",
    "same_words": "the sound program is the cure, typed in two places",
    "variance_as_spread": "a name stands for the reader's variable",
}
"""Rules whose code cannot be typed as it stands, with the reason."""

LOOPS = [rule for rule in RULES if not rule.watched and rule.key not in NOT_TYPED]
OF_ERRORS = [rule for rule in ERRORS if rule.key not in NOT_TYPED]


@pytest.mark.parametrize("rule", OF_ERRORS, ids=[rule.key for rule in OF_ERRORS])
def test_cure_of_an_error_removes_it(rule: ErrorRule) -> None:
    with notebook(mg, rule.broken.strip()) as cells:
        text = cells.ask("viz.explain(error)").text
    codes = quoted_code(rule, text, rule.broken)
    assert not codes or any(map(runs, cured_programs(rule.broken.strip(), codes))), text


@pytest.mark.parametrize("rule", LOOPS, ids=[rule.key for rule in LOOPS])
def test_cure_of_a_loop_changes_the_answer(rule: Rule) -> None:
    with notebook(mg, rule.broken.strip()) as cells:
        text = cells.ask("viz.explain(loss)").text
    codes = quoted_code(rule, text, rule.broken)
    programs = cured_programs(rule.broken.strip(), codes)
    assert not codes or any(cause_of(each) not in ("", rule.key) for each in programs), text


STANDING_FOR = {
    "arguments_missing": "names stand for the reader's sizes",
    "alike_outputs": "a name stands for what reaches a layer",
    "drawn_between": "names stand for the mean and the spread",
    "nan": "a letter stands for a number without a name",
}
"""Rules whose code has a name that stands for something, with the reason."""


@pytest.mark.parametrize("rule", [*ERRORS, *RULES], ids=lambda rule: rule.key)
def test_cure_names_what_the_program_has(rule: ErrorRule | Rule) -> None:
    """A cure used to call copy.deepcopy() in a program that imports no copy."""
    with notebook(mg, rule.broken.strip()) as cells:
        asked = "loss" if cells.scope["error"] is None else "error"
        text = cells.ask(f"viz.explain({asked})").text
    if isinstance(rule, Rule) and rule.watched:
        text = diagnosed(mg, rule.broken.strip()).text
    unknown = unknown_names(text, rule.broken)
    assert not unknown or rule.key in STANDING_FOR, (unknown, text)


def runs(program: str) -> bool:
    """Return whether a program runs to its end."""
    return cause_of(program, asked=False) != ""


def cause_of(program: str, asked: bool = True) -> str:
    """Return the cause that `explain` names for the program's loss, or "" if it raises."""
    if not compiles(program):
        return ""
    with notebook(mg, program) as cells:
        if cells.scope["error"] is not None:
            return ""
        return cells.ask("viz.explain(loss)").cause if asked else "none"


def compiles(program: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(program, "program", "exec")
        except SyntaxError:
            return False
    return True
