"""Find phrases that slow a reader down: `make check` runs this.

Each finding is a line `file:line: phrase`. The lessons' prose is exempt, and so are messages that
repeat PyTorch's own words.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tools import architecture

ROOT = Path(__file__).resolve().parents[1]

PHRASES = (
    *("beside", "nobody", "whoever", "somebody", "whom", "shall"),
    *("so many", "as far as", "let go of", "said of", "is asked for", "all the same"),
)
FOUND = re.compile(rf"\b(?:{'|'.join(PHRASES)})\b", re.IGNORECASE)

READ = {".css", ".html", ".js", ".md", ".mjs", ".py", ".pyi", ".sh", ".toml", ".ts", ".yml"}
EXEMPT = re.compile(
    r"tools/plain_words\.py"  # the list itself
    r"|lessons/(src|en|zh)/|lessons/minigrad_lessons/(exercises|predictions)/chapter_"
    r"|.*/static/|.*package-lock\.json"
)
PYTORCH: tuple[str, ...] = ()
"""Messages of PyTorch that contain one of the phrases."""


def tracked() -> list[str]:
    """Return the paths of the repository's files."""
    return [path.relative_to(ROOT).as_posix() for path in architecture.tracked(ROOT)]


def findings(name: str) -> Iterator[str]:
    """Yield a line for each phrase in a file.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".md") as file:
    ...     _ = file.write("A node is next to its input." + chr(10) + "It let " + "go of it.")
    ...     file.flush()
    ...     [line.partition(":")[2] for line in findings(file.name)]
    ['2: let go of']
    """
    text = (ROOT / name).read_text(encoding="utf-8")
    for message in PYTORCH:
        text = text.replace(message, "")
    for number, line in enumerate(text.splitlines(), 1):
        for found in FOUND.finditer(line):
            yield f"{name}:{number}: {found[0]}"


def main() -> int:
    names = [
        name
        for name in tracked()
        if (Path(name).suffix in READ or name in ("Makefile", ".ci/run")) and not EXEMPT.match(name)
    ]
    found = [line for name in names for line in findings(name)]
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
