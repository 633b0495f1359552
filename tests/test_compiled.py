"""The compiled core: when it is used, and what stays as in pure Python.

`make test-compiled` runs the tests of the engine on it.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import warnings
from pathlib import Path

import pytest

from minigrad import __config__
from tests import bare
from tests.sampling import first_of
from tools import compiled, newcomer
from tools.c_types import Structs

PROGRAM = """
import inspect, traceback
import minigrad as mg
from minigrad.core import broadcasting

print(mg.__config__.build())
print(broadcasting.__file__)
print(inspect.getsource(broadcasting.sum_to).splitlines()[0])
print(inspect.signature(broadcasting.sum_to))
x = mg.ones(2, 3, requires_grad=True)
y = mg.ones(3, requires_grad=True)
(x * y).sum().backward()
print(y.grad)
try:
    broadcasting.sum_to(None, (1,))
except Exception:
    traceback.print_exc()
"""
"""Sums a gradient in broadcasting.py, the one module that the test compiles."""


@pytest.fixture
def package(root: Path, tmp_path: Path) -> Path:
    """A copy of minigrad, without what is compiled here."""
    ignored = shutil.ignore_patterns("_compiled", "__pycache__")
    return shutil.copytree(root / "minigrad", tmp_path / "minigrad", ignore=ignored)


def run(package: Path, program: str) -> subprocess.CompletedProcess[str]:
    """Run a program on that copy."""
    command = [sys.executable, "-c", program]  # imports from the current folder first
    return subprocess.run(command, cwd=package.parent, capture_output=True, text=True, timeout=300)


def listed(package: Path, suffix: str, text: bytes, name: str = "core/broadcasting.py") -> None:
    """Write the list of a compilation of one source, which had this text."""
    folder = package / "_compiled"
    folder.mkdir()
    row = f"{name}\t{importlib.util.source_hash(text).hex()}"
    (folder / "sources.txt").write_text(f"{suffix}\tCython 3\n{row}\n", encoding="utf-8")


def test_compiled_module_keeps_its_source(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("Cython", reason="Cython is not installed (pip install '.[compiled]')")
    monkeypatch.setattr(compiled, "flags", lambda: ["-O0"])  # compiles faster
    compiled.compile_core(package, package / "_compiled", ["core/broadcasting"])
    done = run(package, PROGRAM)
    build, file, source, signature, gradient = done.stdout.splitlines()
    assert build.startswith("1 modules compiled by Cython ")
    assert file == str(package / "core" / "broadcasting.py")
    assert source.startswith("def sum_to(")
    assert signature.startswith("(g: 'Any', shape: ")
    assert gradient == "tensor([2., 2., 2.])"
    assert f"core{os.sep}broadcasting.py" in done.stderr
    line = (package / "core/broadcasting.py").read_text("utf-8")
    quoted = done.stderr.splitlines()[-2].strip()
    assert quoted in line  # the traceback quotes the line of the source


@pytest.mark.parametrize("name", ["core/broadcasting.py", "core/node.pxd"])
def test_edited_source_runs_pure(package: Path, name: str) -> None:
    listed(package, __config__.EXTENSION_SUFFIXES[0], b"another text", name)
    done = run(package, "import minigrad as mg; print(mg.__config__.build())")
    assert done.stdout == "pure Python\n"
    changed = f"minigrad/{name} has changed since minigrad was compiled."
    assert f"{changed} {__config__.ADVICE}" in done.stderr
    assert "`make compiled`" in __config__.ADVICE


def test_another_python_runs_pure(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed(package, ".cpython-27-x86_64-linux-gnu.so", b"")
    monkeypatch.setattr(__config__, "LIST", str(package / "_compiled/sources.txt"))
    with pytest.warns(UserWarning, match=r"another Python .* `make compiled`"):
        assert __config__.choose() is None


def test_no_list_runs_pure(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (package / "_compiled").mkdir()
    monkeypatch.setattr(__config__, "LIST", str(package / "_compiled/sources.txt"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert __config__.choose() is None


def test_missing_compiler_is_one_sentence(
    package: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("Cython", reason="Cython is not installed (pip install '.[compiled]')")
    monkeypatch.setattr(compiled, "MODULES", ("core/broadcasting",))
    monkeypatch.setattr(compiled, "ROOT", package.parent)
    monkeypatch.setenv("CC", "no-such-compiler")
    assert compiled.main([]) == 1
    assert capsys.readouterr().err.startswith(compiled.NO_COMPILER)
    assert not (package / "_compiled").exists()


def test_every_compiled_module_exists(root: Path) -> None:
    assert all((root / "minigrad" / f"{name}.py").exists() for name in compiled.MODULES)


# All modules take a minute.
@pytest.mark.parametrize("modules", first_of("COMPILED", ["core/broadcasting", "all"]))
def test_platform_wheel_runs_the_first_program(
    modules: str, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("Cython", reason="Cython is not installed (pip install '.[compiled]')")
    monkeypatch.setenv("MINIGRAD_COMPILE", modules)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    wheel = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation")
    bare.run(*wheel, "--wheel-dir", tmp_path, root, timeout=600)
    (built,) = tmp_path.glob("*.whl")
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    system = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    assert built.name.endswith(f"-{version}-{version}-{system}.whl")
    python = bare.install(built, tmp_path / "environment")
    newcomer.prove(python, tmp_path)
    report = bare.run(python, "-m", "minigrad", cwd=tmp_path)
    number = len(compiled.MODULES) if modules == "all" else 1
    assert re.search(rf"^core: +{number} modules compiled by Cython", report, re.M)


def test_wheels_are_built_for_every_python(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    classifiers = project["project"]["classifiers"]
    pythons = [c.rpartition(" 3.")[2] for c in classifiers if re.search(r":: 3\.\d+$", c)]
    assert project["tool"]["cibuildwheel"]["build"] == [f"cp3{minor}-*" for minor in pythons]


PLAIN = """class Box:
    \"\"\"Holds a value.\"\"\"

    value: object = None
    \"\"\"The value.\"\"\"
    parts: tuple[int, ...] = ()
    kind: ClassVar[str] = "box"


class Lid(Box):
    label: str = "lid"
"""

TYPES = """cdef class Box:
    cdef public object value
    cdef public tuple parts

cdef class Lid(Box):
    cdef public object label
"""


def test_defaults_of_c_fields_are_assigned(tmp_path: Path) -> None:
    (tmp_path / "box.pxd").write_text(TYPES, encoding="utf-8")
    lines = Structs(tmp_path).with_fields(PLAIN).splitlines()
    assert len(lines) == len(PLAIN.splitlines())  # tracebacks quote the source by line number
    assert lines[5].endswith("__cinit__(self, *_, **named): self.parts = ()")
    assert "['label', 'parts', 'value']" in lines[3]  # the fields that `copy.copy` copies
    assert lines[6] == PLAIN.splitlines()[6]
    assert lines[10].endswith("self.label = 'lid'")


def test_every_c_field_has_a_default(root: Path) -> None:
    """A declared field that the source does not have would be None where Python has a value."""
    structs = Structs(root / "minigrad")
    assert {"Node", "TensorBase"} < structs.bases.keys()
    text = "\n".join(path.read_text("utf-8") for path in (root / "minigrad/core").glob("*.py"))
    fields = {field for own in structs.own.values() for field in own}
    assert [
        name
        for name in fields
        if not re.search(rf"^ +(self\.)?{name}: |self\.{name} = ", text, re.M)
    ] == []
