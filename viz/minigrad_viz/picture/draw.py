"""draw(t): the graph behind a tensor as a picture, in a notebook or in a file.

The picture and the text are two forms of one GraphModel. Both are in what a notebook stores, so
that something readable is left where pictures do not show, and so that a test can compare the text.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from minigrad.autograd.events import Forward

from ..model.boxes import SEEN
from ..model.either_library import AnyTensor, GivenNames, OwnResult
from ..model.folding import folded, names_of_boxes
from ..model.graph_model import Endless, GraphModel, walk
from ..model.names import is_tensor
from ..model.outline import OUTLINED_FROM, outline
from ..model.passes import computed
from ..texts.language import Language, chosen
from ..texts.sentences import word
from .box_page import page
from .dot import dot_source
from .engines import LayoutError, NoEngine, check_engine
from .forward import View, forward_view, program, seen_as
from .placement import TooLarge, picture
from .svg import styled, svg
from .tree import tree_text

LINES = 300
"""Lines of text that a drawing leaves in a notebook beside the picture."""

FORMATS = ("svg", "png", "pdf", "html", "dot", "txt")


class Drawing:
    """A graph that shows itself: as SVG in a notebook, as text in a terminal; `save` writes it to a
    file.
    """

    def __init__(
        self,
        graph: GraphModel,
        *,
        engine: str | None = None,
        view: View = "backward",
        fold: bool | None = None,
        opened: Iterable[str] = (),
    ) -> None:
        self.graph = graph
        whole = seen_as(graph, view)
        self.folding = folded(graph, whole, fold, opened)
        self.model = self.folding.fold(self.folding.opened) if self.folding else whole
        self.engine = engine
        self.view = view
        self.language = graph.root.language

    @property
    def svg(self) -> str:
        """The picture as the text of an SVG element. NoEngine if there is no Graphviz."""
        return styled(svg(self.model, engine=self.engine))

    @property
    def dot(self) -> str:
        """The graph in Graphviz's own language."""
        return dot_source(self.model)

    @property
    def text(self) -> str:
        """The graph as text, the same on every machine: a tree backwards, a program forwards."""
        texts: list[str] = []
        if self.view != "backward":
            texts.append(program(forward_view(self.graph)))
        if self.view != "forward":
            texts.append(tree_text(self.graph))
        return "\n\n".join(texts)

    def __repr__(self) -> str:
        return _beginning(self.text, self.language)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        try:
            return {"image/svg+xml": self.svg, "text/plain": repr(self)}
        except (NoEngine, ImportError) as error:
            return {"text/plain": f"{self!r}\n\n{_without_engine(self, error)}"}
        except (TooLarge, LayoutError) as error:
            return {"text/plain": f"{self!r}\n\n{word(self.language, 'no_picture', error=error)}"}

    def save(self, file: str | Path, format: str | None = None) -> Path:
        """Write the graph to `file` and return its path.

        `format` is one of "svg", "png", "pdf", "html", "dot" (Graphviz's language) and "txt";
        without it the name's ending decides. Where there is no Graphviz, the DOT text is written
        beside it instead, with a warning that says so. ValueError for another format.
        """
        path = Path(file)
        chosen = format_of(path, format)
        try:
            data = self._as(chosen)
        except NoEngine as error:
            path = path.with_suffix(".dot")
            warnings.warn(f"wrote {path.name} in place of a {chosen} file: {error}", stacklevel=2)
            data = self.dot.encode()
        path.write_bytes(data)
        return path

    def _as(self, format: str) -> bytes:
        if format == "dot":
            return self.dot.encode()
        if format == "txt":
            return (self.text + "\n").encode()
        if format == "svg":
            return (self.svg + "\n").encode()
        if format == "html":
            return page(self.model, self.folding, self.engine).encode()
        # A raster or a page has no theme to follow, so it gets paper.
        return picture(self.model, format, engine=self.engine, background="white")


def draw(
    tensor: AnyTensor | OwnResult | Callable[[], AnyTensor | OwnResult],
    *,
    names: GivenNames | None = None,
    file: str | Path | None = None,
    format: str | None = None,
    engine: str | None = None,
    saved: bool = True,
    view: View = "backward",
    fold: bool | None = None,
    opened: Iterable[str] = (),
    language: str | None = None,
) -> Drawing:
    """Draw the graph behind `tensor`, a tensor of minigrad or PyTorch, down to its leaves.

    tensor  or a function without arguments that computes it: then also known is what went into the
            operations and was not kept, which a forward view has to leave open otherwise
    view    "backward": what backward() walks through; "forward": the tensors and operations that it
            came from; "both" at once: data down, gradients up
    fold    draw what a module computes, and operations that repeat, as one box each; without it,
            graphs of more than 1,500 nodes are folded as far as needed. In an HTML file boxes open
            at a click. Of more than 100,000 operations nothing is read but what the boxes need:
            then they stay as they are, and what operations saved is left out
    opened  names of boxes to open: ("encoder", "encoder.layers.0"); all others are closed
    names   a dict of name to tensor, or a module; without it, the names of the caller's variables
    file    also write it there; `format` ("svg", "png", "pdf", "html", "dot", "txt") if the name's
            ending does not say
    engine  "pygraphviz", "dot" or, in a browser, "viz.js"; without it, the first that is installed
    saved   draw the tensors that operations keep for backward
    language  of the words in the picture: "en" or "zh"; without it, what the environment variable
            MINIGRAD_LANGUAGE says, else English

    TypeError if it is not a tensor; ValueError if no operation made it, or for an unknown view,
    engine, format, language or box.
    """
    check_engine(engine)
    spoken, frame = chosen(language), sys._getframe(1)
    events: list[Forward] = []
    if callable(tensor) and not is_tensor(tensor):
        tensor, events = computed(tensor, "draw")
    opened = names_of_boxes(opened)
    inputs = {id(event.node): event.inputs for event in events}
    try:
        graph = walk(
            tensor,
            names=names,
            frame=frame,
            saved=saved,
            hooks=True,
            numbers=True,
            who="draw",
            language=spoken,
            computed=inputs,
            most=OUTLINED_FROM if fold is not False else None,
        ).model
    except Endless:
        if fold is False:
            raise
        graph = outline(
            tensor,
            names=names,
            frame=frame,
            who="draw",
            language=spoken,
            computed=inputs,
            most=0 if fold else SEEN,
            opened=opened,
        )
        fold, opened = False, ()  # its boxes are those of the outline
    drawing = Drawing(graph, engine=engine, view=view, fold=fold, opened=opened)
    if file is not None:
        drawing.save(file, format)
    return drawing


def format_of(path: Path, format: str | None) -> str:
    """The format to write: the one given, else what the file's ending says."""
    chosen = str(format or path.suffix.removeprefix(".")).lower()
    if chosen not in FORMATS:
        asked = repr(format) if format else f"{path.name!r}"
        raise ValueError(
            f"cannot tell how to write {asked}: the format must be one of {', '.join(FORMATS)}"
        )
    return chosen


def _beginning(text: str, language: Language) -> str:
    """The text, or its first lines where it is too long to be left in a notebook."""
    lines = text.splitlines()
    if len(lines) <= LINES:
        return text
    more = word(language, "more", count=f"{len(lines) - LINES:,}")
    return "\n".join([*lines[:LINES], more])


def _without_engine(drawing: Drawing, error: Exception) -> str:
    """What to show in place of a picture: why there is none, and the DOT text if there is."""
    try:
        return f"{word(drawing.language, 'as_dot', error=error)}\n\n{drawing.dot}"
    except ImportError:
        return word(drawing.language, "no_picture", error=error)
