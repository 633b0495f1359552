"""The programs of the site, once for all pages, and what a page lets in.

In a notebook each output brings its program along, the stepper's and that of the boxes, as it may
be the only one. Pages share one script. They may import nothing, as they may be opened from a disk,
so it is a plain script that leaves behind two names for the outputs' own scripts. No other script
runs in a page.
"""

from __future__ import annotations

import re
from pathlib import Path

from minigrad_viz.picture.policy import digest
from minigrad_viz.stepper.page import BY_BLOB, MODULE, STEPPER, as_script, pack

from ..predictions.prediction import MODULE as BOX

PARTS = "page.js", "predicted.js", "frames.js", "present.js"


def script() -> str:
    """Return the script that every page loads."""
    box = BOX.replace("export function", "function")
    shared = [
        as_script(MODULE),
        f"(() => {{\n{box}\nglobalThis.mountAll = mountAll;\n}})();",
    ]
    folder = Path(__file__).parent
    return "\n".join([*shared, *((folder / part).read_text(encoding="utf-8") for part in PARTS)])


def shared(page: str) -> str:
    """A page whose outputs use the script's programs in place of their own."""
    for program in (MODULE, STEPPER):
        page = page.replace(f'unpack("{pack(program)}")', '""')
    return page.replace(BY_BLOB, "const mount = minigradMount;").replace(BOX, "")


INLINE = re.compile(r"<script(?![^>]*(?:\bsrc=|json))[^>]*>(.*?)</script>", re.DOTALL)
"""A script that stands in the page; JSON is data."""


def digests(page: str) -> list[str]:
    """Return what a policy calls the page's own scripts."""
    return [*dict.fromkeys(map(digest, INLINE.findall(page)))]
