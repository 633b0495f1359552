"""draw(t): the graph behind a tensor as a picture and as text.

Both show the same GraphModel. A notebook stores both, so that something readable is left where
pictures do not show, and so that a test can compare the text.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from minigrad.autograd.events import Forward

from ..model.arrange import Arrangement
from ..model.boxes import SEEN
from ..model.either_library import AnyTensor, GivenNames, OwnResult
from ..model.folding import Fold, Folding, folds, read_fold
from ..model.frame_hints import frames_of
from ..model.graph_model import EVERYTHING, Endless, GraphModel, walk
from ..model.names import is_tensor
from ..model.outline import OUTLINED_FROM, outline
from ..passes.record import record_named
from ..texts.language import Language, current_language
from ..texts.printable import as_printed
from ..texts.sentences import word
from .box_page import page
from .dot import dot_source
from .forward import View, check_view, forward_view, program, seen_as
from .graphviz import LayoutError, NoGraphviz, check_layout
from .placement import TooLarge, picture
from .saving import Writers, save_as
from .svg import styled, svg
from .tree import tree_text

LINES = 300
"""Lines of text that a drawing leaves in a notebook next to the picture."""


class Drawing:
    """A graph that shows itself: as SVG in a notebook, as text in a terminal.

    graph  all nodes and edges that were read
    frames  their frames, or None if none are drawn
    model  those that the picture shows: in the view, and folded
    """

    def __init__(
        self,
        graph: GraphModel,
        frames: Arrangement | None,
        *,
        layout: str | None = None,
        view: View = "backward",
        fold: Fold = None,
    ) -> None:
        check_view(view)
        self.graph = graph
        self.layout = layout
        self.view = view
        self.language = graph.root.language
        self._frames = frames
        whether, self._opened = read_fold(fold)
        self._most = 0 if whether else SEEN if folds(graph, fold) else None
        if self._opened:
            _ = self.folding  # which raises for an unknown box

    @cached_property
    def _whole(self) -> GraphModel:
        return seen_as(self.graph, self.view)

    @cached_property
    def folding(self) -> Folding | None:
        """The frames, open or folded, or None if the graph has none."""
        if self._frames is None or not (self._frames.frames or self._opened):
            return None
        return Folding(self.graph, self._frames, self._whole, most=self._most, names=self._opened)

    @cached_property
    def model(self) -> GraphModel:
        return self.folding.fold(self.folding.opened) if self.folding else self._whole

    @property
    def svg(self) -> str:
        """The picture as the text of an SVG element. NoGraphviz if there is no Graphviz."""
        return styled(svg(self.model, layout=self.layout, legend=True))

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

    def __str__(self) -> str:
        return as_printed(self.text)

    def __repr__(self) -> str:
        return _beginning(as_printed(self.text), self.language)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        try:
            return {"image/svg+xml": self.svg, "text/plain": repr(self)}
        except (NoGraphviz, ImportError) as error:
            return {"text/plain": f"{self!r}\n\n{_without_graphviz(self, error)}"}
        except (TooLarge, LayoutError) as error:
            return {"text/plain": f"{self!r}\n\n{word(self.language, 'no_picture', error=error)}"}

    def save(self, file: str | Path) -> Path:
        """Write the graph to a file whose name ends in .svg, .png, .pdf, .html, .dot (Graphviz's
        language) or .txt, whole or not at all.

        Without Graphviz, the DOT text is written to a file that ends in .dot, with a warning.

        Returns:
            The path of the file.

        Raises:
            ValueError: the name has another ending.
            OSError: the file cannot be written.
        """
        writers: Writers = {
            "svg": lambda: f"{self.svg}\n",
            # A raster or a page of paper has no theme to follow, so it gets white.
            "png": lambda: picture(self.model, "png", layout=self.layout, background="white"),
            "pdf": lambda: picture(self.model, "pdf", layout=self.layout, background="white"),
            "html": lambda: page(self.model, self.folding, self.layout),
            "dot": lambda: self.dot,
            "txt": lambda: f"{self.text}\n",
        }
        try:
            return save_as(file, writers)
        except NoGraphviz as error:
            path = Path(file).with_suffix(".dot")
            kind = Path(file).suffix.removeprefix(".")
            warnings.warn(f"wrote {path.name} in place of a {kind} file: {error}", stacklevel=2)
            return save_as(path, writers)


def draw(
    tensor: AnyTensor | OwnResult | Callable[[], AnyTensor | OwnResult],
    *,
    names: GivenNames | None = None,
    saved: bool = True,
    view: View = "backward",
    fold: Fold = None,
    layout: str | None = None,
) -> Drawing:
    """Draw the graph behind `tensor`, a tensor of minigrad or PyTorch, down to its leaves.

    A notebook shows the picture and `print` the text; `save("graph.svg")` writes a file.

    tensor  or a function without arguments that computes it: then a forward view also shows inputs
            that no operation saved
    names   a dict of name to tensor, or a module; by default, the names of the caller's variables
    saved   draw the tensors that operations save for backward
    view    "backward": what backward() walks through; "forward": the tensors and operations that it
            came from; "both" at once: data down, gradients up
    fold    True: draw each frame of the stepper as one box: what a module, a function, an iteration
            or a line computes; False: draw every node, without frames; by default, lines are drawn
            around modules, functions and iterations, and graphs of more than 1,500 nodes are folded
            until they can be looked at. Names of boxes, as in ("encoder",
            "encoder.layers.0"), fold everything but these. In an HTML file, boxes open at a click.
            Of more than 100,000 operations only the boxes are read: they cannot be opened, and
            saved tensors are left out
    layout  what places the nodes: "pygraphviz", "dot" or, in a browser, "viz.js"; by default, the
            first that is installed

    TypeError if it is not a tensor; ValueError if no operation made it, or for an unknown view,
    layout or box.
    """
    check_layout(layout)
    language, frame = current_language(), sys._getframe(1)
    events: list[Forward] = []
    if callable(tensor) and not is_tensor(tensor):
        tensor, events, names = record_named(tensor, "draw", names, frame)
    whether, opened = read_fold(fold)
    inputs = {id(event.node): event.inputs for event in events}
    try:
        walked = walk(
            tensor,
            names=names,
            frame=frame,
            detail=EVERYTHING._replace(saved=saved),
            who="draw",
            language=language,
            computed=inputs,
            most=OUTLINED_FROM if whether is not False else None,
        )
        graph = walked.model
        frames = None
        if whether is not False:
            frames = frames_of(graph, walked.objects, walked.names)
            if not folds(graph, opened or whether):
                frames = frames.named()
    except Endless:
        if whether is False:
            raise
        graph = outline(
            tensor,
            names=names,
            frame=frame,
            who="draw",
            language=language,
            computed=inputs,
            most=0 if whether else SEEN,
            opened=opened,
        )
        frames = None  # its boxes are those of the outline
    return Drawing(graph, frames, layout=layout, view=view, fold=opened or whether)


def _beginning(text: str, language: Language) -> str:
    """Return the text, or its first lines if it is too long for a notebook."""
    lines = text.splitlines()
    if len(lines) <= LINES:
        return text
    more = word(language, "more", count=f"{len(lines) - LINES:,}")
    return "\n".join([*lines[:LINES], more])


def _without_graphviz(drawing: Drawing, error: Exception) -> str:
    """Return what stands in for the picture: the reason, and the DOT text if there is one."""
    try:
        return f"{word(drawing.language, 'as_dot', error=error)}\n\n{drawing.dot}"
    except ImportError:
        return word(drawing.language, "no_picture", error=error)
