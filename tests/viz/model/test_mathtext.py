"""Every rule is set by matplotlib as well."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

import pytest
from matplotlib.mathtext import MathTextParser
from minigrad_viz.model.mathtext import formulas
from minigrad_viz.model.rules import mathml

from minigrad.autograd.events import Node


def all_rules() -> Iterator[str]:
    """The rule of every operation of minigrad."""
    importlib.import_module("minigrad.nn")  # whose operations are not there before
    kinds: list[type[Node]] = [Node]
    for kind in kinds:
        kinds += kind.__subclasses__()
        if kind.rule:
            yield kind.rule


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\bar a = g \cdot y^2", (r"\bar{a}=g\cdot {y}^{2}",)),
        (r"\bar a = \frac{g}{b}, \qquad \bar b = -g", (r"\bar{a}=\frac{g}{b}", r"\bar{b}=-g")),
        (r"\sum_{j \geq i} g_j", (r"\sum_{j\geq i}{g}_{j}",)),
        (r"\operatorname{sgn} a", (r"\operatorname{sgn}a",)),
        (r"\text{part } k", (r"\mathrm{part\ }k",)),
        (r"\sqrt{1 - a^2}", (r"\sqrt{1-{a}^{2}}",)),
    ],
)
def test_formula(latex: str, text: tuple[str, ...]) -> None:
    assert formulas(mathml(latex)) == text


def test_every_rule_is_set() -> None:
    parser = MathTextParser("path")
    rules = set(all_rules())
    assert len(rules) > 100
    for rule in rules:
        parts = formulas(mathml(rule))
        assert parts, rule
        for part in parts:
            parser.parse(f"${part}$")  # which raises


@pytest.mark.parametrize(
    "written",
    [
        "<math><mtable><mtr><mtd><mi>a</mi></mtd></mtr></mtable></math>",
        "<math><mover><mi>a</mi><mo>?</mo></mover></math>",
        "<math><mi>a</math>",
    ],
)
def test_unknown_elements_give_no_formula(written: str) -> None:
    assert formulas(written) == ()
