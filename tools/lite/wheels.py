"""Wheels for the browser: the project's own, what Pyodide does not have, and small ones of texts.

All are pure Python, as a browser has no other. The versions from PyPI are those installed beside
this program, so pyproject.toml names them once, in the extra `lite`.
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
"""The Python that the browser runs, Pyodide 0.29's."""

NOT_IN_A_BROWSER = re.compile(
    r"minigrad_lessons/(notebooks/|site/(?!__init__\.py|frames\.(py|js)))|\.pyi$"
)
"""What a page has no use for: the lessons lie beside it, and stubs are for checkers. Of the web
site it needs the sliders."""


@dataclass(frozen=True, slots=True)
class Wheel:
    """What the list of packages has to know of a wheel."""

    path: Path
    name: str
    version: str
    imports: list[str]

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.path.read_bytes()).hexdigest()


def plain(name: str) -> str:
    """A package's name as lists of packages spell it.

    >>> plain("Pure_Eval")
    'pure-eval'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def read(path: Path) -> Wheel:
    """What a wheel says of itself."""
    with zipfile.ZipFile(path) as file:
        names = file.namelist()
        (about,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        told = Parser().parsestr(file.read(about).decode())
    tops = {name.split("/")[0] for name in names if name.endswith((".py", ".pyc"))}
    modules = sorted({top.removesuffix("c").removesuffix(".py") for top in tops})
    return Wheel(path, plain(told["Name"]), told["Version"], [m for m in modules if "." not in m])


def write(folder: Path, name: str, version: str, files: Mapping[str, str | bytes]) -> Path:
    """A wheel of texts, the same bytes every time."""
    about = f"{name}-{version}.dist-info"
    tag = "Wheel-Version: 1.0\nGenerator: minigrad\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    said = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    every = {**files, f"{about}/METADATA": said, f"{about}/WHEEL": tag}
    every[f"{about}/RECORD"] = "".join(f"{each},,\n" for each in [*every, f"{about}/RECORD"])
    return _zipped(folder / f"{name}-{version}-py3-none-any.whl", every)


def own(folder: Path) -> Path:
    """This project's wheel, without what a browser has no use for."""
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
    """Packages with the versions that are installed here, as pip is told of them."""
    return [f"{name}=={version(name)}" for name in names]


def download(requirements: Iterable[str], folder: Path) -> None:
    """The pure wheels of these packages, each of exactly that version, without what it depends on.

    What lies in the folder already is not asked for again.
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
