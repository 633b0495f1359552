"""The index and the stubs are what `make stubs` writes, and hold what is there at run time."""

from __future__ import annotations

import ast
import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import minigrad

ROOT = Path(__file__).parents[1]
STUBS = sorted((ROOT / "minigrad").rglob("*.pyi"))


def names(body: list[ast.stmt]) -> set[str]:
    """What a stub says is there, in a module or a class."""
    found: set[str] = set()
    for part in body:
        if isinstance(part, (ast.FunctionDef, ast.ClassDef)):
            found.add(part.name)
        elif isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == "__all__":
            found |= set(ast.literal_eval(part.value))
    return found


def test_make_stubs_would_change_nothing() -> None:
    command = [sys.executable, "-m", "tools.stubs", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_there_are_stubs() -> None:
    assert len(STUBS) == 4


@pytest.mark.parametrize("path", STUBS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_stub_has_the_names_of_its_module(path: Path) -> None:
    parts = path.relative_to(ROOT).with_suffix("").parts
    module = importlib.import_module(".".join(parts).removesuffix(".__init__"))
    written = ast.parse(path.read_text(encoding="utf-8")).body
    source = ast.parse(path.with_suffix(".py").read_text(encoding="utf-8")).body
    classes = {part.name for part in source if isinstance(part, ast.ClassDef)}
    assert names(written) == set(getattr(module, "__all__", classes))


@pytest.mark.parametrize("kind", [minigrad.Tensor, minigrad.Size])
def test_a_class_has_the_names_of_its_stub(kind: type) -> None:
    stub = ast.parse((ROOT / "minigrad/tensors/tensor.pyi").read_text(encoding="utf-8"))
    (body,) = [
        part.body
        for part in stub.body
        if isinstance(part, ast.ClassDef) and part.name == kind.__name__
    ]
    public = {name for name in dir(kind) if not name.startswith("_")}
    below = set(dir(kind.__mro__[-2]))  # TensorBase, or tuple
    assert {name for name in names(body) if not name.startswith("_")} == public - below
    assert all(hasattr(kind, name) for name in names(body))


def test_a_stub_hides_what_would_make_every_name_right() -> None:
    for path in STUBS:
        assert "__getattr__" not in path.read_text(encoding="utf-8")


NEW_OPERATION = r'''
@gradient_of(lambda x: 1 - error_function.erf(x), r"\bar a = -g \cdot 2 e^{-a^2} / \sqrt{\pi}")
def ErfcBackward0(g: Any, self: Any) -> Any:
    """1 minus the error function."""
    return -2 / math.sqrt(math.pi) * ExpBackward0.on(-(self**2)) * g


erfc, erfc_ = unary("erfc(Tensor input)", ErfcBackward0)


class ElementwiseMethods(TensorBase):
    """The methods of this file."""

    erfc, erfc_ = erfc.method, erfc_.method
'''


def test_an_operation_is_added_in_one_file(tmp_path: Path) -> None:
    """As CONTRIBUTING.md says: the class, the row and the method by hand, then `make stubs`."""
    for name in ("minigrad", "tools"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    family = tmp_path / "minigrad/ops/elementwise.py"
    methods = 'class ElementwiseMethods(TensorBase):\n    """The methods of this file."""\n'
    text = family.read_text(encoding="utf-8")
    assert methods in text
    family.write_text(text.replace(methods, NEW_OPERATION), encoding="utf-8")

    def run(*arguments: str) -> str:
        command = [sys.executable, *arguments]
        done = subprocess.run(
            command, cwd=tmp_path, env=bare, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    bare = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    written = run("-m", "tools.stubs").splitlines()
    stubs = ["__init__.py", "__init__.pyi", "tensors/tensor.pyi"]
    assert written == [f"written: minigrad/{name}" for name in stubs]
    assert "    def erfc_(self) -> Tensor: ...\n" in (tmp_path / "minigrad" / stubs[2]).read_text()
    assert run("-m", "tools.stubs", "--check") == ""
    program = (
        "import minigrad as mg\n"
        "x = mg.zeros(2, requires_grad=True)\n"
        "mg.erfc(x).sum().backward()\n"
        "print(x.grad, x.detach().erfc_(), mg.erfc(x).grad_fn.name(), 'erfc' in mg.__all__)\n"
    )
    shown = "tensor([-1.1284, -1.1284]) tensor([1., 1.]) ErfcBackward0 True\n"
    assert run("-c", program) == shown
