"""What the Chinese site takes from the English one next to it: theme, pictures and reference."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

FILES = re.compile(r"(_static/(scripts|styles)/|_images/(?!.*-zh-))|reference/(?!index\.html)")
"""The files that are the same in both. A picture with Chinese words has -zh- in its name."""
ADDRESS = re.compile(r'\b(href|src)="([^"#?:]+)')
LISTED = re.compile(r'"(?=reference/(?!index[".]))')
"""Pages of the reference in the index of the search."""


def share(site: Path) -> None:
    """Remove from the Chinese site what the English one has, and lead there."""
    for path in [path for path in site.rglob("*") if path.is_file()]:
        place = path.relative_to(site).as_posix()
        if FILES.match(place):
            path.unlink()
        elif path.suffix == ".html":
            text = path.read_text(encoding="utf-8")
            path.write_text(with_shared_files(text, place), encoding="utf-8")
    (site / "objects.inv").unlink()
    index = site / "searchindex.js"
    text = index.read_text(encoding="utf-8")
    index.write_text(LISTED.sub('"../en/', text), encoding="utf-8")


def with_shared_files(page: str, place: str) -> str:
    """Return the Chinese page at `place` with the addresses of the English site's files.

    >>> with_shared_files('<a href="torch.html">', "reference/index.html")
    '<a href="../../en/reference/torch.html">'
    """

    def address(found: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(place), found[2]))
        up = "../" * (place.count("/") + 1)
        return f'{found[1]}="{up}en/{path}' if FILES.match(path) else found[0]

    return ADDRESS.sub(address, page)
