"""How a test runs somebody's program, and asks `explain` about it: as two cells of a notebook."""

from __future__ import annotations

import contextlib
import io
import itertools
import linecache
import warnings
from collections.abc import Iterator
from types import ModuleType

import minigrad_viz as viz

NUMBERS = itertools.count(1)


@contextlib.contextmanager
def notebook() -> Iterator[None]:
    """Cells that are run inside are forgotten again: what other tests left is not seen either."""
    before = dict(linecache.cache)
    for name in [name for name in linecache.cache if "ipykernel" in name]:
        del linecache.cache[name]
    try:
        yield
    finally:
        linecache.cache.clear()
        linecache.cache.update(before)


def asked(
    library: ModuleType, program: str, *asks: str, language: str | None = None
) -> tuple[BaseException | None, list[viz.Explanation]]:
    """What the program raised, if anything, and the answers to what is asked behind it."""
    scope: dict[str, object] = {"T": library, "viz": viz, "error": None, "answers": []}
    library.manual_seed(0)
    with notebook(), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            _run(program, scope)
        except Exception as error:
            scope["error"] = error
        library.set_grad_enabled(True)
        for ask in asks:
            ask = ask.replace(")", f", language={language!r})") if language else ask
            _run(f"answers.append({ask})\n", scope)
    return scope["error"], scope["answers"]  # type: ignore[return-value]


def _run(cell: str, scope: dict[str, object]) -> None:
    """As IPython does: a cell is kept in linecache, under a name made up for it."""
    name = f"/tmp/ipykernel_7/{next(NUMBERS)}.py"
    linecache.cache[name] = (len(cell), None, cell.splitlines(True), name)
    exec(compile(cell, name, "exec"), scope)
