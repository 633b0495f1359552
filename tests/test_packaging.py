"""The wheel is complete, and the programs and commands of the documents work.

The wheel is installed into an environment that has only NumPy, linked from this one. The test needs
no network, and notices a dependency that is missing from pyproject.toml.
"""

from __future__ import annotations

import email
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

from tests import bare
from tests.numbers import alike
from tests.speaking import speaking

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"{command} failed:\n{done.stdout}{done.stderr}"
    return done.stdout


def programs(*documents: str) -> list[tuple[str, str]]:
    """The programs of the documents, each with the output that follows it."""
    text = "".join((ROOT / document).read_text(encoding="utf-8") for document in documents)
    found = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", text, re.M | re.S)
    return list(dict.fromkeys(found))


PROGRAMS = programs("README.md", "README.zh.md", "docs/visualizer.md", "docs/visualizer.zh.md")


def test_the_licences_agree() -> None:
    """A citation file lists both licences."""
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert PROJECT["license"].split(" AND ") == cited["license"] == ["MIT", "CC-BY-4.0"]
    assert cited["version"] == PROJECT["version"]
    assert all((ROOT / name).exists() for name in PROJECT["license-files"])


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def bare_python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the wheel and NumPy alone."""
    return bare.install(wheel, tmp_path_factory.mktemp("bare"))


def test_the_wheel_holds_the_three_packages(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert tops == {
        "minigrad",
        "minigrad_viz",
        "minigrad_lessons",
        wheel.name.split("-py3")[0] + ".dist-info",
    }
    for source, package in [
        ("minigrad", "minigrad"),
        ("viz/minigrad_viz", "minigrad_viz"),
        ("lessons/minigrad_lessons", "minigrad_lessons"),
    ]:
        kept = {
            f"{package}/{path.relative_to(ROOT / source).as_posix()}"
            for path in (ROOT / source).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }
        assert kept <= set(names), sorted(kept - set(names))
    assert {"minigrad/py.typed", "minigrad_viz/py.typed"} <= set(names)
    assert {
        "minigrad_viz/stepper/static/stepper.js",
        "minigrad_viz/plots/static/sliders.js",
    } <= set(names)
    assert any(name.endswith("/licenses/LICENSE") for name in names)


def test_only_parity_depends_on_torch(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    metadata = email.message_from_bytes(archive.read(name))
    requires = metadata.get_all("Requires-Dist") or []
    assert [line for line in requires if "extra ==" not in line] == ["numpy>=2"]
    torch = [line for line in requires if line.startswith("torch")]
    assert [line for line in torch if not line.endswith("extra == 'peers'")] == [
        "torch==2.13.0; extra == 'parity'"
    ]
    assert not [line for line in torch if line.startswith("torch=") and "peers" in line]
    assert set(metadata.get_all("Provides-Extra") or []) == {
        "viz", "lab", "gpu", "classroom", "otter", "dist", "site", "lite", "slides", "compiled",
        "test",
        "parity",
        "peers",
    }  # fmt: skip


def test_the_installed_core_runs_on_numpy_alone(bare_python: Path, tmp_path: Path) -> None:
    program = (
        "import json, sys\n"
        "import minigrad as mg\n"
        "x = mg.tensor([1.0, 2.0, 3.0], requires_grad=True)\n"
        "(2 * mg.dot(x, x)).backward()\n"
        "print(json.dumps([x.grad.tolist(), mg.__file__, sorted(sys.modules)]))\n"
    )
    gradient, file, modules = json.loads(run(bare_python, "-I", "-c", program, cwd=tmp_path))
    assert gradient == [4.0, 8.0, 12.0]
    assert str(bare_python.parents[1]) in file
    assert not {"graphviz", "pygraphviz", "IPython", "minigrad_viz", "torch"} & set(modules)
    slow = {"difflib", "traceback", "dataclasses", "minigrad.nn", "minigrad.core.events"}
    assert not slow & set(modules), "slow to load"


def test_installed_visualizer_needs_only_numpy(bare_python: Path, tmp_path: Path) -> None:
    program = (
        "import minigrad as mg, minigrad_viz as viz\n"
        "x = mg.ones(2, requires_grad=True)\n"
        "print(viz.draw((x * x).sum()))\n"
    )
    assert "MulBackward0" in run(bare_python, "-I", "-c", program, cwd=tmp_path)


def test_the_installed_command_copies_the_lessons(bare_python: Path, tmp_path: Path) -> None:
    command = [bare_python.with_name("minigrad-lab"), "--lang", "zh", "--dir", "course"]
    bare = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=tmp_path, env=bare, capture_output=True, text=True)
    assert "pip install 'minigrad-lab[lab]'" in done.stderr  # there is no JupyterLab to open
    copied = {path.name: path.read_bytes() for path in (tmp_path / "course" / "zh").iterdir()}
    assert copied == {
        path.name: path.read_bytes() for path in (ROOT / "lessons" / "zh").glob("*.ipynb")
    }


def test_the_first_program_has_ten_lines() -> None:
    first, _ = PROGRAMS[0]
    assert len([line for line in first.splitlines() if line]) == 10
    assert programs("README.zh.md")[0] == PROGRAMS[0]


@pytest.mark.parametrize("readme", ["README.md", "README.zh.md"])
def test_stepper_follows_the_first_program(readme: str, tmp_path: Path) -> None:
    """A graph whose pass has run is freed, so the stepper gets a new one."""
    text = (ROOT / readme).read_text(encoding="utf-8")
    (shown,) = re.findall(r"`(viz\.step\(.*?)`", text)
    program = f"{PROGRAMS[0][0]}import minigrad_viz as viz\nprint(repr({shown}))"
    printed = run(sys.executable, "-c", program, cwd=tmp_path)
    assert "hands on" in printed and "fails" not in printed


@pytest.mark.parametrize(("program", "output"), PROGRAMS)
def test_documented_program_prints_its_output(program: str, output: str, tmp_path: Path) -> None:
    assert alike(run(sys.executable, "-c", program, cwd=tmp_path), output)


@pytest.mark.parametrize(("program", "output"), PROGRAMS)
def test_documented_program_prints_same_on_pytorch(
    program: str, output: str, pytorch: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert program.startswith("import minigrad as mg\n")
    with speaking(None):
        exec(program.replace("import minigrad as mg", "import torch as mg", 1), {})
    assert alike(capsys.readouterr().out, output)


@pytest.mark.parametrize("document", ["docs/visualizer.md", "docs/visualizer.zh.md"])
def test_documented_pass_code_is_current(document: str, tmp_path: Path) -> None:
    """Run it as a script, since only a script knows all of its lines."""
    (program,) = [program for program, _ in PROGRAMS if "viz.program" in program]
    (tmp_path / "script.py").write_text(f"{program}print(program)", encoding="utf-8")
    printed = run(sys.executable, "script.py", cwd=tmp_path).partition("\n")[2]
    assert f"```text\n{printed}```\n" in (ROOT / document).read_text(encoding="utf-8")


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", ".ci/run"])
def test_every_make_command_exists(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    commands = set(re.findall(r"(?:^|`|=1 )make ([a-z-]+)", text, re.M))
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    assert commands and commands <= targets


@pytest.mark.parametrize("screen", ["", ":0"])
def test_make_lab_needs_a_screen_for_browsers(screen: str) -> None:
    environment = os.environ | {"DISPLAY": screen, "WAYLAND_DISPLAY": ""}
    commands = subprocess.run(
        ["make", "--no-print-directory", "-n", "lab"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert commands[-1].endswith("lessons/en/00_index.ipynb")
    assert ("--no-browser" in commands[-1]) == (not screen and sys.platform != "darwin")


@pytest.mark.parametrize("home", [True, False])
def test_make_lab_works_without_a_home(home: bool, tmp_path: Path) -> None:
    environment = os.environ | {"HOME": str(tmp_path if home else tmp_path / "nowhere")}
    done = subprocess.run(
        ["make", "-n", "lab"], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert (f"HOME='{ROOT}/build/home' .venv/bin/jupyter lab" in done.stdout) == (not home)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no make")
@pytest.mark.parametrize("utf8", ["", "0"])
def test_make_refuses_an_unreadable_folder(tmp_path: Path, utf8: str) -> None:
    """Before 3.13, Python reads the path of an editable installation in the locale's encoding.

    In every Python, pip writes the path of a program's interpreter in UTF-8, and a shell reads it.
    """
    folder = tmp_path / "课程"
    folder.mkdir()
    shutil.copy(ROOT / "Makefile", folder)
    command = ["make", f"PYTHON='{sys.executable}'", ".venv/made.stamp"]
    expected = sys.version_info < (3, 13) or utf8 == "0"
    if not expected:
        command.insert(1, "--dry-run")
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": utf8}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    refused = done.returncode != 0 and "LC_ALL=C.UTF-8 make" in done.stdout
    assert refused == expected, done.stdout + done.stderr
    assert not (folder / ".venv").exists()


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "Makefile"])
def test_every_extra_that_is_named_exists(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    named = {extra for group in re.findall(r"\.\[([\w,]+)\]", text) for extra in group.split(",")}
    assert named and named <= set(EXTRAS)


def test_the_version_is_the_same_everywhere() -> None:
    import minigrad

    assert minigrad.__version__ == PROJECT["version"]
