"""The page of names that minigrad leaves out: docs/left_out.md, written from left_out.py.

python -m tools.left_out
"""

from __future__ import annotations

from pathlib import Path

from minigrad.arrays.left_out import OUT_OF_SCOPE

PAGE = Path(__file__).parents[1] / "docs/left_out.md"

HEAD = """# Names that are left out

<!-- Written by `python -m tools.left_out` from minigrad/arrays/left_out.py. -->

These names of PyTorch are left out on purpose. The error for such a name says what to do instead.
Any other missing name of PyTorch is not there yet, and its error says so.

| names | what to do instead |
|---|---|
"""


def groups() -> dict[str, list[str]]:
    """Return the names by what to do instead."""
    found: dict[str, list[str]] = {}
    for name, remedy in OUT_OF_SCOPE.items():
        found.setdefault(remedy, []).append(name)
    return found


def page() -> str:
    lines = []
    for remedy, names in groups().items():
        listed = " ".join(f"`{name}`" for name in names)
        lines.append(f"| {listed} | {remedy} |\n")
    return HEAD + "".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
