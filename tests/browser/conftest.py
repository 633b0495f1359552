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
from minigrad_viz.stepper.page import MODULE

from tests.browser.waiting import MOTION, drawn

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


NEAR = ("file:", "data:", "blob:", "about:")
"""Beginnings of addresses on the disk or within the page."""


@pytest.fixture(scope="session")
def module_url() -> str:
    """The committed bundle as a data: URL, since a page from file:// may not import a neighbour."""
    return "data:text/javascript;base64," + base64.b64encode(MODULE.encode()).decode()


@pytest.fixture(scope="module")
def tab(browser: Any) -> Iterator[Any]:
    """The one tab of a module's tests: each new one would take a second of processor time."""
    context = browser.new_context(offline=True)
    yield context.new_page()
    context.close()


@pytest.fixture
def page(tab: Any) -> Iterator[Any]:
    """A page from the disk, still to be opened; an error on it or a network request fails the test.

    The reader has chosen little: a window of 1280 by 800, light, the mouse in its corner.
    """
    complaints: list[str] = []

    def refuse(dialog: Any) -> None:
        complaints.append(dialog.message)
        dialog.dismiss()

    listeners: dict[str, Callable[[Any], None]] = {
        "pageerror": lambda error: complaints.append(str(error)),
        "console": lambda m: complaints.append(m.text) if m.type == "error" else None,
        "request": lambda r: None if r.url.startswith(NEAR) else complaints.append(r.url),
        "dialog": refuse,
    }
    tab.set_viewport_size({"width": 1280, "height": 800})
    tab.emulate_media(media="screen", color_scheme="light", reduced_motion=MOTION)
    tab.mouse.move(0, 0)
    for event, listener in listeners.items():
        tab.on(event, listener)
    yield tab
    tab.goto("about:blank")
    for event, listener in listeners.items():
        tab.remove_listener(event, listener)
    assert complaints == []


@pytest.fixture
def open_steppers(page: Any, module_url: str, tmp_path: Path) -> Callable[..., Any]:
    """Open a page with a stepper for each payload, for a reader who prefers the given media."""

    def open_page(*payloads: dict[str, Any], **media: Any) -> Any:
        file = tmp_path / "page.html"
        embedded = json.dumps(payloads).replace("</", "<\\/")
        file.write_text(PAGE.format(payloads=embedded, module=module_url), encoding="utf-8")
        page.emulate_media(**media)
        page.goto(file.as_uri())
        page.locator(".stepper, .empty").nth(len(payloads) - 1).wait_for()
        drawn(page)  # each has fitted its picture into its pane
        return page

    return open_page


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
    # The lock file also lists packages for other systems, which are not installed.
    return all(
        there[name]["version"] == package["version"] if name in there else package.get("optional")
        for name, package in wanted.items()
        if name
    )
