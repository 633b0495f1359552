"""How a test runs somebody's program, and asks `explain` about it: as the cells of a notebook."""

from __future__ import annotations

import contextlib
import io
import itertools
import linecache
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import minigrad_viz as viz
from minigrad_viz.model.names import is_tensor
from minigrad_viz.model.sources import is_cell

NUMBERS = itertools.count(1)


class Notebook:
    """A notebook in which one program has run, as far as it could."""

    def __init__(self, library: ModuleType, program: str) -> None:
        self.scope: dict[str, Any] = {
            "__name__": "__main__",
            "T": library,
            "viz": viz,
            "error": None,
        }
        library.manual_seed(0)
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            try:
                self.run(program)
            except Exception as error:
                self.scope["error"] = error
            finally:
                library.set_grad_enabled(True)

    def run(self, cell: str) -> None:
        """As IPython does: a cell is kept in linecache, under a name made up for it."""
        name = f"/tmp/ipykernel_7/{next(NUMBERS)}.py"
        linecache.cache[name] = (len(cell), None, cell.splitlines(True), name)
        exec(compile(cell, name, "exec"), self.scope)

    def ask(self, question: str, language: str = "en") -> viz.Explanation:
        question = question.strip().removesuffix(")")
        self.run(f"_answer = {question}, language={language!r})\n")
        answer = self.scope["_answer"]
        assert isinstance(answer, viz.Explanation)
        return answer

    def tensors(self) -> Iterator[tuple[str, Any]]:
        """What every tensor and parameter is called, and the tensor."""
        for name, value in list(self.scope.items()):
            if name.startswith("_"):
                continue
            if is_tensor(value):
                yield name, value
            elif not isinstance(value, type) and hasattr(type(value), "named_parameters"):
                for path, parameter in value.named_parameters():
                    yield f"dict({name}.named_parameters())[{path!r}]", parameter


@contextlib.contextmanager
def notebook(library: ModuleType, program: str) -> Iterator[Notebook]:
    """Its cells are forgotten again, and those that other tests have left are not seen in it."""
    before = dict(linecache.cache)
    for name in [name for name in linecache.cache if is_cell(name)]:
        del linecache.cache[name]
    try:
        yield Notebook(library, program)
    finally:
        linecache.cache.clear()
        linecache.cache.update(before)


def answer_to_script(library: ModuleType, program: str) -> viz.Explanation:
    """What explain says of the error of a program that is a file, all of it in one function, and
    that is run by other code, in a loop.
    """
    lines = [f"    {line}\n" if line else "\n" for line in program.splitlines()]
    text = "def main():\n" + "".join(lines) + "\nmain()\n"
    name = "program.py"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    library.manual_seed(0)
    for _ in range(1):
        try:
            with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
                warnings.simplefilter("ignore")
                exec(compile(text, name, "exec"), {"__name__": "__main__", "T": library})
        except Exception as error:
            library.set_grad_enabled(True)
            return viz.explain(error)
        finally:
            library.set_grad_enabled(True)
    raise AssertionError("the program works")
