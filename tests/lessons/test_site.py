"""The parts that the build of the site computes: frames, docstrings, links, the glossary."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import minigrad_viz as viz
import nbformat
import pytest

import minigrad as mg

pytest.importorskip("sphinx", reason="Sphinx is not installed (extra site)")

from markdown_it import MarkdownIt
from minigrad_lessons import build
from minigrad_lessons.site import (
    chapters,
    docstrings,
    exercises,
    extension,
    frames,
    glossary,
    shared,
)
from minigrad_lessons.site import sources as trees

from tests.speaking import speaking

# --- Frames


def test_frame_equals_the_slider_s_picture() -> None:
    exploration = viz.explore(lambda x, w: mg.tanh(x * w), x=(-2, 2), w=1.0)
    made = frames.frames(exploration)
    places = list(itertools.product(*frames.places(exploration).values()))
    assert len(places) == 121 == len(made["captions"])
    assert exploration.values == {"x": 0.0, "w": 1.0}  # as it was
    for number in (0, 7, 60, 120):
        w, x = places[number]
        exploration.move(x=x, w=w)
        assert made["captions"][number] == exploration.caption
        assert made["graphs"][number] == exploration.graph
        assert made["plots"][number].count("<circle") == 2


def test_exploration_starts_at_a_slider_value() -> None:
    for inputs in ({"x": (0, 3)}, {"x": 2.0}, {"x": (1.0, 12.0), "w": -0.5}):
        exploration = viz.explore(lambda x, w=1.0: x * w, **inputs)
        for name, values in frames.places(exploration).items():
            begins = values[frames.nearest(values, exploration.values[name])]
            assert begins == pytest.approx(exploration.values[name], abs=1e-6)


def test_third_and_later_sliders_stay() -> None:
    exploration = viz.explore(lambda a, b, c: a * b + c, a=1.0, b=2.0, c=3.0, along="c")
    assert list(frames.places(exploration)) == ["a", "c"]
    assert len(frames.frames(exploration)["captions"]) == 121


def test_failing_function_is_reported() -> None:
    def f(x: mg.Tensor) -> mg.Tensor:
        if x.item() > 1:
            raise ValueError("too large")
        return x * x

    with speaking("en"):
        made = frames.frames(viz.explore(f, x=(0, 2)))
    assert "ValueError: too large" in made["captions"][-1] and made["graphs"][-1] == ""
    assert made["graphs"][0].startswith("<svg")


def test_frames_weigh_little() -> None:
    wide = viz.explore(lambda x, w: mg.tanh(mg.sin(x * w) + x) * w, x=(-2, 2), w=1.0)
    assert len(frames.html(wide)) - len(wide.html) < 120_000


# --- Docstrings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Add `x` and *more.", "Add ``x`` and \\*more.\n"),
        ("Set requires_grad_ here.", "Set requires\\_grad\\_ here.\n"),
        (">>> 1 * 2\n2", ">>> 1 * 2\n2\n"),
        ("Args:\n    x: `y`.", "Args:\n    x: ``y``.\n"),
        ("one   a\n      b", ".. code-block:: text\n\n    one   a\n          b\n"),
    ],
)
def test_docstring_becomes_markup(text: str, expected: str) -> None:
    found = "\n".join(docstrings.converted(text.split("\n")))
    assert found == expected.replace("requires\\_grad", "requires_grad")


# --- Documents


def test_documents_have_no_dead_links() -> None:
    stems = {source.stem for source in build.chapters()}
    for language in build.LANGUAGES:
        for name in trees.documents():
            text, _ = trees.translated(name, language)
            for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", text):
                assert ((trees.DOCS / name).parent / target).exists(), (name, target)
            assert "](../lessons" not in trees.with_links(text, stems)


def test_links_follow_the_pages() -> None:
    text = "[a](teaching.md#b) [c](../lessons/en/01_graph.ipynb) [d](../Dockerfile) `[e](f)`"
    found = trees.with_links(text, {"01_graph"})
    assert "[a](teaching.md#b) [c](/01_graph.ipynb)" in found
    assert "(../Dockerfile)" not in found


# --- Cells


def test_cells_say_what_the_page_needs() -> None:
    source = build.named(["02_backward"])[0]
    notebook, path = next(iter(build.expected_notebooks(source, roles=True)))
    stored = build.nbformat.read(path, as_version=4)
    text = chapters.for_sphinx(chapters.with_outputs(notebook, stored), "en", {"02_backward"})
    cells = build.nbformat.reads(text, as_version=4).cells
    predicted = [cell for cell in cells if "predict" in cell.metadata.get("tags", [])]
    assert predicted and all("hide-output" in cell.metadata.tags for cell in predicted)
    told = [cell for cell in cells if cell.source.startswith("::::{container} told")]
    assert told and not any("After your prediction" in cell.source for cell in told)
    prose = "".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert "{term}`" in prose and "03_intermediate.ipynb" not in prose


def test_page_drops_line_above_folded_output() -> None:
    """The book shows stored outputs, in which JupyterLab's line asked the reader to run a cell."""
    for language, line in build.PREDICT_FIRST.items():
        path = build.notebook_path(build.named(["02_backward"])[0], language)
        stored = nbformat.read(path, as_version=4)
        assert line.strip() in str(stored)
        assert line.strip() not in str(chapters.with_outputs(stored, stored))


def test_policy_names_each_script() -> None:
    page = """<html><head><script data-x="1">one()</script></head>
    <button onclick="window.print()">x</button><script src="a.js"></script>
    <script type="application/json">{}</script></html>"""
    final = extension.final(page, has_lab=False)
    assert final.count("sha256-") == 1
    assert 'data-press="window.print"' in final and "onclick" not in final


def test_chinese_site_uses_english_reference(tmp_path: Path) -> None:
    """Pages, the search and the theme lead to the files that the English site has."""
    pages = {
        "index.html": '<a href="#top"><a href="reference/minigrad.html#minigrad.add">',
        "reference/index.html": '<link href="../_static/styles/a.css?v=1"><a href="minigrad.html">',
        "reference/minigrad.html": "",
        "_static/styles/a.css": "",
        "_static/words.js": "",
        "objects.inv": "",
        "searchindex.js": '["index","reference/index","reference/minigrad"]',
    }
    for name, text in pages.items():
        trees.put(tmp_path / name, text)
    shared.share(tmp_path)
    left = {p.relative_to(tmp_path).as_posix(): p for p in tmp_path.rglob("*") if p.is_file()}
    gone = {"reference/minigrad.html", "_static/styles/a.css", "objects.inv"}
    assert {*left} == {*pages} - gone
    texts = {name: path.read_text(encoding="utf-8") for name, path in left.items()}
    assert 'href="#top"' in texts["index.html"]
    assert 'href="../en/reference/minigrad.html#minigrad.add"' in texts["index.html"]
    assert 'href="../../en/_static/styles/a.css?v=1"' in texts["reference/index.html"]
    assert 'href="../../en/reference/minigrad.html"' in texts["reference/index.html"]
    assert texts["searchindex.js"] == '["index","reference/index","../en/reference/minigrad"]'


# --- The glossary


@pytest.mark.parametrize("language", build.LANGUAGES)
def test_references_lead_to_terms(language: str) -> None:
    names = {each.spellings(spoken)[0] for each in glossary.TERMS for spoken in build.LANGUAGES}
    for source in build.chapters():
        assert {*glossary.ROLE.findall(source.read_text("utf-8"))} <= names, source.stem
    first = glossary.first_chapters(language)
    assert len(first) >= 30
    assert first["leaf" if language == "en" else "叶子节点"] == "01_graph"


def test_bold_words_are_bold_in_chinese() -> None:
    """Markdown wants a blank or a letter next to the stars, and Chinese has no blanks."""
    markdown = MarkdownIt("commonmark")
    for source in build.chapters():
        for notebook, _ in build.expected_notebooks(source, roles=True):
            for cell in notebook.cells:
                if cell.cell_type == "markdown":
                    shown = markdown.render(chapters.with_bold_terms(cell.source))
                    shown = re.sub(r"<code.*?</code>|\$.*?\$", "", shown, flags=re.DOTALL)
                    assert "**" not in shown, (source.stem, shown)


@pytest.mark.parametrize("language", build.LANGUAGES)
def test_notebooks_have_no_roles(language: str) -> None:
    for path in (build.LESSONS / language).glob("*.ipynb"):
        assert "{term}" not in path.read_text(encoding="utf-8"), path.name


@pytest.mark.parametrize("term", glossary.TERMS, ids=lambda term: term.en[0])
def test_term_is_one_sentence(term: glossary.Term) -> None:
    assert term.says.en.endswith(".") and len(re.findall(r"[.!?](?= |$)", term.says.en)) == 1
    assert term.says.zh.endswith("。") and term.says.zh.count("。") == 1
    assert re.search(r"[一-龥]", term.says.zh) and not re.search(r"[一-龥]", term.says.en)


def test_terms_stand_in_order() -> None:
    names = [term.en[0].lower() for term in glossary.TERMS]
    assert names == sorted(names)


@pytest.mark.parametrize(("repository", "links"), [(None, 0), ("owner/minigrad", 2)])
def test_page_without_kernel_names_places(
    repository: str | None, links: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Binder and Colab need the published repository; a machine does not."""
    monkeypatch.setattr("minigrad_lessons.site.links.repository", lambda: repository)
    for language in build.LANGUAGES:
        text = exercises.elsewhere(language, f"lessons/{language}/02_backward.ipynb")
        assert f"minigrad-lab --lang {language}" in text and "<code>...</code>" in text
        assert text.count("<a href=") == links


def test_listing_is_folded_unless_cells_run() -> None:
    path = build.LESSONS / "en" / "08_own_operation.ipynb"
    for lab, folded in ((None, True), ("../lite", False)):
        notebook = nbformat.read(path, as_version=4)
        page = nbformat.reads(chapters.for_sphinx(notebook, "en", [path.stem], lab), as_version=4)
        listings = [cell for cell in page.cells if "listing" in cell.metadata.get("tags", [])]
        assert len(listings) == 2
        assert all(("hide-input" in cell.metadata.tags) == folded for cell in listings)


def test_engine_hole_says_where_to_write() -> None:
    path = build.LESSONS / "en" / "03_intermediate.ipynb"
    for lab, here in ((None, True), ("../lite", False)):
        notebook = nbformat.read(path, as_version=4)
        page = nbformat.reads(chapters.for_sphinx(notebook, "en", [path.stem], lab), as_version=4)
        (cell,) = (cell for cell in page.cells if cell.source.startswith("own("))
        assert ("This page runs no code" in str(cell.outputs)) == here


@pytest.mark.parametrize("head", ['<th class="head"><p></p></th>', '<th scope="col"></th>'])
def test_empty_heads_of_tables_are_cells(head: str) -> None:
    assert extension.final(f"<tr>{head}</tr>", False) == "<tr><td></td></tr>"
