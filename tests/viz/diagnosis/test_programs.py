"""explain on programs that were not written for it: it must find the cause, the guilty line and the
cure of each broken one, and no defect in a sound one.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest

import minigrad as mg
from tests.record import answer
from tests.sampling import all_of, in_this_run, sample
from tests.viz.diagnosis.program_files import Broken, broken_programs, sound_programs
from tests.viz.diagnosis.running import Notebook, answer_to_script, notebook

SVG = "http://www.w3.org/2000/svg"
A_CAUSE = 4
"""Programs of one cause in each run. At night all run."""

BROKEN = [each for each in broken_programs().values() if not each.library]
OF_PYTORCH = [each for each in broken_programs().values() if each.library]
SOUND = sound_programs()


def of_this_run() -> list[Broken]:
    """At most `A_CAUSE` programs of each cause."""
    causes = dict.fromkeys(broken.cause for broken in BROKEN)
    of_cause = ([each for each in BROKEN if each.cause == cause] for cause in causes)
    return [broken for programs in of_cause for broken in sample("PROOFS", programs, A_CAUSE)]


THIS_RUN = of_this_run()
IN_A_SCRIPT = [
    each for each in THIS_RUN if each.ask == "viz.explain(error)" and "global " not in each.program
]
"""Programs that raise an error in a function, too."""


def wrong_parts(broken: Broken, answer: viz.Explanation) -> list[str]:
    """The parts of an answer that are wrong: "cause", "words", "line", "cure", "harm"."""
    text = answer.text.lower()
    quoted = {each.strip() for each in re.findall(r"`([^`]*)`", answer.text)}
    right = {
        "cause": answer.cause == broken.cause,
        "words": any(phrase in text for phrase in broken.says_any),
        "line": not broken.guilty or any(line in quoted for line in broken.guilty),
        "cure": not broken.cure_any or any(phrase in text for phrase in broken.cure_any),
        "harm": not any(phrase.lower() in text for phrase in broken.never),
    }
    return [name for name, good in right.items() if not good]


def wrong_in_chinese(cells: Notebook, broken: Broken, english: viz.Explanation) -> list[str]:
    """The parts of the Chinese answer that are wrong: "cause", "quotes", "language"."""
    chinese = cells.ask(broken.ask, "zh")
    quoted = re.findall(r"`([^`]*)`", english.text)
    right = {
        "cause": chinese.cause == english.cause,
        "quotes": all(quote in chinese.text for quote in quoted),
        "language": re.search("[一-鿿]", chinese.text),
    }
    return [name for name, good in right.items() if not good]


def explained(lib: ModuleType, broken: Broken) -> list[Any]:
    """Return cause, marked nodes and text of the answer in a notebook, and its wrong parts."""
    with notebook(lib, broken.program) as cells:
        if "error" in broken.ask:
            assert cells.scope["error"] is not None
        answer = cells.ask(broken.ask)
        wrong = wrong_parts(broken, answer) + wrong_in_chinese(cells, broken, answer)
    return [answer.cause, marked(answer.svg), answer.text, wrong]


@pytest.mark.parametrize("broken", THIS_RUN, ids=str)
def test_explain_finds_cause_in_both_libraries(oracle: ModuleType, broken: Broken) -> None:
    """Answers and marked nodes are equal, except for lines that PyTorch's nodes do not remember."""
    ours, theirs = explained(mg, broken), answer(oracle, explained, broken)
    for *_, text, wrong in (ours, theirs):
        assert wrong == [], text
    assert ours[:2] == theirs[:2]
    if ours[0] not in KNOWN_BY_THE_NODE:
        assert ours == theirs


@pytest.mark.parametrize("broken", OF_PYTORCH, ids=str)
def test_explain_finds_cause_in_pytorch_only(torch: ModuleType, broken: Broken) -> None:
    *_, text, wrong = explained(torch, broken)
    assert wrong == [], text


def explained_in_a_script(lib: ModuleType, broken: Broken) -> list[Any]:
    """Return cause and text of the answer in a script, and its wrong parts."""
    answer = answer_to_script(lib, broken.program)
    return [answer.cause, answer.text, wrong_parts(broken, answer)]


@pytest.mark.parametrize("broken", IN_A_SCRIPT, ids=str)
def test_explain_finds_cause_in_a_script(oracle: ModuleType, broken: Broken) -> None:
    ours, theirs = explained_in_a_script(mg, broken), answer(oracle, explained_in_a_script, broken)
    for _, text, wrong in (ours, theirs):
        assert wrong == [], text
    if ours[0] not in KNOWN_BY_THE_NODE:
        assert ours == theirs


def marked(drawn: str) -> list[str]:
    """The labels of the culprits in a picture."""
    groups = ET.fromstring(drawn).iter(f"{{{SVG}}}g") if drawn else ()
    found = [group for group in groups if "culprit" in group.get("class", "")]
    return sorted(" ".join("".join(t.itertext()) for t in g.iter(f"{{{SVG}}}text")) for g in found)


KNOWN_BY_THE_NODE = {"in_place", "freed_shared", "nan_gradient", "optimizer_result", "not_leaf"}
"""Causes whose text includes the line that made a node."""

REPAIRED = [broken for broken in BROKEN if broken.repair and in_this_run("PROOFS", broken.name)]


@pytest.mark.parametrize("broken", REPAIRED, ids=str)
def test_repaired_program_works(lib: ModuleType, broken: Broken) -> None:
    """With the repair, the program runs to its end and explain finds no defect."""
    repair = broken.repair
    assert repair and repair.old in broken.program
    with notebook(lib, broken.program) as cells:
        answer = cells.ask(broken.ask)
    assert not repair.quoted or f"`{repair.new}`" in answer.text, answer.text
    with notebook(lib, broken.program.replace(repair.old, repair.new)) as cells:
        assert cells.scope["error"] is None
        if "error" not in broken.ask and "total" not in broken.ask:
            assert cells.ask(broken.ask).cause in ("has_grad", "zero_grad", "all_finite")


def test_programs_are_many_and_sampled() -> None:
    assert len(BROKEN) >= 431 and len(SOUND) >= 208
    causes = Counter(broken.cause for broken in THIS_RUN)
    assert len(causes) >= 53
    assert all_of("PROOFS") or max(causes.values()) == A_CAUSE


SAYS_NO_DEFECT = {
    # A gradient that exists, existed or is not wanted.
    *("has_grad", "zero_grad", "not_leaf", "retained", "not_required", "not_floating"),
    *("not_called", "taken_away", "not_called_or_taken", "never_used", "used_without_history"),
    "by_grad",
    *("not_reached", "all_finite", "values_finite", "finished"),
    # A second pass would fail, after the first one freed the graph.
    *("freed", "freed_shared", "freed_part"),
}

CLAIMS = (
    *("leave ", "in place", "move ", "will not change", "parentheses", "before the step"),
    *("put the", "write create_graph", "take the decorator", "turn it on", "does forward use"),
    *("does not require grad:", "frozen", "inplace=True"),
)
"""Words that blame a line or ask for a change of it."""


def blamed(lib: ModuleType, name: str) -> list[Any]:
    """Return the cause that each tensor of a sound program gets, and the answers that blame it."""
    with notebook(lib, SOUND[name]) as cells:
        assert cells.scope["error"] is None
        tensors = list(cells.tensors())
        answers = [(t, tensor, cells.ask(f"viz.explain({t})")) for t, tensor in tensors]
        loss = cells.scope.get("loss")
        if loss is not None:
            leaves = [(t, leaf) for t, leaf in tensors if leaf.is_leaf and leaf.requires_grad]
            answers += [(t, leaf, cells.ask(f"viz.explain({t}, loss)")) for t, leaf in leaves]
            answers.append(("loss", loss, cells.ask("viz.explain(loss, nan=True)")))
    wrong = []
    for t, tensor, explained in answers:
        said = explained.text.lower()
        may_blame = not tensor.requires_grad or explained.cause in ("not_reached", "never_used")
        blames = not may_blame and any(claim.lower() in said for claim in CLAIMS)
        if explained.cause not in SAYS_NO_DEFECT or blames:
            wrong.append([t, explained.text])
        if in_this_run("PROOFS", name):
            marked(explained.svg)  # it can be drawn
    return [[[t, explained.cause] for t, _, explained in answers], wrong]


FREED_IN_PYTORCH = {"function_none_for_flag_ok", "own_function_with_a_number"}
"""Programs with a Function that saves no tensor. After the pass, PyTorch says that it is freed."""


@pytest.mark.sampled("PROOFS", 40)
@pytest.mark.parametrize("name", SOUND)
def test_sound_program_is_not_blamed(oracle: ModuleType, name: str) -> None:
    ours, theirs = blamed(mg, name), answer(oracle, blamed, name)
    assert ours[1] == theirs[1] == []
    if name not in FREED_IN_PYTORCH:
        assert ours == theirs
