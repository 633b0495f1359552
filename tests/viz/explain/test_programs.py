"""explain on programs that it was not written for: the cause, the guilty line, the cure, in each
broken one; and no defect in those that work.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest

import minigrad as mg
from tests.record import answer
from tests.sampling import in_this_run
from tests.viz.explain import broken_programs, correct_programs, posted_correct_programs
from tests.viz.explain import posted_programs as posted
from tests.viz.explain import reviewed_programs as reviewed
from tests.viz.explain.broken_programs import Broken
from tests.viz.explain.cures import CURES
from tests.viz.explain.running import answer_to_script, notebook

BROKEN = [*broken_programs.BROKEN, *posted.BROKEN, *reviewed.BROKEN]
SVG = "http://www.w3.org/2000/svg"
CORRECT = {
    **correct_programs.CORRECT,
    **posted_correct_programs.CORRECT,
    **reviewed.CORRECT,
}


def judged(broken: Broken, answer: viz.Explanation) -> list[str]:
    """What is wrong with an answer: "cause", "line", "cure", "harm"."""
    text = answer.text.lower()
    quoted = {each.strip() for each in re.findall(r"`([^`]*)`", answer.text)}
    right = {
        "cause": any(phrase in text for phrase in broken.cause),
        "line": not broken.guilty or any(line in quoted for line in broken.guilty),
        "cure": not broken.cure or any(phrase in text for phrase in broken.cure),
        "harm": not any(phrase.lower() in text for phrase in broken.never),
    }
    return [name for name, good in right.items() if not good]


@pytest.mark.parametrize("broken", BROKEN, ids=str)
def test_broken(lib: ModuleType, broken: Broken) -> None:
    asked_in_a_notebook(lib, broken)


@pytest.mark.parametrize("broken", posted.TORCH_ONLY, ids=str)
def test_broken_with_parts_that_pytorch_alone_has(torch: ModuleType, broken: Broken) -> None:
    asked_in_a_notebook(torch, broken)


def asked_in_a_notebook(lib: ModuleType, broken: Broken) -> None:
    with notebook(lib, broken.program) as cells:
        if "error" in broken.ask:
            assert cells.scope["error"] is not None
        answer = cells.ask(broken.ask)
        assert judged(broken, answer) == [], answer.text
        in_chinese = cells.ask(broken.ask, "zh")
    assert in_chinese.cause == answer.cause
    quoted = re.findall(r"`([^`]*)`", answer.text)
    assert {q for q in quoted if q in in_chinese.text} == {*quoted}, in_chinese.text
    assert re.search("[一-鿿]", in_chinese.text)


def failing(programs: list[Broken]) -> list[Broken]:
    """Those that raise; what is said of them in a script differs little from a notebook's."""
    raising = [broken for broken in programs if broken.ask == "viz.explain(error)"]
    return [broken for broken in raising if in_this_run("PROOFS", broken.name)]


@pytest.mark.parametrize("broken", failing(broken_programs.BROKEN), ids=str)
def test_broken_in_a_script(lib: ModuleType, broken: Broken) -> None:
    answer = answer_to_script(lib, broken.program)
    assert judged(broken, answer) == [], answer.text


@pytest.mark.parametrize("broken", failing(posted.BROKEN), ids=str)
def test_posted_in_a_script(broken: Broken) -> None:
    answer = answer_to_script(mg, broken.program)
    assert judged(broken, answer) == [], answer.text


@pytest.mark.parametrize("broken", BROKEN, ids=str)
def test_the_same_words_for_both_libraries(oracle: ModuleType, broken: Broken) -> None:
    """And the same nodes marked in the picture. But for the lines that PyTorch's nodes do not
    remember, and the names of its errors.
    """

    def asked(T: ModuleType) -> list[Any]:
        with notebook(T, broken.program) as cells:
            explained = cells.ask(broken.ask)
        return [explained.cause, marked(explained.svg), explained.text]

    ours, theirs = asked(mg), answer(oracle, asked)
    assert ours[:2] == theirs[:2]
    if ours[0] not in KNOWN_BY_THE_NODE:
        assert ours == theirs


def marked(drawn: str) -> list[str]:
    """What the culprits of a picture are called."""
    groups = ET.fromstring(drawn).iter(f"{{{SVG}}}g") if drawn else ()
    found = [group for group in groups if "culprit" in group.get("class", "")]
    return sorted(" ".join("".join(t.itertext()) for t in g.iter(f"{{{SVG}}}text")) for g in found)


KNOWN_BY_THE_NODE = {"in_place", "freed_shared", "nan_gradient", "optimizer_result", "not_leaf"}
"""Causes whose words include the line that made a node."""


@pytest.mark.parametrize("name", [name for name in CURES if in_this_run("PROOFS", name)])
def test_the_cure_works(lib: ModuleType, name: str) -> None:
    """It is carried out: the program runs to its end, and there is nothing left to say of it."""
    broken = next(each for each in BROKEN if each.name == name)
    cure = CURES[name]
    assert cure.old in broken.program
    with notebook(lib, broken.program) as cells:
        answer = cells.ask(broken.ask)
    assert not cure.quoted or f"`{cure.new}`" in answer.text, answer.text
    with notebook(lib, broken.program.replace(cure.old, cure.new)) as cells:
        assert cells.scope["error"] is None
        if "error" not in broken.ask and "total" not in broken.ask:
            assert cells.ask(broken.ask).cause in ("has_grad", "zero_grad", "all_finite")


def test_there_are_enough_programs() -> None:
    assert len(BROKEN) >= 300 and len(CORRECT) >= 150
    assert len({broken.name for broken in BROKEN}) == len(BROKEN)
    files = (correct_programs, posted_correct_programs, reviewed)
    assert len(CORRECT) == sum(len(file.CORRECT) for file in files)


SAYS_NO_DEFECT = {
    # What is said of a gradient that is there, or was, or is not wanted.
    *("has_grad", "zero_grad", "not_leaf", "retained", "not_required", "not_floating"),
    *("not_called", "taken_away", "not_called_or_taken", "never_used", "used_without_history"),
    "by_grad",
    *("not_reached", "all_finite", "values_finite"),
    # What a pass from here would meet, now that one has gone through.
    *("freed", "freed_shared", "freed_part"),
}

CLAIMS = (
    *("leave ", "in place", "move ", "will not change", "parentheses", "before the step"),
    *("put the", "write create_graph", "take the decorator", "turn it on", "does forward use"),
    *("does not require grad:", "frozen", "inplace=True"),
)
"""Words that blame a line or ask for a change of it."""


@pytest.mark.parametrize("name", CORRECT)
def test_correct(lib: ModuleType, name: str) -> None:
    with notebook(lib, CORRECT[name]) as cells:
        assert cells.scope["error"] is None
        tensors = list(cells.tensors())
        answers = [(t, tensor, cells.ask(f"viz.explain({t})")) for t, tensor in tensors]
        loss = cells.scope.get("loss")
        if loss is not None:
            leaves = [(t, leaf) for t, leaf in tensors if leaf.is_leaf and leaf.requires_grad]
            answers += [(t, leaf, cells.ask(f"viz.explain({t}, loss)")) for t, leaf in leaves]
            answers.append(("loss", loss, cells.ask("viz.explain(loss, nan=True)")))
    for t, tensor, explained in answers:
        assert explained.cause in SAYS_NO_DEFECT, (t, explained.text)
        if tensor.requires_grad and explained.cause not in ("not_reached", "never_used"):
            said = explained.text.lower()
            assert not [claim for claim in CLAIMS if claim.lower() in said], (t, explained.text)
        if in_this_run("PROOFS", name):
            marked(explained.svg)  # it can be drawn
