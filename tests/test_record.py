"""The record of PyTorch's answers: what is written down is what is read, and nothing passes
without an answer. The library that is asked here is any object with a number in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from tests import record
from tests.parity import Seen
from tests.record import Absent, Running, answer, examples, packed, unpacked

TEST = "tests/core/test_something.py::test_it[of this]"


@pytest.fixture(autouse=True)
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder of answers of its own, and a test that is running."""
    monkeypatch.setattr(record, "ANSWERS", tmp_path)
    monkeypatch.setattr(record, "written", {})
    record.recorded.cache_clear()
    Running.begin(TEST, True)
    yield
    Running.recorded = False
    record.recorded.cache_clear()


def library(number: Any) -> Any:
    return SimpleNamespace(number=number)


def the_number(T: Any) -> Any:
    return T.number


def another_one(T: Any, more: int) -> Any:
    return T.number + more


def write_down(monkeypatch: pytest.MonkeyPatch, program: Any, test: str = TEST) -> None:
    """Do what `make record` does for one test."""
    with monkeypatch.context() as patch:
        patch.setattr(record, "WRITING", True)
        Running.begin(test, True)
        program()
        record.write()
    record.recorded.cache_clear()
    Running.begin(TEST, True)


VALUES = [
    None,
    True,
    2**70,
    -0.0,
    float("inf"),
    float("nan"),
    "文 \n",
    b"\x00\xff",
    2 - 3j,
    ...,
    slice(None, -1, 2),
    [1, (2, [])],
    {"a": 1, 2: ("b",), (3,): None},
    np.array([[0.1, np.nan, -0.0]], np.float32),
    np.array([np.inf, 1 / 3]),
    np.array([1 / 3], np.float16),
    np.zeros((0, 3), np.uint8),
    np.array([True, False]),
    np.array(2**63 - 1),
    np.array([1 + 2j], np.complex64),
    np.float32(0.1),
    np.int8(-3),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_unpacking_reverses_packing(value: Any) -> None:
    back = unpacked(json.loads(json.dumps(packed(value))))
    assert type(back) is type(value)
    assert repr(back) == repr(value)
    if isinstance(value, np.ndarray | np.generic):
        assert (back.dtype, back.shape) == (value.dtype, value.shape)
        assert back.tobytes() == value.tobytes()


def test_tensor_record_keeps_compared_digits() -> None:
    seen = Seen("float64", True, False, "roots", np.array([[1 / 3, 2.0]]))
    back = unpacked(json.loads(json.dumps(packed(seen))))
    assert back.values.tolist() == [[0.33333333333, 2.0]]
    assert (back.dtype, back.requires_grad, back.is_leaf, back.graph) == (*vars(seen).values(),)[:4]


def test_only_plain_data_is_recorded() -> None:
    with pytest.raises(AssertionError, match="a record cannot keep a SimpleNamespace"):
        packed([library(1)])


def test_answer_is_read_without_pytorch(monkeypatch: pytest.MonkeyPatch) -> None:
    def asking(T: Any) -> list[Any]:
        return [answer(T, the_number), answer(T, another_one, 2), answer(T, the_number)]

    write_down(monkeypatch, lambda: asking(library(0.5)))
    assert asking(Absent()) == [0.5, 2.5, 0.5]
    Running.begin(TEST, True)
    assert asking(library(0.5)) == [0.5, 2.5, 0.5]


def test_file_keeps_answers_of_other_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    other = TEST.replace("of this", "of that")
    write_down(monkeypatch, lambda: answer(library(1), the_number))
    write_down(monkeypatch, lambda: answer(library(2), the_number), other)
    assert answer(Absent(), the_number) == 1
    Running.begin(other, True)
    assert answer(Absent(), the_number) == 2


@pytest.mark.parametrize("torch", [Absent(), library(1)], ids=["absent", "present"])
def test_a_question_without_a_record(torch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError, match=r"record.*'the_number', question 0"):
        answer(torch, the_number)
    write_down(monkeypatch, lambda: answer(library(1), the_number))
    answer(torch, the_number)
    with pytest.raises(AssertionError, match=r"record.*'the_number', question 1"):
        answer(torch, the_number)


@pytest.mark.parametrize("torch", [Absent(), library(1)], ids=["absent", "present"])
def test_a_question_asked_out_of_order(torch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    write_down(monkeypatch, lambda: answer(library(1), the_number))
    with pytest.raises(AssertionError, match=r"record.*'another_one', question 0"):
        answer(torch, another_one, 2)


def test_pytorch_must_repeat_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    write_down(monkeypatch, lambda: answer(library([0.5, "a"]), the_number))
    assert answer(library([0.5 + 1e-9, "a"]), the_number) == [0.5 + 1e-9, "a"]
    for changed in ([0.51, "a"], [0.5, "b"], [0.5], [1, "a"]):
        Running.begin(TEST, True)
        with pytest.raises(AssertionError) as error:
            answer(library(changed), the_number)
        assert "make record" in error.value.__notes__[0]


def test_processor_dependent_answers_may_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    def ignored(now: Any, recorded: Any) -> None:
        assert type(now) is type(recorded) is bool

    write_down(monkeypatch, lambda: answer(library(True), the_number))
    assert answer(library(False), the_number, agree=ignored) is False


def test_absent_pytorch_has_only_answers() -> None:
    with pytest.raises(AssertionError, match=r"torch\.zeros is not recorded: ask for it by answer"):
        Absent().zeros(3)


def test_examples_are_recorded_and_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[int] = []

    @examples({"n": 12345}, n=st.integers(0, 10**9), max_examples=200)
    def test(torch: Any, offset: int, n: int) -> None:
        ran.append(n)
        assert answer(torch, another_one, n) == n + offset

    def drawn_and_kept(torch: Any, present: bool) -> list[int]:
        ran.clear()
        monkeypatch.setattr(record, "PRESENT", present)
        Running.begin(TEST, True)
        test(torch, offset=1)
        return ran.copy()

    with pytest.raises(AssertionError, match=r"record.* any example"):
        drawn_and_kept(Absent(), False)
    write_down(monkeypatch, lambda: drawn_and_kept(library(1), True))
    written = ran.copy()
    assert len(set(written)) > 20 and 12345 in written
    assert drawn_and_kept(Absent(), False) == written
    every = drawn_and_kept(library(1), True)
    assert every[-len(written) :] == written and len(every) > 200
    with pytest.raises(AssertionError):
        drawn_and_kept(library(2), True)


def test_failing_example_is_not_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    @examples(n=st.integers(0, 99))
    def test(torch: Any, n: int) -> None:
        answer(torch, the_number)
        assert n < 50

    def failing() -> None:
        monkeypatch.setattr(record, "PRESENT", True)
        with pytest.raises(AssertionError):
            test(library(1))

    write_down(monkeypatch, failing)
    kept = [values["dict"][0][1] for name, values in Running.answers() if name == "example"]
    assert all(n < 50 for n in kept)
