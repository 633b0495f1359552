"""Wheels for the browser: the project, packages that Pyodide does not have, and texts.

All are pure Python. The versions from PyPI are those installed in this environment, so
pyproject.toml names them once, in the extra `lite`.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from email.parser import Parser
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = "3.13"
"""The version of Python in the browser, that of Pyodide 0.29."""

NOT_IN_A_BROWSER = re.compile(
    r"minigrad_lessons/(notebooks/|site/(?!__init__\.py|frames\.(py|js)))|\.pyi$"
)
"""Files that a page does not need: notebooks, stubs, and the web site without its sliders."""


@dataclass(frozen=True, slots=True)
class Wheel:
    """The facts about a wheel that the list of packages needs."""

    path: Path
    name: str
    version: str
    imports: list[str]

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.path.read_bytes()).hexdigest()


def plain(name: str) -> str:
    """Return a package's name in the spelling of package lists.

    >>> plain("Pure_Eval")
    'pure-eval'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def read(path: Path) -> Wheel:
    """Read name, version and modules of a wheel."""
    with zipfile.ZipFile(path) as file:
        names = file.namelist()
        (about,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(file.read(about).decode())
    tops = {name.split("/")[0] for name in names if name.endswith((".py", ".pyc"))}
    modules = sorted({top.removesuffix("c").removesuffix(".py") for top in tops})
    imports = [module for module in modules if "." not in module]
    return Wheel(path, plain(metadata["Name"]), metadata["Version"], imports)


def write(folder: Path, name: str, version: str, files: Mapping[str, str | bytes]) -> Path:
    """Write a wheel of texts, with the same bytes every time."""
    about = f"{name}-{version}.dist-info"
    tag = "Wheel-Version: 1.0\nGenerator: minigrad\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    every = {**files, f"{about}/METADATA": metadata, f"{about}/WHEEL": tag}
    every[f"{about}/RECORD"] = "".join(f"{each},,\n" for each in [*every, f"{about}/RECORD"])
    return _zipped(folder / f"{name}-{version}-py3-none-any.whl", every)


def own(folder: Path) -> Path:
    """Write this project's wheel, without files that a browser does not need."""
    with tempfile.TemporaryDirectory() as built:
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", built]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        (whole,) = Path(built).glob("*.whl")
        with zipfile.ZipFile(whole) as file:
            names = [name for name in file.namelist() if not NOT_IN_A_BROWSER.search(name)]
            return _zipped(folder / whole.name, {name: file.read(name) for name in names})


def _zipped(path: Path, files: Mapping[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, content in files.items():
            file.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, 9)
    return path


def installed(names: Iterable[str]) -> list[str]:
    """Return requirements for pip with the versions that are installed here."""
    return [f"{name}=={version(name)}" for name in names]


def download(requirements: Iterable[str], folder: Path) -> None:
    """Download the pure wheels of these requirements, without dependencies.

    Wheels that are in the folder are not downloaded again.
    """
    here = {(wheel.name, wheel.version) for wheel in map(read, folder.glob("*.whl"))}
    wanted = []
    for requirement in requirements:
        name, _, exact = requirement.partition("==")
        if (plain(name), exact) not in here:
            wanted.append(requirement)
    if wanted:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        pure = ["--no-deps", "--only-binary=:all:", "--platform=any", f"--python-version={PYTHON}"]
        subprocess.run([*pip, *pure, "--dest", str(folder), *wanted], check=True)
