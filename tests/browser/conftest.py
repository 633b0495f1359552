"""A real browser for the tests of what is shown: stand-alone pages from file://, and JupyterLab."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

PAGE = """<!doctype html>
<meta charset="utf-8">
<title>steppers</title>
<body>
<script type="application/json" id="payloads">{payloads}</script>
<script type="module">
  import {{ mount }} from "{module}";
  for (const payload of JSON.parse(document.getElementById("payloads").textContent)) {{
    const place = document.createElement("div");
    document.body.append(place);
    mount(place, payload);
  }}
</script>
"""


@pytest.fixture(scope="session")
def module_url(root: Path) -> str:
    """The committed bundle as a data: URL, since a page from file:// may not import a neighbour."""
    source = (root / "viz" / "minigrad_viz" / "static" / "stepper.js").read_bytes()
    return "data:text/javascript;base64," + base64.b64encode(source).decode()


@pytest.fixture
def open_steppers(browser: Any, module_url: str, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Open a page with a stepper for each payload; an error or a network request fails the test."""
    complaints: list[str] = []
    contexts: list[Any] = []

    def open_page(*payloads: dict[str, Any], **options: Any) -> Any:
        file = tmp_path / f"page{len(contexts)}.html"
        embedded = json.dumps(payloads).replace("</", "<\\/")
        file.write_text(PAGE.format(payloads=embedded, module=module_url), encoding="utf-8")
        context = browser.new_context(viewport={"width": 1280, "height": 800}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.on(
            "request",
            lambda r: complaints.append(r.url) if r.url.startswith(("http", "ws")) else None,
        )
        page.goto(file.as_uri())
        page.locator(".stepper, .empty").nth(len(payloads) - 1).wait_for()
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="session")
def frontend(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the front end's sources with the tools that its lock file names installed."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("Node.js and npm are not installed; they are needed to rebuild the front end")
    source = root / "viz" / "frontend"
    copy = tmp_path_factory.mktemp("frontend") / "frontend"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("node_modules"))
    installed = source / "node_modules"
    if is_current(installed / ".package-lock.json", source / "package-lock.json"):
        (copy / "node_modules").symlink_to(installed)
    else:
        install = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        done = subprocess.run(install, cwd=copy, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
    return copy


def is_current(installed: Path, locked: Path) -> bool:
    """Whether what is installed is what the lock file names."""
    if not installed.exists():
        return False
    there, wanted = (json.loads(file.read_text())["packages"] for file in (installed, locked))
    # What is meant for other systems is locked, too, and not installed.
    return all(
        there[name]["version"] == package["version"] if name in there else package.get("optional")
        for name, package in wanted.items()
        if name
    )
