"""Issue forms, settings, the image and the conda package.

Forms and settings match their schemas, and the files that they name exist. Versions, dependencies
and commands agree with pyproject.toml and the Makefile.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from tests.browser.jupyterlab import serving
from tools.architecture import tracked

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
FORMS = sorted(p for p in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml") if p.stem != "config")
SCHEMAS = {
    **{path.relative_to(ROOT).as_posix(): "github-issue-forms" for path in FORMS},
    ".github/ISSUE_TEMPLATE/config.yml": "github-issue-config",
    ".github/dependabot.yml": "dependabot",
    "CITATION.cff": "citation-file-format",
}
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_file_matches_its_schema(name: str) -> None:
    if importlib.util.find_spec("check_jsonschema") is None:
        pytest.skip("check-jsonschema is not installed (pip install '.[test]')")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    done = subprocess.run(
        [*command, f"vendor.{SCHEMAS[name]}", ROOT / name], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_is_bilingual_without_duplicates(path: Path) -> None:
    form = yaml.safe_load(path.read_text("utf-8"))
    asked = [part for part in form["body"] if part["type"] != "markdown"]
    names = [part["id"] for part in asked]
    assert len(set(names)) == len(names)
    assert any(part.get("validations", {}).get("required") for part in asked)
    for text in [form["name"], form["description"], *(p["attributes"]["label"] for p in asked)]:
        assert CHINESE.search(text) and re.search("[a-z]{4}", text), text


def test_the_form_requests_both_answers() -> None:
    form = yaml.safe_load(read(".github/ISSUE_TEMPLATE/wrong_number.yml"))
    parts = {part.get("id"): part for part in form["body"]}
    assert all(parts[name]["validations"]["required"] for name in ("program", "here", "pytorch"))
    example = parts["program"]["attributes"]["placeholder"]
    done = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True)
    assert done.stdout == "tensor([2., 1.])\n", done.stderr
    assert "`python -m minigrad`" in parts["versions"]["attributes"]["description"]


def test_dependabot_knows_every_package_file() -> None:
    files = {
        "pip": "*requirements*.txt",
        "npm": "package.json",
        "docker": "Dockerfile",
        "github-actions": ".github/workflows/*.yml",
        "devcontainers": ".devcontainer/devcontainer.json",
    }
    updates = yaml.safe_load(read(".github/dependabot.yml"))["updates"]
    assert {update["package-ecosystem"] for update in updates} == set(files)
    looked: dict[str, set[Path]] = {}
    for update in updates:
        kind = update["package-ecosystem"]
        for folder in update.get("directories", [update.get("directory")]):
            found = {*tracked(ROOT)}.intersection(ROOT.glob(f".{folder}/{files[kind]}"))
            assert found or "*" in folder, folder
            looked.setdefault(kind, set()).update(found)
    assert looked["npm"] == {path for path in tracked(ROOT) if path.name == "package.json"}


@pytest.mark.parametrize("name", ["SECURITY.md", "CODE_OF_CONDUCT.md"])
def test_the_page_is_bilingual(name: str) -> None:
    assert len(CHINESE.findall(read(name))) > 200


def test_pre_commit_runs_make_check() -> None:
    hooks = yaml.safe_load(read(".pre-commit-config.yaml"))["repos"][0]["hooks"]
    rules = re.search(r"^check:.*\n((?:\t.*\n)+)", read("Makefile"), re.M)
    assert rules
    for hook in hooks:
        command = hook["entry"].removesuffix(" --force-exclude").replace(".venv/bin", "$(BIN)")
        assert command in rules[1]
        assert hook["language"] == "system"
    assert {"ruff", "mypy"} <= {hook["entry"].split()[0].rpartition("/")[2] for hook in hooks}


def test_the_devcontainer_installs_the_tests_tools() -> None:
    container = json.loads(read(".devcontainer/devcontainer.json"))
    script = ROOT / container["postCreateCommand"].removeprefix("bash ")
    subprocess.run(["bash", "-n", script], check=True)
    prepared = script.read_text("utf-8")
    (install,) = re.findall(r"apt-get install .* --no-install-recommends (.*)", prepared)
    assert install.split()[:2] == ["chromium", "bubblewrap"]
    assert "bubblewrap" in read(".ci/run")
    assert set(re.findall(r"\bfonts-[\w-]+", read(".ci/run"))) == set(install.split()[2:])
    folders = re.findall(r"npm ci --prefix (\S+)", read(".ci/run"))
    assert f"for folder in {' '.join(folders)}; do" in prepared
    assert re.search(r"^make (\S+)", prepared, re.M)[1] in read("Makefile")  # type: ignore[index]
    python = re.search(r"python:(3\.\d+)-", container["image"])
    assert python and f"Programming Language :: Python :: {python[1]}" in PROJECT["classifiers"]


# --- The image for teachers


def dockerfile() -> list[tuple[str, str]]:
    """Return the instructions with their arguments."""
    lines = [line for line in read("Dockerfile").splitlines() if line and line[0] != "#"]
    joined = "\n".join(lines).replace("\\\n", "")
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in joined.split("\n"))]


def last(instruction: str) -> str:
    return [rest for word, rest in dockerfile() if word == instruction][-1]


def copied(folder: Path) -> None:
    """Copy the files that `COPY . .` copies: only those that .dockerignore allows."""
    lines = [line for line in read(".dockerignore").splitlines() if line and line[0] != "#"]
    assert lines[0] == "*"
    hidden = [line.removeprefix("**/") for line in lines if line.startswith("**/")]
    for name in [line[1:] for line in lines if line.startswith("!")]:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns(*hidden))
        else:
            shutil.copy(source, target)


def test_the_image_is_pinned_and_not_root() -> None:
    stages = [rest.split(" AS ") for word, rest in dockerfile() if word == "FROM"]
    (base,) = {stage[0] for stage in stages} - {name for stage in stages for name in stage[1:]}
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-\w+@sha256:[0-9a-f]{64}", base)
    words = [word for word, _ in dockerfile()]
    ((home, made),) = re.findall(r"useradd .*--home-dir (\S+) .*?(\w+)$", read("Dockerfile"), re.M)
    assert last("USER") == made != "root"
    assert "RUN" not in words[words.index("USER") :]
    assert last("WORKDIR") == home and f"--volume minigrad:{home} " in read("Dockerfile")
    installs = [rest for word, rest in dockerfile() if word == "RUN" and "pip install" in rest]
    assert ["--require-hashes" in rest for rest in installs] == [True, False]
    assert all("--no-deps" in rest for rest in installs)


def test_docker_gets_all_files_of_the_wheel(tmp_path: Path) -> None:
    """The wheel built from these files equals the wheel of the whole repository."""
    contents = []
    copied(tmp_path / "source")
    for place, source in enumerate([ROOT, tmp_path / "source"]):
        built = tmp_path / f"wheel{place}"
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", built]
        subprocess.run(command, cwd=source, check=True, capture_output=True)
        (wheel,) = built.glob("*.whl")
        contents.append({f for f in zipfile.ZipFile(wheel).namelist() if "__pycache__" not in f})
    assert contents[0] == contents[1]


def test_the_image_serves_lessons_and_reports_health(tmp_path: Path) -> None:
    if importlib.util.find_spec("jupyterlab") is None:
        pytest.skip("JupyterLab is not installed (pip install '.[lab]')")
    name, *arguments = json.loads(last("CMD"))
    module, function = PROJECT["scripts"][name].split(":")
    port = arguments.pop()
    assert port == f"--port={last('EXPOSE')}" and port.removeprefix("--port=") in last(
        "HEALTHCHECK"
    )
    arguments.remove("--ip=0.0.0.0")  # `serving` has its own, and a free port
    python, *health = json.loads(last("HEALTHCHECK").partition("CMD ")[2])
    assert python == "python"
    (place,) = [at for at, word in enumerate(health) if last("EXPOSE") in word]
    starts = f"import sys, {module} as it; sys.exit(it.{function}())"
    command = [sys.executable, "-c", starts, *arguments]
    with serving(command, tmp_path, {**os.environ, "HOME": str(tmp_path)}) as address:
        asking = health[place].replace(f"http://127.0.0.1:{last('EXPOSE')}/", address)
        assert address in asking
        health[place] = asking
        assert subprocess.run([sys.executable, *health], capture_output=True).returncode == 0
    assert list(tmp_path.glob("minigrad-lessons/*/00_index.ipynb"))
    gone = subprocess.run([sys.executable, *health], capture_output=True)
    assert gone.returncode != 0


# --- The conda package

CONDA_NAMES = {"graphviz": "python-graphviz", "matplotlib": "matplotlib-base"}


def test_the_recipe_matches_the_wheel() -> None:
    recipe = yaml.safe_load(read("recipe/recipe.yaml"))
    assert recipe["context"]["version"] == PROJECT["version"]
    assert recipe["package"]["name"] == PROJECT["name"]
    (entry,) = recipe["build"]["python"]["entry_points"]
    assert [entry.split(" = ")] == [list(item) for item in PROJECT["scripts"].items()]
    assert recipe["about"]["license"] == PROJECT["license"]
    assert recipe["about"]["license_file"] == PROJECT["license-files"]
    assert recipe["about"]["summary"] == PROJECT["description"]

    wanted = [*PROJECT["dependencies"], f"python{PROJECT['requires-python']}"]
    waiting = ["lab"]
    for extra in waiting:
        for requirement in map(Requirement, PROJECT["optional-dependencies"][extra]):
            if requirement.name == PROJECT["name"]:
                waiting += requirement.extras
            else:
                wanted.append(str(requirement))
    named = {CONDA_NAMES.get(r.name, r.name): str(r.specifier) for r in map(Requirement, wanted)}
    assert dict(line.split(" ") for line in recipe["requirements"]["run"]) == named


def test_the_recipe_tests_its_package() -> None:
    scripts = [each["script"] for each in yaml.safe_load(read("recipe/recipe.yaml"))["tests"][1:]]
    (program,) = re.findall(r'python -c "(.*)"', "\n".join(scripts[0]))
    subprocess.run([sys.executable, "-c", program], check=True)
    assert scripts[0][0].split()[0] in PROJECT["scripts"]
