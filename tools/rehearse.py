"""Rehearse a release on a copy: `make rehearse`. Nothing leaves this machine.

The copy gets an owner, the date in the changelog, a commit and a tag, as in the steps that `make
publish` prints. The wheel and the archive of sources become an index: a folder. A wheel that is
built from the archive must have the same files as the first. If there is a C compiler, a wheel with
the compiled core for this system joins them. `pip install 'minigrad-lab[lab]'`
takes the project from that folder into a new environment, where the README's first program must
print its documented output. Other packages come from the usual index.

    python -m tools.rehearse -o build/release
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from tools import architecture, newcomer
from tools.compiled import NO_COMPILER

ROOT = Path(__file__).parents[1]
OWNER = "rehearsal"
UNRELEASED = "## [Unreleased]\n"
NAME = "minigrad-lab"


def run(*command: str | Path, cwd: Path, path: Sequence[Path] = (), **variables: str) -> str:
    """Run a program that imports from `path` and its environment; return what it prints."""
    kept = {n: v for n, v in os.environ.items() if n not in ("PYTHONPATH", "VIRTUAL_ENV")}
    kept |= variables
    if path:  # an editable install names the checkout, which must stay as it is
        kept["PYTHONPATH"] = os.pathsep.join(map(str, path))
    done = subprocess.run(
        command, cwd=cwd, env=kept, capture_output=True, encoding="utf-8", errors="replace"
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def copy_of_checkout(folder: Path) -> None:
    """Copy the tracked files, and make them a repository of their own."""
    for path in architecture.tracked(ROOT):
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target, follow_symlinks=False)
    run("git", "init", "--quiet", "--initial-branch=main", cwd=folder)


def notes(changelog: str) -> str:
    """Return the notes of the next version: what the changelog lists as unreleased.

    >>> print(notes("# Changelog\\n\\n## [Unreleased]\\n\\n- new\\n\\n## [0.1.0]\\n- old"))
    - new
    """
    after = changelog.partition(UNRELEASED)[2]
    return re.split(r"^## ", after, flags=re.M)[0].strip()


def release(folder: Path, version: str) -> None:
    """Take the owner's steps in the copy: the owner, the changelog, a commit, the tag."""
    packages = [folder, folder / "viz", folder / "lessons"]
    run(sys.executable, "-m", "tools.publish", OWNER, cwd=folder, path=packages)
    changelog = folder / "CHANGELOG.md"
    text = changelog.read_text(encoding="utf-8")
    if UNRELEASED not in text:
        raise SystemExit("the changelog lists nothing as unreleased")
    day = datetime.now(UTC).date()
    dated = text.replace(UNRELEASED, f"{UNRELEASED}\n## [{version}] - {day}\n", 1)
    changelog.write_text(dated, encoding="utf-8")
    identity = ("-c", "user.name=minigrad", "-c", "user.email=minigrad@localhost")
    run("git", "add", "--all", cwd=folder)
    run("git", *identity, "commit", "--quiet", "-m", f"Release {version}", cwd=folder)
    run("git", *identity, "tag", "-a", f"v{version}", "-m", f"Version {version}", cwd=folder)
    run(sys.executable, "tools/version.py", f"v{version}", cwd=folder)


def build(folder: Path, output: Path) -> tuple[Path, Path]:
    """Build the archive of sources and the wheel, and a second wheel from the archive."""
    python = sys.executable
    sources = "import sys, hatchling.build as h; print(h.build_sdist(sys.argv[1]))"
    name = run(python, "-c", sources, output, cwd=folder).splitlines()[-1]
    wheel = (python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir")
    run(*wheel, output, folder, cwd=folder)
    (built,) = output.glob("*.whl")
    with tempfile.TemporaryDirectory() as other:
        run(*wheel, other, output / name, cwd=folder)
        (second,) = Path(other).glob("*.whl")
        if contents(built) != contents(second):
            raise SystemExit("the wheels of the checkout and of the archive differ")
    return built, output / name


def build_compiled(folder: Path, output: Path) -> str:
    """Build the wheel with the compiled core for this system; return its name or why there is none.

    pip prefers it to the pure one.
    """
    with tempfile.TemporaryDirectory() as name:
        command = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps")
        try:
            run(*command, "--wheel-dir", name, folder, cwd=folder, MINIGRAD_COMPILE="all")
        except SystemExit as error:
            if NO_COMPILER not in str(error):
                raise
            return NO_COMPILER
        (built,) = Path(name).glob("*.whl")
        shutil.move(built, output)
        return built.name


def contents(wheel: Path) -> dict[str, int]:
    """Return the files of a wheel with their checksums."""
    with zipfile.ZipFile(wheel) as opened:
        return {each.filename: each.CRC for each in opened.infolist()}


def prove(index: Path, version: str, folder: Path) -> None:
    """Install the released lab into a new environment, and run what a newcomer runs first."""
    run(sys.executable, "-m", "venv", folder / "env", cwd=folder)
    programs = folder / "env" / newcomer.PROGRAMS
    install = (programs / "python", "-m", "pip", "install", "--quiet", "--find-links", index)
    run(*install, f"{NAME}[lab]=={version}", cwd=folder)
    newcomer.prove(programs / "python", folder)
    described = run(programs / "python", "-m", "minigrad", cwd=folder)
    if f"{version}: minigrad, minigrad_viz, minigrad_lessons" not in described:
        raise SystemExit(f"python -m minigrad prints\n{described}")
    run(programs / "minigrad-lab", "--help", cwd=folder)
    print(described, end="")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.rehearse")
    parser.add_argument("-o", "--output", type=Path, default=Path("build") / "release")
    output: Path = parser.parse_args(arguments).output.resolve()
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    (output / "notes.md").write_text(
        notes((ROOT / "CHANGELOG.md").read_text("utf-8")) + "\n", encoding="utf-8"
    )
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        copy = folder / "copy"
        copy.mkdir()
        copy_of_checkout(copy)
        release(copy, version)
        for path in build(copy, output):
            print(f"{path.name}: {path.stat().st_size:,} bytes")
        print(build_compiled(copy, output))
        prove(output, version, folder)
    print(f"{output}: the index, and notes.md. Rehearsed; nothing was published.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
