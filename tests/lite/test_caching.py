"""The service worker's store: what answers, and when (tools/lite/caching.js)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.lite.tab import served

PROGRAM = Path(__file__).parents[2] / "tools" / "lite" / "caching.js"
READY = """async () => {
    const { serviceWorker } = navigator
    const there = new Promise(done => serviceWorker.addEventListener("controllerchange", done))
    await serviceWorker.register("service-worker.js")
    if (!serviceWorker.controller) await there
}"""
CLAIM = "self.addEventListener('activate', event => event.waitUntil(self.clients.claim()))"
READ = "async name => (await fetch(name)).text()"
STORES = "async () => await caches.keys()"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A site of four files with the service worker."""
    (tmp_path / "service-worker.js").write_text(f"{PROGRAM.read_text('utf-8')}\n{CLAIM}\n", "utf-8")
    (tmp_path / "index.html").write_text("<!doctype html><title>Site</title>", "utf-8")
    (tmp_path / "part.txt").write_text("old", "utf-8")
    (tmp_path / "build.txt").write_text("1\n", "utf-8")
    return tmp_path


@pytest.fixture
def visit(browser: Any, folder: Path) -> Any:
    """A function that opens the site at an address."""
    context = browser.new_context()

    def opened(address: str) -> Callable[..., Any]:
        page = context.new_page()
        page.goto(f"{address}index.html")
        page.evaluate(READY)
        read: Callable[..., Any] = page.evaluate
        return read

    yield opened
    context.close()


def change(path: Path, text: str) -> None:
    """Write a file anew, later than it was written: a server tells times in seconds."""
    written = path.stat().st_mtime
    path.write_text(text, "utf-8")
    os.utime(path, (written + 5, written + 5))


def test_kept_file_answers_until_the_build(visit: Any, folder: Path) -> None:
    """A file is loaded once for each build; the first page of a new build sees the new file."""
    with served(folder) as address:
        assert visit(address)(READ, "part.txt") == "old"
        change(folder / "part.txt", "new")
        assert visit(address)(READ, "part.txt?time=3") == "old"
        change(folder / "build.txt", "2\n")
        evaluate = visit(address)
        assert evaluate(READ, "part.txt") == "new"
        assert evaluate(STORES) == ["minigrad-2"]


def test_last_build_answers_without_network(visit: Any, folder: Path) -> None:
    with served(folder) as address:
        visit(address)
        assert visit(address)(READ, "part.txt") == "old"
    evaluate = visit(address)
    assert evaluate(READ, "part.txt") == "old"
    assert evaluate(STORES) == ["minigrad-1"]


def test_missing_file_is_not_kept(visit: Any, folder: Path) -> None:
    with served(folder) as address:
        assert "404" in visit(address)(READ, "late.txt")
        (folder / "late.txt").write_text("here", "utf-8")
        assert visit(address)(READ, "late.txt") == "here"
