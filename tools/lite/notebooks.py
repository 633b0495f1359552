"""Copy the notebooks in the form that this lab reads.

JupyterLite sends a notebook to the page as it is stored. A server would join texts that are stored
as lists of lines; without that, text shows with commas, and pictures do not show. JupyterLite also
asks for a kernel unless the notebook names the one that exists.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .absent import without_absent

KERNEL = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}


def joined(part: Any) -> Any:
    """Return a notebook, or a part of one, with each text as one string.

    >>> joined({"source": ["a = 1\\n", "a"], "metadata": {"tags": ["predict"]}})
    {'source': 'a = 1\\na', 'metadata': {'tags': ['predict']}}
    """
    if isinstance(part, list):
        return [joined(each) for each in part]
    if not isinstance(part, dict):
        return part
    return {
        key: "".join(value) if is_text(key, value) else joined(value) for key, value in part.items()
    }


def is_text(key: str, value: Any) -> bool:
    """Whether a value is a text stored in lines: a source, a stream, or data of a MIME type."""
    lines = isinstance(value, list) and all(isinstance(line, str) for line in value)
    return lines and (key in ("source", "text") or "/" in key)


def copy(source: Path, target: Path, *, plots: bool = True) -> None:
    """Write a copy of a notebook, for a site with or without plots."""
    notebook = without_absent(joined(json.loads(source.read_text(encoding="utf-8"))), plots=plots)
    notebook["metadata"]["kernelspec"] = KERNEL
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")
