"""The READMEs link to every lesson in both languages, and once published to Binder and Colab."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from minigrad_lessons.build import chapters
from minigrad_lessons.lab.language import LANGUAGES, Language
from minigrad_lessons.site import links

PATHS = [f"lessons/{lang}/{chapter.stem}.ipynb" for chapter in chapters() for lang in LANGUAGES]

each_readme = pytest.mark.parametrize("language", LANGUAGES)


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(links, "repository", lambda: "owner/minigrad")
    return "owner/minigrad"


def test_nothing_is_stale() -> None:
    assert links.main(["--check"]) == 0


@each_readme
def test_every_lesson_can_be_read(language: Language) -> None:
    text = links.READMES[language].read_text(encoding="utf-8")
    for path in PATHS:
        assert f"]({path})" in text
        assert (links.ROOT / path).exists()


@each_readme
def test_unpublished_readmes_have_no_launch_links(
    language: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links, "repository", lambda: None)
    written = links.current(links.READMES[language].read_text(encoding="utf-8"), language)
    assert not re.search(r"mybinder|colab\.research|github\.io|/minigrad\b.*badge|\(None", written)


@each_readme
def test_every_lesson_can_be_launched(language: Language, published: str) -> None:
    text = links.current(links.READMES[language].read_text(encoding="utf-8"), language)
    binder = re.findall(
        r"\(https://mybinder\.org/v2/gh/([^/]+/[^/]+)/HEAD\?urlpath=([^)]+)\)", text
    )
    colab = re.findall(
        r"\(https://colab\.research\.google\.com/github/([^/]+/[^/]+)/blob/colab/([^)]+)\)", text
    )
    assert {repository for repository, _ in [*binder, *colab]} == {published}
    assert {path.removeprefix("lab/tree/") for _, path in binder} == set(PATHS)
    assert {f"lessons/{path}" for _, path in colab} == set(PATHS)
    badges = text.partition("<!-- badges -->\n")[2].partition("<!-- /badges -->")[0]
    (workflow,) = set(re.findall(rf"github\.com/{published}/actions/workflows/(\w+\.yml)", badges))
    assert (links.ROOT / ".github/workflows" / workflow).exists()
    assert "https://owner.github.io/minigrad/" in badges
    assert links.ARROWS[language] in text


@pytest.mark.parametrize("repository", [None, "owner/minigrad"])
def test_every_row_has_equal_cells(repository: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "repository", lambda: repository)
    rows = [row for row in links.table("en").splitlines() if row.startswith("|")]
    assert len(rows) == len(chapters()) + 2
    assert len({row.count("|") for row in rows}) == 1


def test_stale_links_are_found_and_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("before\n<!-- lessons -->\nold\n<!-- /lessons -->\nafter\n")
    monkeypatch.setattr(links, "READMES", {"en": readme})
    assert links.main(["--check"]) == 1
    assert "README.md" in capsys.readouterr().err
    assert links.main([]) == 0
    text = readme.read_text(encoding="utf-8")
    assert text.startswith("before\n<!-- lessons -->\n") and text.endswith(
        "<!-- /lessons -->\nafter\n"
    )
    assert "old" not in text
    assert links.main(["--check"]) == 0
