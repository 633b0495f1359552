"""Texts that count as equal, and texts that do not."""

from __future__ import annotations

import pytest

from tests.numbers import Printed, alike

LAST_DIGIT = [
    ("4.843245", "4.843246"),
    ("tensor([0.1179, 0.2661])", "tensor([0.1178, 0.2662])"),
    ("tensor(9.9999)", "tensor(10.0000)"),
    ("loss -0.0000", "loss 0.0000"),
    ("[[ 0.0000, 1.0000],\n [-0.0001, 2.0000]]", "[[-0.0000, 1.0000],\n [ 0.0000, 2.0000]]"),
    ("tensor(3.)", "tensor(3.0000)"),
    ("value 2.0", "value 1.9999998807907104"),
    ("0.8046108484268188", "0.8046109080314636"),
    ("norm 1.166", "norm 1.167"),
    ("299.70", "299.69"),
    ("-8.7423e-08", "-8.7424e-08"),
    ("1.3591e+02.", "1.3592e+02."),
]
OTHERS = [
    ("4.843245", "4.853245"),
    ("4.843245", "-4.843245"),
    ("tensor([0.1179, 0.2661])", "tensor([0.1189, 0.2661])"),
    ("tensor([0.1179, 0.2661])", "tensor([0.1179])"),
    ("tensor([0.1179, 0.2661])", "tensor([0.1179,  0.2661])"),
    ("tensor(0.1179)", "tensor(0.1179, requires_grad=True)"),
    ("-8.7423e-08", "-8.7423e-07"),
    ("step 3 of 11", "step 4 of 11"),
    ("tensor(3)", "tensor(3.)"),
    ("tensor(3.)", "tensor(4.)"),
    ("100000.", "100001."),
    ("0.1", "0.2"),
    ("betas=(0.9, 0.999)", "betas=(0.9, 0.998)"),
    ("eps=1e-08", "eps=2e-08"),
    ("version 1.2345.1", "version 1.2346.1"),
    ("x1.2345", "x1.2346"),
    ("nan", "inf"),
    ("0.1179", "nan"),
    ("2.0", "2.1"),
    ("2.0", "2.0003"),
]


@pytest.mark.parametrize(("one", "other"), LAST_DIGIT)
def test_last_digit_may_differ(one: str, other: str) -> None:
    assert alike(one, other) and alike(other, one) and alike(one, one)


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_nothing_else_may(one: str, other: str) -> None:
    assert not alike(one, other) and not alike(other, one)
    assert alike(one, one) and alike(other, other)


def test_a_text_that_compares_itself() -> None:
    stored = Printed("loss 0.1179")
    assert stored == "loss 0.1178" and "loss 0.1178" == stored and not stored != "loss 0.1178"
    assert stored != "loss 0.1189" and "loss 0.1189" != stored and stored != None  # noqa: E711
    assert [("stdout", stored)] == [("stdout", Printed("loss 0.1178"))]
