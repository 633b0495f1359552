"""Inspect an answer: the result of a probe as plain data, or the reason why there is none.

This file does not know which answers are right. In a class it runs in the process with the
learner's code, and the judge runs in another (grading/marking.py).
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import linecache
import math
import random
import sys
import textwrap
import traceback
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from . import sentences
from .exercise import Words, bound
from .plain import UnfilledError, holds_numbers, plain
from .rebuild import Rebuilt
from .steps import EndlessError, bounded


@dataclass(frozen=True, slots=True)
class Look:
    """The inspection of an answer: `seen`, or `trouble`, the reason why there is none.

    `unfilled`: the cell still has its `...`. `nothing`: functions of the answer were called, and
    each call returned None.
    """

    seen: Any = None
    trouble: Words | None = None
    unfilled: bool = False
    nothing: bool = field(default=False, compare=False)


def look(
    name: str, asks: Sequence[str], probe: str | None, notebook: dict[str, Any], cell: str = ""
) -> Look:
    """Inspect the names that exercise `name` asks for, with their values in a notebook.

    An error is shown with its line in `cell`, else in the cell that binds the names.
    """
    unfilled = left_open(asks, notebook)
    if missing := without_answer(asks, notebook):
        return Look(trouble=missing, unfilled=unfilled)
    try:
        if probe is None:
            seen, nothing = _values(asks, notebook), False
        else:
            seen, nothing = _probed(name, asks, probe, notebook, cell)
        return Look(json.loads(json.dumps(plain(seen))), unfilled=unfilled, nothing=nothing)
    except UnfilledError:
        return Look(unfilled=True)
    except Trouble as trouble:
        return Look(trouble=trouble.words, unfilled=unfilled)
    except Exception as error:  # an object may raise when it is inspected
        words = sentences.raised(", ".join(asks), described(error))
        return Look(trouble=words, unfilled=unfilled)


def left_open(asks: Sequence[str], notebook: dict[str, Any]) -> bool:
    """Return whether the answer, or the cell that binds it, still has a `...`."""
    cell = cell_that_binds(asks, notebook)
    return any(notebook.get(ask) is ... for ask in asks) or (cell is not None and has_hole(cell))


def without_answer(asks: Sequence[str], notebook: dict[str, Any]) -> Words | None:
    """Return the reason why there is no answer to judge, or None."""
    cell = cell_that_binds(asks, notebook)
    if cell is not None and (error := error_of(cell, notebook)):
        return sentences.stopped(error)
    missing = (sentences.undefined(ask) for ask in asks if ask not in notebook)
    return next(missing, None)


class Trouble(Exception):
    """Raised with the reason why an answer cannot be inspected."""

    def __init__(self, words: Words) -> None:
        super().__init__(words.en)
        self.words = words


def _values(asks: Sequence[str], notebook: dict[str, Any]) -> Any:
    for ask in asks:
        if isinstance(notebook[ask], FunctionType | MethodType | BuiltinFunctionType | np.ufunc):
            raise Trouble(sentences.not_a_value(ask))
    values = {ask: notebook[ask] for ask in asks}
    return values[asks[0]] if len(asks) == 1 else values


def _probed(
    name: str, asks: Sequence[str], probe: str, notebook: dict[str, Any], cell: str
) -> tuple[Any, bool]:
    """Run the probe on the library that the notebook calls `mg`.

    Return what it binds to `seen`, and whether all calls of the answer returned None.
    """
    if any(notebook[ask] is ... for ask in asks):
        raise UnfilledError
    library = notebook.get("mg")
    if not (isinstance(library, ModuleType) and hasattr(library, "tensor")):
        raise Trouble(sentences.not_imported())
    program = textwrap.dedent(probe).strip()
    for ask in called(program) & set(asks):
        if not callable(notebook[ask]):
            raise Trouble(sentences.not_a_function(ask, type(notebook[ask]).__name__))
    rebuilt = Rebuilt(notebook)
    names = {"mg": library, "np": np, "math": math, "nn": library.nn}
    if isinstance(notebook.get("plt"), ModuleType):
        names["plt"] = notebook["plt"]
    names |= {ask: rebuilt.again(notebook[ask]) for ask in asks}
    trial = Trial(name, program, names, rebuilt, cell or cell_that_binds(asks, notebook) or "")
    return trial.seen(), trial.returned == {True}


class Trial:
    """One run of a probe."""

    def __init__(
        self, name: str, program: str, names: dict[str, Any], rebuilt: Rebuilt, cell: str = ""
    ) -> None:
        self.lines = {line.strip() for line in cell.splitlines()}
        self.file = f"<check {name}>"
        self.program = program
        self.names = names | {"__name__": self.file}
        self.rebuilt = rebuilt
        self.call: str | None = None
        self.result: Any = None
        """Result of the last call if that was of the answer itself, else Ellipsis."""
        self.returned: set[bool] = set()
        """For each call of the answer itself, whether it returned None."""
        functions = {name: value for name, value in names.items() if type(value) is FunctionType}
        self.called = {function.__code__: name for name, function in functions.items()}

    def seen(self) -> Any:
        try:
            with undisturbed(self.names["mg"]), bounded(self.note, self.keep):
                exec(compile(self.program, self.file, "exec"), self.names)
                return self.names["seen"]
        except EndlessError:
            raise Trouble(sentences.endless(self.call)) from None
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise Trouble(self.describe(error)) from None

    def note(self, frame: FrameType) -> None:
        """Remember the call of a function of the answer, as text."""
        code = frame.f_code
        count = code.co_argcount + code.co_kwonlyargcount
        given = [shown(name, frame.f_locals.get(name)) for name in code.co_varnames[:count]]
        self.call = f"{self.called.get(code) or title(code)}({', '.join(given)})"

    def keep(self, frame: FrameType, result: Any) -> None:
        """Remember the result of a call."""
        self.result = result if frame.f_code in self.called else ...
        if frame.f_code in self.called:
            self.returned.add(result is None)

    def describe(self, error: BaseException) -> Words:
        """Return a sentence on an error: raised by the answer, or at a line of the probe."""
        frames = list(traceback.walk_tb(error.__traceback__))
        missing = getattr(error, "name", None) if type(error) is NameError else None
        if missing in self.rebuilt.notebook and missing not in self.rebuilt.names:
            return sentences.reads(str(missing))
        if missing is not None and missing not in self.rebuilt.notebook:
            return sentences.unknown(str(missing))
        own = [(f, line) for f, line in frames if f.f_globals is self.rebuilt.names]
        if self.call and own:
            texts = [linecache.getline(f.f_code.co_filename, line).strip() for f, line in own]
            typed = [text for text in texts if text and text in self.lines]
            return sentences.raised(self.call, described(error), typed[-1] if typed else "")
        (line,) = [at for frame, at in frames if frame.f_code.co_filename == self.file][-1:]
        text = self.program.splitlines()[line - 1].strip()
        if self.call and self.result is None and "NoneType" in str(error):
            return sentences.returned_none(self.call, text)
        return sentences.failed(text, self.call, described(error))


def called(program: str) -> set[str]:
    """Return the names that a program calls."""
    calls = (node for node in ast.walk(ast.parse(program)) if isinstance(node, ast.Call))
    return {call.func.id for call in calls if isinstance(call.func, ast.Name)}


def title(code: CodeType) -> str:
    """Return a function's name, without the name of the enclosing function."""
    return code.co_qualname.rpartition("<locals>.")[2]


def shown(name: str, value: Any) -> str:
    """Return an argument as source text, or its name if that is too long or not literal."""
    if holds_numbers(value) or isinstance(value, int | float | str | list | tuple | None):
        with contextlib.suppress(Exception):
            text = " ".join(repr(value).split())
            return text if len(text) <= 60 else name
    return name


def described(error: BaseException) -> str:
    """Return the first line of an error as the last line of a traceback shows it."""
    said = "".join(traceback.format_exception_only(error)).strip().splitlines()
    if isinstance(error, SyntaxError):
        return said[-1]
    return said[0] if len(said[0]) <= 300 else said[0][:300] + "…"


def cell_that_binds(asks: Sequence[str], notebook: dict[str, Any]) -> str | None:
    """Return the last cell run that binds the names, in a notebook that keeps its cells.

    A cell with a syntax error counts by its lines that look like assignments.
    """
    for cell in reversed(notebook.get("In", [])):
        if set(asks) <= bound(cell):
            return str(cell)
        with contextlib.suppress(SyntaxError):
            ast.parse(cell)
            continue
        lines = [line.replace("(", " ").replace(":", " ").split() for line in cell.splitlines()]
        starts = {line[1] if line[0] in ("def", "class") else line[0] for line in lines if line[1:]}
        if set(asks) <= starts:
            return str(cell)
    return None


def has_hole(cell: str) -> bool:
    """Return whether a cell has a `...` that is no index."""
    try:
        tree = ast.parse(cell)
    except SyntaxError:
        return False
    indices = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript)
        for part in ast.walk(node.slice)
    }
    return any(
        isinstance(node, ast.Constant) and node.value is ... and id(node) not in indices
        for node in ast.walk(tree)
    )


def error_of(cell: str, notebook: dict[str, Any]) -> str | None:
    """Return the error that ended this cell, if it ran last before the check."""
    if "IPython" not in sys.modules:
        return None
    shell = sys.modules["IPython"].get_ipython()
    if shell is None or shell.user_ns is not notebook:
        return None
    last = shell.last_execution_result
    if last is None or last.info is None:
        return None
    if shell.transform_cell(last.info.raw_cell).strip() != cell.strip():
        return None
    error = last.error_before_exec or last.error_in_exec
    return described(error) if error is not None else None


@contextlib.contextmanager
def undisturbed(mg: Any) -> Iterator[None]:
    """Record gradients, seed random numbers, and print and show nothing inside the block.

    Afterwards modes, random numbers and figures are restored.
    """
    state, pythons = mg.get_rng_state(), random.getstate()
    numpys = np.random.get_state()  # noqa: NPY002
    records, anomaly = mg.is_grad_enabled(), mg.is_anomaly_enabled()
    dtype, errors = mg.get_default_dtype(), np.geterr()
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    figures = pyplot.get_fignums() if pyplot else []
    current, show = (pyplot.gcf().number if figures else None), getattr(pyplot, "show", None)
    silent = io.StringIO()
    try:
        mg.set_grad_enabled(True)
        mg.manual_seed(0)
        np.random.seed(0)  # noqa: NPY002
        random.seed(0)
        if pyplot:
            pyplot.show = lambda *anything, **more: None
        with (
            warnings.catch_warnings(),
            contextlib.redirect_stdout(silent),
            contextlib.redirect_stderr(silent),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        mg.set_rng_state(state)
        np.random.set_state(numpys)  # noqa: NPY002
        random.setstate(pythons)
        mg.set_grad_enabled(records)
        mg.autograd.set_detect_anomaly(anomaly)
        mg.set_default_dtype(dtype)
        np.seterr(**errors)
        if pyplot:
            pyplot.show = show
            for number in set(pyplot.get_fignums()) - set(figures):
                pyplot.close(number)
            if current is not None:
                pyplot.figure(current)
