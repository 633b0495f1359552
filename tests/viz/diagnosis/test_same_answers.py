"""Stored answers of `explain` to unusual programs do not change.

The answers were read and found right (tests/viz/looks.py): cause, text in both languages, and the
marked nodes of the picture. The programs take paths through the explanations that those of
test_programs.py do not take.
"""

from __future__ import annotations

from typing import Any

import pytest

import minigrad as mg
from tests.viz.diagnosis.program_files import Stored, stored_programs
from tests.viz.diagnosis.running import notebook
from tests.viz.diagnosis.test_programs import marked
from tests.viz.looks import recall

STORED = stored_programs()


@pytest.mark.parametrize(
    ("name", "cure"),
    [
        ("view_of_several_by_a_function", "`low = T.relu(low)`"),
        ("as_an_array", "(x * 2).detach().numpy()"),
    ],
)
def test_cure_is_valid_code(name: str, cure: str) -> None:
    """A module is not what was changed, and a method needs parentheses around a product."""
    with notebook(mg, STORED[name].program) as cells:
        answer = cells.ask(STORED[name].ask).text
    assert cure in answer and not answer.startswith("T is")


@pytest.mark.parametrize("stored", STORED.values(), ids=str)
def test_answer_equals_the_stored_one(stored: Stored) -> None:
    def answers() -> Any:
        with notebook(mg, stored.program) as cells:
            assert (cells.scope["error"] is None) == ("error" not in stored.ask)
            both = [cells.ask(stored.ask, language) for language in ("en", "zh")]
        return [both[0].cause, *(each.text for each in both), marked(both[0].svg)]

    found = answers()
    assert found == recall(__file__, stored.name, answers)
    assert found[0] == stored.cause
