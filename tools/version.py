"""Check that a tag names the version of pyproject.toml: v0.1.0 is version 0.1.0.

python tools/version.py v0.1.0
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main(arguments: list[str]) -> int:
    """Return 0 if the given tag names the version, else 1."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    if arguments == [f"v{project['version']}"]:
        return 0
    print(f"the version is {project['version']}, and the tag {' '.join(arguments)}")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
