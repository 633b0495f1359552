"""Run a program that is given as text once, and return its displays as data.

The page behind a link (share.py) runs this in a worker of the browser. The result is text, pictures
and payloads, without markup, so a stranger's program cannot put anything else into the page. The
error of a program that fails is explained. The first backward pass of a program is stepped.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import linecache
import os
import traceback
from collections.abc import Callable, Iterator
from typing import Any, TypedDict, cast

import minigrad as mg

from ..diagnosis.errors.unknown import QUOTED
from ..diagnosis.explain import Explanation, explain
from ..model.names import is_tensor
from ..picture.draw import Drawing
from ..picture.graphviz import LayoutError, NoGraphviz
from ..picture.placement import TooLarge
from ..texts.language import VARIABLE, checked, current_language
from ..texts.sentences import say
from .payload import Payload
from .step import step
from .widget import Stepper

FILE = "program.py"
"""The name of the program in errors and in the stepper."""

LONGEST = 20_000
"""The most characters of the program's output, and of any other text."""

SHOW = "_show_"
"""The function that gets the program's displays; a name that no program uses."""


FIGURES = (Stepper, Drawing, Explanation)
"""Values that are shown on any line of their own; other values are shown on the last line."""


KIND = "application/vnd.minigrad+json"
"""The MIME type of a list of parts."""


class Part(TypedDict, total=False):
    """One thing to show. `kind` decides which other keys exist."""

    kind: str  # "text", "error", "note", "explanation", "picture" or "stepper"
    text: str
    svg: str
    payload: Payload


def run(code: str, language: str | None = None) -> list[Part]:
    """Run a program, and return its displays in order.

    >>> [part] = run("import torch\\nprint(torch.ones(2))")[1:]
    >>> part
    {'kind': 'text', 'text': 'tensor([1., 1.])\\n'}
    """
    language = current_language() if language is None else checked(language)
    parts: list[Part] = []
    output = io.StringIO()

    def flush() -> None:
        """Show the text printed so far above the next display."""
        if output.getvalue():
            parts.append(Part(kind="text", text=shorten(output.getvalue())))
            output.seek(output.truncate(0))

    def show(value: Any, last: bool) -> None:
        if value is not None and (last or isinstance(value, FIGURES)):
            flush()
            parts.append(display(value))

    linecache.cache[FILE] = (len(code), None, code.splitlines(keepends=True), FILE)
    scope: dict[str, Any] = {"__name__": "__main__", SHOW: show}
    passes = Passes()
    redirected = contextlib.redirect_stdout(output), contextlib.redirect_stderr(output)
    with redirected[0], redirected[1], displays_in(language), passes.step_first(scope):
        try:
            tree = ast.parse(code, FILE)
            if replace_torch(tree):
                parts.append(Part(kind="note", text=say(language, "stands_in")))
            exec(compile(add_displays(tree), FILE, "exec"), scope)
        except (Exception, SystemExit) as error:
            flush()
            parts += failure(error)
        flush()
    if passes.first is not None and not any(part["kind"] == "stepper" for part in parts):
        if passes.count > 1:
            text = say(language, "first_of", count=passes.count)
            parts.append(Part(kind="note", text=text))
        parts.append(display(passes.first))
    return parts


@contextlib.contextmanager
def displays_in(language: str) -> Iterator[None]:
    """Set the language of displays that name none, which the program can change."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = language
    try:
        yield
    finally:
        os.environ.pop(VARIABLE, None)
        if before is not None:
            os.environ[VARIABLE] = before


def add_displays(tree: ast.Module) -> ast.Module:
    """Pass the value of each expression statement to `_show_`.

    As in a notebook, the last value shows itself, and figures on any line.
    """
    for statement in tree.body:
        if isinstance(statement, ast.Expr):
            last = ast.Constant(statement is tree.body[-1])
            name = ast.Name(SHOW, ast.Load())
            statement.value = ast.Call(name, [statement.value, last], [])
    return ast.fix_missing_locations(tree)


def replace_torch(tree: ast.Module) -> bool:
    """Import minigrad in place of PyTorch, which no browser has; return whether it was imported."""
    replaced = False
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and _is_torch(node.module) and not node.level:
            node.module = _ours(node.module)
            replaced = True
        elif isinstance(node, ast.Import):
            names = []
            for each in node.names:
                if not _is_torch(each.name):
                    names.append(each)
                    continue
                replaced = True
                if each.asname is None:
                    names.append(ast.alias("minigrad", "torch"))
                if each.asname is not None or "." in each.name:
                    names.append(ast.alias(_ours(each.name), each.asname))
            node.names = names
    return replaced


def _is_torch(module: str | None) -> bool:
    return module is not None and module.partition(".")[0] == "torch"


def _ours(module: str | None) -> str:
    return f"minigrad{(module or '').removeprefix('torch')}"


class Passes:
    """The backward passes of a program: the stepper of the first one, and their count."""

    def __init__(self) -> None:
        self.first: Stepper | None = None
        self.count = 0

    @contextlib.contextmanager
    def step_first(self, scope: dict[str, Any]) -> Iterator[None]:
        """In this block, step the first call of `backward()`."""
        plainly, function = mg.Tensor.backward, mg.autograd.backward

        def run(plain: Callable[..., None], roots: Any, *seeds: Any, **options: Any) -> None:
            self.count += 1
            if self.count > 1 or not _can_step(roots, seeds, options):
                return plain(roots, *seeds, **options)
            names = {name: value for name, value in scope.items() if is_tensor(value)}
            made = step(roots, *seeds, names=names, **options)
            self.first = made
            if made.error is not None:
                raise made.error

        def method(self: Any, *seeds: Any, **options: Any) -> None:
            run(plainly, self, *seeds, **options)

        def of_several(tensors: Any, *seeds: Any, **options: Any) -> None:
            run(function, tensors, *seeds, **options)

        _replace(method, of_several)
        try:
            yield
        finally:
            _replace(plainly, function)


def _replace(method: Callable[..., None], function: Callable[..., None]) -> None:
    cast(Any, mg.Tensor).backward, cast(Any, mg.autograd).backward = method, function


STEPS = frozenset({"gradient", "retain_graph", "create_graph", "inputs"})
"""The arguments of `backward` that `step` accepts."""


def _can_step(roots: Any, seeds: tuple[Any, ...], options: dict[str, Any]) -> bool:
    """Whether `step` does the same as this call."""
    tensors = roots if isinstance(roots, list | tuple) else [roots]
    made = all(is_tensor(each) and each.grad_fn is not None for each in tensors)
    return bool(tensors) and made and len(seeds) <= 1 and set(options) <= STEPS


def display(value: Any) -> Part:
    """Return a value's display in a notebook, as data."""
    if isinstance(value, Stepper):
        return Part(kind="stepper", payload=cast(Payload, value.payload))
    text = shorten(repr(value))
    if isinstance(value, Explanation):
        return Part(kind="explanation", text=text, svg=value.svg)
    if isinstance(value, Drawing):
        with contextlib.suppress(NoGraphviz, TooLarge, LayoutError):  # the text stays
            return Part(kind="picture", text=text, svg=value.svg)
    return Part(kind="text", text=f"{text}\n")


def failure(error: BaseException) -> list[Part]:
    """Return the program's error with its own lines, and the explanation, if there is one."""
    report = traceback.TracebackException.from_exception(error)
    report.stack[:] = [frame for frame in report.stack if frame.filename == FILE]
    parts = [Part(kind="error", text=shorten("".join(report.format())))]
    if isinstance(error, Exception):
        with contextlib.suppress(Exception):  # the error itself is shown already
            why = explain(error)
            if why.cause not in QUOTED:
                parts.append(Part(kind="explanation", text=why.text, svg=why.svg))
    return parts


def shorten(text: str) -> str:
    """Cut a text to the length that a page shows.

    >>> len(shorten("a" * 50_000))
    20002
    """
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}\n\u2026"


class Shown:
    """The displays of a program, as the value of a cell in a page that knows `KIND`."""

    def __init__(self, code: str, language: str | None = None) -> None:
        self.parts = run(code, language)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {KIND: json.dumps(self.parts, ensure_ascii=False), "text/plain": repr(self)}
