"""The listed differences explain the calls that they are meant for, and no others."""

from __future__ import annotations

import re

import pytest

from tests.ops.test_unusual_inputs import MARK, Said, chosen, compare, entry
from tests.ops.unusual_inputs.differences import ANY, DIFFERENCES, Difference
from tests.ops.unusual_inputs.rows import ROWS

UNRELATED = (
    "RuntimeError: the moon is full",
    "TypeError: relu(): argument 'moon' must be Tensor, not int",
    "ValueError: the moon must be positive, got -1",
    "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)",
    'NotImplementedError: "moon_cpu" is no kernel',
    "float32[2, 3] = 1.5 || float32[2, 3] AddBackward0 = 1.5; slope float32[2, 3] = 4",
    "float64[] = 2.5 || float64[] SumBackward0 = 2.5; slope float64[2] = 1",
    "int64[2] = 3 || int64[2] = 3",
    "(float32[2] = 1.5, float32[2] = 2.5) || (float32[2] = 1.5, float32[2] = 2.5)",
    "argument 0: float32[2] version 1 = 1.5; argument 0 is float32[2] version 1 = 1.5",
    "Linear(in_features=3, out_features=2, bias=True); float32[2, 3] = 1.5",
    "None || None",
    "True || True",
)
"""Lines of calls that no difference is about."""


def fits_unrelated(difference: Difference) -> list[tuple[str, str]]:
    """Return pairs of unrelated lines that the two patterns of a difference fit."""
    return [
        (mine, theirs)
        for mine in UNRELATED
        for theirs in UNRELATED
        if re.search(difference.mine, mine) and re.search(difference.theirs, theirs)
    ]


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda difference: difference.reason)
def test_difference_fits_no_unrelated_lines(difference: Difference) -> None:
    assert fits_unrelated(difference) == []


@pytest.mark.parametrize("theirs", ["Error|^[a-z]", "Error", "^float", ANY])
def test_too_wide_patterns_fit_unrelated_lines(theirs: str) -> None:
    assert fits_unrelated(Difference("too wide", ANY, "Error", theirs))


@pytest.mark.parametrize("name", ["relu", "functional.conv_transpose1d", "optim.SGD(lr)"])
@pytest.mark.parametrize("unrelated", UNRELATED)
def test_recorded_answer_refuses_unrelated_lines(name: str, unrelated: str) -> None:
    ways = list(chosen(ROWS[name], False))
    theirs = Said((), " ".join(entry(name, way, "RuntimeError: the record") for way in ways))
    mine = Said(("RuntimeError: the record",) * (len(ways) - 1) + (unrelated,), "")
    with pytest.raises(AssertionError, match=re.escape(unrelated)):
        compare(name, mine, theirs, False)


def test_record_marks_answers_known_by_theirs() -> None:
    answer = 'RuntimeError: n >= 3 INTERNAL ASSERT FAILED at "Kernel.h":8'
    assert entry("relu", "all: nan", answer).endswith(MARK)
    assert not entry("relu", "all: nan", "RuntimeError: the record").endswith(MARK)


def test_marked_answer_allows_other_words() -> None:
    name = "relu"
    ways = list(chosen(ROWS[name], False))
    answer = 'RuntimeError: n >= 3 INTERNAL ASSERT FAILED at "Kernel.h":8'
    theirs = Said((), " ".join(entry(name, way, answer) for way in ways))
    compare(name, Said(("IndexError: index 3 is out of bounds",) * len(ways), ""), theirs, False)
