"""The language of displays: the argument, else the environment, else English."""

from __future__ import annotations

import minigrad_viz as viz
import pytest
from minigrad_viz.language import chosen

import minigrad as mg


@pytest.mark.parametrize(
    ("argument", "environment", "language"),
    [
        (None, None, "en"),
        (None, "zh", "zh"),
        (None, "zh_CN.UTF-8", "zh"),
        (None, "de", "en"),
        (None, "", "en"),
        ("en", "zh", "en"),
        ("zh", None, "zh"),
    ],
)
def test_which_language(
    argument: str | None, environment: str | None, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MINIGRAD_LANGUAGE", raising=False)
    if environment is not None:
        monkeypatch.setenv("MINIGRAD_LANGUAGE", environment)
    assert chosen(argument) == language


def test_every_display_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINIGRAD_LANGUAGE", "zh")
    x = mg.ones(2, requires_grad=True)
    y = (x * x).sum()
    assert viz.explain(y).text.startswith("y.grad 是 None")
    stepper = viz.step(y)
    assert stepper.payload["language"] == "zh"
    assert stepper.text.startswith("从 y 反向传播")


def test_an_unknown_language() -> None:
    y = (mg.ones(2, requires_grad=True) * 2).sum()
    with pytest.raises(ValueError, match="language must be one of 'en', 'zh', not 'fr'"):
        viz.step(y, language="fr")
