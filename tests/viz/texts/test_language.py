"""The language of displays: the setting, else the environment, else English."""

from __future__ import annotations

from types import ModuleType

import minigrad_viz as viz
import pytest
from minigrad_viz.texts.language import current_language

import minigrad as mg
from tests.speaking import speaking


@pytest.mark.parametrize(
    ("setting", "environment", "language"),
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
def test_setting_goes_before_environment(
    setting: str | None, environment: str | None, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MINIGRAD_LANGUAGE", raising=False)
    if environment is not None:
        monkeypatch.setenv("MINIGRAD_LANGUAGE", environment)
    with speaking(setting):
        assert current_language() == language


def test_every_display_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINIGRAD_LANGUAGE", "zh")
    x = mg.ones(2, requires_grad=True)
    y = (x * x).sum()
    assert viz.explain(y).text.startswith("y.grad 是 None")
    stepper = viz.step(y)
    assert stepper.payload["language"] == "zh"
    assert stepper.text.startswith("从 y 反向传播")
    assert {"y\n标量", "self\n已释放"} <= {n["label"] for n in viz.step(y).payload["nodes"]}
    assert viz.draw(y).text.startswith("y  标量")
    assert viz.draw(y).text == viz.draw(y).text


def test_a_picture_and_a_tree_in_chinese(lib: ModuleType) -> None:
    x = lib.ones(2, requires_grad=True)
    y = (x * x).sum()
    with speaking("zh"):
        assert viz.draw(y).text.splitlines() == [
            "y  标量",
            "└─ SumBackward0  y: 标量",
            "   └─ MulBackward0  [2]  保存：other = x、self = x",
            "      ├─ AccumulateGrad  （n5）",
            "      │  └─ x  [2]",
            "      └─ AccumulateGrad  （n5，见上文）",
        ]
    y.backward()
    with speaking("zh"):
        both = viz.draw(y, view="both")
    assert both.text.startswith("x: [2]\n#1: [2] = mul(x, x)\ny: 标量 = sum(#1)\n\ny  标量\n")
    assert "保存：other（已释放）、self（已释放）" in both.text
    assert 'aria-label="y 的计算图"' in both.svg
    for words in (">已释放</text>", ">反向节点</text>", ">y = 2</text>"):
        assert words in both.svg


def test_unnamed_things_follow_the_language(lib: ModuleType) -> None:
    leaves = [lib.ones(2, requires_grad=True) for _ in range(2)]
    y = (leaves[0] * leaves[1]).sum()
    with speaking("zh"):
        text = viz.draw(y, names={}).text
    assert text.startswith("结果  标量") and "叶子 1  [2]" in text and "叶子 2  [2]" in text
    with viz.watch():
        for _ in range(60):
            y = y.sin() * 2
    with speaking("zh"):
        folded = viz.draw(y, names={}, fold=True)
    boxes = [n for n in folded.model.nodes if n.kind == "cluster"]
    assert boxes and all(n.detail.endswith(" 个节点") for n in boxes)
    assert "第 60 轮" in [each.name for each in folded.folding.clusters.values()]
    with speaking("zh"):
        deep = viz.draw(y).text
    assert "，续在下文）" in deep and " 续：" in deep
    with speaking("zh"):
        assert repr(viz.draw(y)) == deep


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_word_of_another_language_is_left(language: str) -> None:
    """All words of a picture and a tree are in the table, in both languages."""
    x = mg.ones(2, requires_grad=True)
    y = x.exp().exp().sum()
    y.backward()
    with speaking(language):
        drawing = viz.draw(y, view="both")
    shown = [line for node in drawing.model.nodes for line in node.lines]
    chinese = [line for line in shown if any("\u4e00" <= c <= "\u9fff" for c in line)]
    english = [line for line in shown if "freed" in line or "scalar" in line]
    assert len(chinese if language == "zh" else english) == 4
    assert not (english if language == "zh" else chinese)


def test_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="language must be one of 'en', 'zh', not 'fr'"):
        viz.set_language("fr")
    assert current_language() == "en"
