"""The second set of posted programs: right answers stay right, and none crashes or does harm."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sampling import drawn
from tests.viz.diagnosis import second_run
from tests.viz.diagnosis.second_run import Second, ask_diagnose, ask_explain

JUDGED: dict[str, Any] = json.loads(
    (second_run.FOLDER / "first_run.json").read_text(encoding="utf-8")
)
PROGRAMS = [pytest.param(each, id=str(each)) for each in second_run.programs()]
LEFT_OUT = ("broken/53_margin_target_zero",)
"""Programs with a name that minigrad leaves out."""


def test_every_program_was_judged() -> None:
    assert [str(each) for each in second_run.programs()] == sorted(JUDGED)
    asked = {str(p): [q for q in ("explain", "diagnose") if p.asked(q)] for p in map(of, PROGRAMS)}
    assert all(list(JUDGED[name]) == questions for name, questions in asked.items())


def of(parameter: Any) -> Second:
    (program,) = parameter.values
    assert isinstance(program, Second)
    return program


@pytest.mark.usefixtures("clean_linecache")
@pytest.mark.parametrize("program", drawn("PROOFS", "second", PROGRAMS))
def test_answer_about_second_program_stays_right(program: Second, tmp_path: Path) -> None:
    """Answers that were right in the first run keep their causes."""
    if str(program) in LEFT_OUT:
        return
    for question, asking in (("explain", ask_explain), ("diagnose", ask_diagnose)):
        answer = asking(program, "minigrad", tmp_path)
        if answer is None:
            continue
        assert not answer.crash, answer.crash
        judged = JUDGED[str(program)][question]
        if program.kind == "sound" and question == "diagnose":
            assert answer.causes == (), answer.text
        elif judged["judged"] == "right":
            assert list(answer.causes) == judged["causes"], answer.text


@pytest.mark.parametrize("name", ["03_gradient_accumulation", "12_truncated_bptt"])
def test_number_to_read_is_not_blamed(name: str, tmp_path: Path, pytorch: Any) -> None:
    for library in ("minigrad", pytorch.__name__):
        answer = ask_explain(Second("sound", name), library, tmp_path)
        assert answer and "number to read" in answer.text, answer
        assert "Leave" not in answer.text


def test_cure_of_copied_sum_can_be_typed(tmp_path: Path) -> None:
    answer = ask_explain(Second("broken", "22_loss_wrapped_again"), "minigrad", tmp_path)
    assert answer and "`(fit + 0.01 * size).backward()`" in answer.text


def test_hook_of_zero_is_no_saturation(tmp_path: Path) -> None:
    answer = ask_explain(Second("broken", "55_hook_left_from_debugging"), "minigrad", tmp_path)
    assert answer and "saturated" not in answer.text


def test_weight_of_idle_group_is_explained(tmp_path: Path) -> None:
    answer = ask_explain(Second("broken", "38_body_rate_zero"), "minigrad", tmp_path)
    assert answer and answer.causes == ("has_grad",)
    assert "learning rate 0" in answer.text
