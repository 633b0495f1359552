"""Build a wheel with the compiled core: hatchling calls this for each wheel.

    MINIGRAD_COMPILE=all pip wheel --no-deps .

Without that variable the wheel is pure Python, for every system. The variable may also name
modules, separated by commas.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WANTED = os.environ.get("MINIGRAD_COMPILE", "")


class CompiledWheel(BuildHookInterface[Any]):
    """Adds the folder `_compiled`, for the Python that builds the wheel."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return what a build needs besides hatchling."""
        extras = self.metadata.core.optional_dependencies
        return list(extras["compiled"]) if WANTED else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and give the wheel the tags of this Python and this system."""
        if not WANTED or version == "editable":
            return
        sys.path.insert(0, self.root)
        from tools.compiled import MODULES, compile_core

        modules = MODULES if WANTED == "all" else WANTED.split(",")
        self.folder = tempfile.TemporaryDirectory()
        target = Path(self.folder.name) / "_compiled"
        compile_core(Path(self.root) / "minigrad", target, modules)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"][str(target)] = "minigrad/_compiled"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the compiled files, which are in the wheel now."""
        if hasattr(self, "folder"):
            self.folder.cleanup()
