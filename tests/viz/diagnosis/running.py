"""Run a program as the cells of a notebook or as a script, and ask `explain` about it."""

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

from tests.speaking import speaking

NUMBERS = itertools.count(1)


class Notebook:
    """A notebook that has run one program, up to its error if it has one."""

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
        """Run a cell as IPython does: its text goes into linecache under a new name."""
        name = f"/tmp/ipykernel_7/{next(NUMBERS)}.py"
        linecache.cache[name] = (len(cell), None, cell.splitlines(True), name)
        exec(compile(cell, name, "exec"), self.scope)

    def ask(self, question: str, language: str = "en") -> viz.Explanation:
        with speaking(language):
            self.run(f"_answer = {question.strip()}\n")
        answer = self.scope["_answer"]
        assert isinstance(answer, viz.Explanation)
        return answer

    def tensors(self) -> Iterator[tuple[str, Any]]:
        """Yield each tensor and parameter with its name."""
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
    """Run a program in a notebook that sees no cells of other tests, and remove its cells."""
    before = dict(linecache.cache)
    for name in [name for name in linecache.cache if is_cell(name)]:
        del linecache.cache[name]
    try:
        yield Notebook(library, program)
    finally:
        linecache.cache.clear()
        linecache.cache.update(before)


def answer_to_script(library: ModuleType, program: str) -> viz.Explanation:
    """Explain the error of a program in a file: it is one function, called in a loop."""
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
