"""Programs written from questions on forums: each does what it claims, in both libraries."""

from __future__ import annotations

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


@pytest.mark.parametrize("program", drawn("PROOFS", "claim", PROGRAMS))
def test_posted_program_keeps_its_claim(program: Posted, tmp_path: Path) -> None:
    assert not posted_run.keeps_its_claim(program, "minigrad", tmp_path)


@pytest.mark.parametrize("program", drawn("PROOFS", "claim", PROGRAMS))
def test_posted_program_keeps_its_claim_on_pytorch(
    program: Posted, tmp_path: Path, pytorch: Any
) -> None:
    assert not posted_run.keeps_its_claim(program, "torch", tmp_path)
