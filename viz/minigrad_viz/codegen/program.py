"""program(loss): the backward pass as straight-line code, to read, to run and to edit.

Each statement belongs to a node, and the text gives the same gradients, bit for bit. It imports
minigrad, NumPy or PyTorch alone. If a node's formula cannot be written in NumPy, the program calls
the node, and the first line names it. minigrad_pass.py and pytorch_pass.py write the statements.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from minigrad import Tensor

from ..model.autograd_nodes import dtype_name, is_accumulate, node_name
from ..model.collector import uncollected
from ..model.either_library import AnyTensor, GivenNames, is_pytorch
from ..model.graph_model import Walk, walk
from ..model.lines import line_of
from ..passes.record import pair_gradients, read_inputs
from ..picture.saving import Writers, save_as, whole_page
from ..texts.language import Language, current_language
from ..texts.printable import printable
from ..texts.sentences import word
from .arrays import copy_with_layout
from .code_page import code_html
from .constants import text_of
from .helpers import HELPERS
from .minigrad_pass import write_pass
from .pytorch_pass import write_pytorch_pass
from .statements import Draft

WIDTH = 88
"""Characters of a line; of a longer dictionary each entry has a line."""

ListedLine = tuple[str, str | None]
"""A line, and the id of its node."""


class Line(NamedTuple):
    """A line of a program, and the id of its node in `viz.draw` and `viz.step`, or None."""

    number: int
    text: str
    node: str | None


class Program:
    """A backward pass as code; printing it, or leaving it as a cell's last line, shows it.

    lines        the lines, each with its node
    given        the arrays, functions and nodes that the text takes from `given`
    not_written  the nodes that are called or left out, as the first line says
    """

    def __init__(
        self,
        lines: Sequence[ListedLine],
        given: Mapping[str, Any],
        not_written: Sequence[str] = (),
        *,
        runs: bool = True,
    ) -> None:
        self.lines = tuple(Line(at, text, node) for at, (text, node) in enumerate(lines, start=1))
        self.given = dict(given)
        self.not_written = tuple(not_written)
        self.runs = runs

    @property
    def text(self) -> str:
        """The program: Python, from the first line to the last."""
        return "\n".join(line.text for line in self.lines) + "\n"

    def lines_of(self, node: str) -> tuple[Line, ...]:
        """The lines of a node, by its id."""
        return tuple(line for line in self.lines if line.node == node)

    def run(self, text: str | None = None) -> dict[str, Any]:
        """Run the program, or an edited `text` of it; return the gradients by name.

        No tensor is changed. RuntimeError if a node or a hook begins a pass of its own, which would
        add to the `.grad` of real tensors.
        """
        if not self.runs:
            raise RuntimeError(
                "this program cannot be run: a node or a hook in it begins a backward pass of its "
                "own, which would add to .grad"
            )
        code, name = self.text if text is None else text, "<program>"
        linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
        given = {key: _copied(value) for key, value in self.given.items()}
        scope: dict[str, Any] = {"given": given}
        torch = sys.modules.get("torch")
        quiet = nullcontext() if torch is None else torch.no_grad()
        with quiet, np.errstate(all="ignore"):  # as in the pass itself
            exec(compile(code, name, "exec"), scope)
        return cast("dict[str, Any]", scope["grads"])

    def save(self, file: str | Path) -> Path:
        """Write the program to a file whose name ends in .py, .txt or .html, whole or not at all.

        Returns:
            The path of the file.

        Raises:
            ValueError: the name has another ending.
            OSError: the file cannot be written.
        """
        writers: Writers = {
            "py": lambda: self.text,
            "txt": lambda: self.text,
            "html": lambda: whole_page(self.html, self.lines[0].text.removeprefix("# ")),
        }
        return save_as(file, writers)

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    __repr__ = __str__

    @property
    def html(self) -> str:
        """The text in colours, each line with its node."""
        return code_html([(line.text, line.node) for line in self.lines])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": repr(self)}


def program(
    tensor: AnyTensor | Sequence[AnyTensor],
    gradient: AnyTensor | Sequence[AnyTensor | None] | None = None,
    *,
    names: GivenNames | None = None,
    inputs: AnyTensor | Sequence[AnyTensor] | None = None,
) -> Program:
    """Write `tensor.backward(gradient, inputs=...)` as straight-line code, each line with its node.

    tensor    of minigrad or PyTorch; or a list of tensors, with a list of gradients: one pass from
              all of them, as by `autograd.backward`
    inputs    a tensor or a list: they alone take gradients, as for `backward`
    names     a dict of name to tensor, or a module; by default, the names of the caller's variables

    `print` the result, `run()` it for the gradients by name, or edit its `text` and `run(text)`
    that. It imports minigrad, NumPy or PyTorch alone. Small arrays are written out; larger ones are
    copied to `given`. For a graph of PyTorch it is PyTorch code; a node that it calls works as long
    as the node has its saved tensors, usually until `backward()` is called.

    The pass is rehearsed, as by `step(tensor, keep_grad=False, retain_graph=True)`. Hooks and the
    reader's own Functions run, but no post-accumulate hooks. Every `.grad` is restored, and
    `backward()` can still be called.

    >>> import minigrad as mg
    >>> import minigrad_viz as viz
    >>> x = mg.tensor([0.5, 2.0], requires_grad=True)
    >>> y = (x * x).sum()
    >>> listing = viz.program(y, names={"x": x, "y": y})
    >>> listing.run()
    {'x': array([1., 4.], dtype=float32)}
    >>> [line.text for line in listing.lines_of("n2")][1:]
    ['d_x = d_mul_1 * x', 'd_x = d_x + d_mul_1 * x']

    What `backward` itself refuses is raised; TypeError if `tensor` is no tensor, ValueError if no
    operation made it.
    """
    language, frame = current_language(), sys._getframe(1)
    tensors, gradients = pair_gradients("program", tensor, gradient)
    graph = walk(*tensors, names=names, frame=frame, who="program", language=language)
    wanted = read_inputs("program", inputs)
    if len({is_pytorch(each) for each in tensors}) > 1:
        raise TypeError("program() needs tensors of one library, not of both")
    if not is_pytorch(tensors[0]) and not isinstance(tensors[0], Tensor):
        raise TypeError("program() cannot look into an engine of your own")
    write = write_pytorch_pass if is_pytorch(tensors[0]) else write_pass
    with uncollected():
        return listing(write(graph, tensors, gradients, wanted), graph, language)


def listing(writer: Draft, graph: Walk, language: Language) -> Program:
    """Return the program that has been written, each line with its node."""
    ids = {
        id(graph.objects[node.id]): node.id
        for node in graph.model.nodes
        if node.kind in ("function", "accumulate")
    }
    body: list[ListedLine] = []
    for block in writer.blocks:
        node = ids.get(id(block.of))
        if block.of is not None and not is_accumulate(block.of):
            body += [("", None), (f"# {_title(block.of, node, language)}", node)]
        texts = "\n".join(map(text_of, block.statements)).splitlines()
        body += [(line, node) for line in texts]
    body += [("", None), *_result(writer.grads)]
    used = {name for block in writer.blocks for name in _names_in(block.statements)}
    used.update(writer.grads.values())
    said = _notes(writer, ids, language)
    roots = word(language, "comma").join(
        printable(node.name) for node in graph.model.nodes if node.kind == "root"
    )
    first = " ".join([word(language, "program", roots=roots), *said.values()])
    if not said:
        first = word(language, "program_whole", roots=roots)
    head: list[ListedLine] = [(f"# {first}", None), (f"import {writer.library}", None)]
    helpers = [text for name, text in HELPERS.items() if name in used]
    if helpers:
        head.append(("import minigrad as mg", None))
    for text in helpers:
        head += [("", None), ("", None), *((line, None) for line in text.splitlines())]
    if helpers:
        head.append(("", None))
    begun = [each for each in writer.inputs.values() if each.name in used]
    if begun:
        head += [("", None), (f"# {word(language, 'program_given')}", None)]
    given = {}
    for each in begun:
        about = ""
        if each.code.startswith("given["):
            given[each.name] = each.value
            if is_pytorch(each.value) or isinstance(each.value, np.ndarray | np.generic):
                about = f"  # {dtype_name(each.value.dtype)} {list(each.value.shape)}"
        head.append((f"{each.name} = {each.code}{about}", None))
    names = [
        f"{node_name(each.node)} ({ids.get(id(each.node), '?')})" for each in writer.not_written
    ]
    return Program([*head, ("", None), *body], given, names, runs=not writer.passes_within)


def _copied(value: Any) -> Any:
    """Return a copy of an array or a tensor, which the text may write to."""
    if is_pytorch(value):
        return value.clone()
    return copy_with_layout(value) if isinstance(value, np.ndarray) else value


def _title(node: Any, id: str | None, language: Language) -> str:
    """Return the comment above a node's lines: its id, its name, and the line that made it."""
    name = node_name(node) if id is None else f"{id} {node_name(node)}"
    line = line_of(node)
    if line is None or not line.text:
        return name
    text = printable(line.text)
    return word(language, "program_node", node=name, number=line.lineno, text=text)


def _result(grads: Mapping[str, str]) -> list[ListedLine]:
    """Return the last line, or lines: the gradients by name."""
    entries = [f"{name!r}: {variable}" for name, variable in grads.items()]
    whole = f"grads = {{{', '.join(entries)}}}"
    if len(whole) <= WIDTH:
        return [(whole, None)]
    return [("grads = {", None), *[(f"    {entry},", None) for entry in entries], ("}", None)]


def _names_in(statements: Sequence[ast.stmt]) -> Iterator[str]:
    """Yield the names that statements use, each as often as they do."""
    waiting: list[Any] = list(statements)
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.AST):
            waiting += [getattr(part, field, None) for field in part._fields]
        elif isinstance(part, list):
            waiting += part


def _notes(writer: Draft, ids: Mapping[int, str], language: Language) -> dict[str, str]:
    """Return the notes of the first line on what is not written out."""
    nodes: dict[str, list[str]] = {}
    for each in writer.not_written:
        known = each.reason in ("pass", "post_accumulate", "hook")
        key = each.reason if known else "call"
        name = f"{node_name(each.node)} ({ids.get(id(each.node), '?')})"
        nodes.setdefault(f"program_{key}", []).append(name)
    comma = word(language, "comma")
    return {key: word(language, key, nodes=comma.join(names)) for key, names in nodes.items()}
