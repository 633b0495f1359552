"""Compile the core with Cython: `make compiled`. The Python files stay the only text.

    python -m tools.compiled             compile into minigrad/_compiled
    python -m tools.compiled --remove    remove that folder: the pure build runs again
    python -m tools.compiled --copy DIR  copy the tracked files to DIR, and compile there

Nodes and tensors become C structs, by the `.pxd` files next to their sources (c_types.py).
minigrad/__config__.py decides at import whether the compiled modules are used.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import version
from importlib.util import source_hash
from pathlib import Path

from .architecture import tracked
from .c_types import Structs

ROOT = Path(__file__).resolve().parents[1]

MODULES = (
    "core/anomaly",
    "core/backward",
    "core/broadcasting",
    "core/edges",
    "core/engine",
    "core/hooks",
    "core/inplace",
    "core/node",
    "core/operation",
    "core/promotion",
    "core/saved",
    "core/views",
)
"""Modules that a training step runs often.

Public functions stay in Python: NumPy attributes a warning to the innermost Python frame, and a
`stacklevel` counts frames.
"""

DIRECTIVES = {
    "language_level": 3,
    # An annotation describes, and does not convert: a `float` may be an int in Python.
    "annotation_typing": False,
    # None in place of a struct raises an AttributeError, as in Python.
    "nonecheck": True,
    # Tensors define how they are pickled.
    "auto_pickle": False,
}

NO_COMPILER = "There is no C compiler here. minigrad stays pure Python, which computes the same."


def flags() -> list[str]:
    """Return the options for the C compiler."""
    return [] if os.name == "nt" else ["-O2", "-g0", "-fno-semantic-interposition"]


def compile_core(package: Path, target: Path, modules: Sequence[str]) -> None:
    """Compile modules of `package`, the folder minigrad, into the folder `target`.

    Raises:
        OSError: there is no C compiler.
    """
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.errors import CompileError, PlatformError

    shutil.rmtree(target, ignore_errors=True)
    structs = Structs(package)
    with tempfile.TemporaryDirectory() as work:
        copy = Path(work) / package.name
        sources = [path for name in modules for path in files_of(package, name)]
        for path in sources:
            (copy / path.parent.relative_to(package)).mkdir(parents=True, exist_ok=True)
            text = path.read_text("utf-8")
            if path.suffix == ".py":
                text = structs.with_fields(text)
            (copy / path.relative_to(package)).write_text(text, encoding="utf-8")
        before = Path.cwd()
        os.chdir(work)  # tracebacks name files from here: minigrad/core/node.py
        try:
            extensions = [
                Extension(
                    f"{package.name}.{name.replace('/', '.')}",
                    [f"{package.name}/{name}.py"],
                    extra_compile_args=flags(),
                    # Classes with C fields stay as changeable as others: they get a public place.
                    define_macros=[("CYTHON_USE_TYPE_SPECS", "1")],
                )
                for name in modules
            ]
            made = cythonize(extensions, compiler_directives=DIRECTIVES, quiet=True)
            command = Distribution({"ext_modules": made}).get_command_obj("build_ext")
            command.build_lib, command.build_temp = "built", "objects"
            command.parallel = os.cpu_count()
            command.ensure_finalized()
            try:
                command.run()
            except (CompileError, PlatformError) as error:
                raise OSError(f"{NO_COMPILER} ({error})") from None
        finally:
            os.chdir(before)
        shutil.move(f"{work}/built/{package.name}", target)
    # Written last, as an interrupted compilation leaves a folder that is not used.
    rows = [f"{EXTENSION_SUFFIXES[0]}\tCython {version('cython')}\n"]
    rows += [
        f"{path.relative_to(package).as_posix()}\t{source_hash(path.read_bytes()).hex()}\n"
        for path in sources
    ]
    (target / "sources.txt").write_text("".join(rows), encoding="utf-8", newline="\n")


def files_of(package: Path, name: str) -> list[Path]:
    """Return the files of a module: its source, and its C types if it has some."""
    return [path for end in (".py", ".pxd") if (path := package / f"{name}{end}").exists()]


def copy_checkout(folder: Path) -> None:
    """Copy the tracked files to `folder`, and link what the tests need from the checkout."""
    shutil.rmtree(folder, ignore_errors=True)
    for path in tracked(ROOT):
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.compiled")
    parser.add_argument("--remove", action="store_true", help="go back to the pure build")
    parser.add_argument("--copy", type=Path, help="compile a copy of the checkout in this folder")
    options = parser.parse_args(arguments)
    root = ROOT
    if options.copy is not None:
        root = options.copy.resolve()
        copy_checkout(root)
    folder = root / "minigrad/_compiled"
    if options.remove:
        shutil.rmtree(folder, ignore_errors=True)
        return 0
    try:
        compile_core(root / "minigrad", folder, MODULES)
    except OSError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{len(MODULES)} modules are compiled into {os.path.relpath(folder)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
