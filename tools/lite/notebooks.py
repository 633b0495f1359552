"""The lessons as this lab reads them: copies of the notebooks, the same in every word.

JupyterLite hands a notebook to the page as it lies there, where a server would first put together
what the file keeps in lines; text in lines shows with commas, and pictures not at all. And it asks
which kernel to take unless the notebook names the one there is.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .absent import without_absent

KERNEL = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}


def joined(part: Any) -> Any:
    """A notebook, or a part of one, in which every text is one string.

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
    """Whether a value is a text that the file keeps in lines: a source, a stream, or what an output
    has under the name of a kind ("image/svg+xml").
    """
    lines = isinstance(value, list) and all(isinstance(line, str) for line in value)
    return lines and (key in ("source", "text") or "/" in key)


def copy(source: Path, target: Path, *, plots: bool = True) -> None:
    """Write the copy of one notebook, for a site that can draw plots or one that cannot."""
    notebook = without_absent(joined(json.loads(source.read_text(encoding="utf-8"))), plots=plots)
    notebook["metadata"]["kernelspec"] = KERNEL
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")
