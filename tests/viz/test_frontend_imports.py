"""The front end's TypeScript files import each other in one direction only, as the packages do."""

from __future__ import annotations

import re
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "viz" / "frontend" / "src"

IMPORT = re.compile(r"""^(?:import|export)\b[^;"']*?["'](\.[^"']*)["'];""", re.MULTILINE)
"""An import or a re-export of a file; imports of types count as well."""


def read_imports(folder: Path) -> dict[Path, list[Path]]:
    """Each TypeScript file in `folder`, and the TypeScript files that it imports."""
    files = {path.resolve() for path in folder.rglob("*.ts")}
    found: dict[Path, list[Path]] = {}
    for path in sorted(files):
        names = IMPORT.findall(path.read_text(encoding="utf-8"))
        targets = [(path.parent / f"{name}.ts").resolve() for name in names]
        found[path] = [target for target in targets if target in files]
    return found


def find_circle(imports: dict[Path, list[Path]]) -> list[str]:
    """File names of a circle of imports, its first file at both ends; empty if there is none."""
    finished: set[Path] = set()

    def follow(chain: list[Path]) -> list[str]:
        *before, last = chain
        if last in before:
            return [path.name for path in chain[before.index(last) :]]
        for target in imports[last] if last not in finished else []:
            if circle := follow([*chain, target]):
                return circle
        finished.add(last)
        return []

    return next((circle for path in imports if (circle := follow([path]))), [])


def test_frontend_imports_have_no_circle() -> None:
    imports = read_imports(SOURCES)
    assert len(imports) > 30
    assert sum(map(len, imports.values())) > len(imports)
    assert find_circle(imports) == []


def test_circle_of_imports_is_found(tmp_path: Path) -> None:
    (tmp_path / "panes").mkdir()
    (tmp_path / "a.ts").write_text('import {\n  b,\n} from "./panes/b";\nexport const a = b;\n')
    (tmp_path / "panes" / "b.ts").write_text('import css from "../b.css";\nexport * from "../c";\n')
    (tmp_path / "c.ts").write_text('import type { A } from "./a";\n')
    assert find_circle(read_imports(tmp_path)) == ["a.ts", "b.ts", "c.ts", "a.ts"]
