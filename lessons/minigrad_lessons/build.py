"""Build the notebooks: one source a chapter in src/, one notebook a language in en/ and zh/.

A chapter is written once, because two copies of the same code drift apart. Its source is a MyST
file. Prose cells carry their language (`+++ {"lang": "en"}`), code cells belong to every language.
A build takes the prose of one language, runs the code and stores the outputs without the parts
that differ from run to run. So the same source always gives the same bytes, and a difference in
version control is a difference in the lesson.

    python -m minigrad_lessons.build                 build every chapter
    python -m minigrad_lessons.build 02_backward     build one
    python -m minigrad_lessons.build --check         run nothing; fail if one is stale or unrun
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from traitlets.config import Config

from .lab.language import LANGUAGES, Language

LESSONS = Path(__file__).resolve().parents[1]
CELL_SECONDS = 300
KERNEL_SECONDS = 300
PYTHON = {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"}
SLIDES = "slideshow"
"""Metadata of a cell that say where it stands in a slide show."""
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
SCRIPT = re.compile(r"\n?<script.*</script>", re.DOTALL)
QUOTE = re.compile(r"(?<=```python\n).*(?=```)", re.DOTALL)
DIGEST = re.compile(r"(?<=minigrad-output) minigrad-[0-9a-f]{16}")
SHORTENED = (
    ("text/html", SCRIPT, ""),
    ("text/html", DIGEST, ""),
    ("text/markdown", QUOTE, "...\n"),
)
"""For each kind of output: a pattern that is not stored, and its replacement."""
PREDICT_FIRST: dict[Language, str] = {
    "en": "(Predict first, then run this cell.)\n",
    "zh": "（先预测，再运行这个单元格。）\n",
}
"""First line of a folded output, the only one that JupyterLab shows."""
AFTERWARDS: dict[Language, str] = {
    "en": "After your prediction:\n\n",
    "zh": "作出预测之后再看：\n\n",
}
"""First line of folded prose."""
TERM = re.compile(r"\{term\}`([^`<]+?)(?: <[^`>]+>)?`")
"""A reference to the glossary: {term}`leaf`, or {term}`leaves <leaf>`."""
STOP = re.compile(r"^(#{1,4} |>)", re.MULTILINE)
"""A heading or another question: prose after it does not reveal the output."""


class ChapterError(Exception):
    """Raised if a chapter's source cannot become a notebook; the message says why."""


def chapters(lessons: Path = LESSONS) -> list[Path]:
    """Return the sources of all chapters, in the order of the course; then those of the week."""
    sources = (lessons / "src").rglob("[0-9][0-9]_*.md")
    return sorted(sources, key=lambda source: source.name)


def notebook_path(source: Path, language: Language) -> Path:
    lessons = next(folder.parent for folder in source.parents if folder.name == "src")
    return lessons / language / f"{source.stem}.ipynb"


def expected_notebooks(source: Path, *, roles: bool = False) -> Iterator[tuple[NotebookNode, Path]]:
    """Yield the chapter's notebook, not yet run, and its path, for each language it has.

    With `roles`, references to the glossary are kept, which JupyterLab would show as written.
    """
    text = source.read_text(encoding="utf-8")
    chapter = jupytext.reads(text if roles else TERM.sub(r"\1", text), fmt="md:myst")
    present = {
        prose_language(cell, source) for cell in chapter.cells if cell.cell_type == "markdown"
    }
    for language in LANGUAGES:
        if language in present:
            yield unrun(chapter, source, language), notebook_path(source, language)


def prose_language(cell: NotebookNode, source: Path) -> Language:
    """Return the language of a prose cell."""
    for language in LANGUAGES:
        if cell.metadata.get("lang") == language:
            return language
    opening = cell.source.strip().splitlines()[:1]
    raise ChapterError(f"{source.name}: prose without a language, at {opening}")


def unrun(chapter: NotebookNode, source: Path, language: Language) -> NotebookNode:
    """Return the chapter in one language: its prose, all of the code, no outputs.

    Cells are numbered by kind, so that a code cell has the same id in every language. The digest
    identifies the code that produced the stored outputs.
    """
    code: list[NotebookNode] = []
    cells: list[NotebookNode] = []
    for cell in chapter.cells:
        if cell.cell_type == "code":
            identity = f"code-{len(code) + 1:02}"
            about = code_metadata(cell)
            code.append(nbformat.v4.new_code_cell(cell.source, id=identity, metadata=about))
            cells.append(code[-1])
        elif prose_language(cell, source) == language:
            about = {SLIDES: cell.metadata[SLIDES]} if SLIDES in cell.metadata else {}
            cells.append(nbformat.v4.new_markdown_cell(cell.source, metadata=about))
    cells = folded(cells, language)
    prose = [cell for cell in cells if cell.cell_type == "markdown"]
    for number, cell in enumerate(prose, 1):
        cell.id = f"prose-{number:02}"
    digest = hashlib.sha256(json.dumps(code).encode())
    metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": dict(PYTHON),
        "minigrad": {"code": digest.hexdigest(), "language": language, "source": source.name},
    }
    notebook: NotebookNode = nbformat.v4.new_notebook(cells=cells, metadata=metadata)
    return notebook


def folded(cells: list[NotebookNode], language: Language) -> list[NotebookNode]:
    """Fold the cells that reveal the answer to a prediction.

    These are the prose, pictures and explanations after it, up to a heading or the next question.
    JupyterLab shows the first line of a folded cell. predict.js unfolds the prose once there is
    an answer; running a cell unfolds its output.
    """
    found: list[NotebookNode] = []
    telling, told = False, False
    for cell in cells:
        tags = cell.metadata.get("tags", [])
        if "ask" in tags or "predict" in tags:
            telling, told = "predict" in tags, False
            found.append(cell)
        elif cell.cell_type == "code":
            if telling and "viz." in cell.source:
                cell.metadata = {"tags": [*tags, "told"], "jupyter": {"outputs_hidden": True}}
            found.append(cell)
        else:
            stop = STOP.search(cell.source)
            words = cell.source[: stop.start()] if stop is not None else cell.source
            if telling and not told and words:
                about = {"tags": ["told"], "jupyter": {"source_hidden": True}}
                text = AFTERWARDS[language] + words.rstrip()
                found.append(nbformat.v4.new_markdown_cell(text, metadata=about))
                cell.source = cell.source[len(words) :]
                told = True
            telling = telling and stop is None
            if cell.source:
                found.append(cell)
    return found


def code_metadata(cell: NotebookNode) -> dict[str, Any]:
    """Return a code cell's metadata: its tags, its slide, and what of it is folded.

    The output of a prediction is folded: JupyterLab shows its first line until the reader opens
    it or runs the cell. A listing that is only run is folded, too.
    """
    about: dict[str, Any] = {}
    if "tags" in cell.metadata:
        about["tags"] = list(cell.metadata["tags"])
        if "predict" in about["tags"]:
            about["jupyter"] = {"outputs_hidden": True}
        if "listing" in about["tags"]:
            about["jupyter"] = {"source_hidden": True}
    if SLIDES in cell.metadata:
        about[SLIDES] = cell.metadata[SLIDES]
    return about


def run(notebook: NotebookNode, folder: Path, *, with_programs: bool = False) -> NotebookNode:
    """Run every cell in `folder` and store its outputs.

    A figure's program is stored on request only, see `lasting`. Raises CellExecutionError if a
    cell fails that is not tagged `raises-exception`.
    """
    with tempfile.TemporaryDirectory(prefix="lesson-", ignore_cleanup_errors=True) as sockets:
        client = NotebookClient(
            notebook,
            config=over_sockets(sockets),
            timeout=CELL_SECONDS,
            startup_timeout=KERNEL_SECONDS,
            kernel_name="python3",
            resources={"metadata": {"path": str(folder)}},
            coalesce_streams=True,
            record_timing=False,
            store_widget_state=False,
        )
        client.execute()
    notebook.metadata["language_info"] = dict(PYTHON)  # written by the kernel
    for cell in notebook.cells:
        if cell.cell_type == "code":
            outputs = [lasting(output, with_programs) for output in cell.outputs]
            cell.outputs = [output for output in outputs if output.get("data") != {}]
    return notebook


def over_sockets(folder: str) -> Config:
    """Return a configuration by which the kernel uses sockets in `folder`, not ports.

    A port that is free when it is chosen may be taken a second later, when the kernel starts.
    `folder` must be a short path.
    """
    config = Config()
    if os.name == "posix":
        config.KernelManager.transport = "ipc"
        config.KernelManager.ip = f"{folder}/k"
    return config


def lasting(output: NotebookNode, with_programs: bool = False) -> NotebookNode:
    """Return the part of an output that is the same in every run.

    A widget's view is a random key into a kernel that is gone. A figure's program changes with the
    front end and runs only after the reader has run the cell; its picture and text stay. The
    program's digest counts every bit of every number, and differs between processors. A quoted
    source changes with the code; the name of its file stays. A traceback names temporary files;
    the error's name and message stay.
    """
    if output.output_type == "error":
        output.traceback = [f"{output.ename}: {output.evalue}"]
    elif "data" in output:
        output.data.pop(WIDGET_VIEW, None)
        for kind, lost, left in () if with_programs else SHORTENED:
            if kind in output.data:
                output.data[kind] = lost.sub(left, output.data[kind])
    return output


def fold(cell: NotebookNode, language: Language) -> None:
    """Put PREDICT_FIRST above an output to be predicted. An error has no first line.

    Raises ChapterError if the cell has an output that is not text.
    """
    output, line = cell.outputs[0], PREDICT_FIRST[language]
    if output.output_type == "stream":
        output.text = line + output.text
    elif output.output_type == "error":
        return
    elif set(output.data) == {"text/plain"}:
        output.data["text/plain"] = line + output.data["text/plain"]
    elif "predict" in cell.metadata.tags:
        raise ChapterError(f"what is to be predicted must be text, at {cell.source!r}")
    elif "text/html" in output.data:  # JupyterLab shows the first line of this kind
        output.data["text/html"] = line + output.data["text/html"]
    elif "image/svg+xml" in output.data:
        output.data["image/svg+xml"] = f"<!-- {line.strip()} -->\n{output.data['image/svg+xml']}"


def unfolded(text: str) -> str:
    """Return a cell's real output, given its stored text.

    >>> unfolded(PREDICT_FIRST["en"] + "tensor(7.)")
    'tensor(7.)'
    """
    for line in PREDICT_FIRST.values():
        text = text.removeprefix(line)
    return text


def without_outputs(notebook: NotebookNode) -> NotebookNode:
    bare: NotebookNode = nbformat.from_dict(notebook)
    for cell in bare.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return bare


def build(source: Path) -> list[Path]:
    """Build one chapter in every language it has; return the notebooks' paths."""
    built = []
    for notebook, path in expected_notebooks(source):
        path.parent.mkdir(exist_ok=True)
        run(notebook, path.parent)
        for cell in notebook.cells:
            if cell.metadata.get("jupyter", {}).get("outputs_hidden"):
                fold(cell, notebook.metadata["minigrad"]["language"])
        text = nbformat.writes(notebook)
        path.write_text(text + "\n", encoding="utf-8")
        built.append(path)
    return built


def problems(source: Path) -> Iterator[str]:
    """Yield the differences between stored notebooks and a new build, without running it."""
    expected_paths = set()
    for expected, path in expected_notebooks(source):
        expected_paths.add(path)
        where = f"{path.parent.name}/{path.name}"
        if not path.exists():
            yield f"{where}: not built"
            continue
        stored = nbformat.read(path, as_version=4)
        if without_outputs(stored) != expected:
            yield f"{where}: stale, its source has changed"
        counts = [cell.execution_count for cell in stored.cells if cell.cell_type == "code"]
        if counts != list(range(1, len(counts) + 1)):
            yield f"{where}: not run from its first cell to its last"
    for language in LANGUAGES:
        path = notebook_path(source, language)
        if path.exists() and path not in expected_paths:
            yield f"{language}/{path.name}: its source has no prose in this language"


def orphans(lessons: Path = LESSONS) -> Iterator[str]:
    """Yield the notebooks for which there is no chapter's source."""
    sources = {source.stem for source in chapters(lessons)}
    for language in LANGUAGES:
        for path in sorted((lessons / language).glob("*.ipynb")):
            if path.stem not in sources:
                yield f"{language}/{path.name}: has no source"


def named(names: Sequence[str], lessons: Path = LESSONS) -> list[Path]:
    """Return the sources of the named chapters, or of all if there is no name."""
    known = {source.stem: source for source in chapters(lessons)}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ChapterError(f"no such chapter: {', '.join(unknown)} (there are {', '.join(known)})")
    return [known[name] for name in names] if names else list(known.values())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m minigrad_lessons.build")
    parser.add_argument("--check", action="store_true", help="only say what is stale or not run")
    parser.add_argument("chapters", nargs="*", help="names such as 02_backward; default: all")
    options = parser.parse_args(arguments)
    try:
        sources = named(options.chapters)
        if not options.check:
            for source in sources:
                for path in build(source):
                    print(f"{path.parent.name}/{path.name}", flush=True)
            return 0
        found = [problem for source in sources for problem in problems(source)]
        found += [] if options.chapters else orphans()
    except ChapterError as error:
        print(error, file=sys.stderr)
        return 2
    except CellExecutionError as error:
        print(f"{source.name}: {error}", file=sys.stderr)
        return 1
    for problem in found:
        print(problem, file=sys.stderr)
    if found:
        print("Build them anew: make lessons", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
