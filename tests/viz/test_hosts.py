"""Contents sent to every notebook host, and the interfaces of hosts that cannot be run here.

tests/browser tries JupyterLab, Notebook 7, marimo and exported pages. VS Code and Colab are
programs of their own: that they show what is described here is what their makers say of them.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import anywidget
import minigrad_viz as viz
import pytest

import minigrad as mg

VIEW = "application/vnd.jupyter.widget-view+json"


def squared(lib: Any = mg) -> Any:
    x = lib.tensor(3.0, requires_grad=True)
    return x * x


def explored() -> Any:
    return viz.explore(lambda x: x * x, x=(-2, 2))


SHOWN: dict[str, Callable[[], Any]] = {
    "draw": lambda: viz.draw(squared()),
    "step": lambda: viz.step(squared()),
    "compare": lambda: viz.compare(squared, mg, mg),
    "program": lambda: viz.program(squared()),
    "explain": lambda: viz.explain(mg.ones(2, requires_grad=True)),
    "loss_curve": lambda: viz.loss_curve([3, 2, 1]),
    "memory": lambda: viz.memory(squared),
}


def bundle(shown: Any) -> dict[str, Any]:
    made = shown._repr_mimebundle_()
    return dict(made[0] if isinstance(made, tuple) else made)


@pytest.mark.parametrize("name", SHOWN)
def test_outputs_use_common_mime_types(name: str) -> None:
    """A picture or HTML, and text: no kind of output for which a host would need a plugin."""
    shown = bundle(SHOWN[name]())
    assert set(shown) <= {"text/html", "image/svg+xml", "text/plain"}
    assert shown["text/plain"] and len(shown) > 1
    assert all(isinstance(text, str) for text in shown.values())


@pytest.mark.parametrize("name", [*SHOWN, "explore"])
def test_html_needs_nothing_of_its_page(name: str) -> None:
    """VS Code and Colab show an output in a frame, with no network in a classroom, and without the
    objects of Jupyter's old notebook.
    """
    html = explored().html if name == "explore" else bundle(SHOWN[name]()).get("text/html", "")
    assert not re.findall(r"""(?:src|href)=["']?(?!data:)\w""", html)
    programs = re.findall(r"<script([^>]*)>(.*?)</script>", html, re.S)
    assert [about for about, _ in programs] == [' type="module"'] * len(programs)
    for _, program in programs:
        assert not re.search(r"\b(?:require|Jupyter|IPython|fetch|parent|top)\b[.(]", program)
        assert re.findall(r"\bimport\b[^;]*", program) == ["import(url)"]
        assert "new Blob([code]" in program  # that is where it comes from


MODULES = ["stepper/static/stepper.js", "plots/static/sliders.js"]


@pytest.mark.parametrize("module", MODULES)
def test_front_end_is_one_module(root: Path, module: str) -> None:
    text = (root / "viz" / "minigrad_viz" / module).read_text(encoding="utf-8")
    assert not re.search(r"""\bimport\b(?:[\w\s{},*$]+\bfrom\b)?\s*["'(]""", text)
    assert not re.search(r"\brequire\(|\bwindow\.(?:require|Jupyter|IPython)", text)
    assert re.search(r"export\{.*\b\w+ as default\b", text)


def test_sliders_are_a_complete_anywidget() -> None:
    """The message contains its state: the program, and the pictures as they are."""
    sliders = explored().widget
    state = sliders.get_state()
    assert (state["_model_module"], state["_view_module"]) == ("anywidget", "anywidget")
    assert state["_esm"].startswith("// Built from viz/frontend")
    assert state["graph"].startswith("<svg") and state["plot"].startswith("<svg")
    del state["layout"]  # a widget of its own
    assert set(json.loads(json.dumps(state))) == set(state)
    data, about = sliders.view
    assert list(data) == [VIEW] and data[VIEW]["model_id"] == sliders.model_id
    assert about == {}


def test_sliders_answer_whether_they_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sliders = explored().widget
    sent: list[Any] = []
    monkeypatch.setattr(sliders, "send", sent.append)
    sliders._handle_custom_msg("ready?", [])
    assert sent == ["yes"]


@pytest.fixture
def colab(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Attributes that an extension for Colab can see, and calls that it makes."""
    asked: list[str] = []
    output = ModuleType("google.colab.output")
    output.enable_custom_widget_manager = lambda: asked.append("widgets")  # type: ignore[attr-defined]
    output._widgets = SimpleNamespace(_installed_url="https://there")  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "google.colab.output", output)
    once = anywidget._util.enable_custom_widget_manager_once
    once.cache_clear()
    yield asked
    once.cache_clear()


def test_colab_needs_no_widget_setting(colab: list[str]) -> None:
    """`enable_custom_widget_manager()` is called, and the sliders say where their program's host
    is. The stepper is shown without any of this.
    """
    data, about = explored().widget.view
    assert colab == ["widgets"]
    assert about == {VIEW: {"colab": {"custom_widget_manager": {"url": "https://there"}}}}
    assert VIEW in data
    assert VIEW not in bundle(viz.step(squared()))


def test_marimo_is_given_anywidgets() -> None:
    """It runs no program that is in HTML."""
    exploration = explored()
    assert exploration._display_() is exploration.widget
    pair = viz.compare(squared, mg, mg)
    assert pair._display_().payload == pair.payload
    for shown in (viz.step(squared()), pair._display_(), exploration._display_()):
        assert isinstance(shown, anywidget.AnyWidget)
