"""Cells as a page runs them, run by this Python: what they put out, in the forms of a notebook."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tools.lite.live import page_kernel

LIVE = Path(page_kernel.__file__).parent

Run = Callable[..., tuple[bool, list[dict[str, Any]]]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, clean_linecache: None) -> Iterator[Run]:
    """Runs cells of one session, numbered from 1."""
    session = page_kernel.Session()
    monkeypatch.setattr(page_kernel, "SESSION", session)
    monkeypatch.setitem(sys.modules, "page_kernel", page_kernel)
    numbers = iter(range(1, 100))

    def cell(code: str) -> tuple[bool, list[dict[str, Any]]]:
        sent: list[dict[str, Any]] = []
        ok = session.run(code, f"cell {next(numbers)}", lambda text: sent.append(json.loads(text)))
        return ok, sent

    yield cell
    for name in ("last_exc", "last_type", "last_value", "last_traceback"):
        vars(sys).pop(name, None)


def texts(outputs: list[dict[str, Any]]) -> list[str]:
    return [each.get("text") or each["data"]["text/plain"] for each in outputs]


def test_cells_share_their_names(run: Run) -> None:
    assert run("x = 2\ndef f(y):\n    return x * y") == (True, [])
    ok, outputs = run("x = 3\nf(4)")
    assert ok and outputs[0]["output_type"] == "execute_result" and texts(outputs) == ["12"]
    assert texts(run("_ + 1")[1]) == ["13"]
    assert run("f(4);") == run("# nothing") == run("None") == (True, [])


def test_output_keeps_its_order(run: Run) -> None:
    program = "import sys\nprint(1)\nprint(2, file=sys.stderr)\ndisplay('a')\nprint(3)\n4"
    page_kernel.builtins.display = page_kernel.display  # type: ignore[attr-defined]
    try:
        ok, outputs = run(program)
    finally:
        del page_kernel.builtins.display  # type: ignore[attr-defined]
    assert ok and texts(outputs) == ["1\n", "2\n", "'a'", "3\n", "4"]
    assert [each.get("name") for each in outputs] == ["stdout", "stderr", None, "stdout", None]


def test_error_is_shown_like_python_s(run: Run) -> None:
    run("def f(x):\n    return 1 / x")
    ok, outputs = run("print('before')\nf(0)")
    assert not ok and texts(outputs[:1]) == ["before\n"]
    error = outputs[1]
    assert (error["ename"], error["evalue"]) == ("ZeroDivisionError", "division by zero")
    lines = [line for line in error["traceback"] if not set(line) <= set(" ^~")]
    assert lines == [
        "Traceback (most recent call last):",
        '  File "<cell 2>", line 2, in <module>',
        "    f(0)",
        '  File "<cell 1>", line 2, in f',
        "    return 1 / x",
        "ZeroDivisionError: division by zero",
    ]
    assert isinstance(sys.last_value, ZeroDivisionError)


def test_syntax_error_hides_internal_lines(run: Run) -> None:
    ok, outputs = run("x = 1\ndef f(:")
    assert not ok
    assert outputs[0]["traceback"][0] == '  File "<cell 1>", line 2'
    assert outputs[0]["ename"] == "SyntaxError"
    for number, ends in enumerate(["raise SystemExit(1)", "raise KeyboardInterrupt"], 2):
        ok, outputs = run(ends)
        assert not ok
        assert outputs[0]["traceback"][1] == f'  File "<cell {number}>", line 1, in <module>'


def test_printing_loop_is_cut(run: Run) -> None:
    ok, outputs = run("for i in range(100_000):\n    print('more than two signs')\nprint('end')")
    text = "".join(texts(outputs))
    assert ok and len(text) < page_kernel.LONGEST + 100 and text.endswith(page_kernel.CUT)


def test_what_a_long_list_is_shown_as(run: Run) -> None:
    (output,) = run("[f'number {i}' for i in range(8)]")[1]
    assert output["data"]["text/plain"].splitlines()[:2] == ["['number 0',", " 'number 1',"]
    assert texts(run("{'b': 1, 'a': 2}")[1]) == ["{'b': 1, 'a': 2}"]


def test_figures_come_in_every_form(run: Run) -> None:
    run("import minigrad as mg, minigrad_viz as viz\nx = mg.tensor(3.0, requires_grad=True)")
    assert set(run("viz.draw(x * x)")[1][0]["data"]) == {"image/svg+xml", "text/plain"}
    stepper = run("viz.step(x * x)")[1][0]["data"]
    assert set(stepper) == {"image/svg+xml", "text/html", "text/plain"}
    assert texts(run("viz.draw")[1])[0].startswith("<function draw")
    explored = run("viz.explore(lambda x: x * x, x=(0, 2))")[1][0]["data"]
    assert explored["text/plain"].startswith("At x = 1: f = 1")
    assert explored["text/html"].endswith("</script>") and '"sliders"' in explored["text/html"]


def test_stepper_shows_cells_of_the_graph(run: Run) -> None:
    run("import minigrad as mg, minigrad_viz as viz\nx = mg.tensor(3.0, requires_grad=True)")
    run("y = x * x")
    files = page_kernel.SESSION.module.__dict__
    run("files = viz.step(y).payload['files']")
    assert [each["name"] for each in files["files"]] == ["cell 1"]
    assert files["files"][0]["lines"] == ["y = x * x"]


def test_plots_are_pictures(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.syspath_prepend(str(LIVE))
    try:
        run("import matplotlib\nmatplotlib.use('module://page_plots')")
        for shown in ("", "\nplt.show()"):
            ok, outputs = run(
                f"import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.title('t');{shown}"
            )
            assert ok, outputs
            assert [set(each["data"]) for each in outputs] == [{"image/png", "text/plain"}]
        assert run("1 + 1")[1][0]["data"] == {"text/plain": "2"}
    finally:
        run("matplotlib.use('agg')")
        sys.modules.pop("page_plots", None)


def test_the_folder_is_the_language(tmp_path: Path, run: Run) -> None:
    (tmp_path / "zh").mkdir()
    before, module = os.getcwd(), sys.modules["__main__"]
    try:
        cell = page_kernel.start(str(tmp_path / "zh"))
        sent: list[dict[str, Any]] = []
        program = "from minigrad_lessons import check\nroot_name = ...\ncheck('01.2')"
        assert cell(program, "cell 1", lambda text: sent.append(json.loads(text)))
        assert texts(sent)[0].startswith("还不对。")
    finally:
        os.chdir(before)
        sys.modules["__main__"] = module
        del page_kernel.builtins.display  # type: ignore[attr-defined]
