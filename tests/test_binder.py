"""The environment that Binder builds from binder/.

repo2docker renders its Dockerfile without Docker, and the tests read it.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

APT_PACKAGES = ["fonts-noto-cjk", "libglib2.0-0", "libxext6", "libxrender1"]
"""Chinese letters, and what pygraphviz leaves to the system."""


@pytest.fixture(scope="module")
def dockerfile(root: Path) -> str:
    command = Path(sys.executable).with_name("jupyter-repo2docker")
    if not command.exists():
        pytest.skip("jupyter-repo2docker is not installed (pip install '.[test]')")
    run = subprocess.run(
        [command, "--no-build", "--debug", "."],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout + run.stderr


def test_binder_uses_the_named_python(dockerfile: str) -> None:
    assert "python=3.12" in dockerfile
    assert re.search(r"^COPY .*environment-2epy-2d3-2e12-.*lock", dockerfile, re.M)


def pins(path: Path) -> dict[str, dict[str, str]]:
    """Return the versions of each package in a lock file, with their hashes."""
    found: dict[str, dict[str, str]] = {}
    for pin in path.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
        if not pin.startswith("#"):
            name, version, hashes = re.fullmatch(
                r"([\w.-]+)(?:\[.*\])?==([\w.]+)(.*)", pin
            ).groups()  # type: ignore[union-attr]
            found.setdefault(name, {})[version] = hashes
    return found


def test_binder_installs_locked_packages_first(root: Path, dockerfile: str) -> None:
    assert re.search(r'^RUN .*pip install .*-r "binder/requirements.txt"$', dockerfile, re.M)
    # postBuild builds the project where the sources are, and needs what was installed before.
    assert dockerfile.index("COPY --chown=0:0 src/ ${REPO_DIR}/") < dockerfile.index(
        "RUN ./binder/postBuild"
    )
    assert dockerfile.index('-r "binder/') < dockerfile.index("RUN ./binder/postBuild")
    script = (root / "binder/postBuild").read_text(encoding="utf-8")
    assert "pip install --quiet --no-deps --no-build-isolation -e .\n" in script


@pytest.mark.parametrize(
    ("lock", "extras"),
    [
        ("binder/requirements.txt", ["lab", "dist"]),
        ("requirements-dev.txt", ["lab", "dist", "test"]),
    ],
)
def test_locked_versions_have_hashes_and_are_allowed(
    root: Path, lock: str, extras: list[str]
) -> None:
    locked = pins(root / lock)
    assert all(
        "--hash=sha256:" in each for versions in locked.values() for each in versions.values()
    )
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    waiting = [*project["dependencies"]]
    for extra in extras:
        waiting.append(f"{project['name']}[{extra}]")
    build = (root / "binder/build.in").read_text(encoding="utf-8").splitlines()
    limits = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    waiting += [line for line in [*build, *limits] if line and not line.startswith("#")]
    for requirement in map(Requirement, waiting):
        if requirement.name == project["name"]:
            waiting += [
                line for e in requirement.extras for line in project["optional-dependencies"][e]
            ]
        else:
            assert locked[requirement.name], requirement.name
            assert all(version in requirement.specifier for version in locked[requirement.name])


def hashes(pin: str) -> set[str]:
    """Return the digests of a pinned version's files."""
    return set(re.findall(r"--hash=\S+", pin))


def test_binder_and_developers_have_the_same_versions(root: Path) -> None:
    developers = pins(root / "requirements-dev.txt")
    for name, versions in pins(root / "binder/requirements.txt").items():
        for version, pin in versions.items():
            # A developer may need a package on more versions of Python.
            assert hashes(pin) == hashes(developers[name][version]), name


def test_binder_installs_packages_of_debian(root: Path, dockerfile: str) -> None:
    assert (root / "binder/apt.txt").read_text(encoding="utf-8").split() == APT_PACKAGES
    (line,) = re.findall(r"apt-get install .*\bfonts-noto-cjk\b.*(?:\\\n.*)*", dockerfile)
    assert all(package in line for package in APT_PACKAGES)


def test_binder_runs_post_build(root: Path, dockerfile: str) -> None:
    script = root / "binder/postBuild"
    assert re.search(r"RUN \./binder/postBuild$", dockerfile, re.M)
    assert script.stat().st_mode & 0o111, "repo2docker starts postBuild as a program"
    commands = [shlex.split(line, comments=True) for line in script.read_text().splitlines()]
    assert ["jupyter", "labextension", "disable"] in [words[:3] for words in commands]
