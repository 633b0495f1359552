"""Each rule about errors explains its broken program; its sound one raises no error."""

from __future__ import annotations

import linecache
import re
from pathlib import Path
from types import ModuleType

import minigrad_viz as viz
import pytest
from minigrad_viz.diagnosis.errors.rule import ErrorRule
from minigrad_viz.diagnosis.errors.table import ERRORS
from minigrad_viz.diagnosis.passes import PASSES, PassRule

import minigrad as mg
from tests.record import answer
from tests.viz.diagnosis.running import answer_to_script, notebook
from tests.viz.looks import WRITING

DOCUMENT = Path(__file__).parents[3] / "docs" / "errors.md"
KEYS = [rule.key for rule in ERRORS]
MOST_WORDS = 60


def explained(library: ModuleType, rule: ErrorRule) -> list[str]:
    """Return the cause and the texts of the answers in English and Chinese."""
    with notebook(library, rule.broken.strip()) as cells:
        assert cells.scope["error"] is not None
        answers = [cells.ask("viz.explain(error)", language) for language in ("en", "zh")]
        return [answers[0].cause, *(each.text for each in answers)]


@pytest.mark.parametrize("rule", ERRORS, ids=KEYS)
def test_error_rule_explains_its_program(oracle: ModuleType, rule: ErrorRule) -> None:
    """The answers are equal on both libraries, quote the same code, and are short."""
    cause, english, chinese = explained(mg, rule)
    assert cause == rule.key, english
    assert [cause, english, chinese] == answer(oracle, explained, rule)
    assert ("Chapter" in english) == bool(rule.chapter)
    assert len(english.partition(" Chapter")[0].split()) <= MOST_WORDS, english
    quotes = re.findall(r"`[^`]*`", english)
    assert all(quote in chinese for quote in quotes), (quotes, chinese)


@pytest.mark.parametrize("rule", ERRORS, ids=KEYS)
def test_sound_program_raises_no_error(lib: ModuleType, rule: ErrorRule) -> None:
    with notebook(lib, rule.sound.strip()) as cells:
        assert cells.scope["error"] is None, cells.scope["error"]


@pytest.mark.parametrize("rule", ERRORS, ids=KEYS)
def test_error_rule_explains_its_program_in_a_function(rule: ErrorRule) -> None:
    found = answer_to_script(mg, rule.broken.strip())
    assert found.cause == rule.key, found.text
    assert "program.py" in found.text


OTHERS = {
    "whole labels": (
        "scores, y = T.randn(3, 1), T.tensor([[0], [1], [1]])\n"
        "loss = T.nn.functional.binary_cross_entropy_with_logits(scores, y)",
        "label_type",
        "`y.float()`",
    ),
    "images in a Sequential": (
        "net = T.nn.Sequential(T.nn.Conv2d(1, 2, 3), T.nn.Linear(18, 5))\n"
        "out = net(T.randn(4, 1, 5, 5))",
        "unflattened",
        "`T.nn.Flatten()`",
    ),
    "an array for a layer": (
        "import numpy as np\nlayer, x = T.nn.Linear(2, 1), np.ones((3, 2))\nout = layer(x)",
        "list_for_tensor",
        "`T.from_numpy(x).float()`",
    ),
    "a tensor of tensors": (
        "outs = [T.ones(3) for i in range(4)]\nt = T.tensor(outs)",
        "other_argument",
        "`T.stack(outs)`",
    ),
    "numbers that are stacked": (
        "losses = [0.1, 0.2]\ny = T.stack(losses)",
        "other_argument",
        "`T.tensor(losses)`",
    ),
    "the logarithm of a number": (
        "a = T.log(2.0)",
        "other_argument",
        "`T.log(T.tensor(2.0))`",
    ),
    "a number with math": ("import math\na = T.log(2.0)", "other_argument", "`math.log(2.0)`"),
    "no array": ("x = T.from_numpy([1.0, 2.0])", "other_argument", "`T.tensor([1.0, 2.0])`"),
    "a state for an optimizer": (
        "net = T.nn.Linear(2, 1)\nopt = T.optim.SGD(net.state_dict(), lr=0.1)",
        "module_for_parameters",
        "`net.parameters()`",
    ),
    "a method for an optimizer": (
        "net = T.nn.Linear(2, 1)\nopt = T.optim.SGD(net.parameters, lr=0.1)",
        "method_not_called",
        "`net.parameters()`",
    ),
    "a loss made of tensors": (
        "pred, y = T.ones(3), T.zeros(3)\nloss = T.nn.MSELoss(pred, y)",
        "built_with_tensors",
        "`T.nn.MSELoss()(pred, y)`",
    ),
    "a misspelled variable": (
        "optimizer = T.ones(3)\ny = optimiser + 1",
        "name_misspelled",
        "`optimizer`",
    ),
}
"""Further programs with the defect of a rule, its key, and the code of the cure."""


@pytest.mark.parametrize("name", OTHERS)
def test_error_rule_explains_other_programs(lib: ModuleType, name: str) -> None:
    program, key, cure = OTHERS[name]
    with notebook(lib, program) as cells:
        answers = [cells.ask("viz.explain(error)", language) for language in ("en", "zh")]
    assert {each.cause for each in answers} == {key}, answers[0].text
    assert all(cure in each.text for each in answers), answers[0].text


def explained_without_text(library: ModuleType, rule: ErrorRule) -> viz.Explanation:
    space = {"__name__": "__main__", "T": library}
    try:
        exec(compile(rule.broken, "<string>", "exec"), space)
    except Exception as error:
        return viz.explain(error)
    raise AssertionError("the program works")


NO_TEXT_NEEDED = {
    *("features", "channels", "one_sample", "index_without_row", "no_super", "recurrent_features"),
    *("wrong_shape", "integers", "two_dtypes", "hook_size"),
}


@pytest.mark.parametrize("rule", ERRORS, ids=KEYS)
def test_no_line_is_quoted_without_text(
    lib: ModuleType, rule: ErrorRule, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cause is certain without the text, or the causes of such a message are named."""
    monkeypatch.setattr(linecache, "getlines", lambda *_: [])
    found = explained_without_text(lib, rule)
    rules = {each.key: each for each in ERRORS}
    assert found.cause == rule.key or rule.key not in NO_TEXT_NEEDED, found.text
    if found.cause in rules and found.cause != rule.key and rule.key != "hook_replaces_output":
        assert rules[found.cause].message == rule.message, found.text
    if found.cause == "unseen_error":
        assert rule.title("en") in found.text
    assert not re.search(r"\(line \d|``", found.text), found.text
    said = rules[found.cause].en.cure if found.cause in rules else ""
    assert not said or said.partition("{")[0] not in found.text.partition(". ")[2]


@pytest.mark.parametrize("rule", PASSES, ids=[rule.key for rule in PASSES])
def test_pass_rule_explains_its_program(lib: ModuleType, rule: PassRule) -> None:
    with notebook(lib, rule.broken.strip()) as cells:
        assert cells.scope["error"] is not None
        english, chinese = (cells.ask("viz.explain(error)", language) for language in ("en", "zh"))
    assert english.cause == chinese.cause == rule.key, english.text
    assert f"Chapter {rule.chapter} " in english.text
    assert len(english.text.partition(" Chapter")[0].split()) <= MOST_WORDS, english.text
    quotes = re.findall(r"`[^`]*`", english.text)
    assert all(quote in chinese.text for quote in quotes), (quotes, chinese.text)
    with notebook(lib, rule.sound.strip()) as cells:
        assert cells.scope["error"] is None, cells.scope["error"]


def test_pass_rules_are_ordered_as_they_declare() -> None:
    keys = [rule.key for rule in PASSES]
    for place, rule in enumerate(PASSES):
        assert {*rule.before} <= {*keys[place + 1 :]}, rule.key


def test_error_rules_are_ordered_as_they_declare() -> None:
    assert len({*KEYS}) == len(KEYS)
    for place, rule in enumerate(ERRORS):
        assert {*rule.before} <= {*KEYS[place + 1 :]}, rule.key


def table() -> str:
    """Return the document with the rules in order."""
    text = (
        "# Errors that `explain` knows\n\n"
        "After an error, `viz.explain(error)` compares its message with these patterns, in this "
        "order. A rule\nwhose pattern fits then looks at the line, at the modules that ran, and at "
        "live shapes and dtypes.\nThe first that is certain is the answer, on either library. Of "
        "any other error, the answer quotes\nthe line with the shapes and dtypes of its tensors. "
        "Errors of a running backward pass come\nbefore these rules. A test writes this page from "
        "the code. There each rule has a program that raises\nthe error, and one that looks like "
        "it and raises none.\n\n"
        "The severity is 3 if no step can run. It is 2 if only some data or later steps raise the "
        "error, and\n1 outside of training.\n\n"
        "| rule | severity | message | what is wrong | comes before |\n|---|---|---|---|---|\n"
    )
    for rule in ERRORS:
        before = ", ".join(f"`{each}`" for each in rule.before)
        pattern = rule.message.replace("|", "\\|")
        row = (f"`{rule.key}`", str(rule.severity), f"`{pattern}`", rule.title("en"), before)
        text += f"| {' | '.join(row)} |\n"
    text += (
        "\nA backward pass that finds a part of its graph freed has one of these causes, if a loop "
        "gives one. They\nare tried in this order.\n\n"
        "| rule | chapter | what is wrong | comes before |\n|---|---|---|---|\n"
    )
    for each in PASSES:
        before = ", ".join(f"`{key}`" for key in each.before)
        text += f"| `{each.key}` | {each.chapter} | {each.title('en')} | {before} |\n"
    return text


def test_document_prints_error_rules() -> None:
    if WRITING:
        DOCUMENT.write_text(table(), encoding="utf-8")
    assert DOCUMENT.read_text(encoding="utf-8") == table()


UNKNOWN = """
x, y = T.ones(3), T.ones(4)
z = T.dot(x, y)
"""


def test_unknown_error_names_shapes_of_its_line(lib: ModuleType) -> None:
    with notebook(lib, UNKNOWN.strip()) as cells:
        found = cells.ask("viz.explain(error)")
    assert found.cause == "unknown_error"
    assert "`z = T.dot(x, y)`" in found.text
    assert "`x`: (3,), float32; `y`: (4,), float32." in found.text


WATCHED = """
x, y = T.ones(3), T.ones(4)
with viz.diagnose() as report:
    for i in range(2):
        z = T.dot(x, y)
"""


def test_report_says_which_error_ended_the_block(lib: ModuleType) -> None:
    """The report used to say for good that the steps are still being watched."""
    with notebook(lib, WATCHED.strip()) as cells:
        report = cells.scope["report"]
    assert report.kinds == ()
    assert "ended with an error: RuntimeError: inconsistent" in report.text
    assert "`z = T.dot(x, y)`" in report.text


STRANGE = """
class Odd:
    grad_fn, requires_grad = None, False
    def __getattr__(self, name):
        raise RuntimeError("boom")
odd, x = Odd(), T.ones(2, 3)
y = x @ T.ones(3, 2) + odd
"""


def test_strange_object_in_the_line_is_ignored(lib: ModuleType) -> None:
    """An object that looks like a tensor, and raises when it is asked, stops no answer."""
    with notebook(lib, STRANGE.strip()) as cells:
        found = cells.ask("viz.explain(error)")
    assert found.cause == "unknown_error"
    assert "`x`: (2, 3), float32" in found.text


BEFORE_A_PASS = """
net = T.nn.Linear(3, 1)
for p in net.parameters():
    p.data -= 0.1 * p.grad.data
"""


def test_line_of_the_library_is_not_quoted(lib: ModuleType) -> None:
    """The line in which a library's layer makes its weight was named, and `p.atan` as a cure."""
    with notebook(lib, BEFORE_A_PASS.strip()) as cells:
        found = cells.ask("viz.explain(error)")
    assert found.cause == "never_used" and "linear.py" not in found.text, found.text


SEQUENCES = "a, b = T.ones(2, 5, 8), T.ones(2, 6, 4)\nc = T.cat([a, b], 1)"


def test_features_of_sequences_are_not_cut_off(lib: ModuleType) -> None:
    """The cure used to be `a[..., :4]`, half of the features."""
    with notebook(lib, SEQUENCES) as cells:
        assert cells.ask("viz.explain(error)").cause == "unknown_error"
