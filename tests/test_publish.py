"""`make publish OWNER=name`, on a copy: the owner stands everywhere, and only if it is a name."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")

PARTS = (
    *("pyproject.toml", "README.md", "README.zh.md", "CITATION.cff", "SECURITY.md", "recipe"),
    *(".github", "tools", "lessons/src", "lessons/minigrad_lessons"),
)


@pytest.fixture
def copy(root: Path, tmp_path: Path) -> Path:
    ignored = shutil.ignore_patterns("__pycache__", "node_modules")
    for part in PARTS:
        (tmp_path / part).parent.mkdir(parents=True, exist_ok=True)
        if (root / part).is_dir():
            shutil.copytree(root / part, tmp_path / part, ignore=ignored)
        else:
            shutil.copy(root / part, tmp_path / part)
    return tmp_path


def publish(copy: Path, root: Path, *owner: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(map(str, [copy, copy / "lessons", root / "viz", root]))
    return subprocess.run(
        [sys.executable, "-m", "tools.publish", *owner],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )


def contents(copy: Path) -> dict[str, str]:
    files = [path for path in copy.rglob("*") if path.is_file() and path.suffix != ".npz"]
    return {
        str(path.relative_to(copy)): path.read_text("utf-8", errors="replace") for path in files
    }


def test_until_then_nothing_names_an_owner(copy: Path) -> None:
    project = tomllib.loads((copy / "pyproject.toml").read_text("utf-8"))["project"]
    said = {project["urls"]["Repository"].split("/")[3]} if "urls" in project else set()
    for name, text in contents(copy).items():
        if name.startswith((".github", "recipe", "README", "pyproject", "CITATION")):
            pages = r"(?:github\.com|/gh|/github)/([\w-]+)/minigrad\b|//([\w-]+)\.github\.io"
            found = {owner for pair in re.findall(pages, text) for owner in pair if owner}
            assert found <= said, name


def test_the_owner_stands_everywhere_and_links_are_there(root: Path, copy: Path) -> None:
    before = contents(copy)
    done = publish(copy, root, "some-body")
    assert done.returncode == 0, done.stderr
    after = contents(copy)
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {
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


def test_it_can_be_said_again_and_otherwise(root: Path, copy: Path) -> None:
    publish(copy, root, "some-body")
    first = contents(copy)
    publish(copy, root, "some-body")
    assert contents(copy) == first
    publish(copy, root, "another1")
    assert not any("some-body" in text for text in contents(copy).values())
    publish(copy, root, "some-body")
    assert contents(copy) == first


@pytest.mark.parametrize(
    "name", ["", "OWNER", "a--b", "-a", "a-", "a/b", "a b", "a.b", "用户", "a" * 40, "$(id)"]
)
def test_a_bad_name_is_refused_and_changes_nothing(root: Path, copy: Path, name: str) -> None:
    before = contents(copy)
    done = publish(copy, root, f"--={name}" if name.startswith("-") else name)
    assert done.returncode == 2
    assert contents(copy) == before


def test_what_is_left_to_do_is_what_the_workflows_need(root: Path, copy: Path) -> None:
    said = publish(copy, root, "some-body").stdout
    workflow = yaml.safe_load((root / ".github/workflows/publish.yml").read_text("utf-8"))
    environment = workflow["jobs"]["publish"]["environment"]
    assert f"workflow publish.yml, environment {environment}" in said
    ci = yaml.safe_load((root / ".github/workflows/ci.yml").read_text("utf-8"))
    assert f'the workflow "{ci["name"]}"' in said
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    assert f"git tag v{project['version']}" in said and project["name"] in said
    steps = re.findall(r"^ (\d)\. ", said, re.M)
    assert steps == [str(number) for number in range(1, len(steps) + 1)] and len(steps) > 5


def test_make_hands_the_name_over_as_it_is(root: Path) -> None:
    done = subprocess.run(
        ["make", "--dry-run", "--assume-old=.venv/test.stamp", "publish", "OWNER=some body"],
        cwd=root,
        capture_output=True,
        text=True,
    )
    assert 'tools.publish "some body"' in done.stdout
