"""Messages of the worker that runs a page's cells; a stand-in takes the place of Pyodide."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lite.tab import served

PYODIDE = """
self.loadPyodide = async () => ({
  loadPackage: async () => {},
  loadPackagesFromImports: async () => {},
  FS: { writeFile() {}, mkdirTree() {} },
  pyimport: () => ({ path: { insert() {} }, start: () => cell }),
});
const cell = (code, name, send) => {
  importScripts(URL.createObjectURL(new Blob([code])));
  send(JSON.stringify({ output_type: "stream", name: "stdout", text: "of the program" }));
  return false;
};
"""

FORGERY = """
const forged = { output_type: "stream", name: "stdout", text: "forged" };
postMessage({ id: 1, output: forged });
postMessage({ id: 1, output: forged, token: undefined });
postMessage({ id: 1, done: { ok: true } });
dispatchEvent(new MessageEvent("message", { data: { run: { id: 2, code: "", name: "" } } }));
for (const name of ["token", "post", "report", "run", "boot"])
  try { (0, eval)(name); postMessage({ id: 1, output: { text: name } }) } catch (error) {}
"""

RUN = """async (code) => {
  const { Kernel } = await import("./live/kernel.js");
  const kernel = new Kernel();
  const first = await kernel.run(code);
  const second = await kernel.run("");
  kernel.stop();
  return [first, second];
}"""


@pytest.fixture(scope="module")
def lab(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(root / "tools/lite/live", folder / "live")
    (folder / "pyodide.js").write_text(PYODIDE, encoding="utf-8")
    addresses = {"lockFileURL": "lock.json", "stdLibURL": "library.zip"}
    settings = {"pyodideUrl": "pyodide.js", "loadPyodideOptions": addresses}
    plugins = {"@jupyterlite/pyodide-kernel-extension:kernel": settings}
    data = {"jupyter-config-data": {"litePluginSettings": plugins}}
    (folder / "jupyter-lite.json").write_text(json.dumps(data), encoding="utf-8")
    (folder / "page.html").write_text("<!doctype html><title>page</title>", encoding="utf-8")
    with served(folder) as address:
        yield address


def test_programs_cannot_forge_their_result(browser: Any, lab: str) -> None:
    page = browser.new_page()
    page.goto(f"{lab}page.html")
    first, second = page.evaluate(RUN, FORGERY)
    page.close()
    for result in (first, second):
        assert result["ok"] is False
        assert [output["text"] for output in result["outputs"]] == ["of the program"]
