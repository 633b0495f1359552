"""What is computed for the site when it is built: frames, the search's sections, the glossary."""

from __future__ import annotations

import itertools
import re

import minigrad_viz as viz
import pytest

import minigrad as mg

website = pytest.importorskip("minigrad_lessons.site.website", reason="nbconvert is not installed")

from minigrad_lessons import build  # noqa: E402
from minigrad_lessons.site import frames, glossary, search  # noqa: E402

from tests.speaking import speaking  # noqa: E402

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


# --- Sections


def test_section_has_no_answers() -> None:
    body = """
    <div class="cell"><h2 id="A-b">A <code>b</code><a class="anchor-link" href="#">¶</a></h2>
    <p>Some <b>wo</b>rds<br>here.</p><details><summary>Solution</summary><p>42</p></details></div>
    <div class="cell celltag_ask"><pre>predict("02.a")</pre></div>
    <div class="cell"><pre>x = <span>1</span></pre>
    <div class="output_wrapper"><div class="output"><pre>7</pre></div></div></div>
    <h3 id="C">C</h3><p>more</p>
    """
    first, second = search.sections(body, "p.html", "Chapter")
    assert (first["heading"], first["anchor"], first["text"]) == (
        "A b",
        "A-b",
        "Some wordshere. x = 1",
    )
    assert (second["heading"], second["text"]) == ("C", "more")


def test_sections_end_no_script() -> None:
    (section,) = search.sections("<h1 id='a'>a</h1><p>\u2028&lt;/script&gt;</p>", "p.html", "c")
    assert search.script([section]).count("\n") == 1


# --- The glossary

LINK = re.compile(r'href="(\w+)\.html"')


def test_terms_are_shown_in_both_languages_alike() -> None:
    sources = build.chapters()
    titles = {source.stem: source.stem for source in sources}
    english, chinese = (glossary.page(t, sources, titles, "In {}") for t in build.LANGUAGES)
    assert re.findall(r'<dt id="([\w-]+)">', english) == re.findall(r'<dt id="([\w-]+)">', chinese)
    assert LINK.findall(english) == LINK.findall(chinese)
    assert len(LINK.findall(english)) > 25


def test_the_course_brings_every_term() -> None:
    terms = {each.anchor for each in glossary.TERMS}
    assert terms == {*glossary.first_chapters(build.chapters())}


def test_term_names_its_first_chapter() -> None:
    sources = build.chapters()
    first = glossary.first_chapters(sources)
    assert first["leaf"].stem == "01_graph"
    terms = {each.anchor: each for each in glossary.TERMS}
    assert len(terms) == len(glossary.TERMS)
    for anchor, source in first.items():
        for earlier in sources[1 : sources.index(source)]:
            text = glossary.prose(earlier)
            both = [glossary.is_in(terms[anchor], text[t], t) for t in build.LANGUAGES]
            assert not all(both), (anchor, earlier.stem)


@pytest.mark.parametrize("term", glossary.TERMS, ids=lambda term: term.anchor)
def test_term_is_one_sentence(term: glossary.Term) -> None:
    assert term.says.en.endswith(".") and len(re.findall(r"[.!?](?= |$)", term.says.en)) == 1
    assert term.says.zh.endswith("。") and term.says.zh.count("。") == 1
    assert re.search(r"[一-龥]", term.says.zh) and not re.search(r"[一-龥]", term.says.en)


def test_terms_stand_in_order() -> None:
    names = [term.en[0].lower() for term in glossary.TERMS]
    assert names == sorted(names)


# --- Pages


def test_chapters_after_the_course_stand_apart() -> None:
    def chapter(name: str) -> website.Page:
        return website.Page(name, "en", name, build.nbformat.v4.new_notebook())

    menu = website.menu([chapter(name) for name in ("00_index", "00_nudge", "16_nan", "90_more")])
    assert (
        menu.count("appendix") == 1
        and '<li class="appendix"><a rel="chapter" href="90_more' in menu
    )
