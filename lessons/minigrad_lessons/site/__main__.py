"""Build the site in both languages with Sphinx, or the course as two books.

python -m minigrad_lessons.site                     into build/site
python -m minigrad_lessons.site --lite ../lite      with cells that run in the page
python -m minigrad_lessons.site --book              EPUBs into build/book
python -m minigrad_lessons.site -o out 02_backward  some chapters only
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ..build import chapters, named
from .links import ROOT
from .pages import build_books, build_site

BUILD = ROOT / "build"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m minigrad_lessons.site")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--lite", help="where the lab of `make lite` lies, seen from index.html")
    parser.add_argument("--book", action="store_true", help="write EPUBs instead of pages")
    parser.add_argument("chapters", nargs="*", help="names such as 02_backward; default: all")
    options = parser.parse_args(arguments)
    sources = named(options.chapters) if options.chapters else chapters()
    if options.book:
        build_books(sources, options.output or BUILD / "book", BUILD)
        return 0
    output = options.output or BUILD / "site"
    build_site(sources, output, BUILD, options.lite)
    size = sum(path.stat().st_size for path in output.rglob("*") if path.is_file())
    print(f"{output / 'index.html'}: {size / 1e6:.1f} MB in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
