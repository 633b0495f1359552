"""Calls that PyTorch answers by processor: each of its answers passes, any other fails."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import minigrad
from tests.ops.test_unusual_inputs import Said, agree_with_record, chosen, compare, digest, entry
from tests.ops.unusual_inputs.processors import BY_PROCESSOR, ByProcessor
from tests.ops.unusual_inputs.rows import ROWS
from tests.ops.unusual_inputs.variants import unusual_calls

NAME, WAY = "conv_transpose1d", "input: float16"
REFUSED, OTHER = next(each.answers for each in BY_PROCESSOR if each.names(NAME, WAY))
UNKNOWN = "RuntimeError: words of no processor"
WAYS = list(chosen(ROWS[NAME], False))


def said(text: str) -> Said:
    """Return answers that are None, but for the call that depends on the processor."""
    lines = [text if way == WAY else "None || None" for way in WAYS]
    return Said(tuple(lines), " ".join(map(entry, [NAME] * len(WAYS), WAYS, lines)))


def test_entry_holds_digests_of_all_processors() -> None:
    assert entry(NAME, WAY, REFUSED) == entry(NAME, WAY, OTHER) == "2L|Bn"
    assert {digest(REFUSED), digest(OTHER)} == {"2L", "Bn"}
    assert entry(NAME, "weight: float16", REFUSED) == "2L"


@pytest.mark.parametrize("recorded", [REFUSED, OTHER])
@pytest.mark.parametrize("now", [REFUSED, OTHER])
def test_any_processors_answer_agrees_with_record(now: str, recorded: str) -> None:
    agree_with_record(said(now), said(recorded).shortened())


def test_unknown_answer_disagrees_with_record() -> None:
    with pytest.raises(AssertionError, match=UNKNOWN):
        agree_with_record(said(UNKNOWN), said(REFUSED).shortened())


ASKED: list[Callable[[Said], Said]] = [lambda theirs: theirs, Said.shortened]


@pytest.mark.parametrize("asked", ASKED, ids=["present", "absent"])
@pytest.mark.parametrize("mine", [REFUSED, OTHER])
@pytest.mark.parametrize("theirs", [REFUSED, OTHER])
def test_minigrad_may_give_either_answer(
    mine: str, theirs: str, asked: Callable[[Said], Said]
) -> None:
    compare(NAME, said(mine), asked(said(theirs)), False)


@pytest.mark.parametrize("asked", ASKED, ids=["present", "absent"])
def test_minigrad_may_give_no_unknown_answer(asked: Callable[[Said], Said]) -> None:
    with pytest.raises(AssertionError, match=UNKNOWN):
        compare(NAME, said(UNKNOWN), asked(said(REFUSED)), False)


def test_pytorch_may_give_no_unknown_answer() -> None:
    with pytest.raises(AssertionError, match=UNKNOWN):
        compare(NAME, said(REFUSED), said(UNKNOWN), False)


@pytest.mark.parametrize("by_processor", BY_PROCESSOR, ids=lambda each: each.rows)
def test_every_entry_names_calls(by_processor: ByProcessor) -> None:
    calls = [(name, way) for name, row in ROWS.items() for way in unusual_calls(minigrad, row)]
    assert any(by_processor.names(*call) for call in calls)
    assert len(set(by_processor.answers)) > 1
