"""Programs written from questions on forums: each does what it claims, in both libraries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sampling import drawn
from tests.viz.diagnosis import posted_run
from tests.viz.diagnosis.posted_run import Posted

PROGRAMS = [
    pytest.param(program, id=program.name)
    for kind in ("broken", "sound")
    for program in posted_run.programs(kind)
]


@pytest.mark.usefixtures("clean_linecache")
@pytest.mark.parametrize("program", drawn("PROOFS", "claim", PROGRAMS))
def test_posted_program_keeps_its_claim(program: Posted, tmp_path: Path) -> None:
    assert not posted_run.keeps_its_claim(program, "minigrad", tmp_path)


@pytest.mark.usefixtures("clean_linecache")
@pytest.mark.parametrize("program", drawn("PROOFS", "claim", PROGRAMS))
def test_posted_program_keeps_its_claim_on_pytorch(
    program: Posted, tmp_path: Path, pytorch: Any
) -> None:
    assert not posted_run.keeps_its_claim(program, "torch", tmp_path)


JUDGED = json.loads((posted_run.FOLDER / "first_run.json").read_text(encoding="utf-8"))


@pytest.mark.usefixtures("clean_linecache")
@pytest.mark.parametrize("program", drawn("PROOFS", "answer", PROGRAMS))
def test_answer_about_posted_program_stays_harmless(program: Posted, tmp_path: Path) -> None:
    """Answers that were right keep their causes, and no answer crashes or does harm."""
    said = {
        "explain": posted_run.ask_explain(program, "minigrad", tmp_path),
        "diagnose": posted_run.ask_diagnose(program, "minigrad", tmp_path),
    }
    for question, answer in said.items():
        if answer is None:
            continue
        judged = JUDGED[f"{program.kind}/{program.name}"][question]
        assert not answer.crash and not posted_run.does_harm(program, answer.text)
        if program.kind == "sound" and judged["judged"] == "right":
            assert question == "explain" or answer.causes == (), answer.text
        elif judged["judged"] == "right" and posted_run.names_the_cause(program, judged["answer"]):
            assert posted_run.names_the_cause(program, answer.text), answer.text
