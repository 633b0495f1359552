"""Chapters as Sphinx reads them: run, with their steppers, exercises and predictions.

The stored notebooks have no programs in their outputs (build.py), so a site runs each chapter once
and keeps the result in a folder. A chapter whose code and whose packages have not changed since is
not run again. Sphinx itself runs nothing.
"""

from __future__ import annotations

import functools
import hashlib
import html
import itertools
import re
from collections.abc import Collection
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from .. import build
from ..lab.language import Language
from . import exercises, live, programs
from .links import ROOT

PACKAGES = "minigrad", "viz/minigrad_viz", "lessons/minigrad_lessons"
OUTPUT: dict[Language, str] = {"en": "The output", "zh": "输出"}
LISTING: dict[Language, str] = {"en": "The listing", "zh": "代码"}
STEPS: dict[Language, str] = {"en": "Open as a stepper", "zh": "打开逐步演示"}

CHAPTER = re.compile(r"\[([^\]]*)\]\((\w+)\.ipynb\)")
BESIDE_TERM = re.compile(r"(?<=\w)(?=\*\*\{term\})|(?<=`\*\*)(?=\w)")
"""The edges of a bold term that touch a letter."""


@functools.cache
def fingerprint() -> str:
    """Return a digest of the packages' source: outputs may change when it changes."""
    digest = hashlib.sha256()
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*")):
            in_kernel = path.parent.name != "site" or path.stem == "frames"
            if path.suffix in (".py", ".js", ".css") and in_kernel:
                digest.update(path.read_bytes())
    return digest.hexdigest()


def ran(notebook: NotebookNode, folder: Path, kept: Path) -> NotebookNode:
    """Run a notebook in `folder`, or take its outputs from `kept` if the same code ran before."""
    code = [(cell.id, cell.source) for cell in notebook.cells if cell.cell_type == "code"]
    key = hashlib.sha256(f"{code} {folder} {fingerprint()}".encode()).hexdigest()[:24]
    path = kept / f"{key}.ipynb"
    if path.exists():
        return with_outputs(notebook, nbformat.read(path, as_version=4))
    first = nbformat.v4.new_code_cell(
        "import minigrad_lessons.site.frames as frames\nframes.instead_of_stills()\ndel frames"
    )
    notebook.cells.insert(0, first)
    build.run(notebook, folder, with_programs=True)
    del notebook.cells[0]
    kept.mkdir(parents=True, exist_ok=True)
    path.write_text(nbformat.writes(notebook), encoding="utf-8")
    return notebook


def with_outputs(notebook: NotebookNode, other: NotebookNode) -> NotebookNode:
    """Give the code cells of a notebook the outputs that those of another one have.

    A page folds what is predicted, so the line above a folded output is left out.
    """
    outputs = {cell.id: cell.get("outputs", []) for cell in other.cells}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = outputs[cell.id]
            for place in (each.get("data", each) for each in cell.outputs):
                for kind in {"text", "text/plain", "text/html"} & place.keys():
                    place[kind] = build.unfolded(place[kind])
    return notebook


def for_sphinx(
    notebook: NotebookNode, language: Language, stems: Collection[str], lab: str | None = None
) -> str:
    """Return a notebook's text with its cells prepared for the page.

    `stems` are the chapters of the site: what leads to another one is no link. `lab` is the lab's
    place.
    """
    name = Path(notebook.metadata["minigrad"]["source"]).stem
    lesson = live.lesson(lab, language, name) if lab else None
    path = f"lessons/{language}/{name}.ipynb"
    for before, cell in itertools.pairwise(notebook.cells):
        if cell.source.startswith("own(") and lesson is None:
            text = exercises.elsewhere(language, path)
            cell.outputs = [nbformat.v4.new_output("display_data", data={"text/html": text})]
        if cell.source.startswith("check("):
            asked = exercises.in_page(before.source, cell.source, language, path, lesson)
            cell.outputs = [nbformat.v4.new_output("display_data", data={"text/html": asked})]
            typed = "data-prediction" in asked
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), "typed" if typed else "check"]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            prepare_code(cell, language)
            if "listing" in cell.metadata["tags"] and lesson is None:
                fold_listing(cell, language)
            continue
        cell.source = CHAPTER.sub(lambda m: m[0] if m[2] in stems else m[1], cell.source)
        cell.source = with_bold_terms(cell.source)
        if "told" in cell.metadata.get("tags", []):
            words = cell.source.removeprefix(build.AFTERWARDS[language])
            cell.source = f"::::{{container}} told\n\n{words}\n\n::::"
    if lab and name in stems:
        bar = f"```{{raw}} html\n{live.bar(lab, language, name)}\n```"
        title, _, rest = notebook.cells[0].source.partition("\n")
        notebook.cells[0].source = f"{title}\n\n{bar}\n{rest}"
    return str(nbformat.writes(notebook))


def with_bold_terms(text: str) -> str:
    """Return a text whose bold terms stay bold next to Chinese letters.

    Markdown takes no stars between a letter and a role, but it does next to a comment.
    """
    return BESIDE_TERM.sub("<!-- -->", text)


def prepare_code(cell: NotebookNode, language: Language) -> None:
    """Tag a code cell with its id, fold a predicted output, and put figures into the page.

    As an image, a figure could not follow the reader's choice of a theme.
    """
    tags = [*cell.metadata.get("tags", []), f"id-{cell.id}"]
    if "predict" in tags:
        tags.append("hide-output")
        words = OUTPUT[language]
        cell.metadata["mystnb"] = {"code_prompt_show": words, "code_prompt_hide": words}
    if "ask" in tags:
        tags.append("remove-input")
    cell.metadata["tags"] = tags
    for output in cell.outputs:
        data = output.get("data", {})
        picture = data.pop("image/svg+xml", None)
        if picture is not None:
            data.setdefault("text/html", picture)
        if "text/html" in data:
            data["text/html"] = programs.shared(data["text/html"])
        if picture is not None and "gallery" in tags:
            data["text/html"] = behind_its_picture(data["text/html"], picture, language)


def fold_listing(cell: NotebookNode, language: Language) -> None:
    """Fold the source of a cell on a page that cannot run it."""
    words = LISTING[language]
    cell.metadata["tags"].append("hide-input")
    cell.metadata["mystnb"] = {"code_prompt_show": words, "code_prompt_hide": words}


def behind_its_picture(stepper: str, picture: str, language: Language) -> str:
    """Return a stepper that a click on its picture opens."""
    summary = f"<summary>{picture}<span>{html.escape(STEPS[language])}</span></summary>"
    return f'<details class="gallery">{summary}{stepper}</details>'
