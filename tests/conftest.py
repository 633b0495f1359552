"""Fixtures of all test folders: the oracle and the browser.

A test that needs PyTorch's answers asks for the fixture `torch`: they are recorded, for where it is
not installed. One that needs PyTorch itself, or Chromium, asks for `pytorch` or `chromium` and is
skipped, with the reason, where there is none.
"""

from __future__ import annotations

import gc
import importlib
import linecache
import os
import shutil
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.browser.waiting import MOTION, PATIENCE
from tests.record import PRESENT, WRITING, Absent, Running, write
from tests.sampling import all_of, in_this_run, part_of_long_files, sampled_tests

ROOT = Path(__file__).parents[1]

CHROMIUM_NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
CHROMIUM_MACOS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)

# A sandbox needs rights that root in a container lacks; the rest keeps Chromium off the network.
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# Dask's workers are forked from a process that has imported Dask, which takes a second each.
os.environ.setdefault("DASK_DISTRIBUTED__WORKER__MULTIPROCESSING_METHOD", "forkserver")

# Files that take more than ten seconds, longest first: a worker that begins with the longest when
# the others have nothing left to do keeps everybody waiting.
LONGEST_FIRST = (
    "tests/browser/test_website.py",
    "tests/browser/test_jupyterlab.py",
    "tests/distributed/test_team.py",
    "tests/classroom/test_jupyterhub.py",
    "tests/test_docs.py",
    "tests/classroom/test_nbgrader.py",
    "tests/ops/test_operations.py",
    "tests/viz/diagnosis/test_headed.py",
    "tests/viz/diagnosis/test_measured.py",
    "tests/lessons/test_exercises.py",
    "tests/autograd/test_gradcheck.py",
    "tests/browser/test_stage.py",
    "tests/classroom/test_marks.py",
    "tests/viz/test_bad_input.py",
    "tests/lessons/test_pytorch.py",
    "tests/viz/diagnosis/test_programs.py",
    "tests/viz/diagnosis/test_diagnose.py",
    "tests/test_contributing.py",
    "tests/viz/diagnosis/test_scale.py",
    "tests/types/test_user_program.py",
    "tests/classroom/test_otter.py",
    "tests/classroom/test_sandbox.py",
    "tests/browser/test_stepper.py",
    "tests/ops/test_samples.py",
    "tests/viz/stepper/test_export.py",
    "tests/browser/test_notebook_hosts.py",
    "tests/gpu/test_lessons.py",
    "tests/browser/test_predictions.py",
    "tests/test_stepped.py",
    "tests/viz/diagnosis/test_rules.py",
    "tests/ops/test_out.py",
    "tests/browser/test_arithmetic.py",
    "tests/browser/test_exported_notebooks.py",
    "tests/browser/test_bundle.py",
    "tests/ops/test_error_inputs.py",
    "tests/viz/model/test_folding.py",
    "tests/ops/test_unusual_inputs.py",
    "tests/autograd/test_forward_ad.py",
    "tests/browser/test_hostile.py",
    "tests/test_cookbook.py",
    "tests/test_packaging.py",
    "tests/classroom/test_deploy.py",
    "tests/viz/stepper/test_untouched_torch.py",
    "tests/browser/test_lecture_slides.py",
    "tests/browser/test_standalone.py",
    "tests/browser/test_pair.py",
    "tests/viz/picture/test_drawing.py",
    "tests/browser/test_memory_lane.py",
    "tests/viz/picture/test_graphviz.py",
    "tests/browser/test_accessibility.py",
    "tests/viz/diagnosis/test_applied_cures.py",
    "tests/viz/diagnosis/test_explain.py",
    "tests/browser/test_binder_replay.py",
    "tests/browser/test_images.py",
    "tests/viz/plots/test_plots.py",
    "tests/programs/test_written_programs.py",
    "tests/lessons/test_build.py",
    "tests/core/test_lifetimes.py",
    "tests/ops/test_watched.py",
    "tests/test_public.py",
    "tests/test_compiled.py",
    "tests/lessons/test_site.py",
    "tests/lessons/test_looking.py",
    "tests/viz/stepper/test_untouched_minigrad.py",
    "tests/mutants/test_mutants.py",
    "tests/viz/test_saving.py",
    "tests/distributed/test_cluster.py",
    "tests/test_newcomer.py",
    "tests/viz/stepper/test_untouched_memory.py",
    "tests/viz/ledger/test_memory.py",
    "tests/test_seeds.py",
    "tests/programs/test_random_programs.py",
    "tests/viz/model/test_mathtext.py",
    "tests/test_rehearse.py",
)

# A slow machine is not a bug, and a run must be repeatable: no deadlines, and examples that are
# always the same, or those of a seed.
for name, fixed in (("fixed", True), ("seeded", False)):
    settings.register_profile(name, deadline=None, derandomize=fixed)
settings.load_profile("fixed")


def seed(config: pytest.Config) -> str | None:
    """Return the seed of random examples: `--hypothesis-seed`."""
    return config.getoption("hypothesis_seed", None)


def pytest_configure(config: pytest.Config) -> None:
    if seed(config) is not None:
        settings.load_profile("seeded")
    if os.environ.get("MINIGRAD_STEPPED"):
        config.pluginmanager.register(importlib.import_module("tests.stepped"))


ESSENTIAL = {"tests/ops/test_operations.py", "tests/autograd/test_gradcheck.py"}
"""Files that take long but test every operation: `make quick` and `make test` run them."""
LONG = {*LONGEST_FIRST} - ESSENTIAL


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out files that take long")
    parser.addoption("--sampled", action="store_true", help="run a part of tables of many cases")
    parser.addoption("--compiled", action="store_true", help="require the compiled build")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave a file out of `make quick` if it takes more than ten seconds."""
    name = collection_path.relative_to(ROOT).as_posix() if ROOT in collection_path.parents else ""
    return True if name in LONG and config.getoption("quick") else None


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def oracle() -> Any:
    """PyTorch on one thread; where it is not installed, what it once answered."""
    if not PRESENT:
        return Absent()
    module = importlib.import_module("torch")
    module.set_num_threads(1)
    return module


@pytest.fixture(scope="session")
def torch(oracle: Any) -> Any:
    """The oracle, to be asked by `same` or `answer`."""
    return oracle


@pytest.fixture(scope="session")
def pytorch(oracle: Any) -> Any:
    """Real PyTorch, for the few tests that need its own objects: tensors that both libraries share,
    graphs that are drawn. It comes with the extra `parity`."""
    if isinstance(oracle, Absent):
        pytest.skip("PyTorch is not installed (pip install '.[parity]')")
    return oracle


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Objects are freed by reference counting alone in the test."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def clean_linecache() -> Iterator[None]:
    """What the test adds to linecache, as IPython does with each cell, is gone after it."""
    before = dict(linecache.cache)
    yield
    linecache.cache.clear()
    linecache.cache.update(before)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium or Chrome: $CHROMIUM, one on the PATH, or macOS's usual places."""
    named = os.environ.get("CHROMIUM")
    candidates = [named] if named else [*map(shutil.which, CHROMIUM_NAMES), *CHROMIUM_MACOS]
    for path in candidates:
        if path and os.access(path, os.X_OK):
            return path
    pytest.skip("no Chromium or Chrome found (name one in $CHROMIUM)")


class Browser:
    """A browser of Playwright whose pages wait longer than the usual 30 seconds; see MOTION."""

    def __init__(self, started: Any) -> None:
        self._started = started

    def new_context(self, **options: Any) -> Any:
        context = self._started.new_context(**{"reduced_motion": MOTION} | options)
        context.set_default_timeout(PATIENCE * 1000)
        return context

    def new_page(self, **options: Any) -> Any:
        return self.new_context(**options).new_page()


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """Headless Chromium, driven by Playwright.

    Playwright keeps an event loop running in this thread for as long as it is started. The fixture
    lives for one module, so that tests elsewhere can run a loop or a Playwright of their own.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as p:
        started = p.chromium.launch(
            executable_path=chromium, args=CHROMIUM_FLAGS, timeout=PATIENCE * 1000
        )
        yield Browser(started)
        started.close()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Collect without searches for cycles, which take a fifth of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """Thirty thousand tests lie in memory: no search for cycles need go through them again.

    Searches are also fewer: with Python's own thresholds they took a fifteenth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)


@pytest.fixture(scope="module", autouse=True)
def no_search_through_what_stays() -> None:
    """Nor through what the files before this one have loaded, and kept of what they saw."""
    gc.collect()
    gc.freeze()


PLACES = {name: number for number, name in enumerate(LONGEST_FIRST)}


def turn(file: str) -> int:
    """When a file runs: after those that take longest the notebooks, and the short ones last."""
    return PLACES.get(file, len(PLACES) + (not file.endswith(".ipynb")))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("compiled"):  # a third of the files, whole; `make nightly` runs all
        items[:] = [
            item for item in items if in_this_run("COMPILED", item.nodeid.partition("::")[0])
        ]
    if not config.getoption("keyword") and not any("::" in name for name in config.args):
        tables = config.getoption("sampled") and not all_of("TABLES")
        chosen = sampled_tests(items, tables)
        if tables:
            chosen = part_of_long_files(chosen, LONG)
        config.hook.pytest_deselected(items=[*set(items).difference(chosen)])
        items[:] = chosen
    items.sort(key=lambda item: turn(item.nodeid.partition("::")[0]))
    if WRITING:
        others = [item for item in items if not asks_pytorch(item)]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if asks_pytorch(item)]


# --- The record of PyTorch's answers (tests/record.py)


def asks_pytorch(item: pytest.Item) -> bool:
    """Whether a test has answers to write down."""
    fixtures = getattr(item, "fixturenames", ())
    return "oracle" in fixtures and not {"pytorch", "chromium"}.intersection(fixtures)


def pytest_sessionstart(session: pytest.Session) -> None:
    if session.config.getoption("compiled"):
        found = importlib.import_module("minigrad").__config__.build()
        if "compiled" not in found:
            pytest.exit(f"minigrad is not compiled: {found}", 1)
    if WRITING and not PRESENT:
        pytest.exit("PyTorch is not installed (pip install '.[parity]')", 1)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    Running.begin(item.nodeid, asks_pytorch(item))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if seed(config) is not None:
        again = f"--hypothesis-seed={seed(config)}"
        terminalreporter.write_line(f"These random examples again: python -m pytest {again}")


def pytest_sessionfinish() -> None:
    if WRITING:
        write()
