"""Where PyTorch's tests are: $PYTORCH_TESTS, or Debian's source package of PyTorch 2.6.0."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build/pytorch-2.6.0"

FILES = {
    "nn": ("test_nn.py", "nn"),
    "optim": ("test_optim.py", "optim"),
    "indexing": ("test_indexing.py",),
    "views and shapes": ("test_view_ops.py", "test_shape_ops.py"),
    "creation and promotion": ("test_tensor_creation_ops.py", "test_type_promotion.py"),
    "test_torch": ("test_torch.py",),
    "reductions": ("test_reductions.py",),
    "autograd": ("test_autograd.py", "autograd"),
}
"""The tests by subject: files, and folders of files."""

DEFAULT_MIRROR = "http://deb.debian.org/debian"
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


def tests_folder() -> Path:
    """Return PyTorch's folder `test`, downloaded if it has to be."""
    given = os.environ.get("PYTORCH_TESTS")
    if given:
        folder = Path(given).resolve()
        if not (folder / "test_nn.py").is_file():
            sys.exit(f"PYTORCH_TESTS={given} has no test_nn.py: name PyTorch's folder `test`.")
        return folder
    folder = BUILD / "test"
    if not (folder / "test_nn.py").is_file():
        unpack(download())
    return folder


def mirror() -> str:
    """Return the Debian archive of this machine's own configuration of apt, or the default."""
    for path in [Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*")]:
        text = path.read_text("utf-8") if path.is_file() else ""
        for line in text.splitlines():
            found = re.match(
                r"(?:URIs:|deb(?:-src)?(?: \[.*\])?)\s+(https?://\S+/debian/?)(\s|$)", line
            )
            if found:
                return found[1]
    return DEFAULT_MIRROR


def download() -> Path:
    """Download the source package with a configuration of apt of its own; return the archive.

    The suite has one version of it: apt of Debian 12 takes no pattern for the version of a source.
    """
    apt = BUILD / "apt"
    for name in ("lists/partial", "cache/archives/partial"):
        (apt / name).mkdir(parents=True, exist_ok=True)
    signed = f"Signed-By: {KEYRING}\n" if KEYRING.is_file() else ""
    (apt / "debian.sources").write_text(
        f"Types: deb-src\nURIs: {mirror()}\nSuites: trixie\nComponents: main\n{signed}", "utf-8"
    )
    settings = {
        "Dir::Etc::SourceList": apt / "debian.sources",
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::State::Lists": apt / "lists",
        "Dir::Cache": apt / "cache",
    }
    options = [part for name, value in settings.items() for part in ("-o", f"{name}={value}")]
    try:
        for action in (["update"], ["source", "--download-only", "pytorch"]):
            subprocess.run(["apt-get", *options, *action], cwd=BUILD, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(
            f"Debian's source package of PyTorch cannot be downloaded ({error}).\n"
            "Name the folder `test` of a checkout of PyTorch 2.6.0 in $PYTORCH_TESTS."
        )
    return next(BUILD.glob("pytorch_2.6.0*.orig.tar.xz"))


def unpack(archive: Path) -> None:
    """Unpack the tests that run here."""
    wanted = tuple(f"/test/{name}" for names in FILES.values() for name in names)
    with tarfile.open(archive) as package:
        for member in package:
            _, slash, path = member.name.partition("/")
            if member.isfile() and f"/{path}".startswith(wanted) and slash:
                member.name = path
                package.extract(member, BUILD, filter="data")


def test_files(folder: Path) -> dict[str, str]:
    """Return the subject of each test file, by its path in the folder."""
    found: dict[str, str] = {}
    for subject, names in FILES.items():
        for name in names:
            paths = sorted((folder / name).rglob("test_*.py"))
            for path in paths or [folder / name]:
                found[path.relative_to(folder).as_posix()] = subject
    return found
