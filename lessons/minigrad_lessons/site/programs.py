"""The programs of the site, once for all pages.

In a notebook each output brings its program along, the stepper's and that of the boxes, as it may
be the only one. Pages share one script. They may import nothing, as they may be opened from a disk,
so it is a plain script that leaves behind two names for the outputs' own scripts.
"""

from __future__ import annotations

from pathlib import Path

from minigrad_viz.stepper.page import MODULE, STEPPER, packed

from ..predictions.prediction import MODULE as BOX

PARTS = "theme.js", "predicted.js", "frames.js", "search.js"


def script() -> str:
    """What every page loads."""
    box = BOX.replace("export function", "function")
    shared = [
        f'globalThis.minigradStepper = "{packed(MODULE)}";',
        f"(() => {{\n{box}\nglobalThis.mountAll = mountAll;\n}})();",
    ]
    folder = Path(__file__).parent
    return "\n".join([*shared, *((folder / part).read_text(encoding="utf-8") for part in PARTS)])


def shared(page: str) -> str:
    """A page whose outputs use the script's programs in place of their own."""
    for program in (MODULE, STEPPER):
        page = page.replace(f'unpack("{packed(program)}")', "unpack(minigradStepper)")
    return page.replace(BOX, "")
