"""Which file of a package imports which, read off the sources.

What stands under TYPE_CHECKING and what is imported inside a function count as well.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import cache, cached_property
from pathlib import Path


class Package:
    """The files of one package, and the arrows between them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.modules = {self.module_of(path): path for path in sorted(folder.rglob("*.py"))}

    @cached_property
    def imports(self) -> dict[str, set[str]]:
        """Imports of each module from its own package: read at the first use, since every
        worker loads this file, and one of them needs it.
        """
        return {
            name: {each for each in self.imported(path) if each in self.modules} - {name}
            for name, path in self.modules.items()
        }

    def module_of(self, path: Path) -> str:
        """The name by which a file is imported."""
        parts = path.relative_to(self.folder.parent).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def imported(self, path: Path, documented: Collection[str] = ()) -> Iterator[str]:
        """The modules that a file imports, wherever the import stands, as absolute names.

        `from ..model import names` imports the index `..model`, unless all that it names are
        modules of their own. `documented` are modules of other packages.
        """
        own = self.module_of(path)
        package = own if path.name == "__init__.py" else own.rpartition(".")[0]
        known = self.modules.keys() | documented
        for node in statements(path):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            else:
                base = node.module or ""
                if node.level:
                    parts = package.split(".")
                    above = parts[: len(parts) - node.level + 1]
                    base = ".".join([*above, *filter(None, [node.module])])
                inner = [f"{base}.{alias.name}" for alias in node.names]
                if not all(name in known for name in inner):
                    yield base
                yield from (name for name in inner if name in known)

    def indices(self) -> set[str]:
        """The modules that are an `__init__.py`."""
        return {name for name, path in self.modules.items() if path.name == "__init__.py"}

    def circle(self) -> list[str]:
        """Modules that import each other in a ring; empty if there is none."""
        over: set[str] = set()
        way: list[str] = []

        def visit(name: str) -> list[str]:
            if name in way:
                return [*way[way.index(name) :], name]
            if name in over:
                return []
            way.append(name)
            for target in sorted(self.imports[name]):
                if found := visit(target):
                    return found
            way.pop()
            over.add(name)
            return []

        return next((found for name in self.modules if (found := visit(name))), [])


@cache
def statements(path: Path) -> list[ast.Import | ast.ImportFrom]:
    """The imports of a file, as they are written."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
