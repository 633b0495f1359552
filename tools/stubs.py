"""Write the index and the stubs from the schemas of the operations: `make stubs`.

- The index lists the functions of `minigrad`, `minigrad.nn.functional`, `minigrad.linalg` and
  `minigrad.special`, in a part of each of these files between two marks.
- The stubs of these files and of tensor.py are for checkers and editors. They have the functions
  that a factory makes, and Tensor, whose methods come from many files.

An operation is therefore added in one file by hand. The schema of a function names its place. A
function without a schema is listed by hand, between the marks, until it is removed. Other names of
a module are imported outside the marks, and added to `__all__` by hand. Only minigrad itself
computes its `__all__`.

Types of arguments come from the schemas, or from the annotations of a plain function. A result is a
Tensor, unless the function that computes it has another annotation. Declarations with `@overload`
replace the schemas. A function with a class in public/return_types.py returns it, if `dim` is given
where it can be.
TensorBase is a Tensor in the stubs.

`python -m tools.stubs --check` writes nothing, and prints the changes.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import inspect
import re
import subprocess
import sys
import textwrap
import typing
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

ROOT = Path(__file__).parents[1]

BEGIN = "# --- Written by `make stubs`\n"
END = "# --- Written by hand again\n"

PLACES = {
    "": "minigrad/__init__.py",
    "nn.functional": "minigrad/nn/functional.py",
    "linalg": "minigrad/linalg.py",
    "special": "minigrad/special.py",
}
"""Files with an index, by the place that schemas name."""

LATER = (
    "ops.neural.",
    "ops.linear_algebra.bilinear",
    "ops.linear_algebra.einsum",
    "ops.reductions.integrals",
    "ops.reductions.searching",
    "tensors.autocasting",
)
"""Modules that minigrad itself imports on first use: no method of Tensor needs them."""

BY_MODULE = "_LATER"
"""The names of such functions, in the index of minigrad."""

TENSOR = "minigrad/tensors/tensor.py"

HEADER = '''"""Stub of {file} for checkers and editors. Written by `make stubs`."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from collections.abc import Sequence
from typing import Any, Literal, overload
from {up}arrays.devices import device as _device
from {up}arrays.draws import Generator
from {up}arrays.dtypes import dtype as _dtype
from {up}arrays.storages import Storage
from {up}ops.public import return_types
'''


# --- The index


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the index and the stubs.")
    parser.add_argument("--check", action="store_true", help="only say what would change")
    check = parser.parse_args().check
    sys.modules["minigrad"] = package = ModuleType("minigrad")
    package.__path__ = [str(ROOT / "minigrad")]  # its index may name removed functions
    changed = [save(ROOT / file, indexed(place), check) for place, file in PLACES.items()]
    del sys.modules["minigrad"]
    for file in [*PLACES.values(), TENSOR]:
        changed.append(save((ROOT / file).with_suffix(".pyi"), stub_of(file), check))
    if any(changed) and check:
        sys.exit("Run `make stubs`.")


def save(path: Path, text: str, check: bool) -> bool:
    """Write the file, or with `check` print the difference; return whether it changes."""
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    if old == text:
        return False
    name = path.relative_to(ROOT).as_posix()
    if check:
        print(*difflib.unified_diff(old.splitlines(), text.splitlines(), name, name), sep="\n")
    else:
        path.write_text(text, encoding="utf-8")
        print("written:", name)
    return True


def indexed(place: str) -> str:
    """Return a file of `PLACES` with a new index."""
    path = ROOT / PLACES[place]
    before, _, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    old, _, after = rest.partition(END)
    names = kept(ast.parse(old), path) | functions_at(place)
    listed: list[str] = next(
        (
            ast.literal_eval(statement.value)
            for statement in ast.parse(old).body
            if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__"
        ),
        [],
    )
    outside = ast.parse(before + after)
    defined = {one.name for one in outside.body if isinstance(one, ast.FunctionDef)}
    names = {name: origin for name, origin in names.items() if name not in defined}
    by_hand = bound(outside) & set(listed) | defined & names_in_pytorch(place)
    modules: dict[str, list[str]] = {}
    for name, (module, own) in names.items():
        modules.setdefault(module, []).append(own if own == name else f"{own} as {name}")
    lines = ["# Many names in a line, as in an index.", "# fmt: off", "# isort: off"]
    later = {}
    for module, imported in sorted(modules.items()):
        short = module.removeprefix("minigrad.")
        if not place and short.startswith(LATER):
            later[short] = sorted(imported)
        else:
            lines += wrapped(f"from {relative(module, path)} import ", sorted(imported), "()")
    lines += ["# isort: on"]
    if later:
        rows = [row for module, names in later.items() for row in later_row(module, names)]
        lines += ["", f"{BY_MODULE} = {{", *rows, "}"]
    if place:  # minigrad itself computes its `__all__`
        lines += ["", *wrapped("__all__ = ", [f'"{n}"' for n in sorted({*names, *by_hand})], "[]")]
    return f"{before}{BEGIN}{chr(10).join(lines)}\n# fmt: on\n{END}{after}"


def later_row(module: str, names: list[str]) -> list[str]:
    """Return the lines for a module that is imported on first use."""
    one = f'    "{module}": "{" ".join(names)}",'
    if len(one) <= 100:
        return [one]
    parts = textwrap.wrap(" ".join(names), 88, drop_whitespace=False)
    return [f'    "{module}": (', *[f'        "{part}"' for part in parts], "    ),"]


def wrapped(start: str, names: list[str], brackets: str) -> list[str]:
    """Return lines with the names after `start`."""
    text = ", ".join(name.replace(" ", "\0") for name in names)
    one = start + (text if brackets == "()" else f"[{text}]")
    lines = [one]
    if len(one) > 100:
        inner = textwrap.wrap(text + ",", 96, break_long_words=False)
        lines = [start + brackets[0], *[f"    {line}" for line in inner], brackets[1]]
    return [line.replace("\0", " ") for line in lines]


Names = dict[str, tuple[str, str]]
"""Module and name of each function, by its public name."""


def functions_at(place: str) -> Names:
    """Return the functions whose schemas name `place` and that PyTorch has there.

    Not all in-place forms are functions.
    """
    found: Names = {}
    for package in ("ops", "tensors"):
        for path in sorted((ROOT / "minigrad" / package).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            module = import_module(name)
            elsewhere = imports_of(path)
            for own, value in vars(module).items():
                if has_schemas(value) and own not in elsewhere and value.place == place:
                    prefix = place.rpartition(".")[2] + "_"  # such as torch.linalg's linalg_norm
                    name = value.__name__.removeprefix(prefix)
                    if own in (name, prefix + name) and name in names_in_pytorch(place):
                        found[name] = (module.__name__, own)
    return found


def names_in_pytorch(place: str) -> set[str]:
    from minigrad.arrays.left_out import pytorch_names

    return pytorch_names()[f"torch.{place}".strip(".")]


def kept(tree: ast.Module, path: Path) -> Names:
    """Return the names that an index lists by hand and that still exist."""
    found: Names = {}
    for name, (module, own) in imports(tree, path).items():
        with suppress(ModuleNotFoundError):
            if hasattr(import_module(module), own):
                found[name] = (module, own)
    return found


def bound(tree: ast.Module) -> set[str]:
    """Return the names that a file binds outside of its functions and classes."""
    names = set()
    for statement in statements(tree):
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            names |= {alias.asname or alias.name for alias in statement.names}
        elif isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            names.add(statement.name)
        elif isinstance(statement, ast.Assign):
            names |= {ast.unparse(target) for target in statement.targets}
    return names


def statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the statements at the top of a file, also under an `if`."""
    for statement in tree.body:
        yield statement
        if isinstance(statement, ast.If):
            yield from statement.body


def imports(tree: ast.Module, path: Path) -> Names:
    """Return the imported names of a file."""
    package = path.relative_to(ROOT).parent.parts
    found: Names = {}
    for statement in statements(tree):
        if isinstance(statement, ast.ImportFrom):
            above = package[: len(package) - statement.level + 1] if statement.level else ()
            module = ".".join([*above, *([statement.module] if statement.module else [])])
            for alias in statement.names:
                found[alias.asname or alias.name] = (module, alias.name)
        elif isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == BY_MODULE:
            for short, names in ast.literal_eval(statement.value).items():
                found |= {name: (f"minigrad.{short}", name) for name in names.split()}
    return found


@cache
def imports_of(path: Path) -> Names:
    return imports(ast.parse(path.read_text(encoding="utf-8")), path)


def relative(module: str, path: Path) -> str:
    """Return the name under which the file at `path` imports a module of ours.

    >>> relative("minigrad.ops.indexing.joining", ROOT / "minigrad/nn/functional.py")
    '..ops.indexing.joining'
    """
    here, there = list(path.relative_to(ROOT).parent.parts), module.split(".")
    if there[0] != here[0]:
        return module
    while here and there and here[0] == there[0]:
        del here[0], there[0]
    return "." * (len(here) + 1) + ".".join(there)


# --- The stubs


def stub_of(file: str) -> str:
    """Return the formatted stub of a file."""
    path = ROOT / file
    stub = Stub(path)
    text = stub.of_tensor() if file == TENSOR else stub.of_index()
    up = "." * len(path.relative_to(ROOT).parent.parts)
    tensor = "" if file == TENSOR else f"from {up}tensors.tensor import Tensor\n"
    header = HEADER.format(file=path.name, up=up) + tensor
    found = "".join(f"from {where} import {what}\n" for where, what in sorted(stub.imports))
    return formatted(f"{header}{found}\n{text}", path.with_suffix(".pyi"))


def formatted(text: str, path: Path) -> str:
    """Sort, format and remove unused imports with ruff."""
    ast.parse(text)  # ruff does not print syntax errors
    for command in (["check", "--fix-only", "--select=I,F401"], ["format"]):
        line = [sys.executable, "-m", "ruff", *command, "--quiet", f"--stdin-filename={path}", "-"]
        done = subprocess.run(line, input=text, capture_output=True, text=True, cwd=ROOT)
        if done.returncode:
            sys.exit(done.stderr)
        text = done.stdout
    return text


class Stub:
    """The text of a stub, and its imports."""

    def __init__(self, path: Path) -> None:
        self.path = path
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        self.module = import_module(name)
        self.imports: set[tuple[str, str]] = set()

    def of_index(self) -> str:
        """Return the stub of an index: functions with types, and imports of other names."""
        imported = imports(ast.parse(self.path.read_text(encoding="utf-8")), self.path)
        lines = []
        for name in self.module.__all__:
            value = getattr(self.module, name)
            module, own = imported.get(name, (self.module.__name__, name))
            ours = re.match(rf"minigrad\.(ops|tensors)\.|{self.module.__name__}$", module)
            if ours and inspect.isfunction(value):
                lines.append(self.function(name, value))
            else:
                what = own if own == name else f"{own} as {name}"
                self.imports.add((relative(module, self.path), what))
        listed = wrapped("__all__ = ", [f'"{name}"' for name in self.module.__all__], "[]")
        version = ["__version__: str"] * hasattr(self.module, "__version__")
        if version:
            self.imports.add((".", "__config__ as __config__"))
        return "\n".join(["# fmt: off", *listed, "# fmt: on", "", *version, *lines])

    def of_tensor(self) -> str:
        """Return the stub of tensor.py: classes with the methods of all their bases."""
        lines = []
        for part in ast.parse(self.path.read_text(encoding="utf-8")).body:
            if isinstance(part, ast.ClassDef):
                kind = getattr(self.module, part.name)
                lines += [f"class {part.name}({self.base(kind)}):", *self.members(kind)]
        return "\n".join(lines)

    def base(self, kind: type) -> str:
        """Return the base of a class, past the classes that only hold its methods."""
        from minigrad.core.node import TensorBase

        return "TensorBase" if issubclass(kind, TensorBase) else "tuple[_int, ...]"

    def members(self, kind: type) -> Iterator[str]:
        """Yield methods and properties, by name."""
        from minigrad.core.node import TensorBase

        self.imports.add((relative(TensorBase.__module__, self.path), "TensorBase"))
        found: dict[str, Any] = {}
        for base in reversed(kind.__mro__):
            if base not in (TensorBase, tuple, object):
                found |= vars(base)
        for name, value in sorted(found.items()):
            if isinstance(value, property):
                yield textwrap.indent(self.property(name, value), "    ")
            elif name == "__hash__":
                yield "    def __hash__(self) -> _int: ..."
            elif inspect.isfunction(value) or isinstance(value, staticmethod):
                if name not in HIDDEN:
                    yield textwrap.indent(self.function(name, value, method=True), "    ")

    def property(self, name: str, value: property) -> str:
        """Return the stub of a property with its setter and deleter."""
        assert value.fget is not None
        result = self.types(value.fget, "return")
        lines = ["@property", f"def {name}(self) -> {result}: ..."]
        if value.fset is not None:
            (given,) = list(inspect.signature(value.fset).parameters)[1:]
            kind = self.types(value.fset, given)
            lines += [f"@{name}.setter", f"def {name}(self, {given}: {kind}) -> None: ..."]
        if value.fdel is not None:
            lines += [f"@{name}.deleter", f"def {name}(self) -> None: ..."]
        return "\n".join(lines)

    def function(self, name: str, value: Any, method: bool = False) -> str:
        """Return the stub of a function, with a line for each overload."""
        from minigrad.ops.public import return_types
        from minigrad.ops.public.prototypes import overloaded
        from minigrad.ops.public.schema import Schema

        source = inspect.unwrap(value)
        if declared := typing.get_overloads(source):
            return overloaded([self.plain(name, each, method) for each in declared])
        if not has_schemas(value):
            return self.plain(name, value, method)
        result, along = self.result(value, source), ""
        if hasattr(return_types, value.__name__):
            along = f"return_types.{value.__name__}[Tensor]"
            by_dim = any(" dim" in schema for schema in value.schemas)
            result = "Tensor" if by_dim else along
        return Schema.parse(*value.schemas).named(name).stub(result, method, along)

    def result(self, value: Any, source: Any) -> str:
        """Return the type that a function with a schema returns.

        Formulas have no types, and a factory may use a function of ops/ only to choose an
        operation.
        """
        made = getattr(value, "__wrapped__", None)
        if not isinstance(getattr(made, "source", source), FunctionType):
            return "Tensor"
        path = Path(inspect.getfile(source))
        written = str(source.__annotations__.get("return", "Any"))
        if written == "Any" and path != ROOT / TENSOR:
            return "Tensor"
        homes = [names_of(path).get(name, ("", ""))[0] for name in re.findall(r"\w+", written)]
        if any(home.startswith("minigrad.ops.") for home in homes if home != "minigrad.ops.public"):
            return "Tensor"
        return self.types(source, "return")

    def plain(self, name: str, function: Any, method: bool) -> str:
        """Return the stub of a function without a schema, from its annotations."""
        texts: list[str] = []
        parameters = [*inspect.signature(function).parameters.values()]
        if name in OPERATORS and self.types(function, "return") in ("Any", "Tensor"):
            return OPERATORS[name].format(name=name)
        for place, parameter in enumerate(parameters):
            if parameter.name[0] == "_" or (method and parameter.name == "out"):
                continue  # no method writes into another tensor
            if method and not place:
                texts.append(parameter.name if parameter.name == "cls" else "self")
                continue
            if parameter.kind is parameter.KEYWORD_ONLY and not any(t[0] == "*" for t in texts):
                texts.append("*")
            stars = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(parameter.kind.name, "")
            text = f"{stars}{parameter.name}: {self.types(function, parameter.name)}"
            default = parameter.default
            if default is not parameter.empty:
                known = default is None or isinstance(default, (bool, int, float, str, tuple))
                text += f" = {default!r}" if known else " = ..."
            texts.append(text)
        return f"def {name}({', '.join(texts)}) -> {self.types(function, 'return')}: ..."

    def types(self, function: Any, argument: str) -> str:
        """Return the annotation of an argument or a result in the form of a stub."""
        from minigrad.ops.public.prototypes import in_stub

        source = inspect.unwrap(function)
        written = str(source.__annotations__.get(argument, "Any"))
        path = Path(inspect.getfile(source))
        for name in set(re.findall(r"(?<![\w.])[A-Za-z_]\w*", written)) - {*SHADOWED, *TENSORS}:
            module, own = names_of(path).get(name, ("", name))
            if module not in ("", self.module.__name__):
                what = own if own == name else f"{own} as {name}"
                self.imports.add((relative(module, self.path), what))
        written = written.replace("TensorBase", "Tensor").replace("builtins.", "")
        return in_stub(re.sub(r"(return_types\.\w+)(?!\[|\w)", r"\1[Tensor]", written))


TENSORS = ("Tensor", "TensorBase", "builtins")
"""Names in annotations that need no import, since the stubs have a Tensor."""

SHADOWED = ("int", "float", "bool", "dtype", "device")
"""Names with an underscore in the stubs, since Tensor or the package has them too."""

HIDDEN = ("__getattr__", "__init_subclass__")
"""Hidden from checkers, which would accept every name as an attribute."""

OPERATORS = (
    dict.fromkeys(
        [
            f"__{form}{name}__"
            for name in "add sub mul truediv floordiv mod pow and or xor".split()
            for form in ("", "r", "i")
        ]
        + ["__lt__", "__le__", "__gt__", "__ge__"],
        "def {name}(self, other: Tensor | _float) -> Tensor: ...",
    )
    | dict.fromkeys(
        ["__matmul__", "__rmatmul__"],
        "def {name}(self, other: Tensor) -> Tensor: ...",
    )
    | dict.fromkeys(
        ["__eq__", "__ne__"],
        "def {name}(self, other: object) -> Tensor: ...  # type: ignore[override]",
    )
)
"""The operators of Python on a tensor and a number. Equality is not that of objects, a bool."""


def has_schemas(value: object) -> bool:
    return isinstance(value, FunctionType) and hasattr(value, "schemas")


@cache
def names_of(path: Path) -> Names:
    """Where the names come from that a file uses in its annotations."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return {name: (module, name) for name in bound(tree)} | imports_of(path)


if __name__ == "__main__":
    main()
