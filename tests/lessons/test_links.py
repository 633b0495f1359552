"""The READMEs lead to every lesson, on disk and on Binder, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from minigrad_lessons import links
from minigrad_lessons.build import chapters
from minigrad_lessons.language import LANGUAGES


def test_the_tables_are_not_stale() -> None:
    assert links.main(["--check"]) == 0


@pytest.mark.parametrize("readme", links.READMES, ids=lambda path: path.name)
def test_every_lesson_can_be_read_and_launched(readme: Path) -> None:
    text = readme.read_text(encoding="utf-8")
    launched = re.findall(
        r"\(https://mybinder\.org/v2/gh/([^/]+/[^/]+)/HEAD\?urlpath=([^)]+)\)", text
    )
    assert {repository for repository, _ in launched} == {links.repository()}
    paths = [f"lessons/{lang}/{chapter.stem}.ipynb" for chapter in chapters() for lang in LANGUAGES]
    assert {path.removeprefix("lab/tree/") for _, path in launched} == set(paths)
    for path in paths:
        assert f"]({path})" in text
        assert (links.ROOT / path).exists()


def test_a_stale_table_is_found_and_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("before\n<!-- lessons -->\nold\n<!-- /lessons -->\nafter\n")
    monkeypatch.setattr(links, "READMES", (readme,))
    assert links.main(["--check"]) == 1
    assert "README.md" in capsys.readouterr().err
    assert links.main([]) == 0
    text = readme.read_text(encoding="utf-8")
    assert text.startswith("before\n<!-- lessons -->\n") and text.endswith(
        "<!-- /lessons -->\nafter\n"
    )
    assert "old" not in text
    assert links.main(["--check"]) == 0
