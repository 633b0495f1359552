"""A program that somebody hands over as text: run once, with all there is to see of it as data.

The page behind a link (share.py) runs this in a worker of the browser. What comes back is text,
pictures and payloads and no markup, so that a program from a stranger can put nothing into the page
but what the page itself draws. Of a program that fails, what it raised is explained; one that walks
backward once or more has its first pass stepped.
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

from ..explain.explain import Explanation, explain
from ..model.names import is_tensor
from ..picture.draw import Drawing
from ..picture.engines import LayoutError, NoEngine
from ..picture.placement import TooLarge
from ..texts.language import VARIABLE, Language, chosen
from ..texts.sentences import say
from .payload import Payload
from .step import step
from .widget import Stepper

FILE = "program.py"
"""What the program is called in errors and in the stepper."""

LONGEST = 20_000
"""Characters of what it prints, and of any other text."""

SHOW = "_show_"
"""What the program's displays are handed to; a name that no program has."""


FIGURES = (Stepper, Drawing, Explanation)
"""What is shown wherever it stands alone on a line; other values are, on the last one."""


KIND = "application/vnd.minigrad+json"
"""The kind of output that the parts are, as a list."""


class Part(TypedDict, total=False):
    """One thing to show. `kind` says which of the others are there."""

    kind: str  # "text", "error", "note", "explanation", "picture" or "stepper"
    text: str
    svg: str
    payload: Payload


def run(code: str, language: str | None = None) -> list[Part]:
    """Run a program, and return what there is to see of it, in the order in which it came.

    >>> [part] = run("import torch\\nprint(torch.ones(2))")[1:]
    >>> part
    {'kind': 'text', 'text': 'tensor([1., 1.])\\n'}
    """
    spoken = chosen(language)
    os.environ[VARIABLE] = spoken
    parts: list[Part] = []
    said = io.StringIO()

    def told() -> None:
        """What was printed so far stands above what comes now."""
        if said.getvalue():
            parts.append(Part(kind="text", text=shortened(said.getvalue())))
            said.seek(said.truncate(0))

    def show(value: Any, last: bool) -> None:
        if value is not None and (last or isinstance(value, FIGURES)):
            told()
            parts.append(shown(value))

    linecache.cache[FILE] = (len(code), None, code.splitlines(keepends=True), FILE)
    scope: dict[str, Any] = {"__name__": "__main__", SHOW: show}
    passes = Passes(spoken)
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), passes.seen(scope):
        try:
            tree = ast.parse(code, FILE)
            if stands_in(tree):
                parts.append(Part(kind="note", text=say(spoken, "stands_in")))
            exec(compile(displaying(tree), FILE, "exec"), scope)
        except (Exception, SystemExit) as error:
            told()
            parts += failure(error, spoken)
        told()
    if passes.first is not None and not any(part["kind"] == "stepper" for part in parts):
        if passes.count > 1:
            text = say(spoken, "first_of", count=passes.count)
            parts.append(Part(kind="note", text=text))
        parts.append(shown(passes.first))
    return parts


def displaying(tree: ast.Module) -> ast.Module:
    """The program, with the value of each line that is an expression handed to `_show_`: as in a
    notebook the last one shows itself, and figures wherever they stand.
    """
    for statement in tree.body:
        if isinstance(statement, ast.Expr):
            last = ast.Constant(statement is tree.body[-1])
            name = ast.Name(SHOW, ast.Load())
            statement.value = ast.Call(name, [statement.value, last], [])
    return ast.fix_missing_locations(tree)


def stands_in(tree: ast.Module) -> bool:
    """Let minigrad stand in for PyTorch, which no browser has; whether the program imports it."""
    found = False
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and _is_torch(node.module) and not node.level:
            node.module = _ours(node.module)
            found = True
        elif isinstance(node, ast.Import):
            names = []
            for each in node.names:
                if not _is_torch(each.name):
                    names.append(each)
                    continue
                found = True
                if each.asname is None:
                    names.append(ast.alias("minigrad", "torch"))
                if each.asname is not None or "." in each.name:
                    names.append(ast.alias(_ours(each.name), each.asname))
            node.names = names
    return found


def _is_torch(module: str | None) -> bool:
    return module is not None and module.partition(".")[0] == "torch"


def _ours(module: str | None) -> str:
    return f"minigrad{(module or '').removeprefix('torch')}"


class Passes:
    """The passes of a program: the first one stepped, and how many there were."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.first: Stepper | None = None
        self.count = 0

    @contextlib.contextmanager
    def seen(self, scope: dict[str, Any]) -> Iterator[None]:
        """In this block, `backward()` is stepped the first time that it is called."""
        plainly, function = mg.Tensor.backward, mg.autograd.backward

        def run(plain: Callable[..., None], roots: Any, *seeds: Any, **options: Any) -> None:
            self.count += 1
            if self.count > 1 or not _can_step(roots, seeds, options):
                return plain(roots, *seeds, **options)
            names = {name: value for name, value in scope.items() if is_tensor(value)}
            made = step(roots, *seeds, names=names, language=self.language, **options)
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
"""The arguments that `step` takes as `backward` does."""


def _can_step(roots: Any, seeds: tuple[Any, ...], options: dict[str, Any]) -> bool:
    """Whether `step` promises to do the same as this call."""
    tensors = roots if isinstance(roots, list | tuple) else [roots]
    made = all(is_tensor(each) and each.grad_fn is not None for each in tensors)
    return bool(tensors) and made and len(seeds) <= 1 and set(options) <= STEPS


def shown(value: Any) -> Part:
    """A value as a notebook shows it, as data."""
    if isinstance(value, Stepper):
        return Part(kind="stepper", payload=cast(Payload, value.payload))
    text = shortened(repr(value))
    if isinstance(value, Explanation):
        return Part(kind="explanation", text=text, svg=value.svg)
    if isinstance(value, Drawing):
        with contextlib.suppress(NoEngine, TooLarge, LayoutError):  # the text stays
            return Part(kind="picture", text=text, svg=value.svg)
    return Part(kind="text", text=f"{text}\n")


def failure(error: BaseException, language: Language) -> list[Part]:
    """What the program raised, told by its own lines, and why, where that can be found out."""
    told = traceback.TracebackException.from_exception(error)
    told.stack[:] = [frame for frame in told.stack if frame.filename == FILE]
    parts = [Part(kind="error", text=shortened("".join(told.format())))]
    if isinstance(error, Exception):
        with contextlib.suppress(Exception):  # the error itself has been told
            why = explain(error, language=language)
            if why.cause != "unknown_error":
                parts.append(Part(kind="explanation", text=why.text, svg=why.svg))
    return parts


def shortened(text: str) -> str:
    """A text that a page can show.

    >>> len(shortened("a" * 50_000))
    20002
    """
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}\n\u2026"


class Shown:
    """What there is to see of a program, as the value of a cell whose page knows the kind."""

    def __init__(self, code: str, language: str | None = None) -> None:
        self.parts = run(code, language)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {KIND: json.dumps(self.parts, ensure_ascii=False), "text/plain": repr(self)}
