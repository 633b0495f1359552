"""Build the lab in a browser tab.

python -m tools.lite                               into build/lite; Pyodide from its address
python -m tools.lite --pyodide folder -o out       all of it in the site, Pyodide from a folder
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from . import site


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.lite")
    parser.add_argument("--pyodide", type=Path, help="a folder with Pyodide and its wheels")
    parser.add_argument("-o", "--output", type=Path, default=Path("build") / "lite")
    options = parser.parse_args(arguments)
    site.build(options.output, options.pyodide)
    print(f"{options.output}: serve it, for example: python -m http.server -d {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
