"""Graphviz in a browser, with stand-ins for what is there alone: the script, and JavaScript.

`make test-lite` runs it in a real one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from minigrad_viz.picture import graphviz, in_browser
from minigrad_viz.picture.graphviz import LayoutError, choose_layout, render


@pytest.fixture
def browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, ...]]]:
    """Return the inputs of its Graphviz, which refuses the graph "bad"."""
    (tmp_path / "viz_js").mkdir()
    (tmp_path / "viz_js/__init__.py").write_text("")
    (tmp_path / "viz_js/viz.js").write_text("the script 图", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    asked: list[tuple[str, ...]] = []

    def drawn(*question: str) -> tuple[str, str]:
        asked.append(question)
        return ("no such shape", "") if question[0] == "bad" else ("", "<svg>梯</svg>")

    def run_js(text: str) -> Any:
        before, after = in_browser.AT_ONCE.split("SCRIPT")
        assert text == f"{before}the script 图{after}"
        return drawn

    code: Any = ModuleType("pyodide.code")
    code.run_js = run_js
    monkeypatch.setitem(sys.modules, "pyodide", ModuleType("pyodide"))
    monkeypatch.setitem(sys.modules, "pyodide.code", code)
    monkeypatch.setitem(sys.modules, "js", ModuleType("js"))
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr(graphviz, "_bundled", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    in_browser._started.cache_clear()
    yield asked
    in_browser._started.cache_clear()
    sys.modules.pop("viz_js", None)


def test_it_is_chosen_and_draws(browser: list[tuple[str, ...]]) -> None:
    assert choose_layout() == choose_layout("viz.js") == "viz.js"
    assert render("digraph {}", "svg") == "<svg>梯</svg>".encode()
    assert render("digraph {}", "plain", program="nop2")
    assert browser == [("digraph {}", "svg", "dot"), ("digraph {}", "plain", "nop2")]


def test_page_worker_runs_the_script(
    browser: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    page, run = sys.modules["js"], sys.modules["pyodide.code"].run_js
    monkeypatch.setattr(page, "minigradRun", run, raising=False)
    monkeypatch.delattr(sys.modules["pyodide.code"], "run_js")
    assert render("digraph {}", "svg") == "<svg>梯</svg>".encode()


def test_refused_graphs(browser: list[tuple[str, ...]]) -> None:
    with pytest.raises(LayoutError, match=r"^Graphviz could not draw this graph: no such shape$"):
        render("bad", "svg")
    with pytest.raises(LayoutError, match=r"in a browser it writes svg and plain, and no png$"):
        render("digraph {}", "png")
    assert browser == [("bad", "svg", "dot")]


def test_elsewhere_it_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not in_browser.is_there()
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert not in_browser.is_there()  # without the wheel
    with pytest.raises(graphviz.NoGraphviz, match="In a browser it is in the wheel viz_js"):
        choose_layout("viz.js")
