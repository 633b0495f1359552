"""The programs of the site, once for all pages, and what a page lets in.

In a notebook each output brings its program along, the stepper's and that of the boxes, as it may
be the only one. Pages share one script. They may import nothing, as they may be opened from a disk,
so it is a plain script that leaves behind two names for the outputs' own scripts. No other script
runs in a page.
"""

from __future__ import annotations

import re
from pathlib import Path

from minigrad_viz.picture.policy import digest, policy
from minigrad_viz.stepper.page import BY_BLOB, MODULE, STEPPER, as_script, pack

from ..predictions.prediction import MODULE as BOX

PARTS = "theme.js", "predicted.js", "frames.js", "search.js", "present.js"


def script() -> str:
    """What every page loads."""
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


def rules(page: str) -> str:
    """Return the policy of a page of the site: files of the site, and the page's current scripts.

    Styles are allowed everywhere: matplotlib's pictures have them in each line.
    """
    return policy(
        scripts=["'self'", *map(digest, INLINE.findall(page))],
        styles=["'self'", "'unsafe-inline'"],
        images=["data:"],
    )


INLINE = re.compile(r'<script(?: type="module")?>(.*?)</script>', re.DOTALL)
