"""`make publish OWNER=name` on a copy writes a valid owner into all files."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from minigrad_lessons.site import links

from tools import publish as tool

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")

PARTS = ("pyproject.toml", "README.md", "README.zh.md", "CITATION.cff", "recipe", ".github")


@pytest.fixture
def copy(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of all files that name an owner, which the tool changes instead of the repository."""
    for part in PARTS:
        if (root / part).is_dir():
            shutil.copytree(root / part, tmp_path / part)
        else:
            shutil.copy(root / part, tmp_path / part)
    for module in (tool, links):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    readmes = {language: tmp_path / path.name for language, path in links.READMES.items()}
    monkeypatch.setattr(links, "READMES", readmes)
    return tmp_path


def contents(copy: Path) -> dict[str, str]:
    files = [path for path in copy.rglob("*") if path.is_file()]
    return {path.relative_to(copy).as_posix(): path.read_text("utf-8") for path in files}


def test_unpublished_files_name_no_owner(copy: Path) -> None:
    project = tomllib.loads((copy / "pyproject.toml").read_text("utf-8"))["project"]
    said = {project["urls"]["Repository"].split("/")[3]} if "urls" in project else set()
    for name, text in contents(copy).items():
        pages = r"(?:github\.com|/gh|/github)/([\w-]+)/minigrad\b|//([\w-]+)\.github\.io"
        found = {owner for pair in re.findall(pages, text) for owner in pair if owner}
        assert found <= said, name


def test_publish_writes_owner_and_links(copy: Path) -> None:
    before = contents(copy)
    assert tool.main(["some-body"]) == 0
    after = contents(copy)
    assert {name for name in after if after[name] != before[name]} == {
        *("pyproject.toml", "README.md", "README.zh.md", "CITATION.cff", "recipe/recipe.yaml"),
        ".github/ISSUE_TEMPLATE/config.yml",
    }
    repository = "https://github.com/some-body/minigrad"
    assert tomllib.loads(after["pyproject.toml"])["project"]["urls"]["Repository"] == repository
    assert yaml.safe_load(after["CITATION.cff"])["repository-code"] == repository
    assert yaml.safe_load(after["recipe/recipe.yaml"])["about"]["repository"] == repository
    (contact,) = yaml.safe_load(after[".github/ISSUE_TEMPLATE/config.yml"])["contact_links"]
    assert contact["url"] == f"{repository}/security/advisories/new"
    for readme in ("README.md", "README.zh.md"):
        for page in ("mybinder.org/v2/gh/", "colab.research.google.com/github/", "github.com/"):
            assert f"{page}some-body/minigrad" in after[readme]
    assert links.main(["--check"]) == 0


def test_publish_can_be_repeated_and_changed(copy: Path) -> None:
    tool.main(["some-body"])
    first = contents(copy)
    tool.main(["some-body"])
    assert contents(copy) == first
    tool.main(["another1"])
    assert not any("some-body" in text for text in contents(copy).values())
    tool.main(["some-body"])
    assert contents(copy) == first


@pytest.mark.parametrize(
    "name", ["", "OWNER", "a--b", "-a", "a-", "a/b", "a b", "a.b", "用户", "a" * 40, "$(id)"]
)
def test_a_bad_name_changes_nothing(
    name: str, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(copy)
    assert tool.main(["--", name]) == 2
    assert "make publish OWNER=name" in capsys.readouterr().err
    assert contents(copy) == before


@pytest.mark.usefixtures("copy")
def test_the_next_steps_match_the_workflows(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tool.main(["some-body"])
    said = capsys.readouterr().out
    workflow = yaml.safe_load((root / ".github/workflows/publish.yml").read_text("utf-8"))
    environment = workflow["jobs"]["publish"]["environment"]
    assert f"workflow publish.yml, environment {environment}" in said
    ci = yaml.safe_load((root / ".github/workflows/ci.yml").read_text("utf-8"))
    assert f'the workflow "{ci["name"]}"' in said
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    assert f"git tag v{project['version']}" in said and project["name"] in said
    steps = re.findall(r"^ (\d)\. ", said, re.M)
    assert steps == [str(number) for number in range(1, len(steps) + 1)] and len(steps) > 5


def test_make_passes_the_name_unchanged(root: Path) -> None:
    done = subprocess.run(
        ["make", "--dry-run", "--assume-old=.venv/test.stamp", "publish", "OWNER=some body"],
        cwd=root,
        capture_output=True,
        text=True,
    )
    assert 'tools.publish "some body"' in done.stdout
