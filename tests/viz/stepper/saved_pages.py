"""The SVGs of a saved .zip, as files."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any


def svg_files(shown: Any, folder: Path, **options: Any) -> list[Path]:
    """Save the steps of a stepper or a comparison, unpack them to `folder`, return the SVGs."""
    archive = shown.save(folder.with_name(f"{folder.name}.zip"), **options)
    with zipfile.ZipFile(archive) as pages:
        pages.extractall(folder)
        return [folder / name for name in pages.namelist()]
