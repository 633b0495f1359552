"""The parts from which the lab in a browser tab is built, each by itself: no site, no browser."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tools.lite import (
    absent,
    bytecode,
    early,
    graphviz,
    notebooks,
    offline,
    packages,
    run_all,
    wheels,
    worker,
)

SCRIPT = (
    "const a=async s=>{await l.runExclusive((async()=>{await r.ready,await r.handleMessage(s)}))};"
    'if("execute_reply"===e.header.msg_type){const t=e;"error"===t.content.status&&'
    '"interrupt"!==t.metadata.cause&&(this._cancelReason.set(l,"error"),l.cancel())}'
)
"""The tested functions of the script."""


def test_queued_requests_are_dropped_on_error() -> None:
    changed = run_all.changed(SCRIPT)
    assert "await r.ready,this._stops=s.content.stop_on_error!==false,await r.handle" in changed
    assert 'const t=e;this._stops&&"error"===t.content.status' in changed


@pytest.mark.parametrize("lost", ["await r.ready,", '"error"===t', "this._cancelReason"])
def test_another_script_is_refused(lost: str) -> None:
    with pytest.raises(run_all.NotTheScript):
        run_all.changed(SCRIPT.replace(lost, ""))


def test_a_script_is_changed_once(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    script = tmp_path / "build" / "9653.js"
    script.write_text(SCRIPT)
    (tmp_path / "build" / "1.js").write_text("something else")
    assert run_all.change(tmp_path) == script
    with pytest.raises(run_all.NotTheScript):
        run_all.change(tmp_path)


EARLY = (
    "if(d.hasNoKernel&&await d.startKernel()&&c&&await c.selectKernel(d),d.hasNoKernel)"
    "return e.model.sharedModel.transact((()=>{})),!0;"
    "const e=await this._initialize();this._initPromise.resolve(e)"
)
"""The same of the script that runs cells."""


def test_early_run_waits_for_the_first_kernel() -> None:
    waits = 'if(d.session?.kernel||(e.setPrompt("*"),await d._initPromise.promise),d.hasNoKernel&&'
    assert early.changed(EARLY).startswith(waits)


@pytest.mark.parametrize("lost", ["await d.startKernel()&&", "return e.model", "this._initPromise"])
def test_another_script_that_runs_cells_is_refused(lost: str) -> None:
    with pytest.raises(run_all.NotTheScript):
        early.changed(EARLY.replace(lost, ""))


STARTS = (
    "async initRuntime(e){let t;t=self.loadPyodide,this._pyodide=await t({indexURL:i,stdout:o})}"
    'async initKernel(e){s.push("import pyodide_kernel"),await this._pyodide.runPythonAsync(s)}'
)
"""The same of the kernel's worker."""


def test_worker_starts_python_by_itself() -> None:
    """The kernel takes what was started, with the course imported from a folder in memory."""
    changed = worker.changed(STARTS, {"pyodideUrl": "./pyodide.js"})
    assert (
        changed.startswith("//") and 'const SETTINGS = {"pyodideUrl": "./pyodide.js"};' in changed
    )
    assert "await (self.minigradStart??t)({indexURL:i" in changed
    assert "import piplite.piplite, pyodide_kernel, minigrad, minigrad_viz" in changed


@pytest.mark.parametrize("lost", ["this._pyodide=await t", '"import pyodide_kernel"'])
def test_another_worker_is_refused(lost: str) -> None:
    with pytest.raises(run_all.NotTheScript):
        worker.changed(STARTS.replace(lost, ""), {})


def test_a_notebook_s_texts_are_strings(root: Path, tmp_path: Path) -> None:
    """Every word is there, no list of lines is left, and the kernel is the one that there is."""
    source = root / "lessons" / "zh" / "01_graph.ipynb"
    notebooks.copy(source, tmp_path / "copy.ipynb")
    copied = json.loads((tmp_path / "copy.ipynb").read_text("utf-8"))
    stored = json.loads(source.read_text("utf-8"))
    assert copied["metadata"]["kernelspec"]["name"] == "python"
    assert copied["metadata"]["minigrad"] == stored["metadata"]["minigrad"]
    kinds = set()
    for one, other in zip(stored["cells"], copied["cells"], strict=True):
        assert other["source"] == "".join(one["source"])
        assert other["metadata"] == one["metadata"]
        for output in other.get("outputs", []):
            texts = output.get("data", {"text": output.get("text", "")})
            assert all(isinstance(text, str) for text in texts.values())
            kinds |= texts.keys()
    assert {"image/svg+xml", "text/plain", "text"} <= kinds


def test_a_wheel_of_texts(tmp_path: Path) -> None:
    path = wheels.write(tmp_path, "viz_js", "1.2", {"viz_js/__init__.py": "", "viz_js/a.js": b"1"})
    wheel = wheels.read(path)
    assert (wheel.name, wheel.version, wheel.imports) == ("viz-js", "1.2", ["viz_js"])
    first = wheel.sha256
    path.unlink()
    wheels.write(tmp_path, "viz_js", "1.2", {"viz_js/__init__.py": "", "viz_js/a.js": b"1"})
    assert wheel.sha256 == first


def test_graphviz_starts_at_once() -> None:
    script = (
        "async function r(){x=await(async A=>{})(b)} i=function(){return r().then(A=>new a(A))}"
    )
    assert graphviz.at_once(script) == "function r(){x=(A=>{})(b)} i=function(){return new a(r())}"
    for other in (script.replace("then", "catch"), "async\n" + script):
        with pytest.raises(graphviz.NotTheScript):
            graphviz.at_once(other)


LISTED = {
    "ipython": {"version": "9.0", "depends": ["pure_eval"], "file_name": "ipython-none-any.whl"},
    "pure-eval": {"version": "0.2", "depends": [], "file_name": "pure_eval.whl"},
    "scipy": {"version": "1.0", "depends": [], "file_name": "scipy.whl"},
}


def test_list_names_local_and_remote_packages(tmp_path: Path) -> None:
    """A wheel of the very version that Pyodide has takes its place."""
    same = wheels.read(wheels.write(tmp_path, "pure_eval", "0.2", {}))
    ours = wheels.read(wheels.write(tmp_path, "comm", "0.2", {"comm/__init__.py": ""}))
    alone = packages.listed(LISTED, [same, ours], "wheels", None, plots=False)
    assert set(alone) == {"pure-eval", "comm"}
    assert alone["pure-eval"]["file_name"] == "wheels/pure_eval-0.2-py3-none-any.whl"
    assert alone["pure-eval"]["sha256"] == same.sha256
    assert alone["comm"]["imports"] == ["comm"]
    public = packages.listed(LISTED, [same, ours], "wheels", "https://there/", plots=False)
    assert public["scipy"]["file_name"] == "https://there/scipy.whl"
    assert {name: public[name] for name in alone} == alone


def test_what_is_needed_is_found(tmp_path: Path) -> None:
    assert packages.everything(LISTED, ["ipython"]) == ["ipython", "pure-eval"]
    assert packages.pure(LISTED, ["ipython", "scipy"]) == ["ipython==9.0"]


def test_wheels_are_compiled(tmp_path: Path) -> None:
    """A library has bytecode alone, which runs; this project keeps its sources."""
    files = {"thing/__init__.py": "x = 6 * 7\n", "thing/tests/a.py": "", "thing/b.py": "no python"}
    for name in ("thing", "minigrad_lab"):
        path = wheels.write(tmp_path, name, "1.0", files)
        bytecode.with_bytecode(path)
        with zipfile.ZipFile(path) as file:
            found = {each for each in file.namelist() if each.startswith("thing/")}
        cached = f"thing/__pycache__/__init__.{sys.implementation.cache_tag}.pyc"
        own = {"thing/__init__.py", cached, "thing/b.py"}
        assert found == (own if name == "minigrad_lab" else {"thing/__init__.pyc", "thing/b.py"})
        program = f"import sys; sys.path.insert(0, {str(path)!r}); import thing; print(thing.x)"
        said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert said.stdout == "42\n", said.stderr


def test_library_is_compiled_without_its_tests(tmp_path: Path) -> None:
    path = tmp_path / "library.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("thing.py", "def f(): ...\n")
        file.writestr("thing/tests/a.py", "")
    bytecode.with_bytecode(path, bytecode.LIBRARY)
    with zipfile.ZipFile(path) as file:
        assert file.namelist() == ["thing.pyc"]
    program = (
        f"import sys; sys.path.insert(0, {str(path)!r}); import thing; print(thing.f.__code__)"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert f'file "{bytecode.LIBRARY}/thing.py"' in said.stdout, said.stderr


def test_project_depends_on_available_plots(tmp_path: Path) -> None:
    wheel = wheels.read(wheels.write(tmp_path, "minigrad_lab", "0.1", {"minigrad/__init__.py": ""}))
    entry = packages.own(wheel, "wheels", plots=True)
    assert entry["imports"] == ["minigrad"]
    assert {"numpy", "viz-js", "matplotlib"} <= set(entry["depends"])
    assert "matplotlib" not in packages.own(wheel, "wheels", plots=False)["depends"]


def test_variable_names_compiled_wheels(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(offline.VARIABLE, str(tmp_path))
    assert offline.compiled_wheels() == tmp_path
    monkeypatch.delenv(offline.VARIABLE)
    assert offline.compiled_wheels().name == "wasm"


def test_lesson_shows_cells_it_cannot_run() -> None:
    def code(name: str, source: str, text: str, *tags: str) -> dict[str, Any]:
        outputs = [{"output_type": "stream", "name": "stdout", "text": text}] if text else []
        about = {"tags": list(tags)}
        kind = {"cell_type": "code", "id": name, "metadata": about}
        return {**kind, "source": source, "outputs": outputs}

    cells = [
        {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "# Title"},
        code("b", "import os\nimport psutil", ""),
        code("c", "def alive():\n    return psutil.pids()", ""),
        code("d", "print(os.sep)", "/\n"),
        code("e", "n = len(alive())\nprint(n)", "(Predict first)\n7\n", "predict"),
    ]
    book = {"cells": cells, "metadata": {"minigrad": {"language": "zh"}}}
    found = absent.without_absent(book)["cells"]
    assert [(cell["cell_type"], cell["id"]) for cell in found] == [
        ("markdown", "a"),
        ("markdown", "in-a-tab"),
        ("code", "b"),
        ("markdown", "c"),
        ("code", "d"),
        ("markdown", "e"),
        ("markdown", "e-out"),
    ]
    assert absent.WHAT["zh"]["processes"] in found[1]["source"]
    assert found[2]["source"] == "import os"
    assert found[3]["source"] == "```python\ndef alive():\n    return psutil.pids()\n```"
    assert found[6]["source"] == f"{absent.AFTERWARDS['zh']}\n\n```text\n7\n```"
    assert found[6]["metadata"]["jupyter"]["source_hidden"]


def test_names_that_come_from_above() -> None:
    program = """
x = start
def f(a, more=given):
    inner = a + outer
    return inner
total += sum(i * x for i in range(3))
"""
    uses, binds = absent.names(program)
    assert uses == {"start", "given", "outer", "total", "sum", "range"}
    assert binds == {"x", "f", "total"}


@pytest.mark.parametrize(
    ("plots", "changed"),
    [
        (True, {"90": 13}),
        (False, {"04": 3, "09": 1, "10": 4, "11": 3, "12": 4, "14": 1, "15": 1, "16": 1, "90": 13}),
    ],
)
def test_only_what_cannot_run_is_shown(root: Path, plots: bool, changed: dict[str, int]) -> None:
    """How many cells of each chapter; all others are as they were, but for imports."""
    for path in sorted((root / "lessons").glob("*/*.ipynb")):
        book = notebooks.joined(json.loads(path.read_text("utf-8")))
        there = {cell["id"]: cell for cell in book["cells"]}
        found = absent.without_absent(book, plots=plots)["cells"]
        texts = [
            each["id"]
            for each in found
            if each["cell_type"] == "markdown"
            and there.get(each["id"], each)["cell_type"] == "code"
        ]
        assert len(texts) == changed.get(path.stem[:2], 0), path
        pictures = sum("attachment:" in cell["source"] for cell in found)
        assert pictures == sum(len(cell.get("attachments", {})) for cell in found)
