"""Engines that believe something false: each differs from the right one, and tells its belief."""

import pytest
from minigrad_lessons.engine import wrong
from minigrad_lessons.engine.wrong import (
    WRONG,
    answered,
    belief_behind,
    beliefs,
    right_engine,
    wrong_engine,
)
from minigrad_lessons.predictions.chapter_13 import PREDICTIONS

import minigrad


def paths(mg):
    u = mg.tensor(3.0, requires_grad=True)
    s = u * u + u
    s.backward()
    return u.grad


def waits(mg):
    a = mg.tensor(1.0, requires_grad=True)
    b = a + a
    c = b + b
    c.backward()
    return a.grad


def twice(mg):
    a = mg.tensor(2.0, requires_grad=True)
    for _ in range(2):
        (a * 3.0).backward()
    return a.grad


def again(mg):
    a = mg.tensor(2.0, requires_grad=True)
    b = a * 3.0
    b.backward()
    b.backward()
    return a.grad


def changed(mg):
    w, x = mg.tensor(2.0, requires_grad=True), mg.tensor(3.0)
    y = w * x
    x.add_(1.0)
    y.backward()
    return w.grad


def result(mg):
    x = mg.tensor(3.0, requires_grad=True)
    y = x * x
    z = y * 2.0
    z.backward()
    return y.grad


def cut(mg):
    x = mg.tensor([0.0, 1.0, 2.0, 3.0], requires_grad=True)
    y = x * x
    (y.detach() * x).sum().backward()
    return x.grad


def bias(mg):
    b = mg.tensor([1.0, 2.0, 3.0], requires_grad=True)
    (mg.tensor([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]) + b).sum().backward()
    return list(b.grad.shape)


EXPECTED = {
    paths: ("7", {"4": ("set_of_parents",), "3": ("overwrites",)}),
    waits: ("4", {"2": ("without_order",), "1": ("set_of_parents", "overwrites")}),
    twice: ("6", {"3": ("starts_afresh",)}),
    again: ("error", {"6": ("never_frees",)}),
    changed: ("error", {"4": ("without_versions",)}),
    result: ("None", {"2": ("keeps_all",)}),
    cut: ("0, 1, 4, 9", {"0, 3, 12, 27": ("through_detach",)}),
    bias: ("3", {"2, 3": ("keeps_shape",)}),
}


@pytest.mark.parametrize("program", EXPECTED)
def test_each_wrong_answer_shows_its_belief(program):
    right, wrongs = EXPECTED[program]
    assert answered(program, right_engine()) == right
    assert beliefs(program) == wrongs


@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor that is not a leaf")
@pytest.mark.parametrize("program", EXPECTED)
def test_the_right_answer_is_that_of_minigrad(program):
    try:
        theirs = program(minigrad)
    except RuntimeError:
        mine = "error"
    else:
        plain = theirs.tolist() if isinstance(theirs, minigrad.Tensor) else theirs
        mine = wrong.as_typed(plain)
    assert mine == EXPECTED[program][0]


def test_every_belief_makes_some_answer():
    shown = {name for _, wrongs in EXPECTED.values() for names in wrongs.values() for name in names}
    assert shown == set(WRONG)


def test_belief_is_named_if_certain():
    assert belief_behind(waits, " 2 ") is WRONG["without_order"].says
    assert belief_behind(waits, "1") is None  # two beliefs give it
    assert belief_behind(waits, "4") is None
    assert belief_behind(waits, "5") is None


def test_wrong_engine_is_its_own_module():
    one = wrong_engine("overwrites")
    assert one.__name__ == "overwrites"
    assert answered(paths, right_engine()) == "7"
    with pytest.raises(ValueError, match="there is no belief 'other'; there are: without_order"):
        wrong_engine("other")


@pytest.mark.parametrize("name", WRONG)
def test_a_belief_is_a_few_lines(name):
    """And both languages tell it."""
    code = WRONG[name].put_into.__code__
    lines = {line for nested in parts(code) for *_, line in nested.co_lines() if line}
    assert len(lines) <= 26
    en, zh = WRONG[name].says
    assert en.startswith("This is what comes out if") and en.endswith(".")
    assert "得到的就是这个结果" in zh and zh.endswith("。")


def meeting(mg):
    a = mg.tensor(1.0, requires_grad=True)
    b = a + a
    c = b * b
    c.backward()
    return a.grad


def test_chapter_13_predictions_match_engines():
    predicted = PREDICTIONS["13.c"]
    assert predicted.right == answered(meeting, wrong_engine("without_order"))
    wrongs = {each.answer for each in predicted.wrong}
    assert {answered(meeting, right_engine()), *beliefs(meeting)} - {predicted.right} <= wrongs


def parts(code):
    yield code
    for constant in code.co_consts:
        if hasattr(constant, "co_lines"):
            yield from parts(constant)
