"""Save a figure to a file in the format that the file's name ends in."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from minigrad.utils.files import write_whole

from ..texts.language import current_language
from ..texts.printable import printable
from .policy import digest, policy

Writers = Mapping[str, Callable[[], bytes | str | Callable[[BinaryIO], object]]]
"""By ending: a function that returns what `write_whole` writes."""


def save_as(file: str | Path, writers: Writers) -> Path:
    """Write a file whole or not at all, and return its path.

    Raises:
        ValueError: the name ends in none of the formats; the message lists them.
        OSError: the file cannot be written; an older one is as it was.
    """
    path = Path(file)
    write_whole(path, writers[format_of(path, writers)]())
    return path


def format_of(path: Path, formats: Iterable[str]) -> str:
    """Return the ending of a name in lower case, without its dot. ValueError for another format."""
    ending = path.suffix.lower().removeprefix(".")
    known = list(formats)
    if ending not in known:
        *most, last = (f".{each}" for each in known)
        listed = f"{', '.join(most)} or {last}" if most else last
        raise ValueError(f"cannot save {path.name!r}: the name must end in {listed}")
    return ending


class Saved:
    """Base of displays that are saved as page, picture or text; they have `html`, `svg`, `text`."""

    @property
    def _page_title(self) -> str:
        shown: Any = self
        return str(shown.text)

    def save(self, file: str | Path) -> Path:
        """Write this to a file whose name ends in .html, .svg (the picture) or .txt, whole or not
        at all.

        Returns:
            The path of the file.

        Raises:
            ValueError: the name has another ending, or there is no picture.
            OSError: the file cannot be written.
        """
        shown: Any = self
        writers: Writers = {
            "html": lambda: whole_page(shown.html, self._page_title),
            "svg": lambda: picture_only(shown.svg),
            "txt": lambda: f"{shown.text}\n",
        }
        return save_as(file, writers)


def picture_only(svg: str) -> str:
    """Return an SVG as the text of a file. ValueError if it is empty, as without Graphviz."""
    if not svg:
        raise ValueError("there is no picture to save here: save .html or .txt")
    return f"{svg}\n"


def whole_page(fragment: str, title: str) -> str:
    """Return a page around a piece of HTML. It shows the pictures in it, and runs nothing."""
    styles = [digest(style) for style in re.findall(r"<style>(.*?)</style>", fragment, re.DOTALL)]
    return _PAGE.format(
        policy=policy(styles=[*styles, digest(_STYLE)], images=["data:"]),
        language=current_language(),
        title=html.escape(printable(title)),
        style=_STYLE,
        fragment=fragment,
    )


_STYLE = """
:root { color-scheme: light dark }
body { margin: 1rem; font: 1rem/1.5 system-ui, sans-serif }
p { max-width: 72ch }
"""

_PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
{policy}
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>{style}</style>
{fragment}
</html>
"""
