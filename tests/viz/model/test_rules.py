"""Formulas: one source, two forms."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest
from minigrad_viz.model.rules import mathml, plain

import minigrad
from minigrad.autograd.events import Node


def all_rules() -> Iterator[str]:
    """The rule of every operation of minigrad."""
    assert minigrad.nn  # its operations are defined when it is first used
    kinds: list[type[Node]] = [Node]
    for kind in kinds:
        kinds += kind.__subclasses__()
        if kind.rule:
            yield kind.rule


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\bar a = g \cdot b, \qquad \bar b = g \cdot a", "ā = g · b, b̄ = g · a"),
        (r"\bar b = -\alpha \cdot g", "b̄ = −α · g"),
        (r"\bar a = g \cdot n \cdot a^{n-1}", "ā = g · n · a^(n − 1)"),
        (r"\bar a = g\, b^\top", "ā = g bᵀ"),
        (r"\bar a = \frac{g}{2 y}", "ā = g / (2 y)"),
        (r"\bar a = \frac{g}{2 \sqrt{a}}", "ā = g / (2 √a)"),
        (r"\bar a = g \cdot \ln a", "ā = g · ln a"),
        (r"\bar a_i = \sum_j g_j", "ā_i = ∑_j g_j"),
        (r"\bar x \mathrel{+}= g", "x̄ += g"),
        (r"\bar a = \frac{g}{n} \cdot (\sigma(x) - t)", "ā = g / n · (σ(x) − t)"),
        (r"\bar a = g \cdot \operatorname{sgn} a", "ā = g · sgn a"),
        (r"\bar a = \operatorname{reshape}(g)", "ā = reshape(g)"),
    ],
)
def test_plain(latex: str, text: str) -> None:
    assert plain(latex) == text


def test_losses_have_rules_before_nn_loads() -> None:
    """Who steps through a graph of PyTorch need not use it ever."""
    code = "from minigrad_viz.model.rules import _operations; print(*_operations())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "BinaryCrossEntropyWithLogitsBackward0" in done.stdout.split(), done.stderr


def test_every_rule_can_be_shown() -> None:
    rules = set(all_rules())
    assert len(rules) > 10
    for rule in rules:
        assert ET.fromstring(mathml(rule)).tag.endswith("math")
        text = plain(rule)
        assert text and not set("\\{}$") & set(text), rule
